"""How much more often the strongest and the weakest are identified if games go where the answer is least certain."""

import numpy as np
import pytest

from analysis.winrates.strongest import Search, against_each, search
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES
from sim.run import blocks

pytestmark = pytest.mark.skipif(not COMPILED, reason="the compiler is off")

SEEDS, GAMES_EACH, TRUTH_GAMES = 60, 2_800, 200_000
NEVER_SURE = 1 - 1e-15  # all games are played


def test_gain_of_adaptive_games(benchmark):
    """Arena under random play: the strongest is 4.5 points ahead of the second, and the weakest 2 points behind the next."""
    truth = true_ends()
    even, adaptive = benchmark.pedantic(lambda: [named(truth, evenly) for evenly in (True, False)], rounds=1)
    benchmark.extra_info.update({"both ends, evenly": even, "both ends, adaptive": adaptive, "games": GAMES_EACH})
    assert adaptive >= even


def named(truth, evenly):
    """Share of the seeds for which both ends are identified."""
    return round(float(np.mean([ends(seed, evenly) == truth for seed in range(1, SEEDS + 1)])), 3)


def experiment(seed, games=GAMES_EACH):
    return Experiment("arena", GAMES["arena"].load(None), 2, (PolicySpec.parse("random"),), games, seed)


def true_ends():
    """Numbers of the strongest and the weakest, from very many games."""
    wins = np.zeros(len(GAMES["arena"].load(None).ids))
    for block in blocks(experiment(10**6, TRUTH_GAMES)):
        np.add.at(wins, block.rows["entrant"][:, :2], block.rows["share"][:, :2])
    return int(wins.argmax()), int(wins.argmin())


def ends(seed, evenly):
    """Numbers of the strongest and the weakest that a search identifies."""
    allocation = Search(against_each(experiment(seed)), NEVER_SURE, evenly)
    search(allocation, GAMES_EACH, 2)
    strongest, weakest = allocation.chances()
    return int(strongest.argmax()), int(weakest.argmax())
