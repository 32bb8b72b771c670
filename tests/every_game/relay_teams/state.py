"""STATE of Relay teams: one game in progress."""

from enum import IntEnum

import numpy as np

from sim.engine.dice import Purpose

SEATS = 3
SIZE = 2  # runners of a team
RUNNERS_MAX = 8
OPTIONS_MAX = RUNNERS_MAX


class Draw(IntEnum):
    """What chance is drawn for."""

    FIRST = Purpose.FIRST_FREE
    RUN = Purpose.FIRST_FREE + 1


STATE = np.dtype(
    [
        ("turn", np.int16),  # runs that are over
        ("way", np.int16, (SEATS,)),  # steps of each team
        ("steps", np.int16, (SEATS, SIZE)),  # steps by runner, in the order of the card file
        ("runner", np.int8, (SEATS, SIZE)),  # row of the card + 1, ascending; 0: not picked yet
        ("picks", np.int8),  # picks left in a draft
        ("first", np.int8),  # seat that picks and runs first
        ("seats", np.int8),
        ("runners", np.int8),  # runners of the card set
    ],
    align=True,
)
