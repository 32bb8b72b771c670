"""Exact odds of attacks (ROGUE-43 to 45), by convolution: tables with which positions are judged."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sim.engine.sums import convolution, product, total
from sim.games.cardrogue.record import ATTACKS_MAX, DIE_FACES, HEALTH_SPAN, MOD_LOWEST, MODS

DICE_MAX = 64  # dice of one attack
TOTALS = DICE_MAX * DIE_FACES + 1


class Weapon(NamedTuple):
    """The numbers of a weapon, as in the CARDS record; sets of faces are bits 1 << face."""

    min_attack: int = 0
    multiply: int = 1
    miss_faces: int = 0
    reroll_faces: int = 0
    reroll_dice: int = 0


@lru_cache(maxsize=256)
def attack_tables(weapon: Weapon) -> tuple[np.ndarray, np.ndarray]:
    """Mean damage of an attack, shape (MODS,), and the chance that n attacks do h damage or more.

    The second has shape (MODS, ATTACKS_MAX + 1, HEALTH_SPAN): modifier - MOD_LOWEST, n, h. The modifier is the whole one,
    that of the weapon included.
    """
    odds = total_odds(weapon)
    means = np.zeros(MODS)
    chances = np.zeros((MODS, ATTACKS_MAX + 1, HEALTH_SPAN))
    for index in range(MODS):
        damage = _damage(weapon, MOD_LOWEST + index)
        means[index] = product(odds, damage)
        once = np.bincount(np.minimum(damage, HEALTH_SPAN - 1), odds, HEALTH_SPAN)
        once[0] += 1 - total(odds)  # missed
        chances[index] = _reached(once)
    return means, chances


def total_odds(weapon: Weapon) -> np.ndarray:
    """ROGUE-43. Chance of each total of the dice without a miss, shape (TOTALS,); what is lacking to 1 are misses."""
    faces = range(1, DIE_FACES + 1)
    again = sum(bool((weapon.reroll_faces & ~weapon.miss_faces) >> face & 1) for face in faces) / DIE_FACES
    counted = np.zeros(DIE_FACES + 1)
    for face in faces:
        if not (weapon.reroll_faces | weapon.miss_faces) >> face & 1:
            counted[face] = 1 / DIE_FACES
    odds = np.zeros(TOTALS)
    sums = np.zeros(TOTALS)
    sums[0] = 1.0  # chance of each sum of so many dice that count
    for chance in _sequences(again, weapon.reroll_dice):
        odds += chance * sums
        sums = convolution(sums, counted)[:TOTALS]
    return odds


def _sequences(again: float, more: int) -> np.ndarray:
    """Chance of the faces that add dice, summed over the sequences with k dice that count, by k; shape (DICE_MAX + 1,).

    again: chance that a die counts nothing and adds `more` dice.
    """
    found = np.zeros(DICE_MAX + 1)
    owed = {1: {0: 1.0}}  # dice still to be thrown -> dice that counted -> chance
    for _ in range(DICE_MAX):
        following: dict[int, dict[int, float]] = {}
        for left, by_count in owed.items():
            for count, chance in by_count.items():
                for after, counted, weight in ((left - 1, count + 1, chance), (left - 1 + more, count, chance * again)):
                    if weight == 0:
                        continue
                    if after == 0:
                        found[counted] += weight
                    else:
                        row = following.setdefault(min(after, DICE_MAX), {})
                        row[counted] = row.get(counted, 0.0) + weight
        owed = following
    for by_count in owed.values():  # dice beyond the last one are not thrown
        for count, chance in by_count.items():
            found[count] += chance
    return found


def _damage(weapon: Weapon, modifier: int) -> np.ndarray:
    """ROGUE-44. Damage by total of the dice, shape (TOTALS,)."""
    raised = np.maximum(np.arange(TOTALS), weapon.min_attack)
    return np.maximum(0, np.maximum(raised * weapon.multiply + modifier, weapon.min_attack))


def _reached(once: np.ndarray) -> np.ndarray:
    """Chance that n attacks do h damage or more, shape (ATTACKS_MAX + 1, HEALTH_SPAN). once: odds of the damage of one.

    Damage from HEALTH_SPAN - 1 on counts as one value.
    """
    chances = np.zeros((ATTACKS_MAX + 1, HEALTH_SPAN))
    sums = np.zeros(HEALTH_SPAN)
    sums[0] = 1.0
    for attacks in range(ATTACKS_MAX + 1):
        chances[attacks] = np.cumsum(sums[::-1])[::-1]
        more = convolution(sums, once)
        sums = more[:HEALTH_SPAN].copy()
        sums[-1] += total(more[HEALTH_SPAN:])
    return np.minimum(chances, 1.0)
