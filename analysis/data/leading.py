"""The leading entrants of games that are still being played, in a few words, for progress bars."""

from __future__ import annotations

import numpy as np

from analysis.answer.numbers import percent
from analysis.answer.prose import bounds_of
from analysis.answer.verdicts import row_level
from analysis.data.rows import Rows, distinct
from analysis.stats.intervals import wilson
from sim.engine.loop import Status
from sim.experiments.experiment import Experiment

LEADERS = 3  # entrants named
LEAST_GAMES = 10  # finished games of an entrant that is named


class Leading:
    """Adds up the games of an experiment by entrant, or by part where entrants are teams."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment, teams = experiment, experiment.teams
        self.names = distinct(teams.names if teams else experiment.cards.names)
        self.wins, self.games = np.zeros((2, len(self.names)))

    def add(self, rows: Rows) -> None:
        """Count a block of games."""
        seats, teams = self.experiment.seats, self.experiment.teams
        finished = rows[rows["status"] == Status.FINISHED]
        units = finished["entrant"][:, :seats].astype(np.int64)
        share = finished["share"][:, :seats].astype(np.float64)
        if teams is not None:
            share = np.repeat(share.ravel(), teams.size)
            units = teams.members[units]
        self.games += np.bincount(units.ravel(), minlength=len(self.names))
        self.wins += np.bincount(units.ravel(), share.ravel(), len(self.names))

    def words(self, begin: str = "so far") -> str:
        """The highest win rates with simultaneous intervals of 95 %; empty before there are enough games.

        As in `so far: Rhino Guy 65.1 % (57.0 to 72.3 %), Valasca 55.0 % (46.6 to 63.1 %)`.
        """
        met = np.flatnonzero(self.games >= LEAST_GAMES)
        if not len(met):
            return ""
        rate = self.wins[met] / self.games[met]
        low, high = wilson(np.minimum(self.wins[met], self.games[met]), self.games[met], row_level(len(met)))
        best = np.argsort(-rate, kind="stable")[:LEADERS]
        bounds = [bounds_of({"estimate": rate[one], "low": low[one], "high": high[one]}) for one in best]
        leaders = [f"{self.names[met[one]]} {percent(rate[one])} {words}" for one, words in zip(best, bounds, strict=True)]
        return f"{begin}: {', '.join(leaders)}"
