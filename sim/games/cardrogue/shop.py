"""Shop and mole (ROGUE-75, 76, 92, 94, 96, 111)."""

import numpy as np

from sim.engine.dice import roll
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.codes import Category, Goal, Tile
from sim.games.cardrogue.decisions import Node
from sim.games.cardrogue.draw import NO_ENTRY, Draw
from sim.games.cardrogue.engage import recheck
from sim.games.cardrogue.grid import ALL_OPEN
from sim.games.cardrogue.harm import something_happened
from sim.games.cardrogue.holding import discard, gain, has_face, take_off
from sim.games.cardrogue.record import DIE_FACES, ENTRIES, SLOTS, TILE_ENTRY
from sim.games.cardrogue.state import NO_CARD, Down, Points, Source
from sim.games.cardrogue.switches import SoldItems
from sim.games.cardrogue.tiles import AHEAD, LEFT, RIGHT, discard_tile, lay_tile

FOUR_WAY = AHEAD | LEFT | RIGHT


@kernel
def price(state: Record, cards: Record, seat: int, card: int) -> int:
    """ROGUE-75, 96. What a shop card costs a player."""
    own = cards["own_buy_multiplier"][state["character"][seat]]
    return cards["gold"][card] * (own if own > 0 else cards["buy_multiplier"])


@kernel
def can_afford_any(state: Record, cards: Record, seat: int) -> bool:
    """ROGUE-75. Whether any card of the shop pile can be paid for."""
    for item in range(np.int64(cards["items"])):
        card = np.int64(cards["item_type"][item])
        if state["shop"][card] > 0 and price(state, cards, seat, card) <= state["gold"][seat]:
            return True
    return False


@kernel
def buy(state: Record, cards: Record, seat: int, card: int, rng: Record) -> None:
    """ROGUE-75, 92. Buy a card of the shop pile; a Rogue may get it for nothing. The debt leaves the game."""
    something_happened(state)
    state["progress"] = 1
    faces = cards["free_buy_faces"][state["character"][seat]]
    if faces == 0 or not has_face(faces, roll(rng, seat, Draw.BUY, DIE_FACES)):
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
        gain(state, cards, seat, card)


@kernel
def may_sell(state: Record, cards: Record, seat: int, card: int) -> bool:
    """ROGUE-76, 94. Whether a player may sell a card of this type that it has in hand or wears."""
    if not cards["sellable"][card]:
        return False
    if cards["no_sell_items"][state["character"][seat]] and cards["category"][card] != Category.ENEMY:
        return False
    return state["hand"][seat, card] > 0 or wears(state, seat, card)


@kernel
def wears(state: Record, seat: int, card: int) -> bool:
    """Whether a card of this type is worn."""
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
        for number in range(np.int64(cards["enemies"])):
            if may_sell(state, cards, seat, np.int64(cards["enemy_type"][number])):
                return True
    for slot in range(SLOTS):
        card = np.int64(state["worn"][seat, slot])
        if card != NO_CARD and may_sell(state, cards, seat, card):
            return True
    return False


@kernel
def sell(state: Record, cards: Record, seat: int, card: int) -> None:
    """ROGUE-76, A-22. Sell a card for its gold value, out of the hand if it is there, else off the body."""
    state["only_walked"] = 0
    state["deals"] += 1
    if state["hand"][seat, card] == 0:
        for slot in range(SLOTS):
            if state["worn"][seat, slot] == card:
                take_off(state, cards, seat, slot)
                break
    discard(state, seat, card)
    if cards["item_number"][card] >= 0 and cards["sold_items"] == SoldItems.BACK_TO_SHOP:
        state["gone"][card] -= 1
        state["shop"][card] += 1
    state["gold"][seat] += cards["gold"][card]
    state["gold_earned"][seat] += cards["gold"][card]


@kernel
def is_narrow(state: Record, cell: int) -> bool:
    """ROGUE-111. Whether the mole can dig here: a plain tile with fewer than four paths."""
    return state["tile"][cell] == Tile.FLOOR and state["mask"][cell] != ALL_OPEN and state["down"][cell] == Down.NO


@kernel
def has_narrow(state: Record) -> bool:
    """ROGUE-111. Whether there is any tile for the mole."""
    for cell in range(len(state["tile"])):
        if is_narrow(state, cell):
            return True
    return False


@kernel
def call_mole(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-111. Call the mole: sell until its fee can be paid; who cannot gives everything."""
    state["mole_called"] = 1
    state["moles"][seat] += 1
    something_happened(state)
    pay_mole(state, cards, seat)


@kernel
def pay_mole(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-111. Pay, or ask what to sell, or be taken all."""
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
    """ROGUE-111. The mole takes all cards but unsellable ones, worn ones too."""
    for slot in range(SLOTS):
        if state["worn"][seat, slot] != NO_CARD:
            take_off(state, cards, seat, slot)
    for card in range(np.int64(cards["types"])):
        if cards["sellable"][card]:
            for _ in range(np.int64(state["hand"][seat, card])):
                discard(state, seat, card)


@kernel
def dig(state: Record, cards: Record, cell: int) -> None:
    """ROGUE-111. Turn a tile into a four-way of the pathing deck, from outside if none is left."""
    discard_tile(state, cell)
    for entry in range(TILE_ENTRY, ENTRIES):
        tile = entry - TILE_ENTRY
        fits = (
            tile < cards["tiles"] and cards["tile_kind"][tile] == Tile.FLOOR and cards["tile_exits"][tile] == FOUR_WAY
        )
        if fits and state["pathing"][entry] > 0:
            state["pathing"][entry] -= 1
            state["pathing_cards"] -= 1
            lay_tile(state, cards, cell, entry, 0, Source.PATHING)
            recheck(state, cards)
            return
    lay_tile(state, cards, cell, NO_ENTRY, 0, Source.BANK)
    recheck(state, cards)
