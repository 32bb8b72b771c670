"""Win rates of a matchup matrix that was measured elsewhere.

The table is square, with the names of the entrants as its first column and as its header. A cell is the win rate of the row
against the column, as a share or in per cent. Empty cells are filled in from the opposite ones; the diagonal may be empty.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.answer.model import Notice
from analysis.answer.numbers import word
from analysis.cardsheets.reading import SUFFIXES as BOOKS
from analysis.playtests.tables import read_rows

Floats = NDArray[np.float64]

ENTRANTS_MAX = 1000
ROUNDED = 0.015  # by how much a cell and its opposite may miss 1 together, because both are rounded to whole per cent


def read_matrix(path: Path) -> pd.DataFrame:
    """Read a table of text, with names as index and columns, from a text file or the first filled sheet of a spreadsheet.

    Raises ValueError for a file that is not a labelled table. That a spreadsheet has other sheets is a warning.
    """
    lines, sheet = read_rows(path, "it must hold a table of win rates")
    if sheet:
        warnings.warn(f"{path}: only the sheet {word(sheet)} is read; the others are ignored", Notice, stacklevel=2)
    width = max(len(_filled(lines[0][1])), 1)
    rows = []
    for number, cells in lines:
        row = _filled(cells)
        if len(row) > width or (len(cells) < width and path.suffix.lower() not in BOOKS):
            raise ValueError(f"{path}: row {number} has {len(cells)} cells, but the header has {width}")
        rows.append([*row, *[""] * (width - len(row))])
    return pd.DataFrame([row[1:] for row in rows[1:]], index=[row[0] for row in rows[1:]], columns=rows[0][1:])


def _filled(cells: Sequence[str]) -> list[str]:
    """Return the cells of a row up to the last filled one, without blanks around them."""
    row = [cell.strip() for cell in cells]
    while row and not row[-1]:
        row.pop()
    return row


def rates_of(table: pd.DataFrame, source: str = "matrix") -> tuple[tuple[str, ...], Floats]:
    """Names and win rates 0..1 of a table whose index and columns are the entrants; text is read as numbers.

    source: names the table in messages. Raises ValueError for a table that is not square, for cells that are not win rates, and
    for pairs without one or with two that contradict each other.
    """
    names = tuple(str(name) for name in table.columns)
    rows = [str(name) for name in table.index]
    if len(set(names)) < len(names) or len(set(rows)) < len(rows):
        twice = next(name for name in (*names, *rows) if names.count(name) > 1 or rows.count(name) > 1)
        raise ValueError(f"{source}: {twice!r} is there twice; every entrant has one row and one column")
    if apart := sorted(set(names) ^ set(rows)):
        where = "no row" if apart[0] in names else "no column"
        raise ValueError(f"{source}: {apart[0]!r} has {where}; rows and columns must have the same names")
    if not 2 <= len(names) <= ENTRANTS_MAX:
        raise ValueError(f"{source}: {len(names)} entrants; it must be 2 to {ENTRANTS_MAX}")
    cells = table.set_axis(rows).loc[list(names)].to_numpy(object)
    values = np.empty(cells.shape)
    for row, column in np.ndindex(cells.shape):
        values[row, column] = _number(cells[row, column], f"{source}: {names[row]} against {names[column]}")
    off_diagonal = ~np.eye(len(names), dtype=bool)
    if (values[off_diagonal] > 1).any() or any(str(cell).strip().endswith("%") for cell in cells.flat):
        values = values / 100
    for row, column in zip(*np.nonzero(off_diagonal), strict=True):
        rate, back, where = values[row, column], values[column, row], f"{source}: {names[row]} against {names[column]}"
        if not np.isnan(rate) and not 0 <= rate <= 1:
            raise ValueError(f"{where}: {cells[row, column]} must be a share 0 to 1, or 0 to 100 per cent")
        if np.isnan(rate) and np.isnan(back):
            raise ValueError(f"{where}: both this cell and the opposite one are empty")
        if abs(rate + back - 1) > ROUNDED:
            raise ValueError(f"{where}: {rate:.3g} and the opposite {back:.3g} must add up to 1; enter draws as half a win")
    rate = np.where(np.isnan(values), 1 - values.T, values)
    rate = (rate + 1 - rate.T) / 2
    np.fill_diagonal(rate, 0.5)
    return names, rate


def _number(cell: object, where: str) -> float:
    """A cell as a number, without a sign for per cent; NaN if it is empty. Raises ValueError for anything else."""
    text = "" if cell is None else str(cell).strip()
    if text in ("", "-", "\u2013", "\u2014", "nan"):
        return float("nan")
    try:
        return float(text.removesuffix("%").strip().replace(",", "."))
    except ValueError:
        raise ValueError(f"{where}: {text[:100]!r} is not a number") from None
