"""Every type of question has an answer, and every question of the synthetic studies a well-formed section."""

from dataclasses import replace
from functools import cache, partial
from typing import get_args, get_type_hints

import pytest

from analysis.data.study import Study
from analysis.report.pages import ANSWERERS, CHAPTERS, answer, asked_of, sections_of
from sim.engine import questions
from sim.engine.questions import Board, Harm, PerGame, Question, Shares, Waiting, WinRates
from tests.analysis.report import decks_duel, dungeon, skirmish
from tests.analysis.report.reading import assert_well_formed

MAKERS = {"dungeon": dungeon.dungeon, "skirmish": skirmish.skirmish, "decks_duel": decks_duel.decks_duel}
QUESTIONS = {"dungeon": dungeon.QUESTIONS, "skirmish": skirmish.QUESTIONS, "decks_duel": decks_duel.QUESTIONS}
ASKED = [pytest.param(name, question, id=f"{name}-{question.id}") for name, asked in QUESTIONS.items() for question in asked]
TYPES = [kind for name, kind in vars(questions).items() if isinstance(kind, type) and kind.__module__ == questions.__name__]


@cache
def study_of(name: str) -> Study:
    return MAKERS[name](600)


def test_every_type_of_question_has_a_chapter_and_an_answer_to_each_of_its_kinds():
    asked = {kind for kind in TYPES if kind is not Question and not kind.__name__.startswith("_")}
    assert asked == set(ANSWERERS)
    for kind, answerer in ANSWERERS.items():
        assert kind.chapter in CHAPTERS
        if isinstance(answerer, partial):
            assert set(answerer.args[0]) == set(get_args(get_type_hints(kind)["by"])), kind


def test_a_question_lists_the_fields_that_it_reads():
    asked = Harm("q", "?", counts=("deaths", "wounds"), turn="first", never=3)
    assert asked.measures == ("deaths", "wounds", "first")
    ratio = PerGame("q", "?", quantities={"per block": "damage"}, per={"per block": "blocks"}, told=("x",))
    assert ratio.measures == ("damage", "blocks")
    assert Board("q", "?", fell="fell", stood="pos", q="q", r="r", hexes="hexes").measures == ("fell",)
    assert WinRates("q", "?").measures == ()


@pytest.mark.parametrize(("name", "question"), ASKED)
def test_every_section_answers_with_numbers_intervals_and_n(coin_duel, name, question):
    assert_well_formed(answer(study_of(name), question))


@pytest.mark.parametrize("question", decks_duel.QUESTIONS)
def test_without_an_opponent_there_is_no_section(coin_duel, question):
    alone = decks_duel.decks_duel(40)
    vars(alone)["game"] = replace(alone.game, seats=(1,))
    assert answer(alone, question) is None


@pytest.mark.parametrize("seats", [(1,), (2,), (3, 4)])
@pytest.mark.parametrize("games", [1, pytest.param(3, marks=pytest.mark.soak), 40])
def test_few_games_and_any_numbers_of_seats_are_answered(games, seats):
    few = dungeon.dungeon(games, seats)
    for section in filter(None, (answer(few, question) for question in dungeon.QUESTIONS)):
        assert "nan" not in section.answer.lower()
        assert section.answer.endswith(".")


def test_sections_come_by_chapter_and_an_answer_can_continue_another(coin_duel):
    study = skirmish.skirmish(200)
    lands, falls = (question for question in skirmish.QUESTIONS if isinstance(question, Shares))
    asked = (skirmish.QUESTIONS[4], Waiting("wait", "?", turn="down"), lands, replace(falls, continues="lands"))
    vars(study)["game"] = replace(study.game, questions=asked)
    *_, (built, _) = sections_of(study, asked_of(study))
    sections = {section.id: section for section in built}
    assert [*sections] == ["lands", "back", "wait"]
    assert [section.chapter for section in sections.values()] == [CHAPTERS["why"], CHAPTERS["run"], CHAPTERS["run"]]
    alone = [answer(study, question) for question in (lands, falls)]
    assert [chart.id for chart in sections["lands"].figures] == ["lands", "falls"]
    assert sections["lands"].answer == " ".join(part.answer for part in alone)
    assert sections["lands"].tables == alone[0].tables + alone[1].tables
