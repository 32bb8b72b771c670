"""STATE of Lone climb: one game in progress."""

from enum import IntEnum

import numpy as np

from sim.engine.dice import Purpose

SEATS = 2
CLIMBERS_MAX = 6
STONES_MAX = 5  # kinds
HEAP_MAX = 25  # stones
OPTIONS_MAX = CLIMBERS_MAX


class Action(IntEnum):
    """What a seat can decide; PICK + c picks climber c."""

    CLIMB = 0
    CAMP = 1
    PICK = 2


class End(IntEnum):
    """How the game ended."""

    NO = 0
    SUMMIT = 1  # a climber is at the summit
    FALLEN = 2  # a climber has lost its last rope
    NIGHT = 3  # stopped


class Draw(IntEnum):
    """What chance is drawn for."""

    HEAP = Purpose.FIRST_FREE
    GUESS = Purpose.FIRST_FREE + 1


STATE = np.dtype(
    [
        ("keys", np.uint32, (HEAP_MAX,)),  # scratch of the shuffle
        ("turn", np.int16),  # turns finished
        ("summit", np.int16),  # steps, from the cards
        ("night", np.int16),  # turns of each seat, from the cards
        ("height", np.int16, (SEATS,)),  # steps
        ("camp", np.int16, (SEATS,)),  # steps: the height to which a rockfall throws back
        ("camps", np.int16, (SEATS,)),  # turns spent camping
        ("taken", np.int16, (SEATS, STONES_MAX)),  # stones turned over, by kind
        ("ropes", np.int8, (SEATS,)),  # left
        ("climber", np.int8, (SEATS,)),  # row of the card + 1, 0: not picked yet
        ("heap", np.int8, (HEAP_MAX,)),  # kinds of stones, in the order in which they are turned over; hidden from `used` on
        ("stones", np.int8),  # in the heap
        ("used", np.int8),  # stones turned over
        ("seats", np.int8),
        ("end", np.int8),  # End
    ],
    align=True,
)
