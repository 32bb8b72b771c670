"""Gains: what the win share differs by where something is had, and per unit of its price."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.charts import style
from analysis.charts.style import BODY, FAINT, HAIR, HEADING, MUTED, SMALL, STRONG, WEAK, WIDTH, Sheet
from analysis.charts.words import clean, column, fit
from analysis.wording import count, number, percent, points

ROW, TOP, FOOT, GAP = 0.205, 0.5, 0.52, 0.25  # inches
WIDEST_NAME, PRICE, GAMES = 1.7, 0.5, 0.75  # widths of the columns of words and numbers
COLOURS = ((STRONG, "surely more wins with it"), (WEAK, "surely fewer"), (MUTED, "may be chance"))


@style.housed
def gains(frame: pd.DataFrame, *, price: str = "price", unit: str = "", level: float = 0.95) -> Figure:
    """A dot with its interval per row: the difference of the win shares, and beside it the same per unit of price.

    frame: name, change, low, high (differences of shares, -1..1), n (who had it); optionally price (nan or 0: no dot
    at the right) and sure (whether a difference is no chance; else where the interval leaves out nought). Rows stand as
    given; those without a difference say so. price, unit: words for the price and its unit, e.g. price and gold.
    """
    style.require(frame, ("name", "change", "low", "high", "n"), "gains")
    if not len(frame):
        return style.nothing()
    paid = style.column(frame, "price")
    priced = bool(np.isfinite(paid).any())
    left = column(style.texts(frame, "name"), BODY, WIDEST_NAME) + 0.12 + (PRICE if priced else 0)
    sheet = Sheet(WIDTH, TOP + ROW * len(frame) + FOOT)
    room = WIDTH - left - GAMES - (GAP if priced else 0)
    width = room / 2 if priced else room
    sheet.key(left, 0.06, [(words, {"color": colour}) for colour, words in COLOURS])
    values = [style.column(frame, name) for name in ("change", "low", "high")]
    colours = _colours(frame, values)
    panels = [("difference of the win share, points", values, left)]
    if priced:
        per = np.where(paid > 0, paid, np.nan)
        beside = f"the same per {clean(unit or price)}, points"
        panels.append((beside, [value / per for value in values], left + width + GAP))
        sheet.text(left - 0.14, 0.38, clean(price), ha="right", fontsize=SMALL, color=MUTED)
    for words, shown, x in panels:
        sheet.text(x, 0.38, fit(words, width, HEADING), fontsize=SMALL, color=MUTED)
        _panel(sheet.axes(x, TOP, width, ROW * len(frame)), shown, colours)
    sheet.text(WIDTH, 0.38, "seats", ha="right", fontsize=SMALL, color=MUTED)
    for row, (name, cost, n) in enumerate(zip(style.texts(frame, "name"), paid, style.column(frame, "n"), strict=True)):
        y = TOP + ROW * (row + 0.5)
        sheet.text(0, y, fit(name, left - 0.12 - (PRICE if priced else 0), BODY))
        if priced:
            sheet.text(left - 0.14, y, number(cost), ha="right", fontsize=SMALL, color=MUTED)
        sheet.text(WIDTH, y, count(n), ha="right", fontsize=SMALL, color=MUTED)
    note = f"Bars: {percent(level, 0)} intervals. Seats: games of those that had it."
    sheet.text(left, sheet.height - 0.08, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _colours(frame: pd.DataFrame, values: list[np.ndarray]) -> np.ndarray:
    change, low, high = values
    sure = frame["sure"].to_numpy(dtype=bool) if "sure" in frame.columns else (low > 0) | (high < 0)
    return np.where(sure & (change > 0), STRONG, np.where(sure & (change < 0), WEAK, MUTED))


def _panel(axes: Axes, values: list[np.ndarray], colours: np.ndarray) -> None:
    change, low, high = values
    rows = np.arange(len(change))
    known = np.isfinite(change)
    axes.hlines(rows[known], low[known], high[known], color=list(colours[known]), linewidth=1.6, gid="interval")
    axes.scatter(change[known], rows[known], s=24, color=list(colours[known]), zorder=3, gid="dot")
    axes.axvline(0, color=FAINT, linewidth=0.8, zorder=1, gid="zero")
    ends = np.array([*low[known], *high[known], 0.0])
    reach = float(np.ptp(ends)) or 0.1
    axes.set_xlim(ends.min() - 0.05 * reach, ends.max() + 0.05 * reach)
    axes.set_ylim(len(change) - 0.5, -0.5)
    axes.set_yticks([])
    for row in rows[1:]:
        axes.axhline(row - 0.5, color=HAIR, linewidth=0.5, zorder=0.5)
    for row in rows[~known]:
        axes.text(0, row, " no games to compare", va="center_baseline", fontsize=SMALL, color=MUTED)
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    ticks = 100 * axes.get_xticks()
    digits = next((digits for digits in (0, 1, 2) if np.allclose(ticks, np.round(ticks, digits), atol=1e-6)), 3)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: points(value, digits)))
