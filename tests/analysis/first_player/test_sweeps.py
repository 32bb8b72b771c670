"""Going first over the values of a rule: shares near the exact ones, the value as played, refused values, and the section."""

from dataclasses import replace

import pytest

from analysis.catalogue import find
from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.first_player import worth
from analysis.first_player.worth import NoFirstPlayerError, SeatGames
from analysis.report.change import seats
from sim.engine.cards import changed
from sim.engine.measures import SeatParameter
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from tests.every_game.dice_duel.exact import first_seat_share

RANDOM = PolicySpec.parse("random")


def base(game, games, seed=5):
    return worth.paired(Experiment(game.name, game.load(None), 2, (RANDOM,), games, seed))


def share_with(game, value):
    cards = game.load(None)
    return first_seat_share(game.from_document(changed(cards.document, "rules.second_health", value)))


def swept(game, games, *values):
    """Sweep of some values of `rules.second_health`."""
    made = base(game, games)
    return worth.sweep(made, SeatGames.of(made), games, SeatParameter("rules.second_health", "health", values))


def test_every_value_comes_near_its_exact_share(dice_duel):
    result = swept(dice_duel, 2800, -4, 0, 4, 8)
    table = result.table.set_index("value")
    for value in (-4, 0, 4, 8):
        error = (table.loc[value, "high"] - table.loc[value, "low"]) / 3.92
        assert abs(table.loc[value, "estimate"] - share_with(dice_duel, value)) < 3.5 * error
    assert table["present"].tolist() == [False, True, False, False]
    assert result.nearest["value"] == 4


def test_the_value_as_played_has_all_games_that_were_played(dice_duel):
    made = base(dice_duel, 1120)
    result = worth.sweep(made, SeatGames.of(made), 560, SeatParameter("rules.second_health", "health", (4,)))
    assert result.table.set_index("value")["n"].to_dict() == {0: 1120, 4: 560}


def test_values_that_the_card_rules_refuse_are_named_and_the_others_tried(dice_duel):
    result = swept(dice_duel, 560, 4, 99)
    assert result.refused == (99,)
    assert result.table["value"].tolist() == [0, 4]  # the current value is always tried


def test_games_are_divided_among_all_values_and_few_games_try_fewer():
    parameter = SeatParameter("rules.x", "x", (0, 1, 2))
    assert worth.games_each(1000, ()) == (1000, 0)
    assert worth.games_each(1000, (parameter, parameter)) == (500, 125)
    many, few = SeatParameter("rules.x", "x", tuple(range(9))), SeatParameter("rules.y", "y", (0, 1))
    assert worth.afforded((many, few), 100_000) == (many, few)
    assert worth.afforded((few, many), 800) == (few,)
    assert worth.afforded((few,), 100) == ()


def study(game, games=2000):
    return Study(game, game.load(None), RANDOM, seed=3, budget=replace(Budget(), pair_games=games), jobs=1)


@pytest.mark.parametrize(
    ("name", "games", "figures", "tables", "words"),
    [
        (
            "dice_duel",
            2000,
            ["seats", "seats-parameters"],
            {"overall", "matchups", "units", "parameters"},
            ("comes nearest to one half",),
        ),
        (
            "coin_duel",
            300,
            ["seats"],
            {"overall", "matchups", "units"},
            ("no number that makes up for going second", "At three seats"),
        ),
        ("relay_teams", 200, ["seats"], {"overall", "units"}, ()),  # shown by their parts
    ],
)
def test_the_section_shows_the_worth_and_the_values_of_a_rule(name, games, figures, tables, words, request):
    sample = study(request.getfixturevalue(name), games)
    answer = find("seats").answer(sample, games=sample.budget.pair_games)
    assert [f"seats-{chart.id}" if chart.id else "seats" for chart in answer.charts] == figures
    assert {table.id for table in answer.tables if not table.hidden} == tables
    text = " ".join([answer.summary, *answer.warnings, *answer.notes])
    assert all(part in text for part in words)
    assert "nan" not in answer.summary
    if len(figures) > 1:
        drawn_lines = {line.get_gid() for axes in answer.charts[1].draw().axes for line in axes.lines}
        assert {"fair", "present", "line"} <= drawn_lines


def test_a_game_without_a_first_player_has_no_section(dice_duel, monkeypatch):
    def no_first_player(*_):
        raise NoFirstPlayerError

    monkeypatch.setattr("analysis.first_player.worth.SeatGames.of", no_first_player)
    assert seats(study(dice_duel, 60)) is None
