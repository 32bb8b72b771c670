"""Registered studies: functions that answer one question about a game, as a command and as a section of every report.

A function `(study: Study) -> Section | None` with the decorator `study`, in one of MODULES, is all that is needed: its section
gets the id and the question of the registration, and the command prints the tables, the answer and the note of the section.
The registration is read from the source of the module, because `--help` imports no study.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, wraps
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.data.study import Study
    from analysis.document.model import Section

    Answer = Callable[[Study], Section | None]

MODULES = (  # in the order of the sections
    "analysis.timeline.section",
    "analysis.timeline.upsets",
)


REGISTRATION = re.compile(r'^@study\(.*?^def .*?:\n    """.*?"""', re.M | re.S)  # decorator, signature and docstring


def study(
    name: str, *, summary: str, question: str, chapter: str, games: int = 400, replays: bool = False
) -> Callable[[Answer], Answer]:
    """Register a study, see `Registered`. Its section has the id `name`, unless it brings its own. All values are literals."""
    registration = Registered(name, summary, question, chapter, games, replays)

    def decorate(answer: Answer) -> Answer:
        @wraps(answer)
        def answered(asked: Study) -> Section | None:
            section = answer(asked)
            return section and replace(section, id=section.id or registration.name, question=registration.question)

        return answered

    return decorate


@dataclass(frozen=True)
class Registered:
    """A registered study.

    name: of the command; summary: its line in `fairfight --help`; question: of the section; chapter: of the report, "unfair",
    "why", "change", "run" or "details"; games: default of `--games`; replays: whether games are replayed with every position;
    help: of the command, the docstring of the function; place: module and function.
    """

    name: str
    summary: str
    question: str
    chapter: str
    games: int = 400
    replays: bool = False
    help: str = ""
    place: tuple[str, str] = ("", "")

    @property
    def answer(self) -> Answer:
        """The function, imported."""
        module, function = self.place
        answer: Answer = getattr(import_module(module), function)
        return answer


@cache
def registered() -> dict[str, Registered]:
    """All registered studies by name, in the order of MODULES."""
    found = {}
    for module in MODULES:
        file = Path(__file__).parents[2].joinpath(*module.split(".")).with_suffix(".py")
        for source in REGISTRATION.findall(file.read_text("utf-8")):
            (function,) = ast.parse(source).body
            assert isinstance(function, ast.FunctionDef)
            call = function.decorator_list[0]
            assert isinstance(call, ast.Call)
            values = {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}
            name, text = ast.literal_eval(call.args[0]), ast.get_docstring(function) or ""
            found[name] = Registered(name, **values, help=text, place=(module, function.name))
    return found


def studies_of(chapter: str) -> list[Answer]:
    """The functions of a chapter of a report, in the order of MODULES."""
    return [one.answer for one in registered().values() if one.chapter == chapter]
