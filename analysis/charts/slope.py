"""Slope chart: how win rates move from the default to each variant."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.labels import spread
from analysis.charts.style import BAND, BODY, FAINT, HEADING, INK, MUTED, SMALL, STRONG, WEAK, WIDTH, Sheet
from analysis.charts.words import column, fit, width_of
from analysis.wording import counted, percent, points

TOP, HEAD, LEAST, FOOT, GAP = 0.22, 0.32, 1.7, 0.24, 0.3  # inches
PER_ROW = 2
LINE = 0.135  # inches between labels
WIDEST_NAME = 1.05


@style.housed
def slope(frame: pd.DataFrame, *, default: str | None = None, level: float = 0.95) -> Figure:
    """Win rates of every entrant under the default and under each variant: one panel per variant.

    frame: variant, name, estimate, low, high (shares 0..1), n; optionally change, change_low, change_high (against
    the default, from paired games), sure (whether the change is beyond chance). default: name of the default variant;
    without it the first of the frame.
    A line is coloured where the change is sure: as `sure` says, else if its own interval excludes zero, or, without one,
    if the two intervals do not meet. All panels have one scale; labels stand at the variant's end with the change in points.
    """
    style.require(frame, ("variant", "name", "estimate", "low", "high", "n"), "slope")
    if not len(frame):
        return style.nothing()
    variants = list(dict.fromkeys(frame["variant"].astype(str)))
    default = variants[0] if default is None else default
    if default not in variants:
        raise ValueError(f"slope: default={default!r} is not among the variants {', '.join(variants)}")
    others = [variant for variant in variants if variant != default] or [default]
    by_variant = {name: part.set_index(part["name"].astype(str)) for name, part in style.groups(frame, "variant")}
    entrants = frame["name"].astype(str).nunique()
    across, height = min(PER_ROW, len(others)), max(LEAST, LINE * (entrants + 1))
    block = HEAD + height + GAP
    sheet = Sheet(WIDTH, TOP + block * -(-len(others) // across) + FOOT)
    limits = _limits(frame)
    panel = (WIDTH - GAP * (PER_ROW - 1)) / PER_ROW  # one alone is no wider: its labels stand in the same room
    label = column(style.texts(frame, "name"), SMALL, WIDEST_NAME) + 0.5
    _key(sheet)
    for at, variant in enumerate(others):
        left, top = (at % across) * (panel + GAP), TOP + (at // across) * block
        size = next((size for size in (HEADING, BODY) if width_of(variant, size, bold=True) <= panel - 0.1), SMALL)
        words = fit(variant, panel - 0.1, size, bold=True)
        sheet.text(left, top + 0.12, words, fontsize=size, fontweight="bold")
        width = panel - 0.38 - 0.25 - label
        axes = sheet.axes(left + 0.38, top + HEAD, width, height)
        _frame(axes, limits)
        pairs = _pairs(by_variant[default], by_variant[variant])
        _lines(axes, pairs)
        _labels(axes, pairs, limits, height, label)
    note = f"Dots with {percent(level, 0)} intervals; {counted(list(style.column(frame, 'n')))} per dot"
    sheet.text(0, sheet.height - 0.08, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _key(sheet: Sheet) -> None:
    entries = [
        ("wins more often under the variant", {"color": STRONG}),
        ("less often", {"color": WEAK}),
        ("change not sure", {"color": FAINT}),
    ]
    sheet.key(0, 0.06, entries)


def _limits(frame: pd.DataFrame) -> tuple[float, float]:
    low, high = float(np.nanmin(style.column(frame, "low"))), float(np.nanmax(style.column(frame, "high")))
    room = max(0.06 * (high - low), 0.01)
    return low - room, high + room


def _frame(axes: Axes, limits: tuple[float, float]) -> None:
    axes.axvspan(-0.14, 0.14, color=BAND, linewidth=0, zorder=0, gid="default")
    axes.set_xlim(-0.14, 1.08)
    axes.set_ylim(*limits)
    axes.set_xticks([0, 1], ["default", "variant"])
    axes.tick_params(axis="x", length=0)
    axes.locator_params(axis="y", nbins=5)
    style.percent_axis(axes.yaxis)
    axes.grid(axis="y", color=style.HAIR)
    axes.spines["bottom"].set_visible(False)


def _pairs(default: pd.DataFrame, variant: pd.DataFrame) -> pd.DataFrame:
    """One row per entrant of both: the two estimates with intervals, the change, and +1, -1 or 0 for how sure."""
    both = default.add_suffix("_0").join(variant.add_suffix("_1"), how="inner")
    start, end = style.column(both, "estimate_0"), style.column(both, "estimate_1")
    change = style.column(both, "change_1")
    both = both.assign(moved=np.where(np.isnan(change), end - start, change))
    rises = style.column(both, "low_1") > style.column(both, "high_0")
    falls = style.column(both, "high_1") < style.column(both, "low_0")
    paired = np.isfinite(style.column(both, "change_low_1"))
    rises = np.where(paired, style.column(both, "change_low_1") > 0, rises)
    falls = np.where(paired, style.column(both, "change_high_1") < 0, falls)
    if "sure_1" in both.columns:
        beyond = both["sure_1"].fillna(False).to_numpy(bool)
        rises, falls = beyond & (both["moved"] > 0), beyond & (both["moved"] < 0)
    return both.assign(sign=rises.astype(int) - falls.astype(int))


def _lines(axes: Axes, pairs: pd.DataFrame) -> None:
    for _, row in pairs.sort_values("sign", key=abs, kind="stable").iterrows():
        colour = {1: STRONG, -1: WEAK}.get(int(row["sign"]), FAINT)
        order = 3 if row["sign"] else 2
        ends = [float(row["estimate_0"]), float(row["estimate_1"])]
        axes.plot([0, 1], ends, color=colour, linewidth=1.5, zorder=order, gid="line")
        for x, at in ((0, "_0"), (1, "_1")):
            axes.vlines(x, row["low" + at], row["high" + at], color=colour, linewidth=1.1, zorder=order, gid="interval")
        axes.scatter([0, 1], ends, s=13, color=colour, linewidth=0, zorder=order + 2, gid="dot")


def _labels(axes: Axes, pairs: pd.DataFrame, limits: tuple[float, float], height: float, room: float) -> None:
    known = pairs[np.isfinite(style.column(pairs, "estimate_1"))]
    ends = style.column(known, "estimate_1")
    gap = LINE * (limits[1] - limits[0]) / height
    places = spread(ends, gap, *limits)
    for (name, row), place, end in zip(known.iterrows(), places, ends, strict=True):
        colour = {1: STRONG, -1: WEAK}.get(int(row["sign"]), MUTED)
        axes.plot([1.1, 1.16], [end, place], color=FAINT, linewidth=0.5, clip_on=False)
        words = fit(str(name), room - 0.5, SMALL)
        how: dict[str, Any] = {"va": "center_baseline", "fontsize": SMALL, "clip_on": False}
        axes.text(1.2, place, words, color=INK if row["sign"] else MUTED, gid="label", **how)
        shift = (room - 0.06) * 72
        axes.annotate(
            points(float(row["moved"])),
            (1.2, place),
            (shift, 0),
            textcoords="offset points",
            ha="right",
            va="center_baseline",
            fontsize=SMALL,
            color=colour,
            annotation_clip=False,
            gid="change",
        )
