"""Pages built from games: every question answered, numbers equal to direct computation, reproducible bytes."""

import csv
import json
import re
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from analysis.answer.files import ReportError
from analysis.answer.page import Page
from analysis.cli.main import app
from analysis.data.budget import Budget
from analysis.data.names import title_of
from analysis.data.study import Study
from analysis.questions.parameters import retest_tables
from analysis.report.links import BETTER, CHANGE, links
from analysis.report.pages import CHAPTERS, answered_section, better_page, change_page, steps_of
from analysis.report.write import build_page, command_for, preliminary_page, report, write_report, write_reports
from analysis.stats.intervals import proportion
from analysis.variants.parameter_effects import retest
from analysis.variants.rules import games_of
from analysis.variants.variant import numeric_steps
from sim.engine.policies import PolicySpec
from sim.engine.questions import Ask, Cards, Dice, Loadouts
from sim.registry import GAMES, register
from sim.run import collect
from sim.seeds import derived_seed
from tests.analysis.dice.coin_fights import DUELS
from tests.analysis.report.budgets import FEW
from tests.every_game.coin_duel import GAME as COIN_DUEL

FRESH = derived_seed(3, "fresh games")
OTHER = {"game": "other", "title": "Another game", "subtitle": "s", "headline": [], "facts": []}  # of an earlier report

pytestmark = pytest.mark.slow
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
    return build_page(arena, command_for(arena, 0.01))


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
    assert float(hammer["mean"]) == pytest.approx(201 / 128)
    alike = [
        row["mean, simulated"] for title, row in table.items() if "Defence 4" in title and row["dice"].startswith("max(0, 4d6")
    ]
    assert len(alike) > 2
    assert len(set(alike)) > 1


def test_steps_are_tried_on_games_that_did_not_select_the_outlier(arena, page):
    facts = {fact.label: fact.text for fact in page.facts}
    assert f"seed {FRESH}, so not the games that selected it" in facts["Other games"]
    assert f"seed {FRESH}" in next(section for section in page.sections if section.id == "parameters").note


def test_the_command_shows_every_digit_of_the_scale(arena):
    assert command_for(arena, 1.23456789).endswith("--scale 1.23456789")
    assert "--scale" not in command_for(arena, 1.0)


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
        r"Not fair: (\d+ too strong)?( and )?(\d+ too weak)?(; \d+ not decided)?; "
        r"going first (has no significant effect|is worth [+\u2212][\d.]+ points) at two seats\.",
        verdict.text,
    )
    for way in ("strong", "weak"):
        named = {finding.text for finding in page.headline if f" is too {way}: " in finding.text}
        assert (f"{len(named)} too {way}" in verdict.text) == bool(named)
    assert "Going first, compared with the fair share" in text
    assert "limit of 400 turns" in text
    unfair = [finding for finding in page.headline if finding.tone in {"strong", "weak"}]
    assert unfair
    for finding in unfair:
        assert f"too {finding.tone}" in finding.text.lower()
    assert not re.search(r"of the games [^.]*seats of the games", text)


def test_a_page_is_titled_by_its_card_set_unless_that_is_the_reference_set(arena):
    game, document = arena.game, arena.cards.document
    assert title_of(game, arena.cards) == "Arena"
    renamed = game.from_document({**document, "title": "Nine heroes"})
    assert title_of(game, renamed) == "Nine heroes (Arena)"
    changed = game.from_document({**document, "rules": {**document["rules"], "turn_cap": 300}})
    assert title_of(game, changed) == "Arena reference set, changed (Arena)"


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
    return {name: file.read_bytes() for name, file in files.items() if not name.startswith((CHANGE, BETTER))}


@pytest.mark.soak
def test_one_worker_and_two_give_the_same_bytes_and_all_pages_of_the_arena_link_to_each_other(arena, page, tmp_path):
    assert_same_pages(study(jobs=1), arena, page, tmp_path)


def test_one_worker_and_two_give_the_same_bytes_and_all_pages_link_to_each_other(dice_duel, tmp_path):
    one, two = (Study(dice_duel, dice_duel.load(None), POLICY, seed=3, budget=TINY, jobs=jobs) for jobs in (1, 2))
    assert_same_pages(one, two, build_page(two, command_for(two, 0.01)), tmp_path)


def assert_same_pages(again: Study, first_study: Study, page: Page, tmp_path: Path) -> None:
    """The pages of two studies are the same, and link to each other. page: the first page of the second study."""
    command, two = command_for(first_study, 0.01), tmp_path / "two"
    path, entry = report(again, tmp_path / "one", command)
    first = replace(page, links=links((CHANGE, BETTER)))
    assert contents(path.parent) == contents(write_report(first, two).parent)
    for part, build, chart in ((CHANGE, change_page, "seats"), (BETTER, better_page, "skill-ladder")):
        made = build(first_study, command)
        assert made is not None
        other = contents(write_report(made, two).parent)
        assert {"index.html", "report.json", f"charts/{chart}.svg"} <= set(other)
        assert contents(path.parent / part) == other
        assert f'href="{part}/index.html"' in path.read_text()
        (beside,) = {CHANGE, BETTER} - {part}
        for href in ("../index.html", "../../index.html", f"../{beside}/index.html"):
            assert f'href="{href}"'.encode() in other["index.html"]
    assert [link.href for link in entry.links] == [f"{again.game.name}/{part}/index.html" for part in (CHANGE, BETTER)]


@dataclass
class Written:
    """A report of the coin duel with greedy players, and what could be seen while it was written.

    seen: begin of the first page's headline, its contents and the index, each time that these changed; told: calls of `watch`.
    """

    folder: Path
    study: Study
    seen: list[tuple[str, dict[str, Any], str]] = field(default_factory=list)
    told: list[tuple[str, int, int]] = field(default_factory=list)

    def watch(self, stage: str, done: int, total: int) -> None:
        """Note what the page and the index show at this moment."""
        self.told.append((stage, done, total))
        if not (self.folder / "index.html").exists() or not (self.folder / "coin_duel/report.json").exists():
            return
        numbers = json.loads((self.folder / "coin_duel/report.json").read_text())
        first = numbers["headline"][0]["text"].split()[0]
        if not self.seen or self.seen[-1][0] != first or len(self.seen[-1][1]["sections"]) != len(numbers["sections"]):
            self.seen.append((first, numbers, (self.folder / "index.html").read_text()))


@pytest.fixture(scope="module")
def coins(tmp_path_factory) -> Written:
    """The report, in a folder with the report of another game and a damaged one."""
    game, folder = register(replace(COIN_DUEL, duels=DUELS)), tmp_path_factory.mktemp("coins")
    for name, text in (("other", json.dumps(OTHER)), ("broken", "{")):
        (folder / name).mkdir()
        (folder / name / "report.json").write_text(text)
    report = Written(folder, Study(game, game.load(None), PolicySpec.parse("greedy:1"), budget=replace(TINY, games=2_000)))
    report.study = replace(report.study, watch=report.watch)
    write_reports([report.study], folder)
    report.watch("", 0, 0)
    del GAMES[game.name]
    return report


def test_the_tiny_game_gets_a_report(coins):
    page = coins.folder / "coin_duel"
    numbers = json.loads((page / "report.json").read_text())
    assert [section["id"] for section in numbers["sections"]] == [*[one.id for one in coins.study.game.questions], "pace"]
    assert [section["chapter"] for section in numbers["sections"]] == [*[CHAPTERS["unfair"]] * 2, *[CHAPTERS["run"]] * 2]
    html = (page / "index.html").read_text()
    assert "<b>Thread</b>" not in html
    assert "Needle &amp; &lt;b&gt;Thread&lt;/b&gt;" in html
    (beside,) = (table["rows"] for table in numbers["sections"][0]["tables"] if table["id"] == "win-rates-beside")
    assert len(beside) == 6
    assert {"greedy:1", "random"} <= set(beside[0])


def test_the_index_keeps_earlier_reports(coins):
    index = (coins.folder / "index.html").read_text()
    assert 'href="coin_duel/index.html"' in index
    assert "Another game" in index


def test_the_first_page_shows_a_few_games_first_and_grows_chapter_by_chapter(coins):
    """At first the page shows preliminary win rates, with wider intervals, and says so; the finished page does not."""
    (_, preliminary, index), *_, (_, last, _) = coins.seen
    assert [first for first, *_ in coins.seen[:2]] == ["Preliminary:", "Still"]
    assert "Preliminary: about 100 of 2,000 games" in index
    assert [section["id"] for section in preliminary["sections"]] == ["win-rates"]
    widths = [page["sections"][0]["tables"][0]["rows"][0] for page in (preliminary, last)]
    before, after = (float(row["high"]) - float(row["low"]) for row in widths)
    assert before > 2 * after
    assert not {"Preliminary:", "Still"} & {line["text"].split()[0] for line in last["headline"]}


def test_progress_counts_the_questions_of_all_reports(coins):
    steps = steps_of(coins.study)
    counted = [line[1:] for line in coins.told if line[0] == "questions"]
    assert counted == [(number, steps) for number in range(steps + 1)]


def test_a_question_that_the_game_cannot_answer_is_left_out(coin_duel):
    bare = Study(coin_duel, coin_duel.load(None), POLICY, budget=TINY)
    for kind in (Dice, Cards, Loadouts):
        assert answered_section(bare, kind("q", "Q?")) is None
    for name in ("parameters", "card_parameters", "shared_parameters", "keywords", "teams"):
        assert answered_section(bare, Ask("q", "Q?", question=name)) is None


def test_bad_requests_are_refused_before_any_game(tmp_path):
    with pytest.raises(ValueError, match="scale=0"):
        TINY.scaled(0)
    (tmp_path / "file").write_text("")
    with pytest.raises(ReportError, match="cannot write"):
        write_reports([study()], tmp_path / "file")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_a_report_takes_one_policy_for_all_seats(tmp_path):
    result = CliRunner().invoke(app, ["report", "arena", "--policy", "random,greedy", "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "policies=random,greedy: a report takes one for all seats" in result.output
    assert not (tmp_path / "out").exists()


def test_several_reports_are_written_apart_the_slowest_first(coin_duel, lone_climb, tmp_path):
    told, asked = [], []
    studies = [
        Study(game, game.load(None), POLICY, budget=replace(TINY, games=games), jobs=2, watch=lambda *line: told.append(line))
        for game, games in ((coin_duel, 200), (lone_climb, 100))
    ]

    def apart(command, out, jobs, stop, answered):
        asked.append((command, out, jobs, bool(stop[0])))
        time.sleep(0.2 * len(asked))  # so that the first is asked first
        answered(2)
        (one,) = [study for study in studies if study.game.name in command]
        write_report(preliminary_page(one, command), out)

    index = write_reports(studies, tmp_path, apart=apart).read_text()
    assert asked == [(command_for(study), tmp_path, 1, False) for study in reversed(studies)]
    assert [line[1:] for line in told if line[0] == "questions"] == [(done, sum(map(steps_of, studies))) for done in (0, 2, 4)]
    assert {game for game in ("coin_duel", "lone_climb") if f'href="{game}/index.html"' in index} == {"coin_duel", "lone_climb"}


@pytest.mark.parametrize(("limit", "each"), [(None, 4), (2, 1), (7, 3)])
def test_reports_written_apart_can_each_use_every_core_unless_there_is_a_limit(
    coin_duel, lone_climb, tmp_path, monkeypatch, limit, each
):
    monkeypatch.setattr("analysis.report.write.cores", lambda: 4)
    studies = [Study(game, game.load(None), POLICY, budget=TINY, jobs=limit) for game in (coin_duel, lone_climb)]
    asked = []

    write_reports(studies, tmp_path, apart=lambda *arguments: asked.append(arguments[2]))
    assert asked == [each, each]


def test_a_report_that_fails_apart_fails_the_command(coin_duel, lone_climb, tmp_path):
    studies = [Study(game, game.load(None), POLICY, budget=TINY, jobs=2) for game in (coin_duel, lone_climb)]

    def apart(command, out, *_):
        raise ReportError(f"{out}: cannot write")

    with pytest.raises(ReportError, match="cannot write"):
        write_reports(studies, tmp_path, apart=apart)
