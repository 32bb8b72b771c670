"""The features of a position, the winning chance that the weights make of them, and the expected end of the exchange.

Before an attack is declared, the attacker counts on its best plan, the defender on what the attacker has shown. After that, the
attacker counts on an average defence and the defender on its best one. While attacks are resolved, both assume the best
response. A seat knows its own cards; the opponent's count as average.
"""

import numpy as np

from sim.engine.evaluation import chance_of
from sim.engine.jit import Record, kernel
from sim.games.rookling.evaluation.prospects import (
    ON_TABLE,
    POINTS,
    SQUAD_WORTH,
    SQUADS,
    attack_promise,
    declared_gain,
    defence_promise,
    hand_after,
    held,
    hits_price,
    numbers_in,
    power_now,
    row_features,
    row_now,
    shown_gain,
    slot_at,
)
from sim.games.rookling.record import JUDGED, SQUAD, Feature, Mask
from sim.games.rookling.rules.abilities import kind_of, sum_at
from sim.games.rookling.rules.attacks import (
    AMOUNT_BITS,
    AMOUNT_MAX,
    Stage,
    begin_clash,
    best_response,
    force_now,
    life_of,
    stage_of,
)
from sim.games.rookling.state import LEFT, MIDDLE, NOWHERE, POSITIONS, RIGHT, SLOTS, Phase

# The evaluation.


KILL = Feature.KILL - Feature.OWN_TO_ATTACK  # its place in the second part of a Foresight
UNPLAYED = (0.0,) * SQUADS  # all features before those of the squads on paper, during a draft


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimated winning chance of a seat, 0..1; 0 or 1 at the end."""
    if state["phase"] == Phase.OVER:
        return 1.0 if state["winner"] == seat else 0.0
    return chance_of(features(state, cards, seat), cards["weight"][JUDGED])


@kernel
def features(state: Record, cards: Record, seat: int) -> tuple[float, ...]:
    """The features of a position as a seat knows it, in the order of `Feature`."""
    if state["phase"] == Phase.DRAFT:
        row = begin_clash(np.int64(0), np.int64(1), np.int64(1), np.int64(1))
        return (*UNPLAYED, *squad_features(state, cards, seat, row, row))
    rows, rest = foreseen(state, cards, seat)
    mine, theirs = rows
    tokens = token_worth(state, cards, seat) - token_worth(state, cards, np.int64(1 - seat))
    doomed = doom(state, cards, seat, theirs if seat == state["attacker"] else mine, rest[KILL])
    squads = squad_features(state, cards, seat, mine, theirs)
    return (*stage_marks(state, seat), *row_features(cards, mine, theirs), doomed, tokens, *rest, *squads)


@kernel
def stage_marks(state: Record, seat: int) -> tuple[float, ...]:
    """The features ATTACK_OPENS to DEFENCE_HOLDS: the step of the exchange, for attacker and defender."""
    attack, defence = (1.0, 0.0) if seat == state["attacker"] else (0.0, 1.0)
    if is_resting(state):
        return attack, defence, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if state["phase"] >= Phase.NEXT:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, attack, defence
    if state["defending"]:
        return 0.0, 0.0, 0.0, 0.0, attack, defence, 0.0, 0.0
    return 0.0, 0.0, attack, defence, 0.0, 0.0, 0.0, 0.0


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
def squad_view(state: Record, cards: Record, seat: int, row: int) -> tuple[float, float, float]:
    """Attack, harm and worth of a squad on paper, with the sides of its cards that are up in a row.

    A Rookling that is not drafted yet counts as the mean of all.
    """
    reach, harm, worth = 0.0, 0.0, 0.0
    for position in range(POSITIONS):
        rook = np.int64(state["rook"][seat, slot_at(state, seat, np.int64(position))])  # NOBODY: the last row, the mean
        side = np.int64(life_of(row, np.int64(position)) == 0)
        reach += cards["reach"][rook, side]
        harm += cards["harm"][rook, side]
        worth += cards["worth"][rook]
    return reach, harm, worth


@kernel
def squad_features(state: Record, cards: Record, seat: int, mine: int, theirs: int) -> tuple[float, float, float]:
    """The features REACH to STRENGTH."""
    reach, harm, worth = squad_view(state, cards, seat, mine)
    their_reach, their_harm, their_worth = squad_view(state, cards, np.int64(1 - seat), theirs)
    return (reach - their_reach) / POINTS, harm - their_harm, (worth - their_worth) / SQUAD_WORTH


# What a seat expects of the exchange under way.


Rows = tuple[int, int]  # the seat's, the opponent's
Foresight = tuple[Rows, tuple[float, ...]]  # rows, and the features OWN_TO_ATTACK to HITS


@kernel
def foreseen(state: Record, cards: Record, seat: int) -> Foresight:
    """Expected rows at the end of the exchange, and the features OWN_TO_ATTACK to HITS."""
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
    """Whether an exchange is about to begin: the attacker can clear tokens or arrange its row."""
    return state["phase"] == Phase.ROW or (state["phase"] == Phase.CLEAR and state["defending"] == 0)


@kernel
def rows_to_be(state: Record, cards: Record, seat: int) -> Rows:
    """Both rows, without attacks that are not declared yet."""
    return row_to_be(state, cards, seat), row_to_be(state, cards, np.int64(1 - seat))


@kernel
def row_to_be(state: Record, cards: Record, seat: int) -> np.int64:
    """A seat's row; the attacker's after its poison, unless that ends the game."""
    row = row_now(state, seat)
    if seat != state["attacker"]:
        return row
    left = after_poison(state, cards, row)
    return row if stage_of(left) == Stage.LOST else left


@kernel
def after_poison(state: Record, cards: Record, row: int) -> np.int64:
    """ROOK-60. The attacker's row after the poison that it can no longer clear, with the best response."""
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
    """The feature DOOMED: whether poison will end the game unless the attack does first.

    struck: the defender's expected row; killed: chance that the seat's attack wins. The defender counts on the attacker's end
    only when it knows the attack: an attacker that leaves its poison alone is perhaps about to win.
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
    """The packet of the attacker's damage tokens at a position, as a force."""
    damage = sum_at(state, cards, (np.int64(state["attacker"]), position), np.int64(Mask.DAMAGE), cards["damage"])
    return min(np.int64(AMOUNT_MAX), damage) << (AMOUNT_BITS * position)


@kernel
def at_rest(state: Record, cards: Record, seat: int, attacks: bool) -> Foresight:
    """Between two exchanges: current hands, and whether the attacker could win with its current row."""
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
    """The attacker before it declares: its best possible attack."""
    gain, killed, extras, full, numbers = attack_promise(state, cards)
    their_full, _ = unseen_hand(state, cards, np.int64(1 - seat))
    hands = (0.0, full, 0.0, -their_full, 0.0, numbers, 0.0, 0.0)
    return rows_to_be(state, cards, seat), (*hands, gain, 0.0, 0.0, killed, extras, 0.0)


@kernel
def watching(state: Record, cards: Record, seat: int) -> Foresight:
    """The defender while the attacker places and declares: the attack as far as it is visible."""
    full, numbers = own_hand(state, cards, seat)
    their_full, _ = unseen_hand(state, cards, np.int64(1 - seat))
    hands = (0.0, full, 0.0, -their_full, 0.0, numbers, 0.0, power_now(state, cards, seat, False))
    return rows_to_be(state, cards, seat), (*hands, 0.0, 0.0, -shown_gain(state, cards), 0.0, 0.0, 0.0)


@kernel
def awaiting(state: Record, cards: Record, seat: int) -> Foresight:
    """The attacker while the defender places and declares: what the attack is expected to take."""
    gain, killed, tokens = declared_gain(state, cards)
    full, numbers = own_hand(state, cards, seat)
    their_full, _ = unseen_hand(state, cards, np.int64(1 - seat))
    hands = (0.0, full, 0.0, -their_full, 0.0, numbers, 0.0, 0.0)
    return rows_to_be(state, cards, seat), (*hands, 0.0, gain, 0.0, killed, tokens, 0.0)


@kernel
def facing(state: Record, cards: Record, seat: int) -> Foresight:
    """The defender before it declares: its best possible defence, resolved to its end."""
    mine, hits, extras, full, numbers, power = defence_promise(state, cards)
    other = np.int64(1 - seat)
    their_full, _ = unseen_hand(state, cards, other)
    hands = (full, 0.0, 0.0, -their_full, 0.0, numbers, power, 0.0)
    return (mine, row_to_be(state, cards, other)), (*hands, 0.0, 0.0, 0.0, 0.0, extras, hits)


@kernel
def resolving(state: Record, cards: Record, seat: int, attacks: bool) -> Foresight:
    """While attacks or poison are resolved: the end that the best response leads to."""
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
    """Weight of the seat's own hand during an exchange, see `hand_after`."""
    return hand_after(state, cards, seat, np.int64(state["hand_n"][seat]), numbers_in(state, cards, seat))


@kernel
def unseen_hand(state: Record, cards: Record, seat: int) -> tuple[float, float]:
    """The same for a hidden hand: all its cards count as average."""
    count = np.int64(state["hand_n"][seat])
    return hand_after(state, cards, seat, count, count * cards["mean_number"])
