"""Ways over the known map, and a plan for the golem: who fights it from where, how far each player has to go, who will join.

The golem is the enemy whose death begins the end rush. Two who strike together win most of their fights, one alone hardly any.
All players work out the same plan, so nobody needs to ask. It is written into the VIEW record of `values`.
"""

import numpy as np

from sim.engine.jit import Record, bit_count, kernel, scratch
from sim.games.cardrogue.record import CELLS, Tile
from sim.games.cardrogue.rules.tiles import (
    COLUMN_MASK,
    OFFSET,
    ROW_SHIFT,
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
FAR = 60  # steps: a longer way counts as none
NO_POST = 80  # cost in steps of having no place beside the golem
COUPLE = 2  # players who should be able to stand beside the golem
CROSSED = 12  # cost in steps of passing a player who has to make way
TRAPPED = 12  # of stepping on a trap


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
    place, stand = np.int64(state["enemy_cell"][view["golem"]]), np.int64(view["stand"])
    joined, nearby = fights(state, view["golem"], seat), distance(np.int64(state["cell"][other]), place) <= JOIN + 1
    nearby = nearby and (joined or distance(np.int64(state["cell"][seat]), stand) <= JOIN)
    if not (nearby or view["whole_table"]):
        return False  # whatever the ways are
    plan_fight(state, cards, view)
    post = view["post"][other]
    if post == NOBODY or place + OFFSET[post] == stand:
        return False
    if view["whole_table"]:
        return True
    for side in range(DIRECTIONS):
        steps = view["near"][seat, side] if view["moving"] else view["reach"][seat, side]
        if not joined and place + OFFSET[side] == stand and steps > JOIN:
            return False
    return view["reach"][other, post] <= JOIN and state["skip"][other] == 0


@kernel
def distance(cell: int, other: int) -> int:
    """Rows and columns between two cells."""
    return abs((cell >> ROW_SHIFT) - (other >> ROW_SHIFT)) + abs((cell & COLUMN_MASK) - (other & COLUMN_MASK))


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
    """Choose the plan with the smallest sum of squares of the steps; of equal ones all players find the same."""
    posts, taken = 0, 0
    view["rest"][seats, :] = 0.0
    for seat in range(seats - 1, -1, -1):
        for sides in range(1 << DIRECTIONS):
            if bit_count(np.uint64(sides)) <= seat:  # each of the seats before it takes at most one
                best_side(view, seat, sides)
    for seat in range(seats):
        side = best_side(view, seat, taken)
        if side < DIRECTIONS:
            view["post"][seat] = side
            taken |= 1 << side
            posts += 1
    view["closed"] = posts < min(seats, COUPLE)


@kernel
def best_side(view: Record, seat: int, taken: int) -> int:
    """Side at which a seat is to fight in the best plan for it and the seats after it, DIRECTIONS: at none.

    taken: sides of the seats before it. Writes the sum of squares of that plan to view["rest"], from that of the next seat.
    """
    rest, chosen = view["rest"], DIRECTIONS
    best = NO_POST * NO_POST + rest[seat + 1, taken]
    for side in range(DIRECTIONS):
        steps = view["near"][seat, side]
        if steps < FAR and not opens(taken, side):
            cost = steps * steps + rest[seat + 1, taken | 1 << side]
            if cost < best:
                best, chosen = cost, side
    rest[seat, taken] = best
    return chosen


@kernel
def measure(state: Record, cards: Record, view: Record, seat: int, place: int, sides: int) -> None:
    """Note the steps of a player to each cell beside the golem; players who fight it stay where they are and block the way.

    place, sides: cell of the golem, and the sides on which players can stand.
    """
    search, start = scratch(SEARCH), np.int64(state["cell"][seat])
    stays = fights(state, view["golem"], seat)
    start_walk(search, start)
    here, wanted = next_of(search), sides
    while here != NOWHERE and wanted != 0:
        steps, foes = np.int64(search["steps"][here]), monster_sides(state, here)
        passed = foes == 0 or may_pass(state, cards, here, foes)
        side = side_of(here - place, sides & wanted) if foes and passed else DIRECTIONS
        if side < DIRECTIONS:
            view["near"][seat, side] = steps
            view["reach"][seat, side] = steps if stays else at_once(state, cards, view, start, here)
            wanted &= ~(1 << side)
        if not stays and steps + 1 < FAR and (passed or here == start):
            ways = walk_sides(state, here)
            for direction in range(DIRECTIONS):
                there = here + OFFSET[direction]
                if opens(ways, direction) and add_cell(search["seen"], there):
                    hurdle = hurdle_of(state, np.int64(view["golem"]), there)
                    if hurdle < FAR:
                        add_next(search, there, steps + 1 + hurdle, hurdle > 0)
        here = next_of(search)


@kernel
def side_of(offset: int, sides: int) -> int:
    """The one of some sides on which a cell with this offset lies, DIRECTIONS if it lies on none."""
    for side in range(DIRECTIONS):
        if opens(sides, side) and OFFSET[side] == offset:
            return side
    return DIRECTIONS


@kernel
def at_once(state: Record, cards: Record, view: Record, start: int, goal: int) -> int:
    """Steps between two cells if at most JOIN without a trap, and others make way who do not fight the golem; else FAR."""
    if start == goal:
        return 0
    ways, best = walk_sides(state, start), FAR
    for direction in range(DIRECTIONS):
        there = start + OFFSET[direction]
        if not opens(ways, direction) or stops(state, view, there):
            continue
        if there == goal:
            return 1
        onward = side_of(goal - there, walk_sides(state, there)) < DIRECTIONS
        if onward and may_pass(state, cards, there, monster_sides(state, there)):
            best = JOIN
    return best if not stops(state, view, goal) else FAR


@kernel
def stops(state: Record, view: Record, cell: int) -> bool:
    """Whether a trap, or a player who fights the golem, keeps others from walking over a cell at once."""
    other = player_at(state, cell)
    return state["tile"][cell] >= Tile.TRAP or (other != NOBODY and fights(state, view["golem"], other))


@kernel
def hurdle_of(state: Record, golem: int, cell: int) -> int:
    """Cost in steps of a trap or a player on a cell; FAR if the player fights the golem."""
    other = player_at(state, cell)
    if other == NOBODY:
        return TRAPPED if state["tile"][cell] >= Tile.TRAP else 0
    return FAR if fights(state, golem, other) else CROSSED


# walks that visit cells in the order of their steps (Dijkstra), if most cells cost the same and few are hurdles

NEVER = 32767  # steps: more than any way has


@kernel
def start_walk(search: Record, cell: int) -> None:
    """Begin a walk at a cell."""
    start_search(search, cell)
    search["begin"], search["end"], search["far"], search["least"] = 0, 1, CELLS, NEVER


@kernel
def add_next(search: Record, cell: int, steps: int, far: bool) -> None:
    """Add a cell to be visited. far: it is behind a hurdle, so others that are added later can be nearer."""
    search["steps"][cell] = steps
    if far:
        search["far"] -= 1
        search["queue"][search["far"]] = cell
        search["least"] = min(search["least"], steps)
    else:
        search["queue"][search["end"]] = cell
        search["end"] += 1


@kernel
def next_of(search: Record) -> np.int64:
    """The nearest cell that was not visited yet, NOWHERE if there is none."""
    queue, steps, begin, far = search["queue"], search["steps"], np.int64(search["begin"]), np.int64(search["far"])
    waits, best = begin < search["end"], np.int64(far)
    if not waits and far == CELLS:
        return np.int64(NOWHERE)
    nearest = steps[queue[begin]] if waits else NEVER
    if far < CELLS and nearest > search["least"]:
        for place in range(far + 1, CELLS):
            if steps[queue[place]] < steps[queue[best]]:
                best = np.int64(place)
        search["least"] = steps[queue[best]]
    if far < CELLS and nearest > search["least"]:
        queue[far], queue[best] = queue[best], queue[far]
        search["far"] += 1
        return np.int64(queue[far])
    search["begin"] += 1
    return np.int64(queue[begin])
