"""What the checks of a card file refuse, with which messages."""

import copy
from typing import Any

import pytest

from sim.engine.cards import changed
from sim.games.arena.record import CARD_FORMAT
from tests.games.refusals import Refusals

from_document = CARD_FORMAT.from_document
REFUSALS = Refusals(CARD_FORMAT)
REFERENCE, refusal = REFUSALS.reference, REFUSALS.refusal


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("rules.tokens", 13, "rules.tokens = 13: is too large"),
        ("rules.block_faces", 0, "rules.block_faces = 0: is too small"),
        ("rules.knockback_plus_damage", 1, "knockback_plus_damage = 1: has the wrong type; must be true or false"),
        ("rules.offline_path", "end", 'must be one of "each_step", "end_only"'),
        ("rules.board", "moon", 'rules.board = "moon": is no board of this file; known here: standard, large, pit'),
        ("rules.dice", 3, "hero.rhino_guy.defence = 2: and 2 dice of self_defence are more than the 3 dice"),
        ("board.pit.starts[2]", [6, 0], "board.pit.starts[2] = [6, 0]: is off the board, at distance 6"),
        ("board.pit.starts[2]", [0, 0], "board.pit.starts[2] = [0, 0]: is a hole"),
        ("board.pit.holes", [[0, 1], [0, 1]], "board.pit.holes[1] = [0, 1]: is used more than once"),
        ("board.pit.holes", [[0, -5], [1, -5], [4, -5], [5, -4], [4, -3], [3, -3], [3, -4]], "cut the land"),
        ("hero.valasca.energy", [3, 3], "must be a list of 3 (green, yellow, red), each a whole number from 1 to 6"),
        ("hero.valasca.rage_cap", 0, 'ability[0].effects[0].op = "rage_spend": does not go without rage_cap; needs rage_cap'),
        ("hero.dragon_hatcher.dragonling_cap", 0, 'ability[1].effects[0].op = "summon": does not go without dragonling_cap'),
        ("hero.valasca.id", "rhino_guy", 'hero[3].id = "rhino_guy": is used more than once'),
        ("hero.valasca.ability.fury.effects[0].when", "hit", 'with when = "hit" is not for passive abilities'),
        ("hero.valasca.ability.axe_blow.attack", 10, "with 3 rage dice and 0 ally dice is more than the 12 dice"),
        ("hero.rhino_guy.ability.charge.attack", 0, "hero.rhino_guy.ability[1].attack = 0: can never hit"),
        ("hero.rhino_guy.ability.charge.knockback", [2, 1, 3], "must not decrease from green to yellow to red"),
        ("hero.rhino_guy.ability.charge.effects[0].min", 2, "ability[1].effects[0].min = 2: is more than max = 1"),
        ("hero.rhino_guy.ability.charge.effects[0].op", "move_befor", 'did you mean "move_before"?'),
        ("hero.whirl_fighter.ability.whirlwind.range", 2, 'ability[0].range = 2: cannot be combined with "area"'),
        ("hero.mirror_mage.ability.force_push.attack", 1, 'ability[1].attack = 1: contradicts "auto_hit"'),
        ("hero.hook_thrower.ability.body_slam.knockback", [0, 0, 0], "has nothing that can throw a hero"),
    ],
)
def test_a_value_that_breaks_a_rule_is_refused(path, value, message):
    assert message in refusal(dict(changed(REFERENCE.document, path, value)))


ALLOWED = {  # op -> its parameters, kinds of ability that can have it
    "move_before": ({"min": 1, "max": 2}, ["attack"]),
    "move_after": ({"max": 1}, ["attack", "passive"]),
    "no_defence_roll": ({}, ["attack"]),
    "no_damage": ({}, ["attack"]),
    "area": ({}, ["attack"]),
    "pull": ({}, ["attack"]),
    "swap": ({}, ["attack"]),
    "slow": ({"n": 1}, ["attack"]),
    "self_defence": ({"dice": 1}, ["attack", "utility"]),
    "recover": ({"spaces": 1}, ["attack", "utility"]),
    "summon": ({"count": 1, "range": 1}, ["utility"]),
    "rage_spend": ({"max": 1, "dice": 1, "knockback": 1}, ["attack"]),
    "move_mode": ({"mode": "leap"}, ["passive"]),
    "brace": ({"n": 1}, ["passive"]),
    "ally_dice": ({"per": 1, "max": 1}, ["passive"]),
    "retaliate": ({"push": 1}, ["passive"]),
}


def a_hero_with(kind: str, *effects: dict[str, Any]) -> dict[str, Any]:
    """Reference set with a hero of three abilities, an attack, a utility and a passive; one of them has the effects."""
    document = copy.deepcopy(dict(REFERENCE.document))
    hero = document["hero"][1] | {"rage_cap": 3, "dragonling_cap": 3, "source": "assumed"}
    strike = {"name": "Strike", "kind": "attack", "range": 1, "attack": 3, "knockback": [1, 2, 3], "source": "assumed"}
    others = [{"name": word, "kind": word, "source": "assumed"} for word in ("utility", "passive")]
    hero["ability"] = [copy.deepcopy(strike), *others] if kind != "attack" else [strike, copy.deepcopy(strike), others[0]]
    next(ability for ability in hero["ability"] if ability["kind"] == kind)["effects"] = list(effects)
    document["hero"][1] = hero
    return document


@pytest.mark.parametrize("kind", ["attack", "utility", "passive"])
@pytest.mark.parametrize("op", ALLOWED)
def test_an_effect_is_accepted_only_where_the_rules_allow_it(op, kind):
    parameters, kinds = ALLOWED[op]
    document = a_hero_with(kind, {"op": op, **parameters})
    if kind in kinds:
        assert from_document(document).record.shape == (1,)
    else:
        assert f'.op = "{op}": is not for {kind} abilities; is only for {" and ".join(kinds)} abilities' in refusal(document)


@pytest.mark.parametrize("other", ["pull", "swap", "move_before"])
def test_arena_70_area_excludes(other):
    document = a_hero_with("attack", {"op": "area"}, {"op": other, **ALLOWED[other][0]})
    assert f'have "area" and "{other}"; area excludes pull, swap, move_before' in refusal(document)


def test_arena_71_pull_excludes_knockback_for_rage():
    spend = {"op": "rage_spend", "max": 1, "dice": 1}
    assert "rage_spend.knockback must be 0" in refusal(a_hero_with("attack", {"op": "pull"}, spend | {"knockback": 1}))
    assert from_document(a_hero_with("attack", {"op": "pull"}, spend | {"knockback": 0}))


def test_no_effect_stands_twice():
    slow = {"op": "slow", "n": 1}
    assert 'effects[1].op = "slow": is listed twice; an ability can have it once' in refusal(a_hero_with("attack", slow, slow))
    gains = [{"op": "rage_gain", "n": 1, "when": when} for when in ("use", "hit")]
    assert from_document(a_hero_with("attack", *gains))
    assert "is listed twice" in refusal(a_hero_with("attack", gains[0], gains[0]))


def test_no_effect_stands_in_two_passives_of_a_hero():
    document = a_hero_with("passive", {"op": "brace", "n": 1})
    abilities = document["hero"][1]["ability"]
    abilities[1] = abilities[2] | {"name": "Second"}
    assert 'ability[2].effects[0].op = "brace": is listed twice; the passives of a hero can have it once' in refusal(document)


def test_64_heroes_and_16_boards_fit_into_a_file():
    document = copy.deepcopy(dict(REFERENCE.document))
    document["hero"] = [document["hero"][n % 8] | {"id": f"hero_{n}"} for n in range(64)]
    document["board"] = [document["board"][0] | {"id": f"board_{n}", "radius": 7} for n in range(16)]
    document["rules"]["board"] = "board_15"
    record = from_document(document).record[0]
    assert (record["heroes"], record["hexes"]) == (64, 169)
    document["hero"].append(document["hero"][0] | {"id": "one_too_many"})
    assert "must be a list of 2 to 64" in refusal(document)
