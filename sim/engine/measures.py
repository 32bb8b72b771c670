"""Descriptions of a game for `analysis`: the meaning of its outcome fields, and numbers that compensate for the seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Per = Literal["game", "seat"]
Kind = Literal["count", "number", "category", "flag", "place", "turn"]


@dataclass(frozen=True)
class Measure:
    """One field of an OUTCOME record.

    A `category` field is an index into `categories`. With `parts`, the field has one value per part (an ability, a zone). If
    the names of parts differ by entrant, `parts` are numbers, and `Game.part_names` names them. members: the parts are the
    members of a team, or the things of each member in turn.
    """

    field: str
    label: str  # label of an axis or a column
    unit: str  # "turns", "hexes", ...; "" for a category
    per: Per
    kind: Kind
    categories: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    members: bool = False


@dataclass(frozen=True)
class SeatParameter:
    """A number of the rules that compensates for going later, or for going first.

    path: of the card file, whether set there or not; values: to try, ascending, including the current one.
    """

    path: str
    label: str  # column label: what the value counts
    values: tuple[int, ...]
