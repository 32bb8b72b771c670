"""Where points come from, those of winners beside those of losers."""

import numpy as np
import pandas as pd

from analysis.amounts import TOTAL, means
from analysis.charts import amounts
from analysis.charts.style import CATEGORIES
from analysis.report.answers.prose import amount, at_seats, capital, listed, quantity
from analysis.report.answers.tables import highest, table
from analysis.report.model import Chart, Format, Section
from analysis.study import Study, finished
from analysis.wording import percent
from sim.engine.measures import Question

SIDES = ("losers", "winners")  # by whether a seat has part in the win
OTHER = "other"


def sources(study: Study, question: Question) -> Section | None:
    """Stacked bars of the mean points by source, winners and losers, a panel per number of seats.

    Roles: points (measure per seat with one value per source).
    """
    field = question.roles.get("points")
    if field is None:
        return None
    found = [_means(study, seats, field) for seats in study.seats]
    whole = pd.concat(found, ignore_index=True)
    if whole.empty:
        return None
    measure = study.measure(field)
    unit = measure.unit or measure.label.lower()
    told = sorted(
        {max(study.seats), *({1} & set(study.seats))}, reverse=True
    )  # a lone player's points are another matter
    answer = " ".join(
        _said(whole[whole["seats"] == seats], seats, unit) for seats in told if (whole["seats"] == seats).any()
    )
    caption = f"{measure.label} of those who win and those who do not, by source, with {study.policy} in every seat."
    alt = f"Stacked bars of {unit} by source, winners and losers, per number of seats. {answer}"
    columns = {"seats": "seats", "side": "who", "part": "source", "estimate": f"mean {unit}", "low": "low"}
    formats: dict[str, Format] = {"low": "number", "high": "number"}
    numbers = table(whole, "sources", f"{measure.label} by source", {**columns, "high": "high", "n": "n"}, formats)
    note = "Finished games only; whoever shares a win is a winner. Intervals are those of ratios over games, since the seats of "
    note += "one game hang together; n: games with such a seat. Winners have more because that is what wins: the sources tell "
    note += "what they won with, not what would help a loser."
    chart = Chart(question.id, amounts(_drawn(whole), unit=f"mean {unit}"), caption, alt)
    return Section(question.id, question.text, answer, (chart,), (numbers,), note)


def _means(study: Study, seats: int, field: str) -> pd.DataFrame:
    """Means by side and source at so many seats, winners first."""
    frame = finished(study.seats_frame, seats)
    frame = frame.assign(side=np.where(frame["won"], SIDES[1], SIDES[0]))
    found = means(frame, ["side"], field, study.measure(field).parts).assign(seats=seats)
    return found.sort_values("side", ascending=False, kind="stable", ignore_index=True)


def _drawn(whole: pd.DataFrame) -> pd.DataFrame:
    """The frame of the bars: the source of most points first."""
    parts, totals = whole[whole["part"] != TOTAL], whole[whole["part"] == TOTAL]
    order = [str(name) for name in parts.groupby("part")["sum"].sum().abs().sort_values(ascending=False).index]
    kept = order if len(order) <= len(CATEGORIES) else order[: len(CATEGORIES) - 1]
    frame = parts.assign(name=parts["side"], category=parts["part"].where(parts["part"].isin(kept), OTHER))
    frame = frame.groupby(["seats", "name", "category"], sort=False)["estimate"].sum().reset_index()
    ends = totals.rename(columns={"estimate": "total", "side": "name"})[["seats", "name", "total", "low", "high", "n"]]
    frame = frame.merge(ends, on=["seats", "name"])
    rank = {name: place for place, name in enumerate([*kept, OTHER])}
    return frame.sort_values("category", key=lambda names: names.map(rank), kind="stable").sort_values(
        ["seats", "name"], ascending=[True, False], kind="stable", ignore_index=True
    )


def _said(part: pd.DataFrame, seats: int, unit: str) -> str:
    """What winners and losers have, the winners' sources, and the source that sets them apart."""
    totals = {str(row["side"]): row for _, row in part[part["part"] == TOTAL].iterrows()}
    said = [
        f"{side} have {amount(row['estimate'])} {quantity(row['low'], row['high'], row['n'], 'games')}"
        for side, row in totals.items()
    ]
    text = f"{capital(unit)} {at_seats(seats)}: {' and '.join(said)}"
    winners, losers = (part[(part["part"] != TOTAL) & (part["side"] == side)] for side in reversed(SIDES))
    if not len(winners) or not winners["sum"].sum() > 0:
        return f"{text}."
    ordered = winners[winners["estimate"] > 0].sort_values("estimate", ascending=False, kind="stable")
    whole = totals[SIDES[1]]["estimate"]
    named = [f"{row['part']} {percent(row['estimate'] / whole, 0)}" for _, row in ordered.iterrows()]
    text += f"; those of winners are {listed(named)}"
    both = winners.merge(losers, on="part", suffixes=("", "_lost"))
    if len(both):
        top = highest(both.assign(apart=both["estimate"] - both["estimate_lost"]), "apart")
        text += f"; winners are ahead most by {top['part']}, {amount(top['apart'])} more"
    return f"{text}."
