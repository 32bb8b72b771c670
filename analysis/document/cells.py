"""Formatting of numbers and table cells.

Terminals, messages, pages and charts use the same format: 7,740 games, 53.8 %. Data (JSON, CSV, Parquet, card files) holds
plain numbers. `analysis.output.encoding` replaces characters that an output cannot encode.
"""

import csv
import io
import math
import re
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any

from analysis.document.model import Cell, Format, Table
from sim.engine.fieldpaths import shown

THIN = "\u202f"  # narrow no-break space between a number and its unit
MINUS = "\u2212"
DASH = "\u2013"  # no value, or from one number to another
WORD_MAX = 100  # characters of user input quoted in a message


def word(text: str) -> str:
    """Write user input in a message: unchanged, or quoted if it is long or not printable."""
    return text if text.isprintable() and len(text) <= WORD_MAX else shown(text)


def seat_word(seat: int) -> str:
    """Write a seat for people, counting from 1; data, card and scenario files and the Python API count from 0."""
    return f"seat {int(seat) + 1}"


def decimal(value: float, digits: int, signed: bool = False) -> str:
    """Write a number with `digits` decimals and thousands separators; zero has no sign. signed: write plus signs too."""
    if math.isnan(value):
        return DASH
    text = f"{abs(value):,.{digits}f}"
    if not any(digit in "123456789" for digit in text):
        return text
    return (MINUS if value < 0 else "+" if signed else "") + text


def percent(share: float, digits: int = 1) -> str:
    """Write a share 0..1 in per cent; a dash for nan."""
    return DASH if math.isnan(share) else f"{decimal(100 * share, digits)}{THIN}%"


def percent_range(low: float, high: float, digits: int = 1) -> str:
    """Write an interval of shares in per cent as `51.2-53.9`; the heading gives the unit."""
    if math.isnan(low) or math.isnan(high):
        return DASH
    return f"{decimal(100 * low, digits)}{DASH}{decimal(100 * high, digits)}"


def points(change: float, digits: int = 1) -> str:
    """Write a change of a share in percentage points, always signed."""
    return decimal(100 * change, digits, signed=True)


def count(number: float) -> str:
    """Write a whole number with thousands separators."""
    return decimal(round(number), 0) if math.isfinite(number) else DASH if math.isnan(number) else infinite(number)


def infinite(number: float) -> str:
    """Write plus or minus infinity."""
    return ("" if number > 0 else MINUS) + "\u221e"


def number(value: float) -> str:
    """Write a number with up to three significant digits; whole from 1000 on."""
    if not math.isfinite(value) or abs(value) >= 1000:
        return count(value)
    return f"{value + 0.0:.3g}".replace("-", MINUS)  # minus zero plus zero is zero


def as_written(value: object) -> str:
    """Write a value of a card file: numbers with all digits, anything else unchanged."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    return decimal(value, max(0, len(f"{value:.12f}".rstrip("0").partition(".")[2])))


def limit_words(limits_itself: bool) -> str:
    """Name the limit that truncates games. limits_itself: the game has its own limit besides the turn limit."""
    return "a limit" if limits_itself else "the turn limit"


def truncated_words(truncated: int, games: int, limit: str) -> str:
    """Sentence on the number of truncated games. limit: see `limit_words`."""
    if not truncated:
        return f"No game of {count(games)} was stopped at {limit}."
    share = percent(truncated / games, 2)
    was, is_ = ("was", "is") if truncated == 1 else ("were", "are")
    return f"{count(truncated)} of {count(games)} games ({share}) {was} stopped at {limit} and {is_} left out."


def truncated_change(before: float, after: float, limit: str) -> str:
    """Sentence on the shares of truncated games before and after a change. limit: see `limit_words`."""
    if not before and not after:
        return f"No game was stopped at {limit}, before or after."
    return (
        f"Truncated games, stopped at {limit}, are left out of win rates: {percent(before, 2)} of the games before, "
        f"{percent(after, 2)} after."
    )


def counted(numbers: list[float]) -> str:
    """`n = 2,000`, or the range where the counts differ."""
    known = [value for value in numbers if not math.isnan(value)]
    if not known:
        return "n = 0"
    least, most = min(known), max(known)
    return f"n = {count(least)}" if least == most else f"n = {count(least)}{DASH}{count(most)}"


RISKY = (
    *("=", "+", "-", "@", "\t", "\r", "\n"),  # spreadsheets take text that starts with these for a formula
    *("\uff1d", "\uff0b", "\uff0d", "\uff20"),  # the same with full-width signs
)
LEAST_P = 0.0001


def absent(value: Any) -> bool:
    """Return whether the cell is empty (None or nan)."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def is_number(value: Any) -> bool:
    """Return whether the cell is a number; True and False are not."""
    return isinstance(value, Real) and not isinstance(value, bool)


def as_shown(value: Cell, form: Format | None = None) -> str:
    """Write a cell for display. form: None chooses by the type of the value."""
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
    """Keep a number and its per cent sign on one line, with a narrow space between them."""
    return re.sub(r"(?<=\d) ?%", f"{THIN}%", text)


def plain(value: Cell) -> Any:
    """Return a cell for JSON and CSV: a plain Python value, None if absent or not finite."""
    if absent(value) or (isinstance(value, float) and math.isinf(value)):
        return None
    if isinstance(value, (bool, str)):
        return value
    return int(value) if isinstance(value, Integral) else float(value)  # type: ignore[arg-type]


def defused(value: Cell) -> Any:
    """Return a cell that spreadsheets do not take for a formula; numbers stay numbers."""
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
    """Return whether a column holds only numbers, so that it is right-aligned and sorted by value."""
    cells = [row[at] for row in table.rows if not absent(row[at])]
    return bool(cells) and all(is_number(cell) for cell in cells)
