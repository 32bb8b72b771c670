"""The unpacked size of a Parquet file's pages, from their headers, before any page is unpacked.

Parquet readers trust the size in a page's header, up to 2 GB, however few lines the file claims to hold: a small malicious file
could fill any memory column by column. Page headers, and the footer that locates them, use Thrift's compact protocol. They are
parsed here and not by pyarrow because some malformed footers crash pyarrow when it is asked for a column's position.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

MAGIC_BYTES, LENGTH_BYTES = 4, 4  # at the end of a file: the length of the footer, then the magic number
GROUPS, COLUMNS, PLACE = 4, 1, 3  # field numbers: of the footer, of a row group, of a column
LENGTH, FIRST_PAGE, DICTIONARY = 7, 9, 11  # field numbers of a column's metadata
WHERE: dict[int, Any] = {GROUPS: {COLUMNS: {PLACE: {LENGTH: {}, FIRST_PAGE: {}, DICTIONARY: {}}}}}
UNPACKED, PACKED = 2, 3  # field numbers of a page's header: sizes in bytes
SIZES: dict[int, Any] = {UNPACKED: {}, PACKED: {}}
NOTHING: dict[int, Any] = {}

PAGES_MAX = 100_000  # of a file; there is about one for every 20,000 lines of a column
NESTED_MAX = 8  # depth of tables and lists
VARINT_MAX = 10  # bytes of a number
TRUE, FALSE, BYTE, DOUBLE, BINARY, TABLE = 1, 2, 3, 7, 8, 12  # types of values
WHOLE, LISTS = {4, 5, 6}, {9, 10}  # types: integers of 16, 32 and 64 bits; lists and sets


def footer_bytes(content: bytes) -> int:
    """Length of the footer of a file, as written at its end."""
    return int.from_bytes(content[-MAGIC_BYTES - LENGTH_BYTES : -MAGIC_BYTES], "little")


def unpacked(content: bytes) -> int:
    """Unpacked size in bytes of all pages of a file. Raises ValueError if they are malformed or have dictionaries."""
    total = pages = 0
    for first, end in _columns(content):
        position = first
        while position < end:
            size, position = _page(content, position)
            total, pages = total + size, pages + 1
            if position > end or pages > PAGES_MAX:
                raise ValueError("its pages are malformed")
    return total


def _columns(content: bytes) -> Iterator[tuple[int, int]]:
    """Begin and end of the pages of each column of each row group. Raises ValueError."""
    start = len(content) - MAGIC_BYTES - LENGTH_BYTES - footer_bytes(content)
    try:
        footer, _ = _table(content, max(0, start), WHERE)
        columns = [column[PLACE] for group in footer[GROUPS] for column in group[COLUMNS]]
        places = [(_whole(column, FIRST_PAGE), _whole(column, LENGTH), DICTIONARY in column) for column in columns]
    except (IndexError, KeyError, TypeError):
        raise ValueError("its footer is malformed") from None
    for first, length, has_dictionary in places:
        if has_dictionary or not 0 <= first <= first + length <= len(content):
            raise ValueError("its columns are not written like those of a run")
        yield first, first + length


def _page(content: bytes, position: int) -> tuple[int, int]:
    """Unpacked size of the page at a position, and the position of the next page. Raises ValueError."""
    try:
        sizes, position = _table(content, position, SIZES)
        size, packed = _whole(sizes, UNPACKED), _whole(sizes, PACKED)
    except (IndexError, KeyError, TypeError):
        raise ValueError("a page has no header") from None
    if min(size, packed) < 0:
        raise ValueError("a page has a negative size")
    return size, position + packed


def _whole(table: dict[int, Any], field: int) -> int:
    """An integer field of a table. Raises KeyError if it is missing, and TypeError if it is no integer."""
    if not isinstance(table[field], int):
        raise TypeError(field)
    return int(table[field])


def _table(content: bytes, position: int, wanted: dict[int, Any], nested: int = 0) -> tuple[dict[int, Any], int]:
    """The wanted fields of a table, and its end. wanted: field numbers, each with the wanted fields of a nested table.

    Raises ValueError, and IndexError at the end of the content.
    """
    fields: dict[int, Any] = {}
    number = 0
    while head := content[position]:
        step, kind, position = head >> 4, head & 15, position + 1
        if step:
            number += step
        else:
            number, position = _number(content, position)
        if kind in (TRUE, FALSE):
            continue
        value, position = _value(content, position, kind, wanted.get(number, NOTHING), nested)
        if number in wanted:
            if number in fields:
                raise ValueError("its footer has a field twice")
            fields[number] = value
    return fields, position + 1


def _value(content: bytes, position: int, kind: int, wanted: dict[int, Any], nested: int) -> tuple[Any, int]:
    """A number, table or list (None for other types), and its end. Raises ValueError, IndexError."""
    if kind in WHOLE:
        return _number(content, position)
    if kind == BINARY:
        length, position = _varint(content, position)
        return None, position + length
    if kind in (TRUE, FALSE, BYTE, DOUBLE):
        return None, position + (8 if kind == DOUBLE else 1)
    if nested < NESTED_MAX and kind == TABLE:
        return _table(content, position, wanted, nested + 1)
    if nested < NESTED_MAX and kind in LISTS:
        return _list(content, position, wanted, nested + 1)
    raise ValueError("its footer, or a page's header, is malformed")


def _list(content: bytes, position: int, wanted: dict[int, Any], nested: int) -> tuple[list[Any], int]:
    """The values of a list, empty if nothing in them is wanted, and its end. Raises ValueError, IndexError."""
    length, kind, position = content[position] >> 4, content[position] & 15, position + 1
    if length == 15:  # too long for half a byte
        length, position = _varint(content, position)
    values = []
    for _ in range(length):
        value, position = _value(content, position, kind, wanted, nested)
        if position > len(content):
            raise IndexError
        if wanted:
            values.append(value)
    return values, position


def _number(content: bytes, position: int) -> tuple[int, int]:
    """A signed integer in zigzag encoding, and its end."""
    value, position = _varint(content, position)
    return value >> 1 ^ -(value & 1), position


def _varint(content: bytes, position: int) -> tuple[int, int]:
    """An unsigned integer in pieces of seven bits, and its end. Raises ValueError if it is too long."""
    value = shift = 0
    for place in range(position, position + VARINT_MAX):
        piece = content[place]
        if piece < 128:
            return value | piece << shift, place + 1
        value |= (piece & 127) << shift
        shift += 7
    raise ValueError("it holds a number that is too long")
