"""When things first happen in a game: what turns up, is reached, begins."""

from collections.abc import Mapping

import pandas as pd

from analysis.charts import curves
from analysis.pace import happened, reached
from analysis.report.answers.prose import at_seats, capital, interval, listed
from analysis.report.answers.tables import table, thinned
from analysis.report.model import Chart, Format, Section
from analysis.study import Study
from analysis.wording import count, percent
from sim.engine.measures import Measure, Question


def milestones(study: Study, question: Question) -> Section | None:
    """Cumulative curves of when each first happened, one line each, a panel per number of seats.

    Roles: what happens, in words; each a measure per game, the turn or round in which it first did. Settings: never (its value in
    a game in which it did not).
    """
    if not question.roles or study.games_frame.empty:
        return None
    measures = {words.replace("_", " "): study.measure(field) for words, field in question.roles.items()}
    never = int(question.settings.get("never", ("0",))[0])
    frame = pd.concat([_curves(study, seats, measures, never) for seats in study.seats], ignore_index=True)
    summary = _summary(frame)
    most = max(study.seats)
    unit = next((measure.unit for measure in measures.values() if measure.unit), "turns")
    answer = _said(summary[summary["seats"] == most], most, unit)
    if len(study.seats) > 1:
        answer += f" {_rarest(summary)}"
    caption = (
        f"Share of the games in which each has happened after so many {unit}, with {study.policy} in every seat. Where "
    )
    caption += "it does not happen in every game a line stays short of the top."
    shares: dict[str, Format] = {"ever": "percent"}
    summary = summary.assign(label=[measures[name].label for name in summary["name"]])
    columns = {"seats": "seats", "name": "what", "label": "counted", "estimate": "ever", "low": "low", "high": "high"}
    columns |= {"median": f"half of the games by ({unit})", "when": f"median where it happens ({unit})", "n": "n"}
    lines = {
        "seats": "seats",
        "name": "what",
        "turns": unit,
        "estimate": "share",
        "low": "low",
        "high": "high",
        "n": "n",
    }
    tables = (
        table(summary, "milestones", "What happens, and when first", columns, shares),
        table(thinned(frame, ["seats", "name"]), "milestones-curves", "The curves", lines),
    )
    note = "All games count, those that were stopped too; a game that ends before counts as one in which it did not happen. "
    note += "Wilson intervals, each point by itself."
    alt = f"Rising curves, one per thing that happens, a panel per number of seats. {answer}"
    chart = Chart(question.id, curves(frame, label=unit), caption, alt)
    return Section(question.id, question.text, answer, (chart,), tables, note)


def _curves(study: Study, seats: int, measures: Mapping[str, Measure], never: int) -> pd.DataFrame:
    """Curves of all milestones at so many seats, below each other."""
    games = study.games_frame[study.games_frame["seats"] == seats]
    parts = [
        happened(games[[measure.field]].assign(name=name), measure.field, "name", never)
        for name, measure in measures.items()
    ]
    return pd.concat(parts, ignore_index=True).assign(seats=seats)


def _summary(frame: pd.DataFrame) -> pd.DataFrame:
    """One line per number of seats and milestone: share that ever sees it, and when."""
    rows = []
    for _, part in frame.groupby(["seats", "name"], sort=False):
        last = part.iloc[-1]
        when = reached(part, last["estimate"] / 2) if last["estimate"] > 0 else float("nan")
        rows.append({**last.to_dict(), "median": reached(part), "when": when})
    return pd.DataFrame(rows)


def _said(summary: pd.DataFrame, seats: int, unit: str) -> str:
    """By when each has happened in half of the games, and which do not get that far."""
    usual, rare = (
        summary[summary["median"].notna()].sort_values("median", kind="stable"),
        summary[summary["median"].isna()],
    )
    said = [f"\u201c{row['name']}\u201d by {count(row['median'])}" for _, row in usual.iterrows()]
    text = f"{capital(at_seats(seats))} half of the games have seen, in {unit}, {listed(said)}." if said else ""
    seldom = [
        f"\u201c{row['name']}\u201d happens in {percent(row['estimate'])} {interval(row['low'], row['high'], row['n'])}"
        for _, row in rare.sort_values("estimate", kind="stable").iterrows()
    ]
    return f"{text} {capital(listed(seldom))}." if seldom and text else text or f"{capital(listed(seldom))}."


def _rarest(summary: pd.DataFrame) -> str:
    """What most often never happens, at fewest and at most seats."""
    name = summary.groupby("name", sort=False)["estimate"].mean().idxmin()
    part = summary[summary["name"] == name].sort_values("seats").iloc[[0, -1]]
    shares = [
        f"{percent(row['estimate'])} {at_seats(row['seats'])} {interval(row['low'], row['high'], row['n'])}"
        for _, row in part.iterrows()
    ]
    return f"The one that is missed most is \u201c{name}\u201d, seen in {listed(shares)}."
