"""Whether what one can buy is worth its price: win shares of those who have it and of those who have not."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.charts import gains
from analysis.contrasts import win_gains
from analysis.frames import distinct
from analysis.report.answers.prose import at_seats, capital, listed, number_word, size, some
from analysis.report.answers.tables import highest, lowest, table
from analysis.report.model import Chart, Format, Section
from analysis.study import Study, finished
from analysis.wording import percent, points
from sim.engine.measures import Question

SURE = 0.05  # p-value adjusted over all parts at one number of seats
ENOUGH = 400  # seats of finished games from which on the chart is about as many seats as there are
LEAST = 20  # seats with a part from which on it is worth a sentence


def worth(study: Study, question: Question) -> Section | None:
    """Dots of the difference in win share by part, and per unit of its price, at most seats.

    Roles: has (measure per seat with one number per part, above 0: had it). Settings: price (table of the card file, whose
    lines are in the order of the parts, and its number that is the price; may be absent).
    """
    field = question.roles.get("has")
    if field is None:
        return None
    parts = study.measure(field).parts
    if not any(parts):
        return None
    paid = _prices(study.cards.document, question.settings.get("price", ()), len(parts))
    found = [_gains(study, seats, field, paid) for seats in study.seats]
    whole = pd.concat(found, ignore_index=True)
    known = whole[whole["change"].notna()]
    if known.empty:
        return None
    compared = (known["n_have"] + known["n_lack"]).groupby(known["seats"]).max()
    most = max(compared.index.tolist(), key=lambda seats: (min(int(compared[seats]), ENOUGH), seats))
    coin = question.settings.get("price", ("", ""))[1]
    shown = whole[(whole["seats"] == most) & (whole["n_have"] > 0)]
    shown = shown.sort_values("change", ascending=False, na_position="last", kind="stable")
    answer = _said(shown, most, coin)
    label = study.measure(field).label
    caption = (
        f"Win share of the seats with each less that of the seats without ({label.lower()}), {at_seats(most)}, with "
    )
    caption += f"{study.policy} in every seat{', and the same per ' + coin if coin else ''}."
    chart = gains(shown.assign(n=shown["n_have"]), price=coin or "price", unit=coin)
    alt = f"Dots of the difference in win share, one per part. {answer}"
    tables = (_table(whole, label, coin),)
    return Section(
        question.id, question.text, answer, (Chart(question.id, chart, caption, alt),), tables, _note(coin, bool(found))
    )


def _note(coin: str, compared: bool) -> str:
    note = "A difference of those who have and those who have not is a matter of selection, not of cause: whoever is ahead, "
    note += "lives longer or has more to spend also buys more, and a part that only the strong can use looks strong. "
    note += f"Read the order, and what lies apart from others of the same {'price in ' + coin if coin else 'kind'}, rather than "
    note += "the size. " if compared else ""
    note += "Finished games; Newcombe's interval of a difference with the correlation of both sides put in, since the seats of "
    return (
        note + "one game share one win. p (Holm): score test over games, adjusted for all parts at one number of seats."
    )


def _prices(document: Mapping[str, Any], where: Sequence[str], parts: int) -> list[float]:
    """Price of each part, nan where there is none. Raises ValueError for what the card file lacks."""
    if not where:
        return [float("nan")] * parts
    if len(where) != 2:
        raise ValueError(f"price={tuple(where)} must be a table of the card file and a number of its lines")
    name, number = where
    if name not in document:
        raise ValueError(f"price={tuple(where)}: the card file has no table {name!r}")
    lines = document[name]
    rows = list(lines.values()) if isinstance(lines, Mapping) else list(lines)
    if not any(isinstance(row.get(number), (int, float)) for row in rows):
        raise ValueError(f"price={tuple(where)}: none of the lines of {name} has a number {number!r}")
    found = [float(row[number]) if row.get(number) is not None else float("nan") for row in rows[:parts]]
    return found + [float("nan")] * (parts - len(found))


def _gains(study: Study, seats: int, field: str, paid: Sequence[float]) -> pd.DataFrame:
    """Differences of all parts with a name at so many seats, and per unit of price."""
    frame = finished(study.seats_frame, seats)
    named = [at for at, name in enumerate(study.measure(field).parts) if name]
    names = distinct([study.measure(field).parts[at] for at in named])
    has = frame[[f"{field}_{at}" for at in named]].to_numpy() > 0
    found = win_gains(frame, has).assign(seats=seats, name=names)
    price = np.array([paid[at] for at in named])
    per = np.where(price > 0, price, np.nan)
    units = {f"{column}_per": found[column] / per for column in ("change", "low", "high")}
    return found.assign(price=price, sure=found["p_holm"] < SURE, **units)


def _table(whole: pd.DataFrame, label: str, coin: str) -> Any:
    columns = {"seats": "seats", "name": "part", "price": coin or "price", "have": "with it", "lack": "without it"}
    columns |= {"change": "change", "low": "low", "high": "high", "change_per": f"per {coin or 'price'}"}
    columns |= {"p_holm": "p (Holm)", "n_have": "n (with)", "n_lack": "n (without)"}
    if whole["price"].isna().all():
        columns = {name: heading for name, heading in columns.items() if name not in ("price", "change_per")}
    formats: dict[str, Format] = {"with it": "percent", "without it": "percent", "low": "points", "high": "points"}
    formats |= {f"per {coin or 'price'}": "points", "n (with)": "count", "n (without)": "count"}
    ordered = whole.sort_values(["seats", "change"], ascending=[True, False], na_position="last", kind="stable")
    return table(ordered, "worth", f"Win share with and without ({label.lower()})", columns, formats)


def _said(shown: pd.DataFrame, seats: int, coin: str) -> str:
    """The largest and the smallest difference, the most per price, and how many are sure."""
    known = shown[shown["change"].notna()]
    enough = known[known["n_have"] >= LEAST]
    known = enough if len(enough) else known
    top, bottom = highest(known, "change"), lowest(known, "change")
    said = f"{capital(at_seats(seats))} whoever has {top['name']} wins {percent(top['have'])} and whoever has not "
    said += f"{percent(top['lack'])}, the largest difference: {_apart(top)}"
    said += f"; the least is that of {bottom['name']}: {_apart(bottom)}." if len(known) > 1 else "."
    if coin and known["change_per"].notna().any():
        best = known.sort_values("change_per", ascending=False, na_position="last").head(3)
        names = [
            f"{row['name']} {points(row['change_per'])}" for _, row in best.iterrows() if pd.notna(row["change_per"])
        ]
        said += f" Most points per {coin}: {listed(names)}."
    signs = {side: int((known["sure"] & (known["change"] * side > 0)).sum()) for side in (1, -1)}
    better, worse = (number_word(number) if number else "none" for number in signs.values())
    said += f" Of {some(len(known), 'part')}, {better} go with surely more wins and {worse} with surely fewer (Holm)"
    return said + "; this shows who has them, not yet what they do."


def _apart(row: pd.Series) -> str:
    """Write a difference with its interval and n."""
    bounds = f"95 % interval {points(row['low'])} to {points(row['high'])}"
    return f"{points(row['change'])} points ({bounds}, {size(row['n_have'])})"
