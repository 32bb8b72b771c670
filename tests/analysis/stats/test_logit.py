"""Logistic regression: coefficients and errors are those of statsmodels, with a penalty and a constraint those of other forms."""

import numpy as np
import pytest
import statsmodels.api as sm

from analysis.stats.logit import logit
from analysis.stats.rank_agreement import zero_sum

TRUTH = np.array([0.8, -0.5, 0.0])


def made_up(games: int = 400, rows: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Design, results and games of rows of a logistic truth."""
    rng = np.random.default_rng(2)
    design = rng.normal(size=(games * rows, len(TRUTH)))
    won = rng.random(len(design)) < 1 / (1 + np.exp(-(design @ TRUTH)))
    return design, won.astype(float), np.arange(games).repeat(rows)


def test_coefficients_and_errors_are_those_of_statsmodels():
    design, won, game = made_up()
    known = sm.GLM(won, design, family=sm.families.Binomial())
    clustered = known.fit(cov_type="cluster", cov_kwds={"groups": game, "use_correction": False})
    fit = logit(design, won, clusters=game)
    assert fit.coefficients == pytest.approx(clustered.params, abs=1e-6)
    assert fit.errors == pytest.approx(clustered.bse * np.sqrt(400 / 399), rel=1e-5)
    assert logit(design, won).errors == pytest.approx(known.fit().bse, rel=1e-4)


def test_a_weight_counts_as_copies_and_an_offset_as_a_known_part():
    design, won, _ = made_up()
    weight = np.tile([1.0, 2.0, 0.0], 400)
    copies = np.repeat(np.arange(len(won)), weight.astype(int))
    assert logit(design, won, weight).coefficients == pytest.approx(logit(design[copies], won[copies]).coefficients, abs=1e-6)
    rest = logit(design, won, offset=design @ TRUTH).coefficients
    assert rest + TRUTH == pytest.approx(logit(design, won).coefficients, abs=1e-6)


def test_a_constraint_leaves_the_differences_and_a_penalty_pulls_to_zero():
    """Five players whose strengths sum to 0: the same differences as with the first one's strength at 0."""
    rng = np.random.default_rng(4)
    pairs = rng.permuted(np.tile(np.arange(5), (600, 1)), axis=1)[:, :2]
    design = np.eye(5)[pairs[:, 0]] - np.eye(5)[pairs[:, 1]]
    won = (rng.random(600) < 1 / (1 + np.exp(-(design @ np.linspace(-1, 1, 5))))).astype(float)
    fit = logit(design, won, constraint=zero_sum(5))
    first_at_zero = logit(design[:, 1:], won)
    assert fit.coefficients.sum() == pytest.approx(0, abs=1e-9)
    assert np.diff(fit.coefficients)[1:] == pytest.approx(np.diff(first_at_zero.coefficients), abs=1e-5)
    assert fit.covariance.sum(axis=0) == pytest.approx(np.zeros(5), abs=1e-9)
    gap = fit.covariance[1, 1] + fit.covariance[2, 2] - 2 * fit.covariance[1, 2]
    other = first_at_zero.covariance
    assert gap == pytest.approx(other[0, 0] + other[1, 1] - 2 * other[0, 1], rel=1e-4)
    sizes = [np.abs(logit(design, won, penalty=penalty, constraint=zero_sum(5)).coefficients).sum() for penalty in (0, 10, 1000)]
    assert sizes[0] > sizes[1] > 10 * sizes[2] / 2


def test_chances_that_round_to_one_do_not_divide_by_zero():
    design = np.array([[1.0], [40.0], [40.0]])
    fit = logit(design, np.array([1.0, 1.0, 1.0]), penalty=1e-4)
    assert fit.coefficients[0] > 1
    assert np.isfinite(fit.errors).all()
