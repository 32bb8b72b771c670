"""Growth: a level by turn with the band of most games, above what the total behind it is made of."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.charts import style
from analysis.charts.labels import spread
from analysis.charts.style import BLUE, BODY, FAINT, HAIR, INK, MUTED, PAPER, SMALL, WIDTH, Sheet
from analysis.charts.words import clean, column, fit
from analysis.wording import counted, number, percent

LEFT, TOP, HEIGHT, GAP, LOW, FOOT = 0.5, 0.26, 1.75, 0.5, 1.75, 0.62  # inches
WIDEST_NAME, LABEL = 1.7, 0.32  # inches; LABEL is between two labels


@style.housed
def growth(
    frame: pd.DataFrame,
    *,
    parts: pd.DataFrame | None = None,
    x_label: str = "turn",
    y_label: str = "level",
    total_label: str = "total",
    reach: tuple[float, float] = (0.1, 0.9),
) -> Figure:
    """Median with a band of quantiles by turn; below it, if `parts` are given, their means stacked.

    frame: x (rising), median, low, high (quantiles: the band), n (seats still on). parts: x, name (from below, in order of
    appearance), mean. reach: which quantiles the band goes from and to, for the note.
    """
    style.require(frame, ("x", "median", "low", "high", "n"), "growth")
    if not len(frame):
        return style.nothing()
    stack = style.groups(parts, "name") if parts is not None else []
    right = max(1.0, column([clean(str(name)) for name, _ in stack], BODY, WIDEST_NAME) + 0.14)
    below = GAP + LOW if stack else 0.0
    sheet = Sheet(WIDTH, TOP + HEIGHT + below + FOOT)
    turns = style.column(frame, "x")
    limits = (float(turns.min()) - 0.25, float(turns.max()) + 0.25)
    axes = sheet.axes(LEFT, TOP, WIDTH - LEFT - right, HEIGHT)
    _band(axes, frame)
    _set_up(axes, limits, float(np.nanmax([*style.column(frame, "high"), 1])))
    axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    sheet.text(0, 0.05, f"\u2191 {clean(y_label)}", fontsize=SMALL, color=MUTED)
    _name_band(sheet, axes, frame, (right, reach))
    if stack:
        axes.tick_params(labelbottom=False)
        axes = sheet.axes(LEFT, TOP + HEIGHT + GAP, WIDTH - LEFT - right, LOW)
        _stack(sheet, axes, stack, (limits, right))
        sheet.text(0, TOP + HEIGHT + GAP - 0.21, f"\u2191 {clean(total_label)}, mean", fontsize=SMALL, color=MUTED)
    axes.set_xlabel(clean(x_label), loc="left")
    note = f"Band: {' to '.join(percent(end, 0) for end in reach)} of the seats that come to that turn; "
    note += f"{counted(list(style.column(frame, 'n')))} seats"
    sheet.text(LEFT, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _set_up(axes: Axes, limits: tuple[float, float], top: float) -> None:
    axes.set_xlim(limits)
    axes.set_ylim(0, 1.06 * top)
    axes.grid(axis="y", color=HAIR)
    axes.xaxis.set_major_locator(MaxNLocator(12, integer=True))


def _band(axes: Axes, frame: pd.DataFrame) -> None:
    x, median, low, high = (style.column(frame, name) for name in ("x", "median", "low", "high"))
    axes.fill_between(x, low, high, color=BLUE, alpha=0.16, linewidth=0, gid="band")
    axes.plot(x, median, color=BLUE, linewidth=1.8, marker="o", markersize=3.6, zorder=3, gid="line", clip_on=False)


def _name_band(sheet: Sheet, axes: Axes, frame: pd.DataFrame, how: tuple[float, tuple[float, float]]) -> None:
    """Name the median and the ends of the band at the right."""
    (right, reach), top = how, axes.get_ylim()[1]
    ends = np.array([float(style.column(frame, name)[-1]) for name in ("high", "median", "low")])
    places = spread(TOP + HEIGHT * (1 - ends / top), 0.17, TOP, TOP + HEIGHT)
    names = (percent(reach[1], 0), "median", percent(reach[0], 0))
    for name, end, y in zip(names, ends, places, strict=True):
        strong: dict[str, Any] = {"fontweight": "bold", "color": BLUE} if name == "median" else {"color": MUTED}
        words = fit(f"{name}: {number(end)}", right - 0.1, SMALL)
        sheet.text(WIDTH - right + 0.1, y, words, fontsize=SMALL, gid="label", **strong)


def _stack(
    sheet: Sheet, axes: Axes, stack: list[tuple[Any, pd.DataFrame]], how: tuple[tuple[float, float], float]
) -> None:
    """Areas on top of each other, each named at the right about as high as it ends."""
    limits, right = how
    x = style.column(stack[0][1], "x")
    base, middles = np.zeros(x.size), []
    colours = style.hues([name for name, _ in stack])
    for colour, (_, part) in zip(colours, stack, strict=True):
        top = base + np.nan_to_num(style.column(part, "mean"))
        axes.fill_between(x, base, top, facecolor=colour, edgecolor=PAPER, linewidth=0.6, zorder=2, gid="area")
        middles.append((base[-1] + top[-1]) / 2)
        base = top
    axes.plot(x, base, color=INK, linewidth=1.2, zorder=3, gid="total")
    _set_up(axes, limits, float(base.max()) if base.max() > 0 else 1.0)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    top = TOP + HEIGHT + GAP
    wanted = top + LOW * (1 - np.array(middles) / axes.get_ylim()[1])
    places = spread(wanted, LABEL, top + 0.06, top + LOW - 0.2)
    whole = float(base[-1])
    for colour, (name, part), y in zip(colours, stack, places, strict=True):
        end = float(np.nan_to_num(style.column(part, "mean"))[-1])
        left = WIDTH - right
        sheet.key(left + 0.02, y, [("", {"marker": "s", "color": colour})])
        sheet.text(left + 0.18, y, fit(str(name), right - 0.18, SMALL), fontsize=SMALL, gid="label")
        said = f"{number(round(end))} ({percent(end / whole if whole else 0, 0)})"
        sheet.text(left + 0.18, y + 0.14, said, fontsize=SMALL, color=MUTED)
    axes.axhline(0, color=FAINT, linewidth=0.7)
