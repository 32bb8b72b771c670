"""Tokens of dice expressions, and what reads them one after another."""

import re
from fractions import Fraction
from typing import NamedTuple, NoReturn

from analysis.dice.tree import Value, plain

TEXT_MAX = 500  # characters of an expression
NUMBER_MAX = 1_000_000  # constants and multiples

KEEPS = {"kh": (True, False), "k": (True, False), "kl": (False, False), "dh": (True, True), "dl": (False, True)}
STEPS = {"r": "r", "rr": "r", "ro": "ro"}
MODIFIERS = (*KEEPS, *STEPS, "min", "max", "cs")
COMPARED = (">=", "<=", "==", "!=", ">", "<")
REMAINDER = "there is no remainder; that of a roll r divided by 11 is r - 11*(r//11)"
HINTS = {  # words of other tools and what to write instead
    **dict.fromkeys(("vs", "v", "against"), "to compare two rolls write a difference, such as 2d6 - 2d6, or sum(2d6) > sum(2d6)"),
    **dict.fromkeys(("median", "middle"), "the middle of three dice is 3d20dh1dl1: without the highest and the lowest"),
    **dict.fromkeys(("f", "cf"), "count failures apart, such as r = 4d10; count(r>=6) - count(r==1)"),
    **dict.fromkeys(("repeat", "times"), "write 6d(4d6dl1) for six rolls of what is in brackets"),
    **dict.fromkeys(("adv", "advantage"), "write 2d20kh for advantage"),
    **dict.fromkeys(("dis", "disadv", "disadvantage"), "write 2d20kl for disadvantage"),
    **dict.fromkeys(("e", "ex", "explode", "exploding"), "write ! to roll the highest face again, such as 4d6!, or 4d6!>=5"),
    **dict.fromkeys(
        ("h", "l", "keep", "drop"), "write kh3 or kl3 to keep the highest or lowest three dice, dh1 or dl1 to drop one"
    ),
    **dict.fromkeys(("highest", "lowest", "best", "worst"), "write 4d6kh3 or highest(3, 4d6), kl and lowest for the lowest"),
    **dict.fromkeys(
        ("reroll", "rerolled"), "write r1 to reroll ones until none is left, ro1 to reroll them once, such as 3d6ro1"
    ),
    **dict.fromkeys(("s", "count", "success", "successes", "hits"), "write a comparison to count dice, such as 5d6>=4 or 5d6==6"),
    **dict.fromkeys(("output", "roll"), "write the dice alone, such as 2d6"),
    **dict.fromkeys(("mean", "average", "avg", "expected"), "the answer has the mean; write the dice alone, such as 3d6"),
    **dict.fromkeys(("if", "then", "else"), "write (d20>=15)*2d6, or outcomes such as r = d20; hit: r>=15; miss: 1"),
    **dict.fromkeys(
        ("two", "three", "four", "five", "pair", "pairs", "set", "sets", "kind", "same", "yahtzee"),
        "write same(5d6)>=3 for three equal dice or more",
    ),
    **dict.fromkeys(("of", "from"), "a draw of cards begins with draw, such as draw 7 from 60: at least 1 of 4"),
    "straight": "write straight(5d6)>=4 for four consecutive numbers or more",
    "between": "join two comparisons by and, such as r = 2d6; sum(r)>=7 and sum(r)<=9",
    "round": "write floor(...) to round down, ceil(...) to round up, floor(... + 0.5) to the nearest number",
    "w": "write d for dice, such as 2d6",
    "mod": REMAINDER,
    "p": "! adds all of a further roll; further rolls that count one less cannot be written",
    "k": "write the dice before what is kept, such as 6d10kh3 or 6d10!kh3 for 6k3",
}
SIGN_HINTS = {  # the same for characters
    "[": "brackets are round, such as highest(3, 4d6)",
    "#": "write 6d(4d6dl1) for six rolls of what is in brackets",
    "?": HINTS["if"],
    "&": "join conditions by and",
    "|": "join conditions by or",
    "^": "write a power as a product, such as a = d6; a*a",
    ".": "write every face of a die, such as d{1,2,3}",
}

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<word>[A-Za-z_]+)|(?P<sign>>=|<=|==|!=|//|[-+*/(),;:=<>!%{}]))", re.ASCII
)
_TYPOGRAPHIC = str.maketrans({"\u2212": "-", "\u2013": "-", "\u00d7": "*", "\u00b7": "*", "\u00f7": "/", "\u2265": "\ue000"})
_TWO_SIGNS = {"\u2265": ">=", "\u2264": "<=", "\u2260": "!="}


class DiceError(ValueError):
    """An invalid dice expression; the message points at the position."""

    def __init__(self, problem: str, text: str, position: int) -> None:
        excerpt = "".join(character if character.isprintable() else " " for character in text[:TEXT_MAX])
        super().__init__(f"dice expression, position {position + 1}: {problem}\n  {excerpt}\n  {' ' * position}^")
        self.position = position


class Token(NamedTuple):
    """kind: "number", "word", "sign" or "end"; text in lower case; position and end in the text."""

    kind: str
    text: str
    position: int
    end: int


class Cursor:
    """Reads a text token by token; a subclass says which token comes next."""

    def __init__(self, text: str) -> None:
        self.text = text
        if len(text) > TEXT_MAX:
            self.fail(f"{len(text)} characters are too many; at most {TEXT_MAX} are allowed", TEXT_MAX - 1)

    @property
    def token(self) -> Token:
        """The next token."""
        raise NotImplementedError

    def advance(self) -> None:
        """Consume the next token."""
        raise NotImplementedError

    @property
    def excerpt(self) -> str:
        """The next token, for a message."""
        return excerpt_of(self.token)

    def take(self, text: str) -> bool:
        """Consume the next token if it is `text`."""
        matches = self.token.text == text and self.token.kind != "end"
        if matches:
            self.advance()
        return matches

    def expect(self, text: str, wanted: str = "") -> None:
        """Consume the next token, which must be `text`. wanted: words for it in the message."""
        if not self.take(text):
            self.fail(f"expected {wanted or repr(text)}, found {self.excerpt}")

    def integer(self, what: str, lowest: int, highest: int) -> int:
        """Parse a whole number in lowest..highest."""
        token = self.token
        if token.kind != "number":
            self.fail(f"expected {what} in {lowest}..{highest}, found {self.excerpt}")
        value = int(token.text.partition(".")[0][:10])  # enough digits to detect that it is too large
        if "." in token.text or not lowest <= value <= highest:
            self.fail(f"{what} must be in {lowest}..{highest}, found {token.text[:20]}")
        self.advance()
        return value

    def fail(self, problem: str, position: int | None = None) -> NoReturn:
        """Raise DiceError at a position, by default that of the next token."""
        raise DiceError(problem, self.text, self.token.position if position is None else position)


class Reader(Cursor):
    """Reads the tokens of a dice expression, which are split first. next: index of the next one."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.next = 0
        self.tokens = self._split()

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.next]

    def advance(self) -> None:
        """Consume the next token."""
        self.next += 1

    def decimal(self) -> Value:
        """Parse a number, which can have decimals."""
        token = self.token
        if "." not in token.text:
            return self.integer("a number", 0, NUMBER_MAX)
        digits = token.text.partition(".")
        if len(digits[0]) > 7 or len(digits[2]) > 6:
            self.fail(f"a number must be in 0..{NUMBER_MAX} with up to six decimals, found {token.text[:20]}")
        self.next += 1
        return plain(Fraction(token.text))

    def sign(self) -> str:
        """Parse a comparison sign."""
        sign = self.token.text
        self.next += 1
        return sign

    def ahead(self, number: int) -> Token:
        """A token further on."""
        return self.tokens[min(self.next + number, len(self.tokens) - 1)]

    def _split(self) -> list[Token]:
        """The tokens of the text. Typographic signs count as their plain forms."""
        tokens: list[Token] = []
        text = self.text.translate(_TYPOGRAPHIC)
        position, end = 0, len(self.text.rstrip())
        while position < end:
            start = position + len(text[position:]) - len(text[position:].lstrip())
            two = _TWO_SIGNS.get(self.text[start])
            if two:
                tokens.append(Token("sign", two, start, start + 1))
                position = start + 1
                continue
            match = _TOKEN.match(text, position)
            if match is None:
                hint = SIGN_HINTS.get(self.text[start])
                self.fail(f"{self.text[start]!r} is not allowed here{f'; {hint}' if hint else ''}", start)
            kind = str(match.lastgroup)
            tokens += _words(match.group(kind).lower(), match.start(kind)) if kind == "word" else []
            if kind != "word":
                tokens.append(Token(kind, match.group(kind), match.start(kind), match.end()))
            position = match.end()
        return [*tokens, Token("end", "", end, end)]


def excerpt_of(token: Token) -> str:
    """A token, for a message."""
    return "the end" if token.kind == "end" else repr(token.text)


def _words(word: str, position: int) -> list[Token]:
    """A word as tokens: dF and what follows it directly are two, such as in 4dFkh2."""
    if word.startswith("df") and word[2:] in MODIFIERS:
        return [Token("word", "df", position, position + 2), Token("word", word[2:], position + 2, position + len(word))]
    return [Token("word", word, position, position + len(word))]
