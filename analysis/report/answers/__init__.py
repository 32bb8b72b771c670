"""Answerers by chart name: each makes a section of the report from a study and a question, or None.

None means that the game lacks an ingredient of the answer (no second seat, no rolls with known odds); the question is
then left out. An answerer knows no game: whatever it reads is named by the question's roles and settings.
"""

from collections.abc import Callable

from analysis.report.answers.abilities import abilities
from analysis.report.answers.board import board
from analysis.report.answers.causes import causes
from analysis.report.answers.dice import dice
from analysis.report.answers.length import length
from analysis.report.answers.levers import levers
from analysis.report.answers.matchups import matchups
from analysis.report.answers.readings import readings
from analysis.report.answers.turn_order import turn_order
from analysis.report.answers.waiting import waiting
from analysis.report.answers.win_rates import win_rates
from analysis.report.model import Section
from analysis.study import Study
from sim.engine.measures import Question

Answerer = Callable[[Study, Question], Section | None]

ANSWERERS: dict[str, Answerer] = {
    "forest": win_rates,
    "matchups": matchups,
    "turn_order": turn_order,
    "length": length,
    "survival": waiting,
    "causes": causes,
    "abilities": abilities,
    "board": board,
    "tornado": levers,
    "variants": readings,
    "dice": dice,
}

__all__ = ["ANSWERERS", "Answerer", "answer"]


def answer(study: Study, question: Question) -> Section | None:
    """Answer a question. Raises ValueError for a chart name without an answerer."""
    if question.chart not in ANSWERERS:
        known = ", ".join(ANSWERERS)
        raise ValueError(
            f"{study.game.name}: question {question.id!r} wants chart={question.chart!r}; known are {known}"
        )
    return ANSWERERS[question.chart](study, question)
