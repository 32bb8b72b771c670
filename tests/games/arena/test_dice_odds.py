"""Attacks in the compiled game, compared with exact odds: energy lost and hexes moved, for every reference ability.

Each cell of the joint distribution must lie within 4 standard errors; the seed is fixed.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, sqrt

import numpy as np
import pytest

from analysis.dice.exact import parse
from sim.engine.dice import open_dice
from sim.engine.jit import kernel
from sim.engine.loop import advance
from sim.engine.policies import Workspace
from sim.games.arena.state import Phase
from tests.every_game.play import shortened
from tests.games.arena.builders import gift, reference, shot
from tests.games.arena.kernel_bridge import Kernels, card_set
from tests.games.arena.model.board import Hex, distance
from tests.games.arena.model.model import ability_code
from tests.model.kernels import streams

SEED = 20_250_102
ATTACKS = shortened(20_000, 4)  # for each ability, Defence and zone
STANDARD_ERRORS = 4
DEFENCES = range(6)
SPACES = 6  # of each zone of the targets
USER, TARGET = 0, 1


@dataclass(frozen=True)
class Case:
    """An attack of the reference set, with its numbers in the rules."""

    hero: str
    ability: int
    distance: int
    dice: int
    knockback: tuple[int, int, int]
    rage: int = 0
    allies: int = 0
    fixed: int = 0  # hits without a roll
    rolls_defence: bool = True
    damages: bool = True

    def __str__(self) -> str:
        return f"{self.hero}-{self.ability}" + f"-rage{self.rage}" * (self.rage > 0) + f"-allies{self.allies}" * (self.allies > 0)


CASES = [
    Case("bow_master", 0, 4, 4, (0, 0, 0)),
    Case("bow_master", 1, 3, 1, (1, 3, 5), rolls_defence=False, damages=False),
    Case("rhino_guy", 0, 1, 5, (2, 5, 6)),
    Case("rhino_guy", 1, 2, 3, (1, 3, 4)),
    Case("dragon_hatcher", 0, 2, 3, (3, 3, 4)),
    Case("dragon_hatcher", 0, 2, 4, (3, 3, 4), allies=1),
    Case("dragon_hatcher", 0, 2, 5, (3, 3, 4), allies=3),
    Case("valasca", 0, 1, 3, (2, 3, 5)),
    Case("valasca", 0, 1, 4, (2, 3, 5), rage=1),
    Case("valasca", 0, 1, 6, (2, 3, 5), rage=3),
    Case("hook_thrower", 0, 4, 3, (1, 2, 3)),
    Case("hook_thrower", 1, 1, 4, (1, 3, 5)),
    Case("whirl_fighter", 0, 1, 4, (1, 3, 4)),
    Case("whirl_fighter", 0, 1, 4, (3, 5, 6), rage=2),
    Case("whirl_fighter", 1, 1, 4, (1, 3, 4)),
    Case("mirror_mage", 0, 3, 2, (1, 2, 4)),
    Case("mirror_mage", 1, 2, 0, (1, 1, 2), fixed=1, rolls_defence=False, damages=False),
    Case("temple_guard", 0, 1, 4, (2, 3, 5)),
]


@pytest.fixture(scope="module")
def cards():
    """The reference heroes and six targets with 0..5 Defence dice on a board of 169 hexes."""
    document = reference(board="wide")
    wide = {"id": "wide", "radius": 7, "starts": [[0, 0], [0, 1], [1, 0], [0, -1]]}
    numbers = {"move": 0, "energy": [SPACES] * 3, "ability": [shot(), gift(), gift()]}
    targets = [{"id": f"target_{d}", "name": f"Target {d}", "defence": d, **numbers} for d in DEFENCES]
    return card_set(document | {"board": [wide], "hero": [*document["hero"], *targets]})


def stand(cards, case: Case, defence: int, zone: int) -> tuple[Kernels, int, Hex]:
    """User and target on the middle line with room in the north; the decision to attack, and where the push begins."""
    user, target = (0, 3), (0, 3 - case.distance)
    if case.hero == "mirror_mage" and case.ability == 0:
        user, target = target, user  # they will swap
    beside = [(1, target[1] - 1), (-1, target[1]), (1, target[1])][: case.allies]
    dragonlings = dict(enumerate(beside, start=4))
    position = {
        "heroes": [case.hero, f"target_{defence}"],
        "positions": {USER: user, TARGET: target, **dragonlings},
        "owner": dict.fromkeys(dragonlings, USER),
        "marker": [0, SPACES * zone],
        "rage": [case.rage, 0],
        "active": USER,
    }
    area = case.hero == "whirl_fighter" and case.ability == 0
    code = ability_code(case.ability, None if area else TARGET)
    return Kernels(cards).place(position), code, (0, 3 - case.distance)


@kernel
def attack_often(workspace: Workspace, cards: np.ndarray, code: int, keys: np.ndarray, found: np.ndarray) -> None:
    """Carry out the same attack len(found) times from workspace.states[0], each with its own dice.

    All rage is paid, and the only step before the attack taken. found: (n, 2), overwritten with the target's marker and hex.
    """
    workspace.states[1] = workspace.states[0]
    for i in range(len(found)):
        open_dice(workspace.dice[0], SEED, i, keys)
        workspace.states[0] = workspace.states[1]
        count = advance(workspace, cards, code)
        while workspace.states[0]["phase"] == Phase.PRE_MOVE or workspace.states[0]["phase"] == Phase.RAGE:
            count = advance(workspace, cards, workspace.options[count - 1])
        found[i, 0] = workspace.states[0]["marker"][TARGET]
        found[i, 1] = workspace.states[0]["pos"][TARGET]


def simulated(game: Kernels, code: int, begin: Hex, zone: int) -> Counter[tuple[int, int]]:
    """Count (energy spaces lost, hexes moved) over many attacks."""
    found = np.zeros((ATTACKS, 2), np.int64)
    attack_often(game.workspace, game.cards.record, code, streams(), found)
    values, times = np.unique(found, axis=0, return_counts=True)
    return Counter(
        {
            (marker - SPACES * zone, distance(begin, game.board.land[place])): count
            for (marker, place), count in zip(values.tolist(), times.tolist(), strict=True)
        }
    )


def net_hits(attack: int, defence: int) -> dict[int, Fraction]:
    """Distribution of max(0, hits - blocks), three faces each, by listing every pair of numbers of successes."""
    chance: Counter[int] = Counter()
    for hit, block in product(range(attack + 1), range(defence + 1)):
        chance[max(0, hit - block)] += comb(attack, hit) * comb(defence, block)
    return {net: Fraction(ways, 2 ** (attack + defence)) for net, ways in chance.items()}


def expected(case: Case, defence: int, zone: int) -> dict[tuple[int, int], Fraction]:
    """Exact chance of each (energy spaces lost, hexes moved); the marker stops on the last red space."""
    odds = {case.fixed: Fraction(1)} if case.fixed else net_hits(case.dice, defence if case.rolls_defence else 0)
    room = SPACES * (3 - zone) - 1
    cells: Counter[tuple[int, int]] = Counter()
    for net, chance in odds.items():
        lost = min(net, room) if case.damages else 0
        cells[lost, case.knockback[zone] if net else 0] += chance
    return cells


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.slow
def test_energy_lost_and_hexes_moved_are_distributed_as_the_dice_say(cards, case):
    for defence, zone in product(DEFENCES, range(3)):
        seen = simulated(*stand(cards, case, defence, zone), zone)
        exact = expected(case, defence, zone)
        assert set(seen) <= set(exact), "an outcome that cannot be"
        for cell, chance in exact.items():
            p = float(chance)
            limit = STANDARD_ERRORS * sqrt(ATTACKS * p * (1 - p))
            assert abs(seen[cell] - ATTACKS * p) <= limit, f"Defence {defence}, zone {zone}, (lost, moved) {cell}"


def test_the_cases_are_all_attacks_of_the_reference_set(cards):
    heroes = {hero["id"]: hero["ability"] for hero in reference()["hero"]}
    attacks = {(name, i) for name, abilities in heroes.items() for i, a in enumerate(abilities) if a["kind"] == "attack"}
    assert {(case.hero, case.ability) for case in CASES} == attacks


# golden example G9: attack dice, Defence dice: numerators of P(net = 0, 1, 2, ...), denominator, P(net >= 1), mean
G9 = {
    (4, 1): ([6, 10, 10, 5, 1], 32, Fraction(13, 16), Fraction(49, 32)),
    (4, 2): ([22, 20, 15, 6, 1], 64, Fraction(21, 32), Fraction(9, 8)),
    (4, 3): ([64, 35, 21, 7, 1], 128, Fraction(1, 2), Fraction(51, 64)),
    (4, 4): ([163, 56, 28, 8, 1], 256, Fraction(93, 256), Fraction(35, 64)),
    (5, 1): ([7, 15, 20, 15, 6, 1], 64, Fraction(57, 64), Fraction(129, 64)),
    (5, 2): ([29, 35, 35, 21, 7, 1], 128, Fraction(99, 128), Fraction(201, 128)),
    (5, 3): ([93, 70, 56, 28, 8, 1], 256, Fraction(163, 256), Fraction(303, 256)),
    (5, 4): ([256, 126, 84, 36, 9, 1], 512, Fraction(1, 2), Fraction(443, 512)),
    (3, 1): ([5, 6, 4, 1], 16, Fraction(11, 16), Fraction(17, 16)),
    (3, 2): ([16, 10, 5, 1], 32, Fraction(1, 2), Fraction(23, 32)),
    (3, 3): ([42, 15, 6, 1], 64, Fraction(11, 32), Fraction(15, 32)),
    (3, 4): ([99, 21, 7, 1], 128, Fraction(29, 128), Fraction(19, 64)),
}


@pytest.mark.parametrize(("attack", "defence"), G9)
def test_golden_g9_odds_are_exact_here_in_the_card_tables_and_in_the_dice_language(cards, attack, defence):
    numerators, denominator, at_least_one, mean = G9[attack, defence]
    exact = [Fraction(numerator, denominator) for numerator in numerators]
    assert [net_hits(attack, defence)[net] for net in range(attack + 1)] == exact
    assert (1 - exact[0], sum(net * p for net, p in enumerate(exact))) == (at_least_one, mean)
    assert cards.record[0]["net_chance"][attack, defence] == float(at_least_one)
    assert cards.record[0]["net_mean"][attack, defence] == float(mean)
    language = parse(f"max(0, {attack}d6>=4 - {defence}d6>=4)").distribution
    assert list(language.fractions()) == exact


def test_golden_g9_boxing_arrow_hits_half_the_time_against_any_defence(cards):
    case = CASES[1]
    assert cards.record[0]["net_chance"][1, 0] == np.float32(0.5)
    for defence in DEFENCES:
        assert expected(case, defence, 0) == {(0, 0): Fraction(1, 2), (0, 1): Fraction(1, 2)}
