"""Phrases for answers: numbers of seats, shares with intervals, lists, plurals, and names of card file fields."""

from collections.abc import Mapping, Sequence

import pandas as pd

from analysis.document.cells import count, percent, points
from sim.engine.cards import CardSet
from sim.engine.fieldpaths import Document, locate, look_up

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NO_BREAK = "\u00a0"
LEAST = 0.001  # the smallest share that one decimal can show
LISTED = 6  # names in a sentence; more are counted


def number_word(number: float) -> str:
    """Write a whole number, up to ten as a word."""
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
    """Write `A, B and C`; a long list ends with the number of the others."""
    words = [str(name) for name in names]
    if len(words) > LISTED:
        words = [*words[: LISTED - 1], f"{number_word(len(words) - LISTED + 1)} more"]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def interval(low: float, high: float, n: float, what: str = "") -> str:
    """Write an interval of a share and its n in brackets."""
    return f"(95 % interval {100 * low:.1f} to {percent(high)}, {size(n)}{' ' + what if what else ''})"


def quantity(low: float, high: float, n: float, what: str = "") -> str:
    """Write the interval of a quantity, if known, and its n in brackets."""
    bounds = f"95 % interval {amount(low)} to {amount(high)}, " if low <= high else ""
    return f"({bounds}{size(n)}{' ' + what if what else ''})"


def size(n: float) -> str:
    """Write `n = 2,000` without a line break inside."""
    return f"n{NO_BREAK}={NO_BREAK}{count(n)}"


def rounded(share: float) -> str:
    """Write a share in per cent; one that would round to zero as `under 0.1 %`."""
    return f"under {percent(LEAST)}" if 0 < share < LEAST / 2 else percent(share)


def stopped(games: float) -> str:
    """Note on truncated games, in brackets after a space; empty if there are none."""
    return " (truncated games left out)" if games else ""


def point_interval(low: float, high: float) -> str:
    """Write an interval of a change in points in brackets."""
    return f"(95 % interval {points(low)} to {points(high)})"


def capital(sentence: str) -> str:
    """Capitalise the first letter of a sentence."""
    return sentence[:1].upper() + sentence[1:]


def amount(value: float) -> str:
    """Write a quantity with at most three significant digits, e.g. 12.4, 0.21, 130."""
    return count(value) if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


ASSUMED = "assumed"
STAR = "*"


def field_words(document: Document, path: str, places: Mapping[str, tuple[str, ...]], skip: int = 0) -> str:
    """Write a path in words: `enemy.goblin.attack` is `Goblin: attack`; without its first two steps `Attack`.

    A key that is the id of another entry is replaced by that entry's name: `deck.mine.cards.goblin` ends with `Goblin`.

    places: key of a list -> names of its positions; others are numbered. skip: number of leading steps to leave out.
    """
    location = locate(document, path)
    owner = ""
    words: list[str] = []
    for depth in range(skip + 1, len(location) + 1):
        key = location[depth - 1]
        _, node = look_up(document, location[:depth])
        if isinstance(node, dict):
            inner = [str(key)] if isinstance(key, str) and depth > 1 and not node.keys() & {"name", "id"} else []
            owner = str(node.get("name") or str(node.get("id", "")).replace("_", " ").capitalize() or owner)
            action = node.get("op") or node.get("do")  # of an effect
            words = [str(action)] if action else words + inner
        elif isinstance(key, int):
            named = places.get(str(location[depth - 2]), ())
            words.append(named[key] if key < len(named) else f"no. {key + 1}")
        elif not isinstance(node, list) or all(isinstance(inner, int) for inner in location[depth:]):
            words.append(_key_words(document, key))
    text = ", ".join(words).replace("_", " ")
    return f"{owner}: {text}" if owner else text[:1].upper() + text[1:]


def _key_words(document: Document, key: str) -> str:
    """Write a key in words: if it is the id of an entry, that entry's name or else its first list of words."""
    for table, entries in document.items():
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict) and entry.get("id") == key:
                lists = [
                    f"{table} {key}, {name} {value_words(value)}" for name, value in entry.items() if _texts(value)
                ]
                return str(entry.get("name") or [*lists, key][0])
    return key


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def value_words(value: object) -> str:
    """Write a value of a card file in words: yes or no, or the words of a list."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        words = [value_words(entry) for entry in value]
        return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words) or "none"
    return str(value).replace("_", " ")


def source_of(cards: CardSet, path: str) -> str:
    """Source of a number; empty if the card file gives none."""
    return next((number.source for number in cards.provenance if number.path == path), "")


def starred(frame: pd.DataFrame) -> pd.Series:
    """Fields of a frame with columns field and source. Assumed ones get a star unless all are assumed."""
    assumed = frame["source"].eq(ASSUMED)
    words: pd.Series = frame["field"].astype(str)
    return words if assumed.all() else words + assumed.map({True: STAR, False: ""})


def assumed_note(frame: pd.DataFrame) -> str:
    """Note on the assumed numbers of a frame, after a space; empty if none is assumed."""
    assumed = frame["source"].eq(ASSUMED)
    if not assumed.any():
        return ""
    return " All these numbers are assumed." if assumed.all() else f" {STAR} The number as it is now is assumed."
