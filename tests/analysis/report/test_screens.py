"""The first page of a report is short: at most eight screens of 1,280 by 800, and what to act on is on the first one."""

import json
from dataclasses import replace

import pytest

from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.report.write import build_page, write_report
from sim.engine.policies import PolicySpec
from sim.engine.questions import FirstPlayer, Matchups, WinRates
from sim.registry import register
from tests.analysis.chromium import chromium, needs_chromium
from tests.analysis.report.budgets import FEW
from tests.analysis.report.measure import HEIGHT, WIDTH, sizes
from tests.every_game.coin_duel import GAME

pytestmark = [needs_chromium, pytest.mark.slow]
SCREENS_MOST, WORDS_MOST = 8, 30
FIRST_SCREEN = """
    const parts = document.querySelectorAll(".lead > .findings li, .lead > .findings .command, .lead figure");
    return Array.from(parts, (each) => each.getBoundingClientRect().bottom);
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A page with many sections, of a cheap game."""
    own = (
        WinRates("rates", "Who wins?"),
        Matchups("pairs", "Who beats whom?"),
        FirstPlayer("first", "Going first?", by="policy"),
    )
    game = register(replace(GAME, name="many_duels", questions=(*own, *GAME.questions[2:])))
    study = Study(game, game.load(None), PolicySpec.parse("greedy:1"), budget=Budget(**FEW, games=2_000), jobs=1)
    return write_report(build_page(study), tmp_path_factory.mktemp("reports"))


def test_the_first_page_has_at_most_eight_screens_and_one_sentence_above_each_chart(page):
    with chromium() as browser:
        measured = sizes(browser, page)
        bottoms = browser.execute_script(FIRST_SCREEN)
    sections = json.loads((page.parent / "report.json").read_text())["sections"]
    assert measured["sections"] == measured["charts"] - 1 == len(sections)
    assert measured["screens"] <= SCREENS_MOST
    assert 0 < measured["above"] <= WORDS_MOST
    assert len(bottoms) > 3
    assert max(bottoms) <= HEIGHT < WIDTH
