"""Levels of play: how they rank against each other, and which conclusions about entrants hold at every level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart, ColumnNote
from analysis.answer.numbers import THIN, Format, count, percent, rounded_up
from analysis.answer.prose import LEAST, SENTENCE_GAMES, at_seats, capital, fitting, listed, number_word, some
from analysis.answer.tables import Table, data_only, table
from analysis.data.encounters import DUEL
from analysis.data.players import level_words
from analysis.data.rows import Rows
from analysis.data.study import Study
from analysis.question import question
from analysis.skill.balance import FLIPS, MOVES, Balance
from analysis.skill.ladder import KNOWN, MS_MAX, STEP, Ladder, Plan, Skill, play_levels, same_time
from analysis.skill.levels import LEVELS, levels_of
from sim.experiments.experiment import Experiment

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

FLIPS_NAMED = 4  # flips in sentences; the table has all
CHANGES_SHOWN = 24  # rows of the table of changes that people see
ENDS = 12  # entrants shown from each end of a long table
DRAWN = 36  # entrants in the chart
AT_RANDOM = "random"  # word for the level that does not think
SIDES = {1: "\u25b2", -1: "\u25bc", 0: "\u00b7"}  # significantly above the fair share, below, neither
READING = (
    ColumnNote(
        f"{SIDES[1]} significantly above the fair share, {SIDES[-1]} significantly below, {SIDES[0]} neither: p-values adjusted "
        "over all entrants and levels (Holm).",
        "surely",
    ),
    ColumnNote(
        "Flips: significantly on opposite sides at two levels; moves: the change is significant, but not both sides.",
        "conclusion",
    ),
    "Levels meet in pairs of games with the same dice, with seats swapped in the second game.",
    f"A clear step is winning {percent(STEP, 0)} of the games; intervals are at 95{THIN}%.",
    "A level is how a program decides, not how a person plays: players better than the highest level may move these numbers "
    "further.",
)


@question(
    needs=("loop",),
    without=("policy", "line_up", "forbid"),
    examples=("skill arena --levels random,greedy:4,turn:4:4",),
    title="Does better play win, and do the conclusions hold for better players?",
)
def skill(
    study: Study,
    games: int | None = None,
    *,
    levels: list[str] | None = None,
    level_games: int | None = None,
    pair_games: int | None = None,
    equal_time: float | None = None,
) -> Answer:
    """Which level of play beats which, and which entrants are strong or weak at which level.

    Levels are played from the lowest up; an interrupted run shows the finished ones.

    Parameters
    ----------
    games : int, optional
        Games in all, at most, divided among the levels in the usual proportions; the default depends on game and level. At
        least a round of line-ups for each level and each pair of levels.
    levels : list of str, optional
        Policies, the lowest level first; by default random, greedy:4, turn:4:4 and turn:4:8:1.
    level_games : int, optional
        Instead: games of every entrant at each level.
    pair_games : int, optional
        Instead: games of each pair of levels against each other.
    equal_time : float, optional
        Milliseconds of a decision: each level gets the samples or playouts that take about this time. They are measured first
        and shown; the same levels by name play the same games again.

    Returns
    -------
    Answer
        `frame` has a row per entrant and level: win rate with that level in every seat. `frames` also has meetings, the levels
        against each other.

    """
    if games is not None and not level_games is pair_games is None:
        raise ValueError(f"games={games}: covers all games; leave level_games and pair_games out")
    policies = levels_of(",".join(levels or LEVELS))
    plan = Plan(study.game, study.cards, policies, study.contest, level_games, pair_games, study.seed, played=shown_games(study))
    plan = plan if games is None else plan.afforded(games)
    times: dict[str, float] = {}
    if equal_time is not None:
        if not 0 < equal_time <= MS_MAX:
            raise ValueError(f"equal_time={equal_time:g} must be above 0 and at most {MS_MAX}")
        scaled = same_time(plan, equal_time)
        times = {str(level): spent for level, spent in scaled}
        plan = replace(plan, levels=tuple(level for level, _ in scaled))
    result = play_levels(plan, partial(gather, study))
    drawings = [Chart(partial(levels_chart, result.balance), f"Win rates with one level of play in every seat, {seats(result)}.")]
    if result.ladder is not None and result.ladder.rated is not None:
        drawings.append(Chart(partial(ladder_chart, result.ladder), "Rating of every level, at two seats.", "ladder"))
    words = dict(zip(result.names, level_words(study.game, result.names), strict=True))
    return Answer(
        summary(result, words),
        tables(result, words),
        tuple(drawings),
        (*notes(result, times), levels_note(words)),
        facts(result, times),
        shown=f"{count(result.games)} games of the levels up to {result.names[-1]}" if result.interrupted else "",
        warnings=(f"Stopped early: levels up to {result.names[-1]}, the last one possibly with fewer games.",)
        if result.interrupted
        else (),
    )


def shown_games(study: Study) -> tuple[Experiment, ...]:
    """Games of the win rates that a report shows; none for a command."""
    if study.base is not None:
        return ()
    return tuple(study.main(study.contest, policy) for policy in (study.policy, study.beside) if policy)


def gather(study: Study, experiment: Experiment, stage: str) -> tuple[Rows, bool]:
    """Rows of an experiment, and whether it was interrupted. Those of the win rates of a report are not played again."""
    if experiment in shown_games(study) and (main := study.main_rows(experiment.policies[0])):
        return joined(main), False
    rows = []
    try:
        for block in study.player.play(experiment, stage):
            rows.append(block.rows.copy())  # noqa: PERF401 - keeps those before an interrupt
    except KeyboardInterrupt:
        if not study.player.partial:
            raise
        return joined(rows), True
    return joined(rows), bool(study.player.shown)


def joined(blocks: list[Rows]) -> Rows:
    """Concatenate rows."""
    return np.concatenate(blocks) if blocks else np.zeros(0, np.void(b"").dtype)


def seats(result: Skill) -> str:
    """Words for the number of seats."""
    return at_seats(result.plan.seats)


def summary(result: Skill, words: Mapping[str, str]) -> str:
    """Who gains and who loses most from better play, and how often the highest level wins.

    words: for the levels.
    """
    balance = result.balance
    if len(balance.names) < DUEL:
        return strongest(balance) or f"With {words[balance.names[0]]} players no game was won."
    first, top = lower_level(balance.names, words), balance.names[-1]
    changes = balance.changes[(balance.changes["first"] == first) & (balance.changes["second"] == top)]
    sure = changes[changes["verdict"].isin([FLIPS, MOVES])].sort_values("change", ascending=False, kind="stable")
    met = [] if result.ladder is None else result.ladder.rates.to_dict("records")
    beats = [
        f"{words[top]} players win {percent(row['estimate'])} against {words[first]} ones"
        for row in met
        if (row["name"], row["below"]) == (top, first) and row["n"] > 0
    ]
    unit = result.plan.teams.word if result.plan.teams else result.plan.game.entrant_word
    wordings = who_gains(sure, unit, words[first], words[top])
    return fitting(*(f"{capital('; '.join([*clauses, *end]))}." for clauses, end in product(wordings, (beats, []))))


def lower_level(levels: Sequence[str], words: Mapping[str, str]) -> str:
    """The level that the highest one is compared with: the lowest that does not decide at random, if there is one."""
    return next((level for level in levels[:-1] if words[level] != AT_RANDOM), levels[0])


def who_gains(sure: pd.DataFrame, unit: str, first: str, top: str) -> list[list[str]]:
    """Clauses on who surely gains and who loses most from better play; several wordings, the longest first.

    sure: significant changes, the largest gain first; unit: noun for an entrant; first, top: words for the levels.
    """
    if sure.empty:
        return [[f"no {unit} surely gains or loses between {first} and {top} players"]]
    ends = [
        (verb, row)
        for verb, row in (("gains", sure.iloc[0]), ("loses", sure.iloc[-1]))
        if (row["change"] > 0) == (verb == "gains")
    ]
    clauses = [f"{row['name']} {verb} most ({percent(row['before'])} to {percent(row['after'])})" for verb, row in ends]
    levels = f"from {first} to {top} players"
    return [[f"{levels}, {listed(clauses)}"], [f"{levels}, {clauses[0]}"]]


def levels_note(words: Mapping[str, str]) -> str:
    """The policies behind the words for the levels."""
    return f"Levels: {', '.join(f'{word} ({level})' if word != level else level for level, word in words.items())}."


def facts(result: Skill, times: dict[str, float]) -> dict[str, Any]:
    """What was played, the clear steps of the ladder, and the span of the ratings."""
    plan, ladder = result.plan, result.ladder
    values: dict[str, Any] = {
        "game": plan.game.name,
        "cards": plan.cards.title,
        "cards_digest": plan.cards.digest,
        "levels": list(plan.names),
        "seats": plan.seats,
        "seed": plan.seed,
        "games": result.games,
        "interrupted": result.interrupted,
        "level_games": [plan.alone(level).games for level in range(len(plan.levels))],
        "pair_games": [plan.meeting(level - 1, level).games for level in range(1, len(plan.levels))],
    }
    if times:
        values["elapsed_ms_per_decision"] = times
    if ladder is not None:
        values["depth"] = vars(ladder.depth) | {"chain": [ladder.names[level] for level in ladder.depth.chain]}
        values["elo_span"] = None if ladder.spread is None else vars(ladder.spread)
    return values


def tables(result: Skill, words: Mapping[str, str]) -> tuple[Table, ...]:
    """Win rates at each level, the levels against each other, and changes from level to level. words: for the levels."""
    balance = result.balance
    caption = f"Win rates with one level in every seat, {seats(result)}"
    built = [replace(side_by_side(balance, caption, words), whole=balance.rates)]
    if result.ladder is not None:
        built += ladder_tables(result.ladder, words)
    built.append(changes_table(balance))
    columns = {"first": "level", "second": "and", "tau": "Kendall's tau", "low": "from", "high": "to", "seen": "as seen"}
    orders = table(balance.orders, "orders", "Agreement between the orders of two levels", columns)
    built.append(replace(orders, hidden=balance.orders.empty, whole=balance.orders.rename(columns={"things": "n"})))
    columns = {"level": "level", "games": "n", "spread": "spread of win rates", "spread_low": "spread from"}
    columns |= {"spread_high": "spread to", "first": "first wins", "first_low": "first from", "first_high": "first to"}
    columns |= {"p": "p", "turns": "turns", "turns_low": "turns from", "turns_high": "turns to", "truncated": "truncated"}
    formats: dict[str, Format] = {words: "percent" for name, words in columns.items() if name.startswith(("spread", "first"))}
    levels = table(balance.whole, "levels", "The game at each level", columns, {**formats, "p": "p"})
    first = {f"first{end}": f"first_player{end}" for end in ("", "_low", "_high")}
    return (*built, replace(levels, whole=balance.whole.rename(columns=first)))


def ladder_tables(ladder: Ladder, words: Mapping[str, str]) -> list[Table]:
    """The levels against each other, the highest first, and their ratings if all met."""
    columns = {"level": "level", "below": "against", "estimate": "win rate", "low": "low", "high": "high"}
    columns |= {"p": "p", "n": "n", "pairs": "pairs", "unwon": "won by no player"}
    meetings = ladder.rates.rename(columns={"name": "level"}).drop(columns=["lower", "higher"])
    shown = meetings.assign(level=meetings["level"].map(words), below=meetings["below"].map(words)).iloc[::-1]
    caption, details = "Levels against each other, at two seats", ("won by no player",)
    built = [table(shown, "meetings", caption, columns, {"p": "p"}, details=details, main=True, whole=meetings)]
    if ladder.rated is not None:
        rated = ladder.rated.rename(columns={"name": "level"}).drop(columns="entrant")
        columns = {"level": "level", "elo": "Elo points", "elo_low": "from", "elo_high": "to", "n": "n"}
        built.append(table(rated.iloc[::-1], "ratings", "Ratings of the levels (Bradley and Terry)", columns))
    return built


def side_by_side(balance: Balance, caption: str, words: Mapping[str, str]) -> Table:
    """The win rate of every entrant at each level, ordered by the highest level."""
    frame = balance.rates.set_index(["name", "level"])["estimate"].unstack()[list(balance.names)]  # noqa: PD010 - names are unique
    by_name = balance.rates.groupby("name", sort=False)
    frame = frame.assign(
        surely=by_name["side"].agg(lambda sides: " ".join(SIDES[side] for side in sides)), n_least=by_name["n"].min()
    ).loc[list(balance.units)]
    frame = frame.sort_values(balance.names[-1], ascending=False, kind="stable").reset_index()
    columns = {"name": "name", **{name: words[name] for name in balance.names}, "surely": "surely", "n_least": "n (least)"}
    formats: dict[str, Format] = {words[name]: "percent" for name in balance.names}
    return table(frame, "rates", caption, columns, formats, ENDS, details=("surely",))


def changes_table(balance: Balance) -> Table:
    """Changes from level to level; people see those that are significant."""
    columns = {"name": "name", "first": "from", "second": "to", "before": "before", "after": "after", "change": "change"}
    columns |= {"low": "change low", "high": "change high", "p_holm": "p (Holm)", "verdict": "conclusion"}
    if balance.changes.empty:
        return data_only(balance.changes, "changes")
    sure = balance.changes[balance.changes["verdict"].isin([FLIPS, MOVES])]
    made = table(sure.head(CHANGES_SHOWN), "changes", "Significant changes from level to level", columns)
    return replace(made, whole=balance.changes, hidden=sure.empty)


def notes(result: Skill, times: dict[str, float]) -> Iterator[str]:
    """Clear steps, the strongest entrants, flips, and how to read the tables."""
    if result.ladder is not None:
        yield from ladder_notes(result.ladder)
    if words := strongest(result.balance):
        yield words
    yield from flip_notes(result.balance)
    if times:
        yield f"Milliseconds per decision: {', '.join(f'{level} {spent:.3g}' for level, spent in times.items())}."
    yield from READING


def ladder_notes(ladder: Ladder) -> Iterator[str]:
    """Clear steps with the span of the ratings, and meetings with too few games."""
    known = ladder.neighbours["known"]
    clear, span = ladder.depth, ladder.spread
    if known.any():
        names = " \u2013 ".join(ladder.names[level] for level in clear.chain)
        chain = f" ({names})" if clear.steps else ""
        range_ = f", by the intervals {number_word(clear.low)} to {number_word(clear.high)}" if clear.low != clear.high else ""
        rated = ""
        if span is not None:
            side, sign = ("below", -1) if span.estimate < 0 else ("above", 1)
            low, high = sorted((sign * span.low, sign * span.high))
            rated = (
                f"; {ladder.names[-1]} is rated {count(abs(span.estimate))} Elo points {side} {ladder.names[0]} "
                f"(95{THIN}% interval {count(low)} to {count(high)})"
            )
        yield f"{capital(some(clear.steps, 'clear step'))} of {percent(STEP, 0)} or more{chain}{range_}{rated}."
    vague = ladder.neighbours[~known]
    if len(vague):
        games = sum(ceil(row["n"] * (row["reach"] / KNOWN) ** 2) for _, row in vague.iterrows())
        meetings = [f"{row['name']} against {row['below']}" for _, row in vague.iterrows()]
        yield f"It would take about {count(rounded_up(games))} games to know to {100 * KNOWN:.1f} points: {listed(meetings)}."


def strongest(balance: Balance) -> str:
    """Sentence on the strongest entrant at each level with enough games, if it is seen to win any."""
    best: dict[str, list[str]] = {}
    for level in balance.names:
        rows = balance.rates[(balance.rates["level"] == level) & (balance.rates["n"] >= SENTENCE_GAMES)]
        rows = rows[rows["estimate"] >= LEAST / 2]
        if len(rows):
            top = rows.iloc[int(rows["estimate"].argmax())]
            best.setdefault(top["name"], []).append(f"{level} ({percent(top['estimate'])})")
    clauses = [f"{name} under {listed(names)}" for name, names in best.items()]
    return f"Strongest is {listed(clauses)}." if clauses else ""


def flip_notes(balance: Balance) -> Iterator[str]:
    """The largest flips from any level to the highest."""
    if balance.changes.empty:
        return
    to_top = balance.changes[balance.changes["second"] == balance.names[-1]]
    flips = to_top[to_top["verdict"] == FLIPS].sort_values("change", key=lambda change: -change.abs(), kind="stable")
    for _, row in flips.head(FLIPS_NAMED).iterrows():
        before, after = ("above" if row[side] > 0 else "below" for side in ("side_before", "side_after"))
        yield (
            f"{row['name']} is {before} its share under {row['first']} ({percent(row['before'])}) and {after} it under "
            f"{row['second']} ({percent(row['after'])})."
        )
    more = len(flips) - FLIPS_NAMED
    if more > 0:
        yield f"{capital(number_word(more))} more {'change' if more > 1 else 'changes'} sides too."


def ladder_chart(ladder: Ladder) -> Figure:
    """Ratings and steps of levels that all met."""
    assert ladder.rated is not None, "drawn only if all levels met"
    columns = {"estimate": "rate", "low": "rate_low", "high": "rate_high", "n": "n"}
    beside = ladder.neighbours[ladder.neighbours["known"]].set_index("higher").rename(columns=columns)[list(columns.values())]
    return charts.rungs(ladder.rated.drop(columns="n").join(beside.reindex(range(len(ladder.names)))), step=STEP)


def levels_chart(balance: Balance) -> Figure:
    """Win rates at each level; with very many entrants, of the DRAWN that move most."""
    turns = dict.fromkeys(balance.units, 0)  # direction in which an entrant flips between levels
    if len(balance.changes):
        flips = balance.changes[balance.changes["verdict"] == FLIPS].groupby("name")["side_after"]
        turns |= {str(name): int(ways.iloc[0]) if len(set(ways)) == 1 else charts.BOTH_WAYS for name, ways in flips}
    reach = balance.rates.groupby("name")["estimate"].agg(lambda rates: rates.max() - rates.min())
    kept = set(reach.sort_values(ascending=False, kind="stable").index[:DRAWN])
    drawn: pd.DataFrame = balance.rates[balance.rates["name"].isin(kept)]
    return charts.levels(drawn.assign(turns=drawn["name"].map(turns)), left_out=len(balance.units) - len(kept))
