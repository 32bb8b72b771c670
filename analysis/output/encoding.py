"""Plain equivalents for characters that a terminal, pipe or file cannot encode, instead of an error.

A Windows console (cp1252), a C locale (ascii) or `PYTHONIOENCODING=latin-1` lack most signs that tables, replays and pictures
use. After `make_safe`, stdout and stderr write `-` for a minus sign, `|` for a box line, and so on.
"""

from __future__ import annotations

import codecs
import re
import sys
import unicodedata

NAME = "fairfight.plain"  # of the error handler
UNKNOWN = "?"

# Characters that a terminal interprets as commands, that change the direction of text, or that UTF-8 cannot encode.
COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

_SETS = {  # equivalent -> characters that it replaces
    " ": "\u00a0\u2002\u2003\u2007\u2009\u200a\u202f\u3000",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2500\u2501\u2504\u2505\u2508\u2509\u254c\u254d\u2550"
    "\u2574\u2576\u2578\u257a",
    "|": "\u2502\u2503\u2506\u2507\u250a\u250b\u254e\u254f\u2551\u2575\u2577\u2579\u257b\u258f\u2595",
    "+": "\u250c\u2510\u2514\u2518\u251c\u2524\u252c\u2534\u253c\u250f\u2513\u2517\u251b\u2523\u252b\u2533\u253b\u254b"
    "\u2552\u2553\u2554\u2555\u2556\u2557\u2558\u2559\u255a\u255b\u255c\u255d\u2560\u2563\u2566\u2569\u256c\u256d\u256e\u256f\u2570",
    "#": "\u2588\u2589\u258a\u258b\u258c\u258d\u258e\u2590\u2593\u25a0",
    ":": "\u2591\u2592",
    "'": "\u2018\u2019\u201a\u2032",
    '"': "\u201c\u201d\u201e\u2033\u00ab\u00bb",
    "^": "\u2191\u25b2\u25b3",
    "v": "\u2193\u25bc\u25bd",
    ">": "\u203a\u25b6\u25b8",
    "<": "\u2039\u25c0\u25c2",
    "*": "\u2022\u2217\u25cf\u2605",
    "o": "\u25cb\u25e6\u2606",
    ".": "\u00b7\u2219\u22c5",
    "x": "\u00d7",
    "[]": "\u25a1",
    "->": "\u2192",
    "<-": "\u2190",
    "...": "\u2026",
    "+/-": "\u00b1",
    "<=": "\u2264",
    ">=": "\u2265",
    "!=": "\u2260",
    "~": "\u2248",
    "inf": "\u221e",
    "^2": "\u00b2",
    "^3": "\u00b3",
    "1/2": "\u00bd",
    "deg": "\u00b0",
}
PLAIN = {sign: plain for plain, signs in _SETS.items() for sign in signs}


def as_text(text: str) -> str:
    """Make text from a card file or a path safe for a terminal: control characters become visible escape sequences."""
    return COMMANDS.sub(lambda match: ascii(match.group())[1:-1], text)


def plain(text: str) -> str:
    """Convert text to ASCII: equivalents of signs, letters without accents, a question mark for the rest."""
    return "".join(map(_plain, text))


def _plain(sign: str) -> str:
    """Convert one character to ASCII."""
    if sign.isascii():
        return sign
    if sign in PLAIN:
        return PLAIN[sign]
    bare = "".join(part for part in unicodedata.normalize("NFKD", sign) if part.isascii())
    return bare or UNKNOWN


def has_everything(encoding: str | None) -> bool:
    """Whether an encoding can write every character."""
    return (encoding or "").lower().replace("_", "-").startswith("utf")


def make_safe() -> None:
    """Let stdout and stderr replace characters that they cannot encode; their encodings do not change."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=NAME)


def _replace(error: UnicodeError) -> tuple[str, int]:
    """Error handler for text that cannot be encoded."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plain(error.object[error.start : error.end]), error.end


codecs.register_error(NAME, _replace)
