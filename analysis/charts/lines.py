"""Line charts over turns or small numbers.

Curves: share of games in which an event has happened by each turn, or has not yet; one line per event or entrant.

Lines: a share by a small whole number, such as the number of players, one line per kind, with bands.

Bands: an amount over the turns of a game, by group, and the share of games still running.

Strips: an amount over the turns of a game, one panel per entrant, with the others pale behind it.
"""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from analysis.charts import style
from analysis.charts.style import (
    BAND,
    BLUE,
    BODY,
    CATEGORIES,
    FAINT,
    HAIR,
    HEADING,
    INK,
    LINE,
    MUTED,
    SMALL,
    STRONG,
    WEAK,
    WIDTH,
    Sheet,
    clean,
    fit,
    legend,
    spread,
    width_of,
    words_column,
    wrapped,
)
from analysis.document.model import counted, number, percent

LEFT, TOP, HEIGHT, FOOT, GAP = 0.42, 0.5, 1.9, 0.5, 0.3  # inches
COLOURS = tuple(colour for colour in CATEGORIES if colour != style.YELLOW)  # yellow lines are hard to see on paper
DASHES = ("-", (0, (4, 1.5)), (0, (1, 1)))  # for more lines than colours
NEARLY = 0.98  # the axis ends where every line has reached this share of its final value


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
    """Share of games by turn, one line per value of `lines`, one panel per value of `panels`, dots where a line crosses half.

    frame: `panels`, `lines`, `turns` (ascending), estimate (share in which the event has happened, 0..1), n; optionally low and
    high. falling: draw the share in which it has not happened yet. A line does not reach the end if the event does not happen in
    every game. label: unit of the turns.
    """
    style.require(frame, (panels, lines, turns, "estimate", "n"), "curves")
    parts = style.groups(frame, panels)
    if not parts:
        return style.nothing()
    kinds = [clean(str(kind)) for kind in dict.fromkeys(frame[lines])]
    looks = {kind: _look(index) for index, kind in enumerate(kinds)}
    across = 2 if len(parts) in (2, 4) else min(3, len(parts))
    width = (WIDTH - LEFT - GAP * (across - 1)) / across if len(parts) > 1 else WIDTH - LEFT
    down = -(-len(parts) // across)
    head = 0.06 + LINE * len(wrapped(kinds, WIDTH - LEFT)) + 0.06
    sheet = Sheet(WIDTH, head + down * (TOP + HEIGHT + FOOT) + 0.12)
    legend(sheet, (LEFT, 0.06), kinds, [{"marker": "s", "color": look["color"]} for look in looks.values()])
    right = _right_end(parts, lines, turns)
    for index, (value, part) in enumerate(parts):
        left, top = LEFT + (index % across) * (width + GAP), head + (index // across) * (TOP + HEIGHT + FOOT)
        sheet.text(left, top + 0.13, style.seats_heading(value), fontsize=HEADING, fontweight="bold")
        sheet.text(left, top + 0.31, counted(list(style.column(part, "n"))), fontsize=SMALL, color=MUTED)
        axes = sheet.axes(left, top + TOP, width, HEIGHT)
        for kind, line in style.groups(part, lines):
            _line(axes, _flipped(line) if falling else line, (turns, right), looks[clean(str(kind))])
        style.share_axis(axes, right, top=1.01)
        axes.tick_params(labelleft=index % across == 0)
        if index // across == down - 1:
            axes.set_xlabel(clean(label), loc="left")
    banded = {"low", "high"} <= set(frame.columns)
    note = f"Share of games in which it has {'not happened yet' if falling else 'happened'}; dots: half of the games."
    note += f" Pale bands: {percent(level, 0)} intervals." if banded else ""
    sheet.text(LEFT, sheet.height - 0.08, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _look(index: int) -> dict[str, Any]:
    return {"color": COLOURS[index % len(COLOURS)], "linestyle": DASHES[index // len(COLOURS) % len(DASHES)]}


def _flipped(line: pd.DataFrame) -> pd.DataFrame:
    """Replace shares by their complements."""
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
    """Draw a step curve with its band up to the end of the axis."""
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


LINES_LEFT, LINES_TOP, LINES_HEIGHT, LINES_FOOT, LINES_GAP = 0.42, 0.5, 2.1, 0.62, 0.3  # inches
PER_ROW = 2
WIDEST_LABEL, LINES_LINE = 1.3, 0.15  # inches
MARGIN = 0.15  # of a step, beside the outermost points


@style.housed
def lines(frame: pd.DataFrame, *, label: str = "number", close: bool = False, level: float = 0.95) -> Figure:
    """Shares by x, one line per value of `line`; one panel per value of `panel`.

    Lines are named at their right ends, or above all panels if a name is too long.

    frame: panel, line, x (whole numbers), estimate, low, high (shares 0..1, interval drawn as a pale band), n; optionally
    present (current value of x: dashed) and fair (fair share: dotted). label: words for x; close: limit the scale to the bands
    of all panels; level: of the bands, for the note.
    """
    style.require(frame, ("panel", "line", "x", "estimate", "low", "high", "n"), "lines")
    parts = style.groups(frame, "panel")
    if not parts:
        return style.nothing()
    names = [clean(name) for name in dict.fromkeys(style.texts(frame, "line"))]
    beside = all(width_of(name, SMALL) <= WIDEST_LABEL for name in names)
    room = words_column(names, SMALL, WIDEST_LABEL) + 0.18 if beside else 0.0
    across = min(PER_ROW, len(parts))
    width = (WIDTH - LINES_LEFT * across - LINES_GAP * (across - 1)) / across - room
    down = -(-len(parts) // across)
    head = 0.0 if beside else 0.12 + style.LINE * len(style.wrapped(names, WIDTH))
    sheet = Sheet(WIDTH, head + down * (LINES_TOP + LINES_HEIGHT + LINES_FOOT))
    names = list(dict.fromkeys(frame["line"]))
    colours = dict(zip(names, style.hues(names), strict=True))
    if not beside:
        legend(sheet, (0, 0.06), names, [{"color": colour} for colour in colours.values()])
    reach = _reach(frame) if close else (0.0, 1.0)
    for index, (name, part) in enumerate(parts):
        left = LINES_LEFT + (index % across) * (width + room + LINES_GAP + LINES_LEFT)
        top = head + (index // across) * (LINES_TOP + LINES_HEIGHT + LINES_FOOT)
        sheet.text(left, top + 0.1, fit(str(name), width + room, HEADING), fontsize=HEADING, fontweight="bold")
        sheet.text(left, top + 0.28, f"{counted(list(style.column(part, 'n')))} each", fontsize=SMALL, color=MUTED)
        axes = sheet.axes(left, top + LINES_TOP, width, LINES_HEIGHT)
        ends = _panel(axes, part, colours, reach)
        axes.set_xlabel(label, loc="left")
        if beside:
            _name(sheet, ends, (left + width + 0.06, top + LINES_TOP), room, reach)
    if (frame["low"] < frame["high"]).any():
        note = f"Pale bands: {percent(level, 0)} intervals."
        sheet.text(LINES_LEFT, sheet.height - 0.08, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _reach(frame: pd.DataFrame) -> tuple[float, float]:
    """Ends of the scale: slightly beyond the bands."""
    named = [name for name in ("low", "high", "estimate", "fair") if name in frame.columns]
    ends = np.concatenate([style.column(frame, name) for name in named])
    low, high = float(np.nanmin(ends)), float(np.nanmax(ends))
    beyond = 0.06 * (high - low) or 0.05
    return max(0.0, low - beyond), min(1.0, high + beyond)


def _panel(axes: Axes, part: pd.DataFrame, colours: dict[Any, str], reach: tuple[float, float]) -> dict[Any, tuple[float, str]]:
    """Draw the lines of a panel; returns the final share and colour of each."""
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
        dashes: dict[str, Any] = {"color": MUTED, "linewidth": 0.8, "linestyle": (0, (3, 2)), "zorder": 0.6, "gid": "present"}
        axes.axvline(float(style.column(part, "present")[0]), **dashes)
    if "fair" in part.columns and np.isfinite(style.column(part, "fair")[0]):
        level: dict[str, Any] = {"color": MUTED, "linewidth": 1.0, "linestyle": (0, (1, 2)), "zorder": 0.6, "gid": "fair"}
        axes.axhline(float(style.column(part, "fair")[0]), **level)
    axes.set_ylim(*reach)
    if reach == (0.0, 1.0):
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    else:
        axes.yaxis.set_major_locator(MaxNLocator(steps=[1, 2, 5, 10]))  # no half per cents, which labels round
    axes.grid(axis="y", color=HAIR)
    style.percent_axis(axes.yaxis)
    return ends


def _marks(places: Any, width: float) -> list[str]:
    """Tick labels; empty where a label would overlap the one before."""
    marks, end = [], -np.inf
    scale = width / max(float(np.ptp(places)), 1e-9)
    for place in places:
        text = number(place)
        half, x = width_of(text, SMALL) / 2, scale * (place - places[0])
        marks.append(text if x - half > end else "")
        end = x + half + 0.04 if marks[-1] else end
    return marks


def _name(
    sheet: Sheet, ends: dict[Any, tuple[float, str]], corner: tuple[float, float], room: float, reach: tuple[float, float]
) -> None:
    """Write the name of each line beside its end, without overlaps."""
    (x, top), wanted = corner, np.array([end for end, _ in ends.values()])
    low, high = reach
    places = spread(LINES_HEIGHT * (1 - (wanted - low) / (high - low)), LINES_LINE, 0.0, LINES_HEIGHT)
    for (name, (_, colour)), place in zip(ends.items(), places, strict=True):
        sheet.key(x, top + float(place), [("", {"color": colour, "markersize": 4})])
        words = fit(str(name), room - 0.15, SMALL)
        sheet.text(x + 0.13, top + float(place), words, fontsize=SMALL, color=INK, gid="label")


BANDS_LEFT, BANDS_TOP, BANDS_HEIGHT, BANDS_GAP, LOW, BANDS_FOOT, RIGHT = 0.42, 0.2, 2.4, 0.36, 0.6, 0.62, 1.35  # inches
BANDS_COLOURS = (STRONG, WEAK, style.GREEN, style.PURPLE)
LABEL = 0.36  # inches between two labels


@style.housed
def bands(
    frame: pd.DataFrame, *, x_label: str = "turns", y_label: str = "amount", reach: tuple[float, float] = (0.1, 0.9)
) -> Figure:
    """Means by turn, one line per value of `line`, with a pale band between two quantiles; below, the share of games still on.

    frame: line, x (ascending), mean, low, high (quantiles, drawn as the band), n, on (share of the games still on, 0..1). reach:
    the quantiles of the band, for the note. Two lines are orange and blue, in this order.
    """
    style.require(frame, ("line", "x", "mean", "low", "high", "n", "on"), "bands")
    parts = style.groups(frame, "line")
    if not parts:
        return style.nothing()
    sheet = Sheet(WIDTH, BANDS_TOP + BANDS_HEIGHT + BANDS_GAP + LOW + BANDS_FOOT)
    width = WIDTH - BANDS_LEFT - RIGHT
    axes = sheet.axes(BANDS_LEFT, BANDS_TOP, width, BANDS_HEIGHT)
    for index, (_, part) in enumerate(parts):
        _bands_line(axes, part, BANDS_COLOURS[index % len(BANDS_COLOURS)])
    turns = style.column(frame, "x")
    limits = (float(np.nanmin(turns)) - 0.3, float(np.nanmax(turns)) + 0.3)
    axes.set_xlim(limits)
    axes.set_ylim(0, 1.04 * float(np.nanmax([*style.column(frame, "high"), *style.column(frame, "mean"), 0.1])))
    axes.grid(axis="y", color=HAIR)
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    axes.tick_params(labelbottom=False)
    sheet.text(0, 0.04, f"\u2191 {clean(y_label)}", fontsize=SMALL, color=MUTED)
    _labels(sheet, axes, parts)
    below = sheet.axes(BANDS_LEFT, BANDS_TOP + BANDS_HEIGHT + BANDS_GAP, width, LOW)
    _still_on(below, parts[0][1], limits)
    below.set_xlabel(clean(x_label), loc="left")
    sheet.text(BANDS_LEFT, BANDS_TOP + BANDS_HEIGHT + BANDS_GAP - 0.13, "games still on", fontsize=SMALL, color=MUTED)
    ends = " to ".join(percent(end, 0) for end in reach)
    note = (
        f"Lines: means of the games still on; bands: {ends} of these games; "
        f"{counted(list(style.column(frame, 'n')))} seats per dot"
    )
    sheet.text(BANDS_LEFT, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _bands_line(axes: Axes, part: pd.DataFrame, colour: str) -> None:
    x, mean, low, high = (style.column(part, name) for name in ("x", "mean", "low", "high"))
    axes.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0, gid="band")
    axes.plot(x, mean, color=colour, linewidth=1.8, marker="o", markersize=3.2, zorder=3, gid="line")


def _still_on(axes: Axes, part: pd.DataFrame, limits: tuple[float, float]) -> None:
    x, on = style.column(part, "x"), style.column(part, "on")
    axes.fill_between(x, 0, on, color=BAND, linewidth=0, gid="on")
    axes.plot(x, on, color=FAINT, linewidth=1.2)
    axes.set_xlim(limits)
    axes.set_ylim(0, 1.02)
    axes.set_yticks([0, 0.5, 1])
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    style.percent_axis(axes.yaxis)


def _labels(sheet: Sheet, axes: Axes, parts: list[tuple[Any, pd.DataFrame]]) -> None:
    """Name each line at the right, near the height of its end."""
    high = axes.get_ylim()[1]
    ends = np.array([np.nan_to_num(style.column(part, "mean")[-1]) for _, part in parts])
    places = spread(BANDS_TOP + BANDS_HEIGHT * (1 - ends / high), LABEL, BANDS_TOP + 0.1, BANDS_TOP + BANDS_HEIGHT - 0.2)
    x = WIDTH - RIGHT + 0.15
    for index, ((name, part), y) in enumerate(zip(parts, places, strict=True)):
        sheet.text(
            x,
            y,
            fit(str(name), RIGHT - 0.15, BODY),
            color=BANDS_COLOURS[index % len(BANDS_COLOURS)],
            fontweight="bold",
            gid="label",
        )
        first, last = (float(style.column(part, "mean")[end]) for end in (0, -1))
        words = f"{number(first)} to {number(last)}"
        sheet.text(x, y + 0.15, fit(words, RIGHT - 0.15, SMALL), fontsize=SMALL, color=MUTED)


STRIPS_LEFT, STRIPS_TOP, HEAD, STRIPS_HEIGHT, STRIPS_FOOT, STRIPS_GAP = 0.36, 0.2, 0.26, 1.35, 0.34, 0.2  # inches
BOTTOM = 0.32


@style.housed
def strips(
    frame: pd.DataFrame, *, x_label: str = "turn", y_label: str = "amount", reach: tuple[float, float] = (0.1, 0.9)
) -> Figure:
    """Means by turn with a pale band of quantiles, one panel per value of `line`, all on one scale.

    frame: line, x (ascending), mean, low, high (quantiles: the band), n (seats still in). reach: the quantiles of the band, for
    the note. The lines of the other panels are drawn pale behind each line.
    """
    style.require(frame, ("line", "x", "mean", "low", "high", "n"), "strips")
    parts = style.groups(frame, "line")
    if not parts:
        return style.nothing()
    across = min(PER_ROW, len(parts))
    down = -(-len(parts) // across)
    width = (WIDTH - STRIPS_LEFT * across - STRIPS_GAP * (across - 1)) / across
    sheet = Sheet(WIDTH, STRIPS_TOP + down * (HEAD + STRIPS_HEIGHT + STRIPS_FOOT) + BOTTOM)
    sheet.text(0, 0.04, f"\u2191 {clean(y_label)}", fontsize=SMALL, color=MUTED)
    x = style.column(frame, "x")
    top_value = 1.04 * float(np.nanmax([*style.column(frame, "high"), *style.column(frame, "mean"), 0.1]))
    for index, (name, part) in enumerate(parts):
        left = STRIPS_LEFT + (index % across) * (width + STRIPS_LEFT + STRIPS_GAP)
        top = STRIPS_TOP + (index // across) * (HEAD + STRIPS_HEIGHT + STRIPS_FOOT)
        sheet.text(left, top + 0.12, fit(str(name), width, HEADING, bold=True), fontsize=HEADING, fontweight="bold")
        axes = sheet.axes(left, top + HEAD, width, STRIPS_HEIGHT)
        for other, behind in parts:
            if other != name:
                axes.plot(style.column(behind, "x"), style.column(behind, "mean"), color=FAINT, linewidth=0.9, gid="other")
        _strips_line(axes, part)
        axes.set_xlim(float(np.nanmin(x)) - 0.4, float(np.nanmax(x)) + 0.4)
        axes.set_ylim(0, top_value)
        axes.grid(axis="y", color=HAIR)
        axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=top_value > PER_ROW))
        if index >= len(parts) - across:
            axes.set_xlabel(clean(x_label), loc="left")
    ends = " to ".join(percent(end, 0) for end in reach)
    note = f"Lines: means of the seats still in, pale: those of the others; bands: {ends} of these seats; "
    note += f"{counted(list(style.column(frame, 'n')))} seats"
    sheet.text(STRIPS_LEFT, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _strips_line(axes: Axes, part: pd.DataFrame) -> None:
    x, mean, low, high = (style.column(part, name) for name in ("x", "mean", "low", "high"))
    axes.fill_between(x, low, high, color=BLUE, alpha=0.16, linewidth=0, gid="band")
    axes.plot(x, mean, color=BLUE, linewidth=1.8, marker="o", markersize=2.8, zorder=3, gid="line")
