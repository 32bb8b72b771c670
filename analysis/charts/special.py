"""Charts of special subjects: boards, single games, use and effect, calibration."""

from math import sqrt
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure

from analysis.answer.numbers import count, counted, percent
from analysis.charts import style
from analysis.charts.layout import End, Grid, name_ends, panel_grid, scale_bar
from analysis.charts.style import (
    BLUE,
    BODY,
    FAINT,
    HAIR,
    INK,
    MUTED,
    PAPER,
    SMALL,
    STRONG,
    SURE,
    WEAK,
    WIDTH,
    Box,
    Sheet,
    clean,
    column,
    fit,
)

EDGE = 0.05  # of a hex radius: space for the outline
# Corners of a flat-top hex of radius 1, y down; edge i joins corners i and i + 1 and faces NEIGHBOURS[i].
CORNERS = np.array([(np.cos(np.pi / 3 * at), np.sin(np.pi / 3 * at)) for at in range(6)])
NEIGHBOURS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


@style.form("q", "r", "value", given=("panel",))
def board(frame: pd.DataFrame, *, shared: bool = True, unit: str = "share of the panel's cases") -> Figure:
    """Map of a board of flat-top hexes (axial q, r; r increases downwards), one panel per value of `panel`.

    frame: panel, q, r, value (share 0..1; nan if unknown); optionally n (cases of the panel). The board of a panel consists of
    its rows and is outlined. shared: one colour scale for all panels.
    """
    parts = style.groups(frame, "panel")

    def centres(part: pd.DataFrame) -> np.ndarray:
        """Centres of the hexes for a hex radius of 1, y down."""
        q, r = column(part, "q"), column(part, "r")
        return np.stack([1.5 * q, sqrt(3) * (r + q / 2)], axis=1)

    def cases(part: pd.DataFrame) -> str:
        n = column(part, "n")
        return f"n = {count(float(np.nanmax(n)))}" if np.isfinite(n).any() else ""

    reach = np.array([1 + EDGE, sqrt(3) / 2 + EDGE])
    low, high = centres(frame).min(axis=0) - reach, centres(frame).max(axis=0) + reach
    across, room = min(2, len(parts)), (WIDTH - 0.35 * (len(parts) > 1)) / min(2, len(parts))
    inch = min(room / (high - low)[0], 3.6 / (high - low)[1])  # inches per hex radius
    grid = Grid(head=0.48, left=0.0, gap=0.35, note=0.0)
    sheet, drawn = panel_grid(parts, across, inch * (high - low)[1], grid, heading=str, below=cases)
    most = float(np.nanmax([*column(frame, "value"), 1e-9]))
    for index, (axes, part, (left, top, _)) in enumerate(drawn):
        peak = most if shared else float(np.nanmax([*column(part, "value"), 1e-9]))
        values, places = column(part, "value"), centres(part)
        shades = [style.SEQUENTIAL(value / peak) if np.isfinite(value) else PAPER for value in values]
        outlines = places[:, None, :] + CORNERS[None, :, :]
        axes.add_collection(PolyCollection(list(outlines), facecolors=shades, edgecolors=PAPER, linewidths=0.8, gid="hex"))
        land = list(zip(part["q"].astype(int), part["r"].astype(int), strict=True))
        shore = [
            [outlines[at, edge], outlines[at, (edge + 1) % 6]]
            for at, (q, r) in enumerate(land)
            for edge, (dq, dr) in enumerate(NEIGHBOURS)
            if (q + dq, r + dr) not in set(land)
        ]
        axes.add_collection(LineCollection(shore, colors=MUTED, linewidths=1.1, capstyle="round", gid="shore"))
        if 2 * inch >= 0.3 and style.width_of("8.8", 6.3) < 1.6 * inch:  # narrower hexes have no figure
            for (x, y), value, shade in zip(places, values, shades, strict=True):
                how: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": 6.3, "color": style.ink_on(shade)}
                axes.text(x, y, f"{100 * value:.1f}" if np.isfinite(value) else "", gid="figure", **how)
        axes.set(xlim=(low[0], high[0]), ylim=(high[1], low[1]))
        axes.set_aspect("equal", anchor="NW")
        axes.set_axis_off()
        if index == 0 or not shared:
            corner = (left, top + inch * (high - low)[1] + 0.16)
            scale_bar(sheet, corner, style.SEQUENTIAL, (0, peak), ("0", percent(peak)), f"{clean(unit)}, in %")
    return sheet.figure


MARKS: dict[str, tuple[str, float, dict[str, Any]]] = {  # kind -> words, inches above the line, and how it is drawn
    "blunder": ("blunder", 0.0, {"marker": "X", "markersize": 7.5, "markerfacecolor": INK, "markeredgecolor": "white"}),
    "mistake": ("mistake", 0.0, {"marker": "x", "markersize": 4.5, "markerfacecolor": INK, "markeredgecolor": INK}),
    "lucky": ("lucky roll or draw", 0.14, {"marker": "^", "markersize": 6.5, "markeredgecolor": "white"}),
    "unlucky": ("unlucky roll or draw", -0.14, {"marker": "v", "markersize": 6.5, "markeredgecolor": "white"}),
}


@style.form("x", "turn", "estimate", given=("line",))
def course(frame: pd.DataFrame, marks: pd.DataFrame, *, turning: float | None = None, note: str = "") -> Figure:
    """Winning chances by decision, one line per seat, named at the right; marks are on the line of the seat that they concern.

    frame: line (seat's name), x (number of the decision, ascending), turn (1, 2, ...), estimate (chance 0..1). marks: line, x,
    kind (see MARKS). turning: x of the turning point, a dashed line. note: text below on the source of the chances.
    """
    style.require(marks, ("line", "x", "kind"), "course")
    parts = style.groups(frame, "line")
    left, top, height = 0.46, 0.5, 3.0
    room = style.words_column([str(name) for name, _ in parts], BODY, 1.5) + 0.22
    sheet = Sheet(WIDTH, top + height + 0.62)
    axes = sheet.axes(left, top, WIDTH - left - room, height)
    ends = []
    for index, (name, part) in enumerate(parts):
        colour, x, chance = style.CATEGORIES[index % len(style.CATEGORIES)], column(part, "x"), column(part, "estimate")
        axes.plot(x, chance, color=colour, linewidth=1.6, zorder=2, gid="line", clip_on=False)
        own, at = marks[marks["line"].astype(str) == str(name)], dict(zip(x, chance, strict=True))
        for place, kind in zip(column(own, "x"), own["kind"].astype(str), strict=True):
            _, above, look = MARKS[kind]
            y = min(1.0, max(0.0, at[place] + above / height))
            axes.plot([place], [y], linestyle="none", zorder=4, clip_on=False, gid=kind, **{"markerfacecolor": colour, **look})
        words = f"lowest {percent(float(np.nanmin(chance)), 0)}"
        fits = style.width_of(words, SMALL) <= room - 0.12
        ends.append(End(str(name), chance[-1], colour, words if fits else "", bold=False))
    first = frame.drop_duplicates("turn").sort_values("x")
    x, turns = column(first, "x"), column(first, "turn")
    every = max(1, -(-len(x) // 12))  # about twelve turns are numbered, where they begin
    axes.set_xticks(x[::every], [f"{turn:.0f}" for turn in turns[::every]])
    axes.set_xlim(float(np.min(x)), max(float(column(frame, "x").max()), float(np.min(x)) + 1))
    axes.set_ylim(0, 1)
    axes.set_yticks(style.QUARTERS)
    style.percent_grid(axes)
    axes.axhline(1 / max(2, len(parts)), color=FAINT, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1, gid="even")
    axes.set_xlabel("turn (width: number of decisions)", loc="left")
    keys = [(words, {"color": MUTED, **look}) for kind, (words, _, look) in MARKS.items() if (marks["kind"] == kind).any()]
    if turning is not None:
        axes.axvline(turning, color=MUTED, linewidth=0.9, linestyle=(0, (2, 2)), zorder=1, gid="turning")
        keys.append(("turning point", {"marker": "|", "color": MUTED, "markersize": 9}))
    sheet.key(left, 0.06, keys)
    sheet.note(0, top - 0.16, "\u2191 winning chance")
    name_ends(sheet, axes, ends, room, 0.32)
    return sheet.close(left, note)


@style.form(
    "evaluation", "chance", "estimate", "low", "high", "n", given=("seats",), default={"evaluation": "calibrated", "seats": ""}
)
def reliability(frame: pd.DataFrame) -> Figure:
    """Dots with intervals at predicted chances and actual shares; on the dashed line both are equal.

    frame: seats, evaluation (at most three, the subject of the chart first), chance (mean prediction, 0..1), estimate, low, high
    (actual share; nan: no interval), n.
    """
    parts = style.groups(frame, "seats")
    frame = frame.assign(evaluation=style.texts(frame, "evaluation"))
    looks = ((BLUE, "o", 0.0), (style.AMBER, "s", -0.008), (MUTED, "^", 0.008))  # the shift keeps dots apart
    kinds = dict(zip(dict.fromkeys(frame["evaluation"]), looks, strict=False))
    across = min(len(parts), 3 if len(parts) == 3 else 2)
    width = (WIDTH - 0.42 - 0.3 * (across - 1)) / across
    key = [(kind, {"marker": mark, "color": colour}) for kind, (colour, mark, _) in kinds.items()]
    grid = Grid(head=0.62, right=max(0.0, width - 4.0))

    def games(part: pd.DataFrame) -> str:
        return f"{counted(list(column(part, 'n')))} games a dot"

    sheet, drawn = panel_grid(parts, across, min(width, 4.0), grid, key, below=games)
    for index, (axes, part, (_, top, _)) in enumerate(drawn):
        axes.plot([0, 1], [0, 1], color=FAINT, linewidth=0.9, linestyle=(0, (3, 3)), zorder=1, gid="diagonal")
        ticks = style.QUARTERS
        axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), xticks=ticks, yticks=ticks)
        style.percent_axis(axes.xaxis)
        style.percent_axis(axes.yaxis)
        axes.grid(color=HAIR)
        for number, (kind, (colour, mark, shift)) in reversed(list(enumerate(kinds.items()))):
            own = part[part["evaluation"].map(lambda name: clean(str(name))) == kind]
            strength, size = (0.55, 15) if number else (1.0, 24)
            chance, estimate, low, high = (column(own, name) for name in ("chance", "estimate", "low", "high"))
            tint = style.pale(colour, strength)
            axes.vlines(chance + shift, low, high, color=tint, linewidth=1.1, zorder=2 + strength, gid="interval")
            how: dict[str, Any] = {"marker": mark, "color": [tint], "edgecolor": PAPER, "linewidth": 0.5, "clip_on": False}
            axes.scatter(chance + shift, estimate, s=size, zorder=3 + strength, gid="dot", **how)
        axes.set_xlabel("predicted winning chance \u2192", loc="right")
        sheet.note(0, top - 0.09, "\u2191 share of the win" if index == 0 else "")
    note = f"On the dashed line predictions are exactly right; whiskers: {SURE} intervals over games"
    return sheet.close(0.42, note)


@style.form("name", "simulated", "estimate", "low", "high", "sure", given=("simulated_low", "simulated_high"))
def agreement(frame: pd.DataFrame, *, words: tuple[str, str] = ("simulated", "at the table")) -> Figure:
    """A dot per name: a share in one source across, in another one up; on the dashed diagonal both agree.

    frame: name, simulated, simulated_low, simulated_high, estimate, low, high (shares 0..1), sure (whether both surely differ:
    such dots are coloured, orange above the diagonal and blue below, and named first). words: names of both sources.
    """
    across, up = column(frame, "simulated"), column(frame, "estimate")
    ends = [column(frame, name) for name in ("simulated_low", "simulated_high", "low", "high")]
    values = np.concatenate([across, up, *ends])
    least, most = float(np.nanmin(values)), float(np.nanmax(values))
    room = max(0.02, 0.06 * (most - least))
    limits = max(0.0, least - room), min(1.0, most + room)
    left, top, side = 0.5, 0.56, 5.2
    width = left + side + 0.8
    sheet = Sheet(width, top + side + 0.62)
    axes = sheet.axes(left, top, side, side)
    axes.set(xlim=limits, ylim=limits)
    axes.plot(limits, limits, color=FAINT, linewidth=0.9, linestyle=(0, (3, 3)), zorder=1, gid="diagonal")
    sure = frame["sure"].to_numpy(bool)
    colours = np.where(sure, np.where(up > across, STRONG, WEAK), MUTED)
    axes.vlines(across, ends[2], ends[3], color=[style.pale(colour, 0.45) for colour in colours], linewidth=1.2, zorder=2)
    axes.hlines(up, ends[0], ends[1], color=[style.pale(colour, 0.45) for colour in colours], linewidth=1.2, zorder=2)
    axes.scatter(across, up, s=26, color=list(colours), edgecolor=PAPER, linewidth=0.5, zorder=4, gid="dot", clip_on=False)
    axes.grid(color=HAIR)
    style.percent_axis(axes.xaxis)
    style.percent_axis(axes.yaxis)
    axes.set_xlabel(f"{words[0]} \u2192", loc="right")
    sheet.note(0, top - 0.16, f"\u2191 {words[1]}")
    scale = side / (limits[1] - limits[0])
    dots = [(scale * (x - limits[0]), scale * (y - limits[0])) for x, y in zip(across, up, strict=True)]
    boxes = [Box(x - 0.05, y - 0.05, x + 0.05, y + 0.05) for x, y in dots]
    for at in np.argsort(~sure, kind="stable"):
        text = fit(str(frame["name"].iloc[at]), 1.6, BODY, bool(sure[at]))
        size = style.width_of(text, BODY, bool(sure[at])), 0.15
        box = style.beside(dots[at], size, boxes, (width - left, side), dots)
        if box is not None:
            boxes.append(box)
            y = top + side - (box.bottom + box.top) / 2
            sheet.text(
                left + box.left, y, text, fontsize=BODY, fontweight="bold" if sure[at] else "normal", color=INK, gid="name"
            )
    key = [("above the simulation", {"color": STRONG}), ("below it", {"color": WEAK}), ("may be chance", {"color": MUTED})]
    sheet.key(left, 0.06, key)
    return sheet.close(left, f"On the dashed line both agree; lines: {SURE} intervals")
