"""Levels of play against each other: the ladder and its ratings.

The skill ladder: policies against each other at two seats, what each is rated, and how many clear steps there are.

Games come in pairs that differ in who plays which seat alone (`level_meetings`); a pair is one observation. Different policies
meet in games of their own, so that their results are independent.

Skill depth is the length of the longest chain of players of whom each wins 60 % of the games against the one before (Cauwet et
al. 2015, "Depth, balancing, and limits of the Elo model", IEEE Conference on Computational Intelligence and Games). It is told of
the levels that were tried: a better player than these could add to it.

How a game and its balance move with skill: levels of play against each other, and each in every seat.

What is played follows from the plan alone, never from a clock, so that it repeats. Levels are played from the lowest up, so that
whoever stops early has the whole answer for the levels below.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil

import numpy as np
import pandas as pd
from scipy import stats

from analysis.data.encounters import DUEL, PAIR, PRIOR, Encounters
from analysis.data.rows import Rows, check_rows
from analysis.matchups import ratings
from analysis.skill.balance import Balance, LevelGames, Meeting, balance, meeting
from analysis.skill.levels import usual_games
from analysis.stats.intervals import LEVEL, Interval
from analysis.stats.paired import p_changed, paired_changes
from analysis.winrates.play import play_until
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.policies import PolicySpec
from sim.engine.table import Status
from sim.engine.teams import Teams
from sim.experiment import Experiment
from sim.seeds import SEED_MAX

STEP = 0.6  # of the games, won against the level below: a step of the ladder
SAME = 0.5


def pairings(levels: int) -> list[tuple[int, int]]:
    """Numbers (lower, higher) of every two levels: each level against those below, the nearest first."""
    return [(lower, higher) for higher in range(levels) for lower in reversed(range(higher))]


def seed_of(seed: int, lower: int, higher: int) -> int:
    """Seed of the games of two levels: of their own, and the same whatever levels stand above."""
    return (seed + 1 + higher * (higher - 1) // 2 + lower) % (SEED_MAX + 1)


@dataclass(frozen=True)
class Score:
    """How a higher policy did against a lower one, over pairs of games.

    up, down: pairs that it won and lost; a game that nobody won is left out, and the other one of its pair counts half.
    weight: pairs; games: that one of the two won; unwon: the others.
    """

    up: float
    down: float
    weight: float
    games: int
    unwon: int

    @classmethod
    def of(cls, rows: Rows) -> Score:
        """Count the games of a `Meeting`, from the first one on; the last pair may lack a game."""
        check_rows(rows)
        share = rows["share"][:, :DUEL].astype(np.float64)
        met = (rows["status"] == Status.FINISHED) & (share.sum(axis=1) > SAME)
        higher = 1 - rows["game"].astype(np.int64) % PAIR
        won = np.where(met, share[np.arange(len(rows)), higher], 0.0)
        pair = rows["game"].astype(np.int64) // PAIR
        _, place = np.unique(pair, return_inverse=True)
        left = np.bincount(place, met)
        gap = np.bincount(place, won) - left / 2
        both = (float(gap.clip(min=0).sum()), float((-gap).clip(min=0).sum()), float(left.sum() / PAIR))
        return cls(*both, int(met.sum()), int((~met).sum()))

    @property
    def rate(self) -> float:
        """Win rate of the higher policy; nan without games."""
        return SAME + (self.up - self.down) / (2 * self.weight) if self.weight else float("nan")


@dataclass(frozen=True)
class Depth:
    """Clear steps of the ladder: as estimated, and as many as there surely are and may be. chain: levels of the estimate."""

    steps: int
    low: int
    high: int
    chain: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Ladder:
    """Levels against each other.

    names: of the levels, the lowest first; scores: by numbers (lower, higher), of those that met. rates: one line per pairing:
    lower, higher (numbers), below, name (of the two), estimate, low, high (win rate of the higher one), p (against even), n
    (games), pairs, unwon.
    rated: see `ratings.Ratings.table`, the lowest level first, None unless all met.
    """

    names: tuple[str, ...]
    scores: dict[tuple[int, int], Score]
    rates: pd.DataFrame
    rated: pd.DataFrame | None
    spread: Interval | None  # Elo points of the highest level over the lowest
    depth: Depth


def ladder(names: tuple[str, ...], scores: dict[tuple[int, int], Score], level: float = LEVEL) -> Ladder:
    """Work out the ladder from the scores. Raises ValueError for fewer than two levels."""
    if len(names) < DUEL:
        raise ValueError(f"levels={','.join(names)!r}: a ladder has two levels or more")
    known = {two: one for two, one in scores.items() if one.weight > 0}
    rates = _rates(names, known, level)
    rated, spread = None, None
    if len(known) == len(pairings(len(names))):
        found = ratings.ratings(encounters(names, known), level)
        rated = found.table.sort_values("entrant", ignore_index=True)
        spread = elo_span(found, level)
    return Ladder(names, scores, rates, rated, spread, depth(len(names), rates))


def encounters(names: tuple[str, ...], scores: dict[tuple[int, int], Score]) -> Encounters:
    """The scores as encounters of every two levels."""
    up, down, weight, games = np.zeros((4, len(names), len(names)))
    for (lower, higher), one in scores.items():
        up[higher, lower] = down[lower, higher] = one.up
        down[higher, lower] = up[lower, higher] = one.down
        weight[higher, lower] = weight[lower, higher] = one.weight
        games[higher, lower] = games[lower, higher] = one.games
    return Encounters(names, up, down, weight, games.astype(np.int64), paired=True)


def depth(levels: int, rates: pd.DataFrame) -> Depth:
    """Longest chain of levels of whom each wins STEP of the games against the one before; low and high by the intervals."""
    chains = {column: _chain(levels, rates, column) for column in ("estimate", "low", "high")}
    steps = {column: len(chain) - 1 for column, chain in chains.items()}
    return Depth(steps["estimate"], steps["low"], steps["high"], chains["estimate"])


def _chain(levels: int, rates: pd.DataFrame, column: str) -> tuple[int, ...]:
    """The longest chain by one column, of several the one that begins and goes on lowest."""
    above = {(int(row["lower"]), int(row["higher"])) for _, row in rates.iterrows() if row[column] >= STEP}
    best: list[tuple[int, ...]] = []
    for higher in range(levels):
        ways = [(*best[lower], higher) for lower in range(higher) if (lower, higher) in above]
        best.append(max(ways, key=len, default=(higher,)))
    return max(best, key=len)


def _rates(names: tuple[str, ...], scores: dict[tuple[int, int], Score], level: float) -> pd.DataFrame:
    """Win rates with Tango's score interval over pairs; of games left over from pairs two make one."""
    ordered = sorted(scores, key=lambda two: (two[1], -two[0]))
    found = [scores[two] for two in ordered]
    pairs = np.array([max(1, int(one.weight)) for one in found])
    up, down = np.array([(one.up, one.down) for one in found]).reshape(-1, 2).T
    fitting = np.minimum(1, pairs / np.maximum(up + down, PRIOR))  # half a pair may be over
    bounds = paired_changes(up * fitting, down * fitting, pairs, level)
    columns = {
        "lower": [lower for lower, _ in ordered],
        "higher": [higher for _, higher in ordered],
        "below": [names[lower] for lower, _ in ordered],
        "name": [names[higher] for _, higher in ordered],
        "estimate": [one.rate for one in found],
        "low": SAME + bounds["low"] / 2,
        "high": SAME + bounds["high"] / 2,
        "p": [p_changed(one.up, one.down) for one in found],
        "n": [one.games for one in found],
        "pairs": pairs,
        "unwon": [one.unwon for one in found],
    }
    return pd.DataFrame(columns)


def elo_span(found: ratings.Ratings, level: float = LEVEL) -> Interval:
    """Elo points of the highest level over the lowest."""
    by_level = found.table.sort_values("entrant")["rating"].to_numpy()
    gap, cov = float(by_level[-1] - by_level[0]), found.covariance
    half = float(stats.norm.ppf((1 + level) / 2) * np.sqrt(cov[0, 0] + cov[-1, -1] - 2 * cov[0, -1]))
    low, high = ratings.ELO * (gap - half), ratings.ELO * (gap + half)
    return Interval(ratings.ELO * gap, low, high, int(found.table["n"].sum() // DUEL), level, "sandwich")


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
