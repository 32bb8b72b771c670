"""What is counted of a run of games: wins by matchup where that is feasible, else by entrant, and those of whoever goes first.

A cell is one of these counts. Win rates of the entrants (of the parts, where entrants are teams) are linear in the cells.
Only games that somebody won count, and a shared win counts by its share: all shares of a game sum to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from analysis.compare import Shares, by_entrant
from analysis.frames import distinct
from sim.experiment import Experiment

Floats = NDArray[np.float64]

PAIRED_UNITS_MAX = 24  # entrants up to which matchups are told apart
OF_PAIRS = 2  # seats at which there are matchups


@dataclass(frozen=True, eq=False)
class Counts:
    """Games and wins by cell, (cells,) both.

    own_noise: share of the variance that the base set's games do not have in common. unwon: share of games that nobody won.
    """

    n: Floats
    wins: Floats
    own_noise: float = 1.0
    unwon: float = 0.0

    @property
    def rate(self) -> Floats:
        """Win rate by cell; nan without games."""
        rate: Floats = np.divide(self.wins, self.n, out=np.full(self.n.size, np.nan), where=self.n > 0)
        return rate


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a game: matchups (i < j, win rate of i) or units, then the share of whoever goes first.

    ids, names: of the units, which are entrants or, of teams, parts. members: (entrants, size) parts of teams.
    """

    ids: tuple[str, ...]
    names: tuple[str, ...]
    seats: int
    members: NDArray[np.int64] | None = None
    words: str = "entrants"

    @classmethod
    def of(cls, experiment: Experiment) -> Cells:
        """Choose the cells of an experiment."""
        teams, cards = experiment.teams, experiment.cards
        if teams is not None:
            members = np.asarray(teams.members, np.int64)
            return cls(teams.ids, tuple(distinct(teams.names)), experiment.seats, members, teams.words)
        return cls(cards.ids, tuple(distinct(cards.names)), experiment.seats, None, experiment.game.entrants_word)

    @property
    def units(self) -> int:
        """How many win rates there are."""
        return len(self.ids)

    @property
    def fair(self) -> float:
        """Win rate of a unit as strong as the others."""
        return 1.0 / self.seats

    @property
    def by_pair(self) -> bool:
        """Whether cells are matchups."""
        return self.members is None and self.seats == OF_PAIRS and self.units <= PAIRED_UNITS_MAX

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """Row and column of each matchup, (matchups, 2)."""
        return np.stack(np.triu_indices(self.units, 1), axis=1) if self.by_pair else np.zeros((0, 2), np.int64)

    @property
    def size(self) -> int:
        """How many cells there are, the last being the share of whoever goes first."""
        return (len(self.pairs) if self.by_pair else self.units) + 1

    @property
    def first(self) -> int:
        """Number of the cell of whoever goes first."""
        return self.size - 1

    @cached_property
    def mixing(self) -> tuple[Floats, Floats]:
        """Matrix (units, cells) and vector (units,): win rates of the units from those of the cells."""
        turn, start = np.zeros((self.units, self.size)), np.zeros(self.units)
        if not self.by_pair:
            turn[:, : self.units] = np.eye(self.units)
            return turn, start
        each = 1.0 / (self.units - 1)
        for cell, (row, column) in enumerate(self.pairs.tolist()):
            turn[row, cell], turn[column, cell] = each, -each
            start[column] += each
        return turn, start

    def rates(self, by_cell: Floats) -> Floats:
        """Win rates of the units, (..., units). by_cell: (..., cells)."""
        turn, start = self.mixing
        return by_cell @ turn.T + start

    def matrix(self, by_cell: Floats) -> Floats:
        """Win rate of the row against the column, (units, units), nan on the diagonal. Raises ValueError without matchups."""
        if not self.by_pair:
            raise ValueError(
                f"seats={self.seats}: matchups are told apart at two seats, of up to {PAIRED_UNITS_MAX} entrants"
            )
        found = np.full((self.units, self.units), np.nan)
        rows, columns = self.pairs.T
        found[rows, columns], found[columns, rows] = by_cell[:-1], 1 - by_cell[:-1]
        return found

    def cell(self, row: int, column: int) -> tuple[int, bool]:
        """Number of the cell of a matchup, and whether it tells of the column instead of the row."""
        low, high = min(row, column), max(row, column)
        at = int(np.flatnonzero((self.pairs == (low, high)).all(axis=1))[0])
        return at, row > column

    def pull(self, unit: int | None) -> Floats:
        """How a unit's strength bears on each cell, (cells,): 1 for, -1 against; 0 of a number that belongs to no unit."""
        found = np.zeros(self.size)
        if unit is None:
            return found
        if self.by_pair:
            found[:-1] = (self.pairs[:, 0] == unit).astype(float) - (self.pairs[:, 1] == unit)
        else:
            found[:-1] = -1.0 / max(1, self.units - 1)
            found[unit] = 1.0
        return found

    def touched(self, unit: int | None) -> NDArray[np.bool_]:
        """Cells in which a number of a unit, or of none, may matter, (cells,)."""
        if unit is None or not self.by_pair:
            return np.ones(self.size, bool)
        found = (self.pairs == unit).any(axis=1)
        return np.append(found, True)

    def units_of(self, shares: Shares) -> Shares:
        """The games with the parts of teams in the places of these."""
        return shares.of_parts(self.members) if self.members is not None else shares

    def count(self, shares: Shares) -> Counts:
        """Count games and wins by cell."""
        total = shares.share.sum(axis=1, dtype=np.float64)
        won = total > 0
        share = np.divide(shares.share, total[:, None], out=np.zeros(shares.share.shape), where=won[:, None])
        n, wins = np.zeros((2, self.size))
        if self.by_pair:
            n[:-1], wins[:-1] = self._pair_counts(shares.entrant[won], share[won, 0])
        else:
            units = self.units_of(Shares(shares.entrant, share.astype(np.float32), shares.capped, shares.turns))
            sits, mean = by_entrant(units.entrant[won], units.share[won], self.units)
            n[:-1], wins[:-1] = sits.sum(axis=0), mean.sum(axis=0)
        first = shares.first if shares.first.size == len(share) else np.full(len(share), -1)
        known = won & (first >= 0)
        n[-1] = known.sum()
        wins[-1] = share[known, first[known]].sum()
        return Counts(n, wins.clip(max=n), unwon=1.0 - float(won.mean()))

    def _pair_counts(self, entrant: NDArray[np.int16], share: Floats) -> tuple[Floats, Floats]:
        """Games and wins of the first of each matchup; games of an entrant with itself are left out."""
        row, column = entrant[:, 0].astype(np.int64), entrant[:, 1].astype(np.int64)
        own = np.where(row < column, share, 1 - share)
        low, high = np.minimum(row, column), np.maximum(row, column)
        size = self.units
        n = np.bincount(low * size + high, minlength=size * size)
        wins = np.bincount(low * size + high, own, size * size)
        at = self.pairs[:, 0] * size + self.pairs[:, 1]
        return n[at].astype(np.float64), wins[at]
