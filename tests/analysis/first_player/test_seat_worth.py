"""The worth of going first: compared with exact chances, small pairs by hand, turn positions at more seats, the command."""

import json

import numpy as np
import pytest

from analysis.first_player import worth
from analysis.first_player.worth import NoFirstPlayerError, SeatGames
from analysis.stats.paired import grouped_changes
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import Block
from tests.analysis.cli.test_cli import refusal, shown
from tests.analysis.made_rows import game as row
from tests.analysis.made_rows import games as rows_of
from tests.conftest import in_soak
from tests.every_game.dice_duel.exact import first_seat_share, first_seat_win

RANDOM = (PolicySpec.parse("random"),)


def made(game, games, seats=2, seed=5):
    return worth.paired(Experiment(game.name, game.load(None), seats, RANDOM, games, seed))


def baseline(game, *rows, seats=2):
    """Games of an experiment with rows written by hand."""
    experiment = made(game, len(rows), seats)
    return SeatGames.of(experiment, lambda _: iter([Block(0, rows_of(*rows), np.zeros(len(rows)))]))


def test_the_strength_of_the_entrants_cancels(coin_duel):
    pairs = [row((0, 1), (1, 0)), row((1, 0), (0, 1))] * 20  # the first entrant always wins from either seat
    result = worth.overall(baseline(coin_duel, *pairs))
    assert result["estimate"].tolist() == [0.5, 0.5]
    assert np.isinf(result["gain"]).all()
    assert result["p"].tolist() == [1, 1]
    assert result["low"].iloc[0] < 0.5 < result["high"].iloc[0]


LOST = (0, 0)


@pytest.mark.parametrize(
    ("rows", "shares", "counts"),
    [
        ([row((0, 1), (0, 1), first=1), row((1, 0), (0, 1), first=1)], [1, 0], (0, 2)),  # the first player is on seat 1
        ([row((0, 1), LOST), row((1, 0), (1, 0)), row((0, 1), (0.5, 0.5)), row((1, 0), LOST)], [0.625, 0.375], (0, 4)),
        ([row((0, 1)), row((1, 0), (1, 0)), row((0, 1), (0.5, 0.5)), row((1, 0))], [0.75, 0.25], (2, 4)),  # two truncated
    ],
)
def test_games_without_a_winner_are_shared_equally_and_truncated_ones_left_out(rows, shares, counts, coin_duel):
    games = baseline(coin_duel, *rows)
    assert worth.overall(games)["estimate"].tolist() == shares
    assert (games.truncated, games.played) == counts
    with pytest.raises(ValueError, match="none of the 2 games was finished"):
        baseline(coin_duel, row((0, 1)), row((1, 0)))


def test_games_without_a_first_player_are_left_out(coin_duel):
    pair = [row((0, 1), (1, 0), first=-1), row((1, 0), (1, 0), first=-1)]
    with pytest.raises(NoFirstPlayerError, match="no player goes first in any of these games"):
        baseline(coin_duel, *pair)
    result = worth.overall(baseline(coin_duel, *pair, row((0, 1), (1, 0)), row((1, 0), (1, 0))))
    assert result["n"].tolist() == [2, 2]


@pytest.mark.parametrize("seed", [5, *map(in_soak, (6, 7))])
@pytest.mark.slow
def test_the_worth_of_going_first_is_the_exact_one(dice_duel, seed):
    played = SeatGames.of(made(dice_duel, 5600, seed=seed))
    whole = worth.overall(played).iloc[0]
    error = (whole["high"] - whole["low"]) / (2 * 1.96)
    assert abs(whole["estimate"] - first_seat_share(dice_duel.load(None))) < 3 * error
    assert whole["gain"] > 3
    each, exact = worth.by_matchup(played), first_seat_win(dice_duel.load(None))
    first, second = each["entrant"].to_numpy(), each["opponent"].to_numpy()
    right = (exact[first, second] + exact[second, first]) / 2
    assert len(each) == 28
    assert ((each["low"] <= right) & (right <= each["high"])).sum() >= 23
    assert each["n"].sum() == 5600


def test_by_unit_uses_the_games_of_each_unit(dice_duel, relay_teams):
    played = SeatGames.of(made(dice_duel, 1120))
    result = worth.by_unit(played).set_index("name").loc[played.experiment.cards.names[3]]
    sits = (played.entrant == 3).any(axis=1)
    assert result[["estimate", "n"]].tolist() == pytest.approx([played.share[sits, 0].mean(), sits.sum()])
    d = 2 * played.by_pair.loc[np.unique(played.pair[sits])].to_numpy() - 1
    up, down = [d.clip(min=0).sum()], [(-d).clip(min=0).sum()]
    right = grouped_changes(up, down, [(d**2).sum()], [len(d)]).iloc[0]
    assert result[["low", "p"]].tolist() == pytest.approx([(1 + right["low"]) / 2, right["p"]])
    parts = worth.by_unit(of_teams := SeatGames.of(made(relay_teams, 60)))
    assert set(parts["name"]) <= set(relay_teams.teams_for(relay_teams.load(None)).names)
    assert (parts["n"] <= len(of_teams.pair)).all()


def test_three_seats_have_a_line_for_each_turn_position(coin_duel):
    result = worth.overall(SeatGames.of(made(coin_duel, 90, seats=3)))
    assert result["position"].tolist() == [0, 1, 2]
    assert result["estimate"].sum() == pytest.approx(1)
    assert result["fair"].tolist() == pytest.approx([1 / 3] * 3)
    assert (result["low"] <= result["estimate"]).all()
    assert (result["estimate"] <= result["high"]).all()
    with pytest.raises(ValueError, match="seats=3: matchups need 2 seats"):
        worth.by_matchup(SeatGames.of(made(coin_duel, 9, seats=3)))


@pytest.mark.slow
def test_the_command_prints_tables_and_json(dice_duel, tmp_path):
    command = ("seats", "dice_duel", "--policy", "random", "--games", "2000")
    data = json.loads(shown(*command, "--json"))
    assert len(data["matchups"]) == 28
    assert [line["value"] for line in data["parameters"]] == [-4, 0, 4, 8, 12, 16]
    text = shown(*command, "--csv", tmp_path / "seats.csv", "--notes")
    assert "comes nearest to one half" in text
    assert (tmp_path / "seats.csv").read_text("utf-8-sig").startswith("seats,position,estimate,low,high")


@pytest.mark.slow
def test_a_game_without_seat_parameters_is_reported_and_bad_input_refused(coin_duel):
    command = ("seats", "coin_duel", "--policy", "random", "--games", "60")
    assert "The rules of Coin duel have no number that makes up for going second." in " ".join(shown(*command, "--notes").split())
    assert "makes up for" not in shown(*command, "--no-sweep", "--notes")
    assert "at two seats only" in shown(*command, "--seats", "3", "--notes")
    assert "--seats 1: this question needs an opponent" in refusal("seats", "cardrogue", "--seats", "1")
    assert "--games 0 must be at least 1" in refusal("seats", "coin_duel", "--games", "0")


@pytest.mark.slow
def test_winrates_in_pairs(dice_duel):
    command = ("winrates", "dice_duel", "--games", "2240", "--paired")
    data = json.loads(shown(*command, "--policy", "random", "--json"))
    assert (data["facts"]["pairs"], data["facts"]["gain"] > 0) == (1120, True)
    assert data["win_rates"][0]["low"] < data["win_rates"][0]["estimate"] < data["win_rates"][0]["high"]
    assert "gain" in data["win_rates"][0]
    assert "Pairs of games with the same dice are the observations" in shown(*command, "--notes")
    assert "--coupling x must be seat or entrant" in refusal("winrates", "dice_duel", "--coupling", "x")
    assert "--paired: with one seat there are no seats to swap" in refusal("winrates", "cardrogue", "--seats", "1", "--paired")
