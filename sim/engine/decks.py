"""Entrants that are decks: what they hold, and how decks are added, drawn by lot and changed, whatever the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from sim.engine.cards import CardSet

DeckList = Mapping[str, int]  # card id -> copies, in the order of the list
NO_CARD = -1


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
