"""Matchup matrix: who beats whom, on a diverging map centred on even."""

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
from analysis.charts.words import column, fit, width_of
from analysis.wording import counted, percent, percent_range

EVEN = 0.5
WIDEST_NAME = 1.7
LEAST_CELL, FULL_CELL, MOST_CELL = 0.34, 0.56, 0.95  # inches; from FULL_CELL on a cell has room for its interval
FLAT = 0.72  # height of a cell that holds two lines, relative to its width
PALE = 0.3
MEAN = 0.62  # width of the column of means


@style.housed
def heatmap(frame: pd.DataFrame, *, limits: tuple[float, float] = (0.2, 0.8), level: float = 0.95) -> Figure:
    """Win rate of each row's entrant against each column's, rows and columns sorted by strength.

    frame: name, opponent, estimate, low, high (shares 0..1; nan or absent where never played), n. A cell whose
    interval includes one half is pale, with muted figures. limits: ends of the colour map, the same for every game so
    that maps can be compared; rates beyond are drawn in the colour of the end. level: confidence level, for the note.
    """
    style.require(frame, ("name", "opponent", "estimate", "low", "high", "n"), "heatmap")
    if not len(frame):
        return style.nothing()
    cells, names = _square(frame)
    left = column(names, BODY, WIDEST_NAME) + 0.1
    cell = float(np.clip((WIDTH - left - MEAN) / len(names), LEAST_CELL, MOST_CELL))
    tall = cell * FLAT if cell >= FULL_CELL else min(cell, LEAST_CELL)
    slant = any(width_of(name, SMALL) > 2 * cell for name in names) or cell < FULL_CELL
    head = 0.95 if slant else 0.42
    sheet = Sheet(max(WIDTH, left + cell * len(names) + MEAN), head + tall * len(names) + 0.75)
    axes = sheet.axes(left, head, cell * len(names), tall * len(names))
    _cells(axes, cells, limits, cell >= FULL_CELL)
    _names(sheet, names, (left, head, cell, tall), slant)
    _means(sheet, cells, (left, head, cell, tall))
    note = f"below each rate its {percent(level, 0)} interval; " if cell >= FULL_CELL else ""
    note += "pale: it includes 50; " if note else f"pale: the {percent(level, 0)} interval includes 50; "
    _legend(sheet, cells, (left, head + tall * len(names)), limits, note)
    return sheet.figure


def _square(frame: pd.DataFrame) -> tuple[dict[str, np.ndarray], list[str]]:
    """Square arrays by row and column, strongest first, and the names in that order."""
    names = list(dict.fromkeys([*frame["name"].astype(str), *frame["opponent"].astype(str)]))
    place = {name: at for at, name in enumerate(names)}
    rows = frame["name"].astype(str).map(place).to_numpy(dtype=int)
    columns = frame["opponent"].astype(str).map(place).to_numpy(dtype=int)
    cells = {}
    for field in ("estimate", "low", "high", "n"):
        cells[field] = np.full((len(names), len(names)), np.nan)
        cells[field][rows, columns] = style.column(frame, field)
    np.fill_diagonal(cells["estimate"], np.nan)
    known = np.isfinite(cells["estimate"])
    total = np.where(known, cells["estimate"], 0).sum(axis=1)
    cells["mean"] = np.divide(total, known.sum(axis=1), out=np.full(len(names), np.nan), where=known.any(axis=1))
    order = np.argsort(-np.nan_to_num(cells["mean"], nan=-1), kind="stable")
    square = {field: cells[field][np.ix_(order, order)] for field in ("estimate", "low", "high", "n")}
    return {**square, "mean": cells["mean"][order]}, [names[at] for at in order]


def _cells(axes: Axes, cells: dict[str, np.ndarray], limits: tuple[float, float], full: bool) -> None:
    size = len(cells["estimate"])
    scale = Normalize(*limits, clip=True)
    for row, place in np.ndindex(size, size):
        rate, low, high = (float(cells[field][row, place]) for field in ("estimate", "low", "high"))
        corner = (place - 0.5, row - 0.5)
        if np.isnan(rate):
            blank = style.BAND if row == place else PAPER
            axes.add_patch(Rectangle(corner, 1, 1, facecolor=blank, edgecolor=PAPER, linewidth=1.2, gid="blank"))
            continue
        even = not (low > EVEN or high < EVEN)
        face = style.pale(DIVERGING(scale(rate)), PALE if even else 1.0)
        kind = "pale" if even else "cell"
        axes.add_patch(Rectangle(corner, 1, 1, facecolor=face, edgecolor=PAPER, linewidth=1.2, gid=kind))
        ink = MUTED if even else style.ink_on(face)
        how: dict[str, Any] = {"ha": "center", "va": "center_baseline", "color": ink}
        figures = f"{100 * rate:.0f}"
        axes.text(place, row - (0.16 if full else 0), figures, fontsize=BODY + 1 if full else SMALL, gid="rate", **how)
        if full:
            axes.text(place, row + 0.22, percent_range(low, high, 0), fontsize=6.8, gid="range", **how)
    axes.set_xlim(-0.5, size - 0.5)
    axes.set_ylim(size - 0.5, -0.5)
    axes.set_axis_off()


def _names(sheet: Sheet, names: list[str], box: tuple[float, float, float, float], slant: bool) -> None:
    left, head, cell, tall = box
    for at, name in enumerate(names):
        sheet.text(left - 0.08, head + tall * (at + 0.5), fit(name, left - 0.08, BODY), ha="right")
        x = left + cell * (at + 0.5)
        if slant:
            how: dict[str, Any] = {"rotation": 45, "rotation_mode": "anchor", "va": "baseline", "fontsize": SMALL}
            sheet.text(x, head - 0.06, fit(name, 1.1, SMALL), **how)
        else:
            for line, words in enumerate(reversed(_two_lines(name, cell - 0.06))):
                sheet.text(x, head - 0.1 - 0.13 * line, words, ha="center", fontsize=SMALL)
    sheet.text(0, 0.08, "rows against columns", fontsize=SMALL, color=MUTED)


def _two_lines(name: str, width: float) -> list[str]:
    """Set a name on one line, or on two where it has a blank to break at."""
    if width_of(name, SMALL) <= width or " " not in name:
        return [fit(name, width, SMALL)]
    words = name.split(" ")
    breaks = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    best = min(breaks, key=lambda pair: max(width_of(line, SMALL) for line in pair))
    return [fit(line, width, SMALL) for line in best]


def _means(sheet: Sheet, cells: dict[str, np.ndarray], box: tuple[float, float, float, float]) -> None:
    left, head, cell, tall = box
    x = left + cell * len(cells["mean"]) + 0.12
    sheet.text(x, head - 0.1, "mean", fontsize=SMALL, color=MUTED)
    for at, mean in enumerate(cells["mean"]):
        if np.isfinite(mean):
            sheet.text(x, head + tall * (at + 0.5), f"{100 * mean:.1f}", fontweight="bold", gid="mean")


def _legend(
    sheet: Sheet, cells: dict[str, np.ndarray], at: tuple[float, float], limits: tuple[float, float], note: str
) -> None:
    left, top = at
    bar = sheet.axes(left, top + 0.2, 1.9, 0.09)
    scale = ScalarMappable(Normalize(*limits), DIVERGING)
    sheet.figure.colorbar(scale, cax=bar, orientation="horizontal", ticks=[limits[0], EVEN, limits[1]])
    ends = (f"\u2264{100 * limits[0]:.0f}", "50", f"\u2265{100 * limits[1]:.0f}")
    bar.set_xticklabels(ends)
    bar.tick_params(length=0, pad=2, labelsize=SMALL)
    for spine in bar.spines.values():
        spine.set_visible(False)
    sheet.text(left + 2.05, top + 0.245, "row wins, in % of its games", fontsize=SMALL, color=MUTED)
    played = cells["n"][np.isfinite(cells["estimate"])]
    note += f"{counted(list(played))} per cell"
    sheet.text(left, top + 0.62, note[0].upper() + note[1:], fontsize=SMALL, color=MUTED)
