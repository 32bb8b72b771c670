"""Entrants that are decks: what they hold and bring, and how decks are added, made by lot and changed, whatever the game.

Decks with other cards in the place of some of theirs, to see what those are worth: how twins are put in and named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import Table, did_you_mean, shown
from sim.engine.cardfiles.paths import plain as as_compared
from sim.engine.cards import CardError, CardSet, read_document

Document = Mapping[str, Any]  # a card file as read
NO_CARD = -1
DECKS_MAX = 512  # of a file
COPIES_MAX = 999  # of a card; each game has limits of its own
DEFAULT_GENERATOR = "random"  # every game of decks has it
NEEDED = "the file needs [[deck]] tables with id and cards"


@dataclass(frozen=True)
class DeckList:
    """A deck as a deck file tells it. cards: card id -> copies, in the order of the list.

    words: what it brings besides, by the names that its game gives them (`Decking.words`), e.g. hero -> id; those left out are
    up to the game.
    """

    cards: Mapping[str, int]
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Decks:
    """What the entrants of a card set are made of.

    ids, names: of the cards that decks may hold, in the order of the card file. counts: (entrants, cards) copies. slots:
    (entrants, most) number of the k-th different card of an entrant's list, NO_CARD beyond the last: outcomes count by these.
    level: by card, what it costs to play (level, mana, rank), to compare like with like. kinds: by card, its type in words.
    marks: by card, the keywords it bears. words: by entrant, what it brings besides its cards (`Decking.words`); empty where
    the game has no such words.
    """

    ids: tuple[str, ...]
    names: tuple[str, ...]
    counts: np.ndarray
    slots: np.ndarray
    level: np.ndarray
    kinds: tuple[str, ...]
    marks: tuple[tuple[str, ...], ...]
    words: tuple[Mapping[str, str], ...] = ()

    def __repr__(self) -> str:
        """One line: there may be hundreds of decks."""
        return f"Decks({len(self.counts)} of {len(self.ids)} cards)"


@dataclass(frozen=True)
class Made:
    """Decks made by lot, by id. facts: of the making, each in a few words, such as "3 pools opened anew"."""

    decks: Mapping[str, DeckList]
    facts: tuple[str, ...] = ()


@dataclass(frozen=True)
class DeckGenerator:
    """A way of making legal decks by lot.

    make: (document, how many, chance); with the same chance more of them begin with the same ones, unless they are made
    together. title: what is made, behind a number ("decks by lot", "drafted decks"). words: how, as a clause ("of boosters ...").
    """

    make: Callable[[Document, int, Random], Made]
    title: str = "decks by lot"
    words: str = "of all cards, drawn by lot"


@dataclass(frozen=True)
class Loadout:
    """What a deck brings besides its cards and could exchange. parts: (slot, choice) in words, such as ("Stance", "Braced").

    The first slot is the one by which loadouts are grouped. own: whether the deck brings it as it is.
    """

    parts: tuple[tuple[str, str], ...]
    own: bool = False

    @property
    def group(self) -> str:
        """The choice of the first slot."""
        _, choice = self.parts[0]
        return choice

    @property
    def title(self) -> str:
        """All choices, in words."""
        return ", ".join(choice for _, choice in self.parts)


@dataclass(frozen=True)
class Blank:
    """A part of every deck's loadout that can be left blank.

    put: (document, deck): that deck with something in its place that does nothing; raises CardError where that cannot be.
    worth: what is gone without it, in words, as in "determination is worth 3 points".
    """

    put: Callable[[Document, str], dict[str, Any]]
    worth: str


@dataclass(frozen=True)
class Decking:
    """How a game's decks are read and made. All take and return documents: card files as read, never changed in place.

    words: what a deck of a deck file may name besides its cards; all are texts, and may be left out as far as the file goes.
    loadouts: (document, deck): the document with that deck bringing each legal loadout, in the order of the card file, its own
    always among them. blanks: by slot of the loadouts, what can be left blank.
    """

    of: Callable[[CardSet], Decks]
    added: Callable[[Document, Mapping[str, DeckList]], dict[str, Any]]  # (document, decks by id): with these too
    only: Callable[[Document, Mapping[str, DeckList]], dict[str, Any]]  # (document, decks by id): these instead
    generators: Mapping[str, DeckGenerator]  # ways of making decks by lot, DEFAULT_GENERATOR among them
    plain: Callable[[Document, str, str], dict[str, Any]]  # (document, deck, card): plain cards of its level instead
    bare: Callable[[Document, str, str], dict[str, Any]]  # (document, deck, keyword): its cards without the keyword
    plain_words: str = field(default="a card of the same level without abilities")  # what `plain` puts there, in words
    words: tuple[str, ...] = ()
    loadouts: Callable[[Document, str], Mapping[Loadout, dict[str, Any]]] | None = None
    blanks: Mapping[str, Blank] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise ValueError where decks cannot be made in the usual way."""
        if DEFAULT_GENERATOR not in self.generators:
            raise ValueError(f'generators={[*self.generators]} must have "{DEFAULT_GENERATOR}"')

    def generator(self, name: str) -> DeckGenerator:
        """A way of making decks. Raises ValueError for one that the game does not have."""
        if name not in self.generators:
            raise ValueError(f"{shown(name)}: decks are not made so; {did_you_mean(name, [*self.generators])}")
        return self.generators[name]

    def with_random_decks(self, document: Document, count: int, chance: Random) -> dict[str, Any]:
        """The document with so many decks instead of its own, made in the usual way. Raises CardError as the generator does."""
        return self.only(document, self.generators[DEFAULT_GENERATOR].make(document, count, chance).decks)


def counted(lists: Sequence[Mapping[str, int]], ids: Sequence[str], width: int) -> tuple[np.ndarray, np.ndarray]:
    """`Decks.counts` and `Decks.slots` of lists: card id -> copies. width: of the slots, that of outcomes that count by them."""
    numbers = {card: number for number, card in enumerate(ids)}
    counts = np.zeros((len(lists), len(ids)), np.int16)
    slots = np.full((len(lists), width), NO_CARD, np.int16)
    for deck, copies in enumerate(lists):
        slots[deck, : len(copies)] = [numbers[card] for card in copies]
        counts[deck, slots[deck, : len(copies)]] = [*copies.values()]
    return counts, slots


def deck_tables(decks: Mapping[str, DeckList]) -> list[dict[str, Any]]:
    """Decks as the [[deck]] tables of a card file."""
    return [{"id": word, "source": "assumed", "cards": dict(deck.cards), **deck.words} for word, deck in decks.items()]


def read_decks(path: Path | str, words: Iterable[str] = ()) -> dict[str, DeckList]:
    """The decks of a TOML file of [[deck]] tables with `id` and `cards`, by id in its order; `cards`: card id -> copies.

    words: what a deck may name besides, see `Decking.words`. A `source` is passed over: lists copied from a card file have one.
    Whether the cards exist and the lists are allowed is up to the game. Raises CardError, naming file and field, if it cannot be
    read, is not TOML or holds anything else.
    """
    document, file = read_document(None, Path(path))
    try:
        table = Table(document)
        if not table.has("deck"):
            raise ValueError(f"deck: is missing; {NEEDED}")
        found: dict[str, DeckList] = {}
        for deck in table.tables("deck", DECKS_MAX):
            word, listed = _deck(deck, words)
            if word in found:
                raise deck.wrong("id", "is used more than once; every deck needs an id of its own")
            found[word] = listed
        table.close()
        if not found:
            raise ValueError(f"deck: holds no decks; {NEEDED}")
    except ValueError as error:
        raise CardError(f"{file}: {error}") from None
    return found


def _deck(deck: Table, words: Iterable[str]) -> tuple[str, DeckList]:
    """Id and list of one table. Raises ValueError for what is wrong with it."""
    word = deck.text("id")
    if not word:
        raise deck.wrong("id", 'must be a word, as in "my_deck"')
    cards = Table(deck.take("cards"), deck.field("cards"))
    if not cards.values:
        raise deck.wrong("cards", "holds no cards")
    copies = {card: cards.whole(card, 1, COPIES_MAX) for card in cards.values}
    brought = {name: deck.text(name, "") for name in words}
    for name, value in brought.items():
        if deck.has(name) and not value:
            raise deck.wrong(name, "must be an id; leave it out for the usual one")
    if deck.has("source"):
        deck.take("source")
    deck.close()
    return word, DeckList(copies, {name: value for name, value in brought.items() if value})


ID_MAX, NAME_MAX = 40, 60  # characters


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
