"""The promise of a defence: the best plan of cards against what is declared, each resolved by the best response."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.clash import Stage, begin_clash, force_of, stage_of, with_defences
from sim.games.rookling.declare import offer
from sim.games.rookling.footing import card_worth, clash_worth, hand_after, hand_total
from sim.games.rookling.plans import TENTHS, amounts_with, extras_with, may_still_place, own_now, promised
from sim.games.rookling.record import Mask
from sim.games.rookling.response import best_response
from sim.games.rookling.state import defender_of, number_of
from sim.games.rookling.tokens import kinds_at, sum_at

LOST = -1000.0  # worth of a lost game, in life points
NO_CARD = -1


@kernel
def ended_worth(clash: int) -> float:
    """Worth of a row after a resolution."""
    return LOST if stage_of(clash) == Stage.LOST else clash_worth(clash)


@kernel
def flat_at(state: Record, cards: Record, position: int) -> np.int64:
    """ROOK-39, 42. Flat defence of the defender's Rookling at a position."""
    seat = defender_of(state)
    flat = np.int64(state["defence_flat"][seat, position]) + np.int64(state["cover"][position])
    return flat + sum_at(state, cards, (seat, position), np.int64(Mask.STANDING), cards["defence_flat"])


@kernel
def plus_at(state: Record, cards: Record, position: int) -> np.int64:
    """ROOK-39, 43. Plus bonuses on the defence of the defender's Rookling at a position."""
    seat = defender_of(state)
    plus = np.int64(state["defence_plus"][seat, position])
    if kinds_at(state, seat, position) != 0:
        plus += sum_at(state, cards, (seat, position), np.int64(Mask.STANDING), cards["defence_plus"])
        if state["att"][position] > 0:
            plus += sum_at(state, cards, (seat, position), np.int64(Mask.DEFENDS), cards["defence_plus"])
    return plus


@kernel
def points_with(own: int, promises: int, card: int) -> np.int64:
    """Own points with one more card of the hand, or without (NO_CARD)."""
    return np.int64(own) if card == NO_CARD else max(np.int64(own), promised(promises, card))


@kernel
def gives_nothing(own: int, promises: int, extras: int, card: int) -> bool:
    """Whether a card of the hand would be wasted on a Rookling."""
    return card != NO_CARD and promised(promises, card) <= own and promised(extras, card) == 0


@kernel
def worth_of_card(state: Record, cards: Record, seat: int, card: int) -> float:
    """Worth of a card of a hand, 0 without one."""
    if card == NO_CARD:
        return 0.0
    return card_worth(float(number_of(state, cards, np.int64(state["hand"][seat, card]))))


@kernel
def extra_of(extras: int, card: int) -> float:
    """Worth of the special lines that a card would open."""
    return 0.0 if card == NO_CARD else promised(extras, card) / TENTHS


@kernel
def defence_promise(state: Record, cards: Record) -> float:
    """Worth of the defender's row and hand after the best defence that the hand allows."""
    seat = defender_of(state)
    own = (own_now(state, cards, np.int64(0)), own_now(state, cards, np.int64(1)), own_now(state, cards, np.int64(2)))
    flat = (flat_at(state, cards, np.int64(0)), flat_at(state, cards, np.int64(1)), flat_at(state, cards, np.int64(2)))
    plus = (plus_at(state, cards, np.int64(0)), plus_at(state, cards, np.int64(1)), plus_at(state, cards, np.int64(2)))
    return best_defence(state, cards, seat, own, flat, plus)


@kernel
def best_defence(
    state: Record,
    cards: Record,
    seat: int,
    own: tuple[int, int, int],
    flat: tuple[int, int, int],
    plus: tuple[int, int, int],
) -> float:
    """Try every plan of cards. own, flat, plus: points by position."""
    left, middle, right = np.int64(0), np.int64(1), np.int64(2)
    given = (
        amounts_with(state, cards, left),
        amounts_with(state, cards, middle),
        amounts_with(state, cards, right),
    )
    extras = (extras_with(state, cards, left), extras_with(state, cards, middle), extras_with(state, cards, right))
    lives, at = state["life"][seat], state["at"][seat]
    force = force_of(state["att"], state["cover"])
    clash = begin_clash(force, np.int64(lives[at[0]]), np.int64(lives[at[1]]), np.int64(lives[at[2]]))
    held, total = np.int64(state["hand_n"][seat]), hand_total(state, cards, seat)
    choices = held if may_still_place(state) else np.int64(0)
    best, settled, last = 2 * LOST, 0.0, np.int64(-1)
    for first in range(NO_CARD, choices):
        if gives_nothing(own[0], given[0], extras[0], first):
            continue
        for second in range(NO_CARD, choices):
            if second == first != NO_CARD or gives_nothing(own[1], given[1], extras[1], second):
                continue
            for third in range(NO_CARD, choices):
                if third != NO_CARD and (third == first or third == second):
                    continue
                if gives_nothing(own[2], given[2], extras[2], third):
                    continue
                defences = (
                    offer(points_with(own[0], given[0], first) + flat[0], np.int64(0), plus[0]),
                    offer(points_with(own[1], given[1], second) + flat[1], np.int64(0), plus[1]),
                    offer(points_with(own[2], given[2], third) + flat[2], np.int64(0), plus[2]),
                )
                declared = with_defences(force, defences)
                if declared != last:
                    settled, last = ended_worth(best_response(clash, declared, cards)), declared
                used = (first != NO_CARD) + (second != NO_CARD) + (third != NO_CARD)
                spent = worth_of_card(state, cards, seat, first) + worth_of_card(state, cards, seat, second)
                spent += worth_of_card(state, cards, seat, third)
                worth = settled + hand_after(state, cards, seat, held - used, total - spent)
                worth += extra_of(extras[0], first) + extra_of(extras[1], second) + extra_of(extras[2], third)
                best = max(best, worth)
    return best
