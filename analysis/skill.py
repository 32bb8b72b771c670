"""How a game and its balance move with skill: levels of play against each other, and each in every seat.

What is played follows from the plan alone, never from a clock, so that it repeats. Levels are played from the lowest up, so that
whoever stops early has the whole answer for the levels below.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil

import numpy as np

from analysis.encounters import DUEL, PAIR
from analysis.ladder import Ladder, Score, ladder, pairings, seed_of
from analysis.level_balance import Balance, balance
from analysis.level_games import LevelGames
from analysis.level_meetings import Meeting, meeting
from analysis.playing import play_until
from analysis.rows import Rows
from analysis.skill_levels import usual_games
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.policies import PolicySpec
from sim.engine.teams import Teams
from sim.experiment import Experiment

HALVINGS = 16  # after which a proportion is near enough

Watch = Callable[[str, int, int], None]
Gather = Callable[[Experiment, str], tuple[Rows, bool]]


@dataclass(frozen=True)
class Plan:
    """What is played. levels: the lowest first; seats: of the games that tell of balance (levels meet at two).

    games: of every entrant (of every part of teams) at each level; pair_games: of every two levels; None: the usual number, by
    the game and the level, times `scale`.
    """

    game: Game
    cards: CardSet
    levels: tuple[PolicySpec, ...]
    seats: int = DUEL
    games: int | None = None
    pair_games: int | None = None
    seed: int = 1
    scale: float = 1.0

    def __post_init__(self) -> None:
        if self.seats == 1:
            raise ValueError("seats=1: alone nobody is better than another; name 2 or more")
        for name, number in (("level-games", self.games), ("pair-games", self.pair_games)):
            if number is not None and number < PAIR:
                raise ValueError(f"{name}={number} must be at least {PAIR}")
        if DUEL not in self.game.seats_for(self.cards):
            raise ValueError(f"{self.game.title} with these cards is not played at two seats, where levels meet")
        _ = self.alone(0), self.meeting(0, 1)  # raise for what cannot be played

    @property
    def names(self) -> tuple[str, ...]:
        """What the levels are called."""
        return tuple(str(level) for level in self.levels)

    @cached_property
    def teams(self) -> Teams | None:
        """What the entrants are made of; None where they are no teams."""
        return self.game.teams_for(self.cards)

    def alone(self, level: int) -> Experiment:
        """Games of one level in every seat, of the same line-ups and dice as those of the others."""
        each = self.games or self.scale * usual_games(self.game, self.levels[level])[0]
        units, size = (self.teams.parts, self.teams.size) if self.teams else (len(self.cards.ids), 1)
        wanted = max(1, ceil(each * units / (self.seats * size)))
        return Experiment(self.game.name, self.cards, self.seats, (self.levels[level],), wanted, self.seed)

    def meeting(self, lower: int, higher: int) -> Meeting:
        """Games of two levels against each other."""
        wanted = self.pair_games or max(PAIR, round(self.scale * usual_games(self.game, self.levels[higher])[1]))
        two = (self.levels[lower], self.levels[higher])
        return meeting(self.game, self.cards, two, wanted, seed_of(self.seed, lower, higher))

    @property
    def games_in_all(self) -> int:
        """Games of all levels and of all meetings."""
        alone = sum(self.alone(level).games for level in range(len(self.levels)))
        return alone + sum(self.meeting(*two).games for two in pairings(len(self.levels)))

    def afforded(self, games: int) -> Plan:
        """The usual numbers of games, all in one proportion, so that they are `games` in all, or a little fewer.

        Raises ValueError for fewer games than every level and meeting needs, which is one round of line-ups.
        """
        low, high = 0.0, 1.0
        least = replace(self, scale=low).games_in_all
        if games < least:
            raise ValueError(
                f"games={games} must be at least {least}: a round of line-ups of each of {len(self.levels)} levels, and of every "
                "two of them against each other; name fewer --levels"
            )
        while replace(self, scale=high).games_in_all < games:
            low, high = high, 2 * high
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if replace(self, scale=middle).games_in_all <= games else (low, middle)
        return replace(self, scale=low)


@dataclass(frozen=True, eq=False)
class Skill:
    """What was found. levels: those that were played; ladder: None where no two of them met."""

    plan: Plan
    ladder: Ladder | None
    balance: Balance
    interrupted: bool
    games: int

    @property
    def names(self) -> tuple[str, ...]:
        """Of the levels that were played."""
        return self.balance.names


def skill(plan: Plan, gather: Gather) -> Skill:
    """Play and work out.

    gather: plays an experiment, told what it is in words, and returns its rows from the first game on and whether it was
    interrupted. What is done of the last level then counts in whole rounds. Raises KeyboardInterrupt where nothing is.
    """
    alone: list[LevelGames] = []
    scores: dict[tuple[int, int], Score] = {}
    interrupted, games = False, 0
    for higher, name in enumerate(plan.names):
        experiment = plan.alone(higher)
        rows, interrupted = gather(experiment, f"{name} in every seat")
        rows = whole_rounds(experiment, rows)
        if len(rows):
            alone.append(LevelGames(name, experiment, rows))
            games += len(rows)
        for lower, _ in (two for two in pairings(higher + 1) if two[1] == higher):
            if interrupted:
                break
            played = plan.meeting(lower, higher)
            rows, interrupted = gather(played, f"{name} against {plan.names[lower]}")
            rows = whole_rounds(played, rows)
            if len(rows):
                scores[lower, higher] = Score.of(rows)
                games += len(rows)
        if interrupted:
            break
    if not alone:
        raise KeyboardInterrupt
    names = tuple(one.name for one in alone)
    found = ladder(names, scores) if scores else None
    return Skill(plan, found, balance(alone), interrupted, games)


def whole_rounds(experiment: Experiment, rows: Rows) -> Rows:
    """The games of whole rounds, in which every entrant sits equally often on every seat."""
    return rows[: len(rows) // experiment.round_games * experiment.round_games]


@dataclass
class Collected:
    """Rows of an experiment, block by block (see `playing.Stopper`): all are wanted."""

    next_look: int
    blocks: list[Rows] = field(default_factory=list)

    def add(self, rows: Rows) -> None:
        """Take a block."""
        self.blocks.append(rows.copy())

    def reached(self) -> bool:
        """Never before the end."""
        return False


def gathered(watch: Watch, jobs: int | None = None) -> Gather:
    """Play on so many workers; Ctrl-C ends it with the games that are done. watch: called with words, games done and wanted."""

    def gather(experiment: Experiment, words: str) -> tuple[Rows, bool]:
        kept = Collected(experiment.games)
        stopped = play_until(experiment, kept, jobs, lambda _, done, total: watch(words, done, total))
        return joined(kept.blocks), stopped

    return gather


def joined(blocks: list[Rows]) -> Rows:
    """Rows one behind the other."""
    return np.concatenate(blocks) if blocks else np.zeros(0, np.void(b"").dtype)
