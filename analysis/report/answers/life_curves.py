"""How what both sides have left runs over the game: winners beside losers, and how many games are still on."""

import numpy as np
import pandas as pd

from analysis.charts import bands
from analysis.estimates import mean
from analysis.report.answers.members import contest, numbers
from analysis.report.answers.prose import amount, article, at_seats, capital, quantity
from analysis.report.answers.tables import highest, table
from analysis.report.model import Chart, Format, Section
from analysis.study import Study, finished
from analysis.wording import count, percent
from sim.engine.measures import Question

REACH = (0.1, 0.9)  # quantiles that the bands show
STILL_ON, LEAST = 0.02, 20  # share and number of games from which on a turn is shown
SIDES = ("winners", "losers")


def life_curves(study: Study, question: Question) -> Section | None:
    """Means of winners and losers after every turn with bands of quantiles, over the share of the games still on.

    Roles: curve (measure per seat with one number per turn, nan once the game is over). Settings: turn (what one turn is called).
    """
    field = question.roles.get("curve")
    if field is None or not study.contests:
        return None
    seats, measure = contest(study), study.measure(field)
    frame = finished(study.seats_frame, seats)
    found = _curves(numbers(frame, measure), frame["won"].to_numpy(bool), seats)
    if found.empty:
        return None
    turn = question.settings.get("turn", ("turn",))[0]
    answer = _said(found, measure.label, turn, seats)
    drawn = found.rename(columns={"q_low": "low", "q_high": "high"})
    figure = bands(drawn, x_label=f"after {turn}", y_label=measure.label.lower(), reach=REACH)
    ends = " to ".join(percent(end, 0) for end in REACH)
    caption = f"{measure.label} of winners and losers after every {turn}, means and, pale, the middle of the games "
    caption += f"({ends}); below, the share of the games that come to it. "
    caption += f"{capital(at_seats(seats))}, with {study.policy} in every seat."
    alt = f"Lines of winners and losers with bands over the {turn}s, and the share of games still on. {answer}"
    columns = {"x": f"after {turn}", "line": "who", "mean": "mean", "m_low": "low", "m_high": "high"}
    columns |= {"q_low": f"quantile {percent(REACH[0], 0)}", "q_high": f"quantile {percent(REACH[1], 0)}"}
    columns |= {"on": "games that come to it", "n": "n"}
    formats: dict[str, Format] = {"low": "number", "high": "number", "games that come to it": "percent"}
    shown = table(found, question.id, measure.label, columns, formats)
    note = f"Finished games. {capital(article(turn))} that ends a game counts; after it the game is left out, so that the later "
    note += f"points are those of longer games, and a line can rise. Shown as long as {percent(STILL_ON, 0)} of the games are "
    note += "on. Intervals of means: Student's t. n: seats."
    chart = Chart(question.id, figure, caption, alt)
    return Section(question.id, question.text, answer, (chart,), (shown,), note)


def _curves(values: np.ndarray, won: np.ndarray, seats: int) -> pd.DataFrame:
    """One line per turn and side: line, x, mean, m_low, m_high, q_low, q_high, n, on."""
    lines = []
    games = len(values) // seats
    for turn in range(values.shape[1]):
        known = np.isfinite(values[:, turn])
        on = known.sum() / seats
        if on < max(LEAST, STILL_ON * games):
            break
        for line, side in zip(SIDES, (won, ~won), strict=True):
            one = values[known & side, turn]
            if one.size < LEAST:
                continue
            centre, ends = mean(one), np.quantile(one, REACH)
            facts = {"line": line, "x": turn + 1, "mean": centre.estimate, "m_low": centre.low, "m_high": centre.high}
            lines.append({**facts, "q_low": ends[0], "q_high": ends[1], "n": one.size, "on": on / games})
    return pd.DataFrame(lines)


def _said(found: pd.DataFrame, label: str, turn: str, seats: int) -> str:
    """Both sides when half of the games are over, and where they are farthest apart."""
    wide = found.pivot_table(index="x", columns="line", values=["mean", "m_low", "m_high", "n", "on"])
    if not set(SIDES) <= set(wide["mean"].columns):
        return f"{capital(at_seats(seats))} there are winners without losers or the other way round."
    on = wide["on"][SIDES[0]]
    middle = on[on <= 1 / 2].index.min() if (on <= 1 / 2).any() else on.index.max()
    told = []
    for side in SIDES:
        row = {name: float(wide[name][side][middle]) for name in ("mean", "m_low", "m_high", "n")}
        told.append(f"{amount(row['mean'])} for {side} {quantity(row['m_low'], row['m_high'], row['n'])}")
    apart = (wide["mean"][SIDES[0]] - wide["mean"][SIDES[1]]).rename("apart").reset_index()
    top = highest(apart, "apart")
    said = f"{capital(at_seats(seats))}, after {turn} {count(middle)}, which {percent(float(on[middle]))} of the games "
    said += (
        f"reach, {label.lower()} is {' and '.join(told)}. They are farthest apart after {turn} {count(top['x'])}, by "
    )
    said += f"{amount(top['apart'])}."
    return said
