"""What the validator of Riftborn Tactics refuses, and the messages."""

import copy
from typing import Any

import pytest

from sim.engine.cards import CardSet
from sim.games.riftborn.record import CARD_FORMAT
from tests.games.refusals import Refusals

from_document = CARD_FORMAT.from_document
REFUSALS = Refusals(CARD_FORMAT)
REFERENCE, refusal = REFUSALS.reference, REFUSALS.refusal
EVERY = "every level must need more experience than the one before"


def with_card(word: str, **fields: Any) -> dict[str, Any]:
    """The reference document with other fields of a card; None takes one away."""
    document = copy.deepcopy(dict(REFERENCE.document))
    (card,) = (card for card in document["card"] if card["id"] == word)
    card.update(fields)
    for field in [field for field, value in card.items() if value is None]:
        del card[field]
    return document


def refused(word: str, **fields: Any) -> str:
    """The message after a change of a card."""
    return refusal(with_card(word, **fields))


def accepted(word: str, **fields: Any) -> CardSet:
    """The card set after a change of a card."""
    return from_document(with_card(word, **fields), "cards.toml")


WRONG_THERE = [  # path, value, message
    ("rules.level_xp[0]", 10, "is not 0; players begin at level 1 without experience"),
    ("rules.level_xp[3]", 1000, f"is not more than 1000; {EVERY}"),
    ("card.beast_cub.id", "source", "is a reserved word; must not be one of source"),
    ("card.tok_bones.level", 1, "is too large; must be 0"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "message"), WRONG_THERE)
def test_a_value_that_breaks_a_rule_is_refused_with_its_field(path, value, message):
    REFUSALS.check_value(path, value, message)


KEYWORDS = [  # card, its keywords, message
    ("beast_cub", ["BLOK"], 'keywords[0] = "BLOK": is no ability; did you mean "BLOCK"?'),
    ("beast_cub", ["BLOCK(1)"], 'keywords[0] = "BLOCK(1)": has a number; must be "BLOCK"'),
    ("beast_cub", ["RANGE"], 'keywords[0] = "RANGE": has no number; must be "RANGE(1)" to "RANGE(9)"'),
    ("beast_cub", ["RANGE(0)"], 'keywords[0] = "RANGE(0)": is too small; must be "RANGE(1)" to "RANGE(9)"'),
    ("beast_cub", ["SCRY(6)"], 'is too large; must be "SCRY(1)" to "SCRY(5)"'),
    ("beast_cub", ["BLOCK", "BLOCK"], "have BLOCK 2 times; only TRICK, UNDEATH are repeated"),
    ("beast_cub", ["SWARM(2)", "BLOCK"], "have SWARM together with other abilities; a creature with SWARM has no other"),
    ("fae_queen", ["TRICK", "TRICK", "TRICK", "SPELL"], "have TRICK 3 times; at most 2 are allowed"),
    ("short_sword", ["FLIGHT"], 'keywords[0] = "FLIGHT": is not for cards of type weapon; must be one of MAGIC, RANGE'),
    ("tok_bones", ["HASTE", "SUMMON(1)"], "have HASTE and SUMMON on a token; tokens that summon in the turn in which"),
]


@pytest.mark.parametrize(("word", "keywords", "message"), KEYWORDS)
def test_keywords_that_cannot_be_are_refused(word, keywords, message):
    found = refused(word, keywords=keywords)
    assert f"cards.toml: card.{word}.keywords" in found
    assert message in found


@pytest.mark.parametrize(
    ("word", "field", "keyword"),
    [
        ("undead_banshee", "aura", "AURA"),
        ("fae_queen", "spell_action", "SPELL"),
        ("undead_gravecaller", "summon", "SUMMON"),
        ("beast_shifter", "transform", "TRANSFORM"),
        ("fae_trickster", "tricks", "TRICK"),
    ],
)
def test_a_field_and_its_keyword_go_together(word, field, keyword):
    assert f'card.{word}.{field}: is missing; is needed with "{keyword}" in abilities' in refused(word, **{field: None})
    found = refused(word, keywords=[])
    assert f"card.{word}.{field} = " in found
    assert f'does not go with abilities = []; needs "{keyword}" in abilities' in found


def test_a_second_strike_chooses_anew_only_with_double_attack():
    message = 'double_retarget = true: does not go with abilities = []; needs "DOUBLE ATTACK" in abilities'
    assert message in refused("beast_cub", double_retarget=True)
    assert accepted("beast_cub", double_retarget=False)


def test_rift_118_every_trick_has_its_list():
    one = [{"op": "draw", "n": 1}]
    found = refused("fae_queen", tricks=[one])
    assert "card.fae_queen.tricks = " in found
    assert "hold 1 lists of effects for 2 TRICK; every TRICK needs one list" in found
    assert "is too long; must be a list of 1 to 2, each a list of 1 to 4" in refused("fae_queen", tricks=[one] * 3)


def test_tokens_are_summoned_and_become():
    for word, field in (("undead_gravecaller", "summon"), ("beast_shifter", "transform")):
        assert f'card.{word}.{field} = "beast_cub": is no token of this file; known' in refused(word, **{field: "beast_cub"})
        assert f'{field} = "tok_bone": is no token of this file; did you mean "tok_bones"?' in refused(
            word, **{field: "tok_bone"}
        )


def test_an_aura_gives_something_that_it_can_give():
    assert "card.undead_banshee.aura = " in refused("undead_banshee", aura={"side": "enemy"})
    assert "gives nothing; needs attack, health or keyword" in refused("undead_banshee", aura={"side": "all", "attack": 0})
    for keyword, message in (
        ("DASH(2)", "cannot be given by an AURA; must be one of BLOCK, FLIGHT, MAGIC, PACIFIST, PIERCE, RAGE, RANGE,"),
        ("UNDEATH", "cannot be given by an AURA"),
        ("RANGE", 'has no number; must be "RANGE(1)" to "RANGE(9)"'),
        ("ROTED", 'is no ability; did you mean "ROOTED"?'),
    ):
        found = refused("undead_banshee", aura={"side": "enemy", "keyword": keyword})
        assert f'card.undead_banshee.aura.keyword = "{keyword}": {message}' in found


SPARK = {"op": "damage", "n": 2, "target": "chosen", "side": "any"}
DRAW = {"op": "draw", "n": 1}
GATE = {"op": "play_free", "max_level": 3}
BONES = {"op": "summon", "token": "tok_bones", "n": 2}
GRANT = {"op": "grant", "keyword": "BLOCK", "target": "each", "side": "friend"}


def with_list(place: str, entries: list[dict[str, Any]]) -> dict[str, Any]:
    """The reference document with another effect list. place: of a Spell, an action or a trick."""
    document = copy.deepcopy(dict(REFERENCE.document))
    cards = {card["id"]: card for card in document["card"]}
    match place:
        case "spell":
            cards["spark"]["effects"] = entries
        case "action":
            cards["undead_plaguebearer"]["spell_action"] = entries
        case _:
            cards["fae_trickster"]["tricks"] = [entries]
    return document


AT = {"spell": "card.spark.effects", "action": "card.undead_plaguebearer.spell_action", "trick": "card.fae_trickster.tricks[0]"}
WRONG = [  # place, list, place in it and message
    ("spell", [SPARK | {"target": "same"}], '[0].target = "same": stands in the first entry; means the targets of'),
    ("spell", [DRAW, {"op": "heal", "n": 1, "target": "same"}], '[1].target = "same": follows an entry without creat'),
    ("spell", [{"op": "heal", "n": 1, "target": "self"}], '[0].target = "self": needs an acting creature, which a'),
    ("spell", [SPARK | {"where": "adjacent"}], '[0].where = "adjacent": needs an acting creature, which a Spell'),
    ("action", [{"op": "charm", "target": "trigger"}], '[0].target = "trigger": is unknown to a SPELL action; belongs to'),
    ("trick", [GATE], '[0].op = "play_free": is not the last entry of a Spell card; may only be the last entry of'),
    ("spell", [BONES | {"token": "beast_cub"}], '[0].token = "beast_cub": is no token of this file; known here: '),
    ("action", [{"op": "destroy", "target": "each"}], '[0].side: is missing; is needed with target = "each"'),
    ("action", [SPARK, SPARK | {"target": "same"}], '[1].side = "any": does not go with target = "same"; needs target ='),
    ("spell", [SPARK | {"target": "each", "count": 2}], '[0].count = 2: does not go with target = "each"; needs target = '),
    ("spell", [GRANT | {"keyword": "AURA(1)"}], '[0].keyword = "AURA(1)": cannot be granted; must be one of BLOCK, '),
    ("spell", [GRANT | {"op": "lose", "keyword": "SWARM"}], '[0].keyword = "SWARM": cannot be lost; must be one of'),
]  # fmt: skip


@pytest.mark.parametrize(("place", "entries", "message"), WRONG)
def test_effects_that_make_no_sense_there_are_refused(place, entries, message):
    assert f"cards.toml: {AT[place]}{message}" in refusal(with_list(place, entries))


RIGHT = [
    ("action", [{"op": "heal", "n": 1, "target": "self"}, SPARK | {"where": "adjacent", "count": 5}]),
    ("trick", [{"op": "pacify", "target": "trigger"}, {"op": "clear", "kind": "rage", "n": 9, "target": "subject"}]),
    ("spell", [SPARK, {"op": "heal", "n": 1, "target": "same"}, {"op": "recall"}, GATE]),
    ("spell", [SPARK, {"op": "spy", "n": 5}, BONES]),
    ("spell", []),
]


@pytest.mark.parametrize(("place", "entries"), RIGHT)
def test_effects_that_make_sense_there_are_accepted(place, entries):
    assert isinstance(from_document(with_list(place, entries)), CardSet)


def with_deck(rules: dict[str, int] | None = None, **cards: int) -> dict[str, Any]:
    """The reference document with other numbers of cards in beast_rush (0 takes a card away) and with other rules."""
    document = copy.deepcopy(dict(REFERENCE.document))
    document["rules"] |= rules or {}
    deck = document["deck"][1]
    deck["cards"] = {word: copies for word, copies in (deck["cards"] | cards).items() if copies}
    return document


DECKS = [
    ({"beast_cub": 3}, "cards = ", "hold 39 cards; must be 40 to 60 together (rules.deck_min, rules.deck_max)"),
    ({"beast_cubb": 1}, "cards.beast_cubb = 1: ", 'is no card of this file; did you mean "beast_cub"?'),
    ({"tok_bones": 1}, "cards.tok_bones = 1: ", "is a token; tokens are never in a deck; they come by SUMMON,"),
    ({"beast_alpha": 2}, "cards.beast_alpha = 2: ", "are too many copies; a deck holds at most 1 of a Hero (rules.copies_h"),
    ({"longbow": 3}, "cards.longbow = 3: ", "a deck holds at most 2 of a card of type weapon (rules.copies_weapon)"),
    ({"spark": 4}, "cards.spark = 4: ", "a deck holds at most 3 of a card of type spell (rules.copies_spell)"),
]


@pytest.mark.parametrize(("cards", "field", "message"), DECKS)
def test_rift_02_03_04_a_deck_that_breaks_a_construction_rule_is_refused(cards, field, message):
    found = refusal(with_deck(**cards))
    assert f"cards.toml: deck.beast_rush.{field}" in found
    assert message in found


def test_rift_03_the_limits_of_copies_are_those_of_the_rules():
    assert "at most 3 of such a card (rules.copies_other)" in refusal(with_deck({"copies_other": 3}))
    assert from_document(with_deck({"copies_hero": 2}, beast_alpha=2))
    assert from_document(with_deck({"copies_spell": 0}, spark=9))
    assert from_document(with_deck(beast_cub=24))
    one_of_each = dict.fromkeys(("fae_queen", "undead_lich", "soldier_marshal", "short_sword", "longbow", "rune_staff"), 1)
    assert from_document(with_deck(**one_of_each))


def test_rift_02_the_size_of_decks_is_that_of_the_rules():
    assert "hold 40 cards; must be 41 to 60 together" in refusal(with_deck({"deck_min": 41}))
    assert "rules.deck_min = 50: is more than deck_max = 45; must be at most deck_max" in refusal(
        with_deck({"deck_min": 50, "deck_max": 45})
    )
    assert from_document(with_deck({"deck_min": 10}, beast_cub=1))


def test_rift_53_a_deck_holds_at_most_8_weapons_and_8_armours():
    free = {"copies_weapon": 0, "copies_armour": 0}
    assert from_document(with_deck(free, short_sword=4, longbow=4, plate_armour=8))
    for kind, words in (("weapon", ("short_sword", "longbow")), ("armour", ("plate_armour", "chain_armour"))):
        found = refusal(with_deck(free, **dict.fromkeys(words, 5)))
        assert "deck.beast_rush.cards = " in found
        assert f"hold 10 cards of type {kind}; must be at most 8, because no more can be attached" in found
