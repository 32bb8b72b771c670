"""Charts: each form takes a tidy frame and returns a Figure; none shows or saves anything."""

from collections.abc import Callable

from matplotlib.figure import Figure

from analysis.charts.bars import amounts, bars, dice, shares, stacked
from analysis.charts.intervals import choices, dots, dumbbell, forest, gains, halves, ranked, rungs, tornado, twofold
from analysis.charts.lines import bands, curves, levels, lines, slope, strips
from analysis.charts.matrix import grid, heatmap, matrix, terms
from analysis.charts.special import board, reliability

__all__ = ["FORMS"]
__all__ += ["amounts", "bars", "dice", "shares", "stacked"]
__all__ += ["choices", "dots", "dumbbell", "forest", "gains", "halves", "ranked", "rungs", "tornado", "twofold"]
__all__ += ["bands", "curves", "levels", "lines", "slope", "strips"]
__all__ += ["board", "grid", "heatmap", "matrix", "reliability", "terms"]

# Forms by the names that games use in their questions.
FORMS: dict[str, Callable[..., Figure]] = {name: globals()[name] for name in __all__ if name != "FORMS"}
