"""What to play: entrants, line-ups, seats, policies, cards, number of games, seed.

Game `i` of an experiment depends on the seed, its line-up and `i` alone, never on who plays it or in which block.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import gcd, perm
from random import Random
from typing import Any, Literal

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.dice import SEATS_MAX
from sim.engine.policies import PolicySpec, players
from sim.engine.table import PLAN
from sim.registry import game_named

SEED_MAX = 2**63 - 1
GAMES_MAX = 2**44  # games of one experiment; above it the dice index tells the number of seats
SHUFFLED_ROUNDS_MAX = 2**16
Coupling = Literal["seat", "entrant"]


@dataclass(frozen=True)
class Experiment:
    """A number of games in a balanced design of line-ups.

    policies: one for all seats, or one per seat. coupling: dice keyed by seat ("which is stronger") or by entrant ("what is
    a seat worth"). line_up: a fixed line-up (entrants by seat) instead of the balanced design.
    """

    game_name: str
    cards: CardSet
    seats: int
    policies: tuple[PolicySpec, ...]
    games_wanted: int
    seed: int = 1
    coupling: Coupling = "seat"
    line_up: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        game, entrants = self.game, len(self.cards.ids)
        possible = game.seats_for(self.cards)
        if self.seats not in possible:
            which = "" if possible == game.seats else " with these cards"
            raise ValueError(f"seats={self.seats}: {game.title}{which} is played by {_either(possible)}")
        if len(self.policies) not in {1, self.seats}:
            more = f" for all seats, or {self.seats}, one for each" if self.seats > 1 else ", for there is one seat"
            raise ValueError(f"policies={self.policy_words!r}: give one{more}")
        if not 1 <= self.games_wanted <= GAMES_MAX:
            raise ValueError(f"games={self.games_wanted} must be 1..{GAMES_MAX}")
        self.checked_seed(self.seed)
        if not game.mirror and entrants < self.seats:
            raise ValueError(
                f"seats={self.seats}: the card set has {entrants} of the different entrants that this needs"
            )
        if self.line_up is not None:
            _check_line_up(self.line_up, self.seats, entrants, game.mirror)

    @staticmethod
    def checked_seed(seed: int) -> int:
        """Return the seed. Raises ValueError outside 0..SEED_MAX."""
        if not 0 <= seed <= SEED_MAX:
            raise ValueError(f"seed={seed} must be 0..{SEED_MAX}")
        return seed

    @property
    def game(self) -> Game:
        """The game, found by its name: workers in other processes find the built-in ones likewise."""
        return game_named(self.game_name)

    @cached_property
    def lineups(self) -> int:
        """How many different line-ups there are, seats told apart."""
        if self.line_up is not None:
            return 1
        entrants = len(self.cards.ids)
        return int(entrants**self.seats) if self.game.mirror else perm(entrants, self.seats)

    @property
    def games(self) -> int:
        """Games to be played: as wanted, rounded up to whole rounds in which every entrant sits once on every seat."""
        round_games = 1 if self.line_up is not None else len(self.cards.ids)
        return -(-self.games_wanted // round_games) * round_games

    @property
    def design(self) -> str:
        """The design of line-ups in words."""
        if self.line_up is not None:
            return "one fixed line-up"
        passes, rest = divmod(self.games, self.lineups)
        sample = f"{rest:,} {{}}games in balanced random line-ups (every entrant equally often on every seat)"
        if not passes:
            return sample.format("") + f" out of {self.lineups:,} possible"
        times = "once" if passes == 1 else f"{passes:,} times"
        whole = f"exhaustive: each of the {self.lineups:,} line-ups {times}"
        return whole + (", and " + sample.format("further ") if rest else "")

    def plan(self, first: int, count: int) -> np.ndarray:
        """Return the PLAN lines of games first..first+count-1, shape (count,)."""
        if not 0 <= first <= first + count <= self.games:
            raise ValueError(f"games {first}..{first + count - 1} are not within 0..{self.games - 1}")
        return self.plan_of(np.arange(first, first + count))

    def plan_of(self, index: np.ndarray) -> np.ndarray:
        """Return the PLAN lines of any games, by index, shape (n,). Games of other numbers of seats roll other dice."""
        lines = np.zeros(len(index), PLAN)
        lines["game"], lines["seed"], lines["seats"] = index, self.seed, self.seats
        lines["dice"] = index + (self.seats - 1) * GAMES_MAX
        lines["entrant"] = -1
        lines["entrant"][:, : self.seats] = self.entrants_of(np.asarray(index, np.int64))
        lines["stream"] = np.arange(SEATS_MAX)
        if self.coupling == "entrant":
            lines["stream"][:, : self.seats] = SEATS_MAX + self._streams(lines["entrant"][:, : self.seats])
        lines["player"][:, : self.seats] = np.arange(self.seats) if len(self.policies) > 1 else 0
        return lines

    def _streams(self, entrants: np.ndarray) -> np.ndarray:
        """Dice of each entrant, numbered from 0; one that sits on several seats has other dice on each."""
        streams = entrants.astype(np.int64)
        for seat in range(1, self.seats):
            seated_before = (entrants[:, :seat] == entrants[:, seat : seat + 1]).sum(axis=1)
            streams[:, seat] += len(self.cards.ids) * seated_before
        return streams

    def entrants_of(self, index: np.ndarray) -> np.ndarray:
        """Entrants by seat of each game index, shape (n, seats).

        All line-ups that differ by a shift of the entrants' numbers form a round, in which every entrant sits once on every
        seat. A pass plays all rounds in an order drawn for it, so that any number of whole rounds is balanced by seat, any
        whole pass is exhaustive, and the line-up of a game does not depend on how many games there are.
        """
        if self.line_up is not None:
            return np.broadcast_to(np.array(self.line_up), (len(index), self.seats))
        entrants = len(self.cards.ids)
        number, shift = np.divmod(index, entrants)
        passes, place = np.divmod(number, self.lineups // entrants)
        round_number = np.empty_like(place)
        for one in np.unique(passes):
            chosen = passes == one
            round_number[chosen] = _round_order(self.seed, int(one), self.lineups // entrants, place[chosen])
        return (self._offsets(round_number) + shift[:, None]) % entrants

    def _offsets(self, rank: np.ndarray) -> np.ndarray:
        """How far the entrants of round number `rank` are apart: offset by seat from the entrant on seat 0, (n, seats)."""
        entrants = len(self.cards.ids)
        table = np.zeros((len(rank), self.seats), np.int64)
        for seat in range(self.seats - 1, 0, -1):
            rank, table[:, seat] = np.divmod(rank, entrants if self.game.mirror else entrants - seat)
        if not self.game.mirror:
            for seat in range(1, self.seats):  # the k-th number that is not taken yet
                for taken in np.sort(table[:, :seat], axis=1).T:
                    table[:, seat] += table[:, seat] >= taken
        return table

    @property
    def player_table(self) -> np.ndarray:
        """The PLAYER table that the plan's `player` points into."""
        return players(list(self.policies))

    @property
    def policy_words(self) -> str:
        """The policies as a user writes them."""
        return ",".join(str(policy) for policy in self.policies)

    def facts(self) -> dict[str, Any]:
        """Whatever one must know to repeat the experiment, as plain values."""
        return {
            "game": self.game_name,
            "cards": self.cards.title,
            "cards_digest": self.cards.digest,
            "seats": self.seats,
            "policy": self.policy_words,
            "games": self.games,
            "seed": self.seed,
            "coupling": self.coupling,
            "design": self.design,
        }


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


def _check_line_up(line_up: tuple[int, ...], seats: int, entrants: int, mirror: bool) -> None:
    """Raise ValueError where a fixed line-up cannot be seated."""
    if len(line_up) != seats:
        raise ValueError(f"line_up={line_up} has {len(line_up)} entrants for {seats} seats")
    if not all(0 <= entrant < entrants for entrant in line_up):
        raise ValueError(f"line_up={line_up}: entrants are numbered 0..{entrants - 1}")
    if not mirror and len(set(line_up)) < seats:
        raise ValueError(f"line_up={line_up}: no entrant can sit on two seats of this game")


def _either(numbers: tuple[int, ...]) -> str:
    """Numbers of seats in words."""
    words = " or ".join(", ".join(map(str, numbers)).rsplit(", ", 1))
    return words + (" seat" if numbers == (1,) else " seats")
