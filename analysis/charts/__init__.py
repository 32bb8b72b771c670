"""Charts: one module per form. Each takes a tidy frame and returns a Figure; none shows or saves anything."""

from collections.abc import Callable

from matplotlib.figure import Figure

from analysis.charts.amounts import amounts
from analysis.charts.bands import bands
from analysis.charts.bars import bars
from analysis.charts.board import board
from analysis.charts.choices import choices
from analysis.charts.curves import curves
from analysis.charts.dice import dice
from analysis.charts.dots import dots
from analysis.charts.dumbbell import dumbbell
from analysis.charts.ecdf import ecdf
from analysis.charts.forest import forest
from analysis.charts.gains import gains
from analysis.charts.gauges import gauges
from analysis.charts.grid import grid
from analysis.charts.growth import growth
from analysis.charts.halves import halves
from analysis.charts.heatmap import heatmap
from analysis.charts.leads import leads
from analysis.charts.lengths import lengths
from analysis.charts.levels import levels
from analysis.charts.lines import lines
from analysis.charts.matrix import matrix
from analysis.charts.picks import picks
from analysis.charts.ranked import ranked
from analysis.charts.ranks import ranks
from analysis.charts.reliability import reliability
from analysis.charts.rungs import rungs
from analysis.charts.scatter import scatter
from analysis.charts.shares import shares
from analysis.charts.slope import slope
from analysis.charts.stacked import stacked
from analysis.charts.states import states
from analysis.charts.strands import strands
from analysis.charts.strips import strips
from analysis.charts.surface import surface
from analysis.charts.survival import survival
from analysis.charts.terms import terms
from analysis.charts.tornado import tornado
from analysis.charts.trend import trend
from analysis.charts.twofold import twofold

# Forms by the names that games use in their lists of questions.
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
