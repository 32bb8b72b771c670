"""Line charts: over turns and other small numbers, over the course of games, and of entrants from one variant to the next."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from analysis.answer.numbers import counted, number, percent, points
from analysis.charts import style
from analysis.charts.layout import End, Entry, Grid, name_ends, number_ticks, panel_grid, room_around, squares, sure_key
from analysis.charts.style import BLUE, BODY, FAINT, HAIR, INK, MUTED, SMALL, STRONG, SURE, WEAK, WIDTH, Sheet, clean, column, fit
from analysis.stats.intervals import FAIR_BAND

LEFT, FOOT = 0.46, 0.62  # inches: labels of the y axis, and of the x axis with the note
DOTS_MOST = 40  # points of a line, above which they have no dots
PANEL_HUES = tuple(colour for colour in style.CATEGORIES if colour != style.YELLOW)  # yellow lines are hard to see on paper


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


@style.form("turns", "estimate", "n", given=("panels", "lines"), default={"seats": ""})
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


@style.form("level", "name", "estimate", "low", "high", "n", "fair", "side", "turns", default={"turns": 0})
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
        ends = []
        for name, line in style.groups(part.sort_values("x"), "line"):
            band = "band" if (line["low"] < line["high"]).any() else ""
            dot: dict[str, Any] = {"marker": "o", "markersize": 4, "clip_on": False} if len(line) <= DOTS_MOST else {}
            _line(axes, line, "x", "estimate", colours[name], band=band, **dot)
            end = float(column(line, "estimate")[-1])
            ends.append(End(str(name), end, colours[name], bold=False, mark={"markersize": 4}, size=SMALL))
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
