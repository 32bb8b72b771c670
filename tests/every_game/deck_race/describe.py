"""Descriptions of Deck race in words."""

from typing import Any

import numpy as np

from sim.engine.cards import CardSet

_BY_SEAT = ("points", "size", "library", "level", "worth", "drawn_turn", "played_turn", "drawn", "plays")
_OF_GAME = ("turn", "turns", "first")


def line_up(cards: CardSet, entrants: list[int]) -> list[str]:
    """Name of each seat's deck."""
    return [cards.names[entrant] for entrant in entrants]


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One decision in words."""
    return "draw and play"


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """What happened between two states."""
    if after["turn"] == before["turn"]:
        return []
    return [f"scores {int((after['points'] - before['points']).sum())} points"]


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """The position as a dict of readable names."""
    return {field: state[field].tolist() for field in (*_OF_GAME, *_BY_SEAT)}


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position given by readable names into a zeroed state."""
    for field, value in position.items():
        state[field] = value


def picture(state: np.void, cards: CardSet) -> str:
    """The position as text."""
    return f"turn {state['turn'] + 1}: {' to '.join(map(str, state['points'].tolist()))} points"
