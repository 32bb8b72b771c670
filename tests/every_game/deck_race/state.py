"""STATE of Deck race: one game in progress."""

from enum import IntEnum

import numpy as np

from sim.engine.dice import Purpose

SEATS = 2
DECK_MAX = 6  # cards of a deck, all of which can differ
CARDS_MAX = 40
DECKS_MAX = 64
OPTIONS_MAX = 1
NO_CARD = -1  # in `place`: no card


class Draw(IntEnum):
    """What chance is drawn for."""

    FIRST = Purpose.FIRST_FREE
    SHUFFLE = Purpose.FIRST_FREE + 1


_SEAT = (SEATS,)
_SLOT = (SEATS, DECK_MAX)

STATE = np.dtype(
    [
        ("keys", np.uint64, (DECK_MAX,)),  # scratch of the shuffle
        ("turn", np.int16),  # player turns that are over
        ("points", np.int16, _SEAT),
        ("first", np.int8),  # seat that goes first
        ("turns", np.int8),  # turns of each seat
        ("size", np.int8, _SEAT),  # cards of the deck
        ("library", np.int8, _SLOT),  # places in the deck's list, in the order in which they are drawn
        ("level", np.int8, _SLOT),  # of the card at a place in the list
        ("worth", np.int8, _SLOT),  # its points, keywords added
        ("drawn_turn", np.int8, _SLOT),  # the seat's turn of the first copy, by place in the deck's list; 0: never
        ("played_turn", np.int8, _SLOT),
        ("drawn", np.int8, _SLOT),  # copies
        ("plays", np.int8, _SLOT),
    ],
    align=True,
)
