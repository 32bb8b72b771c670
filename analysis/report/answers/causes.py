"""What throws entrants out, in which state they are by then, and by whom."""

from typing import Any

import numpy as np
import pandas as pd

from analysis.charts import stacked
from analysis.charts.style import CATEGORIES
from analysis.frames import categorical
from analysis.report.answers.prose import at_seats, interval, listed, plural, rounded
from analysis.report.answers.tables import table
from analysis.report.answers.throwers import throwers
from analysis.report.model import Chart, Section, Table
from analysis.study import Study, finished
from analysis.usage import category_shares
from analysis.wording import percent
from sim.engine.measures import Question

RARE = 0.05  # of all falls: a cause below this is shown without the state


def causes(study: Study, question: Question) -> Section | None:
    """Stacked bars of cause and state per entrant at most seats.

    Roles: cause (a category per seat), by (a second category, may be absent), credit (seat that brought the fall about,
    may be absent), ability (which ability of that seat, may be absent; see `throwers`). Settings: leave_out (categories of
    the cause that are no fall).
    """
    cause = question.roles.get("cause")
    if cause is None:
        return None
    leave_out = question.settings.get("leave_out", ())
    most = max(study.seats)
    whole = pd.concat([_cases(study, seats, question) for seats in study.seats], ignore_index=True)
    frame = whole[whole["seats"] == most]
    if frame.empty:
        return None
    shares = category_shares(frame.assign(case=_few_cases(frame, question)), ["case"])
    overall = category_shares(frame.assign(name=_everybody(frame)), [cause], leave_out)
    answer = _said(overall, most) + _said_state(study, frame, question)
    by_seats = pd.concat(
        [
            category_shares(part, _columns(question), leave_out).assign(seats=seats)
            for seats, part in whole.groupby("seats")
        ],
        ignore_index=True,
    )
    word = study.game.entrant_word
    columns = {"seats": "seats", "name": word, "category": "how", "count": "falls", "estimate": "share"}
    columns |= {"low": "low", "high": "high", "n": "n"}
    tables = [table(by_seats[by_seats["n"] > 0], "falls", f"How each {word} falls", columns, {"falls": "count"})]
    tables += [_credits(study, frame, most)] if "credit" in question.roles else []
    caption = f"What the falls of each {word} {at_seats(most)} are made of, with {study.policy} in every seat."
    alt = f"Stacked bars of how the {plural(word)} fall. {answer}"
    note = f"Chart and sentences: {at_seats(most)}, finished games; the table has the other numbers of seats too."
    charts = [Chart(question.id, stacked(shares, unit="falls"), caption, alt)]
    if {"credit", "ability"} <= set(question.roles):
        said, chart, more = throwers(study, question, frame, most)
        answer, charts, tables = answer + said, [*charts, chart], [*tables, *more]
    return Section(question.id, question.text, answer, tuple(charts), tuple(tables), note)


def _columns(question: Question) -> list[str]:
    return [question.roles[role] for role in ("cause", "by") if role in question.roles]


def _cases(study: Study, seats: int, question: Question) -> pd.DataFrame:
    """The falls of finished games at so many seats; whom each is credited to in the column `credited`."""
    frame = finished(study.seats_frame, seats)
    if "credit" in question.roles:
        seat = frame[question.roles["credit"]].to_numpy(np.int64)
        table_of = frame["entrant"].to_numpy().reshape(-1, seats)
        game = np.repeat(np.arange(len(table_of)), seats)
        frame = frame.assign(credited=np.where(seat >= 0, table_of[game, np.clip(seat, 0, seats - 1)], -1))
    fell = ~frame[question.roles["cause"]].isin(list(question.settings.get("leave_out", ())))
    return frame[fell & frame[question.roles["cause"]].notna()]


def _everybody(frame: pd.DataFrame) -> Any:
    return pd.Categorical(["all"] * len(frame), categories=["all"])


def _few_cases(frame: pd.DataFrame, question: Question) -> Any:
    """Cause and state of each fall; rare causes keep no state, and as many more as the chart has too few colours for."""
    columns = _columns(question)
    cause = frame[columns[0]].astype(str)
    order = [word for word in frame[columns[0]].cat.categories if (cause == word).any()]
    if len(columns) == 1:
        return pd.Categorical(cause, categories=order)
    state = frame[columns[1]].astype(str)
    states = list(frame[columns[1]].cat.categories)
    rare = sorted(order, key=lambda word: int((cause == word).sum()))
    whole = {word for word in order if (cause == word).mean() < RARE}
    while len(order) - len(whole) and len(whole) + (len(order) - len(whole)) * len(states) > len(CATEGORIES):
        whole.add(rare[len(whole)])
    words = np.where(cause.isin(list(whole)), cause, cause + ", " + state)
    kinds = [kind for word in order for kind in ([word] if word in whole else [f"{word}, {one}" for one in states])]
    return pd.Categorical(words, categories=[kind for kind in kinds if (words == kind).any()])


def _said(overall: pd.DataFrame, seats: int) -> str:
    """The causes in order of their share."""
    ordered = overall[overall["count"] > 0].sort_values("estimate", ascending=False)
    top = ordered.iloc[0]
    rest = [f"{row['category']} {rounded(row['estimate'])}" for _, row in ordered.iloc[1:].iterrows()]
    said = f"{at_seats(seats).capitalize()} {percent(top['estimate'])} of the falls come by {top['category']} "
    said += interval(top["low"], top["high"], top["n"], "falls")
    return said + (f"; {listed(rest)}." if rest else ".")


def _said_state(study: Study, frame: pd.DataFrame, question: Question) -> str:
    """Whose falls differ most from the others' in the second category."""
    if "by" not in question.roles:
        return ""
    column = question.roles["by"]
    shares = category_shares(frame, [column])
    last = shares[shares["category"] == shares["category"].cat.categories[-1]]
    whole = category_shares(frame.assign(name=_everybody(frame)), [column])
    states = [f"{percent(row['estimate'])} {row['category']}" for _, row in whole.iterrows()]
    known = last[last["n"] > 0].sort_values("estimate")
    label = study.measure(column).label.lower()
    said = f" {label.capitalize()}: {listed(states)}"
    if len(known) > 1:
        high, low = known.iloc[-1], known.iloc[0]
        said += (
            f"; {high['category']} most often {high['name']} ({percent(high['estimate'])}), least often {low['name']} "
        )
        said += f"({percent(low['estimate'])})"
    return said + "."


def _credits(study: Study, frame: pd.DataFrame, seats: int) -> Table:
    """Who throws whom out: for each that fell, how often which other one is credited."""
    credited = frame[frame["credited"] >= 0]
    names = categorical(credited["credited"].to_numpy(), list(frame["name"].cat.categories))
    shares = category_shares(credited.assign(who=names), ["who"])
    shares = shares[shares["count"] > 0].sort_values(["name", "estimate"], ascending=[True, False])
    columns = {"name": study.game.entrant_word, "category": "thrown out by", "count": "falls", "estimate": "share"}
    columns |= {"low": "low", "high": "high", "n": "n"}
    return table(shares, "falls-by-whom", f"Who throws whom out {at_seats(seats)}", columns, {"falls": "count"})
