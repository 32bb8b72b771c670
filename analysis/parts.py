"""How often the teams win that a part is in: counted round by round, for games of a round hang together."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis import clusters
from analysis.estimates import LEVEL, adjust
from analysis.frames import distinct
from analysis.matchups import incidence
from analysis.rows import Rows
from analysis.verdicts import judged, student
from sim.engine.table import Status
from sim.experiment import Experiment


class PartTally:
    """Wins and finished games of the parts of an experiment's teams, by round: fed block by block in order.

    A team counts with its share of the win for each of its parts; a part in two teams of a game counts in both.
    """

    def __init__(self, experiment: Experiment) -> None:
        if experiment.teams is None:
            raise ValueError(f"{experiment.game.title} with these cards has no teams")
        self.teams, self.seats = experiment.teams, experiment.seats
        self._round_of = experiment.round_of
        self._within = incidence(self.teams.members, self.teams.parts).astype(np.float64)
        self._sums = clusters.ClusterSums(self.teams.parts)

    def add(self, rows: Rows) -> None:
        """Add a block of rows. Raises ValueError for games that do not follow those before."""
        wins, games = np.zeros((2, len(rows), self.teams.parts))
        finished = (rows["status"] == Status.FINISHED).astype(np.float64)[:, None]
        for seat in range(self.seats):
            within = self._within[rows["entrant"][:, seat]] * finished
            games += within
            wins += within * rows["share"][:, seat, None]
        self._sums.add(self._round_of(rows["game"]), wins, games)

    def tables(self) -> dict[str, np.ndarray]:
        """All sums by name, for a run's summary."""
        return {"part_rounds": self._sums.sums}

    def merge(self, tables: dict[str, np.ndarray]) -> None:
        """Add the `tables` of other rounds of the same experiment."""
        self._sums.merge(tables["part_rounds"])

    def rates(self, fair: float, level: float = LEVEL) -> pd.DataFrame:
        """Win rate of the teams that each part was in, best first.

        Columns: part (its number), name, estimate, low, high, error, n (finished games), rounds, fair, p (against fair), p_holm,
        and those of `verdicts.judged`. Parts without finished games come last with NaN. The rates are raw:
        what partners and opponents add is in them.
        """
        found = clusters.shares(self._sums.table(), level)
        p = clusters.p_against(found, fair)
        tail = student(found["estimate"], found["error"], found["clusters"], found["n"])
        table = judged(found.rename(columns={"clusters": "rounds"}).assign(fair=fair, p=p, p_holm=adjust(p)), tail)
        table.insert(0, "part", np.arange(self.teams.parts))
        table.insert(1, "name", distinct(self.teams.names))
        return table.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)
