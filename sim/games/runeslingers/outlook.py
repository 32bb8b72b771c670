"""How long both players will last, and what a player can still do this turn."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.record import Stat
from sim.games.runeslingers.state import NOBODY, SEATS, SLOTS
from sim.games.runeslingers.stats import block_of, is_defence
from sim.games.runeslingers.terms import Stage
from sim.games.runeslingers.values import can_block

A_TURN = 1.2  # cards that a player plays in a turn, about
FOR_GOOD = 4.0  # reaching the last power, beside another one


@kernel
def life_of(state: Record, seat: int) -> float:
    """Powers that a player has left, the present one as the share of its health."""
    most = max(1.0, 1.0 * state["stat"][seat, Stat.MAX_HEALTH])
    return state["power"][seat] - 1.0 + state["health"][seat] / most


@kernel
def wear_on(state: Record, cards: Record, seat: int) -> float:
    """Cards that a player's deck loses in a turn, about: its own draws, and what the cards of the enemy's deck wear away."""
    return cards["draw"] + A_TURN * cards["wear"][state["deck_of"][SEATS - 1 - seat]]


@kernel
def cards_gone(state: Record, cards: Record, seat: int) -> float:
    """Cards of a deck that do not come round again: voided, face-down, or in play."""
    size = 1.0 * cards["deck_size"][state["deck_of"][seat]]
    return size - state["deck_n"][seat] - state["discard_n"][seat] - state["hand_n"][seat]


@kernel
def lasting_light(state: Record, cards: Record, seat: int) -> np.int64:
    """Concentrations that will make light in turns to come: those under no defence card."""
    count = np.int64(0)
    for slot in range(SLOTS):
        if state["conc"][seat, slot] != NOBODY:
            inst = state["thing"][seat, slot]
            count += inst == NOBODY or not is_defence(cards, np.int64(state["card_of"][inst]))
    return count


@kernel
def reaches_power(state: Record, cards: Record, seat: int, light: int) -> float:
    """Whether the damage that a player in its Play Phase holds and can pay takes a power: 0, 1, or more for the last.

    light: see `ready_light`.
    """
    if state["active"] != seat or state["stage"] != Stage.PLAY:
        return 0.0
    other = SEATS - 1 - seat
    room = 1.0 * state["health"][other] + state["barrier"][other]
    if can_block(state, cards, other):
        room += block_of(state, other)
    for at in range(np.int64(state["hand_n"][seat])):
        card = state["card_of"][state["hand"][seat, at]]
        if cards["punch"][card] > 0.0 and cards["cost"][card] <= light:
            light -= cards["cost"][card]
            room -= cards["punch"][card]
    if room > 0.0:
        return 0.0
    return FOR_GOOD if state["power"][other] == 1 else 1.0


@kernel
def answers_ready(state: Record, cards: Record, seat: int, light: int) -> float:
    """Cards with Shout in the own hand that the light left can pay one after the other, in answer to the enemy."""
    count = 0.0
    for at in range(np.int64(state["hand_n"][seat])):
        card = state["card_of"][state["hand"][seat, at]]
        if cards["shout"][card] and cards["cost"][card] <= light:
            light -= cards["cost"][card]
            count += 1.0
    return count
