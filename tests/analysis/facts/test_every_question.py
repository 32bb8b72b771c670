"""Every question of the synthetic studies: a well-formed section, none without its measures, an answer for few games."""

from dataclasses import replace
from functools import cache

import pytest

from analysis.data.study import Study
from analysis.facts.settings import CurveSettings, EventSettings, LeadSettings, settings_of
from analysis.report.pages import answer
from sim.engine.measures import Question
from tests.analysis.report import decks_duel, dungeon, skirmish
from tests.analysis.report.reading import assert_well_formed

MAKERS = {"dungeon": dungeon.dungeon, "skirmish": skirmish.skirmish, "decks_duel": decks_duel.decks_duel}
QUESTIONS = {"dungeon": dungeon.QUESTIONS, "skirmish": skirmish.QUESTIONS, "decks_duel": decks_duel.QUESTIONS}
ASKED = [pytest.param(name, question, id=f"{name}-{question.id}") for name, asked in QUESTIONS.items() for question in asked]


@cache
def study_of(name: str) -> Study:
    return MAKERS[name](600)


@pytest.mark.parametrize(("name", "question"), ASKED)
def test_every_section_answers_with_numbers_intervals_and_n(coin_duel, name, question):
    assert_well_formed(answer(study_of(name), question))


@pytest.mark.parametrize(("name", "question"), [case for case in ASKED if case.values[1].roles])
def test_without_its_measures_there_is_no_section(coin_duel, name, question):
    bare = replace(question, roles={})
    assert question.chart == "lengths" or answer(study_of(name), bare) is None


@pytest.mark.parametrize("question", decks_duel.QUESTIONS)
def test_without_an_opponent_there_is_no_section(coin_duel, question):
    alone = decks_duel.decks_duel(40)
    vars(alone)["game"] = replace(alone.game, seats=(1,))
    assert answer(alone, question) is None


@pytest.mark.parametrize("seats", [(1,), (2,), (3, 4)])
@pytest.mark.parametrize("games", [1, 3, 40])
def test_few_games_and_any_numbers_of_seats_are_answered(games, seats):
    few = dungeon.dungeon(games, seats)
    for section in filter(None, (answer(few, question) for question in dungeon.QUESTIONS)):
        assert "nan" not in section.answer.lower()
        assert section.answer.endswith(".")


def test_settings_are_read_once_with_the_types_of_their_defaults():
    asked = {"rare": ("0.3",), "never": ("-1",), "levels": ("2", "5"), "turns": ("3", "8"), "per block": ("blocks", "more")}
    question = Question("q", "?", "per_game", {"per block": "prevented"}, asked)
    events = settings_of(EventSettings, question)
    assert (events.rare, events.never, events.turns, events.of_role) == (0.3, -1, "3", {"per block": "blocks"})
    assert settings_of(CurveSettings, question) == CurveSettings(never=-1.0, levels=("2", "5"))
    assert settings_of(LeadSettings, question, lead="power").turns == (3, 8)
    assert settings_of(LeadSettings, replace(question, settings={}), lead="power") == LeadSettings(lead="power")
    with pytest.raises(ValueError, match="often"):
        settings_of(EventSettings, replace(question, settings={"rare": ("often",)}))
