"""The judging tables of attacks against exact chances (ROGUE-43 to 45, golden examples D-01, D-02)."""

from fractions import Fraction

import pytest

from sim.games.cardrogue.cards import load
from sim.games.cardrogue.record import MOD_LOWEST, Weapon, total_odds

RECORD = load().record[0]


def faces(*numbers: int) -> int:
    return sum(1 << number for number in numbers)


def test_d_01_mean_damage_of_one_attack():
    means = RECORD["attack_mean"]
    bare, sword = means[0, -MOD_LOWEST], means[2, 1 - MOD_LOWEST]  # the modifier holds the sword's own
    axe, maul, dagger = (means[number, -MOD_LOWEST] for number in (3, 4, 1))
    assert [bare, sword, axe, maul] == pytest.approx([7 / 2, 9 / 2, 4, 5], abs=1e-12)
    assert dagger == pytest.approx(5, abs=1e-9)  # with at most 64 dice


def test_d_02_totals_of_the_dagger():
    odds = total_odds(Weapon(reroll_faces=faces(1), reroll_dice=2))
    wanted = ["1/6", "1/6", "37/216", "19/108", "703/3888", "25/1296"]
    assert odds[2:8] == pytest.approx([float(Fraction(one)) for one in wanted], abs=1e-14)
    assert odds.sum() == pytest.approx(1, abs=1e-12)


def test_rogue_43_dice_beyond_the_64th_are_not_thrown():
    odds = total_odds(Weapon(reroll_faces=faces(1, 2, 3, 4, 5), reroll_dice=4))
    assert odds.sum() == pytest.approx(1, abs=1e-12)
    assert odds[0] == pytest.approx((5 / 6) ** 64, rel=1e-9)  # all count nothing
    assert odds[6] == pytest.approx(1 / 6 + 63 * (5 / 6) ** 63 / 6, rel=1e-9)  # the first die, or one of the others


def test_chance_of_reaching_so_much_damage():
    reach = RECORD["reach_chance"]
    none = -MOD_LOWEST
    assert reach[0, none, 0, :3].tolist() == [1, 0, 0]
    assert reach[0, none, 1, [0, 1, 6, 7]] == pytest.approx([1, 1, 1 / 6, 0], abs=1e-12)
    assert reach[0, none, 2, 8] == pytest.approx(15 / 36, abs=1e-12)  # D-04
    assert reach[0, none - 4, 1, 1] == pytest.approx(2 / 6, abs=1e-12)
    assert reach[4, none, 1, [1, 10]] == pytest.approx([5 / 6, 1 / 6], abs=1e-12)  # 6 misses
    assert reach[4, none - 4, 1, [0, 1]] == pytest.approx([1, 3 / 6], abs=1e-12)  # 2 x 3 - 4
    assert reach[3, none - 1, 2, 6] == pytest.approx(1, abs=1e-12)  # at least 3, after the modifier too
    ways = [1]
    for _ in range(12):
        ways = [sum(ways[max(0, total - 6) : total]) for total in range(len(ways) + 6)]
    assert reach[0, none, 12, 31] == pytest.approx(sum(ways[31:]) / 6**12, abs=1e-12)
    assert not reach[5:].any()
