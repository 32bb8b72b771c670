"""Significant cycles of three."""

import numpy as np
import pytest

from analysis.matchups.ratings import sure_cycles
from analysis.winrates.rates import of_encounters
from tests.analysis.made_encounters import of_counts


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
