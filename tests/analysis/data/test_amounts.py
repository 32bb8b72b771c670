"""Means of amounts by part, and shares of games in which an event has happened."""

import numpy as np
import pandas as pd
import pytest

from analysis.data.rows import rates
from analysis.data.usage import happened
from analysis.stats.intervals import proportion, ratio


def deaths() -> pd.DataFrame:
    columns = {"game": [0, 0, 1, 1, 2, 2], "name": pd.Categorical(["Ada", "Bo"] * 3, ["Ada", "Bo", "Cy"])}
    return pd.DataFrame({**columns, "d_0": [2, 0, 1, 0, 3, 1], "d_1": [0, 5, 9, 9, 9, 9], "d_2": [1, 0, 0, 0, 0, 2]})


def test_the_share_stays_below_one_if_some_games_never_have_the_event():
    frame = pd.DataFrame({"what": ["key"] * 4 + ["chest"] * 2, "round": [3, 0, 1, 3, 0, 0]})
    curve = happened(frame, "round", "what")
    key = curve[curve["what"] == "key"]
    assert key["turns"].tolist() == [0, 1, 3]
    assert key["estimate"].tolist() == [0, 0.25, 0.75]
    right = proportion(3, 4)
    assert tuple(key.iloc[-1][["low", "high"]]) == pytest.approx((right.low, right.high))
    chest = curve[curve["what"] == "chest"]
    assert chest["turns"].tolist() == [0]


def test_happened_takes_another_value_for_never():
    frame = pd.DataFrame({"what": "key", "round": [0, 2, -1, -1]})
    curve = happened(frame, "round", "what", never=-1)
    assert curve["turns"].tolist() == [0, 2]
    assert curve["estimate"].tolist() == [0.25, 0.5]


def test_rates_are_ratios_over_games_by_group():
    game, group = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 0, 0, 2, 0, 2])
    amount, base = np.array([1, 2, 4, 9, 0, 0]), np.array([4, 4, 5, 9, 3, 0])
    table = rates(game, group, amount, base)
    right = ratio([3, 4, 0], [8, 5, 3])  # the two lines of game 0 are a single observation
    assert tuple(table.loc[0, ["estimate", "low", "high"]]) == pytest.approx((right.estimate, right.low, right.high))
    assert table["n"].tolist() == [3, 0, 2]
    assert table["sum"].tolist() == [7, 0, 9]
    assert table["base"].tolist() == [16, 0, 9]
    assert np.isnan(table["estimate"][1])
    assert rates(game[:0], group[:0], amount[:0], base[:0]).empty
