"""Upsets: who was ahead before the last turns, by hand, and the section of a report and of the command."""

import json
from dataclasses import replace

import numpy as np
import pytest

from analysis.data.study import Budget, Study
from analysis.timeline.courses import Courses, of_study
from analysis.timeline.upsets import BACK, before_end, shares, upsets
from sim.engine.policies import PolicySpec
from tests.analysis.cli.test_cli import fairfight, refusal, shown
from tests.analysis.report.reading import assert_well_formed, lines

SMALL = replace(Budget.default(), games=200, replays=120)


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


def test_shares_are_of_the_games_that_count():
    games = [two(0.9, 0.9), two(0.1, 0.9), two(0.1, 0.9), two(0.5, 0.9)]
    courses = Courses.of(games, [[1, 0]] * 4)
    among = np.array([[True, True], [True, False], [True, True], [True, False]])
    found = shares(courses, lambda state: state[:, :1] == 1, among)
    assert found["estimate"].tolist() == [0.5, 0.5]
    assert found["n"].tolist() == [4, 2]
    assert (found["low"] < 0.5).all()
    assert shares(courses, lambda state: state[:, :1] == 1, np.zeros((4, 1), bool))["estimate"].isna().all()


def test_games_with_the_same_dice_are_one_observation():
    games, won = [two(0.9, 0.9), two(0.1, 0.9)] * 40, [[1, 0]] * 80
    every = np.ones((80, 1), bool)
    pairs, singles = (
        shares(Courses.of(games, won, key), lambda state: state[:, :1] == 1, every) for key in (np.arange(80) // 4, None)
    )
    assert pairs["estimate"][0] == singles["estimate"][0] == 0.5
    assert pairs["low"][0] == pytest.approx(singles["low"][0], rel=0.01)  # no narrower, though all keys are equal
    alike = np.repeat(np.arange(2), 40)
    wide = shares(Courses.of(sorted(games, key=str), won, alike), lambda state: state[:, :1] == 1, every)
    assert wide["low"][0] < singles["low"][0]


def test_intervals_cover_the_calibration(coin_duel):
    study = Study(coin_duel, coin_duel.load(None), PolicySpec.parse("random"), 3, SMALL, 1)
    courses = of_study(study, 2)
    every = np.ones((np.count_nonzero(courses.winner >= 0), BACK), bool)
    fitted, known = (shares(one, lambda state: state == 2, every) for one in (courses, replace(courses, fitted=False)))
    assert fitted["estimate"].tolist() == known["estimate"].tolist()
    assert (fitted["low"] <= known["low"]).all()
    assert (fitted["high"] >= known["high"]).all()


@pytest.mark.parametrize("name", ["coin_duel", "relay_teams", "deck_race"])
def test_the_section_counts_every_win_once(name, request):
    game = request.getfixturevalue(name)
    study = Study(game, game.load(None), PolicySpec.parse("random"), 3, SMALL, 1)
    section = upsets(study)
    assert_well_formed(section)
    size = study.teams.size if study.teams else 1
    for seats in study.contests:
        where = f"At {'two' if seats == 2 else 'three'} seats"
        first = lines(section, "upsets", seats=where, **{"turns before the end": 1})
        assert len(first) == 2
        assert sum(row["n"] for row in lines(section, "upsets-wins", seats=where)) == size * first[0]["n"]
        assert first[0]["n"] == np.count_nonzero(of_study(study, seats).winner >= 0)


def test_the_command_prints_the_section(coin_duel, tmp_path):
    typed = ("upsets", "coin_duel", "--games", 60, "--policy", "random", "--jobs", 1)
    text = " ".join(shown(*typed, "--csv", tmp_path / "u.csv", "--chart", tmp_path / "u.svg").split())
    data = json.loads(shown(*typed, "--json"))
    assert data["answer"] in text.replace("\N{NO-BREAK SPACE}", " ") or "another seat than the winner" in text
    assert data["facts"]["games"] == 60
    assert [row["share"] for row in data["upsets"][:1]] == [
        pytest.approx(float((tmp_path / "u.csv").read_text("utf-8-sig").splitlines()[1].split(",")[3]))
    ]
    assert "<svg" in (tmp_path / "u.svg").read_text()
    assert json.loads(shown(*typed, "--seats", 3, "--json"))["upsets"][0]["seats"] == "At three seats"
    assert "use 2 or more seats" in refusal("upsets", "cardrogue", "--seats", 1)
    assert fairfight(*typed, "--json", "--jobs", 3)[1] == shown(*typed, "--json")
