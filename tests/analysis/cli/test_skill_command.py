"""The command `fairfight skill`: tables, JSON, CSV, charts of the same games; clear messages; what Ctrl-C keeps."""

import csv
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from analysis.data.player import Player
from analysis.skill import ladder
from analysis.skill.ladder import Plan, play_levels, same_time
from analysis.skill.levels import LEVELS, levels_of, report_levels, usual_games, usual_pair_games
from sim.engine.policies import PolicySpec
from sim.registry import GAMES
from sim.run import collect
from tests.analysis.cli.test_cli import fairfight, refusal, shown

FEW = ("--levels", "random,greedy:1", "--level-games", 30, "--pair-games", 24)


@pytest.fixture
def coins(coin_duel):
    return lambda *more: ("skill", coin_duel.name, *FEW, *more)


def plan(game, levels="random,greedy:1,greedy:2", **more):
    return Plan(game, game.load(None), levels_of(levels), **{"games": 30, "pair_games": 24, **more})


@pytest.mark.slow
def test_tables_json_csv_and_charts_show_the_same_games(coins, tmp_path):
    text = shown(*coins("--chart", tmp_path / "levels.png", "--csv", tmp_path / "rates.csv"))
    data = json.loads(shown(*coins("--json")))
    assert data["facts"]["levels"] == ["random", "greedy:1"]
    (meeting,) = data["meetings"]
    assert (meeting["level"], meeting["below"], meeting["n"] + meeting["unwon"]) == ("greedy:1", "random", 24)
    assert f"{100 * meeting['estimate']:.1f}" in text
    with (tmp_path / "rates.csv").open(encoding="utf-8-sig") as stream:
        lines = list(csv.DictReader(stream))
    assert [(line["level"], line["name"], float(line["estimate"])) for line in lines] == [
        (row["level"], row["name"], pytest.approx(row["estimate"])) for row in data["rates"]
    ]
    assert len(lines) == 2 * len(GAMES["coin_duel"].load(None).ids)
    assert len(data["changes"]) == len(lines) // 2
    assert data["facts"]["depth"]["chain"][0] == "random"
    assert (tmp_path / "levels.png").is_file()


@pytest.mark.slow
def test_levels_meet_at_two_seats_and_the_balance_uses_any_number(coins):
    data = json.loads(shown(*coins("--json", "--seats", 3)))
    assert data["facts"]["seats"] == 3
    assert data["meetings"]
    assert {round(row["fair"], 2) for row in data["rates"]} <= {0.33, 0.32, 0.31, 0.3}


@pytest.mark.slow
def test_a_higher_level_does_not_change_the_results_of_lower_ones(coin_duel):
    two = play_levels(plan(coin_duel, "random,greedy:1"), gather)
    three = play_levels(plan(coin_duel), gather)
    assert three.ladder.scores[0, 1] == two.ladder.scores[0, 1]
    columns = ["level", "name", "estimate", "n"]
    assert three.balance.rates[columns][: len(two.balance.rates)].equals(two.balance.rates[columns])


def gather(experiment, stage):
    """Play all games of an experiment."""
    return collect(experiment, jobs=1).rows, False


@pytest.mark.slow
def test_an_interrupted_study_shows_whole_rounds_of_the_played_games(coin_duel):
    whole, played = plan(coin_duel), []

    def interrupted(experiment, words):
        rows, _ = gather(experiment, words)
        played.append(words)
        stop = words == "greedy:2 in every seat"
        return (rows[: len(rows) - 1] if stop else rows), stop

    result = play_levels(whole, interrupted)
    assert played == ["random in every seat", "greedy:1 in every seat", "greedy:1 against random", "greedy:2 in every seat"]
    assert result.interrupted
    assert result.names == whole.names
    assert list(result.ladder.scores) == [(0, 1)]
    assert result.ladder.rated is None
    games = dict(zip(result.balance.whole["level"], result.balance.whole["games"], strict=True))
    assert games["greedy:2"] == games["random"] - whole.alone(0).round_games
    with pytest.raises(KeyboardInterrupt):
        play_levels(whole, lambda *_: (np.zeros(0, np.int64), True))


def test_default_games_follow_from_the_declared_speed_and_the_thought_of_a_level(dice_duel):
    game = replace(dice_duel, player="turn:4:4", speed={2: 100})
    levels = [PolicySpec.parse(name) for name in LEVELS]
    assert [usual_games(game, level, 2, 4.0) for level in levels] == [16_000, 2_400, 600, 80]  # of 3 seconds on two cores
    assert usual_games(game, levels[0], 2, 0.5) == 2_000  # no entrant has more than 4,000
    assert [usual_pair_games(game, level) for level in levels] == [4_000, 1_600, 400, 50]


def test_a_report_includes_its_own_policy_in_the_levels():
    slow = GAMES["cardrogue"]
    assert [str(item) for item in report_levels(slow, PolicySpec.parse("greedy"))] == ["random", "greedy:4"]
    assert [str(item) for item in report_levels(slow, PolicySpec.parse("greedy:16"))] == [*("random", "greedy:4", "greedy:16")]
    assert str(report_levels(GAMES["arena"], PolicySpec.parse("random"))[-1]) == "turn:4:4"


@pytest.mark.slow
def test_ctrl_c_is_reported_with_what_was_kept(coins, monkeypatch):
    left = []
    monkeypatch.setattr("analysis.cli.asking.interrupts.leave", left.append)
    play = Player.play

    def stopping(self, experiment, stage, total=0):
        yield from play(self, experiment, stage, total)
        if "against" in stage:
            self.shown = "interrupted"

    monkeypatch.setattr(Player, "play", stopping)
    code, out, err = fairfight(*coins(), "--notes")
    assert code == 0, err
    assert "No fighter surely gains or loses between random and greedy:1 players" in " ".join(out.split())
    (shown,) = left
    assert re.fullmatch(r"shown: [\d,]+ games of the levels up to .+", shown)


def clock(costs, monkeypatch):
    """Let decisions take the milliseconds that a function of the level names."""
    monkeypatch.setattr(ladder, "ms_of", lambda _, level: costs(level))


def test_equal_time_scales_samples_and_playouts(coin_duel, monkeypatch):
    def costs(level):
        return {"random": 0.001, "greedy": 0.002, "turn": 0.01 * level.width, "search": 0.003}[
            level.policy.name.lower()
        ] * level.samples

    clock(costs, monkeypatch)
    scaled = same_time(plan(coin_duel, "random,greedy:1,turn:2:4,search:200"), 0.6)
    assert [(str(level), spent) for level, spent in scaled] == [
        ("random", pytest.approx(0.004)),
        ("greedy:300", pytest.approx(0.6)),
        ("turn:2:30", pytest.approx(0.6)),
        ("search:200", pytest.approx(0.6)),
    ]


def test_equal_time_stays_within_the_numbers_that_a_policy_takes(coin_duel, monkeypatch):
    clock(lambda level: 1.0 if level.policy.name == "SEARCH" else 1e-6, monkeypatch)
    scaled = same_time(plan(coin_duel, "greedy:4,search:200"), 0.001)
    assert [str(level) for level, _ in scaled] == ["greedy:1000", "search:1"]


@pytest.mark.slow
def test_equal_time_measures_the_clock(coin_duel, monkeypatch):
    monkeypatch.setattr(ladder, "SECONDS_TIMED", 0.02)
    one, two = (ladder.ms_of(plan(coin_duel), PolicySpec.parse(name)) for name in ("greedy:1", "greedy:1000"))
    assert 0 < one < two


def test_equal_time_refuses_levels_that_become_the_same(coin_duel, monkeypatch):
    clock(lambda level: 0.01 * level.samples, monkeypatch)
    with pytest.raises(ValueError, match=r"^equal_time=0.05 makes two levels the same, greedy:5,greedy:5"):
        same_time(plan(coin_duel, "greedy:1,greedy:4"), 0.05)


@pytest.mark.parametrize("milliseconds", ["0", "-1", "10001", "nan"])
def test_equal_time_is_a_time(coins, milliseconds):
    assert "must be above 0 and at most 10000" in refusal(*coins("--equal-time", milliseconds))


@pytest.mark.slow
def test_equal_time_prints_the_levels_that_it_makes(coins, monkeypatch):
    monkeypatch.setattr(ladder, "SECONDS_TIMED", 0.01)
    facts = json.loads(shown(*coins("--equal-time", "0.05", "--json")))["facts"]
    assert facts["levels"] == list(facts["elapsed_ms_per_decision"])
