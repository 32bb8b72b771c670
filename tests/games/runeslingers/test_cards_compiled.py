"""The CARDS record of Runeslingers: needs of a target, decks, the rows of effect lists, ratings."""

import numpy as np
import pytest

from sim.games.runeslingers.cards import NO_ROW, NO_STAT, NONE, Need, Op, When
from sim.games.runeslingers.record import CARD_FORMAT, CARDS

REFERENCE = CARD_FORMAT.load()
DOCUMENT = REFERENCE.document
RECORD = REFERENCE.record[0]
CARDS_BY_ID = {card["id"]: number for number, card in enumerate(DOCUMENT["card"])}


def test_rune_50_cards_that_need_a_target_say_which():
    wanted = {"counter_rune": Need.RUNESPELL, "shatter": Need.DEFENCE, "stone_trap": Need.CARD}
    assert {word: RECORD["needs"][at] for word, at in CARDS_BY_ID.items() if RECORD["needs"][at]} == wanted
    assert not RECORD["bullet_needs"].any()
    assert not RECORD["act_needs"].any()


def test_needs_of_bullets_abilities_and_activated_effects_are_written_too():
    destroy = [{"op": "destroy", "to": "concentration"}, {"op": "destroy", "to": "defence"}]
    document = {**DOCUMENT, "card": [dict(card) for card in DOCUMENT["card"]]}
    document["card"][CARDS_BY_ID["open_choice"]]["bullets"] = [[{"op": "draw", "n": 1}], destroy]
    document["card"][CARDS_BY_ID["light_lens"]]["activated"] = [{"use": True, "effects": destroy}]
    document["ability"] = [{**one, "effects": destroy} for one in DOCUMENT["ability"]]
    document["runeslinger"] = [{**one, "inherent": {**one["inherent"], "effects": destroy}} for one in DOCUMENT["runeslinger"]]
    row = CARD_FORMAT.from_document(document).record[0]
    both = Need.CONCENTRATION | Need.DEFENCE
    assert row["bullet_needs"][CARDS_BY_ID["open_choice"]].tolist() == [0, both, 0]
    assert row["act_needs"][CARDS_BY_ID["light_lens"]].tolist() == [both, 0]
    assert row["ability_needs"][:4].tolist() == [both] * 4
    assert row["inherent_needs"][:2].tolist() == [both] * 2


def test_decks_hold_their_copies_in_the_order_of_the_list_with_their_loadout():
    assert RECORD["decks"] == 4
    for at, deck in enumerate(DOCUMENT["deck"]):
        held = [CARDS_BY_ID[word] for word, copies in deck["cards"].items() for _ in range(copies)]
        slots = [slot for slot, copies in enumerate(deck["cards"].values()) for _ in range(copies)]
        assert RECORD["deck_size"][at] == len(held) == 30
        assert RECORD["deck"][at].tolist() == held + [0] * 10
        assert RECORD["deck_slot"][at].tolist() == slots + [NONE] * 10
        for field, table in (("hero", "runeslinger"), ("stance", "stance"), ("ability", "ability")):
            assert DOCUMENT[table][RECORD[field][at]]["id"] == deck[table]


def test_lists_do_not_overlap_and_the_empty_one_is_row_0():
    assert RECORD["op"][NO_ROW] == Op.NONE
    assert RECORD["stat"][NO_ROW] == NO_STAT
    assert RECORD["when"][NO_ROW] == When.NONE
    begins = [RECORD[field].ravel() for field in ("effects", "bullet", "then", "act_effects", "hit", "on_apply")]
    begins += [RECORD[field].ravel() for field in ("ailment_phase", "after_draw", "inherent", "ability_effects")]
    rows = np.concatenate(begins)
    rows = rows[rows != NO_ROW]
    assert len({*rows.tolist()}) == len(rows)  # no list is written twice
    assert (RECORD["op"][rows - 1] == Op.NONE).all()  # each begins behind the end of another
    written = np.flatnonzero(RECORD["op"])
    assert len(written) + len(rows) + 1 == written[-1] + 2  # and each has one end


def test_rows_behind_the_last_card_are_0():
    assert REFERENCE.record.dtype == CARDS
    assert RECORD["cards"] == 42
    for field in ("kind", "cost", "defence", "effects", "bullet", "rating", "hears"):
        assert not RECORD[field][42:].any(), field


RATINGS = {  # with 0.9 for each light subtracted
    "fireball": 8 - 2.7,
    "plutonic_spike": 5 * 1.1 - 1.8,
    "direct_bolt": 4 * 1.1 - 1.8,
    "reckless_bolt": 6 - 4 - 0.9,
    "twin_bolt": 10 - 3.6,
    "glancing_arrow": 3 + 2 * 3.2 - 1.8,
    "rainbow_dart": 3 + 2 * 3.8 - 2.7,
    "flaming_fists": 4 + 2 * 4.5 - 2.7,
    "piercing_strike": 6 * 1.1 + 3.5 - 2.7,
    "festering_strike": 2 * 3 - 2.7,
    "supernova": 3 * 3.5 - 3.6,  # the enemy picks the lesser bullet
    "counter_rune": 7 - 1.8,
    "insight": 6 - 1.8,
    "cleanse": 7.5 - 0.9,
    "transmute": 4.5 - 1.8,
    "deep_sear": 3.5 - 1.8,
    "deep_void": 3.6 - 2.7,
    "open_choice": 2 + 3 - 0.9,  # a set counts 2
    "quick_ward": 4 - 0.9,
    "light_surge": 3 - 3.5,
    "divine_barrier": 4 + 2.6 - 1.8,
    "stone_trap": 7 + 4 + 1.3 - 0.9,
    "light_lens": 4 + 1.3 - 0.9,
}


@pytest.mark.parametrize("word", RATINGS)
def test_ratings_are_as_specified(word):
    assert RECORD["rating"][CARDS_BY_ID[word]] == pytest.approx(RATINGS[word])


HARM = {"op": "lose", "n": 4}
SIGNS = [({"to": "enemy"}, 4), ({"to": "runeslinger"}, 4), ({}, -4), ({"to": "each"}, 0)]


@pytest.mark.parametrize(("to", "worth"), SIGNS)
def test_what_harms_oneself_counts_against_a_card(to, worth):
    document = {**DOCUMENT, "card": [dict(card) for card in DOCUMENT["card"]]}
    document["card"][0]["effects"] = [HARM | to]
    assert CARD_FORMAT.from_document(document).record[0]["rating"][0] == pytest.approx(worth - 2.7)
    document["card"][0]["effects"] = [{"op": "heal", "n": 10} | to]
    help_worth = 9 * {"enemy": -1, "each": 0}.get(to.get("to", "self"), 1)
    assert CARD_FORMAT.from_document(document).record[0]["rating"][0] == pytest.approx(help_worth - 2.7)
