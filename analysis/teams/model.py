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
from itertools import product
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

    games, rounds: numbers in the data. explained: McFadden's R^2 against a coin, on the games fitted. auc: probability
    that a won game had a higher prediction than a lost one, cross-validated. dispersion: Pearson's, over matchups by seat that
    went first; above 1, teams differ in ways the model lacks or games are correlated; NaN without degrees of freedom. losses:
    model, log_loss (nats per game, cross-validated), gain over the model above it, low, high. calibration: predicted, estimate,
    low, high, n by tenths of the cross-validated prediction for seat 0. groups: term, spread (standard deviation chosen, in
    logits), freedom (effective number of terms), inflation (see `Ridge`), f, p (of all terms being 0).
    """

    games: int
    rounds: int
    explained: float
    auc: float
    dispersion: float
    losses: pd.DataFrame
    calibration: pd.DataFrame
    groups: pd.DataFrame


def goodness(problem: Problem, ridge: Ridge, games: Contests, level: float) -> Fit:
    """Evaluate a fit by FOLDS-fold cross-validation over rounds."""
    lines, (rounds, number) = problem.lines, games.rounds
    logits = problem.logits(ridge.theta)
    chance = expit(logits)
    free = problem.kinds == 0
    plain = Problem(lines, problem.design, problem.basis[:, free], problem.kinds[free])
    parts, _, information, penalty = climb(plain, np.zeros(int(free.sum())), np.ones(2), np.ones(2))
    full = _left_out(problem, ridge.theta, ridge.curve, number % FOLDS)
    alone = _left_out(plain, parts, information + np.diag(penalty), number % FOLDS)
    rows: list[dict[str, Any]] = []  # log loss of each model, and its gain over the previous one, with an interval over rounds
    size, before = np.bincount(number, minlength=rounds), np.zeros(0)
    for name, predicted in (("coin", np.zeros(len(games))), ("parts", alone), ("parts, pairs, counters", full)):
        loss = _loss(lines.share, predicted)
        row = {"model": name, "log_loss": float(loss.mean()), "gain": np.nan, "low": np.nan, "high": np.nan}
        if rows:
            gain = ratio(np.bincount(number, weights=before - loss, minlength=rounds), size, level)
            row |= {"gain": gain.estimate, "low": gain.low, "high": gain.high}
        rows.append(row)
        before = loss
    rest = len(lines.n) - sum(ridge.freedom)
    pearson = float(np.sum((lines.wins - lines.n * chance) ** 2 / (lines.n * chance * (1 - chance)).clip(min=SURE)))
    groups = [
        {"term": term, "spread": ridge.spreads[at], "freedom": ridge.freedom[at + 1], "inflation": ridge.inflation[at]}
        | dict(zip(("f", "p"), group_test(ridge, problem.kinds, at + 1, rounds), strict=True))
        for at, term in enumerate(("pairs", "counters"))
    ]
    return Fit(
        games=len(games),
        rounds=rounds,
        explained=1 - float(_loss(lines.share, logits[lines.line]).mean()) / float(np.log(2)),
        auc=_auc(full, lines.share),
        dispersion=pearson / rest if rest > 0 else float("nan"),
        losses=pd.DataFrame(rows),
        calibration=_calibration(games, expit(np.where(lines.turned, -full, full)), level),
        groups=pd.DataFrame(groups),
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
        n, wins = (np.bincount(lines.line[left], given, len(logits)) for given in (None, lines.share[left]))
        rest = curve - problem.information(n * chance * (1 - chance))
        step = np.linalg.solve(rest, problem.score(wins - n * chance))
        result[left] = problem.logits(theta - step)[lines.line[left]]
    return result


def _loss(share: Floats, logits: Floats) -> Floats:
    """Log loss of each game in nats."""
    return np.asarray(np.logaddexp(0, logits) - share * logits, np.float64)


def ratios_over_rounds(won: NDArray[Any], n: NDArray[Any], level: float) -> pd.DataFrame:
    """Win share of each row with an interval over rounds: estimate, low, high, n (games). won, n: (rows, rounds)."""
    sums = {"y": won, "x": n, "yy": won**2, "xy": won * n, "xx": n**2, "n": n > 0}
    shares = ratios(pd.DataFrame({name: column.sum(axis=1) for name, column in sums.items()}), level)
    return shares.assign(n=n.sum(axis=1).astype(np.int64))


def _calibration(games: Contests, predicted: Floats, level: float) -> pd.DataFrame:
    """Win share of seat 0 by tenths of its prediction, with intervals over rounds."""
    edges = np.unique(np.quantile(predicted, np.arange(1, TENTHS) / TENTHS))
    tenth = np.searchsorted(edges, predicted, side="right")
    kinds, (rounds, number) = len(edges) + 1, games.rounds
    shape, cell = (kinds, rounds), tenth * rounds + number
    n, won = (np.bincount(cell, given, kinds * rounds).reshape(shape) for given in (None, games.share))
    table = ratios_over_rounds(won, n, level)
    table.insert(0, "predicted", np.bincount(tenth, predicted, kinds) / n.sum(axis=1).clip(min=1))
    return table.loc[table["n"] > 0].reset_index(drop=True)


def _auc(logits: Floats, share: Floats) -> float:
    """Area under the ROC curve; each game counts from both seats, so that seat order does not matter."""
    value, place = np.unique(np.concatenate([logits, -logits]).round(9), return_inverse=True)
    won, lost = (np.bincount(place.ravel(), np.concatenate([of, 1 - of]), len(value)) for of in (share, 1 - share))
    below = np.cumsum(lost) - lost / 2
    return float(won @ below / (won.sum() * lost.sum()))


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
    n, wins = _counts(terms, lines)
    seen = n > 0
    basis, kinds = terms.basis(seen)
    problem = Problem(lines, terms.design(lines.first, lines.second, lines.started), basis, kinds)
    sides = slice(0, terms.part.stop)  # going first, and the parts
    decided = np.minimum(wins[sides], n[sides] - wins[sides])[seen[sides]]
    ridge, df = fit(problem, contests, separated=bool(np.any(decided < NEARLY))), rounds - 1
    columns = _estimates(basis, ridge, seen, df, level).assign(n=n.astype(np.int64), raw=wins / np.where(seen, n, np.nan))
    parts, pairs, counters = (columns[kind].reset_index(drop=True) for kind in (terms.part, terms.pair, terms.counter))
    names, (i, j) = np.array(teams.names, object), terms.pairs
    tail = _logits(parts["effect"].to_numpy(), parts["se"].to_numpy(), df)
    table = pd.DataFrame({"part": np.arange(teams.parts), "name": list(teams.names)}).join(_chances(parts))
    table = with_verdicts(table.assign(p_holm=adjust(table["p"]), fair=fair_share(SEATS)), tail)
    both = pd.DataFrame({"i": i, "j": j, "first": names[i], "second": names[j]})
    pairs, counters = (both.join(_chances(kind, 0.5)).assign(p_bh=adjust(kind["p"], "bh")) for kind in (pairs, counters))
    share, low, high, p, raw = _chances(columns[:1]).iloc[0][["estimate", "low", "high", "p", "raw"]].tolist()
    return Contributions(
        table.sort_values("effect", ascending=False, kind="stable", ignore_index=True),
        pairs.drop(columns="raw"),
        counters.drop(columns="raw"),
        FirstMove(share, low, high, p, raw, int(n[0])),
        goodness(problem, ridge, contests, level),
        Strengths(terms, columns["value"].to_numpy(), seen[terms.part]),
        basis @ ridge.covariance @ basis.T,
        level,
    )


def _counts(terms: Terms, lines: Lines) -> tuple[Floats, Floats]:
    """Games with each term, and win shares of its side (of parts and going first), by column of the model.

    A part on both sides counts twice and does not counter itself.
    """
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
    for ours, theirs in product(members[lines.first].T, members[lines.second].T):
        differ = ours != theirs
        n[terms.counter] += np.bincount(terms.number(ours[differ], theirs[differ]), lines.n[differ], len(terms.pairs[0]))
    return n, wins


def _estimates(basis: Floats, ridge: Ridge, seen: NDArray[np.bool_], df: int, level: float) -> pd.DataFrame:
    """Columns value, effect, se, low, high (logits) and p of each column of the model; all but value are NaN without games."""
    value = basis @ ridge.theta
    wide, plain = (np.sqrt(np.sum((basis @ matrix) * basis, axis=1).clip(min=0)) for matrix in (ridge.covariance, ridge.sampling))
    half = float(stats.t.ppf((1 + level) / 2, df)) * wide
    exact = np.where(np.abs(value) > 1e-9, np.inf, 0.0)  # no variance at all: p = 0
    score = np.divide(np.abs(value), plain, out=exact, where=plain > 1e-12)
    known = {"effect": value, "se": wide, "low": value - half, "high": value + half, "p": 2 * stats.t.sf(score, df)}
    return pd.DataFrame({"value": value, **{name: np.where(seen, column, np.nan) for name, column in known.items()}})


def _chances(columns: pd.DataFrame, shift: float = 0.0) -> pd.DataFrame:
    """Effect, se, estimate, low, high, p, n and raw of some terms: probabilities less `shift` in place of logits."""
    bounds = {name: expit(columns[logit_]) - shift for name, logit_ in (("estimate", "effect"), ("low", "low"), ("high", "high"))}
    return pd.DataFrame({"effect": columns["effect"], "se": columns["se"], **bounds}).join(columns[["p", "raw", "n"]])


def _logits(effect: Floats, error: Floats, df: int) -> Tail:
    """Student's p-values of probabilities from their logits."""

    def tail(share: Floats, side: Side) -> Floats:
        t = np.divide(effect - logit(share), error, out=np.full(effect.size, np.nan), where=error > 0)
        return np.asarray(stats.t.sf(t, df) if side == "greater" else stats.t.cdf(t, df))

    return tail
