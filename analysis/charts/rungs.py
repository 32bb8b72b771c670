"""Rungs: levels of play, the best on top, by their rating, and how often each beats the one below."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.charts import style
from analysis.charts.style import BLUE, BODY, FAINT, HAIR, MUTED, SMALL, WIDTH, Sheet
from analysis.charts.words import column, fit
from analysis.wording import count, percent, percent_range

ROW, HEAD, FOOT = 0.42, 0.34, 0.52  # inches
WIDEST_NAME = 1.6
RATE, RANGE, GAMES = 0.95, 0.85, 0.7  # widths of the columns of numbers


@style.housed
def rungs(frame: pd.DataFrame, *, step: float = 0.6, level: float = 0.95) -> Figure:
    """Levels with their ratings and intervals, the first line of the frame at the foot.

    frame: name, elo, elo_low, elo_high (points), rate, rate_low, rate_high (win rate over the line before, shares; nan for the
    first), n (games of that). A rate of `step` or more is bold: a clear step.
    """
    style.require(frame, ("name", "elo", "elo_low", "elo_high", "rate", "rate_low", "rate_high", "n"), "rungs")
    if not len(frame):
        return style.nothing()
    ordered = frame.iloc[::-1].reset_index(drop=True)
    sheet = Sheet(WIDTH, HEAD + ROW * len(ordered) + FOOT)
    left = column(style.texts(ordered, "name"), BODY, WIDEST_NAME) + 0.2
    width = WIDTH - left - RATE - RANGE - GAMES
    axes = sheet.axes(left, HEAD, width, ROW * len(ordered))
    _rungs(axes, ordered)
    _columns(sheet, ordered, left, step)
    note = f"Dots with {percent(level, 0)} intervals; bold: a clear step, {percent(step, 0)} or more"
    sheet.text(0, sheet.height - 0.08, fit(note, WIDTH, SMALL), fontsize=SMALL, color=MUTED)
    sheet.text(left, 0.1, "Elo points", fontsize=SMALL, color=MUTED)
    heads = (("beats the one below", GAMES + RANGE), (f"{percent(level, 0)} interval", GAMES), ("games", 0.0))
    for words, room in heads:
        sheet.text(WIDTH - room, 0.1, words, ha="right", fontsize=SMALL, color=MUTED)
    return sheet.figure


def _rungs(axes: Axes, ordered: pd.DataFrame) -> None:
    """Dots with intervals, and the way up from one to the next."""
    rows = np.arange(len(ordered))
    value, low, high = (style.column(ordered, name) for name in ("elo", "elo_low", "elo_high"))
    axes.plot(value, rows, color=FAINT, linewidth=1.4, zorder=1, gid="way")
    axes.hlines(rows, low, high, color=BLUE, linewidth=1.8, zorder=2, gid="interval")
    axes.scatter(value, rows, s=34, color=BLUE, zorder=3, edgecolor="white", linewidth=0.6, gid="dot")
    axes.set_ylim(len(ordered) - 0.5, -0.5)
    ends = np.array([*low, *high, *value])
    ends = ends[np.isfinite(ends)] if np.isfinite(ends).any() else np.zeros(1)
    reach = max(float(np.ptp(ends)), 1.0)
    axes.set_xlim(ends.min() - 0.05 * reach, ends.max() + 0.05 * reach)
    axes.set_yticks([])
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda tick, _: count(tick)))
    axes.grid(axis="x", color=HAIR)


def _columns(sheet: Sheet, ordered: pd.DataFrame, left: float, step: float) -> None:
    values = [style.column(ordered, name) for name in ("rate", "rate_low", "rate_high", "n")]
    for row, (name, rate, low, high, n) in enumerate(zip(style.texts(ordered, "name"), *values, strict=True)):
        y = HEAD + ROW * (row + 0.5)
        sheet.text(0, y, fit(name, left - 0.12, BODY), gid="name")
        if np.isnan(rate):
            continue
        weight = "bold" if rate >= step else "normal"
        sheet.text(WIDTH - GAMES - RANGE, y, percent(rate), ha="right", fontweight=weight, gid="rate")
        sheet.text(WIDTH - GAMES, y, percent_range(low, high), ha="right", fontsize=SMALL, color=MUTED)
        sheet.text(WIDTH, y, count(n), ha="right", fontsize=SMALL, color=MUTED)
