"""Hostile values for the arguments and options of every command: each call has a result, or one clear message.

python -m tests.safety.fuzz_options [N] [FIRST]

makes N calls (default 2,000), seeded by their numbers from FIRST on (default 0), prints the slowest and every fault, and exits
with 1 if there is any. A fault is a traceback, an exit code other than 0, 1 and 2, a message of more than 2 kB, and a call that
takes more than 10 s of processor time or 1 GB of memory.
"""

from __future__ import annotations

import os
import resource
import shlex
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from typer.testing import CliRunner

from analysis.cli.main import COMMANDS, app
from tests.safety.form import tiny_games
from tests.safety.fuzz import HangError, alarm
from tests.safety.hostile import card_folder

CALLS = 2_000
SECONDS = 10.0
MESSAGE_MOST = 2_000  # bytes on stderr
MEMORY_MOST = 1_000_000  # kB: growth by one call, and the whole process of many
HANGING_SECONDS = 60  # by the clock

COIN = "coin_duel --policy random"
VALID = {  # command -> arguments with little work; those without an entry are called with none
    "games": "",
    "cards": "coin_duel",
    "new": "coin_duel new-cards",
    "new-game": "my-game",
    "check": "cards",
    "winrates": f"{COIN} --games 30",
    "matchups": f"{COIN} --games 30",
    "matrix": "win-rates.csv",
    "seats": f"{COIN} --games 30",
    "compare": f"{COIN} pike maul --games 30",
    "match": "5 4 1",
    "whatif": f"{COIN} --set fighter.pike.power=2 --games 30",
    "sensitivity": f"{COIN} --fields fighter.pike.* --games 2000",
    "tune": f"{COIN} --fields fighter.pike.power --games 4000",
    "variants": f"{COIN} fighter.pike.power=2,3 --games 90",
    "ablate": f"{COIN} rule.fold --games 30",
    "cardstats": "deck_race --policy random --games 60 --pairs 0",
    "skill": "coin_duel --levels random --games 40",
    "pace": f"{COIN} --games 20",
    "replay": f"{COIN} --game 1",
    "scenario": "scenario.toml",
    "dice": "2d6 --rolls 100",
    "duel": "coin_duel pike maul --duels 100",
    "report": f"{COIN} --scale 0.001 --out pages",
    "run": f"{COIN} --games 30 --out run",
    "train": "coin_duel --round-games 20 --rounds 1",
}
LEFT_OUT = {"workbench", "warmup"}  # one serves until it is stopped, the other compiles all games

TEXTS = (
    "",
    " ",
    "-",
    "--",
    "=",
    ",",
    ":",
    ",,,",
    "a,b",
    "a:b:c",
    "a=b",
    "*",
    "[",
    "(?",
    "{}",
    "%s",
    "\n",
    "a\nb",
    "\t",
    "\x1b[31m",
    "\x7f",
    "\u202e\u200b",
    "\u5c0f\u9f8d",
    "\U0001f409" * 3,
    "\udcff",  # a byte that is no UTF-8, as the system hands it over
    "nan",
    "inf",
    "-inf",
    "1e400",
    "0x10",
    "\uff11\uff12",
    "1_0",
    "1,5",
    "-1",
    "0",
    "1",
    "2",
    "3",
    "0.5",
    "-0.5",
    "1e-9",
    "9" * 30,
    "9" * 5_000,
    "x" * 256,
    "x" * 4_096,
    "x" * 100_000,
    "pike," * 2_000,
    "../" * 200,
    "true",
    "None",
    "all",
    "random",
    "greedy:0",
    "greedy:-1",
    "greedy:" + "9" * 40,
    "search:1:1:1:1",
    "random," * 50,
    "pike",
    "maul",
    "pike,maul",
    "fighter.pike.power",
    "fighter.pike.power=1e9",
    "fighter..power=2",
    "rules.goal=",
)
PATHS = (
    ".",
    "..",
    "/",
    "~",
    "cards",
    "cards/cards.toml",
    "nowhere",
    "nowhere/x.csv",
    "file.csv",
    "file.png",
    "file.xlsx",
    "file.parquet",
    "file.exe",
    "taken.csv",
    "taken.csv/x.csv",
    "/dev/null/x.csv",
    "/dev/full",
    "/proc/self/mem",
    "/proc/self/x.png",
    "x" * 300 + ".csv",
    "a/" * 3_000 + "x.csv",
    "\udcff.csv",
    "li\nne.csv",
    " .csv",
    ".csv",
)


@dataclass(frozen=True)
class Call:
    """A call of the command and what is wrong with its result."""

    number: int
    words: tuple[str, ...]
    faults: tuple[str, ...]
    seconds: float

    def __str__(self) -> str:
        """The command line, cut, and the faults."""
        typed = shlex.join(word.encode("utf-8", "backslashreplace").decode() for word in self.words)
        return "\n".join([f"call {self.number}: fairfight {typed:.300}", *(f"    {fault:.2000}" for fault in self.faults)])


def call(number: int) -> Call:
    """Make one call with a hostile value, in a new folder."""
    words = hostile_words(Random(f"options {number}"))
    memory_before = peak_memory()
    with place():
        began = time.process_time()
        faults = list(faults_of(words))
        seconds = time.process_time() - began
    if seconds > SECONDS:
        faults.append(f"took {seconds:.1f} s of processor time")
    grown = peak_memory() - memory_before
    if grown > MEMORY_MOST:
        faults.append(f"the process has grown by {grown:,} kB")
    return Call(number, tuple(words), tuple(faults), seconds)


def peak_memory() -> int:
    """Largest memory that this process has had, in kB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def hostile_words(chance: Random) -> list[str]:
    """A valid command line of which one or two values have been replaced, or given beside the others."""
    name = chance.choice([command for command in COMMANDS if command not in LEFT_OUT])
    words = [name, *shlex.split(VALID.get(name, ""))]
    for _ in range(chance.choice((1, 1, 2))):
        value = chance.choice(chance.choice((TEXTS, TEXTS, PATHS)))
        if chance.random() < 0.25 and len(words) > 1:
            words[chance.randrange(1, len(words))] = value
            continue
        parameter = chance.choice([each for each in parameters(name) if each.opts[0].startswith("-")])
        words.append(parameter.opts[0])
        if not parameter.is_flag:
            words.append(value)
    return words


def parameters(name: str) -> list[Any]:
    """Arguments and options of a command, but not those for other processes of fairfight."""
    from typer.main import get_command  # noqa: PLC0415 - the only use

    group: Any = get_command(app)
    return [each for each in group.get_command(None, name).params if not getattr(each, "hidden", False)]


@contextmanager
def place() -> Iterator[None]:
    """A working directory below a new folder, with a card folder, a scenario and a file that must not be overwritten."""
    with TemporaryDirectory() as folder:
        here = Path(folder) / "above" / "here"
        here.mkdir(parents=True)
        card_folder(here / "cards")
        (here / "win-rates.csv").write_text("x,a,b\na,,60\nb,,\n", encoding="utf-8")
        (here / "scenario.toml").write_text('game = "coin_duel"\n[position]\n', encoding="utf-8")
        (here / "taken.csv").write_text("taken", encoding="utf-8")
        with chdir(here):
            yield


def faults_of(words: list[str]) -> Iterator[str]:
    """Make a call in this process and yield what is wrong with it."""
    try:
        with alarm(HANGING_SECONDS):
            done = CliRunner().invoke(app, words)
    except HangError:
        yield f"still runs after {HANGING_SECONDS} s"
        return
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        yield "".join(traceback.format_exception(done.exception))
    elif done.exit_code not in (0, 1, 2):
        yield f"exit code {done.exit_code}"
    message = done.stderr
    if "Traceback" in message or "Traceback" in done.stdout:
        yield f"prints a traceback: {message}"
    if done.exit_code and len(message.encode("utf-8", "backslashreplace")) > MESSAGE_MOST:
        yield f"a message of {len(message):,} characters: {message}"
    if done.exit_code == 2 and not message.strip():
        yield "is refused without a message"
    if Path("taken.csv").read_text(encoding="utf-8") != "taken" and "--force" not in words:
        yield "taken.csv was overwritten"


def main(arguments: list[str]) -> int:
    """Make the calls; returns the exit code."""
    count = int(arguments[0]) if arguments else CALLS
    first = int(arguments[1]) if len(arguments) > 1 else 0
    os.environ["COLUMNS"] = "80"
    failed, slowest = 0, Call(-1, (), (), 0.0)
    with tiny_games():
        for number in range(first, first + count):
            made = call(number)
            slowest = max(slowest, made, key=lambda each: each.seconds)
            if made.faults:
                failed += 1
                print(made, flush=True)  # noqa: T201
    print(f"{count:,} calls, {failed} with faults; slowest {slowest.seconds:.1f} s: {slowest}")  # noqa: T201
    print(f"largest memory of the process: {peak_memory():,} kB")  # noqa: T201
    return 1 if failed or peak_memory() > MEMORY_MOST else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
