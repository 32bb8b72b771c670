"""Whole reports: every question of the Arena, numbers equal to direct computation, the same bytes for any number of workers."""

import csv
import re
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.answer.page import Page
from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.questions.parameters import retest_tables
from analysis.report.appendix import appendix_page
from analysis.report.change import change_page
from analysis.report.links import APPENDIX, CHANGE, links, parts_of
from analysis.report.pages import CHAPTERS, asked_of, sections_of
from analysis.report.write import build_page, command_for, report, with_proposal, write_report
from analysis.stats.intervals import proportion
from analysis.variants.parameter_effects import retest
from analysis.variants.rules import games_of
from analysis.variants.variant import numeric_steps
from sim.engine.policies import PolicySpec
from sim.registry import GAMES
from sim.run import collect
from sim.seeds import derived_seed
from tests.analysis.report.budgets import FEW

pytestmark = pytest.mark.soak

FRESH = derived_seed(3, "fresh games")
ARENA = GAMES["arena"]
TINY = Budget(**FEW, games=336, step_games=24, variant_games=56, rolls=400, replays=12)
POLICY = PolicySpec.parse("random")


def study(jobs: int = 2, policy: PolicySpec = POLICY, **more) -> Study:
    return Study(ARENA, ARENA.load(None), policy, seed=3, budget=TINY, jobs=jobs, **more)


@pytest.fixture(scope="module")
def arena() -> Study:
    return study()


@pytest.fixture(scope="module")
def page(arena):
    """The first page, with the sections of the appendix."""
    (*_, (sections, _)) = sections_of(arena, asked_of(arena))
    return replace(build_page(arena, command_for(arena, 0.01)), sections=sections, folded=True)


@pytest.fixture(scope="module")
def written(page, tmp_path_factory) -> Path:
    return write_report(page, tmp_path_factory.mktemp("reports")).parent


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "tables" / f"{name}.csv").open(encoding="utf-8-sig") as stream:
        return list(csv.DictReader(stream))


def test_every_question_of_the_game_is_answered_chapter_by_chapter(page, written):
    assert [section.id for section in page.sections] == [
        *("win-rates", "matchups", "falls", "abilities", "abilities-falls", "abilities-damage", "parameters", "rule-variants"),
        *("length", "waiting", "pace", "board", "dice"),
    ]
    assert list(dict.fromkeys(section.chapter for section in page.sections)) == list(CHAPTERS.values())
    html = (written / "index.html").read_text()
    assert re.findall(r'<h2 class="chapter">([^<]*)</h2>', html) == list(CHAPTERS.values())
    assert re.findall(r'<li class="chapter">([^<]*)</li>', html) == list(CHAPTERS.values())
    for section in page.sections:
        assert section.question
        assert section.answer.endswith(".")
        assert "nan" not in section.answer.lower()
        assert section.figures
        assert section.tables
        for chart in section.figures:
            assert len(chart.alt) > 40
        for table in section.tables:
            has_n = any(column == "n" or column.startswith("n (") for column in table.columns)
            single = table.id in ("win-rates-games_needed", "pace-striking")  # the latter has a row per game
            assert has_n or single or "sure changes" in table.columns, table.id


def test_win_rates_equal_direct_computation(arena, written):
    table = {(row["seats"], row["hero"]): row for row in rows(written, "win-rates-win_rates")}
    assert len(table) == 3 * 8
    for seats in (2, 3, 4):
        games = collect(arena.main(seats)).rows
        done = games[games["status"] == 1]
        for number, name in enumerate(arena.names):
            sits = done["entrant"][:, :seats] == number
            wins, n = int(done["share"][:, :seats][sits].sum()), int(sits.sum())
            row, right = table[str(seats), name], proportion(wins, n)
            assert int(row["n"]) == n
            assert float(row["win rate"]) == right.estimate
            assert (float(row["low"]), float(row["high"])) == (right.low, right.high)


def test_uses_of_abilities_are_listed_by_the_names_on_the_cards(arena, written):
    played = collect(arena.main(2))
    bow = played.rows["entrant"][:, :2] == 0
    uses = played.outcomes["uses"][:, :2][bow].mean(axis=0)
    table = [row for row in rows(written, "abilities-amounts") if row["hero"] == "Bow Master" and row["what"] != "total"]
    assert [row["what"] for row in table] == ["Arrowed!", "Boxing Arrow", "Fast Step"]
    assert [float(row["mean"]) for row in table] == pytest.approx(uses.tolist())


def test_dice_are_exact_and_each_roll_has_its_own_dice(written):
    table = {row["roll"]: row for row in rows(written, "dice-rolls")}
    hammer = next(row for title, row in table.items() if "Hammer Time against Defence 2" in title)
    assert float(hammer["at least 1"]) == pytest.approx(99 / 128)
    assert float(hammer["mean"]) == pytest.approx(201 / 128, abs=0.005)  # as shown
    alike = [
        row["mean, simulated"] for title, row in table.items() if "Defence 4" in title and row["dice"].startswith("max(0, 4d6")
    ]
    assert len(alike) > 2
    assert len(set(alike)) > 1


def test_steps_are_tried_on_games_that_did_not_select_the_outlier(arena, page):
    facts = {fact.label: fact.text for fact in page.facts}
    assert f"seed {FRESH}, so not the games that selected it" in facts["Other games"]
    assert f"seed {FRESH}" in next(section for section in page.sections if section.id == "parameters").note


def test_steps_show_the_field_and_its_new_value(written):
    table = rows(written, "parameters-steps")
    assert {row["field of the card file"].split(".")[0] for row in table} == {"hero"}
    assert any(row["number"] == "Move" for row in table)
    assert any(row["number"].endswith(": knockback, yellow") for row in table)
    assert {abs(float(row["becomes"]) - float(row["now"])) for row in table} == {1.0}
    assert all(float(row["change low"]) <= float(row["change"]) <= float(row["change high"]) for row in table)


def test_steps_are_tried_for_the_strongest_and_the_weakest_hero(written):
    two = [
        row["hero"]
        for row in sorted(rows(written, "win-rates-win_rates"), key=lambda row: float(row["win rate"]))
        if row["seats"] == "2"
    ]
    assert {row["hero"] for row in rows(written, "parameters-steps")} == {two[0], two[-1]}


def test_a_named_step_is_retested_at_every_number_of_seats_on_a_third_sample(arena):
    step = next(step for step in numeric_steps(ARENA, arena.cards, ["hero.rhino_guy.move"]) if step.cards)
    retested = retest(arena, [(1, "Move", step)])
    assert retested["seats"].tolist() == [2, 3, 4]
    assert retested["name"].unique().tolist() == ["Rhino Guy"]
    assert len({arena.seed, arena.fresh_seed, arena.retest_seed}) == 3
    for seats, share in zip(retested["seats"], retested["before"], strict=True):
        games = collect(games_of(arena, 1, seats, arena.retest_seed)).rows
        sits = games["entrant"][:, :seats] == 1
        assert share == pytest.approx(games["share"][:, :seats][sits].mean())
    assert set(retest_tables(arena, retested)[0].columns) >= {"seats", "fair share", "change low", "verdict after", "n"}
    assert retest_tables(arena, retest(arena, [])) == []


def test_rule_variants_are_those_of_the_game(written):
    variants = [row["variant"] for row in rows(written, "rule-variants-variants")]
    (asked,) = (question for question in ARENA.questions if question.id == "rule-variants")
    assert len(variants) == sum(map(len, asked.arguments["values"].values()))
    assert "knockback plus damage: yes instead of no" in variants


def test_the_headline_names_unfair_heroes_and_counts_assumed_numbers(page):
    text = " ".join(finding.text for finding in page.headline)
    assert "153 of the 181 numbers of the card set are assumed" in text
    verdict = page.headline[0]
    assert verdict.tone == "verdict"
    assert re.fullmatch(
        r"Not fair: (\d+ too strong)?( and )?(\d+ too weak)?(, \d+ not decided)?; "
        r"(going first has no significant effect at any number of seats|the \w+ player wins .* at \w+ seats)\.",
        verdict.text,
    )
    for way in ("strong", "weak"):
        named = {finding.text for finding in page.headline if f" is too {way}: " in finding.text}
        assert (f"{len(named)} too {way}" in verdict.text) == bool(named)
    assert "Turn order, farthest from the fair share" in text
    assert "limit of 400 turns" in text
    unfair = [finding for finding in page.headline if finding.tone in {"strong", "weak"}]
    assert unfair
    for finding in unfair:
        assert f"too {finding.tone}" in finding.text.lower()
    assert not re.search(r"of the games [^.]*seats of the games", text)


def test_facts_show_how_to_repeat_the_page(page, arena):
    facts = {fact.label: fact.text for fact in page.facts}
    assert facts["Command"] == "fairfight report arena --policy random --seed 3 --scale 0.01"
    assert facts["Policy"] == "random in every seat: decides at random"
    assert arena.cards.digest in facts["Card set"]
    assert "exhaustive: each of the 56 line-ups 6 times" in facts["Games at two seats"]
    assert "numba" in facts["Versions"]
    numbers = next(table for table in page.provenance if table.id == "numbers")
    assert len(numbers.rows) == 181


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a page except those of its subpages."""
    files = {str(file.relative_to(folder)): file for file in folder.rglob("*.*")}
    return {name: file.read_bytes() for name, file in files.items() if not name.startswith((CHANGE, APPENDIX))}


def test_one_worker_and_two_give_the_same_bytes_and_all_pages_of_the_arena_link_to_each_other(arena, tmp_path):
    assert_same_pages(study(jobs=1), arena, build_page(arena, command_for(arena, 0.01)), tmp_path)


def test_one_worker_and_two_give_the_same_bytes_and_all_pages_link_to_each_other(dice_duel, tmp_path):
    one, two = (Study(dice_duel, dice_duel.load(None), POLICY, seed=3, budget=TINY, jobs=jobs) for jobs in (1, 2))
    assert_same_pages(one, two, build_page(two, command_for(two, 0.01)), tmp_path)


def assert_same_pages(again: Study, first_study: Study, page: Page, tmp_path: Path) -> None:
    """The pages of two studies are the same, and link to each other. page: the first page of the second study."""
    command, two = command_for(first_study, 0.01), tmp_path / "two"
    path, entry = report(again, tmp_path / "one", command)
    parts = parts_of(first_study)
    changes = [made for made in [change_page(first_study, command)] if made]
    first = replace(with_proposal(page, changes), links=links(parts))
    assert contents(path.parent) == contents(write_report(first, two).parent)
    for part, build, chart in ((CHANGE, change_page, "tuning"), (APPENDIX, appendix_page, "skill-ladder")):
        made = build(first_study, command)
        assert (made is not None) == (part in parts)
        if made is None:
            continue
        other = contents(write_report(made, two).parent)
        assert {"index.html", "report.json", f"charts/{chart}.svg"} <= set(other)
        assert contents(path.parent / part) == other
        assert f'href="{part}/index.html"' in path.read_text()
        beside = [f"../{other_part}/index.html" for other_part in parts if other_part != part]
        for href in ("../index.html", "../../index.html", *beside):
            assert f'href="{href}"'.encode() in other["index.html"]
    assert [link.href for link in entry.links] == [f"{again.game.name}/{part}/index.html" for part in parts]
