"""Games without a winner: truncated games and common defeats are reported first, with the length of the others."""

import pytest

from analysis.answer.numbers import percent
from analysis.data.study import Study
from analysis.report.headline import headline
from analysis.report.pages import answered_section
from sim.engine.questions import WinRates
from tests.analysis.report.dungeon import dungeon
from tests.analysis.report.test_dungeon import lines

pytestmark = pytest.mark.slow

GAMES = 400


@pytest.fixture(scope="module")
def study() -> Study:
    return dungeon(GAMES)


def test_the_first_answer_and_the_headline_count_truncated_games_and_games_without_a_winner(study):
    section = answered_section(study, WinRates("rates", "Who wins?"))
    share = percent(study.tally.truncated[4] / GAMES, 2)
    assert f"{share} at four seats" in section.note.partition("left out, of all games:")[2]
    lost = dungeon(GAMES)
    lost.tally.seat_wins[4] /= 2
    vars(lost)["tally_beside"] = None
    section = answered_section(lost, WinRates("rates", "Who wins?"))
    shares = {row["fair share"] for row in lines(section, "rates-win_rates", seats=4)}
    assert list(shares) == pytest.approx([0.125], abs=0.001)
    sentences = [finding.text for finding in headline(lost)]
    assert any("50.0\u202f% at four seats had no winner" in text for text in sentences)
    assert not sentences[0].startswith("Stopped")
