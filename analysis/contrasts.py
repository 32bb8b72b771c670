"""What win shares go along with: those of seats that have something less those that have not, correlation by ranks.

The seats of a game share one win, so that they are not independent: whoever has a part wins at the cost of a neighbour
without it. Both intervals take whole games for the observations.
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis.estimates import LEVEL, Interval, adjust

Floats = NDArray[np.float64]

GROUPS = 50  # of games, each left out once by the jackknife
LEAST_GROUPS = 10  # fewer games give no interval


def win_gains(frame: pd.DataFrame, has: NDArray[np.bool_], level: float = LEVEL) -> pd.DataFrame:
    """Win share of the seats that have a part less that of the seats that have not, one line per part.

    frame: see `frames.seats_frame`, whole finished games of one number of seats, seat by seat; has: (lines, parts).
    Columns: have, lack (win shares), change, low, high, p (no difference; score test over games), p_holm, n_have, n_lack
    (seats). The interval is Newcombe's (1998, Statistics in Medicine 17:873-890, method 10) over games instead of seats:
    Wilson's bounds of both sides with their effective sizes (Korn and Graubard 1998, Survey Methodology 24:193-201), joined
    with their correlation (Zou and Donner 2008, Statistics in Medicine 27:1693-1702). With a seat to a game it is his. NaN
    where all seats have a part or none has. Raises ValueError for games that are not whole.
    """
    seats = _seats_of(frame)
    share = frame["share"].to_numpy(np.float64)
    lines = [_gain(share.reshape(-1, seats), has[:, part].reshape(-1, seats), level) for part in range(has.shape[1])]
    table = pd.DataFrame(lines)
    return table.assign(p_holm=adjust(table["p"])) if len(table) else table


def rank_correlation(frame: pd.DataFrame, values: ArrayLike, level: float = LEVEL) -> Interval:
    """Spearman's correlation of win share and a value per seat; its interval by leaving out groups of games.

    frame: as for `win_gains`; values: one per line, infinite is later than all. Fisher's transform, delete-a-group
    jackknife (Kott 2001, Journal of Official Statistics 17:521-526) over GROUPS groups of games, Student's t. Bounds are NaN
    with fewer than LEAST_GROUPS games, all is NaN where one side never varies. n: seats.
    """
    seats = _seats_of(frame)
    games = len(frame) // seats
    groups = min(GROUPS, games)
    kinds, cells = [], []
    for column in (np.asarray(values, np.float64), frame["share"].to_numpy(np.float64)):
        known, at = np.unique(column, return_inverse=True)
        kinds.append(known.size)
        cells.append(at.ravel())
    shape = (groups, *kinds)
    group = np.repeat(np.arange(games) % max(1, groups), seats)
    counts = np.bincount(np.ravel_multi_index((group, *cells), shape), minlength=int(np.prod(shape))).reshape(shape)
    whole = counts.sum(axis=0)
    centre = _spearman(whole)
    if groups < LEAST_GROUPS or not abs(centre) < 1:
        return Interval(centre, np.nan, np.nan, len(frame), level, "jackknife")
    left = np.arctanh([np.clip(_spearman(whole - part), -1 + 1e-12, 1 - 1e-12) for part in counts])
    half = stats.t.ppf((1 + level) / 2, groups - 1) * np.sqrt((groups - 1) * np.var(left))
    low, high = np.tanh(np.arctanh(centre) + np.array([-half, half]))
    return Interval(centre, float(low), float(high), len(frame), level, "jackknife")


def _seats_of(frame: pd.DataFrame) -> int:
    """Give the one number of seats of whole games in order."""
    seats = int(frame["seats"].iloc[0]) if len(frame) else 1
    if not np.array_equal(frame["seat"], np.tile(np.arange(seats), len(frame) // seats)):
        raise ValueError(f"the table must hold whole games of {seats} seats, seat by seat")
    return seats


def _gain(share: Floats, has: NDArray[np.bool_], level: float) -> dict[str, Any]:
    """One line of `win_gains`; share, has: (games, seats)."""
    sides = (has, ~has)
    n = [int(side.sum()) for side in sides]
    rate = [float(share[side].mean()) if size else np.nan for side, size in zip(sides, n, strict=True)]
    line: dict[str, Any] = {"have": rate[0], "lack": rate[1], "n_have": n[0], "n_lack": n[1]}
    if not all(n):
        return line | dict.fromkeys(("change", "low", "high", "p"), np.nan)
    apart = [np.where(side, share - rate[at], 0).sum(axis=1) / n[at] for at, side in enumerate(sides)]
    error = [float(part @ part) for part in apart]
    tie = float(apart[0] @ apart[1]) / np.sqrt(error[0] * error[1]) if min(error) > 0 else 0.0
    bounds = [_wilson(rate[at], n[at], error[at], level) for at in range(2)]
    down, up = ([abs(rate[at] - bounds[at][end]) for at in range(2)] for end in range(2))
    change = rate[0] - rate[1]
    line |= {"change": change, "low": max(-1.0, change - _joined(down[0], up[1], tie))}
    line |= {"high": min(1.0, change + _joined(up[0], down[1], tie))}
    centred = share - share.mean()
    pull = np.where(has, centred / n[0], -centred / n[1]).sum(axis=1)
    spread = float(np.sqrt(pull @ pull))
    return line | {"p": float(2 * stats.norm.sf(abs(change) / spread)) if spread > 0 else 1.0}


def _wilson(rate: float, n: int, variance: float, level: float) -> tuple[float, float]:
    """Wilson's bounds of a share with as many observations as its variance over games is worth."""
    worth = rate * (1 - rate) / variance if variance > 0 else n
    low, high = proportion_confint(rate * worth, worth, alpha=1 - level, method="wilson")
    return float(low), float(high)


def _joined(one: float, other: float, tie: float) -> float:
    """Distance of a bound of a difference from the distances of both sides, whose correlation is `tie`."""
    return float(np.sqrt(max(0.0, one * one - 2 * tie * one * other + other * other)))


def _spearman(counts: NDArray[Any]) -> float:
    """Spearman's correlation of a table of counts, rows and columns in rising order; NaN where one side is constant."""
    n = counts.sum()
    ranks = [np.cumsum(edge) - edge / 2 - n / 2 for edge in (counts.sum(axis=1), counts.sum(axis=0))]
    spread = [float(edge @ rank**2) for edge, rank in zip((counts.sum(axis=1), counts.sum(axis=0)), ranks, strict=True)]
    if min(spread) <= 0:
        return float("nan")
    return float(ranks[0] @ counts @ ranks[1] / np.sqrt(spread[0] * spread[1]))
