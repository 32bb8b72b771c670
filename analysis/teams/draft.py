"""The draft of two teams as a game of perfect information, solved exactly by backward induction on a matchup table.

A position is the parts that each drafter holds, in any order. The value is the probability that the first drafter's final team
beats the second's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from math import comb

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.document.cells import count
from analysis.stats.intervals import LEVEL, Interval
from sim.engine.teams import Teams

Floats = NDArray[np.float64]

OUTCOMES_MAX = 3_000_000  # pairs of teams at the end: about 0.5 GB
PARTS_MAX = 31  # two masks of parts in one 64-bit number
TIE = 1e-9  # probabilities closer than this are equal
LEAST_DRAWS = 10


@dataclass(frozen=True, eq=False)
class Drafted:
    """A solved draft. Values are probabilities that the first drafter's team wins.

    value: both draft perfectly. interval: the same over resampled models, None without them. best: parts that are best to open
    with. openings: part, name, value (after this first pick), behind (best opening minus this one), best, chance_best (share of
    resampled models in which it is best, ties shared; NaN without models), picked (probability of being drafted under perfect
    play, ties broken evenly), pick (mean pick number, from 1, if drafted; NaN if never), picked_again and pick_again (the same
    over resampled models); best opening first.
    against_random: first drafter perfect, second at random. random_against: the reverse. random: both at random, the mean over
    random teams. outcomes: different pairs of teams; orders: ways to draft, ignoring order within successive picks of one
    drafter.
    """

    value: float
    interval: Interval | None
    best: tuple[int, ...]
    openings: pd.DataFrame
    against_random: float
    random_against: float
    random: float
    outcomes: int
    orders: int


def drafting(teams: Teams, table: Floats, resampled: Iterable[Floats] = (), level: float = LEVEL) -> Drafted:
    """Solve the draft `teams.picks`. table: (entrants, entrants) win probability of the row against the column.

    resampled: about 50 such tables of resampled models (`Contributions.resampled`); the interval is their quantiles at `level`.
    Raises ValueError without a draft, if teams are not all sets of parts of one size, beyond OUTCOMES_MAX, for a table of
    another shape, and for 1 to 9 resampled tables.
    """
    tree = _Tree(teams)
    values = tree.solve(table)
    value, opening = float(values[0][0]), tree.openings(values)
    picked, pick = tree.perfect_play(values)
    solved = [tree.solve(sample) for sample in resampled]
    again = np.array([tree.openings(sample) for sample in solved])
    if 0 < len(again) < LEAST_DRAWS:
        raise ValueError(f"{len(again)} resampled tables: an interval needs at least {LEAST_DRAWS}")
    frame = pd.DataFrame(
        {
            "part": np.arange(teams.parts),
            "name": list(teams.names),
            "value": opening,
            "behind": value - opening,
            "best": opening >= value - TIE,
            "chance_best": _shares(again, again.max(axis=1)).mean(axis=0) if len(again) else np.nan,
            "picked": picked,
            "pick": pick,
            **dict(zip(("picked_again", "pick_again"), tree.play_of_many(solved), strict=True)),
        }
    )
    against_random, random_against, random = (
        float(tree.solve(table, perfect)[0][0]) for perfect in ((True, False), (False, True), (False, False))
    )
    return Drafted(
        value,
        _interval(value, again.max(axis=1), level) if len(again) else None,
        tuple(np.flatnonzero(opening >= value - TIE).tolist()),
        frame.sort_values("value", ascending=False, kind="stable", ignore_index=True),
        against_random,
        random_against,
        random,
        tree.outcomes,
        tree.orders,
    )


class _Tree:
    """Positions of a draft, pick by pick. children: (positions, parts) indices into the next step, -1 for taken parts."""

    def __init__(self, teams: Teams) -> None:
        self.teams = teams
        self._check()
        bits = np.int64(1) << np.arange(teams.parts, dtype=np.int64)
        held, self.children = np.zeros((1, 2), np.int64), []
        for drafter in teams.picks:
            free = (held.sum(axis=1)[:, None] & bits) == 0
            after = np.repeat(held, free.sum(axis=1), axis=0)
            after[:, drafter] |= np.broadcast_to(bits, free.shape)[free]
            known, number = np.unique(after[:, 0] << PARTS_MAX | after[:, 1], return_inverse=True)
            child = np.full(free.shape, -1, np.int32)
            child[free] = number.ravel()
            self.children.append(child)
            held = np.stack([known >> PARTS_MAX, known & (2**PARTS_MAX - 1)], axis=1)
        masks = bits[teams.members.astype(np.int64)].sum(axis=1)
        order = np.argsort(masks)
        self.ends = order[np.searchsorted(masks[order], held)]

    def _check(self) -> None:
        """Raise ValueError unless the draft can be solved."""
        teams, size = self.teams, self.teams.size
        if not teams.picks:
            raise ValueError(f"there is no draft of these {teams.words}: picks is empty")
        if sorted(teams.picks) != [0] * size + [1] * size or teams.picks[0] != 0:
            raise ValueError(f"picks={teams.picks} must begin with 0 and give each drafter {size} {teams.words}")
        if 2 * size > teams.parts or len(teams.members) != comb(teams.parts, size):
            raise ValueError(
                f"{len(teams.members)} teams of {size} of {teams.parts} {teams.words}: a draft needs all sets, and two apart"
            )
        if teams.parts > PARTS_MAX or self.outcomes > OUTCOMES_MAX:
            raise ValueError(
                f"{count(self.outcomes)} outcomes of a draft of {teams.parts} {teams.words}: at most "
                f"{count(OUTCOMES_MAX)} of {PARTS_MAX}"
            )

    @property
    def outcomes(self) -> int:
        """Number of different pairs of teams at the end."""
        size, parts = self.teams.size, self.teams.parts
        return comb(parts, size) * comb(parts - size, size)

    @property
    def orders(self) -> int:
        """Number of ways to draft, ignoring order within successive picks of one drafter."""
        left, ways = self.teams.parts, 1
        for _, run in groupby(self.teams.picks):
            picks = len(tuple(run))
            ways, left = ways * comb(left, picks), left - picks
        return ways

    def solve(self, table: Floats, perfect: tuple[bool, bool] = (True, True)) -> list[Floats]:
        """Values of all positions, step by step and at the end. perfect: by drafter; False picks at random."""
        if table.shape != (len(self.teams.members),) * 2:
            raise ValueError(f"table {table.shape} must be {len(self.teams.members)} teams square")
        values = [np.asarray(table[self.ends[:, 0], self.ends[:, 1]], np.float64)]
        if np.isnan(values[0]).any():
            raise ValueError(
                f"the table lacks {int(np.isnan(values[0]).sum())} of the {self.outcomes} matchups of a draft"
            )
        for step in reversed(range(len(self.children))):
            drafter = self.teams.picks[step]
            choose = (np.nanmax, np.nanmin)[drafter] if perfect[drafter] else np.nanmean
            values.insert(0, choose(self._options(values[0], step), axis=1))
        return values

    def openings(self, values: list[Floats]) -> Floats:
        """Value of each part as the first pick, (parts,), from `solve`."""
        return self._options(values[1], 0).reshape(-1)

    def perfect_play(self, values: list[Floats]) -> tuple[Floats, Floats]:
        """From the values of `solve`: probability that each part is drafted, ties broken evenly, and its mean pick number."""
        picked, numbers = np.zeros(self.teams.parts), np.zeros(self.teams.parts)
        here: Floats = np.ones(1)
        for step, child in enumerate(self.children):
            flow = here[:, None] * _shares(self._options(values[step + 1], step), values[step])
            picked += flow.sum(axis=0)
            numbers += flow.sum(axis=0) * (step + 1)
            open_ = child >= 0
            here = np.asarray(np.bincount(child[open_], flow[open_], len(values[step + 1])), np.float64)
        return picked, np.divide(numbers, picked, out=np.full(len(picked), np.nan), where=picked > 0)

    def play_of_many(self, solved: list[list[Floats]]) -> tuple[Floats, Floats]:
        """`perfect_play` over many tables; NaN without any."""
        if not solved:
            return np.full(self.teams.parts, np.nan), np.full(self.teams.parts, np.nan)
        picked, number = np.array([self.perfect_play(values) for values in solved]).transpose(1, 0, 2)
        total = picked.sum(axis=0)
        mean = np.divide(np.nansum(picked * number, axis=0), total, out=np.full(len(total), np.nan), where=total > 0)
        return np.asarray(total / len(solved), np.float64), np.asarray(mean, np.float64)

    def _options(self, after: Floats, step: int) -> Floats:
        """Value of each pick at each position of a step, (positions, parts); NaN for taken parts."""
        child = self.children[step]
        return np.asarray(np.where(child >= 0, after[child], np.nan), np.float64)


def _shares(options: Floats, value: Floats) -> Floats:
    """Equal weights for the options of each row that attain its value, 0 for the others."""
    best = np.abs(options - value[:, None]) <= TIE
    return np.asarray(best / best.sum(axis=1, keepdims=True), np.float64)


def _interval(value: float, again: Floats, level: float) -> Interval:
    """Quantiles of the value over resampled models. n: number of models."""
    low, high = np.quantile(again, [(1 - level) / 2, (1 + level) / 2])
    return Interval(value, float(low), float(high), len(again), level, "resampled")
