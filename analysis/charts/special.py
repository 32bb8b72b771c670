"""Charts for special subjects: boards, single games, drafts, levels of play, calibration.

Board: heat map of the hexes of a board.

Course: winning chances of all seats through a game, with blunders and luck.

Picks: worth of each part as the first pick of a draft, and when each part is picked.

Scatter: how often something is used, and the effect of a use.

Rungs: ratings of levels of play, the best on top, and how often each beats the one below.

Reliability: predicted and actual winning chances, one panel per number of seats and one colour per evaluation.
"""

from math import sqrt
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.charts import style
from analysis.charts.style import (
    AMBER,
    BLUE,
    BODY,
    CATEGORIES,
    FAINT,
    HAIR,
    HEADING,
    INK,
    LINE,
    MUTED,
    PAPER,
    SEQUENTIAL,
    SMALL,
    WIDTH,
    Box,
    Sheet,
    beside,
    clean,
    fit,
    leader,
    legend,
    spread,
    width_of,
    words_column,
    wrapped,
)
from analysis.document.model import count, counted, percent, percent_range

HEAD, FOOT, GAP = 0.48, 0.5, 0.35  # inches
PER_ROW = 2
TALLEST = 3.6
EDGE = 0.05  # of a hex radius: space for the outline
# Corners of a flat-top hex of radius 1, y down; edge i joins corners i and i + 1 and faces NEIGHBOURS[i].
CORNERS = np.array([(np.cos(np.pi / 3 * at), np.sin(np.pi / 3 * at)) for at in range(6)])
NEIGHBOURS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
FIGURES = 6.3  # points
LEAST_FIGURE = 0.3  # inches: narrower hexes have no figure


@style.housed
def board(
    frame: pd.DataFrame, *, panels: str = "panel", shared: bool = True, unit: str = "share of the panel's cases"
) -> Figure:
    """Map of a board of flat-top hexes (axial q, r; r increases downwards), one panel per value of `panels`.

    frame: `panels`, q, r, value (share 0..1; nan if unknown); optionally n (cases of the panel). The board of a panel consists of
    its rows and is outlined. shared: one colour scale for all panels.
    """
    style.require(frame, (panels, "q", "r", "value"), "board")
    parts = style.groups(frame, panels)
    if not parts:
        return style.nothing()
    x, y = _centres(frame)
    spans = (float(np.ptp(x)) + 2 + 2 * EDGE, float(np.ptp(y)) + sqrt(3) + 2 * EDGE)
    across = min(PER_ROW, len(parts))
    room = (WIDTH - GAP * (across - 1)) / across
    width = min(room, TALLEST * spans[0] / spans[1])
    height = width * spans[1] / spans[0]
    down = -(-len(parts) // across)
    sheet = Sheet(WIDTH, down * (HEAD + height + FOOT))
    reach = (1 + EDGE, sqrt(3) / 2 + EDGE)
    whole = (float(x.min()) - reach[0], float(x.max()) + reach[0], float(y.min()) - reach[1], float(y.max()) + reach[1])
    most = float(np.nanmax([*style.column(frame, "value"), 1e-9]))
    for index, (name, part) in enumerate(parts):
        left, top = (index % across) * (room + GAP), (index // across) * (HEAD + height + FOOT)
        peak = most if shared else float(np.nanmax([*style.column(part, "value"), 1e-9]))
        sheet.text(left, top + 0.1, clean(str(name)), fontsize=HEADING, fontweight="bold")
        cases = style.column(part, "n")
        if np.isfinite(cases).any():
            sheet.text(left, top + 0.28, f"n = {count(float(np.nanmax(cases)))}", fontsize=SMALL, color=MUTED)
        axes = sheet.axes(left, top + HEAD, width, height)
        _map(axes, part, peak, width / spans[0])
        axes.set_xlim(whole[0], whole[1])
        axes.set_ylim(whole[3], whole[2])
        if index == 0 or not shared:
            _scale(sheet, (left, top + HEAD + height + 0.16), peak, unit)
    return sheet.figure


def _centres(frame: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Centres of the hexes for a hex radius of 1, y down."""
    q, r = style.column(frame, "q"), style.column(frame, "r")
    return 1.5 * q, sqrt(3) * (r + q / 2)


def _map(axes: Axes, part: pd.DataFrame, peak: float, inch: float) -> None:
    """Draw the hexes of one panel. inch: inches per hex radius."""
    x, y = _centres(part)
    values = style.column(part, "value")
    shades = [SEQUENTIAL(value / peak) if np.isfinite(value) else PAPER for value in values]
    outlines = np.stack([x, y], axis=1)[:, None, :] + CORNERS[None, :, :]
    axes.add_collection(PolyCollection(list(outlines), facecolors=shades, edgecolors=PAPER, linewidths=0.8, gid="hex"))
    land = set(zip(part["q"].astype(int), part["r"].astype(int), strict=True))
    shore = [
        [outlines[index, edge], outlines[index, (edge + 1) % 6]]
        for index, (q, r) in enumerate(zip(part["q"].astype(int), part["r"].astype(int), strict=True))
        for edge, (dq, dr) in enumerate(NEIGHBOURS)
        if (q + dq, r + dr) not in land
    ]
    axes.add_collection(LineCollection(shore, colors=MUTED, linewidths=1.1, capstyle="round", gid="shore"))
    if 2 * inch >= LEAST_FIGURE and width_of("8.8", FIGURES) < 1.6 * inch:
        for place, value, shade in zip(np.stack([x, y], axis=1), values, shades, strict=True):
            if np.isfinite(value):
                how: dict[str, Any] = {
                    "ha": "center",
                    "va": "center_baseline",
                    "fontsize": FIGURES,
                    "color": style.ink_on(shade),
                }
                axes.text(place[0], place[1], f"{100 * value:.1f}", gid="figure", **how)
    axes.set_axis_off()


def _scale(sheet: Sheet, corner: tuple[float, float], peak: float, unit: str) -> None:
    left, top = corner
    bar = sheet.axes(left, top, 1.5, 0.08)
    sheet.figure.colorbar(ScalarMappable(Normalize(0, peak), SEQUENTIAL), cax=bar, orientation="horizontal", ticks=[])
    bar.spines[:].set_visible(False)
    sheet.text(left, top + 0.17, "0", fontsize=SMALL, color=MUTED)
    sheet.text(left + 1.5, top + 0.17, percent(peak), ha="right", fontsize=SMALL, color=MUTED)
    sheet.text(left + 1.62, top + 0.04, f"{clean(unit)}, in %", fontsize=SMALL, color=MUTED)


LEFT, TOP, HEIGHT, COURSE_FOOT = 0.46, 0.5, 3.0, 0.62  # inches
WIDEST_NAME, COURSE_LINE = 1.5, 0.32  # inches: of a name, between two of them
MARK = 0.14  # inches between a line and a mark above or below it
TICKS = 12  # approximate number of labelled turns
MARKS: dict[str, dict[str, Any]] = {  # kind -> how it is drawn
    "blunder": {"marker": "X", "markersize": 7.5, "markerfacecolor": INK, "markeredgecolor": "white"},
    "mistake": {"marker": "x", "markersize": 4.5, "markerfacecolor": INK, "markeredgecolor": INK},
    "lucky": {"marker": "^", "markersize": 6.5, "markeredgecolor": "white"},
    "unlucky": {"marker": "v", "markersize": 6.5, "markeredgecolor": "white"},
}
WORDS = {
    "blunder": "blunder",
    "mistake": "mistake",
    "lucky": "lucky roll or draw",
    "unlucky": "unlucky roll or draw",
}


@style.housed
def course(frame: pd.DataFrame, marks: pd.DataFrame, *, turning: float | None = None, note: str = "") -> Figure:
    """Winning chances by decision, one line per seat, named at the right; marks are on the line of the seat that they concern.

    frame: line (seat's name), x (number of the decision, ascending), turn (1, 2, ...), estimate (chance 0..1). marks: line, x,
    kind (see MARKS). turning: x of the turning point, a dashed line. note: text below on the source of the chances.
    """
    style.require(frame, ("line", "x", "turn", "estimate"), "course")
    style.require(marks, ("line", "x", "kind"), "course")
    parts = style.groups(frame, "line")
    if not parts:
        return style.nothing()
    names = [clean(str(name)) for name, _ in parts]
    room = words_column(names, BODY, WIDEST_NAME) + 0.2
    sheet = Sheet(WIDTH, TOP + HEIGHT + COURSE_FOOT)
    axes = sheet.axes(LEFT, TOP, WIDTH - LEFT - room, HEIGHT)
    colours = {str(name): CATEGORIES[index % len(CATEGORIES)] for index, (name, _) in enumerate(parts)}
    for name, part in parts:
        x, chance = style.column(part, "x"), style.column(part, "estimate")
        axes.plot(x, chance, color=colours[str(name)], linewidth=1.6, zorder=2, gid="line", clip_on=False)
        _marks(axes, part, marks[marks["line"].astype(str) == str(name)], colours[str(name)])
    _axes(axes, frame, len(parts), turning)
    used = [kind for kind in MARKS if (marks["kind"] == kind).any()]
    keys = [(WORDS[kind], {"color": MUTED, **MARKS[kind]}) for kind in used]
    if turning is not None:
        keys.append(("turning point", {"marker": "|", "color": MUTED, "markersize": 9}))
    sheet.key(LEFT, 0.06, keys)
    sheet.text(0, TOP - 0.16, "\u2191 winning chance", fontsize=SMALL, color=MUTED)
    _names(sheet, parts, colours)
    sheet.text(LEFT, sheet.height - 0.06, fit(clean(note), WIDTH - LEFT, SMALL), fontsize=SMALL, color=MUTED)
    return sheet.figure


def _marks(axes: Axes, part: pd.DataFrame, marks: pd.DataFrame, colour: str) -> None:
    """Draw the marks of a seat: luck beside its line, above if lucky, decisions on the line."""
    chance = dict(zip(style.column(part, "x"), style.column(part, "estimate"), strict=True))
    away = MARK / HEIGHT
    for x, kind in zip(style.column(marks, "x"), marks["kind"], strict=True):
        side = {"lucky": away, "unlucky": -away}.get(str(kind), 0.0)
        look = {"markerfacecolor": colour, **MARKS[str(kind)]}
        place = min(1.0, max(0.0, chance[x] + side))
        axes.plot([x], [place], linestyle="none", zorder=4, clip_on=False, gid=str(kind), **look)


def _axes(axes: Axes, frame: pd.DataFrame, seats: int, turning: float | None) -> None:
    """Set scales from the first decision to the end; turns are numbered where they begin."""
    first = frame.drop_duplicates("turn").sort_values("x")
    x, turns = style.column(first, "x"), style.column(first, "turn")
    every = max(1, -(-len(x) // TICKS))
    axes.set_xticks(x[::every], [f"{turn:.0f}" for turn in turns[::every]])
    axes.set_xlim(float(np.min(x)), max(float(style.column(frame, "x").max()), float(np.min(x)) + 1))
    axes.set_ylim(0, 1)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.grid(axis="y", color=HAIR)
    style.percent_axis(axes.yaxis)
    axes.axhline(1 / max(2, seats), color=FAINT, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1, gid="even")
    if turning is not None:
        axes.axvline(turning, color=MUTED, linewidth=0.9, linestyle=(0, (2, 2)), zorder=1, gid="turning")
    axes.set_xlabel("turn (width: number of decisions)", loc="left")


def _names(sheet: Sheet, parts: list[tuple[Any, pd.DataFrame]], colours: dict[str, str]) -> None:
    """Name each line at the right, near the height of its end."""
    ends = np.array([np.nan_to_num(style.column(part, "estimate")[-1]) for _, part in parts])
    places = spread(TOP + HEIGHT * (1 - ends), COURSE_LINE, TOP, TOP + HEIGHT)
    width = words_column([clean(str(name)) for name, _ in parts], BODY, WIDEST_NAME)
    for (name, part), y in zip(parts, places, strict=True):
        x = WIDTH - width - 0.05
        sheet.text(x, y, fit(str(name), width, BODY), color=colours[str(name)], gid="label")
        least = percent(float(np.nanmin(style.column(part, "estimate"))), 0)
        words = f"lowest {least}"
        if width_of(words, SMALL) <= width:
            sheet.text(x, y + 0.14, words, fontsize=SMALL, color=MUTED)


ROW, PICKS_HEAD, PICKS_FOOT, PICKS_GAP = 0.25, 0.3, 0.3, 0.35  # inches
PICKS_WIDEST_NAME = 1.6
VALUE, TAKEN = 0.56, 0.62  # widths of the columns of numbers
APART = 0.13  # of a row: distance of its two marks from the middle
LEAST = 0.01  # half of the narrowest panel of values
ROOM = 0.35  # of a pick, beside the first and the last


@style.housed
def picks(
    frame: pd.DataFrame,
    *,
    last: int | None = None,
    words: tuple[str, str] = ("best play", "seen in games"),
    fair: float = 0.5,
) -> Figure:
    """Left: winning chance of the first drafter by first pick; right: mean number of the pick by part.

    frame: name, value (chance 0..1), pick (mean number of the pick, 1..last; nan if never picked), seen (the same in games that
    were played; nan without such games), taken (share of these games in which it was picked), n (of these games). Rows keep their
    order. last: number of the last pick; by default the largest in the frame. words: names of `pick` and `seen`. fair: position
    of the line in the left panel.
    """
    style.require(frame, ("name", "value", "pick", "seen", "taken", "n"), "picks")
    if not len(frame):
        return style.nothing()
    played = bool(np.isfinite(style.column(frame, "seen")).any())
    if last is None:
        last = int(np.ceil(np.nanmax([*style.column(frame, "pick"), *style.column(frame, "seen"), 1.0])))
    entries = _entries(words, played)
    top = 0.1 + LINE * len(wrapped([label for label, _ in entries], WIDTH)) + PICKS_HEAD
    sheet = Sheet(WIDTH, top + ROW * len(frame) + PICKS_FOOT + 0.2)
    left = words_column(style.texts(frame, "name"), BODY, PICKS_WIDEST_NAME) + 0.15
    room = WIDTH - left - VALUE - PICKS_GAP - TAKEN
    width = room / 2
    right = left + width + VALUE + PICKS_GAP
    legend(sheet, (0, 0.1), [label for label, _ in entries], [mark for _, mark in entries])
    for words_, x in (("First drafter wins, picking it first", left), ("Number of the pick", right)):
        sheet.text(x, top - 0.16, fit(words_, width + VALUE, BODY, bold=True), fontsize=BODY, fontweight="bold")
    if played:
        sheet.text(WIDTH, top - 0.16, "picked in", ha="right", fontsize=SMALL, color=MUTED)
    _values(sheet.axes(left, top, width, ROW * len(frame)), frame, fair)
    _numbers(sheet.axes(right, top, width, ROW * len(frame)), frame, last)
    _columns(sheet, frame, (left, top, left + width + VALUE))
    if played:
        known = style.column(frame, "n")[np.isfinite(style.column(frame, "seen"))]
        sheet.text(0, sheet.height - 0.08, f"{words[1]}: {counted(list(known))} drafts", fontsize=SMALL, color=MUTED)
    return sheet.figure


def _entries(words: tuple[str, str], played: bool) -> list[tuple[str, dict[str, Any]]]:
    """Legend of the right panel."""
    filled = (words[0], {"color": INK})
    hollow = (words[1], {"marker": "D", "color": MUTED, "markerfacecolor": "white", "markersize": 4})
    return [filled, hollow] if played else [filled]


def _values(axes: Axes, frame: pd.DataFrame, fair: float) -> None:
    """Draw the worth of each first pick: a line from even to the chance, orange above, blue below."""
    value, rows = style.column(frame, "value"), np.arange(len(frame))
    colours = [style.STRONG if chance > fair else style.WEAK for chance in value]
    axes.hlines(rows, fair, value, color=[style.pale(colour, 0.45) for colour in colours], linewidth=2.2, zorder=2)
    axes.scatter(value, rows, s=26, color=colours, zorder=3, gid="value")
    axes.axvline(fair, color=MUTED, linewidth=0.8, zorder=1, gid="fair")
    low, high = float(np.nanmin([*value, fair])), float(np.nanmax([*value, fair]))
    room = max(0.08 * (high - low), LEAST)
    axes.set_xlim(low - room, high + room)
    axes.locator_params(axis="x", nbins=5)
    ticks = [tick for tick in axes.get_xticks() if low - room <= tick <= high + room]
    axes.set_xticks(ticks)
    style.percent_axis(axes.xaxis, 0 if all(abs(100 * tick - round(100 * tick)) < 1e-6 for tick in ticks) else 1)
    _lines(axes, len(frame))


def _numbers(axes: Axes, frame: pd.DataFrame, last: int) -> None:
    """Draw when each part is picked: filled in best play, hollow in games."""
    rows = np.arange(len(frame)).astype(float)
    pick, seen = style.column(frame, "pick"), style.column(frame, "seen")
    apart = np.where(np.isfinite(pick) & np.isfinite(seen), APART, 0.0)
    for number in range(1, last + 1):
        axes.axvline(number, color=style.HAIR, linewidth=0.6, zorder=0.5)
    both = apart > 0
    ends = [np.minimum(pick, seen)[both], np.maximum(pick, seen)[both]]
    axes.hlines(rows[both], *ends, color=FAINT, linewidth=0.9, zorder=1, gid="gap")
    how: dict[str, Any] = {"s": 15, "marker": "D", "facecolor": "white", "edgecolor": MUTED, "linewidth": 0.9}
    axes.scatter(seen, rows + apart, zorder=2, gid="seen", **how)
    axes.scatter(pick, rows - apart, s=24, color=INK, zorder=3, gid="pick")
    axes.set_xlim(1 - ROOM, last + ROOM)
    axes.set_xticks(range(1, last + 1))
    _lines(axes, len(frame))


def _lines(axes: Axes, rows: int) -> None:
    """Draw hairlines between the rows."""
    for row in range(1, rows):
        axes.axhline(row - 0.5, color=style.HAIR, linewidth=0.5, zorder=0.5)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_yticks([])


def _columns(sheet: Sheet, frame: pd.DataFrame, corner: tuple[float, float, float]) -> None:
    """Write names and numbers. corner: left and top of the panels, and right end of the values."""
    left, top, end = corner
    fields = (style.column(frame, name) for name in ("value", "taken"))
    for row, (name, value, taken) in enumerate(zip(style.texts(frame, "name"), *fields, strict=True)):
        y = top + ROW * (row + 0.5)
        sheet.text(0, y, fit(name, left - 0.12, BODY), gid="name")
        if np.isfinite(value):
            sheet.text(end, y, percent(value), ha="right")
        if np.isfinite(taken):
            sheet.text(WIDTH, y, percent(taken, 0), ha="right", fontsize=SMALL, color=MUTED)


SCATTER_LEFT, SCATTER_TOP, SCATTER_HEIGHT, SCATTER_FOOT = 0.5, 0.16, 4.1, 0.72  # inches
WIDEST_LABEL = 1.5
DOT = 0.04  # inches: half the space for a dot
SCATTER_LINE = 0.125  # inches: height of a label


@style.housed
def scatter(
    frame: pd.DataFrame,
    *,
    x_label: str = "use rate",
    y_label: str = "effect per use",
    x_percent: bool = True,
    y_percent: bool = False,
) -> Figure:
    """One labelled dot per row, with error bars if known; dashed lines at the medians.

    frame: label, x, y, n; optionally group (in small type below the label), x_low, x_high, y_low, y_high.
    Labels avoid dots, medians and each other. If there is no space for a label, it may cross a median; if there is still none,
    the dots farthest from the medians are labelled and the note names the others.
    """
    style.require(frame, ("label", "x", "y", "n"), "scatter")
    known = frame[np.isfinite(style.column(frame, "x")) & np.isfinite(style.column(frame, "y"))]
    if not len(known):
        return style.nothing()
    sheet = Sheet(WIDTH, SCATTER_TOP + SCATTER_HEIGHT + SCATTER_FOOT)
    width = WIDTH - SCATTER_LEFT
    axes = sheet.axes(SCATTER_LEFT, SCATTER_TOP, width, SCATTER_HEIGHT)
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
    silent = _label(axes, known, (width, SCATTER_HEIGHT))
    barred = {"y_low", "y_high"} <= set(frame.columns)
    note = f"{counted(list(style.column(known, 'n')))} per dot; dashes: medians" + (
        "; bars: intervals" if barred else ""
    )
    left_out = len(frame) - len(known)
    note += f"; without data, not shown: {left_out}" if left_out else ""
    sheet.text(SCATTER_LEFT, sheet.height - 0.08, note, fontsize=SMALL, color=MUTED)
    if silent:
        named = fit(f"too crowded to label: {len(silent)} ({', '.join(silent)})", width, SMALL)
        sheet.text(SCATTER_LEFT, sheet.height - 0.24, named, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _limits(axes: Axes, frame: pd.DataFrame) -> None:
    """Set scales: from zero if the data are near it, with space for labels at the right and above."""
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
    """Label the dots, farthest from the medians first. Returns the names of dots without a label."""
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
    for index in np.argsort(-far, kind="stable"):
        name, owner = fit(names[index], WIDEST_LABEL, SMALL), fit(owners[index], WIDEST_LABEL, 6.5)
        wide = max(width_of(name, SMALL), width_of(owner, 6.5) if owner else 0)
        others = [*spots[:index], *spots[index + 1 :]]
        tall = SCATTER_LINE * (2 if owner else 1)
        box = beside(spots[index], (wide, tall), taken + medians, size, others)
        box = box or beside(spots[index], (wide, tall), taken, size, others)
        if box is None:
            silent.append(f"{clean(owners[index])}: {clean(names[index])}" if owners[index] else clean(names[index]))
            continue
        line = leader((across[index], up[index]), box)
        taken += [box, *line]
        if line:
            spot = box.nearest((across[index], up[index]))
            ends = np.array([(across[index], up[index]), spot]) / size
            axes.plot(*ends.T, color=FAINT, linewidth=0.6, transform=axes.transAxes, zorder=1.5, gid="leader")
        scale: dict[str, Any] = {"transform": axes.transAxes, "va": "center_baseline", "ha": "left"}
        scale["bbox"] = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.4}  # hides a median line below the label
        x, top = box.left / size[0], box.top - SCATTER_LINE / 2
        axes.text(x, top / size[1], name, fontsize=SMALL, color=INK, gid="label", **scale)
        if owner:
            axes.text(x, (top - SCATTER_LINE) / size[1], owner, fontsize=6.5, color=MUTED, gid="group", **scale)
    return silent


RUNGS_ROW, RUNGS_HEAD, RUNGS_FOOT = 0.42, 0.34, 0.52  # inches
RUNGS_WIDEST_NAME = 1.6
RATE, RANGE, GAMES = 0.95, 0.85, 0.7  # widths of the columns of numbers


@style.housed
def rungs(frame: pd.DataFrame, *, step: float = 0.6, level: float = 0.95) -> Figure:
    """Levels with their ratings and intervals, the first row of the frame at the bottom.

    frame: name, elo, elo_low, elo_high (points), rate, rate_low, rate_high (win rate against the previous level, shares; nan for
    the first), n (games of these). A rate of `step` or more is bold: a clear step.
    """
    style.require(frame, ("name", "elo", "elo_low", "elo_high", "rate", "rate_low", "rate_high", "n"), "rungs")
    if not len(frame):
        return style.nothing()
    ordered = frame.iloc[::-1].reset_index(drop=True)
    sheet = Sheet(WIDTH, RUNGS_HEAD + RUNGS_ROW * len(ordered) + RUNGS_FOOT)
    left = words_column(style.texts(ordered, "name"), BODY, RUNGS_WIDEST_NAME) + 0.2
    width = WIDTH - left - RATE - RANGE - GAMES
    axes = sheet.axes(left, RUNGS_HEAD, width, RUNGS_ROW * len(ordered))
    _rungs(axes, ordered)
    _rungs_columns(sheet, ordered, left, step)
    note = f"Dots with {percent(level, 0)} intervals; bold: a clear step, {percent(step, 0)} or more"
    sheet.text(0, sheet.height - 0.08, fit(note, WIDTH, SMALL), fontsize=SMALL, color=MUTED)
    sheet.text(left, 0.1, "Elo points", fontsize=SMALL, color=MUTED)
    heads = (("beats the one below", GAMES + RANGE), (f"{percent(level, 0)} interval", GAMES), ("games", 0.0))
    for words, room in heads:
        sheet.text(WIDTH - room, 0.1, words, ha="right", fontsize=SMALL, color=MUTED)
    return sheet.figure


def _rungs(axes: Axes, ordered: pd.DataFrame) -> None:
    """Draw dots with intervals, and lines from each level to the next."""
    rows = np.arange(len(ordered))
    value, low, high = (style.column(ordered, name) for name in ("elo", "elo_low", "elo_high"))
    axes.plot(value, rows, color=FAINT, linewidth=1.4, zorder=1, gid="way")
    axes.hlines(rows, low, high, color=BLUE, linewidth=1.8, zorder=2, gid="interval")
    axes.scatter(value, rows, s=34, color=BLUE, zorder=3, edgecolor="white", linewidth=0.6, gid="dot")
    axes.set_ylim(len(ordered) - 0.5, -0.5)
    ends = np.array([*low, *high, *value])
    ends = ends[np.isfinite(ends)] if np.isfinite(ends).any() else np.zeros(1)
    reach = max(float(np.ptp(ends)), 1.0)
    axes.set_xlim(ends.min() - 0.05 * reach, ends.max() + 0.05 * reach)
    axes.set_yticks([])
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda tick, _: count(tick)))
    axes.grid(axis="x", color=HAIR)


def _rungs_columns(sheet: Sheet, ordered: pd.DataFrame, left: float, step: float) -> None:
    values = [style.column(ordered, name) for name in ("rate", "rate_low", "rate_high", "n")]
    for row, (name, rate, low, high, n) in enumerate(zip(style.texts(ordered, "name"), *values, strict=True)):
        y = RUNGS_HEAD + RUNGS_ROW * (row + 0.5)
        sheet.text(0, y, fit(name, left - 0.12, BODY), gid="name")
        if np.isnan(rate):
            continue
        weight = "bold" if rate >= step else "normal"
        sheet.text(WIDTH - GAMES - RANGE, y, percent(rate), ha="right", fontweight=weight, gid="rate")
        sheet.text(WIDTH - GAMES, y, percent_range(low, high), ha="right", fontsize=SMALL, color=MUTED)
        sheet.text(WIDTH, y, count(n), ha="right", fontsize=SMALL, color=MUTED)


RELIABILITY_LEFT, RELIABILITY_TOP, RELIABILITY_FOOT, RELIABILITY_GAP = 0.42, 0.62, 0.5, 0.3  # inches
WIDEST = 4.0  # inches: panels are square
LOOKS = ((BLUE, "o"), (AMBER, "s"), (MUTED, "^"))  # the first is for the subject of the chart
ASIDE = 0.008  # horizontal offset between evaluations, whose dots would overlap
RELIABILITY_TICKS = (0, 0.25, 0.5, 0.75, 1)


@style.housed
def reliability(frame: pd.DataFrame, *, label: str = "predicted winning chance", level: float = 0.95) -> Figure:
    """Dots with intervals at predicted chances and actual shares; on the dashed line both are equal.

    frame: seats, evaluation (at most three), chance (mean prediction, 0..1), estimate, low, high (actual share; nan:
    no interval), n.
    """
    style.require(frame, ("seats", "evaluation", "chance", "estimate", "low", "high", "n"), "reliability")
    parts = style.groups(frame, "seats")
    if not parts:
        return style.nothing()
    kinds = [clean(str(kind)) for kind in dict.fromkeys(frame["evaluation"])][: len(LOOKS)]
    across = min(len(parts), 3 if len(parts) == 3 else 2)
    side = min(WIDEST, (WIDTH - RELIABILITY_LEFT - RELIABILITY_GAP * (across - 1)) / across)
    head = 0.06 + LINE * len(wrapped(kinds, WIDTH - RELIABILITY_LEFT)) + 0.06
    down = -(-len(parts) // across)
    sheet = Sheet(WIDTH, head + down * (RELIABILITY_TOP + side + RELIABILITY_FOOT) + 0.12)
    marks = [{"marker": mark, "color": colour} for colour, mark in LOOKS[: len(kinds)]]
    legend(sheet, (RELIABILITY_LEFT, 0.06), kinds, marks)
    for index, (seats, part) in enumerate(parts):
        left, top = (
            RELIABILITY_LEFT + (index % across) * (side + RELIABILITY_GAP),
            head + (index // across) * (RELIABILITY_TOP + side + RELIABILITY_FOOT),
        )
        sheet.text(left, top + 0.13, style.seats_heading(seats), fontsize=HEADING, fontweight="bold")
        sheet.text(
            left, top + 0.31, f"{counted(list(style.column(part, 'n')))} games a dot", fontsize=SMALL, color=MUTED
        )
        axes = sheet.axes(left, top + RELIABILITY_TOP, side, side)
        _frame(axes, index % across == 0)
        for number, kind in reversed(list(enumerate(kinds))):
            _reliability_dots(axes, part[part["evaluation"].map(lambda name: clean(str(name))) == kind], number)
        axes.set_xlabel(f"{clean(label)} \u2192", loc="right")
    sheet.text(0, head + RELIABILITY_TOP - 0.09, "\u2191 share of the win", fontsize=SMALL, color=MUTED)
    note = f"On the dashed line predictions are exactly right; whiskers: {percent(level, 0)} intervals over games"
    sheet.text(RELIABILITY_LEFT, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _frame(axes: Axes, first: bool) -> None:
    """Draw a square of chances with its diagonal. first: whether it is the first of its row."""
    axes.plot([0, 1], [0, 1], color=FAINT, linewidth=0.9, linestyle=(0, (3, 3)), zorder=1, gid="diagonal")
    axes.set_xlim(-0.01, 1.01)
    axes.set_ylim(-0.01, 1.01)
    for axis, ticks in ((axes.xaxis, axes.set_xticks), (axes.yaxis, axes.set_yticks)):
        ticks(list(RELIABILITY_TICKS))
        style.percent_axis(axis)
    axes.grid(color=HAIR)
    axes.tick_params(labelleft=first)


def _reliability_dots(axes: Axes, part: pd.DataFrame, number: int) -> None:
    """Draw the dots of an evaluation. number: its index."""
    colour, mark = LOOKS[number]
    chance = style.column(part, "chance") + ASIDE * ((number + 1) // 2) * (-1) ** number
    estimate, low, high = (style.column(part, name) for name in ("estimate", "low", "high"))
    known = np.isfinite(low) & np.isfinite(high)
    strength = 1.0 if number == 0 else 0.55
    tint = style.pale(colour, strength)
    axes.vlines(chance[known], low[known], high[known], color=tint, linewidth=1.1, zorder=2 + strength, gid="interval")
    size = 24 if number == 0 else 15
    how: dict[str, Any] = {"marker": mark, "color": [tint], "edgecolor": PAPER, "linewidth": 0.5, "clip_on": False}
    axes.scatter(chance, estimate, s=size, zorder=3 + strength, gid="dot", **how)
