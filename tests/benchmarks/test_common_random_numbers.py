"""The games saved by common random numbers: every number of the Arena one step up and down, in one run.

`FAIRFIGHT_HEAVY=1` runs it until all numbers are known to one point (about 4 million games), in at most 15 minutes on two cores.
"""

import os
import time

import numpy as np
import pytest

from analysis.variants.sensitivity import Asked, sensitivity
from analysis.variants.variant import candidates
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES

pytestmark = pytest.mark.skipif(not COMPILED, reason="the compiler is off")

GAIN = 2.0  # two separate runs need at least this many times the games
SMALL = 0.05  # change of a win rate
MINUTES = 15
POINT = 0.01


def run(asked: Asked, jobs: int | None):
    """All steps of the Arena, two seats, greedy; a tenth of the fields if games are limited."""
    game = GAMES["arena"]
    cards = game.load(None)
    patterns = ("hero.*.move", "hero.*.defence") if asked.games else ()
    base = Experiment("arena", cards, 2, (PolicySpec.parse("greedy"),), 1)
    return sensitivity(base, candidates(game, cards, patterns), asked, jobs)


def test_one_step_needs_at_most_half_the_games_of_separate_runs(benchmark):
    found = benchmark.pedantic(run, args=(Asked(games=30_000), None), rounds=1).frame
    gain = found["gain"].to_numpy(float)
    small = found["change"].abs().to_numpy() < SMALL
    benchmark.extra_info |= {"median gain": round(float(np.median(gain)), 1), "small changes": int(small.sum())}
    assert np.median(gain[small] if small.any() else gain) >= GAIN


@pytest.mark.skipif("FAIRFIGHT_HEAVY" not in os.environ, reason="four million games")
def test_all_numbers_of_the_arena_are_known_to_a_point_in_a_quarter_of_an_hour(benchmark):
    began = time.monotonic()
    found = benchmark.pedantic(run, args=(Asked(precision=POINT), 2), rounds=1)
    minutes = (time.monotonic() - began) / 60
    benchmark.extra_info |= {"games": found.games, "minutes": round(minutes, 1), "widest": round(100 * found.precision, 2)}
    assert found.precision <= POINT
    assert minutes < MINUTES
