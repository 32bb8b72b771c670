"""To how many bytes the pages of a Parquet file unpack, as their own headers tell, before any is unpacked.

A reader believes the header of a page, up to 2 GB, however few lines the file says it holds: a small file that is ill meant
could fill any memory column by column. The headers are in Thrift's compact protocol.
"""

from __future__ import annotations

import pyarrow.parquet as pq

UNPACKED, PACKED = 2, 3  # fields of a page's header: its bytes
PAGES_MAX = 100_000  # of a file; it has one for every 20,000 lines of a column or so
NESTED_MAX = 4  # tables within a header
WHOLE = {4, 5, 6}  # kinds of fields: numbers of 16, 32 and 64 bits
SIZES = {1: 0, 2: 0, 3: 1, 7: 8}  # bytes of kinds of fixed size: true, false, a byte, a long number
BINARY, TABLE = 8, 12
VARINT_MAX = 10  # bytes of a number


def unpacked(metadata: pq.FileMetaData, content: bytes) -> int:
    """Bytes to which all pages of a file unpack. Raises ValueError where these are not in order, or have dictionaries."""
    total = pages = 0
    for group in (metadata.row_group(at) for at in range(metadata.num_row_groups)):
        for column in (group.column(at) for at in range(group.num_columns)):
            at, end = column.data_page_offset, column.data_page_offset + column.total_compressed_size
            if column.has_dictionary_page or not 0 <= at <= end <= len(content):
                raise ValueError("its columns are not written as those of a run")
            while at < end:
                size, at = _page(content, at)
                total, pages = total + size, pages + 1
                if at > end or pages > PAGES_MAX:
                    raise ValueError("its pages are not in order")
    return total


def _page(content: bytes, at: int) -> tuple[int, int]:
    """The bytes to which the page at a place unpacks, and where the next one is. Raises ValueError."""
    try:
        fields, at = _fields(content, at)
        if min(fields[UNPACKED], fields[PACKED]) < 0:
            raise ValueError("a page has less than no bytes")
        return fields[UNPACKED], at + fields[PACKED]
    except (IndexError, KeyError):
        raise ValueError("a page has no header") from None


def _fields(content: bytes, at: int, nested: int = 0) -> tuple[dict[int, int], int]:
    """The whole numbers of a table, by field, and where it ends. Raises ValueError, IndexError at the end of the content."""
    found: dict[int, int] = {}
    number = 0
    while head := content[at]:
        step, kind = head >> 4, head & 15
        at += 1
        if step:
            number += step
        else:
            number, at = _number(content, at)
        if kind in WHOLE:
            found[number], at = _number(content, at)
        else:
            at = _behind(content, at, kind, nested)
    return found, at + 1


def _behind(content: bytes, at: int, kind: int, nested: int) -> int:
    """Where a field that is no whole number ends. Raises ValueError for kinds that no page has."""
    if kind in SIZES:
        return at + SIZES[kind]
    if kind == BINARY:
        length, at = _varint(content, at)
        return at + length
    if kind == TABLE and nested < NESTED_MAX:
        return _fields(content, at, nested + 1)[1]
    raise ValueError("a page's header is not in order")


def _number(content: bytes, at: int) -> tuple[int, int]:
    """A whole number, and where it ends."""
    found, at = _varint(content, at)
    return found >> 1 ^ -(found & 1), at


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """A number from 0 in pieces of seven bits, and where it ends. Raises ValueError for one that goes on and on."""
    found = 0
    for piece in range(VARINT_MAX):
        found |= (content[at + piece] & 127) << 7 * piece
        if content[at + piece] < 128:
            return found, at + piece + 1
    raise ValueError("a page's header holds a number that is too long")
