"""Shares: upright bars of what a whole is made of, or of a share by period, each with its interval."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.style import HAIR, HEADING, INK, MUTED, SMALL, WIDTH, Sheet
from analysis.charts.words import broken, clean, fit
from analysis.wording import counted, percent

LEFT, TOP, HEIGHT, HEAD, GAP = 0.46, 0.22, 1.9, 0.34, 0.35  # inches
LINE, LINES_MAX = 0.14, 3  # of the names below the bars
WIDEST_BAR, BAR = 1.6, 0.62  # room of a bar in inches; BAR is a part of it
FOOT = 0.3


@style.housed
def shares(
    frame: pd.DataFrame,
    *,
    panels: str | None = None,
    label: str = "share",
    what: str = "games",
    colour: str = style.BLUE,
    level: float = 0.95,
) -> Figure:
    """Upright bars from nought, in the order given; a panel per value of `panels`, if named, all on one scale.

    frame: name, estimate, low, high (shares 0..1; nan: no bar), n. label: words for the axis; what: that n counts.
    """
    style.require(frame, ("name", "estimate", "low", "high", "n"), "shares")
    if not len(frame):
        return style.nothing()
    parts = style.groups(frame, panels) if panels else [("", frame)]
    slots = sum(len(part) for _, part in parts)
    slot = min(WIDEST_BAR, (WIDTH - LEFT - GAP * (len(parts) - 1)) / slots)
    names = [broken(name, slot - 0.08, SMALL, LINES_MAX) for name in style.texts(frame, "name")]
    head = TOP + HEAD * bool(panels)
    sheet = Sheet(WIDTH, head + HEIGHT + LINE * max(map(len, names)) + 0.12 + FOOT)
    sheet.text(0, 0.04, f"\u2191 {clean(label)}", fontsize=SMALL, color=MUTED)
    ends = [*style.column(frame, "high"), *style.column(frame, "estimate"), 0.02]
    top = min(1.0, 1.14 * float(np.nanmax(ends)))
    left, first = LEFT, 0
    for at, (value, part) in enumerate(parts):
        width = slot * len(part)
        if panels:
            sheet.text(left, TOP + 0.08, fit(str(value), width, HEADING), fontsize=HEADING, fontweight="bold")
        axes = sheet.axes(left, head, width, HEIGHT)
        _panel(axes, part, top, colour)
        axes.tick_params(labelleft=at == 0)
        _names(sheet, names[first : first + len(part)], (left, head + HEIGHT + 0.13, slot))
        left, first = left + width + GAP, first + len(part)
    note = f"Whiskers: {percent(level, 0)} intervals; {counted(list(style.column(frame, 'n')))} {clean(what)}"
    sheet.text(LEFT, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _panel(axes: Axes, part: pd.DataFrame, top: float, colour: str) -> None:
    estimate, low, high = (style.column(part, name) for name in ("estimate", "low", "high"))
    places = np.arange(len(part))
    known = np.isfinite(estimate)
    face = style.pale(colour, 0.75)
    axes.set_ylim(0, top)
    axes.bar(places[known], estimate[known], width=BAR, color=face, gid="bar")
    axes.vlines(places[known], low[known], high[known], color=INK, linewidth=1.2, zorder=3, gid="interval")
    how: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "fontsize": style.BODY, "gid": "rate"}
    for place, rate, end in zip(places[known], estimate[known], high[known], strict=True):
        over = max(rate, end) if np.isfinite(end) else rate
        axes.annotate(percent(float(rate)), (place, over), (0, 4), fontweight="bold", annotation_clip=False, **how)
    for place in places[~known]:
        axes.annotate("no cases", (place, 0), (0, 4), color=MUTED, **how)
    axes.set_xlim(-0.5, len(part) - 0.5)
    axes.set_xticks([])
    axes.grid(axis="y", color=HAIR)
    style.percent_axis(axes.yaxis)


def _names(sheet: Sheet, names: list[list[str]], at: tuple[float, float, float]) -> None:
    """Names of the bars; at: left edge, height of the first line, room of a bar."""
    left, top, slot = at
    for place, lines in enumerate(names):
        for line, words in enumerate(lines):
            text = fit(words, slot - 0.04, SMALL)
            sheet.text(left + slot * (place + 0.5), top + LINE * line, text, ha="center", fontsize=SMALL, gid="name")
