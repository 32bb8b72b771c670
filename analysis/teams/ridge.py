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
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, stats
from scipy.linalg import block_diag, cho_factor, cho_solve, null_space
from scipy.optimize import brentq
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

    def __post_init__(self) -> None:
        """Check lengths and ranges. Raises ValueError."""
        columns = {name: np.shape(value) for name, value in vars(self).items()}
        if len(set(columns.values())) != 1 or len(columns["first"]) != 1:
            raise ValueError(f"{columns} must be rows of one length")
        if not np.all((self.share >= 0) & (self.share <= 1)):
            raise ValueError(f"share must lie in 0..1, found {self.share.min()}..{self.share.max()}")
        if not np.isin(self.started, (-1, 0, 1)).all():
            raise ValueError(f"started must be -1, 0 or 1, found {self.started.min()}..{self.started.max()}")

    @classmethod
    def of(cls, rows: Rows, cluster: NDArray[Any]) -> Contests:
        """Take the finished games of two seats that have a winner. cluster: one entry per row.

        Raises ValueError for another number of seats, and if the length of cluster differs.
        """
        check_rows(rows)
        if np.any(rows["seats"] != SEATS):
            raise ValueError(f"games of {int(rows['seats'].max())} seats: teams are compared at {SEATS}")
        if np.shape(cluster) != rows.shape:
            raise ValueError(f"cluster {np.shape(cluster)} must have one entry for each of {len(rows)} rows")
        shares = rows["share"][:, :SEATS].astype(np.float64)
        won = shares.sum(axis=1)
        kept = (rows["status"] == Status.FINISHED) & (won > 0)
        entrant, start = rows["entrant"][kept].astype(np.int64), rows["first"][kept].astype(np.int64)
        started = np.where(start < 0, 0, 1 - 2 * start)
        return cls(entrant[:, 0], entrant[:, 1], shares[kept, 0] / won[kept], started, np.asarray(cluster)[kept].astype(np.int64))

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
    line of each game; turned: (games,), whether its seats are swapped; share: (games,), share of the line's `first`.
    """

    first: Ints
    second: Ints
    started: Ints
    n: Floats
    wins: Floats
    line: Ints
    turned: NDArray[np.bool_]
    share: Floats

    @classmethod
    def of(cls, games: Contests, entrants: int) -> Lines:
        """Group the games. Raises ValueError for entrants outside 0..entrants-1."""
        both = np.stack([games.first, games.second])
        if both.size and not 0 <= both.min() <= both.max() < entrants:
            raise ValueError(f"entrants {both.min()}..{both.max()} of the games must be in 0..{entrants - 1}")
        turned = games.first > games.second
        low, high = np.minimum(*both), np.maximum(*both)
        started = np.where(turned, -games.started, games.started)
        key, line = np.unique((low * entrants + high) * STARTS + started + 1, return_inverse=True)
        matchup, start = np.divmod(key, STARTS)
        share = np.where(turned, 1 - games.share, games.share)
        n, wins = (np.asarray(np.bincount(line, weights=weights), np.float64) for weights in (None, share))
        return cls(matchup // entrants, matchup % entrants, start - 1, n, wins, line.ravel(), turned, share)


@dataclass(frozen=True, eq=False)
class Terms:
    """Terms whose sum is the logit of a win: going first, parts, pairs inside a team, counters between teams.

    Columns in this order: 1, parts, pairs i < j, counters i < j (read as i against j). Raises ValueError beyond TERMS_MAX.
    """

    teams: Teams

    def __post_init__(self) -> None:
        """Check the size."""
        if self.columns > TERMS_MAX:
            raise ValueError(f"{self.teams.parts} parts make {self.columns} terms, more than the {TERMS_MAX} of the model")

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """Indices i < j of the parts of each pair, in order."""
        i, j = np.triu_indices(self.teams.parts, 1)
        return i.astype(np.int64), j.astype(np.int64)

    @property
    def columns(self) -> int:
        """Number of columns."""
        return self.teams.parts**2 + 1  # n + 2 n (n - 1) / 2, and going first

    @property
    def part(self) -> slice:
        """Columns of the parts."""
        return slice(1, 1 + self.teams.parts)

    @property
    def pair(self) -> slice:
        """Columns of the pairs."""
        return slice(self.part.stop, self.part.stop + len(self.pairs[0]))

    @property
    def counter(self) -> slice:
        """Columns of the counters."""
        return slice(self.pair.stop, self.columns)

    def number(self, i: NDArray[Any], j: NDArray[Any]) -> Ints:
        """Index of the pair of different parts i and j, in any order."""
        low, high = np.minimum(i, j), np.maximum(i, j)
        return np.asarray(low * (2 * self.teams.parts - low - 1) // 2 + high - low - 1, np.int64)

    @cached_property
    def inside(self) -> Ints:
        """Indices of the pairs inside each team, shape (entrants, pairs of a team)."""
        members = self.teams.members.astype(np.int64)
        a, b = np.triu_indices(self.teams.size, 1)
        return self.number(members[:, a], members[:, b])

    def design(self, first: Ints, second: Ints, started: Ints) -> sparse.csr_array:
        """The sparse design matrix of matchups, shape (n, columns)."""
        n, members = len(first), self.teams.members.astype(np.int64)
        ours, theirs = members[first], members[second]
        a, b = (side.ravel() for side in np.indices((self.teams.size, self.teams.size)))
        i, j = ours[:, a], theirs[:, b]
        against = np.where(i == j, 0, self.number(i, j))  # the value of a part against itself is 0 below
        groups = [(ours + 1, 1), (theirs + 1, -1)]
        groups += [(self.inside[side] + self.pair.start, sign) for side, sign in ((first, 1), (second, -1))]
        columns = [np.zeros((n, 1), np.int64), *(column for column, _ in groups), against + self.counter.start]
        cells = [started[:, None], *(np.full(column.shape, sign) for column, sign in groups), np.sign(j - i)]
        place, cell = np.concatenate(columns, axis=1), np.concatenate(cells, axis=1, dtype=np.float64)
        ends = np.arange(n + 1) * place.shape[1]
        matrix = sparse.csr_array((cell.ravel(), place.ravel(), ends), shape=(n, self.columns))
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
        i, j = self.pairs
        part, pair, counter = (np.flatnonzero(seen[kind]) for kind in (self.part, self.pair, self.counter))
        blocks = [np.eye(1)[:, : int(seen[0])], _spread_out(part, self.teams.parts, np.ones((1, len(part))))]
        for present, sign in ((pair, 1.0), (counter, -1.0)):
            touches = np.zeros((self.teams.parts, len(present)))
            touches[i[present], np.arange(len(present))] = 1
            touches[j[present], np.arange(len(present))] = sign
            blocks.append(_spread_out(present, len(i), touches))
        kinds = np.repeat(np.array([0, 0, 1, 2], np.int8), [block.shape[1] for block in blocks])
        return np.asarray(block_diag(*blocks), np.float64), kinds


def _spread_out(seen: Ints, size: int, sums: Floats) -> Floats:
    """Orthonormal directions that keep sums of the seen terms at 0, shape (size, directions); sums: (sums, seen)."""
    free = null_space(sums) if len(seen) else np.zeros((0, 0))
    block = np.zeros((size, free.shape[1]))
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
AT_ONCE = 8192  # rounds whose scores are in memory at a time
LEAST_INFLATION = 1e-3
NOTHING = 1e-9  # information and variance below this are rounding errors


@dataclass(frozen=True, eq=False)
class Problem:
    """Data and design of a fit. design: (lines, columns); basis, kinds: see `Terms.basis`."""

    lines: Lines
    design: sparse.csr_array
    basis: Floats
    kinds: NDArray[np.int8]

    def logits(self, theta: Floats) -> Floats:
        """Logit of a win of the `first` of each line."""
        return np.asarray(self.design @ (self.basis @ theta), np.float64)

    def information(self, weights: Floats) -> Floats:
        """Fisher information with these weights of the lines, (r, r)."""
        return self._reduced((self.design.T @ (self.design * weights[:, None])).toarray())

    def score(self, residuals: Floats) -> Floats:
        """Gradient of the log likelihood, (r,); residuals: summed over the games of each line."""
        return np.asarray(self.basis.T @ (self.design.T @ residuals), np.float64)

    def meat(self, theta: Floats, games: Contests) -> Floats:
        """Sum over rounds of the outer products of their scores, times G / (G - 1); (r, r)."""
        rounds, table = self._residuals(theta, games)
        total = np.zeros((self.design.shape[1],) * 2)
        for start in range(0, rounds, AT_ONCE):
            scores = (table[start : start + AT_ONCE] @ self.design).toarray()
            total += scores.T @ scores
        return self._reduced(total) * rounds / (rounds - 1)

    def meat_of_few(self, theta: Floats, games: Contests, curve: Floats) -> Floats:
        """The same with scores from fits without the round itself, for few rounds: each has leverage on its own fit.

        (G - 1) / G of the sum, as in the jackknife (CR3: Bell and McCaffrey 2002, Survey Methodology 28:169-181).
        """
        rounds, residuals = self._residuals(theta, games)
        chance = expit(self.logits(theta))
        rows = (self.design @ self.basis) * np.sqrt(chance * (1 - chance))[:, None]
        scores = (residuals @ self.design).toarray() @ self.basis
        n = sparse.csr_array((np.ones(len(games)), (games.rounds[1], self.lines.line)), shape=residuals.shape)
        for number in range(rounds):
            held = slice(n.indptr[number], n.indptr[number + 1])
            leverage = rows[n.indices[held]] * np.sqrt(n.data[held])[:, None]
            scores[number] = curve @ np.linalg.solve(curve - leverage.T @ leverage, scores[number])
        return np.asarray(scores.T @ scores * (rounds - 1) / rounds, np.float64)

    def _residuals(self, theta: Floats, games: Contests) -> tuple[int, sparse.csr_array]:
        """Number of rounds, and residuals summed by round and line."""
        residuals = self.lines.share - expit(self.logits(theta))[self.lines.line]
        rounds, number = games.rounds
        return rounds, sparse.csr_array((residuals, (number, self.lines.line)), shape=(rounds, self.design.shape[0]))

    def _reduced(self, matrix: Floats) -> Floats:
        return np.asarray(self.basis.T @ matrix @ self.basis, np.float64)


@dataclass(frozen=True, eq=False)
class Ridge:
    """A fit. theta: (r,) along the directions of the basis.

    curve: (r, r), information plus penalties. spreads, inflation: (2,), of pairs and counters; inflation is the variance of a
    round's score relative to independent games. freedom: (3,), effective degrees of freedom of unpenalised terms, pairs,
    counters. sampling: (r, r) covariance over rounds (sandwich of Liang and Zeger 1986, Biometrika 73:13-22). covariance: the
    same plus the average shrinkage bias (Nychka 1988, JASA 83:1134-1143).
    """

    theta: Floats
    curve: Floats
    spreads: Floats
    inflation: Floats
    freedom: Floats
    sampling: Floats
    covariance: Floats


def fit(problem: Problem, games: Contests, separated: bool = False) -> Ridge:
    """Fit the model. separated: a part, or going first, has won all its games or none.

    Rounds then show no variance despite large uncertainty, so the covariance is that of the likelihood and its weak prior.
    """
    theta, spreads, inflation = np.zeros(len(problem.kinds)), np.full(2, START_SPREAD), np.ones(2)
    for _ in range(PASSES):
        theta, spreads, information, penalty = climb(problem, theta, spreads, inflation)
        meat = problem.meat(theta, games)
        seen, expected = (np.array([np.diag(by)[problem.kinds == kind].sum() for kind in (1, 2)]) for by in (meat, information))
        grown = np.divide(seen, expected, out=np.ones(2), where=expected > NOTHING)
        inflation = np.where(expected > NOTHING, grown.clip(min=LEAST_INFLATION), 1.0)
    curve = information + np.diag(penalty)
    if games.rounds[0] <= FEW_ROUNDS:
        meat = problem.meat_of_few(theta, games, curve)
    inverse = np.asarray(cho_solve(cho_factor(curve, lower=True), np.eye(len(curve))), np.float64)
    freedom = np.array([np.sum((1 - penalty * np.diag(inverse))[problem.kinds == kind]) for kind in range(3)])
    sampling = inverse @ meat @ inverse
    blur = penalty * np.append(1.0, inflation)[problem.kinds]
    covariance = sampling + (inverse * blur) @ inverse
    if separated:
        covariance = sampling = inverse * max(1.0, *inflation)
    return Ridge(theta, curve, spreads, inflation, freedom, sampling, covariance)


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
    return statistic, float(stats.f.sf(statistic, degrees, degrees * df))


def climb(problem: Problem, theta: Floats, spreads: Floats, inflation: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Newton's method from theta, choosing the spreads again at each step: a fit without its errors.

    spreads, inflation: (2,) of pairs and counters. Returns theta, spreads, information, penalty.
    """
    lines = problem.lines
    for _ in range(STEPS):
        chance = expit(problem.logits(theta))
        information = problem.information(lines.n * chance * (1 - chance))
        target = information @ theta + problem.score(lines.wins - lines.n * chance)
        spreads, penalty, aim = _shrink(information, target, problem.kinds, spreads, inflation)
        longest = float(np.abs(problem.logits(aim - theta)).max(initial=0.0))
        theta = theta + (aim - theta) * min(1.0, LONGEST_STEP / max(longest, CLOSE))
        if longest < CLOSE:
            break
    return theta, spreads, information, penalty


def _shrink(
    information: Floats, target: Floats, kinds: NDArray[np.int8], spreads: Floats, inflation: Floats
) -> tuple[Floats, Floats, Floats]:
    """Maximum-likelihood spreads of pairs and counters on a quadratic, alternating; with penalties and solution."""
    for _ in range(TURNS):
        before = spreads
        for kind in (1, 2):
            penalty = _penalty(kinds, spreads, inflation)
            spread = _spread(information + np.diag(penalty), target, kinds == kind, penalty, inflation[kind - 1])
            spreads = np.where(np.arange(1, 3) == kind, spread, spreads)
        if np.abs(spreads / before - 1).max() < STILL:
            break
    penalty = _penalty(kinds, spreads, inflation)
    aim = np.asarray(np.linalg.solve(information + np.diag(penalty), target), np.float64)
    return spreads, penalty, aim


def _penalty(kinds: NDArray[np.int8], spreads: Floats, inflation: Floats) -> Floats:
    """Prior precision of each direction, in the units of the information."""
    return np.asarray(np.append(FREE_SPREAD**-2.0, inflation / spreads**2)[kinds], np.float64)


def _spread(curve: Floats, target: Floats, group: NDArray[np.bool_], penalty: Floats, inflation: float) -> float:
    """Maximum-likelihood spread of one group of terms, all else profiled out; START_SPREAD if there are none.

    At MacKay's fixed point the sum of squares over spread^2 equals the effective number of terms; subtracting one from that
    number is the penalty that keeps the spread above 0.
    """
    if not group.any():
        return START_SPREAD
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
    return math.exp(float(brentq(excess, low, high, xtol=STILL / 10))) if excess(low) > 0 else SPREADS[0]
