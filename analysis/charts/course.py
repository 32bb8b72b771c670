"""Course: the winning chance of every seat through one game, with what was given away and what luck brought."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.labels import spread
from analysis.charts.style import BODY, CATEGORIES, FAINT, HAIR, INK, MUTED, SMALL, WIDTH, Sheet
from analysis.charts.words import clean, column, fit, width_of
from analysis.wording import percent

LEFT, TOP, HEIGHT, FOOT = 0.46, 0.5, 3.0, 0.62  # inches
WIDEST_NAME, LINE = 1.5, 0.32  # inches: of a name, between two of them
MARK = 0.14  # inches between a line and a mark above or below it
TICKS = 12  # turns that are numbered, about
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
    """A line per seat from decision to decision, its name at the right; marks stand on the line of whom they concern.

    frame: line (seat's name), x (number of the decision, rising), turn (1, 2, ...), estimate (chance 0..1). marks: line, x, kind
    (see MARKS). turning: x of the turning point, a dashed line. note: by whom the chance is judged, below.
    """
    style.require(frame, ("line", "x", "turn", "estimate"), "course")
    style.require(marks, ("line", "x", "kind"), "course")
    parts = style.groups(frame, "line")
    if not parts:
        return style.nothing()
    names = [clean(str(name)) for name, _ in parts]
    room = column(names, BODY, WIDEST_NAME) + 0.2
    sheet = Sheet(WIDTH, TOP + HEIGHT + FOOT)
    axes = sheet.axes(LEFT, TOP, WIDTH - LEFT - room, HEIGHT)
    colours = {str(name): CATEGORIES[at % len(CATEGORIES)] for at, (name, _) in enumerate(parts)}
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
    """Marks of one seat: luck beside its line, on the side that it goes to, decisions on it."""
    chance = dict(zip(style.column(part, "x"), style.column(part, "estimate"), strict=True))
    away = MARK / HEIGHT
    for x, kind in zip(style.column(marks, "x"), marks["kind"], strict=True):
        side = {"lucky": away, "unlucky": -away}.get(str(kind), 0.0)
        look = {"markerfacecolor": colour, **MARKS[str(kind)]}
        place = min(1.0, max(0.0, chance[x] + side))
        axes.plot([x], [place], linestyle="none", zorder=4, clip_on=False, gid=str(kind), **look)


def _axes(axes: Axes, frame: pd.DataFrame, seats: int, turning: float | None) -> None:
    """From the first decision to the end; turns are numbered where they begin."""
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
    axes.set_xlabel("turn, each as wide as it has decisions", loc="left")


def _names(sheet: Sheet, parts: list[tuple[Any, pd.DataFrame]], colours: dict[str, str]) -> None:
    """Name each line at the right, about as high as it ends."""
    ends = np.array([np.nan_to_num(style.column(part, "estimate")[-1]) for _, part in parts])
    places = spread(TOP + HEIGHT * (1 - ends), LINE, TOP, TOP + HEIGHT)
    width = column([clean(str(name)) for name, _ in parts], BODY, WIDEST_NAME)
    for (name, part), y in zip(parts, places, strict=True):
        x = WIDTH - width - 0.05
        sheet.text(x, y, fit(str(name), width, BODY), color=colours[str(name)], gid="label")
        least = percent(float(np.nanmin(style.column(part, "estimate"))), 0)
        said = f"lowest {least}"
        if width_of(said, SMALL) <= width:
            sheet.text(x, y + 0.14, said, fontsize=SMALL, color=MUTED)
