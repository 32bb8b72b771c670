"""What the heroes can do to each other, and from where the hero to act will: parts of judging. No rule reads this."""

from typing import NamedTuple

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.arena.prospects import (
    Attack,
    Push,
    attack_on,
    better,
    no_attack,
    no_push,
    odds_of,
    stands,
    threat_at,
    throw_of,
    throws,
)
from sim.games.arena.record import ABILITIES, Kind
from sim.games.arena.state import Phase
from sim.games.arena.view import WORD_SHIFT, View, full_steps, is_in, mid_turn, replaced


class Fight(NamedTuple):
    """What the seats can do to each other."""

    best: tuple[Attack, Attack, Attack, Attack]  # of each seat against any of the others
    safe: tuple[float, float, float, float]  # chance not to be thrown out if all others had a turn of their own
    spared: tuple[float, float, float, float]  # the same for the attacks that come before its own
    dents: tuple[float, float, float, float]  # expected damage of an attack that is about to be made


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
def order_of(state: Record, view: View, seat: int) -> int:
    """How many seats attack before a seat does, counting those that are out."""
    return int((seat - view.mover) % state["seats"])


@kernel
def is_attacking(state: Record, seat: int) -> bool:
    """Whether a seat has moved but not attacked yet."""
    return mid_turn(state) and state["active"] == seat


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


@kernel
def risk_at(state: Record, cards: Record, view: View, seat: int, place: np.int64) -> float:
    """Chance of a hero on a hex to be thrown out by the opponents in a turn each, as if each took its best."""
    safe = 1.0
    for foe in range(state["seats"]):
        if foe != seat and view.places[foe] >= 0:
            safe *= 1.0 - threat_at(state, cards, view, foe, seat, place)
    return 1.0 - safe
