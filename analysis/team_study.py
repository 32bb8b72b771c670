"""What a study's games of teams two by two say: what parts contribute, and which teams are best; worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from analysis.contests import TERMS_MAX
from analysis.contributions import LEAST_GAMES_EACH, LEAST_ROUNDS, Contests, Contributions, contributions
from analysis.league import extremes, league, retested
from analysis.rows import Rows
from analysis.study import OF_TEAMS
from sim.engine.policies import PolicySpec
from sim.engine.table import Status
from sim.engine.teams import Teams
from sim.experiment import AgainstAll

if TYPE_CHECKING:
    from analysis.study import Study

RETESTED = 10  # teams from each end of the league
PARTS_MAX = isqrt(TERMS_MAX - 1)  # that the model of teams can have


@dataclass(frozen=True, eq=False)
class TeamStudy:
    """The games of a study's teams at two seats. Whatever needs more games plays them when it is first asked for."""

    study: Study

    @property
    def teams(self) -> Teams:
        """What the entrants are made of."""
        assert self.study.teams is not None
        return self.study.teams

    @cached_property
    def games(self) -> Contests:
        """The policy's games."""
        return self._contests(self.study.rows_of_teams, self.study.policy)

    @cached_property
    def contributions(self) -> Contributions | None:
        """What the parts contribute to winning; None with too few games to say."""
        return _fitted(self.games, self.teams)

    @cached_property
    def contributions_beside(self) -> Contributions | None:
        """The same under the policy beside, if there is one."""
        rows, beside = self.study.rows_of_teams_beside, self.study.beside
        return _fitted(self._contests(rows, beside), self.teams) if beside else None

    @cached_property
    def league(self) -> pd.DataFrame:
        """All teams, best first (see `league.league`); empty with too few games to say."""
        found = self.contributions
        return league(found, self.games, self.teams) if found else pd.DataFrame()

    @cached_property
    def retested(self) -> pd.DataFrame:
        """The best and the worst teams in games that had no part in choosing them, in the order of the league.

        Columns: see `league.retested`, and `end`. Empty without a league, or where line-ups plan no teams.
        """
        ends = min(RETESTED, int(self.league["estimate"].notna().sum()) // 2) if len(self.league) else 0
        if not ends or not self.teams.planned:
            return pd.DataFrame()
        chosen = extremes(self.league, ends)
        experiments = [self._against_all(entrant) for entrant in chosen["entrant"].tolist()]
        play = self.study.player("teams re-tested", sum(one.games for one in experiments))
        sums = [_by_round(one, [block.rows for block in play(one)]) for one in experiments]
        wins, games = (np.stack(column) for column in zip(*sums, strict=True))
        return retested(chosen, wins, games)

    def _against_all(self, entrant: int) -> AgainstAll:
        """Fresh games of one team against all opponents alike."""
        study = self.study
        policies, games, seed = (study.policy,), study.budget.retest_games, study.retest_seed
        return AgainstAll(study.game.name, study.cards, OF_TEAMS, policies, games, seed, entrant=entrant)

    def _contests(self, rows: list[Rows], policy: PolicySpec) -> Contests:
        """Games with the round that each belongs to."""
        games = np.concatenate(rows)
        return Contests.of(games, self.study.main(OF_TEAMS, policy).round_of(games["game"].astype(np.int64)))


def _by_round(experiment: AgainstAll, blocks: list[Rows]) -> tuple[np.ndarray, np.ndarray]:
    """Wins of the team and games that somebody won, by round of the design."""
    rows = np.concatenate(blocks)
    shares = rows["share"][:, :OF_TEAMS].astype(np.float64)
    won = shares.sum(axis=1)
    kept = (rows["status"] == Status.FINISHED) & (won > 0)
    own = np.where(rows["entrant"][:, :OF_TEAMS] == experiment.entrant, shares, 0).sum(axis=1)
    number = experiment.round_of(rows["game"].astype(np.int64))
    share = np.divide(own, won, out=np.zeros(len(rows)), where=kept)
    return np.bincount(number, share), np.bincount(number, kept.astype(np.float64))


def _fitted(games: Contests, teams: Teams) -> Contributions | None:
    """The model of teams; None where there are too few games for one, or more terms than it can have."""
    enough = games.rounds[0] >= LEAST_ROUNDS and len(games) >= LEAST_GAMES_EACH * teams.parts
    return contributions(games, teams) if enough and teams.parts <= PARTS_MAX else None
