"""Numbers as a reader sees them, alike in terminals, pages and charts."""

import math

from sim.engine.fieldpaths import shown

THIN = "\u202f"  # narrow no-break space between a number and its unit
MINUS = "\u2212"
WORD_MAX = 100  # characters of a user's word in a message


def word(text: str) -> str:
    """A user's word in a message: as it is, or in quotes where it is long or cannot be printed."""
    return text if text.isprintable() and len(text) <= WORD_MAX else shown(text)


def percent(share: float, digits: int = 1) -> str:
    """Write a share 0..1 as per cent; a dash where there is none."""
    return "\u2013" if math.isnan(share) else f"{100 * share:.{digits}f}{THIN}%"


def percent_range(low: float, high: float, digits: int = 1) -> str:
    """Write an interval of shares as `51.2-53.9`, in per cent, the unit being said in the heading."""
    return "\u2013" if math.isnan(low) or math.isnan(high) else f"{100 * low:.{digits}f}\u2013{100 * high:.{digits}f}"


def points(change: float, digits: int = 1) -> str:
    """Write a change of a share in percentage points, always signed."""
    if math.isnan(change):
        return "\u2013"
    text = f"{abs(100 * change):.{digits}f}"
    if float(text) == 0:
        return text
    return ("+" if change > 0 else MINUS) + text


def count(number: float) -> str:
    """Write a whole number with thousands set apart."""
    return "\u2013" if math.isnan(number) else f"{round(number):,}".replace(",", THIN)


def number(value: float) -> str:
    """Write a short number: whole where it is whole, else up to three significant digits."""
    if math.isnan(value):
        return "\u2013"
    text = f"{value:.3g}" if abs(value) < 1000 else count(value)
    return text.replace("-", MINUS)


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
    """`n = 2 000`, or the range where the counts differ."""
    known = [value for value in numbers if not math.isnan(value)]
    if not known:
        return "n = 0"
    least, most = min(known), max(known)
    return f"n = {count(least)}" if least == most else f"n = {count(least)}\u2013{count(most)}"
