"""Games without a winner: truncated games and common defeats are reported first, with the length of the others."""

import pytest

from analysis.answer.model import Answer
from analysis.answer.numbers import percent
from analysis.data.study import Study
from analysis.report.headline import headline
from analysis.report.pages import answer
from sim.engine.questions import WinRates
from tests.analysis.report.dungeon import dungeon

pytestmark = pytest.mark.slow

GAMES = 400


@pytest.fixture(scope="module")
def study() -> Study:
    return dungeon(GAMES)


def answered(study: Study) -> Answer:
    reply = answer(study, WinRates("rates", "Who wins?"))
    assert reply is not None
    return reply


def test_the_first_answer_and_the_headline_count_truncated_games_and_games_without_a_winner(study):
    notes = " ".join(answered(study).warnings)
    share = percent(study.tally.truncated[4] / GAMES, 2)
    assert f"{share} at four seats" in notes.partition("left out, of all games:")[2]
    lost = dungeon(GAMES)
    lost.tally.seat_wins[4] /= 2
    vars(lost)["tally_beside"] = None
    rates = answered(lost).frames["win_rates"]
    assert rates.loc[rates["seats"] == 4, "fair"].unique() == pytest.approx([0.125], abs=0.001)
    verdict, *findings = headline(lost)
    assert verdict.text.startswith("Do not judge this game by its win rates yet: ")
    assert [finding.tone for finding in findings[:2]] == ["open", "open"]
    assert findings[1].text == "At four seats 50.0\u202f% of the games end without a winner."
    sentences = [finding.text for finding in (verdict, *findings)]
    assert any("50.0\u202f% at four seats had no winner" in text for text in sentences)
    assert not sentences[0].startswith("Stopped")
