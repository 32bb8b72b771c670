"""What a decision half made promises (register section 7): a player who has begun to act is judged by what will follow."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.codes import POTION, Category, Effect
from sim.games.cardrogue.decisions import AIM, GOLD_CODE, GOLD_OFFER_MAX, Node, Step
from sim.games.cardrogue.grid import neighbour, player_at, player_sides
from sim.games.cardrogue.holding import bit, max_health
from sim.games.cardrogue.options import may_wear, may_wear_offhand
from sim.games.cardrogue.people import tradable
from sim.games.cardrogue.prospects import is_bold
from sim.games.cardrogue.shop import may_sell
from sim.games.cardrogue.shopping import best_buy, shopping
from sim.games.cardrogue.state import DIRECTIONS, NOBODY
from sim.games.cardrogue.worth import (
    HEALTH,
    MAX_HEALTH,
    UNKNOWN_POTION,
    code_worth,
    gear_gain,
    offhand_gain,
    standing_worth,
)

WORSE = -0.5  # what one should not begin
SLIGHTLY = 0.02  # what costs nothing
WEAK = 0.42  # share of health from which one heals
TASTING = 0.75  # share of health from which unknown potions are drunk
DEAL = 0.3  # gain from which a trade is accepted
PERSUASION = 0.6  # how sure an offer is accepted that both gain by


@kernel
def promise(state: Record, cards: Record, seat: int) -> float:
    """What the decision at hand will add to the position of the seat that has to take it; 0 for one that is not half made."""
    node = np.int64(state["node"])
    if node == Node.FLIP:
        return flip_promise(state, cards, seat)
    if node == Node.EQUIP:
        return equip_promise(state, cards, seat)
    if node == Node.BUY:
        return best_buy(state, cards, seat, np.int64(state["gold"][seat])) - SLIGHTLY
    if node == Node.SELL:
        return sell_promise(state, cards, seat)
    if node in (Node.DRINK, Node.THROW, Node.THROW_AT):
        return potion_promise(state, cards, seat, node)
    if node in (Node.SCROLL, Node.IDENTIFY, Node.SCROLL_MOVE):
        return scroll_promise(state, cards, seat, node)
    if node in (Node.TRADE_WITH, Node.TRADE_GIVE, Node.TRADE_WANT):
        return trade_promise(state, cards, seat, node)
    if node == Node.TRIP:
        return trip_promise(state, cards, seat)
    return flat_promise(node)


@kernel
def flat_promise(node: int) -> float:
    """Promise of decisions that need no look at the position."""
    if node in (Node.STEAL, Node.SPELL_AT):
        return SLIGHTLY
    return WORSE if node == Node.UNEQUIP else 0.0


@kernel
def share_of_health(state: Record, cards: Record, seat: int) -> float:
    """Health as a share of the maximum."""
    return state["health"][seat] / float(max_health(state, cards, seat))


@kernel
def flip_promise(state: Record, cards: Record, seat: int) -> float:
    """Turn cards over while healthy."""
    return SLIGHTLY if is_bold(state, cards, seat, shopping(state, cards, seat)) else WORSE


@kernel
def equip_promise(state: Record, cards: Record, seat: int) -> float:
    """Best gain of an item in hand that could be worn."""
    best = WORSE
    for item in range(np.int64(cards["items"])):
        card = np.int64(cards["item_type"][item])
        if state["held"][seat] & bit(card):
            if may_wear(state, cards, seat, card):
                best = max(best, gear_gain(state, cards, seat, card))
            if may_wear_offhand(state, cards, seat, card):
                best = max(best, offhand_gain(state, cards, seat, card))
    return best if best > SLIGHTLY else WORSE


@kernel
def sell_promise(state: Record, cards: Record, seat: int) -> float:
    """Sell loot, and equipment that is of no use."""
    for card in range(np.int64(cards["types"])):
        if state["held"][seat] & bit(card) and may_sell(state, cards, seat, card):
            category = np.int64(cards["category"][card])
            if category == Category.ENEMY:
                return SLIGHTLY
            gear = category in (Category.WEAPON, Category.ARMOUR)
            if gear and max(gear_gain(state, cards, seat, card), offhand_gain(state, cards, seat, card)) <= 0.0:
                return SLIGHTLY
    return WORSE


@kernel
def potion_promise(state: Record, cards: Record, seat: int, node: int) -> float:
    """Heal when weak, get stronger at once, taste unknown colours when healthy, throw what harms at strong enemies."""
    best, fighting = WORSE, state["combat"][seat] != 0
    for colour in range(np.int64(cards["colours"])):
        chosen = node == Node.THROW_AT and state["arg"][0] != colour
        if chosen or not state["held"][seat] & bit(POTION + colour):
            continue
        if node == Node.DRINK:
            best = max(best, drink_promise(state, cards, seat, np.int64(state["effect"][colour]), fighting))
        else:
            best = max(best, throw_promise(state, cards, np.int64(state["effect"][colour]), fighting))
    return best


@kernel
def drink_promise(state: Record, cards: Record, seat: int, face: int, fighting: bool) -> float:
    """What drinking a potion with this effect would bring; face 0: unknown."""
    health = share_of_health(state, cards, seat)
    if face == 0:
        return SLIGHTLY if health >= TASTING and not fighting and state["poison"][seat] == 0 else WORSE
    effect, n = np.int64(cards["drink_effect"][face]), np.int64(cards["drink_n"][face])
    if effect == Effect.HEAL_FULL:
        return HEALTH * (1.0 - health) - 1.0 if health <= WEAK else WORSE
    if effect == Effect.ATTACK_MOD:
        return SLIGHTLY if n > 0 else WORSE
    return WORSE


@kernel
def throw_promise(state: Record, cards: Record, face: int, fighting: bool) -> float:
    """What throwing a potion with this effect would bring; face 0: unknown."""
    if face == 0 or not fighting:
        return WORSE
    effect, n = np.int64(cards["throw_effect"][face]), np.int64(cards["throw_n"][face])
    harms = effect in (Effect.POISON, Effect.PARALYZE, Effect.DAMAGE) or (effect == Effect.ATTACK_MOD and n < 0)
    return SLIGHTLY if harms and state["step"] == Step.FIGHT else WORSE


@kernel
def scroll_promise(state: Record, cards: Record, seat: int, node: int) -> float:
    """Read what helps now."""
    if node == Node.IDENTIFY:
        return UNKNOWN_POTION
    if node == Node.SCROLL_MOVE:
        return WORSE
    best = WORSE
    for item in range(np.int64(cards["items"])):
        card = np.int64(cards["item_type"][item])
        if not state["held"][seat] & bit(card):
            continue
        effect = np.int64(cards["scroll_effect"][card])
        cures = effect == Effect.ANTIDOTE and state["poison"][seat] > 1
        lifts = effect == Effect.REMOVE_CURSES and state["held"][seat] & cards["cursed_bits"] != 0
        if effect == Effect.MAX_HEALTH or cures or lifts:
            best = max(best, MAX_HEALTH)
        elif effect == Effect.IDENTIFY and state["held"][seat] & cards["potion_bits"]:
            best = max(best, SLIGHTLY)
    return best


@kernel
def trip_promise(state: Record, cards: Record, seat: int) -> float:
    """Trip a rival who is ahead; in the end rush always."""
    if state["rush"]:
        return 1.0
    own = standing_worth(state, cards, seat)
    for other in range(np.int64(state["seats"])):
        if other == seat or state["combat"][other] != 0 or state["skip"][other] > 0:
            continue
        if standing_worth(state, cards, other) > own:
            return SLIGHTLY
    return WORSE


@kernel
def trade_promise(state: Record, cards: Record, seat: int, node: int) -> float:
    """Best gain of an offer, as far as it is made, that the partner would accept."""
    if node != Node.TRADE_WITH:
        give = state["arg"][1] if node == Node.TRADE_WANT else NOBODY
        return PERSUASION * best_offer(state, cards, seat, np.int64(state["arg"][0]), give) - SLIGHTLY
    best, sides = 0.0, player_sides(state, cards, np.int64(state["cell"][seat]))
    for direction in range(DIRECTIONS):
        if (sides >> direction) & 1:
            partner = player_at(state, neighbour(cards, np.int64(state["cell"][seat]), direction))
            best = max(best, best_offer(state, cards, seat, partner, NOBODY))
    return PERSUASION * best - SLIGHTLY


@kernel
def best_offer(state: Record, cards: Record, seat: int, partner: int, fixed: int) -> float:
    """Best own gain of a trade by which the partner gains enough; fixed: what is given, NOBODY: open."""
    best = 0.0
    own, others = tradable(state, cards, seat, partner), tradable(state, cards, partner, seat)
    for give in range(GOLD_CODE + 1 + np.int64(min(GOLD_OFFER_MAX, state["gold"][seat]))):
        if give == GOLD_CODE or (fixed not in (NOBODY, give)) or (give < GOLD_CODE and not own & bit(give)):
            continue
        cost, joy = code_worth(state, cards, seat, give), code_worth(state, cards, partner, give)
        for want in range(np.int64(cards["types"])):
            if others & bit(want) and joy - code_worth(state, cards, partner, want) >= DEAL:
                best = max(best, code_worth(state, cards, seat, want) - cost)
        if give < GOLD_CODE:
            for gold in range(1, np.int64(min(GOLD_OFFER_MAX, state["gold"][partner])) + 1):
                if joy - code_worth(state, cards, partner, GOLD_CODE + gold) >= DEAL:
                    best = max(best, code_worth(state, cards, seat, GOLD_CODE + gold) - cost)
    return best if best >= DEAL else 0.0


@kernel
def offer_gain(state: Record, cards: Record, seat: int) -> float:
    """TRADE_ANSWER: what the offer that lies on the table would bring the seat, if the partner gains enough by it."""
    partner, give, want = np.int64(state["arg"][0]), np.int64(state["arg"][1]), np.int64(state["arg"][AIM])
    active = np.int64(state["active"])
    joy = code_worth(state, cards, partner, give) - code_worth(state, cards, partner, want)
    if joy < DEAL:
        return -SLIGHTLY
    if seat == partner:
        return joy
    if seat != active:
        return 0.0
    return code_worth(state, cards, active, want) - code_worth(state, cards, active, give)
