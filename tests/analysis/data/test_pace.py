"""Length of games and times of elimination, by hand and against scipy's quantile test."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.data.usage import quantiles, truncated_share


def played(seats, turns, truncated=0):
    """A table of finished games and of games truncated at 400 turns."""
    finished = [True] * len(turns) + [False] * truncated
    return pd.DataFrame({"seats": seats, "turns": [*turns, *[400] * truncated], "finished": finished})


def test_truncated_share_by_seats():
    table = truncated_share(pd.concat([played(2, [5, 3, 5], truncated=1), played(3, [9])]))
    assert table["estimate"].tolist() == [0.25, 0]
    assert table["truncated"].tolist() == [1, 0]
    assert table["n"].tolist() == [4, 1]
    assert table.loc[1, "low"] == 0


def test_quantiles_count_truncated_games_as_longer_than_any():
    table = quantiles(played(2, [10, 20, 30, 40, 50], truncated=5), wanted=(0.1, 0.5, 0.6))
    assert table["turns"].tolist()[:2] == [10, 50]
    assert np.isnan(table["turns"].iloc[2])
    assert table["n"].tolist() == [10, 10, 10]
    with pytest.raises(ValueError, match="between 0 and 1"):
        quantiles(played(2, [1]), wanted=(1.5,))


@pytest.mark.parametrize("q", [0.1, 0.5, 0.9])
def test_quantile_intervals_are_those_of_scipys_quantile_test(q):
    turns = np.random.default_rng(1).permutation(np.arange(1, 101))
    row = quantiles(played(2, turns.tolist()), wanted=(q,)).iloc[0]
    known = stats.quantile_test(turns, p=q).confidence_interval(0.95)
    assert (row["low"], row["high"]) == (known.low, known.high)
    assert row["turns"] == round(q * 100)


def test_quantile_intervals_cover_at_least_the_nominal_level():
    n, q = 30, 0.5
    row = quantiles(played(2, list(range(1, n + 1))), wanted=(q,)).iloc[0]
    below = stats.binom(n, q)  # number of games shorter than the true median, which lies between ranks low and high
    assert below.cdf(row["high"] - 1) - below.cdf(row["low"] - 1) >= 0.95


def at_table(seats, outs):
    seat = np.tile(np.arange(seats), len(outs))
    return pd.DataFrame({"seats": seats, "seat": seat, "out": np.ravel(outs)})
