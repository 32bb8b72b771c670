"""Estimates with confidence intervals for shares, means and ratios; p-values.

A win can be shared: an entrant's win share of a game lies in 0..1, and `wins` are sums of win shares. Intervals and tests treat
a share of p as a probability p to win. The variance of shares with mean p is at most p (1 - p), so they are exact for whole
wins, conservative for shared ones, and never of width zero.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

Method = Literal["wilson", "exact"]
Adjustment = Literal["holm", "bh"]
Alternative = Literal["two-sided", "greater", "less"]
Floats = NDArray[np.float64]

LEVEL = 0.95
FAIR_BAND = 0.1  # a win rate within 10 % of the fair share counts as fair: 45..55 % of two, 22.5..27.5 % of four

_PROPORTION = {"wilson": "wilson", "exact": "beta"}  # names in statsmodels


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


def proportions(wins: ArrayLike, games: ArrayLike, level: float = LEVEL, method: Method = "wilson") -> pd.DataFrame:
    """Return `proportion` of each element: columns estimate, low, high, n; NaN where games is 0.

    wins, games: one-dimensional, of the same length. Raises ValueError for wins outside 0..games.
    """
    _check_level(level)
    if method not in _PROPORTION:
        raise ValueError(f"method={method!r} must be 'wilson' or 'exact'")
    won, n = np.asarray(wins, np.float64), np.asarray(games, np.int64)
    if won.ndim != 1 or won.shape != n.shape:
        raise ValueError(f"wins {won.shape} and games {n.shape} must be one-dimensional and of the same length")
    if not np.all((won >= 0) & (won <= n)):
        index = int(np.argmin((won >= 0) & (won <= n)))
        raise ValueError(f"wins[{index}]={won[index]} must be in 0..games={n[index]}")
    low, high, played = np.full(won.size, np.nan), np.full(won.size, np.nan), n > 0
    if played.any():
        bounds = proportion_confint(won[played], n[played], alpha=1 - level, method=_PROPORTION[method])
        low[played] = np.where(won[played] == 0, 0.0, bounds[0])
        high[played] = np.where(won[played] == n[played], 1.0, bounds[1])
    rate = np.divide(won, n, out=np.full(won.size, np.nan), where=played)
    return pd.DataFrame({"estimate": rate, "low": low, "high": high, "n": n})


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
    error = np.sqrt(
        (both * (1 - both)).clip(lower=0) * (1 / a["n"].clip(lower=1) + 1 / b["n"].clip(lower=1))
    ).to_numpy()
    gap = change.abs().to_numpy()
    z = np.divide(gap, error, out=np.where(np.isnan(gap), np.nan, 0.0), where=error > 0)
    return pd.DataFrame({"change": change, "low": low, "high": high, "p": 2 * stats.norm.sf(z)})


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
    _check_level(level)
    sample = _sample(values, "values", at_least=2)
    centre = float(sample.mean())
    half = float(stats.t.ppf((1 + level) / 2, sample.size - 1) * sample.std(ddof=1)) / float(np.sqrt(sample.size))
    return Interval(centre, centre - half, centre + half, sample.size, level, "t")


def ratio(numerators: ArrayLike, denominators: ArrayLike, level: float = LEVEL) -> Interval:
    """Interval for a ratio of sums over games, e.g. damage per use, where uses in the same game are correlated.

    Linearised variance of a ratio (Cochran 1977, Sampling Techniques, section 6.4), Student's quantile. n is the number
    of games. Raises ValueError unless both have the same length, at least 2; NaN where all denominators are 0.
    """
    y, x = _sample(numerators, "numerators", at_least=2), _sample(denominators, "denominators", at_least=2)
    if y.shape != x.shape:
        raise ValueError(f"{y.size} numerators and {x.size} denominators must have the same length")
    row = ratios(
        pd.DataFrame({"y": [y.sum()], "x": [x.sum()], "yy": [y @ y], "xy": [x @ y], "xx": [x @ x], "n": y.size}), level
    )
    estimate, low, high = (float(row[column].iloc[0]) for column in ("estimate", "low", "high"))
    return Interval(estimate, low, high, y.size, level, "ratio")


def ratios(sums: pd.DataFrame, level: float = LEVEL) -> pd.DataFrame:
    """Return `ratio` of each row of sums over games: columns y, x, yy, xy, xx (sums of products) and n (games).

    Result: estimate, low, high, n with the index of `sums`; all NaN where x is 0, bounds NaN where n is 1.
    """
    _check_level(level)
    y, x, n = (sums[column].to_numpy(np.float64) for column in ("y", "x", "n"))
    yy, xy, xx = (sums[column].to_numpy(np.float64) for column in ("yy", "xy", "xx"))
    known = x > 0
    estimate = np.divide(y, x, out=np.full(x.size, np.nan), where=known)
    residual = np.clip(yy - 2 * estimate * xy + estimate**2 * xx, 0, None)
    spread = np.divide(residual * n, n - 1, out=np.full(x.size, np.nan), where=known & (n > 1))
    quantile = stats.t.ppf((1 + level) / 2, np.maximum(n - 1, 1))
    half = quantile * np.divide(np.sqrt(spread), x, out=spread * np.nan, where=known)
    table = {"estimate": estimate, "low": estimate - half, "high": estimate + half, "n": n.astype(np.int64)}
    return pd.DataFrame(table, index=sums.index)


def p_against(wins: float, games: int, fair: float, alternative: Alternative = "two-sided") -> float:
    """p-value of a win rate against `fair`: exact binomial test; score test with variance p (1 - p) / n if wins are shared.

    wins: 0..games; games: at least 1; fair: 0..1; alternative: "greater" or "less" tests one side. Raises ValueError
    outside.
    """
    if games < 1 or not 0 <= wins <= games or not 0 <= fair <= 1:
        raise ValueError(f"wins={wins}, games={games}, fair={fair}: games must be at least 1, wins 0..games, fair 0..1")
    if float(wins).is_integer():
        return float(stats.binomtest(int(wins), games, fair, alternative).pvalue)
    z = _standardised(wins - games * fair, games * fair * (1 - fair))
    tails = {"two-sided": 2 * stats.norm.sf(abs(z)), "greater": stats.norm.sf(z), "less": stats.norm.cdf(z)}
    return float(tails[alternative])


def adjust(p_values: ArrayLike, method: Adjustment = "holm") -> Floats:
    """Adjust p-values for multiple comparisons: Holm (1979) or Benjamini and Hochberg (1995), "bh". NaN is ignored and kept."""
    if method not in ("holm", "bh"):
        raise ValueError(f"method={method!r} must be 'holm' or 'bh'")
    adjusted = np.array(p_values, np.float64)
    known = ~np.isnan(adjusted)
    if known.any():
        adjusted[known] = _holm(adjusted[known]) if method == "holm" else stats.false_discovery_control(adjusted[known])
    return adjusted


def _holm(p_values: Floats) -> Floats:
    """Holm's step-down. Written out: scipy has none, and that of statsmodels runs the garbage collector, 0.1 s a call."""
    order = np.argsort(p_values)
    steps = np.maximum.accumulate(p_values[order] * np.arange(p_values.size, 0, -1))
    adjusted = np.empty(p_values.size)
    adjusted[order] = steps.clip(max=1)
    return adjusted


def _standardised(gap: float, variance: float) -> float:
    """A gap in standard deviations; infinite without variance."""
    return gap / float(np.sqrt(variance)) if variance > 0 else float(np.copysign(np.inf, gap)) if gap else 0.0


def _sample(values: ArrayLike, name: str, at_least: int) -> Floats:
    sample = np.asarray(values, np.float64)
    if sample.ndim != 1 or sample.size < at_least or not np.isfinite(sample).all():
        raise ValueError(f"{name} of shape {sample.shape} must be one row of at least {at_least} finite numbers")
    return sample


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise ValueError(f"level={level} must lie between 0 and 1")
