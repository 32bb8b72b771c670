"""What the rest of an exchange can bring: the best plan of the attacker, the best plan of the defender, the power of a hand.

A plan puts at most one card of the hand on each Rookling with room. What each card gives at a position is packed into one
integer, `BITS` bits for each place in the hand, so that nothing is allocated.
"""

from enum import IntEnum

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.record import ANY, GREY, JUDGED, LANDS, LINES, NONE, SQUAD, ChargeColour, Feature, Kind, Mask
from sim.games.rookling.rules.abilities import bonuses_now, is_offered, sum_at
from sim.games.rookling.rules.attacks import (
    bearer_of,
    begin_clash,
    best_response,
    declared_kind,
    force_of,
    life_of,
    offer,
    with_defences,
)
from sim.games.rookling.rules.energy import has_room, meets, own_amount, reaches, rook_at, side_at, takes_energy
from sim.games.rookling.state import (
    LEFT,
    MIDDLE,
    NOBODY,
    NOWHERE,
    POSITIONS,
    RIGHT,
    SEATS,
    Phase,
    colour_of,
    defender_of,
    kinds_at,
    mover,
    number_of,
)

SQUADS = Feature.REACH  # the first feature of the squads on paper

# Units that bring features to a size of about 1.
ROW_LIFE = 6.0
HAND_NUMBERS = 10.0
POINTS = 10.0
SQUAD_WORTH = 5.0


# Rows and hands.


SPARE = 0.5  # weight of the fourth card and later ones: three Rooklings take one each
ON_TABLE = 0.55  # share of a token's worth that counts once it is on the table: it can be cleared


@kernel
def slot_at(state: Record, seat: int, position: int) -> np.int64:
    """Roster slot at a position; before the first row, the slot of the same number."""
    slot = np.int64(state["at"][seat, position])
    return np.int64(position) if slot == NOWHERE else slot


@kernel
def row_now(state: Record, seat: int) -> np.int64:
    """A seat's current row, in the form of an ended resolution."""
    lives = state["life"][seat]
    left, middle, right = np.int64(LEFT), np.int64(MIDDLE), np.int64(RIGHT)
    return begin_clash(
        np.int64(0),
        np.int64(lives[slot_at(state, seat, left)]),
        np.int64(lives[slot_at(state, seat, middle)]),
        np.int64(lives[slot_at(state, seat, right)]),
    )


@kernel
def row_view(row: int) -> tuple[float, float, float]:
    """Total life of a row, number of Rooklings with life, and the most life of one."""
    life, alive, most = np.int64(0), np.int64(0), np.int64(0)
    for position in range(POSITIONS):
        here = life_of(row, np.int64(position))
        life += here
        alive += here > 0
        most = max(most, here)
    return float(life), float(alive), float(most)


@kernel
def row_features(cards: Record, mine: int, theirs: int) -> tuple[float, ...]:
    """The features LIFE to LOST of two rows."""
    life, alive, most = row_view(mine)
    their_life, their_alive, their_most = row_view(theirs)
    lead = (life - their_life) / ROW_LIFE
    late = 1.0 - (life + their_life) / (SEATS * SQUAD * cards["heal_cap"])
    brink = (1.0 if alive == 1 else 0.0) - (1.0 if their_alive == 1 else 0.0)
    lost = (1.0 if alive == 0 else 0.0) - (1.0 if their_alive == 0 else 0.0)
    return lead, alive - their_alive, (most - their_most) / ROW_LIFE, brink, lead * late, lost


@kernel
def held(count: int, numbers: float) -> tuple[float, float]:
    """Weighted number of cards, in units of SQUAD, and sum of their numbers, in HAND_NUMBERS. Cards beyond three count less."""
    full = float(count) if count <= SQUAD else SQUAD + SPARE * (count - SQUAD)
    return full / SQUAD, numbers * full / max(1, count) / HAND_NUMBERS


@kernel
def numbers_in(state: Record, cards: Record, seat: int) -> float:
    """Sum of the numbers on the cards of a hand."""
    total = 0.0
    for card in range(np.int64(state["hand_n"][seat])):
        total += number_of(state, cards, np.int64(state["hand"][seat, card]))
    return total


@kernel
def hand_after(state: Record, cards: Record, seat: int, count: int, numbers: float) -> tuple[float, float]:
    """Weight of a hand at the end of the exchange, as `held`. The attacker draws up first (E3) unless it skips that."""
    if seat == state["attacker"] and not state["skip"][seat]:
        drawn = max(np.int64(0), np.int64(cards["hand"]) - count)
        return held(count + drawn, numbers + drawn * cards["mean_number"])
    return held(np.int64(count), numbers)


# The defence that an attack has to expect.


class Look(IntEnum):
    """What an attack has to expect at each position."""

    LIFE = 0
    CHANCE = 1  # chance that its Rookling blocks with its own line
    POINTS = 2  # points of that block
    GUARD = 3  # defence that needs no card
    TARGET = 4  # position on which an attack on this one lands
    HIDDEN = 5  # 1: attacks on this position are cancelled


READY = np.array([0.0, 0.45, 0.7, 0.85, 0.92, 0.96, 1.0])  # factor of the chance to block, by cards in the opponent's hand


@kernel
def target_of(state: Record, position: int) -> np.int64:
    """ROOK-48, 49. Position on which an attack on a position lands if the defender chooses."""
    seat = defender_of(state)
    lives, at = state["life"][seat], state["at"][seat]
    if lives[at[position]] > 0:
        return np.int64(position)
    if position != MIDDLE:
        return np.int64(MIDDLE) if lives[at[MIDDLE]] > 0 else np.int64(RIGHT - position)
    return np.int64(LEFT) if lives[at[LEFT]] >= lives[at[RIGHT]] else np.int64(RIGHT)


@kernel
def block_chance(state: Record, cards: Record, position: int) -> float:
    """Chance that the defender's Rookling at a position blocks with its own line, given the number of cards in hand."""
    seat = defender_of(state)
    if kinds_at(state, seat, position) & np.int64(cards["token_mask"][Mask.NO_ENERGY]):
        return 0.0
    chance = cards["guard_chance"][rook_at(state, seat, position), side_at(state, seat, position)]
    return chance * READY[state["hand_n"][seat]]


@kernel
def block_points(state: Record, cards: Record, position: int) -> float:
    """Mean points of that block."""
    seat = defender_of(state)
    return cards["guard_points"][rook_at(state, seat, position), side_at(state, seat, position)]


@kernel
def standing_guard(state: Record, cards: Record, position: int) -> np.int64:
    """Defence at a position that needs no card: flat tokens, and Cover if the Rookling is attacked."""
    place = (defender_of(state), position)
    guard = np.int64(state["cover"][position])
    if kinds_at(state, defender_of(state), position) == 0:
        return guard
    guard += sum_at(state, cards, place, np.int64(Mask.STANDING), cards["defence_flat"])
    return guard + sum_at(state, cards, place, np.int64(Mask.FACED), cards["defence_flat"])


@kernel
def three(state: Record, cards: Record, look: int) -> tuple[float, float, float]:
    """One Look at all three positions of the defender."""
    return (
        look_at(state, cards, look, np.int64(LEFT)),
        look_at(state, cards, look, np.int64(MIDDLE)),
        look_at(state, cards, look, np.int64(RIGHT)),
    )


@kernel
def look_at(state: Record, cards: Record, look: int, position: int) -> float:
    """One Look at a position of the defender."""
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
    """Everything an attack has to expect: POSITIONS numbers for each Look."""
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
    """One number of what `outlook` returns."""
    return looks[POSITIONS * look + position]


# Plans: at most one card of the hand on each Rookling with room.


BITS = 10  # of the packed points of one card
MOST = 1023
TENTHS = 10.0  # extras are packed in tenths of a life point
NO_CARD = -1
NO_PLAN = -1
DIGITS = 8  # bits for the cards allowed at a position
PLAN_BITS, PLAN_MASK = 3, 7  # of a plan, by position
OWN, GIVEN, EXTRAS = 0, POSITIONS, 2 * POSITIONS  # sections of the offers, by position: see `offers_now`


@kernel
def promised(promises: int, card: int) -> np.int64:
    """What a card of the hand gives. promises: packed by `amounts_with` or `extras_with`."""
    return np.int64(promises >> (BITS * card) & MOST)


@kernel
def may_still_place(state: Record) -> bool:
    """Whether the mover can still place energy in this half of the exchange."""
    return state["phase"] <= Phase.TARGET


@kernel
def own_now(state: Record, cards: Record, position: int) -> np.int64:
    """Points of the line in use at a position of the mover; before it is declared, of the best line that is met."""
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
        if cards["kind"][rook, line] == kind and reaches(cards, rook, np.int64(line), side, state["shown"][seat, position]):
            best = np.int64(max(best, own_amount(state, cards, seat, position, np.int64(line))))
    return best


@kernel
def meets_with(state: Record, cards: Record, position: int, line: int, card: int) -> bool:
    """Whether a line of the mover at a position would be met with one more card of a kind."""
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
    """Points of the best line of this half of the exchange with one more card of a kind at a position of the mover."""
    seat, kind = mover(state), declared_kind(state)
    rook, side, best = rook_at(state, seat, position), side_at(state, seat, position), np.int64(0)
    colour = colour_of(state, cards, card)
    for line in range(LINES):
        if cards["kind"][rook, line] != kind or not meets_with(state, cards, position, np.int64(line), card):
            continue
        points, match = np.int64(cards["amount"][rook, line, side]), cards["match_colour"][rook, line]
        if match != NONE and ((colour != GREY and match == colour) or np.int64(state["matched"][seat, position]) >> match & 1):
            points += cards["match_bonus"][rook, line, side]
        best = max(best, points)
    return best


@kernel
def amounts_with(state: Record, cards: Record, position: int) -> np.int64:
    """Points with each card of the mover's hand at a position, packed; 0 if there is no room."""
    seat, packed = mover(state), np.int64(0)
    if not may_still_place(state) or not has_room(state, cards, seat, position):
        return packed
    for card in range(np.int64(state["hand_n"][seat])):
        points = amount_with(state, cards, position, np.int64(state["hand"][seat, card]))
        packed |= min(np.int64(MOST), points) << (BITS * card)
    return packed


@kernel
def extras_with(state: Record, cards: Record, position: int) -> np.int64:
    """Worth of the effects (beyond points) of each card of the mover's hand at a position, in tenths, packed.

    These are special lines that it makes available, and tokens that an attack gives.
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
    """What the mover's Rooklings can do: points now, points with one more card, extras with one more card.

    Three numbers each, by position; the last two are packed by place in the hand.
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
    """Points at a position with one more card of the hand, or without one (NO_CARD)."""
    own = np.int64(offers[OWN + position])
    return own if card == NO_CARD else max(own, promised(offers[GIVEN + position], card))


@kernel
def gives_nothing(offers: tuple[int, ...], position: int, card: int) -> bool:
    """Whether a card of the hand would be wasted at a position."""
    more = promised(offers[GIVEN + position], card) > offers[OWN + position]
    return not more and promised(offers[EXTRAS + position], card) == 0


@kernel
def placements(state: Record, cards: Record, offers: tuple[int, ...], replaced: bool) -> np.int64:
    """Cards of the mover's hand that a plan can place at each position, packed: DIGITS bits by position, bit 0 for no card.

    replaced: whether placed cards will be replaced by drawing, so that placing a useless card costs nothing.
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
    """The next plan that uses no card twice; NO_PLAN after the last. Plan 0 places nothing.

    plan: PLAN_BITS by position, place in the hand + 1 or 0; allowed: see `placements`.
    """
    following = np.int64(plan)
    while following != NO_PLAN:
        following = next_digits(following, allowed)
        if following == NO_PLAN or not uses_twice(following):
            break
    return following


@kernel
def next_digits(plan: int, allowed: int) -> np.int64:
    """Advance to the next combination of the cards allowed at each position; NO_PLAN after the last."""
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
    """Place in the hand of the card that a plan puts on a position, or NO_CARD."""
    return np.int64((plan >> (PLAN_BITS * position) & PLAN_MASK) - 1)


@kernel
def uses_twice(plan: int) -> bool:
    """Whether a plan puts one card on two Rooklings."""
    left, middle, right = plan & PLAN_MASK, plan >> PLAN_BITS & PLAN_MASK, plan >> (2 * PLAN_BITS)
    return (left != 0 and left in (middle, right)) or (middle != 0 and middle == right)


@kernel
def extras_in(offers: tuple[int, ...], plan: int) -> float:
    """Worth of the special lines that a plan makes available."""
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
    """Weight of the mover's hand after a plan, see `hand_after`. numbers: sum of the numbers on its cards now."""
    seat, used, left = mover(state), np.int64(0), numbers
    for position in range(POSITIONS):
        card = card_in(plan, np.int64(position))
        if card != NO_CARD:
            left -= number_of(state, cards, np.int64(state["hand"][seat, card]))
            used += 1
    return hand_after(state, cards, seat, np.int64(state["hand_n"][seat]) - used, left)


# The power of a hand: points of attack with one card on each Rookling.


ALONE = -1  # no card


@kernel
def strike_with(state: Record, cards: Record, place: tuple[int, int], card: int) -> np.int64:
    """Points of the best attack line that one card of a kind meets by itself. place: seat, position."""
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
    """Points of each card of a hand at a position, packed. barred: whether to respect tokens that bar energy."""
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
    """Most points of attack of the unused cards, one on each Rookling, in POINTS. used: by bit; count: cards in hand."""
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
    """Most points that an unused card gives at a position."""
    most = np.int64(0)
    for card in range(count):
        if not used >> card & 1:
            most = max(most, promised(packed, card))
    return most


@kernel
def power_now(state: Record, cards: Record, seat: int, barred: bool) -> float:
    """The power of a seat's current hand."""
    return power_of(strikes_of(state, cards, seat, barred), np.int64(state["hand_n"][seat]), np.int64(0))


# The attacker's best plan, against a defence that is estimated.


FLIP = 0.4  # worth of flipping a Rookling, in addition to its life
WASTED = 0.3  # worth of an attack that only takes a Hidden token


@kernel
def attack_gain(amounts: tuple[int, int, int], looks: tuple[float, ...]) -> tuple[float, float]:
    """Life points that attacks are expected to take, and their chance to win the game.

    looks: see `outlook`.
    """
    gain, killed = 0.0, 1.0
    for target in range(POSITIONS):
        life = seen(looks, Look.LIFE, target)
        if life == 0:
            continue
        coming = arriving(amounts, looks, target)
        chance = seen(looks, Look.CHANCE, target)
        behind = max(0.0, coming - seen(looks, Look.POINTS, target))
        flipped = chance * (behind >= life) + (1.0 - chance) * (coming >= life)
        gain += chance * min(life, behind) + (1.0 - chance) * min(life, coming) + FLIP * flipped
        killed *= flipped
    for position in range(POSITIONS):
        if seen(looks, Look.HIDDEN, position) and amounts[position] > 0:
            gain += WASTED
    return gain / ROW_LIFE, killed


@kernel
def arriving(amounts: tuple[int, int, int], looks: tuple[float, ...], target: int) -> float:
    """Points that land on a position, less what siege-state Rooklings on the way can block."""
    coming = 0.0
    for position in range(POSITIONS):
        if amounts[position] == 0 or seen(looks, Look.TARGET, position) != target or seen(looks, Look.HIDDEN, position):
            continue
        points = max(0.0, amounts[position] - seen(looks, Look.GUARD, position))
        if position != target:
            points = max(0.0, points - seen(looks, Look.CHANCE, position) * seen(looks, Look.POINTS, position))
        coming += points
    return coming


@kernel
def declared_gain(state: Record, cards: Record) -> tuple[float, float, float]:
    """The features DECLARED, KILL and EXTRAS of the declared attacks."""
    att, tokens, seat = state["att"], 0.0, np.int64(state["attacker"])
    for position in range(POSITIONS):
        line = np.int64(state["line"][seat, position])
        if att[position] > 0 and line != NOBODY:
            tokens += hit_worth(state, cards, seat, np.int64(position), line)
    amounts = (np.int64(att[LEFT]), np.int64(att[MIDDLE]), np.int64(att[RIGHT]))
    gain, killed = attack_gain(amounts, outlook(state, cards))
    return gain, killed, tokens


@kernel
def shown_gain(state: Record, cards: Record) -> float:
    """The feature SHOWN: life points that the attacker's cards on the table are expected to take so far."""
    offers = (
        own_now(state, cards, np.int64(LEFT)),
        own_now(state, cards, np.int64(MIDDLE)),
        own_now(state, cards, np.int64(RIGHT)),
    )
    flat_left, flat_middle, flat_right, plus_left, plus_middle, plus_right = bonuses_now(state, cards)
    left, middle, right = offers
    amounts = (offer(left, flat_left, plus_left), offer(middle, flat_middle, plus_middle), offer(right, flat_right, plus_right))
    gain, _ = attack_gain(amounts, outlook(state, cards))
    return gain


@kernel
def hit_worth(state: Record, cards: Record, seat: int, position: int, line: int) -> float:
    """ROOK-56. Worth of the tokens that an attack line gives when it hits."""
    return cards["line_worth"][rook_at(state, seat, position), line, side_at(state, seat, position)]


@kernel
def hits_ready(state: Record, cards: Record) -> float:
    """Worth of the tokens that attacks with the cards placed so far give: lines in use or, before that, any met line."""
    seat, worth = mover(state), 0.0
    for position in range(POSITIONS):
        chosen = state["phase"] == Phase.ATTACK and position < state["cursor"]
        for line in range(LINES):
            if chosen:
                used = state["line"][seat, position] == line
            else:
                used = cards["kind"][rook_at(state, seat, np.int64(position)), line] == Kind.ATTACK and meets(
                    state, cards, seat, np.int64(position), np.int64(line)
                )
            if used:
                worth += hit_worth(state, cards, seat, np.int64(position), np.int64(line))
    return worth


@kernel
def attack_in(offers: tuple[int, ...], bonuses: tuple[int, ...], position: int, card: int) -> np.int64:
    """ROOK-39. Attack at a position with one more card. offers, bonuses: see `offers_now`, `bonuses_now`."""
    return offer(points_in(offers, position, card), bonuses[position], bonuses[POSITIONS + position])


@kernel
def attacks_in(offers: tuple[int, ...], bonuses: tuple[int, ...], plan: int) -> tuple[int, int, int]:
    """Attacks by position with the cards of a plan."""
    left, middle, right = np.int64(LEFT), np.int64(MIDDLE), np.int64(RIGHT)
    return (
        attack_in(offers, bonuses, left, card_in(plan, left)),
        attack_in(offers, bonuses, middle, card_in(plan, middle)),
        attack_in(offers, bonuses, right, card_in(plan, right)),
    )


@kernel
def attack_promise(state: Record, cards: Record) -> tuple[float, float, float, float, float]:
    """The best attack with the cards in hand: PROMISE, KILL, EXTRAS, and the hand after it as weighted cards and numbers.

    Evaluates every plan by the weights.
    """
    offers, bonuses, looks = offers_now(state, cards), bonuses_now(state, cards), outlook(state, cards)
    total, weight = numbers_in(state, cards, mover(state)), cards["weight"][JUDGED]
    allowed = placements(state, cards, offers, cards["dump"] == 1)
    chosen, best, plan = (0.0, 0.0, 0.0, 0.0, 0.0), BELOW_ALL, np.int64(0)
    while plan != NO_PLAN:
        gain, killed = attack_gain(attacks_in(offers, bonuses, plan), looks)
        full, numbers = hand_left(state, cards, plan, total)
        extras = extras_in(offers, plan)
        worth = weight[Feature.PROMISE] * gain + weight[Feature.KILL] * killed + weight[Feature.EXTRAS] * extras
        worth += weight[Feature.OWN_TO_DEFEND] * full + weight[Feature.NUMBERS] * numbers
        if worth > best:
            chosen, best = (gain, killed, extras, full, numbers), worth
        plan = next_plan(plan, allowed)
    gain, killed, extras, full, numbers = chosen
    return gain, killed, extras + hits_ready(state, cards), full, numbers


BELOW_ALL = -1e9  # below the worth of any plan


# The defender's best plan, against the attack that is declared.


@kernel
def defence_in(offers: tuple[int, ...], bonuses: tuple[int, ...], position: int, card: int) -> np.int64:
    """ROOK-39. Defence at a position with one more card. offers, bonuses: see `offers_now`, `bonuses_now`."""
    base = points_in(offers, position, card) + bonuses[position]
    return offer(base, np.int64(0), bonuses[POSITIONS + position])


@kernel
def hits_price(state: Record, cards: Record, ended: int) -> float:
    """ROOK-56. Cost to the defender of the tokens of attacks that were not fully blocked."""
    attacker, price = np.int64(state["attacker"]), 0.0
    for position in range(POSITIONS):
        line = np.int64(state["line"][attacker, position])
        if not state["poison"] and bearer_of(ended, position) >= 0 and line != NOBODY:
            price += hit_worth(state, cards, attacker, np.int64(position), line) * ON_TABLE / LANDS
    return price


@kernel
def row_worth(cards: Record, mine: int, theirs: int) -> float:
    """The weighted sum of the features of two rows."""
    weight, lead_features, total = cards["weight"][JUDGED], row_features(cards, mine, theirs), 0.0
    for k in range(len(lead_features)):
        total += weight[Feature.LIFE + k] * lead_features[k]
    return total


@kernel
def defence_promise(state: Record, cards: Record) -> tuple[int, float, float, float, float, float]:
    """The best defence with the cards in hand, evaluating every plan by its best response and the weights.

    Returns the ended resolution, HITS, EXTRAS, the hand left as weighted cards and numbers, and its POWER_NEXT.
    """
    seat, weight = defender_of(state), cards["weight"][JUDGED]
    offers, bonuses, strikes = (offers_now(state, cards), bonuses_now(state, cards), strikes_of(state, cards, seat, False))
    count, total = np.int64(state["hand_n"][seat]), numbers_in(state, cards, seat)
    allowed, theirs = placements(state, cards, offers, False), row_now(state, np.int64(state["attacker"]))
    mine, force = row_now(state, seat), force_of(state["att"], state["dfn"])
    clash = begin_clash(force, life_of(mine, LEFT), life_of(mine, MIDDLE), life_of(mine, RIGHT))
    hoped = max(0.0, weight[Feature.POWER_NEXT]) * power_of(strikes, count, np.int64(0))
    chosen, best, last, plan = (clash, 0.0, 0.0, 0.0, 0.0, 0.0), BELOW_ALL, np.int64(-1), np.int64(0)
    ended, hits, settled = clash, 0.0, 0.0
    while plan != NO_PLAN:
        declared = with_defences(force, defences_in(offers, bonuses, plan))
        if declared != last:
            ended, last = best_response(clash, declared, cards), declared
            hits = -hits_price(state, cards, ended)
            settled = row_worth(cards, ended, theirs) + weight[Feature.HITS] * hits
        full, numbers = hand_left(state, cards, plan, total)
        extras = extras_in(offers, plan)
        worth = settled + weight[Feature.OWN_TO_ATTACK] * full + weight[Feature.NUMBERS] * numbers
        worth += weight[Feature.EXTRAS] * extras
        if worth + hoped > best:
            power = power_of(strikes, count, used_by(plan))
            worth += weight[Feature.POWER_NEXT] * power
            if worth > best:
                chosen, best = (ended, hits, extras, full, numbers, power), worth
        plan = next_plan(plan, allowed)
    return chosen


@kernel
def defences_in(offers: tuple[int, ...], bonuses: tuple[int, ...], plan: int) -> tuple[int, int, int]:
    """Defences by position with the cards of a plan."""
    left, middle, right = np.int64(LEFT), np.int64(MIDDLE), np.int64(RIGHT)
    return (
        defence_in(offers, bonuses, left, card_in(plan, left)),
        defence_in(offers, bonuses, middle, card_in(plan, middle)),
        defence_in(offers, bonuses, right, card_in(plan, right)),
    )
