"""What the validator refuses, and its messages: fields and their ranges, decks, loadouts."""

import copy
from typing import Any

import numpy as np
import pytest

from sim.engine.cardfiles.paths import address, locate, shown
from sim.engine.cards import CardError, changed
from sim.games.runeslingers.record import CARD_FORMAT

REFERENCE = CARD_FORMAT.load()
DOCUMENT = REFERENCE.document
PICKED = 'is not one of the choices; must be one of "runespell", "any_card", "nothing"'


def refusal(document: dict[str, Any]) -> str:
    with pytest.raises(CardError) as error:
        CARD_FORMAT.from_document(document, "cards.toml")
    return str(error.value)


def with_deck(**fields: Any) -> dict[str, Any]:
    """The reference document with other fields of the deck erosion."""
    document = copy.deepcopy(dict(DOCUMENT))
    document["deck"][3].update(fields)
    return document


WRONG_THERE = [  # path, value, what is set on it
    ("rules.start_concentrations", 2, "is too large; must be 1"),
    ("rules.answer_on", "boon", PICKED),
    ("ailment.burn.id", "curse", "is used more than once; every ailment needs an id of its own"),
    ("runeslinger.eva.id", "romin", "is used more than once; every runeslinger needs an id of its own"),
    ("runeslinger.eva.inherent.effects", [], "is too short; must be a list of 1 to 2 (effects)"),
    ("ability.kindle.effects", [], "is too short; must be a list of 1 to 3 (effects)"),
    ("card.fireball.id", "Fire Ball", "is not well formed; must be an id"),
    ("card.fireball.id", "source", "is reserved in lists of cards; must be another word"),
    ("card.fireball.id", "small_bolt", "is used more than once; every card needs an id of its own"),
    ("card.fireball.effects[0].op", "damge", 'is not one of the choices; did you mean "damage"? must be one of'),
    ("card.echo_chant.triggers[0].effects", [], "is too short; must be a list of 1 to 2 (effects)"),
    ("deck.erosion.id", "eva_starter", "is used more than once; every deck needs an id of its own"),
    ("deck.erosion.runeslinger", "Eva", "is not well formed; must be an id"),
    ("card.fireball.source", "guess", "is not a source; must be one of"),
]


@pytest.mark.parametrize(("path", "value", "message"), WRONG_THERE)
def test_a_value_that_breaks_a_rule_is_refused_with_its_field(path, value, message):
    document = changed(DOCUMENT, path, value)
    field = address(document, locate(DOCUMENT, path), by_name=False)
    found = refusal(document)
    assert f"cards.toml: {field} = {shown(value)}: " in found
    assert message in found


NOT_FOR_IT = {  # ops, and words that none of them takes as `to`
    ("damage", "barrier"): ("runespell", "concentration", "card", "same"),
    (*("lose", "heal", "remove", "draw", "sear", "void", "discard", "discard_random"), *("apply", "convert")): (
        "any",
        "own",
        "defence",
        "runespell",
        "concentration",
        "card",
    ),
    ("destroy", "trap"): ("any", "runeslinger", "enemy", "own", "self", "same", "each"),
    ("light", "extra_set", "boost", "release"): ("any", "runeslinger", "enemy", "own", "card", "same", "each"),
}
FIELDS = {"apply": {"ailment": "burn"}, "convert": {"into": "burn"}, "boost": {"stat": "block"}}
NUMBERLESS = ("destroy", "trap", "release")
WRONG_TO = [(op, to) for ops, words in NOT_FOR_IT.items() for op in ops for to in words]


def effect(op: str, to: str) -> dict[str, Any]:
    return {"op": op, "to": to, **({} if op in NUMBERLESS else {"n": 1}), **FIELDS.get(op, {})}


@pytest.mark.parametrize(("op", "to"), WRONG_TO)
def test_rune_58_effects_are_refused_where_they_reach_nothing_of_the_kind(op, to):
    found = refusal(changed(DOCUMENT, "card.draining_chant.activated[0].effects", [effect(op, to)]))
    assert f'cards.toml: card.draining_chant.activated[0].effects[0].to = "{to}": is not one of the choices; ' in found


TAKEN = [
    *(("damage", to) for to in ("any", "runeslinger", "enemy", "own", "defence", "self", "each")),
    *(("barrier", to) for to in ("any", "runeslinger", "enemy", "own", "defence", "self", "each")),
    *((op, to) for op in ("lose", "heal", "apply", "convert") for to in ("runeslinger", "enemy", "self", "each")),
    *((op, to) for op in ("draw", "sear", "void", "discard") for to in ("runeslinger", "enemy", "self", "each")),
    *(("destroy", to) for to in ("defence", "runespell", "concentration", "card")),
    *((op, "self") for op in ("light", "extra_set", "boost")),
]


@pytest.mark.parametrize(("op", "to"), TAKEN)
def test_rune_58_effects_are_taken_where_they_reach_something(op, to):
    CARD_FORMAT.from_document(changed(DOCUMENT, "card.light_lens.activated[0].effects", [effect(op, to)]))


@pytest.mark.parametrize("op", ["damage", "barrier", "destroy", "trap"])
def test_effects_on_things_say_whom_they_reach(op):
    one = effect(op, "any")
    del one["to"]
    found = refusal(changed(DOCUMENT, "card.draining_chant.activated[0].effects", [one]))
    assert "card.draining_chant.activated[0].effects[0].to: is missing; must be one of " in found


def test_a_key_that_there_is_not_is_refused_with_the_nearest_one():
    document = copy.deepcopy(dict(DOCUMENT))
    document["card"][0]["keyword"] = ["shout"]
    document["card"][1]["effects"][0]["hits"] = []
    found = refusal(document)
    assert 'card.fireball.keyword = ["shout"]: is not a key of this table; did you mean "keywords"?' in found
    assert 'card.plutonic_spike.effects[0].hits = []: is not a key of this table; did you mean "hit"?' in found


def test_numbers_without_a_source_are_refused():
    document = copy.deepcopy(dict(DOCUMENT))
    del document["card"][2]["source"]
    found = refusal(document)
    assert "card.small_bolt.cost: has no source; " in found or "card.small_bolt.cost = 1: has no source; " in found


def test_cards_that_are_shown_alike_are_refused():
    found = refusal(changed(changed(DOCUMENT, "card.fireball.id", "fire"), "card.small_bolt.id", "fi_re"))
    assert "is shown as" not in found  # these two differ: only the decks miss them
    document = copy.deepcopy(dict(DOCUMENT))
    document["card"][0]["name"] = "small BOLT"
    found = refusal(document)
    every = "every card needs a name of its own"
    assert f'card.fireball.name = "small BOLT": is shown as "small BOLT", like another card; {every}' in found
    assert f'card.small_bolt.id = "small_bolt": is shown as "Small Bolt", like another card; {every}' in found


def test_the_ailments_are_six_in_their_order():
    document = copy.deepcopy(dict(DOCUMENT))
    document["ailment"][0], document["ailment"][1] = document["ailment"][1], document["ailment"][0]
    found = refusal(document)
    order = "the ailments are burn, debilitate, curse, fragment, weaken, insanity, in this order"
    assert f'ailment.debilitate.id = "debilitate": is not burn; {order}' in found
    assert f'ailment.burn.id = "burn": is not debilitate; {order}' in found
    for tables in (DOCUMENT["ailment"][:5], [*DOCUMENT["ailment"], DOCUMENT["ailment"][0]]):
        assert "must be a list of 6 ([[ailment]])" in refusal({**DOCUMENT, "ailment": tables})


DECKS = [  # fields of erosion, message
    ({"stance": "braced_stance"}, 'stance = "braced_stance": is of the class Guardian; Eva needs the class Runeseer'),
    ({"ability": "deep_breath"}, 'ability = "deep_breath": is of the class Guardian; Eva needs the class Runeseer'),
    ({"runeslinger": "romin"}, 'stance = "talakas_heart": is of the class Runeseer; Romin needs the class Guardian'),
    ({"runeslinger": "evan"}, 'runeslinger = "evan": is no runeslinger of this file; did you mean "eva"?'),
    ({"stance": "talaka"}, 'stance = "talaka": is no stance of this file; did you mean "talakas_heart"?'),
    ({"ability": "flame"}, 'ability = "flame": is no ability of this file; '),
    ({"mode": "booster"}, 'mode = "booster": is not one of the choices; must be one of "constructed", "sealed", "draft"'),
]


@pytest.mark.parametrize(("fields", "message"), DECKS)
def test_rune_02_a_loadout_is_of_one_class(fields, message):
    assert f"cards.toml: deck.erosion.{message}" in refusal(with_deck(**fields))


def listed(**copies: int) -> dict[str, int]:
    """The list of erosion with other copies of some cards; 0: without it."""
    cards = {**DOCUMENT["deck"][3]["cards"], **copies}
    return {word: count for word, count in cards.items() if count}


LISTS = [  # other copies, message
    ({"cleanse": 2}, "hold 31 cards; must be 30 together (rules.deck_size)"),
    ({"cleanse": 0}, "hold 29 cards; must be 30 together (rules.deck_size)"),
    ({"deep_sear": 3, "cleanse": 0}, ".deep_sear = 3: are too many copies; a deck holds at most 2 of a card"),
    (
        {"great_bolt_x": 2, "deep_sear": 0},
        ".great_bolt_x = 2: are too many copies; a deck holds at most 1 of an X card (rules.max_copies_x)",
    ),
    ({"fire_ball": 1, "cleanse": 0}, '.fire_ball = 1: is no card of this file; did you mean "fireball"?'),
    ({"sword": 1, "cleanse": 0}, ".sword = 1: is no card of this file; must be the id of a [[card]]"),
]


@pytest.mark.parametrize(("copies", "message"), LISTS)
def test_rune_140_a_deck_has_its_size_and_no_more_copies_than_it_may(copies, message):
    (line,) = refusal(with_deck(cards=listed(**copies))).splitlines()
    assert line.startswith("cards.toml: deck.erosion.cards")
    assert message in line


def test_rune_140_copies_follow_the_rules_of_the_file():
    document = with_deck(cards=listed(great_bolt_x=2, deep_sear=4, deep_void=0, cleanse=0, echo_chant=0))
    document["rules"] = {**document["rules"], "max_copies": 4, "max_copies_x": 2}
    assert sum(document["deck"][3]["cards"].values()) == 30
    CARD_FORMAT.from_document(document)


def test_a26_drafted_decks_hold_any_number_of_copies_unless_the_rules_say_otherwise():
    many = with_deck(cards=listed(deep_sear=5, deep_void=0, cleanse=0), mode="draft")
    CARD_FORMAT.from_document(many)
    assert "are too many copies" in refusal(changed(many, "rules.draft_copies", "constructed"))
    assert "are too many copies" in refusal(changed(many, "deck.erosion.mode", "sealed"))
    assert "hold 29 cards" in refusal(with_deck(cards=listed(cleanse=0), mode="draft"))


def test_a_file_holds_at_most_128_cards():
    document = copy.deepcopy(dict(DOCUMENT))
    one = document["card"][2]
    document["card"] += [{**one, "id": f"bolt_{number}"} for number in range(128 - 42)]
    assert CARD_FORMAT.from_document(document).record[0]["cards"] == 128
    document["card"].append({**one, "id": "bolt_too_many"})
    assert "must be a list of 1 to 128 ([[card]])" in refusal(document)


def test_a_file_with_more_effects_than_the_record_holds_is_refused():
    document = copy.deepcopy(dict(DOCUMENT))
    follows = [{"op": "lose", "n": 1, "to": "same"}] * 2
    damage = {"op": "damage", "n": 1, "to": "any", "hit": follows}
    rich = {
        "type": "chant",
        "cost": 1,
        "defence": 1,
        "rarity": "common",
        "source": "assumed",
        "effects": [damage] * 4,
        "triggers": [{"when": when, "effects": [damage] * 2} for when in ("turn_start", "you_block", "you_pass")],
        "activated": [{"light": 1, "effects": [damage] * 2}] * 2,
    }
    document["card"] += [{**rich, "id": f"rich_{number}"} for number in range(60)]
    ops = CARD_FORMAT.from_document(document).record[0]["op"]
    rows = np.flatnonzero(ops)[-1] + 2 + 10 * (17 + 3 * 9 + 2 * 9)  # those in use, and those of ten more such cards
    document["card"] += [{**rich, "id": f"more_{number}"} for number in range(10)]
    message = f"hold too many effects: they and the ends of their lists are {rows}; must be at most 4096 in all tables"
    assert message in refusal(document)
