"""Progress of a study: names of stages, games played of games in all, and the leading entrants of the games so far."""

import numpy as np

from analysis.answer.numbers import percent
from analysis.data.leading import LEAST_GAMES, Leading
from analysis.data.shares import Shares
from analysis.data.study import Study
from analysis.stats.intervals import proportions
from tests.every_game.play import experiment


def watched(base) -> tuple[Study, list[tuple[str, int, int]]]:
    """A study, and what it reports."""
    reported: list[tuple[str, int, int]] = []
    return Study.of(base, 1, lambda *line: reported.append(line[:3])), reported


def test_a_stage_never_counts_more_games_than_it_has(coin_duel):
    base = experiment(coin_duel, 30)
    study, reported = watched(base)
    play = study.play_as("going first", base.games + 1)  # estimated before games were added to whole rounds
    for _ in range(2):
        list(play(base))
    assert all(done <= total for _, done, total in reported)
    assert reported[0][2] == base.games + 1
    assert reported[-1] == ("going first", 2 * base.games, 2 * base.games)


def test_one_seat_is_written_in_the_singular(lone_climb):
    study, reported = watched(experiment(lone_climb, 30))
    assert study.tally
    assert {stage for stage, *_ in reported} == {"random, 1 seat"}


def test_results_so_far_are_the_highest_win_rates_of_the_games_so_far(dice_duel):
    base, words = experiment(dice_duel, 560), []
    study = Study.of(base, 1, lambda *line: words.append(line[3]()))
    shares = Shares.of(base, study.player.play)
    sits, won = shares.counted(len(study.names))
    rates = won.sum(axis=0) / sits.sum(axis=0)
    best = np.argsort(-rates, kind="stable")[:3]
    bounds = proportions(won.sum(axis=0), sits.sum(axis=0), 1 - 0.05 / len(rates)).iloc[best]
    leaders = [
        f"{study.names[one]} {percent(rates[one])} ({100 * low:.1f} to " for one, low in zip(best, bounds["low"], strict=True)
    ]
    last = words[-1]
    assert last.startswith(f"so far: {leaders[0]}")
    assert all(one in last for one in leaders)
    assert len(words) > 1
    assert len(set(words)) > 1


def test_results_so_far_of_teams_are_those_of_their_parts(relay_teams):
    base, words = experiment(relay_teams, 300), []
    study = Study.of(base, 1, lambda *line: words.append(line[3]()))
    shares = Shares.of(base, study.player.play).of_parts(base.teams.members)
    sits, won = shares.counted(base.teams.parts)
    rates = won.sum(axis=0) / sits.sum(axis=0)
    assert words[-1].startswith(f"so far: {study.units[int(rates.argmax())]} {percent(rates.max())} (")


def test_nothing_is_said_before_there_are_enough_games(dice_duel):
    base = experiment(dice_duel, LEAST_GAMES)
    leading = Leading(base)
    assert leading.words() == ""
