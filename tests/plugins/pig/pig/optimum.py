"""Optimal play of Pig by value iteration (Neller and Presser, "Optimal play of the dice game Pig", The UMAP Journal 25, 2004)."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ACCURACY = 1e-12  # largest change of a chance in the last sweep


@cache
def winning_chances(target: int, faces: int) -> Floats:
    """Chance of the seat about to begin its turn if both play optimally, by its score and the opponent's: (target, target).

    target: points that win; faces: of the die, at least 2. Read-only.
    """
    begin = np.full((target, target), 0.5)
    change = 1.0
    while change > ACCURACY:
        improved = _swept(begin, faces)
        change = np.abs(improved - begin).max()
        begin = improved
    begin.flags.writeable = False
    return begin


def _swept(begin: Floats, faces: int) -> Floats:
    """The chances after one sweep over all turn totals, from the highest to none."""
    target = len(begin)
    chance = np.ones((target + faces + 1, target, target))  # by turn total, own score, other score; 1: there is enough to win
    lost = 1 - begin.T  # chance if the opponent's turn begins with the scores unchanged, after a one
    later = np.full((target, target), faces - 1.0)  # sum over the faces above one of the chance after them
    for total in range(target - 1, -1, -1):
        later += chance[total + 2] - chance[total + 1 + faces]
        short = slice(0, target - total)  # own scores at which the total does not win
        rolled = (lost[short] + later[short]) / faces
        chance[total, short] = np.maximum(rolled, lost[total:]) if total else rolled
    return chance[0]


def hold_at(target: int, faces: int, mine: int, theirs: int) -> int:
    """Smallest turn total with which an optimal seat holds at these scores."""
    begin = winning_chances(target, faces)
    after = np.ones(target + faces + 1)
    best = target - mine
    for total in range(target - mine - 1, 0, -1):
        rolled = (1 - begin[theirs, mine] + after[total + 2 : total + faces + 1].sum()) / faces
        held = 1 - begin[theirs, mine + total]
        after[total] = max(rolled, held)
        best = total if held >= rolled else best
    return best
