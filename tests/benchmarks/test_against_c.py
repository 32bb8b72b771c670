"""The Arena against `arena.c`, which plays the very same random games in C: equal results, and the ratio of speed.

The ratio depends on the compiler: clang, which shares LLVM with numba, is used where it is installed, and each result names it.
"""

import resource
import shutil
import statistics
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from sim.engine.jit import COMPILED
from sim.registry import GAMES
from sim.run import blocks
from tests.every_game.play import experiment

COMPILER = next((Path(path) for name in ("clang", "gcc", "cc") if (path := shutil.which(name))), None)
ROW = np.dtype([("winner", "i4"), ("turns", "i4"), ("decisions", "i4"), ("first", "i4")])
GAMES_PLAYED, PAIRS = 30_000, 5

pytestmark = [
    pytest.mark.skipif(not COMPILED, reason="the compiler is off"),
    pytest.mark.skipif(COMPILER is None, reason="no C compiler"),
]


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled C program, with the project's dice and its facts of a game."""
    binary = tmp_path_factory.mktemp("c") / "arena"
    source = Path(__file__).with_name("arena.c")
    flags = ("-O3", "-march=native", "-std=c11", "-DKEYED", "-DSTATS")
    assert COMPILER is not None
    subprocess.run([COMPILER, *flags, source, "-o", binary], check=True)
    return binary


def version() -> str:
    """What the C compiler calls itself."""
    assert COMPILER is not None
    return subprocess.run([COMPILER, "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]


def in_c(twin: Path, plan: Path) -> tuple[float, np.ndarray, np.ndarray]:
    """CPU seconds, rows and outcomes."""
    rows, outcomes = plan.with_name("rows"), plan.with_name("outcomes")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([twin, plan, "1", rows, outcomes], check=True, stdout=subprocess.DEVNULL)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return seconds, np.fromfile(rows, ROW), np.fromfile(outcomes, GAMES["arena"].outcome)


@pytest.mark.parametrize("seats", [2, 3, 4], ids=lambda seats: f"{seats}-seats-{COMPILER and COMPILER.name}")
def test_the_arena_plays_the_games_of_c(benchmark, twin: Path, tmp_path: Path, seats: int):
    games = experiment(GAMES["arena"], GAMES_PLAYED, "random", seats)
    games.plan(0, games.games).tofile(tmp_path / "plan")
    next(blocks(games, 1, 100))  # compile
    ratios = []

    def pair() -> None:
        began = time.process_time()
        played = list(blocks(games, 1, 5_000))
        seconds = time.process_time() - began
        c_seconds, c_rows, c_outcomes = in_c(twin, tmp_path / "plan")
        ratios.append(c_seconds / seconds)
        rows, outcomes = (np.concatenate([getattr(block, name) for block in played]) for name in ("rows", "outcomes"))
        share = rows["share"]
        assert (np.where(share.max(1) > 0, share.argmax(1), -1) == c_rows["winner"]).all()
        for name in ("turns", "decisions"):
            assert (rows[name] == c_rows[name]).all()
        assert outcomes.tobytes() == c_outcomes.tobytes()

    benchmark.pedantic(pair, rounds=PAIRS)
    benchmark.extra_info.update(compiler=version(), ratio_to_c=round(statistics.median(ratios), 3), lowest=round(min(ratios), 3))
