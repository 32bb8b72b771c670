"""The page on better players: levels against each other, and whether the conclusions of the report hold."""

from dataclasses import replace

import pytest

from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.questions.skill import skill
from analysis.report.links import BETTER, CHANGE, links, parts_of
from analysis.report.pages import better_page, skill_games
from sim.engine.policies import PolicySpec
from sim.registry import GAMES
from tests.analysis.report.budgets import FEW
from tests.analysis.report.reading import lines

TINY = Budget(**FEW, games=90, step_games=30, variant_games=60, rolls=20, replays=4)


def study(game, policy="greedy:1", **more):
    return Study(game, game.load(None), PolicySpec.parse(policy), seed=3, budget=TINY, jobs=1, **more)


@pytest.mark.slow
def test_the_page_compares_levels_including_the_policy_of_the_report(coin_duel):
    page = better_page(study(coin_duel))
    assert page is not None
    (section,) = page.sections
    levels = ["random", "greedy:1", "greedy:4", "turn:4:4"]
    assert [row["level"] for row in lines(section, "skill-ratings")] == levels[::-1]
    assert len(lines(section, "skill-meetings")) == 6
    assert [row["level"] for row in lines(section, "skill-levels")] == levels
    assert [chart.id for chart in section.figures] == ["skill", "skill-ladder"]
    assert "nder greedy:1 no fighter surely differs from its share" in section.answer
    assert (len(page.headline), [fact.label for fact in page.facts][:4]) == (3, levels)
    assert not {"nan", "inf"} & {word for finding in page.headline for word in finding.text.split()}


def test_without_decisions_no_level_is_better(dice_duel):
    few = replace(study(dice_duel), budget=replace(TINY, skill_games=240))
    answer = skill.answer(few, levels=["random", "greedy:4", "turn:4:4"], **skill_games(few))
    assert not {"flips", "moves"} & set(answer.frames["changes"]["verdict"])
    assert answer.facts["depth"]["steps"] == 0


def test_existing_pages_link_to_each_other_only(coin_duel, lone_climb):
    assert parts_of(study(coin_duel)) == (CHANGE, BETTER)
    alone = study(replace(lone_climb, seats_of=lambda _: (1,)))
    assert parts_of(alone) == ()
    assert better_page(alone) is None
    assert links(()) == ()
    there = {link.label: link.href for link in links((CHANGE, BETTER), BETTER)}
    assert there == {"How it plays": "../index.html", "What to change": "../what-to-change/index.html", "Better players": ""}


@pytest.mark.parametrize(("name", "games", "pairs"), [("arena", 800, 1600), ("cardrogue", 139, 1600), ("rookling", 566, 1600)])
def test_slow_games_are_fewer_but_still_informative(name, games, pairs):
    budget = Budget.of(GAMES[name], PolicySpec.parse("greedy:4"))
    assert (budget.skill_games, budget.skill_pairs) == (games, pairs)
