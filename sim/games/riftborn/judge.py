"""How good a position looks to a seat, and what it cannot see dealt anew (register sections 6 and 7)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.prospects import promise
from sim.games.riftborn.record import TRICKS
from sim.games.riftborn.state import NOBODY, SEATS
from sim.games.riftborn.terms import Phase
from sim.games.riftborn.values import TRICK, UNKNOWN_CARD, hand_worth, player_worth, shields_worth

SCALE = 40.0  # advantage, in life points, that makes a win three times as likely as a loss


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimate of a seat's winning chance: the worth of both sides, squeezed into 0..1; its share of the win at the end."""
    other = SEATS - 1 - seat
    if state["phase"] == Phase.OVER:
        if state["winner"] == NOBODY:
            return 0.5
        return 1.0 if state["winner"] == seat else 0.0
    lead = player_worth(state, cards, seat) - player_worth(state, cards, other)
    lead += hand_worth(state, cards, seat) + shields_worth(state, seat) + TRICK * tricks_laid(state, seat)
    drawn_by_turns = np.int64(cards["turn_draw"]) * np.int64(state["own_turns"][other])
    lead -= UNKNOWN_CARD * (np.int64(state["hand_n"][other]) - drawn_by_turns) + TRICK * tricks_laid(state, other)
    lead += promise(state, cards, seat)
    return 0.5 + 0.5 * lead / (SCALE + abs(lead))


@kernel
def tricks_laid(state: Record, seat: int) -> np.int64:
    """RIFT-115. TRICK cards that a seat has in play; their number is public."""
    count = np.int64(0)
    for trick in range(1, TRICKS + 1):
        count += (state["tricks"][seat] >> np.uint8(trick)) & np.uint8(1)
    return count
