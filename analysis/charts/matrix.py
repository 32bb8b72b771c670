"""Matrix: shares by row and column in coloured cells, such as the chance of every fighter against every opponent."""

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
from analysis.charts.style import BODY, DIVERGING, HEADING, MUTED, PAPER, SMALL, WIDTH, Sheet
from analysis.charts.words import clean, column, fit, width_of
from analysis.wording import counted, decimal

WIDEST_NAME = 1.5  # inches
LEAST_CELL, FULL_CELL, MOST_CELL = 0.21, 0.5, 0.95  # inches; from FULL_CELL on a cell has room for a second figure
FULL_HEIGHT, ROW_HEIGHT = 0.36, 0.2
HEADING_MAX = 1.1  # length of a column's heading that stands upright
GAP, PANEL_HEAD, FOOT = 0.3, 0.22, 0.62
FIGURES = 6.8  # points
NEARLY = 0.005  # a share nearer than this to 0 or 1, but not there, must not be rounded to it


@dataclass(frozen=True)
class _Layout:
    """Where the cells of a panel stand, in inches from its top left corner."""

    left: float  # room for the names of the rows
    head: float  # room for the headings of the columns
    cell: float
    tall: float
    upright: bool  # headings stand on end

    @property
    def full(self) -> bool:
        """Whether cells have room for two figures."""
        return self.cell >= FULL_CELL


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
    """Cells of shares by row and column, both in the order given; one panel per value of `panels`, if named.

    frame: row, column, value (share 0..1, nan: blank), n (behind `below`; nan: exact only); optionally below (a second share,
    shown where cells are wide enough). shade: the column that the colour shows, limits its ends, label its words.
    what: that n counts.
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
    for at, (name, part) in enumerate(parts):
        x, y = (at % across) * (wide + GAP), sum(lines[: at // across])
        if panels:
            sheet.text(x, y + 0.1, fit(str(name), wide, HEADING), fontsize=HEADING, fontweight="bold", gid="panel")
            y += PANEL_HEAD
        _panel(sheet, part, (x, y), layout, (shade, limits))
    _legend(sheet, limits, label, _note(frame, layout, what))
    return sheet.figure


def _layout(frame: pd.DataFrame, panels: int) -> _Layout:
    """Fit the cells into the page: as wide as there is room for; two panels side by side where there are several."""
    headings = list(dict.fromkeys(style.texts(frame, "column")))
    left = column(style.texts(frame, "row"), BODY, WIDEST_NAME) + 0.1
    room = WIDTH if panels == 1 else (WIDTH - GAP) / 2
    cell = float(np.clip((room - left) / len(headings), LEAST_CELL, MOST_CELL))
    upright = any(width_of(name, SMALL) > cell - 0.04 for name in headings)
    head = column(headings, SMALL, HEADING_MAX) + 0.1 if upright else 0.22
    return _Layout(left, head, cell, FULL_HEIGHT if cell >= FULL_CELL else ROW_HEIGHT, upright)


def _panel(
    sheet: Sheet,
    part: pd.DataFrame,
    corner: tuple[float, float],
    layout: _Layout,
    colour: tuple[str, tuple[float, float]],
) -> None:
    """Names, headings and cells of one panel. colour: column and limits."""
    (x, y), (shade, limits) = corner, colour
    rows, columns = (list(dict.fromkeys(style.texts(part, name))) for name in ("row", "column"))
    for at, name in enumerate(rows):
        high = y + layout.head + layout.tall * (at + 0.5)
        sheet.text(x + layout.left - 0.08, high, fit(name, layout.left - 0.08, BODY), ha="right", gid="row")
    for at, name in enumerate(columns):
        middle, bottom = x + layout.left + layout.cell * (at + 0.5), y + layout.head - 0.06
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


def _cell(axes: Axes, at: tuple[int, int], cell: tuple[float, ...], limits: tuple[float, float], full: bool) -> None:
    """One cell: its colour, its figure, the second figure below if there is room for it."""
    (x, y), (value, below, shade) = at, cell
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
    """A share in per cent; what is not quite 0 or 100 is not shown as such."""
    digits = 1 if full else 0
    least = NEARLY / 10**digits
    if 0 < share < least:
        return f"<{10.0**-digits:.{digits}f}"
    if 1 - least < share < 1 - 1e-12:
        return f">{100 - 10.0**-digits:.{digits}f}"
    return f"{100 * share:.{digits}f}" if 0 < share < 1 - 1e-12 else "100" if share else "0"


def _note(frame: pd.DataFrame, layout: _Layout, what: str) -> str:
    """What the figures are, and how many observations stand behind the second."""
    n = [value for value in style.column(frame, "n") if np.isfinite(value)]
    below = "below" in frame.columns and layout.full
    if not n:
        return f"Exact, in % of the {clean(what)}"
    said = f"{counted(n)} {clean(what)}"
    return f"Upper figure: exact; lower: simulated, {said} in each cell" if below else f"In each cell: {said}"


def _legend(sheet: Sheet, limits: tuple[float, float], label: str, note: str) -> None:
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
