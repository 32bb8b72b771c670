"""Flat and plus bonuses on attacks and defences (ROOK-39): grants, tokens under a Rookling, fixed tokens of its zone."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.record import Mask
from sim.games.rookling.state import LEFT, MIDDLE, RIGHT, defender_of, kinds_at
from sim.games.rookling.tokens import sum_at


@kernel
def attack_flat(state: Record, cards: Record, position: int) -> np.int64:
    """ROOK-38, 39, 71. Flat bonuses on the attack of the attacker's Rookling at a position."""
    seat = np.int64(state["attacker"])
    flat = np.int64(state["attack_flat"][seat, position])
    if kinds_at(state, seat, position) != 0:
        for mask in (Mask.STANDING, Mask.ATTACK_TURN):
            flat += sum_at(state, cards, (seat, position), np.int64(mask), cards["attack_flat"])
    return flat


@kernel
def attack_plus(state: Record, cards: Record, position: int) -> np.int64:
    """ROOK-38, 39, 69. Plus bonuses on the attack of the attacker's Rookling at a position."""
    seat = np.int64(state["attacker"])
    plus = np.int64(state["attack_plus"][seat, position])
    if kinds_at(state, seat, position) != 0:
        for mask in (Mask.STANDING, Mask.ATTACK_TURN):
            plus += sum_at(state, cards, (seat, position), np.int64(mask), cards["attack_plus"])
    return plus


@kernel
def defence_flat(state: Record, cards: Record, position: int) -> np.int64:
    """ROOK-39, 42, 71. Flat bonuses on the defence of the defender's Rookling at a position."""
    seat = defender_of(state)
    flat = np.int64(state["defence_flat"][seat, position]) + np.int64(state["cover"][position])
    return flat + sum_at(state, cards, (seat, position), np.int64(Mask.STANDING), cards["defence_flat"])


@kernel
def defence_plus(state: Record, cards: Record, position: int) -> np.int64:
    """ROOK-39, 43. Plus bonuses on the defence of the defender's Rookling at a position; some act only if it is attacked."""
    seat = defender_of(state)
    plus = np.int64(state["defence_plus"][seat, position])
    if kinds_at(state, seat, position) != 0:
        plus += sum_at(state, cards, (seat, position), np.int64(Mask.STANDING), cards["defence_plus"])
        if state["att"][position] > 0:
            plus += sum_at(state, cards, (seat, position), np.int64(Mask.DEFENDS), cards["defence_plus"])
    return plus


@kernel
def flat_now(state: Record, cards: Record, position: int) -> np.int64:
    """Flat bonus at a position in the half of the exchange that is on."""
    return defence_flat(state, cards, position) if state["defending"] else attack_flat(state, cards, position)


@kernel
def plus_now(state: Record, cards: Record, position: int) -> np.int64:
    """Plus bonus at a position in the half of the exchange that is on."""
    return defence_plus(state, cards, position) if state["defending"] else attack_plus(state, cards, position)


@kernel
def bonuses_now(state: Record, cards: Record) -> tuple[int, ...]:
    """Bonuses of the mover's Rooklings: three flat ones by position, then three plus ones."""
    left, middle, right = np.int64(LEFT), np.int64(MIDDLE), np.int64(RIGHT)
    return (
        flat_now(state, cards, left),
        flat_now(state, cards, middle),
        flat_now(state, cards, right),
        plus_now(state, cards, left),
        plus_now(state, cards, middle),
        plus_now(state, cards, right),
    )
