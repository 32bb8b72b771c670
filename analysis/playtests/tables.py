"""Read a file as tables of text: headings, columns and the line of each row.

Text files can use any usual separator and encoding. Nothing in a spreadsheet is evaluated: a formula counts as the value that the
spreadsheet program stored beside it. Sizes are checked first, because a small file can unpack to gigabytes.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from analysis.answer.files import reason
from analysis.answer.numbers import count, word
from analysis.cardsheets.reading import CELL_MAX, SEPARATOR, SHEET_ELEMENT, SHEETS_MAX, UTF_16, opened_book
from analysis.cardsheets.reading import SUFFIXES as BOOKS
from analysis.cardsheets.sheets import NOTE
from analysis.data.names import LOGS
from analysis.playtests.values import Texts, missing, per_value, plain, spelling

TEXTS = (".csv", ".tsv", ".txt")
LINES_OF_JSON = (".jsonl", ".ndjson", ".json")
FILE_MAX = 50_000_000  # bytes
UNPACKED_MAX = 500_000_000  # bytes of an .xlsx or Parquet file, unpacked
ROWS_MAX, COLUMNS_MAX = 1_000_000, 500
CELLS_MAX = 20_000_000  # of a spreadsheet, including empty ones
SEPARATORS = ",;\t|"
SAMPLE = 20  # rows that are looked at for the separator
CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
ENCRYPTED = b"\xd0\xcf\x11\xe0"  # first bytes of encrypted .xlsx files, and of .xls files
TOTALS = {
    *("total", "totals", "sum", "sums", "average", "averages", "summe", "gesamt", "mittelwert", "durchschnitt"),
    *("somme", "moyenne", "suma", "promedio"),
}
ERROR_VALUES = re.compile(r"#(?:REF!|DIV/0!|NAME\?|VALUE!|NULL!|NUM!|N/A)")
UNSAVED_FORMULA = re.compile(rb'<c r="([A-Z]+\d+)"(?![^>]*t="str")[^>]*><f[^>]*>[^<]*</f>(?:<v ?/>|<v></v>)?</c>')
Row = tuple[int, list[str]]  # line of the file and cells


@dataclass(frozen=True, eq=False)
class Table:
    """A table of a file. lines: of the file, or rows of a sheet, or numbers of records, as `word` says.

    columns: an object array of text for each heading, with "" for empty cells. notes: what is ignored, in phrases.
    """

    path: Path
    sheet: str
    word: str
    headings: tuple[str, ...]
    columns: tuple[Texts, ...]
    lines: NDArray[np.int64]
    notes: tuple[str, ...]

    def error(self, wrong: str, line: int = 0, column: int | None = None) -> ValueError:
        """Return an error with the place of a mistake. line: 0 for none; column: number of a heading."""
        heading = "" if column is None else self.headings[column]
        return mistake(self.path, wrong, self.sheet, f"{self.word} {line}" if line else "", heading)

    def lines_of(self, rows: Any) -> str:
        """Return the words for lines: `line 17`, `lines 17 and 40`. rows: numbers of rows or flags."""
        return line_words(np.unique(self.lines[rows]), self.word)


def read_tables(path: Path) -> tuple[list[Table], list[str]]:
    """Return the tables of a file that have rows: one, or the sheets of a spreadsheet, except those whose names begin with #.

    Second: the names of sheets with rows that are no tables. Raises ValueError, with the line where there is one, if there is no
    table.
    """
    suffix = path.suffix.lower()
    if suffix not in LOGS:
        raise mistake(path, f"is not a log of games; its name must end with {', '.join(LOGS[:-1])} or {LOGS[-1]}")
    content = _content(path)
    if suffix in BOOKS:
        return _tables_of_book(path, content)
    if suffix == ".parquet":
        table = _table(path, "", "row", _parquet_rows(path, content))
    elif suffix in LINES_OF_JSON:
        table = _table(path, "", *_json_rows(path, _text(path, content)))
    else:
        table = _table(path, "", "line", _separated_rows(path, _text(path, content)))
    return [table], []


def read_rows(path: Path, contents: str) -> tuple[list[Row], str]:
    """Return the filled rows of a text file or of the first sheet of a spreadsheet that has any, and the name of that sheet.

    The name is "" if no other sheet has rows. contents: of the file, in words, for messages. Raises ValueError.
    """
    content = _content(path, contents)
    if path.suffix.lower() not in BOOKS:
        lines = _separated_rows(path, _text(path, content))
        return [line for line in lines if any(cell.strip() for cell in line[1])], ""
    sheets = [(sheet, rows) for sheet, rows in _sheets(path, content) if rows]
    if not sheets:
        raise mistake(path, f"has no sheet with values; {contents}")
    sheet, rows = sheets[0]
    return rows, sheet if len(sheets) > 1 else ""


def mistake(path: Path, wrong: str, sheet: str = "", line: str = "", heading: str = "") -> ValueError:
    """Return an error that names the file, the sheet, the line and the heading of the column, as far as there are any."""
    parts = [f"sheet {word(sheet)}" if sheet else "", line, f'column "{word(heading)}"' if heading else ""]
    place = ", ".join(part for part in parts if part)
    return ValueError(f"{path}: {place}: {wrong}" if place else f"{path}: {wrong}")


def line_words(lines: Sequence[int] | NDArray[np.int64], what: str, most: int = 5) -> str:
    """Return the words for numbers of lines: `line 17`, `lines 17 and 40`, `lines 1, 2, 3, 4, 5 and 7 more`."""
    numbers = [str(line) for line in lines[:most]]
    if len(lines) > most:
        numbers.append(f"{count(len(lines) - most)} more")
    if len(numbers) == 1:
        return f"{what} {numbers[0]}"
    return f"{what}s {', '.join(numbers[:-1])} and {numbers[-1]}"


def _tables_of_book(path: Path, content: bytes) -> tuple[list[Table], list[str]]:
    """Return the tables of a spreadsheet. Raises ValueError if no sheet has one, with what is wrong with the first."""
    tables: list[Table] = []
    errors: dict[str, ValueError] = {}
    for sheet, rows in _sheets(path, content):
        try:
            tables.append(_table(path, sheet, "row", rows))
        except ValueError as error:
            if rows:
                errors[sheet] = error
    if not tables:
        raise next(iter(errors.values()), mistake(path, "has no sheet with values"))
    return tables, list(errors)


def _content(path: Path, contents: str = "a log has a line of headings and a line for each game or player") -> bytes:
    """Return the bytes of a file that is not too large. contents: what is in such a file, for the message on an empty one."""
    try:
        with path.open("rb") as stream:
            content = stream.read(FILE_MAX + 1)
    except (OSError, ValueError) as error:  # ValueError: a path that cannot be one
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise mistake(path, f"cannot be read ({why}); give a file that exists and is readable") from None
    if len(content) > FILE_MAX:
        raise mistake(path, f"is larger than {count(FILE_MAX)} bytes; split it, or keep only the columns of the log")
    if not content.strip():
        raise mistake(path, f"is empty; {contents}")
    return content


# ---- From rows to a table ----------------------------------------------------------------------------------------------


def _table(path: Path, sheet: str, what: str, rows: Iterable[Row]) -> Table:
    """Return the table of rows of cells, the first of which with two cells has the headings.

    Raises ValueError if it has no rows, and for rows that do not fit the headings.
    """
    body, notes = _without_comments(path, sheet, what, rows)
    if not body:
        raise mistake(path, "has no table with two or more columns; separate columns by commas, semicolons or tabs", sheet)
    line, first = body.pop(0)
    headings = _headings(path, sheet, f"{what} {line}", first)
    if not body:
        raise mistake(path, "has headings and no games; add a row for each game or player", sheet, f"{what} {line}")
    columns = _columns(path, sheet, what, body, len(headings))
    lines = np.array([line for line, _ in body], np.int64)
    games = _without_totals(columns, len(body))
    if games < len(body):
        notes.append(f"{line_words(lines[games:], what)} {'is a total' if games == len(body) - 1 else 'are totals'}")
    if not games:
        raise mistake(path, "has totals and no games; add a row for each game or player", sheet)
    table = Table(path, sheet, what, headings, tuple(column[:games] for column in columns), lines[:games], tuple(notes))
    _check_cells(table)
    return table


def _without_comments(path: Path, sheet: str, what: str, rows: Iterable[Row]) -> tuple[list[Row], list[str]]:
    """Return filled rows without comments and without titles above the headings, and notes on these."""
    body: list[Row] = []
    comments: list[int] = []
    titles: list[int] = []
    for line, cells in rows:
        texts = [cell for cell in cells if cell and not cell.isspace()]
        start = texts[0].lstrip() if texts else ""
        if start.startswith(("# ", "//")) or (start.startswith("#") and len(texts) == 1):
            comments.append(line)
        elif len(texts) == 1 and not body:
            titles.append(line)
        elif texts:
            body.append((line, cells))
        if len(body) > ROWS_MAX:
            raise mistake(path, f"has more than {count(ROWS_MAX)} rows; split it into several files", sheet)
    notes = []
    if comments:
        notes.append(f"{line_words(comments, what)} {'is a comment' if len(comments) == 1 else 'are comments'}")
    if titles:
        notes.append(f"{line_words(titles, what)} above the headings {'is' if len(titles) == 1 else 'are'} ignored")
    return body, notes


def _headings(path: Path, sheet: str, place: str, cells: Sequence[str]) -> tuple[str, ...]:
    """Return headings up to the last one. Raises ValueError for too many columns and for duplicates."""
    headings = [spelling(cell).lstrip("\ufeff") for cell in cells]
    while headings and not headings[-1]:
        headings.pop()
    if len(headings) > COLUMNS_MAX:
        raise mistake(path, f"has {count(len(headings))} columns; at most {COLUMNS_MAX} are allowed", sheet, place)
    first: dict[str, str] = {}
    for heading in filter(None, headings):
        before = first.setdefault(heading.casefold(), heading)
        if before is not heading:
            right = f"number them, such as {heading} 1 and {heading} 2, or delete one"
            raise mistake(path, f"two columns have this heading; {right}", sheet, place, heading)
    return tuple(headings)


def _columns(path: Path, sheet: str, what: str, rows: Sequence[Row], width: int) -> list[Texts]:
    """Return columns of text with single spaces. Raises ValueError for a row with more cells than there are headings."""
    full = []
    for line, cells in rows:
        if len(cells) > width and any(cell.strip() for cell in cells[width:]):
            wrong = f"has {len(cells)} cells, but there are {width} headings"
            right = "put text that contains a separator in quotation marks"
            raise mistake(path, f"{wrong}; {right}", sheet, f"{what} {line}")
        full.append(cells if len(cells) == width else [*cells[:width], *[""] * (width - len(cells))])
    columns = []
    for texts in zip(*full, strict=True):
        column = np.empty(len(full), object)
        column[:] = texts
        columns.append(per_value(column, spelling, object))
    return columns


def _without_totals(columns: Sequence[Texts], rows: int) -> int:
    """Return the number of rows before totals at the end of a table."""
    while rows:
        first = next(column[rows - 1] for column in columns if column[rows - 1])
        if plain(first).rstrip(":") not in TOTALS:
            break
        rows -= 1
    return rows


def _check_cells(table: Table) -> None:
    """Raise ValueError for cells that are too long and for error values of a spreadsheet program."""
    for number, (heading, column) in enumerate(zip(table.headings, table.columns, strict=True)):
        wrong = per_value(column, lambda text: len(text) > CELL_MAX, bool)
        if wrong.any():
            line = int(table.lines[np.argmax(wrong)])
            raise table.error(f"a cell has more than {CELL_MAX:,} characters; check the quotation marks before it", line, number)
        errors = per_value(column, lambda text: bool(ERROR_VALUES.fullmatch(text)) and text != "#N/A", bool)
        if heading and errors.any():
            row = int(np.argmax(errors))
            wrong_value = f'"{column[row]}" is an error of the spreadsheet program; write the value in its place'
            raise table.error(wrong_value, int(table.lines[row]), number)


# ---- Text --------------------------------------------------------------------------------------------------------------


def _text(path: Path, content: bytes) -> str:
    """Return the text of a file in UTF-8, UTF-16 or the usual encoding of Windows, with any ends of lines as a line feed."""
    text = _decode(path, content)
    control = CONTROL.search(text)
    if control:
        line = text.count("\n", 0, control.start()) + 1
        raise mistake(path, "is not text; save it as CSV UTF-8 or as .xlsx", line=f"line {line}")
    return text


def _decode(path: Path, content: bytes) -> str:
    encodings = ["utf-8-sig", "cp1252"]
    if content.startswith(UTF_16):
        encodings = ["utf-16"]
    elif len(content) > 3 and not content[1:40:2].strip(b"\0"):
        encodings = ["utf-16-le"]
    for encoding in encodings:
        try:
            return io.StringIO(content.decode(encoding), newline=None).read()
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
    raise mistake(path, "is not text; save it as CSV UTF-8 or as .xlsx", line=f"line {line}")


def _separated_rows(path: Path, text: str) -> Iterator[Row]:
    """Yield the rows of a text file."""
    start = SEPARATOR.match(text)
    before = 1 if start else 0
    text = text[start.end() :] if start else text
    delimiter = start[1] if start else _delimiter(text, path.suffix.lower())
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True)
    line = 1
    try:
        for cells in reader:
            yield line + before, cells
            line = reader.line_num + 1
    except csv.Error as error:
        right = "close the quotation marks, and write quotation marks within a cell twice"
        raise mistake(path, f"is not valid CSV ({error}); {right}", line=f"line {line + before}") from None


def _delimiter(text: str, suffix: str) -> str:
    """Return the separator that gives most columns in most of the first rows."""
    sample = [line for line in islice(text.split("\n"), 4 * SAMPLE) if line.strip() and not line.startswith(("# ", "//"))][
        :SAMPLE
    ]
    order = "\t,;|" if suffix == ".tsv" else SEPARATORS

    def columns(mark: str) -> tuple[int, int]:
        try:
            widths = [len(row) for row in csv.reader(sample, delimiter=mark, skipinitialspace=True)]
        except csv.Error:
            return 0, 0
        usual = max(set(widths), key=lambda width: (widths.count(width), width), default=0)
        return (widths.count(usual), usual) if usual > 1 else (0, 0)

    best = {mark: columns(mark) for mark in order}
    return max(order, key=lambda mark: (best[mark][0] * 2 > len(sample), best[mark][1], best[mark][0]))


def _json_rows(path: Path, text: str) -> tuple[str, Iterator[Row]]:
    """Return the word for places and the rows of a file with a JSON object in each line, or of a JSON list of objects."""
    if text.lstrip().startswith("["):
        records = _json(path, text, 1)
        return "record", _object_rows(path, "record", list(enumerate(records, 1)))
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    return "line", _object_rows(path, "line", [(number, _json(path, line, number)) for number, line in lines])


def _json(path: Path, text: str, line: int) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        at = line + getattr(error, "lineno", 1) - 1
        wrong = "is not valid JSON; write an object in each line, or a list of objects"
        raise mistake(path, wrong, line=f"line {at}") from None


def _object_rows(path: Path, what: str, records: Sequence[tuple[int, Any]]) -> Iterator[Row]:
    """Yield a row with the keys of all objects, then a row for each object."""
    for line, record in records:
        if not isinstance(record, dict):
            raise mistake(path, 'is no JSON object, such as {"game": 1, "hero": "Ada", "won": true}', line=f"{what} {line}")
    keys = list(dict.fromkeys(chain.from_iterable(record for _, record in records)))
    if not records or not keys:
        return
    yield records[0][0], keys
    for line, record in records:
        for key, value in record.items():
            if isinstance(value, (dict, list)):
                raise mistake(path, "holds a list or an object; write a text or a number", line=f"{what} {line}", heading=key)
        yield line, [_as_text(record.get(key)) for key in keys]


def _as_text(value: Any) -> str:
    """Return a value of a spreadsheet, Parquet or JSON file as the text of a cell."""
    if value is None or value != value:  # noqa: PLR0124 - nan
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, float):
        return repr(value) if "e" in repr(value) else f"{value!r}0"  # a fourth decimal, or 1.234 could be read as 1234
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    return str(value)


# ---- Spreadsheets and Parquet --------------------------------------------------------------------------------------------


def _sheets(path: Path, content: bytes) -> Iterator[tuple[str, list[Row]]]:
    """Yield names and rows of the sheets of an .xlsx file, except notes."""
    if content.startswith(ENCRYPTED):
        raise mistake(path, "is encrypted, or an old .xls file; save it as .xlsx without a password")
    try:
        _check_parts(path, content)
        with opened_book(io.BytesIO(content), stored=True) as book:
            sheets = [(page.title, _sheet_rows(path, page)) for page in book.worksheets if not page.title.startswith(NOTE)]
    except ValueError as error:
        if str(error).startswith(str(path)):
            raise
        raise _damage(path, ".xlsx") from None
    except Exception:  # a damaged file fails anywhere in the library, with any exception
        raise _damage(path, ".xlsx") from None
    yield from (("" if len(sheets) == 1 else title, rows) for title, rows in sheets)


def _damage(path: Path, kind: str) -> ValueError:
    return mistake(path, f"is not a readable {kind} file; open it in a program that reads it, and save it again")


def _check_parts(path: Path, content: bytes) -> None:
    """Raise ValueError for an .xlsx file that would take too much memory or time."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = archive.infolist()
        if sum(part.file_size for part in parts) > UNPACKED_MAX:
            raise mistake(path, f"unpacks to more than {count(UNPACKED_MAX)} bytes; remove pictures and other sheets")
        book = next((part for part in parts if part.filename == "xl/workbook.xml"), None)
        sheets = len(SHEET_ELEMENT.findall(archive.read(book))) if book else 0
    if sheets > SHEETS_MAX:
        raise mistake(path, f"has {count(sheets)} sheets; at most {SHEETS_MAX} are allowed")


def _sheet_rows(path: Path, page: Any) -> list[Row]:
    """Return the filled rows of a sheet."""
    page.reset_dimensions()  # what a file states about itself may be wrong
    rows: list[Row] = []
    cells = 0
    for number, values in enumerate(page.iter_rows(values_only=True), 1):
        cells += len(values) + 1
        if number > ROWS_MAX + 1 or cells > CELLS_MAX:
            raise mistake(path, f"has more than {count(ROWS_MAX)} rows, counting empty ones; delete empty rows", page.title)
        if any(value is not None for value in values):
            rows.append((number, [_as_text(value) for value in values]))
    return rows


def _parquet_rows(path: Path, content: bytes) -> Iterator[Row]:
    """Yield a row with the names of the columns, then the rows of a Parquet file; the first of these is row 1."""
    try:
        file = pq.ParquetFile(io.BytesIO(content))
        facts = file.metadata
        size = sum(facts.row_group(group).total_byte_size for group in range(facts.num_row_groups))
        if facts.num_rows > ROWS_MAX or size > UNPACKED_MAX or facts.num_columns > COLUMNS_MAX:
            most = f"{count(ROWS_MAX)} rows, {COLUMNS_MAX} columns and {count(UNPACKED_MAX)} bytes"
            raise mistake(path, f"is too large; at most {most} are allowed")
        data = file.read()
        names = [str(name) for name in data.column_names]
        columns = [[_as_text(value) for value in column.to_pylist()] for column in data.columns]
    except ValueError as error:
        if str(error).startswith(str(path)):
            raise
        raise _damage(path, ".parquet") from None
    except Exception:  # a damaged file fails anywhere in the library, with any exception
        raise _damage(path, ".parquet") from None
    yield 0, names
    yield from enumerate(map(list, zip(*columns, strict=True)), 1)


def unsaved_formula(path: Path) -> str:
    """Return words on a cell of a spreadsheet with a formula and no stored value, as libraries write it; "" if there is none."""
    if path.suffix.lower() not in BOOKS:
        return ""
    with suppress(OSError, ValueError, zipfile.BadZipFile, zlib.error), zipfile.ZipFile(path) as archive:
        for part in archive.infolist():
            if part.filename.startswith("xl/worksheets/") and part.file_size <= FILE_MAX:
                cell = UNSAVED_FORMULA.search(archive.read(part))
                if cell:
                    right = "open the file in a spreadsheet program and save it"
                    return f"cell {cell[1].decode()} is a formula without a stored value, which counts as empty: {right}"
    return ""


def without_gaps(column: Texts) -> tuple[Texts, bool]:
    """Return a column whose empty cells hold the text above them, and whether there were any below a filled one."""
    empty = missing(column)
    if empty[0] or not empty.any():
        return column, False
    last = np.maximum.accumulate(np.where(empty, 0, np.arange(len(column))))
    return column[last], True
