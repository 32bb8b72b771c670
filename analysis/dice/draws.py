"""Cards drawn from a deck without putting them back: "draw 7 from 60: at least 1 of 4 and at least 2 of 24 lands".

    draw 7 from 60: at least 1 of 4        chance that a hand holds one of four cards; also at most, exactly, none of
    ... and at most 4 of 24 lands          several kinds, joined by and, or; a kind with a name can be used twice
    draw 7 from 60: 24 lands               number of cards of a kind in the hand
    ...; mulligan to 6                     a hand that fails is replaced once, by one of six cards; several sizes: to 7, 6

Chances are exact: counts of every combination of kinds in a hand (multivariate hypergeometric distribution).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import NamedTuple, NoReturn

import numpy as np

from analysis.dice.language import TEXT_MAX, DiceError
from analysis.dice.tree import holds

DECK_MAX = 1000  # cards of a deck
KINDS_MAX = 6
HANDS_MAX = 50_000  # combinations of kinds that are counted
MULLIGANS_MAX = 7
STARTS = re.compile(r"\s*draw\b", re.IGNORECASE)

_TOKEN = re.compile(r"\s*(?:([0-9]+)|([A-Za-z_]+)|([:;,]))", re.ASCII)
COMPARED = {">=": np.greater_equal, "<=": np.less_equal, "==": np.equal}
_SIGNS = {"least": ">=", "most": "<=", "exactly": "=="}
_WORDS = {">=": "at least", "<=": "at most", "==": "exactly"}
_RESERVED = {"draw", "from", "at", "least", "most", "exactly", "none", "no", "of", "and", "or", "mulligan", "to"}


@dataclass(frozen=True)
class Kind:
    """Cards that are alike. name: "" if they have none."""

    number: int
    name: str


@dataclass(frozen=True)
class Wanted:
    """A condition on the number of cards of a kind in the hand."""

    sign: str
    number: int
    kind: int


@dataclass(frozen=True)
class Draw:
    """A hand from a deck. wanted: alternatives, each of conditions that all must hold; empty: the number of the only kind counts.

    mulligans: sizes of the hands that replace one that fails.
    """

    text: str
    cards: int
    deck: int
    kinds: tuple[Kind, ...]
    wanted: tuple[tuple[Wanted, ...], ...]
    mulligans: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        """What is computed."""
        hand = f"among {self.cards} cards drawn from {self.deck}"
        if not self.wanted:
            return f"number of the {_named(self.kinds[0])} {hand}"
        either = " or ".join(
            " and ".join(f"{_WORDS[one.sign]} {one.number} of the {_named(self.kinds[one.kind])}" for one in both)
            for both in self.wanted
        )
        sizes = " and then ".join(map(str, self.mulligans))
        return f"1 if {either} are {hand}{f' (a hand that fails is replaced by one of {sizes})' if sizes else ''}, else 0"

    def chances(self) -> dict[int, Fraction]:
        """Exact chance of each result."""
        if not self.wanted:
            return self._hands(self.cards)
        fails = prod(1 - self._hands(size).get(1, Fraction(0)) for size in (self.cards, *self.mulligans))
        return {value: chance for value, chance in ((0, Fraction(fails)), (1, 1 - Fraction(fails))) if chance}

    def _hands(self, size: int) -> dict[int, Fraction]:
        """Chance of each result of one hand."""
        others = self.deck - sum(kind.number for kind in self.kinds)
        ways = Counter[int]()
        for held in product(*(range(min(size, kind.number) + 1) for kind in self.kinds)):
            if (left := size - sum(held)) >= 0:
                ways[self._result(held)] += prod(map(comb, (kind.number for kind in self.kinds), held)) * comb(others, left)
        return {result: Fraction(number, comb(self.deck, size)) for result, number in sorted(ways.items()) if number}

    def _result(self, held: tuple[int, ...]) -> int:
        if not self.wanted:
            return held[0]
        return int(any(all(holds(one.sign, held[one.kind], one.number) for one in both) for both in self.wanted))

    def simulate(self, n: int, seed: int) -> dict[float, int]:
        """Draw n hands, with those that replace them, and count the results."""
        rng = np.random.Generator(np.random.Philox(seed))
        numbers = [kind.number for kind in self.kinds]
        results = np.zeros(n, np.int64)
        for size in (self.cards, *self.mulligans):
            again = np.flatnonzero(results == 0)
            hands = rng.multivariate_hypergeometric([*numbers, self.deck - sum(numbers)], size, again.size, method="marginals")
            if not self.wanted:
                return {
                    int(value): int(number) for value, number in zip(*np.unique(hands[:, 0], return_counts=True), strict=True)
                }
            either = np.zeros(again.size, bool)
            for both in self.wanted:
                either |= np.all([COMPARED[one.sign](hands[:, one.kind], one.number) for one in both], axis=0)
            results[again] = either
        return {value: int(number) for value, number in enumerate(np.bincount(results, minlength=2)) if number}


def _named(kind: Kind) -> str:
    return f"{kind.number} {kind.name}" if kind.name else str(kind.number)


def read(text: str) -> Draw:
    """Parse a draw. Raises DiceError at the first part that is invalid or too large."""
    return _Parser(text).draw()


class _Token(NamedTuple):
    """text in lower case, as typed, and its position; text is empty at the end."""

    text: str
    typed: str
    position: int


class _Parser:
    """draw: "draw" number "from" number ":" (kind | both {"or" both}) [";" "mulligan" "to" number {"," number}]."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.next = 0
        self.kinds: list[Kind] = []
        if len(text) > TEXT_MAX:
            self._fail(f"{len(text)} characters are too many; at most {TEXT_MAX} are allowed", TEXT_MAX - 1)
        self.tokens: list[_Token] = []
        position, end = 0, len(text.rstrip())
        while position < end:
            match = _TOKEN.match(text, position)
            if match is None:
                start = position + len(text[position:]) - len(text[position:].lstrip())
                self._fail(f"{text[start]!r} is not allowed in a draw", start)
            typed = str(match.group(match.lastindex or 0))
            self.tokens.append(_Token(typed.lower(), typed, match.start(match.lastindex or 0)))
            position = match.end()
        self.tokens.append(_Token("", "", end))

    def draw(self) -> Draw:
        """Parse everything."""
        self._expect("draw")
        at = self._token.position
        cards = self._number("the number of cards", 1, DECK_MAX)
        self._expect("from")
        deck = self._number("the cards of the deck", 1, DECK_MAX)
        if cards > deck:
            self._fail(f"{cards} cards cannot be drawn from {deck}", at)
        self._expect(":")
        wanted: list[tuple[Wanted, ...]] = []
        if self._token.text.isdigit():
            self._kind()
        else:
            wanted.append(self._both())
            while self._take("or"):
                wanted.append(self._both())
        mulligans = self._mulligans(deck) if self._take(";") else []
        if mulligans and not wanted:
            self._fail("a mulligan needs a condition, such as at least 1 of 4")
        if self._token.text:
            self._fail(f"expected and, or, ; mulligan to ..., or the end, found {self._token.text!r}")
        self._check(cards, deck)
        return Draw(self.text, cards, deck, tuple(self.kinds), tuple(wanted), tuple(mulligans))

    def _check(self, cards: int, deck: int) -> None:
        """Refuse more kinds than the deck holds, or more combinations than can be counted."""
        total = sum(kind.number for kind in self.kinds)
        if total > deck:
            names = ", ".join(map(_named, self.kinds))
            self._fail(f"the kinds ({names}) are {total} cards, more than the deck; give a kind that is used twice a name", 0)
        if prod(min(cards, kind.number) + 1 for kind in self.kinds) > HANDS_MAX:
            self._fail("too many combinations of kinds to count", 0)

    def _both(self) -> tuple[Wanted, ...]:
        wanted = [self._wanted()]
        while self._take("and"):
            wanted.append(self._wanted())
        return tuple(wanted)

    def _wanted(self) -> Wanted:
        """Parse a condition."""
        if self._take("none") or self._take("no"):
            sign, number = "==", 0
        else:
            at = self._take("at")
            sign = _SIGNS.get(self._token.text, "")
            if not sign or at != (sign != "=="):
                self._fail(f"expected at least, at most, exactly or none of, found {self._excerpt}")
            self.next += 1
            number = self._number("the number of cards", 0, DECK_MAX)
        self._expect("of")
        return Wanted(sign, number, self._kind())

    def _kind(self) -> int:
        """Parse a number of cards and their name; the same name is the same kind."""
        position = self._token.position
        number = self._number("the cards of a kind", 0, DECK_MAX)
        words = []
        while self._token.text.isalpha() and self._token.text not in _RESERVED:
            words.append(self._token.typed)
            self.next += 1
        name = " ".join(words)
        for index, kind in enumerate(self.kinds):
            if name and kind.name.lower() == name.lower():
                if kind.number != number:
                    self._fail(f"{name} are {kind.number} cards above and {number} here", position)
                return index
        if len(self.kinds) == KINDS_MAX:
            self._fail(f"more than {KINDS_MAX} kinds of cards", position)
        self.kinds.append(Kind(number, name))
        return len(self.kinds) - 1

    def _mulligans(self, deck: int) -> list[int]:
        self._expect("mulligan")
        self._expect("to")
        sizes = [self._number("the cards of the next hand", 1, deck)]
        while self._take(","):
            sizes.append(self._number("the cards of the next hand", 1, deck))
        if len(sizes) > MULLIGANS_MAX:
            self._fail(f"more than {MULLIGANS_MAX} mulligans")
        return sizes

    def _number(self, what: str, lowest: int, highest: int) -> int:
        token = self._token
        if not token.text.isdigit():
            self._fail(f"expected {what} in {lowest}..{highest}, found {self._excerpt}")
        value = int(token.text[:10])
        if not lowest <= value <= highest:
            self._fail(f"{what} must be in {lowest}..{highest}, found {token.text[:20]}")
        self.next += 1
        return value

    @property
    def _token(self) -> _Token:
        return self.tokens[self.next]

    @property
    def _excerpt(self) -> str:
        return repr(self._token.text[:20]) if self._token.text else "the end"

    def _take(self, text: str) -> bool:
        matches = self._token.text == text
        self.next += matches
        return matches

    def _expect(self, text: str) -> None:
        if not self._take(text):
            self._fail(f"expected {text!r}, found {self._excerpt}")

    def _fail(self, problem: str, position: int | None = None) -> NoReturn:
        raise DiceError(problem, self.text, self._token.position if position is None else position)
