"""Phrases for answers: numbers of seats, shares with intervals, lists, plurals, and names of card file fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from analysis.answer.numbers import count, percent, points
from sim.engine.cardfiles.paths import Document, locate, look_up
from sim.engine.cards import CardSet

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NO_BREAK = "\u00a0"
LEAST = 0.001  # the smallest share that one decimal can show
SUMMARY_WORDS = 30  # of the sentence that answers a question, at most
SUMMARY_LENGTH = 150  # characters of it, which then fits two lines
LISTED = 6  # names in a sentence; more are counted
SENTENCE_GAMES = 100  # of a row; below, its win rate is known to ten points at best, and no sentence of a page is about it


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


def singular(words: str) -> str:
    """Singular of a plural noun such as uses, copies, own turns."""
    return words[:-3] + "y" if words.endswith("ies") else words.removesuffix("s")


def fitting(*sentences: str) -> str:
    """The first sentence that is short enough for the summary of an answer, in two lines; the last one if none is."""
    short = (one for one in sentences if len(one.split()) <= SUMMARY_WORDS and len(one) <= SUMMARY_LENGTH)
    return next(short, sentences[-1])


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


def share_of(row: Mapping[str, Any] | pd.Series, what: str = "", name: str = "") -> str:
    """Write the share in a row with its interval and n: `53.8 % (95 % interval 51.2 to 56.4 %, n = 500 games)`.

    row: estimate, low, high, n; with a name such as `first` instead first, first_low, first_high, n. what: noun for n.
    """
    return f"{percent(row[name or 'estimate'])} {interval_of(row, what, name)}"


def interval_of(row: Mapping[str, Any] | pd.Series, what: str = "", name: str = "") -> str:
    """Write the interval of the share in a row and its n in brackets, see `share_of`."""
    _, low, high = _with_bounds(row, name)
    return interval(low, high, row["n"], what)


def amount_of(row: Mapping[str, Any] | pd.Series, what: str = "", name: str = "") -> str:
    """Write the quantity in a row with its interval, if known, and n, as `share_of` does a share."""
    return f"{amount(row[name or 'estimate'])} {quantity_of(row, what, name)}"


def quantity_of(row: Mapping[str, Any] | pd.Series, what: str = "", name: str = "") -> str:
    """Write the interval, if known, of the quantity in a row and its n in brackets, see `amount_of`."""
    _, low, high = _with_bounds(row, name)
    return quantity(low, high, row["n"], what)


def change_of(row: Mapping[str, Any] | pd.Series, name: str = "change", unit: str = " points") -> str:
    """Write the change of a share in a row with its interval: `+1.2 points (95 % interval +0.2 to +2.2)`."""
    change, low, high = _with_bounds(row, name)
    return f"{points(change)}{unit} {point_interval(low, high)}"


def bounds_of(row: Mapping[str, Any] | pd.Series, name: str = "") -> str:
    """Write the bounds of the share in a row in brackets, without more words: `(51.2 to 56.4 %)`. name: see `share_of`."""
    _, low, high = _with_bounds(row, name)
    return f"({100 * low:.1f} to {percent(high)})"


def _with_bounds(row: Mapping[str, Any] | pd.Series, name: str) -> tuple[float, float, float]:
    """An estimate and its bounds."""
    prefix = f"{name}_" if name else ""
    return float(row[name or "estimate"]), float(row[f"{prefix}low"]), float(row[f"{prefix}high"])


def rate_words(row: pd.Series, what: str = "", share: str = "estimate") -> str:
    """Write a share with its interval and n: `53.8 % (95 % interval 51.0 to 56.6 %, n = 2,000 games)`.

    row: low, high, n and the column `share`; what: noun for n.
    """
    return f"{percent(row[share])} {interval(row['low'], row['high'], row['n'], what)}"


def distance_words(share: float, fair: float, sure: bool, of: str = "one half") -> str:
    """Write how far a share lies from the fair one: `2.1 points above one half, which may be chance`. of: words for `fair`."""
    shift = share - fair
    if not sure and abs(shift) < LEAST / 2:
        return f"no different from {of}"
    return f"{100 * abs(shift):.1f} points {'above' if shift >= 0 else 'below'} {of}{'' if sure else ', which may be chance'}"


def size(n: float) -> str:
    """Write `n = 2,000` without a line break inside."""
    return f"n{NO_BREAK}={NO_BREAK}{count(n)}"


def rounded(share: float) -> str:
    """Write a share in per cent; one that would round to zero as `under 0.1 %`."""
    return f"under {percent(LEAST)}" if 0 < share < LEAST / 2 else percent(share)


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
                lists = [f"{table} {key}, {name} {value_words(value)}" for name, value in entry.items() if _texts(value)]
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


MANY_TRUNCATED = 0.01  # share of truncated games from which an answer warns of them


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
