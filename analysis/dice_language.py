"""Reader of dice expressions: text to terms, or an error that points at the place. Nothing is ever run as code."""

import re
from typing import NamedTuple, NoReturn

from analysis.dice_terms import (
    KEPT_WORK_MAX,
    Constant,
    Hits,
    Larger,
    Pool,
    Scaled,
    Smaller,
    Sum,
    Term,
    bounds,
    kept_work,
)
from analysis.distribution import SUPPORT_MAX

TEXT_MAX = 500  # characters of an expression
DEPTH_MAX = 30  # brackets within brackets
DICE_MAX = 200  # dice of one pool
FACES_MAX = 1000  # faces of a die
NUMBER_MAX = 1_000_000  # constants and multiples
RESULT_MAX = 10**9  # size of any result

_TOKEN = re.compile(r"\s*(?:(?P<number>[0-9]+)|(?P<word>[A-Za-z]+)|(?P<sign>>=|<=|==|[-+*(),]))")
_WORDS = ("d", "kh", "kl", "max", "min", "floor")


class DiceError(ValueError):
    """What is wrong with a dice expression, with a line that points at the place."""

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
    """Read an expression. Raises DiceError at the first thing that is not one, or that is too large."""
    return _Parser(text).whole()


class _Parser:
    """Recursive descent, one method per rule of the grammar.

    whole: sum ["floor" integer]; sum: ["-"] product {("+" | "-") product}; product: [number "*"] unit;
    unit: number | pool | ("max" | "min") "(" whole "," whole ")" | "(" whole ")";
    pool: number "d" number [(">=" | "<=" | "==") number | ("kh" | "kl") number].
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.depth = 0
        self.work = 0
        if len(text) > TEXT_MAX:
            self._fail(f"{len(text)} characters are too many, at most {TEXT_MAX} are possible", TEXT_MAX - 1)
        self.tokens = self._split()
        self.next = 0

    def whole(self) -> Term:
        """Read the whole text."""
        term = self._floored()
        if self._token.text == "d":
            self._fail("write the number of dice once, such as 3d6")
        if self._token.text in (">=", "<=", "=="):
            self._fail(f"{self._token.text} counts the dice of a pool and stands right behind it, such as 5d6>=4")
        if self._token.kind != "end":
            self._fail(f"expected + or - or the end, found {self._token.text!r}")
        return term

    def _floored(self) -> Term:
        term, start = self._sum(), self._token.position
        if self._take("floor"):
            sign = -1 if self._take("-") else 1
            term = self._checked(Larger(term, Constant(sign * self._number("a floor", 0, NUMBER_MAX))), start)
        return term

    def _sum(self) -> Term:
        start = self._token.position
        negative = self._take("-")
        term = self._product()
        if negative:
            term = self._checked(Scaled(-1, term), start)
        while self._token.text in ("+", "-"):
            start = self._token.position
            negative = self._advance().text == "-"
            right = self._product()
            term = self._checked(Sum(term, Scaled(-1, right) if negative else right), start)
        return term

    def _product(self) -> Term:
        start = self._token.position
        if self._token.kind == "number" and self.tokens[self.next + 1].text == "*":
            factor = self._number("a multiple", 0, NUMBER_MAX)
            self._advance()
            return self._checked(Scaled(factor, self._unit()), start)
        unit = self._unit()
        if self._token.text == "*":
            self._fail("a multiple is written with its number first, such as 2*1d6")
        return unit

    def _unit(self) -> Term:
        token = self._token
        if token.kind == "number":
            if self.tokens[self.next + 1].text == "d":
                return self._pool()
            return Constant(self._number("a number", 0, NUMBER_MAX))
        if token.text in ("max", "min"):
            self._advance()
            self._open()
            left = self._floored()
            self._expect(",")
            right = self._floored()
            self._close()
            return self._checked((Larger if token.text == "max" else Smaller)(left, right), token.position)
        if token.text == "(":
            self._open()
            inner = self._floored()
            self._close()
            return inner
        if token.text == "d":
            self._fail("write the number of dice before d, such as 1d6")
        found = "the end" if token.kind == "end" else repr(token.text)
        return self._fail(f"expected dice such as 3d6, a number or a bracket, found {found}")

    def _pool(self) -> Term:
        start = self._token.position
        dice = self._number("the number of dice", 1, DICE_MAX)
        self._expect("d")
        faces = self._number("the number of faces", 2, FACES_MAX)
        test = self._token.text
        if test in (">=", "<=", "=="):
            self._advance()
            face = self._number("the face to compare with", 0, NUMBER_MAX)
            lowest, highest = {">=": (face, faces), "<=": (1, face), "==": (face, face)}[test]
            return Hits(dice, faces, lowest, highest)
        keep, highest_first = dice, True
        if test in ("kh", "kl"):
            highest_first = self._advance().text == "kh"
            keep = self._number("the number of dice to keep", 1, dice)
        pool = Pool(dice, faces, keep, highest_first)
        self.work += kept_work(pool)
        if self.work > KEPT_WORK_MAX:
            self._fail("keeping that many dice of that many faces is too much to work out exactly", start)
        return self._checked(pool, start)

    def _open(self) -> None:
        self.depth += 1
        if self.depth > DEPTH_MAX:
            self._fail(f"more than {DEPTH_MAX} brackets within each other")
        self._expect("(")

    def _close(self) -> None:
        self._expect(")")
        self.depth -= 1

    def _checked(self, term: Term, position: int) -> Term:
        """Refuse a term whose results are too large or spread too widely."""
        low, high = bounds(term)
        if max(-low, high) > RESULT_MAX:
            self._fail(f"results reach {max(-low, high)}, at most {RESULT_MAX} is possible", position)
        if high - low >= SUPPORT_MAX:
            self._fail(f"results spread over {high - low + 1} values, at most {SUPPORT_MAX} are possible", position)
        return term

    def _number(self, what: str, lowest: int, highest: int) -> int:
        """Read a number in lowest..highest."""
        token = self._token
        if token.kind != "number":
            found = "the end" if token.kind == "end" else repr(token.text)
            self._fail(f"expected {what} in {lowest}..{highest}, found {found}")
        value = int(token.text[:10])  # enough digits to see that it is too large
        if not lowest <= value <= highest:
            self._fail(f"{what} must be in {lowest}..{highest}, found {token.text[:20]}")
        self._advance()
        return value

    @property
    def _token(self) -> _Token:
        return self.tokens[self.next]

    def _advance(self) -> _Token:
        token = self._token
        self.next += token.kind != "end"
        return token

    def _take(self, text: str) -> bool:
        """Step over a token if it is the next one."""
        found = self._token.text == text
        self.next += found
        return found

    def _expect(self, text: str) -> None:
        if not self._take(text):
            found = "the end" if self._token.kind == "end" else repr(self._token.text)
            self._fail(f"expected {text!r}, found {found}")

    def _split(self) -> list[_Token]:
        tokens: list[_Token] = []
        position, end = 0, len(self.text.rstrip())
        while position < end:
            match = _TOKEN.match(self.text, position)
            if match is None:
                start = position + len(self.text[position:]) - len(self.text[position:].lstrip())
                hint = "; comparisons are >=, <= and ==" if self.text[start] in "<>=" else ""
                self._fail(f"{self.text[start]!r} means nothing here{hint}", start)
            kind = str(match.lastgroup)
            token = _Token(kind, match.group(kind).lower(), match.start(kind))
            if kind == "word" and token.text not in _WORDS:
                self._fail(f"unknown word {token.text[:20]!r}, known are {', '.join(_WORDS)}", token.position)
            tokens.append(token)
            position = match.end()
        return [*tokens, _Token("end", "", end)]

    def _fail(self, problem: str, position: int | None = None) -> NoReturn:
        raise DiceError(problem, self.text, self._token.position if position is None else position)
