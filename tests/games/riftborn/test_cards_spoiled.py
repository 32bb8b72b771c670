"""Card files damaged in some 900 ways: compiled, or refused with the path of the field.

What the validator accepts can be played, mutated or random.
"""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.riftborn import GAME
from sim.games.riftborn.cards import ABILITIES, NONE
from sim.games.riftborn.decks import DECKING
from sim.games.riftborn.record import CARD_FORMAT, REFERENCE, cautions
from sim.run import Block, play_range, replay
from tests.every_game.play import enough, shortened
from tests.games.riftborn.invariants import check, check_steps
from tests.games.riftborn.random_documents import random_game_document
from tests.games.spoiling import Reader, Spoiling, played_if_valid

from_document, load = CARD_FORMAT.from_document, CARD_FORMAT.load

VALUES: list[Any] = [
    *(-1, 0, 1, 2, 3, 5, 7, 13, 41, 64, 10**30, 0.5, 3.0, float("nan"), True, False),
    *("", "3", "creature", "token", "spell", "chosen", "same", "trigger", "self", "any", "enemy", "all", "adjacent"),
    *("BLOCK", "RANGE(2)", "RANGE", "SWARM(2)", "TRICK", "SPELL", "SCRY(6)", "X(", "tok_bones", "beast_cub", "live"),
    *("a\nb", "x" * 200, "é", "rulebook"),
    *([], [1], ["TRICK", "TRICK"], ["AURA(1)"], [0] * 20, [[0]], {}, {"op": "draw", "n": 1}, [{"op": "recall"}]),
    *([[{"op": "draw", "n": 1}]], {"side": "all"}, {"side": "friend", "keyword": "FLIGHT"}, {"beast_cub": 40}, {"id": "x"}),
]
KEYS = [
    *("attack", "health", "level", "keywords", "aura", "tricks", "spell_action", "summon", "transform", "effects", "op"),
    *("n", "target", "side", "count", "where", "source", "name", "double_retarget", "beast_cub", "atack", "a b", "", "é.x"),
]

_READER = Reader(load, from_document)
_SPOILING = Spoiling(REFERENCE, VALUES, KEYS)
mutations, mutated_files = _SPOILING.mutations, _SPOILING.mutated_files


def assert_sound(got: CardSet, document: dict[str, Any]) -> None:
    """What every compiled file is."""
    made, held = got.record[0], DECKING.of(got)
    assert (made["cards"], made["decks"]) == (len(document["card"]), len(document["deck"]))
    assert len(got.ids) == len(held.counts) == made["decks"]
    assert np.isfinite(made["hand_worth"]).all()
    sizes = made["deck_size"][: made["decks"]]
    assert (sizes == held.counts.sum(axis=1)).all()
    assert ((sizes >= 10) & (sizes <= 60)).all()
    assert (made["deck"] < made["cards"]).all()
    for field in ("summon", "transform", "summoned"):
        assert (made[field] < made["cards"]).all()
    for field in ("played", "granted", "aura_ability"):
        assert ((made[field] >= NONE) & (made[field] < ABILITIES)).all()
    assert (made["ability"] >= 0).all()
    assert all(caution.isprintable() for caution in cautions(got))


def test_a_spoiled_document_is_compiled_or_refused_with_the_path_of_the_field():
    assert _READER.read_documents(mutations(), shortened(600), assert_sound) > shortened(60)


def test_a_spoiled_file_is_compiled_or_refused_with_its_name(tmp_path: Path):
    assert _READER.read_files(mutated_files(), shortened(300), tmp_path / "cards.toml") > 0


TURNS = enough(60, 12)  # player turns after which a game is stopped: mutations may make it long
GREEDY_EVERY = enough(1, 40)  # without the compiler greedy thinks for seconds
RANDOM, GREEDY = PolicySpec.parse("random"), PolicySpec.parse("greedy:1")


def made(cards: CardSet, policy: PolicySpec) -> Experiment:
    """Games of a card set that are stopped early."""
    record = cards.record.copy()
    record["turn_cap"] = np.minimum(TURNS, record["turn_cap"])
    return Experiment(GAME.name, replace(cards, record=record), 2, (policy,), 1)


def ends_well(block: Block) -> None:
    """One game that a player won, that both lost together, or that was stopped."""
    row, outcome = block.rows[0], block.outcomes[0]
    assert row["status"] in (Status.FINISHED, Status.TRUNCATED)
    assert row["share"].sum() == (row["status"] == Status.FINISHED)
    assert (outcome["end_life"] > 0).all() == (row["status"] == Status.TRUNCATED)
    assert (outcome["gained"].sum(axis=1) == outcome["end_xp"]).all()
    assert row["turns"] <= outcome["player_turns"] <= TURNS
    for name in outcome.dtype.names:
        if name not in ("end_life", "kill_share") and outcome.dtype[name].base.kind != "f":
            assert np.min(outcome[name]) >= 0, name


def plays_to_the_end(cards: CardSet, greedy: bool) -> None:
    """Play a game at random, held to the invariants, and one of the greedy policy."""
    experiment = made(cards, RANDOM)
    log = replay(experiment, 0)
    check(log.positions[:: enough(1, 25)], experiment.cards)
    check_steps(log.positions, experiment.cards)
    ends_well(Block(0, log.rows, log.outcomes))
    if greedy:
        ends_well(play_range(made(cards, GREEDY), 0, 1)[0])


def test_a_mutated_card_file_is_refused_or_played():
    def play(cards: CardSet, played: int) -> None:
        plays_to_the_end(cards, greedy=played % GREEDY_EVERY == 0)

    assert played_if_valid(from_document, mutations(), enough(shortened(1_000, 20), 200), play) > enough(shortened(100, 20), 15)


def test_a_random_card_file_of_all_abilities_and_effects_is_played():
    for number in range(enough(shortened(100, 5), 10)):
        cards = GAME.from_document(random_game_document(Random(number)))
        plays_to_the_end(cards, greedy=number % GREEDY_EVERY == 0)
