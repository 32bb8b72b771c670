"""STATE of Dice duel: one game in progress."""

from enum import IntEnum

import numpy as np

from sim.engine.dice import Purpose

SEATS = 2
OPTIONS_MAX = 1


class Draw(IntEnum):
    """What chance is drawn for."""

    STRIKE = Purpose.FIRST_FREE


STATE = np.dtype(
    [
        ("turn", np.int16),  # rounds finished, including the one in which a fighter falls
        ("health", np.int16, (SEATS,)),
        ("hits", np.int16, (SEATS,)),  # dice that hit so far
        ("fighter", np.int8, (SEATS,)),  # row of the card
        ("striker", np.int8),  # seat that strikes next
    ],
    align=True,
)
