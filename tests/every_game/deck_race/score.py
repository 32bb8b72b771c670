"""The OUTCOME record of Deck race, its measures and the questions of the report."""

import numpy as np

from sim.engine.dice import SEATS_MAX
from sim.engine.jit import Record, kernel
from sim.engine.measures import Measure
from sim.engine.questions import Cards, Keywords, WinRates
from tests.every_game.deck_race.state import DECK_MAX, SEATS

_SLOT = (SEATS_MAX, DECK_MAX)

OUTCOME = np.dtype(
    [
        ("points", np.int16, (SEATS_MAX,)),
        ("drawn_turn", np.int8, _SLOT),  # by place in the deck's list
        ("played_turn", np.int8, _SLOT),
        ("drawn", np.int8, _SLOT),
        ("plays", np.int8, _SLOT),
    ],
    align=True,
)


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """More points win once all turns are over, ties share the win."""
    out[:] = 0.0
    if state["turn"] < SEATS * state["turns"]:
        return
    lead = np.int64(state["points"][0]) - np.int64(state["points"][1])
    out[0] = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    out[1] = 1.0 - out[0]


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """Facts of a game, by seat."""
    for seat in range(SEATS):
        outcome["points"][seat] = state["points"][seat]
        for place in range(DECK_MAX):
            outcome["drawn_turn"][seat, place] = state["drawn_turn"][seat, place]
            outcome["played_turn"][seat, place] = state["played_turn"][seat, place]
            outcome["drawn"][seat, place] = state["drawn"][seat, place]
            outcome["plays"][seat, place] = state["plays"][seat, place]


_PLACES = tuple(f"place {place + 1}" for place in range(DECK_MAX))

MEASURES = (
    Measure("points", "Points", "points", "seat", "count"),
    Measure("drawn_turn", "Own turn at which the card was drawn", "turns", "seat", "turn", parts=_PLACES),
    Measure("played_turn", "Own turn at which the card was played", "turns", "seat", "turn", parts=_PLACES),
    Measure("drawn", "Copies drawn", "copies", "seat", "count", parts=_PLACES),
    Measure("plays", "Copies played", "copies", "seat", "count", parts=_PLACES),
)

QUESTIONS = (
    WinRates("win-rates", "Which deck wins how often?"),
    Cards(
        "cards",
        "Which card carries or drags a deck?",
        drawn_turn="drawn_turn",
        played_turn="played_turn",
        drawn="drawn",
        plays="plays",
        by_turn=2,
    ),
    Keywords("keywords", "What is a keyword worth?", decks=40),
)
