"""The facts of a finished game that STATE does not hold, and those whose parts are the tokens of a card set."""

import numpy as np

from sim.engine import facts
from sim.engine.cards import CardSet
from sim.engine.facts import outcome_of
from sim.engine.jit import Record, kernel
from sim.engine.measures import Measure
from sim.games.rookling.cards import TOKENS
from sim.games.rookling.state import CURVE, FACTS, NOBODY, SEATS

OUTCOME, MEASURES = outcome_of(FACTS), facts.measures_of(FACTS)


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """ROOK-01. The winner gets the whole win; before the end no player has any of it."""
    out[:] = 0.0
    if state["winner"] != NOBODY:
        out[state["winner"]] = 1.0


@kernel
def entrant_of(state: Record, seat: int, planned: int) -> int:
    """ROOK-03, 04. The squad that a seat played; dealt or drafted squads differ from the planned one."""
    return state["squad"][seat] if state["squad"][seat] != NOBODY else planned


@kernel
def first_of(state: Record, decided: int) -> int:  # noqa: ARG001 - the verb's parameters
    """ROOK-09. Going first means attacking first, although the first defender arranges its row earlier."""
    return state["first"]


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """Write the derived facts."""
    for seat in range(SEATS):
        outcome["attacked_first"][seat] = state["first"] == seat
        outcome["drafted_first"][seat] = state["drafter"] == seat
        begun = state["attacks_begun"][seat]
        outcome["hand_at_attack"][seat] = state["hand_at_attack"][seat] / begun if begun > 0 else np.nan
        for exchange in range(CURVE):
            life = state["life_after"][seat, exchange]
            outcome["life_after"][seat, exchange] = life if life >= 0 else np.nan


def measures_of(cards: CardSet) -> tuple[Measure, ...]:
    """Return the measures whose parts are the tokens of a card set."""
    names = tuple(str(token["name"]) for token in cards.document.get("token", ()))
    kinds = names + ("",) * (TOKENS - len(names))
    return (
        Measure("given_kind", "Token cards put on opponents", "tokens", "seat", "count", parts=kinds),
        Measure("received_kind", "Tokens received", "tokens", "seat", "count", parts=kinds),
    )
