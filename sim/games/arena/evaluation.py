"""The evaluation of positions, for `greedy` and the leaves of a search. The rules use none of it.

It starts from a view of the position in which everything decided is carried out. It then estimates the attacks of one hero on
another, combines them into what the heroes can do to each other, and derives the features that `evaluate` weights.
"""

from typing import NamedTuple, TypeVar

import numpy as np

from sim.engine.evaluation import chance_of
from sim.engine.jit import Record, kernel
from sim.games.arena.record import ABILITIES, DICE_MAX, DIRECTIONS, HEXES_MAX, REACH, THROW_MAX, WORD_BITS, Kind, OfflineChooser
from sim.games.arena.rules.attack import allies_beside
from sim.games.arena.rules.knockback import may_step
from sim.games.arena.state import EMPTY, NO_TARGET, NOWHERE, PIECES, SEATS, STRAIGHT, Phase, Zone, dragonlings_of, in_play

WORD_SHIFT = 6  # place >> WORD_SHIFT: word of a set of hexes
_LAST_BIT = WORD_BITS - 1
_ONE, _NONE = np.uint64(1), np.uint64(0)
_FIRST, _SECOND, _THIRD, _FOURTH = range(SEATS)
NOT_NOW = -1  # in `steps_before`: this attack cannot come next
OCCUPIED_RANK = HEXES_MAX  # in `step_rank`: what a free hex counts more than an occupied one

T = TypeVar("T")
Seats = tuple[np.int64, np.int64, np.int64, np.int64]
Words = tuple[np.uint64, np.uint64, np.uint64]


class View(NamedTuple):
    """What the evaluation reads besides STATE."""

    places: Seats  # hex of each hero, NOWHERE: out, about to fall, or not placed yet
    aims: Seats  # hex on which its opponents will attack it: the hero that attacks next may have moved by then
    markers: Seats  # energy markers, with certain damage included
    taken: Words  # set of occupied hexes
    mover: np.int64  # seat that attacks next


@kernel
def view_of(state: Record, cards: Record) -> View:
    """View of a position: a push in progress is carried to its end, and its damage dealt."""
    places: Seats = (
        np.int64(state["pos"][_FIRST]),
        np.int64(state["pos"][_SECOND]),
        np.int64(state["pos"][_THIRD]),
        np.int64(state["pos"][_FOURTH]),
    )
    markers: Seats = (
        np.int64(state["marker"][_FIRST]),
        np.int64(state["marker"][_SECOND]),
        np.int64(state["marker"][_THIRD]),
        np.int64(state["marker"][_FOURTH]),
    )
    if state["phase"] == Phase.STEP and state["target"] < SEATS:
        target = int(state["target"])
        places = replaced(places, target, push_end(state, cards, target))
        markers = replaced(markers, target, hurt_marker(state, cards, target))
    return View(places, places, markers, taken_hexes(state), next_mover(state))


@kernel
def replaced(seats: tuple[T, T, T, T], seat: int, value: T) -> tuple[T, T, T, T]:
    """Copy of values by seat, with one replaced."""
    return (
        value if seat == _FIRST else seats[_FIRST],
        value if seat == _SECOND else seats[_SECOND],
        value if seat == _THIRD else seats[_THIRD],
        value if seat == _FOURTH else seats[_FOURTH],
    )


@kernel
def taken_hexes(state: Record) -> Words:
    """Set of occupied hexes."""
    first, second, third = _NONE, _NONE, _NONE
    for piece in range(PIECES):
        place = state["pos"][piece]
        if place >= 0:
            bit, word = _ONE << np.uint64(place & _LAST_BIT), place >> WORD_SHIFT
            if word == _FIRST:
                first |= bit
            elif word == _SECOND:
                second |= bit
            else:
                third |= bit
    return first, second, third


@kernel
def is_in(word: np.uint64, place: int) -> bool:
    """Whether a hex is in a set. word: the one of the set that holds the bit of the hex."""
    return (word >> np.uint64(place & _LAST_BIT)) & _ONE != _NONE


@kernel
def next_mover(state: Record) -> np.int64:
    """Seat that attacks next: the active one until it has attacked, then the next in play."""
    phase, seat = state["phase"], np.int64(state["active"])
    if phase == Phase.START:
        return np.int64(state["first"])
    if phase <= Phase.RAGE:
        return seat
    for further in range(1, SEATS):
        following = (seat + further) % state["seats"]
        if in_play(state, following):
            return np.int64(following)
    return seat


@kernel
def hurt_marker(state: Record, cards: Record, target: int) -> np.int64:
    """ARENA-46. Marker of the target of a push in progress after its damage."""
    spaces = 0
    for zone in range(Zone.RED + 1):
        spaces += cards["energy"][state["hero"][target], zone]
    return np.int64(min(state["marker"][target] + state["dealt"][0], spaces - 1))


@kernel
def push_end(state: Record, cards: Record, target: int) -> np.int64:
    """Hex on which a slanted push in progress will leave its target, NOWHERE: in the water.

    Each choice is taken to be for the hex farther from the water, or nearer to it if the attacker chooses. A pull is taken one
    step further.
    """
    here, made_u, made_v = np.int64(state["pos"][target]), 0, 0
    if cards["pull"][state["hero"][state["active"]], state["ability"]]:
        return np.int64(cards["neighbour"][here, state["step_a"]])
    outwards = cards["offline_chooser"] == OfflineChooser.ATTACKER
    while state["made_u"] + state["made_v"] + made_u + made_v < state["reach_k"]:
        along_u = step_rank(state, cards, here, state["u"], outwards) if may_step(state, cards, made_u + 1, made_v) else 0
        along_v = step_rank(state, cards, here, state["v"], outwards) if may_step(state, cards, made_u, made_v + 1) else 0
        direction = state["u"] if along_u >= along_v else state["v"]
        ahead = np.int64(cards["neighbour"][here, direction])
        if ahead < 0:
            return np.int64(NOWHERE)
        if state["occ"][ahead] != EMPTY:
            return here
        here = ahead
        made_u += direction == state["u"]
        made_v += direction == state["v"]
    return here


@kernel
def step_rank(state: Record, cards: Record, here: int, direction: int, outwards: bool) -> int:
    """ARENA-56. Rank of a step of a push: free land before occupied land before water, then by the distance to the water."""
    if direction == STRAIGHT:
        return 0
    ahead = cards["neighbour"][here, direction]
    if ahead < 0:
        return 1
    rim = int(cards["rim"][ahead])
    rank = THROW_MAX - rim if outwards else rim
    return 1 + rank + (OCCUPIED_RANK if state["occ"][ahead] == EMPTY else 0)


@kernel
def zone_seen(state: Record, cards: Record, view: View, seat: int) -> int:
    """ARENA-44. Zone of a hero by its marker in the view."""
    hero, marker = state["hero"][seat], view.markers[seat]
    green = cards["energy"][hero, Zone.GREEN]
    if marker < green:
        return Zone.GREEN
    return Zone.YELLOW if marker < green + cards["energy"][hero, Zone.YELLOW] else Zone.RED


@kernel
def mid_turn(state: Record) -> bool:
    """Whether the active hero has moved but not attacked yet."""
    return Phase.MOVE < state["phase"] <= Phase.RAGE


@kernel
def steps_before(state: Record, cards: Record, user: int, ability: int, target: int) -> int:
    """Steps that a hero can make before its next attack if that is this one; NOT_NOW if it cannot be this one."""
    hero = state["hero"][user]
    if cards["kind"][hero, ability] != Kind.ATTACK:
        return NOT_NOW
    if not mid_turn(state) or state["active"] != user:
        return full_steps(state, cards, user, ability)
    if state["phase"] > Phase.ABILITY:
        aimed = state["target"] == target or state["target"] == NO_TARGET
        if state["ability"] != ability or not aimed:
            return NOT_NOW
        if state["phase"] == Phase.RAGE:
            return 0
    return int(cards["move_before_max"][hero, ability])


@kernel
def full_steps(state: Record, cards: Record, user: int, ability: int) -> int:
    """Steps that a hero can make before an attack in a whole turn."""
    hero = state["hero"][user]
    return int(max(0, cards["move"][hero] - state["slow"][user]) + cards["move_before_max"][hero, ability])


# What a push is worth, where a hero is worth 10 (set by hand; `promise` consists of it)
_KILL = 7.0  # throwing an opponent out
_SHOVE = 0.1  # each hex of a push
_FAR = 9.0  # largest value of `gap`


class Push(NamedTuple):
    """A push of one hero by an attack of another."""

    hero: np.int64  # row of the user's card
    ability: int
    here: np.int64  # hex of the user
    there: np.int64  # hex of the target
    hexes: np.int64  # 1..THROW_MAX; 0: no push


class Attack(NamedTuple):
    """What one hero can do to another: each number is that of its best attack."""

    strike: float  # chance that its next attack throws the other out
    threat: float  # the same in a whole turn
    hurt: float  # expected net hits of its next attack
    gap: float  # hexes missing to attack in a whole turn
    force: float  # mean hexes by which an attack pushes the other
    line: float  # chance to throw the other out if it could move to any hex
    power: float  # expected net hits if the other were in range
    wear: float  # `power` times the energy spaces that the other has left before red
    finish: float  # `line` if the other is in red, else 0
    promise: float  # worth of its next push, set by hand


@kernel
def no_attack() -> Attack:
    """No attack is possible."""
    return Attack(0.0, 0.0, 0.0, _FAR, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def better(one: Attack, other: Attack) -> Attack:
    """Best of two attacks, number by number."""
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
    """No push is possible."""
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
    """Energy spaces that a hero has left before red."""
    energy = cards["energy"][state["hero"][seat]]
    return max(0.0, float(energy[Zone.GREEN]) + float(energy[Zone.YELLOW]) - float(view.markers[seat]))


@kernel
def threat_at(state: Record, cards: Record, view: View, user: int, target: int, there: np.int64) -> float:
    """Chance that a hero, in a whole turn, throws out a target that stands on a given hex."""
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
    """Whether a push can throw its target out after up to `steps` steps of the user."""
    for word in range(cards["words"]):
        if stands(cards, view, push, steps, word) != 0:
            return True
    return False


@kernel
def stands(cards: Record, view: View, push: Push, steps: int, word: int) -> np.uint64:
    """One word of the set of hexes from which a push throws its target out.

    They lie in the right direction, in range of the target and within `steps` of the user, and are free or the user's own.
    """
    lines = cards["swap_line"] if cards["swap"][push.hero, push.ability] else cards["line"]
    near = cards["ball"][push.there, cards["range"][push.hero, push.ability], word]
    around = cards["ball"][push.here, min(REACH, steps), word] & (~view.taken[word] | cards["ball"][push.here, 0, word])
    hexes: np.uint64 = lines[push.there, push.hexes, word] & near & around
    return hexes


@kernel
def throw_of(state: Record, cards: Record, view: View, user: int, ability: int, target: int) -> np.int64:
    """Hexes by which an attack pushes a hero in its present zone; 0 for a pull, which brings it nearer."""
    hero = state["hero"][user]
    entry = cards["knockback"][hero, ability, zone_seen(state, cards, view, target)]
    if entry == 0 or cards["pull"][hero, ability]:
        return np.int64(0)
    paid = rage_to_pay(state, cards, user, ability)
    hexes = entry + paid * cards["rage_spend_knockback"][hero, ability] - cards["brace"][state["hero"][target]]
    return np.int64(min(THROW_MAX, max(1, hexes)))


@kernel
def rage_to_pay(state: Record, cards: Record, user: int, ability: int) -> int:
    """Rage tokens that a hero can pay for an attack."""
    return int(min(cards["rage_spend_max"][state["hero"][user], ability], state["rage"][user]))


@kernel
def odds_of(state: Record, cards: Record, user: int, ability: int, target: int) -> tuple[float, float]:
    """Chance of a net hit on a hero, and its expected damage."""
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
    """Attack dice that a seat can roll: as printed, for all the rage it can pay, and for dragonlings beside the target."""
    hero = state["hero"][user]
    paid = rage_to_pay(state, cards, user, ability)
    dice = cards["attack"][hero, ability] + paid * cards["rage_spend_dice"][hero, ability]
    if cards["ally_max"][hero] > 0 and state["active"] == user and state["pos"][target] >= 0:
        dice += min(cards["ally_max"][hero], cards["ally_per"][hero] * allies_beside(state, cards, target))
    return int(min(DICE_MAX, dice))


class Fight(NamedTuple):
    """What the heroes can do to each other."""

    best: tuple[Attack, Attack, Attack, Attack]  # best attack of each seat on any opponent
    safe: tuple[float, float, float, float]  # chance not to be thrown out if every opponent had a whole turn
    spared: tuple[float, float, float, float]  # the same for opponents that attack before it does
    dents: tuple[float, float, float, float]  # expected damage of the attack that the active hero is about to make


@kernel
def fight_of(state: Record, cards: Record, view: View) -> Fight:
    """Find out what the heroes can do to each other."""
    best = (no_attack(), no_attack(), no_attack(), no_attack())
    safe, spared, dents = (1.0, 1.0, 1.0, 1.0), (1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.0)
    for user in range(state["seats"]):
        own, most = no_attack(), 0.0
        for target in range(state["seats"]):
            if target == user or view.places[user] < 0 or view.aims[target] < 0:
                continue
            on = attack_on(state, cards, view, user, target)
            own = better(own, on)
            if is_attacking(state, user) and on.promise + on.hurt > most:
                most, dents = on.promise + on.hurt, replaced((0.0, 0.0, 0.0, 0.0), target, on.hurt)
            safe = replaced(safe, target, safe[target] * (1.0 - on.threat))
            if order_of(state, view, user) < order_of(state, view, target):
                spared = replaced(spared, target, spared[target] * (1.0 - on.strike))
        best = replaced(best, user, own)
    return Fight(best, safe, spared, dents)


@kernel
def order_of(state: Record, view: View, seat: int) -> int:
    """Number of seats that attack before a seat does, including those that are out."""
    return int((seat - view.mover) % state["seats"])


@kernel
def is_attacking(state: Record, seat: int) -> bool:
    """Whether a seat has moved but not attacked yet."""
    return mid_turn(state) and state["active"] == seat


@kernel
def expected_view(state: Record, cards: Record, view: View) -> View:
    """View in which the hero that attacks next stands where it is likely to attack from.

    That is the safest of the hexes that allow its best push; without a push it stays.
    """
    seat = view.mover
    if state["phase"] == Phase.START or mid_turn(state) or view.places[seat] < 0:
        return view
    push, steps = best_push(state, cards, view, seat)
    if push.hexes == 0:
        return view
    place, least = view.places[seat], 2.0
    for i in range(cards["near_count"][push.here, steps]):
        stand = np.int64(cards["near"][push.here, i])
        if is_in(stands(cards, view, push, steps, stand >> WORD_SHIFT), stand):
            risk = risk_at(state, cards, view, seat, stand)
            if risk < least:
                place, least = stand, risk
            if risk == 0.0:
                break
    return View(view.places, replaced(view.aims, seat, place), view.markers, view.taken, seat)


@kernel
def best_push(state: Record, cards: Record, view: View, seat: int) -> tuple[Push, int]:
    """Push by which a hero is most likely to throw an opponent out in a whole turn, and the steps before it."""
    best, most, within, hero = no_push(), 0.0, 0, np.int64(state["hero"][seat])
    for target in range(state["seats"]):
        if target == seat or view.aims[target] < 0:
            continue
        for ability in range(ABILITIES):
            if cards["kind"][hero, ability] != Kind.ATTACK:
                continue
            hexes = throw_of(state, cards, view, seat, ability, target)
            push = Push(hero, ability, view.places[seat], view.aims[target], hexes)
            chance, steps = odds_of(state, cards, seat, ability, target)[0], full_steps(state, cards, seat, ability)
            if hexes > 0 and chance > most and throws(cards, view, push, steps):
                best, most, within = push, chance, steps
    return best, within


@kernel
def risk_at(state: Record, cards: Record, view: View, seat: int, place: np.int64) -> float:
    """Chance that a hero on a hex is thrown out if every opponent had a whole turn and used its best attack."""
    safe = 1.0
    for foe in range(state["seats"]):
        if foe != seat and view.places[foe] >= 0:
            safe *= 1.0 - threat_at(state, cards, view, foe, seat, place)
    return 1.0 - safe


_TYPICAL_THROW = np.array([2, 4, 5])  # hexes, by zone of the target
_BEND = 0.55  # in `race`: how much steeper it is near certainty
# Features are divided by these, so that each is about 1 in size
_MANY = 2.0  # tokens, dice or steps
_WAYS = 3.0  # directions that lead into the water
_HEXES = 3.0  # hexes
_SPACES = 6.0  # energy spaces, or net hits times energy spaces
_WORTH = 5.0  # `promise` of an attack


class Row(NamedTuple):
    """Features of a seat, each about 1 in size; the README lists them."""

    constant: float  # 1 in the row that all others are added to, else 0
    turn: float
    standing: float
    energy: float
    left: float
    rage: float
    brood: float
    protection: float
    slowed: float
    rim: float
    danger: float
    promise: float
    approach: float
    race: float
    strike: float
    hurt: float
    force: float
    line: float
    power: float
    wear: float
    finish: float
    opening: float
    might: float


_NOTHING = Row(1.0, *(0.0,) * (len(Row._fields) - 1))  # the constant, and 0 for every other feature


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimated winning chance of a seat, 0..1; its share of the win if it is out or the game is over."""
    if state["place"][seat] > 0:
        return 1.0 if state["place"][seat] == 1 else 0.0
    return float(chance_of(features(state, cards, seat), cards["weight"][state["seats"] - 1]))


@kernel
def features(state: Record, cards: Record, seat: int) -> tuple[float, ...]:
    """Features of a seat less the mean of its opponents' features, in the order of FEATURES."""
    view = expected_view(state, cards, view_of(state, cards))
    fight = fight_of(state, cards, view)
    row = _NOTHING
    each = -1.0 / (state["seats"] - 1)
    for other in range(state["seats"]):
        if other == seat:
            row = added(row, row_of(state, cards, view, fight, other), 1.0)
        elif state["place"][other] == 0:
            row = added(row, row_of(state, cards, view, fight, other), each)
    return row


@kernel
def added(row: Row, other: Row, factor: float) -> Row:
    """Sum of a row and `factor` times another."""
    return Row(
        row.constant + factor * other.constant,
        row.turn + factor * other.turn,
        row.standing + factor * other.standing,
        row.energy + factor * other.energy,
        row.left + factor * other.left,
        row.rage + factor * other.rage,
        row.brood + factor * other.brood,
        row.protection + factor * other.protection,
        row.slowed + factor * other.slowed,
        row.rim + factor * other.rim,
        row.danger + factor * other.danger,
        row.promise + factor * other.promise,
        row.approach + factor * other.approach,
        row.race + factor * other.race,
        row.strike + factor * other.strike,
        row.hurt + factor * other.hurt,
        row.force + factor * other.force,
        row.line + factor * other.line,
        row.power + factor * other.power,
        row.wear + factor * other.wear,
        row.finish + factor * other.finish,
        row.opening + factor * other.opening,
        row.might + factor * other.might,
    )


@kernel
def row_of(state: Record, cards: Record, view: View, fight: Fight, seat: int) -> Row:
    """Features of a seat that is not out."""
    hero = state["hero"][seat]
    lasting = float(cards["energy"][hero, Zone.GREEN] + cards["energy"][hero, Zone.YELLOW])
    left = max(0.0, left_before_red(state, cards, view, seat) - fight.dents[seat])
    waiting = state["phase"] == Phase.START
    best, risk, before = fight.best[seat], 1.0 - fight.safe[seat], 1.0 - fight.spared[seat]
    attacking = is_attacking(state, seat)
    might = cards["might"][hero, Zone.GREEN] + cards["might"][hero, Zone.YELLOW] + cards["might"][hero, Zone.RED]
    return Row(
        0.0,
        1.0 - order_of(state, view, seat) / (state["seats"] - 1.0),
        1.0 if waiting or view.places[seat] >= 0 else 0.0,
        left / lasting,
        left / _SPACES,
        state["rage"][seat] / _MANY,
        dragonlings_of(state, seat) / _MANY,
        state["protection"][seat] / _MANY,
        state["slow"][seat] / _MANY,
        ways_out(state, cards, view, seat) / _WAYS,
        risk,
        best.promise / _WORTH if attacking else 0.0,
        best.gap / _HEXES if attacking else 0.0,
        race(best.strike, risk, before),
        best.strike,
        0.0 if attacking else best.hurt,
        best.force / _HEXES,
        best.line,
        best.power,
        best.wear / _SPACES,
        best.finish,
        cards["might"][hero, Zone.GREEN] / _HEXES,
        might / _HEXES,
    )


@kernel
def ways_out(state: Record, cards: Record, view: View, seat: int) -> int:
    """Number of directions in which a typical throw in the hero's zone ends in the water, 0..6."""
    here = view.aims[seat]
    if here < 0:
        return 0
    throw = _TYPICAL_THROW[zone_seen(state, cards, view, seat)]
    count = 0
    for direction in range(DIRECTIONS):
        count += cards["ray"][here, direction] < throw
    return count


@kernel
def race(strike: float, risk: float, before: float) -> float:
    """Who throws out whom first, similar to log-odds.

    strike: chance that the hero's next attack throws an opponent out. risk, before: chance that it is thrown out by all
    opponents, and by those that attack before it.
    """
    lead = strike - (1.0 - strike) * risk if before == 0.0 else (1.0 - before) * strike - before
    return 2.0 * lead / (1.0 - _BEND * lead * lead)
