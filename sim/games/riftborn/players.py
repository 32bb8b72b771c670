"""What happens to players: experience, damage, healing, the end of the game (RIFT-20 to 26, 51, 90, 130)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.piles import discard, is_depleted
from sim.games.riftborn.record import LEVELS
from sim.games.riftborn.state import ARMOURS, CURVE, NOBODY, SEATS
from sim.games.riftborn.switches import LevelBudget
from sim.games.riftborn.terms import Gain, Phase


@kernel
def gain_xp(state: Record, cards: Record, seat: int, points: int, source: int) -> None:
    """RIFT-20, 21, 26. Experience, and the levels that it brings. source: Gain."""
    state["xp"][seat] += points
    state["gained"][seat, source] += points
    level = np.int64(state["level"][seat])
    while level < LEVELS and state["xp"][seat] >= cards["level_xp"][level]:
        state["level_turn"][seat, level] = state["own_turns"][seat]
        level += 1
    state["level"][seat] = level


@kernel
def budget_of(state: Record, cards: Record, seat: int) -> np.int64:
    """RIFT-22, 23, RA-02. Levels that may still be played this turn."""
    snapshot = cards["level_budget"] == LevelBudget.SNAPSHOT
    level = state["start_level"][seat] if snapshot else state["level"][seat]
    return np.int64(level) - np.int64(state["used_levels"][seat])


@kernel
def hurt_player(state: Record, cards: Record, seat: int, points: int, wound: int) -> np.int64:
    """RIFT-51. Damage to a player: Armour first, the oldest first. wound: Wound. Returns the life lost."""
    rest = np.int64(points)
    state["wounds"][seat, wound] += rest
    while rest > 0 and state["armour"][seat, 0] != NOBODY:
        absorbed = min(rest, np.int64(state["points"][seat, 0]))
        rest -= absorbed
        state["absorbed"][seat] += absorbed
        state["points"][seat, 0] -= absorbed
        if state["points"][seat, 0] == 0:
            break_armour(state, cards, seat)
    before = np.int64(state["life"][seat])
    state["life"][seat] -= rest
    if rest > 0 and state["life"][seat] <= 0:
        state["ended_by"] = wound
    return min(rest, max(np.int64(0), before))


@kernel
def break_armour(state: Record, cards: Record, seat: int) -> None:
    """RIFT-51, 121. The oldest Armour is used up."""
    card = np.int64(state["armour"][seat, 0])
    for i in range(ARMOURS - 1):
        state["armour"][seat, i] = state["armour"][seat, i + 1]
        state["points"][seat, i] = state["points"][seat, i + 1]
    state["armour"][seat, ARMOURS - 1] = NOBODY
    state["points"][seat, ARMOURS - 1] = 0
    discard(state, seat, card, is_depleted(cards, card))


@kernel
def heal_player(state: Record, cards: Record, seat: int, points: int) -> None:
    """RIFT-90. Life of a player, at most that of the start."""
    state["life"][seat] = min(np.int64(cards["start_life"]), np.int64(state["life"][seat]) + points)


@kernel
def end_if_lost(state: Record, cards: Record) -> bool:
    """RIFT-130. End the game if a life is at 0 or below; returns whether it has ended."""
    if state["life"][0] > 0 and state["life"][1] > 0:
        return False
    for seat in range(SEATS):
        if state["life"][seat] > 0:
            state["winner"] = seat
    state["phase"] = Phase.OVER
    note_turn(state, cards, np.int64(state["active"]))
    return True


@kernel
def note_turn(state: Record, cards: Record, seat: int) -> None:
    """Register section 11. How far a player has come at the end of an own turn."""
    turn = np.int64(state["own_turns"][seat]) - 1
    state["longest_turn"][seat] = max(state["longest_turn"][seat], state["done_this_turn"])
    if 0 <= turn < CURVE:
        state["xp_after"][seat, turn] = state["xp"][seat]
        state["played_after"][seat, turn] = state["gained"][seat, Gain.PLAY] + state["gained"][seat, Gain.SUMMON]
        state["killed_after"][seat, turn] = state["gained"][seat, Gain.KILL]
        state["level_after"][seat, turn] = state["level"][seat]
        state["unused_after"][seat, turn] = budget_of(state, cards, seat)
