"""Judging positions (register section 7), and what a fair re-deal is (section 6)."""

import numpy as np

from sim.engine.dice import NATURE, below
from sim.engine.jit import Record, kernel
from sim.engine.judgement import chance_of
from sim.games.cardrogue.decisions import Node
from sim.games.cardrogue.draw import Draw
from sim.games.cardrogue.features import features
from sim.games.cardrogue.record import CELLS
from sim.games.cardrogue.score import standing_of
from sim.games.cardrogue.state import Down


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimate of a seat's winning chance, 0..1: its share of the win at the end, before it what the features come to."""
    if state["node"] == Node.OVER:
        return standing_of(state, seat)
    return chance_of(features(state, cards, seat), cards["weight"][state["seats"] - 1])


@kernel
def redeal(state: Record, cards: Record, seat: int, rng: Record) -> None:  # noqa: ARG001 - the verb's parameters
    """Register section 6. Shuffle what lies face-down on a fixed layout; all else is drawn when it is turned over."""
    if cards["map_down_cards"] == 0:
        return
    order_down(state)
    left = 0
    for cell in range(CELLS):
        left += state["down"][cell] == Down.MAPPED
    for cell in range(CELLS):
        if state["down"][cell] == Down.MAPPED:
            swap_down(state, cell, below(rng, NATURE, Draw.EXPLORATION, left))
            left -= 1


@kernel
def order_down(state: Record) -> None:
    """Sort what lies face-down by its place on the map: a shuffle then owes nothing to where it truly lies."""
    for cell in range(CELLS):
        if state["down"][cell] == Down.MAPPED:
            lowest = cell
            for other in range(cell + 1, CELLS):
                if state["down"][other] == Down.MAPPED and state["on"][other] < state["on"][lowest]:
                    lowest = other
            exchange(state, cell, lowest)


@kernel
def swap_down(state: Record, cell: int, further: int) -> None:
    """Exchange what lies face-down on a cell with the `further`-th such cell from there on."""
    for other in range(cell, CELLS):
        if state["down"][other] == Down.MAPPED:
            if further == 0:
                exchange(state, cell, other)
                return
            further -= 1


@kernel
def exchange(state: Record, cell: int, other: int) -> None:
    """Exchange what lies on two cells."""
    held = np.int64(state["on"][cell])
    state["on"][cell] = state["on"][other]
    state["on"][other] = held
