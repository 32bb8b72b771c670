"""Flipping, moving and what is met on arrival (ROGUE-24 to 33, 58, 78, 86, 90, 104, 106)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.codes import KEY, Category, Tile
from sim.games.cardrogue.decisions import GOLD_CODE
from sim.games.cardrogue.draw import draw_exploration
from sim.games.cardrogue.engage import join, join_around, leave_all, recheck, reveal, step_after_flip
from sim.games.cardrogue.grid import ALL_OPEN, monster_sides, neighbour
from sim.games.cardrogue.harm import interrupted, something_happened
from sim.games.cardrogue.holding import gain
from sim.games.cardrogue.points import finish
from sim.games.cardrogue.record import TILE_ENTRY
from sim.games.cardrogue.state import LYING, MONSTER, NOTHING, Down, Ending, PutOff, Source
from sim.games.cardrogue.tiles import UNKNOWN, lay_tile, map_changed, note_tile, open_chest, replace, trigger

NO_TYPE = -1


@kernel
def flip(state: Record, cards: Record, seat: int, direction: int, rng: Record) -> None:
    """ROGUE-24, 25. Turn over the face-down card in a direction, with what follows from it."""
    cell = neighbour(cards, np.int64(state["cell"][seat]), direction)
    state["flips"][seat] += 1
    state["flipped"], state["progress"] = 1, 1
    something_happened(state)
    if state["down"][cell] == Down.MAPPED:
        card = turn_up(state, cards, cell)
    else:
        entry = draw_exploration(state, rng)
        state["down"][cell] = Down.NO
        card = entry
        if entry >= TILE_ENTRY:
            lay_tile(state, cards, cell, entry, direction, Source.EXPLORATION)
            card = NO_TYPE
    if card != NO_TYPE:
        show(state, cards, seat, cell, direction, card, rng)
    if card == NO_TYPE and state["tile"][cell] >= Tile.TRAP:
        trigger(state, cards, seat, cell, rng)
    recheck(state, cards)


@kernel
def turn_up(state: Record, cards: Record, cell: int) -> int:
    """ROGUE-107. Turn up what a fixed layout has face-down on a cell; returns the card that lies there, NO_TYPE."""
    origin = np.int64(state["on"][cell])
    state["down"][cell] = Down.NO
    state["on"][cell] = NOTHING
    state["tile"][cell] = cards["map_tile"][origin]
    state["source"][cell] = Source.MAP
    state["mask"][cell] = cards["map_mask"][origin] if state["tile"][cell] != Tile.NONE else ALL_OPEN
    map_changed(state)
    note_tile(state, cell)
    return cards["map_on"][origin] - 1


@kernel
def show(state: Record, cards: Record, seat: int, cell: int, direction: int, card: int, rng: Record) -> None:
    """ROGUE-25. A card other than a tile was turned over by `seat`, who looks in `direction`."""
    category = np.int64(cards["category"][card])
    if category == Category.ENEMY:
        state["mask"][cell] = state["mask"][cell] if state["tile"][cell] != Tile.NONE else ALL_OPEN
        reveal(state, cards, cell, card)
        join(state, cards, seat, direction, step_after_flip(state, cards))
    elif category == Category.POTION:
        state["on"][cell] = LYING + card
        map_changed(state)
    else:
        if card == KEY and state["key_seen"] == 0:
            state["key_seen"] = state["round"]
        gain(state, cards, seat, card)
        replace(state, cards, seat, cell, direction, rng)


@kernel
def walk(state: Record, cards: Record, seat: int, direction: int, rng: Record) -> None:
    """ROGUE-26. Step onto the adjacent cell in a direction and meet what is there."""
    state["steps_walked"][seat] += 1
    state["walked"] = 1
    stand_on(state, seat, neighbour(cards, np.int64(state["cell"][seat]), direction), direction)
    arrive(state, cards, seat, rng)


@kernel
def stand_on(state: Record, seat: int, cell: int, direction: int) -> None:
    """Put a player on a cell that it entered in a direction."""
    state["cell"][seat] = cell
    state["heading"][seat] = direction


@kernel
def arrive(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-27. Arrival effects of a move in the own turn, in their order; a cut puts the rest off."""
    if leaves_dungeon(state, cards, seat):
        return
    state["put_off"][seat] = PutOff.NOTHING
    meet(state, cards, seat, rng)
    if interrupted(state):
        return
    join_around(state, cards, seat, monster_sides(state, cards, np.int64(state["cell"][seat])))


@kernel
def meet(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-27, 33. Cards of the dead, trap, potion, chest on the own cell."""
    cell = np.int64(state["cell"][seat])
    if state["tile"][cell] == Tile.SHOP and state["first_shop"][seat] == 0:
        state["first_shop"][seat] = state["round"]
    pick_up_left(state, cards, seat, cell)
    if state["tile"][cell] >= Tile.TRAP:
        trigger(state, cards, seat, cell, rng)
    if interrupted(state):
        state["put_off"][seat] = PutOff.AFTER_TRAP
    else:
        meet_rest(state, cards, seat, rng)


@kernel
def meet_rest(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-27. Potion, then chest on the own cell; a trap turned up below the potion acts at once."""
    cell = np.int64(state["cell"][seat])
    if NOTHING < state["on"][cell] < MONSTER:
        take_lying(state, cards, seat, cell, rng)
    if interrupted(state):
        state["put_off"][seat] = PutOff.AFTER_TRAP
    else:
        open_chest(state, cards, seat)


@kernel
def meet_later(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-33. What was put off happens at the start of the turn; a trap that has acted does not act again."""
    waiting = state["put_off"][seat]
    state["put_off"][seat] = PutOff.NOTHING
    if waiting == PutOff.NO_TRAP:
        pick_up_left(state, cards, seat, np.int64(state["cell"][seat]))
    if waiting == PutOff.ALL:
        meet(state, cards, seat, rng)
    elif waiting != PutOff.NOTHING:
        meet_rest(state, cards, seat, rng)


@kernel
def pick_up_left(state: Record, cards: Record, seat: int, cell: int) -> None:
    """ROGUE-78. Cards left by the dead go to the hand of whoever moves onto the cell."""
    kept = 0
    for place in range(np.int64(state["left_cards"])):
        if state["left_cell"][place] != cell:
            state["left_cell"][kept] = state["left_cell"][place]
            state["left_type"][kept] = state["left_type"][place]
            kept += 1
            continue
        something_happened(state)
        card = np.int64(state["left_type"][place])
        if card >= GOLD_CODE:
            state["gold"][seat] += cards["denomination"][card - GOLD_CODE]
        else:
            gain(state, cards, seat, card)
    state["left_cards"] = kept


@kernel
def take_lying(state: Record, cards: Record, seat: int, cell: int, rng: Record) -> None:
    """ROGUE-86. Take the potion (on a map any card) that lies on the own cell; a tile takes its place."""
    something_happened(state)
    state["progress"] = 1
    card = np.int64(state["on"][cell]) - LYING
    if card == KEY and state["key_seen"] == 0:
        state["key_seen"] = state["round"]
    gain(state, cards, seat, card)
    replace(state, cards, seat, cell, np.int64(state["heading"][seat]), rng)
    recheck(state, cards)


@kernel
def leaves_dungeon(state: Record, cards: Record, seat: int) -> bool:
    """ROGUE-104, 106, 107. End the game if the cell moved onto is the way out."""
    tile = np.int64(state["tile"][state["cell"][seat]])
    if state["seats"] > 1:
        if state["rush"] and tile == Tile.START:
            finish(state, cards, Ending.EXIT, seat)
            return True
        return False
    way_out = Tile.LADDER if cards["has_ladder"] else Tile.START
    if tile == way_out and state["goals_done"] & cards["goals"] == cards["goals"]:
        finish(state, cards, Ending.SOLO_WON, seat)
        return True
    return False


@kernel
def carry_to(state: Record, cards: Record, seat: int, cell: int) -> None:
    """ROGUE-33, 90. Put a player on a cell without its meeting anything there yet."""
    leave_all(state, cards, seat, False)
    state["cell"][seat] = cell
    state["put_off"][seat] = PutOff.ALL
    state["stuck"][seat] = UNKNOWN
