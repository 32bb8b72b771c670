"""Designs of line-ups: who sits where in game `i`, which depends on the seed and `i` alone, never on how many games there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import gcd, perm
from random import Random

import numpy as np

SHUFFLED_ROUNDS_MAX = 2**16


@dataclass(frozen=True, eq=False)
class Design(ABC):
    """How line-ups are chosen, in rounds of `round_games` games; any number of whole rounds is balanced by seat."""

    seats: int

    @property
    def pair_games(self) -> int:
        """Games that follow each other with the same entrants, every time on other seats, and roll the same dice."""
        return 1

    @property
    def pass_games(self) -> int | None:
        """Games after which every line-up has been played equally often; None where chance draws them for ever."""
        return self.lineups

    @property
    @abstractmethod
    def lineups(self) -> int:
        """How many different line-ups there are, seats told apart."""

    @property
    @abstractmethod
    def round_games(self) -> int:
        """Games of a round."""

    @abstractmethod
    def entrants_of(self, index: np.ndarray) -> np.ndarray:
        """Entrants by seat of each game index, shape (n, seats). index: int64 (n,)."""

    @abstractmethod
    def words(self, games: int) -> str:
        """Say how so many games were chosen."""


@dataclass(frozen=True, eq=False)
class Fixed(Design):
    """One line-up, entrants by seat, in every game."""

    line_up: tuple[int, ...]

    lineups = round_games = 1

    def entrants_of(self, index: np.ndarray) -> np.ndarray:
        """See `Design`."""
        return np.broadcast_to(np.array(self.line_up), (len(index), self.seats))

    def words(self, games: int) -> str:  # noqa: ARG002 - as often as wanted
        """See `Design`."""
        return "one fixed line-up"


@dataclass(frozen=True, eq=False)
class Shifts(Design):
    """All line-ups that differ by a shift of the entrants' numbers form a round, in which each sits once on every seat.

    A pass plays all rounds in an order drawn for it, so that any number of whole rounds is balanced by seat, any
    whole pass is exhaustive, and the line-up of a game does not depend on how many games there are.
    """

    entrants: int
    mirror: bool  # may an entrant sit on two seats
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
        for chosen in np.split(order, np.flatnonzero(np.diff(passes[order])) + 1):
            if len(chosen):
                round_number[chosen] = _round_order(self.seed, int(passes[chosen[0]]), rounds, place[chosen])
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
    """Every line-up of another design as often as there are seats, each time one seat further on, with the same dice.

    What the dice bring and what the seats are worth then falls out of comparisons within the group.
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
    """Teams that come about in the game itself, by chance or by a draft: every game is for itself, with dice of its own.

    planned: a design of teams that could sit together, for the line of the plan that has to name some.
    """

    planned: Design
    word: str  # what teams are called

    round_games = 1

    @property
    def lineups(self) -> int:
        """See `Design`."""
        return self.planned.lineups

    @property
    def pass_games(self) -> int | None:
        """None: chance or the players decide."""
        return None

    def entrants_of(self, index: np.ndarray) -> np.ndarray:
        """See `Design`."""
        return self.planned.entrants_of(index)

    def words(self, games: int) -> str:  # noqa: ARG002 - as often as wanted
        """See `Design`."""
        return f"the {self.word} come about in the game, in any of {self.lineups:,} line-ups"


def offsets(rank: np.ndarray, entrants: int, seats: int, mirror: bool) -> np.ndarray:
    """How far the entrants of round number `rank` are apart: offset by seat from the entrant on seat 0, (n, seats)."""
    table = np.zeros((len(rank), seats), np.int64)
    for seat in range(seats - 1, 0, -1):
        rank, table[:, seat] = np.divmod(rank, entrants if mirror else entrants - seat)
    if not mirror:
        for seat in range(1, seats):  # the k-th number that is not taken yet
            for taken in np.sort(table[:, :seat], axis=1).T:
                table[:, seat] += table[:, seat] >= taken
    return table


def _round_order(seed: int, number: int, rounds: int, place: np.ndarray) -> np.ndarray:
    """Which rounds are played at these places of pass `number`: a shuffle, for very many rounds a random stride."""
    chance = Random(f"{seed}:{number}")  # its random() yields the same numbers in every Python version
    if rounds <= SHUFFLED_ROUNDS_MAX:
        order = np.argsort([chance.random() for _ in range(rounds)], kind="stable")
        return np.asarray(order[place], np.int64)
    start, stride = int(chance.random() * rounds), 1 + int(chance.random() * (rounds - 1))
    while gcd(stride, rounds) > 1:
        stride += 1
    return np.asarray((start + stride * place) % rounds, np.int64)
