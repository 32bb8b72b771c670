"""The work stack: what is going on, the top frame first; and the end of a game (register section 4)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.record import LIST_MAX, NO_ROW
from sim.games.runeslingers.state import NOBODY, SEATS, STACK
from sim.games.runeslingers.terms import Cause, Phase


@kernel
def push(state: Record, frame: int, by: int) -> np.int64:
    """Lay a fresh frame on the stack, controlled by a seat; what lies below pauses. Returns its number."""
    at = np.int64(state["depth"])
    if at == STACK:
        state["overflow"] = 1
        finish(state, NOBODY, Cause.NOT_DECIDED)
        return at - 1
    state["depth"] = at + 1
    state["frame"][at] = frame
    state["step"][at] = 0
    state["by"][at] = by
    state["side"][at] = by
    state["place"][at] = NOBODY
    state["card"][at] = NOBODY
    state["inst"][at] = NOBODY
    state["row"][at] = NO_ROW
    state["at"][at] = 0
    state["left"][at] = 0
    state["kind"][at] = 0
    state["answered"][at] = 0
    state["target"][at] = NOBODY
    state["types_n"][at] = 0
    state["aims_n"][at] = 0
    return at


@kernel
def top_of(state: Record) -> np.int64:
    """Number of the top frame; there is one."""
    return np.int64(state["depth"]) - 1


@kernel
def pop(state: Record) -> None:
    """Take the top frame off."""
    state["depth"] -= 1


@kernel
def hand_on(state: Record, lower: int, upper: int) -> None:
    """Give a frame what another one knows: its source, and the types announced."""
    state["place"][upper] = state["place"][lower]
    state["side"][upper] = state["side"][lower]
    state["place_seq"][upper] = state["place_seq"][lower]
    state["card"][upper] = state["card"][lower]
    state["types_n"][upper] = state["types_n"][lower]
    for i in range(LIST_MAX):
        state["types"][upper, i] = state["types"][lower, i]


@kernel
def ask(state: Record, phase: int, seat: int) -> None:
    """Ask a seat for a decision; its options are listed when all has come to rest."""
    if state["phase"] != Phase.OVER:
        state["phase"] = phase
        state["seat"] = seat
        state["options_n"] = 0


@kernel
def finish(state: Record, winner: int, cause: int) -> None:
    """RUNE-20. The encounter ends this instant; nothing pending resolves."""
    if state["phase"] != Phase.OVER:
        state["phase"] = Phase.OVER
        state["winner"] = winner
        state["cause"] = cause


@kernel
def lose_game(state: Record, seat: int, cause: int) -> None:
    """RUNE-25, 26. A player loses the encounter."""
    finish(state, SEATS - 1 - seat, cause)
