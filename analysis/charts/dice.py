"""Dice: the exact distribution as bars and the simulated one as dots, in a grid of small panels."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.style import BODY, HAIR, INK, MUTED, ORANGE, SMALL, WIDTH, Sheet
from analysis.charts.words import clean, column, fit
from analysis.wording import counted, decimal

TOP, HEAD, HEIGHT, FOOT, GAP, BETWEEN = 0.28, 0.26, 0.72, 0.3, 0.12, 0.16  # inches
WIDEST_NAME, LEAST = 1.6, 0.8
HEADROOM = 1.35  # of the largest chance: the words above the bars stand clear of them
BARS = "#BFD9E8"
SURPRISING = 4.0  # standard errors: beyond this a difference is no longer chance


@style.housed
def dice(frame: pd.DataFrame, *, rows: str = "row", columns: str = "column", label: str = "hits") -> Figure:
    """Exact chances and simulated shares of each value, one panel per `rows` x `columns`, all on one scale.

    frame: `rows`, `columns`, value (whole number), exact (chance 0..1); optionally simulated (share 0..1), n
    (simulated rolls), z (standard errors between the means, one per panel), name (what a row is called, if not `rows`)
    and group (said small below the name). Absent panels stay empty.
    """
    style.require(frame, (rows, columns, "value", "exact"), "dice")
    if not len(frame):
        return style.nothing()
    down, across = list(pd.unique(frame[rows])), list(pd.unique(frame[columns]))
    called = _called(frame, rows)
    names, owners = ([words[at] for words in called.values()] for at in (0, 1))
    left = max(column(names, BODY, WIDEST_NAME), column(owners, SMALL, WIDEST_NAME)) + 0.15
    width = max(LEAST, (WIDTH - left - GAP * (len(across) - 1)) / len(across))
    sheet = Sheet(max(WIDTH, left + (width + GAP) * len(across)), TOP + HEAD + len(down) * (HEIGHT + BETWEEN) + FOOT)
    _head(sheet, frame, label)
    values = style.column(frame, "value")
    limits = (float(values.min()) - 0.6, float(values.max()) + 0.6)
    top = HEADROOM * float(np.nanmax([*style.column(frame, "exact"), *style.column(frame, "simulated")]))
    parts: dict[Any, pd.DataFrame] = dict(list(frame.groupby([rows, columns], sort=False, observed=True)))
    for at, row in enumerate(down):
        y = TOP + HEAD + at * (HEIGHT + BETWEEN)
        _name(sheet, called[row], y + HEIGHT / 2, left - 0.12)
        for place, heading in enumerate(across):
            x = left + place * (width + GAP)
            if at == 0:
                sheet.text(x, TOP + 0.08, fit(str(heading), width, SMALL), fontsize=SMALL, color=INK, gid="heading")
            if (row, heading) in parts:
                axes = sheet.axes(x, y, width, HEIGHT)
                _panel(axes, parts[(row, heading)], limits, top)
                axes.tick_params(labelbottom=at == len(down) - 1 or not _below(parts, down[at + 1 :], heading))
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
    """The name of a row, its group below."""
    name, group = called
    sheet.text(0, y - (0.08 if group else 0), fit(name, room, BODY), gid="name")
    if group:
        sheet.text(0, y + 0.08, fit(group, room, SMALL), fontsize=SMALL, color=MUTED, gid="group")


def _below(parts: dict[Any, pd.DataFrame], rows: list[Any], heading: Any) -> bool:
    return any((row, heading) in parts for row in rows)


def _head(sheet: Sheet, frame: pd.DataFrame, label: str) -> None:
    entries: list[tuple[str, dict[str, Any]]] = [
        (f"exact chance of each number of {clean(label)}", {"marker": "s", "color": BARS})
    ]
    if "simulated" in frame.columns:
        entries.append(("simulated", {"color": INK, "markersize": 3.5}))
    sheet.key(0, 0.06, entries)


def _panel(axes: Axes, part: pd.DataFrame, limits: tuple[float, float], top: float) -> None:
    values, exact, simulated = (style.column(part, name) for name in ("value", "exact", "simulated"))
    axes.bar(values, exact, width=0.8, color=BARS, linewidth=0, gid="exact")
    known = np.isfinite(simulated)
    n = style.column(part, "n")
    if known.any():
        half = 1.96 * np.sqrt(np.clip(exact * (1 - exact), 0, None) / np.where(n > 0, n, np.nan))
        axes.vlines(values, exact - half, exact + half, color=MUTED, linewidth=0.8, zorder=2, gid="interval")
        axes.scatter(
            values[known], simulated[known], s=7, color=INK, linewidth=0, zorder=3, clip_on=False, gid="simulated"
        )
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
