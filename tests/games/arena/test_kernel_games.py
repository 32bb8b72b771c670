"""Whole games played three ways: by the compiled loop, decision by decision, and by the plain model."""

from collections import Counter
from random import Random

import pytest

from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.arena.position import problems
from sim.run import replay
from tests.conftest import sampled
from tests.games.arena.builders import reference
from tests.games.arena.documents import random_document
from tests.games.arena.kernel_bridge import BRIDGE, GAME, card_set
from tests.model.lockstep import follow

DOCUMENTS, EVERY = 70, 7
TURN_CAPS = (20, 60, 60, 400)


def check_game(document: dict, number: int) -> None:
    """Play a random game in all three ways, and check every position. number: fixes seats, heroes and dice."""
    cards, seats = card_set(document), GAME.seats[number % len(GAME.seats)]
    line_up = tuple(Random(number).sample(range(len(cards.ids)), seats))
    experiment = Experiment("arena", cards, seats, (PolicySpec.parse("random"),), 1, seed=number, line_up=line_up)
    played = replay(experiment, 0, 1)
    follow(BRIDGE, experiment, played, 0, Counter())
    for position in played.positions:
        assert not [*problems(position, cards)]


@pytest.mark.parametrize("number", sampled(range(DOCUMENTS), EVERY))
def test_the_loop_the_verbs_and_the_model_play_games_of_random_cards_alike(number: int):
    rng = Random(number)
    check_game(random_document(rng, rng.choice(TURN_CAPS)), number)


@pytest.mark.parametrize(("number", "board"), [(0, "standard"), (1, "large"), (2, "pit")])
def test_the_loop_the_verbs_and_the_model_play_games_of_the_reference_cards_alike(number: int, board: str):
    check_game(reference(turn_cap=60, board=board), number)
