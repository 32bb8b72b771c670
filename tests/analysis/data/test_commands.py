"""Numbers of games that answers propose."""

import pandas as pd
import pytest

from analysis.answer.numbers import rounded_up
from analysis.data.commands import MOST_TIMES, deciding_games, more_games
from analysis.stats.intervals import times_to_decide


@pytest.mark.parametrize(("games", "proposed"), [(19_936, 20_000), (20_001, 21_000), (7, 7), (99.2, 100), (101, 110)])
def test_proposed_numbers_of_games_have_two_significant_digits_and_are_rounded_up(games, proposed):
    assert rounded_up(games) == proposed


def test_more_games_make_intervals_half_as_wide():
    assert more_games(2_801) == {"games": 12_000}


def test_games_that_decide_make_the_clearest_change_significant_after_bonferroni():
    # an interval of 0.04 +- 0.08 alone: 4 times as many games, and (2.241 / 1.960)^2 as many for the better of two changes
    changes = pd.DataFrame({"change": [0.04, 0.01], "low": [-0.04, -0.07], "high": [0.12, 0.09]})
    assert times_to_decide(*(changes[name] for name in changes)) == pytest.approx(4 * (2.2414 / 1.95996) ** 2, abs=1e-3)
    assert deciding_games(1_000, changes) == {"games": 5_300}
    tiny = changes.assign(change=0.0001)
    assert deciding_games(1_000, tiny) == {"games": 1_000 * MOST_TIMES}
