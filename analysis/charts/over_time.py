"""Charts over the course of games.

Survival: share of games in which the first, second, ... player is not yet eliminated, by turn.

ECDF: cumulative distribution of the length of games.

Leads: probability that the leader wins, by the size of the lead; a smooth line per turn, and dots for one turn.

Growth: an amount by turn with a band of quantiles, above the composition of a total.

Trend: win share by the turn of an event, one line per number of seats, each with its fair share.
"""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.charts import style
from analysis.charts.style import (
    BLUE,
    BODY,
    FAINT,
    HAIR,
    HEADING,
    INK,
    MUTED,
    PAPER,
    SEQUENTIAL,
    SMALL,
    STRONG,
    WIDTH,
    Sheet,
    clean,
    fit,
    spread,
    width_of,
    words_column,
)
from analysis.document.model import count, counted, number, percent

LEFT, TOP, HEIGHT, FOOT, GAP = 0.42, 0.5, 1.9, 0.62, 0.3  # inches
PER_ROW = 3
FULL = 0.01  # the axis ends where all curves of all panels have fallen to this
ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th")


@style.housed
def survival(
    frame: pd.DataFrame, *, panels: str = "seats", turns: str = "turns", label: str = "turns", level: float = 0.95
) -> Figure:
    """Share of games in which the p-th player to be eliminated is still in, by turn; one panel per value of `panels`.

    frame: `panels`, faller (1 = first to be eliminated), `turns` (ascending), estimate (share still in, 0..1), n; optionally low
    and high. level: of the pale bands, for the note.
    """
    style.require(frame, (panels, "faller", turns, "estimate", "n"), "survival")
    parts = style.groups(frame, panels)
    if not parts:
        return style.nothing()
    across = min(PER_ROW, len(parts))
    width = (WIDTH - LEFT - GAP * (across - 1)) / across
    down = -(-len(parts) // across)
    sheet = Sheet(WIDTH, down * (TOP + HEIGHT + FOOT))
    right = _right_end(frame, turns)
    for index, (value, part) in enumerate(parts):
        left, top = LEFT + (index % across) * (width + GAP), (index // across) * (TOP + HEIGHT + FOOT)
        sheet.text(left, top + 0.1, style.seats_heading(value), fontsize=HEADING, fontweight="bold")
        sheet.text(left, top + 0.28, counted(list(style.column(part, "n"))), fontsize=SMALL, color=MUTED)
        axes = sheet.axes(left, top + TOP, width, HEIGHT)
        _panel(axes, part, turns, right, width)
        axes.tick_params(labelleft=index % across == 0)
        axes.set_xlabel(label, loc="left")
    banded = "low" in frame.columns and "high" in frame.columns
    words = "Share not yet out; figures and dots are medians." + (
        f" Pale bands: {percent(level, 0)} intervals." if banded else ""
    )
    sheet.text(LEFT, sheet.height - 0.08, words, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _right_end(frame: pd.DataFrame, column: str) -> float:
    turns, alive = style.column(frame, column), style.column(frame, "estimate")
    still = turns[alive > FULL]
    return float(max(1.0, (still.max() if still.size else np.nanmax(turns)) + 1))


def _panel(axes: Axes, part: pd.DataFrame, column: str, right: float, inches: float) -> None:
    curves = style.groups(part, "faller")
    shades = style.SEQUENTIAL(np.linspace(0.95, 0.4, max(1, len(curves))))
    for line, ((faller, curve), colour) in enumerate(zip(curves, shades, strict=True)):
        turns, alive = style.column(curve, column), style.column(curve, "estimate")
        if "low" in curve.columns and "high" in curve.columns:
            low, high = style.column(curve, "low"), style.column(curve, "high")
            axes.fill_between(turns, low, high, step="post", color=colour, alpha=0.25, linewidth=0, gid="interval")
        axes.step(turns, alive, where="post", color=colour, linewidth=1.6, gid="curve")
        gone = turns[alive <= 0.5]
        median = float(gone.min()) if gone.size else np.nan
        if median <= right:
            axes.plot([median], [0.5], "o", color=colour, markersize=4.5, markeredgecolor="white", zorder=4, gid="median")
        _say(axes, inches, line, (f"{_ordinal(faller)} out: {number(median)}", colour))
    axes.axhline(0.5, color=FAINT, linewidth=0.7, linestyle=(0, (2, 2)), zorder=0.5)
    axes.set_xlim(0, right)
    axes.set_ylim(0, 1)
    axes.set_yticks([0, 0.5, 1])
    axes.grid(axis="y", color=HAIR)
    style.percent_axis(axes.yaxis)


def _say(axes: Axes, inches: float, line: int, content: tuple[str, Any]) -> None:
    """Write a curve's median in the upper right corner, which falling curves leave free. inches: width of the axes."""
    words, colour = content
    height = 0.96 - 0.095 * line
    how: dict[str, Any] = {"ha": "right", "va": "center_baseline", "fontsize": SMALL, "gid": "label"}
    label = axes.text(0.99, height, words, color=INK, transform=axes.transAxes, **how)
    label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1, "alpha": 0.85})
    left = 0.99 - (width_of(words, SMALL) + 0.12) / inches
    axes.plot([left], [height], "o", color=colour, markersize=4.5, transform=axes.transAxes, clip_on=False)


def _ordinal(place: object) -> str:
    if isinstance(place, (int, np.integer)) and 1 <= place <= len(ORDINALS):
        return ORDINALS[int(place) - 1]
    return clean(str(place))


ECDF_LEFT, ECDF_TOP, ECDF_HEIGHT, ECDF_FOOT, RIGHT = 0.42, 0.08, 2.6, 0.72, 2.15  # inches
LINES = (style.BLUE, style.ORANGE, style.GREEN, style.PURPLE, style.AMBER, style.SKY)
NEARLY_NONE = 1e-9  # a smaller share is a rounding error
LABEL_GAP = 0.26  # inches for two lines of words
LINE, BESIDE = 0.15, 0.58  # inches between these lines, and the widest name that has its median beside it
ECDF_FULL = 0.995  # the axis ends where every line has reached this: the longest games would compress the rest


@style.housed
def ecdf(
    frame: pd.DataFrame, *, lines: str = "seats", value: str = "turns", label: str = "turns", axis_to: float = ECDF_FULL
) -> Figure:
    """Share of games that are over by each length, one line per value of `lines`, with medians.

    frame: `lines`, `value` (ascending), estimate (share of games over by that length, 0..1), n; optionally low and high
    (confidence band) and truncated (share of truncated games; by default 1 minus the end of the curve). label: unit of the
    length. axis_to: least share of the games that the axis covers; the note gives the length of the longest game.
    """
    style.require(frame, (lines, value, "estimate", "n"), "ecdf")
    parts = style.groups(frame, lines)
    if not parts:
        return style.nothing()
    sheet = Sheet(WIDTH, ECDF_TOP + ECDF_HEIGHT + ECDF_FOOT)
    axes = sheet.axes(ECDF_LEFT, ECDF_TOP, WIDTH - ECDF_LEFT - RIGHT, ECDF_HEIGHT)
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
        sheet.text(ECDF_LEFT, ECDF_TOP + ECDF_HEIGHT + 0.62, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _colours(lines: int) -> list[str]:
    return [LINES[index % len(LINES)] for index in range(lines)]


def _length_at(part: pd.DataFrame, value: str, share: float) -> float:
    """Smallest length by which `share` of the games are over; the largest length if this is never reached."""
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
    """Write labels at the right, each with median, n and the share of truncated games."""
    names = [style.seats_heading(name) for name, _ in parts]
    beside = all(width_of(name, style.BODY, bold=True) <= BESIDE for name in names)  # the median, on the line of the name
    more = 0.0 if beside else LINE
    wanted = np.linspace(ECDF_TOP + 0.3, ECDF_TOP + 0.3 + (0.5 + more) * (len(parts) - 1), len(parts))
    places = spread(wanted, LABEL_GAP + 0.1 + more, ECDF_TOP + 0.1, ECDF_TOP + ECDF_HEIGHT - 0.1 - more)
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
        truncated_words = _truncated(float(np.nanmax(truncated)) if np.isfinite(truncated).any() else float(lacking))
        games = float(np.nanmax(style.column(part, "n")))
        sheet.text(aside, y + more + LINE, f"n = {count(games)}{truncated_words}", fontsize=SMALL, color=MUTED)


def _truncated(share: float) -> str:
    """Words for the share of truncated games."""
    return f", {percent(share, 2)} truncated" if share > NEARLY_NONE else ", none truncated"


LEADS_LEFT, LEADS_TOP, LEADS_HEIGHT, LEADS_FOOT, LEADS_RIGHT = 0.46, 0.26, 3.0, 0.62, 1.45  # inches
LABEL = 0.34  # inches between two labels
EVEN = 0.5
SHADES = (0.45, 0.95)  # shades of the thin lines, from the first turn to the last


@style.housed
def leads(
    frame: pd.DataFrame, *, main: str | None = None, dots: pd.DataFrame | None = None, x_label: str = "lead", level: float = 0.95
) -> Figure:
    """Winning probability of the leader by its lead: a thick line with a band for `main`, thin lines for the others.

    frame: line (its name), x (lead, ascending from 0), estimate, low, high (shares 0..1), n (games behind the line). main: name
    of the thick line, by default the first. dots: middle, estimate, low, high, n of bins of the main line's games.
    """
    style.require(frame, ("line", "x", "estimate", "low", "high", "n"), "leads")
    parts = style.groups(frame, "line")
    if not parts:
        return style.nothing()
    main = str(parts[0][0]) if main is None else main
    sheet = Sheet(WIDTH, LEADS_TOP + LEADS_HEIGHT + LEADS_FOOT)
    axes = sheet.axes(LEADS_LEFT, LEADS_TOP, WIDTH - LEADS_LEFT - LEADS_RIGHT, LEADS_HEIGHT)
    shades = SEQUENTIAL(np.linspace(*SHADES, len(parts)))
    looks = [(STRONG, 2.2) if str(name) == main else (shade, 1.2) for (name, _), shade in zip(parts, shades, strict=True)]
    for (name, part), look in zip(parts, looks, strict=True):
        _leads_line(axes, part, look, str(name) == main)
    if dots is not None and len(dots):
        _dots(axes, dots)
    _axes(axes, frame, dots, clean(x_label))
    sheet.text(0, 0.05, "\u2191 the side ahead wins", fontsize=SMALL, color=MUTED)
    _leads_labels(sheet, axes, parts, looks)
    note = f"Lines: logistic curves, band {percent(level, 0)}"
    if dots is not None and len(dots):
        note += f"; dots with {percent(level, 0)} intervals: {counted(list(style.column(dots, 'n')))} games each"
    sheet.text(LEADS_LEFT, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _leads_line(axes: Axes, part: pd.DataFrame, look: tuple[Any, float], strong: bool) -> None:
    x, estimate, low, high = (style.column(part, name) for name in ("x", "estimate", "low", "high"))
    colour, width = look
    if strong:
        axes.fill_between(x, low, high, color=colour, alpha=0.16, linewidth=0, zorder=1.5, gid="band")
    axes.plot(x, estimate, color=colour, linewidth=width, zorder=3 if strong else 2, gid="line")


def _dots(axes: Axes, dots: pd.DataFrame) -> None:
    x, estimate, low, high = (style.column(dots, name) for name in ("middle", "estimate", "low", "high"))
    axes.vlines(x, low, high, color=INK, linewidth=1.1, zorder=4, gid="interval")
    axes.scatter(x, estimate, s=22, facecolor="white", edgecolor=INK, linewidth=1.2, zorder=5, gid="dot", clip_on=False)


def _axes(axes: Axes, frame: pd.DataFrame, dots: pd.DataFrame | None, x_label: str) -> None:
    """Set scales: from no lead to the longest line, and from slightly below one half up to the highest share."""
    right = float(np.nanmax([*style.column(frame, "x"), *(style.column(dots, "middle") if dots is not None else [])]))
    tables = [frame] if dots is None else [frame, dots]
    ends = [end for table in tables for name in ("estimate", "low") for end in style.column(table, name)]
    least = float(np.nanmin([*ends, EVEN]))
    axes.set_xlim(0, right * 1.02 if right > 0 else 1)
    most = float(np.nanmax([*(end for table in tables for end in style.column(table, "high")), *ends, EVEN]))
    axes.set_ylim(max(0.0, min(0.46, least - 0.02)), min(1.0, np.ceil(10 * most + 0.3) / 10))
    axes.axhline(EVEN, color=FAINT, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1, gid="even")
    axes.grid(axis="y", color=HAIR)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value) if value <= 0 else f"+{number(value)}"))
    style.percent_axis(axes.yaxis)
    axes.set_xlabel(x_label, loc="left")


def _leads_labels(sheet: Sheet, axes: Axes, parts: list[tuple[Any, pd.DataFrame]], looks: list[tuple[Any, float]]) -> None:
    """Name each line at the right, near the height of its end."""
    low, high = axes.get_ylim()
    ends = np.array([np.nan_to_num(style.column(part, "estimate")[-1]) for _, part in parts])
    places = spread(
        LEADS_TOP + LEADS_HEIGHT * (high - ends) / (high - low), LABEL, LEADS_TOP + 0.05, LEADS_TOP + LEADS_HEIGHT - 0.2
    )
    x, room = WIDTH - LEADS_RIGHT + 0.14, LEADS_RIGHT - 0.14
    for (name, part), (colour, width), y in zip(parts, looks, places, strict=True):
        strong = "bold" if width > 2 else "normal"
        sheet.text(x, y, fit(str(name), room, BODY, bold=True), color=colour, fontweight=strong, gid="label")
        sheet.text(x, y + 0.145, f"n = {count(style.column(part, 'n')[0])}", fontsize=SMALL, color=MUTED)


GROWTH_LEFT, GROWTH_TOP, GROWTH_HEIGHT, GROWTH_GAP, LOW, GROWTH_FOOT = 0.5, 0.26, 1.75, 0.5, 1.75, 0.62  # inches
WIDEST_NAME, GROWTH_LABEL = 1.7, 0.32  # inches: of a name, and between two labels


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
    """Median with a band of quantiles by turn; below it, if `parts` are given, their stacked means.

    frame: x (ascending), median, low, high (quantiles: the band), n (seats still in). parts: x, name (stacked upwards in order of
    appearance), mean. reach: the quantiles of the band, for the note.
    """
    style.require(frame, ("x", "median", "low", "high", "n"), "growth")
    if not len(frame):
        return style.nothing()
    stack = style.groups(parts, "name") if parts is not None else []
    right = max(1.0, words_column([clean(str(name)) for name, _ in stack], BODY, WIDEST_NAME) + 0.14)
    below = GROWTH_GAP + LOW if stack else 0.0
    sheet = Sheet(WIDTH, GROWTH_TOP + GROWTH_HEIGHT + below + GROWTH_FOOT)
    turns = style.column(frame, "x")
    limits = (float(turns.min()) - 0.25, float(turns.max()) + 0.25)
    axes = sheet.axes(GROWTH_LEFT, GROWTH_TOP, WIDTH - GROWTH_LEFT - right, GROWTH_HEIGHT)
    _band(axes, frame)
    _set_up(axes, limits, float(np.nanmax([*style.column(frame, "high"), 1])))
    axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    sheet.text(0, 0.05, f"\u2191 {clean(y_label)}", fontsize=SMALL, color=MUTED)
    _name_band(sheet, axes, frame, (right, reach))
    if stack:
        axes.tick_params(labelbottom=False)
        axes = sheet.axes(GROWTH_LEFT, GROWTH_TOP + GROWTH_HEIGHT + GROWTH_GAP, WIDTH - GROWTH_LEFT - right, LOW)
        _stack(sheet, axes, stack, (limits, right))
        sheet.text(
            0, GROWTH_TOP + GROWTH_HEIGHT + GROWTH_GAP - 0.21, f"\u2191 {clean(total_label)}, mean", fontsize=SMALL, color=MUTED
        )
    axes.set_xlabel(clean(x_label), loc="left")
    note = f"Band: {' to '.join(percent(end, 0) for end in reach)} of the seats still in at that turn; "
    note += f"{counted(list(style.column(frame, 'n')))} seats"
    sheet.text(GROWTH_LEFT, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
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
    places = spread(GROWTH_TOP + GROWTH_HEIGHT * (1 - ends / top), 0.17, GROWTH_TOP, GROWTH_TOP + GROWTH_HEIGHT)
    names = (percent(reach[1], 0), "median", percent(reach[0], 0))
    for name, end, y in zip(names, ends, places, strict=True):
        strong: dict[str, Any] = {"fontweight": "bold", "color": BLUE} if name == "median" else {"color": MUTED}
        words = fit(f"{name}: {number(end)}", right - 0.1, SMALL)
        sheet.text(WIDTH - right + 0.1, y, words, fontsize=SMALL, gid="label", **strong)


def _stack(sheet: Sheet, axes: Axes, stack: list[tuple[Any, pd.DataFrame]], how: tuple[tuple[float, float], float]) -> None:
    """Draw stacked areas, each named at the right near the height of its end."""
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
    top = GROWTH_TOP + GROWTH_HEIGHT + GROWTH_GAP
    wanted = top + LOW * (1 - np.array(middles) / axes.get_ylim()[1])
    places = spread(wanted, GROWTH_LABEL, top + 0.06, top + LOW - 0.2)
    whole = float(base[-1])
    for colour, (name, part), y in zip(colours, stack, places, strict=True):
        end = float(np.nan_to_num(style.column(part, "mean"))[-1])
        left = WIDTH - right
        sheet.key(left + 0.02, y, [("", {"marker": "s", "color": colour})])
        sheet.text(left + 0.18, y, fit(str(name), right - 0.18, SMALL), fontsize=SMALL, gid="label")
        words = f"{number(round(end))} ({percent(end / whole if whole else 0, 0)})"
        sheet.text(left + 0.18, y + 0.14, words, fontsize=SMALL, color=MUTED)
    axes.axhline(0, color=FAINT, linewidth=0.7)


TREND_LEFT, TREND_TOP, TREND_HEIGHT, TREND_FOOT, TREND_RIGHT = 0.42, 0.2, 3.0, 0.62, 1.75  # inches
COLOURS = (style.BLUE, style.ORANGE, style.GREEN, style.PURPLE, style.AMBER, style.SKY)
NEVER = 0.13  # of the width of the axes: space for games without the event
DODGE = 0.012  # of the width of the axes: between the marks of two lines in that space
TREND_LABEL = 0.42  # inches between two labels


@style.housed
def trend(
    frame: pd.DataFrame,
    *,
    lines: str = "seats",
    x: str = "middle",
    x_label: str = "turn",
    y_label: str = "win share",
    level: float = 0.95,
) -> Figure:
    """Dots with intervals, joined by a line per value of `lines`; those without `x` ("never") separately at the right.

    frame: `lines`, `x` (nan: never), estimate, low, high (shares 0..1), n, fair (nan if there is none; drawn dashed).
    """
    style.require(frame, (lines, x, "estimate", "low", "high", "n", "fair"), "trend")
    parts = style.groups(frame, lines)
    if not parts:
        return style.nothing()
    sheet = Sheet(WIDTH, TREND_TOP + TREND_HEIGHT + TREND_FOOT)
    width = WIDTH - TREND_LEFT - TREND_RIGHT
    axes = sheet.axes(TREND_LEFT, TREND_TOP, width, TREND_HEIGHT)
    known = style.column(frame, x)
    start = float(np.nanmin(known, initial=np.inf)) if np.isfinite(known).any() else 0.0
    end = float(np.nanmax(known, initial=start + 1))
    never = bool((np.isnan(known) & np.isfinite(style.column(frame, "estimate"))).any())
    right = end + (end - start) * (0.04 + (NEVER / (1 - NEVER) if never else 0))
    left = start - 0.04 * (end - start)
    axes.set_xlim(left, right)
    centre = right - 0.5 * NEVER * (right - left)
    for index, (_, part) in enumerate(parts):
        aside = centre + (index - (len(parts) - 1) / 2) * DODGE * (right - left)
        _trend_line(axes, part, (x, aside), COLOURS[index % len(COLOURS)])
    top = float(np.nanmax([*style.column(frame, "high"), *style.column(frame, "fair"), 0.05]))
    axes.set_ylim(0, min(1.0, 1.06 * top))
    if never:
        axes.axvline(right - NEVER * (right - left), color=HAIR, linewidth=1)
        axes.text(centre, -0.035, "never", transform=axes.get_xaxis_transform(), ha="center", va="top", fontsize=SMALL)
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    axes.set_xticks([tick for tick in axes.get_xticks() if left <= tick <= end * 1.01])
    axes.grid(axis="y", color=HAIR)
    style.percent_axis(axes.yaxis)
    axes.set_xlabel(clean(x_label), loc="left")
    sheet.text(0, 0.02, f"\u2191 {clean(y_label)}", fontsize=SMALL, color=MUTED)
    _trend_labels(sheet, axes, parts)
    note = f"Dashes: fair share. Whiskers: {percent(level, 0)} intervals."
    sheet.text(TREND_LEFT, sheet.height - 0.08, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _trend_line(axes: Axes, part: pd.DataFrame, across: tuple[str, float], colour: str) -> None:
    """Draw the dots of a line. across: column of their x values, and the x value for "never"."""
    column, aside = across
    values = {name: style.column(part, name) for name in (column, "estimate", "low", "high")}
    place, share, low, high = values.values()
    dated = np.isfinite(place)
    where = np.where(dated, place, aside)
    seen = np.isfinite(share)
    axes.vlines(where[seen], low[seen], high[seen], color=colour, linewidth=1.2, zorder=3, gid="interval")
    axes.plot(where[seen & dated], share[seen & dated], color=colour, linewidth=1.4, zorder=3, gid="line")
    dots: dict[str, Any] = {"edgecolor": colour, "linewidth": 1.2, "zorder": 4, "s": 26, "clip_on": False, "gid": "dot"}
    axes.scatter(where[seen & dated], share[seen & dated], facecolor=colour, **dots)
    axes.scatter(where[seen & ~dated], share[seen & ~dated], facecolor="white", **dots)
    fair = style.column(part, "fair")
    if np.isfinite(fair).any():
        axes.axhline(float(np.nanmax(fair)), color=colour, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1, gid="fair")


def _trend_labels(sheet: Sheet, axes: Axes, parts: list[tuple[Any, pd.DataFrame]]) -> None:
    """Name each line at the right, near the height of its end."""
    high = axes.get_ylim()[1]
    ends = np.array([np.nan_to_num(style.column(part, "estimate")[-1]) for _, part in parts])
    places = spread(TREND_TOP + TREND_HEIGHT * (1 - ends / high), TREND_LABEL, TREND_TOP + 0.1, TREND_TOP + TREND_HEIGHT - 0.2)
    for index, ((value, part), y) in enumerate(zip(parts, places, strict=True)):
        colour, fair, n = COLOURS[index % len(COLOURS)], style.column(part, "fair")[0], style.column(part, "n").sum()
        heading = fit(style.seats_heading(value), TREND_RIGHT - 0.2, BODY)
        sheet.text(WIDTH - TREND_RIGHT + 0.15, y, heading, color=colour, fontweight="bold", gid="label")
        words = f"fair {percent(fair)}" if np.isfinite(fair) else "no fair share"
        sheet.text(WIDTH - TREND_RIGHT + 0.15, y + 0.15, f"{words}, n = {count(n)}", fontsize=SMALL, color=MUTED)
