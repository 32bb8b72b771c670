"""What half-made decisions will bring that `prospects` leaves out: triggers on slinging, and the blow that takes a last power."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.damage import amount_of
from sim.games.runeslingers.prospects import default_goal, effect_worth, goal_of, intended_row, is_doomed
from sim.games.runeslingers.record import NO_ROW, Kind, Op, When
from sim.games.runeslingers.stack import top_of
from sim.games.runeslingers.state import NOBODY, SEATS
from sim.games.runeslingers.stats import block_of
from sim.games.runeslingers.terms import Frame, Part
from sim.games.runeslingers.triggers import FIRST_AREA, HEARD, PER_SOURCE, waiting_for
from sim.games.runeslingers.values import can_block

HARD, SOFT, WORN = 0, 1, 2  # what an effect takes: health that nothing stops, health that a barrier can save, cards


@kernel
def slinging(state: Record, cards: Record, seat: int) -> float:
    """What the triggers of runespells about to be slung will bring a seat, in health points."""
    total = 0.0
    for at in range(np.int64(state["depth"])):
        by, waiting = np.int64(state["by"][at]), pending_triggers(state, cards, np.int64(at))
        for bit in range(HEARD):
            if (waiting >> bit) & 1:
                row, worth = row_of(state, cards, by, np.int64(bit)), 0.0
                while cards["op"][row] != Op.NONE:
                    worth += effect_worth(
                        state, cards, np.int64(at), row, default_goal(state, cards, np.int64(at), row)
                    )
                    row += 1
                total += worth if by == seat else -worth
    return total


@kernel
def pending_triggers(state: Record, cards: Record, at: int) -> np.int64:
    """RUNE-51 step 6. Triggers on slinging that a frame still has to let act, as bits of its controller's."""
    by = np.int64(state["by"][at])
    if state["frame"][at] == Frame.TRIGGERS:
        slung = When.SLING_SPIRIT <= state["kind"][at] <= When.SLING_UTILITY
        return np.int64(state["waiting"][at, by]) if slung else np.int64(0)
    if state["frame"][at] != Frame.CARD or state["step"][at] > Part.SLING:
        return np.int64(0)
    kind = np.int64(cards["kind"][state["card"][at]])
    return waiting_for(state, cards, When.SLING_SPIRIT + kind, by) if kind < Kind.CHANT else np.int64(0)


@kernel
def row_of(state: Record, cards: Record, seat: int, bit: int) -> np.int64:
    """Effects of a waiting trigger of a stance or thing."""
    source, k = bit // PER_SOURCE, bit % PER_SOURCE
    if source == 0:
        stance = cards["stance"][state["deck_of"][seat]]
        return np.int64(cards["then"][cards["stance_triggers"][stance] + k])
    if source >= FIRST_AREA or state["thing"][seat, source - 1] == NOBODY:
        return np.int64(NO_ROW)
    return np.int64(cards["then"][cards["triggers"][state["card_of"][state["thing"][seat, source - 1]]] + k])


@kernel
def last_blow(state: Record, cards: Record, seat: int) -> float:
    """Whether what is under way takes a last power: the enemy's (1), the seat's own (-1), or none."""
    if state["depth"] == 0:
        return 0.0
    other = SEATS - 1 - seat
    mine = state["power"][seat] == 1 and falls(state, cards, seat)
    theirs = state["power"][other] == 1 and falls(state, cards, other)
    if mine and theirs:  # what lies on top comes first
        return 1.0 if state["by"][top_of(state)] == seat else -1.0
    return 1.0 * theirs - 1.0 * mine


@kernel
def falls(state: Record, cards: Record, side: int) -> bool:
    """Whether all that is under way takes a player's health or the rest of its deck, if it blocks where it can."""
    hard, soft, worn = np.int64(0), np.int64(0), np.int64(0)
    for at in range(np.int64(state["depth"])):
        if state["frame"][at] == Frame.DAMAGE and state["target"][at] == side:
            if state["direct"][at]:
                hard += np.int64(state["left"][at])
            else:
                soft += np.int64(state["left"][at])
        elif announces(state, np.int64(at)) and not is_doomed(state, cards, at):
            hard += toll(state, cards, np.int64(at), side, HARD)
            soft += toll(state, cards, np.int64(at), side, SOFT)
            worn += toll(state, cards, np.int64(at), side, WORN)
    shield = np.int64(state["barrier"][side])
    if can_block(state, cards, side):
        shield += block_of(state, side)
    hurt = hard + max(np.int64(0), soft - shield)
    return hurt >= max(1, state["health"][side]) or worn >= max(1, state["deck_n"][side])


@kernel
def announces(state: Record, at: int) -> bool:
    """Whether a frame holds effects still to come, or triggers that do."""
    return state["frame"][at] <= Frame.ACT or state["frame"][at] == Frame.TRIGGERS


@kernel
def toll(state: Record, cards: Record, at: int, side: int, what: int) -> np.int64:
    """What a frame takes from a player, with the triggers on slinging it. what: HARD, SOFT, WORN."""
    row, k, taken = np.int64(state["row"][at]), np.int64(state["at"][at]), np.int64(0)
    if state["frame"][at] == Frame.CARD and state["step"][at] < Part.TYPES:
        row = intended_row(state, cards, at, np.int64(state["card"][at]))
    while row != NO_ROW and cards["op"][row + k] != Op.NONE:
        if goal_of(state, cards, at, row + k, k) == side:
            taken += taking(state, cards, at, row + k, side, what)
        k += 1
    waiting = pending_triggers(state, cards, at)
    for bit in range(HEARD):
        if (waiting >> bit) & 1:
            row = row_of(state, cards, np.int64(state["by"][at]), np.int64(bit))
            while cards["op"][row] != Op.NONE:
                if default_goal(state, cards, at, row) == side:
                    taken += taking(state, cards, at, row, side, what)
                row += 1
    return taken


@kernel
def taking(state: Record, cards: Record, at: int, row: int, side: int, what: int) -> np.int64:
    """What one effect takes from the player that it meets."""
    op, n = cards["op"][row], np.int64(cards["n"][row])
    if op == Op.DAMAGE:
        kind = HARD if cards["direct"][row] else SOFT
        return amount_of(state, cards, at, row, side) if kind == what else np.int64(0)
    if op == Op.LOSE:
        return n if what == HARD else np.int64(0)
    return n if what == WORN and Op.DRAW <= op <= Op.VOID else np.int64(0)
