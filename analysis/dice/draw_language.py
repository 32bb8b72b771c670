"""The language of draws: from text to a draw (`analysis.dice.draws`), or to an error that points at the invalid part.

    draw 7 from 60: at least 1 of 4        chance that a hand holds one of four cards; also at most, exactly, none of
    ... and at most 4 of 24 lands          several kinds, joined by and, or; a kind with a name can be used twice
    ... 2 to 4 of 24 lands, all of 2       a range; all of a kind
    draw 7 from 60: 24 lands               number of cards of a kind in the hand
    ...; mulligan to 6, 5                  a hand that fails is replaced by one of six cards, and that by one of five
    ...; mulligan to 6 if none of 20 units the same for hands that fulfil a condition of their own
    ...; london mulligan to 6, 5           seven cards each time, of which one and then two are put back
    ...; mulligan until at least 1 of 12   new hands until the condition holds
    ...; replace others                    cards that are not asked about are replaced once

With a deck (`analysis.dice.decklists`) numbers are not needed: draw 7: at least 1 of Lightning Bolt or Shock and 2 of lands.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import NamedTuple, NoReturn

from analysis.dice.decklists import Deck
from analysis.dice.draws import Condition, Draw, Kind, Mulligan, Wanted
from analysis.dice.tokens import TEXT_MAX, DiceError
from sim.engine.cardfiles.paths import did_you_mean

DECK_MAX = 1000  # cards of a deck
KINDS_MAX = 20
HANDS_MAX = 50_000  # combinations of kinds that are counted
MULLIGANS_MAX = 7
KEPT_LEAST = 0.001  # chance of a hand until which hands are drawn
_STARTS = re.compile(r"\s*draw\b", re.IGNORECASE)

_TOKEN = re.compile(r"\s*([0-9]+|[^\W\d_]+|[:;,()])")
_SIGNS = {"least": ">=", "most": "<=", "exactly": "=="}
_HINTS = {  # words for which others are used
    "more": "write at least 3 of 4 aces for more than 2",
    **dict.fromkeys(("less", "fewer"), "write at most 2 of 4 aces for fewer than 3"),
    **dict.fromkeys(("a", "an", "any", "one", "some"), "write a number of cards of a kind, such as at least 1 of 4 aces"),
    **dict.fromkeys(("not", "without", "zero"), "write none of 4 aces"),
    "both": "write all of 2 aces",
}
_WORDS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_STARTING = ("at", "exactly", "none", "no", "all", "between", "(")  # words with which a condition begins
_RESERVED = {
    *("draw", "from", "at", "least", "most", "exactly", "none", "no", "all", "between", "of", "and", "or"),
    *("mulligan", "london", "to", "if", "until", "replace", "others"),
}


def read(text: str, deck: Deck | None = None) -> Draw:
    """Parse a draw. Raises DiceError at the first part that is invalid or too large."""
    return _Parser(text, deck).draw()


def is_draw(text: str) -> bool:
    """Whether a text is a draw of cards."""
    return _STARTS.match(text) is not None


class _Token(NamedTuple):
    """text in lower case, as typed, its position and that behind it; text is empty at the end."""

    text: str
    typed: str
    position: int
    end: int


class _Parser:
    """draw: "draw" number ["from" number] ":" (kind | condition) [";" mulligan]; condition: both {"or" both}.

    The next token is read where `position` is, because names of cards can have any characters.
    """

    def __init__(self, text: str, deck: Deck | None) -> None:
        self.text, self.deck = text, deck
        self.position = 0
        self.kinds: dict[Kind, frozenset[int]] = {}  # with its cards, if there is a deck
        if len(text) > TEXT_MAX:
            self._fail(f"{len(text)} characters are too many; at most {TEXT_MAX} are allowed", TEXT_MAX - 1)

    def draw(self) -> Draw:
        """Parse everything."""
        self._expect("draw")
        at = self._token.position
        cards = self._number("the number of cards", 1, DECK_MAX)
        size = self._size()
        if cards > size:
            self._fail(f"{cards} cards cannot be drawn from {size}", at)
        if self._token.text != ":":
            self._fail(
                f"expected a colon and what is asked about, such as draw 7 from 60: at least 1 of 4, found {self._excerpt}"
            )
        self._expect(":")
        names_a_kind = self._names_a_kind()
        if self.deck is not None and not names_a_kind and self._token.text not in _STARTING and not self._token.text.isdigit():
            self._fail(self._unknown(self.deck))
        asked: Condition | Kind = self._kind() if names_a_kind else self._condition()
        mulligan = self._mulligan(asked, cards, size) if self._take(";") else None
        if self._token.text == ",":
            self._fail("join conditions by and or or")
        if self._token.text:
            self._fail(f"expected and, or, ; mulligan to ..., or the end, found {self._excerpt}")
        title = self.deck.title if self.deck else ""
        return self._checked(Draw(self.text, cards, *self._groups(size), asked, mulligan, title))

    def _size(self) -> int:
        """Parse the cards of the deck."""
        if self.deck is None:
            if self._token.text == "of":
                self._fail("write from and the cards of the deck, such as draw 7 from 60")
            if self._token.text == ":":
                self._fail("expected from and the cards of the deck, such as from 60; with --deck FILE they are known")
            self._expect("from")
            return self._number("the cards of the deck", 1, DECK_MAX)
        if self._take("from"):
            self._take("the")
            if not self._take("deck"):
                at = self._token.position
                if self._number("the cards of the deck", 1, DECK_MAX) != self.deck.size:
                    self._fail(f"{self.deck.title} has {self.deck.size} cards; leave their number out", at)
        return self.deck.size

    # Conditions

    def _condition(self) -> Condition:
        either = [self._both()]
        while self._take("or"):
            either.append(self._both())
        return Condition(tuple(either))

    def _both(self) -> tuple[Wanted, ...]:
        wanted = [*self._wanted()]
        while self._take("and"):
            wanted += self._wanted()
        return tuple(wanted)

    def _wanted(self) -> list[Wanted]:
        """Parse a condition on a kind; of a range two."""
        position = self._token.position
        if self._token.text == "(":
            self._fail("a draw has no brackets; write every alternative out, joined by or")
        if self._take("no"):
            self._take("of")
            return [Wanted("==", 0, self._kind())]
        if self._take("none"):
            self._expect("of")
            return [Wanted("==", 0, self._kind())]
        if self._take("all"):
            self._expect("of")
            kind = self._kind()
            return [Wanted("==", kind.number, kind)]
        if self._take("between"):
            return self._range("and", position)
        if self._token.text.isdigit():
            return self._range("to", position)
        at = self._take("at")
        sign = _SIGNS.get(self._token.text, "")
        if not sign or at != (sign != "=="):
            self._fail(_HINTS.get(self._token.text, f"expected at least, at most, exactly or none of, found {self._excerpt}"))
        self.position = self._token.end
        if self._token.text in _WORDS:
            self._fail(f"write numbers as digits, such as {_WORDS[self._token.text]}")
        number = self._number("the number of cards", 0, DECK_MAX)
        if self._token.text != "of":
            self._fail(f"expected of after the number, such as at least 1 of 4 aces, found {self._excerpt}")
        self._expect("of")
        return [Wanted(sign, number, self._kind())]

    def _range(self, word: str, position: int) -> list[Wanted]:
        """Parse two numbers with a word between, and the kind; or a 0."""
        low = self._number("the number of cards", 0, DECK_MAX)
        if word == "to" and self._token.text == "of":
            end = self._token.end
            self.position = end
            if low == 0:
                return [Wanted("==", 0, self._kind())]
            cards = re.split(r"\s+(?:and|or)\s|;", self.text[end:])[0].strip() or "4"
            cards = cards if self.deck or cards[0].isdigit() else "13 hearts"
            self._fail(f"write at least {low} of {cards} or exactly {low} of {cards}", position)
        if word == "to" and self._token.text == "or":
            self._fail(f"write at least {low} of for {low} or more, or two conditions joined by or", position)
        self._expect(word)
        high = self._number("the number of cards", 0, DECK_MAX)
        if low > high:
            self._fail(f"{low} {word} {high} is empty; write the smaller number first", position)
        self._expect("of")
        kind = self._kind()
        return [Wanted(">=", low, kind), Wanted("<=", high, kind)]

    def _names_a_kind(self) -> bool:
        """Whether the number of cards of a kind is asked about, not a condition."""
        if self.deck is not None and self._named() is not None:
            return True
        if not self._token.text.isdigit():
            return False
        before = self.position
        self.position = self._token.end
        of = self._token.text in ("of", "or", "to")
        self.position = before
        return not of

    # Kinds

    def _kind(self) -> Kind:
        """Parse a number of cards and their name, or the names of cards of the deck."""
        return self._kind_by_number() if self.deck is None else self._kind_of_deck(self.deck)

    def _kind_by_number(self) -> Kind:
        """Parse a number and a name; the same name is the same kind."""
        position = self._token.position
        if self._token.text[:1].isalpha():
            self._fail("expected the number of these cards in the deck, such as 24 lands; with --deck FILE it is known")
        number = self._number("the cards of a kind", 0, DECK_MAX)
        words = []
        while self._token.text[:1].isalpha() and self._token.text not in _RESERVED:
            words.append(self._token.typed)
            self.position = self._token.end
        name = " ".join(words)
        for kind in self.kinds:
            if not name and not kind.name and kind.number == number:
                self._fail(
                    f"name the cards, such as {number} lands: the same name for the same cards, another one for others", position
                )
            if name and kind.name.lower() == name.lower():
                if kind.number != number:
                    self._fail(f"{name} are {kind.number} cards above and {number} here", position)
                return kind
        return self._added(number, name, frozenset(), position)

    def _kind_of_deck(self, deck: Deck) -> Kind:
        """Parse names of cards or of kinds of cards, joined by commas or or."""
        begin = self._named() or self._token
        position, numbered = begin.position, self._named() is None and begin.text.isdigit()
        number = self._number("the number of cards", 0, DECK_MAX) if numbered else None
        cards, names = set[int](), list[str]()
        while True:
            name = self._named()
            if name is None:
                self._fail(self._unknown(deck))
            cards |= deck.kinds[name.text]
            names.append(name.typed)
            self.position = name.end
            before = self.position
            if not (self._take(",") or self._take("or")) or self._named() is None:
                self.position = before
                break
        copies = sum(deck.copies[card] for card in cards)
        if number not in (None, copies):
            self._fail(
                f"the deck has {copies} {' or '.join(names)}, not {number}; leave the number out, or write at least {number} of",
                position,
            )
        for kind, held in self.kinds.items():
            if held == cards:
                return kind
        return self._added(copies, " or ".join(names), frozenset(cards), position)

    def _added(self, number: int, name: str, cards: frozenset[int], position: int) -> Kind:
        if len(self.kinds) == KINDS_MAX:
            self._fail(f"more than {KINDS_MAX} kinds of cards", position)
        kind = Kind(len(self.kinds), number, name)
        self.kinds[kind] = cards
        return kind

    @cached_property
    def _names(self) -> re.Pattern[str]:
        """Names of a deck, the longest first."""
        names = sorted(self.deck.kinds if self.deck else (), key=len, reverse=True)
        either = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in names)
        either = either.replace("'", "['\u2019]")  # typed or curly apostrophes
        return re.compile(rf"\s*(?P<quote>[\"'\u201c\u2018]?)(?P<name>{either})[\"'\u201d\u2019]?(?!\w)", re.IGNORECASE)

    def _named(self) -> _Token | None:
        """The name of cards that comes next, if it is one of the deck."""
        match = self._names.match(self.text, self.position)
        if match is None:
            return None
        typed = " ".join(match["name"].split())
        end = match.end() if match["quote"] else match.end("name")
        return _Token(typed.casefold().replace("\u2019", "'"), typed, match.start("name"), end)

    def _unknown(self, deck: Deck) -> str:
        """The message on a name that the deck does not have."""
        typed = re.split(r"\s+(?:and|or|if)\s|[;,]", self.text[self._token.position :])[0].strip() or "the end"
        return f"expected cards of {deck.title}, found {typed[:40]!r}; {did_you_mean(typed.casefold(), deck.names)}"

    # Mulligans

    def _mulligan(self, asked: Condition | Kind, cards: int, size: int) -> Mulligan:
        """Parse how a hand is replaced."""
        at = self._token.position
        if self._take("replace"):
            self._expect("others")
            if 2 * cards > size:
                self._fail(f"{size} cards are too few to draw {cards} and to replace all of them", at)
            return Mulligan("others")
        london = self._take("london")
        if self._token.text != "mulligan":
            self._fail(f"expected mulligan to 6, london mulligan to 6, or replace others, found {self._excerpt}")
        self._expect("mulligan")
        if not london and self._take("until"):
            return Mulligan("until", when=self._condition())
        if self._token.text != "to":
            self._fail(f"expected to and the cards of the next hand, such as mulligan to 6, found {self._excerpt}")
        self._expect("to")
        sizes = [self._number("the cards of the next hand", 1, cards if london else size)]
        while self._take(","):
            sizes.append(self._number("the cards of the next hand", 1, cards if london else size))
        if len(sizes) > MULLIGANS_MAX:
            self._fail(f"more than {MULLIGANS_MAX} mulligans")
        when = self._condition() if self._take("if") else None
        if when is None and isinstance(asked, Kind):
            self._fail("a mulligan needs a condition, such as mulligan to 6 if none of 24 lands")
        if london and isinstance(asked, Kind):
            self._fail("which cards are put back depends on what is wanted; ask about a condition, such as at least 2 of 24", at)
        return Mulligan("london" if london else "fewer", tuple(sizes), when)

    # Checks

    def _groups(self, size: int) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
        """`Draw.groups` and `Draw.within` of the kinds."""
        if self.deck is None:
            numbers = [kind.number for kind in self.kinds]
            if sum(numbers) > size:
                names = ", ".join(kind.words for kind in self.kinds)
                self._fail(
                    f"the kinds ({names}) are {sum(numbers)} cards, more than the deck; give a kind that is used twice a name", 0
                )
            return (*numbers, size - sum(numbers)), tuple((place,) for place in range(len(numbers)))
        kinds_of = [
            frozenset(kind.index for kind, cards in self.kinds.items() if card in cards) for card in range(len(self.deck.copies))
        ]
        copies = Counter[frozenset[int]]()
        for kinds, number in zip(kinds_of, self.deck.copies, strict=True):
            copies[kinds] += number
        others = copies.pop(frozenset(), 0)
        within = tuple(tuple(group for group, kinds in enumerate(copies) if kind.index in kinds) for kind in self.kinds)
        return (*copies.values(), others), within

    def _checked(self, draw: Draw) -> Draw:
        """Refuse what takes too long, and hands that never come."""
        if draw.combinations > HANDS_MAX:
            self._fail("too many combinations of kinds to count", 0)
        if draw.chance_kept < KEPT_LEAST:
            often = f"once in {round(1 / draw.chance_kept):,} hands" if draw.chance_kept else "never"
            self._fail(f"the hand that ends the mulligans comes {often}; it must come once in {round(1 / KEPT_LEAST):,}", 0)
        return draw

    # Tokens

    def _number(self, what: str, lowest: int, highest: int) -> int:
        token = self._token
        if not token.text.isdigit():
            self._fail(f"expected {what} in {lowest}..{highest}, found {self._excerpt}")
        value = int(token.text[:10])
        if not lowest <= value <= highest:
            self._fail(f"{what} must be in {lowest}..{highest}, found {token.text[:20]}")
        self.position = token.end
        return value

    @property
    def _token(self) -> _Token:
        """The next token. Raises DiceError for a character that no draw has."""
        match = _TOKEN.match(self.text, self.position)
        if match is not None:
            return _Token(match[1].lower(), match[1], match.start(1), match.end())
        start = self.position + len(self.text[self.position :]) - len(self.text[self.position :].lstrip())
        if start < len(self.text):
            signs = self.text[start] in "+<>=-\u2013"
            hint = "; write at least 2 of 24 lands, at most 4 of 24 lands, or 2 to 4 of 24 lands" if signs else ""
            self._fail(f"{self.text[start]!r} is not allowed in a draw{hint}", start)
        return _Token("", "", len(self.text.rstrip()), len(self.text))

    @property
    def _excerpt(self) -> str:
        return repr(self._token.text[:20]) if self._token.text else "the end"

    def _take(self, text: str) -> bool:
        token = self._token
        if token.text != text:
            return False
        self.position = token.end
        return True

    def _expect(self, text: str) -> None:
        if not self._take(text):
            self._fail(f"expected {text!r}, found {self._excerpt}")

    def _fail(self, problem: str, position: int | None = None) -> NoReturn:
        raise DiceError(problem, self.text, self._token.position if position is None else position)
