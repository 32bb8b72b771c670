"""What an effect may be aimed at (RUNE-50, 58, 90)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.record import Ailment, Kind, Op, Stat, To
from sim.games.runeslingers.state import NOBODY, PLACES, SEATS, SLOTS, object_at, place_of, seat_of
from sim.games.runeslingers.stats import is_defence

OWN, ENEMY = 1, 2  # bits of the Runeslingers among target codes
OWN_PLACE, ENEMY_PLACE, OWN_BOON, ENEMY_BOON = 2, 8, 14, 18  # first codes of positions
CODES = 22
ALL_OWN = 0b0000_1111_000000_111111_01  # own Runeslinger, own positions, own boons


@kernel
def code_of(thing: int, seat: int) -> np.int64:
    """Register section 5. Code of an object in TARGET decisions of a seat."""
    side = seat_of(thing)
    if thing < SEATS:
        return np.int64(side != seat)
    place = place_of(thing)
    if place < SLOTS:
        return place + (OWN_PLACE if side == seat else ENEMY_PLACE)
    return place - SLOTS + (OWN_BOON if side == seat else ENEMY_BOON)


@kernel
def thing_of(code: int, seat: int) -> np.int64:
    """Object of a target code as a seat sees it."""
    other = SEATS - 1 - seat
    if code < OWN_PLACE:
        return np.int64(seat if code == 0 else other)
    if code < ENEMY_PLACE:
        return object_at(seat, code - OWN_PLACE)
    if code < OWN_BOON:
        return object_at(other, code - ENEMY_PLACE)
    if code < ENEMY_BOON:
        return object_at(seat, code - OWN_BOON + SLOTS)
    return object_at(other, code - ENEMY_BOON + SLOTS)


@kernel
def aims_of(state: Record, cards: Record, row: int, seat: int, card: int, itself: int) -> np.int64:
    """RUNE-09, 58. Objects that an effect of a seat may be aimed at, as bits of target codes; `attack_any` beats RUNE-90.

    card: whose type counts, NOBODY; itself: object that the effect comes from, NOBODY: a card cannot choose itself for `trap`
    and `destroy`, nor as a `runespell` or `card`.
    """
    to, op = cards["to"][row], cards["op"][row]
    found = runeslingers(to)
    at_runeslinger = To.RUNESLINGER <= to <= To.ENEMY
    widened = (
        op == Op.DAMAGE
        and card != NOBODY
        and cards["kind"][card] == Kind.ATTACK
        and state["stat"][seat, Stat.ATTACK_ANY] > 0
        and at_runeslinger
    )
    if widened or not at_runeslinger:
        sought = np.int64(To.DEFENCE) if widened else np.int64(to)
        spare = itself if op not in (Op.DAMAGE, Op.BARRIER) else np.int64(NOBODY)
        if to != To.ENEMY:
            found |= places(state, cards, sought, seat, seat, spare)
        if to != To.OWN:
            found |= places(state, cards, sought, SEATS - 1 - seat, seat, spare)
    if op == Op.DAMAGE and cards["own_targets"] == 0:
        found &= ~ALL_OWN
    return found


@kernel
def runeslingers(to: int) -> np.int64:
    """Runeslingers among the targets of an effect, as bits."""
    if to <= To.RUNESLINGER:
        return np.int64(OWN | ENEMY)
    if to == To.OWN:
        return np.int64(OWN)
    return np.int64(ENEMY) if to == To.ENEMY else np.int64(0)


@kernel
def places(state: Record, cards: Record, to: int, side: int, seat: int, spare: int) -> np.int64:
    """Things and concentrations of a side among the targets of an effect, as bits of the seat's codes."""
    found = np.int64(0)
    for place in range(PLACES):
        thing = object_at(side, place)
        if thing != spare and fits(state, cards, to, side, place):
            found |= np.int64(1) << code_of(thing, seat)
    return found


@kernel
def fits(state: Record, cards: Record, to: int, side: int, place: int) -> bool:
    """RUNE-04, 58. Whether what lies exposed at a position is of the kind that an effect may be aimed at."""
    inst = state["thing"][side, place]
    if inst == NOBODY:
        if place >= SLOTS or state["conc"][side, place] == NOBODY:
            return False
        return to >= To.CONCENTRATION
    if to == To.CARD:
        return True
    if to == To.RUNESPELL:
        return not is_defence(cards, np.int64(state["card_of"][inst]))
    return to != To.CONCENTRATION and is_defence(cards, np.int64(state["card_of"][inst]))


@kernel
def has_aims(state: Record, cards: Record, row: int, seat: int, card: int, itself: int) -> bool:
    """RUNE-50, 56. Whether every targeting effect of a list has a target.

    itself: object that the list comes from, NOBODY for a card of the hand, which will cover a concentration unless it is a boon.
    """
    at = row
    while cards["op"][at] != Op.NONE:
        to = cards["to"][at]
        if to <= To.CARD:
            found = aims_of(state, cards, at, seat, card, itself)
            covers = itself == NOBODY and card != NOBODY and cards["kind"][card] != Kind.BOON
            if covers and to >= To.CONCENTRATION:
                found &= found - 1  # one of them will be covered
            if found == 0:
                return False
        at += 1
    return True


@kernel
def types_wanted(cards: Record, row: int) -> np.int64:
    """RUNE-98. How many types of ailments a list has announced: of `apply` its instances, of `convert` one."""
    at = row
    while cards["op"][at] != Op.NONE:
        found = types_of(cards, at)
        if found == 0 and cards["hit"][at]:
            found = types_of(cards, np.int64(cards["hit"][at])) + types_of(cards, np.int64(cards["hit"][at]) + 1)
        if found > 0:
            return found
        at += 1
    return np.int64(0)


@kernel
def types_of(cards: Record, row: int) -> np.int64:
    """Types that one effect has announced."""
    if cards["op"][row] == Op.NONE or cards["ailment"][row] != Ailment.CHOOSE:
        return np.int64(0)
    return np.int64(cards["n"][row]) if cards["op"][row] == Op.APPLY else np.int64(1)


@kernel
def wants_distinct(cards: Record, row: int) -> bool:
    """RUNE-98. Whether the types that a list has announced must all differ."""
    at = row
    while cards["op"][at] != Op.NONE:
        if cards["distinct"][at]:
            return True
        hit = np.int64(cards["hit"][at])
        if hit and (cards["distinct"][hit] or (cards["op"][hit] != Op.NONE and cards["distinct"][hit + 1])):
            return True
        at += 1
    return False
