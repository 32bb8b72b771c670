"""Twofold: differences of win rates round nought, one row each: what goes along with it, and what it does."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.charts import style
from analysis.charts.legend import LINE, legend, wrapped
from analysis.charts.style import BODY, FAINT, HAIR, MUTED, SMALL, STRONG, WEAK, WIDTH, Sheet
from analysis.charts.words import column, fit
from analysis.wording import count, percent, points

ROW, HEAD, FOOT = 0.27, 0.32, 0.4  # inches
WIDEST_NAME = 2.2
VALUE, RANGE, GAMES = 0.62, 0.98, 0.66  # widths of the columns of numbers
APART = 0.18  # of a row: how far the two marks of a row stand from its middle
LEAST = 0.01  # half of the narrowest scale


@style.housed
def twofold(
    frame: pd.DataFrame,
    *,
    words: Sequence[str] = ("what it does", "what goes along with it"),
    label: str = "difference of the win rate, points",
    what: str = "games",
    level: float = 0.95,
) -> Figure:
    """Differences with intervals in the order of the frame; where there are others, hollow below the first.

    frame: name, estimate, low, high (differences of shares; nan: no mark), n, sure (whether no chance: coloured); optionally
    other, other_low, other_high. words: what the two are called; label: words for the scale; what: that n counts.
    """
    style.require(frame, ("name", "estimate", "low", "high", "n", "sure"), "twofold")
    if not len(frame):
        return style.nothing()
    two = bool(np.isfinite(style.column(frame, "other")).any())
    entries = _entries(words, two)
    top = 0.1 + LINE * (len(wrapped([said for said, _ in entries], WIDTH)) - 1) + HEAD
    sheet = Sheet(WIDTH, top + ROW * len(frame) + FOOT)
    left = column(style.texts(frame, "name"), BODY, WIDEST_NAME) + 0.15
    width = WIDTH - left - VALUE - RANGE - GAMES - (VALUE if two else 0)
    legend(sheet, (0, 0.1), [said for said, _ in entries], [mark for _, mark in entries])
    axes = sheet.axes(left, top, width, ROW * len(frame))
    _marks(axes, frame, two)
    _ground(axes, frame)
    _numbers(sheet, frame, (left, top), two)
    right = WIDTH - GAMES
    heads = [(what, WIDTH), (f"{percent(level, 0)} interval", right), ("points", right - RANGE)]
    for said, x in heads + ([("hollow", right - RANGE - VALUE)] if two else []):
        sheet.text(x, top - 0.12, said, ha="right", fontsize=SMALL, color=MUTED)
    sheet.text(left, sheet.height - 0.06, fit(label, width, SMALL), fontsize=SMALL, color=MUTED)
    return sheet.figure


def _entries(words: Sequence[str], two: bool) -> list[tuple[str, dict[str, Any]]]:
    """What the marks mean."""
    colours = (("surely above nought", STRONG), ("surely below", WEAK), ("may be chance", MUTED))
    named = [
        (f"{words[0]}: {said}" if at == 0 else said, {"color": colour}) for at, (said, colour) in enumerate(colours)
    ]
    return [*named, *([(words[1], _hollow())] if two else [])]


def _hollow() -> dict[str, Any]:
    return {"marker": "D", "color": MUTED, "markerfacecolor": "white", "markersize": 4}


def _marks(axes: Axes, frame: pd.DataFrame, two: bool) -> None:
    """The marks, the first of a row above the second."""
    rows, apart = np.arange(len(frame)).astype(float), APART if two else 0.0
    value, low, high = (style.column(frame, name) for name in ("estimate", "low", "high"))
    sure, known = frame["sure"].to_numpy(dtype=bool), np.isfinite(value)
    colours = np.where(sure & (value > 0), STRONG, np.where(sure & (value < 0), WEAK, MUTED))[known]
    axes.hlines(
        rows[known] - apart, low[known], high[known], color=list(colours), linewidth=1.6, zorder=2, gid="interval"
    )
    axes.scatter(value[known], rows[known] - apart, s=24, color=list(colours), zorder=4, gid="estimate")
    other, low, high = (style.column(frame, f"other{end}") for end in ("", "_low", "_high"))
    known = np.isfinite(other)
    if known.any():
        axes.hlines(
            rows[known] + apart, low[known], high[known], color=FAINT, linewidth=1.2, zorder=2, gid="other interval"
        )
        how: dict[str, Any] = {
            "s": 15,
            "marker": "D",
            "facecolor": "white",
            "edgecolor": MUTED,
            "linewidth": 0.9,
            "zorder": 3,
        }
        axes.scatter(other[known], rows[known] + apart, gid="other", **how)


def _ground(axes: Axes, frame: pd.DataFrame) -> None:
    """What the marks stand on: the line of no difference, hairlines between the rows, ticks."""
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


def _numbers(sheet: Sheet, frame: pd.DataFrame, at: tuple[float, float], two: bool) -> None:
    """Names and numbers beside the panel, whose top left corner is `at`."""
    left, top = at
    right = WIDTH - GAMES
    columns = [style.column(frame, name) for name in ("estimate", "low", "high", "n", "other")]
    for row, (name, value, low, high, n, other) in enumerate(zip(style.texts(frame, "name"), *columns, strict=True)):
        y = top + ROW * (row + 0.5)
        sheet.text(0, y, fit(name, left - 0.12, BODY), gid="name")
        if two:
            sheet.text(right - RANGE - VALUE, y, points(other), ha="right", fontsize=SMALL, color=MUTED)
        if np.isnan(value):
            continue
        sheet.text(right - RANGE, y, points(value), ha="right", gid="value")
        said = f"{points(low)} to {points(high)}" if low <= high else ""
        sheet.text(right, y, said, ha="right", fontsize=SMALL, color=MUTED)
        sheet.text(WIDTH, y, count(n), ha="right", fontsize=SMALL, color=MUTED)
