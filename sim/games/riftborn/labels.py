"""What Riftborn Tactics calls its cards, creatures, rows and abilities in words: short, and never the same for two."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.reading import plain
from sim.games.riftborn.keywords import NUMBERED, word_of
from sim.games.riftborn.record import Ability, Kind, Trick
from sim.games.riftborn.state import ALL, CREATURES, NOBODY, PER_ROW, ROWS, code_of, side_of
from sim.games.riftborn.tables import titled

ROW_WORDS = ("front", "second", "third")
OPPONENT = "the opponent"
_JOINTS = frozenset(("on", "with", "own", "opponent"))  # words that join names in decisions


def _entries(cards: CardSet) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = cards.document["card"]
    return entries


@lru_cache(maxsize=16)  # a replay asks for names ten thousand times
def ids_of(cards: CardSet) -> tuple[str, ...]:
    """Ids of the cards, in the order of the card file."""
    return tuple(entry["id"] for entry in _entries(cards))


@lru_cache(maxsize=16)
def names_of(cards: CardSet) -> tuple[str, ...]:
    """Display names of the cards, with the id where a name alone could mean something else."""
    names = [entry.get("name") or titled(entry["id"]) for entry in _entries(cards)]
    words = [plain(name) for name in names]
    counts = Counter(words)
    return tuple(
        f"{name} ({id_})"
        if not word or counts[word] > 1 or set("(),") & set(word) or _JOINTS & {*word.split()}
        else name
        for name, word, id_ in zip(names, words, ids_of(cards), strict=True)
    )


def card_name(cards: CardSet, card: int) -> str:
    """Display name of a card by its row in the card file."""
    return names_of(cards)[card]


def kind_of(cards: CardSet, card: int) -> Kind:
    """Type of a card by its row in the card file."""
    return Kind(cards.record[0]["kind"][card])


def ability_word(ability: int, x: int = 1) -> str:
    """An ability as cards print it: `RANGE(2)`, `DOUBLE ATTACK`; several UNDEATH as `UNDEATH(2)`."""
    word = word_of(Ability(ability))
    return f"{word}({x})" if ability in NUMBERED or x > 1 else word


def trick_word(trick: int) -> str:
    """Name of a TRICK card by its code."""
    return Trick(trick).name.capitalize()


def formation(state: np.void, seat: int) -> list[list[int]]:
    """Creatures of a seat by row, the front row first, each from left to right."""
    rows = ([int(g) for g in state["grid"][seat, row, : state["row_len"][seat, row]]] for row in range(ROWS))
    return [row for row in rows if row]


def creatures_of(state: np.void, seat: int) -> list[int]:
    """Creatures of a seat, row by row from the front."""
    return [g for row in formation(state, seat) for g in row]


def is_here(state: np.void, g: int) -> bool:
    """Whether a creature is in a formation."""
    return bool(0 <= g < ALL and state["card"][g] != NOBODY)


def spot_of(state: np.void, g: int) -> tuple[int, int, int]:
    """Seat, row and index of a creature that is in a formation, all from 0."""
    seat = int(side_of(g))
    slot = int(code_of(state, seat, g))
    return seat, slot // PER_ROW, slot % PER_ROW


def own_name(state: np.void, cards: CardSet, g: int) -> str:
    """Name of a creature among those of its side: with its place, `Beast Cub (front 2)`, where there are several."""
    return _told(state, cards, g, every_side=False)


def full_name(state: np.void, cards: CardSet, g: int) -> str:
    """Name of a creature among all: with its seat where both have one, with its place where a side has several."""
    return _told(state, cards, g, every_side=True)


def _told(state: np.void, cards: CardSet, g: int, every_side: bool) -> str:
    seat, row, index = spot_of(state, g)
    same = [int(other) // CREATURES for other in np.flatnonzero(state["card"] == state["card"][g])]
    parts = [f"seat {seat + 1}"] if every_side and any(side != seat for side in same) else []
    parts += [f"{ROW_WORDS[row]} {index + 1}"] if same.count(seat) > 1 else []
    return card_name(cards, int(state["card"][g])) + (f" ({', '.join(parts)})" if parts else "")


def gap_words(state: np.void, seat: int, row: int, index: int) -> str:
    """A place for a new creature: gap `index` of a row, or a new row behind the last."""
    length = int(state["row_len"][seat, row]) if row < ROWS else 0
    if length == 0:
        return "in a new row behind" if row else "in the front row"
    if index in (0, length):
        return f"in the {ROW_WORDS[row]} row at the {'right' if index else 'left'} end"
    return f"in the {ROW_WORDS[row]} row as number {index + 1}"


def pile_of(state: np.void, pile: str, seat: int) -> list[int]:
    """Cards of `hand`, `library`, `discard` or `removed` as the state has them; the top of a library is last."""
    return [int(card) for card in state[pile][seat, : state[f"{pile}_n"][seat]]]


def tricks_of(state: np.void, seat: int) -> list[int]:
    """Codes of the TRICK cards that a player has laid."""
    return [trick for trick in Trick if int(state["tricks"][seat]) >> trick & 1]


def counted(words: Iterable[str]) -> list[str]:
    """Words with how many there are of each: `Beast Cub`, `2x Spark`."""
    return [word if count == 1 else f"{count}x {word}" for word, count in Counter(words).items()]


def joined(words: Sequence[str]) -> str:
    """Words as a list in a sentence: `a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part) if words else ""


def some(count: int, what: str) -> str:
    """Put a number before a word, which gets its plural: `1 card`, `2 cards`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
