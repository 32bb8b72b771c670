"""Where to go: the best that can be reached over the known map, by worth and distance (register section 7)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.codes import Effect, Tile
from sim.games.cardrogue.decisions import GOLD_CODE
from sim.games.cardrogue.grid import down_sides, is_walkable, monster_sides, next_cell, player_at
from sim.games.cardrogue.holding import has_key, max_health
from sim.games.cardrogue.outlook import daring, outlook
from sim.games.cardrogue.record import CELLS
from sim.games.cardrogue.search import mark, met, start_search
from sim.games.cardrogue.shopping import shopping
from sim.games.cardrogue.state import DIRECTIONS, LYING, MONSTER, NOBODY, NOTHING, NOWHERE
from sim.games.cardrogue.worth import (
    DISCOVERY,
    GOLD,
    HEALTH,
    KEY_AND_CHEST,
    POINT,
    POISON,
    SKIPPED,
    assets,
    card_worth,
)

HOME = 9.0  # worth of the way out in the end rush
BOLD = 0.6  # share of health from which cards are turned over
LITTLE = 3.0  # assets with which one risks everything
UNGUARDED = 1000.0  # of `guard_worth`: no enemy
STEP = 0.03  # cost of a step
FURTHER = 0.004  # of a step beyond NEAR
NEAR = 8  # steps
BARRED = 20  # steps that waiting for a player to make way is worth
PASSES = 0.98  # nothing is worth quite as much before one has it


@kernel
def prospects(state: Record, cards: Record, seat: int, moving: bool, fighting: bool) -> float:
    """Best of worth less the cost of the way over all that a player can walk to; traps and players on the way cost more.

    moving: the next step is being taken, so that all but the own cell is one step nearer; fighting: the enemies around the
    own cell are not counted.
    """
    best, buying = 0.0, shopping(state, cards, seat)
    wish = buying, is_bold(state, cards, seat, buying)
    start_search(state, np.int64(state["cell"][seat]))
    state["steps"][state["cell"][seat]] = 0
    begin, end, far = 0, 1, CELLS
    # cells from `far` on are behind a trap or a player: looked at when all others have been
    while begin < end or far < CELLS:
        if begin == end:
            state["queue"][end] = state["queue"][far]
            end += 1
            far += 1
        here = np.int64(state["queue"][begin])
        begin += 1
        own = begin == 1
        guards = UNGUARDED if fighting and own else guard_worth(state, cards, seat, here)
        if own or guards >= 0.0:
            worth = max(guards if guards != UNGUARDED else 0.0, place_worth(state, cards, seat, here, wish))
            if state["left_cards"] > 0:
                worth += left_worth(state, cards, seat, here)
            best = max(best, PASSES * worth - cost_of_way(np.int64(state["steps"][here]), moving))
        if own or guards == UNGUARDED:
            for direction in range(DIRECTIONS):
                there = next_cell(state, cards, here, direction)
                if there == NOWHERE or met(state, there) or not is_walkable(state, there):
                    continue
                if own and moving and player_at(state, there) != NOBODY:
                    continue  # no step is possible there now
                mark(state, there)
                hurdle = hurdle_at(state, cards, seat, there)
                state["steps"][there] = state["steps"][here] + 1 + hurdle
                if hurdle > 0:
                    far -= 1
                    state["queue"][far] = there
                else:
                    state["queue"][end] = there
                    end += 1
    return best


@kernel
def hurdle_at(state: Record, cards: Record, seat: int, cell: int) -> int:
    """Further steps that a trap on a cell, or a player who has to make way, is worth."""
    if player_at(state, cell) != NOBODY:
        return BARRED
    tile = np.int64(state["tile"][cell])
    if tile < Tile.TRAP:
        return 0
    effect, n = np.int64(cards["trap_effect"][tile - Tile.TRAP]), np.int64(cards["trap_n"][tile - Tile.TRAP])
    if effect == Effect.DAMAGE:
        return int(HEALTH * n / (FURTHER * max_health(state, cards, seat)))
    return int((POISON if effect == Effect.POISON else SKIPPED) * n / FURTHER)


@kernel
def cost_of_way(steps: int, moving: bool) -> float:
    """What a way of so many steps costs; near ones count more, so that one does what lies at hand first."""
    left = abs(steps - 1) if moving else steps
    return STEP * min(left, NEAR) + FURTHER * max(0, left - NEAR)


@kernel
def guard_worth(state: Record, cards: Record, seat: int, cell: int) -> float:
    """What the combat with the enemies around a cell would bring; UNGUARDED if there are none."""
    sides = monster_sides(state, cards, cell)
    return UNGUARDED if sides == 0 else outlook(state, cards, seat, cell, sides, False)


@kernel
def place_worth(state: Record, cards: Record, seat: int, cell: int, wish: tuple[float, bool]) -> float:
    """What standing on a cell would bring. wish: what a shop would bring, whether the player turns cards over."""
    worth, tile = 0.0, np.int64(state["tile"][cell])
    buying, bold = wish
    if tile == Tile.SHOP:
        worth = buying
    elif tile == Tile.CHEST and has_key(state, seat):
        worth = POINT - KEY_AND_CHEST
    elif tile == Tile.FOUNTAIN:
        missing = max_health(state, cards, seat) - state["health"][seat]
        worth = HEALTH * min(missing, cards["fountain_heal"]) / max_health(state, cards, seat)
    elif tile in (Tile.START, Tile.LADDER):
        worth = way_out_worth(state, cards, tile)
    if NOTHING < state["on"][cell] < MONSTER:
        worth = max(worth, card_worth(state, cards, seat, state["on"][cell] - LYING))
    if worth < DISCOVERY and bold and down_sides(state, cards, cell) != 0:
        worth = DISCOVERY
    return worth


@kernel
def is_bold(state: Record, cards: Record, seat: int, buying: float) -> bool:
    """Whether a player turns cards over: while healthy, or with nothing to lose, or nothing better to do."""
    share = state["health"][seat] / float(max_health(state, cards, seat))
    return share >= BOLD * (1.0 - daring(state, seat)) or buying < DISCOVERY or assets(state, cards, seat) < LITTLE


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
