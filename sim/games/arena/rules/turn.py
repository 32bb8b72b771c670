"""The turn: its course, movement by choice, and the use of an ability up to its roll (ARENA-10 to 38, 72 to 79, 81)."""

import numpy as np

from sim.engine.dice import roll_hits
from sim.engine.jit import Record, bit_count, inlined, kernel, lowest_bit, nth_bit, without_lowest
from sim.games.arena.cards import DIRECTIONS, REACH, Kind, MoveMode, OfflineChooser
from sim.games.arena.rules.attack import attack_dice, defence_dice, finish_attack, name_targets, resolve_attack, settle
from sim.games.arena.rules.knockback import pull_step, push_step
from sim.games.arena.state import (
    DRAGONLING,
    EMPTY,
    PASS,
    SCRATCH,
    SEEN_WORDS,
    STOP_SUMMON,
    TARGET_CODES,
    WORD_SHIFT,
    Draw,
    Phase,
    Zone,
    bit_of,
    dragonlings_of,
    gain_rage,
    heroes_in_play,
    in_play,
    pool_left,
    put,
    user_of,
    zone_of,
)


@kernel
def begin_turn(state: Record, seat: int) -> None:
    """ARENA-11. A hero's turn begins: its own protection ends."""
    state["active"] = seat
    state["protection"][seat] = 0
    state["phase"] = Phase.MOVE


@kernel
def end_turn(state: Record, cards: Record) -> None:
    """ARENA-14, 81. End the turn. With one hero left the game is over; otherwise the next hero to the left begins its turn."""
    inlined()
    seat, seats, first = np.int64(state["active"]), np.int64(state["seats"]), np.int64(state["first"])
    note_turn(state, cards, seat)
    state["slow"][seat] = 0
    state["turn"] += 1
    if heroes_in_play(state) == 1:
        state["phase"] = Phase.OVER
        return
    following = seat
    while following == seat or not in_play(state, following):
        following += 1 - (seats if following + 1 == seats else 0)  # a division would take longer
    turn_order = following - first + (seats if following < first else 0)
    was = seat - first + (seats if seat < first else 0)
    state["round"] += turn_order < was
    begin_turn(state, following)


@kernel
def note_turn(state: Record, cards: Record, seat: int) -> None:
    """Record for the outcome which zone the hero is in and how far from the water it stands at the end of its turn."""
    state["own_turns"][seat] += 1
    if not in_play(state, seat):
        return
    zone = zone_of(state, cards, seat)
    if zone > Zone.GREEN:
        state["zone_turns"][seat, zone - 1] += 1
    state["rim_distance"][seat] += cards["rim"][state["pos"][seat]]


_NONE = np.uint64(0)


@kernel
def reach(state: Record, cards: Record, seat: int, least: int, most: int, out: np.ndarray) -> int:
    """ARENA-20 to 23. List the hexes that a hero can move to in `least`..`most` steps, counted by its mode.

    Writes hex ids into `out`, nearest first, ties by id, its own hex first if `least` is 0; returns their number.
    Overwrites `out` from index SCRATCH on.
    """
    if cards["words"] == 1:
        return write_set(cards, state["pos"][seat], reach_set(state, cards, seat, least, most), most, out)
    start, mode = state["pos"][seat], cards["move_mode"][state["hero"][seat]]
    if mode == MoveMode.LEAP:
        return reach_leaping(state, cards, start, least, most, out)
    through = mode == MoveMode.GHOST
    if cards["roomy"] and (through or is_clear(state, cards, start, most - 1)):
        return reach_leaping(state, cards, start, least, most, out)  # nothing is in the way: the number of steps is the distance
    return reach_stepping(state, cards, start, through, least, most, out)


@kernel
def reach_set(state: Record, cards: Record, seat: int, least: int, most: int) -> np.uint64:
    """The same as a set, on a board of at most 64 hexes."""
    inlined()
    start, mode = np.int64(state["pos"][np.uint64(seat)]), cards["move_mode"][np.uint64(state["hero"][np.uint64(seat)])]
    own, free = bit_of(start), ~state["taken"][0]
    ball, around = cards["ball"], cards["ball"][np.uint64(start)]
    others = around[np.uint64(min(REACH, max(0, most - 1))), 0] & ~free & ~own
    if mode == MoveMode.LEAP or (cards["roomy"] and (mode == MoveMode.GHOST or others == _NONE)):
        places = around[np.uint64(min(REACH, most)), 0] & free
        return places | own if least == 0 else places & ~around[np.uint64(min(REACH, least - 1)), 0]
    passable = ~_NONE if mode == MoveMode.GHOST else free
    places, seen, edge = own if least == 0 else _NONE, own, own
    for step in range(1, most + 1):
        entered = _NONE
        while edge != _NONE:
            entered |= ball[np.uint64(lowest_bit(edge)), 1, 0]
            edge = without_lowest(edge)
        edge = entered & passable & ~seen
        seen |= edge
        if step >= least:
            places |= edge
    return places & (free | own)


@kernel
def write_set(cards: Record, start: int, places: np.uint64, most: int, out: np.ndarray) -> int:
    """List a set of hexes within `most` of a hex, nearest first, ties by id; returns their number."""
    count = 0
    for i in range(cards["near_count"][start, most]):
        place = cards["near"][start, i]
        out[count] = place
        count += bit_count(places & bit_of(place))  # a branch would be mispredicted
    return count


@kernel
def nth_of_set(cards: Record, start: int, places: np.uint64, most: int, n: int) -> int:
    """Hex that `write_set` would list as number `n`."""
    ball = cards["ball"][np.uint64(start)]
    hexes, nearer = 0, _NONE
    for less in range(min(REACH, most)):  # to the end, because nobody can predict where it is found
        within = places & ball[np.uint64(less), 0]
        if bit_count(within) <= n:
            hexes, nearer = less + 1, within
    return nth_bit(places & ball[np.uint64(hexes), 0] & ~nearer, n - bit_count(nearer))


@kernel
def is_clear(state: Record, cards: Record, start: int, hexes: int) -> bool:
    """Whether no other piece stands within `hexes` of a hex."""
    occ, near = state["occ"], cards["near"][start]
    for i in range(1, cards["near_count"][start, max(0, hexes)]):
        if occ[near[i]] != EMPTY:
            return False
    return True


@kernel
def reach_leaping(state: Record, cards: Record, start: int, least: int, most: int, out: np.ndarray) -> int:
    """ARENA-23. List the free land hexes at a distance of `least`..`most`, and the hero's own if `least` is 0."""
    occ, near = state["occ"], cards["near"][start]
    count, begin = 0, 1
    if least == 0:
        out[0] = start
        count = 1
    else:
        begin = cards["near_count"][start, least - 1]
    for i in range(begin, cards["near_count"][start, most]):
        if occ[near[i]] == EMPTY:
            out[count] = near[i]
            count += 1
    return count


@kernel
def reach_stepping(state: Record, cards: Record, start: int, through: bool, least: int, most: int, out: np.ndarray) -> int:
    """ARENA-22, 23. List hexes by a breadth-first search over land. With `through`, steps can pass occupied hexes."""
    seen, queue = state["seen"], out[SCRATCH:]
    queue[0] = start
    mark(seen, start)
    begin, end, near = 0, 1, 0  # queue[0..near-1] are nearer than `least`
    for step in range(1, most + 1):
        if step == least:
            near = end
        last = end
        for i in range(begin, last):
            end = spread(state, cards, queue, i, end, through)
        begin = last
    for i in range(near):
        unmark(seen, queue[i])
    count = 0
    for i in range(cards["near_count"][start, most]):
        place = cards["near"][start, i]
        if met(seen, place) and (state["occ"][place] == EMPTY or place == start):
            out[count] = place
            count += 1
    for i in range(SEEN_WORDS):
        seen[i] = 0
    return count


@kernel
def spread(state: Record, cards: Record, queue: np.ndarray, i: int, end: int, through: bool) -> int:
    """Append the neighbours of queue[i] that can be entered and were not visited before; returns the new end of the queue."""
    seen = state["seen"]
    for direction in range(DIRECTIONS):
        place = cards["neighbour"][queue[i], direction]
        if place >= 0 and (through or state["occ"][place] == EMPTY) and not met(seen, place):
            mark(seen, place)
            queue[end] = place
            end += 1
    return end


@kernel
def mark(seen: np.ndarray, place: int) -> None:
    """Set the bit of a hex."""
    seen[place >> WORD_SHIFT] |= bit_of(place)


@kernel
def unmark(seen: np.ndarray, place: int) -> None:
    """Clear the bit of a hex."""
    seen[place >> WORD_SHIFT] &= ~bit_of(place)


@kernel
def met(seen: np.ndarray, place: int) -> bool:
    """Whether the bit of a hex is set."""
    return (seen[place >> WORD_SHIFT] & bit_of(place)) != _NONE


@kernel
def reach_to_attack(state: Record, cards: Record, ability: int, target: int, out: np.ndarray) -> int:
    """ARENA-34. List the hexes that the active hero can step to before an attack, with `target` in range from there."""
    seat, goal = state["active"], state["pos"][target]
    hero = state["hero"][seat]
    least, most = cards["move_before_min"][hero, ability], cards["move_before_max"][hero, ability]
    reachable = reach(state, cards, seat, least, most, out)
    count = 0
    for i in range(reachable):
        if cards["distance"][out[i], goal] <= cards["range"][hero, ability]:
            out[count] = out[i]
            count += 1
    return count


@kernel
def reach_to_summon(state: Record, cards: Record, ability: int, out: np.ndarray) -> int:
    """ARENA-77. List the free land hexes within the range of a summoning ability of the active hero."""
    seat = state["active"]
    return reach_leaping(state, cards, state["pos"][seat], 1, cards["summon_range"][state["hero"][seat], ability], out)


@kernel
def may_summon(state: Record, cards: Record, ability: int) -> bool:
    """ARENA-35, 77. Whether the active hero can place a dragonling: the pool, its cap and a free hex allow it."""
    inlined()
    seat, hero, _ = user_of(state)
    if pool_left(state, cards) < 1 or dragonlings_of(state, state["active"]) >= cards["dragonling_cap"][hero]:
        return False
    return has_room(state, cards, state["pos"][seat], cards["summon_range"][hero, ability])


@kernel
def has_room(state: Record, cards: Record, here: int, hexes: int) -> bool:
    """Whether a free land hex lies within `hexes` of a hex."""
    if cards["words"] == 1:
        return (cards["ball"][here, hexes, 0] & ~state["taken"][0]) != _NONE
    for place in range(cards["hexes"]):
        if cards["distance"][here, place] <= hexes and state["occ"][place] == EMPTY:
            return True
    return False


@kernel
def choose_ability(state: Record, cards: Record, action: int, rng: Record) -> None:
    """ARENA-13, 30. Pass, or start to use an ability on a target."""
    seat, hero, _ = user_of(state)
    if action == PASS:
        state["passes"][seat] += 1
        end_turn(state, cards)
        return
    code = np.uint64(action - 1)  # unsigned, because a signed division rounds down with more work
    ability = code // np.uint64(TARGET_CODES)
    state["ability"] = ability
    state["target"] = code % np.uint64(TARGET_CODES)
    state["paid"] = 0
    state["uses"][seat, ability] += 1
    if cards["move_before_max"][hero, ability]:
        state["phase"] = Phase.PRE_MOVE
    else:
        use_ability(state, cards, rng)


@kernel
def use_ability(state: Record, cards: Record, rng: Record) -> None:
    """ARENA-31 (c) to (e). Swap and apply effects on the user; then ask for a dragonling's hex or for rage, or roll."""
    inlined()
    seat, hero, ability = user_of(state)
    if cards["swap"][hero, ability]:
        swap_places(state, state["active"], state["target"])
    help_oneself(state, cards)
    if cards["kind"][hero, ability] == Kind.UTILITY:
        state["summon_left"] = cards["summon_count"][hero, ability]
        state["summon_first"] = 1
        go_on_summoning(state, cards)
    elif cards["rage_spend_max"][hero, ability] > 0 and state["rage"][seat] > 0:
        state["phase"] = Phase.RAGE
    else:
        roll_attack(state, cards, rng)


@kernel
def swap_places(state: Record, piece: int, other: int) -> None:
    """ARENA-72. Two pieces exchange their hexes."""
    here, there = state["pos"][piece], state["pos"][other]
    state["pos"][piece], state["pos"][other] = there, here
    state["occ"][here], state["occ"][there] = other, piece


@kernel
def help_oneself(state: Record, cards: Record) -> None:
    """ARENA-74, 75. Apply the effects on the user: protection, recovery within the zone, and rage for use."""
    seat, hero, ability = user_of(state)
    state["protection"][seat] = max(state["protection"][seat], cards["self_defence"][hero, ability])
    zone_begin = 0
    for zone in range(zone_of(state, cards, state["active"])):
        zone_begin += cards["energy"][hero, zone]
    state["marker"][seat] = max(zone_begin, state["marker"][seat] - cards["recover"][hero, ability])
    gain_rage(state, cards, state["active"], cards["rage_on_use"][hero, ability])


@kernel
def go_on_summoning(state: Record, cards: Record) -> None:
    """ARENA-77. Ask for the hex of the next dragonling if one can be placed; otherwise end the turn."""
    if state["summon_left"] > 0 and may_summon(state, cards, state["ability"]):
        state["phase"] = Phase.SUMMON
    else:
        end_turn(state, cards)


@kernel
def place_dragonling(state: Record, cards: Record, action: int) -> None:
    """ARENA-77. Place a dragonling on a hex, or stop."""
    seat = state["active"]
    if action == STOP_SUMMON:
        end_turn(state, cards)
        return
    piece = DRAGONLING + lowest_bit(~state["standing"] >> np.uint64(DRAGONLING))  # a token in the pool means that one is free
    state["owner"][piece] = seat
    put(state, piece, action)
    state["summoned"][seat] += 1
    state["summon_left"] -= 1
    state["summon_first"] = 0
    go_on_summoning(state, cards)


@kernel
def pay_rage(state: Record, tokens: int) -> None:
    """ARENA-79. Pay rage tokens to the pool."""
    seat = state["active"]
    state["paid"] = tokens
    state["rage"][seat] -= tokens
    state["rage_spent"][seat] += tokens


@kernel
def roll_attack(state: Record, cards: Record, rng: Record) -> None:
    """ARENA-31 (f), (g), 40, 41. Roll the attack dice and each target's Defence dice, and resolve the attack."""
    inlined()
    _, hero, ability = user_of(state)
    name_targets(state, cards)
    hits = cards["auto_hit"][hero, ability]
    if hits == 0:
        hits = roll_hits(rng, state["active"], Draw.ATTACK, attack_dice(state, cards), cards["hit_faces"])
    for slot in range(state["target_count"]):
        target = state["targets"][slot]
        dice = defence_dice(state, cards, target)
        state["blocked"][slot] = roll_hits(rng, state["owner"][np.uint64(target)], Draw.DEFENCE, dice, cards["block_faces"])
    if resolve_attack(state, cards, hits, state["blocked"]):
        leave_attack(state, cards)
    else:
        ask_step(state, cards)


@kernel
def ask_step(state: Record, cards: Record) -> None:
    """ARENA-55. Ask the owner of the displaced piece for its path, or the user under `offline_chooser = attacker`."""
    state["phase"] = Phase.STEP
    state["chooser"] = state["owner"][state["target"]]
    if cards["offline_chooser"] == OfflineChooser.ATTACKER:
        state["chooser"] = state["active"]


@kernel
def take_step(state: Record, cards: Record, direction: int) -> None:
    """ARENA-55, 71. Carry out the chosen step of a slanted push or pull, and resume the attack."""
    state["steps"][state["chooser"]] += 1
    target = state["target"]
    if cards["pull"][state["hero"][state["active"]], state["ability"]]:
        pull_step(state, cards, target, direction)
    else:
        push_step(state, cards, target, direction)
    if not settle(state, cards, 0):
        ask_step(state, cards)
        return
    finish_attack(state, cards)
    leave_attack(state, cards)


@kernel
def leave_attack(state: Record, cards: Record) -> None:
    """ARENA-15, 31 (k), 38. After an attack, ask for the move that the card or a passive gives, or end the turn."""
    _, hero, ability = user_of(state)
    again = cards["move_after"][hero, ability] > 0
    if again and in_play(state, state["active"]) and heroes_in_play(state) > 1:
        state["phase"] = Phase.POST_MOVE
    else:
        end_turn(state, cards)
