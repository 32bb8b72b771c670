"""Who wins among several: chances in proportion to strengths, with a penalty (Luce's choice model).

In a game, player i wins with probability exp(strength_i) / sum of exp(strength) of all players of that game, and the strength of
a player is a sum of effects: of the entrant, of the person, of the turn position (Luce 1959, Individual choice behavior; of two
players it is the model of Bradley and Terry 1952, Biometrika 39:324-345). This is a conditional logit (McFadden 1974) whose
effects have normal priors around 0. The spread of a group of effects, such as those of the people, is not known: fits with
several spreads are averaged by their marginal likelihood (Laplace's approximation; Tierney and Kadane 1986, JASA 81:82-86), so
that intervals hold what the log says about the spread, and nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.linalg import cho_factor, cho_solve

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

STEPS = 60
CLOSE = 1e-8  # largest change of a strength, in log-odds, at which the fit has converged
LONGEST_STEP = 2.0  # log-odds
SPREADS = (0.45, 0.65, 0.9, 1.25, 1.75, 2.5)  # standard deviations that are averaged, in log-odds; people do differ


@dataclass(frozen=True, eq=False)
class LuceFit:
    """Effects (k,), their covariance (k, k), and the mean spread of the group whose spread is not known (0 without one)."""

    effects: Floats
    covariance: Floats
    spread: float = 0.0


@dataclass(frozen=True, eq=False)
class Contest:
    """Games as the model sees them. design: (n, k) sparse, a row per player of a game; game: (n,) 0.. in ascending order.

    share: (n,) of the win, summing to 1 in every game.
    """

    design: sparse.csr_matrix
    game: Counts
    share: Floats

    @property
    def starts(self) -> Counts:
        """First row of each game."""
        return np.flatnonzero(np.diff(self.game, prepend=-1))

    def chances(self, effects: Floats) -> Floats:
        """Winning chance of each row, (n,)."""
        return chances(self.design @ effects, self.starts)

    def likelihood(self, effects: Floats) -> float:
        """Log likelihood of the shares."""
        return float(self.share @ np.log(np.clip(self.chances(effects), 1e-300, None)))

    def information(self, chance: Floats) -> Floats:
        """Fisher information of all games, (k, k)."""
        weighted = sparse.diags_array(chance) @ self.design
        games = sparse.csr_matrix((np.ones(len(chance)), (self.game, np.arange(len(chance)))))
        mean = games @ weighted
        return np.asarray((self.design.T @ weighted - mean.T @ mean).todense(), np.float64)


def chances(strength: Floats, starts: Counts) -> Floats:
    """Winning chances from strengths (n,). starts: first row of each game."""
    sizes = np.diff(np.append(starts, len(strength)))
    high = np.repeat(np.maximum.reduceat(strength, starts), sizes)
    odds = np.exp(strength - high)
    return np.asarray(odds / np.repeat(np.add.reduceat(odds, starts), sizes))


def fit(contest: Contest, spread: Floats, start: Floats | None = None) -> tuple[LuceFit, float]:
    """Fit effects with normal priors around 0; returns the fit and the log of its marginal likelihood.

    spread: (k,) standard deviation of each effect's prior, above 0. start: (k,) effects to begin with.
    """
    precision = 1 / np.square(spread)
    effects = np.zeros(len(spread)) if start is None else start.copy()
    for _ in range(STEPS):
        chance = contest.chances(effects)
        curvature = cho_factor(contest.information(chance) + np.diag(precision))
        step = cho_solve(curvature, contest.design.T @ (contest.share - chance) - precision * effects)
        longest = float(np.abs(step).max(initial=0.0))
        effects = effects + step * min(1.0, LONGEST_STEP / max(longest, CLOSE))
        if longest < CLOSE:
            break
    curvature = cho_factor(contest.information(contest.chances(effects)) + np.diag(precision))
    covariance = cho_solve(curvature, np.eye(len(spread)))
    penalty = 0.5 * float(precision @ np.square(effects) - np.log(precision).sum())
    marginal = contest.likelihood(effects) - penalty - float(np.log(np.diag(curvature[0])).sum())
    return LuceFit(effects, covariance), marginal


def averaged(contest: Contest, spread: Floats, unknown: NDArray[np.bool_], spreads: Sequence[float] = SPREADS) -> LuceFit:
    """Fit effects of which some share a spread that is not known: the average over `spreads`, by marginal likelihood.

    spread: (k,) standard deviations of the other priors. unknown: (k,) effects of the group whose spread is not known; the prior
    of the spread is half of a normal distribution with the standard deviation 1 (Gelman 2006, Bayesian Analysis 1:515-534).
    """
    if not unknown.any():
        return fit(contest, spread)[0]
    fits: list[LuceFit] = []
    marginals = []
    start = None
    for width in spreads:
        result, marginal = fit(contest, np.where(unknown, width, spread), start)
        fits.append(result)
        marginals.append(marginal + np.log(width) - width**2 / 2)  # the values are evenly spaced by ratio
        start = result.effects
    weight = np.exp(np.array(marginals) - max(marginals))
    weight /= weight.sum()
    effects = np.einsum("s,sk->k", weight, np.stack([one.effects for one in fits]))
    covariance = np.zeros_like(fits[0].covariance)
    for share, result in zip(weight, fits, strict=True):
        apart = result.effects - effects
        covariance += share * (result.covariance + np.outer(apart, apart))
    return LuceFit(effects, covariance, float(weight @ np.array(spreads)))
