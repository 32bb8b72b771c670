"""The sequential test with three decisions: its error rates, and its length compared with a test of fixed size."""

import numpy as np
import pytest

from analysis.stats.sequential import (
    ALIKE,
    FIRST,
    OPEN,
    SECOND,
    bounds,
    characteristics,
    checked_margin,
    decisions,
    fixed_pairs,
    log_ratios,
    looks,
)

MARGIN, RUNS, MOST = 0.03, 1500, 12_000


def played(gap, agreement=0.0, seed=5):
    """Decisions and lengths of runs of pairs with a gap in strength. agreement: chance that both games go the same way."""
    chance = 0.5 + gap
    both = (1 - agreement) * chance**2 + agreement * chance
    neither = (1 - agreement) * (1 - chance) ** 2 + agreement * (1 - chance)
    pairs = np.array(looks(MOST, 1, 100, 1.05))
    rng = np.random.default_rng(seed)
    counts = np.stack([rng.multinomial(n, [neither, 1 - both - neither, both], RUNS) for n in np.diff(pairs, prepend=0)], 1)
    total = ((counts[..., 2] - counts[..., 0]) / 2).cumsum(axis=1)
    squares = ((counts[..., 2] + counts[..., 0]) / 4).cumsum(axis=1)
    result = decisions(total, squares, pairs, MARGIN)
    deviation = float(np.sqrt((both + neither) / 4 - gap**2))
    return result["decision"].to_numpy(), pairs[result["look"]], deviation


@pytest.mark.parametrize("agreement", [-0.5, 0.0, 0.5])
def test_two_equals_are_called_unequal_in_at_most_5_of_100_runs(agreement):
    decision, _, _ = played(0.0, agreement)
    assert np.isin(decision, (FIRST, SECOND)).mean() <= 0.05
    assert (decision == ALIKE).mean() > 0.94


@pytest.mark.parametrize("gap", [MARGIN, -MARGIN, 1.5 * MARGIN, 3 * MARGIN, 0.4])
def test_a_gap_of_the_margin_or_more_is_missed_in_at_most_5_of_100_runs(gap):
    decision, _, _ = played(gap)
    stronger = FIRST if gap > 0 else SECOND
    assert np.isin(decision, (stronger, OPEN)).mean() >= 0.95
    assert (decision == stronger).mean() >= 0.94


def test_between_zero_and_the_margin_the_weaker_is_never_called_stronger():
    decision, _, _ = played(MARGIN / 2)
    assert (decision == SECOND).mean() <= 0.01
    assert (decision == OPEN).mean() <= 0.01


def test_it_takes_the_predicted_pairs_and_fewer_than_a_test_of_fixed_size():
    for gap, part in ((0.0, 0.75), (MARGIN, 0.6), (2 * MARGIN, 0.25)):
        decision, pairs, deviation = played(gap)
        result = characteristics([gap], MARGIN, deviation).iloc[0]
        assert pairs.mean() == pytest.approx(result["pairs"], rel=0.1)
        assert pairs.mean() < part * fixed_pairs(MARGIN, deviation)
        for name in (FIRST, ALIKE):
            assert (decision == name).mean() == pytest.approx(result[name], abs=0.02)


def test_pairs_with_the_same_dice_save_games():
    _, apart, _ = played(0.0)
    _, alike, _ = played(0.0, -0.5)
    assert alike.mean() < 0.6 * apart.mean()


def test_the_ratios_are_those_of_normal_means_and_the_bounds_walds():
    up, down = log_ratios([30.0], [60.0], [200], 0.1)
    variance = (60 - 30**2 / 200 + 0.25) / 200
    assert up[0] == pytest.approx(0.1 * (30 - 10) / variance)
    assert down[0] == pytest.approx(0.1 * (-30 - 10) / variance)
    assert bounds(0.05) == pytest.approx((np.log(0.05 / 0.975), np.log(0.95 / 0.025)))


def test_a_run_that_crosses_no_bound_is_undecided_at_its_last_look():
    result = decisions([[1.0, 2.0, 0.0]], [[10.0, 20.0, 30.0]], [40, 80, 120], 0.01)
    assert result.iloc[0].tolist() == [OPEN, 2]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bounds(0.5), "alpha=0.5 must be above 0 and below 0.5"),
        (lambda: checked_margin(0.0), "margin=0 must be above 0"),
        (lambda: checked_margin(float("nan")), "margin=nan must be above 0"),
        (lambda: characteristics([0.0], 0.01, 0.0), "deviation=0.0 must be above 0"),
    ],
)
def test_invalid_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
