"""The page "what to change": the steps of each unfair entrant and a proposal, or one line on the first page."""

from dataclasses import replace

import pytest

from analysis.answer.prose import SENTENCE_GAMES
from analysis.data.budget import Budget
from analysis.data.players import QUICK
from analysis.data.study import Study
from analysis.questions.explain import Subject
from analysis.report.change import change_page, seats
from analysis.report.explained import opponents_in_report
from analysis.report.headline import headline, is_first_unfair, unfair_units
from analysis.report.links import APPENDIX, CHANGE, parts_of
from analysis.variants.variant import edited
from analysis.winrates.rates import matrix, pairs
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from sim.registry import game_named
from tests.analysis.report.budgets import FEW
from tests.every_game.dice_duel.exact import win_rates

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not COMPILED, reason="some ten thousand games")]

RANDOM = PolicySpec.parse("random")
GAMES = Budget(**FEW, games=4_480, replays=20, scale=2.0)


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
    shared = [section.answer for section in page.sections if section not in steps]
    assert [finding.text for finding in page.headline] == shared
    assert CHANGE in parts_of(study)


def test_each_section_has_a_command_and_the_steps_do_what_they_promise(unfair):
    study, page = unfair
    assert page.headline[0].command.startswith("fairfight tune dice_duel --only=")
    assert "--only=berserker" in page.headline[0].command
    for section in page.sections:
        if not section.id.startswith("steps-"):
            continue
        words = section.note.rstrip(".").split()
        assert "fairfight whatif dice_duel" in section.note
        setting = words[words.index("--set") + 1]
        unit = study.unit_ids.index(section.id.removeprefix("steps-"))
        was = win_rates(study.cards)[unit]
        now = win_rates(edited(study.game, study.cards, [setting]).cards)[unit]
        assert (now - was) * (0.5 - was) > 0
        if "becomes fair" in section.answer:
            assert 0.42 < now < 0.58


def test_if_no_proposal_holds_for_all_the_headline_has_the_step_of_one(dice_duel):
    study = Study(dice_duel, dice_duel.load(None), RANDOM, seed=3, budget=replace(GAMES, scale=0.6), jobs=1)
    page = change_page(study, "fairfight report dice_duel")
    (finding,) = page.headline
    assert "becomes fair with" in finding.text
    assert finding.command.startswith("fairfight whatif dice_duel --set")


def test_a_section_shows_the_opponents_of_the_first_page(unfair):
    study, page = unfair
    every = pairs(matrix(study.tally, study.names))
    for section in (section for section in page.sections if section.id.startswith("steps-")):
        unit = study.unit_ids.index(section.id.removeprefix("steps-"))
        met = opponents_in_report(study, Subject(study.unit_ids[unit], study.units[unit], study.unit_word, unit))
        assert len(met) == 7
        assert (met["n"] >= SENTENCE_GAMES).all()
        rates = every[every["name"] == study.units[unit]].set_index("opponent_name")["estimate"]
        assert (met["estimate"].to_numpy() == rates[met["name"]].to_numpy()).all()
        assert [figure.caption for figure in section.figures] == [f"Win rate of {study.units[unit]} against each opponent."]


def test_a_part_of_teams_meets_the_parts_of_other_teams(relay_teams):
    study = Study(relay_teams, relay_teams.load(None), RANDOM, seed=3, budget=GAMES, jobs=1)
    ann, bo = (opponents_in_report(study, Subject("", study.units[unit], "runner", unit)).set_index("name") for unit in (0, 1))
    assert set(ann.index) == {"Bo", "Cy", "Dee", "Eve", "Fay"}
    assert ann.loc["Bo", "n"] == bo.loc["Ann", "n"]
    assert ann.loc["Bo", "estimate"] == pytest.approx(1 - bo.loc["Ann", "estimate"])
    assert study.rows_of_teams


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
    assert str(arena.searcher.policy) == QUICK
    assert arena.searcher.tester == arena.policy
    assert rogue.searcher is rogue
