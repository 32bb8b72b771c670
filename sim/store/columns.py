"""Game records as columns, one line per game. A field by seat or by part becomes columns `field_0`, `field_1`, ...

A field of the outcome that shares its name with a field of `ROW` is called `outcome_field`. Empty seats have no columns: their
values are always the same (zero; -1 for entrants) and are restored on reading.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from sim.engine.loop import ROW, Status
from sim.experiments.experiment import Experiment
from sim.run import Block

OTHER_COLUMNS = "its columns are not those of the run's games"
NOBODY = -1  # entrant on an empty seat


@dataclass(frozen=True)
class Column:
    """One column, and the position of its values in the records."""

    name: str
    of_outcome: bool  # else of ROW
    field: str
    place: tuple[int, ...]  # index into the axes of the field

    @property
    def where(self) -> Any:
        """Index of its values in an array of the field over all records."""
        return (slice(None), *self.place)


@dataclass(frozen=True)
class Layout:
    """The columns of an experiment's games. outcome: dtype of its OUTCOME records; entrants: how many there are."""

    columns: tuple[Column, ...]
    outcome: np.dtype[Any]
    seats: int
    entrants: int

    @classmethod
    def of(cls, experiment: Experiment) -> Layout:
        """Lay out the games of an experiment. All its blocks have the same columns."""
        game, seats = experiment.game, experiment.seats
        whole = {measure.field for measure in game.measures_for(experiment.cards) if measure.per == "game"}
        columns: list[Column] = []
        for of_outcome, kind, width in ((False, ROW, ROW["entrant"].shape[0]), (True, game.outcome, max(game.seats))):
            for field in kind.names or ():
                shape = kind[field].shape
                by_seat = bool(shape) and shape[0] == width and field not in whole
                shape = (seats, *shape[1:]) if by_seat else shape
                name = f"outcome_{field}" if of_outcome and field in (ROW.names or ()) else field
                columns += [Column("_".join((name, *map(str, place))), of_outcome, field, place) for place in np.ndindex(*shape)]
        return cls(tuple(columns), game.outcome, seats, len(experiment.cards.ids))

    @cached_property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        kinds = [pa.from_numpy_dtype(self._kind(column)[column.field].base) for column in self.columns]
        return pa.schema([pa.field(column.name, kind, nullable=False) for column, kind in zip(self.columns, kinds, strict=True)])

    @cached_property
    def whole_numbers(self) -> list[str]:
        """Names of the columns that hold whole numbers."""
        return [field.name for field in self.schema if pa.types.is_integer(field.type)]

    @cached_property
    def line_bytes(self) -> int:
        """Bytes of a line in memory."""
        return sum(field.type.bit_width // 8 for field in self.schema)

    def fits(self, schema: pa.Schema) -> bool:
        """Whether a table has these columns."""
        return bool(schema.remove_metadata().equals(self.schema))

    def table(self, block: Block) -> pa.Table:
        """The games of a block as a table."""
        columns = [
            pa.array(np.ascontiguousarray(self._records(block, column)[column.field][column.where])) for column in self.columns
        ]
        return pa.Table.from_arrays(columns, schema=self.schema)

    def block(self, table: pa.Table) -> Block:
        """The games of a table as records. Raises ValueError for other columns, and for values that no game can produce."""
        if not self.fits(table.schema):
            raise ValueError(OTHER_COLUMNS)
        games = table.num_rows
        block = Block(0, np.zeros(games, ROW), np.zeros(games, self.outcome))
        block.rows["entrant"] = NOBODY
        for column, values in zip(self.columns, table.columns, strict=True):
            if values.null_count:
                raise ValueError(f"its column {column.name} has missing values")
            self._records(block, column)[column.field][column.where] = values.to_numpy()
        self._check(block.rows)
        return Block(int(block.rows["game"][0]) if games else 0, block.rows, block.outcomes)

    def _check(self, rows: np.ndarray) -> None:
        """Raise ValueError for rows that no game can produce: analyses rely on these ranges."""
        seated, share, first = rows["entrant"][:, : self.seats], rows["share"], rows["first"]
        right = {
            "entrant": (seated >= 0) & (seated < self.entrants),
            "seats": rows["seats"] == self.seats,
            "first": (first >= NOBODY) & (first < self.seats),
            "status": np.isin(rows["status"], (Status.FINISHED, Status.TRUNCATED)),
            "share": (share >= 0) & (share <= 1),
            "turns": rows["turns"] >= 0,
            "decisions": rows["decisions"] >= 0,
        }
        if wrong := [field for field, fits in right.items() if not fits.all()]:
            raise ValueError(f"its column {wrong[0]} holds values that no game of this run can produce")

    def _kind(self, column: Column) -> np.dtype[Any]:
        return self.outcome if column.of_outcome else ROW

    @staticmethod
    def _records(block: Block, column: Column) -> np.ndarray:
        return block.outcomes if column.of_outcome else block.rows
