"""Where to spend the next games so that the best of many is named rightly: optimal computing budget allocation.

Equal numbers of games for all spend most of them on those that are out of the question. Chen, Lin, Yucesan and Chick (2000,
Discrete Event Dynamic Systems 10:251-270) give each as many as its variance over its squared distance from the best asks for,
and the best as many as it takes to be compared with all of them. It is deterministic, as top-two sampling (Russo 2020,
Operations Research 68:1625-1647) is not, and asks for no prior.

All arrays may have any number of axes; the last one holds the entrants.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_ndtr

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

LEAST_GAP = 0.001  # of a win share: who differs by less is not told apart at any price
BORROWED = 8.0  # observations that the mean variance of all is worth beside one's own
EVEN = 0.2  # of all observations
NODES = 64  # of the quadrature of a chance


def optimal_shares(means: ArrayLike, deviations: ArrayLike) -> Floats:
    """Part of all observations that each should have, of the shape of means, summing to 1: to name the one of the highest mean.

    deviations: standard deviation of one observation, above 0.
    """
    mean, spread = np.asarray(means, np.float64), np.asarray(deviations, np.float64)
    best = mean.argmax(axis=-1, keepdims=True)
    gap = np.maximum(np.take_along_axis(mean, best, -1) - mean, LEAST_GAP)
    part = (spread / gap) ** 2
    np.put_along_axis(part, best, 0.0, -1)
    against = np.sqrt(((part / spread) ** 2).sum(axis=-1, keepdims=True))
    np.put_along_axis(part, best, np.take_along_axis(spread, best, -1) * against, -1)
    return np.asarray(part / part.sum(axis=-1, keepdims=True))


def spread_shares(means: ArrayLike, deviations: ArrayLike, both_ends: bool = False) -> Floats:
    """Part of all observations that each should have: mostly as `optimal_shares`, a fifth evenly; of the shape of means.

    both_ends: to name the lowest mean as well, with half of what is not spread evenly. The even part corrects early bad luck:
    without it the best, once taken for one of the others, is hardly ever looked at again.
    """
    mean = np.asarray(means, np.float64)
    aimed = optimal_shares(mean, deviations)
    if both_ends:
        aimed = (aimed + optimal_shares(-mean, deviations)) / 2
    return np.asarray((1 - EVEN) * aimed + EVEN / mean.shape[-1])


def next_counts(shares: ArrayLike, counts: ArrayLike, step: int) -> Counts:
    """How many of the next `step` observations each should have, given those that it has: none is taken away.

    shares: as `optimal_shares`; counts: observations so far. What is rounded goes to the largest remainders, of equal ones to the
    lowest number. Raises ValueError unless step is at least 1.
    """
    if step < 1:
        raise ValueError(f"step={step} must be at least 1")
    part, had = np.asarray(shares, np.float64), np.asarray(counts, np.int64)
    lacking = np.maximum(part * (had.sum(axis=-1, keepdims=True) + step) - had, 0.0)
    wanted = step * lacking / lacking.sum(axis=-1, keepdims=True)
    whole = np.floor(wanted).astype(np.int64)
    order = np.argsort(whole - wanted, axis=-1, kind="stable")
    place = np.argsort(order, axis=-1, kind="stable")
    return np.asarray(whole + (place < step - whole.sum(axis=-1, keepdims=True)))


def borrowed_deviations(counts: ArrayLike, total: ArrayLike, squares: ArrayLike) -> Floats:
    """Standard deviations of an observation, each drawn a little towards that of all, so that few that agree do not look sure.

    counts, total, squares: number of observations (at least 2), their sum, the sum of their squares.
    """
    n, sums = np.asarray(counts, np.float64), np.asarray(total, np.float64)
    within = np.maximum(np.asarray(squares, np.float64) - sums**2 / n, 0.0)
    common = within.sum(axis=-1, keepdims=True) / (n - 1).sum(axis=-1, keepdims=True)
    floor = 1e-12  # where nothing varies at all
    return np.asarray(np.sqrt((within + BORROWED * common + floor) / (n - 1 + BORROWED)))


def chances_best(means: ArrayLike, errors: ArrayLike) -> Floats:
    """Chance of each of being the best: of having the highest of independent normal means with these standard errors.

    means, errors: of one shape, errors above 0. Read with flat priors these are the posterior chances. Gauss-Hermite quadrature.
    """
    mean, error = np.asarray(means, np.float64), np.asarray(errors, np.float64)
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    found = np.empty(mean.shape)
    for one in range(mean.shape[-1]):
        at = mean[..., one, None] + error[..., one, None] * nodes
        log_below = log_ndtr((at[..., None, :] - mean[..., :, None]) / error[..., :, None])
        log_below[..., one, :] = 0.0
        found[..., one] = (np.exp(log_below.sum(axis=-2)) * weights).sum(axis=-1)
    return np.asarray(found / found.sum(axis=-1, keepdims=True))
