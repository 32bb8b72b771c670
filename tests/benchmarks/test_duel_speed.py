"""The speed of Card Rogue's combat alone: duels of a bare warrior with a goblin, and the odds of long duels."""

import numpy as np
import pytest

from sim.engine.dice import DICE
from sim.engine.exact import DuelRequest, arrange
from sim.engine.jit import COMPILED
from sim.games.cardrogue.cards import load, type_ids
from sim.games.cardrogue.exact.duels import DUELS, duel_of
from sim.games.cardrogue.exact.rolls import DUEL, FOUGHT, play_duels

pytestmark = pytest.mark.skipif(not COMPILED, reason="the compiler is off")

DUELS_PER_S = 5_000_000  # bar: on one core
CHAIN_S = 0.05  # bar: seconds
PLAIN = """
import time
from tests.benchmarks.test_duel_speed import desk_for
desk = desk_for(2_000)
began = time.perf_counter()
desk()
print(2_000 / (time.perf_counter() - began))
"""


def desk_for(duels: int):
    """A function that fights a number of duels."""
    cards = load()
    desk, results, dice = np.zeros(2, DUEL), np.zeros(duels, FOUGHT), np.zeros(1, DICE)
    desk[0] = duel_of(cards, cards.ids.index("warrior"), [], [type_ids(cards).index("goblin")])
    return lambda: play_duels(desk, cards.record[0], dice, 1, 0, results)


def test_duels_per_second_on_one_core(benchmark, python):
    plain, duels = float(python("-c", PLAIN, NUMBA_DISABLE_JIT="1")), 2_000_000
    fight = desk_for(duels)
    fight()
    benchmark.pedantic(fight, rounds=5)
    rate = duels / benchmark.stats.stats.min
    benchmark.extra_info.update(duels_per_s=int(rate), uncompiled_per_s=int(plain), times_faster=round(rate / plain))
    assert rate >= DUELS_PER_S, f"{rate:,.0f} duels/s"


@pytest.mark.parametrize("opponents", [("goblin",), ("golem",), ("basilisk_green", "basilisk_yellow")], ids="+".join)
def test_odds_of_a_duel(benchmark, opponents):
    duel = arrange(DUELS, load(), DuelRequest("mage", opponents, ("dagger", "shield", "helm")))
    duel.chain()
    chain = benchmark.pedantic(duel.chain, rounds=5)
    benchmark.extra_info.update(situations=chain.states, edges=len(chain.source))
    assert benchmark.stats.stats.min < CHAIN_S
