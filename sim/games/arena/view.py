"""A position as judging sees it: what is decided but not yet carried out has been carried out. No rule reads this."""

from typing import NamedTuple, TypeVar

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.arena.board import HEXES_MAX
from sim.games.arena.push import may_step
from sim.games.arena.record import Kind, OfflineChooser
from sim.games.arena.state import (
    EMPTY,
    NO_TARGET,
    NOWHERE,
    PIECES,
    SEATS,
    STRAIGHT,
    Phase,
    Zone,
    in_play,
)
from sim.games.arena.throws import THROW_MAX, WORD_BITS

WORD_SHIFT = 6  # place >> WORD_SHIFT: word of a set of hexes
_LAST_BIT = WORD_BITS - 1
_ONE, _NONE = np.uint64(1), np.uint64(0)
_FIRST, _SECOND, _THIRD, _FOURTH = range(SEATS)
NOT_NOW = -1  # of `steps_before`: this attack cannot come next
OCCUPIED_RANK = HEXES_MAX  # of a step: worse than any hex that is free

T = TypeVar("T")
Seats = tuple[np.int64, np.int64, np.int64, np.int64]
Words = tuple[np.uint64, np.uint64, np.uint64]


class View(NamedTuple):
    """What judging goes by besides STATE."""

    places: Seats  # hex of each hero, NOWHERE: out, about to be, or not placed yet
    aims: Seats  # where the others will find it: the hero that is to act may have attacked from elsewhere by then
    markers: Seats  # energy, damage that is certain counted
    taken: Words  # set of hexes where pieces stand
    mover: np.int64  # seat that is to attack next


@kernel
def settled(state: Record, cards: Record) -> View:
    """The position with a push under way brought to its end and its damage dealt."""
    places: Seats = (
        np.int64(state["pos"][_FIRST]),
        np.int64(state["pos"][_SECOND]),
        np.int64(state["pos"][_THIRD]),
        np.int64(state["pos"][_FOURTH]),
    )
    markers: Seats = (
        np.int64(state["marker"][_FIRST]),
        np.int64(state["marker"][_SECOND]),
        np.int64(state["marker"][_THIRD]),
        np.int64(state["marker"][_FOURTH]),
    )
    if state["phase"] == Phase.STEP and state["target"] < SEATS:
        target = int(state["target"])
        places = replaced(places, target, push_end(state, cards, target))
        markers = replaced(markers, target, hurt_marker(state, cards, target))
    return View(places, places, markers, taken_hexes(state), next_mover(state))


@kernel
def replaced(seats: tuple[T, T, T, T], seat: int, value: T) -> tuple[T, T, T, T]:
    """The same by seat, but for one."""
    return (
        value if seat == _FIRST else seats[_FIRST],
        value if seat == _SECOND else seats[_SECOND],
        value if seat == _THIRD else seats[_THIRD],
        value if seat == _FOURTH else seats[_FOURTH],
    )


@kernel
def taken_hexes(state: Record) -> Words:
    """The set of hexes on which pieces stand."""
    first, second, third = _NONE, _NONE, _NONE
    for piece in range(PIECES):
        place = state["pos"][piece]
        if place >= 0:
            bit, word = _ONE << np.uint64(place & _LAST_BIT), place >> WORD_SHIFT
            if word == _FIRST:
                first |= bit
            elif word == _SECOND:
                second |= bit
            else:
                third |= bit
    return first, second, third


@kernel
def is_in(word: np.uint64, place: int) -> bool:
    """Whether a hex is in a set, given the word that would hold its bit."""
    return (word >> np.uint64(place & _LAST_BIT)) & _ONE != _NONE


@kernel
def next_mover(state: Record) -> np.int64:
    """Seat whose attack comes next: the active one until it has attacked, then the next one in play."""
    phase, seat = state["phase"], np.int64(state["active"])
    if phase == Phase.START:
        return np.int64(state["first"])
    if phase <= Phase.RAGE:
        return seat
    for further in range(1, SEATS):
        following = (seat + further) % state["seats"]
        if in_play(state, following):
            return np.int64(following)
    return seat


@kernel
def hurt_marker(state: Record, cards: Record, target: int) -> np.int64:
    """ARENA-46. Marker of the target of a push under way once its damage is dealt."""
    spaces = 0
    for zone in range(Zone.RED + 1):
        spaces += cards["energy"][state["hero"][target], zone]
    return np.int64(min(state["marker"][target] + state["dealt"][0], spaces - 1))


@kernel
def push_end(state: Record, cards: Record, target: int) -> np.int64:
    """Hex on which a slanted push under way will leave its target, if each choice is for, or against, the inner of two hexes."""
    here, made_u, made_v = np.int64(state["pos"][target]), 0, 0
    if cards["pull"][state["hero"][state["active"]], state["ability"]]:
        return np.int64(cards["neighbour"][here, state["step_a"]])
    outwards = cards["offline_chooser"] == OfflineChooser.ATTACKER
    while state["made_u"] + state["made_v"] + made_u + made_v < state["reach_k"]:
        along_u = (
            step_rank(state, cards, here, state["u"], outwards) if may_step(state, cards, made_u + 1, made_v) else 0
        )
        along_v = (
            step_rank(state, cards, here, state["v"], outwards) if may_step(state, cards, made_u, made_v + 1) else 0
        )
        direction = state["u"] if along_u >= along_v else state["v"]
        ahead = np.int64(cards["neighbour"][here, direction])
        if ahead < 0:
            return np.int64(NOWHERE)
        if state["occ"][ahead] != EMPTY:
            return here
        here = ahead
        made_u += direction == state["u"]
        made_v += direction == state["v"]
    return here


@kernel
def step_rank(state: Record, cards: Record, here: int, direction: int, outwards: bool) -> int:
    """How likely a step of a push is to be taken (ARENA-56): free land before occupied before water, then by the rim."""
    if direction == STRAIGHT:
        return 0
    ahead = cards["neighbour"][here, direction]
    if ahead < 0:
        return 1
    rim = int(cards["rim"][ahead])
    rank = THROW_MAX - rim if outwards else rim
    return 1 + rank + (OCCUPIED_RANK if state["occ"][ahead] == EMPTY else 0)


@kernel
def zone_seen(state: Record, cards: Record, view: View, seat: int) -> int:
    """ARENA-44. Zone of a hero by its marker in the view."""
    hero, marker = state["hero"][seat], view.markers[seat]
    green = cards["energy"][hero, Zone.GREEN]
    if marker < green:
        return Zone.GREEN
    return Zone.YELLOW if marker < green + cards["energy"][hero, Zone.YELLOW] else Zone.RED


@kernel
def mid_turn(state: Record) -> bool:
    """Whether the active hero has moved but not attacked yet."""
    return Phase.MOVE < state["phase"] <= Phase.RAGE


@kernel
def steps_before(state: Record, cards: Record, user: int, ability: int, target: int) -> int:
    """Steps that a hero can make before its next attack if that is this one; NOT_NOW if it cannot be."""
    hero = state["hero"][user]
    if cards["kind"][hero, ability] != Kind.ATTACK:
        return NOT_NOW
    if not mid_turn(state) or state["active"] != user:
        return full_steps(state, cards, user, ability)
    if state["phase"] > Phase.ABILITY:
        aimed = state["target"] == target or state["target"] == NO_TARGET
        if state["ability"] != ability or not aimed:
            return NOT_NOW
        if state["phase"] == Phase.RAGE:
            return 0
    return int(cards["move_before_max"][hero, ability])


@kernel
def full_steps(state: Record, cards: Record, user: int, ability: int) -> int:
    """Steps that a hero can make in a turn of its own before an attack."""
    hero = state["hero"][user]
    return int(max(0, cards["move"][hero] - state["slow"][user]) + cards["move_before_max"][hero, ability])
