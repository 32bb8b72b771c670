"""Setup: seats, the first player and the start hexes (ARENA-01 to 06)."""

import numpy as np

from sim.engine.dice import NATURE, below
from sim.engine.jit import Record, kernel
from sim.games.arena.cards import StartChoice
from sim.games.arena.rules.turn import begin_turn
from sim.games.arena.state import EMPTY, NOBODY, NOWHERE, SEATS, Draw, Phase, put


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """ARENA-04, 05. Seat the heroes, draw the first player, and deal the start hexes or leave them to be chosen."""
    seats = len(lineup)
    clear_board(state, lineup)
    state["first"] = below(rng, NATURE, Draw.FIRST, seats)
    state["active"] = state["first"]
    if cards["start_choice"] == StartChoice.CHOOSE:
        state["phase"] = Phase.START
        return
    deal_starts(state, cards, rng)
    begin_turn(state, state["first"])


@kernel
def clear_board(state: Record, lineup: np.ndarray) -> None:
    """ARENA-01, 06. Empty the board and seat the heroes, markers on the leftmost green space. `state` is zeroed before."""
    state["pos"][:] = NOWHERE
    state["occ"][:] = EMPTY
    state["owner"][:] = NOBODY
    state["hero"][:] = NOBODY
    state["seats"] = len(lineup)
    state["round"] = 1
    for seat in range(min(SEATS, len(lineup))):
        state["hero"][seat] = lineup[seat]
        state["owner"][seat] = seat
        state["fall_hex"][seat] = NOWHERE
        state["fall_by"][seat] = NOBODY
        state["fall_ability"][seat] = NOBODY


@kernel
def deal_starts(state: Record, cards: Record, rng: Record) -> None:
    """ARENA-05 with `start_choice = spread`: deal the starts floor(i x S / n), i = 0..n-1, to the seats at random."""
    seats, starts = state["seats"], cards["starts"]
    for seat in range(seats):
        left = below(rng, NATURE, Draw.START, seats - seat)
        for i in range(seats):
            start = i * starts // seats
            if state["start_taken"][start]:
                continue
            if left == 0:
                take_start(state, cards, seat, start)
                break
            left -= 1


@kernel
def take_start(state: Record, cards: Record, seat: int, start: int) -> None:
    """ARENA-05. Place a hero on a free start hex. start: index in `starts`."""
    state["start_taken"][start] = 1
    put(state, seat, cards["start_hex"][start])


@kernel
def choose_start(state: Record, cards: Record, start: int) -> None:
    """ARENA-05. Place the hero of the active seat; then it is the next seat's choice, or the first turn begins."""
    take_start(state, cards, state["active"], start)
    following = (state["active"] + 1) % state["seats"]
    if following == state["first"]:
        begin_turn(state, following)
    else:
        state["active"] = following
