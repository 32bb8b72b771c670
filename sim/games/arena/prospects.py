"""What the next attacks promise and threaten, from one hero to another: parts of judging. No rule reads this."""

from typing import NamedTuple

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.arena.board import REACH
from sim.games.arena.record import ABILITIES, DICE_MAX, Kind
from sim.games.arena.resolve import allies_beside
from sim.games.arena.state import Zone
from sim.games.arena.throws import THROW_MAX
from sim.games.arena.view import NOT_NOW, View, full_steps, steps_before, zone_seen

# What a push is worth, in hero values of 10 (set by hand; `promise` is made of it)
_KILL = 7.0  # certain to throw an opponent out
_SHOVE = 0.1  # a hex of push
_FAR = 9.0  # hexes that count at most as missing


class Push(NamedTuple):
    """An attack of one hero on another that would push it."""

    hero: np.int64  # row of the user's card
    ability: int
    here: np.int64  # hex of the user
    there: np.int64  # hex of the target
    hexes: np.int64  # 1..THROW_MAX; 0: it pushes nobody


class Attack(NamedTuple):
    """What one hero can do to another, the best of its attacks for each number."""

    strike: float  # chance that its next attack throws the other out
    threat: float  # the same for a whole turn of its own
    hurt: float  # expected net hits of its next attack
    gap: float  # hexes too far away to attack in a turn of its own
    force: float  # hexes by which an attack moves the other on average
    line: float  # chance to throw it out if every hex could be reached
    power: float  # expected net hits if the other were in range
    wear: float  # `power` times the energy that the other has left before red
    finish: float  # `line` if the other is in red
    promise: float  # worth of what its next attack pushes, set by hand


@kernel
def no_attack() -> Attack:
    """What a hero can do to one that is not there."""
    return Attack(0.0, 0.0, 0.0, _FAR, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def better(one: Attack, other: Attack) -> Attack:
    """The best of two attacks, number by number."""
    return Attack(
        max(one.strike, other.strike),
        max(one.threat, other.threat),
        max(one.hurt, other.hurt),
        min(one.gap, other.gap),
        max(one.force, other.force),
        max(one.line, other.line),
        max(one.power, other.power),
        max(one.wear, other.wear),
        max(one.finish, other.finish),
        max(one.promise, other.promise),
    )


@kernel
def no_push() -> Push:
    """A push of nobody."""
    return Push(np.int64(0), 0, np.int64(0), np.int64(0), np.int64(0))


@kernel
def attack_on(state: Record, cards: Record, view: View, user: int, target: int) -> Attack:
    """What one hero can do to another."""
    strike, threat, hurt, gap, force, line, power, _, _, promise = no_attack()
    hero, here, there = np.int64(state["hero"][user]), view.places[user], view.aims[target]
    far = int(cards["distance"][here, there])
    for ability in range(ABILITIES):
        if cards["kind"][hero, ability] != Kind.ATTACK:
            continue
        hexes = throw_of(state, cards, view, user, ability, target)
        chance, mean = odds_of(state, cards, user, ability, target)
        reach = int(cards["range"][hero, ability])
        steps, full = steps_before(state, cards, user, ability, target), full_steps(state, cards, user, ability)
        force, power = max(force, chance * hexes), max(power, mean)
        gap = min(gap, float(max(0, far - reach - full)))
        thrown = False
        push = Push(hero, ability, here, there, hexes)
        if hexes > 0 and throws(cards, view, push, REACH):
            line = max(line, chance)
            if throws(cards, view, push, full):
                threat = max(threat, chance)
            thrown = steps != NOT_NOW and throws(cards, view, push, steps)
            if thrown:
                strike = max(strike, chance)
        if steps != NOT_NOW and far - reach <= steps:
            hurt = max(hurt, mean)
            promise = max(promise, chance * (_KILL if thrown else _SHOVE * hexes))
    left = left_before_red(state, cards, view, target)
    return Attack(strike, threat, hurt, gap, force, line, power, power * left, line if left == 0.0 else 0.0, promise)


@kernel
def left_before_red(state: Record, cards: Record, view: View, seat: int) -> float:
    """Spaces of green and yellow that a hero has left."""
    energy = cards["energy"][state["hero"][seat]]
    return max(0.0, float(energy[Zone.GREEN]) + float(energy[Zone.YELLOW]) - float(view.markers[seat]))


@kernel
def threat_at(state: Record, cards: Record, view: View, user: int, target: int, there: np.int64) -> float:
    """Chance that a hero throws another out that stands on a certain hex, in a turn of its own."""
    hero, worst = np.int64(state["hero"][user]), 0.0
    for ability in range(ABILITIES):
        if cards["kind"][hero, ability] != Kind.ATTACK:
            continue
        push = Push(hero, ability, view.places[user], there, throw_of(state, cards, view, user, ability, target))
        if push.hexes > 0 and throws(cards, view, push, full_steps(state, cards, user, ability)):
            worst = max(worst, odds_of(state, cards, user, ability, target)[0])
    return worst


@kernel
def throws(cards: Record, view: View, push: Push, steps: int) -> bool:
    """Whether a push can throw its target out from a hex within so many steps of the user."""
    for word in range(cards["words"]):
        if stands(cards, view, push, steps, word) != 0:
            return True
    return False


@kernel
def stands(cards: Record, view: View, push: Push, steps: int, word: int) -> np.uint64:
    """One word of the set of hexes from which a push throws out: on a line, in range, near enough, free or the own."""
    lines = cards["swap_line"] if cards["swap"][push.hero, push.ability] else cards["line"]
    near = cards["ball"][push.there, cards["range"][push.hero, push.ability], word]
    around = cards["ball"][push.here, min(REACH, steps), word] & (~view.taken[word] | cards["ball"][push.here, 0, word])
    found: np.uint64 = lines[push.there, push.hexes, word] & near & around
    return found


@kernel
def throw_of(state: Record, cards: Record, view: View, user: int, ability: int, target: int) -> np.int64:
    """Hexes that an attack throws a hero by at its present zone; 0 for a pull, which brings it nearer."""
    hero = state["hero"][user]
    entry = cards["knockback"][hero, ability, zone_seen(state, cards, view, target)]
    if entry == 0 or cards["pull"][hero, ability]:
        return np.int64(0)
    paid = rage_to_pay(state, cards, user, ability)
    hexes = entry + paid * cards["rage_spend_knockback"][hero, ability] - cards["brace"][state["hero"][target]]
    return np.int64(min(THROW_MAX, max(1, hexes)))


@kernel
def rage_to_pay(state: Record, cards: Record, user: int, ability: int) -> int:
    """Tokens of rage that a hero can put into an attack."""
    return int(min(cards["rage_spend_max"][state["hero"][user], ability], state["rage"][user]))


@kernel
def odds_of(state: Record, cards: Record, user: int, ability: int, target: int) -> tuple[float, float]:
    """Chance of a net hit on a hero and expected net hits that count as damage."""
    hero = state["hero"][user]
    defence = min(DICE_MAX, cards["defence"][state["hero"][target]] + state["protection"][target])
    if cards["no_defence_roll"][hero, ability]:
        defence = 0
    certain = cards["auto_hit"][hero, ability]
    if certain > 0:
        chance, mean = 1.0, float(certain)
    else:
        dice = likely_dice(state, cards, user, ability, target)
        chance, mean = cards["net_chance"][dice, defence], cards["net_mean"][dice, defence]
    if cards["no_damage"][hero, ability]:
        mean = 0.0
    return chance, mean


@kernel
def likely_dice(state: Record, cards: Record, user: int, ability: int, target: int) -> int:
    """Attack dice that a seat can bring to bear: printed, all the rage it may pay, and dragonlings beside the target."""
    hero = state["hero"][user]
    paid = rage_to_pay(state, cards, user, ability)
    dice = cards["attack"][hero, ability] + paid * cards["rage_spend_dice"][hero, ability]
    if cards["ally_max"][hero] > 0 and state["active"] == user and state["pos"][target] >= 0:
        dice += min(cards["ally_max"][hero], cards["ally_per"][hero] * allies_beside(state, cards, target))
    return int(min(DICE_MAX, dice))
