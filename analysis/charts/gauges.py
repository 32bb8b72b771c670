"""Gauges: small multiples of nested bars, how often something was possible and how often it was done."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.style import BLUE, HAIR, HEADING, INK, MUTED, SMALL, WIDTH, Sheet
from analysis.charts.words import clean, column, fit
from analysis.wording import counted, percent

GAP = 0.3
ROW, HEAD, SPACE, TOP, FOOT = 0.215, 0.26, 0.2, 0.3, 0.34  # inches
SHORT_NAME, WIDEST_NAME, FIGURES = 0.95, 1.8, 0.56  # with short names three panels stand beside each other, else two
POSSIBLE = style.pale(BLUE, 0.28)
LOOKS = (POSSIBLE, BLUE)


@style.housed
def gauges(
    frame: pd.DataFrame, *, words: Sequence[str] = ("possible", "done"), label: str = "the turns", level: float = 0.95
) -> Figure:
    """A panel per value of `panel`, in it a row per thing: a pale bar of what was possible, a narrow dark one of what was done.

    frame: panel, name, possible, possible_low, possible_high, done, done_low, done_high (shares; nan: never), n. All panels have
    one scale; figures at the right: done, then possible, in per cent. words: what the two are; label: what they are shares of.
    """
    needed = ("panel", "name", "possible", "possible_low", "possible_high", "done", "done_low", "done_high", "n")
    style.require(frame, needed, "gauges")
    if not len(frame):
        return style.nothing()
    parts = style.groups(frame, "panel")
    name = column(style.texts(frame, "name"), SMALL, WIDEST_NAME) + 0.06
    across = 3 if name <= SHORT_NAME else 2
    room = (WIDTH - GAP * (across - 1)) / across
    lines = [max(len(part) for _, part in parts[at : at + across]) for at in range(0, len(parts), across)]
    heights = [HEAD + ROW * rows + SPACE for rows in lines]
    sheet = Sheet(WIDTH, TOP + sum(heights) + FOOT)
    key = [(clean(word), {"marker": "s", "color": look}) for word, look in zip(words, LOOKS, strict=True)]
    end = sheet.key(0, 0.06, key)
    sheet.text(
        end,
        0.06,
        f"figures: {clean(words[1])} / {clean(words[0])}, in % of {clean(label)}",
        fontsize=SMALL,
        color=MUTED,
    )
    most = 1.04 * float(np.nanmax([*style.column(frame, "possible_high"), *style.column(frame, "possible"), 0.05]))
    for at, (value, part) in enumerate(parts):
        left, top = (at % across) * (room + GAP), TOP + sum(heights[: at // across])
        sheet.text(left, top + 0.1, fit(str(value), room, HEADING), fontsize=HEADING, fontweight="bold", gid="panel")
        axes = sheet.axes(left + name, top + HEAD, room - name - FIGURES, ROW * len(part))
        _bars(axes, part, most)
        _words(sheet, part, (left, top + HEAD), (name, room))
    note = f"Lines at the ends: {percent(level, 0)} intervals; {counted(list(style.column(frame, 'n')))} games"
    sheet.text(0, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _bars(axes: Axes, part: pd.DataFrame, most: float) -> None:
    rows = np.arange(len(part))
    for field, look, height in (("possible", POSSIBLE, 0.74), ("done", BLUE, 0.34)):
        values = np.nan_to_num(style.column(part, field))
        axes.barh(rows, values, height=height, color=look, gid=field)
        low, high = (style.column(part, f"{field}_{end}") for end in ("low", "high"))
        seen = np.isfinite(low) & np.isfinite(high)
        axes.hlines(rows[seen], low[seen], high[seen], color=INK, linewidth=0.9, zorder=3, gid="interval")
    axes.set_xlim(0, most)
    axes.set_ylim(len(part) - 0.5, -0.5)
    axes.axvline(0, color=HAIR, linewidth=0.8)
    axes.set_yticks([])
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)


def _words(sheet: Sheet, part: pd.DataFrame, corner: tuple[float, float], widths: tuple[float, float]) -> None:
    """Names and figures of a panel; widths: of the names, of the panel."""
    (left, top), (name, room) = corner, widths
    figures = zip(style.texts(part, "name"), style.column(part, "done"), style.column(part, "possible"), strict=True)
    for row, (words, done, possible) in enumerate(figures):
        y = top + ROW * (row + 0.5)
        sheet.text(left, y, fit(words, name - 0.06, SMALL), fontsize=SMALL, gid="name")
        sheet.text(left + room - 0.3, y, _figure(done), ha="right", fontsize=SMALL, fontweight="bold", gid="figure")
        sheet.text(left + room, y, f"/ {_figure(possible)}", ha="right", fontsize=SMALL, color=MUTED)


def _figure(share: float) -> str:
    """A share in per cent without the sign."""
    return "\u2013" if np.isnan(share) else f"{100 * share:.1f}" if share < 0.0995 else f"{100 * share:.0f}"
