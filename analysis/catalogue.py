"""All questions by name, imported when they are asked for: the commands, the Python interface and reports find them here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from sim.engine.questions import ASKED

if TYPE_CHECKING:
    from analysis.question import Question

OF_PEOPLE = ("calibrate", "plan")  # questions about games of people, which no report asks
QUESTIONS = {name: f"analysis.questions.{name}" for name in (*ASKED, *OF_PEOPLE)}  # name -> module, in the order of the help


def find(name: str) -> Question:
    """The question of a name. Raises KeyError for an unknown one."""
    found: Question = getattr(import_module(QUESTIONS[name]), name)
    return found
