"""Whatever the validator lets through can be played: card files mutated in 2,000 ways, and random ones, each for a game."""

import random

from hypothesis import HealthCheck, given, settings

from sim.engine.cards import CardError
from sim.engine.policies import PolicySpec
from sim.engine.table import Status
from sim.experiment import Experiment
from sim.games.arena.cards import from_document
from sim.run import play_range
from tests.every_game.play import shortened
from tests.games.arena.documents import random_document
from tests.games.arena.kernel_bridge import sourced
from tests.games.arena.mutations import mutations

POLICIES = (PolicySpec.parse("random"), PolicySpec.parse("greedy:1"))


def plays_to_the_end(cards):
    """Play a few games at every number of seats that the set has heroes for, under both policies."""
    for seats in range(2, min(4, len(cards.ids)) + 1):
        for policy in POLICIES:
            block, _ = play_range(Experiment("arena", cards, seats, (policy,), 1), 0, 1)
            assert block.rows["status"][0] in {Status.FINISHED, Status.CAPPED}
            assert block.rows["turns"][0] <= cards.record["turn_cap"][0]
            assert block.rows["share"].sum() == (block.rows["status"][0] == Status.FINISHED)
    return True


def test_a_mutated_card_file_is_refused_or_played():
    played = []

    @settings(max_examples=shortened(2_000), deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(mutations())
    def check(document):
        try:
            cards = from_document(document, "cards.toml")
        except CardError:
            return
        played.append(plays_to_the_end(cards))

    check()
    assert len(played) > shortened(200)


def test_a_random_card_file_of_all_effects_is_played():
    chance = random.Random(2)
    assert all(plays_to_the_end(from_document(sourced(random_document(chance)))) for _ in range(shortened(100, 2)))
