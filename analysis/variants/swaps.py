"""What it is worth to sit on one side: going first, being played by the better policy, in games of two seats.

Games that share their dice and differ in who has the advantage are compared with each other: what the teams and the dice
bring then falls out of the difference.
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
    """Win share of one side and of the other, and their difference with its interval and p-value (against none).

    n: groups of games that share their dice, the observations; games: all of them. gain: how many times as many games without
    shared dice would give an interval of this width.
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
    """Win share of the seats that have something less that of their opponents, over games of two seats.

    share: (games, 2), win shares by seat, all 0 in a truncated game; side: seat 0 or 1 that has it; dice: which games roll the
    same dice, any whole numbers. Games of a group count as their mean, so that games that are the same twice count once. The
    interval is that of paired changes (`pairs.paired_changes`). Raises ValueError without games or where lengths differ.
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
            f"share {won.shape} must be (games, 2) with at least one game, side {seat.shape} and dice {key.shape} fit"
        )
    if not np.isin(seat, (0, 1)).all():
        raise ValueError(f"side must be 0 or 1, found {seat.min()}..{seat.max()}")
    here, there = (np.take_along_axis(won, side[:, None], axis=1)[:, 0] for side in (seat, 1 - seat))
    _, group = np.unique(key, return_inverse=True)
    n = np.bincount(group)
    first, second = (np.bincount(group, values) / n for values in (here, there))
    apart = first - second
    table = paired_changes([apart.clip(min=0).sum()], [(-apart).clip(min=0).sum()], [len(n)], level)
    change, low, high, p = (float(table[name].iloc[0]) for name in ("change", "low", "high", "p"))
    gain = _gain(here - there, high - low, level)
    return Advantage(float(first.mean()), float(second.mean()), change, low, high, p, len(n), len(won), gain)


def _gain(apart: NDArray[Any], width: float, level: float) -> float:
    """Width of the interval as if every game were by itself, over the width found, squared."""
    alone = proportions([(1 + float(np.mean(apart))) / 2 * len(apart)], [len(apart)], level).iloc[0]
    return (2 * float(alone["high"] - alone["low"]) / width) ** 2 if width > 0 else float("inf")
