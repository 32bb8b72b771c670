"""Length of games and times of elimination, by hand and against scipy's quantile test."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.data.usage import length_distribution, quantiles, survival, truncated_share
from analysis.stats.intervals import proportion


def played(seats, turns, truncated=0):
    """A table of finished games and of games truncated at 400 turns."""
    finished = [True] * len(turns) + [False] * truncated
    return pd.DataFrame({"seats": seats, "turns": [*turns, *[400] * truncated], "finished": finished})


def test_lengths_are_shares_of_all_games_so_the_curve_ends_below_one():
    table = length_distribution(pd.concat([played(2, [5, 3, 5], truncated=1), played(3, [9])]))
    assert table["seats"].tolist() == [2, 2, 3]
    assert table["turns"].tolist() == [3, 5, 9]
    assert table["estimate"].tolist() == [0.25, 0.75, 1]
    assert table["n"].tolist() == [4, 4, 1]
    assert table.loc[0, "low"] == pytest.approx(proportion(1, 4).low)


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


def test_survival_follows_the_first_and_the_last_player_out():
    frame = at_table(3, [[5, -1, 2], [2, 4, -1], [-1, -1, 7], [-1, -1, -1]])  # the last two were truncated
    table = survival(frame, "out")
    first = table[table["faller"] == 1]
    assert first["turns"].tolist() == [0, 2, 7]
    assert first["estimate"].tolist() == [1, 0.5, 0.25]
    assert first["place"].unique().tolist() == [3]
    second = table[table["faller"] == 2]
    assert second["turns"].tolist() == [0, 4, 5]
    assert second["estimate"].tolist() == [1, 0.75, 0.5]
    assert second["place"].unique().tolist() == [2]
    assert table["n"].unique().tolist() == [4]
    assert second["low"].iloc[1] == pytest.approx(proportion(3, 4).low)


def test_survival_with_eliminations_in_turn_0_and_simultaneous_ones():
    table = survival(at_table(3, [[0, 0, -1], [0, 3, -1]]), "out")
    assert table[table["faller"] == 1][["turns", "estimate"]].to_numpy().tolist() == [[0, 0]]
    assert table[table["faller"] == 2][["turns", "estimate"]].to_numpy().tolist() == [[0, 0.5], [3, 0]]


def test_survival_accepts_another_value_for_never_and_separates_numbers_of_seats():
    frame = pd.concat([at_table(2, [[4, 0]]), at_table(3, [[0, 1, 2]])])
    table = survival(frame, "out", never=0)
    assert table.groupby("seats")["faller"].nunique().to_dict() == {2: 1, 3: 2}
    with pytest.raises(ValueError, match="complete games of 3 seats"):
        survival(frame.iloc[:-1], "out")


def test_no_games_give_empty_tables_with_their_columns():
    empty = played(2, [])
    assert length_distribution(empty).columns.tolist() == ["seats", "turns", "estimate", "low", "high", "n"]
    assert len(quantiles(empty)) == len(truncated_share(empty)) == 0
    assert len(survival(at_table(2, [[1, -1]]).iloc[:0], "out")) == 0
