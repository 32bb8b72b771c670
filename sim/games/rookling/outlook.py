"""The outlook on a defender: all that an attack must reckon with, guessed where it cannot be seen."""

from enum import IntEnum

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.energy import rook_at, side_at
from sim.games.rookling.record import Mask
from sim.games.rookling.state import LEFT, MIDDLE, POSITIONS, RIGHT, defender_of, kinds_at
from sim.games.rookling.tokens import sum_at


class Look(IntEnum):
    """Sides of the outlook on a position."""

    LIFE = 0
    CHANCE = 1  # that its Rookling blocks with its own line
    POINTS = 2  # of that block
    GUARD = 3  # defence that needs no card
    TARGET = 4  # position on which an attack on it lands
    HIDDEN = 5  # 1: attacks on it are cancelled


READY = np.array([0.0, 0.45, 0.7, 0.85, 0.92, 0.96, 1.0])  # part of a chance to block that is left, by cards in hand


@kernel
def target_of(state: Record, position: int) -> np.int64:
    """ROOK-48, 49. Position on which an attack on a position lands, as its defender would have it."""
    seat = defender_of(state)
    lives, at = state["life"][seat], state["at"][seat]
    if lives[at[position]] > 0:
        return np.int64(position)
    if position != MIDDLE:
        return np.int64(MIDDLE) if lives[at[MIDDLE]] > 0 else np.int64(RIGHT - position)
    return np.int64(LEFT) if lives[at[LEFT]] >= lives[at[RIGHT]] else np.int64(RIGHT)


@kernel
def block_chance(state: Record, cards: Record, position: int) -> float:
    """Chance that the defender's Rookling at a position blocks with its own line, by the cards left in that hand."""
    seat = defender_of(state)
    if kinds_at(state, seat, position) & np.int64(cards["token_mask"][Mask.NO_ENERGY]):
        return 0.0
    chance = cards["guard_chance"][rook_at(state, seat, position), side_at(state, seat, position)]
    return chance * READY[state["hand_n"][seat]]


@kernel
def block_points(state: Record, cards: Record, position: int) -> float:
    """Points of that block."""
    seat = defender_of(state)
    return cards["guard_points"][rook_at(state, seat, position), side_at(state, seat, position)]


@kernel
def standing_guard(state: Record, cards: Record, position: int) -> np.int64:
    """Defence of the defender's Rookling at a position that needs no card: flat tokens, Cover if it is faced."""
    place = (defender_of(state), position)
    guard = np.int64(state["cover"][position])
    if kinds_at(state, defender_of(state), position) == 0:
        return guard
    guard += sum_at(state, cards, place, np.int64(Mask.STANDING), cards["defence_flat"])
    return guard + sum_at(state, cards, place, np.int64(Mask.FACED), cards["defence_flat"])


@kernel
def three(state: Record, cards: Record, look: int) -> tuple[float, float, float]:
    """One side of the outlook at all three positions of the defender (see `look_at`)."""
    return (
        look_at(state, cards, look, np.int64(LEFT)),
        look_at(state, cards, look, np.int64(MIDDLE)),
        look_at(state, cards, look, np.int64(RIGHT)),
    )


@kernel
def look_at(state: Record, cards: Record, look: int, position: int) -> float:
    """The outlook on a position of the defender: a Look."""
    seat = defender_of(state)
    if look == Look.LIFE:
        return float(state["life"][seat, state["at"][seat, position]])
    if look == Look.CHANCE:
        return block_chance(state, cards, position)
    if look == Look.POINTS:
        return block_points(state, cards, position)
    if look == Look.GUARD:
        return float(standing_guard(state, cards, position))
    if look == Look.TARGET:
        return float(target_of(state, position))
    return 1.0 if kinds_at(state, seat, position) & np.int64(cards["token_mask"][Mask.CANCEL]) else 0.0


@kernel
def outlook(state: Record, cards: Record) -> tuple[float, ...]:
    """All that an attack must reckon with: POSITIONS numbers for each Look."""
    return (
        three(state, cards, np.int64(Look.LIFE))
        + three(state, cards, np.int64(Look.CHANCE))
        + three(state, cards, np.int64(Look.POINTS))
        + three(state, cards, np.int64(Look.GUARD))
        + three(state, cards, np.int64(Look.TARGET))
        + three(state, cards, np.int64(Look.HIDDEN))
    )


@kernel
def seen(looks: tuple[float, ...], look: int, position: int) -> float:
    """One number of an outlook."""
    return looks[POSITIONS * look + position]
