"""Dots: several quantities of each entrant side by side, each on a scale of its own."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.charts import style
from analysis.charts.style import BLUE, BODY, HAIR, HEADING, INK, MUTED, SMALL, WIDTH, Sheet
from analysis.charts.words import broken, clean, column, fit
from analysis.wording import counted, number, percent

PER_ROW = 3
ROW, HEAD, FOOT, GAP, BOTTOM = 0.21, 0.42, 0.26, 0.24, 0.2  # inches
LINE = 0.15  # of a heading
WIDEST_NAME, FIGURE = 1.5, 0.42  # widths of the columns of names and figures
SMALLEST = 100  # from here on no digits behind the point


@style.housed
def dots(frame: pd.DataFrame, *, panels: str = "panel", level: float = 0.95) -> Figure:
    """A panel per quantity, three beside each other, in it a dot with its interval and its figure per name.

    frame: `panels`, name, estimate, low, high (at least 0; nan: no dot, or no interval), n. Names stand in the order of the
    first panel, and every scale begins at nought.
    """
    style.require(frame, (panels, "name", "estimate", "low", "high", "n"), "dots")
    parts = style.groups(frame, panels)
    if not parts:
        return style.nothing()
    names = list(dict.fromkeys(frame["name"].astype(str)))
    left = column([clean(name) for name in names], BODY, WIDEST_NAME) + 0.12
    width = (WIDTH - left - PER_ROW * FIGURE - (PER_ROW - 1) * GAP) / PER_ROW
    down = -(-len(parts) // PER_ROW)
    tall = HEAD + ROW * len(names) + FOOT
    sheet = Sheet(WIDTH, down * tall + BOTTOM)
    for at, (title, part) in enumerate(parts):
        x, top = left + (at % PER_ROW) * (width + FIGURE + GAP), (at // PER_ROW) * tall
        if at % PER_ROW == 0:
            for row, name in enumerate(names):
                sheet.text(0, top + HEAD + ROW * (row + 0.5), fit(name, left - 0.1, BODY), gid="name")
        heading = broken(str(title), width + FIGURE, HEADING, 2)
        for line, words in enumerate(heading):
            y = top + HEAD - 0.12 - LINE * (len(heading) - 1 - line)
            sheet.text(
                x, y, fit(words, width + FIGURE, HEADING), fontsize=HEADING - 0.5, fontweight="bold", gid="panel"
            )
        axes = sheet.axes(x, top + HEAD, width, ROW * len(names))
        rows = part.assign(name=part["name"].astype(str)).drop_duplicates("name").set_index("name").reindex(names)
        _panel(axes, rows)
        _figures(sheet, rows, (x + width + FIGURE, top + HEAD))
    note = f"Lines: {percent(level, 0)} intervals; {counted(list(style.column(frame, 'n')))} each"
    sheet.text(left, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _panel(axes: Axes, rows: pd.DataFrame) -> None:
    estimate, low, high = (style.column(rows, name) for name in ("estimate", "low", "high"))
    places = np.arange(len(rows))
    known = np.isfinite(estimate)
    sure = known & np.isfinite(low) & np.isfinite(high)
    for row in places[1:]:
        axes.axhline(row - 0.5, color=HAIR, linewidth=0.5, zorder=0.5)
    axes.hlines(places[known], 0, estimate[known], color=HAIR, linewidth=1.0, zorder=1, gid="stem")
    axes.hlines(places[sure], low[sure], high[sure], color=BLUE, alpha=0.45, linewidth=4.5, zorder=2, gid="interval")
    how: dict[str, Any] = {"color": BLUE, "edgecolor": "white", "linewidth": 0.6, "zorder": 3, "gid": "dot"}
    axes.scatter(estimate[known], places[known], s=34, **how)
    ends = [*estimate[known], *high[sure], 0.0]
    axes.set_xlim(0, 1.06 * max(ends) or 1.0)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks([])
    axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: number(round(value, 6))))
    axes.tick_params(axis="x", pad=2)


def _figures(sheet: Sheet, rows: pd.DataFrame, corner: tuple[float, float]) -> None:
    """Write the estimate of each row, right-aligned at the corner's x."""
    x, top = corner
    for row, estimate in enumerate(style.column(rows, "estimate")):
        y = top + ROW * (row + 0.5)
        known = bool(np.isfinite(estimate))
        said = _short(estimate) if known else "\u2013"
        sheet.text(x, y, said, ha="right", fontsize=SMALL, color=INK if known else MUTED, gid="figure")


def _short(value: float) -> str:
    """Three significant digits at most."""
    return number(round(value)) if value >= SMALLEST else f"{value:.1f}" if value >= SMALLEST / 10 else f"{value:.2f}"
