"""What the validator refuses, and its messages: fields and their ranges, decks, loadouts, fields that do not go together."""

import copy
from typing import Any

import numpy as np
import pytest

from sim.engine.cards import changed
from sim.games.runeslingers.record import CARD_FORMAT
from tests.games.deck_documents import with_entry
from tests.games.refusals import Refusals

REFUSALS = Refusals(CARD_FORMAT)
REFERENCE, refusal = REFUSALS.reference, REFUSALS.refusal
DOCUMENT = REFERENCE.document


def with_deck(**fields: Any) -> dict[str, Any]:
    """The reference document with other fields of the deck erosion."""
    return with_entry(DOCUMENT, "deck", "erosion", **fields)


WRONG_THERE = [  # path, value, what is set on it
    ("rules.start_concentrations", 2, "is too large; must be 1"),
    ("card.fireball.id", "source", "is a reserved word; must not be one of source"),
]


@pytest.mark.parametrize(("path", "value", "message"), WRONG_THERE)
def test_a_value_that_breaks_a_rule_is_refused_with_its_field(path, value, message):
    REFUSALS.check_value(path, value, message)


def effect(op: str, to: str) -> dict[str, Any]:
    """An effect on a target."""
    return {"op": op, "to": to} if op == "destroy" else {"op": op, "to": to, "n": 1}


TARGETS = [  # op, what it can reach, what it cannot
    ("damage", "any", "runespell"),
    ("lose", "each", "any"),
    ("draw", "enemy", "defence"),
    ("destroy", "card", "runeslinger"),
    ("light", "self", "enemy"),
]


@pytest.mark.parametrize(("op", "reached", "beyond"), TARGETS)
def test_rune_58_effects_are_refused_where_they_reach_nothing_of_the_kind(op, reached, beyond):
    path = "card.light_lens.activated[0].effects"
    CARD_FORMAT.from_document(changed(DOCUMENT, path, [effect(op, reached)]))
    found = refusal(changed(DOCUMENT, path, [effect(op, beyond)]))
    assert f'cards.toml: {path}[0].to = "{beyond}": is not one of the choices; ' in found


@pytest.mark.parametrize("op", ["damage", "barrier", "destroy", "trap"])
def test_effects_on_things_say_whom_they_reach(op):
    one = effect(op, "any")
    del one["to"]
    found = refusal(changed(DOCUMENT, "card.draining_chant.activated[0].effects", [one]))
    assert "card.draining_chant.activated[0].effects[0].to: is missing; must be one of " in found


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
    ({"runeslinger": "romin"}, 'stance = "talakas_heart": is of the class Runeseer; Romin needs the class Guardian'),
    ({"stance": "talaka"}, 'stance = "talaka": is no stance of this file; did you mean "talakas_heart"?'),
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
    ({"deep_sear": 3, "cleanse": 0}, ".deep_sear = 3: are too many copies; a deck holds at most 2 of a card"),
    (
        {"great_bolt_x": 2, "deep_sear": 0},
        ".great_bolt_x = 2: are too many copies; a deck holds at most 1 of an X card (rules.max_copies_x)",
    ),
    ({"fire_ball": 1, "cleanse": 0}, '.fire_ball = 1: is no card of this file; did you mean "fireball"?'),
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


# ---- fields that do not go together: cards, effects, endless loops ---------------------------------------------------

DRAW = {"op": "draw", "n": 1}
HURT = {"op": "damage", "n": 2, "to": "any"}
CHOOSE = {"op": "apply", "ailment": "choose", "n": 2, "to": "enemy"}
TURN = {"op": "convert", "into": "choose", "n": 2, "to": "enemy"}
TRAP = {"op": "trap", "to": "card"}
RELEASE = {"op": "release"}
FREED = {"when": "leaves", "effects": [RELEASE]}


def refused(word: str, table: str = "card", **fields: Any) -> str:
    return refusal(with_entry(DOCUMENT, table, word, **fields))


CARDS = [  # card, other fields of it, message
    # X cards
    ("fireball", {"x": True}, 'x = true: is set on "Fireball"; the name of an X card ends in " X"'),
    # runespells and defence cards
    ("fireball", {"defence": 3}, 'defence = 3: does not go with type = "spirit"; needs type = "chant", "trinket" or "boon"'),
    ("binding", {"defence": None}, 'defence: is missing; is needed with type = "boon"'),
    ("insight", {"statics": [{"stat": "no_pass"}]}, 'statics = [{"stat": "no_pass"}]: does not go with type = "utility"'),
    # keywords
    ("insight", {"keywords": ["shout", "shout"]}, "have shout 2 times; each keyword can be there once"),
    ("insight", {"keywords": ["token"], "tokens": 1}, 'keywords[0] = "token": does not go with type = "utility"; needs'),
    ("binding", {"keywords": ["shout", "distract"]}, 'keywords[1] = "distract": does not go with type = "boon"; needs type'),
    ("insight", {"keywords": ["pierce"]}, "have pierce on a card without damage; needs an effect with op damage"),
    ("light_lens", {"keywords": None}, 'activated[0].use = true: does not go with keywords = []; needs "use" in keywords'),
    # bullets
    ("supernova", {"keywords": ["choice", "fate"]}, "have choice and fate; one player picks the bullet"),
    ("supernova", {"effects": [DRAW]}, ": does not go with bullets; is only without bullets"),
    # what damage is for
    ("insight", {"effects": [HURT]}, 'effects[0].op = "damage": is damage on a utility runespell; utility runespells deal'),
    ("curse_strike", {"effects": [HURT]}, 'effects[0].to = "any": is not a target of an attack runespell'),
    ("fireball", {"effects": [HURT | {"to": "defence", "hit": []}]}, "effects[0].hit = []: never acts on defence cards"),
    # hits
    ("fireball", {"effects": [HURT | {"hit": [DRAW]}]}, 'effects[0].hit[0].to: is not one of the choices; must be "same" (the'),
    ("insight", {"effects": [DRAW | {"to": "same"}]}, 'effects[0].to = "same": is outside of hit; means the Rune'),
    # traps
    ("insight", {"effects": [TRAP]}, 'effects[0].op = "trap": stands in the effects of a utility; belongs to the effects'),
    ("stone_trap", {"triggers": None}, 'triggers: release nothing although the card traps; needs { when = "leaves"'),
    (
        "stone_trap",
        {"triggers": [{"when": "destroyed", "effects": [RELEASE]}, FREED]},
        'triggers[0].effects[0].op = "release": stands in a trigger; belongs to a trigger of a chant or trinket with',
    ),
    (
        "ward_stone",
        {"triggers": [{"when": "leaves", "effects": [TRAP, RELEASE]}]},
        'triggers[0].effects[0].op = "trap": stands in a trigger; belongs to the effects, bullets and activated effects',
    ),
    # announced types
    ("insight", {"effects": [CHOOSE, TURN]}, "announce types 2 times; only one effect of a list can be an apply or convert"),
    ("insight", {"effects": [CHOOSE | {"n": 5}]}, "effects[0].n = 5: is not a number of types to announce; must be 1 to 4"),
    # statics, boosts, triggers
    ("binding", {"statics": [{"stat": "damage"}]}, 'statics[0].n: is missing; is needed with stat = "damage"'),
    ("binding", {"statics": [{"stat": "max_hand", "n": 13}]}, "statics[0].n = 13: is not a hand size; must be 0 to 12"),
    ("binding", {"statics": [{"stat": "no_pass", "n": 1}]}, 'statics[0].n = 1: does not go with stat = "no_pass"; needs stat ='),
    ("insight", {"effects": [{"op": "boost", "stat": "pierce_spirit", "n": 1}]}, "Pierce has no number"),
    (
        "ward_stone",
        {"triggers": [{"when": "you_pass", "effects": [DRAW]}] * 3},
        "wait for you_pass 3 times; at most 2 can wait for one moment",
    ),
    # effects that may be repeated without end
    ("ward_stone", {"activated": [{"effects": [DRAW]}]}, "activated[0].light: costs nothing and can be repeated; needs more"),
    (
        "ward_stone",
        {"activated": [{"light": 2, "effects": [{"op": "light", "n": 1}] * 2}]},
        "activated[0].light = 2: costs no more light than it gives; needs more light, or per_turn, or on a card use",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("word", "fields", "message"), CARDS)
def test_fields_of_a_card_that_do_not_go_together_are_refused(word, fields, message):
    found = refused(word, **fields)
    assert message in found
    assert f"cards.toml: card.{word}." in found


FINE = [  # card, other fields of it
    ("fireball", {"keywords": ["pierce", "shout", "distract"]}),
    ("ward_stone", {"activated": [{"per_turn": 1, "effects": [{"op": "light", "n": 2}]}]}),
    ("ward_stone", {"activated": [{"light": 3, "effects": [{"op": "light", "n": 2}]}]}),
    ("gathering_chant", {"activated": [{"tokens": 1, "effects": [{"op": "light", "n": 2}]}]}),
    ("ward_stone", {"triggers": [{"when": "you_pass", "effects": [DRAW]}] * 2}),
    ("ward_stone", {"keywords": ["pierce"], "triggers": [{"when": "you_pass", "effects": [HURT]}]}),
    ("ward_stone", {"keywords": ["choice"], "bullets": [[CHOOSE], [DRAW]]}),
    ("ward_stone", {"effects": [CHOOSE], "triggers": [{"when": "you_block", "effects": [TURN]}]}),  # a trigger has its own
    ("ward_stone", {"keywords": ["use"], "activated": [{"use": True, "effects": [TRAP]}], "triggers": [FREED]}),
    ("ward_stone", {"statics": [{"stat": "max_hand", "n": 0}, {"stat": "no_heal", "scope": "each"}]}),
    ("ward_stone", {"keywords": ["choice"], "bullets": [[TRAP], [DRAW]], "triggers": [FREED]}),
]


@pytest.mark.parametrize(("word", "fields"), FINE)
def test_fields_of_a_card_that_go_together_are_taken(word, fields):
    CARD_FORMAT.from_document(with_entry(DOCUMENT, "card", word, **fields))


OTHERS = [  # table, entry, other fields of it, path and message
    ("stance", "braced_stance", {"triggers": [FREED]}, 'triggers[0].effects[0].op = "release": stands in a trigger'),
    (
        "stance",
        "braced_stance",
        {"triggers": [{"when": "leaves", "effects": [DRAW]}]},
        'triggers[0].when = "leaves": is not one of the choices; must be',
    ),
    (
        "stance",
        "braced_stance",
        {"triggers": [{"when": "you_pass", "if": "owned", "effects": [DRAW]}]},
        'triggers[0].if = "owned": is not one of the choices; must be "always" (only cards can lie on the field of a player who',
    ),
    ("ability", "kindle", {"effects": [TRAP]}, 'effects[0].op = "trap": stands in an ability; belongs to the effects'),
    (
        "runeslinger",
        "romin",
        {"inherent": {"light": 0, "effects": [DRAW]}},
        "inherent.light = 0: costs nothing and can be repeated; needs more light, or per_turn",
    ),
    (
        "runeslinger",
        "romin",
        {"inherent": {"light": 1, "effects": [{"op": "light", "n": 1}]}},
        "inherent.light = 1: costs no more light than it gives",
    ),
    ("ailment", "curse", {"on_apply": [TRAP]}, 'on_apply[0].op = "trap": stands in an ailment'),
    ("ailment", "curse", {"after_draw": [CHOOSE]}, 'hold a "choose" in an ailment; no player announces types there; name one'),
    (
        "ailment",
        "curse",
        {"per_instance": [{"stat": "max_hand", "n": 4}]},
        'per_instance[0].stat = "max_hand": is not one of the choices; must be one of "block", "max_health", "damage"',
    ),
    (
        "ailment",
        "curse",
        {"on_apply": [{"op": "light", "n": 1}]},
        'on_apply[0].op = "light": gives light for an ailment; activated effects could apply it endlessly',
    ),
]


@pytest.mark.parametrize(("table", "word", "fields", "message"), OTHERS)
def test_fields_of_other_entries_that_do_not_go_together_are_refused(table, word, fields, message):
    found = refused(word, table, **fields)
    assert message in found
    assert f"cards.toml: {table}.{word}." in found


def applying(*words: str) -> list[dict[str, Any]]:
    return [{"op": "apply", "ailment": word, "n": 1} for word in words]


def test_rune_97_an_ailment_that_applies_itself_would_never_end():
    end = "what is applied when it is applied must not lead back to it"
    assert f"applies curse again, endlessly; {end}" in refused("curse", "ailment", on_apply=applying("curse"))
    turned = [{"op": "convert", "into": "curse", "n": 1}]
    assert "ailment.curse.on_apply = [" in refused("curse", "ailment", on_apply=turned)


def test_rune_97_ailments_that_apply_each_other_would_never_end():
    document = with_entry(DOCUMENT, "ailment", "curse", on_apply=applying("fragment"))
    CARD_FORMAT.from_document(document)  # a chain with an end
    document["ailment"][3]["on_apply"] = applying("weaken")
    CARD_FORMAT.from_document(document)
    document["ailment"][4]["on_apply"] = applying("burn", "curse")
    found = refusal(document)
    for word in ("curse", "fragment", "weaken"):
        assert f"applies {word} again, endlessly" in found
    assert "applies burn again" not in found


def test_an_ailment_that_lets_a_hit_apply_itself_would_never_end():
    hurt = HURT | {"to": "self", "hit": [{"op": "apply", "ailment": "burn", "n": 1, "to": "same"}]}
    assert "applies burn again, endlessly" in refused("burn", "ailment", on_apply=[hurt])
