"""How far two orders of the same things agree, where what they are ordered by is known only up to errors.

Errors alone turn things round, so that Kendall's tau of two estimates lies nearer nought than that of what they estimate. Here
the true values of a thing in both orders are taken as drawn from one normal distribution of both, of unknown spreads and
correlation, and the errors as normal; what tau then is, of these things and not of others, the posterior says. Priors: flat in
the spreads (Gelman 2006, Bayesian Analysis 1:515-533) and in the tau that belongs to the correlation, which is 2/pi of its
arcsine (Kruskal 1958, JASA 53:814-861), both on a grid.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from analysis.estimates import LEVEL

Floats = NDArray[np.float64]

LEAST = 3  # things: fewer have no order to speak of
SPREADS = 9  # tried for each of the two, up to REACH of what the estimates spread
REACH = 1.5
TAUS = 41  # tried from -1 to 1
DRAWS = 2_000
JITTER = 1e-12  # of the largest variance: so much is added where errors sum to nought


@dataclass(frozen=True)
class Known:
    """Estimates of things that sum to nought, and the covariance of their errors."""

    value: Floats
    covariance: Floats

    @classmethod
    def of(cls, value: Floats, covariance: Floats) -> Known:
        """The same against the mean of the things."""
        middle = np.eye(len(value)) - 1 / len(value)
        return cls(middle @ value, middle @ covariance @ middle)

    @property
    def turned(self) -> Known:
        """In orthonormal directions that sum to nought: one fewer, and no longer singular."""
        turn = zero_sum(len(self.value))
        covariance = turn.T @ self.covariance @ turn
        return Known(turn.T @ self.value, covariance + np.eye(len(covariance)) * JITTER * float(np.trace(covariance)))


@dataclass(frozen=True)
class Agreement:
    """Kendall's tau of two orders of so many things: seen, of the estimates; tau, low, high without what errors take from it."""

    seen: float
    tau: float
    low: float
    high: float
    things: int


def agreement(first: Known, second: Known, seed: int, level: float = LEVEL, across: Floats | None = None) -> Agreement:
    """How far two orders agree.

    tau, low, high: median and equal-tailed interval of the posterior. seed: of the draws from it. across: covariances of the
    errors of the first (rows) with those of the second; None: they are independent. Raises ValueError for fewer than LEAST
    things.
    """
    things = len(first.value)
    if things < LEAST:
        raise ValueError(f"{things} things have no order to compare; at least {LEAST} are needed")
    seen = float(stats.kendalltau(first.value, second.value).statistic)
    turn = zero_sum(things)
    shared = np.zeros((things - 1, things - 1)) if across is None else turn.T @ across @ turn
    one, other = _draws(first.turned, second.turned, shared, np.random.default_rng(seed))
    low, tau, high = np.quantile(_tau(one @ turn.T, other @ turn.T), [(1 - level) / 2, 0.5, (1 + level) / 2])
    return Agreement(seen, float(tau), float(low), float(high), things)


def _tau(first: Floats, second: Floats) -> Floats:
    """Kendall's tau of each row."""
    above, below = np.triu_indices(first.shape[1], 1)
    alike = np.sign(first[:, above] - first[:, below]) * np.sign(second[:, above] - second[:, below])
    return np.asarray(alike.mean(axis=1), np.float64)


def _draws(first: Known, second: Known, across: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """True values from their posterior, a row per draw."""
    size = len(first.value)
    y, error = np.concatenate([first.value, second.value]), np.zeros((2 * size, 2 * size))
    error[:size, :size], error[size:, size:] = first.covariance, second.covariance
    error[:size, size:], error[size:, :size] = across, across.T
    grid, weight = _posterior(y, error, (_spreads(first), _spreads(second)))
    picked = np.sort(rng.choice(len(grid), DRAWS, p=weight))
    noise = rng.standard_normal((DRAWS, 2 * size)) @ np.linalg.cholesky(error).T
    free = rng.standard_normal((2, DRAWS, size))
    found = np.empty((DRAWS, 2 * size))
    for at in np.unique(picked):
        own = picked == at
        spread, other, r = grid[at]
        # a draw from the prior with errors, pulled to what was seen (Matheron's rule): exact where the correlation is 1 too
        drawn = np.hstack([spread * free[0, own], other * (r * free[0, own] + np.sqrt(1 - r * r) * free[1, own])])
        (prior,) = _prior(spread, other, np.array([r]), size)
        found[own] = drawn + (y - drawn - noise[own]) @ np.linalg.solve(prior + error, prior)
    return found[:, :size], found[:, size:]


def _spreads(known: Known) -> Floats:
    """Spreads to try of the true values."""
    return np.arange(1, SPREADS + 1) / SPREADS * REACH * float(np.sqrt(np.mean(known.value**2)))


def _posterior(y: Floats, error: Floats, spreads: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Spread, spread and correlation of the points of the grid, and how likely each is."""
    r = np.sin(np.pi / 2 * np.linspace(-1, 1, TAUS)).round(12)
    pairs = [(one, other) for one in spreads[0] for other in spreads[1]]
    grid = np.array([(one, other, of) for one, other in pairs for of in r])
    likely = np.concatenate([_likely(y, error + _prior(one, other, r, len(y) // 2)) for one, other in pairs])
    weight = np.exp(likely - likely.max())
    return grid, weight / weight.sum()


def _likely(y: Floats, covariance: Floats) -> Floats:
    """Log likelihood of normal values round nought, but for a constant, for each of a stack of covariances."""
    half = np.linalg.cholesky(covariance)
    rest = np.linalg.solve(covariance, np.broadcast_to(y[:, None], (len(covariance), len(y), 1)))[..., 0]
    return np.asarray(-0.5 * (rest @ y) - np.log(np.diagonal(half, axis1=1, axis2=2)).sum(axis=1), np.float64)


def _prior(spread: float, other: float, r: Floats, size: int) -> Floats:
    """Covariances of the true values, both orders one behind the other, for each correlation."""
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
