"""Cumulative distribution of the length of a game."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.labels import spread
from analysis.charts.style import INK, MUTED, SMALL, WIDTH, Sheet
from analysis.charts.words import fit, width_of
from analysis.wording import count, number, percent

LEFT, TOP, HEIGHT, FOOT, RIGHT = 0.42, 0.08, 2.6, 0.72, 2.15  # inches
LINES = (style.BLUE, style.ORANGE, style.GREEN, style.PURPLE, style.AMBER, style.SKY)
NEARLY_NONE = 1e-9  # a share this small is rounding
LABEL_GAP = 0.26  # of an inch, for two lines of words
LINE, BESIDE = 0.15, 0.58  # inches: between these lines, and the widest name that has its median beside it
FULL = 0.995  # the axis ends where every line has come this far: the last stragglers would flatten all else


@style.housed
def ecdf(
    frame: pd.DataFrame, *, lines: str = "seats", value: str = "turns", label: str = "turns", axis_to: float = FULL
) -> Figure:
    """Share of games that are over by each length, one line per value of `lines`, medians said beside them.

    frame: `lines`, `value` (rising), estimate (share of games over by that length, 0..1), n; optionally low and
    high (a confidence band) and truncated (share of games that the turn limit stopped; else what the curve lacks to
    1). label: unit of the length. axis_to: share of the games that the axis shows at least; the note says how far
    the longest game goes.
    """
    style.require(frame, (lines, value, "estimate", "n"), "ecdf")
    parts = style.groups(frame, lines)
    if not parts:
        return style.nothing()
    sheet = Sheet(WIDTH, TOP + HEIGHT + FOOT)
    axes = sheet.axes(LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT)
    ends = [_length_at(part, value, axis_to * style.column(part, "estimate").max()) for _, part in parts]
    right = max([*ends, 1.0])
    for (_, part), colour in zip(parts, _colours(len(parts)), strict=True):
        _line(axes, part, value, colour)
    style.share_axis(axes, right, top=1)
    axes.set_xlabel(f"{label}; dots: medians", loc="left")
    _labels(sheet, parts, value, label)
    longest = float(np.nanmax(style.column(frame, value)))
    if longest > right:
        note = f"The axis ends where {percent(axis_to)} of the finished games are over; "
        note += f"the longest took {number(longest)}."
        sheet.text(LEFT, TOP + HEIGHT + 0.62, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _colours(lines: int) -> list[str]:
    return [LINES[at % len(LINES)] for at in range(lines)]


def _length_at(part: pd.DataFrame, value: str, share: float) -> float:
    """Least length by which `share` of the games are over; the longest where that many never are."""
    lengths, shares = style.column(part, value), style.column(part, "estimate")
    reached = lengths[shares >= share]
    return float(reached.min() if reached.size else np.nanmax(lengths))


def _line(axes: Axes, part: pd.DataFrame, value: str, colour: str) -> None:
    lengths = np.concatenate([[0.0], style.column(part, value)])
    shares = np.concatenate([[0.0], style.column(part, "estimate")])
    if "low" in part.columns and "high" in part.columns:
        low, high = (np.concatenate([[0.0], style.column(part, name)]) for name in ("low", "high"))
        axes.fill_between(lengths, low, high, step="post", color=colour, alpha=0.18, linewidth=0, gid="interval")
    axes.step(lengths, shares, where="post", color=colour, linewidth=1.6, gid="line")
    median = _length_at(part, value, 0.5)
    if shares.max() >= 0.5:
        axes.plot([median], [0.5], "o", color=colour, markersize=5, markeredgecolor="white", zorder=4, gid="median")
        beside: dict[str, Any] = {
            "textcoords": "offset points",
            "va": "top",
            "color": colour,
            "fontweight": "bold",
            "fontsize": SMALL,
        }
        axes.annotate(number(median), (median, 0.5), (5, -3), gid="median-label", **beside)


def _labels(sheet: Sheet, parts: list[tuple[object, pd.DataFrame]], value: str, label: str) -> None:
    """Direct labels at the right, in the order of the medians, each with n and the share that was truncated."""
    names = [style.seats_heading(name) for name, _ in parts]
    beside = all(
        width_of(name, style.BODY, bold=True) <= BESIDE for name in names
    )  # the median, on the line of the name
    more = 0.0 if beside else LINE
    wanted = np.linspace(TOP + 0.3, TOP + 0.3 + (0.5 + more) * (len(parts) - 1), len(parts))
    places = spread(wanted, LABEL_GAP + 0.1 + more, TOP + 0.1, TOP + HEIGHT - 0.1 - more)
    x = WIDTH - RIGHT + 0.2
    aside = x + (BESIDE + 0.04 if beside else 0)
    for name, (_, part), colour, y in zip(names, parts, _colours(len(parts)), places, strict=True):
        reached = style.column(part, "estimate").max() >= 0.5
        median = f"median {number(_length_at(part, value, 0.5))} {label}" if reached else "median not reached"
        words = name if beside else fit(name, RIGHT - 0.2, style.BODY, bold=True)
        heading = sheet.text(x, y, words, color=colour, fontweight="bold", gid="label")
        heading.set_fontsize(style.BODY)
        sheet.text(aside, y + more, median, color=INK, gid="label-median")
        truncated = style.column(part, "truncated")
        lacking = 1 - style.column(part, "estimate").max()
        said = _truncated(float(np.nanmax(truncated)) if np.isfinite(truncated).any() else float(lacking))
        games = float(np.nanmax(style.column(part, "n")))
        sheet.text(aside, y + more + LINE, f"n = {count(games)}{said}", fontsize=SMALL, color=MUTED)


def _truncated(share: float) -> str:
    """Words for the share of games that the turn limit stopped."""
    return f", {percent(share, 2)} truncated" if share > NEARLY_NONE else ", none truncated"
