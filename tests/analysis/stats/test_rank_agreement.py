"""Kendall's tau of two orders, corrected for the errors of the estimates behind them."""

import numpy as np
import pytest
from scipy import stats

from analysis.stats.rank_agreement import Known, agreement


def orders(seed: int, r: float, reliable: float, things: int = 16) -> tuple[list[np.ndarray], list[Known]]:
    """Two sets of values with correlation r, and noisy estimates. reliable: share of the variance that is no error."""
    rng = np.random.default_rng(seed)
    first = rng.normal(0, 0.08, things)
    true = [first, 0.75 * (r * first + np.sqrt(1 - r * r) * rng.normal(0, 0.08, things))]
    seen = []
    for value in true:
        mixed = rng.normal(size=(things, 4 * things))
        error = mixed @ mixed.T / (4 * things) * value.var() * (1 - reliable) / reliable
        seen.append(Known.of(rng.multivariate_normal(value, error), error))
    return true, seen


@pytest.mark.parametrize(("r", "reliable"), [(0.8, 0.7), (0.3, 0.5), (1.0, 0.7)])
@pytest.mark.soak
def test_intervals_cover_the_true_tau_and_that_of_the_estimates_is_too_small(r: float, reliable: float):
    held, gap, seen_gap, tries = 0, 0.0, 0.0, 20
    for seed in range(tries):
        true, seen = orders(seed, r, reliable)
        right = stats.kendalltau(*true).statistic
        result = agreement(*seen, seed)
        held += result.low - 1e-9 <= right <= result.high + 1e-9
        gap, seen_gap = gap + (result.tau - right) / tries, seen_gap + (result.seen - right) / tries
    assert held >= stats.binom(tries, 0.95).ppf(0.005)
    assert seen_gap < -0.1
    assert abs(gap) < abs(seen_gap)


def test_without_errors_tau_equals_that_of_the_estimates():
    value = np.array([0.3, 0.1, 0.0, -0.2, -0.25, 0.05])
    other = np.array([0.2, 0.15, -0.1, 0.02, -0.3, 0.03])
    result = agreement(*(Known.of(values, np.eye(6) * 1e-12) for values in (value, other)), 1)
    assert result.low == result.tau == result.high == pytest.approx(result.seen)
    assert result.seen == pytest.approx(stats.kendalltau(value, other).statistic)
    with pytest.raises(ValueError, match="2 items cannot be ranked; at least 3"):
        agreement(*(Known.of(values[:2], np.eye(2)) for values in (value, other)), 1)
