"""Charts of exact chances: of several conditions, and how a roll depends on a number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from analysis.answer.numbers import count, percent
from analysis.charts import style
from analysis.charts.layout import End, Grid, Plot, Rows, Words, name_ends, number_ticks, panel_grid, rows
from analysis.charts.style import BLUE, LIGHT, SMALL, clean, column

RARE = 0.01  # chance from which "1 in ..." is written


@style.form("name", "estimate")
def chances(frame: pd.DataFrame) -> Figure:
    """A bar for each chance, in the order given, on one scale from 0 to 100 per cent.

    frame: name, estimate (chance 0..1).
    """

    def draw(axes: Axes, part: pd.DataFrame) -> None:
        axes.barh(np.arange(len(part)), column(part, "estimate"), height=0.62, color=LIGHT, gid="bar")
        axes.set_xlim(0, 1)
        axes.set_xticks(style.QUARTERS)
        style.percent_axis(axes.xaxis)

    def words(chance: float) -> str:
        return f"1 in {count(1 / chance)}" if 0 < chance < RARE else percent(chance)

    cells = (Plot(draw), Words("", 0.95, ("estimate",), words, strong=True))
    return rows([("", frame)], cells, note="Exact chances", look=Rows(0.27, 3.0))


@style.form("line", "x", "estimate", "low", "high")
def by_number(frame: pd.DataFrame, *, label: str = "n", unit: str = "", note: str = "Exact chances") -> Figure:
    """A line over a number for each value of `line`, with a pale band from low to high where these differ.

    frame: line, x (whole numbers), estimate, low, high. label: words for the number; unit: words for the estimates; "%" if they
    are shares 0..1.
    """
    names = list(dict.fromkeys(frame["line"]))
    colours = dict(zip(names, style.hues(names) if len(names) > 1 else [BLUE], strict=True))
    room = style.words_column([str(name) for name in names], SMALL, 1.8) + 0.28 if len(names) > 1 else 0.1
    sheet, drawn = panel_grid([("", frame)], 1, 2.6, Grid(above=0.1, head=0.2, right=room), heading=str)
    for axes, part, _ in drawn:
        ends = [_line(axes, str(name), line, colours[name]) for name, line in style.groups(part.sort_values("x"), "line")]
        axes.xaxis.set_major_locator(MaxNLocator(12, steps=[1, 2, 5, 10], integer=True))
        if unit == "%":
            axes.set_ylim(0, 1)
            axes.set_yticks(style.QUARTERS)
            style.percent_grid(axes)
        else:
            axes.grid(axis="y", color=style.HAIR)
            number_ticks(axes.yaxis)
        axes.set_xlabel(clean(label), loc="left")
        if len(names) > 1:
            name_ends(sheet, axes, ends, room, 0.15)
    sheet.note(0, 0.06, "" if unit == "%" else f"\u2191 {clean(unit)}")
    return sheet.close(0.42, note, 0.08)


def _line(axes: Axes, name: str, line: pd.DataFrame, colour: object) -> End:
    """Draw a line with its band; returns its name at the right."""
    x, estimate, low, high = (column(line, one) for one in ("x", "estimate", "low", "high"))
    if (low < high).any():
        axes.fill_between(x, low, high, color=colour, alpha=0.16, linewidth=0, gid="band")
    dot: dict[str, Any] = {"marker": "o", "markersize": 4, "clip_on": False} if len(line) <= 40 else {}
    axes.plot(x, estimate, color=colour, linewidth=1.8, gid="line", **dot)
    return End(name, float(estimate[-1]), colour, bold=False, mark={"markersize": 4}, size=SMALL)
