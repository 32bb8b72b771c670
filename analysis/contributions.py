"""What each part of a team adds to its chance to win, which parts work together, which counter which.

The logit of a win is the sum of: going first; the effects of the own parts less those of the other's; a term for each pair
inside the own team less those inside the other; a counter for each part against each of the other's. Parts and going first are
free; pairs and counters are shrunken (see `ridge`). Errors take rounds of the design for the observations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.special import expit, logit

from analysis.contests import SEATS, Contests, Lines, Terms
from analysis.estimates import LEVEL, adjust
from analysis.goodness import Fit, goodness
from analysis.matchups import fair_share
from analysis.ridge import Problem, Ridge, fit
from analysis.strengths import Strengths
from analysis.verdicts import Floats, Side, Tail, judged
from sim.engine.teams import Teams

__all__ = ["Contests", "Contributions", "FirstMove", "contributions"]

LEAST_ROUNDS = 10
LEAST_GAMES_EACH = 5  # per part, on average
NEARLY = 0.5  # of a win: nearer to none or all, the games set no bound to a strength


@dataclass(frozen=True)
class FirstMove:
    """Win share of the side that goes first in an even match by the model, with interval, p-value against 1/2, and games.

    raw: its win share in all games, whoever they were. NaN where it is not known who went first.
    """

    share: float
    low: float
    high: float
    p: float
    raw: float
    n: int


@dataclass(frozen=True, eq=False)
class Contributions:
    """A fitted model of teams.

    parts: best first; part, name, effect (logit; all sum to 0), se, estimate (chance of a win against an average part in
    otherwise equal teams), low, high, p, p_holm, raw (win share of its teams), n (their games), fair (an even
    chance), and those of `verdicts.judged`. pairs: i, j (i < j), first, second (names), effect, se, estimate (chance of a
    win that they add together at an even match, beyond what each adds with all its mates), low, high, p, p_bh, n (games of
    teams with both). counters: the same of i against j, beyond what i does against all and all do against j; n: games with i
    and j on different sides. NaN where there are no games, and the verdict "not decided" then.
    p of pairs and counters tests "none" without the shrinking and may be small where the shrunken interval still holds 0.
    covariance: of strengths.values, over rounds and shrinking.
    """

    parts: pd.DataFrame
    pairs: pd.DataFrame
    counters: pd.DataFrame
    first: FirstMove
    fit: Fit
    strengths: Strengths
    covariance: Floats
    level: float

    def __repr__(self) -> str:
        return f"Contributions({len(self.parts)} parts, {self.fit.games} games in {self.fit.rounds} rounds)"

    def predict(self, first: ArrayLike, second: ArrayLike, started: ArrayLike = 0) -> Floats:
        """See `Strengths.predict`."""
        return self.strengths.predict(first, second, started)

    def table(self, entrants: ArrayLike | None = None) -> Floats:
        """See `Strengths.table`."""
        return self.strengths.table(entrants)

    def resampled(self, count: int, seed: int = 1) -> Iterator[Floats]:
        """Yield `count` tables of models drawn from the distribution of this one's terms (parametric bootstrap)."""
        size, turn = np.linalg.eigh(self.covariance)
        root = turn * np.sqrt(size.clip(min=0))
        chance = np.random.default_rng(seed)
        for _ in range(count):
            values = self.strengths.values + root @ chance.standard_normal(len(root))
            yield Strengths(self.strengths.terms, values, self.strengths.known).table()


def contributions(contests: Contests, teams: Teams, level: float = LEVEL) -> Contributions:
    """Fit the model to games of teams.

    Raises ValueError for fewer than 10 rounds or 5 games per part, entrants that are no team, and too many parts.
    """
    if not 0 < level < 1:
        raise ValueError(f"level={level} must lie between 0 and 1")
    rounds, least = contests.rounds[0], LEAST_GAMES_EACH * teams.parts
    if rounds < LEAST_ROUNDS or len(contests) < least:
        raise ValueError(
            f"{len(contests)} games in {rounds} rounds must be at least {least} in {LEAST_ROUNDS} for {teams.parts} {teams.words}"
        )
    terms, lines = Terms(teams), Lines.of(contests, len(teams.members))
    raw = _Counts.of(terms, lines)
    seen = raw.n > 0
    basis, kinds = terms.basis(seen)
    problem = Problem(lines, terms.design(lines.first, lines.second, lines.started), basis, kinds)
    part = terms.part
    sides = slice(0, part.stop)  # going first, and the parts
    decided = np.minimum(raw.wins[sides], raw.n[sides] - raw.wins[sides])[seen[sides]]
    found = fit(problem, contests, separated=bool(np.any(decided < NEARLY)))
    columns = _Columns(basis, found, seen, raw, rounds - 1, level)
    return Contributions(
        _part_table(columns, terms),
        _pair_table(columns, terms, terms.pair),
        _pair_table(columns, terms, terms.counter),
        _first_move(columns),
        goodness(problem, found, contests, level),
        Strengths(terms, columns.value, seen[part]),
        basis @ found.covariance @ basis.T,
        level,
    )


@dataclass(frozen=True, eq=False)
class _Counts:
    """By column of the model: n, games that tell of it; wins: of part and going first, the win shares of its side."""

    n: Floats
    wins: Floats

    @classmethod
    def of(cls, terms: Terms, lines: Lines) -> _Counts:
        """Count over both sides of all games; a part on both sides counts twice, and cannot counter itself."""
        n, wins = np.zeros(terms.columns), np.zeros(terms.columns)
        members = terms.teams.members.astype(np.int64)
        known = lines.started != 0
        n[0] = lines.n[known].sum()
        wins[0] = np.where(lines.started > 0, lines.wins, lines.n - lines.wins)[known].sum()
        for side, won in ((lines.first, lines.wins), (lines.second, lines.n - lines.wins)):
            for column in members.T:
                n[terms.part] += np.bincount(column[side], lines.n, terms.teams.parts)
                wins[terms.part] += np.bincount(column[side], won, terms.teams.parts)
            for column in terms.inside.T:
                n[terms.pair] += np.bincount(column[side], lines.n, len(terms.pairs[0]))
        for i in members.T:
            for j in members.T:
                own, other = i[lines.first], j[lines.second]
                apart = own != other
                against = terms.number(own[apart], other[apart])
                n[terms.counter] += np.bincount(against, lines.n[apart], len(terms.pairs[0]))
        return cls(n, wins)


class _Columns:
    """Estimates by column of the model: value, se, p, low and high in logits; NaN but for value where there are no games."""

    def __init__(
        self, basis: Floats, found: Ridge, seen: NDArray[np.bool_], raw: _Counts, df: int, level: float
    ) -> None:
        self.value, self.raw, self.df = basis @ found.theta, raw, df
        wide, plain = (
            np.sqrt(np.sum((basis @ matrix) * basis, axis=1).clip(min=0))
            for matrix in (found.covariance, found.sampling)
        )
        half = float(stats.t.ppf((1 + level) / 2, df)) * wide
        exact = np.where(np.abs(self.value) > 1e-9, np.inf, 0.0)  # no variance at all: as sure as can be
        score = np.divide(np.abs(self.value), plain, out=exact, where=plain > 1e-12)
        self.effect, self.se = np.where(seen, self.value, np.nan), np.where(seen, wide, np.nan)
        self.low, self.high = self.effect - half, self.effect + half
        self.p = np.where(seen, 2 * stats.t.sf(score, df), np.nan)

    def table(self, kind: slice, shift: float) -> dict[str, Any]:
        """Columns effect, se, estimate, low, high, p of a kind of term; shift: taken off the chances."""
        bounds = {name: expit(getattr(self, of)[kind]) - shift for name, of in _CHANCES.items()}
        return {"effect": self.effect[kind], "se": self.se[kind], **bounds, "p": self.p[kind]}


_CHANCES = {"estimate": "effect", "low": "low", "high": "high"}


def _part_table(columns: _Columns, terms: Terms) -> pd.DataFrame:
    """See `Contributions.parts`."""
    kind, teams = terms.part, terms.teams
    n, wins = columns.raw.n[kind], columns.raw.wins[kind]
    table = pd.DataFrame({"part": np.arange(teams.parts), "name": list(teams.names), **columns.table(kind, 0.0)})
    raw = np.divide(wins, n, out=np.full(len(n), np.nan), where=n > 0)
    table = table.assign(p_holm=adjust(table["p"]), raw=raw, n=n.astype(np.int64))
    table = judged(table.assign(fair=fair_share(SEATS)), _logits(columns.effect[kind], columns.se[kind], columns.df))
    return table.sort_values("effect", ascending=False, kind="stable", ignore_index=True)


def _logits(effect: Floats, error: Floats, df: int) -> Tail:
    """p-values of chances from their logits, Student's."""

    def tail(share: Floats, side: Side) -> Floats:
        t = np.divide(effect - logit(share), error, out=np.full(effect.size, np.nan), where=error > 0)
        return np.asarray(stats.t.sf(t, df) if side == "greater" else stats.t.cdf(t, df))

    return tail


def _pair_table(columns: _Columns, terms: Terms, kind: slice) -> pd.DataFrame:
    """See `Contributions.pairs`."""
    names, (i, j) = np.array(terms.teams.names, object), terms.pairs
    table = pd.DataFrame({"i": i, "j": j, "first": names[i], "second": names[j], **columns.table(kind, 0.5)})
    return table.assign(p_bh=adjust(table["p"], "bh"), n=columns.raw.n[kind].astype(np.int64))


def _first_move(columns: _Columns) -> FirstMove:
    """See `FirstMove`."""
    found, n = columns.table(slice(0, 1), 0.0), int(columns.raw.n[0])
    share, low, high, p = (float(found[name][0]) for name in ("estimate", "low", "high", "p"))
    return FirstMove(share, low, high, p, float(columns.raw.wins[0]) / n if n else float("nan"), n)
