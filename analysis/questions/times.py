"""Facts of a game that are turns or rounds, and values for every turn: when things happen, and how values run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import charts
from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import Format, count, percent
from analysis.answer.prose import amount, at_seats, capital, fitting, singular
from analysis.answer.tables import AMOUNTS, Table, estimate_columns, highest, rate_columns, table, thinned
from analysis.data.association import binned_wins
from analysis.data.facts import (
    ALL,
    LENGTH,
    SIDES,
    FactGames,
    Values,
    by_word,
    chosen_facts,
    is_curve,
    is_length,
    list_facts,
    overview_words,
)
from analysis.data.rows import rates, share
from analysis.data.study import Study
from analysis.data.usage import happened
from analysis.question import question
from sim.engine.measures import Measure

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

QUARTERS = (0.25, 0.5, 0.75, 0.9)
REACH = (0.1, 0.9)  # quantiles at the ends of a band
STILL_ON, LEAST = 0.02, 20  # share of the seats, and their number, that a turn needs to be shown
LINES, PANELS = 6, 8  # in a chart; if there are more, the earliest and the latest
SHOWN_ENDS = 6  # rows of the curves shown from each end
BINS = 5  # of about equal numbers of seats
ESTIMATE = ["estimate", "low", "high", "n"]
IN_DATA = {"x": "turn", "line": "name", "mean": "estimate", "mean_low": "low", "mean_high": "high"}  # of values by turn

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@question(
    reads=True,
    options={"facts": "FACT"},
    about="facts",
    examples=("times arena", "times arena fall_turn", "times riftborn xp_after"),
)
def times(
    study: Study,
    facts: list[str] = (),  # type: ignore[assignment]
    by: str = "",
    games: int = 2_000,
) -> Answer:
    """When something happens, and how a value runs turn by turn.

    A fact is the turn or round of an event, the length of the game, or a value for every turn; without one, the question lists
    them.

    Parameters
    ----------
    facts : list of str
        Facts; several are drawn together.
    by : str
        What the games are split by: entrant, side (winners and losers), position (turn order), seats or all; by default side for
        a value for every turn, else all.
    games : int
        Games in all.
        By default at most those of about six seconds.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.times("arena", "first_fall", games=28, policy="random", progress=False)
    >>> list(result.frame["what"])
    ['Turn of the first fall']

    """
    if not facts:
        return overview(study)
    chosen = chosen_facts(study, "times", facts)
    running = [measure for measure in chosen if is_curve(measure)]
    if running and (len(chosen) > 1):
        other = next(measure.field for measure in chosen if measure is not running[0])
        raise ValueError(f"fact {running[0].field!r} has a value for every turn; ask about it without {other!r}")
    by = by or ("side" if running else "all")
    played = FactGames.of(study, chosen, games, by)
    if running:
        return course(study, played, running[0], by)
    values = [played.values(measure, by) for measure in chosen]
    events = [event for one in values for event in events_of(one)]
    rows, lines = event_times(events), curves(events)
    unit = chosen[0].unit or "turns"
    where = f"{at_seats(int(played.games['seats'].min()))} with {study.players}"
    wins = wins_by_turn(played, chosen)
    tables = [
        times_table(rows, by_word(study, by), unit),
        table(thinned(lines, ["what", "name"]), "curves", "Share by turn", curve_columns(study, by, unit), ends=SHOWN_ENDS),
    ]
    if len(wins):
        tables.append(table(wins, "wins", "Wins by the turn", rate_columns(what="what", bin=unit)))
    title = f"Share of the {'games' if chosen[0].per == 'game' else 'seats'} in which it has happened, by {unit}, {where}."
    return Answer(
        summary(chosen, rows, unit),
        tuple(tables),
        (Chart(partial(draw, lines, rows, unit), title),),
        tuple(notes(bool(len(wins)))),
        {"facts": [measure.field for measure in chosen], "games": len(played.games), "by": by},
        shown=study.player.shown,
    )


def overview(study: Study) -> Answer:
    """The facts that can be asked about."""
    known = list_facts(study, "times")
    columns = {"fact": "fact", "label": "what it is", "unit": "unit", "per": "for each", "parts": "parts"}
    names = [*reversed(known["fact"])]  # the example is a fact of the game itself, if it has any
    return Answer(
        overview_words(study, "times", names, "turn, length or value by turn", "turns, lengths and values by turn"),
        (table(known, "facts", "Turns, lengths and values by turn", columns, details=("parts", "for each")),),
    )


# ---- events ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Event:
    """When something happened, a row for every game or seat: when (infinite if never), the group, and the game."""

    what: str
    names: tuple[str, ...]
    when: Floats
    group: Ints
    game: Ints


def events_of(values: Values) -> Iterator[Event]:
    """The events of a fact, one for each part; a length is that of the game if it ended by the rules."""
    measure = values.measure
    values = values.once()
    for index, part in enumerate(values.parts or ("",)):
        value = values.value[:, index]
        known = values.finished if is_length(measure) else value > 0
        label = f"{measure.label}: {part}" if part else measure.label
        yield Event(label, values.names, np.where(known, value, np.inf), values.group, values.cluster)


def event_times(events: Sequence[Event]) -> pd.DataFrame:
    """When events happen, by group: what, name, estimate, low, high (ever), q25, median, q75, q90 (nan if never by then), n."""
    rows = []
    for event in events:
        for code, name in enumerate(event.names):
            mine = event.group == code
            if not mine.any():
                continue
            when = event.when[mine]
            ever = share(event.game[mine], np.isfinite(when).astype(np.float64))
            ends = np.quantile(when, QUARTERS, method="inverted_cdf")
            quartiles = dict(zip(("q25", "median", "q75", "q90"), np.where(np.isfinite(ends), ends, np.nan), strict=True))
            ever_columns = {"estimate": ever.estimate, "low": ever.low, "high": ever.high}
            rows.append({"what": event.what, "name": name, **ever_columns, **quartiles, "n": int(mine.sum())})
    return pd.DataFrame(rows, columns=["what", "name", "estimate", "low", "high", "q25", "median", "q75", "q90", "n"])


def curves(events: Sequence[Event]) -> pd.DataFrame:
    """Share of the rows in which an event has happened by each turn: what, name, turns, estimate, low, high (pointwise), n."""
    tables = []
    for event in events:
        names = pd.Series(np.array(event.names, object)[event.group])
        when = np.where(np.isfinite(event.when), event.when, 0).astype(np.int64)
        tables.append(happened(pd.DataFrame({"name": names, "when": when}), "when", "name").assign(what=event.what))
    return pd.concat(tables, ignore_index=True)[["what", "name", "turns", *ESTIMATE]]


def wins_by_turn(played: FactGames, chosen: Sequence[Measure]) -> pd.DataFrame:
    """Win share by bins of the turn, for facts of seats with opponents: what, bin, middle, estimate, low, high, n."""
    tables = []
    for measure in chosen:
        values = played.values(measure, "all")
        contested = values.chosen(values.finished & (values.seats > 1))
        if measure.per == "game" or measure.parts or not contested.share.size:
            continue
        when = np.where(contested.value[:, 0] > 0, contested.value[:, 0], np.inf)
        tables.append(binned_wins(when, contested.share, BINS).assign(what=measure.label))
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def summary(chosen: Sequence[Measure], rows: pd.DataFrame, unit: str) -> str:
    """The sentence: median and share that never happens, of the first event by group, or of several events."""
    if rows.empty:
        return f"{chosen[0].label}: no game has any."
    if len(rows) == 1:
        return summary_of_one(chosen[0], rows.iloc[0], unit)
    if all(map(is_game_length, chosen)) and np.isfinite(rows["median"]).all():
        return length_summary(rows, unit)
    several = len(set(rows["what"])) > 1
    label = "" if several else f"{chosen[0].label}: "
    ordered = rows.sort_values(["median", "estimate"], ascending=[True, False], kind="stable")
    ends = []
    for _, row in ordered.iloc[[0, -1]].iterrows():
        known = np.isfinite(row["median"])
        when = f"half by {unit_at(unit, row['median'])}" if known else f"{percent(row['estimate'])} ever"
        ends.append(f"{row['what' if several else 'name']} ({when})")
    return fitting(capital(f"{label}earliest {ends[0]}, latest {ends[1]}."), capital(f"{label}earliest {ends[0]}."))


def is_game_length(measure: Measure) -> bool:
    """Whether a fact is how long a game is."""
    return measure.field == LENGTH.field or is_length(measure)


def length_summary(rows: pd.DataFrame, unit: str) -> str:
    """The sentence on the shortest and the longest games. rows: a line per group."""
    ordered = rows.sort_values("median", kind="stable")
    short, long = (f"{unit_at(unit, row['median'])} with {row['name']}" for _, row in ordered.iloc[[0, -1]].iterrows())
    return f"Half of the games are over by {short}, the shortest, and by {long}, the longest."


def summary_of_one(measure: Measure, row: pd.Series, unit: str) -> str:
    """The sentence on one event."""
    known = np.isfinite(row["median"])
    half = f"half by {unit_at(unit, row['median'])}" if known else "less than half ever"
    quarters = f", a quarter by {count(row['q25'])}, three quarters by {count(row['q75'])}" if np.isfinite(row["q75"]) else ""
    rest = 1 - row["estimate"]
    bounds = f" ({100 * (1 - row['high']):.1f} to {percent(1 - row['low'])})"
    if is_game_length(measure):
        never = f"{percent(rest)} are stopped at a limit{bounds}" if rest else "none is stopped at a limit"
        if known:
            return f"Half of the games are over by {unit_at(unit, row['median'])}{quarters}; {never}."
    else:
        never = f"{percent(rest)} never{bounds}"
    return fitting(f"{row['what']}: {half}{quarters}; {never}.", f"{row['what']}: {half}; {never}.")


def unit_at(unit: str, turn: float) -> str:
    """Write `turn 7`."""
    return f"{singular(unit)} {count(turn)}"


def times_table(rows: pd.DataFrame, groups: str, unit: str) -> Table:
    """Table of when events happen."""
    columns = {"what": "what", "name": groups, "estimate": "ever", "low": "low", "high": "high"}
    columns |= {"q25": f"a quarter by ({unit})", "median": f"half by ({unit})", "q75": f"three quarters by ({unit})"}
    columns |= {"q90": f"nine in ten by ({unit})", "n": "n"}
    formats: dict[str, Format] = {"ever": "percent"}
    return table(rows, "times", "When it happens", columns, formats, details=("nine in ten by *",))


def curve_columns(study: Study, by: str, unit: str) -> dict[str, str]:
    """Headings of the curves."""
    return estimate_columns("share", what="what", name=by_word(study, by), turns=unit)


def notes(with_wins: bool) -> list[str]:
    """What counts as never, and what the wins mean."""
    lines = [
        "All games count: what has not happened when a game ends or is truncated never happens; quartiles are of all of them."
    ]
    if with_wins:
        lines.append("Wins by turn are of finished games and show what goes together, not what causes what.")
    return lines


def draw(lines: pd.DataFrame, rows: pd.DataFrame, unit: str) -> Figure:
    """Rising curves: a line for each event, or a panel for each event and a line for each group."""
    names, whats = list(dict.fromkeys(rows["name"])), list(dict.fromkeys(rows["what"]))
    if len(names) == 1:
        kept = earliest(rows, "what", LINES)
        drawn = lines[lines["what"].isin(kept)]
        return charts.curves(drawn.assign(panel="all games"), panels="panel", lines="what", label=unit)
    kept = earliest(rows[rows["what"] == whats[0]], "name", LINES)
    drawn = lines[lines["name"].isin(kept) & lines["what"].isin(whats[:PANELS])]
    return charts.curves(drawn, panels="what", lines="name", label=unit)


def earliest(rows: pd.DataFrame, column: str, most: int) -> list[str]:
    """Names in the order of their medians; if there are more than `most`, the earliest and the latest."""
    ordered = list(dict.fromkeys(rows.sort_values(["median", "estimate"], ascending=[True, False], kind="stable")[column]))
    return ordered if len(ordered) <= most else [*ordered[: most // 2], *ordered[-(most // 2) :]]


# ---- values for every turn -------------------------------------------------------------------------------------------


def course(study: Study, played: FactGames, measure: Measure, by: str) -> Answer:
    """How a value runs turn by turn."""
    values = played.values(measure, by)
    rows = pd.DataFrame(by_turn(values.chosen(values.finished)))
    where = f"{at_seats(int(played.games['seats'].min()))} with {study.players}"
    if rows.empty:
        return Answer(f"{measure.label}: no turn is reached by {count(LEAST)} seats.")
    low, high = (percent(end, 0) for end in REACH)
    columns = {"x": "turn", "line": by_word(study, by), "mean": "mean", "mean_low": "low", "mean_high": "high"}
    columns |= {"q_low": f"quantile {low}", "q_high": f"quantile {high}", "on": "seats that come to it", "n": "n"}
    formats: dict[str, Format] = {**AMOUNTS, "seats that come to it": "percent"}
    return Answer(
        course_summary(measure, rows),
        (replace(table(rows, "by_turn", measure.label, columns, formats), whole=rows.rename(columns=IN_DATA)),),
        (Chart(partial(draw_course, rows, measure, by), f"{measure.label} after every turn: means and middle range, {where}."),),
        (
            "Finished games; a turn counts the seats that come to it, so that later points are from longer games.",
            "Intervals of means are over games, because the seats of a game are correlated.",
        ),
        {"facts": [measure.field], "games": len(played.games), "by": by},
        shown=study.player.shown,
    )


def by_turn(values: Values) -> Iterator[dict[str, Any]]:
    """By group and turn: line, x, mean, q_low, q_high, n, and on (share of the group's seats that come to it)."""
    for code, name in enumerate(values.names):
        mine = values.chosen(values.group == code)
        for turn in range(mine.value.shape[1]):
            known = np.isfinite(mine.value[:, turn])
            if known.sum() < max(LEAST, STILL_ON * len(known)):
                break
            value, n = mine.value[known, turn], int(known.sum())
            centre = rates(mine.cluster[known], np.zeros(n, np.int64), value, np.ones(n)).iloc[0]
            low, high = np.quantile(value, REACH, method="inverted_cdf")
            yield {
                "line": name,
                "x": turn + 1,
                "mean": centre["estimate"],
                "mean_low": centre["low"],
                "mean_high": centre["high"],
                "q_low": low,
                "q_high": high,
                "n": n,
                "on": n / len(known),
            }


def course_summary(measure: Measure, rows: pd.DataFrame) -> str:
    """The sentence: all groups, or the highest and lowest, at the last turn that half of the seats reach."""
    reached = rows.groupby("x")["on"].mean()
    turn = int(reached[reached >= 1 / 2].index.max()) if (reached >= 1 / 2).any() else int(reached.index.min())
    then = rows[rows["x"] == turn].sort_values("mean", ascending=False, kind="stable")
    ends = [then.iloc[0]] if len(then) == 1 else [then.iloc[0], then.iloc[-1]]
    named = [
        f"{amount(row['mean'])}{'' if row['line'] == ALL else ' for ' + row['line']} "
        f"({amount(row['mean_low'])} to {amount(row['mean_high'])})"
        for row in ends
    ]
    text = f"{measure.label} after turn {count(turn)}, which half of the seats reach: {' and '.join(named)}"
    apart = ""
    if set(rows["line"]) == set(SIDES):
        wide = rows.pivot_table(index="x", columns="line", values="mean")
        gap = (wide["winners"] - wide["losers"]).abs().rename("apart").reset_index()
        apart = f"; farthest apart after turn {count(highest(gap, 'apart')['x'])}"
    return fitting(f"{text}{apart}.", f"{text}.", f"{text.replace(', which half of the seats reach', '')}.")


def draw_course(rows: pd.DataFrame, measure: Measure, by: str) -> Figure:
    """Lines with bands: winners and losers in one panel, other groups in a panel each."""
    drawn = rows.rename(columns={"q_low": "low", "q_high": "high"})
    words = {"x_label": "after turn", "y_label": measure.label.lower()}
    if by in ("side", "all"):
        order = {name: place for place, name in enumerate((SIDES[1], SIDES[0], ALL))}
        drawn = drawn.sort_values("line", key=lambda names: names.map(order), kind="stable")
        return charts.bands(drawn, **words, reach=REACH)
    peaks = rows.groupby("line", sort=False)["mean"].max().sort_values(kind="stable")
    kept = list(peaks.index) if len(peaks) <= PANELS else [*peaks.index[: PANELS // 2], *peaks.index[-(PANELS // 2) :]]
    return charts.strips(drawn[drawn["line"].isin(kept)], **words, reach=REACH)
