"""The page "what to change": the steps of each unfair entrant and a proposal, or one line on the first page."""

from dataclasses import replace

import pytest

from analysis.data.budget import Budget
from analysis.data.players import QUICK
from analysis.data.study import Study
from analysis.report.change import change_page, searching, seats
from analysis.report.headline import headline, is_first_unfair, unfair_units
from analysis.report.links import APPENDIX, CHANGE, parts_of
from analysis.variants.variant import edited
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from sim.registry import game_named
from tests.analysis.report.budgets import FEW
from tests.every_game.dice_duel.exact import win_rates

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not COMPILED, reason="some ten thousand games")]

RANDOM = PolicySpec.parse("random")
GAMES = Budget(**FEW, games=4_480, replays=20)


@pytest.fixture
def unfair(dice_duel):
    study = Study(dice_duel, dice_duel.load(None), RANDOM, seed=3, budget=GAMES, jobs=1)
    return study, change_page(study, "fairfight report dice_duel")


def test_the_page_gives_the_steps_of_each_unfair_entrant_and_a_proposal(unfair):
    study, page = unfair
    farthest = [study.unit_ids[int(unit)] for unit in unfair_units(study)["unit"]]
    assert set(farthest[:2]) == {"berserker", "knight"}
    steps = [section for section in page.sections if section.id.startswith("steps-")]
    assert [section.id for section in steps] == [f"steps-{id_}" for id_ in farthest[:4]]
    assert page.sections[0].id == "tuning"
    assert [finding.text for finding in page.headline] == [section.answer for section in page.sections]
    assert CHANGE in parts_of(study)


def test_each_finding_has_a_command_and_the_steps_do_what_they_promise(unfair):
    study, page = unfair
    commands = {section.id: finding.command for section, finding in zip(page.sections, page.headline, strict=True)}
    assert commands["tuning"].startswith("fairfight tune dice_duel --only=")
    assert "--only=berserker" in commands["tuning"]
    for section in page.sections:
        if not section.id.startswith("steps-"):
            continue
        words = commands[section.id].split()
        assert words[:3] == ["fairfight", "whatif", "dice_duel"]
        setting = words[words.index("--set") + 1]
        unit = study.unit_ids.index(section.id.removeprefix("steps-"))
        was = win_rates(study.cards)[unit]
        now = win_rates(edited(study.game, study.cards, [setting]).cards)[unit]
        assert (now - was) * (0.5 - was) > 0
        if "becomes fair" in section.answer:
            assert 0.42 < now < 0.58


def test_rules_for_going_second_are_shown_without_what_the_first_page_has(dice_duel, coin_duel):
    budget = replace(GAMES, pair_games=4_000)
    section = seats(Study(dice_duel, dice_duel.load(None), RANDOM, budget=budget, jobs=1))
    assert section.answer.startswith("Of the values of rules.second_health ")
    assert [table.id for table in section.tables] == ["seats-parameters"]
    assert [chart.id for chart in section.figures] == ["seats-parameters"]
    assert seats(Study(coin_duel, coin_duel.load(None), RANDOM, budget=GAMES, jobs=1)) is None  # no rule for it


def test_a_game_of_equals_has_one_line_in_place_of_a_page(dice_duel):
    document = dict(dice_duel.load(None).document)
    first = document["fighter"][0]
    document["fighter"] = [{**first, "id": f"twin_{number}", "name": f"Twin {number}"} for number in range(4)]
    document["rules"] = {**document["rules"], "second_health": 2}  # 50.1 %, fair for the first seat
    study = Study(dice_duel, dice_duel.from_document(document), RANDOM, seed=3, budget=GAMES, jobs=1)
    assert unfair_units(study).empty
    assert not is_first_unfair(study)
    assert parts_of(study) == (APPENDIX,)
    assert change_page(study) is None
    assert any("No change is proposed" in finding.text for finding in headline(study))


def test_quick_players_look_for_changes_where_they_are_quicker():
    arena, rogue = (Study(game, game.load(None)) for game in map(game_named, ("arena", "cardrogue")))
    assert str(searching(arena).policy) == QUICK
    assert searching(arena).tester == arena.policy
    assert searching(rogue) is rogue
