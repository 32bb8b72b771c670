"""What a reader of a replay can follow: a fight with its answer, a blow from the air, a level that is reached, every number."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from sim.games.riftborn import GAME
from tests.games.playing import AS_PRINTED
from tests.games.riftborn.playing import VARIANTS, card_set, game_at_random, story

WORDS = GAME.words
STEPS = 150  # the last of a game


def position(own: dict[str, Any], other: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A position of two players without libraries."""
    return {"players": [{"library": []} | own, {"library": []} | other]} | more


@pytest.mark.parametrize("variant", VARIANTS)
def test_life_experience_and_deaths_add_up_in_any_game(variant: str):
    cards = card_set(variant)
    for before, after in pairwise(state for state, _, _ in game_at_random(variant)[-STEPS:]):
        lines = WORDS.events(before, after, cards)
        of_owner = dict(line.split(": ", 1) for line in lines if ": " in line)
        for seat in range(2):
            items = of_owner.get(f"seat {seat + 1}", "").split("; ")
            was, now = int(before["life"][seat]), int(after["life"][seat])
            assert (f"life {was} -> {now}" in items) == (was != now)
            assert sum(int(item.split()[0]) for item in items if " experience " in item) == after["xp"][seat] - before["xp"][seat]
            lost = sum(int(item.split()[1]) for item in items if item.startswith("loses ") and " creature " in item)
            assert lost == after["deaths"][seat].sum() - before["deaths"][seat].sum()


def test_rift_42_43_a_strike_at_a_creature_that_moves_away():
    away = position({"rows": [["beast_troll"], ["beast_cub"]], "hand": ["spark"]}, {"rows": [["beast_charger"]]})
    assert story(away, "use Beast Troll", "swap Beast Troll with Beast Cub") == [
        "Beast Troll: damage 0 -> 3",
        "seat 2: strikes for 3 as the enemy moves away",
    ]


def test_rift_51_71_108_a_fight_with_undeath_shields_or_armour():
    own = {"rows": [["beast_charger"]], "hand": ["spark"]}
    wight = position(own, {"rows": [["undead_wight"]]})
    assert story(wight, "use Beast Charger", "attack Undead Wight with Beast Charger") == [
        "Beast Charger: damage 0 -> 1",
        "Undead Wight: damage 0 -> 3; loses UNDEATH",
        "seat 2: answers for 1; uses UNDEATH",
    ]
    stalker = position(own, {"rows": [["fae_stalker, 3 shield, face down"]]})
    assert story(stalker, "use Beast Charger", "attack face-down creature with Beast Charger") == [
        "Fae Stalker: turns face up; damage 0 -> 3; shield 3 -> 0",
        "Beast Charger: damage 0 -> 2",
        "seat 2: answers for 2",
    ]
    armour = position(own, {"armour": ["leather_armour"]})
    assert story(armour, "use Beast Charger", "attack the opponent with Beast Charger") == [
        "seat 2: takes 6 damage; Armour absorbs 4; life 50 -> 48; Leather Armour breaks"
    ]


def test_rift_20_64_a_blow_that_passes_through_two_rows_and_a_level_that_is_reached():
    rows = position({"rows": [["beast_charger"]], "hand": ["spark"]}, {"rows": [["soldier_archer"], ["soldier_crossbow"]]})
    assert story(rows, "use Beast Charger", "attack Soldier Archer with Beast Charger") == [
        "Soldier Archer: dies",
        "Soldier Crossbow: dies",
        "Beast Charger: damage 0 -> 1",
        "seat 2: answers for 1; loses 1 creature by the strike; loses 1 creature by what passes through; "
        "takes 1 damage that passes through; life 50 -> 49",
        "seat 1: uses RELENTLESS; +600 experience for kills; reaches level 2",
    ]


def test_rift_37_a_blow_from_the_air():
    flyer = position({"rows": [["fae_drake"]], "hand": ["spark"]}, {"rows": [["soldier_guard"]]})
    attack = story(flyer, "use Fae Drake", "attack the opponent with Fae Drake")
    assert attack == ["seat 1: uses FLIGHT", "seat 2: takes 5 damage from the air; life 50 -> 45"]


def test_rift_107_117_what_is_looked_at_and_what_is_set_off():
    scout = position({"hand": ["soldier_scout"]}, {"library": ["spark", "mending", "awaken"]})
    assert story(scout, "play Soldier Scout (level 1)", "place it in the front row") == [
        "Soldier Scout: enters the front row",
        "seat 1: uses SPY; sees on top of the other library: Spark, Mending",
    ]
    ambush = position({"rows": [["beast_cub"]]}, {"rows": [["fae_trickster", "fae_trickster"]], "tricks": ["ambush"]})
    attack = story(ambush, "use Beast Cub", "attack Fae Trickster (front 1) with Beast Cub")
    assert attack == ["seat 2: Ambush is set off"]


def test_a_state_has_no_story_against_itself():
    for state, _, _ in game_at_random(AS_PRINTED)[::40]:
        same: np.void = state.copy()
        assert WORDS.events(state, same, card_set()) == []
