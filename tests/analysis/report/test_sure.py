"""The section on the precision of win rates: bounds that hold at every look, and the command for narrower ones."""

import shlex

import numpy as np
import pytest

from analysis.data.study import Budget, Study
from analysis.winrates.section import POINTS, sequence_rates, sure
from sim.engine.policies import PolicySpec


def study(game, games=3000, seed=1):
    budget = Budget.default().scaled(games / Budget.default().games)
    return Study(game, game.load(None), PolicySpec.parse("random"), seed, budget, jobs=2)


@pytest.fixture(params=["coin_duel", "relay_teams", "lone_climb"])
def game(request):
    return request.getfixturevalue(request.param)


def column(table, name):
    return [row[table.columns.index(name)] for row in table.rows]


def test_the_bounds_are_wider_than_those_for_a_fixed_number_but_less_than_twice(game):
    made = study(game)
    frame = sequence_rates(made, 2)
    assert frame["name"].tolist() != []
    assert set(frame["name"]) == set(made.units)
    assert (frame["half"] > 1.2 * frame["fixed"]).all()
    assert (frame["half"] < 2 * frame["fixed"]).all()
    assert ((frame["low"] <= frame["estimate"]) & (frame["estimate"] <= frame["high"])).all()


def test_half_the_width_takes_four_times_the_games_and_the_command_is_valid(game):
    section = sure(study(game, seed=3))
    needed = section.tables[1]
    games = np.array(column(needed, "games, about"), float).reshape(-1, len(POINTS))
    assert (games[:, 1] / games[:, 0]).tolist() == pytest.approx([4] * len(games), rel=0.1)
    assert (games[:, 2] / games[:, 1]).tolist() == pytest.approx([4] * len(games), rel=0.1)
    words = shlex.split(column(needed, "command")[0])
    assert words[:3] == ["fairfight", "winrates", game.name]
    assert words[words.index("--precision") + 1] == "1"
    assert words[-4:] == ["--policy", "random", "--seed", "3"]


def test_the_answer_gives_the_precision_and_names_what_is_open(game):
    section = sure(study(game))
    assert section.question.startswith("How precise is each win rate")
    assert "At two seats every win rate is known to" in section.answer
    assert "if that number had been fixed beforehand" in section.answer
    assert section.figures[0].id == section.id == "sure"
    assert len(section.tables[0].rows) >= len(study(game).units)
