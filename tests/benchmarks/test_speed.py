"""Ratios of speed within one run: `pytest tests/benchmarks --benchmark-only`. The figures are in `extra_info` of each test.

`python -m tests.benchmarks.against` compares two checkouts, `test_against_c.py` the Arena with a C program.

`FAIRFIGHT_HEAVY=1` adds the run over ten million games.
"""

import os
import time
from dataclasses import dataclass

import pytest

from sim.engine.jit import COMPILED
from sim.registry import GAMES
from sim.run import blocks, collect, cores
from tests.every_game.play import experiment

pytestmark = pytest.mark.skipif(not COMPILED, reason="the compiler is off")

WORKERS_GAIN = 1.8  # two workers against one
MEGABYTES_MAX = 400


@dataclass(frozen=True)
class Load:
    """A load that random players finish in about a second on one core."""

    name: str
    seats: int
    games: int
    plain_games: int  # without the compiler, likewise

    def __str__(self) -> str:
        return f"{self.name}-{self.seats}"


LOADS = [
    Load("arena", 2, games=20_000, plain_games=40),
    Load("cardrogue", 4, games=1_200, plain_games=6),
    Load("rookling", 2, games=20_000, plain_games=20),
    Load("riftborn", 2, games=4_000, plain_games=3),
    Load("runeslingers", 2, games=10_000, plain_games=6),
]
PER_GAME = pytest.mark.parametrize("load", LOADS, ids=str)

RATE = """
import sys, time
from sim.registry import GAMES
from sim.run import play_range
from tests.every_game.play import experiment
name, seats, games = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
made = experiment(GAMES[name], games, "random", seats)
play_range(made, 0, 1)
began = time.perf_counter()
block, _ = play_range(made, 0, games)
print(block.rows["decisions"].sum() / (time.perf_counter() - began))
"""

PEAK = """
import resource, sys
from sim.registry import GAMES
from sim.run import blocks
from tests.every_game.play import experiment
games = sum(len(block.rows) for block in blocks(experiment(GAMES["arena"], int(sys.argv[1])), jobs=2))
print(games, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def random_games(load: Load, games: int):
    return experiment(GAMES[load.name], games, "random", load.seats)


@PER_GAME
def test_compiled_against_the_same_code_uncompiled(benchmark, python, load: Load):
    command = ("-c", RATE, load.name, str(load.seats), str(load.plain_games))
    plain = float(python(*command, NUMBA_DISABLE_JIT="1"))
    collect(random_games(load, 8), jobs=1)
    results = benchmark.pedantic(collect, (random_games(load, load.games // 2), 1), rounds=3)
    compiled = results.rows["decisions"].sum() / benchmark.stats.stats.min
    benchmark.extra_info.update(uncompiled_per_s=int(plain), times_faster=round(compiled / plain))
    assert compiled > 20 * plain


@pytest.mark.skipif(cores() < 2, reason="one core only")
@PER_GAME
def test_two_workers_against_one(benchmark, load: Load):
    games = random_games(load, 5 * load.games)
    collect(games, jobs=2)
    alone = min(collect(games, jobs=1).elapsed_s for _ in range(3))
    benchmark.pedantic(collect, (games, 2), rounds=3)
    gain = alone / benchmark.stats.stats.min
    benchmark.extra_info["gain"] = round(gain, 2)
    assert gain >= WORKERS_GAIN, f"{gain:.2f} times"


def test_memory_stays_flat(benchmark, python):
    """Blocks are passed on and forgotten, so the memory of a run does not grow with its games."""
    heavy = 10_000_000 if os.environ.get("FAIRFIGHT_HEAVY") else 300_000
    python("-c", PEAK, "8")
    small = float(python("-c", PEAK, "10000").split()[1])
    shown = benchmark.pedantic(python, ("-c", PEAK, str(heavy)), {"timeout_s": 3600}, rounds=1)
    played, large = shown.split()
    benchmark.extra_info.update(games=int(played), small_mb=round(small), large_mb=round(float(large)))
    assert float(large) < min(MEGABYTES_MAX, small + 60)


def test_a_run_stops_within_two_seconds(benchmark):
    def stop() -> float:
        played = blocks(experiment(GAMES["arena"], 10_000_000, "greedy:1000", 4), jobs=2)
        next(played)
        began = time.perf_counter()
        played.close()
        return time.perf_counter() - began

    assert benchmark.pedantic(stop, rounds=1) < 2
