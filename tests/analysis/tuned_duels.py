"""A substitute for games: win rates of made-up units from known effects of their numbers, played by binomial draws."""

from types import SimpleNamespace

import numpy as np
from scipy.special import expit

from analysis.tuning.goal import Cells, Counts, Knob
from analysis.tuning.surrogate import Trial


def cells_of(units: int) -> Cells:
    names = tuple(f"unit {number}" for number in range(units))
    return Cells(tuple(f"u{number}" for number in range(units)), names, 2)


def knobs_for(units: int, each: int, before: int = 5) -> tuple[Knob, ...]:
    steps = (-2, -1, 1, 2)
    return tuple(Knob(f"u.u{unit}.n{number}", before, unit, steps) for unit in range(units) for number in range(each))


class Duels:
    """Trials with known logits, `truth(steps)` by cell. Trials share no dice: each is drawn independently."""

    def __init__(self, cells: Cells, knobs: tuple[Knob, ...], seed: int) -> None:
        self.cells, self.knobs = cells, SimpleNamespace(knobs=knobs)
        self._chance = np.random.default_rng(seed)
        self.spent = self.sets = 0
        self._level = self._chance.normal(0, 0.6, cells.size)
        self._level[-1] = 0.1
        self._effect = self._chance.normal(0, 1.5, len(knobs))

    def truth(self, steps) -> np.ndarray:
        logits = self._level.copy()
        for number, by in steps:
            knob = self.knobs.knobs[number]
            logits += knob.scaled(by) * self._effect[number] * self.cells.pull(knob.unit)
        return expit(logits)

    def _drawn(self, steps, dice: int, games: int) -> Trial:
        n = np.full(self.cells.size, games // (self.cells.size - 1))
        n[-1] = games
        self.spent += games
        self.sets += 1
        return Trial(steps, dice, Counts(n.astype(float), self._chance.binomial(n, self.truth(steps)).astype(float)))

    def first(self, games: int) -> Trial:
        self._games = games
        return self._drawn((), 0, games)

    def step(self, number: int, by: int) -> Trial:
        result = self._drawn(((number, by),), 0, self._games)
        used = self.cells.touched(self.knobs.knobs[number].unit)
        return Trial(result.steps, 1_000 + self.sets, Counts(result.counts.n * used, result.counts.wins * used))

    def fresh(self, steps, dice: int, games: int) -> Trial:
        return self._drawn(steps, dice, games)
