"""The power of a hand: the points of attack that its cards give the own Rooklings, one card each."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.energy import side_at, takes_energy
from sim.games.rookling.features import POINTS
from sim.games.rookling.footing import slot_at
from sim.games.rookling.plans import BITS, promised
from sim.games.rookling.record import ANY, LINES, NONE, SQUAD, Kind
from sim.games.rookling.state import LEFT, MIDDLE, NOWHERE, RIGHT, colour_of, number_of

ALONE = -1  # no card


@kernel
def strike_with(state: Record, cards: Record, place: tuple[int, int], card: int) -> np.int64:
    """Points of the best attack line that one card (a kind) meets by itself. place: seat, position."""
    seat, position = place
    rook, side = np.int64(state["rook"][seat, slot_at(state, seat, position)]), side_at(state, seat, position)
    colour, number, best = colour_of(state, cards, card), number_of(state, cards, card), np.int64(0)
    for line in range(LINES):
        wanted = cards["colour"][rook, line]
        if cards["kind"][rook, line] != Kind.ATTACK or number < cards["number"][rook, line, side]:
            continue
        if wanted in (ANY, colour):
            match = cards["match_colour"][rook, line]
            matched = match != NONE and match == colour
            points = np.int64(cards["amount"][rook, line, side])
            best = max(best, points + cards["match_bonus"][rook, line, side] if matched else points)
    return best


@kernel
def strikes_at(state: Record, cards: Record, seat: int, position: int, barred: bool) -> np.int64:
    """Points of each card of a hand at a position, packed. barred: whether tokens that bar energy count."""
    packed = np.int64(0)
    if state["at"][seat, position] == NOWHERE or (barred and not takes_energy(state, cards, seat, position)):
        return packed
    for card in range(np.int64(state["hand_n"][seat])):
        points = strike_with(state, cards, (seat, position), np.int64(state["hand"][seat, card]))
        packed |= points << (BITS * card)
    return packed


@kernel
def strikes_of(state: Record, cards: Record, seat: int, barred: bool) -> tuple[int, int, int]:
    """Points of each card of a hand at each position, packed by position."""
    return (
        strikes_at(state, cards, seat, np.int64(LEFT), barred),
        strikes_at(state, cards, seat, np.int64(MIDDLE), barred),
        strikes_at(state, cards, seat, np.int64(RIGHT), barred),
    )


@kernel
def power_of(strikes: tuple[int, int, int], count: int, used: int) -> float:
    """Most points that cards which are not used give, one on each Rookling, in POINTS. used: by bit; count: cards in hand."""
    left, middle, right = strikes
    free = np.int64(0)
    for card in range(count):
        free += 1 - (used >> card & 1)
    first, best = np.int64(0 if free >= SQUAD else ALONE), np.int64(0)
    if free == 0:
        return 0.0
    for one in range(first, count):
        if one != ALONE and used >> one & 1:
            continue
        taken = used | (np.int64(1) << one if one != ALONE else np.int64(0))
        points = promised(left, one) if one != ALONE else np.int64(0)
        for two in range(first, count):
            if two != ALONE and taken >> two & 1:
                continue
            both = taken | (np.int64(1) << two if two != ALONE else np.int64(0))
            more = promised(middle, two) if two != ALONE else np.int64(0)
            best = max(best, points + more + most_of(right, count, both))
    return best / POINTS


@kernel
def most_of(packed: int, count: int, used: int) -> np.int64:
    """Most points that a card which is not used gives at a position."""
    most = np.int64(0)
    for card in range(count):
        if not used >> card & 1:
            most = max(most, promised(packed, card))
    return most


@kernel
def power_now(state: Record, cards: Record, seat: int, barred: bool) -> float:
    """Power of a hand as it is."""
    return power_of(strikes_of(state, cards, seat, barred), np.int64(state["hand_n"][seat]), np.int64(0))
