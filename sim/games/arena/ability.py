"""Using an ability (ARENA-30 to 38, 70 to 79): from its choice through chance to the end of the turn."""

from sim.engine.dice import roll_hits
from sim.engine.jit import Record, kernel
from sim.games.arena.phases import end_turn
from sim.games.arena.push import pull_step, push_step
from sim.games.arena.reach import may_summon
from sim.games.arena.record import Kind, OfflineChooser
from sim.games.arena.resolve import attack_dice, defence_dice, finish_attack, name_targets, resolve_attack, settle
from sim.games.arena.state import (
    DRAGONLING,
    PASS,
    STOP_SUMMON,
    TARGET_CODES,
    Draw,
    Phase,
    gain_rage,
    heroes_in_play,
    in_play,
    put,
    zone_of,
)


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
