"""The rule that compensates for going second: coverage of the fair value by simulation, the exact value, and no value."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import norm

from analysis.data.study import Budget, Study
from analysis.first_player import worth
from analysis.first_player.section import seats
from analysis.first_player.worth import NobodyFirstError, fair_value
from sim.engine.cards import changed
from sim.engine.measures import SeatParameter
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import register
from tests.every_game.dice_duel.exact import first_seat_share

VALUES = np.array([-4.0, 0, 4, 8, 12, 16])
RANDOM = PolicySpec.parse("random")


def drawn(rng, odds, pairs, common=0.85):
    """Shares of the first player by pair and value, (pairs, values): two games each, with luck mostly common to all values."""
    shape = (pairs, odds.size, 2)
    luck = np.sqrt(common) * rng.standard_normal((pairs, 1, 2)) + np.sqrt(1 - common) * rng.standard_normal(shape)
    return (norm.cdf(luck) < expit(odds)[:, None]).mean(axis=2)


@pytest.mark.parametrize(("pairs", "runs"), [(60, 400), (300, 300), (2000, 150)])
def test_the_interval_of_the_fair_value_covers(pairs, runs):
    rng, covered, known = np.random.default_rng(3), 0, 0
    odds = 0.267 - 0.1005 * VALUES + 0.0008 * VALUES**2  # about those of the Dice duel
    right = np.roots([0.0008, -0.1005, 0.267]).min()
    for _ in range(runs):
        result = fair_value(VALUES, drawn(rng, odds, pairs))
        known += np.isfinite(result.value)
        covered += result.low <= right <= result.high
    assert known >= 0.98 * runs
    assert covered >= 0.92 * known


def test_common_dice_narrow_the_effect_of_a_value():
    rng, odds = np.random.default_rng(4), 0.25 - 0.1 * VALUES
    slopes = {common: [fair_value(VALUES, drawn(rng, odds, 500, common)).slope for _ in range(40)] for common in (0.0, 0.95)}
    assert np.mean(slopes[0.95]) == pytest.approx(-0.1, abs=0.005)
    assert np.std(slopes[0.95]) < 0.85 * np.std(slopes[0.0])


def test_a_rule_without_effect_has_no_fair_value():
    rng = np.random.default_rng(5)
    result = [fair_value(VALUES, drawn(rng, np.zeros(6), 200)) for _ in range(100)]
    assert np.mean([item.p < 0.05 for item in result]) <= 0.11
    known = [item for item in result if np.isfinite(item.value)]
    assert np.mean([np.isinf(item.low) or np.isinf(item.high) for item in known]) > 0.8


def test_values_that_all_favour_one_side_include_no_fair_one():
    result = fair_value(VALUES, drawn(np.random.default_rng(6), 1.5 + 0.01 * VALUES, 300))
    assert np.isnan([result.value, result.low, result.high]).all()
    assert result.share(8) == pytest.approx(expit(1.58), abs=0.05)
    for values in ([1, 1], [2, 1], [1, 2, 3]):
        with pytest.raises(ValueError, match="must rise"):
            fair_value(values, np.zeros((5, 2)))


def base(game, games, seed=5):
    return worth.paired(Experiment(game.name, game.load(None), 2, (RANDOM,), games, seed))


def share_with(game, value):
    cards = game.load(None)
    return first_seat_share(game.from_document(changed(cards.document, "rules.second_health", value)))


@pytest.mark.parametrize("seed", [5, 6])
def test_the_search_finds_the_exact_fair_value_of_the_dice_duel(dice_duel, seed):
    result = worth.search(base(dice_duel, 5600, seed))
    (search_result,) = result
    right = {value: share_with(dice_duel, value) for value in (2, 3)}
    exact = 2 + (right[2] - 0.5) / (right[2] - right[3])
    assert search_result.fair.low - 0.1 < exact < search_result.fair.high + 0.1
    assert search_result.chosen == min(right, key=lambda value: abs(right[value] - 0.5)) == 3
    assert search_result.present == 0
    table = search_result.table.set_index("value")
    for value in (-4, 4, 8):
        error = (table.loc[value, "high"] - table.loc[value, "low"]) / 3.92
        assert abs(table.loc[value, "share"] - share_with(dice_duel, value)) < 3.5 * error
    again = worth.retest(base(dice_duel, 5600, seed), search_result, 5600).iloc[0]
    assert again["low"] < right[3] + 0.005
    assert again["high"] > right[3] - 0.005


@pytest.fixture
def searched(dice_duel):
    """Search with other parameters: tuples of values of `rules.second_health`."""

    def search(games, *values):
        parameters = tuple(SeatParameter("rules.second_health", "health", each) for each in values)
        register(replace(dice_duel, seat_parameters=parameters))
        return worth.search(base(dice_duel, games))

    yield search
    register(dice_duel)


def test_values_that_the_card_rules_refuse_are_named_and_the_others_tried(searched):
    (result,) = searched(560, (4, 99))
    assert result.refused == (99,)
    assert result.table["value"].tolist() == [0, 4]  # the current value is always tried
    assert result.present == 0


def test_the_best_seat_parameter_comes_nearest_to_fair(searched):
    result = searched(1120, (-4, 0), (0, 4, 8))
    assert np.isnan(result[0].fair.value)
    assert result[0].chosen == 0
    assert worth.best(result) is result[1]
    assert worth.best([]) is None


def test_games_are_divided_among_all_values_and_few_games_try_fewer():
    parameter = SeatParameter("rules.x", "x", (0, 1, 2))
    assert worth.games_each(1000, ()) == (1000, 0, 0)
    first, each, again = worth.games_each(1000, (parameter, parameter))
    assert first + 5 * each + again == pytest.approx(1000, abs=5)
    many, few = SeatParameter("rules.x", "x", tuple(range(9))), SeatParameter("rules.y", "y", (0, 1))
    assert worth.afforded((many, few), 100_000) == (many, few)
    assert worth.afforded((few, many), 800) == (few,)
    assert worth.afforded((many, few), 800)[0].values == (0, 4, 8)
    assert worth.afforded((), 10) == ()


def study(game, games=2000):
    return Study(game, game.load(None), RANDOM, seed=3, budget=replace(Budget(), pair_games=games), jobs=1)


@pytest.mark.parametrize(
    ("name", "games", "figures", "tables", "words"),
    [
        (
            "dice_duel",
            2000,
            ["seats", "seats-parameters"],
            {"2-overall", "2-matchups", "2-units", "2-parameters"},
            ("going first is fair at", "fresh games"),
        ),
        (
            "coin_duel",
            300,
            ["seats"],
            {"2-overall", "2-matchups", "2-units", "3-overall"},
            ("no number that compensates for going second", "At three seats"),
        ),
        ("relay_teams", 200, ["seats"], {"2-overall", "2-units", "3-overall"}, ()),  # shown by their parts
    ],
)
def test_the_section_shows_the_worth_the_curve_and_the_retest(name, games, figures, tables, words, request):
    section = seats(study(request.getfixturevalue(name), games))
    assert [chart.id for chart in section.figures] == figures
    assert {table.id.removeprefix("seats-") for table in section.tables} == tables
    assert all(part in section.answer for part in words)
    assert "nan" not in section.answer
    if len(figures) > 1:
        drawn_lines = {line.get_gid() for axes in section.figures[1].figure.axes for line in axes.lines}
        assert {"fair", "present", "line"} <= drawn_lines


def test_a_game_without_a_first_player_has_no_section(dice_duel, monkeypatch):
    def no_first_player(*_):
        raise NobodyFirstError

    monkeypatch.setattr("analysis.first_player.worth.SeatGames.of", no_first_player)
    assert seats(study(dice_duel, 60)) is None
