"""Agreement of two rankings, and of a lead with the result.

Rankings are based on estimates with errors. The errors alone swap ranks, so that Kendall's tau of two sets of estimates is
closer to zero than tau of the true values. Here the true values of an item in both rankings are drawn from a bivariate normal
distribution with unknown spreads and correlation, and the errors are normal; the result is the posterior of tau for these
items. Priors, on a grid: flat in the spreads (Gelman 2006, Bayesian Analysis 1:515-533) and in the tau that belongs to the
correlation, which is 2/pi times its arcsine (Kruskal 1958, JASA 53:814-861).

How well a lead predicts the winner: area under the curve, and correlation. Both count games at two seats from either side: a
lead of d and a share w of seat 0 are a lead of -d and a share 1 - w of seat 1. Their errors are those of sums over games
(Hajek's projection), added up by clusters of games.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import scipy
from numpy.typing import NDArray

from analysis.stats.intervals import LEVEL

Floats = NDArray[np.float64]
LEAST = 3  # items; fewer have no meaningful order
SPREADS = 9  # grid points for each of the two spreads, up to REACH times the spread of the estimates
REACH = 1.5
TAUS = 41  # grid points from -1 to 1
DRAWS = 2_000
JITTER = 1e-12  # of the trace, added to the diagonal where errors sum to zero


@dataclass(frozen=True)
class Known:
    """Estimates that sum to zero, and the covariance of their errors."""

    value: Floats
    covariance: Floats

    @classmethod
    def of(cls, value: Floats, covariance: Floats) -> Known:
        """Centre estimates and covariance at the mean of the items."""
        middle = np.eye(len(value)) - 1 / len(value)
        return cls(middle @ value, middle @ covariance @ middle)

    @property
    def turned(self) -> Known:
        """Coordinates in orthonormal directions that sum to zero: one fewer, and no longer singular."""
        turn = zero_sum(len(self.value))
        covariance = turn.T @ self.covariance @ turn
        return Known(turn.T @ self.value, covariance + np.eye(len(covariance)) * JITTER * float(np.trace(covariance)))


@dataclass(frozen=True)
class Agreement:
    """Kendall's tau of two rankings of `things` items. seen: of the estimates; tau, low, high: corrected for their errors."""

    seen: float
    tau: float
    low: float
    high: float
    things: int


def agreement(first: Known, second: Known, seed: int, level: float = LEVEL, across: Floats | None = None) -> Agreement:
    """Agreement of two rankings.

    tau, low, high: median and equal-tailed interval of the posterior. seed: of the draws from it. across: covariances of the
    errors of the first (rows) with those of the second; None if independent. Raises ValueError for fewer than LEAST items.
    """
    things = len(first.value)
    if things < LEAST:
        raise ValueError(f"{things} items cannot be ranked; at least {LEAST} are needed")

    seen = float(scipy.stats.kendalltau(first.value, second.value).statistic)
    turn = zero_sum(things)
    shared = np.zeros((things - 1, things - 1)) if across is None else turn.T @ across @ turn
    true_first, true_second = _draws(first.turned, second.turned, shared, np.random.default_rng(seed))
    above, below = np.triu_indices(things, 1)
    signs = [np.sign(values[:, above] - values[:, below]) for values in (true_first @ turn.T, true_second @ turn.T)]
    low, tau, high = np.quantile((signs[0] * signs[1]).mean(axis=1), [(1 - level) / 2, 0.5, (1 + level) / 2])
    return Agreement(seen, float(tau), float(low), float(high), things)


def _draws(first: Known, second: Known, across: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """True values from their posterior over a grid of spreads and correlations, a row per draw."""
    size = len(first.value)
    y, error = np.concatenate([first.value, second.value]), np.zeros((2 * size, 2 * size))
    error[:size, :size], error[size:, size:] = first.covariance, second.covariance
    error[:size, size:], error[size:, :size] = across, across.T
    r = np.sin(np.pi / 2 * np.linspace(-1, 1, TAUS)).round(12)
    spreads = [np.arange(1, SPREADS + 1) / SPREADS * REACH * float(np.sqrt(np.mean(one.value**2))) for one in (first, second)]
    grid = np.array([(spread, other, rho) for spread in spreads[0] for other in spreads[1] for rho in r])
    likely = []
    for spread, other in product(*spreads):
        covariance = error + _prior(spread, other, r, size)
        rest = np.linalg.solve(covariance, np.broadcast_to(y[:, None], (TAUS, len(y), 1)))[..., 0]
        half = np.linalg.cholesky(covariance)
        likely.append(-0.5 * (rest @ y) - np.log(np.diagonal(half, axis1=1, axis2=2)).sum(axis=1))
    weight = np.exp(np.concatenate(likely) - np.max(likely))
    weight /= weight.sum()
    picked = np.sort(rng.choice(len(grid), DRAWS, p=weight))
    noise = rng.standard_normal((DRAWS, 2 * size)) @ np.linalg.cholesky(error).T
    free = rng.standard_normal((2, DRAWS, size))
    values = np.empty((DRAWS, 2 * size))
    for point in np.unique(picked):
        here = picked == point
        spread, other, r = grid[point]
        # a draw from the prior with errors, pulled to the data (Matheron's rule): exact also where the correlation is 1
        drawn = np.hstack([spread * free[0, here], other * (r * free[0, here] + np.sqrt(1 - r * r) * free[1, here])])
        (prior,) = _prior(spread, other, np.array([r]), size)
        values[here] = drawn + (y - drawn - noise[here]) @ np.linalg.solve(prior + error, prior)
    return values[:, :size], values[:, size:]


def _prior(spread: float, other: float, r: Floats, size: int) -> Floats:
    """Covariances of the true values, first and second ranking concatenated, for each correlation."""
    here, there = np.arange(size), np.arange(size, 2 * size)
    prior = np.zeros((len(r), 2 * size, 2 * size))
    prior[:, here, here], prior[:, there, there] = spread**2, other**2
    prior[:, here, there] = prior[:, there, here] = (spread * other * r)[:, None]
    return prior


def zero_sum(size: int) -> Floats:
    """Orthonormal directions of `size` numbers that sum to 0, (size, size - 1): Helmert's."""
    turn = np.zeros((size, max(0, size - 1)))
    for column in range(size - 1):
        turn[: column + 1, column], turn[column + 1, column] = 1.0, -(column + 1.0)
        turn[:, column] /= np.sqrt((column + 1.0) * (column + 2.0))
    return turn
