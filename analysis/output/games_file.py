"""Files of games, a row for each (`--rows`)."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pyarrow as pa

from analysis.answer.files import ReportError, write_bytes
from analysis.answer.numbers import plain
from analysis.answer.tables import EXCEL, Table, csv_file, defused
from analysis.output.files import beside, whole, wrote
from analysis.output.workbooks import Sheet, workbook
from sim.experiments.experiment import Experiment
from sim.run import Block
from sim.store.rowsfile import NamedRows, parquet_writer

SHEET_ROWS = 1_048_576  # of a spreadsheet, including the heading


class GamesFile:
    """A file of games being written; see `games_file`. games: number of them."""

    def __init__(self, path: Path, ending: str, named: NamedRows, open_: ExitStack) -> None:
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
def games_file(path: Path, experiment: Experiment) -> Iterator[GamesFile]:
    """Open a file of games in the format of its suffix, with the ids of entrants beside their indexes.

    The description of its columns is part of the file (.parquet: metadata `fairfight`; .json: `columns`; .xlsx: a sheet) or
    beside it (.csv: NAME.columns.csv). The file appears once it is complete, and never after an error or without games. Raises
    ReportError if there are more games than fit a spreadsheet, or if it cannot be written.
    """
    if path.suffix.lower() == ".xlsx" and experiment.games >= SHEET_ROWS:
        raise ReportError(f"{path}: {experiment.games:,} games do not fit into a spreadsheet, which has {SHEET_ROWS:,} lines")
    named = NamedRows.of(experiment)
    with whole(path) as temporary, ExitStack() as open_:
        rows = GamesFile(temporary, path.suffix.lower(), named, open_)
        yield rows
    if rows.games:
        if path.suffix.lower() == ".csv":
            legend = tuple(tuple(line.values()) for line in named.legend)
            write_bytes(beside(path), csv_file(Table("columns", tuple(named.legend[0]), legend)))
            wrote(path, f"{rows.games:,} games; columns are described in {beside(path)}")
        else:
            wrote(path, f"{rows.games:,} games")


Append = Iterator[Callable[[pa.Table], None]]


@contextmanager
def _csv_rows(path: Path, named: NamedRows) -> Append:
    with path.open("w", encoding=EXCEL, newline="") as stream:
        stream.write(",".join(named.schema.names) + "\r\n")
        writer = csv.writer(stream)
        yield lambda table: writer.writerows([defused(cell) for cell in row] for row in _lines(table))


@contextmanager
def _json_rows(path: Path, named: NamedRows) -> Append:
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
def _parquet_rows(path: Path, named: NamedRows) -> Append:
    with parquet_writer(path, named.schema, named.whole_numbers) as writer:
        yield writer.write_table
        described = json.dumps({"experiment": named.facts, "columns": named.legend}, ensure_ascii=False)
        writer.add_key_value_metadata({"fairfight": described})


@contextmanager
def _sheet_rows(path: Path, named: NamedRows) -> Append:
    with workbook(path) as book:
        games, legend = Sheet(book, "games", named.schema.names), Sheet(book, "columns", list(named.legend[0]))
        for line in named.legend:
            legend.add(list(line.values()))

        def append(table: pa.Table) -> None:
            for row in _lines(table):
                games.add([plain(cell) for cell in row])

        yield append


def _lines(table: pa.Table) -> Iterator[tuple[Any, ...]]:
    """Rows of a table."""
    return zip(*(column.to_pylist() for column in table.columns), strict=True)
