"""States: the chance to win in each of a few states of both sides, own by row and opposing by column."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from analysis.charts import style
from analysis.charts.style import BODY, DIVERGING, HEADING, MUTED, PAPER, SMALL, WIDTH, Sheet
from analysis.charts.words import clean, column, fit
from analysis.wording import count, percent, percent_range

EVEN = 0.5
HEAD, TALL, FOOT = 0.5, 0.68, 0.72  # inches
LEAST_CELL, MOST_CELL = 0.8, 2.0
WIDEST_NAME = 1.6
PALE = 0.3


@style.housed
def states(
    frame: pd.DataFrame, *, rows: str = "own", columns: str = "opposing", label: str = "wins, in %", level: float = 0.95
) -> Figure:
    """Cells of win shares with interval and n, rows and columns in the order of appearance.

    frame: row, column, estimate, low, high (shares 0..1; nan: blank), n. rows, columns: what the names of both count. A cell
    whose interval includes one half is pale.
    """
    style.require(frame, ("row", "column", "estimate", "low", "high", "n"), "states")
    if not len(frame):
        return style.nothing()
    down, across = (list(dict.fromkeys(style.texts(frame, name))) for name in ("row", "column"))
    left = max(column(down, BODY, WIDEST_NAME) + 0.16, column([rows], SMALL, WIDEST_NAME) + 0.16)
    cell = float(np.clip((WIDTH - left) / len(across), LEAST_CELL, MOST_CELL))
    sheet = Sheet(max(WIDTH, left + cell * len(across)), HEAD + TALL * len(down) + FOOT)
    axes = sheet.axes(left, HEAD, cell * len(across), TALL * len(down))
    values = zip(*(style.column(frame, name) for name in ("estimate", "low", "high", "n")), strict=True)
    places = zip(style.texts(frame, "column"), style.texts(frame, "row"), strict=True)
    for (over, beside), value in zip(places, values, strict=True):
        _cell(axes, (across.index(over), down.index(beside)), tuple(map(float, value)))
    axes.set_xlim(-0.5, len(across) - 0.5)
    axes.set_ylim(len(down) - 0.5, -0.5)
    axes.set_axis_off()
    sheet.text(left, 0.08, f"{clean(columns)} \u2192", fontsize=SMALL, color=MUTED)
    sheet.text(
        left - 0.12, HEAD - 0.12, f"{fit(rows, WIDEST_NAME, SMALL)} \u2193", ha="right", fontsize=SMALL, color=MUTED
    )
    for at, words in enumerate(across):
        x = left + cell * (at + 0.5)
        sheet.text(x, HEAD - 0.12, fit(words, cell - 0.08, BODY), ha="center", fontweight="bold", gid="column")
    for at, words in enumerate(down):
        y = HEAD + TALL * (at + 0.5)
        sheet.text(left - 0.12, y, fit(words, left - 0.12, BODY), ha="right", fontweight="bold", gid="row")
    _legend(sheet, (left, HEAD + TALL * len(down)), label, level)
    return sheet.figure


def _cell(axes: Axes, at: tuple[int, int], value: tuple[float, ...]) -> None:
    """One cell: its share, the interval and n below it."""
    (x, y), (rate, low, high, n) = at, value
    box: Any = ((x - 0.5, y - 0.5), 1, 1)
    if np.isnan(rate):
        axes.add_patch(Rectangle(*box, facecolor=style.BAND, edgecolor=PAPER, linewidth=1.5, gid="blank"))
        axes.text(x, y, "never seen", ha="center", va="center_baseline", fontsize=SMALL, color=MUTED)
        return
    even = not (low > EVEN or high < EVEN)
    face = style.pale(DIVERGING(Normalize(0, 1)(rate)), PALE if even else 1.0)
    axes.add_patch(Rectangle(*box, facecolor=face, edgecolor=PAPER, linewidth=1.5, gid="pale" if even else "cell"))
    how: dict[str, Any] = {"ha": "center", "va": "center_baseline", "color": style.ink_on(face)}
    axes.text(x, y - 0.2, f"{100 * rate:.1f}", fontsize=HEADING + 1.5, fontweight="bold", gid="rate", **how)
    said = f"{percent_range(low, high)}" if np.isfinite(low) else "even by symmetry"
    axes.text(x, y + 0.1, said, fontsize=6.8, gid="range", **how)
    axes.text(x, y + 0.31, f"n = {count(n)}", fontsize=6.8, gid="n", **how)


def _legend(sheet: Sheet, at: tuple[float, float], label: str, level: float) -> None:
    left, top = at
    bar = sheet.axes(left, top + 0.18, 1.9, 0.09)
    sheet.figure.colorbar(
        ScalarMappable(Normalize(0, 1), DIVERGING), cax=bar, orientation="horizontal", ticks=[0, 0.5, 1]
    )
    bar.set_xticklabels(["0", "50", "100"])
    bar.tick_params(length=0, pad=2, labelsize=SMALL)
    for spine in bar.spines.values():
        spine.set_visible(False)
    sheet.text(left + 2.05, top + 0.225, fit(label, WIDTH - left - 2.05, SMALL), fontsize=SMALL, color=MUTED)
    note = f"In each cell: share, {percent(level, 0)} interval, n; pale: the interval includes 50"
    sheet.text(left, top + 0.6, note, fontsize=SMALL, color=MUTED)
