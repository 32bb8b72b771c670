"""Invariants of every position and of every step, in whole random games of the kernels."""

from random import Random
from typing import Any

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.engine.jit import COMPILED
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.runeslingers import GAME
from sim.games.runeslingers.state import STATE, Cause, Phase
from sim.run import replay
from tests.conftest import sampled
from tests.every_game.play import enough, shortened
from tests.games.runeslingers.event_cards import event_document, shouts_often
from tests.games.runeslingers.invariants import check, check_decks, check_steps
from tests.games.runeslingers.kernel_bridge import made
from tests.games.runeslingers.model.documents import reference_document
from tests.games.runeslingers.random_documents import SWITCHES, random_document, random_switches

pytestmark = pytest.mark.slow

TURNS_MOST = 146  # with the rules of the reference set
STATE_BYTES = 12_000  # a position must stay small: search copies it
EVERY = enough(4, 5)  # positions are checked at this interval, steps all of them
REFUSED = (6, 13)  # random card files with an ability that pays for itself


def games(cards: CardSet, count: int, policy: str = "random", seed: int = 1) -> list[np.ndarray]:
    """Games with all their positions, held to the invariants: (n,) STATE of each."""
    played = Experiment(GAME.name, cards, 2, (PolicySpec.parse(policy),), count, seed)
    found = []
    for index in range(count):
        log = replay(played, index)
        assert log.rows["status"][0] in (Status.FINISHED, Status.TRUNCATED)
        check(log.positions[::EVERY], cards)
        check(log.positions[-1:], cards)
        check_decks(log.positions, cards)
        check_steps(log.positions, cards)
        found.append(log.positions)
    return found


def reference(**rules: Any) -> CardSet:
    """The reference set with these rules."""
    return made(reference_document(**rules))


@pytest.mark.parametrize("part", sampled(range(8), 8))
def test_invariants_hold_in_every_position_of_200_games_of_the_reference_set(part):
    """In 8 parts, of which one at each commit. No game needs 146 turns, and a player who lost by power has none left."""
    for states in games(reference(), enough(25, 1), seed=part):
        last = states[-1]
        assert last["phase"] == Phase.OVER
        assert last["turn"] < TURNS_MOST
        if last["cause"] <= Cause.AILMENTS:
            assert last["power"][1 - last["winner"]] == 0
        else:
            assert last["cause"] in (Cause.MAX_HEALTH, Cause.NO_CARDS)


@pytest.mark.parametrize(("switch", "value"), [(switch, value) for switch in SWITCHES for value in SWITCHES[switch]], ids=str)
def test_invariants_hold_under_every_value_of_every_switch(switch, value):
    games(reference(**{switch: value}), enough(shortened(6, 6), 1))


@pytest.mark.parametrize("number", sampled([number for number in range(42) if number not in REFUSED], 2))
def test_invariants_hold_with_any_valid_card_file(number):
    """Random effects, triggers, statics, ailments, rules and switches."""
    document = random_document(Random(number))
    for hero in document["runeslinger"]:
        hero["inherent"]["per_turn"] = max(1, hero["inherent"]["per_turn"])
    games(made(document), enough(shortened(3, 3), 1), seed=number)


@pytest.mark.parametrize("number", sampled(range(12), 2))
def test_invariants_hold_where_everything_is_answered(number):
    """Decks of cards with Shout, games stopped after few turns: nothing of a turn is left after it."""
    document = shouts_often(event_document(number), Random(number))
    document["rules"] |= random_switches(Random(number)) | {"turn_cap": 20 + number}
    ended = [states[-1] for states in games(made(document), enough(shortened(6, 3), 1), seed=number)]
    assert all(state["turn"] == 20 + number or state["phase"] == Phase.OVER for state in ended)


def test_invariants_hold_in_games_of_the_greedy_policy():
    games(reference(), enough(12, 1), enough_greedy())


def enough_greedy() -> str:
    """Greedy takes too long without the compiler."""
    return "greedy:1" if COMPILED else "random"


def test_invariants_a_position_has_the_size_that_memory_is_planned_for():
    assert STATE.itemsize <= STATE_BYTES
