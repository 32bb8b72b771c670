"""Reports of games of teams, on a tiny game with known strengths: parts, pairs, steps, and a page without a forest chart."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit

from analysis.answer.tables import Table
from analysis.data.budget import Budget
from analysis.data.rows import Tally
from analysis.data.shares import Shares
from analysis.data.study import Study
from analysis.questions import teams as questions
from analysis.questions.draft import first_drafter, picks_of
from analysis.report.headline import headline
from analysis.report.pages import CHAPTERS, answered_section, asked_of, sections_of
from analysis.report.write import build_page
from analysis.teams.findings import part_verdicts
from analysis.teams.league import team_study
from analysis.winrates.rates import win_rates
from sim.engine.policies import PolicySpec
from sim.engine.questions import Ask
from sim.experiments.experiment import AgainstAll
from sim.registry import GAMES, register
from sim.run import collect
from tests.analysis.made_rows import game as played
from tests.analysis.made_rows import games
from tests.analysis.report.budgets import FEW
from tests.every_game.relay_teams import GAME

BUDGET = Budget(**FEW, games=1_200, step_games=60, shared_games=120, variant_games=60, rolls=20, replays=4, retest_games=120)
QUESTIONS = (
    Ask("parts", "Which runner wins too often?", "unfair", "teams"),
    Ask("pairs", "Who belongs together?", "unfair", "teams", {"by": "pair"}),
    Ask("parameters", "Which number should change?", "change", "parameters", {"fields": ["runner."]}),
    Ask("rules", "Which rule?", "change", "shared_parameters", {"fields": ["rules.", "bond."]}),
    Ask("variants", "How much do rules matter?", question="variants", arguments={"values": {"rules.head_start": ("0", "3")}}),
    Ask("league", "Which relays are best and worst?", "unfair", "teams", {"by": "team"}),
)


@pytest.fixture(scope="module")
def relay():
    yield register(replace(GAME, questions=QUESTIONS, seats=(2,)))
    del GAMES[GAME.name]


@pytest.fixture(scope="module")
def study(relay) -> Study:
    return Study(relay, relay.load(None), PolicySpec.parse("greedy:1"), seed=3, budget=BUDGET, jobs=1)


@pytest.fixture(scope="module")
def page(study):
    """The first page, with the sections of the appendix."""
    (*_, (sections, _)) = sections_of(study, asked_of(study))
    return replace(build_page(study), sections=sections)


def section(page, id_):
    return next(section for section in page.sections if section.id == id_)


@pytest.mark.slow
def test_every_question_is_answered_and_only_the_league_lists_the_teams(page, study):
    own = {question.id for question in QUESTIONS}
    sections = [answered for answered in page.sections if answered.id in own]
    assert len(sections) == len(own)
    order, chapters = list(CHAPTERS.values()), [CHAPTERS[question.chapter] for question in QUESTIONS]
    assert [answered.chapter for answered in sections] == sorted(chapters, key=order.index)
    assert page.subtitle.startswith("Relay teams reference set: 6 runners in 15 relays of two at two seats")
    for answered in sections:
        assert answered.answer.endswith(".")
        assert "nan" not in answered.answer.lower()
        for shown in answered.tables:
            assert len(shown.shown_rows) <= 60
        text = answered.answer + "".join(str(table.rows) for table in answered.tables)
        assert (answered.id == "league") == any(name in text for name in study.names)


@pytest.mark.slow
def test_contributions_on_the_page_equal_those_of_the_model(page, study):
    contributions, shown = team_study(study).contributions, section(page, "parts")
    rows = {row[0]: row for row in shown.tables[0].rows}
    assert set(rows) == set(study.teams.names)
    done = collect(study.main(2)).rows
    done = done[done["status"] == 1]
    for _, line in contributions.parts.iterrows():
        assert rows[line["name"]][1:6] == (line["estimate"], line["low"], line["high"], line["raw"], line["n"])
        sits = (study.teams.members[done["entrant"][:, :2]] == line["part"]).any(axis=2)
        assert line["raw"] == pytest.approx(done["share"][:, :2][sits].mean())
    assert shown.answer.startswith(f"{contributions.parts['name'].iloc[0]} contributes most")
    beside = team_study(study).contributions_beside.parts.set_index("name")["estimate"]
    assert {name: row[7] for name, row in rows.items()} == beside.to_dict()
    assert shown.tables[1].id == "parts-calibration"
    losses = dict(row[:2] for row in shown.tables[2].rows)
    assert losses == contributions.fit.losses


@pytest.mark.slow
def test_the_headline_has_verdicts_on_parts(page):
    sentences = [finding.text for finding in page.headline]
    assert sentences[0].startswith("Not fair: 1 too strong and 1 too weak, 2 not decided; the first player wins ")
    assert any(
        text.startswith("Fair means: a relay with the runner instead of an average one wins 45 to 55") for text in sentences
    )
    strong = next(finding for finding in page.headline if finding.tone == "strong")
    assert strong.text.startswith("Ann is too strong: relays with it win ")
    assert strong.command == "fairfight explain relay_teams ann --policy greedy:1"
    assert any(text.startswith("Turn order, farthest from the fair share: +") for text in sentences)


def test_too_few_games_for_a_model_are_reported_and_no_chart_is_drawn(relay):
    few = Study(relay, relay.load(None), PolicySpec.parse("random"), seed=3, budget=replace(BUDGET, games=20), jobs=1)
    assert team_study(few).contributions is None
    assert answered_section(few, QUESTIONS[0]) is None
    assert answered_section(few, QUESTIONS[1]) is None
    assert headline(few)[0].text == "Too few games for a verdict: no runner has more than 16, and it takes 100."


def test_parts_are_named_only_if_beyond_the_band_after_adjustment(study):
    frame = part_verdicts(study)
    assert frame["estimate"].is_monotonic_decreasing
    assert pytest.approx((0.45, 0.55)) == questions.BAND
    named = frame[frame["verdict"].isin(["too strong", "too weak"])]
    assert len(named)
    assert ((named["low"] > 0.55) | (named["high"] < 0.45)).all()
    assert (expit(named["effect"]) == named["estimate"]).all()


def test_steps_and_rule_variants_of_teams_are_shown_by_part(page, study):
    steps = section(page, "parameters").tables[0]
    assert {row[0] for row in steps.rows} <= set(study.teams.names)
    assert {row[-1].split(".")[0] for row in steps.rows} == {"runner"}
    variants = section(page, "variants").tables[1]
    assert {row[1] for row in variants.rows} == set(study.teams.names)
    assert "spread of the win rates of the runners" in section(page, "rules").figures[0].caption


def test_the_league_is_in_order_and_its_ends_are_retested_in_other_games(page, study):
    whole, again, flattered = section(page, "league").tables
    assert [row[0] for row in whole.rows] == list(range(1, 16))
    assert [row[2] for row in whole.rows] == sorted((row[2] for row in whole.rows), reverse=True)
    assert [row[1] for row in again.rows] == [row[1] for row in (*whole.rows[:7], *whole.rows[-7:])]
    entrant = int(team_study(study).league["entrant"].iloc[0])
    fresh = AgainstAll(*(study.game.name, study.cards, 2, (study.policy,), 120, study.retest_seed), entrant=entrant)
    rows = collect(fresh).rows
    won = np.where(rows["entrant"][:, :2] == entrant, rows["share"][:, :2], 0).sum(axis=1)
    assert again.rows[0][4] == pytest.approx(won.mean())
    assert again.rows[0][7] == len(rows) == 120
    assert {row[0]: row[1] for row in flattered.rows} == {"best": 7, "worst": 7}
    assert any(finding.text.startswith("First of the relay league is Ann + ") for finding in page.headline)


def test_part_rates_count_every_game_of_a_part():
    members = np.array([[0, 1], [2, 3], [0, 2]], np.int8)
    shares = Shares(np.array([[0, 1]], np.int16), np.array([[1, 0]], np.float32), np.zeros(1, bool), np.ones(1, np.int32))
    parted = shares.of_parts(members)
    assert parted.entrant.tolist() == [[0, 1, 2, 3]]
    assert parted.share.tolist() == [[1, 1, 0, 0]]
    tally = Tally.empty(3, 4).add(games(played([0, 1], [1, 0]), played([1, 2], [0.5, 0.5]), played([2, 1])))
    part_table = win_rates(tally, 2, ("a", "b", "c", "d"), members=members).set_index("name")
    assert part_table["n"].to_dict() == {"a": 2, "b": 1, "c": 3, "d": 2}
    assert part_table.loc["a", "wins"] == 1.5
    assert part_table.loc["b", "estimate"] == 1
    assert part_table.loc["d", "truncated"] == pytest.approx(1 / 3)


def test_drafts_count_picks_by_part_and_wins_of_the_first_drafter():
    members = np.array([[0, 1], [2, 3]], np.int8)
    rows = games(played([0, 1], [1, 0]), played([1, 0], [1, 0]), played([1, 0]))
    picked = np.array([[[1, 4], [2, 3]], [[0, 3], [1, 2]], [[1, 4], [3, 2]]])  # part 0 was never picked
    total, n = picks_of(members, rows, picked)
    assert total.tolist() == [1 + 1 + 3, 4 + 2 + 2, 2 + 0 + 1, 3 + 3 + 4]
    assert n.tolist() == [3, 3, 2, 3]
    assert first_drafter(rows, picked) == (1.0, 2)  # seat 0 opened and won, seat 1 opened and lost; the third game was truncated


def test_a_long_table_shows_its_ends_and_keeps_all_rows():
    rows = tuple((str(index),) for index in range(50))
    assert Table("a", ("x",), rows).shown_rows == Table("a", ("x",), rows, ends=25).shown_rows == rows
    assert Table("a", ("x",), rows, ends=2).shown_rows == (("0",), ("1",), ("48",), ("49",))
