"""The promise of a defence: the best plan of cards against what is declared, each resolved by the best response."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.bonuses import bonuses_now
from sim.games.rookling.clash import LEFT, MIDDLE, RIGHT, Stage, begin_clash, force_of, stage_of, with_defences
from sim.games.rookling.declare import offer
from sim.games.rookling.footing import clash_worth, hand_total
from sim.games.rookling.plans import (
    NO_PLAN,
    card_in,
    extras_in,
    hand_left,
    next_plan,
    offers_now,
    placements,
    points_in,
)
from sim.games.rookling.response import best_response
from sim.games.rookling.state import POSITIONS, defender_of

LOST = -1000.0  # worth of a lost game, in life points


@kernel
def ended_worth(clash: int) -> float:
    """Worth of a row after a resolution."""
    return LOST if stage_of(clash) == Stage.LOST else clash_worth(clash)


@kernel
def defence_in(offers: tuple[int, ...], bonuses: tuple[int, ...], position: int, card: int) -> np.int64:
    """ROOK-39. Defence at a position with one more card. offers, bonuses: as `offers_now`, `bonuses_now` give them."""
    base = points_in(offers, position, card) + bonuses[position]
    return offer(base, np.int64(0), bonuses[POSITIONS + position])


@kernel
def defence_promise(state: Record, cards: Record) -> float:
    """Worth of the defender's row and hand after the best defence that the hand allows: every plan is resolved."""
    seat = defender_of(state)
    offers, bonuses = offers_now(state, cards), bonuses_now(state, cards)
    allowed, total = placements(state, cards, offers, False), hand_total(state, cards, seat)
    lives, at = state["life"][seat], state["at"][seat]
    force = force_of(state["att"], state["dfn"])
    clash = begin_clash(force, np.int64(lives[at[LEFT]]), np.int64(lives[at[MIDDLE]]), np.int64(lives[at[RIGHT]]))
    best, settled, last, plan = 2 * LOST, 0.0, np.int64(-1), np.int64(0)
    while plan != NO_PLAN:
        declared = with_defences(force, defences_in(offers, bonuses, plan))
        if declared != last:
            settled, last = ended_worth(best_response(clash, declared, cards)), declared
        best = max(best, settled + hand_left(state, cards, plan, total) + extras_in(offers, plan))
        plan = next_plan(plan, allowed)
    return best


@kernel
def defences_in(offers: tuple[int, ...], bonuses: tuple[int, ...], plan: int) -> tuple[int, int, int]:
    """Defences by position with the cards of a plan."""
    left, middle, right = np.int64(LEFT), np.int64(MIDDLE), np.int64(RIGHT)
    return (
        defence_in(offers, bonuses, left, card_in(plan, left)),
        defence_in(offers, bonuses, middle, card_in(plan, middle)),
        defence_in(offers, bonuses, right, card_in(plan, right)),
    )
