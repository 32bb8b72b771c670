"""What a reader of a replay can follow: a blow and its block, a ladder of answers, cards that a deck loses, every number."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from sim.games.runeslingers import GAME
from tests.games.playing import AS_PRINTED
from tests.games.runeslingers.playing import VARIANTS, card_set, game_at_random, story, table

WORDS = GAME.words


@pytest.mark.parametrize("variant", VARIANTS)
def test_health_and_powers_add_up_in_any_game(variant: str):
    cards = card_set(variant)
    for before, after in pairwise(state for state, _, _ in game_at_random(variant)):
        of_owner = dict(line.split(": ", 1) for line in WORDS.events(before, after, cards) if ": " in line)
        for seat in range(2):
            items = of_owner.get(f"seat {seat + 1}", "").split("; ")
            was, now = int(before["health"][seat]), int(after["health"][seat])
            assert (f"health {was} -> {now}" in items) == (was != now)
            lost = sum(int(item.split()[1]) for item in items if item.startswith("loses "))
            assert lost == int(before["power"][seat]) - int(after["power"][seat])


def test_a_blow_and_its_block():
    """RUNE-82, 83, 89. Block, barrier, damage, ailments."""
    fists: Any = table({"hand": ["flaming_fists", "great_bolt_x"]}, {"hand": ["insight"], "barrier": 0})
    cards = ("play Flaming Fists", "target the enemy Runeslinger")
    assert story(fists, "play Flaming Fists") == ["seat 1: makes 3 light", "Flaming Fists of seat 1: lies in slot 1"]
    assert story(fists, *cards, "do not block") == ["seat 2: damage taken 4; health lost 4; health 20 -> 12; burn 0 -> 2"]
    blocked = "seat 2: blocks; barrier 0 -> 4; barriers absorb 4; +3 block this turn; discard + Insight"
    assert story(fists, *cards, "block with Insight") == [blocked]


def test_cards_that_a_deck_loses():
    """RUNE-24. An empty deck costs a power."""
    deep = {"deck": "erosion", "hand": ["deep_sear", "great_bolt_x"]}
    short = {"draw_pile": ["fireball"], "discard": ["binding"] * 2 + ["fireball"] * 6, "rest": "void"}
    lines = story(table(deep, short), "play Deep Sear")
    assert lines[-1] == "seat 2: loses 1 power by an empty deck; determination 0 -> 1; sears 5"


def test_a_ladder_of_answers():
    """RUNE-71, 72."""
    fists: Any = table(
        {"hand": ["flaming_fists", "great_bolt_x"]}, {"concentrations": ["insight", "insight"], "hand": ["stone_trap"]}
    )
    answer = ("play Flaming Fists", "target the enemy Runeslinger", "answer with Stone Trap")
    assert story(fists, *answer)[0] == "ladder: Flaming Fists of seat 1, Stone Trap of seat 2"
    assert story(fists, *answer, "target enemy Flaming Fists") == [
        "Flaming Fists of seat 1: leaves play",
        "Stone Trap of seat 2: traps Flaming Fists",
        "seat 1: 1 card comes to nothing",
    ]


def test_a_state_has_no_story_against_itself():
    for state, _, _ in game_at_random(AS_PRINTED)[::10]:
        same: np.void = state.copy()
        assert WORDS.events(state, same, card_set()) == []
