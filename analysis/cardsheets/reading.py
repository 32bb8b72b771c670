"""Read a card set from a spreadsheet: an .xlsx file, or a folder with a CSV or TSV file for each sheet (see `cardsheets.sheets`).

Nothing in a spreadsheet is evaluated: a formula counts as the value that the spreadsheet program stored beside it; macros and
links are ignored. Sizes are checked while reading, because a small file can unpack to gigabytes.
"""

from __future__ import annotations

import csv
import io
import os
import re
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from analysis.answer.files import reason
from analysis.answer.model import Notice
from analysis.answer.tables import RISKY
from analysis.cardsheets.notation import NUMBER, Formula, Unreadable
from analysis.cardsheets.sheets import CARD_SET, FAULTS_MAX, NOTE, Fault, Sheet, assembled, cell_name
from sim.engine import cards
from sim.engine.cardfiles.paths import CardError, problem_list, word_shown
from sim.engine.cards import FILE_NAME, CardSet, parsed
from sim.weights import loaded, remade

if TYPE_CHECKING:
    from openpyxl import Workbook

    from sim.engine.contract import Game

CELL_MAX = 32_767  # characters of a cell, a limit of the format
ROWS_MAX, COLUMNS_MAX = 20_000, 200  # of a sheet
SHEETS_MAX = 100
FILLED_MAX = 200_000  # cells with a value, of all sheets; a card file has at most 100,000 values
CELLS_MAX = 1_000_000  # cells of all sheets, including empty ones
FILE_MAX = 5_000_000  # bytes of a file
UNPACKED_MAX, PART_MAX = 5_000_000, 1_000_000  # bytes of an .xlsx file, unpacked, and of each part without cells
OF_CELLS = ("xl/worksheets/", "xl/sharedStrings")  # parts with cells
FORMULAS_SHOWN = 5
SUFFIXES = (".xlsx", ".xlsm")
TEXT_SUFFIXES = (".csv", ".tsv")
OTHER_SUFFIXES = (".xls", ".xlsb", ".ods", ".numbers")  # of spreadsheets that are not read
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # byte order marks
SEPARATOR = re.compile(r'"?sep=([,;\t|])"?[,;\t|]*\n')  # a first line by which Excel knows how cells are separated
SHEET_ELEMENT = re.compile(rb"<(?:\w+:)?sheet\s")
COMMENTED = f"{NOTE} {FILE_NAME}"  # the card file that a spreadsheet was made of, for its comments


@dataclass(frozen=True)
class Spreadsheet:
    """A card set from a spreadsheet. document: of the card file. template: text of the card file that it was made of, if known.

    notes: what the user should know, in sentences.
    """

    document: dict[str, Any]
    template: str | None
    notes: tuple[str, ...]


def is_spreadsheet(path: Path) -> bool:
    """Whether a path is an .xlsx file, or a folder of CSV files and no card file."""
    if path.suffix.lower() in SUFFIXES:
        return os.path.isfile(path)  # noqa: PTH113 - never raises, unlike Path.is_file
    try:
        return path.is_dir() and not (path / FILE_NAME).exists() and any(_csv_files(path))
    except OSError:
        return False


def loaded_set(game: Game, path: Path | None) -> CardSet:
    """Return the card set of a folder, card file or spreadsheet, or the reference set. Raises CardError.

    A spreadsheet has no weights: those of the game apply. Notes on it are warnings of the class `Notice`.
    """
    if path is None or not is_spreadsheet(path):
        _check_suffix(path)
        return loaded(game, path)
    spreadsheet = read_spreadsheet(path, game)
    for note in spreadsheet.notes:
        warnings.warn(note, Notice, stacklevel=2)
    return replace(remade(game, spreadsheet.document, game.load(None)), path=path)


def read_spreadsheet(path: Path, game: Game) -> Spreadsheet:
    """Read a card set.

    Raises CardError with a line for each problem: sheet, cell, value, what is wrong and what would be right.
    """
    sheets, template = _sheets_of(path)
    try:
        document, faults, ignored = assembled(game, sheets)
    except CardError as error:
        raise CardError(f"{path}: {str(error).removeprefix('document: ')}") from None
    if faults:
        total = f"{len(faults)}{' or more' if len(faults) >= FAULTS_MAX else ''}"
        raise CardError(problem_list(path, [_line(path, fault) for fault in faults], total))
    notes = [f"{_place(path, name)}: is not part of a card set and is ignored" for name in ignored]
    return Spreadsheet(document, template, (*_notes_on_formulas(path, sheets), *notes))


def game_of(path: Path) -> str:
    """Return the name of the game of a card folder, card file or spreadsheet. Raises CardError if it does not name it."""
    if not is_spreadsheet(path):
        _check_suffix(path)
        return cards.game_of(path)
    sheets, _ = _sheets_of(path)
    for sheet in sheets:
        if sheet.name == CARD_SET:
            for row in sheet.filled():
                if sheet.text(row, 0) == "game":
                    return sheet.text(row, 1)
    raise CardError(f"{path}: does not name its game; the sheet {CARD_SET} has the row game")


def _check_suffix(path: Path | None) -> None:
    """Raise CardError for a file that is only one sheet, or a spreadsheet of another kind."""
    suffix = path.suffix.lower() if path else ""
    if path is None or suffix not in (*TEXT_SUFFIXES, *OTHER_SUFFIXES) or not os.path.isfile(path):  # noqa: PTH113 - as above
        return
    if suffix in OTHER_SUFFIXES:
        raise CardError(f"{path}: is a spreadsheet of a kind that is not read; save it as .xlsx")
    raise CardError(f"{path}: is only one sheet of a card set; give the folder that holds all of them, or an .xlsx file")


def _line(path: Path, fault: Fault) -> str:
    """Return a fault as a line of a message."""
    where = f"{': ' if path.is_dir() else ', '}{fault.where}" if fault.where else ""
    return f"{_place(path, fault.sheet)}{where}: {fault.wrong}{f'; {fault.right}' if fault.right else ''}"


def _place(path: Path, sheet: str) -> str:
    """Return the words for a sheet of a spreadsheet."""
    if not path.is_dir():
        return f"{path}: sheet {word_shown(sheet)}"
    suffix = ".tsv" if (path / f"{sheet}.tsv").is_file() else ".csv"
    return f"{path}/{word_shown(sheet)}{suffix}"


def _notes_on_formulas(path: Path, sheets: Iterable[Sheet]) -> list[str]:
    """Return a note that names the cells whose stored values are used, if there are any."""
    cells = [f"{word_shown(sheet.name)} {cell_name(row, column)}" for sheet in sheets for row, column in sheet.formulas]
    if not cells:
        return []
    named = ", ".join(cells[:FORMULAS_SHOWN])
    others = f" and {len(cells) - FORMULAS_SHOWN:,} more" if len(cells) > FORMULAS_SHOWN else ""
    return [f"{path}: formulas are not evaluated; their stored values are used ({named}{others})"]


def _sheets_of(path: Path) -> tuple[list[Sheet], str | None]:
    """Return the sheets of a spreadsheet that are read back, and the text of the card file it was made of, if known."""
    try:
        if path.is_dir():
            return _read_folder(path)
        if not path.exists():
            raise CardError(
                f"{path}: does not exist; give an .xlsx file or a folder of CSV files, as `fairfight cards` writes them"
            )
        _check_suffix(path)
        if path.suffix.lower() not in SUFFIXES:
            raise CardError(f"{path}: is not a spreadsheet; give an .xlsx file or a folder of CSV files")
        return _read_book(path)
    except OSError as error:
        raise CardError(f"{path}: cannot be read ({reason(error)})") from None


class _Bounds:
    """Limits of the cells of a spreadsheet, counted over its sheets."""

    def __init__(self) -> None:
        self.filled = 0
        self.cells = 0

    def rows_of(self, place: str, rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
        """Return the rows of a sheet up to the last filled one, each up to its last filled cell. Raises CardError."""
        kept: list[list[Any]] = []
        for number, row in enumerate(rows, 1):
            cells = list(row)
            self.cells += len(cells) + 1
            while cells and cells[-1] is None:
                cells.pop()
            self.filled += len(cells) - cells.count(None)
            if self.filled > FILLED_MAX:
                raise CardError(f"{place}: has too many cells; a card set has at most {FILLED_MAX:,} cells with values")
            if self.cells > CELLS_MAX:
                raise CardError(f"{place}: has too many cells, counting empty ones; delete empty rows and columns")
            if cells:
                self._check(place, number, cells)
                kept += ([] for _ in range(number - 1 - len(kept)))
                kept.append(cells)
        return kept

    @staticmethod
    def _check(place: str, number: int, cells: Sequence[Any]) -> None:
        """Raise CardError for a row that is too far down, too wide, or has a cell that is too long."""
        if number > ROWS_MAX:
            raise CardError(f"{place}: row {number:,} has values; a sheet has at most {ROWS_MAX:,} rows")
        if len(cells) > COLUMNS_MAX:
            last = cell_name(number - 1, len(cells) - 1)
            raise CardError(f"{place}: cell {last} has a value; a sheet has at most {COLUMNS_MAX} columns")
        for column, cell in enumerate(cells):
            length = len(cell) if isinstance(cell, str) else 0
            if length > CELL_MAX:
                name = cell_name(number - 1, column)
                raise CardError(f"{place}: cell {name} has {length:,} characters; a cell has at most {CELL_MAX:,}")


# ---- CSV files --------------------------------------------------------------------------------------------------------


def _csv_files(folder: Path) -> Iterator[Path]:
    """Yield the CSV and TSV files of a folder that are read back."""
    return (file for file in folder.iterdir() if file.suffix.lower() in TEXT_SUFFIXES and not file.name.startswith((NOTE, ".")))


def _read_folder(folder: Path) -> tuple[list[Sheet], str | None]:
    """Read the sheets of a folder of CSV files, and the card file that they were made of."""
    files = sorted(_csv_files(folder))
    if not files:
        raise CardError(f"{folder}: has no CSV files; `fairfight cards GAME --csv DIR` writes them")
    if len(files) > SHEETS_MAX:
        raise CardError(f"{folder}: has {len(files):,} CSV files; a card set has at most {SHEETS_MAX}")
    by_name: dict[str, Path] = {}
    for file in files:
        other = by_name.setdefault(file.stem, file)
        if other is not file:
            raise CardError(f"{folder}: {other.name} and {file.name} are the same sheet; delete one of them")
    bounds = _Bounds()
    sheets = [Sheet(file.stem, bounds.rows_of(str(file), _csv_rows(file))) for file in files]
    template = folder / COMMENTED
    return sheets, _template(_content(template), template) if template.is_file() else None


def _content(file: Path) -> bytes:
    """Return the bytes of a file. Raises CardError if there are too many."""
    with file.open("rb") as stream:
        content = stream.read(FILE_MAX + 1)
    if len(content) > FILE_MAX:
        raise CardError(f"{file}: is larger than {FILE_MAX:,} bytes; a card set has about 50,000")
    return content


def _csv_rows(file: Path) -> Iterator[list[Any]]:
    """Yield the rows of a CSV file. Cells are separated by commas, semicolons or tabs; lines end as on any system."""
    content = _content(file)
    try:
        text = decoded(content)
    except UnicodeDecodeError as error:
        number = len((content[: error.start] + b".").splitlines())
        raise CardError(f"{file}: line {number} is not UTF-8; save the file as CSV UTF-8") from None
    separator = SEPARATOR.match(text)
    text = text[separator.end() :] if separator else text
    try:
        delimiter = separator[1] if separator else _delimiter(text.partition("\n")[0])
        for line in csv.reader(io.StringIO(text), delimiter=delimiter, strict=True):
            yield [_csv_cell(cell) for cell in line]
    except csv.Error as error:
        raise CardError(f"{file}: is not valid CSV: {error}") from None


def decoded(content: bytes) -> str:
    """Return text in UTF-8, or in UTF-16 as "Unicode text" of Excel, with every end of a line as a line feed.

    Raises UnicodeDecodeError.
    """
    encoding = "utf-16" if content.startswith(UTF_16) else "utf-8-sig"
    return io.StringIO(content.decode(encoding), newline=None).read()


def _delimiter(heading: str) -> str:
    """Return the character that separates the most headings."""
    return max(",;\t", key=lambda mark: len(next(csv.reader([heading], delimiter=mark), [])))


def guarded(cell: Any) -> Any:
    """Return a cell for a CSV file that a spreadsheet program does not take for a formula. Reversed when it is read."""
    if isinstance(cell, bool):
        return str(cell).lower()
    is_risky = isinstance(cell, str) and cell.lstrip("'").lstrip().startswith(RISKY) and not NUMBER.fullmatch(cell)
    return f"'{cell}" if is_risky else cell


def _csv_cell(text: str) -> Any:
    """Return a cell of a CSV file: None if it is empty, a Formula if it begins like one."""
    if text.startswith("'") and text.lstrip("'").lstrip().startswith(RISKY):
        return text[1:]
    if text.lstrip().startswith("="):
        return Formula(text)
    return text if text.strip() else None


# ---- Workbooks --------------------------------------------------------------------------------------------------------


def _read_book(path: Path) -> tuple[list[Sheet], str | None]:
    """Read the sheets of an .xlsx file, and the card file that it was made of."""
    try:
        _check_parts(path)
        sheets = _pages(path, stored=False)
        if any(isinstance(cell, Formula) for sheet in sheets for row in sheet.rows for cell in row):
            for sheet, values in zip(sheets, _pages(path, stored=True), strict=True):
                _use_stored(sheet, values)
    except (CardError, OSError):
        raise
    except Exception:  # a damaged file fails anywhere in the library, with any exception
        raise CardError(f"{path}: is not a readable .xlsx file; open it in a spreadsheet program and save it again") from None
    lines = [row[0] if row else "" for sheet in sheets if sheet.name == COMMENTED for row in sheet.rows]
    template = "".join(f"{line}\n" for line in lines)
    return [sheet for sheet in sheets if not sheet.name.startswith(NOTE)], _template(template.encode(), path)


def _check_parts(path: Path) -> None:
    """Raise CardError for an .xlsx file that would take too much memory or time."""
    if path.stat().st_size > FILE_MAX:
        raise CardError(f"{path}: is larger than {FILE_MAX:,} bytes; a card set has about 50,000")
    with zipfile.ZipFile(path) as archive:
        parts = archive.infolist()
        if sum(part.file_size for part in parts) > UNPACKED_MAX:
            usual = "a card set has about 200,000; remove pictures and other sheets"
            raise CardError(f"{path}: unpacks to more than {UNPACKED_MAX:,} bytes; {usual}")
        for part in parts:
            if part.file_size > PART_MAX and not part.filename.startswith(OF_CELLS):
                name, size = word_shown(part.filename), part.file_size
                raise CardError(f"{path}: its part {name} unpacks to {size:,} bytes; at most {PART_MAX:,} are allowed")
        sheets = sum(len(SHEET_ELEMENT.findall(archive.read(part))) for part in parts)
        if sheets > SHEETS_MAX:
            raise CardError(f"{path}: has {sheets:,} sheets; a card set has at most {SHEETS_MAX}")


def _pages(path: Path, *, stored: bool) -> list[Sheet]:
    """Return the sheets of an .xlsx file, except notes. stored: with the stored values of formulas in place of the formulas."""
    bounds, sheets = _Bounds(), []
    with path.open("rb") as stream, opened_book(stream, stored=stored) as book:
        for page in book.worksheets:
            if page.title == COMMENTED or not page.title.startswith(NOTE):
                page.reset_dimensions()  # what a file states about itself may be wrong
                rows = ([_book_cell(cell) for cell in row] for row in page.iter_rows())
                sheets.append(Sheet(page.title, bounds.rows_of(_place(path, page.title), rows)))
    return sheets


@contextmanager
def opened_book(stream: BinaryIO, *, stored: bool) -> Iterator[Workbook]:
    """Open an .xlsx file to read its cells. stored: formulas count as the values that are stored beside them."""
    from openpyxl import load_workbook  # noqa: PLC0415 - takes a quarter of a second to import

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about parts that the library does not keep when it writes
        book = load_workbook(stream, read_only=True, keep_links=False, data_only=stored)
        try:
            yield book
        finally:
            book.close()


def _book_cell(cell: Any) -> Any:
    """Return the value of a cell of an .xlsx file."""
    value = cell.value
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if cell.data_type == "f" or hasattr(value, "ref"):
        return Formula(str(getattr(value, "text", value)))
    if cell.data_type == "e":
        return Unreadable("an error value", str(value))
    if not isinstance(value, (str, int, float, bool)):
        return Unreadable("a date or a time", str(value))
    return value


def _use_stored(sheet: Sheet, values: Sheet) -> None:
    """Put stored values in the place of formulas. A formula without one stays, and will be refused."""
    for row, cells in enumerate(sheet.rows):
        for column, cell in enumerate(cells):
            if isinstance(cell, Formula) and row < len(values.rows):
                value = values.cell(row, column)
                if value is not None:
                    cells[column] = value
                    sheet.formulas.append((row, column))


def _template(content: bytes, file: Path) -> str | None:
    """Return the text of a card file; None if it is empty or damaged."""
    try:
        return content.decode("utf-8-sig") if parsed(content, file) else None
    except CardError:
        return None
