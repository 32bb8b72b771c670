"""Totals of random games that must agree with each other and with the last position."""

from random import Random

import numpy as np
import pytest

from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import replay
from tests.conftest import sampled
from tests.games.arena.documents import random_document
from tests.games.arena.kernel_bridge import GAME, card_set

DOCUMENTS, EVERY = 80, 10
TURN_CAPS = (10, 60)


def kinds(experiment: Experiment, row: np.void) -> list[list[str]]:
    """Kinds of the three abilities of each seat's hero."""
    heroes = [experiment.cards.document["hero"][entrant] for entrant in row["entrant"][: experiment.seats]]
    return [[ability["kind"] for ability in hero["ability"]] for hero in heroes]


@pytest.mark.parametrize("number", sampled(range(DOCUMENTS), EVERY))
def test_totals_of_a_game_agree(number: int):
    rng = Random(number)
    cards = card_set(random_document(rng, rng.choice(TURN_CAPS)))
    experiment = Experiment("arena", cards, GAME.seats[number % len(GAME.seats)], (PolicySpec.parse("random"),), 1, seed=number)
    played = replay(experiment, 0, 1)
    row, outcome, last = played.rows[0], played.outcomes[0], played.positions[-1]
    facts = {name: outcome[name][: experiment.seats] for name in outcome.dtype.names if outcome.dtype[name].shape}
    own_turns, rage = last["own_turns"][: experiment.seats], last["rage"][: experiment.seats]
    assert outcome["rounds"] >= 1
    assert own_turns.sum() == row["turns"]
    assert (facts["uses"].sum(axis=1) + facts["passes"] == own_turns).all()
    assert (facts["zone_turns"].sum(axis=1) <= own_turns).all()

    attacking = [[kind == "attack" for kind in of_hero] for of_hero in kinds(experiment, row)]
    assert (facts["uses"] * attacking).sum(axis=1).tolist() == facts["attacks"].tolist()
    assert (facts["landed"] <= facts["attacks"]).all()
    assert facts["damage_dealt"].sum() == facts["damage_taken"].sum()

    fallen = facts["fall_turn"] > 0
    assert facts["falls_caused"].sum() == fallen.sum()
    assert ((facts["fall_cause"] > 0) == fallen).all()
    assert ((facts["fall_by"] >= 0) == fallen).all()
    assert ((facts["fall_hex"] >= 0) == fallen).all()
    assert outcome["first_fall"] == min(facts["fall_turn"][fallen], default=0)

    rage_left = facts["rage_gained"] - facts["rage_spent"]
    assert (rage_left >= 0).all()
    assert rage_left[~fallen].tolist() == rage[~fallen].tolist()

    on_board = (last["pos"][4:] >= 0).sum()
    left_with_their_owner = facts["summoned"].sum() - on_board - facts["dragonlings_felled"].sum()
    assert left_with_their_owner >= 0
    assert left_with_their_owner == 0 or fallen.any()

    if row["status"] == Status.FINISHED:
        assert facts["place"][~fallen].tolist() == [1]
    else:
        assert not facts["place"][~fallen].any()
    assert (facts["place"] == 1).sum() == (row["status"] == Status.FINISHED)
