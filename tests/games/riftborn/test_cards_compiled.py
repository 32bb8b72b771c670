"""Card files of Riftborn Tactics that are not the reference set: rules, effects, paths, cautions, names."""

import copy
from typing import Any

import numpy as np
import pytest

from sim.games.riftborn.cards import NONE, Ability, List, Op, Side
from sim.games.riftborn.record import CARD_FORMAT, cautions

from_document, load = CARD_FORMAT.from_document, CARD_FORMAT.load

REFERENCE = load()
RECORD = REFERENCE.record[0]
PLACE = {card["id"]: number for number, card in enumerate(REFERENCE.document["card"])}


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


@pytest.mark.parametrize("name", CONSTANTS)
def test_every_constant_reaches_the_record(name):
    value, field = CONSTANTS[name]
    assert RECORD[field] != value
    assert from_document(edited(**{name: value})).record[0][field] == value


def test_rift_20_other_levels_reach_the_record():
    levels = [0, *range(1, 19), 10_000_000]
    assert from_document(edited(level_xp=levels)).record[0]["level_xp"].tolist() == levels


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
