"""What things are worth, in life points of the opponent: creatures, cards in hand, players (register section 7).

Weights were first those of the register and then tuned by games of one set of weights against another.
"""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.geometry import power, reach_player
from sim.games.riftborn.record import ABILITIES, Ability
from sim.games.riftborn.state import ARMOURS, CREATURES, NOBODY, ROWS, WEAPONS
from sim.games.riftborn.stats import attack_of, health_of
from sim.games.riftborn.terms import Reach

LIFE = 0.9  # a point of life
XP = 1 / 150  # a point of experience
BODY = 1.0  # a creature
ATTACK = 1.2  # a point of Attack
HEALTH = 0.8  # a point of Health left
READY = 0.9  # a point of stored READY
RETURNING = 1.3  # factor of a creature with unused UNDEATH
DORMANT, PACIFIST = 0.3, 0.5  # factors of the Attack of one that does not attack
CHARMED, PACIFIED = 0.6, 0.7  # of the Attack, lost to CHARM and PACIFY
TOO_HIGH = 0.6  # factor of a card in hand for each level that it is more than one above the player's

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
TENTHS = np.round(ABILITY_WORTH * PARTS).astype(np.int32)  # whole numbers are added up several at a time


@kernel
def creature_worth(state: Record, cards: Record, g: int) -> float:
    """Worth of a creature as it is."""
    return body_worth(state, g, attack_of(state, cards, g), health_of(state, cards, g) - state["damage"][g])


@kernel
def body_worth(state: Record, g: int, attack: int, left: int) -> float:
    """Worth of a creature with so much Attack and Health left."""
    might = (ATTACK * attack + READY * state["ready"][g]) * vigilance(state, g)
    worth = BODY + might + HEALTH * left + ability_worth(state, g)
    return worth * RETURNING if power(state, g, Ability.UNDEATH) > 0 else worth


@kernel
def ability_worth(state: Record, g: int) -> float:
    """Worth of the abilities that a creature has of its own."""
    tenths = np.int32(0)
    for ability in range(ABILITIES):
        tenths += TENTHS[ability] * np.int32(state["ability"][g, ability])
    return tenths / PARTS


@kernel
def card_body_worth(cards: Record, card: int) -> float:
    """Worth of a creature as printed."""
    size = max(np.int64(1), np.int64(cards["ability"][card, Ability.SWARM]))
    attack, health = cards["attack"][card] * size, cards["health"][card] * size
    worth = BODY + ATTACK * attack + HEALTH * health
    for ability in range(ABILITIES):
        worth += ABILITY_WORTH[ability] * cards["ability"][card, ability]
    return worth * RETURNING if cards["ability"][card, Ability.UNDEATH] > 0 else worth


@kernel
def held_worth(state: Record, cards: Record, seat: int, card: int) -> float:
    """Worth of a card in hand: less the longer it has to wait for its level."""
    worth = cards["hand_worth"][card]
    for _ in range(state["level"][seat] + 1, np.int64(cards["level"][card])):
        worth *= TOO_HIGH
    return worth


@kernel
def hand_worth(state: Record, cards: Record, seat: int) -> float:
    """Worth of a hand that one sees; cards to be returned are worth what the library holds on average."""
    worth, returned = 0.0, 0
    for at in range(np.int64(state["hand_n"][seat])):
        if state["first"] == NOBODY and state["seat"] == seat and (state["returned"] >> np.uint16(at)) & np.uint16(1):
            returned += 1
        else:
            worth += held_worth(state, cards, seat, np.int64(state["hand"][seat, at]))
    if returned > 0 and state["library_n"][seat] > 0:
        mean = 0.0
        for at in range(np.int64(state["library_n"][seat])):
            mean += held_worth(state, cards, seat, np.int64(state["library"][seat, at]))
        worth += returned * mean / state["library_n"][seat]
    return worth


@kernel
def army_of(state: Record, cards: Record, seat: int) -> tuple[float, float, float, float, float]:
    """What a seat's creatures are worth, part by part: themselves, Attack, Health, abilities; and what reaches the opponent."""
    bodies, might, health, abilities, threat = 0.0, 0.0, 0.0, 0.0, 0.0
    for row in range(ROWS):
        for index in range(np.int64(state["row_len"][seat, row])):
            g = np.int64(state["grid"][seat, row, index])
            strength = attack_of(state, cards, g)
            attack = strength + READY / ATTACK * state["ready"][g]
            factor = RETURNING if power(state, g, Ability.UNDEATH) > 0 else 1.0
            bodies += factor
            might += factor * attack * vigilance(state, g)
            health += factor * (health_of(state, cards, g) - state["damage"][g])
            abilities += factor * ability_worth(state, g)
            if threatens(state, cards, g):
                threat += strength + state["ready"][g]
    return bodies, might, health, abilities, threat


@kernel
def threatens(state: Record, cards: Record, g: int) -> bool:
    """Whether a creature that attacks at all reaches the opponent from where it stands."""
    if power(state, g, Ability.PACIFIST) > 0 or power(state, g, Ability.DORMANT) > 0:
        return False
    return bool(reach_player(state, cards, g) != Reach.NONE)


@kernel
def vigilance(state: Record, g: int) -> float:
    """What of its Attack counts, of a creature that may not attack."""
    if power(state, g, Ability.DORMANT) > 0:
        return DORMANT
    if power(state, g, Ability.PACIFIST) > 0:
        return PACIFIST
    if state["pacify"][g]:
        return PACIFIED
    return CHARMED if state["charm"][g] else 1.0


@kernel
def shields_of(state: Record, seat: int) -> float:
    """One's own Shield tokens. Those of the enemy are worth nothing to it once one's turn is over: they vanish then."""
    shields = 0.0
    for g in range(seat * CREATURES, seat * CREATURES + CREATURES):
        shields += state["shield"][g]
    return shields


@kernel
def armour_of(state: Record, seat: int) -> float:
    """Points of Armour that a player has left."""
    points = 0.0
    for at in range(ARMOURS):
        points += state["points"][seat, at]
    return points


@kernel
def weapons_of(state: Record, cards: Record, seat: int) -> float:
    """Attack of a player's Weapons, for each use left."""
    points = 0.0
    for at in range(WEAPONS):
        if state["weapon"][seat, at] == NOBODY:
            break
        points += state["uses"][seat, at] * cards["attack"][state["weapon"][seat, at]]
    return points
