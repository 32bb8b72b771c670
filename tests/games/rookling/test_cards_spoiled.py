"""Damaged card files are compiled or refused with the path of the field; what is accepted can be played."""

from dataclasses import replace
from math import comb
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.rookling import GAME
from sim.games.rookling.record import CARD_FORMAT, REFERENCE, cautions
from sim.games.rookling.teams import part_names_of, teams_of
from sim.run import Block, play_range, replay
from tests.every_game.play import enough, shortened
from tests.games.rookling.invariants import check, check_steps
from tests.games.rookling.random_documents import random_document
from tests.games.spoiling import LONGER_LINE, Reader, Spoiling, played_if_valid

VALUES: list[Any] = [
    *(-1, 0, 1, 2, 3, 5, 7, 13, 16, 64, 10**30, 0.5, 3.0, float("nan"), True, False),
    *("", "3", "attack", "special", "any", "grey", "red", "frozen", "tunnel", "draft", "rime", "any_own", "trigger"),
    *("a\nb", "x" * 200, "é", "rulebook"),
    *([], [1], [1, 2], [9] * 9, ["red", "red"], [[0]], {}, {"do": "draw", "n": 1}, [{"op": "damage", "n": 1}]),
    *([{"do": "heal", "scope": "self", "n": 2}], {"amount": 3}, {"value": 2}, {"id": "x"}),
]
KEYS = [
    *("amount", "value", "siege", "life", "match_colour", "match_bonus", "effects", "do", "op", "n", "token", "id"),
    *("source", "name", "fixed", "supply", "red", "amuont", "a b", "", "é.x"),
]

_READER = Reader(CARD_FORMAT.load, CARD_FORMAT.from_document, LONGER_LINE)
_SPOILING = Spoiling(REFERENCE, VALUES, KEYS)
mutations, mutated_files = _SPOILING.mutations, _SPOILING.mutated_files


def assert_sound(got: CardSet, document: dict[str, Any]) -> None:
    """What every compiled file is."""
    made = got.record[0]
    assert made["squads"] == comb(len(document["rookling"]), 3) == len(got.ids) == len(part_names_of(got))
    assert np.isfinite(made["worth"]).all()
    assert (made["life"][: made["rooklings"]] <= made["heal_cap"]).all()
    assert teams_of(got).parts == made["rooklings"]
    assert all(caution.isprintable() for caution in cautions(got))


def test_a_spoiled_document_is_compiled_or_refused_with_the_path_of_the_field():
    assert _READER.read_documents(mutations(), shortened(1_600), assert_sound) > shortened(200)


def test_a_spoiled_file_is_compiled_or_refused_with_its_name(tmp_path: Path):
    assert _READER.read_files(mutated_files(), shortened(500), tmp_path / "cards.toml") > 0


TURNS = 40  # exchanges after which a game is stopped: mutations may make it endless
GREEDY_EVERY = enough(1, 40)  # without the compiler greedy thinks for seconds
RANDOM, GREEDY = PolicySpec.parse("random"), PolicySpec.parse("greedy:1")


def made(cards: CardSet, policy: PolicySpec) -> Experiment:
    """Games of a card set that are stopped early."""
    record = cards.record.copy()
    record["turn_cap"] = np.minimum(TURNS, record["turn_cap"])
    return Experiment(GAME.name, replace(cards, record=record), 2, (policy,), 1)


def ends_well(block: Block) -> None:
    """One game that a player won, or that was stopped."""
    row, outcome = block.rows[0], block.outcomes[0]
    assert row["status"] in (Status.FINISHED, Status.TRUNCATED)
    assert row["share"].sum() == (row["status"] == Status.FINISHED)
    assert row["turns"] == outcome["exchanges"] <= TURNS
    assert (outcome["end_life"].any(axis=1) == ((row["share"][:2] == 1) | (row["status"] == Status.TRUNCATED))).all()
    for name in outcome.dtype.names:
        if name not in ("hand_at_attack", "life_after"):
            assert np.min(outcome[name]) >= 0, name


def plays_to_the_end(cards: CardSet, greedy: bool) -> None:
    """Play a game at random, held to the invariants, and one of the greedy policy."""
    experiment = made(cards, RANDOM)
    log = replay(experiment, 0)
    check(log.positions, experiment.cards)
    check_steps(log.positions, experiment.cards.record[0])
    ends_well(Block(0, log.rows, log.outcomes))
    if greedy:
        ends_well(play_range(made(cards, GREEDY), 0, 1)[0])


def test_a_mutated_card_file_is_refused_or_played():
    def play(cards: CardSet, played: int) -> None:
        plays_to_the_end(cards, greedy=played % GREEDY_EVERY == 0)

    examples, least = enough(shortened(1_000, 20), 200), enough(shortened(150, 20), 30)
    assert played_if_valid(CARD_FORMAT.from_document, mutations(), examples, play) >= least


def test_a_random_card_file_of_all_effects_is_played():
    chance = Random(2)
    for number in range(enough(shortened(100, 5), 25)):
        plays_to_the_end(GAME.from_document(random_document(chance)), greedy=number % GREEDY_EVERY == 0)
