"""Fixtures that several folders of tests share."""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy is loaded: on busy cores its threads wait longer than they work

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings

import sim
from sim.engine.contract import Game
from sim.engine.jit import COMPILED
from sim.registry import GAMES, register
from tests.every_game.compiled import share_folder

settings.register_profile("house", deadline=None)  # machines are shared: how long an example takes says nothing
settings.load_profile("house")

ROOT = Path(sim.__file__).resolve().parents[1]
BUILT_IN = tuple(GAMES)
LOADED = [*GAMES.values()]  # tests reach for kernels of a game without asking the registry for it
TINY = ("coin_duel", "lone_climb")  # games of the tests, each a fixture of that name
TURNS_UNCOMPILED = 16  # of games that take minutes without the compiler
LONGEST = ("test_documentation.py", "test_notebooks.py", "test_promises.py")  # files


def pytest_configure(config: pytest.Config) -> None:
    """All processes of the tests use one folder of compiled code; the first one sees to what is in it.

    Begun in the background, tests would pass on to the commands they start that Ctrl-C is to be ignored.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    share_folder(lend=not hasattr(config, "workerinput"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files come first, so that no core waits for them at the end."""
    items.sort(key=lambda item: item.path.name not in LONGEST)


@pytest.fixture
def coin_duel() -> Iterator[Game]:
    """The tiny game of the tests, registered for the length of a test; its cards and kernels stay what they are."""
    from tests.every_game.coin_duel import GAME  # noqa: PLC0415 - imported late: few tests play it

    yield register(GAME)
    del GAMES[GAME.name]


@pytest.fixture
def lone_climb() -> Iterator[Game]:
    """The tiny game for one or two, registered likewise."""
    from tests.every_game.lone_climb import GAME  # noqa: PLC0415 - as above

    yield register(GAME)
    del GAMES[GAME.name]


@pytest.fixture
def relay_teams() -> Iterator[Game]:
    """The tiny game of teams with known strengths, registered likewise. There is nothing to decide: it is not in TINY."""
    from tests.every_game.relay_teams import GAME  # noqa: PLC0415 - as above

    yield register(GAME)
    del GAMES[GAME.name]


@pytest.fixture
def deck_race() -> Iterator[Game]:
    """The tiny game of decks whose win rates can be worked out, registered likewise; there is nothing to decide either."""
    from tests.every_game.deck_race import GAME  # noqa: PLC0415 - as above

    yield register(GAME)
    del GAMES[GAME.name]


@pytest.fixture
def dice_duel() -> Iterator[Game]:
    """The tiny game whose win rates are worked out exactly, registered likewise; nothing to decide there."""
    from tests.every_game.dice_duel import GAME  # noqa: PLC0415 - as above

    yield register(GAME)
    del GAMES[GAME.name]


@pytest.fixture(params=[*BUILT_IN, *TINY])
def game(request: pytest.FixtureRequest) -> Iterator[Game]:
    """Every game there is, the tiny ones included; without the compiler, games that policies think long about are cut."""
    if request.param in TINY:
        yield request.getfixturevalue(request.param)
        return
    found = GAMES[request.param]
    if not COMPILED and found.report_games:
        GAMES[found.name] = replace(found, turn_limit=lambda _: TURNS_UNCOMPILED)
    yield GAMES[found.name]
    GAMES[found.name] = found


@pytest.fixture(scope="session")
def python() -> Callable[..., str]:
    """Run Python in a process of its own, with the project on its path; returns what it printed."""

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
