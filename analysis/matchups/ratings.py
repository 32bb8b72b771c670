"""Ratings of entrants (Bradley and Terry 1952, Biometrika 39:324-345), their fit, and significant cycles.

The probability that i beats j is modelled as 1 / (1 + exp(-(r_i - r_j))). Each pair gets half a win for either side on top of its
games (Haldane 1956, Annals of Human Genetics 20:309-311), so that ratings are finite even if an entrant always won.

Equilibrium shares of the game of choosing an entrant, with the uncertainty of the matchups.

Two players each choose an entrant; the payoff is its win rate against the other's. The Nash equilibrium of this zero-sum game
(Balduzzi, Tuyls, Perolat and Graepel 2018, Re-evaluating Evaluation, NeurIPS 31) is a mix that no entrant beats.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray
from scipy.special import expit

from analysis.data.encounters import PRIOR, Encounters, Floats, Ints
from analysis.stats.intervals import LEVEL
from analysis.winrates.rates import Matchups

ELO = 400 / np.log(10)  # Elo points per unit of the logit scale
DRAWS = 999  # samples of the parametric bootstrap
STEPS_MAX = 100  # of Newton's method
STEP_MAX, CLOSE = 2.0, 1e-10
LEAST_SPREAD = 1e-9


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of a set of entrants, with sum zero.

    table: best first, columns entrant (index), name, rating, error (standard error), low, high (of the rating, logit scale),
    elo, elo_low, elo_high (400 / ln 10 times as much), n (games). covariance: E x E of the ratings, logit scale, in the
    order of the entrants. expected: win rates E x E according to the ratings.
    """

    table: pd.DataFrame
    covariance: Floats
    expected: Floats


@dataclass(frozen=True)
class Fit:
    """Test of the ratings against the matchups: X^2 over all pairs with its degrees of freedom and p-value.

    name and opponent: the matchup farthest from the ratings in standard errors, turned so that the first wins more than
    expected; estimate, expected: its win rate, observed and according to the ratings.
    """

    statistic: float
    freedom: int
    p: float
    name: str
    opponent: str
    estimate: float
    expected: float

    @property
    def p_words(self) -> str:
        """Write `p = 0.120`, or `p ≤ 0.001` at the resolution of the bootstrap."""
        return f"p {'≤' if self.p <= 1 / (DRAWS + 1) else '='} {self.p:.3f}"


def ratings(found: Encounters) -> Ratings:
    """Fit the ratings by maximum likelihood, with equal weight for all games.

    Standard errors by the sandwich formula (White 1982, Econometrica 50:1-25) with the variances of the matchups, so that they
    are valid for pairs of games, and even if the ratings do not fit. Raises ValueError if two entrants never met.
    """
    found.require_complete()
    row, column = found.cells
    size, games = len(found.names), found.games[row, column].astype(np.float64)
    strength = haldane_strengths(found.rate[row, column][None], games, size)[0]
    expected = expit(strength[:, None] - strength[None, :])
    pull = sensitivities((expected * (1 - expected))[row, column], games, size)
    covariance = (pull * found.variance[row, column]) @ pull.T
    error = np.sqrt(np.diag(covariance))
    half = float(scipy.stats.norm.ppf((1 + LEVEL) / 2)) * error
    low, high = strength - half, strength + half
    columns = {"rating": strength, "error": error, "rating_low": low, "rating_high": high}
    columns |= {"elo": ELO * strength, "elo_low": ELO * low, "elo_high": ELO * high}
    table = pd.DataFrame({"entrant": np.arange(size), "name": found.names, **columns, "n": found.games.sum(axis=1)})
    table = table.sort_values("rating", ascending=False, kind="stable", ignore_index=True)
    return Ratings(table, covariance, expected)


def goodness_of_fit(found: Encounters, draws: int = DRAWS, seed: int = 1) -> Fit | None:
    """Test whether ratings explain the matchups: Pearson's X^2 with the variance between pairs of games.

    p by parametric bootstrap (Davison and Hinkley 1997, Bootstrap Methods and their Application, section 4.2): `draws` sets of
    matchups are drawn with the fitted rates and the observed share of pairs in which each won a game. None for two entrants,
    which ratings always fit. Raises ValueError if two entrants never met.
    """
    found.require_complete()
    row, column = found.cells
    size = len(found.names)
    freedom = len(row) - size + 1
    if freedom < 1:
        return None
    games, weight = found.games[row, column].astype(np.float64), found.weight[row, column]
    rate, decided = found.rate[row, column], found.decided[row, column]

    def fitted(rates: Floats) -> Floats:
        strength = haldane_strengths(rates, games, size)
        return np.asarray(expit(strength[:, row] - strength[:, column]))

    def distances(rates: Floats, expected: Floats, decided: Floats) -> Floats:  # in standard errors
        gap = 2 * expected - 1
        spread = np.maximum(np.maximum(decided, np.abs(gap)) - gap**2, LEAST_SPREAD)
        return np.asarray(2 * (rates - expected) * np.sqrt(weight / spread))

    expected = fitted(rate[None])
    distance = distances(rate[None], expected, decided[None])
    gap = 2 * expected[0] - 1
    split = np.maximum(decided, np.abs(gap))
    outcomes = np.stack([(split + gap) / 2, (split - gap) / 2, 1 - split], axis=1).clip(0, 1)
    outcomes /= outcomes.sum(axis=1, keepdims=True)
    sizes: Ints = np.maximum(np.rint(weight), 1).astype(np.int64)
    drawn = np.random.default_rng(seed).multinomial(sizes, outcomes, size=(draws, len(row))).astype(np.float64)
    up, down = drawn[:, :, 0], drawn[:, :, 1]
    rates = 0.5 + (up - down) / (2 * sizes)
    others = distances(rates, fitted(rates), (up + down + PRIOR) / (sizes + 2 * PRIOR) if found.has_even else np.ones(up.shape))
    statistic = float((distance**2).sum())
    p = (1 + int(((others**2).sum(axis=1) >= statistic).sum())) / (draws + 1)
    worst = int(np.argmax(np.abs(distance[0])))
    first, second, won, wanted = found.names[row[worst]], found.names[column[worst]], rate[worst], expected[0, worst]
    if distance[0, worst] < 0:
        first, second, won, wanted = second, first, 1 - won, 1 - wanted
    return Fit(statistic, freedom, p, first, second, float(won), float(wanted))


def haldane_strengths(rate: Floats, games: Floats, size: int) -> Floats:
    """`strengths` with half a win added to each side of every pair, so that they are finite."""
    return strengths((rate * games + 0.5) / (games + 1), games, size)


def strengths(rate: Floats, weight: Floats, size: int) -> Floats:
    """Ratings (S, E) with sum zero, by Newton's method, for S sets of win rates at once.

    rate: (S, C), of every pair in the order of `np.triu_indices(size, 1)`, strictly within 0..1; weight: (C,) above 0.
    """
    row, column = np.triu_indices(size, 1)
    strength = np.zeros((len(rate), size))
    for _ in range(STEPS_MAX):
        expected = expit(strength[:, row] - strength[:, column])
        short = np.zeros((len(rate), size, size))
        short[:, row, column] = weight * (rate - expected)
        score = short.sum(axis=2) - short.sum(axis=1)
        step = np.linalg.solve(information(weight * expected * (1 - expected), size), score[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        strength += step * np.minimum(1, STEP_MAX / np.maximum(longest, CLOSE))
        if longest.max() < CLOSE:
            break
    return strength


def information(weight: Floats, size: int) -> Floats:
    """Weighted Laplacians (S, E, E) of the pairs, weight (S, C), made regular along the sum of all ratings."""
    row, column = np.triu_indices(size, 1)
    laplacian = np.zeros((len(weight), size, size))
    laplacian[:, row, column] = laplacian[:, column, row] = -weight
    laplacian[:, np.arange(size), np.arange(size)] = -laplacian.sum(axis=2)
    return np.asarray(laplacian + weight.mean(axis=1)[:, None, None])


def sensitivities(slope: Floats, weight: Floats, size: int) -> Floats:
    """Derivatives of the ratings by the win rates, (E, C). slope: of the win rates by the difference of ratings, (C,)."""
    row, column = np.triu_indices(size, 1)
    meets = np.zeros((size, len(row)))
    meets[row, np.arange(len(row))] = weight
    meets[column, np.arange(len(row))] = -weight
    return np.asarray(np.linalg.solve(information((weight * slope)[None], size)[0], meets))


SURE = 0.05  # Holm-adjusted p-value below which a matchup counts as decided
ALMOST = 1e-3  # least distance of win rates from 0 and 1 for fitting ratings


@dataclass(frozen=True)
class Cycle:
    """Three entrants that each beat the next, and the last the first. rates: the win rates in that order."""

    names: tuple[str, str, str]
    rates: tuple[float, float, float]


def sure_cycles(found: Matchups) -> list[Cycle]:
    """Cycles of three whose matchups are all significant after Holm's adjustment, sorted by their weakest link."""
    beats, rate = (found.p_holm < SURE) & (found.estimate > 0.5), found.estimate
    cycles = []
    for first, *others in combinations(range(len(found.names)), 3):
        for a, b, c in ((first, *others), (first, *others[::-1])):
            if beats[a, b] and beats[b, c] and beats[c, a]:
                rates = (float(rate[a, b]), float(rate[b, c]), float(rate[c, a]))
                cycles.append(Cycle((found.names[a], found.names[b], found.names[c]), rates))
    return sorted(cycles, key=lambda cycle: -min(cycle.rates))


EQUILIBRIUM_DRAWS = 1000  # matrices of win rates drawn for the intervals
MANY = 20  # entrants; with more, fewer matrices are drawn, because each takes longer
NONE = 1e-7  # smaller shares count as zero
TIGHT = 1e-9


def equilibrium(found: Encounters, draws: int | None = None, seed: int = 1) -> pd.DataFrame:
    """Equilibrium shares of all entrants with intervals, largest first.

    Columns: entrant (index), name, estimate (share), low, high (Nash), support (probability that its share is above zero), field,
    field_low, field_high (win rate against the equilibrium mix; 50 % for its members). Intervals are quantiles over `draws`
    matrices from the posterior of the encounters (default DRAWS, fewer with more than MANY entrants). Shares jump where the
    best entrant changes, and draws rarely show an entrant played alone, because they add noise to noisy estimates. Intervals of
    entrants that cannot be excluded from being played alone (see `alone`) therefore extend to 1, and those of all others to 0.
    Coverage is at least the level, higher where shares are 0. Raises ValueError if two entrants never met.
    """
    found.require_complete()
    draws = draws or EQUILIBRIUM_DRAWS * MANY // max(MANY, len(found.names))
    rate = np.where(np.eye(len(found.names), dtype=bool), 0.5, found.rate)
    drawn = found.draws(draws, np.random.default_rng(seed))
    share, shares = nash(rate), nash_of_each(drawn)
    frame = pd.DataFrame({"entrant": np.arange(len(rate)), "name": found.names, "support": (shares > NONE).mean(axis=0)})
    maybe_alone = alone(found)
    others = (maybe_alone.sum() - maybe_alone) > 0
    for name, prefix, estimate, values in (
        ("estimate", "", share, shares),
        ("field", "field_", rate @ share, np.einsum("sij,sj->si", drawn, shares)),
    ):
        low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
        if name != "field":
            low, high = np.where(others, 0.0, low), np.where(maybe_alone, 1.0, high)
        bounds = {f"{prefix}low": np.minimum(low, estimate), f"{prefix}high": np.maximum(high, estimate)}
        frame = frame.assign(**{name: estimate}, **bounds)
    return frame.sort_values(["estimate", "field"], ascending=False, kind="stable", ignore_index=True)


def alone(found: Encounters) -> NDArray[np.bool_]:
    """Entrants that may be played alone, (E,): the encounters do not exclude that they lose to no other.

    An entrant is excluded if some win rate is significantly below one half, adjusted for E - 1 one-sided tests (Bonferroni).
    """
    size = len(found.names)
    behind = np.where(np.eye(size, dtype=bool), 0.0, (0.5 - found.rate) / np.sqrt(found.variance))
    return np.asarray((behind <= scipy.stats.norm.isf((1 - LEVEL) / max(1, size - 1))).all(axis=1))


def nash(rate: Floats) -> Floats:
    """Equilibrium shares (E,) of win rates E x E with rate + rate.T = 1; if there are several, the one with most entropy.

    It treats equal entrants alike (Balduzzi et al. 2018). Raises ValueError for any other matrix.
    """
    payoff = _payoff(rate)
    shares = _program(payoff)
    support = shares > NONE
    exact, holds = _on(payoff[None], support)
    if holds[0] and (exact[0][support] > NONE).all() and ((exact @ payoff)[0][~support] > TIGHT).all():
        return np.asarray(exact[0])
    return _most_even(payoff, shares)


def nash_of_each(rates: Floats) -> Floats:
    """Equilibrium shares (S, E) of many similar matrices (S, E, E) with one equilibrium each, as random matrices have.

    Each support that is found is tried on all other matrices before they are solved by linear programming.
    """
    payoffs = _payoff(rates)
    shares = np.full(rates.shape[:2], np.nan)
    open_ = np.ones(len(rates), bool)
    while open_.any():
        first = int(np.argmax(open_))
        solution = _program(payoffs[first])
        shares[first], open_[first] = solution, False
        tried = np.flatnonzero(open_)
        mixed, holds = _on(payoffs[tried], solution > NONE)
        shares[tried[holds]] = mixed[holds]
        open_[tried[holds]] = False
    return shares


def _payoff(rate: Floats) -> Floats:
    """Win rates minus one half, antisymmetric."""
    payoff = np.asarray(rate, np.float64) - 0.5
    mirrored = -np.swapaxes(payoff, -1, -2)
    if not np.allclose(payoff, mirrored, atol=TIGHT):
        raise ValueError("rate must be square, without gaps, and rate[i, j] + rate[j, i] must be 1")
    return (payoff + mirrored) / 2


def _program(payoff: Floats) -> Floats:
    """Shares that no entrant beats, by linear programming (HiGHS)."""
    size = len(payoff)
    solved = scipy.optimize.linprog(
        np.append(np.zeros(size), -1.0),
        A_ub=np.column_stack([-payoff.T, np.ones(size)]),
        b_ub=np.zeros(size),
        A_eq=np.append(np.ones(size), 0.0)[None],
        b_eq=[1.0],
        bounds=[*[(0, 1)] * size, (-1, 1)],
        method="highs",
    )
    if solved.x is None:
        raise RuntimeError(f"no equilibrium found: {solved.message}")
    shares = np.where(solved.x[:size] > NONE, solved.x[:size], 0.0)
    return np.asarray(shares / shares.sum())


def _on(payoffs: Floats, support: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.bool_]]:
    """Shares (S, E) that make all entrants of a support even, and whether they are an equilibrium of each matrix."""
    inside = np.flatnonzero(support)
    size = len(inside)
    shares = np.zeros(payoffs.shape[:2])
    if size % 2 == 0 or not len(payoffs):  # even supports only balance by accident: antisymmetric payoffs are then regular
        return shares, np.zeros(len(payoffs), bool)
    bordered = np.ones((len(payoffs), size + 1, size + 1))
    bordered[:, :size, :size] = payoffs[np.ix_(np.arange(len(payoffs)), inside, inside)]
    bordered[:, size, size] = 0
    right = np.zeros((len(payoffs), size + 1, 1))
    right[:, size] = 1
    regular = np.linalg.cond(bordered) < 1 / TIGHT
    bordered[~regular] = np.eye(size + 1)
    shares[:, inside] = np.linalg.solve(bordered, right)[:, :size, 0]
    gained = np.einsum("si,sij->sj", shares, payoffs)
    return shares, regular & (shares >= 0).all(axis=1) & (gained > -TIGHT).all(axis=1)


def _most_even(payoff: Floats, start: Floats) -> Floats:
    """The equilibrium with most entropy."""
    size, least = len(payoff), 1e-12
    options: Any = {"maxiter": 500, "ftol": 1e-12}
    constraints: list[Any] = [
        scipy.optimize.LinearConstraint(payoff.T, 0, np.inf),
        scipy.optimize.LinearConstraint(np.ones((1, size)), 1, 1),
    ]

    def disorder(x: Floats) -> float:
        return float((x * np.log(np.maximum(x, least))).sum())

    def slope(x: Floats) -> Floats:
        return np.asarray(np.log(np.maximum(x, least)) + 1)

    solved = scipy.optimize.minimize(
        disorder,
        (start + 1 / size) / 2,
        jac=slope,
        bounds=[(0.0, 1.0)] * size,
        constraints=constraints,
        method="SLSQP",
        options=options,
    )
    shares = np.clip(solved.x, 0, None)
    shares = np.where(shares > NONE, shares, 0.0) / shares.sum()
    return np.asarray(shares) if solved.success and (shares @ payoff).min() > -1e-6 else start
