"""Two numbers at once: a surface of win rates over the values of both, and whether one's effect depends on the other.

All points play the same games with the same dice, so that a game gives a value at every point; truncated games are left out.
Interaction contrasts of a game are its values with the means of rows and columns taken out; that their mean is zero is tested as
any mean vector is (Hotelling 1931, Annals of Mathematical Statistics 2:360-378). Games that share their dice are one observation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import linalg, stats

from analysis.batches import played
from analysis.compare import by_entrant
from analysis.estimates import LEVEL, proportions
from analysis.points import Grid
from analysis.whatif import part_of
from sim.experiment import Experiment

Floats = NDArray[np.float64]

FIELDS = 2


@dataclass(frozen=True, eq=False)
class Surface:
    """Win rates over a grid of two fields.

    cells: first, second (values), estimate, low, high (Wilson), n. corners: for each point at which both differ from now: first,
    second, alone (sum of the two changes, each made alone), both (change with both), change (both less alone), low, high
    (Student's t, Bonferroni over the corners), n. p: of no interaction at all.
    """

    grid: Grid
    cells: pd.DataFrame
    corners: pd.DataFrame
    p: float


def surface(
    base: Experiment, grid: Grid, unit: int, jobs: int | None = None, told: Callable[[int], None] | None = None
) -> Surface:
    """Play every point of a grid of two fields. unit: whose win rate. Raises ValueError for another number of fields."""
    if len(grid.paths) != FIELDS:
        raise ValueError(f"{len(grid.paths)} fields: a surface is of {FIELDS}")
    games = part_of(base, 0, base.games, unit)
    sizes = [len(values) for values in grid.values]
    points = list(product(*map(range, sizes)))
    group = base.round_of(games.index) if base.teams else base.pair_of(games.index)
    values, counts = [], []
    for shares in played([replace(games, cards=grid.cards_at(point)) for point in points], jobs, told):
        seated = shares.of_parts(base.teams.members) if base.teams else shares
        sits = by_entrant(seated.entrant, seated.share, len(grid.units))[0][:, unit]
        counted, share = (one[:, unit] for one in seated.counted(len(grid.units)))
        values.append(np.where(sits > 0, _valued(share, counted, sits), np.nan))
        counts.append(counted.sum())
    table = np.array(values).T
    known = np.isfinite(table).all(axis=1)
    table, group = table[known].reshape(-1, *sizes), group[known]
    means = _by_group(table, group)
    return Surface(grid, _cells(grid, table, np.array(counts)), corners(grid, means), no_interaction(means))


def _valued(share: Floats, counted: Floats, sits: Floats) -> Floats:
    """A value of each game whose mean over the games of a unit is its wins / finished games: the share where all are finished.

    share, counted, sits: (games,), of the unit: win share, finished, sits in it. Linearised as any ratio.
    """
    games, finished = float(sits.sum()), float(counted.sum())
    if games == finished:
        return share
    rate = float(share.sum()) / finished if finished else float("nan")
    return np.asarray(rate + (share - rate * counted) * games / max(1.0, finished))


def no_interaction(values: Floats) -> float:
    """p-value of rows and columns adding up. values: (observations, rows, columns)."""
    n, rows, columns = values.shape
    left, right = linalg.helmert(rows), linalg.helmert(columns)
    contrast = np.einsum("ir,nrc,jc->nij", left, values, right).reshape(n, -1)
    mean, covariance = contrast.mean(axis=0), np.atleast_2d(np.cov(contrast, rowvar=False))
    rank = int(np.linalg.matrix_rank(covariance, tol=1e-12, hermitian=True))
    if not rank or n <= rank:
        return 1.0
    squared = float(n * mean @ np.linalg.pinv(covariance, rcond=1e-10, hermitian=True) @ mean)
    return float(stats.f.sf(squared * (n - rank) / (rank * (n - 1)), rank, n - rank))


def _by_group(values: Floats, group: NDArray[np.int64]) -> Floats:
    """Means of the games that share their dice."""
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    counts = np.diff([*starts.tolist(), len(group)])
    return np.asarray(np.add.reduceat(values, starts) / counts[:, None, None])


def _cells(grid: Grid, table: Floats, counts: Floats) -> pd.DataFrame:
    """Win rate at every point. counts: finished games of each."""
    n = np.minimum(counts, len(table)).round().astype(np.int64)
    rates = proportions((table.mean(axis=0).ravel() * n).clip(0, n), n)
    places = list(product(*grid.values))
    return pd.DataFrame(places, columns=["first", "second"]).join(rates)


def corners(grid: Grid, means: Floats) -> pd.DataFrame:
    """What both changes do at once, less what they do one by one: `Surface.corners`, with low and high.

    means: value of each observation at each point, (observations, rows, columns).
    """
    now = grid.middle
    sizes = means.shape[1:]
    places = [(a, b) for a, b in product(*map(range, sizes)) if a != now[0] and b != now[1]]
    z = float(stats.t.ppf(1 - (1 - LEVEL) / 2 / max(1, len(places)), len(means) - 1))
    lines = []
    for a, b in places:
        start = means[:, now[0], now[1]]
        alone = means[:, a, now[1]] + means[:, now[0], b] - 2 * start
        extra = means[:, a, b] - start - alone
        half = z * float(extra.std(ddof=1)) / np.sqrt(len(extra))
        change = float(extra.mean())
        facts = {"first": grid.values[0][a], "second": grid.values[1][b], "alone": float(alone.mean())}
        facts |= {"both": float((means[:, a, b] - start).mean()), "change": change}
        lines.append({**facts, "low": change - half, "high": change + half, "n": len(extra)})
    return pd.DataFrame(lines)
