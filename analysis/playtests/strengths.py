"""Strengths of entrants, people and turn positions in games that people played, and the win rates that follow from them.

Line-ups of playtests are not balanced, and people differ. `strengths_of` fits all effects at once (see `stats.luce`). The
adjusted win rate of an entrant is what it would win in the hands of an average person against all other entrants equally often,
on every turn position equally often, in games of as many players as in the log (marginal standardisation, Lane and Nelder 1982,
Biometrics 38:613-621). Intervals are symmetric in log-odds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, logit, ndtri

from analysis.playtests.log import Playtests
from analysis.stats.intervals import LEVEL
from analysis.stats.luce import Contest, Floats, LuceFit, averaged, chances

ENTRANTS_SPREAD = (
    2.0  # standard deviation of the prior of a strength, in log-odds: wide, so that estimates are not pulled to the mean
)
POSITIONS_SPREAD = 1.0
GROUPS_MAX = 300  # groups of opponents over which a win rate is averaged; more are drawn
SEED = 1  # of groups that are drawn


@dataclass(frozen=True, eq=False)
class Strengths:
    """Effects of a log. entrants, people: names; fit: effects of entrants, then people, then turn positions.

    positions: column of the effect by number of players and turn position; missing: the log does not tell who moved first.
    seat_games: games by number of players.
    """

    entrants: tuple[str, ...]
    people: tuple[str, ...]
    positions: dict[tuple[int, int], int]
    seat_games: dict[int, int]
    contest: Contest
    fit: LuceFit

    def rates(self, level: float = LEVEL) -> pd.DataFrame:
        """Adjusted win rates by entrant: estimate, low, high, error (of the log-odds) and fair."""
        rate, jacobian = self._standardised
        error = np.sqrt(np.einsum("ek,kl,el->e", jacobian, self.fit.covariance, jacobian)) / (rate * (1 - rate))
        low, high = bounds(rate, error, level)
        fair = sum(games / seats for seats, games in self.seat_games.items()) / sum(self.seat_games.values())
        return pd.DataFrame({"name": self.entrants, "estimate": rate, "low": low, "high": high, "error": error, "fair": fair})

    def difference(self, first: int, second: int, level: float = LEVEL) -> tuple[float, float, float]:
        """Difference of the adjusted win rates of two entrants: estimate, low and high."""
        rate, jacobian = self._standardised
        gap = jacobian[first] - jacobian[second]
        error = float(np.sqrt(gap @ self.fit.covariance @ gap))
        half = float(ndtri((1 + level) / 2)) * error
        estimate = float(rate[first] - rate[second])
        return estimate, estimate - half, estimate + half

    def duels(self, pairs: NDArray[np.int64], level: float = LEVEL) -> pd.DataFrame:
        """Chance that the first entrant of each pair (n, 2) wins before the second: estimate, low, high."""
        gap = np.zeros((len(pairs), len(self.fit.effects)))
        rows = np.arange(len(pairs))
        gap[rows, pairs[:, 0]] += 1
        gap[rows, pairs[:, 1]] -= 1
        rate = expit(gap @ self.fit.effects)
        low, high = bounds(rate, np.sqrt(np.einsum("nk,kl,nl->n", gap, self.fit.covariance, gap)), level)
        return pd.DataFrame({"estimate": rate, "low": low, "high": high})

    def orders(self, level: float = LEVEL) -> pd.DataFrame:
        """Win share by number of players and turn position, between equals: seats, position, estimate, low, high, error, fair."""
        rows = []
        for seats in sorted({seats for seats, _ in self.positions}):
            columns = [self.positions.get((seats, position), -1) for position in range(seats)]
            strength = np.array([self.fit.effects[column] if column >= 0 else 0.0 for column in columns])
            rate = chances(strength, np.array([0]))
            for position in range(seats):
                slope = np.zeros(len(self.fit.effects))
                for other, column in enumerate(columns):
                    if column >= 0:
                        slope[column] += rate[position] * ((other == position) - rate[other])
                error = float(np.sqrt(slope @ self.fit.covariance @ slope) / (rate[position] * (1 - rate[position])))
                low, high = bounds(rate[position], error, level)
                rows.append((seats, position, rate[position], float(low), float(high), error, 1 / seats))
        return pd.DataFrame(rows, columns=["seats", "position", "estimate", "low", "high", "error", "fair"])

    def skills(self, level: float = LEVEL) -> pd.DataFrame:
        """Chance of each person to beat an average one with an equal entrant, the best first: name, estimate, low, high, n."""
        first = len(self.entrants)
        columns = np.arange(first, first + len(self.people))
        centred = np.eye(len(columns)) - 1 / len(columns)
        covariance = centred @ self.fit.covariance[np.ix_(columns, columns)] @ centred
        rate = expit(centred @ self.fit.effects[columns])
        low, high = bounds(rate, np.sqrt(np.diag(covariance)), level)
        games = np.asarray(self.contest.design[:, columns].sum(axis=0)).ravel()
        frame = pd.DataFrame({"name": self.people, "estimate": rate, "low": low, "high": high, "n": games.astype(int)})
        return frame.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)

    @property
    def slopes(self) -> Floats:
        """Derivatives of the adjusted win rates by effect, (e, k)."""
        return self._standardised[1]

    @cached_property
    def _standardised(self) -> tuple[Floats, Floats]:
        """Adjusted win rates (e,) and their derivatives by effect (e, k)."""
        rate = np.zeros(len(self.entrants))
        slopes = np.zeros((len(self.entrants), len(self.fit.effects)))
        total = sum(self.seat_games.values())
        for seats, games in self.seat_games.items():
            part, slope = self._at(seats)
            rate += part * games / total
            slopes += slope * games / total
        return rate, slopes

    def _at(self, seats: int) -> tuple[Floats, Floats]:
        """Win rates (e,) at a number of players and their derivatives by effect (e, k)."""
        entrants, effects = len(self.entrants), self.fit.effects
        rate, slopes = np.zeros(entrants), np.zeros((entrants, len(effects)))
        if seats == 1:
            return np.ones(entrants), slopes
        for entrant in range(entrants):
            others = groups([other for other in range(entrants) if other != entrant] or [entrant], seats - 1)
            for position in range(seats):
                columns = np.insert(others, position, entrant, axis=1)
                order = np.array([self.positions.get((seats, place), -1) for place in range(seats)])
                bonus = np.where(order >= 0, effects[order], 0.0)
                strength = effects[columns] + bonus
                odds = np.exp(strength - strength.max(axis=1, keepdims=True))
                chance = odds / odds.sum(axis=1, keepdims=True)
                own = chance[:, position]
                change = own[:, None] * ((np.arange(seats) == position) - chance)
                share = 1 / (len(others) * seats)
                rate[entrant] += own.sum() * share
                np.add.at(slopes[entrant], columns.ravel(), change.ravel() * share)
                for place in range(seats):
                    if order[place] >= 0:
                        slopes[entrant, order[place]] += change[:, place].sum() * share
        return rate, slopes


def bounds(rate: Floats | float, error: Floats | float, level: float) -> tuple[Floats, Floats]:
    """Interval of a share whose log-odds have a standard error."""
    inside = np.clip(rate, 1e-12, 1 - 1e-12)
    half = float(ndtri((1 + level) / 2)) * np.asarray(error)
    return np.asarray(expit(logit(inside) - half)), np.asarray(expit(logit(inside) + half))


def groups(others: Sequence[int], size: int) -> NDArray[np.int64]:
    """Groups of opponents (n, size): all combinations, or GROUPS_MAX that are drawn. With too few entrants some occur twice."""
    pool = list(others) * -(-size // len(others))
    if comb(len(pool), size) <= GROUPS_MAX:
        return np.array(list(combinations(pool, size)), np.int64)
    rng = np.random.default_rng(SEED)
    return rng.permuted(np.tile(np.array(pool), (GROUPS_MAX, 1)), axis=1)[:, :size]


def strengths_of(log: Playtests) -> Strengths:
    """Fit the effects of a log; games that nobody won count as nothing. Raises ValueError if no game has a winner."""
    won = log.rows.groupby("game")["share"].transform("sum").to_numpy() > 0
    rows = log.rows[won & (log.rows["seats"] > 1).to_numpy()]
    if rows.empty:
        raise ValueError(f"{log.path}: no game of two or more players has a winner")
    entrants, people = log.entrants, log.players if len(log.players) > 1 else ()
    columns = [_place(rows["entrant"], entrants)]
    if people:
        known = rows["player"].isin(people)
        columns.append(np.where(known, len(entrants) + _place(rows["player"].where(known, people[0]), people), -1))
    counts = games_by_seats(rows)
    positions = _positions(rows, len(entrants) + len(people))
    order = np.array([positions.get(key, -1) for key in zip(rows["seats"], rows["position"], strict=True)])
    columns.append(order)
    index, _ = pd.factorize(rows["game"])
    contest = Contest(_design(columns, len(entrants) + len(people) + len(positions)), index.astype(np.int64), _shares(rows))
    spread = np.repeat((ENTRANTS_SPREAD, 1.0, POSITIONS_SPREAD), (len(entrants), len(people), len(positions)))
    unknown = np.zeros(len(spread), bool)
    unknown[len(entrants) : len(entrants) + len(people)] = True
    return Strengths(entrants, people, positions, counts, contest, averaged(contest, spread, unknown))


def games_by_seats(rows: pd.DataFrame) -> dict[int, int]:
    """Number of games by number of players. rows: of a log."""
    seats = rows.drop_duplicates("game")["seats"].to_numpy()
    return {int(number): int((seats == number).sum()) for number in np.unique(seats)}


def _place(names: pd.Series, order: tuple[str, ...]) -> NDArray[np.int64]:
    return np.asarray(pd.Index(order).get_indexer(pd.Index(names)), np.int64)


def _positions(rows: pd.DataFrame, first: int) -> dict[tuple[int, int], int]:
    """Column of each turn position that the log tells, by number of players."""
    pairs = rows.loc[rows["position"] >= 0, ["seats", "position"]].drop_duplicates().sort_values(["seats", "position"])
    return {(int(seats), int(position)): first + column for column, (seats, position) in enumerate(pairs.itertuples(index=False))}


def _design(columns: Sequence[NDArray[np.int64]], width: int) -> sparse.csr_matrix:
    """A row of ones at the given columns for each player of a game; -1: none."""
    row = np.concatenate([np.flatnonzero(one >= 0) for one in columns])
    column = np.concatenate([one[one >= 0] for one in columns])
    return sparse.csr_matrix((np.ones(len(row)), (row, column)), shape=(len(columns[0]), width))


def _shares(rows: pd.DataFrame) -> Floats:
    return rows["share"].to_numpy(np.float64)
