"""The terminal: results on stdout, fitted to its width (see `layout`); progress, messages and errors on stderr."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from types import TracebackType
from typing import Any

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

from analysis.answer import numbers
from analysis.answer.files import ReportError
from analysis.answer.model import Notice
from analysis.answer.numbers import count
from analysis.answer.tables import Table
from analysis.output.encoding import COMMANDS, as_text, has_everything, make_safe
from analysis.output.layout import GAP, TEXT_LEAST, WORD_LEAST, Part, lay_out, sentence
from sim.engine.cardfiles.paths import MESSAGE_MAX

LINE_MAX, LINE_START, LINE_END = 1_000, 400, 500  # characters of a line of a message; those kept of a longer one
MORE_LINES, DIGITS = "... and {:,} more lines", 10
USAGE_ERROR = 2  # exit code for bad input
PIPE_CLOSED = 141  # exit code if the reader of the output has gone, as in shells
QUIET_SECONDS = 1.0  # shorter work shows no progress
LONG_SECONDS, JUDGED_AFTER = 86_400.0, 5.0  # after 5 s, warn if the work would take longer than a day
SPEED_SECONDS = 600.0  # over which the speed is averaged for the time left
COUNTED = {"questions", "replays", "numbers"}  # stages called by what is counted
EARLY = 0.05  # share of the work before which the speed says little, because code is still being compiled
SECONDS_MOST, SECONDS_STEP = 90, 5  # time left that is given in seconds, and in steps of how many
LINE_SECONDS = 10.0  # between lines of progress if stderr is not a terminal
WIDTH = 80  # columns of output that does not go to a terminal
NARROWEST = 40  # columns; in a narrower terminal lines wrap
STYLES = {"too strong": "bold red", "too weak": "bold blue", "fair": "green", "not decided": "dim"}


@dataclass(frozen=True)
class Printed:
    """Print options of the running command. everything: all columns, rows and tables; notes: the notes of an answer."""

    everything: bool = False
    notes: bool = False
    no_color: bool = False


ARGUMENT = re.compile(r"(?<![\w.-])(?P<name>[a-z_]+)=(?P<value>'[^'\n]*'|\"[^\"\n]*\"|[^\s:;,()\[\]]+)")  # in a message
chosen: ContextVar[Printed] = ContextVar("chosen")
named_options: ContextVar[Mapping[str, str]] = ContextVar("named_options")  # of the running command
errors = Console(stderr=True, highlight=False, emoji=False)
relay: Callable[[list[Any]], None] | None = None  # takes notes and progress instead, in a process that works for another one


@contextmanager
def printing(*, no_color: bool, everything: bool = False, notes: bool = False) -> Iterator[None]:
    """Context with these print options."""
    token, plain_errors = chosen.set(Printed(everything, notes, no_color)), errors.no_color
    errors.no_color = plain_errors or no_color
    try:
        yield
    finally:
        chosen.reset(token)
        errors.no_color = plain_errors


def print_options() -> Printed:
    """Print options of the running command."""
    return chosen.get(Printed())


def output() -> Console:
    """Console for results: as wide as the terminal, WIDTH columns (or COLUMNS) in a pipe; rich decides on colours."""
    console = Console(highlight=False, emoji=False, no_color=print_options().no_color or None)
    if not sys.stdout.isatty():
        columns = os.environ.get("COLUMNS", "")
        console.width = int(columns) if columns.isdecimal() else WIDTH
    return console


def line_width() -> int:
    """Width for tables and sentences."""
    return max(NARROWEST, output().width)


@contextmanager
def clear_messages() -> Iterator[None]:
    """Turn input errors (ValueError and subclasses, OSError on named files) into one message and exit code 2."""
    make_safe()
    try:
        with notices():
            yield
        sys.stdout.flush()
    except (ValueError, ReportError) as error:
        fail(str(error))
    except BrokenPipeError:  # the reader of the output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        leave(PIPE_CLOSED)
    except OSError as error:
        fail(f"{error.filename or 'output'}: {error.strerror}" if error.strerror else str(error))


@contextmanager
def notices() -> Iterator[None]:
    """Print warnings of the class Notice as notes, each once."""
    with warnings.catch_warnings():
        warnings.simplefilter("default", Notice)
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
            note(str(message)) if issubclass(category, Notice) else usual(message, category, *rest, **more)

        warnings.showwarning = show
        yield


def leave(code: int) -> None:
    """End the process at once, without waiting for workers that still play or compile."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def fail(message: str) -> None:
    """Print an error message on stderr and leave with exit code 2."""
    errors.print(Text.assemble(("error:", "bold red"), " ", bounded(as_text(typed(message)))), soft_wrap=True)
    raise typer.Exit(USAGE_ERROR)


@contextmanager
def naming(options: Mapping[str, str]) -> Iterator[None]:
    """Context in which messages name arguments by these options. options: by the name of the argument."""
    token = named_options.set(options)
    try:
        yield
    finally:
        named_options.reset(token)


def typed(message: str) -> str:
    """A message with arguments as they are typed: `--games 0 must be at least 1` for `games=0 must be at least 1`."""
    options = named_options.get({})

    def option(match: re.Match[str]) -> str:
        name, value = match["name"], match["value"]
        if name not in options:
            return match.group()
        if value == "None":
            return f"no {options[name]}"
        if value in ("True", "False"):
            return options[name] if value == "True" else options[name].replace("--", "--no-", 1)
        quoted = value[0] == value[-1] in ("'", '"')
        return f"{options[name]} {shlex.quote(value[1:-1]) if quoted else value}"

    bare = re.sub(r"(?<![\w.-])[a-z]+(?:_[a-z]+)+(?![\w.=-])", lambda match: options.get(match.group(), match.group()), message)
    return ARGUMENT.sub(option, bare)


def bounded(message: str) -> str:
    """Return a message of at most MESSAGE_MAX characters: a long line loses its middle, which quotes a value; then last lines."""
    lines = [line if len(line) <= LINE_MAX else f"{line[:LINE_START]} ... {line[-LINE_END:]}" for line in message.split("\n")]
    ends = [*accumulate(len(line) + 1 for line in lines)]
    if ends[-1] <= MESSAGE_MAX:
        return "\n".join(lines)
    fitting = sum(end <= MESSAGE_MAX - len(MORE_LINES) - DIGITS for end in ends)
    return "\n".join([*lines[:fitting], MORE_LINES.format(len(lines) - fitting)])


def say(line: str) -> None:
    """Print a line of the result on stdout; control characters are escaped."""
    sys.stdout.write(as_text(line) + "\n")


def tell(line: str) -> None:
    """Print a sentence of the result on stdout, broken to fit; a command at its end can still be pasted."""
    for part in sentence_lines(line):
        say(part)


def sentence_lines(line: str) -> list[str]:
    """Lines of a sentence, broken to fit; control characters are escaped."""
    return sentence(as_text(line), line_width())


def clear() -> None:
    """Clear the screen of a terminal."""
    output().clear()


def note(message: str) -> None:
    """Print a message on stderr."""
    if relay:
        relay(["note", message])
        return
    errors.print(Text(bounded(as_text(message)), style="dim"), soft_wrap=True)


class Bars(Progress):
    """Progress bars, and below them the results so far, in words."""

    results = ""

    def get_renderables(self) -> Iterable[RenderableType]:
        """See `Progress`."""
        yield from super().get_renderables()
        if self.results:
            yield Text(self.results, style="dim")


class Ticker:
    """Progress on stderr, after the first second: stage, share done, rate, time left, and what the games say so far.

    Use as a context manager; call with (stage, done, total) during the work. `unit`: noun for what is counted.
    """

    def __init__(self, unit: str = "games") -> None:
        self._unit = unit
        self._began = self._last_line = time.monotonic()
        self._progress: Bars | None = None
        self._tasks: dict[str, tuple[TaskID, float]] = {}
        self._warned = False

    def __enter__(self) -> Ticker:
        self._progress = Bars(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=30),
            TextColumn("{task.fields[state]}", markup=False),
            TimeRemainingColumn(compact=True),
            console=errors,
            transient=True,
            refresh_per_second=4,
            speed_estimate_period=SPEED_SECONDS,
        )
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._progress is not None and self._progress.live.is_started:
            self._progress.stop()

    def __call__(self, stage: str, done: int, total: int, results: Callable[[], str] = str, /) -> None:
        """Report the progress of a stage; total 0 if unknown. results: so far, in words; the last ones stay."""
        if relay:
            relay([stage, done, total])
            return
        now, progress = time.monotonic(), self._progress
        task, began = self._tasks.setdefault(stage, (TaskID(-1), now if self._tasks else self._began))
        self._warn_of_years(now - began, done, total)
        if progress is None or now - self._began < QUIET_SECONDS or not errors.is_terminal:
            if not errors.is_terminal and now - self._last_line > LINE_SECONDS:
                self._last_line = now
                end = f"; {words}" if (words := results()) else ""
                note(f"{stage}: {self._so_far(stage, done, total)}{_time_left(now - began, done, total)}{end}")
            return
        progress.results = results() or progress.results
        if not progress.live.is_started:
            progress.start()
        if task < 0:
            task = progress.add_task(as_text(stage), total=total or None, state="")
            self._tasks[stage] = task, began
        rate = f", {count(done / (now - began))}/s" if now - began > QUIET_SECONDS else ""
        progress.update(task, completed=done, total=total or None, state=f"{self._so_far(stage, done, total)}{rate}")

    def _warn_of_years(self, passed: float, done: int, total: int) -> None:
        """Warn once if the work would take more than a day at the current speed."""
        if self._warned or not done or passed < JUDGED_AFTER:
            return
        days = passed * (total - done) / done / 86_400
        if days > LONG_SECONDS / 86_400:
            self._warned = True
            long = f"{days / 365:,.0f} years" if days >= 730 else f"{days:,.0f} days"
            note(f"{total:,} {self._unit} take about {long} at this speed; to play fewer, stop with Ctrl-C and use --games")

    def _so_far(self, stage: str, done: int, total: int) -> str:
        """Amount done, and the total if known; without a unit if the stage is called by what is counted."""
        amount = f"{count(done)} of {count(total)}" if total else count(done)
        return amount if stage in COUNTED else f"{amount} {self._unit}"


def _time_left(passed: float, done: int, total: int) -> str:
    """Words for the time left at the speed so far; empty before there is one."""
    if not EARLY * total < done < total or passed < QUIET_SECONDS:
        return ""
    seconds = passed * (total - done) / done
    if seconds < SECONDS_MOST:
        return f", about {max(1, round(seconds / SECONDS_STEP)) * SECONDS_STEP} s left"
    return f", about {count(round(seconds / 60))} min left"


def print_table(table: Table) -> None:
    """Print a table on stdout, and a blank line; nothing without rows."""
    if table.rows:
        print_lines([*table_lines(table), Text()])


def print_lines(lines: Iterable[Text]) -> None:
    """Print lines on stdout, with their styles in a terminal."""
    console = output()
    for line in lines:
        console.print(line, soft_wrap=True, markup=False)


def table_lines(table: Table, left_out: int = 0, at: int = 0) -> list[Text]:
    """Lines of a table fitted to the width (see `lay_out`). left_out: number of rows that are missing before row `at`."""
    width = line_width()
    laid = lay_out(table, width, TEXT_LEAST if print_options().everything else WORD_LEAST)
    lines = [Text(line, style="bold") for line in sentence(laid.caption, width)] if laid.caption else []
    for number, part in enumerate(laid.parts):
        lines += [*([Text()] if number else []), *_part_lines(part, left_out, at)]
    return lines


def _part_lines(part: Part, left_out: int, at: int) -> Iterator[Text]:
    """Yield the lines of a table: headings, a rule, and rows with coloured verdicts."""
    gap = " " * GAP
    for line in part.headings():
        yield Text(gap.join(line).rstrip(), style="bold")
    yield Text("\u2500" * part.width, style="dim")
    group, more = "", Text(f"... {count(left_out)} more row{'' if left_out == 1 else 's'}: --all", style="dim")
    rows = [*part.rows()]
    for index, (row, lines) in enumerate(rows):
        if left_out and index == at:
            yield more
        if part.groups and part.groups[index] != group:
            group = part.groups[index]
            yield Text(group, style="italic")
        styles = [STYLES.get(cell, "") for cell in row]
        for line in lines:
            text = Text(gap).join(Text(piece, style=style) for piece, style in zip(line, styles, strict=True))
            text.rstrip()
            yield text
        if part.below and part.below[index]:
            yield from (Text(f"{gap}{line}", style="dim") for line in sentence(part.below[index], line_width() - GAP))
    if left_out and at == len(rows):
        yield more


def print_json(value: Any) -> None:
    """Write one JSON document to stdout; nan and infinite numbers become null."""
    text = json.dumps(plain(value), indent=2, ensure_ascii=not has_everything(sys.stdout.encoding), allow_nan=False)
    sys.stdout.write(COMMANDS.sub(lambda match: json.dumps(match.group())[1:-1], text) + "\n")


def plain(value: Any) -> Any:
    """Convert a value for JSON: NumPy values, tables (as a list of rows), records and paths included."""
    if isinstance(value, Table):
        return [dict(zip(value.columns, map(plain, row), strict=True)) for row in value.rows]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return numbers.plain(value) if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def check_file(path: Path | None) -> None:
    """Raise ReportError unless a file of that name, if any, can be written. Call it before long work."""
    if path is None:
        return
    if path.is_dir():
        raise ReportError(f"{path}: is a folder; name a file")
    if not path.parent.is_dir():
        raise ReportError(f"{path}: its folder does not exist; create it first, or name a file in an existing folder")
    if not os.access(path.parent, os.W_OK):
        raise ReportError(f"{path}: its folder is not writable; name a file in a writable folder")
