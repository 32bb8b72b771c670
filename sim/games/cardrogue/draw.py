"""Drawing cards that nobody has seen (ROGUE-04, 10, 18, 113): only the counts matter."""

from enum import IntEnum

import numpy as np

from sim.engine.dice import NATURE, NOT_SCRIPTED, Purpose, below, refuse_draw, scripted_draw
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.record import ENTRIES
from sim.games.cardrogue.resolve import CombatDraw

NO_ENTRY = -1


class Draw(IntEnum):
    """What chance is used for (see `sim.engine.dice`)."""

    FIRST = Purpose.FIRST_FREE
    EXPLORATION = Purpose.FIRST_FREE + 1
    PATHING = Purpose.FIRST_FREE + 2
    ATTACK = CombatDraw.ATTACK  # numbers 3 to 6 are those of the combat
    FLEE = Purpose.FIRST_FREE + 7
    TRAP = Purpose.FIRST_FREE + 8
    POTION = Purpose.FIRST_FREE + 9
    FOUNTAIN = Purpose.FIRST_FREE + 10
    TRIP = Purpose.FIRST_FREE + 11
    STEAL = Purpose.FIRST_FREE + 12
    BUY = Purpose.FIRST_FREE + 13


@kernel
def draw_entry(counts: np.ndarray, cards_left: int, rng: Record, purpose: int) -> int:
    """Draw one of `cards_left` cards, all equally likely, and take it out of the counts by entry; returns its entry.

    A scripted draw names the entry; where no such card is left that is refused.
    """
    named = scripted_draw(rng)
    if named != NOT_SCRIPTED:
        if named < ENTRIES and counts[named] > 0:
            counts[named] -= 1
            return named
        refuse_draw(rng)
    left = below(rng, NATURE, purpose, cards_left)
    for entry in range(ENTRIES):
        left -= counts[entry]
        if left < 0:
            counts[entry] -= 1
            return entry
    return NO_ENTRY


@kernel
def draw_exploration(state: Record, rng: Record) -> int:
    """ROGUE-04. What a face-down card turns out to be: any unseen exploration card. Returns its entry."""
    entry = draw_entry(state["unseen"], np.int64(state["unseen_cards"]), rng, Draw.EXPLORATION)
    state["unseen_cards"] -= 1
    return entry


@kernel
def draw_pathing(state: Record, rng: Record) -> int:
    """ROGUE-18. The next pathing card, NO_ENTRY if the deck is empty. Returns its entry."""
    if state["pathing_cards"] == 0:
        return NO_ENTRY
    entry = draw_entry(state["pathing"], np.int64(state["pathing_cards"]), rng, Draw.PATHING)
    state["pathing_cards"] -= 1
    return entry
