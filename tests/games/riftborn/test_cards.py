"""Card files of Riftborn Tactics, compiled: the reference set against the model, and others."""

import copy
from typing import Any

import numpy as np
import pytest

from sim.engine.cards import numeric_fields
from sim.games.riftborn.cards import CARDS_MAX, DECKS_MAX, LENDABLE, LISTS, NONE, Ability, Kind, List, Op, Side
from sim.games.riftborn.cards.schema import Rules
from sim.games.riftborn.record import CARD_FORMAT, cautions
from tests.games.deck_documents import deck_of
from tests.games.riftborn.model.cards import read_cards
from tests.games.riftborn.model.documents import reference_document

from_document, load = CARD_FORMAT.from_document, CARD_FORMAT.load

REFERENCE = load()
RECORD = REFERENCE.record[0]

WRITTEN = {card.id: card for card in read_cards(reference_document()).cards}
PLACE = {word: number for number, word in enumerate(WRITTEN)}


def test_the_rules_are_those_of_the_register():
    wanted = {
        "start_life": 50,
        "start_hand": 5,
        "mulligans": 1,
        "turn_xp": 300,
        "turn_draw": 1,
        "first_draw": 0,
        "divisor": 2,
        "flight_range": 2,
        "max_rows": 3,
        "max_per_row": 5,
        "turn_cap": 400,
        "contact_retaliation": 1,
        "dead_retaliate": 1,
        "rage_before_retaliation": 1,
        "mutual_kill_xp": 1,
    }
    assert {field: RECORD[field] for field in wanted} == wanted
    off = [name for name in REFERENCE.switches if name not in wanted]
    assert not any(RECORD[name] for name in off)


def test_rift_20_levels_need_the_experience_of_the_table():
    firsts = [0, 500, 1000, 2000, 3000, 5000, 7000, 10000, 15000, 20000]
    assert RECORD["level_xp"].tolist() == firsts + [5000 * step for step in range(5, 15)]


def test_cards_stand_in_the_order_of_the_file_and_nothing_behind_them():
    document = REFERENCE.document["card"]
    assert [card["id"] for card in document] == [*WRITTEN]
    assert RECORD["cards"] == len(document) == 64
    for field in ("kind", "level", "ability", "played", "summon", "op", "granted", "hand_worth"):
        assert RECORD[field].shape[0] == CARDS_MAX
        assert not RECORD[field][64:].any(), field


def test_every_ability_and_every_type_occurs():
    assert RECORD["ability"][:64].any(axis=0).all()
    assert {*RECORD["kind"][:64]} == {*Kind}
    assert len(List) == LISTS
    assert [ability.name for ability in Ability][:LENDABLE] == [
        *("BLOCK", "FLIGHT", "MAGIC", "PACIFIST", "PIERCE", "RAGE", "RANGE", "REGEN", "RELENTLESS", "RESISTANCE"),
        *("ROOTED", "SIPHON", "VANGUARD"),
    ]


@pytest.mark.parametrize("word", REFERENCE.ids)
def test_rift_02_03_04_every_preset_deck_holds_the_cards_of_its_list(word):
    deck, cards = REFERENCE.ids.index(word), deck_of(REFERENCE.document, word)["cards"]
    held = [PLACE[name] for name, copies in cards.items() for _ in range(copies)]
    assert RECORD["deck_size"][deck] == len(held) == (44 if word == "undead_attrition" else 40)
    assert RECORD["deck"][deck, : len(held)].tolist() == held
    assert not RECORD["deck"][deck, len(held) :].any()
    slots = dict.fromkeys(range(64), NONE) | {PLACE[name]: slot for slot, name in enumerate(cards)}
    assert RECORD["deck_slot"][deck, :64].tolist() == [*slots.values()]
    assert (RECORD["deck_slot"][deck, 64:] == NONE).all()


def test_entrants_are_the_decks():
    assert REFERENCE.ids == ("soldier_line", "beast_rush", "undead_attrition", "fae_tricks")
    assert REFERENCE.names == ("Soldier Line", "Beast Rush", "Undead Attrition", "Fae Tricks")
    assert RECORD["decks"] == 4
    for field in ("deck", "deck_size", "deck_slot"):
        assert RECORD[field].shape[0] == DECKS_MAX
        assert not RECORD[field][4:].any()


def test_every_number_of_the_reference_set_has_its_provenance():
    assert [number.path for number in REFERENCE.provenance] == numeric_fields(REFERENCE.document)
    printed = {number.path for number in REFERENCE.provenance if number.source == "rulebook"}
    constants = [path for path in numeric_fields(REFERENCE.document) if path.startswith("rules.")]
    assert printed == {*constants} - {"rules.turn_cap"}
    assert {number.source for number in REFERENCE.provenance} == {"rulebook", "assumed"}


# ---- other card files ---------------------------------------------------------------------------------------------------


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


NO_COLUMN = {"deck_min", "deck_max", "level_xp", *(name for name in Rules.CONSTANTS if name.startswith("copies_"))}
RENAMED = {"first_player_first_draw": "first_draw", "retaliation_divisor": "divisor"}  # constants with a column of another name


@pytest.mark.parametrize("name", sorted(Rules.CONSTANTS - NO_COLUMN))
def test_every_constant_reaches_the_record(name):
    column = RENAMED.get(name, name)
    value = abs(int(RECORD[column]) - 1)
    assert from_document(edited(**{name: value})).record[0][column] == value


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
