"""Fit tables and sentences to the width of a terminal.

A table that is too wide is narrowed in this order: both bounds of an interval share a column (always); headings break at blanks;
a square table of names gets abbreviations as headings; a repetitive first column becomes headings between the rows; names wrap;
a table that is still too wide is divided into several parts. In a table with all columns, names below TEXT_LEAST do not wrap as
long as more parts help. Cells are never cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rich.cells import cell_len

from analysis.answer import numbers
from analysis.answer.numbers import DASH, MINUS, THIN, Cell, Format, decimal
from analysis.answer.tables import Table
from analysis.output.encoding import as_text

GAP = 2  # blanks between columns
TEXT_LEAST = 24  # columns for names while other columns can be narrowed
WORD_LEAST = 8  # columns for names as a last resort
INTERVAL = f"95{THIN}% interval"
BOUNDS = (("low", "high"), ("from", "to"))  # ends of the headings of the two bounds of an interval
BREAKS = re.compile(r"(?<=[./_,:=+*-])(?=\w)")  # places where a word that is too long for its column can break
FIGURE = re.compile(rf"(?:< )?[+{MINUS}-]?[\d.,]+({THIN}%)?")
COMMAND = re.compile(r"^(?P<words>.*:)?(?P<blank>\s*)(?P<command>fairfight \S.*)$")
CONTINUED = "      "  # indent of continued lines of a command


@dataclass(frozen=True)
class Column:
    """A column as text."""

    heading: str
    cells: tuple[str, ...]
    is_text: bool
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
    """A table, or some of its columns, with the width of each. groups: heading above each row; below: text under each row."""

    columns: tuple[Column, ...]
    widths: tuple[int, ...]
    groups: tuple[str, ...] = ()
    below: tuple[str, ...] = ()

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
    """A table ready to print."""

    caption: str
    parts: tuple[Part, ...]


def lay_out(table: Table, width: int, least: int = WORD_LEAST) -> Laid:
    """Fit a table to a width. least: columns for names, below which the table is divided."""
    caption, columns = as_text(table.caption), columns_of(table)
    below = next((column.cells for column in columns if column.heading == table.below), ())
    columns = [column for column in columns if column.heading != table.below]
    keys = 1
    groups: tuple[str, ...] = ()
    if is_square(table) and _least(columns, TEXT_LEAST) > width:
        caption, columns, keys = *_abbreviated(caption, columns, width), 2
    elif is_grouped(columns) and _least(columns, TEXT_LEAST) > width:
        groups, columns = tuple(f"{columns[0].heading}: {cell}" for cell in columns[0].cells), columns[1:]
    first, *others = (_sized(part, width) for part in _split(columns, keys, width, least))
    return Laid(caption, tuple(replace(part, groups=groups) for part in (replace(first, below=below), *others)))


def columns_of(table: Table) -> list[Column]:
    """Columns of a table as text, with the two bounds of an interval joined."""
    columns, index, names, rows = [], 0, table.columns, table.seen
    while index < len(names):
        values = list(zip(*rows, strict=True))[index : index + 2] if rows else [(), ()]
        pair = is_interval(names, index) and all(is_figure(cell) for column in values for cell in column)
        form = table.formats.get(names[index])
        if pair:
            shown = tuple(between(low, high, form) for low, high in zip(*values, strict=True))
            heading, is_text = _interval_heading(names, index), False
        else:
            shown = tuple(numbers.as_shown(cell, form) for cell in values[0])
            heading, is_text = names[index], not values[0] or not all(map(is_figure, values[0]))
        columns.append(Column(as_text(heading), tuple(map(as_text, shown)), is_text, pair))
        index += 2 if pair else 1
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
    signed = form == "points" or ends[0].startswith("+") or MINUS in "".join(ends)
    return (f"{THIN}to{THIN}" if signed else DASH).join(ends)


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


def sentence(text: str, width: int) -> list[str]:
    """Break a sentence at blanks; a command at its end goes on separate lines that can be pasted into a shell."""
    if cell_len(text) <= width:
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


def _split(columns: Sequence[Column], keys: int, width: int, least: int) -> list[list[Column]]:
    """Divide columns into parts that fit, each beginning with the key columns. keys: number of key columns; least: for names."""
    head, parts = list(columns[:keys]), [list(columns[:keys])]
    groups: list[list[Column]] = []
    for column in columns[keys:]:
        if column.follows and groups:
            groups[-1].append(column)
        else:
            groups.append([column])
    for group in groups:
        if len(parts[-1]) > len(head) and _least([*parts[-1], *group], least) > width:
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
    head = [Column("", tuple(short), True), names]
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
