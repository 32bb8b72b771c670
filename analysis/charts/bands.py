"""Bands: how an amount runs over the turns of a game, by group, and how many games are still on."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from analysis.charts import style
from analysis.charts.labels import spread
from analysis.charts.style import BAND, BODY, FAINT, HAIR, MUTED, SMALL, STRONG, WEAK, WIDTH, Sheet
from analysis.charts.words import clean, fit
from analysis.wording import counted, number, percent

LEFT, TOP, HEIGHT, GAP, LOW, FOOT, RIGHT = 0.42, 0.2, 2.4, 0.36, 0.6, 0.62, 1.35  # inches
COLOURS = (STRONG, WEAK, style.GREEN, style.PURPLE)
LABEL = 0.36  # inches between two labels


@style.housed
def bands(
    frame: pd.DataFrame, *, x_label: str = "turns", y_label: str = "amount", reach: tuple[float, float] = (0.1, 0.9)
) -> Figure:
    """Means by turn, one line per value of `line`, with a pale band from one quantile to another; below, games still on.

    frame: line, x (rising), mean, low, high (quantiles; drawn as the band), n, on (share of the games still on, 0..1). reach:
    which quantiles the band goes from and to, for the note. Two lines are orange and blue: those ahead first.
    """
    style.require(frame, ("line", "x", "mean", "low", "high", "n", "on"), "bands")
    parts = style.groups(frame, "line")
    if not parts:
        return style.nothing()
    sheet = Sheet(WIDTH, TOP + HEIGHT + GAP + LOW + FOOT)
    width = WIDTH - LEFT - RIGHT
    axes = sheet.axes(LEFT, TOP, width, HEIGHT)
    for at, (_, part) in enumerate(parts):
        _line(axes, part, COLOURS[at % len(COLOURS)])
    turns = style.column(frame, "x")
    limits = (float(np.nanmin(turns)) - 0.3, float(np.nanmax(turns)) + 0.3)
    axes.set_xlim(limits)
    axes.set_ylim(0, 1.04 * float(np.nanmax([*style.column(frame, "high"), *style.column(frame, "mean"), 0.1])))
    axes.grid(axis="y", color=HAIR)
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    axes.tick_params(labelbottom=False)
    sheet.text(0, 0.04, f"\u2191 {clean(y_label)}", fontsize=SMALL, color=MUTED)
    _labels(sheet, axes, parts)
    below = sheet.axes(LEFT, TOP + HEIGHT + GAP, width, LOW)
    _still_on(below, parts[0][1], limits)
    below.set_xlabel(clean(x_label), loc="left")
    sheet.text(LEFT, TOP + HEIGHT + GAP - 0.13, "games that come to it", fontsize=SMALL, color=MUTED)
    ends = " to ".join(percent(end, 0) for end in reach)
    note = (
        f"Lines: means of the games still on; bands: {ends} of these games; "
        f"{counted(list(style.column(frame, 'n')))} seats per dot"
    )
    sheet.text(LEFT, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _line(axes: Axes, part: pd.DataFrame, colour: str) -> None:
    x, mean, low, high = (style.column(part, name) for name in ("x", "mean", "low", "high"))
    axes.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0, gid="band")
    axes.plot(x, mean, color=colour, linewidth=1.8, marker="o", markersize=3.2, zorder=3, gid="line")


def _still_on(axes: Axes, part: pd.DataFrame, limits: tuple[float, float]) -> None:
    x, on = style.column(part, "x"), style.column(part, "on")
    axes.fill_between(x, 0, on, color=BAND, linewidth=0, gid="on")
    axes.plot(x, on, color=FAINT, linewidth=1.2)
    axes.set_xlim(limits)
    axes.set_ylim(0, 1.02)
    axes.set_yticks([0, 0.5, 1])
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    style.percent_axis(axes.yaxis)


def _labels(sheet: Sheet, axes: Axes, parts: list[tuple[Any, pd.DataFrame]]) -> None:
    """Name each line at the right, about as high as it ends."""
    high = axes.get_ylim()[1]
    ends = np.array([np.nan_to_num(style.column(part, "mean")[-1]) for _, part in parts])
    places = spread(TOP + HEIGHT * (1 - ends / high), LABEL, TOP + 0.1, TOP + HEIGHT - 0.2)
    x = WIDTH - RIGHT + 0.15
    for at, ((name, part), y) in enumerate(zip(parts, places, strict=True)):
        sheet.text(
            x, y, fit(str(name), RIGHT - 0.15, BODY), color=COLOURS[at % len(COLOURS)], fontweight="bold", gid="label"
        )
        first, last = (float(style.column(part, "mean")[end]) for end in (0, -1))
        said = f"{number(first)} to {number(last)}"
        sheet.text(x, y + 0.15, fit(said, RIGHT - 0.15, SMALL), fontsize=SMALL, color=MUTED)
