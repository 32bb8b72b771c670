"""Points of a grid of card values, and what the games of a point come to, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.batches import taken
from analysis.compare import Shares
from analysis.spread import spread
from analysis.whatif import Step, numeric_steps, unit_names, with_value
from sim.engine.cards import CardError, CardSet
from sim.engine.contract import Game
from sim.engine.fieldpaths import did_you_mean
from sim.experiment import Experiment
from sim.weights import remade

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Grid:
    """Values of some fields, all combinations of which are points. values: ascending, by field; units: who may win."""

    game: Game
    cards: CardSet
    paths: tuple[str, ...]
    present: tuple[Any, ...]
    values: tuple[tuple[Any, ...], ...]
    units: tuple[str, ...]

    def cards_at(self, point: Sequence[int] | NDArray[np.int64]) -> CardSet:
        """The cards of a point, given by the places of its values. Raises CardError where the card rules refuse them."""
        now = self.cards
        for path, values, at in zip(self.paths, self.values, point, strict=True):
            now = replace(now, document=with_value(now, path, values[int(at)]))
        return remade(self.game, now.document, self.cards)

    def changes(self, point: Sequence[int] | NDArray[np.int64]) -> list[tuple[str, Any]]:
        """Paths and values of a point that are not the present ones."""
        every = zip(self.paths, self.values, self.present, point, strict=True)
        return [(path, values[int(at)]) for path, values, now, at in every if values[int(at)] != now]

    def without(self, path: str, value: Any) -> Grid:
        """The grid without a value of a field; without the field where only its present value would be left."""
        at = self.paths.index(path)
        left = tuple(one for one in self.values[at] if one != value)
        if len(left) > 1:
            return replace(self, values=(*self.values[:at], left, *self.values[at + 1 :]))
        kept = [number for number in range(len(self.paths)) if number != at]
        return replace(
            self,
            paths=tuple(self.paths[number] for number in kept),
            present=tuple(self.present[number] for number in kept),
            values=tuple(self.values[number] for number in kept),
        )

    @property
    def middle(self) -> tuple[int, ...]:
        """The point that is played now."""
        return tuple(values.index(now) for values, now in zip(self.values, self.present, strict=True))


def grid_of(base: Experiment, paths: Sequence[str], steps: int = 1) -> tuple[Grid, list[Step]]:
    """The values of each field from so many steps down to so many up, and the steps that the card rules refuse.

    A field of which no other value is allowed, or reaches play, is left out. Raises ValueError below 1 step, CardError for a
    path that does not exist.
    """
    if steps < 1:
        raise ValueError(f"steps={steps} must be at least 1")
    by = [step for step in range(-steps, steps + 1) if step]
    refused, kept = [], []
    for path in paths:
        every = numeric_steps(base.game, base.cards, [path], by)
        refused += [step for step in every if step.cards is None]
        live = [step for step in every if step.cards is not None and not step.idle]
        if live:
            kept.append((path, live[0].before, sorted([live[0].before, *(step.value for step in live)])))
    columns = zip(*kept, strict=True) if kept else ((), (), ())
    names, present, values = (tuple(column) for column in columns)
    return Grid(base.game, base.cards, names, present, tuple(map(tuple, values)), tuple(unit_names(base))), refused


Change = tuple[str, Any]  # path and value, not the present one


@dataclass(frozen=True)
class Clash:
    """A value left out of a grid, because the card rules refuse it together with the values `others`; `why` is their reason."""

    path: str
    value: Any
    others: tuple[Change, ...]
    why: str


@dataclass(eq=False)
class _Rules:
    """What the card rules say of combinations of changes, each asked once: "" where they allow one, else why not."""

    grid: Grid
    known: dict[frozenset[Change], str] = field(default_factory=dict)

    def refusal(self, changes: Sequence[Change]) -> str:
        """Why some changes are refused together; empty if they are not."""
        key = frozenset(changes)
        if key not in self.known:
            now = self.grid.cards
            for path, value in changes:
                now = replace(now, document=with_value(now, path, value))
            try:
                remade(self.grid.game, now.document, self.grid.cards)
                self.known[key] = ""
            except CardError as error:
                self.known[key] = str(error).splitlines()[0].removeprefix("document: ")
        return self.known[key]

    def smallest(self, changes: Sequence[Change]) -> list[Change]:
        """The fewest of some refused changes that are still refused: none can be left out."""
        kept = list(changes)
        for one in changes:
            rest = [other for other in kept if other != one]
            if rest and self.refusal(rest):
                kept = rest
        return kept


def every_point(levels: NDArray[np.int64]) -> NDArray[np.int64]:
    """All points of a grid, from the number of values of each field: (points, fields)."""
    return np.array(list(product(*map(range, levels))))


def allowed(
    grid: Grid, sample: Callable[[NDArray[np.int64]], NDArray[np.int64]]
) -> tuple[Grid, NDArray[np.int64], list[Clash]]:
    """The part of a grid in which the card rules allow every point of a sample, that sample, and the values left out.

    sample: from the number of values of each field to points, (points, fields), so that the sample keeps its design on what is
    left of the grid. Of values that are refused together, that of the field with the most values left is left out, of equals
    the last in the order of the fields; a field of which the present value alone is left is left out as a whole.
    """
    rules, clashes = _Rules(grid), list[Clash]()
    while grid.paths:
        rows = sample(np.array([len(values) for values in grid.values]))
        refused = next(filter(rules.refusal, map(grid.changes, np.unique(rows, axis=0))), None)
        if refused is None:
            return grid, rows, clashes
        together = rules.smallest(refused)
        room = [len(grid.values[grid.paths.index(path)]) for path, _ in together]
        at = max(range(len(together)), key=lambda one: (room[one], one))
        (path, value), others = together[at], tuple(together[:at] + together[at + 1 :])
        clashes.append(Clash(path, value, others, rules.refusal(together)))
        grid = grid.without(path, value)
    return grid, np.zeros((0, 0), np.int64), clashes


def outcomes(games: Shares, unit: int | None, batches: tuple[NDArray[np.int64], int, int]) -> Floats:
    """Outcome by batch, (batches,), whose mean is that of all finished games. batches: batch of each game, their number, units.

    unit: whose win rate, None: the spread of all, by the jackknife over batches.
    """
    batch, number, units = batches
    if unit is None:
        whole = spread(games, units).estimate
        left = [spread(taken(games, np.flatnonzero(batch != one)), units).estimate for one in range(number)]
        return number * whole - (number - 1) * np.array(left)
    sits, share = (one[:, unit] for one in games.counted(units))
    won, sat = np.bincount(batch, share, number), np.bincount(batch, sits, number)
    rate = won.sum() / max(1.0, sat.sum())
    return np.asarray(rate + (won - rate * sat) * number / max(1.0, sat.sum()))


def unit_of(base: Experiment, name: str) -> int:
    """Number of an entrant, or of a part where entrants are teams, by its id. Raises ValueError."""
    ids = list(base.teams.ids if base.teams else base.cards.ids)
    if name not in ids:
        raise ValueError(f"entrant={name!r}: {did_you_mean(name, ids)}")
    return ids.index(name)
