"""Line charts: over turns and other small numbers, over the course of games, and of entrants from one variant to the next."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.answer.numbers import count, counted, number, percent, points
from analysis.charts import style
from analysis.charts.layout import End, Entry, Grid, name_ends, panel_grid, room_around, squares, sure_key
from analysis.charts.style import BLUE, BODY, FAINT, HAIR, INK, MUTED, SMALL, STRONG, SURE, WEAK, WIDTH, Sheet, clean, column, fit
from analysis.stats.intervals import FAIR_BAND

LEFT, FOOT = 0.46, 0.62  # inches: labels of the y axis, and of the x axis with the note
LABEL_GAP = 0.07  # inches between a dot and its label
HUES = (BLUE, style.ORANGE, style.GREEN, style.PURPLE, style.AMBER, style.SKY)
PANEL_HUES = tuple(colour for colour in style.CATEGORIES if colour != style.YELLOW)  # yellow lines are hard to see on paper
DASHED: dict[str, Any] = {"linestyle": (0, (4, 2)), "linewidth": 0.9, "zorder": 1}


def _games(frame: pd.DataFrame) -> str:
    return counted(list(column(frame, "n")))


def _quantiles(reach: tuple[float, float]) -> str:
    return " to ".join(percent(end, 0) for end in reach)


def _line(
    axes: Axes, part: pd.DataFrame, x: str, y: str, colour: Any, *, band: str = "band", alpha: float = 0.16, **how: Any
) -> None:
    """Draw a line with dots over a pale band from low to high. band: gid of the band, empty for none; how: of the line."""
    across, low, high = (column(part, name) for name in (x, "low", "high"))
    if band:
        axes.fill_between(across, low, high, color=colour, alpha=alpha, linewidth=0, zorder=1.5, gid=band)
    axes.plot(across, column(part, y), **{"color": colour, "linewidth": 1.8, "zorder": 3, "gid": "line", **how})


def _steps(
    axes: Axes, part: pd.DataFrame, look: dict[str, Any], right: float, *, start: bool = False, gid: str = "curve"
) -> float:
    """Draw a step curve with its band and a dot where it crosses one half; returns that x, nan if it does not.

    right: the curve is extended to there; start: it begins at zero.
    """
    where, share, low, high = (
        np.append(column(part, name), column(part, name)[-1]) for name in ("turns", "estimate", "low", "high")
    )
    where[-1] = max(right, where[-1])
    if start:
        where, share, low, high = (np.append(0.0, values) for values in (where, share, low, high))
    if np.isfinite(low).any():
        axes.fill_between(where, low, high, step="post", color=look["color"], alpha=0.18, linewidth=0, gid="interval")
    axes.step(where, share, where="post", linewidth=1.6, gid=gid, **look)
    past = share <= 0.5 if share[0] >= 0.5 else share >= 0.5
    half = float(where[past][0]) if past.any() else float("nan")
    if half <= right:
        dot: dict[str, Any] = {"markersize": 5, "markeredgecolor": "white", "zorder": 4, "gid": "median", "clip_on": False}
        axes.plot([half], [0.5], "o", color=look["color"], **dot)
    return half


def _right_end(frame: pd.DataFrame, keys: Sequence[str]) -> float:
    """The turn at which every line has reached `style.NEARLY` of its final share, and its median if it has one."""
    ends = [1.0]
    for _, part in frame.groupby(list(keys), sort=False, observed=True):
        share = column(part, "estimate")
        if not np.isfinite(share).any():
            continue
        final = float(np.nanmax(share))
        wanted = max(style.NEARLY * final, 0.5) if final >= 0.5 else style.NEARLY * final
        ends.append(float(column(part, "turns")[share >= wanted][0]))
    return max(ends)


@style.form("turns", "estimate", "n", given=("panels", "lines"))
def curves(
    frame: pd.DataFrame, *, panels: str = "seats", lines: str = "name", label: str = "turns", falling: bool = False
) -> Figure:
    """Share of games by turn, one line per value of `lines`, one panel per value of `panels`, dots where a line crosses half.

    frame: `panels`, `lines`, turns (ascending), estimate (share in which the event has happened, 0..1), n; optionally low and
    high. falling: draw the share in which it has not happened yet. A line does not reach the end if the event does not happen in
    every game. label: unit of the turns.
    """
    parts = style.groups(frame, panels)
    kinds = list(dict.fromkeys(style.texts(frame, lines)))
    dashes = ("-", (0, (4, 1.5)), (0, (1, 1)))  # for more lines than colours
    size = len(PANEL_HUES)
    looks = {kind: {"color": PANEL_HUES[at % size], "linestyle": dashes[at // size % 3]} for at, kind in enumerate(kinds)}
    across = 2 if len(parts) in (2, 4) else min(3, len(parts))
    key = squares({kind: look["color"] for kind, look in looks.items()})
    sheet, drawn = panel_grid(parts, across, 1.9, Grid(), key, below=_games)
    right = 1.02 * _right_end(frame, (panels, lines))
    for index, (axes, part, _) in enumerate(drawn):
        for kind, line in style.groups(part, lines):
            ends = {name: 1 - line[name] for name in ("estimate", "low", "high") if falling and name in line.columns}
            _steps(axes, line.assign(**ends), looks[clean(str(kind))], right)
        style.share_axis(axes, right, top=1.01)
        if index + across >= len(parts):
            axes.set_xlabel(clean(label), loc="left")
    end = f"; axis: to {percent(style.NEARLY, 0)} of each" if np.nanmax(column(frame, "turns")) > right else ""
    note = f"Share of games in which it has {'not happened yet' if falling else 'happened'}; dots: half of the games{end}."
    note += f" Pale bands: {SURE} intervals." if {"low", "high"} <= set(frame.columns) else ""
    return sheet.close(0.42, note, 0.08)


@style.form("faller", "turns", "estimate", "n", given=("seats",))
def survival(frame: pd.DataFrame) -> Figure:
    """Share of games in which the p-th player to be eliminated is still in, by turn; one panel per number of seats.

    frame: seats, faller (1 = first to be eliminated), turns (ascending), estimate (share still in, 0..1), n; optionally low
    and high.
    """
    parts = style.groups(frame, "seats")
    right = 1.02 * _right_end(frame.assign(estimate=1 - column(frame, "estimate")), ("seats", "faller"))
    sheet, drawn = panel_grid(parts, min(3, len(parts)), 1.9, Grid(foot=FOOT, note=0.0), below=_games)
    for axes, part, (_, _, inches) in drawn:
        fallers = style.groups(part, "faller")
        shades = style.SEQUENTIAL(np.linspace(0.95, 0.4, len(fallers)))
        for at, ((faller, line), colour) in enumerate(zip(fallers, shades, strict=True)):
            median = _steps(axes, line, {"color": colour}, right)
            name = style.ordinal(int(faller)) if isinstance(faller, (int, np.integer)) else clean(str(faller))
            words, height = f"{name} out: {number(median)}", 0.96 - 0.095 * at  # falling curves leave this corner free
            how: dict[str, Any] = {"ha": "right", "va": "center_baseline", "fontsize": SMALL, "gid": "label"}
            text = axes.text(0.99, height, words, transform=axes.transAxes, **how)
            text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1, "alpha": 0.85})
            left = 0.99 - (style.width_of(words, SMALL) + 0.12) / inches
            axes.plot([left], [height], "o", color=colour, markersize=4.5, transform=axes.transAxes, clip_on=False)
        style.share_axis(axes, right, top=1)
        axes.set_xlabel("turns", loc="left")
    note = "Share not yet out; figures and dots are medians."
    if np.nanmax(column(frame, "turns")) > right:
        note += f" The axis ends where {percent(style.NEARLY, 0)} of those who fall have fallen."
    note += f" Pale bands: {SURE} intervals." if {"low", "high"} <= set(frame.columns) else ""
    return sheet.close(0.42, note, 0.08)


@style.form("turns", "estimate", "n", given=("lines",))
def ecdf(frame: pd.DataFrame, *, lines: str = "seats", label: str = "turns") -> Figure:
    """Share of games that are over by each length, one line per value of `lines`, with medians.

    frame: `lines`, turns (ascending), estimate (share of games over by that length, 0..1), n; optionally low and high
    (confidence band) and truncated (share of truncated games; by default 1 minus the end of the curve). label: unit of the
    length. The note gives the length of the longest game.
    """
    parts = style.groups(frame, lines)
    names = [style.seats_heading(name) for name, _ in parts]
    short = all(style.width_of(name, BODY, bold=True) <= 0.58 for name in names)
    beside = 0.62 if short else 0.0  # median on the line of the name
    games = [_games_and_truncated(part) for _, part in parts]
    height, room = 2.6, max(2.15, 0.25 + beside + max(style.width_of(words, SMALL) for words in games))
    sheet = Sheet(WIDTH, 0.08 + height + 0.72)
    axes = sheet.axes(0.42, 0.08, WIDTH - 0.42 - room, height)
    right = 1.02 * _right_end(frame, (lines,))
    more = 0.0 if beside else 0.15
    wanted = 0.38 + (0.5 + more) * np.arange(len(parts))
    places = style.spread(wanted, 0.36 + more, 0.18, height - more)
    medians: list[tuple[float, str]] = []
    for at, (name, (_, part), y) in enumerate(zip(names, parts, places, strict=True)):
        colour = HUES[at % len(HUES)]
        median = _steps(axes, part, {"color": colour}, right, start=True, gid="line")
        words = f"median {number(median)} {label}" if np.isfinite(median) else "median not reached"
        medians.append((median, colour))
        x = WIDTH - room + 0.2
        sheet.text(x, y, fit(name, room - 0.2, BODY, bold=True), color=style.legible(colour), fontweight="bold", gid="label")
        sheet.text(x + beside, y + more, words, gid="label-median")
        sheet.note(x + beside, y + more + 0.15, games[at])
    style.share_axis(axes, right, top=1)
    _label_medians(axes, medians, right / (WIDTH - 0.42 - room))
    axes.set_xlabel(f"{label}; dots: medians", loc="left")
    longest = float(np.nanmax(column(frame, "turns")))
    if longest > right:
        note = (
            f"The axis ends where {percent(style.NEARLY, 0)} of the finished games are over; the longest took {number(longest)}."
        )
        sheet.note(0.42, sheet.height - 0.1, note)
    return sheet.figure


def _label_medians(axes: Axes, medians: list[tuple[float, str]], turns_per_inch: float) -> None:
    """Write medians to the right of their dots; one that would touch the next dot is only beside the name of its line."""
    shown = sorted(pair for pair in medians if np.isfinite(pair[0]))
    for (median, colour), (following, _) in pairwise([*shown, (np.inf, "")]):
        text = number(median)
        width = style.width_of(text, SMALL, bold=True) + 2 * LABEL_GAP
        if median + width * turns_per_inch > following:
            continue
        how: dict[str, Any] = {"textcoords": "offset points", "va": "top", "fontweight": "bold", "fontsize": SMALL}
        axes.annotate(text, (median, 0.5), (72 * LABEL_GAP, -3), color=style.legible(colour), gid="median-label", **how)


def _games_and_truncated(part: pd.DataFrame) -> str:
    """Number of games of a line, and the share of them that were truncated."""
    truncated = column(part, "truncated")
    share = float(np.nanmax(truncated)) if np.isfinite(truncated).any() else float(1 - column(part, "estimate").max())
    stopped = f"{percent(share, 2)} truncated" if share > 1e-9 else "none truncated"
    return f"n = {count(float(np.nanmax(column(part, 'n'))))}, {stopped}"


@style.form("line", "x", "estimate", "low", "high", "n", given=("panel",))
def lines(frame: pd.DataFrame, *, label: str = "number", close: bool = False) -> Figure:
    """Shares by x, one line per value of `line`; one panel per value of `panel`.

    Lines are named at their right ends, or above all panels if a name is too long.

    frame: panel, line, x (whole numbers), estimate, low, high (shares 0..1, interval drawn as a pale band), n; optionally
    present (current value of x: dashed) and fair (fair share: dotted). label: words for x; close: limit the scale to the bands
    of all panels.
    """
    parts = style.groups(frame, "panel")
    names = list(dict.fromkeys(frame["line"]))
    colours = dict(zip(names, style.hues(names), strict=True))
    beside = all(style.width_of(clean(str(name)), SMALL) <= 1.3 for name in names)
    room = style.words_column([str(name) for name in names], SMALL, 1.3) + 0.28 if beside else 0.0
    key: list[Entry] = [] if beside else [(str(name), {"color": colour}) for name, colour in colours.items()]
    grid = Grid(foot=FOOT, every=True, right=room, note=0.0)
    sheet, drawn = panel_grid(parts, min(2, len(parts)), 2.1, grid, key, str, lambda part: f"{_games(part)} each")
    named = [column(frame, name) for name in ("low", "high", "estimate", "fair")]
    low, high = room_around(named, room=0.06, least=0.0) if close else (0.0, 1.0)
    for axes, part, (_, _, inches) in drawn:
        ends = []
        for name, line in style.groups(part.sort_values("x", kind="stable"), "line"):
            look = {"marker": "o", "markersize": 4, "clip_on": False, "linewidth": 1.6}
            _line(axes, line, "x", "estimate", colours[name], band="interval", alpha=0.2, **look)
            known = column(line, "estimate")[np.isfinite(column(line, "estimate"))]
            if known.size:
                mark = {"markersize": 4}
                ends.append(End(str(name), float(known[-1]), colours[name], bold=False, mark=mark, size=SMALL))
        places = np.unique(column(part, "x"))
        margin = 0.15 * (np.diff(places).min() if places.size > 1 else 1)
        axes.set_xlim(places.min() - margin, places.max() + margin)
        axes.set_xticks(places, _apart(places, inches))
        for name, draw, gap in (("present", axes.axvline, (3, 2)), ("fair", axes.axhline, (1, 2))):
            if np.isfinite(column(part, name)[0]):
                draw(float(column(part, name)[0]), color=MUTED, linewidth=0.9, linestyle=(0, gap), zorder=0.6, gid=name)
        axes.set_ylim(max(0.0, low), min(1.0, high))
        if close:
            axes.yaxis.set_major_locator(MaxNLocator(steps=[1, 2, 5, 10]))  # no half per cents, which labels round
        else:
            axes.set_yticks(style.QUARTERS)
        style.percent_grid(axes)
        axes.set_xlabel(label, loc="left")
        if beside:
            name_ends(sheet, axes, ends, room, 0.15)
    return sheet.close(0.42, f"Pale bands: {SURE} intervals." if (frame["low"] < frame["high"]).any() else "", 0.08)


def _apart(places: np.ndarray, inches: float) -> list[str]:
    """Tick labels; empty where a label would overlap the one before."""
    marks, end = [], -np.inf
    scale = inches / max(float(np.ptp(places)), 1e-9)
    for place in places:
        text = number(place)
        half, x = style.width_of(text, SMALL) / 2, scale * (place - places[0])
        marks.append(text if x - half > end else "")
        end = x + half + 0.04 if marks[-1] else end
    return marks


def _turns(axes: Axes, turns: np.ndarray, top: float, ticks: int, label: str | None) -> None:
    """Set up axes of amounts by turn, from zero to slightly above `top`. label: of the x axis; None: no labels on it."""
    axes.set_xlim(float(np.nanmin(turns)) - 0.3, float(np.nanmax(turns)) + 0.3)
    axes.set_ylim(0, 1.05 * top)
    axes.grid(axis="y", color=HAIR)
    axes.xaxis.set_major_locator(MaxNLocator(ticks, integer=True))
    if label is None:
        axes.tick_params(labelbottom=False)
    else:
        axes.set_xlabel(clean(label), loc="left")


@style.form("x", "mean", "low", "high", "n", "on", given=("line",))
def bands(
    frame: pd.DataFrame, *, x_label: str = "turns", y_label: str = "amount", reach: tuple[float, float] = (0.1, 0.9)
) -> Figure:
    """Means by turn, one line per value of `line`, with a pale band between two quantiles; below, the share of games still on.

    frame: line, x (ascending), mean, low, high (quantiles, drawn as the band), n, on (share of the games still on, 0..1). reach:
    the quantiles of the band, for the note. Two lines are orange and blue, in this order.
    """
    parts = style.groups(frame, "line")
    top, height, low, room = 0.2, 2.4, 0.6, 1.35
    below = top + height + 0.36
    sheet = Sheet(WIDTH, below + low + FOOT)
    axes = sheet.axes(LEFT, top, WIDTH - LEFT - room, height)
    turns, ends = column(frame, "x"), []
    for at, (name, part) in enumerate(parts):
        colour = (STRONG, WEAK, style.GREEN, style.PURPLE)[at % 4]
        _line(axes, part, "x", "mean", colour, marker="o", markersize=3.2)
        first, last = (float(column(part, "mean")[end]) for end in (0, -1))
        ends.append(End(str(name), last, colour, f"{number(first)} to {number(last)}"))
    _turns(axes, turns, float(np.nanmax([*column(frame, "high"), *column(frame, "mean"), 0.1])), 10, None)
    name_ends(sheet, axes, ends, room)
    sheet.note(0, 0.04, f"\u2191 {clean(y_label)}")
    still = sheet.axes(LEFT, below, WIDTH - LEFT - room, low)
    x, on = column(parts[0][1], "x"), column(parts[0][1], "on")
    still.fill_between(x, 0, on, color=style.BAND, linewidth=0, gid="on")
    still.plot(x, on, color=FAINT, linewidth=1.2)
    _turns(still, turns, 1.0, 10, x_label)
    still.set_yticks([0, 0.5, 1])
    style.percent_axis(still.yaxis)
    sheet.note(LEFT, below - 0.13, "games still on")
    note = f"Lines: means of the games still on; bands: {_quantiles(reach)} of these games; {_games(frame)} seats per dot"
    return sheet.close(LEFT, note)


@style.form("x", "mean", "low", "high", "n", given=("line",))
def strips(
    frame: pd.DataFrame, *, x_label: str = "turn", y_label: str = "amount", reach: tuple[float, float] = (0.1, 0.9)
) -> Figure:
    """Means by turn with a pale band of quantiles, one panel per value of `line`, all on one scale.

    frame: line, x (ascending), mean, low, high (quantiles: the band), n (seats still in). reach: the quantiles of the band, for
    the note. The lines of the other panels are drawn pale behind each line.
    """
    parts = style.groups(frame, "line")
    across = min(2, len(parts))
    grid = Grid(above=0.2, head=0.26, foot=0.34, left=0.36, gap=0.2, note=0.32, every=True)
    sheet, drawn = panel_grid(parts, across, 1.35, grid, heading=str)
    sheet.note(0, 0.04, f"\u2191 {clean(y_label)}")
    top = float(np.nanmax([*column(frame, "high"), *column(frame, "mean"), 0.1]))
    for index, (axes, part, _) in enumerate(drawn):
        for place, (_, other) in enumerate(parts):
            if place != index:
                _line(axes, other, "x", "mean", FAINT, band="", linewidth=0.9, zorder=2, gid="other")
        _line(axes, part, "x", "mean", BLUE, marker="o", markersize=2.8)
        _turns(axes, column(frame, "x"), top, 8, x_label if index >= len(parts) - across else "")
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=top > 2))
    note = f"Lines: means of the seats still in, pale: those of the others; bands: {_quantiles(reach)} of these seats; "
    return sheet.close(0.36, f"{note}{_games(frame)} seats")


@style.form("x", "median", "low", "high", "n")
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
    stack = style.groups(parts, "name") if parts is not None else []
    room = max(1.05, style.words_column([str(name) for name, _ in stack], SMALL, 1.7) + 0.32)
    top, height, below = 0.26, 1.75, 2.51
    sheet = Sheet(WIDTH, top + height + (below - top if stack else 0.0) + FOOT)
    axes = sheet.axes(0.5, top, WIDTH - 0.5 - room, height)
    turns = column(frame, "x")
    _line(axes, frame, "x", "median", BLUE, marker="o", markersize=3.6, clip_on=False)
    _turns(axes, turns, float(np.nanmax([*column(frame, "high"), 1])), 12, None if stack else x_label)
    axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    sheet.note(0, 0.05, f"\u2191 {clean(y_label)}")
    ends = []
    for name, field in ((percent(reach[1], 0), "high"), ("median", "median"), (percent(reach[0], 0), "low")):
        end, is_median = float(column(frame, field)[-1]), field == "median"
        ends.append(End(f"{name}: {number(end)}", end, BLUE if is_median else MUTED, bold=is_median, size=SMALL))
    name_ends(sheet, axes, ends, room, 0.17)
    if stack:
        axes = sheet.axes(0.5, below, WIDTH - 0.5 - room, height)
        x = column(stack[0][1], "x")
        base, ends = np.zeros(x.size), []
        whole = sum(float(np.nan_to_num(column(part, "mean"))[-1]) for _, part in stack)
        for colour, (name, part) in zip(style.hues([name for name, _ in stack]), stack, strict=True):
            over = base + np.nan_to_num(column(part, "mean"))
            axes.fill_between(x, base, over, facecolor=colour, edgecolor=style.PAPER, linewidth=0.6, zorder=2, gid="area")
            own, middle = float(over[-1] - base[-1]), float(base[-1] + over[-1]) / 2
            words = f"{number(round(own))} ({percent(own / whole if whole else 0, 0)})"
            ends.append(End(str(name), middle, colour, words, bold=False, mark={"marker": "s"}, size=SMALL))
            base = over
        axes.plot(x, base, color=INK, linewidth=1.2, zorder=3, gid="total")
        _turns(axes, turns, float(base.max()) if base.max() > 0 else 1.0, 12, x_label)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
        axes.axhline(0, color=FAINT, linewidth=0.7)
        name_ends(sheet, axes, ends, room, 0.32)
        sheet.note(0, below - 0.21, f"\u2191 {clean(total_label)}, mean")
    return sheet.close(0.5, f"Band: {_quantiles(reach)} of the seats still in at that turn; {_games(frame)} seats")


@style.form("x", "estimate", "low", "high", "n", given=("line",))
def leads(frame: pd.DataFrame, *, main: str | None = None, dots: pd.DataFrame | None = None, x_label: str = "lead") -> Figure:
    """Winning probability of the leader by its lead: a thick line with a band for `main`, thin lines for the others.

    frame: line (its name), x (lead, ascending from 0), estimate, low, high (shares 0..1), n (games behind the line). main: name
    of the thick line, by default the first. dots: middle, estimate, low, high, n of bins of the main line's games.
    """
    parts = style.groups(frame, "line")
    main = str(parts[0][0]) if main is None else main
    room, top, height = 1.45, 0.26, 3.0
    sheet = Sheet(WIDTH, top + height + FOOT)
    axes = sheet.axes(LEFT, top, WIDTH - LEFT - room, height)
    ends = []
    for (name, part), shade in zip(parts, style.SEQUENTIAL(np.linspace(0.45, 0.95, len(parts))), strict=True):
        strong = str(name) == main
        colour, look = (STRONG, {"linewidth": 2.2}) if strong else (shade, {"linewidth": 1.2, "zorder": 2})
        _line(axes, part, "x", "estimate", colour, band="band" if strong else "", **look)
        ends.append(End(str(name), column(part, "estimate")[-1], colour, f"n = {count(column(part, 'n')[0])}", bold=strong))
    bins = pd.DataFrame() if dots is None else dots
    if len(bins):
        x, estimate = column(bins, "middle"), column(bins, "estimate")
        axes.vlines(x, column(bins, "low"), column(bins, "high"), color=INK, linewidth=1.1, zorder=4, gid="interval")
        axes.scatter(x, estimate, s=22, facecolor="white", edgecolor=INK, linewidth=1.2, zorder=5, gid="dot", clip_on=False)
    shown = pd.concat([frame, bins.rename(columns={"middle": "x"})])
    right, least, most = (
        float(np.nanmax(column(shown, "x"))),
        float(np.nanmin([*column(shown, "estimate"), *column(shown, "low"), 0.5])),
        float(np.nanmax([*column(shown, "high"), *column(shown, "estimate"), 0.5])),
    )
    axes.set_xlim(0, right * 1.02 if right > 0 else 1)
    axes.set_ylim(max(0.0, min(0.46, least - 0.02)), min(1.0, np.ceil(10 * most + 0.3) / 10))
    axes.axhline(0.5, color=FAINT, gid="even", **DASHED)
    axes.grid(axis="y", color=HAIR)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value) if value <= 0 else f"+{number(value)}"))
    style.percent_axis(axes.yaxis)
    axes.set_xlabel(clean(x_label), loc="left")
    sheet.note(0, 0.05, "\u2191 the side ahead wins")
    name_ends(sheet, axes, ends, room)
    note = f"Lines: logistic curves, band {SURE}"
    note += f"; dots with {SURE} intervals: {_games(bins)} games each" if len(bins) else ""
    return sheet.close(LEFT, note)


@style.form("estimate", "low", "high", "n", "fair", given=("lines", "middle"))
def trend(frame: pd.DataFrame, *, lines: str = "seats", x_label: str = "turn") -> Figure:
    """Dots with intervals, joined by a line per value of `lines`; those without a middle ("never") separately at the right.

    frame: `lines`, middle (nan: never), estimate, low, high (shares 0..1), n, fair (nan if there is none; drawn dashed).
    """
    parts = style.groups(frame, lines)
    top, height, room = 0.2, 3.0, 1.75
    sheet = Sheet(WIDTH, top + height + FOOT)
    axes = sheet.axes(LEFT, top, WIDTH - LEFT - room, height)
    known = column(frame, "middle")
    start = float(np.nanmin(known)) if np.isfinite(known).any() else 0.0
    end = float(np.nanmax(known, initial=start + 1))
    never = bool((np.isnan(known) & np.isfinite(column(frame, "estimate"))).any())
    share = 0.13 if never else 0.0  # of the width, for games without the event
    left, right = start - 0.04 * (end - start), end + (end - start) * (0.04 + share / (1 - share))
    axes.set_xlim(left, right)
    centre = right - 0.5 * share * (right - left)
    ends = []
    for index, (value, part) in enumerate(parts):
        colour, aside = HUES[index % len(HUES)], centre + (index - (len(parts) - 1) / 2) * 0.012 * (right - left)
        place, estimate, low, high, fair = (column(part, name) for name in ("middle", "estimate", "low", "high", "fair"))
        dated, seen = np.isfinite(place), np.isfinite(estimate)
        where = np.where(dated, place, aside)
        axes.vlines(where[seen], low[seen], high[seen], color=colour, linewidth=1.2, zorder=3, gid="interval")
        axes.plot(where[seen & dated], estimate[seen & dated], color=colour, linewidth=1.4, zorder=3, gid="line")
        dots: dict[str, Any] = {"edgecolor": colour, "linewidth": 1.2, "zorder": 4, "s": 26, "clip_on": False, "gid": "dot"}
        axes.scatter(where[seen & dated], estimate[seen & dated], facecolor=colour, **dots)
        axes.scatter(where[seen & ~dated], estimate[seen & ~dated], facecolor="white", **dots)
        if np.isfinite(fair).any():
            axes.axhline(float(np.nanmax(fair)), color=colour, gid="fair", **DASHED)
        words = f"fair {percent(fair[0])}" if np.isfinite(fair[0]) else "no fair share"
        ends.append(End(style.seats_heading(value), estimate[-1], colour, f"{words}, n = {count(column(part, 'n').sum())}"))
    axes.set_ylim(0, min(1.0, 1.06 * float(np.nanmax([*column(frame, "high"), *column(frame, "fair"), 0.05]))))
    if never:
        axes.axvline(right - share * (right - left), color=HAIR, linewidth=1)
        axes.text(centre, -0.035, "never", transform=axes.get_xaxis_transform(), ha="center", va="top", fontsize=SMALL)
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    axes.set_xticks([tick for tick in axes.get_xticks() if left <= tick <= end * 1.01])
    style.percent_grid(axes)
    axes.set_xlabel(clean(x_label), loc="left")
    sheet.note(0, 0.04, "\u2191 win share")
    name_ends(sheet, axes, ends, room, 0.42)
    return sheet.close(LEFT, f"Dashes: fair share. Whiskers: {SURE} intervals.", 0.08)


def _beside(axes: Axes, side: int, ends: np.ndarray, texts: Iterable[tuple[str, str]], line: float = 0.14) -> np.ndarray:
    """Write texts beside the left (-1) or right (1) edge of axes, near `ends`, with thin lines to them; returns their heights.

    texts: words and colours; line: inches between them.
    """
    box = axes.get_window_extent()
    inch, (low, high) = axes.figure.dpi / box.width, axes.get_ylim()
    places = style.spread(ends, line * axes.figure.dpi / box.height * (high - low), low, high)
    edge = 1 if side > 0 else 0
    how: dict[str, Any] = {"transform": axes.get_yaxis_transform(), "clip_on": False}
    for (words, colour), end, place in zip(texts, ends, places, strict=True):
        lead = [edge + side * inches * inch for inches in (0.04, 0.2)]
        axes.plot(lead, [end, place], color=FAINT, linewidth=0.5, zorder=1, gid="lead", **how)
        text: dict[str, Any] = {"ha": "left" if side > 0 else "right", "va": "center_baseline", "fontsize": SMALL, **how}
        axes.text(edge + side * 0.25 * inch, place, words, color=style.legible(colour), gid="label", **text)
    return places


BESIDE = 0.27  # inches from the edge of axes to the texts beside it


@style.form("variant", "name", "estimate", "low", "high", "n")
def slope(frame: pd.DataFrame, *, default: str | None = None) -> Figure:
    """Win rates of every entrant under the default and under each variant: one panel per variant.

    frame: variant, name, estimate, low, high (shares 0..1), n; optionally change, change_low, change_high (from the default, with
    paired games), sure (whether the change is significant). default: name of the default variant, otherwise the first of the
    frame. A line is coloured if the change is significant: according to `sure`, else if the interval of the change excludes zero,
    or, without one, if the two intervals do not overlap. All panels have one scale; labels at the variant's end show the change
    in points.
    """
    variants = {str(name): part.set_index(part["name"].astype(str)) for name, part in style.groups(frame, "variant")}
    default = next(iter(variants)) if default is None else default
    if default not in variants:
        raise ValueError(f"slope: default={default!r} is not among the variants {', '.join(variants)}")
    others = [(name, part) for name, part in variants.items() if name != default] or [(default, variants[default])]
    label = style.words_column(style.texts(frame, "name"), SMALL, 1.05)
    height = max(1.7, 0.135 * (frame["name"].astype(str).nunique() + 1))
    grid = Grid(0.22, 0.32, 0.3, 0.38, right=label + BESIDE + 0.5, note=0.24, every=True, outside=True)
    sheet, drawn = panel_grid(others, 2, height, grid, heading=str)
    sheet.key(0, 0.06, sure_key("wins more often under the variant", "less often", "change not sure", FAINT))
    limits = room_around([column(frame, "low"), column(frame, "high")], room=0.06)
    for axes, part, (_, _, width) in drawn:
        axes.axvspan(-0.14, 0.14, color=style.BAND, linewidth=0, zorder=0, gid="default")
        axes.set(xlim=(-0.14, 1.08), ylim=limits)
        axes.set_xticks([0, 1], ["default", "variant"])
        axes.tick_params(axis="x", length=0)
        axes.locator_params(axis="y", nbins=5)
        style.percent_grid(axes)
        axes.spines["bottom"].set_visible(False)
        both = _changes(variants[default], part)
        for ends, bounds, sign in zip(both["ends"], both["bounds"], both["sign"], strict=True):
            colour, order = ((FAINT, 2), (STRONG, 3), (WEAK, 3))[int(sign)]
            axes.plot([0, 1], ends, color=colour, linewidth=1.5, zorder=order, gid="line")
            axes.vlines([0, 1], *np.transpose(bounds), color=colour, linewidth=1.1, zorder=order, gid="interval")
            axes.scatter([0, 1], ends, s=13, color=colour, linewidth=0, zorder=order + 2, gid="dot")
        known = both[np.isfinite([ends[1] for ends in both["ends"]])]
        texts = [(fit(str(name), label, SMALL), INK if sign else MUTED) for name, sign in known["sign"].items()]
        places = _beside(axes, 1, np.array([ends[1] for ends in known["ends"]]), texts, 0.135)
        for place, moved, sign in zip(places, known["moved"], known["sign"], strict=True):
            how: dict[str, Any] = {
                "ha": "right",
                "va": "center_baseline",
                "fontsize": SMALL,
                "color": style.legible((MUTED, STRONG, WEAK)[int(sign)]),
            }
            right = 1 + (BESIDE + label + 0.45) / width
            axes.text(right, place, points(float(moved)), transform=axes.get_yaxis_transform(), gid="change", **how)
    return sheet.close(0, f"Dots with {SURE} intervals; {_games(frame)} per dot", 0.08)


def _changes(default: pd.DataFrame, variant: pd.DataFrame) -> pd.DataFrame:
    """One row per common entrant: ends and bounds (default, variant), the change, and its sign if significant, else 0."""
    names = [name for name in default.index if name in variant.index]
    before, after = default.loc[names], variant.loc[names]
    (start, low, high), (end, *bounds) = (
        [column(part, name) for name in ("estimate", "low", "high")] for part in (before, after)
    )
    change, least, most = (column(after, name) for name in ("change", "change_low", "change_high"))
    moved = np.where(np.isnan(change), end - start, change)
    paired = np.isfinite(least)
    rises, falls = np.where(paired, least > 0, bounds[0] > high), np.where(paired, most < 0, bounds[1] < low)
    if "sure" in after.columns:
        beyond = after["sure"].fillna(False).to_numpy(bool)
        rises, falls = beyond & (moved > 0), beyond & (moved < 0)
    columns = {
        "ends": list(np.transpose([start, end])),
        "bounds": list(np.transpose([[low, high], [bounds[0], bounds[1]]], (2, 0, 1))),
    }
    return pd.DataFrame({**columns, "moved": moved, "sign": rises.astype(int) - falls.astype(int)}, index=names)


UP, DOWN, BOTH_WAYS = 1, -1, 2  # values of `turns` in `levels`


@style.form("level", "name", "estimate", "low", "high", "n", "fair", "side", "turns")
def levels(frame: pd.DataFrame, *, left_out: int = 0) -> Figure:
    """Win rates of every entrant at each level, from the left in the order of the frame, with names at both ends.

    frame: level, name, estimate, low, high (shares), n, fair (share), side (+1, -1: surely above or below the fair share, filled
    dots), turns (UP, DOWN or BOTH_WAYS: the entrant surely changes between below and above its fair share, drawn as a
    coloured line; 0: it does not). left_out: number of entrants
    that move less and are not in the frame.
    """
    frame = frame.assign(level=frame["level"].astype(str))
    steps, names = list(dict.fromkeys(frame["level"])), list(dict.fromkeys(frame["name"].astype(str)))
    label = style.words_column(names, SMALL, 1.3) + 0.3
    height, top, labels = max(2.4, 0.16 * (len(names) + 3)), 0.3, 0.42
    sheet = Sheet(WIDTH, top + height + 0.56)
    left = labels + (label + BESIDE) * (len(steps) > 1)
    axes = sheet.axes(left, top, WIDTH - left - label - BESIDE, height)
    fair = [float(frame["fair"][frame["level"] == step].iloc[0]) for step in steps]
    x = np.array([-0.12, *range(len(steps)), len(steps) - 0.88])
    line = np.array([fair[0], *fair, fair[-1]])
    axes.fill_between(x, line * (1 - FAIR_BAND), line * (1 + FAIR_BAND), color=style.BAND, linewidth=0, zorder=0, gid="band")
    axes.plot(x, line, color=MUTED, linewidth=0.8, zorder=1, gid="fair")
    axes.set(xlim=(x[0], x[-1]), ylim=room_around([column(frame, "low"), column(frame, "high")]))
    axes.set_xticks(range(len(steps)), [fit(step, 1.2, BODY) for step in steps])
    axes.tick_params(axis="x", length=0, labelsize=BODY, labelcolor=INK)
    axes.locator_params(axis="y", nbins=6)
    axes.tick_params(axis="y", left=False, pad=72 * (left - labels) + 3)  # beyond the names
    style.percent_grid(axes)
    axes.spines["bottom"].set_visible(False)
    colours = {UP: STRONG, DOWN: WEAK, BOTH_WAYS: INK}
    for _, rows in style.groups(frame.assign(name=frame["name"].astype(str)), "name"):
        places, turns = [steps.index(step) for step in rows["level"]], int(rows["turns"].iloc[0])
        colour, mark, order = (colours[turns], colours[turns], 4) if turns in colours else (FAINT, MUTED, 2)
        estimate, low, high = (column(rows, name) for name in ("estimate", "low", "high"))
        axes.plot(places, estimate, color=colour, linewidth=1.6, zorder=order, gid="line")
        axes.vlines(places, low, high, color=colour, linewidth=1.1, zorder=order, gid="interval")
        faces = [mark if side else style.PAPER for side in rows["side"]]
        axes.scatter(places, estimate, s=20, facecolor=faces, edgecolor=mark, linewidth=1.0, zorder=order + 1, gid="dot")
    for side, step in ((1, steps[-1]), (-1, steps[0]))[: len(steps)]:
        rows = frame[(frame["level"] == step) & np.isfinite(column(frame, "estimate"))]
        ends = column(rows, "estimate")
        words = [f"{fit(str(name), label - 0.3, SMALL)}  {100 * end:.1f}" for name, end in zip(rows["name"], ends, strict=True)]
        _beside(axes, side, ends, zip(words, [colours.get(int(turns), MUTED) for turns in rows["turns"]], strict=True), 0.16)
    key = {
        UP: ("surely rises from below its fair share to above it", {"color": STRONG}),
        DOWN: ("falls from above to below", {"color": WEAK}),
        BOTH_WAYS: ("over and back", {"color": INK}),
        0: ("stays on its side, or not sure", {"color": MUTED}),
    }
    sheet.key(0, 0.06, [entry for way, entry in key.items() if way in set(frame["turns"])])
    note = f"Filled: surely not at the fair share, open: may be even; bars: {SURE} intervals; {_games(frame)} per dot"
    note += f"; {left_out} that move less are not drawn" if left_out else ""
    return sheet.close(0, note, 0.08)


@style.form("name", "rank", "estimate", "n", given=("variant",))
def ranks(frame: pd.DataFrame) -> Figure:
    """Ranks of all names, the best at the left, one row per variant in the order given and one line per name through the rows.

    frame: variant, name, rank (1 is the best, unique within a row), estimate (share 0..1), n; optionally sure (significant
    change of rank from the first row, drawn as a filled dot). All rows have the same names.
    """
    parts = [(value, part.set_index(part["name"].astype(str))) for value, part in style.groups(frame, "variant")]
    first = parts[0][1]["rank"].sort_values()
    coloured = list(first.index)
    if len(coloured) > 8:  # with many names, only those whose rank changes most have a colour
        span = frame.groupby(frame["name"].astype(str))["rank"].agg(lambda rank: rank.max() - rank.min())
        coloured = list(span[span > 0].sort_values(ascending=False, kind="stable").index[:8])
    colours = {name: style.CATEGORIES[coloured.index(name)] if name in coloured else FAINT for name in first.index}
    named = [name for name in first.index if name in coloured]
    left, row = style.words_column([clean(str(value)) for value, _ in parts], BODY, 2.6) + 0.2, 0.3
    top = style.LINE * len(style.wrapped(named, WIDTH)) + 0.3
    sheet = Sheet(WIDTH, top + row * len(parts) + 0.26)
    style.legend(sheet, (0, 0.06), named, [{"color": colours[name]} for name in named])
    axes = sheet.axes(left, top, WIDTH - left, row * len(parts))
    for name, colour in colours.items():
        places = [float(part["rank"][name]) for _, part in parts]
        axes.plot(places, range(len(parts)), color=colour, linewidth=1.6, zorder=1, gid="line")
        for at, (rank, (_, part)) in enumerate(zip(places, parts, strict=True)):
            filled = rank != first[name] and bool(part["sure"][name] if "sure" in part.columns else True)
            face = colour if filled else style.PAPER
            axes.scatter(rank, at, s=260, facecolor=face, edgecolor=colour, linewidth=1.4, zorder=3, gid="dot")
            how: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": SMALL - 1, "zorder": 4, "gid": "rate"}
            axes.text(rank, at, f"{100 * part['estimate'][name]:.0f}", color=style.ink_on(face) if filled else INK, **how)
    axes.set(xlim=(0.5, len(first) + 0.5), ylim=(len(parts) - 0.5, -0.5), yticks=[])
    axes.set_xticks(range(1, len(first) + 1))
    axes.xaxis.tick_top()
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(axis="x", length=0, labelcolor=MUTED)
    sheet.note(0, top - 0.13, "rank by win rate")
    for at, (value, _) in enumerate(parts):
        weight = "normal" if at else "bold"
        sheet.text(0, top + row * (at + 0.5), fit(str(value), left - 0.15, BODY), fontweight=weight, gid="variant")
    beyond = f", beyond chance ({SURE})" if "sure" in frame.columns else ""
    note = f"In the dots: win rates in %; filled: rank differs from the first row{beyond}; {_games(frame)} games each"
    return sheet.close(0, note, 0.08)
