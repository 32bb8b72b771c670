"""Texts of a game: the interface of each game's module `describe` for replays, reports and scenario files."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.jit import Record


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


@runtime_checkable
class DrawWords(Protocol):
    """Additional method of `words` if scenario files can script draws. The game's kernels then call `scripted_draw` first."""

    def draw(self, words: str, cards: CardSet) -> int:
        """Return the number of a card (tile, token) for `scripted_draw`, 0..DRAW_MAX. Raises ValueError with the valid words."""
