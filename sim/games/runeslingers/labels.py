"""What lies on a field and in piles, and how the things on it are named: never the same for two."""

import numpy as np

from sim.engine.cards import CardSet
from sim.games.runeslingers.names import card_name
from sim.games.runeslingers.state import NOBODY, PLACES, SLOTS


def name_of(state: np.void, cards: CardSet, inst: int) -> str:
    """Name of the card that an instance is."""
    return card_name(cards, int(state["card_of"][inst]))


def things_of(state: np.void, seat: int) -> list[int]:
    """Places 0..9 of a field on which things lie."""
    return [place for place in range(PLACES) if state["thing"][seat, place] != NOBODY]


def concentrations_of(state: np.void, seat: int) -> list[int]:
    """Slots of a player's concentrations, the concealed ones too."""
    return [slot for slot in range(SLOTS) if state["conc"][seat, slot] != NOBODY]


def is_concealed(state: np.void, seat: int, area: int) -> bool:
    """RUNE-06, 107. Whether a boon lies on an ailment area."""
    return bool(state["thing"][seat, SLOTS + area] != NOBODY)


def exposed_of(state: np.void, seat: int) -> int:
    """Exposed ailments of a player."""
    return int(sum(count for area, count in enumerate(state["count"][seat]) if not is_concealed(state, seat, area)))


def spot_words(place: int) -> str:
    """A position of a field, numbered from 1."""
    return f"slot {place + 1}" if place < SLOTS else f"area {place - SLOTS + 1}"


def thing_name(state: np.void, cards: CardSet, seat: int, place: int) -> str:
    """Name of a thing among those of its side: with its position, `Echo Chant (slot 2)`, where there are several."""
    names = {other: name_of(state, cards, int(state["thing"][seat, other])) for other in things_of(state, seat)}
    several = list(names.values()).count(names[place]) > 1
    return names[place] + (f" ({spot_words(place)})" if several else "")


def concentration_name(state: np.void, cards: CardSet, seat: int, slot: int) -> str:
    """Name of an own concentration; equal ones in equal position are one decision."""
    used = " (used)" if state["conc_used"][seat, slot] else ""
    return name_of(state, cards, int(state["conc"][seat, slot])) + used


def pile_of(state: np.void, pile: str, seat: int) -> list[int]:
    """Instances of `hand`, `deck`, `discard` or `void` as the state has them; the top of a deck is last."""
    return [int(inst) for inst in state[pile][seat, : state[f"{pile}_n"][seat]]]


def cards_in(state: np.void, pile: str, seat: int) -> list[int]:
    """Cards of a pile, in its order."""
    return [int(state["card_of"][inst]) for inst in pile_of(state, pile, seat)]
