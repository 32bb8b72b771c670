"""Upsets: who was ahead before the last turns, by hand, and the shares with their intervals."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.timeline.courses import Courses, of_study
from analysis.timeline.upsets import BACK, SIDES, before_end, upsets
from sim.engine.policies import PolicySpec

SMALL = replace(Budget(), games=200, replays=120)


def two(*first: float) -> list[tuple[float, float]]:
    """A course of two seats by the chance of seat 0."""
    return [(chance, 1 - chance) for chance in first]


def test_who_was_ahead_by_hand():
    """The last line is the last decision of the last turn, so that the line before it is the state before the last turn."""
    games = [
        two(0.7, 0.3, 0.52, 0.8, 0.9),  # seat 0 wins: ahead before the last turn, nobody before the last two, then seat 1, then 0
        two(0.9, 0.2),  # the lead before the last turn is decisive, not that within it
        two(0.6),  # a single turn: nobody was ahead before it
        np.zeros((0, 2)),  # no decision at all
        two(0.9, 0.5),  # shared: does not count
        two(0.2, 0.3),  # seat 0 wins: an upset
    ]
    courses = Courses.of(games, [[1, 0], [1, 0], [0, 1], [1, 0], [0.5, 0.5], [1, 0]])
    rest = [2] * (BACK - 4)
    assert before_end(courses).tolist() == [
        [0, 2, 1, 0, *rest],
        *([first, 2, 2, 2, *rest] for first in (0, 2, 2, 1)),
    ]  # fmt: skip


def test_a_single_game_can_be_shorter_than_what_is_looked_back_at():
    courses = Courses.of([two(0.2, 0.3)], [[1, 0]])
    assert before_end(courses).tolist() == [[1, *[2] * (BACK - 1)]]


def other_ahead(courses: Courses) -> pd.Series:
    """Share of the games in which another seat than the winner was ahead before the last turn."""
    found = upsets(courses)
    return found[(found["line"] == SIDES[0]) & (found["x"] == 1)].iloc[0]


def test_shares_are_of_the_games_with_a_sole_winner():
    games = [two(0.9, 0.9), two(0.1, 0.9), two(0.1, 0.9), two(0.5, 0.9), two(0.1, 0.9)]
    courses = Courses.of(games, [*[[1, 0]] * 4, [0.5, 0.5]])
    found = upsets(courses)
    assert len(found) == 2 * BACK
    assert (found["n"] == 4).all()
    assert other_ahead(courses)["estimate"] == 0.5
    assert other_ahead(courses)["low"] < 0.5


def test_games_with_the_same_dice_are_one_observation():
    games, won = [two(0.9, 0.9), two(0.1, 0.9)] * 40, [[1, 0]] * 80
    pairs, singles = (other_ahead(Courses.of(games, won, key)) for key in (np.arange(80) // 4, None))
    assert pairs["estimate"] == singles["estimate"] == 0.5
    assert pairs["low"] == pytest.approx(singles["low"], rel=0.01)  # no narrower, though all keys are equal
    wide = other_ahead(Courses.of(sorted(games, key=str), won, np.repeat(np.arange(2), 40)))
    assert wide["low"] < singles["low"]


def test_intervals_cover_the_calibration(coin_duel):
    study = Study(coin_duel, coin_duel.load(None), PolicySpec.parse("random"), 3, SMALL, 1)
    courses = of_study(study, 2, SMALL.replays)
    fitted, known = (upsets(one) for one in (courses, replace(courses, fitted=False)))
    assert fitted["estimate"].tolist() == known["estimate"].tolist()
    assert (fitted["low"] <= known["low"]).all()
    assert (fitted["high"] >= known["high"]).all()
