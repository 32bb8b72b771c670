"""A report of the tiny game while it is written and afterwards; titles, commands and refusals; several reports at once."""

import json
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from analysis.answer.files import ReportError
from analysis.cli.main import app
from analysis.data.budget import Budget
from analysis.data.names import title_of
from analysis.data.study import Study
from analysis.report.pages import CHAPTERS, answered_section, steps_of
from analysis.report.write import command_for, preliminary_page, write_report, write_reports
from sim.engine.policies import PolicySpec
from sim.engine.questions import Ask, Cards, Dice, Loadouts
from sim.registry import GAMES, register
from tests.analysis.dice.coin_fights import DUELS
from tests.analysis.report.budgets import FEW
from tests.every_game.coin_duel import GAME as COIN_DUEL

OTHER = {"game": "other", "title": "Another game", "subtitle": "s", "headline": [], "facts": []}  # of an earlier report

pytestmark = pytest.mark.slow
ARENA = GAMES["arena"]
TINY = Budget(**FEW, games=336, step_games=24, variant_games=56, rolls=400, replays=12)
POLICY = PolicySpec.parse("random")


@pytest.fixture
def arena() -> Study:
    """A study whose games no test plays."""
    return Study(ARENA, ARENA.load(None), POLICY, seed=3, budget=TINY)


def test_the_command_shows_every_digit_of_the_scale(arena):
    assert command_for(arena, 1.23456789).endswith("--scale 1.23456789")
    assert "--scale" not in command_for(arena, 1.0)


def test_a_page_is_titled_by_its_card_set_unless_that_is_the_reference_set(arena):
    game, document = arena.game, arena.cards.document
    assert title_of(game, arena.cards) == "Arena"
    renamed = game.from_document({**document, "title": "Nine heroes"})
    assert title_of(game, renamed) == "Nine heroes (Arena)"
    changed = game.from_document({**document, "rules": {**document["rules"], "turn_cap": 300}})
    assert title_of(game, changed) == "Arena reference set, changed (Arena)"


@dataclass
class Written:
    """A report of the coin duel with greedy players, and what could be seen while it was written.

    seen: begin of the first page's headline, its contents and the index, each time that these changed; told: calls of `watch`.
    """

    folder: Path
    study: Study
    seen: list[tuple[str, dict[str, Any], str]] = field(default_factory=list)
    told: list[tuple[str, int, int]] = field(default_factory=list)

    def watch(self, stage: str, done: int, total: int, *_: object) -> None:
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
    assert [section["id"] for section in numbers["sections"]] == [one.id for one in coins.study.game.questions]
    assert [section["chapter"] for section in numbers["sections"]] == [*[CHAPTERS["unfair"]] * 2, CHAPTERS["run"]]
    appendix = json.loads((page / "appendix" / "report.json").read_text())
    assert [section["id"] for section in appendix["sections"]] == ["pace", "skill"]
    for section in numbers["sections"]:
        assert section["answer"].endswith(".")
        assert "nan" not in section["answer"].lower()
    html = (page / "index.html").read_text()
    assert "<b>Thread</b>" not in html
    assert "Needle &amp; &lt;b&gt;Thread&lt;/b&gt;" in html
    (beside,) = (table["rows"] for table in numbers["sections"][0]["tables"] if table["id"] == "win-rates-beside")
    assert len(beside) == 6
    assert {"players: greedy:1", "random"} <= set(beside[0])


def test_the_index_keeps_earlier_reports(coins):
    index = (coins.folder / "index.html").read_text()
    assert 'href="coin_duel/index.html"' in index
    assert "Another game" in index


def test_the_first_page_shows_a_few_games_first_and_grows_chapter_by_chapter(coins):
    """At first the page shows preliminary win rates, with wider intervals, and says so; the finished page does not."""
    (_, preliminary, index), *_, (_, last, _) = coins.seen
    assert [first for first, *_ in coins.seen[:2]] == ["Preliminary,", "Still"]
    assert "Preliminary, from the first 100 of 2,000 games" in index
    assert [section["id"] for section in preliminary["sections"]] == ["win-rates"]
    widths = [page["sections"][0]["tables"][0]["rows"][0] for page in (preliminary, last)]
    before, after = (float(row["high"]) - float(row["low"]) for row in widths)
    assert before > 2 * after
    assert not {"Preliminary,", "Still"} & {line["text"].split()[0] for line in last["headline"]}


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


def test_bad_requests_are_refused_before_any_game(arena, tmp_path):
    with pytest.raises(ValueError, match="scale=0"):
        TINY.scaled(0)
    (tmp_path / "file").write_text("")
    with pytest.raises(ReportError, match="no file can be written here"):
        write_reports([arena], tmp_path / "file")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_a_report_takes_one_policy_for_all_seats(tmp_path):
    result = CliRunner().invoke(app, ["report", "arena", "--policy", "random,greedy", "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "policies=random,greedy: a report takes one for all seats" in result.output
    assert not (tmp_path / "out").exists()


def test_several_reports_are_written_apart_the_first_to_compile_and_then_the_slowest(
    coin_duel, lone_climb, dice_duel, tmp_path, monkeypatch
):
    monkeypatch.setattr("analysis.report.write.kernels_of", lambda game: {"coin_duel": 1}.get(game.name, 2))
    told, asked = [], []
    studies = [
        Study(game, game.load(None), POLICY, budget=replace(TINY, games=games), jobs=2, watch=lambda *line: told.append(line))
        for game, games in ((lone_climb, 200), (dice_duel, 100), (coin_duel, 300))
    ]

    def apart(command, out, jobs, stop, answered):
        asked.append((command, out, jobs, bool(stop[0])))
        time.sleep(0.2 * len(asked))  # so that the first is asked first
        answered(2)
        (one,) = [study for study in studies if study.game.name in command]
        write_report(preliminary_page(one, command), out)

    index = write_reports(studies, tmp_path, apart=apart).read_text()
    assert asked == [(command_for(studies[number]), tmp_path, 1, False) for number in (2, 1, 0)]
    assert [line[1:] for line in told if line[0] == "questions"] == [(done, sum(map(steps_of, studies))) for done in (0, 2, 4, 6)]
    assert all(f'href="{study.game.name}/index.html"' in index for study in studies)


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
