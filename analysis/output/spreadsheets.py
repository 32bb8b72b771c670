"""Card sets as spreadsheets: an .xlsx file, or a folder with a CSV file for each sheet, and back. See `analysis.output.sheets`.

A file appears complete or not at all. Nothing in a spreadsheet is evaluated: formulas are errors, macros and links are ignored.
"""

from __future__ import annotations

import csv
import io
import os
import tempfile
import zipfile
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.document.cards import sources
from analysis.document.model import RISKY, ReportError, reason
from analysis.output.files import check_absent, whole
from analysis.output.notation import NUMBER, SOURCE, Formula, Node, Unreadable
from analysis.output.sheets import NOTE, VALUE, Fault, Sheet, assembled, sheets_of
from sim.engine.cardfiles.paths import CardError
from sim.engine.cards import FILE_NAME, SIZE_MAX, CardSet
from sim.stopping import make_folder, writing

if TYPE_CHECKING:
    from sim.engine.contract import Game

CELL_MAX = 32_767  # characters of a cell, a limit of the format
ROWS_MAX, COLUMNS_MAX = 20_000, 200  # of a sheet that is read
FILE_MAX, UNPACKED_MAX = 10_000_000, 100_000_000  # bytes of an .xlsx file, packed and unpacked
PROBLEMS_SHOWN = 20
CHOICES_MAX = 255  # characters of a list of choices in an .xlsx file
WIDTH_LEAST, WIDTH_MOST = 8, 60  # characters
FILLS = {"rulebook": "DDEBF7", "publisher": "E2EFDA", "assumed": "FFF2CC", NOTE: "EDEDED"}  # colours of cells
ABOUT = (
    "A fairfight card set. Change numbers, add rows, then make a card folder from the saved file:",
    "    fairfight new {game} my-{game} --from {file}",
    "    fairfight check my-{game}",
    "",
    "Sheets and columns whose names begin with # are for reading only: they are not read back.",
    "The heading of a column has the allowed range after the name of the field.",
    "An empty cell means that the field is not given, so that its default applies; [] is an empty list.",
    "Lists: 1, 3, 5. Lists of lists: [0, -3], [3, 0]. Effects: no_damage, slow {{n = 2}}.",
    'Text that looks like a number or has special characters is quoted within a list: "3".',
    "",
    "Every number needs a source: rulebook, publisher or assumed, as the colour of its cell shows.",
    "    source = assumed holds for all numbers of a row; move = assumed, energy = rulebook names them one by one.",
    "Blue cells are from the rulebook, green ones were published elsewhere, yellow ones are assumed.",
    "",
    "Formulas are refused: enter values.",
)


def write_xlsx(path: Path, game: Game, cards: CardSet, force: bool = False) -> None:
    """Write a card set as an .xlsx file. Raises ReportError if the file exists (unless `force`) or cannot be written."""
    if path.suffix.lower() != ".xlsx":
        raise ReportError(f"--xlsx {path}: a spreadsheet is written as .xlsx; name a file of this type")
    check_absent(path, force)
    from openpyxl import Workbook
    from openpyxl.utils.exceptions import IllegalCharacterError

    book = Workbook()
    book.remove(book.active)
    about = book.create_sheet(f"{NOTE} about")
    about.column_dimensions["A"].width = 110
    for line in ABOUT:
        about.append([line.format(game=game.name, file=path.name)])
    about.append([f"{game.title}: {cards.title or cards.path.name}, {sources(cards)}."])
    numbers: list[list[Any]] = [["path", VALUE, SOURCE], *([item.path, item.value, item.source] for item in cards.provenance)]
    try:
        for sheet in [*sheets_of(game, cards.document), Sheet(f"{NOTE} numbers", numbers)]:
            _fill_sheet(book.create_sheet(sheet.name), sheet)
    except IllegalCharacterError as error:
        raise ReportError(f"{path}: cannot hold the text {error}") from None
    with whole(path) as temporary:
        book.save(temporary)


def _fill_sheet(page: Any, sheet: Sheet) -> None:
    """Write a sheet: headings frozen, widths set, text never taken for a formula, ranges and choices as rules of the columns."""
    from openpyxl.comments import Comment
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    for column, head in enumerate(sheet.rows[0]):
        read_only, node = sheet.name.startswith(NOTE) or head.startswith(NOTE), sheet.nodes.get(column, {})
        is_text = node.get("type") not in (None, "integer", "number")
        for row in range(len(sheet.rows)):
            colour = FILLS[NOTE] if read_only else FILLS.get(sheet.sources.get((row, column), ""))
            _fill_cell(page.cell(row + 1, column + 1), sheet.cell(row, column), colour, is_text)
        first = page.cell(1, column + 1)
        first.font = Font(bold=True, italic=read_only)
        if column in sheet.notes:
            first.comment = Comment(sheet.notes[column], "fairfight", height=120, width=320)
        letter, longest = get_column_letter(column + 1), max(len(sheet.text(row, column)) for row in range(len(sheet.rows)))
        page.column_dimensions[letter].width = min(WIDTH_MOST, max(WIDTH_LEAST, longest + 2))
        _add_rule(page, letter, node)
    page.freeze_panes = "B2"


def _fill_cell(cell: Any, value: Any, colour: str | None, is_text: bool) -> None:
    """Write a cell. is_text: what is typed into it stays text, rather than become a number or a date. Raises ReportError."""
    from openpyxl.styles import Alignment, PatternFill

    if isinstance(value, str):
        if len(value) > CELL_MAX:
            raise ReportError(f"cell {cell.coordinate}: has {len(value):,} characters; a cell holds {CELL_MAX:,}")
        cell.value, cell.data_type, cell.quotePrefix = value, "s", value.startswith(RISKY)
    elif value is not None:
        cell.value = value
    if is_text or isinstance(value, str):
        cell.number_format, cell.alignment = "@", Alignment(wrap_text=True, vertical="top")
    if colour:
        cell.fill = PatternFill("solid", fgColor=colour)


def _add_rule(target: Any, letter: str, node: Node) -> None:
    """Let the spreadsheet program refuse a number out of range, and offer the choices of a word."""
    from openpyxl.worksheet.datavalidation import DataValidation

    rule = None
    if node.get("type") == "integer" and {"minimum", "maximum"} <= set(node):
        rule = DataValidation("whole", operator="between", formula1=str(node["minimum"]), formula2=str(node["maximum"]))
        rule.error = f"a whole number from {node['minimum']} to {node['maximum']}"
    elif "enum" in node and all(isinstance(word, str) and "," not in word for word in node["enum"]):
        choices = ",".join(node["enum"])
        if len(choices) < CHOICES_MAX:
            rule = DataValidation("list", formula1=f'"{choices}"')
            rule.error = f"one of {', '.join(node['enum'])}"[:CHOICES_MAX]
    if rule is not None:
        rule.allow_blank, rule.showErrorMessage, rule.showInputMessage = True, True, True
        rule.add(f"{letter}2:{letter}{ROWS_MAX}")
        target.add_data_validation(rule)


def write_csv(folder: Path, game: Game, cards: CardSet, force: bool = False) -> None:
    """Write a card set as a folder with a CSV file for each sheet, complete or not at all.

    Text that a spreadsheet program would take for a formula gets a leading apostrophe, which is removed when it is read. Raises
    ReportError if the folder has files (unless `force`) or cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise ReportError(f"--csv {folder}: is a file; name a folder, which gets a CSV file for each sheet")
    if not force and folder.exists() and any(folder.iterdir()):
        raise ReportError(f"--csv {folder}: has files already; name another folder, or overwrite them with --force")
    texts = {f"{sheet.name}.csv": _csv_text(sheet) for sheet in sheets_of(game, cards.document)}
    try:
        make_folder(folder.absolute().parent)
        with tempfile.TemporaryDirectory(dir=folder.absolute().parent, prefix=".fairfight-") as place:
            for name, text in texts.items():
                (Path(place) / name).write_bytes(text.encode("utf-8-sig"))  # with the mark by which Excel knows UTF-8
            with writing():
                folder.mkdir(exist_ok=True)
                for name in texts:
                    (Path(place) / name).replace(folder / name)
    except OSError as error:
        raise ReportError(f"{folder}: cannot be written ({reason(error)}); name a folder that can be written") from None


def _csv_text(sheet: Sheet) -> str:
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerows([[_guarded(cell) for cell in row] for row in sheet.rows])
    return buffer.getvalue()


def _guarded(cell: Any) -> Any:
    """A cell that a spreadsheet program does not take for a formula. Reversed by `_unguarded`."""
    if isinstance(cell, bool):
        return str(cell).lower()
    return (
        f"'{cell}"
        if isinstance(cell, str) and cell.lstrip("'").lstrip().startswith(RISKY) and not NUMBER.fullmatch(cell)
        else cell
    )


def _unguarded(text: str) -> Any:
    """A cell of a CSV file: None if it is empty, a Formula if it begins like one."""
    if text.startswith("'") and text.lstrip("'").lstrip().startswith(RISKY):
        return text[1:]
    if text.lstrip().startswith("="):
        return Formula(text)
    return text if text.strip() else None


def read_files(path: Path) -> list[Sheet]:
    """Read the sheets of an .xlsx file, or of a folder of CSV files. Raises CardError."""
    try:
        if path.is_dir():
            return _read_folder(path)
        if not path.exists():
            raise CardError(
                f"{path}: does not exist; give an .xlsx file or a folder of CSV files, as `fairfight cards` writes them"
            )
        if path.suffix.lower() not in (".xlsx", ".xlsm"):
            raise CardError(f"{path}: is not a spreadsheet; give an .xlsx file or a folder of CSV files")
        return _read_book(path)
    except OSError as error:
        raise CardError(f"{path}: cannot be read ({reason(error)})") from None


def _read_folder(folder: Path) -> list[Sheet]:
    files = sorted(one for one in folder.iterdir() if one.suffix.lower() == ".csv" and not one.name.startswith((NOTE, ".")))
    if not files:
        raise CardError(f"{folder}: has no CSV files; `fairfight cards GAME --csv DIR` writes them")
    return [Sheet(file.stem, _csv_rows(file)) for file in files]


def _csv_rows(file: Path) -> list[list[Any]]:
    if file.stat().st_size > FILE_MAX:
        raise CardError(f"{file}: is larger than {FILE_MAX:,} bytes; a sheet has about 10,000")
    content = file.read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        raise CardError(f"{file}: line {number} is not UTF-8; save the file as CSV UTF-8") from None
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=lambda mark: len(next(csv.reader([first], delimiter=mark), [])))
    try:
        lines = [*islice(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True), ROWS_MAX + 1)]
    except csv.Error as error:
        raise CardError(f"{file}: is not valid CSV: {error}") from None
    if len(lines) > ROWS_MAX:
        raise CardError(f"{file}: has more than {ROWS_MAX:,} rows")
    return [[_unguarded(cell) for cell in line] for line in lines]


def _read_book(path: Path) -> list[Sheet]:
    """Read the sheets of an .xlsx file; its macros and links are ignored."""
    if path.stat().st_size > FILE_MAX:
        raise CardError(f"{path}: is larger than {FILE_MAX:,} bytes; a card set has about 50,000")
    from openpyxl import load_workbook

    try:
        with zipfile.ZipFile(path) as archive:
            if sum(one.file_size for one in archive.infolist()) > UNPACKED_MAX:
                raise CardError(f"{path}: unpacks to more than {UNPACKED_MAX:,} bytes; a card set has about 500,000")
        with path.open("rb") as stream:
            book = load_workbook(stream, read_only=True, keep_links=False)
            read = []
            for page in book.worksheets:
                if page.title.startswith(NOTE):
                    continue
                page.reset_dimensions()  # what a file states about itself may be wrong
                rows = [[_of_cell(cell) for cell in row[:COLUMNS_MAX]] for row in islice(page.iter_rows(), ROWS_MAX + 1)]
                if len(rows) > ROWS_MAX and any(cell is not None for cell in rows[-1]):
                    raise CardError(f"{path}: sheet {page.title} has more than {ROWS_MAX:,} rows")
                read.append(Sheet(page.title, rows))
            return read
    except (CardError, OSError, MemoryError):
        raise
    except Exception:  # a damaged file fails anywhere in the library, with any exception
        raise CardError(f"{path}: is not a readable .xlsx file; open it in a spreadsheet program and save it again") from None


def _of_cell(cell: Any) -> Any:
    """The value of a cell of an .xlsx file."""
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


def read_cards(path: Path, game: Game) -> dict[str, Any]:
    """Return the document of a card file from a spreadsheet, see `read_files`.

    Raises CardError with a line for each problem: sheet, cell, value, what is wrong and what would be right.
    """
    sheets = read_files(path)
    try:
        document, faults = assembled(game, sheets)
    except CardError as error:
        raise CardError(f"{path}: {error}") from None
    if faults:
        lines = [_line(path, fault) for fault in faults[:PROBLEMS_SHOWN]]
        more = len(faults) - PROBLEMS_SHOWN
        raise CardError("\n".join([*lines, *([f"{path}: and {more} more problems"] if more > 0 else [])]))
    return document


def _line(path: Path, fault: Fault) -> str:
    """One line for a fault."""
    file = f"{path / fault.sheet}.csv" if path.is_dir() else f"{path}: sheet {fault.sheet}"
    where = f"{': ' if path.is_dir() else ', '}{fault.where}" if fault.where else ""
    return f"{file}{where}: {fault.wrong}{f'; {fault.right}' if fault.right else ''}"


def write_set(text: str, folder: Path, force: bool = False) -> Path:
    """Write the text of a card file to a folder; returns the new file, which is complete or not there at all.

    Raises CardError if the folder has a card file (unless `force`) or cannot be written.
    """
    target = folder / FILE_NAME
    if len(text.encode()) > SIZE_MAX:
        raise CardError(f"{target}: would be larger than {SIZE_MAX:,} bytes, the limit of a card file")
    if not force and os.path.lexists(target):
        raise CardError(f"{target}: exists already; name another folder, or overwrite it with --force")
    if folder.exists() and not folder.is_dir():
        raise CardError(f"{folder}: is a file; name a folder")
    try:
        make_folder(folder)
        with whole(target) as temporary:
            temporary.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise CardError(f"{folder}: cannot be written ({reason(error)}); name a folder that can be written") from None
    return target
