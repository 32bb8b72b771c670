"""What attacks promise: what both creatures of an exchange lose by it, in the units of `values`."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.geometry import (
    HALVES,
    in_contact_at,
    is_answered,
    is_short,
    power,
    reach,
    reach_player,
)
from sim.games.riftborn.record import Ability
from sim.games.riftborn.state import NOBODY, ROWS, side_of
from sim.games.riftborn.stats import attack_less, attack_of, health_of
from sim.games.riftborn.terms import Reach
from sim.games.riftborn.values import ATTACK, HEALTH, LIFE, RETURNING, XP, creature_worth, vigilance
from sim.games.riftborn.values import READY as READY_WORTH

NOTHING = -1e9  # nothing can be done at all


@kernel
def best_attack(state: Record, cards: Record, g: int) -> float:
    """Best attack of a creature; NOTHING where nobody is in reach."""
    best = NOTHING
    if reach_player(state, cards, g) != Reach.NONE:
        strikes = 2.0 if power(state, g, Ability.DOUBLE_ATTACK) > 0 else 1.0
        points = attack_of(state, cards, g) * strikes + np.int64(state["ready"][g])
        best = LIFE * points - READY_WORTH * state["ready"][g]
    if is_short(state, cards, g):
        return max(best, best_contact(state, cards, g))
    enemy = 1 - side_of(g)
    for row in range(ROWS):
        for index in range(np.int64(state["row_len"][enemy, row])):
            best = max(best, attack_worth(state, cards, g, np.int64(state["grid"][enemy, row, index])))
    return best


@kernel
def best_contact(state: Record, cards: Record, g: int) -> float:
    """Best attack on the one or two enemies that a creature without RANGE and FLIGHT may attack."""
    best = NOTHING
    for half in range(HALVES):
        target = in_contact_at(state, g, np.int64(half))
        if target != NOBODY:
            best = max(best, attack_worth(state, cards, g, target))
    return best


@kernel
def attack_worth(state: Record, cards: Record, a: int, b: int) -> float:
    """What an attack of creature a on creature b brings; NOTHING where it is out of reach."""
    reached = reach(state, cards, a, b)
    return NOTHING if reached == Reach.NONE else exchange_worth(state, cards, a, b, is_answered(cards, reached))


@kernel
def exchange_worth(state: Record, cards: Record, a: int, b: int, answered: bool) -> float:
    """What an attack of creature a on creature b brings, tricks and pass-through to creatures left out.

    Two strikes of DOUBLE ATTACK count where b is not deadly hurt by the first; READY adds to the first alone (RIFT-99).
    """
    attack, magic = attack_of(state, cards, a), power(state, a, Ability.MAGIC) > 0
    first, second = resisting(state, b, attack + np.int64(state["ready"][a]), magic), np.int64(0)
    left, returns = deadly_damage(state, cards, b), power(state, b, Ability.UNDEATH) > 0
    twice = power(state, a, Ability.DOUBLE_ATTACK) > 0 and first < left
    if twice:
        second = resisting(state, b, attack, magic)
    points = first + second
    worth = hurt_worth(state, cards, b, points) - READY_WORTH * state["ready"][a]
    if points >= left and not returns:
        worth += XP * cards["xp"][state["card"][b]]
        if power(state, a, Ability.RELENTLESS) > 0:
            worth += LIFE * (points - left)
    elif first > 0 and second > 0:  # the Rage of one strike is in hurt_worth
        worth -= ATTACK * vigilance(state, b) * power(state, b, Ability.RAGE)
    if power(state, a, Ability.SIPHON) > 0:
        worth += HEALTH * min(points, np.int64(state["damage"][a]))
    if not answered or power(state, b, Ability.DORMANT) > 0:
        return worth
    once, late = gained_by(state, b, first), cards["rage_before_retaliation"] == 0
    answer = answer_points(state, cards, a, b, first, np.int64(0) if late else once)
    if twice:
        answer += answer_points(state, cards, a, b, points, once if late else once + gained_by(state, b, second))
    return worth - hurt_worth(state, cards, a, answer)


@kernel
def gained_by(state: Record, b: int, points: int) -> np.int64:
    """RIFT-97. Rage tokens that a creature gains by so much damage."""
    return power(state, b, Ability.RAGE) if points > 0 else np.int64(0)


@kernel
def answer_points(state: Record, cards: Record, a: int, b: int, taken: int, gained: int) -> np.int64:
    """RIFT-47. Damage of one answer of b to an attack of a. taken, gained: damage and Rage tokens of b by the attack so far."""
    if (
        cards["dead_retaliate"] == 0
        and taken >= deadly_damage(state, cards, b)
        and power(state, b, Ability.UNDEATH) == 0
    ):
        return np.int64(0)
    points = attack_less(state, cards, b, -gained)
    if power(state, b, Ability.VANGUARD) == 0:
        points //= np.int64(cards["divisor"])
    if power(state, a, Ability.BLOCK) > 0:
        points = min(points, power(state, b, Ability.PIERCE))
    return resisting(state, a, points, False)


@kernel
def deadly_damage(state: Record, cards: Record, g: int) -> np.int64:
    """Damage that leaves a creature deadly hurt: its Health left, and its Shield tokens."""
    return health_of(state, cards, g) - np.int64(state["damage"][g]) + np.int64(state["shield"][g])


@kernel
def resisting(state: Record, g: int, points: int, magic: bool) -> np.int64:
    """Damage that RESISTANCE lets through, without turning anybody up."""
    return np.int64(points // 2) if power(state, g, Ability.RESISTANCE) > 0 and not magic else np.int64(points)


@kernel
def hurt_worth(state: Record, cards: Record, g: int, points: int) -> float:
    """What a creature loses by so much damage."""
    rest = max(np.int64(0), points - np.int64(state["shield"][g]))
    left = health_of(state, cards, g) - np.int64(state["damage"][g])
    returns = power(state, g, Ability.UNDEATH) > 0
    if rest >= left and not returns:
        return creature_worth(state, cards, g)
    lost = HEALTH * (left - max(np.int64(1), left - rest))
    if points > 0:
        lost -= ATTACK * vigilance(state, g) * power(state, g, Ability.RAGE)
    return lost * RETURNING if returns else lost
