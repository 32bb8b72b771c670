"""Entrants that are decks: their contents, and how decks are added, generated and changed in any game.

To measure the value of a card, a deck is compared with one that has a twin, a changed copy of the card, in its place.
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
DECKS_MAX = 512  # in a file
COPIES_MAX = 999  # of a card; each game also has its own limits
DEFAULT_GENERATOR = "random"  # every game with decks has this generator
NEEDED = "the file needs [[deck]] tables with id and cards"


@dataclass(frozen=True)
class DeckList:
    """A deck as listed in a deck file. cards: card id -> copies, in the order of the list.

    words: what it brings besides cards, by the game's names (`Decking.words`), e.g. hero -> id; the game supplies missing ones.
    """

    cards: Mapping[str, int]
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Decks:
    """What the entrants of a card set are made of.

    ids, names: of the cards that decks can contain, in the order of the card file. counts: (entrants, cards) copies. slots:
    (entrants, most) index of the k-th different card of an entrant's list, NO_CARD beyond the last; outcomes count by slot.
    level: by card, its cost (level, mana, rank), to compare cards of equal cost. kinds: by card, its type in words.
    marks: by card, its keywords. words: by entrant, what it brings besides its cards (`Decking.words`); empty if the game
    has no such words.
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
        """Return one line; there can be hundreds of decks."""
        return f"Decks({len(self.counts)} of {len(self.ids)} cards)"


@dataclass(frozen=True)
class Made:
    """Random decks, by id. facts: short notes on their making, such as "3 pools opened again"."""

    decks: Mapping[str, DeckList]
    facts: tuple[str, ...] = ()


@dataclass(frozen=True)
class DeckGenerator:
    """A way of making random legal decks.

    make: (document, count, random generator); with the same generator, a larger count starts with the same decks, unless decks
    are made together. title: follows a number ("random decks", "drafted decks"). words: the method ("from boosters ...").
    """

    make: Callable[[Document, int, Random], Made]
    title: str = "random decks"
    words: str = "drawn at random from all cards"


@dataclass(frozen=True)
class Loadout:
    """Exchangeable choices of a deck besides its cards. parts: (slot, choice) in words, such as ("Stance", "Braced").

    Loadouts are grouped by the first slot. own: whether this is the deck's original loadout.
    """

    parts: tuple[tuple[str, str], ...]
    own: bool = False

    @property
    def group(self) -> str:
        """Return the choice of the first slot."""
        _, choice = self.parts[0]
        return choice

    @property
    def title(self) -> str:
        """Return all choices, in words."""
        return ", ".join(choice for _, choice in self.parts)


@dataclass(frozen=True)
class Blank:
    """A part of every deck's loadout that can be left blank.

    put: (document, deck): the document with a substitute that does nothing in that deck; raises CardError if impossible.
    worth: the name of what is lost, as in "determination is worth 3 points".
    """

    put: Callable[[Document, str], dict[str, Any]]
    worth: str


def deck_tables(decks: Mapping[str, DeckList]) -> list[dict[str, Any]]:
    """Return decks as the [[deck]] tables of a card file."""
    return [{"id": word, "source": "assumed", "cards": dict(deck.cards), **deck.words} for word, deck in decks.items()]


def added(document: Document, decks: Mapping[str, DeckList]) -> dict[str, Any]:
    """Return the document with decks after its own. Illegal ones are refused when a card set is made from it."""
    return {**document, "deck": [*document["deck"], *deck_tables(decks)]}


def only(document: Document, decks: Mapping[str, DeckList]) -> dict[str, Any]:
    """Return the document with decks instead of its own. Illegal ones are refused when a card set is made from it."""
    return {**document, "deck": deck_tables(decks)}


@dataclass(frozen=True)
class Decking:
    """How a game's decks are read and made. All functions take and return documents: card files as read, never changed in place.

    words: names of optional text fields of a deck in a deck file. loadouts: (document, deck): by legal loadout, the document in
    which that deck has it, in the order of the card file and including the original. blanks: by loadout slot, what can be blank.
    """

    of: Callable[[CardSet], Decks]
    generators: Mapping[str, DeckGenerator]  # includes DEFAULT_GENERATOR
    plain: Callable[[Document, str, str], dict[str, Any]]  # (document, deck, card): plain cards of its level instead
    bare: Callable[[Document, str, str], dict[str, Any]]  # (document, deck, keyword): strip its cards of the keyword
    plain_words: str = field(default="a card of the same level without abilities")  # what `plain` substitutes
    added: Callable[[Document, Mapping[str, DeckList]], dict[str, Any]] = added  # (document, decks by id): add these decks
    only: Callable[[Document, Mapping[str, DeckList]], dict[str, Any]] = only  # (document, decks by id): only these decks
    words: tuple[str, ...] = ()
    loadouts: Callable[[Document, str], Mapping[Loadout, dict[str, Any]]] | None = None
    blanks: Mapping[str, Blank] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise ValueError if the default generator is missing."""
        if DEFAULT_GENERATOR not in self.generators:
            raise ValueError(f'generators={[*self.generators]} must have "{DEFAULT_GENERATOR}"')

    def generator(self, name: str) -> DeckGenerator:
        """Return a deck generator by name. Raises ValueError if the game does not have it."""
        if name not in self.generators:
            raise ValueError(f"{shown(name)}: is not a deck generator; {did_you_mean(name, [*self.generators])}")
        return self.generators[name]

    def with_random_decks(self, document: Document, count: int, chance: Random) -> dict[str, Any]:
        """Return the document with `count` random decks instead of its own. Raises CardError if the generator does."""
        return self.only(document, self.generators[DEFAULT_GENERATOR].make(document, count, chance).decks)


def counted(lists: Sequence[Mapping[str, int]], ids: Sequence[str], width: int) -> tuple[np.ndarray, np.ndarray]:
    """Return `Decks.counts` and `Decks.slots` of lists (card id -> copies). width: number of slots in the outcome fields."""
    numbers = {card: number for number, card in enumerate(ids)}
    counts = np.zeros((len(lists), len(ids)), np.int16)
    slots = np.full((len(lists), width), NO_CARD, np.int16)
    for deck, copies in enumerate(lists):
        slots[deck, : len(copies)] = [numbers[card] for card in copies]
        counts[deck, slots[deck, : len(copies)]] = [*copies.values()]
    return counts, slots


def read_decks(path: Path | str, words: Iterable[str] = ()) -> dict[str, DeckList]:
    """Read the decks of a TOML file of [[deck]] tables with `id` and `cards` (card id -> copies); returns them by id, in order.

    words: optional fields, see `Decking.words`. `source` is ignored, because lists copied from a card file have one. The game
    checks whether the cards exist and the lists are legal. Raises CardError, naming file and field, if the file cannot be read,
    is not TOML or contains anything else.
    """
    document, file = read_document(None, Path(path))
    try:
        table = Table(document)
        if not table.has("deck"):
            raise ValueError(f"deck: is missing; {NEEDED}")
        decks: dict[str, DeckList] = {}
        for deck in table.tables("deck", DECKS_MAX):
            word, listed = _deck(deck, words)
            if word in decks:
                raise deck.wrong("id", "is used more than once; every deck needs an id of its own")
            decks[word] = listed
        table.close()
        if not decks:
            raise ValueError(f"deck: holds no decks; {NEEDED}")
    except ValueError as error:
        raise CardError(f"{file}: {error}") from None
    return decks


def _deck(deck: Table, words: Iterable[str]) -> tuple[str, DeckList]:
    """Return the id and the list of one table. Raises ValueError if the table is not valid."""
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
            raise deck.wrong(name, "must be an id; leave it out for the default")
    if deck.has("source"):
        deck.take("source")
    deck.close()
    return word, DeckList(copies, {name: value for name, value in brought.items() if value})


ID_MAX, NAME_MAX = 40, 60  # characters


def deck_of(document: Document, deck: str) -> dict[str, Any]:
    """Return a deck by id. Raises CardError if there is no such deck."""
    tables: dict[str, dict[str, Any]] = {table["id"]: table for table in document["deck"]}
    if deck not in tables:
        raise CardError(f'"{deck}": there is no such deck; {did_you_mean(deck, [*tables])}')
    return tables[deck]


def card_of(document: Document, deck: str, card: str) -> dict[str, Any]:
    """Return a card of a deck. Raises CardError if the deck does not contain it."""
    held = deck_of(document, deck)["cards"]
    if card not in held:
        raise CardError(f'deck.{deck}: holds no "{card}"; {did_you_mean(card, [*held])}')
    (table,) = (table for table in document["card"] if table["id"] == card)
    return dict(table)


def ended(word: str, ending: str, longest: int) -> str:
    """Return a word with an ending. The word is shortened if the result would be too long."""
    return word[: longest - len(ending)] + ending


def replaced(
    document: Document,
    deck: str,
    twins: Mapping[str, dict[str, Any]],
    name_of: Callable[[Document], str],
    last: Callable[[Document], str] = lambda _: "",
) -> dict[str, Any]:
    """Return the document with cards of a deck replaced in place by twins, which are added at the end of the cards.

    twins: by id of the replaced card. name_of: returns the displayed name of a card. last: returns the required ending of a
    card's name. Twins whose id or name is taken get a number.
    """
    ids = {as_compared(card["id"]) for card in document["card"]}
    names = {as_compared(name_of(card)) for card in document["card"]}
    new = {
        word: {**twin, "id": _free(twin["id"], ID_MAX, ids, "_"), "name": _free(name_of(twin), NAME_MAX, names, " ", last(twin))}
        for word, twin in twins.items()
    }

    def with_twins(table: dict[str, Any]) -> dict[str, Any]:
        if table["id"] != deck:
            return table
        cards = {new[word]["id"] if word in new else word: count for word, count in table["cards"].items()}
        return {**table, "cards": cards}

    tables = [with_twins(table) for table in document["deck"]]
    return {**document, "card": [*document["card"], *new.values()], "deck": tables}


def _free(wanted: str, longest: int, taken: set[str], joint: str, last: str = "") -> str:
    """Return a free word that is not too long, shortened and numbered if necessary, and add it to `taken`.

    last: the required ending; the number comes before it.
    """
    stem = wanted.removesuffix(last)
    endings = (last, *(f"{joint}{number}{last}" for number in range(2, len(taken) + 2)))
    words = (ended(stem, ending, longest) for ending in endings)
    free = next(word for word in words if as_compared(word) not in taken)
    taken.add(as_compared(free))
    return free
