"""The chart of a weighed game: from a weighing to the frames that `charts.course` draws, and into a file."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from analysis.frames import distinct
from analysis.report.files import write_bytes, write_text
from analysis.watching import seat_names
from analysis.weighing import Weighing

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


def draw(weighing: Weighing, target: Path) -> None:
    """Draw a game's course into a PNG or SVG file. Raises ReportError."""
    from analysis.charts import render  # noqa: PLC0415 - only where a chart is wanted
    from analysis.charts.course import course  # noqa: PLC0415

    turning = weighing.turning_point
    note = (
        f"Lines: chance as the game's own judgement has it, made to add up to 1; decisions marked by {weighing.policy}"
    )
    figure = course(lines_of(weighing), marks_of(weighing), turning=turning, note=note)
    if target.suffix.lower() == ".png":
        write_bytes(target, render.png(figure))
    else:
        write_text(target, render.svg_file(render.svg(figure, "course", "Winning chances through one game")))


def _names(weighing: Weighing) -> list[str]:
    """Names of the seats, told apart."""
    return distinct(seat_names(weighing.experiment, weighing.played))
