"""Attack, Health and abilities as they are now: printed, tokens, AURA and MORALE (RIFT-60 to 62, 80, 93, 110)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.geometry import BESIDE, beside, distance, lay_out, power
from sim.games.riftborn.record import LENDABLE, NONE, Ability, Side
from sim.games.riftborn.state import CREATURES, NOBODY, ROWS, SEATS, side_of
from sim.games.riftborn.switches import MoraleStart

LENDING = 1  # bits of `lending`
LENDING_HEALTH = 2


@kernel
def rebuild(state: Record, cards: Record) -> None:
    """Derive again what follows from formations, abilities and faces: rows, columns, loans and bonuses.

    For positions that were changed by hand; the rules call what they need of it.
    """
    for seat in range(SEATS):
        lay_out(state, np.int64(seat))
    lend(state, cards)
    state["shaken"] = 1


@kernel
def is_emitting(state: Record, g: int) -> bool:
    """RIFT-80, 93. Whether a creature's AURA or MORALE acts on others."""
    if state["ability"][g, Ability.AURA] == 0 and state["ability"][g, Ability.MORALE] == 0:
        return False
    return state["face_down"][g] == 0


@kernel
def lend_anew(state: Record, cards: Record) -> None:
    """RIFT-80, 93. Creatures have moved or gone, but none has become an emitter: where nobody lent, nobody does."""
    if state["lending"]:
        lend(state, cards)


@kernel
def lend(state: Record, cards: Record) -> None:
    """RIFT-80, 93. What AURA and MORALE give to whom."""
    if state["lending"]:
        state["lent"][:] = 0
        state["bonus_attack"][:] = 0
        state["bonus_health"][:] = 0
        state["shaken"] |= state["lending"] >> 1
        state["lending"] = 0
    for seat in range(SEATS):
        for row in range(ROWS):
            for index in range(np.int64(state["row_len"][seat, row])):
                g = np.int64(state["grid"][seat, row, index])
                if is_emitting(state, g):
                    state["lending"] |= LENDING
                    emit(state, cards, g)


@kernel
def emit(state: Record, cards: Record, emitter: int) -> None:
    """RIFT-80, 93. What one creature gives to others."""
    hearten(state, emitter)
    radius, card = np.int64(state["ability"][emitter, Ability.AURA]), np.int64(state["card"][emitter])
    if radius == 0:
        return
    if cards["aura_health"][card] != 0:
        lend_health(state)
    for seat in range(SEATS):
        if is_on_side(side_of(emitter) == seat, np.int64(cards["aura_side"][card])):
            for g in range(seat * CREATURES, seat * CREATURES + CREATURES):
                if state["card"][g] != NOBODY and g != emitter and distance(state, emitter, np.int64(g)) <= radius:
                    borrow(state, cards, np.int64(g), card)


@kernel
def lend_swapped(state: Record, cards: Record, a: int, b: int) -> None:
    """RIFT-80, 93. Two creatures of a side have changed places: if neither is an emitter, only to them things change."""
    if state["lending"] == 0:
        return
    if is_emitting(state, a) or is_emitting(state, b):
        lend(state, cards)
        return
    state["shaken"] |= state["lending"] >> 1
    give_back(state, a)
    give_back(state, b)
    for seat in range(SEATS):
        for row in range(ROWS):
            for index in range(np.int64(state["row_len"][seat, row])):
                emitter = np.int64(state["grid"][seat, row, index])
                if is_emitting(state, emitter):
                    emit_to(state, cards, emitter, a)
                    emit_to(state, cards, emitter, b)


@kernel
def give_back(state: Record, g: int) -> None:
    """RIFT-80, 93. Nobody lends to a creature any more."""
    for ability in range(LENDABLE):
        state["lent"][g, ability] = 0
    state["bonus_attack"][g] = 0
    state["bonus_health"][g] = 0


@kernel
def emit_to(state: Record, cards: Record, emitter: int, g: int) -> None:
    """RIFT-80, 93. What one creature gives to one other, as `emit` does to all."""
    apart, friend = distance(state, emitter, g), side_of(emitter) == side_of(g)
    card = np.int64(state["card"][emitter])
    if friend and apart == 1:
        cheer(state, emitter, g)
    if apart <= state["ability"][emitter, Ability.AURA] and is_on_side(friend, np.int64(cards["aura_side"][card])):
        borrow(state, cards, g, card)


@kernel
def hearten(state: Record, emitter: int) -> None:
    """RIFT-93. MORALE for the adjacent friends."""
    if state["ability"][emitter, Ability.MORALE] == 0:
        return
    if state["morale"][emitter] == MoraleStart.HEALTH:
        lend_health(state)
    for number in range(BESIDE):
        g = beside(state, emitter, np.int64(number))
        if g != NOBODY:
            cheer(state, emitter, g)


@kernel
def cheer(state: Record, emitter: int, g: int) -> None:
    """RIFT-93. MORALE for one adjacent friend."""
    if state["morale"][emitter] == MoraleStart.ATTACK:
        state["bonus_attack"][g] += state["ability"][emitter, Ability.MORALE]
    else:
        state["bonus_health"][g] += state["ability"][emitter, Ability.MORALE]


@kernel
def lend_health(state: Record) -> None:
    """Note that maximum Health may have changed: the next death check has to look."""
    state["lending"] |= LENDING_HEALTH
    state["shaken"] = 1


@kernel
def is_on_side(friend: bool, side: int) -> bool:
    """Whether a friend or an enemy belongs to a Side."""
    return side == Side.ANY or (side == Side.FRIEND) == friend


@kernel
def borrow(state: Record, cards: Record, g: int, card: int) -> None:
    """RIFT-80. Bonuses and ability of an AURA, of the ability the largest X; a creature with SWARM has no other."""
    state["bonus_attack"][g] += cards["aura_attack"][card]
    state["bonus_health"][g] += cards["aura_health"][card]
    ability = np.int64(cards["aura_ability"][card])
    if ability == NONE or ability >= LENDABLE or state["ability"][g, Ability.SWARM] > 0:
        return
    state["lent"][g, ability] = max(np.int64(state["lent"][g, ability]), np.int64(cards["aura_x"][card]))


@kernel
def size_of(state: Record, g: int) -> np.int64:
    """RIFT-110. How often printed Attack and Health count."""
    return max(np.int64(1), np.int64(state["ability"][g, Ability.SWARM]))


@kernel
def attack_of(state: Record, cards: Record, g: int) -> np.int64:
    """RIFT-61. Attack of a creature, at least 0."""
    return attack_less(state, cards, g, np.int64(0))


@kernel
def attack_less(state: Record, cards: Record, g: int, rage: int) -> np.int64:
    """RIFT-61, RA-14. Attack without so many of its Rage tokens; below 0: with so many more."""
    printed = np.int64(cards["attack"][state["card"][g]]) * size_of(state, g)
    tokens = np.int64(state["rage"][g]) - rage - np.int64(state["weakness"][g])
    return max(np.int64(0), printed + tokens + np.int64(state["bonus_attack"][g]))


@kernel
def health_of(state: Record, cards: Record, g: int) -> np.int64:
    """RIFT-62. Maximum Health of a creature; it may be 0 or less."""
    printed = np.int64(cards["health"][state["card"][g]]) * size_of(state, g)
    tokens = np.int64(state["health"][g]) - np.int64(state["decay"][g])
    return printed + tokens + np.int64(state["bonus_health"][g])


@kernel
def is_deadly_hurt(state: Record, cards: Record, g: int) -> bool:
    """RIFT-70. Whether a creature has damage of its maximum Health or more."""
    return state["damage"][g] >= health_of(state, cards, g)


@kernel
def is_doomed(state: Record, cards: Record, g: int) -> bool:
    """RIFT-73. Whether a creature is deadly hurt without an unused UNDEATH."""
    return power(state, g, Ability.UNDEATH) == 0 and is_deadly_hurt(state, cards, g)


@kernel
def note(state: Record, g: int, ability: int) -> None:
    """Register section 11. Count that an ability of a creature acted."""
    state["times"][side_of(g), ability] += 1


@kernel
def turn_up(state: Record, cards: Record, g: int) -> None:
    """RIFT-108. Turn a creature face up."""
    if state["face_down"][g]:
        state["face_down"][g] = 0
        if is_emitting(state, g):
            lend(state, cards)
