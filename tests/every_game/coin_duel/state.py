"""STATE of Coin duel: one game in progress."""

from enum import IntEnum

import numpy as np

from sim.engine.dice import Purpose

SEATS = 3
DECK = 6  # cards 1..6, one of each
OPTIONS_MAX = 3


class Action(IntEnum):
    """What a seat can decide."""

    FOLD = 0
    HOLD = 1
    RAISE = 2


class Draw(IntEnum):
    """What chance is drawn for."""

    FIRST = Purpose.FIRST_FREE
    DECK = Purpose.FIRST_FREE + 1
    FIGHT = Purpose.FIRST_FREE + 2
    GUESS = Purpose.FIRST_FREE + 3


STATE = np.dtype(
    [
        ("keys", np.uint32, (DECK,)),  # scratch of the shuffle
        ("turn", np.int16),  # rounds finished
        ("goal", np.int16),  # coins that end the game, from the cards
        ("coins", np.int16, (SEATS,)),
        ("folds", np.int16, (SEATS,)),  # rounds left early
        ("raises", np.int16, (SEATS,)),
        ("won", np.int16, (SEATS,)),  # rounds won
        ("fighter", np.int8, (SEATS,)),  # row of the card
        ("deck", np.int8, (DECK,)),  # hidden: the card of each seat, then the cards left over
        ("folded", np.uint8, (SEATS,)),  # 1: out of this round
        ("rolled", np.int8, (SEATS,)),  # the last fight's faces, 0: stayed out
        ("seats", np.int8),
        ("first", np.int8),  # seat that decides first in this round
        ("decided", np.int8),  # seats that have decided in this round
        ("stake", np.int8),  # coins
        ("over", np.uint8),
    ],
    align=True,
)
