"""Forest plot: a dot and its interval per entrant, beside the fair share."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.style import BODY, HEADING, INK, MUTED, SMALL, STRONG, WEAK, WIDTH, Sheet
from analysis.charts.words import column, fit
from analysis.estimates import FAIR_BAND
from analysis.verdicts import FAIR, OPEN, TOO_STRONG, TOO_WEAK
from analysis.wording import count, percent, percent_range

ROW, HEAD, FOOT, GAP, TOP = 0.205, 0.29, 0.24, 0.12, 0.3  # inches
WIDEST_NAME = 1.9
RATE, RANGE, GAMES = 0.62, 0.92, 0.78  # widths of the columns of numbers
MARKS: dict[str, tuple[str, dict[str, Any]]] = {
    TOO_STRONG: (TOO_STRONG, {"color": STRONG}),
    TOO_WEAK: (TOO_WEAK, {"color": WEAK}),
    FAIR: (FAIR, {"color": INK}),
    OPEN: (OPEN, {"color": MUTED, "markerfacecolor": "white"}),
    "": ("no fair share", {"color": INK}),
}


@style.housed
def forest(frame: pd.DataFrame, *, panels: str = "seats", band: float = FAIR_BAND, level: float = 0.95) -> Figure:
    """Win rates with intervals, sorted, one panel per value of `panels`.

    frame: `panels`, name, estimate, low, high (shares 0..1), n, fair (share; nan in a game for one), verdict ("too
    strong", "too weak", "fair", "not decided", or "" without a fair share). Rows without an estimate are listed last and say so.
    Every panel is centred on its fair share and all have the same scale, so that the fair line is one line down the page.
    band: half-width of the pale band, relative to the fair share. level: confidence level, for the heading.
    """
    style.require(frame, (panels, "name", "estimate", "low", "high", "n", "fair", "verdict"), "forest")
    parts = style.groups(frame, panels)
    if not parts:
        return style.nothing()
    height = TOP + sum(HEAD + ROW * len(part) + FOOT + GAP for _, part in parts)
    sheet = Sheet(WIDTH, height)
    left = column(style.texts(frame, "name"), BODY, WIDEST_NAME) + 0.15
    width = WIDTH - left - RATE - RANGE - GAMES
    _head(sheet, frame, band, level)
    reach, top = _reach(parts, band), TOP
    for value, part in parts:
        ordered = part.sort_values("estimate", ascending=False, na_position="last", kind="stable")
        sheet.text(0, top + 0.13, style.seats_heading(value), fontsize=HEADING, fontweight="bold")
        axes = sheet.axes(left, top + HEAD, width, ROW * len(part))
        _panel(axes, ordered, reach, band)
        _columns(sheet, ordered, left, top + HEAD)
        top += HEAD + ROW * len(part) + FOOT + GAP
    return sheet.figure


def _centre(part: pd.DataFrame) -> float:
    """Fair share of a panel, or, where a game for one has none, the middle of its rates."""
    for name in ("fair", "estimate"):
        values = style.column(part, name)
        if np.isfinite(values).any():
            return float(np.nanmin(values) + np.nanmax(values)) / 2
    return 0.5


def _reach(parts: list[tuple[Any, pd.DataFrame]], band: float) -> float:
    """Half the width of every panel: the farthest end of an interval from the centre, and at least the band."""
    far = [0.01]
    for _, part in parts:
        centre = _centre(part)
        far += [
            1.6 * band * centre,
            *abs(style.column(part, "low") - centre),
            *abs(style.column(part, "high") - centre),
        ]
    return 1.06 * float(np.nanmax(far))


def _head(sheet: Sheet, frame: pd.DataFrame, band: float, level: float) -> None:
    present = [MARKS[verdict] for verdict in MARKS if verdict in set(frame["verdict"])]
    if np.isfinite(style.column(frame[frame["verdict"] == ""], "fair")).any():
        present[-1] = ("win rate", MARKS[""][1])  # there is a fair share, but these rows are not judged
    end = sheet.key(0, 0.1, present)
    if np.isfinite(style.column(frame, "fair")).any():
        sheet.text(end, 0.1, f"pale band: fair share \u00b1 {percent(band, 0)}", fontsize=SMALL, color=MUTED)
    right = sheet.width
    for words, x in (
        ("win rate", right - GAMES - RANGE),
        (f"{percent(level, 0)} interval", right - GAMES),
        ("games", right),
    ):
        sheet.text(x, TOP + 0.13, words, ha="right", fontsize=SMALL, color=MUTED)


def _panel(axes: Axes, part: pd.DataFrame, reach: float, band: float) -> None:
    rows = np.arange(len(part))
    fair = _centre(part)
    if np.isfinite(style.column(part, "fair")).any():
        axes.axvspan(fair * (1 - band), fair * (1 + band), color=style.BAND, linewidth=0, zorder=0, gid="band")
        axes.axvline(fair, color=MUTED, linewidth=0.8, zorder=1, gid="fair")
    estimate, low, high = (style.column(part, name) for name in ("estimate", "low", "high"))
    for verdict, (_, mark) in MARKS.items():
        chosen = (part["verdict"] == verdict).to_numpy() & np.isfinite(estimate)
        if chosen.any():
            face = mark.get("markerfacecolor", mark["color"])
            axes.hlines(rows[chosen], low[chosen], high[chosen], color=mark["color"], linewidth=1.6, gid="interval")
            axes.scatter(
                estimate[chosen], rows[chosen], s=24, facecolor=face, edgecolor=mark["color"], zorder=3, gid="estimate"
            )
    axes.set_ylim(len(part) - 0.5, -0.5)
    axes.set_xlim(fair - reach, fair + reach)
    ticks = [tick for tick in axes.get_xticks() if 0 <= tick <= 1 and abs(tick - fair) <= reach]
    axes.set_xticks(ticks)
    axes.set_yticks([])
    style.percent_axis(axes.xaxis, 0 if all(abs(100 * tick - round(100 * tick)) < 1e-6 for tick in ticks) else 1)
    for row in rows[1:]:
        axes.axhline(row - 0.5, color=style.HAIR, linewidth=0.5, zorder=0.5)


def _columns(sheet: Sheet, part: pd.DataFrame, left: float, top: float) -> None:
    names = style.texts(part, "name")
    values = [style.column(part, name) for name in ("estimate", "low", "high", "n")]
    for row, (name, estimate, low, high, n) in enumerate(zip(names, *values, strict=True)):
        y = top + ROW * (row + 0.5)
        sheet.text(0, y, fit(name, left - 0.12, BODY))
        if np.isnan(estimate):
            sheet.text(sheet.width, y, "no games", ha="right", fontsize=SMALL, color=MUTED)
            continue
        sheet.text(sheet.width - GAMES - RANGE, y, percent(estimate), ha="right")
        sheet.text(sheet.width - GAMES, y, percent_range(low, high), ha="right", fontsize=SMALL, color=MUTED)
        sheet.text(sheet.width, y, count(n), ha="right", fontsize=SMALL, color=MUTED)
