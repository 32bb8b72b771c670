"""Mean amounts and win shares of correlated games.

Mean amounts by part (deaths by cause, points by source) in groups of seats: the seats of a game are correlated.

Win shares in groups of games: games that share their dice can agree more than chance predicts. The variance of a share is then
that between clusters (see `rates`), and its interval is Wilson's with the effective number of games, that of independent games
with the same variance (Dean and Pagano 2015, Evaluating Confidence Interval Methods for Binomial Proportions in Clustered
Surveys, Journal of Survey Statistics and Methodology 3:484-503). The effective number is at most the actual one, so that no
interval is narrower than that of single games.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis.data.rows import distinct
from analysis.stats.intervals import LEVEL, Interval, ratios

TOTAL = "all together"  # name of the sum over all parts


def means(
    frame: pd.DataFrame, keys: Sequence[str], field: str, parts: Sequence[str], level: float = LEVEL
) -> pd.DataFrame:
    """Mean amount per seat of each part, and of all parts, in groups of seats.

    frame: see `seats_frame`, games at one number of seats, with columns field_0, field_1, ... in the order of `parts`; parts
    with an empty name do not exist in the card set and are left out. keys: columns that form the groups. Result, one row per
    group and part, with the sum as the last part TOTAL: keys, part, sum, estimate, low, high (interval of a ratio over games,
    see `intervals.ratios`; NaN if all games are equal, because their error is then unknown), n (games with a seat of the
    group). Raises ValueError for a missing column.
    """
    named = [f"{field}_{part}" for part, name in enumerate(parts) if name]
    if not named or not set(named) <= set(frame):
        raise ValueError(
            f"the table must hold the columns {field}_0..{field}_{len(parts) - 1}, at least one with a name"
        )
    if frame.empty:
        return pd.DataFrame(columns=[*keys, "part", "sum", "estimate", "low", "high", "n"])
    values = frame[named].to_numpy(np.float64)
    values = np.column_stack([values, values.sum(axis=1)])
    grouped = frame.groupby(list(keys), observed=True)
    group = grouped.ngroup().to_numpy()
    labels = grouped.size().index.to_frame(index=False)
    cell, owner = _observations(frame["game"].to_numpy(), group)
    names = [*distinct([name for name in parts if name]), TOTAL]
    tables = [
        _mean(cell, owner, values[:, index], level).assign(part=name, order=index) for index, name in enumerate(names)
    ]
    table = pd.concat(tables).rename_axis("group").reset_index()
    table = table.sort_values(["group", "order"], kind="stable", ignore_index=True)
    whole = pd.concat([labels.loc[table["group"]].reset_index(drop=True), table], axis=1)
    return whole[[*keys, "part", "sum", "estimate", "low", "high", "n"]]


def _observations(game: NDArray[Any], group: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Number the observations: all seats of a group in a game are one. Returns that of each row, and the group of each."""
    groups = int(group.max()) + 1
    _, number = np.unique(game, return_inverse=True)
    cells, cell = np.unique(number * groups + group, return_inverse=True)
    return cell, cells % groups


def _mean(cell: NDArray[Any], owner: NDArray[Any], value: NDArray[np.float64], level: float) -> pd.DataFrame:
    """Mean of a value per row, by group 0, 1, ...; cell, owner: see `_observations`."""
    y, x = np.bincount(cell, value), np.bincount(cell).astype(np.float64)
    products = {"y": y, "x": x, "yy": y * y, "xy": x * y, "xx": x * x, "n": None}
    sums = pd.DataFrame({name: np.bincount(owner, weights) for name, weights in products.items()})
    table = ratios(sums, level).assign(sum=sums["y"])
    alike = ~(table["low"] < table["high"])
    return table.assign(low=table["low"].mask(alike), high=table["high"].mask(alike))


def rates(
    game: NDArray[Any], group: NDArray[Any], amount: NDArray[Any], base: NDArray[Any], level: float = LEVEL
) -> pd.DataFrame:
    """Sum of an amount over the sum of its base, by group 0, 1, ...; rows of the same game and group are one observation.

    game, group, amount, base: one entry per row; group: from 0 on; base: at least 0. Columns: estimate, low, high (see
    `intervals.ratios`; NaN where the base is 0, bounds NaN for a single game), n (games), sum, base; one row per group up to
    the highest. The interval has width zero if all games are equal.
    """
    groups = int(group.max(initial=-1)) + 1
    if not groups:
        return pd.DataFrame(columns=["estimate", "low", "high", "n", "sum", "base"])
    cell, owner = _observations(np.asarray(game), np.asarray(group))
    y = np.bincount(cell, np.asarray(amount, np.float64))
    x = np.bincount(cell, np.asarray(base, np.float64))
    products = {"y": y, "x": x, "yy": y * y, "xy": x * y, "xx": x * x, "n": None}
    sums = pd.DataFrame({name: np.bincount(owner, weights, groups) for name, weights in products.items()})
    return ratios(sums, level).assign(sum=sums["y"], base=sums["x"])


COLUMNS = ["estimate", "low", "high", "n", "effective"]


def shares(
    key: ArrayLike, group: ArrayLike, won: ArrayLike, groups: int | None = None, level: float = LEVEL
) -> pd.DataFrame:
    """Mean of win shares 0..1 by group 0, 1, ..., one row each up to the highest group, or `groups` rows.

    key, group, won: one entry per game; games with the same key are one cluster. Columns: estimate, low, high (NaN without
    games), n (games), effective (number of independent games with the same variance). Raises ValueError if lengths differ or a
    share is outside 0..1.
    """
    share, owner, cluster = np.asarray(won, np.float64), np.asarray(group, np.int64), np.asarray(key)
    if share.ndim != 1 or owner.shape != share.shape or cluster.shape != share.shape:
        raise ValueError(
            f"key {cluster.shape}, group {owner.shape} and won {share.shape} must be one-dimensional and of the same length"
        )
    if share.size and not (share.min() >= 0 and share.max() <= 1):
        raise ValueError(f"shares must lie in 0..1, found {share.min()}..{share.max()}")
    lines = int(owner.max(initial=-1)) + 1 if groups is None else groups
    ratio = rates(cluster, owner, share, np.ones(share.size), level).reindex(range(lines))
    estimate, clusters = ratio["estimate"].to_numpy(np.float64), ratio["n"].to_numpy(np.float64)
    n = np.nan_to_num(ratio["base"].to_numpy(np.float64))
    error = (ratio["high"] - ratio["low"]).to_numpy(np.float64) / 2
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


def p_against(rates: pd.DataFrame, fair: float) -> NDArray[np.float64]:
    """Two-sided p-values of rows of `shares` against `fair`: score test with the effective number of games."""
    gap = rates["estimate"].to_numpy(np.float64) - fair
    return np.asarray(2 * stats.norm.sf(np.abs(gap) * np.sqrt(rates["effective"] / (fair * (1 - fair)))))


def _worth(
    estimate: NDArray[np.float64], error: NDArray[np.float64], n: NDArray[np.float64], clusters: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Effective number of games, at most n. For a share of 0 or 1 the variance is unknown and each cluster is one game."""
    inner = (error > 0) & (estimate > 0) & (estimate < 1)
    worth = np.divide(estimate * (1 - estimate), error**2, out=np.full(n.size, np.inf), where=inner)
    worth = np.where((estimate == 0) | (estimate == 1) | (clusters == 1), clusters, worth)
    return np.minimum(worth, n)
