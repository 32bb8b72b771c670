"""What a creature may do: Moves, attacks, other Actions (RIFT-12 to 15, 40, 41, 45, 82 to 109)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.geometry import (
    BESIDE,
    HALVES,
    are_adjacent,
    beside,
    distance,
    in_contact_at,
    index_of,
    is_short,
    power,
    reach,
    reach_player,
    rows_of,
)
from sim.games.riftborn.places import has_place
from sim.games.riftborn.record import Ability
from sim.games.riftborn.state import ACTIVE, CREATURES, NOBODY, PER_ROW, code_of, side_of
from sim.games.riftborn.terms import Reach

SWAP = 0  # codes of CREATURE (register section 5): SWAP + own slot, ATTACK + enemy slot, then one for each use
ATTACK = 15
ATTACK_PLAYER = 30
CHARM, HEAL, MORALE, PACIFY, READY, SPELL, SUMMON, TRANSFORM = range(31, 39)


@kernel
def can_move(state: Record, g: int) -> bool:
    """RIFT-13, 41. Whether a creature has a swap left."""
    if power(state, g, Ability.ROOTED) > 0 or power(state, g, Ability.DORMANT) > 0:
        return False
    return state["swaps"][g] < max(np.int64(1), power(state, g, Ability.DASH))


@kernel
def can_act(state: Record, g: int) -> bool:
    """RIFT-13, 14, 85, 94. Whether a creature has its Action."""
    if state["acted"][g] or state["pacify"][g] & ACTIVE or power(state, g, Ability.DORMANT) > 0:
        return False
    return not state["entered"][g] or power(state, g, Ability.HASTE) > 0


@kernel
def can_attack(state: Record, g: int) -> bool:
    """RIFT-45, 82, 95. Whether a creature that has its Action may attack with it."""
    return power(state, g, Ability.PACIFIST) == 0 and not state["charm"][g] & ACTIVE


@kernel
def can_swap(state: Record, a: int, b: int) -> bool:
    """RIFT-40, 41. Whether two creatures of a side may change places by a Move of a."""
    return a != b and distance(state, a, b) == 1 and power(state, b, Ability.DORMANT) == 0


@kernel
def list_uses(state: Record, cards: Record, g: int, out: np.ndarray) -> int:
    """RIFT-12 to 15. Options of CREATURE, ascending."""
    count, seat = 0, side_of(g)
    if can_move(state, g):
        for slot in range(CREATURES):
            other = np.int64(state["grid"][seat, slot // PER_ROW, slot % PER_ROW])
            if other != NOBODY and can_swap(state, g, other):
                out[count] = SWAP + slot
                count += 1
    if not can_act(state, g):
        return count
    if can_attack(state, g):
        count = list_attacks(state, cards, g, out, count)
    for code in range(CHARM, TRANSFORM + 1):
        if has_use(state, cards, g, code):
            out[count] = code
            count += 1
    return count


@kernel
def list_attacks(state: Record, cards: Record, g: int, out: np.ndarray, count: int) -> int:
    """RIFT-37. Append the codes of whom a creature may attack; returns how many options there are then."""
    if is_short(state, cards, g):
        count = list_contacts(state, cards, g, out, count)
    else:
        enemy = 1 - side_of(g)
        for slot in range(CREATURES):
            target = np.int64(state["grid"][enemy, slot // PER_ROW, slot % PER_ROW])
            if target != NOBODY and reach(state, cards, g, target) != Reach.NONE:
                out[count] = ATTACK + slot
                count += 1
    if reach_player(state, cards, g) != Reach.NONE:
        out[count] = ATTACK_PLAYER
        count += 1
    return count


@kernel
def list_contacts(state: Record, cards: Record, g: int, out: np.ndarray, count: int) -> int:
    """RIFT-37. Append the codes of the one or two enemies that a creature without RANGE and FLIGHT may attack, ascending."""
    first = count
    for half in range(HALVES):
        target = in_contact_at(state, g, np.int64(half))
        if target == NOBODY or reach(state, cards, g, target) == Reach.NONE:
            continue
        code = ATTACK + code_of(state, side_of(target), target)
        if count == first or out[first] != code:
            out[count] = code
            count += 1
    if count == first + HALVES and out[first] > out[first + 1]:
        out[first], out[first + 1] = out[first + 1], out[first]
    return count


@kernel
def is_useful(state: Record, cards: Record, g: int) -> bool:
    """Register section 5. Whether a creature has a legal Move or Action."""
    if can_move(state, g) and has_partner(state, g):
        return True
    if not can_act(state, g):
        return False
    if can_attack(state, g) and has_prey(state, cards, g):
        return True
    for code in range(CHARM, TRANSFORM + 1):
        if has_use(state, cards, g, code):
            return True
    return False


@kernel
def has_partner(state: Record, g: int) -> bool:
    """RIFT-40. Whether a friend is there to change places with."""
    seat, row, index = side_of(g), np.int64(state["row"][g]), index_of(state, g)
    if index > 0 and state["ability"][state["grid"][seat, row, index - 1], Ability.DORMANT] == 0:
        return True  # the neighbours first: most find a partner there
    for number in range(BESIDE):
        other = beside(state, g, np.int64(number))
        if other != NOBODY and power(state, other, Ability.DORMANT) == 0:
            return True
    return False


@kernel
def has_prey(state: Record, cards: Record, g: int) -> bool:
    """RIFT-37. Whether anybody is in reach."""
    if reach_player(state, cards, g) != Reach.NONE:
        return True
    if is_short(state, cards, g):
        for half in range(HALVES):
            target = in_contact_at(state, g, np.int64(half))
            if target != NOBODY and reach(state, cards, g, target) != Reach.NONE:
                return True
        return False
    enemy = 1 - side_of(g)
    for target in range(enemy * CREATURES, enemy * CREATURES + CREATURES):
        if state["card"][target] != NOBODY and reach(state, cards, g, np.int64(target)) != Reach.NONE:
            return True
    return False


@kernel
def has_use(state: Record, cards: Record, g: int, code: int) -> bool:
    """RIFT-15, register section 5. Whether a creature may use its Action for the alternative of this code."""
    if code == CHARM:
        return power(state, g, Ability.CHARM) > 0 and has_enemy_beside(state, cards, g)
    if code == PACIFY:
        return power(state, g, Ability.PACIFY) > 0 and has_enemy_beside(state, cards, g)
    if code == HEAL:
        return power(state, g, Ability.HEAL) > 0 and (is_rearmost(state, g) or has_friend_beside(state, g))
    if code == MORALE:
        return power(state, g, Ability.MORALE) > 0
    if code == READY:
        return power(state, g, Ability.READY) > 0
    if code == SPELL:
        return power(state, g, Ability.SPELL) > 0
    if code == SUMMON:
        return power(state, g, Ability.SUMMON) > 0 and has_place(state, cards, side_of(g), g)
    return power(state, g, Ability.TRANSFORM) > 0


@kernel
def has_enemy_beside(state: Record, cards: Record, g: int) -> bool:
    """RIFT-34. Whether an enemy is adjacent."""
    enemy = 1 - side_of(g)
    for other in range(enemy * CREATURES, enemy * CREATURES + CREATURES):
        if state["card"][other] != NOBODY and are_adjacent(state, cards, g, other):
            return True
    return False


@kernel
def has_friend_beside(state: Record, g: int) -> bool:
    """RIFT-34. Whether a friend is adjacent."""
    for number in range(BESIDE):
        if beside(state, g, np.int64(number)) != NOBODY:
            return True
    return False


@kernel
def is_rearmost(state: Record, g: int) -> bool:
    """RIFT-90. Whether a creature stands in the last row of its side."""
    return state["row"][g] == rows_of(state, side_of(g)) - 1
