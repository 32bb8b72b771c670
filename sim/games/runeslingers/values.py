"""What things are worth, in health points: what the features of `judge.py` are made of (register section 7)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.playable import can_use_inherent
from sim.games.runeslingers.record import BOOSTS, Boost, Kind, Stat
from sim.games.runeslingers.state import AREAS, NOBODY, PLACES, SLOTS, owner_of
from sim.games.runeslingers.stats import is_defence, opening_draw
from sim.games.runeslingers.terms import Stage

LOST = 20.0  # a power that is about to be lost
SEVERE = 3.0  # a level II
CROWDED = 4.0  # as many as cost a power
DECK_CARD = 1.5  # a card to be drawn from the deck
HAND_CARD = 3.0  # a card of a hand that is not seen
HAND_BASE, HAND_SHARE = 1.0, 0.3  # a card of the own hand: so much, and so much of its rating
HAND_LEAST, HAND_MOST = 0.6, 6.0
DEAR = 0.5  # factor for a card that costs over 2 more than there are concentrations
THING, THING_COST = 2.5, 1.3  # a defence card, and for each light that it costs
ENEMY_BOON = -1.0  # a boon of the enemy on the own field: to whoever bears it
BOOST_POINT = 0.9  # a point of damage boosted, for each card in hand that it will serve
TOKEN = 0.8
ABILITY = 1.5  # an inherent ability that can still be used this turn
OUTLOOK = 0.6  # share of what can still be done this turn
PER_LIGHT, PER_SET = 2.5, 3.0  # what an unseen hand can make of a light, of a set
TURNED_AWAY = 1.0  # a card that a full hand will turn away at the next draw
LIGHT_A_CARD = 2.0  # that an unseen card can use


@kernel
def concentration_worth(count: int) -> float:
    """Worth of so many concentrations: the first four let cards be played at all."""
    worth = 7.0 * min(count, 2) + 6.0 * max(0, min(count, 4) - 2)
    return worth + 2.2 * max(0, count - 4)


@kernel
def count_concentrations(state: Record, seat: int) -> np.int64:
    """Concentrations of a player, exposed or not."""
    count = np.int64(0)
    for slot in range(SLOTS):
        count += state["conc"][seat, slot] != NOBODY
    return count


@kernel
def cards_too_many(state: Record, cards: Record, seat: int) -> np.int64:
    """RUNE-36. Cards of the next draw for which a hand has no room."""
    held = np.int64(state["hand_n"][seat]) + np.int64(cards["draw"])
    return max(np.int64(0), held - np.int64(state["stat"][seat, Stat.MAX_HAND]))


@kernel
def things_worth(state: Record, cards: Record, seat: int) -> float:
    """What all defence cards on a player's field are worth to it."""
    worth = 0.0
    for place in range(PLACES):
        if state["thing"][seat, place] != NOBODY:
            worth += thing_worth(state, cards, seat, np.int64(place))
    return worth


@kernel
def thing_worth(state: Record, cards: Record, seat: int, place: int) -> float:
    """What one defence card is worth to its controller; a runespell nothing, as it leaves anyway."""
    inst = np.int64(state["thing"][seat, place])
    card = state["card_of"][inst]
    if not is_defence(cards, np.int64(card)):
        return 0.0
    if owner_of(inst) != seat:
        return ENEMY_BOON * (1.0 + cards["cost"][card])
    return THING + THING_COST * cards["cost"][card] + TOKEN * state["tokens"][seat, place]


@kernel
def severe_worth(state: Record, cards: Record, seat: int) -> float:
    """What exposed ailments at level II cost a player, and that there are enough to cost a power."""
    total, severe = np.int64(0), 0
    for area in range(AREAS):
        count = np.int64(state["count"][seat, area])
        if count > 0 and state["thing"][seat, SLOTS + area] == NOBODY:
            total += count
            severe += count >= cards["threshold"][state["ailment"][seat, area]]
    return SEVERE * severe + (CROWDED if total >= cards["ailment_limit"] else 0.0)


@kernel
def card_worth(cards: Record, card: int, concs: int) -> float:
    """What a card of the own hand is worth."""
    worth = HAND_BASE + HAND_SHARE * cards["rating"][card]
    if cards["cost"][card] > concs + 2:
        worth *= DEAR
    return min(max(worth, HAND_LEAST), HAND_MOST)


@kernel
def hand_worth(state: Record, cards: Record, seat: int, concs: int) -> float:
    """What the cards of the own hand are worth, whose ever turn it is."""
    worth = 0.0
    for at in range(np.int64(state["hand_n"][seat])):
        worth += card_worth(cards, np.int64(state["card_of"][state["hand"][seat, at]]), concs)
    return worth


@kernel
def hand_outlook(state: Record, cards: Record, seat: int, concs: int, light: int) -> float:
    """What the own Play Phase still promises: a set, the inherent ability, the cards that the light left can pay.

    Passing and ending the turn give it up. light: see `ready_light`.
    """
    if state["active"] != seat or state["stage"] != Stage.PLAY:
        return 0.0
    left, promised, least = light, 0.0, HAND_MOST
    for at in range(np.int64(state["hand_n"][seat])):
        card = np.int64(state["card_of"][state["hand"][seat, at]])
        held = card_worth(cards, card, concs)
        least = min(least, held)
        if cards["cost"][card] <= left and cards["rating"][card] > held:
            promised += cards["rating"][card] - held
            left -= cards["cost"][card]
    if state["sets_left"][seat] > 0 and concs < cards["concentration_areas"] and state["hand_n"][seat] > 0:
        promised += max(0.0, concentration_worth(concs + 1) - concentration_worth(concs) - least)
    ability = ABILITY if left > 0 and can_use_inherent(state, cards, seat, left) else 0.0
    return ability + OUTLOOK * promised


@kernel
def enemy_outlook(state: Record, cards: Record, enemy: int, concs: int, light: int) -> float:
    """What the enemy may still do in its turn with a hand that is not seen. concs, light: its own."""
    if state["active"] != enemy or state["stage"] > Stage.PLAY or state["stage"] == Stage.PASSED:
        return 0.0
    held = np.int64(state["hand_n"][enemy])
    worth = PER_LIGHT * min(light, LIGHT_A_CARD * held)
    if state["sets_left"][enemy] > 0 and concs < cards["concentration_areas"] and held > 0:
        worth += PER_SET
    return worth


@kernel
def has_boosts(state: Record, seat: int) -> bool:
    """Whether a stat of a player is boosted this turn."""
    for boost in range(BOOSTS):
        if state["boosts"][seat, boost] != 0:
            return True
    return False


@kernel
def boosts_worth(state: Record, cards: Record, seat: int, light: int) -> float:
    """What the boosts of this turn promise: points for each card that the hand and the light left can still sling."""
    if not has_boosts(state, seat):
        return 0.0
    spirits, attacks = 0, 0
    for at in range(np.int64(state["hand_n"][seat])):
        card = state["card_of"][state["hand"][seat, at]]
        if cards["cost"][card] <= light and cards["cost"][card] > 0:
            if cards["kind"][card] == Kind.SPIRIT:
                spirits += 1
                light -= cards["cost"][card]
            elif cards["kind"][card] == Kind.ATTACK:
                attacks += 1
                light -= cards["cost"][card]
    points = state["boosts"][seat, Boost.DAMAGE] * (spirits + attacks)
    points += (state["boosts"][seat, Boost.DAMAGE_SPIRIT] + state["boosts"][seat, Boost.PIERCE_SPIRIT]) * spirits
    points += (state["boosts"][seat, Boost.DAMAGE_ATTACK] + state["boosts"][seat, Boost.PIERCE_ATTACK]) * attacks
    return BOOST_POINT * points


@kernel
def room_to_heal(state: Record, seat: int) -> np.int64:
    """RUNE-23. Health that a player lacks."""
    if state["stat"][seat, Stat.NO_HEAL] > 0:
        return np.int64(0)
    return np.int64(state["stat"][seat, Stat.MAX_HEALTH]) - np.int64(state["health"][seat])


@kernel
def can_block(state: Record, cards: Record, seat: int) -> bool:
    """RUNE-81. Whether a player can still block this turn."""
    return state["blocked"][seat] < cards["blocks_per_turn"] and state["hand_n"][seat] > 0


@kernel
def draw_to_come(state: Record, cards: Record, seat: int) -> float:
    """What a player who has had a turn less than the other will draw first: else nobody would let the enemy have a turn."""
    if state["own_turns"][seat] >= state["own_turns"][1 - seat]:
        return 0.0
    opening = state["own_turns"][seat] == 0
    cards_drawn = opening_draw(state, cards, seat) if opening else np.int64(cards["draw"])
    room = np.int64(state["stat"][seat, Stat.MAX_HAND]) - np.int64(state["hand_n"][seat])
    kept = cards_drawn if cards_drawn < room else room
    return (HAND_CARD * kept if kept > 0 else 0.0) - DECK_CARD * cards_drawn


@kernel
def draws_worth(state: Record, cards: Record, seat: int) -> float:
    """What the draws ahead bring a player: those that it still has coming in this round, less what its hand turns away."""
    return draw_to_come(state, cards, seat) - TURNED_AWAY * cards_too_many(state, cards, seat)
