"""All questions by name, imported when they are asked for: the commands, the Python interface and reports find them here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from sim.engine.cardfiles.paths import did_you_mean
from sim.engine.questions import ASKED, Ask
from sim.engine.questions import Question as AskedByGame

if TYPE_CHECKING:
    from analysis.question import Question

OF_PEOPLE = ("calibrate", "plan")  # questions about games of people, which no report asks
QUESTIONS = {name: f"analysis.questions.{name}" for name in (*ASKED, *OF_PEOPLE)}  # name -> module, in the order of the help


def find(name: str) -> Question:
    """The question of a name. Raises KeyError for an unknown one."""
    found: Question = getattr(import_module(QUESTIONS[name]), name)
    return found


def unknown_arguments(questions: Sequence[AskedByGame]) -> Iterator[str]:
    """Yield what is wrong with the arguments of the questions of a game."""
    for question in questions:
        if isinstance(question, Ask) and question.question in QUESTIONS:
            own = find(question.question).own
            for name in question.arguments:
                if name not in own:
                    hint = did_you_mean(name, [*own])
                    yield f"question {question.id!r}: {question.question} has no argument {name!r}; {hint}"
