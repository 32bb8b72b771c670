"""Logistic regression on rows clustered by game, with a penalty that keeps weights near the previous ones.

The likelihood is that of statsmodels' GLM; a row can have a share of a win. What a feature adds where it is not 0 has a normal
prior around its value under the previous weights, with a precision chosen by cross-validation over games. Standard errors
combine scores summed by game (sandwich of Liang and Zeger 1986, Longitudinal data analysis using generalized linear models,
Biometrika 73:13-22) with the mean bias of the prior (Nychka 1988, JASA 83:1134-1143).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import statsmodels.api as sm
from numpy.typing import NDArray

from analysis.training.positions import Sample

Floats = NDArray[np.float64]

PRECISIONS = (
    1.0,
    10.0,
    100.0,
    1000.0,
    10_000.0,
)  # of the prior, on log-odds: the information of four times as many even games
FOLDS = 5
STEPS = 100
LONGEST_STEP = 2.0  # log-odds, root mean square over the rows: longer steps can overshoot
FARTHEST = 15.0  # maximum of initial log-odds: beyond it the gradient vanishes
CLOSE = 1e-7  # log-odds
CHOOSING_MOST = 20_000  # rows for choosing the precision, which does not depend on their number
DECIMALS = 4  # of fitted weights: more would be below any standard error
CLOSEST = 1e-12  # clips chances: a wrong chance of 0 or 1 would cost infinitely much


@dataclass(frozen=True, eq=False)
class Fit:
    """Fitted weights. error: nan for a feature that was 0 in every row, whose weight is unchanged."""

    weights: Floats  # (features,)
    error: Floats  # (features,) standard errors, clustered by game
    precision: float  # of the prior
    rows: int  # seats of positions
    options: int  # of decisions
    games: int


def fitted(sample: Sample, before: Floats, seed: int) -> Fit:
    """Fit weights to a sample. before: the previous weights; seed: for the folds of the cross-validation."""
    precision = chosen_precision(sample, before, seed)
    weights = penalised(sample, before, precision).round(DECIMALS)
    return fit_of(sample, weights, errors(sample, weights, precision), precision)


def fit_of(sample: Sample, weights: Floats, error: Floats, precision: float) -> Fit:
    """Weights together with the size of the sample that they were fitted to."""
    options = int(sample.option.sum())
    return Fit(weights, error, precision, len(sample.share) - options, options, len(np.unique(sample.game)))


def penalised(sample: Sample, before: Floats, precision: float) -> Floats:
    """Most likely weights under a prior of the given precision."""
    used = sample.features.any(axis=0)
    x = sample.features[:, used]
    model = sm.GLM(
        sample.share,
        x,
        family=sm.families.Binomial(),
        offset=(sample.offset + sample.features @ before).clip(-FARTHEST, FARTHEST),
        var_weights=sample.weight,
    )
    weights = np.array(before, np.float64)
    weights[used] += _climbed(model, x, _penalty(x, precision))
    return weights


def _climbed(model: sm.GLM, x: Floats, penalty: Floats) -> Floats:
    """Maximum of a penalised likelihood, from 0, by Newton's method; ten times as fast as `fit_regularized`."""
    theta = np.zeros(x.shape[1])
    for _ in range(STEPS):
        curve = np.diag(penalty) - model.hessian(theta, scale=1.0)
        step = np.linalg.solve(curve, model.score(theta, scale=1.0) - penalty * theta)
        longest = float(np.sqrt(((x @ step) ** 2).mean()))
        theta = theta + step * min(1.0, LONGEST_STEP / max(longest, CLOSE))
        if longest < CLOSE:
            break
    return np.asarray(theta, np.float64)


def chosen_precision(sample: Sample, before: Floats, seed: int) -> float:
    """Precision whose fits predict other games best, leaving out whole games in turn. The highest among equals."""
    fold = folds(sample.game, seed)
    if len(sample.share) > CHOOSING_MOST:
        kept = _some_games(sample.game, CHOOSING_MOST / len(sample.share), seed)
        sample, fold = sample.taken(kept), fold[kept]
    costs = []
    for precision in PRECISIONS:
        cost = 0.0
        for number in range(FOLDS):
            here = fold == number
            if here.any() and not here.all():
                weights = penalised(sample.taken(~here), before, precision)
                loss = log_loss(sample.chances(weights)[here], sample.share[here])
                cost += float(loss @ sample.weight[here])
        costs.append(cost)
    return max(precision for precision, cost in zip(PRECISIONS, costs, strict=True) if cost <= min(costs))


def errors(sample: Sample, weights: Floats, precision: float) -> Floats:
    """Sandwich standard errors, nan for features that are 0 in every row.

    The bread is the curvature including the penalty, which is also part of the meat.
    """
    penalty = _penalty(sample.features, precision)
    used = sample.features.any(axis=0)
    x, chance = sample.features[:, used], sample.chances(weights)
    bread = np.linalg.inv((x * (sample.weight * chance * (1 - chance))[:, None]).T @ x + np.diag(penalty[used]))
    games, owner = np.unique(sample.game, return_inverse=True)
    residual = sample.weight * (sample.share - chance)
    score = np.stack([np.bincount(owner, residual * column, len(games)) for column in x.T], axis=1)
    meat = score.T @ score * len(games) / max(1, len(games) - 1)
    result = np.full(len(weights), np.nan)
    result[used] = np.sqrt(np.diag(bread @ (meat + np.diag(penalty[used])) @ bread))
    return result


def log_loss(chance: Floats, share: Floats) -> Floats:
    """Cross-entropy of each row: 0 is perfect, an even chance costs log 2."""
    sure = chance.clip(CLOSEST, 1 - CLOSEST)
    return np.asarray(-share * np.log(sure) - (1 - share) * np.log1p(-sure))


def folds(game: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Fold of each row; all rows of a game are in the same fold."""
    games, owner = np.unique(game, return_inverse=True)
    return np.random.default_rng(seed).permutation(np.arange(len(games)) % FOLDS)[owner]


def _some_games(game: NDArray[np.int64], part: float, seed: int) -> NDArray[np.bool_]:
    """Mark the rows of a random part of the games."""
    games, owner = np.unique(game, return_inverse=True)
    return np.asarray((np.random.default_rng(seed).random(len(games)) < part)[owner])


def _penalty(features: Floats, precision: float) -> Floats:
    """Prior precision of each weight, scaled by the mean square of the feature where it is not 0."""
    there = np.count_nonzero(features, axis=0)
    return np.asarray(precision * (features**2).sum(axis=0) / np.maximum(there, 1))
