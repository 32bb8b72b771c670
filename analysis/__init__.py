"""Statistics of simulated games: win rates, matchups, sensitivity, tuning, reports.

`import analysis as ff` is the Python interface of fairfight: the names in `__all__`, each explained by `help`. A function loads
what it needs when it is called, so that the import itself is quick.

Examples
--------
>>> import analysis as ff
>>> arena = ff.load("arena")
>>> slower = arena.set("hero.rhino_guy.move", 1)
>>> slower.get("hero.rhino_guy.move")
1

"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fairfight import check_packages

check_packages()

# a later import would replace the functions of these names
for _name in ("dice", "matchups", "replay", "skill", "winrates", "workbench"):
    import_module(f"analysis.{_name}")

from analysis.api.changes import ablate, cardstats, compare, sensitivity, tune, workbench  # noqa: E402 - as above
from analysis.api.games import load, open_run, play, questions  # noqa: E402 - as above
from analysis.api.given import match, matrix  # noqa: E402 - as above
from analysis.api.questions import answer, dice, duel, matchups, pace, replay, seats, skill, winrates  # noqa: E402 - as above
from analysis.results import Cards, Games, Result, show_figures  # noqa: E402 - as above

if TYPE_CHECKING:
    from analysis import charts
    from analysis.stats.intervals import adjust, mean, share
    from analysis.stats.paired import exchange, paired_mean

__all__ = ["Cards", "Games", "Result"]
__all__ += ["load", "open_run", "play", "questions"]
__all__ += ["answer", "matchups", "pace", "seats", "skill", "winrates"]
__all__ += ["ablate", "cardstats", "compare", "sensitivity", "tune"]
__all__ += ["dice", "duel", "match", "matrix", "replay", "workbench"]
__all__ += ["adjust", "charts", "exchange", "mean", "paired_mean", "share"]

_LATER = dict.fromkeys(("adjust", "mean", "share"), "stats.intervals")
_LATER |= dict.fromkeys(("exchange", "paired_mean"), "stats.paired")


def __getattr__(name: str) -> Any:
    """Import the statistics and the charts when they are first used."""
    if name == "charts":
        show_figures()
        return import_module("analysis.charts")
    if name in _LATER:
        return getattr(import_module(f"analysis.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Names of the interface."""
    return sorted(__all__)
