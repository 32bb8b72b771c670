"""What holds from one position of Riftborn Tactics to the next (register section 10, invariants 3, 5, 7)."""

# ruff: noqa: PLR0911 - kernels: early returns

from enum import IntEnum

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.record import Ability
from sim.games.riftborn.rules.placement import power
from sim.games.riftborn.state import ALL, CURVE, DISTINCT, NOBODY, SEATS, STATE, Phase, side_of

COUNTERS = (  # facts that only grow; one that fell would have wrapped
    *(
        "xp",
        "level",
        "own_turns",
        "gained",
        "wounds",
        "absorbed",
        "answer_damage",
        "opportunity_damage",
        "deaths",
        "kills",
    ),
    *(
        "refills",
        "laid",
        "fired",
        "returned_cards",
        "longest_turn",
        "times",
        "drawn",
        "plays",
        "card_kills",
        "card_damage",
    ),
)
ONCE = ("first_kill_turn", "level_turn", "drawn_turn", "played_turn")  # facts that are set once, from 0
assert {*COUNTERS, *ONCE} <= set(STATE.names)


class StepFault(IntEnum):
    """What may be wrong."""

    NONE = 0
    THE_TURN_HAS_JUMPED = 1
    THE_FIRST_PLAYER_HAS_CHANGED = 2
    A_MOVE_OR_ACTION_OF_ANOTHER = 3
    AN_ACTION_OF_ONE_THAT_HAS_NONE = 4
    A_SWAP_TOO_MANY = 5
    UNDEATH_HAS_GROWN = 6
    LEVELS_PLAYED_ARE_FORGOTTEN = 7
    A_CURVE_HAS_CHANGED = 8
    A_CARD_PLAYED_TWICE_IN_A_STEP = 9
    SHIELDS_OUTLIVE_THEIR_TURN = 10


@kernel
def first_step_fault(states: np.ndarray, grants: int) -> tuple[int, int]:
    """Place of the first position that cannot follow the one before, and why; the number of positions and NONE if all can.

    states: (n,) STATE, the positions of one game in their order; grants: 1 if cards of the file grant UNDEATH.
    """
    for i in range(1, len(states)):
        fault = course_fault(states[i - 1], states[i])
        for g in range(ALL):
            if fault == StepFault.NONE:
                fault = creature_step_fault(states[i - 1], states[i], np.int64(g), grants)
        if fault != StepFault.NONE:
            return i, fault
    return len(states), np.int64(StepFault.NONE)


@kernel
def course_fault(before: Record, after: Record) -> int:
    """RIFT-10, 22. Turns go on one by one; what is played in one is counted."""
    turns = np.int64(after["turn"]) - np.int64(before["turn"])
    if not 0 <= turns <= 1:
        return np.int64(StepFault.THE_TURN_HAS_JUMPED)
    if before["first"] != NOBODY and before["first"] != after["first"]:
        return np.int64(StepFault.THE_FIRST_PLAYER_HAS_CHANGED)
    for seat in range(SEATS):
        begins = after["own_turns"][seat] > before["own_turns"][seat]
        if begins and after["used_levels"][seat] != 0:
            return np.int64(StepFault.LEVELS_PLAYED_ARE_FORGOTTEN)
        if not begins and after["used_levels"][seat] < before["used_levels"][seat]:
            return np.int64(StepFault.LEVELS_PLAYED_ARE_FORGOTTEN)
        for turn in range(CURVE):
            if before["xp_after"][seat, turn] != -1 and before["xp_after"][seat, turn] != after["xp_after"][seat, turn]:
                return np.int64(StepFault.A_CURVE_HAS_CHANGED)
        played = np.int64(0)
        for slot in range(DISTINCT):
            played += np.int64(after["plays"][seat, slot]) - np.int64(before["plays"][seat, slot])
        by_hand = before["phase"] == Phase.MAIN or before["phase"] == Phase.HAND
        if played != 0 and (played != 1 or not by_hand or before["active"] != seat):
            return np.int64(StepFault.A_CARD_PLAYED_TWICE_IN_A_STEP)
    return np.int64(StepFault.NONE)


@kernel
def creature_step_fault(before: Record, after: Record, g: int, grants: int) -> int:
    """Invariants 3, 7. Only the creature in use loses a Move or Action, and only one that it has."""
    if after["card"][g] == NOBODY:
        return np.int64(StepFault.NONE)
    acted = after["acted"][g] > before["acted"][g]
    swapped = after["swaps"][g] > before["swaps"][g]
    if acted or swapped:
        used = before["phase"] == Phase.CREATURE and before["user"] == g
        if not used or side_of(g) != before["active"]:
            return np.int64(StepFault.A_MOVE_OR_ACTION_OF_ANOTHER)
        late = before["entered"][g] and power(before, g, Ability.HASTE) == 0
        if acted and (swapped or late or power(before, g, Ability.DORMANT) > 0):
            return np.int64(StepFault.AN_ACTION_OF_ONE_THAT_HAS_NONE)
        fixed = power(before, g, Ability.ROOTED) > 0 or power(before, g, Ability.DORMANT) > 0
        most = max(np.int64(1), power(before, g, Ability.DASH))
        if swapped and (fixed or after["swaps"][g] != before["swaps"][g] + 1 or after["swaps"][g] > most):
            return np.int64(StepFault.A_SWAP_TOO_MANY)
    begins = after["own_turns"][side_of(g)] > before["own_turns"][side_of(g)]
    quiet = before["fired"].sum() == after["fired"].sum()
    if begins and quiet and after["phase"] == Phase.MAIN and after["shield"][g] > 0:
        return np.int64(StepFault.SHIELDS_OUTLIVE_THEIR_TURN)
    same = before["card"][g] == after["card"][g]
    if same and not grants and after["ability"][g, Ability.UNDEATH] > before["ability"][g, Ability.UNDEATH]:
        return np.int64(StepFault.UNDEATH_HAS_GROWN)
    return np.int64(StepFault.NONE)


def fallen(states: np.ndarray) -> list[str]:
    """Counters that fell from one position to the next, and facts that changed after they were set.

    From the coin on: cards returned before it count as never drawn.
    """
    states = states[states["first"] != NOBODY]
    found = [name for name in COUNTERS if (np.diff(states[name].astype(np.int64), axis=0) < 0).any()]
    for name in ONCE:
        values = states[name].astype(np.int64)
        if ((values[1:] != values[:-1]) & (values[:-1] != 0)).any():
            found.append(name)
    return found
