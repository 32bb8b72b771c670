"""A finished match in Elo points, as a command and in Python: the values of a published match, and bad input."""

import json

import numpy as np
import pytest

import fairfight as ff
from analysis.stats.elo import BETTER, OPEN, WORSE, elo_of, log_ratio, match_of, share_of
from tests.analysis.cli.test_cli import fairfight, shown


def test_s3_a_match_of_880_wins_759_losses_and_1863_draws():
    answer = ff.match(880, 759, 1863, elo_low=0, elo_high=5)
    match, test = answer.frame.iloc[0], answer.frames["test"].iloc[0]
    assert round(match["elo"], 1) == 12.0
    assert round((match["high"] - match["low"]) / 2, 1) == 7.9
    assert round(match["superiority"], 4) == 0.9986
    assert round(test["ratio"], 2) == 2.95
    assert round(test["upper"], 2) == -round(test["lower"], 2) == 2.94
    assert test["decision"] == BETTER
    for words in (
        "+12.0 Elo points (+4.1 to +19.9)",
        "99.86 %",
        "The test of 5 against 0 accepts 5 (evidence 2.95, \u00b12.94 decides)",
    ):
        assert words in answer.summary.replace("\u202f", " ")
    typed = json.loads(shown("match", 880, 759, 1863, "--elo-low", 0, "--elo-high", "5", "--json"))["match"]
    assert typed == [pytest.approx(match.to_dict())]


def test_decisions_follow_the_bounds():
    assert match_of(759, 880, 1863).decision == WORSE
    assert match_of(88, 76, 186).decision == OPEN
    assert match_of(880, 759, 1863, alpha=0.01).decision == OPEN


def test_the_ratio_is_the_normal_one_for_many_games():
    counts, low, high = np.array([7590, 18630, 8800]), share_of(0), share_of(1)
    mean, games = (counts @ [0, 0.5, 1]) / counts.sum(), counts.sum()
    variance = counts @ (np.array([0, 0.5, 1]) - mean) ** 2 / games
    normal = games * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert log_ratio(counts, low, high) == pytest.approx(normal, rel=0.01)


def test_one_sided_results_have_no_finite_difference():
    match = match_of(5, 0, 0)
    assert match.elo == match.high == float("inf")
    assert 0 < match.low < 100
    assert np.isfinite(match.ratio)
    assert match_of(0, 0, 9).superiority == 0.5
    assert share_of(elo_of(0.3)) == pytest.approx(0.3)
    assert "likelihood of more than 99.99" in ff.match(200, 0, 0).summary
    assert "likelihood of less than 0.01" in ff.match(0, 200, 0).summary


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((0, 0, 0), "there must be at least one game"),
        ((5, 4, 1, "--elo-low", "5", "--elo-high", "0"), "--elo-low 5 must be below --elo-high 0"),
        ((5, 4, 1, "--alpha", "2"), "--alpha 2 must be above 0"),
        ((5, 4), "Missing argument 'DRAWS'"),
    ],
)
def test_bad_input_is_refused(words, message):
    code, _, err = fairfight("match", *words)
    assert code == 2
    assert message in " ".join(err.split())


def test_negative_counts_are_refused_in_python():
    with pytest.raises(ValueError, match="wins=-1 must be a whole number of games"):
        ff.match(-1, 2, 3)
