"""Hex heat map: how much of something falls on each hex of a board."""

from math import sqrt
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.style import HEADING, MUTED, PAPER, SEQUENTIAL, SMALL, WIDTH, Sheet
from analysis.charts.words import clean, width_of
from analysis.wording import count, percent

HEAD, FOOT, GAP = 0.48, 0.5, 0.35  # inches
PER_ROW = 2
TALLEST = 3.6
EDGE = 0.05  # of a hex radius: room for the shore line
# Corners of a flat-top hex of radius 1, y down; edge i joins corners i and i + 1 and looks at NEIGHBOURS[i].
CORNERS = np.array([(np.cos(np.pi / 3 * at), np.sin(np.pi / 3 * at)) for at in range(6)])
NEIGHBOURS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
FIGURES = 6.3  # points
LEAST_FIGURE = 0.3  # inches: a narrower hex carries no figure


@style.housed
def board(
    frame: pd.DataFrame, *, panels: str = "panel", shared: bool = True, unit: str = "share of the panel's cases"
) -> Figure:
    """Map a board of flat-top hexes (axial q, r; r grows downwards), a panel per value of `panels`.

    frame: `panels`, q, r, value (share 0..1; nan where nothing is known); optionally n (cases of the panel).
    The rows of a panel are its land, whose shore is outlined. shared: one colour scale for all panels.
    """
    style.require(frame, (panels, "q", "r", "value"), "board")
    parts = style.groups(frame, panels)
    if not parts:
        return style.nothing()
    x, y = _centres(frame)
    spans = (float(np.ptp(x)) + 2 + 2 * EDGE, float(np.ptp(y)) + sqrt(3) + 2 * EDGE)
    across = min(PER_ROW, len(parts))
    room = (WIDTH - GAP * (across - 1)) / across
    width = min(room, TALLEST * spans[0] / spans[1])
    height = width * spans[1] / spans[0]
    down = -(-len(parts) // across)
    sheet = Sheet(WIDTH, down * (HEAD + height + FOOT))
    reach = (1 + EDGE, sqrt(3) / 2 + EDGE)
    whole = (float(x.min()) - reach[0], float(x.max()) + reach[0], float(y.min()) - reach[1], float(y.max()) + reach[1])
    most = float(np.nanmax([*style.column(frame, "value"), 1e-9]))
    for at, (name, part) in enumerate(parts):
        left, top = (at % across) * (room + GAP), (at // across) * (HEAD + height + FOOT)
        peak = most if shared else float(np.nanmax([*style.column(part, "value"), 1e-9]))
        sheet.text(left, top + 0.1, clean(str(name)), fontsize=HEADING, fontweight="bold")
        cases = style.column(part, "n")
        if np.isfinite(cases).any():
            sheet.text(left, top + 0.28, f"n = {count(float(np.nanmax(cases)))}", fontsize=SMALL, color=MUTED)
        axes = sheet.axes(left, top + HEAD, width, height)
        _map(axes, part, peak, width / spans[0])
        axes.set_xlim(whole[0], whole[1])
        axes.set_ylim(whole[3], whole[2])
        if at == 0 or not shared:
            _scale(sheet, (left, top + HEAD + height + 0.16), peak, unit)
    return sheet.figure


def _centres(frame: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Centres of the hexes for a hex radius of 1, y down."""
    q, r = style.column(frame, "q"), style.column(frame, "r")
    return 1.5 * q, sqrt(3) * (r + q / 2)


def _map(axes: Axes, part: pd.DataFrame, peak: float, inch: float) -> None:
    """Draw the hexes of one panel. inch: inches per hex radius."""
    x, y = _centres(part)
    values = style.column(part, "value")
    shades = [SEQUENTIAL(value / peak) if np.isfinite(value) else PAPER for value in values]
    outlines = np.stack([x, y], axis=1)[:, None, :] + CORNERS[None, :, :]
    axes.add_collection(PolyCollection(list(outlines), facecolors=shades, edgecolors=PAPER, linewidths=0.8, gid="hex"))
    land = set(zip(part["q"].astype(int), part["r"].astype(int), strict=True))
    shore = [
        [outlines[at, edge], outlines[at, (edge + 1) % 6]]
        for at, (q, r) in enumerate(zip(part["q"].astype(int), part["r"].astype(int), strict=True))
        for edge, (dq, dr) in enumerate(NEIGHBOURS)
        if (q + dq, r + dr) not in land
    ]
    axes.add_collection(LineCollection(shore, colors=MUTED, linewidths=1.1, capstyle="round", gid="shore"))
    if 2 * inch >= LEAST_FIGURE and width_of("8.8", FIGURES) < 1.6 * inch:
        for place, value, shade in zip(np.stack([x, y], axis=1), values, shades, strict=True):
            if np.isfinite(value):
                how: dict[str, Any] = {
                    "ha": "center",
                    "va": "center_baseline",
                    "fontsize": FIGURES,
                    "color": style.ink_on(shade),
                }
                axes.text(place[0], place[1], f"{100 * value:.1f}", gid="figure", **how)
    axes.set_axis_off()


def _scale(sheet: Sheet, at: tuple[float, float], peak: float, unit: str) -> None:
    left, top = at
    bar = sheet.axes(left, top, 1.5, 0.08)
    sheet.figure.colorbar(ScalarMappable(Normalize(0, peak), SEQUENTIAL), cax=bar, orientation="horizontal", ticks=[])
    bar.spines[:].set_visible(False)
    sheet.text(left, top + 0.17, "0", fontsize=SMALL, color=MUTED)
    sheet.text(left + 1.5, top + 0.17, percent(peak), ha="right", fontsize=SMALL, color=MUTED)
    sheet.text(left + 1.62, top + 0.04, f"{clean(unit)}, in %", fontsize=SMALL, color=MUTED)
