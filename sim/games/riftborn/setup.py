"""Setup (RIFT-05 to 08): lives, libraries, opening hands."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.actions import take_step
from sim.games.riftborn.rules.players import draw_cards, fill_library
from sim.games.riftborn.rules.turn import begin_mulligan
from sim.games.riftborn.state import NOBODY, NOT_DECIDED, SEATS, Phase


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """RIFT-05, 06. Set both players up with the decks of the line-up, up to the first decision. `state` is zeroed before."""
    clear_table(state)
    for seat in range(SEATS):
        state["deck"][seat] = lineup[seat]
        state["life"][seat] = cards["start_life"]
        state["level"][seat] = 1
        state["level_turn"][seat, 0] = 1
        state["start_level"][seat] = 1
    for seat in range(SEATS):
        fill_library(state, cards, rng, seat)
        draw_cards(state, cards, rng, seat, cards["start_hand"])
    begin_mulligan(state, cards, rng, 0)
    while state["phase"] == Phase.GOING:
        take_step(state, cards, rng)


@kernel
def clear_table(state: Record) -> None:
    """Write to all fields that are not 0 when there is nothing: mostly NOBODY."""
    state["grid"][:] = NOBODY
    state["front"][:] = NOBODY
    state["card"][:] = NOBODY
    state["origin"][:] = NOBODY
    state["weapon"][:] = NOBODY
    state["armour"][:] = NOBODY
    state["xp_after"][:] = -1
    state["unused_after"][:] = -1
    state["first"] = NOBODY
    state["winner"] = NOBODY
    state["first_kill"] = NOBODY
    state["ended_by"] = NOT_DECIDED
    state["playing"] = NOBODY
    state["entrant"] = NOBODY
    state["placed"] = NOBODY
    state["spell"] = NOBODY
    state["summoner"] = NOBODY
    state["summon_card"] = NOBODY
    state["user"] = NOBODY
    state["target"] = NOBODY
    state["giver"] = NOBODY
    state["hurt"] = NOBODY
    state["list_card"] = NOBODY
    state["source"] = NOBODY
    state["trigger"] = NOBODY
    state["subject"] = NOBODY
