"""Grid: an estimated share with its interval for every pair of a row and a column, on a scale from nothing to all."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from analysis.charts import style
from analysis.charts.style import BODY, HEADING, MUTED, PAPER, SEQUENTIAL, SMALL, WIDTH, Sheet
from analysis.charts.words import broken, clean, column, fit, width_of
from analysis.wording import counted, percent, percent_range

TALL, TOP, HEAD, GAP, FOOT = 0.4, 0.02, 0.3, 0.2, 0.62  # inches
LINE, SLANTED = 0.14, 0.95  # height of a column's name: of one line, or slanted as a whole
WIDEST_NAME = 1.9
LEAST_CELL, FULL_CELL, MOST_CELL = 0.34, 0.62, 1.1  # from FULL_CELL on a cell has room for its interval
LINES_MAX, ROW_LINES = 5, 2  # of a column's name, and of a row's
SCALES = (0.1, 0.25, 0.5, 1.0)  # ends of the colour scale: the least that all shares are within
FEW = 0.0995  # where a share is so near to nothing or all, every share is written with one digit more


@style.housed
def grid(
    frame: pd.DataFrame,
    *,
    panels: str | None = None,
    label: str = "share of the games, in %",
    level: float = 0.95,
) -> Figure:
    """Cells of estimates by row and column, both in order of appearance; one panel per value of `panels`, if named.

    frame: row, column, estimate, low, high (shares 0..1; nan: blank), n. label: words for the colours. level: confidence
    level, for the note.
    """
    style.require(frame, ("row", "column", "estimate", "low", "high", "n"), "grid")
    if not len(frame):
        return style.nothing()
    parts = style.groups(frame, panels) if panels else [("", frame)]
    left = column(style.texts(frame, "row"), BODY, WIDEST_NAME) + 0.12
    widest = max(len(set(part["column"].astype(str))) for _, part in parts)
    cell = float(np.clip((WIDTH - left) / widest, LEAST_CELL, MOST_CELL))
    heads = [HEAD * bool(panels) + _names_height(part, cell) for _, part in parts]
    bodies = [TALL * len(set(part["row"].astype(str))) for _, part in parts]
    height = TOP + sum(heads) + sum(bodies) + GAP * (len(parts) - 1) + FOOT
    sheet = Sheet(max(WIDTH, left + cell * widest), height)
    top, most = TOP, _most(frame)
    rates = style.column(frame, "estimate")
    close = cell >= FULL_CELL and bool(((rates < FEW) | (rates > 1 - FEW)).any())
    for (value, part), head, body in zip(parts, heads, bodies, strict=True):
        if panels:
            words = fit(str(value), sheet.width, HEADING, bold=True)
            sheet.text(0, top + 0.1, words, fontsize=HEADING, fontweight="bold", gid="panel")
        _panel(sheet, part, (left, top + head, cell), most, int(close))
        top += head + body + GAP
    _legend(sheet, (left, top - GAP), label, most)
    _note(sheet, frame, (left, top - GAP), level if cell >= FULL_CELL else None)
    return sheet.figure


def _most(frame: pd.DataFrame) -> float:
    """End of the colour scale, so that small shares can be told apart by colour too."""
    largest = float(np.nanmax([*style.column(frame, "estimate"), 0.0]))
    return next((end for end in SCALES if largest <= end), 1.0)


def _columns(part: pd.DataFrame) -> list[str]:
    return list(dict.fromkeys(style.texts(part, "column")))


def _names_height(part: pd.DataFrame, cell: float) -> float:
    """Height of the names of the columns."""
    words = _columns(part)
    return SLANTED if _slanted(words, cell) else 0.08 + LINE * max(len(_lines(word, cell)) for word in words)


def _slanted(words: list[str], cell: float) -> bool:
    """Whether some name does not fit above its column."""
    return cell < FULL_CELL or any(width_of(line, SMALL) > cell - 0.06 for word in words for line in _lines(word, cell))


def _lines(words: str, cell: float) -> list[str]:
    """A name broken into lines no wider than a column, as far as that goes."""
    return broken(words, cell - 0.06, SMALL, LINES_MAX)


def _panel(sheet: Sheet, part: pd.DataFrame, at: tuple[float, float, float], most: float, digits: int) -> None:
    """One panel; at: left and top of its first cell, width of a cell; most: end of the colour scale; digits: of shares."""
    left, top, cell = at
    rows, columns = list(dict.fromkeys(style.texts(part, "row"))), _columns(part)
    axes = sheet.axes(left, top, cell * len(columns), TALL * len(rows))
    values = zip(*(style.column(part, name) for name in ("estimate", "low", "high")), strict=True)
    for row, place, value in zip(style.texts(part, "row"), style.texts(part, "column"), values, strict=True):
        if np.isfinite(value[0]):
            face = SEQUENTIAL(float(value[0]) / most)
            _cell(
                axes, (columns.index(place), rows.index(row)), tuple(map(float, value)), face, cell >= FULL_CELL, digits
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


def _cell(axes: Axes, at: tuple[int, int], share: tuple[float, ...], face: Any, full: bool, digits: int) -> None:
    """A share 0..1 with its bounds, as a cell of the colour `face`; full: whether there is room for the bounds."""
    (x, y), (rate, low, high) = at, share
    axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=face, edgecolor=PAPER, linewidth=1.2, gid="cell"))
    how: dict[str, Any] = {"ha": "center", "va": "center_baseline", "color": style.ink_on(face)}
    size = BODY + 1 if full else SMALL
    axes.text(x, y - (0.15 if full else 0), f"{100 * rate:.{digits}f}", fontsize=size, gid="rate", **how)
    if full and np.isfinite(low):
        axes.text(x, y + 0.24, percent_range(low, high, digits), fontsize=6.8, gid="range", **how)


def _legend(sheet: Sheet, at: tuple[float, float], label: str, most: float) -> None:
    """The scale in words."""
    left, top = at
    bar = sheet.axes(left, top + 0.14, 1.5, 0.09)
    scale = ScalarMappable(Normalize(0, most), SEQUENTIAL)
    sheet.figure.colorbar(scale, cax=bar, orientation="horizontal", ticks=[0, most / 2, most])
    bar.set_xticklabels([f"{100 * end:g}" for end in (0, most / 2, most)])
    bar.tick_params(length=0, pad=2, labelsize=SMALL)
    for spine in bar.spines.values():
        spine.set_visible(False)
    sheet.text(left + 1.7, top + 0.185, clean(label), fontsize=SMALL, color=MUTED)


def _note(sheet: Sheet, frame: pd.DataFrame, at: tuple[float, float], level: float | None) -> None:
    """What the figures are. level: of the intervals shown, None where there was no room for them."""
    left, top = at
    known = frame["n"][np.isfinite(style.column(frame, "estimate"))].astype(float)
    note = f"{counted(known.tolist())} per cell"
    note = f"Below each share its {percent(level, 0)} interval; {note}" if level else note
    sheet.text(left, top + 0.54, note, fontsize=SMALL, color=MUTED)
