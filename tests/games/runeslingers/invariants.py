"""Positions of Runeslingers compared with the product's own list of what holds in all of them."""

from collections.abc import Iterable

import numpy as np

from sim.engine.cards import CardSet
from sim.games.runeslingers.position import POSITION
from sim.games.runeslingers.state import Phase


def check(states: Iterable[np.void], cards: CardSet) -> None:
    """Check positions from a file or from play. Raises AssertionError."""
    for state in states:
        where = f"turn {state['turn']}, phase {Phase(state['phase']).name}, stage {state['stage']}"
        assert POSITION.violations(state, cards) == [], where
