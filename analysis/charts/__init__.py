"""Charts: each form takes a tidy frame and returns a Figure; none shows or saves anything.

A form is imported when it is used (PEP 562), because matplotlib takes most of a second to import.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same names as in MODULES
    from analysis.charts.barcharts import amounts as amounts
    from analysis.charts.barcharts import bars as bars
    from analysis.charts.barcharts import chances as chances
    from analysis.charts.barcharts import dice as dice
    from analysis.charts.barcharts import shares as shares
    from analysis.charts.barcharts import stacked as stacked
    from analysis.charts.intervals import choices as choices
    from analysis.charts.intervals import dots as dots
    from analysis.charts.intervals import dumbbell as dumbbell
    from analysis.charts.intervals import forest as forest
    from analysis.charts.intervals import gains as gains
    from analysis.charts.intervals import halves as halves
    from analysis.charts.intervals import ranked as ranked
    from analysis.charts.intervals import rungs as rungs
    from analysis.charts.intervals import tornado as tornado
    from analysis.charts.intervals import twofold as twofold
    from analysis.charts.linecharts import BOTH_WAYS as BOTH_WAYS
    from analysis.charts.linecharts import bands as bands
    from analysis.charts.linecharts import by_number as by_number
    from analysis.charts.linecharts import curves as curves
    from analysis.charts.linecharts import levels as levels
    from analysis.charts.linecharts import lines as lines
    from analysis.charts.linecharts import slope as slope
    from analysis.charts.linecharts import strips as strips
    from analysis.charts.matrices import grid as grid
    from analysis.charts.matrices import heatmap as heatmap
    from analysis.charts.matrices import matrix as matrix
    from analysis.charts.matrices import terms as terms
    from analysis.charts.special import agreement as agreement
    from analysis.charts.special import board as board
    from analysis.charts.special import course as course
    from analysis.charts.special import reliability as reliability
    from analysis.charts.style import CATEGORIES as CATEGORIES

MODULES = {  # module -> what it offers here
    "barcharts": "amounts bars chances dice shares stacked",
    "intervals": "choices dots dumbbell forest gains halves ranked rungs tornado twofold",
    "linecharts": "BOTH_WAYS bands by_number curves levels lines slope strips",
    "matrices": "grid heatmap matrix terms",
    "special": "agreement board course reliability",
    "style": "CATEGORIES",
}
NAMES = {name: module for module, names in MODULES.items() for name in names.split()}
__all__ = [name for name in NAMES if name.islower()]


def __getattr__(name: str) -> Any:
    """Import what is asked for."""
    if name not in NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{NAMES[name]}"), name)


def __dir__() -> list[str]:
    """Names of the charts."""
    return [*__all__]
