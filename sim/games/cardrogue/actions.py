"""Decisions: what is open to a seat, the options in a fixed order, and what each of them does.

A MAIN decision names a category (`Act`), which leads to decisions about a card, a direction or a cell.
"""

import numpy as np

from sim.engine.jit import Record, bit_count, kernel, lowest_bit
from sim.games.cardrogue.record import POTION, SLOTS, Slot, Tile
from sim.games.cardrogue.rules.basics import bit, discard, heal, interrupted, purse_card, put_on, seat_character, take_off
from sim.games.cardrogue.rules.combat import attack, flee, leave_all, may_flee
from sim.games.cardrogue.rules.items import (
    FOR_SPELL,
    SELF,
    buy,
    call_mole,
    can_afford_any,
    cast,
    dig,
    has_narrow,
    has_wares,
    hurt_enemy,
    identify,
    is_destination,
    is_narrow,
    make_offer,
    may_sell,
    may_wear,
    may_wear_offhand,
    move_by_scroll,
    pay_mole,
    price,
    read_scroll,
    scroll_sides,
    sell,
    spells,
    steal,
    steal_sides,
    swap,
    teleport,
    throw_sides,
    tradable,
    trade_sides,
    trip,
    unknown_potions,
    usable_potions,
    usable_scrolls,
    use_potion,
    wants,
    was_offered,
)
from sim.games.cardrogue.rules.tiles import (
    ONE,
    down_sides,
    free_sides,
    is_stuck,
    monster_at,
    neighbour,
    open_chest,
    player_at,
    player_sides,
)
from sim.games.cardrogue.rules.turn import (
    arrive,
    begin_death,
    begin_turn,
    cut_turn,
    finish_turn,
    flip,
    follow_combat,
    keep,
    leave_card,
    next_turn,
    pass_step,
    respawn,
    stand_on,
    walk,
)
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
    Spell,
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
    """ROGUE-24 to 31. Categories open out of combat, by step."""
    acts, cell, step = 0, np.int64(state["cell"][seat]), np.int64(state["step"])
    if step == Step.FLIP:
        if down_sides(state, cell):
            acts |= 1 << Act.FLIP
    elif step == Step.MOVE:
        if state["moves_left"] > 0 and free_sides(state, cell):
            acts |= 1 << Act.MOVE
    elif state["seats"] > 1:
        acts |= social_acts(state, cards, seat)
    acts |= equip_acts(state, cards, seat)
    if state["tile"][cell] == Tile.SHOP and state["deals"] < DEALS_MAX:
        if can_afford_any(state, cards, seat):
            acts |= 1 << Act.BUY
        if has_wares(state, cards, seat):
            acts |= 1 << Act.SELL
    if state["stuck"][seat] != 0 and not state["mole_called"] and is_stuck(state, cards, seat) and has_narrow(state):
        acts |= 1 << Act.MOLE
    return acts


@kernel
def social_acts(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-65. Categories open towards adjacent players in step 3."""
    acts, sides = 0, player_sides(state, np.int64(state["cell"][seat]))
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
def equip_acts(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-81. Whether equipment can be put on or taken off."""
    acts = 0
    if state["equips"] >= cards["equip_changes"]:
        return acts
    gear = state["held"][seat] & cards["gear_bits"]
    while gear != NO_TYPES:
        card = lowest_bit(gear)
        gear ^= bit(card)
        if may_wear(state, cards, seat, card) or may_wear_offhand(state, cards, seat, card):
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
    if usable_potions(state, cards, seat):
        acts |= 1 << Act.DRINK
        if throw_sides(state, seat):
            acts |= 1 << Act.THROW
    if usable_scrolls(state, cards, seat):
        acts |= 1 << Act.SCROLL
    return acts


# the options of each decision


@kernel
def list_bits(bits: np.uint64, offset: int, out: np.ndarray) -> int:
    """Write the places of the bits of a set, in order, each minus `offset`; returns their number."""
    left, count = bits, 0
    while left != NO_TYPES:
        place = lowest_bit(left)
        left ^= bit(place)
        out[count] = place - offset
        count += 1
    return count


@kernel
def list_sides(state: Record, cards: Record, node: int, out: np.ndarray) -> int:
    """Options of the decisions that ask for a direction."""
    seat = np.int64(state["active"])
    cell = np.int64(state["cell"][seat])
    sides = 0
    if node == Node.FLIP:
        sides = down_sides(state, cell)
    elif node in (Node.MOVE, Node.SPELL_MOVE, Node.BARD_FLEE):
        sides = free_sides(state, cell)
    elif node in (Node.ATTACK, Node.SPELL_AT):
        sides = state["combat"][seat]
    elif node == Node.THROW_AT:
        sides = throw_sides(state, seat)
    elif node == Node.SCROLL_MOVE:
        sides = scroll_sides(state, cards, cell)
    elif node == Node.TRIP:
        sides = player_sides(state, cell)
    elif node == Node.STEAL:
        sides = steal_sides(state, cards, seat)
    elif node == Node.TRADE_WITH:
        sides = trade_sides(state, cards, seat)
    return list_bits(np.uint64(sides), 0, out)


@kernel
def list_flight(state: Record, out: np.ndarray) -> int:
    """ROGUE-58. Options of a flight: move, flip, or stay if no move is possible."""
    cell = np.int64(state["cell"][state["active"]])
    ways = free_sides(state, cell)
    flips = down_sides(state, cell)
    return list_bits(np.uint64(ways | flips << FLIP_CODE | (1 << STAY_CODE if ways == 0 else 0)), 0, out)


@kernel
def list_leaps(state: Record, out: np.ndarray) -> int:
    """ROGUE-67. Options of a leap: a cell next to the victim, or stay."""
    return list_bits(np.uint64(free_sides(state, np.int64(state["cell"][state["arg"][0]])) | 1 << LEAP_STAY), 0, out)


@kernel
def list_cells(state: Record, cards: Record, node: int, out: np.ndarray) -> int:
    """Options of the decisions that ask for a cell (teleport, dig, come back), in index order."""
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
    """ROGUE-19, 62. Starting tiles without a player; one with an enemy (A-23) only if there are no others."""
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
    left, offhand = state["held"][seat] & cards["gear_bits"], NO_CARD
    while left != NO_TYPES:
        card = lowest_bit(left)
        left ^= bit(card)
        if may_wear(state, cards, seat, card):
            out[count] = card
            count += 1
        if may_wear_offhand(state, cards, seat, card):
            offhand = card
    if offhand != NO_CARD:
        out[count] = OFFHAND_CODE + offhand
        count += 1
    return count


@kernel
def list_worn(state: Record, cards: Record, out: np.ndarray) -> int:
    """ROGUE-81. Slots to empty; a two-slot card is listed under its first slot."""
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
    """ROGUE-66. What can be offered: a card, or 64 + an amount of gold, if something is left to ask for in exchange."""
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
    """ROGUE-66. What the partner can be asked for; no gold for gold, no offer twice."""
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
    """ROGUE-61. Cards of the dead to keep or to leave; gold cards as 64 + index of a denomination."""
    seat = np.int64(state["fallen"])
    count = list_bits(state["held"][seat], 0, out)
    for place in range(np.int64(cards["denominations"])):
        if purse_card(cards, np.int64(state["gold"][seat]), place) > 0:
            out[count] = GOLD_CODE + place
            count += 1
    return count


@kernel
def list_draft(state: Record, cards: Record, out: np.ndarray) -> int:
    """ROGUE-11, A-03. Characters that are not chosen yet."""
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
        return list_bits(unknown_potions(state, cards, seat), POTION, out)
    if node == Node.SPELL_POTION:
        return list_bits(state["held"][seat] & cards["potion_bits"], POTION, out)
    return list_bits(usable_potions(state, cards, seat), POTION, out)


@kernel
def list_items(state: Record, cards: Record, node: int, out: np.ndarray) -> int:
    """Options of the decisions about cards."""
    seat = np.int64(state["active"])
    if node in (Node.DRINK, Node.THROW, Node.IDENTIFY, Node.SPELL_POTION):
        return list_potions(state, cards, node, out)
    if node == Node.SCROLL:
        return list_bits(usable_scrolls(state, cards, seat), 0, out)
    if node == Node.SPELL:
        return list_bits(np.uint64(spells(state, cards, seat)), 0, out)
    if node == Node.EQUIP:
        return list_gear(state, cards, out)
    if node == Node.UNEQUIP:
        return list_worn(state, cards, out)
    if node == Node.TRADE_GIVE:
        return list_gives(state, cards, out)
    if node == Node.TRADE_WANT:
        return list_wants(state, cards, out)
    return list_wares(state, cards, node, out)


# what a decision does


@kernel
def use_card(state: Record, cards: Record, seat: int, node: int, action: int, rng: Record) -> None:
    """Carry out decisions about cards: potions, scrolls, spells, equipment, shop."""
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
    """ROGUE-95. Go on to the decision of the chosen spell."""
    if spell == Spell.DAMAGE:
        state["node"] = Node.SPELL_AT
    elif spell == Spell.MOVE:
        state["node"] = Node.SPELL_MOVE
    else:
        state["node"] = Node.SPELL_POTION


@kernel
def go(state: Record, cards: Record, seat: int, node: int, action: int, rng: Record) -> None:
    """Carry out decisions for a direction or cell that move the player or turn a card up."""
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
    """Carry out decisions for a direction or cell that attack, trip, steal or dig there."""
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
    """ROGUE-58. One step of a flight: a move, a flip, or staying if no move is possible."""
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


# decisions as a whole


YES_OR_NO = np.uint64(3)  # bits of the options 0 and 1

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


@kernel
def current_player(state: Record) -> np.int64:
    """Seat that decides: the active one, except for answers to offers and choices of the dead."""
    return np.int64(state["asked"])


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """List the options of the decision at hand."""
    node = np.int64(state["node"])
    if node == Node.MAIN:
        return list_bits(np.uint64(state["acts"]), 0, out)
    if node in (Node.KEEP, Node.LEAVE):
        return list_estate(state, cards, out)
    if node in (Node.RESPAWN, Node.TELEPORT, Node.MOLE_TILE):
        return list_cells(state, cards, node, out)
    if node in (Node.TRADE_ANSWER, Node.SECOND_TURN):
        return list_bits(YES_OR_NO, 0, out)
    if node == Node.FLEE_STEP:
        return list_flight(state, out)
    if node == Node.LEAP:
        return list_leaps(state, out)
    if node == Node.DRAFT:
        return list_draft(state, cards, out)
    if is_about_cards(node):
        return list_items(state, cards, node, out)
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
        left &= left - ONE
    return lowest_bit(left)


@kernel
def is_about_cards(node: int) -> bool:
    """Whether the options of a decision are cards, colours or slots."""
    return node in (Node.DRINK, Node.THROW, Node.SCROLL, Node.IDENTIFY, Node.SPELL, Node.SPELL_POTION, Node.EQUIP) or node in (
        Node.UNEQUIP,
        Node.BUY,
        Node.SELL,
        Node.MOLE_PAY,
        Node.TRADE_GIVE,
        Node.TRADE_WANT,
    )


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Carry a decision out, up to the next one."""
    node, seat = np.int64(state["node"]), np.int64(state["active"])
    state["node"] = Node.MAIN  # the action can set another
    chosen = np.int64(action)
    if node == Node.MAIN:
        choose_act(state, cards, seat, chosen, rng)
    elif node in (Node.KEEP, Node.LEAVE, Node.RESPAWN):
        settle_death(state, cards, node, chosen)
    elif node in (Node.TRADE_WITH, Node.TRADE_GIVE, Node.TRADE_WANT, Node.TRADE_ANSWER):
        trade(state, cards, seat, node, chosen)
    elif node == Node.DRAFT:
        take_character(state, cards, chosen, rng)
    elif node == Node.SECOND_TURN:
        if chosen:
            begin_turn(state, cards, seat, rng)
            state["second"] = 1
        else:
            next_turn(state, cards, rng)
    elif is_about_cards(node):
        use_card(state, cards, seat, node, chosen, rng)
    else:
        go(state, cards, seat, node, chosen, rng)
    go_on(state, cards, rng)


@kernel
def choose_act(state: Record, cards: Record, seat: int, act: int, rng: Record) -> None:
    """MAIN: carry out the chosen category."""
    if act == Act.PASS:
        pass_step(state, cards, seat, rng)
    elif act == Act.FLEE:
        flee(state, cards, seat, rng)
    elif act == Act.MOLE:
        call_mole(state, cards, seat)
    else:
        state["node"] = LEADS_TO[act]


@kernel
def settle_death(state: Record, cards: Record, node: int, action: int) -> None:
    """ROGUE-61, 62. Carry out decisions of the dead."""
    seat = np.int64(state["fallen"])
    if node == Node.KEEP:
        keep(state, cards, seat, action)
    elif node == Node.LEAVE:
        leave_card(state, cards, seat, action)
    else:
        respawn(state, cards, seat, action)


@kernel
def trade(state: Record, cards: Record, seat: int, node: int, action: int) -> None:
    """ROGUE-66. Carry out an offer, piece by piece, and its answer."""
    if node == Node.TRADE_WITH:
        state["arg"][0] = player_at(state, neighbour(cards, np.int64(state["cell"][seat]), action))
        state["node"] = Node.TRADE_GIVE
    elif node == Node.TRADE_GIVE:
        state["arg"][1] = action
        state["node"] = Node.TRADE_WANT
    elif node == Node.TRADE_WANT:
        make_offer(state, seat, action)
    elif action:
        swap(state, cards, seat)


@kernel
def is_over(state: Record) -> bool:
    """ROGUE-104 to 107, 114. Whether the game has ended."""
    return state["node"] == Node.OVER


@kernel
def take_character(state: Record, cards: Record, character: int, rng: Record) -> None:
    """ROGUE-11, A-03. A seat chooses its character, beginning with the first player; after the last seat the game begins."""
    seat = np.int64(state["asked"])
    seat_character(state, cards, seat, character)
    first, following = np.int64(state["first"]), (seat + 1) % np.int64(state["seats"])
    if following != first:
        state["asked"] = following
        state["node"] = Node.DRAFT
    else:
        begin_turn(state, cards, first, rng)


@kernel
def go_on(state: Record, cards: Record, rng: Record) -> None:
    """Play on without choices up to the next decision or the end of the game."""
    while state["node"] == Node.MAIN:
        seat = np.int64(state["active"])
        if state["fallen"] != NOBODY:
            begin_death(state, cards)
        elif state["cut"]:
            cut_turn(state, cards, seat, rng)
        else:
            open_chest(state, cards, seat)
            follow_combat(state, cards, seat)
            if state["step"] == Step.DONE:
                finish_turn(state, cards, seat, rng)
                continue
            state["acts"] = open_acts(state, cards, seat)
            if state["acts"] != 1 << Act.PASS:
                state["asked"] = seat
                return
            pass_step(state, cards, seat, rng)
