"""Tests and intervals that hold however often one looks.

Confidence sequences: intervals that hold at every number of games at once, so that one may look at any time and stop.

An interval for a fixed number of games, looked at again and again until it says what one likes to hear, is wrong far more often
than its level says. A confidence sequence pays for the looking with about 1.5 times the width.

Win shares 0..1 of single games: the beta-binomial mixture (Robbins 1970, Annals of Mathematical Statistics 41:1397-1409; Howard,
Ramdas, McAuliffe and Sekhon 2021, Annals of Statistics 49:1055-1080). For each chance p that is asked about, the likelihood
ratio of other chances against p, averaged over a beta distribution around p, is a martingale, and passes 1 / alpha at any
time with a chance of at most alpha (Ville 1939). For shared wins it is a supermartingale, for the ratio is convex in the share;
so it is over whole passes of a design, in which chances differ from game to game and p is their mean.

Shares of games that hang together (pairs, rounds): the asymptotic confidence sequence (Waudby-Smith, Arbour, Sinha, Kennedy and
Ramdas 2024, Annals of Statistics 52:2613-2640), with groups as observations and the variance between them.

Which of two is stronger, with as few games as may be: the sequential probability ratio test with three decisions.

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

from math import ceil, exp, isfinite, log, log1p

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.special import betaln, xlog1py, xlogy

from analysis.stats import clusters
from analysis.stats.intervals import LEVEL

Floats = NDArray[np.float64]

HALVINGS = 50  # of an interval of width 1
LEAST_CLUSTERS = 30  # below it a mean of groups is not yet known to be near normal: bounds 0 and 1
LARGEST_VARIANCE = 0.25  # of a share in 0..1


def share_sequence(wins: ArrayLike, games: ArrayLike, tuned: float, level: float = LEVEL) -> pd.DataFrame:
    """Bounds of win shares at these numbers of games: columns estimate, low, high, n; NaN and bounds 0 and 1 without games.

    wins, games: one-dimensional, of one length, sums of shares 0..1 over independent games; not whole where games that hang
    together count in part. tuned: games at which the bounds are to be narrowest, chosen before the first game. Raises ValueError
    for wins outside 0..games.
    """
    won, n = _counted(wins, games)
    weight, limit = _weight(tuned, level), -log(1 - level)
    estimate = np.divide(won, n, out=np.full(n.size, np.nan), where=n > 0)
    start = np.nan_to_num(estimate, nan=0.5)
    low = _edge(won, n, (start, np.zeros(n.size)), weight, limit)
    high = _edge(won, n, (start, np.ones(n.size)), weight, limit)
    return pd.DataFrame({"estimate": estimate, "low": low, "high": high, "n": n.astype(np.int64)})


def share_p(wins: ArrayLike, games: ArrayLike, share: ArrayLike, tuned: float, level: float = LEVEL) -> Floats:
    """p-values of win shares against `share` in 0..1, one or one each, valid whenever one stops: 1 / the mixture martingale.

    See `share_sequence`. NaN without games or without a share to test.
    """
    won, n = _counted(wins, games)
    tested, known = _tested(share, n.size)
    found = np.exp(-np.maximum(0.0, _log_mixture(tested, won, n, _weight(tuned, level))))
    return np.where(known & (n > 0), found, np.nan)


def mean_sequence(sums: pd.DataFrame, tuned: float, level: float = LEVEL) -> pd.DataFrame:
    """Bounds of win shares over groups of games: columns estimate, low, high, n (games), clusters (groups).

    sums: as `clusters.ClusterSums.table`, one line each; groups are independent of each other. tuned: groups at which the bounds
    are to be narrowest. The variance between groups holds a quarter more for one group (Waudby-Smith and Ramdas 2024, Journal
    of the Royal Statistical Society B 86:1-27), so that groups that happen to be alike do not make it nought. A share of exactly
    0 or 1 has the bounds of `share_sequence` with each group as a game; below LEAST_CLUSTERS groups bounds are 0 and 1.
    """
    return sequence_of(clusters.shares(sums, level), tuned, level)


def sequence_of(found: pd.DataFrame, tuned: float, level: float = LEVEL) -> pd.DataFrame:
    """`mean_sequence` of estimates in 0..1 that are nearly means over groups. found: estimate, error, n, clusters (groups)."""
    groups, estimate = found["clusters"].to_numpy(np.float64), found["estimate"].to_numpy(np.float64)
    half = _deviations(groups, tuned, level) * _errors(found)
    low, high = np.clip(estimate - half, 0, 1), np.clip(estimate + half, 0, 1)
    edge = np.isin(estimate, (0.0, 1.0))
    if edge.any():
        alike = share_sequence(estimate[edge] * groups[edge], groups[edge], tuned, level)
        low[edge], high[edge] = alike["low"], alike["high"]
    known = groups >= LEAST_CLUSTERS
    bounds = {"low": np.where(known, low, 0.0), "high": np.where(known, high, 1.0)}
    return found[["estimate"]].assign(**bounds, n=found["n"], clusters=found["clusters"])


def mean_p(sums: pd.DataFrame, share: ArrayLike, tuned: float, level: float = LEVEL) -> Floats:
    """p-values against `share`, one or one each, of `mean_sequence`, valid whenever one stops; NaN without a share to test."""
    return p_of(clusters.shares(sums, level), share, tuned, level)


def p_of(found: pd.DataFrame, share: ArrayLike, tuned: float, level: float = LEVEL) -> Floats:
    """`mean_p` of the estimates of `sequence_of`."""
    groups = found["clusters"].to_numpy(np.float64)
    tested, known = _tested(share, groups.size)
    time = groups * _mixing(level) / tuned
    error = np.where(groups > 0, _errors(found), 1.0)
    z = (found["estimate"].to_numpy(np.float64) - tested) / error
    evidence = z**2 * time / (2 * (time + 1)) - np.log1p(time) / 2
    found_p = np.exp(-np.maximum(0.0, np.nan_to_num(evidence)))
    return np.where(known & (groups > 0), np.where(groups >= LEAST_CLUSTERS, found_p, 1.0), np.nan)


def games_needed(half_width: float, share: float = 0.5, level: float = LEVEL) -> int:
    """Independent games after which a confidence sequence tuned for them has this half-width (a share, 0.005 is half a point).

    share: the win share expected. Raises ValueError unless half_width lies between 0 and 0.5 and share in 0..1.
    """
    if not 0 < half_width <= 0.5 or not 0 <= share <= 1:
        raise ValueError(f"half_width={half_width} must be above 0 and at most 0.5, share={share} in 0..1")
    variance = max(share * (1 - share), half_width * (1 - half_width))
    return ceil(variance * (deviations_at_best(level) / half_width) ** 2)


def deviations_at_best(level: float = LEVEL) -> float:
    """Standard errors from the estimate to its bounds where they are narrowest: 3.04 at 95 %, against 1.96 for a fixed n."""
    mixing = _mixing(level)
    return float(np.sqrt(2 * (mixing + 1) / mixing * (log1p(mixing) / 2 - log(1 - level))))


def looks(games: int, unit: int, first: int, growth: float) -> list[int]:
    """Numbers of games after which a run is looked at: whole units, growing geometrically from `first`, `games` the last.

    They depend on `games` in the last look alone, so that a longer run looks where a shorter one did. Raises ValueError unless
    all are at least 1 and growth is above 1.
    """
    if min(games, unit, first) < 1 or not growth > 1:
        raise ValueError(f"games={games}, unit={unit}, first={first} must be at least 1, growth={growth} above 1")
    found: list[int] = []
    wanted = float(first)
    while wanted < games:
        look = ceil(wanted / unit) * unit
        if look < games and (not found or look > found[-1]):
            found.append(look)
        wanted *= growth
    return [*found, games]


def half_widths(found: pd.DataFrame) -> Floats:
    """Distance from the estimate to the farther bound, 1 where there is no estimate."""
    estimate, low, high = (found[name].to_numpy(np.float64) for name in ("estimate", "low", "high"))
    return np.asarray(np.nan_to_num(np.maximum(estimate - low, high - estimate), nan=1.0))


def _counted(wins: ArrayLike, games: ArrayLike) -> tuple[Floats, Floats]:
    """Wins and games as floats. Raises ValueError where they do not fit."""
    won, n = np.asarray(wins, np.float64), np.asarray(games, np.float64)
    if won.ndim != 1 or won.shape != n.shape:
        raise ValueError(f"wins {won.shape} and games {n.shape} must be of one length")
    fits = (won >= 0) & (won <= n * (1 + 1e-9))  # shares of a third, summed
    if not fits.all():
        at = int(np.argmin(fits))
        raise ValueError(f"wins[{at}]={won[at]} must be in 0..games={n[at]}")
    return np.minimum(won, n), n


def _tested(share: ArrayLike, size: int) -> tuple[Floats, NDArray[np.bool_]]:
    """Shares to test, one each, and whether they lie in 0..1; one half stands for those that do not."""
    wanted = np.broadcast_to(np.asarray(share, np.float64), (size,))
    known = (wanted > 0) & (wanted < 1)
    return np.where(known, wanted, 0.5), known


def _weight(tuned: float, level: float) -> float:
    """Games that the beta distribution of the mixture is worth, so that the bounds are narrowest at `tuned` games."""
    if not (tuned > 0 and isfinite(tuned)):
        raise ValueError(f"tuned={tuned} must be a number of games above 0")
    return tuned / _mixing(level)


def _mixing(level: float) -> float:
    """Time, in units of the mixture's weight, at which a normal mixture is narrowest (Waudby-Smith et al. 2024, appendix)."""
    if not 0 < level < 1:
        raise ValueError(f"level={level} must lie between 0 and 1")
    twice = -2 * log(1 - level)
    return twice + log1p(twice)


def _log_mixture(p: Floats, won: Floats, n: Floats, weight: float) -> Floats:
    """Logarithm of the likelihood of the games, averaged over chances beta-distributed around p, against that of p."""
    p = np.clip(p, exp(-500), 1 - np.finfo(np.float64).eps)
    a, b = weight * p, weight * (1 - p)
    return np.asarray(betaln(a + won, b + n - won) - betaln(a, b) - xlogy(won, p) - xlog1py(n - won, -p))


def _edge(won: Floats, n: Floats, between: tuple[Floats, Floats], weight: float, limit: float) -> Floats:
    """Bound between the estimate and an end of 0..1: the farthest chance that is not refuted, by bisection."""
    inside, outside = (side.copy() for side in between)
    kept = (n == 0) | (_log_mixture(outside, won, n, weight) < limit)
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        holds = _log_mixture(middle, won, n, weight) < limit
        inside, outside = np.where(holds, middle, inside), np.where(holds, outside, middle)
    return np.where(kept, between[1], outside)


def _deviations(groups: Floats, tuned: float, level: float) -> Floats:
    """Standard errors from the estimate to its bounds after so many groups."""
    if not (tuned > 0 and isfinite(tuned)):
        raise ValueError(f"tuned={tuned} must be a number of groups above 0")
    time = np.maximum(groups, 1.0) * _mixing(level) / tuned
    return np.asarray(np.sqrt(2 * (time + 1) / time * (np.log1p(time) / 2 - log(1 - level))))


def _errors(found: pd.DataFrame) -> Floats:
    """Standard errors of lines of `clusters.shares`, with a quarter more for one group."""
    groups = np.maximum(found["clusters"].to_numpy(np.float64), 1.0)
    between = np.nan_to_num(found["error"].to_numpy(np.float64)) ** 2 * groups
    return np.asarray(np.sqrt(((groups - 1) * between + LARGEST_VARIANCE) / groups / groups))


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
