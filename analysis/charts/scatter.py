"""Scatter: how often something is used against what a use brings."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.labels import Box, beside, leader
from analysis.charts.style import BLUE, FAINT, HAIR, INK, MUTED, PAPER, SMALL, WIDTH, Sheet
from analysis.charts.words import clean, fit, width_of
from analysis.wording import counted

LEFT, TOP, HEIGHT, FOOT = 0.5, 0.16, 4.1, 0.72  # inches
WIDEST_LABEL = 1.5
DOT = 0.04  # inches: half the room of a dot
LINE = 0.125  # inches: height of a label


@style.housed
def scatter(
    frame: pd.DataFrame,
    *,
    x_label: str = "use rate",
    y_label: str = "effect per use",
    x_percent: bool = True,
    y_percent: bool = False,
) -> Figure:
    """One labelled dot per row, with error bars where they are known; dashed lines at the medians.

    frame: label, x, y, n; optionally group (said small after the label), x_low, x_high, y_low, y_high.
    Labels stand where they cover neither a dot, a median nor each other; where there is no room for all, they may cross a
    median, and where there is none even then, the dots farthest from the medians are labelled and the note names the others.
    """
    style.require(frame, ("label", "x", "y", "n"), "scatter")
    known = frame[np.isfinite(style.column(frame, "x")) & np.isfinite(style.column(frame, "y"))]
    if not len(known):
        return style.nothing()
    sheet = Sheet(WIDTH, TOP + HEIGHT + FOOT)
    width = WIDTH - LEFT
    axes = sheet.axes(LEFT, TOP, width, HEIGHT)
    _limits(axes, known)
    _dots(axes, known)
    if x_percent:
        style.percent_axis(axes.xaxis)
    if y_percent:
        style.percent_axis(axes.yaxis)
    axes.grid(color=HAIR)
    axes.tick_params(axis="x", length=0)
    axes.set_xlabel(f"{clean(x_label)} \u2192", loc="right")
    sheet.text(0, 0.0, f"\u2191 {clean(y_label)}", fontsize=SMALL, color=MUTED)
    silent = _label(axes, known, (width, HEIGHT))
    barred = {"y_low", "y_high"} <= set(frame.columns)
    note = f"{counted(list(style.column(known, 'n')))} per dot; dashes: medians" + (
        "; bars: intervals" if barred else ""
    )
    left_out = len(frame) - len(known)
    note += f"; without data, not shown: {left_out}" if left_out else ""
    sheet.text(LEFT, sheet.height - 0.08, note, fontsize=SMALL, color=MUTED)
    if silent:
        named = fit(f"too crowded to label: {len(silent)} ({', '.join(silent)})", width, SMALL)
        sheet.text(LEFT, sheet.height - 0.24, named, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _limits(axes: Axes, frame: pd.DataFrame) -> None:
    """From zero where the data come near it, with room for labels at the right and above."""
    for name, apply in (("x", axes.set_xlim), ("y", axes.set_ylim)):
        ends = np.concatenate([style.column(frame, name + part) for part in ("", "_low", "_high")])
        low, high = float(np.nanmin(ends)), float(np.nanmax(ends))
        low = min(0.0, low) if low < 0.5 * high or low == high else low - 0.08 * (high - low)
        high = high if high > low else low + 1
        apply(low, high + (0.14 if name == "x" else 0.06) * (high - low))


def _dots(axes: Axes, frame: pd.DataFrame) -> None:
    x, y = style.column(frame, "x"), style.column(frame, "y")
    bars: dict[str, Any] = {"color": FAINT, "linewidth": 1.0, "zorder": 2}
    axes.hlines(y, style.column(frame, "x_low"), style.column(frame, "x_high"), gid="interval-x", **bars)
    axes.vlines(x, style.column(frame, "y_low"), style.column(frame, "y_high"), gid="interval-y", **bars)
    dashes: dict[str, Any] = {"color": FAINT, "linewidth": 0.8, "linestyle": (0, (3, 3)), "zorder": 1}
    axes.axvline(float(np.median(x)), **dashes)
    axes.axhline(float(np.median(y)), **dashes)
    axes.scatter(x, y, s=26, color=BLUE, edgecolor="white", linewidth=0.6, zorder=3, clip_on=False, gid="dot")


def _label(axes: Axes, frame: pd.DataFrame, size: tuple[float, float]) -> list[str]:
    """Label the dots, farthest from the medians first. Returns the names of those that stay without."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    across = (style.column(frame, "x") - left) / (right - left) * size[0]
    up = (style.column(frame, "y") - low) / (high - low) * size[1]
    far = np.hypot(across - np.median(across), up - np.median(up))
    taken = [Box(x - DOT, y - DOT, x + DOT, y + DOT) for x, y in zip(across, up, strict=True)]
    bars = [(style.column(frame, name) - low) / (high - low) * size[1] for name in ("y_low", "y_high")]
    taken += [Box(x - 0.01, a, x + 0.01, b) for x, a, b in zip(across, *bars, strict=True) if np.isfinite(a + b)]
    medians = [
        Box(float(np.median(across)) - 0.01, 0, float(np.median(across)) + 0.01, size[1]),
        Box(0, float(np.median(up)) - 0.01, size[0], float(np.median(up)) + 0.01),
    ]
    spots = list(zip(across.tolist(), up.tolist(), strict=True))
    names = style.texts(frame, "label")
    owners = style.texts(frame, "group") if "group" in frame.columns else [""] * len(names)
    silent: list[str] = []
    for at in np.argsort(-far, kind="stable"):
        name, owner = fit(names[at], WIDEST_LABEL, SMALL), fit(owners[at], WIDEST_LABEL, 6.5)
        wide = max(width_of(name, SMALL), width_of(owner, 6.5) if owner else 0)
        others = [*spots[:at], *spots[at + 1 :]]
        tall = LINE * (2 if owner else 1)
        found = beside(spots[at], (wide, tall), taken + medians, size, others)
        found = found or beside(spots[at], (wide, tall), taken, size, others)
        if found is None:
            silent.append(f"{clean(owners[at])}: {clean(names[at])}" if owners[at] else clean(names[at]))
            continue
        line = leader((across[at], up[at]), found)
        taken += [found, *line]
        if line:
            spot = found.nearest((across[at], up[at]))
            ends = np.array([(across[at], up[at]), spot]) / size
            axes.plot(*ends.T, color=FAINT, linewidth=0.6, transform=axes.transAxes, zorder=1.5, gid="leader")
        scale: dict[str, Any] = {"transform": axes.transAxes, "va": "center_baseline", "ha": "left"}
        scale["bbox"] = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.4}  # a median that runs below is not seen
        x, top = found.left / size[0], found.top - LINE / 2
        axes.text(x, top / size[1], name, fontsize=SMALL, color=INK, gid="label", **scale)
        if owner:
            axes.text(x, (top - LINE) / size[1], owner, fontsize=6.5, color=MUTED, gid="group", **scale)
    return silent
