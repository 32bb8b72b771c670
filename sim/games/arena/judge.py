"""How good a position looks (register section 7): what `greedy` and the leaves of a search go by. No rule reads this."""

from typing import NamedTuple

import numpy as np

from sim.engine.jit import Record, kernel
from sim.engine.judgement import chance_of
from sim.games.arena.board import DIRECTIONS
from sim.games.arena.fight import Fight, foreseen, fought, is_attacking, order_of
from sim.games.arena.prospects import left_before_red
from sim.games.arena.state import Phase, Zone, dragonlings_of
from sim.games.arena.view import View, settled, zone_seen

_TYPICAL_THROW = np.array([2, 4, 5])  # hexes, by zone
_BEND = 0.55  # of `race`: how much faster than the chances themselves it grows towards the certain
_MANY = 2.0  # tokens, dice or steps that count as 1
_WAYS = 3.0  # ways into the water that count as 1
_HEXES = 3.0  # hexes that count as 1
_SPACES = 6.0  # of energy, or net hits times these, that count as 1
_WORTH = 5.0  # of an attack that counts as 1


class Row(NamedTuple):
    """What speaks for a seat, each about 1 in size."""

    constant: float  # 1 once, in the row that the others are added to
    turn: float
    standing: float
    energy: float
    left: float
    rage: float
    brood: float
    protection: float
    slowed: float
    rim: float
    danger: float
    promise: float
    approach: float
    race: float
    strike: float
    hurt: float
    force: float
    line: float
    power: float
    wear: float
    finish: float
    opening: float
    might: float


_NOTHING = Row(1.0, *(0.0,) * (len(Row._fields) - 1))  # the constant and what speaks for nobody


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimate of a seat's winning chance, 0..1; exactly its share of the win when it is out or the game is over."""
    if state["place"][seat] > 0:
        return 1.0 if state["place"][seat] == 1 else 0.0
    return float(chance_of(features(state, cards, seat), cards["weight"][state["seats"] - 1]))


@kernel
def features(state: Record, cards: Record, seat: int) -> tuple[float, ...]:
    """What speaks for a seat less what speaks for its opponents on average, in the order of FEATURES."""
    view = foreseen(state, cards, settled(state, cards))
    fight = fought(state, cards, view)
    row = _NOTHING
    each = -1.0 / (state["seats"] - 1)
    for other in range(state["seats"]):
        if other == seat:
            row = added(row, row_of(state, cards, view, fight, other), 1.0)
        elif state["place"][other] == 0:
            row = added(row, row_of(state, cards, view, fight, other), each)
    return row


@kernel
def added(row: Row, other: Row, factor: float) -> Row:
    """One row and a part of another."""
    return Row(
        row.constant + factor * other.constant,
        row.turn + factor * other.turn,
        row.standing + factor * other.standing,
        row.energy + factor * other.energy,
        row.left + factor * other.left,
        row.rage + factor * other.rage,
        row.brood + factor * other.brood,
        row.protection + factor * other.protection,
        row.slowed + factor * other.slowed,
        row.rim + factor * other.rim,
        row.danger + factor * other.danger,
        row.promise + factor * other.promise,
        row.approach + factor * other.approach,
        row.race + factor * other.race,
        row.strike + factor * other.strike,
        row.hurt + factor * other.hurt,
        row.force + factor * other.force,
        row.line + factor * other.line,
        row.power + factor * other.power,
        row.wear + factor * other.wear,
        row.finish + factor * other.finish,
        row.opening + factor * other.opening,
        row.might + factor * other.might,
    )


@kernel
def row_of(state: Record, cards: Record, view: View, fight: Fight, seat: int) -> Row:
    """What speaks for a seat that is not out."""
    hero = state["hero"][seat]
    lasting = float(cards["energy"][hero, Zone.GREEN] + cards["energy"][hero, Zone.YELLOW])
    left = max(0.0, left_before_red(state, cards, view, seat) - fight.dents[seat])
    waiting = state["phase"] == Phase.START
    best, risk, before = fight.best[seat], 1.0 - fight.safe[seat], 1.0 - fight.spared[seat]
    attacking = is_attacking(state, seat)
    might = cards["might"][hero, Zone.GREEN] + cards["might"][hero, Zone.YELLOW] + cards["might"][hero, Zone.RED]
    return Row(
        0.0,
        1.0 - order_of(state, view, seat) / (state["seats"] - 1.0),
        1.0 if waiting or view.places[seat] >= 0 else 0.0,
        left / lasting,
        left / _SPACES,
        state["rage"][seat] / _MANY,
        dragonlings_of(state, seat) / _MANY,
        state["protection"][seat] / _MANY,
        state["slow"][seat] / _MANY,
        ways_out(state, cards, view, seat) / _WAYS,
        risk,
        best.promise / _WORTH if attacking else 0.0,
        best.gap / _HEXES if attacking else 0.0,
        race(best.strike, risk, before),
        best.strike,
        0.0 if attacking else best.hurt,
        best.force / _HEXES,
        best.line,
        best.power,
        best.wear / _SPACES,
        best.finish,
        cards["might"][hero, Zone.GREEN] / _HEXES,
        might / _HEXES,
    )


@kernel
def ways_out(state: Record, cards: Record, view: View, seat: int) -> int:
    """Directions in which a typical throw at the hero's zone ends in the water, 0..6."""
    here = view.aims[seat]
    if here < 0:
        return 0
    throw = _TYPICAL_THROW[zone_seen(state, cards, view, seat)]
    count = 0
    for direction in range(DIRECTIONS):
        count += cards["ray"][here, direction] < throw
    return count


@kernel
def race(strike: float, risk: float, before: float) -> float:
    """Throwing out before being thrown out, much as log-odds: the hero to act comes first, the others if they still can."""
    lead = strike - (1.0 - strike) * risk if before == 0.0 else (1.0 - before) * strike - before
    return 2.0 * lead / (1.0 - _BEND * lead * lead)
