"""Sentences, tables, charts and report sections on skill: the ladder, and balance level by level."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analysis.answer import verdicts
from analysis.answer.files import write_bytes, write_text
from analysis.answer.model import DrawnChart, Section
from analysis.answer.numbers import MINUS, THIN, Format, count, decimal, percent, points
from analysis.answer.prose import at_seats, capital, change_of, interval_of, listed, number_word, stopped
from analysis.answer.tables import Table, rate_columns, table
from analysis.answer.verdicts import MEANING
from analysis.charts import dumbbell, render
from analysis.charts.intervals import rungs
from analysis.charts.lines import BOTH_WAYS, levels
from analysis.data.encounters import DUEL
from analysis.data.study import Study, against, contest
from analysis.skill.balance import FLIPS, HOLDS, MOVES, Balance
from analysis.skill.ladder import KNOWN, STEP, Ladder, Skill
from analysis.variants.compare import Advantage, advantage
from sim.engine.questions import Question

TOLD = 4  # flips named with rates; further ones are counted
SURE = 0.05

CAVEAT = (
    "A level is how a program decides, not how a person plays: players better than the highest level may move these numbers "
    "further."
)


def steps(ladder: Ladder) -> str:
    """Sentences on every level against the one below, on clear steps, and on the span of the ratings."""
    known = ladder.neighbours["known"]
    clauses = [
        f"{row['name']} wins {percent(row['estimate'])} of the games against {row['below']} {interval_of(row)}"
        for _, row in ladder.neighbours[known].iterrows()
    ]
    vague = [f"{row['name']} against {row['below']}" for _, row in ladder.neighbours[~known].iterrows()]
    games = sum(ceil(row["n"] * (row["reach"] / KNOWN) ** 2) for _, row in ladder.neighbours[~known].iterrows())
    left_out = (
        f"Left out, because it would take about {count(games)} games to know it to {100 * KNOWN:.1f} points: {listed(vague)}."
    )
    if not clauses:
        return left_out
    clear, span = ladder.depth, ladder.spread
    sentence = f"That makes {number_word(clear.steps)} clear step{'' if clear.steps == 1 else 's'} of {percent(STEP, 0)} or more"
    chain = " \u2013 ".join(ladder.names[level] for level in clear.chain)
    sentence += f" ({chain})" if clear.steps else ""
    if clear.low != clear.high:
        sentence += f", by the intervals {number_word(clear.low)} to {number_word(clear.high)}"
    if span is not None:
        side, sign = ("below", -1) if span.estimate < 0 else ("above", 1)
        low, high = sorted((sign * span.low, sign * span.high))
        sentence += f"; {ladder.names[-1]} is rated {count(abs(span.estimate))} Elo points {side} {ladder.names[0]} "
        sentence += f"(95{THIN}% interval {count(low)} to {count(high)})"
    return f"{capital(at_seats(DUEL))} {listed(clauses)}. {sentence}.{f' {left_out}' if vague else ''}"


def between(balance: Balance, first: str, second: str) -> str:
    """Sentences on how the conclusions about entrants change from one level to another."""
    rows, orders = (frame[(frame["first"] == first) & (frame["second"] == second)] for frame in (balance.changes, balance.orders))
    ranked, holds = rows.sort_values("change", key=lambda change: -change.abs(), kind="stable"), rows[rows["verdict"] == HOLDS]
    flips, moves = (ranked[ranked["verdict"] == verdict] for verdict in (FLIPS, MOVES))
    sure = rows[rows["side_before"] != 0]
    if sure.empty:
        units = number_word(len(balance.units))
        nothing = f"differs significantly from its share, so there is nothing for {second} to overturn."
        sentences = [f"Under {first} none of {units} {nothing}"]
    else:
        same = int((sure["side_before"] == sure["side_after"]).sum())
        rest = len(sure) - same - len(flips)

        def clause(number: int, words: str) -> str:
            return f"{number_word(number) if number else 'none'} {words.format(s='' if number > 1 else 's')}"

        clauses = [clause(same, "stay{s} on the same side"), clause(len(flips), "change{s} sides")]
        clauses += [clause(rest, "no longer differ{s} significantly")] if rest else []
        differ = "differs significantly from its" if len(sure) == 1 else "differ significantly from their"
        sentences = [f"Of {number_word(len(sure))} that {differ} share under {first}, under {second} {listed(clauses)}."]
    sentences += [f"{became(balance, row)}." for _, row in flips.head(TOLD).iterrows()]
    if (rest := len(flips) - TOLD) > 0:
        sentences.append(f"{capital(number_word(rest))} more change{'s' if rest == 1 else ''} sides too.")
    sides, clauses = (holds["side_before"] + holds["side_after"]).clip(-1, 1), []
    for side, words in ((1, "above their share"), (-1, "below it"), (0, "within a tenth of it")):
        names = list(holds.loc[sides == side, "name"])
        clauses += [f"{words}: {listed(names)}"] if names else []
    sentences += [f"Significantly at both levels {'; '.join(clauses)}."] if clauses else []
    sentences += [f"{became(balance, row)}." for _, row in moves.head(1).iterrows()]
    if len(moves) > 1:
        others = [f"{row['name']} ({points(row['change'])})" for _, row in moves.iloc[1:].iterrows()]
        sentences.append(f"Others that moved beyond chance: {listed(others)} points.")
    sentences += [
        f"Kendall's tau of the two orders is {decimal(row['tau'], 2)} (95{THIN}% interval {decimal(row['low'], 2)} to "
        f"{decimal(row['high'], 2)}; 1: the same order, 0: nothing in common, {MINUS}1: reversed)."
        for _, row in orders.head(1).iterrows()
    ]
    return " ".join(sentences)


def became(balance: Balance, row: pd.Series) -> str:
    """Clause such as `Fox is the strongest under greedy:4 (61.0 %) and average under search:200 (50.1 %)`."""
    clauses = []
    for level, rate in ((row["first"], row["before"]), (row["second"], row["after"])):
        rates = balance.rates[balance.rates["level"] == level]
        here = rates[rates["name"] == row["name"]].iloc[0]
        above = here["side"] > 0
        if here["side"] == 0:
            standing = "average" if here["verdict"] == "fair" else "not significantly off its share"
        elif here["estimate"] == (rates["estimate"].max() if above else rates["estimate"].min()):
            standing = "the strongest" if above else "the weakest"
        else:
            standing = "above its share" if above else "below its share"
        clauses.append(f"{standing} under {level} ({percent(rate)})")
    return f"{row['name']} is {' and '.join(clauses)}"


def strongest(balance: Balance) -> str:
    """Sentence on the strongest entrant at each level at which any has won a game."""
    best: dict[str, list[str]] = {}
    for level in balance.names:
        rows = balance.rates[(balance.rates["level"] == level) & (balance.rates["estimate"] > 0)]
        if len(rows):
            top = rows.iloc[int(rows["estimate"].argmax())]
            best.setdefault(top["name"], []).append(f"{level} ({percent(top['estimate'])})")
    clauses = [f"{name} under {listed(levels)}" for name, levels in best.items()]
    return f"Strongest is {listed(clauses)}." if clauses else ""


def course(balance: Balance) -> str:
    """Sentences on the game at each level: spread of the win rates, first player, length, truncated games."""
    rows = balance.whole
    spread = [f"{100 * row['spread']:.1f} under {row['level']}" for _, row in rows.iterrows() if row["spread"] >= 0]
    sentences = [f"The spread of the win rates (standard deviation) in points: {listed(spread)}."] if spread else []
    if rows["first"].notna().any():
        marks = [f"{percent(row['first'])}{'' if row['p'] < SURE else ' (may be chance)'}" for _, row in rows.iterrows()]
        sentences.append(f"The first player wins {listed(marks)}, level by level.")
    sentences.append(f"A game lasts {listed([f'{turns:.1f}' for turns in rows['turns']])} turns on average.")
    stopped = f"Truncated games, left out: {listed([percent(share) for share in rows['truncated']])}."
    return " ".join([*sentences, stopped if rows["truncated"].any() else "No game was stopped at a limit."])


SHOWN_MAX = 24  # rows of changes printed on a terminal
SIDES = {1: "\u25b2", -1: "\u25bc", 0: "\u00b7"}  # significantly above the fair share, below, neither
READING = (
    f"{SIDES[1]} significantly above the fair share, {SIDES[-1]} significantly below, {SIDES[0]} neither: p-values adjusted over "
    "all entrants and levels (Holm). Flips: significantly on opposite sides at two levels; moves: the change is significant, but "
    "not both sides.",
    "Levels meet in pairs of games with the same dice, with seats swapped in the second game. A clear step is winning "
    f"{percent(STEP, 0)} of the games; intervals are at 95{THIN}%.",
    CAVEAT,
)


def skill_section(result: Skill) -> Section:
    """Everything that `fairfight skill` found: levels against each other, and every entrant at every level."""
    plan, ladder_, levels_ = result.plan, result.ladder, result.balance
    shown, top = skill_tables(result), result.names[-1]
    facts: dict[str, Any] = {
        "game": plan.game.name,
        "cards": plan.cards.title,
        "cards_digest": plan.cards.digest,
        "levels": list(plan.names),
    }
    facts |= {"seats": plan.seats, "seed": plan.seed, "games": result.games, "interrupted": result.interrupted}
    data: dict[str, Any] = {"facts": facts}
    if ladder_:
        deep = vars(ladder_.depth) | {"chain": [ladder_.names[level] for level in ladder_.depth.chain]}
        span = None if ladder_.spread is None else vars(ladder_.spread)
        data |= {"meetings": shown["meetings"], "ratings": shown.get("ratings", []), "depth": deep, "elo_span": span}
    changes: Table | list[Any] = [] if levels_.changes.empty else shown["changes"]
    data |= {"rates": shown["rates"], "changes": changes}
    data |= {"orders": shown.get("orders", []), "levels": shown["levels"]}
    made = f"{plan.cards.title} (digest {plan.cards.digest}): {count(result.games)} games, seed {plan.seed}."
    if result.interrupted:
        made += f" Stopped early: levels up to {top}, the last one possibly with fewer games."
    brief, both, ends = dict(shown), shown["side-by-side"], 12
    changed = tuple(row for row in shown["changes"].rows if row[-1] in (FLIPS, MOVES))
    if len(both.rows) > 2 * ends:
        caption = f"{both.caption} (the first and the last {ends} of {count(len(both.rows))}; --csv has all)"
        brief["side-by-side"] = replace(both, rows=both.rows[:ends] + both.rows[-ends:], caption=caption)
    brief["changes"] = replace(shown["changes"], rows=changed[:SHOWN_MAX])
    order = ("meetings", "ratings", "side-by-side", *(("changes",) if changed else ()), "orders", "levels")
    return Section(
        "skill",
        answer=" ".join([*([] if ladder_ is None else [steps(ladder_)]), strongest(levels_)]),
        tables=tuple(brief[name] for name in order if name in brief),
        lines=(
            *([] if ladder_ is None else [steps(ladder_)]),
            strongest(levels_),
            *(f"{name} to {top}: {between(levels_, name, top)}" for name in levels_.names[:-1]),
            course(levels_),
            made,
            *READING,
        ),
        main=shown["rates"],
        data=data,
        draw=lambda: levels_chart(levels_),
    )


def skill_tables(result: Skill) -> dict[str, Table]:
    """All tables by id; those without rows, such as the ratings of levels that did not all meet, are left out."""
    ladder_, levels_ = result.ladder, result.balance
    tables = []
    if ladder_ is not None:
        columns = {"name": "level", "below": "against", "estimate": "win rate", "low": "low", "high": "high"}
        columns |= {"p": "p", "n": "n", "pairs": "pairs", "unwon": "won by nobody"}
        tables.append(table(ladder_.rates, "meetings", "Levels against each other, at two seats", columns, {"p": "p"}))
        if (rated := ladder_.rated) is not None:
            frame = rated.iloc[::-1].assign(**{name: rated[name].round(1) for name in ("elo", "elo_low", "elo_high")})
            columns = {"name": "level", "elo": "Elo points", "elo_low": "from", "elo_high": "to", "n": "n"}
            tables.append(table(frame, "ratings", "Ratings of the levels (Bradley and Terry)", columns))
    caption = f"Win rates with one level in every seat, at {result.plan.seats} seats"
    columns = rate_columns(level="level", name="name")
    columns |= {"fair": "fair share", "p_beyond": verdicts.HEADING, "verdict": "verdict", "p_holm": "p_fair"}
    tables.append(table(levels_.rates, "rates", f"{caption}, with intervals", columns))
    lines = [
        (str(name), *part["estimate"].astype(object).where(part["estimate"].notna(), None), marks, int(part["n"].min()))
        for name, part in levels_.rates.groupby("name", sort=False)
        for marks in [" ".join(SIDES[side] for side in part["side"])]
    ]
    lines.sort(key=lambda line: -float(line[len(levels_.names)] or 0))  # by the rate at the highest level
    formats: dict[str, Format] = dict.fromkeys(levels_.names, "percent")
    tables.append(Table("side-by-side", ("name", *levels_.names, "surely", "n (least)"), tuple(lines), caption, formats))
    columns = {"name": "name", "first": "from", "second": "to", "before": "before", "after": "after", "change": "change"}
    columns |= {"low": "change low", "high": "change high", "p_holm": "p (Holm)", "verdict": "conclusion"}
    tables.append(
        table(
            levels_.changes.reindex(columns=list(columns)), "changes", "Changes of the conclusions from level to level", columns
        )
    )
    if len(levels_.orders):
        frame = levels_.orders.assign(**{name: levels_.orders[name].round(3) for name in ("tau", "low", "high", "seen")})
        columns = {"first": "level", "second": "and", "tau": "Kendall's tau", "low": "from", "high": "to", "seen": "as seen"}
        tables.append(table(frame, "orders", "Agreement between the orders of two levels", columns))
    columns = {"level": "level", "games": "n", "spread": "spread of win rates", "spread_low": "spread from"}
    columns |= {"spread_high": "spread to", "first": "first wins", "first_low": "first from", "first_high": "first to"}
    columns |= {"p": "p", "turns": "turns", "turns_low": "turns from", "turns_high": "turns to", "truncated": "truncated"}
    formats = {heading: "percent" for name, heading in columns.items() if name.startswith(("spread", "first"))}
    tables.append(table(levels_.whole, "levels", "The game at each level", columns, {**formats, "p": "p"}))
    return {each.id: each for each in tables}


def ladder_chart(ladder: Ladder | None) -> Figure | None:
    """DrawnChart of ratings and steps; None if some levels have not met."""
    if ladder is None or ladder.rated is None:
        return None
    columns = {"estimate": "rate", "low": "rate_low", "high": "rate_high", "n": "n"}
    beside = ladder.neighbours[ladder.neighbours["known"]].set_index("higher").rename(columns=columns)[list(columns.values())]
    return rungs(ladder.rated.drop(columns="n").join(beside.reindex(range(len(ladder.names)))), step=STEP)


def levels_chart(balance: Balance) -> Figure:
    """DrawnChart of win rates at each level; with very many entrants, of the 36 that move most."""
    turns = dict.fromkeys(balance.units, 0)  # direction in which an entrant flips between levels
    if len(balance.changes):
        flips = balance.changes[balance.changes["verdict"] == FLIPS].groupby("name")["side_after"]
        turns |= {str(name): int(ways.iloc[0]) if len(set(ways)) == 1 else BOTH_WAYS for name, ways in flips}
    reach = balance.rates.groupby("name")["estimate"].agg(lambda rates: rates.max() - rates.min())
    kept = set(reach.sort_values(ascending=False, kind="stable").index[:36])
    drawn = balance.rates[balance.rates["name"].isin(kept)]
    return levels(drawn.assign(turns=drawn["name"].map(turns)), left_out=len(balance.units) - len(kept))


def write_charts(result: Skill, folder: Path) -> list[Path]:
    """Write the charts of ladder and levels as PNG and SVG; returns the files. Raises ReportError."""
    files = []
    for name, figure in (("ladder", ladder_chart(result.ladder)), ("levels", levels_chart(result.balance))):
        if figure is not None:
            bitmap, vectors = folder / f"{name}.png", folder / f"{name}.svg"
            write_bytes(bitmap, render.png(figure))
            write_text(vectors, render.svg_file(render.svg(figure, name, f"{result.plan.game.title}: {name}")))
            files += [bitmap, vectors]
    return files


LADDER, CONCLUSIONS, COURSE = "ladder", "conclusions", "course"

IN_PAIRS = (
    "Two levels meet in pairs of games: the same line-up and dice twice, with seats swapped in the second game, so that effects "
    "of entrants and seats cancel. A pair is one observation (Tango's interval). Ratings are those of Bradley and Terry. The "
    f"steps count the longest chain of levels that each win {percent(STEP, 0)} or more of the games against the previous one "
    "(Cauwet et al. 2015); luck in the rules reduces them, and so does an evaluation that search cannot improve. "
)
JUDGED = (
    f"All levels play the same line-ups with the same dice. {MEANING} All rows are those of all levels. p (Holm) of a change is "
    "adjusted over all changes. Flips: significantly above the fair share at one level and below at the other (p_fair, adjusted "
    "over all levels); holds: significantly on one side at both, or fair at both; moves: the change is significant, but not both "
    "sides. Kendall's tau estimates that of the true orders, corrected for the errors of the win rates. "
)


def ladder(result: Skill) -> Section | None:
    """Section on ratings and steps; None if some levels never met in a game with a winner."""
    figure = ladder_chart(result.ladder)
    if result.ladder is None or figure is None:
        return None
    answer, tables = steps(result.ladder), skill_tables(result)
    caption = "Rating of every level, the highest on top, and its win rate against the level below, at two seats."
    chart = DrawnChart(LADDER, figure, caption, f"Dots by level on a scale of Elo points. {answer}")
    shown = (tables["meetings"], tables["ratings"])
    return Section(LADDER, "How far does skill go?", answer, (chart,), shown, IN_PAIRS + CAVEAT)


def conclusions(result: Skill, policy: str) -> Section:
    """Section on win rates level by level, and whether conclusions hold. policy: of the report."""
    tables, balance, game, ends = skill_tables(result), result.balance, result.plan.game, 15
    top = balance.names[-1]
    first = policy if policy in balance.names[:-1] else balance.names[max(0, len(balance.names) - 2)]
    answer = " ".join([strongest(balance), *([between(balance, first, top)] if first != top else [])])
    word = game.entrants_word if result.plan.teams is None else result.plan.teams.words
    caption = f"Win rates of all {word} {at_seats(balance.seats)} with one level of play in every seat, the lowest on the left."
    chart = DrawnChart(CONCLUSIONS, levels_chart(balance), caption, f"A line per entrant over the levels. {answer}")
    for name in ("changes", "rates"):
        tables[name] = replace(tables[name], id=f"level-{name}", ends=ends if len(tables[name].rows) > 2 * ends else 0)
    shown = tuple(tables[name] for name in ("side-by-side", "changes", "orders", "rates") if name in tables)
    note = JUDGED + CAVEAT + f" More games and levels: fairfight skill {game.name}."
    return Section(CONCLUSIONS, "Do these conclusions hold for better players?", answer, (chart,), shown, note)


def skill_course(result: Skill) -> Section:
    """Section on the game at each level."""
    note = (
        "First wins: in finished games, p against the fair share. A truncated game counts with its turns until it was stopped. "
        "The spread of the win rates excludes the part due to chance (jackknife over games)."
    )
    tables = (skill_tables(result)["levels"],)
    return Section(COURSE, "How does the game change with its players?", course(result.balance), (), tables, note)


DIFFERENCE = {"change": "difference", "change_low": "difference low", "change_high": "difference high"}
LEAST = 20  # games won by the weaker side from which the gain of shared dice is estimated
ADVANTAGE_FORMATS: dict[str, Format] = {**dict.fromkeys(DIFFERENCE.values(), "points"), "gain": "number", "n (groups)": "count"}


def skill(study: Study, question: Question) -> Section | None:
    """Dots of the win shares of both policies against each other, and their difference, from games in pairs.

    Settings: games (in multiples of the usual number; each is played both ways).
    """
    seats = contest(study) if study.contests else 0
    if study.beside is None or seats != DUEL:
        return None
    games = against(study, seats, study.games_for(question, study.budget.variant_games))
    truncated = int((~games["finished"]).sum())
    games = games[games["finished"]]
    if games.empty:
        return None
    result = advantage(games[["share_0", "share_1"]], games["side"], games["dice"])
    first, second = str(study.policy), str(study.beside)
    line = row(f"{first} against {second}", result)
    estimated = min(result.first, result.second) * result.games >= LEAST
    frame = pd.DataFrame([line if estimated else {**line, "gain": np.nan}])
    answer = (
        f"{capital(at_seats(seats))} {first} wins {percent(result.first)} of the games against {second} "
        f"{interval_of(line, 'games', 'first')} and {second} {percent(result.second)}: "
        f"a difference of {change_of(line)}{stopped(truncated)}."
    )
    caption = f"Win share of {first} and of {second} against each other: every line-up is played with the same dice both ways."
    chart = dumbbell(frame, words=(first, second), label="win share", change="difference, points")
    columns = {"name": "policies", "first": f"{first} wins", "second": f"{second} wins", **DIFFERENCE}
    columns |= {"gain": "gain", "pairs": "n (groups)", "n": "n"}
    formats: dict[str, Format] = dict.fromkeys((f"{first} wins", f"{second} wins"), "percent")
    shown = table(frame, question.id, f"{capital(first)} against {second}", columns, ADVANTAGE_FORMATS | formats)
    unknown = "" if estimated else ", which cannot be estimated because one side wins almost every game"
    note = (
        f"Games with the same dice are one observation: {count(result.n)} of them; gain is how many times as many games without "
        f"shared dice would be needed{unknown}. Truncated games are left out. n: games."
    )
    alt = f"Two dots for the win shares of both policies. {answer}"
    return Section(question.id, question.text, answer, (DrawnChart(question.id, chart, caption, alt),), (shown,), note)


def row(name: str, result: Advantage) -> dict[str, Any]:
    """Row of a dumbbell chart; each share gets half the interval of the difference."""
    first, second, down, up = result.first, result.second, (result.change - result.low) / 2, (result.high - result.change) / 2
    line = {"name": name, "first": first, "first_low": max(0.0, first - down), "first_high": min(1.0, first + up)}
    line |= {"second": second, "second_low": max(0.0, second - up), "second_high": min(1.0, second + down)}
    line |= {"change": result.change, "change_low": result.low, "change_high": result.high, "p": result.p, "gain": result.gain}
    return line | {"pairs": result.n, "n": result.games}
