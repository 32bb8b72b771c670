"""Combat: one combat turn in stages, entering and leaving it, slain enemies, flight (ROGUE-21, 40 to 60, 68, 96, 103).

The stages and the rules of flight work on a FIGHT record, without a map. The game copies a player and the enemies around it into
the record, plays a stage and copies back; a duel plays the same stages. Dice are thrown by `throw_die`, `throw_within` and
`throw_attack`, which depend on the kind of dice: the game and simulated duels roll them, and `exact.chain` plays the same
turn once for every outcome.
"""

from typing import Any, NamedTuple

import numpy as np

from sim.engine.dice import DICE, roll
from sim.engine.jit import Record, kernel, record_type, verb
from sim.games.cardrogue.hidden import Draw
from sim.games.cardrogue.record import (
    DICE_MAX,
    DIE_FACES,
    SLOTS,
    BardSix,
    Category,
    Effect,
    EnemyRestore,
    ImpDodge,
    ParalysisInCombat,
    ResumeAfterFlip,
    ShieldScope,
)
from sim.games.cardrogue.rules import basics, tiles
from sim.games.cardrogue.rules.basics import heal, max_health
from sim.games.cardrogue.state import DIRECTIONS, FOES, MONSTER, NO_FOE, NOBODY, NOTHING, NOWHERE, SEATS, Death, Node, Step

# dice


class Throws(NamedTuple):
    """The kernels that throw one kind of dice."""

    die: Any  # see `throw_die`
    within: Any  # see `throw_within`
    attack: Any  # see `throw_attack`


_THROWS: dict[Any, Throws] = {}  # by dtype of the dice, and by its compiled type


def offer_dice(dice: np.dtype[Any], throws: Throws) -> None:
    """Make another kind of dice known, before a stage is compiled for it."""
    _THROWS[dice] = _THROWS[record_type(dice)] = throws


def throw_die(dice: Record, seat: int, purpose: int) -> int:
    """Throw a die; returns its face."""
    face: int = _THROWS[dice.dtype].die(dice, seat, purpose)
    return face


def throw_within(dice: Record, seat: int, purpose: int, faces: int | np.int64) -> bool:
    """ROGUE-02. Throw a die; returns whether it shows one of the faces."""
    success: bool = _THROWS[dice.dtype].within(dice, seat, purpose, faces)
    return success


def throw_attack(dice: Record, seat: int, fight: Record, target: int) -> int:
    """ROGUE-43. Throw the dice of an attack on `target`: writes the faces into `fight`, returns the total of those that count."""
    total: int = _THROWS[dice.dtype].attack(dice, seat, fight, target)
    return total


verb(throw_die, lambda dice: _THROWS[dice].die)
verb(throw_within, lambda dice: _THROWS[dice].within)
verb(throw_attack, lambda dice: _THROWS[dice].attack)

NO_FACE = 0  # the set of no faces


@kernel
def roll_die(rng: Record, seat: int, purpose: int) -> int:
    """Roll a die."""
    return roll(rng, seat, purpose, DIE_FACES)


@kernel
def roll_attack(rng: Record, seat: int, fight: Record, target: int) -> int:
    """ROGUE-43. Roll the dice of an attack one by one."""
    total, owed, thrown, faces = 0, 1, 0, NO_FACE
    while owed > 0 and thrown < DICE_MAX:
        face = roll(rng, seat, Draw.ATTACK, DIE_FACES)
        thrown += 1
        owed -= 1
        faces |= 1 << face
        if basics.has_face(np.int64(fight["reroll_faces"]), face):
            owed += fight["reroll_dice"]
        else:
            total += face
    fight["faces"] = faces
    return total


offer_dice(DICE, Throws(roll_die, basics.rolls_within, roll_attack))

# the stages of a combat turn, on a FIGHT record


@kernel
def damage_of(fight: Record, total: int) -> int:
    """ROGUE-44, 45, 91. Damage of an attack with the given total and the faces in the record, at least 0."""
    if fight["faces"] & fight["miss_faces"]:
        return 0
    least = fight["min_attack"]
    mod = fight["mod"] + (fight["rage"] if fight["health"] <= fight["rage_at_most"] else 0)
    return max(0, least, max(total, least) * fight["multiply"] + mod)


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
def strike(fight: Record, cards: Record, target: int, dice: Record, seat: int) -> None:
    """ROGUE-42 to 46, A-12, A-15. Step 1: attack the enemy at place `target`, which can dodge."""
    fight["slain"], fight["dodged"], fight["dealt"] = 0, 0, 0
    damage = damage_of(fight, throw_attack(dice, seat, fight, target))
    fight["blocked"] = 0
    if fight["faces"] & fight["block_faces"]:
        fight["blocked"] = 1 << target if cards["shield_scope"] == ShieldScope.ATTACKED else (1 << FOES) - 1
    faces = np.int64(cards["dodge_faces"][fight["type"][target]])
    if faces != NO_FACE and acts(fight, target):
        may_dodge = cards["imp_dodge"] == ImpDodge.ALWAYS or damage < fight["foe_health"][target]
        if may_dodge and throw_within(dice, seat, Draw.DODGE, faces):
            fight["dodged"] = 1
            damage = 0
    wound(fight, target, damage)


@kernel
def wound(fight: Record, place: int, damage: int) -> None:
    """ROGUE-08, 47. An enemy loses health; at 0 it is slain and does nothing more."""
    fight["dealt"] += min(damage, fight["foe_health"][place])
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
def enemies_act(fight: Record, cards: Record, dice: Record, seat: int) -> int:
    """ROGUE-49, 50, 53, A-13. Steps 2 and 3. Returns the place of the enemy that killed the player, or NO_FOE."""
    fight["taken"] = 0
    killer = NO_FOE
    if use_abilities(fight, cards, dice, seat):
        killer = attack_back(fight, cards, dice, seat)
    if killer == NO_FOE:
        settle(fight)
    return killer


@kernel
def use_abilities(fight: Record, cards: Record, dice: Record, seat: int) -> bool:
    """ROGUE-49. Step 2, in the order of places. Returns whether step 3 follows (A-13)."""
    for place in range(FOES):
        if acts(fight, place) and not use_ability(fight, cards, place, dice, seat):
            return False
    return True


@kernel
def use_ability(fight: Record, cards: Record, place: int, dice: Record, seat: int) -> bool:
    """ROGUE-49, 51, 52. One enemy heals, and on its faces poisons or paralyses. Returns whether the turn goes on (A-13)."""
    kind = fight["type"][place]
    heal = cards["heal_each_turn"][kind]
    if heal > 0 and fight["foe_health"][place] < cards["health"][kind]:
        fight["foe_health"][place] = min(cards["health"][kind], fight["foe_health"][place] + heal)
    effect = cards["status_effect"][kind]
    if effect == Effect.NONE or not throw_within(dice, seat, Draw.ABILITY, np.int64(cards["status_faces"][kind])):
        return True
    if effect == Effect.POISON:
        fight["poison"] = max(fight["poison"], cards["status_turns"][kind])
        return True
    fight["skip"] = max(fight["skip"], cards["status_turns"][kind])
    return cards["paralysis_in_combat"] != ParalysisInCombat.TURN_LOST


@kernel
def attack_back(fight: Record, cards: Record, dice: Record, seat: int) -> int:
    """ROGUE-50, 55. Step 3, in the order of places. Returns the place of the enemy that killed the player, or NO_FOE."""
    for place in range(FOES):
        if not acts(fight, place):
            continue
        kind = fight["type"][place]
        value = cards["attack"][kind]
        if cards["attack_die"][kind] > 0:
            value = cards["attack_die"][kind] * throw_die(dice, seat, Draw.STRENGTH)
        loss = max(0, max(0, value + fight["foe_mod"][place]) - fight["armour"])
        fight["health"] -= loss
        fight["taken"] += loss
        if fight["health"] <= 0:
            return place
    return NO_FOE


@kernel
def settle(fight: Record) -> None:
    """ROGUE-53. Count down the paralysis of enemies that would have acted in this turn."""
    for place in range(FOES):
        if fight["type"][place] != NO_FOE and fight["attacks"][place] == 1 and fight["foe_paralysed"][place] > 0:
            fight["foe_paralysed"][place] -= 1


@kernel
def sacrifice(health: int, max_health: int, at_most: int, heal: int) -> int:
    """ROGUE-93. Health after a kill: at `at_most` or less it rises by `heal`, never above the maximum."""
    if health > at_most or health >= max_health:
        return health
    return min(max_health, health + heal)


# flight: `own` are the player's further faces on which it succeeds


@kernel
def is_banned(fight: Record, cards: Record, character: int) -> bool:
    """ROGUE-57, 91, A-19. Whether the character forbids this flight: one enemy that lifts the ban is enough."""
    if not cards["no_flee"][character]:
        return False
    for place in range(FOES):
        kind = fight["type"][place]
        if kind == NO_FOE:
            continue
        if cards["no_flee_but_boss"][character] and cards["boss"][kind]:
            return False
        if cards["no_flee_but_no_chase"][character] and cards["no_chase"][kind]:
            return False
    return True


@kernel
def can_flee(fight: Record, cards: Record, character: int, own: int) -> bool:
    """ROGUE-57. Whether a flight can succeed: it is not banned, or the player has faces of its own for it."""
    return own != NO_FACE or not is_banned(fight, cards, character)


@kernel
def is_chased(fight: Record, cards: Record) -> bool:
    """ROGUE-53, 56, 57. Whether an enemy chases the player: it attacks this player, is not paralysed and not `no_chase`."""
    for place in range(FOES):
        kind = fight["type"][place]
        if kind != NO_FOE and fight["attacks"][place] == 1 and fight["foe_paralysed"][place] == 0 and not cards["no_chase"][kind]:
            return True
    return False


@kernel
def flight_succeeds(fight: Record, cards: Record, character: int, own: int, dice: Record, seat: int) -> bool:
    """ROGUE-57, A-19. Try to flee, with a die unless no enemy chases. Under a ban only the player's own faces count."""
    banned = is_banned(fight, cards, character)
    if not banned and not is_chased(fight, cards):
        return True
    return throw_within(dice, seat, Draw.FLEE, own if banned else own | cards["flee_faces"])


@kernel
def is_forced(fight: Record, cards: Record, character: int) -> bool:
    """ROGUE-96, A-14. Whether the faces of the attack make the player flee, if able."""
    return fight["faces"] & cards["must_flee_faces"][character] != NO_FACE and cards["bard_six"] != BardSix.OFF


@kernel
def forced_flight_succeeds(fight: Record, cards: Record, character: int, own: int, dice: Record, seat: int) -> bool:
    """ROGUE-96, A-14. A flight that the faces of the attack force: at once, or tried like any other."""
    if cards["bard_six"] == BardSix.FLEE_FREE:
        return True
    return can_flee(fight, cards, character, own) and flight_succeeds(fight, cards, character, own, dice, seat)


# entering and leaving combat, slain enemies


@kernel
def reveal(state: Record, cards: Record, cell: int, card: int) -> int:
    """ROGUE-25. Reveal an enemy on a cell; returns its slot."""
    slot = state["enemies"]
    state["enemies"] += 1
    state["enemy_type"][slot] = card
    state["enemy_health"][slot] = cards["health"][card]
    state["on"][cell] = MONSTER + slot
    state["enemy_cell"][slot] = cell
    state["order"][slot, :] = NOBODY
    if cards["end_rush"][card] and state["golem_seen"] == 0:
        state["golem_seen"] = state["round"]
    tiles.map_changed(state, cards, cell)
    return slot


@kernel
def target_of(state: Record, slot: int) -> int:
    """ROGUE-56. Seat that an enemy attacks: the first in the order of entry, or NOBODY."""
    return state["order"][slot, 0]


@kernel
def join(state: Record, cards: Record, seat: int, direction: int, resume: int) -> None:
    """ROGUE-40. Enter combat with the enemy in a direction, at the end of its order of entry. resume: Step after it."""
    if tiles.opens(state["combat"][seat], direction):
        return
    slot = tiles.monster_at(state, tiles.neighbour(cards, state["cell"][seat], direction))
    if state["combat"][seat] == 0:
        state["resume"][seat] = resume
    state["combat"][seat] |= 1 << direction
    for place in range(SEATS):
        if state["order"][slot, place] == NOBODY:
            state["order"][slot, place] = seat
            break
    state["fights"][seat, cards["enemy_number"][state["enemy_type"][slot]]] += 1
    basics.something_happened(state)


@kernel
def step_after_flip(state: Record, cards: Record) -> int:
    """ROGUE-40, A-11. Step that follows a combat begun by flipping; after a flip outside step 1 the turn is done."""
    if state["step"] != Step.FLIP:
        return Step.DONE
    return Step.FLIP if cards["resume_after_flip"] == ResumeAfterFlip.FLIP else Step.MOVE


@kernel
def join_around(state: Record, cards: Record, seat: int, sides: int) -> None:
    """ROGUE-21, 27. Enter combat with the enemies on these sides, in direction order; after the combat the turn is done."""
    for direction in range(DIRECTIONS):
        if tiles.opens(sides, direction):
            join(state, cards, seat, direction, Step.DONE)


@kernel
def leave(state: Record, cards: Record, seat: int, direction: int, slot: int) -> None:
    """ROGUE-56, 59. Leave combat with one enemy; the next in the order of entry becomes its target."""
    state["combat"][seat] &= tiles.ALL_OPEN ^ (1 << direction)
    found = 0
    for place in range(SEATS):
        if state["order"][slot, place] == seat:
            found = 1
        if found:
            state["order"][slot, place] = state["order"][slot, place + 1] if place + 1 < SEATS else NOBODY
    if state["order"][slot, 0] == NOBODY:
        restore(state, cards, slot)


@kernel
def restore(state: Record, cards: Record, slot: int) -> None:
    """ROGUE-59. Restore an enemy: full health, no poison, no paralysis; strength and weakness stay."""
    state["enemy_health"][slot] = cards["health"][state["enemy_type"][slot]]
    state["enemy_poison"][slot] = 0
    state["enemy_paralysed"][slot] = 0


@kernel
def leave_all(state: Record, cards: Record, seat: int, by_flight: bool) -> None:
    """ROGUE-57, 61. Leave every combat; with `enemy_restore = any_flight` a flight restores the enemies at once."""
    for direction in range(DIRECTIONS):
        if tiles.opens(state["combat"][seat], direction):
            slot = tiles.monster_at(state, tiles.neighbour(cards, state["cell"][seat], direction))
            leave(state, cards, seat, direction, slot)
            if by_flight and cards["enemy_restore"] == EnemyRestore.ANY_FLIGHT:
                restore(state, cards, slot)
    state["combat"][seat] = 0


@kernel
def recheck(state: Record, cards: Record) -> None:
    """ROGUE-40. End combats whose sides are no longer adjacent, after tiles have changed."""
    for seat in range(state["seats"]):
        if state["combat"][seat] == 0:
            continue
        for direction in range(DIRECTIONS):
            if tiles.opens(state["combat"][seat], direction):
                here = state["cell"][seat]
                if tiles.next_cell(state, cards, here, direction) == NOWHERE:
                    slot = tiles.monster_at(state, tiles.neighbour(cards, here, direction))
                    leave(state, cards, seat, direction, slot)


@kernel
def lift(state: Record, cards: Record, slot: int) -> None:
    """Take an enemy off the table: all players leave combat with it."""
    cell = state["enemy_cell"][slot]
    for seat in range(state["seats"]):
        if state["combat"][seat] == 0:
            continue
        for direction in range(DIRECTIONS):
            if tiles.opens(state["combat"][seat], direction) and tiles.neighbour(cards, state["cell"][seat], direction) == cell:
                state["combat"][seat] &= tiles.ALL_OPEN ^ (1 << direction)
    state["order"][slot, :] = NOBODY
    state["on"][cell] = NOTHING
    state["enemy_cell"][slot] = NOWHERE
    tiles.map_changed(state, cards, cell)


@kernel
def slay(state: Record, cards: Record, seat: int, slot: int, direction: int, rng: Record) -> None:
    """ROGUE-60. `seat` has slain an enemy: the seat takes the card, the cell is replaced, songs and sacrifices heal."""
    cell, card = state["enemy_cell"][slot], state["enemy_type"][slot]
    character = state["character"][seat]
    lift(state, cards, slot)
    state["kills"][seat, cards["enemy_number"][card]] += 1
    state["goals_done"] |= cards["goal_bit"][card]
    basics.something_happened(state)
    state["progress"] = 1
    if cards["sacrifice_at_most"][character] >= 0:
        most, least = max_health(state, cards, seat), cards["sacrifice_at_most"][character]
        state["health"][seat] = sacrifice(state["health"][seat], most, least, cards["sacrifice_heal"][character])
    basics.gain(state, cards, seat, card)
    if cards["end_rush"][card] and state["seats"] > 1:
        begin_rush(state)
    hear_song(state, cards, seat)
    tiles.replace(state, cards, seat, cell, direction, rng)
    recheck(state, cards)


@kernel
def hear_song(state: Record, cards: Record, slayer: int) -> None:
    """ROGUE-96. A bard next to another player who slays an enemy heals."""
    for seat in range(state["seats"]):
        song = cards["song"][state["character"][seat]]
        if song == 0 or seat == slayer or state["cell"][seat] == NOWHERE:
            continue
        for direction in range(DIRECTIONS):
            if tiles.next_cell(state, cards, state["cell"][seat], direction) == state["cell"][slayer]:
                heal(state, cards, seat, song)


@kernel
def begin_rush(state: Record) -> None:
    """ROGUE-103. The end rush begins."""
    if state["rush"] == 0:
        state["rush"] = 1
        state["rush_round"] = state["round"]


# a combat turn on the map


@kernel
def arm(state: Record, cards: Record, seat: int) -> None:
    """Write a player's side of the FIGHT record."""
    fight, character = state["fight"], state["character"][seat]
    fight["health"] = state["health"][seat]
    fight["max_health"] = max_health(state, cards, seat)
    fight["mod"] = basics.attack_mod(state, cards, seat)
    fight["armour"] = basics.armour(state, cards, seat)
    fight["poison"] = state["poison"][seat]
    fight["antidote"] = state["antidote"][seat]
    fight["skip"] = state["skip"][seat]
    fight["rage_at_most"] = cards["rage_at_most"][character]
    fight["rage"] = cards["rage"][character]
    fight["min_attack"], fight["multiply"], fight["reroll_dice"] = 0, 1, 0
    fight["reroll_faces"], fight["miss_faces"], fight["block_faces"] = 0, 0, 0
    fight["weapon"] = 0
    for slot in range(SLOTS):
        if basics.acts_in(state, cards, seat, slot):
            wield(fight, cards, state["worn"][seat, slot])


@kernel
def wield(fight: Record, cards: Record, card: int) -> None:
    """ROGUE-81. Add the effects of a worn item on the attack dice; modifier and armour are summed elsewhere."""
    fight["min_attack"] = max(fight["min_attack"], cards["min_attack"][card])
    if cards["multiply"][card] > 0:
        fight["multiply"] *= cards["multiply"][card]
    fight["reroll_dice"] = max(fight["reroll_dice"], cards["reroll_dice"][card])
    fight["reroll_faces"] |= cards["reroll_faces"][card]
    fight["miss_faces"] |= cards["miss_faces"][card]
    fight["block_faces"] |= cards["block_faces"][card]
    if cards["category"][card] == Category.WEAPON:
        fight["weapon"] = cards["weapon_number"][card]


@kernel
def surround(state: Record, cards: Record, seat: int) -> None:
    """Write the enemies that a player is in combat with into the FIGHT record, by direction."""
    fight = state["fight"]
    for direction in range(FOES):
        fight["type"][direction] = NO_FOE
        if tiles.opens(state["combat"][seat], direction):
            slot = tiles.monster_at(state, tiles.neighbour(cards, state["cell"][seat], direction))
            fight["type"][direction] = state["enemy_type"][slot]
            fight["foe_health"][direction] = state["enemy_health"][slot]
            fight["foe_mod"][direction] = state["enemy_mod"][slot]
            own = state["enemy_poisoner"][slot] == seat
            fight["foe_poison"][direction] = state["enemy_poison"][slot] if own else 0
            fight["foe_paralysed"][direction] = state["enemy_paralysed"][slot]
            fight["attacks"][direction] = 1 if target_of(state, slot) == seat else 0


@kernel
def write_back(state: Record, cards: Record, seat: int) -> None:
    """Copy the enemies back into the state after a stage; slain ones are still on the table."""
    fight = state["fight"]
    for direction in range(FOES):
        if tiles.opens(state["combat"][seat], direction):
            slot = tiles.monster_at(state, tiles.neighbour(cards, state["cell"][seat], direction))
            state["enemy_health"][slot] = fight["foe_health"][direction]
            if state["enemy_poisoner"][slot] == seat:
                state["enemy_poison"][slot] = fight["foe_poison"][direction]
            state["enemy_paralysed"][slot] = fight["foe_paralysed"][direction]
            if cards["single_turn"][state["enemy_type"][slot]]:
                state["bruised"] = 1


@kernel
def bury(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-60. Slay the enemies that a stage has brought to 0 health, in direction order."""
    slain = state["fight"]["slain"]
    for direction in range(FOES):
        if tiles.opens(slain, direction):
            slot = tiles.monster_at(state, tiles.neighbour(cards, state["cell"][seat], direction))
            slay(state, cards, seat, slot, direction, rng)


@kernel
def attack(state: Record, cards: Record, seat: int, direction: int, rng: Record) -> None:
    """ROGUE-41 to 47. Step 1: attack the enemy in a direction; items can be used before the enemies' part."""
    fight = state["fight"]
    state["combat_turns"][seat] += 1
    basics.something_happened(state)
    arm(state, cards, seat)
    surround(state, cards, seat)
    strike(fight, cards, direction, rng, seat)
    state["damage_dealt"][seat] += fight["dealt"]
    state["blocked"] = fight["blocked"]
    state["step"] = Step.STRUCK
    write_back(state, cards, seat)
    forced = is_forced(fight, cards, state["character"][seat])
    bury(state, cards, seat, rng)
    if forced:
        must_flee(state, cards, seat, rng)


@kernel
def must_flee(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-58, 96. The Bard flees if still in combat and next to a free cell; no flight by choice follows."""
    if not basics.is_alive(state, seat) or state["cut"]:
        return
    if state["combat"][seat] == 0 or tiles.free_sides(state, state["cell"][seat]) == 0:
        return
    state["fled"] = 1
    surround(state, cards, seat)
    own, character = basics.own_flee_faces(state, cards, seat), state["character"][seat]
    if forced_flight_succeeds(state["fight"], cards, character, own, rng, seat):
        state["node"] = Node.BARD_FLEE


@kernel
def enemies_part(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-48 to 50, 53. Poison, steps 2 and 3 of the combat turn. Death ends it."""
    fight = state["fight"]
    state["enemies_acted"] = 1
    arm(state, cards, seat)
    surround(state, cards, seat)
    run_poison(fight)
    state["damage_dealt"][seat] += fight["dealt"]
    if fight["slain"]:
        write_back(state, cards, seat)
        bury(state, cards, seat, rng)
        if not basics.is_alive(state, seat) or state["combat"][seat] == 0:
            return
        arm(state, cards, seat)
        surround(state, cards, seat)
        fight["slain"] = 0
    fight["blocked"] = state["blocked"]
    killer = enemies_act(fight, cards, rng, seat)
    if fight["skip"] > state["skip"][seat]:
        state["cut"] = 1
    state["poison"][seat], state["skip"][seat], state["health"][seat] = fight["poison"], fight["skip"], fight["health"]
    state["damage_taken"][seat] += fight["taken"]
    kind = fight["type"][max(killer, 0)]
    write_back(state, cards, seat)
    if killer != NO_FOE:
        basics.fall(state, seat, Death.ENEMY + cards["enemy_number"][kind])


@kernel
def may_flee(state: Record, cards: Record, seat: int) -> bool:
    """ROGUE-41, 57. Whether a player can try to flee: once a turn, with somewhere to go, and not banned."""
    if state["fled"]:
        return False
    cell = state["cell"][seat]
    if tiles.free_sides(state, cell) == 0 and tiles.down_sides(state, cell) == 0:
        return False
    surround(state, cards, seat)
    return can_flee(state["fight"], cards, state["character"][seat], basics.own_flee_faces(state, cards, seat))


@kernel
def flee(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-57, 58. Step 1: try to flee. After success the player chooses where to; after failure the enemies act."""
    state["fled"] = 1
    state["flights"][seat] += 1
    state["combat_turns"][seat] += 1
    basics.something_happened(state)
    state["blocked"] = 0
    state["step"] = Step.STRUCK
    surround(state, cards, seat)
    own, character = basics.own_flee_faces(state, cards, seat), state["character"][seat]
    if flight_succeeds(state["fight"], cards, character, own, rng, seat):
        state["flights_won"][seat] += 1
        state["node"] = Node.FLEE_STEP


@kernel
def counter_attack(state: Record, cards: Record, victim: int, tripper: int, rng: Record) -> None:
    """ROGUE-68. The victim of a failed trip, who is in combat, attacks the tripper, whose armour counts."""
    arm(state, cards, victim)
    damage = damage_of(state["fight"], roll_attack(rng, victim, state["fight"], NO_FOE)) - basics.armour(state, cards, tripper)
    if damage > 0:
        state["damage_dealt"][victim] += damage
        basics.hurt(state, tripper, damage, Death.COUNTER)
