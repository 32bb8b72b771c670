"""Value of an advantage, such as going first or having the better policy, in games of two seats.

Games that share their dice and differ in which side has the advantage are compared with each other, so that the effects of
teams and dice cancel.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.stats.intervals import LEVEL, proportions
from analysis.stats.paired import paired_changes

SEATS = 2


@dataclass(frozen=True)
class Advantage:
    """Win shares of both sides, and their difference with its interval and p-value (against zero).

    n: groups of games that share their dice, the observations; games: number of games. gain: how many times as many games
    without shared dice would give an interval of this width.
    """

    first: float
    second: float
    change: float
    low: float
    high: float
    p: float
    n: int
    games: int
    gain: float


def advantage(share: ArrayLike, side: ArrayLike, dice: ArrayLike, level: float = LEVEL) -> Advantage:
    """Win share of the seats with an advantage minus that of their opponents, over games of two seats.

    share: (games, 2), win shares by seat, all 0 in a truncated game; side: the seat (0 or 1) with the advantage; dice: any
    integers, equal for games with the same dice. Games of a group count as their mean, so identical games count once. The
    interval is that of `paired_changes`. Raises ValueError without games or if lengths differ.
    """
    won, seat, key = np.asarray(share, np.float64), np.asarray(side, np.int64), np.asarray(dice)
    if (
        won.ndim != SEATS
        or won.shape[1] != SEATS
        or not len(won)
        or seat.shape != (len(won),)
        or key.shape != seat.shape
    ):
        raise ValueError(
            f"share {won.shape} must be (games, 2), with games; side {seat.shape} and dice {key.shape} must be (games,)"
        )
    if not np.isin(seat, (0, 1)).all():
        raise ValueError(f"side must be 0 or 1, found {seat.min()}..{seat.max()}")
    here, there = (np.take_along_axis(won, side[:, None], axis=1)[:, 0] for side in (seat, 1 - seat))
    _, group = np.unique(key, return_inverse=True)
    n = np.bincount(group)
    first, second = (np.bincount(group, values) / n for values in (here, there))
    difference = first - second
    table = paired_changes([difference.clip(min=0).sum()], [(-difference).clip(min=0).sum()], [len(n)], level)
    change, low, high, p = (float(table[name].iloc[0]) for name in ("change", "low", "high", "p"))
    gain = _gain(here - there, high - low, level)
    return Advantage(float(first.mean()), float(second.mean()), change, low, high, p, len(n), len(won), gain)


def _gain(differences: NDArray[Any], width: float, level: float) -> float:
    """Squared ratio of the interval's width as if all games were independent to its actual width."""
    alone = proportions([(1 + float(np.mean(differences))) / 2 * len(differences)], [len(differences)], level).iloc[0]
    return (2 * float(alone["high"] - alone["low"]) / width) ** 2 if width > 0 else float("inf")
