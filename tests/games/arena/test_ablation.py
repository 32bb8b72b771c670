"""Ablation: everything that can be forbidden happens in play, and what is forbidden never does."""

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


def times(*forbidden: str) -> dict[str, int]:
    return dict(zip(NAMES, used(*forbidden).sum(axis=0).tolist(), strict=True))


@compiled
def test_everything_that_can_be_forbidden_is_used_in_random_games():
    assert [thing for thing, often in times().items() if not often] == []


@compiled
@pytest.mark.parametrize(
    "forbidden",
    [
        ("hero.rhino_guy.charge", "rule.rage", "rule.move_after", "hero.valasca.war_cry"),
        ("rule.move", "rule.further_dragonlings", "hero.bow_master.boxing_arrow"),
    ],
)
def test_what_is_forbidden_never_happens_and_all_else_does(forbidden: tuple[str, ...]):
    found = times(*forbidden)
    assert [thing for thing, often in found.items() if not often] == [name for name in NAMES if name in forbidden]


@compiled
def test_a_seat_that_cannot_pass_uses_an_ability_where_there_is_one():
    """Passing remains possible where no ability can be used, because a seat must always have an option."""
    assert times("rule.pass")["rule.pass"] < times()["rule.pass"] / 2


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
    assert len({*NAMES}) == len(NAMES)


def test_a_name_that_is_none_is_refused_with_those_near_to_it():
    with pytest.raises(ValueError, match=r"forbid='hero\.rhino_guy\.chage'.*hero\.rhino_guy\.charge"):
        Experiment(GAME.name, CARDS, 2, (PolicySpec.parse("random"),), 10, forbidden=("hero.rhino_guy.chage",))
