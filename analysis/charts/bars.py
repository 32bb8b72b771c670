"""Bars: win rate by turn position or seat, from zero, beside the fair share."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.style import FAINT, HEADING, INK, MUTED, SMALL, STRONG, WEAK, WIDTH, Sheet
from analysis.charts.words import clean
from analysis.wording import counted, number, percent

LEFT, TOP, HEIGHT, FOOT, GAP = 0.42, 0.55, 1.9, 0.55, 0.4  # inches
WIDEST_BAR = 0.85
BAR = 0.62  # of the room that a position has


@style.housed
def bars(frame: pd.DataFrame, *, panels: str = "seats", position: str = "position", level: float = 0.95) -> Figure:
    """Win rate by position with intervals, one panel per value of `panels`, all on one scale from zero.

    frame: `panels`, `position` (0-based turn position, or words), estimate, low, high, fair (shares 0..1), n.
    A bar is coloured where its interval leaves out the fair share.
    """
    style.require(frame, (panels, position, "estimate", "low", "high", "n", "fair"), "bars")
    parts = style.groups(frame, panels)
    if not parts:
        return style.nothing()
    slots = sum(len(part) for _, part in parts)
    slot = min(WIDEST_BAR, (WIDTH - LEFT - GAP * len(parts)) / slots)
    sheet = Sheet(WIDTH, TOP + HEIGHT + FOOT)
    ends = [*style.column(frame, "high"), *style.column(frame, "fair")]
    top = min(1.0, 1.12 * float(np.nanmax([*ends, 0.0])))
    left = LEFT
    for at, (value, part) in enumerate(parts):
        axes = sheet.axes(left, TOP, slot * len(part), HEIGHT)
        sheet.text(left, 0.1, style.seats_heading(value), fontsize=HEADING, fontweight="bold")
        fair = style.column(part, "fair")
        said = f"fair share {percent(float(fair[0]))}" if np.isfinite(fair[0]) else "no fair share"
        sheet.text(left, 0.27, said, fontsize=SMALL, color=MUTED)
        sheet.text(left, 0.42, f"{counted(list(style.column(part, 'n')))} each", fontsize=SMALL, color=MUTED)
        axes.set_ylim(0, max(top, 0.05))
        _panel(axes, part, position, slot)
        axes.set_yticks([tick for tick in axes.get_yticks() if tick <= top + 1e-9] if at == 0 else [])
        style.percent_axis(axes.yaxis)
        left += slot * len(part) + GAP
    legend = [
        ("above the fair share", {"color": STRONG, "marker": "s"}),
        ("below it", {"color": WEAK, "marker": "s"}),
        ("its interval includes it", {"color": FAINT, "marker": "s"}),
    ]
    end = sheet.key(LEFT, TOP + HEIGHT + 0.5, legend)
    sheet.text(
        end,
        TOP + HEIGHT + 0.5,
        f"dashes: fair share   whiskers: {percent(level, 0)} intervals",
        fontsize=SMALL,
        color=MUTED,
    )
    return sheet.figure


def _panel(axes: Axes, part: pd.DataFrame, position: str, slot: float) -> None:
    estimate, low, high, fair = (style.column(part, name) for name in ("estimate", "low", "high", "fair"))
    places = np.arange(len(part))
    known = np.isfinite(estimate)
    colours = np.where(low > fair, STRONG, np.where(high < fair, WEAK, FAINT))
    axes.bar(
        places[known],
        estimate[known],
        width=BAR,
        color=[style.pale(colour, 0.75) for colour in colours[known]],
        gid="bar",
    )
    axes.vlines(places[known], low[known], high[known], color=INK, linewidth=1.2, zorder=3, gid="interval")
    for place, rate, colour in zip(places[known], estimate[known], colours[known], strict=True):
        words = percent(rate) if slot >= 0.5 else f"{100 * rate:.0f}"
        inside = rate > 0.15 * axes.get_ylim()[1]
        axes.annotate(
            words,
            (place, 0 if inside else high[place]),
            (0, 5),
            textcoords="offset points",
            ha="center",
            fontsize=SMALL,
            color=style.ink_on(style.pale(colour, 0.75)) if inside else INK,
            gid="rate",
        )
    for place in places[~known]:
        axes.text(place, 0, "no games", ha="center", va="bottom", rotation=90, fontsize=SMALL, color=MUTED)
    axes.axhline(float(fair[0]), color=INK, linewidth=0.8, linestyle=(0, (4, 2)), zorder=2, gid="fair")
    axes.set_xlim(-0.5, len(part) - 0.5)
    axes.set_xticks(places, [_ordinal(value) for value in part[position]])
    axes.tick_params(axis="x", length=0, labelcolor=INK)


def _ordinal(value: object) -> str:
    """0-based positions as 1st, 2nd, 3rd...; words as they are."""
    if isinstance(value, (int, np.integer)):
        place = int(value) + 1
        ending = "th" if 10 <= place % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
        return f"{place}{ending}"
    return number(value) if isinstance(value, float) else clean(str(value))
