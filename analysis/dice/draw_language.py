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

With a deck (`analysis.dice.decklists`) numbers are not needed: draw 7: at least 1 of Lightning Bolt or Shock and 2 to 4 of lands.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property

from analysis.dice.decklists import Deck
from analysis.dice.draws import Condition, Draw, Kind, Mulligan, Wanted
from analysis.dice.tokens import Cursor, Token
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


class _Parser(Cursor):
    """draw: "draw" number ["from" number] ":" (kind | condition) [";" mulligan]; condition: both {"or" both}.

    The next token is read where `position` is, because names of cards can have any characters.
    """

    def __init__(self, text: str, deck: Deck | None) -> None:
        super().__init__(text)
        self.deck = deck
        self.position = 0
        self.kinds: dict[Kind, frozenset[int]] = {}  # with its cards, if there is a deck

    def draw(self) -> Draw:
        """Parse everything."""
        self.expect("draw")
        at = self.token.position
        cards = self.integer("the number of cards", 1, DECK_MAX)
        size = self._size()
        if cards > size:
            self.fail(f"{cards} cards cannot be drawn from {size}", at)
        self.expect(":", "a colon and what is asked about, such as draw 7 from 60: at least 1 of 4")
        names_a_kind = self._names_a_kind()
        if self.deck is not None and not names_a_kind and self.token.text not in _STARTING and self.token.kind != "number":
            self.fail(self._unknown(self.deck))
        asked: Condition | Kind = self._kind() if names_a_kind else self._condition()
        mulligan = self._mulligan(asked, cards, size) if self.take(";") else None
        if self.token.text == ",":
            self.fail("join conditions by and or or")
        if self.token.text:
            self.fail(f"expected and, or, ; mulligan to ..., or the end, found {self.excerpt}")
        title = self.deck.title if self.deck else ""
        return self._checked(Draw(self.text, cards, *self._groups(size), asked, mulligan, title))

    def _size(self) -> int:
        """Parse the cards of the deck."""
        if self.deck is None:
            if self.token.text == "of":
                self.fail("write from and the cards of the deck, such as draw 7 from 60")
            if self.token.text == ":":
                self.fail("expected from and the cards of the deck, such as from 60; with --deck FILE they are known")
            self.expect("from")
            return self.integer("the cards of the deck", 1, DECK_MAX)
        if self.take("from"):
            self.take("the")
            if not self.take("deck"):
                at = self.token.position
                if self.integer("the cards of the deck", 1, DECK_MAX) != self.deck.size:
                    self.fail(f"{self.deck.title} has {self.deck.size} cards; leave their number out", at)
        return self.deck.size

    # Conditions

    def _condition(self) -> Condition:
        either = [self._both()]
        while self.take("or"):
            either.append(self._both())
        return Condition(tuple(either))

    def _both(self) -> tuple[Wanted, ...]:
        wanted = [*self._wanted()]
        while self.take("and"):
            wanted += self._wanted()
        return tuple(wanted)

    def _wanted(self) -> list[Wanted]:
        """Parse a condition on a kind; of a range two."""
        position = self.token.position
        if self.token.text == "(":
            self.fail("a draw has no brackets; write every alternative out, joined by or")
        if self.take("no"):
            self.take("of")
            return [Wanted("==", 0, self._kind())]
        if self.take("none"):
            self.expect("of")
            return [Wanted("==", 0, self._kind())]
        if self.take("all"):
            self.expect("of")
            kind = self._kind()
            return [Wanted("==", kind.number, kind)]
        if self.take("between"):
            return self._range("and", position)
        if self.token.kind == "number":
            return self._range("to", position)
        at = self.take("at")
        sign = _SIGNS.get(self.token.text, "")
        if not sign or at != (sign != "=="):
            self.fail(_HINTS.get(self.token.text, f"expected at least, at most, exactly or none of, found {self.excerpt}"))
        self.advance()
        if self.token.text in _WORDS:
            self.fail(f"write numbers as digits, such as {_WORDS[self.token.text]}")
        number = self.integer("the number of cards", 0, DECK_MAX)
        self.expect("of", "of after the number, such as at least 1 of 4 aces")
        return [Wanted(sign, number, self._kind())]

    def _range(self, word: str, position: int) -> list[Wanted]:
        """Parse two numbers with a word between, and the kind; or a 0."""
        low = self.integer("the number of cards", 0, DECK_MAX)
        if word == "to" and self.token.text == "of":
            end = self.token.end
            self.position = end
            if low == 0:
                return [Wanted("==", 0, self._kind())]
            cards = re.split(r"\s+(?:and|or)\s|;", self.text[end:])[0].strip() or "4"
            cards = cards if self.deck or cards[0].isdigit() else "13 hearts"
            self.fail(f"write at least {low} of {cards} or exactly {low} of {cards}", position)
        if word == "to" and self.token.text == "or":
            self.fail(f"write at least {low} of for {low} or more, or two conditions joined by or", position)
        self.expect(word)
        high = self.integer("the number of cards", 0, DECK_MAX)
        if low > high:
            self.fail(f"{low} {word} {high} is empty; write the smaller number first", position)
        self.expect("of")
        kind = self._kind()
        return [Wanted(">=", low, kind), Wanted("<=", high, kind)]

    def _names_a_kind(self) -> bool:
        """Whether the number of cards of a kind is asked about, not a condition."""
        if self.deck is not None and self._named() is not None:
            return True
        if self.token.kind != "number":
            return False
        before = self.position
        self.advance()
        of = self.token.text in ("of", "or", "to")
        self.position = before
        return not of

    # Kinds

    def _kind(self) -> Kind:
        """Parse a number of cards and their name, or the names of cards of the deck."""
        return self._kind_by_number() if self.deck is None else self._kind_of_deck(self.deck)

    def _kind_by_number(self) -> Kind:
        """Parse a number and a name; the same name is the same kind."""
        position = self.token.position
        if self.token.kind == "word":
            self.fail("expected the number of these cards in the deck, such as 24 lands; with --deck FILE it is known")
        number = self.integer("the cards of a kind", 0, DECK_MAX)
        words = []
        while self.token.kind == "word" and self.token.text not in _RESERVED:
            words.append(self.text[self.token.position : self.token.end])
            self.advance()
        name = " ".join(words)
        for kind in self.kinds:
            if not name and not kind.name and kind.number == number:
                self.fail(
                    f"name the cards, such as {number} lands: the same name for the same cards, another one for others", position
                )
            if name and kind.name.lower() == name.lower():
                if kind.number != number:
                    self.fail(f"{name} are {kind.number} cards above and {number} here", position)
                return kind
        return self._added(number, name, frozenset(), position)

    def _kind_of_deck(self, deck: Deck) -> Kind:
        """Parse names of cards or of kinds of cards, joined by commas or or."""
        named = self._named()
        position = named.start("name") if named else self.token.position
        number = self.integer("the number of cards", 0, DECK_MAX) if named is None and self.token.kind == "number" else None
        cards, names = set[int](), list[str]()
        while True:
            named = self._named()
            if named is None:
                self.fail(self._unknown(deck))
            names.append(" ".join(named["name"].split()))
            cards |= deck.kinds[names[-1].casefold().replace("\u2019", "'")]
            self.position = named.end() if named["quote"] else named.end("name")
            before = self.position
            if not (self.take(",") or self.take("or")) or self._named() is None:
                self.position = before
                break
        copies = sum(deck.copies[card] for card in cards)
        if number not in (None, copies):
            self.fail(
                f"the deck has {copies} {' or '.join(names)}, not {number}; leave the number out, or write at least {number} of",
                position,
            )
        for kind, held in self.kinds.items():
            if held == cards:
                return kind
        return self._added(copies, " or ".join(names), frozenset(cards), position)

    def _added(self, number: int, name: str, cards: frozenset[int], position: int) -> Kind:
        if len(self.kinds) == KINDS_MAX:
            self.fail(f"more than {KINDS_MAX} kinds of cards", position)
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

    def _named(self) -> re.Match[str] | None:
        """The name of cards that comes next, if it is one of the deck."""
        return self._names.match(self.text, self.position)

    def _unknown(self, deck: Deck) -> str:
        """The message on a name that the deck does not have."""
        typed = re.split(r"\s+(?:and|or|if)\s|[;,]", self.text[self.token.position :])[0].strip() or "the end"
        return f"expected cards of {deck.title}, found {typed[:40]!r}; {did_you_mean(typed.casefold(), deck.names)}"

    # Mulligans

    def _mulligan(self, asked: Condition | Kind, cards: int, size: int) -> Mulligan:
        """Parse how a hand is replaced."""
        at = self.token.position
        if self.take("replace"):
            self.expect("others")
            if 2 * cards > size:
                self.fail(f"{size} cards are too few to draw {cards} and to replace all of them", at)
            return Mulligan("others")
        london = self.take("london")
        self.expect("mulligan", "mulligan to 6, london mulligan to 6, or replace others")
        if not london and self.take("until"):
            return Mulligan("until", when=self._condition())
        self.expect("to", "to and the cards of the next hand, such as mulligan to 6")
        sizes = [self.integer("the cards of the next hand", 1, cards if london else size)]
        while self.take(","):
            sizes.append(self.integer("the cards of the next hand", 1, cards if london else size))
        if len(sizes) > MULLIGANS_MAX:
            self.fail(f"more than {MULLIGANS_MAX} mulligans")
        when = self._condition() if self.take("if") else None
        if when is None and isinstance(asked, Kind):
            self.fail("a mulligan needs a condition, such as mulligan to 6 if none of 24 lands")
        if london and isinstance(asked, Kind):
            self.fail("which cards are put back depends on what is wanted; ask about a condition, such as at least 2 of 24", at)
        return Mulligan("london" if london else "fewer", tuple(sizes), when)

    # Checks

    def _groups(self, size: int) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
        """`Draw.groups` and `Draw.within` of the kinds."""
        if self.deck is None:
            numbers = [kind.number for kind in self.kinds]
            if sum(numbers) > size:
                names = ", ".join(kind.words for kind in self.kinds)
                self.fail(
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
            self.fail("too many combinations of kinds to count", 0)
        if draw.chance_kept < KEPT_LEAST:
            often = f"once in {round(1 / draw.chance_kept):,} hands" if draw.chance_kept else "never"
            self.fail(f"the hand that ends the mulligans comes {often}; it must come once in {round(1 / KEPT_LEAST):,}", 0)
        return draw

    # Tokens

    @property
    def token(self) -> Token:
        """The next token. Raises DiceError for a character that no draw has."""
        match = _TOKEN.match(self.text, self.position)
        if match is not None:
            kind = "number" if match[1].isdigit() else "word" if match[1].isalpha() else "sign"
            return Token(kind, match[1].lower(), match.start(1), match.end())
        start = self.position + len(self.text[self.position :]) - len(self.text[self.position :].lstrip())
        if start < len(self.text):
            signs = self.text[start] in "+<>=-\u2013"
            hint = "; write at least 2 of 24 lands, at most 4 of 24 lands, or 2 to 4 of 24 lands" if signs else ""
            self.fail(f"{self.text[start]!r} is not allowed in a draw{hint}", start)
        return Token("end", "", len(self.text.rstrip()), len(self.text))

    def advance(self) -> None:
        """Consume the next token."""
        self.position = self.token.end
