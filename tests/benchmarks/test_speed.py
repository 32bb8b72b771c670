"""The speed of the simulator: `pytest tests/benchmarks --benchmark-only`. The numbers are in `extra_info` of each test.

`FAIRFIGHT_HEAVY=1` adds the run over ten million games.
"""

import os
import time
from dataclasses import dataclass

import numpy as np
import pytest

from sim.engine.dice import DICE, open_dice, word
from sim.engine.jit import COMPILED, kernel
from sim.registry import GAMES
from sim.run import blocks, collect, cores
from tests.every_game.play import experiment

pytestmark = pytest.mark.skipif(not COMPILED, reason="the compiler is off")

WORKERS_GAIN = 1.8  # two workers against one
MEGABYTES_MAX = 400
WARM_S = 3.0  # `fairfight winrates arena --games 1000`


@dataclass(frozen=True)
class Load:
    """The load and the bars of a game: the random policy on one core."""

    name: str
    seats: int
    games: int  # takes about a second
    plain_games: int  # without the compiler, likewise
    decisions_per_s: int  # bars
    games_per_s: int

    def __str__(self) -> str:
        return f"{self.name}-{self.seats}"


LOADS = [
    Load("arena", 2, games=20_000, plain_games=40, decisions_per_s=5_000_000, games_per_s=30_000),
    Load("cardrogue", 4, games=1_200, plain_games=6, decisions_per_s=3_500_000, games_per_s=1_000),
    Load("rookling", 2, games=20_000, plain_games=20, decisions_per_s=5_000_000, games_per_s=20_000),
    # The goal was 5,000 games/s, but random players need 97 turns and 1,000 decisions a game, with nine creatures each.
    Load("riftborn", 2, games=4_000, plain_games=3, decisions_per_s=2_500_000, games_per_s=2_500),
    Load("runeslingers", 2, games=10_000, plain_games=6, decisions_per_s=1_000_000, games_per_s=3_000),
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
def test_random_decisions_per_second_on_one_core(benchmark, load: Load):
    collect(random_games(load, 8), jobs=1)
    results = benchmark.pedantic(collect, (random_games(load, load.games), 1), rounds=5)
    seconds = benchmark.stats.stats.min
    rate, games_rate = results.rows["decisions"].sum() / seconds, len(results.rows) / seconds
    benchmark.extra_info.update(decisions_per_s=int(rate), games_per_s=int(games_rate))
    assert rate >= load.decisions_per_s, f"{rate:,.0f} decisions/s"
    assert games_rate >= load.games_per_s, f"{games_rate:,.0f} games/s"


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


@pytest.mark.parametrize("policy", ["greedy:1", "greedy:4", "greedy:16"])
@pytest.mark.parametrize(
    ("name", "seats", "games"),
    [
        ("arena", 2, 400),
        ("arena", 4, 400),
        ("cardrogue", 1, 400),
        ("cardrogue", 4, 24),
        ("rookling", 2, 100),
        ("riftborn", 2, 24),
        ("runeslingers", 2, 48),
    ],
)
def test_greedy_games_per_second(benchmark, name, seats, games, policy):
    collect(experiment(GAMES[name], 8, policy, seats), jobs=1)
    results = benchmark.pedantic(collect, (experiment(GAMES[name], games, policy, seats), 1), rounds=3)
    benchmark.extra_info["games_per_s"] = round(len(results.rows) / benchmark.stats.stats.min, 1)


@kernel
def draw_often(dice: np.ndarray, draws: int) -> int:
    """Sum of many words, so that the compiler cannot skip any."""
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
    """Blocks are passed on and forgotten, so the memory of a run does not grow with its games."""
    heavy = 10_000_000 if os.environ.get("FAIRFIGHT_HEAVY") else 300_000
    python("-c", PEAK, "8")
    small = float(python("-c", PEAK, "10000").split()[1])
    shown = benchmark.pedantic(python, ("-c", PEAK, str(heavy)), {"timeout_s": 3600}, rounds=1)
    played, large = shown.split()
    benchmark.extra_info.update(games=int(played), small_mb=round(small), large_mb=round(float(large)))
    assert float(large) < min(MEGABYTES_MAX, small + 60)


def test_first_win_rates_with_a_warm_cache(benchmark, python):
    command = ("-m", "analysis.cli.start", "winrates", "arena", "--games", "1000")
    python(*command)
    benchmark.pedantic(python, command, rounds=3)
    benchmark.extra_info["s"] = round(benchmark.stats.stats.min, 2)
    assert benchmark.stats.stats.min < WARM_S


def test_a_run_stops_within_two_seconds(benchmark):
    def stop() -> float:
        played = blocks(experiment(GAMES["arena"], 10_000_000, "greedy:1000", 4), jobs=2)
        next(played)
        began = time.perf_counter()
        played.close()
        return time.perf_counter() - began

    assert benchmark.pedantic(stop, rounds=1) < 2
