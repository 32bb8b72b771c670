"""Holding a position against what a scenario file expects of it.

Only what is expected is compared. A table is compared key by key. In a list of tables the first key of an expected
table says which one is meant: `{ hero = "bow_master", marker = 1 }` is about the hero of that id.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.engine.fieldpaths import did_you_mean, key_words, shown
from sim.engine.reading import plain

ROOT = "expect"


def compare(expected: Mapping[str, Any], position: Mapping[str, Any], outside: Mapping[str, Any]) -> list[str]:
    """Differences between what is expected and what is, one line each.

    outside: what is known besides the position: `over`, `to_act`, `options` (compared without regard to order) and
    `events` (every expected text must be part of a line). Raises ValueError for a key that there is not.
    """
    differences = []
    for key, value in expected.items():
        path = f"{ROOT}.{key_words(key)}"
        if key == "options":
            differences += _same_words(path, _texts(path, value), outside[key])
        elif key == "events":
            lines = [plain(line) for line in outside[key]]
            missing = [text for text in _texts(path, value) if not any(plain(text) in line for line in lines)]
            differences += [f"{path}: {shown(text)} did not happen" for text in missing]
        elif key in outside:
            differences += _compared(path, value, outside[key])
        else:
            _check_key(path, key, {**position, **outside})
            differences += _compared(path, value, position[key])
    return differences


def _compared(path: str, expected: Any, found: Any) -> list[str]:
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        return _compared_tables(path, expected, found)
    if _is_tables(expected) and isinstance(found, list):
        return [line for table in expected for line in _compared_entry(path, table, found)]
    if expected == found and isinstance(expected, bool) == isinstance(found, bool):
        return []
    return [f"{path}: expected {shown(expected)}, is {shown(found)}"]


def _compared_tables(path: str, expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    if not found and expected:
        return [f"{path}: expected {shown(expected)}, is empty"]
    differences = []
    for key, value in expected.items():
        place = f"{path}.{key_words(key)}"
        _check_key(place, key, found)
        differences += _compared(place, value, found[key])
    return differences


def _compared_entry(path: str, expected: Mapping[str, Any], found: list[Any]) -> list[str]:
    """Compare with the tables of a list that its first key picks; the best fit counts if it picks several."""
    key, value = next(iter(expected.items()))
    tables = [entry for entry in found if isinstance(entry, Mapping)]
    for entry in tables:
        _check_key(f"{path}.{key_words(key)}", key, entry)
    name = f"{path}[{key_words(key)} = {shown(value)}]"
    fits = [_compared_tables(name, expected, entry) for entry in tables if entry[key] == value]
    if not fits:
        there = ", ".join(shown(entry[key]) for entry in tables) or "none"
        return [f"{name}: there is none; {key} is {there}"]
    return min(fits, key=len)


def _check_key(path: str, key: str, known: Mapping[str, Any]) -> None:
    if key not in known:
        raise ValueError(f"{path}: there is no such field; {did_you_mean(key, list(known))}")


def _is_tables(value: Any) -> bool:
    """Whether a value is a list of tables; an empty list is compared as it is."""
    return isinstance(value, list) and bool(value) and all(isinstance(entry, Mapping) and entry for entry in value)


def _texts(path: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise ValueError(f"{path} = {shown(value)}: must be a list of texts")
    return value


def _same_words(path: str, expected: list[str], found: list[str]) -> list[str]:
    """Compare two sets of words; one line names what is missing and what is too much."""
    wanted, there = {plain(text): text for text in expected}, {plain(text): text for text in found}
    missing = [text for word, text in wanted.items() if word not in there]
    extra = [text for word, text in there.items() if word not in wanted]
    lines = [f"{path}: {shown(text)} is not open" for text in missing]
    return lines + [f"{path}: {shown(text)} is open too" for text in extra]
