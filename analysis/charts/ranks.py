"""Charts that follow entrants from one column or row to the next.

Slope: win rates under the default and under each variant.

Levels: win rates at each level of play, one line per entrant.

Strands: values of all names in each column, one line per name.

Ranks: ranking of all entrants under each variant, one row per variant.
"""

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.charts import style
from analysis.charts.style import (
    BAND,
    BODY,
    CATEGORIES,
    FAINT,
    HAIR,
    HEADING,
    INK,
    MUTED,
    PAPER,
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
from analysis.document.model import counted, percent, points
from analysis.stats.intervals import FAIR_BAND

TOP, HEAD, LEAST, FOOT, GAP = 0.22, 0.32, 1.7, 0.24, 0.3  # inches
PER_ROW = 2
LINE = 0.135  # inches between labels
WIDEST_NAME = 1.05


@style.housed
def slope(frame: pd.DataFrame, *, default: str | None = None, level: float = 0.95) -> Figure:
    """Win rates of every entrant under the default and under each variant: one panel per variant.

    frame: variant, name, estimate, low, high (shares 0..1), n; optionally change, change_low, change_high (from the default, with
    paired games), sure (whether the change is significant). default: name of the default variant, otherwise the first of the
    frame. A line is coloured if the change is significant: according to `sure`, else if the interval of the change excludes zero,
    or, without one, if the two intervals do not overlap. All panels have one scale; labels at the variant's end show the change
    in points.
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
    panel = (WIDTH - GAP * (PER_ROW - 1)) / PER_ROW  # also for a single panel, so that labels are placed alike
    label = words_column(style.texts(frame, "name"), SMALL, WIDEST_NAME) + 0.5
    _key(sheet)
    for index, variant in enumerate(others):
        left, top = (index % across) * (panel + GAP), TOP + (index // across) * block
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
    """One row per common entrant: both estimates with intervals, the change, and its sign if significant, else 0."""
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
        for x, suffix in ((0, "_0"), (1, "_1")):
            axes.vlines(x, row["low" + suffix], row["high" + suffix], color=colour, linewidth=1.1, zorder=order, gid="interval")
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


LEVELS_TOP, LEVELS_FOOT, LEVELS_LEAST = 0.3, 0.56, 2.4  # inches
LEVELS_LINE = 0.16  # inches between labels
LEVELS_WIDEST_NAME, RATE = 1.3, 0.5
AXIS = 0.42
UP, DOWN, BOTH_WAYS = 1, -1, 2  # values of `turns`
ROOM = 0.12  # of the distance between two levels, beside the outer ones


@style.housed
def levels(frame: pd.DataFrame, *, band: float = FAIR_BAND, left_out: int = 0, level: float = 0.95) -> Figure:
    """Win rates of every entrant at each level, from the left in the order of the frame, with names at both ends.

    frame: level, name, estimate, low, high (shares), n, fair (share), side (+1, -1: surely above or below the fair share, filled
    dots), turns (UP, DOWN or BOTH_WAYS: the entrant surely changes between below and above its fair share, drawn as a
    coloured line; 0: it does not). band: half-width of the pale band, relative to the fair share. left_out: number of entrants
    that move less and are not in the frame.
    """
    style.require(frame, ("level", "name", "estimate", "low", "high", "n", "fair", "side", "turns"), "levels")
    if not len(frame):
        return style.nothing()
    names, steps = list(dict.fromkeys(frame["name"].astype(str))), list(dict.fromkeys(frame["level"].astype(str)))
    label = words_column([str(name) for name in names], SMALL, LEVELS_WIDEST_NAME) + RATE
    height = max(LEVELS_LEAST, LEVELS_LINE * (len(names) + 3))
    sheet = Sheet(WIDTH, LEVELS_TOP + height + LEVELS_FOOT)
    both = len(steps) > 1
    left = AXIS + (label if both else 0)
    axes = sheet.axes(left, LEVELS_TOP, WIDTH - left - label - 0.1, height)
    limits = _levels_frame(axes, frame, steps, band, left)
    for name in names:
        _line(axes, frame[frame["name"].astype(str) == name], steps)
    gap = LEVELS_LINE * (limits[1] - limits[0]) / height
    _levels_labels(axes, frame, steps[-1], (len(steps) - 1, 1), (gap, limits, label))
    if both:
        _levels_labels(axes, frame, steps[0], (0, -1), (gap, limits, label))
    _levels_key(sheet, set(frame["turns"]))
    note = f"Filled: surely not at the fair share, open: may be even; bars: {percent(level, 0)} intervals; "
    note += f"{counted(list(style.column(frame, 'n')))} per dot"
    note += f"; {left_out} that move less are not drawn" if left_out else ""
    sheet.text(0, sheet.height - 0.08, fit(note, WIDTH, SMALL), fontsize=SMALL, color=MUTED)
    return sheet.figure


def _levels_key(sheet: Sheet, ways: set[int]) -> None:
    words = {
        UP: ("surely rises from below its fair share to above it", STRONG),
        DOWN: ("falls from above to below", WEAK),
        BOTH_WAYS: ("over and back", INK),
        0: ("stays on its side, or not sure", MUTED),
    }
    sheet.key(0, 0.06, [(label, {"color": colour}) for way, (label, colour) in words.items() if way in ways])


def _levels_frame(axes: Axes, frame: pd.DataFrame, steps: list[str], band: float, left: float) -> tuple[float, float]:
    """Draw scale, ticks, fair line and band; returns the limits of the scale. left: inches to the left of the axes."""
    low, high = (style.column(frame, name) for name in ("low", "high"))
    room = max(0.05 * float(np.nanmax(high) - np.nanmin(low)), 0.01)
    limits = (float(np.nanmin(low)) - room, float(np.nanmax(high)) + room)
    fair = [float(frame.loc[frame["level"].astype(str) == step, "fair"].iloc[0]) for step in steps]
    ends = np.array([-ROOM, *range(len(steps)), len(steps) - 1 + ROOM])
    line = np.array([fair[0], *fair, fair[-1]])
    axes.fill_between(ends, line * (1 - band), line * (1 + band), color=style.BAND, linewidth=0, zorder=0, gid="band")
    axes.plot(ends, line, color=MUTED, linewidth=0.8, zorder=1, gid="fair")
    axes.set_xlim(ends[0], ends[-1])
    axes.set_ylim(*limits)
    axes.set_xticks(range(len(steps)), [fit(step, 1.2, BODY) for step in steps])
    axes.tick_params(axis="x", length=0, labelsize=BODY, labelcolor=INK)
    axes.locator_params(axis="y", nbins=6)
    axes.tick_params(axis="y", left=False, pad=72 * (left - AXIS))  # beyond the names
    style.percent_axis(axes.yaxis)
    axes.grid(axis="y", color=style.HAIR)
    axes.spines["bottom"].set_visible(False)
    return limits


def _colour(row: pd.Series) -> str:
    return {UP: STRONG, DOWN: WEAK, BOTH_WAYS: INK}.get(int(row["turns"]), FAINT)


def _line(axes: Axes, rows: pd.DataFrame, steps: list[str]) -> None:
    """Draw the line of an entrant over the levels where it has games."""
    places = [steps.index(str(step)) for step in rows["level"]]
    colour = _colour(rows.iloc[0])
    mark = MUTED if colour == FAINT else colour
    order = 2 if colour == FAINT else 4
    values = [style.column(rows, name) for name in ("estimate", "low", "high")]
    axes.plot(places, values[0], color=colour, linewidth=1.6, zorder=order, gid="line")
    axes.vlines(places, values[1], values[2], color=colour, linewidth=1.1, zorder=order, gid="interval")
    faces = [mark if side else PAPER for side in rows["side"]]
    axes.scatter(places, values[0], s=20, facecolor=faces, edgecolor=mark, linewidth=1.0, zorder=order + 1, gid="dot")


def _levels_labels(
    axes: Axes, frame: pd.DataFrame, step: str, where: tuple[int, int], room: tuple[float, tuple[float, float], float]
) -> None:
    """Write names and rates beside an outer level. where: its position and side, -1 left; room: gap, limits, width in inches."""
    (place, side), (gap, limits, label) = where, room
    rows = frame[(frame["level"].astype(str) == step) & np.isfinite(style.column(frame, "estimate"))]
    ends = style.column(rows, "estimate")
    edge = place + side * ROOM
    for (_, row), y, end in zip(rows.iterrows(), spread(ends, gap, *limits), ends, strict=True):
        axes.plot([edge, edge + side * ROOM * 0.35], [end, y], color=FAINT, linewidth=0.5, clip_on=False)
        colour = _colour(row)
        ink = MUTED if colour == FAINT else colour
        words = f"{fit(str(row['name']), label - RATE, SMALL)}  {100 * end:.1f}"
        shift = side * 4
        axes.annotate(
            words,
            (edge + side * ROOM * 0.35, y),
            (shift, 0),
            textcoords="offset points",
            ha="left" if side > 0 else "right",
            va="center_baseline",
            fontsize=SMALL,
            color=ink,
            annotation_clip=False,
            gid="label",
        )


STRANDS_TOP, STRANDS_LEAST, STRANDS_FOOT = 0.52, 1.9, 0.3  # inches
STRANDS_LINE = 0.145  # inches between labels
TALL = 1.2  # height relative to the labels: values are bunched, and labels should stay close to them
STRANDS_WIDEST_NAME, SCALE = 1.75, 0.42  # widths of the columns of names and of the figures of the scale
APART, AWAY = 0.38, 0.05  # inches from an outer column to its labels, and between each of them and the connecting line
BESIDE = 0.022  # of the distance between two columns: space between intervals
INCH = 72.0  # points


@style.housed
def strands(
    frame: pd.DataFrame, *, columns: str = "column", label: str = "points of the win rate", level: float = 0.95
) -> Figure:
    """Differences of shares around zero by column, in the order given, with a line per name from each column to the next.

    frame: `columns`, name, estimate, low, high, n (all names in every column), sure (whether the name changed significantly from
    the previous column: that piece of its line is coloured and shows the intervals). label: words for the scale.
    """
    style.require(frame, (columns, "name", "estimate", "low", "high", "n", "sure"), "strands")
    groups = style.groups(frame, columns)
    if not groups:
        return style.nothing()
    titles = [str(title) for title, _ in groups]
    parts = [part.set_index(part["name"].astype(str)) for _, part in groups]
    height = max(STRANDS_LEAST, TALL * STRANDS_LINE * (len(parts[0]) + 1))
    sheet = Sheet(WIDTH, STRANDS_TOP + height + STRANDS_FOOT)
    wide = words_column(style.texts(frame, "name"), SMALL, STRANDS_WIDEST_NAME)
    left = SCALE + wide + APART
    width = WIDTH - left - wide - APART
    entries = [("rises beyond chance", {"color": STRONG}), ("falls beyond chance", {"color": WEAK})]
    sheet.key(0, 0.06, [*entries, ("may be chance", {"color": FAINT})])
    axes = sheet.axes(left, STRANDS_TOP, width, height)
    _ground(axes, parts, wide)
    _titles(sheet, titles, left, width)
    moved = [_piece(axes, index, *both) for index, both in enumerate(pairwise(parts))]
    inch = (axes.get_xlim()[1] - axes.get_xlim()[0]) / width, np.ptp(axes.get_ylim()) / height
    for side, part in ((-1, parts[0]), (1, parts[-1])):
        _strands_labels(axes, part, set().union(*moved), (side, wide, inch))
    half = float(np.nanmedian(style.column(frame, "high") - style.column(frame, "low"))) / 2
    note = f"{label}; bars: {percent(level, 0)} intervals where beyond chance, others about \u00b1{points(half)[1:]}; "
    note += counted(list(style.column(frame, "n")))
    sheet.text(0, sheet.height - 0.06, fit(note, WIDTH, SMALL), fontsize=SMALL, color=MUTED)
    return sheet.figure


def _ground(axes: Axes, parts: list[pd.DataFrame], wide: float) -> None:
    """Draw scale, columns, the zero line, and a dot per name and column."""
    ends = [0.0]
    for index, part in enumerate(parts):
        value = style.column(part, "estimate")
        how: dict[str, Any] = {"s": 9, "linewidth": 0, "zorder": 4, "clip_on": False, "gid": "dot"}
        axes.scatter(np.full(len(part), index), value, color=MUTED, **how)
        axes.axvline(index, color=BAND, linewidth=6, zorder=0, clip_on=False)
        ends += [*value[np.isfinite(value)]]
    for before, after in pairwise(parts):
        for name in _sure(after):
            ends += [end for part in (before, after) for end in _bounds(part, name)]
    low, high = float(np.nanmin(ends)), float(np.nanmax(ends))
    room = max(0.03 * (high - low), 0.002)
    axes.set_xlim(0, max(1, len(parts) - 1))
    axes.set_ylim(low - room, high + room)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    ticks = 100 * axes.get_yticks()
    digits = 0 if np.allclose(ticks, np.round(ticks), atol=1e-6) else 1
    axes.yaxis.set_major_formatter(FuncFormatter(lambda tick, _: points(tick, digits)))
    axes.tick_params(axis="y", length=0, pad=(APART + wide + AWAY) * INCH, labelcolor=MUTED)
    axes.grid(axis="y", color=HAIR)
    axes.axhline(0, color=MUTED, linewidth=0.8, zorder=1, gid="zero")


def _titles(sheet: Sheet, titles: list[str], left: float, width: float) -> None:
    """Write the names of the columns, the outer ones aligned with the edges."""
    last = len(titles) - 1
    for index, title in enumerate(titles):
        side = "left" if index == 0 else "right" if index == last else "center"
        words = fit(title, width / len(titles) - 0.05, BODY, bold=True)
        x = left + width * index / max(1, last)
        sheet.text(x, STRANDS_TOP - 0.14, words, fontsize=BODY, fontweight="bold", ha=side, gid="column")


def _sure(part: pd.DataFrame) -> list[str]:
    """Names with a significant change."""
    return [str(name) for name in part.index[part["sure"].to_numpy(dtype=bool)]]


def _value(part: pd.DataFrame, name: str, what: str) -> float:
    return float(part[what].to_numpy(np.float64)[part.index.get_loc(name)])


def _bounds(part: pd.DataFrame, name: str) -> tuple[float, float]:
    """Interval of a name in a column."""
    return _value(part, name, "low"), _value(part, name, "high")


def _piece(axes: Axes, index: int, before: pd.DataFrame, after: pd.DataFrame) -> set[str]:
    """Draw the lines from one column to the next; returns the names with a significant change."""
    sure = _sure(after)
    for name in after.index:
        ends = [_value(part, name, "estimate") for part in (before, after)]
        colour = FAINT if name not in sure else STRONG if ends[1] > ends[0] else WEAK
        wide, order = (1.7, 3) if name in sure else (0.9, 2)
        axes.plot([index, index + 1], ends, color=colour, linewidth=wide, zorder=order, clip_on=False, gid="line")
        if name in sure:
            shift = BESIDE * (sure.index(name) + 1)
            for x, part in ((index + shift, before), (index + 1 - shift, after)):
                low, high = _bounds(part, name)
                axes.vlines(x, low, high, color=colour, linewidth=1.1, zorder=5, gid="interval")
    return set(sure)


def _strands_labels(axes: Axes, part: pd.DataFrame, moved: set[str], how: tuple[int, float, tuple[float, float]]) -> None:
    """Write names beside an outer column. how: -1 left or 1 right, inches for a name, and an inch on both scales."""
    side, wide, (across, up) = how
    known = part[np.isfinite(style.column(part, "estimate"))]
    ends = style.column(known, "estimate")
    x = axes.get_xlim()[0 if side < 0 else 1]
    for name, end, place in zip(known.index, ends, spread(ends, STRANDS_LINE * up, *axes.get_ylim()), strict=True):
        words: dict[str, Any] = {"ha": "right" if side < 0 else "left", "va": "center_baseline", "fontsize": SMALL}
        words |= {"color": INK if name in moved else MUTED, "clip_on": False, "gid": "label"}
        axes.text(x + side * APART * across, place, fit(str(name), wide, SMALL), **words)
        lead = [x + side * AWAY * across, x + side * (APART - AWAY) * across]
        axes.plot(lead, [end, place], color=FAINT, linewidth=0.5, clip_on=False, zorder=1, gid="lead")


ROW, RANKS_FOOT, RANKS_LINE, RANKS_HEAD = 0.3, 0.26, 0.19, 0.3  # inches
RANKS_WIDEST_NAME = 2.6
NAMED = 8  # entrants up to which each has a colour; with more, only those that change rank


@style.housed
def ranks(frame: pd.DataFrame, *, variants: str = "variant", level: float = 0.95) -> Figure:
    """Ranks of all names, the best at the left, one row per variant in the order given and one line per name through the rows.

    frame: `variants`, name, rank (1 is the best, unique within a row), estimate (share 0..1), n; optionally sure (significant
    change of rank from the first row, drawn as a filled dot). All rows have the same names.
    """
    style.require(frame, (variants, "name", "rank", "estimate", "n"), "ranks")
    parts = style.groups(frame, variants)
    if not parts:
        return style.nothing()
    first = parts[0][1].sort_values("rank")
    names = list(first["name"].astype(str))
    colours = _colours(frame.assign(name=frame["name"].astype(str)), names)
    coloured = [name for name in names if colours[name] != FAINT]
    marks = [{"color": colours[name]} for name in coloured]
    left = words_column([clean(str(value)) for value, _ in parts], BODY, RANKS_WIDEST_NAME) + 0.2
    top = RANKS_LINE * len(wrapped(coloured, WIDTH)) + RANKS_HEAD
    sheet = Sheet(WIDTH, top + ROW * len(parts) + RANKS_FOOT)
    legend(sheet, (0, 0.06), coloured, marks)
    axes = sheet.axes(left, top, WIDTH - left, ROW * len(parts))
    _ranks_lines(axes, parts, colours)
    axes.set_xlim(0.5, len(names) + 0.5)
    axes.set_ylim(len(parts) - 0.5, -0.5)
    axes.set_yticks([])
    axes.set_xticks(range(1, len(names) + 1))
    axes.xaxis.tick_top()
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(axis="x", length=0, labelcolor=MUTED)
    sheet.text(0, top - 0.13, "rank by win rate", fontsize=SMALL, color=MUTED)
    for row, (value, _) in enumerate(parts):
        weight = "bold" if row == 0 else "normal"
        sheet.text(0, top + ROW * (row + 0.5), fit(str(value), left - 0.15, BODY), fontweight=weight, gid="variant")
    beyond = f", beyond chance ({percent(level, 0)})" if "sure" in frame.columns else ""
    note = f"In the dots: win rates in %; filled: rank differs from the first row{beyond}; "
    note += f"{counted(list(style.column(frame, 'n')))} games each"
    sheet.text(0, sheet.height - 0.08, fit(note, WIDTH, SMALL), fontsize=SMALL, color=MUTED)
    return sheet.figure


def _colours(frame: pd.DataFrame, names: list[str]) -> dict[str, str]:
    """A colour per name; with many names, only for those whose rank changes."""
    if len(names) <= NAMED:
        return {name: CATEGORIES[index % len(CATEGORIES)] for index, name in enumerate(names)}
    spread = frame.groupby("name")["rank"].agg(lambda rank: rank.max() - rank.min())
    moving = list(spread[spread > 0].sort_values(ascending=False, kind="stable").index[:NAMED])
    return {name: CATEGORIES[moving.index(name)] if name in moving else FAINT for name in names}


def _ranks_lines(axes: Axes, parts: list[tuple[object, pd.DataFrame]], colours: dict[str, str]) -> None:
    """Draw a line per name, and a dot with its win rate in every row."""
    ranks: dict[str, list[float]] = {name: [] for name in colours}
    before = dict(zip(parts[0][1]["name"].astype(str), style.column(parts[0][1], "rank"), strict=True))
    for row, (_, part) in enumerate(parts):
        sure = part["sure"].to_numpy(bool) if "sure" in part.columns else [True] * len(part)
        values = zip(part["name"].astype(str), style.column(part, "rank"), style.column(part, "estimate"), sure, strict=True)
        for name, rank, estimate, beyond in values:
            ranks[name].append(float(rank))
            filled = bool(beyond) and rank != before[name]
            face = colours[name] if filled else style.PAPER
            axes.scatter(rank, row, s=260, facecolor=face, edgecolor=colours[name], linewidth=1.4, zorder=3, gid="dot")
            ink = style.ink_on(face) if filled else INK
            how: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": SMALL - 1, "zorder": 4, "gid": "rate"}
            axes.text(rank, row, f"{100 * estimate:.0f}", color=ink, **how)
    for name, places in ranks.items():
        axes.plot(places, range(len(places)), color=colours[name], linewidth=1.6, zorder=1, gid="line")
