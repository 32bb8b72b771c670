"""Games as tables for other programs: the encoding of Parquet files, and columns with ids and a legend."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sim.engine.contract import Game
from sim.engine.loop import ROW, Status
from sim.experiments.experiment import Experiment
from sim.run import Block
from sim.store.columns import Column, Layout

ID = "entrant_id"  # column of the entrant's id, by seat
MEANING = {
    "game": "index of the game, from 0",
    "share": "share of the win, 0 to 1",
    "turns": "turns played",
    "decisions": "decisions with an alternative",
    "entrant": "number of the entrant in the card file, from 0",
    ID: "id of the entrant in the card file",
    "seats": "number of seats",
    "status": f"{int(Status.FINISHED)}: finished, {int(Status.TRUNCATED)}: stopped at a limit",
    "first": "seat that moved first, -1: none",
}


def parquet_writer(target: Any, schema: pa.Schema, whole_numbers: Sequence[str]) -> pq.ParquetWriter:
    """Open a Parquet file for writing, with an encoding that suits games: many small whole numbers.

    target: a path or a pyarrow stream. whole_numbers: columns packed as differences. For the Arena under random play, this
    stores the 360 bytes of a game in 50 and takes 2 to 3 % of the playing time; Parquet's default dictionaries take 7 %.
    """
    return pq.ParquetWriter(
        target,
        schema,
        compression="zstd",
        compression_level=1,
        use_dictionary=False,
        write_statistics=False,
        store_schema=False,
        column_encoding=dict.fromkeys(whole_numbers, "DELTA_BINARY_PACKED"),
    )


@dataclass(frozen=True, eq=False)
class NamedRows:
    """The games of an experiment as self-explanatory tables: the columns of `Layout`, and the entrants' ids by seat."""

    experiment: Experiment
    layout: Layout

    @classmethod
    def of(cls, experiment: Experiment) -> NamedRows:
        """Lay out the games of an experiment."""
        return cls(experiment, Layout.of(experiment))

    @property
    def facts(self) -> dict[str, Any]:
        """The experiment and its entrants, in the order of their numbers, as plain values."""
        cards = self.experiment.cards
        entrants = [{"id": id_, "name": name} for id_, name in zip(cards.ids, cards.names, strict=True)]
        return self.experiment.facts() | {"entrants": entrants}

    @property
    def whole_numbers(self) -> list[str]:
        """Names of the columns that hold whole numbers."""
        return self.layout.whole_numbers

    @cached_property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        ids = [pa.field(f"{ID}_{seat}", pa.string(), nullable=False) for seat in range(self.layout.seats)]
        columns = list(self.layout.schema)
        return pa.schema([*columns[: self._common], *ids, *columns[self._common :]])

    @cached_property
    def _common(self) -> int:
        """Number of columns that every game has."""
        return sum(not column.of_outcome for column in self.layout.columns)

    def table(self, block: Block) -> pa.Table:
        """The games of a block as a table."""
        table, known = self.layout.table(block), np.array(self.experiment.cards.ids, object)
        for seat in range(self.layout.seats):
            ids = pa.array(known[block.rows["entrant"][:, seat]], pa.string())
            table = table.add_column(self._common + seat, self.schema.field(self._common + seat), ids)
        return table

    @cached_property
    def legend(self) -> list[dict[str, Any]]:
        """A description of each column, in order: column, meaning, unit, seat (from 0), part, values (of a category)."""
        lines = [self._line(column) for column in self.layout.columns]
        ids = [_line(f"{ID}_{seat}", MEANING[ID], seat=seat) for seat in range(self.layout.seats)]
        return [*lines[: self._common], *ids, *lines[self._common :]]

    def _line(self, column: Column) -> dict[str, Any]:
        """The legend of one column of the layout."""
        if not column.of_outcome:
            return _line(column.name, MEANING[column.field], seat=column.place[0] if column.place else None)
        game, cards = self.experiment.game, self.experiment.cards
        measure = next((measure for measure in game.measures_for(cards) if measure.field == column.field), None)
        place = list(column.place)
        seats_max = ROW["entrant"].shape[0]
        shape = game.outcome[column.field].shape
        by_seat = bool(shape) and shape[0] in (seats_max, max(game.seats)) and (measure is None or measure.per == "seat")
        seat = place.pop(0) if by_seat and place else None
        if measure is None:
            return _line(column.name, column.field.replace("_", " "), seat=seat, part=_words(place))
        part = measure.parts[place[0]] if place and place[0] < len(measure.parts) else _words(place)
        if place and not _is_name(part) and (names := _names_by_entrant(game, self.experiment, place[0])):
            part = names
        values = "; ".join(f"{value}: {word}" for value, word in enumerate(measure.categories))
        return _line(column.name, measure.label, unit=measure.unit, seat=seat, part=part, values=values)


def _line(column: str, meaning: str, unit: str = "", seat: int | None = None, part: str = "", values: str = "") -> dict[str, Any]:
    return {"column": column, "meaning": meaning, "unit": unit, "seat": seat, "part": part, "values": values}


def _words(place: Sequence[int]) -> str:
    return ", ".join(map(str, place))


def _is_name(part: str) -> bool:
    """Whether a part has a real name, not a number such as `ability 2`, whose meaning differs by entrant."""
    return not re.fullmatch(r"\D*\d+", part)


def _names_by_entrant(game: Game, experiment: Experiment, part: int) -> str:
    """The names of a part by entrant, such as `rhino_guy: Charge; ...`; empty if the game does not name parts."""
    if game.part_names is None:
        return ""
    by_entrant = zip(experiment.cards.ids, game.part_names(experiment.cards), strict=True)
    return "; ".join(f"{id_}: {names[part]}" for id_, names in by_entrant if part < len(names))
