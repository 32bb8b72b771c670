"""Decisions: which seat decides, what its options are, and what its choice does (ARENA-05, 13, 30 to 36, 77, 79)."""

import numpy as np

from sim.engine.jit import Record, bit_count, inlined, kernel, lowest_bit, nth_bit, without_lowest
from sim.games.arena.cards import ABILITIES, DIRECTIONS, Kind, PassAbility
from sim.games.arena.rules import turn
from sim.games.arena.setup import choose_start
from sim.games.arena.state import EMPTY, NO_TARGET, OPTIONS, PASS, PIECES, STOP_SUMMON, TARGET_CODES, Phase, bit_of, put, user_of

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
    if state["phase"] == Phase.ABILITY:
        return list_abilities(state, cards, out)
    if is_free_move(state):
        return turn.reach(state, cards, state["active"], 0, steps_of_move(state, cards), out)
    return list_others(state, cards, out)


@kernel
def is_free_move(state: Record) -> bool:
    """Whether the decision is the move before the ability or after the attack."""
    return state["phase"] == Phase.MOVE or state["phase"] == Phase.POST_MOVE


@kernel
def steps_of_move(state: Record, cards: Record) -> int:
    """ARENA-12, 38. Most steps of such a move."""
    seat, hero, ability = user_of(state)
    if state["phase"] == Phase.MOVE:
        return max(0, cards["move"][hero] - state["slow"][seat])
    return cards["move_after"][hero, ability]


@kernel
def list_others(state: Record, cards: Record, out: np.ndarray) -> int:
    """Write the options of any other decision than an ability and these moves."""
    phase = state["phase"]
    if phase == Phase.STEP:
        out[0], out[1] = state["step_a"], state["step_b"]
        return 2
    if phase == Phase.PRE_MOVE:
        return turn.reach_to_attack(state, cards, state["ability"], state["target"], out)
    if phase == Phase.RAGE:
        return list_payments(state, cards, out)
    if phase == Phase.SUMMON:
        return list_placements(state, cards, out)
    return list_starts(state, cards, out)


@kernel
def count_options(state: Record, cards: Record, out: np.ndarray) -> int:
    """Number of options; `out` is for `nth_option` only: it holds a set of hexes or abilities, or the list of other options."""
    if state["phase"] == Phase.ABILITY:
        codes = ability_set(state, cards, out)
        write_parts(codes, out)
        return count_abilities(cards, codes)
    if is_free_move(state):
        most = steps_of_move(state, cards)
        if cards["words"] > 1:
            return turn.reach(state, cards, state["active"], 0, most, out)
        places = turn.reach_set(state, cards, state["active"], 0, most)
        write_parts(places, out)
        return bit_count(places)
    return list_others(state, cards, out)


@kernel
def nth_option(state: Record, cards: Record, out: np.ndarray, n: int) -> int:
    """Option number `n` of `legal_actions`. out: as `count_options` left it."""
    if state["phase"] == Phase.ABILITY:
        return nth_ability(cards, read_parts(out), n)
    if is_free_move(state) and cards["words"] == 1:
        here, most = state["pos"][np.uint64(state["active"])], steps_of_move(state, cards)
        return turn.nth_of_set(cards, here, read_parts(out), most, n)
    return int(out[n])


@kernel
def write_parts(members: np.uint64, out: np.ndarray) -> None:
    """Keep a set in a list of int32, which has room for 31 bits each."""
    for part in range(PARTS):
        out[part] = np.int64((members >> np.uint64(PART_BITS * part)) & _PART)


@kernel
def read_parts(out: np.ndarray) -> np.uint64:
    """Set that `write_parts` kept."""
    members = _NONE
    for part in range(PARTS):
        members |= np.uint64(out[part]) << np.uint64(PART_BITS * part)
    return members


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
    codes = ability_set(state, cards, out)
    count = count_abilities(cards, codes)
    for n in range(count):
        out[n] = nth_ability(cards, codes, n)
    return count


@kernel
def count_abilities(cards: Record, codes: np.uint64) -> int:
    """Number of options of a set that `ability_set` returned."""
    count = bit_count(codes)
    return count - 1 if count > 1 and cards["pass_ability"] == PassAbility.ONLY_IF_NONE else count


@kernel
def nth_ability(cards: Record, codes: np.uint64, n: int) -> int:
    """Option number `n` of such a set, in ascending order. If passing is not allowed, the last one stands in its place."""
    if cards["pass_ability"] == PassAbility.ONLY_IF_NONE and n == 0:
        return nth_bit(codes, bit_count(codes) - 1)
    return nth_bit(codes, n)


@kernel
def ability_set(state: Record, cards: Record, out: np.ndarray) -> np.uint64:
    """ARENA-13, 30. Passing, and each ability that can be used, with each of its targets: a bit for each code.

    The code of passing is in it even if passing is not allowed. out: overwritten on a large board.
    """
    inlined()
    _, hero, _ = user_of(state)
    codes = _ONE << np.uint64(PASS)
    for ability in range(ABILITIES):
        targets = _NONE
        if cards["kind"][hero, ability] == Kind.UTILITY:
            if cards["summon_count"][hero, ability] == 0 or turn.may_summon(state, cards, ability):
                targets = _ONE << np.uint64(NO_TARGET)
        elif cards["kind"][hero, ability] == Kind.ATTACK:
            if not cards["area"][hero, ability]:
                targets = target_set(state, cards, ability, out)
            elif has_neighbour(state, cards):
                targets = _ONE << np.uint64(NO_TARGET)
        codes |= targets << np.uint64(1 + TARGET_CODES * ability)
    return np.uint64(codes)


@kernel
def target_set(state: Record, cards: Record, ability: int, out: np.ndarray) -> np.uint64:
    """ARENA-32, 33, 36. Pieces that a single-target attack can reach, a bit for each. out: overwritten on a large board."""
    inlined()
    if cards["words"] == 1:
        return near_set(state, cards, ability)
    user = state["active"]
    hero = state["hero"][user]
    stands, places = 1, out[OPTIONS:]
    places[0] = state["pos"][user]
    if cards["move_before_max"][hero, ability]:
        least, most = cards["move_before_min"][hero, ability], cards["move_before_max"][hero, ability]
        stands = turn.reach(state, cards, user, least, most, places)
    pieces = _NONE
    for piece in range(PIECES):
        goal = state["pos"][piece]
        if goal >= 0 and piece != user and any_in_range(cards, goal, cards["range"][hero, ability], places, stands):
            pieces |= _ONE << np.uint64(piece)
    return np.uint64(pieces)


@kernel
def near_set(state: Record, cards: Record, ability: int) -> np.uint64:
    """The same on a board of at most 64 hexes."""
    inlined()
    user, hero, _ = user_of(state)
    hexes, most = np.uint64(cards["range"][hero, np.uint64(ability)]), cards["move_before_max"][hero, np.uint64(ability)]
    stands = bit_of(state["pos"][user])
    if most > 0:
        stands = turn.reach_set(state, cards, state["active"], cards["move_before_min"][hero, np.uint64(ability)], most)
    left, pieces = state["standing"] & ~(_ONE << user), _NONE
    while left != _NONE:
        piece = np.uint64(lowest_bit(left))
        left = without_lowest(left)
        in_range = (cards["ball"][np.uint64(state["pos"][piece]), hexes, 0] & stands) != _NONE
        pieces |= np.uint64(in_range) << piece  # a branch would be mispredicted
    return np.uint64(pieces)


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
    inlined()
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
