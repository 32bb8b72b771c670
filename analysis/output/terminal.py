"""The terminal: tables and sentences fitted to its width, progress, messages, errors.

Results go to stdout, progress and messages to stderr. A table that is too wide is narrowed in this order: both bounds of an
interval share a column (always); headings break at blanks; a square table of names gets abbreviations as headings; a repetitive
first column becomes headings between the rows; names wrap; secondary columns (see `Table`) are left out, with a note; a table
that is still too wide is printed in several parts. Cells are never cut.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import accumulate, pairwise
from pathlib import Path
from types import TracebackType
from typing import Any

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

from analysis.answer import numbers
from analysis.answer.files import ReportError
from analysis.answer.model import Notice
from analysis.answer.numbers import DASH, MINUS, THIN, Cell, Format, count, decimal
from analysis.answer.tables import Table
from analysis.output.encoding import COMMANDS, as_text, has_everything, make_safe
from sim.engine.cardfiles.paths import MESSAGE_MAX

GAP = 2  # blanks between columns
TEXT_LEAST = 24  # columns for names while other columns can be narrowed
WORD_LEAST = 8  # columns for names as a last resort
INTERVAL = f"95{THIN}% interval"
BOUNDS = (("low", "high"), ("from", "to"))  # ends of the headings of the two bounds of an interval
BREAKS = re.compile(r"(?<=[./_,:=+*-])(?=\w)")  # places where a word that is too long for its column can break
FIGURE = re.compile(rf"(?:< )?[+{MINUS}-]?[\d.,]+({THIN}%)?")
COMMAND = re.compile(r"^(?P<words>.*:)?(?P<blank>\s*)(?P<command>fairfight \S.*)$")
CONTINUED = "      "  # indent of continued lines of a command
LINE_MAX, LINE_START, LINE_END = 1_000, 400, 500  # characters of a line of a message; those kept of a longer one
MORE_LINES, DIGITS = "... and {:,} more lines", 10


@dataclass(frozen=True)
class Column:
    """A column as text. names: its headings in the table; given_way: order in which it is left out, None for never."""

    heading: str
    cells: tuple[str, ...]
    is_text: bool
    names: tuple[str, ...]
    given_way: int | None = None
    follows: bool = False  # belongs to the column before and stays with it

    @property
    def widest(self) -> int:
        """Width without breaking any cell."""
        return max(map(cell_len, self.cells), default=0)

    def least(self, text_least: int) -> int:
        """Width needed with broken headings and, for text, broken cells."""
        heading = max(map(cell_len, self.heading.split(" ")))
        if not self.is_text:
            return max(self.widest, heading)
        piece = max((cell_len(part) for cell in self.cells for part in _pieces(cell)), default=0)
        return max(min(self.widest, max(text_least, piece)), heading)


@dataclass(frozen=True)
class Part:
    """A table, or some of its columns, with the width of each."""

    columns: tuple[Column, ...]
    widths: tuple[int, ...]
    groups: tuple[str, ...] = ()  # heading above each row, if there are any

    def headings(self) -> list[list[str]]:
        """Lines of the heading, each with a text per column."""
        return self._lines([column.heading for column in self.columns], at_end=True)

    def rows(self) -> Iterator[tuple[tuple[str, ...], list[list[str]]]]:
        """Yield every row: its cells, and its lines."""
        for row in zip(*(column.cells for column in self.columns), strict=True):
            yield row, self._lines(row)

    @property
    def width(self) -> int:
        """Total width."""
        return sum(self.widths) + GAP * (len(self.widths) - 1)

    def _lines(self, row: Sequence[str], at_end: bool = False) -> list[list[str]]:
        """Break and pad cells to their widths. at_end: align short ones with the last line."""
        broken = [wrapped(text, width) for text, width in zip(row, self.widths, strict=True)]
        high = max(map(len, broken))
        blank = [[""] * (high - len(lines)) for lines in broken]
        filled = [rest + lines if at_end else lines + rest for lines, rest in zip(broken, blank, strict=True)]
        return [
            [_padded(lines[index], width, column) for lines, width, column in zip(filled, self.widths, self.columns, strict=True)]
            for index in range(high)
        ]


@dataclass(frozen=True)
class Laid:
    """A table ready to print. left_out: headings of the columns left out for lack of space."""

    caption: str
    parts: tuple[Part, ...]
    left_out: tuple[str, ...] = field(default=())


def lay_out(table: Table, width: int | None) -> Laid:
    """Fit a table to a width; None leaves it at its full width, with all columns."""
    caption, columns = as_text(table.caption), columns_of(table)
    if width is None:
        return Laid(caption, (Part(tuple(columns), tuple(_comfortable(column) for column in columns)),))
    keys = 1
    groups: tuple[str, ...] = ()
    if is_square(table) and _least(columns, TEXT_LEAST) > width:
        caption, columns, keys = *_abbreviated(caption, columns, width), 2
    elif is_grouped(columns) and _least(columns, TEXT_LEAST) > width:
        groups, columns = tuple(f"{columns[0].heading}: {cell}" for cell in columns[0].cells), columns[1:]
    left_out: list[str] = []
    for turn in sorted({column.given_way for column in columns if column.given_way is not None}):
        if _least(columns, TEXT_LEAST) <= width:
            break
        left_out += [name for column in columns if column.given_way == turn for name in column.names]
        columns = [column for column in columns if column.given_way != turn]
    parts = tuple(replace(_sized(part, width), groups=groups) for part in _split(columns, keys, width))
    return Laid(caption, parts, tuple(name for name in table.columns if name in left_out))


def columns_of(table: Table) -> list[Column]:
    """Columns of a table as text, with the two bounds of an interval joined."""
    columns, index, names = [], 0, table.columns
    while index < len(names):
        values = list(zip(*table.rows, strict=True))[index : index + 2] if table.rows else [(), ()]
        pair = is_interval(names, index) and all(is_figure(cell) for column in values for cell in column)
        form = table.formats.get(names[index])
        if pair:
            shown = tuple(between(low, high, form) for low, high in zip(*values, strict=True))
            heading, is_text = _interval_heading(names, index), False
        else:
            shown = tuple(numbers.as_shown(cell, form) for cell in values[0])
            heading, is_text = names[index], not values[0] or not all(map(is_figure, values[0]))
        used = names[index : index + 2] if pair else names[index : index + 1]
        ways = [turn for turn, pattern in enumerate(table.secondary) if fnmatchcase(names[index], pattern)]
        shown = tuple(map(as_text, shown))
        columns.append(Column(as_text(heading), shown, is_text, used, ways[0] if ways else None, pair))
        index += len(used)
    return columns


def is_interval(names: Sequence[str], at: int) -> bool:
    """Whether this column and the next are the bounds of an interval: `low` and `high`, `turns, low` and `turns, high`."""
    following = names[at + 1] if at + 1 < len(names) else ""
    return at > 0 and any(
        names[at].endswith(low) and following.endswith(high) and _base(names[at], low) == _base(following, high)
        for low, high in BOUNDS
    )


def between(low: Cell, high: Cell, form: Format | None) -> str:
    """Write an interval: `51.2-53.9 %`; with signed bounds `-3.1 to +2.0`."""
    if numbers.absent(low) or numbers.absent(high):
        return DASH
    unit = f"{THIN}%"
    if form == "percent" and numbers.is_number(low) and numbers.is_number(high) and float(low) >= 0:  # type: ignore[arg-type]
        return numbers.percent_range(float(low), float(high)) + unit  # type: ignore[arg-type]
    ends = [numbers.as_shown(low, form), numbers.as_shown(high, form)]
    if all(end.endswith(unit) for end in ends):
        ends[0] = ends[0].removesuffix(unit)
    return (f"{THIN}to{THIN}" if form == "points" or MINUS in "".join(ends) else DASH).join(ends)


def is_figure(cell: Cell) -> bool:
    """Whether a cell is a number, a formatted number, or absent."""
    return numbers.absent(cell) or numbers.is_number(cell) or (isinstance(cell, str) and bool(FIGURE.fullmatch(cell)))


def is_square(table: Table) -> bool:
    """Whether the headings are the names of the rows, as in a matchup table."""
    return len(table.rows) > 1 and tuple(row[0] for row in table.rows) == table.columns[1:]


def is_grouped(columns: Sequence[Column]) -> bool:
    """Whether rows are grouped by the first column, at least two per group on average, and the second column is text."""
    first = columns[0].cells
    changes = sum(before != after for before, after in pairwise(first))
    return len(columns) > 2 and columns[1].is_text and len(set(first)) == changes + 1 <= len(first) / 2


def abbreviations(names: Sequence[str]) -> list[str]:
    """Initials of each name, or the first two letters of a single word; numbered if not unique."""
    words = [re.findall(r"\w+", name) for name in names]
    short = [
        "".join(word[0] for word in many[:4]) if len(many) > 1 else name[:2] for name, many in zip(names, words, strict=True)
    ]
    known = [one.upper() if len(many) > 1 else one.capitalize() for one, many in zip(short, words, strict=True)]
    return [one if known.count(one) == 1 else f"{one}{known[:index].count(one) + 1}" for index, one in enumerate(known)]


def sentence(text: str, width: int | None) -> list[str]:
    """Break a sentence at blanks; a command at its end goes on separate lines that can be pasted into a shell."""
    if width is None or cell_len(text) <= width:
        return [text]
    command = COMMAND.match(text)
    if command:
        words = (command["words"] or "").rstrip()
        margin = "  " if words else command["blank"]
        return [*(sentence(words, width) if words else []), *_broken_command(command["command"], width, margin)]
    margin = text[: len(text) - len(text.lstrip(" "))]
    return [f"{margin}{line}" for line in wrapped(text.strip(" "), width - len(margin))]


def wrapped(text: str, width: int) -> list[str]:
    """Break a text at blanks, and longer words after a punctuation mark or, if there is none, anywhere."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        lines.append("")
        for word in paragraph.split(" "):
            joined = f"{lines[-1]} {word}" if lines[-1] else word
            if cell_len(joined) <= width:
                lines[-1] = joined
                continue
            first, *rest = _folded(word, width)
            lines[-1:] = [lines[-1], first] if lines[-1] else [first]
            lines += rest
    return lines


def _broken_command(command: str, width: int, margin: str) -> list[str]:
    """Break a command into several lines; all but the last end with a backslash."""
    lines = [margin]
    for word in re.findall(r"(?:'[^']*'|\"[^\"]*\"|\S)+", command):
        joined = lines[-1] + (" " if lines[-1].strip() else "") + word
        if lines[-1].strip() and cell_len(joined) > width - len(" \\"):
            lines[-1] += " \\"
            joined = margin + CONTINUED + word
            lines.append("")
        lines[-1] = joined
    return lines


def _folded(word: str, width: int) -> list[str]:
    """Break a word that is longer than a line."""
    lines = [""]
    for piece in BREAKS.split(word):
        rest = piece
        if lines[-1] and cell_len(lines[-1] + rest) > width:
            lines.append("")
        while cell_len(lines[-1] + rest) > width:
            fits = max(1, next(index for index in range(len(rest) + 1) if cell_len(rest[: index + 1]) > width))
            lines[-1], rest = rest[:fits], rest[fits:]
            lines.append("")
        lines[-1] += rest
    return lines


def _pieces(text: str) -> Iterable[str]:
    """Pieces of text that wrapping keeps together."""
    return (piece for word in text.split() for piece in BREAKS.split(word))


def _padded(text: str, width: int, column: Column) -> str:
    """Pad a cell: text on the right, numbers on the left."""
    blank = " " * (width - cell_len(text))
    return text + blank if column.is_text else blank + text


def _base(name: str, end: str) -> str:
    """A heading without the word for the bound."""
    return name.removesuffix(end).strip(" ,")


def _interval_heading(names: Sequence[str], at: int) -> str:
    """Heading of an interval: its quantity, unless the column before names it."""
    base = next(_base(names[at], low) for low, _ in BOUNDS if names[at].endswith(low))
    before = names[at - 1]
    return INTERVAL if not base or base in before else base if names[at].endswith(" from") else f"{base}, {INTERVAL}"


def _comfortable(column: Column) -> int:
    """Width without breaking anything."""
    return max(column.widest, cell_len(column.heading))


def _least(columns: Sequence[Column], text_least: int) -> int:
    """Width that a table needs."""
    return sum(column.least(text_least) for column in columns) + GAP * (len(columns) - 1)


def _sized(columns: Sequence[Column], width: int) -> Part:
    """Distribute the width: first the minimum of all columns, then the rest to names."""
    full = tuple(_comfortable(column) for column in columns)
    if sum(full) + GAP * (len(full) - 1) <= width:
        return Part(tuple(columns), full)
    text_least = next((least for least in (TEXT_LEAST, WORD_LEAST) if _least(columns, least) <= width), WORD_LEAST)
    widths = [column.least(text_least) for column in columns]
    spare = width - sum(widths) - GAP * (len(columns) - 1)
    for index, column in enumerate(columns):
        if column.is_text and spare > 0:
            more = min(spare, max(0, column.widest - widths[index]))
            widths[index] += more
            spare -= more
    texts = [index for index, column in enumerate(columns) if column.is_text]
    if spare < 0 and texts:  # a word that cannot be broken at punctuation must be folded
        longest = max(texts, key=widths.__getitem__)
        widths[longest] = max(WORD_LEAST, widths[longest] + spare)
    return Part(tuple(columns), tuple(widths))


def _split(columns: Sequence[Column], keys: int, width: int) -> list[list[Column]]:
    """Divide columns into parts that fit, each beginning with the key columns. keys: number of key columns."""
    head, parts = list(columns[:keys]), [list(columns[:keys])]
    groups: list[list[Column]] = []
    for column in columns[keys:]:
        if column.follows and groups:
            groups[-1].append(column)
        else:
            groups.append([column])
    for group in groups:
        if len(parts[-1]) > len(head) and _least([*parts[-1], *group], WORD_LEAST) > width:
            parts.append(list(head))
        parts[-1] += group
    return parts


def _abbreviated(caption: str, columns: list[Column], width: int) -> tuple[str, list[Column]]:
    """Abbreviate the headings of a square table; abbreviations stand beside the row names, the unit in the caption."""
    names, *others = columns
    short = abbreviations(names.cells)
    without = [replace(one, cells=tuple(cell.replace(f"{THIN}%", "") for cell in one.cells)) for one in others]
    if any(one != other for one, other in zip(others, without, strict=True)):
        caption += ", in %"
    head = [Column("", tuple(short), True, ()), names]
    for digits in (1, 0):
        shortened = [
            replace(one, heading=word, cells=tuple(_rounded(cell, digits) for cell in one.cells))
            for one, word in zip(without, short, strict=True)
        ]
        if _least([*head, *shortened], TEXT_LEAST) <= width:
            break
    return caption, [*head, *shortened]


def _rounded(cell: str, digits: int) -> str:
    """Round a percentage in a cell, unless it would appear as 0; marks after it stay."""
    match = re.match(r"\d+\.\d+", cell)
    if match is None or 0 < float(match[0]) < 0.5 * 10.0**-digits:
        return cell
    return decimal(float(match[0]), digits) + cell[match.end() :]


USAGE_ERROR = 2  # exit code for bad input
PIPE_CLOSED = 141  # exit code if the reader of the output has gone, as in shells
QUIET_SECONDS = 1.0  # shorter work shows no progress
LONG_SECONDS, JUDGED_AFTER = 86_400.0, 5.0  # after 5 s, warn if the work would take longer than a day
SPEED_SECONDS = 600.0  # over which the speed is averaged for the time left
COUNTED = {"questions", "replays", "numbers"}  # stages called by what is counted
EARLY = 0.05  # share of the work before which the speed says little, because code is still being compiled
LINE_SECONDS = 10.0  # between lines of progress if stderr is not a terminal
WIDTH = 80  # columns of output that does not go to a terminal
NARROWEST = 40  # columns; in a narrower terminal lines wrap
STYLES = {"too strong": "bold red", "too weak": "bold blue", "fair": "green", "not decided": "dim"}


@dataclass(frozen=True)
class Printed:
    """Print options of the running command. wide: do not break lines."""

    wide: bool = False
    no_color: bool = False


chosen: ContextVar[Printed] = ContextVar("chosen")
errors = Console(stderr=True, highlight=False, emoji=False)
relay: Callable[[list[Any]], None] | None = None  # takes notes and progress instead, in a process that works for another one


@contextmanager
def printing(*, wide: bool, no_color: bool) -> Iterator[None]:
    """Context with these print options."""
    token, plain_errors = chosen.set(Printed(wide, no_color)), errors.no_color
    errors.no_color = plain_errors or no_color
    try:
        yield
    finally:
        chosen.reset(token)
        errors.no_color = plain_errors


def output() -> Console:
    """Console for results: as wide as the terminal, WIDTH columns (or COLUMNS) in a pipe; rich decides on colours."""
    console = Console(highlight=False, emoji=False, no_color=chosen.get(Printed()).no_color or None)
    if not sys.stdout.isatty():
        columns = os.environ.get("COLUMNS", "")
        console.width = int(columns) if columns.isdecimal() else WIDTH
    return console


def line_width() -> int | None:
    """Width for tables and sentences; None with --wide, which does not break lines."""
    return None if chosen.get(Printed()).wide else max(NARROWEST, output().width)


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
    errors.print(Text.assemble(("error:", "bold red"), " ", bounded(as_text(message))), soft_wrap=True)
    raise typer.Exit(USAGE_ERROR)


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
    for part in sentence(as_text(line), line_width()):
        sys.stdout.write(part + "\n")


def note(message: str) -> None:
    """Print a message on stderr."""
    if relay:
        relay(["note", message])
        return
    errors.print(Text(bounded(as_text(message)), style="dim"), soft_wrap=True)


class Ticker:
    """Progress on stderr, after the first second: stage, share done, rate, time left.

    Use as a context manager; call with (stage, done, total) during the work. `unit`: noun for what is counted.
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
            speed_estimate_period=SPEED_SECONDS,
        )
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._progress is not None and self._progress.live.is_started:
            self._progress.stop()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Report the progress of a stage; total 0 if unknown."""
        if relay:
            relay([stage, done, total])
            return
        now, progress = time.monotonic(), self._progress
        task, began = self._tasks.setdefault(stage, (TaskID(-1), now if self._tasks else self._began))
        self._warn_of_years(now - began, done, total)
        if progress is None or now - self._began < QUIET_SECONDS or not errors.is_terminal:
            if not errors.is_terminal and now - self._last_line > LINE_SECONDS:
                self._last_line = now
                note(f"{stage}: {self._so_far(stage, done, total)}{_time_left(now - began, done, total)}")
            return
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
    minutes = passed * (total - done) / done / 60
    return f", about {count(max(1, round(minutes)))} min left"


def print_table(table: Table) -> None:
    """Print a table on stdout, text left-aligned, numbers right-aligned, fitted to the width (see `lay_out`)."""
    console, width = output(), line_width()
    laid = lay_out(table, width)
    lines: list[Text | str] = [Text(line, style="bold") for line in sentence(laid.caption, width)] if laid.caption else []
    for part in laid.parts if table.rows else ():
        lines += ["", *_in_lines(part)]
    if not table.rows:
        lines.append("Nothing to show.")
    if laid.left_out:
        left_out = f"Left out: {', '.join(map(as_text, laid.left_out))}. --wide shows all columns."
        lines += [Text(line, style="dim") for line in sentence(left_out, width)]
    for line in [*lines, ""]:
        console.print(line, soft_wrap=True, markup=False)


def _in_lines(part: Part) -> Iterator[Text]:
    """Yield the lines of a table: headings, a rule, and rows with coloured verdicts."""
    gap = " " * GAP
    for line in part.headings():
        yield Text(gap.join(line).rstrip(), style="bold")
    yield Text("\u2500" * part.width, style="dim")
    group = ""
    for index, (row, lines) in enumerate(part.rows()):
        if part.groups and part.groups[index] != group:
            group = part.groups[index]
            yield Text(group, style="italic")
        styles = [STYLES.get(cell, "") for cell in row]
        for line in lines:
            text = Text(gap).join(Text(piece, style=style) for piece, style in zip(line, styles, strict=True))
            text.rstrip()
            yield text


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
