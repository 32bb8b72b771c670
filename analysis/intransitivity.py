"""How far a set of entrants is from an order: the part of the matchups that no ratings explain, and cycles that are sure.

The win rates less an even match, p - 1/2, are a flow on the complete graph of the entrants. As in the Hodge decomposition of
Jiang, Lim, Yao and Ye (2011, Mathematical Programming 127:203-244) it is split into what potentials explain and a cyclic flow
without divergence. The potentials are Bradley-Terry ratings, and act through the logistic curve, so that a set which ratings fit
has no cyclic part at all; that the residual has no divergence is what the likelihood equations say.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import optimize, stats
from scipy.special import expit

from analysis.encounters import Encounters, Floats
from analysis.estimates import LEVEL
from analysis.matchups import Matchups
from analysis.ratings import sensitivities, strengths

SURE = 0.05  # p-value after Holm from which a matchup counts as decided
ALMOST = 1e-3  # a win rate is kept so far from 0 and 1 as ratings are fitted
TRIPLE = 3


@dataclass(frozen=True)
class Intransitivity:
    """Share of the variance of the matchups that ratings do not explain, with its interval; noise is taken off.

    estimate is nan where, less its noise, nothing varies at all. cyclic and explained: root mean squares of the two parts of
    the win rates, 0..0.5.
    """

    estimate: float
    low: float
    high: float
    cyclic: float
    explained: float
    level: float = LEVEL


@dataclass(frozen=True)
class Cycle:
    """Three entrants of which each beats the next, and the last the first; rates: the win rates in that order."""

    names: tuple[str, str, str]
    rates: tuple[float, float, float]


@dataclass(frozen=True)
class _Part:
    """Sum of squares of one part of the flow, its noise taken off, with the bounds of its interval."""

    estimate: float
    low: float
    high: float


def intransitivity(found: Encounters, level: float = LEVEL) -> Intransitivity | None:
    """Split the matchups into ratings and cycles. None for fewer than three entrants.

    The sums of squares of both parts are scaled non-central chi-squares (Satterthwaite 1946, Biometrics Bulletin 2:110-114),
    whose bounds follow by inversion (Steiger 2004, Psychological Methods 9:164-182) and are put together as by Zou and Donner
    (2008, Statistics in Medicine 27:1693-1702). Raises ValueError where some two never met.
    """
    found.require_complete()
    size = len(found.names)
    if size < TRIPLE:
        return None
    row, column = found.cells
    rate, variance = found.rate[row, column], found.variance[row, column]
    weight = np.ones(len(row))
    strength = strengths(rate.clip(ALMOST, 1 - ALMOST)[None], weight, size)[0]
    expected = expit(strength[row] - strength[column])
    slope = expected * (1 - expected)
    pull = sensitivities(slope, weight, size)
    follows = slope[:, None] * (pull[row] - pull[column])
    flows, maps = (rate - expected, expected - 0.5), (np.eye(len(row)) - follows, follows)
    noises = [[(one * variance) @ other.T for other in maps] for one in maps]
    cyclic, explained = (_part(flow, noises[at][at], level) for at, flow in enumerate(flows))
    estimate, low, high = _share_of(cyclic, explained, _correlation(flows, noises))
    curl, order = (float(np.sqrt(part.estimate / len(row))) for part in (cyclic, explained))
    return Intransitivity(estimate, low, high, curl, order, level)


def sure_cycles(found: Matchups) -> list[Cycle]:
    """All cycles of three whose matchups are all sure after Holm's correction, the one with the clearest weakest link first."""
    beats = (found.p_holm < SURE) & (found.estimate > 0.5)
    cycles = []
    for first, second, third in combinations(range(len(found.names)), TRIPLE):
        for a, b, c in ((first, second, third), (first, third, second)):
            if beats[a, b] and beats[b, c] and beats[c, a]:
                rates = (float(found.estimate[a, b]), float(found.estimate[b, c]), float(found.estimate[c, a]))
                cycles.append(Cycle((found.names[a], found.names[b], found.names[c]), rates))
    return sorted(cycles, key=lambda cycle: -min(cycle.rates))


def _part(flow: Floats, noise: Floats, level: float) -> _Part:
    """Sum of squares of a flow (C,) less its noise, of which the covariance (C, C) is given."""
    mean, squares = float(np.trace(noise)), float((noise * noise).sum())
    scale, freedom = squares / mean, mean**2 / squares
    total = float(flow @ flow)
    low, high = (scale * _noncentrality(total / scale, freedom, end) for end in ((1 + level) / 2, (1 - level) / 2))
    return _Part(max(0.0, total - mean), low, high)


def _noncentrality(value: float, freedom: float, chance: float) -> float:
    """The non-centrality at which a chi-square lies below `value` with this chance; 0 where it never does so often."""

    def over(noncentrality: float) -> float:
        return float(stats.ncx2.cdf(value, freedom, noncentrality)) - chance

    if float(stats.chi2.cdf(value, freedom)) <= chance:
        return 0.0
    above = value + 1.0
    while over(above) > 0:
        above *= 2
    return float(optimize.brentq(over, 1e-12, above))


def _correlation(flows: tuple[Floats, Floats], noises: list[list[Floats]]) -> float:
    """Correlation of the sums of squares of two flows. noises: covariances of the two with each other."""
    pairs = ((0, 0), (0, 1), (1, 1))
    first, both, second = (
        4 * float(flows[one] @ noises[one][other] @ flows[other]) + 2 * float((noises[one][other] ** 2).sum())
        for one, other in pairs
    )
    return both / float(np.sqrt(first * second))


def _share_of(cyclic: _Part, explained: _Part, correlation: float) -> tuple[float, float, float]:
    """Share of the cyclic part in both, and its bounds: those of the parts, moved one by one, added as squares."""

    def share(one: float, other: float) -> float:
        return one / (one + other) if one + other > 0 else float("nan")

    estimate = share(cyclic.estimate, explained.estimate)
    if np.isnan(estimate):
        return estimate, 0.0, 1.0
    down = (share(cyclic.low, explained.estimate), share(cyclic.estimate, explained.high))
    up = (share(cyclic.high, explained.estimate), share(cyclic.estimate, explained.low))
    below, above = (_added(np.nan_to_num(np.array(ends) - estimate), correlation) for ends in (down, up))
    return estimate, max(0.0, estimate - below), min(1.0, estimate + above)


def _added(moves: Floats, correlation: float) -> float:
    """Length of two moves of the share together, one part growing as the other shrinks."""
    one, other = moves.tolist()
    return float(np.sqrt(max(0.0, one**2 + other**2 - 2 * correlation * one * other)))
