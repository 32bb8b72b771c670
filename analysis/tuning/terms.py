"""The terms of the surrogate: which effects there are, where each stands among the coefficients, how much each is shrunk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from analysis.tuning.cells import Cells
from analysis.tuning.fields import Knob, Steps
from analysis.tuning.trials import BASE_DICE, Trial, taken

Floats = NDArray[np.float64]
Config = tuple[int, Steps]  # a unit, and the steps of its numbers
Meeting = tuple[int, Steps]  # a cell, and the steps of the numbers that touch it

LEVEL_SPREAD = 3.0  # logits: prior of a cell's level
TOGETHER = 2  # numbers from which they have an effect together


@dataclass(frozen=True)
class Shrinkage:
    """Prior standard deviations.

    effect: of a number, in logits per unit of `Knob.scaled`; own: of a cell's own part, and bend: of a curvature, both as
    shares of `effect`; joint: of several numbers of a unit together, and meet: of several numbers
    that touch a cell, in logits.
    """

    effect: float = 2.0
    own: float = 0.2
    bend: float = 0.25
    joint: float = 0.1
    meet: float = 0.1


def configs_of(knobs: Sequence[Knob], steps: Steps) -> Iterator[Config]:
    """The units of which several numbers are changed, each with these changes."""
    by_unit: dict[int, list[tuple[int, int]]] = {}
    for number, by in steps:
        unit = knobs[number].unit
        if unit is not None:
            by_unit.setdefault(unit, []).append((number, by))
    for unit, own in by_unit.items():
        if len(own) >= TOGETHER:
            yield unit, tuple(own)


def meetings_of(cells: Cells, knobs: Sequence[Knob], steps: Steps) -> Iterator[Meeting]:
    """The cells that several changed numbers touch, each with these changes."""
    if len(steps) < TOGETHER:
        return
    touched = np.stack([cells.touched(knobs[number].unit) for number, _ in steps])
    for cell in np.flatnonzero(touched.sum(axis=0) >= TOGETHER).tolist():
        yield cell, tuple(move for move, here in zip(steps, touched[:, cell].tolist(), strict=True) if here)


@dataclass(frozen=True, eq=False)
class Layout:
    """Where each effect stands among the coefficients.

    In this order: level and shift of the first dice by cell; effect and curvature by number; effects of `configs`; own effects
    by number and cell, for the cells touched; effects of `meetings`.
    """

    cells: Cells
    knobs: tuple[Knob, ...]
    configs: tuple[Config, ...]
    meetings: tuple[Meeting, ...] = ()

    @classmethod
    def of(cls, cells: Cells, knobs: Sequence[Knob], trials: Sequence[Trial]) -> Layout:
        """Lay out what the trials tell of."""
        sets = list(taken(trials))
        configs = dict.fromkeys(config for steps in sets for config in configs_of(knobs, steps))
        meetings = dict.fromkeys(meeting for steps in sets for meeting in meetings_of(cells, knobs, steps))
        return cls(cells, tuple(knobs), tuple(configs), tuple(meetings))

    @cached_property
    def starts(self) -> Floats:
        """Number of the first coefficient of each kind, and how many there are in all, (8,)."""
        size, count = self.cells.size, len(self.knobs)
        own = int((self.own_order >= 0).sum())
        lengths = [size, size, count, count, len(self.configs), own, len(self.meetings)]
        return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)

    @cached_property
    def own_order(self) -> NDArray[np.int64]:
        """Place of each number's own effect on each cell among their kind, (numbers, cells); -1 where it does not touch."""
        touched = np.stack([self.cells.touched(knob.unit) for knob in self.knobs])
        return np.where(touched, np.cumsum(touched).reshape(touched.shape) - 1, -1)

    @cached_property
    def pull(self) -> Floats:
        """How each number's unit bears on each cell, (numbers, cells)."""
        return np.stack([self.cells.pull(knob.unit) for knob in self.knobs])

    @cached_property
    def config_numbers(self) -> dict[Config, int]:
        """Number of each configuration."""
        return {config: number for number, config in enumerate(self.configs)}

    @cached_property
    def meeting_numbers(self) -> dict[Meeting, int]:
        """Number of each meeting."""
        return {meeting: number for number, meeting in enumerate(self.meetings)}

    def rows(self, steps: Steps, dice: int) -> sparse.csr_array:
        """What each coefficient adds to the logits of a card set, (cells, coefficients)."""
        size, starts = self.cells.size, self.starts.tolist()
        every = np.arange(size)
        entries = [(every, every, np.ones(size))]
        if dice == BASE_DICE:
            entries.append((every, starts[1] + every, np.ones(size)))
        for number, by in steps:
            along, bent = moved(self.knobs[number], by)
            pull, own = self.pull[number], self.own_order[number]
            at = np.flatnonzero(own >= 0)
            entries += [
                (every, np.full(size, starts[2] + number), along * pull),
                (every, np.full(size, starts[3] + number), bent * pull),
                (at, starts[5] + own[at], np.full(at.size, along)),
            ]
        for config in configs_of(self.knobs, steps):
            if config in self.config_numbers:
                column = starts[4] + self.config_numbers[config]
                entries.append((every, np.full(size, column), self.cells.pull(config[0])))
        met = [one for one in meetings_of(self.cells, self.knobs, steps) if one in self.meeting_numbers]
        if met:
            columns = starts[6] + np.array([self.meeting_numbers[one] for one in met])
            entries.append((np.array([cell for cell, _ in met]), columns, np.ones(len(met))))
        row, column, value = (np.concatenate(part) for part in zip(*entries, strict=True))
        return sparse.csr_array((value, (row, column)), shape=(size, starts[-1]))

    def precision(self, prior: Shrinkage, shift: Floats) -> Floats:
        """Prior precision of each coefficient. shift: prior variance of the shift of the first dice, by cell."""
        owned = np.array([knob.unit is not None for knob in self.knobs])
        own = np.where(owned, prior.own, 1.0) * prior.effect
        by_cell = np.broadcast_to(own[:, None], self.own_order.shape)[self.own_order >= 0]
        count = len(self.knobs)
        parts = [
            np.full(self.cells.size, LEVEL_SPREAD**2),
            shift,
            np.full(count, prior.effect**2),
            np.full(count, (prior.bend * prior.effect) ** 2),
            np.full(len(self.configs), prior.joint**2),
            by_cell**2,
            np.full(len(self.meetings), prior.meet**2),
        ]
        return 1 / np.concatenate(parts)


def moved(knob: Knob, by: int) -> tuple[float, float]:
    """How far some steps lead, and how far bent: the square, over the length of one step."""
    along = knob.scaled(by)
    return along, along**2 / abs(knob.scaled(1))
