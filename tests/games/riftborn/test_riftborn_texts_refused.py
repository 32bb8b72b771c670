"""What the validator of Riftborn Tactics refuses in effect lists and in decks (register 2.2 and 2.3), and in which words."""

import copy
from typing import Any

import pytest

from sim.engine.cards import CardError, CardSet
from sim.games.riftborn.cards import from_document, load

REFERENCE = load()
SPARK = {"op": "damage", "n": 2, "target": "chosen", "side": "any"}
DRAW = {"op": "draw", "n": 1}
GATE = {"op": "play_free", "max_level": 3}
BONES = {"op": "summon", "token": "tok_bones", "n": 2}
GRANT = {"op": "grant", "keyword": "BLOCK", "target": "each", "side": "friend"}


def refusal(document: dict[str, Any]) -> str:
    with pytest.raises(CardError) as error:
        from_document(document, "cards.toml")
    return str(error.value)


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


AT = {
    "spell": "card.spark.effects",
    "action": "card.undead_plaguebearer.spell_action",
    "trick": "card.fae_trickster.tricks[0]",
}
ANYWHERE = ("spell", "action", "trick")
CREATURES = ("action", "trick")
WRONG = [  # places, list, where in it and what is said
    (ANYWHERE, [SPARK | {"target": "same"}], '[0].target = "same": stands in the first entry; means the targets of'),
    (ANYWHERE, [DRAW, {"op": "heal", "n": 1, "target": "same"}], '[1].target = "same": follows an entry without creat'),
    (("spell",), [{"op": "heal", "n": 1, "target": "self"}], '[0].target = "self": needs an acting creature, which a'),
    (("spell",), [SPARK | {"where": "adjacent"}], '[0].where = "adjacent": needs an acting creature, which a Spell'),
    (("spell",), [{"op": "charm", "target": "trigger"}], '[0].target = "trigger": is unknown to a Spell card; belongs'),
    (
        ("action",),
        [{"op": "charm", "target": "trigger"}],
        "is unknown to a SPELL action; belongs to tricks, which some",
    ),
    (("action",), [{"op": "charm", "target": "subject"}], '[0].target = "subject": is unknown to a SPELL action'),
    (CREATURES, [GATE], '[0].op = "play_free": is not the last entry of a Spell card; may only be the last entry of'),
    (CREATURES, [BONES], '[0].op = "summon": is not the last entry of a Spell card'),
    (("spell",), [GATE, DRAW], '[0].op = "play_free": is not the last entry of a Spell card'),
    (("spell",), [BONES, GATE], '[0].op = "summon": is not the last entry of a Spell card'),
    (("spell",), [BONES | {"token": "beast_cub"}], '[0].token = "beast_cub": is a card of type creature; must be the'),
    (
        ("spell",),
        [BONES | {"token": "bones"}],
        '[0].token = "bones": is no card of this file; did you mean "tok_bones"',
    ),
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


@pytest.mark.parametrize(
    ("place", "entries", "message"), [(place, *rest) for places, *rest in WRONG for place in places]
)
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
    (
        {"beast_alpha": 2},
        "cards.beast_alpha = 2: ",
        "are too many copies; a deck holds at most 1 of a Hero (rules.copies_h",
    ),
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
        assert f"hold 10 cards of type {kind}; must be at most 8, for no more can be attached" in found


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
