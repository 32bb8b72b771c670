"""What must agree between the fields of a card file, declared as rows of its tables.

    class Card(CardModel):
        id: Identifier
        type: Literal["spell", "relic"]
        keywords: list[Literal["token", "fast"]]
        tokens: Annotated[int, Field(ge=0, le=9)] = 0
        AGREEMENT: ClassVar[Agreement] = (
            Only("keywords[]", "token", type="relic"),    # only relics have the keyword token
            Only("tokens", keywords="token"),             # only cards with the keyword have tokens,
            Needs("tokens", keywords="token"),            # and each of them has some
        )

    class CardsFile(CardFile):
        card: list[Card]
        deck: list[Deck]
        AGREEMENT: ClassVar[Agreement] = (Unique("card[].id"), Known("deck[].cards{}", "card[].id"))

A row names a field by its path from the table: `rules.board`, `card[].id` for the ids of all entries of a list, `colours[]` for
the entries themselves, `cards{}` for the keys of a table with keys of any kind. A keyword argument is a condition on another
field of the table: a word or several, one of which it must be (or hold, if it is a list); True if it must be given, False if not.

A field counts as given if the file names it. If it may be left out, and that means 0, false or nothing, these count as not given.
"""

from __future__ import annotations

import functools
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from pydantic import BaseModel

from sim.engine.cardfiles.paths import Location, Problem, did_you_mean, plain, shown
from sim.engine.cardfiles.schemas import mistake_in, models_of, words_of_field

_STEP = re.compile(r"(\w+)(\[\]|\{\})?")
_NESTED = (BaseModel, list)
LISTED_MAX = 20  # ids that are all shown after an unknown one


def disagreements(file: BaseModel, rows: Agreement = ()) -> Iterator[Problem]:
    """Yield what the rows of all tables of a card file report, at most one problem for a field. rows: more of the file."""
    words = WordsOf(file)
    reported = set()
    for place, table in _tables(file):
        own = rows_of(type(table))
        for row in (*own, *rows) if table is file else own:
            for problem in row.problems(table, words):
                location = (*place, *problem.location)
                if location not in reported:
                    reported.add(location)
                    yield Problem(location, problem.wrong, problem.right)


def check_rows(schema: type[BaseModel]) -> None:
    """Raise ValueError if a row of a table names a field that the table does not have, or a word that a field cannot hold."""
    for model in models_of(schema):
        for row in rows_of(model):
            for mistake in row.mistakes(model, schema):
                raise ValueError(f"{model.__name__}.AGREEMENT: {mistake}")


@functools.cache
def rows_of(model: type[BaseModel]) -> Agreement:
    """Return the rows of a table: its own AGREEMENT after those of the classes that it derives from."""
    return tuple(row for base in reversed(model.__mro__) for row in vars(base).get("AGREEMENT", ()))


def _tables(file: BaseModel) -> list[tuple[Location, BaseModel]]:
    """Return all tables of a file with their places, each before those in it."""
    tables: list[tuple[Location, BaseModel]] = []
    _collect(file, (), tables)
    return tables


def _collect(value: Any, place: Location, tables: list[tuple[Location, BaseModel]]) -> None:
    """Append the tables of a value: lists, and not generators, because card files are checked hundreds of times in a report."""
    if isinstance(value, BaseModel):
        tables.append((place, value))
        for name, inner in vars(value).items():
            if isinstance(inner, _NESTED):
                _collect(inner, (*place, _key(value, name)), tables)
    elif value and isinstance(value[0], _NESTED):
        for index, entry in enumerate(value):
            _collect(entry, (*place, index), tables)


class Row(ABC):
    """A row of the agreement of a table."""

    @abstractmethod
    def problems(self, table: BaseModel, words: WordsOf) -> Iterator[Problem]:
        """Yield the problems of one table, with locations from there. words: of the whole file."""

    @abstractmethod
    def mistakes(self, table: type[BaseModel], file: type[BaseModel]) -> Iterator[str]:
        """Yield what the row names that a table of this model cannot have. file: the model of the whole file."""


def _named(table: type[BaseModel], *paths: str) -> Iterator[str]:
    """Yield the mistakes in paths from a table."""
    for path in paths:
        steps = steps_of(path)
        if mistake := mistake_in(table, steps):
            yield f"{path!r}: {mistake}" if len(steps) > 1 else mistake


def _worded(table: type[BaseModel], name: str, words: Iterable[Any]) -> Iterator[str]:
    """Yield the words that a field of a table cannot hold."""
    possible = words_of_field(table, name)
    for word in words if possible else ():
        if word not in possible:
            yield f"{name!r} cannot be {shown(word)}; {did_you_mean(word, [*possible])}"


Agreement = tuple[Row, ...]


class Needs(Row):
    """Where the conditions hold, the field must be given."""

    def __init__(self, field: str, why: str = "", **where: Allowed) -> None:
        self.field, self.why, self.where = field, why, conditions(where)

    def problems(self, table: BaseModel, words: WordsOf) -> Iterator[Problem]:  # noqa: ARG002 - for `Known`
        """Yield a field that is missing."""
        if all(condition.holds(table) for condition in self.where):
            for entry in entries(table, self.field):
                if not entry.is_given:
                    wrong = "counts as missing" if entry.is_named else "is missing"
                    reasons = " and ".join(condition.met(table) for condition in self.where)
                    yield Problem(entry.place, wrong, f"is needed with {reasons}{_because(self.why)}")

    def mistakes(self, table: type[BaseModel], file: type[BaseModel]) -> Iterator[str]:  # noqa: ARG002 - for `Known`
        """Yield mistakes in the field and the conditions."""
        yield from _named(table, self.field)
        for condition in self.where:
            yield from condition.mistakes(table)


class Only(Row):
    """The field, or one of the words in it, can be given only where the conditions hold."""

    def __init__(self, field: str, words: str | Sequence[str] = (), why: str = "", **where: Allowed) -> None:
        self.field, self.why, self.where = field, why, conditions(where)
        self.words = (words,) if isinstance(words, str) else tuple(words)

    def problems(self, table: BaseModel, words: WordsOf) -> Iterator[Problem]:  # noqa: ARG002 - for `Known`
        """Yield fields that do not go with another one."""
        if not self.words and _is_left_out(table, self.field):
            return
        clash = next((condition for condition in self.where if not condition.holds(table)), None)
        if clash is not None:
            for entry in entries(table, self.field):
                if entry.value in self.words if self.words else entry.is_given:
                    yield Problem(entry.place, f"does not go {clash.unmet(table)}", clash.required(table) + _because(self.why))

    def mistakes(self, table: type[BaseModel], file: type[BaseModel]) -> Iterator[str]:  # noqa: ARG002 - for `Known`
        """Yield mistakes in the field, its words and the conditions."""
        yield from _named(table, self.field)
        yield from _worded(table, self.field.removesuffix("[]"), self.words)
        for condition in self.where:
            yield from condition.mistakes(table)


class OnlyOn(Row):
    """An effect, the table of the field, is only for bearers that its class variable ON names.

    bearer: the word of the bearer, or by: the field or property of the table that has it. noun: bearers, {} for that word.
    """

    def __init__(self, field: str, bearer: str = "", by: str = "", noun: str = "{}") -> None:
        self.field, self.bearer, self.by, self.noun = field, bearer, by, noun

    def problems(self, table: BaseModel, words: WordsOf) -> Iterator[Problem]:  # noqa: ARG002 - for `Known`
        """Yield effects that belong elsewhere."""
        bearer = getattr(table, self.by) if self.by else self.bearer
        for entry in entries(table, self.field):
            allowed = getattr(entry.table, "ON", ())
            allowed = (allowed,) if isinstance(allowed, str) else allowed
            if bearer not in allowed:
                belongs = self.noun.format(" and ".join(allowed))
                yield Problem(entry.place, f"is not for {self.noun.format(bearer)}", f"is only for {belongs}")

    def mistakes(self, table: type[BaseModel], file: type[BaseModel]) -> Iterator[str]:  # noqa: ARG002 - for `Known`
        """Yield mistakes in the field and that of the bearer."""
        yield from _named(table, self.field, *filter(None, [self.by]))


class Unique(Row):
    """No two values of the fields are equal, and none is one of the reserved words.

    Names are compared as they are shown (`title`, if the table has one), and without case. noun: what needs a value of its own,
    by default the list that holds it.
    """

    def __init__(self, *fields: str, reserved: Sequence[str] = (), noun: str = "") -> None:
        self.fields, self.reserved = fields, tuple(reserved)
        *lists, key = steps_of(fields[0])
        self.key = "" if key[1] else key[0]
        self.noun = noun or (lists[-1][0].replace("_", " ") if self.key else "")

    def problems(self, table: BaseModel, words: WordsOf) -> Iterator[Problem]:  # noqa: ARG002 - for `Known`
        """Yield reserved words, and values that occur more than once: in a plain list, from the second time on."""
        given = [self._placed(entry) for field in self.fields for entry in entries(table, field)]
        counts = Counter(word for _, word, _ in given)
        seen = set()
        for place, word, alike in given:
            if word in self.reserved:
                yield Problem(place, "is a reserved word", f"must not be one of {', '.join(self.reserved)}")
            elif counts[word] > 1 and (word in seen or not self._is_of_plain_list(place)):
                yield Problem(place, alike, self._right())
            seen.add(word)

    def mistakes(self, table: type[BaseModel], file: type[BaseModel]) -> Iterator[str]:  # noqa: ARG002 - for `Known`
        """Yield mistakes in the fields."""
        yield from _named(table, *self.fields)

    def _placed(self, entry: Entry) -> tuple[Location, Any, str]:
        """Return where a value is reported, what is compared, and what is wrong if there is another like it."""
        if self.key != "name":
            word = tuple(entry.value) if isinstance(entry.value, list) else entry.value
            return entry.place, word, "is used more than once"
        title = getattr(entry.table, "title", entry.value)
        if entry.is_given:
            return entry.place, plain(title), "is used more than once"
        return (*entry.place[:-1], "id"), plain(title), f'is shown as "{title}", like another {self.noun}'

    def _is_of_plain_list(self, place: Location) -> bool:
        return not self.key and isinstance(place[-1], int)

    def _right(self) -> str:
        if self.key not in ("id", "name"):
            return f"each {self.key or 'value'} can occur once"
        return f"every {self.noun} needs {'an' if self.key[0] in 'aeiou' else 'a'} {self.key} of its own"


class Known(Row):
    """A word, if there is one, must be one of those that the file defines, or of a few.

    of: a path from the whole file, or what returns the words of a file, or the words themselves. also: further words. noun: what
    the word names, by default the list of the path.
    """

    def __init__(self, field: str, of: WordSource, also: Sequence[str] = (), noun: str = "", why: str = "") -> None:
        self.field, self.of, self.also, self.why = field, of, tuple(also), why
        self.noun = noun or (steps_of(of)[0][0].replace("_", " ") if isinstance(of, str) else "")

    def problems(self, table: BaseModel, words: WordsOf) -> Iterator[Problem]:
        """Yield unknown words."""
        for entry in entries(table, self.field):
            choices = [*words.of(self.of), *self.also]
            if not entry.value or entry.value in choices:
                continue
            if self.noun:
                yield Problem(
                    entry.place, f"is no {self.noun} of this file", self._near(entry.value, choices) + _because(self.why)
                )
            else:
                right = f"must be {'one of ' if len(choices) > 1 else ''}{', '.join(map(shown, choices))}"
                yield Problem(entry.place, "is not one of the choices", right + _because(self.why))

    def mistakes(self, table: type[BaseModel], file: type[BaseModel]) -> Iterator[str]:
        """Yield mistakes in the field, and in the path of its words."""
        yield from _named(table, self.field)
        if isinstance(self.of, str):
            yield from _named(file, self.of)

    def _near(self, word: Any, choices: list[Any]) -> str:
        """Return the nearest word, or all of them; of many ids only that it must be one of them."""
        near = did_you_mean(word, choices)
        if isinstance(self.of, str) and self.of.endswith("[].id") and len(choices) > LISTED_MAX and "did you mean" not in near:
            return f"must be the id of a [[{self.of.removesuffix('[].id')}]]"
        return near


WordSource = str | tuple[Any, ...] | Callable[[Any], Iterable[str]]
Allowed = str | bool | Sequence[str]


class WordsOf:
    """The words that a card file defines, each list of them read once."""

    def __init__(self, file: BaseModel) -> None:
        self.file = file
        self.lists: dict[WordSource, list[Any]] = {}

    def of(self, source: WordSource) -> list[Any]:
        """Return the words of a source, see `Known`."""
        if source not in self.lists:
            if isinstance(source, str):
                self.lists[source] = [entry.value for entry in entries(self.file, source)]
            else:
                self.lists[source] = list(source(self.file) if callable(source) else source)
        return self.lists[source]


@dataclass(frozen=True)
class Entry:
    """A field: its location, the table that has it, its value (a word for an enum), and whether the file names and gives it."""

    place: Location
    table: BaseModel
    value: Any
    is_named: bool = True
    is_given: bool = True


def entries(table: Any, path: str) -> list[Entry]:
    """Return all fields that a path leads to."""
    return _entries(table, steps_of(path), ())


@functools.cache
def steps_of(path: str) -> tuple[tuple[str, str], ...]:
    """Return the steps of a path: the name of a field, and [] or {} or nothing."""
    matches = [_STEP.fullmatch(step) for step in path.split(".")]
    if None in matches:
        raise ValueError(f"path={path!r} must be names of fields, each alone or with [] or {{}}, such as card[].id")
    return tuple((match[1], match[2] or "") for match in matches if match)


def _entries(table: Any, steps: tuple[tuple[str, str], ...], place: Location) -> list[Entry]:
    (name, kind), further = steps[0], steps[1:]
    value = getattr(table, name)
    here = (*place, _key(table, name))
    if not kind and not further:
        return [Entry(here, table, _word(value), name in table.model_fields_set, is_given(table, name))]
    inner = [(here, value)] if not kind else [((*here, key), entry) for key, entry in _members(value, kind)]
    if not further:
        return [Entry(location, table, _word(entry)) for location, entry in inner]
    return [one for location, entry in inner for one in _entries(entry, further, location)]


def _members(value: Any, kind: str) -> Iterable[tuple[str | int, Any]]:
    """Return the entries of a list or table, or the keys of a table, by index or key."""
    if isinstance(value, list):
        return enumerate(value)
    table = (value.__pydantic_extra__ or {}) if isinstance(value, BaseModel) else value
    return [(key, key) for key in table] if kind == "{}" else table.items()


def is_given(table: BaseModel, name: str) -> bool:
    """Return whether a file gives a field; one that is 0, false or empty does not count if that is the default."""
    value = getattr(table, name)
    if name not in type(table).model_fields:
        return bool(value)
    return name in table.model_fields_set and (bool(value) or not _is_empty_by_default(type(table), name))


def _is_left_out(table: BaseModel, path: str) -> bool:
    """Return whether a path is a field that the file does not name. Most are left out, so that this is asked first."""
    return path in vars(table) and path not in table.model_fields_set


@functools.cache
def _is_empty_by_default(model: type[BaseModel], name: str) -> bool:
    """Return whether a field that is left out is 0, false or empty."""
    return not model.model_fields[name].get_default(call_default_factory=True)


def _word(value: Any) -> Any:
    return value.name.lower() if isinstance(value, IntEnum) else value


def _key(table: BaseModel, name: str) -> str:
    """Return the key of a field in the file."""
    return _key_of(type(table), name)


@functools.cache
def _key_of(model: type[BaseModel], name: str) -> str:
    field = model.model_fields.get(name)
    return (field.alias if field else None) or name


def _because(why: str) -> str:
    return f" ({why})" if why else ""


@dataclass(frozen=True)
class Condition:
    """A condition on a field of a table: one of the allowed words, or whether it is given."""

    name: str
    allowed: tuple[str, ...] | bool

    def holds(self, table: BaseModel) -> bool:
        """Return whether a table meets the condition."""
        if isinstance(self.allowed, bool):
            return is_given(table, self.name) == self.allowed
        value = _word(getattr(table, self.name))
        return any(word in self.allowed for word in (value if isinstance(value, list) else [value]))

    def mistakes(self, table: type[BaseModel]) -> Iterator[str]:
        """Yield the field, or the words, that a table of this model cannot have."""
        yield from _named(table, self.name)
        if not isinstance(self.allowed, bool):
            yield from _worded(table, self.name, self.allowed)

    def required(self, table: BaseModel) -> str:
        """Return what the condition asks for."""
        key, value = _key(table, self.name), getattr(table, self.name)
        if isinstance(self.allowed, bool):
            if isinstance(value, bool):
                return f"needs {key} = {shown(self.allowed)}"
            return f"needs {key}" if self.allowed else f"is only without {key}"
        *others, last = map(shown, self.allowed)
        words = f"{', '.join(others)} or {last}" if others else last
        return f"needs {words} in {key}" if isinstance(value, list) else f"needs {key} = {words}"

    def met(self, table: BaseModel) -> str:
        """Return what a table has that meets the condition."""
        key, value = _key(table, self.name), _word(getattr(table, self.name))
        if isinstance(self.allowed, bool) and not isinstance(value, bool):
            return key if self.allowed else f"no {key}"
        if isinstance(value, list) and not isinstance(self.allowed, bool):
            return f"{shown(next(word for word in value if word in self.allowed))} in {key}"
        return f"{key} = {shown(value)}"

    def unmet(self, table: BaseModel) -> str:
        """Return what a table has instead."""
        key, value = _key(table, self.name), _word(getattr(table, self.name))
        if isinstance(self.allowed, bool) and not isinstance(value, bool):
            return f"without {key}" if self.allowed else f"with {key}"
        return f"with {key} = {shown(value)}"


def conditions(where: dict[str, Allowed]) -> tuple[Condition, ...]:
    """Return the conditions of keyword arguments."""
    return tuple(
        Condition(name, allowed if isinstance(allowed, bool) else (allowed,) if isinstance(allowed, str) else tuple(allowed))
        for name, allowed in where.items()
    )
