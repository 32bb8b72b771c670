"""Tables and sentences fitted to a number of columns.

A table that is too wide gives way in this order: both bounds of an interval share a column (always); headings break at blanks;
a square table of names has abbreviations as headings; a first column that repeats itself becomes headings between the rows;
names wrap; secondary columns (see `Table`) are left out, with a note; what is still too wide is printed in several parts below
each other. A cell is never cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import pairwise

from rich.cells import cell_len

from analysis.encoding import as_text
from analysis.report import cells
from analysis.report.model import Cell, Format, Table
from analysis.wording import DASH, MINUS, THIN, decimal

GAP = 2  # blanks between columns
TEXT_LEAST = 24  # columns that names are left as long as there is another way
WORD_LEAST = 8  # columns that names are left in the end
INTERVAL = f"95{THIN}% interval"
BOUNDS = (
    ("low", "high"),
    ("from", "to"),
)  # headings of the two bounds of an interval, behind what it is an interval of
BREAKS = re.compile(r"(?<=[./_,:=+*-])(?=\w)")  # where a word that is too long for its column may break
FIGURE = re.compile(rf"[+{MINUS}-]?[\d.,]+({THIN}%)?")
COMMAND = re.compile(r"^(?P<words>.*:)?(?P<blank>\s*)(?P<command>fairfight \S.*)$")
CONTINUED = "      "  # margin of a command's further lines


@dataclass(frozen=True)
class Column:
    """A column as text. names: its headings in the table; given_way: how soon it is left out, None: never."""

    heading: str
    cells: tuple[str, ...]
    is_text: bool
    names: tuple[str, ...]
    given_way: int | None = None
    follows: bool = False  # it says something of the column before, from which it is not parted

    @property
    def widest(self) -> int:
        """Columns that it takes without breaking any cell."""
        return max(map(cell_len, self.cells), default=0)

    def least(self, text_least: int) -> int:
        """Columns that it needs with broken headings and, if it is text, broken cells."""
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
    groups: tuple[str, ...] = ()  # for every row the heading that it stands under, if there are any

    def headings(self) -> list[list[str]]:
        """Lines of the heading, each a text for every column."""
        return self._lines([column.heading for column in self.columns], at_end=True)

    def rows(self) -> Iterator[tuple[tuple[str, ...], list[list[str]]]]:
        """Yield every row: its cells, and the same as lines."""
        for row in zip(*(column.cells for column in self.columns), strict=True):
            yield row, self._lines(row)

    @property
    def width(self) -> int:
        """Columns in all."""
        return sum(self.widths) + GAP * (len(self.widths) - 1)

    def _lines(self, row: Sequence[str], at_end: bool = False) -> list[list[str]]:
        """Cells broken and filled up to their widths. at_end: short ones stand on the last lines."""
        broken = [wrapped(text, width) for text, width in zip(row, self.widths, strict=True)]
        high = max(map(len, broken))
        blank = [[""] * (high - len(lines)) for lines in broken]
        filled = [rest + lines if at_end else lines + rest for lines, rest in zip(broken, blank, strict=True)]
        return [
            [
                _padded(lines[at], width, column)
                for lines, width, column in zip(filled, self.widths, self.columns, strict=True)
            ]
            for at in range(high)
        ]


@dataclass(frozen=True)
class Laid:
    """A table that is ready to print. left_out: headings of the columns for which there was no room."""

    caption: str
    parts: tuple[Part, ...]
    left_out: tuple[str, ...] = field(default=())


def lay_out(table: Table, width: int | None) -> Laid:
    """Fit a table to a width; None: as wide as it is, with all columns."""
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
    """Columns of a table as text, the two bounds of an interval in one."""
    found, at, names = [], 0, table.columns
    while at < len(names):
        values = list(zip(*table.rows, strict=True))[at : at + 2] if table.rows else [(), ()]
        pair = is_interval(names, at) and all(is_figure(cell) for column in values for cell in column)
        form = table.formats.get(names[at])
        if pair:
            shown = tuple(between(low, high, form) for low, high in zip(*values, strict=True))
            heading, is_text = _interval_heading(names, at), False
        else:
            shown = tuple(cells.shown(cell, form) for cell in values[0])
            heading, is_text = names[at], not values[0] or not all(map(is_figure, values[0]))
        used = names[at : at + 2] if pair else names[at : at + 1]
        ways = [turn for turn, pattern in enumerate(table.secondary) if fnmatchcase(names[at], pattern)]
        shown = tuple(map(as_text, shown))
        found.append(Column(as_text(heading), shown, is_text, used, ways[0] if ways else None, pair))
        at += len(used)
    return found


def is_interval(names: Sequence[str], at: int) -> bool:
    """Whether this column and the next are the bounds of an interval: `low` and `high`, `turns, low` and `turns, high`."""
    following = names[at + 1] if at + 1 < len(names) else ""
    return at > 0 and any(
        names[at].endswith(low) and following.endswith(high) and _base(names[at], low) == _base(following, high)
        for low, high in BOUNDS
    )


def between(low: Cell, high: Cell, form: Format | None) -> str:
    """An interval as text: `51.2-53.9 %`; bounds that are signed stand apart, `-3.1 to +2.0`."""
    if cells.absent(low) or cells.absent(high):
        return DASH
    unit = f"{THIN}%"
    ends = [cells.shown(low, form), cells.shown(high, form)]
    if all(end.endswith(unit) for end in ends):
        ends[0] = ends[0].removesuffix(unit)
    return (f"{THIN}to{THIN}" if form == "points" or MINUS in "".join(ends) else DASH).join(ends)


def is_figure(cell: Cell) -> bool:
    """Whether a cell is a number, one that is written already, or none."""
    return cells.absent(cell) or cells.is_number(cell) or (isinstance(cell, str) and bool(FIGURE.fullmatch(cell)))


def is_square(table: Table) -> bool:
    """Whether the headings are the names of the rows, as in who beats whom."""
    return len(table.rows) > 1 and tuple(row[0] for row in table.rows) == table.columns[1:]


def is_grouped(columns: Sequence[Column]) -> bool:
    """Whether rows stand together by what they have in the first column, several rows each, and a second one names them."""
    first = columns[0].cells
    changes = sum(one != other for one, other in pairwise(first))
    return len(columns) > 2 and columns[1].is_text and len(set(first)) == changes + 1 <= len(first) / 2


def abbreviations(names: Sequence[str]) -> list[str]:
    """Initials of each name, with a number where several have the same; the first letters of a name of one word."""
    words = [re.findall(r"\w+", name) for name in names]
    short = [
        "".join(word[0] for word in many[:4]) if len(many) > 1 else name[:2]
        for name, many in zip(names, words, strict=True)
    ]
    known = [one.upper() if len(many) > 1 else one.capitalize() for one, many in zip(short, words, strict=True)]
    return [one if known.count(one) == 1 else f"{one}{known[:at].count(one) + 1}" for at, one in enumerate(known)]


def sentence(text: str, width: int | None) -> list[str]:
    """Break a line for people at blanks; a command at its end goes on lines of its own that can be pasted into a shell."""
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
    """Break a text at blanks, and longer words behind a punctuation mark or, if there is none, anywhere."""
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
    """A command on several lines, each but the last with the sign that it goes on."""
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
            fits = max(1, next(at for at in range(len(rest) + 1) if cell_len(rest[: at + 1]) > width))
            lines[-1], rest = rest[:fits], rest[fits:]
            lines.append("")
        lines[-1] += rest
    return lines


def _pieces(text: str) -> Iterable[str]:
    """What wrapping keeps together, no longer than WORD_LEAST unless it is a plain word."""
    return (piece for word in text.split() for piece in BREAKS.split(word))


def _padded(text: str, width: int, column: Column) -> str:
    """A cell filled up with blanks: text at the right, numbers at the left."""
    blank = " " * (width - cell_len(text))
    return text + blank if column.is_text else blank + text


def _base(name: str, end: str) -> str:
    """A heading without the word that makes it a bound."""
    return name.removesuffix(end).strip(" ,")


def _interval_heading(names: Sequence[str], at: int) -> str:
    """The heading of an interval: whose it is, unless that stands in the column before."""
    base = next(_base(names[at], low) for low, _ in BOUNDS if names[at].endswith(low))
    before = names[at - 1]
    return INTERVAL if not base or base in before else base if names[at].endswith(" from") else f"{base}, {INTERVAL}"


def _comfortable(column: Column) -> int:
    """Columns that it takes without breaking anything."""
    return max(column.widest, cell_len(column.heading))


def _least(columns: Sequence[Column], text_least: int) -> int:
    """Columns that a table needs."""
    return sum(column.least(text_least) for column in columns) + GAP * (len(columns) - 1)


def _sized(columns: Sequence[Column], width: int) -> Part:
    """Share the width out: what all need, then to names, then to headings."""
    full = tuple(_comfortable(column) for column in columns)
    if sum(full) + GAP * (len(full) - 1) <= width:
        return Part(tuple(columns), full)
    text_least = next((least for least in (TEXT_LEAST, WORD_LEAST) if _least(columns, least) <= width), WORD_LEAST)
    widths = [column.least(text_least) for column in columns]
    spare = width - sum(widths) - GAP * (len(columns) - 1)
    for at, column in enumerate(columns):
        if column.is_text and spare > 0:
            more = min(spare, max(0, column.widest - widths[at]))
            widths[at] += more
            spare -= more
    texts = [at for at, column in enumerate(columns) if column.is_text]
    if spare < 0 and texts:  # a word that cannot be broken further: fold it
        longest = max(texts, key=widths.__getitem__)
        widths[longest] = max(WORD_LEAST, widths[longest] + spare)
    return Part(tuple(columns), tuple(widths))


def _split(columns: Sequence[Column], keys: int, width: int) -> list[list[Column]]:
    """Divide columns into parts that fit, each beginning with the first ones. keys: how many of these."""
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
    """A square table with abbreviations as headings, beside the names of the rows, and the unit in the caption."""
    names, *others = columns
    short = abbreviations(names.cells)
    without = [replace(one, cells=tuple(cell.replace(f"{THIN}%", "") for cell in one.cells)) for one in others]
    if any(one != other for one, other in zip(others, without, strict=True)):
        caption += ", in %"
    head = [Column("", tuple(short), True, ()), names]
    for digits in (1, 0):
        found = [
            replace(one, heading=word, cells=tuple(_rounded(cell, digits) for cell in one.cells))
            for one, word in zip(without, short, strict=True)
        ]
        if _least([*head, *found], TEXT_LEAST) <= width:
            break
    return caption, [*head, *found]


def _rounded(cell: str, digits: int) -> str:
    """A cell of per cent with fewer decimals; marks behind it stay."""
    number = re.match(r"\d+\.\d+", cell)
    return cell if number is None else decimal(float(number[0]), digits) + cell[number.end() :]
