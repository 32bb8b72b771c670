"""The section on the precision of win rates: bounds that hold at every look, and the command for narrower ones."""

import shlex

import numpy as np
import pytest

from analysis.data.study import Budget, Study
from analysis.winrates.section import POINTS, sequence_rates, sure
from sim.engine.policies import PolicySpec
from tests.analysis.report.reading import lines


def study(game, games=3000, seed=1):
    budget = Budget.default().scaled(games / Budget.default().games)
    return Study(game, game.load(None), PolicySpec.parse("random"), seed, budget, jobs=2)


@pytest.fixture(params=["coin_duel", "relay_teams", "lone_climb"])
def game(request):
    return request.getfixturevalue(request.param)


def test_bounds_are_wider_than_those_for_a_fixed_number_but_less_than_twice(game):
    made = study(game, seed=3)
    frame = sequence_rates(made, 2)
    assert set(frame["name"]) == set(made.units)
    assert (frame["half"] / frame["fixed"]).between(1.2, 2).all()
    assert ((frame["low"] <= frame["estimate"]) & (frame["estimate"] <= frame["high"])).all()
    section = sure(made)
    assert section.figures[0].id == section.id == "sure"
    assert "At two seats every win rate is known to" in section.answer
    assert "if that number had been fixed beforehand" in section.answer
    assert len(section.tables[0].rows) >= len(made.units)
    rows = lines(section, "games-needed")
    games = np.array([row["games, about"] for row in rows], float).reshape(-1, len(POINTS))
    assert games[:, 1:] / games[:, :-1] == pytest.approx(
        np.full((len(games), 2), 4), rel=0.1
    )  # half the width, four times the games
    words = shlex.split(rows[0]["command"])
    assert [*words[:3], words[words.index("--precision") + 1]] == ["fairfight", "winrates", game.name, "1"]
    assert words[-4:] == ["--policy", "random", "--seed", "3"]
