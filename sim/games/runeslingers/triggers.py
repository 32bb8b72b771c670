"""Triggered effects: who waits for a moment, in which order they act (RUNE-76 to 78)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.record import NO_ROW, When
from sim.games.runeslingers.stack import ask, pop, push, top_of
from sim.games.runeslingers.state import AREAS, NOBODY, PLACES, SEATS, SLOTS, owner_of
from sim.games.runeslingers.stats import holds
from sim.games.runeslingers.terms import Frame, Part, Phase

PER_SOURCE = 3  # most triggers of a card
FIRST_AREA = PLACES + 1  # sources are numbered: the stance, the things by position, the ailment areas
HEARD = (FIRST_AREA + AREAS) * PER_SOURCE


@kernel
def await_triggers(state: Record, cards: Record, moment: int, seat: int) -> None:
    """RUNE-77. Let the triggers of one player for a moment act, before anything else goes on. moment: When."""
    waiting = waiting_for(state, cards, moment, seat)
    if waiting:
        at = push(state, Frame.TRIGGERS, seat)
        state["waiting"][at, seat] = waiting
        state["waiting"][at, SEATS - 1 - seat] = 0
        state["place_seq"][at] = state["seq"]
        state["kind"][at] = moment


@kernel
def await_downed(state: Record, cards: Record, seat: int) -> None:
    """RUNE-22, 24. Let the triggers on losing a power act, those of both players."""
    mine = waiting_for(state, cards, When.YOU_DOWNED, seat)
    theirs = waiting_for(state, cards, When.ENEMY_DOWNED, SEATS - 1 - seat)
    if mine or theirs:
        at = push(state, Frame.TRIGGERS, seat)
        state["waiting"][at, seat] = mine
        state["waiting"][at, SEATS - 1 - seat] = theirs
        state["place_seq"][at] = state["seq"]
        state["kind"][at] = When.YOU_DOWNED


@kernel
def waiting_for(state: Record, cards: Record, moment: int, seat: int) -> np.int64:
    """Triggers of a player for a moment of cards or stances, as bits source * PER_SOURCE + number."""
    found = np.int64(0)
    if not (np.int64(state["hears"][seat]) >> moment) & 1:
        return found
    stance = cards["stance"][state["deck_of"][seat]]
    found |= listed(cards, np.int64(cards["stance_triggers"][stance]), moment, True)
    for place in range(PLACES):
        inst = np.int64(state["thing"][seat, place])
        if inst != NOBODY:
            row = np.int64(cards["triggers"][state["card_of"][inst]])
            if row:
                owned = owner_of(inst) == seat
                found |= listed(cards, row, moment, owned) << ((place + 1) * PER_SOURCE)
    return found


@kernel
def listed(cards: Record, row: int, moment: int, owned: bool) -> np.int64:
    """Which triggers of a list wait for a moment, as bits."""
    found, k = np.int64(0), 0
    while cards["when"][row + k] != When.NONE:
        if cards["when"][row + k] == moment and holds(np.int64(cards["when_if"][row + k]), owned):
            found |= np.int64(1) << k
        k += 1
    return found


@kernel
def await_ailments(state: Record, cards: Record, moment: int, seat: int) -> None:
    """RUNE-33, 35. Let the effects of a player's ailments at level II act. moment: AILMENT_PHASE or AFTER_DRAW."""
    waiting = np.int64(0)
    for area in range(AREAS):
        if is_severe(state, cards, seat, area) and row_of_ailment(state, cards, moment, seat, area) != NO_ROW:
            waiting |= np.int64(1) << ((FIRST_AREA + area) * PER_SOURCE)
    if waiting:
        at = push(state, Frame.TRIGGERS, seat)
        state["waiting"][at, seat] = waiting
        state["waiting"][at, SEATS - 1 - seat] = 0
        state["place_seq"][at] = state["seq"]
        state["kind"][at] = moment


@kernel
def is_severe(state: Record, cards: Record, seat: int, area: int) -> bool:
    """RUNE-99. Whether the ailment of an area is exposed and at level II."""
    if state["count"][seat, area] == 0 or state["thing"][seat, SLOTS + area] != NOBODY:
        return False
    return state["count"][seat, area] >= cards["threshold"][state["ailment"][seat, area]]


@kernel
def row_of_ailment(state: Record, cards: Record, moment: int, seat: int, area: int) -> np.int64:
    """Effects of the ailment of an area at a moment of the turn."""
    kind = state["ailment"][seat, area]
    if moment == When.AILMENT_PHASE:
        return np.int64(cards["ailment_phase"][kind])
    return np.int64(cards["after_draw"][kind])


@kernel
def step_triggers(state: Record, cards: Record) -> None:
    """RUNE-77. The next waiting trigger acts: the active player's first, in the order that each player likes."""
    top = top_of(state)
    for turn in range(SEATS):
        seat = np.int64(state["active"]) if turn == 0 else np.int64(1 - state["active"])
        waiting = fresh(state, cards, top, seat)
        state["waiting"][top, seat] = waiting
        if waiting:
            if waiting & (waiting - 1):
                ask(state, Phase.TRIGGER, seat)
            else:
                fire(state, cards, seat, 0)
            return
    pop(state)


@kernel
def fresh(state: Record, cards: Record, top: int, seat: int) -> np.int64:
    """RUNE-77. Waiting triggers of a player whose sources are still there."""
    waiting = np.int64(state["waiting"][top, seat])
    if not waiting:
        return waiting
    left = waiting
    for bit in range(PER_SOURCE, HEARD):  # a stance does not leave
        if (waiting >> bit) & 1:
            source = bit // PER_SOURCE
            if source >= FIRST_AREA:
                there = is_severe(state, cards, seat, source - FIRST_AREA)
            else:
                there = (
                    state["thing"][seat, source - 1] != NOBODY
                    and state["thing_seq"][seat, source - 1] <= state["place_seq"][top]
                )
            if not there:
                left &= ~(np.int64(1) << bit)
    return left


@kernel
def fire(state: Record, cards: Record, seat: int, number: int) -> None:
    """RUNE-76. A waiting trigger acts: the one of this number among those of the player."""
    top = top_of(state)
    moment, bit, skipped = np.int64(state["kind"][top]), np.int64(0), np.int64(number)
    while skipped > 0 or not (state["waiting"][top, seat] >> bit) & 1:
        skipped -= (state["waiting"][top, seat] >> bit) & 1
        bit += 1
    state["waiting"][top, seat] &= ~(np.int64(1) << bit)
    if state["waiting"][top, 0] == 0 and state["waiting"][top, 1] == 0:
        pop(state)  # it was the last: the frame is not needed below it
    source, k = bit // PER_SOURCE, bit % PER_SOURCE
    if source == 0:
        stance = cards["stance"][state["deck_of"][seat]]
        begin_act(state, seat, np.int64(cards["then"][cards["stance_triggers"][stance] + k]))
    elif source >= FIRST_AREA:
        row = row_of_ailment(state, cards, moment, seat, source - FIRST_AREA)
        begin_act(state, seat, row)
    else:
        card = state["card_of"][state["thing"][seat, source - 1]]
        row = np.int64(cards["then"][cards["triggers"][card] + k])
        at = begin_act(state, seat, row)
        name_source(state, at, seat, source - 1)


@kernel
def begin_act(state: Record, seat: int, row: int) -> np.int64:
    """Begin a list of effects that is no card being played; returns its frame."""
    at = push(state, Frame.ACT, seat)
    state["row"][at] = row
    state["step"][at] = Part.TYPES
    return at


@kernel
def name_source(state: Record, at: int, seat: int, place: int) -> None:
    """Tell a frame which thing it comes from."""
    state["side"][at] = seat
    state["place"][at] = place
    state["place_seq"][at] = state["thing_seq"][seat, place]
    state["card"][at] = state["card_of"][state["thing"][seat, place]]
