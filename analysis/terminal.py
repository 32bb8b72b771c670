"""The border between the command and the terminal: results on stdout, progress on stderr, one clear message per fault."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

import rich.table
import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

from analysis import interrupts
from analysis.report import cells
from analysis.report.files import ReportError, write_text
from analysis.report.model import Table

USAGE_ERROR = 2  # exit code for bad input
PIPE_CLOSED = 141  # exit code where nobody reads the output any more, as shells have it
QUIET_SECONDS = 1.0  # nothing is said about work that takes less
WIDEST = 10_000  # columns; no table is so wide
LONG_SECONDS, JUDGED_AFTER = 86_400.0, 5.0  # work that takes longer than a day is announced, once so much of it is done
LINE_SECONDS = 10.0  # between lines of progress where stderr is no terminal
PIPE_WIDTH = 140  # columns of a table that does not go to a terminal

# What a terminal obeys instead of showing it, turns the direction of a line, or cannot be written as UTF-8.
COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

errors = Console(stderr=True, highlight=False, emoji=False)


def output() -> Console:
    """Console for results; wide enough for every table when it is no terminal."""
    console = Console(highlight=False, emoji=False)
    width = max(PIPE_WIDTH, console.width)
    return console if console.is_terminal else Console(highlight=False, emoji=False, width=width)


def as_text(text: str) -> str:
    """Text from a card file or a path as a terminal may have it: what it would obey is shown as an escape sequence."""
    return COMMANDS.sub(lambda found: ascii(found.group())[1:-1], text)


@contextmanager
def clear_messages() -> Iterator[None]:
    """Turn faults of the input (ValueError and its kin, OSError on named files) into one message and exit code 2."""
    try:
        yield
        sys.stdout.flush()
    except (ValueError, ReportError) as error:
        fail(str(error))
    except KeyboardInterrupt:
        note("interrupted; nothing was written")
        leave(interrupts.exit_code())
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        leave(PIPE_CLOSED)
    except OSError as error:
        fail(f"{error.filename or 'output'}: {error.strerror or error}")


def leave(code: int) -> None:
    """End the process at once, without waiting for a worker that still plays or compiles."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def fail(message: str) -> None:
    """Say what is wrong on stderr and leave with exit code 2."""
    errors.print(Text.assemble(("error:", "bold red"), " ", as_text(message)), soft_wrap=True)
    raise typer.Exit(USAGE_ERROR)


def say(line: str) -> None:
    """Print a line of the result on stdout, as it is but for what a terminal would obey."""
    sys.stdout.write(as_text(line) + "\n")


def note(message: str) -> None:
    """Say something on stderr that is not a result."""
    errors.print(Text(as_text(message), style="dim"), soft_wrap=True)


class Ticker:
    """Progress on stderr, from the first second on: stage, share done, rate, time left.

    Use as a context manager; call with (stage, done, total) as the work goes on. `unit` is what is counted.
    """

    def __init__(self, unit: str = "games") -> None:
        self._unit = unit
        self._began = self._last_line = time.monotonic()
        self._progress: Progress | None = None
        self._tasks: dict[str, tuple[TaskID, float]] = {}
        self._warned = False

    def __enter__(self) -> Ticker:
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=30),
            TextColumn("{task.fields[state]}", markup=False),
            TimeRemainingColumn(compact=True),
            console=errors,
            transient=True,
            refresh_per_second=4,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress and self._progress.live.is_started:
            self._progress.stop()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Tell how far a stage is; total 0: not known."""
        now, progress = time.monotonic(), self._progress
        self._warn_of_years(now - self._began, done, total)
        if progress is None or now - self._began < QUIET_SECONDS or not errors.is_terminal:
            self._tasks.setdefault(stage, (TaskID(-1), now))
            if not errors.is_terminal and now - self._last_line > LINE_SECONDS:
                self._last_line = now
                note(f"{stage}: {self._so_far(done, total)}")
            return
        progress.start()
        task, began = self._tasks.get(stage, (TaskID(-1), now))
        if task < 0:
            task = progress.add_task(as_text(stage), total=total or None, state="")
            self._tasks[stage] = task, began
        rate = f", {done / (now - began):,.0f}/s" if now - began > QUIET_SECONDS else ""
        progress.update(task, completed=done, total=total or None, state=f"{self._so_far(done, total)}{rate}")

    def _warn_of_years(self, passed: float, done: int, total: int) -> None:
        """Write once that the work takes more than a day, and how long, as its speed so far has it."""
        if self._warned or not done or passed < JUDGED_AFTER:
            return
        days = passed * (total - done) / done / 86_400
        if days > LONG_SECONDS / 86_400:
            self._warned = True
            long = f"{days / 365:,.0f} years" if days >= 730 else f"{days:,.0f} days"
            note(
                f"{total:,} {self._unit} take about {long} at this speed; stop with Ctrl-C and ask for fewer with --games"
            )

    def _so_far(self, done: int, total: int) -> str:
        """How much is done, and of how much where that is known."""
        return f"{done:,} of {total:,} {self._unit}" if total else f"{done:,} {self._unit}"


def print_table(table: Table) -> None:
    """Print a table on stdout: text to the left, numbers to the right; markup in names is shown as text.

    Headings break at blanks where the terminal is narrow; figures are never cut short.
    """
    console = output()
    console.print(Text(as_text(table.caption), style="bold"), soft_wrap=True)
    for blank in (" ", "\n"):
        laid_out = _lay_out(table, blank)
        width = laid_out.__rich_measure__(console, console.options.update(max_width=WIDEST)).maximum
        if width <= console.width:
            break
    if width > console.width:  # rather lines that run over than figures cut short
        console = Console(highlight=False, emoji=False, width=width, force_terminal=console.is_terminal)
    console.print(laid_out)


def _lay_out(table: Table, blank: str) -> rich.table.Table:
    """Lay the cells out. blank: what stands between the words of a heading."""
    laid_out = rich.table.Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(table.columns):
        right = any(cells.is_number(row[number]) for row in table.rows)
        heading = as_text(column).replace(" ", blank if number else " ")
        laid_out.add_column(Text(heading), justify="right" if right else "left", no_wrap=True)
    forms = [table.formats.get(column) for column in table.columns]
    for row in table.rows:
        laid_out.add_row(*(Text(as_text(cells.shown(cell, form))) for cell, form in zip(row, forms, strict=True)))
    return laid_out


def print_json(value: Any) -> None:
    """Write one JSON document to stdout; nan and infinite numbers become null."""
    text = json.dumps(plain(value), indent=2, ensure_ascii=False, allow_nan=False)
    sys.stdout.write(COMMANDS.sub(lambda found: json.dumps(found.group())[1:-1], text) + "\n")


def plain(value: Any) -> Any:
    """Return the value as JSON can hold it: NumPy values, tables (as a list of lines), records and paths included."""
    if isinstance(value, Table):
        return [dict(zip(value.columns, map(plain, row), strict=True)) for row in value.rows]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return cells.plain(value) if isinstance(value, (str, int, float, bool, type(None))) else str(value)


class Result(Protocol):
    """What a command has to show: tables and lines for people, everything for JSON, the main table for a CSV file."""

    @property
    def lines(self) -> tuple[str, ...]:
        """How to read the tables."""

    def main(self) -> Table:
        """The table of the CSV file."""

    def tables(self) -> list[Table]:
        """The tables in the order in which one reads them."""

    def as_json(self) -> dict[str, Any]:
        """Everything."""


def show(result: Result, as_json: bool, csv: Path | None) -> None:
    """Write the file, print the tables or the JSON."""
    if csv is not None:
        write_csv(csv, result.main())
    if as_json:
        print_json(result.as_json())
        return
    for table in result.tables():
        print_table(table)
    for line in result.lines:
        say(line)


def check_file(path: Path | None) -> None:
    """Raise ReportError unless a file of that name, if any, can be written: before long work, not after it."""
    if path is None:
        return
    if path.is_dir():
        raise ReportError(f"{path}: is a folder; name a file")
    if not path.parent.is_dir():
        raise ReportError(f"{path}: its folder does not exist; make it first, or name a file in one that does")
    if not os.access(path.parent, os.W_OK):
        raise ReportError(f"{path}: its folder cannot be written; name a file in one that can")


def write_csv(path: Path, table: Table) -> None:
    """Write a table as CSV, complete or not at all. Raises ReportError."""
    write_text(path, cells.csv_of(table))
