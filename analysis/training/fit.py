"""Logistic regression on rows that hang together by game, held near the weights before by a penalty.

The likelihood is that of statsmodels' GLM; rows may tell a share of a win. What a feature would add or take off where it is
not 0 has a normal prior round what the weights before give; its precision is chosen by cross-validation over games. Standard
errors are those of scores summed by game (sandwich of Liang and Zeger 1986, Longitudinal data analysis using generalized linear
models, Biometrika 73:13-22), and what the prior may keep back on average (Nychka 1988, JASA 83:1134-1143).
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
)  # of the prior, on log-odds; the information of so many even games, by 4
FOLDS = 5
STEPS = 100
LONGEST_STEP = 2.0  # log-odds, root mean square over the rows: longer ones may overshoot
FARTHEST = 15.0  # log-odds from which a fit begins: farther out a chance leaves nothing to go by
CLOSE = 1e-7  # log-odds
CHOOSING_MOST = 20_000  # rows from which the precision is chosen: it does not depend on how many there are
DECIMALS = 4  # of fitted weights: finer ones than any standard error would only fill the file
CLOSEST = 1e-12  # a chance nearer to 0 or 1 would cost infinitely much if wrong


@dataclass(frozen=True, eq=False)
class Fit:
    """Fitted weights. error: nan for a feature that was 0 in every row, whose weight stays as it was."""

    weights: Floats  # (features,)
    error: Floats  # (features,) standard errors, clustered by game
    precision: float  # of the prior
    rows: int  # seats of positions
    options: int  # of decisions
    games: int


def fitted(sample: Sample, before: Floats, seed: int) -> Fit:
    """Fit weights to a sample. before: the weights to stay near to; seed: of the folds of the cross-validation."""
    precision = chosen_precision(sample, before, seed)
    weights = penalised(sample, before, precision).round(DECIMALS)
    return fit_of(sample, weights, errors(sample, weights, precision), precision)


def fit_of(sample: Sample, weights: Floats, error: Floats, precision: float) -> Fit:
    """Weights with what they were fitted to."""
    options = int(sample.option.sum())
    return Fit(weights, error, precision, len(sample.share) - options, options, len(np.unique(sample.game)))


def penalised(sample: Sample, before: Floats, precision: float) -> Floats:
    """The likeliest weights under a prior of this precision."""
    told = sample.features.any(axis=0)
    x = sample.features[:, told]
    model = sm.GLM(
        sample.share,
        x,
        family=sm.families.Binomial(),
        offset=(sample.offset + sample.features @ before).clip(-FARTHEST, FARTHEST),
        var_weights=sample.weight,
    )
    found = np.array(before, np.float64)
    found[told] += _climbed(model, x, _penalty(x, precision))
    return found


def _climbed(model: sm.GLM, x: Floats, penalty: Floats) -> Floats:
    """The top of a penalised likelihood, from 0 on, by Newton's method: ten times as fast as `fit_regularized`."""
    at = np.zeros(x.shape[1])
    for _ in range(STEPS):
        curve = np.diag(penalty) - model.hessian(at, scale=1.0)
        step = np.linalg.solve(curve, model.score(at, scale=1.0) - penalty * at)
        longest = float(np.sqrt(((x @ step) ** 2).mean()))
        at = at + step * min(1.0, LONGEST_STEP / max(longest, CLOSE))
        if longest < CLOSE:
            break
    return np.asarray(at, np.float64)


def chosen_precision(sample: Sample, before: Floats, seed: int) -> float:
    """The precision whose fits foretell other games best: whole games are left out in turn. The highest among equals."""
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
    """Standard errors by the sandwich, nan for what was 0 throughout.

    The bread is the curvature with the penalty, which is part of the filling too.
    """
    penalty = _penalty(sample.features, precision)
    told = sample.features.any(axis=0)
    x, chance = sample.features[:, told], sample.chances(weights)
    bread = np.linalg.inv((x * (sample.weight * chance * (1 - chance))[:, None]).T @ x + np.diag(penalty[told]))
    games, owner = np.unique(sample.game, return_inverse=True)
    residual = sample.weight * (sample.share - chance)
    score = np.stack([np.bincount(owner, residual * column, len(games)) for column in x.T], axis=1)
    meat = score.T @ score * len(games) / max(1, len(games) - 1)
    found = np.full(len(weights), np.nan)
    found[told] = np.sqrt(np.diag(bread @ (meat + np.diag(penalty[told])) @ bread))
    return found


def log_loss(chance: Floats, share: Floats) -> Floats:
    """Cross-entropy of each row: 0 is perfect, log 2 is what an even chance costs."""
    sure = chance.clip(CLOSEST, 1 - CLOSEST)
    return np.asarray(-share * np.log(sure) - (1 - share) * np.log1p(-sure))


def folds(game: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Fold of each row; all rows of a game are in one."""
    games, owner = np.unique(game, return_inverse=True)
    return np.random.default_rng(seed).permutation(np.arange(len(games)) % FOLDS)[owner]


def _some_games(game: NDArray[np.int64], part: float, seed: int) -> NDArray[np.bool_]:
    """Whether each row is of a part of the games, chosen by lot."""
    games, owner = np.unique(game, return_inverse=True)
    return np.asarray((np.random.default_rng(seed).random(len(games)) < part)[owner])


def _penalty(features: Floats, precision: float) -> Floats:
    """Precision of each weight's prior: that of what the feature adds, by its size where it is not 0."""
    there = np.count_nonzero(features, axis=0)
    return np.asarray(precision * (features**2).sum(axis=0) / np.maximum(there, 1))
