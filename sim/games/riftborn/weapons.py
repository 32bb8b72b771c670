"""Weapons in use (RIFT-52)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.deaths import await_tricks, settle
from sim.games.riftborn.geometry import weapon_reaches
from sim.games.riftborn.harm import credit_blow, hit, resisted
from sim.games.riftborn.piles import discard, is_depleted
from sim.games.riftborn.record import Ability
from sim.games.riftborn.state import CREATURES, NOBODY, PER_ROW, WEAPONS, creature_at
from sim.games.riftborn.stats import turn_up
from sim.games.riftborn.switches import WeaponUses
from sim.games.riftborn.terms import Harm, Phase, Step


@kernel
def can_use_weapon(state: Record, cards: Record, seat: int, weapon: int) -> bool:
    """RIFT-52, RA-30. Whether a Weapon is there, may be used this turn and has a target."""
    card = np.int64(state["weapon"][seat, weapon])
    if card == NOBODY or (state["weapon_used"][seat, weapon] and cards["weapon_uses"] == WeaponUses.ONCE):
        return False
    for target in range((1 - seat) * CREATURES, (2 - seat) * CREATURES):
        if state["card"][target] != NOBODY and weapon_reaches(state, cards, card, target):
            return True
    return False


@kernel
def list_weapon_targets(state: Record, cards: Record, out: np.ndarray) -> int:
    """RIFT-52. Options of TARGET for a Weapon."""
    count, seat = 0, np.int64(state["active"])
    card = np.int64(state["weapon"][seat, state["user"]])
    for slot in range(CREATURES):
        target = np.int64(state["grid"][1 - seat, slot // PER_ROW, slot % PER_ROW])
        if target != NOBODY and weapon_reaches(state, cards, card, target):
            out[count] = CREATURES + slot
            count += 1
    return count


@kernel
def wield(state: Record, cards: Record, code: int) -> None:
    """RIFT-52. A Weapon hits its target and loses a use."""
    seat, weapon = np.int64(state["active"]), np.int64(state["user"])
    target = creature_at(state, seat, code)
    card = np.int64(state["weapon"][seat, weapon])
    turn_up(state, cards, target)
    magic = cards["ability"][card, Ability.MAGIC] > 0
    points = resisted(state, cards, target, np.int64(cards["attack"][card]), magic)
    hit(state, cards, target, points, Harm.WEAPON)
    credit_blow(state, cards, target, (seat, card), points, True)
    state["weapon_used"][seat, weapon] = 1
    state["uses"][seat, weapon] -= 1
    if state["uses"][seat, weapon] == 0:
        break_weapon(state, seat, weapon)
        discard(state, seat, card, is_depleted(cards, card))
    settle(state, cards, np.int64(NOBODY))
    state["phase"] = Phase.GOING
    await_tricks(state, np.int64(Step.MAIN))


@kernel
def break_weapon(state: Record, seat: int, weapon: int) -> None:
    """RIFT-52, 121. A Weapon is used up; the younger ones move up."""
    for at in range(weapon, WEAPONS - 1):
        state["weapon"][seat, at] = state["weapon"][seat, at + 1]
        state["uses"][seat, at] = state["uses"][seat, at + 1]
        state["weapon_used"][seat, at] = state["weapon_used"][seat, at + 1]
    state["weapon"][seat, WEAPONS - 1] = NOBODY
    state["uses"][seat, WEAPONS - 1] = 0
    state["weapon_used"][seat, WEAPONS - 1] = 0
