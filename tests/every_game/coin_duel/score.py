"""The OUTCOME record of Coin duel, its measures and the questions of the report."""

import numpy as np

from sim.engine.dice import SEATS_MAX
from sim.engine.jit import Record, kernel
from sim.engine.measures import Measure
from sim.engine.questions import FirstPlayer, Length, Matchups, WinRates
from tests.every_game.coin_duel.state import SEATS

OUTCOME = np.dtype(
    [
        ("coins", np.int16, (SEATS_MAX,)),  # by seat, as wide as the rows
        ("won", np.int16, (SEATS_MAX,)),
        ("folds", np.int16, (SEATS_MAX,)),
        ("raises", np.int16, (SEATS_MAX,)),
        ("rounds", np.int16),
    ],
    align=True,
)


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """The seat with the most coins wins, ties share the win; no seat has won before the goal is reached."""
    out[:] = 0.0
    if not state["over"]:
        return
    for seat in range(SEATS):
        out[seat] = share(state, seat)


@kernel
def share(state: Record, seat: int) -> float:
    """Share of the win of a seat at the end: equal among the seats with the most coins."""
    most, equals = state["coins"].max(), 0
    for other in range(SEATS):
        equals += state["coins"][other] == most
    return 1.0 / equals if state["coins"][seat] == most else 0.0


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """Facts of a game, by seat."""
    outcome["rounds"] = state["turn"]
    for seat in range(SEATS):
        outcome["coins"][seat] = state["coins"][seat]
        outcome["won"][seat] = state["won"][seat]
        outcome["folds"][seat] = state["folds"][seat]
        outcome["raises"][seat] = state["raises"][seat]


MEASURES = (
    Measure("coins", "Coins at the end", "coins", "seat", "count"),
    Measure("won", "Rounds won", "rounds", "seat", "count"),
    Measure("folds", "Rounds left early", "rounds", "seat", "count"),
    Measure("raises", "Raises", "coins", "seat", "count"),
    Measure("rounds", "Rounds", "rounds", "game", "count"),
)

QUESTIONS = (
    WinRates("win-rates", "Who wins how often, and how sure is that?"),
    Matchups("matchups", "Who beats whom at two seats?"),
    FirstPlayer("turn-order", "What is going first, and each later seat, worth?"),
    Length("length", "How long does a game last?"),
)
