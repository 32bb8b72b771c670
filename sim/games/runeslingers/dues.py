"""What is decided and still to be carried out, card by card or piece by piece: in health points, like `prospects`.

Frames that resolve without a question are done before anybody decides; those looked at here can wait for decisions, such as
which card of three to discard.
"""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.prospects import (
    CONVERTED,
    DOWN,
    DRAWN,
    OTHER,
    REMOVED,
    SEARED,
    THROWN,
    VOIDED,
    ailment_worth,
)
from sim.games.runeslingers.record import Op
from sim.games.runeslingers.terms import Frame
from sim.games.runeslingers.values import LOST


@kernel
def due(state: Record, cards: Record, seat: int) -> float:
    """What all frames that are carried out piece by piece will still bring a seat."""
    total = 0.0
    for at in range(np.int64(state["depth"])):
        frame = state["frame"][at]
        if Frame.DRAIN <= frame <= Frame.CONVERT or frame in (Frame.DISCARD, Frame.LIMIT):
            whom = np.int64(state["side"][at])
            worth = due_worth(state, cards, np.int64(at), whom)
            total += worth if whom == seat else -worth
    return total


@kernel
def due_worth(state: Record, cards: Record, at: int, whom: int) -> float:
    """What a frame will still bring the player whom it concerns."""
    frame, left = state["frame"][at], np.int64(state["left"][at])
    if frame == Frame.DISCARD:
        return -THROWN * min(left, np.int64(state["hand_n"][whom]))
    if frame == Frame.DECK:
        return cards_due(np.int64(state["kind"][at]), left)
    if frame == Frame.DRAIN:
        return -1.0 * left
    if frame == Frame.APPLY:
        return -left * ailment_worth(state, cards, np.int64(state["kind"][at]), whom)
    if frame == Frame.ORDER:
        return -OTHER * state["types_n"][at]
    if frame == Frame.LIMIT:
        return REMOVED * left - (LOST + DOWN if left > 0 else 0.0)
    return REMOVED * left if frame == Frame.REMOVE else -CONVERTED * left


@kernel
def cards_due(op: int, left: int) -> float:
    """What it brings a player that so many more cards leave its deck."""
    if op == Op.DRAW:
        return DRAWN * left
    return -SEARED * left if op == Op.SEAR else -VOIDED * left
