"""What people write in the cells of a log: numbers, places, wins and losses, or nothing.

All functions take a column of text as an object array and look at each distinct text once, so that long columns cost little.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Texts = NDArray[Any]  # object array of text
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

MISSING = {
    *(
        "",
        "-",
        "--",
        "---",
        "\u2013",
        "\u2014",
        ".",
        "..",
        "...",
        "?",
        "??",
        "???",
        "/",
        "\\n",
        "n/a",
        "n.a.",
        "na",
        "nan",
        "#n/a",
    ),
    *("null", "nil", "none", "unknown", "k.a.", "unbekannt", "inconnu", "desconocido"),
}
WIN, LOSS, TIE = 1, 0, 2  # results of a player
ABSENT, UNREADABLE = -1, -2  # no result, or text that is none
RESULTS = {
    WIN: (
        "1 yes y x \u2713 \u2714 \u2611 true win wins won w winner victory victor v ja j gewonnen gewinn sieg sieger gewinner "
        "oui gagne victoire vainqueur gagnant si gano gana ganador victoria ganada vrai wahr verdadero"
    ),
    LOSS: (
        "0 no n false lose loses lost loss l loser defeat defeated nein verloren niederlage verlierer falsch non perdu defaite "
        "perdant faux perdio pierde perdida derrota perdedor falso"
    ),
    TIE: (
        "0.5 0,5 1\u20442 1/2 d draw drawn draws tie tied ties split unentschieden remis nul nulle egalite empate empatada tablas"
    ),
}
RESULT_OF = {word: result for result, words in RESULTS.items() for word in words.split()}
ORDINALS = {
    word: place
    for place, words in enumerate(
        ("first winner erster premier primero", "second zweiter deuxieme segundo", "third dritter troisieme"), 1
    )
    for word in words.split()
}
PLACE = re.compile(r"[t=#]?\s*(\d{1,4})\s*(?:st|nd|rd|th|er|ere|re|e|eme|o|a|\u00b0|\.|=|t)?(?:\s*(?:place|platz|lugar|puesto))?")
SIGNED = re.compile(
    r"([-+\u2212\u2013]?)\s*(\d[\d.,'\u2019\s]*?|[.,]\d+)\s*(?:vps?|pts?|points?|pkt|punkte|puntos|p|%|min|minutes|h)?\.?"
)
EXPONENT = re.compile(r"[-+]?\d+(?:\.\d+)?e[-+]?\d{1,3}")
HALF = re.compile(r"(\d*)\s*(?:\u00bd|1/2)")
GROUPS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")  # thousands separated by commas
GROUPS_OF_DOTS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?")
HUNDREDS = re.compile(r"[1-9]\d\d")
DOTS = re.compile(r"\d*|\d{1,3}(?:\.\d{3})+")  # whole part of a number with a decimal comma
LONGEST = 40  # characters of a number
LARGEST = 1e15  # of a number; up to there, whole numbers are exact


def spelling(text: str) -> str:
    """Return a name with single spaces, as it is shown."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def name_key(text: str) -> str:
    """Return what two spellings of the same name have in common: all but case and spaces."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def plain(text: str) -> str:
    """Return a text in lower case, without accents and with single spaces."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


def is_missing(text: str) -> bool:
    """Whether a cell holds nothing, or what people write for it."""
    return text.casefold() in MISSING


def per_value(texts: Texts, function: Callable[[str], Any], kind: Any) -> NDArray[Any]:
    """Apply a function to each distinct text of a column; returns an array of the column's length and of dtype `kind`."""
    codes, distinct = pd.factorize(texts)
    values = np.empty(len(distinct), kind)
    values[:] = [function(text) for text in distinct]
    return values[codes]


def missing(texts: Texts) -> Flags:
    """Whether each cell holds nothing."""
    return per_value(texts, is_missing, bool)


def results(texts: Texts) -> NDArray[np.int8]:
    """WIN, LOSS, TIE, ABSENT or UNREADABLE for each cell."""
    return per_value(texts, _result, np.int8)


def places(texts: Texts) -> tuple[Floats, Flags]:
    """Final places such as 1, 2nd, 3., T1 or =1; nan where there is none. Second: whether each cell can be read."""
    values = per_value(texts, _place, float)
    return values, ~np.isnan(values) | missing(texts)


def numbers(texts: Texts) -> tuple[Floats, Flags]:
    """Numbers of a column; nan where there is none. Second: whether each cell can be read.

    The column decides what separates thousands: see `has_decimal_commas`.
    """
    codes, distinct = pd.factorize(texts)
    parts = [_parts(text) for text in distinct]
    to_number = _decimal_comma if has_decimal_commas(_bodies(distinct)) else _decimal_point
    values = np.array([number if isinstance(number, float) else to_number(*number) for number in parts] or [np.nan])
    values[np.abs(values) > LARGEST] = np.nan
    column = values[codes] if len(codes) else np.empty(0)
    return column, ~np.isnan(column) | missing(texts)


def has_decimal_commas(bodies: Sequence[str]) -> bool:
    """Whether commas in a column of numbers are decimal commas, and points separate thousands.

    bodies: digits and separators of the numbers. Commas are decimal if one of them cannot separate thousands, as in 12,5. Points
    separate thousands in 1.234.567, and in 1.234 if all numbers with points look like that and others have three digits, as 987.
    """
    if any("," in body and not GROUPS.fullmatch(body) for body in bodies):
        return True
    with_point = [body for body in bodies if "." in body]
    are_groups = bool(with_point) and all(GROUPS_OF_DOTS.fullmatch(body) for body in with_point)
    return are_groups and any(body.count(".") > 1 or HUNDREDS.fullmatch(body) for body in bodies)


def thousands(texts: Texts) -> str:
    """Return the first number whose only comma or point separates thousands but could be decimal; empty if there is none."""
    distinct = pd.unique(texts)
    is_comma = not has_decimal_commas(_bodies(distinct))
    unsure = re.compile(r"\d{1,3},\d{3}" if is_comma else r"\d{1,3}\.\d{3}")
    return next((text for text in distinct if unsure.fullmatch(text)), "")


def _bodies(texts: Iterable[str]) -> list[str]:
    """Return the digits and separators of numbers."""
    parts = map(_parts, texts)
    return [part[1] for part in parts if isinstance(part, tuple)]


def _result(text: str) -> int:
    if is_missing(text):
        return ABSENT
    word = plain(text).rstrip(".!")
    return RESULT_OF.get(word, RESULT_OF.get(word.removesuffix(".0"), UNREADABLE))


def _place(text: str) -> float:
    if len(text) > LONGEST:
        return np.nan
    word = plain(text).removesuffix(".0")
    match = PLACE.fullmatch(word)
    if match:
        return float(match[1])
    return float(ORDINALS.get(word, np.nan))


def _parts(text: str) -> float | tuple[str, str]:
    """Return a number if it is one at a glance, nan if it is none, else sign and digits with separators."""
    if is_missing(text):
        return np.nan
    word = text.casefold()
    if len(word) > LONGEST:
        return np.nan
    half = HALF.fullmatch(word)
    if half:
        return float(half[1] or 0) + 0.5
    if EXPONENT.fullmatch(word):
        return float(word)
    match = SIGNED.fullmatch(word)
    if not match:
        return np.nan
    return ("-" if match[1] not in ("", "+") else ""), re.sub(r"['\u2019\s]", "", match[2])


def _decimal_comma(sign: str, body: str) -> float:
    if "," not in body and not DOTS.fullmatch(body):
        return _decimal_point(sign, body)
    integer, _, decimals = body.partition(",")
    digits = integer.replace(".", "")
    is_number = bool(DOTS.fullmatch(integer)) and (not decimals or decimals.isdecimal())
    return float(f"{sign}{digits or 0}.{decimals or 0}") if is_number else np.nan


def _decimal_point(sign: str, body: str) -> float:
    digits = body.replace(",", "") if GROUPS.fullmatch(body) else body
    is_number = digits.count(".") <= 1 and "," not in digits
    return float(f"{sign}{digits}") if is_number else np.nan
