"""How good a position looks (register section 7), and a fair re-deal of what a seat cannot see (section 6)."""

import numpy as np

from sim.engine.jit import Record, kernel


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Placeholder."""
    return 0.5


@kernel
def redeal(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Placeholder."""
