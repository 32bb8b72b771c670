"""Cluster-robust shares: rounds are the observations, and intervals cover at their level."""

import numpy as np
import pandas as pd
import pytest

from analysis.data.rows import MATCHUPS_MAX, Tally
from analysis.stats.intervals import ClusterSums, cluster_p_against, cluster_share, mean, proportion, shares
from tests.conftest import in_soak


def sums_of(wins: np.ndarray, games: np.ndarray) -> pd.DataFrame:
    """Sums over clusters of many samples side by side; wins, games: (clusters, samples)."""
    sums = ClusterSums(wins.shape[1])
    sums.add(np.arange(len(wins)), wins, games)
    return sums.table()


def covered(wins: np.ndarray, games: np.ndarray, true: float) -> float:
    result = shares(sums_of(wins, games))
    return float(((result["low"] <= true) & (true <= result["high"])).mean())


@pytest.mark.parametrize("clusters", [8, *map(in_soak, (40, 200))])
@pytest.mark.slow
def test_intervals_cover_if_games_of_a_round_are_alike(clusters):
    """Six games a round, won with a chance that varies by round: Wilson's interval of single games covers far too seldom."""
    chance = np.random.default_rng(1)
    samples, games, true = 4000, 6, 0.4
    strength = chance.beta(2 * true, 2 * (1 - true), (clusters, samples))
    wins = chance.binomial(games, strength)
    assert 0.93 < covered(wins, np.full_like(wins, games), true) < 0.965
    single = [proportion(won, games * clusters) for won in wins.sum(axis=0)[:500].tolist()]
    assert np.mean([item.low <= true <= item.high for item in single]) < 0.8


@pytest.mark.parametrize("clusters", [20, in_soak(100)])
def test_intervals_are_narrow_and_cover_if_games_of_a_round_compensate(clusters):
    """Pairs that swap seats: the luck that wins one game mostly loses the other."""
    luck = np.random.default_rng(2).random((clusters, 3, 4000))
    wins = ((luck < 0.65).astype(int) + (1 - luck < 0.65)).sum(axis=1)
    games = np.full_like(wins, 6)
    assert 0.93 < covered(wins, games, 0.65) < 0.965
    result, single = shares(sums_of(wins, games)), proportion(0.65 * 6 * clusters, 6 * clusters)
    assert (result["high"] - result["low"]).mean() < 0.75 * (single.high - single.low)


def test_intervals_cover_if_rounds_differ_in_size():
    chance = np.random.default_rng(3)
    games = chance.integers(0, 7, (60, 4000))  # some games are truncated, some rounds are empty
    wins = chance.binomial(games, 0.3)
    assert 0.93 < covered(wins, games, 0.3) < 0.965


def test_with_one_game_a_round_it_is_the_interval_of_a_mean():
    values = np.random.default_rng(4).integers(0, 2, 50).astype(float)
    result, right = cluster_share(values, np.ones(50)), mean(values)
    assert (result.estimate, result.low, result.high) == pytest.approx((right.estimate, right.low, right.high))
    assert (result.n, result.method) == (50, "clusters")


def test_equal_rounds_have_no_width_except_at_zero_and_one():
    even = cluster_share([3, 3, 3], [6, 6, 6])
    assert (even.low, even.high) == (0.5, 0.5)
    never = cluster_share([0] * 10, [6] * 10)
    assert (never.low, never.high) == pytest.approx((0, proportion(0, 10).high))
    always = cluster_share([6] * 10, [6] * 10)
    assert (always.low, always.high) == pytest.approx((proportion(10, 10).low, 1))
    alone = shares(sums_of(np.array([[3.0]]), np.array([[6.0]]))).iloc[0]
    assert alone["estimate"] == 0.5
    assert np.isnan([alone["low"], alone["high"], alone["error"]]).all()
    nothing = shares(sums_of(np.zeros((3, 1)), np.zeros((3, 1)))).iloc[0]
    assert np.isnan(nothing["estimate"])
    assert (nothing["n"], nothing["clusters"]) == (0, 0)


def test_bounds_stay_within_0_and_1():
    result = cluster_share([6, 6, 6, 1], [6, 6, 6, 6])
    assert result.high == 1
    assert result.low >= 0


def test_blocks_can_end_anywhere():
    chance = np.random.default_rng(5)
    cluster = np.repeat(np.arange(20), 7)
    wins, games = chance.integers(0, 2, (140, 3)), np.ones((140, 3))
    whole = ClusterSums(3)
    whole.add(cluster, wins, games)
    for size in (1, 5, 7, 50):
        cut = ClusterSums(3)
        for first in range(0, 140, size):
            part = slice(first, first + size)
            cut.add(cluster[part], wins[part], games[part])
        cut.add([], np.zeros((0, 3)), np.zeros((0, 3)))
        assert cut.table().equals(whole.table())


def test_mismatches_are_refused():
    sums = ClusterSums(2)
    sums.add([0, 3], np.zeros((2, 2)), np.ones((2, 2)))
    with pytest.raises(ValueError, match=r"cluster=2..2 after 3: games must come in order"):
        sums.add([2], np.zeros((1, 2)), np.ones((1, 2)))
    with pytest.raises(ValueError, match="games must come in order"):
        sums.add([5, 4], np.zeros((2, 2)), np.ones((2, 2)))
    with pytest.raises(ValueError, match=r"wins and games \(1, 3\) must be \(1, 2\)"):
        sums.add([4], np.zeros((1, 3)), np.ones((1, 3)))
    with pytest.raises(ValueError, match="of the same length, at least 2"):
        cluster_share([1], [2])


def test_p_values_hold_their_level():
    chance = np.random.default_rng(6)
    wins = chance.binomial(6, chance.beta(1, 1, (30, 4000)))
    p = cluster_p_against(shares(sums_of(wins, np.full_like(wins, 6))), 0.5)
    for level in (0.01, 0.05, 0.2):
        assert abs((p <= level).mean() - level) < 4 * np.sqrt(level * (1 - level) / 4000) + 0.003
    sure = shares(sums_of(np.full((5, 2), 3.0), np.full((5, 2), 6.0)))
    assert cluster_p_against(sure, 0.5).tolist() == [1, 1]
    assert cluster_p_against(sure, 0.4).tolist() == [0, 0]


def test_pairs_of_very_many_entrants_are_not_counted():
    assert Tally.empty(MATCHUPS_MAX, 4).has_matchups
    many = Tally.empty(MATCHUPS_MAX + 1, 4)
    assert not many.has_matchups
    assert many.matchup_games.shape == (0, 0)
    assert not (many + many).has_matchups
