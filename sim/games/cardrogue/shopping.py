"""What a visit to the shop would bring (register section 7)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.codes import Category
from sim.games.cardrogue.holding import bit
from sim.games.cardrogue.shop import may_sell, price
from sim.games.cardrogue.worth import GOLD, GOLD_USEFUL, POINT, card_worth


@kernel
def funds(state: Record, cards: Record, seat: int) -> int:
    """Gold in the purse and in loot that a player would sell."""
    total = 0 + state["gold"][seat]
    if state["held"][seat] & cards["sell_bits"]:
        for number in range(np.int64(cards["enemies"])):
            card = np.int64(cards["enemy_type"][number])
            if may_sell(state, cards, seat, card):
                total += state["hand"][seat, card] * cards["gold"][card]
    return total


@kernel
def buy_gain(state: Record, cards: Record, seat: int, card: int) -> float:
    """What buying a card brings: its worth less the gold."""
    cost = GOLD * price(state, cards, seat, card)
    if cards["category"][card] == Category.DEBT:
        return POINT * cards["vp"][card] - cost
    if state["held"][seat] & bit(card) and cards["category"][card] != Category.SCROLL:
        return -cost
    return card_worth(state, cards, seat, card) - cost


@kernel
def best_buy(state: Record, cards: Record, seat: int, gold: int) -> float:
    """Best gain of a purchase that so much gold can pay, at least 0."""
    best = 0.0
    for item in range(np.int64(cards["items"])):
        card = np.int64(cards["item_type"][item])
        if state["shop"][card] > 0 and price(state, cards, seat, card) <= gold:
            best = max(best, buy_gain(state, cards, seat, card))
    return best


@kernel
def shopping(state: Record, cards: Record, seat: int) -> float:
    """What going to a shop would bring now; not more than gold that is worth nothing beyond a limit."""
    if state["shop_seen"] == 0:
        return 0.0
    gold = funds(state, cards, seat)
    return best_buy(state, cards, seat, gold) + max(0.0, GOLD * (gold - GOLD_USEFUL)) if gold > 0 else 0.0
