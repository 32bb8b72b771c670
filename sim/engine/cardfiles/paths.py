"""Paths into card files such as `hero.rhino_guy.ability.charge.knockback[1]`: naming, finding and changing a field.

A table in a list is addressed by its `id`, else by the slug of its `name`, else by its index in brackets; the index always
works.

`Table` reads tables written by users, such as scenario files and positions. It checks each value; an error message gives the
field, its value and what is valid.
"""

from __future__ import annotations

import copy
import difflib
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import translate
from itertools import accumulate, islice
from typing import Any

Document = Mapping[str, Any]
Location = tuple[str | int, ...]

HEADER = ("game", "format", "title", "fixed")  # keys of every card file that are not data of the game
SHOWN_LENGTH = 60  # characters of a value in a message
WORDS_LENGTH = 800  # characters of a list of known words in a message
MESSAGE_MAX = 2_000  # characters of a message
PROBLEMS_SHOWN = 20  # in a message
SUGGESTIONS = 3
NEAR_MAX = 500  # words searched for the nearest one
_LABEL_LENGTH = 60  # characters of an id or name that addresses an entry of a list; valid ones have at most as many
_PATH_LENGTH = 200  # longer paths are cut before they are compared with known ones
_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")
# Draw nothing although `str.isprintable` accepts them: fillers, joiners, variation selectors, an empty Braille cell.
_HIDDEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")


@dataclass(frozen=True)
class Problem:
    """An error in a field: its location, `wrong` as in "is too large", `right` as in "must be 0 to 6"."""

    location: Location
    wrong: str
    right: str = ""


class CardError(ValueError):
    """A card file that cannot be used. One line for each problem: file, field, value, what is wrong, what is valid.

    problems: the problems of single fields; empty if the file as a whole is wrong.
    """

    def __init__(self, message: str, problems: Iterable[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


def slug(text: str) -> str:
    """Return text as one lower-case word: `Arrowed!` becomes `arrowed`, `Hammer Time` becomes `hammer_time`."""
    return re.sub(r"[\W_]+", "_", text.lower()).strip("_")


def shown(value: object) -> str:
    """Return a value as in a card file, on one line, at most SHOWN_LENGTH characters; invisible ones are escaped."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
        if not text.isprintable() or _HIDDEN.search(text):
            text = json.dumps(value, default=str)
    except (TypeError, ValueError, RecursionError):  # unusual keys, numbers of more than 4,300 digits, cycles
        return "(too long to show)"
    return shortened(text)


def shortened(text: str) -> str:
    """Return text of at most SHOWN_LENGTH characters: a longer one ends in three dots."""
    return text if len(text) <= SHOWN_LENGTH else text[: SHOWN_LENGTH - 3] + "..."


def word_shown(text: str) -> str:
    """Return a word for a message: as it is if it can be printed, else as `shown`; at most SHOWN_LENGTH characters."""
    return shortened(text) if text.isprintable() and not _HIDDEN.search(text) else shown(text)


def problem_list(path: object, lines: Sequence[str], total: str) -> str:
    """Return the first problems of a file, a line each, as many as fit into a message; then the number of all of them."""
    last = f"{path}: and more, {total} problems in all"
    ends = accumulate((len(line) + 1 for line in lines[:PROBLEMS_SHOWN]), initial=len(last))
    fitting = max(1, sum(end <= MESSAGE_MAX for end in islice(ends, 1, None)))
    return "\n".join(lines if fitting == len(lines) else [*lines[:fitting], last])


def did_you_mean(word: object, known: list[str]) -> str:
    """Return `did you mean ...?` for a misspelt word, else the known words; empty if there are none."""
    near = difflib.get_close_matches(str(word)[:_PATH_LENGTH], known[:NEAR_MAX], 1)
    if near:
        return f'did you mean "{word_shown(near[0])}"?'
    return f"known here: {_listed(known)}" if known else ""


def _listed(words: list[str]) -> str:
    """Return words with commas between them; of a long list, the first ones and the number of the others."""
    length = 0
    for index, word in enumerate(words):
        length += min(len(word), SHOWN_LENGTH) + 2
        if length > WORDS_LENGTH:
            return f"{', '.join(map(word_shown, words[:index]))} and {len(words) - index:,} more"
    return ", ".join(map(word_shown, words))


def _labels(items: list[Any], *, by_name: bool) -> list[str]:
    """Return the words that address the entries of a list; empty if only the index does.

    That is if the entry is not a table, or its word is missing, too long or not unique.
    """
    words = []
    for item in items:
        table = item if isinstance(item, dict) else {}
        word, name = table.get("id"), table.get("name")
        if not (isinstance(word, str) and re.fullmatch(r"\w+", word)):
            word = slug(name) if by_name and isinstance(name, str) else ""
        words.append(word if len(word) <= _LABEL_LENGTH else "")
    counts = Counter(words)
    return [word if counts[word] == 1 else "" for word in words]


def key_words(key: object) -> str:
    """Return a key as in a card file, printable: in quotes if it is not a plain word."""
    text = str(key)
    return text if re.fullmatch(r"[\w-]{1,60}", text) else shown(text)


def depth(document: Document, most: int) -> int:
    """Return the nesting depth of tables and lists, at most `most` + 1. Not recursive."""
    level: list[Any] = [document]
    levels = 0
    while level and levels <= most:
        inner: list[Any] = []
        for node in level:
            inner.extend(node.values() if isinstance(node, dict) else node if isinstance(node, list) else ())
        level = inner
        levels += 1
    return levels


def size(document: Document, most: int) -> int:
    """Return the number of values of a document, including nested ones; stops counting above `most`."""
    waiting: list[Any] = [document]
    count = 0
    while waiting and count <= most:
        node = waiting.pop()
        inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        count += len(inner)
        waiting += inner
    return count


def address(document: Document, location: Location, *, by_name: bool = True) -> str:
    """Return the readable path of a location (keys and indices from the root). The location need not exist.

    by_name: whether tables without `id` are addressed by the slug of their `name` rather than by index.
    """
    return _address(document, location, by_name, {})


def addresses(document: Document, locations: Iterable[Location]) -> list[str]:
    """Return the readable paths of many locations; much faster than one by one if lists are long."""
    known: dict[int, list[str]] = {}
    return [_address(document, location, True, known) for location in locations]


def _address(document: Document, location: Location, by_name: bool, known: dict[int, list[str]]) -> str:
    """Return the path of a location. known: cache of the labels of lists, by the list's identity; updated."""
    node: Any = document
    text = ""
    for step in location:
        if isinstance(step, int) and isinstance(node, list):
            if id(node) not in known:
                known[id(node)] = _labels(node, by_name=by_name)
            label = known[id(node)][step] if 0 <= step < len(node) else ""
            text += f".{label}" if label else f"[{step}]"
            node = node[step] if 0 <= step < len(node) else None
        else:
            text += f".{key_words(step)}" if text else key_words(step)
            node = node.get(step) if isinstance(node, Mapping) else None
    return text


def look_up(document: Document, location: Location) -> tuple[bool, Any]:
    """Return whether a location exists, and its value."""
    node: Any = document
    for step in location:
        try:
            node = node[step]
        except (KeyError, IndexError, TypeError):
            return False, None
    return True, node


def locate(document: Document, path: str) -> Location:
    """Return the location of a path. Raises CardError with the nearest existing paths if there is none."""
    node: Any = document
    location: list[str | int] = []
    position = 0
    while position < len(path):
        match = _STEP.match(path, position)
        step = _resolve(node, match.group(1), match.group(2)) if match else None
        if match is None or step is None:
            raise CardError(_no_such(document, path))
        location.append(step)
        node = node[step]
        position = match.end()
    if not location:
        raise CardError(_no_such(document, path))
    return tuple(location)


def _resolve(node: Any, word: str | None, index: str | None) -> str | int | None:
    """Resolve one step of a path from a node: the key or index, or None if it does not exist."""
    if isinstance(node, dict) and word in node:
        return word
    if isinstance(node, list) and word is not None:
        labels = _labels(node, by_name=True)
        return labels.index(word) if word in labels else None
    if isinstance(node, list) and index is not None and len(index) < len(str(len(node))) + 1 and int(index) < len(node):
        return int(index)
    return None


def _no_such(document: Document, path: str) -> str:
    known = addresses(document, (location for location, _ in scalars(document)))
    near = difflib.get_close_matches(path[:_PATH_LENGTH], known, SUGGESTIONS, 0.4)
    hint = f"; nearest: {', '.join(near)}" if near else ""
    return f"{shown(path)}: there is no such field in the card file{hint}"


def scalars(document: Document) -> Iterator[tuple[Location, Any]]:
    """Yield location and value of every number, text and switch, in the order of the file.

    Skips the header keys and everything in `source`.
    """
    for key, value in document.items():
        if key not in HEADER:
            yield from _scalars(value, (key,))


def _scalars(node: Any, location: Location) -> Iterator[tuple[Location, Any]]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key != "source":
                yield from _scalars(value, (*location, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from _scalars(value, (*location, index))
    else:
        yield location, node


def is_number(value: object) -> bool:
    """Return whether a value of a card file is a number; true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def numeric_fields(document: Document) -> list[str]:
    """Return the paths of all numbers of a card file, in its order, for `changed`."""
    return addresses(document, (location for location, value in scalars(document) if is_number(value)))


def matching(document: Document, pattern: str) -> list[str]:
    """Return the paths of the numbers that match a pattern: `*` matches any text, `hero.*.move` the move of every hero.

    A pattern also matches all numbers inside a matching table. In the order of the file; empty if nothing matches.
    """
    return fitting(numeric_fields(document), pattern)


def fitting(paths: Iterable[str], pattern: str) -> list[str]:
    """Return the paths that match a pattern, see `matching`."""
    bracketed = pattern.replace("[", "[[]")  # a bracket encloses an index, not a character set
    fits = re.compile("|".join(map(translate, (bracketed, f"{bracketed}.*", f"{bracketed}[[]*")))).match
    return [path for path in paths if fits(path)]


def fixed_fields(document: Document) -> set[str]:
    """Return the paths of the numbers that match the patterns of the file's key `fixed` (see `matching`)."""
    patterns = document.get("fixed", ())
    known = numeric_fields(document) if patterns else []
    return {path for pattern in patterns for path in fitting(known, pattern)}


def changed(document: Document, path: str, value: object) -> dict[str, Any]:
    """Return a copy of the document with another value at `path`.

    Raises CardError with the nearest existing paths if the path does not exist.
    """
    location = locate(document, path)
    copied: dict[str, Any] = copy.deepcopy(dict(document))
    _, table = look_up(copied, location[:-1])
    table[location[-1]] = copy.deepcopy(value)
    return copied


_REQUIRED: Any = object()


class Table:
    """Reader of a table. It records the requested keys, so that `close` can refuse all others.

    path: the table in messages, "" for the root. The methods raise ValueError for invalid values.
    """

    def __init__(self, values: Mapping[str, Any], path: str = "") -> None:
        if not isinstance(values, Mapping):
            raise ValueError(f"{path} = {shown(values)}: must be a table")
        self.values = values
        self.path = path
        self.known: list[str] = []

    def has(self, key: str) -> bool:
        """Return whether the key is given."""
        return key in self.values

    def field(self, key: str) -> str:
        """Return the path of a field of this table."""
        return f"{self.path}.{key_words(key)}" if self.path else key_words(key)

    def wrong(self, key: str, what: str) -> ValueError:
        """Return the error for a field: its path, its value if given, and `what`."""
        value = f" = {shown(self.values[key])}" if key in self.values else ""
        return ValueError(f"{self.field(key)}{value}: {what}")

    def take(self, key: str, default: Any = _REQUIRED) -> Any:
        """Return a value unchecked, or the default."""
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
        """Return a text that is one of the choices."""
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
        """Raise ValueError for a key that was not requested."""
        for key in self.values:
            if key not in self.known:
                raise self.wrong(key, f"is not a key of this table; {did_you_mean(key, self.known)}")


def is_whole(value: object, least: int, most: int) -> bool:
    """Return whether a value is a whole number least..most; true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def plain(text: str) -> str:
    """Return text normalised for comparison: without case, extra spaces, invisible characters and variants of letters."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    visible = "".join(letter for letter in folded if unicodedata.category(letter) != "Cf")
    return re.sub(r" ?, ?", ",", " ".join(visible.split()))
