"""Write card sets as spreadsheets: an .xlsx file, or a folder with a CSV file for each sheet. See `analysis.cardsheets`.

A file appears complete or not at all. The text of the card file goes along, for the comments of a card file made from the
spreadsheet.
"""

from __future__ import annotations

import csv
import io
import os
from itertools import chain, count
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.utils.exceptions import IllegalCharacterError
from openpyxl.worksheet.datavalidation import DataValidation

from analysis.answer.cards import sources
from analysis.answer.files import ReportError, reason, temporary_files_in, write_bytes
from analysis.answer.tables import EXCEL, RISKY
from analysis.cardsheets.notation import SOURCE, Node
from analysis.cardsheets.reading import CELL_MAX, COMMENTED, ROWS_MAX, guarded
from analysis.cardsheets.sheets import NOTE, VALUE, Sheet, sheets_of
from analysis.data.card_text import text_of
from analysis.output.files import check_absent
from sim.durable import write_files
from sim.engine.cards import CardSet
from sim.engine.contract import Game

CHOICES_MAX = 255  # characters of a list of choices in an .xlsx file
WIDTH_LEAST, WIDTH_MOST = 8, 60  # characters
FILLS = {"rulebook": "DDEBF7", "publisher": "E2EFDA", "assumed": "FFF2CC", NOTE: "EDEDED"}  # colours of cells
ABOUT = (
    "A fairfight card set. Change numbers, add rows, then make a card folder from the saved file:",
    "    fairfight new {game} {folder} --from {file}",
    "    fairfight check {folder}",
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
    "Formulas are not evaluated: their stored values are used.",
)


def free_folder(game: Game) -> str:
    """Return the name of a folder that does not exist, for a card set made from a spreadsheet: my-arena, my-arena-2, ..."""
    first = f"my-{game.name}"
    names = chain([first], (f"{first}-{number}" for number in count(2)))
    return next(name for name in names if not os.path.lexists(name))


def write_xlsx(path: Path, game: Game, cards: CardSet, force: bool = False) -> None:
    """Write a card set as an .xlsx file. Raises ReportError if the file exists (unless `force`) or cannot be written."""
    if path.suffix.lower() != ".xlsx":
        raise ReportError(f"--xlsx {path}: a spreadsheet is written as .xlsx; name a file of this type")
    check_absent(path, force)
    book = Workbook()
    book.remove(book.active)
    about = book.create_sheet(f"{NOTE} about")
    about.column_dimensions["A"].width = 110
    for line in ABOUT:
        about.append([line.format(game=game.name, folder=free_folder(game), file=path.name)])
    about.append([f"{game.title}: {cards.title or cards.path.name}, {sources(cards)}."])
    numbers: list[list[Any]] = [["path", VALUE, SOURCE], *([item.path, item.value, item.source] for item in cards.provenance)]
    text = Sheet(COMMENTED, [[line] for line in text_of(game, cards).splitlines()])
    try:
        for sheet in [*sheets_of(game, cards.document), Sheet(f"{NOTE} numbers", numbers), text]:
            _fill_sheet(book.create_sheet(sheet.name), sheet)
    except IllegalCharacterError as error:
        raise ReportError(f"{path}: cannot hold the text {error}") from None
    content = io.BytesIO()  # the library cannot clean up after a full disk
    try:
        with temporary_files_in(path.parent):
            book.save(content)
    except OSError as error:
        raise ReportError(f"{path}: cannot be written ({reason(error)}); name a file in a writable folder") from None
    write_bytes(path, content.getvalue())


def _fill_sheet(page: Any, sheet: Sheet) -> None:
    """Write a sheet: headings frozen, widths set, text never taken for a formula, ranges and choices as rules of the columns."""
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
    files = {f"{sheet.name}.csv": _csv_text(sheet).encode(EXCEL) for sheet in sheets_of(game, cards.document)}
    try:
        write_files(folder, {**files, COMMENTED: text_of(game, cards).encode()})
    except OSError as error:
        raise ReportError(f"{folder}: cannot be written ({reason(error)}); name a folder that can be written") from None


def _csv_text(sheet: Sheet) -> str:
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerows([[guarded(cell) for cell in row] for row in sheet.rows])
    return buffer.getvalue()
