"""Runs that end when every win rate is precise enough: the same bytes for any number of workers, and how to continue."""

import json
from dataclasses import replace

import numpy as np
import pytest

import fairfight as ff
from analysis.answer.verdicts import row_level
from analysis.data import player
from analysis.data.player import Player
from analysis.stats.sequential import share_sequence
from analysis.winrates.play import Until, checked_precision, expected_games, most_games, play, units_of
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import blocks
from tests.analysis.cli.test_cli import refusal, shown
from tests.conftest import in_soak
from tests.every_game.dice_duel.exact import win_rates
from tests.every_game.play import shortened

RANDOM = (PolicySpec.parse("random"),)


def run(game, half_width, games=None, **more):
    experiment = Experiment(game.name, game.load(None), 2, RANDOM, 1, **more)
    experiment = replace(experiment, games_wanted=games or most_games(experiment, half_width))
    return play(experiment, Player(1), Until(experiment, half_width))


def test_a_run_ends_at_a_look_when_every_half_width_is_small_enough(coin_duel):
    played = run(coin_duel, 0.02)
    until, tally = played.until, played.tally
    assert until.widest <= 0.02
    assert played.games == until.looked[-1] == played.experiment.games <= 1.25 * expected_games(played.experiment, 0.02)
    assert until.looked == until.looks[: len(until.looked)] != until.looks
    again = share_sequence(tally.wins[2], tally.games_of[2], until._tuned, row_level(3))
    assert until.bounds()[["n", "low"]].equals(again[["n", "low"]])


@pytest.mark.slow
def test_blocks_are_split_at_looks_and_a_shorter_run_is_the_start_of_a_longer_one(coin_duel, monkeypatch):
    whole, long = run(coin_duel, 0.03), run(coin_duel, 0.02)
    assert whole.games < long.games
    assert long.until.looked[: len(whole.until.looked)] == whole.until.looked
    part = play(replace(long.experiment, games_wanted=whole.games), Player(2))
    assert np.array_equal(part.tally.seat_wins, whole.tally.seat_wins)
    for size in (13, 997, 100_000):
        monkeypatch.setattr(player, "blocks", lambda made, _, size=size: blocks(made, 2, size))
        cut = run(coin_duel, 0.03)
        assert (cut.games, cut.until.looked, cut.until.widest) == (whole.games, whole.until.looked, whole.until.widest)
        assert np.array_equal(cut.tally.seat_wins, whole.tally.seat_wins)


@pytest.mark.parametrize(
    "command",
    [
        "winrates coin_duel --precision 4",
        *map(
            in_soak,
            ("winrates relay_teams --precision 4", "compare coin_duel pike maul --margin 2", "seats dice_duel --games 1500"),
        ),
    ],
)
@pytest.mark.slow
def test_the_number_of_workers_changes_no_byte(command, coin_duel, relay_teams, dice_duel, tmp_path):
    results = set()
    for jobs in (1, 2):
        file = tmp_path / f"{jobs}.csv"
        out = shown(*command.split(), "--policy", "random", "--jobs", jobs, "--csv", file, "--json")
        results.add(out + file.read_text("utf-8"))
    assert len(results) == 1


def precision(*options):
    result = json.loads(shown("winrates", "coin_duel", *options, "--json"))
    return result["facts"]["precision"], result["facts"]["games"]


@pytest.mark.slow
def test_results_have_the_reason_to_stop_and_the_next_command(coin_duel):
    result, games = precision("--precision", "3", "--policy", "random", "--seed", "5")
    assert result["stopped_because"] == "precision reached"
    assert result["half_width"] <= 0.03 == result["wanted"]
    assert result["looks"][-1] == games
    result, _ = precision("--precision", "1", "--games", "1500", "--policy", "random")
    assert result["stopped_because"] == "games used up"
    assert result["half_width"] > 0.01
    more = ff.winrates("coin_duel", 1500, precision=1, policy="random", progress=False).again
    result, games = precision("--precision", str(more["precision"]), "--games", str(more["games"]), "--policy", "random")
    assert (result["stopped_because"], games > 1500) == ("precision reached", True)
    text = " ".join(shown("winrates", "coin_duel", "--precision", "4", "--policy", "random", "--notes").split())
    assert "Intervals are confidence sequences" in text
    assert "Precision reached (wanted ±4 points): the widest interval reaches" in text
    assert "More games: fairfight winrates coin_duel --precision 2 --policy random" in text


def test_precision_of_teams_is_that_of_parts_by_rounds(relay_teams):
    played = run(relay_teams, 0.05)
    until = played.until
    assert (until.of_parts, until.observations, until.widest <= 0.05) == (True, "rounds", True)
    assert units_of(played.experiment).names == list(played.experiment.teams.names)
    rates, raw = until.rates(0.5), played.parts.rates(0.5).set_index("part")
    assert rates["estimate"].to_numpy() == pytest.approx(raw.loc[rates["unit"], "estimate"].to_numpy())


def test_pairs_are_the_observations_of_a_paired_design_and_only_entrants_that_play_count(coin_duel):
    until = run(coin_duel, 0.05, paired=True).until
    assert until.observations == "pairs"
    assert until.sums["n"].max() <= until.bounds()["n"].max() / 2
    two = run(coin_duel, 0.05, line_up=(0, 1)).until
    assert sorted(two.rates(0.5)["unit"]) == [0, 1]
    assert max(until.widest, two.widest) <= 0.05


def test_ctrl_c_keeps_finished_looks(coin_duel):
    experiment = Experiment("coin_duel", coin_duel.load(None), 2, RANDOM, 200_000)
    until = Until(experiment, 0.001)

    def watch(_stage, done, *_):
        if done > 5000:
            raise KeyboardInterrupt

    played = play(experiment, Player(1, watch, partial=True), until)
    assert played.interrupted
    assert until.bounds()["n"].sum() == played.tally.games_of[2].sum()


@pytest.mark.parametrize("points", [0, -1, float("nan"), 50.1, float("inf"), 1e-300, 0.0009])
def test_a_precision_that_is_invalid_or_that_no_run_can_reach_is_refused(points, coin_duel):
    words = "at least 0.001 percentage points" if 0 < points < 1 else "above 0 and at most 50"
    assert f"--precision {points:g} must be {words}" in refusal("winrates", "coin_duel", f"--precision={points}", "--games", 8)
    assert checked_precision(0.5) == 0.005


@pytest.mark.soak
def test_the_exact_win_rates_lie_within_the_bounds_when_the_run_has_ended(dice_duel):
    exact, misses, runs = win_rates(dice_duel.load(None)), 0, shortened(40, 2)
    for seed in range(1, runs + 1):
        rates = run(dice_duel, 0.03, seed=seed).until.rates(0.5)
        known = exact[rates["unit"]]
        misses += int(((rates["low"] > known) | (rates["high"] < known)).sum())
    assert misses <= 0.05 * runs * len(exact)
