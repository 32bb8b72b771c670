"""A creature moves or uses its Action (RIFT-12 to 15, 40 to 42, 82 to 111)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.blows import creature_of, declare, give_opportunity, spend_action
from sim.games.riftborn.deaths import await_tricks, settle
from sim.games.riftborn.entering import transform
from sim.games.riftborn.geometry import HALVES, are_adjacent, distance, in_contact_at, power
from sim.games.riftborn.harm import heal
from sim.games.riftborn.lists import begin_list, begin_summon
from sim.games.riftborn.places import change_places
from sim.games.riftborn.players import heal_player
from sim.games.riftborn.record import Ability, List
from sim.games.riftborn.state import CREATURES, NOBODY, PER_ROW, WAITING, code_of, saturated, side_of
from sim.games.riftborn.stats import lend, lend_swapped, note, turn_up
from sim.games.riftborn.switches import AdjacentEnemies, MoraleStart
from sim.games.riftborn.terms import Aim, Phase, Step
from sim.games.riftborn.uses import (
    ATTACK,
    ATTACK_PLAYER,
    CHARM,
    HEAL,
    MORALE,
    PACIFY,
    READY,
    SPELL,
    SUMMON,
    is_rearmost,
)

OWN_PLAYER = 30  # code of a TARGET


@kernel
def use(state: Record, cards: Record, code: int) -> None:
    """CREATURE. Carry out a Move or an Action of the creature in use."""
    g = np.int64(state["user"])
    state["phase"] = Phase.GOING
    if code < ATTACK:
        move(state, cards, g, creature_of(state, code))
        return
    if code <= ATTACK_PLAYER:
        declare(state, cards, code)
        return
    turn_up(state, cards, g)
    spend_action(state, g)
    state["step"] = Step.ACTED
    if code == CHARM:
        ask_target(state, Aim.CHARM)
    elif code == HEAL:
        ask_target(state, Aim.HEAL)
    elif code == PACIFY:
        ask_target(state, Aim.PACIFY)
    elif code == MORALE:
        note(state, g, Ability.MORALE)
        state["morale"][g] = MoraleStart.HEALTH if state["morale"][g] == MoraleStart.ATTACK else MoraleStart.ATTACK
        lend(state, cards)
    elif code == READY:
        note(state, g, Ability.READY)
        state["ready"][g] = saturated(np.int64(state["ready"][g]) + power(state, g, Ability.READY))
    elif code == SPELL:
        note(state, g, Ability.SPELL)
        state["list_owner"] = side_of(g)
        begin_list(state, np.int64(state["card"][g]), np.int64(List.MAIN), g, np.int64(Step.ACTED))
    elif code == SUMMON:
        note(state, g, Ability.SUMMON)
        token = np.int64(cards["summon"][state["card"][g]])
        begin_summon(state, g, token, power(state, g, Ability.SUMMON), np.int64(Step.ACTED))
    else:
        transform(state, cards, g)


@kernel
def ask_target(state: Record, aim: int) -> None:
    """Ask the active player for the target of an Action or a Weapon. aim: Aim."""
    state["phase"] = Phase.TARGET
    state["aim"] = aim
    state["seat"] = state["active"]


@kernel
def list_action_targets(state: Record, cards: Record, out: np.ndarray) -> int:
    """RIFT-82, 90, 94. Options of TARGET for CHARM, PACIFY and HEAL."""
    g, count = np.int64(state["user"]), 0
    healing = state["aim"] == Aim.HEAL
    side = side_of(g) if healing else 1 - side_of(g)
    for slot in range(CREATURES):
        other = np.int64(state["grid"][side, slot // PER_ROW, slot % PER_ROW])
        if other == NOBODY:
            continue
        if distance(state, g, other) == 1 if healing else are_adjacent(state, cards, g, other):
            out[count] = code_of(state, side_of(g), other)
            count += 1
    if healing and is_rearmost(state, g):
        out[count] = OWN_PLAYER
        count += 1
    return count


@kernel
def act_on_target(state: Record, cards: Record, code: int) -> None:
    """RIFT-82, 90, 94. CHARM, PACIFY or HEAL with the target chosen."""
    g = np.int64(state["user"])
    state["phase"] = Phase.GOING
    if state["aim"] == Aim.HEAL:
        note(state, g, Ability.HEAL)
        if code == OWN_PLAYER:
            heal_player(state, cards, side_of(g), power(state, g, Ability.HEAL))
        else:
            heal(state, creature_of(state, code), power(state, g, Ability.HEAL))
    elif state["aim"] == Aim.CHARM:
        note(state, g, Ability.CHARM)
        state["charm"][creature_of(state, code)] |= WAITING
    else:
        note(state, g, Ability.PACIFY)
        state["pacify"][creature_of(state, code)] |= WAITING


@kernel
def move(state: Record, cards: Record, g: int, partner: int) -> None:
    """RIFT-40 to 42. Change places; enemies that were adjacent and are not any more give an opportunity."""
    before = enemies_beside(state, cards, g)
    change_places(state, g, partner)
    lend_swapped(state, cards, g, partner)
    if state["swaps"][g] > 0:
        note(state, g, Ability.DASH)
    state["swaps"][g] += 1
    state["givers"] = before & ~enemies_beside(state, cards, g) if before != 0 else before
    state["step"] = Step.OPPORTUNITY
    give_opportunity(state, cards)


@kernel
def enemies_touching(state: Record, g: int) -> np.uint16:
    """RIFT-34. As `enemies_beside`, where only front rows touch: two enemies at most, over the half columns of the creature."""
    found = np.uint16(0)
    if state["row"][g] > 0:
        return found
    for half in range(HALVES):
        other = in_contact_at(state, g, np.int64(half))
        if other != NOBODY and state["row"][other] == 0 and power(state, other, Ability.DORMANT) == 0:
            found |= np.uint16(1 << (other % CREATURES))
    return found


@kernel
def enemies_beside(state: Record, cards: Record, g: int) -> np.uint16:
    """RIFT-34, 85. Adjacent enemies that would give an opportunity, as bits."""
    found, enemy = np.uint16(0), 1 - side_of(g)
    if cards["adjacent_enemies"] == AdjacentEnemies.TOUCHING:
        return enemies_touching(state, g)
    for k in range(CREATURES):
        other = np.int64(enemy * CREATURES + k)
        if state["card"][other] == NOBODY or power(state, other, Ability.DORMANT) > 0:
            continue
        if are_adjacent(state, cards, g, other):
            found |= np.uint16(1 << k)
    return found


@kernel
def finish_action(state: Record, cards: Record) -> None:
    """RIFT-70, 117. An Action is complete: death check, waiting tricks."""
    settle(state, cards, np.int64(NOBODY))
    await_tricks(state, np.int64(Step.MAIN))
