"""Trend: win share against when something happened, one line per number of seats, each with its fair share."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from analysis.charts import style
from analysis.charts.labels import spread
from analysis.charts.style import BODY, HAIR, MUTED, SMALL, WIDTH, Sheet
from analysis.charts.words import clean, fit
from analysis.wording import count, percent

LEFT, TOP, HEIGHT, FOOT, RIGHT = 0.42, 0.2, 3.0, 0.62, 1.75  # inches
COLOURS = (style.BLUE, style.ORANGE, style.GREEN, style.PURPLE, style.AMBER, style.SKY)
NEVER = 0.13  # of the width of the axes: room of what never happened
DODGE = 0.012  # of the width of the axes: between the marks of two lines there
LABEL = 0.42  # inches between two labels


@style.housed
def trend(
    frame: pd.DataFrame,
    *,
    lines: str = "seats",
    x: str = "middle",
    x_label: str = "turn",
    y_label: str = "win share",
    level: float = 0.95,
) -> Figure:
    """Dots with intervals, joined by a line per value of `lines`; where `x` is not known ("never") apart, at the right.

    frame: `lines`, `x` (nan: never), estimate, low, high (shares 0..1), n, fair (nan where there is none; drawn dashed).
    """
    style.require(frame, (lines, x, "estimate", "low", "high", "n", "fair"), "trend")
    parts = style.groups(frame, lines)
    if not parts:
        return style.nothing()
    sheet = Sheet(WIDTH, TOP + HEIGHT + FOOT)
    width = WIDTH - LEFT - RIGHT
    axes = sheet.axes(LEFT, TOP, width, HEIGHT)
    known = style.column(frame, x)
    start = float(np.nanmin(known, initial=np.inf)) if np.isfinite(known).any() else 0.0
    end = float(np.nanmax(known, initial=start + 1))
    never = bool((np.isnan(known) & np.isfinite(style.column(frame, "estimate"))).any())
    right = end + (end - start) * (0.04 + (NEVER / (1 - NEVER) if never else 0))
    left = start - 0.04 * (end - start)
    axes.set_xlim(left, right)
    centre = right - 0.5 * NEVER * (right - left)
    for at, (_, part) in enumerate(parts):
        aside = centre + (at - (len(parts) - 1) / 2) * DODGE * (right - left)
        _line(axes, part, (x, aside), COLOURS[at % len(COLOURS)])
    top = float(np.nanmax([*style.column(frame, "high"), *style.column(frame, "fair"), 0.05]))
    axes.set_ylim(0, min(1.0, 1.06 * top))
    if never:
        axes.axvline(right - NEVER * (right - left), color=HAIR, linewidth=1)
        axes.text(centre, -0.035, "never", transform=axes.get_xaxis_transform(), ha="center", va="top", fontsize=SMALL)
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    axes.set_xticks([tick for tick in axes.get_xticks() if left <= tick <= end * 1.01])
    axes.grid(axis="y", color=HAIR)
    style.percent_axis(axes.yaxis)
    axes.set_xlabel(clean(x_label), loc="left")
    sheet.text(0, 0.02, f"\u2191 {clean(y_label)}", fontsize=SMALL, color=MUTED)
    _labels(sheet, axes, parts)
    note = f"Dashes: fair share. Whiskers: {percent(level, 0)} intervals."
    sheet.text(LEFT, sheet.height - 0.08, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _line(axes: Axes, part: pd.DataFrame, across: tuple[str, float], colour: str) -> None:
    """Dots of one line; across: the column of their places, and the place of what never happened."""
    column, aside = across
    values = {name: style.column(part, name) for name in (column, "estimate", "low", "high")}
    place, share, low, high = values.values()
    dated = np.isfinite(place)
    where = np.where(dated, place, aside)
    seen = np.isfinite(share)
    axes.vlines(where[seen], low[seen], high[seen], color=colour, linewidth=1.2, zorder=3, gid="interval")
    axes.plot(where[seen & dated], share[seen & dated], color=colour, linewidth=1.4, zorder=3, gid="line")
    dots: dict[str, Any] = {"edgecolor": colour, "linewidth": 1.2, "zorder": 4, "s": 26, "clip_on": False, "gid": "dot"}
    axes.scatter(where[seen & dated], share[seen & dated], facecolor=colour, **dots)
    axes.scatter(where[seen & ~dated], share[seen & ~dated], facecolor="white", **dots)
    fair = style.column(part, "fair")
    if np.isfinite(fair).any():
        axes.axhline(float(np.nanmax(fair)), color=colour, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1, gid="fair")


def _labels(sheet: Sheet, axes: Axes, parts: list[tuple[Any, pd.DataFrame]]) -> None:
    """Name each line at the right, about as high as it ends."""
    high = axes.get_ylim()[1]
    ends = np.array([np.nan_to_num(style.column(part, "estimate")[-1]) for _, part in parts])
    places = spread(TOP + HEIGHT * (1 - ends / high), LABEL, TOP + 0.1, TOP + HEIGHT - 0.2)
    for at, ((value, part), y) in enumerate(zip(parts, places, strict=True)):
        colour, fair, n = COLOURS[at % len(COLOURS)], style.column(part, "fair")[0], style.column(part, "n").sum()
        heading = fit(style.seats_heading(value), RIGHT - 0.2, BODY)
        sheet.text(WIDTH - RIGHT + 0.15, y, heading, color=colour, fontweight="bold", gid="label")
        said = f"fair {percent(fair)}" if np.isfinite(fair) else "no fair share"
        sheet.text(WIDTH - RIGHT + 0.15, y + 0.15, f"{said}, n = {count(n)}", fontsize=SMALL, color=MUTED)
