"""Estimates with their intervals: shares, means, paired differences, ratios; p-values and verdicts.

A win may be shared: an entrant's win share of a game lies in 0..1. Where shares between 0 and 1 occur, the sum of
squared shares (`squares`) gives their sample variance, and the interval is the normal approximation with it, cut to
0..1. Whole wins get the Wilson or the Clopper-Pearson interval. A total with a fraction but no `squares` keeps the
score interval, which is then too wide rather than too narrow: no shares in 0..1 vary more than wins and losses.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

Method = Literal["wilson", "exact"]
Adjustment = Literal["holm", "bh"]
Floats = NDArray[np.float64]

LEVEL = 0.95
FAIR_BAND = 0.1  # a win rate within 10 % of the fair share counts as fair: 45..55 % of two, 22.5..27.5 % of four

_PROPORTION = {"wilson": "wilson", "exact": "beta"}  # names in statsmodels
_ADJUSTMENT = {"holm": "holm", "bh": "fdr_bh"}


@dataclass(frozen=True)
class Interval:
    """An estimate, the bounds of its confidence interval at `level`, and the number n of observations behind it.

    method: "wilson", "exact" (Clopper-Pearson), "normal" (shared wins), "t" (means) or "ratio".
    """

    estimate: float
    low: float
    high: float
    n: int
    level: float
    method: str = "wilson"


def proportion(
    wins: float, games: int, level: float = LEVEL, method: Method = "wilson", squares: float | None = None
) -> Interval:
    """Interval for a share: Wilson (1927) score or "exact" (Clopper and Pearson 1934).

    wins: 0..games, whole or with shared wins; games: at least 1; squares: sum of squared win shares, if known (see the
    module). Raises ValueError outside. At 0 and at `games` wins the bound there is exactly 0 or 1.
    """
    if games < 1:
        raise ValueError(f"games={games} must be at least 1")
    row = proportions([wins], [games], level, method, None if squares is None else [squares]).iloc[0]
    used = method if squares is None or squares >= wins else "normal"
    return Interval(float(row["estimate"]), float(row["low"]), float(row["high"]), games, level, used)


def proportions(
    wins: ArrayLike,
    games: ArrayLike,
    level: float = LEVEL,
    method: Method = "wilson",
    squares: ArrayLike | None = None,
) -> pd.DataFrame:
    """Return `proportion` of each element: columns estimate, low, high, n; NaN where games is 0.

    wins, games, squares: one-dimensional, of one length. Raises ValueError for wins outside 0..games.
    """
    _check_level(level)
    if method not in _PROPORTION:
        raise ValueError(f"method={method!r} must be 'wilson' or 'exact'")
    won, n = np.asarray(wins, np.float64), np.asarray(games, np.int64)
    squared = won if squares is None else np.asarray(squares, np.float64)
    if won.ndim != 1 or won.shape != n.shape or won.shape != squared.shape:
        raise ValueError(f"wins {won.shape}, games {n.shape} and squares {squared.shape} must be of one length")
    if not np.all((won >= 0) & (won <= n)):
        at = int(np.argmin((won >= 0) & (won <= n)))
        raise ValueError(f"wins[{at}]={won[at]} must be in 0..games={n[at]}")
    low, high = np.full(won.size, np.nan), np.full(won.size, np.nan)
    whole, shared = (n > 0) & (squared >= won), (n > 0) & (squared < won)
    if whole.any():
        bounds = proportion_confint(won[whole], n[whole], alpha=1 - level, method=_PROPORTION[method])
        low[whole] = np.where(won[whole] == 0, 0.0, bounds[0])
        high[whole] = np.where(won[whole] == n[whole], 1.0, bounds[1])
    half = stats.norm.ppf((1 + level) / 2) * _standard_error(won[shared], squared[shared], n[shared])
    rate = np.divide(won, n, out=np.full(won.size, np.nan), where=n > 0)
    low[shared], high[shared] = np.clip(rate[shared] - half, 0, 1), np.clip(rate[shared] + half, 0, 1)
    return pd.DataFrame({"estimate": rate, "low": low, "high": high, "n": n})


def share(shares: ArrayLike, level: float = LEVEL) -> Interval:
    """Interval for the mean of win shares in 0..1, one per game: Wilson if all are 0 or 1, else the normal one.

    Raises ValueError without shares or with one outside 0..1.
    """
    values = _sample(shares, "shares", at_least=1)
    if values.min() < 0 or values.max() > 1:
        raise ValueError(f"shares must lie in 0..1, found {values.min()}..{values.max()}")
    return proportion(float(values.sum()), values.size, level, squares=float((values**2).sum()))


def mean(values: ArrayLike, level: float = LEVEL) -> Interval:
    """Student's t interval for the mean of at least 2 values; raises ValueError with fewer or not finite ones."""
    _check_level(level)
    sample = _sample(values, "values", at_least=2)
    centre = float(sample.mean())
    half = float(stats.t.ppf((1 + level) / 2, sample.size - 1) * sample.std(ddof=1)) / float(np.sqrt(sample.size))
    return Interval(centre, centre - half, centre + half, sample.size, level, "t")


def paired_difference(a: ArrayLike, b: ArrayLike, level: float = LEVEL) -> Interval:
    """Student's t interval for the mean of a - b over pairs (games with the same dice); no variance, no width.

    Raises ValueError unless a and b have one length of at least 2.
    """
    left, right = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if left.shape != right.shape:
        raise ValueError(f"a has {left.size} values and b {right.size}: pairs need as many of each")
    return mean(left - right, level)


def ratio(numerators: ArrayLike, denominators: ArrayLike, level: float = LEVEL) -> Interval:
    """Interval for sum / sum over games, e.g. damage per use, where the uses of one game hang together.

    Linearised variance of a ratio (Cochran 1977, Sampling Techniques, section 6.4), normal quantile. n is the number
    of games. Raises ValueError unless both have one length of at least 2; NaN where all denominators are 0.
    """
    y, x = _sample(numerators, "numerators", at_least=2), _sample(denominators, "denominators", at_least=2)
    if y.shape != x.shape:
        raise ValueError(f"{y.size} numerators and {x.size} denominators must be of one length")
    row = ratios(
        pd.DataFrame({"y": [y.sum()], "x": [x.sum()], "yy": [y @ y], "xy": [x @ y], "xx": [x @ x], "n": y.size}), level
    )
    estimate, low, high = (float(row[column].iloc[0]) for column in ("estimate", "low", "high"))
    return Interval(estimate, low, high, y.size, level, "ratio")


def ratios(sums: pd.DataFrame, level: float = LEVEL) -> pd.DataFrame:
    """Return `ratio` of each line of sums over games: columns y, x, yy, xy, xx (sums of products) and n (games).

    Result: estimate, low, high, n with the index of `sums`; NaN where x is 0, open bounds (NaN) where n is 1.
    """
    _check_level(level)
    y, x, n = (sums[column].to_numpy(np.float64) for column in ("y", "x", "n"))
    yy, xy, xx = (sums[column].to_numpy(np.float64) for column in ("yy", "xy", "xx"))
    known = x > 0
    estimate = np.divide(y, x, out=np.full(x.size, np.nan), where=known)
    residual = np.clip(yy - 2 * estimate * xy + estimate**2 * xx, 0, None)
    spread = np.divide(residual * n, n - 1, out=np.full(x.size, np.nan), where=known & (n > 1))
    half = stats.norm.ppf((1 + level) / 2) * np.divide(np.sqrt(spread), x, out=spread * np.nan, where=known)
    table = {"estimate": estimate, "low": estimate - half, "high": estimate + half, "n": n.astype(np.int64)}
    return pd.DataFrame(table, index=sums.index)


def p_against(wins: float, games: int, fair: float, squares: float | None = None) -> float:
    """Two-sided p-value of a win rate against the fair one: exact binomial test.

    With shared wins (see the module) the normal test with their sample variance, or, without `squares`, with the
    variance of wins and losses. wins: 0..games; games: at least 1; fair: 0..1. Raises ValueError outside.
    """
    if games < 1 or not 0 <= wins <= games or not 0 <= fair <= 1:
        raise ValueError(f"wins={wins}, games={games}, fair={fair}: games must be at least 1, wins 0..games, fair 0..1")
    squared = wins if squares is None else squares
    if squared >= wins and float(wins).is_integer():
        return float(stats.binomtest(int(wins), games, fair).pvalue)
    if squared < wins:
        error = float(_standard_error(np.array([wins]), np.array([squared]), np.array([games]))[0])
    else:
        error = float(np.sqrt(fair * (1 - fair) / games))
    gap = abs(wins / games - fair)
    if error == 0:
        return 1.0 if gap == 0 else 0.0
    return float(2 * stats.norm.sf(gap / error))


def adjust(p_values: ArrayLike, method: Adjustment = "holm") -> Floats:
    """Adjust p-values for their number: Holm (1979) or Benjamini and Hochberg (1995) "bh". NaN is left out and kept."""
    if method not in _ADJUSTMENT:
        raise ValueError(f"method={method!r} must be 'holm' or 'bh'")
    adjusted = np.array(p_values, np.float64)
    known = ~np.isnan(adjusted)
    if known.any():
        adjusted[known] = multipletests(adjusted[known], method=_ADJUSTMENT[method])[1]
    return adjusted


def verdict(interval: Interval, fair: float, band: float = FAIR_BAND) -> str:
    """Judge a win rate by its whole interval against the band fair x (1 - band) .. fair x (1 + band).

    "too strong" or "too weak": entirely beyond the band. "fair": entirely within. "open": more games would tell.
    """
    if band < 0:
        raise ValueError(f"band={band} must be at least 0")
    lower, upper = fair * (1 - band), fair * (1 + band)
    if interval.low > upper:
        return "too strong"
    if interval.high < lower:
        return "too weak"
    return "fair" if lower <= interval.low and interval.high <= upper else "open"


def _standard_error(wins: Floats, squares: Floats, n: NDArray[np.int64]) -> Floats:
    """Give the standard error of a mean win share from sums; infinite for a single game."""
    residual = np.clip(squares - wins**2 / n, 0, None)
    variance: Floats = np.divide(residual, (n - 1.0) * n, out=np.full(n.size, np.inf), where=n > 1)
    return np.sqrt(variance)


def _sample(values: ArrayLike, name: str, at_least: int) -> Floats:
    sample = np.asarray(values, np.float64)
    if sample.ndim != 1 or sample.size < at_least or not np.isfinite(sample).all():
        raise ValueError(f"{name} of shape {sample.shape} must be one row of at least {at_least} finite numbers")
    return sample


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise ValueError(f"level={level} must lie between 0 and 1")
