"""Games with changed cards: the same games for the first look at every number, separate games for every proposal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from analysis.data.shares import Play, Shares
from analysis.tuning.goal import Cells, Counts, Knobs, Steps
from analysis.variants.variant import Chosen
from sim.engine.cards import CardSet
from sim.experiment import Experiment
from sim.seeds import SEED_MAX

BASE_DICE = 0  # the dice of the first look at every number
LEAST_PAIRS = 2
STALL_Z = 1.645  # standard errors: 95 % one-sided
UNWON_MORE = 0.01  # tolerated increase of the share of games without a winner


@dataclass(frozen=True, eq=False)
class Trial:
    """Games with some steps.

    dice: number of the seed; trials with the same dice have the same games. stalls: whether significantly more games end
    without a winner than with the current cards, see `more_unwon`.
    """

    steps: Steps
    dice: int
    counts: Counts
    stalls: bool = False


class Trials(Protocol):
    """Protocol for playing card sets; `spent` counts the games, `sets` the card sets."""

    cells: Cells
    spent: int
    sets: int

    def first(self, games: int) -> Trial:
        """Play the current cards, on the dice of the first look."""

    def step(self, number: int, by: int) -> Trial | None:
        """Play one changed number, in the games of the first look that it can affect; None if nothing comes of it."""

    def fresh(self, steps: Steps, dice: int, games: int) -> Trial | None:
        """Play some changed numbers in separate games; None if the card rules refuse the combination."""


@dataclass
class Games:
    """Trials by playing. base: the experiment with the current cards; its seed is that of the first look."""

    base: Experiment
    knobs: Knobs
    play: Play
    cells: Cells
    spent: int = 0
    sets: int = 0
    _shares: Shares | None = field(default=None, repr=False)
    _whole: Experiment | None = field(default=None, repr=False)

    def first(self, games: int) -> Trial:
        """See `Trials`."""
        self._whole = replace(self.base, games_wanted=games)
        self._shares = self._played(self._whole)
        return Trial((), BASE_DICE, self.cells.count(self._shares))

    def step(self, number: int, by: int) -> Trial | None:
        """See `Trials`."""
        cards = self.knobs.compiled(((number, by),))
        whole, before = self._whole, self._shares
        assert whole is not None
        assert before is not None
        unit = self.knobs.knobs[number].unit
        index = self._index(before, unit)
        if cards is None or len(index) < LEAST_PAIRS:
            return None
        kept = {field_.name: getattr(whole, field_.name) for field_ in fields(Experiment)}
        after = self._played(Chosen(**(kept | {"cards": cards}), index=index))
        if not np.array_equal(after.entrant, before.entrant[index]):
            return None  # seats choose whom they play, and chose differently
        counts = self.cells.count(after)
        used = self.cells.touched(unit)
        noise = own_noise(before.share[index], after.share, within(counts))
        stalls = more_unwon(_unwon(before)[index], _unwon(after), paired=True)
        counted = Counts(counts.n * used, counts.wins * used, noise)
        return Trial(((number, by),), BASE_DICE, counted, stalls) if noise else None

    def fresh(self, steps: Steps, dice: int, games: int) -> Trial | None:
        """See `Trials`."""
        cards = self.knobs.compiled(steps)
        if cards is None:
            return None
        after, before = self.shares(cards, seed_of(self.base.seed, dice), games), self._shares
        stalls = more_unwon(np.zeros(0, bool) if before is None else _unwon(before), _unwon(after), paired=False)
        return Trial(steps, dice, self.cells.count(after), stalls)

    def shares(self, cards: CardSet, seed: int, games: int) -> Shares:
        """Play a card set with the given seed."""
        return self._played(replace(self.base, cards=cards, seed=seed, games_wanted=games))

    def _played(self, experiment: Experiment) -> Shares:
        self.sets += 1
        self.spent += experiment.games
        return Shares.of(experiment, self.play)

    def _index(self, before: Shares, unit: int | None) -> NDArray[np.int64]:
        """Games in which a unit plays; all for a number without an owner, and if seats choose whom they play."""
        teams = self.base.teams
        if unit is None or (teams is not None and not teams.planned):
            return np.arange(len(before.entrant))
        return np.flatnonzero((self.cells.units_of(before).entrant == unit).any(axis=1))


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


def taken(trials: Sequence[Trial]) -> Iterator[Steps]:
    """The steps of the trials, each once, in the order in which they were first played."""
    yield from dict.fromkeys(trial.steps for trial in trials)
