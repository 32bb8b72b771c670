"""The decisions open to a seat (register section 5), listed when all has come to rest."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.ailments import is_takeable, may_announce
from sim.games.runeslingers.aims import CODES, OWN_PLACE, wants_distinct
from sim.games.runeslingers.leaving import waits_leaving
from sim.games.runeslingers.light import ready_light
from sim.games.runeslingers.playable import (
    can_activate,
    can_play,
    can_use_ability,
    can_use_inherent,
    finds_targets,
    survey,
)
from sim.games.runeslingers.playing import aim_codes, bullets_open, is_exposed
from sim.games.runeslingers.record import ACTIVATED, AILMENTS, Stat
from sim.games.runeslingers.stack import top_of
from sim.games.runeslingers.state import AREAS, HAND_MAX, NOBODY, PLACES, SEATS, SLOTS
from sim.games.runeslingers.switches import HandLimit
from sim.games.runeslingers.terms import Frame, Phase
from sim.games.runeslingers.triggers import fresh

# codes of MAIN
PLAY = 1
SET = 13
INHERENT = 25
ABILITY = 26
ACTIVATE = 27  # two of each position
CHARGE = 47
MAKE_LIGHT = 57
# codes of PASS
TAKE_BACK = 2


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> np.int64:  # noqa: ARG001 - the verb's parameters
    """The decisions open to the seat that must decide, in ascending order; how many."""
    count = np.int64(state["options_n"])
    for i in range(count):
        out[i] = state["options"][i]
    return count


@kernel
def add_option(state: Record, code: int) -> None:
    """One more decision is open."""
    state["options"][state["options_n"]] = code
    state["options_n"] += 1


@kernel
def list_options(state: Record, cards: Record) -> None:
    """Register section 5. List what is open to the seat that must decide."""
    phase = state["phase"]
    state["options_n"] = 0
    if phase == Phase.MAIN:
        list_main(state, cards)
    elif phase == Phase.TARGET:
        list_codes(state, without_twins(state, np.int64(state["seat"]), aim_codes(state, cards), OWN_PLACE), CODES)
    elif phase == Phase.BLOCK:
        add_option(state, 0)
        list_hand(state, 1)
    elif phase == Phase.PASS:
        list_pass(state, cards)
    elif phase == Phase.ANSWER:
        list_answers(state, cards)
    elif phase == Phase.SLOT:
        list_slots(state, 0)
    elif phase in (Phase.SETUP, Phase.DISCARD):
        list_hand(state, 0)
    else:
        list_rarely(state, cards)


@kernel
def list_rarely(state: Record, cards: Record) -> None:
    """The rarer decisions."""
    phase, top = state["phase"], top_of(state)
    if phase == Phase.PLACE:
        list_areas(state, cards, np.int64(state["card"][top]))
    elif phase == Phase.BULLET:
        list_codes(state, bullets_open(state, cards, top), AILMENTS)
    elif phase == Phase.AILMENT:
        list_types(state, cards, top)
    elif phase == Phase.TRIGGER:
        list_triggers(state, cards, top)
    elif phase == Phase.ORDER:
        list_order(state, top)
    elif phase == Phase.REMOVE:
        list_removals(state, top)
    else:  # FIRST, EACH
        add_option(state, 0)
        add_option(state, 1)


@kernel
def list_codes(state: Record, found: int, most: int) -> None:
    """The set bits of a number."""
    for code in range(most):
        if (found >> code) & 1:
            add_option(state, code)


@kernel
def shows(state: Record, seat: int, at: int) -> bool:
    """Register section 5. Whether a card of a hand is the first of its like."""
    if at == 0:
        return True
    return state["card_of"][state["hand"][seat, at]] != state["card_of"][state["hand"][seat, at - 1]]


@kernel
def list_hand(state: Record, base: int) -> None:
    """Cards of the hand, like ones once."""
    seat = np.int64(state["seat"])
    for at in range(np.int64(state["hand_n"][seat])):
        if shows(state, seat, at):
            add_option(state, base + at)


@kernel
def list_main(state: Record, cards: Record) -> None:
    """RUNE-38 to 45. What the active player may do in the Play Phase."""
    seat = np.int64(state["seat"])
    light, places = ready_light(state, seat), survey(state, seat)
    add_option(state, 0)
    for at in range(np.int64(state["hand_n"][seat])):
        card = np.int64(state["card_of"][state["hand"][seat, at]])
        if shows(state, seat, at) and can_play(state, cards, seat, card, light, places):
            add_option(state, PLAY + at)
    if state["sets_left"][seat] > 0 and has_free_area(state, cards, seat):
        list_hand(state, SET)
    if can_use_inherent(state, cards, seat, light):
        add_option(state, INHERENT)
    if can_use_ability(state, cards, seat):
        add_option(state, ABILITY)
    list_activations(state, cards, seat)
    if cards["float_light"] and light > state["light"][seat]:
        add_option(state, MAKE_LIGHT)


@kernel
def has_free_area(state: Record, cards: Record, seat: int) -> bool:
    """RUNE-39. Whether there is an area for another concentration."""
    for slot in range(np.int64(cards["concentration_areas"])):
        if state["conc"][seat, slot] == NOBODY:
            return True
    return False


@kernel
def list_activations(state: Record, cards: Record, seat: int) -> None:
    """RUNE-43 to 45. Activated effects and charges of the things that the player controls."""
    chargeable = np.int64(0)
    for place in range(PLACES):
        inst = state["thing"][seat, place]
        if inst == NOBODY:
            continue
        card = state["card_of"][inst]
        for k in range(ACTIVATED):
            if cards["act_effects"][card, k] and can_activate(state, cards, seat, place, k):
                add_option(state, ACTIVATE + ACTIVATED * place + k)
        if cards["charge"][card] and state["charged"][seat, place] == 0:
            chargeable |= np.int64(1) << place
    for place in range(PLACES):
        if (chargeable >> place) & 1:
            add_option(state, CHARGE + place)


@kernel
def list_pass(state: Record, cards: Record) -> None:
    """RUNE-37. Play on, draw, or take a concentration back if the hand is not full."""
    add_option(state, 0)
    add_option(state, 1)
    seat = np.int64(state["seat"])
    if has_room(state, cards, seat):
        list_slots(state, TAKE_BACK)


@kernel
def has_room(state: Record, cards: Record, seat: int) -> bool:
    """A12. Whether a card taken back would stay in the hand."""
    if cards["hand_limit"] == HandLimit.DRAWS:
        return state["hand_n"][seat] < HAND_MAX
    return state["hand_n"][seat] < state["stat"][seat, Stat.MAX_HAND]


@kernel
def list_slots(state: Record, base: int) -> None:
    """Exposed concentrations of the seat, like ones once."""
    seat, found = np.int64(state["seat"]), np.int64(0)
    for slot in range(SLOTS):
        if is_exposed(state, seat, slot):
            found |= np.int64(1) << slot
    list_codes(state, without_twins(state, seat, found, 0) << base, SLOTS + base)


@kernel
def without_twins(state: Record, seat: int, found: int, base: int) -> np.int64:
    """Register section 5. Leave out own concentrations for which the same card lies in the same position at a lower number.

    found: bits, that of slot 0 being `base`; returns them without the twins.
    """
    left = np.int64(found)
    for slot in range(1, SLOTS):
        if (found >> (base + slot)) & 1 and is_exposed(state, seat, slot):
            for lower in range(slot):
                if (found >> (base + lower)) & 1 and are_twins(state, seat, lower, slot):
                    left &= ~(np.int64(1) << (base + slot))
    return left


@kernel
def are_twins(state: Record, seat: int, slot: int, twin: int) -> bool:
    """Whether two exposed concentrations cannot be told apart by their owner."""
    return (
        is_exposed(state, seat, slot)
        and state["conc_used"][seat, slot] == state["conc_used"][seat, twin]
        and state["card_of"][state["conc"][seat, slot]] == state["card_of"][state["conc"][seat, twin]]
    )


@kernel
def list_answers(state: Record, cards: Record) -> None:
    """RUNE-70, 74. Let it lapse, or play a card with Shout."""
    seat = np.int64(state["seat"])
    light, places = ready_light(state, seat), survey(state, seat)
    add_option(state, 0)
    for at in range(np.int64(state["hand_n"][seat])):
        card = np.int64(state["card_of"][state["hand"][seat, at]])
        if cards["shout"][card] and shows(state, seat, at) and can_play(state, cards, seat, card, light, places):
            add_option(state, 1 + at)


@kernel
def list_areas(state: Record, cards: Record, card: int) -> None:
    """RUNE-50, 106. Areas with ailments, the player's own and the enemy's, where the effects of a boon have targets."""
    seat = np.int64(state["seat"])
    for turn in range(SEATS):
        side = seat if turn == 0 else SEATS - 1 - seat
        open_here = finds_targets(state, cards, side, card)
        for area in range(AREAS):
            if open_here and state["count"][side, area] > 0:
                add_option(state, turn * AREAS + area)


@kernel
def list_types(state: Record, cards: Record, top: int) -> None:
    """RUNE-98. Types that may be announced."""
    distinct = wants_distinct(cards, np.int64(state["row"][top]))
    for kind in range(AILMENTS):
        if may_announce(state, top, kind, distinct):
            add_option(state, kind)


@kernel
def list_triggers(state: Record, cards: Record, top: int) -> None:
    """RUNE-77. Waiting triggers of the seat, numbered as they wait."""
    if state["frame"][top] == Frame.LEAVING:
        for number in range(waits_leaving(state)):
            add_option(state, number)
        return
    waiting, count = fresh(state, cards, top, np.int64(state["seat"])), np.int64(0)
    while waiting:
        waiting &= waiting - 1
        add_option(state, count)
        count += 1


@kernel
def list_order(state: Record, top: int) -> None:
    """RUNE-98. Types that are still to be applied."""
    for kind in range(AILMENTS):
        for i in range(np.int64(state["types_n"][top])):
            if state["types"][top, i] == kind:
                add_option(state, kind)
                break


@kernel
def list_removals(state: Record, top: int) -> None:
    """RUNE-34, 100. Types of which an instance may be taken."""
    for kind in range(AILMENTS):
        for area in range(AREAS):
            if state["ailment"][state["side"][top], area] == kind and is_takeable(state, top, area):
                add_option(state, kind)
