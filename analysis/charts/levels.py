"""Levels: how win rates move from level to level of play, a line per entrant."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.labels import spread
from analysis.charts.style import BODY, FAINT, INK, MUTED, PAPER, SMALL, STRONG, WEAK, WIDTH, Sheet
from analysis.charts.words import column, fit
from analysis.estimates import FAIR_BAND
from analysis.wording import counted, percent

TOP, FOOT, LEAST = 0.3, 0.56, 2.4  # inches
LINE = 0.16  # inches between labels
WIDEST_NAME, RATE = 1.3, 0.5
AXIS = 0.42
UP, DOWN, BOTH_WAYS = 1, -1, 2  # of `turns`
ROOM = 0.12  # of the way between two levels, beside the outer ones


@style.housed
def levels(frame: pd.DataFrame, *, band: float = FAIR_BAND, left_out: int = 0, level: float = 0.95) -> Figure:
    """Win rates of every entrant at each level, from the left in the order of the frame; names stand at both ends.

    frame: level, name, estimate, low, high (shares), n, fair (share), side (+1, -1: surely above or below the fair share;
    such a dot is filled), turns (UP, DOWN or BOTH_WAYS: the entrant goes surely from below its share to above it between two
    levels, or the other way: its line is coloured; 0: neither). band: half-width of the pale band, relative to the fair share.
    left_out: entrants that move less and are not in the frame.
    """
    style.require(frame, ("level", "name", "estimate", "low", "high", "n", "fair", "side", "turns"), "levels")
    if not len(frame):
        return style.nothing()
    names, steps = list(dict.fromkeys(frame["name"].astype(str))), list(dict.fromkeys(frame["level"].astype(str)))
    label = column([str(name) for name in names], SMALL, WIDEST_NAME) + RATE
    height = max(LEAST, LINE * (len(names) + 3))
    sheet = Sheet(WIDTH, TOP + height + FOOT)
    both = len(steps) > 1
    left = AXIS + (label if both else 0)
    axes = sheet.axes(left, TOP, WIDTH - left - label - 0.1, height)
    limits = _frame(axes, frame, steps, band, left)
    for name in names:
        _line(axes, frame[frame["name"].astype(str) == name], steps)
    gap = LINE * (limits[1] - limits[0]) / height
    _labels(axes, frame, steps[-1], (len(steps) - 1, 1), (gap, limits, label))
    if both:
        _labels(axes, frame, steps[0], (0, -1), (gap, limits, label))
    _key(sheet, set(frame["turns"]))
    note = f"Filled: surely off the fair share, open: may be even; bars: {percent(level, 0)} intervals; "
    note += f"{counted(list(style.column(frame, 'n')))} per dot"
    note += f"; {left_out} that move less are not drawn" if left_out else ""
    sheet.text(0, sheet.height - 0.08, fit(note, WIDTH, SMALL), fontsize=SMALL, color=MUTED)
    return sheet.figure


def _key(sheet: Sheet, ways: set[int]) -> None:
    words = {
        UP: ("surely turns from below its share to above it", STRONG),
        DOWN: ("from above to below", WEAK),
        BOTH_WAYS: ("over and back", INK),
        0: ("keeps its side, or not sure", MUTED),
    }
    sheet.key(0, 0.06, [(said, {"color": colour}) for way, (said, colour) in words.items() if way in ways])


def _frame(axes: Axes, frame: pd.DataFrame, steps: list[str], band: float, left: float) -> tuple[float, float]:
    """Scale, ticks, the fair line and band of every level; returns the limits of the scale. left: inches beside the axes."""
    low, high = (style.column(frame, name) for name in ("low", "high"))
    room = max(0.05 * float(np.nanmax(high) - np.nanmin(low)), 0.01)
    limits = (float(np.nanmin(low)) - room, float(np.nanmax(high)) + room)
    fair = [float(frame.loc[frame["level"].astype(str) == step, "fair"].iloc[0]) for step in steps]
    ends = np.array([-ROOM, *range(len(steps)), len(steps) - 1 + ROOM])
    line = np.array([fair[0], *fair, fair[-1]])
    axes.fill_between(ends, line * (1 - band), line * (1 + band), color=style.BAND, linewidth=0, zorder=0, gid="band")
    axes.plot(ends, line, color=MUTED, linewidth=0.8, zorder=1, gid="fair")
    axes.set_xlim(ends[0], ends[-1])
    axes.set_ylim(*limits)
    axes.set_xticks(range(len(steps)), [fit(step, 1.2, BODY) for step in steps])
    axes.tick_params(axis="x", length=0, labelsize=BODY, labelcolor=INK)
    axes.locator_params(axis="y", nbins=6)
    axes.tick_params(axis="y", left=False, pad=72 * (left - AXIS))  # beyond the names
    style.percent_axis(axes.yaxis)
    axes.grid(axis="y", color=style.HAIR)
    axes.spines["bottom"].set_visible(False)
    return limits


def _colour(row: pd.Series) -> str:
    return {UP: STRONG, DOWN: WEAK, BOTH_WAYS: INK}.get(int(row["turns"]), FAINT)


def _line(axes: Axes, rows: pd.DataFrame, steps: list[str]) -> None:
    """One entrant over all levels, beside its neighbours where it has no games."""
    at = [steps.index(str(step)) for step in rows["level"]]
    colour = _colour(rows.iloc[0])
    mark = MUTED if colour == FAINT else colour
    order = 2 if colour == FAINT else 4
    values = [style.column(rows, name) for name in ("estimate", "low", "high")]
    axes.plot(at, values[0], color=colour, linewidth=1.6, zorder=order, gid="line")
    axes.vlines(at, values[1], values[2], color=colour, linewidth=1.1, zorder=order, gid="interval")
    faces = [mark if side else PAPER for side in rows["side"]]
    axes.scatter(at, values[0], s=20, facecolor=faces, edgecolor=mark, linewidth=1.0, zorder=order + 1, gid="dot")


def _labels(
    axes: Axes, frame: pd.DataFrame, step: str, where: tuple[int, int], room: tuple[float, tuple[float, float], float]
) -> None:
    """Names and rates beside an outer level. where: its place and the side, -1 left; room: gap, limits, width in inches."""
    (place, side), (gap, limits, label) = where, room
    rows = frame[(frame["level"].astype(str) == step) & np.isfinite(style.column(frame, "estimate"))]
    ends = style.column(rows, "estimate")
    edge = place + side * ROOM
    for (_, row), y, end in zip(rows.iterrows(), spread(ends, gap, *limits), ends, strict=True):
        axes.plot([edge, edge + side * ROOM * 0.35], [end, y], color=FAINT, linewidth=0.5, clip_on=False)
        colour = _colour(row)
        ink = MUTED if colour == FAINT else colour
        words = f"{fit(str(row['name']), label - RATE, SMALL)}  {100 * end:.1f}"
        shift = side * 4
        axes.annotate(
            words,
            (edge + side * ROOM * 0.35, y),
            (shift, 0),
            textcoords="offset points",
            ha="left" if side > 0 else "right",
            va="center_baseline",
            fontsize=SMALL,
            color=ink,
            annotation_clip=False,
            gid="label",
        )
