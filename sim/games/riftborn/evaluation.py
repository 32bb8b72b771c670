"""How good a position looks to a seat.

Worth is measured in life points of the opponent. Prospects, the best that can still come of a half-made decision, are part of
it: a player that looks one decision ahead would otherwise see no use in selecting a creature or in paying for a Spell.
"""

from enum import IntEnum

import numpy as np

from sim.engine.evaluation import chance_of
from sim.engine.game import WANTED
from sim.engine.jit import Record, kernel, scratch
from sim.games.riftborn.cards import ABILITIES, LEVELS, Ability, Kind, Op, Token
from sim.games.riftborn.rules.attack import (
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
from sim.games.riftborn.rules.damage import health_of, strength_of
from sim.games.riftborn.rules.effects import available, entry_of, open_rows
from sim.games.riftborn.rules.placement import (
    HALVES,
    are_adjacent,
    distance,
    in_contact_at,
    is_answered,
    is_short,
    reach,
    reach_player,
    weapon_reaches,
)
from sim.games.riftborn.rules.players import budget_of, tricks_laid
from sim.games.riftborn.state import ALL, CREATURES, NOBODY, ROWS, SEATS, WEAPONS, Aim, Phase, Reach, has, power, side_of, without


class Feature(IntEnum):
    """What a position is evaluated by, in the order of the weights."""

    EVEN = 0  # 1 in every position
    LIFE = 1  # points
    ARMOUR = 2  # points left
    WEAPONS = 3  # Attack times uses left
    EXPERIENCE = 4  # beyond what turns give
    LEVEL = 5  # with fractions, as if both had begun the same number of turns
    CREATURES = 6  # in play
    ATTACK = 7  # their Attack and stored READY; less for those that cannot attack
    HEALTH = 8  # their Health left
    ABILITIES = 9  # their abilities, by worth
    THREAT = 10  # Attack that reaches the opponent
    LETHAL = 11  # 1 if that would defeat the opponent
    RACE = 12  # threat as a share of the opponent's life and Armour, at most 1
    FRAILTY = 13  # frailty of the opponent less that of the player
    SHIELDS = 14  # Shield tokens of the player alone
    TRICKS = 15  # TRICK cards laid
    HAND = 16  # worth of the player's hand
    THEIR_HAND = 17  # number of cards in the opponent's hand, beyond those that turns give
    UNSPENT = 18  # levels that the player can still play this turn
    STRIKES = 19  # worth of the best attacks that the player can still make this turn
    DANGER = 20  # worth of the best attacks of the opponent, in its turn or the next one
    PROMISE = 21  # best result of the player's half-made decision


FEATURES = tuple(feature.name.lower() for feature in Feature)

_EACH, _SEAT = (ALL,), (SEATS,)

# What the evaluation works out about the creatures of both players, of those in play only.
ARMY = np.dtype(
    [
        ("strength", np.int64, _EACH),  # Attack before it is limited to 0 and more
        ("attack", np.int64, _EACH),  # Attack
        ("left", np.int64, _EACH),  # Health left
        ("vigilance", np.float64, _EACH),  # factor of its Attack, below 1 if it cannot attack
        ("skills", np.float64, _EACH),  # worth of its abilities
        ("best", np.float64, _EACH),  # its best attack, UNSEEN until it is asked for
        ("reaches", np.uint8, _EACH),  # 1: it can attack the opponent from its place
        ("returns", np.uint8, _EACH),  # 1: it has an unused UNDEATH
        # of all creatures of a seat: number, Attack, Health and abilities by worth; Attack that reaches the opponent
        ("bodies", np.float64, _SEAT),
        ("might", np.float64, _SEAT),
        ("health", np.float64, _SEAT),
        ("abilities", np.float64, _SEAT),
        ("threat", np.float64, _SEAT),
        ("row", np.float64, (len(FEATURES),)),  # the features of a seat
    ],
    align=True,
)

LIFE = 0.9  # a point of life
XP_WORTH = 1 / 150  # a point of experience
BODY = 1.0  # a creature
ATTACK = 1.2  # a point of Attack
HEALTH = 0.8  # a point of Health left
READY_WORTH = 0.9  # a point of stored READY
RETURNING = 1.3  # factor of a creature with unused UNDEATH
DORMANT, PACIFIST = 0.3, 0.5  # factors of the Attack of a creature that does not attack
CHARMED, PACIFIED = 0.6, 0.7  # factors of the Attack of a charmed or pacified creature
TOO_HIGH = 0.6  # factor of a card in hand for each level that it is too high, beyond one above the player's

_WORTH = {
    Ability.BLOCK: 1.0,
    Ability.FLIGHT: 1.0,
    Ability.MAGIC: 0.4,
    Ability.PIERCE: 0.2,
    Ability.RAGE: 0.6,
    Ability.RANGE: 0.6,
    Ability.REGEN: 0.6,
    Ability.RELENTLESS: 1.2,
    Ability.RESISTANCE: 1.6,
    Ability.SIPHON: 1.2,
    Ability.VANGUARD: 1.0,
    Ability.AURA: 0.6,
    Ability.CHARM: 1.0,
    Ability.DASH: 0.2,
    Ability.DOUBLE_ATTACK: 2.0,
    Ability.HEAL: 0.5,
    Ability.MORALE: 0.3,
    Ability.PACIFY: 1.2,
    Ability.READY: 0.3,
    Ability.SPELL: 1.2,
    Ability.STEALTH: 0.6,
    Ability.SUMMON: 2.0,
    Ability.TRANSFORM: 3.0,
    Ability.TRICK: 0.5,
}
ABILITY_WORTH = np.array([_WORTH.get(Ability(number), 0.0) for number in range(ABILITIES)])  # per X
PARTS = 10.0
TENTHS = np.round(ABILITY_WORTH * PARTS).astype(np.int32)  # integers, because the compiler adds several at a time
IN_HAND = 0.35  # share of its worth in play that a card has in hand, where it must still be paid for
ABILITY = 0.6  # an ability printed on a card, whatever it is
WEAPON_POINT = 0.5  # a point of a Weapon's Attack, for each use
ARMOUR_POINT = 0.8  # a point of Armour
SPELL_LEVEL = 2.0  # a level of a Spell


# Worth of creatures, cards in hand and players


def write_worth(row: np.void) -> None:
    """Write `hand_worth` and `skills` of all cards, after all other fields of the record."""
    cards = int(row["cards"])
    kind, attack, health = (row[field][:cards].astype(float) for field in ("kind", "attack", "health"))
    abilities = row["ability"][:cards]
    swarm = np.maximum(abilities[:, Ability.SWARM], 1)
    body = BODY + (ATTACK * attack + HEALTH * health) * swarm + ABILITY * np.count_nonzero(abilities, axis=1)
    worth = np.where((kind == Kind.CREATURE) | (kind == Kind.TOKEN), body, 0.0)
    worth[kind == Kind.WEAPON] = (WEAPON_POINT * attack * health)[kind == Kind.WEAPON]
    worth[kind == Kind.ARMOUR] = (ARMOUR_POINT * health)[kind == Kind.ARMOUR]
    worth[kind == Kind.SPELL] = (SPELL_LEVEL * row["level"][:cards])[kind == Kind.SPELL]
    worth *= IN_HAND
    row["skills"][:cards] = (abilities.astype(int) * TENTHS).sum(axis=1) / PARTS
    for level in range(LEVELS, -1, -1):  # of the player; the longer a card must wait for its level, the less it is worth
        row["hand_worth"][:cards, level] = worth
        worth[row["level"][:cards] > level] *= TOO_HIGH


@kernel
def judge(state: Record, cards: Record, army: Record) -> None:
    """Work out both players' creatures. army: one ARMY record, overwritten."""
    for seat in range(SEATS):
        bodies, might, health, abilities, threat = 0.0, 0.0, 0.0, 0.0, 0.0
        for row in range(ROWS):
            for index in range(state["row_len"][seat, row]):
                g = state["grid"][seat, row, index]
                judge_creature(state, cards, army, g)
                attack = army["attack"][g] + READY_WORTH / ATTACK * state["ready"][g]
                factor = RETURNING if army["returns"][g] else 1.0
                bodies += factor
                might += factor * attack * army["vigilance"][g]
                health += factor * army["left"][g]
                abilities += factor * army["skills"][g]
                if army["reaches"][g] and power(state, g, Ability.PACIFIST) == 0 and power(state, g, Ability.DORMANT) == 0:
                    threat += army["attack"][g] + state["ready"][g]
        army["bodies"][seat] = bodies
        army["might"][seat] = might
        army["health"][seat] = health
        army["abilities"][seat] = abilities
        army["threat"][seat] = threat


@kernel
def judge_creature(state: Record, cards: Record, army: Record, g: int) -> None:
    """Work out one creature."""
    strength = strength_of(state, cards, g)
    army["strength"][g] = strength
    army["attack"][g] = max(0, strength)
    army["left"][g] = health_of(state, cards, g) - state["damage"][g]
    army["returns"][g] = power(state, g, Ability.UNDEATH) > 0
    army["vigilance"][g] = vigilance(state, g)
    army["skills"][g] = ability_worth(state, cards, g)
    army["best"][g] = UNSEEN
    army["reaches"][g] = reach_player(state, cards, g) != Reach.NONE


@kernel
def creature_worth(state: Record, army: Record, g: int) -> float:
    """Worth of a creature as it is; few are asked for."""
    return body_worth(state, army, g, army["attack"][g], army["left"][g])


@kernel
def body_worth(state: Record, army: Record, g: int, attack: int, left: int) -> float:
    """Worth of a creature with this Attack and Health left."""
    might = (ATTACK * attack + READY_WORTH * state["ready"][g]) * army["vigilance"][g]
    worth = BODY + might + HEALTH * left + army["skills"][g]
    return float(worth * RETURNING if army["returns"][g] else worth)


@kernel
def ability_worth(state: Record, cards: Record, g: int) -> float:
    """Worth of a creature's own abilities; those printed on its card were added up when the card file was read."""
    if state["printed"][g]:
        return cards["skills"][state["card"][g]]
    tenths = np.int32(0)
    for ability in range(ABILITIES):
        tenths += TENTHS[ability] * np.int32(state["ability"][g, ability])
    return tenths / PARTS


@kernel
def card_body_worth(cards: Record, card: int) -> float:
    """Worth of a creature as printed."""
    size = max(1, cards["ability"][card, Ability.SWARM])
    attack, health = cards["attack"][card] * size, cards["health"][card] * size
    worth = BODY + ATTACK * attack + HEALTH * health
    for ability in range(ABILITIES):
        worth += ABILITY_WORTH[ability] * cards["ability"][card, ability]
    return worth * RETURNING if cards["ability"][card, Ability.UNDEATH] > 0 else worth


@kernel
def hand_worth(state: Record, cards: Record, seat: int) -> float:
    """Worth of a hand that the player sees; a card to be returned is worth the mean of the library."""
    worth, returned, level = 0.0, 0, state["level"][seat]
    choosing = state["first"] == NOBODY and state["seat"] == seat
    for at in range(state["hand_n"][seat]):
        if choosing and (state["returned"] >> np.uint16(at)) & np.uint16(1):
            returned += 1
        else:
            worth += cards["hand_worth"][state["hand"][seat, at], level]
    if returned > 0 and state["library_n"][seat] > 0:
        mean = 0.0
        for at in range(state["library_n"][seat]):
            mean += cards["hand_worth"][state["library"][seat, at], level]
        worth += returned * mean / state["library_n"][seat]
    return worth


@kernel
def vigilance(state: Record, g: int) -> float:
    """Factor of a creature's Attack, below 1 if it cannot attack."""
    if power(state, g, Ability.DORMANT) > 0:
        return DORMANT
    if power(state, g, Ability.PACIFIST) > 0:
        return PACIFIST
    if state["pacify"][g]:
        return PACIFIED
    return CHARMED if state["charm"][g] else 1.0


@kernel
def armour_of(state: Record, seat: int) -> float:
    """Points of Armour that a player has left."""
    return float(state["points"][seat].sum())


@kernel
def weapons_of(state: Record, cards: Record, seat: int) -> float:
    """Attack times uses left of a player's Weapons."""
    points = 0.0
    for at in range(WEAPONS):
        if state["weapon"][seat, at] == NOBODY:
            break
        points += state["uses"][seat, at] * cards["attack"][state["weapon"][seat, at]]
    return points


# Attacks: what both creatures lose

NOTHING = -1e9  # nothing can be done: never the best
UNSEEN = -2_000_000_000  # not worked out yet


@kernel
def best_attack(state: Record, cards: Record, army: Record, g: int) -> float:
    """Best attack of a creature, worked out when it is first asked for; NOTHING if no target is in reach."""
    if army["best"][g] == UNSEEN:
        army["best"][g] = find_best_attack(state, cards, army, g)
    return float(army["best"][g])


@kernel
def find_best_attack(state: Record, cards: Record, army: Record, g: int) -> float:
    """Work out the best attack of a creature."""
    best = NOTHING
    if army["reaches"][g]:
        strikes = 2.0 if power(state, g, Ability.DOUBLE_ATTACK) > 0 else 1.0
        points = army["attack"][g] * strikes + state["ready"][g]
        best = LIFE * points - READY_WORTH * state["ready"][g]
    if is_short(state, cards, g):  # it reaches at most two enemies
        for half in range(HALVES):
            target = in_contact_at(state, g, half)
            if target != NOBODY:
                best = max(best, attack_worth(state, cards, army, g, target))
        return best
    enemy = 1 - side_of(g)
    for row in range(ROWS):
        for index in range(state["row_len"][enemy, row]):
            best = max(best, attack_worth(state, cards, army, g, state["grid"][enemy, row, index]))
    return best


@kernel
def attack_worth(state: Record, cards: Record, army: Record, a: int, b: int) -> float:
    """Value of an attack of creature a on creature b; NOTHING if it is out of reach."""
    reached = reach(state, cards, a, b)
    return NOTHING if reached == Reach.NONE else exchange_worth(state, cards, army, a, b, is_answered(cards, reached))


@kernel
def exchange_worth(state: Record, cards: Record, army: Record, a: int, b: int, answered: bool) -> float:
    """Value of an attack of creature a on creature b, without tricks and pass-through to creatures.

    With DOUBLE ATTACK both strikes count unless the first leaves b deadly hurt; READY adds to the first only (RIFT-99).
    """
    attack, magic = army["attack"][a], power(state, a, Ability.MAGIC) > 0
    first, second = resisting(state, b, attack + state["ready"][a], magic), 0
    left = deadly_damage(state, army, b)
    twice = power(state, a, Ability.DOUBLE_ATTACK) > 0 and first < left
    if twice:
        second = resisting(state, b, attack, magic)
    points = first + second
    worth = hurt_worth(state, army, b, points) - READY_WORTH * state["ready"][a]
    if points >= left and not army["returns"][b]:
        worth += XP_WORTH * cards["xp"][state["card"][b]]
        if power(state, a, Ability.RELENTLESS) > 0:
            worth += LIFE * (points - left)
    elif first > 0 and second > 0:  # `hurt_worth` has counted the Rage of one strike
        worth -= ATTACK * army["vigilance"][b] * power(state, b, Ability.RAGE)
    if power(state, a, Ability.SIPHON) > 0:
        worth += HEALTH * min(points, state["damage"][a])
    if not answered or power(state, b, Ability.DORMANT) > 0:
        return float(worth)
    once, late = gained_by(state, b, first), cards["rage_before_retaliation"] == 0
    answer = answer_points(state, cards, army, (a, b), first, 0 if late else once)
    if twice:
        gained = once if late else once + gained_by(state, b, second)
        answer += answer_points(state, cards, army, (a, b), points, gained)
    return float(worth - hurt_worth(state, army, a, answer))


@kernel
def gained_by(state: Record, b: int, points: int) -> int:
    """RIFT-97. Rage tokens that a creature gains from this damage."""
    return power(state, b, Ability.RAGE) if points > 0 else 0


@kernel
def answer_points(state: Record, cards: Record, army: Record, pair: tuple[int, int], taken: int, gained: int) -> int:
    """RIFT-47. Damage of one retaliation. pair: attacker, target; taken, gained: the target's damage and Rage in this attack."""
    a, b = pair
    if cards["dead_retaliate"] == 0 and taken >= deadly_damage(state, army, b) and not army["returns"][b]:
        return 0
    points = max(0, army["strength"][b] + gained)
    if power(state, b, Ability.VANGUARD) == 0:
        points //= cards["divisor"]
    if power(state, a, Ability.BLOCK) > 0:
        points = min(points, power(state, b, Ability.PIERCE))
    return resisting(state, a, points, False)


@kernel
def deadly_damage(state: Record, army: Record, g: int) -> int:
    """Damage that leaves a creature deadly hurt: its Health left plus its Shield tokens."""
    return army["left"][g] + state["shield"][g]


@kernel
def resisting(state: Record, g: int, points: int, magic: bool) -> int:
    """Damage after RESISTANCE; unlike `resisted` it changes nothing."""
    return points // 2 if power(state, g, Ability.RESISTANCE) > 0 and not magic else points


@kernel
def hurt_worth(state: Record, army: Record, g: int, points: int) -> float:
    """Worth that a creature loses by this damage."""
    rest = max(0, points - state["shield"][g])
    left = army["left"][g]
    if rest >= left and not army["returns"][g]:
        return creature_worth(state, army, g)
    lost = HEALTH * (left - max(1, left - rest))
    if points > 0:
        lost -= ATTACK * army["vigilance"][g] * power(state, g, Ability.RAGE)
    return float(lost * RETURNING if army["returns"][g] else lost)


# Half-made decisions

SWAP_ONLY = -0.1  # a creature that can only swap
SWITCH = 0.1  # switching MORALE
ACTION = 2.5  # using a SPELL action
WOKEN = 0.5  # share of a creature's worth that losing DORMANT adds


@kernel
def promise(state: Record, cards: Record, army: Record, seat: int) -> float:
    """Best result of the pending decision if it is the seat's own and half-made; otherwise 0."""
    if state["seat"] != seat:
        return 0.0
    phase = state["phase"]
    if phase == Phase.PLACE:
        return card_body_worth(cards, state["entrant"])
    if phase == Phase.CREATURE:
        return best_use(state, cards, army, state["user"])
    if phase == Phase.TARGET:
        return best_target(state, cards, army)
    if phase == Phase.ROW:
        return best_row(state, cards, army)
    return 0.0


@kernel
def best_use(state: Record, cards: Record, army: Record, g: int) -> float:
    """Best Move or Action of a creature."""
    best = SWAP_ONLY
    if not can_act(state, g):
        return best
    if can_attack(state, g):
        best = max(best, best_attack(state, cards, army, g))
    for code in range(CHARM, TRANSFORM + 1):
        if has_use(state, cards, g, code):
            best = max(best, use_worth(state, cards, army, g, code))
    return best


@kernel
def use_worth(state: Record, cards: Record, army: Record, g: int, code: int) -> float:
    """Value of an Action other than an attack."""
    if code == CHARM:
        return best_beside(state, cards, army, g, ATTACK * (1 - CHARMED))
    if code == PACIFY:
        return best_beside(state, cards, army, g, ATTACK * (1 - PACIFIED))
    if code == HEAL:
        return best_heal(state, cards, g)
    if code == MORALE:
        return SWITCH
    if code == READY:
        return READY_WORTH * power(state, g, Ability.READY)
    if code == SUMMON:
        token = cards["summon"][state["card"][g]]
        return power(state, g, Ability.SUMMON) * (card_body_worth(cards, token) + XP_WORTH * cards["xp"][token])
    if code == TRANSFORM:
        return card_body_worth(cards, cards["transform"][state["card"][g]]) - creature_worth(state, army, g)
    return ACTION


@kernel
def best_beside(state: Record, cards: Record, army: Record, g: int, factor: float) -> float:
    """Highest Attack of an adjacent enemy that is neither charmed nor pacified, times a factor."""
    best, enemy = NOTHING, 1 - side_of(g)
    for other in range(enemy * CREATURES, enemy * CREATURES + CREATURES):
        if state["card"][other] != NOBODY and are_adjacent(state, cards, g, other):
            idle = state["charm"][other] | state["pacify"][other]
            best = max(best, 0.0 if idle else factor * army["attack"][other])
    return best


@kernel
def best_heal(state: Record, cards: Record, g: int) -> float:
    """Most that HEAL can restore, to a friend or, from the rear-most row, to the player; NOTHING without a target."""
    x, seat, best = power(state, g, Ability.HEAL), side_of(g), NOTHING
    if is_rearmost(state, g):
        best = LIFE * min(x, cards["start_life"] - state["life"][seat])
    for other in range(seat * CREATURES, seat * CREATURES + CREATURES):
        if state["card"][other] != NOBODY and distance(state, g, other) == 1:
            best = max(best, HEALTH * min(x, state["damage"][other]))
    return best


@kernel
def best_target(state: Record, cards: Record, army: Record) -> float:
    """Best target of the pending TARGET decision."""
    aim, user, seat = state["aim"], state["user"], state["seat"]
    if aim == Aim.CHARM:
        return use_worth(state, cards, army, user, CHARM)
    if aim == Aim.PACIFY:
        return use_worth(state, cards, army, user, PACIFY)
    if aim == Aim.HEAL:
        return best_heal(state, cards, user)
    if aim == Aim.RETARGET:
        return best_attack(state, cards, army, user)
    if aim == Aim.WEAPON:
        return best_weapon(state, cards, army, seat, state["weapon"][seat, user])
    return best_effect(state, cards, army) if aim == Aim.EFFECT else 0.0


@kernel
def best_weapon(state: Record, cards: Record, army: Record, seat: int, card: int) -> float:
    """Best hit of a Weapon."""
    best, enemy = NOTHING, 1 - seat
    for g in range(enemy * CREATURES, enemy * CREATURES + CREATURES):
        if state["card"][g] == NOBODY or not weapon_reaches(state, cards, card, g):
            continue
        points = resisting(state, g, cards["attack"][card], cards["ability"][card, Ability.MAGIC] > 0)
        worth = hurt_worth(state, army, g, points)
        if points >= deadly_damage(state, army, g) and not army["returns"][g]:
            worth += XP_WORTH * cards["xp"][state["card"][g]]
        best = max(best, worth)
    return best


@kernel
def best_effect(state: Record, cards: Record, army: Record) -> float:
    """Best choice of the targets that the pending effect still needs."""
    place, worth = entry_of(state), 0.0
    for g in range(ALL):
        if has(np.uint32(state["chosen"]), g):
            worth += effect_worth(state, cards, army, place, g)
    left = available(state, cards, place)
    for _ in range(state["to_choose"]):
        best, at = NOTHING, NOBODY
        for g in range(ALL):
            if has(left, g):
                one = effect_worth(state, cards, army, place, g)
                if one > best:
                    best, at = one, g
        if at != NOBODY:
            worth += best
            left = without(left, at)
    return worth


@kernel
def best_row(state: Record, cards: Record, army: Record) -> float:
    """Best row for the pending effect."""
    place, owner, best = entry_of(state), state["list_owner"], NOTHING
    rows = open_rows(state, cards, place)
    for row in range(SEATS * ROWS):
        if (rows >> row) & 1:
            side, worth = owner if row >= ROWS else 1 - owner, 0.0
            for index in range(state["row_len"][side, row % ROWS]):
                worth += effect_worth(state, cards, army, place, state["grid"][side, row % ROWS, index])
            best = max(best, worth)
    return best


@kernel
def effect_worth(state: Record, cards: Record, army: Record, place: tuple[int, int, int], g: int) -> float:
    """Value of one entry on one creature to the owner of the list."""
    worth = changed_worth(state, cards, army, place, g)
    return worth if side_of(g) == state["list_owner"] else -worth


@kernel
def changed_worth(state: Record, cards: Record, army: Record, place: tuple[int, int, int], g: int) -> float:
    """Value of one entry on one creature to the creature's controller."""
    op, n = cards["op"][place], cards["n"][place]
    attack, left, before = army["attack"][g], army["left"][g], creature_worth(state, army, g)
    if op == Op.DAMAGE:
        return -hurt_worth(state, army, g, n)
    if op == Op.DESTROY:
        return -hurt_worth(state, army, g, left)
    if op == Op.HEAL:
        return HEALTH * min(n, state["damage"][g])
    if op == Op.ADD:
        return token_worth(state, army, g, cards["token"][place], n, (attack, left)) - before
    if op == Op.CHARM:
        return -ATTACK * (1 - CHARMED) * attack
    if op == Op.PACIFY:
        return -ATTACK * (1 - PACIFIED) * attack
    if op == Op.GRANT and cards["granted"][place] == Ability.SWARM and power(state, g, Ability.SWARM) == 0:
        more = cards["granted_x"][place] - 1
        printed = state["card"][g]
        return more * (ATTACK * cards["attack"][printed] + HEALTH * cards["health"][printed])
    if op == Op.LOSE and cards["granted"][place] == Ability.DORMANT and power(state, g, Ability.DORMANT) > 0:
        return WOKEN * before
    return 0.0


@kernel
def token_worth(state: Record, army: Record, g: int, token: int, n: int, now: tuple[int, int]) -> float:
    """Worth of a creature with n more tokens of a kind. now: Attack, Health left."""
    attack, left = now
    if token == Token.RAGE:
        attack += n
    elif token == Token.WEAKNESS:
        attack = max(0, attack - n)
    elif token == Token.DECAY:
        left -= n
    else:
        left += n
    if left <= 0 and not army["returns"][g]:
        return 0.0
    return body_worth(state, army, g, attack, left)


# What a position leads to: levels, lives running out, open attacks

FRAIL = 10.0  # points of life and Armour at which frailty is 0.5


@kernel
def level_ahead(state: Record, cards: Record, seat: int) -> float:
    """Levels, with fractions, that a seat is ahead if both had begun the same number of turns."""
    other = SEATS - 1 - seat
    turns = max(state["own_turns"][0], state["own_turns"][1])
    return level_at(cards, xp_after(state, cards, seat, turns)) - level_at(cards, xp_after(state, cards, other, turns))


@kernel
def xp_after(state: Record, cards: Record, seat: int, turns: int) -> int:
    """Experience of a seat after this number of turns if it gains no more than the turns give."""
    return state["xp"][seat] + cards["turn_xp"] * (turns - state["own_turns"][seat])


@kernel
def level_at(cards: Record, xp: int) -> float:
    """RIFT-20. Level for this experience, with the fraction of the next one."""
    level = 1
    while level < LEVELS and xp >= cards["level_xp"][level]:
        level += 1
    if level == LEVELS:
        return float(LEVELS)
    low, high = cards["level_xp"][level - 1], cards["level_xp"][level]
    return level + np.float64(xp - low) / np.float64(high - low)


@kernel
def race(threat: float, left: float) -> float:
    """Share of a player's life and Armour that one turn can take."""
    return min(1.0, threat / max(1.0, left))


@kernel
def frailty(left: float) -> float:
    """How close a player is to losing: 1 with nothing left, towards 0 with much."""
    return FRAIL / (FRAIL + max(0.0, left))


@kernel
def unspent(state: Record, cards: Record, seat: int) -> float:
    """Levels of cards in hand that can still be played this turn, if it is the seat's own."""
    if state["active"] != seat or state["first"] == NOBODY:
        return 0.0
    budget, levels = budget_of(state, cards, seat), 0
    for at in range(state["hand_n"][seat]):
        level = cards["level"][state["hand"][seat, at]]
        if level <= budget:
            levels += level
    return np.float64(min(budget, levels))


@kernel
def strikes_of(state: Record, cards: Record, army: Record, seat: int) -> float:
    """Sum of the best attacks still open this turn, if it is the seat's own; not of the creature in use."""
    if state["active"] != seat:
        return 0.0
    busy = state["user"] if state["phase"] == Phase.CREATURE else NOBODY
    return best_attacks(state, cards, army, seat, busy)


@kernel
def best_attacks(state: Record, cards: Record, army: Record, seat: int, busy: int) -> float:
    """Sum of the best attacks of a seat, each valued by itself. busy: creature that is left out, NOBODY.

    In the opponent's turn those of the seat's next turn. They already count in the opponent's turn, so that ending the turn by
    itself changes nothing.
    """
    worth, now = 0.0, state["active"] == seat
    for row in range(ROWS):
        for index in range(state["row_len"][seat, row]):
            g = state["grid"][seat, row, index]
            if g != busy and ((can_act(state, g) and can_attack(state, g)) if now else may_strike_next(state, g)):
                worth += max(0.0, best_attack(state, cards, army, g))
    return worth


@kernel
def may_strike_next(state: Record, g: int) -> bool:
    """Whether a creature can attack in its player's next turn."""
    if state["charm"][g] or state["pacify"][g]:
        return False
    return power(state, g, Ability.DORMANT) == 0 and power(state, g, Ability.PACIFIST) == 0


# The features

POINTS = 10.0  # points of life, Attack, Health or worth that a feature counts as 1
XP_UNIT = 1000.0  # points of experience that count as 1
FEW = 5.0  # creatures, cards or levels that count as 1


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimate of a seat's winning chance from the features; at the end its share of the win."""
    if state["phase"] == Phase.OVER:
        return share_of(state, seat)
    army = scratch(ARMY)
    judge(state, cards, army)
    return chance_in(state, cards, army, seat)


@kernel
def evaluate_seats(state: Record, cards: Record, chances: np.ndarray) -> bool:
    """Evaluate a position for both seats at once."""
    over, army = state["phase"] == Phase.OVER, scratch(ARMY)
    if not over:
        judge(state, cards, army)
    for seat in range(SEATS):
        if chances[seat] == WANTED:
            chances[seat] = share_of(state, seat) if over else chance_in(state, cards, army, seat)
    return True


@kernel
def features(state: Record, cards: Record, seat: int, out: np.ndarray) -> None:
    """Values of FEATURES for a seat."""
    army = scratch(ARMY)
    judge(state, cards, army)
    write_row(state, cards, army, seat)
    for k in range(len(out)):
        out[k] = army["row"][k]


@kernel
def share_of(state: Record, seat: int) -> float:
    """RIFT-130. Share of the win in a finished game."""
    if state["winner"] == NOBODY:
        return 0.5
    return 1.0 if state["winner"] == seat else 0.0


@kernel
def chance_in(state: Record, cards: Record, army: Record, seat: int) -> float:
    """Winning chance of a seat in a position that was worked out."""
    write_row(state, cards, army, seat)
    return chance_of(army["row"], cards["weight"][SEATS - 1])


@kernel
def write_row(state: Record, cards: Record, army: Record, seat: int) -> None:
    """Write the features of a seat."""
    other, row = SEATS - 1 - seat, army["row"]
    threat, their_threat = army["threat"][seat], army["threat"][other]
    armour, their_armour = armour_of(state, seat), armour_of(state, other)
    left, their_left = np.float64(state["life"][seat]) + armour, np.float64(state["life"][other]) + their_armour
    row[Feature.EVEN] = 1.0
    row[Feature.LIFE] = (np.float64(state["life"][seat]) - np.float64(state["life"][other])) / POINTS
    row[Feature.ARMOUR] = (armour - their_armour) / POINTS
    row[Feature.WEAPONS] = (weapons_of(state, cards, seat) - weapons_of(state, cards, other)) / POINTS
    row[Feature.EXPERIENCE] = (earned(state, cards, seat) - earned(state, cards, other)) / XP_UNIT
    row[Feature.LEVEL] = level_ahead(state, cards, seat)
    row[Feature.CREATURES] = (army["bodies"][seat] - army["bodies"][other]) / FEW
    row[Feature.ATTACK] = (army["might"][seat] - army["might"][other]) / POINTS
    row[Feature.HEALTH] = (army["health"][seat] - army["health"][other]) / POINTS
    row[Feature.ABILITIES] = (army["abilities"][seat] - army["abilities"][other]) / POINTS
    row[Feature.THREAT] = (threat - their_threat) / POINTS
    row[Feature.LETHAL] = np.float64(is_lethal(threat, their_left)) - np.float64(is_lethal(their_threat, left))
    row[Feature.RACE] = race(threat, their_left) - race(their_threat, left)
    row[Feature.FRAILTY] = frailty(their_left) - frailty(left)
    # not the opponent's, which vanish at the start of its turn
    row[Feature.SHIELDS] = float(state["shield"][seat * CREATURES : (seat + 1) * CREATURES].sum()) / POINTS
    row[Feature.TRICKS] = (tricks_laid(state, seat) - tricks_laid(state, other)) / FEW
    row[Feature.HAND] = hand_worth(state, cards, seat) / POINTS
    row[Feature.THEIR_HAND] = spare_cards(state, cards, other) / FEW
    row[Feature.UNSPENT] = unspent(state, cards, seat) / FEW
    row[Feature.STRIKES] = strikes_of(state, cards, army, seat) / POINTS
    row[Feature.DANGER] = best_attacks(state, cards, army, other, NOBODY) / POINTS
    row[Feature.PROMISE] = promise(state, cards, army, seat) / POINTS


@kernel
def is_lethal(threat: float, left: float) -> bool:
    """Whether the Attack that reaches a player would defeat it."""
    return threat >= left and threat > 0


@kernel
def earned(state: Record, cards: Record, seat: int) -> float:
    """Experience beyond what turns give."""
    return np.float64(state["xp"][seat]) - np.float64(cards["turn_xp"]) * np.float64(state["own_turns"][seat])


@kernel
def spare_cards(state: Record, cards: Record, seat: int) -> float:
    """Cards in hand beyond those that turns give."""
    return np.float64(state["hand_n"][seat]) - np.float64(cards["turn_draw"]) * np.float64(state["own_turns"][seat])
