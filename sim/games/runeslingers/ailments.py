"""Ailments: applied, removed, converted (RUNE-34, 95 to 104)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.health import lose_power
from sim.games.runeslingers.stack import ask, pop, push, top_of
from sim.games.runeslingers.state import AREAS, COUNT_MAX, NOBODY, SLOTS
from sim.games.runeslingers.stats import check_later, exposed_area, exposed_total, settle
from sim.games.runeslingers.switches import ConcealedType
from sim.games.runeslingers.terms import Frame, Lost, Phase
from sim.games.runeslingers.triggers import await_downed, begin_act

COUNTING, REMOVING = 0, 1  # steps of the LIMIT frame


@kernel
def area_for(state: Record, cards: Record, seat: int, kind: int) -> np.int64:
    """RUNE-95, 96. Area that an instance of a type would take: where it is exposed, else the lowest free one; NOBODY."""
    area = exposed_area(state, seat, kind)
    if area != NOBODY:
        return area
    free = np.int64(NOBODY)
    for other in range(np.int64(cards["ailment_areas"])):
        if state["count"][seat, other] == 0:
            if free == NOBODY:
                free = np.int64(other)
        elif state["ailment"][seat, other] == kind and cards["concealed_type"] == ConcealedType.BLOCKED:
            return np.int64(NOBODY)
    return free


@kernel
def apply_one(state: Record, cards: Record, seat: int, kind: int) -> bool:
    """RUNE-95, 97. Apply one instance of a type, whose effects then resolve; returns whether there was room."""
    area = area_for(state, cards, seat, kind)
    if area == NOBODY:
        return False
    state["ailment"][seat, area] = kind
    state["count"][seat, area] = min(np.int64(state["count"][seat, area]) + 1, COUNT_MAX)
    state["applied"][seat, kind] += 1
    settle(state, cards)
    check_later(state)
    row = np.int64(cards["on_apply"][kind])
    if row:
        begin_act(state, seat, row)
    return True


@kernel
def begin_apply(state: Record, seat: int, kind: int, count: int) -> None:
    """RUNE-97. Apply so many instances of one type."""
    if count > 0:
        at = push(state, Frame.APPLY, seat)
        state["kind"][at] = kind
        state["left"][at] = count


@kernel
def step_apply(state: Record, cards: Record) -> None:
    """RUNE-97. Apply the next instance; where it finds no room the others find none either."""
    top = top_of(state)
    seat, kind, left = np.int64(state["by"][top]), np.int64(state["kind"][top]), np.int64(state["left"][top])
    state["left"][top] = left - 1
    if left == 1:
        pop(state)
    if not apply_one(state, cards, seat, kind):
        state["no_room"][seat] += left
        if left > 1:
            pop(state)


@kernel
def begin_order(state: Record, cards: Record, lower: int, seat: int, count: int) -> None:
    """RUNE-98. Apply the types that a frame has announced, as far as they fit, those announced first before the others."""
    at = push(state, Frame.ORDER, np.int64(state["by"][lower]))
    state["side"][at] = seat
    free, taken = np.int64(0), np.int64(0)
    for area in range(np.int64(cards["ailment_areas"])):
        free += state["count"][seat, area] == 0
    for i in range(min(int(count), int(state["types_n"][lower]))):
        kind = np.int64(state["types"][lower, i])
        if exposed_area(state, seat, kind) == NOBODY and not is_among(state, at, kind):
            if taken == free or area_for(state, cards, seat, kind) == NOBODY:
                state["no_room"][seat] += 1
                continue
            taken += 1
        state["types"][at, state["types_n"][at]] = kind
        state["types_n"][at] += 1


@kernel
def is_among(state: Record, at: int, kind: int) -> bool:
    """Whether a frame has a type among those announced."""
    for i in range(np.int64(state["types_n"][at])):
        if state["types"][at, i] == kind:
            return True
    return False


@kernel
def step_order(state: Record, cards: Record) -> None:
    """RUNE-98. The next of the announced types; the active player orders them, unless it announced them itself."""
    top = top_of(state)
    count = np.int64(state["types_n"][top])
    if count == 0:
        pop(state)
        return
    several = False
    for i in range(1, count):
        several |= state["types"][top, i] != state["types"][top, 0]
    if several and state["active"] != state["by"][top]:
        ask(state, Phase.ORDER, np.int64(state["active"]))
    else:
        apply_next(state, cards, np.int64(state["types"][top, 0]))


@kernel
def apply_next(state: Record, cards: Record, kind: int) -> None:
    """RUNE-98. Apply one instance of one of the types that the top frame still has."""
    top = top_of(state)
    at, last = 0, np.int64(state["types_n"][top]) - 1
    while state["types"][top, at] != kind:
        at += 1
    for i in range(at, last):
        state["types"][top, i] = state["types"][top, i + 1]
    state["types_n"][top] = last
    seat = np.int64(state["side"][top])
    if not apply_one(state, cards, seat, kind):
        state["no_room"][seat] += 1


@kernel
def begin_remove(state: Record, chooser: int, seat: int, count: int) -> None:
    """RUNE-100. Have so many exposed instances removed from a player, at the choice of a seat."""
    if count > 0:
        at = push(state, Frame.REMOVE, chooser)
        state["side"][at] = seat
        state["left"][at] = count
        state["kind"][at] = NOBODY


@kernel
def begin_limit(state: Record, seat: int) -> None:
    """RUNE-34. The step of the Ailment Phase."""
    at = push(state, Frame.LIMIT, seat)
    state["kind"][at] = NOBODY


@kernel
def begin_convert(state: Record, chooser: int, seat: int, into: int, count: int) -> None:
    """RUNE-104. Have so many exposed instances of other types become one type, at the choice of a seat."""
    if count > 0:
        at = push(state, Frame.CONVERT, chooser)
        state["side"][at] = seat
        state["left"][at] = count
        state["kind"][at] = into


@kernel
def step_limit(state: Record, cards: Record) -> None:
    """RUNE-34. At 8 exposed instances or more, 8 go and a power is lost; again, until there are fewer."""
    top = top_of(state)
    seat = np.int64(state["by"][top])
    if state["step"][top] == COUNTING:
        if exposed_total(state, seat) < cards["ailment_limit"]:
            pop(state)
            return
        state["left"][top] = cards["ailment_limit"]
        state["step"][top] = REMOVING
    if state["left"][top] > 0:
        step_remove(state, cards)
        return
    state["step"][top] = COUNTING
    if not lose_power(state, seat, Lost.AILMENTS):
        await_downed(state, cards, seat)


@kernel
def step_remove(state: Record, cards: Record) -> None:
    """RUNE-34, 100, 104. Take one more instance, or ask which; the frame ends when none is left to take. For three frames."""
    top = top_of(state)
    seat, left = np.int64(state["side"][top]), np.int64(state["left"][top])
    area, types, total = np.int64(NOBODY), 0, 0
    for other in range(AREAS):
        if is_takeable(state, top, other):
            types += 1
            total += state["count"][seat, other]
            if area == NOBODY:
                area = np.int64(other)
    if left == 0 or area == NOBODY:
        pop(state)
    elif types == 1 or (total <= left and state["frame"][top] != Frame.CONVERT):
        take_off(state, cards, area)
    else:
        ask(state, Phase.REMOVE, np.int64(state["by"][top]))


@kernel
def is_takeable(state: Record, top: int, area: int) -> bool:
    """Whether the removal of a frame may take from an area: exposed, and not of the type that all become."""
    seat = state["side"][top]
    if state["count"][seat, area] == 0 or state["thing"][seat, SLOTS + area] != NOBODY:
        return False
    return state["ailment"][seat, area] != state["kind"][top]


@kernel
def take_off(state: Record, cards: Record, area: int) -> None:
    """RUNE-100, 104. Take one instance off an area for the top frame; where that converts, one of the new type follows."""
    top = top_of(state)
    seat = np.int64(state["side"][top])
    state["left"][top] -= 1
    state["count"][seat, area] -= 1
    if state["frame"][top] == Frame.CONVERT:
        begin_apply(state, seat, np.int64(state["kind"][top]), 1)
    settle(state, cards)
    check_later(state)  # RUNE-62: what falls by the removal falls before the new instance comes


@kernel
def announced(state: Record, at: int, kind: int) -> None:
    """RUNE-98. Announce one more type for a frame."""
    state["types"][at, state["types_n"][at]] = kind
    state["types_n"][at] += 1


@kernel
def may_announce(state: Record, at: int, kind: int, distinct: bool) -> bool:
    """RUNE-98. Whether a type may be announced next."""
    return not distinct or not is_among(state, at, kind)
