"""Health, poison, paralysis and death of a player (ROGUE-08, 22, 51, 52, 61)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.codes import Effect
from sim.games.cardrogue.holding import max_health
from sim.games.cardrogue.state import NOBODY, Death


@kernel
def heal(state: Record, cards: Record, seat: int, amount: int) -> None:
    """ROGUE-08. Healing never lifts health above the maximum and does nothing there."""
    most = max_health(state, cards, seat)
    if state["health"][seat] < most:
        state["health"][seat] = min(most, state["health"][seat] + amount)


@kernel
def hurt(state: Record, seat: int, amount: int, cause: int) -> None:
    """ROGUE-08. A player loses health; at 0 it dies. cause: see `Death`."""
    if amount <= 0 or not is_alive(state, seat):
        return
    state["health"][seat] -= amount
    state["damage_taken"][seat] += amount
    if state["health"][seat] <= 0:
        fall(state, seat, cause)


@kernel
def fall(state: Record, seat: int, cause: int) -> None:
    """ROGUE-61. Note a death; what follows is decided before anything else goes on."""
    state["fallen"] = seat
    state["deaths"][seat, cause] += 1
    if state["first_death"][seat] == 0:
        state["first_death"][seat] = state["round"]
        state["first_cause"][seat] = cause


@kernel
def is_alive(state: Record, seat: int) -> bool:
    """Whether a player is in the game and not dying at this moment."""
    return state["out"][seat] == 0 and state["fallen"] != seat


@kernel
def afflict(state: Record, seat: int, effect: int, turns: int) -> None:
    """ROGUE-51, 52. Poison or paralyse a player, the larger counter stays; paralysis cuts its own turn short."""
    if effect == Effect.POISON:
        state["poison"][seat] = max(state["poison"][seat], turns)
    elif effect == Effect.PARALYZE:
        state["skip"][seat] = max(state["skip"][seat], turns)
        if seat == state["active"]:
            state["cut"] = 1


@kernel
def suffer_poison(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-22. Poison at the start of a turn, or what the antidote makes of it."""
    if state["poison"][seat] == 0:
        return
    state["poison"][seat] -= 1
    if state["antidote"][seat] > 0:
        heal(state, cards, seat, np.int64(state["antidote"][seat]))
    else:
        hurt(state, seat, 1, Death.POISON)
    if state["poison"][seat] == 0:
        state["antidote"][seat] = 0


@kernel
def something_happened(state: Record) -> None:
    """ROGUE-30, 114. Flip, combat turn, pick-up, purchase, points: no mere walk, and this round is not idle."""
    state["only_walked"] = 0
    state["lively"] = 1


@kernel
def no_mere_walk(state: Record) -> None:
    """ROGUE-30. This turn is no mere walk; a round of such things is idle all the same (ROGUE-114)."""
    state["only_walked"] = 0


@kernel
def interrupted(state: Record) -> bool:
    """ROGUE-32. Whether death or a cut keeps the rest of the turn from happening."""
    return state["fallen"] != NOBODY or state["cut"] == 1
