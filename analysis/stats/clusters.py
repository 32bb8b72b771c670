"""Win shares of games that hang together: games of one round share line-ups and dice, so that rounds are the observations.

The share is a ratio of sums over rounds; its variance is that between rounds, linearised as in `estimates.ratios`, and its
interval is Student's with one degree of freedom less than there are rounds. Few games that agree by design (pairs that
swap seats under the same dice) make it narrower than Wilson's of the single games, games that agree by accident wider.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from analysis.stats.intervals import LEVEL, Interval, proportions, ratios

Floats = NDArray[np.float64]

LEAST_CLUSTERS = 2  # below it nothing is known of the variance


class ClusterSums:
    """Sums over clusters of games, all that shares with intervals need: constant memory, fed block by block in order.

    width: how many things (parts, seats, ...) are counted side by side. The cluster that a block breaks off in goes on with the
    next block.
    """

    def __init__(self, width: int) -> None:
        if width < 1:
            raise ValueError(f"width={width} must be at least 1")
        self._sums = np.zeros((6, width))  # y, x, yy, xy, xx, n: see `estimates.ratios`
        self._open = np.zeros((2, width))  # wins and games of the cluster that is not over yet
        self._last = -1

    def add(self, cluster: ArrayLike, wins: ArrayLike, games: ArrayLike) -> None:
        """Add games. cluster: (n,) whole numbers from 0, never falling, not below those before; wins, games: (n, width).

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
            self._sums += _sums_of(self._open[:, None])
        self._sums += _sums_of(sums[:, :-1])
        self._open, self._last = sums[:, -1], int(number[-1])

    @property
    def sums(self) -> Floats:
        """Sums so far, (6, width): y (wins), x (games), yy, xy, xx, n (clusters with games)."""
        found: Floats = self._sums + _sums_of(self._open[:, None])
        return found

    def merge(self, sums: Floats) -> None:
        """Add `sums` of other clusters, none of which goes on here."""
        self._sums += sums

    def table(self) -> pd.DataFrame:
        """Sums so far, one line for each thing counted: columns y (wins), x (games), yy, xy, xx, n (clusters with games)."""
        return pd.DataFrame(self.sums.T, columns=["y", "x", "yy", "xy", "xx", "n"])


def shares(sums: pd.DataFrame, level: float = LEVEL) -> pd.DataFrame:
    """Win shares of lines of sums (see `ClusterSums.table`): columns estimate, low, high, error, n (games), clusters.

    error: standard error. Bounds stay within 0..1 and are NaN for fewer than 2 clusters. A share of exactly 0 or 1, which says
    nothing of the variance, has Wilson's interval with each cluster as one game.
    """
    clusters = sums["n"].to_numpy(np.int64)
    found = ratios(sums, level)
    known = clusters >= LEAST_CLUSTERS
    half = np.where(known, (found["high"] - found["low"]).to_numpy() / 2, np.nan)
    error = half / stats.t.ppf((1 + level) / 2, np.maximum(clusters - 1, 1))
    estimate = found["estimate"].to_numpy()
    low, high = np.clip(estimate - half, 0, 1), np.clip(estimate + half, 0, 1)
    edge = known & np.isin(estimate, (0.0, 1.0))
    if edge.any():
        wilson = proportions(estimate[edge] * clusters[edge], clusters[edge], level)
        low[edge], high[edge] = wilson["low"], wilson["high"]
    table = {"estimate": estimate, "low": low, "high": high, "error": error}
    return pd.DataFrame({**table, "n": sums["x"].to_numpy(np.int64), "clusters": clusters}, index=sums.index)


def share(wins: ArrayLike, games: ArrayLike, level: float = LEVEL) -> Interval:
    """Interval of sum(wins) / sum(games) over clusters, one value each; n is the number of games, method "clusters".

    Raises ValueError unless both are rows of one length of at least 2.
    """
    y, x = np.asarray(wins, np.float64), np.asarray(games, np.float64)
    if y.ndim != 1 or y.shape != x.shape or y.size < LEAST_CLUSTERS:
        raise ValueError(f"wins {y.shape} and games {x.shape} must be rows of one length of at least {LEAST_CLUSTERS}")
    sums = ClusterSums(1)
    sums.add(np.arange(y.size), y[:, None], x[:, None])
    line = shares(sums.table(), level).iloc[0]
    return Interval(line["estimate"], line["low"], line["high"], int(line["n"]), level, "clusters")


def p_against(found: pd.DataFrame, fair: float) -> Floats:
    """p-values of lines of `shares` against `fair`: Student's, two-sided; 1 or 0 where the clusters do not differ at all."""
    gap, error = np.abs(found["estimate"].to_numpy() - fair), found["error"].to_numpy()
    t = np.divide(gap, error, out=np.where(gap > 0, np.inf, 0.0), where=error > 0)
    t = np.where(np.isnan(error), np.nan, t)
    return np.asarray(2 * stats.t.sf(t, np.maximum(found["clusters"].to_numpy() - 1, 1)))


def _sums_of(clusters: Floats) -> Floats:
    """Sums over clusters, (6, width). clusters: wins and games of each, (2, clusters, width)."""
    y, x = clusters
    return np.stack([one.sum(axis=0) for one in (y, x, y * y, x * y, x * x, (x > 0).astype(np.float64))])
