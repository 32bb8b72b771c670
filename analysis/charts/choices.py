"""Choices: win rates of the same entrant with each thing that it could bring, beside that with its own."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.style import BODY, FAINT, HAIR, HEADING, INK, MUTED, SMALL, STRONG, WEAK, WIDTH, Sheet
from analysis.charts.words import column, fit
from analysis.wording import count, percent, points

ROW, HEAD, FOOT, GAP, TOP = 0.2, 0.27, 0.24, 0.12, 0.32  # inches
WIDEST_GROUP, WIDEST_NAME = 1.0, 1.75
RATE, CHANGE, GAMES = 0.6, 0.62, 0.62  # widths of the columns of numbers
LEAST = 0.01  # half of the narrowest scale
MARKS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("its own", {"color": INK, "marker": "D", "markersize": 4.5}),
    ("surely better than its own", {"color": STRONG}),
    ("surely worse", {"color": WEAK}),
    ("may be chance", {"color": MUTED}),
)


@style.housed
def choices(frame: pd.DataFrame, *, panels: str = "panel", level: float = 0.95) -> Figure:
    """A dot with its interval per choice, in groups; one panel per value of `panels`, all with one scale.

    frame: `panels`, group, name (of a choice within its group), estimate, low, high (win rates 0..1), change (against its own),
    n, own (whether it is the entrant's own: a diamond, and a line down its panel), sure (whether the change is no chance:
    coloured). Rows stand as given, a group is named where it begins.
    """
    style.require(frame, (panels, "group", "name", "estimate", "low", "high", "change", "n", "own", "sure"), "choices")
    parts = style.groups(frame, panels)
    if not parts:
        return style.nothing()
    sheet = Sheet(WIDTH, TOP + sum(HEAD + ROW * len(part) + FOOT + GAP for _, part in parts))
    widths = (
        column(style.texts(frame, "group"), BODY, WIDEST_GROUP) + 0.1,
        column(style.texts(frame, "name"), BODY, WIDEST_NAME) + 0.12,
    )
    left = sum(widths)
    sheet.key(0, 0.1, MARKS)
    ends, top = _ends(frame), TOP
    heads = (
        (f"lines: {percent(level, 0)} intervals", None),
        ("win rate", CHANGE + GAMES),
        ("change", GAMES),
        ("games", 0),
    )
    for words, gap in heads:
        x, ha = (left, "left") if gap is None else (WIDTH - gap, "right")
        sheet.text(x, TOP + 0.12, words, ha=ha, fontsize=SMALL, color=MUTED)
    for value, part in parts:
        sheet.text(0, top + 0.12, fit(str(value), left - 0.1, HEADING, bold=True), fontsize=HEADING, fontweight="bold")
        axes = sheet.axes(left, top + HEAD, WIDTH - left - RATE - CHANGE - GAMES, ROW * len(part))
        _panel(axes, part, ends)
        _rows(sheet, part, top + HEAD, widths)
        top += HEAD + ROW * len(part) + FOOT + GAP
    return sheet.figure


def _ends(frame: pd.DataFrame) -> tuple[float, float]:
    """Ends of the scale of all panels: as far as the intervals go."""
    low, high = (style.column(frame, name) for name in ("low", "high"))
    known = np.concatenate([low[np.isfinite(low)], high[np.isfinite(high)]])
    least, most = (float(known.min()), float(known.max())) if len(known) else (0.5, 0.5)
    edge = max(LEAST, 0.05 * (most - least))
    return least - edge, most + edge


def _begins(part: pd.DataFrame) -> np.ndarray:
    """Whether a group begins with a row."""
    groups = part["group"].astype(str).to_numpy()
    return np.append(True, groups[1:] != groups[:-1])


def _panel(axes: Axes, part: pd.DataFrame, ends: tuple[float, float]) -> None:
    rows = np.arange(len(part))
    estimate, low, high, change = (style.column(part, name) for name in ("estimate", "low", "high", "change"))
    own, sure = (part[name].to_numpy(dtype=bool) for name in ("own", "sure"))
    colours = np.where(sure & (change > 0), STRONG, np.where(sure & (change < 0), WEAK, MUTED))
    colours = np.where(own, INK, colours)
    for at in estimate[own]:
        axes.axvline(at, color=FAINT, linewidth=0.8, linestyle=(0, (3, 2)), zorder=0.7, gid="own-line")
    axes.hlines(rows, low, high, color=list(colours), linewidth=1.6, gid="interval")
    for chosen, marker, gid in ((own, "D", "own"), (~own, "o", "choice")):
        axes.scatter(
            estimate[chosen], rows[chosen], s=24, color=list(colours[chosen]), marker=marker, zorder=3, gid=gid
        )
    axes.set_xlim(*ends)
    axes.set_ylim(len(part) - 0.5, -0.5)
    axes.set_yticks([])
    ticks = [tick for tick in axes.get_xticks() if ends[0] <= tick <= ends[1]]
    axes.set_xticks(ticks)
    style.percent_axis(axes.xaxis, 0 if all(abs(100 * tick - round(100 * tick)) < 1e-6 for tick in ticks) else 1)
    for row, begins in zip(rows[1:], _begins(part)[1:], strict=True):
        axes.axhline(row - 0.5, color=FAINT if begins else HAIR, linewidth=0.7 if begins else 0.5, zorder=0.5)


def _rows(sheet: Sheet, part: pd.DataFrame, top: float, widths: tuple[float, float]) -> None:
    """Group and name before each row, its numbers behind it."""
    words = zip(style.texts(part, "group"), style.texts(part, "name"), _begins(part), strict=True)
    own = part["own"].to_numpy(dtype=bool)
    numbers = zip(*(style.column(part, name) for name in ("estimate", "change", "n")), own, strict=True)
    for row, ((group, name, begins), (estimate, change, n, is_own)) in enumerate(zip(words, numbers, strict=True)):
        y = top + ROW * (row + 0.5)
        if begins:
            sheet.text(0, y, fit(group, widths[0] - 0.08, BODY), color=MUTED, gid="group")
        sheet.text(widths[0], y, fit(name, widths[1] - 0.1, BODY), gid="name")
        sheet.text(sheet.width - CHANGE - GAMES, y, percent(estimate), ha="right")
        sheet.text(sheet.width - GAMES, y, "own" if is_own else points(change), ha="right", fontsize=SMALL, color=MUTED)
        sheet.text(sheet.width, y, count(n), ha="right", fontsize=SMALL, color=MUTED)
