"""The attack, from the numbers rolled to the end of the ability (ARENA-31 (f) to (j), 40 to 48, 70 to 79).

Nothing here is random: hits and blocks are arguments or fields of the state. A slanted push can be interrupted by the
decision STEP; `settle` resumes it.
"""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.arena.cards import DIRECTIONS, KnockbackTrigger
from sim.games.arena.rules.knockback import begin_push, go_on_pulling, go_on_pushing, is_dragonling, push_straight, straight_to
from sim.games.arena.state import (
    DRAGONLING,
    EMPTY,
    NO_TARGET,
    PIECES,
    Cause,
    Zone,
    gain_rage,
    heroes_in_play,
    in_play,
    lift,
    user_of,
    zone_of,
)


@kernel
def name_targets(state: Record, cards: Record) -> None:
    """ARENA-70. List the pieces attacked: the single target, or all adjacent pieces clockwise from the north."""
    state["target_count"] = 0
    if state["target"] != NO_TARGET:
        add_target(state, state["target"])
        return
    here = np.uint64(state["pos"][np.uint64(state["active"])])
    for direction in range(DIRECTIONS):
        place = cards["neighbour"][here, direction]
        if place >= 0 and state["occ"][place] != EMPTY:
            add_target(state, state["occ"][place])


@kernel
def add_target(state: Record, piece: int) -> None:
    """Append a piece to the list of targets."""
    slot = np.uint64(state["target_count"])
    state["targets"][slot] = piece
    state["dealt"][slot] = 0
    state["blocked"][slot] = 0
    state["target_count"] += 1


@kernel
def attack_dice(state: Record, cards: Record) -> int:
    """ARENA-40, 76, 79. Number of attack dice: of the ability, for rage paid, and for dragonlings beside a single target."""
    _, hero, ability = user_of(state)
    if cards["auto_hit"][hero, ability] > 0:
        return 0
    dice = cards["attack"][hero, ability] + state["paid"] * cards["rage_spend_dice"][hero, ability]
    if state["target"] != NO_TARGET:
        dice += min(cards["ally_max"][hero], cards["ally_per"][hero] * allies_beside(state, cards, state["target"]))
    return dice


@kernel
def allies_beside(state: Record, cards: Record, target: int) -> int:
    """ARENA-76. Number of the user's dragonlings next to a target, the target itself excluded."""
    count = 0
    for direction in range(DIRECTIONS):
        place = cards["neighbour"][state["pos"][target], direction]
        if place >= 0:
            piece = state["occ"][place]
            count += is_dragonling(piece) and state["owner"][piece] == state["active"]
    return count


@kernel
def defence_dice(state: Record, cards: Record, target: int) -> int:
    """ARENA-40, 41. Number of a target's Defence dice."""
    _, hero, ability = user_of(state)
    if cards["no_defence_roll"][hero, ability]:
        return 0
    if is_dragonling(target):
        return cards["dragonling_defence"]
    piece = np.uint64(target)
    return cards["defence"][np.uint64(state["hero"][piece])] + state["protection"][piece]


@kernel
def is_displaced(cards: Record, hits: int, blocks: int) -> bool:
    """ARENA-42. Whether the roll displaces the target."""
    if cards["knockback_trigger"] == KnockbackTrigger.ALWAYS:
        return True
    if cards["knockback_trigger"] == KnockbackTrigger.ANY_HIT:
        return hits >= 1
    return hits > blocks


@kernel
def hexes_of(state: Record, cards: Record, target: int, damage: int) -> int:
    """ARENA-43 to 45. Number K of hexes by which a target is displaced; 0: not at all."""
    _, hero, ability = user_of(state)
    entry = cards["knockback"][hero, ability, zone_of(state, cards, target)]
    if entry == 0 or cards["pull"][hero, ability]:
        return entry
    hexes = entry + state["paid"] * cards["rage_spend_knockback"][hero, ability]
    if cards["knockback_plus_damage"]:
        hexes += damage
    if not is_dragonling(target):
        brace = cards["brace"][np.uint64(state["hero"][np.uint64(target)])]
        if brace > 0:
            hexes = max(1, hexes - brace)
    return hexes


@kernel
def strike(state: Record, cards: Record, slot: int, blocks: int) -> bool:
    """ARENA-31 (g). Resolve state["hits"] against a target's `blocks`. Returns False if a decision STEP interrupts it."""
    _, hero, ability = user_of(state)
    target, hits = state["targets"][slot], state["hits"]
    net = max(0, hits - blocks)
    damage = 0 if cards["no_damage"][hero, ability] or is_dragonling(target) else net
    state["blocked"][slot] = blocks
    state["dealt"][slot] = damage
    state["net_hit"] |= net > 0
    hexes = hexes_of(state, cards, target, damage) if is_displaced(cards, hits, blocks) else 0
    begin_push(state, cards, state["pos"][state["active"]], target, hexes)
    return settle(state, cards, slot)


@kernel
def settle(state: Record, cards: Record, slot: int) -> bool:
    """ARENA-48. Move the target, then apply damage, rage and slow. Returns False if a decision STEP interrupts it."""
    _, hero, ability = user_of(state)
    target = state["targets"][slot]
    ended = go_on_pulling(state, cards, target) if cards["pull"][hero, ability] else go_on_pushing(state, cards, target)
    if not ended:
        return False
    if not is_dragonling(target):
        hurt(state, cards, target, state["dealt"][slot])
        if state["hits"] > state["blocked"][slot] and in_play(state, target):
            state["slow"][target] = max(state["slow"][target], cards["slow"][hero, ability])
    return True


@kernel
def hurt(state: Record, cards: Record, target: int, damage: int) -> None:
    """ARENA-46, 47, 75. Deal damage to a hero after its push: its marker moves right, then it gains rage for being damaged."""
    if damage == 0 or not in_play(state, target):
        return
    hero = state["hero"][target]
    state["damage_dealt"][state["active"], state["ability"]] += damage
    state["damage_taken"][target] += damage
    spaces = 0
    for zone in range(Zone.RED + 1):
        spaces += cards["energy"][hero, zone]
    before = zone_of(state, cards, target)
    state["marker"][target] = min(state["marker"][target] + damage, spaces - 1)
    for zone in range(before + 1, zone_of(state, cards, target) + 1):
        state["zone_entry"][target, zone - 1] = state["turn"] + 1
    gain_rage(state, cards, target, cards["rage_when_damaged"][hero])


@kernel
def finish_attack(state: Record, cards: Record) -> None:
    """ARENA-31 (h) to (j). Reward the user for a hit, carry out retaliations, and clear away what fallen heroes leave."""
    reward_hit(state, cards)
    for slot in range(state["target_count"]):
        retaliate(state, cards, slot)
    clear_fallen(state)


@kernel
def reward_hit(state: Record, cards: Record) -> None:
    """ARENA-31 (h), 48, 75. Count the attack. If any target had a net hit, the user gains rage, once."""
    user, hero, ability = user_of(state)
    state["attacks"][user] += 1
    if state["net_hit"]:
        state["landed"][user] += 1
        gain_rage(state, cards, state["active"], cards["rage_on_hit"][hero, ability])


@kernel
def retaliate(state: Record, cards: Record, slot: int) -> None:
    """ARENA-73. A target that was dealt no damage shoves an adjacent user straight away from itself."""
    user, target = state["active"], state["targets"][slot]
    if is_dragonling(target) or state["dealt"][slot] > 0 or not in_play(state, target) or not in_play(state, user):
        return
    hexes = cards["retaliate"][state["hero"][target]]
    if hexes > 0 and cards["distance"][state["pos"][user], state["pos"][target]] == 1:
        direction = straight_to(state, cards, target, user)
        push_straight(state, cards, user, direction, hexes, Cause.RETALIATION, target)


@kernel
def clear_fallen(state: Record) -> None:
    """ARENA-31 (j), 64, 75, 82. Remove the dragonlings and rage of fallen heroes and give the heroes their places."""
    place = 1 + heroes_in_play(state)
    if place > state["seats"]:
        return
    for seat in range(state["seats"]):
        if in_play(state, seat) or state["place"][seat] > 0:
            continue
        state["place"][seat] = place
        state["rage"][seat] = 0
        state["slow"][seat] = 0
        state["protection"][seat] = 0
        for piece in range(DRAGONLING, PIECES):
            if state["owner"][piece] == seat:
                lift(state, piece)
    if place == 2:  # one hero is left (ARENA-81)
        for seat in range(state["seats"]):
            if in_play(state, seat):
                state["place"][seat] = 1


@kernel
def resolve_attack(state: Record, cards: Record, hits: int, blocks: np.ndarray) -> bool:
    """Resolve an attack with given hits and blocks, after `name_targets`. Returns False if a decision STEP interrupts it.

    hits: of the attack roll, 0..12. blocks: of each target in order, int (TARGETS,). The state holds the ability, its target
    and the rage paid. Only a single target can be pushed at a slant, so an area attack is never interrupted.
    """
    state["hits"] = hits
    state["net_hit"] = 0
    for slot in range(state["target_count"]):
        if not strike(state, cards, slot, blocks[slot]):
            return False
    finish_attack(state, cards)
    return True
