"""Charts of estimates with their intervals, one row each.

Forest: a dot and its interval per entrant, beside the fair share.

Ranked: an estimate with its interval per row, in the order given, and a second estimate for comparison.

Dots: several quantities of each entrant side by side, each on a separate scale.

Choices: win rates of an entrant with each thing that it could bring, compared with its own.

Tornado: change of a win rate, or of another quantity, if a number is changed by one step.
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
    BLUE,
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
    broken,
    clean,
    fit,
    legend,
    width_of,
    words_column,
    wrapped,
)
from analysis.document.model import THIN, count, counted, number, percent, percent_range, points
from analysis.document.prose import FAIR, OPEN, TOO_STRONG, TOO_WEAK
from analysis.stats.intervals import FAIR_BAND

ROW, HEAD, FOOT, GAP, TOP = 0.205, 0.29, 0.24, 0.12, 0.3  # inches
WIDEST_NAME = 2.6
NARROW, NARROW_NAME = 3.9, 1.4  # inches: width of a sheet for a phone, and of its names
RATE, RANGE, GAMES = 0.62, 0.92, 0.78  # widths of the columns of numbers
MARKS: dict[str, tuple[str, dict[str, Any]]] = {
    TOO_STRONG: (TOO_STRONG, {"color": STRONG}),
    TOO_WEAK: (TOO_WEAK, {"color": WEAK}),
    FAIR: (FAIR, {"color": INK}),
    OPEN: (OPEN, {"color": MUTED, "markerfacecolor": "white"}),
    "": ("no fair share", {"color": INK}),
}


@style.housed
def forest(
    frame: pd.DataFrame, *, panels: str = "seats", band: float = FAIR_BAND, level: float = 0.95, narrow: bool = False
) -> Figure:
    """Win rates with intervals, sorted, one panel per value of `panels`.

    frame: `panels`, name, estimate, low, high (shares 0..1), n, fair (share; nan in a game for one), verdict ("too
    strong", "too weak", "fair", "not decided", or "" without a fair share). Rows without an estimate come last.
    Every panel is centred on its fair share and all have the same scale, so that the fair lines are aligned down the page.
    band: half-width of the pale band, relative to the fair share. level: confidence level, for the heading. narrow: for a phone,
    without the columns of intervals and games.
    """
    style.require(frame, (panels, "name", "estimate", "low", "high", "n", "fair", "verdict"), "forest")
    parts = style.groups(frame, panels)
    if not parts:
        return style.nothing()
    above = TOP + 1.5 * LINE * narrow
    height = above + sum(HEAD + ROW * len(part) + FOOT + GAP for _, part in parts)
    sheet = Sheet(NARROW if narrow else WIDTH, height)
    left = words_column(style.texts(frame, "name"), BODY, NARROW_NAME if narrow else WIDEST_NAME) + 0.15
    width = sheet.width - left - RATE - (0 if narrow else RANGE + GAMES)
    _head(sheet, frame, band, level, narrow)
    reach, top = _reach(parts, band), above
    for value, part in parts:
        ordered = part.sort_values("estimate", ascending=False, na_position="last", kind="stable")
        sheet.text(0, top + 0.13, style.seats_heading(value), fontsize=HEADING, fontweight="bold")
        axes = sheet.axes(left, top + HEAD, width, ROW * len(part))
        _panel(axes, ordered, reach, band)
        _columns(sheet, ordered, left, top + HEAD, narrow)
        top += HEAD + ROW * len(part) + FOOT + GAP
    return sheet.figure


def _centre(part: pd.DataFrame) -> float:
    """Fair share of a panel, or, without one, the middle of its rates."""
    for name in ("fair", "estimate"):
        values = style.column(part, name)
        if np.isfinite(values).any():
            return float(np.nanmin(values) + np.nanmax(values)) / 2
    return 0.5


def _reach(parts: list[tuple[Any, pd.DataFrame]], band: float) -> float:
    """Half the width of every panel: the largest distance of an interval from the centre, and at least the band."""
    far = [0.01]
    for _, part in parts:
        centre = _centre(part)
        far += [1.6 * band * centre, *abs(style.column(part, "low") - centre), *abs(style.column(part, "high") - centre)]
    return 1.06 * float(np.nanmax(far))


def _head(sheet: Sheet, frame: pd.DataFrame, band: float, level: float, narrow: bool) -> None:
    present = [MARKS[verdict] for verdict in MARKS if verdict in set(frame["verdict"])]
    if np.isfinite(style.column(frame[frame["verdict"] == ""], "fair")).any():
        present[-1] = ("win rate", MARKS[""][1])  # rows without a verdict despite a fair share
    if narrow:
        legend(sheet, (0, 0.06), [words for words, _ in present], [mark for _, mark in present])
        end, top = 0.0, 0.06 + LINE * 2
    else:
        end, top = sheet.key(0, 0.1, present), 0.1
    if np.isfinite(style.column(frame, "fair")).any():
        sheet.text(end, top, f"pale band: fair share \u00b1 {percent(band, 0)}", fontsize=SMALL, color=MUTED)
    right = sheet.width
    if narrow:
        sheet.text(right, TOP + 1.5 * LINE + 0.13, "win rate", ha="right", fontsize=SMALL, color=MUTED)
        return
    for words, x in (("win rate", right - GAMES - RANGE), (f"{percent(level, 0)} interval", right - GAMES), ("games", right)):
        sheet.text(x, TOP + 0.13, words, ha="right", fontsize=SMALL, color=MUTED)


def _panel(axes: Axes, part: pd.DataFrame, reach: float, band: float) -> None:
    rows = np.arange(len(part))
    fair = _centre(part)
    if np.isfinite(style.column(part, "fair")).any():
        axes.axvspan(fair * (1 - band), fair * (1 + band), color=style.BAND, linewidth=0, zorder=0, gid="band")
        axes.axvline(fair, color=MUTED, linewidth=0.8, zorder=1, gid="fair")
    estimate, low, high = (style.column(part, name) for name in ("estimate", "low", "high"))
    for verdict, (_, mark) in MARKS.items():
        chosen = (part["verdict"] == verdict).to_numpy() & np.isfinite(estimate)
        if chosen.any():
            face = mark.get("markerfacecolor", mark["color"])
            axes.hlines(rows[chosen], low[chosen], high[chosen], color=mark["color"], linewidth=1.6, gid="interval")
            axes.scatter(estimate[chosen], rows[chosen], s=24, facecolor=face, edgecolor=mark["color"], zorder=3, gid="estimate")
    axes.set_ylim(len(part) - 0.5, -0.5)
    axes.set_xlim(fair - reach, fair + reach)
    ticks = [tick for tick in axes.get_xticks() if 0 <= tick <= 1 and abs(tick - fair) <= reach]
    axes.set_xticks(ticks)
    axes.set_yticks([])
    style.percent_axis(axes.xaxis, 0 if all(abs(100 * tick - round(100 * tick)) < 1e-6 for tick in ticks) else 1)
    for row in rows[1:]:
        axes.axhline(row - 0.5, color=style.HAIR, linewidth=0.5, zorder=0.5)


def _columns(sheet: Sheet, part: pd.DataFrame, left: float, top: float, narrow: bool) -> None:
    names = style.texts(part, "name")
    values = [style.column(part, name) for name in ("estimate", "low", "high", "n")]
    for row, (name, estimate, low, high, n) in enumerate(zip(names, *values, strict=True)):
        y = top + ROW * (row + 0.5)
        sheet.text(0, y, fit(name, left - 0.12, BODY))
        if np.isnan(estimate):
            sheet.text(sheet.width, y, "no games", ha="right", fontsize=SMALL, color=MUTED)
            continue
        if narrow:
            sheet.text(sheet.width, y, percent(estimate), ha="right")
            continue
        sheet.text(sheet.width - GAMES - RANGE, y, percent(estimate), ha="right")
        sheet.text(sheet.width - GAMES, y, percent_range(low, high), ha="right", fontsize=SMALL, color=MUTED)
        sheet.text(sheet.width, y, count(n), ha="right", fontsize=SMALL, color=MUTED)


RANKED_ROW, RANKED_HEAD, RANKED_FOOT, RANKED_GAP = 0.25, 0.3, 0.26, 0.14  # inches
RANKED_WIDEST_NAME = 2.15
RANKED_RATE, RANKED_RANGE, RANKED_GAMES = 0.56, 0.86, 0.66  # widths of the columns of numbers
WIDEST_WORD = 1.0  # of the name of an estimate
APART = 0.17  # of a row: distance of its two marks from the middle
LEAST = 0.01  # half of the narrowest panel


@style.housed
def ranked(
    frame: pd.DataFrame,
    *,
    words: Sequence[str] = ("estimate", "second estimate"),
    fair: float = 0.5,
    band: tuple[float, float] | None = (0.45, 0.55),
    level: float = 0.95,
) -> Figure:
    """Shares with intervals in the order of the frame; all panels have one scale.

    frame: name, estimate, low, high (shares 0..1; nan if there is none), n, verdict (as in `forest`); optionally panel (its
    heading), and other, other_low, other_high: a second estimate, drawn hollow below the first. words: names of the two. fair:
    position of the line; band: ends of the pale band, None for none. level: confidence level, for the heading.
    """
    style.require(frame, ("name", "estimate", "low", "high", "n", "verdict"), "ranked")
    if not len(frame):
        return style.nothing()
    parts = style.groups(frame, "panel") if "panel" in frame.columns else [("", frame)]
    two = bool(np.isfinite(style.column(frame, "other")).any())
    entries = _entries(frame, words, two, band)
    top = 0.1 + LINE * (len(wrapped([label for label, _ in entries], WIDTH)) - 1) + RANKED_HEAD
    heads = [RANKED_HEAD if str(value) else 0.0 for value, _ in parts]
    bodies = [space + RANKED_ROW * len(part) + RANKED_FOOT + RANKED_GAP for (_, part), space in zip(parts, heads, strict=True)]
    sheet = Sheet(WIDTH, top + sum(bodies))
    left = words_column(style.texts(frame, "name"), BODY, RANKED_WIDEST_NAME) + 0.15
    rate, other = (max(RANKED_RATE, words_column([word], SMALL, WIDEST_WORD) + 0.1) for word in words[:2])
    width = WIDTH - left - rate - RANKED_RANGE - RANKED_GAMES - (other if two else 0)
    legend(sheet, (0, 0.1), [label for label, _ in entries], [mark for _, mark in entries])
    _headings(sheet, top - 0.12, words, (rate, other if two else 0.0), level)
    limits = _limits(frame, fair, band)
    for (value, part), space, body in zip(parts, heads, bodies, strict=True):
        if str(value):
            sheet.text(0, top + 0.12, fit(str(value), WIDTH, HEADING, bold=True), fontsize=HEADING, fontweight="bold")
        axes = sheet.axes(left, top + space, width, RANKED_ROW * len(part))
        _ranked_panel(axes, part, two)
        _ground(axes, len(part), fair, band, limits)
        _ranked_columns(sheet, part, (left, top + space), rate if two else 0.0)
        top += body
    return sheet.figure


def _entries(
    frame: pd.DataFrame, words: Sequence[str], two: bool, band: tuple[float, float] | None
) -> list[tuple[str, dict[str, Any]]]:
    """Legend of the marks, and of the two estimates of a row."""
    judged = frame[np.isfinite(style.column(frame, "estimate"))]["verdict"]
    shown = [(label, mark) for verdict, (label, mark) in MARKS.items() if verdict and verdict in set(judged)]
    plain: list[tuple[str, dict[str, Any]]] = [(f"upper: {words[0]}", {"color": MUTED})] if two else []
    if two:
        plain.append((f"lower: {words[1]}", _other_mark()))
    if band:
        pale = {"marker": "s", "color": style.BAND, "markersize": 8}
        shown.append((f"fair band, {percent_range(*band, 0)}{THIN}%", pale))
    return [*plain, *shown]


def _other_mark() -> dict[str, Any]:
    return {"marker": "D", "color": MUTED, "markerfacecolor": "white", "markersize": 4}


def _headings(sheet: Sheet, y: float, words: Sequence[str], wide: tuple[float, float], level: float) -> None:
    """Write headings above the columns of numbers. wide: widths for the first and the second estimate, 0 if there is none."""
    right = WIDTH - RANKED_GAMES
    rate, other = wide
    places = [
        (f"{percent(level, 0)} interval", right, RANKED_RANGE),
        ("games", WIDTH, RANKED_GAMES),
        (words[0], right - RANKED_RANGE, rate),
    ]
    if other:
        places.append((words[1], right - RANKED_RANGE - rate, other))
    for heading, x, room in places:
        sheet.text(x, y, fit(heading, room - 0.06, SMALL), ha="right", fontsize=SMALL, color=MUTED)


def _limits(frame: pd.DataFrame, fair: float, band: tuple[float, float] | None) -> tuple[float, float]:
    """Ends of the axis: all marks with their intervals, the band, and some space."""
    names = ("estimate", "low", "high", "other", "other_low", "other_high")
    ends = np.concatenate([style.column(frame, name) for name in names])
    low, high = (float(end([fair, *(band or ())])) for end in (min, max))
    low, high = float(np.nanmin([*ends, low])), float(np.nanmax([*ends, high]))
    room = max(0.05 * (high - low), LEAST)
    return low - room, high + room


def _ranked_panel(axes: Axes, part: pd.DataFrame, two: bool) -> None:
    """Draw the marks of a panel, the first estimate of a row above the second."""
    rows = np.arange(len(part)).astype(float)
    apart = APART if two else 0.0
    estimate, low, high = (style.column(part, name) for name in ("estimate", "low", "high"))
    for verdict, (_, mark) in MARKS.items():
        chosen = (part["verdict"] == verdict).to_numpy() & np.isfinite(estimate)
        if chosen.any():
            y, face = rows[chosen] - apart, mark.get("markerfacecolor", mark["color"])
            axes.hlines(y, low[chosen], high[chosen], color=mark["color"], linewidth=1.6, zorder=2, gid="interval")
            how = {"s": 24, "facecolor": face, "edgecolor": mark["color"], "zorder": 4, "gid": "estimate"}
            axes.scatter(estimate[chosen], y, **how)
    other, low, high = (style.column(part, f"other{end}") for end in ("", "_low", "_high"))
    if np.isfinite(other).any():
        chosen = np.isfinite(other)
        y = (rows + np.where(np.isfinite(estimate), apart, 0))[chosen]
        axes.hlines(y, low[chosen], high[chosen], color=FAINT, linewidth=1.2, zorder=2, gid="other interval")
        how = {"s": 15, "marker": "D", "facecolor": "white", "edgecolor": MUTED, "linewidth": 0.9, "zorder": 3}
        axes.scatter(other[chosen], y, gid="other", **how)


def _ground(axes: Axes, rows: int, fair: float, band: tuple[float, float] | None, limits: tuple[float, float]) -> None:
    """Draw the background: band, fair line, hairlines between the rows, ticks."""
    if band:
        axes.axvspan(*band, color=style.BAND, linewidth=0, zorder=0, gid="band")
    axes.axvline(fair, color=MUTED, linewidth=0.8, zorder=1, gid="fair")
    for row in range(1, rows):
        axes.axhline(row - 0.5, color=style.HAIR, linewidth=0.5, zorder=0.5)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_yticks([])
    axes.set_xlim(*limits)
    axes.locator_params(axis="x", nbins=6)
    ticks = [tick for tick in axes.get_xticks() if limits[0] <= tick <= limits[1] and -1e-9 <= tick <= 1 + 1e-9]
    axes.set_xticks(ticks)
    style.percent_axis(axes.xaxis, 0 if all(abs(100 * tick - round(100 * tick)) < 1e-6 for tick in ticks) else 1)


def _ranked_columns(sheet: Sheet, part: pd.DataFrame, corner: tuple[float, float], rate: float) -> None:
    """Write names and numbers beside a panel. rate: width of the first estimates, 0 without second."""
    left, top = corner
    values = [style.column(part, name) for name in ("estimate", "low", "high", "n", "other")]
    right = WIDTH - RANKED_GAMES
    for row, (name, estimate, low, high, n, other) in enumerate(zip(style.texts(part, "name"), *values, strict=True)):
        y = top + RANKED_ROW * (row + 0.5)
        sheet.text(0, y, fit(name, left - 0.12, BODY), gid="name")
        if rate:
            sheet.text(right - RANKED_RANGE - rate, y, percent(other), ha="right", fontsize=SMALL, color=MUTED)
        if np.isnan(estimate):
            continue
        sheet.text(right - RANKED_RANGE, y, percent(estimate), ha="right", gid="rate")
        sheet.text(right, y, percent_range(low, high), ha="right", fontsize=SMALL, color=MUTED)
        sheet.text(WIDTH, y, count(n), ha="right", fontsize=SMALL, color=MUTED)


PER_ROW = 3
DOTS_ROW, DOTS_HEAD, DOTS_FOOT, DOTS_GAP, BOTTOM = 0.21, 0.42, 0.26, 0.24, 0.2  # inches
DOTS_LINE = 0.15  # of a heading
DOTS_WIDEST_NAME, FIGURE = 1.5, 0.42  # widths of the columns of names and figures
SMALLEST = 100  # no decimals from here on


@style.housed
def dots(frame: pd.DataFrame, *, panels: str = "panel", level: float = 0.95) -> Figure:
    """One panel per quantity, three in a row, with a dot, interval and figure per name.

    frame: `panels`, name, estimate, low, high (at least 0; nan: no dot, or no interval), n. Names are in the order of the first
    panel, and every scale begins at zero.
    """
    style.require(frame, (panels, "name", "estimate", "low", "high", "n"), "dots")
    parts = style.groups(frame, panels)
    if not parts:
        return style.nothing()
    names = list(dict.fromkeys(frame["name"].astype(str)))
    left = words_column([clean(name) for name in names], BODY, DOTS_WIDEST_NAME) + 0.12
    width = (WIDTH - left - PER_ROW * FIGURE - (PER_ROW - 1) * DOTS_GAP) / PER_ROW
    down = -(-len(parts) // PER_ROW)
    tall = DOTS_HEAD + DOTS_ROW * len(names) + DOTS_FOOT
    sheet = Sheet(WIDTH, down * tall + BOTTOM)
    for index, (title, part) in enumerate(parts):
        x, top = left + (index % PER_ROW) * (width + FIGURE + DOTS_GAP), (index // PER_ROW) * tall
        if index % PER_ROW == 0:
            for row, name in enumerate(names):
                sheet.text(0, top + DOTS_HEAD + DOTS_ROW * (row + 0.5), fit(name, left - 0.1, BODY), gid="name")
        heading = broken(str(title), width + FIGURE, HEADING, 2)
        for line, words in enumerate(heading):
            y = top + DOTS_HEAD - 0.12 - DOTS_LINE * (len(heading) - 1 - line)
            sheet.text(x, y, fit(words, width + FIGURE, HEADING), fontsize=HEADING - 0.5, fontweight="bold", gid="panel")
        axes = sheet.axes(x, top + DOTS_HEAD, width, DOTS_ROW * len(names))
        rows = part.assign(name=part["name"].astype(str)).drop_duplicates("name").set_index("name").reindex(names)
        _dots_panel(axes, rows)
        _figures(sheet, rows, (x + width + FIGURE, top + DOTS_HEAD))
    note = f"Lines: {percent(level, 0)} intervals; {counted(list(style.column(frame, 'n')))} each"
    sheet.text(left, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _dots_panel(axes: Axes, rows: pd.DataFrame) -> None:
    estimate, low, high = (style.column(rows, name) for name in ("estimate", "low", "high"))
    places = np.arange(len(rows))
    known = np.isfinite(estimate)
    sure = known & np.isfinite(low) & np.isfinite(high)
    for row in places[1:]:
        axes.axhline(row - 0.5, color=HAIR, linewidth=0.5, zorder=0.5)
    axes.hlines(places[known], 0, estimate[known], color=HAIR, linewidth=1.0, zorder=1, gid="stem")
    axes.hlines(places[sure], low[sure], high[sure], color=BLUE, alpha=0.45, linewidth=4.5, zorder=2, gid="interval")
    how: dict[str, Any] = {"color": BLUE, "edgecolor": "white", "linewidth": 0.6, "zorder": 3, "gid": "dot"}
    axes.scatter(estimate[known], places[known], s=34, **how)
    ends = [*estimate[known], *high[sure], 0.0]
    axes.set_xlim(0, 1.06 * max(ends) or 1.0)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks([])
    axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: number(round(value, 6))))
    axes.tick_params(axis="x", pad=2)


def _figures(sheet: Sheet, rows: pd.DataFrame, corner: tuple[float, float]) -> None:
    """Write the estimate of each row, right-aligned at the corner's x."""
    x, top = corner
    for row, estimate in enumerate(style.column(rows, "estimate")):
        y = top + DOTS_ROW * (row + 0.5)
        known = bool(np.isfinite(estimate))
        words = _short(estimate) if known else "\u2013"
        sheet.text(x, y, words, ha="right", fontsize=SMALL, color=INK if known else MUTED, gid="figure")


def _short(value: float) -> str:
    """Write a number with at most three significant digits."""
    return number(round(value)) if value >= SMALLEST else f"{value:.1f}" if value >= SMALLEST / 10 else f"{value:.2f}"


CHOICES_ROW, CHOICES_HEAD, CHOICES_FOOT, CHOICES_GAP, CHOICES_TOP = 0.2, 0.27, 0.24, 0.12, 0.32  # inches
WIDEST_GROUP, CHOICES_WIDEST_NAME = 1.0, 1.75
CHOICES_RATE, CHANGE, CHOICES_GAMES = 0.6, 0.62, 0.62  # widths of the columns of numbers
CHOICES_MARKS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("its own", {"color": INK, "marker": "D", "markersize": 4.5}),
    ("surely better than its own", {"color": STRONG}),
    ("surely worse", {"color": WEAK}),
    ("may be chance", {"color": MUTED}),
)


@style.housed
def choices(frame: pd.DataFrame, *, panels: str = "panel", level: float = 0.95) -> Figure:
    """A dot with its interval per choice, in groups; one panel per value of `panels`, all with one scale.

    frame: `panels`, group, name (of a choice within its group), estimate, low, high (win rates 0..1), change (from the entrant's
    own choice), n, own (whether it is the entrant's own: a diamond, and a vertical line), sure (significant change: coloured).
    Rows keep their order; a group is named in its first row.
    """
    style.require(frame, (panels, "group", "name", "estimate", "low", "high", "change", "n", "own", "sure"), "choices")
    parts = style.groups(frame, panels)
    if not parts:
        return style.nothing()
    sheet = Sheet(
        WIDTH, CHOICES_TOP + sum(CHOICES_HEAD + CHOICES_ROW * len(part) + CHOICES_FOOT + CHOICES_GAP for _, part in parts)
    )
    widths = (
        words_column(style.texts(frame, "group"), BODY, WIDEST_GROUP) + 0.1,
        words_column(style.texts(frame, "name"), BODY, CHOICES_WIDEST_NAME) + 0.12,
    )
    left = sum(widths)
    sheet.key(0, 0.1, CHOICES_MARKS)
    ends, top = _ends(frame), CHOICES_TOP
    heads = (
        (f"lines: {percent(level, 0)} intervals", None),
        ("win rate", CHANGE + CHOICES_GAMES),
        ("change", CHOICES_GAMES),
        ("games", 0),
    )
    for words, gap in heads:
        x, ha = (left, "left") if gap is None else (WIDTH - gap, "right")
        sheet.text(x, CHOICES_TOP + 0.12, words, ha=ha, fontsize=SMALL, color=MUTED)
    for value, part in parts:
        sheet.text(0, top + 0.12, fit(str(value), left - 0.1, HEADING, bold=True), fontsize=HEADING, fontweight="bold")
        axes = sheet.axes(left, top + CHOICES_HEAD, WIDTH - left - CHOICES_RATE - CHANGE - CHOICES_GAMES, CHOICES_ROW * len(part))
        _choices_panel(axes, part, ends)
        _rows(sheet, part, top + CHOICES_HEAD, widths)
        top += CHOICES_HEAD + CHOICES_ROW * len(part) + CHOICES_FOOT + CHOICES_GAP
    return sheet.figure


def _ends(frame: pd.DataFrame) -> tuple[float, float]:
    """Ends of the scale of all panels: those of the intervals."""
    low, high = (style.column(frame, name) for name in ("low", "high"))
    known = np.concatenate([low[np.isfinite(low)], high[np.isfinite(high)]])
    least, most = (float(known.min()), float(known.max())) if len(known) else (0.5, 0.5)
    edge = max(LEAST, 0.05 * (most - least))
    return least - edge, most + edge


def _begins(part: pd.DataFrame) -> np.ndarray:
    """Whether each row begins a group."""
    groups = part["group"].astype(str).to_numpy()
    return np.append(True, groups[1:] != groups[:-1])


def _choices_panel(axes: Axes, part: pd.DataFrame, ends: tuple[float, float]) -> None:
    rows = np.arange(len(part))
    estimate, low, high, change = (style.column(part, name) for name in ("estimate", "low", "high", "change"))
    is_own, sure = (part[name].to_numpy(dtype=bool) for name in ("own", "sure"))
    colours = np.where(sure & (change > 0), STRONG, np.where(sure & (change < 0), WEAK, MUTED))
    colours = np.where(is_own, INK, colours)
    for rate in estimate[is_own]:
        axes.axvline(rate, color=FAINT, linewidth=0.8, linestyle=(0, (3, 2)), zorder=0.7, gid="own-line")
    axes.hlines(rows, low, high, color=list(colours), linewidth=1.6, gid="interval")
    for chosen, marker, gid in ((is_own, "D", "own"), (~is_own, "o", "choice")):
        axes.scatter(estimate[chosen], rows[chosen], s=24, color=list(colours[chosen]), marker=marker, zorder=3, gid=gid)
    axes.set_xlim(*ends)
    axes.set_ylim(len(part) - 0.5, -0.5)
    axes.set_yticks([])
    ticks = [tick for tick in axes.get_xticks() if ends[0] <= tick <= ends[1]]
    axes.set_xticks(ticks)
    style.percent_axis(axes.xaxis, 0 if all(abs(100 * tick - round(100 * tick)) < 1e-6 for tick in ticks) else 1)
    for row, begins in zip(rows[1:], _begins(part)[1:], strict=True):
        axes.axhline(row - 0.5, color=FAINT if begins else HAIR, linewidth=0.7 if begins else 0.5, zorder=0.5)


def _rows(sheet: Sheet, part: pd.DataFrame, top: float, widths: tuple[float, float]) -> None:
    """Write group and name before each row, and its numbers after it."""
    words = zip(style.texts(part, "group"), style.texts(part, "name"), _begins(part), strict=True)
    own = part["own"].to_numpy(dtype=bool)
    numbers = zip(*(style.column(part, name) for name in ("estimate", "change", "n")), own, strict=True)
    for row, ((group, name, begins), (estimate, change, n, is_own)) in enumerate(zip(words, numbers, strict=True)):
        y = top + CHOICES_ROW * (row + 0.5)
        if begins:
            sheet.text(0, y, fit(group, widths[0] - 0.08, BODY), color=MUTED, gid="group")
        sheet.text(widths[0], y, fit(name, widths[1] - 0.1, BODY), gid="name")
        sheet.text(sheet.width - CHANGE - CHOICES_GAMES, y, percent(estimate), ha="right")
        sheet.text(sheet.width - CHOICES_GAMES, y, "own" if is_own else points(change), ha="right", fontsize=SMALL, color=MUTED)
        sheet.text(sheet.width, y, count(n), ha="right", fontsize=SMALL, color=MUTED)


TORNADO_ROW, TORNADO_HEAD, TORNADO_FOOT, TORNADO_GAP, TORNADO_TOP = 0.3, 0.26, 0.28, 0.14, 0.34  # inches
TORNADO_WIDEST_NAME = 3.0
BAR = 0.36  # of a row: two bars, one above the other
FIGURES = 0.62
# Step, colour, offset in the row, words. The colours differ from those for above and below even.
STEPS = ((-1, style.PURPLE, -0.21, "one step down"), (1, style.GREEN, 0.21, "one step up"))
ZERO = 1e-12
POINTS = "points"
SMALL_REACH = 3.0  # changes up to this are written with two decimals


@style.housed
def tornado(frame: pd.DataFrame, *, panels: str = "name", most: int = 12, unit: str = "points", level: float = 0.95) -> Figure:
    """Change of a win rate per field, one step down and one step up, largest first; one panel per value of `panels`.

    frame: `panels` (optional: one panel without it), field, step (-1 or +1), change, low, high, n; optionally value (new value of
    the number, shown at the bar) and sure (whether the change is significant). unit: of the changes; "points" takes shares (0.03
    is 3 points), others ("turns") plain numbers. most: fields per panel; the note counts the rest. Bars that are not significant,
    by default those whose interval includes zero, are pale.
    """
    style.require(frame, ("field", "step", "change", "low", "high", "n"), "tornado")
    if not len(frame):
        return style.nothing()
    parts = style.groups(frame, panels) if panels in frame.columns else [("", frame)]
    shown = [(value, part, _largest(part, most)) for value, part in parts]
    head = [TORNADO_HEAD if str(value) else 0.0 for value, _, _ in shown]
    bodies = [
        space + TORNADO_ROW * len(fields) + TORNADO_FOOT + TORNADO_GAP for (_, _, fields), space in zip(shown, head, strict=True)
    ]
    sheet = Sheet(WIDTH, TORNADO_TOP + sum(bodies) + 0.25)
    left = words_column(style.texts(frame, "field"), BODY, TORNADO_WIDEST_NAME) + 0.12
    ends = [abs(style.column(frame, name)) for name in ("change", "low", "high")]
    least = 0.005 if unit == POINTS else 0.05
    reach = 1.08 * max(float(np.nanmax([*np.concatenate(ends), 0.0])), least)
    sheet.key(left, 0.1, [(words, {"marker": "s", "color": colour}) for _, colour, _, words in STEPS])
    sheet.text(WIDTH, 0.1, f"change in {unit}", ha="right", fontsize=SMALL, color=MUTED)
    top = TORNADO_TOP
    for (value, part, fields), space, body in zip(shown, head, bodies, strict=True):
        if str(value):
            sheet.text(0, top + 0.06, fit(str(value), WIDTH, HEADING, bold=True), fontsize=HEADING, fontweight="bold")
        axes = sheet.axes(left, top + space, WIDTH - left - FIGURES, TORNADO_ROW * len(fields))
        _tornado_panel(axes, part, fields, reach)
        _ticks(axes, reach, unit)
        _words(sheet, part, fields, (left, top + space), (unit, 1 if unit == POINTS or reach > SMALL_REACH else 2))
        top += body
    hidden = max((part["field"].nunique() - len(fields) for _, part, fields in shown), default=0)
    rest = f"; {hidden} fields with smaller changes not shown" if hidden else ""
    pale = "may be chance" if "sure" in frame.columns else "the interval includes no change"
    note = f"Whiskers: {percent(level, 0)} intervals; pale: {pale}; "
    note += f"{counted(list(style.column(frame, 'n')))} per step{rest}"
    start = max(0.0, min(left, WIDTH - width_of(note, SMALL)))
    sheet.text(start, sheet.height - 0.08, fit(note, WIDTH, SMALL), fontsize=SMALL, color=MUTED)
    return sheet.figure


def _largest(part: pd.DataFrame, most: int) -> list[str]:
    """Fields sorted by the larger of their two changes."""
    size = part["change"].astype(float).abs().fillna(0).groupby(part["field"].astype(str), sort=False).max()
    return [str(field) for field in size.sort_values(ascending=False, kind="stable").index[:most]]


def _tornado_panel(axes: Axes, part: pd.DataFrame, fields: list[str], reach: float) -> None:
    place = {field: index for index, field in enumerate(fields)}
    for (field, step, change, low, high), sure in zip(_tornado_rows(part), _sure(part), strict=True):
        if field not in place or np.isnan(change):
            continue
        _, colour, offset, _ = STEPS[0] if step < 0 else STEPS[1]
        row = place[field] + offset
        face = colour if sure else style.pale(colour, 0.3)
        axes.barh(row, change, height=BAR, color=face, linewidth=0, gid="bar" if sure else "pale")
        axes.hlines(row, low, high, color=INK if sure else MUTED, linewidth=0.9, zorder=3, gid="interval")
    axes.axvline(0, color=INK, linewidth=0.8, zorder=2)
    axes.set_xlim(-reach, reach)
    axes.set_ylim(len(fields) - 0.5, -0.5)
    axes.set_yticks([])
    for row in range(1, len(fields)):
        axes.axhline(row - 0.5, color=style.HAIR, linewidth=0.5, zorder=0.5)


def _ticks(axes: Axes, reach: float, unit: str) -> None:
    """Set ticks within the panel, with as many decimals as necessary."""
    axes.locator_params(axis="x", nbins=7)
    axes.set_xticks([tick for tick in axes.get_xticks() if abs(tick) <= reach])
    scaled = [100 * tick if unit == POINTS else tick for tick in axes.get_xticks()]
    digits = next((few for few in range(3) if all(abs(tick - round(tick, few)) < 1e-6 for tick in scaled)), 3)
    axes.xaxis.set_major_formatter(lambda value, _: _signed(value, unit, digits))


def _signed(change: float, unit: str, digits: int = 1) -> str:
    """Write a change with its sign, in its unit."""
    return points(change if unit == POINTS else change / 100, digits)


def _sure(part: pd.DataFrame) -> list[bool]:
    """Whether each change is significant: from the frame, else by its interval."""
    if "sure" in part.columns:
        return part["sure"].astype(bool).tolist()
    return [
        low > 0 or high < 0 or (low == high == change and abs(change) > ZERO) for _, _, change, low, high in _tornado_rows(part)
    ]


def _words(sheet: Sheet, part: pd.DataFrame, fields: list[str], corner: tuple[float, float], form: tuple[str, int]) -> None:
    left, top = corner
    place = {field: row for row, field in enumerate(fields)}
    for field, row in place.items():
        sheet.text(0, top + TORNADO_ROW * (row + 0.5), fit(field, left - 0.1, BODY))
    values = part["value"].astype(str).tolist() if "value" in part.columns else [""] * len(part)
    for (field, step, change, _, _), value in zip(_tornado_rows(part), values, strict=True):
        if field not in place:
            continue
        y = top + TORNADO_ROW * (place[field] + 0.5) + TORNADO_ROW * (STEPS[0] if step < 0 else STEPS[1])[2]
        sheet.text(WIDTH, y, _signed(change, *form), ha="right", fontsize=6.8, color=MUTED, gid="change")
        if value:
            words = f"\u2192{THIN}{fit(value, 0.25, 6.8)}"
            sheet.text(WIDTH - FIGURES + 0.06, y, words, fontsize=6.8, color=MUTED, gid="value")


def _tornado_rows(part: pd.DataFrame) -> list[tuple[str, float, float, float, float]]:
    columns = [style.column(part, name) for name in ("step", "change", "low", "high")]
    return [
        (field, float(step), float(change), float(low), float(high))
        for field, step, change, low, high in zip(part["field"].astype(str), *columns, strict=True)
    ]
