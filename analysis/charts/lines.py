"""Lines: a share by a small whole number, such as how many take part, one line per kind, with bands."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from analysis.charts import legend, style
from analysis.charts.labels import spread
from analysis.charts.style import HAIR, HEADING, INK, MUTED, SMALL, WIDTH, Sheet
from analysis.charts.words import clean, column, fit, width_of
from analysis.wording import counted, number, percent

LEFT, TOP, HEIGHT, FOOT, GAP = 0.42, 0.5, 2.1, 0.62, 0.3  # inches
PER_ROW = 2
WIDEST_LABEL, LINE = 1.3, 0.15  # inches
MARGIN = 0.15  # of a step, left and right of the outermost points


@style.housed
def lines(frame: pd.DataFrame, *, label: str = "number", close: bool = False, level: float = 0.95) -> Figure:
    """Shares by x, one line per value of `line`; one panel per value of `panel`.

    Lines are named at their right ends, or, where a name is too long for that, above all panels.

    frame: panel, line, x (whole numbers), estimate, low, high (shares 0..1, the interval drawn as a pale band), n; optionally
    present (x that stands for things as they are: dashed) and fair (share that would be fair: dotted). label: words for x;
    close: the scale goes only as far as the bands of all panels do; level: of the bands, for the note.
    """
    style.require(frame, ("panel", "line", "x", "estimate", "low", "high", "n"), "lines")
    parts = style.groups(frame, "panel")
    if not parts:
        return style.nothing()
    names = [clean(name) for name in dict.fromkeys(style.texts(frame, "line"))]
    beside = all(width_of(name, SMALL) <= WIDEST_LABEL for name in names)
    room = column(names, SMALL, WIDEST_LABEL) + 0.18 if beside else 0.0
    across = min(PER_ROW, len(parts))
    width = (WIDTH - LEFT * across - GAP * (across - 1)) / across - room
    down = -(-len(parts) // across)
    head = 0.0 if beside else 0.12 + legend.LINE * len(legend.wrapped(names, WIDTH))
    sheet = Sheet(WIDTH, head + down * (TOP + HEIGHT + FOOT))
    names = list(dict.fromkeys(frame["line"]))
    colours = dict(zip(names, style.hues(names), strict=True))
    if not beside:
        legend.legend(sheet, (0, 0.06), names, [{"color": colour} for colour in colours.values()])
    reach = _reach(frame) if close else (0.0, 1.0)
    for at, (name, part) in enumerate(parts):
        left = LEFT + (at % across) * (width + room + GAP + LEFT)
        top = head + (at // across) * (TOP + HEIGHT + FOOT)
        sheet.text(left, top + 0.1, fit(str(name), width + room, HEADING), fontsize=HEADING, fontweight="bold")
        sheet.text(left, top + 0.28, f"{counted(list(style.column(part, 'n')))} each", fontsize=SMALL, color=MUTED)
        axes = sheet.axes(left, top + TOP, width, HEIGHT)
        ends = _panel(axes, part, colours, reach)
        axes.set_xlabel(label, loc="left")
        if beside:
            _name(sheet, ends, (left + width + 0.06, top + TOP), room, reach)
    if (frame["low"] < frame["high"]).any():
        note = f"Pale bands: {percent(level, 0)} intervals."
        sheet.text(LEFT, sheet.height - 0.08, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _reach(frame: pd.DataFrame) -> tuple[float, float]:
    """Ends of the scale: as far as the bands go, and a little beyond."""
    named = [name for name in ("low", "high", "estimate", "fair") if name in frame.columns]
    ends = np.concatenate([style.column(frame, name) for name in named])
    low, high = float(np.nanmin(ends)), float(np.nanmax(ends))
    beyond = 0.06 * (high - low) or 0.05
    return max(0.0, low - beyond), min(1.0, high + beyond)


def _panel(
    axes: Axes, part: pd.DataFrame, colours: dict[Any, str], reach: tuple[float, float]
) -> dict[Any, tuple[float, str]]:
    """Draw the lines of a panel; returns where each ends (share) and its colour."""
    ends = {}
    for name, curve in style.groups(part.sort_values("x", kind="stable"), "line"):
        x, estimate, low, high = (style.column(curve, field) for field in ("x", "estimate", "low", "high"))
        axes.fill_between(x, low, high, color=colours[name], alpha=0.2, linewidth=0, gid="interval")
        axes.plot(x, estimate, color=colours[name], linewidth=1.6, marker="o", markersize=4, gid="line", clip_on=False)
        known = estimate[np.isfinite(estimate)]
        if known.size:
            ends[name] = (float(known[-1]), colours[name])
    places = np.unique(style.column(part, "x"))
    margin = MARGIN * (np.diff(places).min() if places.size > 1 else 1)
    axes.set_xlim(places.min() - margin, places.max() + margin)
    axes.set_xticks(places, _marks(places, axes.get_window_extent().width / axes.figure.dpi))
    if "present" in part.columns and np.isfinite(style.column(part, "present")[0]):
        dashes: dict[str, Any] = {
            "color": MUTED,
            "linewidth": 0.8,
            "linestyle": (0, (3, 2)),
            "zorder": 0.6,
            "gid": "present",
        }
        axes.axvline(float(style.column(part, "present")[0]), **dashes)
    if "fair" in part.columns and np.isfinite(style.column(part, "fair")[0]):
        level: dict[str, Any] = {
            "color": MUTED,
            "linewidth": 1.0,
            "linestyle": (0, (1, 2)),
            "zorder": 0.6,
            "gid": "fair",
        }
        axes.axhline(float(style.column(part, "fair")[0]), **level)
    axes.set_ylim(*reach)
    if reach == (0.0, 1.0):
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    else:
        axes.yaxis.set_major_locator(MaxNLocator(steps=[1, 2, 5, 10]))  # no half per cents, which labels would round
    axes.grid(axis="y", color=HAIR)
    style.percent_axis(axes.yaxis)
    return ends


def _marks(places: Any, width: float) -> list[str]:
    """Numbers below the axis, of those that would stand too close to the one before none."""
    marks, end = [], -np.inf
    scale = width / max(float(np.ptp(places)), 1e-9)
    for place in places:
        text = number(place)
        half, at = width_of(text, SMALL) / 2, scale * (place - places[0])
        marks.append(text if at - half > end else "")
        end = at + half + 0.04 if marks[-1] else end
    return marks


def _name(
    sheet: Sheet,
    ends: dict[Any, tuple[float, str]],
    corner: tuple[float, float],
    room: float,
    reach: tuple[float, float],
) -> None:
    """Write the name of each line beside its end, none over another."""
    (x, top), wanted = corner, np.array([end for end, _ in ends.values()])
    low, high = reach
    places = spread(HEIGHT * (1 - (wanted - low) / (high - low)), LINE, 0.0, HEIGHT)
    for (name, (_, colour)), place in zip(ends.items(), places, strict=True):
        sheet.key(x, top + float(place), [("", {"color": colour, "markersize": 4})])
        words = fit(str(name), room - 0.15, SMALL)
        sheet.text(x + 0.13, top + float(place), words, fontsize=SMALL, color=INK, gid="label")
