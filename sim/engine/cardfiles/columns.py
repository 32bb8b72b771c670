"""The CARDS record of a game, derived from the schema of its card file.

`columns` lists the fields of the record and `write_columns` fills them; both walk the same pydantic models:

- A whole number is a column of its name, of the smallest signed type that holds its range; a flag is one byte, 0 or 1.
- A list of numbers adds an axis of its `max_length`, and so does a list of tables to all columns of the tables. Rows beyond
  the entries of a file stay 0.
- A table in a table adds its own columns.
- Text, words that are not `Numbered`, lists of these, sources and fields marked `Apart` have no column; the game compiles what
  it needs of them.

    class Line(CardModel):
        kind: Annotated[Literal["attack"], Numbered(Kind)]              # int8: Kind.ATTACK
        range: Annotated[int, Field(ge=1, le=8)]                        # int8
        effects: Annotated[list[Effect], Field(max_length=4), ByTag("op")]
    class Rookling(CardModel):
        line: Annotated[list[Line], Field(max_length=3)]
    class Cards(CardFile):
        rookling: Annotated[list[Rookling], Field(max_length=32), RowCount("rooklings")]

    CARDS = np.dtype([*columns(Cards), ("worth", np.float64, (32,))], align=True)   # "range" has the shape (32, 3)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Any, get_args, get_origin

import numpy as np
from pydantic import BaseModel, GetCoreSchemaHandler
from pydantic.fields import FieldInfo
from pydantic_core import core_schema

_WHOLE = (np.int8, np.int16, np.int32, np.int64)

Columns = Sequence[tuple[Any, ...]]  # fields of a record: name, type and perhaps shape


@dataclass(frozen=True)
class Column:
    """Another name or type of a field's column."""

    name: str = ""
    type: Any = None


@dataclass(frozen=True)
class Apart:
    """A field without a column."""


@dataclass(frozen=True)
class RowCount:
    """On a list: the column, int16, that holds the number of its entries."""

    name: str


@dataclass(frozen=True)
class Numbered:
    """On a word (a `Literal`): compiled to the member of `enum` with that name, in lower case in the file."""

    enum: type[IntEnum]
    name: str = ""


@dataclass(frozen=True)
class ByTag:
    """On a list of effects, each of which occurs once: a column for each parameter, named after the effect.

    The column of `{op = "slow", n = 2}` is `slow`, because the effect has one parameter. Those of `{op = "summon", count = 2,
    range = 1}` are `summon_count` and `summon_range`. An effect without parameters is a flag of its name.

    tag: the key that names the effect; kind: only effects whose class variable `ON` contains it; up: number of axes, counted
    from the innermost, over which a column does not extend (1: an effect on any ability of a hero counts for the hero);
    apart: effects that the game compiles itself.
    """

    tag: str
    kind: str = ""
    up: int = 0
    apart: tuple[str, ...] = ()


@dataclass(frozen=True)
class Word:
    """On an IntEnum: the file has the name of the member in lower case. Used for switches between rule variants."""

    def __get_pydantic_core_schema__(self, source: type[IntEnum], handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """Accept one of the words, and give them back in `model_dump`."""
        words = [member.name.lower() for member in source]
        return core_schema.no_info_after_validator_function(
            lambda word: source[word.upper()],
            core_schema.literal_schema(words),
            serialization=core_schema.plain_serializer_function_ser_schema(lambda member: source(member).name.lower()),
        )


def columns(*models: type[BaseModel], shape: tuple[int, ...] = ()) -> Columns:
    """Return the columns of a card file, in its order. Raises ValueError if two fields claim one column.

    Tables that the file marks `Apart` can have columns too: all models of such a table, and the axes of their columns. The
    game writes each with `write_columns`.
    """
    known: dict[str, tuple[Any, tuple[int, ...]]] = {}
    for name, kind, axes in (column for model in models for column in _columns(model, shape)):
        if known.setdefault(name, (kind, axes)) != (kind, axes):
            raise ValueError(f"column {name!r}: is {(kind, axes)} and {known[name]}; mark one field with Column(name)")
    return [(name, kind, shape) for name, (kind, shape) in known.items()]


def _columns(model: type[BaseModel], shape: tuple[int, ...]) -> Iterator[tuple[str, Any, tuple[int, ...]]]:
    for field in _fields(model):
        if field.rows:
            yield field.rows, np.int16, shape
        if field.tag:
            for effect in field.models:
                for name, parameter in _effect_columns(effect, field.tag):
                    yield name, parameter.type, shape[: len(shape) - field.tag.up]
        elif field.models:
            for inner in field.models:
                yield from _columns(inner, shape + field.axis)
        elif field.type is not None:
            yield field.column, field.type, shape + field.axis


def write_columns(record: np.void, table: BaseModel, place: tuple[int, ...] = ()) -> None:
    """Write a valid card file, or a table of it, into a zeroed CARDS record. place: index of the table in its columns."""
    for field in _fields(type(table)):
        value = getattr(table, field.name)
        if field.rows:
            _write(record, field.rows, place, len(value))
        if field.tag:
            _write_effects(record, field, value, place)
        elif field.models and field.axis:
            for index, entry in enumerate(value):
                write_columns(record, entry, (*place, index))
        elif field.models:
            write_columns(record, value, place)
        elif field.type is not None and field.axis:
            record[field.column][place][: len(value)] = value
        elif field.type is not None:
            _write(record, field.column, place, field.number(value))


def _write_effects(record: np.void, field: _Field, effects: list[BaseModel], place: tuple[int, ...]) -> None:
    assert field.tag is not None
    here = place[: len(place) - field.tag.up]
    for effect in effects:
        if type(effect) in field.models:
            for column, parameter in _effect_columns(type(effect), field.tag):
                is_flag = parameter.name == field.tag.tag
                _write(record, column, here, 1 if is_flag else parameter.number(getattr(effect, parameter.name)))


def _write(record: np.void, column: str, place: tuple[int, ...], number: int) -> None:
    if place:
        record[column][place] = number
    else:
        record[column] = number


@dataclass(frozen=True)
class _Field:
    """How a field of a model is compiled: as tables (`models`), as a column (`type`), or not at all."""

    name: str
    column: str
    type: Any = None
    axis: tuple[int, ...] = ()
    models: tuple[type[BaseModel], ...] = ()
    enum: type[IntEnum] | None = None
    rows: str = ""
    tag: ByTag | None = None

    def number(self, value: Any) -> Any:
        """The number that a value is compiled to."""
        return self.enum[value.upper()] if self.enum else value


@cache
def _fields(model: type[BaseModel]) -> tuple[_Field, ...]:
    return tuple(_field(name, info, f"{model.__name__}.{name}") for name, info in model.model_fields.items())


def _field(name: str, info: FieldInfo, where: str) -> _Field:
    """Return how a field is compiled. where: its name in messages."""
    marks: dict[Any, Any] = {mark if isinstance(mark, type) else type(mark): mark for mark in info.metadata}
    axis: tuple[int, ...] = ()
    given, kind = marks.get(Column, Column()), info.annotation
    rows, tag, numbered = marks.get(RowCount), marks.get(ByTag), marks.get(Numbered)
    if Apart in marks:
        return _Field(name, name)
    if get_origin(kind) is list:
        most = _limit(info, "max_length")
        info = FieldInfo.from_annotation(get_args(kind)[0])
        kind = info.annotation
        if most is None and not _is_number(kind) and not _models(kind):
            return _Field(name, name, rows=rows.name if rows else "")
        if most is None:
            length = "needs a max_length, as in `Annotated[list[...], Field(max_length=3)]`"
            raise ValueError(f"{where}: a list that is compiled {length}; {_APART.format('list[...]')}")
        axis = (most,)
    models = _models(kind)
    if tag:
        models = tuple(effect for effect in models if _is_compiled(effect, tag))
    column = given.name or (numbered.name if numbered else "") or name
    type_ = given.type or (np.int8 if numbered else None if models else _type(where, kind, info))
    return _Field(name, column, type_, axis, models, numbered.enum if numbered else None, rows.name if rows else "", tag)


_APART = "if kernels do not read it, write `Annotated[{}, kit.Apart()]`"


def _models(kind: Any) -> tuple[type[BaseModel], ...]:
    """The tables among the types of a field."""
    return tuple(one for one in (get_args(kind) or (kind,)) if isinstance(one, type) and issubclass(one, BaseModel))


def _is_number(kind: Any) -> bool:
    return kind in (bool, int, float) or (isinstance(kind, type) and issubclass(kind, IntEnum))


def _type(where: str, kind: Any, info: FieldInfo) -> Any:
    """Type of a column by the field's annotation and range; None if it has none."""
    if kind is bool:
        return np.uint8
    if isinstance(kind, type) and issubclass(kind, IntEnum):
        return np.int8
    if kind is float:
        return np.float64
    if kind is not int:
        return None
    least, most = _limit(info, "ge"), _limit(info, "le")
    if least is None or most is None:
        limits = "needs ge and le, as in `Annotated[int, Field(ge=0, le=9)]`"
        raise ValueError(f"{where}: a number that is compiled {limits}; {_APART.format('int')}")
    return next(one for one in _WHOLE if np.iinfo(one).min <= least and most <= np.iinfo(one).max)


def _limit(info: FieldInfo, which: str) -> int | None:
    return next((getattr(mark, which) for mark in info.metadata if hasattr(mark, which)), None)


def _is_compiled(effect: type[BaseModel], tag: ByTag) -> bool:
    return _word(effect, tag) not in tag.apart and (not tag.kind or tag.kind in getattr(effect, "ON", ()))


def _word(effect: type[BaseModel], tag: ByTag) -> str:
    """The word that names an effect in the file."""
    return str(get_args(effect.model_fields[tag.tag].annotation)[0])


@cache
def _effect_columns(effect: type[BaseModel], tag: ByTag) -> tuple[tuple[str, _Field], ...]:
    """Columns of an effect, each with its parameter; of one without parameters the flag, with the tag."""
    word = _word(effect, tag)
    parameters = [field for field in _fields(effect) if field.name != tag.tag]
    if not parameters:
        return ((word, _Field(tag.tag, word, np.int8)),)
    names = [field.name if len(parameters) > 1 else "" for field in parameters]
    usual = [f"{word}_{name}" if name else word for name in names]
    given = [field.column if field.column != field.name else own for field, own in zip(parameters, usual, strict=True)]
    return tuple(zip(given, parameters, strict=True))
