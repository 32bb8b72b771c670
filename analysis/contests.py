"""Games of team against team as a regression sees them: who met whom, who won, and the terms that a strength is made of.

Games are gathered into lines, one for each matchup and seat that went first, so that the work grows with the number of
matchups rather than of games.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.linalg import block_diag, null_space

from analysis.compare import Play
from analysis.rows import Rows, check_rows
from sim.engine.table import Status
from sim.engine.teams import Teams
from sim.experiment import Experiment
from sim.run import blocks

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SEATS = 2
TERMS_MAX = 2500  # parts, pairs and counters together: some fifty parts; the work grows with the cube
STARTS = 3  # unknown, seat 0, seat 1


@dataclass(frozen=True, eq=False)
class Contests:
    """Games of two teams, one entry each, won by one side or shared.

    first, second: entrant on seat 0 and seat 1. share: part of the win that seat 0 had, 0..1. started: +1 where seat 0 went
    first, -1 where seat 1 did, 0 where nobody knows. cluster: which games hang together (round of the design, or the games that
    share dice); any whole numbers.
    """

    first: Ints
    second: Ints
    share: Floats
    started: Ints
    cluster: Ints

    def __post_init__(self) -> None:
        """Check lengths and ranges. Raises ValueError."""
        columns = {name: np.shape(value) for name, value in vars(self).items()}
        if len(set(columns.values())) != 1 or len(columns["first"]) != 1:
            raise ValueError(f"{columns} must be rows of one length")
        if not np.all((self.share >= 0) & (self.share <= 1)):
            raise ValueError(f"share must lie in 0..1, found {self.share.min()}..{self.share.max()}")
        if not np.isin(self.started, (-1, 0, 1)).all():
            raise ValueError(f"started must be -1, 0 or 1, found {self.started.min()}..{self.started.max()}")

    @classmethod
    def of(cls, rows: Rows, cluster: NDArray[Any]) -> Contests:
        """Take the finished games of two seats that somebody won. cluster: one entry per row.

        Raises ValueError for rows of another number of seats, and where cluster does not fit them.
        """
        check_rows(rows)
        if np.any(rows["seats"] != SEATS):
            raise ValueError(f"games of {int(rows['seats'].max())} seats: teams are compared at {SEATS}")
        if np.shape(cluster) != rows.shape:
            raise ValueError(f"cluster {np.shape(cluster)} must have one entry for each of {len(rows)} rows")
        shares = rows["share"][:, :SEATS].astype(np.float64)
        won = shares.sum(axis=1)
        kept = (rows["status"] == Status.FINISHED) & (won > 0)
        entrant, start = rows["entrant"][kept].astype(np.int64), rows["first"][kept].astype(np.int64)
        started = np.where(start < 0, 0, 1 - 2 * start)
        return cls(
            entrant[:, 0],
            entrant[:, 1],
            shares[kept, 0] / won[kept],
            started,
            np.asarray(cluster)[kept].astype(np.int64),
        )

    @classmethod
    def from_experiment(cls, experiment: Experiment, play: Play | None = None) -> Contests:
        """Play an experiment of two seats; the games of a round of its design hang together. play: as in `Shares.of`."""
        rows = np.concatenate([block.rows for block in (play or blocks)(experiment)])
        return cls.of(rows, experiment.round_of(rows["game"].astype(np.int64)))

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def rounds(self) -> tuple[int, Ints]:
        """Number of clusters, and the cluster of each game numbered from 0."""
        known, number = np.unique(self.cluster, return_inverse=True)
        return len(known), number.ravel()


@dataclass(frozen=True, eq=False)
class Lines:
    """Games gathered by matchup and seat that went first, the lower entrant in front.

    first, second, started: (lines,), as in `Contests`. n, wins: games, and the sum of the shares of `first`. line: (games,)
    line of each game; turned: (games,) whether its seats changed places; share: (games,) share of the line's first.
    """

    first: Ints
    second: Ints
    started: Ints
    n: Floats
    wins: Floats
    line: Ints
    turned: NDArray[np.bool_]
    share: Floats

    @classmethod
    def of(cls, games: Contests, entrants: int) -> Lines:
        """Gather the games. Raises ValueError for entrants outside 0..entrants-1."""
        both = np.stack([games.first, games.second])
        if both.size and not 0 <= both.min() <= both.max() < entrants:
            raise ValueError(f"entrants {both.min()}..{both.max()} of the games must be in 0..{entrants - 1}")
        turned = games.first > games.second
        low, high = np.minimum(*both), np.maximum(*both)
        started = np.where(turned, -games.started, games.started)
        key, line = np.unique((low * entrants + high) * STARTS + started + 1, return_inverse=True)
        matchup, start = np.divmod(key, STARTS)
        share = np.where(turned, 1 - games.share, games.share)
        n, wins = (np.asarray(np.bincount(line, weights=of), np.float64) for of in (None, share))
        return cls(matchup // entrants, matchup % entrants, start - 1, n, wins, line.ravel(), turned, share)


@dataclass(frozen=True, eq=False)
class Terms:
    """What the logit of a win is the sum of: going first, parts, pairs inside a team, counters between teams.

    Columns in this order: 1, parts, pairs i < j, counters i < j (read as i against j). Raises ValueError beyond TERMS_MAX.
    """

    teams: Teams

    def __post_init__(self) -> None:
        """Check the size."""
        if self.columns > TERMS_MAX:
            raise ValueError(
                f"{self.teams.parts} parts make {self.columns} terms, more than the {TERMS_MAX} of the model"
            )

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """Numbers i < j of the parts of each pair, in order."""
        i, j = np.triu_indices(self.teams.parts, 1)
        return i.astype(np.int64), j.astype(np.int64)

    @property
    def columns(self) -> int:
        """Columns in all."""
        return self.teams.parts**2 + 1  # n + 2 n (n - 1) / 2, and going first

    @property
    def part(self) -> slice:
        """Columns of the parts."""
        return slice(1, 1 + self.teams.parts)

    @property
    def pair(self) -> slice:
        """Columns of the pairs."""
        return slice(self.part.stop, self.part.stop + len(self.pairs[0]))

    @property
    def counter(self) -> slice:
        """Columns of the counters."""
        return slice(self.pair.stop, self.columns)

    def number(self, i: NDArray[Any], j: NDArray[Any]) -> Ints:
        """Number of the pair of different parts i and j, in any order."""
        low, high = np.minimum(i, j), np.maximum(i, j)
        return np.asarray(low * (2 * self.teams.parts - low - 1) // 2 + high - low - 1, np.int64)

    @cached_property
    def inside(self) -> Ints:
        """Numbers of the pairs inside each team, shape (entrants, pairs of a team)."""
        members = self.teams.members.astype(np.int64)
        a, b = np.triu_indices(self.teams.size, 1)
        return self.number(members[:, a], members[:, b])

    def design(self, first: Ints, second: Ints, started: Ints) -> sparse.csr_array:
        """The sparse design matrix of matchups, shape (n, columns)."""
        n, members = len(first), self.teams.members.astype(np.int64)
        own, other = members[first], members[second]
        a, b = (side.ravel() for side in np.indices((self.teams.size, self.teams.size)))
        i, j = own[:, a], other[:, b]
        against = np.where(i == j, 0, self.number(i, j))  # the value of a part against itself is 0 below
        at = [np.zeros((n, 1), np.int64), own + 1, other + 1]
        at += [
            self.inside[first] + self.pair.start,
            self.inside[second] + self.pair.start,
            against + self.counter.start,
        ]
        signs = [1, -1, 1, -1]
        values = [started[:, None]] + [np.full(part.shape, sign) for part, sign in zip(at[1:5], signs, strict=True)]
        values.append(np.sign(j - i))
        columns, cells = np.concatenate(at, axis=1), np.concatenate(values, axis=1, dtype=np.float64)
        ends = np.arange(n + 1) * columns.shape[1]
        matrix = sparse.csr_array((cells.ravel(), columns.ravel(), ends), shape=(n, self.columns))
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        return matrix

    def basis(self, seen: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.int8]]:
        """Directions in which the terms that games tell of can move, and the kind of each.

        seen: (columns,). Returns orthonormal columns, shape (columns, r), and kinds 0 (free), 1 (pairs), 2 (counters). The
        effects of parts sum to 0. A pair term is what two parts do beyond what each does with all its mates, so that those of a
        part sum to 0; likewise counters. Otherwise both could take the place of the parts: in teams of k, a term u_i + u_j on
        every pair is the same as (k - 1) u_i on every part.
        """
        i, j = self.pairs
        part, pair, counter = (np.flatnonzero(seen[kind]) for kind in (self.part, self.pair, self.counter))
        blocks = [np.eye(1)[:, : int(seen[0])], _spread_out(part, self.teams.parts, np.ones((1, len(part))))]
        for found, sign in ((pair, 1.0), (counter, -1.0)):
            touches = np.zeros((self.teams.parts, len(found)))
            touches[i[found], np.arange(len(found))] = 1
            touches[j[found], np.arange(len(found))] = sign
            blocks.append(_spread_out(found, len(i), touches))
        kinds = np.repeat(np.array([0, 0, 1, 2], np.int8), [block.shape[1] for block in blocks])
        return np.asarray(block_diag(*blocks), np.float64), kinds


def _spread_out(seen: Ints, size: int, sums: Floats) -> Floats:
    """Orthonormal directions in which the terms seen keep their sums at 0, shape (size, directions); sums: (sums, seen)."""
    free = null_space(sums) if len(seen) else np.zeros((0, 0))
    block = np.zeros((size, free.shape[1]))
    block[seen] = free
    return block
