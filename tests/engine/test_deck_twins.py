"""Twins replace cards of a deck: their position, and their names when the usual ones are taken or too long."""

import copy
from typing import Any

import pytest

from sim.engine.cards import CardError
from sim.engine.decks import ID_MAX, NAME_MAX, card_of, ended, replaced

DOCUMENT: dict[str, Any] = {
    "card": [{"id": "cub", "name": "Cub"}, {"id": "hawk", "name": "Hawk"}, {"id": "plain", "name": "Plain Beast"}],
    "deck": [{"id": "mine", "cards": {"cub": 4, "hawk": 1, "plain": 2}, "hero": "eva"}, {"id": "yours", "cards": {"cub": 1}}],
}


def name_of(card: Any) -> str:
    return str(card["name"])


def put(twin: dict[str, Any], last: str = "") -> dict[str, Any]:
    """Replace the cub of a deck by a twin; returns the twin with its final id and name."""
    before = copy.deepcopy(DOCUMENT)
    made = replaced(DOCUMENT, "mine", {"cub": twin}, name_of, lambda _: last)
    assert before == DOCUMENT
    assert made["card"][:3] == DOCUMENT["card"]
    assert made["deck"][1] == DOCUMENT["deck"][1]
    (new,) = made["card"][3:]
    assert [*made["deck"][0]["cards"].items()] == [(new["id"], 4), ("hawk", 1), ("plain", 2)]
    assert made["deck"][0]["hero"] == "eva"
    found: dict[str, Any] = new
    return found


def test_a_twin_takes_the_place_of_its_card_and_keeps_its_fields():
    assert put({"id": "twin", "name": "Twin", "level": 3}) == {"id": "twin", "name": "Twin", "level": 3}


def test_a_taken_name_gets_a_number_regardless_of_case():
    assert put({"id": "plain", "name": "PLAIN beast"}) == {"id": "plain_2", "name": "PLAIN beast 2"}


def test_the_number_comes_before_a_required_ending():
    assert put({"id": "twin", "name": "Hawk"}, "wk")["name"] == "Ha 2wk"


def test_two_twins_of_the_same_name_get_different_ones():
    twins = {"cub": {"id": "twin", "name": "Twin"}, "hawk": {"id": "twin", "name": "Twin"}}
    made = replaced(DOCUMENT, "mine", twins, name_of)
    assert made["card"][3:] == [{"id": "twin", "name": "Twin"}, {"id": "twin_2", "name": "Twin 2"}]
    assert made["deck"][0]["cards"] == {"twin": 4, "twin_2": 1, "plain": 2}


def test_long_words_are_shortened_before_their_ending():
    assert ended("a" * ID_MAX, "_without", ID_MAX) == "a" * (ID_MAX - 8) + "_without"
    twin = put({"id": "b" * (ID_MAX + 1), "name": "c" * (NAME_MAX + 1)})
    assert (twin["id"], twin["name"]) == ("b" * ID_MAX, "c" * NAME_MAX)


@pytest.mark.parametrize(
    ("deck", "card", "message"),
    [
        ("mime", "cub", '"mime": there is no such deck; did you mean "mine"?'),
        ("mine", "cup", 'deck.mine: holds no "cup"; did you mean "cub"?'),
    ],
)
def test_a_card_that_no_deck_holds_is_refused(deck, card, message):
    with pytest.raises(CardError) as error:
        card_of(DOCUMENT, deck, card)
    assert str(error.value) == message
    assert card_of(DOCUMENT, "mine", "cub") == {"id": "cub", "name": "Cub"}
