"""Halves: shares of games of two against one half, as bars to either side of it."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.style import BODY, FAINT, HAIR, INK, MUTED, SMALL, STRONG, WEAK, WIDTH, Sheet
from analysis.charts.words import clean, column, fit
from analysis.wording import count, percent, percent_range

HALF = 0.5
ROW, BAR, TOP, FOOT, AFTER = 0.25, 0.66, 0.5, 0.5, 0.12  # inches; BAR is a part of ROW, AFTER follows the whole
WIDEST_NAME = 2.6
RATE, RANGE, GAMES = 0.62, 0.92, 0.78  # widths of the columns of numbers
LEAST_REACH = 0.03


@style.housed
def halves(frame: pd.DataFrame, *, label: str = "wins", level: float = 0.95) -> Figure:
    """Bars from one half to each share, with intervals; rows as given, those that stand for all apart and bold.

    frame: name, estimate, low, high (shares 0..1; nan: no games), n, sure (whether it differs from one half: coloured), whole
    (whether the row stands for all). label: what the shares are of.
    """
    style.require(frame, ("name", "estimate", "low", "high", "n", "sure", "whole"), "halves")
    if not len(frame):
        return style.nothing()
    rows = frame.sort_values("whole", ascending=False, kind="stable")
    whole = rows["whole"].to_numpy(bool)
    after = AFTER if 0 < whole.sum() < len(rows) else 0.0
    tops = TOP + ROW * np.arange(len(rows)) + np.where(whole, 0.0, after)
    left = column(style.texts(rows, "name"), BODY, WIDEST_NAME) + 0.14
    width = WIDTH - left - RATE - RANGE - GAMES
    sheet = Sheet(WIDTH, float(tops[-1]) + ROW + FOOT)
    entries = [("above one half", {"marker": "s", "color": STRONG}), ("below", {"marker": "s", "color": WEAK})]
    sheet.key(0, 0.08, [*entries, ("may be chance", {"marker": "s", "color": FAINT})])
    axes = sheet.axes(left, TOP, width, float(tops[-1]) + ROW - TOP)
    _bars(axes, rows, (tops + ROW / 2 - TOP) / ROW)
    right = WIDTH
    heads = ((clean(label), right - GAMES - RANGE), (f"{percent(level, 0)} interval", right - GAMES), ("games", right))
    for words, x in heads:
        sheet.text(x, TOP - 0.13, words, ha="right", fontsize=SMALL, color=MUTED)
    _columns(sheet, rows, left, tops)
    note = f"Bars begin at one half; whiskers: {percent(level, 0)} intervals"
    sheet.text(left, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _bars(axes: Axes, rows: pd.DataFrame, places: np.ndarray) -> None:
    """places: middles of the rows, in rows from the top of the axes."""
    estimate, low, high = (style.column(rows, name) for name in ("estimate", "low", "high"))
    known = np.isfinite(estimate)
    sure = rows["sure"].to_numpy(bool)
    colours = np.where(~sure, FAINT, np.where(estimate > HALF, STRONG, WEAK))
    faces = [style.pale(colour, 0.75) for colour in colours[known]]
    axes.barh(places[known], estimate[known] - HALF, left=HALF, height=BAR, color=faces, gid="bar")
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
    lines = zip(style.texts(rows, "name"), rows["whole"], tops + ROW / 2, *values, strict=True)
    for name, whole, y, estimate, low, high, n in lines:
        strong: dict[str, Any] = {"fontweight": "bold" if whole else "normal"}
        sheet.text(0, y, fit(name, left - 0.12, BODY, bold=bool(whole)), gid="name", **strong)
        if np.isnan(estimate):
            sheet.text(WIDTH, y, "no games", ha="right", fontsize=SMALL, color=MUTED)
            continue
        sheet.text(WIDTH - GAMES - RANGE, y, percent(estimate), ha="right", **strong)
        sheet.text(WIDTH - GAMES, y, percent_range(low, high), ha="right", fontsize=SMALL, color=MUTED)
        sheet.text(WIDTH, y, count(n), ha="right", fontsize=SMALL, color=MUTED)
