"""Decisions: which seat decides, what its options are, and what its choice does (ARENA-05, 13, 30 to 36, 77, 79)."""

import numpy as np

from sim.engine.jit import Record, bit_count, kernel, lowest_bit, without_lowest
from sim.games.arena.cards import ABILITIES, DIRECTIONS, REACH, Kind, PassAbility
from sim.games.arena.rules import turn
from sim.games.arena.setup import choose_start
from sim.games.arena.state import EMPTY, NO_TARGET, OPTIONS, PASS, PIECES, STOP_SUMMON, TARGET_CODES, Phase, bit_of, put

_ONE, _NONE = np.uint64(1), np.uint64(0)
PARTS, PART_BITS = 3, 31  # of a set in `count_options`
_PART = np.uint64((1 << PART_BITS) - 1)


@kernel
def current_player(state: Record) -> int:
    """Seat that decides: the active one, except for the path of a slanted push, which `ask_step` assigns to a seat."""
    return state["chooser"] if state["phase"] == Phase.STEP else state["active"]


@kernel
def is_over(state: Record) -> bool:
    """ARENA-81. Whether one hero is left."""
    return state["phase"] == Phase.OVER


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Write the options of the open decision into `out`, of length OPTIONS_MAX; returns their number.

    Whatever stands in `out` behind the options is overwritten.
    """
    phase, seat = state["phase"], state["active"]
    hero, ability = state["hero"][seat], state["ability"]
    if phase == Phase.MOVE:
        return turn.reach(state, cards, seat, 0, max(0, cards["move"][hero] - state["slow"][seat]), out)
    if phase == Phase.ABILITY:
        return list_abilities(state, cards, out)
    if phase == Phase.STEP:
        out[0], out[1] = state["step_a"], state["step_b"]
        return 2
    if phase == Phase.POST_MOVE:
        return turn.reach(state, cards, seat, 0, cards["move_after"][hero, ability], out)
    if phase == Phase.PRE_MOVE:
        return turn.reach_to_attack(state, cards, ability, state["target"], out)
    if phase == Phase.RAGE:
        return list_payments(state, cards, out)
    if phase == Phase.SUMMON:
        return list_placements(state, cards, out)
    return list_starts(state, cards, out)


@kernel
def count_options(state: Record, cards: Record, out: np.ndarray) -> int:
    """Number of options; `out` is for `nth_option` only."""
    phase, seat = state["phase"], np.int64(state["active"])
    if phase not in (Phase.MOVE, Phase.POST_MOVE) or cards["words"] > 1:
        return legal_actions(state, cards, out)
    hero = state["hero"][seat]
    most = cards["move"][hero] - state["slow"][seat] if phase == Phase.MOVE else cards["move_after"][hero, state["ability"]]
    found = turn.reach_set(state, cards, seat, 0, max(0, most))
    for part in range(PARTS):  # 31 bits fit an int32
        out[part] = np.int64((found >> np.uint64(PART_BITS * part)) & _PART)
    return bit_count(found)


@kernel
def nth_option(state: Record, cards: Record, out: np.ndarray, n: int) -> int:
    """Option number `n` of `legal_actions`. out: as `count_options` left it."""
    phase = state["phase"]
    if phase not in (Phase.MOVE, Phase.POST_MOVE) or cards["words"] > 1:
        return int(out[n])
    found = _NONE
    for part in range(PARTS):
        found |= np.uint64(out[part]) << np.uint64(PART_BITS * part)
    return turn.nth_of_set(cards, state["pos"][state["active"]], found, n)


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Carry out a decision and everything that follows, up to the next decision."""
    phase, seat = state["phase"], state["active"]
    if phase == Phase.MOVE:
        put(state, seat, action)
        state["phase"] = Phase.ABILITY
    elif phase == Phase.ABILITY:
        turn.choose_ability(state, cards, action, rng)
    elif phase == Phase.STEP:
        turn.take_step(state, cards, action)
    elif phase == Phase.POST_MOVE:
        put(state, seat, action)
        turn.end_turn(state, cards)
    elif phase == Phase.PRE_MOVE:
        put(state, seat, action)
        turn.use_ability(state, cards, rng)
    elif phase == Phase.RAGE:
        turn.pay_rage(state, action)
        turn.roll_attack(state, cards, rng)
    elif phase == Phase.SUMMON:
        turn.place_dragonling(state, cards, action)
    elif phase == Phase.START:
        choose_start(state, cards, action)


@kernel
def list_starts(state: Record, cards: Record, out: np.ndarray) -> int:
    """ARENA-05. List the start hexes that are still free, by their index."""
    count = 0
    for start in range(cards["starts"]):
        if not state["start_taken"][start]:
            out[count] = start
            count += 1
    return count


@kernel
def list_abilities(state: Record, cards: Record, out: np.ndarray) -> int:
    """ARENA-13, 30. List passing, and each ability that can be used, with each of its targets."""
    hero = state["hero"][state["active"]]
    out[0] = PASS
    count = 1
    for ability in range(ABILITIES):
        code = 1 + TARGET_CODES * ability
        if cards["kind"][hero, ability] == Kind.UTILITY:
            if cards["summon_count"][hero, ability] == 0 or turn.may_summon(state, cards, ability):
                out[count] = code + NO_TARGET
                count += 1
        elif cards["kind"][hero, ability] == Kind.ATTACK:
            if cards["area"][hero, ability]:
                if has_neighbour(state, cards):
                    out[count] = code + NO_TARGET
                    count += 1
            else:
                count = list_targets(state, cards, ability, count, out)
    if count > 1 and cards["pass_ability"] == PassAbility.ONLY_IF_NONE:
        count -= 1
        out[0] = out[count]
    return count


@kernel
def list_targets(state: Record, cards: Record, ability: int, count: int, out: np.ndarray) -> int:
    """ARENA-32, 33, 36. Append an option for each piece that a single-target attack can reach; returns the new count."""
    if cards["words"] == 1:
        return list_targets_in_sets(state, cards, ability, count, out)
    user = state["active"]
    hero = state["hero"][user]
    stands, places = 1, out[OPTIONS:]
    places[0] = state["pos"][user]
    if cards["move_before_max"][hero, ability]:
        least, most = cards["move_before_min"][hero, ability], cards["move_before_max"][hero, ability]
        stands = turn.reach(state, cards, user, least, most, places)
    for piece in range(PIECES):
        goal = state["pos"][piece]
        if goal >= 0 and piece != user and any_in_range(cards, goal, cards["range"][hero, ability], places, stands):
            out[count] = 1 + TARGET_CODES * ability + piece
            count += 1
    return count


@kernel
def list_targets_in_sets(state: Record, cards: Record, ability: int, count: int, out: np.ndarray) -> int:
    """The same on a board of at most 64 hexes."""
    user = np.int64(state["active"])
    hero, here = state["hero"][user], np.int64(state["pos"][user])
    hexes, most = np.int64(cards["range"][hero, ability]), np.int64(cards["move_before_max"][hero, ability])
    own = bit_of(here)
    near = state["taken"][0] & cards["ball"][here, min(REACH, hexes + most), 0] & ~own
    if near == _NONE:
        return count
    stands = turn.reach_set(state, cards, user, cards["move_before_min"][hero, ability], most) if most > 0 else own
    pieces = _NONE
    while near != _NONE:
        goal = lowest_bit(near)
        near = without_lowest(near)
        if (cards["ball"][goal, hexes, 0] & stands) != _NONE:
            pieces |= _ONE << np.uint64(state["occ"][goal])
    while pieces != _NONE:
        out[count] = 1 + TARGET_CODES * ability + lowest_bit(pieces)
        pieces = without_lowest(pieces)
        count += 1
    return count


@kernel
def any_in_range(cards: Record, goal: int, hexes: int, places: np.ndarray, count: int) -> bool:
    """ARENA-32. Whether `goal` lies within `hexes` of any of places[0..count-1]."""
    for i in range(count):
        if cards["distance"][places[i], goal] <= hexes:
            return True
    return False


@kernel
def has_neighbour(state: Record, cards: Record) -> bool:
    """ARENA-70. Whether any piece stands next to the active hero."""
    if cards["words"] == 1:
        here = state["pos"][state["active"]]
        return (state["taken"][0] & cards["ball"][here, 1, 0] & ~bit_of(here)) != _NONE
    for direction in range(DIRECTIONS):
        place = cards["neighbour"][state["pos"][state["active"]], direction]
        if place >= 0 and state["occ"][place] != EMPTY:
            return True
    return False


@kernel
def list_payments(state: Record, cards: Record, out: np.ndarray) -> int:
    """ARENA-79. List how many rage tokens can be paid: 0 up to what the card allows and the hero has."""
    seat = state["active"]
    most = min(cards["rage_spend_max"][state["hero"][seat], state["ability"]], state["rage"][seat])
    for tokens in range(most + 1):
        out[tokens] = tokens
    return most + 1


@kernel
def list_placements(state: Record, cards: Record, out: np.ndarray) -> int:
    """ARENA-77. List the hexes for the next dragonling and, once one is placed, stopping."""
    count = turn.reach_to_summon(state, cards, state["ability"], out)
    if not state["summon_first"]:
        out[count] = STOP_SUMMON
        count += 1
    return count
