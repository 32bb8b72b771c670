"""Entrants that are decks: what they hold, and how decks are added, drawn by lot and changed, whatever the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from sim.engine.cards import CardError, CardSet, read_document
from sim.engine.reading import Table

DeckList = Mapping[str, int]  # card id -> copies, in the order of the list
NO_CARD = -1
DECKS_MAX = 512  # of a file
COPIES_MAX = 999  # of a card; each game has limits of its own
NEEDED = "the file needs [[deck]] tables with id and cards"


@dataclass(frozen=True, eq=False)
class Decks:
    """What the entrants of a card set are made of.

    ids, names: of the cards that decks may hold, in the order of the card file. counts: (entrants, cards) copies. slots:
    (entrants, most) number of the k-th different card of an entrant's list, NO_CARD beyond the last: outcomes count by these.
    level: by card, what it costs to play (level, mana, rank), to compare like with like. kinds: by card, its type in words.
    marks: by card, the keywords it bears.
    """

    ids: tuple[str, ...]
    names: tuple[str, ...]
    counts: np.ndarray
    slots: np.ndarray
    level: np.ndarray
    kinds: tuple[str, ...]
    marks: tuple[tuple[str, ...], ...]

    def __repr__(self) -> str:
        """One line: there may be hundreds of decks."""
        return f"Decks({len(self.counts)} of {len(self.ids)} cards)"


@dataclass(frozen=True)
class Decking:
    """How a game's decks are read and made. All take and return documents: card files as read, never changed in place."""

    of: Callable[[CardSet], Decks]
    added: Callable[
        [Mapping[str, Any], Mapping[str, DeckList]], dict[str, Any]
    ]  # (document, decks by id): with these too
    only: Callable[
        [Mapping[str, Any], Mapping[str, DeckList]], dict[str, Any]
    ]  # (document, decks by id): these instead
    random: Callable[
        [Mapping[str, Any], int, Random], dict[str, dict[str, int]]
    ]  # (document, how many, chance): legal ones
    plain: Callable[
        [Mapping[str, Any], str, str], dict[str, Any]
    ]  # (document, deck, card): plain cards of its level instead
    bare: Callable[
        [Mapping[str, Any], str, str], dict[str, Any]
    ]  # (document, deck, keyword): its cards without the keyword
    plain_words: str = field(default="a card of the same level without abilities")  # what `plain` puts there, in words


def read_decks(path: Path | str) -> dict[str, dict[str, int]]:
    """The decks of a TOML file of [[deck]] tables with `id` and `cards`, by id in its order; `cards`: card id -> copies.

    A `source` is passed over: lists copied from a card file have one. Whether the cards exist and the lists are allowed is up to
    the game. Raises CardError, naming file and field, if it cannot be read, is not TOML or holds anything else.
    """
    document, file = read_document(None, Path(path))
    try:
        table = Table(document)
        if not table.has("deck"):
            raise ValueError(f"deck: is missing; {NEEDED}")
        found: dict[str, dict[str, int]] = {}
        for deck in table.tables("deck", DECKS_MAX):
            word, cards = _deck(deck)
            if word in found:
                raise deck.wrong("id", "is used more than once; every deck needs an id of its own")
            found[word] = cards
        table.close()
        if not found:
            raise ValueError(f"deck: holds no decks; {NEEDED}")
    except ValueError as error:
        raise CardError(f"{file}: {error}") from None
    return found


def _deck(deck: Table) -> tuple[str, dict[str, int]]:
    """Id and cards of one table. Raises ValueError for what is wrong with it."""
    word = deck.text("id")
    if not word:
        raise deck.wrong("id", 'must be a word, as in "my_deck"')
    cards = Table(deck.take("cards"), deck.field("cards"))
    if not cards.values:
        raise deck.wrong("cards", "holds no cards")
    copies = {card: cards.whole(card, 1, COPIES_MAX) for card in cards.values}
    if deck.has("source"):
        deck.take("source")
    deck.close()
    return word, copies
