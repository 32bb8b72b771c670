"""Words for answers: numbers of seats, shares with their intervals, lists, plurals."""

from collections.abc import Sequence

from analysis.wording import count, percent, points

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NO_BREAK = "\u00a0"
LEAST = 0.001  # the smallest share that one digit behind the point can tell
LISTED = 6  # names in a sentence; more are counted


def number_word(number: float) -> str:
    """Write a whole number, a small one as a word."""
    return NUMBERS[int(number)] if 0 <= number < len(NUMBERS) else count(number)


def at_seats(seats: float) -> str:
    """Write `at two seats`."""
    return f"at {number_word(seats)} seat{'' if seats == 1 else 's'}"


def seated(seats: float) -> str:
    """Write `two-seat`, as in two-seat games."""
    return f"{number_word(seats)}-seat"


def plural(word: str) -> str:
    """Plural of an English noun such as hero, deck, ability."""
    if word.endswith(("s", "x", "ch", "sh", "o")):
        return word + "es"
    return word[:-1] + "ies" if word.endswith("y") and word[-2:-1] not in "aeiou" else word + "s"


def article(word: str) -> str:
    """Put `a` or `an` before a noun."""
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"


def some(number: int, word: str) -> str:
    """Write a number before a noun: `1 hero`, `two heroes`."""
    return f"{number_word(number)} {word if number == 1 else plural(word)}"


def listed(names: Sequence[str]) -> str:
    """Write `A, B and C`; a long list ends with how many more there are."""
    words = [str(name) for name in names]
    if len(words) > LISTED:
        words = [*words[: LISTED - 1], f"{number_word(len(words) - LISTED + 1)} more"]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def interval(low: float, high: float, n: float, what: str = "") -> str:
    """Write an interval of a share and its n in brackets."""
    return f"(95 % interval {100 * low:.1f} to {percent(high)}, {size(n)}{' ' + what if what else ''})"


def quantity(low: float, high: float, n: float, what: str = "") -> str:
    """Write an interval of a quantity, if it is known, and its n in brackets."""
    bounds = f"95 % interval {amount(low)} to {amount(high)}, " if low <= high else ""
    return f"({bounds}{size(n)}{' ' + what if what else ''})"


def size(n: float) -> str:
    """Write `n = 2 000` so that no line breaks within."""
    return f"n{NO_BREAK}={NO_BREAK}{count(n)}"


def rounded(share: float) -> str:
    """Write a share in per cent; one that would be rounded to nothing as `under 0.1 %`."""
    return f"under {percent(LEAST)}" if 0 < share < LEAST / 2 else percent(share)


def stopped(games: float) -> str:
    """Say in brackets, with a blank before, how stopped games count; nothing where there are none."""
    return " (truncated games left out)" if games else ""


def point_interval(low: float, high: float) -> str:
    """Write an interval of a change in points in brackets."""
    return f"(95 % interval {points(low)} to {points(high)})"


def capital(sentence: str) -> str:
    """The sentence with a capital first letter."""
    return sentence[:1].upper() + sentence[1:]


def amount(value: float) -> str:
    """Write a quantity with three significant digits at most, e.g. 12.4, 0.21, 130."""
    return count(value) if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
