"""Health and power: how they are lost and regained (RUNE-20 to 23, 85, 88)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.record import Stat
from sim.games.runeslingers.stack import lose_game, pop, push, top_of
from sim.games.runeslingers.state import POWERS
from sim.games.runeslingers.terms import Frame, Lost
from sim.games.runeslingers.triggers import await_downed


@kernel
def lose_power(state: Record, seat: int, lost: int) -> bool:
    """RUNE-20. A power less, a determination more; without power the encounter is lost. lost: Lost. Returns whether it is."""
    state["power"][seat] -= 1
    state["determination"][seat] += 1
    state["powers_lost"][seat, lost] += 1
    for k in range(POWERS):
        if state["lost_turn"][seat, k] == 0:
            state["lost_turn"][seat, k] = state["turn"] + 1
            break
    if state["power"][seat] > 0:
        return False
    lose_game(state, seat, lost)  # causes are numbered as what costs a power
    return True


@kernel
def lose_health(state: Record, seat: int, n: int, carry: bool, kind: int) -> None:
    """RUNE-22, 85, 88. Take health away. carry: what is left after a power goes on; kind: Drain."""
    if n < state["health"][seat]:
        state["health"][seat] -= n
        state["drained"][seat, kind] += n
        return
    at = push(state, Frame.DRAIN, seat)
    state["left"][at] = n
    state["pierce"][at] = carry
    state["kind"][at] = kind


@kernel
def step_drain(state: Record, cards: Record) -> None:
    """RUNE-22. Health down to 0 costs a power and is set to its current maximum; then a rest that carries goes on."""
    top = top_of(state)
    seat, n = np.int64(state["by"][top]), np.int64(state["left"][top])
    taken = min(n, np.int64(state["health"][seat]))
    state["health"][seat] -= taken
    state["drained"][seat, state["kind"][top]] += taken
    if state["health"][seat] > 0:
        pop(state)
        return
    state["left"][top] = n - taken if state["pierce"][top] else 0
    if state["left"][top] == 0:
        pop(state)
    if not lose_power(state, seat, Lost.HEALTH):
        state["health"][seat] = state["stat"][seat, Stat.MAX_HEALTH]
        await_downed(state, cards, seat)


@kernel
def heal(state: Record, seat: int, n: int) -> None:
    """RUNE-23. Gain health, up to the maximum; nothing under no_heal."""
    if state["stat"][seat, Stat.NO_HEAL] == 0:
        state["health"][seat] = min(np.int64(state["health"][seat]) + n, np.int64(state["stat"][seat, Stat.MAX_HEALTH]))
