"""Charts: each form takes a tidy frame and returns a Figure; none shows or saves anything."""

from collections.abc import Callable

from matplotlib.figure import Figure

from analysis.charts.bars import amounts, bars, dice, gauges, lengths, shares, stacked
from analysis.charts.changes import dumbbell, gains, halves, twofold
from analysis.charts.intervals import choices, dots, forest, ranked, tornado
from analysis.charts.lines import bands, curves, lines, strips
from analysis.charts.matrix import grid, heatmap, matrix, states, surface, terms
from analysis.charts.over_time import ecdf, growth, leads, survival, trend
from analysis.charts.ranks import levels, ranks, slope, strands
from analysis.charts.special import board, picks, reliability, rungs, scatter

# Forms by the names that games use in their questions.
FORMS: dict[str, Callable[..., Figure]] = {
    "forest": forest,
    "heatmap": heatmap,
    "grid": grid,
    "matrix": matrix,
    "lines": lines,
    "bars": bars,
    "ecdf": ecdf,
    "survival": survival,
    "stacked": stacked,
    "scatter": scatter,
    "board": board,
    "tornado": tornado,
    "slope": slope,
    "dice": dice,
    "amounts": amounts,
    "curves": curves,
    "trend": trend,
    "gains": gains,
    "dumbbell": dumbbell,
    "shares": shares,
    "states": states,
    "bands": bands,
    "gauges": gauges,
    "ranked": ranked,
    "terms": terms,
    "picks": picks,
    "twofold": twofold,
    "leads": leads,
    "surface": surface,
    "growth": growth,
    "halves": halves,
    "lengths": lengths,
    "choices": choices,
    "dots": dots,
    "strips": strips,
    "strands": strands,
    "ranks": ranks,
    "rungs": rungs,
    "levels": levels,
    "reliability": reliability,
}

__all__ = [
    "FORMS",
    "amounts",
    "bands",
    "bars",
    "board",
    "choices",
    "curves",
    "dice",
    "dots",
    "dumbbell",
    "ecdf",
    "forest",
    "gains",
    "gauges",
    "grid",
    "growth",
    "halves",
    "heatmap",
    "leads",
    "lengths",
    "levels",
    "lines",
    "matrix",
    "picks",
    "ranked",
    "ranks",
    "reliability",
    "rungs",
    "scatter",
    "shares",
    "slope",
    "stacked",
    "states",
    "strands",
    "strips",
    "surface",
    "survival",
    "terms",
    "tornado",
    "trend",
    "twofold",
]
