"""Duels of Coin duel: a fighter stakes its own coins, one a turn, against those of one to four others in a row.

Both roll their dice and add bonus and gear; the higher sum takes a coin from the other, equal sums take none. Health is
coins. A potion adds two coins before the roll. Fleeing is a coin toss before the roll; the fighter still rolls if it fails.
The chain enumerates the rolls of a plan, the fights sample them.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.exact import Chain, Duel, DuelRequest, Duels, Fights, Siege, Sieges

HEALTH_MAX, OPPONENT_HEALTH, POTION = 5, 3, 2
ENDINGS = ("won", "dead", "fled")
WON, DEAD, FLED = range(len(ENDINGS))
GEAR = {"glove": ("Lucky glove", 2), "ring": ("Cursed ring", -1), "coin": ("Second coin", 1)}
BOTH_HANDS = {"glove", "coin"}  # cannot be worn together
Place = tuple[int, int, int]  # coins of the fighter, coins of all opponents, potions


@dataclass(frozen=True)
class Plan:
    """Everything that a turn depends on."""

    faces: int
    bonus: int
    others: tuple[tuple[int, int], ...]  # faces and bonus by opponent
    request: DuelRequest

    def begun(self, place: Place) -> tuple[Place, bool]:
        """The place after drinking, and whether the fighter tries to flee."""
        coins, against, potions = place
        drink_at, flee_at = self.request.drink_at or 0, self.request.flee_at or 0
        if potions and coins <= drink_at:
            coins, potions = min(HEALTH_MAX, coins + POTION), potions - 1
        return (coins, against, potions), coins <= flee_at

    def gap(self, against: int, roll: np.ndarray, opponent_roll: np.ndarray) -> np.ndarray:
        """Sign of the fighter's sum minus that of the first opponent still standing."""
        faces, bonus = self.others[len(self.others) - -(-against // OPPONENT_HEALTH)]
        return np.sign(roll % self.faces + self.bonus - opponent_roll % faces - bonus)

    def turn(self, place: Place) -> Counter:
        """Chance of each place or end (ending, left) after one turn."""
        (coins, against, potions), flees = self.begun(place)
        after: Counter = Counter()
        if flees:
            after[FLED, coins] = Fraction(1, 2)
        faces, _ = self.others[len(self.others) - -(-against // OPPONENT_HEALTH)]
        weight = (1 - after.total()) / Fraction(self.faces * faces)
        for roll, opponent_roll in product(range(self.faces), range(faces)):
            gap = int(self.gap(against, np.int64(roll), np.int64(opponent_roll)))
            mine, theirs = coins - (gap < 0), against - (gap > 0)
            end = (WON, mine) if theirs == 0 else (DEAD, 0)
            after[(mine, theirs, potions) if mine and theirs else end] += weight
        return after


def fighters(cards: CardSet) -> list[tuple[str, str]]:
    return list(zip(cards.ids, cards.names, strict=True))


def gear(cards: CardSet) -> list[tuple[str, str]]:
    return [(id_, name) for id_, (name, _) in GEAR.items()]


def setup(cards: CardSet, request: DuelRequest) -> Duel:
    """Raises ValueError for both hands at once, a needle with a ring, or too much health."""
    if set(request.gear) >= BOTH_HANDS:
        raise ValueError("gear glove, coin: both are worn on the same hand")
    if request.fighter == "needle" and "ring" in request.gear:
        raise ValueError("gear ring: Needle cannot wear it")
    health = request.health or HEALTH_MAX
    if health > HEALTH_MAX:
        raise ValueError(f"health={health} must be 1..{HEALTH_MAX}")
    numbers = [tuple(int(cards.record[field][0, cards.ids.index(id_)]) for field in ("faces", "bonus")) for id_ in cards.ids]
    dice = dict(zip(cards.ids, numbers, strict=True))
    faces, bonus = dice[request.fighter]
    worn = sum(GEAR[id_][1] for id_ in request.gear)
    plan = Plan(faces, bonus + worn, tuple(dice[id_] for id_ in request.opponents), request)
    start = (health, OPPONENT_HEALTH * len(request.opponents), request.potions)
    names = dict(fighters(cards))
    return Duel(
        fighter=names[request.fighter],
        opponents=tuple(names[id_] for id_ in request.opponents),
        gear=tuple(GEAR[id_][0] for id_ in request.gear),
        health=health,
        health_max=HEALTH_MAX,
        chain=lambda: chain_of(plan, start),
        sample=lambda games, seed: fight(plan, start, games, seed),
    )


def chain_of(plan: Plan, start: Place) -> Chain:
    """The Markov chain over every reachable place, by enumeration."""
    turns, waiting = {}, [start]
    while waiting:
        place = waiting.pop()
        turns[place] = plan.turn(place)
        waiting += [
            target_place
            for target_place in turns[place]
            if len(target_place) == 3 and target_place not in turns and target_place not in waiting
        ]
    states = list(turns)
    ends = sorted({target_place for after in turns.values() for target_place in after if len(target_place) == 2})
    number = {place: index for index, place in enumerate([*states, *ends])}
    edges = [
        (number[place], number[target_place], float(chance))
        for place, after in turns.items()
        for target_place, chance in after.items()
    ]
    source, target, chance = zip(*edges, strict=True)
    return Chain(
        states=len(states),
        start=0,
        source=np.array(source, np.int32),
        target=np.array(target, np.int32),
        chance=np.array(chance),
        ending=np.array([ending for ending, _ in ends], np.int8),
        left=np.array([left for _, left in ends], np.int16),
        endings=ENDINGS,
    )


def fight(plan: Plan, start: Place, games: int, seed: int) -> Fights:
    """Play the duels by rolling; duels at the same place roll together."""
    rng = np.random.default_rng(seed)
    fights = Fights(np.full(games, -1, np.int8), np.zeros(games, np.int16), np.zeros(games, np.int32))
    places = np.tile(np.array(start), (games, 1))
    while (going := fights.ending < 0).any():
        fights.turns[going] += 1
        before = places.copy()  # so that no duel takes two turns in one step
        for place in np.unique(before[going], axis=0):
            here = np.nonzero(going & (before == place).all(axis=1))[0]
            (coins, against, potions), flees = plan.begun(tuple(place.tolist()))
            away = here[rng.random(here.size) < 0.5] if flees else here[:0]
            fights.ending[away], fights.left[away] = FLED, coins
            stays = np.setdiff1d(here, away)
            gap = plan.gap(against, *rng.integers(0, 2**40, (2, stays.size)))
            mine, theirs = coins - (gap < 0), against - (gap > 0)
            places[stays] = np.stack([mine, theirs, np.full(stays.size, potions)], axis=1)
            fights.ending[stays] = np.where(theirs == 0, WON, np.where(mine == 0, DEAD, -1))
            fights.left[stays] = mine
    return fights


def siege(cards: CardSet) -> list[Siege]:
    """One to four attackers in turn against the first fighter, whose coins seldom let a single attacker bring it down."""

    def sampler(attackers: int, bonus: int):
        def sample(games: int, seed: int) -> Sieges:
            rng = np.random.default_rng(seed)
            needed, coins = rng.binomial(12, 0.6 - 0.05 * bonus, games), np.full(games, 2 * attackers)
            left = coins - rng.binomial(needed, 0.5)
            return Sieges(left > 0, np.clip(attackers - -(-np.maximum(left, 0) // 2), 0, attackers).astype(np.int16))

        return sample

    worn = (("bare", 0), ("Lucky glove", 2))
    return [Siege(cards.names[0], name, size, sampler(size, bonus)) for name, bonus in worn for size in range(1, 5)]


DUELS = Duels(fighters, fighters, gear, setup, siege, left_word="coins")
