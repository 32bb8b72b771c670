"""Decisions of Riftborn Tactics: list the legal ones, apply one, and go on to the next."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.cards import NONE, TRICKS, Ability
from sim.games.riftborn.rules import attack, damage, effects, placement, players, turn
from sim.games.riftborn.state import (
    ALL,
    CREATURES,
    NOBODY,
    PER_ROW,
    ROWS,
    THE_PLAYER,
    WEAPONS,
    Aim,
    Phase,
    Step,
    code_bit,
    code_of,
    creature_at,
    has,
    power,
    with_bit,
    write_codes,
)

PLAY = 1  # codes of MAIN: PLAY + place in the hand, USE + slot of a creature, WIELD + number of a Weapon
USE = 61
WIELD = 76
TRICK_CODES = np.uint64((2 << TRICKS) - 1)  # of TRICK_SET, as bits: 0, and each Trick
ANSWERS = 2  # to MULLIGAN: 0 keep, 1 return
LISTS_OF_SLOT = 2  # TRICK_FIRE: slot * 2 + list


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Write the open decisions, ascending; returns their number."""
    phase = state["phase"]
    if phase == Phase.MAIN:
        return list_main(state, cards, out)
    if phase == Phase.CREATURE:
        return write_codes(attack.uses_of(state, cards, state["user"]), 0, out, 0)
    if phase == Phase.PLACE:
        return turn.list_places(state, cards, out)
    if phase == Phase.TARGET:
        return list_targets(state, cards, out)
    if phase == Phase.ROW:
        return write_codes(np.uint64(effects.open_rows(state, cards, effects.entry_of(state))), 0, out, 0)
    if phase == Phase.TRICK_SET:  # none, or a TRICK card that the player has not laid (RIFT-115)
        return write_codes(np.uint64(state["tricks"][state["active"]]) ^ TRICK_CODES, 0, out, 0)
    if phase == Phase.TRICK_FIRE:
        return list_fires(state, out)
    if phase == Phase.HAND:
        return list_free_plays(state, cards, out)
    count = ANSWERS if phase == Phase.MULLIGAN else state["scry_n"] - state["scry_at"]
    return write_codes(code_bit(count) - code_bit(0), 0, out, 0)


@kernel
def list_main(state: Record, cards: Record, out: np.ndarray) -> int:
    """RIFT-12. End the turn, play a card, use a creature or a Weapon."""
    seat = state["active"]
    out[0] = 0
    count = write_codes(playable_cards(state, cards, seat), PLAY, out, 1)
    count = write_codes(useful_creatures(state, cards, seat), USE, out, count)
    return write_codes(usable_weapons(state, cards, seat), WIELD, out, count)


@kernel
def playable_cards(state: Record, cards: Record, seat: int) -> np.uint64:
    """RIFT-22, 28. Places in the hand of playable cards, of equal cards the first, as bits."""
    found, seen = np.uint64(0), np.uint64(0)  # seen: different cards of the deck
    budget, room = players.budget_of(state, cards, seat), placement.has_place(state, cards, seat, NOBODY)
    for at in range(state["hand_n"][seat]):
        card = np.int64(state["hand"][seat, at])
        if turn.is_playable(cards, card, budget, room):
            slot = players.slot_of(state, cards, seat, card)
            if slot == NONE:  # a card that is not in the deck: possible in a position written by hand
                first = turn.is_first_copy(state, seat, at)
            else:
                first = (seen & code_bit(slot)) == np.uint64(0)
                seen |= code_bit(slot)
            if first:
                found |= code_bit(at)
    return found


@kernel
def useful_creatures(state: Record, cards: Record, seat: int) -> np.uint64:
    """RIFT-12 to 15. Slots of creatures with a legal Move or Action, as bits."""
    found = np.uint64(0)
    for row in range(ROWS):
        for index in range(state["row_len"][seat, row]):
            if attack.is_useful(state, cards, state["grid"][seat, row, index]):
                found |= code_bit(row * PER_ROW + index)
    return found


@kernel
def usable_weapons(state: Record, cards: Record, seat: int) -> np.uint64:
    """RIFT-52. Numbers of the Weapons that can be used, as bits."""
    found = np.uint64(0)
    for weapon in range(WEAPONS):
        if state["weapon"][seat, weapon] == NOBODY:
            break
        if attack.can_use_weapon(state, cards, seat, weapon):
            found |= code_bit(weapon)
    return found


@kernel
def list_targets(state: Record, cards: Record, out: np.ndarray) -> int:
    """Options of TARGET, for each Aim."""
    aim, seat = state["aim"], state["seat"]
    if aim == Aim.EFFECT:
        return write_creatures(state, effects.available(state, cards, effects.entry_of(state)), out)
    if aim == Aim.WEAPON:
        return write_creatures(state, attack.weapon_targets(state, cards, seat, state["user"]), out)
    if aim == Aim.PASS:
        first, second = attack.behind(state, state["hurt"])
        return write_creatures(state, with_bit(with_bit(np.uint32(0), first), second), out)
    if aim == Aim.RETARGET:
        count = write_codes(attack.attacks_of(state, cards, state["user"]), 0, out, 0)
        if count > 0 and out[count - 1] == attack.ATTACK_PLAYER:
            out[count - 1] = attack.THE_OPPONENT
        return count
    count = write_creatures(state, attack.action_targets(state, cards), out)
    if aim == Aim.HEAL and attack.is_rearmost(state, state["user"]):
        out[count] = attack.OWN_PLAYER
        count += 1
    return count


@kernel
def write_creatures(state: Record, found: np.uint32, out: np.ndarray) -> int:
    """Write the codes of a set of creatures, as the seat that decides sees them; returns their number."""
    codes = np.uint64(0)
    for g in range(ALL):
        if has(found, g):
            codes |= code_bit(code_of(state, state["seat"], g))
    return write_codes(codes, 0, out, 0)


@kernel
def list_fires(state: Record, out: np.ndarray) -> int:
    """RIFT-118. Creatures with TRICK, and their effect lists."""
    count, seat = 0, state["seat"]
    for slot in range(CREATURES):
        g = state["grid"][seat, slot // PER_ROW, slot % PER_ROW]
        if g != NOBODY:
            for which in range(state["ability"][g, Ability.TRICK]):
                out[count] = slot * LISTS_OF_SLOT + which
                count += 1
    return count


@kernel
def list_free_plays(state: Record, cards: Record, out: np.ndarray) -> int:
    """Effect `play_free`. Places in the hand of the cards that can be played."""
    card, which, entry = effects.entry_of(state)
    count, seat = 0, state["seat"]
    for at in range(state["hand_n"][seat]):
        if effects.is_free_play(state, cards, at, cards["n"][card, which, entry - 1]):
            out[count] = at
            count += 1
    return count


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Apply one decision and go on to the next. action: one of the codes that `legal_actions` lists."""
    decide(state, cards, rng, action)
    while state["phase"] == Phase.GOING:
        take_step(state, cards, rng)


@kernel
def decide(state: Record, cards: Record, rng: Record, code: int) -> None:
    """The immediate result of a decision."""
    phase = state["phase"]
    if phase == Phase.MAIN:
        decide_main(state, cards, code)
    elif phase == Phase.CREATURE:
        attack.use(state, cards, code)
    elif phase == Phase.PLACE:
        state["phase"] = Phase.GOING
        turn.enter(state, cards, code)
    elif phase == Phase.TARGET:
        decide_target(state, cards, code)
    elif phase == Phase.MULLIGAN:
        turn.mulligan_card(state, cards, rng, code)
    elif phase == Phase.ROW:
        effects.take_row(state, cards, code)
    elif phase == Phase.SCRY:
        order_card(state, code)
    elif phase == Phase.TRICK_SET:
        turn.lay_trick(state, code)
    elif phase == Phase.TRICK_FIRE:
        effects.fire(state, cards, code)
    else:
        turn.play_free(state, cards, code)


@kernel
def decide_main(state: Record, cards: Record, code: int) -> None:
    """RIFT-12. End the turn, play a card, select a creature or a Weapon."""
    state["phase"] = Phase.GOING
    if code == 0:
        turn.end_turn(state, cards)
        return
    state["done_this_turn"] += 1
    if code < USE:
        turn.play(state, cards, code - PLAY)
    elif code < WIELD:
        state["user"] = creature_at(state, state["active"], code - USE)
        state["phase"] = Phase.CREATURE
        state["seat"] = state["active"]
    else:
        state["user"] = code - WIELD
        attack.ask_target(state, Aim.WEAPON)


@kernel
def decide_target(state: Record, cards: Record, code: int) -> None:
    """A TARGET decision, for each Aim."""
    aim = state["aim"]
    if aim == Aim.EFFECT:
        effects.take_target(state, cards, code)
        return
    state["phase"] = Phase.GOING
    if aim == Aim.WEAPON:
        attack.wield(state, cards, code)
    elif aim == Aim.PASS:
        attack.pass_on(state, cards, creature_at(state, state["seat"], code))
    elif aim == Aim.RETARGET:
        target = THE_PLAYER if code == attack.THE_OPPONENT else attack.creature_of(state, code)
        attack.aim_at(state, cards, state["user"], target)
        begin_second(state)
    else:
        attack.act_on_target(state, cards, code)


@kernel
def order_card(state: Record, pick: int) -> None:
    """RIFT-104. Put one more card back; the last one follows automatically."""
    players.put_next(state, state["seat"], state["scry_at"], pick)
    state["scry_at"] += 1
    if state["scry_at"] == state["scry_n"] - 1:
        state["phase"] = Phase.GOING


@kernel
def take_step(state: Record, cards: Record, rng: Record) -> None:
    """Take the next step. Each step sets the one that follows, asks a player, or ends the game."""
    step = state["step"]
    if step == Step.MAIN:
        turn.ask_main(state)
    elif step == Step.TRICKS:
        effects.next_trick(state)
    elif step == Step.PLAYED:
        turn.next_played(state, cards, rng)
    elif step == Step.LIST:
        effects.next_entry(state, cards, rng)
    elif step == Step.START:
        turn.start_turn(state, cards, rng)
    elif step == Step.ENDED:
        turn.pass_turn(state, cards)
    elif step == Step.ACTED:
        attack.finish_action(state, cards)
    elif step == Step.PLACED:
        turn.after_placement(state, cards)
    elif step == Step.SUMMON:
        turn.summon_next(state, cards)
    elif step == Step.FREE_DONE:
        turn.finish_free(state)
    elif step == Step.CARD_DONE:
        turn.finish_card(state, cards)
    elif step == Step.STRIKE:
        attack.strike(state, cards)
    elif step == Step.BLOW:
        attack.follow_blow(state, cards)
    elif step == Step.ANSWER:
        attack.answer(state, cards)
    elif step == Step.EXCHANGED:
        attack.close_exchange(state, cards)
    elif step == Step.SECOND:
        seek_second(state, cards)
    else:
        attack.give_opportunity(state, cards)


@kernel
def seek_second(state: Record, cards: Record) -> None:
    """RIFT-49. The second strike of DOUBLE ATTACK, or the end of the attack."""
    attacker, target = state["user"], state["target"]
    state["step"] = Step.MAIN  # deaths and tricks are resolved
    if state["strike"] > 1 or state["card"][attacker] == NOBODY or power(state, attacker, Ability.DOUBLE_ATTACK) == 0:
        return
    if cards["double_retarget"][state["card"][attacker]]:
        if attack.has_prey(state, cards, attacker):
            attack.ask_target(state, Aim.RETARGET)
    elif target == THE_PLAYER or state["card"][target] != NOBODY:
        begin_second(state)


@kernel
def begin_second(state: Record) -> None:
    """RIFT-49. Strike again."""
    damage.note(state, state["user"], Ability.DOUBLE_ATTACK)
    state["strike"] += 1
    state["step"] = Step.STRIKE
