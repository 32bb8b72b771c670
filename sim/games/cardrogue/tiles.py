"""Tiles and what they do: laying, replacing, traps, chest, fountain (ROGUE-17, 18, 29, 70 to 77, 113)."""

import numpy as np

from sim.engine.dice import roll
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.codes import KEY, Effect, Goal, Tile
from sim.games.cardrogue.draw import NO_ENTRY, Draw, draw_pathing
from sim.games.cardrogue.grid import ALL_OPEN, EAST, WEST, neighbour, next_cell, opens, opposite
from sim.games.cardrogue.harm import afflict, heal, hurt, no_mere_walk, something_happened
from sim.games.cardrogue.holding import avoid_trap_faces, discard, has_face, has_key
from sim.games.cardrogue.record import DIE_FACES, STRIDE, TILE_ENTRY
from sim.games.cardrogue.state import DIRECTIONS, NOTHING, NOWHERE, SEATS, Death, Down, Points, PutOff, Source
from sim.games.cardrogue.switches import ReplacementTrap

UNKNOWN = -1
UNLIMITED = 1000  # health: more than anybody has
AHEAD, LEFT, RIGHT = 1, 2, 4  # exits of a tile as seen by somebody walking in


@kernel
def turned(exits: int, direction: int) -> int:
    """ROGUE-17. Open sides of a tile that somebody looking in `direction` turned over."""
    mask = 1 << opposite(direction)
    if exits & AHEAD:
        mask |= 1 << direction
    if exits & LEFT:
        mask |= 1 << ((direction + WEST) % DIRECTIONS)
    if exits & RIGHT:
        mask |= 1 << ((direction + EAST) % DIRECTIONS)
    return mask


@kernel
def map_changed(state: Record) -> None:
    """What is known about being stuck holds no longer (ROGUE-110)."""
    for seat in range(SEATS):
        state["stuck"][seat] = UNKNOWN


@kernel
def lay_tile(state: Record, cards: Record, cell: int, entry: int, direction: int, source: int) -> None:
    """ROGUE-17, 18. Lay a tile of a deck face-up; entry NO_ENTRY: a floor that is no card."""
    map_changed(state)
    state["down"][cell] = Down.NO
    if entry == NO_ENTRY:
        state["tile"][cell], state["mask"][cell], state["source"][cell] = Tile.FLOOR, ALL_OPEN, Source.BANK
        return
    tile = entry - TILE_ENTRY
    state["tile"][cell] = cards["tile_kind"][tile]
    state["mask"][cell] = turned(np.int64(cards["tile_exits"][tile]), direction)
    state["source"][cell] = source
    state["laid"][cell] = tile
    note_tile(state, cell)


@kernel
def note_tile(state: Record, cell: int) -> None:
    """Register section 11. Rounds in which the first shop and the chest came up."""
    if state["tile"][cell] == Tile.SHOP and state["shop_seen"] == 0:
        state["shop_seen"] = state["round"]
    if state["tile"][cell] == Tile.CHEST and state["chest_seen"] == 0:
        state["chest_seen"] = state["round"]


@kernel
def replace(state: Record, cards: Record, seat: int, cell: int, direction: int, rng: Record) -> None:
    """ROGUE-18, 70. A card that lay on no tile has gone: a pathing tile takes its place; a trap triggers on `seat`."""
    state["on"][cell] = NOTHING
    map_changed(state)
    if state["tile"][cell] != Tile.NONE:
        return
    state["lively"] = 1
    lay_tile(state, cards, cell, draw_pathing(state, rng), direction, Source.PATHING)
    if state["tile"][cell] >= Tile.TRAP and cards["replacement_trap"] == ReplacementTrap.TRIGGERS:
        trigger(state, cards, seat, cell, rng)


@kernel
def trigger(state: Record, cards: Record, seat: int, cell: int, rng: Record) -> None:
    """ROGUE-70 to 72. The trap on a cell acts on a player, who may avoid it."""
    no_mere_walk(state)
    faces = avoid_trap_faces(state, cards, seat)
    if faces != 0 and has_face(faces, roll(rng, seat, Draw.TRAP, DIE_FACES)):
        return
    trap = state["tile"][cell] - Tile.TRAP
    if cards["trap_effect"][trap] == Effect.DAMAGE:
        hurt(state, seat, np.int64(cards["trap_n"][trap]), Death.TRAP)
    else:
        afflict(state, seat, np.int64(cards["trap_effect"][trap]), np.int64(cards["trap_n"][trap]))


@kernel
def open_chest(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-77. Who is on the chest with the key discards the key and scores; the tile is plain from then on."""
    cell = np.int64(state["cell"][seat])
    if state["tile"][cell] != Tile.CHEST or not has_key(state, seat):
        return
    something_happened(state)
    state["progress"] = 1
    discard(state, seat, KEY)
    state["scored"][seat, Points.CHEST] += cards["vp_chest"]
    state["goals_done"] |= Goal.CHEST
    state["tile"][cell] = Tile.FLOOR


@kernel
def drink_fountain(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-74. The fountain under a player heals, or drains and is replaced."""
    cell = np.int64(state["cell"][seat])
    if has_face(np.int64(cards["fountain_drain_faces"]), roll(rng, seat, Draw.FOUNTAIN, DIE_FACES)):
        discard_tile(state, cell)
        replace(state, cards, seat, cell, np.int64(state["heading"][seat]), rng)
        if state["put_off"][seat] == PutOff.ALL:
            state["put_off"][seat] = PutOff.NO_TRAP
    else:
        heal(state, cards, seat, np.int64(cards["fountain_heal"]))


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
    for direction in range(DIRECTIONS):
        if opens(np.int64(state["mask"][cell]), direction):
            there = neighbour(cards, cell, direction)
            if there != NOWHERE and is_empty(state, there) and take_card(state, cards):
                state["down"][there], state["mask"][there] = Down.CARD, ALL_OPEN
                map_changed(state)


@kernel
def is_empty(state: Record, cell: int) -> bool:
    """Whether a cell holds nothing at all."""
    return state["down"][cell] == Down.NO and state["tile"][cell] == Tile.NONE and state["on"][cell] == NOTHING


@kernel
def take_card(state: Record, cards: Record) -> bool:
    """ROGUE-113. Take a card to lay: from the stack, else a face-down one that no tile opens onto. Whether there is one."""
    if state["stack"] > 0:
        state["stack"] -= 1
        return True
    for row in range(np.int64(cards["rows"])):
        for cell in range(row * STRIDE, row * STRIDE + cards["columns"]):
            if state["down"][cell] == Down.CARD and not is_opened(state, cards, cell):
                state["down"][cell], state["mask"][cell] = Down.NO, 0
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
