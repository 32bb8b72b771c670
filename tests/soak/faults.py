"""Plant known faults in the rules of a game and check that its tests catch each of them.

`make faults` plants every fault of tests/games/<game>/faults.toml, one at a time, in a copy of `sim`, and runs the tests of that
game until one fails: first those that name the broken rule, then all others, and those that it shares with other games.

    python -m tests.soak.faults [GAME] [--only NAME] [--jobs 2] [--compiled]

Prints the test that caught each fault, or NOT CAUGHT. The exit code is 1 if a fault escaped. The kernels run as plain Python:
compiling them takes minutes for each fault, `--compiled` does it. Needs a system that can fork.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = Path("tests", "games")
GAMES = sorted(path.parent.name for path in (ROOT / TESTS).glob("*/faults.toml"))
PRELOADED = ["numba", "pydantic", "pytest", "hypothesis", "icepool"]  # imported once; each fault starts from a fork
OPTIONS = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of preloading
SECONDS_MAX = 1800  # of computing: a fault can keep a game from ending
NO_END = f"no end within {SECONDS_MAX} s"
ESCAPED = "NOT CAUGHT"
SHARED = ("ablation", "evaluation", "tactics", "words")  # files of tests/every_game


@dataclass(frozen=True)
class Fault:
    """A change of one place in the rules of a game. file: relative to sim/games/<game>; old: text that occurs once in it."""

    name: str
    rule: str
    file: str
    old: str
    new: str
    game: str

    @property
    def path(self) -> Path:
        """The file, relative to the repository."""
        return Path("sim", "games", self.game, self.file)


def faults_of(game: str) -> list[Fault]:
    """The faults of a game, in the order of its list."""
    listed = tomllib.loads((ROOT / TESTS / game / "faults.toml").read_text(encoding="utf-8"))
    return [Fault(**entry, game=game) for entry in listed["fault"]]


def plant(fault: Fault, text: str) -> str:
    """A source text with the fault. Raises ValueError unless the text to be changed occurs exactly once."""
    found = text.count(fault.old)
    if found != 1:
        raise ValueError(f"{fault.game}: {fault.name}: {fault.old!r} occurs {found} times in {fault.path}, it must occur once")
    return text.replace(fault.old, fault.new)


def naming(fault: Fault) -> list[str]:
    """Tests with the rule's id in their name, as pytest names them: test_arena_24_14_slow_... for ARENA-24 and ARENA-14."""
    prefix, number = fault.rule.lower().split("-")
    name = re.compile(rf"^def (test_{prefix}(?:_\d+)*_{number}_\w+)", re.MULTILINE)
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path in files_for(fault)}
    return [f"{path}::{test}" for path, text in texts.items() for test in name.findall(text)]


def files_for(fault: Fault) -> list[str]:
    """The test files of a game: first those named like the faulty file, then those that mention the rule, whole games last."""
    paths = [path.relative_to(ROOT) for path in sorted((ROOT / TESTS / fault.game).rglob("test_*.py"))]

    def rank(path: Path) -> tuple[bool, bool, bool]:
        unmentioned = fault.rule not in (ROOT / path).read_text(encoding="utf-8")
        return path.stem != f"test_{fault.path.stem}", unmentioned, "model" in path.parts

    return [path.as_posix() for path in sorted(paths, key=rank)]


def shared_for(fault: Fault) -> list[str]:
    """The tests of `every_game` that were those of single games, of one game."""
    return ["-k", fault.game, *(f"tests/every_game/test_{name}.py" for name in SHARED)]


@contextlib.contextmanager
def overlay(fault: Fault | None) -> Iterator[Path]:
    """A temporary repository: a copy of `sim` with the fault, if any, and links to everything else."""
    with tempfile.TemporaryDirectory(prefix="fault-") as folder:
        tree = Path(folder)
        for entry in ROOT.iterdir():
            if entry.name not in {"sim", ".git"}:
                (tree / entry.name).symlink_to(entry)
        shutil.copytree(ROOT / "sim", tree / "sim")
        if fault:
            text = (tree / fault.path).read_text(encoding="utf-8")
            (tree / fault.path).write_text(plant(fault, text), encoding="utf-8")
        yield tree


class Failures:
    """Pytest plugin: the tests that failed."""

    def __init__(self) -> None:
        self.tests: list[str] = []

    def pytest_runtest_logreport(self, report: object) -> None:
        """Note a failed test."""
        self.note(report)

    def pytest_collectreport(self, report: object) -> None:
        """Note a file that could not be imported."""
        self.note(report)

    def note(self, report: object) -> None:
        """Note a failure once."""
        if report.failed and report.nodeid not in self.tests:
            self.tests.append(report.nodeid)


def serve(answer: Connection, tree: Path, batches: Sequence[Sequence[str]], options: Sequence[str]) -> None:
    """Run batches of tests in a temporary repository until one of them has failures, which are sent back.

    Runs in a process of its own, forked before any module of the repository was imported except this one.
    """
    import pytest  # noqa: PLC0415 - the main process does not need it

    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS_MAX, SECONDS_MAX))
    sys.path[:] = [str(tree), *(path for path in sys.path if path and Path(path).resolve() != ROOT)]
    for module in [name for name in sys.modules if name.split(".")[0] in {"tests", "sim", "analysis"}]:
        del sys.modules[module]
    os.chdir(tree)
    os.environ["PYTHONPATH"] = str(tree)
    failures = Failures()
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        for batch in batches:
            if batch and not failures.tests:
                ended = pytest.main([*OPTIONS, f"--rootdir={tree}", *options, *batch], plugins=[failures])
                if ended in {pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR}:
                    raise SystemExit(int(ended))  # no test has run, so none can have caught anything
    answer.send(failures.tests)


def failures_in(fault: Fault | None, batches: Sequence[Sequence[str]], options: Sequence[str] = ("-x",)) -> list[str]:
    """The failed tests of the first batch that has any, with the fault planted."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    receiver, sender = context.Pipe(duplex=False)
    with overlay(fault) as tree:
        process = context.Process(target=serve, args=(sender, tree, batches, options))
        process.start()
        sender.close()
        try:
            failed: list[str] = receiver.recv()
        except EOFError:  # it has ended without an answer
            failed = [NO_END]
        process.join()
    if process.exitcode not in {0, -signal.SIGXCPU}:
        raise RuntimeError(f"the tests of {fault} ended with exit code {process.exitcode}")
    return failed


def caught_by(fault: Fault) -> str:
    """The first test that fails with the fault planted, or ESCAPED; prints it."""
    found = failures_in(fault, [naming(fault), files_for(fault), shared_for(fault)])
    test = found[0] if found else ESCAPED
    report(f"{fault.game}: {fault.name} ({fault.rule}): {test.removeprefix(f'{TESTS.as_posix()}/{fault.game}/')}")
    return test


def check(game: str, faults: Sequence[Fault], jobs: int) -> int:
    """Plant the faults of a game and print what catches each; returns how many escaped."""
    with ThreadPoolExecutor(jobs) as workers:
        catching = list(workers.map(caught_by, faults))
    tests = sorted({*catching} - {ESCAPED, NO_END})
    broken = failures_in(None, [tests], options=()) if tests else []  # a test that always fails catches nothing
    for test in broken:
        report(f"{game}: {test} fails without any fault, too")
    escaped = sum(test == ESCAPED or test in broken for test in catching)
    report(f"{game}: {len(faults) - escaped} of {len(faults)} faults caught")
    return escaped


def report(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak.faults", description="Plant known faults; the tests must catch all."
    )
    parser.add_argument("game", nargs="?", choices=GAMES, help="default: all games")
    parser.add_argument("--only", metavar="NAME", action="append", help="plant the faults of this name only; can be repeated")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="faults at the same time (default 2)")
    parser.add_argument("--compiled", action="store_true", help="compile the kernels: minutes for each fault")
    given = parser.parse_args(arguments)
    os.environ["NUMBA_DISABLE_JIT"] = "0" if given.compiled else "1"
    escaped = 0
    for game in [given.game] if given.game else GAMES:
        faults = [fault for fault in faults_of(game) if not given.only or fault.name in given.only]
        if faults:
            escaped += check(game, faults, given.jobs)
    return 1 if escaped else 0


if __name__ == "__main__":
    sys.exit(main())
