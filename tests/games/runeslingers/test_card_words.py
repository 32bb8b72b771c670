"""Cards, stances, abilities and ailments in short words."""

from itertools import product
from typing import get_args

import pytest

from sim.games.runeslingers.cards.schema import FLAGS, SUMS, OnPlayer, OnThing, Trigger
from sim.games.runeslingers.record import CARD_FORMAT
from tests.games.runeslingers.card_words import (
    ability_text,
    activated_text,
    ailment_text,
    card_text,
    effect_text,
    inherent_text,
    stance_text,
    static_text,
    trigger_text,
)

DOCUMENT = CARD_FORMAT.load().document
ENTRIES = {one["id"]: one for table in ("ailment", "stance", "ability", "card") for one in DOCUMENT[table]}

CARDS = {
    "fireball": "damage 8 to any target",
    "plutonic_spike": "pierce; damage 5 to any target",
    "direct_bolt": "damage 4 direct to any target",
    "twin_bolt": "damage 5 to any target, then damage 5 to any target",
    "glancing_arrow": "damage 3 to a Runeslinger; hit: 2 weaken",
    "rainbow_dart": "damage 3 to a Runeslinger; hit: 2 different ailments of choice",
    "festering_strike": "damage 2 for each ailment of the target to a Runeslinger",
    "supernova": "fate; • a Runeslinger: 3 burn; • a Runeslinger: discard 3",
    "counter_rune": "shout; destroy a runespell",
    "transmute": "a Runeslinger: convert 3 ailments into a chosen type",
    "open_choice": "choice; • a Runeslinger: heal 4; • the enemy: discard 1 at random; • 1 more to set, then draw 1",
    "quick_ward": "shout; barrier 6 to the own Runeslinger or an own card",
    "light_surge": "cost: discard 1; 3 light",
    "divine_barrier": "block +2; when destroyed [not owned]: lose 9 health",
    "binding": "damage -1 [not owned]",
    "wide_satchel": "maximum hand 10; when you lose a power: draw 1",
    "light_lens": "use; turn it: 2 light",
    "aiming_lens": "defence of defence cards of the enemy -2; attack runespells may target defence cards",
    "stone_trap": "shout; trap a card in play; when it leaves: release the card under it",
    "gathering_chant": "token 1; charge; 2 tokens: damage 5 direct to any target",
    "draining_chant": "1 light, once a turn: the enemy: lose 2 health",
    "small_hands_chant": "maximum hand of both 5; at the start of the turn: each: sear 1",
}


@pytest.mark.parametrize("word", CARDS)
def test_a_card_is_told_in_short_words(word):
    assert card_text(ENTRIES[word]) == CARDS[word]


def test_stances_abilities_and_ailments_are_told_in_short_words():
    assert stance_text(ENTRIES["talakas_heart"]) == "when you sling a spirit runespell: the enemy: sear 2"
    assert stance_text(ENTRIES["striking_stance"]) == "damage of attack runespells +1"
    flame = "this turn damage of spirit runespells +4, then this turn spirit runespells have Pierce"
    assert ability_text(ENTRIES["flame_of_nim"]) == f"2 determination: {flame}"
    assert ability_text(ENTRIES["second_wind"]) == "2 determination: remove 4 ailments, then heal 8"
    assert inherent_text(DOCUMENT["runeslinger"][0]) == "1 light, once a turn: damage 2 to any target"
    burn = "each one applied: lose 2 health; from 4 on: in the Ailment Phase: lose 2 health"
    assert ailment_text(ENTRIES["burn"]) == burn
    assert ailment_text(ENTRIES["debilitate"]) == "maximum health -1 for each; from 5 on: no healing"
    assert ailment_text(ENTRIES["insanity"]) == "no passing; from 3 on: after drawing: discard 1 at random"


def test_what_does_nothing_has_no_text():
    assert card_text({"id": "x"}) == stance_text({}) == ailment_text({"threshold": 4}) == "no text"


def test_one_ailment_is_not_said_in_the_plural():
    assert effect_text({"op": "remove", "n": 1}) == "remove 1 ailment"
    assert effect_text({"op": "draw", "n": 1}) == "draw 1"


def test_what_an_activated_effect_costs_is_told():
    draw = [{"op": "draw", "n": 1}]
    assert activated_text({"light": 2, "use": True, "effects": draw}) == "turn it and 2 light: draw 1"
    assert activated_text({"per_turn": 3, "effects": draw}) == "free, 3 times a turn: draw 1"


NAMED = [  # effects whose `to` may be any of these
    *product(("damage", "barrier"), get_args(OnThing)),
    *product(("lose", "heal", "remove", "draw", "sear", "void", "discard", "discard_random"), get_args(OnPlayer)),
    *product(("destroy", "trap"), ("defence", "runespell", "concentration", "card")),
]


@pytest.mark.parametrize("op", sorted({op for op, _ in NAMED}))
def test_no_two_effects_are_told_alike(op):
    texts = [effect_text({"op": op, "n": 4, "to": to}) for one, to in NAMED if one == op and to != "same"]
    assert len({*texts}) == len(texts)


def test_every_static_and_every_moment_has_words_of_its_own():
    statics = [static_text({"stat": stat, "n": 2, "scope": scope}) for stat in SUMS for scope in ("self", "enemy", "each")]
    statics += [static_text({"stat": stat, "scope": scope}) for stat in FLAGS for scope in ("self", "enemy", "each")]
    assert len({*statics}) == len(statics)
    moments = get_args(Trigger.model_fields["when"].annotation)
    triggers = [trigger_text({"when": when, "effects": [{"op": "draw", "n": 1}]}) for when in moments]
    assert len({*triggers}) == len(moments) == 10
