"""Some of the games of an experiment: between some of the entrants, or picked by their indices."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.experiments.designs import Design, Shifts
from sim.experiments.experiment import Experiment


@dataclass(frozen=True)
class Among(Experiment):
    """Games between some of the entrants. members: their indices, in the order of the design; empty: all."""

    members: tuple[int, ...] = ()

    @property
    def _single(self) -> Design:
        """See `Experiment`: the balanced design of the members."""
        if self.members and self.line_up is None:
            return Shifts(self.seats, len(self.members), self.mirror, self.seed)
        return super()._single

    def entrants_of(self, index: np.ndarray) -> np.ndarray:
        """See `Experiment`."""
        entrants = super().entrants_of(index)
        return np.array(self.members)[entrants] if self.members and self.line_up is None else entrants


@dataclass(frozen=True)
class Chosen(Among):
    """Some games of an experiment, with their original indices. index: (games,), ascending."""

    index: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64), compare=False)

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.index)

    def plan(self, first: int, count: int) -> np.ndarray:
        """Return the PLAN lines of the chosen games first..first+count-1, as in the whole experiment."""
        return self.plan_of(self.index[first : first + count])


def fields_of(whole: Experiment) -> dict[str, Any]:
    """Fields of an experiment by name."""
    return {item.name: getattr(whole, item.name) for item in fields(Among if isinstance(whole, Among) else Experiment)}
