"""Designs of line-ups. The line-up of game `i` depends on the seed and `i` alone, not on the number of games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import gcd, perm
from random import Random

import numpy as np

SHUFFLED_ROUNDS_MAX = 2**16


@dataclass(frozen=True, eq=False)
class Design(ABC):
    """A rule that selects line-ups in rounds of `round_games` games. Any number of whole rounds is balanced by seat."""

    seats: int

    @property
    def pair_games(self) -> int:
        """Number of consecutive games with the same entrants on different seats and the same dice."""
        return 1

    @property
    def pass_games(self) -> int | None:
        """Games after which every line-up has been played equally often; None if line-ups are random."""
        return self.lineups

    @property
    @abstractmethod
    def lineups(self) -> int:
        """Number of different line-ups, counting seat orders as different."""

    @property
    @abstractmethod
    def round_games(self) -> int:
        """Number of games in a round."""

    @abstractmethod
    def entrants_of(self, index: np.ndarray) -> np.ndarray:
        """Return the entrants by seat of each game index, shape (n, seats). index: int64 (n,)."""

    @abstractmethod
    def words(self, games: int) -> str:
        """Describe how this number of games was chosen."""


@dataclass(frozen=True, eq=False)
class Fixed(Design):
    """One line-up, entrants by seat, in every game."""

    line_up: tuple[int, ...]

    lineups = round_games = 1

    def entrants_of(self, index: np.ndarray) -> np.ndarray:
        """See `Design`."""
        return np.broadcast_to(np.array(self.line_up), (len(index), self.seats))

    def words(self, games: int) -> str:  # noqa: ARG002 - the same for any number
        """See `Design`."""
        return "one fixed line-up"


@dataclass(frozen=True, eq=False)
class Shifts(Design):
    """Rounds of all line-ups that differ by a shift of the entrants' numbers: each entrant sits once on every seat.

    A pass plays all rounds in a random order. Any number of whole rounds is therefore balanced by seat, any whole pass
    is exhaustive, and the line-up of a game does not depend on the number of games.
    """

    entrants: int
    mirror: bool  # whether an entrant can sit on two seats
    seed: int

    @property
    def lineups(self) -> int:
        """See `Design`."""
        return int(self.entrants**self.seats) if self.mirror else perm(self.entrants, self.seats)

    @property
    def round_games(self) -> int:
        """See `Design`."""
        return self.entrants

    def entrants_of(self, index: np.ndarray) -> np.ndarray:
        """See `Design`."""
        number, shift = np.divmod(index, self.entrants)
        rounds = self.lineups // self.entrants
        passes, place = np.divmod(number, rounds)
        round_number = np.empty_like(place)
        order = np.argsort(passes, kind="stable")
        for group in np.split(order, np.flatnonzero(np.diff(passes[order])) + 1):
            if len(group):
                round_number[group] = _round_order(self.seed, int(passes[group[0]]), rounds, place[group])
        return (offsets(round_number, self.entrants, self.seats, self.mirror) + shift[:, None]) % self.entrants

    def words(self, games: int) -> str:
        """See `Design`."""
        passes, rest = divmod(games, self.lineups)
        sample = f"{rest:,} {{}}games in balanced random line-ups (every entrant equally often on every seat)"
        if not passes:
            return sample.format("") + f" out of {self.lineups:,} possible"
        times = "once" if passes == 1 else f"{passes:,} times"
        whole = f"exhaustive: each of the {self.lineups:,} line-ups {times}"
        return whole + (", and " + sample.format("further ") if rest else "")


@dataclass(frozen=True, eq=False)
class Rotated(Design):
    """Each line-up of another design in every rotation of the seats, with the same dice.

    Comparisons within such a group cancel the effects of the dice and the seats.
    """

    planned: Design

    @property
    def pair_games(self) -> int:
        """See `Design`."""
        return self.seats

    @property
    def lineups(self) -> int:
        """See `Design`."""
        return self.planned.lineups

    @property
    def round_games(self) -> int:
        """See `Design`."""
        return self.planned.round_games * self.seats

    @property
    def pass_games(self) -> int | None:
        """See `Design`."""
        whole = self.planned.pass_games
        return None if whole is None else whole * self.seats

    def entrants_of(self, index: np.ndarray) -> np.ndarray:
        """See `Design`."""
        group, turn = np.divmod(index, self.seats)
        places = (np.arange(self.seats) + turn[:, None]) % self.seats
        return np.take_along_axis(self.planned.entrants_of(group), places, axis=1)

    def words(self, games: int) -> str:
        """See `Design`."""
        return f"{self.planned.words(-(-games // self.seats))}, each from every seat with the same dice"


@dataclass(frozen=True, eq=False)
class InPlay(Design):
    """Teams that form in the game itself, by chance or by a draft. Every game is independent and has its own dice.

    planned: a design of possible line-ups, because the plan needs an entrant for each seat.
    """

    planned: Design
    word: str  # name of teams, plural

    round_games = 1

    @property
    def lineups(self) -> int:
        """See `Design`."""
        return self.planned.lineups

    @property
    def pass_games(self) -> int | None:
        """None, because chance or the players decide."""
        return None

    def entrants_of(self, index: np.ndarray) -> np.ndarray:
        """See `Design`."""
        return self.planned.entrants_of(index)

    def words(self, games: int) -> str:  # noqa: ARG002 - the same for any number
        """See `Design`."""
        return f"the {self.word} form in the game, in any of {self.lineups:,} line-ups"


def offsets(rank: np.ndarray, entrants: int, seats: int, mirror: bool) -> np.ndarray:
    """Return the offsets of the entrants of round `rank` from the entrant on seat 0, by seat, (n, seats)."""
    table = np.zeros((len(rank), seats), np.int64)
    for seat in range(seats - 1, 0, -1):
        rank, table[:, seat] = np.divmod(rank, entrants if mirror else entrants - seat)
    if not mirror:
        for seat in range(1, seats):  # the k-th free number
            for taken in np.sort(table[:, :seat], axis=1).T:
                table[:, seat] += table[:, seat] >= taken
    return table


def _round_order(seed: int, number: int, rounds: int, place: np.ndarray) -> np.ndarray:
    """Return the rounds at these places of pass `number`: a shuffle, or a random stride if there are too many rounds."""
    chance = Random(f"{seed}:{number}")  # random() gives the same numbers in every Python version
    if rounds <= SHUFFLED_ROUNDS_MAX:
        order = np.argsort([chance.random() for _ in range(rounds)], kind="stable")
        return np.asarray(order[place], np.int64)
    start, stride = int(chance.random() * rounds), 1 + int(chance.random() * (rounds - 1))
    while gcd(stride, rounds) > 1:
        stride += 1
    return np.asarray((start + stride * place) % rounds, np.int64)
