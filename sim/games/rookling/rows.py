"""The order of a row (ROOK-10, 16): positions of three Rooklings as one of six permutations."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.state import NOWHERE, POSITIONS

ROW_ORDERS = np.array([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]], np.int8)  # lexicographic


@kernel
def set_row(state: Record, seat: int, order: int) -> None:
    """ROOK-16. Roster slots take positions 0, 1, 2. order: lexicographic index of the permutation, 0..5."""
    first = state["at"][seat, 0] == NOWHERE
    for position in range(POSITIONS):
        slot = ROW_ORDERS[order, position]
        state["at"][seat, position] = slot
        if first:
            state["start_at"][seat, slot] = position
