"""The chart of a weighed game: from a weighing to the frames that `charts.course` draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from analysis.frames import distinct
from analysis.watching import seat_names
from analysis.weighing import Weighing

if TYPE_CHECKING:  # most commands draw nothing
    from matplotlib.figure import Figure

DRAWN = ("blunder", "mistake")  # marks of decisions; an inaccuracy is no landmark


def lines_of(weighing: Weighing) -> pd.DataFrame:
    """The judged chance of every seat before every decision, and at the end: columns line, x, turn, estimate."""
    names, moves = _names(weighing), weighing.played.moves
    parts = [
        pd.DataFrame(
            {"line": name, "x": range(len(moves)), "turn": moves["turn"] + 1, "estimate": weighing.judged[:, seat]}
        )
        for seat, name in enumerate(names)
    ]
    found = pd.concat(parts, ignore_index=True)
    last = len(moves) - 1
    over = last > 0 and moves["turn"][last] > moves["turn"][last - 1]  # the end opens no turn of its own
    return found.assign(turn=found["turn"].mask((found["x"] == last) & over, int(moves["turn"][last])))


def marks_of(weighing: Weighing) -> pd.DataFrame:
    """Blunders, mistakes and luck: columns line, x, kind. Luck stands where it is to be seen: at the next line."""
    names = _names(weighing)
    found = [
        (names[one.seat], line, one.mark) for line, one in weighing.decisions.items() if one.mark in DRAWN
    ]  # before the decision is carried out
    for line in range(len(weighing.luck) - 1):
        moved = weighing.lucky(line)
        gained = [seat for seat, by in moved.items() if by > 0]
        kind = "lucky" if gained else "unlucky"
        found += [(names[seat], line + 1, kind) for seat in gained or moved]
    return pd.DataFrame(found, columns=["line", "x", "kind"])


def figure(weighing: Weighing) -> Figure:
    """Draw a game's course."""
    from analysis.charts.course import course  # noqa: PLC0415 - only where a chart is wanted

    turning = weighing.turning_point
    note = (
        f"Lines: chance as the game's own judgement has it, made to add up to 1; decisions marked by {weighing.policy}"
    )
    return course(lines_of(weighing), marks_of(weighing), turning=turning, note=note)


def _names(weighing: Weighing) -> list[str]:
    """Names of the seats, told apart."""
    return distinct(seat_names(weighing.experiment, weighing.played))
