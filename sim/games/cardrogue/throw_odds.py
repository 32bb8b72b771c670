"""Exact odds of the dice of an attack (ROGUE-42, 43), rerolls and the bound of 64 dice included."""

from enum import IntEnum

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.attack_odds import DICE_MAX
from sim.games.cardrogue.holding import has_face
from sim.games.cardrogue.record import DIE_FACES


class Sign(IntEnum):
    """What the faces of an attack mean besides their total; the sign of a throw is the sum of what they show."""

    MISS = 1
    BLOCK = 2
    FLEE = 4


SIGNS = 8
LAYERS = 2  # of the scratch: dice thrown so far, and one more


@kernel
def sign_of(fight: Record, fleeing: int, face: int) -> int:
    """What one face means. fleeing: faces that make the player flee (ROGUE-96)."""
    sign = Sign.MISS if has_face(np.int64(fight["miss_faces"]), face) else 0
    sign |= Sign.BLOCK if has_face(np.int64(fight["block_faces"]), face) else 0
    return sign | (Sign.FLEE if has_face(fleeing, face) else 0)


@kernel
def faces_of(fight: Record, fleeing: int, sign: int) -> int:
    """The set of all faces that mean nothing but what is in a sign: stands for any throw of that sign."""
    faces = 0
    for face in range(1, DIE_FACES + 1):
        if sign_of(fight, fleeing, face) | sign == sign:
            faces |= 1 << face
    return faces


@kernel
def throw_odds(fight: Record, fleeing: int, odds: np.ndarray, faces: np.ndarray, work: np.ndarray) -> None:
    """ROGUE-43. Chance of every sign and total of an attack, by the number of dice thrown so far.

    odds: (SIGNS, totals), overwritten; the last total stands for itself and all above. faces: (SIGNS,), overwritten: faces
    that stand for a sign. work: (LAYERS, DICE_MAX + 1, SIGNS, totals) float64, scratch: chance to owe so many dice, zero at the
    start. fleeing: faces that make the player flee (ROGUE-96).
    """
    for sign in range(SIGNS):
        faces[sign] = faces_of(fight, fleeing, sign)
    odds[:] = 0.0
    work[0, 1, 0, 0] = 1.0
    for thrown in range(DICE_MAX):
        now, later = work[thrown % LAYERS], work[(thrown + 1) % LAYERS]
        later[:] = 0.0
        going_on = False
        for owed in range(1, DICE_MAX - thrown + 1):
            for sign in range(SIGNS):
                for total in range(odds.shape[1]):
                    chance = now[owed, sign, total]
                    if chance > 0.0:
                        going_on |= throw_one(fight, fleeing, odds, later, (thrown, owed, sign, total, chance))
        if not going_on:
            return


@kernel
def throw_one(
    fight: Record, fleeing: int, odds: np.ndarray, later: np.ndarray, throw: tuple[int, int, int, int, float]
) -> bool:
    """One more die of a throw under way: dice thrown and owed, sign, total, chance. Returns whether a further die can follow."""
    thrown, owed, sign, total, chance = throw
    left = DICE_MAX - thrown - 1  # dice that may still follow
    going_on = False
    for face in range(1, DIE_FACES + 1):
        again = has_face(np.int64(fight["reroll_faces"]), face)
        sum_ = min(total + (0 if again else face), odds.shape[1] - 1)
        shown = sign | sign_of(fight, fleeing, face)
        after = min(owed - 1 + (fight["reroll_dice"] if again else 0), left)
        if after == 0:
            odds[shown, sum_] += chance / DIE_FACES
        else:
            later[after, shown, sum_] += chance / DIE_FACES
            going_on = True
    return going_on
