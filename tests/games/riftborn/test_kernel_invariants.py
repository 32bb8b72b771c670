"""Invariants over whole random games of the kernels: in every position and from each to the next."""

from random import Random
from typing import Any

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.riftborn import GAME
from sim.games.riftborn.state import NOBODY, STATE, Phase
from sim.run import replay
from tests.conftest import sampled
from tests.every_game.play import enough, shortened
from tests.games.riftborn.invariants import check, check_steps
from tests.games.riftborn.model.documents import odd_document, reference_document
from tests.games.riftborn.playing import made, whole, with_random_decks
from tests.games.riftborn.random_documents import SWITCHES, random_game_document, random_switches

pytestmark = pytest.mark.slow

STATE_BYTES = 8_000  # a position must stay small: search copies it
EVERY = enough(1, 25)  # positions are checked at this interval, steps all of them


def games(cards: CardSet, count: int, policy: str = "random", seed: int = 1) -> list[np.ndarray]:
    """Games with all their positions, held to the invariants: (n,) STATE of each."""
    played = Experiment(GAME.name, cards, 2, (PolicySpec.parse(policy),), count, seed)
    found = []
    for index in range(count):
        log = replay(played, index)
        assert log.rows["status"][0] in (Status.FINISHED, Status.TRUNCATED)
        check(log.positions[::EVERY], cards)
        check_steps(log.positions, cards)
        found.append(log.positions)
    return found


def reference(**rules: Any) -> CardSet:
    """The reference set with these rules."""
    return made(whole(reference_document(**rules)))


@pytest.mark.parametrize("part", sampled(range(8), 8))
def test_invariants_hold_in_every_position_of_200_games_of_the_reference_set(part):
    """In 8 parts, of which one at each commit. A player wins, and the loser has no life left."""
    ended = [states[-1] for states in games(reference(), enough(25, 1), seed=part)]
    won = [state for state in ended if state["phase"] == Phase.OVER]
    assert len(won) >= enough(24, 0)
    assert all(state["life"][1 - state["winner"]] <= 0 for state in won if state["winner"] != NOBODY)


@pytest.mark.parametrize("number", sampled(range(8), 2))
def test_invariants_hold_with_random_decks(number):
    games(made(with_random_decks(whole(reference_document()), 12, number)), enough(shortened(15, 3), 1), seed=number)


@pytest.mark.parametrize(("switch", "value"), [(switch, value) for switch in SWITCHES for value in SWITCHES[switch]], ids=str)
def test_invariants_hold_under_every_value_of_every_switch(switch, value):
    games(reference(**{switch: value}), enough(shortened(6, 6), 1))


@pytest.mark.parametrize("number", sampled(range(20), 2))
def test_invariants_hold_with_any_switches_and_odd_cards(number):
    """Cards that do what those of the reference set do not, in random decks."""
    document = whole(odd_document(**random_switches(Random(number))))
    games(made(with_random_decks(document, 8, number)), enough(shortened(8, 4), 1), seed=number)


@pytest.mark.parametrize("number", sampled(range(20), 2))
def test_invariants_hold_with_any_valid_card_file(number):
    """Random abilities, effects and switches."""
    games(made(random_game_document(Random(number))), enough(shortened(4, 2), 1), seed=number)


@pytest.mark.parametrize("rich", [{"turn_xp": 5000}, {"turn_xp": 5000, "turn_draw": 5, "start_hand": 10, "mulligans": 3}])
def test_invariants_hold_where_much_is_played(rich):
    games(made(whole(odd_document(**rich))), enough(shortened(20), 1))


def test_invariants_hold_in_games_of_the_greedy_policy():
    games(reference(), enough(24, 1), "greedy:1")


def test_invariants_a_position_has_the_size_that_memory_is_planned_for():
    assert STATE.itemsize <= STATE_BYTES
