"""Potions, scrolls and spells (ROGUE-83, 86 to 90, 95)."""

import numpy as np

from sim.engine.dice import roll
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.codes import POTION, Effect, Tile
from sim.games.cardrogue.decisions import AIM, Node
from sim.games.cardrogue.draw import Draw
from sim.games.cardrogue.engage import lift, restore, slay
from sim.games.cardrogue.grid import is_free, monster_at, neighbour, player_at
from sim.games.cardrogue.harm import afflict, heal, hurt, no_mere_walk
from sim.games.cardrogue.holding import discard, has_face
from sim.games.cardrogue.moves import carry_to, leaves_dungeon
from sim.games.cardrogue.record import DIE_FACES
from sim.games.cardrogue.state import MONSTER, NOBODY, Death, Down
from sim.games.cardrogue.switches import TeleportTargets
from sim.games.cardrogue.tiles import UNLIMITED, replace

UNKNOWN_EFFECT = 0  # of `effect`: the colour has not been used yet
DRUNK, THROWN_AT_PLAYER, THROWN_AT_ENEMY, FOR_SPELL = range(4)  # potions used, by use
THROWS_MAX = 1000  # of the die for one colour: chance needs far fewer, scripted dice that have run out show one face
SELF = -1  # direction of a potion that is drunk


@kernel
def identify(state: Record, cards: Record, seat: int, colour: int, rng: Record) -> None:
    """ROGUE-87. Find the effect of a colour: the die, again while the face belongs to another colour."""
    if state["effect"][colour] != UNKNOWN_EFFECT:
        return
    face = 0
    for _ in range(THROWS_MAX):
        face = roll(rng, seat, Draw.POTION, DIE_FACES)
        if is_unclaimed(state, cards, face):
            break
    while not is_unclaimed(state, cards, face):  # ends: there are as many effects as colours
        face = 1 + face % DIE_FACES
    state["effect"][colour] = face


@kernel
def is_unclaimed(state: Record, cards: Record, face: int) -> bool:
    """ROGUE-87. Whether a face of the die stands for an effect that belongs to no colour yet."""
    if not has_face(np.int64(cards["potion_faces"]), face):
        return False
    for colour in range(np.int64(cards["colours"])):
        if state["effect"][colour] == face:
            return False
    return True


@kernel
def use_potion(state: Record, cards: Record, seat: int, colour: int, direction: int, rng: Record) -> None:
    """ROGUE-86 to 90. Drink a potion (direction SELF) or throw it; may ask where somebody is teleported to."""
    no_mere_walk(state)
    discard(state, seat, POTION + colour)
    identify(state, cards, seat, colour, rng)
    face = np.int64(state["effect"][colour])
    target, slot = seat, NOBODY
    if direction != SELF:
        there = neighbour(cards, np.int64(state["cell"][seat]), direction)
        target, slot = player_at(state, there), monster_at(state, there)
    drunk = direction == SELF
    effect = np.int64(cards["drink_effect"][face] if drunk else cards["throw_effect"][face])
    n = np.int64(cards["drink_n"][face] if drunk else cards["throw_n"][face])
    if slot != NOBODY:
        state["potions"][seat, THROWN_AT_ENEMY] += 1
        affect_enemy(state, cards, seat, slot, effect, n, rng)
    else:
        state["potions"][seat, DRUNK if drunk else THROWN_AT_PLAYER] += 1
        affect(state, cards, target, effect, n)
    if effect == Effect.TELEPORT and not state["rush"] and may_teleport(state, cards):
        state["arg"][0], state["arg"][1] = target, slot
        state["node"] = Node.TELEPORT


@kernel
def affect(state: Record, cards: Record, seat: int, effect: int, n: int) -> None:
    """ROGUE-88. A potion acts on a player; teleportation is decided apart."""
    if effect == Effect.HEAL_FULL:
        heal(state, cards, seat, UNLIMITED)
    elif effect == Effect.ATTACK_MOD:
        state["potion_mod"][seat] += n
    elif effect == Effect.DAMAGE:
        hurt(state, seat, n, Death.POTION)
    else:
        afflict(state, seat, effect, n)


@kernel
def affect_enemy(state: Record, cards: Record, seat: int, slot: int, effect: int, n: int, rng: Record) -> None:
    """ROGUE-73, 89. A potion that `seat` has thrown, or the trap onto which it teleported the enemy, acts on it.

    Teleportation is decided apart.
    """
    if effect == Effect.HEAL_FULL:
        state["enemy_health"][slot] = cards["health"][state["enemy_type"][slot]]
    elif effect == Effect.POISON:
        poison_enemy(state, slot, seat, n)
    elif effect == Effect.PARALYZE:
        state["enemy_paralysed"][slot] = max(state["enemy_paralysed"][slot], n)
    elif effect == Effect.ATTACK_MOD:
        state["enemy_mod"][slot] += n
    elif effect == Effect.DAMAGE:
        hurt_enemy(state, cards, seat, slot, np.int64(state["arg"][AIM]), n, rng)


@kernel
def poison_enemy(state: Record, slot: int, seat: int, turns: int) -> None:
    """ROGUE-48, 89. Poison an enemy: the new poison counts, and whose turns it runs in, unless it is the lesser one."""
    if turns >= state["enemy_poison"][slot]:
        state["enemy_poison"][slot] = turns
        state["enemy_poisoner"][slot] = seat


@kernel
def hurt_enemy(state: Record, cards: Record, seat: int, slot: int, direction: int, amount: int, rng: Record) -> None:
    """ROGUE-46, 60. Damage that cannot be dodged; at 0 `seat` has slain the enemy. direction: where it lies from there."""
    dealt = min(amount, state["enemy_health"][slot])
    state["enemy_health"][slot] -= amount
    state["damage_dealt"][seat] += dealt
    if cards["single_turn"][state["enemy_type"][slot]]:
        state["bruised"] = 1
    if state["enemy_health"][slot] <= 0:
        slay(state, cards, seat, slot, direction, rng)


@kernel
def is_destination(state: Record, cards: Record, cell: int) -> bool:
    """ROGUE-90, A-23. Whether somebody can be teleported to a cell."""
    tile = np.int64(state["tile"][cell])
    if tile == Tile.NONE or state["down"][cell] != Down.NO or not is_free(state, cell):
        return False
    if cards["teleport_targets"] == TeleportTargets.ANY_REVEALED:
        return True
    if tile >= Tile.TRAP:
        return cards["teleport_targets"] == TeleportTargets.PLAIN_AND_TRAPS
    return tile == Tile.FLOOR


@kernel
def may_teleport(state: Record, cards: Record) -> bool:
    """ROGUE-90. Whether there is any destination."""
    for cell in range(len(state["tile"])):
        if state["tile"][cell] != Tile.NONE and is_destination(state, cards, cell):
            return True
    return False


@kernel
def teleport(state: Record, cards: Record, seat: int, cell: int, rng: Record) -> None:
    """ROGUE-90. Move the player or enemy that the potion of `seat` hit; the drinker's turn ends."""
    target, slot = np.int64(state["arg"][0]), np.int64(state["arg"][1])
    state["node"] = Node.MAIN
    if slot == NOBODY:
        carry_to(state, cards, target, cell)
        if target == seat:
            state["cut"] = 1
        return
    move_enemy(state, cards, seat, slot, cell, rng)


@kernel
def move_enemy(state: Record, cards: Record, seat: int, slot: int, cell: int, rng: Record) -> None:
    """ROGUE-73, 90. An enemy goes to another tile, whose trap acts on it; its old cell is replaced."""
    old = np.int64(state["enemy_cell"][slot])
    direction = np.int64(state["arg"][AIM])
    lift(state, cards, slot)
    restore(state, cards, slot)
    state["on"][cell] = MONSTER + slot
    state["enemy_cell"][slot] = cell
    replace(state, cards, seat, old, direction, rng)
    if state["tile"][cell] >= Tile.TRAP and state["enemy_cell"][slot] == cell:
        trap = np.int64(state["tile"][cell]) - Tile.TRAP
        effect, n = np.int64(cards["trap_effect"][trap]), np.int64(cards["trap_n"][trap])
        affect_enemy(state, cards, seat, slot, effect, n, rng)


@kernel
def read_scroll(state: Record, cards: Record, seat: int, card: int) -> None:
    """ROGUE-83. Read a scroll; identify and move ask on. The card is discarded with its effect."""
    no_mere_walk(state)
    effect, n = np.int64(cards["scroll_effect"][card]), np.int64(cards["scroll_n"][card])
    state["arg"][0] = card
    if effect == Effect.IDENTIFY:
        state["node"] = Node.IDENTIFY
        return
    if effect == Effect.MOVE_ANY:
        state["node"] = Node.SCROLL_MOVE
        return
    discard(state, seat, card)
    if effect == Effect.MAX_HEALTH:
        state["bonus"][seat] += n
        state["health"][seat] += n
    elif effect == Effect.ANTIDOTE:
        state["antidote"][seat] = n
    elif effect == Effect.REMOVE_CURSES:
        remove_curses(state, cards, seat)


@kernel
def remove_curses(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-83, 85. All cursed cards of a hand are discarded."""
    for card in range(np.int64(cards["types"])):
        if cards["cursed"][card]:
            for _ in range(np.int64(state["hand"][seat, card])):
                discard(state, seat, card)


@kernel
def move_by_scroll(state: Record, cards: Record, seat: int, direction: int) -> None:
    """ROGUE-83, 104. Move through walls; leaves combat and ends the turn; the way out still ends the game."""
    discard(state, seat, np.int64(state["arg"][0]))
    carry_to(state, cards, seat, neighbour(cards, np.int64(state["cell"][seat]), direction))
    state["heading"][seat] = direction
    state["cut"] = 1
    leaves_dungeon(state, cards, seat)


@kernel
def cast(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-95. A spell is cast: the next has to wait."""
    no_mere_walk(state)
    state["cooldown"][seat] = cards["spell_cooldown"][state["character"][seat]]
