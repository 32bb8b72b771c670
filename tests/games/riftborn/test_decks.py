"""Decks of Riftborn Tactics: their cards, random decks, added ones, and decks with a card or an ability replaced."""

import copy
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from sim.engine.cards import CardError, CardSet, changed
from sim.engine.decks import DEFAULT_GENERATOR, DeckList
from sim.games.riftborn.decks import DECKING
from sim.games.riftborn.record import CARD_FORMAT
from tests.games.deck_documents import card_of, deck_of, only_the_deck_changed
from tests.games.riftborn.model.cards import read_cards
from tests.games.riftborn.model.documents import reference_document

from_document, load = CARD_FORMAT.from_document, CARD_FORMAT.load

REFERENCE = load()
DOCUMENT = REFERENCE.document
HELD = DECKING.of(REFERENCE)
WRITTEN = {card.id: card for card in read_cards(reference_document()).cards}
LOT = 200
SEED = 7


def made_of(make: Callable[..., dict[str, Any]], document: dict[str, Any], lists: dict[str, dict[str, int]]) -> CardSet:
    """The card set with decks of these lists, added or instead."""
    return from_document(make(document, {word: DeckList(cards) for word, cards in lists.items()}))


def by_lot(document: dict[str, Any], count: int, seed: int = SEED) -> dict[str, dict[str, int]]:
    """Random lists; the decks bring nothing besides cards, and the making has no facts."""
    made = DECKING.generator(DEFAULT_GENERATOR).make(document, count, Random(seed))
    assert not made.facts
    assert not any(deck.words for deck in made.decks.values())
    return {word: dict(deck.cards) for word, deck in made.decks.items()}


@pytest.fixture(autouse=True)
def _the_document_stays_as_it_is():
    before = copy.deepcopy(DOCUMENT)
    yield
    assert before == DOCUMENT


def test_decks_hold_the_cards_of_the_file_without_tokens():
    assert HELD.ids == tuple(word for word in WRITTEN if not word.startswith("tok_"))
    assert HELD.names[:2] == ("Soldier Recruit", "Soldier Scout")
    assert HELD.level.tolist() == [WRITTEN[word].level for word in HELD.ids]
    assert Counter(HELD.kinds) == {"creature": 44, "weapon": 3, "armour": 3, "spell": 12}
    assert HELD.marks[HELD.ids.index("undead_lich")] == ("HERO", "MAGIC", "RANGE", "UNDEATH")
    assert HELD.marks[HELD.ids.index("beast_hydra")] == ("DOUBLE ATTACK", "REGEN")


@pytest.mark.parametrize("deck", REFERENCE.ids)
def test_counts_and_slots_are_those_of_the_list(deck):
    at = REFERENCE.ids.index(deck)
    for slot, (word, copies) in enumerate(deck_of(DOCUMENT, deck)["cards"].items()):
        card = HELD.ids.index(word)
        assert HELD.slots[at, slot] == card
        assert HELD.counts[at, card] == copies
        place = [*WRITTEN].index(word)
        assert REFERENCE.record[0]["deck_slot"][at, place] == slot
    different = len(deck_of(DOCUMENT, deck)["cards"])
    assert (HELD.slots[at, different:] == -1).all()
    assert np.count_nonzero(HELD.counts[at]) == different


def test_added_decks_come_behind_the_others_and_only_them_instead():
    mine = {"mine": deck_of(DOCUMENT, "beast_rush")["cards"], "yours": deck_of(DOCUMENT, "fae_tricks")["cards"]}
    both = made_of(DECKING.added, DOCUMENT, mine)
    assert both.ids == (*REFERENCE.ids, "mine", "yours")
    assert both.names[-2:] == ("Mine", "Yours")
    alone = made_of(DECKING.only, DOCUMENT, mine)
    assert alone.ids == ("mine", "yours")
    row, printed = alone.record[0], REFERENCE.record[0]
    assert row["deck"][0].tolist() == printed["deck"][1].tolist()
    assert row["deck"][1].tolist() == printed["deck"][3].tolist()


def test_an_added_deck_that_is_broken_is_refused_with_its_name():
    cards = deck_of(DOCUMENT, "beast_rush")["cards"]
    with pytest.raises(CardError, match=r'deck\[4\]\.id = "beast_rush": is used more than once'):
        made_of(DECKING.added, DOCUMENT, {"beast_rush": cards})
    with pytest.raises(CardError, match=r'deck\.mine\.cards\.beast_cubs = 1: is no card of this file; did you mean "bea'):
        made_of(DECKING.added, DOCUMENT, {"mine": cards | {"beast_cubs": 1}})
    with pytest.raises(CardError, match=r"deck\.mine\.cards\.spark = 4: are too many copies"):
        made_of(DECKING.added, DOCUMENT, {"mine": cards | {"spark": 4}})
    with pytest.raises(CardError, match=r"deck\.my rush\.id|deck\[4\]\.id = \"my rush\": is not well formed"):
        made_of(DECKING.added, DOCUMENT, {"my rush": cards})


def test_rift_02_03_04_decks_by_lot_are_legal_and_as_large_as_they_must_be():
    decks = by_lot(DOCUMENT, LOT)
    assert [*decks] == [f"random_{number:03}" for number in range(1, LOT + 1)]
    made = made_of(DECKING.only, DOCUMENT, decks)  # every one passes the validator
    assert made.ids == (*decks,)
    assert {sum(cards.values()) for cards in decks.values()} == {40}
    assert max(max(cards.values()) for cards in decks.values()) == 4


def test_rift_53_decks_by_lot_keep_to_8_weapons_and_8_armours():
    document = copy.deepcopy(dict(DOCUMENT))
    document["rules"] |= {"copies_weapon": 0, "copies_armour": 0}
    document["card"] = [card for card in document["card"] if card["type"] not in ("spell", "token")]
    document["card"] = [card for card in document["card"] if card["type"] != "creature"][:6] + [
        {"id": f"cub_{n}", "type": "creature", "level": 1, "attack": 1, "health": 1, "xp": 0, "source": "assumed"}
        for n in range(6)
    ]
    legal = {"cub_0": 10, "cub_1": 30}
    document["deck"] = [{"id": word, "cards": legal, "source": "assumed"} for word in ("one", "two")]
    decks = by_lot(document, 50)
    made_of(DECKING.only, document, decks)
    weapons = [sum(cards.get(word, 0) for word in ("short_sword", "longbow", "rune_staff")) for cards in decks.values()]
    assert {*weapons} == {8}  # with 24 creatures and 8 Armours it takes all there is room for


def test_random_decks_take_more_copies_where_there_are_few_cards():
    document = copy.deepcopy(dict(DOCUMENT))
    document["card"] = [card_of(document, word) for word in ("beast_cub", "beast_hawk", "spark")]
    document["deck"] = [{"id": word, "cards": {"beast_cub": 40}, "source": "assumed"} for word in ("one", "two")]
    decks = by_lot(document, 20)
    made_of(DECKING.only, document, decks)
    assert max(max(cards.values()) for cards in decks.values()) <= 19


PLAIN = {  # card of beast_rush: level; Attack, Health, experience: means of the creatures of that level
    "beast_cub": (1, [2, 1, 2, 2, 1], [2, 2, 2, 1, 2], [100] * 5),
    "beast_hydra": (7, [4, 6], [12, 8], [700, 900]),
    "multiply": (4, [4, 3, 4, 3, 2, 4, 3, 2], [3, 6, 7, 5, 6, 3, 5, 7], [400] * 8),
}


@pytest.mark.parametrize("word", PLAIN)
def test_a_plain_creature_has_the_means_of_its_level_and_the_place_of_the_card(word):
    level, attack, health, xp = PLAIN[word]
    made = DECKING.plain(DOCUMENT, "beast_rush", word)
    twin = made["card"][-1]
    assert twin == {
        "id": f"plain_level_{level}",
        "name": f"Plain Level {level}",
        "type": "creature",
        "level": level,
        "attack": int(np.mean(attack) + 0.5),
        "health": int(np.mean(health) + 0.5),
        "xp": int(np.mean(xp) / 50 + 0.5) * 50,
        "source": "assumed",
    }
    before, after = deck_of(DOCUMENT, "beast_rush")["cards"], deck_of(made, "beast_rush")["cards"]
    assert [*after] == [twin["id"] if card == word else card for card in before]
    assert [*after.values()] == [*before.values()]
    assert only_the_deck_changed(DOCUMENT, made, "beast_rush")
    slots = from_document(made).record[0]["deck_slot"][1]
    assert slots[64] == [*before].index(word)
    assert slots[[*WRITTEN].index(word)] == -1


def test_a_swarm_counts_with_all_its_members():
    made = DECKING.plain(changed(DOCUMENT, "card.beast_pack.attack", 11), "beast_rush", "beast_runner")
    second = [2, 2, 2, 1, 3, 33, 2, 3, 6, 1, 2]  # soldiers, beasts, undead, fae
    assert made["card"][-1]["attack"] == int(np.mean(second) + 0.5)


def test_a_level_without_creatures_takes_after_the_nearest_ones():
    made = DECKING.plain(changed(DOCUMENT, "card.multiply.level", 20), "beast_rush", "multiply")
    giant = card_of(made, "undead_giant")  # the only one of level 8
    assert made["card"][-1] == {
        "id": "plain_level_20",
        "name": "Plain Level 20",
        "type": "creature",
        "level": 20,
        "source": "assumed",
        **{field: giant[field] for field in ("attack", "health", "xp")},
    }


def test_bare_cards_lack_the_keyword_and_its_field_and_nothing_else():
    made = DECKING.bare(DOCUMENT, "fae_tricks", "TRICK")
    words = ("fae_trickster", "fae_illusionist", "fae_queen")
    assert [card["id"] for card in made["card"][-3:]] == [f"{word}_without_trick" for word in words]
    for word in words:
        card, twin = card_of(DOCUMENT, word), card_of(made, f"{word}_without_trick")
        assert twin["name"] == f"{word.replace('_', ' ').title()} without TRICK"
        assert twin["keywords"] == [text for text in card["keywords"] if text != "TRICK"]
        changed_fields = {"id", "name", "keywords", "tricks"}
        assert {k: v for k, v in twin.items() if k not in changed_fields} == {
            k: v for k, v in card.items() if k not in changed_fields
        }
    before, after = deck_of(DOCUMENT, "fae_tricks")["cards"], deck_of(made, "fae_tricks")["cards"]
    assert [word.removesuffix("_without_trick") for word in after] == [*before]
    assert [*after.values()] == [*before.values()]
    assert only_the_deck_changed(DOCUMENT, made, "fae_tricks")


def test_decks_cards_and_keywords_that_are_not_there_are_refused():
    for make, deck, word, message in (
        (DECKING.plain, "beast_rash", "beast_cub", r'"beast_rash": there is no such deck; did you mean "beast_rush"\?'),
        (DECKING.plain, "beast_rush", "beast_cab", r'deck.beast_rush: holds no "beast_cab"; did you mean "beast_cub"\?'),
        (DECKING.plain, "beast_rush", "fae_mage", r'deck.beast_rush: holds no "fae_mage"; '),
        (DECKING.bare, "beast_rush", "FLYING", r'"FLYING": is no ability; '),
        (DECKING.bare, "beast_rush", "TRICK", r"deck.beast_rush: holds no card with TRICK"),
        (DECKING.bare, "beasts", "TRICK", r'"beasts": there is no such deck; '),
    ):
        with pytest.raises(CardError, match=message):
            make(DOCUMENT, deck, word)
