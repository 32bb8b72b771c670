"""Logistic ridge regression on games between teams: parts unpenalised, pairs and counters shrunk, errors over rounds.

Games are grouped into lines, one for each matchup and seat that went first, so that the work grows with the number of matchups
rather than games. The fit is penalised iterated least squares. The spreads (standard deviations) of pairs and of counters are
chosen by empirical Bayes on the quadratic that each step solves (PQL: Breslow and Clayton 1993, JASA 88:9-25; fixed point of
MacKay 1992, Neural Computation 4:415-447). The penalty of Chung, Rabe-Hesketh, Dorie, Gelman and Liu (2013, Psychometrika
78:685-709) keeps them above 0, because a spread of 0 would give terms without an interval. Games that share dice carry more or
less information than independent ones; the likelihood of each kind of term is scaled accordingly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import expit

from analysis.data.rows import Rows, check_rows
from analysis.data.shares import Play
from sim.engine.loop import Status
from sim.engine.teams import Teams
from sim.experiments.experiment import Experiment
from sim.run import blocks

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SEATS = 2
TERMS_MAX = 2500  # parts, pairs and counters together: about fifty parts; the work grows with the cube
STARTS = 3  # values of `started`


@dataclass(frozen=True, eq=False)
class Contests:
    """Games of two teams, one entry per game.

    first, second: entrants in seats 0 and 1. share: share of the win of seat 0, 0..1. started: +1 if seat 0 went first, -1 if
    seat 1 did, 0 if unknown. cluster: any integer that is equal for correlated games (those of a round, or that share dice).
    """

    first: Ints
    second: Ints
    share: Floats
    started: Ints
    cluster: Ints

    @classmethod
    def of(cls, rows: Rows, cluster: NDArray[Any]) -> Contests:
        """Take the finished games of two seats that have a winner. cluster: one entry per row.

        Raises ValueError for another number of seats.
        """
        check_rows(rows)
        if np.any(rows["seats"] != SEATS):
            raise ValueError(f"games of {int(rows['seats'].max())} seats: teams are compared at {SEATS}")
        shares = rows["share"][:, :SEATS].astype(np.float64)
        won = shares.sum(axis=1)
        kept = (rows["status"] == Status.FINISHED) & (won > 0)
        first, second = rows["entrant"][kept, :SEATS].astype(np.int64).T
        start = rows["first"][kept].astype(np.int64)
        share, cluster = shares[kept, 0] / won[kept], np.asarray(cluster)[kept].astype(np.int64)
        return cls(first, second, share, np.where(start < 0, 0, 1 - 2 * start), cluster)

    @classmethod
    def from_experiment(cls, experiment: Experiment, play: Play | None = None) -> Contests:
        """Play an experiment of two seats; clusters are the rounds of its design. play: as in `Shares.of`."""
        rows = np.concatenate([block.rows for block in (play or blocks)(experiment)])
        return cls.of(rows, experiment.round_of(rows["game"].astype(np.int64)))

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def rounds(self) -> tuple[int, Ints]:
        """Number of clusters, and the cluster of each game, numbered from 0."""
        known, number = np.unique(self.cluster, return_inverse=True)
        return len(known), number.ravel()


@dataclass(frozen=True, eq=False)
class Lines:
    """Games grouped by matchup and seat that went first, with the lower entrant as `first`.

    first, second, started: (lines,), as in `Contests`. n, wins: games, and the sum of the shares of `first`. line: (games,),
    line of each game; turned: (games,), whether its seats are swapped; share: (games,), share of the line's `first`. rounds,
    number: see `Contests.rounds`.
    """

    first: Ints
    second: Ints
    started: Ints
    n: Floats
    wins: Floats
    line: Ints
    turned: NDArray[np.bool_]
    share: Floats
    rounds: int
    number: Ints

    @classmethod
    def of(cls, games: Contests, entrants: int) -> Lines:
        """Group the games. Raises ValueError for entrants outside 0..entrants-1."""
        turned, shape = games.first > games.second, (entrants, entrants, STARTS)
        low, high = np.minimum(games.first, games.second), np.maximum(games.first, games.second)
        cell = np.ravel_multi_index((low, high, np.where(turned, -games.started, games.started) + 1), shape)
        cells, line, n = np.unique(cell, return_inverse=True, return_counts=True)
        first, second, start = np.unravel_index(cells, shape)
        share = np.where(turned, 1 - games.share, games.share)
        wins = np.asarray(np.bincount(line, share, len(cells)), np.float64)
        return cls(first, second, start - 1, n.astype(np.float64), wins, line, turned, share, *games.rounds)


class Terms:
    """Terms whose sum is the logit of a win: going first, parts, pairs inside a team, counters between teams.

    Columns in this order: 1, parts, pairs i < j, counters i < j (read as i against j); part, pair, counter: their slices. pairs:
    (2, pairs), the indices i and j. inside: (entrants, pairs of a team), indices of the pairs inside each team. Raises
    ValueError beyond TERMS_MAX.
    """

    def __init__(self, teams: Teams) -> None:
        self.teams, self.columns = teams, teams.parts**2 + 1  # n + 2 n (n - 1) / 2, and going first
        if self.columns > TERMS_MAX:
            raise ValueError(f"{teams.parts} parts make {self.columns} terms, more than the {TERMS_MAX} of the model")
        self.members, self.pairs = teams.members.astype(np.int64), np.array(np.triu_indices(teams.parts, 1))
        pairs = self.pairs.shape[1]
        ends = (1, 1 + teams.parts, 1 + teams.parts + pairs, self.columns)
        self.part, self.pair, self.counter = (slice(start, end) for start, end in pairwise(ends))
        self.inside = self.number(*(self.members[:, place] for place in np.triu_indices(teams.size, 1)))

    def number(self, i: NDArray[Any], j: NDArray[Any]) -> Ints:
        """Index of the pair of different parts i and j, in any order."""
        low, high = np.minimum(i, j), np.maximum(i, j)
        return np.asarray(low * (2 * self.teams.parts - low - 1) // 2 + high - low - 1, np.int64)

    def design(self, first: Ints, second: Ints, started: Ints) -> scipy.sparse.csr_array:
        """The sparse design matrix of matchups, shape (n, columns)."""
        ours, theirs = self.members[first], self.members[second]
        a, b = (side.ravel() for side in np.indices((self.teams.size, self.teams.size)))
        i, j = ours[:, a], theirs[:, b]
        against = np.where(i == j, 0, self.number(i, j))  # the value of a part against itself is 0 below
        groups = [(ours + 1, 1), (theirs + 1, -1)]
        groups += [(self.inside[side] + self.pair.start, sign) for side, sign in ((first, 1), (second, -1))]
        columns = [np.zeros((len(first), 1), np.int64), *(column for column, _ in groups), against + self.counter.start]
        cells = [started[:, None], *(np.full(column.shape, sign) for column, sign in groups), np.sign(j - i)]
        place, cell = np.concatenate(columns, axis=1), np.concatenate(cells, axis=1, dtype=np.float64)
        ends = np.arange(len(first) + 1) * place.shape[1]
        matrix = scipy.sparse.csr_array((cell.ravel(), place.ravel(), ends), shape=(len(first), self.columns))
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        return matrix

    def basis(self, seen: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.int8]]:
        """Identifiable directions of the terms that occur in games, and the kind of each.

        seen: (columns,). Returns orthonormal columns, shape (columns, r), and kinds 0 (unpenalised), 1 (pairs), 2 (counters).
        The effects of parts sum to 0. A pair term is what two parts do beyond what each does with all its mates, so those of a
        part sum to 0; likewise for counters. Otherwise both could stand in for the parts: in teams of k, a term u_i + u_j on
        every pair equals (k - 1) u_i on every part.
        """
        part, (i, j) = np.arange(self.teams.parts)[:, None], self.pairs
        sums = (np.ones((1, self.teams.parts)), (part == i) + 1.0 * (part == j), (part == i) - 1.0 * (part == j))
        blocks = [np.eye(1)[:, : int(seen[0])]]
        blocks += [_spread_out(seen[kind], sum_) for kind, sum_ in zip((self.part, self.pair, self.counter), sums, strict=True)]
        kinds = np.repeat(np.array([0, 0, 1, 2], np.int8), [block.shape[1] for block in blocks])
        return np.asarray(scipy.linalg.block_diag(*blocks), np.float64), kinds


def _spread_out(seen: NDArray[np.bool_], sums: Floats) -> Floats:
    """Orthonormal directions of the seen terms that keep their sums at 0, (terms, directions); sums: (sums, terms)."""
    free = scipy.linalg.null_space(sums[:, seen]) if seen.any() else np.zeros((0, 0))
    block = np.zeros((len(seen), free.shape[1]))
    block[seen] = free
    return block


FREE_SPREAD = 5.0  # of unpenalised terms, in logits: too weak to move an estimate, but keeps it finite if a part always wins
SPREADS = (1e-3, 1.0)  # smallest and largest spread of pairs and counters, in logits
START_SPREAD = 0.1
PASSES = 2  # the second uses the inflation by games that share dice
STEPS = 60
LONGEST_STEP = 1.0  # logits: longer steps can overshoot if a part wins nearly always
CLOSE = 1e-5  # logits
TURNS = 20
STILL = 1e-3  # relative change of a spread
FEW_ROUNDS = 400  # up to this number each round is left out in turn; with more, none has much leverage
LEAST_INFLATION = 1e-3
NOTHING = 1e-9  # information and variance below this are rounding errors


@dataclass(frozen=True, eq=False)
class Problem:
    """Data and design of a fit. design: (lines, columns); basis, kinds: see `Terms.basis`."""

    lines: Lines
    design: scipy.sparse.csr_array
    basis: Floats
    kinds: NDArray[np.int8]

    def logits(self, theta: Floats) -> Floats:
        """Logit of a win of the `first` of each line."""
        return np.asarray(self.design @ (self.basis @ theta), np.float64)

    def information(self, weights: Floats) -> Floats:
        """Fisher information with these weights of the lines, (r, r)."""
        return np.asarray(self.basis.T @ (self.design.T @ (self.design * weights[:, None])).toarray() @ self.basis, np.float64)

    def score(self, residuals: Floats) -> Floats:
        """Gradient of the log likelihood, (r,); residuals: summed over the games of each line."""
        return np.asarray(self.basis.T @ (self.design.T @ residuals), np.float64)

    def by_round(self, values: Floats) -> scipy.sparse.csr_array:
        """Sums of values of games, (rounds, lines)."""
        return scipy.sparse.csr_array(
            (values, (self.lines.number, self.lines.line)), shape=(self.lines.rounds, len(self.lines.n))
        )

    def meat(self, theta: Floats, curve: Floats | None = None) -> Floats:
        """Sum over rounds of the outer products of their scores, times G / (G - 1); (r, r).

        curve: for few rounds, each of which has leverage on its own fit. The scores are then those of fits without the round
        itself, and the sum is times (G - 1) / G, as in the jackknife (CR3: Bell and McCaffrey 2002, Survey Methodology
        28:169-181).
        """
        rounds, chance = self.lines.rounds, expit(self.logits(theta))
        scores = (self.by_round(self.lines.share - chance[self.lines.line]) @ self.design).toarray()
        if curve is None:
            return np.asarray(self.basis.T @ (scores.T @ scores) @ self.basis, np.float64) * rounds / (rounds - 1)
        scores = scores @ self.basis
        rows = (self.design @ self.basis) * np.sqrt(chance * (1 - chance))[:, None]
        n = self.by_round(np.ones(len(self.lines.line)))
        for number in range(rounds):
            held = slice(n.indptr[number], n.indptr[number + 1])
            leverage = rows[n.indices[held]] * np.sqrt(n.data[held])[:, None]
            scores[number] = curve @ np.linalg.solve(curve - leverage.T @ leverage, scores[number])
        return np.asarray(scores.T @ scores * (rounds - 1) / rounds, np.float64)


@dataclass(frozen=True, eq=False)
class Ridge:
    """A fit. theta: (r,) along the directions of the basis.

    curve: (r, r), information plus penalties. spreads: (2,), of pairs and counters. freedom: (3,), effective degrees of freedom
    of unpenalised terms, pairs, counters. sampling: (r, r) covariance over rounds (sandwich of Liang and Zeger 1986, Biometrika
    73:13-22). covariance: the same plus the average shrinkage bias (Nychka 1988, JASA 83:1134-1143).
    """

    theta: Floats
    curve: Floats
    spreads: Floats
    freedom: Floats
    sampling: Floats
    covariance: Floats


def fit(problem: Problem, separated: bool = False) -> Ridge:
    """Fit the model. separated: a part, or going first, has won all its games or none.

    Rounds then show no variance despite large uncertainty, so the covariance is that of the likelihood and its weak prior.
    """
    kinds = problem.kinds
    theta, spreads, inflation = np.zeros(len(kinds)), np.full(2, START_SPREAD), np.ones(2)
    for _ in range(PASSES):
        theta, spreads, information, penalty = climb(problem, theta, spreads, inflation)
        meat = problem.meat(theta)
        seen, expected = (np.array([np.diag(matrix)[kinds == kind].sum() for kind in (1, 2)]) for matrix in (meat, information))
        grown = np.divide(seen, expected, out=np.ones(2), where=expected > NOTHING)
        inflation = np.where(expected > NOTHING, grown.clip(min=LEAST_INFLATION), 1.0)
    curve = information + np.diag(penalty)
    if problem.lines.rounds <= FEW_ROUNDS:
        meat = problem.meat(theta, curve)
    inverse = np.asarray(scipy.linalg.cho_solve(scipy.linalg.cho_factor(curve, lower=True), np.eye(len(curve))), np.float64)
    freedom = np.asarray(np.bincount(kinds, 1 - penalty * np.diag(inverse), 3), np.float64)
    sampling = inverse @ meat @ inverse
    covariance = sampling + (inverse * (penalty * np.append(1.0, inflation)[kinds])) @ inverse
    if separated:
        covariance = sampling = inverse * max(1.0, *inflation)
    return Ridge(theta, curve, spreads, freedom, sampling, covariance)


def group_test(ridge: Ridge, kinds: NDArray[np.int8], kind: int, rounds: int) -> tuple[float, float]:
    """F and p-value of "all terms of this kind are 0", from their sum of squares; NaN if there are none.

    Its null distribution is matched in mean and variance (Rao and Scott 1984, Annals of Statistics 12:46-60); the trace of the
    squared covariance is corrected for the bias of few rounds (Bai and Saranadasa 1996, Statistica Sinica 6:311-329). In a
    design that treats all parts alike, shrinkage multiplies all terms of a kind by the same number, which cancels.
    """
    chosen = np.flatnonzero(kinds == kind)
    block, df = ridge.sampling[np.ix_(chosen, chosen)], rounds - 1
    total = float(np.trace(block))
    if not total > NOTHING**2:
        return float("nan"), float("nan")
    statistic = float(ridge.theta[chosen] @ ridge.theta[chosen]) / total
    square = (float(np.sum(block**2)) - total**2 / df) * df**2 / ((df - 1) * (df + 2))
    degrees = total**2 / max(square, total**2 / len(chosen))
    return statistic, float(scipy.stats.f.sf(statistic, degrees, degrees * df))


def climb(problem: Problem, theta: Floats, spreads: Floats, inflation: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Newton's method from theta, choosing the spreads again at each step: a fit without its errors.

    spreads: (2,) of pairs and counters; inflation: (2,) variance of a round's score relative to independent games. Returns
    theta, spreads, information, penalty.
    """
    lines = problem.lines
    for _ in range(STEPS):
        chance = expit(problem.logits(theta))
        information = problem.information(lines.n * chance * (1 - chance))
        target = information @ theta + problem.score(lines.wins - lines.n * chance)
        spreads, penalty = _shrink(information, target, problem.kinds, spreads, inflation)
        step = np.linalg.solve(information + np.diag(penalty), target) - theta
        longest = float(np.abs(problem.logits(step)).max(initial=0.0))
        theta = theta + step * min(1.0, LONGEST_STEP / max(longest, CLOSE))
        if longest < CLOSE:
            break
    return theta, spreads, information, penalty


def _shrink(
    information: Floats, target: Floats, kinds: NDArray[np.int8], spreads: Floats, inflation: Floats
) -> tuple[Floats, Floats]:
    """Maximum-likelihood spreads of pairs and counters on a quadratic, alternating, and the prior precision of each direction.

    The precision is in the units of the information.
    """

    def penalty() -> Floats:
        return np.asarray(np.append(FREE_SPREAD**-2.0, inflation / spreads**2)[kinds], np.float64)

    for _ in range(TURNS):
        before, spreads = spreads, spreads.copy()
        for kind in (1, 2):
            spreads[kind - 1] = _spread(information, target, kinds == kind, penalty(), inflation[kind - 1])
        if np.abs(spreads / before - 1).max() < STILL:
            break
    return spreads, penalty()


def _spread(information: Floats, target: Floats, group: NDArray[np.bool_], penalty: Floats, inflation: float) -> float:
    """Maximum-likelihood spread of one group of terms, all else profiled out; START_SPREAD if there are none.

    At MacKay's fixed point the sum of squares over spread^2 equals the effective number of terms; subtracting one from that
    number is the penalty that keeps the spread above 0.
    """
    if not group.any():
        return START_SPREAD
    curve = information + np.diag(penalty)
    cross = curve[np.ix_(~group, group)]
    rest = np.linalg.solve(curve[np.ix_(~group, ~group)], np.column_stack([cross, target[~group]]))
    size, turn = np.linalg.eigh(curve[np.ix_(group, group)] - np.diag(penalty[group]) - cross.T @ rest[:, :-1])
    size, pull = size.clip(min=0), turn.T @ (target[group] - cross.T @ rest[:, -1])

    def excess(log_spread: float) -> float:
        square = math.exp(2 * log_spread)
        terms, weight = pull / (size + inflation / square), size / (size + inflation / square)
        return float(terms @ terms / square - weight.sum() + 1)

    low, high = (math.log(bound) for bound in SPREADS)
    if excess(high) >= 0:
        return SPREADS[1]
    return math.exp(float(scipy.optimize.brentq(excess, low, high, xtol=STILL / 10))) if excess(low) > 0 else SPREADS[0]
