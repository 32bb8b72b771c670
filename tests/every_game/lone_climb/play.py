"""Rules of Lone climb: deal, pick, climb or camp."""

import numpy as np

from sim.engine.dice import NATURE, NOT_SCRIPTED, refuse_draw, scripted_draw, shuffle
from sim.engine.jit import Record, kernel
from tests.every_game.lone_climb.state import SEATS, Action, Draw, End


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """Shuffle the heap of stones; no seat has picked its climber yet."""
    state["seats"] = len(lineup)
    state["summit"] = cards["summit"]
    state["night"] = cards["night"]
    for kind in range(cards["kinds"]):
        for _ in range(cards["copies"][kind]):
            state["heap"][state["stones"]] = kind
            state["stones"] += 1
    shuffle_heap(state, rng)


@kernel
def shuffle_heap(state: Record, rng: Record) -> None:
    """Put all stones back on the heap, in a new order."""
    state["used"] = 0
    shuffle(rng, NATURE, Draw.HEAP, state["heap"][: state["stones"]], state["keys"])


@kernel
def current_player(state: Record) -> int:
    """First every seat picks, then the seats climb in turn."""
    for seat in range(state["seats"]):
        if state["climber"][seat] == 0:
            return seat
    return state["turn"] % state["seats"]


@kernel
def is_over(state: Record) -> bool:
    """Whether a climber is up or out, or night has fallen."""
    return state["end"] != End.NO


@kernel
def is_truncated(state: Record) -> bool:
    """Whether night has fallen."""
    return state["end"] == End.NIGHT


@kernel
def entrant_of(state: Record, seat: int, planned: int) -> int:
    """The climber that the seat picked."""
    return state["climber"][seat] - 1 if state["climber"][seat] > 0 else planned


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Climb or camp; before that, pick one of the climbers that are left."""
    if state["climber"][current_player(state)] > 0:
        out[0] = Action.CLIMB
        out[1] = Action.CAMP
        return 2
    count = 0
    for climber in range(cards["climbers"]):
        if not is_picked(state, climber):
            out[count] = Action.PICK + climber
            count += 1
    return count


@kernel
def is_picked(state: Record, climber: int) -> bool:
    """Whether some seat has this climber."""
    picks = 0
    for seat in range(SEATS):
        picks += state["climber"][seat] == climber + 1
    return picks > 0


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Carry out a decision; a pick takes no turn."""
    seat = current_player(state)
    if action >= Action.PICK:
        state["climber"][seat] = action - Action.PICK + 1
        state["ropes"][seat] = cards["ropes"][action - Action.PICK]
        return
    if action == Action.CLIMB:
        climb(state, cards, seat, turn_over(state, rng))
    else:
        state["camp"][seat] = state["height"][seat]
        state["camps"][seat] += 1
    state["turn"] += 1
    if state["end"] == End.NO and state["turn"] >= state["night"] * state["seats"]:
        state["end"] = End.NIGHT


@kernel
def turn_over(state: Record, rng: Record) -> int:
    """Kind of the next stone; a scripted one is brought to the top of the heap first."""
    if state["used"] == state["stones"]:
        shuffle_heap(state, rng)
    top = state["used"]
    kind = scripted_draw(rng)
    if kind != NOT_SCRIPTED:
        place = find_stone(state, kind)
        if place == state["stones"]:
            refuse_draw(rng)
        else:
            state["heap"][place] = state["heap"][top]
            state["heap"][top] = kind
    state["used"] += 1
    return state["heap"][top]


@kernel
def find_stone(state: Record, kind: int) -> int:
    """Place in the heap of the next stone of a kind; the number of stones if none is left."""
    for place in range(state["used"], state["stones"]):
        if state["heap"][place] == kind:
            return place
    return state["stones"]


@kernel
def climb(state: Record, cards: Record, seat: int, kind: int) -> None:
    """Apply a stone to a climber."""
    state["taken"][seat, kind] += 1
    if cards["steps"][kind] == 0:
        state["height"][seat] = state["camp"][seat]
        state["ropes"][seat] -= 1
        if state["ropes"][seat] == 0:
            state["end"] = End.FALLEN
        return
    state["height"][seat] += cards["steps"][kind] + cards["nimble"][state["climber"][seat] - 1]
    if state["height"][seat] >= state["summit"]:
        state["end"] = End.SUMMIT
