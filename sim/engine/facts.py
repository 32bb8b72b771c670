"""Facts of a game, each declared once: its name, type, shape, label and unit.

A game lists them in a table FACTS. From the table derive the fields of STATE that count them (`held`), OUTCOME
(`outcome_of`), the measures that `analysis` reads (`measures_of`) and a table of the README (`documented`). At the end of a
game the engine copies what STATE holds; the game's `write_outcome` writes the derived facts only.

    FACTS = (
        Fact("uses", np.int16, (SEATS, ABILITIES), "Uses of the ability", "uses", parts=ABILITY_NAMES),
        Fact("passes", np.int16, (SEATS,), "Turns without an ability", "turns"),
        Fact("rounds", np.int16, (), "Rounds", "rounds", per="game", derived=True),
    )
    STATE = np.dtype([*held(FACTS), ("turn", np.int16), ...], align=True)   # kernels: state["passes"][seat] += 1
    OUTCOME, MEASURES = outcome_of(FACTS), measures_of(FACTS)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from math import prod
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.jit import Record, Run, copied, copy_bytes, overload, record_type
from sim.engine.measures import Kind, Measure, Per

Field = tuple[str, Any, tuple[int, ...]]

_HELD: dict[np.dtype[Any], tuple[Fact, ...]] = {}  # facts that are copied, by the state's dtype


@dataclass(frozen=True)
class Fact:
    """One field of OUTCOME, and of STATE unless it is derived.

    `label`, `unit`, `per`, `kind`, `categories` and `parts` are those of `Measure`; a fact without a label has no measure.
    """

    name: str
    type: type[np.generic]
    shape: tuple[int, ...]
    label: str = ""
    unit: str = ""
    kind: Kind = "count"
    per: Per = "seat"
    categories: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    by_cards: Callable[[CardSet], tuple[str, ...]] | None = None  # categories or parts that the cards name
    meaning: str = ""  # what the label leaves open, for the README
    derived: bool = False  # the game's `write_outcome` writes it; STATE has no field of this name, or one of another meaning
    held: tuple[int, ...] = ()  # shape in STATE, if that has more rows (OUTCOME takes the first ones) or other axes
    source: tuple[str | int, ...] = ()  # ("flips", 1): STATE holds it in another field, as entry 1 of the last axis
    order: str = ""  # field of STATE, int8, with the place in OUTCOME of each row of the fact, along its last axis

    @property
    def field(self) -> str:
        """The field of STATE that is copied."""
        return str(self.source[0]) if self.source else self.name


def held(facts: Iterable[Fact]) -> list[Field]:
    """Return the fields of STATE that hold facts."""
    return [(fact.name, fact.type, fact.held or fact.shape) for fact in facts if not fact.derived and not fact.source]


def outcome_of(facts: Iterable[Fact]) -> np.dtype[Any]:
    """Return the OUTCOME record, in the order of the table."""
    return np.dtype([(fact.name, fact.type, fact.shape) for fact in facts], align=True)


def measures_of(facts: Iterable[Fact], cards: CardSet | None = None) -> tuple[Measure, ...]:
    """Return what the fields of OUTCOME mean: without cards those of all games, with cards those whose parts the cards name."""
    return tuple(_measure(fact, cards) for fact in facts if fact.label and (fact.by_cards is None) == (cards is None))


def _measure(fact: Fact, cards: CardSet | None) -> Measure:
    names = fact.by_cards(cards) if fact.by_cards and cards else ()
    categories, parts = (names, ()) if fact.kind == "category" else ((), names)
    meaning = (fact.label, fact.unit, fact.per, fact.kind, fact.categories or categories, fact.parts or parts)
    return Measure(fact.name, *meaning, members=bool(fact.order))


def words(enum: type[IntEnum]) -> tuple[str, ...]:
    """Return the members of an enum in words, such as `still in play`: categories or parts of a fact."""
    return tuple(member.name.lower().replace("_", " ") for member in enum)


def documented(facts: Iterable[Fact]) -> list[str]:
    """Return the lines of the README's table of facts."""
    lines = ["| fact | label | unit | for each | notes |", "| --- | --- | --- | --- | --- |"]
    for fact in facts:
        parts = f"{len(fact.parts)} parts" if fact.parts else "parts by cards" if fact.by_cards and fact.kind == "count" else ""
        each = ", ".join(filter(None, [fact.per, parts]))
        notes = "; ".join(filter(None, [fact.meaning, _listed(fact.categories or fact.parts)]))
        lines.append(f"| `{fact.name}` | {fact.label} | {fact.unit} | {each} | {notes} |")
    return lines


def _listed(words: tuple[str, ...], most: int = 12) -> str:
    """Return words with commas; of a longer list, the first two and the last."""
    return ", ".join(words if len(words) <= most else (*words[:2], "...", words[-1]))


def offer_facts(state: np.dtype[Any], outcome: np.dtype[Any], facts: tuple[Fact, ...]) -> None:
    """Register what `copy_facts` copies. Raises ValueError if STATE or OUTCOME does not have a fact as declared."""
    runs: list[Run] = []
    for fact in facts:
        _check(fact, fact.name, outcome, fact.shape, "OUTCOME")
        if not fact.derived:
            if not fact.source:
                _check(fact, fact.name, state, fact.held or fact.shape, "STATE")
            for run in _runs(fact, state, outcome):
                begin, there, count, place = run
                if place < 0 and runs and runs[-1][3] < 0 and begin - runs[-1][0] == there - runs[-1][1] == runs[-1][2]:
                    begin, there, before, _ = runs.pop()  # next to each other in both records
                    count += before
                runs.append((begin, there, count, place))
    _HELD[state] = tuple(fact for fact in facts if not fact.derived)
    copied[record_type(state)] = tuple(runs)


def _check(fact: Fact, name: str, record: np.dtype[Any], shape: tuple[int, ...], where: str) -> None:
    wanted = np.dtype((fact.type, shape))
    if name not in (record.names or ()) or record[name] != wanted:
        raise ValueError(f"fact {fact.name!r}: must be a field {wanted} of {where}")
    if prod(shape) != prod(fact.shape) and (shape[1:] != fact.shape[1:] or shape < fact.shape):
        raise ValueError(f"fact {fact.name!r}: held={fact.held} must be shape={fact.shape} with more rows, or in other axes")


def _runs(fact: Fact, state: np.dtype[Any], outcome: np.dtype[Any]) -> Iterator[Run]:
    """Bytes to copy. A fact with an order, or with an entry of an axis, is copied row by row."""
    size, index = outcome[fact.name].itemsize, fact.source[1:]
    places = state[fact.order].shape if fact.order else fact.shape if index else ()
    if fact.field not in (state.names or ()) or state[fact.field].base != fact.type:
        raise ValueError(f"fact {fact.name!r}: must be of the type of a field {fact.field!r} of STATE")
    rows = prod(places)
    stride = state[fact.field].itemsize // rows if rows > 1 else size
    skip = int(index[0]) * size // rows if index else 0
    for row in range(rows):
        begin, count = _offset(state, fact.field) + row * stride + skip, size // rows
        first = row - row % places[-1] if fact.order else row
        yield begin, _offset(outcome, fact.name) + first * count, count, _offset(state, fact.order) + row if fact.order else -1


def _offset(record: np.dtype[Any], name: str) -> int:
    assert record.fields is not None
    return int(record.fields[name][1])


def copy_facts(state: Record, outcome: Record) -> None:
    """Copy the facts that STATE holds into a zeroed OUTCOME record; nothing in games that declare none."""
    for fact in _HELD[state.dtype]:
        values = state[fact.field][(..., *fact.source[1:])]
        if fact.order:
            places = np.argsort(state[fact.order], axis=-1, kind="stable")[..., np.newaxis]
            values = np.take_along_axis(values.reshape(*places.shape[:-1], -1), places, axis=-2)
        outcome[fact.name] = values.ravel()[: prod(fact.shape)].reshape(fact.shape)


@overload(copy_facts)
def _copy_facts(state, outcome):  # type: ignore[no-untyped-def]  # noqa: ARG001 - the verb's parameters
    return lambda state, outcome: copy_bytes(state, outcome)  # noqa: PLW0108 - numba needs a Python function
