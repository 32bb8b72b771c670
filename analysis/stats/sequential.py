"""Confidence sequences and sequential tests, valid however often the results are looked at.

A confidence sequence holds at all numbers of games at once, so that a run can stop at any time. An interval for a fixed number
of games, checked repeatedly until it gives the wanted answer, is wrong far more often than its level promises. A confidence
sequence is about 1.5 times as wide.

Win shares 0..1 of single games: the beta-binomial mixture (Robbins 1970, Annals of Mathematical Statistics 41:1397-1409; Howard,
Ramdas, McAuliffe and Sekhon 2021, Annals of Statistics 49:1055-1080). For each tested probability p, the likelihood ratio of
other probabilities against p, averaged over a beta distribution around p, is a martingale and ever exceeds 1 / alpha with
probability at most alpha (Ville 1939). For shared wins it is a supermartingale because the ratio is convex in the share. The
same holds over whole passes of a design, where probabilities differ between games and p is their mean.

Shares of correlated games (pairs, rounds): the asymptotic confidence sequence (Waudby-Smith, Arbour, Sinha, Kennedy and
Ramdas 2024, Annals of Statistics 52:2613-2640), with groups as observations and the variance between them.

Which of two entrants is stronger, with few games: the sequential probability ratio test with three decisions. An observation is
a pair of games with the same dice, one from each seat: the mean share of the first entrant, in 0..1. The gap is its mean minus
a half. Two tests run side by side, each with Wald's bounds (Wald 1945, Annals of Mathematical Statistics 16:117-186), following
Sobel and Wald (1949, ibid. 20:502-522) and Armitage (1950, Journal of the Royal Statistical Society B 12:137-144): a gap of zero
against one of `margin`, and against one of -`margin`. The variance is unknown, so the likelihood ratio is the generalised one,
with the estimated variance (Li, Liu and Ying 2014, Sequential Analysis 33:539-563).

- FIRST or SECOND is stronger: a test has chosen its margin over zero. Wrong with probability at most alpha / 2 each if the gap
  is zero or on the other side.
- ALIKE, within the margin of each other: both tests have chosen zero. Wrong with probability at most alpha if the gap is the
  margin or more.

For gaps between zero and the margin both answers are right.
"""

from __future__ import annotations

from math import ceil, exp, isfinite, log, log1p

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaln, ndtri, xlog1py, xlogy

from analysis.stats import intervals
from analysis.stats.intervals import LEVEL

Floats = NDArray[np.float64]

HALVINGS = 50  # of an interval of width 1
LEAST_CLUSTERS = 30  # with fewer the mean of groups cannot be assumed normal: bounds 0 and 1
LARGEST_VARIANCE = 0.25  # of a share in 0..1


def share_sequence(wins: ArrayLike, games: ArrayLike, tuned: float, level: float = LEVEL) -> pd.DataFrame:
    """Bounds of win shares at these numbers of games: columns estimate, low, high, n; NaN and bounds 0 and 1 without games.

    wins, games: one-dimensional, of the same length, sums over independent games of shares 0..1; not integers if correlated games
    count in part. tuned: number of games at which the bounds are narrowest, chosen before the first game. Raises ValueError for
    wins outside 0..games.
    """
    won, n = _counted(wins, games)
    weight, limit = _weight(tuned, level), -log(1 - level)
    estimate = np.divide(won, n, out=np.full(n.size, np.nan), where=n > 0)
    start = np.nan_to_num(estimate, nan=0.5)
    low = _edge(won, n, (start, np.zeros(n.size)), weight, limit)
    high = _edge(won, n, (start, np.ones(n.size)), weight, limit)
    return pd.DataFrame({"estimate": estimate, "low": low, "high": high, "n": n.astype(np.int64)})


def share_p(wins: ArrayLike, games: ArrayLike, share: ArrayLike, tuned: float, level: float = LEVEL) -> Floats:
    """p-values of win shares against `share`, valid at any stopping time: 1 / the mixture martingale.

    share: in 0..1, one value for all or one each. See `share_sequence`. NaN without games or without a share to test.
    """
    won, n = _counted(wins, games)
    tested, known = _tested(share, n.size)
    p_values = np.exp(-np.maximum(0.0, _log_mixture(tested, won, n, _weight(tuned, level))))
    return np.where(known & (n > 0), p_values, np.nan)


def mean_sequence(sums: pd.DataFrame, tuned: float, level: float = LEVEL) -> pd.DataFrame:
    """Bounds of win shares over groups of games: columns estimate, low, high, n (games), clusters (groups).

    sums: as `intervals.ClusterSums.table`, one row each; groups are independent. tuned: number of groups at which the bounds are
    narrowest. The variance between groups includes a quarter more, as from one additional group (Waudby-Smith and Ramdas 2024,
    Journal of the Royal Statistical Society B 86:1-27), so that it is not zero if groups happen to be equal. A share of exactly
    0 or 1 has the bounds of `share_sequence` with each group as a game; below LEAST_CLUSTERS groups bounds are 0 and 1.
    """
    return sequence_of(intervals.shares(sums, level), tuned, level)


def sequence_of(rates: pd.DataFrame, tuned: float, level: float = LEVEL) -> pd.DataFrame:
    """`mean_sequence` of estimates in 0..1 that are approximately means over groups. rates: estimate, error, n, clusters."""
    groups, estimate = rates["clusters"].to_numpy(np.float64), rates["estimate"].to_numpy(np.float64)
    if not (tuned > 0 and isfinite(tuned)):
        raise ValueError(f"tuned={tuned} must be a number of groups above 0")
    half = deviations(groups, tuned, level) * _errors(rates)
    low, high = np.clip(estimate - half, 0, 1), np.clip(estimate + half, 0, 1)
    edge = np.isin(estimate, (0.0, 1.0))
    if edge.any():
        alike = share_sequence(estimate[edge] * groups[edge], groups[edge], tuned, level)
        low[edge], high[edge] = alike["low"], alike["high"]
    known = groups >= LEAST_CLUSTERS
    bounds = {"low": np.where(known, low, 0.0), "high": np.where(known, high, 1.0)}
    return rates[["estimate"]].assign(**bounds, n=rates["n"], clusters=rates["clusters"])


def deviations(groups: ArrayLike, tuned: float, level: float = LEVEL) -> Floats:
    """Standard errors from a mean over groups to its asymptotic bounds (see `mean_sequence`), of the shape of `groups`.

    groups: numbers of groups, at least 1 each; below LEAST_CLUSTERS the bounds do not hold.
    """
    time = np.maximum(np.asarray(groups, np.float64), 1.0) * _mixing(level) / tuned
    return np.asarray(np.sqrt(2 * (time + 1) / time * (np.log1p(time) / 2 - log(1 - level))))


def mean_p(sums: pd.DataFrame, share: ArrayLike, tuned: float, level: float = LEVEL) -> Floats:
    """p-values of `mean_sequence` against `share`, valid at any stopping time; NaN without a share to test.

    share: one value for all or one each.
    """
    return p_of(intervals.shares(sums, level), share, tuned, level)


def p_of(rates: pd.DataFrame, share: ArrayLike, tuned: float, level: float = LEVEL) -> Floats:
    """`mean_p` for the estimates of `sequence_of`."""
    groups = rates["clusters"].to_numpy(np.float64)
    tested, known = _tested(share, groups.size)
    time = groups * _mixing(level) / tuned
    error = np.where(groups > 0, _errors(rates), 1.0)
    z = (rates["estimate"].to_numpy(np.float64) - tested) / error
    evidence = z**2 * time / (2 * (time + 1)) - np.log1p(time) / 2
    p_values = np.exp(-np.maximum(0.0, np.nan_to_num(evidence)))
    return np.where(known & (groups > 0), np.where(groups >= LEAST_CLUSTERS, p_values, 1.0), np.nan)


def games_needed(half_width: float, share: float = 0.5, level: float = LEVEL) -> int:
    """Independent games after which a confidence sequence tuned for them has this half-width (a share: 0.005 is half a point).

    share: expected win share. Raises ValueError unless half_width lies between 0 and 0.5 and share in 0..1.
    """
    if not 0 < half_width <= 0.5 or not 0 <= share <= 1:
        raise ValueError(f"half_width={half_width} must be above 0 and at most 0.5, share={share} in 0..1")
    variance = max(share * (1 - share), half_width * (1 - half_width))
    return ceil(variance * (deviations_at_best(level) / half_width) ** 2)


def deviations_at_best(level: float = LEVEL) -> float:
    """Standard errors from the estimate to its bounds at their narrowest: 3.04 at 95 %, compared with 1.96 for a fixed n."""
    mixing = _mixing(level)
    return float(np.sqrt(2 * (mixing + 1) / mixing * (log1p(mixing) / 2 - log(1 - level))))


def looks(games: int, unit: int, first: int, growth: float) -> list[int]:
    """Numbers of games after which a run is checked: multiples of `unit`, growing geometrically from `first` up to `games`.

    Only the last look depends on `games`, so a longer run looks where a shorter one did. Raises ValueError unless all are at
    least 1 and growth is above 1.
    """
    if min(games, unit, first) < 1 or not growth > 1:
        raise ValueError(f"games={games}, unit={unit}, first={first} must be at least 1, growth={growth} above 1")
    numbers: list[int] = []
    wanted = float(first)
    while wanted < games:
        look = ceil(wanted / unit) * unit
        if look < games and (not numbers or look > numbers[-1]):
            numbers.append(look)
        wanted *= growth
    return [*numbers, games]


def half_widths(rates: pd.DataFrame) -> Floats:
    """Distance from the estimate to the farther bound, 1 where there is no estimate."""
    estimate, low, high = (rates[name].to_numpy(np.float64) for name in ("estimate", "low", "high"))
    return np.asarray(np.nan_to_num(np.maximum(estimate - low, high - estimate), nan=1.0))


def _counted(wins: ArrayLike, games: ArrayLike) -> tuple[Floats, Floats]:
    """Wins and games as floats. Raises ValueError where they do not fit."""
    won, n = np.asarray(wins, np.float64), np.asarray(games, np.float64)
    if won.ndim != 1 or won.shape != n.shape:
        raise ValueError(f"wins {won.shape} and games {n.shape} must be one-dimensional and of the same length")
    fits = (won >= 0) & (won <= n * (1 + 1e-9))  # sums of shares such as a third are rounded
    if not fits.all():
        index = int(np.argmin(fits))
        raise ValueError(f"wins[{index}]={won[index]} must be in 0..games={n[index]}")
    return np.minimum(won, n), n


def _tested(share: ArrayLike, size: int) -> tuple[Floats, NDArray[np.bool_]]:
    """Shares to test, one each, and whether they lie between 0 and 1; those that do not are replaced by one half."""
    wanted = np.broadcast_to(np.asarray(share, np.float64), (size,))
    known = (wanted > 0) & (wanted < 1)
    return np.where(known, wanted, 0.5), known


def _weight(tuned: float, level: float) -> float:
    """Weight, in games, of the mixture's beta distribution for which the bounds are narrowest at `tuned` games."""
    if not (tuned > 0 and isfinite(tuned)):
        raise ValueError(f"tuned={tuned} must be a number of games above 0")
    return tuned / _mixing(level)


def _mixing(level: float) -> float:
    """Time, in units of the mixture's weight, at which a normal mixture is narrowest (Waudby-Smith et al. 2024, appendix)."""
    if not 0 < level < 1:
        raise ValueError(f"level={level} must lie between 0 and 1")
    twice = -2 * log(1 - level)
    return twice + log1p(twice)


def _log_mixture(p: Floats, won: Floats, n: Floats, weight: float) -> Floats:
    """Log of the likelihood ratio: averaged over probabilities that are beta-distributed around p, against p."""
    p = np.clip(p, exp(-500), 1 - np.finfo(np.float64).eps)
    a, b = weight * p, weight * (1 - p)
    return np.asarray(betaln(a + won, b + n - won) - betaln(a, b) - xlogy(won, p) - xlog1py(n - won, -p))


def _edge(won: Floats, n: Floats, between: tuple[Floats, Floats], weight: float, limit: float) -> Floats:
    """Bound between the estimate and an end of 0..1: the farthest probability not rejected, by bisection."""
    inside, outside = (side.copy() for side in between)
    kept = (n == 0) | (_log_mixture(outside, won, n, weight) < limit)
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        holds = _log_mixture(middle, won, n, weight) < limit
        inside, outside = np.where(holds, middle, inside), np.where(holds, outside, middle)
    return np.where(kept, between[1], outside)


def _errors(rates: pd.DataFrame) -> Floats:
    """Standard errors of rows of `intervals.shares`, with a quarter added to the variance as from one more group."""
    groups = np.maximum(rates["clusters"].to_numpy(np.float64), 1.0)
    between = np.nan_to_num(rates["error"].to_numpy(np.float64)) ** 2 * groups
    return np.asarray(np.sqrt(((groups - 1) * between + LARGEST_VARIANCE) / groups / groups))


FIRST, SECOND, ALIKE, OPEN = "first", "second", "alike", "not decided"

RUNS, STEPS, STEP = 2000, 600, 0.1  # of the simulation; the step in units of (deviation / margin)^2 pairs
PRIOR = 0.25  # squared deviation of one assumed pair: keeps the variance above zero if all pairs are equal


def bounds(alpha: float = 0.05) -> tuple[float, float]:
    """Wald's bounds of the log likelihood ratio: lower (zero is chosen), upper (the margin is chosen).

    alpha: probability of a wrong decision, above 0 and below 0.5, else ValueError. The errors of calling either of two equal
    entrants stronger share it.
    """
    if not 0 < alpha < 0.5:
        raise ValueError(f"alpha={alpha} must be above 0 and below 0.5; it is the risk of a wrong decision, such as 0.05")
    return log(alpha / (1 - alpha / 2)), log((1 - alpha) / (alpha / 2))


def checked_margin(points: float) -> float:
    """Margin as a share from percentage points. Raises ValueError unless above 0 and below 50."""
    if not 0 < points < 50:
        raise ValueError(f"margin={points:g} must be above 0 and below 50; it is a gap from 50 % in percentage points, such as 1")
    return points / 100


def log_ratios(total: ArrayLike, squares: ArrayLike, pairs: ArrayLike, margin: float) -> tuple[Floats, Floats]:
    """Log likelihood ratios of gaps of `margin` and -`margin` against zero, each of the shape of `total`.

    total, squares: sums over pairs of the share minus a half, and of its square; pairs: their number, at least 1.
    """
    s, n = np.asarray(total, np.float64), np.asarray(pairs, np.float64)
    variance = (np.asarray(squares, np.float64) - s * s / n + PRIOR) / n
    return margin * (s - n * margin / 2) / variance, margin * (-s - n * margin / 2) / variance


def decisions(total: ArrayLike, squares: ArrayLike, pairs: ArrayLike, margin: float, alpha: float = 0.05) -> pd.DataFrame:
    """Decide runs that are checked repeatedly: columns decision and look (index of the look; the last one if OPEN).

    total, squares: (runs, looks) sums so far, as in `log_ratios`; pairs: (looks,) or (runs, looks) pairs so far. Each of the two
    tests ends when it first passes a bound.
    """
    return _decided(*log_ratios(total, squares, pairs, margin), alpha)


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
        decided = _decided(up, -time - up, alpha)
        share = {name: float((decided["decision"] == name).mean()) for name in (FIRST, SECOND, ALIKE)}
        lines.append({"gap": ratio * margin, "pairs": time[decided["look"]].mean() * (deviation / margin) ** 2, **share})
    return pd.DataFrame(lines)


def fixed_pairs(margin: float, deviation: float, alpha: float = 0.05) -> float:
    """Pairs in a test of fixed size that distinguishes a gap of `margin` from zero equally reliably."""
    quantiles = -ndtri(alpha / 2) - ndtri(alpha)
    return float((deviation / margin * quantiles) ** 2)


def _decided(up: Floats, down: Floats, alpha: float) -> pd.DataFrame:
    """The table of `decisions` from the log likelihood ratios of the two tests, (runs, looks)."""
    lower, upper = bounds(alpha)
    looks, chosen, when = up.shape[1], [], []
    for ratio in (up, down):  # the bound that each run passes first (1 upper, -1 lower, 0 none), and the look
        beyond = np.where(ratio >= upper, 1, np.where(ratio <= lower, -1, 0))
        look = np.where((beyond != 0).any(axis=1), np.argmax(beyond != 0, axis=1), looks)
        chosen.append(np.take_along_axis(beyond, np.minimum(look, looks - 1)[:, None], axis=1)[:, 0])
        when.append(look)
    first, second = chosen[0] > 0, (chosen[1] > 0) & ~((chosen[0] > 0) & (when[0] <= when[1]))
    alike = (chosen[0] < 0) & (chosen[1] < 0)
    decision = np.select([second, first, alike], [SECOND, FIRST, ALIKE], OPEN)
    look = np.select([second, first, alike], [when[1], when[0], np.maximum(*when)], looks - 1)
    return pd.DataFrame({"decision": decision, "look": look})
