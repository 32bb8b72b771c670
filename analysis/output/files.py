"""Files that commands write. The suffix decides the format, existing files are kept unless forced, stderr names each file.

Tables (`--csv`) and games (`--rows`) are written as .csv, .parquet, .json or .xlsx; charts (`--chart`) as .png, .svg or .pdf.
A file appears complete or not at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from analysis.answer.files import ReportError, reason, write_bytes, write_text
from analysis.answer.numbers import Format, plain
from analysis.answer.tables import Table, csv_file, data_table
from analysis.output import terminal

if TYPE_CHECKING:  # most commands write no file
    from matplotlib.figure import Figure

    from analysis.answer.model import Answer

TABLES = (".csv", ".parquet", ".json", ".xlsx")
CHARTS = (".png", ".svg", ".pdf")
KINDS = {
    "csv": ("a table", TABLES),
    "rows": ("every game", TABLES),
    "chart": ("a chart", CHARTS),
    "html": ("a page", (".html", ".htm")),
    "schedule": ("a schedule", (".xlsx", ".csv")),
}
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


def write_chart(path: Path, figure: Figure, title: str) -> None:
    """Draw a figure in the format of the file's suffix. title: text for screen readers in an SVG. Raises ReportError."""
    from analysis.charts import render  # noqa: PLC0415 - matplotlib takes half a second to import

    ending = path.suffix.lower()
    if ending == ".svg":
        write_text(path, render.svg_file(render.svg(figure, "chart", title)))
    else:
        write_bytes(path, render.png(figure) if ending == ".png" else render.pdf(figure, title))
    wrote(path)


def _write_parquet(path: Path, table: Table) -> None:
    columns = [[plain(row[index]) for row in table.rows] for index in range(len(table.columns))]
    with whole(path) as temporary:
        pq.write_table(pa.table({name: _typed(cells) for name, cells in zip(table.columns, columns, strict=True)}), temporary)


def _typed(cells: list[Any]) -> pa.Array:
    """A column of a single type: text if its cells have several types."""
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds == {int, float}:
        return pa.array([None if cell is None else float(cell) for cell in cells])
    return pa.array(cells if len(kinds) == 1 else [None if cell is None else str(cell) for cell in cells])


def _write_sheets(path: Path, tables: Mapping[str, Table]) -> None:
    """Write a workbook with a sheet for each table. tables: by name of the sheet."""
    from analysis.output.workbooks import Sheet, workbook  # noqa: PLC0415 - openpyxl takes a quarter of a second

    with whole(path) as temporary, workbook(temporary) as book:
        for name, table in tables.items():
            formats = [SHEET_FORMATS.get(table.formats.get(column, "text")) for column in table.columns]
            sheet = Sheet(book, name, table.columns, formats)
            for row in table.rows:
                sheet.add([plain(cell) for cell in row])


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
