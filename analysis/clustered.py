"""Win shares by group of games of which some hang together: Wilson's interval, with as many games as they are worth.

Games that share their dice may agree more than chance has it. The variance of a share is then that between clusters (see
`amounts.rates`), and Wilson's interval is that of the number of independent games with this variance (Dean and Pagano 2015,
Evaluating Confidence Interval Methods for Binomial Proportions in Clustered Surveys, Journal of Survey Statistics and
Methodology 3:484-503). Games that agree less than chance has it count as what they are, so that no interval is narrower than
that of single games.
"""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis.amounts import rates
from analysis.estimates import LEVEL, Interval

COLUMNS = ["estimate", "low", "high", "n", "effective"]


def shares(
    key: ArrayLike, group: ArrayLike, won: ArrayLike, groups: int | None = None, level: float = LEVEL
) -> pd.DataFrame:
    """Mean of win shares 0..1 by group 0, 1, ..., one line each up to the highest, or `groups` of them.

    key, group, won: one entry per game; games of one key hang together. Columns: estimate, low, high (NaN without games), n
    (games), effective (independent games that they are worth). Raises ValueError where lengths differ or a share is outside 0..1.
    """
    share, owner, cluster = np.asarray(won, np.float64), np.asarray(group, np.int64), np.asarray(key)
    if share.ndim != 1 or owner.shape != share.shape or cluster.shape != share.shape:
        raise ValueError(f"key {cluster.shape}, group {owner.shape} and won {share.shape} must be rows of one length")
    if share.size and not (share.min() >= 0 and share.max() <= 1):
        raise ValueError(f"shares must lie in 0..1, found {share.min()}..{share.max()}")
    lines = int(owner.max(initial=-1)) + 1 if groups is None else groups
    found = rates(cluster, owner, share, np.ones(share.size), level).reindex(range(lines))
    estimate, clusters = found["estimate"].to_numpy(np.float64), found["n"].to_numpy(np.float64)
    n = np.nan_to_num(found["base"].to_numpy(np.float64))
    error = (found["high"] - found["low"]).to_numpy(np.float64) / 2
    error /= stats.t.ppf((1 + level) / 2, np.maximum(np.nan_to_num(clusters) - 1, 1))
    worth = _worth(estimate, error, n, np.nan_to_num(clusters))
    low, high = np.full((2, lines), np.nan)
    known = n > 0
    if known.any():
        bounds = proportion_confint(estimate[known] * worth[known], worth[known], alpha=1 - level, method="wilson")
        low[known], high[known] = (np.clip(bound, 0, 1) for bound in bounds)
    low, high = np.where(estimate == 0, 0.0, low), np.where(estimate == 1, 1.0, high)
    columns = {"estimate": estimate, "low": low, "high": high, "n": n.astype(np.int64), "effective": worth}
    return pd.DataFrame(columns, columns=COLUMNS)


def share(key: ArrayLike, won: ArrayLike, level: float = LEVEL) -> Interval:
    """Mean of win shares of games, one group of `shares`; all NaN without games."""
    line = shares(key, np.zeros(np.size(won), np.int64), won, 1, level).iloc[0]
    return Interval(line["estimate"], line["low"], line["high"], int(line["n"]), level)


def p_against(found: pd.DataFrame, fair: float) -> NDArray[np.float64]:
    """p-values of lines of `shares` against `fair`: score test with the effective number of games, two-sided."""
    gap = found["estimate"].to_numpy(np.float64) - fair
    return np.asarray(2 * stats.norm.sf(np.abs(gap) * np.sqrt(found["effective"] / (fair * (1 - fair)))))


def _worth(
    estimate: NDArray[np.float64], error: NDArray[np.float64], n: NDArray[np.float64], clusters: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Independent games with this variance; at most n. A share of 0 or 1 tells no variance: each cluster is one game."""
    inner = (error > 0) & (estimate > 0) & (estimate < 1)
    worth = np.divide(estimate * (1 - estimate), error**2, out=np.full(n.size, np.inf), where=inner)
    worth = np.where((estimate == 0) | (estimate == 1) | (clusters == 1), clusters, worth)
    return np.minimum(worth, n)
