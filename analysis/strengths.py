"""What a fitted model of teams says of any matchup: chances of a win, and how they hang on the model's terms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from analysis.contests import Terms

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Strengths:
    """Terms of the logit of a win. values: (columns of `terms`,); known: (parts,) whether games tell of a part."""

    terms: Terms
    values: Floats
    known: NDArray[np.bool_]

    @cached_property
    def team(self) -> Floats:
        """Logit of each team by itself, parts and pairs, shape (entrants,); NaN with a part that games do not tell of."""
        parts, pairs = self.values[self.terms.part], self.values[self.terms.pair]
        members = self.terms.teams.members
        total = parts[members].sum(axis=1) + pairs[self.terms.inside].sum(axis=1)
        return np.asarray(np.where(self.known[members].all(axis=1), total, np.nan), np.float64)

    @cached_property
    def against(self) -> Floats:
        """Counter of the row's part against the column's, shape (parts, parts), antisymmetric."""
        i, j = self.terms.pairs
        table = np.zeros((self.terms.teams.parts,) * 2)
        table[i, j] = self.values[self.terms.counter]
        return table - table.T

    @cached_property
    def holds(self) -> Floats:
        """Which parts a team has, shape (entrants, parts), 0 or 1."""
        table = np.zeros((len(self.terms.teams.members), self.terms.teams.parts))
        np.put_along_axis(table, self.terms.teams.members.astype(np.int64), 1.0, axis=1)
        return table

    def predict(self, first: ArrayLike, second: ArrayLike, started: ArrayLike = 0) -> Floats:
        """Chance that `first` beats `second` (entrants); started: +1 where it goes first, -1 where the other does, 0 even."""
        one, other = np.asarray(first, np.int64), np.asarray(second, np.int64)
        members = self.terms.teams.members
        counters = self.against[members[one][..., :, None], members[other][..., None, :]].sum(axis=(-2, -1))
        return np.asarray(expit(self._logit(self.team[one] - self.team[other] + counters, started)), np.float64)

    def table(self, entrants: ArrayLike | None = None) -> Floats:
        """Chance of the row against the column, mean of going first and second; NaN where the two cannot meet.

        entrants: which, all by default. P(row, column) + P(column, row) = 1.
        """
        even = self.logits(entrants)
        return np.asarray((expit(self._logit(even, 1)) + expit(self._logit(even, -1))) / 2, np.float64)

    def slopes(self) -> tuple[Floats, Floats]:
        """Of `table` for all entrants, the derivatives by the logit of the matchup and by that of going first."""
        even = self.logits()
        chances = [expit(self._logit(even, started)) for started in (1, -1)]
        ahead, behind = (chance * (1 - chance) / 2 for chance in chances)
        return np.asarray(ahead + behind, np.float64), np.asarray(ahead - behind, np.float64)

    def logits(self, entrants: ArrayLike | None = None) -> Floats:
        """Logit of the row against the column where neither goes first; NaN where the two cannot meet."""
        which = np.arange(len(self.team)) if entrants is None else np.asarray(entrants, np.int64)
        holds, team = self.holds[which], self.team[which]
        even = team[:, None] - team + holds @ self.against @ holds.T
        meet = holds @ holds.T == 0 if self.terms.teams.disjoint else np.ones_like(even, np.bool_)
        return np.asarray(np.where(meet, even, np.nan), np.float64)

    def _logit(self, even: Any, started: ArrayLike) -> Any:
        return even + self.values[0] * np.asarray(started, np.float64)
