"""What a whole is made of: where damage lands, how many exchanges see how many flips."""

import numpy as np
import pandas as pd

from analysis.amounts import rates
from analysis.charts import shares
from analysis.report.answers.members import at, contest, numbers
from analysis.report.answers.prose import at_seats, capital, interval, listed, rounded
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Section
from analysis.study import Study
from analysis.wording import percent
from sim.engine.measures import Question

PARTS = "parts"


def split(study: Study, question: Question) -> Section | None:
    """Bars of the share of each part in the whole, with intervals, at the fewest seats with an opponent.

    Roles: parts (measure per game or per seat, each of whose numbers is a part of the whole); any other role is the name of a
    further part and its measure, per seat or game like the first, all of whose numbers are added up. Settings: whole (what it
    is, e.g. `the damage`), verb (between it and the name of a part, as in `of the damage is blocked`), note (words for the note).
    """
    if PARTS not in question.roles or not study.contests:
        return None
    seats, main = contest(study), study.measure(question.roles[PARTS])
    whole = study.games_frame if main.per == "game" else study.seats_frame
    frame = at(whole, seats)
    more = {words.replace("_", " "): field for words, field in question.roles.items() if words != PARTS}
    values = np.column_stack(
        [numbers(frame, main), *(numbers(frame, study.measure(field)).sum(axis=1) for field in more.values())]
    )
    names = [*main.parts, *more]
    total = values.sum(axis=1)
    if not total.sum():
        return None
    game, one = frame["game"].to_numpy(), np.zeros(len(frame), np.int64)
    found = pd.concat([rates(game, one, values[:, part], total) for part in range(len(names))], ignore_index=True)
    found = found.assign(name=names, low=found["low"].clip(lower=0), high=found["high"].clip(upper=1))
    thing = question.settings.get("whole", (f"the {main.unit or main.label.lower()}",))[0]
    answer = _said(found, seats, f"{thing} {question.settings.get('verb', (_verb(thing),))[0]}")
    caption = f"Shares of {thing}, {at_seats(seats)} with {study.policy} in every seat; all games together."
    chart = shares(found, label=f"share of {thing}")
    columns = {
        "name": "part",
        "sum": main.unit or "number",
        "estimate": "share",
        "low": "low",
        "high": "high",
        "n": "n",
    }
    shown = table(found, question.id, f"Shares of {thing}", columns, {main.unit or "number": "count"})
    note = "All games count, those that were stopped as far as they went. Intervals are those of ratios over games, since what "
    note += "happens in one game hangs together; n: games. " + " ".join(question.settings.get("note", ()))
    alt = f"Bars of the shares of {thing}. {answer}"
    return Section(
        question.id, question.text, answer, (Chart(question.id, chart, caption, alt),), (shown,), note.strip()
    )


def _said(found: pd.DataFrame, seats: int, whole: str) -> str:
    """All shares, the largest first. whole: what they are shares of, and the verb."""
    ordered = found.sort_values("estimate", ascending=False, kind="stable")
    top = ordered.iloc[0]
    said = f"{capital(at_seats(seats))} {percent(top['estimate'])} of {whole} {top['name']} "
    said += interval(top["low"], top["high"], top["n"], "games")
    rest = [
        f"{rounded(row['estimate'])} {row['name']} ({100 * row['low']:.1f} to {percent(row['high'])})"
        for _, row in ordered.iloc[1:].iterrows()
    ]
    return f"{said}; {listed(rest)}." if rest else f"{said}."


def _verb(thing: str) -> str:
    return "are" if thing.endswith("s") else "is"
