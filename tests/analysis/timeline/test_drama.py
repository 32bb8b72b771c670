"""Pace and drama: figures by hand, exact values of a walk with known chances, intervals that cover, special cases."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.questions.pace import endings, lengths, striking
from analysis.timeline import leads
from analysis.timeline.courses import Courses, calibrated
from tests.analysis.covering import error
from tests.analysis.walks import WIDTH, places, walks
from tests.every_game.play import shortened

RUNS, GAMES = shortened(100, 2), 60


def two(*first: float) -> list[tuple[float, float]]:
    """A course of two seats by the chance of seat 0."""
    return [(chance, 1 - chance) for chance in first]


def line(courses: Courses) -> pd.Series:
    return leads.by_game(courses).iloc[0]


def test_a_game_by_hand():
    """Seat 0 leads, loses the lead, is within the margin once, and wins: 0.7, 0.3, 0.52, 0.8, 0.9."""
    game = Courses.of([two(0.7, 0.3, 0.52, 0.8, 0.9)], [[1, 0]])
    assert leads.leading(game).tolist() == [0, 1, -1, 0, 0]
    assert leads.holding(game).tolist() == [0, 1, 1, 0, 0]
    result = line(game)
    assert (result["winner"], result["changes"], result["since"], result["turns"]) == (0, 2, 4, 5)
    assert result["part"] == pytest.approx(4 / 5)
    assert (result["least"], result["behind"]) == (pytest.approx(0.3), pytest.approx(0.4))
    assert result["sure"] == pytest.approx(2 / 5)
    assert result["movement"] == pytest.approx(0.2 + 0.4 + 0.22 + 0.28 + 0.1 + 0.1)
    assert result["drama"] == pytest.approx(np.sqrt(0.4))


def test_a_winner_behind_until_the_end_leads_for_good_only_in_the_last_turn():
    result = line(Courses.of([two(0.2, 0.4)], [[1, 0]]))
    assert (result["since"], result["part"], result["changes"]) == (2, 1, 0)
    assert line(Courses.of([two(0.6, 0.9)], [[1, 0]]))["since"] == 1


def test_three_and_four_seats():
    """At three seats ahead means 1/15 more than any other, at four 1/20."""
    three = Courses.of([[(0.4, 0.35, 0.25), (0.5, 0.3, 0.2), (0.2, 0.1, 0.7)]], [[0, 0, 1]])
    assert leads.leading(three).tolist() == [-1, 0, 2]
    result = line(three)
    assert (result["changes"], result["since"], result["least"]) == (1, 3, pytest.approx(0.2))
    assert result["behind"] == pytest.approx(0.3)
    four = Courses.of([[(0.31, 0.25, 0.24, 0.2), (0.3, 0.26, 0.24, 0.2)]], [[1, 0, 0, 0]])
    assert leads.leading(four).tolist() == [0, -1]
    assert line(four)["least"] == 0.25  # the start, where all are even
    assert len(leads.summary(four)) == 12


def test_games_without_a_sole_winner_are_counted_separately():
    games = [two(0.7, 0.9), two(0.6), two(0.5, 0.5, 0.5), two(0.2)]
    courses = Courses.of(games, [[1, 0], [0.5, 0.5], [0, 0], [0, 1]])
    assert leads.by_game(courses)["index"].tolist() == [0, 3]
    assert endings(courses)["games"].tolist() == [2, 1, 0, 1]
    first = leads.drama_by_turn(courses, [1]).iloc[0]
    assert (first["games"], first["n"]) == (3, 3)
    assert first["estimate"] == pytest.approx((1 + 0.5 + 1) / 3)
    assert lengths(courses)["n"].tolist() == [4] * 5


def test_without_informative_games_there_are_no_figures():
    for courses in (Courses.of([two(0.6)], [[0, 0]]), Courses.of([], np.zeros((0, 2)))):
        result = leads.summary(courses)
        assert (result["n"] == 0).all()
        assert result["estimate"].isna().all()
        assert leads.by_lead(courses)["n"].sum() == 0
        assert leads.drama_by_turn(courses)["n"].sum() == 0
        assert leads.decided(courses).empty
        assert striking(courses).empty


def test_a_game_without_a_decision_is_even_until_it_ends():
    result = line(Courses.of([np.zeros((0, 2)), two(0.9)], [[1, 0], [1, 0]]))
    assert (result["changes"], result["least"], result["sure"]) == (0, 0.5, 0)
    assert result["movement"] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("chances", "share", "words"), [([[(0.5, 0.5)]], [[1, 0, 0]], "do not fit"), ([[(0.5, 0.6)]], [[1, 0]], "add up to 1")]
)
def test_courses_that_do_not_fit_are_refused(chances, share, words):
    with pytest.raises(ValueError, match=words):
        Courses.of(chances, share)


def test_striking_games_fit_their_description():
    courses = walks(np.random.default_rng(3), 80)
    games, result = leads.by_game(courses), striking(courses).set_index("kind")
    assert result.loc["deepest comeback", "least"] == games["least"].min()
    assert result.loc["most changes of lead", "changes"] == games["changes"].max()
    assert abs(result.loc["most typical", "turns"] - games["turns"].median()) <= games["turns"].std()


# ---- truths of the walk ----------------------------------------------------------------------------------------------


def ahead_wins(turn: int) -> float:
    """Chance of the leader after a number of steps of the walk, over unfinished games with a leader."""
    inner, chance = places(turn)[1:-1], np.arange(1, WIDTH) / WIDTH
    ahead = np.abs(2 * chance - 1) >= 0.1 - 1e-9
    return float(inner[ahead] @ np.maximum(chance, 1 - chance)[ahead] / inner[ahead].sum())


def since_reference(courses: Courses) -> list[int]:
    """The slow reference: backwards from the end of each game."""
    result = []
    for game in range(len(courses.index)):
        held = leads.holding(courses)[courses.game == game]
        turn = len(held)
        while turn and held[turn - 1] == courses.winner[game]:
            turn -= 1
        result.append(min(turn + 1, len(held)))
    return result


@pytest.mark.slow
def test_figures_of_the_walk_are_near_the_exact_ones():
    courses = walks(np.random.default_rng(1), 6000)
    result = leads.summary(courses).set_index("what")
    truths = {"once_low": 1 / 4, "once_lowest": 1 / 9, "movement": 2.5}  # 25 steps of a tenth, the last one in
    for what, truth in truths.items():
        here = result.loc[what]
        assert abs(here["estimate"] - truth) < 2 * (here["high"] - here["low"]), what
    down = leads.comebacks(courses, [0.1, 0.2, 0.3, 0.4])
    assert np.abs(down["estimate"] - down["even"]).max() < 0.025
    for turn in (3, 8, 20):
        here = leads.drama_by_turn(courses, [turn]).iloc[0]
        assert abs(here["estimate"] - ahead_wins(turn)) < 0.03
        assert abs(here["on"] - places(turn)[1:-1].sum()) < 0.02
    assert np.abs((by_lead := leads.by_lead(courses))["estimate"] - by_lead["chance"]).max() < 0.03


def test_turns_from_which_the_winner_leads_for_good_equal_the_slow_reference():
    courses = walks(np.random.default_rng(2), 150)
    assert leads.by_game(courses)["since"].tolist() == since_reference(courses)
    decided = leads.decided(courses)
    assert decided["estimate"].iloc[-1] == 1
    assert decided["estimate"].is_monotonic_increasing


@pytest.mark.parametrize("copies", [1, 2])
@pytest.mark.soak
def test_intervals_cover_at_their_level_also_with_correlated_games(copies):
    rng = np.random.default_rng(7)
    truth = {"once_low": 1 / 4, "movement": 2.5}
    inside = dict.fromkeys((*truth, "ahead", "lead", "median"), 0)
    for _ in range(RUNS):
        courses = walks(rng, GAMES, copies)
        result = leads.summary(courses).set_index("what")
        for what, value in truth.items():
            inside[what] += result.loc[what, "low"] <= value <= result.loc[what, "high"]
        here = leads.drama_by_turn(courses, [8]).iloc[0]
        inside["ahead"] += here["low"] <= ahead_wins(8) <= here["high"]
        line = leads.by_lead(courses).iloc[1]
        inside["lead"] += line["low"] <= line["chance"] <= line["high"]
        drawn = np.repeat(rng.exponential(size=GAMES), copies)
        median = leads.quantile(np.repeat(np.arange(GAMES), copies), drawn, 0.5)
        inside["median"] += median.low <= np.log(2) <= median.high
    for what, count in inside.items():
        assert count / RUNS >= 0.89 - 2 * error(RUNS), (what, count / RUNS)


def test_quantiles_by_hand():
    key, values = np.arange(9), np.arange(1, 10)
    result = leads.quantile(key, values, 0.5)
    assert (result.estimate, result.low, result.high, result.n) == (5, 2, 8, 9)  # binomial ranks 2 and 7 + 1
    assert leads.quantile(key, values, 0.05).low == -np.inf
    assert np.isnan(leads.quantile(key[:0], values[:0], 0.5).estimate)


@pytest.mark.soak
def test_intervals_include_the_uncertainty_of_the_calibration():
    """An uninformative evaluation of a walk: the figures depend on its fit, which 60 games hardly determine.

    Bounds that treat the fit as exact covered the mean over the runs in fewer than half of them.
    """
    rng, runs = np.random.default_rng(11), shortened(60, 3)
    tables, bins = [], []
    for _ in range(runs):
        walk = walks(rng, GAMES)
        first = (0.5 + 0.1 * (walk.chance[:, 0] - 0.5) + rng.normal(0, 0.1, len(walk.game))).clip(0.05, 0.95)
        fitted = calibrated(replace(walk, evaluated=np.column_stack([first, 1 - first])))
        tables.append(leads.summary(fitted).set_index("what"))
        bins.append(leads.reliability(fitted))
    what = tables[0].index
    estimate, low, high = (
        pd.DataFrame([table[name].to_numpy() for table in tables], columns=what) for name in ("estimate", "low", "high")
    )
    inside = ((low <= estimate.mean()) & (estimate.mean() <= high)).mean()
    assert inside[["changes", "steady", "movement", "once_behind", "drama"]].min() >= 0.95 - 4 * error(runs)
    assert ((low <= estimate) & (estimate <= high)).all(axis=None)
    by_bin = pd.concat(bins).groupby("start").filter(lambda part: len(part) >= 0.9 * runs)
    right = by_bin.groupby("start")["estimate"].transform("mean")
    inside = ((by_bin["low"] <= right) & (right <= by_bin["high"])).groupby(by_bin["start"]).mean()
    assert inside.min() >= 0.95 - 4 * error(runs)
