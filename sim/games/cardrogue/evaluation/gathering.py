"""Who fights the golem from where: how far players are from the cells beside it, a plan for all, who will join.

The golem is the enemy whose death begins the end rush. Two who strike together win most of their fights, one alone hardly any.
All players work out the same plan, so nobody needs to ask. It is written into the VIEW record of `values`.
"""

import numpy as np

from sim.engine.jit import Record, kernel, scratch
from sim.games.cardrogue.record import CELLS, Tile
from sim.games.cardrogue.rules.tiles import (
    OFFSET,
    add_cell,
    monster_at,
    monster_sides,
    opens,
    player_at,
    start_search,
    walk_sides,
)
from sim.games.cardrogue.state import DIRECTIONS, NOBODY, NOWHERE, SEARCH, SEATS

JOIN = 2  # steps, those of one turn, from which a player joins a fight at once
FAR = 30  # steps: a longer way counts as none
NO_POST = 40  # cost in steps of having no place beside the golem
IMPOSSIBLE = 1e9  # cost of a plan that cannot be carried out
COUPLE = 2  # players who should be able to stand beside the golem
UNITS = 8  # a step, in the units of `measure`
CROSSED = 49  # passing a player who has to make way, in these units; the remainder by UNITS counts such players
TRAPPED = 48  # stepping on a trap


@kernel
def golem_of(state: Record, cards: Record) -> np.int64:
    """Slot of the golem, NOBODY if it need not be slain or was not seen, or for a lone player."""
    if state["golem_seen"] and not state["rush"] and state["seats"] > 1:
        for slot in range(np.int64(state["enemies"])):
            if cards["end_rush"][state["enemy_type"][slot]] and state["enemy_cell"][slot] != NOWHERE:
                return np.int64(slot)
    return np.int64(NOBODY)


@kernel
def fights(state: Record, slot: int, seat: int) -> bool:
    """Whether a player is in combat with an enemy."""
    for place in range(SEATS):
        if state["order"][slot, place] == seat:
            return True
    return False


@kernel
def may_pass(state: Record, cards: Record, cell: int, foes: int) -> bool:
    """ROGUE-57, 58. Whether a player can walk past the enemies on these sides of a cell: all let it flee without a roll."""
    for direction in range(DIRECTIONS):
        if opens(foes, direction):
            slot = monster_at(state, cell + OFFSET[direction])
            if not cards["no_chase"][state["enemy_type"][slot]]:
                return False
    return True


@kernel
def joins(state: Record, cards: Record, view: Record, seat: int, other: int) -> bool:
    """Whether another player will join a seat that fights the golem from view["stand"]: both are close to their places."""
    plan_fight(state, cards, view)
    place, post = np.int64(state["enemy_cell"][view["golem"]]), view["post"][other]
    if post == NOBODY or place + OFFSET[post] == view["stand"]:
        return False
    if view["whole_table"]:
        return True
    if not fights(state, view["golem"], seat):
        for side in range(DIRECTIONS):
            if place + OFFSET[side] == view["stand"] and view["reach"][seat, side] > JOIN:
                return False
    return view["reach"][other, post] <= JOIN and state["skip"][other] == 0


@kernel
def is_closed(state: Record, cards: Record, view: Record) -> bool:
    """Whether too few players can stand beside the golem."""
    plan_fight(state, cards, view)
    return view["closed"] != 0


@kernel
def plan_fight(state: Record, cards: Record, view: Record) -> None:
    """Work out, once for a position, how far the players are from the cells beside the golem and who is to fight from which."""
    if view["planned"]:
        return
    view["planned"], view["closed"] = 1, 1
    view["near"][:], view["reach"][:], view["post"][:] = FAR, FAR, NOBODY
    if view["golem"] == NOBODY:
        return
    place = np.int64(state["enemy_cell"][view["golem"]])
    sides, seats = walk_sides(state, place), np.int64(state["seats"])
    if sides & (sides - 1) == 0:
        return
    for seat in range(seats):
        if state["cell"][seat] != NOWHERE and not state["out"][seat]:
            measure(state, cards, view, seat, place, sides)
    assign_posts(view, seats)


@kernel
def assign_posts(view: Record, seats: int) -> None:
    """Choose the plan with the smallest sum of squares of the steps; the first of equal ones, so that all find the same."""
    plans, chosen, best, posts = 1, 0, IMPOSSIBLE, 0
    for _ in range(seats):
        plans *= DIRECTIONS + 1
    for plan in range(plans):
        cost = cost_of_plan(view, seats, plan)
        if cost < best:
            best, chosen = cost, plan
    for seat in range(seats):
        side = chosen % (DIRECTIONS + 1)
        chosen //= DIRECTIONS + 1
        if side < DIRECTIONS:
            view["post"][seat] = side
            posts += 1
    view["closed"] = posts < min(seats, COUPLE)


@kernel
def cost_of_plan(view: Record, seats: int, plan: int) -> float:
    """Sum of squares of the steps. plan: by seat, in digits of base 5, the side of the golem at which it is to fight, 4: none."""
    cost, taken, left = 0.0, 0, plan
    for seat in range(seats):
        side, steps = left % (DIRECTIONS + 1), NO_POST
        left //= DIRECTIONS + 1
        if side < DIRECTIONS:
            steps = view["near"][seat, side]
            if steps >= FAR or opens(taken, side):
                return IMPOSSIBLE
            taken |= 1 << side
        cost += steps * steps
    return cost


@kernel
def measure(state: Record, cards: Record, view: Record, seat: int, place: int, sides: int) -> None:
    """Steps of a player to each cell beside the golem; players who fight it stay where they are and block the way.

    place, sides: cell of the golem, and the sides on which players can stand.
    """
    search, start = scratch(SEARCH), np.int64(state["cell"][seat])
    stays = fights(state, view["golem"], seat)
    start_walk(search, start)
    here = next_of(search)
    while here != NOWHERE:
        steps = np.int64(search["steps"][here])
        passed = may_pass(state, cards, here, monster_sides(state, here))
        if passed:
            note_steps(view, seat, here - place, sides, steps)
        if not stays and steps + UNITS < FAR * UNITS and (passed or here == start):
            ways = walk_sides(state, here)
            for direction in range(DIRECTIONS):
                there = here + OFFSET[direction]
                if opens(ways, direction) and add_cell(search["seen"], there):
                    hurdle = hurdle_of(state, np.int64(view["golem"]), there)
                    if hurdle < FAR * UNITS:
                        add_next(search, there, steps + UNITS + hurdle, hurdle > 0)
        here = next_of(search)


@kernel
def note_steps(view: Record, seat: int, offset: int, sides: int, steps: int) -> None:
    """Note the steps of a player to a cell if it lies beside the golem. offset: of the cell from that of the golem."""
    for side in range(DIRECTIONS):
        if opens(sides, side) and OFFSET[side] == offset:
            view["near"][seat, side] = steps // UNITS
            view["reach"][seat, side] = (steps - steps % UNITS * CROSSED) // UNITS


@kernel
def hurdle_of(state: Record, golem: int, cell: int) -> int:
    """Cost of a trap or a player on a cell, in the units of `measure`; FAR steps if the player fights the golem."""
    other = player_at(state, cell)
    if other == NOBODY:
        return TRAPPED if state["tile"][cell] >= Tile.TRAP else 0
    return FAR * UNITS if fights(state, golem, other) else CROSSED


# walks that visit cells in the order of their steps (Dijkstra), if most cells cost the same and few are hurdles


@kernel
def start_walk(search: Record, cell: int) -> None:
    """Begin a walk at a cell."""
    start_search(search, cell)
    search["begin"], search["end"], search["far"] = 0, 1, CELLS


@kernel
def add_next(search: Record, cell: int, steps: int, far: bool) -> None:
    """Add a cell to be visited. far: it is behind a hurdle, so others that are added later can be nearer."""
    search["steps"][cell] = steps
    if far:
        search["far"] -= 1
        search["queue"][search["far"]] = cell
    else:
        search["queue"][search["end"]] = cell
        search["end"] += 1


@kernel
def next_of(search: Record) -> np.int64:
    """The nearest cell that was not visited yet, NOWHERE if there is none."""
    queue, steps, begin, far = search["queue"], search["steps"], np.int64(search["begin"]), np.int64(search["far"])
    waits, best = begin < search["end"], np.int64(far)
    for place in range(far + 1, CELLS):
        if steps[queue[place]] < steps[queue[best]]:
            best = np.int64(place)
    if far < CELLS and not (waits and steps[queue[begin]] <= steps[queue[best]]):
        queue[far], queue[best] = queue[best], queue[far]
        search["far"] += 1
        return np.int64(queue[far])
    if not waits:
        return np.int64(NOWHERE)
    search["begin"] += 1
    return np.int64(queue[begin])
