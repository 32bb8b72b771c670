"""What a seat foresees of the exchange that is under way: rows, hands and gains, by where it is.

Before an attack is declared the attacker counts what it promises, then the defender what the best defence saves; while attacks
are resolved the best response is taken for granted. Own cards are known, the opponent's are average.
"""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.battle import force_now
from sim.games.rookling.clash import AMOUNT_BITS, AMOUNT_MAX, Stage, begin_clash, life_of, stage_of
from sim.games.rookling.footing import hand_after, held, numbers_in, row_now
from sim.games.rookling.guard import defence_promise, hits_price
from sim.games.rookling.record import Mask
from sim.games.rookling.response import best_response
from sim.games.rookling.state import LEFT, MIDDLE, NOWHERE, RIGHT, Phase
from sim.games.rookling.strike import power_now
from sim.games.rookling.thrust import attack_promise, declared_gain, shown_gain
from sim.games.rookling.tokens import sum_at

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
def rows_to_be(state: Record, cards: Record, seat: int) -> Rows:
    """Both rows, own and other, without the attacks that are not yet declared."""
    return row_to_be(state, cards, seat), row_to_be(state, cards, np.int64(1 - seat))


@kernel
def row_to_be(state: Record, cards: Record, seat: int) -> np.int64:
    """A seat's row; the attacker's as poison will leave it, unless that is the end."""
    row = row_now(state, seat)
    if seat != state["attacker"]:
        return row
    left = after_poison(state, cards, row)
    return row if stage_of(left) == Stage.LOST else left


@kernel
def after_poison(state: Record, cards: Record, row: int) -> np.int64:
    """ROOK-60. The attacker's row after the poison that it can no longer clear, by the best response."""
    clearing = state["phase"] == Phase.CLEAR and state["defending"] == 0
    if clearing or state["poison"] or state["at"][state["attacker"], MIDDLE] == NOWHERE:
        return np.int64(row)
    left, middle, right = np.int64(LEFT), np.int64(MIDDLE), np.int64(RIGHT)
    force = poison_at(state, cards, left) | poison_at(state, cards, middle) | poison_at(state, cards, right)
    if force == 0:
        return np.int64(row)
    clash = begin_clash(force, life_of(row, left), life_of(row, middle), life_of(row, right))
    return best_response(clash, force, cards)


@kernel
def doom(state: Record, cards: Record, seat: int, struck: int, killed: float) -> float:
    """DOOMED: whether poison will end the game, unless the attack does before.

    struck: the row of the defender as it is foreseen; killed: chance of the own attack to win. The defender can count on the
    attacker's end once it knows the attack: before that whoever leaves poison alone may well be about to win.
    """
    attacks = seat == state["attacker"]
    if (not attacks and (is_resting(state) or state["defending"] == 0)) or stage_of(struck) == Stage.LOST:
        return 0.0
    attacker = np.int64(state["attacker"])
    if stage_of(after_poison(state, cards, row_now(state, attacker))) != Stage.LOST:
        return 0.0
    return 1.0 - killed if attacks else -1.0


@kernel
def poison_at(state: Record, cards: Record, position: int) -> np.int64:
    """The packet that the attacker's damage tokens at a position will be, as a force."""
    damage = sum_at(state, cards, (np.int64(state["attacker"]), position), np.int64(Mask.DAMAGE), cards["damage"])
    return min(np.int64(AMOUNT_MAX), damage) << (AMOUNT_BITS * position)


@kernel
def at_rest(state: Record, cards: Record, seat: int, attacks: bool) -> Foresight:
    """Between two exchanges: hands as they are, and whether the attacker could win with its present row."""
    full, numbers = held(np.int64(state["hand_n"][seat]), numbers_in(state, cards, seat))
    their_full, _ = held(np.int64(state["hand_n"][1 - seat]), 0.0)
    power = power_now(state, cards, seat, attacks)
    skips = (1.0 if state["skip"][1 - seat] else 0.0) - (1.0 if state["skip"][seat] else 0.0)
    killed = 0.0
    if attacks:
        hands = (full, 0.0, 0.0, -their_full, skips, numbers, power, 0.0)
        if state["at"][seat, MIDDLE] != NOWHERE:  # else its first row is to be chosen
            _, killed, _, _, _ = attack_promise(state, cards)
    else:
        hands = (0.0, full, -their_full, 0.0, skips, numbers, 0.0, power)
    return rows_to_be(state, cards, seat), (*hands, 0.0, 0.0, 0.0, killed, 0.0, 0.0)


@kernel
def planning(state: Record, cards: Record, seat: int) -> Foresight:
    """The attacker before its attack is declared: the best one that it can still make."""
    gain, killed, extras, full, numbers = attack_promise(state, cards)
    their_full, _ = unseen_hand(state, cards, np.int64(1 - seat))
    hands = (0.0, full, 0.0, -their_full, 0.0, numbers, 0.0, 0.0)
    return rows_to_be(state, cards, seat), (*hands, gain, 0.0, 0.0, killed, extras, 0.0)


@kernel
def watching(state: Record, cards: Record, seat: int) -> Foresight:
    """The defender while the attacker places and declares: the attack as far as it shows."""
    full, numbers = own_hand(state, cards, seat)
    their_full, _ = unseen_hand(state, cards, np.int64(1 - seat))
    hands = (0.0, full, 0.0, -their_full, 0.0, numbers, 0.0, power_now(state, cards, seat, False))
    return rows_to_be(state, cards, seat), (*hands, 0.0, 0.0, -shown_gain(state, cards), 0.0, 0.0, 0.0)


@kernel
def awaiting(state: Record, cards: Record, seat: int) -> Foresight:
    """The attacker while the defender places and declares: what the attack can be expected to take."""
    gain, killed, tokens = declared_gain(state, cards)
    full, numbers = own_hand(state, cards, seat)
    their_full, _ = unseen_hand(state, cards, np.int64(1 - seat))
    hands = (0.0, full, 0.0, -their_full, 0.0, numbers, 0.0, 0.0)
    return rows_to_be(state, cards, seat), (*hands, 0.0, gain, 0.0, killed, tokens, 0.0)


@kernel
def facing(state: Record, cards: Record, seat: int) -> Foresight:
    """The defender before its defence is declared: the best one that it can still make, resolved to its end."""
    mine, hits, extras, full, numbers, power = defence_promise(state, cards)
    other = np.int64(1 - seat)
    their_full, _ = unseen_hand(state, cards, other)
    hands = (full, 0.0, 0.0, -their_full, 0.0, numbers, power, 0.0)
    return (mine, row_to_be(state, cards, other)), (*hands, 0.0, 0.0, 0.0, 0.0, extras, hits)


@kernel
def resolving(state: Record, cards: Record, seat: int, attacks: bool) -> Foresight:
    """While attacks or poison are resolved: the end to which the best response leads."""
    struck = np.int64(state["attacker"] if state["poison"] else 1 - state["attacker"])
    ended = best_response(np.int64(state["clash"]), force_now(state), cards)
    price, other = hits_price(state, cards, ended), np.int64(1 - seat)
    rows = (ended, row_to_be(state, cards, other)) if seat == struck else (row_to_be(state, cards, seat), ended)
    hits = -price if seat == struck else price
    full, numbers = own_hand(state, cards, seat)
    their_full, _ = unseen_hand(state, cards, other)
    if attacks:
        hands = (0.0, full, -their_full, 0.0, 0.0, numbers, 0.0, 0.0)
    else:
        hands = (full, 0.0, 0.0, -their_full, 0.0, numbers, power_now(state, cards, seat, False), 0.0)
    return rows, (*hands, 0.0, 0.0, 0.0, 0.0, 0.0, hits)


@kernel
def own_hand(state: Record, cards: Record, seat: int) -> tuple[float, float]:
    """What the own hand counts as in the course of an exchange."""
    return hand_after(state, cards, seat, np.int64(state["hand_n"][seat]), numbers_in(state, cards, seat))


@kernel
def unseen_hand(state: Record, cards: Record, seat: int) -> tuple[float, float]:
    """The same of a hand that may not be looked at: all its cards are average."""
    count = np.int64(state["hand_n"][seat])
    return hand_after(state, cards, seat, count, count * cards["mean_number"])
