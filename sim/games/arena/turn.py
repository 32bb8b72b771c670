"""Turns and decisions (ARENA-05, 10 to 16, 30 to 38): what is open to whom, and what a decision leads to."""

import numpy as np

from sim.engine.dice import roll_hits
from sim.engine.jit import Record, kernel
from sim.games.arena.board import DIRECTIONS
from sim.games.arena.push import pull_step, push_step
from sim.games.arena.reach import reach, reach_to_attack, reach_to_summon
from sim.games.arena.record import ABILITIES, Kind, OfflineChooser, PassAbility
from sim.games.arena.resolve import (
    attack_dice,
    defence_dice,
    finish_attack,
    name_targets,
    resolve_attack,
    settle,
)
from sim.games.arena.state import (
    DRAGONLING,
    EMPTY,
    NO_TARGET,
    OPTIONS,
    PASS,
    PIECES,
    SEATS,
    STOP_SUMMON,
    TARGET_CODES,
    Draw,
    Phase,
    Zone,
    dragonlings_of,
    gain_rage,
    heroes_in_play,
    in_play,
    pool_left,
    put,
    zone_of,
)


@kernel
def to_act(state: Record) -> int:
    """Seat that decides: the active one, but for the path of a slanted push, whose chooser `ask_step` has noted."""
    return state["chooser"] if state["phase"] == Phase.STEP else state["active"]


@kernel
def is_over(state: Record) -> bool:
    """ARENA-81. One hero is left."""
    return state["phase"] == Phase.OVER


# ---- what is open ------------------------------------------------------------------------------------------------------


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Register section 5. List the options of the decision at hand; `out` has room for hexes behind the options."""
    phase, seat = state["phase"], state["active"]
    hero, ability = state["hero"][seat], state["ability"]
    if phase == Phase.MOVE:
        return reach(state, cards, seat, 0, max(0, cards["move"][hero] - state["slow"][seat]), out)
    if phase == Phase.ABILITY:
        return list_abilities(state, cards, out)
    if phase == Phase.STEP:
        out[0], out[1] = state["step_a"], state["step_b"]
        return 2
    if phase == Phase.POST_MOVE:
        return reach(state, cards, seat, 0, cards["move_after"][hero, ability], out)
    if phase == Phase.PRE_MOVE:
        return reach_to_attack(state, cards, ability, state["target"], out)
    if phase == Phase.RAGE:
        return list_payments(state, cards, out)
    if phase == Phase.SUMMON:
        return list_placements(state, cards, out)
    return list_starts(state, cards, out)


@kernel
def list_starts(state: Record, cards: Record, out: np.ndarray) -> int:
    """ARENA-05. Start hexes that are still free, by index."""
    count = 0
    for start in range(cards["starts"]):
        if not state["start_taken"][start]:
            out[count] = start
            count += 1
    return count


@kernel
def list_abilities(state: Record, cards: Record, out: np.ndarray) -> int:
    """ARENA-13, 30. To pass, and each ability that can be used with each of its targets."""
    hero = state["hero"][state["active"]]
    out[0] = PASS
    count = 1
    for ability in range(ABILITIES):
        code = 1 + TARGET_CODES * ability
        if cards["kind"][hero, ability] == Kind.UTILITY:
            if cards["summon_count"][hero, ability] == 0 or may_summon(state, cards, ability, out):
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
    """ARENA-32, 33, 36. Append one option per piece that a single-target attack may be aimed at; returns the new count."""
    user = state["active"]
    hero = state["hero"][user]
    stands, places = 1, out[OPTIONS:]
    places[0] = state["pos"][user]
    if cards["has_move_before"][hero, ability]:
        least, most = cards["move_before_min"][hero, ability], cards["move_before_max"][hero, ability]
        stands = reach(state, cards, user, least, most, places)
    for piece in range(PIECES):
        goal = state["pos"][piece]
        if goal >= 0 and piece != user and any_in_range(cards, goal, cards["range"][hero, ability], places, stands):
            out[count] = 1 + TARGET_CODES * ability + piece
            count += 1
    return count


@kernel
def any_in_range(cards: Record, goal: int, hexes: int, places: np.ndarray, count: int) -> bool:
    """ARENA-32. Whether `goal` lies within `hexes` of one of places[0..count-1]."""
    for i in range(count):
        if cards["distance"][places[i], goal] <= hexes:
            return True
    return False


@kernel
def has_neighbour(state: Record, cards: Record) -> bool:
    """ARENA-70. Whether any piece stands next to the active hero."""
    for direction in range(DIRECTIONS):
        place = cards["neighbour"][state["pos"][state["active"]], direction]
        if place >= 0 and state["occ"][place] != EMPTY:
            return True
    return False


@kernel
def may_summon(state: Record, cards: Record, ability: int, out: np.ndarray) -> bool:
    """ARENA-35, 77. Whether a dragonling can be placed. out: overwritten behind the options."""
    seat = state["active"]
    if pool_left(state, cards) < 1 or dragonlings_of(state, seat) >= cards["dragonling_cap"][state["hero"][seat]]:
        return False
    return reach_to_summon(state, cards, ability, out[OPTIONS:]) > 0


@kernel
def list_payments(state: Record, cards: Record, out: np.ndarray) -> int:
    """ARENA-79. Tokens of rage that may be paid: 0 up to what the card and the stock allow."""
    seat = state["active"]
    most = min(cards["rage_spend_max"][state["hero"][seat], state["ability"]], state["rage"][seat])
    for tokens in range(most + 1):
        out[tokens] = tokens
    return most + 1


@kernel
def list_placements(state: Record, cards: Record, out: np.ndarray) -> int:
    """ARENA-77. Hexes for the next dragonling, and to stop once one is placed."""
    count = reach_to_summon(state, cards, state["ability"], out)
    if not state["summon_first"]:
        out[count] = STOP_SUMMON
        count += 1
    return count


# ---- what a decision leads to ------------------------------------------------------------------------------------------


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Carry a decision out, up to the next one: the only branch on what is decided."""
    phase, seat = state["phase"], state["active"]
    if phase == Phase.MOVE:
        put(state, seat, action)
        state["phase"] = Phase.ABILITY
    elif phase == Phase.ABILITY:
        choose_ability(state, cards, action, rng)
    elif phase == Phase.STEP:
        take_step(state, cards, action)
    elif phase == Phase.POST_MOVE:
        put(state, seat, action)
        end_turn(state, cards)
    elif phase == Phase.PRE_MOVE:
        put(state, seat, action)
        use_ability(state, cards, rng)
    elif phase == Phase.RAGE:
        pay_rage(state, action)
        roll_attack(state, cards, rng)
    elif phase == Phase.SUMMON:
        place_dragonling(state, cards, action)
    elif phase == Phase.START:
        choose_start(state, cards, action)


@kernel
def choose_start(state: Record, cards: Record, start: int) -> None:
    """ARENA-05. Place the hero; then the next seat does, or the first turn begins."""
    take_start(state, cards, state["active"], start)
    following = (state["active"] + 1) % state["seats"]
    if following == state["first"]:
        begin_turn(state, following)
    else:
        state["active"] = following


@kernel
def take_start(state: Record, cards: Record, seat: int, start: int) -> None:
    """ARENA-05. Place a hero on a free start hex. start: index in `starts`."""
    state["start_taken"][start] = 1
    put(state, seat, cards["start_hex"][start])


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


@kernel
def choose_ability(state: Record, cards: Record, action: int, rng: Record) -> None:
    """ARENA-13, 30. Pass, or begin to use an ability on a target."""
    seat = state["active"]
    if action == PASS:
        state["passes"][seat] += 1
        end_turn(state, cards)
        return
    state["ability"] = (action - 1) // TARGET_CODES
    state["target"] = (action - 1) % TARGET_CODES
    state["paid"] = 0
    state["uses"][seat, state["ability"]] += 1
    if cards["has_move_before"][state["hero"][seat], state["ability"]]:
        state["phase"] = Phase.PRE_MOVE
    else:
        use_ability(state, cards, rng)


@kernel
def use_ability(state: Record, cards: Record, rng: Record) -> None:
    """ARENA-31 (c) to (e). Swap, effects on oneself, summoning or rage to be paid; an attack is then rolled."""
    seat, ability = state["active"], state["ability"]
    hero = state["hero"][seat]
    if cards["swap"][hero, ability]:
        swap_places(state, seat, state["target"])
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
    """ARENA-74, 75. Protection, recovery within the zone, and rage for use."""
    seat, ability = state["active"], state["ability"]
    hero = state["hero"][seat]
    state["protection"][seat] = max(state["protection"][seat], cards["self_defence"][hero, ability])
    zone_begin = 0
    for zone in range(zone_of(state, cards, seat)):
        zone_begin += cards["energy"][hero, zone]
    state["marker"][seat] = max(zone_begin, state["marker"][seat] - cards["recover"][hero, ability])
    gain_rage(state, cards, seat, cards["rage_on_use"][hero, ability])


@kernel
def go_on_summoning(state: Record, cards: Record) -> None:
    """ARENA-77. Ask for the next dragonling's hex if there may be one; else the utility and the turn are over."""
    seat, ability = state["active"], state["ability"]
    hero = state["hero"][seat]
    if (
        state["summon_left"] > 0
        and pool_left(state, cards) > 0
        and dragonlings_of(state, seat) < cards["dragonling_cap"][hero]
        and has_room(state, cards, state["pos"][seat], cards["summon_range"][hero, ability])
    ):
        state["phase"] = Phase.SUMMON
    else:
        end_turn(state, cards)


@kernel
def has_room(state: Record, cards: Record, here: int, hexes: int) -> bool:
    """Whether a free land hex lies within `hexes` of a hex."""
    for place in range(cards["hexes"]):
        if cards["distance"][here, place] <= hexes and state["occ"][place] == EMPTY:
            return True
    return False


@kernel
def place_dragonling(state: Record, cards: Record, action: int) -> None:
    """ARENA-77. Place a dragonling on a hex, or stop."""
    seat = state["active"]
    if action == STOP_SUMMON:
        end_turn(state, cards)
        return
    piece = DRAGONLING
    while state["pos"][piece] >= 0:  # the pool of 12 tokens leaves one of the 12 numbers free
        piece += 1
    state["owner"][piece] = seat
    put(state, piece, action)
    state["summoned"][seat] += 1
    state["summon_left"] -= 1
    state["summon_first"] = 0
    go_on_summoning(state, cards)


@kernel
def pay_rage(state: Record, tokens: int) -> None:
    """ARENA-79. Pay rage to the pool."""
    seat = state["active"]
    state["paid"] = tokens
    state["rage"][seat] -= tokens
    state["rage_spent"][seat] += tokens


@kernel
def roll_attack(state: Record, cards: Record, rng: Record) -> None:
    """ARENA-31 (f), (g), 40, 41. Roll the attack and each target's Defence, then resolve them."""
    seat = state["active"]
    name_targets(state, cards)
    hits = cards["auto_hit"][state["hero"][seat], state["ability"]]
    if hits == 0:
        hits = roll_hits(rng, seat, Draw.ATTACK, attack_dice(state, cards), cards["hit_faces"])
    for slot in range(state["target_count"]):
        target = state["targets"][slot]
        dice = defence_dice(state, cards, target)
        state["blocked"][slot] = roll_hits(rng, state["owner"][target], Draw.DEFENCE, dice, cards["block_faces"])
    if resolve_attack(state, cards, hits, state["blocked"]):
        leave_attack(state, cards)
    else:
        ask_step(state, cards)


@kernel
def ask_step(state: Record, cards: Record) -> None:
    """ARENA-55. The owner of the displaced piece chooses its path, or the user under `offline_chooser = attacker`."""
    state["phase"] = Phase.STEP
    state["chooser"] = state["owner"][state["target"]]
    if cards["offline_chooser"] == OfflineChooser.ATTACKER:
        state["chooser"] = state["active"]


@kernel
def take_step(state: Record, cards: Record, direction: int) -> None:
    """ARENA-55, 71. Carry out the chosen step of a slanted push or pull, and go on with it."""
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
    """ARENA-15, 31 (k), 38. After an attack: a move that the card or a passive gives, or the end of the turn."""
    seat = state["active"]
    again = cards["move_after"][state["hero"][seat], state["ability"]] > 0
    if again and in_play(state, seat) and heroes_in_play(state) > 1:
        state["phase"] = Phase.POST_MOVE
    else:
        end_turn(state, cards)
