"""The page on better players: levels against each other, and whether the conclusions of the report hold."""

from dataclasses import replace

import pytest

from analysis.data.study import BETTER, CHANGE, Budget, Study, links, parts_of
from analysis.report.pages import better_page, played
from analysis.skill.section import CAVEAT
from sim.engine.policies import PolicySpec
from sim.registry import GAMES
from tests.analysis.report.budgets import FEW
from tests.analysis.report.reading import lines

TINY = Budget(**FEW, games=90, step_games=30, variant_games=60, rolls=20, replays=4)


def study(game, policy="greedy:1", **more):
    return Study(game, game.load(None), PolicySpec.parse(policy), seed=3, budget=TINY, jobs=1, **more)


def test_the_page_compares_levels_including_the_policy_of_the_report(coin_duel):
    page = better_page(study(coin_duel))
    assert page is not None
    assert [section.id for section in page.sections] == ["ladder", "conclusions", "course"]
    ladder, conclusions, course = page.sections
    levels = ["random", "greedy:1", "greedy:4", "turn:4:4"]
    assert [row["level"] for row in lines(ladder, "ratings")] == levels[::-1]
    assert len(lines(ladder, "meetings")) == 6
    assert [row["level"] for row in lines(course, "levels")] == levels
    nothing = "none of three differs significantly from its share, so there is nothing for"
    assert f"Under greedy:1 {nothing} turn:4:4 to overturn." in conclusions.answer
    assert conclusions.note.endswith(f"{CAVEAT} More games and levels: fairfight skill coin_duel.")
    assert len(lines(conclusions, "level-rates")) == 4 * len(coin_duel.load(None).ids)
    assert (len(page.headline), [fact.label for fact in page.facts][:4]) == (3, levels)
    assert not {"nan", "inf"} & {word for section in page.sections for word in section.answer.split()}
    highest = better_page(study(coin_duel, "turn:8:4"))  # compared with the next lower level
    assert highest is not None
    assert f"Under turn:4:4 {nothing} turn:8:4" in highest.sections[1].answer


def test_without_decisions_the_page_reports_no_change(dice_duel):
    report = played(replace(study(dice_duel), budget=replace(TINY, skill_games=240)))
    assert not {"flips", "moves"} & set(report.balance.changes["verdict"])
    assert report.ladder is not None
    assert report.ladder.depth.steps == 0


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
    budget = Budget.of(GAMES[name])
    assert (budget.skill_games, budget.skill_pairs) == (games, pairs)
