"""Descriptions of Coin duel in words."""

from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from tests.every_game.coin_duel.state import DECK, SEATS, Action

_ACTIONS = {Action.FOLD: "fold", Action.HOLD: "hold", Action.RAISE: "raise"}


def line_up(cards: CardSet, entrants: list[int]) -> list[str]:
    """Name of each seat's fighter."""
    return [cards.names[entrant] for entrant in entrants]


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One decision in words."""
    return _ACTIONS[Action(action)]


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """What happened between two states."""
    lines = []
    for seat in range(int(before["seats"])):
        name = _name(cards, before, seat)
        if after["turn"] > before["turn"] and after["rolled"][seat]:
            lines.append(f"{name} rolls {after['rolled'][seat]}")
        if after["coins"][seat] != before["coins"][seat]:
            lines.append(f"{name} has {after['coins'][seat]} coins")
    return lines


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """The position as a dict of readable names."""
    seats = int(state["seats"])
    return {
        "fighters": [cards.ids[state["fighter"][seat]] for seat in range(seats)],
        "coins": state["coins"][:seats].tolist(),
        "hands": state["deck"][:seats].tolist(),
        "folded": [seat for seat in range(seats) if state["folded"][seat]],
        "first": int(state["first"]),
        "decided": int(state["decided"]),
        "stake": int(state["stake"]),
        "turn": int(state["turn"]),
        "over": bool(state["over"]),
    }


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position given by readable names into a zeroed state. Raises ValueError naming the field."""
    unknown = set(position) - set(_KNOWN)
    if unknown:
        raise ValueError(f"{min(unknown)} is not known; known are {', '.join(_KNOWN)}")
    fighters, hands = position.get("fighters"), position.get("hands")
    if not isinstance(fighters, list) or not 2 <= len(fighters) <= SEATS or not set(fighters) <= set(cards.ids):
        raise ValueError(f"fighters={fighters!r} must be 2 or 3 of {', '.join(cards.ids)}")
    if not isinstance(hands, list) or len(set(hands)) != len(fighters) or not set(hands) <= set(range(1, DECK + 1)):
        raise ValueError(f"hands={hands!r} must be a different card 1..{DECK} for each fighter")
    seats = len(fighters)
    state["seats"], state["goal"] = seats, cards.record["goal"][0]
    state["fighter"][:seats] = [cards.ids.index(fighter) for fighter in fighters]
    state["deck"][:] = hands + [card for card in range(1, DECK + 1) if card not in hands]
    state["folded"][position.get("folded", [])] = 1
    state["coins"][:seats] = position.get("coins", [0] * seats)
    state["stake"] = position.get("stake", 1)
    for field in ("first", "decided", "turn", "over"):
        state[field] = position.get(field, 0)


_KNOWN = ("fighters", "coins", "hands", "folded", "first", "decided", "stake", "turn", "over")


def picture(state: np.void, cards: CardSet) -> str:
    """The position as text."""
    lines = [f"round {state['turn'] + 1}, stake {state['stake']}"]
    for seat in range(int(state["seats"])):
        gone = " (folded)" if state["folded"][seat] else ""
        lines.append(f"  {_name(cards, state, seat)}: {state['coins'][seat]} coins, card {state['deck'][seat]}{gone}")
    return "\n".join(lines)


def _name(cards: CardSet, state: np.void, seat: int) -> str:
    return f"seat {seat + 1} {cards.names[state['fighter'][seat]]}"
