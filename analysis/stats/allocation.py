"""Allocation of games to entrants and to steps.

Finding the best of many entrants: optimal computing budget allocation (Chen, Lin, Yucesan and Chick 2000, Discrete Event
Dynamic Systems 10:251-270). Equal numbers of games would spend most of them on entrants that are clearly not the best. Here
each entrant gets games in proportion to its variance over its squared distance from the best, and the best gets enough to be
compared with all others. Unlike top-two sampling (Russo 2020, Operations Research 68:1625-1647) the method is deterministic
and needs no prior. Arrays can have any number of axes; the last one holds the entrants.

Measuring many steps: a small first round for all, then a final round as long as each interval needs. If the first round gives
a half-width w, a half-width h takes (w / h)^2 times as many games, and a few more because w is an estimate (two-stage
fixed-width intervals: Stein 1945, Annals of Mathematical Statistics 16:243-258). Contenders for the top get twice as many.
Estimates and intervals come from the final round alone. Other games have fixed its length before it starts, so that it is a
sample of fixed size. Where an interval is still too wide, games are added by its width alone, never by its position. This
changes the coverage only by terms that vanish with the number of games (Chow and Robbins 1965, Annals of Mathematical
Statistics 36:457-462); the tests measure it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_ndtr

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

LEAST_GAP = 0.001  # of a win share; smaller differences are not worth resolving
BORROWED = 8.0  # observations that the pooled variance counts as
EVEN = 0.2  # share of the observations that is spread evenly
NODES = 64  # of the Gauss-Hermite quadrature


def optimal_shares(means: ArrayLike, deviations: ArrayLike) -> Floats:
    """Share of the observations for each entrant to find the highest mean; of the shape of `means`, sums to 1.

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
    """Share of the observations for each entrant: a fifth evenly, the rest as `optimal_shares`; of the shape of `means`.

    both_ends: half of the rest is for finding the lowest mean. The even part corrects early bad luck: without it the best
    entrant, once mistaken for another, gets hardly any more observations.
    """
    mean = np.asarray(means, np.float64)
    aimed = optimal_shares(mean, deviations)
    if both_ends:
        aimed = (aimed + optimal_shares(-mean, deviations)) / 2
    return np.asarray((1 - EVEN) * aimed + EVEN / mean.shape[-1])


def next_counts(shares: ArrayLike, counts: ArrayLike, step: int) -> Counts:
    """Divide the next `step` observations, given those made so far.

    shares: as `optimal_shares`; counts: observations so far. Rounding favours the largest remainders, among equal ones the
    lowest index. Raises ValueError unless step is at least 1.
    """
    if step < 1:
        raise ValueError(f"step={step} must be at least 1")
    part, had = np.asarray(shares, np.float64), np.asarray(counts, np.int64)
    lacking = np.maximum(part * (had.sum(axis=-1, keepdims=True) + step) - had, 0.0)
    wanted = step * lacking / lacking.sum(axis=-1, keepdims=True)
    whole = np.floor(wanted).astype(np.int64)
    order = np.argsort(whole - wanted, axis=-1, kind="stable")
    rank = np.argsort(order, axis=-1, kind="stable")
    return np.asarray(whole + (rank < step - whole.sum(axis=-1, keepdims=True)))


def borrowed_deviations(counts: ArrayLike, total: ArrayLike, squares: ArrayLike) -> Floats:
    """Standard deviations of an observation, shrunk towards the pooled one, so that a few equal observations do not look certain.

    counts, total, squares: number of observations (at least 2), their sum, the sum of their squares.
    """
    n, sums = np.asarray(counts, np.float64), np.asarray(total, np.float64)
    within = np.maximum(np.asarray(squares, np.float64) - sums**2 / n, 0.0)
    common = within.sum(axis=-1, keepdims=True) / (n - 1).sum(axis=-1, keepdims=True)
    floor = 1e-12  # where nothing varies at all
    return np.asarray(np.sqrt((within + BORROWED * common + floor) / (n - 1 + BORROWED)))


def chances_best(means: ArrayLike, errors: ArrayLike) -> Floats:
    """Probability of each entrant to have the highest of independent normal means with these standard errors.

    means, errors: of the same shape, errors above 0. With flat priors, these are posterior probabilities. Gauss-Hermite
    quadrature.
    """
    mean, error = np.asarray(means, np.float64), np.asarray(errors, np.float64)
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    chances = np.empty(mean.shape)
    for index in range(mean.shape[-1]):
        point = mean[..., index, None] + error[..., index, None] * nodes
        log_below = log_ndtr((point[..., None, :] - mean[..., :, None]) / error[..., :, None])
        log_below[..., index, :] = 0.0
        chances[..., index] = (np.exp(log_below.sum(axis=-2)) * weights).sum(axis=-1)
    return np.asarray(chances / chances.sum(axis=-1, keepdims=True))


MARGIN = 1.15  # factor on the games that the first round asks for
TOP = 20  # contenders at most
UNDECIDED = 10  # places at the top that should be resolved
TWICE = 2.0  # factor on the games of a contender
SQUARED = 3.85  # z^2 at 95 %
HALVINGS = 60


def contenders(change: Floats, half: Floats) -> NDArray[np.bool_]:
    """Steps that can be among the UNDECIDED largest changes, judging by the first round; at most the TOP largest of them."""
    size = np.abs(change)
    least = np.sort((size - half).clip(min=0))[::-1]
    bar = float(least[min(UNDECIDED, least.size) - 1]) if least.size else 0.0
    possible = (size + half > bar) & (size > 0)
    order = np.argsort(-size, kind="stable")
    return possible & np.isin(np.arange(size.size), order[:TOP])


@dataclass(frozen=True)
class Plan:
    """Results of a first round of `pilot` base games for each step, and how its games are counted.

    half: half-widths of the first round; weight: factor on the games of a step; density: share of the base games that a step
    has to play; sits: share of the base games in which the entrant concerned sits; batch: base games added at a time.
    """

    pilot: int
    half: Floats
    weight: Floats
    density: Floats
    sits: Floats
    batch: int


def spans(plan: Plan, target: float) -> Counts:
    """Base games of the final round of each step for a half-width `target`, in whole batches, at least one.

    Where hardly any game differs, the half-width is proportional to z^2 / n, not to its root.
    """
    wanted = plan.pilot * (plan.half / target) ** 2 * MARGIN * plan.weight
    wanted = np.maximum(wanted, SQUARED / target / plan.sits) if np.isfinite(target) else wanted
    batch = plan.batch
    return (np.maximum(1, np.ceil(wanted / batch - 1e-9)) * batch).astype(np.int64)


def cost(span: Counts, density: Floats) -> float:
    """Total games: the base games once, and the share `density` of the base games of each step."""
    return float(span.max(initial=0) + (span * density).sum())


def affordable(plan: Plan, games: float) -> float:
    """Smallest half-width that the games suffice for; infinite if they do not suffice for one batch each."""
    if cost(spans(plan, np.inf), plan.density) > games:
        return float("inf")
    low, high = 1e-6, 1.0
    while cost(spans(plan, high), plan.density) > games:
        high *= 2
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        enough = cost(spans(plan, middle), plan.density) <= games
        low, high = (low, middle) if enough else (middle, high)
    return high


def more(half: Floats, span: Counts, target: float, batch: int) -> Counts:
    """Base games to add where an interval is wider than the target, in whole batches; depends on the width alone."""
    wanted = span * ((half / target) ** 2 * MARGIN - 1)
    return np.where(half > target, np.ceil(wanted / batch - 1e-9).clip(min=1) * batch, 0).astype(np.int64)
