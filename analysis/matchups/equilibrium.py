"""Equilibrium shares of the game of choosing an entrant, with the uncertainty of the matchups.

Two players each choose an entrant; the payoff is its win rate against the other's. The Nash equilibrium of this zero-sum game
(Balduzzi, Tuyls, Perolat and Graepel 2018, Re-evaluating Evaluation, NeurIPS 31) is a mix that no entrant beats. Alpha-rank
(Omidshafiei et al. 2019, Scientific Reports 9:9937) is the share of time that each entrant dominates a population in which single
players occasionally try another.
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
MANY = 20  # entrants; with more, fewer matrices are drawn, because each takes longer
NONE = 1e-7  # smaller shares count as zero
TIGHT = 1e-9
POPULATION = 50  # players of alpha-rank
RARE = 1e-6  # probability that a worse entrant takes over, relative to 1 (Rowland et al. 2019, NeurIPS 32, section 2)


def equilibrium(found: Encounters, draws: int | None = None, seed: int = 1, level: float = LEVEL) -> pd.DataFrame:
    """Equilibrium shares of all entrants with intervals, largest first.

    Columns: entrant (index), name, share, low, high (Nash), support (probability that its share is above zero), alpha,
    alpha_low, alpha_high (alpha-rank), field, field_low, field_high (win rate against the equilibrium mix; 50 % for its
    members). Intervals are quantiles over `draws` matrices from the posterior of the encounters (default DRAWS, fewer with more
    than MANY entrants). Shares jump where the best entrant changes, and draws rarely show an entrant played alone, because they
    add noise to noisy estimates. Intervals of entrants that cannot be excluded from being played alone (see `alone`) therefore
    extend to 1, and those of all others to 0. Coverage is at least the level, higher where shares are 0. Raises ValueError if
    two entrants never met.
    """
    found.require_complete()
    draws = draws or DRAWS * MANY // max(MANY, len(found.names))
    rate = np.where(np.eye(len(found.names), dtype=bool), 0.5, found.rate)
    drawn = found.draws(draws, np.random.default_rng(seed))
    share, shares = nash(rate), nash_of_each(drawn)
    columns = {"share": (share, shares), "alpha": (alpha_rank(rate[None])[0], alpha_rank(drawn))}
    columns["field"] = (rate @ share, np.einsum("sij,sj->si", drawn, shares))
    table: dict[str, NDArray[np.float64]] = {}
    maybe_alone = alone(found, level)
    others = (maybe_alone.sum() - maybe_alone) > 0
    for name, (estimate, values) in columns.items():
        low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
        if name != "field":
            low, high = np.where(others, 0.0, low), np.where(maybe_alone, 1.0, high)
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

    An entrant is excluded if some win rate is significantly below one half, adjusted for E - 1 one-sided tests (Bonferroni).
    """
    size = len(found.names)
    behind = np.where(np.eye(size, dtype=bool), 0.0, (0.5 - found.rate) / np.sqrt(found.variance))
    return np.asarray((behind <= stats.norm.isf((1 - level) / max(1, size - 1))).all(axis=1))


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


def alpha_rank(rates: Floats, intensity: float = float("inf"), population: int = POPULATION) -> Floats:
    """Shares (S, E) of single-population alpha-rank for win rates (S, E, E).

    intensity: of selection (alpha), above 0; infinite: an entrant that wins more than half always takes over, a worse one with
    probability RARE, an equal one in half of the cases.
    """
    gap = 2 * _payoff(rates).transpose(0, 2, 1)  # [s, i, j]: advantage of j over i
    if np.isinf(intensity):
        taken = np.where(gap > TIGHT, 1 - RARE, np.where(gap < -TIGHT, RARE, 0.5))
    else:
        taken = _fixation(intensity * gap, population)
    return _stationary(taken)


def _fixation(gap: Floats, population: int) -> Floats:
    """Probability that a single newcomer takes over. gap: intensity times its advantage (Omidshafiei et al. 2019, equation 7)."""
    most = 600.0 / population  # beyond it exp() overflows; the probability is then 0 or 1
    x = np.clip(gap, -most, most)
    even = np.abs(x) < TIGHT
    x = np.where(even, 1.0, x)
    return np.asarray(np.where(even, 1 / population, np.expm1(-x) / np.expm1(-population * x)))


def _stationary(rate: Floats) -> Floats:
    """Stationary shares (S, E) of Markov chains with transition rates (S, E, E), above 0 except for the ignored diagonal.

    Without subtraction, so that small rates lose no digits (Grassmann, Taksar and Heyman 1985, Operations Research 33:1107-1116).
    """
    chain, size = rate.copy(), rate.shape[1]
    for last in range(size - 1, 0, -1):
        chain[:, :last, last] /= chain[:, last, :last].sum(axis=1)[:, None]
        chain[:, :last, :last] += chain[:, :last, last, None] * chain[:, None, last, :last]
    shares = np.zeros(rate.shape[:2])
    shares[:, 0] = 1
    for state in range(1, size):
        shares[:, state] = (shares[:, :state] * chain[:, :state, state]).sum(axis=1)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


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
    shares = np.where(solved.x[:size] > NONE, solved.x[:size], 0.0)
    return np.asarray(shares / shares.sum())


def _on(payoffs: Floats, support: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.bool_]]:
    """Shares (S, E) that make all entrants of a support even, and whether they are an equilibrium of each matrix."""
    inside = np.flatnonzero(support)
    size = len(inside)
    shares = np.zeros(payoffs.shape[:2])
    if size % 2 == 0 or not len(
        payoffs
    ):  # even supports only balance by accident: antisymmetric payoffs are then regular
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

    constraints: list[Any] = [
        optimize.LinearConstraint(payoff.T, 0, np.inf),
        optimize.LinearConstraint(np.ones((1, size)), 1, 1),
    ]
    options: Any = {"maxiter": 500, "ftol": 1e-12}
    solved = optimize.minimize(
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
