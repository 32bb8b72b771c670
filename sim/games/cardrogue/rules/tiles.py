"""Tiles: the grid, laying and replacing tiles, traps, chest and fountain, who is stuck.

ROGUE-03, 14, 16 to 19, 29, 70 to 77, 110, 113.
"""

import numpy as np

from sim.engine.jit import Record, kernel, scratch
from sim.games.cardrogue.hidden import NO_ENTRY, Draw, draw_pathing
from sim.games.cardrogue.record import KEY, STRIDE, TILE_ENTRY, Effect, FlipRule, Goal, ReplacementTrap, Tile
from sim.games.cardrogue.rules import basics
from sim.games.cardrogue.state import (
    DIRECTIONS,
    MONSTER,
    NOBODY,
    NOTHING,
    NOWHERE,
    SEARCH,
    SEATS,
    SEEN_WORDS,
    Death,
    Down,
    Points,
    PutOff,
    Source,
)

# the grid

ALL_OPEN = 15  # open to all four sides
NORTH, EAST, SOUTH, WEST = range(DIRECTIONS)
ROW_SHIFT = 5  # STRIDE is a power of two
COLUMN_MASK = STRIDE - 1


@kernel
def neighbour(cards: Record, cell: int, direction: int) -> int:
    """ROGUE-03. The neighbour of a cell in a direction, NOWHERE off the table."""
    if direction == NORTH:
        return cell + STRIDE if (cell >> ROW_SHIFT) + 1 < cards["rows"] else NOWHERE
    if direction == EAST:
        return cell + 1 if (cell & COLUMN_MASK) + 1 < cards["columns"] else NOWHERE
    if direction == SOUTH:
        return cell - STRIDE if cell >= STRIDE else NOWHERE
    return cell - 1 if cell & COLUMN_MASK else NOWHERE


@kernel
def opposite(direction: int) -> int:
    """The opposite direction."""
    return direction ^ SOUTH


@kernel
def opens(mask: int, direction: int) -> bool:
    """Whether a set of sides contains a direction."""
    return (mask >> direction) & 1 == 1


@kernel
def next_cell(state: Record, cards: Record, cell: int, direction: int) -> int:
    """ROGUE-16. The adjacent cell in a direction: both sides open towards each other; NOWHERE otherwise."""
    if not opens(state["mask"][cell], direction):
        return NOWHERE
    there = neighbour(cards, cell, direction)
    if there == NOWHERE or not opens(state["mask"][there], opposite(direction)):
        return NOWHERE
    return there


@kernel
def player_at(state: Record, cell: int) -> int:
    """Seat of the player on a cell, or NOBODY."""
    for seat in range(SEATS):
        if state["cell"][seat] == cell and seat < state["seats"]:
            return seat
    return NOBODY


@kernel
def monster_at(state: Record, cell: int) -> int:
    """Slot of the enemy on a cell, or NOBODY."""
    if state["on"][cell] >= MONSTER and state["down"][cell] == Down.NO:
        return state["on"][cell] - MONSTER
    return NOBODY


@kernel
def is_walkable(state: Record, cell: int) -> bool:
    """ROGUE-19. Whether a cell could be walked onto if players made way: a face-up card without an enemy."""
    if state["down"][cell] != Down.NO or (state["tile"][cell] == Tile.NONE and state["on"][cell] == NOTHING):
        return False
    return state["on"][cell] < MONSTER


@kernel
def is_free(state: Record, cell: int) -> bool:
    """ROGUE-19. Whether a cell can be walked onto: a face-up card without player or enemy."""
    return is_walkable(state, cell) and player_at(state, cell) == NOBODY


FOE_SHIFT, DOWN_SHIFT = 4, 8  # in `around`
OFFSET = np.array([STRIDE, 1, -STRIDE, -1])  # to the next cell, by direction


@kernel
def survey(state: Record, cards: Record, cell: int) -> None:
    """Note in `around` that a cell has changed: what its sides lead to, and what the sides of its neighbours lead to there.

    Sides of face-up cells that can be walked onto if players make way are bits 1 << direction, those of revealed enemies lie
    FOE_SHIFT higher, and those of face-down cards that can be flipped DOWN_SHIFT higher.
    """
    around = 0
    for direction in range(DIRECTIONS):
        there = neighbour(cards, cell, direction)
        if there != NOWHERE:
            back = opposite(direction)
            others = state["around"][there] & ~((1 | 1 << FOE_SHIFT | 1 << DOWN_SHIFT) << back)
            state["around"][there] = others | leads_to(state, cards, there, back, cell) << back
            around |= leads_to(state, cards, cell, direction, there) << direction
    state["around"][cell] = around


@kernel
def survey_all(state: Record, cards: Record) -> None:
    """Fill `around` for a map that was laid at once."""
    for cell in range(len(state["mask"])):
        if state["mask"][cell]:
            survey(state, cards, cell)


@kernel
def leads_to(state: Record, cards: Record, cell: int, direction: int, there: int) -> int:
    """ROGUE-16, 19, 21, 24, A-04. What a side of a cell leads to, as in `around` for direction 0. there: the cell beyond it."""
    leaves = opens(state["mask"][cell], direction)
    if state["down"][there] != Down.NO:
        return 1 << DOWN_SHIFT if leaves or cards["flip_rule"] == FlipRule.ORTHOGONAL else 0
    if not leaves or not opens(state["mask"][there], opposite(direction)):
        return 0
    if state["on"][there] >= MONSTER:
        return 1 << FOE_SHIFT
    return 1 if is_walkable(state, there) else 0


@kernel
def walk_sides(state: Record, cell: int) -> int:
    """ROGUE-19. Directions in which a player could walk from a cell if others made way, bits 1 << direction."""
    return state["around"][cell] & ALL_OPEN


@kernel
def monster_sides(state: Record, cell: int) -> int:
    """ROGUE-21. Directions of the revealed enemies adjacent to a cell, bits 1 << direction."""
    return state["around"][cell] >> FOE_SHIFT & ALL_OPEN


@kernel
def down_sides(state: Record, cell: int) -> int:
    """ROGUE-24, A-04. Directions of the face-down cards that can be flipped from a cell, bits 1 << direction."""
    return state["around"][cell] >> DOWN_SHIFT


@kernel
def blind_sides(state: Record, cell: int) -> int:
    """Open sides of a cell that lead to nothing, bits 1 << direction."""
    around = state["around"][cell]
    return state["mask"][cell] & ~(around | around >> FOE_SHIFT | around >> DOWN_SHIFT)


@kernel
def player_sides(state: Record, cell: int) -> int:
    """ROGUE-65. Directions of the players on adjacent cells, bits 1 << direction."""
    return (walk_sides(state, cell) | monster_sides(state, cell)) & sides_taken(state, cell)


@kernel
def free_sides(state: Record, cell: int) -> int:
    """ROGUE-26. Directions in which a player can walk from a cell, bits 1 << direction."""
    return walk_sides(state, cell) & ~sides_taken(state, cell)


@kernel
def sides_taken(state: Record, cell: int) -> int:
    """Directions of the players next to a cell, across walls too. Bits off the table mean nothing."""
    sides = 0
    for seat in range(state["seats"]):
        way = state["cell"][seat] - cell
        if way == STRIDE:
            sides |= 1 << NORTH
        elif way == 1:
            sides |= 1 << EAST
        elif way == -STRIDE:
            sides |= 1 << SOUTH
        elif way == -1:
            sides |= 1 << WEST
    return sides


@kernel
def lowest(bits: int) -> int:
    """Index of the lowest set bit, for at most 8 bits; 0 if none is set."""
    for place in range(DIRECTIONS + DIRECTIONS):
        if (bits >> place) & 1:
            return place
    return 0


# laying and replacing tiles, traps, chest, fountain

UNKNOWN = -1
UNLIMITED = 1000  # health: more than any player has
AHEAD, LEFT, RIGHT = 1, 2, 4  # exits of a tile as seen when walking in


@kernel
def turned(exits: int, direction: int) -> int:
    """ROGUE-17. Open sides of a tile that a player looking in `direction` turned over."""
    mask = 1 << opposite(direction)
    if exits & AHEAD:
        mask |= 1 << direction
    if exits & LEFT:
        mask |= 1 << ((direction + WEST) % DIRECTIONS)
    if exits & RIGHT:
        mask |= 1 << ((direction + EAST) % DIRECTIONS)
    return mask


@kernel
def map_changed(state: Record, cards: Record, cell: int) -> None:
    """ROGUE-110. A cell has changed: note what is around it, and forget which players are stuck."""
    survey(state, cards, cell)
    for seat in range(SEATS):
        state["stuck"][seat] = UNKNOWN


@kernel
def lay_tile(state: Record, cards: Record, cell: int, entry: int, direction: int, source: int) -> None:
    """ROGUE-17, 18. Lay a tile of a deck face-up; with entry NO_ENTRY a floor that is no card."""
    state["down"][cell] = Down.NO
    if entry == NO_ENTRY:
        state["tile"][cell], state["mask"][cell], state["source"][cell] = Tile.FLOOR, ALL_OPEN, Source.BANK
    else:
        tile = entry - TILE_ENTRY
        state["tile"][cell] = cards["tile_kind"][tile]
        state["mask"][cell] = turned(np.int64(cards["tile_exits"][tile]), direction)
        state["source"][cell] = source
        state["laid"][cell] = tile
        note_tile(state, cell)
    map_changed(state, cards, cell)


@kernel
def note_tile(state: Record, cell: int) -> None:
    """Note the rounds in which the first shop and the chest came up."""
    if state["tile"][cell] == Tile.SHOP and state["shop_seen"] == 0:
        state["shop_seen"] = state["round"]
    if state["tile"][cell] == Tile.CHEST and state["chest_seen"] == 0:
        state["chest_seen"] = state["round"]


@kernel
def replace(state: Record, cards: Record, seat: int, cell: int, direction: int, rng: Record) -> None:
    """ROGUE-18, 70. A card has gone: unless it lay on a tile, a pathing tile takes its place; a trap triggers on `seat`."""
    state["on"][cell] = NOTHING
    if state["tile"][cell] != Tile.NONE:
        map_changed(state, cards, cell)
        return
    state["lively"] = 1
    lay_tile(state, cards, cell, draw_pathing(state, rng), direction, Source.PATHING)
    if state["tile"][cell] >= Tile.TRAP and cards["replacement_trap"] == ReplacementTrap.TRIGGERS:
        trigger(state, cards, seat, cell, rng)


@kernel
def trigger(state: Record, cards: Record, seat: int, cell: int, rng: Record) -> None:
    """ROGUE-70 to 72. The trap on a cell acts on a player, unless the player avoids it."""
    basics.no_mere_walk(state)
    own = cards["own_avoid_trap_faces"][state["character"][seat]]
    faces = own | basics.worn_faces(state, cards, seat, cards["avoid_trap_faces"])
    if faces != 0 and basics.rolls_within(rng, seat, Draw.TRAP, faces):
        return
    trap = state["tile"][cell] - Tile.TRAP
    if cards["trap_effect"][trap] == Effect.DAMAGE:
        basics.hurt(state, seat, cards["trap_n"][trap], Death.TRAP)
    else:
        basics.afflict(state, seat, cards["trap_effect"][trap], cards["trap_n"][trap])


@kernel
def open_chest(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-77. A player on the chest with the key discards the key and scores; the tile is plain from then on."""
    cell = state["cell"][seat]
    if state["tile"][cell] != Tile.CHEST or not basics.has_key(state, seat):
        return
    basics.something_happened(state)
    state["progress"] = 1
    basics.discard(state, seat, KEY)
    state["scored"][seat, Points.CHEST] += cards["vp_chest"]
    state["goals_done"] |= Goal.CHEST
    state["tile"][cell] = Tile.FLOOR


@kernel
def drink_fountain(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-74. The fountain under a player heals, or drains and is replaced."""
    cell = state["cell"][seat]
    if basics.rolls_within(rng, seat, Draw.FOUNTAIN, np.int64(cards["fountain_drain_faces"])):
        discard_tile(state, cell)
        replace(state, cards, seat, cell, state["heading"][seat], rng)
        if state["put_off"][seat] == PutOff.ALL:
            state["put_off"][seat] = PutOff.NO_TRAP
    else:
        basics.heal(state, cards, seat, cards["fountain_heal"])


@kernel
def discard_tile(state: Record, cell: int) -> None:
    """The tile on a cell leaves the game."""
    entry = TILE_ENTRY + state["laid"][cell]
    if state["source"][cell] == Source.EXPLORATION:
        state["gone"][entry] += 1
    elif state["source"][cell] == Source.PATHING:
        state["pathing_gone"][entry] += 1
    state["tile"][cell], state["source"][cell] = Tile.NONE, Source.NONE


@kernel
def place_around(state: Record, cards: Record, cell: int) -> None:
    """ROGUE-29. Lay a face-down card on every empty cell towards which the tile of a cell is open."""
    blind = blind_sides(state, cell)
    for direction in range(DIRECTIONS):
        if opens(blind, direction):
            there = neighbour(cards, cell, direction)
            if there != NOWHERE and is_empty(state, there) and take_card(state, cards):
                state["down"][there], state["mask"][there] = Down.CARD, ALL_OPEN
                map_changed(state, cards, there)


@kernel
def is_empty(state: Record, cell: int) -> bool:
    """Whether nothing lies on a cell."""
    return state["down"][cell] == Down.NO and state["tile"][cell] == Tile.NONE and state["on"][cell] == NOTHING


@kernel
def take_card(state: Record, cards: Record) -> bool:
    """ROGUE-113. Take a card to lay: from the stack, else a face-down one onto which no tile opens. False if none."""
    if state["stack"] > 0:
        state["stack"] -= 1
        return True
    if state["unseen_cards"] == 0:
        return False
    for row in range(cards["rows"]):
        for cell in range(row * STRIDE, row * STRIDE + cards["columns"]):
            if state["down"][cell] == Down.CARD and not is_opened(state, cards, cell):
                state["down"][cell], state["mask"][cell] = Down.NO, 0
                survey(state, cards, cell)
                return True
    return False


@kernel
def is_opened(state: Record, cards: Record, cell: int) -> bool:
    """ROGUE-113. Whether a face-up tile opens onto a cell."""
    for direction in range(DIRECTIONS):
        there = next_cell(state, cards, cell, direction)
        if there != NOWHERE and state["down"][there] == Down.NO and state["tile"][there] != Tile.NONE:
            return True
    return False


# searches over the known map

WORD_SHIFT = 6
BIT_MASK = 63
ONE = np.uint64(1)


@kernel
def start_search(search: Record, cell: int) -> None:
    """Begin a search at a cell. search: SEARCH."""
    for i in range(SEEN_WORDS):
        search["seen"][i] = 0
    add_cell(search["seen"], cell)
    search["queue"][0] = cell
    search["steps"][cell] = 0


@kernel
def add_cell(cells: np.ndarray, cell: int) -> bool:
    """Add a cell to a set; returns whether it is new there."""
    word, place = np.uint64(cell >> WORD_SHIFT), ONE << np.uint64(cell & BIT_MASK)
    if cells[word] & place:
        return False
    cells[word] |= place
    return True


@kernel
def has_cell(cells: np.ndarray, cell: int) -> bool:
    """Whether a cell is in a set."""
    return cells[np.uint64(cell >> WORD_SHIFT)] >> np.uint64(cell & BIT_MASK) & ONE != 0


@kernel
def is_stuck(state: Record, cards: Record, seat: int) -> bool:
    """ROGUE-110. Whether a player has nothing left to reach; remembered until the map changes.

    A potion on the player's own cell is within reach: it is picked up at the start of the next turn (ROGUE-33).
    """
    if state["stuck"][seat] == UNKNOWN:
        cell = state["cell"][seat]
        state["stuck"][seat] = 0 if state["on"][cell] != NOTHING or has_aim(state, cards, cell) else 1
    return state["stuck"][seat] == 1


@kernel
def has_aim(state: Record, cards: Record, cell: int) -> bool:
    """ROGUE-110, A-04. Whether a walk from a cell meets a face-down card, an enemy, a potion or room for a card."""
    could_lay = state["stack"] > 0 or has_unopened(state, cards)
    search = scratch(SEARCH)
    start_search(search, cell)
    begin, end = 0, 1
    while begin < end:
        here = search["queue"][begin]
        begin += 1
        around = state["around"][here]
        if around >> FOE_SHIFT:
            return True
        for direction in range(DIRECTIONS):
            if opens(around, direction):
                there = here + OFFSET[direction]
                if state["on"][there] != NOTHING:
                    return True
                if add_cell(search["seen"], there):
                    search["queue"][end] = there
                    end += 1
            elif could_lay and opens(state["mask"][here], direction):
                there = neighbour(cards, here, direction)
                if there != NOWHERE and is_empty(state, there):
                    return True
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
