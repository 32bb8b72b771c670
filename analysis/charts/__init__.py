"""Charts: one module per form. Each takes a tidy frame and returns a Figure; none shows or saves anything."""

from collections.abc import Callable

from matplotlib.figure import Figure

from analysis.charts.amounts import amounts
from analysis.charts.bars import bars
from analysis.charts.board import board
from analysis.charts.curves import curves
from analysis.charts.dice import dice
from analysis.charts.ecdf import ecdf
from analysis.charts.forest import forest
from analysis.charts.gains import gains
from analysis.charts.grid import grid
from analysis.charts.heatmap import heatmap
from analysis.charts.lines import lines
from analysis.charts.matrix import matrix
from analysis.charts.scatter import scatter
from analysis.charts.slope import slope
from analysis.charts.stacked import stacked
from analysis.charts.survival import survival
from analysis.charts.tornado import tornado
from analysis.charts.trend import trend

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
}

__all__ = [
    "FORMS",
    "amounts",
    "bars",
    "board",
    "curves",
    "dice",
    "ecdf",
    "forest",
    "gains",
    "grid",
    "heatmap",
    "lines",
    "matrix",
    "scatter",
    "slope",
    "stacked",
    "survival",
    "tornado",
    "trend",
]
