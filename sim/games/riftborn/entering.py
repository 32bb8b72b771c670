"""Creatures enter: places, SUMMON, TRANSFORM (RIFT-27, 28, 30, 108, 109, 111)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.deaths import settle, wipe_states
from sim.games.riftborn.geometry import lay_out
from sim.games.riftborn.places import has_place, insert, is_place, is_place_beside
from sim.games.riftborn.players import gain_xp
from sim.games.riftborn.record import ABILITIES, Ability
from sim.games.riftborn.state import CREATURES, NOBODY
from sim.games.riftborn.stats import is_emitting, lend, lend_anew, note
from sim.games.riftborn.switches import TransformKeeps
from sim.games.riftborn.terms import Gain, Phase, Step


@kernel
def free_creature(state: Record, seat: int) -> np.int64:
    """A creature number of a side that is not in use; there is one wherever there is a place."""
    g = np.int64(seat * CREATURES)
    while state["card"][g] != NOBODY:
        g += 1
    return g


@kernel
def bear(state: Record, cards: Record, g: int, card: int) -> None:
    """Give a creature the abilities printed on a card."""
    state["card"][g] = card
    for ability in range(ABILITIES):
        state["ability"][g, ability] = cards["ability"][card, ability]


@kernel
def enter(state: Record, cards: Record, place: int) -> None:
    """RIFT-28 (3), 30. The card that looks for a place enters the active player's formation. place: row * 5 + index."""
    seat, card = np.int64(state["active"]), np.int64(state["entrant"])
    g = free_creature(state, seat)
    bear(state, cards, g, card)
    summoned = state["summon_card"] != NOBODY
    state["origin"][g] = NOBODY if summoned else card
    state["entered"][g] = 1
    state["morale"][g] = cards["morale_start"]
    if state["ability"][g, Ability.STEALTH] > 0:
        state["face_down"][g] = 1
        note(state, g, Ability.STEALTH)
    insert(state, seat, place, g)
    lay_out(state, seat)
    if is_emitting(state, g):
        lend(state, cards)
    else:
        lend_anew(state, cards)
    state["placed"] = g
    state["entrant"] = NOBODY
    state["step"] = Step.PLACED


@kernel
def after_placement(state: Record, cards: Record) -> None:
    """RIFT-70. Death check after a placement, then the next token or what a played card does."""
    settle(state, cards, np.int64(NOBODY))
    state["step"] = Step.SUMMON if state["summon_card"] != NOBODY else Step.PLAYED


@kernel
def list_places(state: Record, cards: Record, out: np.ndarray) -> int:
    """RIFT-30, 109. Options of PLACE."""
    count = 0
    beside = np.int64(state["summoner"]) if state["summon_card"] != NOBODY else np.int64(NOBODY)
    for place in range(CREATURES):
        if not is_place(state, cards, np.int64(state["active"]), place):
            continue
        if beside == NOBODY or is_place_beside(state, beside, place):
            out[count] = place
            count += 1
    return count


@kernel
def summon_next(state: Record, cards: Record) -> None:
    """RIFT-24, 27, 109. Experience for the next token, then its place; done where none is left, or no place, or no summoner."""
    seat, summoner = np.int64(state["active"]), np.int64(state["summoner"])
    gone = summoner != NOBODY and state["card"][summoner] == NOBODY
    if state["summon_left"] == 0 or gone or not has_place(state, cards, seat, summoner):
        state["summon_card"] = NOBODY
        state["step"] = state["after_summon"]
        return
    state["summon_left"] -= 1
    state["entrant"] = state["summon_card"]
    gain_xp(state, cards, seat, np.int64(cards["xp"][state["summon_card"]]), Gain.SUMMON)
    state["phase"] = Phase.PLACE
    state["seat"] = seat


@kernel
def transform(state: Record, cards: Record, g: int) -> None:
    """RIFT-111, RA-32. A fresh token takes the place of a creature, whose card is set aside under it."""
    note(state, g, Ability.TRANSFORM)
    kept = (
        np.int64(state["damage"][g]),
        np.int64(state["rage"][g]),
        np.int64(state["health"][g]),
        np.int64(state["shield"][g]),
        np.int64(state["weakness"][g]),
        np.int64(state["decay"][g]),
    )
    bear(state, cards, g, np.int64(cards["transform"][state["card"][g]]))
    wipe_states(state, g)
    state["entered"][g] = 0
    state["morale"][g] = cards["morale_start"]
    if cards["transform_keeps"] == TransformKeeps.TOKENS:
        damage, rage, health, shield, weakness, decay = kept
        state["damage"][g] = damage
        state["rage"][g] = rage
        state["health"][g] = health
        state["shield"][g] = shield
        state["weakness"][g] = weakness
        state["decay"][g] = decay
        state["shaken"] = 1
    lend(state, cards)
