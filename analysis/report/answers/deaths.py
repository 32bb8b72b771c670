"""What happens to seats how often and why (deaths by cause), and when it first does."""

import numpy as np
import pandas as pd

from analysis.amounts import TOTAL, means
from analysis.charts import amounts, curves
from analysis.charts.style import CATEGORIES
from analysis.pace import happened, reached
from analysis.report.answers.prose import amount, at_seats, capital, listed, quantity, size
from analysis.report.answers.tables import highest, lowest, table, thinned
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Study
from analysis.wording import count, percent
from sim.engine.measures import Question

RARE = 0.02  # of the cases, on average over the numbers of seats: causes below this are drawn together
OTHER = "other"
ROWS = 32  # bars in the chart; where there are more only the most seats are drawn


def deaths(study: Study, question: Question) -> Section | None:
    """Stacked bars of the mean number by cause and entrant, and curves of the seats to which it has not happened yet.

    Roles: counts (measure per seat with one number per cause), turn (round or turn of the first, per seat; may be absent).
    Settings: rare (mean share of the cases below which causes are drawn together), never (value of turn where there was none).
    """
    roles = question.roles
    if "counts" not in roles:
        return None
    measure, word = study.measure(roles["counts"]), study.game.entrant_word
    whole = pd.concat([_means(study, seats, roles["counts"]) for seats in study.seats], ignore_index=True)
    if not whole["sum"].sum():
        return None
    unit = measure.unit or measure.label.lower()
    most = max(study.seats)
    answer = _said(whole[whole["seats"] == most], most, unit)
    rare = float(question.settings.get("rare", (str(RARE),))[0])
    chart = Chart(
        question.id,
        amounts(_drawn(whole, rare, most), unit=f"{unit} per game"),
        f"{capital(unit)} per game of each {word} by cause, with {study.policy} in every seat.",
        f"Stacked bars of {unit} per game by cause, one per {word}. {answer}",
    )
    charts, tables = [chart], [_totals(study, whole, unit), _causes(study, whole, unit)]
    note = "All games count, those that were stopped as far as they went. Causes that are rare among all are drawn together; "
    note += "the table has each."
    if "turn" in roles:
        said, chart, more = _first(study, question, most)
        answer, charts, tables = f"{answer} {said}", [*charts, chart], [*tables, more]
        note += " A game that ended before counts as one in which it did not happen, so that the curves stay up."
    return Section(question.id, question.text, answer, tuple(charts), tuple(tables), note)


def _means(study: Study, seats: int, field: str) -> pd.DataFrame:
    """Mean number by entrant and cause at so many seats; causes that never occur are left out."""
    whole = study.seats_frame
    found = means(whole[whole["seats"] == seats], ["name"], field, study.measure(field).parts)
    found = found.assign(seats=seats, sum=found["sum"].astype(np.int64), low=found["low"].clip(lower=0))
    return found[(found["sum"] > 0) | (found["part"] == TOTAL)]


def _drawn(whole: pd.DataFrame, rare: float, most: int) -> pd.DataFrame:
    """The frame of the bars: most frequent cause first, rare ones as OTHER, entrants with most first."""
    parts, totals = whole[whole["part"] != TOTAL], whole[whole["part"] == TOTAL]
    sums = parts.pivot_table(index="part", columns="seats", values="sum", aggfunc="sum", fill_value=0, sort=False)
    shares = (sums / sums.sum()).mean(axis=1).sort_values(ascending=False, kind="stable")  # every number of seats alike
    kept = [str(name) for name, share in shares.items() if share >= rare][: len(CATEGORIES)]
    if len(kept) < len(shares):
        kept = kept[: len(CATEGORIES) - 1]
    frame = parts.assign(category=parts["part"].where(parts["part"].isin(kept), OTHER))
    frame = frame.groupby(["seats", "name", "category"], observed=True)["estimate"].sum().reset_index()
    ends = totals.rename(columns={"estimate": "total"})[["seats", "name", "total", "low", "high", "n"]]
    frame = ends.merge(frame, on=["seats", "name"], how="left")
    frame = frame.assign(category=frame["category"].fillna(kept[0]), estimate=frame["estimate"].fillna(0.0))
    rank = {name: place for place, name in enumerate([*kept, OTHER])}
    frame = frame.assign(rank=frame["category"].map(rank))
    frame = frame.sort_values(["rank", "total"], ascending=[True, False], kind="stable")
    order = ends.sort_values(["seats", "total"], ascending=[True, False], kind="stable")[["seats", "name"]]
    frame = order.merge(frame, on=["seats", "name"], how="left")
    frame["category"] = pd.Categorical(frame["category"], [*kept, OTHER])
    return frame if len(ends) <= ROWS else frame[frame["seats"] == most]


def _totals(study: Study, whole: pd.DataFrame, unit: str) -> Table:
    columns = {"seats": "seats", "name": study.game.entrant_word, "sum": unit, "estimate": "per game"}
    formats: dict[str, Format] = {unit: "count", "low": "number", "high": "number"}
    shown = whole[whole["part"] == TOTAL]
    said = f"{capital(unit)} per game"
    return table(shown, "deaths", said, {**columns, "low": "low", "high": "high", "n": "n"}, formats)


def _causes(study: Study, whole: pd.DataFrame, unit: str) -> Table:
    columns = {"seats": "seats", "name": study.game.entrant_word, "part": "cause", "sum": unit, "estimate": "per game"}
    formats: dict[str, Format] = {unit: "count", "low": "number", "high": "number"}
    shown = whole[whole["part"] != TOTAL]
    shown = shown.sort_values(["seats", "name", "estimate"], ascending=[True, True, False], kind="stable")
    said = f"{capital(unit)} per game by cause"
    return table(shown, "deaths-by-cause", said, {**columns, "low": "low", "high": "high", "n": "n"}, formats)


def _said(part: pd.DataFrame, seats: int, unit: str) -> str:
    """Who has most and fewest, and the causes in order of their share."""
    totals, causes = part[part["part"] == TOTAL], part[part["part"] != TOTAL]
    if not causes["sum"].sum():
        return f"{capital(at_seats(seats))} there are no {unit}."
    top, bottom = highest(totals, "estimate"), lowest(totals, "estimate")
    said = f"{capital(at_seats(seats))} {top['name']} has {amount(top['estimate'])} {unit} per game "
    said += quantity(top["low"], top["high"], top["n"], "games")
    if len(totals) > 1:
        said += f", the most, and {bottom['name']} {amount(bottom['estimate'])} "
        said += f"{quantity(bottom['low'], bottom['high'], bottom['n'], 'games')}, the fewest"
    shares = (causes.groupby("part")["sum"].sum() / causes["sum"].sum()).sort_values(ascending=False, kind="stable")
    named = [f"{name} {percent(share)}" for name, share in shares.items()]
    return f"{said}. Of all {count(causes['sum'].sum())} the causes are {listed(named)}."


def _first(study: Study, question: Question, most: int) -> tuple[str, Chart, Table]:
    """Sentence, curves and table of when it first happens."""
    column = question.roles["turn"]
    measure, word = study.measure(column), study.game.entrant_word
    never = int(question.settings.get("never", ("0",))[0])
    whole = study.seats_frame
    found = [
        happened(whole[whole["seats"] == seats].sort_values("entrant", kind="stable"), column, "name", never).assign(
            seats=seats
        )
        for seats in study.seats
    ]
    frame = pd.concat(found, ignore_index=True)
    unit = measure.unit or "turns"
    said = _first_said(frame[frame["seats"] == most], most, unit, word)
    caption = f"{measure.label}: share of the games in which it has not come yet, one line per {word}, with {study.policy} in "
    caption += "every seat."
    alt = f"Falling curves, one per {word}, a panel per number of seats. {said}"
    chart = Chart(f"{question.id}-first", curves(frame, label=unit, falling=True), caption, alt)
    left = {"estimate": 1 - frame["estimate"], "low": 1 - frame["high"], "high": 1 - frame["low"]}
    shown = thinned(frame.assign(**left), ["seats", "name"])
    columns = {
        "seats": "seats",
        "name": word,
        "turns": unit,
        "estimate": "share",
        "low": "low",
        "high": "high",
        "n": "n",
    }
    return said, chart, table(shown, "first-deaths", f"{measure.label}: not yet come, by {unit}", columns)


def _first_said(frame: pd.DataFrame, seats: int, unit: str, word: str) -> str:
    """Who is struck first and last, by the middle of the games."""
    last = frame.groupby("name", observed=True, sort=False).tail(1)
    free = last.assign(estimate=1 - last["estimate"], low=1 - last["high"], high=1 - last["low"])
    top = highest(free, "estimate")
    middles = {name: reached(part) for name, part in frame.groupby("name", observed=True, sort=False)}
    struck = sorted((when, str(name)) for name, when in middles.items() if not np.isnan(when))
    said = f"{at_seats(seats)} {percent(top['estimate'])} of the games leave {top['name']} without any "
    said += f"(95 % interval {100 * top['low']:.1f} to {percent(top['high'])}, {size(top['n'])}), the most"
    if not struck:
        return f"{capital(said)}; no {word} sees it in half of its games."
    early, late = struck[0], struck[-1]
    said += f"; in half of its games {early[1]} has had its first after {count(early[0])} {unit}"
    return capital(said + (f", {late[1]} after {count(late[0])}." if len(struck) > 1 else "."))
