"""Head-to-head results of all pairs of entrants at two seats: the counts behind matchups, ratings and equilibria.

In a paired design, both games of a pair (same dice, seats swapped) are one observation: the row won both (up), lost both (down)
or each entrant won one (even). Games with separate dice are won (up) or lost (down). Games without a winner and truncated games
are left out; a pair with one game left counts as half a pair. A shared win counts as half a win and half a loss, so that
variances are exact for whole wins and conservative for shared ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analysis.data.rows import Rows, check_entrants, check_rows, distinct
from sim.engine.table import Status

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PRIOR = 0.5  # of each outcome of an observation: Jeffreys (1946, Proceedings of the Royal Society A 186:453-461)
PAIR = 2  # games
DUEL = 2  # seats


@dataclass(frozen=True, eq=False)
class Encounters:
    """Results of all pairs of entrants, E x E, row against column; zero on the diagonal.

    up, down: observations that the row won and lost; weight: observations, at least up + down. games: games that one of the two
    won. paired: observations are pairs. gain: factor by which more games would be needed without pairs, with equally balanced
    seats; inf if all pairs agree, nan without pairs. played: all games; truncated: games stopped at a limit.
    """

    names: tuple[str, ...]
    up: Floats
    down: Floats
    weight: Floats
    games: Ints
    paired: bool
    gain: float = float("nan")
    played: int = 0
    truncated: int = 0

    def __post_init__(self) -> None:
        size = len(self.names)
        tables = (self.up, self.down, self.weight, self.games)
        if any(table.shape != (size, size) for table in tables):
            raise ValueError(f"{size} names for tables of {[table.shape for table in tables]}")
        if not np.array_equal(self.up, self.down.T) or (self.up + self.down > self.weight * (1 + 1e-12)).any():
            raise ValueError("up must be the mirror of down, and both together at most weight")

    @property
    def cells(self) -> tuple[Ints, Ints]:
        """Row and column of each pair of entrants that met, once each with row < column."""
        row, column = np.nonzero(np.triu(self.weight > 0, 1))
        return row, column

    @property
    def complete(self) -> bool:
        """Whether all pairs of entrants met."""
        return len(self.cells[0]) == len(self.names) * (len(self.names) - 1) // 2

    def require_complete(self) -> None:
        """Raise ValueError if two entrants never met in a game that one of them won."""
        row, column = np.nonzero(np.triu(self.weight <= 0, 1))
        if len(row):
            two = f"{self.names[row[0]]} and {self.names[column[0]]}"
            raise ValueError(f"{two} never met in a game that one of them won: play more games")

    @property
    def rate(self) -> Floats:
        """Win rates E x E, nan for entrants that never met."""
        gap = np.full(self.weight.shape, np.nan)
        np.divide(self.up - self.down, 2 * self.weight, out=gap, where=self.weight > 0)
        return 0.5 + gap

    @property
    def variance(self) -> Floats:
        """Unbiased variances of the win rates E x E, but at least those of their posterior (see `draws`), so never zero."""
        outcomes, weight = self._posterior, self.weight
        total = outcomes.sum(axis=0)
        up, _, down = outcomes / total
        least = (up + down - (up - down) ** 2) / (4 * (total + 1))
        known = weight > 1
        squares = self.up + self.down - (self.up - self.down) ** 2 / np.where(known, weight, 1)
        return np.asarray(
            np.maximum(least, np.where(known, squares / np.where(known, 4 * weight * (weight - 1), 1), 0))
        )

    @property
    def decided(self) -> Floats:
        """Share of the observations that are not even, E x E, with a prior so that it is above zero; 1 for single games."""
        if not self.paired:
            return np.ones(self.weight.shape)
        return np.asarray((self.up + self.down + PRIOR) / (self.weight + 2 * PRIOR))

    def draws(self, number: int, chance: np.random.Generator) -> Floats:
        """Draw matrices of win rates from the posterior under Jeffreys' prior, (number, E, E); 0.5 on the diagonal."""
        row, column = np.nonzero(np.triu(np.ones(self.weight.shape), 1))
        outcomes = self._posterior[:, row, column]
        parts = chance.standard_gamma(outcomes[None], (number, *outcomes.shape))
        gap = (parts[:, 0] - parts[:, 2]) / (2 * parts.sum(axis=1))
        rates = np.full((number, *self.weight.shape), 0.5)
        rates[:, row, column] += gap
        rates[:, column, row] -= gap
        return rates

    @property
    def _posterior(self) -> Floats:
        """Up, even and down with the prior, (3, E, E)."""
        even = np.clip(self.weight - self.up - self.down, 0, None) + (PRIOR if self.paired else 0)
        return np.stack([self.up + PRIOR, even, self.down + PRIOR])


class EncounterTally:
    """Counts encounters block by block, in the order of the game index; memory depends only on the number of entrants.

    pair_games: 2 if games 2k and 2k + 1 are a pair (see `Experiment.pair_games`), else 1.
    """

    def __init__(self, names: Sequence[str], pair_games: int) -> None:
        if pair_games not in (1, PAIR):
            raise ValueError(f"pair_games={pair_games} must be 1 or {PAIR}, as at two seats")
        self._names, self._pair_games = tuple(distinct(names)), pair_games
        self._sums = np.zeros((4, len(names) ** 2))  # up, down, weight, games
        self._seats = np.zeros((6, len(names) ** 2))  # of complete pairs: n, y0, y1, y0 y0, y1 y1, y0 y1
        self._rest: Rows | None = None
        self._played = self._truncated = 0

    def add(self, rows: Rows) -> EncounterTally:
        """Add a block; returns itself. Raises ValueError unless all games have two seats."""
        check_rows(rows)
        if (rows["seats"] != DUEL).any():
            raise ValueError(f"seats={rows['seats'].max()} in the rows: encounters are games at two seats")
        check_entrants(rows["entrant"][:, :DUEL], len(self._names))
        self._played += len(rows)
        self._truncated += int((rows["status"] != Status.FINISHED).sum())
        whole = rows if self._rest is None else np.concatenate([self._rest, rows])
        end = len(whole) - len(whole) % self._pair_games
        self._rest = whole[end:].copy() if end < len(whole) else None
        self._add(whole[:end])
        return self

    def encounters(self) -> Encounters:
        """Counts so far."""
        size = len(self._names)
        up, down, weight, games = self._sums.reshape(4, size, size)
        total = (weight + weight.T, np.rint(games + games.T).astype(np.int64))
        counted = Encounters(self._names, up + down.T, down + up.T, *total, self._pair_games == PAIR, self._gain())
        return replace(counted, played=self._played, truncated=self._truncated)

    def _add(self, rows: Rows) -> None:
        entrant = rows["entrant"][:, :DUEL].astype(np.int64)
        share = rows["share"][:, :DUEL].astype(np.float64)
        met = (rows["status"] == Status.FINISHED) & (share.sum(axis=1) > 0.5) & (entrant[:, 0] != entrant[:, 1])
        seat = np.argmin(entrant, axis=1)  # seat of the entrant with the lower index
        won = np.where(met, share[np.arange(len(rows)), seat], 0.0)
        cell = entrant.min(axis=1) * len(self._names) + entrant.max(axis=1)
        if self._pair_games == 1:
            self._count(cell, won, met - won, met.astype(np.float64), met)
            return
        pairs = cell.reshape(-1, PAIR)
        if (pairs[:, 0] != pairs[:, 1]).any():
            raise ValueError("the two games of a pair must be between the same two entrants")
        left = met.reshape(-1, PAIR).sum(axis=1)
        gap = won.reshape(-1, PAIR).sum(axis=1) - left / 2
        self._count(pairs[:, 0], gap.clip(min=0), (-gap).clip(min=0), left / 2, left)
        self._add_seats(pairs[:, 0], won.reshape(-1, PAIR), seat.reshape(-1, PAIR), left == PAIR)

    def _count(self, cell: Ints, *values: Floats) -> None:
        self._sums += [np.bincount(cell, value, self._sums.shape[1]) for value in values]

    def _add_seats(self, cell: Ints, won: Floats, seat: Ints, whole: NDArray[np.bool_]) -> None:
        """Add sums and products of the shares on either seat of the entrant with the lower index, from complete pairs."""
        cell, won, seat = cell[whole], won[whole], seat[whole]
        on = np.take_along_axis(won, np.argsort(seat, axis=1, kind="stable"), axis=1)
        first, second = on.T
        products = (np.ones(len(cell)), first, second, first**2, second**2, first * second)
        self._seats += [np.bincount(cell, value, self._seats.shape[1]) for value in products]

    def _gain(self) -> float:
        """Variance of two games with separate dice over that of a pair, pooled over all that met."""
        n, *sums = self._seats[:, self._seats[0] > 1]
        if not n.size:
            return float("nan")
        first, second, both_first, both_second, across = (total / n for total in sums)
        apart = float((n * (both_first - first**2 + both_second - second**2)).sum())
        paired = apart + 2 * float((n * (across - first * second)).sum())
        if paired > 1e-9 * max(apart, 1):
            return apart / paired
        return float("inf") if apart > 0 else float("nan")
