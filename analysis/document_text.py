"""A card file's document as TOML again, for cards that come from a run: what was a comment is gone, everything else is there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

LISTED = 10  # entries of a list on one line; of more, each has its own, for readers refuse lines that are very long
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_of(document: Mapping[str, Any]) -> str:
    """Text that reads as this document again. document: of values that JSON has too, None aside."""
    return "\n".join(_lines(document, "")).strip() + "\n"


def _lines(table: Mapping[str, Any], path: str) -> Iterator[str]:
    """The lines of a table: plain values first, then the tables in it, under headings."""
    below = {key: value for key, value in table.items() if _has_heading(value)}
    yield from (f"{_key(key)} = {_inline(value)}" for key, value in table.items() if key not in below)
    for key, value in below.items():
        name = f"{path}.{_key(key)}" if path else _key(key)
        for one in value if isinstance(value, list) else [value]:
            yield from ("", f"[[{name}]]" if isinstance(value, list) else f"[{name}]")
            yield from _lines(one, name)


def _has_heading(value: Any) -> bool:
    """Whether a value is a table or a list of tables."""
    return isinstance(value, Mapping) or (
        isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) for one in value)
    )


def _inline(value: Any) -> str:
    """A value behind its key."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_inline(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return f"[{(', ' if len(value) <= LISTED else ',' + chr(10)).join(map(_inline, value))}]"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    """Text in quotes. What JSON leaves as it is TOML refuses in one case only."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
