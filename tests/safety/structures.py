"""Documents spoiled by structure: one value is changed, deleted, repeated, moved or added, and the rest stays well formed."""

import copy
import datetime as dt
import json
import math
import tomllib
from collections.abc import Callable
from random import Random
from typing import Any

LONG = 5_000  # characters; above every limit for a text
DEEP = 60  # nested lists; above every limit for documents, below those of the TOML and JSON parsers
NOON = dt.datetime(2020, 2, 29, 12, tzinfo=dt.UTC)

NUMBERS: tuple[Any, ...] = (
    *(0, -1, 1, 2, 7, 255, -129, 2**31, -(2**31) - 1, 2**44, 2**63 - 1, 2**63, -(2**63) - 1, 2**64, 10**40, -(10**40)),
    *(0.0, -0.0, 0.5, 1.5, -1.0, 1e-320, 1e308, math.inf, -math.inf, math.nan),
)
TEXTS = (
    *("", " ", "a", "x" * LONG, "\u00e9" * 61, "random", "rulebook", "summary", "../../x", "/etc/passwd", "C:\\x", "con"),
    *("\x00", "a\x00b", "\x1b[31mred\x1b[0m", "\x9b31m", "tab\there", "two\nlines", "\r", "\u2028", "\u202e", "\ufeff"),
    *("\u200b", "e\u0301", "\U0001f409", "\uff1d1", "\ufffd", "%s%n", "{0.__class__}", "${x}", "{{7*7}}", "`id`", "a/b"),
    *("\ud800", "<script>alert(1)</script>", "[red]", "=1+1", "nan", "1e999", "0x10", "true", "null", "*", "[0]", "a.b"),
)
OTHERS: tuple[Any, ...] = (
    *(None, True, False, [], {}, [[]], [{}], {"": {}}),
    *(NOON, NOON.date(), NOON.time(), NOON.replace(tzinfo=None)),
)
KEYS = (*("", "id", "name", "source", "cards", "op", "title", "fixed", "1"), *("a.b", "[x]", "__proto__", "\x1b[31m", "x" * 300))


class Structure:
    """Parses and dumps documents, so that a value can be spoiled while the rest stays well formed."""

    def __init__(self, parse: Callable[[str], Any], dump: Callable[[Any], str]) -> None:
        self.parse, self.dump = parse, dump

    def spoiler(self, chance: Random) -> Callable[[bytes], bytes]:
        """Return a function that spoils one value of a document; it returns malformed documents unchanged."""

        def spoil(content: bytes) -> bytes:
            try:
                document = self.parse(content.decode())
                return self.dump(_changed(document, chance)).encode("utf-8", "surrogatepass")
            except (ValueError, RecursionError):
                return content

        return spoil


def _changed(document: Any, chance: Random) -> Any:
    """A document with one value changed, deleted, repeated, moved or added."""
    if not isinstance(document, dict | list) or not document:
        return {}
    node, key = _place(document, chance)
    other, other_key = _place(document, chance)
    match chance.randrange(10):
        case 0:
            del node[key]
        case 1:
            node[key] = copy.deepcopy(other[other_key])
        case 2 if isinstance(node, list):
            node[:] = [copy.deepcopy(node[key]) for _ in range(chance.choice([2, 3, 20, 600]))]
        case 2 | 3 if isinstance(node, dict):
            node[chance.choice([*KEYS, key[:-1], key + "x"])] = _value(chance)
        case 3:
            node.append(_value(chance))
        case 4 if isinstance(node[key], int | float) and not isinstance(node[key], bool):
            node[key] += chance.choice([-1, 1, 5, -100, 0.5])
        case 5:
            node[key] = str(node[key])[:LONG]
        case 6:
            node[key] = chance.choice([[node[key]], {"x": node[key]}])
        case _:
            node[key] = _value(chance)
    return document


def _place(document: Any, chance: Random) -> tuple[Any, Any]:
    """A random table or list of a non-empty document, and a key in it; deep places are as likely as flat ones."""
    node = document
    while True:
        key = chance.choice(list(node)) if isinstance(node, dict) else chance.randrange(len(node))
        if not isinstance(node[key], dict | list) or not node[key] or not chance.randrange(4):
            return node, key
        node = node[key]


def _value(chance: Random) -> Any:
    """A value that is rarely valid."""
    if not chance.randrange(20):
        nested: Any = 1
        for _ in range(DEEP):
            nested = [nested] if chance.randrange(2) else {"x": nested}
        return nested
    return copy.deepcopy(chance.choice(chance.choice([NUMBERS, TEXTS, OTHERS])))


# ---- documents as text -----------------------------------------------------------------------------------------------


def toml_of(document: dict[str, Any]) -> str:
    """A document as TOML. Tables get separate headings, because the reader refuses long lines."""
    return "".join(f"{line}\n" for line in _toml_lines(document, ""))


def _toml_lines(table: dict[str, Any], path: str) -> list[str]:
    """The lines of a table: plain values first, then nested tables."""
    lines, below = [], []
    for key, value in table.items():
        name = f"{path}.{_text(key)}" if path else _text(key)
        if isinstance(value, dict):
            below += [f"[{name}]", *_toml_lines(value, name)]
        elif isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value):
            for entry in value:
                below += [f"[[{name}]]", *_toml_lines(entry, name)]
        else:
            lines.append(f"{_text(key)} = {_inline(value)}")
    return lines + below


def _inline(value: Any) -> str:
    """A value within a line; each entry of a list gets a separate line."""
    match value:
        case str():
            return _text(value)
        case bool():
            return str(value).lower()
        case dict():
            return "{" + ", ".join(f"{_text(key)} = {_inline(entry)}" for key, entry in value.items()) + "}"
        case list():
            return "[" + ",\n".join(map(_inline, value)) + "]"
        case None:
            return '"null"'
    return value.isoformat() if hasattr(value, "isoformat") else repr(value)


def _text(text: str) -> str:
    """Text in quotes, as in JSON; of the characters that JSON leaves unescaped, TOML refuses only one."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


TOML = Structure(tomllib.loads, toml_of)
JSON = Structure(json.loads, lambda document: json.dumps(document, ensure_ascii=False, default=str))
