"""Card files of games of decks as plain documents, as tests read them."""

import copy
from collections.abc import Mapping
from math import sqrt
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


def with_entry(document: Document, table: str, word: str, **fields: Any) -> dict[str, Any]:
    """A copy with other fields of one entry, all assumed; None takes one away."""
    made = copy.deepcopy(dict(document))
    (entry,) = (one for one in made[table] if one["id"] == word)
    fields = entry | fields | {"source": "assumed"}
    entry.clear()
    entry.update({field: value for field, value in fields.items() if value is not None})
    return made


def close(hits: int, games: int, chance: float, errors: float = 4) -> bool:
    """Whether a share is within this number of standard errors of its chance."""
    return abs(hits / games - chance) < errors * sqrt(chance * (1 - chance) / games)
