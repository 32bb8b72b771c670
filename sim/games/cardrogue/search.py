"""Walking in thought over the known map: who is stuck (ROGUE-110)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.grid import neighbour, next_cell, opens
from sim.games.cardrogue.state import DIRECTIONS, NOTHING, NOWHERE, SEEN_WORDS, Down
from sim.games.cardrogue.switches import FlipRule
from sim.games.cardrogue.tiles import UNKNOWN, is_empty, is_opened

WORD_SHIFT = 6
BIT_MASK = 63
ONE = np.uint64(1)


@kernel
def start_search(state: Record, cell: int) -> None:
    """Begin a search at a cell: overwrites `seen` and `queue`."""
    for i in range(SEEN_WORDS):
        state["seen"][i] = 0
    mark(state, cell)
    state["queue"][0] = cell


@kernel
def mark(state: Record, cell: int) -> None:
    """Note that a search has met a cell."""
    state["seen"][cell >> WORD_SHIFT] |= ONE << np.uint64(cell & BIT_MASK)


@kernel
def met(state: Record, cell: int) -> bool:
    """Whether a search has met a cell."""
    return (state["seen"][cell >> WORD_SHIFT] >> np.uint64(cell & BIT_MASK)) & ONE != 0


@kernel
def is_stuck(state: Record, cards: Record, seat: int) -> bool:
    """ROGUE-110. Whether nothing is left that a player could reach; remembered until the map changes.

    A potion on the player's own cell is within reach: it is picked up at the start of the next turn (ROGUE-33).
    """
    if state["stuck"][seat] == UNKNOWN:
        cell = np.int64(state["cell"][seat])
        state["stuck"][seat] = 0 if state["on"][cell] != NOTHING or has_aim(state, cards, cell) else 1
    return state["stuck"][seat] == 1


@kernel
def has_aim(state: Record, cards: Record, cell: int) -> bool:
    """ROGUE-110, A-04. Whether a walk from a cell meets a face-down card, an enemy, a potion or room for a card."""
    could_lay = state["stack"] > 0 or has_unopened(state, cards)
    start_search(state, cell)
    begin, end = 0, 1
    while begin < end:
        here = np.int64(state["queue"][begin])
        begin += 1
        for direction in range(DIRECTIONS):
            there = neighbour(cards, here, direction)
            if there == NOWHERE or met(state, there):
                continue
            if not opens(np.int64(state["mask"][here]), direction):
                if cards["flip_rule"] == FlipRule.ORTHOGONAL and state["down"][there] != Down.NO:
                    return True
                continue
            if is_empty(state, there):
                if could_lay:
                    return True
                continue
            if next_cell(state, cards, here, direction) == NOWHERE:
                continue
            if state["down"][there] != Down.NO or state["on"][there] != NOTHING:
                return True
            mark(state, there)
            state["queue"][end] = there
            end += 1
    return False


@kernel
def has_unopened(state: Record, cards: Record) -> bool:
    """ROGUE-113. Whether a face-down card lies where no tile opens onto it, to be laid elsewhere."""
    if state["unseen_cards"] == state["stack"]:
        return False
    for cell in range(len(state["down"])):
        if state["down"][cell] == Down.CARD and not is_opened(state, cards, cell):
            return True
    return False
