"""Sections of two-seat games, from synthetic duels of decks: their numbers equal direct computation."""

import sys
from functools import partial

import numpy as np
import pytest

from analysis.report.course import course
from analysis.report.pages import answered_section
from analysis.stats.intervals import proportion
from sim.engine.loop import Status
from tests.analysis.report.decks_duel import QUESTIONS, asked, decks_duel, drawn
from tests.analysis.report.reading import lines
from tests.analysis.report.skirmish import skirmish

GAMES = 1500
BY_ID = {question.id: question for question in QUESTIONS}


@pytest.fixture
def study(coin_duel):
    return decks_duel(GAMES)


@pytest.fixture
def ask(study):
    """Ask a question of the study, with other fields."""
    return partial(asked, study)


@pytest.fixture(scope="module")
def games():
    """Rows and outcomes of the sections, and which games are finished."""
    rows, outcomes = drawn(GAMES)
    return rows, outcomes, rows["status"] == Status.FINISHED


def assert_rate(row, won, room=0.006, name="win rate"):
    """The row has the mean of win shares, and about the interval of independent games."""
    right = proportion(float(won.sum()), won.size)
    assert (row[name], row["n"]) == (pytest.approx(right.estimate), right.n)
    assert (row["low"], row["high"]) == pytest.approx((right.low, right.high), abs=room)


@pytest.mark.slow
def test_going_first_is_counted_by_pairing_and_by_deck(ask, games, study, monkeypatch):
    rows, _, ended = games
    first, every_game = rows["first"].astype(int), np.arange(GAMES)
    won, ahead = rows["share"][every_game, first], rows["entrant"][every_game, first]
    behind = rows["entrant"][every_game, 1 - first]
    section = ask("first")
    (row,) = lines(section, "first-pairings", pairing="Pike \u2013 Needle")
    assert_rate(row, won[ended & (np.minimum(ahead, behind) == 0) & (np.maximum(ahead, behind) == 2)])
    chosen = ended & (ahead == 2) & (behind == 0)
    (row,) = lines(section, "first-by_entrant", **{"deck that goes first": "Needle", "against": "Pike"})
    assert (row["win rate"], row["n"]) == (pytest.approx(won[chosen].mean()), chosen.sum())
    (row,) = lines(section, "first-pairings", pairing="all pairings")
    assert row["n"] == ended.sum()
    assert section.answer.startswith(f"The first player wins {100 * row['win rate']:.1f}")
    monkeypatch.setattr(sys.modules["analysis.questions.first_by_pairing"], "PAIRINGS", 1)
    assert "the 1 farthest from one half" in ask("first").figures[0].caption
    study.games_frame["first"] = -1
    assert answered_section(study, BY_ID["first"]) is None
    assert answered_section(skirmish(40), BY_ID["first"]) is None  # teams have no pairings


def test_how_the_games_went_is_headed_by_words_and_not_by_the_names_of_fields(study):
    columns = course(study).columns
    assert "player turns, median" in columns
    assert not any("_" in column for column in columns)
