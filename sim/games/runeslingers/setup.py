"""Deal a game: decks, opening hands, first concentrations (RUNE-14 to 16)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.actions import begin_setup, pursue
from sim.games.runeslingers.cards import DECK_MAX, Op, Stat
from sim.games.runeslingers.rules.objects import derive
from sim.games.runeslingers.rules.power import mix, take_top
from sim.games.runeslingers.state import NOBODY, SEATS, Phase


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """RUNE-14 to 16. Deal the decks of the line-up to both players. state must be zeroed."""
    clear_table(state)
    for seat in range(SEATS):
        state["deck_of"][seat] = lineup[seat]
    derive(state, cards)
    for seat in range(SEATS):
        state["power"][seat] = cards["start_power"]
        state["health"][seat] = state["stat"][seat, Stat.MAX_HEALTH]
        fill_deck(state, cards, rng, seat)
    state["phase"] = Phase.GOING
    begin_setup(state, cards, rng, 0)
    pursue(state, cards, rng)


@kernel
def fill_deck(state: Record, cards: Record, rng: Record, seat: int) -> None:
    """RUNE-05, 15. Lay out the cards of a player's deck, shuffle it and draw the opening hand."""
    entrant = state["deck_of"][seat]
    size = cards["deck_size"][entrant]
    for k in range(size):
        inst = seat * DECK_MAX + k
        state["card_of"][inst] = cards["deck"][entrant, k]
        state["slot_of"][inst] = cards["deck_slot"][entrant, k]
        state["deck"][seat, k] = inst
    state["deck_n"][seat] = size
    mix(state, rng, seat)
    for _ in range(cards["start_hand"]):
        take_top(state, cards, rng, seat, Op.DRAW)


@kernel
def clear_table(state: Record) -> None:
    """An empty table: no card, no seat anywhere."""
    state["conc"][:] = NOBODY
    state["thing"][:] = NOBODY
    state["under"][:] = NOBODY
    state["power_after"][:] = -1
    state["first"] = NOBODY
    state["chooser"] = NOBODY
    state["winner"] = NOBODY
