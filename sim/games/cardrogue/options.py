"""What is open to a seat in its turn: the categories of the MAIN decision (ROGUE-24 to 31, 41, 65 to 69, 75 to 95, 111)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.codes import POTION, Effect, Slot, Tile
from sim.games.cardrogue.decisions import Act, Spell, Step
from sim.games.cardrogue.fight import may_flee
from sim.games.cardrogue.grid import (
    down_sides,
    free_sides,
    is_free,
    monster_sides,
    neighbour,
    opens,
    player_at,
    player_sides,
)
from sim.games.cardrogue.holding import bit, fits, has_potion
from sim.games.cardrogue.people import has_anything, trade_sides
from sim.games.cardrogue.record import SLOTS
from sim.games.cardrogue.search import is_stuck
from sim.games.cardrogue.shop import can_afford_any, has_narrow, has_wares
from sim.games.cardrogue.state import DIRECTIONS, NO_CARD, NOWHERE

NO_TYPES = np.uint64(0)
DEALS_MAX = 60  # purchases and sales in a turn (ROGUE-75, 76): bounds a turn under `sold_items = back_to_shop`


@kernel
def open_acts(state: Record, cards: Record, seat: int) -> int:
    """Register section 5. Categories open to the active player, bits 1 << Act."""
    if state["step"] == Step.FIGHT:
        acts = 1 << Act.ATTACK
        if may_flee(state, cards, seat):
            acts |= 1 << Act.FLEE
        if cards["equip_in_combat"]:
            acts |= equip_acts(state, cards, seat)
    else:
        acts = 1 << Act.PASS
        if state["combat"][seat] == 0:
            acts |= quiet_acts(state, cards, seat)
    if state["held"][seat] & (cards["potion_bits"] | cards["scroll_bits"]):
        acts |= item_acts(state, cards, seat)
    if cards["spell_cooldown"][state["character"][seat]] and spells(state, cards, seat):
        acts |= 1 << Act.SPELL
    return acts


@kernel
def quiet_acts(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-24 to 31. What one can do out of combat, by step."""
    acts, cell, step = 0, np.int64(state["cell"][seat]), np.int64(state["step"])
    if step == Step.FLIP:
        if down_sides(state, cards, cell):
            acts |= 1 << Act.FLIP
    elif step == Step.MOVE:
        if state["moves_left"] > 0 and free_sides(state, cards, cell):
            acts |= 1 << Act.MOVE
    elif state["seats"] > 1:
        acts |= social_acts(state, cards, seat)
    acts |= equip_acts(state, cards, seat)
    if state["tile"][cell] == Tile.SHOP and state["deals"] < DEALS_MAX:
        if can_afford_any(state, cards, seat):
            acts |= 1 << Act.BUY
        if has_wares(state, cards, seat):
            acts |= 1 << Act.SELL
    if not state["mole_called"] and is_stuck(state, cards, seat) and has_narrow(state):
        acts |= 1 << Act.MOLE
    return acts


@kernel
def social_acts(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-65. What one can do to players next to one in step 3."""
    acts, sides = 0, player_sides(state, cards, np.int64(state["cell"][seat]))
    if sides == 0:
        return 0
    if not state["tripped"] and not cards["no_trip"][state["character"][seat]]:
        acts |= 1 << Act.TRIP
    if not state["stole"] and steal_sides(state, cards, seat):
        acts |= 1 << Act.STEAL
    if state["offers"] < cards["offers_per_turn"] and trade_sides(state, cards, seat):
        acts |= 1 << Act.TRADE
    return acts


@kernel
def steal_sides(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-69. Directions of players who have something to steal, bits 1 << direction."""
    sides, found = player_sides(state, cards, np.int64(state["cell"][seat])), 0
    for direction in range(DIRECTIONS):
        if not opens(sides, direction):
            continue
        if has_anything(state, player_at(state, neighbour(cards, np.int64(state["cell"][seat]), direction))):
            found |= 1 << direction
    return found


@kernel
def equip_acts(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-81. Whether equipment can be put on or taken off."""
    acts = 0
    if state["equips"] >= cards["equip_changes"]:
        return acts
    if state["held"][seat] & cards["gear_bits"]:
        for card in range(np.int64(cards["types"])):
            if may_wear(state, cards, seat, card) or may_wear_offhand(state, cards, seat, card):
                acts |= 1 << Act.EQUIP
                break
    for slot in range(SLOTS):
        if state["worn"][seat, slot] != NO_CARD:
            acts |= 1 << Act.UNEQUIP
    return acts


@kernel
def may_wear(state: Record, cards: Record, seat: int, card: int) -> bool:
    """ROGUE-81, 92. Whether a card of the hand can be put on where it belongs, and does not lie there already."""
    if state["hand"][seat, card] == 0 or not fits(cards, np.int64(state["character"][seat]), card):
        return False
    for slot in range(SLOTS):
        if (cards["slots"][card] >> slot) & 1 and state["worn"][seat, slot] != card:
            return True
    return False


@kernel
def may_wear_offhand(state: Record, cards: Record, seat: int, card: int) -> bool:
    """ROGUE-92. Whether a card of the hand can be put into the secondary slot as an off-hand weapon."""
    own = np.int64(cards["offhand_type"][state["character"][seat]])
    return card == own and state["hand"][seat, card] > 0 and state["worn"][seat, Slot.SECONDARY] != card


@kernel
def item_acts(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-31. Whether potions can be drunk or thrown and scrolls read."""
    acts = 0
    if usable_potions(state, cards, seat):
        acts |= 1 << Act.DRINK
        if throw_sides(state, cards, seat):
            acts |= 1 << Act.THROW
    if usable_scrolls(state, cards, seat):
        acts |= 1 << Act.SCROLL
    return acts


@kernel
def usable_potions(state: Record, cards: Record, seat: int) -> np.uint64:
    """ROGUE-86, 90. Potions in hand as bits; in the end rush none that is known to teleport."""
    types = state["held"][seat] & cards["potion_bits"]
    if types != NO_TYPES and state["rush"]:
        for colour in range(np.int64(cards["colours"])):
            face = np.int64(state["effect"][colour])
            if cards["drink_effect"][face] == Effect.TELEPORT or cards["throw_effect"][face] == Effect.TELEPORT:
                types &= ~bit(POTION + colour)
    return types


@kernel
def throw_sides(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-86. Directions of players and enemies on adjacent cells, bits 1 << direction."""
    cell = np.int64(state["cell"][seat])
    return monster_sides(state, cards, cell) | player_sides(state, cards, cell)


@kernel
def usable_scrolls(state: Record, cards: Record, seat: int) -> np.uint64:
    """ROGUE-83. Scrolls in hand that can be read now, as bits."""
    types = state["held"][seat] & cards["scroll_bits"]
    if types == NO_TYPES:
        return types
    for item in range(np.int64(cards["items"])):
        card = np.int64(cards["item_type"][item])
        if types & bit(card) and not is_readable(state, cards, seat, np.int64(cards["scroll_effect"][card])):
            types &= ~bit(card)
    return types


@kernel
def is_readable(state: Record, cards: Record, seat: int, effect: int) -> bool:
    """ROGUE-83. Whether a scroll of this effect has something to act on."""
    if effect == Effect.IDENTIFY:
        return unknown_potions(state, cards, seat) != NO_TYPES
    if effect == Effect.MOVE_ANY:
        return scroll_sides(state, cards, np.int64(state["cell"][seat])) != 0
    if effect == Effect.ANTIDOTE:
        return state["poison"][seat] > 0
    if effect == Effect.REMOVE_CURSES:
        return state["held"][seat] & cards["cursed_bits"] != NO_TYPES
    return True


@kernel
def unknown_potions(state: Record, cards: Record, seat: int) -> np.uint64:
    """ROGUE-83. Potions in hand whose effect nobody knows, as bits."""
    types = state["held"][seat] & cards["potion_bits"]
    for colour in range(np.int64(cards["colours"])):
        if state["effect"][colour] != 0:
            types &= ~bit(POTION + colour)
    return types


@kernel
def scroll_sides(state: Record, cards: Record, cell: int) -> int:
    """ROGUE-83. Directions of the neighbour cells that are face-up and free, walls or not, bits 1 << direction."""
    sides = 0
    for direction in range(DIRECTIONS):
        there = neighbour(cards, cell, direction)
        if there != NOWHERE and is_free(state, there):
            sides |= 1 << direction
    return sides


@kernel
def spells(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-95. Spells that a Mage can cast now, bits 1 << Spell."""
    character, found = np.int64(state["character"][seat]), 0
    if state["cooldown"][seat] > 0:
        return found
    if state["combat"][seat] != 0:
        if cards["spell_damage"][character] > 0:
            found |= 1 << Spell.DAMAGE
    elif cards["spell_move"][character] and free_sides(state, cards, np.int64(state["cell"][seat])):
        found |= 1 << Spell.MOVE
    if cards["spell_heal"][character] > 0 and has_potion(state, cards, seat):
        found |= 1 << Spell.POTION
    return found
