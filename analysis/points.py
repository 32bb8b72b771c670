"""Points of a grid of card values, and what the games of a point come to, batch by batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.batches import taken
from analysis.compare import Shares
from analysis.spread import spread
from analysis.whatif import Step, numeric_steps, unit_names, with_value
from sim.engine.cards import CardSet
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
