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
from tests.games.riftborn.model.test_random import SWITCHES, random_switches
from tests.games.riftborn.playing import made, whole, with_random_decks
from tests.games.riftborn.random_documents import random_game_document

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


@pytest.mark.parametrize("part", sampled(range(8), 4))
def test_invariants_hold_in_every_position_of_200_games_of_the_reference_set(part):
    """In 8 parts, of which two at each commit. A player wins, and the loser has no life left."""
    ended = [states[-1] for states in games(reference(), enough(25, 1), seed=part)]
    won = [state for state in ended if state["phase"] == Phase.OVER]
    assert len(won) >= enough(24, 0)
    assert all(state["life"][1 - state["winner"]] <= 0 for state in won if state["winner"] != NOBODY)


@pytest.mark.parametrize("number", range(8))
def test_invariants_hold_with_random_decks(number):
    games(made(with_random_decks(whole(reference_document()), 12, number)), enough(shortened(15, 3), 1), seed=number)


@pytest.mark.parametrize(("switch", "value"), [(switch, value) for switch in SWITCHES for value in SWITCHES[switch]], ids=str)
def test_invariants_hold_under_every_value_of_every_switch(switch, value):
    games(reference(**{switch: value}), enough(shortened(6, 3), 1))


@pytest.mark.parametrize("number", range(20))
def test_invariants_hold_with_any_switches_and_odd_cards(number):
    """Cards that do what those of the reference set do not, in random decks."""
    document = whole(odd_document(**random_switches(Random(number))))
    games(made(with_random_decks(document, 8, number)), enough(shortened(8, 4), 1), seed=number)


@pytest.mark.parametrize("number", range(20))
def test_invariants_hold_with_any_valid_card_file(number):
    """Random abilities, effects and switches."""
    games(made(random_game_document(Random(number))), enough(shortened(4, 2), 1), seed=number)


@pytest.mark.parametrize("rich", [{"turn_xp": 5000}, {"turn_xp": 5000, "turn_draw": 5, "start_hand": 10, "mulligans": 3}])
def test_invariants_hold_where_much_is_played(rich):
    games(made(whole(odd_document(**rich))), enough(shortened(20), 1))


def test_invariants_hold_in_games_of_the_greedy_policy():
    games(reference(), enough(24, 1), "greedy:1")


def test_invariants_the_same_seed_gives_the_same_game():
    cards = made(whole(odd_document()))
    once, again, other = (games(cards, 1, seed=seed)[0] for seed in (5, 5, 6))
    assert once.tobytes() == again.tobytes()
    assert once.tobytes() != other.tobytes()


def test_invariants_a_position_has_the_size_that_memory_is_planned_for():
    assert STATE.itemsize <= STATE_BYTES


SPOILED = {
    # what is changed: field, place in it, by how much
    "a card in the library twice": ("library", (0, 0), 1),
    "a card forgotten in the library": ("library_n", (0,), -1),
    "a card in hand twice": ("hand", (1, 0), 1),
    "a card discarded that is nowhere": ("discard_n", (0,), 1),
    "more known than there is": ("known_own", (0,), 61),
    "a Weapon without a card": ("uses", (0, 7), 1),
    "an Armour without a card": ("points", (1, 7), 1),
    "a card held that is not": ("held", (0, 0), 1),
    "a card drawn from nowhere": ("drawn", (0, 0), 1),
    "too much life": ("life", (0,), 100),
    "no life": ("life", (1,), -100),
    "a winner too early": ("winner", (), 1),
    "experience from nowhere": ("xp", (0,), 1),
    "experience of a turn more": ("gained", (0, 0), 300),
    "a level too high": ("level", (0,), 1),
    "a level never held": ("level_turn", (0, 18), 3),
    "a budget overdrawn": ("used_levels", (0,), 40),
    "a curve of the future": ("xp_after", (0, 29), 10_000),
    "a turn too many": ("own_turns", (0,), 1),
    "a TRICK card that does not exist": ("tricks", (0,), 64),
    "a row too long": ("row_len", (0, 0), 1),
    "a creature nowhere": ("card", (14,), 1),
    "a trace of a creature": ("damage", (14,), 1),
    "a bonus from nowhere": ("bonus_attack", (0,), 1),
    "a loan from nowhere": ("lent", (0, 0), 1),
    "no creature in front": ("front", (0, 5), 30),
    "a token less than none": ("rage", (0,), -1),
    "a flag of 2": ("acted", (0,), 2),
    "a creature that should be dead": ("damage", (0,), 500),
    "a trick that waits": ("queue_n", (), 1),
    "experience that is owed": ("owed", (0,), 100),
    "a shuffle that left its keys": ("keys", (0,), 1),
}


@pytest.mark.parametrize("fault", SPOILED)
def test_invariants_notice_what_is_wrong(fault):
    """A MAIN decision with a creature in play, its hand not empty, with one number changed."""
    cards = reference()
    played = Experiment(GAME.name, cards, 2, (PolicySpec.parse("random"),), 1, 3)
    states = replay(played, 0).positions
    fit = (states["phase"] == Phase.MAIN) & (states["card"][:, 0] != NOBODY) & (states["card"][:, 14] == NOBODY)
    fit &= (states["hand_n"] > 0).all(axis=1) & (states["library_n"] > 0).all(axis=1) & (states["own_turns"][:, 1] < 29)
    states = states[fit][:1].copy()
    check(states, cards)
    field, place, change = SPOILED[fault]
    at = (0, *place)
    states[field][at] = states[field][at].astype(int) + change
    with pytest.raises(AssertionError):
        check(states, cards)
