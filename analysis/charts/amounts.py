"""Stacked amounts: how much an entrant has on average, and what it is made of."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.legend import LINE, legend, wrapped
from analysis.charts.style import BODY, CATEGORIES, HEADING, INK, MUTED, PAPER, SMALL, WIDTH, Sheet
from analysis.charts.words import clean, column, fit
from analysis.wording import count, decimal, percent

ROW, BAR, HEAD, FOOT, GAP = 0.25, 0.74, 0.3, 0.24, 0.06  # inches; BAR is a part of ROW
WIDEST_NAME, MEAN, RANGE, GAMES = 1.9, 0.6, 0.95, 0.7  # widths of the columns of words and numbers
SMALL_PART = 0.1  # of the longest bar: a panel that stays below it gets a scale of its own
ASIDE = 0.27  # of a row: whiskers run below the figures in the bars
LEAST_LABEL = 0.3  # inches: a narrower segment is not labelled
REST = CATEGORIES[-1]  # grey, for what is left over


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
    """Horizontal bars as long as the mean amount, cut into `category`, a panel per value of `panels`, on one scale.

    frame: `panels`, name, `category` (in its own order or that of appearance; `rest` in grey, last), estimate (mean of the
    category), total, low, high (mean of all categories of the name and its interval), n. Rows stand as given. Amounts below
    nought are drawn to the left. A panel in which nothing comes to a tenth of that scale has its own, and the note says so.
    unit: of the amounts, for the axis.
    """
    needed = (panels, "name", category, "estimate", "total", "low", "high", "n")
    style.require(frame, needed, "amounts")
    parts = style.groups(frame, panels)
    if not parts:
        return style.nothing()
    kinds = sorted(_kinds(frame[category]), key=lambda kind: kind == rest)
    marks = [{"marker": "s", "color": colour} for colour in _colours(kinds, rest)]
    rows = [list(dict.fromkeys(part["name"].astype(str))) for _, part in parts]
    left = column([clean(name) for names in rows for name in names], BODY, WIDEST_NAME) + 0.12
    top = 0.1 + LINE * len(wrapped(kinds, WIDTH)) + 0.04
    sheet = Sheet(WIDTH, top + sum(HEAD + ROW * len(names) + FOOT + GAP for names in rows) + 0.12)
    legend(sheet, (0, 0.06), kinds, marks)
    width = WIDTH - left - MEAN - RANGE - GAMES
    right = WIDTH - GAMES
    for words, x in (("mean", right - RANGE), (f"{percent(level, 0)} interval", right), ("games", WIDTH)):
        sheet.text(x, top + 0.13, words, ha="right", fontsize=SMALL, color=MUTED)
    reach, apart = _reach(frame, [panels, "name"]), []
    for (value, part), names in zip(parts, rows, strict=True):
        own = _reach(part, [panels, "name"])
        small = max(map(abs, own)) < SMALL_PART * max(map(abs, reach))
        apart += [str(style.seats_heading(value))] if small else []
        sheet.text(0, top + 0.13, style.seats_heading(value), fontsize=HEADING, fontweight="bold")
        axes = sheet.axes(left, top + HEAD, width, ROW * len(names))
        _panel(axes, part.assign(category=part[category].astype(str)), names, dict(zip(kinds, marks, strict=True)))
        axes.set_xlim(own if small else reach)
        _label(axes, width)
        axes.tick_params(axis="x", pad=2)
        _columns(sheet, part, names, left, top + HEAD)
        top += HEAD + ROW * len(names) + FOOT + GAP
    note = f"Length: {clean(unit)}; figures in the bars: their parts of it; whiskers: {percent(level, 0)} intervals."
    note += f" On a scale of its own: {', '.join(apart)}." if apart else ""
    sheet.text(left, sheet.height - 0.08, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _kinds(categories: pd.Series) -> list[str]:
    """Categories that occur, in their own order if they have one, else in order of appearance."""
    present = dict.fromkeys(categories.astype(str))
    if isinstance(categories.dtype, pd.CategoricalDtype):
        return [str(kind) for kind in categories.cat.categories if str(kind) in present]
    return list(present)


def _colours(kinds: list[str], rest: str) -> list[str]:
    named = [kind for kind in kinds if kind != rest]
    colours = dict(zip(named, style.hues(named), strict=True))
    return [REST if kind == rest else colours[kind] for kind in kinds]


def _reach(frame: pd.DataFrame, keys: list[str]) -> tuple[float, float]:
    """Ends of every panel's axis: nought, the longest bar and the farthest interval."""
    signed = frame.assign(up=frame["estimate"].clip(lower=0), down=frame["estimate"].clip(upper=0))
    sums = signed.groupby([*keys], sort=False, observed=True)[["up", "down"]].sum()
    high = float(np.nanmax([*sums["up"], *style.column(frame, "high"), 0.0]))
    low = float(np.nanmin([*sums["down"], *style.column(frame, "low"), 0.0]))
    return (1.04 * low, 1.04 * high if high > low else 1.0)


def _panel(axes: Axes, part: pd.DataFrame, names: list[str], marks: dict[str, dict[str, Any]]) -> None:
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
                    height=BAR,
                    color=mark["color"],
                    edgecolor=PAPER,
                    linewidth=0.5,
                    gid="segment",
                )
                start[row] += amount
    whole = part.drop_duplicates("name")
    at = whole["name"].astype(str).map(place).to_numpy(dtype=int)
    axes.hlines(
        at + ASIDE,
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
    """Write its amount into every segment that is wide enough. width: of the axes, inches."""
    low, high = axes.get_xlim()
    for bar in axes.patches:
        box = bar.get_path().get_extents(bar.get_patch_transform())
        if abs(box.width) / (high - low) * width >= LEAST_LABEL:
            how: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": SMALL, "gid": "share"}
            middle = ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
            colour = style.ink_on(to_rgb(bar.get_facecolor()))
            axes.text(*middle, _two(abs(box.width), max(high, -low)), color=colour, **how)


def _columns(sheet: Sheet, part: pd.DataFrame, names: list[str], left: float, top: float) -> None:
    whole = part.drop_duplicates("name").assign(name=lambda table: table["name"].astype(str)).set_index("name")
    for row, name in enumerate(names):
        y = top + ROW * (row + 0.5)
        sheet.text(0, y, fit(name, left - 0.1, BODY))
        total, low, high, n = (float(whole[column].to_numpy()[row]) for column in ("total", "low", "high", "n"))
        if np.isnan(total):
            sheet.text(WIDTH, y, "no games", ha="right", fontsize=SMALL, color=MUTED)
            continue
        said = "\u2013" if np.isnan(low) else f"{_two(low)} to {_two(high)}"
        sheet.text(WIDTH - GAMES - RANGE, y, _two(total), ha="right")
        sheet.text(WIDTH - GAMES, y, said, ha="right", fontsize=SMALL, color=MUTED)
        sheet.text(WIDTH, y, count(n), ha="right", fontsize=SMALL, color=MUTED)


def _two(value: float, beside: float = 0.0) -> str:
    """A mean with two digits behind the point, fewer where it or what it stands beside is large."""
    largest = max(abs(value), beside)
    digits = 2 if largest < 10 else 1 if largest < 100 else 0
    return decimal(value, digits)
