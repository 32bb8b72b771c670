"""Best decisions in duels: against an optimum worked out by hand, and against plans (ROGUE-41, 50, 57, 88)."""

from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt

import numpy as np
import pytest

from analysis.stats.markov import optimise, solve
from sim.engine.dice import DICE, open_dice
from sim.engine.exact import Chain, Decisions, DuelRequest, arrange
from sim.games.cardrogue.cards import load, type_ids
from sim.games.cardrogue.exact.chain import decisions_of
from sim.games.cardrogue.exact.duels import DUELS, duel_of
from sim.games.cardrogue.exact.rolls import ALWAYS, NEVER, PLAYER, STREAMS, End, duel_turn
from tests.conftest import in_soak, sampled
from tests.every_game.play import enough

CARDS = load()
EXACT = 1e-12
SEED = 20_261_126
STANDARD_ERRORS = 4
FOUGHT = enough(4_000, 200)
FIGHTERS = ("warrior", "mage", "cleric", "bard")
ENEMIES = ("sewer_rat", "imp", "zombie", "basilisk_yellow", "golem")
LONG_DUELS = [(("bard", "goblin"),), (("cleric", "imp", "cave_bat"),)]
FULL, ATTACK = 10, 4  # the Explorer's health, the Kobold's attack


@cache
def optimum(own: int, kobold: int, potions: int, fled: Fraction) -> Fraction:
    """Best worth of a bare-handed Explorer's duel with a Kobold: 1 if slain, `fled` if fled, 0 if dead."""
    if own <= 0:
        return Fraction(0)
    best = Fraction(0)
    for drink in range(1 + (potions > 0)):
        health, rest = (FULL, potions - 1) if drink and own < FULL else (own, potions)
        hits = [kobold - die for die in range(1, 7)]
        attack = sum((optimum(health - ATTACK, left, rest, fled) if left > 0 else Fraction(1)) for left in hits) / 6
        flee = (fled + optimum(health - ATTACK, kobold, rest, fled)) / 2
        best = max(best, attack, flee)
    return best


def decisions(fighter: str, *opponents: str, **request) -> Decisions:
    """Decisions of a duel of the reference set."""
    return arrange(DUELS, CARDS, DuelRequest(fighter, opponents, **request)).decisions()


@pytest.mark.parametrize("fled", [Fraction(0), Fraction(1, 2), Fraction(9, 10), Fraction(1)])
@pytest.mark.parametrize(("health", "potions"), [(10, 0), (10, 2), (4, 0), (4, 1), (7, 3)])
def test_rogue_41_50_57_88_the_optimum_against_a_kobold_is_that_of_a_plain_recursion(health, potions, fled):
    plan = {"potions": potions, "drink_at": 1} if potions else {}
    found = optimise(decisions("explorer", "kobold", health=health, **plan), (1, 0, float(fled)))
    assert found.value == pytest.approx(float(optimum(health, 6, potions, fled)), abs=EXACT)


@pytest.mark.parametrize("duel", [("warrior", "troll"), ("mage", "sewer_rat"), *map(in_soak, LONG_DUELS)])
@pytest.mark.parametrize("weight", [0.0, 0.5])
def test_rogue_41_no_plan_is_better_than_the_best_decisions(duel, weight):
    """The start's own plan makes no difference to the decisions."""
    worth, values = (1, 0, weight), []
    for drink_at, flee_at in ((1, None), (4, None), (7, 2), (3, 5), (20, 20)):
        request = DuelRequest(duel[0], duel[1:], potions=2, drink_at=drink_at, flee_at=flee_at)
        arranged = arrange(DUELS, CARDS, request)
        odds = solve(arranged.chain())
        values.append(optimise(arranged.decisions(), worth).value)
        assert odds.chance @ worth <= values[-1] + EXACT
    assert max(values) - min(values) < EXACT


@pytest.mark.parametrize(("fighter", "enemy"), sampled(product(FIGHTERS, ENEMIES), 6))
def test_rogue_41_the_chain_of_the_best_decisions_is_worth_the_optimum(fighter, enemy):
    found, worth = decisions(fighter, enemy, potions=1, drink_at=1), (1, 0, 0.5)
    best = optimise(found, worth)
    taken = found.action == best.action[found.state]
    kept = taken[found.option]
    source, ends = found.state[found.option[kept]], len(found.ending)
    left = np.zeros(ends, np.int16)
    ways = (source, found.target[kept], found.chance[kept], found.ending, left, found.endings)
    assert solve(Chain(found.states, found.start, *ways)).chance @ worth == pytest.approx(best.value, abs=EXACT)


def test_rogue_57_without_potions_and_exit_there_is_nothing_to_decide():
    assert arrange(DUELS, CARDS, DuelRequest("explorer", ("goblin",), exit=False)).decisions is None


def test_rogue_57_a_fighter_that_values_flight_as_much_as_a_win_flees_from_a_hopeless_duel():
    found = decisions("explorer", "kobold", health=4)
    # attack: 1/6 slain, else dead; flee: 1/2
    best = optimise(found, (1, 0, 1))
    assert found.actions[best.action[found.start]] == "flee"
    assert optimise(found, (1, 0, 0)).value == pytest.approx(1 / 6, abs=EXACT)


def test_rogue_41_57_88_duels_fought_by_the_best_decisions_are_worth_the_optimum():
    start = duel_of(CARDS, CARDS.ids.index("explorer"), [], [type_ids(CARDS).index("kobold")])
    start["fight"]["health"], start["potions"], start["exit"] = 4, 0, 1
    worth = np.array([1, 0, 0.9])
    found = decisions_of(start, CARDS.record[0])
    best = optimise(found, worth)
    # an Explorer and a Kobold have no poison, cooldown or the like: these three numbers are the whole situation
    situations = zip(found.own.tolist(), found.theirs.tolist(), found.potions.tolist(), strict=True)
    wanted = {situation: found.actions[action] for situation, action in zip(situations, best.action, strict=True)}
    desk, dice, gained = np.zeros(1, start.dtype), np.zeros(1, DICE), []
    for game in range(FOUGHT):
        open_dice(dice[0], np.uint64(SEED), np.uint64(game), STREAMS)
        desk[0] = start
        duel = desk[0]
        while duel["ending"] == End.NOT_YET:
            action = wanted[int(duel["fight"]["health"]), int(duel["fight"]["foe_health"][0]), int(duel["potions"])]
            duel["drink_at"] = ALWAYS if "drink" in action else NEVER
            duel["flee_at"] = ALWAYS if "flee" in action else NEVER
            duel_turn(duel, CARDS.record[0], dice[0], PLAYER)
        gained.append(worth[duel["ending"]])
    assert "flee" in wanted.values()
    assert abs(np.mean(gained) - best.value) < STANDARD_ERRORS * np.std(gained) / sqrt(FOUGHT)
