"""Model of games between teams: what parts contribute, which work together and which counter which.

The logit of a win is the sum of: going first; the effects of the team's parts minus those of the opposing team; a term for each
pair of parts in a team, minus those of the opposing team; a counter for each part against each part of the opposing team. Parts
and going first are unpenalised; pairs and counters are shrunk (see `analysis.teams.ridge`). Standard errors treat rounds of the
design as the observations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.special import expit, logit

from analysis.document.prose import Floats, Side, Tail, with_verdicts
from analysis.stats.intervals import LEVEL, adjust, ratio, ratios
from analysis.teams.ridge import SEATS, Contests, Lines, Problem, Ridge, Terms, climb, fit, group_test
from analysis.winrates.rates import fair_share
from sim.engine.teams import Teams

__all__ = ["Contests", "Contributions", "FirstMove", "contributions"]


@dataclass(frozen=True, eq=False)
class Strengths:
    """Fitted terms of the logit of a win. values: (columns of `terms`,); known: (parts,), whether a part has games."""

    terms: Terms
    values: Floats
    known: NDArray[np.bool_]

    @cached_property
    def team(self) -> Floats:
        """Logit of each team from its parts and pairs, shape (entrants,); NaN if a part has no games."""
        parts, pairs = self.values[self.terms.part], self.values[self.terms.pair]
        members = self.terms.teams.members
        total = parts[members].sum(axis=1) + pairs[self.terms.inside].sum(axis=1)
        return np.asarray(np.where(self.known[members].all(axis=1), total, np.nan), np.float64)

    @cached_property
    def against(self) -> Floats:
        """Counter of the row's part against the column's, shape (parts, parts), antisymmetric."""
        i, j = self.terms.pairs
        table = np.zeros((self.terms.teams.parts,) * 2)
        table[i, j] = self.values[self.terms.counter]
        return table - table.T

    @cached_property
    def holds(self) -> Floats:
        """Incidence of parts in teams, shape (entrants, parts), 0 or 1."""
        table = np.zeros((len(self.terms.teams.members), self.terms.teams.parts))
        np.put_along_axis(table, self.terms.teams.members.astype(np.int64), 1.0, axis=1)
        return table

    def predict(self, first: ArrayLike, second: ArrayLike, started: ArrayLike = 0) -> Floats:
        """Probability that `first` beats `second` (entrants). started: +1 if `first` goes first, -1 if `second`, 0 neither."""
        ours, theirs = np.asarray(first, np.int64), np.asarray(second, np.int64)
        members = self.terms.teams.members
        counters = self.against[members[ours][..., :, None], members[theirs][..., None, :]].sum(axis=(-2, -1))
        return np.asarray(expit(self._logit(self.team[ours] - self.team[theirs] + counters, started)), np.float64)

    def table(self, entrants: ArrayLike | None = None) -> Floats:
        """Win probability of the row against the column, mean of going first and second; NaN if the two cannot meet.

        entrants: default all. P(row, column) + P(column, row) = 1.
        """
        even = self.logits(entrants)
        return np.asarray((expit(self._logit(even, 1)) + expit(self._logit(even, -1))) / 2, np.float64)

    def slopes(self) -> tuple[Floats, Floats]:
        """Derivatives of `table` for all entrants by the logit of the matchup and by that of going first."""
        even = self.logits()
        chances = [expit(self._logit(even, started)) for started in (1, -1)]
        ahead, behind = (chance * (1 - chance) / 2 for chance in chances)
        return np.asarray(ahead + behind, np.float64), np.asarray(ahead - behind, np.float64)

    def logits(self, entrants: ArrayLike | None = None) -> Floats:
        """Logit of the row against the column if neither goes first; NaN if the two cannot meet."""
        which = np.arange(len(self.team)) if entrants is None else np.asarray(entrants, np.int64)
        holds, team = self.holds[which], self.team[which]
        even = team[:, None] - team + holds @ self.against @ holds.T
        meet = holds @ holds.T == 0 if self.terms.teams.disjoint else np.ones_like(even, np.bool_)
        return np.asarray(np.where(meet, even, np.nan), np.float64)

    def _logit(self, even: Any, started: ArrayLike) -> Any:
        return even + self.values[0] * np.asarray(started, np.float64)


FOLDS = 5
TENTHS = 10
SURE = 1e-12  # lower bound of a variance, against division by zero


@dataclass(frozen=True, eq=False)
class Fit:
    """Fit of a model of teams.

    games, rounds, matchups: numbers in the data. explained: McFadden's R^2 against a coin, on the games fitted. auc: probability
    that a won game had a higher prediction than a lost one, cross-validated. dispersion: Pearson's, over matchups by seat that
    went first; above 1, teams differ in ways the model lacks or games are correlated; NaN without degrees of freedom. losses:
    model, log_loss (nats per game, cross-validated), gain over the model above it, low, high. calibration: predicted, estimate,
    low, high, n by tenths of the cross-validated prediction for seat 0. groups: term, spread (standard deviation chosen, in
    logits), freedom (effective number of terms), inflation (see `Ridge`), f, p (of all terms being 0).
    """

    games: int
    rounds: int
    matchups: int
    explained: float
    auc: float
    dispersion: float
    losses: pd.DataFrame
    calibration: pd.DataFrame
    groups: pd.DataFrame


def goodness(problem: Problem, ridge: Ridge, games: Contests, level: float) -> Fit:
    """Evaluate a fit by FOLDS-fold cross-validation over rounds."""
    lines = problem.lines
    logits = problem.logits(ridge.theta)
    chance = expit(logits)
    free = problem.kinds == 0
    plain = Problem(lines, problem.design, problem.basis[:, free], problem.kinds[free])
    parts, _, information, penalty = climb(plain, np.zeros(int(free.sum())), np.ones(2), np.ones(2))
    fold = games.rounds[1] % FOLDS
    full = _left_out(problem, ridge.theta, ridge.curve, fold)
    alone = _left_out(plain, parts, information + np.diag(penalty), fold)
    matchups = len(np.unique(np.stack([lines.first, lines.second]), axis=1).T)
    rest = len(lines.n) - sum(ridge.freedom)
    pearson = float(np.sum((lines.wins - lines.n * chance) ** 2 / (lines.n * chance * (1 - chance)).clip(min=SURE)))
    fitted = float(_loss(lines.share, logits[lines.line]).mean())
    return Fit(
        len(games),
        games.rounds[0],
        matchups,
        1 - fitted / float(np.log(2)),
        _auc(full, lines.share),
        pearson / rest if rest > 0 else float("nan"),
        _losses(games, lines.share, {"coin": np.zeros(len(games)), "parts": alone, "parts, pairs, counters": full}, level),
        _calibration(games, expit(np.where(lines.turned, -full, full)), level),
        _group_table(ridge, problem.kinds, games.rounds[0]),
    )


def _left_out(problem: Problem, theta: Floats, curve: Floats, fold: NDArray[np.int64]) -> Floats:
    """Logit of each game, (games,), by the model fitted without the games of its fold; theta, curve: of the full fit.

    One Newton step from the full fit, with its penalties: with a fifth left out, a second step would be about a hundred times
    smaller than the error of the terms (Rad and Maleki 2020, JRSS B 82:965-996).
    """
    lines = problem.lines
    logits = problem.logits(theta)
    chance, result = expit(logits), np.empty(len(fold))
    for number in range(FOLDS):
        left = fold == number
        n = np.bincount(lines.line[left], minlength=len(logits))
        wins = np.bincount(lines.line[left], weights=lines.share[left], minlength=len(logits))
        rest = curve - problem.information(n * chance * (1 - chance))
        step = np.linalg.solve(rest, problem.score(wins - n * chance))
        result[left] = problem.logits(theta - step)[lines.line[left]]
    return result


def _loss(share: Floats, logits: Floats) -> Floats:
    """Log loss of each game in nats."""
    return np.asarray(np.logaddexp(0, logits) - share * logits, np.float64)


def _losses(games: Contests, share: Floats, models: dict[str, Floats], level: float) -> pd.DataFrame:
    """Log loss of each model and its gain over the previous one, with an interval over rounds."""
    rounds, number = games.rounds
    size = np.bincount(number, minlength=rounds)
    rows, before = [], None
    for name, logits in models.items():
        loss = _loss(share, logits)
        row: dict[str, float | str] = {
            "model": name,
            "log_loss": float(loss.mean()),
            "gain": np.nan,
            "low": np.nan,
            "high": np.nan,
        }
        if before is not None:
            gain = ratio(np.bincount(number, weights=before - loss, minlength=rounds), size, level)
            row |= {"gain": gain.estimate, "low": gain.low, "high": gain.high}
        rows.append(row)
        before = loss
    return pd.DataFrame(rows)


def _calibration(games: Contests, predicted: Floats, level: float) -> pd.DataFrame:
    """Win share of seat 0 by tenths of its prediction, with intervals over rounds."""
    edges = np.unique(np.quantile(predicted, np.arange(1, TENTHS) / TENTHS))
    tenth = np.searchsorted(edges, predicted, side="right")
    kinds, (rounds, number) = len(edges) + 1, games.rounds
    cell = tenth * rounds + number
    n, won = (
        np.bincount(cell, weights=weights, minlength=kinds * rounds).reshape(kinds, rounds) for weights in (None, games.share)
    )
    sums = {"y": won.sum(axis=1), "x": n.sum(axis=1), "yy": (won**2).sum(axis=1), "xy": (won * n).sum(axis=1)}
    table = ratios(pd.DataFrame(sums | {"xx": (n**2).sum(axis=1), "n": (n > 0).sum(axis=1)}), level)
    mean = np.bincount(tenth, weights=predicted, minlength=kinds) / n.sum(axis=1).clip(min=1)
    table.insert(0, "predicted", mean)
    table["n"] = n.sum(axis=1).astype(np.int64)
    return table.loc[table["n"] > 0].reset_index(drop=True)


def _auc(logits: Floats, share: Floats) -> float:
    """Area under the ROC curve; each game counts from both seats, so that seat order does not matter."""
    value, place = np.unique(np.concatenate([logits, -logits]).round(9), return_inverse=True)
    won = np.bincount(place.ravel(), weights=np.concatenate([share, 1 - share]), minlength=len(value))
    lost = np.bincount(place.ravel(), weights=np.concatenate([1 - share, share]), minlength=len(value))
    below = np.cumsum(lost) - lost / 2
    return float(won @ below / (won.sum() * lost.sum()))


def _group_table(ridge: Ridge, kinds: NDArray[np.int8], rounds: int) -> pd.DataFrame:
    """Size and joint test of all pairs, and of all counters."""
    rows = []
    for group, term in enumerate(("pairs", "counters")):
        statistic, p = group_test(ridge, kinds, group + 1, rounds)
        size = {"spread": ridge.spreads[group], "freedom": ridge.freedom[group + 1], "inflation": ridge.inflation[group]}
        rows.append({"term": term, **size, "f": statistic, "p": p})
    return pd.DataFrame(rows)


LEAST_ROUNDS = 10
LEAST_GAMES_EACH = 5  # per part, on average
NEARLY = 0.5  # wins: with fewer wins or losses than this the games do not bound a strength


@dataclass(frozen=True)
class FirstMove:
    """Modelled win share of the side that goes first in an even match, with interval, p-value against 1/2 and games.

    raw: its observed win share in all games. NaN if it is not known who went first.
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

    parts: best first; part, name, effect (logit; all sum to 0), se, estimate (win probability against an average part in
    otherwise equal teams), low, high, p, p_holm, raw (win share of its teams), n (their games), fair (an even
    chance), and those of `prose.with_verdicts`. pairs: i, j (i < j), first, second (names), effect, se, estimate (win
    probability that both together add in an even match, beyond what each adds with all its mates), low, high, p, p_bh, n (games
    of teams with both). counters: the same for i against j, beyond what i does against all and all do against j; n: games with
    i and j on different sides. Without games, values are NaN and the verdict is "not decided".
    p of pairs and counters tests "no effect" before shrinkage and can be small even if the shrunk interval contains 0.
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
        """Yield `count` tables of models drawn from the estimated distribution of the terms (parametric bootstrap)."""
        size, turn = np.linalg.eigh(self.covariance)
        root = turn * np.sqrt(size.clip(min=0))
        chance = np.random.default_rng(seed)
        for _ in range(count):
            values = self.strengths.values + root @ chance.standard_normal(len(root))
            yield Strengths(self.strengths.terms, values, self.strengths.known).table()


def contributions(contests: Contests, teams: Teams, level: float = LEVEL) -> Contributions:
    """Fit the model to games of teams.

    Raises ValueError for fewer than 10 rounds or 5 games per part, unknown entrants, and too many parts.
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
    ridge = fit(problem, contests, separated=bool(np.any(decided < NEARLY)))
    columns = _Columns(basis, ridge, seen, raw, rounds - 1, level)
    return Contributions(
        _part_table(columns, terms),
        _pair_table(columns, terms, terms.pair),
        _pair_table(columns, terms, terms.counter),
        _first_move(columns),
        goodness(problem, ridge, contests, level),
        Strengths(terms, columns.value, seen[part]),
        basis @ ridge.covariance @ basis.T,
        level,
    )


@dataclass(frozen=True, eq=False)
class _Counts:
    """Counts by column of the model. n: games with the term; wins: win shares of its side, for parts and going first."""

    n: Floats
    wins: Floats

    @classmethod
    def of(cls, terms: Terms, lines: Lines) -> _Counts:
        """Count both sides of all games; a part on both sides counts twice and does not counter itself."""
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
                ours, theirs = i[lines.first], j[lines.second]
                differ = ours != theirs
                against = terms.number(ours[differ], theirs[differ])
                n[terms.counter] += np.bincount(against, lines.n[differ], len(terms.pairs[0]))
        return cls(n, wins)


class _Columns:
    """Estimates by column of the model: value, se, p, low and high in logits; all but value are NaN without games."""

    def __init__(self, basis: Floats, ridge: Ridge, seen: NDArray[np.bool_], raw: _Counts, df: int, level: float) -> None:
        self.value, self.raw, self.df = basis @ ridge.theta, raw, df
        wide, plain = (
            np.sqrt(np.sum((basis @ matrix) * basis, axis=1).clip(min=0)) for matrix in (ridge.covariance, ridge.sampling)
        )
        half = float(stats.t.ppf((1 + level) / 2, df)) * wide
        exact = np.where(np.abs(self.value) > 1e-9, np.inf, 0.0)  # no variance at all: p = 0
        score = np.divide(np.abs(self.value), plain, out=exact, where=plain > 1e-12)
        self.effect, self.se = np.where(seen, self.value, np.nan), np.where(seen, wide, np.nan)
        self.low, self.high = self.effect - half, self.effect + half
        self.p = np.where(seen, 2 * stats.t.sf(score, df), np.nan)

    def table(self, kind: slice, shift: float) -> dict[str, Any]:
        """Columns effect, se, estimate, low, high, p of a kind of term. shift: subtracted from the probabilities."""
        bounds = {name: expit(getattr(self, source)[kind]) - shift for name, source in _CHANCES.items()}
        return {"effect": self.effect[kind], "se": self.se[kind], **bounds, "p": self.p[kind]}


_CHANCES = {"estimate": "effect", "low": "low", "high": "high"}


def _part_table(columns: _Columns, terms: Terms) -> pd.DataFrame:
    """See `Contributions.parts`."""
    kind, teams = terms.part, terms.teams
    n, wins = columns.raw.n[kind], columns.raw.wins[kind]
    table = pd.DataFrame({"part": np.arange(teams.parts), "name": list(teams.names), **columns.table(kind, 0.0)})
    raw = np.divide(wins, n, out=np.full(len(n), np.nan), where=n > 0)
    table = table.assign(p_holm=adjust(table["p"]), raw=raw, n=n.astype(np.int64))
    table = with_verdicts(table.assign(fair=fair_share(SEATS)), _logits(columns.effect[kind], columns.se[kind], columns.df))
    return table.sort_values("effect", ascending=False, kind="stable", ignore_index=True)


def _logits(effect: Floats, error: Floats, df: int) -> Tail:
    """Student's p-values of probabilities from their logits."""

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
    columns_of_term, n = columns.table(slice(0, 1), 0.0), int(columns.raw.n[0])
    share, low, high, p = (float(columns_of_term[name][0]) for name in ("estimate", "low", "high", "p"))
    return FirstMove(share, low, high, p, float(columns.raw.wins[0]) / n if n else float("nan"), n)
