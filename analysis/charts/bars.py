"""Bar charts.

Bars: win rate by turn position or seat, from zero, beside the fair share.

Shares: vertical bars for the parts of a whole, or for a share by period, each with its interval.

Stacked: composition of an entrant's total.

Amounts: mean amount of an entrant, and its composition.

Gauges: nested bars in small panels, how often something was possible and how often it was done.

Lengths: small panels, each with a histogram of the length of games and the cumulative share.

Dice: exact distribution as bars and simulated one as dots, in a grid of small panels.
"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from analysis.charts import style
from analysis.charts.style import (
    BLUE,
    BODY,
    CATEGORIES,
    FAINT,
    HAIR,
    HEADING,
    INK,
    LINE,
    MUTED,
    ORANGE,
    PAPER,
    SKY,
    SMALL,
    STRONG,
    WEAK,
    WIDTH,
    Sheet,
    broken,
    clean,
    fit,
    legend,
    words_column,
    wrapped,
)
from analysis.document.model import THIN, count, counted, decimal, number, percent, percent_range

LEFT, TOP, HEIGHT, FOOT, GAP = 0.42, 0.55, 1.9, 0.55, 0.4  # inches
WIDEST_BAR = 0.85
BAR = 0.62  # of the space for a position


@style.housed
def bars(frame: pd.DataFrame, *, panels: str = "seats", position: str = "position", level: float = 0.95) -> Figure:
    """Win rate by position with intervals, one panel per value of `panels`, all on one scale from zero.

    frame: `panels`, `position` (0-based turn position, or words), estimate, low, high, fair (shares 0..1), n.
    A bar is coloured if its interval excludes the fair share.
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
    for index, (value, part) in enumerate(parts):
        axes = sheet.axes(left, TOP, slot * len(part), HEIGHT)
        sheet.text(left, 0.1, style.seats_heading(value), fontsize=HEADING, fontweight="bold")
        fair = style.column(part, "fair")
        words = f"fair share {percent(float(fair[0]))}" if np.isfinite(fair[0]) else "no fair share"
        sheet.text(left, 0.27, words, fontsize=SMALL, color=MUTED)
        sheet.text(left, 0.42, f"{counted(list(style.column(part, 'n')))} each", fontsize=SMALL, color=MUTED)
        axes.set_ylim(0, max(top, 0.05))
        _panel(axes, part, position, slot)
        axes.set_yticks([tick for tick in axes.get_yticks() if tick <= top + 1e-9] if index == 0 else [])
        style.percent_axis(axes.yaxis)
        left += slot * len(part) + GAP
    legend = [
        ("above the fair share", {"color": STRONG, "marker": "s"}),
        ("below it", {"color": WEAK, "marker": "s"}),
        ("its interval includes it", {"color": FAINT, "marker": "s"}),
    ]
    end = sheet.key(LEFT, TOP + HEIGHT + 0.5, legend)
    sheet.text(
        end, TOP + HEIGHT + 0.5, f"dashes: fair share   whiskers: {percent(level, 0)} intervals", fontsize=SMALL, color=MUTED
    )
    return sheet.figure


def _panel(axes: Axes, part: pd.DataFrame, position: str, slot: float) -> None:
    estimate, low, high, fair = (style.column(part, name) for name in ("estimate", "low", "high", "fair"))
    places = np.arange(len(part))
    known = np.isfinite(estimate)
    colours = np.where(low > fair, STRONG, np.where(high < fair, WEAK, FAINT))
    axes.bar(places[known], estimate[known], width=BAR, color=[style.pale(colour, 0.75) for colour in colours[known]], gid="bar")
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
    """Write 0-based positions as 1st, 2nd, 3rd...; words unchanged."""
    if isinstance(value, (int, np.integer)):
        place = int(value) + 1
        ending = "th" if 10 <= place % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
        return f"{place}{ending}"
    return number(value) if isinstance(value, float) else clean(str(value))


SHARES_LEFT, SHARES_TOP, SHARES_HEIGHT, HEAD, SHARES_GAP = 0.46, 0.22, 1.9, 0.34, 0.35  # inches
SHARES_LINE, LINES_MAX = 0.14, 3  # of the names below the bars
SHARES_WIDEST_BAR, SHARES_BAR = 1.6, 0.62  # space for a bar in inches, and the share of it that the bar fills
SHARES_FOOT = 0.3


@style.housed
def shares(
    frame: pd.DataFrame,
    *,
    panels: str | None = None,
    label: str = "share",
    what: str = "games",
    colour: str = style.BLUE,
    level: float = 0.95,
) -> Figure:
    """Vertical bars from zero, in the order given; one panel per value of `panels`, if given, all on one scale.

    frame: name, estimate, low, high (shares 0..1; nan: no bar), n. label: words for the axis; what: noun for what n counts.
    """
    style.require(frame, ("name", "estimate", "low", "high", "n"), "shares")
    if not len(frame):
        return style.nothing()
    parts = style.groups(frame, panels) if panels else [("", frame)]
    slots = sum(len(part) for _, part in parts)
    slot = min(SHARES_WIDEST_BAR, (WIDTH - SHARES_LEFT - SHARES_GAP * (len(parts) - 1)) / slots)
    names = [broken(name, slot - 0.08, SMALL, LINES_MAX) for name in style.texts(frame, "name")]
    head = SHARES_TOP + HEAD * bool(panels)
    sheet = Sheet(WIDTH, head + SHARES_HEIGHT + SHARES_LINE * max(map(len, names)) + 0.12 + SHARES_FOOT)
    sheet.text(0, 0.04, f"\u2191 {clean(label)}", fontsize=SMALL, color=MUTED)
    ends = [*style.column(frame, "high"), *style.column(frame, "estimate"), 0.02]
    top = min(1.0, 1.14 * float(np.nanmax(ends)))
    left, first = SHARES_LEFT, 0
    for index, (value, part) in enumerate(parts):
        width = slot * len(part)
        if panels:
            sheet.text(left, SHARES_TOP + 0.08, fit(str(value), width, HEADING), fontsize=HEADING, fontweight="bold")
        axes = sheet.axes(left, head, width, SHARES_HEIGHT)
        _shares_panel(axes, part, top, colour)
        axes.tick_params(labelleft=index == 0)
        _names(sheet, names[first : first + len(part)], (left, head + SHARES_HEIGHT + 0.13, slot))
        left, first = left + width + SHARES_GAP, first + len(part)
    note = f"Whiskers: {percent(level, 0)} intervals; {counted(list(style.column(frame, 'n')))} {clean(what)}"
    sheet.text(SHARES_LEFT, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _shares_panel(axes: Axes, part: pd.DataFrame, top: float, colour: str) -> None:
    estimate, low, high = (style.column(part, name) for name in ("estimate", "low", "high"))
    places = np.arange(len(part))
    known = np.isfinite(estimate)
    face = style.pale(colour, 0.75)
    axes.set_ylim(0, top)
    axes.bar(places[known], estimate[known], width=SHARES_BAR, color=face, gid="bar")
    axes.vlines(places[known], low[known], high[known], color=INK, linewidth=1.2, zorder=3, gid="interval")
    how: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "fontsize": style.BODY, "gid": "rate"}
    for place, rate, end in zip(places[known], estimate[known], high[known], strict=True):
        over = max(rate, end) if np.isfinite(end) else rate
        axes.annotate(percent(float(rate)), (place, over), (0, 4), fontweight="bold", annotation_clip=False, **how)
    for place in places[~known]:
        axes.annotate("no cases", (place, 0), (0, 4), color=MUTED, **how)
    axes.set_xlim(-0.5, len(part) - 0.5)
    axes.set_xticks([])
    axes.grid(axis="y", color=HAIR)
    style.percent_axis(axes.yaxis)


def _names(sheet: Sheet, names: list[list[str]], corner: tuple[float, float, float]) -> None:
    """Write the names of the bars. corner: left edge, height of the first line, width per bar."""
    left, top, slot = corner
    for place, lines in enumerate(names):
        for line, words in enumerate(lines):
            text = fit(words, slot - 0.04, SMALL)
            sheet.text(left + slot * (place + 0.5), top + SHARES_LINE * line, text, ha="center", fontsize=SMALL, gid="name")


ROW, STACKED_BAR, STACKED_FOOT = 0.27, 0.74, 0.5  # inches; STACKED_BAR is a share of ROW
WIDEST_NAME, GAMES = 2.6, 0.75
LEAST_LABEL = 0.26  # inches: a narrower segment is not labelled


@style.housed
def stacked(
    frame: pd.DataFrame,
    *,
    category: str = "category",
    unit: str = "cases",
    level: float = 0.95,
    order: Literal["share", "given"] = "share",
) -> Figure:
    """Horizontal bars of 100 %, one per entrant, divided by `category`, sorted by the first category or in the order given.

    frame: name, `category` (drawn in order of appearance), estimate (0..1 of the name's total), n (cases of the name);
    optionally low and high, whose largest half-width the note gives. unit: noun for what n counts.
    """
    style.require(frame, ("name", category, "estimate", "n"), "stacked")
    if not len(frame):
        return style.nothing()
    kinds = list(dict.fromkeys(frame[category].astype(str)))
    names, shares, counts = _table(frame, category, kinds, order)
    left = words_column([clean(name) for name in names], BODY, WIDEST_NAME) + 0.12
    colours = style.hues(kinds)
    lines = wrapped(kinds, WIDTH - left)
    top = 0.1 + LINE * len(lines) + 0.06
    sheet = Sheet(WIDTH, top + ROW * len(names) + STACKED_FOOT)
    legend(sheet, (left, 0.06), kinds, [{"marker": "s", "color": colour} for colour in colours])
    width = WIDTH - left - GAMES
    axes = sheet.axes(left, top, width, ROW * len(names))
    _bars(axes, shares, colours, width)
    sheet.text(WIDTH, top - 0.08, unit, ha="right", fontsize=SMALL, color=MUTED)
    for row, name in enumerate(names):
        y = top + ROW * (row + 0.5)
        sheet.text(0, y, fit(name, left - 0.1, BODY))
        sheet.text(WIDTH, y, count(counts[row]), ha="right", fontsize=SMALL, color=MUTED)
    half = (style.column(frame, "high") - style.column(frame, "low")) / 2
    if np.isfinite(half).any():
        note = f"{percent(level, 0)} intervals extend at most {100 * np.nanmax(half):.1f} points to either side of a share."
        sheet.text(left, sheet.height - 0.08, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _table(frame: pd.DataFrame, category: str, kinds: list[str], order: str) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Names (with "share" sorted by the shares of the first category, then the next), shares by name and kind, cases by name."""
    names = list(dict.fromkeys(frame["name"].astype(str)))
    shares, counts = np.zeros((len(names), len(kinds))), np.zeros(len(names))
    rows = frame["name"].astype(str).map({name: index for index, name in enumerate(names)}).to_numpy(dtype=int)
    columns = frame[category].astype(str).map({kind: index for index, kind in enumerate(kinds)}).to_numpy(dtype=int)
    shares[rows, columns] = np.nan_to_num(style.column(frame, "estimate"))
    counts[rows] = np.nan_to_num(style.column(frame, "n"))
    if order == "given":
        return names, shares, counts
    by_share = np.lexsort([*(-shares[:, kind] for kind in reversed(range(len(kinds)))), counts == 0])
    return [names[index] for index in by_share], shares[by_share], counts[by_share]


def _bars(axes: Axes, shares: np.ndarray, colours: list[Any], width: float) -> None:
    rows = np.arange(len(shares))
    start = np.zeros(len(shares))
    for kind, colour in enumerate(colours):
        part = shares[:, kind]
        axes.barh(rows, part, left=start, height=STACKED_BAR, color=colour, edgecolor=PAPER, linewidth=0.8, gid="segment")
        for row in rows[part * width >= LEAST_LABEL]:
            middle = start[row] + part[row] / 2
            how: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": SMALL, "color": style.ink_on(colour)}
            axes.text(middle, row, f"{100 * part[row]:.0f}", gid="share", **how)
        start = start + part
    for row in rows[start == 0]:
        axes.text(0, row, "no cases", va="center_baseline", fontsize=SMALL, color=MUTED)
    axes.set_xlim(0, 1)
    axes.set_ylim(len(shares) - 0.5, -0.5)
    axes.set_yticks([])
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
    style.percent_axis(axes.xaxis)


AMOUNTS_ROW, AMOUNTS_BAR, AMOUNTS_HEAD, AMOUNTS_FOOT, AMOUNTS_GAP = (
    0.25,
    0.74,
    0.3,
    0.24,
    0.06,
)  # inches; AMOUNTS_BAR is a share of AMOUNTS_ROW
AMOUNTS_WIDEST_NAME, MEAN, RANGE, AMOUNTS_GAMES = 1.9, 0.6, 0.95, 0.7  # widths of the columns of words and numbers
SMALL_PART = 0.1  # of the longest bar: a panel with only smaller values gets a separate scale
ASIDE = 0.27  # of a row: offset of whiskers below the figures in the bars
AMOUNTS_LEAST_LABEL = 0.3  # inches: a narrower segment is not labelled
REST = CATEGORIES[-1]  # grey, for the remaining categories


@style.housed
def amounts(
    frame: pd.DataFrame,
    *,
    panels: str = "seats",
    category: str = "category",
    unit: str = "per game",
    rest: str = "other",
    level: float = 0.95,
) -> Figure:
    """Horizontal bars of mean amounts, divided by `category`, one panel per value of `panels`, on one scale.

    frame: `panels`, name, `category` (in its own order or that of appearance; `rest` in grey, last), estimate (mean of the
    category), total, low, high (mean of all categories of the name and its interval), n. Rows keep their order. Negative amounts
    are drawn to the left. A panel in which all bars are below a tenth of that scale has a separate one, named in the note. unit:
    of the amounts, for the axis.
    """
    needed = (panels, "name", category, "estimate", "total", "low", "high", "n")
    style.require(frame, needed, "amounts")
    parts = style.groups(frame, panels)
    if not parts:
        return style.nothing()
    kinds = sorted(_kinds(frame[category]), key=lambda kind: kind == rest)
    marks = [{"marker": "s", "color": colour} for colour in _colours(kinds, rest)]
    rows = [list(dict.fromkeys(part["name"].astype(str))) for _, part in parts]
    left = words_column([clean(name) for names in rows for name in names], BODY, AMOUNTS_WIDEST_NAME) + 0.12
    top = 0.1 + LINE * len(wrapped(kinds, WIDTH)) + 0.04
    sheet = Sheet(WIDTH, top + sum(AMOUNTS_HEAD + AMOUNTS_ROW * len(names) + AMOUNTS_FOOT + AMOUNTS_GAP for names in rows) + 0.12)
    legend(sheet, (0, 0.06), kinds, marks)
    width = WIDTH - left - MEAN - RANGE - AMOUNTS_GAMES
    right = WIDTH - AMOUNTS_GAMES
    for words, x in (("mean", right - RANGE), (f"{percent(level, 0)} interval", right), ("games", WIDTH)):
        sheet.text(x, top + 0.13, words, ha="right", fontsize=SMALL, color=MUTED)
    reach, apart = _reach(frame, [panels, "name"]), []
    for (value, part), names in zip(parts, rows, strict=True):
        own_reach = _reach(part, [panels, "name"])
        small = max(map(abs, own_reach)) < SMALL_PART * max(map(abs, reach))
        apart += [str(style.seats_heading(value))] if small else []
        sheet.text(0, top + 0.13, style.seats_heading(value), fontsize=HEADING, fontweight="bold")
        axes = sheet.axes(left, top + AMOUNTS_HEAD, width, AMOUNTS_ROW * len(names))
        _amounts_panel(axes, part.assign(category=part[category].astype(str)), names, dict(zip(kinds, marks, strict=True)))
        axes.set_xlim(own_reach if small else reach)
        _label(axes, width)
        axes.tick_params(axis="x", pad=2)
        _columns(sheet, part, names, left, top + AMOUNTS_HEAD)
        top += AMOUNTS_HEAD + AMOUNTS_ROW * len(names) + AMOUNTS_FOOT + AMOUNTS_GAP
    note = f"Length: {clean(unit)}; figures in the bars: their parts of it; whiskers: {percent(level, 0)} intervals."
    note += f" On a separate scale: {', '.join(apart)}." if apart else ""
    sheet.text(left, sheet.height - 0.08, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _kinds(categories: pd.Series) -> list[str]:
    """Categories that occur, in their order if categorical, else in order of appearance."""
    present = dict.fromkeys(categories.astype(str))
    if isinstance(categories.dtype, pd.CategoricalDtype):
        return [str(kind) for kind in categories.cat.categories if str(kind) in present]
    return list(present)


def _colours(kinds: list[str], rest: str) -> list[str]:
    named = [kind for kind in kinds if kind != rest]
    colours = dict(zip(named, style.hues(named), strict=True))
    return [REST if kind == rest else colours[kind] for kind in kinds]


def _reach(frame: pd.DataFrame, keys: list[str]) -> tuple[float, float]:
    """Ends of every panel's axis, from zero, the longest bars and the intervals."""
    signed = frame.assign(up=frame["estimate"].clip(lower=0), down=frame["estimate"].clip(upper=0))
    sums = signed.groupby([*keys], sort=False, observed=True)[["up", "down"]].sum()
    high = float(np.nanmax([*sums["up"], *style.column(frame, "high"), 0.0]))
    low = float(np.nanmin([*sums["down"], *style.column(frame, "low"), 0.0]))
    return (1.04 * low, 1.04 * high if high > low else 1.0)


def _amounts_panel(axes: Axes, part: pd.DataFrame, names: list[str], marks: dict[str, dict[str, Any]]) -> None:
    place = {name: row for row, name in enumerate(names)}
    rows = part["name"].astype(str).map(place).to_numpy(dtype=int)
    ends = {side: np.zeros(len(names)) for side in (False, True)}  # of the bars to the left and to the right
    for kind, mark in marks.items():
        chosen = (part["category"] == kind).to_numpy()
        for row, amount in zip(rows[chosen], style.column(part, "estimate")[chosen], strict=True):
            if np.isfinite(amount) and amount != 0:
                start = ends[amount > 0]
                axes.barh(
                    row,
                    amount,
                    left=start[row],
                    height=AMOUNTS_BAR,
                    color=mark["color"],
                    edgecolor=PAPER,
                    linewidth=0.5,
                    gid="segment",
                )
                start[row] += amount
    whole = part.drop_duplicates("name")
    places = whole["name"].astype(str).map(place).to_numpy(dtype=int)
    axes.hlines(
        places + ASIDE,
        style.column(whole, "low"),
        style.column(whole, "high"),
        color=INK,
        linewidth=1.2,
        zorder=4,
        gid="interval",
    )
    axes.axvline(0, color=style.FAINT, linewidth=0.7)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks([])


def _label(axes: Axes, width: float) -> None:
    """Write the amount into every segment that is wide enough. width: of the axes, inches."""
    low, high = axes.get_xlim()
    for bar in axes.patches:
        box = bar.get_path().get_extents(bar.get_patch_transform())
        if abs(box.width) / (high - low) * width >= AMOUNTS_LEAST_LABEL:
            how: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": SMALL, "gid": "share"}
            middle = ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
            colour = style.ink_on(to_rgb(bar.get_facecolor()))
            axes.text(*middle, _two(abs(box.width), max(high, -low)), color=colour, **how)


def _columns(sheet: Sheet, part: pd.DataFrame, names: list[str], left: float, top: float) -> None:
    whole = part.drop_duplicates("name").assign(name=lambda table: table["name"].astype(str)).set_index("name")
    for row, name in enumerate(names):
        y = top + AMOUNTS_ROW * (row + 0.5)
        sheet.text(0, y, fit(name, left - 0.1, BODY))
        total, low, high, n = (float(whole[column].to_numpy()[row]) for column in ("total", "low", "high", "n"))
        if np.isnan(total):
            sheet.text(WIDTH, y, "no games", ha="right", fontsize=SMALL, color=MUTED)
            continue
        words = "\u2013" if np.isnan(low) else f"{_two(low)} to {_two(high)}"
        sheet.text(WIDTH - AMOUNTS_GAMES - RANGE, y, _two(total), ha="right")
        sheet.text(WIDTH - AMOUNTS_GAMES, y, words, ha="right", fontsize=SMALL, color=MUTED)
        sheet.text(WIDTH, y, count(n), ha="right", fontsize=SMALL, color=MUTED)


def _two(value: float, beside: float = 0.0) -> str:
    """Write a mean with two decimals, fewer if it or the number beside it is large."""
    largest = max(abs(value), beside)
    digits = 2 if largest < 10 else 1 if largest < 100 else 0
    return decimal(value, digits)


GAUGES_GAP = 0.3
GAUGES_ROW, GAUGES_HEAD, SPACE, GAUGES_TOP, GAUGES_FOOT = 0.215, 0.26, 0.2, 0.3, 0.34  # inches
SHORT_NAME, GAUGES_WIDEST_NAME, FIGURES = (0.95, 1.8, 0.56)  # with short names there are three panels in a row, else two
POSSIBLE = style.pale(BLUE, 0.28)
LOOKS = (POSSIBLE, BLUE)


@style.housed
def gauges(
    frame: pd.DataFrame, *, words: Sequence[str] = ("possible", "done"), label: str = "the turns", level: float = 0.95
) -> Figure:
    """One panel per value of `panel`, one row per thing: a pale bar for possible, a narrow dark bar for done.

    frame: panel, name, possible, possible_low, possible_high, done, done_low, done_high (shares; nan: never), n. All panels have
    one scale; figures at the right: done, then possible, in per cent. words: names of the two; label: what they are shares of.
    """
    needed = ("panel", "name", "possible", "possible_low", "possible_high", "done", "done_low", "done_high", "n")
    style.require(frame, needed, "gauges")
    if not len(frame):
        return style.nothing()
    parts = style.groups(frame, "panel")
    name = words_column(style.texts(frame, "name"), SMALL, GAUGES_WIDEST_NAME) + 0.06
    across = 3 if name <= SHORT_NAME else 2
    room = (WIDTH - GAUGES_GAP * (across - 1)) / across
    lines = [max(len(part) for _, part in parts[index : index + across]) for index in range(0, len(parts), across)]
    heights = [GAUGES_HEAD + GAUGES_ROW * rows + SPACE for rows in lines]
    sheet = Sheet(WIDTH, GAUGES_TOP + sum(heights) + GAUGES_FOOT)
    key = [(clean(word), {"marker": "s", "color": look}) for word, look in zip(words, LOOKS, strict=True)]
    end = sheet.key(0, 0.06, key)
    sheet.text(end, 0.06, f"figures: {clean(words[1])} / {clean(words[0])}, in % of {clean(label)}", fontsize=SMALL, color=MUTED)
    most = 1.04 * float(np.nanmax([*style.column(frame, "possible_high"), *style.column(frame, "possible"), 0.05]))
    for index, (value, part) in enumerate(parts):
        left, top = (index % across) * (room + GAUGES_GAP), GAUGES_TOP + sum(heights[: index // across])
        sheet.text(left, top + 0.1, fit(str(value), room, HEADING), fontsize=HEADING, fontweight="bold", gid="panel")
        axes = sheet.axes(left + name, top + GAUGES_HEAD, room - name - FIGURES, GAUGES_ROW * len(part))
        _gauges_bars(axes, part, most)
        _words(sheet, part, (left, top + GAUGES_HEAD), (name, room))
    note = f"Lines at the ends: {percent(level, 0)} intervals; {counted(list(style.column(frame, 'n')))} games"
    sheet.text(0, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _gauges_bars(axes: Axes, part: pd.DataFrame, most: float) -> None:
    rows = np.arange(len(part))
    for field, look, height in (("possible", POSSIBLE, 0.74), ("done", BLUE, 0.34)):
        values = np.nan_to_num(style.column(part, field))
        axes.barh(rows, values, height=height, color=look, gid=field)
        low, high = (style.column(part, f"{field}_{end}") for end in ("low", "high"))
        seen = np.isfinite(low) & np.isfinite(high)
        axes.hlines(rows[seen], low[seen], high[seen], color=INK, linewidth=0.9, zorder=3, gid="interval")
    axes.set_xlim(0, most)
    axes.set_ylim(len(part) - 0.5, -0.5)
    axes.axvline(0, color=HAIR, linewidth=0.8)
    axes.set_yticks([])
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)


def _words(sheet: Sheet, part: pd.DataFrame, corner: tuple[float, float], widths: tuple[float, float]) -> None:
    """Write names and figures of a panel. widths: of the names, of the panel."""
    (left, top), (name, room) = corner, widths
    figures = zip(style.texts(part, "name"), style.column(part, "done"), style.column(part, "possible"), strict=True)
    for row, (words, done, possible) in enumerate(figures):
        y = top + GAUGES_ROW * (row + 0.5)
        sheet.text(left, y, fit(words, name - 0.06, SMALL), fontsize=SMALL, gid="name")
        sheet.text(left + room - 0.3, y, _figure(done), ha="right", fontsize=SMALL, fontweight="bold", gid="figure")
        sheet.text(left + room, y, f"/ {_figure(possible)}", ha="right", fontsize=SMALL, color=MUTED)


def _figure(share: float) -> str:
    """Write a share in per cent without the sign."""
    return "\u2013" if np.isnan(share) else f"{100 * share:.1f}" if share < 0.0995 else f"{100 * share:.0f}"


LENGTHS_LEFT, LENGTHS_HEAD, LENGTHS_HEIGHT, LENGTHS_FOOT, LENGTHS_GAP, NOTE = (0.42, 0.52, 1.15, 0.34, 0.28, 0.36)  # inches
PER_ROW = 3
BARS = 24  # of the histogram, at most
TALLEST = 0.6  # of the height: the tallest bar of all panels
FULL = 0.99  # the axis ends where all curves have reached this
ENDS = (0.1, 0.5, 0.9)


@style.housed
def lengths(frame: pd.DataFrame, *, panels: str = "panel", value: str = "turns", label: str = "turns") -> Figure:
    """Histograms with cumulative curves, one panel per value of `panels`, all on one scale; median and 10 to 90 % in words.

    frame: `panels`, `value` (whole numbers at which games end, ascending), estimate (share of all games over by then, 0..1), n;
    optionally truncated (share of truncated games). label: unit of the length.
    """
    style.require(frame, (panels, value, "estimate", "n"), "lengths")
    parts = style.groups(frame, panels)
    if not parts:
        return style.nothing()
    across = min(PER_ROW, len(parts))
    width = (WIDTH - LENGTHS_LEFT - LENGTHS_GAP * (across - 1)) / across if len(parts) > 1 else WIDTH - LENGTHS_LEFT
    down = -(-len(parts) // across)
    sheet = Sheet(WIDTH, down * (LENGTHS_HEAD + LENGTHS_HEIGHT + LENGTHS_FOOT) + NOTE)
    right = max(1.0, *(_by(part, value, FULL * style.column(part, "estimate").max()) for _, part in parts))
    step = max(1, int(np.ceil(right / BARS)))
    bars = [_histogram(part, value, step) for _, part in parts]
    tallest = max([float(share.max(initial=0)) for _, share in bars] + [1e-9])
    for index, ((name, part), (starts, share)) in enumerate(zip(parts, bars, strict=True)):
        left, top = (
            LENGTHS_LEFT + (index % across) * (width + LENGTHS_GAP),
            (index // across) * (LENGTHS_HEAD + LENGTHS_HEIGHT + LENGTHS_FOOT),
        )
        sheet.text(left, top + 0.1, fit(str(name), width, BODY, bold=True), fontweight="bold", gid="panel")
        _say(sheet, part, value, (left, top + 0.26, width))
        axes = sheet.axes(left, top + LENGTHS_HEAD, width, LENGTHS_HEIGHT)
        axes.bar(starts, share / tallest * TALLEST, step, align="edge", color=SKY, alpha=0.6, linewidth=0, gid="bar")
        _curve(axes, part, value)
        style.share_axis(axes, right, top=1.02)
        axes.tick_params(labelleft=index % across == 0)
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        if index + across >= len(parts):
            axes.set_xlabel(clean(label), loc="left")
    note = f"Line: share of the games that are over; dot: median. Bars: lengths by {count(step)}, the tallest "
    note += f"{percent(tallest, 1 if tallest < 0.1 else 0)} of the games."
    sheet.text(LENGTHS_LEFT, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _by(part: pd.DataFrame, value: str, share: float) -> float:
    """Smallest length by which `share` of the games are over; NaN if this is never reached."""
    there = style.column(part, value)[style.column(part, "estimate") >= share]
    return float(there.min()) if there.size else float("nan")


def _histogram(part: pd.DataFrame, value: str, step: int) -> tuple[np.ndarray, np.ndarray]:
    """Left edges of bars of `step` turns, and the share of the games in each."""
    lengths, shares = style.column(part, value), np.diff(style.column(part, "estimate"), prepend=0.0)
    place = ((lengths - 1) // step).astype(int).clip(min=0)
    sums = np.bincount(place, shares)
    return np.arange(sums.size) * step + 0.5, sums


def _curve(axes: Axes, part: pd.DataFrame, value: str) -> None:
    lengths = np.concatenate([[0.0], style.column(part, value)])
    shares = np.concatenate([[0.0], style.column(part, "estimate")])
    axes.step(lengths, shares, where="post", color=BLUE, linewidth=1.5, gid="line")
    median = _by(part, value, 0.5)
    if np.isfinite(median):
        axes.plot([median], [0.5], "o", color=BLUE, markersize=4.5, markeredgecolor="white", zorder=4, gid="median")


def _say(sheet: Sheet, part: pd.DataFrame, value: str, corner: tuple[float, float, float]) -> None:
    """Write median and range, n and truncated share in two lines. corner: left, height of the first line, width."""
    left, top, width = corner
    low, median, high = (_by(part, value, share) for share in ENDS)
    line = f"median {number(median)}" if np.isfinite(median) else "median not reached"
    line += f" ({percent_range(ENDS[0], ENDS[-1], 0)}{THIN}%: {number(low)} to {number(high)})" if np.isfinite(high) else ""
    sheet.text(left, top, fit(line, width, SMALL), fontsize=SMALL, color=INK, gid="said")
    truncated = style.column(part, "truncated")
    share = float(truncated[0])
    stopped = f", {percent(share, 2)} truncated" if share > 0 else ", none truncated" if share == 0 else ""
    words = f"n = {count(style.column(part, 'n')[0])}{stopped}"
    sheet.text(left, top + 0.14, fit(words, width, SMALL), fontsize=SMALL, color=MUTED)


DICE_TOP, DICE_HEAD, DICE_HEIGHT, DICE_FOOT, DICE_GAP, BETWEEN = 0.28, 0.26, 0.72, 0.3, 0.12, 0.16  # inches
DICE_WIDEST_NAME, LEAST = 1.6, 0.8
HEADROOM = 1.35  # of the largest chance: space for the words above the bars
DICE_BARS = "#BFD9E8"
SURPRISING = 4.0  # standard errors: larger differences are not due to chance


@style.housed
def dice(frame: pd.DataFrame, *, rows: str = "row", columns: str = "column", label: str = "hits") -> Figure:
    """Exact chances and simulated shares of each value, one panel per `rows` x `columns`, all on one scale.

    frame: `rows`, `columns`, value (whole number), exact (chance 0..1); optionally simulated (share 0..1), n (simulated rolls),
    z (standard errors between the means, one per panel), name (of a row, by default `rows`) and group (in small type below the
    name). Absent panels stay empty.
    """
    style.require(frame, (rows, columns, "value", "exact"), "dice")
    if not len(frame):
        return style.nothing()
    down, across = list(pd.unique(frame[rows])), list(pd.unique(frame[columns]))
    called = _called(frame, rows)
    names, owners = ([words[index] for words in called.values()] for index in (0, 1))
    left = max(words_column(names, BODY, DICE_WIDEST_NAME), words_column(owners, SMALL, DICE_WIDEST_NAME)) + 0.15
    width = max(LEAST, (WIDTH - left - DICE_GAP * (len(across) - 1)) / len(across))
    sheet = Sheet(
        max(WIDTH, left + (width + DICE_GAP) * len(across)),
        DICE_TOP + DICE_HEAD + len(down) * (DICE_HEIGHT + BETWEEN) + DICE_FOOT,
    )
    _head(sheet, frame, label)
    values = style.column(frame, "value")
    limits = (float(values.min()) - 0.6, float(values.max()) + 0.6)
    top = HEADROOM * float(np.nanmax([*style.column(frame, "exact"), *style.column(frame, "simulated")]))
    parts: dict[Any, pd.DataFrame] = dict(list(frame.groupby([rows, columns], sort=False, observed=True)))
    for index, row in enumerate(down):
        y = DICE_TOP + DICE_HEAD + index * (DICE_HEIGHT + BETWEEN)
        _name(sheet, called[row], y + DICE_HEIGHT / 2, left - 0.12)
        for place, heading in enumerate(across):
            x = left + place * (width + DICE_GAP)
            if index == 0:
                sheet.text(x, DICE_TOP + 0.08, fit(str(heading), width, SMALL), fontsize=SMALL, color=INK, gid="heading")
            if (row, heading) in parts:
                axes = sheet.axes(x, y, width, DICE_HEIGHT)
                _dice_panel(axes, parts[(row, heading)], limits, top)
                axes.tick_params(labelbottom=index == len(down) - 1 or not _below(parts, down[index + 1 :], heading))
    z = abs(style.column(frame, "z"))
    note = counted(list(style.column(frame, "n"))) + " rolls per panel; " if "n" in frame.columns else ""
    if np.isfinite(z).any():
        note += f"z: standard errors between the means, largest {np.nanmax(z):.1f}"
    sheet.text(left, sheet.height - 0.08, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _called(frame: pd.DataFrame, rows: str) -> dict[Any, tuple[str, str]]:
    """Name and group of every row."""
    firsts = frame.drop_duplicates(rows)
    names = style.texts(firsts, "name" if "name" in frame.columns else rows)
    groups = style.texts(firsts, "group") if "group" in frame.columns else [""] * len(names)
    words = zip(map(clean, names), map(clean, groups), strict=True)
    return dict(zip(firsts[rows], words, strict=True))


def _name(sheet: Sheet, called: tuple[str, str], y: float, room: float) -> None:
    """Write the name of a row, with its group below."""
    name, group = called
    sheet.text(0, y - (0.08 if group else 0), fit(name, room, BODY), gid="name")
    if group:
        sheet.text(0, y + 0.08, fit(group, room, SMALL), fontsize=SMALL, color=MUTED, gid="group")


def _below(parts: dict[Any, pd.DataFrame], rows: list[Any], heading: Any) -> bool:
    return any((row, heading) in parts for row in rows)


def _head(sheet: Sheet, frame: pd.DataFrame, label: str) -> None:
    entries: list[tuple[str, dict[str, Any]]] = [
        (f"exact chance of each number of {clean(label)}", {"marker": "s", "color": DICE_BARS})
    ]
    if "simulated" in frame.columns:
        entries.append(("simulated", {"color": INK, "markersize": 3.5}))
    sheet.key(0, 0.06, entries)


def _dice_panel(axes: Axes, part: pd.DataFrame, limits: tuple[float, float], top: float) -> None:
    values, exact, simulated = (style.column(part, name) for name in ("value", "exact", "simulated"))
    axes.bar(values, exact, width=0.8, color=DICE_BARS, linewidth=0, gid="exact")
    known = np.isfinite(simulated)
    n = style.column(part, "n")
    if known.any():
        half = 1.96 * np.sqrt(np.clip(exact * (1 - exact), 0, None) / np.where(n > 0, n, np.nan))
        axes.vlines(values, exact - half, exact + half, color=MUTED, linewidth=0.8, zorder=2, gid="interval")
        axes.scatter(values[known], simulated[known], s=7, color=INK, linewidth=0, zorder=3, clip_on=False, gid="simulated")
    z = style.column(part, "z")
    if np.isfinite(z).any():
        score = float(z[np.isfinite(z)][0])
        far = abs(score) > SURPRISING
        words = f"mean {decimal(float(values @ exact), 2)}   z {decimal(score, 1)}"
        how: dict[str, Any] = {"ha": "right", "va": "top", "fontsize": 6.8, "transform": axes.transAxes}
        axes.text(1, 1, words, color=ORANGE if far else MUTED, fontweight="bold" if far else "normal", gid="z", **how)
    axes.set_xlim(*limits)
    axes.set_ylim(0, top)
    axes.set_yticks([])
    ticks = np.arange(np.ceil(limits[0]), np.floor(limits[1]) + 1)
    axes.set_xticks(ticks[:: max(1, len(ticks) // 8)])
    axes.tick_params(axis="x", length=0, pad=2, labelsize=6.8)
    axes.spines["bottom"].set_color(HAIR)
