"""Which of two is stronger, with as few games as may be: the sequential probability ratio test with three decisions.

Observed are pairs of games with the same dice, once from each seat: the mean share of the first of the two, in 0..1. Its mean
less a half is the gap. Two tests run side by side, each with Wald's bounds (Wald 1945, Annals of Mathematical Statistics
16:117-186), as Sobel and Wald (1949, ibid. 20:502-522) and Armitage (1950, Journal of the Royal Statistical Society B 12:137-144)
do: a gap of nought against one of `margin`, and against one of -`margin`. The variance is not known, so that the likelihood
ratio is the generalised one, with the estimate in its place (Li, Liu and Ying 2014, Sequential Analysis 33:539-563).

- FIRST or SECOND is stronger: a test has chosen its margin against nought. Wrong with a chance of at most alpha / 2 each if
  the gap is nought or lies on the other side.
- ALIKE, within the margin of each other: both tests have chosen nought. Wrong with a chance of at most alpha if the gap is the
  margin or more.

For gaps between nought and the margin both answers are right.
"""

from __future__ import annotations

from math import log

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

Floats = NDArray[np.float64]

FIRST, SECOND, ALIKE, OPEN = "first", "second", "alike", "not decided"

RUNS, STEPS, STEP = 2000, 600, 0.1  # simulated; the step in units of (deviation / margin)^2 pairs
PRIOR = 0.25  # variance of one pair that is taken for seen: pairs that happen to be alike do not make it nought


def bounds(alpha: float = 0.05) -> tuple[float, float]:
    """Wald's bounds of the log likelihood ratio: lower (nought is chosen), upper (the margin is). Raises ValueError.

    alpha: chance of a wrong decision, above 0 and below 0.5; the two ways to call one of two equals stronger share it.
    """
    if not 0 < alpha < 0.5:
        raise ValueError(f"alpha={alpha} must be above 0 and below 0.5: the chance of a wrong decision, such as 0.05")
    return log(alpha / (1 - alpha / 2)), log((1 - alpha) / (alpha / 2))


def checked_margin(points: float) -> float:
    """Margin as a share from percentage points. Raises ValueError unless above 0 and below 50."""
    if not 0 < points < 50:
        raise ValueError(
            f"margin={points:g} must be above 0 and below 50: a gap from 50 % in percentage points, such as 1"
        )
    return points / 100


def log_ratios(total: ArrayLike, squares: ArrayLike, pairs: ArrayLike, margin: float) -> tuple[Floats, Floats]:
    """Log likelihood ratios of gaps of `margin` and of -`margin` against nought, each of the shape of `total`.

    total, squares: sums over pairs of the share less a half, and of its square; pairs: how many, at least 1.
    """
    s, n = np.asarray(total, np.float64), np.asarray(pairs, np.float64)
    variance = (np.asarray(squares, np.float64) - s * s / n + PRIOR) / n
    return margin * (s - n * margin / 2) / variance, margin * (-s - n * margin / 2) / variance


def decisions(
    total: ArrayLike, squares: ArrayLike, pairs: ArrayLike, margin: float, alpha: float = 0.05
) -> pd.DataFrame:
    """Decide runs that were looked at again and again: columns decision and look (its number, the last where OPEN).

    total, squares: (runs, looks) sums so far, as in `log_ratios`; pairs: (looks,) or (runs, looks) how many so far. Each of the
    two tests ends where it first passes a bound; one that has chosen nought does not go on.
    """
    return _decided(*log_ratios(total, squares, pairs, margin), alpha)


def characteristics(gap: ArrayLike, margin: float, deviation: float, alpha: float = 0.05) -> pd.DataFrame:
    """How long the tests take and what they say at a gap: columns gap, pairs (mean), first, second, alike (chances).

    gap: shares less a half, one-dimensional; deviation: standard deviation of the share of a pair, above 0. From RUNS simulated
    Brownian motions, always the same: gap and pairs enter through gap / margin and pairs (margin / deviation)^2 alone.
    """
    gaps = np.atleast_1d(np.asarray(gap, np.float64))
    if not deviation > 0 or not margin > 0:
        raise ValueError(f"margin={margin} and deviation={deviation} must be above 0")
    time = STEP * np.arange(1, STEPS + 1)
    noise = np.sqrt(STEP) * np.random.default_rng(0).standard_normal((RUNS, STEPS)).cumsum(axis=1)
    lines = []
    for one in (gaps / margin).tolist():
        up = noise + (one - 0.5) * time
        found = _decided(up, -time - up, alpha)
        share = {name: float((found["decision"] == name).mean()) for name in (FIRST, SECOND, ALIKE)}
        lines.append({"gap": one * margin, "pairs": time[found["look"]].mean() * (deviation / margin) ** 2, **share})
    return pd.DataFrame(lines)


def fixed_pairs(margin: float, deviation: float, alpha: float = 0.05) -> float:
    """Pairs of a test of fixed size that tells a gap of `margin` from nought as reliably."""
    quantiles = stats.norm.isf(alpha / 2) + stats.norm.isf(alpha)
    return float((deviation / margin * quantiles) ** 2)


def _decided(up: Floats, down: Floats, alpha: float) -> pd.DataFrame:
    """The table of `decisions` from the log likelihood ratios of the two tests, (runs, looks)."""
    last = up.shape[1] - 1
    chosen_up, when_up = _first_passage(up, alpha)
    chosen_down, when_down = _first_passage(down, alpha)
    first, second = chosen_up > 0, (chosen_down > 0) & ~((chosen_up > 0) & (when_up <= when_down))
    alike = (chosen_up < 0) & (chosen_down < 0)
    decision = np.select([second, first, alike], [SECOND, FIRST, ALIKE], OPEN)
    look = np.select([second, first, alike], [when_down, when_up, np.maximum(when_up, when_down)], last)
    return pd.DataFrame({"decision": decision, "look": look})


def _first_passage(ratio: Floats, alpha: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which bound each run passes first (1 upper, -1 lower, 0 none) and at which look; the number of looks where none."""
    lower, upper = bounds(alpha)
    beyond = np.where(ratio >= upper, 1, np.where(ratio <= lower, -1, 0))
    passed = (beyond != 0).any(axis=1)
    when = np.where(passed, np.argmax(beyond != 0, axis=1), ratio.shape[1])
    chosen = np.where(passed, beyond[np.arange(len(ratio)), np.minimum(when, ratio.shape[1] - 1)], 0)
    return chosen, when
