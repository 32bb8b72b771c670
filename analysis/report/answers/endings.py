"""How games end, by number of seats."""

from typing import Any

import numpy as np
import pandas as pd

from analysis.charts import stacked
from analysis.charts.style import CATEGORIES
from analysis.report.answers.losers import of_losers
from analysis.report.answers.prose import at_seats, capital, interval, listed, rounded, seated
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Section
from analysis.study import Study
from analysis.usage import category_shares
from analysis.wording import percent
from sim.engine.measures import Question

STOPPED = "stopped at a limit"
OTHER = "other"


def endings(study: Study, question: Question) -> Section | None:
    """Stacked bars of the endings, one per number of seats; stopped games are an ending of their own, whatever they say.

    Roles: ending (a category per game), apart (a flag per game, may be absent: what has it is an ending of its own). Settings:
    always (endings that the sentences name at every number of seats, even where they are rare or never come), apart (words
    added to an ending that has the flag), losers (any value: the endings of the games that each entrant loses are told too).
    """
    column = question.roles.get("ending")
    if column is None or study.games_frame.empty:
        return None
    frame = _ended(_apart(study.games_frame, question), column)
    shares = category_shares(frame, ["ending"])
    seats = pd.Series({seated(number): number for number in study.seats})
    shares = shares.assign(seats=shares["name"].astype(str).map(seats))
    always = question.settings.get("always", ())
    answer = _said(shares, max(study.seats), (*always, STOPPED))
    caption = (
        f"How games end by number of seats, with {study.policy} in every seat; all games, those that were stopped too."
    )
    drawn = _drawn(shares).assign(name=lambda part: part["name"].astype(str) + " games")
    chart = stacked(drawn, unit="games", order="given")
    columns = {"seats": "seats", "category": "ending", "count": "games", "estimate": "share", "low": "low"}
    numbers = table(
        shares[shares["count"] > 0],
        "endings",
        "How games end",
        {**columns, "high": "high", "n": "n"},
        {"games": "count"},
    )
    note = f"\u201c{capital(STOPPED)}\u201d: by {study.limit_words}; such games have no winner. Wilson intervals."
    alt = f"Stacked bars of the endings of games, one per number of seats. {answer}"
    charts, tables = [Chart(question.id, chart, caption, alt)], [numbers]
    if "losers" in question.settings and (more := of_losers(study, column, question.id)):
        said, of_each, shown = more
        answer, charts, tables = f"{answer} {said}", [*charts, of_each], [*tables, shown]
    return Section(question.id, question.text, answer, tuple(charts), tuple(tables), note)


def _apart(games: pd.DataFrame, question: Question) -> pd.DataFrame:
    """The games, the endings of those that have the flag of the role `apart` named apart."""
    column, flag = question.roles["ending"], question.roles.get("apart")
    if flag is None:
        return games
    added = question.settings.get("apart", (f"with {flag.replace('_', ' ')}",))[0]
    known = [str(word) for word in games[column].cat.categories]
    words = games[column].astype(str)
    marked = words.where(games[flag].to_numpy() == 0, words + f" {added}")
    return games.assign(**{column: pd.Categorical(marked, [*known, *(f"{word} {added}" for word in known)])})


def _ended(games: pd.DataFrame, column: str) -> pd.DataFrame:
    """Ending of each game, STOPPED for those that were; the number of seats in words as the name. Only what occurs."""
    known = [str(word) for word in games[column].cat.categories if word != STOPPED]
    words = np.where(games["finished"], games[column].astype(str), STOPPED)
    ending = pd.Categorical(words, [*known, STOPPED])
    order = [seated(int(number)) for number in sorted(games["seats"].unique())]
    names = pd.Categorical(games["seats"].map(seated), order)
    return pd.DataFrame({"name": names, "ending": ending}).assign(ending=lambda frame: _used(frame["ending"]))


def _used(ending: pd.Series) -> Any:
    return ending.cat.remove_unused_categories()


def _drawn(shares: pd.DataFrame) -> pd.DataFrame:
    """The bars, most frequent ending first; what has no colour left goes together."""
    totals = shares.groupby("category", observed=True)["count"].sum().sort_values(ascending=False, kind="stable")
    order = [str(word) for word in totals.index]
    kept = order if len(order) <= len(CATEGORIES) else order[: len(CATEGORIES) - 1]
    rank = {word: place for place, word in enumerate(order)}
    words = shares["category"].astype(str)
    frame = shares.assign(rank=words.map(rank), category=words.where(words.isin(kept), OTHER))
    if len(kept) < len(order):
        sums = frame.groupby(["name", "category"], observed=True)[["estimate", "rank"]].agg(
            {"estimate": "sum", "rank": "max"}
        )
        ends = frame.drop_duplicates(["name"])[["name", "n"]]
        frame = sums.reset_index().merge(ends, on="name")
    return frame.sort_values(["rank", "name"], kind="stable", ignore_index=True)


def _said(shares: pd.DataFrame, most: int, always: tuple[str, ...]) -> str:
    """The endings at most seats; the most frequent one at fewer; those that are always named, at all."""
    part = shares[(shares["seats"] == most) & (shares["count"] > 0)]
    ordered = part.sort_values("estimate", ascending=False, kind="stable")
    top, said = ordered.iloc[0], capital(at_seats(most))
    said += f" {percent(top['estimate'])} of the games end with \u201c{top['category']}\u201d "
    said += interval(top["low"], top["high"], top["n"])
    named = [_share(row) for _, row in ordered.iloc[1:].iterrows()]
    said += f"; {listed(named)}." if named else "."
    fewer = shares[shares["seats"] < most].sort_values("estimate", ascending=False, kind="stable")
    tops = fewer.drop_duplicates("seats").sort_values("seats")
    others = [f"{at_seats(row['seats'])} {_share(row)}" for _, row in tops.iterrows()]
    said += f" Most frequent {listed(others)}." if others else ""
    return f"{said} {_always(shares, always)}".strip()


def _always(shares: pd.DataFrame, always: tuple[str, ...]) -> str:
    """How often each of some endings comes, at every number of seats."""
    said = []
    for word in always:
        part = shares[(shares["category"] == word) & (shares["count"] > 0)]
        where = [f"{_bounded(row)} {at_seats(row['seats'])}" for _, row in part.iterrows()]
        said.append(f"\u201c{word}\u201d {listed(where) if where else 'never'}")
    return f"{capital('; '.join(said))}." if said else ""


def _share(row: pd.Series) -> str:
    return f"\u201c{row['category']}\u201d {_bounded(row)}"


def _bounded(row: pd.Series) -> str:
    return f"{rounded(row['estimate'])} ({100 * row['low']:.1f} to {percent(row['high'])})"
