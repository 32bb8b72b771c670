"""How good a position looks to a seat (register section 7)."""

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.light import ready_light
from sim.games.runeslingers.prospects import promise
from sim.games.runeslingers.state import NOBODY, SEATS
from sim.games.runeslingers.terms import Phase
from sim.games.runeslingers.values import (
    HAND_CARD,
    SECOND,
    body_worth,
    boosts_worth,
    count_concentrations,
    draw_to_come,
    hand_worth,
)

SCALE = 30.0  # advantage, in health points, that makes a win three times as likely as a loss


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimate of a seat's winning chance: the worth of both sides, squeezed into 0..1; its share of the win at the end."""
    other = SEATS - 1 - seat
    if state["phase"] == Phase.OVER:
        if state["winner"] == NOBODY:
            return 0.5
        return 1.0 if state["winner"] == seat else 0.0
    concs, light = count_concentrations(state, seat), ready_light(state, seat)
    lead = body_worth(state, cards, seat, concs, light) + hand_worth(state, cards, seat, concs, light)
    lead += boosts_worth(state, cards, seat, light) - HAND_CARD * state["hand_n"][other]
    lead -= body_worth(state, cards, other, count_concentrations(state, other), ready_light(state, other))
    lead += draw_to_come(state, cards, seat) - draw_to_come(state, cards, other)
    if state["first"] != NOBODY:
        lead += SECOND if state["first"] == other else -SECOND
    lead += promise(state, cards, seat)
    return 0.5 + 0.5 * lead / (SCALE + abs(lead))
