"""Decisions: what is open to a seat, the options in a fixed order, and what each of them does.

A MAIN decision names a category (`Act`), which leads to decisions about a card, a direction or a cell.
"""

import numpy as np

from sim.engine.jit import Record, bit_count, kernel, lowest_bit, without_lowest
from sim.games.cardrogue.record import POTION, SLOTS, Slot, Tile
from sim.games.cardrogue.rules import basics, combat, items, tiles, turn
from sim.games.cardrogue.state import (
    AIM,
    FLIP_CODE,
    GOLD_CODE,
    GOLD_OFFER_MAX,
    LEAP_STAY,
    MONSTER,
    NO_CARD,
    NOBODY,
    OFFHAND_CODE,
    SEATS,
    STAY_CODE,
    Act,
    Node,
    Step,
)

# what is open in a turn

NO_TYPES = np.uint64(0)
DEALS_MAX = 60  # purchases and sales in a turn (ROGUE-75, 76): bounds a turn under `sold_items = back_to_shop`


@kernel
def open_acts(state: Record, cards: Record, seat: int) -> int:
    """Categories open to the active player, bits 1 << Act."""
    if state["step"] == Step.FIGHT:
        acts = 1 << Act.ATTACK
        if combat.may_flee(state, cards, seat):
            acts |= 1 << Act.FLEE
        if cards["equip_in_combat"]:
            acts |= equip_acts(state, cards, seat)
    else:
        acts = 1 << Act.PASS
        if state["combat"][seat] == 0:
            acts |= quiet_acts(state, cards, seat)
    if state["held"][seat] & (cards["potion_bits"] | cards["scroll_bits"]):
        acts |= item_acts(state, cards, seat)
    if cards["spell_cooldown"][state["character"][seat]] and items.spells(state, cards, seat):
        acts |= 1 << Act.SPELL
    return acts


@kernel
def quiet_acts(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-24 to 31. Categories open out of combat, by step."""
    acts, cell, step = 0, state["cell"][seat], state["step"]
    if step == Step.FLIP:
        if tiles.down_sides(state, cell):
            acts |= 1 << Act.FLIP
    elif step == Step.MOVE:
        if state["moves_left"] > 0 and tiles.free_sides(state, cell):
            acts |= 1 << Act.MOVE
    elif state["seats"] > 1:
        acts |= social_acts(state, cards, seat)
    acts |= equip_acts(state, cards, seat)
    if state["tile"][cell] == Tile.SHOP and state["deals"] < DEALS_MAX:
        if items.can_afford_any(state, cards, seat):
            acts |= 1 << Act.BUY
        if items.has_wares(state, cards, seat):
            acts |= 1 << Act.SELL
    if state["stuck"][seat] != 0 and not state["mole_called"] and tiles.is_stuck(state, cards, seat) and items.has_narrow(state):
        acts |= 1 << Act.MOLE
    return acts


@kernel
def social_acts(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-65. Categories open towards adjacent players in step 3."""
    acts, sides = 0, tiles.player_sides(state, state["cell"][seat])
    if sides == 0:
        return 0
    if not state["tripped"] and not cards["no_trip"][state["character"][seat]]:
        acts |= 1 << Act.TRIP
    if not state["stole"] and items.steal_sides(state, cards, seat):
        acts |= 1 << Act.STEAL
    if state["offers"] < cards["offers_per_turn"] and items.trade_sides(state, cards, seat):
        acts |= 1 << Act.TRADE
    return acts


@kernel
def equip_acts(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-81. Whether equipment can be put on or taken off."""
    acts = 0
    if state["equips"] >= cards["equip_changes"]:
        return acts
    gear = state["held"][seat] & cards["gear_bits"]
    while gear != NO_TYPES:
        card = lowest_bit(gear)
        gear ^= basics.bit(card)
        if items.may_wear(state, cards, seat, card) or items.may_wear_offhand(state, cards, seat, card):
            acts |= 1 << Act.EQUIP
            break
    for slot in range(SLOTS):
        if state["worn"][seat, slot] != NO_CARD:
            return acts | 1 << Act.UNEQUIP
    return acts


@kernel
def item_acts(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-31. Whether potions can be drunk or thrown and scrolls read."""
    acts = 0
    if items.usable_potions(state, cards, seat):
        acts |= 1 << Act.DRINK
        if items.throw_sides(state, seat):
            acts |= 1 << Act.THROW
    if items.usable_scrolls(state, cards, seat):
        acts |= 1 << Act.SCROLL
    return acts


# the options of each decision


@kernel
def list_bits(bits: np.uint64, offset: int, out: np.ndarray) -> int:
    """Write the places of the bits of a set, in order, each minus `offset`; returns their number."""
    left, count = bits, 0
    while left != NO_TYPES:
        place = lowest_bit(left)
        left ^= basics.bit(place)
        out[count] = place - offset
        count += 1
    return count


@kernel
def list_sides(state: Record, cards: Record, node: int, out: np.ndarray) -> int:
    """Options of the decisions that ask for a direction, a spell, or yes or no."""
    seat = state["active"]
    cell, sides = state["cell"][seat], 0
    if node == Node.FLIP:
        sides = tiles.down_sides(state, cell)
    elif node in (Node.MOVE, Node.SPELL_MOVE, Node.BARD_FLEE):
        sides = tiles.free_sides(state, cell)
    elif node == Node.FLEE_STEP:  # ROGUE-58: move, flip, or stay if no move is possible
        ways = tiles.free_sides(state, cell)
        sides = ways | tiles.down_sides(state, cell) << FLIP_CODE | (1 << STAY_CODE if ways == 0 else 0)
    elif node == Node.LEAP:  # ROGUE-67: next to the victim, or stay
        sides = tiles.free_sides(state, state["cell"][state["arg"][0]]) | 1 << LEAP_STAY
    elif node in (Node.ATTACK, Node.SPELL_AT):
        sides = state["combat"][seat]
    elif node == Node.THROW_AT:
        sides = items.throw_sides(state, seat)
    elif node == Node.SCROLL_MOVE:
        sides = items.scroll_sides(state, cards, cell)
    elif node == Node.TRIP:
        sides = tiles.player_sides(state, cell)
    elif node == Node.STEAL:
        sides = items.steal_sides(state, cards, seat)
    elif node == Node.TRADE_WITH:
        sides = items.trade_sides(state, cards, seat)
    elif node == Node.SPELL:
        sides = items.spells(state, cards, seat)
    else:  # TRADE_ANSWER, SECOND_TURN
        sides = YES_OR_NO
    return list_bits(np.uint64(sides), 0, out)


@kernel
def list_cells(state: Record, cards: Record, node: int, out: np.ndarray) -> int:
    """Options of the decisions that ask for a cell (teleport, dig), in index order."""
    count = 0
    for cell in range(len(state["tile"])):
        tile = state["tile"][cell]
        if tile == Tile.NONE:
            continue
        if items.is_destination(state, cards, cell) if node == Node.TELEPORT else items.is_narrow(state, cell):
            out[count] = cell
            count += 1
    return count


@kernel
def list_starts(state: Record, out: np.ndarray) -> int:
    """ROGUE-19, 62. Starting tiles without a player; one with an enemy (A-23) only if there are no others."""
    count, beset = 0, 0
    for cell in range(len(state["tile"])):
        if state["tile"][cell] != Tile.START or tiles.player_at(state, cell) != NOBODY:
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
    seat, count = state["active"], 0
    left, offhand = state["held"][seat] & cards["gear_bits"], NO_CARD
    while left != NO_TYPES:
        card = lowest_bit(left)
        left ^= basics.bit(card)
        if items.may_wear(state, cards, seat, card):
            out[count] = card
            count += 1
        if items.may_wear_offhand(state, cards, seat, card):
            offhand = card
    if offhand != NO_CARD:
        out[count] = OFFHAND_CODE + offhand
        count += 1
    return count


@kernel
def list_worn(state: Record, cards: Record, out: np.ndarray) -> int:
    """ROGUE-81. Slots to empty; a two-slot card is listed under its first slot."""
    seat, count = state["active"], 0
    for slot in range(SLOTS):
        card = state["worn"][seat, slot]
        twice = slot == Slot.SECONDARY and card == state["worn"][seat, Slot.PRIMARY]
        if card != NO_CARD and not (twice and (cards["slots"][card] >> Slot.SECONDARY) & 1):
            out[count] = slot
            count += 1
    return count


@kernel
def list_wares(state: Record, cards: Record, node: int, out: np.ndarray) -> int:
    """ROGUE-75, 76, 111. Types that can be bought, or sold."""
    seat, count = state["active"], 0
    for card in range(cards["types"]):
        if node == Node.BUY:
            fits = state["shop"][card] > 0 and items.price(state, cards, seat, card) <= state["gold"][seat]
        else:
            fits = items.may_sell(state, cards, seat, card)
        if fits:
            out[count] = card
            count += 1
    return count


@kernel
def list_gives(state: Record, cards: Record, out: np.ndarray) -> int:
    """ROGUE-66. What can be offered: a card, or 64 + an amount of gold, if something is left to ask for in exchange."""
    seat, partner, count = state["active"], state["arg"][0], 0
    types = items.tradable(state, cards, seat, partner)
    for card in range(cards["types"]):
        if types & basics.bit(card) and items.wants(state, cards, seat, partner, card) > 0:
            out[count] = card
            count += 1
    for gold in range(1, min(GOLD_OFFER_MAX, state["gold"][seat]) + 1):
        if items.wants(state, cards, seat, partner, GOLD_CODE + gold) > 0:
            out[count] = GOLD_CODE + gold
            count += 1
    return count


@kernel
def list_wants(state: Record, cards: Record, out: np.ndarray) -> int:
    """ROGUE-66. What the partner can be asked for; no gold for gold, no offer twice."""
    seat, partner, give, count = state["active"], state["arg"][0], state["arg"][1], 0
    types = items.tradable(state, cards, partner, seat)
    for card in range(cards["types"]):
        if types & basics.bit(card) and not items.was_offered(state, partner, give, card):
            out[count] = card
            count += 1
    if give < GOLD_CODE:
        for gold in range(1, min(GOLD_OFFER_MAX, state["gold"][partner]) + 1):
            if not items.was_offered(state, partner, give, GOLD_CODE + gold):
                out[count] = GOLD_CODE + gold
                count += 1
    return count


@kernel
def list_estate(state: Record, cards: Record, out: np.ndarray) -> int:
    """ROGUE-61. Cards of the dead to keep or to leave; gold cards as 64 + index of a denomination."""
    seat = state["fallen"]
    count = list_bits(state["held"][seat], 0, out)
    for place in range(cards["denominations"]):
        if basics.purse_card(cards, state["gold"][seat], place) > 0:
            out[count] = GOLD_CODE + place
            count += 1
    return count


@kernel
def list_draft(state: Record, cards: Record, out: np.ndarray) -> int:
    """ROGUE-11, A-03. Characters that are not chosen yet."""
    count = 0
    for character in range(cards["characters"]):
        taken = False
        for seat in range(SEATS):
            taken = taken or state["character"][seat] == character
        if not taken:
            out[count] = character
            count += 1
    return count


# what a decision does


@kernel
def run(state: Record, cards: Record, seat: int, action: int, rng: Record) -> None:
    """ROGUE-58. One step of a flight: a move, a flip, or staying if no move is possible."""
    if action == STAY_CODE:
        return
    if action >= FLIP_CODE:
        before = state["combat"][seat]
        turn.flip(state, cards, seat, action - FLIP_CODE, rng)
        if state["combat"][seat] != before:
            state["step"] = Step.FIGHT
            state["enemies_acted"] = 0
        elif not basics.interrupted(state):
            state["node"] = Node.FLEE_STEP
        return
    combat.leave_all(state, cards, seat, True)
    state["step"] = Step.DONE
    turn.walk(state, cards, seat, action, rng)


# decisions as a whole


YES_OR_NO = 3  # bits of the options 0 and 1

_NODES = {
    Act.FLIP: Node.FLIP,
    Act.MOVE: Node.MOVE,
    Act.ATTACK: Node.ATTACK,
    Act.DRINK: Node.DRINK,
    Act.THROW: Node.THROW,
    Act.SCROLL: Node.SCROLL,
    Act.SPELL: Node.SPELL,
    Act.EQUIP: Node.EQUIP,
    Act.UNEQUIP: Node.UNEQUIP,
    Act.BUY: Node.BUY,
    Act.SELL: Node.SELL,
    Act.TRADE: Node.TRADE_WITH,
    Act.TRIP: Node.TRIP,
    Act.STEAL: Node.STEAL,
}
LEADS_TO = np.array([_NODES.get(act, Node.MAIN) for act in Act], np.int8)  # the decision that a category asks for
_COMPLETED = {
    *(Node.THROW, Node.THROW_AT, Node.SCROLL, Node.IDENTIFY, Node.SCROLL_MOVE),
    *(Node.SPELL, Node.SPELL_AT, Node.SPELL_MOVE, Node.SPELL_POTION),
}
COMPLETED = np.array([node in _COMPLETED for node in Node])  # decisions that `greedy` rates by their best end, see `is_completed`
SPELL_NODES = np.array([Node.SPELL_AT, Node.SPELL_MOVE, Node.SPELL_POTION], np.int8)  # by Spell (ROGUE-95)


@kernel
def current_player(state: Record) -> int:
    """Seat that decides: the active one, except for answers to offers and choices of the dead."""
    return state["asked"]


@kernel
def is_half_made(state: Record) -> bool:
    """Whether the decision at hand goes on with a throw, a scroll or a spell."""
    return is_completed(state, state["node"])


@kernel
def is_completed(state: Record, node: int) -> bool:
    """Whether `greedy` rates a kind of decision by its best end; throws in the end rush only: potions are kept for the golem."""
    return COMPLETED[node] and (state["rush"] != 0 or node not in (Node.THROW, Node.THROW_AT))


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """List the options of the decision at hand."""
    node, seat = state["node"], state["active"]
    if node == Node.MAIN:
        return list_bits(np.uint64(state["acts"]), 0, out)
    if node in (Node.KEEP, Node.LEAVE):
        return list_estate(state, cards, out)
    if node == Node.RESPAWN:
        return list_starts(state, out)
    if node in (Node.TELEPORT, Node.MOLE_TILE):
        return list_cells(state, cards, node, out)
    if node == Node.DRAFT:
        return list_draft(state, cards, out)
    if node in (Node.DRINK, Node.THROW):
        return list_bits(items.usable_potions(state, cards, seat), POTION, out)
    if node == Node.IDENTIFY:
        return list_bits(items.unknown_potions(state, cards, seat), POTION, out)
    if node == Node.SPELL_POTION:
        return list_bits(state["held"][seat] & cards["potion_bits"], POTION, out)
    if node == Node.SCROLL:
        return list_bits(items.usable_scrolls(state, cards, seat), 0, out)
    if node == Node.EQUIP:
        return list_gear(state, cards, out)
    if node == Node.UNEQUIP:
        return list_worn(state, cards, out)
    if node in (Node.BUY, Node.SELL, Node.MOLE_PAY):
        return list_wares(state, cards, node, out)
    if node == Node.TRADE_GIVE:
        return list_gives(state, cards, out)
    if node == Node.TRADE_WANT:
        return list_wants(state, cards, out)
    return list_sides(state, cards, node, out)


@kernel
def count_options(state: Record, cards: Record, out: np.ndarray) -> int:
    """Number of options; those of MAIN are not listed."""
    if state["node"] == Node.MAIN:
        return bit_count(np.uint64(state["acts"]))
    return legal_actions(state, cards, out)


@kernel
def nth_option(state: Record, cards: Record, out: np.ndarray, n: int) -> int:  # noqa: ARG001 - the verb's parameters
    """Option number `n`."""
    if state["node"] != Node.MAIN:
        return out[n]
    left = np.uint64(state["acts"])
    for _ in range(n):
        left = without_lowest(left)
    return lowest_bit(left)


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Carry a decision out, up to the next one."""
    node, seat = state["node"], state["active"]
    state["node"] = Node.MAIN  # the action can set another
    if node == Node.MAIN:
        choose_act(state, cards, seat, action, rng)
    elif node == Node.FLIP:
        turn.flip(state, cards, seat, action, rng)
    elif node == Node.MOVE:
        state["moves_left"] -= 1
        turn.walk(state, cards, seat, action, rng)
    elif node == Node.ATTACK:
        combat.attack(state, cards, seat, action, rng)
    elif node in (Node.FLEE_STEP, Node.BARD_FLEE):
        run(state, cards, seat, action, rng)
    # potions, scrolls and spells
    elif node == Node.DRINK:
        items.use_potion(state, cards, seat, action, items.SELF, rng)
    elif node == Node.THROW:
        state["arg"][0], state["node"] = action, Node.THROW_AT
    elif node == Node.THROW_AT:
        state["arg"][AIM] = action
        items.use_potion(state, cards, seat, state["arg"][0], action, rng)
    elif node == Node.TELEPORT:
        items.teleport(state, cards, seat, action, rng)
    elif node == Node.SCROLL:
        items.read_scroll(state, cards, seat, action)
    elif node == Node.IDENTIFY:
        basics.discard(state, seat, state["arg"][0])
        items.identify(state, cards, seat, action, rng)
    elif node == Node.SCROLL_MOVE:
        items.move_by_scroll(state, cards, seat, action)
    elif node == Node.SPELL:
        state["node"] = SPELL_NODES[action]
    elif node == Node.SPELL_AT:
        items.cast(state, cards, seat)
        slot = tiles.monster_at(state, tiles.neighbour(cards, state["cell"][seat], action))
        items.hurt_enemy(state, cards, seat, slot, action, cards["spell_damage"][state["character"][seat]], rng)
    elif node == Node.SPELL_MOVE:
        items.cast(state, cards, seat)
        turn.walk(state, cards, seat, action, rng)
    elif node == Node.SPELL_POTION:
        items.cast(state, cards, seat)
        basics.discard(state, seat, POTION + action)
        state["potions"][seat, items.FOR_SPELL] += 1
        basics.heal(state, cards, seat, cards["spell_heal"][state["character"][seat]])
    # equipment and the shop
    elif node == Node.EQUIP:
        state["equips"] += 1
        basics.put_on(state, cards, seat, action % OFFHAND_CODE, action >= OFFHAND_CODE)
    elif node == Node.UNEQUIP:
        state["equips"] += 1
        basics.take_off(state, cards, seat, action)
    elif node == Node.BUY:
        items.buy(state, cards, seat, action, rng)
    elif node == Node.SELL:
        items.sell(state, cards, seat, action)
    elif node == Node.MOLE_PAY:
        items.sell(state, cards, seat, action)
        items.pay_mole(state, cards, seat)
    elif node == Node.MOLE_TILE:
        items.dig(state, cards, action)
    # other players
    elif node == Node.TRADE_WITH:
        state["arg"][0] = tiles.player_at(state, tiles.neighbour(cards, state["cell"][seat], action))
        state["node"] = Node.TRADE_GIVE
    elif node == Node.TRADE_GIVE:
        state["arg"][1], state["node"] = action, Node.TRADE_WANT
    elif node == Node.TRADE_WANT:
        items.make_offer(state, seat, action)
    elif node == Node.TRADE_ANSWER:
        if action:
            items.swap(state, cards, seat)
    elif node == Node.TRIP:
        items.trip(state, cards, seat, action, rng)
    elif node == Node.LEAP:  # ROGUE-67
        if action != LEAP_STAY:
            state["walked"] = 1
            turn.stand_on(state, seat, tiles.neighbour(cards, state["cell"][state["arg"][0]], action), action)
            turn.arrive(state, cards, seat, rng)
    elif node == Node.STEAL:
        items.steal(state, cards, seat, action, rng)
    # the dead (ROGUE-61, 62), the draft, a second turn
    elif node == Node.KEEP:
        turn.keep(state, cards, state["fallen"], action)
    elif node == Node.LEAVE:
        turn.take_card_or_gold(state, cards, state["fallen"], action)
        turn.lay_down(state, state["fallen"], action)
        turn.bequeath(state, cards, state["fallen"])
    elif node == Node.RESPAWN:
        turn.respawn(state, cards, state["fallen"], action)
    elif node == Node.DRAFT:
        take_character(state, cards, action, rng)
    elif action:
        turn.begin_turn(state, cards, seat, rng)
        state["second"] = 1
    else:
        turn.next_turn(state, cards, rng)
    go_on(state, cards, rng)


@kernel
def choose_act(state: Record, cards: Record, seat: int, act: int, rng: Record) -> None:
    """MAIN: carry out the chosen category."""
    if act == Act.PASS:
        turn.pass_step(state, cards, seat, rng)
    elif act == Act.FLEE:
        combat.flee(state, cards, seat, rng)
    elif act == Act.MOLE:
        state["mole_called"] = 1
        state["moles"][seat] += 1
        basics.something_happened(state)
        items.pay_mole(state, cards, seat)
    else:
        state["node"] = LEADS_TO[act]


@kernel
def is_over(state: Record) -> bool:
    """ROGUE-104 to 107, 114. Whether the game has ended."""
    return state["node"] == Node.OVER


@kernel
def take_character(state: Record, cards: Record, character: int, rng: Record) -> None:
    """ROGUE-11, A-03. A seat chooses its character, beginning with the first player; after the last seat the game begins."""
    seat = state["asked"]
    basics.seat_character(state, cards, seat, character)
    first, following = state["first"], (seat + 1) % state["seats"]
    if following != first:
        state["asked"] = following
        state["node"] = Node.DRAFT
    else:
        turn.begin_turn(state, cards, first, rng)


@kernel
def go_on(state: Record, cards: Record, rng: Record) -> None:
    """Play on without choices up to the next decision or the end of the game."""
    while state["node"] == Node.MAIN:
        seat = state["active"]
        if state["fallen"] != NOBODY:
            turn.begin_death(state, cards)
        elif state["cut"]:
            turn.cut_turn(state, cards, seat, rng)
        else:
            tiles.open_chest(state, cards, seat)
            turn.follow_combat(state, cards, seat)
            if state["step"] == Step.DONE:
                turn.finish_turn(state, cards, seat, rng)
                continue
            state["acts"] = open_acts(state, cards, seat)
            if state["acts"] != 1 << Act.PASS:
                state["asked"] = seat
                return
            turn.pass_step(state, cards, seat, rng)
