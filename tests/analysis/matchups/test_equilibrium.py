"""Equilibrium shares: games with known answers, ties, the shares of many matrices at once, and coverage."""

import numpy as np
import pytest

from analysis.matchups.ratings import alone, equilibrium, nash, nash_of_each
from tests.analysis.covering import error
from tests.analysis.made_encounters import ROCK_PAPER_SCISSORS, drawn, of_counts, rated
from tests.every_game.play import shortened


def cycle(first, second, third):
    """Biased rock, paper, scissors: the margin above even by which each beats the next."""
    gap = np.array([[0, first, -third], [-first, 0, second], [third, -second, 0]])
    return 0.5 + gap


@pytest.mark.parametrize("gaps", [(0.2, 0.2, 0.2), (0.1, 0.3, 0.2), (0.4, 0.05, 0.05), (0.01, 0.02, 0.03)])
def test_in_a_cycle_each_is_played_in_proportion_to_the_matchup_of_the_others(gaps):
    first, second, third = gaps
    assert nash(cycle(*gaps)) == pytest.approx(np.array([second, third, first]) / sum(gaps))


def test_dominated_entrants_are_not_played_and_an_order_plays_only_the_best():
    rates = np.full((4, 4), 0.5)
    rates[:3, :3] = ROCK_PAPER_SCISSORS
    rates[3, :3], rates[:3, 3] = 0.45, 0.55
    assert nash(rates) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])
    assert nash(rated(-0.3, 0.4, 0.1, 0)) == pytest.approx([0, 1, 0, 0])


def test_the_most_even_of_several_equilibria_is_returned():
    assert nash(np.full((4, 4), 0.5)) == pytest.approx([0.25] * 4, abs=1e-5)
    twice = ROCK_PAPER_SCISSORS[np.ix_([0, 0, 1, 2], [0, 0, 1, 2])]
    assert nash(twice) == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3], abs=1e-5)


@pytest.mark.slow
def test_no_entrant_beats_the_mix_and_matrices_can_be_solved_together():
    chance = np.random.default_rng(1)
    for size in (2, 3, 5, 8, 12):
        above = np.triu(chance.uniform(-0.5, 0.5, (40, size, size)), 1)
        rates = 0.5 + above - above.transpose(0, 2, 1)
        mixes = nash_of_each(rates)
        assert mixes.sum(axis=1) == pytest.approx(np.ones(40))
        assert (mixes >= 0).all()
        assert np.einsum("sij,sj->si", rates, mixes).max() <= 0.5 + 1e-7
        assert mixes[:5] == pytest.approx(np.array([nash(item) for item in rates[:5]]), abs=1e-6)


def test_invalid_matrices_and_missing_matchups_are_refused():
    with pytest.raises(ValueError, match="must be 1"):
        nash(np.full((3, 3), 0.6))
    with pytest.raises(ValueError, match="A and C never met"):
        equilibrium(of_counts(("A", "B", "C"), [3, 0, 2], [1, 0, 2], np.array([9, 0, 9])))


def test_shares_lie_within_their_intervals_largest_first_and_depend_on_the_seed():
    result = drawn(cycle(0.1, 0.3, 0.2), 200, np.random.default_rng(2))
    table = equilibrium(result, 300)
    assert table["name"].tolist() == ["A", "B", "C"]
    assert table["estimate"].sum() == pytest.approx(1)
    for name, low, high in (("estimate", "low", "high"), ("field", "field_low", "field_high")):
        assert ((table[low] <= table[name]) & (table[name] <= table[high])).all()
    assert table["field"].to_numpy() == pytest.approx([0.5] * 3)
    assert (table["support"] > 0.99).all()
    assert table.equals(equilibrium(result, 300))
    assert not table.equals(equilibrium(result, 300, seed=6))


def coverage(rates, pairs, sets=100):
    """Coverage of the true shares by the intervals of all entrants, and the mean chance of support."""
    true = nash(rates)
    result = drawn(rates, pairs, np.random.default_rng(4), 0.5, sets)
    tables = [equilibrium(item, 200, index).sort_values("entrant") for index, item in enumerate(result)]
    covered = [(table["low"] <= true + 1e-9) & (true <= table["high"] + 1e-9) for table in tables]
    return np.mean(covered, axis=0), np.mean([table["support"] for table in tables], axis=0)


@pytest.mark.parametrize(
    ("rates", "pairs", "sets", "least", "mean"),
    [
        (ROCK_PAPER_SCISSORS, 100, 100, 0.89, (0.92, 0.985)),
        (cycle(0.1, 0.3, 0.2), 100, 100, 0.89, (0.92, 0.985)),
        (np.full((4, 4), 0.5), 60, 60, 0.92, (0.92, 1.01)),
    ],
)
@pytest.mark.soak
def test_intervals_cover_if_every_entrant_can_be_played(rates, pairs, sets, least, mean):
    covered, _ = coverage(rates, pairs, sets)
    assert covered.min() > least
    assert mean[0] < covered.mean() < mean[1]


@pytest.mark.soak
def test_intervals_cover_above_their_level_if_shares_are_zero():
    """In an order only the best is played; at this end of the scale an interval can miss on one side only."""
    covered, support = coverage(rated(0.3, 0.2, 0.0, -0.4), 60, 60)
    assert covered.min() > 0.95
    assert support[0] > 0.6
    assert support[3] < 0.05


@pytest.mark.soak
def test_the_narrowly_best_entrant_can_have_a_share_of_one():
    """The best of eight near equals wins each matchup by a point: quantiles of draws alone missed its share of 1 too often."""
    rates = np.full((8, 8), 0.5)
    rates[0, 1:], rates[1:, 0] = 0.51, 0.49
    sets = shortened(80, 4)
    covered, _ = coverage(rates, 40, sets)
    assert covered.min() > 0.95 - 3 * error(sets)
    result = drawn(rates, 40, np.random.default_rng(1))
    table = equilibrium(result, 200).sort_values("entrant")
    may = alone(result)
    assert may[0]
    assert (table.loc[may, "high"] == 1).all()
    assert (table["low"] == 0).all()


def test_a_certain_loser_is_not_played_alone():
    assert alone(drawn(rated(0.5, 0.0, -0.5), 400, np.random.default_rng(1))).tolist() == [True, False, False]
    assert not alone(drawn(ROCK_PAPER_SCISSORS, 400, np.random.default_rng(1))).any()
