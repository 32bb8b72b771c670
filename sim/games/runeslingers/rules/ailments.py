"""Ailments and boons: ailments applied, removed, converted; cards that leave play, and what follows from that.

RUNE-34, 95 to 109, and of other chapters what leaving play means (RUNE-62, 78, 124 to 126).
"""

import numpy as np

from sim.engine.jit import Record, bit_count, kernel
from sim.games.runeslingers.cards import NO_ROW, ConcealedType, When
from sim.games.runeslingers.rules.objects import (
    ask,
    await_downed,
    begin_act,
    check_later,
    defence_of,
    exposed_area,
    exposed_count,
    exposed_total,
    is_defence,
    listed,
    pop,
    push,
    settle,
    sways,
    top_of,
)
from sim.games.runeslingers.rules.power import lose_power, to_discard, to_hand
from sim.games.runeslingers.state import AREAS, COUNT_MAX, NOBODY, PLACES, SEATS, SLOTS, Frame, Lost, Phase, owner_of

COUNTING, REMOVING = 0, 1  # steps of the LIMIT frame


@kernel
def area_for(state: Record, cards: Record, seat: int, kind: int) -> int:
    """RUNE-95, 96. Area that an instance of a type takes: where it is exposed, else the lowest free one, else NOBODY."""
    area = exposed_area(state, seat, kind)
    if area != NOBODY:
        return area
    free = NOBODY
    for other in range(cards["ailment_areas"]):
        if state["count"][seat, other] == 0:
            if free == NOBODY:
                free = other
        elif state["ailment"][seat, other] == kind and cards["concealed_type"] == ConcealedType.BLOCKED:
            return NOBODY
    return free


@kernel
def apply_one(state: Record, cards: Record, seat: int, kind: int) -> bool:
    """RUNE-95, 97. Apply one instance of a type, whose effects then resolve; returns whether there was room."""
    area = area_for(state, cards, seat, kind)
    if area == NOBODY:
        return False
    state["ailment"][seat, area] = kind
    state["count"][seat, area] = min(state["count"][seat, area] + 1, COUNT_MAX)
    state["applied"][seat, kind] += 1
    settle(state, cards, has_statics(cards, kind))
    check_later(state)
    row = cards["on_apply"][kind]
    if row:
        begin_act(state, seat, row)
    return True


@kernel
def has_statics(cards: Record, kind: int) -> bool:
    """Whether an ailment can change stats."""
    return cards["per_instance"][kind] != NO_ROW or cards["while_any"][kind] != NO_ROW or cards["level2"][kind] != NO_ROW


@kernel
def begin_apply(state: Record, seat: int, kind: int, count: int) -> None:
    """RUNE-97. Begin to apply a number of instances of one type."""
    if count > 0:
        at = push(state, Frame.APPLY, seat)
        state["kind"][at] = kind
        state["left"][at] = count


@kernel
def step_apply(state: Record, cards: Record) -> None:
    """RUNE-97. Apply the next instance. If there is no room for it, there is none for the others either."""
    top = top_of(state)
    seat, kind, left = state["by"][top], state["kind"][top], state["left"][top]
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
    at = push(state, Frame.ORDER, state["by"][lower])
    state["side"][at] = seat
    free, taken = 0, 0
    for area in range(cards["ailment_areas"]):
        free += state["count"][seat, area] == 0
    for i in range(min(int(count), int(state["types_n"][lower]))):
        kind = state["types"][lower, i]
        if exposed_area(state, seat, kind) == NOBODY and not is_among(state, at, kind):
            if taken == free or area_for(state, cards, seat, kind) == NOBODY:
                state["no_room"][seat] += 1
                continue
            taken += 1
        announced(state, at, kind)


@kernel
def is_among(state: Record, at: int, kind: int) -> bool:
    """Whether a type is among those that a frame has announced."""
    for i in range(state["types_n"][at]):
        if state["types"][at, i] == kind:
            return True
    return False


@kernel
def step_order(state: Record, cards: Record) -> None:
    """RUNE-98. The next of the announced types. The active player orders them, unless it announced them itself."""
    top = top_of(state)
    count = state["types_n"][top]
    if count == 0:
        pop(state)
        return
    several = False
    for i in range(1, count):
        several |= state["types"][top, i] != state["types"][top, 0]
    if several and state["active"] != state["by"][top]:
        ask(state, Phase.ORDER, state["active"])
    else:
        apply_next(state, cards, state["types"][top, 0])


@kernel
def apply_next(state: Record, cards: Record, kind: int) -> None:
    """RUNE-98. Apply one instance of one of the types left in the top frame."""
    top = top_of(state)
    at, last = 0, state["types_n"][top] - 1
    while state["types"][top, at] != kind:
        at += 1
    for i in range(at, last):
        state["types"][top, i] = state["types"][top, i + 1]
    state["types_n"][top] = last
    seat = state["side"][top]
    if not apply_one(state, cards, seat, kind):
        state["no_room"][seat] += 1


@kernel
def begin_remove(state: Record, chooser: int, seat: int, count: int, into: int) -> None:
    """RUNE-100, 104. Begin to remove exposed instances from a player, chosen by a seat. into: type they become, NOBODY."""
    if count > 0:
        at = push(state, Frame.REMOVE if into == NOBODY else Frame.CONVERT, chooser)
        state["side"][at] = seat
        state["left"][at] = count
        state["kind"][at] = into


@kernel
def step_limit(state: Record, cards: Record) -> None:
    """RUNE-34. At 8 or more exposed instances, remove 8 and lose a power; repeat until there are fewer."""
    top = top_of(state)
    seat = state["by"][top]
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
    """RUNE-34, 100, 104. Remove one more instance, or ask which; the frame ends when there is none left. Serves three frames."""
    top = top_of(state)
    seat, left = state["side"][top], state["left"][top]
    area, types, total = NOBODY, 0, 0
    for other in range(AREAS):
        if is_takeable(state, top, other):
            types += 1
            total += state["count"][seat, other]
            if area == NOBODY:
                area = other
    if left == 0 or area == NOBODY:
        pop(state)
    elif types == 1 or (total <= left and state["frame"][top] != Frame.CONVERT):
        take_off(state, cards, area)
    else:
        ask(state, Phase.REMOVE, state["by"][top])


@kernel
def is_takeable(state: Record, top: int, area: int) -> bool:
    """Whether a frame can remove instances of an area: exposed, and not of the type that they are converted into."""
    seat = state["side"][top]
    return exposed_count(state, seat, area) > 0 and state["ailment"][seat, area] != state["kind"][top]


@kernel
def take_off(state: Record, cards: Record, area: int) -> None:
    """RUNE-100, 104. Remove one instance of an area for the top frame; a conversion then applies one of the new type."""
    top = top_of(state)
    seat = state["side"][top]
    state["left"][top] -= 1
    state["count"][seat, area] -= 1
    if state["frame"][top] == Frame.CONVERT:
        begin_apply(state, seat, state["kind"][top], 1)
    settle(state, cards, has_statics(cards, state["ailment"][seat, area]))
    check_later(state)  # RUNE-62: cards destroyed by the removal go before the new instance comes


@kernel
def announced(state: Record, at: int, kind: int) -> None:
    """RUNE-98. Announce one more type for a frame."""
    state["types"][at, state["types_n"][at]] = kind
    state["types_n"][at] += 1


@kernel
def lift(state: Record, seat: int, place: int) -> int:
    """Take a thing off its position, without any consequences; returns the instance."""
    inst = state["thing"][seat, place]
    state["thing"][seat, place] = NOBODY
    state["used"][seat, place] = 0
    state["tokens"][seat, place] = 0
    state["damage"][seat, place] = 0
    state["guard"][seat, place] = 0
    state["turn_played"][seat, place] = 0
    state["charged"][seat, place] = 0
    state["uses"][seat, place, 0] = 0
    state["uses"][seat, place, 1] = 0
    state["under"][seat, place] = NOBODY
    state["under_hidden"][seat, place] = 0
    state["thing_seq"][seat, place] = 0
    return inst


@kernel
def take_thing(state: Record, cards: Record, seat: int, place: int, trapped: bool) -> None:
    """RUNE-109, 124 to 126. Move a thing to its owner's discard pile, or for a trap; stats are not derived again yet."""
    inst = lift(state, seat, place)
    if place >= SLOTS:
        expose(state, seat, place - SLOTS)
    elif cards["distract"][state["card_of"][inst]]:
        to_discard(state, lift_concentration(state, seat, place))
    if not trapped:
        to_discard(state, inst)


@kernel
def leave_play(state: Record, cards: Record, seat: int, place: int, destroyed: bool, trapped: bool) -> None:
    """RUNE-78, 124 to 126. Move a thing to its owner's discard pile, or for a trap; then its triggers act."""
    left = gone_from(state, seat, place)
    take_thing(state, cards, seat, place, trapped)
    settle(state, cards, sways(cards, state["card_of"][left[0]], place))
    check_later(state)
    await_leaving(state, cards, (seat, place), left, destroyed)


@kernel
def gone_from(state: Record, seat: int, place: int) -> tuple[int, int, int]:
    """What leaves a position: the instance, the instance trapped under it (NOBODY), and whether that lay face-down."""
    inst, under = state["thing"][seat, place], state["under"][seat, place]
    return inst, under, state["under_hidden"][seat, place]


@kernel
def await_leaving(state: Record, cards: Record, spot: tuple[int, int], left: tuple[int, int, int], destroyed: bool) -> None:
    """RUNE-78, 126. Let a card's own triggers on leaving act, and keep what lay under it until then.

    spot: who controlled it, and its position; left: see `gone_from`.
    """
    seat, place = spot
    inst, under, hidden = left
    card, owned = state["card_of"][inst], owner_of(inst) == seat
    row, waiting = cards["triggers"][card], 0
    if row:
        waiting = listed(cards, row, When.LEAVES, owned)
        if destroyed:
            waiting |= listed(cards, row, When.DESTROYED, owned)
    if waiting or under != NOBODY:
        at = push(state, Frame.LEAVING, seat)
        state["place"][at] = place
        state["place_seq"][at] = 0
        state["card"][at] = card
        state["left"][at] = waiting
        state["row"][at] = row
        state["inst"][at] = under
        state["kind"][at] = hidden


@kernel
def first_leaving(state: Record) -> int:
    """RUNE-77. The lowest LEAVING frame that belongs to the top one: cards of one player that left at the same moment."""
    at = top_of(state)
    while at > 0 and state["frame"][at - 1] == Frame.LEAVING and state["by"][at - 1] == state["by"][at]:
        at -= 1
    return at


@kernel
def waits_leaving(state: Record) -> int:
    """RUNE-77. Number of waiting triggers of the cards that left at the moment of the top frame."""
    count = 0
    for at in range(first_leaving(state), state["depth"]):
        count += bit_count(np.uint64(state["left"][at]))
    return count


@kernel
def step_leaving(state: Record, cards: Record) -> None:
    """RUNE-77. The next own trigger of cards that have left together; their controller orders them."""
    waiting = waits_leaving(state)
    if waiting > 1:
        ask(state, Phase.TRIGGER, state["by"][top_of(state)])
    elif waiting == 1:
        fire_leaving(state, cards, 0)
    else:
        first = first_leaving(state)
        for at in range(first, state["depth"]):
            release(state, cards, at)
        state["depth"] = first


@kernel
def fire_leaving(state: Record, cards: Record, number: int) -> None:
    """RUNE-76. Let a card's own trigger act after it has left: the one with this number among those that wait."""
    at, bit, skipped = first_leaving(state), 0, number
    while skipped > 0 or not (state["left"][at] >> bit) & 1:
        skipped -= (state["left"][at] >> bit) & 1
        bit += 1
        if state["left"][at] >> bit == 0:
            at, bit = at + 1, 0
    state["left"][at] &= ~(1 << bit)
    seat, card = state["by"][at], state["card"][at]
    row = cards["then"][state["row"][at] + bit]
    holds = state["inst"][at] != NOBODY
    while is_idle(state):
        pop(state)  # an empty frame is not needed below it
    act = begin_act(state, seat, row)
    state["card"][act] = card
    state["left"][act] = 1 + at if holds else 0


@kernel
def is_idle(state: Record) -> bool:
    """Whether the top frame belongs to a card that has left, with no trigger waiting and no card to release."""
    at = top_of(state)
    if at < 0 or state["frame"][at] != Frame.LEAVING:
        return False
    return state["left"][at] == 0 and state["inst"][at] == NOBODY


@kernel
def release(state: Record, cards: Record, at: int) -> None:
    """RUNE-126. The card under a trap goes to its owner's hand. at: LEAVING frame; NOBODY where there is none."""
    if at == NOBODY:
        return
    inst = state["inst"][at]
    if inst != NOBODY:
        state["inst"][at] = NOBODY
        to_hand(state, cards, inst, False)


@kernel
def lift_concentration(state: Record, seat: int, place: int) -> int:
    """Take a concentration off its area; returns the instance."""
    inst = state["conc"][seat, place]
    state["conc"][seat, place] = NOBODY
    state["conc_used"][seat, place] = 0
    state["conc_seq"][seat, place] = 0
    return inst


@kernel
def lay_concentration(state: Record, seat: int, inst: int) -> None:
    """RUNE-39. Put a card face-down, ready, on the lowest-numbered free area; there is one."""
    for place in range(SLOTS):
        if state["conc"][seat, place] == NOBODY:
            state["seq"] += 1
            state["conc"][seat, place] = inst
            state["conc_used"][seat, place] = 0
            state["conc_seq"][seat, place] = state["seq"]
            return


@kernel
def expose(state: Record, seat: int, area: int) -> None:
    """RUNE-101, 109. What lay under a boon is exposed again, and merges with its type into the lower-numbered area."""
    for other in range(AREAS):
        same = state["ailment"][seat, other] == state["ailment"][seat, area]
        if other != area and same and exposed_count(state, seat, other) > 0:
            low, high = min(area, other), max(area, other)
            state["count"][seat, low] += state["count"][seat, high]
            state["count"][seat, high] = 0
            return


@kernel
def step_check(state: Record, cards: Record) -> None:
    """RUNE-62, 77. Destroy the defence cards whose defence is spent, all at once; the frame ends when there is none.

    The active player's triggers act first, so its frames lie on top, those of its lowest position lowest.
    """
    spent = 0
    for turn in range(SEATS):
        seat = 1 - state["active"] if turn == 0 else state["active"]
        for place in range(PLACES):
            if is_spent(state, cards, seat, place):
                spent |= np.int64(1) << (seat * PLACES + place)
                await_leaving(state, cards, (seat, place), gone_from(state, seat, place), True)
    if spent == 0:
        state["brittle"] = 0
        pop(state)
        return
    for turn in range(SEATS):
        seat = state["active"] if turn == 0 else 1 - state["active"]
        for place in range(PLACES):
            if (spent >> (seat * PLACES + place)) & 1:
                take_thing(state, cards, seat, place, False)
    settle(state, cards, True)


@kernel
def is_spent(state: Record, cards: Record, seat: int, place: int) -> bool:
    """RUNE-62. Whether a defence card has at least as much damage as defence."""
    inst = state["thing"][seat, place]
    if inst == NOBODY or not is_defence(cards, state["card_of"][inst]):
        return False
    return state["damage"][seat, place] >= defence_of(state, cards, seat, place)


@kernel
def destroy(state: Record, cards: Record, seat: int, place: int) -> None:
    """RUNE-124. Destroy the exposed card at a position: the thing, else the concentration."""
    if state["thing"][seat, place] != NOBODY:
        leave_play(state, cards, seat, place, True, False)
    else:
        to_discard(state, lift_concentration(state, seat, place))


@kernel
def trap(state: Record, cards: Record, top: int, seat: int, place: int) -> None:
    """RUNE-126. Lay the exposed card at a position under a frame's trapping card, unless that has left or holds one already."""
    side, at = state["side"][top], state["place"][top]
    if at == NOBODY or state["thing"][side, at] == NOBODY or state["thing_seq"][side, at] != state["place_seq"][top]:
        return
    if state["under"][side, at] != NOBODY:
        return
    if state["thing"][seat, place] != NOBODY:
        state["under"][side, at] = state["thing"][seat, place]
        leave_play(state, cards, seat, place, False, True)
    else:
        state["under"][side, at] = lift_concentration(state, seat, place)
        state["under_hidden"][side, at] = 1
