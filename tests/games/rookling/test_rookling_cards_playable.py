"""Whatever the validator lets through can be played: card files mutated in 1,000 ways, and random ones, each for a game."""

from dataclasses import replace
from random import Random

import numpy as np
from hypothesis import HealthCheck, given, settings

from sim.engine.cards import CardError, CardSet
from sim.engine.policies import PolicySpec
from sim.engine.table import Status
from sim.experiment import Experiment
from sim.games.rookling import GAME
from sim.run import Block, play_range, replay
from tests.every_game.play import enough, shortened
from tests.games.rookling.invariants import check
from tests.games.rookling.invariants_steps import check_steps
from tests.games.rookling.random_documents import random_document
from tests.games.rookling.test_rookling_cards_spoiled import mutations

TURNS = 40  # exchanges after which a game is stopped: mutations may make it endless
GREEDY_EVERY = enough(1, 40)  # without the compiler greedy thinks for seconds
RANDOM, GREEDY = PolicySpec.parse("random"), PolicySpec.parse("greedy:1")


def made(cards: CardSet, policy: PolicySpec) -> Experiment:
    """Games of a card set that are stopped early."""
    record = cards.record.copy()
    record["turn_cap"] = np.minimum(TURNS, record["turn_cap"])
    return Experiment(GAME.name, replace(cards, record=record), 2, (policy,), 1)


def ends_well(block: Block) -> None:
    """One game that somebody won, or that was stopped."""
    row, told = block.rows[0], block.outcomes[0]
    assert row["status"] in (Status.FINISHED, Status.CAPPED)
    assert row["share"].sum() == (row["status"] == Status.FINISHED)
    assert row["turns"] == told["exchanges"] <= TURNS
    assert (told["end_life"].any(axis=1) == ((row["share"][:2] == 1) | (row["status"] == Status.CAPPED))).all()
    for name in told.dtype.names:
        if name not in ("hand_at_attack", "life_after"):
            assert np.min(told[name]) >= 0, name


def plays_to_the_end(cards: CardSet, greedy: bool) -> None:
    """Play a game at random, held to the invariants, and one of the greedy policy."""
    experiment = made(cards, RANDOM)
    log = replay(experiment, 0)
    check(log.positions, experiment.cards.record[0])
    check_steps(log.positions, experiment.cards.record[0])
    ends_well(Block(0, log.rows, log.outcomes))
    if greedy:
        ends_well(play_range(made(cards, GREEDY), 0, 1)[0])


def test_a_mutated_card_file_is_refused_or_played():
    played = []

    @settings(
        max_examples=enough(shortened(1_000), 200),
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
    )
    @given(mutations())
    def try_out(document):
        try:
            cards = GAME.from_document(document, "cards.toml")
        except CardError:
            return
        plays_to_the_end(cards, greedy=len(played) % GREEDY_EVERY == 0)
        played.append(cards)

    try_out()
    assert len(played) > enough(shortened(200), 30)


def test_a_random_card_file_of_all_effects_is_played():
    chance = Random(2)
    for number in range(enough(shortened(100, 2), 25)):
        plays_to_the_end(GAME.from_document(random_document(chance)), greedy=number % GREEDY_EVERY == 0)
