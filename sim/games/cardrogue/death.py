"""What the dead keep, leave and lose, and where they come back (ROGUE-61, 62, 104, 106, 115)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.decisions import GOLD_CODE, Node
from sim.games.cardrogue.engage import leave_all
from sim.games.cardrogue.holding import add_to_hand, discard, max_health, purse_card, take_from_hand, take_off
from sim.games.cardrogue.points import finish
from sim.games.cardrogue.record import SLOTS
from sim.games.cardrogue.state import LEFT_MAX, NO_CARD, NOBODY, NOWHERE, Ending, PutOff
from sim.games.cardrogue.tiles import UNKNOWN

NORTHWARD = 0
NOTHING_KEPT = -1


@kernel
def begin_death(state: Record, cards: Record) -> None:
    """ROGUE-61. Somebody has died: it leaves combat, takes everything off, and chooses what to keep."""
    seat = np.int64(state["fallen"])
    leave_all(state, cards, seat, False)
    if state["seats"] == 1:
        state["deaths_left"] -= 1
        if state["deaths_left"] < 0:
            finish(state, cards, Ending.SOLO_LOST, seat)
            return
    forget(state, cards, seat)
    state["asked"] = seat
    state["arg"][0] = NOTHING_KEPT
    if state["held"][seat] or state["gold"][seat] > 0:
        state["node"] = Node.KEEP
    else:
        come_back(state, cards, seat)


@kernel
def forget(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-61. Equipment into the hand; bonuses and statuses are reset."""
    for slot in range(SLOTS):
        if state["worn"][seat, slot] != NO_CARD:
            take_off(state, cards, seat, slot)
    state["bonus"][seat], state["potion_mod"][seat] = 0, 0
    state["poison"][seat], state["antidote"][seat] = 0, 0
    state["skip"][seat], state["cooldown"][seat] = 0, 0
    state["put_off"][seat] = PutOff.NOTHING


@kernel
def keep(state: Record, cards: Record, seat: int, code: int) -> None:
    """ROGUE-61. Keep one card, or 64 + index of a denomination; then one of the others is left, if there is one."""
    state["arg"][0] = code
    take_card_or_gold(state, cards, seat, code)
    if state["held"][seat] or state["gold"][seat] > 0:
        state["node"] = Node.LEAVE
    else:
        bequeath(state, cards, seat)


@kernel
def take_card_or_gold(state: Record, cards: Record, seat: int, code: int) -> None:
    """Take one card or gold card away from a player."""
    if code >= GOLD_CODE:
        state["gold"][seat] -= cards["denomination"][code - GOLD_CODE]
    else:
        take_from_hand(state, seat, code)


@kernel
def lay_down(state: Record, seat: int, code: int) -> None:
    """ROGUE-61. A card of the dead lies on the cell from now on.

    More than `LEFT_MAX` never lie about unless hundreds of gold cards are left and nobody fetches them: the rest is gone.
    """
    place = np.int64(state["left_cards"])
    if place >= LEFT_MAX:
        if code < GOLD_CODE:
            state["gone"][code] += 1
        return
    state["left_cell"][place] = state["cell"][seat]
    state["left_type"][place] = code
    state["left_cards"] += 1


@kernel
def leave_card(state: Record, cards: Record, seat: int, code: int) -> None:
    """ROGUE-61. The card chosen is left on the cell; then the rest goes."""
    take_card_or_gold(state, cards, seat, code)
    lay_down(state, seat, code)
    bequeath(state, cards, seat)


@kernel
def bequeath(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-61. Unsellable cards are left on the cell, everything else is discarded, the kept card comes back."""
    for card in range(np.int64(cards["types"])):
        for _ in range(np.int64(state["hand"][seat, card])):
            if cards["sellable"][card]:
                discard(state, seat, card)
            else:
                take_from_hand(state, seat, card)
                lay_down(state, seat, card)
    state["gold"][seat] = 0
    kept = np.int64(state["arg"][0])
    if kept >= GOLD_CODE:
        state["gold"][seat] = cards["denomination"][kept - GOLD_CODE]
    elif kept != NOTHING_KEPT:
        add_to_hand(state, seat, kept)
    come_back(state, cards, seat)


@kernel
def come_back(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-62, 104. The dead choose a starting tile; in the end rush they are out, and with the last of them the game."""
    state["cell"][seat] = NOWHERE
    if not state["rush"]:
        state["node"] = Node.RESPAWN
        return
    state["out"][seat] = 1
    state["health"][seat] = 0
    close_death(state, seat)
    if living(state) == 0:
        finish(state, cards, Ending.ALL_DEAD, seat)


@kernel
def respawn(state: Record, cards: Record, seat: int, cell: int) -> None:
    """ROGUE-62. Stand on a starting tile with full health; this is no move."""
    state["cell"][seat] = cell
    state["heading"][seat] = NORTHWARD
    state["health"][seat] = max_health(state, cards, seat)
    state["stuck"][seat] = UNKNOWN
    close_death(state, seat)


@kernel
def close_death(state: Record, seat: int) -> None:
    """The death is dealt with: the turn of the dead ends, anybody else's goes on."""
    state["fallen"] = NOBODY
    state["node"] = Node.MAIN
    if seat == state["active"]:
        state["cut"] = 1


@kernel
def living(state: Record) -> int:
    """Players still in the game."""
    count = 0
    for seat in range(np.int64(state["seats"])):
        count += state["out"][seat] == 0
    return count


@kernel
def depart(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-115. Leave for good: everything stays on the cell, the player is out."""
    leave_all(state, cards, seat, False)
    forget(state, cards, seat)
    for place in range(np.int64(cards["denominations"])):
        for _ in range(purse_card(cards, np.int64(state["gold"][seat]), place)):
            lay_down(state, seat, GOLD_CODE + place)
    state["gold"][seat] = 0
    for card in range(np.int64(cards["types"])):
        for _ in range(np.int64(state["hand"][seat, card])):
            take_from_hand(state, seat, card)
            lay_down(state, seat, card)
    state["cell"][seat] = NOWHERE
    state["out"][seat] = 1


@kernel
def step_aside(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-115. Leave for a while: the token is taken off, and comes back to the same cell when it is free."""
    leave_all(state, cards, seat, False)
    state["away"][seat] = 1 + state["cell"][seat]
    state["cell"][seat] = NOWHERE
