"""Every attack of the reference set with every number of hits and blocks, and the chances of these numbers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb

import pytest

from analysis.dice.exact import chances_of, parse
from sim.games.arena.state import Phase
from tests.games.arena.builders import BLOCK, HIT, MISS, OPEN, gift, reference, shot
from tests.games.arena.kernel_bridge import Kernels, card_set
from tests.games.arena.model.board import Hex, distance
from tests.games.arena.model.model import ability_code

DEFENCE = 2
ZONES = range(3)
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
    """The reference heroes and a target with long zones on a board of 169 hexes."""
    document = reference(board="wide")
    wide = {"id": "wide", "radius": 7, "starts": [[0, 0], [0, 1], [1, 0], [0, -1]]}
    numbers = {"move": 0, "energy": [SPACES] * 3, "ability": [shot(), gift(), gift()]}
    target = {"id": "target", "name": "Target", "defence": DEFENCE, **numbers}
    return card_set(document | {"board": [wide], "hero": [*document["hero"], target]})


def stand(cards, case: Case, zone: int) -> tuple[Kernels, int, Hex]:
    """User and target on the middle line with room in the north; the decision to attack, and where the push begins."""
    user, target = (0, 3), (0, 3 - case.distance)
    if case.hero == "mirror_mage" and case.ability == 0:
        user, target = target, user  # they will swap
    beside = [(1, target[1] - 1), (-1, target[1]), (1, target[1])][: case.allies]
    dragonlings = dict(enumerate(beside, start=4))
    position = {
        "heroes": [case.hero, "target"],
        "positions": {USER: user, TARGET: target, **dragonlings},
        "owner": dict.fromkeys(dragonlings, USER),
        "marker": [0, SPACES * zone],
        "rage": [case.rage, 0],
        "active": USER,
    }
    area = case.hero == "whirl_fighter" and case.ability == 0
    code = ability_code(case.ability, None if area else TARGET)
    return Kernels(cards).place(position), code, (0, 3 - case.distance)


def attack(game: Kernels, code: int, dice: Sequence[int]) -> None:
    """Carry out an attack with the dice that it rolls. All rage is paid, and the only step before the attack taken."""
    game.apply(code)
    while game.state["phase"] in (Phase.PRE_MOVE, Phase.RAGE):
        game.script(dice)
        game.apply(game.options()[-1])


def faces(successes: int, dice: int, success: int, failure: int) -> list[int]:
    """Faces of some dice, successes first."""
    return [success] * successes + [failure] * (dice - successes)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_arena_42_44_46_energy_lost_and_hexes_moved_by_hits_blocks_and_zone(cards, case):
    defence_dice = DEFENCE if case.rolls_defence else 0
    for zone, hits, blocks in product(ZONES, range(case.dice + 1), range(defence_dice + 1)):
        game, code, begin = stand(cards, case, zone)
        dice = [*faces(hits, case.dice, HIT, MISS), *faces(blocks, defence_dice, BLOCK, OPEN)]
        game.script(dice)
        attack(game, code, dice)
        assert game.dice["script_at"] == len(dice)

        net = case.fixed or max(0, hits - blocks)
        moved = distance(begin, game.board.land[game.state["pos"][TARGET]])
        lost = game.state["marker"][TARGET] - SPACES * zone
        spaces_left = SPACES * (len(ZONES) - zone) - 1
        assert moved == (case.knockback[zone] if net else 0)
        assert lost == (min(net, spaces_left) if case.damages else 0)


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


def net_hits(attack: int, defence: int) -> dict[int, Fraction]:
    """Distribution of max(0, hits - blocks), three faces each, by listing every pair of numbers of successes."""
    chance: Counter[int] = Counter()
    for hit, block in product(range(attack + 1), range(defence + 1)):
        chance[max(0, hit - block)] += comb(attack, hit) * comb(defence, block)
    return {net: Fraction(ways, 2 ** (attack + defence)) for net, ways in chance.items()}


@pytest.mark.parametrize(("attack", "defence"), G9)
def test_golden_g9_odds_are_exact_here_in_the_card_tables_and_in_the_dice_language(cards, attack, defence):
    numerators, denominator, at_least_one, mean = G9[attack, defence]
    exact = [Fraction(numerator, denominator) for numerator in numerators]
    assert [net_hits(attack, defence)[net] for net in range(attack + 1)] == exact
    assert (1 - exact[0], sum(net * p for net, p in enumerate(exact))) == (at_least_one, mean)
    assert cards.record[0]["net_chance"][attack, defence] == float(at_least_one)
    assert cards.record[0]["net_mean"][attack, defence] == float(mean)
    language = chances_of(parse(f"max(0, {attack}d6>=4 - {defence}d6>=4)"))
    assert list(language.fractions()) == exact


def test_golden_g9_boxing_arrow_hits_half_the_time_against_any_defence(cards):
    boxing_arrow = CASES[1]
    assert (boxing_arrow.dice, boxing_arrow.rolls_defence) == (1, False)
    assert cards.record[0]["net_chance"][1, 0] == 0.5
