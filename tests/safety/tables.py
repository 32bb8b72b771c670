"""Block files with one wrong column, type, value or text, and otherwise valid."""

import io
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

NUMBERS = (
    0,
    1,
    -1,
    2,
    3,
    100,
    127,
    -128,
    2**31 - 1,
    -(2**31),
    2**63 - 1,
    -(2**63),
    2**53,
    0.5,
    -0.5,
    1e308,
    np.inf,
    -np.inf,
    np.nan,
)
TYPES = (
    *(pa.int8(), pa.uint8(), pa.int64(), pa.uint64(), pa.float32(), pa.float64(), pa.bool_(), pa.string(), pa.binary()),
    *(pa.date32(), pa.timestamp("ns"), pa.decimal128(38, 2), pa.float16(), pa.large_string()),
)


class BlockFiles:
    """The counterpart of `Structure` for Parquet files."""

    def spoiler(self, chance: Random) -> Callable[[bytes], bytes]:
        """Return a function that spoils one detail of a file; it returns unreadable files unchanged."""

        def spoil(content: bytes) -> bytes:
            try:
                file = pq.ParquetFile(io.BytesIO(content))
                table, labels = file.read(use_threads=False), dict(file.metadata.metadata or {})
                return _file(_changed(table, chance), _labels(labels, chance), chance)
            except (pa.ArrowException, OSError, ValueError, OverflowError, TypeError, KeyError):
                return content

        return spoil


def _changed(table: pa.Table, chance: Random) -> pa.Table:
    """A table with one error."""
    at = chance.randrange(table.num_columns)
    name, column = table.column_names[at], table.column(at)
    match chance.randrange(9):
        case 0:
            new = table.remove_column(at)
        case 1:
            new = table.append_column(chance.choice([name, "more", "\x1b[31m", ""]), column)
        case 2:
            new = table.rename_columns([chance.choice(table.column_names) if one == name else one for one in table.column_names])
        case 3:
            new = table.set_column(at, name, column.cast(chance.choice(TYPES), safe=False))
        case 4:
            new = table.set_column(at, name, _nested(column, chance))
        case 5:
            lines = [*range(table.num_rows)]
            chance.shuffle(lines)
            new = table.take(lines) if chance.randrange(2) else table.take(lines[: chance.randrange(len(lines) + 1)])
        case 6:
            new = pa.concat_tables([table] * 2)
        case _:
            new = table.set_column(at, table.schema.field(at), _with_value(column, chance))
    return new


def _with_value(column: pa.ChunkedArray, chance: Random) -> pa.Array:
    """A column with another value, or a missing one, in one line or in all lines."""
    words: Any = chance.choice(["", "x" * 5_000, "share", "\x00", "games"])
    value = words if pa.types.is_string(column.type) else chance.choice(NUMBERS)
    other = pa.scalar(None if not chance.randrange(6) else value).cast(column.type, safe=False)
    where = np.zeros(len(column), bool)
    where[chance.randrange(len(column)) if chance.randrange(3) else slice(None)] = True
    return pc.if_else(pa.array(where), other, column)


def _nested(column: pa.ChunkedArray, chance: Random) -> pa.Array:
    """A column of lists or records of its values."""
    values = column.combine_chunks()
    if chance.randrange(2):
        return pa.StructArray.from_arrays([values], ["x"])
    return pa.ListArray.from_arrays(pa.array(np.arange(len(values) + 1), pa.int32()), values)


def _labels(labels: dict[bytes, bytes], chance: Random) -> dict[bytes, bytes]:
    """The metadata of a file, sometimes with a wrong value."""
    if labels and not chance.randrange(6):
        key = chance.choice(sorted(labels))
        labels[key] = chance.choice([b"", b"0", b"36", b"-1", b"9" * 30, b"\xff", labels[key] + b" "])
    return labels


def _file(table: pa.Table, labels: dict[bytes, bytes], chance: Random) -> bytes:
    """The table as a file, in a random encoding."""
    stream = io.BytesIO()
    options: dict[str, Any] = {
        "compression": chance.choice(["zstd", "none", "snappy", "gzip"]),
        "use_dictionary": bool(chance.randrange(2)),
        "store_schema": bool(chance.randrange(2)),
        "write_statistics": False,
    }
    with pq.ParquetWriter(stream, table.schema.remove_metadata(), **options) as writer:
        writer.write_table(table.replace_schema_metadata(None), row_group_size=chance.choice([None, 7]))
        writer.add_key_value_metadata(labels)
    return stream.getvalue()
