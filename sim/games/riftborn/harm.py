"""Damage to creatures, healing, and whose kill it is (RIFT-63, 64, 73, 97, 102)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.geometry import power
from sim.games.riftborn.piles import slot_of
from sim.games.riftborn.record import NONE, Ability
from sim.games.riftborn.state import NOBODY, SEATS, saturated, side_of
from sim.games.riftborn.stats import health_of, is_deadly_hurt, is_doomed, note, turn_up
from sim.games.riftborn.terms import Harm


@kernel
def heal(state: Record, g: int, points: int) -> np.int64:
    """RIFT-64. Remove up to so much damage from a creature; returns how much."""
    healed = min(np.int64(points), np.int64(state["damage"][g]))
    state["damage"][g] -= healed
    return healed


@kernel
def hit(state: Record, cards: Record, g: int, points: int, harm: int) -> np.int64:
    """RIFT-63, 97. Damage to a creature, which RAGE turns up. harm: Harm. Returns the excess."""
    excess = wound(state, cards, g, points)
    if points > 0:
        if power(state, g, Ability.RAGE) > 0:
            turn_up(state, cards, g)
        mark(state, cards, g, harm)
    return excess


@kernel
def wound(state: Record, cards: Record, g: int, points: int) -> np.int64:
    """RIFT-63, 97. Damage to a creature: Shield tokens, damage tokens, RAGE. Returns the excess."""
    shields = min(np.int64(points), np.int64(state["shield"][g]))
    state["shield"][g] -= shields
    rest = points - shields
    room = max(np.int64(0), health_of(state, cards, g) - np.int64(state["damage"][g]))
    state["damage"][g] = saturated(np.int64(state["damage"][g]) + rest)
    rage = power(state, g, Ability.RAGE)
    if points > 0 and rage > 0:
        state["rage"][g] = saturated(np.int64(state["rage"][g]) + rage)
        note(state, g, Ability.RAGE)
    return max(np.int64(0), rest - room)


@kernel
def mark(state: Record, cards: Record, g: int, harm: int) -> None:
    """Register section 11. Note what a creature will die of, if it is deadly hurt now and was not before. harm: Harm."""
    if is_deadly_hurt(state, cards, g):
        state["shaken"] = 1
        if state["harm"][g] == Harm.NONE:
            state["harm"][g] = harm
            state["crediting"] = 1


@kernel
def resisted(state: Record, cards: Record, g: int, points: int, magic: bool) -> np.int64:
    """RIFT-92, 102, 124. What RESISTANCE lets through of damage that is not of an effect."""
    if points == 0 or power(state, g, Ability.RESISTANCE) == 0:
        return np.int64(points)
    if magic:
        state["times"][SEATS - 1 - side_of(g), Ability.MAGIC] += 1
        return np.int64(points)
    turn_up(state, cards, g)
    note(state, g, Ability.RESISTANCE)
    return np.int64(points // 2)


@kernel
def credit_blow(state: Record, cards: Record, g: int, by: tuple[int, int], points: int, earns: bool) -> None:
    """RIFT-73, register section 11. After a blow on creature g: whose kill it will be. by: seat, card that gave it (NOBODY)."""
    seat, card = by
    note_damage(state, cards, by, points)
    if points == 0 or side_of(g) == seat or not is_doomed(state, cards, g):
        return
    state["crediting"] = 1
    if earns and state["credit"][g] == 0:
        state["credit"][g] = 1 + seat
    if state["killer"][g] == 0:
        slot = slot_of(state, cards, seat, card) if card != NOBODY else np.int64(NONE)
        state["killer"][g] = NONE if slot == NONE else 1 + slot


@kernel
def note_damage(state: Record, cards: Record, by: tuple[int, int], points: int) -> None:
    """Register section 11. Count damage, to a creature or a player, for the card that dealt it. by: seat, card (NOBODY)."""
    seat, card = by
    slot = slot_of(state, cards, seat, card) if card != NOBODY else np.int64(NONE)
    if slot != NONE:
        state["card_damage"][seat, slot] = saturated(np.int64(state["card_damage"][seat, slot]) + points)
