"""How a game speaks: what the module `describe` of each game offers to replays, reports and scenario files."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.jit import Record


class Words(Protocol):
    """How a game speaks, in all its states. For people seats count from 1; `position` and `place`, as all data, from 0."""

    def line_up(self, cards: CardSet, entrants: list[int]) -> list[str]:
        """Name of each seat's entrant."""

    def action(self, state: Record, cards: CardSet, action: int) -> str:
        """Return one decision in words, unique among the decisions open in `state`; scenario files use the same words."""

    def events(self, before: np.void, after: np.void, cards: CardSet) -> list[str]:
        """Tell what happened between two states: dice, pushes, falls, the turn's end."""

    def position(self, state: Record, cards: CardSet) -> dict[str, Any]:
        """Return the position by readable names, as scenario files write it."""

    def place(self, position: dict[str, Any], cards: CardSet, state: Record) -> None:
        """Write a position by readable names into `state`, which is zeroed. Raises ValueError naming the field."""

    def picture(self, state: Record, cards: CardSet) -> str:
        """Draw the position as text."""


@runtime_checkable
class DrawWords(Protocol):
    """What `words` offers besides where scenario files may script draws: the game's kernels ask `scripted_draw` first."""

    def draw(self, words: str, cards: CardSet) -> int:
        """Return what a drawn card (tile, token) is to `scripted_draw`, 0..DRAW_MAX. Raises ValueError saying what is right."""
