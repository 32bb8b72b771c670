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
from itertools import combinations, permutations
from math import comb

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, logit, ndtri, softmax

from analysis.playtests.log import Playtests
from analysis.stats.intervals import LEVEL
from analysis.stats.luce import Contest, Floats, Group, LuceFit, averaged, chances

ENTRANTS_SPREAD = 2.0  # standard deviation of the prior of a strength, in log-odds: wide, so that hardly anything is shrunk
POSITIONS_SPREAD = 1.0
PEOPLE = (0.45, 0.65, 0.9, 1.25, 1.75, 2.5)  # spreads of people that are averaged, in log-odds; people do differ
PAIRS, PAIRS_USUAL = (0.05, 0.2, 0.4, 0.7, 1.1), 0.5  # the same of pairs, and the standard deviation of the prior
PAIRS_MAX = 400  # pairs of entrants that have an effect; with more, strengths alone decide
GROUPS_MAX = 300  # groups of opponents over which a win rate is averaged; more are drawn
SEED = 1  # of groups that are drawn


@dataclass(frozen=True, eq=False)
class Strengths:
    """Effects of a log. entrants, people: names; fit: effects of entrants, then people, turn positions and pairs of entrants.

    positions: column of the effect by number of players and turn position; missing: the log does not tell who moved first.
    pairs: (e, e) column of the effect of a pair, which counts for the entrant with the lower index and against the other; -1:
    none. seat_games: games by number of players.
    """

    entrants: tuple[str, ...]
    people: tuple[str, ...]
    positions: dict[tuple[int, int], int]
    pairs: NDArray[np.int64]
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
        """Chance that the first entrant of each pair (n, 2) beats the second.

        Columns estimate, low, high, expected (by the mean log-odds of both against all others), z (of the difference from that).
        """
        gap = self._contrasts(pairs[:, 0], pairs[:, 1])
        rate, error = self._shares(gap)
        low, high = bounds(rate, error, level)
        usual = gap
        if (self.pairs >= 0).any():
            every = np.arange(len(self.entrants))
            mean = np.stack([self._contrasts(np.full(len(every), one), every).mean(axis=0) for one in every])
            usual = mean[pairs[:, 0]] - mean[pairs[:, 1]]
        apart = gap - usual
        spread = np.sqrt(np.einsum("nk,kl,nl->n", apart, self.fit.covariance, apart))
        z = np.divide(apart @ self.fit.effects, spread, out=np.zeros(len(pairs)), where=spread > 0)
        return pd.DataFrame({"estimate": rate, "low": low, "high": high, "expected": self._shares(usual)[0], "z": z})

    def _contrasts(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> Floats:
        """What each effect adds to the log-odds of the first against the second, (n, k)."""
        rows = np.arange(len(first))
        gap = np.zeros((len(first), len(self.fit.effects)))
        np.add.at(gap, (rows, first), 1.0)
        np.add.at(gap, (rows, second), -1.0)
        column = self.pairs[first, second]
        gap[rows[column >= 0], column[column >= 0]] = np.sign(second - first)[column >= 0]
        return gap

    def _shares(self, gap: Floats) -> tuple[Floats, Floats]:
        """Chances whose log-odds are these sums of effects (n, k), and the standard errors of the log-odds."""
        error = np.sqrt(np.einsum("nk,kl,nl->n", gap, self.fit.covariance, gap))
        return np.asarray(expit(gap @ self.fit.effects)), np.asarray(error)

    def chances(self, entrant: NDArray[np.int64], position: NDArray[np.int64]) -> Floats:
        """Winning chances in games between average people, (games, seats).

        entrant: (games, seats) index of each entrant; position: (games, seats) turn order, -1: unknown.
        """
        effects, seats = self.fit.effects, entrant.shape[1]
        order = np.array([self.positions.get((seats, place), -1) for place in range(seats)])
        column = np.where(position >= 0, order[np.clip(position, 0, None)], -1)
        strength = effects[entrant] + np.where(column >= 0, effects[column], 0.0) + self._meeting(entrant)
        return np.asarray(softmax(strength, axis=1))

    def _meeting(self, entrant: NDArray[np.int64]) -> Floats:
        """What the pairs that each entrant makes with the others of its game add to its strength, (games, seats)."""
        one, other = entrant[:, :, None], entrant[:, None, :]
        column = self.pairs[one, other]
        effect = np.where(column >= 0, self.fit.effects[column], 0.0) * np.sign(other - one) / 2
        return np.asarray(effect.sum(axis=2))

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
                line_up = np.insert(others, position, entrant, axis=1)
                chance = self.chances(line_up, np.broadcast_to(np.arange(seats), line_up.shape))
                own = chance[:, position]
                change = own[:, None] * ((np.arange(seats) == position) - chance) / (len(others) * seats)
                rate[entrant] += own.mean() / seats
                np.add.at(slopes[entrant], line_up.ravel(), change.ravel())
                for place in range(seats):
                    if (seats, place) in self.positions:
                        slopes[entrant, self.positions[seats, place]] += change[:, place].sum()
                for one, two in combinations(range(seats), 2):
                    column = self.pairs[line_up[:, one], line_up[:, two]]
                    effect = (change[:, one] - change[:, two]) * np.sign(line_up[:, two] - line_up[:, one]) / 2
                    np.add.at(slopes[entrant], column[column >= 0], effect[column >= 0])
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
    entrant, person = _place(rows["entrant"], entrants), _place(rows["player"], people)
    game, _ = pd.factorize(rows["game"])
    first = len(entrants) + len(people)
    positions = _positions(rows, first)
    pairs, meetings = _pairs(entrant, game, len(entrants), first + len(positions))
    order = [positions.get(key, -1) for key in zip(rows["seats"].tolist(), rows["position"].tolist(), strict=True)]
    row = np.arange(len(rows))
    single = (row, entrant, 1.0), (row, np.where(person >= 0, len(entrants) + person, -1), 1.0), (row, np.array(order), 1.0)
    width = max(first + len(positions), int(pairs.max(initial=-1)) + 1)
    contest = Contest(_design([*single, meetings], (len(rows), width)), game.astype(np.int64), rows["share"].to_numpy(np.float64))
    sizes = (len(entrants), len(people), len(positions), width - first - len(positions))
    spread = np.repeat((ENTRANTS_SPREAD, 1.0, POSITIONS_SPREAD, 1.0), sizes)
    kind = np.repeat(np.arange(4), sizes)
    groups = Group(kind == 1, PEOPLE), Group(kind == 3, PAIRS, PAIRS_USUAL)
    return Strengths(entrants, people, positions, pairs, games_by_seats(rows), contest, averaged(contest, spread, groups))


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


def _pairs(
    entrant: NDArray[np.int64], game: NDArray[np.int64], entrants: int, first: int
) -> tuple[NDArray[np.int64], tuple[NDArray[np.int64], NDArray[np.int64], Floats]]:
    """Column of each pair that met, (e, e), and row, column and value of the design for the effects of pairs.

    entrant, game: by row; first: column of the first pair. A pair counts half for one side and half against the other.
    """
    left, right = _opponents(game)
    differ = entrant[left] != entrant[right]
    left, right = left[differ], right[differ]
    low, high = np.minimum(entrant[left], entrant[right]), np.maximum(entrant[left], entrant[right])
    pairs = np.full((entrants, entrants), -1, np.int64)
    met, column = np.unique(low * entrants + high, return_inverse=True)
    if len(met) > PAIRS_MAX:
        return pairs, (left[:0], left[:0], np.zeros(0))
    pairs[met // entrants, met % entrants] = pairs[met % entrants, met // entrants] = first + np.arange(len(met))
    return pairs, (left, first + column, np.where(entrant[left] == low, 0.5, -0.5))


def _opponents(game: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows of all ordered pairs of players of the same game. game: by row, in ascending order."""
    sizes, starts = np.bincount(game), np.flatnonzero(np.diff(game, prepend=-1))
    left, right = [], []
    for seats in np.unique(sizes):
        begin = starts[sizes == seats]
        for one, two in permutations(range(int(seats)), 2):
            left.append(begin + one)
            right.append(begin + two)
    return np.concatenate(left), np.concatenate(right)


def _design(
    parts: Sequence[tuple[NDArray[np.int64], NDArray[np.int64], Floats | float]], shape: tuple[int, int]
) -> sparse.csr_matrix:
    """The sum of parts, each row, column and value; column -1: none."""
    row, column = (np.concatenate([part[which] for part in parts]) for which in (0, 1))
    value = np.concatenate([np.broadcast_to(part[2], part[0].shape) for part in parts])
    use = column >= 0
    return sparse.csr_matrix((value[use], (row[use], column[use])), shape=shape)
