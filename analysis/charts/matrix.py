"""Charts of coloured cells by row and column.

Heatmap: matchups on a diverging colour map centred on even.

Matrix: shares by row and column, such as the winning chance of every fighter against every opponent.

Grid: a share with its interval for every row and column, on a sequential colour scale.

Terms: contribution of every part to every other, in points around zero.

Surface: win share of the leader by turn (columns) and size of the lead (rows, the largest on top).

States: win share by the state of both sides, own by row and opposing by column.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from analysis.charts import style
from analysis.charts.style import (
    BAND,
    BODY,
    DIVERGING,
    HEADING,
    MUTED,
    PAPER,
    SEQUENTIAL,
    SMALL,
    WIDTH,
    Sheet,
    broken,
    clean,
    fit,
    width_of,
    words_column,
)
from analysis.document.model import MINUS, count, counted, decimal, percent, percent_range, points

EVEN = 0.5
WIDEST_NAME = 1.7
LEAST_CELL, FULL_CELL, MOST_CELL = 0.34, 0.56, 0.95  # inches; from FULL_CELL on, a cell has space for its interval
FLAT = 0.72  # height of a cell that holds two lines, relative to its width
PALE = 0.3
MEAN = 0.62  # width of the column of means


@style.housed
def heatmap(frame: pd.DataFrame, *, limits: tuple[float, float] = (0.2, 0.8), level: float = 0.95) -> Figure:
    """Win rate of each row's entrant against each column's, rows and columns sorted by strength.

    frame: name, opponent, estimate, low, high (shares 0..1; nan or absent if never played), n. Cells whose interval includes one
    half are pale, with muted figures. limits: ends of the colour map, the same for every game so that maps can be compared; rates
    beyond get the colour of the end. level: confidence level, for the note.
    """
    style.require(frame, ("name", "opponent", "estimate", "low", "high", "n"), "heatmap")
    if not len(frame):
        return style.nothing()
    cells, names = _square(frame)
    left = words_column(names, BODY, WIDEST_NAME) + 0.1
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
    """Square arrays by row and column, the strongest first, and the names in this order."""
    names = list(dict.fromkeys([*frame["name"].astype(str), *frame["opponent"].astype(str)]))
    place = {name: index for index, name in enumerate(names)}
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
    return {**square, "mean": cells["mean"][order]}, [names[index] for index in order]


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
    for index, name in enumerate(names):
        sheet.text(left - 0.08, head + tall * (index + 0.5), fit(name, left - 0.08, BODY), ha="right")
        x = left + cell * (index + 0.5)
        if slant:
            how: dict[str, Any] = {"rotation": 45, "rotation_mode": "anchor", "va": "baseline", "fontsize": SMALL}
            sheet.text(x, head - 0.06, fit(name, 1.1, SMALL), **how)
        else:
            for line, words in enumerate(reversed(_two_lines(name, cell - 0.06))):
                sheet.text(x, head - 0.1 - 0.13 * line, words, ha="center", fontsize=SMALL)
    sheet.text(0, 0.08, "rows against columns", fontsize=SMALL, color=MUTED)


def _two_lines(name: str, width: float) -> list[str]:
    """Break a name into two lines if it is too long and has a blank."""
    if width_of(name, SMALL) <= width or " " not in name:
        return [fit(name, width, SMALL)]
    words = name.split(" ")
    breaks = [(" ".join(words[:index]), " ".join(words[index:])) for index in range(1, len(words))]
    best = min(breaks, key=lambda pair: max(width_of(line, SMALL) for line in pair))
    return [fit(line, width, SMALL) for line in best]


def _means(sheet: Sheet, cells: dict[str, np.ndarray], box: tuple[float, float, float, float]) -> None:
    left, head, cell, tall = box
    x = left + cell * len(cells["mean"]) + 0.12
    sheet.text(x, head - 0.1, "mean", fontsize=SMALL, color=MUTED)
    for index, mean in enumerate(cells["mean"]):
        if np.isfinite(mean):
            sheet.text(x, head + tall * (index + 0.5), f"{100 * mean:.1f}", fontweight="bold", gid="mean")


def _legend(
    sheet: Sheet, cells: dict[str, np.ndarray], corner: tuple[float, float], limits: tuple[float, float], note: str
) -> None:
    left, top = corner
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


MATRIX_WIDEST_NAME = 1.5  # inches
MATRIX_LEAST_CELL, MATRIX_FULL_CELL, MATRIX_MOST_CELL = (
    0.21,
    0.5,
    0.95,
)  # inches; from the second on, there is space for two figures
FULL_HEIGHT, ROW_HEIGHT = 0.36, 0.2
HEADING_MAX = 1.1  # length of a vertical column heading
GAP, PANEL_HEAD, FOOT = 0.3, 0.22, 0.62
FIGURES = 6.8  # points
NEARLY = 0.005  # a share closer than this to 0 or 1, but not equal, must not be rounded to it


@dataclass(frozen=True)
class _Layout:
    """Position of the cells of a panel, in inches from its top left corner."""

    left: float  # width of the row names
    head: float  # height of the column headings
    cell: float
    tall: float
    upright: bool  # whether headings are vertical

    @property
    def full(self) -> bool:
        """Whether cells have space for two figures."""
        return self.cell >= MATRIX_FULL_CELL


@style.housed
def matrix(
    frame: pd.DataFrame,
    *,
    panels: str | None = None,
    shade: str = "value",
    limits: tuple[float, float] = (0.0, 1.0),
    label: str = "share",
    what: str = "games",
) -> Figure:
    """Cells of shares by row and column, both in the order given; one panel per value of `panels`, if given.

    frame: row, column, value (share 0..1, nan: blank), n (observations of `below`; nan: exact only); optionally below (a second
    share, shown if cells are wide enough). shade: column for the colour, limits: its ends, label: its words. what: noun for
    what n counts.
    """
    style.require(frame, ("row", "column", "value", "n", shade), "matrix")
    if not len(frame):
        return style.nothing()
    parts = style.groups(frame, panels) if panels else [("", frame)]
    layout = _layout(frame, len(parts))
    wide = layout.left + layout.cell * frame["column"].nunique()
    across = max(1, min(len(parts), int((WIDTH + GAP) / (wide + GAP) + 1e-6)))
    heights = [PANEL_HEAD * bool(panels) + layout.head + layout.tall * part["row"].nunique() + GAP for _, part in parts]
    lines = [max(heights[first : first + across]) for first in range(0, len(parts), across)]
    sheet = Sheet(max(WIDTH, wide), sum(lines) + FOOT)
    for index, (name, part) in enumerate(parts):
        x, y = (index % across) * (wide + GAP), sum(lines[: index // across])
        if panels:
            sheet.text(x, y + 0.1, fit(str(name), wide, HEADING), fontsize=HEADING, fontweight="bold", gid="panel")
            y += PANEL_HEAD
        _panel(sheet, part, (x, y), layout, (shade, limits))
    _matrix_legend(sheet, limits, label, _note(frame, layout, what))
    return sheet.figure


def _layout(frame: pd.DataFrame, panels: int) -> _Layout:
    """Fit the cells into the page, as wide as possible; with several panels, two side by side."""
    headings = list(dict.fromkeys(style.texts(frame, "column")))
    left = words_column(style.texts(frame, "row"), BODY, MATRIX_WIDEST_NAME) + 0.1
    room = WIDTH if panels == 1 else (WIDTH - GAP) / 2
    cell = float(np.clip((room - left) / len(headings), MATRIX_LEAST_CELL, MATRIX_MOST_CELL))
    upright = any(width_of(name, SMALL) > cell - 0.04 for name in headings)
    head = words_column(headings, SMALL, HEADING_MAX) + 0.1 if upright else 0.22
    return _Layout(left, head, cell, FULL_HEIGHT if cell >= MATRIX_FULL_CELL else ROW_HEIGHT, upright)


def _panel(
    sheet: Sheet, part: pd.DataFrame, corner: tuple[float, float], layout: _Layout, colour: tuple[str, tuple[float, float]]
) -> None:
    """Draw names, headings and cells of a panel. colour: column and limits."""
    (x, y), (shade, limits) = corner, colour
    rows, columns = (list(dict.fromkeys(style.texts(part, name))) for name in ("row", "column"))
    for index, name in enumerate(rows):
        high = y + layout.head + layout.tall * (index + 0.5)
        sheet.text(x + layout.left - 0.08, high, fit(name, layout.left - 0.08, BODY), ha="right", gid="row")
    for index, name in enumerate(columns):
        middle, bottom = x + layout.left + layout.cell * (index + 0.5), y + layout.head - 0.06
        how: dict[str, Any] = {"ha": "center", "va": "bottom", "fontsize": SMALL, "gid": "column"}
        words = fit(name, HEADING_MAX if layout.upright else layout.cell, SMALL)
        sheet.text(middle, bottom, words, rotation=90 if layout.upright else 0, **how)
    axes = sheet.axes(x + layout.left, y + layout.head, layout.cell * len(columns), layout.tall * len(rows))
    fields = (style.column(part, name) for name in ("value", "below", shade))
    cells = zip(style.texts(part, "row"), style.texts(part, "column"), *fields, strict=True)
    known = {(row, heading): tuple(map(float, rest)) for row, heading, *rest in cells}
    for down, row in enumerate(rows):
        for right, heading in enumerate(columns):
            _cell(axes, (right, down), known.get((row, heading), (np.nan,) * 3), limits, layout.full)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_axis_off()


def _cell(axes: Axes, place: tuple[int, int], cell: tuple[float, ...], limits: tuple[float, float], full: bool) -> None:
    """Draw a cell: its colour, its figure, and the second figure below if there is space."""
    (x, y), (value, below, shade) = place, cell
    box = ((x - 0.5, y - 0.5), 1, 1)
    if np.isnan(value):
        axes.add_patch(Rectangle(*box, facecolor=style.BAND, edgecolor=PAPER, linewidth=1.0, gid="blank"))
        return
    face = DIVERGING(Normalize(*limits, clip=True)(shade)) if np.isfinite(shade) else style.BAND
    axes.add_patch(Rectangle(*box, facecolor=face, edgecolor=PAPER, linewidth=1.0, gid="cell"))
    how: dict[str, Any] = {"ha": "center", "va": "center_baseline", "color": style.ink_on(face)}
    two = full and np.isfinite(below)
    size = BODY if full else FIGURES
    axes.text(x, y - (0.17 if two else 0), _figure(value, full), fontsize=size, gid="value", **how)
    if two:
        axes.text(x, y + 0.22, _figure(below, full), fontsize=FIGURES, gid="below", **how)


def _figure(share: float, full: bool) -> str:
    """Write a share in per cent; values close to 0 or 100 are not rounded to these."""
    digits = 1 if full else 0
    least = NEARLY / 10**digits
    if 0 < share < least:
        return f"<{10.0**-digits:.{digits}f}"
    if 1 - least < share < 1 - 1e-12:
        return f">{100 - 10.0**-digits:.{digits}f}"
    return f"{100 * share:.{digits}f}" if 0 < share < 1 - 1e-12 else "100" if share else "0"


def _note(frame: pd.DataFrame, layout: _Layout, what: str) -> str:
    """Note on the figures, and on the number of observations behind the second."""
    n = [value for value in style.column(frame, "n") if np.isfinite(value)]
    below = "below" in frame.columns and layout.full
    if not n:
        return f"Exact, in % of the {clean(what)}"
    sample = f"{counted(n)} {clean(what)}"
    return f"Upper figure: exact; lower: simulated, {sample} in each cell" if below else f"In each cell: {sample}"


def _matrix_legend(sheet: Sheet, limits: tuple[float, float], label: str, note: str) -> None:
    top = sheet.height - FOOT + 0.1
    bar = sheet.axes(0, top, 1.9, 0.09)
    middle = sum(limits) / 2
    scale = ScalarMappable(Normalize(*limits), DIVERGING)
    sheet.figure.colorbar(scale, cax=bar, orientation="horizontal", ticks=[limits[0], middle, limits[1]])
    bar.set_xticklabels([decimal(100 * end, 0) for end in (limits[0], middle, limits[1])])
    bar.tick_params(length=0, pad=2, labelsize=SMALL)
    for spine in bar.spines.values():
        spine.set_visible(False)
    sheet.text(2.1, top + 0.045, fit(label, WIDTH - 2.1, SMALL), fontsize=SMALL, color=MUTED)
    sheet.text(0, sheet.height - 0.08, note, fontsize=SMALL, color=MUTED)


TALL, TOP, HEAD, GRID_GAP, GRID_FOOT = 0.4, 0.02, 0.3, 0.2, 0.62  # inches
LINE, SLANTED = 0.14, 0.95  # height of a column name: of one line, or slanted
GRID_WIDEST_NAME = 1.9
GRID_LEAST_CELL, GRID_FULL_CELL, GRID_MOST_CELL = (0.34, 0.62, 1.1)  # from FULL_CELL on, a cell has space for its interval
LINES_MAX, ROW_LINES = 5, 2  # of a column name, and of a row name
SCALES = (0.1, 0.25, 0.5, 1.0)  # possible ends of the colour scale; the smallest that covers all shares is used
FEW = 0.0995  # if a share is this close to 0 or 1, all shares get one more decimal


@style.housed
def grid(
    frame: pd.DataFrame, *, panels: str | None = None, label: str = "share of the games, in %", level: float = 0.95
) -> Figure:
    """Cells of estimates by row and column, both in order of appearance; one panel per value of `panels`, if given.

    frame: row, column, estimate, low, high (shares 0..1; nan: blank), n. label: words for the colours. level: confidence
    level, for the note.
    """
    style.require(frame, ("row", "column", "estimate", "low", "high", "n"), "grid")
    if not len(frame):
        return style.nothing()
    parts = style.groups(frame, panels) if panels else [("", frame)]
    left = words_column(style.texts(frame, "row"), BODY, GRID_WIDEST_NAME) + 0.12
    widest = max(len(set(part["column"].astype(str))) for _, part in parts)
    cell = float(np.clip((WIDTH - left) / widest, GRID_LEAST_CELL, GRID_MOST_CELL))
    heads = [HEAD * bool(panels) + _names_height(part, cell) for _, part in parts]
    bodies = [TALL * len(set(part["row"].astype(str))) for _, part in parts]
    height = TOP + sum(heads) + sum(bodies) + GRID_GAP * (len(parts) - 1) + GRID_FOOT
    sheet = Sheet(max(WIDTH, left + cell * widest), height)
    top, most = TOP, _most(frame)
    rates = style.column(frame, "estimate")
    close = cell >= GRID_FULL_CELL and bool(((rates < FEW) | (rates > 1 - FEW)).any())
    for (value, part), head, body in zip(parts, heads, bodies, strict=True):
        if panels:
            words = fit(str(value), sheet.width, HEADING, bold=True)
            sheet.text(0, top + 0.1, words, fontsize=HEADING, fontweight="bold", gid="panel")
        _grid_panel(sheet, part, (left, top + head, cell), most, int(close))
        top += head + body + GRID_GAP
    _grid_legend(sheet, (left, top - GRID_GAP), label, most)
    _grid_note(sheet, frame, (left, top - GRID_GAP), level if cell >= GRID_FULL_CELL else None)
    return sheet.figure


def _most(frame: pd.DataFrame) -> float:
    """End of the colour scale, chosen so that small shares differ in colour too."""
    largest = float(np.nanmax([*style.column(frame, "estimate"), 0.0]))
    return next((end for end in SCALES if largest <= end), 1.0)


def _columns(part: pd.DataFrame) -> list[str]:
    return list(dict.fromkeys(style.texts(part, "column")))


def _names_height(part: pd.DataFrame, cell: float) -> float:
    """Height of the column names."""
    words = _columns(part)
    return SLANTED if _slanted(words, cell) else 0.08 + LINE * max(len(_lines(word, cell)) for word in words)


def _slanted(words: list[str], cell: float) -> bool:
    """Whether any name does not fit above its column."""
    return cell < GRID_FULL_CELL or any(width_of(line, SMALL) > cell - 0.06 for word in words for line in _lines(word, cell))


def _lines(words: str, cell: float) -> list[str]:
    """Break a name into lines no wider than a column, if possible."""
    return broken(words, cell - 0.06, SMALL, LINES_MAX)


def _grid_panel(sheet: Sheet, part: pd.DataFrame, corner: tuple[float, float, float], most: float, digits: int) -> None:
    """Draw a panel. corner: left and top of its first cell, width of a cell; most: end of the colour scale; digits: of shares."""
    left, top, cell = corner
    rows, columns = list(dict.fromkeys(style.texts(part, "row"))), _columns(part)
    axes = sheet.axes(left, top, cell * len(columns), TALL * len(rows))
    values = zip(*(style.column(part, name) for name in ("estimate", "low", "high")), strict=True)
    for row, place, value in zip(style.texts(part, "row"), style.texts(part, "column"), values, strict=True):
        if np.isfinite(value[0]):
            face = SEQUENTIAL(float(value[0]) / most)
            _grid_cell(
                axes, (columns.index(place), rows.index(row)), tuple(map(float, value)), face, cell >= GRID_FULL_CELL, digits
            )
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_axis_off()
    for number, row in enumerate(rows):
        lines = broken(row, left - 0.08, BODY, ROW_LINES)
        for line, words in enumerate(lines):
            y = top + TALL * (number + 0.5) + LINE * (line - (len(lines) - 1) / 2)
            sheet.text(left - 0.08, y, fit(words, left - 0.08, BODY), ha="right", gid="row")
    slanted = _slanted(columns, cell)
    for number, words in enumerate(columns):
        x = left + cell * (number + 0.5)
        if slanted:
            how: dict[str, Any] = {"rotation": 45, "rotation_mode": "anchor", "va": "baseline", "fontsize": SMALL}
            room = min(1.1, (sheet.width - x) * np.sqrt(2) + 0.05)
            sheet.text(x, top - 0.06, fit(words, room, SMALL), gid="column", **how)
            continue
        for line, text in enumerate(reversed(_lines(words, cell))):
            sheet.text(x, top - 0.1 - LINE * line, text, ha="center", fontsize=SMALL, gid="column")


def _grid_cell(axes: Axes, place: tuple[int, int], share: tuple[float, ...], face: Any, full: bool, digits: int) -> None:
    """Draw a share 0..1 with its bounds as a cell of colour `face`. full: whether there is space for the bounds."""
    (x, y), (rate, low, high) = place, share
    axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=face, edgecolor=PAPER, linewidth=1.2, gid="cell"))
    how: dict[str, Any] = {"ha": "center", "va": "center_baseline", "color": style.ink_on(face)}
    size = BODY + 1 if full else SMALL
    axes.text(x, y - (0.15 if full else 0), f"{100 * rate:.{digits}f}", fontsize=size, gid="rate", **how)
    if full and np.isfinite(low):
        axes.text(x, y + 0.24, percent_range(low, high, digits), fontsize=6.8, gid="range", **how)


def _grid_legend(sheet: Sheet, corner: tuple[float, float], label: str, most: float) -> None:
    """Draw the colour scale with its label."""
    left, top = corner
    bar = sheet.axes(left, top + 0.14, 1.5, 0.09)
    scale = ScalarMappable(Normalize(0, most), SEQUENTIAL)
    sheet.figure.colorbar(scale, cax=bar, orientation="horizontal", ticks=[0, most / 2, most])
    bar.set_xticklabels([f"{100 * end:g}" for end in (0, most / 2, most)])
    bar.tick_params(length=0, pad=2, labelsize=SMALL)
    for spine in bar.spines.values():
        spine.set_visible(False)
    sheet.text(left + 1.7, top + 0.185, clean(label), fontsize=SMALL, color=MUTED)


def _grid_note(sheet: Sheet, frame: pd.DataFrame, corner: tuple[float, float], level: float | None) -> None:
    """Write the note on the figures. level: of the intervals, None if they are not shown."""
    left, top = corner
    known = frame["n"][np.isfinite(style.column(frame, "estimate"))].astype(float)
    note = f"{counted(known.tolist())} per cell"
    note = f"Below each share its {percent(level, 0)} interval; {note}" if level else note
    sheet.text(left, top + 0.54, note, fontsize=SMALL, color=MUTED)


TERMS_WIDEST_NAME, TERMS_SLANTED, LEVEL_HEAD, TERMS_FOOT = 1.6, 0.95, 0.44, 0.78  # inches
TERMS_LEAST_CELL, FIGURES_CELL, TERMS_MOST_CELL = (0.3, 0.36, 0.75)  # from FIGURES_CELL on, a cell has space for its figure
TERMS_FLAT = 0.31  # height of a cell
TERMS_SCALES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5)  # possible ends of the colour scale


@style.housed
def terms(frame: pd.DataFrame, *, label: str = "points", corner: str = "") -> Figure:
    """Cells by row and column, in order of appearance, on a diverging scale around zero.

    frame: row, column, value (share: 0.03 is 3 points; nan or absent if there is none), sure (whether it is significant), n.
    Cells that are not significant are grey; the diagonal is blank. label: words for the colours; corner: explanation of rows and
    columns. The scale ends at the next round number above the largest significant term.
    """
    style.require(frame, ("row", "column", "value", "sure", "n"), "terms")
    if not len(frame):
        return style.nothing()
    rows = list(dict.fromkeys(style.texts(frame, "row")))
    columns = sorted(dict.fromkeys(style.texts(frame, "column")), key=lambda name: _place(rows, name))
    left = words_column(rows, BODY, TERMS_WIDEST_NAME) + 0.12
    cell = float(np.clip((WIDTH - left) / len(columns), TERMS_LEAST_CELL, TERMS_MOST_CELL))
    slant = any(width_of(name, SMALL) > cell - 0.04 for name in columns)
    head = TERMS_SLANTED if slant else LEVEL_HEAD
    spare = 0.5 if slant else 0.0  # the last slanted name extends to the right
    sheet = Sheet(max(WIDTH, left + cell * len(columns) + spare), head + TERMS_FLAT * len(rows) + TERMS_FOOT)
    most = _terms_most(frame)
    axes = sheet.axes(left, head, cell * len(columns), TERMS_FLAT * len(rows))
    _terms_cells(axes, frame, (rows, columns), most, cell >= FIGURES_CELL)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_axis_off()
    _terms_names(sheet, (rows, columns), (left, head, cell), slant)
    if corner:
        sheet.text(0, 0.08, fit(corner, WIDTH, SMALL), fontsize=SMALL, color=MUTED)
    _terms_legend(sheet, frame, (left, head + TERMS_FLAT * len(rows)), most, label)
    return sheet.figure


def _place(rows: list[str], name: str) -> int:
    """Sort key of a column: the position of the row of the same name; other columns come last."""
    return rows.index(name) if name in rows else len(rows)


def _terms_most(frame: pd.DataFrame) -> float:
    """End of the colour scale."""
    sure = frame[frame["sure"].astype(bool)]
    largest = float(np.nanmax([*abs(style.column(sure, "value")), 0.0]))
    return next((end for end in TERMS_SCALES if largest <= end), 1.0)


def _terms_cells(axes: Axes, frame: pd.DataFrame, names: tuple[list[str], list[str]], most: float, figures: bool) -> None:
    """Draw all cells with colour and figure; grey if not significant."""
    rows, columns = names
    scale = Normalize(-most, most, clip=True)
    places = zip(style.texts(frame, "row"), style.texts(frame, "column"), strict=True)
    known = {
        key: (float(value), bool(sure))
        for key, value, sure in zip(places, style.column(frame, "value"), frame["sure"].tolist(), strict=True)
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


def _terms_names(sheet: Sheet, names: tuple[list[str], list[str]], corner: tuple[float, float, float], slant: bool) -> None:
    """Write names of rows and columns. corner: left, top and width of the first cell."""
    (rows, columns), (left, head, cell) = names, corner
    for down, name in enumerate(rows):
        sheet.text(left - 0.1, head + TERMS_FLAT * (down + 0.5), fit(name, left - 0.1, BODY), ha="right", gid="row")
    for right, name in enumerate(columns):
        x = left + cell * (right + 0.5)
        if slant:
            how: dict[str, Any] = {"rotation": 45, "rotation_mode": "anchor", "va": "baseline"}
            room = min(1.1, (sheet.width - x) * np.sqrt(2) + 0.05)
            sheet.text(x, head - 0.06, fit(name, room, SMALL), fontsize=SMALL, gid="column", **how)
        else:
            sheet.text(x, head - 0.1, fit(name, cell - 0.02, SMALL), ha="center", fontsize=SMALL, gid="column")


def _terms_legend(sheet: Sheet, frame: pd.DataFrame, corner: tuple[float, float], most: float, label: str) -> None:
    """Draw the colour scale with its label, and the note on the number of games per cell."""
    left, top = corner
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


SURFACE_HEAD, SURFACE_TALL, SURFACE_FOOT = 0.46, 0.36, 0.74  # inches
SURFACE_LEAST_CELL, SURFACE_FULL_CELL, SURFACE_MOST_CELL = (0.3, 0.46, 0.9)  # from FULL_CELL on, a cell has space for its n
SURFACE_WIDEST_NAME = 1.7


@style.housed
def surface(
    frame: pd.DataFrame,
    *,
    x_label: str = "turn",
    y_label: str = "ahead by",
    label: str = "the side ahead wins, in %",
    level: float = 0.95,
) -> Figure:
    """Cells of shares with their n, rows upwards and columns from the left in order of appearance.

    frame: row, column, estimate, low, high (shares 0..1; nan: too few games, left empty), n. Cells whose interval includes one
    half are pale.
    """
    style.require(frame, ("row", "column", "estimate", "low", "high", "n"), "surface")
    if not len(frame):
        return style.nothing()
    up, across = (list(dict.fromkeys(style.texts(frame, name))) for name in ("row", "column"))
    left = max(words_column(up, BODY, SURFACE_WIDEST_NAME), words_column([y_label], SMALL, SURFACE_WIDEST_NAME)) + 0.16
    cell = float(np.clip((WIDTH - left) / len(across), SURFACE_LEAST_CELL, SURFACE_MOST_CELL))
    sheet = Sheet(max(WIDTH, left + cell * len(across)), SURFACE_HEAD + SURFACE_TALL * len(up) + SURFACE_FOOT)
    axes = sheet.axes(left, SURFACE_HEAD, cell * len(across), SURFACE_TALL * len(up))
    values = zip(*(style.column(frame, name) for name in ("estimate", "low", "high", "n")), strict=True)
    places = zip(style.texts(frame, "column"), style.texts(frame, "row"), strict=True)
    for (over, beside), value in zip(places, values, strict=True):
        _surface_cell(axes, (across.index(over), up.index(beside)), tuple(map(float, value)), cell >= SURFACE_FULL_CELL)
    axes.set_xlim(-0.5, len(across) - 0.5)
    axes.set_ylim(-0.5, len(up) - 0.5)
    axes.set_axis_off()
    sheet.text(left, 0.08, f"{clean(x_label)} \u2192", fontsize=SMALL, color=MUTED)
    sheet.text(
        left - 0.1, SURFACE_HEAD - 0.12, f"{fit(y_label, SURFACE_WIDEST_NAME, SMALL)}", ha="right", fontsize=SMALL, color=MUTED
    )
    for index, words in enumerate(across):
        sheet.text(left + cell * (index + 0.5), SURFACE_HEAD - 0.12, fit(words, cell, SMALL), ha="center", gid="column")
    for index, words in enumerate(up):
        y = SURFACE_HEAD + SURFACE_TALL * (len(up) - index - 0.5)
        sheet.text(left - 0.1, y, fit(words, left - 0.1, BODY), ha="right", gid="row")
    _surface_legend(sheet, (left, SURFACE_HEAD + SURFACE_TALL * len(up)), label)
    known = [float(n) for n in frame["n"][np.isfinite(style.column(frame, "estimate"))]]
    note = f"Pale: the {percent(level, 0)} interval includes 50; grey: too few games"
    note += "; small: n" if cell >= SURFACE_FULL_CELL else f"; n = {count(min(known))} and more" if known else "; n = 0"
    sheet.text(left, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _surface_cell(axes: Axes, place: tuple[int, int], value: tuple[float, ...], full: bool) -> None:
    """Draw a cell: its share, and n below if there is space."""
    (x, y), (rate, low, high, n) = place, value
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


def _surface_legend(sheet: Sheet, corner: tuple[float, float], label: str) -> None:
    left, top = corner
    bar = sheet.axes(left, top + 0.16, 1.6, 0.09)
    scale = ScalarMappable(Normalize(0, 1), DIVERGING)
    sheet.figure.colorbar(scale, cax=bar, orientation="horizontal", ticks=[0, 0.5, 1])
    bar.set_xticklabels(["0", "50", "100"])
    bar.tick_params(length=0, pad=2, labelsize=SMALL)
    for spine in bar.spines.values():
        spine.set_visible(False)
    sheet.text(left + 1.75, top + 0.205, fit(label, WIDTH - left - 1.75, SMALL), fontsize=SMALL, color=MUTED)


STATES_HEAD, STATES_TALL, STATES_FOOT = 0.5, 0.68, 0.72  # inches
STATES_LEAST_CELL, STATES_MOST_CELL = 0.8, 2.0
STATES_WIDEST_NAME = 1.6


@style.housed
def states(
    frame: pd.DataFrame, *, rows: str = "own", columns: str = "opposing", label: str = "wins, in %", level: float = 0.95
) -> Figure:
    """Cells of win shares with interval and n, rows and columns in order of appearance.

    frame: row, column, estimate, low, high (shares 0..1; nan: blank), n. rows, columns: headings of both. Cells whose interval
    includes one half are pale.
    """
    style.require(frame, ("row", "column", "estimate", "low", "high", "n"), "states")
    if not len(frame):
        return style.nothing()
    down, across = (list(dict.fromkeys(style.texts(frame, name))) for name in ("row", "column"))
    left = max(words_column(down, BODY, STATES_WIDEST_NAME) + 0.16, words_column([rows], SMALL, STATES_WIDEST_NAME) + 0.16)
    cell = float(np.clip((WIDTH - left) / len(across), STATES_LEAST_CELL, STATES_MOST_CELL))
    sheet = Sheet(max(WIDTH, left + cell * len(across)), STATES_HEAD + STATES_TALL * len(down) + STATES_FOOT)
    axes = sheet.axes(left, STATES_HEAD, cell * len(across), STATES_TALL * len(down))
    values = zip(*(style.column(frame, name) for name in ("estimate", "low", "high", "n")), strict=True)
    places = zip(style.texts(frame, "column"), style.texts(frame, "row"), strict=True)
    for (over, beside), value in zip(places, values, strict=True):
        _states_cell(axes, (across.index(over), down.index(beside)), tuple(map(float, value)))
    axes.set_xlim(-0.5, len(across) - 0.5)
    axes.set_ylim(len(down) - 0.5, -0.5)
    axes.set_axis_off()
    sheet.text(left, 0.08, f"{clean(columns)} \u2192", fontsize=SMALL, color=MUTED)
    sheet.text(
        left - 0.12, STATES_HEAD - 0.12, f"{fit(rows, STATES_WIDEST_NAME, SMALL)} \u2193", ha="right", fontsize=SMALL, color=MUTED
    )
    for index, words in enumerate(across):
        x = left + cell * (index + 0.5)
        sheet.text(x, STATES_HEAD - 0.12, fit(words, cell - 0.08, BODY), ha="center", fontweight="bold", gid="column")
    for index, words in enumerate(down):
        y = STATES_HEAD + STATES_TALL * (index + 0.5)
        sheet.text(left - 0.12, y, fit(words, left - 0.12, BODY), ha="right", fontweight="bold", gid="row")
    _states_legend(sheet, (left, STATES_HEAD + STATES_TALL * len(down)), label, level)
    return sheet.figure


def _states_cell(axes: Axes, place: tuple[int, int], value: tuple[float, ...]) -> None:
    """Draw a cell: its share, with interval and n below."""
    (x, y), (rate, low, high, n) = place, value
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
    words = f"{percent_range(low, high)}" if np.isfinite(low) else "even by symmetry"
    axes.text(x, y + 0.1, words, fontsize=6.8, gid="range", **how)
    axes.text(x, y + 0.31, f"n = {count(n)}", fontsize=6.8, gid="n", **how)


def _states_legend(sheet: Sheet, corner: tuple[float, float], label: str, level: float) -> None:
    left, top = corner
    bar = sheet.axes(left, top + 0.18, 1.9, 0.09)
    sheet.figure.colorbar(ScalarMappable(Normalize(0, 1), DIVERGING), cax=bar, orientation="horizontal", ticks=[0, 0.5, 1])
    bar.set_xticklabels(["0", "50", "100"])
    bar.tick_params(length=0, pad=2, labelsize=SMALL)
    for spine in bar.spines.values():
        spine.set_visible(False)
    sheet.text(left + 2.05, top + 0.225, fit(label, WIDTH - left - 2.05, SMALL), fontsize=SMALL, color=MUTED)
    note = f"In each cell: share, {percent(level, 0)} interval, n; pale: the interval includes 50"
    sheet.text(left, top + 0.6, note, fontsize=SMALL, color=MUTED)
