"""Players among themselves: trades, trips, thefts (ROGUE-65 to 69)."""

import numpy as np

from sim.engine.dice import NOT_SCRIPTED, below, refuse_draw, roll, scripted_draw
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.decisions import AIM, GOLD_CODE, GOLD_OFFER_MAX, Node
from sim.games.cardrogue.draw import Draw
from sim.games.cardrogue.fight import counter_attack
from sim.games.cardrogue.grid import free_sides, neighbour, player_at, player_sides
from sim.games.cardrogue.harm import no_mere_walk
from sim.games.cardrogue.holding import bit, gain, has_face, purse_card, take_from_hand
from sim.games.cardrogue.record import DIE_FACES
from sim.games.cardrogue.state import DIRECTIONS

NO_TYPES = np.uint64(0)
CODES = GOLD_CODE + GOLD_OFFER_MAX + 1  # codes of one side of an offer


@kernel
def tradable(state: Record, cards: Record, giver: int, taker: int) -> np.uint64:
    """ROGUE-66, 96. Types that one player may hand to another in a trade, as bits."""
    types = state["held"][giver] & cards["trade_bits"]
    if cards["no_trade_shop"][state["character"][giver]] or cards["no_trade_shop"][state["character"][taker]]:
        types &= ~(cards["gear_bits"] | cards["scroll_bits"])
    return types


@kernel
def count_bits(bits: np.uint64) -> int:
    """How many bits of a set of types are set."""
    count = 0
    while bits:
        bits &= bits - np.uint64(1)
        count += 1
    return count


@kernel
def wants(state: Record, cards: Record, seat: int, partner: int, give: int) -> int:
    """ROGUE-66. How many things can be asked of the partner for `give` that were not asked in this turn."""
    types = tradable(state, cards, partner, seat)
    amount = np.int64(min(GOLD_OFFER_MAX, state["gold"][partner])) if give < GOLD_CODE else 0
    total = count_bits(types) + amount
    for place in range(len(state["offered"])):
        code = np.int64(state["offered"][place]) - 1
        if code < 0 or code // (CODES * CODES) != partner or code // CODES % CODES != give:
            continue
        want = code % CODES  # the partner may have given it away since
        if want < GOLD_CODE:
            total -= (types & bit(want)) != NO_TYPES
        else:
            total -= want - GOLD_CODE <= amount
    return total


@kernel
def was_offered(state: Record, partner: int, give: int, want: int) -> bool:
    """ROGUE-66. Whether this very offer was made in this turn."""
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
    own = tradable(state, cards, seat, partner)
    for card in range(np.int64(cards["types"])):
        if own & bit(card) and wants(state, cards, seat, partner, card) > 0:
            return True
    for gold in range(1, np.int64(min(GOLD_OFFER_MAX, state["gold"][seat])) + 1):
        if wants(state, cards, seat, partner, GOLD_CODE + gold) > 0:
            return True
    return False


@kernel
def trade_sides(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-66. Directions of the players to whom an offer can be made, bits 1 << direction."""
    sides, found = player_sides(state, cards, np.int64(state["cell"][seat])), 0
    for direction in range(DIRECTIONS):
        if (sides >> direction) & 1:
            partner = player_at(state, neighbour(cards, np.int64(state["cell"][seat]), direction))
            if may_trade(state, cards, seat, partner):
                found |= 1 << direction
    return found


@kernel
def make_offer(state: Record, seat: int, want: int) -> None:
    """ROGUE-66. The offer is complete: the partner answers."""
    partner, give = np.int64(state["arg"][0]), np.int64(state["arg"][1])
    state["arg"][AIM] = want
    place = min(state["offers"], len(state["offered"]) - 1)
    state["offered"][place] = 1 + (partner * CODES + give) * CODES + want
    state["offers"] += 1
    state["offers_made"][seat] += 1
    no_mere_walk(state)
    state["node"] = Node.TRADE_ANSWER
    state["asked"] = partner


@kernel
def swap(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-66. The partner has accepted: both sides give, then both receive, with what follows from that (ROGUE-102)."""
    partner, give, want = np.int64(state["arg"][0]), np.int64(state["arg"][1]), np.int64(state["arg"][AIM])
    state["offers_taken"][seat] += 1
    give_up(state, seat, give)
    give_up(state, partner, want)
    receive(state, cards, partner, give)
    receive(state, cards, seat, want)


@kernel
def hand_over(state: Record, cards: Record, giver: int, taker: int, code: int) -> None:
    """Give a card, or 64 + an amount of gold, to another player."""
    give_up(state, giver, code)
    receive(state, cards, taker, code)


@kernel
def give_up(state: Record, giver: int, code: int) -> None:
    """A card, or 64 + an amount of gold, leaves a player."""
    if code >= GOLD_CODE:
        state["gold"][giver] -= code - GOLD_CODE
    else:
        take_from_hand(state, giver, code)


@kernel
def receive(state: Record, cards: Record, taker: int, code: int) -> None:
    """A card, or 64 + an amount of gold, comes to a player."""
    if code >= GOLD_CODE:
        state["gold"][taker] += code - GOLD_CODE
    else:
        gain(state, cards, taker, code)


@kernel
def trip(state: Record, cards: Record, seat: int, direction: int, rng: Record) -> None:
    """ROGUE-67, 68. Try to trip the player in a direction; success may lead to a leap, failure to a counter-attack."""
    victim = player_at(state, neighbour(cards, np.int64(state["cell"][seat]), direction))
    state["tripped"] = 1
    state["trips"][seat] += 1
    no_mere_walk(state)
    if has_face(np.int64(cards["trip_faces"]), roll(rng, seat, Draw.TRIP, DIE_FACES)):
        state["trips_won"][seat] += 1
        state["skip"][victim] = max(state["skip"][victim], 1)
        if free_sides(state, cards, np.int64(state["cell"][victim])):
            state["node"] = Node.LEAP
            state["arg"][0] = victim
    elif state["combat"][victim] != 0:
        counter_attack(state, cards, victim, seat, rng)


@kernel
def robbable(state: Record, cards: Record, victim: int) -> int:
    """ROGUE-69. Cards and gold cards that can be stolen from a player."""
    total = 0
    if state["held"][victim]:
        for card in range(np.int64(cards["types"])):
            total += state["hand"][victim, card]
    for place in range(np.int64(cards["denominations"])):
        total += purse_card(cards, np.int64(state["gold"][victim]), place)
    return total


@kernel
def has_anything(state: Record, seat: int) -> bool:
    """Whether a player has a hand card or gold."""
    return state["held"][seat] != 0 or state["gold"][seat] > 0


@kernel
def steal(state: Record, cards: Record, seat: int, direction: int, rng: Record) -> None:
    """ROGUE-69. Try to steal from the player in a direction; all its cards and gold cards are equally likely."""
    victim = player_at(state, neighbour(cards, np.int64(state["cell"][seat]), direction))
    state["stole"] = 1
    state["steals"][seat] += 1
    no_mere_walk(state)
    if not has_face(np.int64(cards["steal_faces"]), roll(rng, seat, Draw.STEAL, DIE_FACES)):
        return
    state["steals_won"][seat] += 1
    loot = pick_loot(state, cards, victim, rng)
    if loot >= GOLD_CODE:
        hand_over(state, cards, victim, seat, GOLD_CODE + cards["denomination"][loot - GOLD_CODE])
    else:
        hand_over(state, cards, victim, seat, loot)


@kernel
def has_loot(state: Record, cards: Record, victim: int, code: int) -> bool:
    """ROGUE-69. Whether a player has a card of this type in hand, or this gold card (64 + index of a denomination)."""
    if code < GOLD_CODE:
        return state["hand"][victim, code] > 0
    place = code - GOLD_CODE
    return place < cards["denominations"] and purse_card(cards, np.int64(state["gold"][victim]), place) > 0


@kernel
def pick_loot(state: Record, cards: Record, victim: int, rng: Record) -> int:
    """ROGUE-69. A card type, or 64 + index of a denomination, drawn uniformly from the victim's cards.

    A scripted draw names it; what the victim does not have is refused.
    """
    named = scripted_draw(rng)
    if named != NOT_SCRIPTED:
        if has_loot(state, cards, victim, named):
            return named
        refuse_draw(rng)
    left = below(rng, victim, Draw.STEAL, robbable(state, cards, victim))
    for card in range(np.int64(cards["types"])):
        left -= state["hand"][victim, card]
        if left < 0:
            return card
    for place in range(np.int64(cards["denominations"])):
        left -= purse_card(cards, np.int64(state["gold"][victim]), place)
        if left < 0:
            return GOLD_CODE + place
    return GOLD_CODE
