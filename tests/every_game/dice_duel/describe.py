"""Descriptions of Dice duel in words."""

from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from tests.every_game.dice_duel.state import SEATS

_NUMBERS = ("health", "hits")  # of each seat
_COUNTS = ("striker", "turn")


def line_up(cards: CardSet, entrants: list[int]) -> list[str]:
    """Name of each seat's fighter."""
    return [cards.names[entrant] for entrant in entrants]


def action(state: np.void, cards: CardSet, action: int) -> str:
    """The only decision in words."""
    return "strike"


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """What happened between two states."""
    if before["striker"] == after["striker"]:
        return []
    seat = int(before["striker"])
    hits, loss = after["hits"] - before["hits"], before["health"] - after["health"]
    name, other = (cards.names[before["fighter"][index]] for index in (seat, 1 - seat))
    return [f"{name} hits with {hits[seat]} dice; {other} loses {loss[1 - seat]} and has {after['health'][1 - seat]}"]


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """The position as a dict of readable names."""
    return {
        "fighters": [cards.ids[fighter] for fighter in state["fighter"]],
        **{field: state[field].tolist() for field in _NUMBERS},
        **{field: int(state[field]) for field in _COUNTS},
    }


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position given by readable names into a zeroed state. Raises ValueError naming the field."""
    fighters = position.get("fighters")
    if not isinstance(fighters, list) or len(fighters) != SEATS or not set(fighters) <= set(cards.ids):
        raise ValueError(f"fighters={fighters!r} must be {SEATS} of {', '.join(cards.ids)}")
    state["fighter"] = [cards.ids.index(fighter) for fighter in fighters]
    for field in (*_NUMBERS, *_COUNTS):
        state[field] = position.get(field, 0)


def picture(state: np.void, cards: CardSet) -> str:
    """The position as text."""
    seats = zip(state["fighter"], state["health"], strict=True)
    lines = [f"  {cards.names[fighter]}: {health} health" for fighter, health in seats]
    return "\n".join([f"round {state['turn'] + 1}", *lines])
