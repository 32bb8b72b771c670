"""What a seat has (register section 7), in life points: lives, tokens, cards in hand. No rule reads this."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.clash import life_of
from sim.games.rookling.record import SQUAD, Mask
from sim.games.rookling.state import NOWHERE, POSITIONS, SLOTS, number_of
from sim.games.rookling.tokens import kind_of, kinds_at, sum_at

# Weights in life points, set by hand from the register and by games against each other.
ALIVE = 2.0  # a Rookling with life, beside its life points: as the best response has it (register section 4.4)
CARD = 0.5  # any card in hand ...
NUMBER = 0.6  # ... and each point of its number
SPARE = 0.5  # share of that for the fourth card and further ones: three Rooklings take one each
ON_TABLE = 0.55  # share of a token's worth (see `worth`) that counts once it lies there: it may be cleared


@kernel
def lives_worth(life: int, alive: int) -> float:
    """Worth of so much life on so many Rooklings."""
    return life + ALIVE * alive


@kernel
def row_worth(state: Record, seat: int) -> float:
    """Worth of a seat's lives as they are."""
    life, alive = np.int64(0), np.int64(0)
    for slot in range(SQUAD):
        life += state["life"][seat, slot]
        alive += state["life"][seat, slot] > 0
    return lives_worth(life, alive)


@kernel
def clash_worth(clash: int) -> float:
    """Worth of the lives of a row in a resolution."""
    life, alive = np.int64(0), np.int64(0)
    for position in range(POSITIONS):
        life += life_of(clash, np.int64(position))
        alive += life_of(clash, np.int64(position)) > 0
    return lives_worth(life, alive)


@kernel
def token_worth(state: Record, cards: Record, seat: int) -> float:
    """Worth of the tokens under a seat's Rooklings, active and pending, and of the fixed ones in its zones."""
    worth = 0.0
    for slot in range(SQUAD):
        if state["bears"][seat, slot] | state["pending"][seat, slot]:
            for kind in range(np.int64(cards["tokens"])):
                copies = state["tok"][seat, slot, kind] + state["tok_new"][seat, slot, kind]
                worth += copies * cards["token_worth"][kind]
            for effect_slot in range(SLOTS):
                if state["fe_tok"][seat, slot, effect_slot] > 0:
                    kind = kind_of(state, cards, np.int64(effect_slot))
                    worth += state["fe_tok"][seat, slot, effect_slot] * cards["token_worth"][kind]
    for effect_slot in range(SLOTS):
        if state["fixed"][effect_slot] != NOWHERE and state["fixed"][effect_slot] // POSITIONS == seat:
            worth += cards["token_worth"][kind_of(state, cards, np.int64(effect_slot))]
    return ON_TABLE * worth


@kernel
def card_worth(number: float) -> float:
    """Worth of a card in hand, by its number."""
    return CARD + NUMBER * number


@kernel
def cards_worth(count: int, total: float) -> float:
    """Worth of so many cards whose single worths add up to `total`: beyond three they count less."""
    if count <= SQUAD:
        return total
    return total * (SQUAD + SPARE * (count - SQUAD)) / count


@kernel
def hand_total(state: Record, cards: Record, seat: int) -> float:
    """Single worths of the cards in a hand, added up."""
    total = 0.0
    for card in range(np.int64(state["hand_n"][seat])):
        total += card_worth(float(number_of(state, cards, np.int64(state["hand"][seat, card]))))
    return total


@kernel
def hand_after(state: Record, cards: Record, seat: int, count: int, total: float) -> float:
    """Worth that a hand of so many cards will have; the attacker's is drawn up first (E3), unless that is skipped."""
    if seat == state["attacker"] and not state["skip"][seat]:
        drawn = max(np.int64(0), np.int64(cards["hand"]) - count)
        return cards_worth(count + drawn, total + drawn * card_worth(cards["mean_number"]))
    return cards_worth(count, total)


@kernel
def unseen_hand(state: Record, cards: Record, seat: int) -> float:
    """Worth of a hand that may not be looked at: all its cards are average."""
    count = np.int64(state["hand_n"][seat])
    return hand_after(state, cards, seat, count, count * card_worth(cards["mean_number"]))


@kernel
def poison_due(state: Record, cards: Record, seat: int) -> float:
    """ROOK-60. Life that a row will lose to damage tokens at the end of its attack, as far as the bearers have it."""
    due = 0.0
    for position in range(POSITIONS):
        if kinds_at(state, seat, np.int64(position)) & np.int64(cards["token_mask"][Mask.DAMAGE]):
            damage = sum_at(state, cards, (seat, np.int64(position)), np.int64(Mask.DAMAGE), cards["damage"])
            due += min(damage, np.int64(state["life"][seat, state["at"][seat, position]]))
    return due
