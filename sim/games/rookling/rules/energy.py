"""Energy: the Field Deck, hands and discard pile, placing cards on Rooklings, and the lines that they meet (ROOK-20 to 29).

No player ever looks into the deck, so it is kept unordered: drawing picks a card at random, shuffling in appends one.
"""

import numpy as np

from sim.engine.dice import NOT_SCRIPTED, below, refuse_draw, scripted_draw
from sim.engine.jit import Record, kernel
from sim.games.rookling.cards import ANY, FIELD_EFFECTS_MAX, GREY, LINES, NONE, SQUAD, ChargeColour, Kind, Mask
from sim.games.rookling.state import (
    COPIES_MAX,
    FIELD,
    HAND_MAX,
    KINDS,
    NOBODY,
    POSITIONS,
    SLOTS,
    Draw,
    colour_of,
    kinds_at,
    number_of,
    row_of,
    side_of,
)

# The Field Deck, the discard pile and hands (ROOK-06, 31, 36, 61, 64, 65).


@kernel
def add_to_deck(state: Record, kind: int) -> None:
    """Shuffle one card into the Field Deck. For a field effect, record when it went in."""
    state["deck"][state["deck_n"]] = kind
    state["deck_n"] += 1
    if kind >= FIELD:
        for copy in range(COPIES_MAX):
            if state["entered"][kind - FIELD, copy] == 0:
                state["entered"][kind - FIELD, copy] = state["draws"]
                return


@kernel
def add_to_discard(state: Record, kind: int) -> None:
    """Put a card on the discard pile."""
    state["disc"][kind] += 1
    state["disc_n"] += 1


@kernel
def reshuffle(state: Record) -> None:
    """ROOK-65. The discard pile becomes the Field Deck."""
    state["draws"] += 1
    for kind in range(KINDS):
        for _ in range(state["disc"][kind]):
            add_to_deck(state, kind)
        state["disc"][kind] = 0
    state["disc_n"] = 0


@kernel
def shuffle_in(state: Record, effect_slot: int, copies: int) -> None:
    """ROOK-31. Shuffle up to `copies` of a field effect from its pile into the Field Deck."""
    moved = min(copies, state["pile"][effect_slot])
    state["draws"] += 1
    state["pile"][effect_slot] -= moved
    state["shuffled"][effect_slot] += moved
    for _ in range(moved):
        add_to_deck(state, FIELD + effect_slot)


@kernel
def draw_cards(state: Record, rng: Record, seat: int, up_to: int) -> None:
    """ROOK-64, 65. Draw until the hand holds `up_to` cards, or deck and discard pile are empty."""
    while state["hand_n"][seat] < up_to and state["deck_n"] + state["disc_n"] > 0:
        draw_card(state, rng, seat)


@kernel
def draw_card(state: Record, rng: Record, seat: int) -> None:
    """Draw one card. Deck or discard pile must hold one, and the hand must have room."""
    if state["deck_n"] == 0:
        reshuffle(state)
    index = pick_card(state, rng, seat)
    card = state["hand_n"][seat]
    state["draws"] += 1
    state["hand"][seat, card] = state["deck"][index]
    state["drawn_at"][seat, card] = state["draws"]
    state["hand_n"][seat] += 1
    state["cards_drawn"][seat] += 1
    effect_slot = state["hand"][seat, card] - FIELD
    if effect_slot >= 0 and effect_slot // SQUAD == seat:
        state["drawn_by_owner"][effect_slot] += 1
    elif effect_slot >= 0:
        state["drawn_by_other"][effect_slot] += 1
    state["deck_n"] -= 1
    state["deck"][index] = state["deck"][state["deck_n"]]
    state["deck"][state["deck_n"]] = 0


@kernel
def pick_card(state: Record, rng: Record, seat: int) -> int:
    """Place in the deck of the card that is drawn: a random one, or the one that a scenario names.

    A scripted draw is an energy kind, or FIELD + the row of a field effect in the card file. With two sets (ROOK-02),
    FIELD_EFFECTS_MAX * (1 + seat) can be added to name its owner.
    """
    named = scripted_draw(rng)
    if named != NOT_SCRIPTED:
        for index in range(state["deck_n"]):
            if is_named(state, state["deck"][index], named):
                return index
        refuse_draw(rng)
    return below(rng, seat, Draw.CARD, state["deck_n"])


@kernel
def is_named(state: Record, kind: int, named: int) -> bool:
    """Whether a scripted draw names a kind of card, see `pick_card`."""
    if kind < FIELD:
        return kind == named
    effect, owner = FIELD + state["effect"][kind - FIELD], (kind - FIELD) // SQUAD
    return named in (effect, effect + FIELD_EFFECTS_MAX * (1 + owner))


@kernel
def leave_hand(state: Record, seat: int, card: int) -> int:
    """Take a card out of a hand and close the gap. Returns its kind."""
    kind, drawn_at = state["hand"][seat, card], state["drawn_at"][seat, card]
    state["hand_n"][seat] -= 1
    last = state["hand_n"][seat]
    for i in range(card, last):
        state["hand"][seat, i] = state["hand"][seat, i + 1]
        state["drawn_at"][seat, i] = state["drawn_at"][seat, i + 1]
    state["hand"][seat, last] = 0
    state["drawn_at"][seat, last] = 0
    if kind >= FIELD:
        forget_copy(state, kind - FIELD, drawn_at)
    return kind


@kernel
def forget_copy(state: Record, effect_slot: int, drawn_at: int) -> None:
    """Record that a copy is open now: the latest one that went into the deck before this card was drawn."""
    gone = COPIES_MAX - 1
    while gone > 0 and (state["entered"][effect_slot, gone] == 0 or state["entered"][effect_slot, gone] >= drawn_at):
        gone -= 1
    for copy in range(gone, COPIES_MAX - 1):
        state["entered"][effect_slot, copy] = state["entered"][effect_slot, copy + 1]
    state["entered"][effect_slot, COPIES_MAX - 1] = 0


@kernel
def discard_from_hand(state: Record, seat: int, card: int) -> None:
    """ROOK-14, A-08. Discard a card of a hand."""
    kind = leave_hand(state, seat, card)
    if kind >= FIELD:
        state["thrown"][kind - FIELD] += 1
    add_to_discard(state, kind)


@kernel
def different_cards(state: Record, seat: int) -> int:
    """Places of the hand with the first of equal cards, by bit: only these are offered."""
    places, seen = 0, 0
    for card in range(state["hand_n"][seat]):
        kind = 1 << int(state["hand"][seat, card])
        if seen & kind == 0:
            places |= 1 << card
        seen |= kind
    return places


@kernel
def fill_deck(state: Record, cards: Record) -> None:
    """ROOK-06, 07. Put all energy into the Field Deck, and the copies of the squads' field effects on their piles."""
    state["draws"] = 1
    for kind in range(FIELD):
        for _ in range(cards["energy_count"][kind]):
            add_to_deck(state, kind)
    for effect_slot in range(SLOTS):
        effect = state["effect"][effect_slot]
        state["pile"][effect_slot] = cards["effect_copies"][effect] if effect != NOBODY else 0


@kernel
def hand_room(cards: Record) -> int:
    """ROOK-36. Largest number of cards in a hand."""
    return min(cards["hand_max"], HAND_MAX)


# Energy on Rooklings and the lines it meets (ROOK-20 to 29, 57).


STOP = 0  # option of CLEAR and ASSIGN


@kernel
def rook_at(state: Record, seat: int, position: int) -> int:
    """Row of the card file of the Rookling at a position."""
    return state["rook"][seat, state["at"][seat, position]]


@kernel
def side_at(state: Record, seat: int, position: int) -> int:
    """ROOK-57. The side that is up at a position: 0 front, 1 siege-state."""
    return side_of(state, seat, state["at"][seat, position])


@kernel
def reaches(cards: Record, rook: int, line: int, side: int, shown: np.ndarray) -> bool:
    """ROOK-22 to 25. Whether cards meet a line. shown: sums of their numbers by colour and, in column ANY, of all."""
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
def lines_met(state: Record, cards: Record, seat: int, position: int) -> int:
    """ROOK-22 to 25. Lines that the cards on a Rookling meet, by bit."""
    if state["zone_n"][seat, position] == 0:
        return 0
    rook, side = rook_at(state, seat, position), side_at(state, seat, position)
    if state["zone_n"][seat, position] == 1:
        return cards["met_alone"][rook, side, row_of(state, state["zone"][seat, position, 0])]
    lines = 0
    for line in range(LINES):
        if cards["kind"][rook, line] != Kind.NONE and reaches(cards, rook, line, side, state["shown"][seat, position]):
            lines |= 1 << line
    return lines


@kernel
def lines_of(cards: Record, rook: int, kind: int) -> np.int64:
    """Lines of a kind of a Rookling, by bit."""
    return np.int64(cards["lines"][rook, kind])


@kernel
def own_amount(state: Record, cards: Record, seat: int, position: int, line: int) -> int:
    """ROOK-26, 57. Points of a line, including its match bonus if a card has the match colour."""
    rook, side = rook_at(state, seat, position), side_at(state, seat, position)
    amount, wanted = cards["amount"][rook, line, side], cards["match_colour"][rook, line]
    if wanted != NONE and np.int64(state["matched"][seat, position]) >> wanted & 1:
        amount += cards["match_bonus"][rook, line, side]
    return amount


@kernel
def has_room(state: Record, cards: Record, seat: int, position: int) -> bool:
    """ROOK-21, 68. Whether a Rookling can hold another card."""
    if state["zone_n"][seat, position] >= state["capacity"][seat, position]:
        return False
    return takes_energy(state, cards, seat, position)


@kernel
def takes_energy(state: Record, cards: Record, seat: int, position: int) -> bool:
    """ROOK-21, 68. Whether a Rookling has no token that bars energy."""
    return kinds_at(state, seat, position) & cards["token_mask"][Mask.NO_ENERGY] == 0


@kernel
def list_placements(state: Record, cards: Record, seat: int, out: np.ndarray) -> int:
    """ROOK-20, 21, 28. Options of ASSIGN: stop, or a card on a Rookling. Of equal cards only the first is listed."""
    out[0] = STOP
    count, different = 1, different_cards(state, seat)
    for position in range(POSITIONS):
        if not has_room(state, cards, seat, position):
            continue
        for card in range(HAND_MAX):
            if different >> card & 1 and (cards["dump"] or is_useful(state, cards, seat, position, state["hand"][seat, card])):
                out[count] = 1 + position * HAND_MAX + card
                count += 1
    return count


@kernel
def is_useful(state: Record, cards: Record, seat: int, position: int, kind: int) -> bool:
    """A-04, `dump = false`. Whether a card helps to meet a line that can be used in this half of the exchange."""
    rook, side = rook_at(state, seat, position), side_at(state, seat, position)
    colour, number = colour_of(state, cards, kind), number_of(state, cards, kind)
    shown, mixed = state["shown"][seat, position], cards["charge_colour"] == ChargeColour.ANY_MATCH
    for line in range(LINES):
        if cards["kind"][rook, line] not in (Kind.SPECIAL, Kind.DEFENCE if state["defending"] else Kind.ATTACK):
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
    """ROOK-20. Place a card of the hand on a Rookling."""
    kind = leave_hand(state, seat, card)
    state["zone"][seat, position, state["zone_n"][seat, position]] = kind
    state["zone_n"][seat, position] += 1
    colour, number = colour_of(state, cards, kind), number_of(state, cards, kind)
    state["shown"][seat, position, ANY] += number
    if colour != GREY:
        state["shown"][seat, position, colour] += number
        state["matched"][seat, position] |= np.uint8(1 << colour)


@kernel
def power(state: Record, cards: Record, seat: int, position: int, line: int) -> None:
    """ROOK-61. Mark the cards that power a line: all for an `any` line, otherwise those of its colour."""
    colour = cards["colour"][rook_at(state, seat, position), line]
    every = colour == ANY or cards["charge_colour"] == ChargeColour.ANY_MATCH
    for card in range(state["zone_n"][seat, position]):
        if every or colour_of(state, cards, state["zone"][seat, position, card]) == colour:
            state["powered"][seat, position] |= np.uint8(1 << card)
