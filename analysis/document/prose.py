"""Phrases for answers: numbers of seats, shares with intervals, lists, plurals, and names of card file fields.

The rule that calls win rates too strong, too weak or fair. All tables and charts use it.

Each row of a table is compared with the fair band fair x (1 - band) .. fair x (1 + band). It has two one-sided p-values:
`p_out` tests that its rate lies beyond the nearer edge of the band, `p_in` that it lies between both edges (the larger p-value
of two one-sided tests: Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics 15:657-680). Each is adjusted for all
rows of the table (Holm 1979): with a probability of 95 % no row of a table is wrongly called unfair, and likewise for fair.

The test depends on what is independent: see `binomial` (games), `score` (pairs), `student` (rounds) and `sequence` (a run that
stops when its results are precise enough).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri, stdtr

from analysis.document.model import THIN, count, percent, points
from analysis.stats.intervals import FAIR_BAND, LEVEL, adjust, at_least, at_most
from sim.engine.cardfiles.paths import Document, locate, look_up
from sim.engine.cards import CardSet

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


def in_order(frame: pd.DataFrame, first: Callable[[pd.Series], str], other: Callable[[pd.Series], str]) -> str:
    """Write the rows of a frame in the order of their estimates, the largest first: `first; other, other and other.`."""
    ordered = [row for _, row in frame.sort_values("estimate", ascending=False, kind="stable").iterrows()]
    rest = listed([other(row) for row in ordered[1:]])
    return f"{first(ordered[0])}; {rest}." if rest else f"{first(ordered[0])}."


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


Floats = NDArray[np.float64]
Side = Literal["greater", "less"]
Tail = Callable[[Floats, Side], Floats]  # one-sided p-values of all rows against the given shares, (rows,)

TOO_STRONG, TOO_WEAK, FAIR, OPEN = "too strong", "too weak", "fair", "not decided"
UNFAIR = (TOO_STRONG, TOO_WEAK)
SURE = 0.05  # adjusted p-value below which a verdict is given
LEAST_GAMES = 30  # finished games; a row with fewer is never decided and not tested
BAND_WORDS = "a tenth"  # FAIR_BAND in words
HEADING = "p (beyond band)"  # heading of the adjusted p-values

COLUMNS = ("p_out", "p_in", "p_beyond", "p_within", "verdict")

MEANING = (
    f"Too strong or too weak: {HEADING}, one-sided against the edge of the band within {BAND_WORDS} of the fair share and "
    f"adjusted for all rows (Holm), is below {SURE}; fair: the rate is shown to lie within the band, adjusted in the same way; "
    f"not decided: neither, or fewer than {LEAST_GAMES} finished games."
)


def with_verdicts(frame: pd.DataFrame, tail: Tail | None = None, band: float = FAIR_BAND) -> pd.DataFrame:
    """Add p_out, p_in, p_beyond, p_within (both adjusted over all rows) and verdict to win rates.

    frame: estimate, n (finished games) and fair (NaN if there is no fair share), one row each. tail: one-sided p-values of the
    rows; None uses the existing columns p_out and p_in, as for tables that are judged together. verdict: "too strong", "too
    weak", "fair", "not decided", or "" without a fair share. Raises ValueError for a band below 0.
    """
    fair = frame["fair"].to_numpy(np.float64)
    if tail is None:
        p_out, p_in = (frame[name].to_numpy(np.float64) for name in ("p_out", "p_in"))
    else:
        p_out, p_in = _against(frame, tail, *edges(fair, band))
    columns = decided(frame["estimate"], fair, p_out, p_in)
    return frame.drop(columns=[name for name in COLUMNS if name in frame]).assign(
        **{name: columns[name].to_numpy() for name in COLUMNS}
    )


def within(frame: pd.DataFrame, tail: Tail, lower: float, upper: float) -> pd.DataFrame:
    """`judged` against the given band lower..upper instead of the one around the fair share; returns only COLUMNS."""
    rows = len(frame)
    p_out, p_in = _against(frame, tail, np.full(rows, lower), np.full(rows, upper))
    return decided(frame["estimate"], np.full(rows, (lower + upper) / 2), p_out, p_in)


def decided(estimate: ArrayLike, middle: ArrayLike, p_out: ArrayLike, p_in: ArrayLike) -> pd.DataFrame:
    """COLUMNS from unadjusted p-values. middle: of the band, NaN if there is none; p-values: NaN if not tested."""
    rate, centre = np.asarray(estimate, np.float64), np.asarray(middle, np.float64)
    out, inside = np.asarray(p_out, np.float64), np.asarray(p_in, np.float64)
    beyond, within_band = adjust(out), adjust(inside)
    known = [np.isnan(centre), (beyond < SURE) & (rate > centre), (beyond < SURE) & (rate < centre), within_band < SURE]
    words = np.select(known, ["", TOO_STRONG, TOO_WEAK, FAIR], OPEN)
    columns = {"p_out": out, "p_in": inside, "p_beyond": beyond, "p_within": within_band}
    return pd.DataFrame({**columns, "verdict": words.astype(object)})


def edges(fair: ArrayLike, band: float = FAIR_BAND) -> tuple[Floats, Floats]:
    """Lower and upper edges of the fair band around fair shares, within 0..1. Raises ValueError for a band below 0."""
    if band < 0:
        raise ValueError(f"band={band} must be at least 0")
    share = np.asarray(fair, np.float64)
    return (share * (1 - band)).clip(0, 1), (share * (1 + band)).clip(0, 1)


def binomial(wins: ArrayLike, games: ArrayLike) -> Tail:
    """p-values for independent games: exact, or the score test where wins are shared. wins: 0..games."""
    won, n = np.asarray(wins, np.float64), np.asarray(games, np.float64)
    n = np.where(n > 0, n, np.nan)

    def tail(share: Floats, side: Side) -> Floats:
        exact = np.where(n > 0, (at_least if side == "greater" else at_most)(won, n, share), np.nan)
        return np.asarray(np.where(won == np.rint(won), exact, score(won / n, n)(share, side)))

    return tail


def score(estimate: ArrayLike, effective: ArrayLike) -> Tail:
    """p-values of the score test. effective: effective number of games, from the variance between observations."""
    rate, worth = np.asarray(estimate, np.float64), np.asarray(effective, np.float64)

    def tail(share: Floats, side: Side) -> Floats:
        gap, variance = rate - share, np.clip(share * (1 - share), 1e-12, None)
        z = np.multiply(gap, np.sqrt(worth / variance), out=np.where(np.isnan(gap), np.nan, 0.0), where=gap != 0)
        return np.asarray(ndtr(-z) if side == "greater" else ndtr(z))

    return tail


def worth(frame: pd.DataFrame, level: float = LEVEL) -> Floats:
    """Number of independent games whose Wilson interval is as wide as that of each row. frame: estimate, low, high."""
    rate, low, high = (frame[name].to_numpy(np.float64) for name in ("estimate", "low", "high"))
    z, half = float(ndtri((1 + level) / 2)) ** 2, (high - low) / 2
    square, linear = half**2, 2 * z * half**2 - z * rate * (1 - rate)
    root = np.sqrt(np.clip(linear**2 - 4 * square * z * z * (square - 0.25), 0, None))
    games: Floats = np.divide(root - linear, 2 * square, out=np.where(np.isnan(half), np.nan, np.inf), where=half > 0)
    return games


def student(estimate: ArrayLike, error: ArrayLike, clusters: ArrayLike, games: ArrayLike) -> Tail:
    """p-values for rates whose standard errors come from clusters of games, such as rounds.

    The error has a lower bound, because clusters that happen to be equal prove little. A rate of exactly 0 or 1 has the binomial
    p-value with each cluster as one game.
    """
    rate, groups, n = (np.asarray(one, np.float64) for one in (estimate, clusters, games))
    size = np.where(n > 0, n, np.nan)
    least = np.fmin(-ndtri(0.025) / size, np.sqrt(np.clip(rate * (1 - rate), 0, None) / size))
    known = np.fmax(np.asarray(error, np.float64), least)
    known = np.where(groups > 1, known, np.nan)
    alike = np.isin(rate, (0.0, 1.0)) & (groups > 1)

    def tail(share: Floats, side: Side) -> Floats:
        t = np.divide(rate - share, known, out=np.full(rate.size, np.nan), where=known > 0)
        free = np.maximum(groups - 1, 1)
        found = stdtr(free, -t) if side == "greater" else stdtr(free, t)
        whole = binomial(np.where(alike, rate * groups, 0.0), groups)(share, side)
        return np.asarray(np.where(alike, whole, found))

    return tail


def sequence(estimate: ArrayLike, p_against: Callable[[Floats], Floats]) -> Tail:
    """p-values for a run with optional stopping. p_against: two-sided p-values valid at any stopping time (see `sequential`).

    They belong to a confidence sequence, which excludes a share together with all shares beyond it, so they also hold one-sided.
    """
    rate = np.asarray(estimate, np.float64)

    def tail(share: Floats, side: Side) -> Floats:
        on_side = rate > share if side == "greater" else rate < share
        p_values = np.where(on_side, p_against(share), 1.0)
        return np.where(np.isnan(rate), np.nan, p_values)

    return tail


def band(fair: float, half_width: float = FAIR_BAND) -> str:
    """Write the fair band around a fair share 0..1 in per cent: `45 to 55 %`. half_width: relative to the fair share."""
    low, high = (f"{100 * fair * (1 + side):.1f}".removesuffix(".0") for side in (-half_width, half_width))
    return f"{low} to {high}{THIN}%"


def _against(frame: pd.DataFrame, tail: Tail, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Unadjusted p_out and p_in; NaN without a band or with too few games."""
    rate, n = frame["estimate"].to_numpy(np.float64), frame["n"].to_numpy(np.float64)
    middle = (lower + upper) / 2
    tested = np.isfinite(middle) & np.isfinite(rate) & (n >= LEAST_GAMES)
    out = np.where(rate > middle, tail(upper, "greater"), tail(lower, "less"))
    inside = np.maximum(tail(lower, "greater"), tail(upper, "less"))
    return np.where(tested, out, np.nan), np.where(tested, inside, np.nan)
