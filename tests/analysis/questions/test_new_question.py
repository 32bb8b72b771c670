"""A new question is one function: it appears as a command, as a function of the Python interface and in reports."""

import sys
from dataclasses import replace
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
import typer

import fairfight as ff
from analysis import catalogue
from analysis.answer.model import Answer
from analysis.answer.numbers import percent
from analysis.answer.tables import estimate_columns, table
from analysis.cli import check
from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.question import question
from analysis.report.pages import asked_of, sections_of
from analysis.stats.intervals import proportions
from analysis.timeline.courses import of_study
from analysis.timeline.upsets import before_end
from sim.engine.policies import PolicySpec
from sim.engine.questions import Ask


@question(needs=("evaluation",), chapter="run", title="Does the last turn decide games?", in_report={"games": 200})
def last_turn(study: Study, games: int = 400) -> Answer:
    """Share of games decided by the last turn.

    Parameters
    ----------
    games : int
        Games in all.
    """
    ahead = before_end(of_study(study, study.contest, games))[:, 0]
    share = proportions([np.count_nonzero(ahead)], [len(ahead)]).assign(games="decided by the last turn")
    shown = table(share, "share", "Games decided by the last turn", estimate_columns("share", games="games"))
    return Answer(f"{percent(share['estimate'][0])} of the games were decided by their last turn.", (shown,))


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    module = ModuleType("last_turn_module")
    module.last_turn = last_turn
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(catalogue.QUESTIONS, "last_turn", module.__name__)
    yield
    vars(ff).pop("last_turn", None)


def test_it_is_a_function_of_the_python_interface():
    answer = ff.last_turn("arena", games=56, policy="random", progress=False)
    assert 0 <= answer.frame["estimate"][0] <= 1
    assert answer.summary == f"{percent(answer.frame['estimate'][0])} of the games were decided by their last turn."
    assert isinstance(answer.frames["share"], pd.DataFrame)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            Ask("q", "?", "why", "amounts", {"fact": "coins"}),
            "question 'q': amounts has no argument 'fact'; did you mean \"facts\"?",
        ),
        (Ask("q", "?", "why", "amonts"), "question 'q': question = 'amonts' is not known; did you mean \"amounts\"?"),
    ],
)
def test_a_question_of_a_game_that_cannot_be_asked_is_named_before_any_game(coin_duel, asked, message):
    game = replace(coin_duel, questions=(asked,))
    with pytest.raises(ValueError, match="question") as caught:
        asked_of(Study(game, game.load(None)))
    assert str(caught.value) == message


def test_check_names_an_argument_that_a_question_does_not_have(coin_duel, monkeypatch, capsys):
    monkeypatch.setattr(check, "faults", lambda _: [])
    asked = Ask("q", "?", "why", "amounts", {"fact": "coins"})
    with pytest.raises(typer.Exit) as caught:
        check.check_game(replace(coin_duel, questions=(asked,)), as_json=False)
    assert caught.value.exit_code == 2
    assert "question 'q': amounts has no argument 'fact'; did you mean \"facts\"?" in " ".join(capsys.readouterr().out.split())


def test_a_report_has_a_section_on_it(coin_duel):
    study = Study(coin_duel, coin_duel.load(None), PolicySpec.parse("random"), 3, Budget(games=200), 1)
    asked = [one for one in asked_of(study) if one.id == "last_turn"]
    ((section,), _), *_ = sections_of(study, asked)
    assert section.question == "Does the last turn decide games?"
    assert section.answer.endswith("decided by their last turn.")
