"""How good a position looks (register section 7), and a fair re-deal of what a seat cannot see (section 6)."""

import numpy as np

from sim.engine.dice import below
from sim.engine.jit import Record, kernel
from sim.games.rookling.battle import force_now
from sim.games.rookling.clash import bearer_of
from sim.games.rookling.footing import (
    ON_TABLE,
    card_worth,
    cards_worth,
    hand_after,
    hand_total,
    poison_due,
    row_worth,
    token_worth,
    unseen_hand,
)
from sim.games.rookling.guard import defence_promise, ended_worth
from sim.games.rookling.record import SQUAD
from sim.games.rookling.response import best_response
from sim.games.rookling.state import COPIES_MAX, FIELD, NOBODY, POSITIONS, Draw, Phase, defender_of
from sim.games.rookling.thrust import attack_promise, declared_gain, hit_worth
from sim.games.rookling.worth import LANDS

SOFTNESS = 8.0  # difference in life points that stands for a winning chance of 3/4


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimate of a seat's winning chance, 0..1: a difference in life points, squashed; 0 or 1 at the end."""
    if state["phase"] == Phase.OVER:
        return 1.0 if state["winner"] == seat else 0.0
    edge = draft_edge(state, cards, seat) if state["phase"] == Phase.DRAFT else position_edge(state, cards, seat)
    return 0.5 + 0.5 * edge / (SOFTNESS + abs(edge))


@kernel
def draft_edge(state: Record, cards: Record, seat: int) -> float:
    """How much stronger the own picks look than the opponent's, in life points."""
    edge = 0.0
    for side in range(2):
        for slot in range(SQUAD):
            rook = state["rook"][side, slot]
            if rook != NOBODY:
                edge += cards["worth"][rook] * (1.0 if side == seat else -1.0)
    return edge


@kernel
def position_edge(state: Record, cards: Record, seat: int) -> float:
    """Own lives, tokens and prospects less the opponent's, in life points.

    Before an attack is declared the attacker counts what it promises, then the defender what the best defence saves;
    while attacks are resolved the best response is taken for granted. Own cards are known, the opponent's are average.
    """
    other = np.int64(1 - seat)
    edge = token_worth(state, cards, seat) - token_worth(state, cards, other)
    attacker = np.int64(state["attacker"])
    due = poison_due(state, cards, attacker)
    edge -= due if seat == attacker else -due
    if state["phase"] == Phase.ROW or (state["phase"] == Phase.CLEAR and not state["defending"]):  # a new exchange
        rows = row_worth(state, seat) - row_worth(state, other)
        return edge + rows + resting_hand(state, cards, seat, True) - resting_hand(state, cards, other, False)
    edge -= unseen_hand(state, cards, other)
    if state["phase"] >= Phase.NEXT:
        return edge + own_hand(state, cards, seat) + battle_edge(state, cards, seat)
    if seat == defender_of(state) and state["defending"]:
        return edge + defence_promise(state, cards) - row_worth(state, other)
    edge += row_worth(state, seat) - row_worth(state, other)
    if seat == attacker and not state["defending"]:
        return edge + attack_promise(state, cards)
    edge += own_hand(state, cards, seat)
    if not state["defending"]:
        return edge
    return edge + declared_gain(state, cards)


@kernel
def resting_hand(state: Record, cards: Record, seat: int, known: bool) -> float:
    """Worth of a hand between two exchanges, so that an exchange that is over compares with one that goes on.

    A draw that will be skipped (ROOK-15) counts as the cards that a full plan would have had replaced. known: whether the cards
    may be looked at; else they are average.
    """
    held, average = np.int64(state["hand_n"][seat]), card_worth(cards["mean_number"])
    worth = cards_worth(held, hand_total(state, cards, seat) if known else held * average)
    return worth - SQUAD * average if state["skip"][seat] else worth


@kernel
def own_hand(state: Record, cards: Record, seat: int) -> float:
    """Worth of the own hand as it is."""
    return hand_after(state, cards, seat, np.int64(state["hand_n"][seat]), hand_total(state, cards, seat))


@kernel
def battle_edge(state: Record, cards: Record, seat: int) -> float:
    """Lives after the resolution under way, answered in the best way, own less the opponent's."""
    struck = np.int64(state["attacker"]) if state["poison"] else defender_of(state)
    ended = best_response(np.int64(state["clash"]), force_now(state), cards)
    edge = ended_worth(ended) - row_worth(state, np.int64(1 - struck)) - hits_price(state, cards, ended)
    return edge if seat == struck else -edge


@kernel
def hits_price(state: Record, cards: Record, ended: int) -> float:
    """ROOK-56. What the tokens of attacks that were not fully blocked will cost the defender."""
    attacker, price = np.int64(state["attacker"]), 0.0
    for position in range(POSITIONS):
        line = np.int64(state["line"][attacker, position])
        if not state["poison"] and bearer_of(ended, position) >= 0 and line != NOBODY:
            price += hit_worth(state, cards, attacker, np.int64(position), line) * ON_TABLE / LANDS
    return price


@kernel
def redeal(state: Record, cards: Record, seat: int, rng: Record) -> None:  # noqa: ARG001 - the verb's parameters
    """ROOK-13, register section 6. Deal the opponent's hand anew from all that lies in that hand or in the deck.

    All hands that can be are equally likely: it is known when copies of a field effect went in, and they can only be in
    places of the hand that were drawn after that. The oldest place comes first: younger ones may hold whatever it may.
    After the discard pile was shuffled in, its energy may be in older places too.
    """
    other = np.int64(1 - seat)
    held = np.int64(state["hand_n"][other])
    for card in range(held):
        state["deck"][state["deck_n"] + card] = state["hand"][other, card]
    for card in range(held):
        last = np.int64(state["deck_n"]) + held - 1 - card
        index = np.int64(below(rng, seat, Draw.CARD, last + 1))
        if not may_hold(state, seat, np.int64(card), index):
            index = pick_possible(state, rng, seat, (np.int64(card), last))
        state["hand"][other, card] = state["deck"][index]
        state["deck"][index] = state["deck"][last]
        state["deck"][last] = 0


@kernel
def may_hold(state: Record, seat: int, card: int, index: int) -> bool:
    """Whether a place of the opponent's hand may hold a card of the deck. card, index: their places.

    Of equal copies in the deck as many as went in before that place was drawn, the first ones, are those that may.
    """
    kind = np.int64(state["deck"][index])
    if kind < FIELD:
        return True
    before = np.int64(0)
    for i in range(index):
        before += state["deck"][i] == kind
    return before < within_reach(state, seat, card, kind - FIELD)


@kernel
def within_reach(state: Record, seat: int, card: int, effect_slot: int) -> np.int64:
    """Copies of a field effect that may be in a place of the opponent's hand, less those in older places of it."""
    other, own = 1 - seat, own_copies(state, seat, effect_slot)
    drawn_at, reach = state["drawn_at"][other, card], np.int64(0)
    for copy in range(COPIES_MAX):
        reach += own >> copy & 1 == 0 and 0 < state["entered"][effect_slot, copy] < drawn_at
    for older in range(card):
        reach -= state["hand"][other, older] == FIELD + effect_slot
    return reach


@kernel
def own_copies(state: Record, seat: int, effect_slot: int) -> np.int64:
    """Which copies of a field effect are in the own hand, by bit: the latest that they can be, as in `forget_copy`."""
    own = np.int64(0)
    for card in range(np.int64(state["hand_n"][seat])):
        if state["hand"][seat, card] == FIELD + effect_slot:
            found = np.int64(0)
            for copy in range(COPIES_MAX):
                entered = state["entered"][effect_slot, copy]
                if own >> copy & 1 == 0 and 0 < entered < state["drawn_at"][seat, card]:
                    found = np.int64(1) << copy
            own |= found
    return own


@kernel
def pick_possible(state: Record, rng: Record, seat: int, place: tuple[int, int]) -> np.int64:
    """Place in the deck of a card that a place of the opponent's hand may hold, all equally likely.

    place: in the hand; last in the deck, which is returned if there is no such card (in positions that cannot come about).
    """
    card, last = place
    possible = np.int64(0)
    for index in range(last + 1):
        possible += may_hold(state, seat, card, np.int64(index))
    if possible == 0:
        return np.int64(last)
    left = np.int64(below(rng, seat, Draw.CARD, possible))
    for index in range(last + 1):
        if may_hold(state, seat, card, np.int64(index)):
            if left == 0:
                return np.int64(index)
            left -= 1
    return np.int64(last)
