"""What holds in every position of Riftborn Tactics and from one to the next (invariants 3, 5, 7).

Also: listed decisions are legal and in order, and every shortcut gives the result of the rule.
"""

from enum import IntEnum

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.jit import Record, kernel
from sim.games.riftborn.actions import PLAY, USE, WIELD, legal_actions
from sim.games.riftborn.record import CARDS_MAX, Ability, Kind, Op
from sim.games.riftborn.rules.attack import (
    ATTACK,
    ATTACK_PLAYER,
    can_act,
    can_attack,
    can_move,
    can_swap,
    enemies_beside,
    has_partner,
    has_prey,
    is_useful,
    list_attacks,
    list_uses,
)
from sim.games.riftborn.rules.placement import BESIDE, are_adjacent, beside, distance, power, reach, reach_player
from sim.games.riftborn.rules.players import budget_of
from sim.games.riftborn.state import (
    ALL,
    CREATURES,
    CURVE,
    DISTINCT,
    NOBODY,
    OPTIONS_MAX,
    PER_ROW,
    SEATS,
    STATE,
    WEAPONS,
    Phase,
    Reach,
    code_of,
    side_of,
)
from tests.games.riftborn.invariants_table import CardFault, TableFault, first_card_fault, first_table_fault

# ruff: noqa: PLR0911 - kernels: early returns


COUNTERS = (  # facts that only grow; one that fell would have wrapped
    *("xp", "level", "own_turns", "gained", "wounds", "absorbed", "answer_damage", "opportunity_damage", "deaths", "kills"),
    *("refills", "laid", "fired", "returned_cards", "longest_turn", "times", "drawn", "plays", "card_kills", "card_damage"),
)
ONCE = ("first_kill_turn", "level_turn", "drawn_turn", "played_turn")  # facts that are set once, from 0
assert {*COUNTERS, *ONCE} <= set(STATE.names)


class StepFault(IntEnum):
    """What can be wrong."""

    NONE = 0
    THE_TURN_HAS_JUMPED = 1
    THE_FIRST_PLAYER_HAS_CHANGED = 2
    A_MOVE_OR_ACTION_OF_ANOTHER = 3
    AN_ACTION_OF_ONE_THAT_HAS_NONE = 4
    A_SWAP_TOO_MANY = 5
    UNDEATH_HAS_GROWN = 6
    LEVELS_PLAYED_ARE_FORGOTTEN = 7
    A_CURVE_HAS_CHANGED = 8
    A_CARD_PLAYED_TWICE_IN_A_STEP = 9
    SHIELDS_OUTLIVE_THEIR_TURN = 10


@kernel
def first_step_fault(states: np.ndarray, grants: int) -> tuple[int, int]:
    """Place of the first position that cannot follow the one before, and why; the number of positions and NONE if all can.

    states: (n,) STATE, the positions of one game in their order; grants: 1 if cards of the file grant UNDEATH.
    """
    for i in range(1, len(states)):
        fault = course_fault(states[i - 1], states[i])
        for g in range(ALL):
            if fault == StepFault.NONE:
                fault = creature_step_fault(states[i - 1], states[i], np.int64(g), grants)
        if fault != StepFault.NONE:
            return i, fault
    return len(states), np.int64(StepFault.NONE)


@kernel
def course_fault(before: Record, after: Record) -> int:
    """RIFT-10, 22. Turns go on one by one; what is played in one is counted."""
    turns = np.int64(after["turn"]) - np.int64(before["turn"])
    if not 0 <= turns <= 1:
        return np.int64(StepFault.THE_TURN_HAS_JUMPED)
    if before["first"] != NOBODY and before["first"] != after["first"]:
        return np.int64(StepFault.THE_FIRST_PLAYER_HAS_CHANGED)
    for seat in range(SEATS):
        begins = after["own_turns"][seat] > before["own_turns"][seat]
        if begins and after["used_levels"][seat] != 0:
            return np.int64(StepFault.LEVELS_PLAYED_ARE_FORGOTTEN)
        if not begins and after["used_levels"][seat] < before["used_levels"][seat]:
            return np.int64(StepFault.LEVELS_PLAYED_ARE_FORGOTTEN)
        for turn in range(CURVE):
            if before["xp_after"][seat, turn] != -1 and before["xp_after"][seat, turn] != after["xp_after"][seat, turn]:
                return np.int64(StepFault.A_CURVE_HAS_CHANGED)
        played = np.int64(0)
        for slot in range(DISTINCT):
            played += np.int64(after["plays"][seat, slot]) - np.int64(before["plays"][seat, slot])
        baseline = before["phase"] == Phase.MAIN or before["phase"] == Phase.HAND
        if played != 0 and (played != 1 or not baseline or before["active"] != seat):
            return np.int64(StepFault.A_CARD_PLAYED_TWICE_IN_A_STEP)
    return np.int64(StepFault.NONE)


@kernel
def creature_step_fault(before: Record, after: Record, g: int, grants: int) -> int:
    """Invariants 3, 7. Only the creature in use loses a Move or Action, and only one that it has."""
    if after["card"][g] == NOBODY:
        return np.int64(StepFault.NONE)
    acted = after["acted"][g] > before["acted"][g]
    swapped = after["swaps"][g] > before["swaps"][g]
    if acted or swapped:
        used = before["phase"] == Phase.CREATURE and before["user"] == g
        if not used or side_of(g) != before["active"]:
            return np.int64(StepFault.A_MOVE_OR_ACTION_OF_ANOTHER)
        late = before["entered"][g] and power(before, g, Ability.HASTE) == 0
        if acted and (swapped or late or power(before, g, Ability.DORMANT) > 0):
            return np.int64(StepFault.AN_ACTION_OF_ONE_THAT_HAS_NONE)
        fixed = power(before, g, Ability.ROOTED) > 0 or power(before, g, Ability.DORMANT) > 0
        most = max(np.int64(1), power(before, g, Ability.DASH))
        if swapped and (fixed or after["swaps"][g] != before["swaps"][g] + 1 or after["swaps"][g] > most):
            return np.int64(StepFault.A_SWAP_TOO_MANY)
    begins = after["own_turns"][side_of(g)] > before["own_turns"][side_of(g)]
    quiet = before["fired"].sum() == after["fired"].sum()
    if begins and quiet and after["phase"] == Phase.MAIN and after["shield"][g] > 0:
        return np.int64(StepFault.SHIELDS_OUTLIVE_THEIR_TURN)
    same = before["card"][g] == after["card"][g]
    if same and not grants and after["ability"][g, Ability.UNDEATH] > before["ability"][g, Ability.UNDEATH]:
        return np.int64(StepFault.UNDEATH_HAS_GROWN)
    return np.int64(StepFault.NONE)


def fallen(states: np.ndarray) -> list[str]:
    """Counters that fell from one position to the next, and facts that changed after they were set.

    From the coin on: cards returned before it count as never drawn.
    """
    states = states[states["first"] != NOBODY]
    found = [name for name in COUNTERS if (np.diff(states[name].astype(np.int64), axis=0) < 0).any()]
    for name in ONCE:
        values = states[name].astype(np.int64)
        if ((values[1:] != values[:-1]) & (values[:-1] != 0)).any():
            found.append(name)
    return found


class OptionFault(IntEnum):
    """What can be wrong."""

    NONE = 0
    NO_DECISION_OR_TOO_MANY = 1
    NOT_ASCENDING = 2
    NOBODY_DECIDES = 3
    A_CARD_THAT_CANNOT_BE_PLAYED = 4
    A_CARD_LISTED_TWICE_OR_NOT = 5
    A_CREATURE_THAT_CAN_DO_NOTHING = 6
    A_WEAPON_THAT_IS_NOT_THERE = 7
    FRIENDS_BESIDE_NOT_THOSE_AT_DISTANCE_1 = 8
    OPPORTUNITIES_NOT_BY_THOSE_ADJACENT = 9
    ATTACKS_NOT_THOSE_IN_REACH = 10
    PREY_WITHOUT_AN_ATTACK = 11
    A_PARTNER_WITHOUT_A_SWAP = 12
    USEFUL_WITHOUT_A_USE = 13
    A_FORBIDDEN_ATTACK = 14


@kernel
def first_option_fault(states: np.ndarray, cards: Record, out: np.ndarray) -> tuple[int, int]:
    """Place of the first position in which something is wrong, and what; the number of positions and NONE if nothing is.

    states: (n,) STATE; out: (OPTIONS_MAX,) int32 scratch, overwritten.
    """
    for i in range(len(states)):
        if states[i]["phase"] == Phase.OVER:
            continue
        fault = list_fault(states[i], cards, out)
        for g in range(ALL):
            if fault == OptionFault.NONE and states[i]["card"][g] != NOBODY:
                fault = creature_fault(states[i], cards, np.int64(g), out)
        if fault != OptionFault.NONE:
            return i, fault
    return len(states), np.int64(OptionFault.NONE)


@kernel
def list_fault(state: Record, cards: Record, out: np.ndarray) -> int:
    """The decisions open, ascending and legal as far as a code shows it."""
    count = np.int64(legal_actions(state, cards, out))
    if not 1 <= count <= OPTIONS_MAX:
        return np.int64(OptionFault.NO_DECISION_OR_TOO_MANY)
    for i in range(1, count):
        if out[i] <= out[i - 1]:
            return np.int64(OptionFault.NOT_ASCENDING)
    if not 0 <= state["seat"] <= 1:
        return np.int64(OptionFault.NOBODY_DECIDES)
    return main_fault(state, cards, out, count) if state["phase"] == Phase.MAIN else np.int64(OptionFault.NONE)


@kernel
def main_fault(state: Record, cards: Record, out: np.ndarray, count: int) -> int:
    """RIFT-12, 22, 28. What is open in the main step is there and allowed, and every card allowed is open once."""
    seat, budget, playable = np.int64(state["active"]), budget_of(state, cards, np.int64(state["active"])), 0
    full = creatures_on(state, seat) == np.int64(cards["max_rows"]) * np.int64(cards["max_per_row"])
    for i in range(count):
        code = np.int64(out[i])
        if PLAY <= code < USE:
            card = np.int64(state["hand"][seat, code - PLAY])
            playable += copies_in_hand(state, seat, card)
            room = cards["kind"][card] != Kind.CREATURE or not full
            if code - PLAY >= state["hand_n"][seat] or cards["level"][card] > budget or not room:
                return np.int64(OptionFault.A_CARD_THAT_CANNOT_BE_PLAYED)
        elif USE <= code < WIELD:
            slot = code - USE
            if state["grid"][seat, slot // PER_ROW, slot % PER_ROW] == NOBODY:
                return np.int64(OptionFault.A_CREATURE_THAT_CAN_DO_NOTHING)
        elif code >= WIELD and (code >= WIELD + WEAPONS or state["weapon"][seat, code - WIELD] == NOBODY):
            return np.int64(OptionFault.A_WEAPON_THAT_IS_NOT_THERE)
    for at in range(np.int64(state["hand_n"][seat])):
        card = np.int64(state["hand"][seat, at])
        playable -= cards["level"][card] <= budget and (cards["kind"][card] != Kind.CREATURE or not full)
    return np.int64(OptionFault.NONE if playable == 0 else OptionFault.A_CARD_LISTED_TWICE_OR_NOT)


@kernel
def creatures_on(state: Record, seat: int) -> np.int64:
    """Creatures of a side, counted by their cards."""
    count = np.int64(0)
    for g in range(seat * CREATURES, seat * CREATURES + CREATURES):
        count += state["card"][g] != NOBODY
    return count


@kernel
def copies_in_hand(state: Record, seat: int, card: int) -> np.int64:
    """Copies of a card in a hand."""
    count = np.int64(0)
    for at in range(np.int64(state["hand_n"][seat])):
        count += state["hand"][seat, at] == card
    return count


@kernel
def creature_fault(state: Record, cards: Record, g: int, out: np.ndarray) -> int:
    """RIFT-13 to 15, 34, 37, 40, 42. What one creature could do, had it the turn, looked up in both ways."""
    if friends_by_place(state, g) != friends_by_distance(state, g):
        return np.int64(OptionFault.FRIENDS_BESIDE_NOT_THOSE_AT_DISTANCE_1)
    if np.int64(enemies_beside(state, cards, g)) != enemies_adjacent(state, cards, g):
        return np.int64(OptionFault.OPPORTUNITIES_NOT_BY_THOSE_ADJACENT)
    attacks = np.int64(list_attacks(state, cards, g, out, np.int64(0)))
    if codes_in(out, np.int64(0), attacks) != prey_of(state, cards, g):
        return np.int64(OptionFault.ATTACKS_NOT_THOSE_IN_REACH)
    if (attacks > 0) != has_prey(state, cards, g):
        return np.int64(OptionFault.PREY_WITHOUT_AN_ATTACK)
    partners = np.int64(0)
    for other in range(ALL):
        if state["card"][other] != NOBODY and side_of(other) == side_of(g):
            partners += can_swap(state, g, np.int64(other))
    if (partners > 0) != has_partner(state, g):
        return np.int64(OptionFault.A_PARTNER_WITHOUT_A_SWAP)
    return uses_fault(state, cards, g, out, (partners, attacks))


@kernel
def uses_fault(state: Record, cards: Record, g: int, out: np.ndarray, most: tuple[int, int]) -> int:
    """RIFT-13 to 15, 41, 45. The uses listed are those that it has. most: friends to swap with, targets in reach."""
    partners, attacks = most
    uses = np.int64(list_uses(state, cards, g, out))
    if (uses > 0) != is_useful(state, cards, g):
        return np.int64(OptionFault.USEFUL_WITHOUT_A_USE)
    swaps, strikes = np.int64(0), np.int64(0)
    for i in range(uses):
        swaps += out[i] < ATTACK
        strikes += ATTACK <= out[i] <= ATTACK_PLAYER
    if swaps != (partners if can_move(state, g) else 0) or (uses > swaps and not can_act(state, g)):
        return np.int64(OptionFault.A_FORBIDDEN_ATTACK)
    if strikes != (attacks if can_act(state, g) and can_attack(state, g) else 0):
        return np.int64(OptionFault.A_FORBIDDEN_ATTACK)
    return np.int64(OptionFault.NONE)


@kernel
def friends_by_place(state: Record, g: int) -> np.int64:
    """RIFT-34. Friends beside a creature by where they must stand, as bits."""
    found = np.int64(0)
    for number in range(BESIDE):
        other = beside(state, g, np.int64(number))
        if other != NOBODY:
            found |= np.int64(1) << other
    return found


@kernel
def friends_by_distance(state: Record, g: int) -> np.int64:
    """RIFT-34. Friends at distance 1, as bits."""
    found = np.int64(0)
    for other in range(ALL):
        if state["card"][other] != NOBODY and side_of(other) == side_of(g) and distance(state, g, np.int64(other)) == 1:
            found |= np.int64(1) << np.int64(other)
    return found


@kernel
def enemies_adjacent(state: Record, cards: Record, g: int) -> np.int64:
    """RIFT-34, 42. Adjacent enemies that would give an opportunity, as bits by their number on their side."""
    found, enemy = np.int64(0), 1 - side_of(g)
    for k in range(CREATURES):
        other = np.int64(enemy * CREATURES + k)
        if state["card"][other] == NOBODY or power(state, other, Ability.DORMANT) > 0:
            continue
        if are_adjacent(state, cards, g, other):
            found |= np.int64(1) << np.int64(k)
    return found


@kernel
def prey_of(state: Record, cards: Record, g: int) -> np.int64:
    """RIFT-37. Codes of all legal attack targets, as bits."""
    found = np.int64(0)
    for other in range(ALL):
        if state["card"][other] == NOBODY or side_of(other) == side_of(g):
            continue
        if reach(state, cards, g, np.int64(other)) != Reach.NONE:
            found |= np.int64(1) << (ATTACK + code_of(state, side_of(other), np.int64(other)))
    if reach_player(state, cards, g) != Reach.NONE:
        found |= np.int64(1) << np.int64(ATTACK_PLAYER)
    return found


@kernel
def codes_in(out: np.ndarray, first: int, end: int) -> np.int64:
    """Codes in a part of a list, as bits; those that stand there twice or in no order as -1."""
    found = np.int64(0)
    for i in range(first, end):
        if i > first and out[i] <= out[i - 1]:
            return np.int64(-1)
        found |= np.int64(1) << np.int64(out[i])
    return found


def check(states: np.ndarray, cards: CardSet) -> None:
    """Hold positions to all that can be seen in one of them. states: (n,) STATE. Raises AssertionError with the fault."""
    record = cards.record[0]
    assert_no_fault(states, CardFault, *first_card_fault(states, record, np.zeros(CARDS_MAX, np.int32)))
    assert_no_fault(states, TableFault, *first_table_fault(states, record, np.zeros(1, STATE)))
    assert_no_fault(states, OptionFault, *first_option_fault(states, record, np.zeros(OPTIONS_MAX, np.int32)))


def check_steps(states: np.ndarray, cards: CardSet) -> None:
    """Check the positions of one game, in their order: each must be able to follow the one before."""
    record = cards.record[0]
    grants = ((record["op"] == Op.GRANT) & (record["granted"] == Ability.UNDEATH)).any()
    assert_no_fault(states, StepFault, *first_step_fault(states, int(grants)))
    assert not fallen(states), f"fell, or changed after they were set: {fallen(states)}"


def assert_no_fault(states: np.ndarray, faults: type, place: int, fault: int) -> None:
    """Nothing if nothing is wrong. Raises AssertionError with fault, place and moment."""
    if fault:
        state = states[place]
        where = f"position {place}, turn {state['turn']}, phase {state['phase']}, active {state['active']}"
        raise AssertionError(f"{faults(fault).name} at {where}")
