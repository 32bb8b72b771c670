"""Judging positions (register section 7): what a seat's position is worth."""

from sim.engine.dice import below
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.points import points_of


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimate of a seat's winning chance."""
    return 0.5


@kernel
def redeal(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Register section 6."""
