"""How well a lead tells who wins, in one number: the area under the curve, and the correlation.

Both look at the games of two seats from either side at once: a lead of d and a share w of seat 0 are a lead of -d and a share
1 - w of seat 1. Their errors are those of sums over games (Hajek's projection), added up by clusters of games.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import expit, logit
from statsmodels.stats.proportion import proportion_confint

from analysis.estimates import LEVEL, Interval

Floats = NDArray[np.float64]
Keys = NDArray[np.int64]

LEAST = 2  # games, and clusters


def auc(lead: Floats, share: Floats, key: Keys, level: float = LEVEL) -> Interval:
    """Chance that of a winner and a loser, taken from two games, the winner has the greater lead; ties count half.

    lead, share: of seat 0, by game; key: clusters. As a U-statistic over games, a shared win as so much of one (Hanley and McNeil
    1982; clusters as in Obuchowski 1997, Biometrics 53:567-578); interval on the scale of logits. NaN where nobody is ahead.
    """
    n = lead.size
    if n < LEAST or not np.any(lead):
        return _unknown(n, level)
    value, weight = np.concatenate([lead, -lead]), np.concatenate([share, 1 - share])
    order = np.argsort(value, kind="stable")
    ordered, sums = value[order], np.append(0.0, np.cumsum(weight[order]))
    below, upto = (sums[np.searchsorted(ordered, -value, side)] for side in ("left", "right"))
    above = weight * (n - (below + upto) / 2)  # winners elsewhere that are ahead of the loser who stands opposite
    own = weight**2 * ((value > 0) + (value == 0) / 2)  # a game is not compared with itself
    of_game = (above[:n] + above[n:]) - (own[:n] + own[n:]) - share * (1 - share)
    of_game = of_game / (n - 1)
    estimate = float(of_game.mean())
    error = 2 * _error(of_game - estimate, key)
    if not 0 < estimate < 1:
        return Interval(estimate, *_edge(estimate, key, level), n, level, "auc")
    half = _quantile(key, level) * error / (estimate * (1 - estimate))
    low, high = (float(expit(logit(estimate) + side * half)) for side in (-1, 1))
    return Interval(estimate, low, high, n, level, "auc")


def correlation(lead: Floats, share: Floats, key: Keys, level: float = LEVEL) -> Interval:
    """Correlation of the lead with the result (1 won, -1 lost), both seats counted: through nought, as they mirror each other.

    Interval on Fisher's scale (1915, Biometrika 10:507-521) with the error from clusters. NaN where nothing varies.
    """
    n, result = lead.size, 2 * share - 1
    if n < LEAST or not np.any(lead) or not np.any(result):
        return _unknown(n, level)
    x, y = lead / np.sqrt(np.mean(lead**2)), result / np.sqrt(np.mean(result**2))
    estimate = float(np.clip(np.mean(x * y), -1, 1))
    if abs(estimate) > 1 - 1e-12:
        return Interval(estimate, np.nan, np.nan, n, level, "correlation")
    error = _error(x * y - estimate / 2 * (x**2 + y**2), key)
    half = _quantile(key, level) * error / (1 - estimate**2)
    low, high = (float(np.tanh(np.arctanh(estimate) + side * half)) for side in (-1, 1))
    return Interval(estimate, low, high, n, level, "correlation")


def _error(influence: Floats, key: Keys) -> float:
    """Standard error of a mean of influences, those of a cluster added up; NaN for a single cluster."""
    _, cluster = np.unique(key, return_inverse=True)
    sums = np.bincount(cluster, influence)
    if sums.size < LEAST:
        return float("nan")
    return float(np.sqrt(sums @ sums * sums.size / (sums.size - 1))) / influence.size


def _quantile(key: Keys, level: float) -> float:
    return float(stats.t.ppf((1 + level) / 2, max(1, np.unique(key).size - 1)))


def _edge(estimate: float, key: Keys, level: float) -> tuple[float, float]:
    """Bounds where every comparison comes out alike: Wilson's, each cluster one game."""
    clusters = np.unique(key).size
    low, high = proportion_confint(estimate * clusters, clusters, alpha=1 - level, method="wilson")
    return (0.0, float(high)) if estimate <= 0 else (float(low), 1.0)


def _unknown(n: int, level: float) -> Interval:
    return Interval(np.nan, np.nan, np.nan, n, level)
