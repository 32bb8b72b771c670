"""The knockback: pushes and their direction, chains of collisions, falls and pulls (ARENA-50 to 65, 71)."""

from sim.engine.jit import Record, kernel
from sim.games.arena.cards import DIRECTIONS, SPAN, OfflinePath
from sim.games.arena.state import DRAGONLING, EMPTY, SEATS, STRAIGHT, Cause, lift, put, zone_of

_CENTRE = SPAN // 2
HALF_TURN = DIRECTIONS // 2


@kernel
def fall(state: Record, cards: Record, piece: int, cause: int, credit: int) -> None:
    """ARENA-62, 85. Remove a piece that falls into the water. credit: seat to which the fall is credited."""
    state["fall_turn"][piece] = state["turn"] + 1
    state["fall_hex"][piece] = state["pos"][piece]
    state["fall_cause"][piece] = cause
    state["fall_by"][piece] = credit
    if piece < SEATS:
        state["fall_ability"][piece] = ability_of(state, cards, credit)
        state["fall_zone"][piece] = zone_of(state, cards, piece)
        state["falls_caused"][credit, state["fall_ability"][piece]] += 1
    else:
        state["dragonlings_felled"][credit] += 1
    lift(state, piece)


@kernel
def ability_of(state: Record, cards: Record, credit: int) -> int:
    """Ability by which a seat throws: the one in use, or a retaliating hero's passive, which the card is checked to have."""
    if credit == state["active"]:
        return state["ability"]
    return cards["retaliate_ability"][state["hero"][credit]]


@kernel
def push_straight(state: Record, cards: Record, piece: int, direction: int, hexes: int, cause: int, credit: int) -> None:
    """ARENA-60 to 65. Push a piece straight on by up to `hexes` >= 1, and a piece it runs into by what remains less one."""
    while True:  # each collision strikes a piece farther out on the ray: at most 14 times
        moved, struck = 0, EMPTY
        while moved < hexes:
            ahead = cards["neighbour"][state["pos"][piece], direction]
            if ahead < 0:
                fall(state, cards, piece, cause, credit)
                return
            struck = state["occ"][ahead]
            if struck != EMPTY:
                break
            put(state, piece, ahead)
            state["hexes_pushed"][credit] += 1
            moved += 1
        if struck == EMPTY:
            return
        note_collision(state, struck, credit)
        hexes = max(1, hexes - moved - 1)
        piece, cause = struck, Cause.COLLISION


@kernel
def note_collision(state: Record, struck: int, credit: int) -> None:
    """Count a piece that was run into."""
    state["collisions_caused"][credit] += 1
    if struck < SEATS:
        state["collisions_suffered"][struck] += 1


@kernel
def take_bearing(state: Record, cards: Record, source: int, piece: int) -> None:
    """ARENA-50. Fix u, v and whether m = n for the way from a source hex to a piece."""
    here = state["pos"][piece]
    column = cards["q"][here] - cards["q"][source] + _CENTRE
    line = cards["r"][here] - cards["r"][source] + _CENTRE
    state["u"] = cards["offset_u"][column, line]
    state["v"] = cards["offset_v"][column, line]
    state["even"] = cards["offset_m"][column, line] == cards["offset_n"][column, line]


@kernel
def begin_push(state: Record, cards: Record, source: int, piece: int, hexes: int) -> None:
    """ARENA-50. Prepare the push of a target away from `source`, which `go_on_pushing` carries out."""
    take_bearing(state, cards, source, piece)
    state["reach_k"] = hexes
    state["made_u"] = 0
    state["made_v"] = 0


@kernel
def may_step(state: Record, cards: Record, more_u: int, more_v: int) -> bool:
    """ARENA-51 to 54. Whether a push may stand `more_u` steps in u and `more_v` steps in v beyond those it has made."""
    a, b, hexes = state["made_u"] + more_u, state["made_v"] + more_v, state["reach_k"]
    if state["v"] == STRAIGHT:
        return more_v == 0
    if cards["offline_path"] == OfflinePath.END_ONLY:
        if state["even"]:
            return max(a, b) <= (hexes + 1) // 2
        return hexes - b >= b + 1
    if state["even"]:
        return abs(a - b) <= 1
    return a >= b + 1


@kernel
def rank(state: Record, cards: Record, piece: int, direction: int) -> int:
    """ARENA-56. Class of a step: 0 free land, 1 occupied land, 2 water."""
    ahead = cards["neighbour"][state["pos"][piece], direction]
    if ahead < 0:
        return 2
    return 0 if state["occ"][ahead] == EMPTY else 1


@kernel
def pick_step(state: Record, cards: Record, piece: int, one: int, other: int) -> int:
    """ARENA-55, 56. Direction of the better of two legal steps; STRAIGHT if a player must choose between them."""
    first, second = rank(state, cards, piece, one), rank(state, cards, piece, other)
    if first < second or first == second == 2:
        return one
    if second < first:
        return other
    state["step_a"] = min(one, other)
    state["step_b"] = max(one, other)
    return STRAIGHT


@kernel
def go_on_pushing(state: Record, cards: Record, piece: int) -> bool:
    """Push the target until the push has ended. Returns False if a path must be chosen first."""
    while state["made_u"] + state["made_v"] < state["reach_k"]:
        direction = state["u"]
        along_u, along_v = may_step(state, cards, 1, 0), may_step(state, cards, 0, 1)
        if along_u and along_v:
            direction = pick_step(state, cards, piece, state["u"], state["v"])
            if direction < 0:
                return False
        elif along_v:
            direction = state["v"]
        push_step(state, cards, piece, direction)
    return True


@kernel
def push_step(state: Record, cards: Record, piece: int, direction: int) -> None:
    """ARENA-57, 61, 62. Make one step of a push. A fall or a collision ends the push: reach_k becomes 0."""
    credit = state["active"]
    ahead = cards["neighbour"][state["pos"][piece], direction]
    if ahead < 0:
        fall(state, cards, piece, Cause.KNOCKBACK, credit)
        state["reach_k"] = 0
        return
    struck = state["occ"][ahead]
    if struck != EMPTY:
        left = max(1, state["reach_k"] - state["made_u"] - state["made_v"] - 1)
        note_collision(state, struck, credit)
        push_straight(state, cards, struck, direction, left, Cause.COLLISION, credit)
        state["reach_k"] = 0
        return
    put(state, piece, ahead)
    state["hexes_pushed"][credit] += 1
    if direction == state["u"]:
        state["made_u"] += 1
    else:
        state["made_v"] += 1


@kernel
def go_on_pulling(state: Record, cards: Record, piece: int) -> bool:
    """ARENA-71. Pull the target until the pull has ended. Returns False if a path must be chosen first."""
    source = state["pos"][state["active"]]
    while state["made_u"] < state["reach_k"] and cards["distance"][source, state["pos"][piece]] > 1:
        take_bearing(state, cards, source, piece)
        direction = opposite(state["u"])
        if state["even"]:
            direction = pick_step(state, cards, piece, direction, opposite(state["v"]))
            if direction < 0:
                return False
        pull_step(state, cards, piece, direction)
    return True


@kernel
def pull_step(state: Record, cards: Record, piece: int, direction: int) -> None:
    """ARENA-71. Make one step of a pull. Another piece or the water ends the pull: reach_k becomes 0."""
    ahead = cards["neighbour"][state["pos"][piece], direction]
    if ahead < 0:
        fall(state, cards, piece, Cause.PULL, state["active"])
        state["reach_k"] = 0
        return
    if state["occ"][ahead] != EMPTY:
        state["reach_k"] = 0
        return
    put(state, piece, ahead)
    state["hexes_pushed"][state["active"]] += 1
    state["made_u"] += 1


@kernel
def opposite(direction: int) -> int:
    """Opposite of a direction."""
    return (direction + HALF_TURN) % DIRECTIONS


@kernel
def straight_to(state: Record, cards: Record, piece: int, other: int) -> int:
    """Direction from a piece to an adjacent one; STRAIGHT if they are not adjacent."""
    for direction in range(DIRECTIONS):
        if cards["neighbour"][state["pos"][piece], direction] == state["pos"][other]:
            return direction
    return STRAIGHT


@kernel
def is_dragonling(piece: int) -> bool:
    """Whether a piece is a dragonling token and not a hero."""
    return piece >= DRAGONLING
