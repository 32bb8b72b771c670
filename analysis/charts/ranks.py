"""Ranks: the order of all entrants under each variant, one variant below the other."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.legend import legend, wrapped
from analysis.charts.style import BODY, CATEGORIES, FAINT, INK, MUTED, SMALL, WIDTH, Sheet
from analysis.charts.words import clean, column, fit
from analysis.wording import counted, percent

ROW, FOOT, LINE, HEAD = 0.3, 0.26, 0.19, 0.3  # inches
WIDEST_NAME = 2.6
NAMED = 8  # entrants with a colour each; of more only those that change their rank have one


@style.housed
def ranks(frame: pd.DataFrame, *, variants: str = "variant", level: float = 0.95) -> Figure:
    """The ranks of all names, first at the left, a row per variant in the order given and a line per name down the rows.

    frame: `variants`, name, rank (1 is the best, no two alike within a row), estimate (share 0..1), n; optionally sure (a change
    of rank against the first row that is no chance; its dot is filled, others are hollow). All rows have the same names.
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
    left = column([clean(str(value)) for value, _ in parts], BODY, WIDEST_NAME) + 0.2
    top = LINE * len(wrapped(coloured, WIDTH)) + HEAD
    sheet = Sheet(WIDTH, top + ROW * len(parts) + FOOT)
    legend(sheet, (0, 0.06), coloured, marks)
    axes = sheet.axes(left, top, WIDTH - left, ROW * len(parts))
    _lines(axes, parts, colours)
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
    note = f"In the dots: win rates in %; filled: not the rank of the first row{beyond}; "
    note += f"{counted(list(style.column(frame, 'n')))} games each"
    sheet.text(0, sheet.height - 0.08, fit(note, WIDTH, SMALL), fontsize=SMALL, color=MUTED)
    return sheet.figure


def _colours(frame: pd.DataFrame, names: list[str]) -> dict[str, str]:
    """A colour per name; where there are many, only for those whose rank changes."""
    if len(names) <= NAMED:
        return {name: CATEGORIES[at % len(CATEGORIES)] for at, name in enumerate(names)}
    spread = frame.groupby("name")["rank"].agg(lambda rank: rank.max() - rank.min())
    moving = list(spread[spread > 0].sort_values(ascending=False, kind="stable").index[:NAMED])
    return {name: CATEGORIES[moving.index(name)] if name in moving else FAINT for name in names}


def _lines(axes: Axes, parts: list[tuple[object, pd.DataFrame]], colours: dict[str, str]) -> None:
    """A line per name, and a dot with its win rate in every row."""
    at: dict[str, list[float]] = {name: [] for name in colours}
    before = dict(zip(parts[0][1]["name"].astype(str), style.column(parts[0][1], "rank"), strict=True))
    for row, (_, part) in enumerate(parts):
        sure = part["sure"].to_numpy(bool) if "sure" in part.columns else [True] * len(part)
        values = zip(
            part["name"].astype(str), style.column(part, "rank"), style.column(part, "estimate"), sure, strict=True
        )
        for name, rank, estimate, beyond in values:
            at[name].append(float(rank))
            filled = bool(beyond) and rank != before[name]
            face = colours[name] if filled else style.PAPER
            axes.scatter(rank, row, s=260, facecolor=face, edgecolor=colours[name], linewidth=1.4, zorder=3, gid="dot")
            ink = style.ink_on(face) if filled else INK
            how: dict[str, Any] = {
                "ha": "center",
                "va": "center_baseline",
                "fontsize": SMALL - 1,
                "zorder": 4,
                "gid": "rate",
            }
            axes.text(rank, row, f"{100 * estimate:.0f}", color=ink, **how)
    for name, places in at.items():
        axes.plot(places, range(len(places)), color=colours[name], linewidth=1.6, zorder=1, gid="line")
