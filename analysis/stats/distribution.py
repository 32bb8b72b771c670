"""Exact distributions of numbers, and their agreement with simulated counts."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

DECIMALS = 9  # of values that are no whole numbers
CELL_MIN = 5.0  # least expected count of a chi-square cell (Cochran 1954)

Number = TypeVar("Number", np.int64, np.float64)


@dataclass(frozen=True, eq=False)
class Distribution:
    """Probabilities of numbers.

    values: ascending, each with a probability above 0; rounded to DECIMALS if some are no whole numbers. probabilities: same
    length, sum 1. counts: the smallest integers in proportion to the probabilities, if the distribution is known exactly.
    """

    values: NDArray[np.int64] | NDArray[np.float64]
    probabilities: NDArray[np.float64]
    counts: tuple[int, ...] | None = None

    @classmethod
    def from_counts(cls, counts: Mapping[int, int] | Mapping[Fraction, int] | Mapping[int | Fraction, int]) -> "Distribution":
        """Exact distribution in proportion to integers >= 0 by value, e.g. {0: 22, 1: 20, 2: 15}."""
        if any(count < 0 for count in counts.values()) or not any(counts.values()):
            raise ValueError(f"counts={dict(counts)} must be whole numbers >= 0, at least one above 0")
        pairs = sorted((value, count) for value, count in counts.items() if count)
        values = [value for value, _ in pairs]
        shared = math.gcd(*(count for _, count in pairs))
        reduced = tuple(count // shared for _, count in pairs)
        total = sum(reduced)
        probabilities = _frozen([count / total for count in reduced], np.float64)
        if all(isinstance(value, int) for value in values):
            return cls(_frozen(values, np.int64), probabilities, reduced)
        return cls(_frozen([round(float(value), DECIMALS) for value in values], np.float64), probabilities, reduced)

    @property
    def total(self) -> int:
        """Sum of the exact counts. Raises ValueError where only floats are known."""
        if self.counts is None:
            raise ValueError("too many outcomes for exact counts: use probabilities")
        return sum(self.counts)

    @cached_property
    def mean(self) -> float:
        """Expected value."""
        if self.counts is not None and self.values.dtype.kind == "i":
            weighted = (value * count for value, count in zip(self.values.tolist(), self.counts, strict=True))
            return float(Fraction(sum(weighted), self.total))
        return float(self.values @ self.probabilities)

    @cached_property
    def sd(self) -> float:
        """Standard deviation."""
        return math.sqrt(np.dot((self.values - self.mean) ** 2, self.probabilities))

    def quantile(self, share: float) -> float:
        """Smallest value that is not exceeded with at least this probability, 0..1."""
        at = int(np.searchsorted(np.cumsum(self.probabilities), share - 1e-12))
        return float(self.values[min(at, len(self.values) - 1)])

    def fractions(self) -> tuple[Fraction, ...]:
        """Exact probabilities, one per value. Raises ValueError where only floats are known."""
        total = self.total
        return tuple(Fraction(count, total) for count in self.counts or ())

    @cached_property
    def tails(self) -> tuple[float, ...]:
        """Probability of each value or more."""
        if self.counts is None:
            return tuple(min(1.0, float(tail)) for tail in np.cumsum(self.probabilities[::-1])[::-1])
        total = self.total
        return tuple(tail / total for tail in accumulate(reversed(self.counts)))[::-1]

    def at_least(self, k: float) -> float:
        """Probability of a result of k or more."""
        first = int(np.searchsorted(self.values, k))
        return self.tails[first] if first < len(self.tails) else 0.0


@dataclass(frozen=True)
class Agreement:
    """Agreement of n simulated results with an exact distribution.

    z: simulated mean minus exact mean, in standard errors. chi2, dof, p_value: chi-square test over all values;
    p_value is nan if pooling leaves a single cell (dof 0) and 0 if an impossible value was observed.
    """

    z: float
    chi2: float
    dof: int
    p_value: float
    n: int


def compare(distribution: Distribution, counts: Mapping[int, int] | Mapping[float, int]) -> Agreement:
    """Compare simulated counts by value with the exact distribution.

    Neighbouring values are pooled until every cell expects at least CELL_MIN. Raises ValueError without results.
    """
    n = sum(counts.values())
    if n < 1 or min(counts.values()) < 0:
        raise ValueError("observed counts must be at least 0, with at least one above 0")
    gap = sum(value * count for value, count in counts.items()) / n - distribution.mean
    error = distribution.sd / math.sqrt(n)
    z = gap / error if error > 0 else (math.copysign(math.inf, gap) if gap else 0.0)
    cells: list[list[float]] = [[0.0, 0.0]]  # observed and expected; each joins its left neighbours until that expects enough
    for value, due in zip(distribution.values.tolist(), (distribution.probabilities * n).tolist(), strict=True):
        if cells[-1][1] >= CELL_MIN:
            cells.append([0.0, 0.0])
        cells[-1][0] += counts.get(value, 0)
        cells[-1][1] += due
    if len(cells) > 1 and cells[-1][1] < CELL_MIN:  # the remainder joins the last cell
        seen, due = cells.pop()
        cells[-1] = [cells[-1][0] + seen, cells[-1][1] + due]
    dof = len(cells) - 1
    if sum(seen for seen, _ in cells) < n:
        return Agreement(z, math.inf, dof, 0.0, n)
    if dof == 0:
        return Agreement(z, 0.0, 0, math.nan, n)
    chi2 = sum((seen - due) ** 2 / due for seen, due in cells)
    return Agreement(z, chi2, dof, chi_square_tail(chi2, dof), n)


def chi_square_tail(chi2: float, dof: int) -> float:
    """Probability that a chi-square variable with `dof` degrees of freedom (at least 1) exceeds chi2 (at least 0).

    Finite sums of Abramowitz and Stegun 1964, 26.4.4 and 26.4.5, because importing scipy takes longer than `fairfight dice`.
    """
    half = chi2 / 2
    if half == 0:
        return 1.0
    first = math.erfc(math.sqrt(half)) if dof % 2 else math.exp(-half)
    orders = (order / 2 for order in range(1 if dof % 2 else 2, dof - 1, 2))
    rest = (math.exp(order * math.log(half) - half - math.lgamma(order + 1)) for order in orders)
    return min(1.0, first + math.fsum(rest))


def _frozen(values: object, dtype: type[Number]) -> NDArray[Number]:
    array = np.array(values, dtype)
    array.setflags(write=False)
    return array
