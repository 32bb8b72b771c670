"""How a combat will end, from the exact chances of attacks in a row (register section 7)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.codes import Effect
from sim.games.cardrogue.decisions import Step
from sim.games.cardrogue.engage import target_of
from sim.games.cardrogue.grid import monster_at, neighbour, next_cell, opens
from sim.games.cardrogue.holding import armour, attack_mod, max_health, worn_faces
from sim.games.cardrogue.record import ATTACKS_MAX, HEALTH_SPAN, MOD_LOWEST, MODS
from sim.games.cardrogue.state import DIRECTIONS, MONSTER, NOBODY, NOWHERE, SEATS, Down
from sim.games.cardrogue.worth import BOSS_POINT, HEALTH, WARE, assets, count_faces, mean_attack, weapon_of

FACES = 6.0
DEATH = 1.0  # what dying costs besides the cards: the way back; health comes back with it
VICTORY = 0.8  # what slaying any enemy brings besides its card: it opens the way
COMPANY = 0.5  # how much each other player counts on whom one may hope against a boss
DEATH_IN_RUSH = 8.0  # then one is out, and alone the game is lost
ASSETS_LOST = 1.0  # share of what one has that a death takes
WOUND = 0.5  # of what lost health is worth: it comes back with luck
PATIENCE = 5.0  # turns without progress after which players begin to dare more
QUIET = 15.0  # turns until they dare everything: before all forfeit (ROGUE-114)
RELAY = 2.0  # how many times as much, once they dare everything: who falls comes back while others hold the enemy
EAGER = 1.0  # to fight on rather than to run and come back, when one dares everything
SOME_DAY = 0.5  # health a turn that an enemy costs which attacks somebody else: its turn to attack one may come
ESCAPES = 0.75  # a lost fight is not always fought to the end


@kernel
def loss_per_turn(cards: Record, kind: int, mod: int, less: int) -> float:
    """Mean health that an enemy takes off a player per turn, its poison included."""
    value = np.int64(cards["attack"][kind]) + 0.0
    if cards["attack_die"][kind] > 0:
        value = 3.5 * cards["attack_die"][kind]
    loss = max(0.0, value + mod - less)
    if cards["status_effect"][kind] != Effect.NONE:
        loss += count_faces(np.int64(cards["status_faces"][kind])) / FACES
    return loss


@kernel
def worth_of_victory(state: Record, cards: Record, seat: int, kind: int) -> float:
    """What slaying an enemy brings: its loot or its points; a second card of a group costs the first."""
    value = WARE * cards["gold"][kind] + VICTORY
    if cards["vp"][kind] > 0:
        value += BOSS_POINT * cards["vp"][kind]
        if cards["cancel_group"][kind] > 0:
            for number in range(np.int64(cards["enemies"])):
                other = np.int64(cards["enemy_type"][number])
                if other != kind and cards["cancel_group"][other] == cards["cancel_group"][kind]:
                    value -= 2.0 * BOSS_POINT * cards["vp"][other] * state["hand"][seat, other]
    if state["seats"] == 1 and cards["goals"] & cards["goal_bit"][kind] & ~state["goals_done"]:
        value += BOSS_POINT
    return value


@kernel
def chance_to_slay(cards: Record, weapon: int, mod: int, attacks: int, health: float) -> float:
    """Chance that so many attacks in a row do that much damage at least."""
    n, h = min(ATTACKS_MAX, max(0, attacks)), min(HEALTH_SPAN - 1, max(0, int(np.ceil(health))))
    return cards["reach_chance"][weapon, min(MODS - 1, max(0, mod - MOD_LOWEST)), n, h]


@kernel
def attacks_left(health: float, loss: float, struck: bool) -> int:
    """Own attacks before one is dead, losing `loss` a turn; struck: this turn's attack is done."""
    turns = ATTACKS_MAX if loss <= 0.0 else int(np.ceil(health / loss))
    return min(ATTACKS_MAX, turns - 1 if struck else turns)


@kernel
def block_share(state: Record, cards: Record, seat: int) -> float:
    """Share of the turns in which a shield stops the enemies."""
    return count_faces(worn_faces(state, cards, seat, cards["block_faces"])) / FACES


@kernel
def fighting_mod(state: Record, cards: Record, seat: int) -> np.int64:
    """Attack modifier in a fight now, rage included."""
    mod, character = np.int64(attack_mod(state, cards, seat)), np.int64(state["character"][seat])
    if state["health"][seat] <= cards["rage_at_most"][character]:
        mod += cards["rage"][character]
    return mod


@kernel
def toughness(cards: Record, kind: int, health: int, attacks: int) -> float:
    """Damage that an enemy takes to slay: its health, what it heals, what it dodges."""
    dodged = count_faces(np.int64(cards["dodge_faces"][kind])) / FACES
    healed = cards["heal_each_turn"][kind] * (min(attacks, 3) - 1) if attacks > 1 else 0
    return (health + healed) / max(0.2, 1.0 - dodged)


@kernel
def daring(state: Record, seat: int) -> float:
    """How far a player has come to dare what it would not: 0, and 1 after QUIET more turns without progress."""
    return min(1.0, max(0.0, (state["quiet"][seat] - PATIENCE) / QUIET))


@kernel
def cost_of_death(state: Record, cards: Record, seat: int) -> float:
    """What dying would cost; outside the end rush it gives full health back, so that the weak have little to lose."""
    fixed = DEATH_IN_RUSH if state["rush"] or state["seats"] == 1 else DEATH
    cost = (1.0 - daring(state, seat)) * (fixed + ASSETS_LOST * assets(state, cards, seat))
    if state["rush"] or state["seats"] == 1:
        return cost
    return cost - HEALTH * max(0.0, 1.0 - state["health"][seat] / float(max_health(state, cards, seat)))


@kernel
def slaying_chance(state: Record, cards: Record, seat: int, kind: int, health: int, attacks: int) -> float:
    """Chance to slay one enemy in so many attacks."""
    weapon, mod = weapon_of(state, cards, seat), fighting_mod(state, cards, seat)
    if cards["single_turn"][kind]:
        once, missed = chance_to_slay(cards, weapon, mod, 1, health), 1.0
        for _ in range(attacks):  # not by **, which rounds otherwise when compiled
            missed *= 1.0 - once
        return 1.0 - missed
    return chance_to_slay(cards, weapon, mod, attacks, toughness(cards, kind, health, attacks))


@kernel
def outlook(state: Record, cards: Record, seat: int, cell: int, sides: int, joined: bool) -> float:
    """What a combat with the enemies on these sides of a cell will bring: victory or death, health lost on the way.

    sides: bits 1 << direction; joined: whether the player is in it already, else it would begin when coming there.
    """
    loss, health, kind, value, helped = 0.0, 0.0, np.int64(0), 0.0, 1.0
    less = armour(state, cards, seat)
    for direction in range(DIRECTIONS):
        if not opens(sides, direction):
            continue
        slot = monster_at(state, neighbour(cards, cell, direction))
        kind = np.int64(state["enemy_type"][slot])
        health += state["enemy_health"][slot] - min(state["enemy_poison"][slot], 2)
        value += worth_of_victory(state, cards, seat, kind)
        helped = max(helped, company(state, cards, seat, slot, fighters_with(state, slot, seat)))
        target = target_of(state, slot)
        if target not in (seat, NOBODY):
            loss += SOME_DAY
        elif state["enemy_paralysed"][slot] == 0:
            loss += loss_per_turn(cards, kind, np.int64(state["enemy_mod"][slot]), less)
    loss *= 1.0 - block_share(state, cards, seat)
    attacks = int(own_attacks(state, seat, loss, joined) * helped)
    chance = slaying_chance(state, cards, seat, kind, health, attacks)
    return fight_worth(state, cards, seat, (chance, value, loss, health))


@kernel
def own_attacks(state: Record, seat: int, loss: float, joined: bool) -> int:
    """Attacks that a player will make before it is dead, losing `loss` a turn."""
    struck = joined and state["step"] == Step.STRUCK and state["active"] == seat
    health = state["health"][seat] - (state["poison"][seat] if state["antidote"][seat] == 0 else 0)
    return max(0, attacks_left(max(1, health), loss, struck) - state["skip"][seat])


@kernel
def fight_worth(state: Record, cards: Record, seat: int, fight: tuple[float, float, float, float]) -> float:
    """Victory with its wounds against death. fight: chance to win, worth of it, health lost a turn, the enemies' health."""
    chance, value, loss, health = fight
    mean = max(0.5, mean_attack(cards, weapon_of(state, cards, seat), fighting_mod(state, cards, seat)))
    wounds = min(state["health"][seat] - 1.0, loss * max(0.0, health / mean - 0.5))
    bold = daring(state, seat)
    hurt = WOUND * (1.0 - bold) * HEALTH * wounds / max_health(state, cards, seat)
    return chance * (value - hurt + EAGER * bold) - (1.0 - chance) * ESCAPES * cost_of_death(state, cards, seat)


@kernel
def company(state: Record, cards: Record, seat: int, slot: int, fighters: int) -> float:
    """How many times as many attacks an enemy will meet as one player makes: those who fight it, and hope against a boss."""
    if not cards["boss"][state["enemy_type"][slot]] or state["rush"]:
        return float(max(1, fighters))
    if berths(state, cards, slot) == 1:
        return 1.0
    hoped = 1.0 + COMPANY * (state["seats"] - 1) * (1.0 + RELAY * daring(state, seat))
    return max(float(max(1, fighters)), hoped)


@kernel
def berths(state: Record, cards: Record, slot: int) -> int:
    """Face-up cells from which an enemy can be fought."""
    count, cell = 0, np.int64(state["enemy_cell"][slot])
    for direction in range(DIRECTIONS):
        there = next_cell(state, cards, cell, direction)
        if there != NOWHERE and state["down"][there] == Down.NO and state["on"][there] < MONSTER:
            count += 1
    return count


@kernel
def fighters_with(state: Record, slot: int, seat: int) -> int:
    """How many players are in combat with an enemy once `seat` is."""
    count = 1
    for place in range(SEATS):
        count += state["order"][slot, place] not in (NOBODY, seat)
    return count
