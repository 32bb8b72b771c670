"""How a game tells the statistics floor what its outcome rows mean and which questions they answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Per = Literal["game", "seat"]
Kind = Literal["count", "number", "category", "flag", "place", "turn"]


@dataclass(frozen=True)
class Measure:
    """One field of an OUTCOME record.

    A `category` holds an index into `categories`. With `parts` the field has one value per part (an ability, a zone); where
    a part's name differs by entrant the game leaves `parts` as numbers and names them through `entrant_parts` of a question.
    """

    field: str
    label: str  # words for an axis or a column
    unit: str  # "turns", "hexes", ...; "" for a category
    per: Per
    kind: Kind
    categories: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class SeatParameter:
    """A number of the rules that makes up for going later, or for going first.

    path: of the card file, left to its default there or not; values: worth a try, rising, the present one among them.
    """

    path: str
    label: str  # words for a column: what the value counts
    values: tuple[int, ...]


@dataclass(frozen=True)
class Question:
    """A designer's question, the chart form that answers it, and the measures it reads by role.

    `chart` is a key of the report's answerers; `roles` maps what that form needs to fields of the OUTCOME record (or of the
    STATE record for board maps); `settings` are plain values such as the variants to compare.
    """

    id: str
    text: str
    chart: str
    roles: dict[str, str] = field(default_factory=dict)
    settings: dict[str, tuple[str, ...]] = field(default_factory=dict)
