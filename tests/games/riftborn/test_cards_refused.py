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
QUEEN = "card.fae_queen"
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
    ("rules.level_xp", [0, 1], "is too short; must be a list of 20 (experience for level 1, 2, ...)"),
    ("rules.level_xp[0]", 10, "is not 0; players begin at level 1 without experience"),
    ("rules.level_xp[3]", 1000, f"is not more than 1000; {EVERY}"),
    ("card.beast_cub.id", "Beast Cub", "is not well formed; must be an id"),
    ("card.beast_cub.id", "source", "has a meaning of its own in lists of cards; must be another word"),
    ("card.beast_cub.id", "beast_hawk", "is used more than once; every card needs an id of its own"),
    ("card.tok_bones.level", 1, "is too large; must be 0"),
    (f"{QUEEN}.tricks[0]", [], "is too short; must be a list of 1 to 4 (effects)"),
    (f"{QUEEN}.spell_action", [], "is too short; must be a list of 1 to 4 (effects)"),
    (f"{QUEEN}.spell_action[0].op", "ad", 'is not one of the choices; did you mean "add"? must be one of add, charm,'),
    ("deck.beast_rush.id", "soldier_line", "is used more than once; every deck needs an id of its own"),
    ("card.beast_cub.source", "guess", 'is not a source; must be one of "rulebook"'),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "message"), WRONG_THERE)
def test_a_value_that_breaks_a_rule_is_refused_with_its_field(path, value, message):
    REFUSALS.check_value(path, value, message)


KEYWORDS = [  # card, its keywords, message
    ("beast_cub", ["BLOK"], 'keywords[0] = "BLOK": is no ability; did you mean "BLOCK"?'),
    ("beast_cub", ["Block"], 'keywords[0] = "Block": is not well formed; must be an ability in capitals such as "BLOCK"'),
    ("beast_cub", ["BLOCK(1)"], 'keywords[0] = "BLOCK(1)": has a number; must be "BLOCK"'),
    ("beast_cub", ["RANGE"], 'keywords[0] = "RANGE": has no number; must be "RANGE(1)" to "RANGE(9)"'),
    ("beast_cub", ["RANGE(0)"], 'keywords[0] = "RANGE(0)": is too small; must be "RANGE(1)" to "RANGE(9)"'),
    ("beast_cub", ["RANGE(10)"], 'keywords[0] = "RANGE(10)": is too large'),
    ("beast_cub", ["SCRY(6)"], 'is too large; must be "SCRY(1)" to "SCRY(5)"'),
    ("beast_cub", ["SPY(6)"], 'is too large; must be "SPY(1)" to "SPY(5)"'),
    ("beast_cub", ["BLOCK", "BLOCK"], "have BLOCK 2 times; only TRICK, UNDEATH are repeated"),
    ("beast_cub", ["RANGE(1)", "RANGE(2)"], "have RANGE 2 times"),
    ("beast_cub", ["SWARM(2)", "BLOCK"], "have SWARM together with other abilities; a creature with SWARM has no other"),
    ("fae_queen", ["TRICK", "TRICK", "TRICK", "SPELL"], "have TRICK 3 times; at most 2 are allowed"),
    ("short_sword", ["FLIGHT"], 'keywords[0] = "FLIGHT": is not for cards of type weapon; must be one of MAGIC, RANGE'),
    ("plate_armour", ["MAGIC"], "is not for cards of type armour; must be one of DEPLETED, DRAW, SCRY, SPY"),
    ("spark", ["TRICK"], "is not for cards of type spell; must be one of DEPLETED, DRAW, SCRY, SPY"),
    ("tok_bones", ["HASTE", "SUMMON(1)"], "have HASTE and SUMMON on a token; tokens that summon in the turn in which"),
    *(
        ("tok_bones", [word], f'keywords[0] = "{word}": is not for cards of type token')
        for word in ("DEPLETED", "DRAW(1)", "HERO", "SCRY(1)", "SPY(1)", "STEALTH", "TRICK")
    ),
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
    assert f"card.{word}.{field}: is missing; a card with {keyword} needs it" in refused(word, **{field: None})
    found = refused(word, keywords=[])
    assert f"card.{word}.{field} = " in found
    assert f"is given to a card without {keyword}; needs the keyword {keyword}" in found


def test_a_second_strike_chooses_anew_only_with_double_attack():
    message = "double_retarget = true: is given to a card without DOUBLE ATTACK; needs the keyword DOUBLE ATTACK"
    assert message in refused("beast_cub", double_retarget=True)
    assert accepted("beast_cub", double_retarget=False)


def test_rift_118_every_trick_has_its_list():
    one = [{"op": "draw", "n": 1}]
    found = refused("fae_queen", tricks=[one])
    assert "card.fae_queen.tricks = " in found
    assert "hold 1 lists of effects for 2 TRICK; every TRICK needs one list" in found
    assert "is too long; must be a list of 1 to 2, each a list of 1 to 4" in refused("fae_queen", tricks=[one] * 3)


def test_tokens_are_summoned_and_become():
    right = "must be the id of a token"
    for word, field in (("undead_gravecaller", "summon"), ("beast_shifter", "transform")):
        assert f'card.{word}.{field} = "beast_cub": is a card of type creature; {right}' in refused(word, **{field: "beast_cub"})
        assert f'{field} = "tok_bone": is no card of this file; did you mean "tok_bones"?' in refused(word, **{field: "tok_bone"})


def test_fields_of_other_types_are_refused():
    assert "card.tok_bones.tricks = " in refused("tok_bones", tricks=[[{"op": "draw", "n": 1}]])
    assert 'card.short_sword.summon = "tok_bones": is not a key of this table' in refused("short_sword", summon="tok_bones")
    assert "card.plate_armour.attack = 1: is too large; must be 0" in refused("plate_armour", attack=1)
    assert "card.spark.health = 1: is too large; must be 0" in refused("spark", health=1)
    assert "card.beast_cub.effects = [" in refused("beast_cub", effects=[])
    assert 'card.beast_cub.helth = 2: is not a key of this table; did you mean "health"?' in refused("beast_cub", helth=2)
    assert "card.beast_cub.health: is missing" in refused("beast_cub", health=None)


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


def test_names_are_told_apart_as_they_are_shown():
    found = refused("beast_cub", name="BEAST  hawk")
    assert 'card.beast_cub.name = "BEAST  hawk": is shown as "BEAST  hawk", like another card; every card needs' in found
    assert 'card.beast_hawk.id = "beast_hawk": is shown as "Beast Hawk", like another card' in found


def test_missing_tables_and_sources_are_refused():
    document = dict(REFERENCE.document)
    assert "card: is missing; must be a list of 1 to 255" in refusal({k: v for k, v in document.items() if k != "card"})
    assert "deck: is missing; must be a list of 2 to 512" in refusal({k: v for k, v in document.items() if k != "deck"})
    assert "card.beast_cub.attack = 2: has no source; every number needs a source" in refused("beast_cub", source=None)


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
ANYWHERE = ("spell", "action", "trick")
CREATURES = ("action", "trick")
WRONG = [  # places, list, place in it and message
    (ANYWHERE, [SPARK | {"target": "same"}], '[0].target = "same": stands in the first entry; means the targets of'),
    (ANYWHERE, [DRAW, {"op": "heal", "n": 1, "target": "same"}], '[1].target = "same": follows an entry without creat'),
    (("spell",), [{"op": "heal", "n": 1, "target": "self"}], '[0].target = "self": needs an acting creature, which a'),
    (("spell",), [SPARK | {"where": "adjacent"}], '[0].where = "adjacent": needs an acting creature, which a Spell'),
    (("spell",), [{"op": "charm", "target": "trigger"}], '[0].target = "trigger": is unknown to a Spell card; belongs'),
    (("action",), [{"op": "charm", "target": "trigger"}], "is unknown to a SPELL action; belongs to tricks, which some"),
    (("action",), [{"op": "charm", "target": "subject"}], '[0].target = "subject": is unknown to a SPELL action'),
    (CREATURES, [GATE], '[0].op = "play_free": is not the last entry of a Spell card; may only be the last entry of'),
    (CREATURES, [BONES], '[0].op = "summon": is not the last entry of a Spell card'),
    (("spell",), [GATE, DRAW], '[0].op = "play_free": is not the last entry of a Spell card'),
    (("spell",), [BONES, GATE], '[0].op = "summon": is not the last entry of a Spell card'),
    (("spell",), [BONES | {"token": "beast_cub"}], '[0].token = "beast_cub": is a card of type creature; must be the'),
    (("spell",), [BONES | {"token": "bones"}], '[0].token = "bones": is no card of this file; did you mean "tok_bones"'),
    (("spell",), [BONES | {"n": 10}], "[0].n = 10: is too large; must be a whole number from 1 to 9"),
    (ANYWHERE, [SPARK, DRAW, DRAW, DRAW, DRAW], "is too long; must be a list of"),
    (ANYWHERE, [{"op": "destroy", "target": "each"}], '[0].side: is missing; target = "each" needs side = "friend", '),
    (ANYWHERE, [{"op": "destroy", "target": "row"}], '[0].side: is missing; target = "row" needs side'),
    (ANYWHERE, [{"op": "destroy", "target": "chosen"}], '[0].side: is missing; target = "chosen" needs side'),
    (ANYWHERE, [SPARK, SPARK | {"target": "same"}], '[1].side = "any": is given with target = "same"; belongs to'),
    (ANYWHERE, [SPARK | {"target": "each", "count": 2}], '[0].count = 2: is given with target = "each"; belongs to c'),
    (CREATURES, [SPARK | {"target": "row", "where": "any"}], '[0].where = "any": is given with target = "row"; belong'),
    (ANYWHERE, [{"op": "destroy"}], "[0].target: is missing; must be one of"),
    (ANYWHERE, [SPARK | {"kind": "rage"}], '[0].kind = "rage": is not a key of this table'),
    (ANYWHERE, [{"op": "damage_player", "n": 3}], "[0].who: is missing; must be one of"),
    (ANYWHERE, [{"op": "scry", "n": 6}], "[0].n = 6: is too large; must be a whole number from 1 to 5"),
    (ANYWHERE, [{"op": "spy", "n": 6}], "[0].n = 6: is too large"),
    (ANYWHERE, [{"op": "gain_xp", "n": 5001}], "[0].n = 5001: is too large; must be a whole number from 1 to 5000"),
    (ANYWHERE, [{"op": "heal_player", "n": 0}], "[0].n = 0: is too small; must be a whole number from 1 to 60"),
    (ANYWHERE, [GRANT | {"keyword": "RANGE"}], '[0].keyword = "RANGE": has no number; must be "RANGE(1)" to'),
    (ANYWHERE, [GRANT | {"keyword": "BLOK"}], '[0].keyword = "BLOK": is no ability; did you mean "BLOCK"?'),
    *(
        (ANYWHERE, [GRANT | {"keyword": word}], f'[0].keyword = "{word}": cannot be granted; must be one of BLOCK, ')
        for word in (
            *("AURA(1)", "DEPLETED", "DRAW(1)", "HERO", "SCRY(1)", "SPELL", "SPY(1)", "STEALTH", "SUMMON(1)"),
            *("TRANSFORM", "TRICK"),
        )
    ),
    (ANYWHERE, [GRANT | {"op": "lose", "keyword": "SWARM"}], '[0].keyword = "SWARM": cannot be lost; must be one of'),
    (ANYWHERE, [GRANT | {"op": "lose", "keyword": "RANGE(2)"}], '"RANGE(2)": has a number; must be "RANGE"'),
]


@pytest.mark.parametrize(("place", "entries", "message"), [(place, *rest) for places, *rest in WRONG for place in places])
@pytest.mark.slow
def test_effects_that_make_no_sense_there_are_refused(place, entries, message):
    found = refusal(with_list(place, entries))
    assert f"cards.toml: {AT[place]}" in found
    assert (AT[place] + message if message.startswith("[") else message) in found


RIGHT = [
    (ANYWHERE, [SPARK, {"op": "heal", "n": 1, "target": "same"}, {"op": "destroy", "target": "same"}]),
    (CREATURES, [{"op": "heal", "n": 1, "target": "self"}, SPARK | {"where": "adjacent", "count": 5}]),
    (("trick",), [{"op": "pacify", "target": "trigger"}, {"op": "clear", "kind": "rage", "n": 9, "target": "subject"}]),
    (("spell",), [SPARK, {"op": "recall"}, {"op": "spy", "n": 5}, GATE]),
    (("spell",), [BONES]),
    (("spell",), []),
    (ANYWHERE, [GRANT | {"op": "lose", "keyword": "RANGE"}, GRANT | {"keyword": "SWARM(9)"}]),
]


@pytest.mark.parametrize(("place", "entries"), [(place, entries) for places, entries in RIGHT for place in places])
def test_effects_that_make_sense_there_are_taken(place, entries):
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
    ({"beast_cub": 25}, "cards = ", "hold 61 cards; must be 40 to 60 together"),
    ({"beast_cubb": 1}, "cards.beast_cubb = 1: ", 'is no card of this file; did you mean "beast_cub"?'),
    ({"qqqq": 1}, "cards.qqqq = 1: ", "is no card of this file; must be the id of a [[card]]"),
    ({"tok_bones": 1}, "cards.tok_bones = 1: ", "is a token; tokens are never in a deck; they come by SUMMON,"),
    ({"beast_alpha": 2}, "cards.beast_alpha = 2: ", "are too many copies; a deck holds at most 1 of a Hero (rules.copies_h"),
    ({"longbow": 3}, "cards.longbow = 3: ", "a deck holds at most 2 of a card of type weapon (rules.copies_weapon)"),
    ({"chain_armour": 3}, "cards.chain_armour = 3: ", "at most 2 of a card of type armour (rules.copies_armour)"),
    ({"spark": 4}, "cards.spark = 4: ", "a deck holds at most 3 of a card of type spell (rules.copies_spell)"),
]


@pytest.mark.parametrize(("cards", "field", "message"), DECKS)
def test_rift_02_03_04_a_deck_that_breaks_a_construction_rule_is_refused(cards, field, message):
    found = refusal(with_deck(**cards))
    assert f"cards.toml: deck.beast_rush.{field}" in found
    assert message in found


def test_rift_03_every_broken_rule_of_a_deck_is_named():
    assert len(refusal(with_deck(beast_alpha=3, longbow=3, spark=30, tok_bones=1)).splitlines()) == 5


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


def test_2_to_512_decks_and_255_cards_fit_into_a_file():
    document = copy.deepcopy(dict(REFERENCE.document))
    deck, cub = document["deck"][1], document["card"][0]
    document["deck"] = [deck | {"id": f"deck_{number}"} for number in range(512)]
    document["card"] += [cub | {"id": f"cub_{number}"} for number in range(255 - len(document["card"]))]
    record = from_document(document).record[0]
    assert (record["cards"], record["decks"]) == (255, 512)
    more = {"deck": [*document["deck"], deck]}
    assert "is too long; must be a list of 2 to 512 ([[deck]])" in refusal(document | more)
    assert "is too short; must be a list of 2 to 512" in refusal(document | {"deck": [deck]})
    more = {"card": [*document["card"], cub | {"id": "one_more"}]}
    assert "is too long; must be a list of 1 to 255 ([[card]])" in refusal(document | more)
