"""Two runs of the tests: those of single kernels as plain Python, and those that play games with compiled kernels.

numba compiles every kernel that Python calls, and what it compiles is stale after any edit. The folders of PLAIN therefore run
without the compiler, in a run of their own: `pytest tests/games tests/kernels`, or any files in them. All other tests run
compiled, and may only call the entry points that `fairfight warmup` compiles; `tests/fixtures.py` checks that.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy is imported: on busy cores, BLAS threads wait longer than they work
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or each command that a test starts compiles all modules from text

import gc
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# Compiling makes millions of objects that stay; looking for cycles in them takes a tenth of the time.
gc.set_threshold(100_000, 50, 100)

settings.register_profile("shared", deadline=None)  # machines are shared, so the time of an example means nothing
settings.load_profile("shared")

ROOT = Path(__file__).resolve().parents[1]
PLAIN = [ROOT / "tests" / "games", ROOT / "tests" / "kernels"]  # folders whose tests call single kernels
WITHOUT_COMPILER = "NUMBA_DISABLE_JIT"
FIXTURES = "tests.fixtures"

BUILT_IN = sorted(path.parent.name for path in (ROOT / "sim" / "games").glob("*/cards.toml"))  # none of other distributions
SLOW = frozenset(BUILT_IN) - {"arena"}  # games that take long, above all without the compiler
TINY = ("coin_duel", "lone_climb")  # games of the tests, each with a fixture of its name
FORCED = ("deck_race", "dice_duel", "relay_teams")  # those with known odds, in which seats have nothing to decide


def pytest_configure(config: pytest.Config) -> None:
    """Choose the run before anything imports numba, and let Ctrl-C end commands that tests start.

    Tests started in the background ignore Ctrl-C; without a reset, the commands that they start would inherit this.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not runs_plain():
        plain = [is_plain(config.invocation_params.dir / argument.partition("::")[0]) for argument in config.args]
        if any(plain) and not all(plain):
            raise pytest.UsageError("tests/games and tests/kernels run without the compiler: run them apart from other tests")
        if plain and all(plain):
            os.environ[WITHOUT_COMPILER] = "1"
    config.pluginmanager.import_plugin(FIXTURES)


def pytest_report_header() -> str:
    """Name the run."""
    return "kernels: plain Python" if runs_plain() else "kernels: compiled; tests/games and tests/kernels are a run of their own"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave tests of single kernels out of the compiled run."""
    return True if not runs_plain() and is_plain(collection_path) else None


def runs_plain() -> bool:
    """Whether kernels run as plain Python."""
    return os.environ.get(WITHOUT_COMPILER) == "1"


def is_plain(path: Path) -> bool:
    """Whether a path lies in a folder of tests that run without the compiler."""
    return any(path.resolve().is_relative_to(folder) for folder in PLAIN)


def sampled(cases: Iterable[Any], every: int) -> list[Any]:
    """Cases of a parametrized test: the first of each group of `every` runs at each commit, all of them in `make soak`."""
    return [case if place % every == 0 else in_soak(case) for place, case in enumerate(cases)]


def in_soak(case: Any) -> Any:
    """A case of a parametrized test that only `make soak` runs. A tuple holds the values of several parameters."""
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.soak)


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
