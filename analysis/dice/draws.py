"""Cards drawn from a deck without putting them back, with mulligans: exact chances beside simulated hands.

Chances are exact: counts of every combination of kinds in a hand (multivariate hypergeometric distribution).
`analysis.dice.draw_language` reads draws from text, `analysis.dice.decklists` the decks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, prod
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.dice.tree import holds

Hand: TypeAlias = tuple[int, ...]  # cards of each group
Held: TypeAlias = tuple[int, ...]  # cards of each kind
Chances: TypeAlias = dict[int, Fraction]
_WORDS = {">=": "at least", "<=": "at most", "==": "exactly"}


@dataclass(frozen=True)
class Kind:
    """Cards that are asked about. index: of all kinds of a draw; number: in the deck; name: "" if they have none."""

    index: int
    number: int
    name: str

    @property
    def words(self) -> str:
        """Number and name."""
        return f"{self.number} {self.name}" if self.name else str(self.number)


@dataclass(frozen=True)
class Wanted:
    """A number of cards of a kind in the hand. sign: ">=", "<=" or "=="."""

    sign: str
    number: int
    kind: Kind

    @property
    def words(self) -> str:
        """Such as "at least 1 of the 4 bolts"."""
        return f"{_WORDS[self.sign]} {self.number} of the {self.kind.words}"


@dataclass(frozen=True)
class Condition:
    """Alternatives, each of numbers of cards that must all be in the hand."""

    either: tuple[tuple[Wanted, ...], ...]

    def of(self, held: Held) -> bool:
        """Whether it holds for a hand."""
        return any(all(holds(one.sign, held[one.kind.index], one.number) for one in both) for both in self.either)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of cards that it asks about."""
        return tuple(dict.fromkeys(one.kind for both in self.either for one in both))

    @property
    def words(self) -> str:
        """The condition."""
        return " or ".join(" and ".join(one.words for one in both) for both in self.either)


@dataclass(frozen=True)
class Mulligan:
    """How a hand is replaced.

    "fewer": by a new hand of each of the sizes in turn. "london": by a new hand of full size, of which cards are put back so that
    each of the sizes remains. "until": by new hands until `when` holds. "others": cards that are not asked about are replaced
    once, and do not come back. when: hands that are replaced, or for "until" kept; without it those that fail.
    """

    how: Literal["fewer", "london", "until", "others"]
    sizes: tuple[int, ...] = ()
    when: Condition | None = None

    def words(self, cards: int) -> str:
        """The rule, as a remark in brackets."""
        if self.how == "others":
            return "the other cards are replaced once, and do not come back"
        if self.how == "until":
            return f"a new hand is drawn until {self.when.words if self.when else ''} are among them"
        hand = f"a hand with {self.when.words}" if self.when else "a hand that fails"
        if self.how == "fewer":
            return f"{hand} is replaced by one of {_then(self.sizes)}"
        return f"{hand} is replaced by one of {cards}, of which {_then([cards - size for size in self.sizes])} are put back"


def _then(numbers: tuple[int, ...] | list[int]) -> str:
    return " and then ".join(map(str, numbers))


@dataclass(frozen=True)
class Draw:
    """A hand from a deck, and what is asked about it: whether a condition holds, or the number of cards of a kind.

    Kinds can share cards, so the deck is divided into groups that do not: groups has their numbers of cards, the last one those
    that belong to no kind; within has the groups of each kind. deck: its name, or "".
    """

    text: str
    cards: int
    groups: tuple[int, ...]
    within: tuple[tuple[int, ...], ...]
    asked: Condition | Kind
    mulligan: Mulligan | None = None
    deck: str = ""

    @property
    def size(self) -> int:
        """Cards of the deck."""
        return sum(self.groups)

    @property
    def is_condition(self) -> bool:
        """Whether the result is 1 (true) or 0."""
        return isinstance(self.asked, Condition)

    @property
    def words(self) -> str:
        """What is computed."""
        deck = f"the {self.size} of {self.deck}" if self.deck else str(self.size)
        hand = f"among {self.cards} cards drawn from {deck}"
        hand += f" ({self.mulligan.words(self.cards)})" if self.mulligan else ""
        if isinstance(self.asked, Kind):
            return f"number of the {self.asked.words} {hand}"
        return f"1 if {self.asked.words} are {hand}, else 0"

    @property
    def _how(self) -> str:
        """How hands are replaced; empty if they are not."""
        return self.mulligan.how if self.mulligan else ""

    @property
    def combinations(self) -> int:
        """Combinations of kinds that `chances` looks at, at most."""
        ways = np.zeros(self.cards + 1)  # combinations of the groups so far, by number of cards
        ways[0] = 1
        for number in self.groups[:-1]:
            ways = np.convolve(ways, np.ones(min(self.cards, number) + 1))[: self.cards + 1]
        hands = int(min(ways.sum(), 1e9))
        if self._how == "others":
            return hands * hands
        back = self.cards - min(self.mulligan.sizes) if self.mulligan and self._how == "london" else 0
        return hands * comb(len(self.groups) + back - 1, back)  # ways to put cards back

    def chances(self) -> Chances:
        """Exact chance of each result."""
        chances = Counter[int]()  # of results of hands that are kept
        left = Fraction(1)  # chance that the next hand is drawn
        for size, drawn, last in self._stages():
            kept, again = Counter[int](), 0
            for hand, ways in _hands(self.groups, drawn):
                if not last and self._is_replaced(hand, drawn - size):
                    again += ways
                elif self._how == "others":
                    self._redraw(hand, ways, kept)
                else:
                    kept[self._result(hand, drawn - size)] += ways
            total = comb(self.size, drawn)
            for result, ways in kept.items():
                chances[result] += left * ways / total  # type: ignore[assignment] # a Fraction
            left *= Fraction(again, total)
        return {result: chance / self.chance_kept for result, chance in sorted(chances.items()) if chance}

    @cached_property
    def chance_kept(self) -> Fraction:
        """Chance that a hand ends mulligans "until" something is drawn; else 1."""
        if self._how != "until":
            return Fraction(1)
        kept = sum(ways for hand, ways in _hands(self.groups, self.cards) if not self._is_replaced(hand, 0))
        return Fraction(kept, comb(self.size, self.cards))

    def _stages(self) -> Iterator[tuple[int, int, bool]]:
        """Of each hand: cards that remain, cards that are drawn, and whether it is kept in any case."""
        sizes = self.mulligan.sizes if self.mulligan else ()
        yield self.cards, self.cards, self._how in ("", "others")
        for place, size in enumerate(sizes, 1):
            yield size, self.cards if self._how == "london" else size, place == len(sizes)

    def _is_replaced(self, hand: Hand, back: int) -> bool:
        """Whether a hand is replaced. back: cards of it that are put back."""
        assert self.mulligan is not None
        if self.mulligan.when is None:
            return not self._result(hand, back)
        return self.mulligan.when.of(self._held(hand)) != (self._how == "until")

    def _result(self, hand: Hand, back: int) -> int:
        """The result of a hand of which cards are put back, those that help most."""
        if isinstance(self.asked, Kind):
            return self._held(hand)[self.asked.index]
        return int(any(self.asked.of(self._held(one)) for one in _without(hand, back)))

    def _held(self, hand: Hand) -> Held:
        return tuple(sum(hand[group] for group in groups) for groups in self.within)

    @cached_property
    def _asked_groups(self) -> set[int]:
        """Groups of the kinds that are asked about."""
        kinds = self.asked.kinds if isinstance(self.asked, Condition) else (self.asked,)
        return {group for kind in kinds for group in self.within[kind.index]}

    def _redraw(self, hand: Hand, ways: int, kept: Counter[int]) -> None:
        """Add the results of a hand whose other cards are replaced."""
        stay = [number if group in self._asked_groups else 0 for group, number in enumerate(hand)]
        left = tuple(number - held for number, held in zip(self.groups, hand, strict=True))
        missing = sum(hand) - sum(stay)
        total = comb(sum(left), missing)
        for new, times in _hands(left, missing):
            kept[self._result(tuple(map(sum, zip(stay, new, strict=True))), 0)] += Fraction(ways * times, total)  # type: ignore[assignment]

    def simulate(self, n: int, seed: int) -> dict[float, int]:
        """Draw n hands, with those that replace them, and count the results."""
        rng = np.random.Generator(np.random.Philox(seed))
        results = np.zeros(n, np.int64)
        waiting = np.arange(n)  # numbers of the hands that are drawn next
        stages = [*self._stages()]
        while stages and waiting.size:
            size, drawn, last = stages[0] if self._how == "until" else stages.pop(0)
            hands = rng.multivariate_hypergeometric(self.groups, drawn, waiting.size, method="marginals")
            if self._how == "others":
                hands = self._redrawn(rng, hands)
            different, which = np.unique(hands, axis=0, return_inverse=True)
            rows, which = [tuple(map(int, hand)) for hand in different], which.reshape(-1)
            again = np.array([not last and self._is_replaced(hand, drawn - size) for hand in rows])[which]
            results[waiting[~again]] = np.array([self._result(hand, drawn - size) for hand in rows])[which][~again]
            waiting = waiting[again]
        return {int(value): int(number) for value, number in zip(*np.unique(results, return_counts=True), strict=True)}

    def _redrawn(self, rng: np.random.Generator, hands: NDArray[np.int64]) -> NDArray[np.int64]:
        """Hands whose cards that are not asked about were replaced, card by card."""
        asked = np.isin(np.arange(len(self.groups)), [*self._asked_groups])
        left = np.array(self.groups) - hands
        new = np.where(asked, hands, 0)
        missing = hands.sum(1) - new.sum(1)
        for drawn in range(int(missing.max(initial=0))):
            rows = np.flatnonzero(missing > drawn)
            ends = left[rows].cumsum(1)
            group = (rng.integers(0, ends[:, -1])[:, None] >= ends).sum(1)
            new[rows, group] += 1
            left[rows, group] -= 1
        return new


def _hands(groups: tuple[int, ...], size: int) -> Iterator[tuple[Hand, int]]:
    """Every hand of a size, with the number of ways to draw it."""
    for hand in _parts(groups, size):
        yield hand, prod(map(comb, groups, hand))


def _parts(groups: tuple[int, ...], size: int) -> Iterator[Hand]:
    """Every number of cards of each group that make a size together."""
    if len(groups) == 1:
        if size <= groups[0]:
            yield (size,)
        return
    for number in range(min(size, groups[0]) + 1):
        for others in _parts(groups[1:], size - number):
            yield (number, *others)


def _without(hand: Hand, back: int) -> Iterator[Hand]:
    """Every hand that remains after some cards are put back."""
    for put in _parts(hand, back):
        yield tuple(held - gone for held, gone in zip(hand, put, strict=True))
