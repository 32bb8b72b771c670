"""Paired win shares: the same games played twice, and the change of the win rate between the two; what changes are worth.

A change d of a game lies in -1..1. All that is needed are two sums over the pairs: `up`, of what was gained where d > 0, and
`down`, of what was lost where d < 0. A half change counts as half a chance of a whole one: the mean of d^2 is at most that
of |d|, so that intervals and tests are right for whole wins and too wide rather than too narrow for shared ones.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from analysis.estimates import LEVEL, Interval, p_against

Floats = NDArray[np.float64]

ALIKE = 1e-9  # a standard error below it is what is left of sums that cancel
HALVINGS = 60  # of an interval of width 2: down to the last digits of a float


@dataclass(frozen=True)
class PairedMean:
    """Means before and after, and the mean change over n pairs with its interval and p-value (against no change).

    gain: how many times as many games two unpaired samples would need; inf where no pair differs, nan where nothing varies.
    """

    before: float
    after: float
    change: float
    low: float
    high: float
    p: float
    n: int
    gain: float


def paired_mean(before: ArrayLike, after: ArrayLike, level: float = LEVEL) -> PairedMean:
    """Change of the mean of a quantity such as the length of a game, with Student's t interval over the pairs.

    before, after: one value per game, of one length of at least 2. Raises ValueError outside. Where no pair differs the
    interval has no width and p is 1: none of these games was touched.
    """
    if not 0 < level < 1:
        raise ValueError(f"level={level} must lie between 0 and 1")
    b, a = np.asarray(before, np.float64), np.asarray(after, np.float64)
    if b.ndim != 1 or b.shape != a.shape or b.size < 2 or not np.isfinite([b, a]).all():
        raise ValueError(f"before {b.shape} and after {a.shape} must be rows of one length of at least 2, all finite")
    change = a - b
    centre, error = float(change.mean()), float(change.std(ddof=1) / np.sqrt(b.size))
    half = float(stats.t.ppf((1 + level) / 2, b.size - 1)) * error
    p = float(2 * stats.t.sf(abs(centre) / error, b.size - 1)) if error > 0 else float(centre == 0)
    apart, paired = float(b.var(ddof=1) + a.var(ddof=1)), float(change.var(ddof=1))
    gain = apart / paired if paired > 0 else float("inf") if apart > 0 else float("nan")
    return PairedMean(float(b.mean()), float(a.mean()), centre, centre - half, centre + half, p, b.size, gain)


def exchange(bought: ArrayLike, paid: ArrayLike, level: float = LEVEL) -> Interval:
    """How many units of one thing do as much as a unit of another: mean of `bought` over mean of `paid`.

    bought, paid: what a unit of each does, one value per game, of one length of at least 2. Interval of Fieller (1954, Journal
    of the Royal Statistical Society B 16:175-185), from Student's t: all ratios r for which the mean of bought - r paid may
    be nought. Both bounds are infinite where what `paid` does is not sure. Raises ValueError outside.
    """
    if not 0 < level < 1:
        raise ValueError(f"level={level} must lie between 0 and 1")
    y, x = np.asarray(bought, np.float64), np.asarray(paid, np.float64)
    if y.ndim != 1 or y.shape != x.shape or y.size < 2 or not np.isfinite([y, x]).all():
        raise ValueError(f"bought {y.shape} and paid {x.shape} must be rows of one length of at least 2, all finite")
    up, down = float(y.mean()), float(x.mean())
    (yy, xy), (_, xx) = np.cov(y, x) * float(stats.t.ppf((1 + level) / 2, y.size - 1)) ** 2 / y.size
    sure, middle = down**2 - xx, up * down - xy
    if not sure > 0:
        estimate = up / down if down else float("nan")
        return Interval(estimate, -float("inf"), float("inf"), y.size, level, "fieller")
    half = float(np.sqrt(max(0.0, middle**2 - sure * (up**2 - yy))))
    return Interval(up / down, (middle - half) / sure, (middle + half) / sure, y.size, level, "fieller")


def paired_changes(up: ArrayLike, down: ArrayLike, n: ArrayLike, level: float = LEVEL) -> pd.DataFrame:
    """Mean change over pairs with its score interval (Tango 1998, Statistics in Medicine 17:891-908) and p-value.

    up, down: sums of gains and of losses, both at least 0; n: pairs, at least up + down; one-dimensional, of one length.
    Columns: change, low, high, p (against no change; see `p_changed`), n. Without any change the interval is not empty:
    0 of n pairs leaves room for a change in some z^2 = 4 of them. Raises ValueError outside.
    """
    if not 0 < level < 1:
        raise ValueError(f"level={level} must lie between 0 and 1")
    gained, lost = np.asarray(up, np.float64), np.asarray(down, np.float64)
    pairs = np.asarray(n, np.int64)
    if gained.ndim != 1 or gained.shape != lost.shape or gained.shape != pairs.shape:
        raise ValueError(f"up {gained.shape}, down {lost.shape} and n {pairs.shape} must be of one length")
    wrong = ~((gained >= 0) & (lost >= 0) & (pairs >= 1) & (gained + lost <= pairs * (1 + 1e-12)))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise ValueError(f"up={gained[at]} and down={lost[at]} must be at least 0 and together at most n={pairs[at]}")
    change = (gained - lost) / pairs
    z = float(stats.norm.ppf((1 + level) / 2))
    low = _bound(gained, lost, pairs, z)
    high = -_bound(lost, gained, pairs, z)
    p = [p_changed(*pair) for pair in zip(gained.tolist(), lost.tolist(), strict=True)]
    columns: dict[str, Any] = {"change": change, "low": low, "high": high, "p": p, "n": pairs}
    return pd.DataFrame(columns)


def grouped_changes(
    up: ArrayLike, down: ArrayLike, squares: ArrayLike, n: ArrayLike, level: float = LEVEL
) -> pd.DataFrame:
    """Mean change over groups of pairs that share their dice: `paired_changes` of their means, which are the observations.

    up, down: sums of the gains and losses of the groups; squares: sum of their squared changes, known where changes are parts of
    a whole one: all count as changes of the one size that has these squares. n: groups. Columns and errors: as there; n counts
    groups.
    """
    gained, lost, dd = (np.asarray(one, np.float64) for one in (up, down, squares))
    groups, total = np.asarray(n, np.float64), gained + lost
    size = np.divide(dd, total, out=np.ones_like(total), where=total > 0).clip(max=1)
    size = np.maximum(size, total / groups)  # no more groups than there are can change
    found = paired_changes(gained / size, lost / size, groups, level)
    scaled: pd.DataFrame = found.assign(**{name: found[name] * size for name in ("change", "low", "high")})
    return scaled


def linear_change(sums: pd.DataFrame, level: float = LEVEL) -> pd.DataFrame:
    """Difference of two ratios over the same groups of games, such as win rates over the games that ended in either play.

    sums: y_b, x_b, y_a, x_a (numerators and denominators before and after) and their products over groups such as y_b*x_a, and m
    (groups): see `compare.linear_sums`. Columns, with the index of `sums`: change (y_a / x_a - y_b / x_b), error (standard error:
    linearised, Cochran 1977, Sampling Techniques, section 6.4), low, high, p (against no change; Student's). Where hardly a
    group differs the interval is not narrower than that of `paired_changes` without any change. NaN where x_b or x_a is 0.
    """
    y_b, x_b, y_a, x_a, m = (sums[name].to_numpy(np.float64) for name in ("y_b", "x_b", "y_a", "x_a", "m"))
    with np.errstate(divide="ignore", invalid="ignore"):
        before, after = np.where(x_b > 0, y_b / x_b, np.nan), np.where(x_a > 0, y_a / x_a, np.nan)
        slopes = {"y_b": -1 / x_b, "x_b": before / x_b, "y_a": 1 / x_a, "x_a": -after / x_a}
        squares = sum(
            one * other * sums[f"{first}*{second}"].to_numpy(np.float64)
            for first, one in slopes.items()
            for second, other in slopes.items()
        )
        error = np.sqrt(np.clip(squares, 0, None) * m / np.maximum(m - 1, 1))
    change = after - before
    error = np.where(error < ALIKE, 0.0, error)
    quantile, z = stats.t.ppf((1 + level) / 2, np.maximum(m - 1, 1)), float(stats.norm.ppf((1 + level) / 2))
    half = np.maximum(quantile * error, z * z / (m + z * z))
    p = 2 * stats.t.sf(np.abs(change) / (half / quantile), np.maximum(m - 1, 1))
    low, high = np.clip(change - half, -1, 1), np.clip(change + half, -1, 1)
    return pd.DataFrame({"change": change, "error": error, "low": low, "high": high, "p": p}, index=sums.index)


def paired_ratio(
    before: tuple[ArrayLike, ArrayLike],
    after: tuple[ArrayLike, ArrayLike],
    key: ArrayLike | None = None,
    level: float = LEVEL,
) -> PairedMean:
    """Change of a mean over the games that count, which may be others before and after: `linear_change` of one line.

    before, after: value of each game and whether it counts there (0 or 1), four rows of one length; key: games of one key are one
    observation, None: each is one. Where all count, each by itself, it is `paired_mean`. n: games that count in either play.
    Raises ValueError where none counts in one of them.
    """
    (b, known_b), (a, known_a) = (tuple(np.asarray(part, np.float64) for part in one) for one in (before, after))
    either = (known_b > 0) | (known_a > 0)
    if key is None and (known_b > 0)[either].all() and (known_a > 0)[either].all():
        return paired_mean(b[either], a[either], level)
    values = dict(zip(("y_b", "x_b", "y_a", "x_a"), (b * known_b, known_b, a * known_a, known_a), strict=True))
    if not (known_b.sum() and known_a.sum()):
        raise ValueError("no game counts before, or none after")
    _, group = np.unique(np.arange(b.size) if key is None else np.asarray(key), return_inverse=True)
    grouped = {name: np.bincount(group, value) for name, value in values.items()}
    m = int((np.bincount(group, either) > 0).sum())
    sums = {name: [value.sum()] for name, value in grouped.items()} | {"m": [m]}
    sums |= {f"{i}*{j}": [float(one @ other)] for i, one in grouped.items() for j, other in grouped.items()}
    found = linear_change(pd.DataFrame(sums), level).iloc[0]
    parts = [(value[known > 0]) for value, known in ((b, known_b), (a, known_a))]
    apart = sum(float(part.var()) / part.size for part in parts)
    gain = apart / found["error"] ** 2 if found["error"] > 0 else float("inf") if apart > 0 else float("nan")
    change, low, high, p = (float(found[name]) for name in ("change", "low", "high", "p"))
    first, second = (float(part.mean()) for part in parts)
    return PairedMean(first, second, change, low, high, p, int(either.sum()), gain)


def p_changed(up: float, down: float) -> float:
    """p-value of gains against losses (McNemar 1947): exact binomial, the score test with shared wins; 1 without any."""
    if up + down == 0:
        return 1.0
    if float(up).is_integer() and float(down).is_integer():
        return p_against(up, int(up + down), 0.5)
    return float(2 * stats.norm.sf(abs(up - down) / np.sqrt(up + down)))


def _bound(gained: Floats, lost: Floats, n: NDArray[np.int64], z: float) -> Floats:
    """Lower bound of the mean change: where its score is z standard errors above; by halving between -1 and the mean."""
    below, above = np.full(gained.size, -1.0), (gained - lost) / n
    for _ in range(HALVINGS):
        middle = (below + above) / 2
        out = gained - lost - n * middle > z * np.sqrt(n * _variance(gained, lost, n, middle))
        below, above = np.where(out, middle, below), np.where(out, above, middle)
    return (below + above) / 2


def _variance(gained: Floats, lost: Floats, n: NDArray[np.int64], change: Floats) -> Floats:
    """Variance of a pair's change if its mean were `change`, with the most likely share of losses under that."""
    linear = -gained - lost + (2 * n - gained + lost) * change
    constant = -lost * change * (1 - change)
    root = np.sqrt(np.clip(linear**2 - 8 * n * constant, 0, None))
    losses = (root - linear) / (4 * n)
    return np.clip(2 * losses + change * (1 - change), 0, None)
