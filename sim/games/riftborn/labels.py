"""What Riftborn Tactics calls its cards, creatures, rows and abilities in words: short, and never the same for two."""

import numpy as np

from sim.engine.cards import CardSet
from sim.games.riftborn.cards import card_name
from sim.games.riftborn.record import Trick
from sim.games.riftborn.state import ALL, CREATURES, NOBODY, PER_ROW, ROWS, code_of, side_of

ROW_WORDS = ("front", "second", "third")


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


def pile_of(state: np.void, pile: str, seat: int) -> list[int]:
    """Cards of `hand`, `library`, `discard` or `removed` as the state has them; the top of a library is last."""
    return [int(card) for card in state[pile][seat, : state[f"{pile}_n"][seat]]]


def tricks_of(state: np.void, seat: int) -> list[int]:
    """Codes of the TRICK cards that a player has laid."""
    return [trick for trick in Trick if int(state["tricks"][seat]) >> trick & 1]


def some(count: int, what: str) -> str:
    """Put a number before a word, which gets its plural: `1 card`, `2 cards`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
