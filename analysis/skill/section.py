"""Sentences, tables, charts and report sections on skill: the ladder, and balance level by level."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analysis.charts import dumbbell, render
from analysis.charts.intervals import rungs
from analysis.charts.lines import BOTH_WAYS, levels
from analysis.data.encounters import DUEL
from analysis.data.study import Study, against, contest
from analysis.document import prose
from analysis.document.model import (
    MINUS,
    THIN,
    Cell,
    Chart,
    Format,
    Section,
    Table,
    count,
    decimal,
    percent,
    points,
    table,
    write_bytes,
    write_text,
)
from analysis.document.prose import MEANING, at_seats, capital, interval, listed, number_word, point_interval, stopped
from analysis.skill.balance import FLIPS, HOLDS, MOVES, Balance
from analysis.skill.ladder import STEP, Ladder, Skill
from analysis.variants.compare import Advantage, advantage
from sim.engine.measures import Question

TOLD = 4  # flips named with rates; further ones are counted
SURE = 0.05

CAVEAT = (
    "A level is how a program decides, not how a person plays: players better than the highest level may move these numbers "
    "further."
)


def steps(ladder: Ladder) -> str:
    """Sentences on every level against the one below, and on clear steps."""
    clauses = []
    for _, row in ladder.rates[ladder.rates["higher"] - ladder.rates["lower"] == 1].iterrows():
        rate = f"{row['name']} wins {percent(row['estimate'])} of the games against {row['below']}"
        clauses.append(f"{rate} {interval(row['low'], row['high'], row['n'])}")
    return f"{capital(at_seats(DUEL))} {listed(clauses)}. {depth(ladder)}"


def depth(ladder: Ladder) -> str:
    """Sentence on clear steps and the span of the ratings."""
    clear = ladder.depth
    chain = " \u2013 ".join(ladder.names[level] for level in clear.chain)
    number = f"{number_word(clear.steps)} clear step{'' if clear.steps == 1 else 's'}"
    sentence = f"That makes {number} of {percent(STEP, 0)} or more" + (f" ({chain})" if clear.steps else "")
    if clear.low != clear.high:
        sentence += f", by the intervals {number_word(clear.low)} to {number_word(clear.high)}"
    if ladder.spread is None:
        return f"{sentence}."
    span = ladder.spread
    sentence += f"; {ladder.names[-1]} is rated {elo(span.estimate)} Elo points above {ladder.names[0]}"
    return f"{sentence} (95{THIN}% interval {elo(span.low)} to {elo(span.high)})."


def elo(value: float) -> str:
    """Format Elo points as an integer."""
    return count(value)


def between(balance: Balance, first: str, second: str) -> str:
    """Sentences on how the conclusions about entrants change from one level to another."""
    rows = balance.changes[(balance.changes["first"] == first) & (balance.changes["second"] == second)]
    sentences = [_kept(balance, rows, first, second), _flips(balance, rows), _holds(rows), _moves(balance, rows)]
    sentences.append(_order(balance, first, second))
    return " ".join(words for words in sentences if words)


def _kept(balance: Balance, rows: pd.DataFrame, first: str, second: str) -> str:
    """Sentence on how many conclusions of one level hold at the other."""
    sure = rows[rows["side_before"] != 0]
    if sure.empty:
        none = f"Under {first} none of {number_word(len(balance.units))} differs significantly from its share"
        return f"{none}, so there is nothing for {second} to overturn."
    same = int((sure["side_before"] == sure["side_after"]).sum())
    flipped = int((sure["verdict"] == FLIPS).sum())
    differ = "differs significantly from its" if len(sure) == 1 else "differ significantly from their"
    subset = f"Of {number_word(len(sure))} that {differ} share under {first}"
    rest = len(sure) - same - flipped
    clauses = [_number(same, "stays", "stay") + " on the same side", _number(flipped, "changes", "change") + " sides"]
    clauses += [_number(rest, "no longer differs", "no longer differ") + " significantly"] if rest else []
    return f"{subset}, under {second} {listed(clauses)}."


def _number(number: int, singular: str, plural: str) -> str:
    """Write a number with its verb: `none stays`, `two stay`."""
    return f"{number_word(number) if number else 'none'} {plural if number > 1 else singular}"


def _flips(balance: Balance, rows: pd.DataFrame) -> str:
    flips = _largest(rows[rows["verdict"] == FLIPS])
    if flips.empty:
        return ""
    sentences = [became(balance, row) for _, row in flips.head(TOLD).iterrows()]
    rest = len(flips) - len(sentences)
    more = f" {capital(number_word(rest))} more change{'s' if rest == 1 else ''} sides too." if rest else ""
    return f"{'. '.join(sentences)}.{more}"


def became(balance: Balance, row: pd.Series) -> str:
    """Clause such as `Fox is the strongest under greedy:4 (61.0 %) and average under search:200 (50.1 %)`."""
    before, after = (_standing(balance, row["name"], row[level]) for level in ("first", "second"))
    rates = [f"{percent(row[when])}" for when in ("before", "after")]
    return f"{row['name']} is {before} under {row['first']} ({rates[0]}) and {after} under {row['second']} ({rates[1]})"


def _standing(balance: Balance, name: str, level: str) -> str:
    """Describe an entrant's position at a level."""
    rates = balance.rates[balance.rates["level"] == level]
    row = rates[rates["name"] == name].iloc[0]
    if row["side"] == 0:
        return "average" if row["verdict"] == "fair" else "not significantly off its share"
    if row["side"] > 0:
        return "the strongest" if row["estimate"] == rates["estimate"].max() else "above its share"
    return "the weakest" if row["estimate"] == rates["estimate"].min() else "below its share"


def _holds(rows: pd.DataFrame) -> str:
    holds = rows[rows["verdict"] == HOLDS]
    clauses = []
    for side, words in ((1, "above their share"), (-1, "below it"), (0, "within a tenth of it")):
        names = list(holds.loc[(holds["side_before"] + holds["side_after"]).clip(-1, 1) == side, "name"])
        clauses += [f"{words}: {listed(names)}"] if names else []
    return f"Significantly at both levels {'; '.join(clauses)}." if clauses else ""


def _moves(balance: Balance, rows: pd.DataFrame) -> str:
    moves = _largest(rows[rows["verdict"] == MOVES])
    if moves.empty:
        return ""
    first = became(balance, moves.iloc[0])
    others = [f"{row['name']} ({points(row['change'])})" for _, row in moves.iloc[1:].iterrows()]
    return f"{first}." + (f" Others that moved beyond chance: {listed(others)} points." if others else "")


def _largest(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.sort_values("change", key=lambda change: -change.abs(), kind="stable")


def _order(balance: Balance, first: str, second: str) -> str:
    rows = balance.orders[(balance.orders["first"] == first) & (balance.orders["second"] == second)]
    if rows.empty:
        return ""
    row = rows.iloc[0]
    bounds = f"95{THIN}% interval {tau(row['low'])} to {tau(row['high'])}"
    scale = f"1: the same order, 0: nothing in common, {MINUS}1: reversed"
    return f"Kendall's tau of the two orders is {tau(row['tau'])} ({bounds}; {scale})."


def tau(value: float) -> str:
    """Format a rank correlation."""
    return decimal(value, 2)


def strongest(balance: Balance) -> str:
    """Sentence on the strongest entrant at each level."""
    best: dict[str, list[str]] = {}
    for level in balance.names:
        rows = balance.rates[(balance.rates["level"] == level) & balance.rates["estimate"].notna()]
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
    if rows["truncated"].any():
        sentences.append(f"Truncated games, left out: {listed([percent(share) for share in rows['truncated']])}.")
    else:
        sentences.append("No game was stopped at a limit.")
    return " ".join(sentences)


SHOWN_MAX = 24  # rows of changes printed on a terminal
ENDS = 12  # rows printed from each end of a long table
SIDES = {1: "\u25b2", -1: "\u25bc", 0: "\u00b7"}  # significantly above the fair share, below, neither
POINTS: dict[str, Format] = dict.fromkeys(("change", "change low", "change high"), "points")
CHANGES = {
    "name": "name",
    "first": "from",
    "second": "to",
    "before": "before",
    "after": "after",
    "change": "change",
    "low": "change low",
    "high": "change high",
    "p_holm": "p (Holm)",
    "verdict": "conclusion",
}


class SkillTables:
    """Result of `fairfight skill`, as tables and as plain values."""

    def __init__(self, found: Skill) -> None:
        self._found = found

    def main(self) -> Table:
        """Return the table of the CSV file: every entrant at every level."""
        return self.rates()

    def tables(self) -> list[Table]:
        """Return the tables in reading order."""
        changes = self.changes()
        rows = [row for row in changes.rows if row[-1] in (FLIPS, MOVES)]
        kept = Table(changes.id, changes.columns, tuple(rows[:SHOWN_MAX]), changes.caption, changes.formats)
        every = (self.meetings(), self.ratings(), _ends(self.side_by_side()), kept if rows else None, self.orders(), self.whole())
        return [table for table in every if table is not None]

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        found, ladder = self._found, self._found.ladder
        values: dict[str, Any] = {"facts": self._facts()}
        if ladder:
            values |= {"meetings": self.meetings(), "ratings": self.ratings() or [], "depth": vars(ladder.depth)}
            values["depth"] = values["depth"] | {"chain": [ladder.names[level] for level in ladder.depth.chain]}
            values["elo_span"] = None if ladder.spread is None else vars(ladder.spread)
        return values | {
            "rates": self.rates(),
            "changes": [] if found.balance.changes.empty else self.changes(),
            "orders": self.orders() or [],
            "levels": self.whole(),
        }

    def _facts(self) -> dict[str, Any]:
        plan = self._found.plan
        return {
            "game": plan.game.name,
            "cards": plan.cards.title,
            "cards_digest": plan.cards.digest,
            "levels": list(plan.names),
            "seats": plan.seats,
            "seed": plan.seed,
            "games": self._found.games,
            "interrupted": self._found.interrupted,
        }

    @property
    def lines(self) -> tuple[str, ...]:
        """Sentences on the result and how to read it."""
        found, plan = self._found, self._found.plan
        balance, ladder = found.balance, found.ladder
        sentences = [] if ladder is None else [steps(ladder)]
        sentences.append(strongest(balance))
        top = balance.names[-1]
        sentences += [f"{name} to {top}: {between(balance, name, top)}" for name in balance.names[:-1]]
        made = f"{plan.cards.title} (digest {plan.cards.digest}): {count(found.games)} games, seed {plan.seed}."
        if found.interrupted:
            made += f" Stopped early: levels up to {top}, the last one possibly with fewer games."
        return (*sentences, course(balance), made, *READING)

    def meetings(self) -> Table | None:
        """Table of levels against each other."""
        if self._found.ladder is None:
            return None
        columns = {"name": "level", "below": "against", "estimate": "win rate", "low": "low", "high": "high"}
        columns |= {"p": "p", "n": "n", "pairs": "pairs", "unwon": "won by nobody"}
        frame = self._found.ladder.rates
        return table(frame, "meetings", "Levels against each other, at two seats", columns, {"p": "p"})

    def ratings(self) -> Table | None:
        """Table of the ratings of the levels, highest level first."""
        rated = self._found.ladder.rated if self._found.ladder else None
        if rated is None:
            return None
        frame = rated.iloc[::-1].assign(**{name: rated[name].round(1) for name in ("elo", "elo_low", "elo_high")})
        columns = {"name": "level", "elo": "Elo points", "elo_low": "from", "elo_high": "to", "n": "n"}
        return table(frame, "ratings", "Ratings of the levels (Bradley and Terry)", columns)

    def rates(self) -> Table:
        """Table of every entrant at every level."""
        frame = self._found.balance.rates
        columns = {"level": "level", "name": "name", "estimate": "win rate", "low": "low", "high": "high", "n": "n"}
        columns |= {"fair": "fair share", "p_beyond": prose.HEADING, "verdict": "verdict", "p_holm": "p_fair"}
        return table(frame, "rates", f"{self._caption}, with intervals", columns)

    @property
    def _caption(self) -> str:
        return f"Win rates with one level in every seat, at {self._found.plan.seats} seats"

    def side_by_side(self) -> Table:
        """Table of win rates with a column for each level."""
        balance = self._found.balance
        rows: list[tuple[Cell, ...]] = []
        for name, part in balance.rates.groupby("name", sort=False):
            marks = " ".join(SIDES[side] for side in part["side"])
            rows.append((str(name), *map(_cell, part["estimate"]), marks, int(part["n"].min())))
        rows.sort(key=lambda row: -float(row[len(balance.names)] or 0))  # by the rate at the highest level
        formats: dict[str, Format] = dict.fromkeys(balance.names, "percent")
        columns = ("name", *balance.names, "surely", "n (least)")
        return Table("side-by-side", columns, tuple(rows), self._caption, formats)

    def changes(self) -> Table:
        """Table of every conclusion between every two levels."""
        formats: dict[str, Format] = {"before": "percent", "after": "percent", **POINTS}
        frame = self._found.balance.changes
        if frame.empty:
            frame = pd.DataFrame(columns=list(CHANGES))
        return table(frame, "changes", "Changes of the conclusions from level to level", CHANGES, formats)

    def orders(self) -> Table | None:
        """Table of rank correlations."""
        frame = self._found.balance.orders
        if frame.empty:
            return None
        columns = {"first": "level", "second": "and", "tau": "Kendall's tau", "low": "from", "high": "to", "seen": "as seen"}
        rounded = frame.assign(**{name: frame[name].round(3) for name in ("tau", "low", "high", "seen")})
        return table(rounded, "orders", "Agreement between the orders of two levels", columns)

    def whole(self) -> Table:
        """Table of the game at each level."""
        columns = {"level": "level", "games": "n", "spread": "spread of win rates", "spread_low": "spread from"}
        columns |= {"spread_high": "spread to", "first": "first wins", "first_low": "first from", "first_high": "first to"}
        columns |= {"p": "p", "turns": "turns", "turns_low": "turns from", "turns_high": "turns to", "truncated": "truncated"}
        shares = ("spread of win rates", "spread from", "spread to", "first wins", "first from", "first to", "truncated")
        formats: dict[str, Format] = {**dict.fromkeys(shares, "percent"), "p": "p"}
        return table(self._found.balance.whole, "levels", "The game at each level", columns, formats)


READING = (
    f"{SIDES[1]} significantly above the fair share, {SIDES[-1]} significantly below, {SIDES[0]} neither: p-values adjusted over "
    "all entrants and levels (Holm). Flips: significantly on opposite sides at two levels; moves: the change is significant, but "
    "not both sides.",
    "Levels meet in pairs of games with the same dice, with seats swapped in the second game. A clear step is winning "
    f"{percent(STEP, 0)} of the games; intervals are at 95{THIN}%.",
    CAVEAT,
)


def _ends(table: Table) -> Table:
    """First and last rows of a long table."""
    if len(table.rows) <= 2 * ENDS:
        return table
    caption = f"{table.caption} (the first and the last {ENDS} of {count(len(table.rows))}; --csv has all)"
    return Table(table.id, table.columns, table.rows[:ENDS] + table.rows[-ENDS:], caption, table.formats)


def _cell(share: float) -> Cell:
    return None if pd.isna(share) else float(share)


DRAWN_MAX = 36  # most lines in a chart


def ladder_chart(ladder: Ladder) -> Figure | None:
    """Chart of ratings and steps; None if some levels have not met."""
    if ladder.rated is None:
        return None
    steps = ladder.rates[ladder.rates["higher"] - ladder.rates["lower"] == 1].set_index("higher")
    columns = {"estimate": "rate", "low": "rate_low", "high": "rate_high", "n": "n"}
    beside = steps.rename(columns=columns)[list(columns.values())].reindex(range(len(ladder.names)))
    return rungs(ladder.rated.drop(columns="n").join(beside), step=STEP)


def levels_chart(balance: Balance) -> Figure:
    """Chart of win rates at each level; with very many entrants, of those that move most."""
    turns = {name: _turns(balance.changes, name) for name in balance.units}
    reach = balance.rates.groupby("name")["estimate"].agg(lambda rates: rates.max() - rates.min())
    kept = set(reach.sort_values(ascending=False, kind="stable").index[:DRAWN_MAX])
    drawn = balance.rates[balance.rates["name"].isin(kept)]
    return levels(drawn.assign(turns=drawn["name"].map(turns)), left_out=len(balance.units) - len(kept))


def _turns(changes: pd.DataFrame, name: str) -> int:
    """Direction in which an entrant flips between levels: +1, -1, 0 (no flip) or BOTH_WAYS."""
    if changes.empty:
        return 0
    flips = changes[(changes["name"] == name) & (changes["verdict"] == FLIPS)]
    ways = set(flips["side_after"])
    return BOTH_WAYS if len(ways) > 1 else int(ways.pop()) if ways else 0


def write_charts(result: Skill, folder: Path) -> list[Path]:
    """Write the charts of ladder and levels as PNG and SVG; returns the files. Raises ReportError."""
    files = []
    drawn = {"ladder": ladder_chart(result.ladder) if result.ladder else None, "levels": levels_chart(result.balance)}
    for name, figure in drawn.items():
        if figure is not None:
            write_bytes(folder / f"{name}.png", render.png(figure))
            title = f"{result.plan.game.title}: {name}"
            write_text(folder / f"{name}.svg", render.svg_file(render.svg(figure, name, title)))
            files += [folder / f"{name}.png", folder / f"{name}.svg"]
    return files


LADDER, CONCLUSIONS, COURSE = "ladder", "conclusions", "course"
SECTIONS_ENDS = 15  # rows of a long table shown on the page from each end

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
    ladder_, tables = result.ladder, SkillTables(result)
    figure = ladder_chart(ladder_) if ladder_ else None
    if ladder_ is None or figure is None:
        return None
    answer = steps(ladder_)
    caption = "Rating of every level, the highest on top, and its win rate against the level below, at two seats."
    chart = Chart(LADDER, figure, caption, f"Dots by level on a scale of Elo points. {answer}")
    shown = [table for table in (tables.meetings(), tables.ratings()) if table is not None]
    return Section(LADDER, "How far does skill go?", answer, (chart,), tuple(shown), IN_PAIRS + CAVEAT)


def conclusions(result: Skill, policy: str) -> Section:
    """Section on win rates level by level, and whether conclusions hold. policy: of the report."""
    tables, balance = SkillTables(result), result.balance
    top = balance.names[-1]
    first = policy if policy in balance.names[:-1] else balance.names[max(0, len(balance.names) - 2)]
    sentences = [strongest(balance)]
    sentences += [between(balance, first, top)] if first != top else []
    answer = " ".join(sentences)
    word = result.plan.game.entrants_word if result.plan.teams is None else result.plan.teams.words
    caption = f"Win rates of all {word} {at_seats(balance.seats)} with one level of play in every seat, the lowest on the left."
    chart = Chart(CONCLUSIONS, levels_chart(balance), caption, f"A line per entrant over the levels. {answer}")
    shown = [tables.side_by_side(), _cut(tables.changes()), tables.orders(), _cut(tables.rates())]
    note = JUDGED + CAVEAT + f" More games and levels: fairfight skill {result.plan.game.name}."
    kept = tuple(table for table in shown if table is not None)
    return Section(CONCLUSIONS, "Do these conclusions hold for better players?", answer, (chart,), kept, note)


def skill_course(result: Skill) -> Section:
    """Section on the game at each level."""
    note = "First wins: in finished games, p against the fair share. A truncated game counts with its turns until it was "
    note += "stopped. The spread of the win rates excludes the part due to chance (jackknife over games)."
    answer = course(result.balance)
    return Section(COURSE, "How does the game change with its players?", answer, (), (SkillTables(result).whole(),), note)


def _cut(table: Table) -> Table:
    """The table, with the middle left out on the page if it is long."""
    ends = SECTIONS_ENDS if len(table.rows) > 2 * SECTIONS_ENDS else 0
    return Table(f"level-{table.id}", table.columns, table.rows, table.caption, table.formats, ends)


DIFFERENCE = {"change": "difference", "change_low": "difference low", "change_high": "difference high"}
LEAST = 20  # games won by the weaker side from which the gain of shared dice is estimated


def skill(study: Study, question: Question) -> Section | None:
    """Dots of the win shares of both policies against each other, and their difference, from games in pairs.

    Settings: games (in multiples of the usual number; each is played both ways).
    """
    if study.beside is None or not study.contests or contest(study) != len(("policy", "beside")):
        return None
    seats = contest(study)
    games = against(study, seats, study.games_for(question, study.budget.variant_games))
    truncated = int((~games["finished"]).sum())
    games = games[games["finished"]]
    if games.empty:
        return None
    result = advantage(games[["share_0", "share_1"]], games["side"], games["dice"])
    first, second = str(study.policy), str(study.beside)
    line = row(f"{first} against {second}", result)
    estimated = min(result.first, result.second) * result.games >= LEAST
    frame = pd.DataFrame([{**line, "gain": result.gain if estimated else np.nan}])
    answer = f"{capital(at_seats(seats))} {first} wins {percent(result.first)} of the games against {second} "
    answer += f"{interval(line['first_low'], line['first_high'], result.games, 'games')} and {second} "
    answer += f"{percent(result.second)}: a difference of {points(result.change)} points "
    answer += point_interval(result.low, result.high)
    answer += f"{stopped(truncated)}."
    caption = f"Win share of {first} and of {second} against each other: every line-up is played with the same dice "
    caption += "both ways."
    chart = dumbbell(frame, words=(first, second), label="win share", change="difference, points")
    columns = {"name": "policies", "first": f"{first} wins", "second": f"{second} wins", **DIFFERENCE}
    columns |= {"gain": "gain", "pairs": "n (groups)", "n": "n"}
    formats: dict[str, Format] = {**dict.fromkeys(DIFFERENCE.values(), "points"), "gain": "number"}
    formats |= {f"{first} wins": "percent", f"{second} wins": "percent", "n (groups)": "count"}
    shown = table(frame, question.id, f"{capital(first)} against {second}", columns, formats)
    note = f"Games with the same dice are one observation: {count(result.n)} of them; gain is how many times as many "
    note += "games without shared dice would be needed"
    note += ". " if estimated else ", which cannot be estimated because one side wins almost every game. "
    note += "Truncated games are left out. n: games."
    alt = f"Two dots for the win shares of both policies. {answer}"
    return Section(question.id, question.text, answer, (Chart(question.id, chart, caption, alt),), (shown,), note)


def row(name: str, result: Advantage) -> dict[str, Any]:
    """Row of a dumbbell chart; each share gets half the interval of the difference."""
    low, high = (result.low - result.change) / 2, (result.high - result.change) / 2
    line: dict[str, Any] = {
        "name": name,
        "first": result.first,
        "first_low": max(0.0, result.first + low),
        "first_high": min(1.0, result.first + high),
    }
    line |= {"second": result.second, "second_low": max(0.0, result.second - high), "second_high": min(1.0, result.second - low)}
    line |= {"change": result.change, "change_low": result.low, "change_high": result.high, "p": result.p}
    return {**line, "gain": result.gain, "pairs": result.n, "n": result.games}
