"""The OUTCOME record of Dice duel, its measures and the questions of the report."""

import numpy as np

from sim.engine.dice import SEATS_MAX
from sim.engine.jit import Record, kernel
from sim.engine.measures import Measure
from sim.engine.questions import FirstPlayer, Length, Matchups, WinRates
from tests.every_game.dice_duel.state import SEATS

OUTCOME = np.dtype(
    [
        ("health", np.int16, (SEATS_MAX,)),  # left, by seat
        ("hits", np.int16, (SEATS_MAX,)),
        ("rounds", np.int16),
    ],
    align=True,
)


@kernel
def fallen(state: Record, seat: int) -> bool:
    """Whether a seat has no health left."""
    return state["health"][seat] <= 0


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """The seat that still stands when the other has fallen has won."""
    out[:] = 0.0
    for seat in range(SEATS):
        if fallen(state, 1 - seat):
            out[seat] = 1.0


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """Facts of a game, by seat."""
    outcome["rounds"] = state["turn"]
    for seat in range(SEATS):
        outcome["health"][seat] = state["health"][seat]
        outcome["hits"][seat] = state["hits"][seat]


MEASURES = (
    Measure("health", "Health left", "health", "seat", "count"),
    Measure("hits", "Dice that hit", "dice", "seat", "count"),
    Measure("rounds", "Rounds", "rounds", "game", "count"),
)

QUESTIONS = (
    WinRates("win-rates", "Who wins how often, and how sure is that?"),
    Matchups("matchups", "Who beats whom?"),
    FirstPlayer("turn-order", "What is going first worth?"),
    Length("length", "How long does a game last?"),
)
