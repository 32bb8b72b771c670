"""Stacked shares: what an entrant's total is made of."""

from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.legend import LINE, legend, wrapped
from analysis.charts.style import BODY, MUTED, PAPER, SMALL, WIDTH, Sheet
from analysis.charts.words import clean, column, fit
from analysis.wording import count, percent

ROW, BAR, FOOT = 0.27, 0.74, 0.5  # inches; BAR is a part of ROW
WIDEST_NAME, GAMES = 2.6, 0.75
LEAST_LABEL = 0.26  # inches: a narrower segment is not labelled


@style.housed
def stacked(
    frame: pd.DataFrame,
    *,
    category: str = "category",
    unit: str = "cases",
    level: float = 0.95,
    order: Literal["share", "given"] = "share",
) -> Figure:
    """Horizontal bars of 100 %, one per entrant, cut into `category`, sorted by the first category or as given.

    frame: name, `category` (drawn in order of appearance), estimate (0..1 of the name's total), n (cases of the name);
    optionally low and high, whose widest half-width the note tells. unit: what n counts.
    """
    style.require(frame, ("name", category, "estimate", "n"), "stacked")
    if not len(frame):
        return style.nothing()
    kinds = list(dict.fromkeys(frame[category].astype(str)))
    names, shares, counts = _table(frame, category, kinds, order)
    left = column([clean(name) for name in names], BODY, WIDEST_NAME) + 0.12
    colours = style.hues(kinds)
    lines = wrapped(kinds, WIDTH - left)
    top = 0.1 + LINE * len(lines) + 0.06
    sheet = Sheet(WIDTH, top + ROW * len(names) + FOOT)
    legend(sheet, (left, 0.06), kinds, [{"marker": "s", "color": colour} for colour in colours])
    width = WIDTH - left - GAMES
    axes = sheet.axes(left, top, width, ROW * len(names))
    _bars(axes, shares, colours, width)
    sheet.text(WIDTH, top - 0.08, unit, ha="right", fontsize=SMALL, color=MUTED)
    for row, name in enumerate(names):
        y = top + ROW * (row + 0.5)
        sheet.text(0, y, fit(name, left - 0.1, BODY))
        sheet.text(WIDTH, y, count(counts[row]), ha="right", fontsize=SMALL, color=MUTED)
    half = (style.column(frame, "high") - style.column(frame, "low")) / 2
    if np.isfinite(half).any():
        note = (
            f"{percent(level, 0)} intervals reach at most {100 * np.nanmax(half):.1f} points to either side of a share."
        )
        sheet.text(left, sheet.height - 0.08, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _table(
    frame: pd.DataFrame, category: str, kinds: list[str], order: str
) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Names, by "share" sorted by those of the first, then the next categories; shares by name and kind; cases by name."""
    names = list(dict.fromkeys(frame["name"].astype(str)))
    shares, counts = np.zeros((len(names), len(kinds))), np.zeros(len(names))
    rows = frame["name"].astype(str).map({name: at for at, name in enumerate(names)}).to_numpy(dtype=int)
    columns = frame[category].astype(str).map({kind: at for at, kind in enumerate(kinds)}).to_numpy(dtype=int)
    shares[rows, columns] = np.nan_to_num(style.column(frame, "estimate"))
    counts[rows] = np.nan_to_num(style.column(frame, "n"))
    if order == "given":
        return names, shares, counts
    by_share = np.lexsort([*(-shares[:, kind] for kind in reversed(range(len(kinds)))), counts == 0])
    return [names[at] for at in by_share], shares[by_share], counts[by_share]


def _bars(axes: Axes, shares: np.ndarray, colours: list[Any], width: float) -> None:
    rows = np.arange(len(shares))
    start = np.zeros(len(shares))
    for kind, colour in enumerate(colours):
        part = shares[:, kind]
        axes.barh(rows, part, left=start, height=BAR, color=colour, edgecolor=PAPER, linewidth=0.8, gid="segment")
        for row in rows[part * width >= LEAST_LABEL]:
            middle = start[row] + part[row] / 2
            how: dict[str, Any] = {
                "ha": "center",
                "va": "center_baseline",
                "fontsize": SMALL,
                "color": style.ink_on(colour),
            }
            axes.text(middle, row, f"{100 * part[row]:.0f}", gid="share", **how)
        start = start + part
    for row in rows[start == 0]:
        axes.text(0, row, "no cases", va="center_baseline", fontsize=SMALL, color=MUTED)
    axes.set_xlim(0, 1)
    axes.set_ylim(len(shares) - 0.5, -0.5)
    axes.set_yticks([])
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
    style.percent_axis(axes.xaxis)
