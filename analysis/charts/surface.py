"""Surface: the share won by the side ahead, by turn (columns) and by how far it is ahead (rows, most on top)."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from analysis.charts import style
from analysis.charts.style import BAND, BODY, DIVERGING, MUTED, PAPER, SMALL, WIDTH, Sheet
from analysis.charts.words import clean, column, fit
from analysis.wording import count, percent

EVEN = 0.5
HEAD, TALL, FOOT = 0.46, 0.36, 0.74  # inches
LEAST_CELL, FULL_CELL, MOST_CELL = 0.3, 0.46, 0.9  # from FULL_CELL on a cell has room for its n
WIDEST_NAME = 1.7
PALE = 0.3


@style.housed
def surface(
    frame: pd.DataFrame,
    *,
    x_label: str = "turn",
    y_label: str = "ahead by",
    label: str = "the side ahead wins, in %",
    level: float = 0.95,
) -> Figure:
    """Cells of shares with their n, rows from below and columns from the left in order of appearance.

    frame: row, column, estimate, low, high (shares 0..1; nan: too few games, left empty), n. A cell whose interval includes one
    half is pale.
    """
    style.require(frame, ("row", "column", "estimate", "low", "high", "n"), "surface")
    if not len(frame):
        return style.nothing()
    up, across = (list(dict.fromkeys(style.texts(frame, name))) for name in ("row", "column"))
    left = max(column(up, BODY, WIDEST_NAME), column([y_label], SMALL, WIDEST_NAME)) + 0.16
    cell = float(np.clip((WIDTH - left) / len(across), LEAST_CELL, MOST_CELL))
    sheet = Sheet(max(WIDTH, left + cell * len(across)), HEAD + TALL * len(up) + FOOT)
    axes = sheet.axes(left, HEAD, cell * len(across), TALL * len(up))
    values = zip(*(style.column(frame, name) for name in ("estimate", "low", "high", "n")), strict=True)
    places = zip(style.texts(frame, "column"), style.texts(frame, "row"), strict=True)
    for (over, beside), value in zip(places, values, strict=True):
        _cell(axes, (across.index(over), up.index(beside)), tuple(map(float, value)), cell >= FULL_CELL)
    axes.set_xlim(-0.5, len(across) - 0.5)
    axes.set_ylim(-0.5, len(up) - 0.5)
    axes.set_axis_off()
    sheet.text(left, 0.08, f"{clean(x_label)} \u2192", fontsize=SMALL, color=MUTED)
    sheet.text(left - 0.1, HEAD - 0.12, f"{fit(y_label, WIDEST_NAME, SMALL)}", ha="right", fontsize=SMALL, color=MUTED)
    for at, words in enumerate(across):
        sheet.text(left + cell * (at + 0.5), HEAD - 0.12, fit(words, cell, SMALL), ha="center", gid="column")
    for at, words in enumerate(up):
        y = HEAD + TALL * (len(up) - at - 0.5)
        sheet.text(left - 0.1, y, fit(words, left - 0.1, BODY), ha="right", gid="row")
    _legend(sheet, (left, HEAD + TALL * len(up)), label)
    known = [float(n) for n in frame["n"][np.isfinite(style.column(frame, "estimate"))]]
    note = f"Pale: the {percent(level, 0)} interval includes 50; grey: too few games"
    note += "; small: n" if cell >= FULL_CELL else f"; n = {count(min(known))} and more" if known else "; n = 0"
    sheet.text(left, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _cell(axes: Axes, at: tuple[int, int], value: tuple[float, ...], full: bool) -> None:
    """One cell: its share, and n below it where there is room."""
    (x, y), (rate, low, high, n) = at, value
    box: Any = ((x - 0.5, y - 0.5), 1, 1)
    if np.isnan(rate):
        axes.add_patch(Rectangle(*box, facecolor=BAND, edgecolor=PAPER, linewidth=1.2, gid="blank"))
        return
    even = not (low > EVEN or high < EVEN)
    face = style.pale(DIVERGING(Normalize(0, 1)(rate)), PALE if even else 1.0)
    axes.add_patch(Rectangle(*box, facecolor=face, edgecolor=PAPER, linewidth=1.2, gid="pale" if even else "cell"))
    how: dict[str, Any] = {"ha": "center", "va": "center_baseline", "color": style.ink_on(face)}
    axes.text(x, y + (0.16 if full else 0), f"{100 * rate:.0f}", fontsize=BODY if full else SMALL, gid="rate", **how)
    if full:
        axes.text(x, y - 0.24, count(n), fontsize=6.2, gid="n", **how)


def _legend(sheet: Sheet, at: tuple[float, float], label: str) -> None:
    left, top = at
    bar = sheet.axes(left, top + 0.16, 1.6, 0.09)
    scale = ScalarMappable(Normalize(0, 1), DIVERGING)
    sheet.figure.colorbar(scale, cax=bar, orientation="horizontal", ticks=[0, 0.5, 1])
    bar.set_xticklabels(["0", "50", "100"])
    bar.tick_params(length=0, pad=2, labelsize=SMALL)
    for spine in bar.spines.values():
        spine.set_visible(False)
    sheet.text(left + 1.75, top + 0.205, fit(label, WIDTH - left - 1.75, SMALL), fontsize=SMALL, color=MUTED)
