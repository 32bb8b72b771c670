"""The speed at which Rookling Heroes resolves whole defences at random, and the defender's exhaustive search."""

import time
from random import Random

import numpy as np
import pytest

from sim.engine.dice import DICE, Purpose, below, open_dice
from sim.engine.jit import COMPILED, Record, kernel
from sim.games.rookling.rules.attacks import Stage, begin_clash, best_response, decide, force_of, is_open, open_attacks, stage_of
from tests.games.rookling.model.random_clashes import cards_of, random_problem
from tests.games.rookling.model.resolve import Clash, Switches

pytestmark = pytest.mark.skipif(not COMPILED, reason="the compiler is off")

RESOLUTIONS_PER_S = 1_000_000  # bar: on one core
PROBLEMS = 4_000
MODEL_PROBLEMS = 4_000
PLAIN = """
import time
from tests.benchmarks.test_resolution_speed import desk_for, search_for
for made, problems in ((desk_for, 1_000), (search_for, 200)):
    run = made(problems, 1)
    began = time.perf_counter()
    run()
    print(problems / (time.perf_counter() - began))
"""


@kernel
def resolve_at_random(clash: int, force: int, cards: Record, dice: Record) -> np.int64:
    """Resolve from a clash to its end, every decision at random."""
    stage = stage_of(clash)
    while stage not in (Stage.DONE, Stage.LOST):
        if stage == Stage.NEXT:
            clash = decide(clash, force, cards, open_place(clash, below(dice, 0, Purpose.POLICY, open_attacks(clash))))
        else:
            clash = decide(clash, force, cards, below(dice, 0, Purpose.POLICY, 2))
        stage = stage_of(clash)
    return np.int64(clash)


@kernel
def open_place(clash: int, number: int) -> np.int64:
    """Position of open attack number 0, 1, 2."""
    position = np.int64(0)
    while number > 0 or not is_open(clash, position):
        number -= is_open(clash, position)
        position += 1
    return position


@kernel
def resolve_all(clashes: np.ndarray, forces: np.ndarray, cards: np.ndarray, dice: np.ndarray, times: int) -> int:
    """Resolve every problem `times` times; the sum of the results keeps the compiler from skipping any."""
    total = np.int64(0)
    for _ in range(times):
        for i in range(len(clashes)):
            total ^= resolve_at_random(clashes[i], forces[i], cards[0], dice[0])
    return total


@kernel
def search_all(clashes: np.ndarray, forces: np.ndarray, cards: np.ndarray, times: int) -> int:
    """Find the best response to every problem `times` times; returns a sum of the results."""
    total = np.int64(0)
    for _ in range(times):
        for i in range(len(clashes)):
            total ^= best_response(clashes[i], forces[i], cards[0])
    return total


def problems(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random clashes, their forces, and their cards: (1,) CARDS."""
    rng = Random(1)
    drawn = [random_problem(rng) for _ in range(count)]
    forces = np.array([force_of(np.array(attacks), np.array(defences)) for _, attacks, defences in drawn])
    clashes = [begin_clash(force, *life) for force, (life, _, _) in zip(forces, drawn, strict=True)]
    return np.array(clashes), forces, np.array([cards_of(Switches())])


def desk_for(count: int, times: int):
    """A function that resolves a number of problems a number of times."""
    clashes, forces, cards = problems(count)
    dice = np.zeros(1, DICE)
    open_dice(dice[0], np.uint64(1), np.uint64(2), np.arange(4, dtype=np.uint32))
    return lambda: resolve_all(clashes, forces, cards, dice, times)


def search_for(count: int, times: int):
    """A function that searches a number of problems a number of times."""
    clashes, forces, cards = problems(count)
    return lambda: search_all(clashes, forces, cards, times)


def model_rate() -> float:
    """Resolutions per second of the plain model."""
    rng = Random(1)
    drawn = [random_problem(rng) for _ in range(MODEL_PROBLEMS)]
    began = time.perf_counter()
    for life, attacks, defences in drawn:
        Clash(list(life), list(attacks), list(defences)).resolve(lambda _, options: rng.choice(options))
    return MODEL_PROBLEMS / (time.perf_counter() - began)


def test_defence_resolutions_per_second_on_one_core(benchmark, python):
    plain, model, times = float(python("-c", PLAIN, NUMBA_DISABLE_JIT="1").split()[0]), model_rate(), 500
    run = desk_for(PROBLEMS, times)
    run()
    benchmark.pedantic(run, rounds=5)
    rate = PROBLEMS * times / benchmark.stats.stats.min
    benchmark.extra_info.update(
        resolutions_per_s=int(rate),
        uncompiled_per_s=int(plain),
        times_faster=round(rate / plain),
        times_the_model=round(rate / model),
    )
    assert rate >= RESOLUTIONS_PER_S, f"{rate:,.0f} resolutions/s"


def test_best_responses_per_second_on_one_core(benchmark, python):
    plain, times = float(python("-c", PLAIN, NUMBA_DISABLE_JIT="1").split()[1]), 100
    run = search_for(PROBLEMS, times)
    run()
    benchmark.pedantic(run, rounds=5)
    rate = PROBLEMS * times / benchmark.stats.stats.min
    benchmark.extra_info.update(responses_per_s=int(rate), uncompiled_per_s=int(plain), times_faster=round(rate / plain))
    assert rate > 20 * plain
