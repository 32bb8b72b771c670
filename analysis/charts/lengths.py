"""Lengths: small panels, each with a histogram of the length of games and the share that is over by then."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from analysis.charts import style
from analysis.charts.style import BLUE, BODY, INK, MUTED, SKY, SMALL, WIDTH, Sheet
from analysis.charts.words import clean, fit
from analysis.wording import THIN, count, number, percent, percent_range

LEFT, HEAD, HEIGHT, FOOT, GAP, NOTE = 0.42, 0.52, 1.15, 0.34, 0.28, 0.36  # inches
PER_ROW = 3
BARS = 24  # of the histogram, at most
TALLEST = 0.6  # of the height: the tallest bar of all panels
FULL = 0.99  # the axis ends where every panel's games have come this far
ENDS = (0.1, 0.5, 0.9)


@style.housed
def lengths(frame: pd.DataFrame, *, panels: str = "panel", value: str = "turns", label: str = "turns") -> Figure:
    """Histograms with cumulative curves, a panel per value of `panels`, all on one scale; median and 10 to 90 % in words.

    frame: `panels`, `value` (whole numbers at which games end, rising), estimate (share of all games over by then, 0..1), n;
    optionally truncated (share of the games that were stopped). label: unit of the length.
    """
    style.require(frame, (panels, value, "estimate", "n"), "lengths")
    parts = style.groups(frame, panels)
    if not parts:
        return style.nothing()
    across = min(PER_ROW, len(parts))
    width = (WIDTH - LEFT - GAP * (across - 1)) / across if len(parts) > 1 else WIDTH - LEFT
    down = -(-len(parts) // across)
    sheet = Sheet(WIDTH, down * (HEAD + HEIGHT + FOOT) + NOTE)
    right = max(1.0, *(_by(part, value, FULL * style.column(part, "estimate").max()) for _, part in parts))
    step = max(1, int(np.ceil(right / BARS)))
    bars = [_histogram(part, value, step) for _, part in parts]
    tallest = max([float(share.max(initial=0)) for _, share in bars] + [1e-9])
    for at, ((name, part), (starts, share)) in enumerate(zip(parts, bars, strict=True)):
        left, top = LEFT + (at % across) * (width + GAP), (at // across) * (HEAD + HEIGHT + FOOT)
        sheet.text(left, top + 0.1, fit(str(name), width, BODY, bold=True), fontweight="bold", gid="panel")
        _say(sheet, part, value, (left, top + 0.26, width))
        axes = sheet.axes(left, top + HEAD, width, HEIGHT)
        axes.bar(starts, share / tallest * TALLEST, step, align="edge", color=SKY, alpha=0.6, linewidth=0, gid="bar")
        _curve(axes, part, value)
        style.share_axis(axes, right, top=1.02)
        axes.tick_params(labelleft=at % across == 0)
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        if at + across >= len(parts):
            axes.set_xlabel(clean(label), loc="left")
    note = f"Line: share of the games that are over; dot: median. Bars: lengths by {count(step)}, the tallest "
    note += f"{percent(tallest, 1 if tallest < 0.1 else 0)} of the games."
    sheet.text(LEFT, sheet.height - 0.06, note, fontsize=SMALL, color=MUTED)
    return sheet.figure


def _by(part: pd.DataFrame, value: str, share: float) -> float:
    """Least length by which `share` of the games are over; NaN where that many never are."""
    there = style.column(part, value)[style.column(part, "estimate") >= share]
    return float(there.min()) if there.size else float("nan")


def _histogram(part: pd.DataFrame, value: str, step: int) -> tuple[np.ndarray, np.ndarray]:
    """Where bars of so many turns start, and the share of the games in each."""
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


def _say(sheet: Sheet, part: pd.DataFrame, value: str, at: tuple[float, float, float]) -> None:
    """Median and ends, n and the share stopped, in two lines; at: left, height of the first line, width."""
    left, top, width = at
    low, median, high = (_by(part, value, share) for share in ENDS)
    said = f"median {number(median)}" if np.isfinite(median) else "median not reached"
    said += (
        f" ({percent_range(ENDS[0], ENDS[-1], 0)}{THIN}%: {number(low)} to {number(high)})" if np.isfinite(high) else ""
    )
    sheet.text(left, top, fit(said, width, SMALL), fontsize=SMALL, color=INK, gid="said")
    truncated = style.column(part, "truncated")
    share = float(truncated[0])
    stopped = f", {percent(share, 2)} truncated" if share > 0 else ", none truncated" if share == 0 else ""
    words = f"n = {count(style.column(part, 'n')[0])}{stopped}"
    sheet.text(left, top + 0.14, fit(words, width, SMALL), fontsize=SMALL, color=MUTED)
