"""The compiled reference set, compared with the tables of heroes and boards in the rules."""

import copy
from collections import Counter
from typing import Any

import pytest

from sim.games.arena.cards import Kind, MoveMode
from sim.games.arena.record import CARD_FORMAT, CARDS, FEATURES

load, from_document = CARD_FORMAT.load, CARD_FORMAT.from_document
REFERENCE = load()
HEROES = {  # move, defence, energy, rage cap, dragonling cap
    "bow_master": (3, 2, (3, 3, 3), 0, 0),
    "rhino_guy": (2, 2, (2, 2, 2), 0, 0),
    "dragon_hatcher": (3, 2, (3, 3, 2), 0, 6),
    "valasca": (3, 2, (3, 3, 2), 4, 0),
    "hook_thrower": (3, 2, (2, 2, 2), 0, 0),
    "whirl_fighter": (3, 2, (3, 2, 2), 3, 0),
    "mirror_mage": (3, 2, (3, 2, 2), 0, 0),
    "temple_guard": (2, 3, (2, 2, 2), 0, 0),
}
PASSIVES = {  # hero -> fields that are not 0
    "bow_master": {"passive_move_after": 1},
    "dragon_hatcher": {"ally_per": 1, "ally_max": 2},
    "valasca": {"rage_when_damaged": 1},
    "hook_thrower": {"brace": 1},
    "whirl_fighter": {"move_mode": MoveMode.GHOST},
    "mirror_mage": {"move_mode": MoveMode.LEAP},
    "temple_guard": {"retaliate": 1},
}


def attack(reach: int, dice: int, knockback: tuple[int, int, int], **effects: int) -> dict[str, Any]:
    return {"kind": Kind.ATTACK, "range": reach, "attack": dice, "knockback": knockback, **effects}


def utility(**effects: int) -> dict[str, Any]:
    return {"kind": Kind.UTILITY, **effects}


ABILITIES = {  # every field that is not 0
    ("bow_master", 0): attack(4, 4, (0, 0, 0), move_after=1),
    ("bow_master", 1): attack(3, 1, (1, 3, 5), no_defence_roll=1, no_damage=1, move_after=1),
    ("rhino_guy", 0): attack(1, 5, (2, 5, 6)),
    ("rhino_guy", 1): attack(1, 3, (1, 3, 4), move_before_min=1, move_before_max=1),
    ("rhino_guy", 2): utility(self_defence=2),
    ("dragon_hatcher", 0): attack(2, 3, (3, 3, 4)),
    ("dragon_hatcher", 1): utility(summon_count=2, summon_range=2),
    ("valasca", 0): attack(1, 3, (2, 3, 5), rage_spend_max=3, rage_spend_dice=1, rage_on_hit=1),
    ("valasca", 1): utility(rage_on_use=2),
    ("hook_thrower", 0): attack(4, 3, (1, 2, 3), pull=1, slow=2),
    ("hook_thrower", 1): attack(1, 4, (1, 3, 5)),
    ("whirl_fighter", 0): attack(1, 4, (1, 3, 4), area=1, rage_spend_max=2, rage_spend_knockback=1),
    ("whirl_fighter", 1): attack(1, 4, (1, 3, 4), rage_on_hit=1),
    ("mirror_mage", 0): attack(3, 2, (1, 2, 4), swap=1),
    ("mirror_mage", 1): attack(2, 0, (1, 1, 2), auto_hit=1, no_defence_roll=1, no_damage=1),
    ("temple_guard", 0): attack(1, 4, (2, 3, 5)),
    ("temple_guard", 1): utility(recover=1, self_defence=1),
}
PRINTED = ("move", "defence", "rage_cap", "dragonling_cap")  # numbers of a hero that are no passives
HERO_FIELDS = [name for name in CARDS.names if CARDS[name].shape == (64,) and name not in (*PRINTED, *FEATURES)]
ABILITY_FIELDS = [name for name in CARDS.names if CARDS[name].shape[:2] == (64, 3) and name not in ("energy", "thing")]
WHICH_PASSIVE = "retaliate_ability"  # an index, distinguished below


def test_the_heroes_are_those_of_the_rules_in_order():
    record = REFERENCE.record[0]
    assert REFERENCE.ids == tuple(HEROES)
    assert REFERENCE.names[:2] == ("Bow Master", "Rhino Guy")
    assert record["heroes"] == 8
    for number, (move, defence, energy, rage_cap, dragonling_cap) in enumerate(HEROES.values()):
        assert (record["move"][number], record["defence"][number]) == (move, defence)
        assert tuple(record["energy"][number]) == energy
        assert (record["rage_cap"][number], record["dragonling_cap"][number]) == (rage_cap, dragonling_cap)


@pytest.mark.parametrize("hero", HEROES)
def test_passives_compile_to_the_numbers_of_the_rules(hero):
    record, number = REFERENCE.record[0], REFERENCE.ids.index(hero)
    got = {name: int(record[name][number]) for name in HERO_FIELDS if name != WHICH_PASSIVE and record[name][number]}
    assert got == PASSIVES.get(hero, {})
    assert record[WHICH_PASSIVE][number] == (2 if hero == "temple_guard" else 0)


@pytest.mark.parametrize(("hero", "slot"), [(hero, slot) for hero in HEROES for slot in range(3)])
def test_abilities_compile_to_the_numbers_of_the_rules(hero, slot):
    record, number = REFERENCE.record[0], REFERENCE.ids.index(hero)
    expected = ABILITIES.get((hero, slot), {"kind": Kind.PASSIVE})
    for name in ABILITY_FIELDS:
        value = record[name][number, slot]
        want = expected.get(name, 0)
        assert tuple(value) == (want or (0, 0, 0)) if name == "knockback" else value == want, name


def test_the_rules_are_the_defaults_of_the_rules():
    record = REFERENCE.record[0]
    assert (record["tokens"], record["turn_cap"], record["hit_faces"], record["block_faces"]) == (12, 400, 3, 3)
    zero = ("knockback_trigger", "knockback_plus_damage", "offline_path", "offline_chooser", "pass_ability")
    assert not any(record[name] for name in (*zero, "start_choice", "dragonling_defence"))
    land = list(zip(record["q"], record["r"], strict=True))
    starts = [land[number] for number in record["start_hex"][: record["starts"]]]
    assert starts == [(0, -3), (3, -3), (3, 0), (0, 3), (-3, 3), (-3, 0)]


def test_the_larger_move_after_of_card_and_passive_counts():
    document = copy.deepcopy(dict(REFERENCE.document))
    bow_master = document["hero"][0]["ability"]
    bow_master[0]["effects"] = [{"op": "move_after", "max": 3}]
    assert from_document(document).record[0]["move_after"][0].tolist() == [3, 1, 0]
    bow_master[2]["effects"][0]["max"] = 4
    assert from_document(document).record[0]["move_after"][0].tolist() == [4, 4, 0]


def test_the_numbers_of_the_rulebook_are_marked():
    sources = {entry.path: entry.source for entry in REFERENCE.provenance}
    rulebook = {path for path, source in sources.items() if source == "rulebook"}
    # two rules, two printed energies, 5 + 5 numbers of the Bow Master's attacks and 1 of her passive,
    # 5 + 5 + 2 of Rhino Guy's attacks and 1 of his utility
    assert len(rulebook) == 2 + 2 + 11 + 13
    assert {path.split(".")[1] for path in rulebook} == {"tokens", "dice", "bow_master", "rhino_guy"}
    assert Counter(sources.values()).keys() == {"rulebook", "assumed"}


def test_a_printed_number_that_was_edited_is_no_longer_the_rulebooks():
    document = copy.deepcopy(dict(load().document))
    charge = next(hero for hero in document["hero"] if hero["id"] == "rhino_guy")["ability"][1]
    charge["attack"] += 1
    found = {one.path: one.source for one in from_document(document).provenance}
    before = {one.path: one.source for one in load().provenance}
    changed = {path for path in found if found[path] != before[path]}
    assert {found[path] for path in changed} == {"changed"}
    assert {before[path] for path in changed} == {"rulebook"}
    assert len(changed) == 1
