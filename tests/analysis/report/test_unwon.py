"""Games without a winner: truncated games and common defeats are reported first, with the length of the others."""

import numpy as np
import pytest

from analysis.answer.numbers import percent
from analysis.data.study import Study
from analysis.report.pages import answer, headline
from sim.engine.questions import Length, WinRates
from tests.analysis.report.dungeon import dungeon
from tests.analysis.report.test_dungeon import lines

GAMES = 400


@pytest.fixture(scope="module")
def study() -> Study:
    return dungeon(GAMES)


def test_length_is_shown_in_the_unit_of_the_question(study):
    section = answer(study, Length("length", "How long?", length="rush_round"))
    games = study.games_frame
    assert "rounds" in section.answer
    assert "turns" not in section.answer.partition("Stopped")[0]
    row = lines(section, "length", seats=4, **{"share of games over": 0.5})[0]
    ended = np.sort(games[(games["seats"] == 4) & games["finished"]]["rush_round"])
    assert row["rounds"] == ended[-(-GAMES // 2) - 1]


def test_if_few_games_are_finished_their_length_is_shown_and_the_headline_starts_with_the_others(study):
    games = study.games_frame.assign(finished=study.games_frame["game"] % 4 == 0)
    few = dungeon(GAMES)
    vars(few).update(_played=(study.tally, games, study.seats_frame), tally_beside=None)
    section = answer(few, Length("length", "How long?"))
    assert "At four seats fewer than half of the games come to an end; those that do take 160 turns (median)." in section.answer
    assert lines(section, "length-truncated", seats=4)[0]["median of the others, turns"] == 160
    warning, stopped, *rest = headline(few)
    assert warning.text.startswith("Do not judge this game by its win rates yet: up to 75\u202f% of the games are truncated.")
    assert not any("too strong" in finding.text or "fair band" in finding.text for finding in rest)
    assert stopped.text.startswith("Stopped at")


def test_the_first_answer_and_the_headline_count_truncated_games_and_games_without_a_winner(study):
    section = answer(study, WinRates("rates", "Who wins?"))
    share = percent(study.tally.truncated[4] / GAMES)
    assert f"{share} at four seats" in section.answer.partition("left out, of all games:")[2]
    assert "nobody" not in section.answer
    assert "1 in k" in section.figures[0].caption
    lost = dungeon(GAMES)
    lost.tally.seat_wins[4] /= 2
    vars(lost)["tally_beside"] = None
    section = answer(lost, WinRates("rates", "Who wins?"))
    assert "ended without a winner, of those that came to an end: 50.0\u202f% at four seats" in section.answer
    assert "an equal part of all wins" in section.figures[0].caption
    shares = {row["fair share"] for row in lines(section, "win-rates", seats=4)}
    assert list(shares) == pytest.approx([0.125], abs=0.001)
    sentences = [finding.text for finding in headline(lost)]
    assert any("50.0\u202f% at four seats had no winner" in text for text in sentences)
    assert not sentences[0].startswith("Stopped")
