"""Games with changed cards: the same games for the first look at every number, separate games for every proposal.

The surrogate model, which predicts win rates from changed numbers.

The logit of each cell is linear in the changed numbers, with a small curvature. A number of a unit has one effect on the
strength of that unit, which acts on all its cells alike, with a curvature, and a smaller separate effect on every cell that it
touches. Several numbers of a unit that are changed together have a joint effect on its strength, specific to these changes, and
several changed numbers that touch one cell have a joint effect on that. A number without an owner has effects by cell only.

All effects are shrunk towards zero by normal priors (hierarchical ridge: Gelman and Hill 2007, Data Analysis Using Regression,
chapter 12), fitted to the games won by Newton's method, and have a normal posterior around the mode (Laplace; Rasmussen and
Williams 2006, Gaussian Processes for Machine Learning, section 3.4). The shrinkage maximises the evidence (MacKay 1992, Neural
Computation 4:415-447).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import expit, logit

from analysis.data.selection import Chosen
from analysis.data.shares import Play, Shares
from analysis.tuning.goal import Cells, Counts, Knob, Knobs, Steps
from analysis.variants.variant import part_of
from sim.engine.cards import CardSet
from sim.experiments.experiment import Experiment
from sim.seeds import SEED_MAX

BASE_DICE = 0  # the dice of the first look at every number
LEAST_PAIRS = 2
STALL_Z = 1.645  # standard errors: 95 % one-sided
UNWON_MORE = 0.01  # tolerated increase of the share of games without a winner


@dataclass(frozen=True, eq=False)
class Trial:
    """Games with some steps.

    dice: number of the seed; trials with the same dice have the same games. stalls: whether significantly more games end
    without a winner than with the current cards, see `more_unwon`. quick: whether quick players played, in a search for changes
    that hold with strong ones.
    """

    steps: Steps
    dice: int
    counts: Counts
    stalls: bool = False
    quick: bool = False


@dataclass
class Games:
    """Trials by playing. base: the experiment with the current cards; its seed is that of the first look.

    focus: units whose games are played, all if empty. quick: see `Trial`. spent: games played so far; sets: card sets played.
    """

    base: Experiment
    knobs: Knobs
    play: Play
    cells: Cells
    focus: tuple[int, ...] = ()
    quick: bool = False
    spent: int = 0
    sets: int = 0
    _shares: Shares | None = field(default=None, repr=False)

    def first(self, games: int) -> Trial:
        """Play the current cards, on the dice of the first look."""
        self._shares = self.shares(self.base.cards, self.base.seed, games)
        return Trial((), BASE_DICE, self.cells.count(self._shares), quick=self.quick)

    def step(self, number: int, by: int) -> Trial | None:
        """Play one changed number, in the games of the first look that it can affect; None if nothing comes of it."""
        cards, before, unit, teams = (
            self.knobs.compiled(((number, by),)),
            self._shares,
            self.knobs.knobs[number].unit,
            self.base.teams,
        )
        assert before is not None
        index = np.arange(len(before.entrant))
        if unit is not None and (teams is None or teams.planned):  # else seats can choose whom they play
            index = np.flatnonzero((self.cells.units_of(before).entrant == unit).any(axis=1))
        if cards is None or len(index) < LEAST_PAIRS:
            return None
        first = self.chosen(self.base, len(before.entrant))
        games = first.index[index] if isinstance(first, Chosen) else index
        after = self._played(replace(part_of(self.base, 0, 0), cards=cards, games_wanted=len(before.entrant), index=games))
        if not np.array_equal(after.entrant, before.entrant[index]):
            return None  # seats choose whom they play, and chose differently
        counts, used = self.cells.count(after), self.cells.touched(unit)
        noise = own_noise(before.share[index], after.share, within(counts))
        stalls = more_unwon(_unwon(before)[index], _unwon(after), paired=True)
        counted = Counts(counts.n * used, counts.wins * used, noise)
        return Trial(((number, by),), BASE_DICE, counted, stalls, self.quick) if noise else None

    def fresh(self, steps: Steps, dice: int, games: int) -> Trial | None:
        """Play some changed numbers in separate games; None if the card rules refuse the combination."""
        cards = self.knobs.compiled(steps)
        if cards is None:
            return None
        after, before = self.shares(cards, seed_of(self.base.seed, dice), games), self._shares
        stalls = more_unwon(np.zeros(0, bool) if before is None else _unwon(before), _unwon(after), paired=False)
        return Trial(steps, dice, self.cells.count(after), stalls, self.quick)

    def shares(self, cards: CardSet, seed: int, games: int) -> Shares:
        """Play a card set with the given seed."""
        return self._played(replace(self.chosen(replace(self.base, seed=seed), games), cards=cards))

    def chosen(self, whole: Experiment, games: int) -> Experiment:
        """The first games of an experiment, in whole rounds, or of those in which a unit of the focus plays."""
        if not self.focus:
            return replace(whole, games_wanted=games)
        index: NDArray[np.int64] = np.zeros(0, np.int64)
        rounds = max(1, games // whole.round_games)
        while len(index) < games:
            every = np.arange(rounds * whole.round_games)
            seated = whole.entrants_of(every)
            units = seated if self.cells.members is None else self.cells.members[seated].reshape(len(every), -1)
            index = every[np.isin(units, self.focus).any(axis=1)]
            rounds *= 2
        return replace(part_of(whole, 0, 0), index=index[:games])

    def _played(self, experiment: Experiment) -> Shares:
        self.sets += 1
        self.spent += experiment.games
        return Shares.of(experiment, self.play)


def _unwon(games: Shares) -> NDArray[np.bool_]:
    """Games without a winner, (games,)."""
    return np.asarray(games.share.sum(axis=1) <= 0)


def more_unwon(before: NDArray[np.bool_], after: NDArray[np.bool_], paired: bool) -> bool:
    """Whether the share of games without a winner rises by significantly (STALL_Z standard errors) more than UNWON_MORE.

    before, after: games without a winner; paired: of the same games, else of two samples, the first of which may be empty.
    """
    b, a = np.asarray(before, np.float64), np.asarray(after, np.float64)
    if paired:
        excess, variance = float((a - b).mean()), float((a - b).var() / a.size)
    else:
        excess, variance = float(a.mean()), float(a.var() / a.size)
        if b.size:
            excess, variance = excess - float(b.mean()), variance + float(b.var() / b.size)
    return bool(excess - STALL_Z * variance**0.5 > UNWON_MORE)


def own_noise(before: NDArray[Any], after: NDArray[Any], within: float) -> float:
    """Share of the variance of `after` that is not common with `before`: 1 for independent games, 0 for identical ones.

    Half the variance of the difference over that of a share. before, after: shares of the win, (games, seats); within: variance
    of a share among games of one cell, above 0.
    """
    change = np.asarray(after, np.float64)[:, 0] - np.asarray(before, np.float64)[:, 0]
    return float(min(1.0, change.var() / (2 * within))) if within > 0 else 0.0


def within(counts: Counts) -> float:
    """Unbiased variance of a win share among games of one cell; 0 if no cell has two games."""
    n, rate = counts.n[:-1], np.nan_to_num(counts.rate[:-1])
    many = n > 1
    spread = rate * (1 - rate) * n / np.where(many, n - 1, 1)
    return float((n * spread)[many].sum() / max(1.0, n[many].sum()))


def seed_of(seed: int, dice: int) -> int:
    """Seed of numbered dice: the experiment's seed for 0, else one far from any seed that a user would choose."""
    if dice == BASE_DICE:
        return seed
    high, low = np.random.SeedSequence([seed, dice]).generate_state(2, np.uint64).tolist()
    return int((high ^ low) & SEED_MAX)


Config = tuple[int, Steps]  # a unit, and the steps of its numbers
Meeting = tuple[int, Steps]  # a cell, and the steps of the numbers that touch it

LEVEL_SPREAD = 3.0  # logits: prior of a cell's level
TOGETHER = 2  # smallest number of changes with a joint effect


@dataclass(frozen=True)
class Shrinkage:
    """Prior standard deviations.

    effect: of a number, in logits per unit of `Knob.scaled`; own: of a cell's separate part, and bend: of a curvature, both as
    shares of `effect`; joint: of several numbers of a unit together, and meet: of several numbers that touch a cell, in logits.
    level: of the difference between quick and strong players by cell, in logits; carried: of the difference between the effects
    of a number with both, as a share of `effect`.
    """

    effect: float = 2.0
    own: float = 0.2
    bend: float = 0.25
    joint: float = 0.1
    meet: float = 0.1
    level: float = 0.7
    carried: float = 0.15


def configs_of(knobs: Sequence[Knob], steps: Steps) -> Iterator[Config]:
    """Units with several changed numbers, each with these changes."""
    by_unit: dict[int, list[tuple[int, int]]] = {}
    for number, by in steps:
        unit = knobs[number].unit
        if unit is not None:
            by_unit.setdefault(unit, []).append((number, by))
    for unit, moves in by_unit.items():
        if len(moves) >= TOGETHER:
            yield unit, tuple(moves)


def meetings_of(cells: Cells, knobs: Sequence[Knob], steps: Steps) -> Iterator[Meeting]:
    """Cells that several changed numbers touch, each with these changes."""
    if len(steps) < TOGETHER:
        return
    touched = np.stack([cells.touched(knobs[number].unit) for number, _ in steps])
    for cell in np.flatnonzero(touched.sum(axis=0) >= TOGETHER).tolist():
        yield cell, tuple(move for move, here in zip(steps, touched[:, cell].tolist(), strict=True) if here)


@dataclass(frozen=True, eq=False)
class Layout:
    """Positions of the effects among the coefficients.

    In this order: level and shift of the first dice by cell; effect and curvature by number; effects of `configs`; separate
    effects by number and cell, for the cells touched; effects of `meetings`; with trials of both, what quick players differ by
    from strong ones: by cell, and in the effect of each number.
    """

    cells: Cells
    knobs: tuple[Knob, ...]
    configs: tuple[Config, ...]
    meetings: tuple[Meeting, ...] = ()
    both: bool = False

    @classmethod
    def of(cls, cells: Cells, knobs: Sequence[Knob], trials: Sequence[Trial]) -> Layout:
        """Lay out the effects that the trials can estimate."""
        sets = list(dict.fromkeys(trial.steps for trial in trials))
        configs = dict.fromkeys(config for steps in sets for config in configs_of(knobs, steps))
        meetings = dict.fromkeys(meeting for steps in sets for meeting in meetings_of(cells, knobs, steps))
        both = len({trial.quick for trial in trials}) > 1
        return cls(cells, tuple(knobs), tuple(configs), tuple(meetings), both)

    @cached_property
    def starts(self) -> Floats:
        """Index of the first coefficient of each kind, and the total number, (10,)."""
        size, count = self.cells.size, len(self.knobs)
        own = int((self.own_order >= 0).sum())
        lengths = [size, size, count, count, len(self.configs), own, len(self.meetings)]
        lengths += [size, count] if self.both else [0, 0]
        return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)

    @cached_property
    def own_order(self) -> NDArray[np.int64]:
        """Index of each number's separate effect on each cell within their kind, (numbers, cells); -1 for cells not touched."""
        touched = np.stack([self.cells.touched(knob.unit) for knob in self.knobs])
        return np.where(touched, np.cumsum(touched).reshape(touched.shape) - 1, -1)

    @cached_property
    def pull(self) -> Floats:
        """Effect of each number's unit on each cell, (numbers, cells)."""
        return np.stack([self.cells.pull(knob.unit) for knob in self.knobs])

    @cached_property
    def config_numbers(self) -> dict[Config, int]:
        """Index of each configuration."""
        return {config: number for number, config in enumerate(self.configs)}

    @cached_property
    def meeting_numbers(self) -> dict[Meeting, int]:
        """Index of each meeting."""
        return {meeting: number for number, meeting in enumerate(self.meetings)}

    def rows(self, steps: Steps, dice: int, quick: bool = False) -> scipy.sparse.csr_array:
        """Design matrix of a card set: derivatives of the logits by the coefficients, (cells, coefficients).

        quick: of quick players, if there are trials of both.
        """
        size, starts = self.cells.size, self.starts.tolist()
        every = np.arange(size)
        entries = [(every, every, np.ones(size))]
        if dice == BASE_DICE:
            entries.append((every, starts[1] + every, np.ones(size)))
        apart = quick and self.both
        if apart:
            entries.append((every, starts[7] + every, np.ones(size)))
        for number, by in steps:
            along, bent = moved(self.knobs[number], by)
            pull, own_index = self.pull[number], self.own_order[number]
            cell_ = np.flatnonzero(own_index >= 0)
            entries += [
                (every, np.full(size, starts[2] + number), along * pull),
                (every, np.full(size, starts[3] + number), bent * pull),
                (cell_, starts[5] + own_index[cell_], np.full(cell_.size, along)),
                *([(every, np.full(size, starts[8] + number), along * pull)] if apart else []),
            ]
        for config in configs_of(self.knobs, steps):
            if config in self.config_numbers:
                column = starts[4] + self.config_numbers[config]
                entries.append((every, np.full(size, column), self.cells.pull(config[0])))
        met = [meeting for meeting in meetings_of(self.cells, self.knobs, steps) if meeting in self.meeting_numbers]
        if met:
            columns = starts[6] + np.array([self.meeting_numbers[meeting] for meeting in met])
            entries.append((np.array([cell for cell, _ in met]), columns, np.ones(len(met))))
        row, column, value = (np.concatenate(part) for part in zip(*entries, strict=True))
        return scipy.sparse.csr_array((value, (row, column)), shape=(size, starts[-1]))

    def precision(self, prior: Shrinkage, shift: Floats) -> Floats:
        """Prior precision of each coefficient. shift: prior variance of the shift of the first dice, by cell."""
        owned = np.array([knob.unit is not None for knob in self.knobs])
        own = np.where(owned, prior.own, 1.0) * prior.effect
        by_cell = np.broadcast_to(own[:, None], self.own_order.shape)[self.own_order >= 0]
        count = len(self.knobs)
        apart = [np.full(self.cells.size, prior.level**2), np.full(count, (prior.carried * prior.effect) ** 2)]
        parts = [
            np.full(self.cells.size, LEVEL_SPREAD**2),
            shift,
            np.full(count, prior.effect**2),
            np.full(count, (prior.bend * prior.effect) ** 2),
            np.full(len(self.configs), prior.joint**2),
            by_cell**2,
            np.full(len(self.meetings), prior.meet**2),
            *(apart if self.both else []),
        ]
        return 1 / np.concatenate(parts)


def moved(knob: Knob, by: int) -> tuple[float, float]:
    """Length of some steps, and their curvature: the square over the length of one step."""
    along = knob.scaled(by)
    return along, along**2 / abs(knob.scaled(1))


Floats = NDArray[np.float64]

NEWTON_STEPS = 30
SETTLED = 1e-6  # smaller changes of a coefficient count as none
LEAST_NOISE = 0.02  # least share of a game's variance that is not common with another card set's
TRIED = {  # shrinkage: values that are compared by their evidence
    "effect": (0.5, 1.0, 2.0, 4.0, 8.0),
    "own": (0.1, 0.2, 0.4, 0.8),
    "bend": (0.1, 0.25, 0.5, 1.0),
    "joint": (0.05, 0.1, 0.2, 0.4),
    "meet": (0.05, 0.1, 0.2, 0.4),
}
ABOUT_SETS = ("joint", "meet")  # first looks have no data on these


@dataclass(frozen=True, eq=False)
class Surrogate:
    """A fitted model.

    mode: coefficients; root: (rows, coefficients) with root.T @ root the posterior precision; evidence: its logarithm.
    """

    layout: Layout
    prior: Shrinkage
    mode: Floats
    root: scipy.sparse.csc_array
    evidence: float

    @cached_property
    def _factors(self) -> Any:
        """The factorised posterior precision."""
        return _factorised(self.root.T @ self.root)

    def logits(self, steps: Steps) -> Floats:
        """Logit of each cell with some steps, (cells,), on dice of no trial."""
        return np.asarray(self.layout.rows(steps, BASE_DICE - 1) @ self.mode)

    def rates(self, steps: Steps) -> tuple[Floats, Floats]:
        """Win rates of the units with some steps and their standard errors, (units,) both."""
        rate, error = self.outputs(steps, self.layout.cells.mixing[0])
        return rate + self.layout.cells.mixing[1], error

    def outputs(self, steps: Steps, mixing: Floats) -> tuple[Floats, Floats]:
        """Linear mixtures of the cells' win rates and their standard errors, (outputs,) both. mixing: (outputs, cells).

        Numbers of a unit that were never changed together add the prior variance of their joint effect.
        """
        value, lines, unseen = self._mixed(steps, mixing)
        return value, self._error(lines, unseen)

    def shift(self, steps: Steps, other: Steps, mixing: Floats) -> tuple[Floats, Floats]:
        """Mixtures with `other` less those with `steps`, and the standard errors of the difference, (outputs,) both."""
        (before, lines, _), (after, more, unseen) = self._mixed(steps, mixing), self._mixed(other, mixing)
        return after - before, self._error(more - lines, unseen)

    def _mixed(self, steps: Steps, mixing: Floats) -> tuple[Floats, Floats, Floats]:
        """Mixtures (outputs,), their derivatives (coefficients, outputs), and the variance of joint effects never tried."""
        layout = self.layout
        rows = layout.rows(steps, BASE_DICE - 1)
        rate = expit(np.asarray(rows @ self.mode))
        slope = mixing * (rate * (1 - rate))
        unseen = np.zeros(len(mixing))
        for config in configs_of(layout.knobs, steps):
            if config not in layout.config_numbers:
                unseen += ((slope @ layout.cells.pull(config[0])) * self.prior.joint) ** 2
        new = [meeting for meeting in meetings_of(layout.cells, layout.knobs, steps) if meeting not in layout.meeting_numbers]
        unseen += ((slope[:, [cell for cell, _ in new]] * self.prior.meet) ** 2).sum(axis=1)
        return mixing @ rate, (slope @ rows.toarray()).T, unseen

    def _error(self, lines: Floats, unseen: Floats) -> Floats:
        """Standard errors of mixtures from their derivatives."""
        return np.asarray(np.sqrt((lines * self._factors.solve(lines)).sum(axis=0) + unseen))

    def draw(self, chance: np.random.Generator) -> Surrogate:
        """The model with coefficients drawn from the posterior."""
        jump = self._factors.solve(self.root.T @ chance.standard_normal(self.root.shape[0]))
        return replace(self, mode=self.mode + jump)


def fit(cells: Cells, knobs: Sequence[Knob], trials: Sequence[Trial], prior: Shrinkage | None = None) -> Surrogate:
    """Fit the model to the trials, the first of which is the base set on the first dice.

    prior: the shrinkage; None: chosen by its evidence, one value after the other.
    """
    layout = Layout.of(cells, knobs, trials)
    problem = _Problem.of(layout, trials)
    if prior is not None:
        return problem.solved(prior)
    best = problem.solved(Shrinkage())
    for name, values in TRIED.items():
        if name in ABOUT_SETS and not layout.meetings:
            continue
        start = best.mode
        for value in values:
            if value != getattr(best.prior, name):
                solution = problem.solved(replace(best.prior, **{name: value}), start)
                best = solution if solution.evidence > best.evidence else best
    return best


@dataclass(frozen=True, eq=False)
class _Problem:
    """Trials as regression rows: games and wins, divided by their noise."""

    layout: Layout
    design: scipy.sparse.csr_array
    n: Floats
    wins: Floats
    shift: Floats

    @classmethod
    def of(cls, layout: Layout, trials: Sequence[Trial]) -> _Problem:
        """Build the rows of the trials."""
        first, looks = trials[0], [trial_ for trial_ in trials[1:] if trial_.dice == BASE_DICE]
        noises = np.array([trial_.counts.own_noise for trial_ in looks] or [1.0])
        base_noise = float(np.clip(noises.mean(), LEAST_NOISE, 1.0))
        rows, n, wins = [], [], []
        for trial in trials:
            noise = base_noise if trial is first else max(LEAST_NOISE, trial.counts.own_noise)
            known = trial.counts.n > 0
            rows.append(layout.rows(trial.steps, trial.dice, trial.quick)[np.flatnonzero(known)])
            n.append(trial.counts.n[known] / noise)
            wins.append(trial.counts.wins[known] / noise)
        rate = (first.counts.wins + 1) / (first.counts.n + 2)
        shift = (1 - base_noise + LEAST_NOISE) / ((first.counts.n + 2) * rate * (1 - rate))
        return cls(layout, scipy.sparse.csr_array(scipy.sparse.vstack(rows)), np.concatenate(n), np.concatenate(wins), shift)

    def solved(self, prior: Shrinkage, start: Floats | None = None) -> Surrogate:
        """Mode and precision of the posterior."""
        precision = self.layout.precision(prior, self.shift)
        theta = self._start() if start is None else start
        value = self._value(theta, precision)
        for _ in range(NEWTON_STEPS):
            rate = expit(self.design @ theta)
            slope = self.design.T @ (self.wins - self.n * rate) - precision * theta
            root = self._root(rate, precision)
            jump = _factorised(root.T @ root).solve(slope)
            size, after = 1.0, self._value(theta + jump, precision)
            while after < value and size > SETTLED:
                size /= 2
                after = self._value(theta + size * jump, precision)
            theta, gained, value = theta + size * jump, after - value, after
            if np.abs(size * jump).max() < SETTLED or gained < SETTLED:
                break
        root = self._root(expit(self.design @ theta), precision)
        pivots = np.abs(_factorised(root.T @ root).U.diagonal())
        evidence = value + 0.5 * float(np.log(precision).sum()) - 0.5 * float(np.log(pivots).sum())
        return Surrogate(self.layout, prior, theta, root, evidence)

    def _start(self) -> Floats:
        theta = np.zeros(self.layout.starts[-1])
        size = self.layout.cells.size
        cell = self.design[:, :size]
        n, wins = cell.T @ self.n, cell.T @ self.wins
        theta[:size] = logit((wins + 1) / (n + 2))
        return theta

    def _root(self, rate: Floats, precision: Floats) -> scipy.sparse.csc_array:
        """Square root of the posterior precision: weighted rows, then those of the prior."""
        weight = np.sqrt(self.n * rate * (1 - rate))
        lines = [self.design.multiply(weight[:, None]), scipy.sparse.diags_array(np.sqrt(precision))]
        return scipy.sparse.csc_array(scipy.sparse.vstack(lines))

    def _value(self, theta: Floats, precision: Floats) -> float:
        """Logarithm of the joint density, up to a constant."""
        logits = self.design @ theta
        return float(self.wins @ logits - self.n @ np.logaddexp(0, logits) - 0.5 * precision @ theta**2)


def _factorised(precision: scipy.sparse.csc_array) -> Any:
    """Factorise a symmetric positive definite matrix, which is sparse because separate effects rarely meet; uses one core."""
    how = {"SymmetricMode": True}
    return scipy.sparse.linalg.splu(
        scipy.sparse.csc_array(precision), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=how
    )
