"""Decks of Runeslingers: what they hold and bring, random decks, added ones, other loadouts."""

import copy
from collections import Counter
from math import sqrt
from random import Random

import pytest

from sim.engine.cards import CardError, changed
from sim.engine.decks import DeckList
from sim.games.runeslingers.decks import DECKING
from sim.games.runeslingers.record import CARD_FORMAT
from tests.games.deck_documents import deck_of, only_the_deck_changed

REFERENCE = CARD_FORMAT.load()
DOCUMENT = REFERENCE.document
HELD = DECKING.of(REFERENCE)
LOT = 400
SEED = 7
ERRORS = 4  # standard errors
PARTS = ("runeslinger", "stance", "ability")


@pytest.fixture(autouse=True)
def _the_document_stays_as_it_is():
    before = copy.deepcopy(DOCUMENT)
    yield
    assert before == DOCUMENT


def test_decks_hold_the_cards_of_the_file():
    assert HELD.ids == tuple(card["id"] for card in DOCUMENT["card"])
    assert HELD.names[:2] == ("Fireball", "Plutonic Spike")
    assert HELD.level.tolist() == [card["cost"] for card in DOCUMENT["card"]]
    assert HELD.kinds[HELD.ids.index("stone_trap")] == "chant"
    assert HELD.marks[HELD.ids.index("gathering_chant")] == ("token", "charge")
    assert HELD.words[3] == {"runeslinger": "eva", "stance": "talakas_heart", "ability": "kindle"}
    for at, deck in enumerate(DOCUMENT["deck"]):
        for slot, (word, copies) in enumerate(deck["cards"].items()):
            card = HELD.ids.index(word)
            assert HELD.slots[at, slot] == card
            assert HELD.counts[at, card] == copies
        assert (HELD.slots[at, len(deck["cards"]) :] == -1).all()
        assert HELD.counts[at].sum() == 30


def test_added_decks_come_behind_the_others_and_only_them_instead():
    mine = {
        "mine": DeckList(deck_of(DOCUMENT, "erosion")["cards"], {"stance": "striking_stance"}),
        "yours": DeckList(deck_of(DOCUMENT, "erosion")["cards"]),
    }
    both = CARD_FORMAT.from_document(DECKING.added(DOCUMENT, mine))
    assert both.ids == (*REFERENCE.ids, "mine", "yours")
    alone = CARD_FORMAT.from_document(DECKING.only(DOCUMENT, mine))
    assert alone.ids == ("mine", "yours")
    assert alone.record[0]["deck"][0].tolist() == REFERENCE.record[0]["deck"][3].tolist()


COMPLETED = [  # what is named, what is brought
    ({}, ("eva", "talakas_heart", "flame_of_nim")),
    ({"runeslinger": "romin"}, ("romin", "braced_stance", "second_wind")),
    ({"stance": "patient_stance"}, ("romin", "patient_stance", "second_wind")),
    ({"ability": "kindle", "stance": "striking_stance"}, ("eva", "striking_stance", "kindle")),
]


@pytest.mark.parametrize(("words", "wanted"), COMPLETED)
def test_a_deck_that_leaves_parts_of_its_loadout_out_brings_the_first_that_fit(words, wanted):
    cards = deck_of(DOCUMENT, "erosion")["cards"]
    made = DECKING.added(DOCUMENT, {"mine": DeckList(cards, words)})
    assert tuple(made["deck"][-1][part] for part in PARTS) == wanted
    assert CARD_FORMAT.from_document(made).ids[-1] == "mine"


BROKEN = [  # id, other copies, words, message
    ("erosion", {}, {}, r'deck\[4\]\.id = "erosion": is used more than once'),
    ("mine", {"firebal": 1}, {}, r"deck\.mine\.cards\.firebal = 1: is no card of this file; did you mean \"fireball\""),
    ("mine", {"cleanse": 2}, {}, r"deck\.mine\.cards = .+: hold 31 cards; must be 30 together"),
    (
        "mine",
        {},
        {"runeslinger": "romin", "stance": "talakas_heart", "ability": "deep_breath"},
        r'deck\.mine\.stance = "talakas_heart": is of the class Runeseer; Romin needs the class Guardian',
    ),
    ("mine", {}, {"runeslinger": "romin", "stance": "talakas_heart"}, r"deck\.mine\.ability: is missing"),
    ("mine", {}, {"mode": "cube"}, r'deck\.mine\.mode = "cube": is not one of the choices'),
]


@pytest.mark.parametrize(("word", "copies", "words", "message"), BROKEN)
def test_an_added_deck_that_is_broken_is_refused_with_its_name(word, copies, words, message):
    deck = DeckList({**deck_of(DOCUMENT, "erosion")["cards"], **copies}, words)
    with pytest.raises(CardError, match=message):
        CARD_FORMAT.from_document(DECKING.added(DOCUMENT, {word: deck}))


def by_lot(count: int, seed: int = SEED) -> dict[str, DeckList]:
    return dict(DECKING.generator("random").make(DOCUMENT, count, Random(seed)).decks)


def test_rune_143_decks_by_lot_are_legal_and_follow_the_generator():
    decks = by_lot(LOT)
    assert [*decks] == [f"random_{number:03}" for number in range(1, LOT + 1)]
    assert CARD_FORMAT.from_document(DECKING.only(DOCUMENT, decks)).ids == (*decks,)  # every one passes the validator
    assert by_lot(5) == by_lot(5) != by_lot(5, SEED + 1)
    assert [*by_lot(3).values()] == [*decks.values()][:3]


def close(hits: int, games: int, chance: float) -> bool:
    """Whether a share is within this number of standard errors of its chance."""
    return abs(hits / games - chance) < ERRORS * sqrt(chance * (1 - chance) / games)


def test_rune_143_every_permitted_copy_is_equally_likely():
    decks, copies = by_lot(LOT), 41 * 2 + 1  # permitted in a deck of 30
    both = 30 * 29 / (copies * (copies - 1))
    for word in ("fireball", "binding", "echo_chant"):
        assert close(sum(deck.cards.get(word, 0) == 2 for deck in decks.values()), LOT, both)
        assert close(sum(word in deck.cards for deck in decks.values()), LOT, 2 * 30 / copies - both)
    assert close(sum("great_bolt_x" in deck.cards for deck in decks.values()), LOT, 30 / copies)
    loadouts = Counter(tuple(deck.words[part] for part in PARTS) for deck in decks.values())
    assert len(loadouts) == 8
    assert all(close(count, LOT, 1 / 8) for count in loadouts.values())


def test_random_decks_of_a_broken_file_are_refused():
    with pytest.raises(CardError, match=r"card\.fireball\.cost = 99: is too large"):
        DECKING.generator("random").make(changed(DOCUMENT, "card.fireball.cost", 99), 1, Random(SEED))


def test_rune_02_a_deck_may_bring_every_legal_loadout_instead():
    loadouts = DECKING.loadouts(DOCUMENT, "eva_starter") if DECKING.loadouts else {}
    assert [loadout.title for loadout in loadouts if loadout.own] == ["Eva, Talaka's Heart, Flame of Nim"]
    assert Counter(loadout.group for loadout in loadouts) == {"Eva": 4, "Romin": 4}
    assert {slot for loadout in loadouts for slot, _ in loadout.parts} == {"Runeslinger", "Stance", "Ability"}
    for loadout, document in loadouts.items():
        assert only_the_deck_changed(DOCUMENT, document, "eva_starter")
        assert deck_of(document, "eva_starter")["cards"] == deck_of(DOCUMENT, "eva_starter")["cards"]
        assert CARD_FORMAT.from_document(document).ids == REFERENCE.ids
        assert (document == DOCUMENT) == loadout.own


def test_a_deck_without_a_choice_of_loadouts_has_its_own_alone():
    document = copy.deepcopy(dict(DOCUMENT))
    document["runeslinger"] = document["runeslinger"][:1]
    document["stance"] = [one for one in document["stance"] if one["id"] == "talakas_heart"]
    document["ability"] = [one for one in document["ability"] if one["id"] == "kindle"]
    assert DECKING.loadouts is not None
    (loadout,) = DECKING.loadouts(document, "erosion")
    assert loadout.own
    assert loadout.title == "Eva, Talaka's Heart, Kindle"


@pytest.mark.parametrize(("slot", "part"), [("Stance", "stance"), ("Ability", "ability")])
def test_stance_and_ability_can_be_left_blank(slot, part):
    document = DECKING.blanks[slot].put(DOCUMENT, "erosion")
    assert document[part][:4] == DOCUMENT[part]
    assert only_the_deck_changed(DOCUMENT, document, "erosion")
    made = CARD_FORMAT.from_document(document).record[0]
    assert made[part][3] == 4
    if part == "stance":
        assert (made["stance_statics"][4], made["stance_triggers"][4], made["stance_hears"][4]) == (0, 0, 0)
    else:
        assert made["n"][made["ability_effects"][4]] == 0
    twice = DECKING.blanks[slot].put(document, "eva_starter")
    assert CARD_FORMAT.from_document(twice).record[0][part][0] == 5
