"""Whole games played three ways: by the compiled loop, decision by decision, and by the plain model."""

from collections import Counter
from random import Random

import pytest

from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import replay
from tests.every_game.play import shortened
from tests.games.arena.builders import reference
from tests.games.arena.documents import random_document
from tests.games.arena.kernel_bridge import BRIDGE, GAME, card_set
from tests.model.lockstep import follow

pytestmark = pytest.mark.slow

GAMES_PER_SET = 5
RANDOM_SETS = shortened(64, 4)
REFERENCE_SETS = 4  # for each number of seats
SHORT_CAP, LONG_CAP = 60, 400


def random_experiments(seed: int) -> list[Experiment]:
    """Random games with random and reference cards at 2, 3 and 4 seats, some truncated early."""
    rng = Random(seed)
    documents = [random_document(rng, rng.choice([20, SHORT_CAP, SHORT_CAP, LONG_CAP])) for _ in range(RANDOM_SETS)]
    documents += [reference(turn_cap=SHORT_CAP, board=board) for board in ("standard", "large", "pit", "standard")]
    experiments = []
    for number, document in enumerate(documents):
        cards, seats = card_set(document), GAME.seats[number % len(GAME.seats)]
        line_up = tuple(rng.sample(range(len(cards.ids)), seats))
        policy = (PolicySpec.parse("random"),)
        experiments.append(Experiment("arena", cards, seats, policy, GAMES_PER_SET, seed=number, line_up=line_up))
    return experiments


def test_the_compiled_loop_the_verbs_and_the_model_play_random_games_alike():
    seen: Counter[str] = Counter()
    for experiment in random_experiments(seed=7):
        played = replay(experiment, 0, experiment.games)
        for number in range(experiment.games):
            model = follow(BRIDGE, experiment, played, number, seen)
            seen["truncated"] += model.truncated()
            seen[f"seats {experiment.seats}"] += 1
    assert sum(seen[f"seats {seats}"] for seats in GAME.seats) >= shortened(200, 4)
    assert all(seen[f"seats {seats}"] >= shortened(40, 4) for seats in GAME.seats)
    assert seen["truncated"] >= shortened(20, 4)
    assert seen["OVER"] - seen["truncated"] >= shortened(50, 4)
    for phase in ("START", "MOVE", "ABILITY", "PRE_MOVE", "RAGE", "SUMMON", "STEP", "POST_MOVE"):
        assert seen[phase] >= shortened(30, 4), phase
