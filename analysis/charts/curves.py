"""Curves by turn: the share of games in which something has happened, or has not yet, a line per thing or entrant."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.legend import LINE, legend, wrapped
from analysis.charts.style import CATEGORIES, HEADING, MUTED, SMALL, WIDTH, Sheet
from analysis.charts.words import clean
from analysis.wording import counted, percent

LEFT, TOP, HEIGHT, FOOT, GAP = 0.42, 0.5, 1.9, 0.5, 0.3  # inches
COLOURS = tuple(colour for colour in CATEGORIES if colour != style.YELLOW)  # yellow lines are not seen on paper
DASHES = ("-", (0, (4, 1.5)), (0, (1, 1)))  # lines beyond the colours
NEARLY = 0.98  # the axis ends where every line has come this far of its way


@style.housed
def curves(
    frame: pd.DataFrame,
    *,
    panels: str = "seats",
    lines: str = "name",
    turns: str = "turns",
    label: str = "turns",
    falling: bool = False,
    level: float = 0.95,
) -> Figure:
    """Share of games by turn, one line per value of `lines`, a panel per value of `panels`, dots where a line crosses half.

    frame: `panels`, `lines`, `turns` (rising), estimate (share in which it has happened, 0..1), n; optionally low and high.
    falling: draw the share in which it has not happened yet. A line that stays short of the end belongs to what does not
    happen in every game. label: unit of the turns.
    """
    style.require(frame, (panels, lines, turns, "estimate", "n"), "curves")
    parts = style.groups(frame, panels)
    if not parts:
        return style.nothing()
    kinds = [clean(str(kind)) for kind in dict.fromkeys(frame[lines])]
    looks = {kind: _look(at) for at, kind in enumerate(kinds)}
    across = 2 if len(parts) in (2, 4) else min(3, len(parts))
    width = (WIDTH - LEFT - GAP * (across - 1)) / across if len(parts) > 1 else WIDTH - LEFT
    down = -(-len(parts) // across)
    head = 0.06 + LINE * len(wrapped(kinds, WIDTH - LEFT)) + 0.06
    sheet = Sheet(WIDTH, head + down * (TOP + HEIGHT + FOOT) + 0.12)
    legend(sheet, (LEFT, 0.06), kinds, [{"marker": "s", "color": look["color"]} for look in looks.values()])
    right = _right_end(parts, lines, turns)
    for at, (value, part) in enumerate(parts):
        left, top = LEFT + (at % across) * (width + GAP), head + (at // across) * (TOP + HEIGHT + FOOT)
        sheet.text(left, top + 0.13, style.seats_heading(value), fontsize=HEADING, fontweight="bold")
        sheet.text(left, top + 0.31, counted(list(style.column(part, "n"))), fontsize=SMALL, color=MUTED)
        axes = sheet.axes(left, top + TOP, width, HEIGHT)
        for kind, line in style.groups(part, lines):
            _line(axes, _flipped(line) if falling else line, (turns, right), looks[clean(str(kind))])
        style.share_axis(axes, right, top=1.01)
        axes.tick_params(labelleft=at % across == 0)
        if at // across == down - 1:
            axes.set_xlabel(clean(label), loc="left")
    banded = {"low", "high"} <= set(frame.columns)
    note = f"Share of games in which it has {'not happened yet' if falling else 'happened'}; dots: half of the games."
    note += f" Pale bands: {percent(level, 0)} intervals." if banded else ""
    sheet.text(LEFT, sheet.height - 0.08, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _look(at: int) -> dict[str, Any]:
    return {"color": COLOURS[at % len(COLOURS)], "linestyle": DASHES[at // len(COLOURS) % len(DASHES)]}


def _flipped(line: pd.DataFrame) -> pd.DataFrame:
    """What has not happened yet in place of what has."""
    other = {name: 1 - line[name] for name in ("estimate", "low", "high") if name in line.columns}
    return line.assign(**other)


def _right_end(parts: list[tuple[Any, pd.DataFrame]], lines: str, turns: str) -> float:
    ends = [1.0]
    for _, part in parts:
        for _, line in style.groups(part, lines):
            when, share = style.column(line, turns), style.column(line, "estimate")
            there = when[share >= NEARLY * np.nanmax(share)] if np.isfinite(share).any() else when[:0]
            ends += [float(there.min())] if there.size else []
    return 1.02 * max(ends)


def _line(axes: Axes, line: pd.DataFrame, reach: tuple[str, float], look: dict[str, Any]) -> None:
    """One step curve with its band, drawn on to the end of the axis."""
    turns, right = reach
    when = np.append(style.column(line, turns), max(right, float(np.nanmax(style.column(line, turns)))))
    ends = {name: style.column(line, name) for name in ("estimate", "low", "high")}
    share, low, high = (np.append(values, values[-1]) for values in ends.values())
    if np.isfinite(low).any():
        axes.fill_between(when, low, high, step="post", color=look["color"], alpha=0.18, linewidth=0, gid="interval")
    axes.step(when, share, where="post", linewidth=1.6, gid="curve", **look)
    start = share[0] >= 0.5
    crossed = np.flatnonzero((share >= 0.5) != start) if not start else np.flatnonzero(share <= 0.5)
    if crossed.size and when[crossed[0]] <= right:
        dot: dict[str, Any] = {"markersize": 5, "markeredgecolor": "white", "zorder": 4, "gid": "median"}
        axes.plot([when[crossed[0]]], [0.5], "o", color=look["color"], clip_on=False, **dot)
