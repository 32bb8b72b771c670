"""What a position leads to: levels to come, lives running out, attacks that are open to either side."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.exchanges import best_attack
from sim.games.riftborn.geometry import power
from sim.games.riftborn.players import budget_of
from sim.games.riftborn.record import LEVELS, Ability
from sim.games.riftborn.state import NOBODY, ROWS, SEATS
from sim.games.riftborn.terms import Phase
from sim.games.riftborn.uses import can_act, can_attack

FRAIL = 10.0  # points of life and Armour at which a player is half as frail as can be


@kernel
def level_ahead(state: Record, cards: Record, seat: int) -> float:
    """Levels that a seat is ahead, parts of levels included, if both had begun as many turns."""
    other = SEATS - 1 - seat
    turns = max(np.int64(state["own_turns"][0]), np.int64(state["own_turns"][1]))
    return level_at(cards, xp_after(state, cards, seat, turns)) - level_at(cards, xp_after(state, cards, other, turns))


@kernel
def xp_after(state: Record, cards: Record, seat: int, turns: int) -> np.int64:
    """Experience of a seat that has begun so many turns and else done nothing more."""
    return np.int64(state["xp"][seat]) + np.int64(cards["turn_xp"]) * (turns - np.int64(state["own_turns"][seat]))


@kernel
def level_at(cards: Record, xp: int) -> float:
    """RIFT-20. Level for so much experience, and the part of the next one."""
    level = 1
    while level < LEVELS and xp >= cards["level_xp"][level]:
        level += 1
    if level == LEVELS:
        return float(LEVELS)
    low, high = np.int64(cards["level_xp"][level - 1]), np.int64(cards["level_xp"][level])
    return level + np.float64(xp - low) / np.float64(high - low)


@kernel
def race(threat: float, left: float) -> float:
    """How much of what is left of a player's life one turn may take."""
    return min(1.0, threat / max(1.0, left))


@kernel
def frailty(left: float) -> float:
    """How little is left of a player: 0 with ever so much, 1 with nothing."""
    return FRAIL / (FRAIL + max(0.0, left))


@kernel
def unspent(state: Record, cards: Record, seat: int) -> float:
    """Levels of cards in hand that can still be played in this turn, if it is the seat's own."""
    if state["active"] != seat or state["first"] == NOBODY:
        return 0.0
    budget, levels = budget_of(state, cards, seat), np.int64(0)
    for at in range(np.int64(state["hand_n"][seat])):
        level = np.int64(cards["level"][state["hand"][seat, at]])
        if level <= budget:
            levels += level
    return np.float64(min(budget, levels))


@kernel
def strikes_of(state: Record, cards: Record, seat: int) -> float:
    """What the best attacks would bring that are still open in this turn, if it is the seat's own, each for itself."""
    if state["active"] != seat:
        return 0.0
    worth, busy = 0.0, np.int64(NOBODY)
    if state["phase"] == Phase.CREATURE:
        busy = np.int64(state["user"])
    for row in range(ROWS):
        for index in range(np.int64(state["row_len"][seat, row])):
            g = np.int64(state["grid"][seat, row, index])
            if g != busy and can_act(state, g) and can_attack(state, g):
                worth += max(0.0, best_attack(state, cards, g))
    return worth


@kernel
def danger_to(state: Record, cards: Record, seat: int) -> float:
    """What the best attacks would bring the opponent, in its turn or the next one, each for itself.

    Those of its next turn count in the own turn already, so that ending the turn by itself changes nothing.
    """
    other, worth = SEATS - 1 - seat, 0.0
    now = state["active"] == other
    for row in range(ROWS):
        for index in range(np.int64(state["row_len"][other, row])):
            g = np.int64(state["grid"][other, row, index])
            if (can_act(state, g) and can_attack(state, g)) if now else may_strike_next(state, g):
                worth += max(0.0, best_attack(state, cards, g))
    return worth


@kernel
def may_strike_next(state: Record, g: int) -> bool:
    """Whether a creature may attack in its player's next turn."""
    if state["charm"][g] or state["pacify"][g]:
        return False
    return power(state, g, Ability.DORMANT) == 0 and power(state, g, Ability.PACIFIST) == 0
