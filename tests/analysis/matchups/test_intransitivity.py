"""The distance of a set from an order: sets with known cyclic parts, coverage of the share, and significant cycles."""

import numpy as np
import pytest
from scipy.special import expit

from analysis.matchups.ratings import intransitivity, strengths, sure_cycles
from analysis.winrates.rates import of_encounters
from tests.analysis.covering import error
from tests.analysis.made_encounters import ROCK_PAPER_SCISSORS, drawn, of_counts, rated
from tests.every_game.play import shortened


def parts(rates):
    """Cyclic and explained part of exact win rates, by their definition."""
    row, column = np.triu_indices(len(rates), 1)
    strength = strengths(rates[row, column][None], np.ones(len(row)), len(rates))[0]
    expected = expit(strength[:, None] - strength[None])
    return rates - expected, expected - 0.5


def share_of(rates):
    """The share by its definition; no cyclic flow is lost (as in a Hodge decomposition, what flows into an entrant flows out)."""
    cyclic, explained = (np.where(np.eye(len(rates)), 0, part) for part in parts(rates))
    assert cyclic.sum(axis=1) == pytest.approx(np.zeros(len(rates)), abs=1e-7)
    return (cyclic**2).sum() / ((cyclic**2).sum() + (explained**2).sum())


def mixed(size, weight):
    """Win rates of ratings, plus a cycle in which every entrant beats the next few."""
    apart = (np.arange(size)[None] - np.arange(size)[:, None]) % size
    circle = np.select([apart == 0, 2 * apart < size, 2 * apart > size], [0, 1, -1], 0)
    return np.clip(rated(*np.linspace(0.8, -0.8, size)) + weight * circle, 0.02, 0.98)


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


def test_two_entrants_have_no_cycle_and_a_set_without_variation_has_no_share():
    assert intransitivity(of_counts(("A", "B"), [20], [3], 40)) is None
    nothing = intransitivity(of_counts(tuple("ABCD"), [10] * 6, [10] * 6, 60))
    assert np.isnan(nothing.estimate)
    assert (nothing.low, nothing.high) == (0, 1)


@pytest.mark.parametrize(
    ("size", "weight", "pairs"),
    [(3, 0.1, 100), (4, 0.1, 100), (5, 0.0, 40), (5, 0.12, 100), (8, 0.02, 40), (8, 0.08, 5), (8, 0.05, 100)],
)
def test_noise_is_subtracted_and_intervals_of_the_share_cover(size, weight, pairs):
    rates = mixed(size, weight)
    true, sets = share_of(rates), shortened(150, 3)
    result = [intransitivity(item) for item in drawn(rates, pairs, np.random.default_rng(3), 0.5, sets)]
    assert np.mean([item.low - 1e-9 <= true <= item.high + 1e-9 for item in result]) > 0.95 - 3 * error(sets)
    assert np.mean([item.high - item.low for item in result]) < (0.6 if size < 5 or pairs < 10 else 0.3)
    if weight == 0.02:  # few pairs of a set with a small cyclic part: without the correction the share would be far too large
        assert 0.005 < true < 0.02
        assert np.mean([item.estimate for item in result]) == pytest.approx(true, abs=0.01)


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
