"""Sums over the games of a block as a long table, as runs keep them that keep a summary, and back.

A line is one cell of one of the tables of `Counts`: quantity (its name), axis_0 to axis_2 (index into it, -1 where it has
fewer axes), value. Cells of nought are left out.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from analysis.counts import Counts, Tables
from sim.experiment import Experiment
from sim.run import Block
from sim.store import StoreError

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
