"""To how many bytes the pages of a Parquet file unpack, as their own headers tell, before any is unpacked.

A reader believes the header of a page, up to 2 GB, however few lines the file says it holds: a small file that is ill meant
could fill any memory column by column. The footer, which tells where the pages are, and their headers are in Thrift's compact
protocol. They are read here, not by pyarrow: asked for a column's place, that ends the process over some footers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

MAGIC_BYTES, LENGTH_BYTES = 4, 4  # at the end of a file: its mark, and before that the length of the footer
GROUPS, COLUMNS, PLACE = 4, 1, 3  # fields of the footer, of a row group in it, and of a column in that
LENGTH, FIRST_PAGE, DICTIONARY = 7, 9, 11  # fields of a column's place
WHERE: dict[int, Any] = {GROUPS: {COLUMNS: {PLACE: {LENGTH: {}, FIRST_PAGE: {}, DICTIONARY: {}}}}}
UNPACKED, PACKED = 2, 3  # fields of a page's header: its bytes
SIZES: dict[int, Any] = {UNPACKED: {}, PACKED: {}}
NOTHING: dict[int, Any] = {}

PAGES_MAX = 100_000  # of a file; it has one for every 20,000 lines of a column or so
NESTED_MAX = 8  # tables and lists inside each other
VARINT_MAX = 10  # bytes of a number
TRUE, FALSE, BYTE, DOUBLE, BINARY, TABLE = 1, 2, 3, 7, 8, 12  # kinds of values
WHOLE, LISTS = {4, 5, 6}, {9, 10}  # numbers of 16, 32 and 64 bits; lists and sets


def footer_bytes(content: bytes) -> int:
    """Length of the footer of a file, as its end tells."""
    return int.from_bytes(content[-MAGIC_BYTES - LENGTH_BYTES : -MAGIC_BYTES], "little")


def unpacked(content: bytes) -> int:
    """Bytes to which all pages of a file unpack. Raises ValueError where these are not in order, or have dictionaries."""
    total = pages = 0
    for first, end in _columns(content):
        at = first
        while at < end:
            size, at = _page(content, at)
            total, pages = total + size, pages + 1
            if at > end or pages > PAGES_MAX:
                raise ValueError("its pages are not in order")
    return total


def _columns(content: bytes) -> Iterator[tuple[int, int]]:
    """Where the pages of each column of each row group begin and end. Raises ValueError."""
    start = len(content) - MAGIC_BYTES - LENGTH_BYTES - footer_bytes(content)
    try:
        footer, _ = _table(content, max(0, start), WHERE)
        columns = [column[PLACE] for group in footer[GROUPS] for column in group[COLUMNS]]
        places = [(_whole(column, FIRST_PAGE), _whole(column, LENGTH), DICTIONARY in column) for column in columns]
    except (IndexError, KeyError, TypeError):
        raise ValueError("its footer is not in order") from None
    for first, length, has_dictionary in places:
        if has_dictionary or not 0 <= first <= first + length <= len(content):
            raise ValueError("its columns are not written as those of a run")
        yield first, first + length


def _page(content: bytes, at: int) -> tuple[int, int]:
    """The bytes to which the page at a place unpacks, and where the next one is. Raises ValueError."""
    try:
        sizes, at = _table(content, at, SIZES)
        size, packed = _whole(sizes, UNPACKED), _whole(sizes, PACKED)
    except (IndexError, KeyError, TypeError):
        raise ValueError("a page has no header") from None
    if min(size, packed) < 0:
        raise ValueError("a page has less than no bytes")
    return size, at + packed


def _whole(table: dict[int, Any], field: int) -> int:
    """A whole number of a table. Raises KeyError, and TypeError for anything else that stands there."""
    if not isinstance(table[field], int):
        raise TypeError(field)
    return int(table[field])


def _table(content: bytes, at: int, wanted: dict[int, Any], nested: int = 0) -> tuple[dict[int, Any], int]:
    """The fields of a table that are wanted, and where it ends. wanted: by number, what is wanted of tables in it.

    Raises ValueError, and IndexError at the end of the content.
    """
    found: dict[int, Any] = {}
    number = 0
    while head := content[at]:
        step, kind, at = head >> 4, head & 15, at + 1
        if step:
            number += step
        else:
            number, at = _number(content, at)
        if kind in (TRUE, FALSE):
            continue
        value, at = _value(content, at, kind, wanted.get(number, NOTHING), nested)
        if number in wanted:
            if number in found:
                raise ValueError("its footer says something twice")
            found[number] = value
    return found, at + 1


def _value(content: bytes, at: int, kind: int, wanted: dict[int, Any], nested: int) -> tuple[Any, int]:
    """A number, a table or a list, None for anything else, and where it ends. Raises ValueError, IndexError."""
    if kind in WHOLE:
        return _number(content, at)
    if kind == BINARY:
        length, at = _varint(content, at)
        return None, at + length
    if kind in (TRUE, FALSE, BYTE, DOUBLE):
        return None, at + (8 if kind == DOUBLE else 1)
    if nested < NESTED_MAX and kind == TABLE:
        return _table(content, at, wanted, nested + 1)
    if nested < NESTED_MAX and kind in LISTS:
        return _list(content, at, wanted, nested + 1)
    raise ValueError("its footer, or a page's header, is not in order")


def _list(content: bytes, at: int, wanted: dict[int, Any], nested: int) -> tuple[list[Any], int]:
    """The tables of a list if anything of them is wanted, and where it ends. Raises ValueError, IndexError."""
    length, kind, at = content[at] >> 4, content[at] & 15, at + 1
    if length == 15:  # it does not fit into half a byte
        length, at = _varint(content, at)
    found = []
    for _ in range(length):
        value, at = _value(content, at, kind, wanted, nested)
        if at > len(content):
            raise IndexError
        if wanted:
            found.append(value)
    return found, at


def _number(content: bytes, at: int) -> tuple[int, int]:
    """A whole number, and where it ends."""
    found, at = _varint(content, at)
    return found >> 1 ^ -(found & 1), at


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """A number from 0 in pieces of seven bits, and where it ends. Raises ValueError for one that goes on and on."""
    found = shift = 0
    for place in range(at, at + VARINT_MAX):
        piece = content[place]
        if piece < 128:
            return found | piece << shift, place + 1
        found |= (piece & 127) << shift
        shift += 7
    raise ValueError("it holds a number that is too long")
