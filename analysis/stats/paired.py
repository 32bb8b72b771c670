"""Paired differences, and contrasts between seats with and without a part.

Paired win shares come from the same games played twice. The change d of a game lies in -1..1. Two sums over the pairs are
sufficient: `up`, the gains where d > 0, and `down`, the losses where d < 0. A half change counts as half a chance of a whole
one: the mean of d^2 is at most that of |d|, so intervals and tests are exact for whole wins and conservative for shared ones.

Contrasts: win share of seats that have a part minus that of seats without it, and rank correlation. The seats of a game share
one win and are not independent: a seat with the part wins at the cost of one without it. Both intervals therefore treat whole
games as observations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from analysis.stats.intervals import LEVEL, Interval, adjust, check_level, p_against, wilson

Floats = NDArray[np.float64]

ALIKE = 1e-9  # a standard error below this is a rounding error
HALVINGS = 60  # of an interval of width 2: down to the last digits of a float


@dataclass(frozen=True)
class PairedMean:
    """Means before and after, and the mean change over n pairs with its interval and p-value (against no change).

    gain: factor by which two unpaired samples would need more games; inf if no pair differs, nan if nothing varies.
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

    before, after: one value per game, of the same length, at least 2; else ValueError. If no pair differs, the interval has
    width zero and p is 1.
    """
    b, a = _two_of(("before", before), ("after", after), level)
    change = a - b
    centre, error = float(change.mean()), float(change.std(ddof=1) / np.sqrt(b.size))
    half = float(stdtrit(b.size - 1, (1 + level) / 2)) * error
    p = float(2 * stdtr(b.size - 1, -(abs(centre) / error))) if error > 0 else float(centre == 0)
    apart, paired = float(b.var(ddof=1) + a.var(ddof=1)), float(change.var(ddof=1))
    gain = apart / paired if paired > 0 else float("inf") if apart > 0 else float("nan")
    return PairedMean(float(b.mean()), float(a.mean()), centre, centre - half, centre + half, p, b.size, gain)


def exchange(bought: ArrayLike, paid: ArrayLike, level: float = LEVEL) -> Interval:
    """Exchange rate of two numbers: the mean effect of a unit of `bought` over that of a unit of `paid`.

    bought, paid: effect of a unit of each, one value per game, of the same length, at least 2; else ValueError. Interval of
    Fieller (1954, Journal of the Royal Statistical Society B 16:175-185) from Student's t: all ratios r for which the mean of
    bought - r paid can be zero. Both bounds are infinite if the effect of `paid` is not significant.
    """
    y, x = _two_of(("bought", bought), ("paid", paid), level)
    up, down = float(y.mean()), float(x.mean())
    (yy, xy), (_, xx) = np.cov(y, x) * float(stdtrit(y.size - 1, (1 + level) / 2)) ** 2 / y.size
    sure, middle = down**2 - xx, up * down - xy
    if not sure > 0:
        estimate = up / down if down else float("nan")
        return Interval(estimate, -float("inf"), float("inf"), y.size, level, "fieller")
    half = float(np.sqrt(max(0.0, middle**2 - sure * (up**2 - yy))))
    return Interval(up / down, (middle - half) / sure, (middle + half) / sure, y.size, level, "fieller")


def _two_of(first: tuple[str, ArrayLike], second: tuple[str, ArrayLike], level: float) -> tuple[Floats, Floats]:
    """Two named samples. Raises ValueError unless they are paired: of the same length, at least 2, and finite."""
    check_level(level)
    y, x = (np.asarray(values, np.float64) for _, values in (first, second))
    if y.ndim != 1 or y.shape != x.shape or y.size < 2 or not np.isfinite([y, x]).all():
        raise ValueError(
            f"{first[0]} {y.shape}, {second[0]} {x.shape}: must be one-dimensional, of the same length of at least 2, all finite"
        )
    return y, x


def paired_changes(up: ArrayLike, down: ArrayLike, n: ArrayLike, level: float = LEVEL) -> pd.DataFrame:
    """Mean change over pairs with its score interval (Tango 1998, Statistics in Medicine 17:891-908) and p-value.

    up, down: sums of gains and of losses, both at least 0; n: pairs, at least up + down; one-dimensional, of the same length;
    else ValueError. Columns: change, low, high, p (against no change; see `p_changed`), n. The interval has a width even if no
    pair changed: 0 of n is compatible with a change in about z^2 = 4 of them.
    """
    check_level(level)
    gained, lost = np.asarray(up, np.float64), np.asarray(down, np.float64)
    pairs = np.asarray(n, np.int64)
    if gained.ndim != 1 or gained.shape != lost.shape or gained.shape != pairs.shape:
        raise ValueError(f"up {gained.shape}, down {lost.shape} and n {pairs.shape} must have the same length")
    wrong = ~((gained >= 0) & (lost >= 0) & (pairs >= 1) & (gained + lost <= pairs * (1 + 1e-12)))
    if wrong.any():
        index = int(np.argmax(wrong))
        raise ValueError(f"up={gained[index]} and down={lost[index]} must be at least 0, and their sum at most n={pairs[index]}")
    z = float(ndtri((1 + level) / 2))
    low, high = _lower_bound(gained, lost, pairs, z), -_lower_bound(lost, gained, pairs, z)
    p = [p_changed(*pair) for pair in zip(gained.tolist(), lost.tolist(), strict=True)]
    return pd.DataFrame({"change": (gained - lost) / pairs, "low": low, "high": high, "p": p, "n": pairs})


def _lower_bound(gained: Floats, lost: Floats, n: NDArray[np.int64], z: float) -> Floats:
    """Lower bound of the mean change, where the score is z standard errors; by bisection between -1 and the mean."""
    below, above = np.full(gained.size, -1.0), (gained - lost) / n
    for _ in range(HALVINGS):
        change = (below + above) / 2
        # variance of a pair's change with this mean, and with the most likely share of losses given it
        linear = -gained - lost + (2 * n - gained + lost) * change
        constant = -lost * change * (1 - change)
        losses = (np.sqrt(np.clip(linear**2 - 8 * n * constant, 0, None)) - linear) / (4 * n)
        variance = np.clip(2 * losses + change * (1 - change), 0, None)
        out = gained - lost - n * change > z * np.sqrt(n * variance)
        below, above = np.where(out, change, below), np.where(out, above, change)
    return (below + above) / 2


def grouped_changes(up: ArrayLike, down: ArrayLike, squares: ArrayLike, n: ArrayLike, level: float = LEVEL) -> pd.DataFrame:
    """Mean change over groups of pairs that share dice: `paired_changes` with the group means as observations.

    up, down: sums of the gains and losses of the groups; squares: sum of their squared changes. Group means are fractions of a
    whole change; all are treated as changes of the one size that gives these squares. n: groups. Columns and errors: as in
    `paired_changes`; n counts groups.
    """
    gained, lost, dd = (np.asarray(values, np.float64) for values in (up, down, squares))
    groups, total = np.asarray(n, np.float64), gained + lost
    size = np.divide(dd, total, out=np.ones_like(total), where=total > 0).clip(max=1)
    size = np.maximum(size, total / groups)  # at most all groups can change
    changes = paired_changes(gained / size, lost / size, groups, level)
    scaled: pd.DataFrame = changes.assign(**{name: changes[name] * size for name in ("change", "low", "high")})
    return scaled


def linear_change(sums: pd.DataFrame, level: float = LEVEL) -> pd.DataFrame:
    """Difference of two ratios over the same groups of games, such as win rates over the finished games of each play.

    sums: y_b, x_b, y_a, x_a (numerators and denominators before and after), sums over groups of their products such as y_b*x_a,
    and m (groups); see `linear_sums`. Columns, with the index of `sums`: change (y_a / x_a - y_b / x_b), error (standard error:
    linearised, Cochran 1977, Sampling Techniques, section 6.4), low, high, p (against no change; Student's). The interval is
    never narrower than that of `paired_changes` without any change. NaN where x_b or x_a is 0.
    """
    y_b, x_b, y_a, x_a, m = (sums[name].to_numpy(np.float64) for name in ("y_b", "x_b", "y_a", "x_a", "m"))
    with np.errstate(divide="ignore", invalid="ignore"):
        before, after = np.where(x_b > 0, y_b / x_b, np.nan), np.where(x_a > 0, y_a / x_a, np.nan)
        slopes = {"y_b": -1 / x_b, "x_b": before / x_b, "y_a": 1 / x_a, "x_a": -after / x_a}
        squares = sum(
            slope * other_slope * sums[f"{first}*{second}"].to_numpy(np.float64)
            for first, slope in slopes.items()
            for second, other_slope in slopes.items()
        )
        error = np.sqrt(np.clip(squares, 0, None) * m / np.maximum(m - 1, 1))
    change = after - before
    error = np.where(error < ALIKE, 0.0, error)
    quantile, z = stdtrit(np.maximum(m - 1, 1), (1 + level) / 2), float(ndtri((1 + level) / 2))
    half = np.maximum(quantile * error, z * z / (m + z * z))
    p = 2 * stdtr(np.maximum(m - 1, 1), -np.abs(change) / (half / quantile))
    low, high = np.clip(change - half, -1, 1), np.clip(change + half, -1, 1)
    return pd.DataFrame({"change": change, "error": error, "low": low, "high": high, "p": p}, index=sums.index)


def paired_ratio(
    before: tuple[ArrayLike, ArrayLike], after: tuple[ArrayLike, ArrayLike], key: ArrayLike | None = None, level: float = LEVEL
) -> PairedMean:
    """Change of a mean over the games that count, which can differ before and after: `linear_change` of one row.

    before, after: value of each game and whether it counts there (0 or 1), four arrays of the same length; key: games with the
    same key are one observation, None: each game is one. Equal to `paired_mean` if all count and key is None. n: games that
    count in either play. Raises ValueError if none counts in one of them.
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
    change_row = linear_change(pd.DataFrame(sums), level).iloc[0]
    parts = [(value[known > 0]) for value, known in ((b, known_b), (a, known_a))]
    apart = sum(float(part.var()) / part.size for part in parts)
    gain = apart / change_row["error"] ** 2 if change_row["error"] > 0 else float("inf") if apart > 0 else float("nan")
    change, low, high, p = (float(change_row[name]) for name in ("change", "low", "high", "p"))
    first, second = (float(part.mean()) for part in parts)
    return PairedMean(first, second, change, low, high, p, int(either.sum()), gain)


def p_changed(up: float, down: float) -> float:
    """p-value of gains against losses (McNemar 1947): exact binomial, score test with shared wins; 1 without changes."""
    if up + down == 0:
        return 1.0
    if float(up).is_integer() and float(down).is_integer():
        return p_against(up, int(up + down), 0.5)
    return float(2 * ndtr(-abs(up - down) / np.sqrt(up + down)))


def win_gains(frame: pd.DataFrame, has: NDArray[np.bool_], level: float = LEVEL) -> pd.DataFrame:
    """Win share of the seats that have a part minus that of the seats without it, one row per part.

    frame: see `seats_frame`, complete finished games at one number of seats, seat by seat; has: (rows, parts).
    Columns: have, lack (win shares), change, low, high, p (no difference; score test over games), p_holm, n_have, n_lack
    (seats). The interval is Newcombe's (1998, Statistics in Medicine 17:873-890, method 10) over games instead of seats:
    Wilson's bounds of both sides with their effective sizes (Korn and Graubard 1998, Survey Methodology 24:193-201), joined
    with their correlation (Zou and Donner 2008, Statistics in Medicine 27:1693-1702). With one seat per game it equals
    Newcombe's. NaN if all seats have a part or none has. Raises ValueError for incomplete games.
    """
    seats = _seats_of(frame)
    share = frame["share"].to_numpy(np.float64).reshape(-1, seats)
    lines = []
    for having in np.asarray(has).T:
        sides = (having.reshape(-1, seats), ~having.reshape(-1, seats))
        n = [int(side.sum()) for side in sides]
        rate = [float(share[side].mean()) if size else np.nan for side, size in zip(sides, n, strict=True)]
        line: dict[str, Any] = {"have": rate[0], "lack": rate[1], **dict.fromkeys(("change", "low", "high", "p"), np.nan)}
        lines.append(line | {"n_have": n[0], "n_lack": n[1]})
        if not all(n):
            continue
        apart = [np.where(side, share - rate[index], 0).sum(axis=1) / n[index] for index, side in enumerate(sides)]
        error = [float(part @ part) for part in apart]
        tie = float(apart[0] @ apart[1]) / np.sqrt(error[0] * error[1]) if min(error) > 0 else 0.0
        down, up = np.zeros((2, 2))  # distances of Wilson's bounds from the rates of both sides
        for index, variance in enumerate(error):
            worth = rate[index] * (1 - rate[index]) / variance if variance > 0 else n[index]
            low, high = wilson(rate[index] * worth, worth, level)
            down[index], up[index] = abs(rate[index] - low), abs(rate[index] - high)
        change = rate[0] - rate[1]
        reach = [np.sqrt(max(0.0, x * x - 2 * tie * x * y + y * y)) for x, y in ((down[0], up[1]), (up[0], down[1]))]
        centred = share - share.mean()
        pull = np.where(sides[0], centred / n[0], -centred / n[1]).sum(axis=1)
        spread = float(np.sqrt(pull @ pull))
        p = float(2 * ndtr(-(abs(change) / spread))) if spread > 0 else 1.0
        lines[-1] |= {"change": change, "low": max(-1.0, change - reach[0]), "high": min(1.0, change + reach[1]), "p": p}
    table = pd.DataFrame(lines)
    return table.assign(p_holm=adjust(table["p"])) if len(table) else table


def _seats_of(frame: pd.DataFrame) -> int:
    """Number of seats of complete games in order."""
    seats = int(frame["seats"].iloc[0]) if len(frame) else 1
    if not np.array_equal(frame["seat"], np.tile(np.arange(seats), len(frame) // seats)):
        raise ValueError(f"the table must hold complete games of {seats} seats, seat by seat")
    return seats
