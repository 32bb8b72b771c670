"""Tests and confidence sequences for the mean of bounded observations, by betting. They hold at every number of observations.

A gambler bets on each observation x in 0..1 that the mean is not m: the wealth is multiplied by 1 + bet (x - m), where the bet
depends on earlier observations only. If the mean is m, the wealth is a martingale that starts at 1, so it ever exceeds 1 / alpha
with probability at most alpha (Ville 1939). This needs no variance and no normal approximation: it is exact for few observations
and for those that hardly ever vary (Waudby-Smith and Ramdas 2024, Estimating means of bounded random variables by betting,
Journal of the Royal Statistical Society B 86:1-27).

`decisions` decides which of two entrants is stronger, with few games. An observation is a pair of games with the same dice, one
from each seat: the mean share of the first entrant less a half, -0.5..0.5. Four gamblers bet margin / variance, with the variance
estimated from earlier pairs, which makes the logarithm of their wealth the log likelihood ratio of Wald's sequential test
(1945, Annals of Mathematical Statistics 16:117-186) of zero against the margin, up to terms that vanish for small margins:

- FIRST or SECOND is stronger: a gambler has shown that the gap is not on the other side. Wrong with probability at most
  alpha / 2 each.
- ALIKE, within the margin of each other: two gamblers have shown that neither is ahead by the margin. Wrong with probability at
  most alpha if the gap is the margin or more.

For gaps between zero and the margin both answers are right.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp, ndtri, xlog1py, xlogy

from analysis.stats.intervals import LEVEL
from analysis.stats.sequential import mixing

Floats = NDArray[np.float64]

FIRST, SECOND, ALIKE, OPEN = "first", "second", "alike", "not decided"

USUAL_VARIANCE = 0.125  # of the share of a pair of two even, independent games
ASSUMED = 10  # pairs with the usual variance that are added to the observed ones when a bet is chosen
BET_MAX = 1.0  # half of the largest bet that can never lose everything

BETS = 4096  # of a confidence sequence
HALVINGS = 50  # of an interval of width 1

RUNS, STEPS, STEP = 2000, 600, 0.1  # of the simulation; the step in units of (deviation / margin)^2 pairs


def mean_bounds(values: ArrayLike, counts: ArrayLike, tuned: float, level: float = LEVEL) -> tuple[float, float]:
    """Bounds of the mean of independent observations in 0..1, valid at any stopping time; 0 and 1 without observations.

    values: the values that occur, in 0..1; counts: how often each does. tuned: number of observations at which the bounds are
    narrowest if their variance is the usual one, chosen before the first. The wealth is a mixture over fixed bets: half of it
    with the prior of Jeffreys over all bets (Cover and Ordentlich 1996, IEEE Transactions on Information Theory 42:348-363;
    Orabona and Jun 2024, ibid. 70:436-455), which is close to the best bet for any mean and variance, half with a prior for
    means near the tested one, which is better at `tuned`.
    """
    x, n = np.asarray(values, np.float64), np.asarray(counts, np.float64)
    if x.shape != n.shape or x.ndim != 1 or (x.size and not 0 <= x.min() <= x.max() <= 1):
        raise ValueError(f"values {x.tolist()} must be in 0..1, with one count each, not {n.shape}")
    if not n.sum():
        return 0.0, 1.0
    limit = -log(1 - level)

    def is_rejected(mean: float) -> bool:
        return mean_log_wealth(x, n, mean, tuned, level) >= limit

    centre = float(x @ n / n.sum())
    return _bound(centre, 0.0, is_rejected), _bound(centre, 1.0, is_rejected)


def mean_log_wealth(values: Floats, counts: Floats, mean: float, tuned: float, level: float = LEVEL) -> float:
    """Logarithm of the wealth behind `mean_bounds` that is won by betting against a mean, which is between 0 and 1."""
    target = np.sin((np.arange(BETS) + 0.5) * np.pi / 2 / BETS) ** 2  # the mean of observations 0 and 1 for which a bet is best
    gains = np.outer(values, target / mean) + np.outer(1 - values, (1 - target) / (1 - mean))
    wealth = counts @ np.log(gains)
    weight = tuned / mixing(level) * USUAL_VARIANCE / 0.25
    near = xlogy(weight * mean - 0.5, target) + xlog1py(weight * (1 - mean) - 0.5, -target)
    by_jeffreys = logsumexp(wealth) - log(BETS)
    by_near = logsumexp(wealth + near) - logsumexp(near)
    return float(np.logaddexp(by_jeffreys, by_near) - log(2))


def _bound(centre: float, end: float, is_rejected: Callable[[float], bool]) -> float:
    """The value between the mean and an end of 0..1 that is the farthest not rejected, by bisection."""
    if centre == end:
        return end
    inside, outside = centre, end
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if is_rejected(middle) else (middle, outside)
    return outside


def thresholds(alpha: float = 0.05) -> tuple[float, float]:
    """Logarithms of the wealth that show that one is not ahead by the margin, and that one is stronger.

    alpha: probability of a wrong decision, above 0 and below 0.5, else ValueError. The errors of calling either of two equal
    entrants stronger share it.
    """
    if not 0 < alpha < 0.5:
        raise ValueError(f"alpha={alpha} must be above 0 and below 0.5; it is the risk of a wrong decision, such as 0.05")
    return -log(alpha), log(2 / alpha)


def checked_margin(points: float) -> float:
    """Margin as a share from percentage points. Raises ValueError unless above 0 and below 50."""
    if not 0 < points < 50:
        raise ValueError(f"margin={points:g} must be above 0 and below 50; it is a gap from 50 % in percentage points, such as 1")
    return points / 100


def log_wealth(values: ArrayLike, counts: ArrayLike, margin: float) -> Floats:
    """Logarithms of the wealth of the four gamblers at each look, (4, runs, looks).

    values: the gaps of pairs that occur, -0.5..0.5; counts: (runs, looks, values) pairs with each gap since the last look.
    In this order, against: the first is not stronger; the second is not stronger; the first is ahead by the margin; the second
    is.
    """
    gap, n = np.asarray(values, np.float64), np.asarray(counts, np.float64)
    so_far = n.cumsum(axis=1)
    variance = (so_far @ gap**2 + ASSUMED * USUAL_VARIANCE) / (so_far.sum(axis=2) + ASSUMED)
    earlier = np.concatenate([np.full_like(variance[:, :1], USUAL_VARIANCE), variance[:, :-1]], axis=1)
    bet = np.minimum(margin / earlier, BET_MAX)[:, :, None]
    gains = np.stack([bet * gap, -bet * gap, -bet * (gap - margin), bet * (gap + margin)])
    return np.asarray((n * np.log1p(gains)).sum(axis=3).cumsum(axis=2))


def decisions(values: ArrayLike, counts: ArrayLike, margin: float, alpha: float = 0.05) -> pd.DataFrame:
    """Decide runs that are checked repeatedly: columns decision and look (index of the look; the last one if OPEN).

    values, counts: as in `log_wealth`.
    """
    return _decided(log_wealth(values, counts, margin), alpha)


def characteristics(gap: ArrayLike, margin: float, deviation: float, alpha: float = 0.05) -> pd.DataFrame:
    """Length and decisions of the tests at a gap: columns gap, pairs (mean), first, second, alike (probabilities).

    gap: shares minus a half, one-dimensional; deviation: standard deviation of the share of a pair, above 0. Based on RUNS
    simulated Brownian motions with a fixed seed; only gap / margin and pairs (margin / deviation)^2 matter.
    """
    gaps = np.atleast_1d(np.asarray(gap, np.float64))
    if not deviation > 0 or not margin > 0:
        raise ValueError(f"margin={margin} and deviation={deviation} must be above 0")
    time = STEP * np.arange(1, STEPS + 1)
    noise = np.sqrt(STEP) * np.random.default_rng(0).standard_normal((RUNS, STEPS)).cumsum(axis=1)
    lines = []
    for ratio in (gaps / margin).tolist():
        up = noise + (ratio - 0.5) * time
        down = -time - up
        decided = _decided(np.stack([up, down, -up, -down]), alpha)
        share = {name: float((decided["decision"] == name).mean()) for name in (FIRST, SECOND, ALIKE)}
        lines.append({"gap": ratio * margin, "pairs": time[decided["look"]].mean() * (deviation / margin) ** 2, **share})
    return pd.DataFrame(lines)


def fixed_pairs(margin: float, deviation: float, alpha: float = 0.05) -> float:
    """Pairs in a test of fixed size that distinguishes a gap of `margin` from zero equally reliably."""
    quantiles = -ndtri(alpha / 2) - ndtri(alpha)
    return float((deviation / margin * quantiles) ** 2)


def _decided(wealth: Floats, alpha: float) -> pd.DataFrame:
    """The table of `decisions` from the logarithms of the wealth, (4, runs, looks)."""
    not_ahead, stronger = thresholds(alpha)
    looks = wealth.shape[2]
    needed = np.array([stronger, stronger, not_ahead, not_ahead])[:, None, None]
    reached = wealth >= needed
    look = np.where(reached.any(axis=2), reached.argmax(axis=2), looks)  # the first at which the wealth suffices
    first, second, alike = look[0], look[1], np.maximum(look[2], look[3])
    when = np.minimum(np.minimum(first, second), alike)
    decision = np.select([when == looks, first == when, second == when], [OPEN, FIRST, SECOND], ALIKE)
    return pd.DataFrame({"decision": decision, "look": np.minimum(when, looks - 1)})
