"""Ranked dots: an estimate with its interval per row in the order given, and beside it a second one for comparison."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.forest import MARKS
from analysis.charts.legend import LINE, legend, wrapped
from analysis.charts.style import BODY, FAINT, HEADING, MUTED, SMALL, WIDTH, Sheet
from analysis.charts.words import column, fit
from analysis.wording import THIN, count, percent, percent_range

ROW, HEAD, FOOT, GAP = 0.25, 0.3, 0.26, 0.14  # inches
WIDEST_NAME = 2.15
RATE, RANGE, GAMES = 0.56, 0.86, 0.66  # widths of the columns of numbers
WIDEST_WORD = 1.0  # of what an estimate is called
APART = 0.17  # of a row: how far the two marks of a row stand from its middle
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

    frame: name, estimate, low, high (shares 0..1; nan where there is none), n, verdict (as in `forest`); optionally panel (its
    heading), and other, other_low, other_high: a second estimate, drawn hollow below the first. words: what the two are called.
    fair: where the line stands; band: ends of the pale band, None without one. level: confidence level, for the heading.
    """
    style.require(frame, ("name", "estimate", "low", "high", "n", "verdict"), "ranked")
    if not len(frame):
        return style.nothing()
    parts = style.groups(frame, "panel") if "panel" in frame.columns else [("", frame)]
    two = bool(np.isfinite(style.column(frame, "other")).any())
    entries = _entries(frame, words, two, band)
    top = 0.1 + LINE * (len(wrapped([said for said, _ in entries], WIDTH)) - 1) + HEAD
    heads = [HEAD if str(value) else 0.0 for value, _ in parts]
    bodies = [space + ROW * len(part) + FOOT + GAP for (_, part), space in zip(parts, heads, strict=True)]
    sheet = Sheet(WIDTH, top + sum(bodies))
    left = column(style.texts(frame, "name"), BODY, WIDEST_NAME) + 0.15
    rate, other = (max(RATE, column([word], SMALL, WIDEST_WORD) + 0.1) for word in words[:2])
    width = WIDTH - left - rate - RANGE - GAMES - (other if two else 0)
    legend(sheet, (0, 0.1), [said for said, _ in entries], [mark for _, mark in entries])
    _headings(sheet, top - 0.12, words, (rate, other if two else 0.0), level)
    limits = _limits(frame, fair, band)
    for (value, part), space, body in zip(parts, heads, bodies, strict=True):
        if str(value):
            sheet.text(0, top + 0.12, fit(str(value), WIDTH, HEADING, bold=True), fontsize=HEADING, fontweight="bold")
        axes = sheet.axes(left, top + space, width, ROW * len(part))
        _panel(axes, part, two)
        _ground(axes, len(part), fair, band, limits)
        _columns(sheet, part, (left, top + space), rate if two else 0.0)
        top += body
    return sheet.figure


def _entries(
    frame: pd.DataFrame, words: Sequence[str], two: bool, band: tuple[float, float] | None
) -> list[tuple[str, dict[str, Any]]]:
    """What the marks mean; with two estimates of a row which is which."""
    judged = frame[np.isfinite(style.column(frame, "estimate"))]["verdict"]
    shown = [(said, mark) for verdict, (said, mark) in MARKS.items() if verdict and verdict in set(judged)]
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
    """Words above the columns of numbers. wide: of those of the first estimate and of the second, 0: there is none."""
    right = WIDTH - GAMES
    rate, other = wide
    places = [(f"{percent(level, 0)} interval", right, RANGE), ("games", WIDTH, GAMES), (words[0], right - RANGE, rate)]
    if other:
        places.append((words[1], right - RANGE - rate, other))
    for said, x, room in places:
        sheet.text(x, y, fit(said, room - 0.06, SMALL), ha="right", fontsize=SMALL, color=MUTED)


def _limits(frame: pd.DataFrame, fair: float, band: tuple[float, float] | None) -> tuple[float, float]:
    """Ends of the axis: all marks and their intervals, the band, and a little room."""
    names = ("estimate", "low", "high", "other", "other_low", "other_high")
    ends = np.concatenate([style.column(frame, name) for name in names])
    low, high = (float(end([fair, *(band or ())])) for end in (min, max))
    low, high = float(np.nanmin([*ends, low])), float(np.nanmax([*ends, high]))
    room = max(0.05 * (high - low), LEAST)
    return low - room, high + room


def _panel(axes: Axes, part: pd.DataFrame, two: bool) -> None:
    """The marks of a panel, the first estimate of a row above the second."""
    rows = np.arange(len(part)).astype(float)
    apart = APART if two else 0.0
    estimate, low, high = (style.column(part, name) for name in ("estimate", "low", "high"))
    for verdict, (_, mark) in MARKS.items():
        chosen = (part["verdict"] == verdict).to_numpy() & np.isfinite(estimate)
        if chosen.any():
            at, face = rows[chosen] - apart, mark.get("markerfacecolor", mark["color"])
            axes.hlines(at, low[chosen], high[chosen], color=mark["color"], linewidth=1.6, zorder=2, gid="interval")
            how = {"s": 24, "facecolor": face, "edgecolor": mark["color"], "zorder": 4, "gid": "estimate"}
            axes.scatter(estimate[chosen], at, **how)
    other, low, high = (style.column(part, f"other{end}") for end in ("", "_low", "_high"))
    if np.isfinite(other).any():
        chosen = np.isfinite(other)
        at = (rows + np.where(np.isfinite(estimate), apart, 0))[chosen]
        axes.hlines(at, low[chosen], high[chosen], color=FAINT, linewidth=1.2, zorder=2, gid="other interval")
        how = {"s": 15, "marker": "D", "facecolor": "white", "edgecolor": MUTED, "linewidth": 0.9, "zorder": 3}
        axes.scatter(other[chosen], at, gid="other", **how)


def _ground(axes: Axes, rows: int, fair: float, band: tuple[float, float] | None, limits: tuple[float, float]) -> None:
    """What the marks stand on: band, fair line, hairlines between the rows, ticks."""
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


def _columns(sheet: Sheet, part: pd.DataFrame, at: tuple[float, float], rate: float) -> None:
    """Names and numbers beside a panel whose top left corner is `at`. rate: width of the first estimates, 0: no second."""
    left, top = at
    values = [style.column(part, name) for name in ("estimate", "low", "high", "n", "other")]
    right = WIDTH - GAMES
    for row, (name, estimate, low, high, n, other) in enumerate(zip(style.texts(part, "name"), *values, strict=True)):
        y = top + ROW * (row + 0.5)
        sheet.text(0, y, fit(name, left - 0.12, BODY), gid="name")
        if rate:
            sheet.text(right - RANGE - rate, y, percent(other), ha="right", fontsize=SMALL, color=MUTED)
        if np.isnan(estimate):
            continue
        sheet.text(right - RANGE, y, percent(estimate), ha="right", gid="rate")
        sheet.text(right, y, percent_range(low, high), ha="right", fontsize=SMALL, color=MUTED)
        sheet.text(WIDTH, y, count(n), ha="right", fontsize=SMALL, color=MUTED)
