"""Spoiled inputs for every file format. Each is accepted, or refused with a message that names it; nothing else happens.

python -m tests.safety.fuzz [N] [FORMAT...]

reads N inputs (default 5,000) of every format whose name begins with one of the words (default all). It prints how many were
accepted, which one took longest, and all faults; the exit code is 1 if there are any.
"""

from __future__ import annotations

import hashlib
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from tests.safety.form import Format, tiny_games
from tests.safety.formats import formats
from tests.safety.mutations import spoiled
from tests.safety.watch import noting

INPUTS = 5_000
SECONDS = 5.0  # limit of processor time for one input, far above what any should take
HANGING_SECONDS = 60  # by the clock; a reader that takes longer hangs
FAULTS_MOST = 5  # after these, a format is not tried further
SHOWN = 200  # bytes of a faulty input
MESSAGE_MOST = 2_000  # characters of an error message


class HangError(BaseException):
    """Reading an input does not end. Not derived from Exception, so that the reader cannot catch it."""


@dataclass(frozen=True)
class Fault:
    """A fault. number: of the input; content: the input itself."""

    number: int
    what: str
    content: bytes

    def __str__(self) -> str:
        """The fault and the beginning of the input."""
        return f"input {self.number}: {self.what}\n    {self.content[:SHOWN]!r}"


@dataclass
class Found:
    """The results of fuzzing a format."""

    name: str
    inputs: int = 0
    accepted: int = 0
    slowest_s: float = 0.0  # of the processor
    slowest: int = -1  # its number
    faults: list[Fault] = field(default_factory=list)

    def __str__(self) -> str:
        """One line, and one for each fault."""
        counts = f"{self.inputs:>7,} inputs  {self.accepted:>6,} accepted"
        slowest = f"slowest {1000 * self.slowest_s:8.1f} ms (input {self.slowest})"
        return "\n".join([f"{self.name:<22} {counts}  {slowest}  {len(self.faults)} faults", *map(str, self.faults)])


def fuzz(form: Format, count: int, first: int = 0) -> Found:
    """Read inputs first..first+count-1 of a format, each spoiled at random, seeded by its number."""
    found = Found(form.name)
    with TemporaryDirectory() as place:
        folder = Path(place) / "chosen"
        folder.mkdir()
        (Path(place) / "beside.txt").write_text("untouched", encoding="utf-8")
        form.prepare(folder)
        for valid in form.inputs:
            form.use(form.read(form.place(folder, valid)))  # also triggers all late imports
        before = listing(Path(place))
        for number in range(first, first + count):
            chance = Random(f"{form.name} {number}")
            content = spoiled(chance.choice(form.inputs), form.inputs, chance, form.structure)
            _read(form, folder, number, content, found)
            if len(found.faults) >= FAULTS_MOST:
                break
        form.place(folder, form.inputs[-1])
        if listing(Path(place)) != before:
            found.faults.append(Fault(-1, "files beside the input have changed", b""))
    return found


def listing(folder: Path) -> dict[str, str]:
    """Digests of all files in a folder, by path."""
    files = sorted(path for path in folder.rglob("*") if not path.is_dir())
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def _read(form: Format, folder: Path, number: int, content: bytes, found: Found) -> None:
    """Read one input and record the result."""
    place = form.place(folder, content)
    found.inputs += 1
    began, accepted, faults = time.thread_time(), None, []
    try:
        with alarm(HANGING_SECONDS), noting() as noted:
            accepted = form.read(place)
    except ValueError as error:
        faults += wrong_words(str(error), form.where(place))
    except HangError:
        faults.append(f"still reads after {HANGING_SECONDS} s")
    except Exception:
        faults.append(traceback.format_exc())
    taken = time.thread_time() - began
    if taken > found.slowest_s:
        found.slowest_s, found.slowest = taken, number
    if taken > SECONDS:
        faults.append(f"took {taken:.1f} s")
    faults += noted
    if accepted is not None:
        found.accepted += 1
        faults += _used(form, accepted)
    found.faults += [Fault(number, what, content) for what in faults]


def _used(form: Format, accepted: Any) -> list[str]:
    """Use an accepted input; returns the faults."""
    try:
        with alarm(HANGING_SECONDS):
            form.use(accepted)
    except HangError:
        return [f"is accepted, but still in use after {HANGING_SECONDS} s"]
    except Exception:
        return ["is accepted, but cannot be used:\n" + traceback.format_exc()]
    return []


def wrong_words(message: str, where: tuple[str, ...]) -> list[str]:
    """Faults of an error message: every line must begin with the place of the error, and be printable; short altogether."""
    wrong = [line for line in message.split("\n") if not line.isprintable() or not line.startswith(where)]
    is_wrong = wrong or len(message) > MESSAGE_MOST or not message.startswith(where[0])
    return [f"is refused with {message!r:.1000}"] if is_wrong else []


@contextmanager
def alarm(seconds: int) -> Iterator[None]:
    """Raise HangError inside after some seconds; does nothing where the system has no alarms."""

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise HangError

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def main(arguments: list[str]) -> int:
    """Fuzz the formats that the arguments name; returns the exit code."""
    count = int(arguments[0]) if arguments else INPUTS
    failed = 0
    with tiny_games():
        for name, make in formats().items():
            if not arguments[1:] or name.startswith(tuple(arguments[1:])):
                found = fuzz(make(), count)
                failed += bool(found.faults)
                print(found, flush=True)  # noqa: T201
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
