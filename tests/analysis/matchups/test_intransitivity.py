"""The distance of a set from an order: sets with known cyclic parts, coverage of the share, and significant cycles."""

import numpy as np
import pytest
from scipy.special import expit

from analysis.matchups.ratings import intransitivity, strengths, sure_cycles
from analysis.winrates.rates import of_encounters
from tests.analysis.made_encounters import ROCK_PAPER_SCISSORS, drawn, of_counts, rated


def share_of(rates):
    """The share by its definition, for exact win rates."""
    size = len(rates)
    row, column = np.triu_indices(size, 1)
    strength = strengths(rates[row, column][None], np.ones(len(row)), size)[0]
    expected = expit(strength[row] - strength[column])
    cyclic, explained = ((rates[row, column] - expected) ** 2).sum(), ((expected - 0.5) ** 2).sum()
    return cyclic / (cyclic + explained)


def mixed(size, weight):
    """Win rates of ratings, plus a cycle in which every entrant beats the next few."""
    apart = (np.arange(size)[None] - np.arange(size)[:, None]) % size
    circle = np.select([apart == 0, 2 * apart < size, 2 * apart > size], [0, 1, -1], 0)
    return np.clip(rated(*np.linspace(0.8, -0.8, size)) + weight * circle, 0.02, 0.98)


def test_the_residuals_of_ratings_have_no_divergence():
    """As in a Hodge decomposition: the flow into an entrant equals the flow out of it."""
    rates = mixed(5, 0.1)
    row, column = np.triu_indices(5, 1)
    strength = strengths(rates[row, column][None], np.ones(10), 5)[0]
    cyclic = rates - expit(strength[:, None] - strength[None])
    np.fill_diagonal(cyclic, 0)
    assert cyclic.sum(axis=1) == pytest.approx(np.zeros(5), abs=1e-9)
    assert abs(cyclic).max() > 0.05


def test_ratings_explain_nothing_of_a_pure_cycle_and_all_of_an_order():
    chance = np.random.default_rng(1)
    cycle = intransitivity(drawn(ROCK_PAPER_SCISSORS, 300, chance))
    assert cycle.estimate > 0.99
    assert cycle.low > 0.9
    assert cycle.cyclic == pytest.approx(0.2, abs=0.04)
    order = intransitivity(drawn(rated(2, 0.7, -0.7, -2), 1000, chance))
    assert order.estimate < 0.01
    assert order.low == 0
    assert order.high < 0.02


def test_two_entrants_have_no_cycle():
    assert intransitivity(of_counts(("A", "B"), [20], [3], 40)) is None


def test_a_set_without_variation_has_no_share():
    nothing = intransitivity(of_counts(tuple("ABCD"), [10] * 6, [10] * 6, 60))
    assert np.isnan(nothing.estimate)
    assert (nothing.low, nothing.high) == (0, 1)


def test_noise_is_subtracted():
    """Few pairs of a set with a small cyclic part: otherwise the share would be far too large."""
    sets = drawn(mixed(8, 0.02), 40, np.random.default_rng(2), 0.5, 60)
    true = share_of(mixed(8, 0.02))
    assert 0.005 < true < 0.02
    assert np.mean([intransitivity(result).estimate for result in sets]) == pytest.approx(true, abs=0.01)


@pytest.mark.parametrize(
    ("size", "weight", "pairs"), [(3, 0.1, 100), (4, 0.1, 100), (5, 0.0, 40), (5, 0.12, 100), (8, 0.08, 5), (8, 0.05, 100)]
)
def test_intervals_of_the_share_cover(size, weight, pairs):
    rates = mixed(size, weight)
    true = share_of(rates)
    result = [intransitivity(item) for item in drawn(rates, pairs, np.random.default_rng(3), 0.5, 150)]
    covered = np.mean([item.low - 1e-9 <= true <= item.high + 1e-9 for item in result])
    assert covered > 0.9
    assert np.mean([item.high - item.low for item in result]) < (0.6 if size < 5 or pairs < 10 else 0.3)


def test_cycles_count_only_if_all_three_matchups_are_significant():
    sure = of_encounters(of_counts(("A", "B", "C"), [40, 5, 40], [5, 40, 5], 100))  # A beats B, C beats A, B beats C
    (cycle,) = sure_cycles(sure)
    assert cycle.names == ("A", "B", "C")
    assert cycle.rates == pytest.approx((0.675, 0.675, 0.675))
    assert sure_cycles(of_encounters(of_counts(("A", "B", "C"), [40, 20, 40], [5, 25, 5], 100))) == []
    assert sure_cycles(of_encounters(of_counts(("A", "B", "C"), [40, 40, 40], [5, 5, 5], 100))) == []


def test_the_cycle_with_the_clearest_weakest_link_comes_first():
    won = {("A", "B"): 40, ("B", "C"): 40, ("C", "A"): 30, ("B", "D"): 45, ("D", "A"): 42, ("C", "D"): 22}
    names = ("A", "B", "C", "D")
    row, column = np.triu_indices(4, 1)
    up = [won.get((names[a], names[b]), 2) for a, b in zip(row, column, strict=True)]
    down = [won.get((names[b], names[a]), 2) for a, b in zip(row, column, strict=True)]
    cycles = sure_cycles(of_encounters(of_counts(names, up, down, 60)))
    assert [set(cycle.names) for cycle in cycles] == [set("ABD"), set("ABC")]
    assert cycles[0].rates[0] == pytest.approx(0.5 + 38 / 120)
