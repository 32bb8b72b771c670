"""The course of a turn (ARENA-10 to 16, 81): its beginning, its end, and who is next."""

from sim.engine.jit import Record, kernel
from sim.games.arena.state import SEATS, Phase, Zone, heroes_in_play, in_play, zone_of


@kernel
def begin_turn(state: Record, seat: int) -> None:
    """ARENA-11. A hero's turn begins: its own protection ends."""
    state["active"] = seat
    state["protection"][seat] = 0
    state["phase"] = Phase.MOVE


@kernel
def end_turn(state: Record, cards: Record) -> None:
    """ARENA-14, 81. The turn is over, and with one hero left the game; else play goes on to the left."""
    seat = state["active"]
    note_turn(state, cards, seat)
    state["slow"][seat] = 0
    state["turn"] += 1
    if heroes_in_play(state) == 1:
        state["phase"] = Phase.OVER
        return
    for further in range(1, SEATS):
        following = (seat + further) % state["seats"]
        if in_play(state, following):
            turn_order, was = (following - state["first"]) % state["seats"], (seat - state["first"]) % state["seats"]
            state["round"] += turn_order < was
            begin_turn(state, following)
            return


@kernel
def note_turn(state: Record, cards: Record, seat: int) -> None:
    """Register section 11. Facts of a turn's end: in which zone the hero is and how far from the water."""
    state["own_turns"][seat] += 1
    if not in_play(state, seat):
        return
    zone = zone_of(state, cards, seat)
    if zone > Zone.GREEN:
        state["zone_turns"][seat, zone - 1] += 1
    state["rim_distance"][seat] += cards["rim"][state["pos"][seat]]
