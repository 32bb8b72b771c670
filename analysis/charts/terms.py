"""Terms between parts: a map of what every part adds to, or takes from, every other, in points around nought."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from analysis.charts import style
from analysis.charts.style import BODY, DIVERGING, MUTED, PAPER, SMALL, WIDTH, Sheet
from analysis.charts.words import clean, column, fit, width_of
from analysis.wording import MINUS, counted, points

WIDEST_NAME, SLANTED, LEVEL_HEAD, FOOT = 1.6, 0.95, 0.44, 0.78  # inches
LEAST_CELL, FIGURES_CELL, MOST_CELL = 0.3, 0.36, 0.75  # from FIGURES_CELL on a cell has room for its figure
FLAT = 0.31  # height of a cell
SCALES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5)  # ends of the colour scale to choose from


@style.housed
def terms(frame: pd.DataFrame, *, label: str = "points", corner: str = "") -> Figure:
    """Cells by row and column, in order of appearance, on a diverging scale around nought.

    frame: row, column, value (share: 0.03 is 3 points; nan or absent where there is none), sure (whether it is beyond chance),
    n. Cells that are not sure are grey; the diagonal is blank. label: what the colours mean; corner: how rows and columns are
    to be read. The scale ends at the next round number beyond the largest sure term.
    """
    style.require(frame, ("row", "column", "value", "sure", "n"), "terms")
    if not len(frame):
        return style.nothing()
    rows = list(dict.fromkeys(style.texts(frame, "row")))
    columns = sorted(dict.fromkeys(style.texts(frame, "column")), key=lambda name: _place(rows, name))
    left = column(rows, BODY, WIDEST_NAME) + 0.12
    cell = float(np.clip((WIDTH - left) / len(columns), LEAST_CELL, MOST_CELL))
    slant = any(width_of(name, SMALL) > cell - 0.04 for name in columns)
    head = SLANTED if slant else LEVEL_HEAD
    spare = 0.5 if slant else 0.0  # the last slanted name leans out to the right
    sheet = Sheet(max(WIDTH, left + cell * len(columns) + spare), head + FLAT * len(rows) + FOOT)
    most = _most(frame)
    axes = sheet.axes(left, head, cell * len(columns), FLAT * len(rows))
    _cells(axes, frame, (rows, columns), most, cell >= FIGURES_CELL)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_axis_off()
    _names(sheet, (rows, columns), (left, head, cell), slant)
    if corner:
        sheet.text(0, 0.08, fit(corner, WIDTH, SMALL), fontsize=SMALL, color=MUTED)
    _legend(sheet, frame, (left, head + FLAT * len(rows)), most, label)
    return sheet.figure


def _place(rows: list[str], name: str) -> int:
    """Columns stand in the order of the rows of the same name, others behind them."""
    return rows.index(name) if name in rows else len(rows)


def _most(frame: pd.DataFrame) -> float:
    """End of the colour scale."""
    sure = frame[frame["sure"].astype(bool)]
    largest = float(np.nanmax([*abs(style.column(sure, "value")), 0.0]))
    return next((end for end in SCALES if largest <= end), 1.0)


def _cells(axes: Axes, frame: pd.DataFrame, names: tuple[list[str], list[str]], most: float, figures: bool) -> None:
    """Every cell: its colour and its figure; grey where chance may be all of it."""
    rows, columns = names
    scale = Normalize(-most, most, clip=True)
    at = zip(style.texts(frame, "row"), style.texts(frame, "column"), strict=True)
    known = {
        key: (float(value), bool(sure))
        for key, value, sure in zip(at, style.column(frame, "value"), frame["sure"].tolist(), strict=True)
    }
    for down, row in enumerate(rows):
        for right, name in enumerate(columns):
            value, sure = known.get((row, name), (np.nan, False))
            face = PAPER if np.isnan(value) else DIVERGING(scale(value)) if sure else style.BAND
            kind = "blank" if np.isnan(value) else "cell" if sure else "grey"
            box = ((right - 0.5, down - 0.5), 1, 1)
            axes.add_patch(Rectangle(*box, facecolor=face, edgecolor=PAPER, linewidth=1.2, gid=kind))
            if np.isnan(value) or not (figures or sure):
                continue
            how: dict[str, Any] = {"ha": "center", "va": "center_baseline", "gid": "value"}
            ink = style.ink_on(face) if sure else MUTED
            weight = "bold" if sure else "normal"
            axes.text(right, down, points(value), fontsize=SMALL, color=ink, fontweight=weight, **how)


def _names(sheet: Sheet, names: tuple[list[str], list[str]], at: tuple[float, float, float], slant: bool) -> None:
    """Names of rows and columns; at: left, top and width of the first cell."""
    (rows, columns), (left, head, cell) = names, at
    for down, name in enumerate(rows):
        sheet.text(left - 0.1, head + FLAT * (down + 0.5), fit(name, left - 0.1, BODY), ha="right", gid="row")
    for right, name in enumerate(columns):
        x = left + cell * (right + 0.5)
        if slant:
            how: dict[str, Any] = {"rotation": 45, "rotation_mode": "anchor", "va": "baseline"}
            room = min(1.1, (sheet.width - x) * np.sqrt(2) + 0.05)
            sheet.text(x, head - 0.06, fit(name, room, SMALL), fontsize=SMALL, gid="column", **how)
        else:
            sheet.text(x, head - 0.1, fit(name, cell - 0.02, SMALL), ha="center", fontsize=SMALL, gid="column")


def _legend(sheet: Sheet, frame: pd.DataFrame, at: tuple[float, float], most: float, label: str) -> None:
    """The scale in words, and how many games stand behind a cell."""
    left, top = at
    bar = sheet.axes(left, top + 0.2, 1.9, 0.09)
    scale = ScalarMappable(Normalize(-most, most), DIVERGING)
    sheet.figure.colorbar(scale, cax=bar, orientation="horizontal", ticks=[-most, 0, most])
    bar.set_xticklabels([f"{MINUS}{100 * most:g}", "0", f"+{100 * most:g}"])
    bar.tick_params(length=0, pad=2, labelsize=SMALL)
    for spine in bar.spines.values():
        spine.set_visible(False)
    sheet.text(left + 2.1, top + 0.245, clean(label), fontsize=SMALL, color=MUTED)
    known = frame["n"][np.isfinite(style.column(frame, "value"))].astype(float)
    note = f"Grey: may be chance; {counted(known.tolist())} per cell"
    sheet.text(left, top + 0.64, note, fontsize=SMALL, color=MUTED)
