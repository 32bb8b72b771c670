"""A design for teams that share no part: all parts are repeatedly split into teams, which play each other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from math import comb, gcd, perm

import numpy as np

from sim.engine.teams import Teams
from sim.experiments.designs import Design, offsets

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the increment ...
_MULTIPLIERS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))  # ... and the mixer
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))


@dataclass(frozen=True, eq=False)
class Partitions(Design):
    """Rounds in which all parts are split at random into teams that share no part, and every line-up of these teams plays.

    If parts are left over, the round rotates its random order until each part has been left out equally often, so in a round
    every part sits equally often on every seat. The order depends only on the seed and the number of the round. Games of the
    same teams, one for each shift of the seats, are consecutive and use the same dice. guest: a team that sits in every game;
    the round splits the other parts.
    """

    teams: Teams
    word: str  # name of teams, plural
    seed: int
    guest: int | None = None

    @property
    def pair_games(self) -> int:
        """See `Design`."""
        return self.seats

    @property
    def pass_games(self) -> int | None:
        """None, because partitions are random."""
        return None

    @cached_property
    def pool(self) -> np.ndarray:
        """Indices of the parts that are split into teams."""
        kept = self.teams.members[self.guest] if self.guest is not None else ()
        return np.setdiff1d(np.arange(self.teams.parts), kept)

    @property
    def drawn(self) -> int:
        """Number of teams in a partition."""
        return len(self.pool) // self.teams.size

    @property
    def turns(self) -> int:
        """Partitions in a round: one, or the number of rotations that leave every part out equally often."""
        left_out = len(self.pool) % self.teams.size
        return len(self.pool) // gcd(len(self.pool), left_out)

    @property
    def lineups(self) -> int:
        """See `Design`."""
        guests = 0 if self.guest is None else 1
        parts, size = len(self.pool), self.teams.size
        count = self.seats if guests else 1
        for seated in range(self.seats - guests):
            count *= comb(parts - seated * size, size)
        return count

    @property
    def round_games(self) -> int:
        """See `Design`."""
        return self.turns * self._meetings * self.seats

    @property
    def _meetings(self) -> int:
        """Number of line-ups of a partition, not counting shifts of the seats."""
        if self.guest is not None:
            return perm(self.drawn, self.seats - 1)
        return perm(self.drawn, self.seats) // self.seats

    def entrants_of(self, index: np.ndarray) -> np.ndarray:
        """See `Design`."""
        meeting, shift = np.divmod(index, self.seats)
        partition, meeting = np.divmod(meeting, self._meetings)
        needed, line = np.unique(partition, return_inverse=True)
        teams = self._partitions(*np.divmod(needed, self.turns))
        seat = (np.arange(self.seats) + shift[:, None]) % self.seats
        return np.asarray(teams[line[:, None], np.take_along_axis(self._slots(meeting), seat, axis=1)])

    def _slots(self, meeting: np.ndarray) -> np.ndarray:
        """Return the teams of a partition that meet, (n, seats), as columns of `_partitions`."""
        if self.guest is not None:
            return offsets(meeting, self.drawn + 1, self.seats, mirror=False)
        return np.asarray(self._encounters[meeting])

    @cached_property
    def _encounters(self) -> np.ndarray:
        """All ordered selections of one team per seat that start with the lowest number, (meetings, seats)."""
        sets = combinations(range(self.drawn), self.seats)
        return np.array([(first, *rest) for first, *others in sets for rest in permutations(others)])

    def _partitions(self, number: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Return the teams of partition `turn` of round `number`, after the guest if there is one, shape (n, teams)."""
        rounds, line = np.unique(number, return_inverse=True)
        order = np.argsort(_split_mix(_nth_of(self.seed, rounds), len(self.pool)), axis=1, kind="stable")
        seated, size = self.drawn * self.teams.size, self.teams.size
        place = (turn[:, None] * (len(self.pool) - seated) + np.arange(seated)) % len(self.pool)
        parts = self.pool[np.take_along_axis(order[line], place, axis=1)]
        teams = self._numbered(np.sort(parts.reshape(-1, self.drawn, size), axis=2))
        return teams if self.guest is None else np.insert(teams, 0, self.guest, axis=1)

    def _numbered(self, members: np.ndarray) -> np.ndarray:
        """Return the number of the team with these members, which ascend along the last axis."""
        return np.asarray(self._team_of_rank[self._rank(members)])

    def _rank(self, members: np.ndarray) -> np.ndarray:
        """Return the rank of a set among all sets of its size in lexicographic order."""
        parts, size = self.teams.parts, self.teams.size
        after = np.array([[comb(parts - 1 - part, size - place) for part in range(parts)] for place in range(size)])
        return np.asarray(comb(parts, size) - 1 - after[np.arange(size), members].sum(axis=-1))

    @cached_property
    def _team_of_rank(self) -> np.ndarray:
        """Teams in lexicographic order of their members. Raises ValueError unless each set of parts is exactly one team."""
        rank = self._rank(self.teams.members)
        if not np.array_equal(np.sort(rank), np.arange(comb(self.teams.parts, self.teams.size))):
            raise ValueError(f"teams: every set of {self.teams.size} of {self.teams.parts} parts must be exactly one team")
        return np.argsort(rank)

    def words(self, games: int) -> str:
        """See `Design`."""
        rounds, pool, alone = games // self.round_games, len(self.pool), self.guest is None
        times = "once" if rounds == 1 else f"{rounds:,} times"
        others = f"{pool} {'' if alone else 'other '}{self.teams.words}"
        evenly = "from every seat with the same dice"
        if self.teams.size == 1:
            return f"every line-up with the {others} {times}, {evenly}"
        turned = f" in {self.turns} turns that leave each out equally often" if self.turns > 1 else ""
        met = "all against all" if alone else "each met"
        return (
            f"the {others} split at random into {self.drawn} {self.word} {times}{turned}, {met} {evenly}; "
            f"{self.lineups:,} line-ups are possible"
        )


def _nth_of(seed: int, number: np.ndarray) -> np.ndarray:
    """Return outputs `number` (from 0) of the SplitMix64 stream of a seed, uint64 (n,)."""
    return _mixed(np.uint64(seed) + (number.astype(np.uint64) + np.uint64(1)) * _GOLDEN)


def _split_mix(state: np.ndarray, count: int) -> np.ndarray:
    """Return the first `count` outputs of the SplitMix64 stream of each state, uint64 (n, count)."""
    return _mixed(state[:, None] + np.arange(1, count + 1, dtype=np.uint64) * _GOLDEN)


def _mixed(bits: np.ndarray) -> np.ndarray:
    """Apply the mixer of SplitMix64."""
    bits = (bits ^ (bits >> _SHIFTS[0])) * _MULTIPLIERS[0]
    bits = (bits ^ (bits >> _SHIFTS[1])) * _MULTIPLIERS[1]
    return np.asarray(bits ^ (bits >> _SHIFTS[2]))
