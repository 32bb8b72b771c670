"""Moves, attacks and other Actions of creatures, and Weapons (RIFT-12 to 15, 40 to 52, 65, 82 to 111)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.cards import (
    Ability,
    AdjacentEnemies,
    List,
    MoraleStart,
    RelentlessOn,
    SiphonCounts,
    SiphonTiming,
    Trick,
    WeaponUses,
)
from sim.games.riftborn.rules import damage, placement, players
from sim.games.riftborn.rules.effects import begin_list, begin_summon
from sim.games.riftborn.rules.turn import transform
from sim.games.riftborn.state import (
    ACTIVE,
    ALL,
    CREATURES,
    NOBODY,
    PER_ROW,
    ROWS,
    THE_PLAYER,
    WAITING,
    WEAPONS,
    Aim,
    Blow,
    Harm,
    Phase,
    Reach,
    Step,
    Wound,
    code_bit,
    code_of,
    creature_at,
    power,
    saturated,
    side_of,
    with_bit,
)

SWAP = 0  # codes of CREATURE: SWAP + own slot, ATTACK + enemy slot, then one for each other Action
ATTACK = 15
ATTACK_PLAYER = 30
CHARM, HEAL, MORALE, PACIFY, READY, SPELL, SUMMON, TRANSFORM = range(31, 39)
ACTION_NAMES = ("charm", "heal", "morale", "pacify", "ready", "spell", "summon", "transform")  # from CHARM on
ACTIONS = tuple(int(Ability[name.upper()]) for name in ACTION_NAMES)  # their abilities
OWN_PLAYER, THE_OPPONENT = 30, 31  # codes of TARGET, after the 30 slots


# What a creature can do: Moves, attacks, other Actions (RIFT-12 to 15, 37, 40, 41, 45, 82 to 109)


@kernel
def can_move(state: Record, g: int) -> bool:
    """RIFT-13, 41. Whether a creature has a swap left."""
    if state["swaps"][g] >= max(1, power(state, g, Ability.DASH)):
        return False
    return power(state, g, Ability.ROOTED) == 0 and power(state, g, Ability.DORMANT) == 0


@kernel
def can_act(state: Record, g: int) -> bool:
    """RIFT-13, 14, 85, 94. Whether a creature still has its Action."""
    if state["acted"][g] or state["pacify"][g] & ACTIVE or power(state, g, Ability.DORMANT) > 0:
        return False
    return not state["entered"][g] or power(state, g, Ability.HASTE) > 0


@kernel
def can_attack(state: Record, g: int) -> bool:
    """RIFT-45, 82, 95. Whether a creature that has its Action can attack with it."""
    return power(state, g, Ability.PACIFIST) == 0 and not state["charm"][g] & ACTIVE


@kernel
def uses_of(state: Record, cards: Record, g: int) -> np.uint64:
    """RIFT-12 to 15. Codes of the Moves and Actions of a creature, as bits."""
    found = swaps_of(state, g) if can_move(state, g) else np.uint64(0)
    if not can_act(state, g):
        return found
    if can_attack(state, g):
        found |= attacks_of(state, cards, g)
    if has_other_action(state, g):
        for code in range(CHARM, TRANSFORM + 1):
            if has_use(state, cards, g, code):
                found |= code_bit(code)
    return found


@kernel
def has_other_action(state: Record, g: int) -> bool:
    """RIFT-15. Whether a creature has an ability that is an Action: few have, so that this comes before `has_use`."""
    borne = 0
    for ability in ACTIONS:
        borne |= state["ability"][g, ability]
    return borne != 0


@kernel
def swaps_of(state: Record, g: int) -> np.uint64:
    """RIFT-40. Slots of friends to swap with, as bits: in the same row and the rows in front and behind."""
    found, seat, own = np.uint64(0), side_of(g), state["row"][g]
    for row in range(max(0, own - 1), min(own + 2, ROWS)):
        length = state["row_len"][seat, row]
        left = state["centre"][g] + length - 1  # twice its index in that row; odd if it stands between two
        first, last = placement.tiles(left), placement.tiles(left + 1)
        if row == own:
            first, last = first - 1, last + 1
        for index in range(max(0, first), min(length, last + 1)):
            other = state["grid"][seat, row, index]
            if other != g and power(state, other, Ability.DORMANT) == 0:
                found |= code_bit(SWAP + row * PER_ROW + index)
    return found


@kernel
def attacks_of(state: Record, cards: Record, g: int) -> np.uint64:
    """RIFT-37. Codes of legal attack targets, as bits."""
    found, enemy = np.uint64(0), 1 - side_of(g)
    if placement.is_short(state, cards, g):
        found = contacts_of(state, cards, g)
    else:
        for row in range(ROWS):
            for index in range(state["row_len"][enemy, row]):
                if placement.reach(state, cards, g, state["grid"][enemy, row, index]) != Reach.NONE:
                    found |= code_bit(ATTACK + row * PER_ROW + index)
    if placement.reach_player(state, cards, g) != Reach.NONE:
        found |= code_bit(ATTACK_PLAYER)
    return found


@kernel
def contacts_of(state: Record, cards: Record, g: int) -> np.uint64:
    """RIFT-37. Codes of the at most two enemies that a creature without RANGE and FLIGHT can attack, as bits."""
    found = np.uint64(0)
    for half in range(placement.HALVES):
        target = placement.in_contact_at(state, g, half)
        if target != NOBODY and reaches_contact(state, cards, g, target):
            found |= code_bit(ATTACK + code_of(state, side_of(target), target))
    return found


@kernel
def reaches_contact(state: Record, cards: Record, a: int, b: int) -> bool:
    """RIFT-35, 37, 108. Whether a creature can attack an enemy in contact: the path is clear, only STEALTH can prevent it."""
    return power(state, b, Ability.STEALTH) == 0 or placement.reach(state, cards, a, b) != Reach.NONE


@kernel
def is_useful(state: Record, cards: Record, g: int) -> bool:
    """Whether a creature has a legal Move or Action."""
    if can_move(state, g) and has_partner(state, g):
        return True
    if not can_act(state, g):
        return False
    if can_attack(state, g) and has_prey(state, cards, g):
        return True
    if has_other_action(state, g):
        for code in range(CHARM, TRANSFORM + 1):
            if has_use(state, cards, g, code):
                return True
    return False


@kernel
def has_partner(state: Record, g: int) -> bool:
    """RIFT-40. Whether there is a friend to swap with."""
    seat, row = side_of(g), state["row"][g]
    if state["row_len"][seat, row] > 1:  # a neighbour first: it usually is a partner
        index = placement.index_of(state, g)
        neighbour = state["grid"][seat, row, index - 1 if index > 0 else 1]
        if state["ability"][neighbour, Ability.DORMANT] == 0:
            return True
    for number in range(placement.BESIDE):
        other = placement.beside(state, g, number)
        if other != NOBODY and power(state, other, Ability.DORMANT) == 0:
            return True
    return False


@kernel
def has_prey(state: Record, cards: Record, g: int) -> bool:
    """RIFT-37. Whether there is a target in reach."""
    if placement.reach_player(state, cards, g) != Reach.NONE:
        return True
    if placement.is_short(state, cards, g):
        for half in range(placement.HALVES):
            target = placement.in_contact_at(state, g, half)
            if target != NOBODY and reaches_contact(state, cards, g, target):
                return True
        return False
    enemy = 1 - side_of(g)
    for row in range(ROWS):
        for index in range(state["row_len"][enemy, row]):
            if placement.reach(state, cards, g, state["grid"][enemy, row, index]) != Reach.NONE:
                return True
    return False


@kernel
def has_use(state: Record, cards: Record, g: int, code: int) -> bool:
    """RIFT-15. Whether a creature can use its Action for the alternative of this code."""
    if power(state, g, ACTIONS[code - CHARM]) == 0:
        return False
    if code == CHARM or code == PACIFY:  # noqa: PLR1714, SIM109 - kernels do not look into tuples
        return has_enemy_beside(state, cards, g)
    if code == HEAL:
        return is_rearmost(state, g) or has_friend_beside(state, g)
    return code != SUMMON or placement.has_place(state, cards, side_of(g), g)


@kernel
def has_enemy_beside(state: Record, cards: Record, g: int) -> bool:
    """RIFT-34. Whether an enemy is adjacent."""
    enemy = 1 - side_of(g)
    for other in range(enemy * CREATURES, enemy * CREATURES + CREATURES):
        if state["card"][other] != NOBODY and placement.are_adjacent(state, cards, g, other):
            return True
    return False


@kernel
def has_friend_beside(state: Record, g: int) -> bool:
    """RIFT-34. Whether a friend is adjacent."""
    for number in range(placement.BESIDE):
        if placement.beside(state, g, number) != NOBODY:
            return True
    return False


@kernel
def is_rearmost(state: Record, g: int) -> bool:
    """RIFT-90. Whether a creature stands in the last row of its side."""
    return state["row"][g] == placement.rows_of(state, side_of(g)) - 1


# Attacks: strike, retaliation, opportunity and pass-through (RIFT-42 to 50, 65, 96, 105)


@kernel
def declare(state: Record, cards: Record, code: int) -> None:
    """RIFT-45, 50. The selected creature attacks. code: of CREATURE, 15..29 an enemy slot, 30 the opponent."""
    attacker = state["user"]
    spend_action(state, attacker)
    aim_at(state, cards, attacker, THE_PLAYER if code == ATTACK_PLAYER else creature_of(state, code))
    state["strike"] = 1
    defender = 1 - side_of(attacker)
    if state["target"] == THE_PLAYER:
        damage.spring_on(state, defender, Trick.PITFALL, attacker, NOBODY)
    else:
        damage.spring_on(state, defender, Trick.AMBUSH, attacker, state["target"])
    damage.await_tricks(state, Step.STRIKE)


@kernel
def creature_of(state: Record, code: int) -> int:
    """Creature of a slot code, as the active player sees it."""
    return creature_at(state, state["active"], code)


@kernel
def spend_action(state: Record, g: int) -> None:
    """RIFT-13, 89. A creature uses its Action."""
    state["acted"][g] = 1
    if state["entered"][g]:
        damage.note(state, g, Ability.HASTE)


@kernel
def aim_at(state: Record, cards: Record, attacker: int, target: int) -> None:
    """RIFT-45, 49. Fix the target of a strike and whether it retaliates; attacker and target turn face up."""
    state["target"] = target
    if target == THE_PLAYER:
        state["reached"] = placement.reach_player(state, cards, attacker)
        state["answers"] = 0
    else:
        state["reached"] = placement.reach(state, cards, attacker, target)
        state["answers"] = placement.is_answered(cards, state["reached"])
    if state["reached"] == Reach.RANGE:
        damage.note(state, attacker, Ability.RANGE)
    elif state["reached"] == Reach.FLIGHT:
        damage.note(state, attacker, Ability.FLIGHT)
    damage.turn_up(state, cards, attacker)
    if target != THE_PLAYER:
        damage.turn_up(state, cards, target)


@kernel
def strike(state: Record, cards: Record) -> None:
    """RIFT-46 (a) to (d), 50. The strike, if attacker and target are still there."""
    attacker, target = state["user"], state["target"]
    if state["card"][attacker] == NOBODY or (target != THE_PLAYER and state["card"][target] == NOBODY):
        state["step"] = Step.ACTED
        return
    points = damage.attack_of(state, cards, attacker) + state["ready"][attacker]
    state["ready"][attacker] = 0
    if target == THE_PLAYER:
        strike_player(state, cards, attacker, points)
        return
    magic = power(state, attacker, Ability.MAGIC) > 0
    points = damage.resisted(state, cards, target, points, magic)
    shields, rage = state["shield"][target], state["rage"][target]
    excess = damage.hit(state, cards, target, points, Harm.STRIKE)
    state["raged"] = state["rage"][target] - rage
    effective = max(0, points - shields) - excess
    take_siphon(state, cards, points, effective)
    damage.credit_blow(state, cards, target, giver_of(state, attacker), points, True)
    begin_blow(state, Blow.STRIKE, attacker, target, excess)


@kernel
def strike_player(state: Record, cards: Record, attacker: int, points: int) -> None:
    """RIFT-50. A strike at the opponent."""
    wound = Wound.CONTACT
    if state["reached"] == Reach.RANGE:
        wound = Wound.RANGE
    elif state["reached"] == Reach.FLIGHT:
        wound = Wound.FLIGHT
    lost = players.hurt_player(state, cards, 1 - side_of(attacker), points, wound)
    damage.note_damage(state, cards, giver_of(state, attacker), points)
    take_siphon(state, cards, points, lost)
    state["step"] = Step.ANSWER


@kernel
def giver_of(state: Record, g: int) -> tuple[int, int]:
    """Seat and card of a creature that gives a blow."""
    return side_of(g), state["origin"][g]


@kernel
def begin_blow(state: Record, blow: int, giver: int, hurt: int, excess: int) -> None:
    """A blow has hit; what is left over may pass through next."""
    state["blow"] = blow
    state["giver"] = giver
    state["hurt"] = hurt
    state["excess"] = excess
    state["step"] = Step.BLOW


@kernel
def follow_blow(state: Record, cards: Record) -> None:
    """RIFT-17, 65. Let a blow of RELENTLESS pass through, or continue with what follows the blow."""
    giver, hurt = state["giver"], state["hurt"]
    acts = power(state, giver, Ability.RELENTLESS) > 0
    acts &= state["blow"] == Blow.STRIKE or cards["relentless_on"] == RelentlessOn.ANY
    if acts and state["excess"] > 0 and damage.is_doomed(state, cards, hurt):
        first, second = behind(state, hurt)
        if second != NOBODY:
            state["phase"] = Phase.TARGET
            state["aim"] = Aim.PASS
            state["seat"] = side_of(giver)
            return
        if first != NOBODY:
            pass_on(state, cards, first)
            return
        damage.note(state, giver, Ability.RELENTLESS)
        players.hurt_player(state, cards, side_of(hurt), state["excess"], Wound.PASS)
        damage.note_damage(state, cards, giver_of(state, giver), state["excess"])
    if state["blow"] == Blow.STRIKE:
        state["step"] = Step.ANSWER
    elif state["blow"] == Blow.ANSWER:
        state["step"] = Step.EXCHANGED
    else:
        state["step"] = Step.OPPORTUNITY


@kernel
def behind(state: Record, hurt: int) -> tuple[int, int]:
    """RIFT-65. The one or two creatures behind a creature, in the order of their row; NOBODY if there are none."""
    seat, first, second = side_of(hurt), NOBODY, NOBODY
    for row in range(state["row"][hurt] + 1, ROWS):
        for index in range(state["row_len"][seat, row]):
            g = state["grid"][seat, row, index]
            if placement.aside(state, hurt, g) < placement.TILE:
                if first == NOBODY:
                    first = g
                else:
                    second = g
        if first != NOBODY:
            break
    return first, second


@kernel
def pass_on(state: Record, cards: Record, g: int) -> None:
    """RIFT-65. The excess of a blow hits a creature behind."""
    giver = state["giver"]
    damage.note(state, giver, Ability.RELENTLESS)
    magic = state["blow"] == Blow.STRIKE and power(state, giver, Ability.MAGIC) > 0
    damage.turn_up(state, cards, g)
    points = damage.resisted(state, cards, g, state["excess"], magic)
    excess = damage.hit(state, cards, g, points, Harm.PASS)
    damage.credit_blow(state, cards, g, giver_of(state, giver), points, earns(state, cards))
    begin_blow(state, state["blow"], giver, g, excess)


@kernel
def earns(state: Record, cards: Record) -> bool:
    """RIFT-44, 48, 73. Whether kills of the current blow give experience."""
    if state["blow"] == Blow.OPPORTUNITY:
        return cards["aoo_xp"] == 1
    return state["blow"] == Blow.STRIKE


@kernel
def answer(state: Record, cards: Record) -> None:
    """RIFT-46 (f), (g), 47, RA-14. SIPHON, the end of the game, then the retaliation of the target."""
    attacker, target = state["user"], state["target"]
    if power(state, attacker, Ability.SIPHON) == 0:
        state["siphoned"] = 0
    if cards["siphon_timing"] == SiphonTiming.STRIKE:
        siphon(state, attacker)
    if players.end_if_lost(state, cards):
        return
    state["step"] = Step.EXCHANGED
    if state["answers"] == 0 or power(state, target, Ability.DORMANT) > 0:
        return
    if cards["dead_retaliate"] == 0 and damage.is_doomed(state, cards, target):
        return
    without = 0 if cards["rage_before_retaliation"] else state["raged"]
    points = halved(state, cards, target, max(0, damage.strength_of(state, cards, target) - without))
    points = damage.resisted(state, cards, attacker, past_block(state, attacker, target, points), False)
    state["answer_damage"][side_of(target)] += points
    excess = damage.hit(state, cards, attacker, points, Harm.ANSWER)
    damage.credit_blow(state, cards, attacker, giver_of(state, target), points, False)
    begin_blow(state, Blow.ANSWER, target, attacker, excess)


@kernel
def take_siphon(state: Record, cards: Record, points: int, effective: int) -> None:
    """RIFT-105, RA-18. Damage of a strike that SIPHON heals: all of it, or the part that reduced life."""
    state["siphoned"] = points if cards["siphon_counts"] == SiphonCounts.FULL else effective


@kernel
def siphon(state: Record, attacker: int) -> None:
    """RIFT-105. Heal the damage of the strike."""
    if damage.heal(state, attacker, state["siphoned"]) > 0:
        damage.note(state, attacker, Ability.SIPHON)


@kernel
def halved(state: Record, cards: Record, g: int, attack: int) -> int:
    """RIFT-43, 47, 114, 124. Damage of retaliation or opportunity: half the Attack, all of it with VANGUARD."""
    if power(state, g, Ability.VANGUARD) > 0:
        if attack > 0:
            damage.note(state, g, Ability.VANGUARD)
        return attack
    return attack // int(cards["divisor"])


@kernel
def past_block(state: Record, attacker: int, target: int, points: int) -> int:
    """RIFT-47 (b), 81, 96. Damage of retaliation after the attacker's BLOCK."""
    if points == 0 or power(state, attacker, Ability.BLOCK) == 0:
        return points
    passed = min(points, power(state, target, Ability.PIERCE))
    if passed > 0:
        damage.note(state, target, Ability.PIERCE)
    if passed < points:
        damage.note(state, attacker, Ability.BLOCK)
    return passed


@kernel
def close_exchange(state: Record, cards: Record) -> None:
    """RIFT-48. Deaths and experience, then waiting tricks."""
    if players.end_if_lost(state, cards):
        return
    attacker = state["user"]
    if cards["siphon_timing"] == SiphonTiming.EXCHANGE:
        siphon(state, attacker)
    damage.settle(state, cards, attacker)
    state["step"] = Step.TRICKS
    state["after_tricks"] = Step.SECOND


@kernel
def give_opportunity(state: Record, cards: Record) -> None:
    """RIFT-42, 43. The next attack of opportunity on the creature that moved; after the last one RIFT-70."""
    if players.end_if_lost(state, cards):
        return
    mover, giver = state["user"], next_giver(state)
    if giver == NOBODY:
        damage.settle(state, cards, NOBODY)
        damage.await_tricks(state, Step.MAIN)
        return
    state["givers"] ^= np.uint16(1 << (giver % CREATURES))
    points = halved(state, cards, giver, damage.attack_of(state, cards, giver))
    if points == 0:
        return
    damage.turn_up(state, cards, giver)
    damage.turn_up(state, cards, mover)
    points = damage.resisted(state, cards, mover, points, False)
    state["opportunity_damage"][side_of(giver)] += points
    excess = damage.hit(state, cards, mover, points, Harm.OPPORTUNITY)
    damage.credit_blow(state, cards, mover, giver_of(state, giver), points, cards["aoo_xp"] == 1)
    begin_blow(state, Blow.OPPORTUNITY, giver, mover, excess)


@kernel
def next_giver(state: Record) -> int:
    """RIFT-42. The next enemy that makes an attack of opportunity, in order of row, index; NOBODY."""
    if state["givers"] == 0:
        return NOBODY
    enemy = 1 - side_of(state["user"])
    for row in range(ROWS):
        for index in range(state["row_len"][enemy, row]):
            g = state["grid"][enemy, row, index]
            if (state["givers"] >> np.uint16(g % CREATURES)) & np.uint16(1):
                return g
    return NOBODY


# Moves and other Actions (RIFT-40 to 42, 82, 90, 94)


@kernel
def use(state: Record, cards: Record, code: int) -> None:
    """CREATURE. Carry out a Move or an Action of the selected creature."""
    g = state["user"]
    state["phase"] = Phase.GOING
    if code < ATTACK:
        move(state, cards, g, creature_of(state, code))
        return
    if code <= ATTACK_PLAYER:
        declare(state, cards, code)
        return
    damage.turn_up(state, cards, g)
    spend_action(state, g)
    state["step"] = Step.ACTED
    if code == CHARM:
        ask_target(state, Aim.CHARM)
    elif code == HEAL:
        ask_target(state, Aim.HEAL)
    elif code == PACIFY:
        ask_target(state, Aim.PACIFY)
    elif code == MORALE:
        damage.note(state, g, Ability.MORALE)
        state["morale"][g] = MoraleStart.HEALTH if state["morale"][g] == MoraleStart.ATTACK else MoraleStart.ATTACK
        damage.lend(state, cards)
    elif code == READY:
        damage.note(state, g, Ability.READY)
        state["ready"][g] = saturated(state["ready"][g] + power(state, g, Ability.READY))
    elif code == SPELL:
        damage.note(state, g, Ability.SPELL)
        state["list_owner"] = side_of(g)
        begin_list(state, state["card"][g], List.MAIN, g, Step.ACTED)
    elif code == SUMMON:
        damage.note(state, g, Ability.SUMMON)
        token = cards["summon"][state["card"][g]]
        begin_summon(state, g, token, power(state, g, Ability.SUMMON), Step.ACTED)
    else:
        transform(state, cards, g)


@kernel
def ask_target(state: Record, aim: int) -> None:
    """Ask the active player for the target of an Action or a Weapon. aim: Aim."""
    state["phase"] = Phase.TARGET
    state["aim"] = aim
    state["seat"] = state["active"]


@kernel
def action_targets(state: Record, cards: Record) -> np.uint32:
    """RIFT-82, 90, 94. Creatures that CHARM, PACIFY or HEAL of the selected creature can target, as bits."""
    g, found = state["user"], np.uint32(0)
    healing = state["aim"] == Aim.HEAL
    for other in range(ALL):
        if state["card"][other] == NOBODY or (side_of(other) == side_of(g)) != healing:
            continue
        if placement.distance(state, g, other) == 1 if healing else placement.are_adjacent(state, cards, g, other):
            found = with_bit(found, other)
    return found


@kernel
def act_on_target(state: Record, cards: Record, code: int) -> None:
    """RIFT-82, 90, 94. CHARM, PACIFY or HEAL on the chosen target."""
    g = state["user"]
    state["phase"] = Phase.GOING
    if state["aim"] == Aim.HEAL:
        damage.note(state, g, Ability.HEAL)
        if code == OWN_PLAYER:
            players.heal_player(state, cards, side_of(g), power(state, g, Ability.HEAL))
        else:
            damage.heal(state, creature_of(state, code), power(state, g, Ability.HEAL))
    elif state["aim"] == Aim.CHARM:
        damage.note(state, g, Ability.CHARM)
        state["charm"][creature_of(state, code)] |= WAITING
    else:
        damage.note(state, g, Ability.PACIFY)
        state["pacify"][creature_of(state, code)] |= WAITING


@kernel
def move(state: Record, cards: Record, g: int, partner: int) -> None:
    """RIFT-40 to 42. Swap; enemies that were adjacent and no longer are make an attack of opportunity."""
    before = enemies_beside(state, cards, g)
    placement.change_places(state, g, partner)
    damage.lend_swapped(state, cards, g, partner)
    if state["swaps"][g] > 0:
        damage.note(state, g, Ability.DASH)
    state["swaps"][g] += 1
    state["givers"] = before & ~enemies_beside(state, cards, g) if before != 0 else before
    state["step"] = Step.OPPORTUNITY
    give_opportunity(state, cards)


@kernel
def enemies_touching(state: Record, g: int) -> np.uint16:
    """RIFT-34. As `enemies_beside` if only front rows touch: at most two enemies, in the half columns of the creature."""
    found = np.uint16(0)
    if state["row"][g] > 0:
        return found
    for half in range(placement.HALVES):
        other = placement.in_contact_at(state, g, half)
        if other != NOBODY and state["row"][other] == 0 and power(state, other, Ability.DORMANT) == 0:
            found |= np.uint16(1 << (other % CREATURES))
    return found


@kernel
def enemies_beside(state: Record, cards: Record, g: int) -> np.uint16:
    """RIFT-34, 85. Adjacent enemies that can make an attack of opportunity, as bits."""
    found, enemy = np.uint16(0), 1 - side_of(g)
    if cards["adjacent_enemies"] == AdjacentEnemies.TOUCHING:
        return enemies_touching(state, g)
    for k in range(CREATURES):
        other = enemy * CREATURES + k
        if state["card"][other] == NOBODY or power(state, other, Ability.DORMANT) > 0:
            continue
        if placement.are_adjacent(state, cards, g, other):
            found |= np.uint16(1 << k)
    return found


@kernel
def finish_action(state: Record, cards: Record) -> None:
    """RIFT-70, 117. An Action is complete: death check, waiting tricks."""
    damage.settle(state, cards, NOBODY)
    damage.await_tricks(state, Step.MAIN)


# Weapons (RIFT-52)


@kernel
def can_use_weapon(state: Record, cards: Record, seat: int, weapon: int) -> bool:
    """RIFT-52, RA-30. Whether a Weapon exists, can be used this turn and has a target."""
    if state["weapon"][seat, weapon] == NOBODY:
        return False
    if state["weapon_used"][seat, weapon] and cards["weapon_uses"] == WeaponUses.ONCE:
        return False
    return weapon_targets(state, cards, seat, weapon) != 0


@kernel
def weapon_targets(state: Record, cards: Record, seat: int, weapon: int) -> np.uint32:
    """RIFT-52. Creatures that a Weapon can hit, as bits."""
    found, card = np.uint32(0), state["weapon"][seat, weapon]
    for row in range(ROWS):
        for index in range(state["row_len"][1 - seat, row]):
            target = state["grid"][1 - seat, row, index]
            if placement.weapon_reaches(state, cards, card, target):
                found = with_bit(found, target)
    return found


@kernel
def wield(state: Record, cards: Record, code: int) -> None:
    """RIFT-52. Hit the target with a Weapon, which loses a use."""
    seat, weapon = state["active"], state["user"]
    target = creature_at(state, seat, code)
    card = state["weapon"][seat, weapon]
    damage.turn_up(state, cards, target)
    magic = cards["ability"][card, Ability.MAGIC] > 0
    points = damage.resisted(state, cards, target, cards["attack"][card], magic)
    damage.hit(state, cards, target, points, Harm.WEAPON)
    damage.credit_blow(state, cards, target, (seat, card), points, True)
    state["weapon_used"][seat, weapon] = 1
    state["uses"][seat, weapon] -= 1
    if state["uses"][seat, weapon] == 0:
        break_weapon(state, seat, weapon)
        players.discard(state, seat, card, players.is_depleted(cards, card))
    damage.settle(state, cards, NOBODY)
    state["phase"] = Phase.GOING
    damage.await_tricks(state, Step.MAIN)


@kernel
def break_weapon(state: Record, seat: int, weapon: int) -> None:
    """RIFT-52, 121. Remove a used-up Weapon; later ones move up."""
    for at in range(weapon, WEAPONS - 1):
        state["weapon"][seat, at] = state["weapon"][seat, at + 1]
        state["uses"][seat, at] = state["uses"][seat, at + 1]
        state["weapon_used"][seat, at] = state["weapon_used"][seat, at + 1]
    state["weapon"][seat, WEAPONS - 1] = NOBODY
    state["uses"][seat, WEAPONS - 1] = 0
    state["weapon_used"][seat, WEAPONS - 1] = 0
