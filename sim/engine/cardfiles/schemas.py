"""What the models of a card file declare: the tables in them, the fields along a path, and the words of a field.

With it, a declaration about fields is checked when a game is made, and not when a file is read.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from enum import IntEnum
from types import FunctionType, NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from sim.engine.cardfiles.paths import did_you_mean

Steps = tuple[tuple[str, str], ...]  # of a path: the name of a field, and [] or {} or nothing


def models_of(schema: type[BaseModel]) -> list[type[BaseModel]]:
    """Return a model and those of all tables in it, each once."""
    models, waiting = [], [schema]
    while waiting:
        model = waiting.pop()
        if model not in models:
            models.append(model)
            waiting += [kind for field in model.model_fields.values() for kind in _leaves(field.annotation) if _is_model(kind)]
    return models


def mistake_in(model: type[BaseModel], steps: Steps) -> str:
    """Return why a path from a table leads to no field; empty if it does, or if that shows only in a file."""
    tables = [model]
    for index, (name, kind) in enumerate(steps):
        for table in tables:
            if not _has(table, name):
                where = f" in {table.__name__}" if index else ""
                return f"there is no field {name!r}{where}; {did_you_mean(name, [*table.model_fields])}"
        if not all(name in table.model_fields for table in tables):
            return ""
        kinds = [one for table in tables for one in _kinds(table.model_fields[name].annotation)]
        if kind and any(one in (int, float, str, bool) for one in kinds):
            return f"{name!r} is neither a list nor a table; write {name}"
        if not kind and steps[index + 1 :] and any(get_origin(one) is list for one in kinds):
            return f"{name!r} is a list; write {name}[]"
        tables = [one for one in (_inner(kinds) if kind else kinds) if _is_model(one)]
        if not tables:
            return ""
    return ""


def words_of_field(model: type[BaseModel], name: str) -> tuple[str, ...]:
    """Return the words that a field, or an entry of its list, can hold; empty if it has no list of words."""
    field = model.model_fields.get(name)
    words: list[str] = []
    for kind in _leaves(field.annotation) if field else ():
        if get_origin(kind) is Literal:
            words += map(str, get_args(kind))
        elif isinstance(kind, type) and issubclass(kind, IntEnum):
            words += [member.name.lower() for member in kind]
        else:
            return ()
    return tuple(words)


def _has(model: type[BaseModel], name: str) -> bool:
    """Whether a table has a field, a property or a class variable of this name."""
    value = inspect.getattr_static(model, name, None)
    return name in model.model_fields or not isinstance(value, (NoneType, FunctionType, classmethod, staticmethod))


def _kinds(annotation: Any) -> list[Any]:
    """Return the types that a value can have, without None."""
    if get_origin(annotation) is Annotated:
        return _kinds(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return [kind for member in get_args(annotation) for kind in _kinds(member)]
    return [] if annotation is NoneType else [annotation]


def _inner(kinds: list[Any]) -> list[Any]:
    """Return the types of the entries of lists and tables."""
    return [kind for outer in kinds if get_args(outer) for kind in _kinds(get_args(outer)[-1])]


def _leaves(annotation: Any) -> Iterator[Any]:
    """Yield the types that a value can have; of lists and tables those of their entries."""
    for kind in _kinds(annotation):
        if get_origin(kind) in (list, tuple, dict):
            yield from (leaf for member in get_args(kind) for leaf in _leaves(member))
        else:
            yield kind


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
