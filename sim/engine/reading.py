"""Reading a table that a user wrote: checked values out, one clear message for whatever is wrong.

Scenario files and positions are read with it. A message names the field, its value and what would be right.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from sim.engine.fieldpaths import did_you_mean, key_words, shown

_REQUIRED: Any = object()


class Table:
    """A table being read. It remembers the keys that were asked for, so that `close` can refuse all others.

    path: how messages call the table, "" for the topmost one. Every method raises ValueError for what is wrong.
    """

    def __init__(self, values: Mapping[str, Any], path: str = "") -> None:
        if not isinstance(values, Mapping):
            raise ValueError(f"{path} = {shown(values)}: must be a table")
        self.values = values
        self.path = path
        self.known: list[str] = []

    def has(self, key: str) -> bool:
        """Whether the key is given."""
        return key in self.values

    def field(self, key: str) -> str:
        """Return the path of a field of this table."""
        return f"{self.path}.{key_words(key)}" if self.path else key_words(key)

    def wrong(self, key: str, what: str) -> ValueError:
        """Return the error for a field: its path, its value if it is given, and `what` is wrong with it."""
        value = f" = {shown(self.values[key])}" if key in self.values else ""
        return ValueError(f"{self.field(key)}{value}: {what}")

    def take(self, key: str, default: Any = _REQUIRED) -> Any:
        """Return a value as it is, or the default."""
        self.known.append(key)
        if key in self.values:
            return self.values[key]
        if default is _REQUIRED:
            raise self.wrong(key, "is missing")
        return default

    def whole(self, key: str, least: int, most: int, default: int = _REQUIRED) -> int:
        """Return a whole number least..most."""
        value = self.take(key, default)
        if key in self.values and not is_whole(value, least, most):
            raise self.wrong(key, f"must be a whole number from {least} to {most}")
        return int(value)

    def one_of(self, key: str, choices: Iterable[str], default: str = _REQUIRED) -> str:
        """Return one of some words."""
        value, known = self.take(key, default), list(choices)
        if not isinstance(value, str) or value not in known:
            raise self.wrong(key, did_you_mean(value, known) or f"must be one of {', '.join(known)}")
        return value

    def text(self, key: str, default: str = _REQUIRED) -> str:
        """Return a text."""
        value = self.take(key, default)
        if not isinstance(value, str):
            raise self.wrong(key, "must be text")
        return value

    def flag(self, key: str, default: bool = _REQUIRED) -> bool:
        """Return true or false."""
        value = self.take(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, "must be true or false")
        return value

    def items(self, key: str, most: int) -> list[Any]:
        """Return a list of at most `most` values, empty if it is not given."""
        value = self.take(key, [])
        if not isinstance(value, list):
            raise self.wrong(key, "must be a list")
        if len(value) > most:
            raise ValueError(f"{self.field(key)}: has {len(value)} entries; at most {most} are allowed")
        return value

    def tables(self, key: str, most: int) -> list[Table]:
        """Return a list of at most `most` tables, empty if it is not given."""
        return [Table(entry, f"{self.field(key)}[{index}]") for index, entry in enumerate(self.items(key, most))]

    def close(self) -> None:
        """Refuse keys that nobody asked for."""
        for key in self.values:
            if key not in self.known:
                raise self.wrong(key, f"is not a key of this table; {did_you_mean(key, self.known)}")


def is_whole(value: object, least: int, most: int) -> bool:
    """Whether a value is a whole number least..most; true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def plain(text: str) -> str:
    """Words as they are compared: without regard to case, spaces, invisible characters and looks of a letter."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    visible = "".join(letter for letter in folded if unicodedata.category(letter) != "Cf")
    return re.sub(r" ?, ?", ",", " ".join(visible.split()))
