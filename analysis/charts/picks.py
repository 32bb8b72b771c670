"""A draft: what each part is worth as the first pick, and beside it when each part goes."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.legend import LINE, legend, wrapped
from analysis.charts.style import BODY, FAINT, INK, MUTED, SMALL, WIDTH, Sheet
from analysis.charts.words import column, fit
from analysis.wording import counted, percent

ROW, HEAD, FOOT, GAP = 0.25, 0.3, 0.3, 0.35  # inches
WIDEST_NAME = 1.6
VALUE, TAKEN = 0.56, 0.62  # widths of the columns of numbers
APART = 0.13  # of a row: how far the two marks of a row stand from its middle
LEAST = 0.01  # half of the narrowest panel of values
ROOM = 0.35  # of a pick, left and right of the first and the last


@style.housed
def picks(
    frame: pd.DataFrame,
    *,
    last: int | None = None,
    words: tuple[str, str] = ("best play", "seen in games"),
    fair: float = 0.5,
) -> Figure:
    """Left: winning chance of the first drafter by what is picked first; right: mean number of the pick by part.

    frame: name, value (chance 0..1), pick (mean number of the pick, 1..last; nan where it is never picked), seen (the same as
    seen in games; nan where none were played), taken (share of those games in which it was picked), n (of those games).
    Rows stand as given. last: number of the last pick; if None as far as the frame tells. words: what `pick` and `seen` are
    called. fair: where the line of the left panel stands.
    """
    style.require(frame, ("name", "value", "pick", "seen", "taken", "n"), "picks")
    if not len(frame):
        return style.nothing()
    played = bool(np.isfinite(style.column(frame, "seen")).any())
    if last is None:
        last = int(np.ceil(np.nanmax([*style.column(frame, "pick"), *style.column(frame, "seen"), 1.0])))
    entries = _entries(words, played)
    top = 0.1 + LINE * len(wrapped([said for said, _ in entries], WIDTH)) + HEAD
    sheet = Sheet(WIDTH, top + ROW * len(frame) + FOOT + 0.2)
    left = column(style.texts(frame, "name"), BODY, WIDEST_NAME) + 0.15
    room = WIDTH - left - VALUE - GAP - TAKEN
    width = room / 2
    right = left + width + VALUE + GAP
    legend(sheet, (0, 0.1), [said for said, _ in entries], [mark for _, mark in entries])
    for words_, x in (("First drafter wins, picking it first", left), ("Number of the pick", right)):
        sheet.text(x, top - 0.16, fit(words_, width + VALUE, BODY, bold=True), fontsize=BODY, fontweight="bold")
    if played:
        sheet.text(WIDTH, top - 0.16, "picked in", ha="right", fontsize=SMALL, color=MUTED)
    _values(sheet.axes(left, top, width, ROW * len(frame)), frame, fair)
    _numbers(sheet.axes(right, top, width, ROW * len(frame)), frame, last)
    _columns(sheet, frame, (left, top, left + width + VALUE))
    if played:
        known = style.column(frame, "n")[np.isfinite(style.column(frame, "seen"))]
        sheet.text(0, sheet.height - 0.08, f"{words[1]}: {counted(list(known))} drafts", fontsize=SMALL, color=MUTED)
    return sheet.figure


def _entries(words: tuple[str, str], played: bool) -> list[tuple[str, dict[str, Any]]]:
    """What the marks of the right panel mean."""
    filled = (words[0], {"color": INK})
    hollow = (words[1], {"marker": "D", "color": MUTED, "markerfacecolor": "white", "markersize": 4})
    return [filled, hollow] if played else [filled]


def _values(axes: Axes, frame: pd.DataFrame, fair: float) -> None:
    """What each first pick is worth: a line from even to the chance, orange above, blue below."""
    value, rows = style.column(frame, "value"), np.arange(len(frame))
    colours = [style.STRONG if one > fair else style.WEAK for one in value]
    axes.hlines(rows, fair, value, color=[style.pale(colour, 0.45) for colour in colours], linewidth=2.2, zorder=2)
    axes.scatter(value, rows, s=26, color=colours, zorder=3, gid="value")
    axes.axvline(fair, color=MUTED, linewidth=0.8, zorder=1, gid="fair")
    low, high = float(np.nanmin([*value, fair])), float(np.nanmax([*value, fair]))
    room = max(0.08 * (high - low), LEAST)
    axes.set_xlim(low - room, high + room)
    axes.locator_params(axis="x", nbins=5)
    ticks = [tick for tick in axes.get_xticks() if low - room <= tick <= high + room]
    axes.set_xticks(ticks)
    style.percent_axis(axes.xaxis, 0 if all(abs(100 * tick - round(100 * tick)) < 1e-6 for tick in ticks) else 1)
    _lines(axes, len(frame))


def _numbers(axes: Axes, frame: pd.DataFrame, last: int) -> None:
    """When each part goes: filled as it should be, hollow as it was seen."""
    rows = np.arange(len(frame)).astype(float)
    pick, seen = style.column(frame, "pick"), style.column(frame, "seen")
    apart = np.where(np.isfinite(pick) & np.isfinite(seen), APART, 0.0)
    for number in range(1, last + 1):
        axes.axvline(number, color=style.HAIR, linewidth=0.6, zorder=0.5)
    both = apart > 0
    ends = [np.minimum(pick, seen)[both], np.maximum(pick, seen)[both]]
    axes.hlines(rows[both], *ends, color=FAINT, linewidth=0.9, zorder=1, gid="gap")
    how: dict[str, Any] = {"s": 15, "marker": "D", "facecolor": "white", "edgecolor": MUTED, "linewidth": 0.9}
    axes.scatter(seen, rows + apart, zorder=2, gid="seen", **how)
    axes.scatter(pick, rows - apart, s=24, color=INK, zorder=3, gid="pick")
    axes.set_xlim(1 - ROOM, last + ROOM)
    axes.set_xticks(range(1, last + 1))
    _lines(axes, len(frame))


def _lines(axes: Axes, rows: int) -> None:
    """Hairlines between the rows."""
    for row in range(1, rows):
        axes.axhline(row - 0.5, color=style.HAIR, linewidth=0.5, zorder=0.5)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_yticks([])


def _columns(sheet: Sheet, frame: pd.DataFrame, at: tuple[float, float, float]) -> None:
    """Names and numbers; at: left and top of the panels, and where the values end."""
    left, top, end = at
    fields = (style.column(frame, name) for name in ("value", "taken"))
    for row, (name, value, taken) in enumerate(zip(style.texts(frame, "name"), *fields, strict=True)):
        y = top + ROW * (row + 0.5)
        sheet.text(0, y, fit(name, left - 0.12, BODY), gid="name")
        if np.isfinite(value):
            sheet.text(end, y, percent(value), ha="right")
        if np.isfinite(taken):
            sheet.text(WIDTH, y, percent(taken, 0), ha="right", fontsize=SMALL, color=MUTED)
