"""The evaluation of positions, for `greedy` and the leaves of a search. The rules use none of it.

It starts from a view of the position in which everything decided is carried out. It then estimates the attacks of one hero on
another, combines them into what the heroes can do to each other, and derives the features that `evaluate` weights.
"""

import numpy as np

from sim.engine.evaluation import chance_of, chances_of
from sim.engine.game import WANTED
from sim.engine.jit import Record, kernel, scratch
from sim.games.arena.cards import ABILITIES, DICE_MAX, HEXES_MAX, REACH, THROW_MAX, Kind, OfflineChooser
from sim.games.arena.record import FEATURES, HEXES, Feature
from sim.games.arena.rules.attack import allies_beside
from sim.games.arena.rules.knockback import may_step
from sim.games.arena.rules.turn import end_turn
from sim.games.arena.state import (
    EMPTY,
    NO_TARGET,
    NOWHERE,
    SEATS,
    STRAIGHT,
    WORD_SHIFT,
    Phase,
    Zone,
    bit_of,
    dragonlings_of,
    in_play,
    put,
)

Attack = tuple[int, int, int]  # user, target, ability

_NONE = np.uint64(0)
NOT_NOW = -1  # in `steps`: this attack cannot come next
NO_ATTACK = -1  # in `hexes`: the ability attacks nobody
OCCUPIED_RANK = HEXES_MAX  # in `step_rank`: what a free hex counts more than an occupied one

_EACH, _ATTACK = (SEATS,), (SEATS, SEATS, ABILITIES)

# What the evaluation works out about a position, in the order in which it does.
FIGHT = np.dtype(
    [
        # the view: what it reads besides STATE
        ("place", np.int64, _EACH),  # hex of each hero, NOWHERE: out, about to fall, or not placed yet
        ("aim", np.int64, _EACH),  # hex on which its opponents will attack it: the hero that attacks next may have moved by then
        ("marker", np.int64, _EACH),  # energy markers, with certain damage included
        ("mover", np.int64),  # seat that attacks next
        # the attacks of a hero on another, [user, target, ability]
        ("chance", np.float64, _ATTACK),  # of a net hit
        ("mean", np.float64, _ATTACK),  # expected damage
        ("hexes", np.int64, _ATTACK),  # of its push, 1..THROW_MAX; 0: no push; NO_ATTACK
        ("steps", np.int64, _ATTACK),  # that can be made before it comes next, NOT_NOW
        ("full", np.int64, (SEATS, ABILITIES)),  # steps that can be made before it in a whole turn
        # what each hero can do to another; the number is that of its best attack on any
        ("strike", np.float64, _EACH),  # chance that its next attack throws the other out
        ("hurt", np.float64, _EACH),  # expected net hits of its next attack
        ("gap", np.float64, _EACH),  # hexes missing to attack in a whole turn
        ("force", np.float64, _EACH),  # mean hexes by which an attack pushes the other
        ("line", np.float64, _EACH),  # chance to throw the other out if it could move to any hex
        ("power", np.float64, _EACH),  # expected net hits if the other were in range
        ("wear", np.float64, _EACH),  # `power` times the energy spaces that the other has left before red
        ("finish", np.float64, _EACH),  # `line` if the other is in red, else 0
        ("promise", np.float64, _EACH),  # worth of its next push, set by hand
        # what the heroes can do to it
        ("safe", np.float64, _EACH),  # chance not to be thrown out if every opponent had a whole turn
        ("spared", np.float64, _EACH),  # the same for opponents that attack before it does
        ("dents", np.float64, _EACH),  # expected damage of the attack that the active hero is about to make
        # the features of a seat, and the sum of all
        ("row", np.float64, (len(FEATURES),)),
        ("sum", np.float64, (len(FEATURES),)),
    ],
    align=True,
)

_TABLE = np.dtype([("feature", np.float64, (len(FEATURES), HEXES_MAX))])  # features after each option of a move


@kernel
def look(state: Record, cards: Record, fight: Record) -> None:
    """View of a position: a push in progress is carried to its end, and its damage dealt."""
    for seat in range(SEATS):
        fight["place"][seat] = state["pos"][seat]
        fight["aim"][seat] = state["pos"][seat]
        fight["marker"][seat] = state["marker"][seat]
    if state["phase"] == Phase.STEP and state["target"] < SEATS:
        target = np.int64(state["target"])
        end = push_end(state, cards, target)
        fight["place"][target] = end
        fight["aim"][target] = end
        fight["marker"][target] = hurt_marker(state, cards, target)
    fight["mover"] = next_mover(state)


@kernel
def next_mover(state: Record) -> np.int64:
    """Seat that attacks next: the active one until it has attacked, then the next in play."""
    phase, seat = state["phase"], np.int64(state["active"])
    if phase == Phase.START:
        return np.int64(state["first"])
    if phase <= Phase.RAGE:
        return seat
    seats = np.int64(state["seats"])
    for further in range(1, SEATS):
        following = seat + further - (seats if seat + further >= seats else 0)
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
def zone_seen(state: Record, cards: Record, fight: Record, seat: int) -> int:
    """ARENA-44. Zone of a hero by its marker in the view."""
    hero, marker = state["hero"][seat], fight["marker"][seat]
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


@kernel
def weigh_attacks(state: Record, cards: Record, fight: Record) -> None:
    """Write the attacks of every hero on every other. Where the heroes stand matters only for the dragonlings beside a target."""
    seats = np.int64(state["seats"])
    for user in range(seats):
        if fight["place"][user] < 0:
            continue
        hero = state["hero"][user]
        for ability in range(ABILITIES):
            attacks = cards["kind"][hero, ability] == Kind.ATTACK
            fight["full"][user, ability] = full_steps(state, cards, user, ability)
            for target in range(seats):
                fight["hexes"][user, target, ability] = NO_ATTACK
                if attacks and target != user and fight["place"][target] >= 0:
                    chance, mean = odds_of(state, cards, user, ability, target)
                    fight["chance"][user, target, ability] = chance
                    fight["mean"][user, target, ability] = mean
                    fight["hexes"][user, target, ability] = throw_of(state, cards, fight, user, ability, target)
                    fight["steps"][user, target, ability] = steps_before(state, cards, user, ability, target)


@kernel
def compare(state: Record, cards: Record, fight: Record) -> None:
    """Find out what the heroes can do to each other, after `look` and `weigh_attacks`."""
    seats = np.int64(state["seats"])
    for seat in range(seats):
        fight["safe"][seat] = 1.0
        fight["spared"][seat] = 1.0
        fight["dents"][seat] = 0.0
    for user in range(seats):
        fight["strike"][user] = 0.0
        fight["hurt"][user] = 0.0
        fight["gap"][user] = _FAR
        fight["force"][user] = 0.0
        fight["line"][user] = 0.0
        fight["power"][user] = 0.0
        fight["wear"][user] = 0.0
        fight["finish"][user] = 0.0
        fight["promise"][user] = 0.0
        most = 0.0
        for target in range(seats):
            if target != user and fight["place"][user] >= 0 and fight["aim"][target] >= 0:
                most = add_attacks(state, cards, fight, user, target, most)


@kernel
def add_attacks(state: Record, cards: Record, fight: Record, user: int, target: int, most: float) -> float:
    """Add what one hero can do to another.

    most: worth of the best attack that the active hero is about to make, of those before; returned with this one.
    """
    here, there = fight["place"][user], fight["aim"][target]
    by, on = np.uint64(user), np.uint64(target)  # unsigned indexes, as in `user_of`
    hero = np.uint64(state["hero"][by])
    far = np.int64(cards["distance"][np.uint64(here), np.uint64(there)])
    strike, threat, hurt, gap, force, line, power, promise = 0.0, 0.0, 0.0, _FAR, 0.0, 0.0, 0.0, 0.0
    for ability in range(ABILITIES):
        hexes = fight["hexes"][by, on, ability]
        if hexes == NO_ATTACK:
            continue
        chance, mean = fight["chance"][by, on, ability], fight["mean"][by, on, ability]
        steps, full = fight["steps"][by, on, ability], fight["full"][by, ability]
        reach = np.int64(cards["range"][hero, ability])
        force, power = max(force, chance * hexes), max(power, mean)
        gap = min(gap, float(max(0, far - reach - full)))
        thrown = False
        if hexes > 0 and throws(state, cards, fight, (user, target, ability), there, REACH):
            line = max(line, chance)
            if throws(state, cards, fight, (user, target, ability), there, full):
                threat = max(threat, chance)
            thrown = steps != NOT_NOW and throws(state, cards, fight, (user, target, ability), there, steps)
            if thrown:
                strike = max(strike, chance)
        if steps != NOT_NOW and far - reach <= steps:
            hurt = max(hurt, mean)
            promise = max(promise, chance * (_KILL if thrown else _SHOVE * hexes))
    left = left_before_red(state, cards, fight, target)
    fight["strike"][by] = max(fight["strike"][by], strike)
    fight["hurt"][by] = max(fight["hurt"][by], hurt)
    fight["gap"][by] = min(fight["gap"][by], gap)
    fight["force"][by] = max(fight["force"][by], force)
    fight["line"][by] = max(fight["line"][by], line)
    fight["power"][by] = max(fight["power"][by], power)
    fight["wear"][by] = max(fight["wear"][by], power * left)
    fight["finish"][by] = max(fight["finish"][by], line if left == 0.0 else 0.0)
    fight["promise"][by] = max(fight["promise"][by], promise)
    fight["safe"][on] *= 1.0 - threat
    if order_of(state, fight, user) < order_of(state, fight, target):
        fight["spared"][on] *= 1.0 - strike
    if is_attacking(state, user) and promise + hurt > most:
        for seat in range(SEATS):
            fight["dents"][seat] = hurt if seat == target else 0.0
        return promise + hurt
    return most


@kernel
def left_before_red(state: Record, cards: Record, fight: Record, seat: int) -> float:
    """Energy spaces that a hero has left before red."""
    energy = cards["energy"][state["hero"][seat]]
    return max(0.0, float(energy[Zone.GREEN]) + float(energy[Zone.YELLOW]) - float(fight["marker"][seat]))


@kernel
def throws(state: Record, cards: Record, fight: Record, attack: Attack, there: int, steps: int) -> bool:
    """Whether an attack can throw out a target that stands on a given hex after up to `steps` steps of the user."""
    for word in range(cards["words"]):
        if stands(state, cards, fight, attack, (there, steps, word)) != _NONE:
            return True
    return False


@kernel
def stands(state: Record, cards: Record, fight: Record, attack: Attack, within: tuple[int, int, int]) -> np.uint64:
    """One word of the set of hexes from which an attack throws its target out.

    They lie in the right direction, in range of the target and within some steps of the user, and are free or the user's own.
    within: hex of the target, steps, number of the word.
    """
    by, on, ability = attack
    there, steps, word = within
    user, target, slot, goal, part = np.uint64(by), np.uint64(on), np.uint64(ability), np.uint64(there), np.uint64(word)
    hero, here = np.uint64(state["hero"][user]), np.uint64(fight["place"][user])
    hexes = np.uint64(fight["hexes"][user, target, slot])
    line = cards["swap_line"][goal, hexes, part] if cards["swap"][hero, slot] else cards["line"][goal, hexes, part]
    near = cards["ball"][goal, np.uint64(cards["range"][hero, slot]), part]
    around = cards["ball"][here, np.uint64(min(REACH, steps)), part]
    return np.uint64(line & near & around & (~state["taken"][part] | cards["ball"][here, 0, part]))


@kernel
def throw_of(state: Record, cards: Record, fight: Record, user: int, ability: int, target: int) -> np.int64:
    """Hexes by which an attack pushes a hero in its present zone; 0 for a pull, which brings it nearer."""
    hero = state["hero"][user]
    entry = cards["knockback"][hero, ability, zone_seen(state, cards, fight, target)]
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


@kernel
def order_of(state: Record, fight: Record, seat: int) -> int:
    """Number of seats that attack before a seat does, including those that are out."""
    after = np.int64(seat) - fight["mover"]
    return after + np.int64(state["seats"]) if after < 0 else after


@kernel
def is_attacking(state: Record, seat: int) -> bool:
    """Whether a seat has moved but not attacked yet."""
    return mid_turn(state) and state["active"] == seat


@kernel
def expect_move(state: Record, cards: Record, fight: Record) -> None:
    """Expect the hero that attacks next where it is likely to attack from, after `look` and `weigh_attacks`.

    That is the safest of the hexes that allow its best push; without a push it stays. Its best push is the most likely to throw
    an opponent out in a whole turn.
    """
    seat = fight["mover"]
    if state["phase"] == Phase.START or mid_turn(state) or fight["place"][seat] < 0:
        return
    foe, by, most = np.int64(NOWHERE), np.int64(0), 0.0
    for target in range(state["seats"]):
        if target == seat or fight["aim"][target] < 0:
            continue
        for ability in range(ABILITIES):
            chance = fight["chance"][seat, target, ability]
            if fight["hexes"][seat, target, ability] > 0 and chance > most:
                steps, there = fight["full"][seat, ability], fight["aim"][target]
                if throws(state, cards, fight, (seat, target, ability), there, steps):
                    foe, by, most = np.int64(target), np.int64(ability), chance
    if foe >= 0:
        fight["aim"][seat] = safest_stand(state, cards, fight, seat, foe, by)


@kernel
def safest_stand(state: Record, cards: Record, fight: Record, seat: int, foe: int, ability: int) -> np.int64:
    """Hex from which a push throws an opponent out and that is the least risky; of equal ones the nearest."""
    here, there, steps = fight["place"][seat], fight["aim"][foe], fight["full"][seat, ability]
    place, least = here, 2.0
    for i in range(cards["near_count"][here, steps]):
        stand = np.int64(cards["near"][here, i])
        if stands(state, cards, fight, (seat, foe, ability), (there, steps, stand >> WORD_SHIFT)) & bit_of(stand) != _NONE:
            risk = risk_at(state, cards, fight, seat, stand)
            if risk < least:
                place, least = stand, risk
            if risk == 0.0:
                break
    return np.int64(place)


@kernel
def risk_at(state: Record, cards: Record, fight: Record, seat: int, place: int) -> float:
    """Chance that a hero on a hex is thrown out if every opponent had a whole turn and used its best attack."""
    safe = 1.0
    for foe in range(state["seats"]):
        if foe == seat or fight["place"][foe] < 0:
            continue
        worst = 0.0
        for ability in range(ABILITIES):
            chance, full = fight["chance"][foe, seat, ability], fight["full"][foe, ability]
            if fight["hexes"][foe, seat, ability] <= 0 or chance <= worst:
                continue
            if throws(state, cards, fight, (foe, seat, ability), place, full):
                worst = chance
        safe *= 1.0 - worst
    return 1.0 - safe


_BEND = 0.55  # in `race`: how much steeper it is near certainty
# Features are divided by these, so that each is about 1 in size
_MANY = 2.0  # tokens, dice or steps
_SPACES = 6.0  # energy spaces, or net hits times energy spaces
_WORTH = 5.0  # `promise` of an attack
# Feature TURN by number of seats and of those that attack before
_TURN = 1.0 - np.arange(SEATS) / np.maximum(np.arange(SEATS + 1) - 1.0, 1.0)[:, np.newaxis]


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimated winning chance of a seat, 0..1; its share of the win if it is out or the game is over."""
    if state["place"][seat] > 0:
        return 1.0 if state["place"][seat] == 1 else 0.0
    fight = scratch(FIGHT)
    judge(state, cards, fight)
    return chance_in(state, cards, fight, seat)


@kernel
def evaluate_options(state: Record, cards: Record, seat: int, options: np.ndarray, count: int, values: np.ndarray) -> bool:
    """Evaluate the options of a move before or after the attack, which differ in the hex of one hero only."""
    if state["phase"] == Phase.MOVE:
        fight, table = scratch(FIGHT), scratch(_TABLE)["feature"]
        state["phase"] = Phase.ABILITY
        look(state, cards, fight)
        weigh_attacks(state, cards, fight)
        for i in range(count):
            put(state, seat, options[i])
            fight["place"][seat] = options[i]
            fight["aim"][seat] = options[i]
            compare(state, cards, fight)
            sum_up(state, cards, fight, seat)
            for k in range(len(FEATURES)):
                table[k, i] = fight["sum"][k]
        chances_of(table, cards["weight"][state["seats"] - 1], count, values)
        return True
    if state["phase"] == Phase.POST_MOVE:
        end_turn(state, cards)
        for i in range(count):
            put(state, seat, options[i])
            values[i] = evaluate(state, cards, seat)
        return True
    return False


@kernel
def evaluate_seats(state: Record, cards: Record, chances: np.ndarray) -> bool:
    """Evaluate a position for several seats at once."""
    fight, judged = scratch(FIGHT), False
    for seat in range(len(chances)):
        if chances[seat] != WANTED:
            continue
        if state["place"][seat] > 0:
            chances[seat] = 1.0 if state["place"][seat] == 1 else 0.0
            continue
        if not judged:
            judge(state, cards, fight)
            judged = True
        chances[seat] = chance_in(state, cards, fight, seat)
    return True


@kernel
def features(state: Record, cards: Record, seat: int, out: np.ndarray) -> None:
    """Features of a seat less the mean of its opponents' features, in the order of FEATURES."""
    fight = scratch(FIGHT)
    judge(state, cards, fight)
    sum_up(state, cards, fight, seat)
    for k in range(len(out)):
        out[k] = fight["sum"][k]


@kernel
def judge(state: Record, cards: Record, fight: Record) -> None:
    """Work out a position up to what the heroes can do to each other."""
    look(state, cards, fight)
    weigh_attacks(state, cards, fight)
    expect_move(state, cards, fight)
    compare(state, cards, fight)


@kernel
def chance_in(state: Record, cards: Record, fight: Record, seat: int) -> float:
    """Winning chance of a seat in a position that was worked out."""
    sum_up(state, cards, fight, seat)
    return float(chance_of(fight["sum"], cards["weight"][state["seats"] - 1]))


@kernel
def sum_up(state: Record, cards: Record, fight: Record, seat: int) -> None:
    """Write the features of a seat less the mean of its opponents' features."""
    total, row = fight["sum"], fight["row"]
    for k in range(len(FEATURES)):
        total[k] = 0.0
    total[Feature.CONSTANT] = 1.0
    each = -1.0 / (state["seats"] - 1)
    for other in range(state["seats"]):
        if other == seat or state["place"][other] == 0:
            write_row(state, cards, fight, other)
            factor = 1.0 if other == seat else each
            for k in range(len(FEATURES)):
                total[k] += factor * row[k]


@kernel
def write_row(state: Record, cards: Record, fight: Record, seat: int) -> None:
    """Write the features of a seat that is not out."""
    hero, row = state["hero"][seat], fight["row"]
    lasting = float(cards["energy"][hero, Zone.GREEN] + cards["energy"][hero, Zone.YELLOW])
    left = max(0.0, left_before_red(state, cards, fight, seat) - fight["dents"][seat])
    waiting = state["phase"] == Phase.START
    risk, before = 1.0 - fight["safe"][seat], 1.0 - fight["spared"][seat]
    attacking = is_attacking(state, seat)
    row[Feature.CONSTANT] = 0.0
    row[Feature.TURN] = _TURN[state["seats"], order_of(state, fight, seat)]
    row[Feature.STANDING] = 1.0 if waiting or fight["place"][seat] >= 0 else 0.0
    row[Feature.ENERGY] = left / lasting
    row[Feature.LEFT] = left / _SPACES
    row[Feature.RAGE] = state["rage"][seat] / _MANY
    row[Feature.BROOD] = dragonlings_of(state, seat) / _MANY
    row[Feature.PROTECTION] = state["protection"][seat] / _MANY
    row[Feature.SLOWED] = state["slow"][seat] / _MANY
    row[Feature.RIM] = ways_out(state, cards, fight, seat)
    row[Feature.DANGER] = risk
    row[Feature.PROMISE] = fight["promise"][seat] / _WORTH if attacking else 0.0
    row[Feature.APPROACH] = fight["gap"][seat] / HEXES if attacking else 0.0
    row[Feature.RACE] = race(fight["strike"][seat], risk, before)
    row[Feature.STRIKE] = fight["strike"][seat]
    row[Feature.HURT] = 0.0 if attacking else fight["hurt"][seat]
    row[Feature.FORCE] = fight["force"][seat] / HEXES
    row[Feature.LINE] = fight["line"][seat]
    row[Feature.POWER] = fight["power"][seat]
    row[Feature.WEAR] = fight["wear"][seat] / _SPACES
    row[Feature.FINISH] = fight["finish"][seat]
    row[Feature.OPENING] = cards["opening"][hero]
    row[Feature.MIGHT] = cards["might"][hero]


@kernel
def ways_out(state: Record, cards: Record, fight: Record, seat: int) -> float:
    """Directions in which a typical throw in the hero's zone ends in the water, as a feature."""
    here = fight["aim"][seat]
    return cards["outlets"][here, zone_seen(state, cards, fight, seat)] if here >= 0 else 0.0


@kernel
def race(strike: float, risk: float, before: float) -> float:
    """Who throws out whom first, similar to log-odds.

    strike: chance that the hero's next attack throws an opponent out. risk, before: chance that it is thrown out by all
    opponents, and by those that attack before it.
    """
    lead = strike - (1.0 - strike) * risk if before == 0.0 else (1.0 - before) * strike - before
    return 2.0 * lead / (1.0 - _BEND * lead * lead)
