"""Strips: how an amount runs over the turns of a game, a panel per entrant, the others pale behind it."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from analysis.charts import style
from analysis.charts.style import BLUE, FAINT, HAIR, HEADING, MUTED, SMALL, WIDTH, Sheet
from analysis.charts.words import clean, fit
from analysis.wording import counted, percent

PER_ROW = 2
LEFT, TOP, HEAD, HEIGHT, FOOT, GAP = 0.36, 0.2, 0.26, 1.35, 0.34, 0.2  # inches
BOTTOM = 0.32


@style.housed
def strips(
    frame: pd.DataFrame, *, x_label: str = "turn", y_label: str = "amount", reach: tuple[float, float] = (0.1, 0.9)
) -> Figure:
    """Means by turn with a pale band of quantiles, a panel per value of `line`, all on one scale.

    frame: line, x (rising), mean, low, high (quantiles: the band), n (seats still on). reach: which quantiles the band goes
    from and to, for the note. Behind each line stand those of the other panels.
    """
    style.require(frame, ("line", "x", "mean", "low", "high", "n"), "strips")
    parts = style.groups(frame, "line")
    if not parts:
        return style.nothing()
    across = min(PER_ROW, len(parts))
    down = -(-len(parts) // across)
    width = (WIDTH - LEFT * across - GAP * (across - 1)) / across
    sheet = Sheet(WIDTH, TOP + down * (HEAD + HEIGHT + FOOT) + BOTTOM)
    sheet.text(0, 0.04, f"\u2191 {clean(y_label)}", fontsize=SMALL, color=MUTED)
    x = style.column(frame, "x")
    top_value = 1.04 * float(np.nanmax([*style.column(frame, "high"), *style.column(frame, "mean"), 0.1]))
    for at, (name, part) in enumerate(parts):
        left = LEFT + (at % across) * (width + LEFT + GAP)
        top = TOP + (at // across) * (HEAD + HEIGHT + FOOT)
        sheet.text(left, top + 0.12, fit(str(name), width, HEADING, bold=True), fontsize=HEADING, fontweight="bold")
        axes = sheet.axes(left, top + HEAD, width, HEIGHT)
        for other, behind in parts:
            if other != name:
                axes.plot(
                    style.column(behind, "x"), style.column(behind, "mean"), color=FAINT, linewidth=0.9, gid="other"
                )
        _line(axes, part)
        axes.set_xlim(float(np.nanmin(x)) - 0.4, float(np.nanmax(x)) + 0.4)
        axes.set_ylim(0, top_value)
        axes.grid(axis="y", color=HAIR)
        axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=top_value > PER_ROW))
        if at >= len(parts) - across:
            axes.set_xlabel(clean(x_label), loc="left")
    ends = " to ".join(percent(end, 0) for end in reach)
    note = f"Lines: means of the seats still on, pale those of the others; bands: {ends} of these; "
    note += f"{counted(list(style.column(frame, 'n')))} seats"
    sheet.text(LEFT, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _line(axes: Axes, part: pd.DataFrame) -> None:
    x, mean, low, high = (style.column(part, name) for name in ("x", "mean", "low", "high"))
    axes.fill_between(x, low, high, color=BLUE, alpha=0.16, linewidth=0, gid="band")
    axes.plot(x, mean, color=BLUE, linewidth=1.8, marker="o", markersize=2.8, zorder=3, gid="line")
