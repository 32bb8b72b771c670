"""The terms of a dice expression: their range, their exact distribution, and rolling them.

Two terms never share a die, so the terms of an expression are independent of each other.
"""

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from analysis.distribution import Distribution, bytes_for, unpack

KEPT_WORK_MAX = 500_000_000  # bytes that the exact sum of kept dice may touch, about a second


@dataclass(frozen=True)
class Constant:
    """A whole number."""

    value: int


@dataclass(frozen=True)
class Pool:
    """Sum of the `keep` highest (or lowest) of `dice` dice with faces 1..faces."""

    dice: int
    faces: int
    keep: int
    highest: bool = True


@dataclass(frozen=True)
class Hits:
    """Number of dice that show a face lowest..highest."""

    dice: int
    faces: int
    lowest: int
    highest: int

    @property
    def hitting(self) -> int:
        """Number of faces that hit."""
        return max(0, min(self.highest, self.faces) - max(self.lowest, 1) + 1)


@dataclass(frozen=True)
class Scaled:
    """A whole number times a term."""

    factor: int
    term: "Term"


@dataclass(frozen=True)
class Sum:
    """Two terms added."""

    left: "Term"
    right: "Term"


@dataclass(frozen=True)
class Larger:
    """The larger of two terms."""

    left: "Term"
    right: "Term"


@dataclass(frozen=True)
class Smaller:
    """The smaller of two terms."""

    left: "Term"
    right: "Term"


Term = Constant | Pool | Hits | Scaled | Sum | Larger | Smaller


def bounds(term: Term) -> tuple[int, int]:
    """Lowest and highest result."""
    match term:
        case Constant(value):
            return value, value
        case Pool():
            return term.keep, term.keep * term.faces
        case Hits():
            return (term.dice if term.hitting == term.faces else 0), (term.dice if term.hitting else 0)
        case Scaled(factor, inner):
            low, high = sorted(factor * bound for bound in bounds(inner))
            return low, high
    (low, high), (other_low, other_high) = bounds(term.left), bounds(term.right)
    if isinstance(term, Sum):
        return low + other_low, high + other_high
    choose = max if isinstance(term, Larger) else min
    return choose(low, other_low), choose(high, other_high)


def dice_in(term: Term) -> int:
    """Count the dice rolled for one result."""
    match term:
        case Constant():
            return 0
        case Pool() | Hits():
            return term.dice
        case Scaled(_, inner):
            return dice_in(inner)
    return dice_in(term.left) + dice_in(term.right)


def exact(term: Term) -> Distribution:
    """Exact distribution. Raises ValueError if the results spread over too many values."""
    match term:
        case Constant(value):
            return Distribution.constant(value)
        case Pool():
            return kept(term)
        case Hits():
            return hits(term.dice, term.hitting, term.faces)
        case Scaled(factor, inner):
            return exact(inner).scaled(factor)
    left, right = exact(term.left), exact(term.right)
    if isinstance(term, Sum):
        return left.convolve(right)
    return left.maximum(right) if isinstance(term, Larger) else left.minimum(right)


def roll(term: Term, rng: np.random.Generator, n: int) -> NDArray[np.int64]:
    """Roll every die of the term n times; shape (n,)."""
    match term:
        case Constant(value):
            return np.full(n, value, np.int64)
        case Pool():
            shown = np.sort(rng.integers(1, term.faces + 1, (n, term.dice)), axis=1)
            counted = shown[:, term.dice - term.keep :] if term.highest else shown[:, : term.keep]
            return np.asarray(counted.sum(axis=1))
        case Hits():
            shown = rng.integers(1, term.faces + 1, (n, term.dice))
            return np.asarray(np.count_nonzero((shown >= term.lowest) & (shown <= term.highest), axis=1))
        case Scaled(factor, inner):
            return factor * roll(inner, rng, n)
    left, right = roll(term.left, rng, n), roll(term.right, rng, n)
    if isinstance(term, Sum):
        return left + right
    return np.maximum(left, right) if isinstance(term, Larger) else np.minimum(left, right)


def hits(dice: int, faces_that_hit: int, faces: int = 6) -> Distribution:
    """Exact number of hits of `dice` dice of which each hits on `faces_that_hit` of its `faces` faces.

    dice: 0 or more; faces_that_hit: 0..faces; faces: 1 or more. Raises ValueError outside.
    """
    if dice < 0 or faces < 1 or not 0 <= faces_that_hit <= faces:
        raise ValueError(
            f"dice={dice}, faces_that_hit={faces_that_hit}, faces={faces}: "
            "dice must be at least 0, faces at least 1, faces_that_hit in 0..faces"
        )
    misses = faces - faces_that_hit
    return Distribution.from_counts(
        {k: comb(dice, k) * faces_that_hit**k * misses ** (dice - k) for k in range(dice + 1)}
    )


def kept_work(pool: Pool) -> int:
    """Bytes that `kept` touches: the cost of an exact sum of the highest or lowest dice; 0 if all dice count."""
    if pool.keep == pool.dice:
        return 0
    size = (pool.keep * pool.faces + 1) * bytes_for(pool.faces**pool.dice)
    return pool.faces * pool.keep * (pool.keep + 1) // 2 * size


def kept(pool: Pool) -> Distribution:
    """Exact sum of the highest (or lowest) dice of a pool.

    Faces are taken in order of preference. `placed` dice show a face already taken; the counts of their sums are the
    digits of one long number, so that adding a face to all sums is a shift. Once `keep` dice are placed, the others
    may show anything that is left.
    """
    dice, faces, keep = pool.dice, pool.faces, pool.keep
    if keep == dice:
        return Distribution.from_counts(dict.fromkeys(range(1, faces + 1), 1)).repeated(dice)
    width = bytes_for(faces**dice)
    complete, partial = 0, {0: 1}
    for rest in reversed(range(faces)):  # faces that remain after this one
        face = rest + 1 if pool.highest else faces - rest
        following: dict[int, int] = {}
        for placed, packed in partial.items():
            free, missing = dice - placed, keep - placed
            for more in range(missing):
                shifted = comb(free, more) * packed << 8 * width * face * more
                following[placed + more] = following.get(placed + more, 0) + shifted
            ways = sum(comb(free, more) * rest ** (free - more) for more in range(missing, free + 1))
            complete += ways * packed << 8 * width * face * missing
        partial = following
    return Distribution.from_counts(dict(enumerate(unpack(complete, keep * faces + 1, width))))
