"""The options of each decision, in a fixed order (register section 5)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.codes import POTION, Slot, Tile
from sim.games.cardrogue.decisions import (
    FLIP_CODE,
    GOLD_CODE,
    GOLD_OFFER_MAX,
    LEAP_STAY,
    OFFHAND_CODE,
    STAY_CODE,
    Act,
    Node,
)
from sim.games.cardrogue.grid import down_sides, free_sides, player_at, player_sides
from sim.games.cardrogue.holding import bit, purse_card
from sim.games.cardrogue.items import is_destination
from sim.games.cardrogue.options import (
    may_wear,
    may_wear_offhand,
    scroll_sides,
    spells,
    steal_sides,
    throw_sides,
    unknown_potions,
    usable_potions,
    usable_scrolls,
)
from sim.games.cardrogue.people import tradable, trade_sides, wants, was_offered
from sim.games.cardrogue.record import SLOTS
from sim.games.cardrogue.shop import is_narrow, may_sell, price
from sim.games.cardrogue.state import DIRECTIONS, MONSTER, NO_CARD, NOBODY, SEATS

ACTS = Act.MOLE + 1


@kernel
def list_bits(bits: int, places: int, out: np.ndarray) -> int:
    """Write the places of the bits set, in order; returns how many."""
    count = 0
    for place in range(places):
        if (bits >> place) & 1:
            out[count] = place
            count += 1
    return count


@kernel
def list_types(cards: Record, types: np.uint64, offset: int, out: np.ndarray) -> int:
    """Write the card types of a set, less `offset`; returns how many."""
    count = 0
    for card in range(np.int64(cards["types"])):
        if types & bit(card):
            out[count] = card - offset
            count += 1
    return count


@kernel
def list_sides(state: Record, cards: Record, node: int, out: np.ndarray) -> int:
    """Directions of the decisions that ask for one."""
    seat = np.int64(state["active"])
    cell = np.int64(state["cell"][seat])
    sides = np.int64(0)
    if node == Node.FLIP:
        sides = down_sides(state, cards, cell)
    elif node in (Node.MOVE, Node.SPELL_MOVE, Node.BARD_FLEE):
        sides = free_sides(state, cards, cell)
    elif node in (Node.ATTACK, Node.SPELL_AT):
        sides = np.int64(state["combat"][seat])
    elif node == Node.THROW_AT:
        sides = throw_sides(state, cards, seat)
    elif node == Node.SCROLL_MOVE:
        sides = scroll_sides(state, cards, cell)
    elif node == Node.TRIP:
        sides = player_sides(state, cards, cell)
    elif node == Node.STEAL:
        sides = steal_sides(state, cards, seat)
    elif node == Node.TRADE_WITH:
        sides = trade_sides(state, cards, seat)
    return list_bits(sides, DIRECTIONS, out)


@kernel
def list_flight(state: Record, cards: Record, out: np.ndarray) -> int:
    """ROGUE-58. Ways of a flight: move, flip, or stay if no move is possible."""
    cell = np.int64(state["cell"][state["active"]])
    ways = free_sides(state, cards, cell)
    flips = down_sides(state, cards, cell)
    return list_bits(ways | flips << FLIP_CODE | (1 << STAY_CODE if ways == 0 else 0), STAY_CODE + 1, out)


@kernel
def list_leaps(state: Record, cards: Record, out: np.ndarray) -> int:
    """ROGUE-67. Cells next to the victim, and to stay."""
    return list_bits(
        free_sides(state, cards, np.int64(state["cell"][state["arg"][0]])) | 1 << LEAP_STAY, LEAP_STAY + 1, out
    )


@kernel
def list_cells(state: Record, cards: Record, node: int, out: np.ndarray) -> int:
    """Cells to teleport to, to dig at, or to come back on, in index order."""
    if node == Node.RESPAWN:
        return list_starts(state, out)
    count = 0
    for cell in range(len(state["tile"])):
        tile = np.int64(state["tile"][cell])
        if tile == Tile.NONE:
            continue
        if is_destination(state, cards, cell) if node == Node.TELEPORT else is_narrow(state, cell):
            out[count] = cell
            count += 1
    return count


@kernel
def list_starts(state: Record, out: np.ndarray) -> int:
    """ROGUE-19, 62. Starting tiles without a player; those with an enemy on them (A-23) only if there are no others."""
    count, beset = 0, 0
    for cell in range(len(state["tile"])):
        if state["tile"][cell] != Tile.START or player_at(state, cell) != NOBODY:
            continue
        if state["on"][cell] < MONSTER:
            out[count] = cell
            count += 1
        elif count == 0:
            beset = cell
    if count == 0:
        out[0] = beset
        count = 1
    return count


@kernel
def list_gear(state: Record, cards: Record, out: np.ndarray) -> int:
    """ROGUE-81, 92. Items of the hand that can be put on; 64 + type: as an off-hand weapon."""
    seat, count = np.int64(state["active"]), 0
    for card in range(np.int64(cards["types"])):
        if may_wear(state, cards, seat, card):
            out[count] = card
            count += 1
    for card in range(np.int64(cards["types"])):
        if may_wear_offhand(state, cards, seat, card):
            out[count] = OFFHAND_CODE + card
            count += 1
    return count


@kernel
def list_worn(state: Record, cards: Record, out: np.ndarray) -> int:
    """ROGUE-81. Slots to empty; a two-slot card is named by its first."""
    seat, count = np.int64(state["active"]), 0
    for slot in range(SLOTS):
        card = np.int64(state["worn"][seat, slot])
        twice = slot == Slot.SECONDARY and card == state["worn"][seat, Slot.PRIMARY]
        if card != NO_CARD and not (twice and (cards["slots"][card] >> Slot.SECONDARY) & 1):
            out[count] = slot
            count += 1
    return count


@kernel
def list_wares(state: Record, cards: Record, node: int, out: np.ndarray) -> int:
    """ROGUE-75, 76, 111. Types that can be bought, or sold."""
    seat, count = np.int64(state["active"]), 0
    for card in range(np.int64(cards["types"])):
        if node == Node.BUY:
            fits = state["shop"][card] > 0 and price(state, cards, seat, card) <= state["gold"][seat]
        else:
            fits = may_sell(state, cards, seat, card)
        if fits:
            out[count] = card
            count += 1
    return count


@kernel
def list_gives(state: Record, cards: Record, out: np.ndarray) -> int:
    """ROGUE-66. What can be offered: own cards, or 64 + gold, as long as something is left to ask for it."""
    seat, partner, count = np.int64(state["active"]), np.int64(state["arg"][0]), 0
    types = tradable(state, cards, seat, partner)
    for card in range(np.int64(cards["types"])):
        if types & bit(card) and wants(state, cards, seat, partner, card) > 0:
            out[count] = card
            count += 1
    for gold in range(1, np.int64(min(GOLD_OFFER_MAX, state["gold"][seat])) + 1):
        if wants(state, cards, seat, partner, GOLD_CODE + gold) > 0:
            out[count] = GOLD_CODE + gold
            count += 1
    return count


@kernel
def list_wants(state: Record, cards: Record, out: np.ndarray) -> int:
    """ROGUE-66. What can be asked of the partner for what is offered; gold not for gold, no offer twice."""
    seat, partner, give, count = np.int64(state["active"]), np.int64(state["arg"][0]), np.int64(state["arg"][1]), 0
    types = tradable(state, cards, partner, seat)
    for card in range(np.int64(cards["types"])):
        if types & bit(card) and not was_offered(state, partner, give, card):
            out[count] = card
            count += 1
    if give < GOLD_CODE:
        for gold in range(1, np.int64(min(GOLD_OFFER_MAX, state["gold"][partner])) + 1):
            if not was_offered(state, partner, give, GOLD_CODE + gold):
                out[count] = GOLD_CODE + gold
                count += 1
    return count


@kernel
def list_estate(state: Record, cards: Record, out: np.ndarray) -> int:
    """ROGUE-61. Cards of the dead to keep or to leave, and 64 + index of a denomination."""
    seat = np.int64(state["fallen"])
    count = list_types(cards, state["held"][seat], 0, out)
    for place in range(np.int64(cards["denominations"])):
        if purse_card(cards, np.int64(state["gold"][seat]), place) > 0:
            out[count] = GOLD_CODE + place
            count += 1
    return count


@kernel
def list_draft(state: Record, cards: Record, out: np.ndarray) -> int:
    """ROGUE-11, A-03. Characters that nobody has chosen yet."""
    count = 0
    for character in range(np.int64(cards["characters"])):
        taken = False
        for seat in range(SEATS):
            taken = taken or state["character"][seat] == character
        if not taken:
            out[count] = character
            count += 1
    return count


@kernel
def list_potions(state: Record, cards: Record, node: int, out: np.ndarray) -> int:
    """Colours to drink, throw, give for a spell, or identify."""
    seat = np.int64(state["active"])
    if node == Node.IDENTIFY:
        return list_types(cards, unknown_potions(state, cards, seat), POTION, out)
    if node == Node.SPELL_POTION:
        return list_types(cards, state["held"][seat] & cards["potion_bits"], POTION, out)
    return list_types(cards, usable_potions(state, cards, seat), POTION, out)


@kernel
def list_items(state: Record, cards: Record, node: int, out: np.ndarray) -> int:
    """Options of the decisions about cards."""
    seat = np.int64(state["active"])
    if node in (Node.DRINK, Node.THROW, Node.IDENTIFY, Node.SPELL_POTION):
        return list_potions(state, cards, node, out)
    if node == Node.SCROLL:
        return list_types(cards, usable_scrolls(state, cards, seat), 0, out)
    if node == Node.SPELL:
        return list_bits(spells(state, cards, seat), DIRECTIONS, out)
    if node == Node.EQUIP:
        return list_gear(state, cards, out)
    if node == Node.UNEQUIP:
        return list_worn(state, cards, out)
    if node == Node.TRADE_GIVE:
        return list_gives(state, cards, out)
    if node == Node.TRADE_WANT:
        return list_wants(state, cards, out)
    return list_wares(state, cards, node, out)
