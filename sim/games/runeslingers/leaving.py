"""Cards that leave play, and what follows: Distract, ailments, traps, triggers (RUNE-62, 78, 101, 109, 124 to 126)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.piles import to_discard, to_hand
from sim.games.runeslingers.record import When
from sim.games.runeslingers.stack import ask, pop, push, top_of
from sim.games.runeslingers.state import AREAS, NOBODY, PLACES, SEATS, SLOTS, owner_of
from sim.games.runeslingers.stats import check_later, defence_of, is_defence, settle
from sim.games.runeslingers.terms import Frame, Phase
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
def take_thing(state: Record, cards: Record, seat: int, place: int, trapped: bool) -> None:
    """RUNE-109, 124 to 126. A thing leaves its place for its owner's discard pile, or for a trap; nothing is worked out yet."""
    inst = lift(state, seat, place)
    if place >= SLOTS:
        expose(state, seat, place - SLOTS)
    elif cards["distract"][state["card_of"][inst]]:
        to_discard(state, lift_concentration(state, seat, place))
    if not trapped:
        to_discard(state, inst)


@kernel
def leave_play(state: Record, cards: Record, seat: int, place: int, destroyed: bool, trapped: bool) -> None:
    """RUNE-78, 124 to 126. A thing leaves play for its owner's discard pile, or for a trap; then its triggers act."""
    left = gone_from(state, seat, place)
    take_thing(state, cards, seat, place, trapped)
    settle(state, cards)
    check_later(state)
    await_leaving(state, cards, (seat, place), left, destroyed)


@kernel
def gone_from(state: Record, seat: int, place: int) -> tuple[np.int64, np.int64, np.int64]:
    """What is about to leave a position: the instance, the one trapped under it (NOBODY), and whether that lay face-down."""
    inst, under = np.int64(state["thing"][seat, place]), np.int64(state["under"][seat, place])
    return inst, under, np.int64(state["under_hidden"][seat, place])


@kernel
def await_leaving(
    state: Record, cards: Record, spot: tuple[int, int], left: tuple[int, int, int], destroyed: bool
) -> None:
    """RUNE-78, 126. Have a card's own triggers on leaving act, and keep what lay under it until then.

    spot: who controlled it, and its position; left: see `gone_from`.
    """
    seat, place = spot
    inst, under, hidden = left
    card, owned = np.int64(state["card_of"][inst]), owner_of(inst) == seat
    row, waiting = np.int64(cards["triggers"][card]), np.int64(0)
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
def first_leaving(state: Record) -> np.int64:
    """RUNE-77. The lowest LEAVING frame that belongs to the top one: cards of one player that left at the same moment."""
    at = top_of(state)
    while at > 0 and state["frame"][at - 1] == Frame.LEAVING and state["by"][at - 1] == state["by"][at]:
        at -= 1
    return at


@kernel
def waits_leaving(state: Record) -> np.int64:
    """RUNE-77. How many triggers wait of the cards that left at the moment of the top frame."""
    count = np.int64(0)
    for at in range(first_leaving(state), np.int64(state["depth"])):
        waiting = np.int64(state["left"][at])
        while waiting:
            waiting &= waiting - 1
            count += 1
    return count


@kernel
def step_leaving(state: Record, cards: Record) -> None:
    """RUNE-77. The next own trigger of cards that have left together; their controller orders them."""
    waiting = waits_leaving(state)
    if waiting > 1:
        ask(state, Phase.TRIGGER, np.int64(state["by"][top_of(state)]))
    elif waiting == 1:
        fire_leaving(state, cards, 0)
    else:
        first = first_leaving(state)
        for at in range(first, np.int64(state["depth"])):
            release(state, cards, np.int64(at))
        state["depth"] = first


@kernel
def fire_leaving(state: Record, cards: Record, number: int) -> None:
    """RUNE-76. An own trigger of a card that has left acts: the one of this number among those that wait."""
    at, bit, skipped = first_leaving(state), np.int64(0), np.int64(number)
    while skipped > 0 or not (np.int64(state["left"][at]) >> bit) & 1:
        skipped -= (np.int64(state["left"][at]) >> bit) & 1
        bit += 1
        if np.int64(state["left"][at]) >> bit == 0:
            at, bit = at + 1, np.int64(0)
    state["left"][at] &= ~(1 << bit)
    seat, card = np.int64(state["by"][at]), np.int64(state["card"][at])
    row = np.int64(cards["then"][np.int64(state["row"][at]) + bit])
    holds = state["inst"][at] != NOBODY
    while is_idle(state):
        pop(state)  # frames without anything left to do are not needed below it
    act = begin_act(state, seat, row)
    state["card"][act] = card
    state["left"][act] = 1 + at if holds else 0


@kernel
def is_idle(state: Record) -> bool:
    """Whether the top frame is that of a card that has left, with no trigger waiting and no card to release."""
    at = top_of(state)
    if at < 0 or state["frame"][at] != Frame.LEAVING:
        return False
    return state["left"][at] == 0 and state["inst"][at] == NOBODY


@kernel
def release(state: Record, cards: Record, at: int) -> None:
    """RUNE-126. The card that lay under a trap goes to its owner's hand. at: LEAVING frame, NOBODY: there is none."""
    if at == NOBODY:
        return
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
    """RUNE-62, 77. Destroy the defence cards whose defence is spent, all at once; the frame ends when there is none.

    The active player's triggers act first, so its frames lie on top, those of its lowest position below.
    """
    spent = np.int64(0)
    for turn in range(SEATS):
        seat = np.int64(1 - state["active"]) if turn == 0 else np.int64(state["active"])
        for place in range(PLACES):
            if is_spent(state, cards, seat, np.int64(place)):
                spent |= np.int64(1) << (seat * PLACES + place)
                await_leaving(state, cards, (seat, np.int64(place)), gone_from(state, seat, np.int64(place)), True)
    if spent == 0:
        state["brittle"] = 0
        pop(state)
        return
    for turn in range(SEATS):
        seat = np.int64(state["active"]) if turn == 0 else np.int64(1 - state["active"])
        for place in range(PLACES):
            if (spent >> (seat * PLACES + place)) & 1:
                take_thing(state, cards, seat, np.int64(place), False)
    settle(state, cards)


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
