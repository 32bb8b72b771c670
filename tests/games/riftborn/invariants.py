"""What holds in every position of play of Riftborn Tactics and from one to the next, beyond the invariants of any position.

`check` holds positions to the invariants of `sim.games.riftborn.position`, what was counted to what there is, and listed
decisions to the rules; `check_steps` compares each position of a game with the one before (invariants 3, 5, 7).
"""

from enum import IntEnum

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.jit import Record, bit_count, kernel
from sim.games.riftborn.actions import PLAY, USE, WIELD, legal_actions
from sim.games.riftborn.cards import LENDABLE, LEVELS, TRICKS, Ability, ClearPath, Kind, Op
from sim.games.riftborn.position import POSITION
from sim.games.riftborn.rules.attack import (
    ATTACK,
    ATTACK_PLAYER,
    attacks_of,
    can_act,
    can_attack,
    can_move,
    enemies_beside,
    has_partner,
    has_prey,
    is_useful,
    uses_of,
)
from sim.games.riftborn.rules.damage import rebuild
from sim.games.riftborn.rules.placement import (
    BESIDE,
    are_adjacent,
    aside,
    beside,
    distance,
    faces_player,
    in_contact,
    reach,
    reach_player,
)
from sim.games.riftborn.rules.players import budget_of
from sim.games.riftborn.state import (
    ALL,
    CREATURES,
    CURVE,
    DECK_MAX,
    FACTS,
    NOBODY,
    OPTIONS_MAX,
    PER_ROW,
    ROWS,
    SEATS,
    STATE,
    TOKENS_MAX,
    WEAPONS,
    Gain,
    Phase,
    Reach,
    code_bit,
    code_of,
    power,
    side_of,
    write_codes,
)

READ = 40  # positions of a game that are held to the invariants in plain Python
HELD_COUNTS = tuple(fact.name for fact in FACTS if fact.kind == "count" and not fact.derived)
COUNTERS = ("xp", "level", *HELD_COUNTS)  # these only grow; one that fell would have wrapped
ONCE = tuple(fact.name for fact in FACTS if fact.kind == "turn")  # these are set once, from 0
SIDE = np.arange(ALL) // CREATURES


def check(states: np.ndarray, cards: CardSet) -> None:
    """Hold positions of one game to all that can be seen in one of them. states: (n,) STATE. Raises AssertionError."""
    check_positions(states[sorted({*range(0, len(states), -(-len(states) // READ)), len(states) - 1})], cards)
    check_accounts(states, cards)
    check_options(states, cards)


def check_positions(states: np.ndarray, cards: CardSet) -> None:
    """The invariants of any position, from a file or from play."""
    for place, state in enumerate(states):
        assert POSITION.violations(state, cards) == [], f"position {place}, turn {state['turn']}, phase {state['phase']}"


def check_options(states: np.ndarray, cards: CardSet) -> None:
    """Listed decisions, and the geometry that they depend on. states: (n,) STATE."""
    place, fault = first_option_fault(states, cards.record[0], np.zeros(OPTIONS_MAX, np.int32), np.zeros(1, STATE))
    assert fault == OptionFault.NONE, f"{OptionFault(fault).name} at position {place}: {states[place]['phase']}"


def everywhere(right: np.ndarray, what: str) -> None:
    """Assert that something holds in all positions. right: (n, ...)."""
    wrong = np.argwhere(~right)
    assert len(wrong) == 0, f"{what} at position {wrong[0].tolist()}"


def belongings(states: np.ndarray, seat: int) -> np.ndarray:
    """Cards of a player in all places, sorted, NOBODY for empty places. states: (n,) STATE."""
    mine = states["active"] == seat
    places = [
        np.where(np.arange(DECK_MAX) < states[f"{pile}_n"][:, seat, None], states[pile][:, seat].astype(int), NOBODY)
        for pile in ("library", "hand", "discard", "removed")
    ]
    places += [states["weapon"][:, seat], states["armour"][:, seat], states["origin"][:, seat == SIDE]]
    places += [np.where(mine, states["spell"], NOBODY)[:, None]]
    places += [np.where(mine & (states["summon_card"] == NOBODY), states["entrant"], NOBODY)[:, None]]
    return np.sort(np.concatenate(places, axis=1))


def check_accounts(states: np.ndarray, cards: CardSet) -> None:
    """Invariants 1, 4 to 6. What was counted in a game of whole decks agrees with what there is. states: (n,) STATE."""
    record, xp, own_turns = cards.record[0], states["xp"], states["own_turns"].astype(int)
    for seat in range(SEATS):
        deck = states["deck"][0, seat]
        found = belongings(states, seat)
        whole = np.full(found.shape[1], NOBODY)
        whole[: record["deck_size"][deck]] = record["deck"][deck, : record["deck_size"][deck]]
        everywhere(found == np.sort(whole), f"1: cards of seat {seat} have come or gone")
    everywhere(states["gained"].sum(axis=2) == xp, "6: experience from nowhere")
    everywhere(states["gained"][:, :, Gain.TURN] == int(record["turn_xp"]) * own_turns, "6: experience not that of the turns")
    in_play = sum((states["tricks"] >> trick) & 1 for trick in range(1, TRICKS + 1))
    everywhere(states["fired"] + in_play <= states["laid"], "10: more TRICK cards fired than laid")
    everywhere(states["absorbed"] <= states["wounds"].sum(axis=2), "4: more absorbed than dealt")
    killed = states["kills"] > 0
    everywhere(killed == (states["first_kill_turn"] > 0), "a first kill without a kill")
    everywhere(killed | (states["first_kill"][:, None] != np.arange(SEATS)), "a first kill without a kill")
    drawn, plays, held = (states[name].astype(int) for name in ("drawn", "plays", "held"))
    noted = (drawn < TOKENS_MAX).all(axis=2)
    everywhere(((drawn - plays - held).sum(axis=2) == 0) | ~noted, "1: drawn is not played or held")
    for name in ("drawn", "played"):
        everywhere(((drawn if name == "drawn" else plays) > 0) == (states[f"{name}_turn"] > 0), "a turn of a card never there")
    everywhere((plays == 0) | (states["played_turn"] >= states["drawn_turn"]), "played before it was drawn")
    held_level = states["level_turn"][:, :, 1:]
    everywhere((held_level > 0) == (np.arange(1, LEVELS) < states["level"][:, :, None]), "5: levels never held")
    everywhere(held_level <= own_turns[:, :, None], "5: levels held in the future")
    everywhere((np.diff(held_level, axis=2) >= 0) | (held_level[:, :, 1:] == 0), "5: levels held in no order")
    check_curves(states, int(record["turn_cap"]))


def check_curves(states: np.ndarray, turn_cap: int) -> None:
    """RIFT-131. Curves reach to the last completed own turn. states: (n,) STATE."""
    going = (states["active"][:, None] == np.arange(SEATS)) & (states["first"] != NOBODY)[:, None]
    going &= ((states["turn"] < turn_cap) & (states["phase"] != Phase.OVER))[:, None]
    done = np.arange(CURVE) < (states["own_turns"] - going)[:, :, None]
    now, unused, level = states["xp_after"], states["unused_after"], states["level_after"]
    everywhere(done | ((now == -1) & (unused == -1)), "a curve of the future")
    rising = np.diff(now, axis=2, prepend=0) >= 0
    fair = rising & (now <= states["xp"][:, :, None]) & (states["played_after"] + states["killed_after"] <= now)
    fair &= (unused >= 0) & (level >= 1) & (level <= states["level"][:, :, None])
    everywhere(~done | fair, "a curve that cannot be")


def check_steps(states: np.ndarray, cards: CardSet) -> None:
    """Check the positions of one game, in their order: each must be able to follow the one before."""
    record, before, after = cards.record[0], states[:-1], states[1:]
    grants = ((record["op"] == Op.GRANT) & (record["granted"] == Ability.UNDEATH)).any()
    everywhere(np.isin(after["turn"] - before["turn"], (0, 1)), "the turn has jumped")
    everywhere((before["first"] == NOBODY) | (before["first"] == after["first"]), "the first player has changed")
    begins = after["own_turns"] > before["own_turns"]
    counted = np.where(begins, after["used_levels"] == 0, after["used_levels"] >= before["used_levels"])
    everywhere(counted, "levels played are forgotten")
    everywhere((before["xp_after"] == -1) | (before["xp_after"] == after["xp_after"]), "a curve has changed")
    played = (after["plays"].astype(int) - before["plays"]).sum(axis=2)
    plays = np.isin(before["phase"], (Phase.MAIN, Phase.HAND))[:, None] & (before["active"][:, None] == np.arange(SEATS))
    everywhere((played == 0) | ((played == 1) & plays), "a card played twice in a step")
    check_creature_steps(before, after, begins, grants=bool(grants))
    assert not fallen(states), f"fell, or changed after they were set: {fallen(states)}"


def check_creature_steps(before: np.ndarray, after: np.ndarray, begins: np.ndarray, *, grants: bool) -> None:
    """Invariants 3, 7. Only the creature in use loses a Move or Action, and only one that it has.

    begins: (n, SEATS), whether a turn of the seat begins; grants: whether cards of the file grant UNDEATH.
    """
    here, powers = after["card"] != NOBODY, before["ability"].copy()
    powers[:, :, :LENDABLE] = np.maximum(powers[:, :, :LENDABLE], before["lent"])
    acted, swapped = (here & (after[name] > before[name]) for name in ("acted", "swaps"))
    used = (before["user"][:, None] == np.arange(ALL)) & (before["active"][:, None] == SIDE)
    used &= (before["phase"] == Phase.CREATURE)[:, None]
    everywhere(used | ~(acted | swapped), "7: a Move or Action of another")
    late = (before["entered"] > 0) & (powers[:, :, Ability.HASTE] == 0)
    dormant, rooted = powers[:, :, Ability.DORMANT] > 0, powers[:, :, Ability.ROOTED] > 0
    everywhere(~(acted & (swapped | late | dormant)), "7: an Action of one that has none")
    single = after["swaps"] == before["swaps"] + 1
    within = after["swaps"] <= np.maximum(1, powers[:, :, Ability.DASH])
    everywhere(~swapped | (single & within & ~dormant & ~rooted), "7: a swap too many")
    quiet = (before["fired"].sum(axis=1) == after["fired"].sum(axis=1)) & (after["phase"] == Phase.MAIN)
    everywhere(~(here & begins[:, SIDE] & quiet[:, None] & (after["shield"] > 0)), "Shields outlive their turn")
    same = here & (before["card"] == after["card"])
    grown = after["ability"][:, :, Ability.UNDEATH] > before["ability"][:, :, Ability.UNDEATH]
    everywhere(~(same & grown) | grants, "3: UNDEATH has grown")


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
    DISTANCE_OR_CONTACT_NOT_MUTUAL = 15
    ADJACENT_WITHOUT_A_CLEAR_PATH = 16
    REACH_NOT_THE_SAME_IN_THE_MIRROR = 17


@kernel
def first_option_fault(states: np.ndarray, cards: Record, out: np.ndarray, mirror: np.ndarray) -> tuple[int, int]:
    """Place of the first position in which something is wrong, and what; the number of positions and NONE if nothing is.

    states: (n,) STATE; out: (OPTIONS_MAX,) int32, mirror: (1,) STATE, both overwritten.
    """
    for i in range(len(states)):
        if states[i]["phase"] == Phase.OVER:
            continue
        mirror[0] = states[i]
        fault = geometry_fault(states[i], cards, mirror[0])
        if fault == OptionFault.NONE:
            fault = list_fault(states[i], cards, out)
        for g in range(ALL):
            if fault == OptionFault.NONE and states[i]["card"][g] != NOBODY:
                fault = creature_fault(states[i], cards, g, out)
        if fault != OptionFault.NONE:
            return i, fault
    return len(states), OptionFault.NONE


@kernel
def list_fault(state: Record, cards: Record, out: np.ndarray) -> int:
    """The decisions open, ascending and legal as far as a code shows it."""
    count = legal_actions(state, cards, out)
    if not 1 <= count <= OPTIONS_MAX:
        return OptionFault.NO_DECISION_OR_TOO_MANY
    for i in range(1, count):
        if out[i] <= out[i - 1]:
            return OptionFault.NOT_ASCENDING
    if not 0 <= state["seat"] <= 1:
        return OptionFault.NOBODY_DECIDES
    return main_fault(state, cards, out, count) if state["phase"] == Phase.MAIN else OptionFault.NONE


@kernel
def main_fault(state: Record, cards: Record, out: np.ndarray, count: int) -> int:
    """RIFT-12, 22, 28. What is open in the main step is there and allowed, and every card allowed is open once."""
    seat, budget, playable = state["active"], budget_of(state, cards, state["active"]), 0
    full = creatures_on(state, seat) == cards["max_rows"] * cards["max_per_row"]
    for i in range(count):
        code = out[i]
        if PLAY <= code < USE:
            card = state["hand"][seat, code - PLAY]
            playable += copies_in_hand(state, seat, card)
            room = cards["kind"][card] != Kind.CREATURE or not full
            if code - PLAY >= state["hand_n"][seat] or cards["level"][card] > budget or not room:
                return OptionFault.A_CARD_THAT_CANNOT_BE_PLAYED
        elif USE <= code < WIELD:
            slot = code - USE
            if state["grid"][seat, slot // PER_ROW, slot % PER_ROW] == NOBODY:
                return OptionFault.A_CREATURE_THAT_CAN_DO_NOTHING
        elif code >= WIELD and (code >= WIELD + WEAPONS or state["weapon"][seat, code - WIELD] == NOBODY):
            return OptionFault.A_WEAPON_THAT_IS_NOT_THERE
    for at in range(state["hand_n"][seat]):
        card = state["hand"][seat, at]
        playable -= cards["level"][card] <= budget and (cards["kind"][card] != Kind.CREATURE or not full)
    return OptionFault.NONE if playable == 0 else OptionFault.A_CARD_LISTED_TWICE_OR_NOT


@kernel
def creatures_on(state: Record, seat: int) -> int:
    """Creatures of a side, counted by their cards."""
    count = 0
    for g in range(seat * CREATURES, seat * CREATURES + CREATURES):
        count += state["card"][g] != NOBODY
    return count


@kernel
def copies_in_hand(state: Record, seat: int, card: int) -> int:
    """Copies of a card in a hand."""
    count = 0
    for at in range(state["hand_n"][seat]):
        count += state["hand"][seat, at] == card
    return count


@kernel
def creature_fault(state: Record, cards: Record, g: int, out: np.ndarray) -> int:
    """RIFT-13 to 15, 34, 37, 40, 42. What one creature could do, had it the turn, looked up in both ways."""
    if friends_by_place(state, g) != friends_by_distance(state, g):
        return OptionFault.FRIENDS_BESIDE_NOT_THOSE_AT_DISTANCE_1
    if enemies_beside(state, cards, g) != enemies_adjacent(state, cards, g):
        return OptionFault.OPPORTUNITIES_NOT_BY_THOSE_ADJACENT
    found = attacks_of(state, cards, g)
    if found != prey_of(state, cards, g):
        return OptionFault.ATTACKS_NOT_THOSE_IN_REACH
    attacks = bit_count(found)
    if (attacks > 0) != has_prey(state, cards, g):
        return OptionFault.PREY_WITHOUT_AN_ATTACK
    partners = 0
    for other in range(ALL):
        if state["card"][other] != NOBODY and side_of(other) == side_of(g) and distance(state, g, other) == 1:
            partners += power(state, other, Ability.DORMANT) == 0
    if (partners > 0) != has_partner(state, g):
        return OptionFault.A_PARTNER_WITHOUT_A_SWAP
    return uses_fault(state, cards, g, out, (partners, attacks))


@kernel
def uses_fault(state: Record, cards: Record, g: int, out: np.ndarray, most: tuple[int, int]) -> int:
    """RIFT-13 to 15, 41, 45. The uses listed are those that it has. most: friends to swap with, targets in reach."""
    partners, attacks = most
    uses = write_codes(uses_of(state, cards, g), 0, out, 0)
    if (uses > 0) != is_useful(state, cards, g):
        return OptionFault.USEFUL_WITHOUT_A_USE
    swaps, strikes = 0, 0
    for i in range(uses):
        swaps += out[i] < ATTACK
        strikes += ATTACK <= out[i] <= ATTACK_PLAYER
    if swaps != (partners if can_move(state, g) else 0) or (uses > swaps and not can_act(state, g)):
        return OptionFault.A_FORBIDDEN_ATTACK
    if strikes != (attacks if can_act(state, g) and can_attack(state, g) else 0):
        return OptionFault.A_FORBIDDEN_ATTACK
    return OptionFault.NONE


@kernel
def friends_by_place(state: Record, g: int) -> int:
    """RIFT-34. Friends beside a creature by where they must stand, as bits."""
    found = 0
    for number in range(BESIDE):
        other = beside(state, g, number)
        if other != NOBODY:
            found |= 1 << other
    return found


@kernel
def friends_by_distance(state: Record, g: int) -> int:
    """RIFT-34. Friends at distance 1, as bits."""
    found = 0
    for other in range(ALL):
        if state["card"][other] != NOBODY and side_of(other) == side_of(g) and distance(state, g, other) == 1:
            found |= 1 << other
    return found


@kernel
def enemies_adjacent(state: Record, cards: Record, g: int) -> int:
    """RIFT-34, 42. Adjacent enemies that would give an opportunity, as bits by their number on their side."""
    found, enemy = 0, 1 - side_of(g)
    for k in range(CREATURES):
        other = enemy * CREATURES + k
        if state["card"][other] == NOBODY or power(state, other, Ability.DORMANT) > 0:
            continue
        if are_adjacent(state, cards, g, other):
            found |= 1 << k
    return found


@kernel
def prey_of(state: Record, cards: Record, g: int) -> np.uint64:
    """RIFT-37. Codes of all legal attack targets, as bits."""
    found = np.uint64(0)
    for other in range(ALL):
        if state["card"][other] != NOBODY and side_of(other) != side_of(g) and reach(state, cards, g, other) != Reach.NONE:
            found |= code_bit(ATTACK + code_of(state, side_of(other), other))
    if reach_player(state, cards, g) != Reach.NONE:
        found |= code_bit(ATTACK_PLAYER)
    return found


@kernel
def geometry_fault(state: Record, cards: Record, mirror: Record) -> int:
    """Invariant 8. What two enemies are to each other they are both, also with both ends of the table exchanged.

    mirror: a copy of the state, overwritten.
    """
    for seat in range(SEATS):
        for row in range(ROWS):
            length = state["row_len"][seat, row]
            for index in range(length):
                mirror["grid"][seat, row, index] = state["grid"][seat, row, length - 1 - index]
    rebuild(mirror, cards)
    for a in range(CREATURES):
        for b in range(CREATURES, ALL):
            if state["card"][a] != NOBODY and state["card"][b] != NOBODY:
                fault = pair_fault(state, cards, mirror, a, b)
                if fault != OptionFault.NONE:
                    return fault
    for g in range(ALL):
        if state["card"][g] != NOBODY and faces_player(state, g) != faces_player(mirror, g):
            return OptionFault.REACH_NOT_THE_SAME_IN_THE_MIRROR
    return OptionFault.NONE


@kernel
def pair_fault(state: Record, cards: Record, mirror: Record, a: int, b: int) -> int:
    """The same of two enemies."""
    touching = distance(state, a, b) == 1
    if distance(state, a, b) != distance(state, b, a) or in_contact(state, a, b) != in_contact(state, b, a):
        return OptionFault.DISTANCE_OR_CONTACT_NOT_MUTUAL
    if touching and cards["clear_path"] == ClearPath.HALF and not in_contact(state, a, b):
        return OptionFault.ADJACENT_WITHOUT_A_CLEAR_PATH
    here, there = reach(state, cards, a, b), reach(state, cards, b, a)
    same = here == reach(mirror, cards, a, b) and there == reach(mirror, cards, b, a)
    if not same or aside(state, a, b) != aside(mirror, a, b):
        return OptionFault.REACH_NOT_THE_SAME_IN_THE_MIRROR
    return OptionFault.NONE
