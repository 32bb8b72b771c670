"""Cluster-robust win rates. Games in a round share line-ups and dice, so the round is the sampling unit.

The rate is a ratio of sums over rounds. Its variance is the one between rounds, linearised as in `intervals.ratios`; the
interval is Student's, with one degree of freedom fewer than rounds. Games that offset each other by design (pairs that swap
seats under the same dice) make it narrower than Wilson's interval of single games, games that agree make it wider.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from analysis.stats.intervals import LEVEL, Interval, proportions, ratios

Floats = NDArray[np.float64]

LEAST_CLUSTERS = 2  # with fewer the variance is unknown


class ClusterSums:
    """Sums over clusters of games from which `shares` computes intervals. Constant memory; blocks are added in order.

    width: number of things (parts, seats, ...) counted side by side. A cluster may continue in the next block.
    """

    def __init__(self, width: int) -> None:
        if width < 1:
            raise ValueError(f"width={width} must be at least 1")
        self._sums = np.zeros((6, width))  # y, x, yy, xy, xx, n: see `intervals.ratios`
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
            self._sums += _sums_of(self._open[:, None])
        self._sums += _sums_of(sums[:, :-1])
        self._open, self._last = sums[:, -1], int(number[-1])

    @property
    def sums(self) -> Floats:
        """Sums so far, (6, width): y (wins), x (games), yy, xy, xx, n (clusters with games)."""
        total: Floats = self._sums + _sums_of(self._open[:, None])
        return total

    def merge(self, sums: Floats) -> None:
        """Add `sums` of other clusters, none of which continues here."""
        self._sums += sums

    def table(self) -> pd.DataFrame:
        """Sums so far, one row for each thing counted: columns y (wins), x (games), yy, xy, xx, n (clusters with games)."""
        return pd.DataFrame(self.sums.T, columns=["y", "x", "yy", "xy", "xx", "n"])


def shares(sums: pd.DataFrame, level: float = LEVEL) -> pd.DataFrame:
    """Win rates from rows of sums (see `ClusterSums.table`): columns estimate, low, high, error, n (games), clusters.

    error: standard error. Bounds stay within 0..1 and are NaN for fewer than 2 clusters. At a rate of exactly 0 or 1 the
    variance is unknown; the interval is Wilson's, with each cluster as one game.
    """
    clusters = sums["n"].to_numpy(np.int64)
    rates = ratios(sums, level)
    known = clusters >= LEAST_CLUSTERS
    half = np.where(known, (rates["high"] - rates["low"]).to_numpy() / 2, np.nan)
    error = half / stats.t.ppf((1 + level) / 2, np.maximum(clusters - 1, 1))
    estimate = rates["estimate"].to_numpy()
    low, high = np.clip(estimate - half, 0, 1), np.clip(estimate + half, 0, 1)
    edge = known & np.isin(estimate, (0.0, 1.0))
    if edge.any():
        wilson = proportions(estimate[edge] * clusters[edge], clusters[edge], level)
        low[edge], high[edge] = wilson["low"], wilson["high"]
    table = {"estimate": estimate, "low": low, "high": high, "error": error}
    return pd.DataFrame({**table, "n": sums["x"].to_numpy(np.int64), "clusters": clusters}, index=sums.index)


def share(wins: ArrayLike, games: ArrayLike, level: float = LEVEL) -> Interval:
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


def p_against(rates: pd.DataFrame, fair: float) -> Floats:
    """Two-sided p-values of rows of `shares` against `fair` (Student's t); 1 or 0 where all clusters are equal."""
    gap, error = np.abs(rates["estimate"].to_numpy() - fair), rates["error"].to_numpy()
    t = np.divide(gap, error, out=np.where(gap > 0, np.inf, 0.0), where=error > 0)
    t = np.where(np.isnan(error), np.nan, t)
    return np.asarray(2 * stats.t.sf(t, np.maximum(rates["clusters"].to_numpy() - 1, 1)))


def _sums_of(clusters: Floats) -> Floats:
    """Sums over clusters, (6, width). clusters: wins and games of each, (2, clusters, width)."""
    y, x = clusters
    return np.stack([values.sum(axis=0) for values in (y, x, y * y, x * y, x * x, (x > 0).astype(np.float64))])
