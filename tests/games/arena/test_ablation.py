"""Ablation: what can be forbidden, and in which decisions it is used."""

from functools import cache

import numpy as np
import pytest

from sim.engine.contract import NOTHING, ablation_of
from sim.engine.jit import COMPILED, kernel
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.arena import GAME
from sim.games.arena.state import Phase
from sim.run import replay

CARDS = GAME.load(None)
NAMES = GAME.ablatable(CARDS) if GAME.ablatable else ()
GAMES, SEATS, CHUNK = 200, 4, 20
RULES = ("rule.move", "rule.pass", "rule.rage", "rule.further_dragonlings", "rule.move_after")

compiled = pytest.mark.skipif(not COMPILED, reason="without the compiler this number of games takes minutes")


@kernel
def count_uses(positions: np.ndarray, cards: np.ndarray, actions: np.ndarray, found: np.ndarray) -> None:
    """Count what decisions use, by phase. found: (phases, things), increased."""
    for i in range(len(positions)):
        if actions[i] >= 0:
            thing = ablation_of(positions[i], cards[0], actions[i])
            if thing != NOTHING:
                found[positions[i]["phase"], thing] += 1


@cache
def used(*forbidden: str) -> np.ndarray:
    """Number of times each thing is used in random games, (phases, things)."""
    made = Experiment(GAME.name, CARDS, SEATS, (PolicySpec.parse("random"),), GAMES, 3, forbidden=forbidden)
    found = np.zeros((len(Phase), len(NAMES)), np.int64)
    for first in range(0, made.games, CHUNK):
        log = replay(made, first, CHUNK)
        count_uses(log.positions, CARDS.record, log.moves["action"], found)
    return found


@compiled
@pytest.mark.slow
def test_a_seat_that_cannot_pass_uses_an_ability_where_there_is_one():
    """Passing remains possible where no ability can be used, because a seat must always have an option."""
    passes = NAMES.index("rule.pass")
    assert used("rule.pass")[:, passes].sum() < used()[:, passes].sum() / 2


@compiled
def test_each_thing_is_used_in_its_own_kind_of_decision():
    phases = {name: [Phase(phase) for phase in np.flatnonzero(used()[:, k])] for k, name in enumerate(NAMES)}
    own = (Phase.MOVE, Phase.ABILITY, Phase.RAGE, Phase.SUMMON, Phase.POST_MOVE)
    assert [phases.pop(name) for name in RULES] == [[phase] for phase in own]
    assert all(found == [Phase.ABILITY] for found in phases.values())


def test_names_are_those_of_the_card_file_and_of_optional_rules():
    abilities = ("hero.bow_master.arrowed", "hero.bow_master.boxing_arrow", "hero.rhino_guy.hammer_time")
    assert NAMES[: len(abilities)] == abilities
    assert NAMES[-len(RULES) :] == RULES
