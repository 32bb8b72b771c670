"""All teams ranked by strength, from the model and their own games; the best and the worst play again.

Of hundreds of teams the best ten are partly the luckiest: `retested` compares them with fresh games. `team_study` gives the
model and the league of a study.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import isqrt
from typing import Any

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from analysis.answer.verdicts import row_level, with_verdicts
from analysis.data.rows import Rows
from analysis.data.study import OF_TEAMS, Study
from analysis.stats.intervals import LEVEL
from analysis.teams.model import LEAST_GAMES_EACH, LEAST_ROUNDS, Contributions, contributions, ratios_over_rounds
from analysis.teams.ridge import TERMS_MAX, Contests, Lines
from sim.engine.policies import PolicySpec
from sim.engine.teams import Teams
from sim.experiments.experiment import AgainstAll

Floats = NDArray[np.float64]

EVEN = 0.5
RETESTED = 10  # teams from each end of the league
PARTS_MAX = isqrt(TERMS_MAX - 1)  # largest number of parts in the model


def league(model: Contributions, contests: Contests, teams: Teams, level: float = LEVEL) -> pd.DataFrame:
    """Every team against the mean of all opponents that it can meet, best first; teams of unknown parts last.

    Columns: rank (1 is best), entrant, name, predicted and predicted_se (by the model, delta method), raw (win share in its own
    games), n (games), excess (raw minus the model's expectation for the same games), estimate, se, low, high. The estimate is
    the prediction plus the shrunk excess: the variance of excesses between teams is estimated by moments (DerSimonian and Laird
    1986, Controlled Clinical Trials 7:177-188), and each excess is shrunk according to its games (Morris 1983, JASA 78:47-55).
    contests: the games fitted. Raises ValueError for unknown entrants, or parts without fitted games.
    """
    size = len(teams.members)
    chances, met = _opponents(model.table())
    predicted = chances.sum(axis=1) / np.where(met > 0, met, np.nan)
    error = _prediction_error(model)
    n, wins, expected, variance = _own_games(model, Lines.of(contests, size), size)
    excess = (wins - expected) / np.where(n > 0, n, np.nan)
    noise = np.divide(variance, n**2, out=np.full(size, np.inf), where=n > 0)
    between = _spread_beyond(excess, noise)
    kept = between / (between + noise) if between > 0 else np.zeros(size)
    estimate = predicted + kept * np.where(n > 0, excess, 0.0)
    se = np.sqrt(error**2 + between * (1 - kept))
    half = float(scipy.stats.norm.ppf((1 + level) / 2)) * se
    names = [" + ".join(teams.names[part] for part in team) for team in teams.members.tolist()]
    columns: dict[str, Any] = {"entrant": np.arange(size), "name": names, "predicted": predicted, "predicted_se": error}
    columns |= {"raw": wins / np.where(n > 0, n, np.nan), "n": n.astype(np.int64), "excess": excess, "estimate": estimate}
    columns |= {"se": se, "low": (estimate - half).clip(0, 1), "high": (estimate + half).clip(0, 1)}
    table = pd.DataFrame(columns).sort_values("estimate", ascending=False, kind="stable", ignore_index=True)
    table.insert(0, "rank", np.arange(1, size + 1))
    return table


def retested(frame: pd.DataFrame, wins: Floats, games: Floats, level: float = LEVEL) -> pd.DataFrame:
    """Compare chosen teams with fresh games, in which each meets all its opponents equally often.

    wins, games: (rows of frame, rounds), win shares and games. Adds retest, retest_low, retest_high (over rounds, simultaneous
    over all teams), retest_n, verdict (see `verdicts.with_verdicts`), gap (first estimate minus retest) and raw_gap (raw share
    minus retest).
    """
    fresh = ratios_over_rounds(wins, games, row_level(len(frame), level))
    fresh = with_verdicts(fresh.assign(fair=EVEN, low=fresh["low"].clip(0, 1), high=fresh["high"].clip(0, 1)))
    retest = {"retest": "estimate", "retest_low": "low", "retest_high": "high", "retest_n": "n", "verdict": "verdict"}
    table = frame.assign(**{name: fresh[column] for name, column in retest.items()})
    return table.assign(gap=table["estimate"] - table["retest"], raw_gap=table["raw"] - table["retest"])


def selection_bias(frame: pd.DataFrame) -> pd.DataFrame:
    """Selection bias: means of a `retested` table by its column `end`, "best" or "worst".

    Columns: end, teams, raw, estimate, retest, gap and raw_gap (means, first minus retest). A positive gap of the best and a
    negative one of the worst are bias that shrinkage did not remove.
    """
    by_end = frame.groupby("end", sort=True)
    means = by_end[["raw", "estimate", "retest", "gap", "raw_gap"]].mean()
    means.insert(0, "teams", by_end.size())
    return means.reset_index()


def _prediction_error(model: Contributions) -> Floats:
    """Standard error of each team's mean win probability, by the delta method over the terms of the model."""
    terms, holds = model.terms, model.holds
    by_match, by_start = (slope / met.clip(min=1)[:, None] for slope, met in map(_opponents, model.slopes()))
    total, met = by_match.sum(axis=1, keepdims=True), by_match @ holds
    i, j = terms.pairs
    inside = np.zeros((len(holds), len(i)))
    np.put_along_axis(inside, terms.inside, 1.0, axis=1)
    counters = holds[:, i] * met[:, j] - holds[:, j] * met[:, i]
    slopes = np.hstack([by_start.sum(axis=1, keepdims=True), total * holds - met, total * inside - by_match @ inside, counters])
    error = np.sqrt(np.einsum("ec,ec->e", slopes @ model.covariance, slopes).clip(min=0))
    return np.asarray(np.where(model.rated, error, np.nan), np.float64)


def _opponents(table: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """The table with 0 in place of itself and impossible matchups, and the number of opponents of each team."""
    met = ~np.isnan(table) & ~np.eye(len(table), dtype=bool)
    return np.where(met, table, 0.0), met.sum(axis=1)


def _own_games(model: Contributions, lines: Lines, size: int) -> Floats:
    """By team: games, wins, expected wins by the model in the same games, and their variance; (4, teams).

    The variance is binomial times a common factor, by which teams vary more between rounds than independent games would.
    """
    chance = model.predict(lines.first, lines.second, lines.started)
    if np.isnan(chance).any():
        raise ValueError("the games contain parts without fitted games")
    sums = np.zeros((4, size))
    for side, won, expected in ((lines.first, lines.wins, chance), (lines.second, lines.n - lines.wins, 1 - chance)):
        parts = (lines.n, won, lines.n * expected, lines.n * chance * (1 - chance))
        sums += [np.bincount(side, part, size) for part in parts]
    rest, start = lines.share - chance[lines.line], lines.number * size
    key = np.concatenate([start + lines.first[lines.line], start + lines.second[lines.line]])
    _, place = np.unique(key, return_inverse=True)
    by_round = np.bincount(place, np.concatenate([rest, -rest]))
    sums[3] *= float(by_round @ by_round) / max(float(sums[3].sum()), 1e-12) * lines.rounds / (lines.rounds - 1)
    return sums


def _spread_beyond(excess: Floats, noise: Floats) -> float:
    """Variance of the teams' excesses beyond chance, by moments, at least 0."""
    known = np.isfinite(noise) & (noise > 0) & np.isfinite(excess)
    weight = 1 / noise[known]
    rest = float(weight.sum() - (weight**2).sum() / weight.sum()) if known.sum() > 1 else 0.0
    if rest <= 0:
        return 0.0
    centre = float(weight @ excess[known] / weight.sum())
    scatter = float(weight @ (excess[known] - centre) ** 2)
    return max(0.0, (scatter - float(known.sum()) + 1) / rest)


@dataclass(frozen=True, eq=False)
class TeamStudy:
    """Results on the teams of a study at two seats. Further games are played when a result first needs them."""

    study: Study

    @property
    def teams(self) -> Teams:
        """Teams of the study."""
        assert self.study.teams is not None
        return self.study.teams

    @cached_property
    def games(self) -> Contests:
        """Games under the main policy: those of a report, or of a command, played now."""
        if self.study.base is not None:
            return Contests.from_experiment(self.study.main(OF_TEAMS), self.study.player.play)
        return self._contests(self.study.rows_of_teams, self.study.policy)

    @cached_property
    def contributions(self) -> Contributions | None:
        """Fitted model of contributions; None with too few games or too many parts."""
        return fitted(self.games, self.teams)

    @cached_property
    def contributions_beside(self) -> Contributions | None:
        """The same under the second policy of a report; None without one."""
        beside = self.study.beside
        if beside is None or self.study.base is not None:
            return None
        return fitted(self._contests(self.study.rows_of_teams_beside, beside), self.teams)

    @cached_property
    def league(self) -> pd.DataFrame:
        """All teams, best first (see `league`); empty with too few games."""
        return league(self.contributions, self.games, self.teams) if self.contributions else pd.DataFrame()

    @cached_property
    def retested(self) -> pd.DataFrame:
        """The best and the worst teams in games that were not used to select them, in the order of the league.

        Columns: those of the league, end ("best" or "worst"), and those of `retested`. Empty without a league, or if teams are
        not planned by line-ups.
        """
        ranked = self.league.dropna(subset=["estimate"]) if len(self.league) else self.league
        ends = min(RETESTED, len(ranked) // 2)
        if not ends or not self.teams.planned:
            return pd.DataFrame()
        parts = {"best": ranked.head(ends), "worst": ranked.tail(ends)}
        chosen = pd.concat([part.assign(end=end) for end, part in parts.items()], ignore_index=True)
        study, sums = self.study, []
        shared = (study.game.name, study.cards, OF_TEAMS, (study.policy,), study.budget.retest_games, study.retest_seed)
        experiments = [AgainstAll(*shared, entrant=entrant) for entrant in chosen["entrant"].tolist()]
        total = sum(experiment.games for experiment in experiments)
        try:
            for experiment in experiments:
                contests = Contests.from_experiment(experiment, lambda one: study.player.play(one, "teams re-tested", total))
                rounds = experiment.games // experiment.round_games
                share = np.where(contests.first == experiment.entrant, contests.share, 1 - contests.share)
                sums.append([np.bincount(contests.cluster, values, rounds) for values in (share, None)])
        except KeyboardInterrupt:
            if study.base is None:
                raise
            return pd.DataFrame()
        wins, games = np.array(sums, np.float64).swapaxes(0, 1)
        return retested(chosen, wins, games)

    def _contests(self, rows: list[Rows], policy: PolicySpec) -> Contests:
        """Contests from rows, clustered by round."""
        games = np.concatenate(rows)
        return Contests.of(games, self.study.main(OF_TEAMS, policy).round_of(games["game"].astype(np.int64)))


def fitted(games: Contests, teams: Teams) -> Contributions | None:
    """The model of contributions; None with too few games or too many parts."""
    enough = games.rounds[0] >= LEAST_ROUNDS and len(games) >= LEAST_GAMES_EACH * teams.parts
    return contributions(games, teams) if enough and teams.parts <= PARTS_MAX else None


def team_study(study: Study) -> TeamStudy | None:
    """Results on the teams of a study, made once; None if no teams meet at two seats."""
    found: TeamStudy | None = study.memo("teams", lambda: TeamStudy(study) if study.has_teams else None)
    return found
