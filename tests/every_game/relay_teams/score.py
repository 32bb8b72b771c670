"""The OUTCOME record of Relay teams, its measures and the questions of the report."""

import numpy as np

from sim.engine.dice import SEATS_MAX
from sim.engine.jit import Record, kernel
from sim.engine.measures import Measure
from sim.engine.questions import WinRates
from tests.every_game.relay_teams.state import SEATS, SIZE

OUTCOME = np.dtype(
    [
        ("way", np.int16, (SEATS_MAX,)),
        ("steps", np.int16, (SEATS_MAX, SIZE)),  # by runner, in the order of the card file
    ],
    align=True,
)


@kernel
def leaders(state: Record, seat: int) -> float:
    """Share of the win of a seat: equal among the seats with the longest way."""
    longest, equals = np.int64(-1), 0
    for other in range(state["seats"]):
        longest = max(longest, np.int64(state["way"][other]))
    for other in range(state["seats"]):
        equals += state["way"][other] == longest
    return 1.0 / equals if state["way"][seat] == longest else 0.0


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """The longest way wins once all runners have run."""
    out[:] = 0.0
    if state["turn"] >= SIZE * state["seats"]:
        for seat in range(state["seats"]):
            out[seat] = leaders(state, seat)


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """Facts of a game, by seat."""
    for seat in range(SEATS):
        outcome["way"][seat] = state["way"][seat]
        for member in range(SIZE):
            outcome["steps"][seat, member] = state["steps"][seat, member]


MEASURES = (
    Measure("way", "Way of the team", "steps", "seat", "count"),
    Measure("steps", "Way of the runner", "steps", "seat", "count", parts=("first", "second")),
)

QUESTIONS = (WinRates("win-rates", "Who wins how often, and how sure is that?"),)
