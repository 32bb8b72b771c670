"""Charts of differences, one row each.

Dumbbell: two estimates per row with a line between them, and beside them a difference of win shares.

Twofold: differences of win rates around zero: causal effects, and associations.

Gains: difference of the win share with and without a thing, also per unit of its price.

Halves: shares in games of two compared with one half, as bars to either side of it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.charts import style
from analysis.charts.style import (
    BODY,
    FAINT,
    HAIR,
    HEADING,
    INK,
    LINE,
    MUTED,
    SMALL,
    STRONG,
    WEAK,
    WIDTH,
    Sheet,
    clean,
    fit,
    legend,
    width_of,
    words_column,
    wrapped,
)
from analysis.document.model import count, number, percent, percent_range, points

ROW, TOP, FOOT, GAP = 0.27, 0.5, 0.54, 0.28  # inches
WIDEST_NAME, GAMES = 2.1, 0.75  # widths of the columns of words and numbers
PAIR = (style.BLUE, style.AMBER)
NEAR = 1.5  # of the range of the dots: the scale includes zero if it is within this distance
VERDICTS = ((STRONG, "difference surely above zero"), (WEAK, "surely below"), (MUTED, "may be chance"))


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
    """Two dots with intervals per row, in the order given; if the frame has a change, a dot for it in a panel beside.

    frame: name, first, first_low, first_high, second, second_low, second_high (nan: no dot; shares, unless `shares` is false), n;
    optionally change, change_low, change_high (likewise) and sure (significant; by default, if the interval excludes zero).
    words: names of the two dots; label, change: words for the two scales; what: noun for what n counts.
    """
    needed = ("name", "first", "first_low", "first_high", "second", "second_low", "second_high", "n")
    style.require(frame, needed, "dumbbell")
    if not len(frame):
        return style.nothing()
    both = "change" in frame.columns
    left = words_column(style.texts(frame, "name"), BODY, WIDEST_NAME) + 0.14
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
        key = [(verdict, {"color": colour}) for colour, verdict in VERDICTS]
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
        axes.scatter(values[seen], rows[seen], s=34, color=colour, zorder=3, edgecolor="white", linewidth=0.6, gid="dot")
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
    """Ends of the scale of the dots: those of their intervals, and zero if it is near."""
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


TWOFOLD_ROW, HEAD, TWOFOLD_FOOT = 0.27, 0.32, 0.4  # inches
TWOFOLD_WIDEST_NAME = 2.2
VALUE, RANGE, TWOFOLD_GAMES = 0.62, 0.98, 0.66  # widths of the columns of numbers
APART = 0.18  # of a row: distance of its two marks from the middle
LEAST = 0.01  # half of the narrowest scale


@style.housed
def twofold(
    frame: pd.DataFrame,
    *,
    words: Sequence[str] = ("effect", "association"),
    label: str = "difference of the win rate, points",
    what: str = "games",
    level: float = 0.95,
) -> Figure:
    """Differences with intervals in the order of the frame; second differences, if any, hollow below the first.

    frame: name, estimate, low, high (differences of shares; nan: no mark), n, sure (significant: coloured); optionally other,
    other_low, other_high. words: names of the two; label: words for the scale; what: noun for what n counts.
    """
    style.require(frame, ("name", "estimate", "low", "high", "n", "sure"), "twofold")
    if not len(frame):
        return style.nothing()
    two = bool(np.isfinite(style.column(frame, "other")).any())
    entries = _entries(words, two)
    top = 0.1 + LINE * (len(wrapped([heading for heading, _ in entries], WIDTH)) - 1) + HEAD
    sheet = Sheet(WIDTH, top + TWOFOLD_ROW * len(frame) + TWOFOLD_FOOT)
    left = words_column(style.texts(frame, "name"), BODY, TWOFOLD_WIDEST_NAME) + 0.15
    width = WIDTH - left - VALUE - RANGE - TWOFOLD_GAMES - (VALUE if two else 0)
    legend(sheet, (0, 0.1), [heading for heading, _ in entries], [mark for _, mark in entries])
    axes = sheet.axes(left, top, width, TWOFOLD_ROW * len(frame))
    _marks(axes, frame, two)
    _ground(axes, frame)
    _numbers(sheet, frame, (left, top), two)
    right = WIDTH - TWOFOLD_GAMES
    heads = [(what, WIDTH), (f"{percent(level, 0)} interval", right), ("points", right - RANGE)]
    for heading, x in heads + ([("hollow", right - RANGE - VALUE)] if two else []):
        sheet.text(x, top - 0.12, heading, ha="right", fontsize=SMALL, color=MUTED)
    sheet.text(left, sheet.height - 0.06, fit(label, width, SMALL), fontsize=SMALL, color=MUTED)
    return sheet.figure


def _entries(words: Sequence[str], two: bool) -> list[tuple[str, dict[str, Any]]]:
    """Legend of the marks."""
    colours = (("surely above zero", STRONG), ("surely below", WEAK), ("may be chance", MUTED))
    named = [
        (f"{words[0]}: {label}" if index == 0 else label, {"color": colour}) for index, (label, colour) in enumerate(colours)
    ]
    return [*named, *([(words[1], _hollow())] if two else [])]


def _hollow() -> dict[str, Any]:
    return {"marker": "D", "color": MUTED, "markerfacecolor": "white", "markersize": 4}


def _marks(axes: Axes, frame: pd.DataFrame, two: bool) -> None:
    """Draw the marks, the first of a row above the second."""
    rows, apart = np.arange(len(frame)).astype(float), APART if two else 0.0
    value, low, high = (style.column(frame, name) for name in ("estimate", "low", "high"))
    sure, known = frame["sure"].to_numpy(dtype=bool), np.isfinite(value)
    colours = np.where(sure & (value > 0), STRONG, np.where(sure & (value < 0), WEAK, MUTED))[known]
    axes.hlines(rows[known] - apart, low[known], high[known], color=list(colours), linewidth=1.6, zorder=2, gid="interval")
    axes.scatter(value[known], rows[known] - apart, s=24, color=list(colours), zorder=4, gid="estimate")
    other, low, high = (style.column(frame, f"other{end}") for end in ("", "_low", "_high"))
    known = np.isfinite(other)
    if known.any():
        axes.hlines(rows[known] + apart, low[known], high[known], color=FAINT, linewidth=1.2, zorder=2, gid="other interval")
        how: dict[str, Any] = {"s": 15, "marker": "D", "facecolor": "white", "edgecolor": MUTED, "linewidth": 0.9, "zorder": 3}
        axes.scatter(other[known], rows[known] + apart, gid="other", **how)


def _ground(axes: Axes, frame: pd.DataFrame) -> None:
    """Draw the background: the line of no difference, hairlines between the rows, ticks."""
    names = ("estimate", "low", "high", "other", "other_low", "other_high")
    ends = np.concatenate([style.column(frame, name) for name in names])
    far = max(LEAST, *np.abs(ends[np.isfinite(ends)]), LEAST)
    low, high = min(0.0, float(np.nanmin([*ends, 0.0]))), max(0.0, float(np.nanmax([*ends, 0.0])))
    axes.set_xlim(low - 0.06 * far, high + 0.06 * far)
    axes.axvline(0, color=MUTED, linewidth=0.8, zorder=1, gid="zero")
    for row in range(1, len(frame)):
        axes.axhline(row - 0.5, color=HAIR, linewidth=0.5, zorder=0.5)
    axes.set_ylim(len(frame) - 0.5, -0.5)
    axes.set_yticks([])
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    ticks = 100 * axes.get_xticks()
    digits = 0 if np.allclose(ticks, np.round(ticks), atol=1e-6) else 1
    axes.xaxis.set_major_formatter(FuncFormatter(lambda tick, _: points(tick, digits)))


def _numbers(sheet: Sheet, frame: pd.DataFrame, corner: tuple[float, float], two: bool) -> None:
    """Write names and numbers beside the panel, whose top left corner is given."""
    left, top = corner
    right = WIDTH - TWOFOLD_GAMES
    columns = [style.column(frame, name) for name in ("estimate", "low", "high", "n", "other")]
    for row, (name, value, low, high, n, other) in enumerate(zip(style.texts(frame, "name"), *columns, strict=True)):
        y = top + TWOFOLD_ROW * (row + 0.5)
        sheet.text(0, y, fit(name, left - 0.12, BODY), gid="name")
        if two:
            sheet.text(right - RANGE - VALUE, y, points(other), ha="right", fontsize=SMALL, color=MUTED)
        if np.isnan(value):
            continue
        sheet.text(right - RANGE, y, points(value), ha="right", gid="value")
        interval = f"{points(low)} to {points(high)}" if low <= high else ""
        sheet.text(right, y, interval, ha="right", fontsize=SMALL, color=MUTED)
        sheet.text(WIDTH, y, count(n), ha="right", fontsize=SMALL, color=MUTED)


GAINS_ROW, GAINS_TOP, GAINS_FOOT, GAINS_GAP = 0.205, 0.5, 0.52, 0.25  # inches
GAINS_HEAD, BETWEEN = 0.24, 0.3  # inches: of a panel's heading, between panels
BAR = 0.62  # of a row
GAINS_WIDEST_NAME, PRICE, GAINS_GAMES = 1.7, 0.5, 0.75  # widths of the columns of words and numbers
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

    frame: name, change, low, high (differences of shares, -1..1), n (with the thing); optionally price (nan or 0: no dot at the
    right), sure (significant; by default, if the interval excludes zero) and panel (rows are grouped below its heading; all
    panels have one scale). Rows keep their order. price, unit: words for the price and its unit, e.g. price and gold. counts:
    noun for what n counts, and a sentence on it. bars: draw bars from zero to each dot.
    """
    style.require(frame, ("name", "change", "low", "high", "n"), "gains")
    if not len(frame):
        return style.nothing()
    parts = style.groups(frame, "panel") if "panel" in frame.columns else [("", frame)]
    paid = style.column(frame, "price")
    priced = bool(np.isfinite(paid).any())
    left = words_column(style.texts(frame, "name"), BODY, GAINS_WIDEST_NAME) + 0.12 + (PRICE if priced else 0)
    heads = [GAINS_HEAD if str(value) else 0.0 for value, _ in parts]
    sheet = Sheet(WIDTH, GAINS_TOP + sum(heads) + GAINS_ROW * len(frame) + BETWEEN * (len(parts) - 1) + GAINS_FOOT)
    room = WIDTH - left - GAINS_GAMES - (GAINS_GAP if priced else 0)
    width = room / 2 if priced else room
    sheet.key(left, 0.06, [(words, {"color": colour}) for colour, words in COLOURS])
    if priced:
        sheet.text(left - 0.14, 0.38, clean(price), ha="right", fontsize=SMALL, color=MUTED)
    headings = ["difference of the win share, points", f"the same per {clean(unit or price)}, points"]
    for index, words in enumerate(headings[: 1 + priced]):
        sheet.text(left + index * (width + GAINS_GAP), 0.38, fit(words, width, HEADING), fontsize=SMALL, color=MUTED)
    sheet.text(WIDTH, 0.38, clean(counts[0]), ha="right", fontsize=SMALL, color=MUTED)
    scales = [_reach(values) for values in _values(frame, priced)]
    top = GAINS_TOP
    for (value, part), head in zip(parts, heads, strict=True):
        if head:
            sheet.text(0, top + 0.1, fit(str(value), WIDTH, HEADING, bold=True), fontsize=HEADING, fontweight="bold")
        top += head
        colours = _colours(part)
        for index, values in enumerate(_values(part, priced)):
            axes = sheet.axes(left + index * (width + GAINS_GAP), top, width, GAINS_ROW * len(part))
            _panel(axes, values, colours, scales[index], bars)
        _gains_rows(sheet, part, (left, top), priced)
        top += GAINS_ROW * len(part) + BETWEEN
    note = f"{'Lines' if bars else 'Bars'}: {percent(level, 0)} intervals. {counts[1]}"
    sheet.text(left, sheet.height - 0.08, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _values(frame: pd.DataFrame, priced: bool) -> list[list[np.ndarray]]:
    """The change and its bounds; with prices, also per unit of price."""
    values = [style.column(frame, name) for name in ("change", "low", "high")]
    paid = style.column(frame, "price")
    per = np.where(paid > 0, paid, np.nan)
    return [values, [value / per for value in values]] if priced else [values]


def _reach(values: list[np.ndarray]) -> tuple[float, float]:
    """Ends of a scale that includes the intervals and zero."""
    ends = np.array([*(bound for end in values[1:] for bound in end[np.isfinite(values[0])]), 0.0])
    reach = float(np.ptp(ends)) or 0.1
    return float(ends.min() - 0.05 * reach), float(ends.max() + 0.05 * reach)


def _gains_rows(sheet: Sheet, part: pd.DataFrame, corner: tuple[float, float], priced: bool) -> None:
    """Write name, price and number of games beside each row."""
    left, top = corner
    columns = (style.column(part, "price"), style.column(part, "n"))
    for row, (name, cost, n) in enumerate(zip(style.texts(part, "name"), *columns, strict=True)):
        y = top + GAINS_ROW * (row + 0.5)
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


HALF = 0.5
HALVES_ROW, HALVES_BAR, HALVES_TOP, HALVES_FOOT, AFTER = 0.25, 0.66, 0.5, 0.5, 0.12  # inches; AFTER follows the whole
HALVES_WIDEST_NAME = 2.6
RATE, HALVES_RANGE, HALVES_GAMES = 0.62, 0.92, 0.78  # widths of the columns of numbers
LEAST_REACH = 0.03


@style.housed
def halves(frame: pd.DataFrame, *, label: str = "wins", level: float = 0.95) -> Figure:
    """Bars from one half to each share, with intervals; rows in the order given, total rows first and bold.

    frame: name, estimate, low, high (shares 0..1; nan: no games), n, sure (significantly different from one half: coloured),
    whole (whether the row is a total). label: what the shares are of.
    """
    style.require(frame, ("name", "estimate", "low", "high", "n", "sure", "whole"), "halves")
    if not len(frame):
        return style.nothing()
    rows = frame.sort_values("whole", ascending=False, kind="stable")
    whole = rows["whole"].to_numpy(bool)
    after = AFTER if 0 < whole.sum() < len(rows) else 0.0
    tops = HALVES_TOP + HALVES_ROW * np.arange(len(rows)) + np.where(whole, 0.0, after)
    left = words_column(style.texts(rows, "name"), BODY, HALVES_WIDEST_NAME) + 0.14
    width = WIDTH - left - RATE - HALVES_RANGE - HALVES_GAMES
    sheet = Sheet(WIDTH, float(tops[-1]) + HALVES_ROW + HALVES_FOOT)
    entries = [("above one half", {"marker": "s", "color": STRONG}), ("below", {"marker": "s", "color": WEAK})]
    sheet.key(0, 0.08, [*entries, ("may be chance", {"marker": "s", "color": FAINT})])
    axes = sheet.axes(left, HALVES_TOP, width, float(tops[-1]) + HALVES_ROW - HALVES_TOP)
    _bars(axes, rows, (tops + HALVES_ROW / 2 - HALVES_TOP) / HALVES_ROW)
    right = WIDTH
    heads = (
        (clean(label), right - HALVES_GAMES - HALVES_RANGE),
        (f"{percent(level, 0)} interval", right - HALVES_GAMES),
        ("games", right),
    )
    for words, x in heads:
        sheet.text(x, HALVES_TOP - 0.13, words, ha="right", fontsize=SMALL, color=MUTED)
    _columns(sheet, rows, left, tops)
    note = f"Bars begin at one half; whiskers: {percent(level, 0)} intervals"
    sheet.text(left, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _bars(axes: Axes, rows: pd.DataFrame, places: np.ndarray) -> None:
    """Draw the bars. places: middles of the rows, in rows from the top of the axes."""
    estimate, low, high = (style.column(rows, name) for name in ("estimate", "low", "high"))
    known = np.isfinite(estimate)
    sure = rows["sure"].to_numpy(bool)
    colours = np.where(~sure, FAINT, np.where(estimate > HALF, STRONG, WEAK))
    faces = [style.pale(colour, 0.75) for colour in colours[known]]
    axes.barh(places[known], estimate[known] - HALF, left=HALF, height=HALVES_BAR, color=faces, gid="bar")
    axes.hlines(places[known], low[known], high[known], color=INK, linewidth=1.2, zorder=3, gid="interval")
    axes.axvline(HALF, color=INK, linewidth=0.9, zorder=2, gid="half")
    far = [LEAST_REACH, *(np.abs(values - HALF)[known].max(initial=0) for values in (low, high, estimate))]
    reach = 1.05 * float(np.nanmax(far))
    axes.set_xlim(HALF - reach, HALF + reach)
    axes.set_ylim(places[-1] + 0.5, 0)
    axes.set_yticks([])
    ticks = [tick for tick in axes.get_xticks() if 0 <= tick <= 1 and abs(tick - HALF) <= reach]
    axes.set_xticks(ticks)
    style.percent_axis(axes.xaxis, 0 if all(abs(100 * tick - round(100 * tick)) < 1e-6 for tick in ticks) else 1)
    axes.grid(axis="x", color=HAIR)


def _columns(sheet: Sheet, rows: pd.DataFrame, left: float, tops: np.ndarray) -> None:
    values = [style.column(rows, name) for name in ("estimate", "low", "high", "n")]
    lines = zip(style.texts(rows, "name"), rows["whole"], tops + HALVES_ROW / 2, *values, strict=True)
    for name, whole, y, estimate, low, high, n in lines:
        strong: dict[str, Any] = {"fontweight": "bold" if whole else "normal"}
        sheet.text(0, y, fit(name, left - 0.12, BODY, bold=bool(whole)), gid="name", **strong)
        if np.isnan(estimate):
            sheet.text(WIDTH, y, "no games", ha="right", fontsize=SMALL, color=MUTED)
            continue
        sheet.text(WIDTH - HALVES_GAMES - HALVES_RANGE, y, percent(estimate), ha="right", **strong)
        sheet.text(WIDTH - HALVES_GAMES, y, percent_range(low, high), ha="right", fontsize=SMALL, color=MUTED)
        sheet.text(WIDTH, y, count(n), ha="right", fontsize=SMALL, color=MUTED)
