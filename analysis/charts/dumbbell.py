"""Dumbbells: two estimates per row and the way between them, and beside them a difference of win shares."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.charts import style
from analysis.charts.style import BODY, FAINT, HAIR, MUTED, SMALL, STRONG, WEAK, WIDTH, Sheet
from analysis.charts.words import clean, column, fit, width_of
from analysis.wording import count, number, percent, points

ROW, TOP, FOOT, GAP = 0.27, 0.5, 0.54, 0.28  # inches
WIDEST_NAME, GAMES = 2.1, 0.75  # widths of the columns of words and numbers
PAIR = (style.BLUE, style.AMBER)
NEAR = 1.5  # of the width of all dots: as far as that, nought is shown too
VERDICTS = ((STRONG, "difference surely above nought"), (WEAK, "surely below"), (MUTED, "may be chance"))


@style.housed
def dumbbell(
    frame: pd.DataFrame,
    *,
    words: Sequence[str] = ("first", "second"),
    label: str = "share",
    change: str = "difference of the win share, points",
    what: str = "games",
    shares: bool = True,
    level: float = 0.95,
) -> Figure:
    """Two dots with intervals per row, in the order given; where the frame has a change, a dot for that in a panel beside.

    frame: name, first, first_low, first_high, second, second_low, second_high (nan: no dot; shares, unless `shares` is
    false), n; optionally change, change_low, change_high (likewise) and sure (no chance; else where the interval
    leaves out nought). words: what the two dots are; label, change: words for the two scales; what: that n counts.
    """
    needed = ("name", "first", "first_low", "first_high", "second", "second_low", "second_high", "n")
    style.require(frame, needed, "dumbbell")
    if not len(frame):
        return style.nothing()
    both = "change" in frame.columns
    left = column(style.texts(frame, "name"), BODY, WIDEST_NAME) + 0.14
    room = WIDTH - left - GAMES - (GAP if both else 0)
    width = room * 0.56 if both else room
    sheet = Sheet(WIDTH, TOP + ROW * len(frame) + FOOT)
    key = [(clean(word), {"color": colour}) for word, colour in zip(words, PAIR, strict=True)]
    sheet.key(left, 0.06, key)
    sheet.text(left, 0.36, fit(label, width, SMALL), fontsize=SMALL, color=MUTED)
    axes = sheet.axes(left, TOP, width, ROW * len(frame))
    _pairs(axes, frame, shares)
    if both:
        beside = left + width + GAP
        sheet.text(beside, 0.36, fit(change, room - width, SMALL), fontsize=SMALL, color=MUTED)
        _changes(sheet.axes(beside, TOP, room - width, ROW * len(frame)), frame, shares)
    sheet.text(WIDTH, 0.36, clean(what), ha="right", fontsize=SMALL, color=MUTED)
    for row, (name, n) in enumerate(zip(style.texts(frame, "name"), style.column(frame, "n"), strict=True)):
        y = TOP + ROW * (row + 0.5)
        sheet.text(0, y, fit(name, left - 0.12, BODY), gid="name")
        sheet.text(WIDTH, y, count(n), ha="right", fontsize=SMALL, color=MUTED)
    note = f"Bars: {percent(level, 0)} intervals"
    sheet.text(left, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    if both:
        key = [(said, {"color": colour}) for colour, said in VERDICTS]
        sheet.key(left + width_of(note, SMALL) + 0.3, sheet.height - 0.06, key)
    return sheet.figure


def _rows(axes: Axes, rows: int) -> None:
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_yticks([])
    for row in range(1, rows):
        axes.axhline(row - 0.5, color=HAIR, linewidth=0.5, zorder=0.5)


def _pairs(axes: Axes, frame: pd.DataFrame, shares: bool) -> None:
    rows = np.arange(len(frame))
    first, second = style.column(frame, "first"), style.column(frame, "second")
    known = np.isfinite(first) & np.isfinite(second)
    axes.hlines(rows[known], first[known], second[known], color=FAINT, linewidth=1.2, zorder=1, gid="way")
    for name, values, colour in (("first", first, PAIR[0]), ("second", second, PAIR[1])):
        seen = np.isfinite(values)
        ends = [style.column(frame, f"{name}_{end}")[seen] for end in ("low", "high")]
        axes.hlines(rows[seen], *ends, color=colour, alpha=0.45, linewidth=4.5, zorder=2, gid="interval")
        axes.scatter(
            values[seen], rows[seen], s=34, color=colour, zorder=3, edgecolor="white", linewidth=0.6, gid="dot"
        )
    low, high = _ends(frame)
    reach = (high - low) or 0.1
    axes.set_xlim(low - 0.03 * reach, high + 0.06 * reach)
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    if shares:
        style.percent_axis(axes.xaxis)
    else:
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: number(round(value, 6))))
    _rows(axes, len(frame))


def _ends(frame: pd.DataFrame) -> tuple[float, float]:
    """Ends of the scale of the dots: as far as their intervals go, and nought if that is near."""
    names = [f"{name}{end}" for name in ("first", "second") for end in ("", "_low", "_high")]
    every = np.concatenate([style.column(frame, name) for name in names])
    known = every[np.isfinite(every)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    return (min(low, 0.0) if low < (high - low) * NEAR else low), high


def _changes(axes: Axes, frame: pd.DataFrame, shares: bool) -> None:
    value, low, high = (style.column(frame, name) for name in ("change", "change_low", "change_high"))
    rows = np.arange(len(frame))
    sure = frame["sure"].to_numpy(dtype=bool) if "sure" in frame.columns else (low > 0) | (high < 0)
    colours = np.where(sure & (value > 0), STRONG, np.where(sure & (value < 0), WEAK, MUTED))
    known = np.isfinite(value)
    axes.hlines(rows[known], low[known], high[known], color=list(colours[known]), linewidth=1.6, gid="interval")
    axes.scatter(value[known], rows[known], s=24, color=list(colours[known]), zorder=3, gid="change")
    axes.axvline(0, color=FAINT, linewidth=0.8, zorder=1, gid="zero")
    ends = np.array([*low[known], *high[known], 0.0])
    reach = float(np.ptp(ends)) or 0.1
    axes.set_xlim(ends.min() - 0.06 * reach, ends.max() + 0.06 * reach)
    for row in rows[~known]:
        axes.text(0, row, " nothing to compare", va="center_baseline", fontsize=SMALL, color=MUTED)
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    times = 1.0 if shares else 0.01  # a point is a hundredth
    ticks = 100 * times * axes.get_xticks()
    digits = 0 if np.allclose(ticks, np.round(ticks), atol=1e-6) else 1
    axes.xaxis.set_major_formatter(FuncFormatter(lambda tick, _: points(times * tick, digits)))
    _rows(axes, len(frame))
