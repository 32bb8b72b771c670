"""Courses of replayed games: the last decision of every turn, calibrated chances that add up, any number of workers."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.timeline.courses import Courses, calibrated, played
from analysis.timeline.leads import reliability, scores
from sim.engine.cards import changed
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import evaluations, replay
from tests.analysis.covering import error
from tests.analysis.walks import walks
from tests.every_game.play import shortened

GAMES = 30


def experiment(game, seats=2, cards=None, **more) -> Experiment:
    return Experiment(game.name, cards or game.load(None), seats, (PolicySpec.parse("random"),), GAMES, seed=4, **more)


def same(first: Courses, second: Courses) -> None:
    for name, values in vars(first).items():
        np.testing.assert_array_equal(values, getattr(second, name), err_msg=name)


@pytest.mark.parametrize("seats", [2, 3])
def test_courses_hold_the_last_decision_of_every_turn(coin_duel, seats):
    asked = experiment(coin_duel, seats)
    result, log = played(asked, 7, jobs=1), replay(asked, 0, 7)
    ends = {}
    for index, move in enumerate(log.moves):
        if move["action"] >= 0:
            ends[int(move["row"]), int(move["turn"]) + 1] = index
    assert list(zip(result.game.tolist(), result.turn.tolist(), strict=True)) == list(ends)
    np.testing.assert_array_equal(result.evaluated, evaluations(asked, log.positions[list(ends.values())]))
    np.testing.assert_array_equal(result.mover, log.moves["seat"][list(ends.values())])
    np.testing.assert_array_equal(result.turns, log.rows["turns"])
    np.testing.assert_array_equal(result.share, log.rows["share"][:, :seats])
    np.testing.assert_allclose(result.chance.sum(axis=1), 1)
    assert result.chance.min() >= 0


def test_courses_do_not_depend_on_the_number_of_workers_and_report_progress(coin_duel):
    reports = []
    single = played(experiment(coin_duel), GAMES, jobs=1, watch=reports.append)
    same(single, played(experiment(coin_duel), GAMES, jobs=3))
    assert reports == [10, 20, 30]
    assert len(played(experiment(coin_duel), 10_000, jobs=2).index) == len(single.index)


def test_games_of_a_pair_have_one_key(coin_duel):
    result = played(experiment(coin_duel, paired=True), 12, jobs=1)
    assert result.key.tolist() == [game // 2 for game in range(12)]


def test_truncated_games_are_marked(coin_duel):
    stopped = coin_duel.from_document(changed(coin_duel.load(None).document, "rules.turn_cap", 1))
    result = played(experiment(coin_duel, cards=stopped), 10, jobs=1)
    assert not result.won.any()
    assert (result.winner == -1).all()
    assert (result.turns == 1).all()
    np.testing.assert_allclose(result.chance.sum(axis=1), 1)


@pytest.mark.parametrize(("games", "seats", "words"), [(0, 2, "games=0"), (5, 1, "seats=1")])
def test_invalid_requests_are_refused(lone_climb, games, seats, words):
    with pytest.raises(ValueError, match=words):
        played(experiment(lone_climb, seats), games)


# ---- calibration -----------------------------------------------------------------------------------------------------


def bent(courses: Courses, slope: float, tempo: float = 0.0) -> Courses:
    """The same games with overconfident or underconfident evaluations, and a bonus for seats that do not decide."""
    mover = courses.turn % 2
    logit = np.log(courses.chance / (1 - courses.chance)) / slope
    logit -= tempo / slope * (np.arange(2) == mover[:, None])
    return replace(courses, evaluated=1 / (1 + np.exp(-logit)), mover=mover)


@pytest.mark.soak
def test_a_biased_evaluation_is_calibrated():
    walk = walks(np.random.default_rng(5), 800)
    for slope, tempo in ((3.0, 0.0), (0.4, 0.0), (1.5, 0.8)):
        result = calibrated(bent(walk, slope, tempo))
        assert np.abs(result.chance - walk.chance).mean() < 0.025
        table = scores(result).set_index("evaluation")
        assert table.loc["calibrated", "estimate"] < table.loc["as evaluated", "estimate"]
        assert table.loc["even", ["estimate", "skill"]].tolist() == [0.5, 0]


@pytest.mark.soak
def test_an_uninformative_evaluation_becomes_even_and_a_wrong_one_is_not_inverted():
    walk = walks(np.random.default_rng(6), 800)
    noise = np.random.default_rng(1).uniform(0.1, 0.9, len(walk.game))
    for first in (noise, 1 - walk.chance[:, 0]):
        result = calibrated(replace(walk, evaluated=np.column_stack([first, 1 - first])))
        assert np.abs(result.chance - 0.5).max() < 0.1
        skill = scores(result)["skill"]
        assert abs(skill.iloc[0]) < 0.02 or skill.iloc[0] < 0


def test_no_game_is_calibrated_by_its_own_result():
    """Inverting the results of one key does not change its own chances."""
    walk = walks(np.random.default_rng(7), 60, copies=2)
    before = calibrated(walk).chance
    turned = walk.share.copy()
    turned[walk.key == 3] = 1 - turned[walk.key == 3]
    after = calibrated(replace(walk, share=turned)).chance
    of_key = walk.key[walk.game] == 3
    np.testing.assert_array_equal(before[of_key], after[of_key])
    assert np.abs(before[~of_key] - after[~of_key]).max() > 0


def test_one_game_or_none_is_not_calibrated():
    courses = walks(np.random.default_rng(8), 1)
    np.testing.assert_allclose(calibrated(courses).chance, courses.chance)
    assert calibrated(Courses.of([], np.zeros((0, 3)))).chance.shape == (0, 3)


def test_seats_that_are_out_have_no_chance():
    chance = [(0.5, 0.499, 0.001, 0.0)] * 3
    courses = Courses.of([chance] * 40, np.tile([[1, 0, 0, 0], [0, 1, 0, 0]], (20, 1)))
    assert calibrated(courses).chance[:, 2:].max() < 0.01


def test_reliability_and_scores_by_hand():
    """Two games of one turn: 0.8 and 0.6 for the winner, 0.2 and 0.4 for the loser."""
    courses = Courses.of([[(0.8, 0.2)], [(0.4, 0.6)]], [[1, 0], [0, 1]])
    result = reliability(courses)
    np.testing.assert_allclose(result["chance"], [0.2, 0.4, 0.6, 0.8])
    assert result["estimate"].tolist() == [0, 0, 1, 1]
    np.testing.assert_allclose(scores(courses)["estimate"], [(0.08 + 0.32) / 2, 0.2, 0.5])


@pytest.mark.soak
def test_intervals_of_chances_and_scores_cover_the_truth():
    """Chances of a walk are exact, so every bin should contain its mean chance; the score of many games is the truth."""
    rng = np.random.default_rng(9)
    many = walks(rng, 20_000)
    truth = float(scores(many)["estimate"].iloc[0])
    runs, inside = shortened(150, 3), np.zeros(2)
    for _ in range(runs):
        walk = walks(rng, 100)
        line = reliability(walk).iloc[3]
        score = scores(walk).iloc[0]
        inside += line["low"] <= line["chance"] <= line["high"], score["low"] <= truth <= score["high"]
    assert (inside / runs).min() >= 0.95 - 3 * error(runs)
