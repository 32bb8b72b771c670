"""Whether things that can be had in a game are worth their price: win shares of the seats with and without each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import Format, percent, points
from analysis.answer.prose import at_seats, capital, point_interval, some
from analysis.answer.tables import Table, highest, lowest, table
from analysis.data.players import LONG_ANSWER
from analysis.data.rows import distinct, finished, seats_frame
from analysis.data.study import Study
from analysis.question import question
from analysis.stats.paired import win_gains
from sim.engine.measures import Measure

SURE = 0.05  # adjusted p-value below which a difference is significant
ENOUGH = 400  # with this number of finished games, the chart prefers more seats
LEAST = 20  # seats with a part that the sentence requires to name it


@question(seconds=LONG_ANSWER)
def worth(study: Study, has: str, price: list[str] = (), games: int = 10_000) -> Answer:  # type: ignore[assignment]
    """Win share of the seats with and without each thing, and the difference per unit of its price.

    Parameters
    ----------
    has : str
        Fact by seat and thing, above 0 if the seat had the thing.
    price : list of str
        Table of the card file with a row per thing, in the order of the fact, and the number that is its price.
    games : int
        Games in all.
        By default at most those of about twelve seconds.

    Examples
    --------
    >>> import fairfight as ff
    >>> ff.worth("arena", "rounds", games=28, policy="random", progress=False)
    Traceback (most recent call last):
    ...
    ValueError: has='rounds': counts no things; it has no parts

    """
    known = {measure.field: measure for measure in study.measures}
    measure = study.measure(has) if has not in known else known[has]
    if not any(measure.parts) or measure.per != "seat":
        raise ValueError(f"has={has!r}: counts no things; it has no parts")
    prices = prices_of(study.cards.document, price, len(measure.parts))
    gaps = differences_of(study, measure, prices, games)
    known_gaps = gaps[gaps["change"].notna()]
    if known_gaps.empty:
        return Answer(f"No thing was had by some seats and not by others in these games ({measure.label.lower()}).")
    seats = seats_shown(known_gaps)
    shown = gaps[(gaps["seats"] == seats) & (gaps["n_have"] > 0)]
    shown = shown.sort_values("change", ascending=False, na_position="last", kind="stable")
    unit = price[1] if price else ""
    title = f"Win share of seats with a thing less that of seats without it, {at_seats(seats)}; {study.players}."
    return Answer(
        summary(shown, seats),
        (worth_table(gaps, measure, unit),),
        (Chart(lambda: charts.gains(shown.assign(n=shown["n_have"]), price=unit or "price", unit=unit), title),),
        (
            "These differences show selection, not cause: players who are ahead or live longer also have more.",
            "Newcombe's interval, with the correlation of both sides because the seats of a game share one win; p (Holm) over "
            "all things at one number of seats.",
        ),
        study.design(games).facts() if study.base is not None else {},
        shown=study.player.shown,
    )


def prices_of(document: Mapping[str, Any], where: Sequence[str], parts: int) -> list[float]:
    """Price of each part, nan without one. Raises ValueError for a table or number that the card file lacks."""
    unknown = [float("nan")] * parts
    if not where:
        return unknown
    named = f"price={tuple(where)}"
    if len(where) != 2:
        raise ValueError(f"{named} must be a table of the card file and a number of its rows")
    name, number = where
    if name not in document:
        raise ValueError(f"{named}: the card file has no table {name!r}")
    rows = [*(document[name].values() if isinstance(document[name], Mapping) else document[name])]
    if not any(isinstance(row.get(number), (int, float)) for row in rows):
        raise ValueError(f"{named}: no row of {name} has a number {number!r}")
    return [float(row.get(number, "nan")) for row in rows[:parts]] + unknown[len(rows) :]


def differences_of(study: Study, measure: Measure, prices: Sequence[float], games: int) -> pd.DataFrame:
    """One row per number of seats and named thing.

    Columns: those of `win_gains`, seats, name, price, sure, change_per, low_per, high_per (per unit of the price).
    """
    named = [part for part, name in enumerate(measure.parts) if name]
    price = np.array([prices[part] for part in named])
    every, frames = seats_of(study, measure, games), []
    for seats in study.seats:
        frame = finished(every, seats)
        have = frame[[f"{measure.field}_{part}" for part in named]].to_numpy() > 0
        gaps = win_gains(frame, have).assign(seats=seats, name=distinct([measure.parts[part] for part in named]), price=price)
        per = {f"{name}_per": gaps[name] / np.where(price > 0, price, np.nan) for name in ("change", "low", "high")}
        frames.append(gaps.assign(sure=gaps["p_holm"] < SURE, **per))
    return pd.concat(frames, ignore_index=True)


def seats_of(study: Study, measure: Measure, games: int) -> pd.DataFrame:
    """One row per game and seat with the fact: of the games of a report, or of games played now."""
    if study.base is None:
        return study.seats_frame
    played = study.player.play(study.design(games))
    return pd.concat([seats_frame(block.rows, block.outcomes, [measure], study.names) for block in played], ignore_index=True)


def seats_shown(known: pd.DataFrame) -> int:
    """The largest number of seats with enough games."""
    compared = (known["n_have"] + known["n_lack"]).groupby(known["seats"]).max()
    return int(max(compared.index.tolist(), key=lambda seats: (min(int(compared[seats]), ENOUGH), seats)))


def summary(shown: pd.DataFrame, seats: int) -> str:
    """The sentence: the largest and the smallest difference, and how many are significant."""
    known = shown[shown["change"].notna()]
    enough = known[known["n_have"] >= LEAST]
    known = enough if len(enough) else known
    top, low = highest(known, "change"), lowest(known, "change")
    better, worse = (int((known["sure"] & (known["change"] * side > 0)).sum()) for side in (1, -1))
    return (
        f"{capital(at_seats(seats))}, seats with {top['name']} win {percent(top['have'])}, {points(top['change'])} points "
        f"{point_interval(top['low'], top['high'])} more than without; {low['name']}: {points(low['change'])}; of "
        f"{some(len(known), 'thing')} {better} significantly up, {worse} down."
    )


def worth_table(gaps: pd.DataFrame, measure: Measure, unit: str) -> Table:
    """Every thing at every number of seats, the largest difference first."""
    priced = {"price": unit or "price"} if gaps["price"].notna().any() else {}
    columns = {"seats": "seats", "name": "thing", **priced, "have": "with it", "lack": "without it", "change": "change"}
    columns |= {"low": "low", "high": "high", **({"change_per": f"per {unit}"} if priced else {}), "p_holm": "p (Holm)"}
    columns |= {"n_have": "n (with)", "n_lack": "n (without)"}
    formats: dict[str, Format] = {
        **dict.fromkeys(("with it", "without it"), "percent"),
        **dict.fromkeys(("n (with)", "n (without)"), "count"),
        **dict.fromkeys(("low", "high", f"per {unit}"), "points"),
    }
    ordered = gaps.sort_values(["seats", "change"], ascending=[True, False], na_position="last", kind="stable")
    return table(ordered, "worth", f"Win share with and without ({measure.label.lower()})", columns, formats)
