"""The skill ladder: levels of play against each other at two seats, their ratings and clear steps; and the run behind it.

Games come in pairs in which the policies swap seats; a pair is one observation. Each two levels meet in separate games, so that
their results are independent. Skill depth is the length of the longest chain of players that each win 60 % of the games against
the previous one (Cauwet et al. 2015, "Depth, balancing, and limits of the Elo model", IEEE Conference on Computational
Intelligence and Games). It covers the levels that were tried: a better player could add to it.

Games depend only on the plan, never on a clock, so that runs are reproducible. Levels are played from the lowest up: an
interrupted run has the full result for the lower levels.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil

import numpy as np
import pandas as pd
import scipy

from analysis.data.encounters import DUEL, PAIR, PRIOR, Encounters
from analysis.data.rows import Rows, check_rows
from analysis.matchups import ratings
from analysis.skill.balance import Balance, LevelGames, Meeting, balance
from analysis.skill.levels import usual_games, usual_pair_games
from analysis.stats.intervals import LEVEL, Interval
from analysis.stats.paired import p_changed, paired_changes
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.loop import Status
from sim.engine.policies import NUMBERS, Policy, PolicySpec
from sim.engine.teams import Teams
from sim.experiments.experiment import Experiment
from sim.run import collect
from sim.seeds import derived_seed

KNOWN = 0.025  # half the width of an interval up to which a step between levels is shown
STEP = 0.6  # win rate against the level below that makes a step of the ladder
SAME = 0.5
SCALED = (Policy.GREEDY, Policy.TURN, Policy.FLAT, Policy.SEARCH)  # their samples or playouts are scaled
ROUNDS_OF_SCALING = 3
SECONDS_TIMED = 0.5
MS_MAX = 10_000


def pairings(levels: int) -> list[tuple[int, int]]:
    """Indices (lower, higher) of every two levels: each level against those below, nearest first."""
    return [(lower, higher) for higher in range(levels) for lower in reversed(range(higher))]


def seed_of(seed: int, lower: int, higher: int) -> int:
    """Seed of the games of two levels: unique, and independent of the levels above."""
    return derived_seed(seed, f"levels {lower} and {higher}")


@dataclass(frozen=True)
class Score:
    """Result of a higher policy against a lower one, over pairs of games.

    up, down: pairs that it won and lost; a game without a winner is left out, and the other one of its pair counts half.
    weight: pairs; games: with a winner; unwon: the others.
    """

    up: float
    down: float
    weight: float
    games: int
    unwon: int

    @classmethod
    def of(cls, rows: Rows) -> Score:
        """Count the games of a `Meeting`, from the first one; the last pair can be incomplete."""
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
    """Clear steps of the ladder: estimate and bounds. chain: levels of the estimate."""

    steps: int
    low: int
    high: int
    chain: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Ladder:
    """Levels against each other.

    names: of the levels, lowest first; scores: by indices (lower, higher), of those that met. rates: one line per pairing:
    lower, higher (indices), below, name (their names), estimate, low, high (win rate of the higher one), p (against even), n
    (games), pairs, unwon, reach (of the interval, from the estimate), known (reach is at most KNOWN). rated: see `Ratings.table`,
    lowest level first, None unless all met.
    """

    names: tuple[str, ...]
    scores: dict[tuple[int, int], Score]
    rates: pd.DataFrame
    rated: pd.DataFrame | None
    spread: Interval | None  # Elo points of the highest level over the lowest
    depth: Depth

    @property
    def neighbours(self) -> pd.DataFrame:
        """Rates of every level against the one below."""
        chosen: pd.DataFrame = self.rates[self.rates["higher"] - self.rates["lower"] == 1]
        return chosen


def ladder(names: tuple[str, ...], scores: dict[tuple[int, int], Score]) -> Ladder:
    """Compute the ladder from the scores. Raises ValueError for fewer than two levels."""
    if len(names) < DUEL:
        raise ValueError(f"levels={','.join(names)!r}: a ladder needs at least two levels")
    known = {pair: score for pair, score in scores.items() if score.weight > 0}
    rates = _rates(names, known)
    clear = depth(len(names), rates)
    if len(known) < len(pairings(len(names))):
        return Ladder(names, scores, rates, None, None, clear)
    fitted = ratings.ratings(encounters(names, known))
    return Ladder(names, scores, rates, fitted.table.sort_values("entrant", ignore_index=True), elo_span(fitted), clear)


def encounters(names: tuple[str, ...], scores: dict[tuple[int, int], Score]) -> Encounters:
    """Convert the scores to encounters of every two levels."""
    up, down, weight, games = np.zeros((4, len(names), len(names)))
    for (lower, higher), score in scores.items():
        up[higher, lower] = down[lower, higher] = score.up
        down[higher, lower] = up[lower, higher] = score.down
        weight[higher, lower] = weight[lower, higher] = score.weight
        games[higher, lower] = games[lower, higher] = score.games
    return Encounters(names, up, down, weight, games.astype(np.int64), paired=True)


def depth(levels: int, rates: pd.DataFrame) -> Depth:
    """Longest chain of levels that each win STEP of the games against the previous one; low and high from the intervals."""
    chains: dict[str, tuple[int, ...]] = {}
    for column in ("estimate", "low", "high"):
        clear = rates[rates[column] >= STEP]
        above = set(zip(clear["lower"], clear["higher"], strict=True))
        best: list[tuple[int, ...]] = []  # longest chain up to each level; on ties the one with the lowest levels first
        for higher in range(levels):
            ways = [(*best[lower], higher) for lower in range(higher) if (lower, higher) in above]
            best.append(max(ways, key=len, default=(higher,)))
        chains[column] = max(best, key=len)
    estimate, low, high = (len(chain) - 1 for chain in chains.values())
    return Depth(estimate, low, high, chains["estimate"])


def _rates(names: tuple[str, ...], scores: dict[tuple[int, int], Score]) -> pd.DataFrame:
    """Win rates with Tango's score interval over pairs; two incomplete pairs count as one."""
    ordered = sorted(scores, key=lambda pair: (pair[1], -pair[0]))
    counted, by_index = [scores[pair] for pair in ordered], np.array(ordered, np.int64).reshape(-1, 2).T
    pairs = np.array([max(1, int(score.weight)) for score in counted])
    up, down = np.array([(score.up, score.down) for score in counted]).reshape(-1, 2).T
    fitting = np.minimum(1, pairs / np.maximum(up + down, PRIOR))  # half a pair can be left over
    bounds = paired_changes(up * fitting, down * fitting, pairs)
    (below, name), games = np.array(names, object)[by_index], [(score.rate, score.games, score.unwon) for score in counted]
    rates = pd.DataFrame({"lower": by_index[0], "higher": by_index[1], "below": below, "name": name})
    rates[["estimate", "n", "unwon"]] = pd.DataFrame(games, columns=["estimate", "n", "unwon"])
    p = [p_changed(score.up, score.down) for score in counted]
    rates = rates.assign(low=SAME + bounds["low"] / 2, high=SAME + bounds["high"] / 2, p=p, pairs=pairs)
    reach = np.maximum(rates["high"] - rates["estimate"], rates["estimate"] - rates["low"])
    return rates.assign(reach=reach, known=reach <= KNOWN)


def elo_span(fitted: ratings.Ratings) -> Interval:
    """Difference in Elo points between the highest and the lowest level."""
    by_level = fitted.table.sort_values("entrant")["rating"].to_numpy()
    gap, cov = float(by_level[-1] - by_level[0]), fitted.covariance
    half = float(scipy.stats.norm.ppf((1 + LEVEL) / 2) * np.sqrt(cov[0, 0] + cov[-1, -1] - 2 * cov[0, -1]))
    low, high = ratings.ELO * (gap - half), ratings.ELO * (gap + half)
    return Interval(ratings.ELO * gap, low, high, int(fitted.table["n"].sum() // DUEL), LEVEL, "sandwich")


HALVINGS = 16  # bisection steps for the scale of a plan

Gather = Callable[[Experiment, str], tuple[Rows, bool]]


@dataclass(frozen=True)
class Plan:
    """Games to play. levels: lowest first; seats: of the games on balance (levels meet at two seats).

    games: of every entrant (of every part of teams) at each level; pair_games: of every two levels; None: the usual number for
    game and level, times `scale`. played: games with one of the levels in every seat that count instead, because a report shows
    win rates from them.
    """

    game: Game
    cards: CardSet
    levels: tuple[PolicySpec, ...]
    seats: int = DUEL
    games: int | None = None
    pair_games: int | None = None
    seed: int = 1
    scale: float = 1.0
    played: tuple[Experiment, ...] = ()

    def __post_init__(self) -> None:
        if self.seats == 1:
            raise ValueError("seats=1 must be at least 2 to compare levels")
        for name, number in (("level_games", self.games), ("pair_games", self.pair_games)):
            if number is not None and number < PAIR:
                raise ValueError(f"{name}={number} must be at least {PAIR}")
        if DUEL not in self.game.seats_for(self.cards):
            raise ValueError(f"{self.game.title} with these cards is not played at two seats, where levels meet")
        _ = self.alone(0), self.meeting(0, 1)  # raises if the games cannot be played

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the levels."""
        return tuple(str(level) for level in self.levels)

    @cached_property
    def teams(self) -> Teams | None:
        """Teams of the cards; None if entrants are not teams."""
        return self.game.teams_for(self.cards)

    def alone(self, level: int) -> Experiment:
        """Games with one level in every seat; all levels have the same line-ups and dice."""
        for experiment in self.played:
            if experiment.policies == (self.levels[level],):
                return experiment
        units, size = (self.teams.parts, self.teams.size) if self.teams else (len(self.cards.ids), 1)
        entrants = units / (self.seats * size)
        usual = usual_games(self.game, self.levels[level], self.seats, entrants)
        wanted = max(1, ceil(self.games * entrants if self.games else self.scale * usual))
        return Experiment(self.game.name, self.cards, self.seats, (self.levels[level],), wanted, self.seed)

    def meeting(self, lower: int, higher: int) -> Meeting:
        """Games of two levels against each other."""
        wanted = self.pair_games or max(PAIR, round(self.scale * usual_pair_games(self.game, self.levels[higher])))
        policies, seed = (self.levels[lower], self.levels[higher]), seed_of(self.seed, lower, higher)
        return Meeting(self.game.name, self.cards, DUEL, policies, wanted, seed)

    @property
    def games_in_all(self) -> int:
        """Total games of all levels and meetings."""
        met = sum(self.meeting(*pair).games for pair in pairings(len(self.levels)))
        return met + sum(self.alone(level).games for level in range(len(self.levels)))

    def afforded(self, games: int) -> Plan:
        """Scale the usual numbers of games so that they sum to `games` or slightly less.

        Raises ValueError if there are too few games for one round of line-ups of every level and meeting.
        """
        low, high = 0.0, 1.0
        least = replace(self, scale=low).games_in_all
        if games < least:
            raise ValueError(
                f"games={games} must be at least {least}: a round of line-ups of each of {len(self.levels)} levels, and of every "
                "two against each other; name fewer --levels"
            )
        while replace(self, scale=high).games_in_all < games:
            low, high = high, 2 * high
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if replace(self, scale=middle).games_in_all <= games else (low, middle)
        return replace(self, scale=low)


@dataclass(frozen=True, eq=False)
class Skill:
    """Result of a plan. ladder: None if no two levels met."""

    plan: Plan
    ladder: Ladder | None
    balance: Balance
    interrupted: bool
    games: int

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the levels that were played."""
        return self.balance.names


def play_levels(plan: Plan, gather: Gather) -> Skill:
    """Play a plan and analyse the games.

    gather: plays an experiment, given its description, and returns its rows from the first game and whether it was interrupted.
    The last level then counts in whole rounds. Raises KeyboardInterrupt if not even one round was played.
    """
    alone: list[LevelGames] = []
    scores: dict[tuple[int, int], Score] = {}
    interrupted, games = False, 0

    def played(experiment: Experiment, words: str) -> Rows:
        """Whole rounds, in which every entrant sits equally often in every seat."""
        nonlocal interrupted, games
        rows, interrupted = gather(experiment, words)
        rows = rows[: len(rows) // experiment.round_games * experiment.round_games]
        games += len(rows)
        return rows

    for higher, name in enumerate(plan.names):
        experiment = plan.alone(higher)
        if len(rows := played(experiment, f"{name} in every seat")):
            alone.append(LevelGames(name, experiment, rows))
        for lower in reversed(range(higher)):
            if interrupted:
                break
            if len(rows := played(plan.meeting(lower, higher), f"{name} against {plan.names[lower]}")):
                scores[lower, higher] = Score.of(rows)
        if interrupted:
            break
    if not alone:
        raise KeyboardInterrupt
    names = tuple(level.name for level in alone)
    return Skill(plan, ladder(names, scores) if scores else None, balance(alone), interrupted, games)


def same_time(plan: Plan, budget_ms: float) -> list[tuple[PolicySpec, float]]:
    """Levels whose decisions take about the same time, and their measured milliseconds; the numbers of `random` stay.

    Scales the samples or playouts of each level. The only step of a skill run that depends on a clock: the levels that it
    returns reproduce the games. Raises ValueError if two become the same.
    """
    scaled = []
    for named in plan.levels:
        level, spent = named, ms_of(plan, named)
        if named.policy in SCALED:
            most = next(number.most for number in NUMBERS[named.policy] if number.field == "samples")
            for _ in range(ROUNDS_OF_SCALING):
                wanted = round(level.samples * budget_ms / spent)
                level = replace(level, samples=min(most, max(1, wanted)))
                spent = ms_of(plan, level)
        scaled.append((level, spent))
    if len({level for level, _ in scaled}) < len(scaled):
        names = ",".join(str(level) for level, _ in scaled)
        raise ValueError(f"equal_time={budget_ms:g} makes two levels the same, {names}; name different levels or another time")
    return scaled


def ms_of(plan: Plan, level: PolicySpec) -> float:
    """Milliseconds of CPU per decision with a level in every seat, from games that take at least SECONDS_TIMED."""
    games = 1
    while True:
        experiment = Experiment(plan.game.name, plan.cards, plan.seats, (level,), games, plan.seed)
        if games == 1:
            collect(experiment, jobs=1)  # compiled code is loaded once, which is not part of a decision
        began = time.process_time()
        rows = collect(experiment, jobs=1).rows
        seconds = time.process_time() - began
        if seconds >= SECONDS_TIMED:
            return 1000 * seconds / max(1, int(rows["decisions"].sum()))
        games *= 4
