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


@dataclass(frozen=True, eq=False)
class LuceFit:
    """Effects (k,), their covariance (k, k), and the mean spread of each group whose spread is not known."""

    effects: Floats
    covariance: Floats
    spreads: tuple[float, ...] = ()


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


@dataclass(frozen=True, eq=False)
class Group:
    """Effects whose common spread is not known. columns: (k,) which effects; spreads: standard deviations that are averaged.

    usual: standard deviation of the half-normal prior of the spread (Gelman 2006, Bayesian Analysis 1:515-534), in log-odds.
    """

    columns: NDArray[np.bool_]
    spreads: Sequence[float]
    usual: float = 1.0

    def log_prior(self, spread: float) -> float:
        """Logarithm of the prior of a spread and of the step to the next one, which is proportional to it."""
        return float(np.log(spread)) - (spread / self.usual) ** 2 / 2


def averaged(contest: Contest, spread: Floats, groups: Sequence[Group]) -> LuceFit:
    """Fit effects of which some share spreads that are not known: the average over fits, by marginal likelihood and prior.

    spread: (k,) standard deviations of the priors of all other effects. With several groups the spreads of one are tried at the
    likeliest ones of the others.
    """
    groups = [group for group in groups if group.columns.any()]
    present = [group.spreads[len(group.spreads) // 2] for group in groups]
    fits: dict[tuple[float, ...], tuple[LuceFit, float]] = {}
    start = None

    def worth(cell: tuple[float, ...]) -> float:
        nonlocal start
        if cell not in fits:
            widths = spread.copy()
            for group, width in zip(groups, cell, strict=True):
                widths[group.columns] = width
            result, marginal = fit(contest, widths, start)
            start = result.effects
            fits[cell] = result, marginal + sum(group.log_prior(width) for group, width in zip(groups, cell, strict=True))
        return fits[cell][1]

    for number, group in reversed(list(enumerate(groups))):
        present[number] = max(group.spreads, key=lambda width: worth((*present[:number], width, *present[number + 1 :])))
    worth(tuple(present))
    weight = np.array([value for _, value in fits.values()])
    weight = np.exp(weight - weight.max())
    weight /= weight.sum()
    effects = np.einsum("s,sk->k", weight, np.stack([result.effects for result, _ in fits.values()]))
    covariance = np.zeros((len(spread), len(spread)))
    for share, (result, _) in zip(weight, fits.values(), strict=True):
        apart = result.effects - effects
        covariance += share * (result.covariance + np.outer(apart, apart))
    spreads = np.einsum("s,sg->g", weight, np.array(list(fits), np.float64).reshape(len(fits), len(groups)))
    return LuceFit(effects, covariance, tuple(spreads.tolist()))
