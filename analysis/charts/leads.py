"""Leads: the chance of the side that is ahead, by how far it is ahead; a smooth line per turn, and the dots of one turn."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from analysis.charts import style
from analysis.charts.labels import spread
from analysis.charts.style import BODY, FAINT, HAIR, INK, MUTED, SEQUENTIAL, SMALL, STRONG, WIDTH, Sheet
from analysis.charts.words import clean, fit
from analysis.wording import count, counted, number, percent

LEFT, TOP, HEIGHT, FOOT, RIGHT = 0.46, 0.26, 3.0, 0.62, 1.45  # inches
LABEL = 0.34  # inches between two labels
EVEN = 0.5
SHADES = (0.45, 0.95)  # of the thin lines, from the first turn to the last


@style.housed
def leads(
    frame: pd.DataFrame,
    *,
    main: str | None = None,
    dots: pd.DataFrame | None = None,
    x_label: str = "lead",
    level: float = 0.95,
) -> Figure:
    """Chance of the side ahead by its lead, from one half on: lines with a band for `main`, thin ones for the others.

    frame: line (its name), x (lead, rising from 0), estimate, low, high (shares 0..1), n (games behind the line). main: name of
    the line that is drawn strong, the first if None. dots: middle, estimate, low, high, n of bins of the main line's games.
    """
    style.require(frame, ("line", "x", "estimate", "low", "high", "n"), "leads")
    parts = style.groups(frame, "line")
    if not parts:
        return style.nothing()
    main = str(parts[0][0]) if main is None else main
    sheet = Sheet(WIDTH, TOP + HEIGHT + FOOT)
    axes = sheet.axes(LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT)
    shades = SEQUENTIAL(np.linspace(*SHADES, len(parts)))
    looks = [
        (STRONG, 2.2) if str(name) == main else (shade, 1.2) for (name, _), shade in zip(parts, shades, strict=True)
    ]
    for (name, part), look in zip(parts, looks, strict=True):
        _line(axes, part, look, str(name) == main)
    if dots is not None and len(dots):
        _dots(axes, dots)
    _axes(axes, frame, dots, clean(x_label))
    sheet.text(0, 0.05, "\u2191 the side ahead wins", fontsize=SMALL, color=MUTED)
    _labels(sheet, axes, parts, looks)
    note = f"Lines: logistic curves, band {percent(level, 0)}"
    if dots is not None and len(dots):
        note += f"; dots with {percent(level, 0)} intervals: {counted(list(style.column(dots, 'n')))} games each"
    sheet.text(LEFT, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _line(axes: Axes, part: pd.DataFrame, look: tuple[Any, float], strong: bool) -> None:
    x, estimate, low, high = (style.column(part, name) for name in ("x", "estimate", "low", "high"))
    colour, width = look
    if strong:
        axes.fill_between(x, low, high, color=colour, alpha=0.16, linewidth=0, zorder=1.5, gid="band")
    axes.plot(x, estimate, color=colour, linewidth=width, zorder=3 if strong else 2, gid="line")


def _dots(axes: Axes, dots: pd.DataFrame) -> None:
    x, estimate, low, high = (style.column(dots, name) for name in ("middle", "estimate", "low", "high"))
    axes.vlines(x, low, high, color=INK, linewidth=1.1, zorder=4, gid="interval")
    axes.scatter(x, estimate, s=22, facecolor="white", edgecolor=INK, linewidth=1.2, zorder=5, gid="dot", clip_on=False)


def _axes(axes: Axes, frame: pd.DataFrame, dots: pd.DataFrame | None, x_label: str) -> None:
    """From no lead to the longest line, and from a little below one half to all."""
    right = float(np.nanmax([*style.column(frame, "x"), *(style.column(dots, "middle") if dots is not None else [])]))
    tables = [frame] if dots is None else [frame, dots]
    ends = [end for table in tables for name in ("estimate", "low") for end in style.column(table, name)]
    least = float(np.nanmin([*ends, EVEN]))
    axes.set_xlim(0, right * 1.02 if right > 0 else 1)
    most = float(np.nanmax([*(end for table in tables for end in style.column(table, "high")), *ends, EVEN]))
    axes.set_ylim(max(0.0, min(0.46, least - 0.02)), min(1.0, np.ceil(10 * most + 0.3) / 10))
    axes.axhline(EVEN, color=FAINT, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1, gid="even")
    axes.grid(axis="y", color=HAIR)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value) if value <= 0 else f"+{number(value)}"))
    style.percent_axis(axes.yaxis)
    axes.set_xlabel(x_label, loc="left")


def _labels(sheet: Sheet, axes: Axes, parts: list[tuple[Any, pd.DataFrame]], looks: list[tuple[Any, float]]) -> None:
    """Name each line at the right, about as high as it ends."""
    low, high = axes.get_ylim()
    ends = np.array([np.nan_to_num(style.column(part, "estimate")[-1]) for _, part in parts])
    places = spread(TOP + HEIGHT * (high - ends) / (high - low), LABEL, TOP + 0.05, TOP + HEIGHT - 0.2)
    x, room = WIDTH - RIGHT + 0.14, RIGHT - 0.14
    for (name, part), (colour, width), y in zip(parts, looks, places, strict=True):
        strong = "bold" if width > 2 else "normal"
        sheet.text(x, y, fit(str(name), room, BODY, bold=True), color=colour, fontweight=strong, gid="label")
        sheet.text(x, y + 0.145, f"n = {count(style.column(part, 'n')[0])}", fontsize=SMALL, color=MUTED)
