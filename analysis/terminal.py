"""The border between the command and the terminal: results on stdout, progress on stderr, one clear message per fault."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

from analysis import interrupts, layout
from analysis.encoding import COMMANDS, as_text, has_everything, make_safe
from analysis.report import cells
from analysis.report.files import ReportError
from analysis.report.model import Table
from analysis.wording import count

USAGE_ERROR = 2  # exit code for bad input
PIPE_CLOSED = 141  # exit code where nobody reads the output any more, as shells have it
QUIET_SECONDS = 1.0  # nothing is said about work that takes less
LONG_SECONDS, JUDGED_AFTER = 86_400.0, 5.0  # work that takes longer than a day is announced, once so much of it is done
LINE_SECONDS = 10.0  # between lines of progress where stderr is no terminal
WIDTH = 80  # columns of what does not go to a terminal
NARROWEST = 40  # columns; in a narrower terminal lines run over
STYLES = {"too strong": "bold red", "too weak": "bold blue", "fair": "green", "not decided": "dim"}


@dataclass(frozen=True)
class Printed:
    """How the running command prints: without breaking anything, without colours."""

    wide: bool = False
    no_color: bool = False


chosen: ContextVar[Printed] = ContextVar("chosen")
errors = Console(stderr=True, highlight=False, emoji=False)
_running: list[Progress] = []


def clear_progress() -> None:
    """Take progress off the terminal: the command ends."""
    for progress in _running:
        progress.stop()


interrupts.state.clear = clear_progress


@contextmanager
def printing(*, wide: bool, no_color: bool) -> Iterator[None]:
    """Print in this way for a while."""
    token, plain_errors = chosen.set(Printed(wide, no_color)), errors.no_color
    errors.no_color = plain_errors or no_color
    try:
        yield
    finally:
        chosen.reset(token)
        errors.no_color = plain_errors


def output() -> Console:
    """Console for results: as wide as the terminal, WIDTH columns (or COLUMNS) in a pipe; colours as rich has it."""
    console = Console(highlight=False, emoji=False, no_color=chosen.get(Printed()).no_color or None)
    if not sys.stdout.isatty():
        columns = os.environ.get("COLUMNS", "")
        console.width = int(columns) if columns.isdecimal() else WIDTH
    return console


def line_width() -> int | None:
    """Columns that tables and sentences fit; None with --wide: lines are as long as they are."""
    return None if chosen.get(Printed()).wide else max(NARROWEST, output().width)


@contextmanager
def clear_messages() -> Iterator[None]:
    """Turn faults of the input (ValueError and its kin, OSError on named files) into one message and exit code 2."""
    make_safe()
    try:
        yield
        sys.stdout.flush()
    except (ValueError, ReportError) as error:
        fail(str(error))
    except KeyboardInterrupt:
        interrupts.leave()
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


def tell(line: str) -> None:
    """Print a sentence of the result on stdout, broken at blanks to fit; a command at its end can still be pasted."""
    for part in layout.sentence(as_text(line), line_width()):
        sys.stdout.write(part + "\n")


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
        if self._progress in _running:
            self._progress.stop()
            _running.remove(self._progress)

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
        if progress not in _running:
            _running.append(progress)
            progress.start()
        task, began = self._tasks.get(stage, (TaskID(-1), now))
        if task < 0:
            task = progress.add_task(as_text(stage), total=total or None, state="")
            self._tasks[stage] = task, began
        rate = f", {count(done / (now - began))}/s" if now - began > QUIET_SECONDS else ""
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
        return f"{count(done)} of {count(total)} {self._unit}" if total else f"{count(done)} {self._unit}"


def print_table(table: Table) -> None:
    """Print a table on stdout, text to the left, numbers to the right, fitted to the width (see `layout`)."""
    console, width = output(), line_width()
    laid = layout.lay_out(table, width)
    lines: list[Text | str] = (
        [Text(line, style="bold") for line in layout.sentence(laid.caption, width)] if laid.caption else []
    )
    for part in laid.parts if table.rows else ():
        lines += ["", *_in_lines(part)]
    if not table.rows:
        lines.append("Nothing to show.")
    if laid.left_out:
        left_out = f"Left out: {', '.join(map(as_text, laid.left_out))}. --wide shows all columns."
        lines += [Text(line, style="dim") for line in layout.sentence(left_out, width)]
    for line in [*lines, ""]:
        console.print(line, soft_wrap=True, markup=False)


def _in_lines(part: layout.Part) -> Iterator[Text]:
    """Yield the lines of a table: headings, a rule, rows, with verdicts in colour."""
    gap = " " * layout.GAP
    for line in part.headings():
        yield Text(gap.join(line).rstrip(), style="bold")
    yield Text("\u2500" * part.width, style="dim")
    group = ""
    for at, (row, lines) in enumerate(part.rows()):
        if part.groups and part.groups[at] != group:
            group = part.groups[at]
            yield Text(group, style="italic")
        styles = [STYLES.get(cell, "") for cell in row]
        for line in lines:
            text = Text(gap).join(Text(piece, style=style) for piece, style in zip(line, styles, strict=True))
            text.rstrip()
            yield text


def print_json(value: Any) -> None:
    """Write one JSON document to stdout; nan and infinite numbers become null."""
    text = json.dumps(plain(value), indent=2, ensure_ascii=not has_everything(sys.stdout.encoding), allow_nan=False)
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
    """What a command has to show: tables and lines for people, everything for JSON, the main table for a file."""

    @property
    def lines(self) -> tuple[str, ...]:
        """How to read the tables."""

    def main(self) -> Table:
        """The table that `--csv` writes."""

    def tables(self) -> list[Table]:
        """The tables in the order in which one reads them."""

    def as_json(self) -> dict[str, Any]:
        """Everything."""


def show(result: Result, as_json: bool, csv: Path | None) -> None:
    """Write the file, print the tables or the JSON; these also where the file cannot be written."""
    try:
        if csv is not None:
            from analysis.output_files import write_result  # noqa: PLC0415 - it prints through this module

            write_result(csv, result)
    finally:
        print_result(result, as_json)


def print_result(result: Result, as_json: bool) -> None:
    """Print the tables and sentences, or the JSON."""
    if as_json:
        print_json(result.as_json())
        return
    for table in result.tables():
        print_table(table)
    for line in result.lines:
        tell(line)


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
