"""Games of two policies against each other, in pairs that differ in who plays which seat alone.

Every line-up is played twice with the same dice, the policies on the other seats the second time, so that entrants, seats and
most of the luck fall out; where an entrant may sit on two seats, both have the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from analysis.encounters import DUEL, PAIR
from analysis.wording import count
from sim.designs import Design
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.policies import PolicySpec
from sim.experiment import Experiment


@dataclass(frozen=True, eq=False)
class Twice(Design):
    """Every line-up of another design twice in a row."""

    planned: Design

    pair_games = PAIR

    @property
    def lineups(self) -> int:
        """See `Design`."""
        return self.planned.lineups

    @property
    def round_games(self) -> int:
        """See `Design`."""
        return PAIR * self.planned.round_games

    @property
    def pass_games(self) -> int | None:
        """See `Design`."""
        whole = self.planned.pass_games
        return None if whole is None else PAIR * whole

    def entrants_of(self, index: np.ndarray) -> np.ndarray:
        """See `Design`."""
        return self.planned.entrants_of(index // PAIR)

    def words(self, games: int) -> str:
        """See `Design`."""
        return (
            f"{self.planned.words(-(-games // PAIR))}, each twice with the same dice, the policies on the other seats"
        )


@dataclass(frozen=True, eq=False)
class Mirrored(Design):
    """Every entrant in turn, on all seats."""

    entrants: int

    @property
    def lineups(self) -> int:
        """See `Design`."""
        return self.entrants

    @property
    def round_games(self) -> int:
        """See `Design`."""
        return self.entrants

    def entrants_of(self, index: np.ndarray) -> np.ndarray:
        """See `Design`."""
        return np.repeat((index % self.entrants)[:, None], self.seats, axis=1)

    def words(self, games: int) -> str:
        """See `Design`."""
        return f"{count(games)} games of each entrant against its like, all equally often"


@dataclass(frozen=True)
class Meeting(Experiment):
    """Games of two policies at two seats, in pairs that differ in who plays which seat alone. policies: the lower, the higher."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.seats != DUEL or len(self.policies) != DUEL:
            raise ValueError(f"seats={self.seats}, policies={self.policy_words!r}: two policies meet at two seats")

    @cached_property
    def _design(self) -> Design:
        """Line-ups of the usual design, or of an entrant and its like, twice each."""
        alike = self.mirror and self.teams is None and self.line_up is None
        return Twice(self.seats, Mirrored(self.seats, len(self.cards.ids)) if alike else self._single)

    def plan_of(self, index: np.ndarray) -> np.ndarray:
        """See `Experiment`; in the second game of a pair the policies have changed seats."""
        lines = super().plan_of(index)
        lines["player"][:, :DUEL] ^= self.seat_of_lower(index)[:, None].astype(lines["player"].dtype)
        return lines

    def seat_of_lower(self, index: np.ndarray) -> np.ndarray:
        """Seat on which the lower policy plays, by game index."""
        return np.asarray(index, np.int64) % PAIR


def meeting(game: Game, cards: CardSet, two: tuple[PolicySpec, PolicySpec], games: int, seed: int) -> Meeting:
    """The games of two policies, the lower first. seed: as `seed_of` gives it. Raises ValueError."""
    return Meeting(game.name, cards, DUEL, two, games, seed)
