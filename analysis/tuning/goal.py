"""What tuning is to reach: a band for every win rate, or a matchup matrix and a share of whoever goes first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.tuning.cells import Cells
from analysis.wording import word
from sim.engine.cards import read_document
from sim.engine.fieldpaths import did_you_mean, shown

Floats = NDArray[np.float64]

TOLERANCE = 0.02  # of a target, where the file says nothing
MARGIN_Z = 1.645  # standard errors that a prediction must lie within the band: 19 in 20 either side
KEYS = ("tolerance", "first_seat", "matchup")


@dataclass(frozen=True)
class Band:
    """Lowest and highest win rate of two equal entrants; at more seats both are scaled to the fair share."""

    low: float = 0.45
    high: float = 0.55

    def __post_init__(self) -> None:
        if not 0 < self.low <= 0.5 <= self.high < 1:
            raise ValueError(
                f"band={100 * self.low:g}:{100 * self.high:g} must lie round 50, within 0 and 100, such as 45:55"
            )

    @classmethod
    def parse(cls, text: str) -> Band:
        """Read `45:55`, in per cent. Raises ValueError."""
        try:
            low, high = (float(part) / 100 for part in text.split(":"))
        except ValueError:
            raise ValueError(f"band={text!r} must be two per cent values with a colon, such as 45:55") from None
        return cls(low, high)


@dataclass(frozen=True)
class Target:
    """Wanted win rates: of the row against the column by ids, and of whoever goes first; each within a tolerance."""

    matchup: tuple[tuple[str, str, float], ...] = ()
    first_seat: float | None = None
    tolerance: float = TOLERANCE


@dataclass(frozen=True)
class Goal:
    """What to reach, with at most so many numbers changed. target: instead of the band."""

    band: Band = Band()
    max_changes: int = 8
    target: Target | None = None

    def __post_init__(self) -> None:
        if self.max_changes < 1:
            raise ValueError(f"max_changes={self.max_changes} must be at least 1")


@dataclass(frozen=True, eq=False)
class Aim:
    """A goal in the terms of a game's cells: outputs = mixing @ cells + start, each to lie within low..high.

    names: of the outputs. mixing: (outputs, cells).
    """

    names: tuple[str, ...]
    mixing: Floats
    start: Floats
    low: Floats
    high: Floats

    @cached_property
    def middle(self) -> Floats:
        """What is best of all."""
        return (self.low + self.high) / 2

    @cached_property
    def reach(self) -> Floats:
        """How far from that is good enough."""
        return (self.high - self.low) / 2

    def outputs(self, by_cell: Floats) -> Floats:
        """Outputs of cells' win rates, (..., outputs)."""
        return by_cell @ self.mixing.T + self.start

    def excess(self, outputs: Floats, error: Floats | float = 0.0) -> Floats:
        """How far each output lies beyond the band made narrower by MARGIN_Z standard errors, at least 0."""
        reach = np.maximum(0.0, self.reach - MARGIN_Z * np.asarray(error))
        return np.asarray(np.maximum(0.0, np.abs(outputs - self.middle) - reach))


def aim_of(goal: Goal, cells: Cells) -> Aim:
    """Put a goal into the terms of the cells. Raises ValueError for a target that the game cannot have."""
    if goal.target is not None:
        return _aim_at(goal.target, cells)
    turn, start = cells.mixing
    scale = cells.fair * 2
    units = np.ones(cells.units)
    return Aim(cells.names, turn, start, goal.band.low * scale * units, goal.band.high * scale * units)


def _aim_at(target: Target, cells: Cells) -> Aim:
    if target.matchup and not cells.by_pair:
        raise ValueError(
            "target: matchups can be aimed at with two seats and no teams; leave out [[matchup]] or set --seats 2"
        )
    names, lines, starts, wanted = [], [], [], []
    for row, column, share in target.matchup:
        first, second = (_number(one, cells) for one in (row, column))
        if first == second:
            raise ValueError(f"target: matchup of {row!r} with itself; name two different {cells.words}")
        at, turned = cells.cell(first, second)
        lines.append((-1.0 if turned else 1.0) * np.eye(cells.size)[at])
        starts.append(1.0 if turned else 0.0)
        wanted.append(share)
        names.append(f"{cells.names[first]} against {cells.names[second]}")
    if target.first_seat is not None:
        lines.append(np.eye(cells.size)[cells.first])
        starts.append(0.0)
        wanted.append(target.first_seat)
        names.append("whoever goes first")
    middle = np.array(wanted)
    return Aim(tuple(names), np.array(lines), np.array(starts), middle - target.tolerance, middle + target.tolerance)


def _number(id_: str, cells: Cells) -> int:
    if id_ not in cells.ids:
        raise ValueError(f"target: {id_!r} is none of the {cells.words}; {did_you_mean(id_, list(cells.ids))}")
    return cells.ids.index(id_)


def read_target(path: Path) -> Target:
    """Read a target file (TOML): `tolerance`, `first_seat`, and `[matchup.ROW]` tables of `COLUMN = share`, shares 0..1.

    Raises ValueError naming the file, and the key that is wrong.
    """
    document, _ = read_document(None, path)
    for key in document:
        if key not in KEYS:
            raise ValueError(f"{path}: {word(key)}: is no key of a target; {did_you_mean(key, list(KEYS))}")
    tolerance = _share(document.get("tolerance", TOLERANCE), f"{path}: tolerance")
    first = document.get("first_seat")
    matchups = document.get("matchup", {})
    if not isinstance(matchups, Mapping) or not all(isinstance(row, Mapping) for row in matchups.values()):
        raise ValueError(f"{path}: matchup: must be tables such as [matchup.knight] with lines such as ogre = 0.55")
    pairs = [
        (row, column, _share(share, f"{path}: matchup.{word(row)}.{word(column)}"))
        for row, line in matchups.items()
        for column, share in line.items()
    ]
    if not pairs and first is None:
        raise ValueError(f"{path}: names neither a matchup nor first_seat; give at least one")
    return Target(tuple(pairs), None if first is None else _share(first, f"{path}: first_seat"), tolerance)


def _share(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1:
        raise ValueError(f"{where}={shown(value)} must be a share between 0 and 1, such as 0.55")
    return float(value)
