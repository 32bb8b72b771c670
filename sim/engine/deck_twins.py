"""Decks with other cards in the place of some of theirs, to see what those are worth: how twins are put in and named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sim.engine.cards import CardError
from sim.engine.fieldpaths import did_you_mean
from sim.engine.reading import plain as as_compared

ID_MAX, NAME_MAX = 40, 60  # characters

Document = Mapping[str, Any]


def deck_of(document: Document, deck: str) -> dict[str, Any]:
    """A deck by id. Raises CardError where there is none."""
    tables: dict[str, dict[str, Any]] = {table["id"]: table for table in document["deck"]}
    if deck not in tables:
        raise CardError(f'"{deck}": there is no such deck; {did_you_mean(deck, [*tables])}')
    return tables[deck]


def card_of(document: Document, deck: str, card: str) -> dict[str, Any]:
    """A card of a deck. Raises CardError where it holds none."""
    held = deck_of(document, deck)["cards"]
    if card not in held:
        raise CardError(f'deck.{deck}: holds no "{card}"; {did_you_mean(card, [*held])}')
    (found,) = (one for one in document["card"] if one["id"] == card)
    return dict(found)


def ended(word: str, ending: str, longest: int) -> str:
    """A word with an ending, shortened before it if need be."""
    return word[: longest - len(ending)] + ending


def replaced(
    document: Document,
    deck: str,
    twins: Mapping[str, dict[str, Any]],
    name_of: Callable[[Document], str],
    last: Callable[[Document], str] = lambda _: "",
) -> dict[str, Any]:
    """The document with twins instead of cards of a deck, in the same places; they come last among the cards.

    twins: by id of the card that they stand for. name_of: of a card, as it is shown. last: what the name of a card has to end in.
    Twins whose id or name is taken get a number.
    """
    ids = {as_compared(card["id"]) for card in document["card"]}
    names = {as_compared(name_of(card)) for card in document["card"]}
    new = {
        word: {
            **twin,
            "id": _free(twin["id"], ID_MAX, ids, "_"),
            "name": _free(name_of(twin), NAME_MAX, names, " ", last(twin)),
        }
        for word, twin in twins.items()
    }

    def changed(table: dict[str, Any]) -> dict[str, Any]:
        if table["id"] != deck:
            return table
        cards = {new[word]["id"] if word in new else word: count for word, count in table["cards"].items()}
        return {**table, "cards": cards}

    tables = [changed(table) for table in document["deck"]]
    return {**document, "card": [*document["card"], *new.values()], "deck": tables}


def _free(wanted: str, longest: int, taken: set[str], joint: str, last: str = "") -> str:
    """A word that is not taken and not too long: the one that is wanted, else shortened and with a number; taken from now on.

    last: what the word has to end in; the number stands before it.
    """
    stem = wanted.removesuffix(last)
    endings = (last, *(f"{joint}{number}{last}" for number in range(2, len(taken) + 2)))
    words = (ended(stem, ending, longest) for ending in endings)
    found = next(word for word in words if as_compared(word) not in taken)
    taken.add(as_compared(found))
    return found
