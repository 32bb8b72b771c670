"""Who wins how often: the same frames from games played, read or summed, for one number of seats and for a report."""

import shlex
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import fairfight as ff
from analysis.answer import verdicts
from analysis.answer.numbers import percent
from analysis.answer.prose import SUMMARY_LENGTH
from analysis.data.budget import Budget
from analysis.data.rows import Tally
from analysis.data.study import Study
from analysis.questions import winrates as questions
from analysis.questions.winrates import summary, winrates
from analysis.winrates.rates import win_rates
from analysis.winrates.study_rates import POINTS, sequence_rates
from analysis.winrates.tested import BOTH, QUICK_ONLY, UNCONFIRMED
from sim.engine.policies import PolicySpec
from tests.analysis.cli.test_cli import shown
from tests.analysis.made_rows import game as one_game
from tests.analysis.made_rows import games

QUIET = {"policy": "random", "progress": False}


def study(game, games=3000, seed=1):
    budget = Budget().scaled(games / Budget().games)
    return Study(game, game.load(None), PolicySpec.parse("random"), seed, budget, jobs=2)


def test_rates_have_the_fair_share_in_the_caption_and_the_words_of_verdicts(coin_duel):
    answer = ff.winrates("coin_duel", 120, seats=3, **QUIET)
    shown_, frame = answer.tables[0], answer.frame
    assert shown_.caption == "Win rates in 120 games with random players (fair: 30 to 36.7\u202f%)"
    assert frame["fair"].to_numpy() == pytest.approx(np.full(len(frame), 1 / 3))
    assert set(frame["verdict"]) <= {*verdicts.UNFAIR, verdicts.FAIR, verdicts.OPEN}
    assert frame[["seat_0", "seat_1", "seat_2"]].mean(axis=1).to_numpy() == pytest.approx(frame["estimate"], abs=0.05)
    assert [*answer.frames] == ["win_rates", "turn_order", "win_rates_by_seat"]
    assert answer.data["facts"]["games"] == len(ff.play("coin_duel", 120, seats=3, **QUIET).frame)


def test_strong_players_test_the_verdicts_of_quick_ones(coin_duel):
    quick = ff.winrates("coin_duel", 600, quick=True, progress=False)
    strong = ff.winrates("coin_duel", 600, progress=False)
    assert quick.data["facts"]["policy"] == "greedy:4"
    assert quick.data["facts"]["tested"] == {"policy": coin_duel.player, "games": 600}
    tests = quick.frame.set_index("name")
    assert tests["strong_verdict"].to_dict() == strong.frame.set_index("name")["verdict"].to_dict()
    assert tests["strong"].to_dict() == strong.frame.set_index("name")["estimate"].to_dict()
    assert "with quick players: greedy:4" in quick.tables[0].caption
    assert "Strong players (600 games)" in " ".join((*quick.warnings, *quick.notes))
    assert "tested" not in strong.data["facts"]


def test_strong_players_test_the_changes_of_quick_ones(dice_duel):
    change = {"set_": {"fighter.ogre.health": 60}, "progress": False}
    quick = ff.whatif("dice_duel", games=560, quick=True, **change)
    strong = ff.whatif("dice_duel", games=560, **change)
    assert quick.data["facts"]["tested"]["policy"] == dice_duel.player
    ogre = quick.frame.set_index("name").loc["Ogre"]
    assert ogre["strong_change"] == strong.frame.set_index("name").loc["Ogre", "change"]
    assert ogre["holds"] == "both levels"


def test_a_report_and_a_command_judge_by_the_same_games(coin_duel):
    game = replace(coin_duel, player="random")
    made = Study(game, game.load(None), budget=Budget.of(game), jobs=2)
    answer = ff.winrates("coin_duel", policy="random", progress=False)
    report = winrates.answer(made).frame
    report = report[report["seats"] == 2].set_index("name")
    command = answer.frame.set_index("name")
    for column in ("wins", "n", "estimate", "low", "high", "verdict"):
        assert report[column].to_dict() == command[column].to_dict()


def test_two_seats_have_matchups_and_pairs_and_policies_by_seat_are_noted(coin_duel):
    answer = ff.winrates("coin_duel", 120, policy="greedy:1,random", progress=False)
    (pairs,) = [one for one in answer.tables if one.id == "pairs"]
    assert len(pairs.rows) == len(ff.load("coin_duel").names)  # people see a square, data has a row per pair
    assert len(pairs.frame) == len(pairs.rows) * (len(pairs.rows) - 1)
    assert any(warning.startswith("Players differ by seat") for warning in answer.warnings)
    assert len(answer.summary.split()) <= 30
    assert [chart.id for chart in answer.charts] == ["", "turn_order"]


def test_a_game_for_one_has_success_rates_and_no_fair_share(lone_climb):
    answer = ff.winrates("lone_climb", 60, seats=1, **QUIET)
    assert answer.tables[0].columns[1] == "success rate"
    assert answer.frame["fair"].isna().all()
    assert "turn_order" not in answer.frames
    assert answer.summary.startswith(("Alone ", "None of the one-seat games"))


def test_teams_have_rates_of_their_parts_by_rounds(relay_teams):
    answer = ff.winrates("relay_teams", 120, **QUIET)
    parts = answer.frames["parts"]
    assert set(parts["name"]) == set(relay_teams.teams_for(relay_teams.load(None)).names)
    assert (parts["rounds"] > 0).all()


def test_no_entrant_is_named_best_where_none_has_won():
    tally = Tally.empty(2, 2).add(games(*[one_game([0, 1], [0, 0])] * 40))
    assert summary(win_rates(tally, 2, ("Ada", "Bo")), 2, "hero") == "None of the two-seat games was won."


def judged_rates(*rows):
    """Win rates at two seats: name, estimate and verdict, with intervals of ten points each way."""
    frame = pd.DataFrame(rows, columns=["name", "estimate", "verdict"])
    return frame.assign(low=frame["estimate"] - 0.1, high=frame["estimate"] + 0.1, n=1000, seats=2)


def test_the_summary_names_who_is_too_strong_and_too_weak():
    rates = judged_rates(("Ada", 0.7, verdicts.TOO_STRONG), ("Bo", 0.5, verdicts.FAIR), ("Cy", 0.52, verdicts.OPEN))
    rates = pd.concat([rates, judged_rates(("Di", 0.3, verdicts.TOO_WEAK), ("Ed", 0.2, verdicts.TOO_WEAK))])
    words = summary(rates, 2, "hero").replace("\u202f", " ")
    assert words == (
        "Too strong: Ada (70.0 %, 60.0 to 80.0); too weak: Ed (20.0 %, 10.0 to 30.0) and Di (30.0 %); of 5 heroes 1 fair and "
        "1 not decided."
    )
    many = pd.concat([judged_rates((f"Hero with a long name {at}", 0.7, verdicts.TOO_STRONG)) for at in range(9)])
    words = summary(many, 2, "hero")
    assert len(words) <= 156
    assert words.endswith(" more.")


def test_the_summary_names_only_quick_verdicts_that_strong_players_confirm():
    rates = judged_rates(("Ada", 0.7, verdicts.TOO_STRONG), ("Bo", 0.65, verdicts.TOO_STRONG), ("Cy", 0.3, verdicts.TOO_WEAK))
    words = summary(rates.assign(holds=[UNCONFIRMED, BOTH, QUICK_ONLY]), 2, "hero").replace("\u202f", " ")
    assert words == ("Too strong: Bo (65.0 %, 55.0 to 75.0); of 3 heroes 2 not decided; strong players confirm 1 of 3 verdicts.")
    words = summary(rates.assign(holds=[UNCONFIRMED] * 3), 2, "hero")
    assert words.startswith("No hero is shown to be too strong or too weak; Ada wins most")
    assert words.endswith("; strong players confirm 0 of 3 verdicts.")


def test_the_summary_of_quick_players_fits_two_lines():
    names = [f"Hero with a name {at}" for at in range(4)]
    kinds = [verdicts.TOO_STRONG, verdicts.TOO_STRONG, verdicts.TOO_WEAK, verdicts.TOO_WEAK]
    rates = judged_rates(*zip(names, (0.7, 0.65, 0.3, 0.2), kinds, strict=True)).assign(holds=BOTH)
    assert len(summary(rates, 2, "hero")) <= SUMMARY_LENGTH + 1


def test_the_summary_says_if_all_are_fair_or_nothing_is_shown():
    fair = judged_rates(("Ada", 0.51, verdicts.FAIR), ("Bo", 0.49, verdicts.FAIR))
    assert summary(fair, 2, "hero").startswith("All 2 heroes are fair; Ada wins most, 51.0")
    vague = judged_rates(("Ada", 0.58, verdicts.OPEN), ("Bo", 0.42, verdicts.OPEN))
    words = summary(vague, 2, "hero")
    assert words.startswith("No hero is shown to be too strong or too weak; Ada wins most, 58.0")
    assert "not decided" not in words


def test_games_that_exist_and_their_pairs_are_read(coin_duel, monkeypatch):
    played = ff.play("coin_duel", 60, paired=True, **QUIET)
    direct = ff.winrates("coin_duel", 60, paired=True, **QUIET)
    monkeypatch.setattr("sim.run.play_range", None)
    read = ff.winrates(played)
    assert read.data == direct.data
    assert (read.frame["pairs"] > 0).all()


def test_games_that_were_not_played_in_pairs_are_refused(coin_duel):
    with pytest.raises(ValueError, match="paired=True: these games were not played in pairs"):
        ff.winrates(ff.play("coin_duel", 60, **QUIET), paired=True)


def test_a_run_of_sums_is_read_by_win_rates_alone(coin_duel, tmp_path):
    folder = tmp_path / "sums"
    shown("run", "coin_duel", "--games", 60, "--policy", "random", "--keep", "summary", "--out", folder)
    sums, direct = ff.winrates(ff.open_run(folder)), ff.winrates("coin_duel", 60, **QUIET)
    assert sums.frame.drop(columns="seats").equals(direct.frame.drop(columns="seats"))
    for ask in (lambda: ff.open_run(folder).frame, lambda: ff.pace(ff.open_run(folder))):
        with pytest.raises(ValueError, match="keeps only sums of its games"):
            ask()
    with pytest.raises(ValueError, match="keeps only sums over all of its games"):
        ff.winrates(ff.open_run(folder), precision=4)


@pytest.mark.parametrize("name", ["coin_duel", "relay_teams", "lone_climb"])
def test_a_report_has_all_numbers_of_seats_turn_order_and_games_for_more_certainty(name, request):
    made = study(request.getfixturevalue(name), seed=3)
    answer = winrates.answer(made)
    assert set(answer.frame["seats"]) == set(made.seats)
    assert set(answer.frame["name"]) == set(made.units)
    assert {"turn_order", "turn_order_by_entrant", "games_needed"} <= {*answer.frames}
    needed = answer.frames["games_needed"]
    sizes = needed["games"].to_numpy(float).reshape(-1, len(POINTS))
    ratios = sizes[:, 1:] / sizes[:, :-1]
    assert ratios == pytest.approx(np.full(ratios.shape, 4), rel=0.1)  # half the width, four times the games
    words = shlex.split(needed["command"][0])
    assert [*words[:3], words[words.index("--precision") + 1]] == ["fairfight", "winrates", name, "1"]
    assert words[-4:] == ["--policy", "random", "--seed", "3"]


def test_bounds_of_a_report_are_wider_than_those_for_a_fixed_number_but_less_than_twice(coin_duel):
    frame = sequence_rates(study(coin_duel, seed=3), 2)
    assert (frame["half"] / frame["fixed"]).between(1.2, 2).all()
    assert ((frame["low"] <= frame["estimate"]) & (frame["estimate"] <= frame["high"])).all()


def test_games_without_a_winner_lower_the_fair_share(coin_duel):
    made = study(coin_duel, 600)
    made.tally.seat_wins[2] /= 2
    vars(made)["tally_beside"] = None
    answer = questions.winrates.answer(made)
    assert any("Ended without a winner" in warning for warning in answer.warnings)
    lost = made.tally.lost[2] / made.tally.finished[2]
    assert f"{percent(lost, 2)} at two seats" in " ".join(answer.warnings)
    assert answer.frame.set_index("seats").loc[2, "fair"].iloc[0] == pytest.approx((1 - lost) / 2)
