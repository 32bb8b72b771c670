"""Fixtures shared by several folders of tests."""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy is imported: on busy cores, BLAS threads wait longer than they work

import gc
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import sim
from sim.engine.contract import Game
from sim.engine.jit import COMPILED
from sim.registry import GAMES, NAMES, register

# Compiling makes millions of objects that stay; looking for cycles in them takes a tenth of the time.
gc.set_threshold(100_000, 50, 100)

settings.register_profile("house", deadline=None)  # machines are shared, so the time of an example means nothing
settings.load_profile("house")

ROOT = Path(sim.__file__).resolve().parents[1]
BUILT_IN = NAMES  # not those of other distributions, which can be installed beside
LOADED = [GAMES[name] for name in BUILT_IN]  # import all games: tests use their kernels without the registry
TINY = ("coin_duel", "lone_climb")  # games of the tests, each with a fixture of its name
FORCED = ("deck_race", "dice_duel", "relay_teams")  # those with known odds, in which seats have nothing to decide
TURNS_UNCOMPILED = 16  # turn limit of games that take minutes without the compiler
LONGEST = ("test_documentation.py", "test_notebooks.py")  # files
OF_GAMES = ("games", "every_game", "engine")  # folders of tests that call kernels from Python


def pytest_configure() -> None:
    """Let Ctrl-C end commands that tests start.

    Tests started in the background ignore Ctrl-C; without a reset, the commands that they start would inherit this.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest groups first, so that no core waits for them at the end."""
    items.sort(key=lambda item: (group_of(item.nodeid) not in BUILT_IN, item.path.name not in LONGEST))


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With `--dist loadscope`, leave the tests of a group to one worker, so that what they share is compiled and made once.

    Not by `--dist loadgroup`: pytest-xdist 3.8 hands the groups on in a way that pytest 9.2 ignores.
    """
    if config.getvalue("dist") != "loadscope":
        return None
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415 - tests can run without pytest-xdist

    class ByGroup(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid)

    return ByGroup(config, log)


def group_of(nodeid: str) -> str:
    """The game whose kernels a test calls from Python; the folder of tests that build the package; the file of any other test."""
    _, folder, *below = nodeid.partition("::")[0].split("/")
    if folder == "plugins":
        return folder
    words = {*re.split(r"\W+", nodeid)} if folder in OF_GAMES else set()
    named = [name for name in BUILT_IN if name in words]
    return named[0] if len(named) == 1 else "/".join([folder, *below])


def sampled(cases: Iterable[Any], every: int) -> list[Any]:
    """Cases of a parametrized test: the first of each group of `every` runs at each commit, all of them in `make soak`."""
    return [case if place % every == 0 else in_soak(case) for place, case in enumerate(cases)]


def in_soak(case: Any) -> Any:
    """A case of a parametrized test that only `make soak` runs. A tuple holds the values of several parameters."""
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.soak)


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
    from tests.analysis.dice.coin_fights import DUELS  # noqa: PLC0415 - imported late, as above
    from tests.every_game.coin_duel import GAME  # noqa: PLC0415 - as above

    yield register(replace(GAME, duels=DUELS))
    del GAMES[GAME.name]


def playable(request: pytest.FixtureRequest) -> Iterator[Game]:
    """A registered game; without the compiler, slow games are cut short."""
    if request.param not in BUILT_IN:
        yield request.getfixturevalue(request.param)
        return
    found = GAMES[request.param]
    if not COMPILED and found.report_games:
        GAMES[found.name] = replace(found, turn_limit=lambda _: TURNS_UNCOMPILED)
    yield GAMES[found.name]
    GAMES[found.name] = found


game = pytest.fixture(playable, params=[*BUILT_IN, *TINY], name="game")  # every game in which seats decide
any_game = pytest.fixture(playable, params=[*BUILT_IN, *TINY, *FORCED], name="any_game")


@pytest.fixture(scope="session")
def python() -> Callable[..., str]:
    """Run Python in a separate process with the project on its path; returns its output."""

    def run(*arguments: str, root: Path = ROOT, timeout_s: float = 240, **environment: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=root,
            env=os.environ | {"PYTHONPATH": str(root)} | environment,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
