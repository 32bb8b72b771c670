"""Decisions open, in the codes of the register, ascending (section 5)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.actions import list_action_targets
from sim.games.riftborn.bits import code_bit, has, write_codes
from sim.games.riftborn.blows import THE_OPPONENT, behind
from sim.games.riftborn.entering import list_places
from sim.games.riftborn.lists import available, entry_of, is_free_play, open_rows
from sim.games.riftborn.places import has_place
from sim.games.riftborn.players import budget_of
from sim.games.riftborn.playing import is_first_copy, is_playable, list_tricks
from sim.games.riftborn.record import Ability
from sim.games.riftborn.state import CREATURES, NOBODY, PER_ROW, ROWS, SEATS, WEAPONS, code_of
from sim.games.riftborn.terms import Aim, Phase
from sim.games.riftborn.uses import ATTACK_PLAYER, is_useful, list_attacks, list_uses
from sim.games.riftborn.weapons import can_use_weapon, list_weapon_targets

PLAY = 1  # codes of MAIN: PLAY + place in the hand, USE + slot of a creature, WIELD + number of a Weapon
USE = 61
WIELD = 76
ANSWERS = 2  # to MULLIGAN: 0 keep, 1 return
LISTS_OF_SLOT = 2  # TRICK_FIRE: slot * 2 + list


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Register section 5. Write the decisions open; returns how many."""
    phase = state["phase"]
    if phase == Phase.MAIN:
        return list_main(state, cards, out)
    if phase == Phase.CREATURE:
        return list_uses(state, cards, np.int64(state["user"]), out)
    if phase == Phase.PLACE:
        return list_places(state, cards, out)
    if phase == Phase.TARGET:
        return list_targets(state, cards, out)
    if phase == Phase.ROW:
        return list_rows(state, cards, out)
    if phase == Phase.TRICK_SET:
        return list_tricks(state, out)
    if phase == Phase.TRICK_FIRE:
        return list_fires(state, out)
    if phase == Phase.HAND:
        return list_free_plays(state, cards, out)
    return list_numbers(ANSWERS if phase == Phase.MULLIGAN else np.int64(state["scry_n"] - state["scry_at"]), out)


@kernel
def list_numbers(count: int, out: np.ndarray) -> int:
    """Options 0, 1, ... of MULLIGAN and SCRY."""
    for answer in range(count):
        out[answer] = answer
    return count


@kernel
def list_main(state: Record, cards: Record, out: np.ndarray) -> int:
    """RIFT-12. End the turn, play a card, use a creature or a Weapon."""
    seat = np.int64(state["active"])
    out[0] = 0
    count = write_codes(playable_cards(state, cards, seat), PLAY, out, np.int64(1))
    count = write_codes(useful_creatures(state, cards, seat), USE, out, count)
    return write_codes(usable_weapons(state, cards, seat), WIELD, out, count)


@kernel
def playable_cards(state: Record, cards: Record, seat: int) -> np.uint64:
    """RIFT-22, 28. Places in the hand of cards that may be played, of equal ones the first, as bits."""
    found = np.uint64(0)
    budget, room = budget_of(state, cards, seat), has_place(state, cards, seat, np.int64(NOBODY))
    for at in range(np.int64(state["hand_n"][seat])):
        card = np.int64(state["hand"][seat, at])
        if is_playable(cards, card, budget, room) and is_first_copy(state, seat, np.int64(at)):
            found |= code_bit(at)
    return found


@kernel
def useful_creatures(state: Record, cards: Record, seat: int) -> np.uint64:
    """RIFT-12 to 15. Slots of creatures with a legal Move or Action, as bits."""
    found = np.uint64(0)
    for row in range(ROWS):
        for index in range(np.int64(state["row_len"][seat, row])):
            if is_useful(state, cards, np.int64(state["grid"][seat, row, index])):
                found |= code_bit(row * PER_ROW + index)
    return found


@kernel
def usable_weapons(state: Record, cards: Record, seat: int) -> np.uint64:
    """RIFT-52. Numbers of the Weapons that may be used, as bits."""
    found = np.uint64(0)
    for weapon in range(WEAPONS):
        if state["weapon"][seat, weapon] == NOBODY:
            break
        if can_use_weapon(state, cards, seat, np.int64(weapon)):
            found |= code_bit(weapon)
    return found


@kernel
def list_targets(state: Record, cards: Record, out: np.ndarray) -> int:
    """Options of TARGET, whatever it is for."""
    aim = state["aim"]
    if aim == Aim.EFFECT:
        return list_effect_targets(state, cards, out)
    if aim == Aim.WEAPON:
        return list_weapon_targets(state, cards, out)
    if aim == Aim.PASS:
        return list_behind(state, out)
    if aim == Aim.RETARGET:
        count = list_attacks(state, cards, np.int64(state["user"]), out, 0)
        if count > 0 and out[count - 1] == ATTACK_PLAYER:
            out[count - 1] = THE_OPPONENT
        return count
    return list_action_targets(state, cards, out)


@kernel
def list_effect_targets(state: Record, cards: Record, out: np.ndarray) -> int:
    """Register section 2.3. Creatures that may be chosen for an effect."""
    found, count, seat = available(state, cards, entry_of(state)), 0, np.int64(state["seat"])
    for code in range(SEATS * CREATURES):
        side = seat if code < CREATURES else 1 - seat
        slot = code % CREATURES
        g = np.int64(state["grid"][side, slot // PER_ROW, slot % PER_ROW])
        if g != NOBODY and has(found, g):
            out[count] = code
            count += 1
    return count


@kernel
def list_behind(state: Record, out: np.ndarray) -> int:
    """RIFT-65. The two creatures that a blow may pass on to."""
    first, second = behind(state, np.int64(state["hurt"]))
    out[0] = code_of(state, np.int64(state["seat"]), first)
    out[1] = code_of(state, np.int64(state["seat"]), second)
    return 2


@kernel
def list_rows(state: Record, cards: Record, out: np.ndarray) -> int:
    """Options of ROW."""
    rows, count = open_rows(state, cards, entry_of(state)), 0
    for row in range(SEATS * ROWS):
        if (rows >> row) & 1:
            out[count] = row
            count += 1
    return count


@kernel
def list_fires(state: Record, out: np.ndarray) -> int:
    """RIFT-118. Creatures with TRICK, and their effect lists."""
    count, seat = 0, np.int64(state["seat"])
    for slot in range(CREATURES):
        g = np.int64(state["grid"][seat, slot // PER_ROW, slot % PER_ROW])
        if g != NOBODY:
            for which in range(np.int64(state["ability"][g, Ability.TRICK])):
                out[count] = slot * LISTS_OF_SLOT + which
                count += 1
    return count


@kernel
def list_free_plays(state: Record, cards: Record, out: np.ndarray) -> int:
    """Effect `play_free`. Places in the hand of the cards that may be played."""
    card, which, entry = entry_of(state)
    count, seat = 0, np.int64(state["seat"])
    for at in range(np.int64(state["hand_n"][seat])):
        if is_free_play(state, cards, np.int64(at), np.int64(cards["n"][card, which, entry - 1])):
            out[count] = at
            count += 1
    return count
