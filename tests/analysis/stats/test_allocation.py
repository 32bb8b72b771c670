"""Adaptive allocation of games: the strongest is named more often than with equal games for all."""

import numpy as np
import pytest

from analysis.stats.allocation import borrowed_deviations, chances_best, next_counts, optimal_shares, spread_shares

SPREAD, START, RUNS = 0.13, 8, 1000  # standard deviation of a round, rounds of each entrant before any is preferred
PLANTED = np.array([0.50, 0.49, 0.47, 0.45, 0.44, 0.51, 0.43, 0.54])  # the last is overpowered


def search(means, budget, evenly, seed=1):
    """Many searches with `budget` rounds; returns how often the strongest was named, and the reported chances."""
    rng, entrants = np.random.default_rng(seed), len(means)
    counts = np.full((RUNS, entrants), START)
    total = rng.normal(means * START, SPREAD * np.sqrt(counts))
    squares = SPREAD**2 * rng.chisquare(counts - 1) + total**2 / counts
    while (had := int(counts[0].sum())) < budget:
        step = min(max(entrants, had // 10), budget - had)
        shares = spread_shares(total / counts, borrowed_deviations(counts, total, squares))
        more = next_counts(np.full_like(shares, 1 / entrants) if evenly else shares, counts, step)
        gained = rng.normal(means * more, SPREAD * np.sqrt(more))
        within = SPREAD**2 * rng.chisquare(np.maximum(more - 1, 1e-9))
        squares += np.where(more > 0, within + gained**2 / np.maximum(more, 1), 0)
        total, counts = total + gained, counts + more
    result = total / counts
    chances = chances_best(result, borrowed_deviations(counts, total, squares) / np.sqrt(counts))
    return (result.argmax(axis=1) == means.argmax()), chances.max(axis=1)


def test_a_planted_overpowered_entrant_is_named_more_often_at_equal_games():
    right, _ = search(PLANTED, 400, evenly=False)
    even, _ = search(PLANTED, 400, evenly=True)
    assert right.mean() > even.mean() + 0.08
    assert right.mean() > 0.92


def test_of_many_entrants_it_needs_less_than_half_the_games():
    means = np.append(np.linspace(0.40, 0.52, 23), 0.55)
    right, _ = search(means, 1200, evenly=False)
    even, _ = search(means, 2400, evenly=True)
    assert right.mean() > even.mean()


def test_with_many_games_it_always_finds_the_right_answer():
    right, _ = search(PLANTED, 3200, evenly=False)
    assert right.mean() > 0.995


def test_the_reported_chance_is_at_most_the_share_of_right_answers():
    for budget in (200, 400, 800):
        right, chance = search(PLANTED, budget, evenly=False, seed=4)
        assert chance.mean() <= right.mean() + 0.01


def test_rivals_get_more_games_and_clear_losers_fewer():
    shares = optimal_shares([0.50, 0.54, 0.53, 0.40], [0.1, 0.1, 0.1, 0.1])
    assert shares.sum() == pytest.approx(1)
    assert shares[3] < shares[0] < shares[2]
    assert shares[2] / shares[0] == pytest.approx((0.04 / 0.01) ** 2)
    assert shares[1] == pytest.approx(np.sqrt((shares[[0, 2, 3]] ** 2).sum()))
    both = spread_shares([0.50, 0.54, 0.53, 0.40], [0.1, 0.1, 0.1, 0.1], both_ends=True)
    assert both[3] > shares[3]
    assert both.min() >= 0.2 / 4


def test_counts_add_up_never_decrease_and_do_not_depend_on_the_order_of_axes():
    shares = np.array([[0.7, 0.1, 0.1, 0.1], [0.25, 0.25, 0.25, 0.25]])
    more = next_counts(shares, [[5, 40, 5, 5], [3, 3, 3, 3]], 10)
    assert more.sum(axis=1).tolist() == [10, 10]
    assert more.min() >= 0
    assert more[0, 1] == 0
    assert more[1].tolist() == [3, 3, 2, 2]
    with pytest.raises(ValueError, match="step=0 must be at least 1"):
        next_counts(shares, [[1] * 4] * 2, 0)


def test_chances_are_those_of_normal_draws():
    means, errors = np.array([0.50, 0.52, 0.47, 0.51]), np.array([0.01, 0.03, 0.02, 0.002])
    draws = np.random.default_rng(2).normal(means, errors, (200_000, 4)).argmax(axis=1)
    seen = np.bincount(draws, minlength=4) / len(draws)
    assert chances_best(means, errors) == pytest.approx(seen, abs=0.006)
    assert chances_best([0.5, 0.5], [0.1, 0.1]) == pytest.approx([0.5, 0.5])
