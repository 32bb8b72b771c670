"""Placement and geometry: rows, gaps, distances, contact, and who reaches whom (RIFT-30 to 38, 40, 52, 109).

Distances are in half tiles: creature i of a row of n has its centre at 2i - (n-1) and covers two half columns.
"""

import numpy as np

from sim.engine.jit import Record, kernel, lowest_bit, without_lowest
from sim.games.riftborn.cards import Ability, AdjacentEnemies, ClearPath, StealthCover
from sim.games.riftborn.state import CENTRE, COLUMNS, NOBODY, PER_ROW, ROWS, Reach, code_bit, power, side_of

TILE = 2  # half tiles of a tile
HALVES = 2  # half columns of a creature
_NONE, _ONE = np.uint64(0), np.uint64(1)  # sets of places
BESIDE = 6  # most friends adjacent to a creature, see `beside`


@kernel
def lay_out(state: Record, seat: int) -> None:
    """RIFT-31. Derive row and centre of a side's creatures, and the front-most one in each half column."""
    for column in range(COLUMNS):
        state["front"][seat, column] = NOBODY
    for behind in range(ROWS):
        row = ROWS - 1 - behind
        length = state["row_len"][seat, row]
        for index in range(length):
            g = state["grid"][seat, row, index]
            centre = TILE * index - (length - 1)
            state["row"][g] = row
            state["centre"][g] = centre
            state["front"][seat, centre + CENTRE - 1] = g
            state["front"][seat, centre + CENTRE] = g


@kernel
def rows_of(state: Record, seat: int) -> int:
    """Number of rows of a formation, 0..3."""
    rows = 0
    while rows < ROWS and state["row_len"][seat, rows] > 0:
        rows += 1
    return rows


@kernel
def index_of(state: Record, g: int) -> int:
    """Index of a creature in its row, 0..4."""
    length = state["row_len"][side_of(g), state["row"][g]]
    return tiles(state["centre"][g] + length - 1)


@kernel
def tiles(halves: int) -> int:
    """Whole tiles in a number of half tiles. A shift, because a division would cost time here."""
    return halves >> 1


@kernel
def aside(state: Record, a: int, b: int) -> int:
    """Half tiles between the centres of two creatures along the rows, 0..8."""
    return abs(state["centre"][a] - state["centre"][b])


@kernel
def distance(state: Record, a: int, b: int) -> int:
    """RIFT-33. Distance of two creatures in tiles."""
    row_a, row_b = state["row"][a], state["row"][b]
    rows = abs(row_a - row_b) if side_of(a) == side_of(b) else row_a + row_b + 1
    return rows + tiles(aside(state, a, b))


@kernel
def in_contact(state: Record, a: int, b: int) -> bool:
    """RIFT-35. Whether two enemies are front-most in the same half column."""
    column = CENTRE + state["centre"][a]
    for k in range(column - 1, column + 1):
        if state["front"][side_of(a), k] == a and state["front"][side_of(b), k] == b:
            return True
    return False


@kernel
def is_clear(state: Record, cards: Record, a: int, b: int) -> bool:
    """RIFT-35, RA-08. Whether two enemies have a clear path to each other."""
    if cards["clear_path"] == ClearPath.HALF:
        return in_contact(state, a, b)
    if first_row_facing(state, a, side_of(a), state["row"][a]) < state["row"][a]:
        return False
    return aside(state, a, b) < TILE and first_row_facing(state, a, side_of(b), ROWS) == state["row"][b]


@kernel
def first_row_facing(state: Record, a: int, seat: int, rows: int) -> int:
    """RA-08. The first of `rows` front rows of a side with a creature less than a tile aside of a; `rows` if there is none."""
    for row in range(rows):
        for index in range(state["row_len"][seat, row]):
            if aside(state, a, state["grid"][seat, row, index]) < TILE:
                return row
    return rows


@kernel
def faces_player(state: Record, a: int) -> bool:
    """RIFT-36. Whether a creature has a clear path to the opponent."""
    seat, column = side_of(a), CENTRE + state["centre"][a]
    if state["front"][1 - seat, column] != NOBODY or state["front"][1 - seat, column - 1] != NOBODY:
        return False
    return state["front"][seat, column] == a and state["front"][seat, column - 1] == a


@kernel
def are_adjacent(state: Record, cards: Record, a: int, b: int) -> bool:
    """RIFT-34, RA-07. Whether two enemies are adjacent."""
    if distance(state, a, b) == 1:
        return True
    return cards["adjacent_enemies"] == AdjacentEnemies.CONTACT and in_contact(state, a, b)


@kernel
def is_flying(state: Record, a: int) -> bool:
    """RIFT-38. Whether FLIGHT is active: face up, and no face-up flyer of the enemy in front or behind it."""
    if state["face_down"][a] or power(state, a, Ability.FLIGHT) == 0:
        return False
    enemy = 1 - side_of(a)
    for row in range(ROWS):
        for index in range(state["row_len"][enemy, row]):
            g = state["grid"][enemy, row, index]
            if not state["face_down"][g] and aside(state, a, g) < TILE and power(state, g, Ability.FLIGHT) > 0:
                return False
    return True


@kernel
def is_covered(state: Record, cards: Record, b: int) -> bool:
    """RIFT-108, RA-24. Whether STEALTH prevents attacks except by adjacent creatures."""
    if power(state, b, Ability.STEALTH) == 0:
        return False
    return cards["stealth_cover"] == StealthCover.ALWAYS or state["face_down"][b] == 1


@kernel
def reach(state: Record, cards: Record, a: int, b: int) -> Reach:
    """RIFT-37. How creature a can attack enemy creature b; Reach.NONE: not at all."""
    apart = distance(state, a, b)
    if apart > 1 and is_covered(state, cards, b) and not are_adjacent(state, cards, a, b):
        return Reach.NONE
    if apart == 1:
        return Reach.ADJACENT
    if power(state, a, Ability.RANGE) >= apart:
        return Reach.RANGE
    if apart <= cards["flight_range"] and is_flying(state, a):
        return Reach.FLIGHT
    return Reach.CLEAR if is_clear(state, cards, a, b) else Reach.NONE


@kernel
def reach_player(state: Record, cards: Record, a: int) -> Reach:
    """RIFT-36, 37. How creature a can attack the opponent; Reach.NONE: not at all."""
    if faces_player(state, a):
        return Reach.CLEAR
    if power(state, a, Ability.RANGE) == 0 and power(state, a, Ability.FLIGHT) == 0:
        return Reach.NONE
    apart = state["row"][a] + rows_of(state, 1 - side_of(a)) + 1
    if power(state, a, Ability.RANGE) >= apart:
        return Reach.RANGE
    return Reach.FLIGHT if apart <= cards["flight_range"] and is_flying(state, a) else Reach.NONE


@kernel
def is_short(state: Record, cards: Record, a: int) -> bool:
    """RIFT-37. Whether a creature reaches only enemies in contact with it: it has neither RANGE nor FLIGHT."""
    if cards["clear_path"] != ClearPath.HALF:
        return False
    return power(state, a, Ability.RANGE) == 0 and power(state, a, Ability.FLIGHT) == 0


@kernel
def in_contact_at(state: Record, a: int, half: int) -> int:
    """RIFT-35. The enemy that faces a in its left (0) or right (1) half column, if a is front-most there; NOBODY."""
    column = CENTRE + state["centre"][a] - 1 + half
    if state["front"][side_of(a), column] != a:
        return NOBODY
    return state["front"][1 - side_of(a), column]


@kernel
def is_answered(cards: Record, reached: int) -> bool:
    """RIFT-37, RA-10. Whether an attack that reached its target this way is answered."""
    if reached == Reach.CLEAR:
        return cards["contact_retaliation"] == 1
    return reached == Reach.ADJACENT or reached == Reach.FLIGHT  # noqa: PLR1714 - kernels do not look into tuples


@kernel
def weapon_reaches(state: Record, cards: Record, card: int, b: int) -> bool:
    """RIFT-52. Whether a Weapon of the other side can hit creature b."""
    if is_covered(state, cards, b):
        return False
    seat, column = side_of(b), CENTRE + state["centre"][b]
    apart = rows_of(state, 1 - seat) + state["row"][b] + 1
    if cards["ability"][card, Ability.RANGE] >= apart:
        return True
    for k in range(column - 1, column + 1):
        if state["front"][seat, k] != b or state["front"][1 - seat, k] != NOBODY:
            return False
    return True


@kernel
def beside(state: Record, g: int, number: int) -> int:
    """RIFT-34. Friends adjacent to a creature by number 0..5: same row, row in front, row behind; NOBODY if there is none."""
    own = number < TILE
    row = state["row"][g]
    if not own:
        row += TILE * (number // TILE) - 3
    if row < 0 or row >= ROWS:
        return NOBODY
    length = state["row_len"][side_of(g), row]
    left = state["centre"][g] + length - 1  # twice its index in that row; odd if it stands between two
    if own:
        index = left // TILE - 1 + TILE * (number % TILE)
    elif left % TILE == 0:
        index = left // TILE if number % TILE == 0 else length
    else:
        index = left // TILE + number % TILE
    return state["grid"][side_of(g), row, index] if 0 <= index < length else NOBODY


@kernel
def insert(state: Record, seat: int, place: int, g: int) -> None:
    """RIFT-30. Insert a creature at a gap. place: row * 5 + index."""
    row, index = place // PER_ROW, place % PER_ROW
    length = state["row_len"][seat, row]
    for moved in range(length, index, -1):
        state["grid"][seat, row, moved] = state["grid"][seat, row, moved - 1]
    state["grid"][seat, row, index] = g
    state["row_len"][seat, row] = length + 1


@kernel
def take_out(state: Record, g: int) -> None:
    """RIFT-32. Remove a creature: the gap closes, an empty row disappears."""
    seat, row, index = side_of(g), state["row"][g], index_of(state, g)
    length = state["row_len"][seat, row] - 1
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
    """RIFT-40. Swap two creatures of a side, and update what `lay_out` derives."""
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
def places_of(state: Record, cards: Record, seat: int) -> np.uint64:
    """RIFT-30. Where a creature can enter, as bits: row * 5 + index."""
    found, row = _NONE, 0
    while row < ROWS and state["row_len"][seat, row] > 0:
        length = state["row_len"][seat, row]
        if length < cards["max_per_row"]:
            found |= ((_ONE << np.uint64(length + 1)) - _ONE) << np.uint64(PER_ROW * row)
        row += 1
    if row < cards["max_rows"]:
        found |= code_bit(PER_ROW * row)
    return found


@kernel
def places_beside(state: Record, cards: Record, seat: int, g: int) -> np.uint64:
    """RIFT-30, 109. Those of them that are adjacent to creature g."""
    found, left = _NONE, places_of(state, cards, seat)
    while left != _NONE:
        place = lowest_bit(left)
        left = without_lowest(left)
        if is_place_beside(state, g, place):
            found |= code_bit(place)
    return found


@kernel
def is_place_beside(state: Record, g: int, place: int) -> bool:
    """RIFT-109. Whether a creature entering there would be adjacent to g, after centring."""
    seat, row, index = side_of(g), place // PER_ROW, place % PER_ROW
    length = state["row_len"][seat, row]
    entering = TILE * index - length
    own_row = state["row"][g]
    centre = state["centre"][g]
    if own_row == row:
        at = index_of(state, g)
        centre = TILE * (at + (1 if at >= index else 0)) - length
    return abs(own_row - row) + abs(entering - centre) // TILE == 1


@kernel
def has_place(state: Record, cards: Record, seat: int, beside: int) -> bool:
    """RIFT-30, 109. Whether a creature can enter at all. beside: creature that it must be adjacent to, NOBODY."""
    if beside == NOBODY:
        return places_of(state, cards, seat) != _NONE
    return places_beside(state, cards, seat, beside) != _NONE
