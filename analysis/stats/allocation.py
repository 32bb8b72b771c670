"""How games are divided among questions.

Where to spend the next games so that the best of many is named rightly: optimal computing budget allocation.

Equal numbers of games for all spend most of them on those that are out of the question. Chen, Lin, Yucesan and Chick (2000,
Discrete Event Dynamic Systems 10:251-270) give each as many as its variance over its squared distance from the best asks for,
and the best as many as it takes to be compared with all of them. It is deterministic, as top-two sampling (Russo 2020,
Operations Research 68:1625-1647) is not, and asks for no prior.

All arrays may have any number of axes; the last one holds the entrants.

How many games each of many steps gets: a small first round for all, then as many as its interval needs.

The first round gives a first half-width w of each interval. For a half-width h the final round needs (w / h)^2 times as many
games, and a little more, for w is an estimate (two-stage fixed-width intervals: Stein 1945, Annals of Mathematical Statistics
16:243-258). Contenders for the top get twice as many. Estimates and intervals come from the final round alone: its length is
settled before its first game, by other games, so that they are those of a sample of fixed size. Where an interval is still too
wide, games are added by its width alone, never by where it lies: that leaves its coverage as it is but for terms that vanish
with the number of games (Chow and Robbins 1965, Annals of Mathematical Statistics 36:457-462); tests show how it comes out.
"""

from __future__ import annotations

from dataclasses import dataclass

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


MARGIN = 1.15  # more games than the first round asks for
TOP = 20  # contenders at most
UNDECIDED = 10  # places at the top that are to be told apart
TWICE = 2.0  # games of a contender
SQUARED = 3.85  # z^2 at 95 %
HALVINGS = 60


def contenders(change: Floats, half: Floats) -> NDArray[np.bool_]:
    """Steps that may be among the UNDECIDED largest changes, by the first round; the TOP largest of them at most."""
    size = np.abs(change)
    least = np.sort((size - half).clip(min=0))[::-1]
    bar = float(least[min(UNDECIDED, least.size) - 1]) if least.size else 0.0
    may = (size + half > bar) & (size > 0)
    order = np.argsort(-size, kind="stable")
    return may & np.isin(np.arange(size.size), order[:TOP])


@dataclass(frozen=True)
class Plan:
    """What a first round of `pilot` base games says of each step, and how games are counted.

    half: half-widths of the first round; weight: times as many games for some; density: share of the base games that a step must
    play; sits: share of them in which the one judged by it sits; batch: base games.
    """

    pilot: int
    half: Floats
    weight: Floats
    density: Floats
    sits: Floats
    batch: int


def spans(plan: Plan, target: float) -> Counts:
    """Base games of the final round of each step for a half-width `target`, in whole batches, one at least.

    Where hardly a game differs the half-width goes with z^2 / n, not with its root.
    """
    wanted = plan.pilot * (plan.half / target) ** 2 * MARGIN * plan.weight
    wanted = np.maximum(wanted, SQUARED / target / plan.sits) if np.isfinite(target) else wanted
    batch = plan.batch
    return (np.maximum(1, np.ceil(wanted / batch - 1e-9)) * batch).astype(np.int64)


def cost(span: Counts, density: Floats) -> float:
    """Games in all: the base games once, and of each step the share `density` of its base games that must be played."""
    return float(span.max(initial=0) + (span * density).sum())


def affordable(plan: Plan, games: float) -> float:
    """The least half-width for which the games suffice; infinite where they do not even for one batch each."""
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
    """Base games to add where an interval is wider than the target, in whole batches; by its width alone."""
    wanted = span * ((half / target) ** 2 * MARGIN - 1)
    return np.where(half > target, np.ceil(wanted / batch - 1e-9).clip(min=1) * batch, 0).astype(np.int64)
