"""What holds of formations and creatures in every position of Riftborn Tactics.

Register section 10, invariants 2, 3, 7, 8, 10."""

# ruff: noqa: PLR0911 - kernels: early returns

from enum import IntEnum

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.record import ABILITIES, LENDABLE, Ability, ClearPath
from sim.games.riftborn.rules.damage import LENDING, is_deadly_hurt, rebuild
from sim.games.riftborn.rules.placement import aside, distance, faces_player, in_contact, reach
from sim.games.riftborn.state import (
    ACTIVE,
    ALL,
    COLUMNS,
    CREATURES,
    DECK_MAX,
    HARMS,
    NOBODY,
    PER_ROW,
    ROWS,
    SEATS,
    TOKENS_MAX,
    WAITING,
    Phase,
    side_of,
)


class TableFault(IntEnum):
    """What may be wrong."""

    NONE = 0
    A_ROW_TOO_LONG_OR_TOO_MANY = 1
    A_GAP_IN_A_FORMATION = 2
    A_CREATURE_ON_TWO_PLACES_OR_NONE = 3
    A_CREATURE_OF_THE_OTHER_SIDE = 4
    SOMETHING_LEFT_OF_A_CREATURE_THAT_IS_GONE = 5
    ROW_OR_CENTRE_NOT_AS_REBUILT = 6
    FRONT_NOT_AS_REBUILT = 7
    LENT_NOT_AS_REBUILT = 8
    BONUS_NOT_AS_REBUILT = 9
    TOKENS_OUT_OF_RANGE = 10
    AN_ABILITY_BESIDE_SWARM = 11
    A_FLAG_OUT_OF_RANGE = 12
    CHARM_OR_PACIFY_ACTIVE_IN_THE_WRONG_TURN = 13
    DEADLY_HURT_AND_NOT_SHAKEN = 14
    DEADLY_HURT_AT_MAIN = 15
    SOMETHING_UNDER_WAY_AT_MAIN = 16
    A_DEATH_CHECK_UNDER_WAY = 17
    SCRATCH_IN_USE = 18
    DISTANCE_OR_CONTACT_NOT_MUTUAL = 19
    ADJACENT_WITHOUT_A_CLEAR_PATH = 20
    REACH_NOT_THE_SAME_IN_THE_MIRROR = 21


@kernel
def first_table_fault(states: np.ndarray, cards: Record, spare: np.ndarray) -> tuple[int, int]:
    """Place of the first position in which something is wrong, and what; the number of positions and NONE if nothing is.

    states: (n,) STATE; spare: (1,) STATE, overwritten.
    """
    for i in range(len(states)):
        state = states[i]
        fault = rows_fault(state, cards)
        spare[0] = states[i]
        spare[0]["lending"] = LENDING  # or loans that are not noted would stay
        if fault == TableFault.NONE:
            rebuild(spare[0], cards)
            fault = derived_fault(state, spare[0])
        if fault == TableFault.NONE:
            fault = creatures_fault(state, cards)
        if fault == TableFault.NONE:
            fault = moment_fault(state)
        if fault == TableFault.NONE:
            fault = geometry_fault(state, cards, spare[0])
        if fault != TableFault.NONE:
            return i, fault
    return len(states), np.int64(TableFault.NONE)


@kernel
def rows_fault(state: Record, cards: Record) -> int:
    """Invariant 2. Rows without gaps, no longer and no more than the rules allow."""
    for seat in range(SEATS):
        empty = False
        for row in range(ROWS):
            length = np.int64(state["row_len"][seat, row])
            if not 0 <= length <= cards["max_per_row"] or (length > 0 and row >= cards["max_rows"]):
                return np.int64(TableFault.A_ROW_TOO_LONG_OR_TOO_MANY)
            if empty and length > 0:
                return np.int64(TableFault.A_GAP_IN_A_FORMATION)
            empty = length == 0
            for index in range(PER_ROW):
                if (state["grid"][seat, row, index] != NOBODY) != (index < length):
                    return np.int64(TableFault.A_GAP_IN_A_FORMATION)
    return places_fault(state)


@kernel
def places_fault(state: Record) -> int:
    """Invariant 2. Who stands somewhere stands nowhere else; nothing is left of those who stand nowhere."""
    for g in range(ALL):
        places = np.int64(0)
        for slot in range(SEATS * CREATURES):
            seat, row, index = slot // CREATURES, slot % CREATURES // PER_ROW, slot % PER_ROW
            if state["grid"][seat, row, index] == g:
                places += 1
                if seat != side_of(g):
                    return np.int64(TableFault.A_CREATURE_OF_THE_OTHER_SIDE)
        if places != (state["card"][g] != NOBODY):
            return np.int64(TableFault.A_CREATURE_ON_TWO_PLACES_OR_NONE)
        if places == 0 and has_traces(state, np.int64(g)):
            return np.int64(TableFault.SOMETHING_LEFT_OF_A_CREATURE_THAT_IS_GONE)
    return np.int64(TableFault.NONE)


@kernel
def has_traces(state: Record, g: int) -> bool:
    """Whether anything is left of a creature that is gone."""
    left = np.int64(state["origin"][g] - NOBODY) | state["row"][g] | state["centre"][g] | tokens_on(state, g)
    left |= state["bonus_attack"][g] | state["bonus_health"][g] | state["credit"][g] | state["harm"][g]
    left |= state["morale"][g] | state["face_down"][g] | state["swaps"][g] | state["acted"][g] | state["entered"][g]
    left |= state["charm"][g] | state["pacify"][g] | state["killer"][g]
    for ability in range(ABILITIES):
        left |= state["ability"][g, ability]
    for ability in range(LENDABLE):
        left |= state["lent"][g, ability]
    return left != 0


@kernel
def tokens_on(state: Record, g: int) -> np.int64:
    """All counters of a creature, or-ed: above TOKENS_MAX's bits or below 0 if one of them is."""
    found = np.int64(state["damage"][g]) | state["rage"][g] | state["health"][g] | state["shield"][g]
    return found | state["weakness"][g] | state["decay"][g] | state["ready"][g]


@kernel
def derived_fault(state: Record, fresh: Record) -> int:
    """Invariant 2, RIFT-31, 60. What follows from the rest is as if it were derived anew."""
    for g in range(ALL):
        if state["row"][g] != fresh["row"][g] or state["centre"][g] != fresh["centre"][g]:
            return np.int64(TableFault.ROW_OR_CENTRE_NOT_AS_REBUILT)
        bonus = state["bonus_attack"][g] == fresh["bonus_attack"][g]
        if not bonus or state["bonus_health"][g] != fresh["bonus_health"][g]:
            return np.int64(TableFault.BONUS_NOT_AS_REBUILT)
        for ability in range(LENDABLE):
            if state["lent"][g, ability] != fresh["lent"][g, ability]:
                return np.int64(TableFault.LENT_NOT_AS_REBUILT)
    if state["lending"] != fresh["lending"]:
        return np.int64(TableFault.LENT_NOT_AS_REBUILT)
    for seat in range(SEATS):
        for column in range(COLUMNS):
            if state["front"][seat, column] != fresh["front"][seat, column]:
                return np.int64(TableFault.FRONT_NOT_AS_REBUILT)
    return np.int64(TableFault.NONE)


@kernel
def creatures_fault(state: Record, cards: Record) -> int:
    """Invariants 3, 7. Counters, flags, who should be dead."""
    for g in range(ALL):
        fault = creature_fault(state, cards, np.int64(g)) if state["card"][g] != NOBODY else np.int64(TableFault.NONE)
        if fault != TableFault.NONE:
            return fault
    return np.int64(TableFault.NONE)


@kernel
def creature_fault(state: Record, cards: Record, g: int) -> int:
    """The same of one creature."""
    if not has_fair_tokens(state, g):
        return np.int64(TableFault.TOKENS_OUT_OF_RANGE)
    if state["ability"][g, Ability.SWARM] > 0 and abilities_of(state, g) > state["ability"][g, Ability.SWARM]:
        return np.int64(TableFault.AN_ABILITY_BESIDE_SWARM)
    flags = state["face_down"][g] | state["acted"][g] | state["entered"][g] | np.uint8(state["morale"][g])
    states = state["charm"][g] | state["pacify"][g]
    if flags > 1 or not 0 <= states <= WAITING + ACTIVE or not 0 <= state["harm"][g] < HARMS:
        return np.int64(TableFault.A_FLAG_OUT_OF_RANGE)
    if states & ACTIVE and side_of(g) != state["active"]:
        return np.int64(TableFault.CHARM_OR_PACIFY_ACTIVE_IN_THE_WRONG_TURN)
    if is_deadly_hurt(state, cards, g) and state["shaken"] == 0:
        return np.int64(TableFault.DEADLY_HURT_AND_NOT_SHAKEN)
    if is_deadly_hurt(state, cards, g) and (state["phase"] == Phase.MAIN or state["phase"] == Phase.CREATURE):
        return np.int64(TableFault.DEADLY_HURT_AT_MAIN)
    return np.int64(TableFault.NONE)


@kernel
def has_fair_tokens(state: Record, g: int) -> bool:
    """Whether no counter of a creature is below 0 or above what is counted; `destroy` may lay more damage on it."""
    most = max(state["rage"][g], state["health"][g], state["shield"][g])
    most = max(most, state["weakness"][g], state["decay"][g], state["ready"][g])
    least = min(np.int64(state["swaps"][g]), tokens_on(state, g))
    for ability in range(ABILITIES):
        least = min(least, np.int64(state["ability"][g, ability]))
    return least >= 0 and most <= TOKENS_MAX


@kernel
def abilities_of(state: Record, g: int) -> np.int64:
    """Sum of all X of a creature, lent ones too."""
    total = np.int64(0)
    for ability in range(ABILITIES):
        total += np.int64(state["ability"][g, ability])
    for ability in range(LENDABLE):
        total += np.int64(state["lent"][g, ability])
    return total


@kernel
def moment_fault(state: Record) -> int:
    """Invariants 3, 10. Nothing is under way when the active player is asked; no scratch is in use between decisions."""
    for at in range(DECK_MAX):
        if state["keys"][at] != 0 or state["pool"][at] != 0:
            return np.int64(TableFault.SCRATCH_IN_USE)
    if state["pool_n"] != 0 or not 0 <= state["phase"] <= Phase.OVER:
        return np.int64(TableFault.SCRATCH_IN_USE)
    for seat in range(SEATS):
        if state["owed"][seat] != 0 or state["owed_kills"][seat] != 0 or state["fell"][seat] != 0:
            return np.int64(TableFault.A_DEATH_CHECK_UNDER_WAY)
    credited = np.int64(0)
    for g in range(ALL):
        credited |= state["credit"][g]
    if credited != 0 and state["crediting"] == 0:
        return np.int64(TableFault.A_DEATH_CHECK_UNDER_WAY)
    if state["phase"] != Phase.MAIN:
        return np.int64(TableFault.NONE)
    busy = state["seat"] != state["active"] or state["queue_n"] != 0 or state["crediting"] != 0 or credited != 0
    busy |= state["playing"] != NOBODY or state["entrant"] != NOBODY or state["spell"] != NOBODY or state["free"] != 0
    busy |= state["summon_card"] != NOBODY or state["list_card"] != NOBODY or state["chosen"] != 0
    for g in range(ALL):
        busy |= state["harm"][g] != 0 or state["killer"][g] != 0
    return np.int64(TableFault.SOMETHING_UNDER_WAY_AT_MAIN if busy else TableFault.NONE)


@kernel
def geometry_fault(state: Record, cards: Record, mirror: Record) -> int:
    """Invariant 8. What two enemies are to each other they are both, also with both ends of the table exchanged.

    mirror: a copy of the state, overwritten.
    """
    for seat in range(SEATS):
        for row in range(ROWS):
            length = np.int64(state["row_len"][seat, row])
            for index in range(length):
                mirror["grid"][seat, row, index] = state["grid"][seat, row, length - 1 - index]
    rebuild(mirror, cards)
    for a in range(CREATURES):
        for b in range(CREATURES, ALL):
            if state["card"][a] != NOBODY and state["card"][b] != NOBODY:
                fault = pair_fault(state, cards, mirror, (np.int64(a), np.int64(b)))
                if fault != TableFault.NONE:
                    return fault
    for g in range(ALL):
        if state["card"][g] != NOBODY and faces_player(state, np.int64(g)) != faces_player(mirror, np.int64(g)):
            return np.int64(TableFault.REACH_NOT_THE_SAME_IN_THE_MIRROR)
    return np.int64(TableFault.NONE)


@kernel
def pair_fault(state: Record, cards: Record, mirror: Record, pair: tuple[int, int]) -> int:
    """The same of two enemies."""
    a, b = pair
    touching = distance(state, a, b) == 1
    if distance(state, a, b) != distance(state, b, a) or in_contact(state, a, b) != in_contact(state, b, a):
        return np.int64(TableFault.DISTANCE_OR_CONTACT_NOT_MUTUAL)
    if touching and cards["clear_path"] == ClearPath.HALF and not in_contact(state, a, b):
        return np.int64(TableFault.ADJACENT_WITHOUT_A_CLEAR_PATH)
    here, there = reach(state, cards, a, b), reach(state, cards, b, a)
    same = here == reach(mirror, cards, a, b) and there == reach(mirror, cards, b, a)
    if not same or aside(state, a, b) != aside(mirror, a, b):
        return np.int64(TableFault.REACH_NOT_THE_SAME_IN_THE_MIRROR)
    return np.int64(TableFault.NONE)
