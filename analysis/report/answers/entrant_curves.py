"""How an amount runs over the own turns of each entrant."""

import numpy as np
import pandas as pd

from analysis.amounts import rates
from analysis.charts import strips
from analysis.report.answers.members import contest, numbers
from analysis.report.answers.prose import amount, at_seats, capital, listed, quantity
from analysis.report.answers.tables import highest, lowest, table
from analysis.report.model import Chart, Format, Section
from analysis.study import Study, finished
from analysis.wording import count, percent
from sim.engine.measures import Question

REACH = (0.1, 0.9)  # quantiles that the bands show
STILL_ON, LEAST = 0.05, 20  # share and number of seats from which on a turn is shown
PANELS = 8  # entrants in the chart; where there are more, those with most and fewest


def entrant_curves(study: Study, question: Question) -> Section | None:
    """Means by own turn with bands of quantiles, a panel per entrant, at the fewest seats with an opponent.

    Roles: curve (measure per seat with one number per own turn, nan beyond the last). Settings: turn (what a turn is called).
    """
    if "curve" not in question.roles or not study.contests:
        return None
    seats, measure = contest(study), study.measure(question.roles["curve"])
    frame = finished(study.seats_frame, seats)
    found = _curves(frame, numbers(frame, measure), study.names)
    if found.empty:
        return None
    turn = question.settings.get("turn", ("turn",))[0]
    answer = _said(found, measure.label, turn, seats)
    kept = _kept(found)
    drawn = found[found["line"].isin(kept)].rename(
        columns={"q_low": "low", "q_high": "high", "low": "m_low", "high": "m_high"}
    )
    figure = strips(drawn, x_label=f"end of {turn}", y_label=measure.label.lower(), reach=REACH)
    ends = " to ".join(percent(end, 0) for end in REACH)
    caption = f"{measure.label} of each {study.game.entrant_word} at the end of every {turn}: means and, pale, the middle of the "
    caption += f"seats ({ends}). {capital(at_seats(seats))}, with {study.policy} in every seat."
    caption += f" Only the {PANELS} with most and fewest." if len(kept) < found["line"].nunique() else ""
    alt = f"Lines with bands over the {turn}s, a panel per {study.game.entrant_word}. {answer}"
    columns = {"line": study.game.entrant_word, "x": f"end of {turn}", "mean": "mean", "low": "low", "high": "high"}
    columns |= {"q_low": f"quantile {percent(REACH[0], 0)}", "q_high": f"quantile {percent(REACH[1], 0)}"}
    columns |= {"on": "seats that come to it", "n": "n"}
    formats: dict[str, Format] = {"low": "number", "high": "number", "seats that come to it": "percent"}
    shown = table(found, question.id, measure.label, columns, formats)
    note = "Finished games. A seat counts as long as it takes turns, so that later points are those of longer games; shown while "
    note += (
        f"{percent(STILL_ON, 0)} of the seats are on. Intervals take the seats of a game as one observation. n: seats."
    )
    chart = Chart(question.id, figure, caption, alt)
    return Section(question.id, question.text, answer, (chart,), (shown,), note)


def _curves(frame: pd.DataFrame, values: np.ndarray, names: list[str]) -> pd.DataFrame:
    """One line per entrant and turn: line, x, mean, low, high (of the mean), q_low, q_high, n, on."""
    game, entrant = frame["game"].to_numpy(), frame["entrant"].to_numpy(np.int64)
    lines = []
    for code, name in enumerate(names):
        own = entrant == code
        for turn in range(values.shape[1]):
            known = own & np.isfinite(values[:, turn])
            n = int(known.sum())
            if n < max(LEAST, STILL_ON * own.sum()):
                break
            one = values[known, turn]
            centre = rates(game[known], np.zeros(n, np.int64), one, np.ones(n)).iloc[0]
            ends = np.quantile(one, REACH, method="inverted_cdf")
            facts = {
                "line": name,
                "x": turn + 1,
                "mean": centre["estimate"],
                "low": centre["low"],
                "high": centre["high"],
            }
            lines.append({**facts, "q_low": ends[0], "q_high": ends[1], "n": n, "on": n / own.sum()})
    return pd.DataFrame(lines)


def _peaks(found: pd.DataFrame) -> pd.DataFrame:
    """By entrant the turn at which its mean is highest."""
    return found.loc[found.groupby("line", sort=False)["mean"].idxmax()]


def _kept(found: pd.DataFrame) -> list[str]:
    """Entrants that are drawn, in their order."""
    names = list(dict.fromkeys(found["line"]))
    if len(names) <= PANELS:
        return names
    ordered = list(_peaks(found).sort_values("mean", kind="stable")["line"])
    chosen = {*ordered[: PANELS // 2], *ordered[-(PANELS // 2) :]}
    return [name for name in names if name in chosen]


def _said(found: pd.DataFrame, label: str, turn: str, seats: int) -> str:
    """The means when half of the seats are still on, and where each is highest."""
    on = found.groupby("x")["on"].mean()
    middle = int(on[on >= 1 / 2].index.max()) if (on >= 1 / 2).any() else int(on.index.min())
    then = found[found["x"] == middle]
    top, bottom = highest(then, "mean"), lowest(then, "mean")
    said = f"{capital(at_seats(seats))}, at the end of {turn} {count(middle)}, the mean of {label.lower()} is "
    said += f"{amount(top['mean'])} {quantity(top['low'], top['high'], top['n'], 'seats')} with {top['line']}"
    if len(then) > 1:
        said += f", the highest, and {amount(bottom['mean'])} "
        said += f"{quantity(bottom['low'], bottom['high'], bottom['n'], 'seats')} with {bottom['line']}, the lowest"
    peaks = _peaks(found)
    named = [f"{row['line']} at {turn} {count(row['x'])} ({amount(row['mean'])})" for _, row in peaks.iterrows()]
    return f"{said}. It peaks for {listed(named)}."
