"""Numbers as people read them, the same in terminals, messages, pages and charts: 7,740 games, 53.8 %, \u22120.25.

Data (JSON, CSV, Parquet, card files) holds plain numbers. Characters that an output cannot encode are replaced on their way
out (`analysis.encoding`).
"""

import math

from sim.engine.fieldpaths import shown

THIN = "\u202f"  # narrow no-break space between a number and its unit
MINUS = "\u2212"
DASH = "\u2013"  # no value, or from one number to another
WORD_MAX = 100  # characters of a user's word in a message


def word(text: str) -> str:
    """A user's word in a message: as it is, or in quotes where it is long or cannot be printed."""
    return text if text.isprintable() and len(text) <= WORD_MAX else shown(text)


def seat_word(seat: int) -> str:
    """A seat for people, who count from 1; data, card and scenario files and the Python API count from 0."""
    return f"seat {int(seat) + 1}"


def decimal(value: float, digits: int, signed: bool = False) -> str:
    """Write a number with this number of decimals, thousands set apart; never a zero with a sign. signed: plus signs too."""
    if math.isnan(value):
        return DASH
    text = f"{abs(value):,.{digits}f}"
    if not any(digit in "123456789" for digit in text):
        return text
    return (MINUS if value < 0 else "+" if signed else "") + text


def percent(share: float, digits: int = 1) -> str:
    """Write a share 0..1 as per cent; a dash where there is none."""
    return DASH if math.isnan(share) else f"{decimal(100 * share, digits)}{THIN}%"


def percent_range(low: float, high: float, digits: int = 1) -> str:
    """Write an interval of shares as `51.2-53.9`, in per cent, the unit being said in the heading."""
    if math.isnan(low) or math.isnan(high):
        return DASH
    return f"{decimal(100 * low, digits)}{DASH}{decimal(100 * high, digits)}"


def points(change: float, digits: int = 1) -> str:
    """Write a change of a share in percentage points, always signed."""
    return decimal(100 * change, digits, signed=True)


def count(number: float) -> str:
    """Write a whole number with thousands set apart."""
    return decimal(round(number), 0) if math.isfinite(number) else DASH if math.isnan(number) else infinite(number)


def infinite(number: float) -> str:
    """Write plus or minus infinity."""
    return ("" if number > 0 else MINUS) + "\u221e"


def number(value: float) -> str:
    """Write a short number: whole where it is whole, else up to three significant digits."""
    if not math.isfinite(value) or abs(value) >= 1000:
        return count(value)
    return f"{value + 0.0:.3g}".replace("-", MINUS)  # minus zero plus zero is zero


def as_written(value: object) -> str:
    """A value of a card file for people: numbers with every digit, anything else as it is."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    return decimal(value, max(0, len(f"{value:.12f}".rstrip("0").partition(".")[2])))


def limit_words(limits_itself: bool) -> str:
    """What stops a game that does not end by the rules. limits_itself: the game has a limit of its own, beside the turn limit."""
    return "a limit" if limits_itself else "the turn limit"


def truncated_words(truncated: int, games: int, limit: str) -> str:
    """How many games were stopped, as a sentence. limit: see `limit_words`."""
    if not truncated:
        return f"No game of {count(games)} was stopped at {limit}."
    share = percent(truncated / games, 2)
    was, is_ = ("was", "is") if truncated == 1 else ("were", "are")
    return f"{count(truncated)} of {count(games)} games ({share}) {was} stopped at {limit} and {is_} left out."


def truncated_change(before: float, after: float, limit: str) -> str:
    """Shares of the games that were stopped before and after a change, as a sentence. limit: see `limit_words`."""
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
