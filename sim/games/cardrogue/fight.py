"""A combat turn in the game: the stages of `resolve` on the map (ROGUE-41 to 60, 96)."""

import numpy as np

from sim.engine.dice import roll
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.codes import Category
from sim.games.cardrogue.decisions import Node, Step
from sim.games.cardrogue.draw import Draw
from sim.games.cardrogue.engage import slay, target_of
from sim.games.cardrogue.grid import down_sides, free_sides, monster_at, neighbour, opens
from sim.games.cardrogue.harm import fall, hurt, is_alive, something_happened
from sim.games.cardrogue.holding import acts_in, armour, attack_mod, has_face, max_health, own_flee_faces
from sim.games.cardrogue.record import DIE_FACES, SLOTS
from sim.games.cardrogue.resolve import attack_back, damage_of, run_poison, settle, strike, throw_attack, use_abilities
from sim.games.cardrogue.state import DIRECTIONS, FOES, NO_FOE, Death
from sim.games.cardrogue.switches import BardSix


@kernel
def arm(state: Record, cards: Record, seat: int) -> None:
    """Write a player's side of the FIGHT record."""
    fight, character = state["fight"], np.int64(state["character"][seat])
    fight["health"] = state["health"][seat]
    fight["max_health"] = max_health(state, cards, seat)
    fight["mod"] = attack_mod(state, cards, seat)
    fight["armour"] = armour(state, cards, seat)
    fight["poison"] = state["poison"][seat]
    fight["antidote"] = state["antidote"][seat]
    fight["skip"] = state["skip"][seat]
    dress(fight, cards, character)
    for slot in range(SLOTS):
        if acts_in(state, cards, seat, slot):
            wield(fight, cards, np.int64(state["worn"][seat, slot]))


@kernel
def dress(fight: Record, cards: Record, character: int) -> None:
    """What a character brings to a fight with bare hands, apart from its modifier and armour."""
    fight["rage_at_most"] = cards["rage_at_most"][character]
    fight["rage"] = cards["rage"][character]
    fight["min_attack"], fight["multiply"], fight["reroll_dice"] = 0, 1, 0
    fight["reroll_faces"], fight["miss_faces"], fight["block_faces"] = 0, 0, 0
    fight["weapon"] = 0


@kernel
def wield(fight: Record, cards: Record, card: int) -> None:
    """ROGUE-81. Add what a worn item does to the attack die; modifier and armour are added up elsewhere."""
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
        if opens(np.int64(state["combat"][seat]), direction):
            slot = monster_at(state, neighbour(cards, np.int64(state["cell"][seat]), direction))
            fight["type"][direction] = state["enemy_type"][slot]
            fight["foe_health"][direction] = state["enemy_health"][slot]
            fight["foe_mod"][direction] = state["enemy_mod"][slot]
            own = state["enemy_poisoner"][slot] == seat
            fight["foe_poison"][direction] = state["enemy_poison"][slot] if own else 0
            fight["foe_paralysed"][direction] = state["enemy_paralysed"][slot]
            fight["attacks"][direction] = 1 if target_of(state, slot) == seat else 0


@kernel
def write_back(state: Record, cards: Record, seat: int) -> None:
    """Copy what a stage did to the enemies back; those slain are still on the table."""
    fight = state["fight"]
    for direction in range(FOES):
        if opens(np.int64(state["combat"][seat]), direction):
            slot = monster_at(state, neighbour(cards, np.int64(state["cell"][seat]), direction))
            state["enemy_health"][slot] = fight["foe_health"][direction]
            if state["enemy_poisoner"][slot] == seat:
                state["enemy_poison"][slot] = fight["foe_poison"][direction]
            state["enemy_paralysed"][slot] = fight["foe_paralysed"][direction]
            if cards["single_turn"][state["enemy_type"][slot]]:
                state["bruised"] = 1


@kernel
def bury(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-60. Slay the enemies that a stage has brought to 0, in direction order."""
    slain = state["fight"]["slain"]
    for direction in range(FOES):
        if opens(slain, direction):
            slot = monster_at(state, neighbour(cards, np.int64(state["cell"][seat]), direction))
            slay(state, cards, seat, slot, direction, rng)


@kernel
def attack(state: Record, cards: Record, seat: int, direction: int, rng: Record) -> None:
    """ROGUE-41 to 47. Step 1: attack the enemy in a direction; then the window before the enemies' part."""
    fight = state["fight"]
    state["combat_turns"][seat] += 1
    something_happened(state)
    arm(state, cards, seat)
    surround(state, cards, seat)
    strike(fight, cards, direction, rng, seat)
    state["damage_dealt"][seat] += fight["dealt"]
    state["blocked"] = fight["blocked"]
    state["step"] = Step.STRUCK
    write_back(state, cards, seat)
    faces = fight["faces"]
    bury(state, cards, seat, rng)
    if faces & cards["must_flee_faces"][state["character"][seat]]:
        must_flee(state, cards, seat, rng)


@kernel
def must_flee(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-58, 96, A-14. The Bard flees, if still in combat and a free cell is there; not once more by choice."""
    if cards["bard_six"] == BardSix.OFF or not is_alive(state, seat) or state["cut"]:
        return
    if state["combat"][seat] == 0 or free_sides(state, cards, np.int64(state["cell"][seat])) == 0:
        return
    state["fled"] = 1
    if cards["bard_six"] == BardSix.FLEE_ROLL and not flight_succeeds(state, cards, seat, rng):
        return
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
        if not is_alive(state, seat) or state["combat"][seat] == 0:
            return
        arm(state, cards, seat)
        surround(state, cards, seat)
        fight["slain"] = 0
    fight["blocked"] = state["blocked"]
    goes_on = use_abilities(fight, cards, rng, seat)
    if fight["skip"] > state["skip"][seat]:
        state["cut"] = 1
    state["poison"][seat], state["skip"][seat] = fight["poison"], fight["skip"]
    killer = NO_FOE
    if goes_on:
        killer = attack_back(fight, cards, rng, seat)
        state["health"][seat] = fight["health"]
        state["damage_taken"][seat] += fight["taken"]
    if killer == NO_FOE:
        settle(fight)
    kind = fight["type"][max(killer, 0)]
    write_back(state, cards, seat)
    if killer != NO_FOE:
        fall(state, seat, Death.ENEMY + cards["enemy_number"][kind])


@kernel
def may_flee(state: Record, cards: Record, seat: int) -> bool:
    """ROGUE-41, 57. Whether a player may try to flee: one attempt a turn, somewhere to go, and no ban."""
    if state["fled"]:
        return False
    cell = np.int64(state["cell"][seat])
    if free_sides(state, cards, cell) == 0 and down_sides(state, cards, cell) == 0:
        return False
    return not is_banned(state, cards, seat) or own_flee_faces(state, cards, seat) != 0


@kernel
def is_banned(state: Record, cards: Record, seat: int) -> bool:
    """ROGUE-57, 91, A-19. Whether the character forbids this flight."""
    character = np.int64(state["character"][seat])
    if not cards["no_flee"][character]:
        return False
    for direction in range(DIRECTIONS):
        if opens(np.int64(state["combat"][seat]), direction):
            kind = np.int64(
                state["enemy_type"][monster_at(state, neighbour(cards, np.int64(state["cell"][seat]), direction))]
            )
            if cards["no_flee_but_boss"][character] and cards["boss"][kind]:
                return False
            if cards["no_flee_but_no_chase"][character] and cards["no_chase"][kind]:
                return False
    return True


@kernel
def flees_freely(state: Record, cards: Record, seat: int) -> bool:
    """ROGUE-57. Whether no roll is needed: no enemy chases, each is paralysed or attacks somebody else."""
    for direction in range(DIRECTIONS):
        if opens(np.int64(state["combat"][seat]), direction):
            slot = monster_at(state, neighbour(cards, np.int64(state["cell"][seat]), direction))
            chases = cards["no_chase"][state["enemy_type"][slot]] == 0 and state["enemy_paralysed"][slot] == 0
            if chases and target_of(state, slot) == seat:
                return False
    return True


@kernel
def flight_succeeds(state: Record, cards: Record, seat: int, rng: Record) -> bool:
    """ROGUE-57. Roll for a flight where a roll is needed. Where the ban stands only the own faces help."""
    banned = is_banned(state, cards, seat)
    if not banned and flees_freely(state, cards, seat):
        return True
    faces = np.int64(own_flee_faces(state, cards, seat))
    if not banned:
        faces |= cards["flee_faces"]
    return has_face(faces, roll(rng, seat, Draw.FLEE, DIE_FACES))


@kernel
def flee(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-57, 58. Step 1: try to flee. Success asks for the way; failure goes on with the enemies' part."""
    state["fled"] = 1
    state["flights"][seat] += 1
    state["combat_turns"][seat] += 1
    something_happened(state)
    state["blocked"] = 0
    state["step"] = Step.STRUCK
    if flight_succeeds(state, cards, seat, rng):
        state["flights_won"][seat] += 1
        state["node"] = Node.FLEE_STEP


@kernel
def counter_attack(state: Record, cards: Record, victim: int, tripper: int, rng: Record) -> None:
    """ROGUE-68. The victim in combat of a failed trip attacks the tripper, whose armour counts."""
    arm(state, cards, victim)
    damage = damage_of(state["fight"], throw_attack(state["fight"], rng, victim)) - armour(state, cards, tripper)
    if damage > 0:
        state["damage_dealt"][victim] += damage
        hurt(state, tripper, damage, Death.COUNTER)
