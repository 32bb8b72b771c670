"""The reference set of Riftborn Tactics, compiled, against its transcription for the model."""

import numpy as np
import pytest

from sim.engine.cards import numeric_fields
from sim.games.riftborn.cards import CARDS_MAX, DECKS_MAX, LENDABLE, LISTS, NONE, Ability, Kind, List
from sim.games.riftborn.record import CARD_FORMAT, cautions
from tests.games.riftborn.model.cards import read_cards
from tests.games.riftborn.model.documents import DECKS, reference_document

load = CARD_FORMAT.load

REFERENCE = load()
RECORD = REFERENCE.record[0]

WRITTEN = {card.id: card for card in read_cards(reference_document()).cards}  # transcribed a second time for the model
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


@pytest.mark.parametrize("word", DECKS)
def test_rift_02_03_04_every_preset_deck_holds_the_cards_of_the_register(word):
    deck = [*DECKS].index(word)
    cards = [pair.split() for pair in DECKS[word].split(", ")]
    held = [PLACE[name] for copies, name in cards for _ in range(int(copies))]
    assert RECORD["deck_size"][deck] == len(held) == (44 if word == "undead_attrition" else 40)
    assert RECORD["deck"][deck, : len(held)].tolist() == held
    assert not RECORD["deck"][deck, len(held) :].any()
    slots = dict.fromkeys(range(64), NONE) | {PLACE[name]: slot for slot, (_, name) in enumerate(cards)}
    assert RECORD["deck_slot"][deck, :64].tolist() == [*slots.values()]
    assert (RECORD["deck_slot"][deck, 64:] == NONE).all()


def test_entrants_are_the_decks():
    assert REFERENCE.ids == (*DECKS,)
    assert REFERENCE.names == ("Soldier Line", "Beast Rush", "Undead Attrition", "Fae Tricks")
    assert RECORD["decks"] == 4
    for field in ("deck", "deck_size", "deck_slot"):
        assert RECORD[field].shape[0] == DECKS_MAX
        assert not RECORD[field][4:].any()


def test_every_card_but_the_tokens_is_in_a_deck():
    used = {word for deck in REFERENCE.document["deck"] for word in deck["cards"]}
    assert {*WRITTEN} - used == {"tok_bones", "tok_dire_beast"}


def test_families_are_the_first_words_of_creatures():
    for card in REFERENCE.document["card"]:
        tokens = {"tok_bones": "Undead", "tok_dire_beast": "Beast"}
        creature = card["type"] in ("creature", "token")
        first = tokens.get(card["id"]) or card["id"].split("_")[0].title()
        assert card.get("family", "") == (first if creature else "")


def test_experience_follows_the_rule_of_thumb():
    for card in REFERENCE.document["card"]:
        if card["type"] == "creature" and "HERO" not in card.get("keywords", []):
            assert card["xp"] == 100 * card["level"]
        elif card["type"] not in ("creature", "token"):
            assert card["xp"] == 50 * card["level"]


def test_every_number_of_the_reference_set_has_its_provenance():
    assert [number.path for number in REFERENCE.provenance] == numeric_fields(REFERENCE.document)
    printed = {number.path for number in REFERENCE.provenance if number.source == "rulebook"}
    constants = [path for path in numeric_fields(REFERENCE.document) if path.startswith("rules.")]
    assert printed == {*constants} - {"rules.turn_cap"}
    assert {number.source for number in REFERENCE.provenance} == {"rulebook", "assumed"}


def test_the_reference_set_has_no_cautions():
    assert cautions(REFERENCE) == []


def test_worth_in_hand_follows_the_numbers_of_the_card():
    worth = {word: RECORD["hand_worth"][at, -1] for word, at in PLACE.items()}
    assert worth["soldier_recruit"] == pytest.approx(0.35 * (1 + 1.2 * 2 + 0.8 * 2))
    assert worth["beast_pack"] == pytest.approx(0.35 * (1 + 1.2 * 3 + 0.8 * 3 + 0.6))
    assert worth["undead_lich"] == pytest.approx(0.35 * (1 + 1.2 * 6 + 0.8 * 8 + 0.6 * 4))
    assert worth["short_sword"] == pytest.approx(0.35 * 0.5 * 2 * 3)
    assert worth["plate_armour"] == pytest.approx(0.35 * 0.8 * 15)
    assert worth["rift_storm"] == pytest.approx(0.35 * 2 * 6)
    assert np.isfinite(RECORD["hand_worth"]).all()
