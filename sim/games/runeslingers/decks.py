"""Decks of Runeslingers as entrants: what they hold and bring, decks by lot, and how all else is made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np

from sim.engine.cards import CardSet, validate
from sim.engine.decks import USUAL_MAKER, Decking, DeckList, Decks, Made, Maker, counted, deck_tables
from sim.games.runeslingers import boosters, loadouts
from sim.games.runeslingers.checks import RuneslingersFile, copy_limit
from sim.games.runeslingers.record import DECK_MAX
from sim.games.runeslingers.twins import PLAIN_WORDS, bare, name_of, plain

Document = Mapping[str, Any]


def decks_of(cards: CardSet) -> Decks:
    """The decks of a card set. slots: as wide as the outcome's fields by slot."""
    held, decks = cards.document["card"], cards.document["deck"]
    ids = tuple(card["id"] for card in held)
    counts, slots = counted([deck["cards"] for deck in decks], ids, DECK_MAX)
    return Decks(
        ids=ids,
        names=tuple(name_of(card) for card in held),
        counts=counts,
        slots=slots,
        level=np.array([card["cost"] for card in held], np.int16),
        kinds=tuple(card["type"] for card in held),
        marks=tuple(tuple(card.get("keywords", ())) for card in held),
        words=tuple({word: deck[word] for word in loadouts.WORDS if word in deck} for deck in decks),
    )


def added(document: Document, decks: Mapping[str, DeckList]) -> dict[str, Any]:
    """The document with these decks behind its own, see `only`."""
    return {**document, "deck": [*document["deck"], *_tables(document, decks)]}


def only(document: Document, decks: Mapping[str, DeckList]) -> dict[str, Any]:
    """The document with these decks instead of its own. Broken ones are refused when it becomes a card set.

    Runeslinger, stance or ability that a deck leaves out are those of the first legal loadout that has the rest.
    """
    return {**document, "deck": _tables(document, decks)}


def _tables(document: Document, decks: Mapping[str, DeckList]) -> list[dict[str, Any]]:
    """Decks as the tables of a card file, with whole loadouts."""
    whole = {word: DeckList(deck.cards, loadouts.completed(document, deck.words)) for word, deck in decks.items()}
    return deck_tables(whole)


def random_decks(document: Document, count: int, chance: Random) -> Made:
    """RUNE-143. So many legal decks by lot from all cards of a document: random_001, random_002, ...

    All copies that a deck may hold are shuffled, and the first of them are the deck. The loadout is one of all legal ones. The
    list is in the order of the file. Raises CardError if the document is not valid.
    """
    file = validate(RuneslingersFile, document, "document")
    permitted = [card.id for card in file.card for _ in range(copy_limit(card, file.rules))]
    width = max(len(str(count)), 3)
    found = {}
    for number in range(1, count + 1):
        dealt = Counter(chance.sample(permitted, file.rules.deck_size))
        cards = {card.id: dealt[card.id] for card in file.card if dealt[card.id]}
        found[f"random_{number:0{width}}"] = DeckList(cards, loadouts.by_lot(document, chance))
    return Made(found)


DECKING = Decking(
    of=decks_of,
    added=added,
    only=only,
    makers={
        USUAL_MAKER: Maker(random_decks),
        "sealed": Maker(
            boosters.sealed, "sealed decks", f"each the best legal deck out of {boosters.SEALED} boosters of 9 cards"
        ),
        "draft": Maker(
            boosters.draft, "drafted decks", f"at tables of {boosters.DRAFTERS}, each from 4 boosters of 9 cards"
        ),
    },
    plain=plain,
    bare=bare,
    plain_words=PLAIN_WORDS,
    words=loadouts.WORDS,
    kits=loadouts.kits,
    blanks=loadouts.SPARED,
)
