"""Model of games between teams: what parts contribute, which work together and which counter which.

The logit of a win is the sum of: going first; the effects of the team's parts minus those of the opposing team; a term for each
pair of parts in a team, minus those of the opposing team; a counter for each part against each part of the opposing team. Parts
and going first are unpenalised; pairs and counters are shrunk (see `analysis.teams.ridge`). Standard errors treat rounds of the
design as the observations.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray
from scipy.special import expit

from analysis.answer.verdicts import Floats, row_level, with_verdicts
from analysis.stats.intervals import LEVEL, Interval, adjust, check_level, ratios
from analysis.stats.logit import logit
from analysis.teams.ridge import FREE_SPREAD, SEATS, Contests, Ints, Lines, Problem, Ridge, Terms, fit, group_test
from analysis.winrates.rates import fair_share
from sim.engine.teams import Teams

__all__ = ["Contests", "Contributions", "contributions"]


@dataclass(frozen=True, eq=False)
class Strengths:
    """Fitted terms of the logit of a win. values: (columns of `terms`,); known: (parts,), whether a part has games."""

    terms: Terms
    values: Floats
    known: NDArray[np.bool_]

    @cached_property
    def holds(self) -> Floats:
        """Incidence of parts in teams, shape (entrants, parts), 0 or 1."""
        table = np.zeros((len(self.terms.members), self.terms.teams.parts))
        np.put_along_axis(table, self.terms.members, 1.0, axis=1)
        return table

    @cached_property
    def rated(self) -> NDArray[np.bool_]:
        """Teams all of whose parts have games, (entrants,)."""
        return np.asarray(self.known[self.terms.members].all(axis=1))

    def predict(self, first: Ints, second: Ints, started: Ints) -> Floats:
        """Probability that `first` beats `second` (entrants), NaN if a part has no games. started: see `Contests`, of `first`."""
        chance = expit(self.terms.design(first, second, started) @ self.values)
        return np.asarray(np.where(self.rated[first] & self.rated[second], chance, np.nan), np.float64)

    @cached_property
    def sides(self) -> Floats:
        """Probability of the row's win against the column if it goes first, and if second; NaN if the two cannot meet."""
        terms, (i, j) = self.terms, self.terms.pairs
        against = np.zeros((terms.teams.parts,) * 2)  # counter of the row's part against the column's
        against[i, j] = self.values[terms.counter]
        team = self.values[terms.part][terms.members].sum(axis=1) + self.values[terms.pair][terms.inside].sum(axis=1)
        team = np.where(self.rated, team, np.nan)
        even = team[:, None] - team + self.holds @ (against - against.T) @ self.holds.T
        meet = self.holds @ self.holds.T == 0 if terms.teams.disjoint else np.ones_like(even, np.bool_)
        even = np.where(meet, even, np.nan)
        return np.asarray([expit(even + started * self.values[0]) for started in (1, -1)], np.float64)

    def table(self) -> Floats:
        """Win probability of the row against the column, mean of going first and second; NaN if the two cannot meet.

        P(row, column) + P(column, row) = 1.
        """
        return np.asarray(self.sides.mean(axis=0))

    def slopes(self) -> tuple[Floats, Floats]:
        """Derivatives of `table` by the logit of the matchup and by that of going first."""
        ahead, behind = self.sides * (1 - self.sides) / 2
        return ahead + behind, ahead - behind


FOLDS = 5
TENTHS = 10


@dataclass(frozen=True, eq=False)
class Fit:
    """Fit of a model of teams.

    games, rounds: numbers in the data. auc: probability that a won game had a higher prediction than a lost one,
    cross-validated. losses: log loss of each model (nats per game, cross-validated). calibration: predicted, estimate, low,
    high, n by tenths of the cross-validated prediction for seat 0. groups: term, spread (standard deviation chosen, in logits),
    freedom (effective number of terms), f, p (of all terms being 0).
    """

    games: int
    rounds: int
    auc: float
    losses: dict[str, float]
    calibration: pd.DataFrame
    groups: pd.DataFrame


def goodness(problem: Problem, ridge: Ridge, games: Contests, level: float) -> Fit:
    """Evaluate a fit by FOLDS-fold cross-validation over rounds."""
    lines, free = problem.lines, problem.kinds == 0
    plain = replace(problem, basis=problem.basis[:, free], kinds=problem.kinds[free])
    parts = logit(plain.design @ plain.basis, lines.wins / lines.n, lines.n, penalty=FREE_SPREAD**-2)
    full = _left_out(problem, ridge.theta, ridge.curve)
    alone = _left_out(plain, parts.coefficients, np.asarray(np.linalg.inv(parts.covariance), np.float64))
    models = {"coin": np.zeros(len(games)), "parts": alone, "parts, pairs, counters": full}
    tests = [group_test(ridge, problem.kinds, kind, lines.rounds) for kind in (1, 2)]
    groups = {"term": ("pairs", "counters"), "spread": ridge.spreads, "freedom": ridge.freedom[1:]}
    return Fit(
        games=len(games),
        rounds=lines.rounds,
        auc=_auc(full, lines.share),
        losses={name: float((np.logaddexp(0, logits) - lines.share * logits).mean()) for name, logits in models.items()},
        calibration=_calibration(games, expit(np.where(lines.turned, -full, full)), level),
        groups=pd.DataFrame(groups).join(pd.DataFrame(tests, columns=["f", "p"])),
    )


def _left_out(problem: Problem, theta: Floats, curve: Floats) -> Floats:
    """Logit of each game, (games,), by the model fitted without the games of its fold; theta, curve: of the full fit.

    One Newton step from the full fit, with its penalties: with a fifth left out, a second step would be about a hundred times
    smaller than the error of the terms (Rad and Maleki 2020, JRSS B 82:965-996).
    """
    lines, logits = problem.lines, problem.logits(theta)
    chance, fold, result = expit(logits), lines.number % FOLDS, np.empty(len(lines.line))
    for number in range(FOLDS):
        left = fold == number
        n, wins = (np.bincount(lines.line[left], given, len(logits)) for given in (None, lines.share[left]))
        rest = curve - problem.information(n * chance * (1 - chance))
        step = np.linalg.solve(rest, problem.score(wins - n * chance))
        result[left] = problem.logits(theta - step)[lines.line[left]]
    return result


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


@dataclass(frozen=True, eq=False)
class Contributions(Strengths):
    """A fitted model of teams.

    parts: best first; part, name, effect (logit; all sum to 0), se, estimate (win probability against an average part in
    otherwise equal teams), low, high (simultaneous over all parts), p, p_holm, raw (win share of its teams), n (their games),
    fair (an even chance), verdict. pairs: i, j (i < j), first, second (names), effect, se, estimate (win probability that both
    together add in an even match, beyond what each adds with all its mates), low, high, p, p_bh, n (games
    of teams with both). counters: the same for i against j, beyond what i does against all and all do against j; n: games with
    i and j on different sides. Without games, values are NaN and the verdict is "not decided".
    p of pairs and counters tests "no effect" before shrinkage and can be small even if the shrunk interval contains 0.
    first: win share of the side that goes first in an even match; NaN if it is not known who went first.
    covariance: of the values, over rounds and shrinking.
    """

    parts: pd.DataFrame
    pairs: pd.DataFrame
    counters: pd.DataFrame
    first: Interval
    fit: Fit
    covariance: Floats

    def __repr__(self) -> str:
        return f"Contributions({len(self.parts)} parts, {self.fit.games} games in {self.fit.rounds} rounds)"


def contributions(contests: Contests, teams: Teams, level: float = LEVEL) -> Contributions:
    """Fit the model to games of teams.

    Raises ValueError for fewer than 10 rounds or 5 games per part, unknown entrants, and too many parts.
    """
    check_level(level)
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
    sides = np.flatnonzero(seen[: terms.part.stop])  # going first, and the parts
    decided = np.minimum(wins[sides], n[sides] - wins[sides])
    ridge, df = fit(problem, separated=bool(np.any(decided < NEARLY))), rounds - 1
    levels = np.full(len(seen), level)
    levels[terms.part] = row_level(int(seen[terms.part].sum()), level)
    columns = _estimates(basis, ridge, seen, df, levels).assign(raw=wins / np.where(seen, n, np.nan), n=n.astype(np.int64))
    parts, pairs, counters = (columns[kind].reset_index(drop=True) for kind in (terms.part, terms.pair, terms.counter))
    table = pd.DataFrame({"part": np.arange(teams.parts), "name": list(teams.names)}).join(_chances(parts))
    table = with_verdicts(table.assign(p_holm=adjust(table["p"]), fair=fair_share(SEATS)))
    names, (i, j) = np.array(teams.names, object), terms.pairs
    both = pd.DataFrame({"i": i, "j": j, "first": names[i], "second": names[j]})
    pairs, counters = (
        both.join(_chances(kind, 0.5).drop(columns="raw")).assign(p_bh=adjust(kind["p"], "bh")) for kind in (pairs, counters)
    )
    share, low, high = _chances(columns[:1])[["estimate", "low", "high"]].iloc[0].tolist()
    return Contributions(
        terms,
        basis @ ridge.theta,
        seen[terms.part],
        table.sort_values("effect", ascending=False, kind="stable", ignore_index=True),
        pairs,
        counters,
        Interval(share, low, high, int(n[0]), level, "t"),
        goodness(problem, ridge, contests, level),
        basis @ ridge.covariance @ basis.T,
    )


def _counts(terms: Terms, lines: Lines) -> tuple[Floats, Floats]:
    """Games with each term, and win shares of its side (of parts and going first), by column of the model.

    A part on both sides counts twice and does not counter itself.
    """
    n, wins = np.zeros((2, terms.columns))
    known, pairs = lines.started != 0, terms.pairs.shape[1]
    n[0] = lines.n[known].sum()
    wins[0] = np.where(lines.started > 0, lines.wins, lines.n - lines.wins)[known].sum()
    for side, won in ((lines.first, lines.wins), (lines.second, lines.n - lines.wins)):
        for column in terms.members[side].T:
            n[terms.part] += np.bincount(column, lines.n, terms.teams.parts)
            wins[terms.part] += np.bincount(column, won, terms.teams.parts)
        for column in terms.inside[side].T:
            n[terms.pair] += np.bincount(column, lines.n, pairs)
    for ours, theirs in product(terms.members[lines.first].T, terms.members[lines.second].T):
        differ = ours != theirs
        n[terms.counter] += np.bincount(terms.number(ours[differ], theirs[differ]), lines.n[differ], pairs)
    return n, wins


def _estimates(basis: Floats, ridge: Ridge, seen: NDArray[np.bool_], df: int, levels: Floats) -> pd.DataFrame:
    """Columns effect, se, low, high (logits) and p of each column of the model, NaN without games. levels: of each interval."""
    effect = basis @ ridge.theta
    se, plain = (np.sqrt(np.sum((basis @ matrix) * basis, axis=1).clip(min=0)) for matrix in (ridge.covariance, ridge.sampling))
    half = scipy.stats.t.ppf((1 + levels) / 2, df) * se
    exact = np.where(np.abs(effect) > 1e-9, np.inf, 0.0)  # no variance at all: p = 0
    score = np.divide(np.abs(effect), plain, out=exact, where=plain > 1e-12)
    columns = {"effect": effect, "se": se, "low": effect - half, "high": effect + half, "p": 2 * scipy.stats.t.sf(score, df)}
    frame = pd.DataFrame(columns)
    frame.loc[~seen] = np.nan
    return frame


def _chances(columns: pd.DataFrame, shift: float = 0.0) -> pd.DataFrame:
    """Effect, se, estimate, low, high, p, raw and n of some terms: probabilities less `shift` in place of logits."""
    estimate, low, high = (expit(columns[name]) - shift for name in ("effect", "low", "high"))
    return columns[["effect", "se"]].assign(estimate=estimate, low=low, high=high).join(columns[["p", "raw", "n"]])
