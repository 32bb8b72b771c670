"""What a creature may do: Moves, attacks, other Actions (RIFT-12 to 15, 40, 41, 45, 82 to 109)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.bits import code_bit, write_codes
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
from sim.games.riftborn.state import ACTIVE, CREATURES, NOBODY, PER_ROW, ROWS, code_of, side_of
from sim.games.riftborn.terms import Reach

SWAP = 0  # codes of CREATURE (register section 5): SWAP + own slot, ATTACK + enemy slot, then one for each use
ATTACK = 15
ATTACK_PLAYER = 30
CHARM, HEAL, MORALE, PACIFY, READY, SPELL, SUMMON, TRANSFORM = range(31, 39)


@kernel
def can_move(state: Record, g: int) -> bool:
    """RIFT-13, 41. Whether a creature has a swap left."""
    if state["swaps"][g] >= max(np.int64(1), power(state, g, Ability.DASH)):
        return False
    return power(state, g, Ability.ROOTED) == 0 and power(state, g, Ability.DORMANT) == 0


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
    return write_codes(uses_of(state, cards, g), 0, out, np.int64(0))


@kernel
def uses_of(state: Record, cards: Record, g: int) -> np.uint64:
    """RIFT-12 to 15. Codes of the Moves and Actions of a creature, as bits."""
    found = swaps_of(state, g) if can_move(state, g) else np.uint64(0)
    if not can_act(state, g):
        return found
    if can_attack(state, g):
        found |= attacks_of(state, cards, g)
    for code in range(CHARM, TRANSFORM + 1):
        if has_use(state, cards, g, code):
            found |= code_bit(code)
    return found


@kernel
def swaps_of(state: Record, g: int) -> np.uint64:
    """RIFT-40. Slots of friends to change places with, as bits: in the own row and those in front of and behind it."""
    found, seat, own = np.uint64(0), side_of(g), np.int64(state["row"][g])
    for row in range(max(np.int64(0), own - 1), min(own + 2, np.int64(ROWS))):
        for index in range(np.int64(state["row_len"][seat, row])):
            if can_swap(state, g, np.int64(state["grid"][seat, row, index])):
                found |= code_bit(SWAP + row * PER_ROW + index)
    return found


@kernel
def list_attacks(state: Record, cards: Record, g: int, out: np.ndarray, count: int) -> int:
    """RIFT-37. Append the codes of whom a creature may attack; returns how many options there are then."""
    return write_codes(attacks_of(state, cards, g), 0, out, count)


@kernel
def attacks_of(state: Record, cards: Record, g: int) -> np.uint64:
    """RIFT-37. Codes of whom a creature may attack, as bits."""
    found, enemy = np.uint64(0), 1 - side_of(g)
    if is_short(state, cards, g):
        found = contacts_of(state, cards, g)
    else:
        for row in range(ROWS):
            for index in range(np.int64(state["row_len"][enemy, row])):
                if reach(state, cards, g, np.int64(state["grid"][enemy, row, index])) != Reach.NONE:
                    found |= code_bit(ATTACK + row * PER_ROW + index)
    if reach_player(state, cards, g) != Reach.NONE:
        found |= code_bit(ATTACK_PLAYER)
    return found


@kernel
def contacts_of(state: Record, cards: Record, g: int) -> np.uint64:
    """RIFT-37. Codes of the one or two enemies that a creature without RANGE and FLIGHT may attack, as bits."""
    found = np.uint64(0)
    for half in range(HALVES):
        target = in_contact_at(state, g, np.int64(half))
        if target != NOBODY and reach(state, cards, g, target) != Reach.NONE:
            found |= code_bit(ATTACK + code_of(state, side_of(target), target))
    return found


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
    seat, row = side_of(g), np.int64(state["row"][g])
    if state["row_len"][seat, row] > 1:  # a neighbour first: most find a partner there
        index = index_of(state, g)
        neighbour = np.int64(state["grid"][seat, row, index - 1 if index > 0 else 1])
        if state["ability"][neighbour, Ability.DORMANT] == 0:
            return True
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
