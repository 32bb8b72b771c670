"""Cards that leave play, and what follows: Distract, ailments, traps, triggers (RUNE-62, 78, 101, 109, 124 to 126)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.piles import to_discard, to_hand
from sim.games.runeslingers.record import When
from sim.games.runeslingers.stack import ask, pop, push, top_of
from sim.games.runeslingers.state import AREAS, NOBODY, PLACES, SEATS, SLOTS, owner_of
from sim.games.runeslingers.stats import check_later, defence_of, is_defence, settle
from sim.games.runeslingers.terms import Frame, Phase, Source
from sim.games.runeslingers.triggers import begin_act, listed


@kernel
def lift(state: Record, seat: int, place: int) -> np.int64:
    """Take a thing off its position, without anything that follows; returns the instance."""
    inst = np.int64(state["thing"][seat, place])
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
def leave_play(state: Record, cards: Record, seat: int, place: int, destroyed: bool, trapped: bool) -> None:
    """RUNE-78, 124 to 126. A thing leaves play for its owner's discard pile, or for a trap; then its triggers act."""
    under, hidden = np.int64(state["under"][seat, place]), np.int64(state["under_hidden"][seat, place])
    inst = lift(state, seat, place)
    card = np.int64(state["card_of"][inst])
    if place >= SLOTS:
        expose(state, seat, place - SLOTS)
    elif cards["distract"][card]:
        to_discard(state, lift_concentration(state, seat, place))
    if not trapped:
        to_discard(state, inst)
    settle(state, cards)
    check_later(state)
    own_triggers(state, cards, seat, inst, destroyed)
    if under != NOBODY:
        hold_released(state, seat, inst, under, hidden)


@kernel
def own_triggers(state: Record, cards: Record, seat: int, inst: int, destroyed: bool) -> None:
    """RUNE-78. Have a card's own triggers on leaving act; seat: who controlled it."""
    card, owned = np.int64(state["card_of"][inst]), owner_of(inst) == seat
    row = np.int64(cards["triggers"][card])
    if row == 0:
        return
    waiting = listed(cards, row, When.LEAVES, owned)
    if destroyed:
        waiting |= listed(cards, row, When.DESTROYED, owned)
    if waiting:
        at = push(state, Frame.LEAVING, seat)
        state["card"][at] = card
        state["left"][at] = waiting
        state["row"][at] = row


@kernel
def hold_released(state: Record, seat: int, inst: int, under: int, hidden: int) -> None:
    """RUNE-126. Keep the card that lay under a trap until a trigger releases it, at the latest when all have acted."""
    at = top_of(state)
    if at < 0 or state["frame"][at] != Frame.LEAVING or state["card"][at] != state["card_of"][inst]:
        at = push(state, Frame.LEAVING, seat)
        state["card"][at] = state["card_of"][inst]
    state["inst"][at] = under
    state["kind"][at] = hidden


@kernel
def step_leaving(state: Record, cards: Record) -> None:
    """RUNE-77. The next own trigger of a card that has left; its controller orders them."""
    top = top_of(state)
    waiting = np.int64(state["left"][top])
    if waiting == 0:
        release(state, cards, top)
        pop(state)
    elif waiting & (waiting - 1):
        ask(state, Phase.TRIGGER, np.int64(state["by"][top]))
    else:
        fire_leaving(state, cards, 0)


@kernel
def fire_leaving(state: Record, cards: Record, number: int) -> None:
    """RUNE-76. An own trigger of a card that has left acts: the one of this number among those that wait."""
    top = top_of(state)
    bit, skipped = np.int64(0), np.int64(number)
    while skipped > 0 or not (np.int64(state["left"][top]) >> bit) & 1:
        skipped -= (np.int64(state["left"][top]) >> bit) & 1
        bit += 1
    state["left"][top] &= ~(1 << bit)
    seat, card = np.int64(state["by"][top]), np.int64(state["card"][top])
    row = np.int64(cards["then"][np.int64(state["row"][top]) + bit])
    if state["left"][top] == 0 and state["inst"][top] == NOBODY:
        pop(state)  # it was the last: the frame is not needed below it
    at = begin_act(state, seat, Source.LEFT, row)
    state["card"][at] = card


@kernel
def release(state: Record, cards: Record, at: int) -> None:
    """RUNE-126. The card that lay under a trap goes to its owner's hand. at: LEAVING frame."""
    inst = np.int64(state["inst"][at])
    if inst != NOBODY:
        state["inst"][at] = NOBODY
        to_hand(state, cards, inst, False)


@kernel
def lift_concentration(state: Record, seat: int, place: int) -> np.int64:
    """Take a concentration off its area; returns the instance."""
    inst = np.int64(state["conc"][seat, place])
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
    """RUNE-101, 109. What lay under a boon is exposed again, and merges with its like into the lower-numbered area."""
    for other in range(AREAS):
        if (
            other != area
            and state["count"][seat, other] > 0
            and state["ailment"][seat, other] == state["ailment"][seat, area]
            and state["thing"][seat, SLOTS + other] == NOBODY
        ):
            low, high = min(area, other), max(area, other)
            state["count"][seat, low] += state["count"][seat, high]
            state["count"][seat, high] = 0
            return


@kernel
def step_check(state: Record, cards: Record) -> None:
    """RUNE-62. Destroy a defence card whose defence is spent, the active player's first; the frame ends when there is none."""
    for turn in range(SEATS):
        seat = np.int64(state["active"]) if turn == 0 else np.int64(1 - state["active"])
        for place in range(PLACES):
            if is_spent(state, cards, seat, np.int64(place)):
                leave_play(state, cards, seat, np.int64(place), True, False)
                return
    state["brittle"] = 0
    pop(state)


@kernel
def is_spent(state: Record, cards: Record, seat: int, place: int) -> bool:
    """RUNE-62. Whether a defence card has taken as much damage as it has defence."""
    inst = state["thing"][seat, place]
    if inst == NOBODY or not is_defence(cards, np.int64(state["card_of"][inst])):
        return False
    return state["damage"][seat, place] >= defence_of(state, cards, seat, place)


@kernel
def destroy(state: Record, cards: Record, seat: int, place: int) -> None:
    """RUNE-124. Destroy what lies exposed at a position: a thing, else a concentration."""
    if state["thing"][seat, place] != NOBODY:
        leave_play(state, cards, seat, place, True, False)
    else:
        to_discard(state, lift_concentration(state, seat, place))


@kernel
def trap(state: Record, cards: Record, top: int, seat: int, place: int) -> None:
    """RUNE-126. Lay what is exposed at a position under the trapping card of a frame; nothing if that has left or holds one."""
    side, at = np.int64(state["side"][top]), np.int64(state["place"][top])
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
