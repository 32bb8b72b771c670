"""Where to go: the best that can be reached over the known map, by worth and distance (register section 7)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.grid import down_sides, is_free, monster_at, next_cell
from sim.games.cardrogue.holding import has_key, max_health
from sim.games.cardrogue.outlook import daring, prospect_of
from sim.games.cardrogue.record import Tile
from sim.games.cardrogue.search import mark, met, start_search
from sim.games.cardrogue.shopping import shopping
from sim.games.cardrogue.state import DIRECTIONS, GOLD_CODE, LYING, MONSTER, NOBODY, NOTHING, NOWHERE, Down
from sim.games.cardrogue.worth import DISCOVERY, GOLD, HEALTH, KEY_AND_CHEST, POINT, assets, card_worth

FAR = 40  # steps beyond which nothing is looked for
HOME = 9.0  # worth of the way out in the end rush
BOLD = 0.6  # share of health from which cards are turned over
LITTLE = 3.0  # assets with which one risks everything
UNGUARDED = 1000.0  # of `guard_worth`: no enemy
STEP = 1.0  # added to the distance: what lies far is worth less
PASSES = 0.98  # nothing is worth quite as much before one has it


@kernel
def prospects(state: Record, cards: Record, seat: int, moving: bool, fighting: bool) -> float:
    """Best of worth / distance over what a player can walk to; enemies and players do not make way.

    moving: the next step is being taken, so that all but the own cell is one step nearer; fighting: the enemies around the
    own cell are not counted.
    """
    best, buying, steps = 0.0, shopping(state, cards, seat), 0
    start_search(state, np.int64(state["cell"][seat]))
    begin, end, level = 0, 1, 1
    while begin < end and steps < FAR:
        here = np.int64(state["queue"][begin])
        begin += 1
        away = steps + STEP if not moving else max(float(steps), 2.0 - 2.0 * steps)
        guards = UNGUARDED if fighting and steps == 0 else guard_worth(state, cards, seat, here)
        if steps == 0 or guards >= 0.0:
            worth = max(guards if guards != UNGUARDED else 0.0, place_worth(state, cards, seat, here, buying))
            best = max(best, PASSES * worth / away)
        if steps == 0 or guards == UNGUARDED:
            end = spread(state, cards, here, end)
        if begin == level:
            level = end
            steps += 1
    return best


@kernel
def spread(state: Record, cards: Record, here: int, end: int) -> int:
    """Append the free cells next to a cell to the queue; returns its new end."""
    for direction in range(DIRECTIONS):
        there = next_cell(state, cards, here, direction)
        if there != NOWHERE and not met(state, there) and is_free(state, there):
            mark(state, there)
            state["queue"][end] = there
            end += 1
    return end


@kernel
def guard_worth(state: Record, cards: Record, seat: int, cell: int) -> float:
    """What the enemies around a cell make of standing there: the best of them, UNGUARDED if there is none."""
    best = UNGUARDED
    for direction in range(DIRECTIONS):
        there = next_cell(state, cards, cell, direction)
        slot = monster_at(state, there) if there != NOWHERE else NOBODY
        if slot != NOBODY:
            worth = prospect_of(state, cards, seat, slot)
            best = worth if best == UNGUARDED else best + min(0.0, worth) if worth < 0.0 else max(best, worth)
    return best


@kernel
def place_worth(state: Record, cards: Record, seat: int, cell: int, buying: float) -> float:
    """What standing on a cell would bring."""
    worth, tile = 0.0, np.int64(state["tile"][cell])
    if tile == Tile.SHOP:
        worth = buying
    elif tile == Tile.CHEST and has_key(state, seat):
        worth = POINT - KEY_AND_CHEST
    elif tile == Tile.FOUNTAIN:
        missing = max_health(state, cards, seat) - state["health"][seat]
        worth = HEALTH * min(missing, cards["fountain_heal"]) / max_health(state, cards, seat)
    elif tile == Tile.START or tile == Tile.LADDER:
        worth = way_out_worth(state, cards, tile)
    if NOTHING < state["on"][cell] < MONSTER:
        worth = max(worth, card_worth(state, cards, seat, state["on"][cell] - LYING))
    if state["left_cards"] > 0:
        worth = max(worth, left_worth(state, cards, seat, cell))
    if worth < DISCOVERY and down_sides(state, cards, cell) != 0 and is_bold(state, cards, seat, buying):
        worth = DISCOVERY
    return worth


@kernel
def is_bold(state: Record, cards: Record, seat: int, buying: float) -> bool:
    """Whether a player turns cards over: while healthy, or with nothing to lose, or nothing better to do."""
    share = state["health"][seat] / float(max_health(state, cards, seat))
    return share >= BOLD * (1.0 - daring(state)) or buying < DISCOVERY or assets(state, cards, seat) < LITTLE


@kernel
def way_out_worth(state: Record, cards: Record, tile: int) -> float:
    """Worth of the way out, once it leads out."""
    if state["seats"] > 1:
        return HOME if state["rush"] and tile == Tile.START else 0.0
    way_out = Tile.LADDER if cards["has_ladder"] else Tile.START
    return HOME if tile == way_out and state["goals_done"] & cards["goals"] == cards["goals"] else 0.0


@kernel
def left_worth(state: Record, cards: Record, seat: int, cell: int) -> float:
    """Worth of the cards that the dead left on a cell."""
    total = 0.0
    for place in range(np.int64(state["left_cards"])):
        if state["left_cell"][place] == cell:
            card = np.int64(state["left_type"][place])
            if card >= GOLD_CODE:
                total += GOLD * cards["denomination"][card - GOLD_CODE]
            else:
                total += card_worth(state, cards, seat, card)
    return total
