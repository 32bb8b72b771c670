"""Games of decks two by two, counted by who met whom, and a regression of the winner on what both decks hold.

The logit of a win is the sum of going first and of what the own deck holds less what the other holds. Decks are drawn by lot
and play many games each, so that two games are only as much apart as their decks are: errors take it that every game belongs to
both of its decks (dyadic clusters: Aronow, Samii and Assenova 2015, Political Analysis 23:564-577), and make up for that the
fit follows each of its decks (CR2: Bell and McCaffrey 2002, Survey Methodology 28:169-181), for decks may be few.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, stats
from scipy.linalg import block_diag, cholesky, solve_triangular
from scipy.special import expit

from analysis.agreement import zero_sum
from analysis.contests import STARTS, Contests, Lines
from analysis.estimates import LEVEL
from analysis.ridge import START_SPREAD, Problem, climb
from analysis.rows import Rows

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEAST_MORE = 10  # decks beyond the things that they tell apart
LEAST_LEFT = 1e-6  # of what the other decks tell where a deck tells nearly all


class Meetings:
    """Finished games that somebody won, by the decks on both seats and who went first: fed block by block, constant memory.

    n, wins: (decks, decks, STARTS) games, and the win shares of the deck on seat 0.
    """

    def __init__(self, decks: int) -> None:
        self.n, self.wins = np.zeros((2, decks, decks, STARTS))

    @property
    def decks(self) -> int:
        """Number of decks."""
        return len(self.n)

    def add(self, rows: Rows) -> Meetings:
        """Add a block of games of two seats; returns itself."""
        games = Contests.of(rows, np.zeros(len(rows)))
        at = (games.first, games.second, games.started + 1)
        np.add.at(self.n, at, 1.0)
        np.add.at(self.wins, at, games.share)
        return self

    def lines(self) -> Lines:
        """The games gathered by matchup and seat that went first, the lower deck in front; none of a deck with itself."""
        turned = self.n.transpose(1, 0, 2)[:, :, ::-1]
        n = np.triu((self.n + turned).transpose(2, 0, 1), 1)
        back = (self.n - self.wins).transpose(1, 0, 2)[:, :, ::-1]
        wins = np.triu((self.wins + back).transpose(2, 0, 1), 1)
        start, first, second = (of.astype(np.int64) for of in np.nonzero(n))
        none = np.zeros(0, np.int64)
        at = (start, first, second)
        return Lines(first, second, start - 1, n[at], wins[at], none, none.astype(bool), none.astype(float))

    def by_deck(self) -> tuple[Floats, Floats]:
        """Games and wins of each deck, but for those with itself: (decks,) both."""
        lines = self.lines()
        n = np.bincount(lines.first, lines.n, self.decks) + np.bincount(lines.second, lines.n, self.decks)
        wins = np.bincount(lines.first, lines.wins, self.decks)
        return np.asarray(n, np.float64), np.asarray(
            wins + np.bincount(lines.second, lines.n - lines.wins, self.decks), np.float64
        )


@dataclass(frozen=True, eq=False)
class Worth:
    """A fitted regression. effect, se, low, high, p: by thing held, in logits; NaN where all decks hold alike.

    covariance: of the effects, 0 where not known. df: degrees of freedom of the errors. games, decks: that have played.
    """

    effect: Floats
    se: Floats
    low: Floats
    high: Floats
    p: Floats
    covariance: Floats
    df: int
    games: int
    decks: int


def least_decks(held: Floats) -> int:
    """Decks that are needed to tell what the things held are worth. held: see `regress`."""
    return LEAST_MORE + int(np.any(held != held[:1], axis=0).sum())


def regress(meetings: Meetings, held: Floats, level: float = LEVEL) -> Worth:
    """Fit the regression. held: (decks, things) copies of each in each deck.

    Decks of one size cannot tell what all things are worth together: their effects sum to 0, so that each is what a copy is
    worth instead of an average one; the size of decks, where it differs, is a term of its own. A weak penalty keeps effects
    finite where a thing always wins (see `ridge`). Raises ValueError for fewer decks than `least_decks`.
    """
    lines = meetings.lines()
    decks, least = len(np.unique(np.concatenate([lines.first, lines.second]))), least_decks(held)
    if decks < least:
        raise ValueError(f"{decks} decks have played; at least {least} are needed to tell what they hold apart")
    known = np.any(held != held[:1], axis=0)
    size = held.sum(axis=1, keepdims=True)
    sides = sparse.csr_array(np.hstack([size, held]).astype(np.float64))
    columns = [sparse.csr_array(lines.started[:, None].astype(np.float64)), sides[lines.first] - sides[lines.second]]
    basis = _basis(known, bool(np.ptp(size)))
    problem = Problem(lines, sparse.csr_array(sparse.hstack(columns)), basis, np.zeros(basis.shape[1], np.int8))
    nothing = np.zeros(basis.shape[1])
    theta, _, information, penalty = climb(problem, nothing, np.full(2, START_SPREAD), np.ones(2))
    curve = information + np.diag(penalty)
    inverse = np.linalg.inv(curve)
    things = basis[_TERMS:]
    covariance = things @ inverse @ _meat(problem, theta, curve, meetings.decks) @ inverse @ things.T
    df = decks - basis.shape[1]
    effect, se = (
        np.where(known, things @ theta, np.nan),
        np.where(known, np.sqrt(np.diag(covariance).clip(min=0)), np.nan),
    )
    half = float(stats.t.ppf((1 + level) / 2, df)) * se
    score = np.divide(np.abs(effect), se, out=np.full(len(effect), np.inf), where=se > 0)
    p = np.where(known, 2 * stats.t.sf(score, df), np.nan)
    return Worth(effect, se, effect - half, effect + half, p, covariance, df, int(lines.n.sum()), decks)


_TERMS = 2  # in front of the things held: going first, size of the deck


def _basis(known: NDArray[np.bool_], sized: bool) -> Floats:
    """Directions of the terms that games tell of, orthonormal: going first, the size if it differs, things that sum to 0."""
    things = np.zeros((len(known), max(0, int(known.sum()) - 1)))
    things[known] = zero_sum(int(known.sum()))
    return np.asarray(block_diag(np.eye(1), np.eye(1)[:, : int(sized)], things), np.float64)


def _meat(problem: Problem, theta: Floats, curve: Floats, decks: int) -> Floats:
    """Variance of the score over decks, each game in the clusters of both of its decks."""
    lines = problem.lines
    chance = expit(problem.logits(theta))
    rows = np.asarray(problem.design @ problem.basis, np.float64)
    scores = rows * (lines.wins - lines.n * chance)[:, None]
    bent = rows * np.sqrt(lines.n * chance * (1 - chance))[:, None]
    half = cholesky(curve, lower=True)
    leverage = solve_triangular(half, bent.T, lower=True)
    pulled = solve_triangular(half, scores.T, lower=True)
    total = np.zeros_like(curve)
    for deck in range(decks):
        own = (lines.first == deck) | (lines.second == deck)
        if own.any():
            size, turn = np.linalg.eigh(np.eye(len(curve)) - leverage[:, own] @ leverage[:, own].T)
            away = half @ (turn @ ((turn.T @ pulled[:, own].sum(axis=1)) / np.sqrt(size.clip(min=LEAST_LEFT))))
            total += np.outer(away, away)
    _, pair = np.unique(lines.first * decks + lines.second, return_inverse=True)
    pair = pair.ravel()
    met = np.zeros((pair.max(initial=-1) + 1, scores.shape[1]))
    np.add.at(met, pair, scores)
    size, turn = np.linalg.eigh(total - met.T @ met)  # pairs were counted with both of their decks
    return np.asarray((turn * size.clip(min=0)) @ turn.T, np.float64)
