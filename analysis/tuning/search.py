"""The search for the best sets of changes.

`best_sets` finds sets by the surrogate: all single changes, all pairs, and from there a beam search (Lowerre 1976), in which
the best BEAM sets of each size are extended by every change. The best set of each size is improved by exchanging one change for
another until no exchange helps. This part is deterministic.

`Search` tests every number, proposes sets of changes, tries them in separate games, learns, and proposes again. The surrogate
is fitted after every round of trials. A round tries the set that seems best, the best sets of neighbouring sizes, and sets that
are best under coefficients drawn from the posterior (Thompson sampling: Thompson 1933, Biometrika 25:285-294; Russo et al.
2018, A Tutorial on Thompson Sampling), so that games are spent where the surrogate is uncertain or promising. Every trial has
separate dice; nothing depends on the number of workers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from analysis.tuning.goal import CHECKED, MARGIN_Z, Aim, Knob, Knobs, Plan, Steps, looks
from analysis.tuning.surrogate import Config, Games, Shrinkage, Surrogate, Trial, configs_of, fit, moved

Floats = NDArray[np.float64]

BEAM = 120
AT_ONCE = 50  # sets extended at a time: bounds the memory
DOUBLES = 4  # times that a set can arise from different smaller ones; enough for a full beam
EXCHANGES = 20  # maximum number of exchanges of one change for another
SIZE_WEIGHT = 2e-5  # weight of the size of changes relative to squares of shares: breaks ties, smaller steps first
CENTRE_WEIGHT = 0.02  # weight of squares within the band relative to those beyond


@dataclass(frozen=True, eq=False)
class Found:
    """A set of changes and its predicted loss; 0 is perfect."""

    steps: Steps
    loss: float


class Landscape:
    """Predictions of a surrogate for many sets of changes. margin: narrows the band, in shares.

    moves: changes of single numbers that bring the outputs nearer to the aim by themselves; sets are made of these.
    """

    def __init__(self, model: Surrogate, aim: Aim, margin: float = 0.0) -> None:
        self.aim, self._margin, self._knobs = aim, margin, model.layout.knobs
        layout = model.layout
        starts, mode = layout.starts, model.mode
        self._level = mode[: layout.cells.size]
        own_effects = np.append(mode[starts[5] : starts[6]], 0.0)[layout.own_order]
        now = float(self.loss(self._level, 0.0))
        self.moves: list[tuple[int, int]] = []
        effects, sizes = [], []  # of each change: on the logits, (cells,), and its size
        for number, knob in enumerate(layout.knobs):
            strengths = {by: _strength(knob, by, mode[starts[2] + number], mode[starts[3] + number]) for by in knob.steps}
            for by, strength in strengths.items():
                effect = strength * layout.pull[number] + moved(knob, by)[0] * own_effects[number]
                one = strengths.get(1 if by > 0 else -1, strength)
                helps = float(self.loss(self._level + effect, 0.0)) < now
                if helps and one * strength >= 0:  # no number moves against the direction of its own single effect
                    self.moves.append((number, by))
                    effects.append(effect)
                    sizes.append(knob.size(by))
        self._place = {move: index for index, move in enumerate(self.moves)}
        self._number = np.array([number for number, _ in self.moves], np.int64)
        units = [layout.knobs[number].unit for number, _ in self.moves]
        self._unit = np.array([-1 if unit is None else unit for unit in units], np.int64)
        self._effects = np.array(effects).reshape(len(self.moves), layout.cells.size)
        self._size = np.array(sizes)
        self._pull = [layout.cells.pull(unit) for unit in range(layout.cells.units)]
        self._joint = {config: float(mode[starts[4] + number]) for config, number in layout.config_numbers.items()}
        self._grown: dict[Config, list[tuple[int, float]]] = {}  # joint effects by the set without one change: (move, effect)
        for (unit, steps), effect in self._joint.items():
            for move in steps:
                rest = tuple(other for other in steps if other != move)
                if move in self._place:
                    self._grown.setdefault((unit, rest), []).append((self._place[move], effect))

    def logits(self, steps: Steps) -> Floats:
        """Logits of the cells with a set of `moves`."""
        logits_ = self._level + self._effects[[self._place[move] for move in steps]].sum(axis=0)
        for config in configs_of(self._knobs, steps):
            if config in self._joint:
                logits_ = logits_ + self._joint[config] * self._pull[config[0]]
        return np.asarray(logits_)

    def size(self, steps: Steps) -> float:
        """Sum of the sizes of the changes, see `Knob.size`."""
        return float(sum(self._size[self._place[move]] for move in steps))

    def loss(self, logits: Floats, size: Floats | float) -> Floats:
        """Loss of outputs, (...): squares beyond the band, and small penalties on squares within it and the size of changes."""
        gap = np.abs(self.aim.outputs(expit(logits)) - self.aim.middle)
        beyond = np.maximum(0.0, gap - np.maximum(0.0, self.aim.reach - self._margin))
        return np.asarray((beyond**2 + CENTRE_WEIGHT * gap**2).sum(axis=-1) + SIZE_WEIGHT * size)

    def larger(self, sets: Sequence[Steps]) -> Floats:
        """Loss of each set with each further change, (sets, moves); inf if the set already changes that number."""
        after = np.stack([self.logits(steps) for steps in sets])[:, None] + self._effects
        size = np.array([self.size(steps) for steps in sets])[:, None] + self._size
        taken = np.zeros(size.shape, bool)
        for row, steps in enumerate(sets):
            by_unit: dict[int, list[tuple[int, int]]] = {}
            for number, by in steps:
                taken[row] |= self._number == number
                unit = self._knobs[number].unit
                if unit is not None:
                    by_unit.setdefault(unit, []).append((number, by))
            for unit, moves in by_unit.items():
                config = (unit, tuple(moves))
                if config in self._joint:
                    after[row][self._unit == unit] -= self._joint[config] * self._pull[unit]
                for move, effect in self._grown.get(config, ()):
                    after[row, move] += effect * self._pull[unit]
        loss = self.loss(after, size)
        loss[taken] = np.inf
        return loss

    def found(self, steps: Steps) -> Found:
        """A set of changes with its loss."""
        return Found(steps, float(self.loss(self.logits(steps), self.size(steps))))


def _strength(knob: Knob, by: int, slope: float, bend: float) -> float:
    """Effect of some steps of a number on the strength of its unit, in logits."""
    along, bent = moved(knob, by)
    return float(along * slope + bent * bend)


def best_sets(land: Landscape, most: int, refused: Sequence[Steps] = (), beam: int = BEAM, kept: int = 1) -> list[list[Found]]:
    """The best sets of 0, 1, ... `most` changes, `kept` of each size, best first; empty for sizes without a set.

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
        level = [better, *[found for found in level if found.steps != better.steps]]
        by_size.append(level)
    return [level[:kept] for level in by_size] + [[]] * (most + 1 - len(by_size))


def _grown(land: Landscape, level: Sequence[Found], wrong: set[Steps], width: int) -> list[Found]:
    """The best sets with one more change."""
    best: dict[Steps, float] = {}
    for first in range(0, len(level), AT_ONCE):
        part = [item.steps for item in level[first : first + AT_ONCE]]
        loss = land.larger(part)
        order = np.argsort(loss, axis=None, kind="stable")[: width * DOUBLES]
        for cell in order.tolist():
            row, move = divmod(cell, len(land.moves))
            if np.isfinite(loss[row, move]):
                steps = tuple(sorted((*part[row], land.moves[move])))
                if steps not in wrong:
                    best.setdefault(steps, float(loss[row, move]))
    ordered = sorted(best.items(), key=lambda item: item[1])
    return [Found(steps, loss) for steps, loss in ordered[:width]]


def _exchanged(land: Landscape, best: Found, wrong: set[Steps]) -> Found:
    """Exchange one change for another as long as that reduces the loss."""
    for _ in range(EXCHANGES):
        smaller = [land.found(tuple(move for move in best.steps if move != gone)) for gone in best.steps]
        others = _grown(land, smaller, wrong, 1)
        if not others or others[0].loss >= best.loss - 1e-12:
            return best
        best = others[0]
    return best


ROUND = 6  # proposals tried between two fits
DRAWN_BEAM = 25  # beam under drawn coefficients, which vary at random anyway
SHORTLIST = 12  # sets of each size that are evaluated with their errors
REWEIGHED = 3  # rounds after which the shrinkage is estimated again
SURE_ROUNDS = 2  # rounds with the same set within the band after which the search ends early


@dataclass(frozen=True, eq=False)
class Choice:
    """A set of changes as evaluated by the surrogate.

    risk: expected loss; within: in the band with a margin for errors (see `MARGIN_Z`); perhaps: in the band by the estimate.
    """

    steps: Steps
    risk: float
    within: bool
    perhaps: bool = False


@dataclass(eq=False)
class Search:
    """State of a search.

    strong: games of the strong players, if the trials are those of quick ones: the aim is then to be reached with strong players,
    whose win rates are predicted from a few games of theirs and the effects of changes with quick ones. strong_games: of the
    current cards, and of each check. refused: sets that the card rules do not allow together, or with which games do not end;
    stalled: single steps (index of a knob, steps up) with which significantly more games end without a winner, which are not
    proposed.
    """

    trials: Games
    knobs: Knobs
    aim: Aim
    max_changes: int
    seed: int
    strong: Games | None = None
    strong_games: int = 0
    done: list[Trial] = field(default_factory=list)
    refused: list[Steps] = field(default_factory=list)
    stalled: list[tuple[int, int]] = field(default_factory=list)
    model: Surrogate | None = None

    def run(self, plan: Plan) -> list[Choice]:
        """Run the search; returns the best set of each size, from none to `max_changes`; see `chosen`."""
        self._look(plan)
        self._fit(None)
        sure, last = 0, None
        for number, first in enumerate(range(0, plan.trials, ROUND)):
            best = self.by_size()
            pick = chosen(best)
            sure = (
                sure + 1
                if pick.within and pick.steps == last and any(trial.steps == last and trial.dice for trial in self.done)
                else 0
            )
            if sure >= SURE_ROUNDS:
                break
            last = pick.steps
            self._round(best, pick, (first, min(ROUND, plan.trials - first)), plan.trial_games)
            assert self.model is not None
            self._fit(None if number in (0, REWEIGHED, 2 * REWEIGHED) else self.model.prior)
        return self._checked(plan)

    def _checked(self, plan: Plan) -> list[Choice]:
        """Check the proposal in more games until it no longer changes."""
        best, checked = self.by_size(), set()
        for number in range(CHECKED if plan.check_games or self.strong else 0):
            steps = next((choice.steps for choice in (hopeful(best), chosen(best)) if choice.steps not in checked), ())
            if not steps:
                break
            checked.add(steps)
            dice = plan.trials + 1 + number
            if self.strong is None:
                trial = self.trials.fresh(steps, dice, plan.check_games)
            else:
                trial = self.strong.fresh(steps, dice, self.strong_games)
            self._take(steps, trial)
            self._fit(self.model.prior if self.model else None)
            best = self.by_size()
        return best

    def by_size(self) -> list[Choice]:
        """The best set of each size by expected loss, among those that seem best without regard to errors."""
        assert self.model is not None
        error = self.model.outputs((), self.aim.mixing)[1]
        margins = (0.0, float(np.median(error))) if self.aim.reach.any() else (0.0,)
        choices: list[Choice] = []
        levels = [best_sets(Landscape(self.model, self.aim, m), self.max_changes, self.refused, kept=SHORTLIST) for m in margins]
        allowed = set(Landscape(self.model, self.aim).moves)
        tried = {trial.steps for trial in self.done if trial.dice and allowed.issuperset(trial.steps)} - set(self.refused)
        for size in range(self.max_changes + 1):
            sets = dict.fromkeys(choice.steps for level in levels for choice in level[size])
            sets |= dict.fromkeys(steps for steps in sorted(tried) if len(steps) == size)
            if sets:
                choices.append(min((self.judged(steps) for steps in sets), key=lambda choice: (not choice.within, choice.risk)))
        return choices

    def judged(self, steps: Steps) -> Choice:
        """Evaluate a set of changes with its errors."""
        assert self.model is not None
        mixed, error = self.model.outputs(steps, self.aim.mixing)
        outputs = mixed + self.aim.start
        beyond = self.aim.excess(outputs, error)
        weight = np.where(self.aim.reach > 0, CENTRE_WEIGHT, 1.0)
        gap = (outputs - self.aim.middle) ** 2
        inner = np.where(self.aim.reach > 0, gap + error**2, error**2)
        size = sum(self.knobs.knobs[number].size(by) for number, by in steps)
        risk = float((beyond**2 + weight * inner).sum()) + SIZE_WEIGHT * size
        perhaps = bool((self.aim.excess(outputs) <= 0).all())
        return Choice(steps, risk, bool((beyond <= 0).all() and (MARGIN_Z * error < self.aim.reach).all()), perhaps)

    def _look(self, plan: Plan) -> None:
        """Play the current cards, and every number a step down and up in the same games."""
        self.done = [self.trials.first(plan.look_games)]
        if self.strong is not None:
            now = self.strong.fresh((), plan.trials, self.strong_games)
            assert now is not None, "the current cards are allowed"
            self.done.append(now)
        for number, knob in enumerate(self.knobs.knobs):
            trials = [self.trials.step(number, by) for by in looks(knob.steps)]
            self.done += [trial for trial in trials if trial is not None and not trial.stalls]
            self._leave([trial.steps[0] for trial in trials if trial is not None and trial.stalls])

    def _round(self, best: Sequence[Choice], pick: Choice, which: tuple[int, int], games: int) -> None:
        """Try proposals first..first+count-1."""
        first, count = which
        near = [choice for choice in best if abs(len(choice.steps) - len(pick.steps)) == 1 and choice.steps]
        least = min(best, key=lambda choice: choice.risk)
        first_of_all = (hopeful(best), pick, least, *near)
        wanted = list(dict.fromkeys(choice.steps for choice in first_of_all if choice.steps))[: max(1, count // 2)]
        chance = np.random.default_rng([self.seed, first])
        while len(wanted) < count:
            wanted.append(self._drawn(chance, len(pick.steps)) or pick.steps or least.steps)
        for number, steps in enumerate(wanted, first + 1):
            trial = self.trials.fresh(steps, number, games)
            self._take(steps, trial)

    def _drawn(self, chance: np.random.Generator, size: int) -> Steps:
        """The best set under coefficients drawn from the posterior, of at most one change more than `size`."""
        assert self.model is not None
        most = min(self.max_changes, size + 1)
        levels = best_sets(Landscape(self.model.draw(chance), self.aim), most, self.refused, beam=DRAWN_BEAM)
        return min((found for level in levels for found in level), key=lambda found: found.loss).steps

    def _take(self, steps: Steps, trial: Trial | None) -> None:
        """Learn from a trial; sets that the card rules refuse, or with which games do not end, are not proposed again."""
        if trial is None or trial.stalls:
            self.refused.append(steps)
        else:
            self.done.append(trial)

    def _leave(self, moves: Sequence[tuple[int, int]]) -> None:
        """Remove steps with which games do not end, and those beyond them."""
        knobs = list(self.knobs.knobs)
        self.stalled += moves
        for number, by in moves:
            kept = tuple(step for step in knobs[number].steps if step * by < 0)
            knobs[number] = replace(knobs[number], steps=kept)
        self.knobs = replace(self.knobs, knobs=tuple(knobs))

    def _fit(self, prior: Shrinkage | None) -> None:
        self.model = fit(self.trials.cells, self.knobs.knobs, self.done, prior)


def chosen(best: Sequence[Choice]) -> Choice:
    """The proposal: the smallest set that is within the band with its margin, else the one with the least expected loss."""
    return next((choice for choice in best if choice.within), min(best, key=lambda choice: choice.risk))


def hopeful(best: Sequence[Choice]) -> Choice:
    """The smallest set within the band by its estimate, else the one with the least expected loss; worth more games."""
    return next((choice for choice in best if choice.perhaps), min(best, key=lambda choice: choice.risk))
