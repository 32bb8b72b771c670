"""The appendix: all questions that the first page leaves out, and levels of play, with the win rates of the first page."""

from dataclasses import replace

import pytest

from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.questions.skill import skill
from analysis.report.appendix import appendix_page, level_games, levels
from analysis.report.links import APPENDIX, CHANGE, links
from analysis.report.pages import appendix_of, asked_of, first_page_of
from analysis.winrates.study_rates import entrant_rates, places
from sim.engine.policies import PolicySpec
from sim.registry import GAMES
from tests.analysis.report.budgets import FEW
from tests.analysis.report.reading import lines

TINY = Budget(**FEW, games=90, step_games=30, variant_games=60, rolls=20, replays=4)


def study(game, policy="greedy:1", **more):
    return Study(game, game.load(None), PolicySpec.parse(policy), seed=3, budget=TINY, jobs=1, **more)


@pytest.mark.slow
def test_levels_include_the_policy_of_the_report_with_the_win_rates_of_the_first_page(coin_duel):
    asked = study(coin_duel)
    section = levels(asked)
    names = ["random", "greedy:1", "greedy:4", "turn:4:4"]
    assert [row["level"] for row in lines(section, "skill-ratings")] == names[::-1]
    assert len(lines(section, "skill-meetings")) == 6
    assert [chart.id for chart in section.figures] == ["skill", "skill-ladder"]
    rates = entrant_rates(asked)
    rates = rates[rates["seats"] == 2].set_index("name")
    shown = {row["name"]: row for row in lines(section, "skill-rates")}
    assert {name: row["greedy:1"] for name, row in shown.items()} == rates["estimate"].to_dict()
    first = places(asked).query("seats == 2 and position == 0").iloc[0]
    (whole,) = lines(section, "skill-levels", level="greedy:1")
    assert (whole["first wins"], whole["n"]) == (pytest.approx(first["estimate"]), asked.main(2).games)


@pytest.mark.slow
def test_the_appendix_answers_what_the_first_page_leaves_out(coin_duel):
    asked = study(coin_duel)
    page = appendix_page(asked)
    assert page.folded
    assert [section.id for section in page.sections] == [*(question.id for question in appendix_of(asked)), "skill"]
    assert not {"nan", "inf"} & {word for section in page.sections for word in section.answer.split()}


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("arena", ["win-rates", "matchups", "abilities", "parameters", "length"]),
        ("rookling", ["contributions", "synergy", "first-attacker", "flips", "parameters", "length"]),
        ("runeslingers", ["win-rates", "matchups", "going-first", "cards", "parameters", "length"]),
        ("riftborn", ["win-rates", "matchups", "going-first", "cards", "parameters", "length"]),
        ("cardrogue", ["win-rates", "matchups", "worth", "parameters", "length"]),
    ],
)
def test_the_first_page_has_one_section_for_each_slot_and_the_appendix_all_others(name, first):
    asked = study(GAMES[name])
    assert [question.id for question in first_page_of(asked)] == first
    both = [question.id for question in (*first_page_of(asked), *appendix_of(asked))]
    assert sorted(both) == sorted(question.id for question in asked_of(asked))


def test_without_decisions_no_level_is_better(dice_duel):
    few = replace(study(dice_duel), budget=replace(TINY, skill_games=240))
    answer = skill.answer(few, levels=["random", "greedy:4", "turn:4:4"], **level_games(few))
    assert not {"flips", "moves"} & set(answer.frames["changes"]["verdict"])
    assert answer.facts["depth"]["steps"] == 0


def test_existing_pages_link_to_each_other_only(lone_climb):
    alone = study(replace(lone_climb, seats_of=lambda _: (1,)))
    assert levels(alone) is None
    assert links(()) == ()
    there = {link.label: link.href for link in links((CHANGE, APPENDIX), APPENDIX)}
    assert there == {"How it plays": "../index.html", "What to change": "../what-to-change/index.html", "Appendix": ""}
    assert [link.label for link in links((APPENDIX,))] == ["How it plays", "Appendix"]


def test_levels_of_slow_games_play_fewer_games_in_the_same_time(coin_duel):
    for speed, games in ((100, 300), (10_000, 1_600)):  # of 1.5 seconds on two cores, at most 1,600
        budget = Budget.of(replace(coin_duel, speed={2: speed}))
        assert (budget.skill_games, budget.skill_pairs) == (games, games)
