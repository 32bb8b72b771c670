"""Energy on Rooklings and what it meets (ROOK-20 to 29, 57)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.deck import is_first_of_its_kind, leave_hand
from sim.games.rookling.record import ANY, GREY, LINES, NONE, ChargeColour, Kind, Mask
from sim.games.rookling.state import HAND_MAX, POSITIONS, colour_of, kinds_at, number_of, side_of

STOP = 0  # option of CLEAR and ASSIGN


@kernel
def rook_at(state: Record, seat: int, position: int) -> np.int64:
    """Card of the Rookling at a position."""
    return np.int64(state["rook"][seat, state["at"][seat, position]])


@kernel
def side_at(state: Record, seat: int, position: int) -> np.int64:
    """ROOK-57. Side that is up at a position: 0 front, 1 siege-state."""
    return side_of(state, seat, np.int64(state["at"][seat, position]))


@kernel
def reaches(cards: Record, rook: int, line: int, side: int, shown: np.ndarray) -> bool:
    """ROOK-22 to 25. Whether numbers shown meet a line. shown: sums by colour and, in column ANY, of all cards."""
    colour, number = cards["colour"][rook, line], cards["number"][rook, line, side]
    if colour != ANY and cards["charge_colour"] == ChargeColour.ANY_MATCH:
        return shown[colour] > 0 and shown[ANY] >= number
    return shown[colour] >= number


@kernel
def meets(state: Record, cards: Record, seat: int, position: int, line: int) -> bool:
    """ROOK-22 to 25. Whether the cards on a Rookling meet one of its lines."""
    rook, side = rook_at(state, seat, position), side_at(state, seat, position)
    return reaches(cards, rook, line, side, state["shown"][seat, position])


@kernel
def own_amount(state: Record, cards: Record, seat: int, position: int, line: int) -> np.int64:
    """ROOK-26, 57. Points that a line gives, with its match bonus if a card has the colour."""
    rook, side = rook_at(state, seat, position), side_at(state, seat, position)
    amount, wanted = np.int64(cards["amount"][rook, line, side]), cards["match_colour"][rook, line]
    if wanted != NONE and np.int64(state["matched"][seat, position]) >> wanted & 1:
        amount += cards["match_bonus"][rook, line, side]
    return amount


@kernel
def has_room(state: Record, cards: Record, seat: int, position: int) -> bool:
    """ROOK-21, 68. Whether a Rookling can take another card."""
    if state["zone_n"][seat, position] >= state["capacity"][seat, position]:
        return False
    return takes_energy(state, cards, seat, position)


@kernel
def takes_energy(state: Record, cards: Record, seat: int, position: int) -> bool:
    """ROOK-21, 68. Whether no token bars energy from a Rookling."""
    return kinds_at(state, seat, position) & np.int64(cards["token_mask"][Mask.NO_ENERGY]) == 0


@kernel
def list_placements(state: Record, cards: Record, seat: int, out: np.ndarray) -> int:
    """ROOK-20, 21, 28. Options of ASSIGN: stop, or a card on a Rookling; of equal cards the lowest place in the hand."""
    out[0] = STOP
    count, cards_in_hand = 1, np.int64(state["hand_n"][seat])
    for position in range(POSITIONS):
        if not has_room(state, cards, seat, position):
            continue
        for card in range(cards_in_hand):
            if is_first_of_its_kind(state, seat, card) and (
                cards["dump"] or is_useful(state, cards, seat, position, np.int64(state["hand"][seat, card]))
            ):
                out[count] = 1 + position * HAND_MAX + card
                count += 1
    return count


@kernel
def may_use(cards: Record, defending: int, rook: int, line: int) -> bool:
    """ROOK-12. Whether a line is of a kind for this half of the exchange."""
    kind = cards["kind"][rook, line]
    return kind in (Kind.SPECIAL, Kind.DEFENCE if defending else Kind.ATTACK)


@kernel
def is_useful(state: Record, cards: Record, seat: int, position: int, kind: int) -> bool:
    """A-04, `dump = false`. Whether a card counts for a line of this half of the exchange that is met with it."""
    rook, side = rook_at(state, seat, position), side_at(state, seat, position)
    colour, number = colour_of(state, cards, kind), number_of(state, cards, kind)
    shown, mixed = state["shown"][seat, position], cards["charge_colour"] == ChargeColour.ANY_MATCH
    for line in range(LINES):
        if not may_use(cards, np.int64(state["defending"]), rook, line):
            continue
        wanted, threshold = cards["colour"][rook, line], cards["number"][rook, line, side]
        if wanted == ANY:
            met = shown[ANY] + number >= threshold
        elif mixed:
            met = (wanted == colour or shown[wanted] > 0) and shown[ANY] + number >= threshold
        else:
            met = wanted == colour and shown[wanted] + number >= threshold
        if met:
            return True
    return False


@kernel
def place_card(state: Record, cards: Record, seat: int, position: int, card: int) -> None:
    """ROOK-20. Put a card of the hand on a Rookling."""
    kind = leave_hand(state, seat, card)
    state["zone"][seat, position, state["zone_n"][seat, position]] = kind
    state["zone_n"][seat, position] += 1
    colour, number = colour_of(state, cards, kind), number_of(state, cards, kind)
    state["shown"][seat, position, ANY] += number
    if colour != GREY:
        state["shown"][seat, position, colour] += number
        state["matched"][seat, position] |= np.uint8(np.int64(1) << colour)


@kernel
def power(state: Record, cards: Record, seat: int, position: int, line: int) -> None:
    """ROOK-61. Note the cards that count for a line in use: all for an `any` line, else those of its colour."""
    colour = np.int64(cards["colour"][rook_at(state, seat, position), line])
    every = colour == ANY or cards["charge_colour"] == ChargeColour.ANY_MATCH
    for card in range(np.int64(state["zone_n"][seat, position])):
        if every or colour_of(state, cards, np.int64(state["zone"][seat, position, card])) == colour:
            state["powered"][seat, position] |= np.uint8(np.int64(1) << card)
