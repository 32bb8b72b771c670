"""Files that commands write. The suffix decides the format, existing files are kept unless forced, stderr names each file.

Tables (`--csv`) and games (`--rows`) are written as .csv, .parquet, .json or .xlsx; charts (`--chart`) as .png, .svg or .pdf.
A file appears complete or not at all.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib.util import find_spec
from itertools import chain, repeat
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.answer.files import ReportError, reason, write_bytes, write_text
from analysis.answer.model import Section
from analysis.answer.numbers import Format, plain
from analysis.answer.tables import EXCEL, Table, csv_file, defused
from analysis.data.names import ALL
from analysis.output import terminal
from analysis.output.encoding import as_text
from sim.durable import filled_folder
from sim.registry import GAMES

if TYPE_CHECKING:  # most commands write no file
    import pyarrow as pa
    from matplotlib.figure import Figure

    from analysis.answer.model import Answer
    from sim.experiments.experiment import Experiment
    from sim.run import Block

TABLES = (".csv", ".parquet", ".json", ".xlsx")
CHARTS = (".png", ".svg", ".pdf")
KINDS = {"csv": ("a table", TABLES), "rows": ("every game", TABLES), "chart": ("a chart", CHARTS)}
SHEET_ROWS = 1_048_576  # of a spreadsheet, including the heading
SHEET_FORMATS: dict[Format, str] = {"percent": "0.0%", "points": "+0.0%;-0.0%;0.0%", "p": "0.0000"}


def check_files(force: bool = False, **files: Path | None) -> None:
    """Raise ReportError unless all requested files can be written. Call it before long work.

    files: path by option (see KINDS), None for options left out. force: allow overwriting existing files.
    """
    named = {option: path for option, path in files.items() if path is not None}
    for option, path in named.items():
        what, endings = KINDS[option]
        if path.suffix.lower() not in endings:
            raise ReportError(f"--{option} {path}: {what} is written as {listed(endings)}; name a file of this type")
        terminal.check_file(path)
        for file in (path, beside(path)) if option == "rows" and path.suffix.lower() == ".csv" else (path,):
            check_absent(file, force)
    for option, path in named.items():
        if twice := [other for other in named if other != option and named[other].resolve() == path.resolve()]:
            raise ReportError(f"--{option} {path} and --{twice[0]} {named[twice[0]]}: name two files")


def beside(path: Path) -> Path:
    """Path of the file that describes the columns of a CSV file of games."""
    return path.with_name(f"{path.stem}.columns.csv")


def check_absent(path: Path, force: bool) -> None:
    """Raise ReportError for an existing file unless `force` allows overwriting it."""
    if not force and os.path.lexists(path):
        raise ReportError(f"{path}: exists already and is left as it is; name another file, or overwrite it with --force")


def new_set(reference: Path, folder: Path, force: bool = False) -> Path:
    """Copy a card file into a folder, see `copy_reference`; with `force`, replace an existing one."""
    from sim.engine.cards import FILE_NAME, CardError, copy_reference

    target = folder / FILE_NAME
    try:
        return copy_reference(reference, folder, force)
    except CardError as error:
        hint = ", or overwrite it with --force" if target.is_file() and not force else ""
        raise CardError(f"{error}{hint}") from None


SKELETON = Path(__file__).with_name("skeleton")  # the distribution that `new_game` writes, each file with the suffix .txt
PLACEHOLDER = "my_game"  # in its file names and texts; also as my-game, My Game and MyGame
NEW_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*([_ -][A-Za-z0-9]+)*")
NAME_LENGTH = 40


def new_game(name: str, out: Path | None = None) -> Path:
    """Write a distribution with a small game, ready to be installed, played and changed; returns its folder.

    name: of the game, with letters, digits, hyphens, blanks and underscores. out: folder to create, by default the name with
    hyphens. Raises ReportError for a name that cannot be used, or an existing folder.
    """
    words = re.split(r"[_ -]", name.lower())
    module, folder = "_".join(words), out or Path("-".join(words))
    if not NEW_NAME.fullmatch(name) or len(name) > NAME_LENGTH:
        raise ReportError(
            f"name={name!r} must have at most {NAME_LENGTH} letters and digits, with single hyphens between words, as in my-game"
        )
    if module in GAMES:
        raise ReportError(f"name={name!r}: there is a game of this name already; choose another one")
    if module == ALL or iskeyword(module) or module in sys.stdlib_module_names or module in {"sim", "analysis", "tests"}:
        raise ReportError(f"name={name!r}: this word has another meaning in Python or fairfight; choose another one")
    installed = find_spec(module)
    if installed is not None and installed.origin is not None:  # a folder without __init__.py is no obstacle
        raise ReportError(f"name={name!r}: there is a Python package of this name already; choose another one")
    if os.path.lexists(folder):
        raise ReportError(f"{folder}: exists already and is left as it is; name another folder with --out DIR")
    forms = {PLACEHOLDER: module, "my-game": "-".join(words), "My Game": " ".join(words).title(), "MyGame": module.title()}
    forms["MyGame"] = forms["MyGame"].replace("_", "")
    try:
        with filled_folder(folder.parent), tempfile.TemporaryDirectory(dir=folder.parent, prefix=".fairfight-") as place:
            made = Path(place) / folder.name
            for file in sorted(SKELETON.rglob("*.txt")):
                target = made / _renamed(file.relative_to(SKELETON).with_suffix("").as_posix(), forms)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(_renamed(file.read_text("utf-8"), forms), "utf-8")
            made.replace(folder)
    except OSError as error:
        raise ReportError(f"{folder}: cannot be written ({reason(error)}); name another folder with --out DIR") from None
    return folder


def _renamed(text: str, forms: Mapping[str, str]) -> str:
    """Text with the name of a game in the place of the skeleton's."""
    return re.sub("|".join(forms), lambda match: forms[match[0]], text)


def listed(endings: Sequence[str]) -> str:
    """Join suffixes to a phrase: ".png, .svg or .pdf"."""
    return f"{', '.join(endings[:-1])} or {endings[-1]}"


def wrote(path: Path, what: str = "") -> None:
    """Report a file that has been written, in one line on stderr."""
    terminal.note(f"{path} written{what and f': {what}'}")


def write_table(path: Path, table: Table) -> None:
    """Write a table in the format of the file's suffix. Raises ReportError."""
    ending = path.suffix.lower()
    if ending == ".parquet":
        _write_parquet(path, table)
    elif ending == ".xlsx":
        _write_sheets(path, {table.id: table})
    elif ending == ".csv":
        write_bytes(path, csv_file(table))
    else:
        write_text(path, json.dumps(terminal.plain(table), indent=2, ensure_ascii=False, allow_nan=False) + "\n")
    wrote(path, f"{len(table.rows):,} lines")


def write_answer(path: Path, answer: Answer) -> None:
    """Write the main table of an answer; a spreadsheet gets all tables as sheets. Raises ReportError."""
    if path.suffix.lower() != ".xlsx":
        write_table(path, data_table(answer.tables[0]))
        return
    _write_sheets(path, {table.id: data_table(table) for table in answer.tables})
    wrote(path, f"{len(answer.tables)} tables")


def data_table(table: Table) -> Table:
    """A table with all columns of its frame, by their names in data."""
    frame = table.frame.astype(object)
    rows = tuple(tuple(map(_cell, row)) for row in frame.where(frame.notna(), None).itertuples(index=False, name=None))
    return Table(table.id, tuple(map(str, frame.columns)), rows)


def write_section(path: Path, section: Section) -> None:
    """Write the main table of a section; a spreadsheet gets all tables of the JSON output as sheets. Raises ReportError."""
    main = section.main or section.tables[0]
    if path.suffix.lower() != ".xlsx":
        write_table(path, main)
        return
    sheets = {"main": main}
    for name, value in section.data.items():
        if isinstance(value, Table):
            sheets[name] = value
        elif isinstance(value, list) and value and all(isinstance(line, dict) for line in value):
            columns = tuple(value[0])
            sheets[name] = Table(name, columns, tuple(tuple(map(_cell, map(line.get, columns))) for line in value))
    _write_sheets(path, sheets)
    wrote(path, f"{len(sheets)} tables")


def _cell(value: Any) -> Any:
    """A value as a cell; lists and mappings become JSON text."""
    value = terminal.plain(value)
    return value if isinstance(value, (str, int, float, bool, type(None))) else json.dumps(value, ensure_ascii=False)


def write_chart(path: Path, figure: Figure, title: str) -> None:
    """Draw a figure in the format of the file's suffix. title: text for screen readers in an SVG. Raises ReportError."""
    from analysis.charts import render

    ending = path.suffix.lower()
    if ending == ".svg":
        write_text(path, render.svg_file(render.svg(figure, "chart", title)))
    else:
        write_bytes(path, render.png(figure) if ending == ".png" else render.pdf(figure, title))
    wrote(path)


def draw(path: Path | None, figure: Callable[[], Figure | None] | None, title: str) -> None:
    """Draw the main chart of a command to `path`, if given; print a note if there is nothing to draw."""
    if path is None:
        return
    if (drawn := figure() if figure else None) is None:
        terminal.note(f"{path} not written: nothing to draw")
    else:
        write_chart(path, drawn, title)


def _write_parquet(path: Path, table: Table) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = [[plain(row[index]) for row in table.rows] for index in range(len(table.columns))]
    with whole(path) as temporary:
        pq.write_table(pa.table({name: _typed(cells) for name, cells in zip(table.columns, columns, strict=True)}), temporary)


def _typed(cells: list[Any]) -> pa.Array:
    """A column of a single type: text if its cells have several types."""
    import pyarrow as pa

    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds == {int, float}:
        return pa.array([None if cell is None else float(cell) for cell in cells])
    return pa.array(cells if len(kinds) == 1 else [None if cell is None else str(cell) for cell in cells])


def _write_sheets(path: Path, tables: Mapping[str, Table]) -> None:
    """Write a workbook with a sheet for each table. tables: by name of the sheet."""
    with whole(path) as temporary, _workbook(temporary) as book:
        for name, table in tables.items():
            formats = [SHEET_FORMATS.get(table.formats.get(column, "text")) for column in table.columns]
            sheet = _Sheet(book, name, table.columns, formats)
            for row in table.rows:
                sheet.add([plain(cell) for cell in row])


class _Sheet:
    """A sheet of a workbook, written row by row. Headings stay visible; text is never taken for a formula."""

    def __init__(self, book: Any, title: str, columns: Sequence[str], formats: Sequence[str | None] | None = None) -> None:
        from openpyxl.styles import Font

        self._sheet = book.create_sheet(title[:31])
        self._sheet.freeze_panes = "B2"
        self._formats = formats or [None] * len(columns)
        heads = [self._cell(column) for column in columns]
        for head in heads:
            head.font = Font(bold=True)
        self._sheet.append(heads)

    def add(self, row: Sequence[Any]) -> None:
        """Append a row of plain values."""
        cells = zip(row, self._formats, strict=True)
        self._sheet.append([self._cell(cell, form) if form or isinstance(cell, str) else cell for cell, form in cells])

    def _cell(self, value: Any, form: str | None = None) -> Any:
        from openpyxl.cell import WriteOnlyCell

        text = isinstance(value, str)
        cell = WriteOnlyCell(self._sheet, as_text(value) if text else value)
        if text:
            cell.data_type = "s"
        elif form:
            cell.number_format = form
        return cell


@contextmanager
def _workbook(path: Path) -> Iterator[Any]:
    """A workbook that is written row by row and saved at the end."""
    from openpyxl import Workbook

    book, content = Workbook(write_only=True), io.BytesIO()
    try:
        yield book
    finally:  # which also removes its temporary files
        book.save(content)
    path.write_bytes(content.getvalue())  # not by the library, which cannot clean up after a full disk


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Context with a temporary path; the file moves to `path` once complete, and never after an error or if it is missing.

    Raises ReportError if it cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield temporary
        if temporary.exists():
            temporary.replace(path)
    except OSError as error:
        raise ReportError(f"{path}: cannot be written ({reason(error)})") from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


class RowsFile:
    """A file of games being written; see `rows_file`. games: number of them."""

    def __init__(self, path: Path, ending: str, named: Any, open_: ExitStack) -> None:
        self._path, self._ending, self._named, self._open = path, ending, named, open_
        self._append: Callable[[pa.Table], None] | None = None
        self.games = 0

    def add(self, block: Block) -> None:
        """Append the games of a block, one row per game."""
        if self._append is None:  # the file has at least one game
            writers = {".csv": _csv_rows, ".parquet": _parquet_rows, ".json": _json_rows, ".xlsx": _sheet_rows}
            self._append = self._open.enter_context(writers[self._ending](self._path, self._named))
        self._append(self._named.table(block))
        self.games += len(block.rows)


@contextmanager
def rows_file(path: Path, experiment: Experiment) -> Iterator[RowsFile]:
    """Open a file of games in the format of its suffix, with the ids of entrants beside their indexes.

    The description of its columns is part of the file (.parquet: metadata `fairfight`; .json: `columns`; .xlsx: a sheet) or
    beside it (.csv: NAME.columns.csv). The file appears once it is complete, and never after an error or without games. Raises
    ReportError if there are more games than fit a spreadsheet, or if it cannot be written.
    """
    from sim.store.rowsfile import NamedRows

    if path.suffix.lower() == ".xlsx" and experiment.games >= SHEET_ROWS:
        raise ReportError(f"{path}: {experiment.games:,} games do not fit into a spreadsheet, which has {SHEET_ROWS:,} lines")
    named = NamedRows.of(experiment)
    with whole(path) as temporary, ExitStack() as open_:
        rows = RowsFile(temporary, path.suffix.lower(), named, open_)
        yield rows
    if rows.games:
        if path.suffix.lower() == ".csv":
            legend = tuple(tuple(line.values()) for line in named.legend)
            write_bytes(beside(path), csv_file(Table("columns", tuple(named.legend[0]), legend)))
            wrote(path, f"{rows.games:,} games; columns are described in {beside(path)}")
        else:
            wrote(path, f"{rows.games:,} games")


Append = Iterator["Callable[[pa.Table], None]"]


@contextmanager
def _csv_rows(path: Path, named: Any) -> Append:
    import csv

    with path.open("w", encoding=EXCEL, newline="") as stream:
        stream.write(",".join(named.schema.names) + "\r\n")
        writer = csv.writer(stream)
        yield lambda table: writer.writerows([defused(cell) for cell in row] for row in _lines(table))


@contextmanager
def _json_rows(path: Path, named: Any) -> Append:
    with path.open("w", encoding="utf-8") as stream:
        head = json.dumps({"experiment": named.facts, "columns": named.legend}, ensure_ascii=False)
        stream.write(head[:-1] + ', "games": [')
        starts = chain(["\n"], repeat(",\n"))

        def append(table: pa.Table) -> None:
            for row in _lines(table):
                line = dict(zip(named.schema.names, map(plain, row), strict=True))
                stream.write(next(starts) + json.dumps(line, ensure_ascii=False, allow_nan=False))

        yield append
        stream.write("\n]}\n")


@contextmanager
def _parquet_rows(path: Path, named: Any) -> Append:
    from sim.store.rowsfile import parquet_writer

    with parquet_writer(path, named.schema, named.whole_numbers) as writer:
        yield writer.write_table
        described = json.dumps({"experiment": named.facts, "columns": named.legend}, ensure_ascii=False)
        writer.add_key_value_metadata({"fairfight": described})


@contextmanager
def _sheet_rows(path: Path, named: Any) -> Append:
    with _workbook(path) as book:
        games, legend = _Sheet(book, "games", named.schema.names), _Sheet(book, "columns", list(named.legend[0]))
        for line in named.legend:
            legend.add(list(line.values()))

        def append(table: pa.Table) -> None:
            for row in _lines(table):
                games.add([plain(cell) for cell in row])

        yield append


def _lines(table: pa.Table) -> Iterator[tuple[Any, ...]]:
    """Rows of a table."""
    return zip(*(column.to_pylist() for column in table.columns), strict=True)
