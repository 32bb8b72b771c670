"""What the games of an experiment are counted into: sums that a table of win rates is worked out from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from analysis.rows import Rows
from analysis.tally import Tally
from sim.engine.dice import SEATS_MAX
from sim.experiment import Experiment

if TYPE_CHECKING:
    from analysis.paired_rates import PairTally
    from analysis.parts import PartTally

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
            from analysis.parts import PartTally  # noqa: PLC0415 - loads the statistics

            parts = PartTally(experiment)
        if experiment.pair_games > 1:
            from analysis.paired_rates import PairTally  # noqa: PLC0415 - as above

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
