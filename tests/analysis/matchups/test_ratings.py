"""Bradley-Terry ratings: compared with statsmodels, their intervals, and the level and power of the test of fit."""

import numpy as np
import pytest
import statsmodels.api as sm

from analysis.matchups.ratings import ELO, goodness_of_fit, ratings, strengths
from tests.analysis.covering import error
from tests.analysis.made_encounters import ROCK_PAPER_SCISSORS, drawn, of_counts, rated
from tests.conftest import in_soak
from tests.every_game.play import shortened

TRUE = np.array([0.8, 0.3, 0.0, -0.2, -0.9])


def design_of(size):
    """The pairs of entrants, and for each 1 for the first, -1 for the second."""
    row, column = np.triu_indices(size, 1)
    return (row, column), np.eye(size)[row] - np.eye(size)[column]


def test_ratings_are_the_most_likely_ones():
    """By statsmodels: a logistic regression without a constant, with the last rating at zero."""
    chance = np.random.default_rng(1)
    pairs, design = design_of(5)
    rates, weight = (rated(*TRUE) + chance.normal(0, 0.03, (5, 5)))[pairs], chance.integers(50, 400, (5, 5)).astype(float)[pairs]
    result = strengths(rates[None], weight, 5)[0]
    model = sm.GLM(rates, design[:, :-1], family=sm.families.Binomial(), var_weights=weight)
    right = np.append(model.fit(tol=1e-12).params, 0)
    assert result == pytest.approx(right - right.mean(), abs=1e-7)
    assert result.sum() == pytest.approx(0, abs=1e-12)


def test_unpaired_games_have_the_standard_errors_of_the_logistic_regression():
    pairs, design = design_of(5)
    rates, games = rated(*TRUE)[pairs], 400
    won = np.rint(rates * games)
    result = ratings(of_counts("ABCDE", won, games - won, games)).table
    slope = games * rates * (1 - rates)
    right = np.sqrt(np.diag(np.linalg.pinv(design.T @ (design * slope[:, None]))))
    assert result.sort_values("entrant")["error"].to_numpy() == pytest.approx(right, rel=0.02)


def test_two_entrants_have_the_log_odds_of_their_matchup():
    result = ratings(of_counts(("A", "B"), [30], [10], 100))
    odds = (120 + 0.5) / (80 + 0.5)
    assert result.table["name"].tolist() == ["A", "B"]
    assert result.table["rating"].tolist() == pytest.approx([np.log(odds) / 2, -np.log(odds) / 2])
    assert result.table.loc[0, "elo"] - result.table.loc[1, "elo"] == pytest.approx(400 * np.log10(odds))
    assert result.table["n"].tolist() == [200, 200]
    assert result.expected[0, 1] == pytest.approx(odds / (1 + odds))
    assert goodness_of_fit(of_counts(("A", "B"), [30], [10], 100)) is None


def test_an_entrant_that_always_wins_has_a_finite_rating_but_every_two_must_meet():
    result = ratings(of_counts(("A", "B", "C"), [50, 50, 10], [0, 0, 10], 50)).table
    assert result["name"].iloc[0] == "A"
    assert np.isfinite(result[["rating", "rating_low", "rating_high", "elo"]].to_numpy()).all()
    assert result["rating"].iloc[0] > 2
    with pytest.raises(ValueError, match="A and C never met"):
        ratings(of_counts(("A", "B", "C"), [3, 0, 2], [1, 0, 2], np.array([9, 0, 9])))


@pytest.mark.parametrize(("pairs", "decided"), [(5, 0.6), *map(in_soak, [(20, 0.3), (60, 0.9), (200, 0.5)])])
@pytest.mark.slow
def test_intervals_cover(pairs, decided):
    true, runs = TRUE - TRUE.mean(), shortened(300, 3)
    sets = drawn(rated(*TRUE), pairs, np.random.default_rng(2), decided, runs)
    tables = [ratings(result).table.sort_values("entrant") for result in sets]
    covered = np.array([(table["rating_low"] <= true) & (true <= table["rating_high"]) for table in tables])
    assert abs(covered.mean() - 0.95) < 3 * error(runs)
    assert covered.mean(axis=0).min() > 0.95 - 4 * error(runs)
    assert tables[0]["elo_high"].to_numpy() == pytest.approx(ELO * tables[0]["rating_high"].to_numpy())


@pytest.mark.parametrize(("pairs", "decided"), [(20, 0.3), (60, 0.9)])
@pytest.mark.soak
def test_the_test_of_fit_keeps_its_level_if_ratings_fit(pairs, decided):
    sets = drawn(rated(*TRUE), pairs, np.random.default_rng(3), decided, 400)
    p = np.array([goodness_of_fit(result, 199, index).p for index, result in enumerate(sets)])
    assert (p <= 0.05).mean() < 0.08
    assert (p <= 0.5).mean() == pytest.approx(0.5, abs=0.08)


@pytest.mark.slow
def test_the_test_of_fit_finds_rock_paper_scissors():
    sets = drawn(0.5 + (ROCK_PAPER_SCISSORS - 0.5) / 2, 60, np.random.default_rng(4), 0.5, 100)  # 60 to 40
    assert np.mean([goodness_of_fit(result, 199).p <= 0.05 for result in sets]) > 0.9


def test_the_test_of_fit_names_the_worst_fitting_matchup_by_its_winner():
    rates = rated(*TRUE)
    rates[4, 1], rates[1, 4] = 0.6, 0.4
    fit = goodness_of_fit(drawn(rates, 300, np.random.default_rng(5)))
    assert (fit.name, fit.opponent, fit.freedom) == ("E", "B", 6)
    assert fit.estimate > fit.expected
    assert fit.p <= 0.001
