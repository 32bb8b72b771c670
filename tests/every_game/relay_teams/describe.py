"""Descriptions of Relay teams in words."""

from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from tests.every_game.relay_teams.state import SEATS, SIZE


def line_up(cards: CardSet, entrants: list[int]) -> list[str]:
    """Name of each seat's team."""
    return [cards.names[entrant] for entrant in entrants]


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One decision in words."""
    return f"pick {_runner(cards, action + 1)}" if state["picks"] else "run"


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """What happened between two states."""
    if after["turn"] == before["turn"]:
        return []
    steps = after["steps"] - before["steps"]
    seat, member = (int(place) for place in np.unravel_index(np.argmax(steps), steps.shape))
    return [f"{_runner(cards, int(after['runner'][seat, member]))} runs {steps[seat, member]} steps"]


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """The position as a dict of readable names."""
    seats = int(state["seats"])
    return {
        "runners": [[_id(cards, runner) for runner in team] for team in state["runner"][:seats].tolist()],
        "way": state["way"][:seats].tolist(),
        "steps": state["steps"][:seats].tolist(),
        **{field: int(state[field]) for field in ("picks", "first", "turn")},
    }


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position given by readable names into a zeroed state. Raises ValueError naming the field."""
    ids = ["", *(runner["id"] for runner in cards.document["runner"])]
    teams = position.get("runners", [])
    fits = 2 <= len(teams) <= SEATS and all(len(team) == SIZE and set(team) <= set(ids) for team in teams)
    if not fits:
        raise ValueError(f"runners = {teams!r}: must be 2 or 3 teams of 2 out of {', '.join(ids[1:])}")
    seats = len(teams)
    state["seats"], state["runners"] = seats, len(ids) - 1
    state["runner"][:seats] = [[ids.index(runner) for runner in team] for team in teams]
    for field in ("way", "steps"):
        state[field][:seats] = position.get(field, 0)
    for field in ("picks", "first", "turn"):
        state[field] = position.get(field, 0)


def picture(state: np.void, cards: CardSet) -> str:
    """The position as text."""
    teams = zip(state["runner"].tolist(), state["way"].tolist(), strict=True)
    lines = [f"  {' + '.join(_runner(cards, runner) for runner in team)}: {way} steps" for team, way in teams]
    return "\n".join([f"run {state['turn'] + 1}", *lines[: state["seats"]]])


def _id(cards: CardSet, runner: int) -> str:
    return cards.document["runner"][runner - 1]["id"] if runner else ""


def _runner(cards: CardSet, runner: int) -> str:
    return cards.document["runner"][runner - 1]["name"] if runner else "nobody yet"
