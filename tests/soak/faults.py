"""Plant known faults in the sources and check that the tests catch each of them.

`make faults` plants the faults of tests/games/<game>/faults.toml and of tests/faults/<subject>.toml, one at a time, in a copy of
`sim` and `analysis`, and runs tests until one fails. For a fault of a game these are first those that name the broken rule, then
all others of the game, and those that it shares with other games. A fault of a subject lists the tests of the cheapest level that
should catch it; then come the wider ones of its list.

    python -m tests.soak.faults [GAME or SUBJECT] [--only NAME] [--jobs 2] [--compiled]

Prints the test that caught each fault, with `(wider)` if it is none of the first ones, or NOT CAUGHT. The exit code is 1 if a
fault escaped. The kernels run as plain Python: compiling them takes minutes for each fault, `--compiled` does it. Needs a system
that can fork.
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
SUBJECTS = sorted(path.stem for path in (ROOT / "tests" / "faults").glob("*.toml"))
SOURCES = ("sim", "analysis")  # folders with faults
PRELOADED = ["numba", "pydantic", "pytest", "hypothesis", "icepool", "pandas", "scipy.special"]  # once; faults start from a fork
OPTIONS = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of preloading
SECONDS_MAX = 1800  # of computing: a fault can keep a game from ending
NO_END = f"no end within {SECONDS_MAX} s"
ESCAPED = "NOT CAUGHT"
SHARED = (  # tests of all games
    "tests/kernels/test_ablation.py",
    "tests/kernels/test_tactics.py",
    "tests/kernels/test_words.py",
    "tests/every_game/test_evaluation.py",
)


@dataclass(frozen=True)
class Fault:
    """A change of one place in the sources. path: relative to the repository; old: text that occurs once there.

    where: the game or subject; rule: the broken one, of a game; tests, wider: arguments of pytest, of a subject.
    """

    name: str
    path: Path
    old: str
    new: str
    where: str
    rule: str = ""
    tests: tuple[str, ...] = ()
    wider: tuple[str, ...] = ()

    @property
    def batches(self) -> list[list[str]]:
        """Arguments of pytest, those of the cheapest tests first."""
        if self.rule:
            return [naming(self), files_for(self), shared_for(self)]
        return [[*self.tests], [*self.wider]]


def faults_of(where: str) -> list[Fault]:
    """The faults of a game or a subject, in the order of its list."""
    of_game = where in GAMES
    listing = ROOT / TESTS / where / "faults.toml" if of_game else ROOT / "tests" / "faults" / f"{where}.toml"
    listed = tomllib.loads(listing.read_text(encoding="utf-8"))
    folder, wider = Path("sim", "games", where) if of_game else Path(), tuple(listed.get("wider", ()))
    return [
        Fault(path=folder / entry.pop("file"), tests=tuple(entry.pop("tests", ())), wider=wider, where=where, **entry)
        for entry in listed["fault"]
    ]


def plant(fault: Fault, text: str) -> str:
    """A source text with the fault. Raises ValueError unless the text to be changed occurs exactly once."""
    found = text.count(fault.old)
    if found != 1:
        raise ValueError(f"{fault.where}: {fault.name}: {fault.old!r} occurs {found} times in {fault.path}, it must occur once")
    return text.replace(fault.old, fault.new)


def naming(fault: Fault) -> list[str]:
    """Tests with the rule's id in their name, as pytest names them: test_arena_24_14_slow_... for ARENA-24 and ARENA-14."""
    prefix, number = fault.rule.lower().split("-")
    name = re.compile(rf"^def (test_{prefix}(?:_\d+)*_{number}_\w+)", re.MULTILINE)
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path in files_for(fault)}
    return [f"{path}::{test}" for path, text in texts.items() for test in name.findall(text)]


def files_for(fault: Fault) -> list[str]:
    """The test files of a game: first those named like the faulty file, then those that mention the rule, whole games last."""
    paths = [path.relative_to(ROOT) for path in sorted((ROOT / TESTS / fault.where).rglob("test_*.py"))]

    def rank(path: Path) -> tuple[bool, bool, bool]:
        unmentioned = fault.rule not in (ROOT / path).read_text(encoding="utf-8")
        return path.stem != f"test_{fault.path.stem}", unmentioned, "model" in path.parts

    return [path.as_posix() for path in sorted(paths, key=rank)]


def shared_for(fault: Fault) -> list[str]:
    """The tests of all games, of one game."""
    return ["-k", fault.where, *SHARED]


@contextlib.contextmanager
def overlay(fault: Fault | None) -> Iterator[Path]:
    """A temporary repository: copies of the sources with the fault, if any, and links to everything else."""
    with tempfile.TemporaryDirectory(prefix="fault-") as folder:
        tree = Path(folder)
        for entry in ROOT.iterdir():
            if entry.name not in {*SOURCES, ".git"}:
                (tree / entry.name).symlink_to(entry)
        for name in SOURCES:
            shutil.copytree(ROOT / name, tree / name)
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
    """Run batches of tests in a temporary repository until one of them has failures; sends these and the number of the batch.

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
        for number, batch in enumerate(batches):
            if batch:
                ended = pytest.main([*OPTIONS, f"--rootdir={tree}", *options, *batch], plugins=[failures])
                if ended in {pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR}:
                    raise SystemExit(int(ended))  # no test has run, so none can have caught anything
            if failures.tests:
                answer.send((failures.tests, number))
                return
    answer.send(([], 0))


def failures_in(fault: Fault | None, batches: Sequence[Sequence[str]], options: Sequence[str] = ("-x",)) -> tuple[list[str], int]:
    """The failed tests of the first batch that has any, with the fault planted, and the number of that batch from 0."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    receiver, sender = context.Pipe(duplex=False)
    with overlay(fault) as tree:
        process = context.Process(target=serve, args=(sender, tree, batches, options))
        process.start()
        sender.close()
        try:
            failed, batch = receiver.recv()
        except EOFError:  # it has ended without an answer
            failed, batch = [NO_END], 0
        process.join()
    if process.exitcode not in {0, -signal.SIGXCPU}:
        raise RuntimeError(f"the tests of {fault} ended with exit code {process.exitcode}")
    return failed, batch


def caught_by(fault: Fault) -> str:
    """The first test that fails with the fault planted, or ESCAPED; prints it."""
    found, batch = failures_in(fault, fault.batches)
    test = found[0] if found else ESCAPED
    rule = f" ({fault.rule})" if fault.rule else ""
    level = " (wider)" if found and batch else ""
    report(f"{fault.where}: {fault.name}{rule}: {test.removeprefix(f'{TESTS.as_posix()}/{fault.where}/')}{level}")
    return test


def check(where: str, faults: Sequence[Fault], jobs: int) -> int:
    """Plant the faults of a game or a subject and print what catches each; returns how many escaped."""
    with ThreadPoolExecutor(jobs) as workers:
        catching = list(workers.map(caught_by, faults))
    tests = sorted({*catching} - {ESCAPED, NO_END})
    broken, _ = failures_in(None, [tests], options=()) if tests else ([], 0)  # a test that always fails catches nothing
    for test in broken:
        report(f"{where}: {test} fails without any fault, too")
    escaped = sum(test == ESCAPED or test in broken for test in catching)
    report(f"{where}: {len(faults) - escaped} of {len(faults)} faults caught")
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
    parser.add_argument("where", nargs="?", choices=[*GAMES, *SUBJECTS], help="a game or a subject; default: all")
    parser.add_argument("--only", metavar="NAME", action="append", help="plant the faults of this name only; can be repeated")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="faults at the same time (default 2)")
    parser.add_argument("--compiled", action="store_true", help="compile the kernels: minutes for each fault")
    given = parser.parse_args(arguments)
    os.environ["NUMBA_DISABLE_JIT"] = "0" if given.compiled else "1"
    escaped = 0
    for where in [given.where] if given.where else [*GAMES, *SUBJECTS]:
        faults = [fault for fault in faults_of(where) if not given.only or fault.name in given.only]
        if faults:
            escaped += check(where, faults, given.jobs)
    return 1 if escaped else 0


if __name__ == "__main__":
    sys.exit(main())
