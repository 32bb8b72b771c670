"""Cells of tables, as a reader sees them and as CSV holds them."""

import csv
import io
import math
import re
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any

from analysis.report.model import Cell, Format, Table
from analysis.wording import DASH, THIN, count, infinite, number, percent, points

RISKY = (
    *("=", "+", "-", "@", "\t", "\r", "\n"),  # a spreadsheet takes text that starts so for a formula
    *("\uff1d", "\uff0b", "\uff0d", "\uff20"),  # and so may one with full-width signs
)
LEAST_P = 0.0001


def absent(value: Any) -> bool:
    """Return whether there is nothing to show."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def is_number(value: Any) -> bool:
    """Return whether the cell is a number; True and False are not."""
    return isinstance(value, Real) and not isinstance(value, bool)


def shown(value: Cell, form: Format | None = None) -> str:
    """Write a cell for reading. form: how; None goes by the type of the value."""
    if absent(value):
        return DASH
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not is_number(value):
        return str(value)
    quantity = float(value)  # type: ignore[arg-type]
    if math.isinf(quantity):
        return infinite(quantity)
    form = form or ("count" if isinstance(value, Integral) else "number")
    if form == "p":
        return f"< {LEAST_P}" if quantity < LEAST_P else f"{quantity:.4f}"
    writers: dict[str, Callable[[float], str]] = {
        "percent": percent,
        "points": points,
        "count": count,
        "number": number,
    }
    return writers[form](quantity) if form in writers else str(value)


def glue(text: str) -> str:
    """Keep a number and its per cent sign on one line, a narrow blank between them."""
    return re.sub(r"(?<=\d) ?%", f"{THIN}%", text)


def plain(value: Cell) -> Any:
    """Return a cell as JSON and CSV hold it: plain Python, None for what is absent or not finite."""
    if absent(value) or (isinstance(value, float) and math.isinf(value)):
        return None
    if isinstance(value, (bool, str)):
        return value
    return int(value) if isinstance(value, Integral) else float(value)  # type: ignore[arg-type]


def defused(value: Cell) -> Any:
    """Return a cell that no spreadsheet takes for a formula; numbers stay numbers."""
    clear = plain(value)
    if clear is None:
        return ""
    risky = isinstance(clear, str) and (clear.startswith(RISKY) or clear.lstrip().startswith(RISKY))
    return f"'{clear}" if risky else clear


def csv_of(table: Table) -> str:
    """Return a table as CSV (RFC 4180, UTF-8, a heading line)."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow([defused(name) for name in table.columns])
    writer.writerows([[defused(cell) for cell in row] for row in table.rows])
    return buffer.getvalue()


def numeric(table: Table, at: int) -> bool:
    """Return whether a column holds numbers only, so that it is set right and sorted by size."""
    cells = [row[at] for row in table.rows if not absent(row[at])]
    return bool(cells) and all(is_number(cell) for cell in cells)
