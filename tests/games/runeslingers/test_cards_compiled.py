"""The CARDS record of Runeslingers, read back and compared with the card file."""

from typing import Any

import numpy as np
import pytest

from sim.games.runeslingers.cards import (
    NO_ROW,
    NO_STAT,
    NONE,
    Ailment,
    Boost,
    Kind,
    Need,
    Op,
    Owned,
    Picker,
    Scope,
    Stat,
    To,
    When,
)
from sim.games.runeslingers.record import CARD_FORMAT, CARDS

REFERENCE = CARD_FORMAT.load()
DOCUMENT = REFERENCE.document
RECORD = REFERENCE.record[0]
CARDS_BY_ID = {card["id"]: number for number, card in enumerate(DOCUMENT["card"])}
TARGETS_THAT_MAY_LACK = {"defence", "runespell", "concentration", "card"}


def read_effects(row: int) -> list[dict[str, Any]]:
    """A list of effects of the record as the card file would write it."""
    found = []
    while row != NO_ROW and RECORD["op"][row] != Op.NONE:
        op = Op(RECORD["op"][row]).name.lower()
        one: dict[str, Any] = {"op": op, "n": int(RECORD["n"][row]), "to": To(RECORD["to"][row]).name.lower()}
        one |= {field: True for field in ("direct", "per", "distinct") if RECORD[field][row]}
        if RECORD["ailment"][row] != NONE:
            one["ailment"] = Ailment(RECORD["ailment"][row]).name.lower()
        if RECORD["boost"][row] != NONE:
            one["stat"] = Boost(RECORD["boost"][row]).name.lower()
        if RECORD["hit"][row] != NO_ROW:
            one["hit"] = read_effects(int(RECORD["hit"][row]))
        found.append(one)
        row += 1
    return found


def whole(effects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Effects of the card file with what they leave out, as `read_effects` gives them."""
    found = []
    for effect in effects:
        one = {"n": 1 if effect["op"] == "boost" else 0, "to": "self"} | effect
        one.pop("source", None)
        if "into" in one:
            one["ailment"] = one.pop("into")
        if "per" in one:
            one["per"] = True
        if "hit" in one:
            one["hit"] = whole(one["hit"])
        found.append(one)
    return found


def read_statics(row: int) -> list[tuple[str, int, str, str]]:
    """A list of statics: stat, n, scope, if."""
    found = []
    while row != NO_ROW and RECORD["stat"][row] != NO_STAT:
        words = (Stat(RECORD["stat"][row]), RECORD["stat_n"][row], Scope(RECORD["scope"][row]), Owned(RECORD["stat_if"][row]))
        found.append((words[0].name.lower(), int(words[1]), words[2].name.lower(), words[3].name.lower()))
        row += 1
    return found


def statics_of(statics: list[dict[str, Any]]) -> list[tuple[str, int, str, str]]:
    return [(one["stat"], one.get("n", 1), one.get("scope", "self"), one.get("if", "always")) for one in statics]


def read_triggers(row: int) -> list[tuple[str, str, list[dict[str, Any]]]]:
    """A list of triggers: when, if, effects."""
    found = []
    while row != NO_ROW and RECORD["when"][row] != When.NONE:
        when, owned = When(RECORD["when"][row]).name.lower(), Owned(RECORD["when_if"][row]).name.lower()
        found.append((when, owned, read_effects(int(RECORD["then"][row]))))
        row += 1
    return found


def triggers_of(triggers: list[dict[str, Any]]) -> list[tuple[str, str, list[dict[str, Any]]]]:
    return [(one["when"], one.get("if", "always"), whole(one["effects"])) for one in triggers]


def hears(triggers: list[dict[str, Any]]) -> int:
    return sum(1 << When[when.upper()] for when in {one["when"] for one in triggers})


def needs(effects: list[dict[str, Any]]) -> int:
    return sum(Need[to.upper()] for to in {one.get("to", "self") for one in effects} & TARGETS_THAT_MAY_LACK)


@pytest.mark.parametrize("word", CARDS_BY_ID)
def test_every_card_compiles_to_what_the_file_says(word):
    at, card = CARDS_BY_ID[word], DOCUMENT["card"][CARDS_BY_ID[word]]
    keywords = card.get("keywords", ())
    assert Kind(RECORD["kind"][at]).name.lower() == card["type"]
    assert RECORD["cost"][at] == card["cost"]
    assert RECORD["defence"][at] == card.get("defence", 0)
    assert RECORD["extra_discard"][at] == (word == "light_surge")
    assert RECORD["tokens"][at] == (word == "gathering_chant")
    for field in ("pierce", "shout", "distract", "charge"):
        assert RECORD[field][at] == (field in keywords)
    picker = Picker.PLAYER if "choice" in keywords else Picker.ENEMY if "fate" in keywords else Picker.NOBODY
    assert RECORD["picker"][at] == picker
    assert read_statics(int(RECORD["statics"][at])) == statics_of(card.get("statics", []))
    assert read_triggers(int(RECORD["triggers"][at])) == triggers_of(card.get("triggers", []))
    assert RECORD["hears"][at] == hears(card.get("triggers", []))


@pytest.mark.parametrize("word", CARDS_BY_ID)
def test_every_list_of_effects_compiles_to_what_the_file_says(word):
    at, card = CARDS_BY_ID[word], DOCUMENT["card"][CARDS_BY_ID[word]]
    effects, bullets, activated = (card.get(field, []) for field in ("effects", "bullets", "activated"))
    assert read_effects(int(RECORD["effects"][at])) == whole(effects)
    assert RECORD["needs"][at] == needs(effects)
    assert RECORD["bullets"][at] == len(bullets)
    for row, bits, bullet in zip(RECORD["bullet"][at], RECORD["bullet_needs"][at], bullets, strict=False):
        assert read_effects(int(row)) == whole(bullet)
        assert bits == needs(bullet)
    assert not RECORD["bullet"][at][len(bullets) :].any()
    assert np.count_nonzero(RECORD["act_effects"][at]) == len(activated)
    for number, one in enumerate(activated):
        assert read_effects(int(RECORD["act_effects"][at, number])) == whole(one["effects"])
        assert RECORD["act_needs"][at, number] == needs(one["effects"])
        for field in ("light", "tokens", "use", "per_turn"):
            assert RECORD[f"act_{field}"][at, number] == one.get(field, 0)


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


@pytest.mark.parametrize("at", Ailment)
def test_every_ailment_compiles_to_what_the_file_says(at):
    if at == Ailment.CHOOSE:
        assert len(DOCUMENT["ailment"]) == at
        return
    ailment = DOCUMENT["ailment"][at]
    assert ailment["id"] == at.name.lower()
    assert RECORD["threshold"][at] == ailment["threshold"]
    for field in ("on_apply", "ailment_phase", "after_draw"):
        assert read_effects(int(RECORD[field][at])) == whole(ailment.get(field, []))
    for field in ("per_instance", "while_any", "level2"):
        assert read_statics(int(RECORD[field][at])) == statics_of(ailment.get(field, []))


def test_runeslingers_stances_and_abilities_compile_to_what_the_file_says():
    for at, hero in enumerate(DOCUMENT["runeslinger"]):
        inherent = hero["inherent"]
        assert (RECORD["hero_health"][at], RECORD["hero_block"][at]) == (hero["health"], hero["block"])
        costs = (RECORD["inherent_light"][at], RECORD["inherent_per_turn"][at])
        assert costs == (inherent["light"], inherent["per_turn"])
        assert read_effects(int(RECORD["inherent"][at])) == whole(inherent["effects"])
    for at, stance in enumerate(DOCUMENT["stance"]):
        assert read_statics(int(RECORD["stance_statics"][at])) == statics_of(stance.get("statics", []))
        assert read_triggers(int(RECORD["stance_triggers"][at])) == triggers_of(stance.get("triggers", []))
        assert RECORD["stance_hears"][at] == hears(stance.get("triggers", []))
    for at, ability in enumerate(DOCUMENT["ability"]):
        assert RECORD["ability_cost"][at] == ability["determination"]
        assert read_effects(int(RECORD["ability_effects"][at])) == whole(ability["effects"])


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
