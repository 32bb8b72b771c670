"""The features of a position, the winning chance that the weights make of them, and the expected end of the exchange.

Before an attack is declared, the attacker counts on its best plan, the defender on what the attacker has shown. After that, the
attacker counts on an average defence and the defender on its best one. While attacks are resolved, both assume the best
response. A seat knows its own cards; the opponent's count as average.
"""

import numpy as np

from sim.engine.evaluation import chance_of
from sim.engine.jit import Record, kernel, lowest_bit, scratch, without_lowest
from sim.games.rookling.cards import SQUAD, Mask
from sim.games.rookling.evaluation import prospects
from sim.games.rookling.record import JUDGED, Feature
from sim.games.rookling.rules.abilities import NO_KINDS, kind_of, sum_at
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


Rows = tuple[int, int]  # the seat's, the opponent's


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimated winning chance of a seat, 0..1; 0 or 1 at the end."""
    if state["phase"] == Phase.OVER:
        return 1.0 if state["winner"] == seat else 0.0
    view = scratch(prospects.FORESIGHT)
    foresee(state, cards, seat, view)
    return chance_of(view["feature"], cards["weight"][JUDGED])


@kernel
def depends_on_hidden(state: Record, after: Record, cards: Record, seat: int, shown: int) -> bool:  # noqa: ARG001 - the verb's parameters
    """A-04. Whether what an option leads to depends on hidden cards: only if no useless card can be placed."""
    return cards["dump"] == 0


@kernel
def features(state: Record, cards: Record, seat: int, out: np.ndarray) -> None:
    """The features of a position as a seat knows it, in the order of `Feature`."""
    view = scratch(prospects.FORESIGHT)
    foresee(state, cards, seat, view)
    for k in range(len(out)):
        out[k] = view["feature"][k]


@kernel
def foresee(state: Record, cards: Record, seat: int, view: Record) -> None:
    """Write the features of a position as a seat knows it."""
    feature = view["feature"]
    feature[:] = 0.0
    mine = theirs = begin_clash(0, 1, 1, 1)
    if state["phase"] != Phase.DRAFT:
        mine, theirs = expect(state, cards, seat, view)
        prospects.write_rows(cards, mine, theirs, feature)
        feature[stage_mark(state, seat)] = 1.0
        struck = theirs if seat == state["attacker"] else mine
        feature[Feature.DOOMED] = doom(state, view, seat, struck, feature[Feature.KILL])
        feature[Feature.TOKENS] = token_worth(state, cards, seat) - token_worth(state, cards, 1 - seat)
    reach, harm, worth = squad_view(state, cards, seat, mine)
    their_reach, their_harm, their_worth = squad_view(state, cards, 1 - seat, theirs)
    feature[Feature.REACH] = (reach - their_reach) / prospects.POINTS
    feature[Feature.HARM] = harm - their_harm
    feature[Feature.STRENGTH] = (worth - their_worth) / prospects.SQUAD_WORTH


@kernel
def stage_mark(state: Record, seat: int) -> int:
    """The feature, of ATTACK_OPENS to DEFENCE_HOLDS, that marks the step of the exchange for attacker or defender."""
    defends = int(seat != state["attacker"])
    if is_resting(state):
        return Feature.ATTACK_OPENS + defends
    if state["phase"] >= Phase.NEXT:
        return Feature.ATTACK_LANDS + defends
    return (Feature.ATTACK_WAITS if state["defending"] else Feature.ATTACK_PLANS) + defends


@kernel
def token_worth(state: Record, cards: Record, seat: int) -> float:
    """Worth of the tokens under a seat's Rooklings, active and pending, and of the fixed ones in its zones."""
    worth = 0.0
    for slot in range(SQUAD):
        left = np.uint64(state["bears"][seat, slot] | state["pending"][seat, slot])
        if left != NO_KINDS:
            while left != NO_KINDS:
                kind = lowest_bit(left)
                left = without_lowest(left)
                copies = state["tok"][seat, slot, kind] + state["tok_new"][seat, slot, kind]
                worth += copies * cards["token_worth"][kind]
            for effect_slot in range(SLOTS):
                if state["fe_tok"][seat, slot, effect_slot] > 0:
                    kind = kind_of(state, cards, effect_slot)
                    worth += state["fe_tok"][seat, slot, effect_slot] * cards["token_worth"][kind]
    zones = state["zone_kinds"][seat]
    for effect_slot in range(SLOTS if zones[LEFT] | zones[MIDDLE] | zones[RIGHT] else 0):
        if state["fixed"][effect_slot] != NOWHERE and state["fixed"][effect_slot] // POSITIONS == seat:
            worth += cards["token_worth"][kind_of(state, cards, effect_slot)]
    return prospects.ON_TABLE * worth


@kernel
def squad_view(state: Record, cards: Record, seat: int, row: int) -> tuple[float, float, float]:
    """Attack, harm and worth of a squad on paper, with the sides of its cards that are up in a row.

    A Rookling that is not drafted yet counts as the mean of all.
    """
    reach, harm, worth = 0.0, 0.0, 0.0
    for position in range(POSITIONS):
        rook = state["rook"][seat, prospects.slot_at(state, seat, position)]  # NOBODY: the last row, the mean
        side = int(life_of(row, position) == 0)
        reach += cards["reach"][rook, side]
        harm += cards["harm"][rook, side]
        worth += cards["worth"][rook]
    return reach, harm, worth


# What a seat expects of the exchange under way.


@kernel
def expect(state: Record, cards: Record, seat: int, view: Record) -> Rows:
    """Write the features OWN_TO_ATTACK to HITS. Returns the expected rows at the end of the exchange."""
    attacks = seat == state["attacker"]
    view["poisoned"] = after_poison(state, cards, prospects.row_now(state, state["attacker"]))
    if is_resting(state):
        at_rest(state, cards, seat, attacks, view)
    elif state["phase"] >= Phase.NEXT:
        return resolving(state, cards, seat, attacks, view)
    elif state["defending"] and not attacks:
        return facing(state, cards, seat, view)
    elif attacks:
        attacking(state, cards, seat, view)
    else:
        watching(state, cards, seat, view)
    return row_to_be(state, view, seat), row_to_be(state, view, 1 - seat)


@kernel
def is_resting(state: Record) -> bool:
    """Whether an exchange is about to begin: the attacker can clear tokens or arrange its row."""
    return state["phase"] == Phase.ROW or (state["phase"] == Phase.CLEAR and state["defending"] == 0)


@kernel
def row_to_be(state: Record, view: Record, seat: int) -> int:
    """A seat's row without attacks that are not declared yet; the attacker's after its poison, unless that ends the game."""
    if seat == state["attacker"] and stage_of(view["poisoned"]) != Stage.LOST:
        return view["poisoned"]
    return prospects.row_now(state, seat)


@kernel
def after_poison(state: Record, cards: Record, row: int) -> int:
    """ROOK-60. The attacker's row after the poison that it can no longer clear, with the best response."""
    clearing = state["phase"] == Phase.CLEAR and state["defending"] == 0
    if clearing or state["poison"] or state["at"][state["attacker"], MIDDLE] == NOWHERE:
        return row
    force = poison_at(state, cards, LEFT) | poison_at(state, cards, MIDDLE) | poison_at(state, cards, RIGHT)
    if force == 0:
        return row
    return best_response(begin_clash(force, life_of(row, LEFT), life_of(row, MIDDLE), life_of(row, RIGHT)), force, cards)


@kernel
def doom(state: Record, view: Record, seat: int, struck: int, killed: float) -> float:
    """The feature DOOMED: whether poison will end the game unless the attack does first.

    struck: the defender's expected row; killed: chance that the seat's attack wins. The defender counts on the attacker's end
    only when it knows the attack: an attacker that leaves its poison alone is perhaps about to win.
    """
    attacks = seat == state["attacker"]
    if (not attacks and (is_resting(state) or state["defending"] == 0)) or stage_of(struck) == Stage.LOST:
        return 0.0
    if stage_of(view["poisoned"]) != Stage.LOST:
        return 0.0
    return 1.0 - killed if attacks else -1.0


@kernel
def poison_at(state: Record, cards: Record, position: int) -> int:
    """The packet of the attacker's damage tokens at a position, as a force."""
    damage = sum_at(state, cards, state["attacker"], position, Mask.DAMAGE, cards["damage"])
    return min(AMOUNT_MAX, damage) << (AMOUNT_BITS * position)


@kernel
def at_rest(state: Record, cards: Record, seat: int, attacks: bool, view: Record) -> None:
    """Between two exchanges: current hands, and whether the attacker could win with its current row."""
    feature = view["feature"]
    full, numbers = prospects.held(state["hand_n"][seat], prospects.numbers_in(state, cards, seat))
    their_full, _ = prospects.held(state["hand_n"][1 - seat], 0.0)
    power = prospects.power_now(state, cards, view, seat, attacks)
    feature[Feature.SKIPS] = (1.0 if state["skip"][1 - seat] else 0.0) - (1.0 if state["skip"][seat] else 0.0)
    feature[Feature.NUMBERS] = numbers
    if attacks:
        feature[Feature.OWN_TO_ATTACK] = full
        feature[Feature.OTHER_TO_DEFEND] = -their_full
        feature[Feature.POWER_NEXT] = power
        if state["at"][seat, MIDDLE] != NOWHERE:  # else its first row is to be chosen
            _, killed, _, _, _ = prospects.attack_promise(state, cards, view)
            feature[Feature.KILL] = killed
    else:
        feature[Feature.OWN_TO_DEFEND] = full
        feature[Feature.OTHER_TO_ATTACK] = -their_full
        feature[Feature.POWER_LATER] = power


@kernel
def attacking(state: Record, cards: Record, seat: int, view: Record) -> None:
    """The attacker before it declares: its best possible attack. After that: what the attack is expected to take."""
    feature = view["feature"]
    if state["defending"]:
        gain, killed, extras = prospects.declared_gain(state, cards, view)
        full, numbers = own_hand(state, cards, seat)
        feature[Feature.DECLARED] = gain
    else:
        gain, killed, extras, full, numbers = prospects.attack_promise(state, cards, view)
        feature[Feature.PROMISE] = gain
    feature[Feature.OWN_TO_DEFEND] = full
    feature[Feature.OTHER_TO_DEFEND] = -unseen_hand(state, cards, 1 - seat)
    feature[Feature.NUMBERS] = numbers
    feature[Feature.KILL] = killed
    feature[Feature.EXTRAS] = extras


@kernel
def watching(state: Record, cards: Record, seat: int, view: Record) -> None:
    """The defender while the attacker places and declares: the attack as far as it is visible."""
    feature = view["feature"]
    full, numbers = own_hand(state, cards, seat)
    feature[Feature.OWN_TO_DEFEND] = full
    feature[Feature.OTHER_TO_DEFEND] = -unseen_hand(state, cards, 1 - seat)
    feature[Feature.NUMBERS] = numbers
    feature[Feature.POWER_LATER] = prospects.power_now(state, cards, view, seat, False)
    feature[Feature.SHOWN] = -prospects.shown_gain(state, cards, view)


@kernel
def facing(state: Record, cards: Record, seat: int, view: Record) -> Rows:
    """The defender before it declares: its best possible defence, resolved to its end."""
    feature = view["feature"]
    mine, hits, extras, full, numbers, power = prospects.defence_promise(state, cards, view)
    feature[Feature.OWN_TO_ATTACK] = full
    feature[Feature.OTHER_TO_DEFEND] = -unseen_hand(state, cards, 1 - seat)
    feature[Feature.NUMBERS] = numbers
    feature[Feature.POWER_NEXT] = power
    feature[Feature.EXTRAS] = extras
    feature[Feature.HITS] = hits
    return mine, row_to_be(state, view, 1 - seat)


@kernel
def resolving(state: Record, cards: Record, seat: int, attacks: bool, view: Record) -> Rows:
    """While attacks or poison are resolved: the end that the best response leads to."""
    feature, other = view["feature"], 1 - seat
    struck = state["attacker"] if state["poison"] else 1 - state["attacker"]
    ended = best_response(state["clash"], force_now(state), cards)
    price = prospects.hits_price(state, cards, ended)
    full, numbers = own_hand(state, cards, seat)
    their_full = unseen_hand(state, cards, other)
    feature[Feature.NUMBERS] = numbers
    feature[Feature.HITS] = -price if seat == struck else price
    if attacks:
        feature[Feature.OWN_TO_DEFEND] = full
        feature[Feature.OTHER_TO_ATTACK] = -their_full
    else:
        feature[Feature.OWN_TO_ATTACK] = full
        feature[Feature.OTHER_TO_DEFEND] = -their_full
        feature[Feature.POWER_NEXT] = prospects.power_now(state, cards, view, seat, False)
    if seat == struck:
        return ended, row_to_be(state, view, other)
    return row_to_be(state, view, seat), ended


@kernel
def own_hand(state: Record, cards: Record, seat: int) -> tuple[float, float]:
    """Weight of the seat's own hand during an exchange, see `hand_after`."""
    return prospects.hand_after(state, cards, seat, state["hand_n"][seat], prospects.numbers_in(state, cards, seat))


@kernel
def unseen_hand(state: Record, cards: Record, seat: int) -> float:
    """Weighted number of cards of a hidden hand at the end of the exchange."""
    full, _ = prospects.hand_after(state, cards, seat, state["hand_n"][seat], 0.0)
    return full
