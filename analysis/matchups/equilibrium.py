"""What a clever field would play: equilibrium shares of the game of choosing an entrant, as sure as the matchups are.

Two players choose an entrant each and win as often as it does against the other's. Nash equilibrium of this zero-sum game
(Balduzzi, Tuyls, Perolat and Graepel 2018, Re-evaluating Evaluation, NeurIPS 31): a mix that no entrant beats. Alpha-rank
(Omidshafiei et al. 2019, Scientific Reports 9:9937): how often each holds a population in which now and then one player tries
another entrant.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import optimize, stats

from analysis.data.encounters import Encounters, Floats
from analysis.stats.intervals import LEVEL

DRAWS = 1000  # matrices of win rates drawn for the intervals
MANY = 20  # entrants; of more, fewer are drawn, for each takes longer
NONE = 1e-7  # shares below are nought
TIGHT = 1e-9
POPULATION = 50  # players of alpha-rank
RARE = 1e-6  # chance, beside 1, that a worse entrant takes over (Rowland et al. 2019, NeurIPS 32, section 2)


def equilibrium(found: Encounters, draws: int | None = None, seed: int = 1, level: float = LEVEL) -> pd.DataFrame:
    """Equilibrium shares of all entrants with intervals, largest first.

    Columns: entrant (its number), name, share, low, high (Nash), support (chance that its share is above nought), alpha,
    alpha_low, alpha_high (alpha-rank), field, field_low, field_high (win rate against the equilibrium mix; 50 % for whom it
    plays). The intervals are quantiles over `draws` matrices from the posterior of the encounters, DRAWS if left out and fewer of
    more than MANY entrants. Shares jump where the best of the entrants changes, and draws, which vary twice, seldom show one that
    is played alone: each that cannot be excluded to be so (see `alone`) reaches up to 1, and all others down to 0. The intervals
    hold at least at their level, above it where shares are 0. Raises ValueError where two never met.
    """
    found.require_complete()
    draws = draws or DRAWS * MANY // max(MANY, len(found.names))
    rate = np.where(np.eye(len(found.names), dtype=bool), 0.5, found.rate)
    drawn = found.draws(draws, np.random.default_rng(seed))
    share, shares = nash(rate), nash_of_each(drawn)
    columns = {"share": (share, shares), "alpha": (alpha_rank(rate[None])[0], alpha_rank(drawn))}
    columns["field"] = (rate @ share, np.einsum("sij,sj->si", drawn, shares))
    table: dict[str, NDArray[np.float64]] = {}
    may = alone(found, level)
    others = (may.sum() - may) > 0
    for name, (estimate, values) in columns.items():
        low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
        if name != "field":
            low, high = np.where(others, 0.0, low), np.where(may, 1.0, high)
        prefix = "" if name == "share" else f"{name}_"
        table |= {
            name: estimate,
            f"{prefix}low": np.minimum(low, estimate),
            f"{prefix}high": np.maximum(high, estimate),
        }
        if name == "share":
            table["support"] = (values > NONE).mean(axis=0)
    frame = pd.DataFrame({"entrant": np.arange(len(rate)), "name": found.names, **table})
    return frame.sort_values(["share", "field"], ascending=False, kind="stable", ignore_index=True)


def alone(found: Encounters, level: float = LEVEL) -> NDArray[np.bool_]:
    """Entrants that may be played alone, (E,): the encounters do not exclude that they lose to no other.

    One is excluded by a win rate so far below one half that all E - 1 tests together (Bonferroni, one-sided) hold at `level`.
    """
    size = len(found.names)
    behind = np.where(np.eye(size, dtype=bool), 0.0, (0.5 - found.rate) / np.sqrt(found.variance))
    return np.asarray((behind <= stats.norm.isf((1 - level) / max(1, size - 1))).all(axis=1))


def nash(rate: Floats) -> Floats:
    """Equilibrium shares (E,) of win rates E x E, rate + rate.T = 1: of several the one with most entropy.

    That one treats equal entrants alike (Balduzzi et al. 2018). Raises ValueError for a matrix that is not of this kind.
    """
    payoff = _payoff(rate)
    found = _program(payoff)
    support = found > NONE
    exact, holds = _on(payoff[None], support)
    if holds[0] and (exact[0][support] > NONE).all() and ((exact @ payoff)[0][~support] > TIGHT).all():
        return np.asarray(exact[0])
    return _most_even(payoff, found)


def nash_of_each(rates: Floats) -> Floats:
    """Equilibrium shares (S, E) of many like matrices (S, E, E); each has one equilibrium, as matrices drawn by chance do.

    Sets of entrants that were the support of one are tried on all others before those are solved by linear programming.
    """
    payoffs = _payoff(rates)
    shares = np.full(rates.shape[:2], np.nan)
    open_ = np.ones(len(rates), bool)
    while open_.any():
        first = int(np.argmax(open_))
        found = _program(payoffs[first])
        shares[first], open_[first] = found, False
        tried = np.flatnonzero(open_)
        mixed, holds = _on(payoffs[tried], found > NONE)
        shares[tried[holds]] = mixed[holds]
        open_[tried[holds]] = False
    return shares


def alpha_rank(rates: Floats, intensity: float = float("inf"), population: int = POPULATION) -> Floats:
    """Shares (S, E) of alpha-rank, one population, of win rates (S, E, E).

    intensity: of selection (alpha), above 0; infinite: whoever wins more than half takes over for certain, a worse one with the
    chance RARE, an equal one in half of the cases.
    """
    gap = 2 * _payoff(rates).transpose(0, 2, 1)  # [s, i, j]: what j has on i
    if np.isinf(intensity):
        taken = np.where(gap > TIGHT, 1 - RARE, np.where(gap < -TIGHT, RARE, 0.5))
    else:
        taken = _fixation(intensity * gap, population)
    return _stationary(taken)


def _fixation(gap: Floats, population: int) -> Floats:
    """Chance that a single newcomer takes over; gap: intensity times its advantage (Omidshafiei et al. 2019, equation 7)."""
    most = 600.0 / population  # beyond it exp() runs over; the chance is 1 or nought by then
    x = np.clip(gap, -most, most)
    even = np.abs(x) < TIGHT
    x = np.where(even, 1.0, x)
    return np.asarray(np.where(even, 1 / population, np.expm1(-x) / np.expm1(-population * x)))


def _stationary(rate: Floats) -> Floats:
    """Stationary shares (S, E) of Markov chains with these rates of change (S, E, E), diagonal ignored, all others above 0.

    Without subtraction, so that small rates cost no digits (Grassmann, Taksar and Heyman 1985, Operations Research 33:1107-1116).
    """
    chain, size = rate.copy(), rate.shape[1]
    for last in range(size - 1, 0, -1):
        chain[:, :last, last] /= chain[:, last, :last].sum(axis=1)[:, None]
        chain[:, :last, :last] += chain[:, :last, last, None] * chain[:, None, last, :last]
    shares = np.zeros(rate.shape[:2])
    shares[:, 0] = 1
    for at in range(1, size):
        shares[:, at] = (shares[:, :at] * chain[:, :at, at]).sum(axis=1)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _payoff(rate: Floats) -> Floats:
    """Win rates less one half, of which either side is the mirror of the other."""
    payoff = np.asarray(rate, np.float64) - 0.5
    mirrored = -np.swapaxes(payoff, -1, -2)
    if not np.allclose(payoff, mirrored, atol=TIGHT):
        raise ValueError("rate must be square, without gaps, and rate[i, j] + rate[j, i] must be 1")
    return (payoff + mirrored) / 2


def _program(payoff: Floats) -> Floats:
    """Shares that no entrant beats, by linear programming (HiGHS)."""
    size = len(payoff)
    solved = optimize.linprog(
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
    found = np.where(solved.x[:size] > NONE, solved.x[:size], 0.0)
    return np.asarray(found / found.sum())


def _on(payoffs: Floats, support: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.bool_]]:
    """Shares (S, E) that make all entrants of a support even, and whether they are an equilibrium of each matrix."""
    inside = np.flatnonzero(support)
    size = len(inside)
    shares = np.zeros(payoffs.shape[:2])
    if size % 2 == 0 or not len(payoffs):  # of an even number the payoffs are singular by chance alone
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
    size = len(payoff)
    least = 1e-12

    def disorder(x: Floats) -> float:
        return float((x * np.log(np.maximum(x, least))).sum())

    def slope(x: Floats) -> Floats:
        return np.asarray(np.log(np.maximum(x, least)) + 1)

    known: list[Any] = [
        optimize.LinearConstraint(payoff.T, 0, np.inf),
        optimize.LinearConstraint(np.ones((1, size)), 1, 1),
    ]
    how: Any = {"maxiter": 500, "ftol": 1e-12}
    solved = optimize.minimize(
        disorder,
        (start + 1 / size) / 2,
        jac=slope,
        bounds=[(0.0, 1.0)] * size,
        constraints=known,
        method="SLSQP",
        options=how,
    )
    found = np.clip(solved.x, 0, None)
    found = np.where(found > NONE, found, 0.0) / found.sum()
    return np.asarray(found) if solved.success and (found @ payoff).min() > -1e-6 else start
