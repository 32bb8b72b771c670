"""The combat core (ROGUE-42 to 55): one combat turn on a FIGHT record, in stages, without a map.

The game copies a player and the enemies around it into the record, plays a stage and copies back; duels play the same
stages one after the other. Dice are thrown in `throw_attack`, `strike`, `use_abilities` and `attack_back`; what they mean
is resolved by kernels that are handed the faces, so that every outcome can be followed as well as thrown.
"""

import numpy as np

from sim.engine.dice import roll
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.attack_odds import DICE_MAX
from sim.games.cardrogue.codes import Effect
from sim.games.cardrogue.draw import Draw
from sim.games.cardrogue.holding import has_face
from sim.games.cardrogue.record import DIE_FACES
from sim.games.cardrogue.state import FOES, NO_FOE
from sim.games.cardrogue.switches import ImpDodge, ParalysisInCombat, ShieldScope

NO_FACE = 0  # the set of no faces
NO_DIE = 0  # face of a die that is not thrown


@kernel
def throw_attack(fight: Record, rng: Record, seat: int) -> int:
    """ROGUE-43. Throw the attack; notes the faces in the record and returns the total of those that count."""
    total, owed, thrown, faces = 0, 1, 0, NO_FACE
    while owed > 0 and thrown < DICE_MAX:
        face = roll(rng, seat, Draw.ATTACK, DIE_FACES)
        thrown += 1
        owed -= 1
        faces |= 1 << face
        if has_face(np.int64(fight["reroll_faces"]), face):
            owed += fight["reroll_dice"]
        else:
            total += face
    fight["faces"] = faces
    return total


@kernel
def damage_of(fight: Record, total: int) -> int:
    """ROGUE-44, 45, 91. Damage of an attack that threw `total`, at least 0; the faces are those of the record."""
    if fight["faces"] & fight["miss_faces"]:
        return 0
    least = fight["min_attack"]
    mod = fight["mod"] + (fight["rage"] if fight["health"] <= fight["rage_at_most"] else 0)
    return max(0, least, max(total, least) * fight["multiply"] + mod)


@kernel
def blocked_by(fight: Record, cards: Record, target: int) -> int:
    """ROGUE-45, A-15. Enemies that the faces of the attack on `target` stop, bits 1 << place."""
    if not fight["faces"] & fight["block_faces"]:
        return 0
    return 1 << target if cards["shield_scope"] == ShieldScope.ATTACKED else (1 << FOES) - 1


@kernel
def acts(fight: Record, place: int) -> bool:
    """ROGUE-49. Whether an enemy uses its ability and attacks: alive, not paralysed, not blocked, this player its target."""
    return (
        fight["type"][place] != NO_FOE
        and fight["attacks"][place] == 1
        and fight["foe_paralysed"][place] == 0
        and (fight["blocked"] >> place) & 1 == 0
    )


@kernel
def strike(fight: Record, cards: Record, target: int, rng: Record, seat: int) -> None:
    """ROGUE-42 to 46. Step 1: attack the enemy at place `target`."""
    damage = aim(fight, cards, target, throw_attack(fight, rng, seat))
    face = NO_DIE
    if may_dodge(fight, cards, target, damage):
        face = roll(rng, seat, Draw.DODGE, DIE_FACES)
    land(fight, cards, target, damage, face)


@kernel
def aim(fight: Record, cards: Record, target: int, total: int) -> int:
    """ROGUE-44, 45. Read an attack on `target` that threw `total` and the faces in the record; returns its damage."""
    fight["slain"], fight["dodged"], fight["dealt"] = 0, 0, 0
    fight["blocked"] = blocked_by(fight, cards, target)
    return damage_of(fight, total)


@kernel
def may_dodge(fight: Record, cards: Record, target: int, damage: int) -> bool:
    """ROGUE-46, A-12. Whether a die is thrown for the target to dodge an attack that was aimed at it."""
    if cards["dodge_faces"][fight["type"][target]] == NO_FACE or not acts(fight, target):
        return False
    return cards["imp_dodge"] == ImpDodge.ALWAYS or damage < fight["foe_health"][target]


@kernel
def land(fight: Record, cards: Record, target: int, damage: int, face: int) -> None:
    """ROGUE-46. An attack that was aimed does its damage unless it is dodged. face: of the die for that, or NO_DIE."""
    if has_face(np.int64(cards["dodge_faces"][fight["type"][target]]), face):
        fight["dodged"] = 1
        damage = 0
    wound(fight, target, damage)


@kernel
def wound(fight: Record, place: int, damage: int) -> None:
    """ROGUE-08, 47. An enemy loses health; at 0 it is slain and does nothing any more."""
    fight["dealt"] += min(damage, np.int64(fight["foe_health"][place]))
    fight["foe_health"][place] -= damage
    if fight["foe_health"][place] <= 0:
        fight["type"][place] = NO_FOE
        fight["slain"] |= 1 << place


@kernel
def run_poison(fight: Record) -> None:
    """ROGUE-48. Each enemy that this player poisoned loses 1 health."""
    fight["slain"], fight["dealt"] = 0, 0
    for place in range(FOES):
        if fight["type"][place] != NO_FOE and fight["foe_poison"][place] > 0:
            fight["foe_poison"][place] -= 1
            wound(fight, place, 1)


@kernel
def use_abilities(fight: Record, cards: Record, rng: Record, seat: int) -> bool:
    """ROGUE-49. Step 2, in the order of places. Returns whether step 3 follows (A-13)."""
    for place in range(FOES):
        if not acts(fight, place):
            continue
        face = NO_DIE
        if cards["status_effect"][fight["type"][place]] != Effect.NONE:
            face = roll(rng, seat, Draw.ABILITY, DIE_FACES)
        if not use_ability(fight, cards, place, face):
            return False
    return True


@kernel
def use_ability(fight: Record, cards: Record, place: int, face: int) -> bool:
    """ROGUE-49. One enemy heals, and with the right face poisons or paralyses. Returns whether the others follow (A-13).

    face: of the die for its ability, or NO_DIE.
    """
    kind = fight["type"][place]
    heal = cards["heal_each_turn"][kind]
    if heal > 0 and fight["foe_health"][place] < cards["health"][kind]:
        fight["foe_health"][place] = min(cards["health"][kind], fight["foe_health"][place] + heal)
    if not has_face(np.int64(cards["status_faces"][kind]), face):
        return True
    inflict(fight, np.int64(cards["status_effect"][kind]), np.int64(cards["status_turns"][kind]))
    paralysed = cards["status_effect"][kind] == Effect.PARALYZE
    return not paralysed or cards["paralysis_in_combat"] != ParalysisInCombat.TURN_LOST


@kernel
def inflict(fight: Record, effect: int, turns: int) -> None:
    """ROGUE-51, 52. Poison or paralyse the player; the larger counter stays."""
    if effect == Effect.POISON:
        fight["poison"] = max(fight["poison"], turns)
    elif effect == Effect.PARALYZE:
        fight["skip"] = max(fight["skip"], turns)


@kernel
def attack_back(fight: Record, cards: Record, rng: Record, seat: int) -> int:
    """ROGUE-50, 55. Step 3, in the order of places. Returns the place of the enemy that killed the player, NO_FOE: alive."""
    fight["taken"] = 0
    for place in range(FOES):
        if not acts(fight, place):
            continue
        face = NO_DIE
        if cards["attack_die"][fight["type"][place]] > 0:
            face = roll(rng, seat, Draw.STRENGTH, DIE_FACES)
        hit_back(fight, cards, place, face)
        if fight["health"] <= 0:
            return place
    return NO_FOE


@kernel
def hit_back(fight: Record, cards: Record, place: int, face: int) -> None:
    """ROGUE-50. One enemy attacks the player. face: of the die that its attack is made of, or NO_DIE."""
    kind = fight["type"][place]
    value = np.int64(cards["attack"][kind])
    if face != NO_DIE:
        value = np.int64(cards["attack_die"][kind]) * face
    loss = max(0, max(0, value + fight["foe_mod"][place]) - fight["armour"])
    fight["health"] -= loss
    fight["taken"] += loss


@kernel
def settle(fight: Record) -> None:
    """ROGUE-53. Paralysed enemies that would have acted have lost that turn."""
    for place in range(FOES):
        if fight["type"][place] != NO_FOE and fight["attacks"][place] == 1 and fight["foe_paralysed"][place] > 0:
            fight["foe_paralysed"][place] -= 1


@kernel
def sacrifice(health: int, max_health: int, at_most: int, heal: int) -> int:
    """ROGUE-93. Health after a kill: at `at_most` or less it rises by `heal`, never above the maximum."""
    if health > at_most or health >= max_health:
        return health
    return min(max_health, health + heal)
