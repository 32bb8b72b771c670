"""The defender's best response (register section 4.4): every way to resolve a clash, searched to its end."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.clash import (
    ALIVE_BONUS,
    HOLD,
    USE,
    Stage,
    bearer_of,
    decide,
    is_open,
    life_of,
    only_open,
    stage_of,
)
from sim.games.rookling.record import HoldBlock
from sim.games.rookling.state import POSITIONS

HIT_STEPS = POSITIONS + 1  # values of one life point apart: hits break ties
BELOW_ALL = -1  # no value: 0..3 if all is lost, more with any life


@kernel
def value_of(clash: int) -> np.int64:
    """Reference objective of an ended resolution: life and Rooklings with life; then few hits. Lost is below all else."""
    worth, hits = np.int64(0), np.int64(0)
    for position in range(POSITIONS):
        life = life_of(clash, position)
        worth += life + (ALIVE_BONUS if life > 0 else 0)
        hits += bearer_of(clash, position) >= 0
    return worth * HIT_STEPS + POSITIONS - hits


@kernel
def best_response(clash: int, force: int, cards: Record) -> np.int64:
    """The ended resolution of the highest value, the first in canonical order among equals.

    Canonical order: positions ascending, left before right, blocking before holding. Without a choice that matters (nobody
    in siege-state: ROOK-53 asks nothing and every order ends alike) a single line is played.
    """
    stage = stage_of(clash)
    if stage in (Stage.DONE, Stage.LOST):
        return np.int64(clash)
    if stage == Stage.NEXT:
        if not anyone_down(clash) and not holds_freely(cards):
            return best_response(decide(clash, force, cards, only_open(clash)), force, cards)
        best, value = np.int64(0), np.int64(BELOW_ALL)
        for position in range(POSITIONS):
            if is_open(clash, position):
                found = best_response(decide(clash, force, cards, np.int64(position)), force, cards)
                if value_of(found) > value:
                    best, value = found, value_of(found)
        return best
    first, second = (np.int64(USE), np.int64(HOLD)) if stage == Stage.BLOCK else (np.int64(0), np.int64(1))
    one = best_response(decide(clash, force, cards, first), force, cards)
    other = best_response(decide(clash, force, cards, second), force, cards)
    return other if value_of(other) > value_of(one) else one


@kernel
def anyone_down(clash: int) -> bool:
    """Whether a Rookling of the row is in siege-state."""
    for position in range(POSITIONS):
        if life_of(clash, position) == 0:
            return True
    return False


@kernel
def holds_freely(cards: Record) -> bool:
    """A-13. Whether blocks may always be held back, so that even plain attacks ask."""
    return cards["hold_block"] == HoldBlock.FREE
