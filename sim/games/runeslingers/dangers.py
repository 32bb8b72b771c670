"""How near both players are to losing powers, and what they can still do against it this turn."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.record import Stat
from sim.games.runeslingers.state import NOBODY, SEATS, SLOTS
from sim.games.runeslingers.stats import block_of
from sim.games.runeslingers.terms import Stage
from sim.games.runeslingers.values import can_block

PER_LIGHT = 2.5  # damage that an unseen hand makes of a light
ALARM = 10.0  # points of damage beyond health and block from which danger does not grow
DECK_LOW = 8.0  # cards of a deck from which its end is in sight
KEPT = 4.0  # cards of a hand that stay there when a deck begins anew
BLOCK_UNIT = 5.0  # block value that counts 1


@kernel
def life_of(state: Record, seat: int) -> float:
    """Powers that a player has left, the present one as the share of its health."""
    most = max(1.0, 1.0 * state["stat"][seat, Stat.MAX_HEALTH])
    return state["power"][seat] - 1.0 + state["health"][seat] / most


@kernel
def brink_of(state: Record, seat: int) -> float:
    """How near a player of one power is to health 0, 0..1; 0 with more powers."""
    if state["power"][seat] > 1:
        return 0.0
    most = max(1.0, 1.0 * state["stat"][seat, Stat.MAX_HEALTH])
    return 1.0 - state["health"][seat] / most


@kernel
def deck_end_of(state: Record, seat: int) -> float:
    """How near a deck is to its end, 0..1."""
    return max(0.0, 1.0 - state["deck_n"][seat] / DECK_LOW)


@kernel
def reserve_of(state: Record, seat: int) -> float:
    """Cards that a player has still to lose before its last power goes with its deck: this deck, and those to come."""
    back = 1.0 * state["deck_n"][seat] + state["discard_n"][seat] + state["hand_n"][seat] - KEPT
    return state["deck_n"][seat] + (state["power"][seat] - 1.0) * max(0.0, back)


@kernel
def cards_gone(state: Record, cards: Record, seat: int) -> float:
    """Cards of a deck that do not come round again: voided, face-down, or in play."""
    size = 1.0 * cards["deck_size"][state["deck_of"][seat]]
    return size - state["deck_n"][seat] - state["discard_n"][seat] - state["hand_n"][seat]


@kernel
def danger_of(state: Record, seat: int, light: int) -> float:
    """How far the light of the enemy may reach beyond health and block of a player, 0..1. light: see `ready_light`.

    In the enemy's turn it is the light left, in the own one that of all its open concentrations.
    """
    if state["active"] == seat:
        light = open_concentrations(state, SEATS - 1 - seat)
    shield = 0
    if state["hand_n"][seat] > 0 and (state["active"] == seat or state["blocked"][seat] == 0):
        shield = block_of(state, seat)
    beyond = (PER_LIGHT * light - state["health"][seat] - shield) / ALARM
    return min(1.0, max(0.0, beyond))


@kernel
def open_concentrations(state: Record, seat: int) -> np.int64:
    """Concentrations on which nothing lies, ready or used."""
    count = np.int64(0)
    for slot in range(SLOTS):
        count += state["conc"][seat, slot] != NOBODY and state["thing"][seat, slot] == NOBODY
    return count


@kernel
def reaches_power(state: Record, cards: Record, seat: int, light: int) -> float:
    """Whether the damage that a player in its Play Phase holds and can pay takes a power, 0 or 1. light: see `ready_light`."""
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
    return 1.0 if room <= 0.0 else 0.0


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


@kernel
def block_to_come(state: Record, cards: Record, seat: int) -> float:
    """Block value that a player can still bring up in the enemy's turn, in units of a usual one."""
    if state["active"] == seat or state["first"] == NOBODY or not can_block(state, cards, seat):
        return 0.0
    return block_of(state, seat) / BLOCK_UNIT
