"""The language of dice expressions: terms and parser.

Terms know their range and their exact distribution, and can be rolled. Two terms never share a die, so the terms of an
expression are independent. The parser turns text into terms, or into an error that points at the invalid part. It never runs
text as code.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import comb
from operator import add
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from analysis.stats.distribution import SUPPORT_MAX, Distribution, bytes_for, unpack

KEPT_WORK_MAX = 500_000_000  # bytes that the exact sum of kept dice can touch, about a second

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Term:
    """An expression. dice: rolled for one result; least, most: smallest and largest result.

    exact: computes the distribution; roll: rolls every die n times, shape (n,).
    """

    dice: int
    least: int
    most: int
    exact: Callable[[], Distribution]
    roll: Callable[[np.random.Generator, int], Ints]

    @cached_property
    def distribution(self) -> Distribution:
        """Exact distribution of the result. Raises ValueError if the results spread over too many values."""
        return self.exact()


COMBINED: dict[str, tuple[Callable[[int, int], int], Callable[[Distribution, Distribution], Distribution], np.ufunc]] = {
    # of two numbers, of two distributions, of two arrays of rolls
    "+": (add, Distribution.convolve, np.add),
    "max": (max, Distribution.maximum, np.maximum),
    "min": (min, Distribution.minimum, np.minimum),
}


def constant(value: int) -> Term:
    """A whole number."""
    return Term(0, value, value, lambda: Distribution.constant(value), lambda _, n: np.full(n, value, np.int64))


def pool(dice: int, faces: int, keep: int, highest: bool = True) -> Term:
    """Sum of the `keep` highest (or lowest) of `dice` dice with faces 1..faces."""

    def rolled(rng: np.random.Generator, n: int) -> Ints:
        shown = np.sort(rng.integers(1, faces + 1, (n, dice)), axis=1)
        return np.asarray((shown[:, dice - keep :] if highest else shown[:, :keep]).sum(axis=1))

    return Term(dice, keep, keep * faces, lambda: kept(dice, faces, keep, highest), rolled)


def showing(dice: int, faces: int, lowest: int, highest: int) -> Term:
    """Number of dice that show a face lowest..highest."""
    hitting = max(0, min(highest, faces) - max(lowest, 1) + 1)

    def rolled(rng: np.random.Generator, n: int) -> Ints:
        shown = rng.integers(1, faces + 1, (n, dice))
        return np.asarray(np.count_nonzero((shown >= lowest) & (shown <= highest), axis=1))

    least, most = dice if hitting == faces else 0, dice if hitting else 0
    return Term(dice, least, most, lambda: hits(dice, hitting, faces), rolled)


def scaled(factor: int, term: Term) -> Term:
    """A whole number times a term."""
    least, most = sorted((factor * term.least, factor * term.most))
    return Term(term.dice, least, most, lambda: term.exact().scaled(factor), lambda rng, n: factor * term.roll(rng, n))


def both(sign: str, left: Term, right: Term) -> Term:
    """Two terms, added ("+") or the larger ("max") or smaller ("min") of both."""
    number, distribution, arrays = COMBINED[sign]

    def rolled(rng: np.random.Generator, n: int) -> Ints:
        return np.asarray(arrays(left.roll(rng, n), right.roll(rng, n)))

    least, most = number(left.least, right.least), number(left.most, right.most)
    return Term(left.dice + right.dice, least, most, lambda: distribution(left.exact(), right.exact()), rolled)


def hits(dice: int, faces_that_hit: int, faces: int = 6) -> Distribution:
    """Exact number of hits of `dice` dice of which each hits on `faces_that_hit` of its `faces` faces.

    dice: 0 or more; faces_that_hit: 0..faces; faces: 1 or more. Raises ValueError outside.
    """
    if dice < 0 or faces < 1 or not 0 <= faces_that_hit <= faces:
        given = f"dice={dice}, faces_that_hit={faces_that_hit}, faces={faces}"
        raise ValueError(f"{given}: dice must be at least 0, faces at least 1, faces_that_hit in 0..faces")
    misses = faces - faces_that_hit
    return Distribution.from_counts({k: comb(dice, k) * faces_that_hit**k * misses ** (dice - k) for k in range(dice + 1)})


def kept_work(dice: int, faces: int, keep: int) -> int:
    """Bytes that `kept` touches, a measure of its cost; 0 if all dice count."""
    size = (keep * faces + 1) * bytes_for(faces**dice)
    return 0 if keep == dice else faces * keep * (keep + 1) // 2 * size


def kept(dice: int, faces: int, keep: int, highest: bool) -> Distribution:
    """Exact sum of the highest (or lowest) dice of a pool.

    Faces are taken in order of preference. `placed` dice show a face already taken. The counts of their sums are the digits of
    one long number, so adding a face to all sums is a shift. Once `keep` dice are placed, the others can show any remaining
    face.
    """
    if keep == dice:
        return Distribution.from_counts(dict.fromkeys(range(1, faces + 1), 1)).repeated(dice)
    width = bytes_for(faces**dice)
    complete, partial = 0, {0: 1}
    for rest in reversed(range(faces)):  # faces that remain after this one
        face = rest + 1 if highest else faces - rest
        following: dict[int, int] = {}
        for placed, packed in partial.items():
            free, missing = dice - placed, keep - placed
            for more in range(missing):
                shifted = comb(free, more) * packed << 8 * width * face * more
                following[placed + more] = following.get(placed + more, 0) + shifted
            ways = sum(comb(free, more) * rest ** (free - more) for more in range(missing, free + 1))
            complete += ways * packed << 8 * width * face * missing
        partial = following
    return Distribution.from_counts(dict(enumerate(unpack(complete, keep * faces + 1, width))))


TEXT_MAX = 500  # characters of an expression
DEPTH_MAX = 30  # nested brackets
DICE_MAX = 200  # dice of one pool
FACES_MAX = 1000  # faces of a die
NUMBER_MAX = 1_000_000  # constants and multiples
RESULT_MAX = 10**9  # size of any result

_TOKEN = re.compile(r"\s*(?:(?P<number>[0-9]+)|(?P<word>[A-Za-z]+)|(?P<sign>>=|<=|==|[-+*(),]))")
_COMPARED = (">=", "<=", "==")
_WORDS = ("d", "kh", "kl", "max", "min", "floor")


class DiceError(ValueError):
    """An invalid dice expression; the message points at the position."""

    def __init__(self, problem: str, text: str, position: int) -> None:
        shown = "".join(character if character.isprintable() else " " for character in text[:TEXT_MAX])
        super().__init__(f"dice expression, position {position + 1}: {problem}\n  {shown}\n  {' ' * position}^")
        self.position = position


class _Token(NamedTuple):
    """kind: "number", "word", "sign" or "end"; text in lower case; position: index of its first character."""

    kind: str
    text: str
    position: int


def read(text: str) -> Term:
    """Parse an expression. Raises DiceError at the first part that is invalid or too large."""
    return _Parser(text).whole()


class _Parser:
    """Recursive descent parser, one method per rule of the grammar.

    whole: sum ["floor" integer]; sum: ["-"] product {("+" | "-") product}; product: [number "*"] unit; unit: number | pool |
    ("max" | "min") "(" whole "," whole ")" | "(" whole ")"; pool: number "d" number [(">=" | "<=" | "==") number | ("kh" |
    "kl") number].
    """

    def __init__(self, text: str) -> None:
        self.text, self.depth, self.work, self.next = text, 0, 0, 0
        if len(text) > TEXT_MAX:
            self._fail(f"{len(text)} characters are too many; at most {TEXT_MAX} are allowed", TEXT_MAX - 1)
        self.tokens = self._split()

    def whole(self) -> Term:
        """Parse the whole text."""
        term, end = self._floored(), self._token
        if end.text == "d":
            self._fail("write the number of dice once, such as 3d6")
        if end.text in _COMPARED:
            self._fail(f"{end.text} counts the dice of a pool and must follow it directly, such as 5d6>=4")
        if end.kind != "end":
            self._fail(f"expected + or - or the end, found {end.text!r}")
        return term

    def _floored(self) -> Term:
        term, start = self._sum(), self._token.position
        if self._take("floor"):
            sign = -1 if self._take("-") else 1
            term = self._checked(both("max", term, constant(sign * self._number("a floor", 0, NUMBER_MAX))), start)
        return term

    def _sum(self) -> Term:
        start = self._token.position
        negative = self._take("-")
        term = self._product()
        term = self._checked(scaled(-1, term), start) if negative else term
        while self._token.text in ("+", "-"):
            start, negative = self._token.position, self._take("-")
            if not negative:
                self._take("+")
            right = self._product()
            term = self._checked(both("+", term, scaled(-1, right) if negative else right), start)
        return term

    def _product(self) -> Term:
        start = self._token.position
        if self._token.kind == "number" and self.tokens[self.next + 1].text == "*":
            factor = self._number("a multiple", 0, NUMBER_MAX)
            self._take("*")
            return self._checked(scaled(factor, self._unit()), start)
        unit = self._unit()
        if self._token.text == "*":
            self._fail("write the number of a multiple first, such as 2*1d6")
        return unit

    def _unit(self) -> Term:
        token = self._token
        if token.kind == "number":
            of_dice = self.tokens[self.next + 1].text == "d"
            return self._pool() if of_dice else constant(self._number("a number", 0, NUMBER_MAX))
        if token.text == "d":
            self._fail("write the number of dice before d, such as 1d6")
        two = self._take("max") or self._take("min")
        if not two and token.text != "(":
            self._fail(f"expected dice such as 3d6, a number or a bracket, found {self._found}")
        self.depth += 1
        if self.depth > DEPTH_MAX:
            self._fail(f"more than {DEPTH_MAX} nested brackets")
        self._expect("(")
        term = self._floored()
        if two:
            self._expect(",")
            term = both(token.text, term, self._floored())
        self._expect(")")
        self.depth -= 1
        return self._checked(term, token.position) if two else term

    def _pool(self) -> Term:
        start = self._token.position
        dice = self._number("the number of dice", 1, DICE_MAX)
        self._expect("d")
        faces = self._number("the number of faces", 2, FACES_MAX)
        if self._token.text in _COMPARED:
            return self._showing(dice, faces)
        lowest = self._token.text == "kl"
        ordered = self._take("kh") or self._take("kl")
        keep = self._number("the number of dice to keep", 1, dice) if ordered else dice
        self.work += kept_work(dice, faces, keep)
        if self.work > KEPT_WORK_MAX:
            self._fail("keeping this many dice with this many faces is too expensive to compute exactly", start)
        return self._checked(pool(dice, faces, keep, highest=not lowest), start)

    def _showing(self, dice: int, faces: int) -> Term:
        """Parse the comparison that follows a pool: the number of its dice that show such a face."""
        position, sign = self.tokens[self.next + 1].position, self._token.text
        self._take(sign)
        face = self._number("the face to compare with", 0, NUMBER_MAX)
        if not 1 <= face <= faces:
            self._fail(
                f"{sign}{face} counts the dice that show such a face, and the faces of a d{faces} are 1..{faces}; to compare the "
                f"sum, leave {sign}{face} out and read the chance of each sum in the table",
                position,
            )
        return showing(dice, faces, *{">=": (face, faces), "<=": (1, face), "==": (face, face)}[sign])

    def _checked(self, term: Term, position: int) -> Term:
        """Reject a term whose results are too large or spread over too many values."""
        if (far := max(-term.least, term.most)) > RESULT_MAX:
            self._fail(f"results reach {far}; at most {RESULT_MAX} is allowed", position)
        if (span := term.most - term.least + 1) > SUPPORT_MAX:
            self._fail(f"results spread over {span} values; at most {SUPPORT_MAX} are allowed", position)
        return term

    def _number(self, what: str, lowest: int, highest: int) -> int:
        """Parse a number in lowest..highest."""
        token = self._token
        if token.kind != "number":
            self._fail(f"expected {what} in {lowest}..{highest}, found {self._found}")
        value = int(token.text[:10])  # enough digits to detect that it is too large
        if not lowest <= value <= highest:
            self._fail(f"{what} must be in {lowest}..{highest}, found {token.text[:20]}")
        self.next += 1
        return value

    @property
    def _token(self) -> _Token:
        return self.tokens[self.next]

    @property
    def _found(self) -> str:
        return "the end" if self._token.kind == "end" else repr(self._token.text)

    def _take(self, text: str) -> bool:
        """Consume the next token if it is `text`."""
        matches = self._token.text == text
        self.next += matches
        return matches

    def _expect(self, text: str) -> None:
        if not self._take(text):
            self._fail(f"expected {text!r}, found {self._found}")

    def _split(self) -> list[_Token]:
        tokens: list[_Token] = []
        position, end = 0, len(self.text.rstrip())
        while position < end:
            match = _TOKEN.match(self.text, position)
            if match is None:
                start = position + len(self.text[position:]) - len(self.text[position:].lstrip())
                hint = "; comparisons are >=, <= and ==" if self.text[start] in "<>=" else ""
                self._fail(f"{self.text[start]!r} is not allowed here{hint}", start)
            kind = str(match.lastgroup)
            token = _Token(kind, match.group(kind).lower(), match.start(kind))
            if kind == "word" and token.text not in _WORDS:
                self._fail(f"unknown word {token.text[:20]!r}; known words are {', '.join(_WORDS)}", token.position)
            tokens.append(token)
            position = match.end()
        return [*tokens, _Token("end", "", end)]

    def _fail(self, problem: str, position: int | None = None) -> NoReturn:
        raise DiceError(problem, self.text, self._token.position if position is None else position)
