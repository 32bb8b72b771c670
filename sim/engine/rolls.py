"""A roll of a game whose odds are known, so that the simulated and the exact answer can be held against each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Roll:
    """A roll of the game whose odds are known: the same dice in the language of `analysis.dice.exact` and in play."""

    entrant: str  # id of who rolls
    part: str  # slug of the ability (card, ...) that is rolled for
    against: int  # Defence, resistance, ... that it meets
    name: str  # e.g. "Rhino Guy: Hammer Time"
    versus: str  # what it meets in words, e.g. "Defence 2"
    expression: str  # e.g. "max(0, 5d6>=4 - 2d6>=4)"
    sample: Callable[[int, int], np.ndarray]  # (games, seed) -> results of the compiled roll, int (games,)

    @property
    def title(self) -> str:
        """The roll in words."""
        return f"{self.name} against {self.versus}"
