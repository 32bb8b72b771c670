"""Card files of Riftborn Tactics that are not the reference set: rules, effects, paths, cautions, names."""

import copy
from typing import Any

import numpy as np
import pytest

from sim.engine.cards import changed, numeric_fields
from sim.games.riftborn.cards import NONE, Ability, List, Op, Side, Target, Token
from sim.games.riftborn.record import CARD_FORMAT, cautions
from tests.games.riftborn.printed import CARDS_PRINTED

from_document, load = CARD_FORMAT.from_document, CARD_FORMAT.load

REFERENCE = load()
RECORD = REFERENCE.record[0]
PLACE = {word: number for number, word in enumerate(CARDS_PRINTED)}


def edited(**rules: Any) -> dict[str, Any]:
    """A copy of the reference document with other rules."""
    document = copy.deepcopy(dict(REFERENCE.document))
    document["rules"] |= rules
    for name, value in rules.items():
        if isinstance(value, int):  # every number needs a source
            document["rules"]["source"].setdefault(name, "assumed")
    return document


def with_card(word: str, **fields: Any) -> np.void:
    """The record of the reference document with other fields of a card."""
    document = edited()
    document["card"][PLACE[word]].update(fields)
    row: np.void = from_document(document).record[0]
    return row


SWITCHES = {
    "level_budget": ["live", "snapshot"],
    "aoo_xp": [False, True],
    "adjacent_enemies": ["touching", "contact"],
    "clear_path": ["half", "nearest"],
    "contact_retaliation": [True, False],
    "dead_retaliate": [True, False],
    "rage_before_retaliation": [True, False],
    "mutual_kill_xp": [True, False],
    "kill_xp": ["attacks", "any_own_damage"],
    "siphon_timing": ["strike", "exchange"],
    "siphon_counts": ["full", "effective"],
    "relentless_on": ["any", "attack"],
    "stealth_cover": ["always", "face_down"],
    "morale_start": ["attack", "health"],
    "weapon_uses": ["once", "unlimited"],
    "transform_keeps": ["nothing", "tokens"],
}
CONSTANTS = {  # another value, field of the record
    "start_life": (500, "start_life"),
    "start_hand": (10, "start_hand"),
    "mulligans": (3, "mulligans"),
    "turn_xp": (5000, "turn_xp"),
    "turn_draw": (5, "turn_draw"),
    "first_player_first_draw": (5, "first_draw"),
    "second_draw": (5, "second_draw"),
    "second_xp": (-5000, "second_xp"),
    "retaliation_divisor": (10, "divisor"),
    "flight_range": (9, "flight_range"),
    "max_rows": (1, "max_rows"),
    "max_per_row": (1, "max_per_row"),
    "turn_cap": (2000, "turn_cap"),
}


def test_the_switches_are_the_sixteen_readings_with_the_default_first():
    assert REFERENCE.switches == {name: values[0] for name, values in SWITCHES.items()}


@pytest.mark.parametrize("name", SWITCHES)
def test_every_switch_reaches_the_record(name):
    for number, value in enumerate(SWITCHES[name]):
        made = from_document(edited(**{name: value}))
        assert made.record[0][name] == (value if isinstance(value, bool) else number)
        assert made.switches[name] == value


@pytest.mark.parametrize("name", CONSTANTS)
def test_every_constant_reaches_the_record(name):
    value, field = CONSTANTS[name]
    assert RECORD[field] != value
    assert from_document(edited(**{name: value})).record[0][field] == value


def test_rift_20_other_levels_reach_the_record():
    levels = [0, *range(1, 19), 10_000_000]
    assert from_document(edited(level_xp=levels)).record[0]["level_xp"].tolist() == levels


def test_rules_that_are_left_out_have_the_values_of_the_reference_set():
    document = edited()
    del document["rules"]
    assert from_document(document).record.tobytes() == REFERENCE.record.tobytes()
    assert from_document(document).switches == REFERENCE.switches


PATHS = {
    "rules.turn_xp": 200,
    "rules.level_xp[1]": 600,
    "card.beast_cub.attack": 3,
    "card.beast_cub.level": 2,
    "card.beast_cub.xp": 150,
    "card.plate_armour.health": 14,
    "card.undead_banshee.aura.attack": -2,
    "card.spark.effects[0].n": 3,
    "card.chain_burst.effects[0].count": 2,
    "card.rift_gate.effects[0].max_level": 4,
    "card.fae_queen.tricks[0][0].n": 1,
    "card.fae_queen.spell_action[0].n": 1,
    "deck.beast_rush.cards.beast_cub": 5,
}


@pytest.mark.parametrize("path", PATHS)
def test_a_number_is_changed_by_its_path(path):
    assert path in numeric_fields(REFERENCE.document)
    made = from_document(changed(REFERENCE.document, path, PATHS[path]))
    assert made.record.tobytes() != REFERENCE.record.tobytes()
    assert made.digest != REFERENCE.digest


ON_EACH = {"target": "each", "side": "any"}
ENTRIES = [  # entry, what the record has of it besides 0 and NONE
    ({"op": "destroy", "target": "self"}, {"op": Op.DESTROY, "target": Target.SELF}),
    ({"op": "charm", "target": "subject"}, {"op": Op.CHARM, "target": Target.SUBJECT}),
    ({"op": "pacify", "target": "trigger"}, {"op": Op.PACIFY, "target": Target.TRIGGER}),
    (
        {"op": "clear", "kind": "decay", "n": 20} | ON_EACH,
        {"op": Op.CLEAR, "token": Token.DECAY, "n": 20, "target": Target.EACH, "side": Side.ANY},
    ),
    (
        {"op": "heal", "n": 60, "target": "row", "side": "enemy"},
        {"op": Op.HEAL, "n": 60, "target": Target.ROW, "side": Side.ENEMY},
    ),
    (
        {"op": "damage", "n": 1, "target": "chosen", "side": "friend", "count": 5, "where": "adjacent"},
        {"op": Op.DAMAGE, "n": 1, "target": Target.CHOSEN, "side": Side.FRIEND, "count": 5, "adjacent": 1},
    ),
    (
        {"op": "damage", "n": 1, "target": "chosen", "side": "any"},
        {"op": Op.DAMAGE, "n": 1, "target": Target.CHOSEN, "side": Side.ANY, "count": 1},
    ),
    (
        {"op": "grant", "keyword": "DOUBLE ATTACK"} | ON_EACH,
        {"op": Op.GRANT, "granted": Ability.DOUBLE_ATTACK, "granted_x": 1, "target": Target.EACH, "side": Side.ANY},
    ),
    (
        {"op": "lose", "keyword": "RANGE"} | ON_EACH,
        {"op": Op.LOSE, "granted": Ability.RANGE, "granted_x": 1, "target": Target.EACH, "side": Side.ANY},
    ),
    ({"op": "damage_player", "n": 7, "who": "own"}, {"op": Op.DAMAGE_PLAYER, "n": 7, "side": Side.FRIEND}),
    ({"op": "damage_player", "n": 7, "who": "both"}, {"op": Op.DAMAGE_PLAYER, "n": 7, "side": Side.ANY}),
    ({"op": "scry", "n": 5}, {"op": Op.SCRY, "n": 5}),
    ({"op": "spy", "n": 5}, {"op": Op.SPY, "n": 5}),
    ({"op": "gain_xp", "n": 5000}, {"op": Op.GAIN_XP, "n": 5000}),
]


@pytest.mark.parametrize(("entry", "wanted"), ENTRIES)
def test_every_effect_reaches_the_record(entry, wanted):
    at = (PLACE["fae_trickster"], List.TRICK_1, 1)
    row = with_card("fae_trickster", tricks=[[{"op": "draw", "n": 1}, entry]])
    nothing = dict.fromkeys(("n", "token", "target", "side", "count", "adjacent", "granted_x"), 0)
    for field, value in (nothing | {"granted": NONE, "summoned": NONE} | wanted).items():
        assert row[field][at] == value, field


def test_rift_27_a_spell_summons_tokens():
    row = with_card("spark", effects=[{"op": "summon", "token": "tok_dire_beast", "n": 9}])
    at = (PLACE["spark"], List.MAIN, 0)
    assert (row["op"][at], row["n"][at], row["summoned"][at]) == (Op.SUMMON, 9, PLACE["tok_dire_beast"])


def test_rift_29_abilities_that_act_when_played_keep_their_printed_order():
    row = with_card("fae_trickster", keywords=["SPY(1)", "TRICK", "SCRY(2)", "FLIGHT", "DRAW(3)"])
    at = PLACE["fae_trickster"]
    assert row["played"][at].tolist() == [Ability.SPY, Ability.TRICK, Ability.SCRY, Ability.DRAW, NONE]
    assert [row["ability"][at, one] for one in (Ability.SPY, Ability.TRICK, Ability.SCRY, Ability.DRAW)] == [1, 1, 2, 3]


def test_rift_80_an_aura_gives_numbers_and_an_ability():
    row = with_card("undead_banshee", aura={"side": "all", "attack": 10, "health": -10, "keyword": "RANGE(3)"})
    fields = ("aura_side", "aura_attack", "aura_health", "aura_ability", "aura_x")
    assert [row[field][PLACE["undead_banshee"]] for field in fields] == [Side.ANY, 10, -10, Ability.RANGE, 3]


def test_names_are_made_of_ids_unless_they_are_given():
    document = edited()
    document["deck"][0]["name"] = "The Line"
    assert from_document(document).names[:2] == ("The Line", "Beast Rush")


def test_an_id_begins_with_a_letter_and_a_token_needs_no_level():
    document = edited()
    document["card"][PLACE["tok_bones"]].pop("level")
    assert from_document(document).record.tobytes() == REFERENCE.record.tobytes()


def test_a_token_that_nothing_brings_into_play_is_a_caution():
    document = edited()
    document["card"].append({"id": "tok_ghost", "type": "token", "attack": 1, "health": 1, "xp": 0, "source": "assumed"})
    assert cautions(from_document(document)) == ["card.tok_ghost is never in play: no card summons it or becomes it"]
    document["card"][PLACE["spark"]]["effects"] = [{"op": "summon", "token": "tok_ghost", "n": 1}]
    assert cautions(from_document(document)) == []


def test_a_spell_that_only_gives_experience_is_a_caution():
    document = edited()
    document["card"][PLACE["awaken"]].pop("effects")
    assert cautions(from_document(document)) == [
        "card.awaken does nothing but give experience: it has no effects and draws and looks at nothing"
    ]
    document["card"][PLACE["awaken"]]["keywords"].append("SPY(1)")
    assert cautions(from_document(document)) == []


def test_abilities_of_attackers_on_a_pacifist_are_a_caution():
    document = edited()
    document["card"][PLACE["soldier_medic"]]["keywords"] += ["RANGE(2)", "DOUBLE ATTACK"]
    assert cautions(from_document(document)) == [
        "card.soldier_medic never attacks (PACIFIST), so RANGE, DOUBLE ATTACK may do nothing on it"
    ]
