"""The worth of a side: equal to direct computation over groups of games that share their dice."""

import numpy as np
import pytest

from analysis.stats.paired import paired_changes
from analysis.variants.compare import advantage


def test_a_pair_with_swapped_sides_cancels_the_strength_of_the_teams():
    share = [[1, 0], [0, 1]] * 10  # the team on seat 0, then on seat 1, always wins; the first mover is always seat 0
    result = advantage(share, [0] * 20, np.repeat(np.arange(10), 2))
    assert (result.first, result.second, result.change, result.p) == (0.5, 0.5, 0, 1)
    assert (result.n, result.games) == (10, 20)
    assert result.gain > 1


def test_the_advantage_is_the_paired_change_of_the_groups():
    share = np.array([[1, 0], [1, 0], [1, 0], [0, 1], [0, 1], [1, 0], [0, 0]])
    result = advantage(share, [0, 0, 0, 0, 0, 0, 1], [1, 1, 2, 2, 3, 3, 4])
    right = paired_changes([1], [0], [4]).iloc[0]  # group 1 wins both games with the side, 2 and 3 cancel, 4 is truncated
    assert (result.change, result.low, result.high, result.p) == tuple(right[name] for name in ("change", "low", "high", "p"))
    assert result.first == pytest.approx((1 + 0.5 + 0.5 + 0) / 4)
    either = advantage([[1, 0], [0, 1], [1, 0]], [1, 0, 1], [0, 1, 2])
    assert (either.first, either.second, either.change) == (0, 1, -1)


def test_duplicate_games_count_once():
    rng = np.random.default_rng(2)
    won = rng.integers(0, 2, 40)
    share = np.stack([won, 1 - won], axis=1)
    once = advantage(share, [0] * 40, np.arange(40))
    twice = advantage(np.repeat(share, 2, axis=0), [0] * 80, np.repeat(np.arange(40), 2))
    assert (once.change, once.low, once.high, once.n) == (twice.change, twice.low, twice.high, twice.n)
    assert once.gain == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize(
    ("share", "side", "dice", "words"),
    [
        ([[1, 0, 0]], [0], [0], r"share \(1, 3\) must be \(games, 2\)"),
        ([[1, 0]], [0, 1], [0], r"side \(2,\)"),
        (np.zeros((0, 2)), [], [], "with games"),
        ([[1, 0]], [2], [0], "side must be 0 or 1, found 2..2"),
    ],
)
def test_mismatches_are_named(share, side, dice, words):
    with pytest.raises(ValueError, match=words):
        advantage(share, side, dice)
