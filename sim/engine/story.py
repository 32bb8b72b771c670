"""What happened between two states, by the parts of STATE that a game declares.

`events` compares two consecutive states part by part and returns a line for each owner of a change: a seat, a piece, a place.
The decision in words stands above these lines, so they only report what followed from it.

    STORY = (
        Value("pos", owner=piece, words=hex_words, none=NOWHERE, begins="on {now}", changes="from {was} to {now}"),
        Value("marker", "energy"),
        Rise("damage_taken", rises="takes {by} damage"),
        Pile("hand", name=card_words, came="draws {cards}", gone=""),
    )

    Rhino Guy: from (0,-1) to (0,-3); energy 0 -> 2; takes 2 damage
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import did_you_mean
from sim.engine.cards import CardSet

Index = tuple[int, ...]
Item = tuple[str, str]  # the owner, "" for the game, and what is reported of it


@dataclass(frozen=True)
class Change:
    """Two consecutive states of a game. An index with fewer numbers than the field has axes means all of the other axes."""

    before: np.void
    after: np.void
    cards: CardSet

    def was(self, field: str, *index: int) -> int:
        """Return a number before the change."""
        return int(self.before[field][index])

    def now(self, field: str, *index: int) -> int:
        """Return a number after the change."""
        return int(self.after[field][index])

    def gain(self, field: str, *index: int) -> int:
        """Return the increase of a number, or of the sum of several."""
        return int(self.after[field][index].sum(dtype=int)) - int(self.before[field][index].sum(dtype=int))

    def differs(self, field: str, *index: int) -> bool:
        """Return whether a number, or any of several, is another one."""
        return not np.array_equal(self.before[field][index], self.after[field][index])

    def places(self, field: str) -> list[Index]:
        """Return the indexes of all numbers of a field that are other ones."""
        return [tuple(map(int, index)) for index in np.argwhere(self.before[field] != self.after[field])]


Owner = Callable[[Change, Index], str]
Word = str | tuple[str, ...] | Callable[[Change, Index], str]  # a tuple: by the last number of the index
Words = type[IntEnum] | Mapping[str, int] | Callable[[Change, int], str]  # a mapping: numbers by word, as in positions
Part = Callable[[Change], Iterable[Item]]  # a record below, or a function of the game for what no comparison shows


def seat_words(change: Change, index: Index) -> str:  # noqa: ARG001 - an `Owner`
    """Return the seat that the first number of an index is; nothing for a number of the whole game."""
    return f"seat {index[0] + 1}" if index else ""


def number_words(change: Change, value: int) -> str:  # noqa: ARG001 - `Words`
    """Return a number in digits."""
    return str(value)


def events(before: np.void, after: np.void, cards: CardSet, parts: Iterable[Part]) -> list[str]:
    """Return a line for each owner of a change, in the order of the parts; the lines of the game itself have no owner."""
    change = Change(before, after, cards)
    lines: dict[tuple[str, str], list[str]] = {}
    for part in parts:
        for owner, text in part(change):
            line = (owner, "") if owner else ("", text)
            lines.setdefault(line, []).append(text)
    return [f"{owner}: {'; '.join(texts)}" if owner else texts[0] for (owner, _), texts in lines.items()]


@dataclass(frozen=True)
class Value:
    """A number that became another one, such as `health 7 -> 4`; of a number with `words`, such as `from (1,2) to (3,2)`.

    `begins` and `ends` are the texts where the number was, or is now, `none`; an empty text reports nothing. The texts can have
    `{word}`, `{was}`, `{now}`, and `{by}` for the change with its sign.
    same: a field that must be equal before and after at the same place, such as the card of which the number is.
    """

    field: str
    word: Word = ""
    _: KW_ONLY
    owner: Owner = seat_words
    words: Words = number_words
    none: int | None = None
    begins: str | None = None
    changes: str = "{word} {was} -> {now}"
    ends: str | None = None
    same: str = ""

    def __call__(self, change: Change) -> Iterator[Item]:
        """Yield the numbers that changed."""
        for index in change.places(self.field):
            was, now = change.was(self.field, *index), change.now(self.field, *index)
            form = self._form(was, now)
            if form and self._is_same(change, index):
                earlier, later = (_in_words(self.words, change, value) for value in (was, now))
                word = word_of(self, change, index)
                yield self.owner(change, index), form.format(word=word, was=earlier, now=later, by=f"{now - was:+}")

    def _form(self, was: int, now: int) -> str:
        if was == self.none and self.begins is not None:
            return self.begins
        if now == self.none and self.ends is not None:
            return self.ends
        return self.changes

    def _is_same(self, change: Change, index: Index) -> bool:
        if not self.same:
            return True
        return not change.differs(self.same, *index[: change.before[self.same].ndim])


@dataclass(frozen=True)
class Rise:
    """A count that rose, such as `damage taken +3`: what happened, where the numbers that it moved do not show it.

    axes: the first ones, of which each entry is reported; entries of further axes are summed. The text can have `{word}` and
    `{by}`.
    """

    field: str
    word: Word = ""
    _: KW_ONLY
    owner: Owner = seat_words
    axes: int = 1
    rises: str = "{word} +{by}"

    def __call__(self, change: Change) -> Iterator[Item]:
        """Yield the counts that rose."""
        if not change.differs(self.field):
            return
        for index in np.ndindex(change.after[self.field].shape[: self.axes]):
            if (by := change.gain(self.field, *index)) > 0:
                yield self.owner(change, index), self.rises.format(word=word_of(self, change, index), by=by)


@dataclass(frozen=True)
class Pile:
    """Cards that came and went, such as `hand + Insight, 2x Spark`, whatever their order.

    The last axis of the field lists them, up to the field `count` (by default the field's name and `_n`) or without entries
    `none`; tallied: it has the number of each card. An empty text reports nothing. The texts can have `{word}`, `{cards}` and
    `{count}`.
    """

    field: str
    word: Word = ""
    _: KW_ONLY
    name: Words
    owner: Owner = seat_words
    count: str = ""
    none: int = -1
    tallied: bool = False
    came: str = "{word} + {cards}"
    gone: str = "{word} - {cards}"

    def __call__(self, change: Change) -> Iterator[Item]:
        """Yield what came to each list, then what went."""
        for index in np.ndindex(change.after[self.field].shape[:-1]):
            was, now = self._content(change.before, index), self._content(change.after, index)
            for form, cards in ((self.came, now - was), (self.gone, was - now)):
                if form and cards:
                    names = ", ".join(_counted(self.name, change, cards))
                    word = word_of(self, change, index)
                    yield self.owner(change, index), form.format(word=word, cards=names, count=cards.total())

    def _content(self, state: np.void, index: Index) -> Counter[int]:
        numbers = state[self.field][index].tolist()
        if self.tallied:
            return Counter(dict(enumerate(numbers)))
        length = self.count or f"{self.field}_n"
        if length in (state.dtype.names or ()):
            numbers = numbers[: state[length][index]]
        return Counter(number for number in numbers if number != self.none)


def check_parts(parts: Iterable[Part], state: np.dtype[Any]) -> None:
    """Raise ValueError for a part that names a field which STATE does not have, or that is no part."""
    names = [*(state.names or ())]
    for part in parts:
        if not callable(part):
            raise ValueError(f"story: {part!r} must be a part such as Value, Rise or Pile, or a function of a `Change`")
        for field in filter(None, (getattr(part, key, "") for key in ("field", "count", "same"))):
            if field not in names:
                raise ValueError(f"story: {type(part).__name__}: STATE has no field {field!r}; {did_you_mean(field, names)}")


def word_of(part: Value | Rise | Pile, change: Change, index: Index) -> str:
    """Return the word of an entry of a part: by default the name of the field."""
    if callable(part.word):
        return part.word(change, index)
    if isinstance(part.word, tuple):
        return part.word[index[-1]]
    return part.word or part.field.replace("_", " ")


def _in_words(words: Words, change: Change, value: int) -> str:
    if isinstance(words, type):
        return str(words(value).name).lower().replace("_", " ")
    if isinstance(words, Mapping):
        return next((word.replace("_", " ") for word, number in words.items() if number == value), str(value))
    return words(change, value)


def _counted(name: Words, change: Change, cards: Counter[int]) -> list[str]:
    """Names of cards in order of their numbers, with the counts of their names."""
    names: Counter[str] = Counter()
    for card in sorted(cards):
        names[_in_words(name, change, card)] += cards[card]
    return [word if number == 1 else f"{number}x {word}" for word, number in names.items()]
