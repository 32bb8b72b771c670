"""What a seat foresees of the exchange that is under way: rows, hands and gains, by where it is.

Before an attack is declared the attacker counts what it promises, then the defender what the best defence saves; while attacks
are resolved the best response is taken for granted. Own cards are known, the opponent's are average.
"""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.battle import force_now
from sim.games.rookling.footing import own_hand, resting_hand, row_now, unseen_hand
from sim.games.rookling.guard import defence_promise, hits_price
from sim.games.rookling.response import best_response
from sim.games.rookling.state import Phase
from sim.games.rookling.strike import power_now
from sim.games.rookling.thrust import attack_promise, declared_gain, shown_gain

Rows = tuple[int, int]  # mine, theirs
Foresight = tuple[Rows, tuple[float, ...]]  # and OWN_TO_ATTACK to HITS


@kernel
def foreseen(state: Record, cards: Record, seat: int) -> Foresight:
    """Rows at the end of the exchange as far as they are foreseen, and OWN_TO_ATTACK to HITS."""
    attacks = seat == state["attacker"]
    if is_resting(state):
        return at_rest(state, cards, seat, attacks)
    if state["phase"] >= Phase.NEXT:
        return resolving(state, cards, seat, attacks)
    if state["defending"]:
        return awaiting(state, cards, seat) if attacks else facing(state, cards, seat)
    return planning(state, cards, seat) if attacks else watching(state, cards, seat)


@kernel
def is_resting(state: Record) -> bool:
    """Whether an exchange is about to begin: the attacker may clear tokens or arrange its row."""
    return state["phase"] == Phase.ROW or (state["phase"] == Phase.CLEAR and state["defending"] == 0)


@kernel
def rows_now(state: Record, seat: int) -> Rows:
    """Both rows as they are."""
    return row_now(state, seat), row_now(state, np.int64(1 - seat))


@kernel
def at_rest(state: Record, cards: Record, seat: int, attacks: bool) -> Foresight:
    """Between two exchanges: hands as they are."""
    full, numbers = resting_hand(state, cards, seat, True)
    their_full, _ = resting_hand(state, cards, np.int64(1 - seat), False)
    power = power_now(state, cards, seat, attacks)
    hands = (
        (full, 0.0, 0.0, -their_full, numbers, power, 0.0)
        if attacks
        else (0.0, full, -their_full, 0.0, numbers, 0.0, power)
    )
    return rows_now(state, seat), (*hands, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def planning(state: Record, cards: Record, seat: int) -> Foresight:
    """The attacker before its attack is declared: the best one that it can still make."""
    gain, killed, extras, full, numbers = attack_promise(state, cards)
    their_full, _ = unseen_hand(state, cards, np.int64(1 - seat))
    hands = (0.0, full, 0.0, -their_full, numbers, 0.0, 0.0)
    return rows_now(state, seat), (*hands, gain, 0.0, 0.0, killed, extras, 0.0)


@kernel
def watching(state: Record, cards: Record, seat: int) -> Foresight:
    """The defender while the attacker places and declares: the attack as far as it shows."""
    full, numbers = own_hand(state, cards, seat)
    their_full, _ = unseen_hand(state, cards, np.int64(1 - seat))
    hands = (0.0, full, 0.0, -their_full, numbers, 0.0, power_now(state, cards, seat, False))
    return rows_now(state, seat), (*hands, 0.0, 0.0, -shown_gain(state, cards), 0.0, 0.0, 0.0)


@kernel
def awaiting(state: Record, cards: Record, seat: int) -> Foresight:
    """The attacker while the defender places and declares: what the attack can be expected to take."""
    gain, killed, tokens = declared_gain(state, cards)
    full, numbers = own_hand(state, cards, seat)
    their_full, _ = unseen_hand(state, cards, np.int64(1 - seat))
    hands = (0.0, full, 0.0, -their_full, numbers, 0.0, 0.0)
    return rows_now(state, seat), (*hands, 0.0, gain, 0.0, killed, tokens, 0.0)


@kernel
def facing(state: Record, cards: Record, seat: int) -> Foresight:
    """The defender before its defence is declared: the best one that it can still make, resolved to its end."""
    mine, hits, extras, full, numbers, power = defence_promise(state, cards)
    other = np.int64(1 - seat)
    their_full, _ = unseen_hand(state, cards, other)
    hands = (full, 0.0, 0.0, -their_full, numbers, power, 0.0)
    return (mine, row_now(state, other)), (*hands, 0.0, 0.0, 0.0, 0.0, extras, hits)


@kernel
def resolving(state: Record, cards: Record, seat: int, attacks: bool) -> Foresight:
    """While attacks or poison are resolved: the end to which the best response leads."""
    struck = np.int64(state["attacker"] if state["poison"] else 1 - state["attacker"])
    ended = best_response(np.int64(state["clash"]), force_now(state), cards)
    price, other = hits_price(state, cards, ended), np.int64(1 - seat)
    rows = (ended, row_now(state, other)) if seat == struck else (row_now(state, seat), ended)
    hits = -price if seat == struck else price
    full, numbers = own_hand(state, cards, seat)
    their_full, _ = unseen_hand(state, cards, other)
    if attacks:
        hands = (0.0, full, -their_full, 0.0, numbers, 0.0, 0.0)
    else:
        hands = (full, 0.0, 0.0, -their_full, numbers, power_now(state, cards, seat, False), 0.0)
    return rows, (*hands, 0.0, 0.0, 0.0, 0.0, 0.0, hits)
