"""Places in formations: creatures enter, leave and swap (RIFT-30 to 32, 40, 109)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.geometry import TILE, index_of, lay_out, rows_of
from sim.games.riftborn.state import COLUMNS, CREATURES, NOBODY, PER_ROW, ROWS, side_of


@kernel
def insert(state: Record, seat: int, place: int, g: int) -> None:
    """RIFT-30. Put a creature into a gap. place: row * 5 + index."""
    row, index = place // PER_ROW, place % PER_ROW
    length = np.int64(state["row_len"][seat, row])
    for moved in range(length, index, -1):
        state["grid"][seat, row, moved] = state["grid"][seat, row, moved - 1]
    state["grid"][seat, row, index] = g
    state["row_len"][seat, row] = length + 1


@kernel
def take_out(state: Record, g: int) -> None:
    """RIFT-32. Take a creature out: the gap closes, an empty row disappears."""
    seat, row, index = side_of(g), np.int64(state["row"][g]), index_of(state, g)
    length = np.int64(state["row_len"][seat, row]) - 1
    for moved in range(index, length):
        state["grid"][seat, row, moved] = state["grid"][seat, row, moved + 1]
    state["grid"][seat, row, length] = NOBODY
    state["row_len"][seat, row] = length
    if length == 0:
        close_row(state, seat, row)
    lay_out(state, seat)


@kernel
def close_row(state: Record, seat: int, empty: int) -> None:
    """RIFT-32. The rows behind an empty one step forward."""
    for row in range(empty, ROWS - 1):
        state["row_len"][seat, row] = state["row_len"][seat, row + 1]
        for index in range(PER_ROW):
            state["grid"][seat, row, index] = state["grid"][seat, row + 1, index]
    state["row_len"][seat, ROWS - 1] = 0
    for index in range(PER_ROW):
        state["grid"][seat, ROWS - 1, index] = NOBODY


@kernel
def change_places(state: Record, a: int, b: int) -> None:
    """RIFT-40. Two creatures of a side swap, and what `lay_out` derives of them."""
    seat = side_of(a)
    row_a, index_a, row_b, index_b = state["row"][a], index_of(state, a), state["row"][b], index_of(state, b)
    state["grid"][seat, row_a, index_a] = b
    state["grid"][seat, row_b, index_b] = a
    state["row"][a], state["row"][b] = row_b, row_a
    state["centre"][a], state["centre"][b] = state["centre"][b], state["centre"][a]
    for column in range(COLUMNS):
        front = state["front"][seat, column]
        if front == a:
            state["front"][seat, column] = b
        elif front == b:
            state["front"][seat, column] = a


@kernel
def is_place(state: Record, cards: Record, seat: int, place: int) -> bool:
    """RIFT-30. Whether a creature may enter there. place: row * 5 + index."""
    row, index = place // PER_ROW, place % PER_ROW
    rows = rows_of(state, seat)
    if row < rows:
        return index <= state["row_len"][seat, row] and state["row_len"][seat, row] < cards["max_per_row"]
    return row == rows and index == 0 and rows < cards["max_rows"]


@kernel
def is_place_beside(state: Record, g: int, place: int) -> bool:
    """RIFT-109. Whether a creature entering there would be adjacent to g, after centring."""
    seat, row, index = side_of(g), place // PER_ROW, place % PER_ROW
    length = np.int64(state["row_len"][seat, row])
    entering = TILE * index - length
    own_row = np.int64(state["row"][g])
    centre = np.int64(state["centre"][g])
    if own_row == row:
        at = index_of(state, g)
        centre = TILE * (at + (1 if at >= index else 0)) - length
    return abs(own_row - row) + abs(entering - centre) // TILE == 1


@kernel
def has_place(state: Record, cards: Record, seat: int, beside: int) -> bool:
    """RIFT-30, 109. Whether a creature may enter at all. beside: creature that it must be adjacent to, NOBODY."""
    if beside == NOBODY:
        return has_room(state, cards, seat)
    for place in range(CREATURES):
        if is_place(state, cards, seat, place) and is_place_beside(state, beside, place):
            return True
    return False


@kernel
def has_room(state: Record, cards: Record, seat: int) -> bool:
    """RIFT-30. Whether a formation takes in one more creature: in a new row, or in one that is not full."""
    rows = rows_of(state, seat)
    if rows < cards["max_rows"]:
        return True
    for row in range(rows):
        if state["row_len"][seat, row] < cards["max_per_row"]:
            return True
    return False
