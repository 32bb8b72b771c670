"""What holds of formations, creatures, cards and players in every position of Riftborn Tactics.

Compiled, because a game has a thousand positions. The kernels of this
file and of `invariants` do not call each other, so a change of one cannot leave old code of the other in the cache.
"""

from enum import IntEnum

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.record import ABILITIES, CARDS_MAX, LENDABLE, LEVELS, TRICKS, Ability, ClearPath, LevelBudget
from sim.games.riftborn.rules.damage import LENDING, is_deadly_hurt, rebuild
from sim.games.riftborn.rules.placement import aside, distance, faces_player, in_contact, reach
from sim.games.riftborn.rules.players import slot_of
from sim.games.riftborn.state import (
    ACTIVE,
    ALL,
    ARMOURS,
    COLUMNS,
    CREATURES,
    CURVE,
    DECK_MAX,
    DISTINCT,
    GAINS,
    HARMS,
    NOBODY,
    PER_ROW,
    ROWS,
    SEATS,
    TOKENS_MAX,
    WAITING,
    WEAPONS,
    Gain,
    Phase,
    side_of,
)

# ruff: noqa: PLR0911 - kernels: early returns


class TableFault(IntEnum):
    """What can be wrong."""

    NONE = 0
    A_ROW_TOO_LONG_OR_TOO_MANY = 1
    A_GAP_IN_A_FORMATION = 2
    A_CREATURE_ON_TWO_PLACES_OR_NONE = 3
    A_CREATURE_OF_THE_OTHER_SIDE = 4
    SOMETHING_LEFT_OF_A_CREATURE_THAT_IS_GONE = 5
    ROW_OR_CENTRE_NOT_AS_REBUILT = 6
    FRONT_NOT_AS_REBUILT = 7
    LENT_NOT_AS_REBUILT = 8
    BONUS_NOT_AS_REBUILT = 9
    TOKENS_OUT_OF_RANGE = 10
    AN_ABILITY_BESIDE_SWARM = 11
    A_FLAG_OUT_OF_RANGE = 12
    CHARM_OR_PACIFY_ACTIVE_IN_THE_WRONG_TURN = 13
    DEADLY_HURT_AND_NOT_SHAKEN = 14
    DEADLY_HURT_AT_MAIN = 15
    SOMETHING_UNDER_WAY_AT_MAIN = 16
    A_DEATH_CHECK_UNDER_WAY = 17
    SCRATCH_IN_USE = 18
    DISTANCE_OR_CONTACT_NOT_MUTUAL = 19
    ADJACENT_WITHOUT_A_CLEAR_PATH = 20
    REACH_NOT_THE_SAME_IN_THE_MIRROR = 21


@kernel
def first_table_fault(states: np.ndarray, cards: Record, spare: np.ndarray) -> tuple[int, int]:
    """Place of the first position in which something is wrong, and what; the number of positions and NONE if nothing is.

    states: (n,) STATE; spare: (1,) STATE, overwritten.
    """
    for i in range(len(states)):
        state = states[i]
        fault = rows_fault(state, cards)
        spare[0] = states[i]
        spare[0]["lending"] = LENDING  # or loans that are not noted would stay
        if fault == TableFault.NONE:
            rebuild(spare[0], cards)
            fault = derived_fault(state, spare[0])
        if fault == TableFault.NONE:
            fault = creatures_fault(state, cards)
        if fault == TableFault.NONE:
            fault = moment_fault(state)
        if fault == TableFault.NONE:
            fault = geometry_fault(state, cards, spare[0])
        if fault != TableFault.NONE:
            return i, fault
    return len(states), np.int64(TableFault.NONE)


@kernel
def rows_fault(state: Record, cards: Record) -> int:
    """Invariant 2. Rows without gaps, no longer and no more than the rules allow."""
    for seat in range(SEATS):
        empty = False
        for row in range(ROWS):
            length = np.int64(state["row_len"][seat, row])
            if not 0 <= length <= cards["max_per_row"] or (length > 0 and row >= cards["max_rows"]):
                return np.int64(TableFault.A_ROW_TOO_LONG_OR_TOO_MANY)
            if empty and length > 0:
                return np.int64(TableFault.A_GAP_IN_A_FORMATION)
            empty = length == 0
            for index in range(PER_ROW):
                if (state["grid"][seat, row, index] != NOBODY) != (index < length):
                    return np.int64(TableFault.A_GAP_IN_A_FORMATION)
    return places_fault(state)


@kernel
def places_fault(state: Record) -> int:
    """Invariant 2. Who stands somewhere stands nowhere else; nothing is left of those who stand nowhere."""
    for g in range(ALL):
        places = np.int64(0)
        for slot in range(SEATS * CREATURES):
            seat, row, index = slot // CREATURES, slot % CREATURES // PER_ROW, slot % PER_ROW
            if state["grid"][seat, row, index] == g:
                places += 1
                if seat != side_of(g):
                    return np.int64(TableFault.A_CREATURE_OF_THE_OTHER_SIDE)
        if places != (state["card"][g] != NOBODY):
            return np.int64(TableFault.A_CREATURE_ON_TWO_PLACES_OR_NONE)
        if places == 0 and has_traces(state, np.int64(g)):
            return np.int64(TableFault.SOMETHING_LEFT_OF_A_CREATURE_THAT_IS_GONE)
    return np.int64(TableFault.NONE)


@kernel
def has_traces(state: Record, g: int) -> bool:
    """Whether anything is left of a creature that is gone."""
    left = np.int64(state["origin"][g] - NOBODY) | state["row"][g] | state["centre"][g] | tokens_on(state, g)
    left |= state["bonus_attack"][g] | state["bonus_health"][g] | state["credit"][g] | state["harm"][g]
    left |= state["morale"][g] | state["face_down"][g] | state["swaps"][g] | state["acted"][g] | state["entered"][g]
    left |= state["charm"][g] | state["pacify"][g] | state["killer"][g]
    for ability in range(ABILITIES):
        left |= state["ability"][g, ability]
    for ability in range(LENDABLE):
        left |= state["lent"][g, ability]
    return left != 0


@kernel
def tokens_on(state: Record, g: int) -> np.int64:
    """All counters of a creature, or-ed: above TOKENS_MAX's bits or below 0 if one of them is."""
    found = np.int64(state["damage"][g]) | state["rage"][g] | state["health"][g] | state["shield"][g]
    return found | state["weakness"][g] | state["decay"][g] | state["ready"][g]


@kernel
def derived_fault(state: Record, fresh: Record) -> int:
    """Invariant 2, RIFT-31, 60. Derived fields have the values that deriving them again gives."""
    for g in range(ALL):
        if state["row"][g] != fresh["row"][g] or state["centre"][g] != fresh["centre"][g]:
            return np.int64(TableFault.ROW_OR_CENTRE_NOT_AS_REBUILT)
        bonus = state["bonus_attack"][g] == fresh["bonus_attack"][g]
        if not bonus or state["bonus_health"][g] != fresh["bonus_health"][g]:
            return np.int64(TableFault.BONUS_NOT_AS_REBUILT)
        for ability in range(LENDABLE):
            if state["lent"][g, ability] != fresh["lent"][g, ability]:
                return np.int64(TableFault.LENT_NOT_AS_REBUILT)
    if state["lending"] != fresh["lending"]:
        return np.int64(TableFault.LENT_NOT_AS_REBUILT)
    for seat in range(SEATS):
        for column in range(COLUMNS):
            if state["front"][seat, column] != fresh["front"][seat, column]:
                return np.int64(TableFault.FRONT_NOT_AS_REBUILT)
    return np.int64(TableFault.NONE)


@kernel
def creatures_fault(state: Record, cards: Record) -> int:
    """Invariants 3, 7. Counters, flags, who should be dead."""
    for g in range(ALL):
        fault = creature_fault(state, cards, np.int64(g)) if state["card"][g] != NOBODY else np.int64(TableFault.NONE)
        if fault != TableFault.NONE:
            return fault
    return np.int64(TableFault.NONE)


@kernel
def creature_fault(state: Record, cards: Record, g: int) -> int:
    """The same of one creature."""
    if not has_fair_tokens(state, g):
        return np.int64(TableFault.TOKENS_OUT_OF_RANGE)
    if state["ability"][g, Ability.SWARM] > 0 and abilities_of(state, g) > state["ability"][g, Ability.SWARM]:
        return np.int64(TableFault.AN_ABILITY_BESIDE_SWARM)
    flags = state["face_down"][g] | state["acted"][g] | state["entered"][g] | np.uint8(state["morale"][g])
    states = state["charm"][g] | state["pacify"][g]
    if flags > 1 or not 0 <= states <= WAITING + ACTIVE or not 0 <= state["harm"][g] < HARMS:
        return np.int64(TableFault.A_FLAG_OUT_OF_RANGE)
    if states & ACTIVE and side_of(g) != state["active"]:
        return np.int64(TableFault.CHARM_OR_PACIFY_ACTIVE_IN_THE_WRONG_TURN)
    if is_deadly_hurt(state, cards, g) and state["shaken"] == 0:
        return np.int64(TableFault.DEADLY_HURT_AND_NOT_SHAKEN)
    if is_deadly_hurt(state, cards, g) and (state["phase"] == Phase.MAIN or state["phase"] == Phase.CREATURE):
        return np.int64(TableFault.DEADLY_HURT_AT_MAIN)
    return np.int64(TableFault.NONE)


@kernel
def has_fair_tokens(state: Record, g: int) -> bool:
    """Whether all counters of a creature are within 0 and their limit; `destroy` may add more damage."""
    most = max(state["rage"][g], state["health"][g], state["shield"][g])
    most = max(most, state["weakness"][g], state["decay"][g], state["ready"][g])
    least = min(np.int64(state["swaps"][g]), tokens_on(state, g))
    for ability in range(ABILITIES):
        least = min(least, np.int64(state["ability"][g, ability]))
    return least >= 0 and most <= TOKENS_MAX


@kernel
def abilities_of(state: Record, g: int) -> np.int64:
    """Sum of all X of a creature, lent ones too."""
    total = np.int64(0)
    for ability in range(ABILITIES):
        total += np.int64(state["ability"][g, ability])
    for ability in range(LENDABLE):
        total += np.int64(state["lent"][g, ability])
    return total


@kernel
def moment_fault(state: Record) -> int:
    """Invariants 3, 10. Nothing is under way when the active player is asked; no scratch is in use between decisions."""
    for at in range(DECK_MAX):
        if state["keys"][at] != 0 or state["pool"][at] != 0:
            return np.int64(TableFault.SCRATCH_IN_USE)
    if state["pool_n"] != 0 or not 0 <= state["phase"] <= Phase.OVER:
        return np.int64(TableFault.SCRATCH_IN_USE)
    for seat in range(SEATS):
        if state["owed"][seat] != 0 or state["owed_kills"][seat] != 0 or state["fell"][seat] != 0:
            return np.int64(TableFault.A_DEATH_CHECK_UNDER_WAY)
    credited = np.int64(0)
    for g in range(ALL):
        credited |= state["credit"][g]
    if credited != 0 and state["crediting"] == 0:
        return np.int64(TableFault.A_DEATH_CHECK_UNDER_WAY)
    if state["phase"] != Phase.MAIN:
        return np.int64(TableFault.NONE)
    busy = state["seat"] != state["active"] or state["queue_n"] != 0 or state["crediting"] != 0 or credited != 0
    busy |= state["playing"] != NOBODY or state["entrant"] != NOBODY or state["spell"] != NOBODY or state["free"] != 0
    busy |= state["summon_card"] != NOBODY or state["list_card"] != NOBODY or state["chosen"] != 0
    for g in range(ALL):
        busy |= state["harm"][g] != 0 or state["killer"][g] != 0
    return np.int64(TableFault.SOMETHING_UNDER_WAY_AT_MAIN if busy else TableFault.NONE)


@kernel
def geometry_fault(state: Record, cards: Record, mirror: Record) -> int:
    """Invariant 8. What two enemies are to each other they are both, also with both ends of the table exchanged.

    mirror: a copy of the state, overwritten.
    """
    for seat in range(SEATS):
        for row in range(ROWS):
            length = np.int64(state["row_len"][seat, row])
            for index in range(length):
                mirror["grid"][seat, row, index] = state["grid"][seat, row, length - 1 - index]
    rebuild(mirror, cards)
    for a in range(CREATURES):
        for b in range(CREATURES, ALL):
            if state["card"][a] != NOBODY and state["card"][b] != NOBODY:
                fault = pair_fault(state, cards, mirror, (np.int64(a), np.int64(b)))
                if fault != TableFault.NONE:
                    return fault
    for g in range(ALL):
        if state["card"][g] != NOBODY and faces_player(state, np.int64(g)) != faces_player(mirror, np.int64(g)):
            return np.int64(TableFault.REACH_NOT_THE_SAME_IN_THE_MIRROR)
    return np.int64(TableFault.NONE)


@kernel
def pair_fault(state: Record, cards: Record, mirror: Record, pair: tuple[int, int]) -> int:
    """The same of two enemies."""
    a, b = pair
    touching = distance(state, a, b) == 1
    if distance(state, a, b) != distance(state, b, a) or in_contact(state, a, b) != in_contact(state, b, a):
        return np.int64(TableFault.DISTANCE_OR_CONTACT_NOT_MUTUAL)
    if touching and cards["clear_path"] == ClearPath.HALF and not in_contact(state, a, b):
        return np.int64(TableFault.ADJACENT_WITHOUT_A_CLEAR_PATH)
    here, there = reach(state, cards, a, b), reach(state, cards, b, a)
    same = here == reach(mirror, cards, a, b) and there == reach(mirror, cards, b, a)
    if not same or aside(state, a, b) != aside(mirror, a, b):
        return np.int64(TableFault.REACH_NOT_THE_SAME_IN_THE_MIRROR)
    return np.int64(TableFault.NONE)


# ruff: noqa: PLR0911 - kernels: early returns


class CardFault(IntEnum):
    """What can be wrong."""

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
    """Count the cards in piles; whether all of them are as long as their counters."""
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
    """Invariants 4, 6, 10. Life, experience by source, TRICK cards, facts that agree."""
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
    """RIFT-10, 131. Turns alternate; curves reach to the last completed own turn. At the turn cap no turn begins."""
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
        now, parts = (state["xp_after"][seat, turn], state["played_after"][seat, turn] + state["killed_after"][seat, turn])
        if not last <= now <= state["xp"][seat] or parts > now or state["unused_after"][seat, turn] < 0:
            return np.int64(CardFault.CURVES_NOT_OF_THE_TURNS_DONE)
        if not 1 <= state["level_after"][seat, turn] <= state["level"][seat]:
            return np.int64(CardFault.CURVES_NOT_OF_THE_TURNS_DONE)
        last = np.int64(now)
    return np.int64(CardFault.NONE)
