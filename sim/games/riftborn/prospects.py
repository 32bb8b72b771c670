"""What half-made decisions promise: the best that can still come of them, in the units of `values`.

Without it a player that looks one decision ahead would see nothing in taking a creature in hand or in paying for a Spell.
"""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.bits import has, without
from sim.games.riftborn.exchanges import NOTHING, best_attack, deadly_damage, hurt_worth, resisting
from sim.games.riftborn.geometry import (
    are_adjacent,
    distance,
    power,
    weapon_reaches,
)
from sim.games.riftborn.lists import available, entry_of, open_rows
from sim.games.riftborn.record import Ability, Op, Token
from sim.games.riftborn.state import ALL, CREATURES, NOBODY, ROWS, SEATS, side_of
from sim.games.riftborn.stats import attack_of, health_of
from sim.games.riftborn.terms import Aim, Phase
from sim.games.riftborn.uses import (
    CHARM,
    HEAL,
    MORALE,
    PACIFY,
    READY,
    SUMMON,
    TRANSFORM,
    can_act,
    can_attack,
    has_use,
    is_rearmost,
)
from sim.games.riftborn.values import (
    ATTACK,
    CHARMED,
    HEALTH,
    LIFE,
    PACIFIED,
    XP,
    body_worth,
    card_body_worth,
    creature_worth,
)
from sim.games.riftborn.values import READY as READY_WORTH

SWAP_ONLY = -0.1  # a Move for its own sake
SWITCH = 0.1  # of MORALE
ACTION = 2.5  # a SPELL action
WOKEN = 0.5  # of the worth of a creature, for losing DORMANT


@kernel
def promise(state: Record, cards: Record, seat: int) -> float:
    """Best that can come of the decision pending, if it is the seat's own and half-made; 0 elsewhere."""
    if state["seat"] != seat:
        return 0.0
    phase = state["phase"]
    if phase == Phase.PLACE:
        return card_body_worth(cards, np.int64(state["entrant"]))
    if phase == Phase.CREATURE:
        return best_use(state, cards, np.int64(state["user"]))
    if phase == Phase.TARGET:
        return best_target(state, cards)
    if phase == Phase.ROW:
        return best_row(state, cards)
    return 0.0


@kernel
def best_use(state: Record, cards: Record, g: int) -> float:
    """Best Move or Action of a creature."""
    best = SWAP_ONLY
    if not can_act(state, g):
        return best
    if can_attack(state, g):
        best = max(best, best_attack(state, cards, g))
    for code in range(CHARM, TRANSFORM + 1):
        if has_use(state, cards, g, code):
            best = max(best, use_worth(state, cards, g, code))
    return best


@kernel
def use_worth(state: Record, cards: Record, g: int, code: int) -> float:
    """What an Action that is no attack brings."""
    if code == CHARM:
        return best_beside(state, cards, g, ATTACK * (1 - CHARMED))
    if code == PACIFY:
        return best_beside(state, cards, g, ATTACK * (1 - PACIFIED))
    if code == HEAL:
        return best_heal(state, cards, g)
    if code == MORALE:
        return SWITCH
    if code == READY:
        return READY_WORTH * power(state, g, Ability.READY)
    if code == SUMMON:
        token = np.int64(cards["summon"][state["card"][g]])
        return power(state, g, Ability.SUMMON) * (card_body_worth(cards, token) + XP * cards["xp"][token])
    if code == TRANSFORM:
        return card_body_worth(cards, np.int64(cards["transform"][state["card"][g]])) - creature_worth(state, cards, g)
    return ACTION


@kernel
def best_beside(state: Record, cards: Record, g: int, factor: float) -> float:
    """Highest Attack of an adjacent enemy that still acts, times a factor."""
    best, enemy = NOTHING, 1 - side_of(g)
    for other in range(enemy * CREATURES, enemy * CREATURES + CREATURES):
        if state["card"][other] != NOBODY and are_adjacent(state, cards, g, np.int64(other)):
            idle = state["charm"][other] | state["pacify"][other]
            best = max(best, 0.0 if idle else factor * attack_of(state, cards, np.int64(other)))
    return best


@kernel
def best_heal(state: Record, cards: Record, g: int) -> float:
    """Most that HEAL can repair, of a friend or, from the rear-most row, of the player; NOTHING where it has no target."""
    x, seat, best = power(state, g, Ability.HEAL), side_of(g), NOTHING
    if is_rearmost(state, g):
        best = LIFE * min(x, np.int64(cards["start_life"]) - np.int64(state["life"][seat]))
    for other in range(seat * CREATURES, seat * CREATURES + CREATURES):
        if state["card"][other] != NOBODY and distance(state, g, np.int64(other)) == 1:
            best = max(best, HEALTH * min(x, np.int64(state["damage"][other])))
    return best


@kernel
def best_target(state: Record, cards: Record) -> float:
    """Best target of the TARGET decision pending."""
    aim, user, seat = state["aim"], np.int64(state["user"]), np.int64(state["seat"])
    if aim == Aim.CHARM:
        return use_worth(state, cards, user, CHARM)
    if aim == Aim.PACIFY:
        return use_worth(state, cards, user, PACIFY)
    if aim == Aim.HEAL:
        return best_heal(state, cards, user)
    if aim == Aim.RETARGET:
        return best_attack(state, cards, user)
    if aim == Aim.WEAPON:
        return best_weapon(state, cards, seat, np.int64(state["weapon"][seat, user]))
    return best_effect(state, cards) if aim == Aim.EFFECT else 0.0


@kernel
def best_weapon(state: Record, cards: Record, seat: int, card: int) -> float:
    """Best hit of a Weapon."""
    best, enemy = NOTHING, 1 - seat
    for g in range(enemy * CREATURES, enemy * CREATURES + CREATURES):
        if state["card"][g] == NOBODY or not weapon_reaches(state, cards, card, np.int64(g)):
            continue
        points = resisting(
            state, np.int64(g), np.int64(cards["attack"][card]), cards["ability"][card, Ability.MAGIC] > 0
        )
        worth = hurt_worth(state, cards, np.int64(g), points)
        if points >= deadly_damage(state, cards, np.int64(g)) and power(state, np.int64(g), Ability.UNDEATH) == 0:
            worth += XP * cards["xp"][state["card"][g]]
        best = max(best, worth)
    return best


@kernel
def best_effect(state: Record, cards: Record) -> float:
    """Best choice of the targets that an effect still asks for."""
    place, worth = entry_of(state), 0.0
    for g in range(ALL):
        if has(np.uint32(state["chosen"]), g):
            worth += effect_worth(state, cards, place, np.int64(g))
    left = available(state, cards, place)
    for _ in range(np.int64(state["to_choose"])):
        best, at = NOTHING, NOBODY
        for g in range(ALL):
            if has(left, g):
                one = effect_worth(state, cards, place, np.int64(g))
                if one > best:
                    best, at = one, g
        if at != NOBODY:
            worth += best
            left = without(left, at)
    return worth


@kernel
def best_row(state: Record, cards: Record) -> float:
    """Best row for the effect pending."""
    place, owner, best = entry_of(state), np.int64(state["list_owner"]), NOTHING
    rows = open_rows(state, cards, place)
    for row in range(SEATS * ROWS):
        if (rows >> row) & 1:
            side, worth = owner if row >= ROWS else 1 - owner, 0.0
            for index in range(np.int64(state["row_len"][side, row % ROWS])):
                worth += effect_worth(state, cards, place, np.int64(state["grid"][side, row % ROWS, index]))
            best = max(best, worth)
    return best


@kernel
def effect_worth(state: Record, cards: Record, place: tuple[int, int, int], g: int) -> float:
    """What one entry on one creature is worth to the owner of the list."""
    worth = changed_worth(state, cards, place, g)
    return worth if side_of(g) == state["list_owner"] else -worth


@kernel
def changed_worth(state: Record, cards: Record, place: tuple[int, int, int], g: int) -> float:
    """What one entry on one creature is worth to the creature's controller."""
    op, n = cards["op"][place], np.int64(cards["n"][place])
    attack, left = attack_of(state, cards, g), health_of(state, cards, g) - np.int64(state["damage"][g])
    before = creature_worth(state, cards, g)
    if op == Op.DAMAGE:
        return -hurt_worth(state, cards, g, n)
    if op == Op.DESTROY:
        return -hurt_worth(state, cards, g, left)
    if op == Op.HEAL:
        return HEALTH * min(n, np.int64(state["damage"][g]))
    if op == Op.ADD:
        return token_worth(state, g, np.int64(cards["token"][place]), n, (attack, left)) - before
    if op == Op.CHARM:
        return -ATTACK * (1 - CHARMED) * attack
    if op == Op.PACIFY:
        return -ATTACK * (1 - PACIFIED) * attack
    if op == Op.GRANT and cards["granted"][place] == Ability.SWARM and power(state, g, Ability.SWARM) == 0:
        more = np.int64(cards["granted_x"][place]) - 1
        printed = state["card"][g]
        return more * (ATTACK * cards["attack"][printed] + HEALTH * cards["health"][printed])
    if op == Op.LOSE and cards["granted"][place] == Ability.DORMANT and power(state, g, Ability.DORMANT) > 0:
        return WOKEN * before
    return 0.0


@kernel
def token_worth(state: Record, g: int, token: int, n: int, now: tuple[int, int]) -> float:
    """Worth of a creature once it has n more tokens of a kind. now: Attack, Health left."""
    attack, left = now
    if token == Token.RAGE:
        attack += n
    elif token == Token.WEAKNESS:
        attack = max(0, attack - n)
    elif token == Token.DECAY:
        left -= n
    else:
        left += n
    if left <= 0 and power(state, g, Ability.UNDEATH) == 0:
        return 0.0
    return body_worth(state, g, attack, left)
