"""Effects of rule variants on game length and on going first, shown beside the win rates."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.charts import dumbbell
from analysis.data.shares import Shares
from analysis.report.headline import _others, compared
from tests.analysis.report.test_claims import STUDY, rates


def test_games_without_a_known_first_player_have_no_first_move_effect():
    games = Shares(np.zeros((3, 2), np.int16), np.array([[1, 0], [0.5, 0.5], [0, 1]], np.float32), *[np.zeros(3)] * 2)
    assert np.isnan(games.of_first).all()
    known = replace(games, first=np.array([0, 1, -1], np.int8))
    assert known.of_first[:2].tolist() == [1.0, 0.5]
    assert np.isnan(known.of_first[2])
    parts = known.of_parts(np.array([[0, 1, 2]]))
    assert parts.share.shape == (3, 6)
    assert parts.of_first[:2].tolist() == [1.0, 0.5]


@pytest.mark.slow
def test_changes_of_quantities_other_than_shares_are_plain_numbers():
    frame = pd.DataFrame({"name": ["goal: 4"], "first": 8.0, "first_low": 7.0, "first_high": 9.0, "second": 4.0})
    frame = frame.assign(second_low=3.0, second_high=5.0, n=9, change=-4.0, change_low=-4.5, change_high=-3.5)
    beside = dumbbell(frame, shares=False).axes[1]
    beside.figure.canvas.draw()
    ticks = [label.get_text() for label in beside.get_xticklabels()]
    assert "\u22124" in ticks
    assert not any("100" in tick for tick in ticks)


@pytest.mark.parametrize(("seats", "where"), [([2, 2], "at two seats"), ([2, 3], "at every number of seats")])
def test_fair_heroes_are_named_with_the_only_number_of_seats(seats, where):
    fair = [round(20_000 / number) for number in seats]
    frame = rates(fair, 20_000, seats, ["Hero A", "Hero B" if seats == [2, 2] else "Hero A"])
    text = [finding.text for finding in _others(STUDY, compared(frame))]
    assert text == [f"Every hero is within the fair band {where}."]
