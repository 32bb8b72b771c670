"""Inputs spoiled on purpose: by bytes, by words and lines, by structure. The same seed gives the same inputs."""

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol

CHANGES_MAX = 4  # of one input
DEEP = 60  # nested brackets

TOKENS = (
    *("", "0", "-1", "+1", "00", "1.5", "1e400", "-0.0", "nan", "inf", "-inf", "true", "0x7fffffffffffffff", "0b1"),
    *("1_000", "9" * 30, "9" * 5_000, "1979-05-27", "07:32:00", "1979-05-27T07:32:00Z", '"', "'", '"""', "[", "]"),
    *("{", "}", "=", ",", ".", "#", "\\", '"\\u0000"', '"\\uD800"', '"\\x"', "null", "[" * DEEP, "{" * 9, "[]", "{}"),
    *("\x00", "\x1b[2J", "\x7f", "\u2028", "\u202e", "\ufeff", "\U0001f409", "\t", "\r", "\n", "[[", "]]", "a" * 600),
    *("(", ")", "d", "kh", ">=", "*", "-"),
)
TOKEN = re.compile(r'"[^"\n]*"|[\w.+-]+|\s+|.', re.DOTALL)


class Spoiling(Protocol):
    """Spoils one value of a document and leaves the rest well formed."""

    def spoiler(self, chance: Random) -> Callable[[bytes], bytes]:
        """Return a function that spoils one value; it returns malformed documents unchanged."""


def spoiled(content: bytes, others: Sequence[bytes], chance: Random, structure: Spoiling | None) -> bytes:
    """A valid input with one to CHANGES_MAX errors. others: valid inputs from which pieces are taken."""
    ways: list[Callable[[bytes], bytes]] = [lambda old: _by_bytes(old, others, chance), lambda old: _by_words(old, chance)]
    way = chance.choice([*ways, *([structure.spoiler(chance)] * 2 if structure else [])])
    for _ in range(chance.choice([1, 1, 1, 2, 3, CHANGES_MAX])):
        content = way(content)
    return content


# ---- bytes -----------------------------------------------------------------------------------------------------------


def _by_bytes(content: bytes, others: Sequence[bytes], chance: Random) -> bytes:
    """Flip, overwrite, cut, insert, repeat or splice."""
    first, end = sorted(chance.randrange(len(content) + 1) for _ in range(2))
    near = min(end, first + chance.choice([1, 2, 4, 8, 64]))
    match chance.randrange(8):
        case 0 if content:
            at = chance.randrange(len(content))
            new = content[:at] + bytes([content[at] ^ 1 << chance.randrange(8)]) + content[at + 1 :]
        case 1:
            new = content[:first] + bytes([chance.choice([0, 1, 0x7F, 0x80, 0xFF])]) + content[first + 1 :]
        case 2:
            new = content[:first] + content[near:]
        case 3:
            new = content[:first] + chance.randbytes(chance.randint(1, 8)) + content[first:]
        case 4:
            new = content[:near] + content[first:near] * chance.choice([1, 2, 50]) + content[near:]
        case 5:
            other = chance.choice(others)
            new = content[:first] + other[chance.randrange(len(other) + 1) :]
        case 6:
            new = content[:end]
        case _:
            new = content[:first] + content[end:]
    return new


# ---- words and lines -------------------------------------------------------------------------------------------------


def _by_words(content: bytes, chance: Random) -> bytes:
    """Replace, delete, repeat or swap words or lines."""
    text = content.decode("utf-8", "surrogateescape")
    split = TOKEN.findall(text) if chance.randrange(3) else text.splitlines(keepends=True)
    if not split:
        return chance.choice(TOKENS).encode("utf-8", "surrogateescape")
    at, other = (chance.randrange(len(split)) for _ in range(2))
    match chance.randrange(6):
        case 0:
            del split[at]
        case 1:
            split.insert(at, split[other])
        case 2:
            split[at], split[other] = split[other], split[at]
        case 3:
            split[at] = split[other]
        case 4:
            split.insert(at, chance.choice(TOKENS))
        case _:
            split[at] = chance.choice(TOKENS)
    return "".join(split).encode("utf-8", "surrogateescape")
