"""What the decks of Deck race hold, and how others are made: the Decking of the game."""

from collections.abc import Mapping
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.decks import NO_CARD, Decking, DeckList, Decks
from tests.every_game.deck_race.state import DECK_MAX

Document = Mapping[str, Any]


def decks_of(cards: CardSet) -> Decks:
    """See `Decks`."""
    listed, decks = cards.document["card"], cards.document["deck"]
    ids = [card["id"] for card in listed]
    counts = np.zeros((len(decks), len(ids)), np.int64)
    slots = np.full((len(decks), DECK_MAX), NO_CARD, np.int64)
    for number, deck in enumerate(decks):
        for slot, (card, copies) in enumerate(deck["cards"].items()):
            counts[number, ids.index(card)] = copies
            slots[number, slot] = ids.index(card)
    return Decks(
        ids=tuple(ids),
        names=tuple(card["name"] for card in listed),
        counts=counts,
        slots=slots,
        level=np.array([card["level"] for card in listed]),
        kinds=("animal",) * len(ids),
        marks=tuple(tuple(card.get("keywords", ())) for card in listed),
    )


def added(document: Document, decks: Mapping[str, DeckList]) -> dict[str, Any]:
    """These decks behind those of the document."""
    return {**document, "deck": [*document["deck"], *_tables(decks)]}


def only(document: Document, decks: Mapping[str, DeckList]) -> dict[str, Any]:
    """These decks alone."""
    return {**document, "deck": _tables(decks)}


def random(document: Document, count: int, chance: Random) -> dict[str, dict[str, int]]:
    """Decks of copies dealt out of a box that holds as many of each card as a deck may have."""
    rules = document["rules"]
    box = [card["id"] for card in document["card"] for _ in range(rules["copies"])]
    found = {}
    for number in range(count):
        dealt = chance.sample(box, chance.randint(rules["deck_min"], rules["deck_max"]))
        found[f"random_{number + 1}"] = {card: dealt.count(card) for card in dict.fromkeys(dealt)}
    return found


def plain(document: Document, deck: str, card: str) -> dict[str, Any]:
    """A card that scores its level and no keyword in the place of all copies of a card."""
    changed = deepcopy(dict(document))
    level = next(one["level"] for one in changed["card"] if one["id"] == card)
    other = {"id": f"plain_{level}", "name": f"Plain {level}", "level": level, "points": level}
    if other["id"] not in [one["id"] for one in changed["card"]]:
        changed["card"].append(other | {"source": "assumed"})
    return _replaced(changed, deck, {card: other["id"]})


def bare(document: Document, deck: str, keyword: str) -> dict[str, Any]:
    """Copies of the cards with a keyword that lack it."""
    changed, stands_for = deepcopy(dict(document)), {}
    for one in document["card"]:
        kept = [mark for mark in one.get("keywords", []) if mark.split("(")[0] != keyword]
        if len(kept) < len(one.get("keywords", [])):
            stands_for[one["id"]] = f"bare_{one['id']}"
            changed["card"].append({**one, "id": f"bare_{one['id']}", "name": f"Bare {one['name']}", "keywords": kept})
    return _replaced(changed, deck, stands_for)


def _replaced(document: dict[str, Any], deck: str, stands_for: Mapping[str, str]) -> dict[str, Any]:
    """Other cards in the same places of a deck's list."""
    for one in document["deck"]:
        if one["id"] == deck:
            one["cards"] = {stands_for.get(card, card): copies for card, copies in one["cards"].items()}
    return document


def _tables(decks: Mapping[str, DeckList]) -> list[dict[str, Any]]:
    return [{"id": deck, "cards": dict(cards), "source": "assumed"} for deck, cards in decks.items()]


DECKING = Decking(
    decks_of, added, only, random, plain, bare, "a card of the same level that scores its level, without keywords"
)
