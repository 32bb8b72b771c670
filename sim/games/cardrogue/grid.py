"""The grid of cells: neighbours, paths, who stands and what lies where (ROGUE-03, 14, 16, 19)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.codes import Tile
from sim.games.cardrogue.record import STRIDE
from sim.games.cardrogue.state import DIRECTIONS, MONSTER, NOBODY, NOTHING, NOWHERE, SEATS, Down
from sim.games.cardrogue.switches import FlipRule

ALL_OPEN = 15  # open to all four sides
NORTH, EAST, SOUTH, WEST = range(DIRECTIONS)
ROW_SHIFT = 5  # STRIDE is a power of two
COLUMN_MASK = STRIDE - 1


@kernel
def neighbour(cards: Record, cell: int, direction: int) -> int:
    """ROGUE-03. Cell next to a cell, NOWHERE off the table."""
    if direction == NORTH:
        return cell + STRIDE if (cell >> ROW_SHIFT) + 1 < cards["rows"] else NOWHERE
    if direction == EAST:
        return cell + 1 if (cell & COLUMN_MASK) + 1 < cards["columns"] else NOWHERE
    if direction == SOUTH:
        return cell - STRIDE if cell >= STRIDE else NOWHERE
    return cell - 1 if cell & COLUMN_MASK else NOWHERE


@kernel
def opposite(direction: int) -> int:
    """Direction to the other side."""
    return direction ^ SOUTH


@kernel
def opens(mask: int, direction: int) -> bool:
    """Whether a set of open sides holds a direction."""
    return (mask >> direction) & 1 == 1


@kernel
def next_cell(state: Record, cards: Record, cell: int, direction: int) -> int:
    """ROGUE-16. The adjacent cell in a direction: both sides open towards each other; NOWHERE otherwise."""
    if not opens(np.int64(state["mask"][cell]), direction):
        return NOWHERE
    there = neighbour(cards, cell, direction)
    if there == NOWHERE or not opens(np.int64(state["mask"][there]), opposite(direction)):
        return NOWHERE
    return there


@kernel
def player_at(state: Record, cell: int) -> int:
    """Seat whose player stands on a cell, NOBODY."""
    for seat in range(SEATS):
        if state["cell"][seat] == cell and seat < state["seats"]:
            return seat
    return NOBODY


@kernel
def monster_at(state: Record, cell: int) -> int:
    """Slot of the enemy on a cell, NOBODY."""
    if state["on"][cell] >= MONSTER and state["down"][cell] == Down.NO:
        return state["on"][cell] - MONSTER
    return NOBODY


@kernel
def is_walkable(state: Record, cell: int) -> bool:
    """ROGUE-19. Whether one could walk onto a cell if players made way: a face-up card without enemy."""
    if state["down"][cell] != Down.NO or (state["tile"][cell] == Tile.NONE and state["on"][cell] == NOTHING):
        return False
    return state["on"][cell] < MONSTER


@kernel
def is_free(state: Record, cell: int) -> bool:
    """ROGUE-19. Whether one can walk onto a cell: a face-up card without player or enemy."""
    return is_walkable(state, cell) and player_at(state, cell) == NOBODY


@kernel
def free_sides(state: Record, cards: Record, cell: int) -> int:
    """ROGUE-26. Directions in which one can walk from a cell, bits 1 << direction."""
    sides = 0
    for direction in range(DIRECTIONS):
        there = next_cell(state, cards, cell, direction)
        if there != NOWHERE and is_free(state, there):
            sides |= 1 << direction
    return sides


@kernel
def down_sides(state: Record, cards: Record, cell: int) -> int:
    """ROGUE-24, A-04. Directions of the face-down cards that can be flipped from a cell, bits 1 << direction."""
    sides = 0
    for direction in range(DIRECTIONS):
        there = neighbour(cards, cell, direction)
        if there == NOWHERE or state["down"][there] == Down.NO:
            continue
        if opens(np.int64(state["mask"][cell]), direction) or cards["flip_rule"] == FlipRule.ORTHOGONAL:
            sides |= 1 << direction
    return sides


@kernel
def monster_sides(state: Record, cards: Record, cell: int) -> int:
    """ROGUE-21. Directions of the revealed enemies adjacent to a cell, bits 1 << direction."""
    sides = 0
    for direction in range(DIRECTIONS):
        there = next_cell(state, cards, cell, direction)
        if there != NOWHERE and monster_at(state, there) != NOBODY:
            sides |= 1 << direction
    return sides


@kernel
def player_sides(state: Record, cards: Record, cell: int) -> int:
    """ROGUE-65. Directions of the players on adjacent cells, bits 1 << direction."""
    sides = 0
    for other in range(np.int64(state["seats"])):
        there = np.int64(state["cell"][other])
        if there in (NOWHERE, cell):
            continue
        for direction in range(DIRECTIONS):
            if next_cell(state, cards, cell, direction) == there:
                sides |= 1 << direction
    return sides


@kernel
def lowest(bits: int) -> int:
    """Place of the lowest bit set, for at most 8 bits; 0 if none is."""
    for place in range(DIRECTIONS + DIRECTIONS):
        if (bits >> place) & 1:
            return place
    return 0
