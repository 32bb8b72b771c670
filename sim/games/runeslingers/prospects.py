"""What half-made decisions promise: what the frames of the work stack will do, in the units of `values`.

Without it a player that looks one decision ahead would see nothing in slinging a runespell that can still be answered.
"""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.ailments import area_for
from sim.games.runeslingers.damage import amount_of, barrier_of, pierces
from sim.games.runeslingers.record import NO_ROW, Ailment, Op, Picker, To
from sim.games.runeslingers.state import NOBODY, SEATS, SLOTS, place_of, seat_of, seq_of
from sim.games.runeslingers.stats import block_of, defence_of, exposed_total, is_defence
from sim.games.runeslingers.terms import Frame, Part
from sim.games.runeslingers.values import THING, THING_COST, can_block, room_to_heal, thing_worth

BLOCKED = 4.5  # for making the enemy block: a card of its hand, and its block of this turn
DOWN = 1.5  # for taking a power
STOPPED = 0.9  # for a point of damage that a barrier takes
SCRATCH = 0.2  # for hurting a defence card that stays
BURN, DEBILITATE, OTHER, CHOSEN = 4.5, 3.5, 3.2, 3.8  # an instance applied
REMOVED, CONVERTED, DRAWN, SEARED, VOIDED, THROWN = 2.5, 1.0, 2.9, 0.6, 0.9, 3.2
TARGET_UNKNOWN = 5.0  # destroying or trapping something yet to be chosen
CONCENTRATION = 4.0
SPELL_ABOUT = 2.0  # a runespell trapped that will do nothing more
LIGHT, SET, BOOST = 0.6, 3.0, 1.0
GONE = -3  # the target has left: the effect will fizzle
DIRECT, PIERCE = 1, 2  # bits of the nature of damage


@kernel
def promise(state: Record, cards: Record, seat: int) -> tuple[float, float]:
    """What all frames of the stack will bring a seat, its own and those of its enemy.

    A rung that a higher one destroys or traps will bring nothing. What the enemy's frames bring the enemy counts negative.
    """
    own, others = 0.0, 0.0
    for at in range(np.int64(state["depth"])):
        if state["frame"][at] <= Frame.DAMAGE and not is_doomed(state, cards, at):
            worth = frame_worth(state, cards, np.int64(at))
            if state["by"][at] == seat:
                own += worth
            else:
                others -= worth
    return own, others


@kernel
def is_doomed(state: Record, cards: Record, at: int) -> bool:
    """Whether a frame above this one will destroy or trap its card before it resolves."""
    if state["frame"][at] != Frame.CARD or state["place"][at] == NOBODY or state["step"][at] >= Part.EFFECTS:
        return False
    for upper in range(at + 1, np.int64(state["depth"])):
        if state["frame"][upper] == Frame.CARD and removes(state, cards, upper, at):
            return True
    return False


@kernel
def removes(state: Record, cards: Record, upper: int, at: int) -> bool:
    """Whether a frame is announced to destroy or trap the card of another."""
    for k in range(np.int64(state["aims_n"][upper])):
        op, thing = cards["op"][np.int64(state["row"][upper]) + k], np.int64(state["aims"][upper, k])
        if thing >= SEATS and op in (Op.DESTROY, Op.TRAP):
            return seat_of(thing) == state["side"][at] and place_of(thing) == state["place"][at]
    return False


@kernel
def frame_worth(state: Record, cards: Record, at: int) -> float:
    """What a frame will bring its controller."""
    if state["frame"][at] == Frame.DAMAGE:
        return blow_worth(state, cards, at)
    worth, row = 0.0, np.int64(state["row"][at])
    if state["frame"][at] == Frame.CARD and state["step"][at] < Part.TYPES:
        card = np.int64(state["card"][at])
        if state["inst"][at] != NOBODY and is_defence(cards, card):
            worth += THING + THING_COST * cards["cost"][card]
        row = intended_row(state, cards, at, card)
    k = np.int64(state["at"][at])
    while row != NO_ROW and cards["op"][row + k] != Op.NONE:
        worth += effect_worth(state, cards, at, row + k, goal_of(state, cards, at, row + k, k))
        k += 1
    return worth


@kernel
def intended_row(state: Record, cards: Record, at: int, card: int) -> np.int64:
    """The effects that a card about to be laid will have: with Choice the best bullet, with Fate the worst."""
    if cards["picker"][card] == Picker.NOBODY:
        return np.int64(cards["effects"][card])
    best, best_worth = np.int64(cards["bullet"][card, 0]), 0.0
    sign = 1.0 if cards["picker"][card] == Picker.PLAYER else -1.0
    for k in range(np.int64(cards["bullets"][card])):
        row, worth, i = np.int64(cards["bullet"][card, k]), 0.0, np.int64(0)
        while cards["op"][row + i] != Op.NONE:
            worth += sign * effect_worth(state, cards, at, row + i, default_goal(state, cards, at, row + i))
            i += 1
        if k == 0 or worth > best_worth:
            best, best_worth = row, worth
    return best


@kernel
def goal_of(state: Record, cards: Record, at: int, row: int, k: int) -> np.int64:
    """Object that the k-th effect of a frame will meet: as announced, else as one would choose; NOBODY: none any more."""
    if cards["to"][row] > To.CARD or k >= state["aims_n"][at]:
        return default_goal(state, cards, at, row)
    thing = np.int64(state["aims"][at, k])
    if thing == NOBODY or seq_of(state, thing) != state["aim_seqs"][at, k]:
        return np.int64(GONE)
    return thing


@kernel
def default_goal(state: Record, cards: Record, at: int, row: int) -> np.int64:
    """Runeslinger that an effect is meant for; NOBODY where it is meant for a card yet to be chosen."""
    to, op, seat = cards["to"][row], cards["op"][row], np.int64(state["by"][at])
    if to == To.SAME:
        return np.int64(state["target"][at]) if state["target"][at] >= 0 else SEATS - 1 - seat
    if to in (To.SELF, To.OWN):
        return seat
    if To.DEFENCE <= to <= To.CARD:
        return np.int64(NOBODY)
    helps = op in (Op.HEAL, Op.REMOVE, Op.DRAW, Op.BARRIER)
    return seat if helps and to != To.ENEMY else SEATS - 1 - seat


@kernel
def effect_worth(state: Record, cards: Record, at: int, row: int, goal: int) -> float:
    """What an effect of a frame brings its controller if it meets an object; NOBODY: one yet to be chosen."""
    op, seat = cards["op"][row], np.int64(state["by"][at])
    if goal < NOBODY:
        return 0.0
    if op in (Op.DESTROY, Op.TRAP):
        return removal_worth(state, cards, seat, goal)
    if goal == NOBODY:
        return SCRATCH
    sign = 1.0 if seat_of(goal) != seat else -1.0
    if cards["to"][row] == To.EACH:
        sign = 0.0
    if op == Op.DAMAGE:
        nature = nature_of(cards["direct"][row] > 0, pierces(state, cards, at))
        points = amount_of(state, cards, at, row, goal)
        return sign * hurt_worth(state, cards, goal, points, nature, np.int64(cards["hit"][row]))
    if op == Op.BARRIER:
        return barrier_worth(state, cards, goal, np.int64(cards["n"][row]), at)
    return sign * runeslinger_worth(state, cards, row, goal)


@kernel
def runeslinger_worth(state: Record, cards: Record, row: int, goal: int) -> float:
    """What an effect on a Runeslinger costs it; help counts negative."""
    op, n = cards["op"][row], np.int64(cards["n"][row])
    if op == Op.LOSE:
        return 1.0 * n
    if op == Op.HEAL:
        return -0.95 * min(n, room_to_heal(state, goal))
    if op == Op.APPLY:
        return n * ailment_worth(state, cards, np.int64(cards["ailment"][row]), goal)
    if op == Op.REMOVE:
        return -REMOVED * min(n, exposed_total(state, goal))
    if op == Op.CONVERT:
        return CONVERTED * min(n, exposed_total(state, goal))
    return common_worth(state, cards, row, goal)


@kernel
def common_worth(state: Record, cards: Record, row: int, goal: int) -> float:
    """What an effect on cards, light or numbers costs a Runeslinger; help counts negative."""
    op, n = cards["op"][row], np.int64(cards["n"][row])
    if op == Op.DRAW:
        return -DRAWN * n
    if op == Op.SEAR:
        return SEARED * n
    if op == Op.VOID:
        return VOIDED * n
    if op in (Op.DISCARD, Op.DISCARD_RANDOM):
        return THROWN * min(n, np.int64(state["hand_n"][goal]))
    if op == Op.LIGHT:
        return -LIGHT * n
    if op == Op.EXTRA_SET:
        return -SET * n
    return -BOOST * n


@kernel
def ailment_worth(state: Record, cards: Record, kind: int, seat: int) -> float:
    """What an instance of a type does to a player, if there is room for it."""
    if kind == Ailment.CHOOSE:
        return CHOSEN
    if area_for(state, cards, seat, kind) == NOBODY:
        return 0.0
    if kind == Ailment.BURN:
        return BURN
    return DEBILITATE if kind == Ailment.DEBILITATE else OTHER


@kernel
def removal_worth(state: Record, cards: Record, seat: int, goal: int) -> float:
    """What destroying or trapping an object brings; what becomes of a rung is seen at its frame."""
    if goal == NOBODY:
        return TARGET_UNKNOWN
    if goal < SEATS:
        return 0.0
    side, place = seat_of(goal), place_of(goal)
    sign = 1.0 if side != seat else -1.0
    if state["thing"][side, place] == NOBODY:
        return sign * CONCENTRATION
    worth = thing_worth(state, cards, side, place)
    if place < SLOTS and not is_defence(cards, np.int64(state["card_of"][state["thing"][side, place]])):
        worth = SPELL_ABOUT
    return sign * worth


@kernel
def barrier_worth(state: Record, cards: Record, goal: int, n: int, at: int) -> float:
    """Damage that a barrier will take: of the frames below that are aimed at the object."""
    threat = np.int64(0)
    for lower in range(at):
        if state["frame"][lower] == Frame.DAMAGE and state["target"][lower] == goal:
            threat += np.int64(state["left"][lower])
        elif state["frame"][lower] <= Frame.ACT:
            threat += threat_of(state, cards, np.int64(lower), goal)
    return STOPPED * (n if n < threat else threat)


@kernel
def threat_of(state: Record, cards: Record, at: int, goal: int) -> np.int64:
    """Damage that a barrier can stop of what a frame has announced for an object."""
    threat = np.int64(0)
    for k in range(np.int64(state["at"][at]), np.int64(state["aims_n"][at])):
        row = np.int64(state["row"][at]) + k
        if state["aims"][at, k] == goal and cards["op"][row] == Op.DAMAGE and cards["direct"][row] == 0:
            threat += amount_of(state, cards, at, row, goal)
    return threat


@kernel
def blow_worth(state: Record, cards: Record, at: int) -> float:
    """What a damage event under way will bring its controller."""
    goal = np.int64(state["target"][at])
    if goal == NOBODY or seq_of(state, goal) != state["target_seq"][at] or state["left"][at] == 0:
        return 0.0
    sign = 1.0 if seat_of(goal) != state["by"][at] else -1.0
    nature = nature_of(state["direct"][at] > 0, state["pierce"][at] > 0)
    return sign * hurt_worth(state, cards, goal, np.int64(state["left"][at]), nature, np.int64(state["row"][at]))


@kernel
def hurt_worth(state: Record, cards: Record, goal: int, points: int, nature: int, hit: int) -> float:
    """What damage does to an object and what follows a hit, if its player blocks where that is better. See `unblocked_worth`."""
    worth = unblocked_worth(state, cards, goal, points, nature, hit)
    side = seat_of(goal)
    if worth <= BLOCKED or nature & DIRECT > 0 or not can_block(state, cards, side):
        return worth
    left = points - block_of(state, side)
    return min(worth, unblocked_worth(state, cards, goal, left, nature, hit) + BLOCKED)


@kernel
def unblocked_worth(state: Record, cards: Record, goal: int, points: int, nature: int, hit: int) -> float:
    """What damage that nobody blocks does to an object and what follows a hit. nature: bits DIRECT, PIERCE."""
    side = seat_of(goal)
    direct, pierce = nature & DIRECT > 0, nature & PIERCE > 0
    n = points if direct else points - barrier_of(state, goal)
    if n <= 0:
        return 0.0
    if goal >= SEATS:
        place = place_of(goal)
        room = defence_of(state, cards, side, place) - np.int64(state["damage"][side, place])
        if n < room:
            return SCRATCH
        return thing_worth(state, cards, side, place) + (n - room if pierce else 0.0)
    health = np.int64(state["health"][side])
    worth = 1.0 * n if pierce or n < health else 1.0 * health
    if n >= health:
        worth += DOWN
    row = hit
    while row != NO_ROW and cards["op"][row] != Op.NONE:
        worth += runeslinger_worth(state, cards, row, side)
        row += 1
    return worth


@kernel
def nature_of(direct: bool, pierce: bool) -> np.int64:
    """Bits DIRECT and PIERCE of damage."""
    return np.int64(direct) * DIRECT + np.int64(pierce) * PIERCE
