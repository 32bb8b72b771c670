"""Descriptions of a game for `analysis`: the meaning of its outcome fields and the questions that they answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Per = Literal["game", "seat"]
Kind = Literal["count", "number", "category", "flag", "place", "turn"]


@dataclass(frozen=True)
class Measure:
    """One field of an OUTCOME record.

    A `category` field is an index into `categories`. With `parts`, the field has one value per part (an ability, a zone). If
    the names of parts differ by entrant, `parts` are numbers, and `entrant_parts` of a question names them.
    """

    field: str
    label: str  # label of an axis or a column
    unit: str  # "turns", "hexes", ...; "" for a category
    per: Per
    kind: Kind
    categories: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class SeatParameter:
    """A number of the rules that compensates for going later, or for going first.

    path: of the card file, whether set there or not; values: to try, ascending, including the current one.
    """

    path: str
    label: str  # column label: what the value counts
    values: tuple[int, ...]


@dataclass(frozen=True)
class Question:
    """A designer's question, the chart form that answers it, and the measures it reads by role.

    `chart` selects the chart form and its section of the report; `roles` maps the roles of that form to fields of the OUTCOME
    record (or of the STATE record for board maps); `settings` are plain values such as the variants to compare.
    """

    id: str
    text: str
    chart: str
    roles: dict[str, str] = field(default_factory=dict)
    settings: dict[str, tuple[str, ...]] = field(default_factory=dict)
