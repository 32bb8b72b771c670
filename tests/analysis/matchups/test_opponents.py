"""Win rates with each opponent at the table, from a few games counted by hand, and in Dice duel with exact odds."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.data.shares import Shares
from analysis.matchups.opponents import opponents
from analysis.stats.intervals import proportion
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from tests.every_game.dice_duel.exact import matchup
from tests.every_game.play import enough


def games(entrant, share, truncated=None):
    """Results of games by seat."""
    entrant, share = np.array(entrant, np.int16), np.array(share, np.float32)
    stopped = np.zeros(len(entrant), np.bool_) if truncated is None else np.array(truncated)
    return Shares(entrant, share, stopped, np.ones(len(entrant), np.int32))


def rates(frame):
    return {row.opponent: (row.estimate, row.n) for row in frame.itertuples()}


def test_wins_count_with_every_opponent_at_the_table():
    three = games([[0, 1, 2], [1, 0, 3], [2, 3, 0]], [[1, 0, 0], [0.5, 0.5, 0], [0, 0, 1]])
    table = opponents(three, three.entrant, three.entrant == 0, 5)
    assert rates(table) == {1: (0.75, 2), 2: (1.0, 2), 3: (0.75, 2)}
    line = table[table["opponent"] == 2].iloc[0]
    exact = proportion(2, 2)
    assert (line["low"], line["high"]) == pytest.approx((exact.low, exact.high))


def test_truncated_games_and_mirror_matches_do_not_count():
    some = games([[0, 1], [0, 1], [0, 0], [1, 2]], [[1, 0], [0, 0], [1, 0], [1, 0]], [False, True, False, False])
    assert rates(opponents(some, some.entrant, some.entrant == 0, 3)) == {1: (1.0, 1)}


def test_parts_of_teams_meet_the_parts_of_other_teams_only():
    teams = games([[0, 1], [1, 0], [0, 2]], [[1, 0], [0.25, 0.75], [0, 1]])
    members = np.array([[0, 1], [2, 3], [3, 4]])
    parts = members[teams.entrant].reshape(len(teams.entrant), -1)
    of_part = opponents(teams, parts, (members[teams.entrant] == 1).any(axis=2), 5)
    assert rates(of_part) == {2: (0.875, 2), 3: (pytest.approx(1.75 / 3), 3), 4: (0.0, 1)}
    of_team = opponents(teams, parts, teams.entrant == 0, 5)
    assert rates(of_team) == rates(of_part)


@pytest.mark.slow
def test_intervals_contain_the_exact_odds_of_each_pairing(dice_duel):
    true, inside = matchup(dice_duel.load(None)), []
    base = Experiment(dice_duel.name, dice_duel.load(None), 2, (PolicySpec.parse("random"),), enough(4_480, 112))
    for seed in range(enough(10, 1)):
        shares = Shares.of(replace(base, seed=seed))
        table = opponents(shares, shares.entrant.astype(np.int64), shares.entrant == 0, 8)
        exact = true[0, table["opponent"]]
        inside += list((table["low"] <= exact) & (exact <= table["high"]))
        assert table["n"].tolist() == [base.games // 28] * 7
    assert np.mean(inside) > 0.85
