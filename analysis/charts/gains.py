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
HEAD, BETWEEN = 0.24, 0.3  # inches: of a panel's heading, between panels
BAR = 0.62  # of a row
WIDEST_NAME, PRICE, GAMES = 1.7, 0.5, 0.75  # widths of the columns of words and numbers
COLOURS = ((STRONG, "surely more wins with it"), (WEAK, "surely fewer"), (MUTED, "may be chance"))


@style.housed
def gains(
    frame: pd.DataFrame,
    *,
    price: str = "price",
    unit: str = "",
    counts: tuple[str, str] = ("seats", "Seats: games of those that had it."),
    bars: bool = False,
    level: float = 0.95,
) -> Figure:
    """A dot with its interval per row: the difference of the win shares, and beside it the same per unit of price.

    frame: name, change, low, high (differences of shares, -1..1), n (who had it); optionally price (nan or 0: no dot
    at the right), sure (whether a difference is no chance; else where the interval leaves out nought) and panel (rows of one
    stand below its heading; all panels have one scale). Rows stand as given; those without a difference say so. price, unit:
    words for the price and its unit, e.g. price and gold. counts: what n counts, and the same in a sentence. bars: from nought
    to each dot.
    """
    style.require(frame, ("name", "change", "low", "high", "n"), "gains")
    if not len(frame):
        return style.nothing()
    parts = style.groups(frame, "panel") if "panel" in frame.columns else [("", frame)]
    paid = style.column(frame, "price")
    priced = bool(np.isfinite(paid).any())
    left = column(style.texts(frame, "name"), BODY, WIDEST_NAME) + 0.12 + (PRICE if priced else 0)
    heads = [HEAD if str(value) else 0.0 for value, _ in parts]
    sheet = Sheet(WIDTH, TOP + sum(heads) + ROW * len(frame) + BETWEEN * (len(parts) - 1) + FOOT)
    room = WIDTH - left - GAMES - (GAP if priced else 0)
    width = room / 2 if priced else room
    sheet.key(left, 0.06, [(words, {"color": colour}) for colour, words in COLOURS])
    if priced:
        sheet.text(left - 0.14, 0.38, clean(price), ha="right", fontsize=SMALL, color=MUTED)
    said = ["difference of the win share, points", f"the same per {clean(unit or price)}, points"]
    for at, words in enumerate(said[: 1 + priced]):
        sheet.text(left + at * (width + GAP), 0.38, fit(words, width, HEADING), fontsize=SMALL, color=MUTED)
    sheet.text(WIDTH, 0.38, clean(counts[0]), ha="right", fontsize=SMALL, color=MUTED)
    scales = [_reach(values) for values in _values(frame, priced)]
    top = TOP
    for (value, part), head in zip(parts, heads, strict=True):
        if head:
            sheet.text(0, top + 0.1, fit(str(value), WIDTH, HEADING, bold=True), fontsize=HEADING, fontweight="bold")
        top += head
        colours = _colours(part)
        for at, values in enumerate(_values(part, priced)):
            axes = sheet.axes(left + at * (width + GAP), top, width, ROW * len(part))
            _panel(axes, values, colours, scales[at], bars)
        _rows(sheet, part, (left, top), priced)
        top += ROW * len(part) + BETWEEN
    note = f"{'Lines' if bars else 'Bars'}: {percent(level, 0)} intervals. {counts[1]}"
    sheet.text(left, sheet.height - 0.08, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _values(frame: pd.DataFrame, priced: bool) -> list[list[np.ndarray]]:
    """The change and its bounds; where there are prices the same per unit of these too."""
    values = [style.column(frame, name) for name in ("change", "low", "high")]
    paid = style.column(frame, "price")
    per = np.where(paid > 0, paid, np.nan)
    return [values, [value / per for value in values]] if priced else [values]


def _reach(values: list[np.ndarray]) -> tuple[float, float]:
    """Ends of a scale: as far as the intervals go, and nought."""
    ends = np.array([*(bound for end in values[1:] for bound in end[np.isfinite(values[0])]), 0.0])
    reach = float(np.ptp(ends)) or 0.1
    return float(ends.min() - 0.05 * reach), float(ends.max() + 0.05 * reach)


def _rows(sheet: Sheet, part: pd.DataFrame, at: tuple[float, float], priced: bool) -> None:
    """Name, price and number of games beside each row."""
    left, top = at
    columns = (style.column(part, "price"), style.column(part, "n"))
    for row, (name, cost, n) in enumerate(zip(style.texts(part, "name"), *columns, strict=True)):
        y = top + ROW * (row + 0.5)
        sheet.text(0, y, fit(name, left - 0.12 - (PRICE if priced else 0), BODY))
        if priced:
            sheet.text(left - 0.14, y, number(cost), ha="right", fontsize=SMALL, color=MUTED)
        sheet.text(WIDTH, y, count(n), ha="right", fontsize=SMALL, color=MUTED)


def _colours(frame: pd.DataFrame) -> np.ndarray:
    change, low, high = (style.column(frame, name) for name in ("change", "low", "high"))
    sure = frame["sure"].to_numpy(dtype=bool) if "sure" in frame.columns else (low > 0) | (high < 0)
    return np.where(sure & (change > 0), STRONG, np.where(sure & (change < 0), WEAK, MUTED))


def _panel(axes: Axes, values: list[np.ndarray], colours: np.ndarray, ends: tuple[float, float], bars: bool) -> None:
    change, low, high = values
    rows = np.arange(len(change))
    known = np.isfinite(change)
    if bars:
        faces = [style.pale(colour, 0.3) for colour in colours[known]]
        axes.barh(rows[known], change[known], height=BAR, color=faces, linewidth=0, zorder=0.8, gid="bar")
    axes.hlines(rows[known], low[known], high[known], color=list(colours[known]), linewidth=1.6, gid="interval")
    axes.scatter(change[known], rows[known], s=24, color=list(colours[known]), zorder=3, gid="dot")
    axes.axvline(0, color=FAINT, linewidth=0.8, zorder=1, gid="zero")
    axes.set_xlim(*ends)
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
