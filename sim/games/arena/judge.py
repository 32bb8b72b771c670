"""How good a position looks (register section 7): what `greedy` and the leaves of a search go by. No rule reads this."""

from typing import NamedTuple

import numpy as np

from sim.engine.jit import Record, kernel
from sim.engine.judgement import chance_of
from sim.games.arena.board import DIRECTIONS
from sim.games.arena.prospects import (
    Attack,
    Push,
    attack_on,
    better,
    left_before_red,
    no_attack,
    no_push,
    odds_of,
    stands,
    threat_at,
    throw_of,
    throws,
)
from sim.games.arena.record import ABILITIES, Kind
from sim.games.arena.state import Phase, Zone, dragonlings_of
from sim.games.arena.view import WORD_SHIFT, View, full_steps, is_in, mid_turn, replaced, settled, zone_seen

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


class Fight(NamedTuple):
    """What the seats can do to each other."""

    best: tuple[Attack, Attack, Attack, Attack]  # of each seat against any of the others
    safe: tuple[float, float, float, float]  # chance not to be thrown out if all others had a turn of their own
    spared: tuple[float, float, float, float]  # the same for the attacks that come before its own
    dents: tuple[float, float, float, float]  # expected damage of an attack that is about to be made


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimate of a seat's winning chance, 0..1; exactly its share of the win when it is out or the game is over."""
    if state["place"][seat] > 0:
        return 1.0 if state["place"][seat] == 1 else 0.0
    return float(chance_of(features(state, cards, seat), cards["weight"][state["seats"] - 1]))


@kernel
def redeal(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Nothing is hidden in the Arena (register section 6)."""


@kernel
def features(state: Record, cards: Record, seat: int) -> tuple[float, ...]:
    """What speaks for a seat less what speaks for its opponents on average, in the order of FEATURES."""
    view = foreseen(state, cards, settled(state, cards))
    fight = fought(state, cards, view)
    row = no_row()
    each = -1.0 / (state["seats"] - 1)
    for other in range(state["seats"]):
        if other == seat:
            row = added(row, row_of(state, cards, view, fight, other), 1.0)
        elif state["place"][other] == 0:
            row = added(row, row_of(state, cards, view, fight, other), each)
    return row


@kernel
def no_row() -> Row:
    """What speaks for nobody, and the constant."""
    return Row(
        1.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
    )


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
def order_of(state: Record, view: View, seat: int) -> int:
    """How many seats attack before a seat does, counting those that are out."""
    return int((seat - view.mover) % state["seats"])


@kernel
def is_attacking(state: Record, seat: int) -> bool:
    """Whether a seat has moved but not attacked yet."""
    return mid_turn(state) and state["active"] == seat


@kernel
def fought(state: Record, cards: Record, view: View) -> Fight:
    """What all seats can do to each other."""
    best = (no_attack(), no_attack(), no_attack(), no_attack())
    safe, spared, dents = (1.0, 1.0, 1.0, 1.0), (1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.0)
    for user in range(state["seats"]):
        own, most = no_attack(), 0.0
        for target in range(state["seats"]):
            if target == user or view.places[user] < 0 or view.aims[target] < 0:
                continue
            on = attack_on(state, cards, view, user, target)
            own = better(own, on)
            if is_attacking(state, user) and on.promise + on.hurt > most:
                most, dents = on.promise + on.hurt, replaced((0.0, 0.0, 0.0, 0.0), target, on.hurt)
            safe = replaced(safe, target, safe[target] * (1.0 - on.threat))
            if order_of(state, view, user) < order_of(state, view, target):
                spared = replaced(spared, target, spared[target] * (1.0 - on.strike))
        best = replaced(best, user, own)
    return Fight(best, safe, spared, dents)


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
def risk_at(state: Record, cards: Record, view: View, seat: int, place: np.int64) -> float:
    """Chance of a hero on a hex to be thrown out by the opponents in a turn each, as if each took its best."""
    safe = 1.0
    for foe in range(state["seats"]):
        if foe != seat and view.places[foe] >= 0:
            safe *= 1.0 - threat_at(state, cards, view, foe, seat, place)
    return 1.0 - safe


@kernel
def race(strike: float, risk: float, before: float) -> float:
    """Throwing out before being thrown out, much as log-odds: the hero to act comes first, the others if they still can."""
    lead = strike - (1.0 - strike) * risk if before == 0.0 else (1.0 - before) * strike - before
    return 2.0 * lead / (1.0 - _BEND * lead * lead)


@kernel
def foreseen(state: Record, cards: Record, view: View) -> View:
    """The view with the hero to act on the hex from which it is likely to attack: the safest of those that serve best."""
    seat = view.mover
    if state["phase"] == Phase.START or mid_turn(state) or view.places[seat] < 0:
        return view
    push, steps = best_push(state, cards, view, seat)
    if push.hexes == 0:
        return view
    place, least = view.places[seat], 2.0
    for i in range(cards["near_count"][push.here, steps]):
        stand = np.int64(cards["near"][push.here, i])
        if is_in(stands(cards, view, push, steps, stand >> WORD_SHIFT), stand):
            risk = risk_at(state, cards, view, seat, stand)
            if risk < least:
                place, least = stand, risk
            if risk == 0.0:
                break
    return View(view.places, replaced(view.aims, seat, place), view.markers, view.taken, seat)


@kernel
def best_push(state: Record, cards: Record, view: View, seat: int) -> tuple[Push, int]:
    """The attack by which a hero is most likely to throw somebody out in a turn of its own, and its steps; hexes 0: none."""
    best, most, within, hero = no_push(), 0.0, 0, np.int64(state["hero"][seat])
    for target in range(state["seats"]):
        if target == seat or view.aims[target] < 0:
            continue
        for ability in range(ABILITIES):
            if cards["kind"][hero, ability] != Kind.ATTACK:
                continue
            hexes = throw_of(state, cards, view, seat, ability, target)
            push = Push(hero, ability, view.places[seat], view.aims[target], hexes)
            chance, steps = odds_of(state, cards, seat, ability, target)[0], full_steps(state, cards, seat, ability)
            if hexes > 0 and chance > most and throws(cards, view, push, steps):
                best, most, within = push, chance, steps
    return best, within
