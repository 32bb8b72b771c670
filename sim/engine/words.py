"""Texts of a game: the interface of each game's module `describe` for replays, reports and scenario files."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Protocol, runtime_checkable

import numpy as np

from sim.engine.cardfiles.paths import did_you_mean, plain
from sim.engine.cards import CardSet
from sim.engine.facts import Fact
from sim.engine.jit import Record
from sim.engine.positions import Document
from sim.engine.story import Part, Rise, Value, check_parts, events

WIDTH = 100  # columns of pictures


class Words(Protocol):
    """A game's states in words. Texts number seats from 1; `position` and `place`, like all data, from 0."""

    def line_up(self, cards: CardSet, entrants: list[int]) -> list[str]:
        """Return the name of each seat's entrant."""

    def action(self, state: Record, cards: CardSet, action: int) -> str:
        """Return an action in words, unique among the legal actions in `state`; scenario files use the same words."""

    def events(self, before: np.void, after: np.void, cards: CardSet) -> list[str]:
        """Describe what happened between two states: dice, pushes, falls, the end of the turn."""

    def position(self, state: Record, cards: CardSet) -> dict[str, Any]:
        """Return the position with readable names, in the format of scenario files."""

    def place(self, position: dict[str, Any], cards: CardSet, state: Record) -> None:
        """Write a position with readable names into the zeroed `state`. Raises ValueError naming the field."""

    def picture(self, state: Record, cards: CardSet) -> str:
        """Return a text drawing of the position."""


def line_up(cards: CardSet, entrants: list[int]) -> list[str]:
    """Return the name of each seat's entrant: `line_up` of games in which cards name the entrants."""
    return [cards.names[entrant] for entrant in entrants]


def some(count: int, what: str) -> str:
    """Return a number and a noun, in the plural if needed: `1 card`, `2 cards`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def joined(words: Sequence[str]) -> str:
    """Return words as an enumeration: `a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part) if words else ""


def counted(words: Iterable[str]) -> list[str]:
    """Return each distinct word with its count: `Frozen`, `2x Poisoned`."""
    return [word if count == 1 else f"{count}x {word}" for word, count in Counter(words).items()]


@runtime_checkable
class DrawWords(Protocol):
    """Additional method of `words` if scenario files can script draws. The game's kernels then call `scripted_draw` first."""

    def draw(self, words: str, cards: CardSet) -> int:
        """Return the number of a card (tile, token) for `scripted_draw`, 0..DRAW_MAX. Raises ValueError with the valid words."""


@dataclass(frozen=True)
class PlainWords:
    """Words of a game by what it declares: its position and facts, the names of its actions, and the parts of its story.

    actions: an enum, or a function as `Words.action` where actions have numbers, such as "pick Ann".
    story: what is reported of a decision, one part or several; by default the counts among the facts that changed, such as
    `seat 1: coins +2`.
    """

    POSITION: Document
    facts: tuple[Fact, ...]
    actions: type[IntEnum] | Callable[[Record, CardSet, int], str]
    story: Part | tuple[Part, ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the story."""
        if callable(self.story):
            return (self.story,)
        return self.story or tuple(map(_part_of, filter(_is_counted, self.facts)))

    def check(self, state: np.dtype[Any]) -> None:
        """Raise ValueError for a declared part of the story that STATE does not have."""
        check_parts(self.parts if self.story else (), state)

    def line_up(self, cards: CardSet, entrants: list[int]) -> list[str]:
        """Return the name of each seat's entrant."""
        return line_up(cards, entrants)

    def action(self, state: Record, cards: CardSet, action: int) -> str:
        """Return the name of an action."""
        if isinstance(self.actions, type):
            return str(self.actions(action).name).lower().replace("_", " ")
        return self.actions(state, cards, action)

    def events(self, before: np.void, after: np.void, cards: CardSet) -> list[str]:
        """Return what happened between two states, by the declared parts."""
        return events(before, after, cards, self.parts)

    def position(self, state: Record, cards: CardSet) -> dict[str, Any]:
        """Return the position as a document."""
        return self.POSITION.read(state, cards)

    def place(self, position: dict[str, Any], cards: CardSet, state: Record) -> None:
        """Write a position. Raises ValueError naming the field."""
        self.POSITION.write(position, cards, state)

    def picture(self, state: Record, cards: CardSet) -> str:
        """Return the position, one line for each key."""
        return "\n".join(f"{key}: {value}" for key, value in self.position(state, cards).items())


def _is_counted(fact: Fact) -> bool:
    """Whether STATE counts a fact for each seat."""
    return fact.per == "seat" and fact.kind == "count" and not fact.derived


def _part_of(fact: Fact) -> Part:
    """Part of a story for a count of each seat; of a count with parts, their sum."""
    word = fact.name.replace("_", " ")
    if fact.source or len(fact.held or fact.shape) > 1:
        return Rise(fact.field, word)
    return Value(fact.field, word, changes="{word} {by}")


def names_of(
    entries: Iterable[Mapping[str, Any]], titled: Callable[[str], str], joints: Collection[str], taken: Collection[str] = ()
) -> tuple[str, ...]:
    """Return the display names of the entries of a card file, with the id added where the name alone would be ambiguous.

    titled: makes a name from an id. joints: words that join names in the text of decisions; taken: names of other things.
    """
    named = [(entry.get("name") or titled(entry["id"]), entry["id"]) for entry in entries]
    counts = Counter(plain(name) for name, _ in named)

    def is_clear(word: str) -> bool:
        return counts[word] == 1 and word not in ("", *taken) and not {*"(),"} & {*word} and not {*joints} & {*word.split()}

    return tuple(name if is_clear(plain(name)) else f"{name} ({id_})" for name, id_ in named)


def card_drawn(words: str, cards: Mapping[int, Iterable[str]], others: Mapping[str, int] | None = None) -> int:
    """Return the number of what a scripted draw names. cards: number -> its names; others: word -> number.

    Raises ValueError with the nearest valid word.
    """
    known = {plain(word): number for word, number in (others or {}).items()}
    for number, names in cards.items():
        known |= {plain(name): number for name in names}
    if plain(words) not in known:
        raise ValueError(f"is no card; {did_you_mean(plain(words), list(known))}")
    return known[plain(words)]


def packed(head: str, parts: Iterable[str], space: str = "   ") -> list[str]:
    """Return lines of at most WIDTH characters with space between the parts; further lines begin below the first part."""
    lines, indent = [head], " " * len(head)
    for part in parts:
        for piece in textwrap.wrap(part, WIDTH - len(head) - len(space)):
            apart = space if lines[-1].strip() or head else ""
            if len(lines[-1]) + len(apart) + len(piece) > WIDTH:
                lines.append(indent)
            lines[-1] += apart + piece
    return lines


def boxed(title: str, lines: Iterable[str], frame: str, width: int) -> list[str]:
    """Return a box of `width` characters a line. frame: its corners, edges and sides, such as `┌─┐│└─┘`."""
    top = f"{frame[0]}{frame[1]} {title} "
    inside = [f"{frame[3]} {line:<{width - 4}} {frame[3]}" for line in lines]
    return [top + frame[1] * (width - 1 - len(top)) + frame[2], *inside, frame[4] + frame[5] * (width - 2) + frame[6]]
