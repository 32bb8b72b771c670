"""Reliability: how often chances came true, against what was said, a panel per number of seats and a colour per judgement."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.legend import LINE, legend, wrapped
from analysis.charts.style import AMBER, BLUE, FAINT, HAIR, HEADING, MUTED, PAPER, SMALL, WIDTH, Sheet
from analysis.charts.words import clean
from analysis.wording import counted, percent

LEFT, TOP, FOOT, GAP = 0.42, 0.62, 0.5, 0.3  # inches
WIDEST = 4.0  # inches: a panel is a square
LOOKS = ((BLUE, "o"), (AMBER, "s"), (MUTED, "^"))  # the first is what the chart is about
ASIDE = 0.008  # judgements stand so far beside each other, where they would cover each other
TICKS = (0, 0.25, 0.5, 0.75, 1)


@style.housed
def reliability(frame: pd.DataFrame, *, label: str = "winning chance as judged", level: float = 0.95) -> Figure:
    """Dots with intervals at what was said and what came true; on the dashed line both are the same.

    frame: seats, judgement (at most three), chance (mean of those said, 0..1), estimate, low, high (share that came true; nan:
    no interval), n.
    """
    style.require(frame, ("seats", "judgement", "chance", "estimate", "low", "high", "n"), "reliability")
    parts = style.groups(frame, "seats")
    if not parts:
        return style.nothing()
    kinds = [clean(str(kind)) for kind in dict.fromkeys(frame["judgement"])][: len(LOOKS)]
    across = min(len(parts), 3 if len(parts) == 3 else 2)
    side = min(WIDEST, (WIDTH - LEFT - GAP * (across - 1)) / across)
    head = 0.06 + LINE * len(wrapped(kinds, WIDTH - LEFT)) + 0.06
    down = -(-len(parts) // across)
    sheet = Sheet(WIDTH, head + down * (TOP + side + FOOT) + 0.12)
    marks = [{"marker": mark, "color": colour} for colour, mark in LOOKS[: len(kinds)]]
    legend(sheet, (LEFT, 0.06), kinds, marks)
    for at, (seats, part) in enumerate(parts):
        left, top = LEFT + (at % across) * (side + GAP), head + (at // across) * (TOP + side + FOOT)
        sheet.text(left, top + 0.13, style.seats_heading(seats), fontsize=HEADING, fontweight="bold")
        sheet.text(
            left, top + 0.31, f"{counted(list(style.column(part, 'n')))} games a dot", fontsize=SMALL, color=MUTED
        )
        axes = sheet.axes(left, top + TOP, side, side)
        _frame(axes, at % across == 0)
        for number, kind in reversed(list(enumerate(kinds))):
            _dots(axes, part[part["judgement"].map(lambda one: clean(str(one))) == kind], number)
        axes.set_xlabel(f"{clean(label)} \u2192", loc="right")
    sheet.text(0, head + TOP - 0.09, "\u2191 share of the win", fontsize=SMALL, color=MUTED)
    note = f"On the dashed line a judgement is as good as its word; whiskers: {percent(level, 0)} intervals over games"
    sheet.text(LEFT, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _frame(axes: Axes, first: bool) -> None:
    """A square of chances with its diagonal. first: of its row."""
    axes.plot([0, 1], [0, 1], color=FAINT, linewidth=0.9, linestyle=(0, (3, 3)), zorder=1, gid="diagonal")
    axes.set_xlim(-0.01, 1.01)
    axes.set_ylim(-0.01, 1.01)
    for axis, ticks in ((axes.xaxis, axes.set_xticks), (axes.yaxis, axes.set_yticks)):
        ticks(list(TICKS))
        style.percent_axis(axis)
    axes.grid(color=HAIR)
    axes.tick_params(labelleft=first)


def _dots(axes: Axes, part: pd.DataFrame, number: int) -> None:
    """One judgement. number: its place among them."""
    colour, mark = LOOKS[number]
    said = style.column(part, "chance") + ASIDE * ((number + 1) // 2) * (-1) ** number
    estimate, low, high = (style.column(part, name) for name in ("estimate", "low", "high"))
    known = np.isfinite(low) & np.isfinite(high)
    strength = 1.0 if number == 0 else 0.55
    tint = style.pale(colour, strength)
    axes.vlines(said[known], low[known], high[known], color=tint, linewidth=1.1, zorder=2 + strength, gid="interval")
    size = 24 if number == 0 else 15
    how: dict[str, Any] = {"marker": mark, "color": [tint], "edgecolor": PAPER, "linewidth": 0.5, "clip_on": False}
    axes.scatter(said, estimate, s=size, zorder=3 + strength, gid="dot", **how)
