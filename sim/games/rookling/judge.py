"""How good a position looks (register section 7), and a fair re-deal of what a seat cannot see (section 6)."""

import numpy as np

from sim.engine.dice import below
from sim.engine.jit import Record, kernel
from sim.games.rookling.battle import force_now
from sim.games.rookling.footing import hand_after, hand_total, poison_due, row_worth, token_worth, unseen_hand
from sim.games.rookling.guard import defence_promise, ended_worth
from sim.games.rookling.record import SQUAD
from sim.games.rookling.response import best_response
from sim.games.rookling.state import COPIES_MAX, FIELD, NOBODY, SLOTS, Draw, Phase, defender_of
from sim.games.rookling.thrust import attack_promise, declared_gain

SOFTNESS = 8.0  # difference in life points that stands for a winning chance of 3/4
REDEALS = 100  # of a hand that cannot be: after that the last one stays


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
    edge = token_worth(state, cards, seat) - token_worth(state, cards, other) - unseen_hand(state, cards, other)
    attacker = np.int64(state["attacker"])
    due = poison_due(state, cards, attacker)
    edge -= due if seat == attacker else -due
    if state["phase"] >= Phase.NEXT:
        return edge + own_hand(state, cards, seat) + battle_edge(state, cards, seat)
    if state["phase"] == Phase.ROW or (state["phase"] == Phase.CLEAR and not state["defending"]):  # a new exchange
        return edge + own_hand(state, cards, seat) + row_worth(state, seat) - row_worth(state, other)
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
def own_hand(state: Record, cards: Record, seat: int) -> float:
    """Worth of the own hand as it is."""
    return hand_after(state, cards, seat, np.int64(state["hand_n"][seat]), hand_total(state, cards, seat))


@kernel
def battle_edge(state: Record, cards: Record, seat: int) -> float:
    """Lives after the resolution under way, answered in the best way, own less the opponent's."""
    struck = np.int64(state["attacker"]) if state["poison"] else defender_of(state)
    ended = best_response(np.int64(state["clash"]), force_now(state), cards)
    edge = ended_worth(ended) - row_worth(state, np.int64(1 - struck))
    return edge if seat == struck else -edge


@kernel
def redeal(state: Record, cards: Record, seat: int, rng: Record) -> None:  # noqa: ARG001 - the verb's parameters
    """ROOK-13, register section 6. Deal the opponent's hand anew from all that lies in that hand or in the deck.

    A field effect copy can only be in a place of the hand that was drawn after a copy went in. After the discard pile was
    shuffled in, older places of the hand are treated like the others.
    """
    other = np.int64(1 - seat)
    held = np.int64(state["hand_n"][other])
    if held == 0:
        return
    for card in range(held):
        state["deck"][state["deck_n"] + card] = state["hand"][other, card]
    pool = np.int64(state["deck_n"]) + held
    for _ in range(REDEALS):
        for card in range(held):  # the dealt cards gather at the end of the pool
            last = pool - 1 - card
            index = np.int64(below(rng, seat, Draw.CARD, last + 1))
            kind = np.int64(state["deck"][index])
            state["deck"][index] = state["deck"][last]
            state["deck"][last] = kind
            state["hand"][other, card] = kind
        if is_possible(state, seat):
            break
    for card in range(held):
        state["deck"][pool - 1 - card] = 0


@kernel
def is_possible(state: Record, seat: int) -> bool:
    """Whether the opponent may hold these field effect copies, as far as the seat knows when copies went in."""
    other = 1 - seat
    for effect_slot in range(SLOTS):
        mine = 0
        for card in range(np.int64(state["hand_n"][seat])):
            mine += state["hand"][seat, card] == FIELD + effect_slot
        copy = 0
        for card in range(np.int64(state["hand_n"][other])):
            if state["hand"][other, card] != FIELD + effect_slot:
                continue
            if copy >= COPIES_MAX - mine or state["entered"][effect_slot, copy] == 0:
                return False
            if state["entered"][effect_slot, copy] >= state["drawn_at"][other, card]:
                return False
            copy += 1
    return True
