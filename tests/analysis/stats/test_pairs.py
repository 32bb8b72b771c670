"""Changes over pairs of games: the score interval compared with its definition, and its coverage of rare changes."""

import numpy as np
import pytest
from scipy import optimize, stats

from analysis.stats.paired import exchange, grouped_changes, p_changed, paired_changes, paired_mean

Z = stats.norm.ppf(0.975)


def score(delta: float, up: int, down: int, n: int) -> float:
    """Standard errors between the change and delta, by numerical maximum likelihood."""

    def against(share: float) -> float:  # share of losses; gains are share + delta
        stay = 1 - 2 * share - delta
        cells = ((up, share + delta), (down, share), (n - up - down, stay))
        return -sum(count * np.log(max(chance, 1e-300)) for count, chance in cells if count)

    least = max(0.0, -delta)
    result = optimize.minimize_scalar(against, bounds=(least, (1 - delta) / 2), options={"xatol": 1e-12})
    return (up - down - n * delta) / np.sqrt(n * (2 * result.x + delta * (1 - delta)))


@pytest.mark.parametrize(("up", "down", "n"), [(12, 2, 50), (3, 9, 40), (7, 7, 30), (1, 4, 5), (90, 10, 400)])
def test_bounds_are_where_the_score_is_z(up, down, n):
    row = paired_changes([up], [down], [n]).iloc[0]
    assert row["change"] == (up - down) / n
    assert score(row["low"], up, down, n) == pytest.approx(Z, abs=1e-3)
    assert score(row["high"], up, down, n) == pytest.approx(-Z, abs=1e-3)


def test_many_changes_give_the_normal_interval():
    row = paired_changes([5000], [4000], [60_000]).iloc[0]
    half = Z * np.sqrt((9000 / 60_000 - (1000 / 60_000) ** 2) / 60_000)
    assert (row["low"], row["high"]) == pytest.approx((1 / 60 - half, 1 / 60 + half), abs=1e-5)


def test_exchanging_gains_and_losses_mirrors_the_interval():
    first, second = paired_changes([3, 0, 8], [1, 5, 8], [20] * 3), paired_changes([1, 5, 8], [3, 0, 8], [20] * 3)
    assert np.array_equal(first["low"], -second["high"])
    assert np.array_equal(first["high"], -second["low"])
    assert np.array_equal(first["p"], second["p"])


@pytest.mark.parametrize(("up", "down"), [(0, 0), (0, 1), (2, 0), (20, 0), (0.5, 0)])
def test_no_interval_is_without_width_or_misses_its_estimate(up, down):
    row = paired_changes([up], [down], [20]).iloc[0]
    assert -1 <= row["low"] <= row["change"] <= row["high"] <= 1
    assert row["high"] - row["low"] > 0.1


@pytest.mark.parametrize(("gain", "loss"), [(2, 0), (3, 0), (6, 4), (0, 2), (10, 0)])
def test_rare_changes_are_covered(gain, loss):
    """A few games in 6,000 change; 2 gains and no loss are a true change of 1/3000."""
    n, runs = 6000, 20_000
    rng = np.random.default_rng(1)
    up = rng.binomial(n, gain / n, runs)
    cases, times = np.unique(np.c_[up, rng.binomial(n - up, loss / n)], axis=0, return_counts=True)
    table = paired_changes(cases[:, 0], cases[:, 1], np.full(len(cases), n))
    truth = (gain - loss) / n
    covered = ((table["low"] <= truth) & (truth <= table["high"])).to_numpy()
    assert (covered * times).sum() / runs >= 0.93


def test_p_is_the_exact_binomial_one_of_gains_against_losses():
    assert p_changed(0, 0) == 1
    assert p_changed(5, 0) == pytest.approx(2 / 32)
    assert p_changed(2, 2) == pytest.approx(1)
    assert p_changed(4.5, 0.5) == pytest.approx(2 * stats.norm.sf(4 / np.sqrt(5)))


def test_intervals_of_shared_changes_are_conservative():
    rng = np.random.default_rng(2)
    changes = rng.choice([-0.5, 0, 0.5, 1], (4000, 300), p=[0.1, 0.7, 0.15, 0.05])
    up, down = changes.clip(min=0).sum(axis=1), -changes.clip(max=0).sum(axis=1)
    table = paired_changes(up, down, np.full(4000, 300))
    assert ((table["low"] <= 0.075) & (table["high"] >= 0.075)).mean() >= 0.94


def test_impossible_sums_are_named():
    with pytest.raises(ValueError, match=r"up=3.0 and down=2.0 must be .* at most n=4"):
        paired_changes([3], [2], [4])
    with pytest.raises(ValueError, match=r"up=-1\.0"):
        paired_changes([-1], [0], [4])
    with pytest.raises(ValueError, match="same length"):
        paired_changes([1, 1], [0], [4])
    with pytest.raises(ValueError, match="level=95"):
        paired_changes([1], [0], [4], level=95)


def test_a_paired_mean_is_the_t_test_of_the_differences():
    rng = np.random.default_rng(3)
    before = rng.gamma(4, 5, 300)
    after = before + rng.normal(0.4, 2, 300)
    result, right = paired_mean(before, after), stats.ttest_rel(after, before)
    bounds = right.confidence_interval(0.95)
    assert (result.before, result.after, result.n) == (before.mean(), after.mean(), 300)
    assert (result.change, result.p) == pytest.approx(((after - before).mean(), right.pvalue))
    assert (result.low, result.high) == pytest.approx((bounds.low, bounds.high))
    assert result.gain == pytest.approx((before.var() + after.var()) / (after - before).var())


def test_games_without_a_change_have_none_and_a_constant_shift_is_certain():
    result = paired_mean([3, 4, 5], [3, 4, 5])
    assert (result.change, result.low, result.high, result.p) == (0, 0, 0, 1)
    assert result.gain == np.inf
    assert paired_mean([3, 4, 5], [4, 5, 6]).p == 0
    assert np.isnan(paired_mean([3, 3], [3, 3]).gain)


@pytest.mark.parametrize(("before", "after"), [([1], [2]), ([1, 2], [1]), ([1, np.nan], [1, 2]), ([[1, 2]], [[1, 2]])])
def test_means_of_invalid_pairs_are_refused(before, after):
    with pytest.raises(ValueError, match="of the same length of at least 2, all finite"):
        paired_mean(before, after)


def test_at_the_bounds_of_an_exchange_the_difference_is_just_significant():
    rng = np.random.default_rng(1)
    paid = rng.normal(0.5, 1, 200)
    bought = paid + rng.normal(0.2, 1, 200)
    result = exchange(bought, paid)
    assert result.estimate == pytest.approx(bought.mean() / paid.mean())
    assert result.low < result.estimate < result.high
    for bound in (result.low, result.high):
        assert stats.ttest_1samp(bought - bound * paid, 0).pvalue == pytest.approx(0.05)
    assert (result.n, result.method) == (200, "fieller")


def test_an_exchange_at_a_fixed_price_is_the_interval_of_the_mean():
    bought = np.array([0.0, 1.0, 1.0, 2.0, 3.0])
    mean = paired_mean(np.zeros(5), bought)
    result = exchange(bought, np.full(5, 2.0))
    assert (result.estimate, result.low, result.high) == pytest.approx((mean.change / 2, mean.low / 2, mean.high / 2))


def test_an_exchange_covers_the_true_price():
    rng = np.random.default_rng(2)
    paid = rng.normal(0.3, 1, (1000, 150))
    bought = 1.5 * paid + rng.normal(0, 1, (1000, 150))
    result = [exchange(*pair) for pair in zip(bought, paid, strict=True)]
    assert np.mean([item.low <= 1.5 <= item.high for item in result]) == pytest.approx(0.95, abs=0.02)


def test_a_price_that_is_not_significant_gives_no_bounds():
    result = exchange([1, 2, 3, 4], [1, -1, 2, -1.5])
    assert (result.low, result.high) == (-np.inf, np.inf)
    assert np.isnan(exchange([1, 2], [1, -1]).estimate)


@pytest.mark.parametrize(("bought", "paid"), [([1], [1]), ([1, 2], [1, 2, 3]), ([1, np.nan], [1, 2])])
def test_an_exchange_needs_pairs(bought, paid):
    with pytest.raises(ValueError, match="must be one-dimensional, of the same length"):
        exchange(bought, paid)


def test_the_level_of_an_exchange_lies_between_0_and_1():
    with pytest.raises(ValueError, match="level=1"):
        exchange([1, 2], [1, 2], 1)


@pytest.mark.parametrize("together", [0.0, 0.6, 1.0])  # chance that both games of a group change alike
@pytest.mark.parametrize(("up", "down"), [(0.1, 0.1), (0.2, 0.05), (0.02, 0.0)])
@pytest.mark.slow
def test_changes_of_groups_cover_at_any_agreement_of_their_games(together, up, down):
    rng = np.random.default_rng(11)
    games = rng.choice([1, -1, 0], (2000, 150, 2), p=[up, down, 1 - up - down])
    alike = rng.random((2000, 150)) < together
    means = np.where(alike, games[..., 0], games.mean(axis=2))
    sums = means.clip(min=0).sum(axis=1), (-means).clip(min=0).sum(axis=1), (means**2).sum(axis=1)
    result = grouped_changes(*sums, np.full(2000, 150))
    covered = (result["low"] <= up - down + 1e-12) & (up - down <= result["high"] + 1e-12)
    assert covered.mean() >= 0.925
    assert (result["p"] < 0.05).mean() <= 0.065 or up != down


def test_changes_of_groups_of_independent_games_are_as_narrow_as_of_single_games():
    d = np.random.default_rng(12).choice([1, -1, 0], 6000, p=[0.1, 0.1, 0.8])
    single = paired_changes([(d > 0).sum()], [(d < 0).sum()], [6000]).iloc[0]
    pairs = d.reshape(-1, 2).mean(axis=1)
    grouped = grouped_changes([pairs.clip(min=0).sum()], [(-pairs).clip(min=0).sum()], [(pairs**2).sum()], [3000]).iloc[0]
    assert grouped["change"] == pytest.approx(single["change"])
    assert grouped["high"] - grouped["low"] == pytest.approx(single["high"] - single["low"], rel=0.03)
    assert grouped_changes([3], [1], [4], [9]).equals(paired_changes([3.0], [1.0], [9]))
