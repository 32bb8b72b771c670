"""Game rows on disk: one Parquet file, written block by block, readable as it stands by pandas, polars and duckdb."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sim.run import Block


class RowsFile:
    """A Parquet file under way; see `rows_file`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: pq.ParquetWriter | None = None

    def add(self, block: Block) -> None:
        """Append the games of a block: one line per game, a field by seat as a list of fixed length."""
        table = rows_table(block)
        if self._writer is None:
            self._writer = pq.ParquetWriter(self._path, table.schema, compression="zstd")
        self._writer.write_table(table)

    def close(self) -> None:
        """Write the file's end."""
        if self._writer is not None:
            self._writer.close()


@contextmanager
def rows_file(path: Path) -> Iterator[RowsFile]:
    """Open a file for game rows; it appears under its name once it is complete, and not at all after an error or no rows.

    Raises OSError where it cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    rows = RowsFile(temporary)
    try:
        yield rows
        rows.close()
        if temporary.exists():  # not where no game was played
            temporary.replace(path)
    finally:
        rows.close()
        temporary.unlink(missing_ok=True)


def rows_table(block: Block) -> pa.Table:
    """Return a block as an Arrow table: the fields of ROW, then those of the game's OUTCOME."""
    columns = {}
    for records in (block.rows, block.outcomes):
        for name in records.dtype.names or ():
            columns[name] = _column(records[name])
    return pa.table(columns)


def _column(values: np.ndarray) -> pa.Array:
    """Return a field of records as an Arrow column; further axes become lists of fixed length."""
    column = pa.array(np.ascontiguousarray(values).reshape(-1))
    for length in reversed(values.shape[1:]):
        column = pa.FixedSizeListArray.from_arrays(column, length)
    return column
