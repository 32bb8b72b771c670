"""Positions by readable names, as scenario files write them: each key is declared once.

A game lists the keys of a position in a `Document`. It reads a state as a document (`read`), writes a document into a zeroed
state (`write`), refuses what is wrong with the field, its value and what would be right, and describes its keys for the
README (`documented`). What no single key decides is an invariant of the game: `problems` yields its violations. Positions
from files must satisfy them, and so must every position of play, which the tests check.

    POSITION = Document(
        keys=(
            Number("turn", "turns finished", most=lambda here: here.card("turn_cap")),
            Word("phase", "what is decided", words=words_of(Phase), default="move"),
            LineUp("fighters", "ids", field="fighter", seats=(2, 3)),
            Each("coins", "coins by seat", most=COINS),
            Rows("piles", "piles of cards", length="piles", most=PILES, keys=(Number("cards", "cards left", most=CARDS),)),
        ),
        problems=problems,
    )
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from types import MappingProxyType
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import Location, Problem, Table, did_you_mean, is_whole, key_words, look_up, shown
from sim.engine.cards import CardSet
from sim.engine.dice import SEATS_MAX

ABSENT: Any = object()  # from a reader: the document does not have the key


@dataclass(frozen=True)
class Here:
    """A place in a state: the state, the cards, and the index of the table that is read or written."""

    state: np.void
    cards: CardSet
    at: tuple[int, ...] = ()
    tables: dict[Location, Table] = field(default_factory=dict)  # tables of the document that is written, by their location
    location: Location = ()  # of the table
    notes: list[Any] = field(default_factory=list)  # what writers of the game leave for `settle`
    seat_axes: frozenset[int] = frozenset({SEATS_MAX})  # lengths of an axis over seats, see `Document.here`

    def number(self, name: str, *index: int) -> int:
        """Return a number of the state at this place."""
        return int(self.state[name][(*self.at, *index)])

    def card(self, name: str, *index: int) -> int:
        """Return a number of the cards."""
        return int(self.cards.record[0][name][index])

    def inside(self, *location: str | int, index: tuple[int, ...] = ()) -> Here:
        """Return the place of a table of this one. location, index: the steps to it in the document and in the state."""
        return replace(self, at=(*self.at, *index), location=(*self.location, *location))


Limit = int | Callable[[Here], int]
Default = str | Callable[[Here], str]
Words = Mapping[str, int] | type[IntEnum] | Callable[[Here], Mapping[str, int]]  # number by word; of an enum, see `words_of`


def words_of(enum: type[IntEnum]) -> dict[str, int]:
    """Return the words for the members of an enum: their names in lower case."""
    return {member.name.lower(): int(member) for member in enum}


def number_by_word(words: Words, here: Here) -> Mapping[str, int]:
    """Return the numbers by the words that stand for them at a place."""
    if isinstance(words, type):
        return words_of(words)
    return words(here) if callable(words) else words


def numbered(words: Iterable[str]) -> dict[str, int]:
    """Return words with their place in a list."""
    return {word: index for index, word in enumerate(words)}


def _of(value: Any, here: Here) -> Any:
    return value(here) if callable(value) else value


@dataclass(frozen=True, kw_only=True)
class Key:
    """One key of a table. meaning: for the README; shown: its default there, if the value itself does not explain it.

    when: whether a position has the key; None: always. absent: whether documents leave the key out in a state, because it says
    nothing there. stage: keys of a lower stage are written first, keys of the same stage in the order of the table.
    """

    key: str = field(kw_only=False)
    meaning: str = field(kw_only=False)
    shown: str = ""
    when: Callable[[Here], bool] | None = None
    absent: Callable[[Here], bool] = lambda _: False
    stage: int = 0

    def read(self, here: Here) -> Any:
        """Return the value, or ABSENT."""
        raise NotImplementedError

    def write(self, table: Table, here: Here) -> None:
        """Write the value of a document. Raises ValueError if it is wrong."""
        raise NotImplementedError

    def check(self, table: Table, here: Here) -> None:
        """Refuse a value that contradicts the rest, once everything else of the table is written."""

    def problems(self, here: Here, location: Location) -> Iterator[Problem]:  # noqa: ARG002 - for some kinds of keys
        """Yield what is out of range in a state."""
        yield from ()

    def documented(self, prefix: str) -> Iterator[str]:
        """Yield the lines of the README."""
        yield f"| `{prefix}{self.key}` | {self.meaning} | {self.shown} |"


@dataclass(frozen=True, kw_only=True)
class Number(Key):
    """A whole number. field: of the state, by default the key; index: within the field; default: None, it is required."""

    field: str = ""
    index: tuple[int, ...] = ()
    least: int = 0
    most: Limit
    default: Limit | None = 0

    def read(self, here: Here) -> int:
        """Return the number."""
        return here.number(self.field or self.key, *self.index)

    def write(self, table: Table, here: Here) -> None:
        """Check the range and write."""
        least, most = self.least, _of(self.most, here)
        given = () if self.default is None else (_of(self.default, here),)
        _put(here, self.field or self.key, self.index, table.whole(self.key, least, most, *given))

    def problems(self, here: Here, location: Location) -> Iterator[Problem]:
        """Yield a number out of range."""
        value, most = self.read(here), _of(self.most, here)
        if not self.least <= value <= most and (self.default is None or value != _of(self.default, here)):
            yield Problem((*location, self.key), f"must be a whole number from {self.least} to {most}")

    def documented(self, prefix: str) -> Iterator[str]:
        """Yield its line with the range, as far as it is the same in all games."""
        span = f", {self.least}..{self.most}" if isinstance(self.most, int) else ""
        default = self.shown or (self.default if isinstance(self.default, int) else "")
        yield f"| `{prefix}{self.key}` | {self.meaning}{span} | {default} |"


def _put(here: Here, name: str, index: tuple[int, ...], value: int) -> None:
    place = (*here.at, *index)
    if place:
        here.state[name][place] = value
    else:
        here.state[name] = value


@dataclass(frozen=True, kw_only=True)
class Word(Key):
    """A word that stands for a number. words: number by word; index: within the field; default: "", it is required."""

    field: str = ""
    index: tuple[int, ...] = ()
    words: Words
    default: Default = ""

    def read(self, here: Here) -> str:
        """Return the word."""
        value = here.number(self.field or self.key, *self.index)
        return next(word for word, number in number_by_word(self.words, here).items() if number == value)

    def write(self, table: Table, here: Here) -> None:
        """Write the number of the word."""
        known = number_by_word(self.words, here)
        given = () if self.default == "" else (_of(self.default, here),)
        _put(here, self.field or self.key, self.index, known[table.one_of(self.key, known, *given)])

    def documented(self, prefix: str) -> Iterator[str]:
        """Yield its line."""
        default = self.shown or (f"`{self.default}`" if self.default and isinstance(self.default, str) else "")
        yield f"| `{prefix}{self.key}` | {self.meaning} | {default} |"


@dataclass(frozen=True, kw_only=True)
class Each(Key):
    """A list with a whole number, or a word, for each entry of a field.

    count: of the entries, by default the seats, if the first axis of the field is the seat and the state has their number, else
    the length of the axis. It is the seat if it is as long as SEATS_MAX or as the field of the line-up; give the count of any
    other list of that length. length: the field that has the number of entries, if a list can have fewer. default: of each
    entry, or a function that returns the whole list; None: the list is required. sparse: `read` leaves out a list of defaults.
    """

    field: str = ""
    count: Limit | None = None
    length: str = ""
    least: int = 0
    most: Limit = 0
    words: Words | None = None
    default: int | Callable[[Here], Sequence[Any]] | None = 0
    sparse: bool = False

    def _count(self, here: Here) -> int:
        if self.count is not None:
            return int(_of(self.count, here))
        axis = len(here.state[self.field or self.key][here.at])
        by_seat = not here.at and not self.length and axis in here.seat_axes
        return here.number("seats") if by_seat and "seats" in (here.state.dtype.names or ()) else axis

    def read(self, here: Here) -> Any:
        """Return the values, or ABSENT."""
        count = here.number(self.length) if self.length else self._count(here)
        numbers: list[Any] = here.state[self.field or self.key][here.at][:count].tolist()
        if self.sparse and all(number == self.default for number in numbers):
            return ABSENT
        if self.words is None:
            return numbers
        known = {number: word for word, number in number_by_word(self.words, here).items()}
        return [known[number] for number in numbers]

    def write(self, table: Table, here: Here) -> None:
        """Check each value and write."""
        count, least, most = self._count(here), self.least, _of(self.most, here)
        if table.has(self.key):
            values = table.items(self.key, count)
        elif callable(self.default):
            values = table.take(self.key, self.default(here))
        elif self.length or count == 0:
            values = table.take(self.key, [])
        else:
            values = table.take(self.key) if self.default is None else table.take(self.key, [self.default] * count)
        wanted = f"at most {count}" if self.length else str(count)
        if self.length:
            count = len(values)
            _put(here, self.length, (), count)
        known = number_by_word(self.words, here) if self.words else {}
        right = f"of {', '.join(known)}" if self.words else f"whole numbers from {least} to {most}"
        if len(values) != count or not all(value in known if self.words else is_whole(value, least, most) for value in values):
            raise table.wrong(self.key, f"must be {wanted} {right}")
        here.state[self.field or self.key][here.at][:count] = [known[value] if self.words else value for value in values]

    def problems(self, here: Here, location: Location) -> Iterator[Problem]:
        """Yield a number out of range."""
        most = _of(self.most, here)
        values = self.read(here)
        if self.words is None and values is not ABSENT and not all(self.least <= value <= most for value in values):
            yield Problem((*location, self.key), f"must be whole numbers from {self.least} to {most}")


@dataclass(frozen=True, kw_only=True)
class LineUp(Each):
    """A list with the id of each seat's entrant, which a position must have. Its length is the number of seats.

    seats: numbers of seats that the game supports; words: by default the ids of the entrants. It is written before other keys,
    with the field `seats`, if the state has one.
    """

    seats: tuple[int, ...]
    words: Words = lambda here: numbered(here.cards.ids)
    default: None = None
    stage: int = -1

    def write(self, table: Table, here: Here) -> None:
        """Write the number of seats, then their entrants."""
        count = len(table.items(self.key, max(self.seats)))
        if count not in self.seats:
            raise table.wrong(
                self.key, f"must have an entry for each seat, of which there can be {', '.join(map(str, self.seats))}"
            )
        if "seats" in (here.state.dtype.names or ()):
            here.state["seats"] = count
        super().write(table, here)


@dataclass(frozen=True, kw_only=True)
class Flag(Key):
    """True or false. field: of the state, by default the key."""

    field: str = ""
    default: bool = False
    shown: str = "false"

    def read(self, here: Here) -> bool:
        """Return the flag."""
        return bool(here.number(self.field or self.key))

    def write(self, table: Table, here: Here) -> None:
        """Write the flag."""
        _put(here, self.field or self.key, (), int(table.flag(self.key, self.default)))


@dataclass(frozen=True, kw_only=True)
class Plain(Key):
    """A field of the state as it is: a number, or lists in its shape; axes over seats have an entry for each seat of the game.

    words: the words that stand for its numbers, such as ids of cards; None: numbers. A document can leave the field out: then it
    is 0. `read` leaves out long lists of zeros.
    """

    dtype: np.dtype[Any]
    words: Words | None = None

    def _lengths(self, here: Here) -> tuple[int, ...]:
        """Entries of each axis of the field in this game."""
        has_seats = "seats" in (here.state.dtype.names or ())
        return tuple(
            here.number("seats") if has_seats and axis in here.seat_axes else axis for axis in here.state[self.key].shape
        )

    def read(self, here: Here) -> Any:
        """Return the number or its word, or the lists, or ABSENT. A number without a word is read as it is."""
        lengths = self._lengths(here)
        part = here.state[self.key][tuple(map(slice, lengths))]
        if part.size > SEATS_MAX and not part.any():
            return ABSENT
        word_by_number = {number: word for word, number in number_by_word(self.words, here).items()} if self.words else {}
        return _each(part.tolist(), lambda number: word_by_number.get(number, number))

    def write(self, table: Table, here: Here) -> None:
        """Check the shape and the words, or the range, and write."""
        lengths = self._lengths(here)
        span = np.iinfo(self.dtype)
        least, most = int(span.min), int(span.max)
        if not self.words and not lengths:
            here.state[self.key] = table.whole(self.key, least, most, 0)
            return
        values = table.take(self.key, None)
        if values is None:
            return
        known: dict[Any, int] = dict(number_by_word(self.words, here)) if self.words else {}
        if not _has_shape(values, lengths, lambda value: value in known if self.words else is_whole(value, least, most)):
            right = f"of {', '.join(known)}" if self.words else f"whole numbers from {least} to {most}"
            shape = f"a list of {lengths[0]}" if len(lengths) == 1 else " lists of ".join(map(str, lengths)) or "one"
            raise table.wrong(self.key, f"must be {shape} {right}")
        numbers = _each(values, lambda value: known.get(value, value))
        if lengths:
            here.state[self.key][tuple(map(slice, lengths))] = numbers
        else:
            here.state[self.key] = numbers


def _each(values: Any, change: Callable[[Any], Any]) -> Any:
    """Change each entry of nested lists."""
    return [_each(value, change) for value in values] if isinstance(values, list) else change(values)


def _texts(values: Any) -> Iterator[str]:
    """Yield the texts in nested lists."""
    if isinstance(values, str):
        yield values
    elif isinstance(values, list):
        yield from (text for value in values for text in _texts(value))


def _has_shape(values: Any, lengths: tuple[int, ...], is_right: Callable[[Any], bool]) -> bool:
    """Whether values are lists of these lengths, with entries that are right."""
    if not lengths:
        return not isinstance(values, (list, dict)) and is_right(values)
    if not isinstance(values, list) or len(values) != lengths[0]:
        return False
    return all(_has_shape(value, lengths[1:], is_right) for value in values)


@dataclass(frozen=True, kw_only=True)
class Follows(Key):
    """A value that follows from the rest. A document can leave it out; if it is given, it must be right.

    value: ABSENT, it must be left out; shown: what it follows from, also for messages.
    """

    value: Callable[[Here], Any]
    shown: str = "follows from the rest"

    def read(self, here: Here) -> Any:
        """Return the value."""
        return self.value(here)

    def write(self, table: Table, here: Here) -> None:  # noqa: ARG002 - compared later
        """Only note the key."""
        table.take(self.key, None)

    def check(self, table: Table, here: Here) -> None:
        """Compare the given value with the right one."""
        value = self.value(here)
        if table.has(self.key) and value is ABSENT:
            raise table.wrong(self.key, "does not apply in this position; leave it out")
        if table.has(self.key) and table.take(self.key) != value:
            raise table.wrong(self.key, f"{self.shown} and is {value}; leave it out or correct it")


@dataclass(frozen=True, kw_only=True)
class Custom(Key):
    """A key with a reader and a writer of the game. writer: None if the table's `settle` writes it."""

    reader: Callable[[Here], Any]
    writer: Callable[[Table, Here], None] | None = None

    def read(self, here: Here) -> Any:
        """Return what the game reads."""
        return self.reader(here)

    def write(self, table: Table, here: Here) -> None:
        """Let the game write."""
        if self.writer:
            self.writer(table, here)
        else:
            table.take(self.key, None)


@dataclass(frozen=True, kw_only=True)
class Group(Key):
    """A table of its own, which a document can leave out."""

    keys: tuple[Key, ...]

    def read(self, here: Here) -> dict[str, Any]:
        """Return the table."""
        return _read(self.keys, here.inside(self.key))

    def write(self, table: Table, here: Here) -> None:
        """Write its keys."""
        inner, inside = Table(table.take(self.key, {}), table.field(self.key)), here.inside(self.key)
        here.tables[inside.location] = inner
        _put_keys(self.keys, [(inner, inside)])
        inner.close()

    def check(self, table: Table, here: Here) -> None:  # noqa: ARG002 - its own table
        """Check its keys."""
        _check(self.keys, here.inside(self.key))

    def problems(self, here: Here, location: Location) -> Iterator[Problem]:
        """Yield the problems of its keys."""
        yield from _problems(self.keys, here.inside(self.key), (*location, self.key))

    def documented(self, prefix: str) -> Iterator[str]:
        """Yield its line and those of its keys."""
        yield from super().documented(prefix)
        for key in self.keys:
            yield from key.documented(f"{prefix}{self.key}.")


@dataclass(frozen=True, kw_only=True)
class Rows(Key):
    """A list of tables. index: the key that numbers them, by default the lowest free number from `first` to `most`.

    Without index they are numbered in the order of the list. rows: numbers of the tables in a state; base: what a number is
    raised by to give the index in the state; length: the field with the number of tables, in place of rows. complete: every
    number needs a table, and all of them can be left out together. by_key: all tables are written key by key, so that a key can
    depend on an earlier key of any of them.
    """

    keys: tuple[Key, ...]
    index: str = ""
    rows: Callable[[Here], Iterable[int]] = lambda _: ()
    first: int = 0
    most: Limit
    base: int = 0
    length: str = ""
    complete: bool = False
    by_key: bool = False

    def _rows(self, here: Here) -> Iterable[int]:
        return range(self.first, self.first + here.number(self.length)) if self.length else self.rows(here)

    def _inside(self, here: Here, row: int) -> Here:
        return here.inside(self.key, row, index=(row + self.base,))

    def read(self, here: Here) -> list[dict[str, Any]]:
        """Return the tables in the order of their numbers."""
        return [({self.index: row} if self.index else {}) | _read(self.keys, self._inside(here, row)) for row in self._rows(here)]

    def write(self, table: Table, here: Here) -> None:
        """Write each table at its number."""
        most = _of(self.most, here)
        free = list(range(self.first, most + 1))
        entries = table.tables(self.key, len(free))
        if self.complete and not entries:
            entries = [Table({}, f"{table.field(self.key)}[{row}]") for row in free]
        if self.complete and len(entries) < len(free):
            needed = f"must be {len(free)} tables, one for each {self.index}; {len(entries)} are given"
            raise ValueError(f"{table.field(self.key)}: {needed}")
        if self.length:
            _put(here, self.length, (), len(entries))
        places = []
        for entry in entries:
            row = entry.whole(self.index, self.first, most, free[0]) if self.index else free[0]
            if row not in free:
                raise entry.wrong(self.index, f"is already taken; every entry needs its own {self.index}")
            free.remove(row)
            inside = self._inside(here, row)
            here.tables[inside.location] = entry
            if self.by_key:
                places.append((entry, inside))
            else:
                _put_keys(self.keys, [(entry, inside)])
        _put_keys(self.keys, places)
        for entry in entries:
            entry.close()

    def check(self, table: Table, here: Here) -> None:  # noqa: ARG002 - the tables of the list
        """Check each table of the document."""
        for location in list(here.tables):
            if location[:-1] == (*here.location, self.key):
                _check(self.keys, self._inside(here, int(location[-1])))

    def problems(self, here: Here, location: Location) -> Iterator[Problem]:
        """Yield the problems of each table."""
        for row in self._rows(here):
            yield from _problems(self.keys, self._inside(here, row), (*location, self.key, row))

    def documented(self, prefix: str) -> Iterator[str]:
        """Yield its line and those of its keys."""
        yield f"| `{prefix}{self.key}` | list of tables, {self.meaning} | {self.shown} |"
        if self.index:
            yield f"| `{prefix}{self.key}.{self.index}` | number of the entry, {self.first}.. | in the order of the list |"
        for key in self.keys:
            yield from key.documented(f"{prefix}{self.key}.")


@dataclass(frozen=True)
class Case:
    """The keys of a table in one phase. settle: writes what several keys decide together, before `Follows` are compared."""

    keys: tuple[Key, ...]
    settle: Callable[[Table, Here], None] | None = None


@dataclass(frozen=True, kw_only=True)
class When(Key):
    """A table whose keys depend on a field of the state, such as the phase; without a case it is empty."""

    field: str
    cases: Mapping[Any, Case]

    def read(self, here: Here) -> dict[str, Any]:
        """Return the table."""
        case = self.cases.get(here.number(self.field))
        return _read(case.keys, here.inside(self.key)) if case else {}

    def write(self, table: Table, here: Here) -> None:
        """Write the keys of the case."""
        inner, case = Table(table.take(self.key, {}), self.key), self.cases.get(here.number(self.field))
        inside = here.inside(self.key)
        here.tables[inside.location] = inner
        if case:
            _write(case.keys, inner, inside, case.settle)
        inner.close()

    def documented(self, prefix: str) -> Iterator[str]:
        """Yield its line and one for each key of any case."""
        yield from super().documented(prefix)
        seen = {key.key: key for case in self.cases.values() for key in case.keys}
        for key in seen.values():
            yield from key.documented(f"{prefix}{self.key}.")


def _held(keys: Iterable[Key], here: Here) -> Iterator[Key]:
    return (key for key in keys if key.when is None or key.when(here))


def _read(keys: Iterable[Key], here: Here) -> dict[str, Any]:
    values = {key.key: key.read(here) for key in _held(keys, here) if not key.absent(here)}
    return {key: value for key, value in values.items() if value is not ABSENT}


def _write(keys: tuple[Key, ...], table: Table, here: Here, settle: Callable[[Table, Here], None] | None = None) -> None:
    _put_keys(keys, [(table, here)])
    if settle:
        settle(table, here)
    _check(keys, here)


def _put_keys(keys: Iterable[Key], places: Iterable[tuple[Table, Here]]) -> None:
    for key in sorted(keys, key=lambda key: key.stage):
        for table, here in places:
            if key.when is None or key.when(here):
                key.write(table, here)


def _check(keys: Iterable[Key], here: Here) -> None:
    for key in _held(keys, here):
        key.check(here.tables[here.location], here)


def _problems(keys: Iterable[Key], here: Here, location: Location) -> Iterator[Problem]:
    for key in _held(keys, here):
        if not key.absent(here):
            yield from key.problems(here, location)


def _none(_state: np.void, _cards: CardSet) -> Iterator[Problem]:
    yield from ()


@dataclass(frozen=True)
class Document:
    """The position of a game.

    keys: in the order of the document, written by stage; pending: the keys of an action in progress, written once the rest
    satisfies the invariants. begin: prepares a zeroed state, given the document; settle: writes what follows from the keys.
    problems: violations of the invariants in any state of play. Their locations are those of `read`, where an entry of a list
    has its number.
    """

    keys: tuple[Key, ...]
    problems: Callable[[np.void, CardSet], Iterator[Problem]] = _none
    begin: Callable[[Table, Here], None] | None = None
    settle: Callable[[Table, Here], None] | None = None
    pending: Key | None = None

    @classmethod
    def of_fields(
        cls,
        state: np.dtype[Any],
        line_up: str,
        seats: tuple[int, ...],
        words: Mapping[str, Words] = MappingProxyType({}),
        without: Collection[str] = (),
        **more: Any,
    ) -> Document:
        """Return the position of a game whose fields of whole numbers are its keys, by name and as they are.

        line_up: the field with the row of each seat's entrant, in words their ids. words: by field whose numbers stand for
        something, such as the phase or cards: an enum, numbers by word, or a function that returns these for a place (`Here`).
        without: fields that a position does not need, such as scratch memory. more: the other fields of this record. Raises
        ValueError if `words` or `without` names no field.
        """
        if unknown := {line_up, *words, *without}.difference(state.names or ()):
            raise ValueError(f"position by fields: the state has no field {', '.join(sorted(unknown))}")
        others = [name for name in state.names or () if name not in (line_up, "seats", *without)]
        numbers = [name for name in others if np.issubdtype(state[name].base, np.integer)]
        fields = [Plain(name, f"field `{name}` of the state", dtype=state[name].base, words=words.get(name)) for name in numbers]
        return cls((LineUp(line_up, "ids by seat", seats=seats), *fields), **more)

    def here(self, state: np.void, cards: CardSet) -> Here:
        """Return the whole of a state as a place. An axis over seats is as long as SEATS_MAX, or as the field of the line-up."""
        line_ups = [len(state[key.field or key.key]) for key in self.keys if isinstance(key, LineUp)]
        return Here(state, cards, seat_axes=frozenset({SEATS_MAX, *line_ups}))

    def read(self, state: np.void, cards: CardSet) -> dict[str, Any]:
        """Return the position as a document that `write` accepts."""
        return _read((*self.keys, *([self.pending] if self.pending else [])), self.here(state, cards))

    def write(self, position: dict[str, Any], cards: CardSet, state: np.void) -> None:
        """Write a position into a zeroed state. Raises ValueError with the field, its value and what would be right."""
        table = Table(position)
        here = replace(self.here(state, cards), tables={(): table})
        if self.begin:
            self.begin(table, here)
        _write(self.keys, table, here, self.settle)
        for problem in self.problems(state, cards):
            raise refusal(problem, here)
        if self.pending:
            self.pending.write(table, here)
            for problem in self.problems(state, cards):
                raise refusal(problem, here)
        table.close()

    def check_words(self, values: Mapping[str, Any], cards: CardSet, state: np.void, path: str) -> None:
        """Raise ValueError for a word that its key cannot have.

        values: of some keys, such as what a scenario expects of `state`; path: of their table, for the message.
        """
        here = self.here(state, cards)
        for key in self.keys:
            if isinstance(key, (Word, Each, Plain)) and key.words and key.key in values:
                possible = [*number_by_word(key.words, here)]
                for word in _texts(values[key.key]):
                    if word not in possible:
                        raise ValueError(f"{path}.{key.key} = {shown(values[key.key])}: {did_you_mean(word, possible)}")

    def violations(self, state: np.void, cards: CardSet) -> list[Problem]:
        """Return what is impossible in a state: numbers out of range, and violations of the invariants."""
        here = self.here(state, cards)
        return [*_problems(self.keys, here, ()), *self.problems(state, cards)]

    def documented(self) -> list[str]:
        """Return the lines of the README's table of keys."""
        keys = (*self.keys, *([self.pending] if self.pending else []))
        return ["| key | meaning | default |", "| --- | --- | --- |", *(line for key in keys for line in key.documented(""))]


def refusal(problem: Problem, here: Here) -> ValueError:
    """Return the error for a problem, in terms of the document that is written."""
    words = f"{problem.wrong}; {problem.right}" if problem.right else problem.wrong
    depth = next(depth for depth in range(len(problem.location) - 1, -1, -1) if problem.location[:depth] in here.tables)
    table, (key, *inner) = here.tables[problem.location[:depth]], problem.location[depth:]
    if not inner:
        return table.wrong(str(key), words)
    exists, value = look_up(table.values, (key, *inner))
    path = table.field(str(key)) + "".join(f"[{step}]" if isinstance(step, int) else f".{key_words(step)}" for step in inner)
    return ValueError(f"{path}{f' = {shown(value)}' if exists else ''}: {words}")
