"""How the balance changes from one level of play to the next, and games of two levels.

Games with one policy in every seat: win rates with their errors, and the game itself.

Games of two policies against each other, in pairs that differ in who plays which seat alone.

Every line-up is played twice with the same dice, the policies on the other seats the second time, so that entrants, seats and
most of the luck fall out; where an entrant may sit on two seats, both have the same.

Balance at several levels of play: who wins how often when all seats play alike, and which conclusions hold at every level.

All levels play the same line-ups with the same dice. Two good players do much the same with them, so that the difference of their
win rates is surer than each of these: its interval is made of both intervals and the correlation of the two estimates (Zou
2007, Psychological Methods 12:399-413; with Wilson's intervals it is method 10 of Newcombe 1998, Statistics in Medicine
17:2635-2650).

An entrant flips between two levels if it wins surely more than its share at one and surely less at the other, both p-values
adjusted over all entrants and levels (Holm): no flip at all is told with a chance of 95 % where there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from analysis.data import clustered
from analysis.data.encounters import DUEL, PAIR
from analysis.data.rows import Rows, Tally
from analysis.data.shares import LEAST_ENTRANTS, Shares, by_entrant, spread
from analysis.document import verdicts
from analysis.document.cells import count
from analysis.stats.intervals import LEVEL, adjust, mean, proportions
from analysis.stats.rank_agreement import LEAST, Known, agreement
from analysis.variants.variant import unit_names
from analysis.winrates.counts import PartTally
from analysis.winrates.rates import fair_share, win_rates
from sim.designs import Design
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.policies import PolicySpec
from sim.experiment import Experiment
from sim.run import Block

if TYPE_CHECKING:
    from sim.engine.contract import Game
    from sim.engine.policies import PolicySpec

Floats = NDArray[np.float64]

LEAST_GAMES = 2  # of which a mean has an interval
NOTHING = (float("nan"),) * 3
WHOLE = ("spread", "first", "turns", "truncated")


@dataclass(frozen=True, eq=False)
class LevelGames:
    """Games of one level, whole rounds of them from the first on. name: the policy in every seat."""

    name: str
    experiment: Experiment
    rows: Rows

    @property
    def shares(self) -> Shares:
        """Their win shares, of the parts where the entrants are teams."""
        teams = self.experiment.teams
        found = Shares.of(self.experiment, lambda _: iter([Block(0, self.rows, self.rows[:0])]))
        return found.of_parts(teams.members) if teams else found


def rates_of(one: LevelGames, level: float = LEVEL) -> pd.DataFrame:
    """Win rate of every unit in its order: level, name, estimate, low, high, n (finished games), fair, p, p_out, p_in."""
    made, seats = one.experiment, one.experiment.seats
    tally = Tally.empty(len(made.cards.ids), seats).add(one.rows)
    if made.teams:
        parts = PartTally(made)
        parts.add(one.rows)
        found = parts.rates(fair_share(seats, float(tally.decided[seats])), level).sort_values("part")
    else:
        found = win_rates(tally, seats, unit_names(made), level).sort_values("entrant")
    found = found.assign(level=one.name)[
        ["level", "name", "estimate", "low", "high", "n", "fair", "p", "p_out", "p_in"]
    ]
    return found.reset_index(drop=True)


def pulls(one: LevelGames) -> Floats:
    """How much each round or game pulls the win rate of each unit, (clusters, units): their squares sum to its variance.

    Clusters are rounds where entrants are teams, whose parts meet again and again in a round, else games; one of an entrant
    without games pulls nothing. Of two levels the same line stands for the same line-ups and dice.
    """
    shares, units = one.shares, len(unit_names(one.experiment))
    sits, won = by_entrant(shares.entrant, shares.share, units)
    sits = sits * ~shares.capped[:, None]
    games = sits.sum(axis=0)
    rate = np.divide(won.sum(axis=0), games, out=np.zeros(units), where=games > 0)
    found = np.divide(won - rate * sits, games, out=np.zeros(sits.shape), where=games > 0)
    if one.experiment.teams:
        number = one.experiment.round_of(one.rows["game"].astype(np.int64))
        found = np.add.reduceat(found, np.flatnonzero(np.diff(number, prepend=-1)))
    return np.asarray(found * np.sqrt(len(found) / max(1, len(found) - 1)), np.float64)


def across(first: Floats, second: Floats) -> Floats:
    """Covariances of the rates of one level (rows) with those of another, by their pulls."""
    both = min(len(first), len(second))
    return np.asarray(first[:both].T @ second[:both], np.float64)


def correlation(first: Floats, second: Floats) -> Floats:
    """Correlation of each unit's rates at two levels; 0 where one of them does not vary."""
    size = np.sqrt((first**2).sum(axis=0) * (second**2).sum(axis=0))
    shared = np.diag(across(first, second))
    found = np.divide(shared, size, out=np.zeros(len(size)), where=size > 0)
    return np.asarray(found.clip(-1, 1), np.float64)


def whole(levels: Sequence[LevelGames], level: float = LEVEL) -> pd.DataFrame:
    """The game itself at each level, one line each.

    Columns: level, games; spread (of the win rates; see `spread.spread`), first (win share of whoever goes first, of finished
    games), turns (mean length; a stopped game counts with its turns until then), truncated (share of the games), each with _low
    and _high; p (of first against the fair share).
    """
    lines = []
    for one in levels:
        shares, units = one.shares, len(unit_names(one.experiment))
        first, p = _first(one, shares, level)
        truncated = proportions([int(shares.capped.sum())], [len(one.rows)], level).iloc[0]
        stopped = (truncated["estimate"], truncated["low"], truncated["high"])
        line: dict[str, Any] = {"level": one.name, "games": len(one.rows), "p": p}
        for what, bounds in zip(
            WHOLE, (_spread(shares, units, level), first, _turns(shares, level), stopped), strict=True
        ):
            line |= dict(zip((what, f"{what}_low", f"{what}_high"), bounds, strict=True))
        lines.append(line)
    return pd.DataFrame(lines)


def _spread(shares: Shares, units: int, level: float) -> tuple[float, ...]:
    """Spread of the win rates; nan where too few units have games."""
    sits, _ = by_entrant(shares.entrant, shares.share, units)
    if (sits.sum(axis=0) >= LEAST_GAMES).sum() < LEAST_ENTRANTS:
        return NOTHING
    found = spread(shares, units, level)
    return found.estimate, found.low, found.high


def _first(one: LevelGames, shares: Shares, level: float) -> tuple[tuple[float, ...], float]:
    """Win share of whoever goes first in finished games, and its p-value against the fair share."""
    share = shares.of_first
    known = ~np.isnan(share) & ~shares.capped
    if not known.any():
        return NOTHING, float("nan")
    seats = one.experiment.seats
    fair = fair_share(seats, float((shares.share.max(axis=1) > 0)[known].mean()))
    pair = one.experiment.pair_of(one.rows["game"].astype(np.int64))[known]
    found = clustered.shares(pair, np.zeros(len(pair), np.int64), share[known], 1, level)
    line = found.iloc[0]
    p = float(clustered.p_against(found, fair)[0]) if 0 < fair < 1 else float("nan")
    return (line["estimate"], line["low"], line["high"]), p


def _turns(shares: Shares, level: float) -> tuple[float, ...]:
    """Mean length."""
    turns = shares.by_pair(shares.turns)
    if len(turns) < LEAST_GAMES:
        return float(turns.mean()), float("nan"), float("nan")
    found = mean(turns, level)
    return found.estimate, found.low, found.high


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


SURE = 0.05
FLIPS, HOLDS, MOVES, OPEN = "flips", "holds", "moves", "not decided"


@dataclass(frozen=True, eq=False)
class Balance:
    """Balance level by level.

    names: of the levels, the lowest first; units: of the entrants, or of the parts of teams. rates: one line per level and
    unit: level, name, estimate, low, high, n (finished games), fair, p, p_holm (over all lines), side (+1 surely above the
    fair share, -1 surely below, 0), and those of `verdicts.judged` over all lines. changes: one line per
    unit and two levels: name, first, second (levels), before, after, side_before, side_after, change, low, high, p,
    p_holm, verdict (FLIPS, HOLDS, MOVES or OPEN). orders: see
    `orders`. whole: one line per level, see `whole`.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    seats: int
    rates: pd.DataFrame
    changes: pd.DataFrame
    orders: pd.DataFrame
    whole: pd.DataFrame


def balance(levels: Sequence[LevelGames], level: float = LEVEL) -> Balance:
    """Work out the balance. levels: the lowest first, of one game and number of seats. Raises ValueError without any."""
    if not levels:
        raise ValueError("levels: none was played; balance is told of one at least")
    base, names = levels[0].experiment, tuple(one.name for one in levels)
    units = tuple(unit_names(base))
    rates = judged(pd.concat([rates_of(one, level) for one in levels], ignore_index=True))
    pulled = [pulls(one) for one in levels]
    shared = {two: correlation(*(pulled[at] for at in two)) for two in combinations(range(len(names)), 2)}
    changes = changes_of(rates, names, shared, level)
    return Balance(
        names, units, base.seats, rates, changes, orders(rates, names, pulled, base.seed), whole(levels, level)
    )


def judged(rates: pd.DataFrame) -> pd.DataFrame:
    """Rates of all levels with p_holm over all of them, side, and the verdicts of `verdicts.judged`."""
    p_holm = adjust(rates["p"])
    side = np.where(p_holm < SURE, np.sign(rates["estimate"] - rates["fair"]), 0).astype(np.int64)
    return verdicts.judged(rates.assign(p_holm=p_holm, side=side))


def changes_of(
    rates: pd.DataFrame, names: Sequence[str], correlations: dict[tuple[int, int], Floats], level: float = LEVEL
) -> pd.DataFrame:
    """How the rates of `judged` change between every two levels, and what becomes of the conclusions.

    correlations: of the estimates of each unit at two levels, by the numbers of the levels.
    """
    by_level = {name: part.reset_index(drop=True) for name, part in rates.groupby("level", sort=False)}
    parts = []
    for (one, other), shared in correlations.items():
        before, after = by_level[names[one]], by_level[names[other]]
        facts: dict[str, Any] = {"name": before["name"], "first": names[one], "second": names[other]}
        for word, part in (("before", before), ("after", after)):
            facts |= {word: part["estimate"], f"side_{word}": part["side"], f"verdict_{word}": part["verdict"]}
        parts.append(pd.DataFrame({**facts, **_differences(before, after, shared, level)}))
    if not parts:
        return pd.DataFrame()
    found = pd.concat(parts, ignore_index=True)
    found = found.assign(p_holm=adjust(found["p"]))
    return found.assign(verdict=[_became(row) for _, row in found.iterrows()])


def _became(row: pd.Series) -> str:
    """What became of the conclusion on one unit between two levels."""
    if row["side_before"] * row["side_after"] < 0:
        return FLIPS
    fair_at_both = row["verdict_before"] == row["verdict_after"] == "fair"
    if row["side_before"] * row["side_after"] > 0 or fair_at_both:
        return HOLDS
    return MOVES if row["p_holm"] < SURE else OPEN


def _differences(before: pd.DataFrame, after: pd.DataFrame, correlation: Floats, level: float) -> dict[str, Any]:
    """After less before with interval and p-value, from the two intervals and the correlation of the estimates."""
    change = (after["estimate"] - before["estimate"]).to_numpy()
    reach = {}
    for side, bound in (("low", -1), ("high", 1)):
        toward, against = ("low", "high") if bound < 0 else ("high", "low")
        own = (after["estimate"] - after[toward]).abs().to_numpy()
        other = (before["estimate"] - before[against]).abs().to_numpy()
        reach[side] = change + bound * np.sqrt((own**2 + other**2 - 2 * correlation * own * other).clip(min=0))
    quantile = float(stats.norm.ppf((1 + level) / 2))
    errors = [((part["high"] - part["low"]) / 2 / quantile).to_numpy() for part in (before, after)]
    error = np.sqrt((errors[0] ** 2 + errors[1] ** 2 - 2 * correlation * errors[0] * errors[1]).clip(min=0))
    z = np.divide(np.abs(change), error, out=np.zeros(len(change)), where=error > 0)
    p = np.where(np.isfinite(change), 2 * stats.norm.sf(z), np.nan)
    return {"change": change, **reach, "p": p}


def orders(rates: pd.DataFrame, names: Sequence[str], pulled: Sequence[Floats], seed: int) -> pd.DataFrame:
    """How far the order of the units agrees between every two levels: first, second, seen, tau, low, high, things.

    See `agreement.agreement`; empty where there are too few units to have an order, or some have no games. pulled: see `pulls`.
    """
    lines = []
    for one, other in combinations(range(len(names)), 2):
        values = [rates.loc[rates["level"] == names[at], "estimate"].to_numpy() for at in (one, other)]
        if len(values[0]) < LEAST or not np.isfinite(values).all():
            continue
        known = [Known.of(value, pulled[at].T @ pulled[at]) for value, at in zip(values, (one, other), strict=True)]
        if all(np.trace(each.covariance) > 0 for each in known):
            found = agreement(known[0], known[1], seed, across=across(pulled[one], pulled[other]))
            lines.append({"first": names[one], "second": names[other], **vars(found)})
    return pd.DataFrame(lines, columns=["first", "second", "seen", "tau", "low", "high", "things"])
