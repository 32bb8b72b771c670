"""Drawing cards that nobody has seen (ROGUE-04, 10, 18, 113): only the counts matter."""

import numpy as np

from sim.engine.dice import NATURE, NOT_SCRIPTED, below, refuse_draw, scripted_draw
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.record import ENTRIES
from sim.games.cardrogue.state import Draw

NO_ENTRY = -1


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
