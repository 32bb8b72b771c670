"""A finished match in Elo points: difference in strength, and the sequential test that is usual for game-playing programs.

A share s of the points is a difference of -400 log10(1/s - 1) Elo points. The generalised sequential probability ratio test
compares a difference of `elo_low` with `elo_high` by the ratio of the largest likelihoods of wins, draws and losses under either;
the share of draws is estimated (Van den Bergh 2019, The generalized maximum likelihood ratio for the expectation value of a
distribution). Wald's bounds (1945, Annals of Mathematical Statistics 16:117-186) decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, isfinite, log, log10

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import ndtr

from analysis.stats.intervals import LEVEL, proportions

POINTS = np.array([0.0, 0.5, 1.0])  # of a loss, a draw and a win
LEAST = 1e-3  # games of a result that did not occur, so that its chance can be above zero
NEARLY = 1e-12

BETTER, WORSE, OPEN = "elo_high", "elo_low", "not decided"


@dataclass(frozen=True)
class Match:
    """Result of a match. elo: difference with its interval at 95 %, infinite where all games went one way.

    superiority: probability that the first is stronger, if all differences were equally likely beforehand. ratio: log likelihood
    ratio of elo_high against elo_low; lower, upper: bounds at which one of them is accepted; decision: BETTER, WORSE or OPEN.
    """

    wins: int
    losses: int
    draws: int
    share: float
    elo: float
    low: float
    high: float
    superiority: float
    elo_low: float
    elo_high: float
    alpha: float
    ratio: float
    lower: float
    upper: float
    decision: str


def match_of(wins: int, losses: int, draws: int, elo_low: float = 0.0, elo_high: float = 5.0, alpha: float = 0.05) -> Match:
    """Analyse a finished match. elo_low, elo_high: hypotheses, elo_low the smaller; alpha: risk of either error.

    Raises ValueError for negative counts, no games, or hypotheses that are not in order.
    """
    counts = {"wins": wins, "losses": losses, "draws": draws}
    for name, count in counts.items():
        if count != int(count) or count < 0:
            raise ValueError(f"{name}={count} must be a whole number of games, at least 0")
    games = wins + losses + draws
    if games < 1:
        raise ValueError("wins=0, losses=0, draws=0: there must be at least one game")
    if not (isfinite(elo_low) and isfinite(elo_high) and elo_low < elo_high):
        order = f"elo_low={elo_low:g} must be below elo_high={elo_high:g}"
        raise ValueError(f"{order}: the differences in strength that the test tells apart")
    if not 0 < alpha < 0.5:
        raise ValueError(f"alpha={alpha:g} must be above 0 and below 0.5: the risk of a wrong decision, such as 0.05")
    row = proportions([wins + draws / 2], [games], LEVEL, shared=[draws / 4]).iloc[0]
    decided = wins + losses
    superiority = float(ndtr((wins - losses) / decided**0.5)) if decided else 0.5
    ratio = log_ratio(np.array([losses, draws, wins]), share_of(elo_low), share_of(elo_high))
    upper = log((1 - alpha) / alpha)
    decision = BETTER if ratio >= upper else WORSE if ratio <= -upper else OPEN
    elo, low, high = (elo_of(float(row[name])) for name in ("estimate", "low", "high"))
    known = (wins, losses, draws, float(row["estimate"]), elo, low, high, superiority)
    return Match(*known, elo_low, elo_high, alpha, ratio, -upper, upper, decision)


def elo_of(share: float) -> float:
    """Elo points of a share of the points, 0..1."""
    if share <= 0 or share >= 1:
        return float("inf") if share >= 1 else -float("inf")
    return -400 * log10(1 / share - 1)


def share_of(elo: float) -> float:
    """Share of the points at a difference in Elo points."""
    return 1 / (1 + exp(-elo * log(10) / 400))


def log_ratio(counts: NDArray[np.integer], share0: float, share1: float) -> float:
    """Log likelihood ratio of two shares of the points, each with the chances of the results that fit them best."""
    weight = np.maximum(counts, LEAST)
    chances = [_likeliest(weight / weight.sum(), share) for share in (share0, share1)]
    return float(weight @ np.log(chances[1] / chances[0]))


def _likeliest(observed: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Chances of a loss, a draw and a win with the highest likelihood among those whose mean is `share`."""
    away = POINTS - share

    def mean(tilt: float) -> float:
        return float((observed * away / (1 + tilt * away)).sum())

    ends = -1 / away[-1], -1 / away[0]
    tilt = scipy.optimize.brentq(mean, ends[0] + NEARLY * abs(ends[0]), ends[1] - NEARLY * abs(ends[1]), xtol=1e-14)
    return np.asarray(observed / (1 + tilt * away))
