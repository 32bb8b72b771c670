"""Tuning: look at every number, propose sets of changes, try them in fresh games, learn, propose again.

The surrogate is fitted after every round of trials. A round tries the set that seems best, the best sets of the sizes next to
it, and sets that are best under coefficients drawn from the posterior (Thompson sampling: Thompson 1933, Biometrika 25:285-294;
Russo et al. 2018, A Tutorial on Thompson Sampling), so that games go where the surrogate is unsure or promising. Every trial has
dice of its own; nothing depends on the number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from analysis.tuning.fields import Knobs, Steps
from analysis.tuning.goal import MARGIN_Z, Aim
from analysis.tuning.plan import CHECKED, Plan, looks
from analysis.tuning.search import CENTRE_WEIGHT, SIZE_WEIGHT, Landscape, best_sets
from analysis.tuning.surrogate import Surrogate, fit
from analysis.tuning.terms import Shrinkage
from analysis.tuning.trials import Trial, Trials

ROUND = 6  # proposals tried between two fits
DRAWN_BEAM = 25  # of a search under drawn coefficients: wide enough, for chance varies it anyway
SHORTLIST = 12  # sets of each size that are looked at with their errors
REWEIGHED = 3  # rounds after which it is found out again how much is shrunk
SURE_ROUNDS = 2  # in which the same set seems surely within before the search ends early
SEARCHED = "search"

Watch = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class Choice:
    """A set of changes as the surrogate sees it.

    risk: expected loss; within: surely (see `goal.MARGIN_Z`) in the band; perhaps: in it by the estimate.
    """

    steps: Steps
    risk: float
    within: bool
    perhaps: bool = False


@dataclass(eq=False)
class Search:
    """The state of a search.

    refused: sets that the card rules do not allow together, or with which games do not end; stalled: single steps (number of a
    knob, steps up) with which surely more games end without a winner, which are not proposed.
    """

    trials: Trials
    knobs: Knobs
    aim: Aim
    max_changes: int
    seed: int
    done: list[Trial] = field(default_factory=list)
    refused: list[Steps] = field(default_factory=list)
    stalled: list[tuple[int, int]] = field(default_factory=list)
    model: Surrogate | None = None

    def run(self, plan: Plan, watch: Watch | None = None) -> list[Choice]:
        """Search; returns the best set of each size, from none to `max_changes`; see `chosen`."""
        self._look(plan, watch)
        self._fit(None)
        sure, last = 0, None
        for number, first in enumerate(range(0, plan.trials, ROUND)):
            best = self.by_size()
            pick = chosen(best)
            sure = sure + 1 if pick.within and pick.steps == last and self._tried(pick.steps) else 0
            if sure >= SURE_ROUNDS:
                break
            last = pick.steps
            self._round(best, pick, (first, min(ROUND, plan.trials - first)), plan.trial_games)
            if watch:
                watch(SEARCHED, first + ROUND, plan.trials)
            assert self.model is not None
            self._fit(None if number in (0, REWEIGHED, 2 * REWEIGHED) else self.model.prior)
        return self._checked(plan)

    def _checked(self, plan: Plan) -> list[Choice]:
        """Try what would be proposed once more, in more games, until the proposal stays what it was."""
        best, checked = self.by_size(), set()
        for number in range(CHECKED if plan.check_games else 0):
            steps = next((one.steps for one in (hopeful(best), chosen(best)) if one.steps not in checked), ())
            if not steps:
                break
            checked.add(steps)
            trial = self.trials.fresh(steps, plan.trials + 1 + number, plan.check_games)
            self._take(steps, trial)
            self._fit(self.model.prior if self.model else None)
            best = self.by_size()
        return best

    def by_size(self) -> list[Choice]:
        """The best set of each size by its expected loss, among the sets that seem best without regard to errors."""
        assert self.model is not None
        error = self.model.outputs((), self.aim.mixing)[1]
        margins = (0.0, float(np.median(error))) if self.aim.reach.any() else (0.0,)
        found: list[Choice] = []
        levels = [
            best_sets(Landscape(self.model, self.aim, m), self.max_changes, self.refused, kept=SHORTLIST)
            for m in margins
        ]
        tried = {trial.steps for trial in self.done if trial.dice} - set(self.refused)
        for size in range(self.max_changes + 1):
            sets = dict.fromkeys(one.steps for level in levels for one in level[size])
            sets |= dict.fromkeys(steps for steps in sorted(tried) if len(steps) == size)
            if sets:
                found.append(min((self.judged(steps) for steps in sets), key=lambda one: (not one.within, one.risk)))
        return found

    def judged(self, steps: Steps) -> Choice:
        """Judge a set of changes with its errors."""
        assert self.model is not None
        mixed, error = self.model.outputs(steps, self.aim.mixing)
        outputs = mixed + self.aim.start
        beyond = self.aim.excess(outputs, error)
        weight = np.where(self.aim.reach > 0, CENTRE_WEIGHT, 1.0)
        gap = (outputs - self.aim.middle) ** 2
        inner = np.where(self.aim.reach > 0, gap + error**2, error**2)
        size = sum(self.knobs.knobs[number].relative(by) for number, by in steps)
        risk = float((beyond**2 + weight * inner).sum()) + SIZE_WEIGHT * size
        perhaps = bool((self.aim.excess(outputs) <= 0).all())
        return Choice(steps, risk, bool((beyond <= 0).all() and (MARGIN_Z * error < self.aim.reach).all()), perhaps)

    def _look(self, plan: Plan, watch: Watch | None) -> None:
        """Play the cards as they are, and every number a step down and up in the same games."""
        self.done = [self.trials.first(plan.look_games)]
        for number, knob in enumerate(self.knobs.knobs):
            found = [self.trials.step(number, by) for by in looks(knob.steps)]
            self.done += [trial for trial in found if trial is not None and not trial.stalls]
            self._leave([trial.steps[0] for trial in found if trial is not None and trial.stalls])
            if watch:
                watch("numbers", number + 1, len(self.knobs.knobs))

    def _round(self, best: Sequence[Choice], pick: Choice, which: tuple[int, int], games: int) -> None:
        """Try proposals number first..first+count-1 of all."""
        first, count = which
        near = [one for one in best if abs(len(one.steps) - len(pick.steps)) == 1 and one.steps]
        least = min(best, key=lambda one: one.risk)
        first_of_all = (hopeful(best), pick, least, *near)
        wanted = list(dict.fromkeys(one.steps for one in first_of_all if one.steps))[: max(1, count // 2)]
        chance = np.random.default_rng([self.seed, first])
        while len(wanted) < count:
            wanted.append(self._drawn(chance, len(pick.steps)) or pick.steps or least.steps)
        for number, steps in enumerate(wanted, first + 1):
            trial = self.trials.fresh(steps, number, games)
            self._take(steps, trial)

    def _drawn(self, chance: np.random.Generator, size: int) -> Steps:
        """The best set under coefficients drawn from the posterior: the fewest changes that suffice, of about this size."""
        assert self.model is not None
        most = min(self.max_changes, size + 1)
        levels = best_sets(Landscape(self.model.draw(chance), self.aim), most, self.refused, beam=DRAWN_BEAM)
        return min((one for level in levels for one in level), key=lambda one: one.loss).steps

    def _take(self, steps: Steps, trial: Trial | None) -> None:
        """Learn from a trial; sets that the card rules refuse, or with which games do not end, are not proposed again."""
        if trial is None or trial.stalls:
            self.refused.append(steps)
        else:
            self.done.append(trial)

    def _leave(self, moves: Sequence[tuple[int, int]]) -> None:
        """Take steps away with which games do not end, and those beyond them."""
        knobs = list(self.knobs.knobs)
        self.stalled += moves
        for number, by in moves:
            kept = tuple(step for step in knobs[number].steps if step * by < 0)
            knobs[number] = replace(knobs[number], steps=kept)
        self.knobs = replace(self.knobs, knobs=tuple(knobs))

    def _tried(self, steps: Steps) -> bool:
        return any(trial.steps == steps and trial.dice for trial in self.done)

    def _fit(self, prior: Shrinkage | None) -> None:
        self.model = fit(self.trials.cells, self.knobs.knobs, self.done, prior)


def chosen(best: Sequence[Choice]) -> Choice:
    """The proposal: the smallest set that is surely within, else the one with the least expected loss."""
    return next((one for one in best if one.within), min(best, key=lambda one: one.risk))


def hopeful(best: Sequence[Choice]) -> Choice:
    """The smallest set that is in the band by its estimate, else the one with the least expected loss: worth more games."""
    return next((one for one in best if one.perhaps), min(best, key=lambda one: one.risk))
