"""Confidence sequences: right at all looks together, unlike an interval for a fixed number of games."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.stats.intervals import ClusterSums, proportions
from analysis.stats.sequential import (
    LEAST_CLUSTERS,
    deviations_at_best,
    games_needed,
    half_widths,
    looks,
    mean_p,
    mean_sequence,
    share_p,
    share_sequence,
)
from tests.conftest import in_soak

RUNS, LOOKS, GAMES = 1000, 60, 6000


def looked_at(chances, runs=RUNS, seed=1):
    """Sums of shares after each of 60 looks, (runs, looks), and the games by then. chances: of shares 0, a half and 1."""
    step = GAMES // LOOKS
    counts = np.random.default_rng(seed).multinomial(step, chances, (runs, LOOKS))
    wins = (counts @ np.array([0.0, 0.5, 1.0])).cumsum(axis=1)
    return wins, np.broadcast_to(step * np.arange(1, LOOKS + 1), wins.shape)


def ever_wrong(sequence, truth, shape):
    """Share of the runs in which the truth was outside the bounds at any look."""
    outside = (sequence["low"] > truth + 1e-12) | (sequence["high"] < truth - 1e-12)
    return outside.to_numpy().reshape(shape).any(axis=1).mean()


@pytest.mark.parametrize("chance", [*map(in_soak, (0.02, 0.1, 0.9)), 0.5])
@pytest.mark.slow
def test_all_of_sixty_looks_are_right_in_95_of_100_runs(chance):
    wins, games = looked_at([1 - chance, 0, chance])
    result = share_sequence(wins.ravel(), games.ravel(), tuned=GAMES)
    assert ever_wrong(result, chance, wins.shape) <= 0.05


@pytest.mark.soak
def test_wilson_at_sixty_looks_is_wrong_in_a_third_of_the_runs():
    wins, games = looked_at([0.5, 0, 0.5])
    wilson = proportions(wins.ravel(), games.ravel())
    assert 0.3 < ever_wrong(wilson, 0.5, wins.shape) < 0.45
    assert ever_wrong(share_sequence(wins.ravel(), games.ravel(), tuned=GAMES), 0.5, wins.shape) <= 0.05


@pytest.mark.soak
def test_at_the_looks_of_a_run_wilson_is_wrong_in_40_percent_of_the_runs_and_the_sequence_is_not():
    games = np.array(looks(200_000, 56, 1000, 1.1))
    more = np.random.default_rng(7).binomial(np.diff(games, prepend=0), 0.5, (RUNS, len(games)))
    wins, games = more.cumsum(axis=1), np.broadcast_to(games, more.shape)
    assert 50 <= wins.shape[1] <= 60
    assert ever_wrong(proportions(wins.ravel(), games.ravel()), 0.5, wins.shape) > 0.35
    assert ever_wrong(share_sequence(wins.ravel(), games.ravel(), tuned=100_000), 0.5, wins.shape) <= 0.05


@pytest.mark.soak
def test_shared_wins_are_covered():
    chances = [0.3, 0.3, 0.4]
    wins, games = looked_at(chances)
    assert ever_wrong(share_sequence(wins.ravel(), games.ravel(), tuned=GAMES), 0.55, wins.shape) <= 0.05


def test_p_values_hold_their_level_at_every_look():
    wins, games = looked_at([0.75, 0, 0.25])
    p = share_p(wins.ravel(), games.ravel(), 0.25, tuned=GAMES).reshape(wins.shape)
    for level in (0.01, 0.05, 0.2):
        assert (p.min(axis=1) <= level).mean() <= level


def test_the_bounds_contain_exactly_the_shares_that_p_does_not_reject():
    wins, games = np.array([0.0, 1.0, 7.5, 40.0, 60.0]), np.array([20, 30, 30, 60, 60])
    result = share_sequence(wins, games, tuned=40)
    for share in np.linspace(0.005, 0.995, 199):
        kept = share_p(wins, games, share, tuned=40) > 0.05
        inside = (result["low"] <= share) & (share <= result["high"])
        assert (kept == inside).all(), share


def test_bounds_are_narrowest_at_the_tuned_games_and_as_wide_as_predicted():
    n = games_needed(0.01)
    widths = {tuned: float(half_widths(share_sequence([n / 2], [n], tuned))[0]) for tuned in (n / 8, n, 8 * n)}
    assert min(widths, key=widths.get) == n
    assert widths[n] == pytest.approx(0.01, rel=0.01)
    assert deviations_at_best() == pytest.approx(3.035, abs=0.001)


def test_without_games_the_bounds_are_0_and_1():
    result = share_sequence([0, 0], [0, 5], tuned=100)
    assert result.loc[0, ["low", "high"]].tolist() == [0, 1]
    assert np.isnan(result.loc[0, "estimate"])
    assert result.loc[1, "low"] == 0
    assert half_widths(result)[0] == 1
    assert np.isnan(share_p([0], [0], 0.5, 100)[0])


def of_groups(chance, agreement, size, groups, runs, seed=3):
    """Wins of groups of games. agreement: chance that all games of a group go alike. (groups, runs)."""
    rng = np.random.default_rng(seed)
    together = rng.random((groups, runs)) < chance
    independent = rng.binomial(size, chance, (groups, runs))
    agree = rng.random((groups, runs)) < agreement
    return np.where(agree, size * together, independent)


@pytest.mark.parametrize(
    ("chance", "agreement", "size"), [(0.5, 0.4, 2), *map(in_soak, [(0.5, 0.0, 10), (0.1, 0.3, 3), (0.04, 0.0, 2)])]
)
@pytest.mark.slow
def test_means_of_groups_are_covered_at_sixty_looks(chance, agreement, size):
    groups, runs, step = 1200, 800, 20
    sums = ClusterSums(runs)
    wins = of_groups(chance, agreement, size, groups, runs)
    wrong = np.zeros(runs, bool)
    for first in range(0, groups, step):
        number = np.arange(first, first + step)
        sums.add(number, wins[number], np.full((step, runs), size))
        result = mean_sequence(sums.table(), tuned=groups)
        wrong |= ((result["low"] > chance) | (result["high"] < chance)).to_numpy()
    assert wrong.mean() <= 0.05


def test_groups_that_are_equal_by_chance_keep_an_interval_with_a_width():
    sums = ClusterSums(1)
    sums.add(np.arange(40), np.ones((40, 1)), np.full((40, 1), 2.0))
    result = mean_sequence(sums.table(), tuned=100).iloc[0]
    assert result["low"] < 0.5 - 0.02
    assert result["high"] > 0.5 + 0.02
    p = mean_p(sums.table(), 0.5, tuned=100)
    assert p[0] == 1


def test_few_groups_have_no_bounds_and_all_won_has_those_of_games():
    sums = pd.DataFrame({"y": [10.0, 80.0], "x": [20.0, 80.0], "yy": [10.0, 160.0], "xy": [20.0, 160.0], "xx": [40.0, 160.0]})
    sums = sums.assign(n=[LEAST_CLUSTERS - 20, 40])
    result = mean_sequence(sums, tuned=100)
    assert result.loc[0, ["low", "high"]].tolist() == [0, 1]
    alike = share_sequence([40], [40], tuned=30).iloc[0]
    assert result.loc[1, ["low", "high"]].tolist() == alike[["low", "high"]].tolist()


def test_p_values_of_means_fall_with_the_distance():
    sums = ClusterSums(1)
    wins = stats.binom.rvs(4, 0.6, size=(400, 1), random_state=2)
    sums.add(np.arange(400), wins, np.full((400, 1), 4))
    far, near = (mean_p(sums.table(), share, tuned=400)[0] for share in (0.5, 0.6))
    assert far < 0.01 < near <= 1
    assert np.isnan(mean_p(sums.table(), float("nan"), 400)[0])


def test_looks_are_whole_units_and_a_longer_run_starts_with_the_same():
    short, long = looks(10_000, 56, 1000, 1.1), looks(50_000, 56, 1000, 1.1)
    assert short[-1] == 10_000
    assert all(look % 56 == 0 for look in short[:-1])
    assert long[: len(short) - 1] == short[:-1]
    assert short == sorted(set(short))
    assert looks(500, 56, 1000, 1.1) == [500]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: share_sequence([3], [2], 10), r"wins\[0\]=3.0 must be in 0..games=2"),
        (lambda: share_sequence([3], [2, 1], 10), "of the same length"),
        (lambda: share_sequence([1], [2], 0), "tuned=0 must be"),
        (lambda: share_sequence([1], [2], 10, 1.0), "level=1.0 must lie"),
        (lambda: games_needed(0.0), "half_width=0.0 must be above 0"),
        (lambda: looks(10, 1, 1, 1.0), "growth=1.0 above 1"),
    ],
)
def test_invalid_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
