"""Light: made by concentrations, spent on costs (RUNE-40, 52)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.state import NOBODY, SLOTS


@kernel
def ready_light(state: Record, seat: int) -> np.int64:
    """RUNE-50. Light that a player can pay: the pool and the ready exposed concentrations."""
    total = np.int64(state["light"][seat])
    for slot in range(SLOTS):
        total += is_ready(state, seat, slot)
    return total


@kernel
def is_ready(state: Record, seat: int, slot: int) -> bool:
    """Whether a concentration can make light."""
    return (
        state["conc"][seat, slot] != NOBODY
        and state["thing"][seat, slot] == NOBODY
        and state["conc_used"][seat, slot] == 0
    )


@kernel
def make_light(state: Record, seat: int, slot: int) -> None:
    """RUNE-40. A ready concentration is used: one light."""
    state["conc_used"][seat, slot] = 1
    state["light"][seat] += 1
    state["light_made"][seat] += 1


@kernel
def make_first_light(state: Record, seat: int) -> None:
    """RUNE-40. The lowest-numbered ready concentration makes light, if there is one."""
    for slot in range(SLOTS):
        if is_ready(state, seat, slot):
            make_light(state, seat, slot)
            return


@kernel
def pay_light(state: Record, seat: int, cost: int, cover: int) -> None:
    """RUNE-52. Pay from the pool, then with the concentration to be covered if it is ready, then the lowest-numbered ready ones.

    cover: its slot, NOBODY. The light is there, see `ready_light`.
    """
    if state["light"][seat] < cost and cover != NOBODY and is_ready(state, seat, cover):
        make_light(state, seat, cover)
    slot = 0
    while state["light"][seat] < cost and slot < SLOTS:
        if is_ready(state, seat, slot):
            make_light(state, seat, slot)
        slot += 1
    state["light"][seat] -= cost
