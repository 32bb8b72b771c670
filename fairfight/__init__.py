"""Statistics of simulated tabletop games: win rates, matchups, sensitivity, tuning, reports.

`import fairfight as ff` is the Python interface; `dir(ff)` lists its names, each explained by `help`. Each is imported when it is
first used, so that the import itself is quick. `python -m fairfight` is the command.

Examples
--------
>>> import fairfight as ff
>>> arena = ff.load("arena")
>>> slower = arena.set("hero.rhino_guy.move", 1)
>>> slower.get("hero.rhino_guy.move")
1

"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for type checkers and editors, which do not see names that are imported when they are used
    from analysis import charts as charts
    from analysis.answer.model import Answer as Answer
    from analysis.games import check as check
    from analysis.games import games as games
    from analysis.games import load as load
    from analysis.games import open_run as open_run
    from analysis.games import play as play
    from analysis.games import questions as questions
    from analysis.grid import grid as grid
    from analysis.report.single import answer as answer
    from analysis.results import Cards as Cards
    from analysis.results import Games as Games
    from analysis.stats.intervals import adjust as adjust
    from analysis.stats.intervals import mean as mean
    from analysis.stats.intervals import share as share
    from analysis.stats.paired import exchange as exchange
    from analysis.stats.paired import paired_mean as paired_mean
    from analysis.workbench.notebook import workbench as workbench

    Ask = Callable[..., Answer]  # a question, with the arguments that `help` lists
    ablate: Ask
    amounts: Ask
    card_parameters: Ask
    calibrate: Ask
    cardstats: Ask
    categories: Ask
    compare: Ask
    dice: Ask
    draft: Ask
    duel: Ask
    duels: Ask
    explain: Ask
    keywords: Ask
    loadouts: Ask
    match: Ask
    matchups: Ask
    matrix: Ask
    pace: Ask
    parameters: Ask
    plan: Ask
    replay: Ask
    seats: Ask
    sensitivity: Ask
    shared_parameters: Ask
    siege: Ask
    skill: Ask
    teams: Ask
    times: Ask
    tune: Ask
    variants: Ask
    whatif: Ask
    winrates: Ask
    worth: Ask

PACKAGES = ("analysis", "sim")
HOME = Path(__file__).parents[1]  # folder of the packages
USAGE_ERROR = 2  # exit code
MODULES = {  # besides the questions of `analysis.catalogue`: name -> module
    **dict.fromkeys(("check", "games", "load", "open_run", "play", "questions"), "analysis.games"),
    "grid": "analysis.grid",
    "answer": "analysis.report.single",
    "workbench": "analysis.workbench.notebook",
    **dict.fromkeys(("Cards", "Games"), "analysis.results"),
    **dict.fromkeys(("adjust", "mean", "share"), "analysis.stats.intervals"),
    **dict.fromkeys(("exchange", "paired_mean"), "analysis.stats.paired"),
    "Answer": "analysis.answer.model",
}


def __getattr__(name: str) -> Any:
    """Import a name of the interface when it is first used (PEP 562)."""
    if name == "__version__":
        return version("fairfight")
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    check_packages()
    from analysis.catalogue import QUESTIONS, find  # noqa: PLC0415 - checked just now

    if name in QUESTIONS:
        return find(name).ask
    if name == "charts":
        import_module("analysis.answer.notebook").show_figures()
        return import_module("analysis.charts")
    if name in MODULES:
        return getattr(import_module(MODULES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Names of the interface."""
    from analysis.catalogue import QUESTIONS  # noqa: PLC0415 - not needed by the command

    return sorted({*QUESTIONS, *MODULES, "charts"})


def main() -> int | None:
    """Run the command; returns an exit code if its packages are not found.

    Unlike a script, the command needs no module of the user that is called `analysis` or `sim`, so that fairfight's come first.
    """
    try:
        check_packages()
    except ImportError:
        sys.path.insert(0, str(HOME))
    try:
        check_packages()
    except ImportError as error:
        sys.stderr.write(f"error: {error}\n")
        return USAGE_ERROR
    from analysis.cli.start import main as start  # noqa: PLC0415 - checked just now

    start()
    return None


def check_packages() -> None:
    """Raise ImportError, with the name of the file, if Python would import something else in place of a package of fairfight."""
    for name in PACKAGES:
        found = find_spec(name)
        if found is None:
            raise ImportError(f"package `{name}` of fairfight is missing; install fairfight again")
        place = found.origin or next(iter(found.submodule_search_locations or ()), name)  # a folder without __init__.py
        own = HOME / name / "__init__.py"
        if Path(place).resolve() != own.resolve():
            raise ImportError(
                f"{place} hides fairfight's package `{name}`; rename it, or take its folder off Python's path (the folder of a "
                "script, with `python -m` the current folder, and those in PYTHONPATH)"
            )
