"""Estimates with confidence intervals for shares, means and ratios; p-values.

A win can be shared: an entrant's win share of a game lies in 0..1, and `wins` are sums of win shares. The variance of shares with
mean p is at most p (1 - p), that of whole wins. Where the sums of share (1 - share) are given as `shared`, intervals and tests
use the observed variance (see `effective_games`); otherwise a share counts as a probability to win, which is conservative. No
interval has width zero.

Games that share line-ups or dice are correlated, so that not games but clusters of them (rounds, pairs, games of several seats)
are the sampling unit: a rate is a ratio of sums over clusters, and its variance the one between them, linearised (Cochran 1977,
Sampling Techniques, section 6.4). `cluster_sums` and, block by block, `ClusterSums` make the sums, `ratios` the intervals. Games
that offset each other by design (pairs that swap seats under the same dice) make them narrower than Wilson's interval of single
games, games that agree make them wider.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from math import ceil, floor
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaincc, betainccinv, betaincinv, betaln, ndtr, ndtri, stdtr, stdtrit, xlog1py, xlogy

Method = Literal["wilson", "exact"]
Adjustment = Literal["holm", "bh"]
Alternative = Literal["two-sided", "greater", "less"]
Bound = Literal["t", "wilson"]
Floor = Literal["none", "single games", "pairs"]
Floats = NDArray[np.float64]

LEVEL = 0.95
FAIR_BAND = 0.1  # a win rate within 10 % of the fair share counts as fair: 45..55 % of two, 22.5..27.5 % of four

SUMS = ("y", "x", "yy", "xy", "xx", "n")  # columns of `cluster_sums`
LEAST_CLUSTERS = 2  # with fewer the variance is unknown
ROUNDING = 1e-12  # of sums that cancel
EQUALLY = 1e-7  # difference of the logarithms of chances that are equal up to rounding


@dataclass(frozen=True)
class Interval:
    """An estimate, the bounds of its confidence interval at `level`, and its number n of observations.

    method: "wilson", "exact" (Clopper-Pearson), "t" (means), "ratio", "clusters", "fieller", "jackknife", "auc" or
    "correlation".
    """

    estimate: float
    low: float
    high: float
    n: int
    level: float
    method: str = "wilson"


def proportion(wins: float, games: int, level: float = LEVEL, method: Method = "wilson") -> Interval:
    """Interval for a share: Wilson (1927) score or "exact" (Clopper and Pearson 1934).

    wins: 0..games, whole or with shared wins; games: at least 1. Raises ValueError outside. At 0 wins the lower bound is exactly
    0, at `games` wins the upper bound is exactly 1.
    """
    if games < 1:
        raise ValueError(f"games={games} must be at least 1")
    row = proportions([wins], [games], level, method).iloc[0]
    return Interval(float(row["estimate"]), float(row["low"]), float(row["high"]), games, level, method)


def proportions(
    wins: ArrayLike, games: ArrayLike, level: float = LEVEL, method: Method = "wilson", shared: ArrayLike | None = None
) -> pd.DataFrame:
    """Return `proportion` of each element: columns estimate, low, high, n; NaN where games is 0.

    wins, games: one-dimensional, of the same length. shared: see `effective_games`, for Wilson's interval. Raises ValueError for
    wins outside 0..games.
    """
    check_level(level)
    if method not in ("wilson", "exact"):
        raise ValueError(f"method={method!r} must be 'wilson' or 'exact'")
    won, n = np.asarray(wins, np.float64), np.asarray(games, np.int64)
    if won.ndim != 1 or won.shape != n.shape:
        raise ValueError(f"wins {won.shape} and games {n.shape} must be one-dimensional and of the same length")
    if not np.all((won >= 0) & (won <= n)):
        index = int(np.argmin((won >= 0) & (won <= n)))
        raise ValueError(f"wins[{index}]={won[index]} must be in 0..games={n[index]}")
    low, high, played = np.full(won.size, np.nan), np.full(won.size, np.nan), n > 0
    if played.any():
        worth = n if shared is None else effective_games(won, n, shared, level)
        scaled = np.divide(won * worth, n, out=np.zeros(won.size), where=played)
        bounds = wilson(scaled[played], worth[played], level)
        if method == "exact":
            bounds = clopper_pearson(won[played], n[played], level)
        low[played] = np.where(won[played] == 0, 0.0, bounds[0])
        high[played] = np.where(won[played] == n[played], 1.0, bounds[1])
    rate = np.divide(won, n, out=np.full(won.size, np.nan), where=played)
    return pd.DataFrame({"estimate": rate, "low": low, "high": high, "n": n})


def effective_games(wins: ArrayLike, games: ArrayLike, shared: ArrayLike, level: float = LEVEL) -> Floats:
    """Number of games of whole wins in which a win rate has the same variance; `games` where no win is shared.

    shared: sums over games of share (1 - share), 0 for whole wins and losses. The variance is at least that of z^2 games with
    half a win more or less: that all games were shared proves little.
    """
    won, n, lost = (np.asarray(values, np.float64) for values in (wins, games, shared))
    per_game = np.maximum(n, 1)
    whole = (won / per_game) * (1 - won / per_game)
    least = np.minimum(whole, float(ndtri((1 + level) / 2)) ** 2 / 4 / per_game)
    variance = np.where(lost > 0, np.maximum(whole - lost / per_game, least), whole)
    return np.asarray(np.divide(n * whole, variance, out=n.copy(), where=variance > 0))


# Written out, because statsmodels takes half a second to import, which every command would wait for.
def wilson(wins: ArrayLike, games: ArrayLike, level: float) -> NDArray[np.float64]:
    """Lower and upper bounds of Wilson (1927, JASA 22:209-212), (2, ...). games: above 0, as wins not always whole."""
    n = np.asarray(games, np.float64)
    rate, z = np.asarray(wins, np.float64) / n, -ndtri((1 - level) / 2)
    scale = 1 + z**2 / n
    centre = (rate + z**2 / (2 * n)) / scale
    half = z * np.sqrt(rate * (1 - rate) / n + z**2 / (4 * n**2)) / scale
    return np.clip([centre - half, centre + half], 0, 1)


def clopper_pearson(wins: NDArray[np.float64], games: NDArray[np.int64], level: float) -> NDArray[np.float64]:
    """Lower and upper bounds of Clopper and Pearson (1934, Biometrika 26:404-413), (2, n). games: at least 1."""
    tail = (1 - level) / 2
    low = np.where(wins > 0, betaincinv(wins, games - wins + 1, tail), 0.0)
    high = np.where(wins < games, betainccinv(wins + 1, games - wins, tail), 1.0)
    return np.array([low, high])


def differences(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """First minus second of two independent samples of `proportions`, row by row: columns change, low, high, p.

    Intervals: Newcombe (1998, Statistics in Medicine 17:873-890, method 10), from the two Wilson intervals; p: score test with
    a common rate, 1 where neither sample varies. NaN where a sample is empty.
    """
    a, b = first.reset_index(drop=True), second.reset_index(drop=True)
    change = a["estimate"] - b["estimate"]
    low = change - np.hypot(a["estimate"] - a["low"], b["high"] - b["estimate"])
    high = change + np.hypot(a["high"] - a["estimate"], b["estimate"] - b["low"])
    games = (a["n"] + b["n"]).clip(lower=1)
    both = (a["estimate"] * a["n"] + b["estimate"] * b["n"]) / games
    error = np.sqrt((both * (1 - both)).clip(lower=0) * (1 / a["n"].clip(lower=1) + 1 / b["n"].clip(lower=1))).to_numpy()
    gap = change.abs().to_numpy()
    z = np.divide(gap, error, out=np.where(np.isnan(gap), np.nan, 0.0), where=error > 0)
    return pd.DataFrame({"change": change, "low": low, "high": high, "p": 2 * ndtr(-z)})


def share(shares: ArrayLike, level: float = LEVEL) -> Interval:
    """Wilson interval for the mean of win shares in 0..1, one per game.

    Raises ValueError without shares or with one outside 0..1.
    """
    values = _sample(shares, "shares", at_least=1)
    if values.min() < 0 or values.max() > 1:
        raise ValueError(f"shares must lie in 0..1, found {values.min()}..{values.max()}")
    return proportion(float(values.sum()), values.size, level)


def mean(values: ArrayLike, level: float = LEVEL) -> Interval:
    """Student's t interval for the mean of at least 2 values. Raises ValueError for fewer, or if one is not finite."""
    check_level(level)
    sample = _sample(values, "values", at_least=2)
    centre = float(sample.mean())
    half = float(stdtrit(sample.size - 1, (1 + level) / 2) * sample.std(ddof=1)) / float(np.sqrt(sample.size))
    return Interval(centre, centre - half, centre + half, sample.size, level, "t")


def ratio(numerators: ArrayLike, denominators: ArrayLike, level: float = LEVEL) -> Interval:
    """Interval for a ratio of sums over games, e.g. damage per use, where uses in the same game are correlated; see `ratios`.

    n is the number of games. Raises ValueError unless both have the same length, at least 2; NaN where all denominators are 0.
    """
    y, x = _sample(numerators, "numerators", at_least=2), _sample(denominators, "denominators", at_least=2)
    if y.shape != x.shape:
        raise ValueError(f"{y.size} numerators and {x.size} denominators must have the same length")
    row = ratios(cluster_sums(np.arange(y.size), np.zeros(y.size, np.int64), y, x), level).iloc[0]
    return Interval(float(row["estimate"]), float(row["low"]), float(row["high"]), y.size, level, "ratio")


def ratios(sums: pd.DataFrame, level: float = LEVEL, bound: Bound = "t", floor: Floor = "none") -> pd.DataFrame:
    """Ratios of sums over clusters with intervals, one for each row of `cluster_sums`, with its index.

    bound "t": Student's interval. Columns: estimate, low, high, n (clusters); all NaN where x is 0, bounds NaN where n is 1.
    bound "wilson": Wilson's interval of a share with the effective number of games, that of independent games with the same
    variance (Dean and Pagano 2015, Journal of Survey Statistics and Methodology 3:484-503); for a share of exactly 0 or 1, and
    for a single cluster, the number of clusters. Columns: estimate, low, high (NaN without games), n (games), effective.
    floor, with "wilson": "single games" makes no interval narrower than that of single games, whose squared win shares are summed
    in the column ss, if there is one. "pairs" is for pairs of games that
    can all be equal by chance: the variance is at least that of z^2 pairs with one game the other way, and the effective number
    is reduced for the wider Student quantile (Korn and Graubard 1998, Survey Methodology 24:193-201).
    """
    check_level(level)
    estimate, error = linearised(sums, ROUNDING if floor == "pairs" else 0.0)
    x, n = (sums[column].to_numpy(np.float64) for column in ("x", "n"))
    quantile, z = stdtrit(np.maximum(n - 1, 1), (1 + level) / 2), float(ndtri((1 + level) / 2))
    if bound == "t":
        half = quantile * error
        table = {"estimate": estimate, "low": estimate - half, "high": estimate + half, "n": n.astype(np.int64)}
        return pd.DataFrame(table, index=sums.index)
    inner, edge = estimate * (1 - estimate), np.isin(estimate, (0.0, 1.0))
    if floor == "pairs":
        least = np.divide(np.fmin(z * z, x * inner), x**2, out=np.full(x.size, np.nan), where=x > 0)
        variance = np.maximum(error**2, least) * (quantile / z) ** 2
        effective = np.divide(inner, variance, out=np.full(x.size, np.nan), where=variance > 0)
    else:
        effective = np.divide(inner, error**2, out=np.full(x.size, np.inf), where=(error > 0) & ~edge)
    effective = np.where(edge | (n == 1), n, effective)
    if floor == "single games":
        single = effective_games(sums["y"], x, np.clip(sums["y"] - sums["ss"], 0, None), level) if "ss" in sums else x
        effective = np.minimum(effective, single)
    low, high = np.full((2, x.size), np.nan)
    known = x > 0
    if known.any():
        bounds = wilson((estimate * effective)[known], effective[known], level)
        low[known], high[known] = (np.clip(values, 0, 1) for values in bounds)
    low, high = np.where(estimate == 0, 0.0, low), np.where(estimate == 1, 1.0, high)
    table = {"estimate": estimate, "low": low, "high": high, "n": x.astype(np.int64), "effective": effective}
    return pd.DataFrame(table, index=sums.index)


def linearised(sums: pd.DataFrame, rounding: float = 0.0) -> tuple[Floats, Floats]:
    """Ratio and standard error of each row of `cluster_sums`; NaN where x is 0, the error also where n is 1.

    A column `within` of `sums`, where it is not NaN, replaces the variance of the sum y: that within strata, which a design fixes
    in advance. rounding: squared residuals up to this share of xx are zero.
    """
    y, x, yy, xy, xx, n = (sums[column].to_numpy(np.float64) for column in SUMS)
    estimate = np.divide(y, x, out=np.full(x.size, np.nan), where=x > 0)
    residual = np.clip(yy - 2 * estimate * xy + estimate**2 * xx, 0, None)
    residual = np.where(residual <= rounding * xx, 0.0, residual)
    variance = np.divide(residual * n, n - 1, out=np.full(x.size, np.nan), where=(x > 0) & (n > 1))
    if "within" in sums:
        within = sums["within"].to_numpy(np.float64)
        variance = np.where(np.isnan(within), variance, within)
    return estimate, np.divide(np.sqrt(variance), x, out=np.full(x.size, np.nan), where=x > 0)


def clusters_of(key: ArrayLike, group: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number the clusters: all rows of a group with the same key are one. Returns that of each row, and the group of each."""
    owner = np.asarray(group, np.int64)
    groups = int(owner.max(initial=-1)) + 1
    _, number = np.unique(np.asarray(key), return_inverse=True)
    cells, cell = np.unique(number * groups + owner, return_inverse=True)
    return cell, cells % max(1, groups)


def cluster_sums(cell: NDArray[Any], owner: NDArray[Any], y: ArrayLike, x: ArrayLike, groups: int = 0) -> pd.DataFrame:
    """Sums for `ratios` by group 0, 1, ..., one row each up to the highest group, or `groups` rows.

    cell: cluster of each value, from 0; owner: group of each cluster, see `clusters_of`; y, x: numerators and denominators, one
    per value. Columns: y, x, yy, xy, xx (sums of products over clusters) and n (clusters).
    """
    over, under = np.bincount(cell, np.asarray(y, np.float64)), np.bincount(cell, np.asarray(x, np.float64))
    products = (over, under, over * over, under * over, under * under, np.ones(over.size))
    return pd.DataFrame({name: np.bincount(owner, values, groups) for name, values in zip(SUMS, products, strict=True)})


def p_against(wins: float, games: int, fair: float, alternative: Alternative = "two-sided", shared: float = 0.0) -> float:
    """p-value of a win rate against `fair`: exact binomial test; score test with the effective games if wins are shared.

    wins: 0..games; games: at least 1; fair: 0..1; alternative: "greater" or "less" tests one side; shared: see
    `effective_games`. Raises ValueError outside.
    """
    if games < 1 or not 0 <= wins <= games or not 0 <= fair <= 1:
        raise ValueError(f"wins={wins}, games={games}, fair={fair}: games must be at least 1, wins 0..games, fair 0..1")
    if float(wins).is_integer() and not shared > 0:
        return _binomial_p(wins, games, fair, alternative)
    worth = float(effective_games(wins, games, shared))
    gap, variance = worth * (wins / games - fair), worth * fair * (1 - fair)
    z = gap / float(np.sqrt(variance)) if variance > 0 else float(np.copysign(np.inf, gap)) if gap else 0.0
    tails = {"two-sided": 2 * ndtr(-abs(z)), "greater": ndtr(-z), "less": ndtr(z)}
    return float(tails[alternative])


def _binomial_p(wins: float, games: int, fair: float, alternative: Alternative) -> float:
    """p-value of the exact binomial test; two-sided: the chance of all results that are not more likely (as in R and scipy)."""
    above, below = float(at_least(wins, games, fair)), float(at_most(wins, games, fair))
    if alternative != "two-sided":
        return above if alternative == "greater" else below
    if wins == games * fair:
        return 1.0

    def likely(i: int) -> float:  # log of the chance of i wins, up to a constant
        return float(xlogy(i, fair) + xlog1py(games - i, -fair) - betaln(i + 1, games - i + 1))

    few, seen = wins < games * fair, likely(int(wins)) + EQUALLY
    beyond = range(ceil(games * fair), games + 1) if few else range(floor(games * fair), -1, -1)  # on the other side of the mean
    far = bisect_left(beyond, True, key=lambda i: likely(i) <= seen)
    if far == len(beyond):
        return below if few else above
    rest = at_least(beyond[far], games, fair) if few else at_most(beyond[far], games, fair)
    return min(1.0, (below if few else above) + float(rest))


def at_least(wins: ArrayLike, games: ArrayLike, chance: Floats | float) -> Floats:
    """Probability of at least so many wins in independent games; wins: 0..games."""
    k, n = np.asarray(wins, np.float64), np.asarray(games, np.float64)
    return np.where(k > 0, betainc(k, n - k + 1, chance), 1.0)


def at_most(wins: ArrayLike, games: ArrayLike, chance: Floats | float) -> Floats:
    """Probability of at most so many wins in independent games; wins: 0..games."""
    k, n = np.asarray(wins, np.float64), np.asarray(games, np.float64)
    return np.where(k < n, betaincc(k + 1, n - k, chance), 1.0)


def adjust(p_values: ArrayLike, method: Adjustment = "holm") -> Floats:
    """Adjust p-values for multiple comparisons: Holm (1979) or Benjamini and Hochberg (1995), "bh". NaN is ignored and kept."""
    if method not in ("holm", "bh"):
        raise ValueError(f"method={method!r} must be 'holm' or 'bh'")
    adjusted = np.array(p_values, np.float64)
    known = ~np.isnan(adjusted)
    p = adjusted[known]
    order = np.argsort(p)  # written out: scipy has no Holm, and its statistics take a second to import
    if method == "holm":
        p[order] = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1)).clip(max=1)
    else:
        p[order] = np.minimum.accumulate((p[order] * (p.size / np.arange(1, p.size + 1)))[::-1])[::-1].clip(max=1)
    adjusted[known] = p
    return adjusted


def times_to_decide(change: ArrayLike, low: ArrayLike, high: ArrayLike, level: float = LEVEL) -> float:
    """How many times as many observations it takes until the clearest of several changes is significant (Bonferroni).

    change, low, high: with intervals of this level, each alone. The changes are taken to be as large as they look. NaN if none
    differs from zero.
    """
    size, half = np.abs(np.asarray(change, np.float64)), (np.asarray(high, np.float64) - np.asarray(low, np.float64)) / 2
    differs = size > 0
    if not differs.any():
        return float("nan")
    wider = ndtri(1 - (1 - level) / 2 / size.size) / ndtri((1 + level) / 2)
    return float((wider * half[differs] / size[differs]).min() ** 2)


def _sample(values: ArrayLike, name: str, at_least: int) -> Floats:
    sample = np.asarray(values, np.float64)
    if sample.ndim != 1 or sample.size < at_least or not np.isfinite(sample).all():
        raise ValueError(f"{name} of shape {sample.shape} must be one row of at least {at_least} finite numbers")
    return sample


def check_level(level: float) -> None:
    """Raise ValueError for a level outside 0..1."""
    if not 0 < level < 1:
        raise ValueError(f"level={level} must lie between 0 and 1")


class ClusterSums:
    """Sums over clusters of games from which `shares` computes intervals. Constant memory; blocks are added in order.

    width: number of things (parts, seats, ...) counted side by side. A cluster may continue in the next block.
    """

    def __init__(self, width: int) -> None:
        if width < 1:
            raise ValueError(f"width={width} must be at least 1")
        self._sums = np.zeros((len(SUMS), width))
        self._open = np.zeros((2, width))  # wins and games of the cluster that may continue
        self._last = -1

    def add(self, cluster: ArrayLike, wins: ArrayLike, games: ArrayLike) -> None:
        """Add games. cluster: (n,) integers from 0, never decreasing, not below earlier ones; wins, games: (n, width).

        Nothing is added if ValueError is raised.
        """
        number = np.asarray(cluster, np.int64)
        values = np.stack([np.asarray(wins, np.float64), np.asarray(games, np.float64)])
        if values.shape != (2, number.size, self._open.shape[1]):
            raise ValueError(f"wins and games {values.shape[1:]} must be {(number.size, self._open.shape[1])}")
        if not number.size:
            return
        if number[0] < self._last or np.any(np.diff(number) < 0):
            raise ValueError(f"cluster={number[0]}..{number[-1]} after {self._last}: games must come in order")
        starts = np.flatnonzero(np.diff(number, prepend=number[0] - 1))
        sums = np.add.reduceat(values, starts, axis=1)
        if number[0] == self._last:
            sums[:, 0] += self._open
        else:
            self._sums += _products(self._open[:, None])
        self._sums += _products(sums[:, :-1])
        self._open, self._last = sums[:, -1], int(number[-1])

    @property
    def sums(self) -> Floats:
        """SUMS so far, (6, width); n counts clusters with games."""
        total: Floats = self._sums + _products(self._open[:, None])
        return total

    def merge(self, sums: Floats) -> None:
        """Add `sums` of other clusters, none of which continues here."""
        self._sums += sums

    def table(self) -> pd.DataFrame:
        """Sums so far for `ratios`, one row for each thing counted."""
        return pd.DataFrame(self.sums.T, columns=list(SUMS))


def shares(sums: pd.DataFrame, level: float = LEVEL) -> pd.DataFrame:
    """Win rates with Student's interval, see `ratios`: columns estimate, low, high, error, n (games), clusters.

    error: standard error. Bounds stay within 0..1 and are NaN for fewer than 2 clusters. At a rate of exactly 0 or 1 the
    variance is unknown; the interval is Wilson's, with each cluster as one game.
    """
    clusters, (estimate, error) = sums["n"].to_numpy(np.int64), linearised(sums)
    half = stdtrit(np.maximum(clusters - 1, 1), (1 + level) / 2) * error
    low, high = np.clip(estimate - half, 0, 1), np.clip(estimate + half, 0, 1)
    edge = (clusters >= LEAST_CLUSTERS) & np.isin(estimate, (0.0, 1.0))
    if edge.any():
        wilson = proportions(estimate[edge] * clusters[edge], clusters[edge], level)
        low[edge], high[edge] = wilson["low"], wilson["high"]
    table = {"estimate": estimate, "low": low, "high": high, "error": error}
    return pd.DataFrame({**table, "n": sums["x"].to_numpy(np.int64), "clusters": clusters}, index=sums.index)


def cluster_share(wins: ArrayLike, games: ArrayLike, level: float = LEVEL) -> Interval:
    """Interval of sum(wins) / sum(games) over clusters, one value each; n is the number of games, method "clusters".

    Raises ValueError unless both are one-dimensional and of the same length, at least 2.
    """
    y, x = np.asarray(wins, np.float64), np.asarray(games, np.float64)
    if y.ndim != 1 or y.shape != x.shape or y.size < LEAST_CLUSTERS:
        raise ValueError(
            f"wins {y.shape} and games {x.shape} must be one-dimensional and of the same length, at least {LEAST_CLUSTERS}"
        )
    sums = ClusterSums(1)
    sums.add(np.arange(y.size), y[:, None], x[:, None])
    line = shares(sums.table(), level).iloc[0]
    return Interval(line["estimate"], line["low"], line["high"], int(line["n"]), level, "clusters")


def cluster_p_against(rates: pd.DataFrame, fair: float) -> Floats:
    """Two-sided p-values of rows of `shares` against `fair` (Student's t); 1 or 0 where all clusters are equal."""
    gap, error = np.abs(rates["estimate"].to_numpy() - fair), rates["error"].to_numpy()
    t = np.divide(gap, error, out=np.where(gap > 0, np.inf, 0.0), where=error > 0)
    t = np.where(np.isnan(error), np.nan, t)
    return np.asarray(2 * stdtr(np.maximum(rates["clusters"].to_numpy() - 1, 1), -t))


def p_effective(rates: pd.DataFrame, fair: float) -> Floats:
    """Two-sided p-values of rows of `ratios` against a share: score test with the effective number of games; NaN without one."""
    if np.isnan(fair):
        return np.full(len(rates), np.nan)
    gap, worth = np.abs(rates["estimate"].to_numpy(np.float64) - fair), rates["effective"].to_numpy(np.float64)
    z = np.multiply(gap, np.sqrt(worth / max(fair * (1 - fair), ROUNDING)), out=np.zeros(gap.size), where=gap != 0)
    return np.asarray(2 * ndtr(-np.where(np.isnan(gap), np.nan, z)))


def _products(clusters: Floats) -> Floats:
    """SUMS over clusters with games, (6, width). clusters: wins and games of each, (2, clusters, width)."""
    y, x = clusters
    return np.stack([values.sum(axis=0) for values in (y, x, y * y, x * y, x * x, (x > 0).astype(np.float64))])
