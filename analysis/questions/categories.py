"""Facts of a game that are one of several words: their shares by entrant, and how often each goes with a win."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import percent
from analysis.answer.prose import at_seats, bounds_of, capital, fitting, listed
from analysis.answer.tables import estimate_columns, highest, lowest, rate_columns, table
from analysis.data.facts import ALL, FactGames, Values, by_word, chosen_facts, list_facts, overview_words
from analysis.data.rows import shares
from analysis.data.study import Study
from analysis.question import question
from sim.engine.measures import Measure

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

ROWS = 24  # groups in a chart; if there are more, those with most and fewest of the most frequent category
OTHER = "other"  # categories beyond the colours of a chart
FLAGS = ("no", "yes")
HEX = re.compile(r"(-?\d+),(-?\d+)")  # name of a hex by its axial coordinates
ESTIMATE = ["estimate", "low", "high", "n"]


@question(
    reads=True,
    options={"fact": "FACT"},
    about="fact",
    examples=("categories arena", "categories arena fall_cause", "categories runeslingers chose"),
)
def categories(
    study: Study,
    fact: str = "",
    by: str = "entrant",
    leave_out: list[str] = (),  # type: ignore[assignment]
    games: int = 2_000,
) -> Answer:
    """Shares of a fact that is one of several words, by entrant; wins with each.

    Such as the cause of a fall or the ending of a game; without a fact, the question lists them.

    Parameters
    ----------
    fact : str
        The fact.
    by : str
        What the games are split by: entrant, side (winners and losers), position (turn order), seats or all.
    leave_out : list of str
        Categories that do not count.
    games : int
        Games in all.
        By default at most those of about six seconds.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.categories("arena", "fall_cause", games=28, policy="random", progress=False)
    >>> list(result.frame.columns)
    ['entrant', 'name', 'category', 'count', 'estimate', 'low', 'high', 'n']

    """
    if not fact:
        return overview(study)
    (measure,) = chosen_facts(study, "categories", [fact])
    words = measure.categories or FLAGS
    if unknown := sorted(set(leave_out) - set(words)):
        raise ValueError(f"leave_out={unknown[0]!r}: {fact} has no such category; they are {', '.join(words)}")
    played = FactGames.of(study, [measure], games, by)
    values = played.values(measure, by).once()
    counted = [word for word in words if word not in leave_out]
    rows = category_shares(values, words, counted)
    wins = wins_with(played.values(measure, "entrant" if measure.per == "game" else "all"), words, counted)
    columns = estimate_columns("share", name=by_word(study, by), category=measure.label.lower(), count="number")
    where = f"{at_seats(int(played.games['seats'].min()))} with {study.players}"
    drawn = [Chart(partial(draw, rows), f"{measure.label}, by {by_word(study, by)}, {where}.")]
    if hexes(counted):
        drawn.insert(0, Chart(partial(draw_map, rows, measure.label), f"{measure.label} on the board, {where}.", "map"))
    tables = [table(rows, "categories", measure.label, columns, {"number": "count"})]
    if len(wins):
        tables.append(table(wins, "wins", "Wins with each", rate_columns(name=study.unit_word, category=measure.label.lower())))
    return Answer(
        summary(measure, rows, counted),
        tuple(tables),
        tuple(drawn),
        tuple(notes(list(leave_out), bool(len(wins)))),
        {"fact": fact, "games": len(played.games), "by": by},
        shown=study.player.shown,
    )


def overview(study: Study) -> Answer:
    """The facts that can be asked about."""
    known = list_facts(study, "categories")
    columns = {"fact": "fact", "label": "what it names", "per": "for each", "parts": "categories"}
    one, several = "fact that is one of several words", "facts that are one of several words"
    return Answer(
        overview_words(study, "categories", [*known["fact"]], one, several),
        (table(known, "facts", "Facts that are one of several words", columns, details=("categories", "for each")),),
    )


def category_shares(values: Values, words: Sequence[str], counted: Sequence[str]) -> pd.DataFrame:
    """Share of each category by group, the groups together first: name, category, count, estimate, low, high, n.

    Intervals are over games: those of a game can agree. counted: categories that count; others, and unknown ones, are no cases.
    """
    size = values.value.shape[1]
    code = values.value.astype(np.int64).ravel()
    place = {word: index for index, word in enumerate(words)}
    case = np.isin(code, [place[word] for word in counted])
    cluster, group = (np.repeat(column, size)[case] for column in (values.cluster, values.group))
    tables = []
    for word in counted:
        happened = (code[case] == place[word]).astype(np.float64)
        whole = shares(cluster, np.zeros(group.size, np.int64), happened, 1).assign(name=ALL)
        each = shares(cluster, group, happened, len(values.names)).assign(name=list(values.names))
        part = pd.concat([whole, each] if len(values.names) > 1 else [whole], ignore_index=True)
        tables.append(part.assign(category=word, count=(part["estimate"] * part["n"]).round()))
    rows = pd.concat(tables, ignore_index=True)
    rows = rows[rows["n"] > 0].astype({"count": np.int64})
    order = {name: index for index, name in enumerate([ALL, *values.names])}
    rows = rows.sort_values("name", key=lambda names: names.map(order), kind="stable", ignore_index=True)
    return rows[["name", "category", "count", *ESTIMATE]]


def wins_with(values: Values, words: Sequence[str], counted: Sequence[str]) -> pd.DataFrame:
    """Win rate of the seats with each category, by group: name, category, estimate, low, high, n; empty without opponents."""
    contested = values.chosen(values.finished & (values.seats > 1))
    if contested.value.shape[1] > 1 or not contested.share.size:
        return pd.DataFrame()
    code, tables = contested.value[:, 0].astype(np.int64), []
    for index, word in enumerate(words):
        chosen = contested.chosen(code == index)
        if word in counted and chosen.share.size:
            rates = shares(chosen.cluster, chosen.group, chosen.share, len(values.names))
            tables.append(rates.assign(name=list(values.names), category=word))
    rows = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=["name", "category", *ESTIMATE])
    return rows.loc[rows["n"] > 0, ["name", "category", *ESTIMATE]].reset_index(drop=True)


def summary(measure: Measure, rows: pd.DataFrame, counted: Sequence[str]) -> str:
    """The sentence: the most frequent categories, and where the first is most and least frequent."""
    if rows.empty:
        return f"{measure.label}: no game has such a case."
    whole = rows[rows["name"] == ALL] if (rows["name"] == ALL).any() else rows
    ordered = whole.sort_values("estimate", ascending=False, kind="stable")
    first = ordered.iloc[0]
    named = f"{measure.label}: {first['category']} in {percent(first['estimate'])} {bounds_of(first)}"
    second = f", {ordered.iloc[1]['category']} {percent(ordered.iloc[1]['estimate'])}" if len(counted) > 2 else ""
    each = rows[(rows["category"] == first["category"]) & (rows["name"] != ALL)]
    ends = ""
    if len(each) > 1 and each["estimate"].max() > each["estimate"].min():
        top, bottom = highest(each, "estimate"), lowest(each, "estimate")
        ends = f"; most often with {top['name']} ({percent(top['estimate'], 0)}), least with {bottom['name']} "
        ends += f"({percent(bottom['estimate'], 0)})"
    return fitting(f"{named}{second}{ends}.", f"{named}{ends}.", f"{named}{second}.", f"{named}.")


def notes(leave_out: Sequence[str], with_wins: bool) -> list[str]:
    """What counts, and what the wins mean."""
    without = f", without {listed([f'“{word}”' for word in leave_out])}" if leave_out else ""
    lines = [f"All games count, also truncated ones{without}; cases in one game that agree more than by chance count as fewer."]
    if with_wins:
        lines.append("Wins are of finished games and show what goes together, not what causes what.")
    return lines


def hexes(words: Sequence[str]) -> bool:
    """Whether categories are the hexes of a board."""
    return len(words) > 1 and all(HEX.fullmatch(word) for word in words)


def draw(rows: pd.DataFrame) -> Figure:
    """Stacked bars, one for each group, the most frequent categories first."""
    each = rows[rows["name"] != ALL] if (rows["name"] != ALL).any() else rows
    sums = each.groupby("category", sort=False)["count"].sum().sort_values(ascending=False, kind="stable")
    kept = list(sums.index if len(sums) <= len(charts.CATEGORIES) else sums.index[: len(charts.CATEGORIES) - 1])
    lead = each[each["category"] == kept[0]].sort_values("estimate", ascending=False, kind="stable")
    names = list(lead["name"])
    names = names if len(names) <= ROWS else [*names[: ROWS // 2], *names[-(ROWS // 2) :]]
    drawn = each[each["name"].isin(names)]
    drawn = drawn.assign(category=drawn["category"].where(drawn["category"].isin(kept), OTHER))
    known = drawn.groupby(["name", "category"], sort=False, as_index=False)
    merged = known.agg({"estimate": "sum", "low": "first", "high": "first", "n": "first"})
    rank = {category: place for place, category in enumerate([*kept, OTHER])}
    merged = merged.assign(rank=merged["category"].map(rank), row=merged["name"].map(names.index))
    merged = merged.sort_values(["rank", "row"], kind="stable", ignore_index=True)
    return charts.stacked(merged, unit="cases", order="given")


def draw_map(rows: pd.DataFrame, label: str) -> Figure:
    """Map of the shares of all hexes."""
    whole = rows[rows["name"] == ALL] if (rows["name"] == ALL).any() else rows
    places = [HEX.fullmatch(word) for word in whole["category"]]
    q, r = ([int(place[axis]) for place in places if place] for axis in (1, 2))
    value = whole["estimate"].where(whole["count"] > 0)
    return charts.board(whole.assign(panel=capital(label), q=q, r=r, value=value), shared=False, unit="of all cases")
