"""Victory points (ROGUE-100 to 105)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.decisions import Node
from sim.games.cardrogue.record import SLOTS
from sim.games.cardrogue.state import NO_CARD, POINTS, Ending, Points


@kernel
def points_of_source(state: Record, cards: Record, seat: int, source: int) -> int:
    """ROGUE-100. Points of a seat out of one source: scored for good, or boss cards in its hand."""
    if source not in (Points.BASILISK, Points.GOLEM):
        return state["scored"][seat, source]
    total = 0
    for number in range(np.int64(cards["enemies"])):
        card = np.int64(cards["enemy_type"][number])
        if cards["vp"][card] > 0 and (cards["cancel_group"][card] > 0) == (source == Points.BASILISK):
            total += cards["vp"][card] * state["hand"][seat, card]
    return total


@kernel
def points_of(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-100. Victory points that a seat has now."""
    total = 0
    for source in range(POINTS):
        total += points_of_source(state, cards, seat, source)
    return total


@kernel
def finish(state: Record, cards: Record, ending: int, seat: int) -> None:
    """ROGUE-104 to 107, 114. The game is over; `seat` is who got out first in the end rush."""
    if ending == Ending.EXIT:
        state["scored"][seat, Points.EXIT] += cards["vp_exit"]
    state["ending"] = ending
    state["node"] = Node.OVER
    for other in range(np.int64(state["seats"])):
        for source in range(POINTS):
            state["points"][other, source] = points_of_source(state, cards, other, source)
        for slot in range(SLOTS):
            card = np.int64(state["worn"][other, slot])
            state["worn_item"][other, slot] = 1 + cards["item_number"][card] if card != NO_CARD else 0
