"""Positions of Rookling Heroes compared with the product's own list of what holds in all of them."""

import numpy as np

from sim.engine.cards import CardSet
from sim.games.rookling.position import POSITION


def check(states: np.ndarray, cards: CardSet) -> None:
    """Check positions from a file or from play. Raises AssertionError."""
    for state in states:
        assert POSITION.violations(state, cards) == []
