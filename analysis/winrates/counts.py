"""Sums over games from which win rates are computed, and their long form for runs that keep only a summary.

In the long form a row is one cell of one table of `Counts`: quantity (the table's name), axis_0 to axis_2 (index into it, -1
where the table has fewer axes), value. Zero cells are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from analysis.data.rows import Rows, Tally, distinct
from analysis.document.verdicts import judged, student
from analysis.stats import clusters
from analysis.stats.intervals import LEVEL, adjust
from analysis.winrates.rates import incidence
from sim.engine.dice import SEATS_MAX
from sim.engine.table import Status
from sim.experiment import Experiment
from sim.run import Block
from sim.store import StoreError

if TYPE_CHECKING:
    from analysis.data.pairs_of_games import PairTally

Tables = dict[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Counts:
    """Sums over games, added block by block in order: constant memory. Fields that do not apply are None."""

    tally: Tally
    parts: PartTally | None  # if entrants are teams
    pairs: PairTally | None  # if games share their dice

    @classmethod
    def of(cls, experiment: Experiment) -> Counts:
        """Create empty counts."""
        parts = pairs = None
        if experiment.teams is not None:
            parts = PartTally(experiment)
        if experiment.pair_games > 1:
            from analysis.data.pairs_of_games import PairTally  # noqa: PLC0415 - only for paired games

            pairs = PairTally(experiment)
        by_seating = len(set(experiment.policies)) > 1
        return cls(Tally.empty(len(experiment.cards.ids), SEATS_MAX, by_seating), parts, pairs)

    def add(self, rows: Rows) -> None:
        """Count the next block of rows."""
        self.tally.add(rows)
        if self.parts:
            self.parts.add(rows)
        if self.pairs:
            self.pairs.add(rows)

    def tables(self) -> Tables:
        """Return all sums by name. Those of whole rounds of one experiment can be added up with `merge`."""
        tables = dict(self.tally.tables())
        for more in (self.parts, self.pairs):
            tables |= more.tables() if more else {}
        return tables

    def merge(self, tables: Tables) -> None:
        """Add the sums of other games of the same experiment."""
        self.tally.merge(tables)
        for more in (self.parts, self.pairs):
            if more:
                more.merge(tables)


AXES = ("axis_0", "axis_1", "axis_2")
NO_AXIS = -1
LARGEST = 2.0**53  # largest sum; above it whole numbers are no longer exact


def summarise(experiment: Experiment, blocks: Iterable[Block]) -> Tables:
    """Count games and return the sums as columns of equal length; see `sim.store.Summarise`."""
    counts = Counts.of(experiment)
    for block in blocks:
        counts.add(block.rows)
    tables = {name: table for name, table in counts.tables().items() if table.any()}
    cells = {name: np.argwhere(table) for name, table in tables.items()}
    columns: Tables = {"quantity": np.repeat(list(tables), [len(indices) for indices in cells.values()])}
    padded = [
        np.pad(indices, ((0, 0), (0, len(AXES) - indices.shape[1])), constant_values=NO_AXIS)
        for indices in cells.values()
    ]
    where = np.concatenate(padded).astype(np.int32)
    columns |= {axis: np.ascontiguousarray(where[:, axis_number]) for axis_number, axis in enumerate(AXES)}
    values = [table[tuple(cells[name].T)].astype(np.float64) for name, table in tables.items()]
    return columns | {"value": np.concatenate(values)}


def add_sums(counts: Counts, columns: Tables) -> None:
    """Add the sums that `summarise` made of a block. Raises StoreError if they do not fit the experiment."""
    tables = {name: np.zeros(table.shape) for name, table in counts.tables().items()}
    if set(columns) != {"quantity", *AXES, "value"}:
        raise StoreError("its columns are not those of a summary")
    value = columns["value"]
    if value.dtype != np.float64 or not ((value >= 0) & (value <= LARGEST)).all():
        raise StoreError("its sums are not numbers from 0 to 2^53")
    if any(columns[axis].dtype != np.int32 for axis in AXES):
        raise StoreError("its columns are not those of a summary")
    for name in dict.fromkeys(columns["quantity"].tolist()):
        if name not in tables:
            raise StoreError(f"holds sums of {name!r}, which these games do not have")
        lines = columns["quantity"] == name
        _place(tables[name], np.stack([columns[axis][lines] for axis in AXES], axis=1), value[lines])
    counts.merge(tables)


def _place(table: np.ndarray, where: np.ndarray, value: np.ndarray) -> None:
    """Write values into their cells. Raises StoreError for cells outside the table."""
    used, unused = where[:, : table.ndim], where[:, table.ndim :]
    if (used < 0).any() or (used >= table.shape).any() or (unused != NO_AXIS).any():
        raise StoreError("holds sums of entrants or seats that these games do not have")
    if len(np.unique(used, axis=0)) < len(used):
        raise StoreError("holds a sum twice")
    table[tuple(used.T)] = value


class PartTally:
    """Wins and finished games of the parts of an experiment's teams, by round, because games in a round are correlated.

    Rows are added block by block in order. A team's share of the win counts for each of its parts; a part in two teams of a
    game counts for both.
    """

    def __init__(self, experiment: Experiment) -> None:
        if experiment.teams is None:
            raise ValueError(f"{experiment.game.title} with these cards has no teams")
        self.teams, self.seats = experiment.teams, experiment.seats
        self._round_of = experiment.round_of
        self._within = incidence(self.teams.members, self.teams.parts).astype(np.float64)
        self._sums = clusters.ClusterSums(self.teams.parts)

    def add(self, rows: Rows) -> None:
        """Add the next block of rows. Raises ValueError if it does not follow the previous one."""
        wins, games = np.zeros((2, len(rows), self.teams.parts))
        finished = (rows["status"] == Status.FINISHED).astype(np.float64)[:, None]
        for seat in range(self.seats):
            within = self._within[rows["entrant"][:, seat]] * finished
            games += within
            wins += within * rows["share"][:, seat, None]
        self._sums.add(self._round_of(rows["game"]), wins, games)

    def tables(self) -> dict[str, np.ndarray]:
        """Return all sums by name, for the summary of a run."""
        return {"part_rounds": self._sums.sums}

    def merge(self, tables: dict[str, np.ndarray]) -> None:
        """Add the `tables` of other rounds of the same experiment."""
        self._sums.merge(tables["part_rounds"])

    def rates(self, fair: float, level: float = LEVEL) -> pd.DataFrame:
        """Win rate of the teams that contain each part, best first.

        Columns: part (its number), name, estimate, low, high, error, n (finished games), rounds, fair, p (against fair), p_holm,
        and those of `verdicts.judged`. Parts without finished games come last with NaN. The rates are raw:
        they include what partners and opponents contribute.
        """
        rates = clusters.shares(self._sums.table(), level)
        p = clusters.p_against(rates, fair)
        tail = student(rates["estimate"], rates["error"], rates["clusters"], rates["n"])
        table = judged(rates.rename(columns={"clusters": "rounds"}).assign(fair=fair, p=p, p_holm=adjust(p)), tail)
        table.insert(0, "part", np.arange(self.teams.parts))
        table.insert(1, "name", distinct(self.teams.names))
        return table.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)
