"""What holds of cards and players in every position of Riftborn Tactics (register section 10, invariants 1, 4, 5, 6, 10).

Compiled, for there are a thousand positions in a game. Each of the `invariants_*` files stands alone: kernels of one do not call
those of another, so that a change of one cannot leave old code of another in the cache.
"""

# ruff: noqa: PLR0911 - kernels: early returns

from enum import IntEnum

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.record import CARDS_MAX, DECK_MAX, LEVELS, TRICKS, LevelBudget
from sim.games.riftborn.rules.players import slot_of
from sim.games.riftborn.state import (
    ALL,
    ARMOURS,
    CURVE,
    DISTINCT,
    GAINS,
    NOBODY,
    SEATS,
    TOKENS_MAX,
    WEAPONS,
    Gain,
    Phase,
    side_of,
)


class CardFault(IntEnum):
    """What may be wrong."""

    NONE = 0
    A_PILE_IS_NOT_WHAT_ITS_NUMBER_SAYS = 1
    CARDS_HAVE_COME_OR_GONE = 2
    MORE_KNOWN_THAN_THERE_IS = 3
    A_WEAPON_WITHOUT_USES_OR_A_GAP = 4
    AN_ARMOUR_WITHOUT_POINTS_OR_A_GAP = 5
    HELD_IS_NOT_THE_HAND = 6
    DRAWN_IS_NOT_PLAYED_OR_HELD = 7
    A_TURN_OF_A_CARD_THAT_WAS_NEVER_THERE = 8
    LIFE_OUT_OF_RANGE = 9
    A_LIFE_IS_GONE_AND_NOBODY_LOST = 10
    THE_WRONG_ONE_HAS_WON = 11
    EXPERIENCE_FROM_NOWHERE = 12
    EXPERIENCE_NOT_THAT_OF_THE_TURNS = 13
    LEVEL_NOT_THAT_OF_THE_TABLE = 14
    LEVELS_HELD_IN_NO_ORDER = 15
    BUDGET_OVERDRAWN = 16
    CURVES_NOT_OF_THE_TURNS_DONE = 17
    TURNS_NOT_IN_TURN = 18
    TRICKS_THAT_DO_NOT_EXIST = 19
    MORE_TRICKS_FIRED_THAN_LAID = 20
    MORE_ABSORBED_THAN_DEALT = 21
    A_FIRST_KILL_WITHOUT_A_KILL = 22


@kernel
def first_card_fault(states: np.ndarray, cards: Record, found: np.ndarray) -> tuple[int, int]:
    """Place of the first position in which something is wrong, and what; the number of positions and NONE if nothing is.

    states: (n,) STATE; found: (CARDS_MAX,) scratch, overwritten.
    """
    for i in range(len(states)):
        fault = position_fault(states[i], cards, found)
        if fault != CardFault.NONE:
            return i, fault
    return len(states), np.int64(CardFault.NONE)


@kernel
def position_fault(state: Record, cards: Record, found: np.ndarray) -> int:
    """What is wrong in one position: a CardFault."""
    fault = end_fault(state)
    for seat in range(SEATS):
        if fault == CardFault.NONE:
            fault = cards_fault(state, cards, np.int64(seat), found)
        if fault == CardFault.NONE:
            fault = attached_fault(state, np.int64(seat))
        if fault == CardFault.NONE:
            fault = slots_fault(state, cards, np.int64(seat), found)
        if fault == CardFault.NONE:
            fault = player_fault(state, cards, np.int64(seat))
        if fault == CardFault.NONE:
            fault = level_fault(state, cards, np.int64(seat))
        if fault == CardFault.NONE:
            fault = turns_fault(state, cards, np.int64(seat))
    return fault


@kernel
def count_pile(pile: np.ndarray, size: int, found: np.ndarray) -> bool:
    """Count the cards of a pile; whether there is nothing beyond the last one."""
    if size < 0 or size > DECK_MAX:
        return False
    for at in range(DECK_MAX):
        if at < size:
            found[pile[at]] += 1
        elif pile[at] != 0:
            return False
    return True


@kernel
def cards_fault(state: Record, cards: Record, seat: int, found: np.ndarray) -> int:
    """Invariant 1. Every card of the deck is in exactly one place. found: scratch, overwritten."""
    found[:] = 0
    if not count_piles(state, seat, found):
        return np.int64(CardFault.A_PILE_IS_NOT_WHAT_ITS_NUMBER_SAYS)
    count_in_play(state, seat, found)
    deck = np.int64(state["deck"][seat])
    for at in range(np.int64(cards["deck_size"][deck])):
        found[cards["deck"][deck, at]] -= 1
    for card in range(CARDS_MAX):
        if found[card] != 0:
            return np.int64(CardFault.CARDS_HAVE_COME_OR_GONE)
    known = min(state["known_own"][seat], state["known_other"][seat])
    most = max(state["known_own"][seat], state["known_other"][seat])
    if known < 0 or most > state["library_n"][seat]:
        return np.int64(CardFault.MORE_KNOWN_THAN_THERE_IS)
    return np.int64(CardFault.NONE)


@kernel
def count_piles(state: Record, seat: int, found: np.ndarray) -> bool:
    """Count the cards in piles; whether all of them are as long as their numbers say."""
    whole = count_pile(state["library"][seat], np.int64(state["library_n"][seat]), found)
    whole &= count_pile(state["hand"][seat], np.int64(state["hand_n"][seat]), found)
    whole &= count_pile(state["discard"][seat], np.int64(state["discard_n"][seat]), found)
    whole &= count_pile(state["removed"][seat], np.int64(state["removed_n"][seat]), found)
    return whole


@kernel
def count_in_play(state: Record, seat: int, found: np.ndarray) -> None:
    """Count the cards attached, in the formation, set aside, waiting or looking for a place."""
    for at in range(WEAPONS):
        if state["weapon"][seat, at] != NOBODY:
            found[state["weapon"][seat, at]] += 1
    for at in range(ARMOURS):
        if state["armour"][seat, at] != NOBODY:
            found[state["armour"][seat, at]] += 1
    for g in range(ALL):
        if side_of(g) == seat and state["origin"][g] != NOBODY:
            found[state["origin"][g]] += 1
    if state["active"] == seat and state["spell"] != NOBODY:
        found[state["spell"]] += 1
    if state["active"] == seat and state["entrant"] != NOBODY and state["summon_card"] == NOBODY:
        found[state["entrant"]] += 1


@kernel
def attached_fault(state: Record, seat: int) -> int:
    """Invariant 4. Weapons and Armours lie without gaps, each with something left."""
    gap = False
    for at in range(WEAPONS):
        here = state["weapon"][seat, at] != NOBODY
        gap |= not here
        empty = state["uses"][seat, at] == 0 and state["weapon_used"][seat, at] == 0
        if (here and (gap or state["uses"][seat, at] < 1)) or (not here and not empty):
            return np.int64(CardFault.A_WEAPON_WITHOUT_USES_OR_A_GAP)
    gap = False
    for at in range(ARMOURS):
        here = state["armour"][seat, at] != NOBODY
        gap |= not here
        if (here and (gap or state["points"][seat, at] < 1)) or (not here and state["points"][seat, at] != 0):
            return np.int64(CardFault.AN_ARMOUR_WITHOUT_POINTS_OR_A_GAP)
    return np.int64(CardFault.NONE)


@kernel
def slots_fault(state: Record, cards: Record, seat: int, found: np.ndarray) -> int:
    """What is counted by card. found: scratch, overwritten."""
    found[:] = 0
    for at in range(np.int64(state["hand_n"][seat])):
        found[slot_of(state, cards, seat, np.int64(state["hand"][seat, at]))] += 1
    drawn, noted = np.int64(0), True  # all of them
    for slot in range(DISTINCT):
        if state["held"][seat, slot] != found[slot]:
            return np.int64(CardFault.HELD_IS_NOT_THE_HAND)
        drawn += np.int64(state["drawn"][seat, slot]) - np.int64(state["plays"][seat, slot]) - found[slot]
        was_drawn, was_played = state["drawn"][seat, slot] > 0, state["plays"][seat, slot] > 0
        if was_drawn != (state["drawn_turn"][seat, slot] > 0) or was_played != (state["played_turn"][seat, slot] > 0):
            return np.int64(CardFault.A_TURN_OF_A_CARD_THAT_WAS_NEVER_THERE)
        if was_played and state["played_turn"][seat, slot] < state["drawn_turn"][seat, slot]:
            return np.int64(CardFault.A_TURN_OF_A_CARD_THAT_WAS_NEVER_THERE)
        noted &= state["drawn"][seat, slot] < TOKENS_MAX
    if noted and drawn != 0:
        return np.int64(CardFault.DRAWN_IS_NOT_PLAYED_OR_HELD)
    return np.int64(CardFault.NONE)


@kernel
def end_fault(state: Record) -> int:
    """Invariant 4, RIFT-130. Whose life is gone has lost."""
    over = state["phase"] == Phase.OVER
    if (min(state["life"][0], state["life"][1]) <= 0) != over:
        return np.int64(CardFault.A_LIFE_IS_GONE_AND_NOBODY_LOST)
    winner = np.int64(NOBODY)
    for seat in range(SEATS):
        if over and state["life"][seat] > 0:
            winner = np.int64(seat)
    if state["winner"] != winner:
        return np.int64(CardFault.THE_WRONG_ONE_HAS_WON)
    return np.int64(CardFault.NONE)


@kernel
def player_fault(state: Record, cards: Record, seat: int) -> int:
    """Invariants 4, 6, 10. Life, experience by source, TRICK cards, facts that hang together."""
    if state["life"][seat] > cards["start_life"]:
        return np.int64(CardFault.LIFE_OUT_OF_RANGE)
    total = np.int64(0)
    for gain in range(GAINS):
        total += state["gained"][seat, gain]
    if total != state["xp"][seat]:
        return np.int64(CardFault.EXPERIENCE_FROM_NOWHERE)
    if state["gained"][seat, Gain.TURN] != np.int64(cards["turn_xp"]) * np.int64(state["own_turns"][seat]):
        return np.int64(CardFault.EXPERIENCE_NOT_THAT_OF_THE_TURNS)
    in_play = 0
    for trick in range(1, TRICKS + 1):
        in_play += (np.int64(state["tricks"][seat]) >> trick) & 1
    if np.int64(state["tricks"][seat]) & 1 or np.int64(state["tricks"][seat]) >> (TRICKS + 1):
        return np.int64(CardFault.TRICKS_THAT_DO_NOT_EXIST)
    if state["fired"][seat] + in_play > state["laid"][seat]:
        return np.int64(CardFault.MORE_TRICKS_FIRED_THAN_LAID)
    if state["absorbed"][seat] > state["wounds"][seat].sum():
        return np.int64(CardFault.MORE_ABSORBED_THAN_DEALT)
    killed = state["kills"][seat] > 0
    if killed != (state["first_kill_turn"][seat] > 0) or (not killed and state["first_kill"] == seat):
        return np.int64(CardFault.A_FIRST_KILL_WITHOUT_A_KILL)
    return np.int64(CardFault.NONE)


@kernel
def level_fault(state: Record, cards: Record, seat: int) -> int:
    """Invariant 5, RIFT-20, 22. The level is that of the table; no more levels were played than it allows."""
    level = 1
    while level < LEVELS and state["xp"][seat] >= cards["level_xp"][level]:
        level += 1
    if state["level"][seat] != level or not 1 <= state["start_level"][seat] <= level:
        return np.int64(CardFault.LEVEL_NOT_THAT_OF_THE_TABLE)
    last = np.int64(0)
    for held in range(1, LEVELS):
        turn = np.int64(state["level_turn"][seat, held])
        if (turn > 0) != (held < level) or turn > state["own_turns"][seat] or (turn > 0 and turn < last):
            return np.int64(CardFault.LEVELS_HELD_IN_NO_ORDER)
        last = turn
    limit = state["start_level"][seat] if cards["level_budget"] == LevelBudget.SNAPSHOT else state["level"][seat]
    if not 0 <= state["used_levels"][seat] <= limit:
        return np.int64(CardFault.BUDGET_OVERDRAWN)
    return np.int64(CardFault.NONE)


@kernel
def turns_fault(state: Record, cards: Record, seat: int) -> int:
    """RIFT-10, 131. Turns alternate; curves reach to the last own turn that is over. At the turn cap none begins any more."""
    begun, going = np.int64(state["own_turns"][seat]), np.int64(0)
    if state["first"] == NOBODY:
        if begun != 0 or state["turn"] != 0:
            return np.int64(CardFault.TURNS_NOT_IN_TURN)
    else:
        late = 0 if state["first"] == seat else 1
        on = np.int64(state["turn"] < cards["turn_cap"])
        if begun != (np.int64(state["turn"]) + 1 + on - late) // SEATS:
            return np.int64(CardFault.TURNS_NOT_IN_TURN)
        if (state["active"] == state["first"]) != (state["turn"] % SEATS == 0):
            return np.int64(CardFault.TURNS_NOT_IN_TURN)
        going = np.int64(on == 1 and state["active"] == seat and state["phase"] != Phase.OVER)
    last = np.int64(0)
    for turn in range(CURVE):
        if turn >= begun - going:
            if state["xp_after"][seat, turn] != -1 or state["unused_after"][seat, turn] != -1:
                return np.int64(CardFault.CURVES_NOT_OF_THE_TURNS_DONE)
            continue
        now, parts = (
            state["xp_after"][seat, turn],
            state["played_after"][seat, turn] + state["killed_after"][seat, turn],
        )
        if not last <= now <= state["xp"][seat] or parts > now or state["unused_after"][seat, turn] < 0:
            return np.int64(CardFault.CURVES_NOT_OF_THE_TURNS_DONE)
        if not 1 <= state["level_after"][seat, turn] <= state["level"][seat]:
            return np.int64(CardFault.CURVES_NOT_OF_THE_TURNS_DONE)
        last = np.int64(now)
    return np.int64(CardFault.NONE)
