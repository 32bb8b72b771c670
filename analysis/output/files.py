"""Files that commands write. The suffix decides the format, existing files are kept unless forced, stderr names each file.

Tables (`--csv`) and games (`--rows`) are written as .csv, .parquet, .json or .xlsx; charts (`--chart`) as .png, .svg or .pdf.
A file appears complete or not at all.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.document.model import Format, ReportError, Section, Table, csv_of, defused, plain, reason, write_bytes, write_text
from analysis.output import terminal
from analysis.output.encoding import as_text
from sim.stopping import unfinished, writing

if TYPE_CHECKING:  # most commands write no file
    import pyarrow as pa
    from matplotlib.figure import Figure

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
    if not force or not target.is_file():
        try:
            return copy_reference(reference, folder)
        except CardError as error:
            hint = ", or overwrite it with --force" if target.is_file() else ""
            raise CardError(f"{error}{hint}") from None
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".fairfight-") as place:
        copy_reference(reference, Path(place) / folder.name).replace(target)
    return target


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
        write_text(path, csv_of(table))
    else:
        write_text(path, json.dumps(terminal.plain(table), indent=2, ensure_ascii=False, allow_nan=False) + "\n")
    wrote(path, f"{len(table.rows):,} lines")


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

    book = Workbook(write_only=True)
    yield book
    book.save(path)


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Context with a temporary path; the file moves to `path` once complete, and never after an error or if it is missing.

    Raises ReportError if it cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    with unfinished(temporary):
        try:
            yield temporary
            with writing():
                if temporary.exists():
                    temporary.replace(path)
        except OSError as error:
            raise ReportError(f"{path}: cannot be written ({reason(error)})") from error
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


class RowsFile:
    """A file of games being written; see `rows_file`."""

    def __init__(self, path: Path, named: Any, ending: str) -> None:
        self._path, self._named, self._ending = path, named, ending
        self._writer: Any = None
        self.games = 0

    def add(self, block: Block) -> None:
        """Append the games of a block, one row per game."""
        if self._writer is None:
            writers = {".csv": _CsvRows, ".parquet": _ParquetRows, ".json": _JsonRows, ".xlsx": _SheetRows}
            self._writer = writers[self._ending](self._path, self._named)
        self._writer.add(self._named.table(block))
        self.games += len(block.rows)

    def close(self) -> None:
        """Finish the file, once."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()


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
    with whole(path) as temporary:
        rows = RowsFile(temporary, named, path.suffix.lower())
        try:
            yield rows
        finally:
            rows.close()
    if rows.games:
        if path.suffix.lower() == ".csv":
            legend = tuple(tuple(line.values()) for line in named.legend)
            write_text(beside(path), csv_of(Table("columns", tuple(named.legend[0]), legend)))
            wrote(path, f"{rows.games:,} games; columns are described in {beside(path)}")
        else:
            wrote(path, f"{rows.games:,} games")


class _CsvRows:
    def __init__(self, path: Path, named: Any) -> None:
        self._stream = path.open("w", encoding="utf-8", newline="")
        self._stream.write(",".join(named.schema.names) + "\r\n")

    def add(self, table: pa.Table) -> None:
        import csv

        writer = csv.writer(self._stream)
        columns = [column.to_pylist() for column in table.columns]
        writer.writerows([defused(cell) for cell in row] for row in zip(*columns, strict=True))

    def close(self) -> None:
        self._stream.close()


class _JsonRows:
    def __init__(self, path: Path, named: Any) -> None:
        self._stream, self._names, self._first = path.open("w", encoding="utf-8"), named.schema.names, True
        head = json.dumps({"experiment": named.facts, "columns": named.legend}, ensure_ascii=False)
        self._stream.write(head[:-1] + ', "games": [')

    def add(self, table: pa.Table) -> None:
        columns = [column.to_pylist() for column in table.columns]
        for row in zip(*columns, strict=True):
            line = dict(zip(self._names, map(plain, row), strict=True))
            self._stream.write(("\n" if self._first else ",\n") + json.dumps(line, ensure_ascii=False, allow_nan=False))
            self._first = False

    def close(self) -> None:
        self._stream.write("\n]}\n")
        self._stream.close()


class _ParquetRows:
    def __init__(self, path: Path, named: Any) -> None:
        from sim.store.rowsfile import parquet_writer

        self._described = json.dumps({"experiment": named.facts, "columns": named.legend}, ensure_ascii=False)
        self._writer = parquet_writer(path, named.schema, named.whole_numbers)

    def add(self, table: pa.Table) -> None:
        self._writer.write_table(table)

    def close(self) -> None:
        self._writer.add_key_value_metadata({"fairfight": self._described})
        self._writer.close()


class _SheetRows:
    def __init__(self, path: Path, named: Any) -> None:
        self._book = _workbook(path)
        book = self._book.__enter__()
        self._games = _Sheet(book, "games", named.schema.names)
        legend = _Sheet(book, "columns", list(named.legend[0]))
        for line in named.legend:
            legend.add(list(line.values()))

    def add(self, table: pa.Table) -> None:
        columns = [column.to_pylist() for column in table.columns]
        for row in zip(*columns, strict=True):
            self._games.add([plain(cell) for cell in row])

    def close(self) -> None:
        self._book.__exit__(None, None, None)
