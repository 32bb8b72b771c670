"""The reference set against the tables of its specification, and cautions."""

from collections import Counter
from typing import Any

import pytest

from sim.engine.cards import numeric_fields
from sim.games.runeslingers.cards.checks import cautions
from sim.games.runeslingers.cards.schema import Rules
from sim.games.runeslingers.record import CARD_FORMAT
from tests.games.deck_documents import with_entry
from tests.games.runeslingers.model.documents import reference_document

CARD_SET = CARD_FORMAT.load()
DOCUMENT = CARD_SET.document
WRITTEN = reference_document()
TABLES = ("ailment", "runeslinger", "stance", "ability", "card", "deck")


def bare(node: Any) -> Any:
    """A part of a card file without names and sources, which the model does not have."""
    if isinstance(node, dict):
        return {key: bare(value) for key, value in node.items() if key not in ("source", "name")}
    return [bare(one) for one in node] if isinstance(node, list) else node


@pytest.mark.parametrize("table", TABLES)
def test_every_table_is_as_specified(table):
    assert [one["id"] for one in DOCUMENT[table]] == [one["id"] for one in WRITTEN[table]]
    for got, wanted in zip(DOCUMENT[table], WRITTEN[table], strict=True):
        assert bare(got) == wanted, got["id"]


def test_the_rules_are_as_specified():
    constants = {name: value for name, value in WRITTEN["rules"].items() if name not in CARD_SET.switches}
    assert {name: DOCUMENT["rules"][name] for name in constants} == constants
    assert constants["turn_cap"] == 200
    assert {*DOCUMENT["rules"]} == {*constants, *CARD_SET.switches, "source"}


SWITCHES = {  # the default first
    "answer_on": ("runespell", "any_card", "nothing"),
    "deck_out": ("immediate", "on_need"),
    "concealed_type": ("free_area", "blocked"),
    "pierce_barrier": ("stops", "ignores"),
    "hand_limit": ("all", "draws"),
    "double_loss": ("draw", "active_wins", "active_loses"),
    "slot_choice": ("distinct", "full", "auto"),
    "float_light": (False, True),
    "ailment_phase_order": ("effects_first", "removal_first"),
    "draft_copies": ("free", "constructed"),
    "first": ("choose", "random", "seat0"),
    "own_targets": (True, False),
}


def test_the_first_value_of_every_switch_is_played():
    assert CARD_SET.switches == {name: values[0] for name, values in SWITCHES.items()}
    assert Rules.variants() == {name: tuple(str(value).lower() for value in values) for name, values in SWITCHES.items()}


def test_the_set_has_21_commons_15_uncommons_and_6_rares_of_every_type():
    assert Counter(card["rarity"] for card in DOCUMENT["card"]) == {"common": 21, "uncommon": 15, "rare": 6}
    assert Counter(card["type"] for card in DOCUMENT["card"]) == {
        "spirit": 8,
        "attack": 9,
        "utility": 12,
        "boon": 3,
        "trinket": 4,
        "chant": 6,
    }
    assert {word for card in DOCUMENT["card"] for word in card.get("keywords", ())} == {
        *("pierce", "shout", "choice", "fate", "token", "charge", "use", "distract")
    }


PRINTED = {  # numbers that the rulebook prints, besides the rules
    "ailment.burn.on_apply[0].n": 2,
    "ailment.burn.threshold": 4,
    "ailment.debilitate.per_instance[0].n": -1,
    "ailment.fragment.level2[0].n": 4,
    "runeslinger.eva.health": 20,
    "runeslinger.eva.block": 4,
    "runeslinger.eva.inherent.light": 1,
    "stance.talakas_heart.triggers[0].effects[0].n": 2,
    "ability.flame_of_nim.determination": 2,
    "card.fireball.effects[0].n": 8,
    "card.plutonic_spike.cost": 2,
    "card.glancing_arrow.effects[0].hit[0].n": 2,
    "card.supernova.bullets[1][0].n": 3,
    "card.three_ailments.effects[0].n": 3,
    "card.divine_barrier.statics[0].n": 2,
    "card.divine_barrier.triggers[0].effects[0].n": 9,
    "card.wide_satchel.statics[0].n": 10,
    "card.frailty_chant.statics[0].n": -2,
}


def test_every_number_says_where_it_comes_from():
    assert [one.path for one in CARD_SET.provenance] == numeric_fields(DOCUMENT)
    printed = {one.path: one.value for one in CARD_SET.provenance if one.source == "rulebook"}
    rules = {path: value for path, value in printed.items() if path.startswith("rules.")}
    assert {path: value for path, value in printed.items() if path not in rules} == PRINTED
    assert {path.removeprefix("rules.") for path in rules} == {*WRITTEN["rules"]} - {"turn_cap", *SWITCHES}
    assert {one.source for one in CARD_SET.provenance} == {"rulebook", "assumed"}


CAUTIONS = [  # card, other fields of it, message
    ("fireball", {"effects": None}, "card.fireball does nothing: it has no effects, statics or triggers"),
    ("gathering_chant", {"activated": None}, "card.gathering_chant has tokens that it never spends"),
    ("draining_chant", {"activated": [{"tokens": 1, "effects": [{"op": "draw", "n": 1}]}]}, "costs tokens that it never"),
    ("ward_stone", {"statics": [{"stat": "block", "n": 2, "if": "not_owned"}]}, "but only boons lie on the field"),
    ("stone_trap", {"cost": 0}, "card.stone_trap traps for no light"),
]


@pytest.mark.parametrize(("word", "fields", "words"), CAUTIONS)
def test_what_a_card_may_not_mean_to_say_is_said(word, fields, words):
    document = with_entry(DOCUMENT, "card", word, **fields)
    (found,) = [line for line in cautions(CARD_FORMAT.from_document(document)) if word in line and words in line]
    assert found.startswith(f"card.{word} ")


def test_a_boon_without_text_needs_no_caution_for_it_conceals():
    document = with_entry(DOCUMENT, "card", "mending_boon", triggers=None)
    assert cautions(CARD_FORMAT.from_document(document)) == []
