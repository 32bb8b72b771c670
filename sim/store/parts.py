"""One block of a run as a Parquet file in memory: played, encoded, and read back.

A file's metadata hold its run, its first game and the number of its games; its name holds the digest of its content.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sim.engine.cardfiles.paths import shown
from sim.experiments.experiment import Experiment
from sim.run import Block, play_range
from sim.store.columns import OTHER_COLUMNS, Layout
from sim.store.disk import StoreError
from sim.store.manifest import NAME, Manifest
from sim.store.pages import footer_bytes, unpacked
from sim.store.rowsfile import parquet_writer

PIECE_GAMES = 10_000  # games in memory at once, and in a row group
DIGITS = 16  # of the digest in a file's name
RUN, FIRST, GAMES = b"fairfight.run", b"fairfight.first", b"fairfight.games"  # keys of a file's metadata
THRIFT_MAX = 10_000_000  # bytes of a text, and entries of a list, in the metadata of a file
UNPACKED_MAX = 1_000_000_000  # unpacked bytes of the columns of sums
ROWS_BASE, ROWS_TIMES = 1_000_000, 2  # unpacked bytes of rows: at most a base, plus a multiple of their size in memory
COLUMNS_MAX = 100  # of sums
FOOTER_BASE, FOOTER_TIMES = 100_000, 300  # bytes of a footer: at most a base, plus this for each column of a row group
WORDS_MAX, LETTERS_MAX = 1_000, 100  # different texts in a column of sums, and bytes of each

# Types of columns of sums, besides texts.
NUMBERS = (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.float32(), pa.float64())

Columns = dict[str, np.ndarray]
Summarise = Callable[[Experiment, Iterable[Block]], Columns]  # sums over games as columns of one length


class OtherRunError(StoreError):
    """A block file belongs to another run. It is never deleted: the user may want it back."""


@dataclass(frozen=True)
class Part:
    """The file of one block. run: `Manifest.identity` of its run; content: the whole file."""

    run: str
    first: int
    games: int
    content: bytes

    @property
    def digest(self) -> str:
        """The first digits of the SHA-256 of the file."""
        return hashlib.sha256(self.content).hexdigest()[:DIGITS]


@lru_cache(maxsize=4)
def experiment_of(manifest: str) -> tuple[str, Experiment, Layout]:
    """Identity, experiment and layout of a run, from the text of its manifest; cached in each process. Raises StoreError."""
    parsed = Manifest.parse(manifest)
    parsed.check_sources("a worker")
    experiment = parsed.experiment()
    return parsed.identity, experiment, Layout.of(experiment)


def play_part(manifest: str, summarise: Summarise | None, first: int, games: int, stop: np.ndarray) -> Part | None:
    """Play a block in this thread, as a task for `spread`: its rows or, with `summarise`, its sums. None if `stop` was set.

    manifest: its text, from which a worker on any machine rebuilds the experiment.
    """
    run, experiment, layout = experiment_of(manifest)
    labels = {RUN: run.encode(), FIRST: str(first).encode(), GAMES: str(games).encode()}
    if summarise is None:
        tables = (layout.table(piece) for piece in _pieces(experiment, first, games, stop))
        content = encoded(tables, layout.schema, layout.whole_numbers, labels)
    else:
        table = pa.table(summarise(experiment, _pieces(experiment, first, games, stop)))
        content = encoded([table], table.schema, [], labels)
    return None if stop[0] else Part(run, first, games, content)


def _pieces(experiment: Experiment, first: int, games: int, stop: np.ndarray) -> Iterator[Block]:
    """Play games in pieces that fit into memory."""
    for start in range(first, first + games, PIECE_GAMES):
        block, _ = play_range(experiment, start, min(PIECE_GAMES, first + games - start), stop)
        if stop[0]:
            return
        yield block


def encoded(tables: Iterable[pa.Table], schema: pa.Schema, whole_numbers: list[str], labels: dict[bytes, bytes]) -> bytes:
    """Encode tables of one schema as a Parquet file, each as a row group. labels: the file's metadata."""
    stream = pa.BufferOutputStream()
    with parquet_writer(stream, schema, whole_numbers) as writer:
        for table in tables:
            writer.write_table(table)
        writer.add_key_value_metadata(labels)
    return bytes(stream.getvalue())


def opened(part: Part, layout: Layout | None) -> pq.ParquetFile:
    """Open the file of a block. Raises StoreError if it is malformed, or holds other games than it should.

    layout: of its games; None if it holds sums.
    """
    columns = COLUMNS_MAX if layout is None else len(layout.columns) * (1 + part.games // PIECE_GAMES)
    if footer_bytes(part.content) > FOOTER_BASE + FOOTER_TIMES * columns:
        raise StoreError("is not a readable Parquet file (its footer is too long)")
    try:
        file = _parquet(part)
        labels, schema = file.metadata.metadata or {}, file.schema_arrow
    except (pa.ArrowException, OSError, ValueError) as error:
        raise StoreError(f"is not a readable Parquet file ({_line(error)})") from None
    if labels.get(RUN) != part.run.encode():
        raise OtherRunError(f"belongs to another run than {NAME} describes; move it out of the folder")
    expected = {FIRST: str(part.first).encode(), GAMES: str(part.games).encode()}
    if {key: labels.get(key) for key in expected} != expected:
        raise StoreError(f"does not hold games {part.first}..{part.first + part.games - 1}, despite its name")
    if layout is not None and file.metadata.num_rows != part.games:
        raise StoreError(f"holds {file.metadata.num_rows:,} lines for {part.games:,} games")
    if layout is not None and not layout.fits(schema):
        raise StoreError(OTHER_COLUMNS)
    return file


def _parquet(part: Part, texts: Iterable[str] = ()) -> pq.ParquetFile:
    """Open a file with pyarrow. texts: columns to be read as dictionaries, so that each distinct text is stored once."""
    limits = {"thrift_string_size_limit": THRIFT_MAX, "thrift_container_size_limit": THRIFT_MAX}
    return pq.ParquetFile(pa.BufferReader(part.content), read_dictionary=[*texts], **limits)


def block_of(part: Part, layout: Layout) -> Block:
    """Read the games of a block. Raises StoreError if they cannot be read."""
    file = opened(part, layout)
    try:
        _check_pages(part, ROWS_BASE + ROWS_TIMES * part.games * layout.line_bytes)
        return layout.block(file.read(use_threads=False))
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise StoreError(f"cannot be read ({_line(error)})") from None


def sums_of(part: Part, most: int) -> Columns:
    """Read the sums of a block, see `Summarise`. Raises StoreError if they cannot be read, or have more than `most` lines."""
    file = opened(part, None)
    if file.metadata.num_rows > most:
        raise StoreError(f"holds {file.metadata.num_rows:,} lines; the sums of a block have at most {most:,}")
    texts = [field.name for field in file.schema_arrow if pa.types.is_string(field.type)]
    numbers = [field.name for field in file.schema_arrow if field.type in NUMBERS]
    if len({*texts, *numbers}) < len(file.schema_arrow) or len(file.schema_arrow) > COLUMNS_MAX:
        raise StoreError("its columns are not those of sums")
    try:
        _check_pages(part, UNPACKED_MAX)
        table = _parquet(part, texts).read(use_threads=False)
        return {name: _values(name, table[name]) for name in table.column_names}
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise StoreError(f"cannot be read ({_line(error)})") from None


def _check_pages(part: Part, most: int) -> None:
    """Raise ValueError if the pages of a file would unpack to more than `most` bytes."""
    size = unpacked(part.content)
    if size > most:
        raise ValueError(f"it unpacks to {size:,} bytes; at most {most:,} are allowed")


def _values(name: str, column: pa.ChunkedArray) -> np.ndarray:
    """A column of sums; texts become Python strings. Raises ValueError if values are missing, or texts too long or too many."""
    if column.null_count:
        raise ValueError(f"its column {name} has missing values")
    if not pa.types.is_dictionary(column.type):
        return np.asarray(column.to_numpy())
    parts = [np.zeros(0, object)]
    for chunk in column.chunks:
        longest = pc.max(pc.binary_length(chunk.dictionary)).as_py() or 0
        if longest > LETTERS_MAX or len(chunk.dictionary) > WORDS_MAX:
            raise ValueError(f"its column {name} has texts of {longest:,} bytes, {len(chunk.dictionary):,} of them")
        parts.append(np.array(chunk.dictionary.to_pylist(), object)[chunk.indices.to_numpy()])
    return np.concatenate(parts)


def _line(error: Exception) -> str:
    """The first line of an error message, escaped if it is not printable."""
    line = (str(error).splitlines() or [type(error).__name__])[0]
    return line if line.isprintable() else shown(line)
