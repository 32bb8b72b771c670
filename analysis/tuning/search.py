"""The best sets of changes by a surrogate: all single changes, all pairs, and from there on a beam, then exchanges.

One and two changes are looked through completely. Of more changes the best BEAM sets of each size are made larger by every
change there is (beam search: Lowerre 1976), and the best of each size is improved by exchanging one change for another until
none helps. Nothing here is random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from analysis.tuning.fields import Steps
from analysis.tuning.goal import Aim
from analysis.tuning.surrogate import Surrogate
from analysis.tuning.terms import Config, configs_of, moved

Floats = NDArray[np.float64]

BEAM = 120
AT_ONCE = 50  # sets made larger at a time: bounds the memory
DOUBLES = 4  # times a set may come up, made larger from several smaller ones; enough for a full beam
EXCHANGES = 20  # of one change for another, at most
SIZE_WEIGHT = 1e-5  # of the size of changes, against squares of shares: decides between sets that are as good
CENTRE_WEIGHT = 0.02  # of squares within the band, against those beyond


@dataclass(frozen=True, eq=False)
class Found:
    """A set of changes and how good it seems: 0 is perfect."""

    steps: Steps
    loss: float


class Landscape:
    """What sets of changes lead to by a surrogate, many at a time. margin: by which the band is made narrower, in shares."""

    def __init__(self, model: Surrogate, aim: Aim, margin: float = 0.0) -> None:
        self.aim, self._margin, self._knobs = aim, margin, model.layout.knobs
        layout = model.layout
        self.moves = [(number, by) for number, knob in enumerate(layout.knobs) for by in knob.steps]
        self._place = {move: at for at, move in enumerate(self.moves)}
        self._number = np.array([number for number, _ in self.moves], np.int64)
        units = [layout.knobs[number].unit for number, _ in self.moves]
        self._unit = np.array([-1 if unit is None else unit for unit in units])
        self._effects = self._moves(model)
        self._size = np.array([layout.knobs[number].relative(by) for number, by in self.moves])
        self._level = model.mode[: layout.cells.size]
        self._pull = [layout.cells.pull(unit) for unit in range(layout.cells.units)]
        at = int(layout.starts[4])
        self._joint = {config: float(model.mode[at + number]) for config, number in layout.config_numbers.items()}
        self._grown = self._by_smaller()

    def _moves(self, model: Surrogate) -> Floats:
        """What each change adds to the logits, (moves, cells)."""
        layout = model.layout
        starts, mode = layout.starts, model.mode
        own = np.append(mode[starts[5] : starts[6]], 0.0)[layout.own_order]
        found = []
        for number, by in self.moves:
            along, bent = moved(layout.knobs[number], by)
            strength = along * mode[starts[2] + number] + bent * mode[starts[3] + number]
            found.append(strength * layout.pull[number] + along * own[number])
        return np.array(found).reshape(len(self.moves), layout.cells.size)

    def _by_smaller(self) -> dict[Config, list[tuple[int, float]]]:
        """Known effects of several numbers together, by what is left if one is taken away: (move, effect)."""
        found: dict[Config, list[tuple[int, float]]] = {}
        for (unit, steps), effect in self._joint.items():
            for move in steps:
                rest = tuple(other for other in steps if other != move)
                found.setdefault((unit, rest), []).append((self._place[move], effect))
        return found

    def logits(self, steps: Steps) -> Floats:
        """Logits of the cells with a set of changes."""
        found = self._level + self._effects[[self._place[move] for move in steps]].sum(axis=0)
        for config in configs_of(self._knobs, steps):
            if config in self._joint:
                found = found + self._joint[config] * self._pull[config[0]]
        return np.asarray(found)

    def size(self, steps: Steps) -> float:
        """Sum of the sizes of the changes relative to the values."""
        return float(sum(self._size[self._place[move]] for move in steps))

    def loss(self, logits: Floats, size: Floats | float) -> Floats:
        """How bad outputs are, (...): squares beyond the band, a little for squares within, a little for the size of changes."""
        gap = np.abs(self.aim.outputs(expit(logits)) - self.aim.middle)
        beyond = np.maximum(0.0, gap - np.maximum(0.0, self.aim.reach - self._margin))
        return np.asarray((beyond**2 + CENTRE_WEIGHT * gap**2).sum(axis=-1) + SIZE_WEIGHT * size)

    def larger(self, sets: Sequence[Steps]) -> Floats:
        """Loss of each set with each further change, (sets, moves); inf where the set has that number already."""
        after = np.stack([self.logits(steps) for steps in sets])[:, None] + self._effects
        size = np.array([self.size(steps) for steps in sets])[:, None] + self._size
        taken = np.zeros(size.shape, bool)
        for at, steps in enumerate(sets):
            by_unit: dict[int, list[tuple[int, int]]] = {}
            for number, by in steps:
                taken[at] |= self._number == number
                unit = self._knobs[number].unit
                if unit is not None:
                    by_unit.setdefault(unit, []).append((number, by))
            for unit, own in by_unit.items():
                self._joined(after[at], (unit, tuple(own)))
        loss = self.loss(after, size)
        loss[taken] = np.inf
        return loss

    def _joined(self, after: Floats, config: Config) -> None:
        """Put the effects of several numbers together into logits with each further change, (moves, cells)."""
        unit = config[0]
        if config in self._joint:
            after[self._unit == unit] -= self._joint[config] * self._pull[unit]
        for move, effect in self._grown.get(config, ()):
            after[move] += effect * self._pull[unit]

    def found(self, steps: Steps) -> Found:
        """A set of changes with its loss."""
        return Found(steps, float(self.loss(self.logits(steps), self.size(steps))))


def best_sets(
    land: Landscape, most: int, refused: Sequence[Steps] = (), beam: int = BEAM, kept: int = 1
) -> list[list[Found]]:
    """The best sets of 0, 1, ... `most` changes, `kept` of each size, best first; sizes that no set has are empty.

    refused: sets that the card rules do not allow.
    """
    wrong = set(refused)
    level = [land.found(())]
    by_size = [level]
    for _ in range(most):
        width = max(beam, len(land.moves)) if len(by_size) <= 2 else beam
        level = _grown(land, level, wrong, width)
        if not level:
            break
        better = _exchanged(land, level[0], wrong)
        level = [better, *[one for one in level if one.steps != better.steps]]
        by_size.append(level)
    return [level[:kept] for level in by_size] + [[]] * (most + 1 - len(by_size))


def _grown(land: Landscape, level: Sequence[Found], wrong: set[Steps], width: int) -> list[Found]:
    """The best sets that have one change more."""
    best: dict[Steps, float] = {}
    for first in range(0, len(level), AT_ONCE):
        part = [one.steps for one in level[first : first + AT_ONCE]]
        loss = land.larger(part)
        order = np.argsort(loss, axis=None, kind="stable")[: width * DOUBLES]
        for at in order.tolist():
            row, move = divmod(at, len(land.moves))
            if np.isfinite(loss[row, move]):
                steps = tuple(sorted((*part[row], land.moves[move])))
                if steps not in wrong:
                    best.setdefault(steps, float(loss[row, move]))
    ordered = sorted(best.items(), key=lambda one: one[1])
    return [Found(steps, loss) for steps, loss in ordered[:width]]


def _exchanged(land: Landscape, one: Found, wrong: set[Steps]) -> Found:
    """Exchange one change for another as long as that is better."""
    for _ in range(EXCHANGES):
        smaller = [land.found(tuple(move for move in one.steps if move != gone)) for gone in one.steps]
        others = _grown(land, smaller, wrong, 1)
        if not others or others[0].loss >= one.loss - 1e-12:
            return one
        one = others[0]
    return one
