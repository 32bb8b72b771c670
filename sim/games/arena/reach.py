"""Movement by choice: which hexes a hero can move to (ARENA-20 to 25), and where dragonlings can be placed."""

import numpy as np

from sim.engine.jit import kernel
from sim.games.arena.board import DIRECTIONS
from sim.games.arena.cards import MoveMode
from sim.games.arena.state import EMPTY, SEEN_WORDS

_WORD_SHIFT = 6
_BIT_MASK = 63
_ONE = np.uint64(1)


@kernel
def reach(state: np.ndarray, cards: np.ndarray, seat: int, least: int, most: int, out: np.ndarray) -> int:
    """ARENA-20 to 23. Hexes that a hero can move to in `least`..`most` steps, counted by its mode.

    Writes hex ids into `out` (at least 169 long), the own hex first if `least` is 0; returns how many.
    """
    mode = cards["move_mode"][state["hero"][seat]]
    if mode == MoveMode.LEAP:
        return reach_leaping(state, cards, state["pos"][seat], least, most, out)
    return reach_stepping(state, cards, state["pos"][seat], mode == MoveMode.GHOST, least, most, out)


@kernel
def reach_leaping(
    state: np.ndarray, cards: np.ndarray, start: int, least: int, most: int, out: np.ndarray
) -> int:
    """ARENA-23. Free land hexes at a distance of `least`..`most`, whatever lies between."""
    count = 0
    if least == 0:
        out[0] = start
        count = 1
    for place in range(cards["hexes"]):
        if max(least, 1) <= cards["distance"][start, place] <= most and state["occ"][place] == EMPTY:
            out[count] = place
            count += 1
    return count


@kernel
def reach_stepping(
    state: np.ndarray, cards: np.ndarray, start: int, through: bool, least: int, most: int, out: np.ndarray
) -> int:
    """ARENA-22, 23. Breadth-first search over land; `through`: steps may pass occupied hexes, but not end there."""
    seen, neighbour, occ = state["seen"], cards["neighbour"], state["occ"]
    out[0] = start
    mark(seen, start)
    begin, end = 0, 1
    dropped = 0  # hexes in front of this one are nearer than `least`
    for step in range(1, most + 1):
        if step == least:
            dropped = end
        last = end
        for i in range(begin, last):
            for direction in range(DIRECTIONS):
                place = neighbour[out[i], direction]
                if place >= 0 and (through or occ[place] == EMPTY) and not met(seen, place):
                    mark(seen, place)
                    out[end] = place
                    end += 1
        begin = last
    if least > most:
        dropped = end
    for i in range(SEEN_WORDS):
        seen[i] = 0
    return keep_free(state, start, dropped, end, out)


@kernel
def keep_free(state: np.ndarray, start: int, dropped: int, end: int, out: np.ndarray) -> int:
    """Close the gaps in out[dropped..end-1]: only free hexes and the own one stay; returns how many."""
    if dropped == 0 and end == 1:
        return 1
    count = 0
    for i in range(dropped, end):
        if state["occ"][out[i]] == EMPTY or out[i] == start:
            out[count] = out[i]
            count += 1
    return count


@kernel
def mark(seen: np.ndarray, place: int) -> None:
    """Set the bit of a hex."""
    seen[place >> _WORD_SHIFT] |= _ONE << np.uint64(place & _BIT_MASK)


@kernel
def met(seen: np.ndarray, place: int) -> bool:
    """Whether the bit of a hex is set."""
    return (seen[place >> _WORD_SHIFT] >> np.uint64(place & _BIT_MASK)) & _ONE != 0


@kernel
def reach_to_attack(
    state: np.ndarray, cards: np.ndarray, ability: int, target: int, out: np.ndarray
) -> int:
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
def reach_to_summon(state: np.ndarray, cards: np.ndarray, ability: int, out: np.ndarray) -> int:
    """ARENA-77. Free land hexes within the range of a summoning ability of the active hero."""
    seat = state["active"]
    return reach_leaping(
        state, cards, state["pos"][seat], 1, cards["summon_range"][state["hero"][seat], ability], out
    )
