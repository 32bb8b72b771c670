"""Items: potions, scrolls and spells, equipment, the shop and the mole, and what players do to each other with them.

ROGUE-31, 65 to 69, 73, 75, 76, 81, 83, 86 to 90, 92, 94 to 96, 111.
"""

import numpy as np

from sim.engine.dice import NOT_SCRIPTED, below, refuse_draw, roll, scripted_draw
from sim.engine.jit import Record, bit_count, kernel, lowest_bit
from sim.games.cardrogue.hidden import NO_ENTRY, Draw
from sim.games.cardrogue.record import (
    DIE_FACES,
    ENTRIES,
    POTION,
    SLOTS,
    TILE_ENTRY,
    Category,
    Effect,
    Goal,
    Slot,
    SoldItems,
    TeleportTargets,
    Tile,
)
from sim.games.cardrogue.rules import basics, combat, tiles, turn
from sim.games.cardrogue.rules.basics import fits
from sim.games.cardrogue.state import (
    AIM,
    DIRECTIONS,
    GOLD_CODE,
    GOLD_OFFER_MAX,
    MONSTER,
    NO_CARD,
    NOBODY,
    NOWHERE,
    Death,
    Down,
    Node,
    Points,
    Source,
    Spell,
)

# potions, scrolls and spells

UNKNOWN_EFFECT = 0  # of `effect`: the colour has not been used yet
DRUNK, THROWN_AT_PLAYER, THROWN_AT_ENEMY, FOR_SPELL = range(4)  # ways to use a potion
THROWS_MAX = 1000  # of the die for one colour: chance needs far fewer, but scripted dice that have run out repeat a face
SELF = -1  # direction of a potion that is drunk


@kernel
def identify(state: Record, cards: Record, seat: int, colour: int, rng: Record) -> None:
    """ROGUE-87. Determine the effect of a colour: throw the die until the face belongs to no other colour."""
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
    """ROGUE-87. Whether a face of the die has an effect that belongs to no colour yet."""
    if not basics.has_face(np.int64(cards["potion_faces"]), face):
        return False
    for colour in range(cards["colours"]):
        if state["effect"][colour] == face:
            return False
    return True


@kernel
def use_potion(state: Record, cards: Record, seat: int, colour: int, direction: int, rng: Record) -> None:
    """ROGUE-86 to 90. Drink a potion (direction SELF) or throw it; teleportation then asks for a cell."""
    basics.no_mere_walk(state)
    basics.discard(state, seat, POTION + colour)
    identify(state, cards, seat, colour, rng)
    face = state["effect"][colour]
    target, slot = seat, NOBODY
    if direction != SELF:
        there = tiles.neighbour(cards, state["cell"][seat], direction)
        target, slot = tiles.player_at(state, there), tiles.monster_at(state, there)
    drunk = direction == SELF
    effect = cards["drink_effect"][face] if drunk else cards["throw_effect"][face]
    n = cards["drink_n"][face] if drunk else cards["throw_n"][face]
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
    """ROGUE-88. A potion acts on a player; teleportation is a decision of its own."""
    if effect == Effect.HEAL_FULL:
        basics.heal(state, cards, seat, tiles.UNLIMITED)
    elif effect == Effect.ATTACK_MOD:
        state["potion_mod"][seat] += n
    elif effect == Effect.DAMAGE:
        basics.hurt(state, seat, n, Death.POTION)
    else:
        basics.afflict(state, seat, effect, n)


@kernel
def affect_enemy(state: Record, cards: Record, seat: int, slot: int, effect: int, n: int, rng: Record) -> None:
    """ROGUE-48, 73, 89. An enemy is hit by a potion that `seat` threw, or by the trap onto which `seat` teleported it.

    Teleportation is a decision of its own.
    """
    if effect == Effect.HEAL_FULL:
        state["enemy_health"][slot] = cards["health"][state["enemy_type"][slot]]
    elif effect == Effect.POISON:
        if n >= state["enemy_poison"][slot]:  # the new poison and poisoner replace the old ones unless the old counter is larger
            state["enemy_poison"][slot], state["enemy_poisoner"][slot] = n, seat
    elif effect == Effect.PARALYZE:
        state["enemy_paralysed"][slot] = max(state["enemy_paralysed"][slot], n)
    elif effect == Effect.ATTACK_MOD:
        state["enemy_mod"][slot] += n
    elif effect == Effect.DAMAGE:
        hurt_enemy(state, cards, seat, slot, state["arg"][AIM], n, rng)


@kernel
def hurt_enemy(state: Record, cards: Record, seat: int, slot: int, direction: int, amount: int, rng: Record) -> None:
    """ROGUE-46, 60. Damage that cannot be dodged; at 0 `seat` has slain the enemy. direction: from the seat to the enemy."""
    dealt = min(amount, state["enemy_health"][slot])
    state["enemy_health"][slot] -= amount
    state["damage_dealt"][seat] += dealt
    if cards["single_turn"][state["enemy_type"][slot]]:
        state["bruised"] = 1
    if state["enemy_health"][slot] <= 0:
        combat.slay(state, cards, seat, slot, direction, rng)


@kernel
def is_destination(state: Record, cards: Record, cell: int) -> bool:
    """ROGUE-90, A-23. Whether teleportation can lead to a cell."""
    tile = state["tile"][cell]
    if tile == Tile.NONE or state["down"][cell] != Down.NO or not tiles.is_free(state, cell):
        return False
    if cards["teleport_targets"] == TeleportTargets.ANY_REVEALED:
        return True
    if tile >= Tile.TRAP:
        return cards["teleport_targets"] == TeleportTargets.PLAIN_AND_TRAPS
    return tile == Tile.FLOOR


@kernel
def may_teleport(state: Record, cards: Record) -> bool:
    """ROGUE-90. Whether teleportation has any destination."""
    for cell in range(len(state["tile"])):
        if state["tile"][cell] != Tile.NONE and is_destination(state, cards, cell):
            return True
    return False


@kernel
def teleport(state: Record, cards: Record, seat: int, cell: int, rng: Record) -> None:
    """ROGUE-90. Move the player or enemy that the potion of `seat` hit; the drinker's turn ends."""
    target, slot = state["arg"][0], state["arg"][1]
    state["node"] = Node.MAIN
    if slot == NOBODY:
        turn.carry_to(state, cards, target, cell)
        if target == seat:
            state["cut"] = 1
        return
    move_enemy(state, cards, seat, slot, cell, rng)


@kernel
def move_enemy(state: Record, cards: Record, seat: int, slot: int, cell: int, rng: Record) -> None:
    """ROGUE-59, 73, 90. Move an enemy to another tile, whose trap acts on it; its old cell is replaced."""
    old = state["enemy_cell"][slot]
    direction = state["arg"][AIM]
    is_fought = state["order"][slot, 0] != NOBODY
    combat.lift(state, cards, slot)
    if is_fought:
        combat.restore(state, cards, slot)
    state["on"][cell] = MONSTER + slot
    state["enemy_cell"][slot] = cell
    tiles.survey(state, cards, cell)
    tiles.replace(state, cards, seat, old, direction, rng)
    if state["tile"][cell] >= Tile.TRAP and state["enemy_cell"][slot] == cell:
        trap = state["tile"][cell] - Tile.TRAP
        effect, n = cards["trap_effect"][trap], cards["trap_n"][trap]
        affect_enemy(state, cards, seat, slot, effect, n, rng)


@kernel
def read_scroll(state: Record, cards: Record, seat: int, card: int) -> None:
    """ROGUE-83. Read a scroll; identify and move ask a further decision. The card is discarded when it takes effect."""
    basics.no_mere_walk(state)
    effect, n = cards["scroll_effect"][card], cards["scroll_n"][card]
    state["arg"][0] = card
    if effect == Effect.IDENTIFY:
        state["node"] = Node.IDENTIFY
        return
    if effect == Effect.MOVE_ANY:
        state["node"] = Node.SCROLL_MOVE
        return
    basics.discard(state, seat, card)
    if effect == Effect.MAX_HEALTH:
        state["bonus"][seat] += n
        state["health"][seat] += n
    elif effect == Effect.ANTIDOTE:
        state["antidote"][seat] = n
    elif effect == Effect.REMOVE_CURSES:
        remove_curses(state, cards, seat)


@kernel
def remove_curses(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-83, 85. Discard all cursed cards of a hand."""
    for card in range(cards["types"]):
        if cards["cursed"][card]:
            for _ in range(state["hand"][seat, card]):
                basics.discard(state, seat, card)


@kernel
def move_by_scroll(state: Record, cards: Record, seat: int, direction: int) -> None:
    """ROGUE-83, 104. Move through walls, leave combat and end the turn; the way out still ends the game."""
    basics.discard(state, seat, state["arg"][0])
    turn.carry_to(state, cards, seat, tiles.neighbour(cards, state["cell"][seat], direction))
    state["heading"][seat] = direction
    state["cut"] = 1
    turn.leaves_dungeon(state, cards, seat)


@kernel
def cast(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-95. Cast a spell: the cooldown begins."""
    basics.no_mere_walk(state)
    state["cooldown"][seat] = cards["spell_cooldown"][state["character"][seat]]


# shop and mole

FOUR_WAY = tiles.AHEAD | tiles.LEFT | tiles.RIGHT


@kernel
def price(state: Record, cards: Record, seat: int, card: int) -> int:
    """ROGUE-75, 96. Price of a shop card for a player."""
    own = cards["own_buy_multiplier"][state["character"][seat]]
    return cards["gold"][card] * (own if own > 0 else cards["buy_multiplier"])


@kernel
def can_afford_any(state: Record, cards: Record, seat: int) -> bool:
    """ROGUE-75. Whether any card of the shop pile can be paid for."""
    for item in range(cards["items"]):
        card = cards["item_type"][item]
        if state["shop"][card] > 0 and price(state, cards, seat, card) <= state["gold"][seat]:
            return True
    return False


@kernel
def buy(state: Record, cards: Record, seat: int, card: int, rng: Record) -> None:
    """ROGUE-75, 92. Buy a card of the shop pile; a Rogue can get it for free. The debt leaves the game."""
    basics.something_happened(state)
    state["progress"] = 1
    faces = cards["free_buy_faces"][state["character"][seat]]
    if faces == 0 or not basics.rolls_within(rng, seat, Draw.BUY, faces):
        state["gold"][seat] -= price(state, cards, seat, card)
        state["gold_spent"][seat] += price(state, cards, seat, card)
    state["shop"][card] -= 1
    state["deals"] += 1
    state["bought"][seat, cards["item_number"][card]] += 1
    if cards["category"][card] == Category.DEBT:
        state["gone"][card] += 1
        state["scored"][seat, Points.DEBT] += cards["vp"][card]
        state["goals_done"] |= Goal.DEBT
    else:
        basics.gain(state, cards, seat, card)


@kernel
def may_sell(state: Record, cards: Record, seat: int, card: int) -> bool:
    """ROGUE-76, 94. Whether a player has a card of this type, in hand or worn, and can sell it."""
    if not cards["sellable"][card]:
        return False
    if cards["no_sell_items"][state["character"][seat]] and cards["category"][card] != Category.ENEMY:
        return False
    return state["hand"][seat, card] > 0 or wears(state, seat, card)


@kernel
def wears(state: Record, seat: int, card: int) -> bool:
    """Whether a player wears a card of this type."""
    for slot in range(SLOTS):
        if state["worn"][seat, slot] == card:
            return True
    return False


@kernel
def has_wares(state: Record, cards: Record, seat: int) -> bool:
    """ROGUE-76. Whether a player has anything to sell."""
    if state["held"][seat] & cards["sell_bits"]:
        if not cards["no_sell_items"][state["character"][seat]]:
            return True
        for number in range(cards["enemies"]):
            if may_sell(state, cards, seat, cards["enemy_type"][number]):
                return True
    for slot in range(SLOTS):
        card = state["worn"][seat, slot]
        if card != NO_CARD and may_sell(state, cards, seat, card):
            return True
    return False


@kernel
def sell(state: Record, cards: Record, seat: int, card: int) -> None:
    """ROGUE-76, A-22. Sell a card for its gold value: from the hand if it is there, else a worn one."""
    state["only_walked"] = 0
    state["deals"] += 1
    if state["hand"][seat, card] == 0:
        for slot in range(SLOTS):
            if state["worn"][seat, slot] == card:
                basics.take_off(state, cards, seat, slot)
                break
    basics.discard(state, seat, card)
    if cards["item_number"][card] >= 0 and cards["sold_items"] == SoldItems.BACK_TO_SHOP:
        state["gone"][card] -= 1
        state["shop"][card] += 1
    state["gold"][seat] += cards["gold"][card]
    state["gold_earned"][seat] += cards["gold"][card]


@kernel
def is_narrow(state: Record, cell: int) -> bool:
    """ROGUE-111. Whether the mole can dig at a cell: a plain tile with fewer than four paths."""
    return state["tile"][cell] == Tile.FLOOR and state["mask"][cell] != tiles.ALL_OPEN and state["down"][cell] == Down.NO


@kernel
def has_narrow(state: Record) -> bool:
    """ROGUE-111. Whether there is any tile for the mole."""
    for cell in range(len(state["tile"])):
        if is_narrow(state, cell):
            return True
    return False


@kernel
def pay_mole(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-111. Pay the mole its fee, or ask what to sell, or give everything."""
    fee = cards["mole_fee"]
    if state["gold"][seat] >= fee:
        state["gold"][seat] -= fee
        state["gold_spent"][seat] += fee
    elif has_wares(state, cards, seat):
        state["node"] = Node.MOLE_PAY
        return
    else:
        state["gold_spent"][seat] += state["gold"][seat]
        state["gold"][seat] = 0
        give_all(state, cards, seat)
    state["node"] = Node.MOLE_TILE


@kernel
def give_all(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-111. The mole takes all sellable cards, worn ones too."""
    for slot in range(SLOTS):
        if state["worn"][seat, slot] != NO_CARD:
            basics.take_off(state, cards, seat, slot)
    for card in range(cards["types"]):
        if cards["sellable"][card]:
            for _ in range(state["hand"][seat, card]):
                basics.discard(state, seat, card)


@kernel
def dig(state: Record, cards: Record, cell: int) -> None:
    """ROGUE-111. Turn a tile into a four-way of the pathing deck, or one from outside if none is left."""
    tiles.discard_tile(state, cell)
    for entry in range(TILE_ENTRY, ENTRIES):
        tile = entry - TILE_ENTRY
        fits = tile < cards["tiles"] and cards["tile_kind"][tile] == Tile.FLOOR and cards["tile_exits"][tile] == FOUR_WAY
        if fits and state["pathing"][entry] > 0:
            state["pathing"][entry] -= 1
            state["pathing_cards"] -= 1
            tiles.lay_tile(state, cards, cell, entry, 0, Source.PATHING)
            combat.recheck(state, cards)
            return
    tiles.lay_tile(state, cards, cell, NO_ENTRY, 0, Source.BANK)
    combat.recheck(state, cards)


# trades, trips and thefts

NO_TYPES = np.uint64(0)
CODES = GOLD_CODE + GOLD_OFFER_MAX + 1  # codes of one side of an offer


@kernel
def tradable(state: Record, cards: Record, giver: int, taker: int) -> np.uint64:
    """ROGUE-66, 96. Types that one player can give another in a trade, as bits."""
    types = state["held"][giver] & cards["trade_bits"]
    if cards["no_trade_shop"][state["character"][giver]] or cards["no_trade_shop"][state["character"][taker]]:
        types &= ~(cards["gear_bits"] | cards["scroll_bits"])
    return types


@kernel
def wants(state: Record, cards: Record, seat: int, partner: int, give: int) -> int:
    """ROGUE-66. Number of things that the partner can still be asked for in exchange for `give` in this turn."""
    types = tradable(state, cards, partner, seat)
    amount = int(min(GOLD_OFFER_MAX, state["gold"][partner])) if give < GOLD_CODE else 0
    total = bit_count(types) + amount
    for place in range(len(state["offered"])):
        code = state["offered"][place] - 1
        if code < 0 or code // (CODES * CODES) != partner or code // CODES % CODES != give:
            continue
        want = code % CODES  # the partner may have given it away since
        asked = types & basics.bit(want) != NO_TYPES if want < GOLD_CODE else want - GOLD_CODE <= amount
        if asked:
            total -= 1
    return total


@kernel
def was_offered(state: Record, partner: int, give: int, want: int) -> bool:
    """ROGUE-66. Whether the same offer was made in this turn."""
    code = 1 + (partner * CODES + give) * CODES + want
    for place in range(len(state["offered"])):
        if state["offered"][place] == code:
            return True
    return False


@kernel
def may_trade(state: Record, cards: Record, seat: int, partner: int) -> bool:
    """ROGUE-66. Whether there is any offer to make to a partner."""
    if state["combat"][partner] != 0:
        return False
    left = tradable(state, cards, seat, partner)
    while left != NO_TYPES:
        card = lowest_bit(left)
        left ^= basics.bit(card)
        if wants(state, cards, seat, partner, card) > 0:
            return True
    for gold in range(1, min(GOLD_OFFER_MAX, state["gold"][seat]) + 1):
        if wants(state, cards, seat, partner, GOLD_CODE + gold) > 0:
            return True
    return False


@kernel
def trade_sides(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-66. Directions of the players to whom an offer can be made, bits 1 << direction."""
    sides, found = tiles.player_sides(state, state["cell"][seat]), 0
    for direction in range(DIRECTIONS):
        if (sides >> direction) & 1:
            partner = tiles.player_at(state, tiles.neighbour(cards, state["cell"][seat], direction))
            if may_trade(state, cards, seat, partner):
                found |= 1 << direction
    return found


@kernel
def make_offer(state: Record, seat: int, want: int) -> None:
    """ROGUE-66. The offer is complete: the partner answers."""
    partner, give = state["arg"][0], state["arg"][1]
    state["arg"][AIM] = want
    place = min(state["offers"], len(state["offered"]) - 1)
    state["offered"][place] = 1 + (partner * CODES + give) * CODES + want
    state["offers"] += 1
    state["offers_made"][seat] += 1
    basics.no_mere_walk(state)
    state["node"] = Node.TRADE_ANSWER
    state["asked"] = partner


@kernel
def swap(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-66. The partner has accepted: both sides give, then both receive, with the consequences (ROGUE-102)."""
    partner, give, want = state["arg"][0], state["arg"][1], state["arg"][AIM]
    state["offers_taken"][seat] += 1
    give_up(state, seat, give)
    give_up(state, partner, want)
    receive(state, cards, partner, give)
    receive(state, cards, seat, want)


@kernel
def give_up(state: Record, giver: int, code: int) -> None:
    """A card, or 64 + an amount of gold, leaves a player."""
    if code >= GOLD_CODE:
        state["gold"][giver] -= code - GOLD_CODE
    else:
        basics.take_from_hand(state, giver, code)


@kernel
def receive(state: Record, cards: Record, taker: int, code: int) -> None:
    """A card, or 64 + an amount of gold, comes to a player."""
    if code >= GOLD_CODE:
        state["gold"][taker] += code - GOLD_CODE
    else:
        basics.gain(state, cards, taker, code)


@kernel
def trip(state: Record, cards: Record, seat: int, direction: int, rng: Record) -> None:
    """ROGUE-67, 68. Try to trip the player in a direction; success can lead to a leap, failure to a counter-attack."""
    victim = tiles.player_at(state, tiles.neighbour(cards, state["cell"][seat], direction))
    state["tripped"] = 1
    state["trips"][seat] += 1
    basics.no_mere_walk(state)
    if basics.rolls_within(rng, seat, Draw.TRIP, np.int64(cards["trip_faces"])):
        state["trips_won"][seat] += 1
        state["skip"][victim] = max(state["skip"][victim], 1)
        if tiles.free_sides(state, state["cell"][victim]):
            state["node"] = Node.LEAP
            state["arg"][0] = victim
    elif state["combat"][victim] != 0:
        combat.counter_attack(state, cards, victim, seat, rng)


@kernel
def robbable(state: Record, cards: Record, victim: int) -> int:
    """ROGUE-69. Number of cards and gold cards that can be stolen from a player."""
    total = 0
    if state["held"][victim]:
        for card in range(cards["types"]):
            total += state["hand"][victim, card]
    for place in range(cards["denominations"]):
        total += basics.purse_card(cards, state["gold"][victim], place)
    return total


@kernel
def has_anything(state: Record, seat: int) -> bool:
    """Whether a player has a hand card or gold."""
    return state["held"][seat] != 0 or state["gold"][seat] > 0


@kernel
def steal(state: Record, cards: Record, seat: int, direction: int, rng: Record) -> None:
    """ROGUE-69. Try to steal from the player in a direction; all its cards and gold cards are equally likely."""
    victim = tiles.player_at(state, tiles.neighbour(cards, state["cell"][seat], direction))
    state["stole"] = 1
    state["steals"][seat] += 1
    basics.no_mere_walk(state)
    if not basics.rolls_within(rng, seat, Draw.STEAL, np.int64(cards["steal_faces"])):
        return
    state["steals_won"][seat] += 1
    loot = pick_loot(state, cards, victim, rng)
    code = GOLD_CODE + cards["denomination"][loot - GOLD_CODE] if loot >= GOLD_CODE else loot
    give_up(state, victim, code)
    receive(state, cards, seat, code)


@kernel
def has_loot(state: Record, cards: Record, victim: int, code: int) -> bool:
    """ROGUE-69. Whether a player holds a card of this type, or this gold card (64 + index of a denomination)."""
    if code < GOLD_CODE:
        return state["hand"][victim, code] > 0
    place = code - GOLD_CODE
    return place < cards["denominations"] and basics.purse_card(cards, state["gold"][victim], place) > 0


@kernel
def pick_loot(state: Record, cards: Record, victim: int, rng: Record) -> int:
    """ROGUE-69. Draw a card type, or 64 + index of a denomination, uniformly from the victim's cards.

    A scripted draw names the card; it is refused if the victim does not have it.
    """
    named = scripted_draw(rng)
    if named != NOT_SCRIPTED:
        if has_loot(state, cards, victim, named):
            return named
        refuse_draw(rng)
    left = below(rng, victim, Draw.STEAL, robbable(state, cards, victim))
    for card in range(cards["types"]):
        left -= state["hand"][victim, card]
        if left < 0:
            return card
    for place in range(cards["denominations"]):
        left -= basics.purse_card(cards, state["gold"][victim], place)
        if left < 0:
            return GOLD_CODE + place
    return GOLD_CODE


# what a player can use now


@kernel
def steal_sides(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-69. Directions of players who have something to steal, bits 1 << direction."""
    sides, found = tiles.player_sides(state, state["cell"][seat]), 0
    for direction in range(DIRECTIONS):
        if not tiles.opens(sides, direction):
            continue
        if has_anything(state, tiles.player_at(state, tiles.neighbour(cards, state["cell"][seat], direction))):
            found |= 1 << direction
    return found


@kernel
def may_wear(state: Record, cards: Record, seat: int, card: int) -> bool:
    """ROGUE-81, 92. Whether a card of the hand can be put on in its printed slots, and is not worn there already."""
    if state["hand"][seat, card] == 0 or not fits(cards, state["character"][seat], card):
        return False
    for slot in range(SLOTS):
        if (cards["slots"][card] >> slot) & 1 and state["worn"][seat, slot] != card:
            return True
    return False


@kernel
def may_wear_offhand(state: Record, cards: Record, seat: int, card: int) -> bool:
    """ROGUE-92. Whether a card of the hand can be put into the secondary slot as an off-hand weapon."""
    own = cards["offhand_type"][state["character"][seat]]
    return card == own and state["hand"][seat, card] > 0 and state["worn"][seat, Slot.SECONDARY] != card


@kernel
def usable_potions(state: Record, cards: Record, seat: int) -> np.uint64:
    """ROGUE-86, 90. Usable potions in hand as bits; in the end rush none that is known to teleport."""
    types = state["held"][seat] & cards["potion_bits"]
    if types != NO_TYPES and state["rush"]:
        for colour in range(cards["colours"]):
            face = state["effect"][colour]
            if cards["drink_effect"][face] == Effect.TELEPORT or cards["throw_effect"][face] == Effect.TELEPORT:
                types &= ~basics.bit(POTION + colour)
    return types


@kernel
def throw_sides(state: Record, seat: int) -> int:
    """ROGUE-86. Directions of players and enemies on adjacent cells, bits 1 << direction."""
    cell = state["cell"][seat]
    return tiles.monster_sides(state, cell) | tiles.player_sides(state, cell)


@kernel
def usable_scrolls(state: Record, cards: Record, seat: int) -> np.uint64:
    """ROGUE-83. Scrolls in hand that can be read now, as bits."""
    types = state["held"][seat] & cards["scroll_bits"]
    if types == NO_TYPES:
        return types
    for item in range(cards["items"]):
        card = cards["item_type"][item]
        if types & basics.bit(card) and not is_readable(state, cards, seat, cards["scroll_effect"][card]):
            types &= ~basics.bit(card)
    return types


@kernel
def is_readable(state: Record, cards: Record, seat: int, effect: int) -> bool:
    """ROGUE-83. Whether a scroll of this effect has something to act on."""
    if effect == Effect.IDENTIFY:
        return unknown_potions(state, cards, seat) != NO_TYPES
    if effect == Effect.MOVE_ANY:
        return scroll_sides(state, cards, state["cell"][seat]) != 0
    if effect == Effect.ANTIDOTE:
        return state["poison"][seat] > 0
    if effect == Effect.REMOVE_CURSES:
        return state["held"][seat] & cards["cursed_bits"] != NO_TYPES
    return True


@kernel
def unknown_potions(state: Record, cards: Record, seat: int) -> np.uint64:
    """ROGUE-83. Potions in hand whose effect is unknown, as bits."""
    types = state["held"][seat] & cards["potion_bits"]
    for colour in range(cards["colours"]):
        if state["effect"][colour] != 0:
            types &= ~basics.bit(POTION + colour)
    return types


@kernel
def scroll_sides(state: Record, cards: Record, cell: int) -> int:
    """ROGUE-83. Directions of the neighbour cells that are face-up and free, even behind walls, bits 1 << direction."""
    sides = 0
    for direction in range(DIRECTIONS):
        there = tiles.neighbour(cards, cell, direction)
        if there != NOWHERE and tiles.is_free(state, there):
            sides |= 1 << direction
    return sides


@kernel
def spells(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-95. Spells that a Mage can cast now, bits 1 << Spell."""
    character, found = state["character"][seat], 0
    if state["cooldown"][seat] > 0:
        return found
    if state["combat"][seat] != 0:
        if cards["spell_damage"][character] > 0:
            found |= 1 << Spell.DAMAGE
    elif cards["spell_move"][character] and tiles.free_sides(state, state["cell"][seat]):
        found |= 1 << Spell.MOVE
    if cards["spell_heal"][character] > 0 and state["held"][seat] & cards["potion_bits"] != NO_TYPES:
        found |= 1 << Spell.POTION
    return found
