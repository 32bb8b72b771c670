"""The cost of keeping games on disk, and of playing them on a cluster, compared side by side on two cores."""

import os
import time
from collections.abc import Callable, Iterator

import pytest

from sim.engine.jit import COMPILED
from sim.registry import GAMES
from sim.run import blocks, cores
from sim.store import Run
from sim.store.cluster import cluster
from tests.every_game.play import experiment
from tests.store.cluster_processes import started

pytestmark = [
    pytest.mark.skipif(not COMPILED, reason="the compiler is off"),
    pytest.mark.skipif(cores() < 2 or not hasattr(os, "sched_setaffinity"), reason="takes two cores to itself"),
]

JOBS = 2
STORE_SHARE, CLUSTER_SHARE = 0.95, 0.85  # of the throughput without it
STORE_GAMES, STORE_ROUNDS = 150_000, 12
CLUSTER_S, CLUSTER_ROUNDS = 40.0, 2  # target time of the runs on two threads, from a measured speed
LOOK_GAMES = 200_000


@pytest.fixture(autouse=True)
def two_cores() -> Iterator[None]:
    """Limit this process and those that it starts to two cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[-JOBS:])
    yield
    os.sched_setaffinity(0, before)


def seconds(act: Callable[[], object]) -> float:
    """The time that a call takes."""
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def random_games(games: int):
    """Games of the Arena under random play."""
    return experiment(GAMES["arena"], games)


def play(games: int) -> None:
    """Play games and drop them."""
    for _ in blocks(random_games(games), JOBS):
        pass


def test_games_kept_on_disk_against_games_dropped(benchmark, tmp_path_factory):
    play(1000)
    without: list[float] = []

    def other() -> tuple[tuple[Run], dict]:
        """The round without, before each round with."""
        without.append(seconds(lambda: play(STORE_GAMES)))
        return (Run.begin(tmp_path_factory.mktemp("run"), random_games(STORE_GAMES)),), {}

    benchmark.pedantic(lambda run: run.fill(JOBS), setup=other, rounds=STORE_ROUNDS)
    share = min(without) / benchmark.stats.stats.min
    benchmark.extra_info.update({"games/s": round(STORE_GAMES / min(without)), "of it with the store": round(share, 3)})
    assert share >= STORE_SHARE, f"{share:.1%}"


def test_two_workers_of_a_cluster_against_two_threads(benchmark, tmp_path_factory):
    """The time in which workers load fairfight counts, because each run starts new ones."""
    on_threads: list[float] = []

    def begun(games: int) -> Run:
        return Run.begin(tmp_path_factory.mktemp("run"), random_games(games))

    def on_cluster(run: Run, address: str) -> None:
        with cluster(address) as jobs:
            run.fill(jobs)

    with started(tmp_path_factory.mktemp("cluster")) as processes:

        def other() -> tuple[tuple[Run, str], dict]:
            """The round on threads, before each round on the cluster."""
            on_threads.append(seconds(lambda: begun(games).fill(JOBS)))
            processes.have()
            processes.have("ann", "bob")
            return (begun(games), processes.address), {}

        play(1000)
        games = int(LOOK_GAMES * CLUSTER_S / seconds(lambda: begun(LOOK_GAMES).fill(JOBS)))
        benchmark.pedantic(on_cluster, setup=other, rounds=CLUSTER_ROUNDS)
    share = min(on_threads) / benchmark.stats.stats.min
    rate = round(games / min(on_threads))
    benchmark.extra_info.update({"games": games, "games/s on threads": rate, "of it on a cluster": round(share, 3)})
    assert share >= CLUSTER_SHARE, f"{share:.1%}"
