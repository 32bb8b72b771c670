"""Entering and leaving combat, and what becomes of slain enemies (ROGUE-21, 40, 55, 56, 59, 60, 103)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.decisions import Step
from sim.games.cardrogue.grid import ALL_OPEN, monster_at, neighbour, next_cell, opens
from sim.games.cardrogue.harm import heal, something_happened
from sim.games.cardrogue.holding import gain, max_health
from sim.games.cardrogue.resolve import sacrifice
from sim.games.cardrogue.state import DIRECTIONS, MONSTER, NOBODY, NOTHING, NOWHERE, SEATS
from sim.games.cardrogue.switches import EnemyRestore, ResumeAfterFlip
from sim.games.cardrogue.tiles import map_changed, replace


@kernel
def reveal(state: Record, cards: Record, cell: int, card: int) -> np.int64:
    """ROGUE-25. An enemy comes up on a cell; returns its slot."""
    slot = np.int64(state["enemies"])
    state["enemies"] += 1
    state["enemy_type"][slot] = card
    state["enemy_health"][slot] = cards["health"][card]
    state["on"][cell] = MONSTER + slot
    state["enemy_cell"][slot] = cell
    state["order"][slot, :] = NOBODY
    if cards["end_rush"][card] and state["golem_seen"] == 0:
        state["golem_seen"] = state["round"]
    map_changed(state)
    return slot


@kernel
def target_of(state: Record, slot: int) -> int:
    """ROGUE-56. Seat that an enemy attacks: the first in the order of entry, NOBODY."""
    return state["order"][slot, 0]


@kernel
def join(state: Record, cards: Record, seat: int, direction: int, resume: int) -> None:
    """ROGUE-40. Enter combat with the enemy in a direction, at the end of its order of entry. resume: Step after it."""
    if opens(np.int64(state["combat"][seat]), direction):
        return
    slot = monster_at(state, neighbour(cards, np.int64(state["cell"][seat]), direction))
    if state["combat"][seat] == 0:
        state["resume"][seat] = resume
    state["combat"][seat] |= 1 << direction
    for place in range(SEATS):
        if state["order"][slot, place] == NOBODY:
            state["order"][slot, place] = seat
            break
    state["fights"][seat, cards["enemy_number"][state["enemy_type"][slot]]] += 1
    something_happened(state)


@kernel
def step_after_flip(state: Record, cards: Record) -> int:
    """ROGUE-40, A-11. Step that follows a combat begun by flipping; only flips of step 1 leave any but the last."""
    if state["step"] != Step.FLIP:
        return Step.DONE
    return Step.FLIP if cards["resume_after_flip"] == ResumeAfterFlip.FLIP else Step.MOVE


@kernel
def join_around(state: Record, cards: Record, seat: int, sides: int) -> None:
    """ROGUE-21, 27. Enter combat with the enemies on all these sides, in direction order; after it the turn ends."""
    for direction in range(DIRECTIONS):
        if opens(sides, direction):
            join(state, cards, seat, direction, Step.DONE)


@kernel
def leave(state: Record, cards: Record, seat: int, direction: int, slot: int) -> None:
    """ROGUE-56, 59. Leave combat with one enemy; the next in the order of entry becomes its target."""
    state["combat"][seat] &= ALL_OPEN ^ (1 << direction)
    found = 0
    for place in range(SEATS):
        if state["order"][slot, place] == seat:
            found = 1
        if found:
            state["order"][slot, place] = state["order"][slot, place + 1] if place + 1 < SEATS else NOBODY
    if state["order"][slot, 0] == NOBODY:
        restore(state, cards, slot)


@kernel
def restore(state: Record, cards: Record, slot: int) -> None:
    """ROGUE-59. Full health, no poison, no paralysis; strength and weakness stay."""
    state["enemy_health"][slot] = cards["health"][state["enemy_type"][slot]]
    state["enemy_poison"][slot] = 0
    state["enemy_paralysed"][slot] = 0


@kernel
def leave_all(state: Record, cards: Record, seat: int, by_flight: bool) -> None:
    """ROGUE-57, 61. Leave every combat; `enemy_restore` = any_flight gives enemies that are fled from their health back."""
    for direction in range(DIRECTIONS):
        if opens(np.int64(state["combat"][seat]), direction):
            slot = monster_at(state, neighbour(cards, np.int64(state["cell"][seat]), direction))
            leave(state, cards, seat, direction, slot)
            if by_flight and cards["enemy_restore"] == EnemyRestore.ANY_FLIGHT:
                restore(state, cards, slot)
    state["combat"][seat] = 0


@kernel
def recheck(state: Record, cards: Record) -> None:
    """ROGUE-40. Combat lasts as long as both are adjacent: tested again when tiles have changed."""
    for seat in range(np.int64(state["seats"])):
        for direction in range(DIRECTIONS):
            if opens(np.int64(state["combat"][seat]), direction):
                here = np.int64(state["cell"][seat])
                if next_cell(state, cards, here, direction) == NOWHERE:
                    slot = monster_at(state, neighbour(cards, here, direction))
                    leave(state, cards, seat, direction, slot)


@kernel
def lift(state: Record, cards: Record, slot: int) -> None:
    """Take an enemy off the table: everybody leaves combat with it."""
    cell = np.int64(state["enemy_cell"][slot])
    for seat in range(np.int64(state["seats"])):
        if state["cell"][seat] == NOWHERE:
            continue
        for direction in range(DIRECTIONS):
            if (
                opens(np.int64(state["combat"][seat]), direction)
                and neighbour(cards, np.int64(state["cell"][seat]), direction) == cell
            ):
                state["combat"][seat] &= ALL_OPEN ^ (1 << direction)
    state["order"][slot, :] = NOBODY
    state["on"][cell] = NOTHING
    state["enemy_cell"][slot] = NOWHERE
    map_changed(state)


@kernel
def slay(state: Record, cards: Record, seat: int, slot: int, direction: int, rng: Record) -> None:
    """ROGUE-60. `seat` has slain an enemy: it takes the card, the cell is replaced, songs and sacrifices heal."""
    cell, card = np.int64(state["enemy_cell"][slot]), np.int64(state["enemy_type"][slot])
    character = np.int64(state["character"][seat])
    lift(state, cards, slot)
    state["kills"][seat, cards["enemy_number"][card]] += 1
    state["goals_done"] |= cards["goal_bit"][card]
    something_happened(state)
    state["progress"] = 1
    if cards["sacrifice_at_most"][character] >= 0:
        most, least = max_health(state, cards, seat), cards["sacrifice_at_most"][character]
        state["health"][seat] = sacrifice(
            np.int64(state["health"][seat]), most, least, np.int64(cards["sacrifice_heal"][character])
        )
    gain(state, cards, seat, card)
    if cards["end_rush"][card] and state["seats"] > 1:
        begin_rush(state)
    hear_song(state, cards, seat)
    replace(state, cards, seat, cell, direction, rng)
    recheck(state, cards)


@kernel
def hear_song(state: Record, cards: Record, slayer: int) -> None:
    """ROGUE-96. A bard next to another player who slays an enemy heals."""
    for seat in range(np.int64(state["seats"])):
        song = cards["song"][state["character"][seat]]
        if song == 0 or seat == slayer or state["cell"][seat] == NOWHERE:
            continue
        for direction in range(DIRECTIONS):
            if next_cell(state, cards, np.int64(state["cell"][seat]), direction) == state["cell"][slayer]:
                heal(state, cards, seat, np.int64(song))


@kernel
def begin_rush(state: Record) -> None:
    """ROGUE-103. The end rush begins."""
    if state["rush"] == 0:
        state["rush"] = 1
        state["rush_round"] = state["round"]
