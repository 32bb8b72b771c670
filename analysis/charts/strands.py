"""Strands: what every name is worth in one column after the other, a line per name."""

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.charts import style
from analysis.charts.labels import spread
from analysis.charts.style import BAND, BODY, FAINT, HAIR, INK, MUTED, SMALL, STRONG, WEAK, WIDTH, Sheet
from analysis.charts.words import column, fit
from analysis.wording import counted, percent, points

TOP, LEAST, FOOT = 0.52, 1.9, 0.3  # inches
LINE = 0.145  # inches between labels
TALL = 1.2  # times as tall as the labels alone: values are bunched, and their labels must not stand far from them
WIDEST_NAME, SCALE = 1.75, 0.42  # widths of the columns of names and of the figures of the scale
APART, AWAY = 0.38, 0.05  # inches from an outer column to its labels, and from either of them to the line between
BESIDE = 0.022  # of the way between two columns: how far intervals stand apart
INCH = 72.0  # points


@style.housed
def strands(
    frame: pd.DataFrame, *, columns: str = "column", label: str = "points of the win rate", level: float = 0.95
) -> Figure:
    """Differences of shares round nought by column, in the order given, and a line per name from each column to the next.

    frame: `columns`, name, estimate, low, high, n (all names in every column), sure (whether the name moved from the column
    before beyond chance: that piece of its line is coloured, with the intervals of its ends). label: words for the scale.
    """
    style.require(frame, (columns, "name", "estimate", "low", "high", "n", "sure"), "strands")
    groups = style.groups(frame, columns)
    if not groups:
        return style.nothing()
    titles = [str(title) for title, _ in groups]
    parts = [part.set_index(part["name"].astype(str)) for _, part in groups]
    height = max(LEAST, TALL * LINE * (len(parts[0]) + 1))
    sheet = Sheet(WIDTH, TOP + height + FOOT)
    wide = column(style.texts(frame, "name"), SMALL, WIDEST_NAME)
    left = SCALE + wide + APART
    width = WIDTH - left - wide - APART
    entries = [("rises beyond chance", {"color": STRONG}), ("falls beyond chance", {"color": WEAK})]
    sheet.key(0, 0.06, [*entries, ("may be chance", {"color": FAINT})])
    axes = sheet.axes(left, TOP, width, height)
    _ground(axes, parts, wide)
    _titles(sheet, titles, left, width)
    moved = [_piece(axes, at, *both) for at, both in enumerate(pairwise(parts))]
    inch = (axes.get_xlim()[1] - axes.get_xlim()[0]) / width, np.ptp(axes.get_ylim()) / height
    for side, part in ((-1, parts[0]), (1, parts[-1])):
        _labels(axes, part, set().union(*moved), (side, wide, inch))
    half = float(np.nanmedian(style.column(frame, "high") - style.column(frame, "low"))) / 2
    note = f"{label}; bars: {percent(level, 0)} intervals where beyond chance, others about \u00b1{points(half)[1:]}; "
    note += counted(list(style.column(frame, "n")))
    sheet.text(0, sheet.height - 0.06, fit(note, WIDTH, SMALL), fontsize=SMALL, color=MUTED)
    return sheet.figure


def _ground(axes: Axes, parts: list[pd.DataFrame], wide: float) -> None:
    """Scale, columns, the line of nought, and a dot per name and column."""
    ends = [0.0]
    for at, part in enumerate(parts):
        value = style.column(part, "estimate")
        how: dict[str, Any] = {"s": 9, "linewidth": 0, "zorder": 4, "clip_on": False, "gid": "dot"}
        axes.scatter(np.full(len(part), at), value, color=MUTED, **how)
        axes.axvline(at, color=BAND, linewidth=6, zorder=0, clip_on=False)
        ends += [*value[np.isfinite(value)]]
    for before, after in pairwise(parts):
        for name in _sure(after):
            ends += [end for part in (before, after) for end in _bounds(part, name)]
    low, high = float(np.nanmin(ends)), float(np.nanmax(ends))
    room = max(0.03 * (high - low), 0.002)
    axes.set_xlim(0, max(1, len(parts) - 1))
    axes.set_ylim(low - room, high + room)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    ticks = 100 * axes.get_yticks()
    digits = 0 if np.allclose(ticks, np.round(ticks), atol=1e-6) else 1
    axes.yaxis.set_major_formatter(FuncFormatter(lambda tick, _: points(tick, digits)))
    axes.tick_params(axis="y", length=0, pad=(APART + wide + AWAY) * INCH, labelcolor=MUTED)
    axes.grid(axis="y", color=HAIR)
    axes.axhline(0, color=MUTED, linewidth=0.8, zorder=1, gid="zero")


def _titles(sheet: Sheet, titles: list[str], left: float, width: float) -> None:
    """The columns by name, the outer ones over their ends."""
    last = len(titles) - 1
    for at, title in enumerate(titles):
        side = "left" if at == 0 else "right" if at == last else "center"
        words = fit(title, width / len(titles) - 0.05, BODY, bold=True)
        x = left + width * at / max(1, last)
        sheet.text(x, TOP - 0.14, words, fontsize=BODY, fontweight="bold", ha=side, gid="column")


def _sure(part: pd.DataFrame) -> list[str]:
    """Names that moved beyond chance."""
    return [str(name) for name in part.index[part["sure"].to_numpy(dtype=bool)]]


def _value(part: pd.DataFrame, name: str, what: str) -> float:
    return float(part[what].to_numpy(np.float64)[part.index.get_loc(name)])


def _bounds(part: pd.DataFrame, name: str) -> tuple[float, float]:
    """The interval of a name in a column."""
    return _value(part, name, "low"), _value(part, name, "high")


def _piece(axes: Axes, at: int, before: pd.DataFrame, after: pd.DataFrame) -> set[str]:
    """The lines from one column to the next; returns the names that move beyond chance."""
    sure = _sure(after)
    for name in after.index:
        ends = [_value(part, name, "estimate") for part in (before, after)]
        colour = FAINT if name not in sure else STRONG if ends[1] > ends[0] else WEAK
        wide, order = (1.7, 3) if name in sure else (0.9, 2)
        axes.plot([at, at + 1], ends, color=colour, linewidth=wide, zorder=order, clip_on=False, gid="line")
        if name in sure:
            shift = BESIDE * (sure.index(name) + 1)
            for x, part in ((at + shift, before), (at + 1 - shift, after)):
                low, high = _bounds(part, name)
                axes.vlines(x, low, high, color=colour, linewidth=1.1, zorder=5, gid="interval")
    return set(sure)


def _labels(axes: Axes, part: pd.DataFrame, moved: set[str], how: tuple[int, float, tuple[float, float]]) -> None:
    """Names beside an outer column. how: -1 left or 1 right, inches for a name, and an inch on both scales."""
    side, wide, (across, up) = how
    known = part[np.isfinite(style.column(part, "estimate"))]
    ends = style.column(known, "estimate")
    x = axes.get_xlim()[0 if side < 0 else 1]
    for name, end, place in zip(known.index, ends, spread(ends, LINE * up, *axes.get_ylim()), strict=True):
        words: dict[str, Any] = {"ha": "right" if side < 0 else "left", "va": "center_baseline", "fontsize": SMALL}
        words |= {"color": INK if name in moved else MUTED, "clip_on": False, "gid": "label"}
        axes.text(x + side * APART * across, place, fit(str(name), wide, SMALL), **words)
        lead = [x + side * AWAY * across, x + side * (APART - AWAY) * across]
        axes.plot(lead, [end, place], color=FAINT, linewidth=0.5, clip_on=False, zorder=1, gid="lead")
