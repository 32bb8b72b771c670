"""Charts: one module per form. Each takes a tidy frame and returns a Figure; none shows or saves anything."""

from collections.abc import Callable

from matplotlib.figure import Figure

from analysis.charts.bars import bars
from analysis.charts.board import board
from analysis.charts.dice import dice
from analysis.charts.ecdf import ecdf
from analysis.charts.forest import forest
from analysis.charts.heatmap import heatmap
from analysis.charts.scatter import scatter
from analysis.charts.slope import slope
from analysis.charts.stacked import stacked
from analysis.charts.survival import survival
from analysis.charts.tornado import tornado

# Forms by the names that games use in their lists of questions.
FORMS: dict[str, Callable[..., Figure]] = {
    "forest": forest,
    "heatmap": heatmap,
    "bars": bars,
    "ecdf": ecdf,
    "survival": survival,
    "stacked": stacked,
    "scatter": scatter,
    "board": board,
    "tornado": tornado,
    "slope": slope,
    "dice": dice,
}

__all__ = [
    "FORMS",
    "bars",
    "board",
    "dice",
    "ecdf",
    "forest",
    "heatmap",
    "scatter",
    "slope",
    "stacked",
    "survival",
    "tornado",
]
