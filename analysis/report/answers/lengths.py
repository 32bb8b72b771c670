"""How long games last, by who plays whom."""

import numpy as np
import pandas as pd

from analysis import charts
from analysis.pace import length_distribution, quantiles, truncated_share
from analysis.report.answers.pairings import of_pairings
from analysis.report.answers.prose import interval, size
from analysis.report.answers.tables import highest, lowest, table
from analysis.report.model import Chart, Format, Section
from analysis.study import Study
from analysis.wording import count, percent
from sim.engine.measures import Question

ENDS = (0.1, 0.5, 0.9)
PANELS = 12  # pairings in the chart; where there are more, the shortest and the longest
ALL = "all pairings"


def lengths(study: Study, question: Question) -> Section | None:
    """Histogram and cumulative curve of the length, a small panel per pairing of entrants.

    Roles: length (measure per game; the turns, if absent).
    """
    games = of_pairings(study)
    if games is None:
        return None
    field = question.roles.get("length")
    unit = study.measure(field).unit or "turns" if field else "turns"
    games = games if field is None else games.assign(turns=games[field])
    names = list(games["pairing"].cat.categories)
    found = pd.DataFrame([_line(name, games[games["pairing"] == name]) for name in names])
    whole = pd.Series(_line(ALL, games))
    answer = _said(whole, found, unit, study.limit_words)
    shown = _ends(found) if len(names) > PANELS else names
    drawn = [
        length_distribution(part).assign(panel=name, truncated=truncated_share(part)["estimate"].iloc[0])
        for name in shown
        for part in [games[games["pairing"] == name]]
    ]
    caption = f"Length of the games in {unit}, a panel per pairing, with {study.policy} in both seats."
    caption += f" Shown are the {PANELS // 2} shortest and the {PANELS // 2} longest." if len(names) > PANELS else ""
    alt = f"Histograms with cumulative curves of the length of games, one panel per pairing. {answer}"
    columns = {"name": "pairing", "median": f"median, {unit}", "m_low": "low", "m_high": "high"}
    columns |= {"early": "10 % over by", "late": "90 % over by", "truncated": "stopped", "share": "share"}
    columns |= {"s_low": "share, low", "s_high": "share, high", "n": "n"}
    formats: dict[str, Format] = {"low": "number", "high": "number", "stopped": "count"}
    formats |= {"share, low": "percent", "share, high": "percent"}
    every = pd.concat([whole.to_frame().T.infer_objects(), found], ignore_index=True) if len(names) > 1 else found
    rows = table(every, question.id, "Lengths by pairing", columns, formats)
    note = "Stopped games count as longer than any length shown. Intervals of lengths are order statistics, of shares Wilson's."
    figure = charts.lengths(pd.concat(drawn, ignore_index=True), label=unit)
    return Section(question.id, question.text, answer, (Chart(question.id, figure, caption, alt),), (rows,), note)


def _line(name: str, games: pd.DataFrame) -> dict[str, object]:
    """Median with bounds, 10 % and 90 % points, and what was stopped."""
    reached = quantiles(games, ENDS).set_index("quantile")
    stopped = truncated_share(games).iloc[0]
    line: dict[str, object] = {"name": name, "early": reached["turns"][ENDS[0]], "late": reached["turns"][ENDS[2]]}
    line |= {"median": reached["turns"][ENDS[1]], "m_low": reached["low"][ENDS[1]], "m_high": reached["high"][ENDS[1]]}
    line |= {"truncated": int(stopped["truncated"]), "share": stopped["estimate"], "n": int(stopped["n"])}
    return line | {"s_low": stopped["low"], "s_high": stopped["high"]}


def _ends(found: pd.DataFrame) -> list[str]:
    """The pairings of the shortest and of the longest games, by the median; unknown medians are long."""
    order = found.assign(median=found["median"].fillna(np.inf)).sort_values("median", kind="stable")["name"]
    return [*order.iloc[: PANELS // 2], *order.iloc[-PANELS // 2 :]]


def _said(whole: pd.Series, found: pd.DataFrame, unit: str, limit: str) -> str:
    """Median and 10 to 90 % of all games, the shortest and the longest pairing, what is stopped."""
    if pd.isna(whole["median"]):
        said = f"Fewer than half of the games come to an end ({size(whole['n'])})"
    else:
        said = f"Half of the games are over after {count(whole['median'])} {unit} (95 % interval {count(whole['m_low'])} to "
        said += f"{count(whole['m_high'])}, {size(whole['n'])}), "
        said += f"one in ten after {count(whole['early'])}"
        said += f", nine in ten after {count(whole['late'])}" if pd.notna(whole["late"]) else ""
    known = found[found["median"].notna()]
    if len(known) > 1:
        short, long = lowest(known, "median"), highest(known, "median")
        differ = f"shortest is {short['name']} (median {count(short['median'])}), longest {long['name']} "
        differ += f"({count(long['median'])})"
        said += f"; {differ}" if long["median"] > short["median"] else "; no pairing differs from another in its median"
    stopped = (
        f"Stopped at {limit}: {percent(whole['share'], 2)} {interval(whole['s_low'], whole['s_high'], whole['n'])}"
    )
    if not whole["truncated"]:
        stopped = f"Stopped at {limit}: none (95 % interval 0 to {percent(whole['s_high'], 2)})"
    return f"{said}. {stopped}."
