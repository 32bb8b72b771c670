"""The reference set of Rookling Heroes against its written tables, and how card files compile."""

from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import pytest

from sim.games.rookling.cards import ENERGY_KINDS, Kind, Mask, Op, Scope, Trigger, Until
from sim.games.rookling.record import CARD_FORMAT, cautions

REFERENCE = CARD_FORMAT.load()
RECORD = REFERENCE.record[0]
RED, BLUE, GREEN, YELLOW, ANY, GREY, NONE = 0, 1, 2, 3, 6, -1, -1

TOKENS = {  # trigger, until, supply, points that are not 0
    "frozen": (Trigger.STANDING, Until.EXCHANGE, 6, {}),
    "poisoned": (Trigger.END_ATTACK, Until.CLEARED, 6, {"damage": 1}),
    "confused": (Trigger.STANDING, Until.OWNER_ATTACK, 6, {"attack_plus": -2}),
    "hidden": (Trigger.FACED, Until.TRIGGER, 6, {}),
    "cover": (Trigger.FACED, Until.TRIGGER, 0, {"defence_flat": 2}),
    "tunnel": (Trigger.STANDING, Until.REPLACED, 0, {"attack_plus": 1, "defence_flat": 1}),
    "spark": (Trigger.ATTACK_TURN, Until.TRIGGER, 0, {"attack_flat": 1}),
    "guard": (Trigger.DEFENDS, Until.TRIGGER, 0, {"defence_plus": 2}),
    "regrowth": (Trigger.END_ATTACK, Until.TRIGGER, 0, {"heal": 2}),
}
MASKS = {
    Mask.NO_ENERGY: ["frozen"],
    Mask.NO_SPECIAL: ["confused"],
    Mask.STANDING: ["confused", "tunnel"],
    Mask.ATTACK_TURN: ["spark"],
    Mask.CANCEL: ["hidden"],
    Mask.FACED: ["cover"],
    Mask.DEFENDS: ["guard"],
    Mask.DAMAGE: ["poisoned"],
    Mask.HEAL: ["regrowth"],
    Mask.CLEARED: ["poisoned"],
    Mask.HARMFUL: ["frozen", "poisoned", "confused"],
    Mask.EXCHANGE: ["frozen"],
    Mask.OWNER_ATTACK: ["confused"],
    Mask.TRIGGER: ["hidden", "cover", "spark", "guard", "regrowth"],
    Mask.FIXED: ["tunnel"],
}
FIELD_EFFECTS = {  # owner, number, colour, copies, token
    "tunnel": ("delvi", 3, GREY, 2, "tunnel"),
    "black_ice": ("rime", 5, BLUE, 2, "frozen"),
    "spark": ("pulse_red", 2, RED, 2, "spark"),
    "shell": ("pulse_blue", 2, BLUE, 2, "guard"),
    "dusk": ("shadow", 2, GREY, 3, "hidden"),
    "rubble": ("stone", 2, GREY, 3, "cover"),
    "dew": ("spring", 2, GREEN, 2, "regrowth"),
    "seed": ("thorn", 6, GREEN, 2, "poisoned"),
}


def attack(number: Any, colour: int, amount: Any, *effects: dict[str, Any], **match: Any) -> dict[str, Any]:
    return {"kind": Kind.ATTACK, "number": number, "colour": colour, "amount": amount, "effects": effects, **match}


def defence(number: Any, colour: int, amount: Any, **match: Any) -> dict[str, Any]:
    return {"kind": Kind.DEFENCE, "number": number, "colour": colour, "amount": amount, **match}


def special(number: Any, colour: int, *effects: dict[str, Any]) -> dict[str, Any]:
    return {"kind": Kind.SPECIAL, "number": number, "colour": colour, "effects": effects}


def does(op: Op, value: Any, scope: Scope = Scope.SELF, token: int = NONE) -> dict[str, Any]:
    return {"op": op, "value": value, "scope": scope, "token": token}


def shuffles(value: Any) -> dict[str, Any]:
    return does(Op.SHUFFLE_FIELD, value)


FROZEN, POISONED, CONFUSED, HIDDEN = range(4)
PICKED = Scope.SELF_OR_NEIGHBOUR
ROOKLINGS = {  # a pair: number of the front, of the siege-state side
    "rime": {
        "Frost Bite": attack(3, ANY, (4, 5), does(Op.TOKEN_ON_HIT, 1, token=FROZEN)),
        "Ice Wall": defence((2, 1), ANY, 2),
        "Black Ice": special((3, 2), BLUE, shuffles(2)),
    },
    "rute": {
        "Sting": attack(2, ANY, (3, 4), does(Op.TOKEN_ON_HIT, 1, token=POISONED)),
        "Hide": defence(2, ANY, (1, 2)),
        "Antidote": special(3, GREEN, does(Op.CLEANSE, 0, Scope.ANY_OWN), does(Op.HEAL, (1, 2), Scope.ANY_OWN)),
    },
    "hiss": {
        "Scald": attack(2, ANY, (3, 4)),
        "Vent": attack((3, 2), RED, 5, does(Op.TOKEN_ON_HIT, 1, token=CONFUSED)),
        "Steam Veil": defence((3, 2), ANY, 3),
        "Pressure": special((4, 3), RED, does(Op.DRAW, 2)),
    },
    "delvi": {"Claw": attack(2, ANY, (3, 4)), "Burrow": defence(2, ANY, (2, 3)), "Dig": special((2, 1), YELLOW, shuffles(2))},
    "valt": {
        "Arc": attack(2, ANY, (3, 4)),
        "Bolt": attack((7, 6), ANY, 8),
        "Static": defence((3, 2), ANY, 3),
        "Charge": special(3, ANY, does(Op.CHARGE, (1, 2), PICKED)),
    },
    "pulse_red": {
        "Red Beat": attack(2, ANY, 3, match_colour=RED, match_bonus=(2, 3)),
        "Red Echo": defence(2, ANY, (1, 2), match_colour=RED, match_bonus=1),
        "Afterglow": special((2, 1), RED, shuffles(2)),
    },
    "pulse_blue": {
        "Blue Beat": attack(2, ANY, (3, 4), match_colour=BLUE, match_bonus=1),
        "Blue Echo": defence(2, ANY, 1, match_colour=BLUE, match_bonus=(2, 3)),
        "Undertow": special((2, 1), BLUE, shuffles(2)),
    },
    "shadow": {
        "Ambush": attack(3, ANY, (4, 5)),
        "Slip": defence((3, 2), ANY, 2),
        "Fade": special((4, 3), GREEN, does(Op.TOKEN_SELF, 1, token=HIDDEN)),
        "Nightfall": special((2, 1), GREEN, shuffles(3)),
    },
    "stone": {
        "Boulder": attack((4, 3), ANY, 5),
        "Bulwark": defence(1, ANY, (2, 3)),
        "Crumble": special((2, 1), BLUE, shuffles(3)),
    },
    "spring": {
        "Splash": attack(2, ANY, (3, 4)),
        "Bubble": defence(1, ANY, (1, 2)),
        "Mend": special(3, GREEN, does(Op.HEAL, (2, 3), PICKED)),
        "Dewfall": special((2, 1), BLUE, shuffles(2)),
    },
    "banner": {
        "Lance": attack(2, ANY, (3, 4)),
        "Buckler": defence(2, ANY, (2, 3)),
        "Rally": special(2, RED, does(Op.ATTACK_PLUS, (1, 2), Scope.NEIGHBOURS)),
        "Shelter": special(2, YELLOW, does(Op.DEFENCE_FLAT, (1, 2), Scope.NEIGHBOURS)),
    },
    "thorn": {"Briar": attack(3, ANY, (5, 6)), "Bark": defence(2, ANY, (2, 3)), "Sow": special((2, 1), GREEN, shuffles(2))},
}
NUMBER_OF = {word: number for number, word in enumerate(ROOKLINGS)}


def sides(value: Any) -> tuple[int, int]:
    """Numbers of both sides."""
    return value if isinstance(value, tuple) else (value, value)


def test_rook_01_entrants_are_all_squads_of_three_in_lexicographic_order():
    assert len(REFERENCE.ids) == RECORD["squads"] == comb(12, 3)
    assert REFERENCE.ids == tuple("+".join(words) for words in combinations(ROOKLINGS, 3))
    assert (REFERENCE.ids[0], REFERENCE.names[0]) == ("rime+rute+hiss", "Rime + Rute + Hiss")
    assert (REFERENCE.ids[-1], REFERENCE.names[-1]) == ("spring+banner+thorn", "Spring + Banner + Thorn")
    assert [tuple(squad) for squad in RECORD["squad"][:220]] == [*combinations(range(12), 3)]
    assert not RECORD["squad"][220:].any()


def test_the_energy_deck_has_48_cards_twelve_of_each_colour():
    counts = RECORD["energy_count"].reshape(6, 9)
    assert (RECORD["colours"], RECORD["energy"]) == (4, 48)
    assert counts[:4].tolist() == [[3, 3, 2, 2, 1, 1, 0, 0, 0]] * 4
    assert not counts[4:].any()
    assert [counts[:, least - 1 :].sum() for least in (2, 3, 4)] == [36, 24, 16]
    assert RECORD["mean_number"] == pytest.approx(float(Fraction(17, 6)))


def test_the_rules_are_those_of_the_reference_set():
    wanted = {"heal_cap": 6, "hand": 4, "hand_max": 6, "turn_cap": 200, "dump": 1}
    assert {field: RECORD[field] for field in wanted} == wanted
    off = [name for name in REFERENCE.switches if name != "dump"]
    assert not any(RECORD[name] for name in off)
    assert RECORD["life"].tolist() == [6] * 12 + [0] * 20


@pytest.mark.parametrize("word", TOKENS)
def test_every_token_compiles_to_the_numbers_of_the_reference_set(word):
    kind = list(TOKENS).index(word)
    trigger, until, supply, points = TOKENS[word]
    assert (RECORD["trigger"][kind], RECORD["until"][kind], RECORD["supply"][kind]) == (trigger, until, supply)
    for field in ("attack_flat", "attack_plus", "defence_flat", "defence_plus", "damage", "heal"):
        assert RECORD[field][kind] == points.get(field, 0), field


def test_sets_of_tokens():
    assert RECORD["tokens"] == len(TOKENS)
    for mask in Mask:
        bits = sum(1 << list(TOKENS).index(word) for word in MASKS[mask])
        assert RECORD["token_mask"][mask] == bits, mask.name


@pytest.mark.parametrize("word", FIELD_EFFECTS)
def test_every_field_effect_compiles_to_the_numbers_of_the_reference_set(word):
    index = list(FIELD_EFFECTS).index(word)
    owner, number, colour, copies, token = FIELD_EFFECTS[word]
    assert (RECORD["effect_number"][index], RECORD["card_colour"][ENERGY_KINDS + index]) == (number, colour)
    assert RECORD["effect_copies"][index] == copies
    assert RECORD["effect_token"][index] == list(TOKENS).index(token)
    assert [name for name, at in NUMBER_OF.items() if RECORD["field_effect"][at] == index] == [owner]


@pytest.mark.parametrize("word", ROOKLINGS)
def test_every_rookling_compiles_to_the_numbers_of_the_reference_set(word):
    at, lines = NUMBER_OF[word], ROOKLINGS[word]
    assert [line["name"] for line in REFERENCE.document["rookling"][at]["line"]] == list(lines)
    seen = dict.fromkeys(Kind, 0)
    for slot, line in enumerate(lines.values()):
        seen[line["kind"]] += 1
        assert RECORD["kind"][at, slot] == line["kind"]
        assert RECORD["place"][at, slot] == seen[line["kind"]]
        assert RECORD["colour"][at, slot] == line["colour"]
        assert RECORD["match_colour"][at, slot] == line.get("match_colour", NONE)
        for field in ("number", "amount", "match_bonus"):
            assert tuple(RECORD[field][at, slot]) == sides(line.get(field, 0)), field
        effects = [*line.get("effects", ()), does(Op.NONE, 0), does(Op.NONE, 0)][:2]
        for index, effect in enumerate(effects):
            got = {field: RECORD[field][at, slot, index] for field in ("op", "scope", "token")}
            assert got == {field: effect[field] for field in got}
            assert tuple(RECORD["value"][at, slot, index]) == sides(effect["value"])
    assert RECORD["kind"][at, len(lines) :].tolist() == [Kind.NONE] * (4 - len(lines))
    owns = any(owner == word for owner, *_ in FIELD_EFFECTS.values())
    assert (RECORD["field_effect"][at] == NONE) == (not owns)


def test_names_and_families():
    rooklings = REFERENCE.document["rookling"]
    assert [rookling["id"] for rookling in rooklings] == list(ROOKLINGS)
    assert [rookling["name"].lower().replace(" ", "_") for rookling in rooklings] == list(ROOKLINGS)
    assert {rookling["id"] for rookling in rooklings if rookling.get("family")} == {"pulse_red", "pulse_blue"}


def test_the_numbers_that_the_rulebook_prints():
    printed = {entry.path for entry in REFERENCE.provenance if entry.source == "rulebook"}
    hits = ("rime.line.frost_bite", "rute.line.sting", "hiss.line.vent")
    assert printed == {"rules.start_life", "rules.hand", *(f"rookling.{hit}.effects[0].n" for hit in hits)}


def test_the_reference_set_has_no_cautions():
    assert cautions(REFERENCE) == []
