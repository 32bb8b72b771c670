"""What one more card on a Rookling would give: the options among which a promised attack or defence is put together.

A plan puts at most one card of the hand on each Rookling with room. What each card would give is packed into one whole
number per position, BITS bits by place in the hand, so that nothing is allocated.
"""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.clash import LEFT, MIDDLE, RIGHT
from sim.games.rookling.declare import declared_kind
from sim.games.rookling.energy import has_room, own_amount, reaches, rook_at, side_at
from sim.games.rookling.footing import card_worth
from sim.games.rookling.record import ANY, GREY, LINES, NONE, ChargeColour, Kind
from sim.games.rookling.special import is_offered
from sim.games.rookling.state import NOBODY, POSITIONS, Phase, colour_of, mover, number_of

BITS = 10  # of a promise
MOST = 1023
TENTHS = 10.0  # promised extras are counted in tenths of a life point
NO_CARD = -1
OWN, GIVEN, EXTRAS = 0, POSITIONS, 2 * POSITIONS  # sections of the offers, by position: see `offers_now`


@kernel
def promised(promises: int, card: int) -> np.int64:
    """What a card of the hand promises. promises: as packed by `amounts_with` or `extras_with`."""
    return np.int64(promises >> (BITS * card) & MOST)


@kernel
def may_still_place(state: Record) -> bool:
    """Whether the mover is still before or in the step of placing energy."""
    return state["phase"] <= Phase.TARGET


@kernel
def own_now(state: Record, cards: Record, position: int) -> np.int64:
    """Points of the line in use at a position of the mover or, before that is chosen, of the best one that is met."""
    seat, kind = mover(state), declared_kind(state)
    declaring = state["phase"] == Phase.ATTACK or state["phase"] == Phase.DEFEND
    if state["phase"] > Phase.DEFEND or (declaring and position < state["cursor"]):
        used = np.int64(state["line"][seat, position])
        return own_amount(state, cards, seat, position, used) if used != NOBODY else np.int64(0)
    if state["zone_n"][seat, position] == 0:
        return np.int64(0)
    if cards["one_line_per_rookling"] and state["activated"][seat, position]:
        return np.int64(0)
    rook, side, best = rook_at(state, seat, position), side_at(state, seat, position), np.int64(0)
    for line in range(LINES):
        if cards["kind"][rook, line] == kind and reaches(
            cards, rook, np.int64(line), side, state["shown"][seat, position]
        ):
            best = np.int64(max(best, own_amount(state, cards, seat, position, np.int64(line))))
    return best


@kernel
def meets_with(state: Record, cards: Record, position: int, line: int, card: int) -> bool:
    """Whether a line of the mover at a position would be met with one more card (a kind)."""
    seat = mover(state)
    rook, side = rook_at(state, seat, position), side_at(state, seat, position)
    colour, number = colour_of(state, cards, card), number_of(state, cards, card)
    wanted, threshold = cards["colour"][rook, line], cards["number"][rook, line, side]
    shown = state["shown"][seat, position]
    if wanted == ANY:
        return shown[ANY] + number >= threshold
    if cards["charge_colour"] == ChargeColour.ANY_MATCH:
        return (wanted == colour or shown[wanted] > 0) and shown[ANY] + number >= threshold
    if wanted == colour:
        return shown[wanted] + number >= threshold
    return shown[wanted] >= threshold


@kernel
def amount_with(state: Record, cards: Record, position: int, card: int) -> np.int64:
    """Points of the best line of this half of the exchange with one more card (a kind) at a position of the mover."""
    seat, kind = mover(state), declared_kind(state)
    rook, side, best = rook_at(state, seat, position), side_at(state, seat, position), np.int64(0)
    colour = colour_of(state, cards, card)
    for line in range(LINES):
        if cards["kind"][rook, line] != kind or not meets_with(state, cards, position, np.int64(line), card):
            continue
        points, match = np.int64(cards["amount"][rook, line, side]), cards["match_colour"][rook, line]
        if match != NONE and (
            (colour != GREY and match == colour) or np.int64(state["matched"][seat, position]) >> match & 1
        ):
            points += cards["match_bonus"][rook, line, side]
        best = max(best, points)
    return best


@kernel
def amounts_with(state: Record, cards: Record, position: int) -> np.int64:
    """Points promised by each card of the mover's hand at a position, packed; 0 where there is no room."""
    seat, packed = mover(state), np.int64(0)
    if not may_still_place(state) or not has_room(state, cards, seat, position):
        return packed
    for card in range(np.int64(state["hand_n"][seat])):
        points = amount_with(state, cards, position, np.int64(state["hand"][seat, card]))
        packed |= min(np.int64(MOST), points) << (BITS * card)
    return packed


@kernel
def extras_with(state: Record, cards: Record, position: int) -> np.int64:
    """Worth of the special lines that each card of the mover's hand would open at a position, in tenths, packed."""
    seat, packed = mover(state), np.int64(0)
    if not may_still_place(state) or not has_room(state, cards, seat, position):
        return packed
    rook, side = rook_at(state, seat, position), side_at(state, seat, position)
    for card in range(np.int64(state["hand_n"][seat])):
        worth = 0.0
        for line in range(LINES):
            if cards["kind"][rook, line] != Kind.SPECIAL or is_offered(state, cards, seat, position, np.int64(line)):
                continue
            if meets_with(state, cards, position, np.int64(line), np.int64(state["hand"][seat, card])):
                worth += cards["line_worth"][rook, line, side]
        packed |= min(np.int64(MOST), max(np.int64(0), np.int64(worth * TENTHS))) << (BITS * card)
    return packed


@kernel
def offers_now(state: Record, cards: Record) -> tuple[int, ...]:
    """What the mover's Rooklings offer: points as they are, points with one more card, extras with one more card.

    Three numbers each, by position; those with a card are packed by place in the hand.
    """
    left, middle, right = np.int64(LEFT), np.int64(MIDDLE), np.int64(RIGHT)
    return (
        own_now(state, cards, left),
        own_now(state, cards, middle),
        own_now(state, cards, right),
        amounts_with(state, cards, left),
        amounts_with(state, cards, middle),
        amounts_with(state, cards, right),
        extras_with(state, cards, left),
        extras_with(state, cards, middle),
        extras_with(state, cards, right),
    )


@kernel
def choices_now(state: Record) -> np.int64:
    """Cards of the mover's hand that a plan can still place."""
    return np.int64(state["hand_n"][mover(state)]) if may_still_place(state) else np.int64(0)


@kernel
def plan_count(choices: int) -> np.int64:
    """Plans with so many cards: each position takes one of them or none; unsound ones among them."""
    return np.int64((choices + 1) * (choices + 1) * (choices + 1))


@kernel
def card_in(plan: int, choices: int, position: int) -> np.int64:
    """Place in the hand of the card that a plan puts on a position, NO_CARD."""
    for _ in range(position):
        plan = plan // (choices + 1)
    return np.int64(plan % (choices + 1) - 1)


@kernel
def is_sound(state: Record, cards: Record, plan: int, choices: int) -> bool:
    """Whether a plan uses no card twice and no Rookling without room."""
    seat = mover(state)
    for position in range(POSITIONS):
        card = card_in(plan, choices, np.int64(position))
        if card == NO_CARD:
            continue
        for other in range(position):
            if card_in(plan, choices, np.int64(other)) == card:
                return False
        if not has_room(state, cards, seat, np.int64(position)):
            return False
    return True


@kernel
def points_in(offers: tuple[int, ...], position: int, card: int) -> np.int64:
    """Points at a position with one more card of the hand, or without (NO_CARD)."""
    own = np.int64(offers[OWN + position])
    return own if card == NO_CARD else max(own, promised(offers[GIVEN + position], card))


@kernel
def gives_nothing(offers: tuple[int, ...], position: int, card: int) -> bool:
    """Whether a card of the hand would be wasted at a position."""
    if card == NO_CARD:
        return False
    more = promised(offers[GIVEN + position], card) > offers[OWN + position]
    return not more and promised(offers[EXTRAS + position], card) == 0


@kernel
def extras_in(offers: tuple[int, ...], plan: int, choices: int) -> float:
    """Worth of the special lines that a plan would open."""
    worth = 0.0
    for position in range(POSITIONS):
        card = card_in(plan, choices, np.int64(position))
        if card != NO_CARD:
            worth += promised(offers[EXTRAS + position], card) / TENTHS
    return worth


@kernel
def cards_in(plan: int, choices: int) -> np.int64:
    """Cards that a plan uses."""
    used = np.int64(0)
    for position in range(POSITIONS):
        used += card_in(plan, choices, np.int64(position)) != NO_CARD
    return used


@kernel
def spent_in(state: Record, cards: Record, plan: int, choices: int) -> float:
    """Single worths of the cards that a plan uses, added up."""
    seat, spent = mover(state), 0.0
    for position in range(POSITIONS):
        card = card_in(plan, choices, np.int64(position))
        if card != NO_CARD:
            spent += card_worth(float(number_of(state, cards, np.int64(state["hand"][seat, card]))))
    return spent
