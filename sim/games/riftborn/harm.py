"""Damage to creatures, healing, and whose kill it is (RIFT-63, 64, 73, 97, 102)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.geometry import power
from sim.games.riftborn.piles import slot_of
from sim.games.riftborn.record import NONE, Ability
from sim.games.riftborn.state import NOBODY, side_of
from sim.games.riftborn.stats import health_of, is_deadly_hurt, is_doomed, note, saturated, turn_up


@kernel
def heal(state: Record, g: int, points: int) -> np.int64:
    """RIFT-64. Remove up to so much damage from a creature; returns how much."""
    healed = min(np.int64(points), np.int64(state["damage"][g]))
    state["damage"][g] -= healed
    return healed


@kernel
def hit(state: Record, cards: Record, g: int, points: int, harm: int) -> np.int64:
    """RIFT-63, 97. Damage to a creature: Shield tokens, damage tokens, RAGE. harm: Harm. Returns the excess."""
    shields = min(np.int64(points), np.int64(state["shield"][g]))
    state["shield"][g] -= shields
    rest = points - shields
    room = max(np.int64(0), health_of(state, cards, g) - np.int64(state["damage"][g]))
    state["damage"][g] = saturated(np.int64(state["damage"][g]) + rest)
    if rest > 0 and is_deadly_hurt(state, cards, g):
        state["harm"][g] = harm
        state["shaken"] = 1
    rage = power(state, g, Ability.RAGE)
    if points > 0 and rage > 0:
        state["rage"][g] = saturated(np.int64(state["rage"][g]) + rage)
        note(state, g, Ability.RAGE)
        turn_up(state, cards, g)
    return max(np.int64(0), rest - room)


@kernel
def resisted(state: Record, cards: Record, g: int, points: int, magic: bool) -> np.int64:
    """RIFT-92, 102, 124. What RESISTANCE lets through of damage that is not of an effect."""
    if points == 0 or power(state, g, Ability.RESISTANCE) == 0:
        return np.int64(points)
    if magic:
        return np.int64(points)
    turn_up(state, cards, g)
    note(state, g, Ability.RESISTANCE)
    return np.int64(points // 2)


@kernel
def credit_blow(state: Record, cards: Record, g: int, by: tuple[int, int], points: int, earns: bool) -> None:
    """RIFT-73, register section 11. After a blow on creature g: whose kill it will be. by: seat, card that gave it (NOBODY)."""
    seat, card = by
    doomed = is_doomed(state, cards, g)
    if doomed and earns and points > 0 and side_of(g) != seat and state["credit"][g] == 0:
        state["credit"][g] = 1 + seat
        state["crediting"] = 1
    if card == NOBODY:
        return
    slot = slot_of(state, cards, seat, card)
    if slot != NONE:
        state["card_damage"][seat, slot] = saturated(np.int64(state["card_damage"][seat, slot]) + points)
        state["card_kills"][seat, slot] += 1 if doomed else 0
