"""Descriptions of Lone climb in words."""

from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import Table, did_you_mean, plain
from sim.engine.cards import CardSet
from tests.every_game.lone_climb.cards import stone_ids, stone_names
from tests.every_game.lone_climb.state import HEAP_MAX, SEATS, Action, End


def line_up(cards: CardSet, entrants: list[int]) -> list[str]:
    """Name of each seat's climber."""
    return [cards.names[entrant] for entrant in entrants]


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One decision in words."""
    if action >= Action.PICK:
        return f"pick {cards.names[action - Action.PICK]}"
    return "climb" if action == Action.CLIMB else "camp"


def draw(words: str, cards: CardSet) -> int:
    """The number of a kind of stones, by id or name."""
    ids = stone_ids(cards)
    if plain(words) not in ids:
        raise ValueError(f"is no stone; {did_you_mean(words, list(ids))}")
    return ids.index(plain(words))


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """What happened between two states."""
    lines = []
    for seat in range(int(before["seats"])):
        for kind, stone in enumerate(stone_names(cards)):
            if after["taken"][seat, kind] > before["taken"][seat, kind]:
                lines.append(f"seat {seat + 1} meets {stone} and is at {after['height'][seat]}")
    return [*lines, "night falls"] if after["end"] == End.NIGHT else lines


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """The position as a dict of readable names."""
    seats, ids = int(state["seats"]), stone_ids(cards)
    return {
        "climbers": ["" if climber == 0 else cards.ids[climber - 1] for climber in state["climber"][:seats].tolist()],
        **{field: state[field][:seats].tolist() for field in ("height", "camp", "ropes")},
        "heap": [ids[kind] for kind in state["heap"][: state["stones"]].tolist()],
        "used": int(state["used"]),
        "turn": int(state["turn"]),
        "end": End(state["end"]).name.lower(),
    }


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position given by readable names into a zeroed state. Raises ValueError naming the field."""
    table, ids = Table(position), stone_ids(cards)
    climbers = table.items("climbers", SEATS)
    if not climbers or not set(climbers) <= {"", *cards.ids}:
        raise ValueError(f"climbers = {climbers!r}: must be 1 or 2 of {', '.join(cards.ids)}, or empty before the pick")
    seats = len(climbers)
    state["seats"], state["summit"], state["night"] = seats, cards.record["summit"][0], cards.record["night"][0]
    for seat, climber in enumerate(climbers):
        state["climber"][seat] = 0 if climber == "" else cards.ids.index(climber) + 1
        state["ropes"][seat] = 0 if climber == "" else cards.record["ropes"][0, cards.ids.index(climber)]
    for field in ("height", "camp", "ropes"):
        state[field][:seats] = table.items(field, SEATS) or state[field][:seats]
    full_heap = [stone for stone, copies in zip(ids, cards.record["copies"][0], strict=False) for _ in range(copies)]
    heap = table.items("heap", HEAP_MAX) or full_heap
    state["stones"] = len(heap)
    state["heap"][: len(heap)] = [draw(stone, cards) for stone in heap]
    state["used"] = table.whole("used", 0, len(heap), 0)
    state["turn"] = table.whole("turn", 0, 1000, 0)
    state["end"] = End[table.one_of("end", [end.name.lower() for end in End], "no").upper()]
    table.close()


def picture(state: np.void, cards: CardSet) -> str:
    """The position as text."""
    lines = [f"turn {state['turn'] + 1}"]
    for seat, climber in enumerate(state["climber"][: state["seats"]].tolist()):
        name = cards.names[climber - 1] if climber else "nobody yet"
        lines.append(f"  seat {seat + 1} {name}: at {state['height'][seat]}, camp {state['camp'][seat]}")
    return "\n".join(lines)
