"""How good a position looks (register section 7): what `greedy` and the cut-off of a search go by. No rule reads this."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.arena.board import DIRECTIONS, SPAN
from sim.games.arena.record import ABILITIES, DICE_MAX, Kind
from sim.games.arena.resolve import allies_beside
from sim.games.arena.state import NO_TARGET, SEATS, Phase, Zone, dragonlings_of, in_play, zone_of

# Weights, in hero values of 10: set by hand from the register.
_HERO = 10.0  # being in play
_ENERGY = 4.0  # a full green and yellow track
_RAGE = 0.25  # a token
_ALLY = 0.4  # a dragonling on the board
_PROTECTION = 0.3  # a further Defence die
_SLOWED = 0.15  # a step less
_RIM = 0.2  # a way out that a typical throw reaches
_THREAT = 2.2  # certain to be thrown out before the next own turn
_KILL = 7.0  # certain to throw an opponent out now
_SHOVE = 0.1  # a hex of push
_APPROACH = 0.6  # a hex too far from the nearest opponent to attack
_SOFTNESS = 6.0  # difference in value that stands for a winning chance of 3/4
_TYPICAL_THROW = np.array([2, 4, 5])  # hexes, by zone
_CENTRE = SPAN // 2


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimate of a seat's winning chance, 0..1: own value less the mean of the opponents', squashed; 0 or 1 at the end."""
    if not in_play(state, seat):
        return 0.0
    if state["phase"] == Phase.OVER:
        return 1.0
    others, rivals = 0.0, 0
    for other in range(state["seats"]):
        if other != seat:
            others += value(state, cards, other)
            rivals += 1
    edge = value(state, cards, seat) - others / rivals
    return 0.5 + 0.5 * edge / (_SOFTNESS + abs(edge))


@kernel
def redeal(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Nothing is hidden in the Arena (register section 6)."""


@kernel
def value(state: Record, cards: Record, seat: int) -> float:
    """Worth of a seat's place in the game; 0 when it is out."""
    if not in_play(state, seat):
        return 0.0
    hero = state["hero"][seat]
    lasting = float(cards["energy"][hero, Zone.GREEN] + cards["energy"][hero, Zone.YELLOW])
    worth = _HERO + _ENERGY * max(0.0, 1.0 - state["marker"][seat] / lasting)
    worth += _RAGE * state["rage"][seat] + _ALLY * dragonlings_of(state, seat)
    worth += _PROTECTION * state["protection"][seat] - _SLOWED * state["slow"][seat]
    worth -= _RIM * ways_out(state, cards, seat)
    if state["active"] == seat:
        worth += turn_prospect(state, cards, seat)
    return worth - _THREAT * danger(state, cards, seat)


@kernel
def turn_prospect(state: Record, cards: Record, seat: int) -> float:
    """What the rest of the active hero's turn promises: its best attack, or the one that is about to be rolled."""
    phase = state["phase"]
    if phase == Phase.ABILITY:
        return best_prospect(state, cards, seat)
    if phase in (Phase.PRE_MOVE, Phase.RAGE):
        if state["target"] < SEATS:
            return prospect(state, cards, seat, state["ability"], state["target"])
        if state["target"] == NO_TARGET:
            return best_prospect(state, cards, seat)
    return 0.0


@kernel
def ways_out(state: Record, cards: Record, seat: int) -> int:
    """Directions in which a typical throw at the hero's zone ends in the water, 0..6."""
    throw = _TYPICAL_THROW[zone_of(state, cards, seat)]
    count = 0
    for direction in range(DIRECTIONS):
        count += cards["ray"][state["pos"][seat], direction] < throw
    return count


@kernel
def bearing(cards: Record, source: int, goal: int) -> int:
    """ARENA-50. Main direction of the way between two hexes."""
    return cards["offset_u"][
        cards["q"][goal] - cards["q"][source] + _CENTRE, cards["r"][goal] - cards["r"][source] + _CENTRE
    ]


@kernel
def net_chance(state: Record, cards: Record, user: int, ability: int, target: int) -> float:
    """Chance that an attack of a seat lands a net hit on a hero."""
    hero = state["hero"][user]
    if cards["auto_hit"][hero, ability] > 0:
        return 1.0
    defence = cards["defence"][state["hero"][target]] + state["protection"][target]
    if cards["no_defence_roll"][hero, ability]:
        defence = 0
    return cards["net_chance"][likely_dice(state, cards, user, ability, target), min(DICE_MAX, defence)]


@kernel
def likely_dice(state: Record, cards: Record, user: int, ability: int, target: int) -> int:
    """Attack dice that a seat can bring to bear: printed, all the rage it may pay, and dragonlings beside the target."""
    hero = state["hero"][user]
    paid = min(cards["rage_spend_max"][hero, ability], state["rage"][user])
    dice = cards["attack"][hero, ability] + paid * cards["rage_spend_dice"][hero, ability]
    if cards["ally_max"][hero] > 0 and state["active"] == user:
        dice += min(cards["ally_max"][hero], cards["ally_per"][hero] * allies_beside(state, cards, target))
    return min(DICE_MAX, dice)


@kernel
def throw_of(state: Record, cards: Record, user: int, ability: int, target: int) -> int:
    """Hexes that an attack would throw a hero by at its present zone; 0 for a pull, which brings it nearer."""
    hero = state["hero"][user]
    entry = cards["knockback"][hero, ability, zone_of(state, cards, target)]
    if entry == 0 or cards["pull"][hero, ability]:
        return 0
    paid = min(cards["rage_spend_max"][hero, ability], state["rage"][user])
    return max(1, entry + paid * cards["rage_spend_knockback"][hero, ability] - cards["brace"][state["hero"][target]])


@kernel
def best_prospect(state: Record, cards: Record, seat: int) -> float:
    """What the best attack at hand promises, at least 0; nobody in range costs by the hexes that are missing."""
    best, missing = 0.0, SPAN
    hero, here = state["hero"][seat], state["pos"][seat]
    for target in range(state["seats"]):
        if target == seat or not in_play(state, target):
            continue
        far = cards["distance"][here, state["pos"][target]]
        for ability in range(ABILITIES):
            if cards["kind"][hero, ability] != Kind.ATTACK:
                continue
            beyond = far - cards["range"][hero, ability] - cards["move_before_max"][hero, ability]
            missing = min(missing, max(0, beyond))
            if beyond <= 0:
                best = max(best, prospect(state, cards, seat, ability, target))
    return best - _APPROACH * missing


@kernel
def prospect(state: Record, cards: Record, seat: int, ability: int, target: int) -> float:
    """Expected gain of one attack on a hero: to throw it out, to push it, to cost it energy."""
    hero, there = state["hero"][seat], state["pos"][target]
    hexes = throw_of(state, cards, seat, ability, target)
    source = state["pos"][seat]
    if cards["swap"][hero, ability]:
        source, there = there, source
    chance = net_chance(state, cards, seat, ability, target)
    gain = _SHOVE * hexes
    if hexes > cards["ray"][there, bearing(cards, source, there)]:
        gain = _KILL
    if not cards["no_damage"][hero, ability]:
        victim = state["hero"][target]
        lasting = float(cards["energy"][victim, Zone.GREEN] + cards["energy"][victim, Zone.YELLOW])
        gain += _ENERGY / lasting
    return chance * gain


@kernel
def danger(state: Record, cards: Record, seat: int) -> float:
    """Chance to be thrown out by the opponents' next attacks, as if each took its best: 1 - product of (1 - p)."""
    safe = 1.0
    for foe in range(state["seats"]):
        if foe == seat or not in_play(state, foe):
            continue
        worst = 0.0
        for ability in range(ABILITIES):
            if cards["kind"][state["hero"][foe], ability] == Kind.ATTACK:
                worst = max(worst, deadliness(state, cards, foe, ability, seat))
        safe *= 1.0 - worst
    return 1.0 - safe


@kernel
def deadliness(state: Record, cards: Record, foe: int, ability: int, seat: int) -> float:
    """Chance that an opponent's attack throws a hero out: in reach next turn, and with land to push it from."""
    hero, here = state["hero"][foe], state["pos"][seat]
    nearest = cards["distance"][state["pos"][foe], here] - cards["range"][hero, ability]
    nearest -= max(0, cards["move"][hero] - state["slow"][foe]) + cards["move_before_max"][hero, ability]
    hexes = throw_of(state, cards, foe, ability, seat)
    if nearest > 0 or hexes == 0:
        return 0.0
    for direction in range(DIRECTIONS):
        behind = (direction + DIRECTIONS // 2) % DIRECTIONS
        if hexes > cards["ray"][here, direction] and cards["neighbour"][here, behind] >= 0:
            return net_chance(state, cards, foe, ability, seat)
    return 0.0
