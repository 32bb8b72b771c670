"""The promise of an attack: the best plan of cards against a defence that is only guessed (register section 7)."""

from enum import IntEnum

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.clash import LEFT, MIDDLE, RIGHT
from sim.games.rookling.declare import offer
from sim.games.rookling.energy import has_room, rook_at, side_at
from sim.games.rookling.footing import card_worth, hand_after, hand_total
from sim.games.rookling.guard import NO_CARD, extra_of, gives_nothing, points_with, worth_of_card
from sim.games.rookling.plans import amounts_with, extras_with, may_still_place, own_now
from sim.games.rookling.record import Mask
from sim.games.rookling.state import POSITIONS, defender_of, mover
from sim.games.rookling.tokens import kinds_at, sum_at

FLIP = 2.5  # worth of flipping a Rookling
KILL = 14.0  # worth of flipping the last
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
def attack_flat_at(state: Record, cards: Record, position: int) -> np.int64:
    """ROOK-39. Flat attack of the attacker's Rookling at a position."""
    seat = mover(state)
    place = (seat, position)
    flat = np.int64(state["attack_flat"][seat, position])
    flat += sum_at(state, cards, place, np.int64(Mask.STANDING), cards["attack_flat"])
    return flat + sum_at(state, cards, place, np.int64(Mask.ATTACK_TURN), cards["attack_flat"])


@kernel
def attack_plus_at(state: Record, cards: Record, position: int) -> np.int64:
    """ROOK-39, 69. Plus bonuses on the attack of the attacker's Rookling at a position."""
    seat = mover(state)
    place = (seat, position)
    plus = np.int64(state["attack_plus"][seat, position])
    plus += sum_at(state, cards, place, np.int64(Mask.STANDING), cards["attack_plus"])
    return plus + sum_at(state, cards, place, np.int64(Mask.ATTACK_TURN), cards["attack_plus"])


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
    if kinds_at(state, place[0], position) == 0:
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
def attack_gain(amounts: tuple[int, int, int], looks: tuple[float, ...]) -> float:
    """What attacks of so many points by position can be expected to take from the defender, in life points.

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
    return gain + KILL * killed


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
def declared_gain(state: Record, cards: Record) -> float:
    """What the declared attacks can be expected to take."""
    att = state["att"]
    return attack_gain((np.int64(att[LEFT]), np.int64(att[MIDDLE]), np.int64(att[RIGHT])), outlook(state, cards))


@kernel
def attack_promise(state: Record, cards: Record) -> float:
    """Worth of the best attack that the hand allows, and of the hand after it."""
    left, middle, right = np.int64(0), np.int64(1), np.int64(2)
    own = (own_now(state, cards, left), own_now(state, cards, middle), own_now(state, cards, right))
    flat = (
        attack_flat_at(state, cards, left),
        attack_flat_at(state, cards, middle),
        attack_flat_at(state, cards, right),
    )
    plus = (
        attack_plus_at(state, cards, left),
        attack_plus_at(state, cards, middle),
        attack_plus_at(state, cards, right),
    )
    return best_attack(state, cards, own, flat, plus)


@kernel
def best_attack(
    state: Record, cards: Record, own: tuple[int, int, int], flat: tuple[int, int, int], plus: tuple[int, int, int]
) -> float:
    """Try every plan of cards. own, flat, plus: points by position."""
    seat, left, middle, right = mover(state), np.int64(0), np.int64(1), np.int64(2)
    given = (
        amounts_with(state, cards, left),
        amounts_with(state, cards, middle),
        amounts_with(state, cards, right),
    )
    extras = (extras_with(state, cards, left), extras_with(state, cards, middle), extras_with(state, cards, right))
    looks = outlook(state, cards)
    held, total = np.int64(state["hand_n"][seat]), hand_total(state, cards, seat)
    choices = held if may_still_place(state) else np.int64(0)
    best = -1.0
    for first in range(NO_CARD, choices if has_room(state, cards, seat, left) else np.int64(0)):
        if is_kept(state, cards, first) and gives_nothing(own[0], given[0], extras[0], first):
            continue
        for second in range(NO_CARD, choices if has_room(state, cards, seat, middle) else np.int64(0)):
            if second == first != NO_CARD:
                continue
            if is_kept(state, cards, second) and gives_nothing(own[1], given[1], extras[1], second):
                continue
            for third in range(NO_CARD, choices if has_room(state, cards, seat, right) else np.int64(0)):
                if third != NO_CARD and (third == first or third == second):
                    continue
                if is_kept(state, cards, third) and gives_nothing(own[2], given[2], extras[2], third):
                    continue
                amounts = (
                    offer(points_with(own[0], given[0], first), flat[0], plus[0]),
                    offer(points_with(own[1], given[1], second), flat[1], plus[1]),
                    offer(points_with(own[2], given[2], third), flat[2], plus[2]),
                )
                used = (first != NO_CARD) + (second != NO_CARD) + (third != NO_CARD)
                spent = worth_of_card(state, cards, seat, first) + worth_of_card(state, cards, seat, second)
                spent += worth_of_card(state, cards, seat, third)
                worth = attack_gain(amounts, looks) + hand_after(state, cards, seat, held - used, total - spent)
                worth += extra_of(extras[0], first) + extra_of(extras[1], second) + extra_of(extras[2], third)
                best = max(best, worth)
    return best


@kernel
def is_kept(state: Record, cards: Record, card: int) -> bool:
    """Whether a card of the attacker's hand is better than the one that would be drawn for it, so that it is no waste."""
    if card == NO_CARD or not cards["dump"]:
        return True
    seat = mover(state)
    return worth_of_card(state, cards, seat, card) >= card_worth(cards["mean_number"])
