"""Confidence sequences, valid however often the results are looked at.

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
"""

from __future__ import annotations

from math import ceil, exp, isfinite, log, log1p

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaln, xlog1py, xlogy

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
    0 or 1 has the bounds of `share_sequence` with each group as a game, narrowest for few groups; below LEAST_CLUSTERS groups
    bounds are 0 and 1.
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
        alike = share_sequence(estimate[edge] * groups[edge], groups[edge], LEAST_CLUSTERS, level)
        low[edge], high[edge] = alike["low"], alike["high"]
    known = groups >= LEAST_CLUSTERS
    bounds = {"low": np.where(known, low, 0.0), "high": np.where(known, high, 1.0)}
    return rates[["estimate"]].assign(**bounds, n=rates["n"], clusters=rates["clusters"])


def deviations(groups: ArrayLike, tuned: float, level: float = LEVEL) -> Floats:
    """Standard errors from a mean over groups to its asymptotic bounds (see `mean_sequence`), of the shape of `groups`.

    groups: numbers of groups, at least 1 each; below LEAST_CLUSTERS the bounds do not hold.
    """
    time = np.maximum(np.asarray(groups, np.float64), 1.0) * mixing(level) / tuned
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
    time = groups * mixing(level) / tuned
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
    time = mixing(level)
    return float(np.sqrt(2 * (time + 1) / time * (log1p(time) / 2 - log(1 - level))))


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
    return tuned / mixing(level)


def mixing(level: float) -> float:
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
