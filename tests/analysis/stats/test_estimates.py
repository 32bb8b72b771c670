"""Intervals against known values and by enumerated coverage; p-values, adjustments."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportions_ztest

from analysis.stats.intervals import adjust, differences, effective_games, mean, p_against, proportion, proportions, ratio, share

RATES = np.linspace(0.005, 0.995, 199)


def coverage(n, method, rates=RATES):
    """Chance, by rate, that the interval of n games contains the rate: a sum over every possible number of wins."""
    table = proportions(np.arange(n + 1), np.full(n + 1, n), method=method)
    chance = stats.binom.pmf(np.arange(n + 1)[:, None], n, rates)
    holds = (table["low"].to_numpy()[:, None] <= rates) & (rates <= table["high"].to_numpy()[:, None])
    return (chance * holds).sum(axis=0)


@pytest.mark.parametrize("n", [20, 50, 200])
def test_wilson_covers_the_nominal_level_on_average(n):
    covered = coverage(n, "wilson")
    assert covered.mean() == pytest.approx(0.95, abs=0.01)
    assert covered.min() > 0.82


@pytest.mark.parametrize("n", [20, 50, 200])
def test_clopper_pearson_never_covers_less_than_the_nominal_level(n):
    assert coverage(n, "exact").min() >= 0.95


def test_wilson_by_hand():
    z2 = stats.norm.ppf(0.975) ** 2
    centre, half = (30 + z2 / 2) / (100 + z2), np.sqrt(z2 * (100 * 0.3 * 0.7 + z2 / 4)) / (100 + z2)
    interval = proportion(30, 100)
    assert (interval.low, interval.high) == (pytest.approx(centre - half), pytest.approx(centre + half))
    assert (interval.estimate, interval.n, interval.level, interval.method) == (0.3, 100, 0.95, "wilson")


def test_clopper_pearson_at_no_win_is_the_rule_of_the_nth_root():
    interval = proportion(0, 10, method="exact")
    assert interval.low == 0
    assert interval.high == pytest.approx(1 - 0.025**0.1)


@pytest.mark.parametrize("method", ["wilson", "exact"])
@pytest.mark.parametrize("n", [1, 7, 10**7])
def test_bounds_are_exactly_0_and_1_without_and_with_only_wins(n, method):
    assert proportion(0, n, method=method).low == 0
    assert proportion(n, n, method=method).high == 1


def test_a_higher_level_is_wider():
    narrow, wide = proportion(5, 10, level=0.8), proportion(5, 10, level=0.99)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_shared_wins_take_wilson_over_the_sum_of_shares():
    assert share([1, 0, 0, 1]) == proportion(2, 4)
    assert share([0.5] * 5 + [1, 1, 0, 0, 0]) == proportion(4.5, 10)
    z2 = stats.norm.ppf(0.975) ** 2
    assert share([0.5] * 3).high == pytest.approx((1.5 + z2 / 2 + np.sqrt(z2 * (3 / 4 + z2 / 4))) / (3 + z2))


@pytest.mark.parametrize("shares", [[0.5], [0.5] * 3, [0.5] * 1000, [1 / 3] * 60])
def test_games_all_shared_alike_keep_an_interval_with_a_width(shares):
    interval = share(shares)
    assert 0 < interval.low < interval.estimate < interval.high < 1


@pytest.mark.parametrize("drawn", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("n", [20, 200])
def test_wilson_covers_shared_wins_at_least_at_the_nominal_level(n, drawn):
    rng = np.random.default_rng(n)
    lost = (1 - drawn) * 0.6
    draws, won = rng.multinomial(n, [drawn, 1 - drawn - lost, lost], 20_000).T[:2]
    table = proportions(won + draws / 2, np.full(won.size, n))
    truth = drawn / 2 + 1 - drawn - lost
    assert ((table["low"] <= truth) & (truth <= table["high"])).mean() > 0.94


def test_no_games_give_no_estimate_in_a_table_and_an_error_for_a_single_share():
    table = proportions([0, 1], [0, 2])
    assert table["n"].tolist() == [0, 2]
    assert table.loc[0, ["estimate", "low", "high"]].isna().all()
    with pytest.raises(ValueError, match="games=0 must be at least 1"):
        proportion(0, 0)


def test_wrong_arguments_are_named():
    with pytest.raises(ValueError, match=r"wins\[1\]=3.0 must be in 0..games=2"):
        proportions([1, 3], [2, 2])
    with pytest.raises(ValueError, match=r"wins\[0\]=nan"):
        proportions([np.nan], [2])
    with pytest.raises(ValueError, match="same length"):
        proportions([1, 2], [2])
    with pytest.raises(ValueError, match="level=95"):
        proportion(1, 2, level=95)
    with pytest.raises(ValueError, match="method='wald'"):
        proportion(1, 2, method="wald")
    with pytest.raises(ValueError, match=r"shares must lie in 0..1, found 0.0..2.0"):
        share([0, 2])


def test_mean_is_the_t_interval():
    values = [1.0, 2.0, 3.0, 4.0]
    interval = mean(values)
    assert (interval.low, interval.high) == pytest.approx(stats.t.interval(0.95, 3, 2.5, stats.sem(values)))
    with pytest.raises(ValueError, match="at least 2"):
        mean([1.0])
    with pytest.raises(ValueError, match="finite"):
        mean([1.0, np.nan])


def test_a_ratio_of_constant_effect_has_no_width_and_without_uses_no_value():
    interval = ratio([2, 4, 6], [1, 2, 3])
    assert (interval.estimate, interval.low, interval.high) == pytest.approx((2, 2, 2))
    assert np.isnan(ratio([0, 0], [0, 0]).estimate)


def test_ratio_by_hand():
    interval = ratio([1, 3], [1, 1], level=0.9)  # residuals -1 and 1: variance 2/1 x 2 / 2^2 = 1
    t = stats.t.ppf(0.95, 1)
    assert (interval.estimate, interval.low, interval.high) == pytest.approx((2, 2 - t, 2 + t))


@pytest.mark.soak
def test_ratio_covers_the_nominal_level_if_uses_of_a_game_are_correlated():
    rng = np.random.default_rng(1)
    runs, games = 2000, 200
    strength = rng.gamma(2, size=(runs, games, 1))
    uses = rng.poisson(3 * strength[..., 0])
    effects = rng.poisson(uses * strength[..., 0])  # E[y] / E[x] = E[s^2] / E[s] = 6 / 2
    held = [interval.low <= 3 <= interval.high for interval in map(ratio, effects, uses)]
    assert np.mean(held) == pytest.approx(0.94, abs=0.02)


def test_p_is_the_exact_binomial_one():
    assert p_against(0, 5, 0.5) == pytest.approx(2 / 32)
    assert p_against(2, 4, 0.5) == pytest.approx(1)
    assert p_against(4, 4, 0.25) == pytest.approx(1 / 256)


def test_p_of_one_side_is_the_exact_binomial_tail():
    assert p_against(4, 4, 0.25, "greater") == pytest.approx(1 / 256)
    assert p_against(0, 5, 0.5, "less") == pytest.approx(1 / 32)
    assert p_against(0, 5, 0.5, "greater") == 1


def test_p_of_shared_wins_is_that_of_the_score_test():
    assert p_against(2.5, 5, 0.5) == 1
    z = (4.5 / 6 - 0.5) / np.sqrt(0.5 * 0.5 / 6)
    assert p_against(4.5, 6, 0.5) == pytest.approx(2 * stats.norm.sf(z))
    assert p_against(4.5, 6, 0.5, "greater") == pytest.approx(stats.norm.sf(z))
    assert p_against(4.5, 6, 0.5, "less") == pytest.approx(stats.norm.cdf(z))
    assert p_against(0.5, 1, 0.0) == p_against(0.5, 1, 1.0) == 0


def test_adjustments_by_hand_and_around_missing_values():
    assert adjust([0.01, 0.04, np.nan, 0.03]) == pytest.approx([0.03, 0.06, np.nan, 0.06], nan_ok=True)
    assert adjust([0.01, 0.04, 0.03], "bh") == pytest.approx([0.03, 0.04, 0.04])
    assert adjust([]).size == 0
    assert np.isnan(adjust([np.nan])).all()


@pytest.mark.parametrize(("ours", "theirs"), [("holm", "holm"), ("bh", "fdr_bh")])
@pytest.mark.slow
def test_adjustments_are_those_of_statsmodels(ours, theirs):
    p = np.random.default_rng(1).random(200) ** 4
    p[7] = p[11]
    assert adjust(p, ours) == pytest.approx(multipletests(p, method=theirs)[1], abs=1e-15)


def test_a_difference_of_independent_rates_is_newcombes_example_with_the_p_of_statsmodels():
    first, second = proportions([56], [70]), proportions([48], [80])
    row = differences(first, second).iloc[0]
    assert [round(row[name], 4) for name in ("change", "low", "high")] == [0.2, 0.0524, 0.3339]  # 1998, table II (a), method 10
    assert row["p"] == pytest.approx(proportions_ztest([56, 48], [70, 80])[1])


def test_games_that_were_all_shared_prove_no_more_than_half_a_win_either_way():
    z = stats.norm.ppf(0.975)
    assert float(effective_games(5, 10, 2.5)) == pytest.approx(100 / z**2)
    assert float(effective_games(5, 10, 0)) == 10
