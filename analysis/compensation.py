"""Search for the rule that makes going first fair: levers of the game, one at a time, all values with the same dice.

The win share of whoever goes first is a logistic curve of the lever's value near the fair one; it is fitted to the values around
it by generalised estimating equations with pairs of games as clusters (Liang and Zeger 1986, Biometrika 73:13-22), for all values
play the same games. Where the curve crosses one half is a ratio of its two coefficients, with the interval of Fieller (1954,
Journal of the Royal Statistical Society B 16:175-185).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from math import gcd

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.optimize import root
from scipy.special import expit

from analysis.estimates import LEVEL
from analysis.seat_worth import Play, SeatGames, overall
from analysis.whatif import each_value
from sim.engine.cards import CardSet
from sim.engine.measures import SeatLever
from sim.experiment import SEED_MAX, Experiment

Floats = NDArray[np.float64]

EVEN = 0.5
NEAR = 0.005  # of one half: a rounder value is preferred if the curve takes it for as fair as that
WINDOW = 4  # values around the fair one that the curve is fitted to
LEAST_VALUES = 2
BASE, AGAIN = 0.4, 0.15  # of all games: those as played, and those of the test of what was chosen


@dataclass(frozen=True)
class Fair:
    """The value at which going first is fair, and its interval; nan where none of the values comes near it.

    slope: change of the log odds per unit of the value; p: that the value does nothing.
    """

    value: float
    low: float
    high: float
    slope: float
    p: float
    intercept: float = float("nan")

    def share(self, value: float) -> float:
        """Win share of whoever goes first at a value, by the curve."""
        return float(expit(self.intercept + self.slope * value))


@dataclass(frozen=True, eq=False)
class Tried:
    """A lever with all its values.

    table: value, present (as played), share, low, high, p, n, pairs, gain, one line per value, rising; fair: where going first is
    fair; chosen: the whole value nearest to that, nan where no value was tried; refused: values that the card rules refuse.
    """

    lever: SeatLever
    table: pd.DataFrame
    fair: Fair
    chosen: float
    refused: tuple[int, ...]

    @property
    def present(self) -> float:
        """The value as played; nan if it was not tried."""
        known = self.table.loc[self.table["present"], "value"]
        return float(known.iloc[0]) if len(known) else float("nan")

    @property
    def expected(self) -> float:
        """Win share of whoever goes first that the chosen value should give."""
        at = self.table["value"] == self.chosen
        curve = self.fair.share(self.chosen) if np.isfinite(self.fair.value) else float("nan")
        return float(self.table.loc[at, "share"].iloc[0]) if np.isnan(curve) and at.any() else curve


def games_each(games: int, levers: tuple[SeatLever, ...]) -> tuple[int, int, int]:
    """Share games out: those as played, those of each other value, those of the test of what was chosen."""
    runs = sum(len(lever.values) - 1 for lever in levers)
    if not runs:
        return games, 0, 0
    base, each, again = (max(1, round(games * part)) for part in (BASE, (1 - BASE - AGAIN) / runs, AGAIN))
    return base, each, again


def search(base: Experiment, play: Play | None = None, level: float = LEVEL) -> list[Tried]:
    """Try every value of every lever of the game, one lever at a time, the others as played; empty without levers.

    base: the games of each value, in pairs (see `seat_worth.paired`). Raises ValueError as `SeatGames.of`.
    """
    known: dict[bytes, SeatGames] = {}

    def games_with(cards: CardSet) -> SeatGames:
        key = cards.record.tobytes()
        if key not in known:
            known[key] = SeatGames.of(replace(base, cards=cards), play)
        return known[key]

    return [_tried(base, lever, games_with, level) for lever in base.game.seat_levers]


def _tried(base: Experiment, lever: SeatLever, games_with: Callable[[CardSet], SeatGames], level: float) -> Tried:
    """One lever."""
    steps = each_value(base.game, base.cards, lever.path, tuple(map(str, sorted(lever.values))))
    refused = tuple(int(step.value) for step in steps if step.cards is None)
    lines, means = [], {}
    for step in steps:
        if step.cards is None:
            continue
        games = games_with(step.cards)
        line = overall(games, level).iloc[0]
        kept = {name: line[name] for name in ("share", "low", "high", "p", "n", "pairs", "gain")}
        lines.append({"value": int(step.value), "present": step.value == step.before, **kept})
        means[int(step.value)] = games.by_pair
    table = pd.DataFrame(lines)
    matrix = pd.DataFrame(means).dropna()  # pairs in which somebody went first with every value
    fair = fair_value(np.array([*means], np.float64), matrix.to_numpy(), level)
    return Tried(lever, table, fair, _chosen(table, fair), refused)


def fair_value(values: ArrayLike, share: ArrayLike, level: float = LEVEL) -> Fair:
    """Where the win share of whoever goes first crosses one half.

    values: rising; share: (pairs, values), mean share of the first by pair, all values with the same games. The interval is
    unbounded where the values may do nothing; the value is nan, and so are its bounds, unless the shares as fitted cross one half
    between the least and the largest value. Raises ValueError where the shapes do not fit.
    """
    x, y = np.asarray(values, np.float64), np.asarray(share, np.float64)
    if x.ndim != 1 or y.ndim != LEAST_VALUES or y.shape[1] != x.size or np.any(np.diff(x) <= 0):
        raise ValueError(f"values {x.shape} must rise and share {y.shape} have a column for each")
    if x.size < LEAST_VALUES or len(y) < LEAST_VALUES:
        return Fair(*[float("nan")] * 5)
    near = _window(y.mean(axis=0))
    middle, unit = float(x[near].mean()), float(np.ptp(x[near]))
    coefficients, spread = _fitted((x[near] - middle) / unit, y[:, near])
    quantile = float(stats.t.ppf((1 + level) / 2, len(y) - 1))
    low, high = _fieller(coefficients, spread, quantile)
    (a, b), error = coefficients, float(np.sqrt(spread[1, 1]))
    p = float(2 * stats.t.sf(abs(b) / error, len(y) - 1)) if error > 0 else float(b == 0)
    line = {"slope": b / unit, "p": p, "intercept": a - b * middle / unit}
    value = middle - unit * a / b if b else float("nan")
    if not x[0] <= value <= x[-1]:
        return Fair(*[float("nan")] * 3, **line)
    return Fair(value, middle + unit * low, middle + unit * high, **line)


def retest(base: Experiment, tried: Tried, games: int, play: Play | None = None, level: float = LEVEL) -> pd.DataFrame:
    """Win share of each turn position with the chosen value, in games that had no part in the choice: see `seat_worth.overall`.

    base: as for `search`; the seed is the one after its own. The search picks what looks fairest, so that its own share for that
    value is nearer to one half than the truth; that of these games is not.
    """
    step = each_value(base.game, base.cards, tried.lever.path, (str(int(tried.chosen)),))[0]
    assert step.cards is not None, "a value is chosen among those that the card rules take"
    fresh = replace(base, cards=step.cards, games_wanted=games, seed=(base.seed + 1) % (SEED_MAX + 1))
    return overall(SeatGames.of(fresh, play), level)


def best(found: list[Tried]) -> Tried | None:
    """The lever whose chosen value should come nearest to fair; of equals the first. None where no value was tried."""
    known = [tried for tried in found if np.isfinite(tried.chosen)]
    return min(known, key=lambda tried: abs(tried.expected - EVEN), default=None)


def _window(shares: Floats) -> slice:
    """The values that the curve is fitted to: those around where one half is crossed, else those that come nearest to it."""
    above = shares > EVEN
    crossed = np.flatnonzero(above[1:] != above[:-1])
    centre = (
        float(crossed[np.argmin(abs(shares[crossed] - EVEN))]) + 0.5
        if crossed.size
        else float(np.argmin(abs(shares - EVEN)))
    )
    first = int(np.clip(np.floor(centre) - WINDOW / 2 + 1, 0, max(0, shares.size - WINDOW)))
    return slice(first, first + WINDOW)


def _fitted(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Coefficients of the logistic curve and their sandwich covariance with pairs as clusters. y: (pairs, values)."""
    design, mean = np.column_stack([np.ones_like(x), x]), y.mean(axis=0)

    def score(beta: Floats) -> Floats:
        return np.asarray(design.T @ (mean - expit(design @ beta)))

    def slope(beta: Floats) -> Floats:
        return np.asarray(-(design.T * _variance(design @ beta)) @ design)

    fitted: Floats = root(score, np.zeros(2), jac=slope).x
    scores = (y - expit(design @ fitted)) @ design
    bread = np.linalg.inv((design.T * _variance(design @ fitted)) @ design * len(y))
    spread = bread @ (scores.T @ scores) @ bread * len(y) / (len(y) - 1)
    return fitted, spread


def _variance(odds: Floats) -> Floats:
    """Variance p (1 - p) of a win with these log odds."""
    p: Floats = expit(odds)
    return p * (1 - p)


def _fieller(coefficients: Floats, spread: Floats, quantile: float) -> tuple[float, float]:
    """All x at which a + b x may be nought; both infinite where b may be."""
    (a, b), q = coefficients, quantile**2
    square, half, rest = b * b - q * spread[1, 1], a * b - q * spread[0, 1], a * a - q * spread[0, 0]
    if square <= 0:
        return -float("inf"), float("inf")
    width = float(np.sqrt(max(0.0, half * half - square * rest)))
    return (-half - width) / square, (-half + width) / square


def _chosen(table: pd.DataFrame, fair: Fair) -> float:
    """The roundest whole value that the curve takes for fair enough; where it tells of none, the one tried that comes nearest.

    Round is what lies on the grid of the values tried, then on ever finer parts of it.
    """
    if table.empty:
        return float("nan")
    values = table["value"].to_numpy(np.int64)
    nearest = float(values[int(np.argmin(abs(table["share"] - EVEN)))])
    if not np.isfinite(fair.value) or values.size < LEAST_VALUES:
        return nearest
    grid = reduce(gcd, np.diff(values).tolist())
    for step in (size for size in range(grid, 0, -1) if grid % size == 0):
        value = float(np.clip(values[0] + step * round((fair.value - values[0]) / step), values[0], values[-1]))
        if abs(fair.share(value) - EVEN) <= NEAR:
            break
    return value
