"""Numbers and cells as people read them: 7,740 games, 53.8 %.

Terminals, messages, pages and charts use the same format. Data (JSON, CSV, Parquet, card files) holds plain numbers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, Literal

from sim.engine.cardfiles.paths import shown

Format = Literal["text", "count", "number", "percent", "points", "p"]
Cell = str | int | float | bool | None
THIN = "\u202f"  # narrow no-break space between a number and its unit
MINUS = "\u2212"
DASH = "\u2013"  # no value, or from one number to another
LEAST_PERCENT = 0.0001  # smaller percentages are written as "< 0.0001 %"
RARE = 0.01  # chance below which "1 in ..." is written
TINY = 1e-12  # smaller numbers are rounding errors
SHOWN_DIGITS = 3  # of a share, which is shown with one decimal in per cent
GAMES_DIGITS = 2  # significant digits of a number of games that is proposed
WORD_MAX = 100  # characters of user input quoted in a message


def word(text: str) -> str:
    """Write user input in a message: unchanged, or quoted if it is long or not printable."""
    return text if text.isprintable() and len(text) <= WORD_MAX else shown(text)


def seat_word(seat: int) -> str:
    """Write a seat for people, counting from 1; data, card and scenario files and the Python API count from 0."""
    return f"seat {int(seat) + 1}"


def seats_word(seats: int) -> str:
    """Write a number of seats: `1 seat`, `2 seats`."""
    return f"{seats} seat{'' if seats == 1 else 's'}"


def decimal(value: float, digits: int, signed: bool = False) -> str:
    """Write a number with `digits` decimals and thousands separators; zero has no sign. signed: write plus signs too."""
    if math.isnan(value):
        return DASH
    text = f"{abs(value):,.{digits}f}"
    if not any(digit in "123456789" for digit in text):
        return text
    return (MINUS if value < 0 else "+" if signed else "") + text


def percent(share: float, digits: int = 1) -> str:
    """Write a share 0..1 in per cent; a dash for nan. A small one gets further decimals rather than appear as 0."""
    if math.isnan(share):
        return DASH
    per_cent = 100 * share
    if per_cent <= 0 or round(per_cent, digits) > 0:
        return f"{decimal(per_cent, digits)}{THIN}%"
    if per_cent < LEAST_PERCENT:
        return f"< {LEAST_PERCENT}{THIN}%"
    return f"{decimal(per_cent, 1 - math.floor(math.log10(per_cent)))}{THIN}%"  # two significant digits


def percent_range(low: float, high: float, digits: int = 1) -> str:
    """Write an interval of shares in per cent as `51.2-53.9`; the heading gives the unit."""
    if math.isnan(low) or math.isnan(high):
        return DASH
    return f"{decimal(100 * low, digits)}{DASH}{decimal(100 * high, digits)}"


def points(change: float, digits: int = 1) -> str:
    """Write a change of a share in percentage points, always signed."""
    return decimal(100 * change, digits, signed=True)


def change(before: float, after: float) -> float:
    """Change of a share as the difference of both as they are shown, so that 27.9 % and 25.6 % are 2.3 points apart."""
    return round(after, SHOWN_DIGITS) - round(before, SHOWN_DIGITS)


def count(number: float) -> str:
    """Write a whole number with thousands separators."""
    return decimal(round(number), 0) if math.isfinite(number) else DASH if math.isnan(number) else infinite(number)


def rounded_up(games: float) -> int:
    """Round a number of games that is proposed up to GAMES_DIGITS significant digits: 19,936 is 20,000."""
    unit = int(10 ** max(0, len(str(math.ceil(games))) - GAMES_DIGITS))
    return math.ceil(games / unit) * unit


def infinite(number: float) -> str:
    """Write plus or minus infinity."""
    return ("" if number > 0 else MINUS) + "\u221e"


def one_in(chance: float) -> str:
    """Write a rare chance as "1 in 7,776"; empty for one that is not rare, or 0."""
    return f"1 in {count(1 / chance)}" if 0 < chance < RARE else ""


def number(value: float) -> str:
    """Write a number with up to three significant digits; whole from 1000 on, zero below TINY."""
    if not math.isfinite(value) or abs(value) >= 1000:
        return count(value)
    return f"{value if abs(value) >= TINY else 0.0:.3g}".replace("-", MINUS)


def as_written(value: object) -> str:
    """Write a value of a card file: numbers with all digits (3 for 3.0), anything else unchanged."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    return decimal(value, max(0, len(f"{value:.12f}".rstrip("0").partition(".")[2])))


def counted(numbers: list[float]) -> str:
    """`n = 2,000`, or the range where the counts differ."""
    known = [value for value in numbers if not math.isnan(value)]
    if not known:
        return "n = 0"
    least, most = min(known), max(known)
    return f"n = {count(least)}" if least == most else f"n = {count(least)}{DASH}{count(most)}"


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
    writers: dict[str, Callable[[float], str]] = {"percent": percent, "points": points, "count": count, "number": number}
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
