"""Which of two independent rolls is higher."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analysis.stats.distribution import Distribution


class Contest(NamedTuple):
    """Chances that the first roll is higher, equal, or lower."""

    wins: float
    ties: float
    losses: float


def contest(first: Distribution, second: Distribution) -> Contest:
    """Compare two rolls, each made once."""
    below = np.concatenate([[0.0], np.cumsum(second.probabilities)])
    left = np.searchsorted(second.values, first.values, side="left")
    right = np.searchsorted(second.values, first.values, side="right")
    wins = float(first.probabilities @ below[left])
    ties = float(first.probabilities @ (below[right] - below[left]))
    return Contest(wins, ties, max(0.0, 1 - wins - ties))
