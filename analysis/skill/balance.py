"""Balance at several levels of play, with one policy in every seat, and games of two policies against each other.

All levels play the same line-ups with the same dice. Good players play them similarly, so that the difference of two win rates is
more precise than either: its interval combines both intervals and the correlation of the estimates (Zou 2007, Psychological
Methods 12:399-413; with Wilson's intervals it is method 10 of Newcombe 1998, Statistics in Medicine 17:2635-2650). An entrant
flips between two levels if it is significantly above its share at one and significantly below at the other, with p-values
adjusted over all entrants and levels (Holm): if there are no flips, none is reported with a probability of 95 %.

Two policies play every line-up twice with the same dice and swap seats for the second game, so that the effects of entrants and
seats and most of the luck cancel; if mirror matches are allowed, both seats have the same entrant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from analysis.answer import verdicts
from analysis.answer.numbers import count
from analysis.data import rows as clustered
from analysis.data.encounters import DUEL, PAIR
from analysis.data.rows import Rows, Tally
from analysis.data.shares import LEAST_ENTRANTS, Shares, by_entrant, spread
from analysis.stats.intervals import LEVEL, Interval, adjust, mean, proportion
from analysis.stats.rank_agreement import LEAST, Known, agreement
from analysis.variants.variant import unit_names
from analysis.winrates.rates import PartTally, fair_share, win_rates
from sim.experiments.designs import Design
from sim.experiments.experiment import Experiment
from sim.run import Block

Floats = NDArray[np.float64]

LEAST_GAMES = 2  # for a mean with an interval


@dataclass(frozen=True, eq=False)
class LevelGames:
    """Games of one level in whole rounds, from the first one. name: the policy in every seat."""

    name: str
    experiment: Experiment
    rows: Rows

    @property
    def shares(self) -> Shares:
        """Win shares of the entrants or, for teams, of their parts."""
        teams = self.experiment.teams
        games = Shares.of(self.experiment, lambda _: iter([Block(0, self.rows, self.rows[:0])]))
        return games.of_parts(teams.members) if teams else games


def rates_of(games: LevelGames) -> pd.DataFrame:
    """Win rate of every unit, in order: level, name, estimate, low, high (each alone), n (finished games), fair, p."""
    made, seats = games.experiment, games.experiment.seats
    tally = Tally.empty(len(made.cards.ids), seats).add(games.rows)
    if made.teams:
        parts = PartTally(made)
        parts.add(games.rows)
        rates = parts.rates(fair_share(seats, float(tally.decided[seats])), LEVEL).sort_values("part")
    else:
        rates = win_rates(tally, seats, unit_names(made), level=LEVEL).sort_values("entrant")
    rates = rates.assign(level=games.name)[["level", "name", "estimate", "low", "high", "n", "fair", "p"]]
    return rates.reset_index(drop=True)


def pulls(level_games: LevelGames) -> Floats:
    """Influence of each round or game on the win rate of each unit, (clusters, units); the squares sum to its variance.

    Clusters are rounds for teams, whose parts meet repeatedly in a round, else games; units without games have influence 0. The
    same row of two levels is the same line-ups and dice.
    """
    shares, units = level_games.shares, len(unit_names(level_games.experiment))
    sits, won = by_entrant(shares.entrant, shares.share, units)
    sits = sits * ~shares.truncated[:, None]
    games = sits.sum(axis=0)
    rate = np.divide(won.sum(axis=0), games, out=np.zeros(units), where=games > 0)
    influence = np.divide(won - rate * sits, games, out=np.zeros(sits.shape), where=games > 0)
    if level_games.experiment.teams:
        number = level_games.experiment.round_of(level_games.rows["game"].astype(np.int64))
        influence = np.add.reduceat(influence, np.flatnonzero(np.diff(number, prepend=-1)))
    return np.asarray(influence * np.sqrt(len(influence) / max(1, len(influence) - 1)), np.float64)


def correlation(first: Floats, second: Floats) -> Floats:
    """Correlation of each unit's rates at two levels, from their `pulls`; 0 if one of them does not vary."""
    both = min(len(first), len(second))
    size = np.sqrt((first**2).sum(axis=0) * (second**2).sum(axis=0))
    shared = (first[:both] * second[:both]).sum(axis=0)
    values = np.divide(shared, size, out=np.zeros(len(size)), where=size > 0)
    return np.asarray(values.clip(-1, 1), np.float64)


def whole(levels: Sequence[LevelGames]) -> pd.DataFrame:
    """Properties of the game at each level, one line each.

    Columns: level, games; spread (of the win rates; see `analysis.data.shares.spread`), first (win share of the first player, in
    finished games), turns (mean length, with the turns of truncated games until they were stopped), truncated (share of the
    games), each with _low and _high, nan where games are too few; p (of first against the fair share).
    """
    lines = []
    for games in levels:
        shares, made, units = games.shares, games.experiment, len(unit_names(games.experiment))
        line: dict[str, Any] = {"level": games.name, "games": len(games.rows), "p": np.nan}
        bounds: dict[str, Any] = dict.fromkeys(("spread", "first"))
        sits, _ = by_entrant(shares.entrant, shares.share, units)
        if (sits.sum(axis=0) >= LEAST_GAMES).sum() >= LEAST_ENTRANTS:
            bounds["spread"] = spread(shares, units)
        known = ~np.isnan(shares.of_first) & ~shares.truncated
        if known.any():
            fair = fair_share(made.seats, float((shares.share.max(axis=1) > 0)[known].mean()))
            pair = made.pair_of(games.rows["game"].astype(np.int64))[known]
            first = clustered.shares(pair, np.zeros(len(pair), np.int64), shares.of_first[known], 1)
            bounds["first"] = first.iloc[0]
            line["p"] = float(clustered.p_against(first, fair)[0]) if 0 < fair < 1 else np.nan
        turns = shares.by_pair(shares.turns)
        bounds["turns"] = mean(turns) if len(turns) >= LEAST_GAMES else Interval(float(turns.mean()), np.nan, np.nan, 1, LEVEL)
        bounds["truncated"] = proportion(int(shares.truncated.sum()), len(games.rows))
        for what, result in bounds.items():
            for name, end in ((what, "estimate"), (f"{what}_low", "low"), (f"{what}_high", "high")):
                line[name] = np.nan if result is None else getattr(result, end)
        lines.append(line)
    return pd.DataFrame(lines)


@dataclass(frozen=True, eq=False)
class Twice(Design):
    """Every line-up of another design twice in a row; see `Design`."""

    planned: Design

    pair_games = PAIR

    @property
    def lineups(self) -> int:
        """Line-ups of the planned design."""
        return self.planned.lineups

    @property
    def round_games(self) -> int:
        """Twice those of the planned design."""
        return PAIR * self.planned.round_games

    @property
    def pass_games(self) -> int | None:
        """Twice those of the planned design, if it has passes."""
        whole = self.planned.pass_games
        return None if whole is None else PAIR * whole

    def entrants_of(self, index: np.ndarray) -> np.ndarray:
        """Entrants by game and seat."""
        return self.planned.entrants_of(index // PAIR)

    def words(self, games: int) -> str:
        """The design in words."""
        return f"{self.planned.words(-(-games // PAIR))}, each twice with the same dice, with policies swapped"


@dataclass(frozen=True, eq=False)
class Mirrored(Design):
    """Every entrant in turn, in all seats; see `Design`."""

    entrants: int

    @property
    def lineups(self) -> int:
        """One line-up for each entrant."""
        return self.entrants

    @property
    def round_games(self) -> int:
        """One game of each entrant."""
        return self.entrants

    def entrants_of(self, index: np.ndarray) -> np.ndarray:
        """Entrants by game and seat."""
        return np.repeat((index % self.entrants)[:, None], self.seats, axis=1)

    def words(self, games: int) -> str:
        """The design in words."""
        return f"{count(games)} games of each entrant against itself, all equally often"


@dataclass(frozen=True)
class Meeting(Experiment):
    """Games of two policies at two seats, in pairs with swapped seats. policies: lower, higher."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.seats != DUEL or len(self.policies) != DUEL:
            raise ValueError(f"seats={self.seats}, policies={self.policy_words!r}: two policies meet at two seats")

    @cached_property
    def _design(self) -> Design:
        """Line-ups of the usual design, or mirror matches, twice each."""
        alike = self.mirror and self.teams is None and self.line_up is None
        return Twice(self.seats, Mirrored(self.seats, len(self.cards.ids)) if alike else self._single)

    def plan_of(self, index: np.ndarray) -> np.ndarray:
        """See `Experiment`; in the second game of a pair the policies swap seats."""
        lines = super().plan_of(index)
        seat_of_lower = (np.asarray(index, np.int64) % PAIR)[:, None]
        lines["player"][:, :DUEL] ^= seat_of_lower.astype(lines["player"].dtype)
        return lines


SURE = 0.05
FLIPS, HOLDS, MOVES, OPEN = "flips", "holds", "moves", "not decided"


@dataclass(frozen=True, eq=False)
class Balance:
    """Balance level by level.

    names: of the levels, lowest first; units: names of the entrants, or of the parts of teams. rates: one line per level and
    unit: level, name, estimate, low, high, n (finished games), fair, p, p_holm (over all lines), side (+1 significantly above
    the fair share, -1 below, 0 neither) and verdict; the intervals hold together over all lines. changes: one line per unit and
    pair of levels: name, first, second (levels), before, after, side_before, side_after, change, low, high, p, p_holm, verdict
    (FLIPS, HOLDS, MOVES or OPEN). orders: see `orders`. whole: see `whole`.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    seats: int
    rates: pd.DataFrame
    changes: pd.DataFrame
    orders: pd.DataFrame
    whole: pd.DataFrame


def balance(levels: Sequence[LevelGames]) -> Balance:
    """Compute the balance. levels: lowest first, of one game and number of seats. Raises ValueError without any."""
    if not levels:
        raise ValueError("levels is empty: balance needs at least one level")
    base, names = levels[0].experiment, tuple(games.name for games in levels)
    units = tuple(unit_names(base))
    alone = pd.concat([rates_of(games) for games in levels], ignore_index=True)
    rates = level_verdicts(alone)
    pulled = [pulls(games) for games in levels]
    pairs = combinations(range(len(names)), 2)
    shared = {(lower, higher): correlation(pulled[lower], pulled[higher]) for lower, higher in pairs}
    changes = changes_of(rates.assign(low=alone["low"], high=alone["high"]), names, shared)
    return Balance(names, units, base.seats, rates, changes, orders(rates, names, pulled, base.seed), whole(levels))


def level_verdicts(rates: pd.DataFrame) -> pd.DataFrame:
    """Add p_holm over all levels, side and verdict; the intervals become simultaneous over all levels."""
    p_holm = adjust(rates["p"])
    side = np.where(p_holm < SURE, np.sign(rates["estimate"] - rates["fair"]), 0).astype(np.int64)
    return verdicts.with_verdicts(verdicts.simultaneous(rates.assign(p_holm=p_holm, side=side)))


def changes_of(rates: pd.DataFrame, names: Sequence[str], correlations: dict[tuple[int, int], Floats]) -> pd.DataFrame:
    """Changes of the rates of `level_verdicts` between every two levels, and of the conclusions.

    rates: with intervals that hold alone. correlations: of the estimates of each unit at two levels, by indices of the levels.
    """
    by_level = {name: part.reset_index(drop=True) for name, part in rates.groupby("level", sort=False)}
    parts = []
    for (lower, higher), shared in correlations.items():
        before, after = by_level[names[lower]], by_level[names[higher]]
        facts: dict[str, Any] = {"name": before["name"], "first": names[lower], "second": names[higher]}
        for word, part in (("before", before), ("after", after)):
            facts |= {word: part["estimate"], f"side_{word}": part["side"], f"verdict_{word}": part["verdict"]}
        parts.append(pd.DataFrame({**facts, **_differences(before, after, shared)}))
    if not parts:
        return pd.DataFrame()
    changes = pd.concat(parts, ignore_index=True)
    changes = changes.assign(p_holm=adjust(changes["p"]))
    same, fair = changes["side_before"] * changes["side_after"], changes[["verdict_before", "verdict_after"]] == "fair"
    known = [same < 0, (same > 0) | fair.all(axis=1), changes["p_holm"] < SURE]
    return changes.assign(verdict=np.select(known, [FLIPS, HOLDS, MOVES], OPEN).astype(object))


def _differences(before: pd.DataFrame, after: pd.DataFrame, correlation: Floats) -> dict[str, Any]:
    """After minus before with interval and p-value, from both intervals and the correlation of the estimates."""

    def joined(new: Floats, old: Floats) -> Floats:
        return np.asarray(np.sqrt((new**2 + old**2 - 2 * correlation * new * old).clip(min=0)))

    ends = [[part[name].to_numpy(np.float64) for name in ("estimate", "low", "high")] for part in (before, after)]
    (b, b_low, b_high), (a, a_low, a_high) = ends
    change, quantile = a - b, float(scipy.stats.norm.ppf((1 + LEVEL) / 2))
    error = joined(*((high - low) / 2 / quantile for low, high in ((a_low, a_high), (b_low, b_high))))
    z = np.divide(np.abs(change), error, out=np.zeros(len(change)), where=error > 0)
    p = np.where(np.isfinite(change), 2 * scipy.stats.norm.sf(z), np.nan)
    low, high = change - joined(a - a_low, b_high - b), change + joined(a_high - a, b - b_low)
    return {"change": change, "low": low, "high": high, "p": p}


def orders(rates: pd.DataFrame, names: Sequence[str], pulled: Sequence[Floats], seed: int) -> pd.DataFrame:
    """Rank agreement of the units between every two levels: first, second, seen, tau, low, high, things.

    See `agreement`; empty if there are too few units, or some have no games. pulled: see `pulls`.
    """
    estimates = [rates.loc[rates["level"] == name, "estimate"].to_numpy() for name in names]
    lines = []
    for lower, higher in combinations(range(len(names)), 2):
        values, (first, second) = [estimates[lower], estimates[higher]], (pulled[lower], pulled[higher])
        if len(values[0]) < LEAST or not np.isfinite(values).all():
            continue
        known = [Known.of(value, pull.T @ pull) for value, pull in zip(values, (first, second), strict=True)]
        if all(np.trace(each.covariance) > 0 for each in known):
            both = min(len(first), len(second))  # the covariances of the rates of one level with those of the other
            result = agreement(known[0], known[1], seed, across=first[:both].T @ second[:both])
            lines.append({"first": names[lower], "second": names[higher], **vars(result)})
    return pd.DataFrame(lines, columns=["first", "second", "seen", "tau", "low", "high", "things"])
