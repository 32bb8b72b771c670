"""Card files of games of decks as plain documents, as tests read them."""

from collections.abc import Mapping
from typing import Any

Document = Mapping[str, Any]


def card_of(document: Document, word: str) -> dict[str, Any]:
    """A card by id; what is written into it is written into the document."""
    found: dict[str, Any]
    (found,) = (card for card in document["card"] if card["id"] == word)
    return found


def deck_of(document: Document, word: str) -> dict[str, Any]:
    """A deck by id; what is written into it is written into the document."""
    found: dict[str, Any]
    (found,) = (deck for deck in document["deck"] if deck["id"] == word)
    return found


def only_the_deck_changed(before: Document, made: Document, deck: str) -> bool:
    """Whether all other decks, the rules and the cards before the new ones are what they were."""
    others, kept = ([table for table in document["deck"] if table["id"] != deck] for document in (made, before))
    return others == kept and made["card"][: len(before["card"])] == before["card"] and made["rules"] == before["rules"]
