"""Positions of Riftborn Tactics compared with the product's own list of what holds in all of them."""

import numpy as np

from sim.engine.cards import CardSet
from sim.games.riftborn.position import POSITION


def check_positions(states: np.ndarray, cards: CardSet) -> None:
    """Check positions from a file or from play. Raises AssertionError."""
    for place, state in enumerate(states):
        assert POSITION.violations(state, cards) == [], f"position {place}, turn {state['turn']}, phase {state['phase']}"
