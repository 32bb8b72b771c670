"""The promise of an attack: the best plan of cards against a defence that is only guessed (register section 7)."""

from enum import IntEnum

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.bonuses import bonuses_now
from sim.games.rookling.clash import LEFT, MIDDLE, RIGHT
from sim.games.rookling.declare import offer
from sim.games.rookling.energy import meets, rook_at, side_at
from sim.games.rookling.features import JUDGED, ROW_LIFE, Feature
from sim.games.rookling.footing import numbers_in
from sim.games.rookling.plans import (
    NO_PLAN,
    card_in,
    extras_in,
    hand_left,
    next_plan,
    offers_now,
    own_now,
    placements,
    points_in,
)
from sim.games.rookling.record import LINES, Kind, Mask
from sim.games.rookling.state import NOBODY, POSITIONS, Phase, defender_of, mover
from sim.games.rookling.tokens import kinds_at, sum_at

FLIP = 0.4  # worth of flipping a Rookling, beside its life
BELOW_ALL = -1e9  # no worth of a plan
WASTED = 0.3  # worth of an attack that only takes a Hidden token


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


@kernel
def attack_gain(amounts: tuple[int, int, int], looks: tuple[float, ...]) -> tuple[float, float]:
    """What attacks of so many points by position can be expected to take, in life points, and their chance to win the game.

    looks: as `outlook` gives them.
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
    """Points that land on a position, less what siege-state Rooklings on the way may block."""
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
    """What the declared attacks can be expected to bring: DECLARED, KILL and EXTRAS."""
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
    """What the attacker's cards on the table can be expected to take so far: SHOWN."""
    offers = (
        own_now(state, cards, np.int64(LEFT)),
        own_now(state, cards, np.int64(MIDDLE)),
        own_now(state, cards, np.int64(RIGHT)),
    )
    flat_left, flat_middle, flat_right, plus_left, plus_middle, plus_right = bonuses_now(state, cards)
    left, middle, right = offers
    amounts = (
        offer(left, flat_left, plus_left),
        offer(middle, flat_middle, plus_middle),
        offer(right, flat_right, plus_right),
    )
    gain, _ = attack_gain(amounts, outlook(state, cards))
    return gain


@kernel
def hit_worth(state: Record, cards: Record, seat: int, position: int, line: int) -> float:
    """ROOK-56. Worth of the tokens that an attack line puts on whom it hits."""
    return cards["line_worth"][rook_at(state, seat, position), line, side_at(state, seat, position)]


@kernel
def hits_ready(state: Record, cards: Record) -> float:
    """Worth of the tokens that attacks put on with the cards placed so far: lines in use or, before that, any met."""
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
    """ROOK-39. Attack at a position with one more card. offers, bonuses: as `offers_now`, `bonuses_now` give them."""
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
    """The best attack that the hand allows, by the weights: PROMISE, KILL, EXTRAS, and the hand after it as cards and numbers.

    Every plan is reckoned with.
    """
    offers, bonuses, looks = offers_now(state, cards), bonuses_now(state, cards), outlook(state, cards)
    total, weight = numbers_in(state, cards, mover(state)), cards["weight"][JUDGED]
    allowed = placements(state, cards, offers, cards["dump"] == 1)
    found, best, plan = (0.0, 0.0, 0.0, 0.0, 0.0), BELOW_ALL, np.int64(0)
    while plan != NO_PLAN:
        gain, killed = attack_gain(attacks_in(offers, bonuses, plan), looks)
        full, numbers = hand_left(state, cards, plan, total)
        extras = extras_in(offers, plan)
        worth = weight[Feature.PROMISE] * gain + weight[Feature.KILL] * killed + weight[Feature.EXTRAS] * extras
        worth += weight[Feature.OWN_TO_DEFEND] * full + weight[Feature.NUMBERS] * numbers
        if worth > best:
            found, best = (gain, killed, extras, full, numbers), worth
        plan = next_plan(plan, allowed)
    gain, killed, extras, full, numbers = found
    return gain, killed, extras + hits_ready(state, cards), full, numbers
