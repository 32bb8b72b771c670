"""Survival curves: who is still in, turn by turn, for each place of falling."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.style import FAINT, HAIR, HEADING, INK, MUTED, SMALL, WIDTH, Sheet
from analysis.charts.words import clean, width_of
from analysis.wording import counted, number, percent

LEFT, TOP, HEIGHT, FOOT, GAP = 0.42, 0.5, 1.9, 0.62, 0.3  # inches
PER_ROW = 3
FULL = 0.01  # the axis ends where every curve of every panel has come down to this
ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th")


@style.housed
def survival(
    frame: pd.DataFrame, *, panels: str = "seats", turns: str = "turns", label: str = "turns", level: float = 0.95
) -> Figure:
    """Share of games in which the p-th to fall has not yet fallen, by turn; one panel per value of `panels`.

    frame: `panels`, faller (1 = first to fall), `turns` (rising), estimate (share still in, 0..1), n; optionally
    low and high. The waiting time of the one who is out is what lies right of its curve. level: of the pale bands,
    for the note.
    """
    style.require(frame, (panels, "faller", turns, "estimate", "n"), "survival")
    parts = style.groups(frame, panels)
    if not parts:
        return style.nothing()
    across = min(PER_ROW, len(parts))
    width = (WIDTH - LEFT - GAP * (across - 1)) / across
    down = -(-len(parts) // across)
    sheet = Sheet(WIDTH, down * (TOP + HEIGHT + FOOT))
    right = _right_end(frame, turns)
    for at, (value, part) in enumerate(parts):
        left, top = LEFT + (at % across) * (width + GAP), (at // across) * (TOP + HEIGHT + FOOT)
        sheet.text(left, top + 0.1, style.seats_heading(value), fontsize=HEADING, fontweight="bold")
        sheet.text(left, top + 0.28, counted(list(style.column(part, "n"))), fontsize=SMALL, color=MUTED)
        axes = sheet.axes(left, top + TOP, width, HEIGHT)
        _panel(axes, part, turns, right, width)
        axes.tick_params(labelleft=at % across == 0)
        axes.set_xlabel(label, loc="left")
    banded = "low" in frame.columns and "high" in frame.columns
    words = "Share not yet out; figures and dots are medians." + (
        f" Pale bands: {percent(level, 0)} intervals." if banded else ""
    )
    sheet.text(LEFT, sheet.height - 0.08, words, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _right_end(frame: pd.DataFrame, column: str) -> float:
    turns, alive = style.column(frame, column), style.column(frame, "estimate")
    still = turns[alive > FULL]
    return float(max(1.0, (still.max() if still.size else np.nanmax(turns)) + 1))


def _panel(axes: Axes, part: pd.DataFrame, column: str, right: float, inches: float) -> None:
    curves = style.groups(part, "faller")
    shades = style.SEQUENTIAL(np.linspace(0.95, 0.4, max(1, len(curves))))
    for line, ((faller, curve), colour) in enumerate(zip(curves, shades, strict=True)):
        turns, alive = style.column(curve, column), style.column(curve, "estimate")
        if "low" in curve.columns and "high" in curve.columns:
            low, high = style.column(curve, "low"), style.column(curve, "high")
            axes.fill_between(turns, low, high, step="post", color=colour, alpha=0.25, linewidth=0, gid="interval")
        axes.step(turns, alive, where="post", color=colour, linewidth=1.6, gid="curve")
        gone = turns[alive <= 0.5]
        median = float(gone.min()) if gone.size else np.nan
        if median <= right:
            axes.plot(
                [median], [0.5], "o", color=colour, markersize=4.5, markeredgecolor="white", zorder=4, gid="median"
            )
        _say(axes, inches, line, (f"{_ordinal(faller)} out: {number(median)}", colour))
    axes.axhline(0.5, color=FAINT, linewidth=0.7, linestyle=(0, (2, 2)), zorder=0.5)
    axes.set_xlim(0, right)
    axes.set_ylim(0, 1)
    axes.set_yticks([0, 0.5, 1])
    axes.grid(axis="y", color=HAIR)
    style.percent_axis(axes.yaxis)


def _say(axes: Axes, inches: float, line: int, said: tuple[str, Any]) -> None:
    """Say a curve's median in the upper right corner, which falling curves leave free. inches: width of the axes."""
    words, colour = said
    height = 0.96 - 0.095 * line
    how: dict[str, Any] = {"ha": "right", "va": "center_baseline", "fontsize": SMALL, "gid": "label"}
    label = axes.text(0.99, height, words, color=INK, transform=axes.transAxes, **how)
    label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1, "alpha": 0.85})
    left = 0.99 - (width_of(words, SMALL) + 0.12) / inches
    axes.plot([left], [height], "o", color=colour, markersize=4.5, transform=axes.transAxes, clip_on=False)


def _ordinal(place: object) -> str:
    if isinstance(place, (int, np.integer)) and 1 <= place <= len(ORDINALS):
        return ORDINALS[int(place) - 1]
    return clean(str(place))
