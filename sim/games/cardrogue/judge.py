"""Judging positions (register section 7), and what a fair re-deal is (section 6)."""

import numpy as np

from sim.engine.dice import NATURE, below
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.decisions import GOLD_CODE, Node
from sim.games.cardrogue.draw import Draw
from sim.games.cardrogue.intent import offer_gain, promise, share_of_health
from sim.games.cardrogue.outlook import cost_of_death, outlook
from sim.games.cardrogue.prospects import prospects
from sim.games.cardrogue.record import CELLS
from sim.games.cardrogue.score import standing_of
from sim.games.cardrogue.state import NOBODY, NOWHERE, Down
from sim.games.cardrogue.worth import code_worth, standing_worth

SCALE = 12.0  # lead at which a position counts as three quarters won
CERTAIN = 0.98
AT_ONCE = 0.1  # a second turn above half health
HALF = 0.5


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimate of a seat's winning chance, 0..1: what it has and can get against the best of the others."""
    if state["node"] == Node.OVER:
        return standing_of(state, seat)
    best = 0.0 if state["seats"] == 1 else -1000.0
    for other in range(np.int64(state["seats"])):
        if other != seat:
            best = max(best, standing_worth(state, cards, other))
    lead = value_of(state, cards, seat) - best
    return 0.5 + 0.5 * CERTAIN * lead / (abs(lead) + SCALE)


@kernel
def value_of(state: Record, cards: Record, seat: int) -> float:
    """What a seat has, what it is about to do, and what it can get where it stands."""
    value, node = standing_worth(state, cards, seat), np.int64(state["node"])
    if state["out"][seat]:
        return value
    if state["fallen"] == seat:
        return value + estate(state, cards, seat)
    if state["cell"][seat] == NOWHERE:
        return value
    fighting = state["combat"][seat] != 0 and not (node == Node.FLEE_STEP and state["active"] == seat)
    if fighting:
        value += outlook(state, cards, seat, np.int64(state["cell"][seat]), np.int64(state["combat"][seat]), True)
    moving = node in (Node.MOVE, Node.SPELL_MOVE, Node.FLEE_STEP, Node.LEAP) and state["asked"] == seat
    value += prospects(state, cards, seat, moving, fighting)
    if state["asked"] == seat and node != Node.TRADE_ANSWER:
        value += promise(state, cards, seat)
    elif node == Node.TRADE_ANSWER:
        value += offer_gain(state, cards, seat)
    if state["second"] and state["active"] == seat:
        value += AT_ONCE if share_of_health(state, cards, seat) > HALF else -AT_ONCE
    return value


@kernel
def estate(state: Record, cards: Record, seat: int) -> float:
    """What the dead still have: the card that they keep."""
    kept = np.int64(state["arg"][0])
    if state["node"] != Node.LEAVE or kept == NOBODY:
        return -cost_of_death(state, cards, seat) if state["node"] == Node.KEEP else 0.0
    if kept >= GOLD_CODE:
        return code_worth(state, cards, seat, GOLD_CODE + cards["denomination"][kept - GOLD_CODE])
    return code_worth(state, cards, seat, kept)


@kernel
def redeal(state: Record, cards: Record, seat: int, rng: Record) -> None:  # noqa: ARG001 - the verb's parameters
    """Register section 6. Shuffle what lies face-down on a fixed layout; all else is drawn when it is turned over."""
    if cards["map_down_cards"] == 0:
        return
    order_down(state)
    left = 0
    for cell in range(CELLS):
        left += state["down"][cell] == Down.MAPPED
    for cell in range(CELLS):
        if state["down"][cell] == Down.MAPPED:
            swap_down(state, cell, below(rng, NATURE, Draw.EXPLORATION, left))
            left -= 1


@kernel
def order_down(state: Record) -> None:
    """Sort what lies face-down by its place on the map: a shuffle then owes nothing to where it truly lies."""
    for cell in range(CELLS):
        if state["down"][cell] == Down.MAPPED:
            lowest = cell
            for other in range(cell + 1, CELLS):
                if state["down"][other] == Down.MAPPED and state["on"][other] < state["on"][lowest]:
                    lowest = other
            exchange(state, cell, lowest)


@kernel
def swap_down(state: Record, cell: int, further: int) -> None:
    """Exchange what lies face-down on a cell with the `further`-th such cell from there on."""
    for other in range(cell, CELLS):
        if state["down"][other] == Down.MAPPED:
            if further == 0:
                exchange(state, cell, other)
                return
            further -= 1


@kernel
def exchange(state: Record, cell: int, other: int) -> None:
    """Exchange what lies on two cells."""
    held = np.int64(state["on"][cell])
    state["on"][cell] = state["on"][other]
    state["on"][other] = held
