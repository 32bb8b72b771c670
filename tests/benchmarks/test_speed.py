"""How fast the simulator is: `pytest tests/benchmarks --benchmark-only`. The numbers are in `extra_info` of each test.

`FAIRFIGHT_HEAVY=1` adds the run over ten million games.
"""

import os
import time

import numpy as np
import pytest

from sim.engine.dice import DICE, open_dice, word
from sim.engine.jit import COMPILED, kernel
from sim.registry import GAMES
from sim.run import blocks, collect, cores
from tests.every_game.play import experiment

pytestmark = pytest.mark.skipif(not COMPILED, reason="the compiler is off")

DECISIONS_PER_S = 5_000_000  # bar of the Arena: random policy, two seats, one core
WORKERS_GAIN = 1.8  # two workers against one
MEGABYTES_MAX = 400
WARM_S = 3.0  # `fairfight winrates arena --games 1000`

RATE = """
import time
from sim.registry import GAMES
from sim.run import play_range
from tests.every_game.play import experiment
made = experiment(GAMES["arena"], 40, "random")
play_range(made, 0, 2)
began = time.perf_counter()
block, _ = play_range(made, 0, 40)
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


def arena(games: int, policy: str = "random", seats: int = 2):
    return experiment(GAMES["arena"], games, policy, seats)


def test_random_decisions_per_second_on_one_core(benchmark):
    collect(arena(8), jobs=1)
    results = benchmark.pedantic(collect, (arena(20_000), 1), rounds=5)
    rate = results.rows["decisions"].sum() / benchmark.stats.stats.min
    benchmark.extra_info["decisions_per_s"] = int(rate)
    assert rate >= DECISIONS_PER_S, f"{rate:,.0f} decisions/s"


def test_compiled_against_the_same_code_uncompiled(benchmark, python):
    plain = float(python("-c", RATE, NUMBA_DISABLE_JIT="1"))
    collect(arena(8), jobs=1)
    results = benchmark.pedantic(collect, (arena(10_000), 1), rounds=3)
    compiled = results.rows["decisions"].sum() / benchmark.stats.stats.min
    benchmark.extra_info.update(uncompiled_per_s=int(plain), times_faster=round(compiled / plain))
    assert compiled > 20 * plain


@pytest.mark.skipif(cores() < 2, reason="one core only")
def test_two_workers_against_one(benchmark):
    games = arena(100_000)
    collect(games, jobs=2)
    alone = min(collect(games, jobs=1).elapsed_s for _ in range(3))
    benchmark.pedantic(collect, (games, 2), rounds=3)
    gain = alone / benchmark.stats.stats.min
    benchmark.extra_info["gain"] = round(gain, 2)
    assert gain >= WORKERS_GAIN, f"{gain:.2f} times"


@pytest.mark.parametrize("policy", ["greedy:1", "greedy:4", "greedy:16"])
@pytest.mark.parametrize("seats", [2, 4])
def test_greedy_games_per_second(benchmark, policy, seats):
    collect(arena(8, policy, seats), jobs=1)
    results = benchmark.pedantic(collect, (arena(400, policy, seats), 1), rounds=3)
    benchmark.extra_info["games_per_s"] = int(len(results.rows) / benchmark.stats.stats.min)


@kernel
def draw_often(dice: np.ndarray, draws: int) -> int:
    """Sum of many words, so that none can be left out."""
    total = np.uint64(0)
    for _ in range(draws):
        total ^= word(dice, 0, 2)
    return total


def test_time_of_a_draw(benchmark):
    dice, draws = np.zeros(1, DICE), 1_000_000
    open_dice(dice[0], np.uint64(1), np.uint64(2), np.arange(4, dtype=np.uint32))
    draw_often(dice[0], 1)
    benchmark.pedantic(draw_often, (dice[0], draws), rounds=5)
    benchmark.extra_info["ns_per_draw"] = round(benchmark.stats.stats.min / draws * 1e9, 2)


def test_memory_stays_flat(benchmark, python):
    """Blocks are handed on and forgotten: what a run holds does not grow with its games."""
    heavy = 10_000_000 if os.environ.get("FAIRFIGHT_HEAVY") else 300_000
    python("-c", PEAK, "8")
    small = float(python("-c", PEAK, "10000").split()[1])
    shown = benchmark.pedantic(python, ("-c", PEAK, str(heavy)), {"timeout_s": 3600}, rounds=1)
    played, large = shown.split()
    benchmark.extra_info.update(games=int(played), small_mb=round(small), large_mb=round(float(large)))
    assert float(large) < min(MEGABYTES_MAX, small + 60)


def test_first_win_rates_with_a_warm_cache(benchmark, python):
    command = ("-m", "analysis.start", "winrates", "arena", "--games", "1000")
    python(*command)
    benchmark.pedantic(python, command, rounds=3)
    benchmark.extra_info["s"] = round(benchmark.stats.stats.min, 2)
    assert benchmark.stats.stats.min < WARM_S


def test_a_run_stops_within_two_seconds(benchmark):
    def stop() -> float:
        played = blocks(arena(10_000_000, "greedy:1000", 4), jobs=2)
        next(played)
        began = time.perf_counter()
        played.close()
        return time.perf_counter() - began

    assert benchmark.pedantic(stop, rounds=1) < 2
