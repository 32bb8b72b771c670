"""The OUTCOME record of Lone climb, its measures and the questions of the report."""

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.dice import SEATS_MAX
from sim.engine.jit import Record, kernel
from sim.engine.measures import Measure
from sim.engine.questions import Causes, FirstPlayer, Length, Matchups, WinRates
from tests.every_game.lone_climb.cards import stone_names
from tests.every_game.lone_climb.state import SEATS, STONES_MAX, End

OUTCOME = np.dtype(
    [
        ("height", np.int16, (SEATS_MAX,)),
        ("camps", np.int16, (SEATS_MAX,)),
        ("taken", np.int16, (SEATS_MAX, STONES_MAX)),  # stones, by kind
        ("favourite", np.int8, (SEATS_MAX,)),  # kind turned over most often
        ("end", np.int8),  # End
    ],
    align=True,
)


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """The climber on the summit wins, or the other one if a climber is out."""
    out[:] = 0.0
    for seat in range(state["seats"]):
        out[seat] = share(state, seat)


@kernel
def share(state: Record, seat: int) -> float:
    """Share of the win of a seat, 0 before the end and at night."""
    if state["end"] == End.SUMMIT:
        return 1.0 if state["height"][seat] >= state["summit"] else 0.0
    if state["end"] == End.FALLEN:
        return 1.0 if state["ropes"][seat] > 0 else 0.0
    return 0.0


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """Facts of a game, by seat."""
    outcome["end"] = state["end"]
    for seat in range(SEATS):
        outcome["height"][seat] = state["height"][seat]
        outcome["camps"][seat] = state["camps"][seat]
        outcome["favourite"][seat] = 0
        for kind in range(STONES_MAX):
            outcome["taken"][seat, kind] = state["taken"][seat, kind]
            if state["taken"][seat, kind] > state["taken"][seat, outcome["favourite"][seat]]:
                outcome["favourite"][seat] = kind


MEASURES = (
    Measure("height", "Height at the end", "steps", "seat", "count"),
    Measure("camps", "Turns in camp", "turns", "seat", "count"),
    Measure("end", "How it ended", "", "game", "category", ("stopped", "summit", "fallen", "night")),
)


def measures_of(cards: CardSet) -> tuple[Measure, ...]:
    """Measures that the stones of the card set name."""
    names = stone_names(cards)
    return (
        Measure("taken", "Stones turned over", "stones", "seat", "count", parts=names),
        Measure("favourite", "Stone turned over most often", "", "seat", "category", names),
    )


QUESTIONS = (
    WinRates("win-rates", "Who wins how often, and how sure is that?"),
    Matchups("matchups", "Who beats whom at two seats?"),
    FirstPlayer("turn-order", "What is going first worth?"),
    Length("length", "How long does a game last?"),
    Causes("stones", "Which stones are met most often?", cause="favourite"),
)
