"""What decisions do that name a card, a direction or a cell (register section 5)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.codes import POTION
from sim.games.cardrogue.decisions import AIM, FLIP_CODE, LEAP_STAY, OFFHAND_CODE, STAY_CODE, Node, Spell, Step
from sim.games.cardrogue.engage import leave_all
from sim.games.cardrogue.fight import attack
from sim.games.cardrogue.grid import monster_at, neighbour
from sim.games.cardrogue.harm import heal, interrupted
from sim.games.cardrogue.holding import discard, put_on, take_off
from sim.games.cardrogue.items import (
    FOR_SPELL,
    SELF,
    cast,
    hurt_enemy,
    identify,
    move_by_scroll,
    read_scroll,
    teleport,
    use_potion,
)
from sim.games.cardrogue.moves import arrive, flip, stand_on, walk
from sim.games.cardrogue.people import steal, trip
from sim.games.cardrogue.shop import buy, dig, pay_mole, sell


@kernel
def use_card(state: Record, cards: Record, seat: int, node: int, action: int, rng: Record) -> None:
    """Decisions about cards: potions, scrolls, spells, equipment, shop."""
    if node == Node.DRINK:
        use_potion(state, cards, seat, action, SELF, rng)
    elif node == Node.THROW:
        state["arg"][0] = action
        state["node"] = Node.THROW_AT
    elif node == Node.SCROLL:
        read_scroll(state, cards, seat, action)
    elif node == Node.IDENTIFY:
        discard(state, seat, np.int64(state["arg"][0]))
        identify(state, cards, seat, action, rng)
    elif node == Node.SPELL:
        begin_spell(state, action)
    elif node == Node.SPELL_POTION:
        cast(state, cards, seat)
        discard(state, seat, POTION + action)
        state["potions"][seat, FOR_SPELL] += 1
        heal(state, cards, seat, np.int64(cards["spell_heal"][state["character"][seat]]))
    elif node in (Node.EQUIP, Node.UNEQUIP):
        change_equipment(state, cards, seat, node, action)
    elif node == Node.BUY:
        buy(state, cards, seat, action, rng)
    else:
        sell(state, cards, seat, action)
        if node == Node.MOLE_PAY:
            pay_mole(state, cards, seat)


@kernel
def change_equipment(state: Record, cards: Record, seat: int, node: int, action: int) -> None:
    """ROGUE-81. Put a piece of equipment on, or take one off."""
    state["equips"] += 1
    if node == Node.UNEQUIP:
        take_off(state, cards, seat, action)
        return
    offhand = action >= OFFHAND_CODE
    put_on(state, cards, seat, action - OFFHAND_CODE if offhand else action, offhand)


@kernel
def begin_spell(state: Record, spell: int) -> None:
    """ROGUE-95. Which spell is cast."""
    if spell == Spell.DAMAGE:
        state["node"] = Node.SPELL_AT
    elif spell == Spell.MOVE:
        state["node"] = Node.SPELL_MOVE
    else:
        state["node"] = Node.SPELL_POTION


@kernel
def go(state: Record, cards: Record, seat: int, node: int, action: int, rng: Record) -> None:
    """Decisions that name a direction or a cell: those that move the player or turn a card up."""
    if node == Node.FLIP:
        flip(state, cards, seat, action, rng)
    elif node == Node.MOVE:
        state["moves_left"] -= 1
        walk(state, cards, seat, action, rng)
    elif node in (Node.FLEE_STEP, Node.BARD_FLEE):
        run(state, cards, seat, action, rng)
    elif node == Node.TELEPORT:
        teleport(state, cards, seat, action, rng)
    elif node == Node.SCROLL_MOVE:
        move_by_scroll(state, cards, seat, action)
    elif node == Node.SPELL_MOVE:
        cast(state, cards, seat)
        walk(state, cards, seat, action, rng)
    elif node == Node.LEAP:
        leap(state, cards, seat, action, rng)
    else:
        take_aim(state, cards, seat, node, action, rng)


@kernel
def take_aim(state: Record, cards: Record, seat: int, node: int, action: int, rng: Record) -> None:
    """Decisions that name a direction or a cell: those that strike, rob or dig there."""
    if node == Node.ATTACK:
        attack(state, cards, seat, action, rng)
    elif node == Node.THROW_AT:
        state["arg"][AIM] = action
        use_potion(state, cards, seat, np.int64(state["arg"][0]), action, rng)
    elif node == Node.SPELL_AT:
        cast(state, cards, seat)
        slot = monster_at(state, neighbour(cards, np.int64(state["cell"][seat]), action))
        hurt_enemy(state, cards, seat, slot, action, np.int64(cards["spell_damage"][state["character"][seat]]), rng)
    elif node == Node.TRIP:
        trip(state, cards, seat, action, rng)
    elif node == Node.STEAL:
        steal(state, cards, seat, action, rng)
    else:
        dig(state, cards, action)


@kernel
def run(state: Record, cards: Record, seat: int, action: int, rng: Record) -> None:
    """ROGUE-58. One step of a flight: a move, a flip, or staying where no move is possible."""
    if action == STAY_CODE:
        return
    if action >= FLIP_CODE:
        before = np.int64(state["combat"][seat])
        flip(state, cards, seat, action - FLIP_CODE, rng)
        if state["combat"][seat] != before:
            state["step"] = Step.FIGHT
            state["enemies_acted"] = 0
        elif not interrupted(state):
            state["node"] = Node.FLEE_STEP
        return
    leave_all(state, cards, seat, True)
    state["step"] = Step.DONE
    walk(state, cards, seat, action, rng)


@kernel
def leap(state: Record, cards: Record, seat: int, action: int, rng: Record) -> None:
    """ROGUE-67. Leap to a cell next to the victim, or stay."""
    if action == LEAP_STAY:
        return
    state["walked"] = 1
    stand_on(state, seat, neighbour(cards, np.int64(state["cell"][state["arg"][0]]), action), action)
    arrive(state, cards, seat, rng)
