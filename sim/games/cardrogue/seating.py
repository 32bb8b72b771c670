"""Characters come to their seats and stand on their starting tiles (ROGUE-11 to 15)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.course import begin_turn
from sim.games.cardrogue.decisions import Node
from sim.games.cardrogue.holding import max_health


@kernel
def seat_character(state: Record, cards: Record, seat: int, character: int) -> None:
    """ROGUE-15, 116. A character takes its seat with full health, and keeps it for the game."""
    state["character"][seat] = character
    state["health"][seat] = max_health(state, cards, seat)


@kernel
def take_character(state: Record, cards: Record, character: int, rng: Record) -> None:
    """ROGUE-11, A-03. A seat chooses its character, from the first player on; after the last of them the turn begins."""
    seat = np.int64(state["asked"])
    seat_character(state, cards, seat, character)
    first, following = np.int64(state["first"]), (seat + 1) % np.int64(state["seats"])
    if following != first:
        state["asked"] = following
        state["node"] = Node.DRAFT
    else:
        begin_turn(state, cards, first, rng)
