"""What games are counted into.

What the games of an experiment are counted into: sums that a table of win rates is worked out from.

Sums over the games of a block as a long table, as runs keep them that keep a summary, and back.

A line is one cell of one of the tables of `Counts`: quantity (its name), axis_0 to axis_2 (index into it, -1 where it has
fewer axes), value. Cells of nought are left out.

How often the teams win that a part is in: counted round by round, for games of a round hang together.
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
    """Sums over games, fed block by block in order: constant memory. What does not apply is None."""

    tally: Tally
    parts: PartTally | None  # of entrants that are teams
    pairs: PairTally | None  # where games share their dice

    @classmethod
    def of(cls, experiment: Experiment) -> Counts:
        """Make counts of no games."""
        parts = pairs = None
        if experiment.teams is not None:
            parts = PartTally(experiment)
        if experiment.pair_games > 1:
            from analysis.data.pairs_of_games import PairTally  # noqa: PLC0415 - as above

            pairs = PairTally(experiment)
        by_seating = len(set(experiment.policies)) > 1
        return cls(Tally.empty(len(experiment.cards.ids), SEATS_MAX, by_seating), parts, pairs)

    def add(self, rows: Rows) -> None:
        """Count a block of rows, the one after those before."""
        self.tally.add(rows)
        if self.parts:
            self.parts.add(rows)
        if self.pairs:
            self.pairs.add(rows)

    def tables(self) -> Tables:
        """All sums by name. Those of whole rounds of one experiment may be added up with `merge`."""
        found = dict(self.tally.tables())
        for more in (self.parts, self.pairs):
            found |= more.tables() if more else {}
        return found

    def merge(self, tables: Tables) -> None:
        """Add the sums of other games of the same experiment."""
        self.tally.merge(tables)
        for more in (self.parts, self.pairs):
            if more:
                more.merge(tables)


AXES = ("axis_0", "axis_1", "axis_2")
NO_AXIS = -1
LARGEST = 2.0**53  # sum; above it whole numbers are no longer exact


def summarise(experiment: Experiment, blocks: Iterable[Block]) -> Tables:
    """Count games and return the sums as columns of one length; see `sim.store.Summarise`."""
    counts = Counts.of(experiment)
    for block in blocks:
        counts.add(block.rows)
    tables = {name: table for name, table in counts.tables().items() if table.any()}
    cells = {name: np.argwhere(table) for name, table in tables.items()}
    columns: Tables = {"quantity": np.repeat(list(tables), [len(found) for found in cells.values()])}
    padded = [
        np.pad(found, ((0, 0), (0, len(AXES) - found.shape[1])), constant_values=NO_AXIS) for found in cells.values()
    ]
    where = np.concatenate(padded).astype(np.int32)
    columns |= {axis: np.ascontiguousarray(where[:, at]) for at, axis in enumerate(AXES)}
    values = [table[tuple(cells[name].T)].astype(np.float64) for name, table in tables.items()]
    return columns | {"value": np.concatenate(values)}


def add_sums(counts: Counts, columns: Tables) -> None:
    """Add sums that `summarise` made of a block. Raises StoreError where they are not those of such games."""
    tables = {name: np.zeros(table.shape) for name, table in counts.tables().items()}
    if set(columns) != {"quantity", *AXES, "value"}:
        raise StoreError("its columns are not those of a summary")
    value = columns["value"]
    if value.dtype != np.float64 or not ((value >= 0) & (value <= LARGEST)).all():
        raise StoreError("its sums are no numbers from 0 to 2^53")
    if any(columns[axis].dtype != np.int32 for axis in AXES):
        raise StoreError("its columns are not those of a summary")
    for name in dict.fromkeys(columns["quantity"].tolist()):
        if name not in tables:
            raise StoreError(f"holds sums of {name!r}, which these games do not have")
        lines = columns["quantity"] == name
        _place(tables[name], np.stack([columns[axis][lines] for axis in AXES], axis=1), value[lines])
    counts.merge(tables)


def _place(table: np.ndarray, where: np.ndarray, value: np.ndarray) -> None:
    """Put values at their cells. Raises StoreError for cells that there are not."""
    used, unused = where[:, : table.ndim], where[:, table.ndim :]
    if (used < 0).any() or (used >= table.shape).any() or (unused != NO_AXIS).any():
        raise StoreError("holds sums of entrants or seats that these games do not have")
    if len(np.unique(used, axis=0)) < len(used):
        raise StoreError("holds a sum twice")
    table[tuple(used.T)] = value


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
