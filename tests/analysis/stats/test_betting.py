"""The sequential test with three decisions and the confidence sequence for bounded means: error rates, and length."""

import numpy as np
import pandas as pd
import pytest

from analysis.stats.betting import (
    ALIKE,
    FIRST,
    OPEN,
    SECOND,
    characteristics,
    checked_margin,
    decisions,
    fixed_pairs,
    log_wealth,
    mean_bounds,
    mean_log_wealth,
    thresholds,
)
from analysis.stats.sequential import looks, mean_sequence
from tests.conftest import in_soak

MARGIN, RUNS, MOST = 0.03, 1500, 12_000
GAPS = np.array([-0.5, 0.0, 0.5])  # of a pair: both games lost, one each, both won


def runs_of(chances, margin, most, seed=5):
    """Decisions and lengths of RUNS runs. chances: of each gap of GAPS."""
    pairs = np.array(looks(most, 1, 100, 1.05))
    rng = np.random.default_rng(seed)
    counts = np.stack([rng.multinomial(n, chances, RUNS) for n in np.diff(pairs, prepend=0)], 1)
    result = decisions(GAPS, counts, margin)
    return result["decision"].to_numpy(), pairs[result["look"]]


def played(gap, agreement=0.0):
    """Decisions, lengths and standard deviation of pairs with a gap. agreement: chance that both games go the same way."""
    chance = 0.5 + gap
    both = (1 - agreement) * chance**2 + agreement * chance
    neither = (1 - agreement) * (1 - chance) ** 2 + agreement * (1 - chance)
    return *runs_of([neither, 1 - both - neither, both], MARGIN, MOST), float(np.sqrt((both + neither) / 4 - gap**2))


@pytest.mark.parametrize("agreement", [0.0, *map(in_soak, (-0.5, 0.5))])
def test_two_equals_are_called_unequal_in_at_most_5_of_100_runs(agreement):
    decision, _, _ = played(0.0, agreement)
    assert np.isin(decision, (FIRST, SECOND)).mean() <= 0.05
    assert (decision == ALIKE).mean() > 0.94


@pytest.mark.parametrize("gap", [MARGIN, *map(in_soak, (-MARGIN, 1.5 * MARGIN, 3 * MARGIN, 0.4))])
def test_a_gap_of_the_margin_or_more_is_missed_in_at_most_5_of_100_runs(gap):
    decision, _, _ = played(gap)
    stronger = FIRST if gap > 0 else SECOND
    assert np.isin(decision, (stronger, OPEN)).mean() >= 0.95
    assert (decision == stronger).mean() >= 0.94


RARE = (0.01, 0.03)  # margin and share of decisive pairs; an estimated variance alone errs in 9 to 12 of 100
GRID = [(margin, decisive) for margin in (0.005, 0.01, 0.02, 0.05, 0.1) for decisive in (0.003, 0.01, 0.03, 0.1, 0.5)]


@pytest.mark.parametrize(("margin", "decisive"), [RARE, *map(in_soak, GRID)])
def test_at_most_5_of_100_decisions_are_wrong_where_decisive_pairs_are_rare(margin, decisive):
    most = int(4 * fixed_pairs(margin, 0.125**0.5))
    allowed = 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / RUNS)  # chance of the simulation
    even, _ = runs_of([decisive / 2, 1 - decisive, decisive / 2], margin, most)
    assert np.isin(even, (FIRST, SECOND)).mean() <= allowed
    if decisive >= 2 * margin:  # only then can a gap be as large as the margin
        ahead, _ = runs_of([decisive / 2 - margin, 1 - decisive, decisive / 2 + margin], margin, most)
        assert np.isin(ahead, (SECOND, ALIKE)).mean() <= allowed


def test_between_zero_and_the_margin_the_weaker_is_never_called_stronger():
    decision, _, _ = played(MARGIN / 2)
    assert (decision == SECOND).mean() <= 0.01
    assert (decision == OPEN).mean() <= 0.01


@pytest.mark.soak
def test_it_takes_the_predicted_pairs_and_fewer_than_a_test_of_fixed_size():
    for gap, part in ((0.0, 0.76), (MARGIN, 0.62), (2 * MARGIN, 0.25)):
        decision, pairs, deviation = played(gap)
        result = characteristics([gap], MARGIN, deviation).iloc[0]
        assert pairs.mean() == pytest.approx(result["pairs"], rel=0.12)
        assert pairs.mean() < part * fixed_pairs(MARGIN, deviation)
        for name in (FIRST, ALIKE):
            assert (decision == name).mean() == pytest.approx(result[name], abs=0.02)


def test_pairs_with_the_same_dice_save_games():
    _, apart, _ = played(0.0)
    _, alike, _ = played(0.0, -0.5)
    assert alike.mean() < 0.6 * apart.mean()


def test_the_wealth_is_the_product_of_the_gains():
    counts = np.array([[[10, 0, 30], [5, 5, 5]]])
    first, second = log_wealth(GAPS, counts, 0.1)[:2, 0]
    bet = 0.1 / 0.125  # the usual variance
    later = 0.1 / ((40 / 4 + 10 * 0.125) / 50)  # from the first 40 pairs and 10 that are assumed
    assert first[0] == pytest.approx(10 * np.log(1 - bet / 2) + 30 * np.log(1 + bet / 2))
    assert first[1] - first[0] == pytest.approx(5 * np.log(1 - later / 2) + 5 * np.log(1 + later / 2))
    assert second[0] == pytest.approx(30 * np.log(1 - bet / 2) + 10 * np.log(1 + bet / 2))
    assert thresholds(0.05) == pytest.approx((np.log(20), np.log(40)))


def test_a_run_that_shows_nothing_is_undecided_at_its_last_look():
    result = decisions(GAPS, np.full((1, 3, 3), 10), 0.01)
    assert result.iloc[0].tolist() == [OPEN, 2]


def test_s7_bounds_of_200_games_won_of_200_leave_out_little():
    low, high = mean_bounds([1.0], [100], fixed_pairs(0.01, 0.125**0.5))  # 100 pairs
    assert 0.92 < low < 0.96
    assert high == 1
    assert mean_bounds([0.0], [100], 10_000)[1] == pytest.approx(1 - mean_bounds([1.0], [100], 10_000)[0], abs=1e-9)
    assert mean_bounds([], [], 10_000) == (0.0, 1.0)


def test_bounds_are_nearly_as_narrow_as_those_of_normal_means():
    pairs = 18_000
    sums = {"y": [pairs / 2], "x": pairs, "yy": pairs * 3 / 8, "xy": pairs / 2, "xx": pairs, "n": pairs}
    row = mean_sequence(pd.DataFrame(sums), pairs).iloc[0]
    low, high = mean_bounds([0, 0.5, 1], [pairs / 4, pairs / 2, pairs / 4], pairs)
    assert low + high == pytest.approx(1)
    assert 1 < (high - low) / (row["high"] - row["low"]) < 1.1


@pytest.mark.parametrize("chances", [(0.49, 0.02, 0.49), *(in_soak((rare,)) for rare in [(0.0, 0.98, 0.02), (0.02, 0.03, 0.95)])])
def test_bounds_hold_at_all_looks_at_once(chances):
    rng, values, runs, missed = np.random.default_rng(3), np.array([0, 0.5, 1]), 100, 0
    for _ in range(runs):
        counts = np.cumsum([rng.multinomial(n, chances) for n in (5, 15, 80, 400)], axis=0)
        missed += any(mean_log_wealth(values, so_far, float(values @ chances), 200) >= np.log(20) for so_far in counts)
    assert missed <= 10  # 5 are expected if the level is exact; more than 10 in 1 of 100 such tests


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: thresholds(0.5), "alpha=0.5 must be above 0 and below 0.5"),
        (lambda: checked_margin(0.0), "margin=0 must be above 0"),
        (lambda: checked_margin(float("nan")), "margin=nan must be above 0"),
        (lambda: characteristics([0.0], 0.01, 0.0), "deviation=0.0 must be above 0"),
        (lambda: mean_bounds([1.5], [3], 10), "must be in 0..1"),
    ],
)
def test_invalid_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
