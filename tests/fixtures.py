"""Games as fixtures, and the fence around the compiler. Imported once the run is chosen, because this imports numba."""

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from numba.core import event

from sim.engine.contract import Game
from sim.engine.jit import COMPILED
from sim.registry import GAMES, register
from tests.conftest import BUILT_IN, FORCED, SLOW, TINY

LOADED = [GAMES[name] for name in BUILT_IN]  # import all games: tests use their kernels without the registry
TURNS_UNCOMPILED = 16  # turn limit of games that take minutes without the compiler
ENTRY_POINTS = {  # that `fairfight warmup` compiles
    "play_block",
    "advance",
    "evaluate_positions",
    "list_features",
    "evaluate_options",
    "repeat",
    "play_duels",
    "play_sieges",
    "follow_all",
}


def tiny_game(name: str) -> Any:
    """A fixture: a tiny game of the tests, registered during one test. Imported late, because few tests play it."""

    @pytest.fixture(name=name)
    def registered() -> Iterator[Game]:
        yield register(import_module(f"tests.every_game.{name}").GAME)
        del GAMES[name]

    return registered


lone_climb = tiny_game("lone_climb")
deck_race = tiny_game("deck_race")
dice_duel = tiny_game("dice_duel")
relay_teams = tiny_game("relay_teams")


@pytest.fixture
def coin_duel() -> Iterator[Game]:
    """The tiny game of the tests with the odds of its fights."""
    duels = import_module("tests.analysis.dice.coin_fights").DUELS
    tiny = import_module("tests.every_game.coin_duel").GAME
    yield register(replace(tiny, duels=duels))
    del GAMES[tiny.name]


def playable(request: pytest.FixtureRequest) -> Iterator[Game]:
    """A registered game; without the compiler, slow games are cut short."""
    if request.param not in BUILT_IN:
        yield request.getfixturevalue(request.param)
        return
    usual = GAMES[request.param]
    if not COMPILED and usual.name in SLOW:
        GAMES[usual.name] = replace(usual, turn_limit=lambda _: TURNS_UNCOMPILED)
    yield GAMES[usual.name]
    GAMES[usual.name] = usual


game = pytest.fixture(playable, params=[*BUILT_IN, *TINY], name="game")  # every game in which seats decide
any_game = pytest.fixture(playable, params=[*BUILT_IN, *TINY, *FORCED], name="any_game")


class EntryPoints(event.Listener):
    """The names of the kernels that were compiled to be called from Python."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def on_start(self, event: Any) -> None:
        """Do nothing; a kernel is noted when it is compiled."""

    def on_end(self, event: Any) -> None:
        """Note an entry point; its parts have a compiler without a wrapper for Python."""
        dispatcher = event.data["dispatcher"]
        if not dispatcher.targetoptions.get("no_cpython_wrapper"):
            self.names.add(f"{dispatcher.py_func.__module__}.{dispatcher.py_func.__qualname__}")


@pytest.fixture(autouse=True)
def compiles_entry_points_only(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that compiles a kernel which `fairfight warmup` does not, unless it is marked `compiles`."""
    listener = EntryPoints()
    fenced = COMPILED and request.node.get_closest_marker("compiles") is None
    with event.install_listener("numba:compile", listener) if fenced else nullcontext():
        yield
    others = sorted(name for name in listener.names if name.rpartition(".")[2] not in ENTRY_POINTS)
    if others:
        pytest.fail(f"compiles {', '.join(others)}: call it within `interpreted()`, or test it in tests/kernels")
