"""How much code a question runs through: the functions and files of `sim` and `analysis` that are called for it.

python -m tests.benchmarks.trace [--names]

Each question is asked twice in one process and counted the second time, so that imports and what is made once are left out, and
so are lambdas, comprehensions and compiled kernels. --names: also print the functions of each file.
"""

from __future__ import annotations

import sys
import threading
from collections import defaultdict
from collections.abc import Callable
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

from typer.testing import CliRunner

from analysis.cli.main import app
from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.report.pages import answered_section
from sim.engine.policies import PolicySpec
from sim.registry import game_named
from tests.house import ROOT

PACKAGES = tuple(f"{ROOT / package}/" for package in ("sim", "analysis"))
GAMES = 560


def winrates() -> Callable[[], None]:
    """Ask the command line."""

    def ask() -> None:
        done = CliRunner().invoke(app, ["winrates", "arena", "--games", str(GAMES), "--policy", "greedy:4"])
        assert done.exit_code == 0, done.output

    return ask


def section() -> Callable[[], None]:
    """Answer the question on win rates of the Arena's report, after its games have been played."""
    game = game_named("arena")
    study = Study(game, game.load(None), PolicySpec.parse("greedy:4"), budget=Budget(games=GAMES), jobs=1)
    (question,) = [question for question in game.questions if question.id == "win-rates"]
    assert study.tally.games.sum()
    assert study.tally_beside.games.sum()

    def ask() -> None:
        assert answered_section(study, question) is not None

    return ask


QUESTIONS = {"winrates arena": winrates, "win rates in a report": section}  # each prepares what is not counted


@contextmanager
def calls() -> Any:
    """Context that collects the code objects called in all threads."""
    seen: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield seen
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def functions(seen: set[CodeType]) -> dict[str, set[str]]:
    """Names of the functions called, by file of the project."""
    found = defaultdict(set)
    for code in seen:
        if code.co_filename.startswith(PACKAGES) and not code.co_name.startswith("<"):
            found[code.co_filename.removeprefix(f"{ROOT}/")].add(code.co_qualname)
    return found


def main(arguments: list[str]) -> None:
    """Ask every question and print the counts."""
    for name, prepare in QUESTIONS.items():
        prepare()()
        ask = prepare()
        with calls() as seen:
            ask()
        by_file = functions(seen)
        print(f"{name}: {sum(map(len, by_file.values()))} functions in {len(by_file)} files")  # noqa: T201
        for file, names in sorted(by_file.items()) if "--names" in arguments else ():
            print(f"  {file}: {', '.join(sorted(names))}")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
