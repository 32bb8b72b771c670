"""What one more card on a Rookling would give: the options among which a promised attack or defence is put together.

A plan puts at most one card of the hand on each Rookling with room. What each card would give is packed into one whole
number per position, BITS bits by place in the hand, so that nothing is allocated.
"""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.declare import declared_kind
from sim.games.rookling.energy import has_room, own_amount, reaches, rook_at, side_at
from sim.games.rookling.footing import hand_after
from sim.games.rookling.record import ANY, GREY, LINES, NONE, ChargeColour, Kind
from sim.games.rookling.special import is_offered
from sim.games.rookling.state import LEFT, MIDDLE, NOBODY, POSITIONS, RIGHT, Phase, colour_of, mover, number_of

BITS = 10  # of a promise
MOST = 1023
TENTHS = 10.0  # promised extras are counted in tenths of a life point
NO_CARD = -1
NO_PLAN = -1
DIGITS = 8  # bits of the cards allowed at a position
PLAN_BITS, PLAN_MASK = 3, 7  # of a plan by position
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
    """Worth of what each card of the mover's hand would do beside points at a position, in tenths, packed.

    That is: special lines that it opens, tokens that an attack puts on whom it hits.
    """
    seat, packed = mover(state), np.int64(0)
    if not may_still_place(state) or not has_room(state, cards, seat, position):
        return packed
    rook, side = rook_at(state, seat, position), side_at(state, seat, position)
    for card in range(np.int64(state["hand_n"][seat])):
        worth = 0.0
        for line in range(LINES):
            kind = cards["kind"][rook, line]
            attacks = kind == Kind.ATTACK and not state["defending"]
            opens = kind == Kind.SPECIAL and not is_offered(state, cards, seat, position, np.int64(line))
            if not (attacks or opens):
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
def points_in(offers: tuple[int, ...], position: int, card: int) -> np.int64:
    """Points at a position with one more card of the hand, or without (NO_CARD)."""
    own = np.int64(offers[OWN + position])
    return own if card == NO_CARD else max(own, promised(offers[GIVEN + position], card))


@kernel
def gives_nothing(offers: tuple[int, ...], position: int, card: int) -> bool:
    """Whether a card of the hand would be wasted at a position."""
    more = promised(offers[GIVEN + position], card) > offers[OWN + position]
    return not more and promised(offers[EXTRAS + position], card) == 0


@kernel
def placements(state: Record, cards: Record, offers: tuple[int, ...], replaced: bool) -> np.int64:
    """Which cards of the mover's hand a plan may put where, packed: DIGITS bits by position, bit 0 for no card.

    replaced: cards are drawn for those that are placed, so that a poor one is no loss even where it gives nothing.
    """
    seat, packed = mover(state), np.int64(0)
    for position in range(POSITIONS):
        bits = np.int64(1)
        if may_still_place(state) and has_room(state, cards, seat, np.int64(position)):
            for card in range(np.int64(state["hand_n"][seat])):
                poor = replaced and number_of(state, cards, np.int64(state["hand"][seat, card])) < cards["mean_number"]
                if poor or not gives_nothing(offers, np.int64(position), np.int64(card)):
                    bits |= np.int64(1) << (card + 1)
        packed |= bits << (DIGITS * position)
    return packed


@kernel
def next_plan(plan: int, allowed: int) -> np.int64:
    """The plan after this one among those that use no card twice; NO_PLAN after the last. Plan 0 places nothing.

    plan: PLAN_BITS by position, place in the hand + 1 or 0; allowed: as `placements` gives it.
    """
    following = np.int64(plan)
    while following != NO_PLAN:
        following = next_digits(following, allowed)
        if following == NO_PLAN or not uses_twice(following):
            break
    return following


@kernel
def next_digits(plan: int, allowed: int) -> np.int64:
    """Count one further, each position through the cards allowed there; NO_PLAN after the last."""
    counted = np.int64(plan)
    for position in range(POSITIONS):
        shift = PLAN_BITS * position
        digit = (counted >> shift & PLAN_MASK) + 1
        while digit < DIGITS and not allowed >> (DIGITS * position + digit) & 1:
            digit += 1
        counted &= ~(np.int64(PLAN_MASK) << shift)
        if digit < DIGITS:
            return np.int64(counted | digit << shift)
    return np.int64(NO_PLAN)


@kernel
def card_in(plan: int, position: int) -> np.int64:
    """Place in the hand of the card that a plan puts on a position, NO_CARD."""
    return np.int64((plan >> (PLAN_BITS * position) & PLAN_MASK) - 1)


@kernel
def uses_twice(plan: int) -> bool:
    """Whether a plan puts one card on two Rooklings."""
    left, middle, right = plan & PLAN_MASK, plan >> PLAN_BITS & PLAN_MASK, plan >> (2 * PLAN_BITS)
    return (left != 0 and left in (middle, right)) or (middle != 0 and middle == right)


@kernel
def extras_in(offers: tuple[int, ...], plan: int) -> float:
    """Worth of the special lines that a plan would open."""
    tenths = np.int64(0)
    for position in range(POSITIONS):
        card = card_in(plan, np.int64(position))
        if card != NO_CARD:
            tenths += promised(offers[EXTRAS + position], card)
    return tenths / TENTHS


@kernel
def used_by(plan: int) -> np.int64:
    """Cards of the hand that a plan places, by bit."""
    used = np.int64(0)
    for position in range(POSITIONS):
        card = card_in(plan, np.int64(position))
        if card != NO_CARD:
            used |= np.int64(1) << card
    return used


@kernel
def hand_left(state: Record, cards: Record, plan: int, numbers: float) -> tuple[float, float]:
    """What the mover's hand will count as after a plan, see `hand_after`. numbers: on its cards before, added up."""
    seat, used, left = mover(state), np.int64(0), numbers
    for position in range(POSITIONS):
        card = card_in(plan, np.int64(position))
        if card != NO_CARD:
            left -= number_of(state, cards, np.int64(state["hand"][seat, card]))
            used += 1
    return hand_after(state, cards, seat, np.int64(state["hand_n"][seat]) - used, left)
