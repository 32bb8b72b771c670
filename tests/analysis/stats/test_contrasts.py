"""Differences of win shares and rank correlations: compared with known formulas, and their coverage over whole games."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep

from analysis.stats.intervals import proportion
from analysis.stats.paired import win_gains
from tests.analysis.covering import error
from tests.conftest import in_soak
from tests.every_game.play import shortened


def frame_of(share: np.ndarray) -> pd.DataFrame:
    """Lines of whole games; share: (games, seats)."""
    games, seats = share.shape
    columns = {"game": np.repeat(np.arange(games), seats), "seats": seats, "seat": np.tile(np.arange(seats), games)}
    return pd.DataFrame({**columns, "share": share.ravel()})


def test_with_one_seat_a_game_the_interval_is_newcombes():
    won = np.array([1] * 30 + [0] * 20 + [1] * 20 + [0] * 60, float)
    has = (np.arange(130) < 50)[:, None]
    row = win_gains(frame_of(won[:, None]), has).iloc[0]
    low, high = confint_proportions_2indep(30, 50, 20, 80, method="newcomb", compare="diff")
    assert (row["low"], row["high"]) == pytest.approx((low, high))
    assert row["change"] == pytest.approx(30 / 50 - 20 / 80)
    assert (row["have"], row["lack"], row["n_have"], row["n_lack"]) == (0.6, 0.25, 50, 80)


def test_with_one_seat_of_each_kind_a_game_the_difference_varies_twice_as_much():
    rng = np.random.default_rng(4)
    first = (rng.random(400) < 0.6).astype(float)
    share = np.column_stack([first, 1 - first])
    has = np.tile([True, False], 400)[:, None]
    row = win_gains(frame_of(share), has).iloc[0]
    right = proportion(float(first.sum()), 400)
    assert row["change"] == pytest.approx(2 * right.estimate - 1)
    assert (row["low"], row["high"]) == pytest.approx((2 * right.low - 1, 2 * right.high - 1))
    assert row["p"] == pytest.approx(2 * stats.norm.sf(abs(2 * right.estimate - 1) * np.sqrt(400)))


def drawn(rng: np.random.Generator, games: int, seats: int, gain: float) -> tuple[pd.DataFrame, np.ndarray]:
    """Games with one winner. One seat in three has the part, which adds `gain` to its draw."""
    has = rng.random((games, seats)) < 1 / 3
    strength = rng.gumbel(size=has.shape) + gain * has
    return frame_of((strength == strength.max(axis=1, keepdims=True)).astype(float)), has.reshape(-1, 1)


@pytest.mark.parametrize(("games", "seats", "gain"), [(60, 2, 0.0), *map(in_soak, [(200, 2, 0.8), (150, 4, 0.5)])])
@pytest.mark.slow
def test_the_interval_of_a_difference_covers_the_truth(games, seats, gain):
    rng = np.random.default_rng(7)
    whole, has = drawn(rng, 200_000, seats, gain)
    truth, runs = float(win_gains(whole, has)["change"].iloc[0]), shortened(600, 4)
    rows = [win_gains(*drawn(rng, games, seats, gain)).iloc[0] for _ in range(runs)]
    inside = np.mean([row["low"] <= truth <= row["high"] for row in rows])
    assert 0.95 - 3 * error(runs) <= inside <= 0.95 + 4 * error(runs)
    if gain == 0:
        assert np.mean([row["p"] < 0.05 for row in rows]) <= 0.05 + 3 * error(runs)


def test_a_part_of_all_or_no_seats_has_no_comparison():
    share = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    result = win_gains(frame_of(share), np.array([[True, False]] * 6))
    assert result["n_have"].tolist() == [6, 0]
    assert result[["change", "low", "high", "p", "p_holm"]].isna().all(axis=None)
    assert result["have"].iloc[0] == 0.5


def test_a_part_of_winners_only_keeps_an_interval_with_a_width():
    share = np.array([[1.0, 0.0]] * 5)
    row = win_gains(frame_of(share), np.tile([True, False], 5)[:, None]).iloc[0]
    assert row["change"] == 1
    assert 0 < row["low"] < row["high"] == 1
    assert row["p"] < 0.05


def test_games_must_be_complete():
    frame = frame_of(np.eye(2)).iloc[:3]
    with pytest.raises(ValueError, match="complete games of 2 seats"):
        win_gains(frame, np.ones((3, 1), bool))
