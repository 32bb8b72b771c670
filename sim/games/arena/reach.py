"""Movement by choice: which hexes a hero can move to (ARENA-20 to 25), and where dragonlings can be placed."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.arena.board import DIRECTIONS
from sim.games.arena.record import MoveMode
from sim.games.arena.state import EMPTY, SCRATCH, SEEN_WORDS, dragonlings_of, pool_left

_WORD_SHIFT = 6
_BIT_MASK = 63
_ONE = np.uint64(1)


@kernel
def reach(state: Record, cards: Record, seat: int, least: int, most: int, out: np.ndarray) -> int:
    """ARENA-20 to 23. Hexes that a hero can move to in `least`..`most` steps, counted by its mode.

    Writes hex ids into `out` from the nearest (by distance, then id), the own hex first if `least` is 0; returns how many.
    Room behind SCRATCH hexes in `out` is overwritten.
    """
    start, mode = state["pos"][seat], cards["move_mode"][state["hero"][seat]]
    if mode == MoveMode.LEAP:
        return reach_leaping(state, cards, start, least, most, out)
    through = mode == MoveMode.GHOST
    if cards["roomy"] and (through or is_clear(state, cards, start, most - 1)):
        return reach_leaping(state, cards, start, least, most, out)  # no way round is needed: steps count as distance
    return reach_stepping(state, cards, start, through, least, most, out)


@kernel
def is_clear(state: Record, cards: Record, start: int, hexes: int) -> bool:
    """Whether no other piece stands within `hexes` of a hex."""
    occ, near = state["occ"], cards["near"][start]
    for i in range(1, cards["near_count"][start, max(0, hexes)]):
        if occ[near[i]] != EMPTY:
            return False
    return True


@kernel
def reach_leaping(state: Record, cards: Record, start: int, least: int, most: int, out: np.ndarray) -> int:
    """ARENA-23. Free land hexes at a distance of `least`..`most`, whatever lies between, and the own one if `least` is 0."""
    occ, near = state["occ"], cards["near"][start]
    count, begin = 0, 1
    if least == 0:
        out[0] = start
        count = 1
    else:
        begin = cards["near_count"][start, least - 1]
    for i in range(begin, cards["near_count"][start, most]):
        if occ[near[i]] == EMPTY:
            out[count] = near[i]
            count += 1
    return count


@kernel
def reach_stepping(
    state: Record, cards: Record, start: int, through: bool, least: int, most: int, out: np.ndarray
) -> int:
    """ARENA-22, 23. Breadth-first search over land; `through`: steps may pass occupied hexes, but not end there."""
    seen, queue = state["seen"], out[SCRATCH:]
    queue[0] = start
    mark(seen, start)
    begin, end, near = 0, 1, 0  # hexes in front of queue[near] are nearer than `least`
    for step in range(1, most + 1):
        if step == least:
            near = end
        last = end
        for i in range(begin, last):
            end = spread(state, cards, queue, i, end, through)
        begin = last
    for i in range(near):
        unmark(seen, queue[i])
    count = 0
    for i in range(cards["near_count"][start, most]):
        place = cards["near"][start, i]
        if met(seen, place) and (state["occ"][place] == EMPTY or place == start):
            out[count] = place
            count += 1
    for i in range(SEEN_WORDS):
        seen[i] = 0
    return count


@kernel
def spread(state: Record, cards: Record, queue: np.ndarray, i: int, end: int, through: bool) -> int:
    """Append the hexes that lead on from queue[i] and were not met before; returns the queue's new end."""
    seen = state["seen"]
    for direction in range(DIRECTIONS):
        place = cards["neighbour"][queue[i], direction]
        if place >= 0 and (through or state["occ"][place] == EMPTY) and not met(seen, place):
            mark(seen, place)
            queue[end] = place
            end += 1
    return end


@kernel
def mark(seen: np.ndarray, place: int) -> None:
    """Set the bit of a hex."""
    seen[place >> _WORD_SHIFT] |= _ONE << np.uint64(place & _BIT_MASK)


@kernel
def unmark(seen: np.ndarray, place: int) -> None:
    """Clear the bit of a hex."""
    seen[place >> _WORD_SHIFT] &= ~(_ONE << np.uint64(place & _BIT_MASK))


@kernel
def met(seen: np.ndarray, place: int) -> bool:
    """Whether the bit of a hex is set."""
    return (seen[place >> _WORD_SHIFT] >> np.uint64(place & _BIT_MASK)) & _ONE != 0


@kernel
def reach_to_attack(state: Record, cards: Record, ability: int, target: int, out: np.ndarray) -> int:
    """ARENA-34. Hexes that the active hero can step to before an attack and have `target` in range from."""
    seat, goal = state["active"], state["pos"][target]
    hero = state["hero"][seat]
    least, most = cards["move_before_min"][hero, ability], cards["move_before_max"][hero, ability]
    found = reach(state, cards, seat, least, most, out)
    count = 0
    for i in range(found):
        if cards["distance"][out[i], goal] <= cards["range"][hero, ability]:
            out[count] = out[i]
            count += 1
    return count


@kernel
def reach_to_summon(state: Record, cards: Record, ability: int, out: np.ndarray) -> int:
    """ARENA-77. Free land hexes within the range of a summoning ability of the active hero."""
    seat = state["active"]
    return reach_leaping(state, cards, state["pos"][seat], 1, cards["summon_range"][state["hero"][seat], ability], out)


@kernel
def may_summon(state: Record, cards: Record, ability: int) -> bool:
    """ARENA-35, 77. Whether the active hero can place a dragonling: a token left, below its cap, a free hex in range."""
    seat = state["active"]
    hero = state["hero"][seat]
    if pool_left(state, cards) < 1 or dragonlings_of(state, seat) >= cards["dragonling_cap"][hero]:
        return False
    return has_room(state, cards, state["pos"][seat], cards["summon_range"][hero, ability])


@kernel
def has_room(state: Record, cards: Record, here: int, hexes: int) -> bool:
    """Whether a free land hex lies within `hexes` of a hex."""
    for place in range(cards["hexes"]):
        if cards["distance"][here, place] <= hexes and state["occ"][place] == EMPTY:
            return True
    return False
