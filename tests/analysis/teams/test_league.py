"""The league of teams: mean chances, their errors, effects of single teams, and the retest of the selected ones."""

import numpy as np
import pytest

from analysis.teams.league import league, retested, selection_bias
from analysis.teams.model import Strengths, contributions
from analysis.teams.ridge import Contests
from tests.analysis.made_teams import effects, played, teams

NINE = teams(9)


@pytest.fixture(scope="module")
def season():
    contests = played(NINE, 600, effects(NINE, parts=0.3, pairs=0.1))
    result = contributions(contests, NINE)
    return result, contests, league(result, contests, NINE)


def test_predictions_are_means_over_the_possible_opponents(season):
    result, _, table = season
    table = table.sort_values("entrant")
    assert table["predicted"].to_numpy() == pytest.approx(np.nanmean(result.table(), axis=1))
    assert table["name"].iloc[0] == "P0 + P1 + P2"
    assert sorted(table["rank"]) == list(range(1, 85))


def resampled(model, count):
    """Tables of models drawn from the estimated distribution of the terms (parametric bootstrap)."""
    size, turn = np.linalg.eigh(model.covariance)
    root, chance = turn * np.sqrt(size.clip(min=0)), np.random.default_rng(1)
    for _ in range(count):
        yield Strengths(model.terms, model.values + root @ chance.standard_normal(len(root)), model.known).table()


def test_the_error_of_a_prediction_equals_that_of_resampled_models(season):
    result, _, table = season
    again = np.array([np.nanmean(item, axis=1) for item in resampled(result, 400)])
    assert table.sort_values("entrant")["predicted_se"].to_numpy() == pytest.approx(again.std(axis=0, ddof=1), rel=0.15)


def test_raw_shares_count_every_game_of_a_team(season):
    _, contests, table = season
    table = table.sort_values("entrant")
    assert table["n"].sum() == 2 * len(contests)
    won = contests.share[contests.first == 11].sum() + (1 - contests.share[contests.second == 11]).sum()
    assert table["raw"].iloc[11] * table["n"].iloc[11] == pytest.approx(won)


def test_chance_is_not_taken_for_strength_if_the_model_explains_everything(season):
    table = season[2]
    kept = (table["estimate"] - table["predicted"]).abs() / table["excess"].abs()
    assert kept.max() < 0.35
    assert table["estimate"].is_monotonic_decreasing


def test_effects_of_single_teams_are_found_and_shrunken():
    contests = played(NINE, 1500)
    rng, team_effects = np.random.default_rng(8), np.random.default_rng(9).normal(0, 0.15, 84)
    chance = (0.5 + team_effects[contests.first] - team_effects[contests.second]).clip(0, 1)
    contests = Contests(
        contests.first, contests.second, (rng.random(len(chance)) < chance) * 1.0, contests.started, contests.cluster
    )
    result = contributions(contests, NINE)
    table = league(result, contests, NINE).sort_values("entrant")
    disjoint = ~np.isnan(result.table())
    truth = 0.5 + team_effects - np.array([team_effects[line].mean() for line in disjoint])
    gap = {name: float(np.sqrt(np.mean((table[name] - truth) ** 2))) for name in ("estimate", "predicted", "raw")}
    assert gap["estimate"] < 0.6 * gap["predicted"]
    assert gap["estimate"] < gap["raw"]
    held = (table["low"] <= truth) & (truth <= table["high"])
    assert held.mean() > 0.85


def ends(table, k):
    """The best and the worst teams of a table."""
    return table.iloc[[*range(k), *range(-k, 0)]].assign(end=["best"] * k + ["worst"] * k).reset_index(drop=True)


def test_raw_shares_of_selected_teams_are_biased_and_shrunken_ones_are_not():
    """Among equal teams those with the best raw shares were lucky: fresh games give 1/2, and so does the league."""
    contests = played(NINE, 300)
    table = league(contributions(contests, NINE), contests, NINE)
    chosen, games = ends(table.sort_values("raw", ascending=False), 10), np.full((20, 10), 400)
    bias = selection_bias(retested(chosen, np.random.default_rng(5).binomial(games, 0.5), games)).set_index("end")
    assert bias.loc["best", "raw_gap"] > 0.04
    assert bias.loc["worst", "raw_gap"] < -0.04
    assert bias["gap"].abs().max() < 0.5 * bias["raw_gap"].abs().min()


def test_retests_have_intervals_by_round(season):
    chosen = ends(season[2], 2)
    result = retested(chosen, np.array([[30, 30], [20, 30], [25, 25], [20, 20]]), np.full((4, 2), 50))
    assert result["retest"].tolist() == [0.6, 0.5, 0.5, 0.4]
    assert result["retest_n"].tolist() == [100] * 4
    assert result["gap"].to_numpy() == pytest.approx(chosen["estimate"] - result["retest"])
    assert ((result["retest_low"] <= result["retest"]) & (result["retest"] <= result["retest_high"])).all()


def test_games_of_parts_unknown_to_the_model_are_refused(season):
    contests = season[1]
    without = ~(NINE.members == 3).any(axis=1)
    kept = without[contests.first] & without[contests.second]
    columns = (contests.first, contests.second, contests.share, contests.started, contests.cluster)
    fewer = contributions(Contests(*(column[kept] for column in columns)), NINE)
    with pytest.raises(ValueError, match="parts without fitted games"):
        league(fewer, contests, NINE)
