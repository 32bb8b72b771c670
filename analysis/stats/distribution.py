"""Exact distributions of integer results, and their agreement with simulated counts."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import TypeVar

import numpy as np
import scipy
from numpy.typing import NDArray

SUPPORT_MAX = 100_000  # widest range of results, highest - lowest + 1
EXACT_BYTES = 1 << 16  # exact counts are kept while all of them fit in this number of bytes; floats after that
DIRECT_WORK = 10_000_000  # products in a convolution up to which direct summation beats the Fourier transform
CELL_MIN = 5.0  # least expected count of a chi-square cell (Cochran 1954)

Number = TypeVar("Number", np.int64, np.float64)


@dataclass(frozen=True, eq=False)
class Distribution:
    """Probabilities of integer results. Every operation treats its operands as independent.

    values: ascending, each with a probability above 0. probabilities: same length, sum 1.
    counts: the smallest integers in proportion to the probabilities, if the distribution is known exactly.
    """

    values: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    counts: tuple[int, ...] | None = None

    @classmethod
    def from_counts(cls, counts: Mapping[int, int]) -> "Distribution":
        """Exact distribution in proportion to integers >= 0 by value, e.g. {0: 22, 1: 20, 2: 15}."""
        if any(count < 0 for count in counts.values()) or not any(counts.values()):
            raise ValueError(f"counts={dict(counts)} must be whole numbers >= 0, at least one above 0")
        values = sorted(value for value, count in counts.items() if count)
        shared = math.gcd(*(counts[value] for value in values))
        reduced = tuple(counts[value] // shared for value in values)
        total = sum(reduced)
        return cls(_frozen(values, np.int64), _frozen([count / total for count in reduced], np.float64), reduced)

    @classmethod
    def constant(cls, value: int) -> "Distribution":
        """Return the distribution of a result that is always `value`."""
        return cls.from_counts({value: 1})

    @classmethod
    def _from_weights(cls, values: Iterable[int], weights: Sequence[float], exact: bool) -> "Distribution":
        """Distribution in proportion to integers (exact) or floats; values without weight are dropped."""
        if exact:
            return cls.from_counts(dict(zip(values, (int(weight) for weight in weights), strict=True)))
        kept = np.asarray(weights, np.float64)
        present = kept > 0
        points = np.fromiter(values, np.int64, kept.size)
        return cls(_frozen(points[present], np.int64), _frozen(kept[present] / kept[present].sum(), np.float64))

    @property
    def total(self) -> int:
        """Sum of the exact counts. Raises ValueError where only floats are known."""
        if self.counts is None:
            raise ValueError("too many outcomes for exact counts: use probabilities")
        return sum(self.counts)

    @property
    def span(self) -> int:
        """Highest value - lowest value + 1."""
        return int(self.values[-1] - self.values[0]) + 1

    @cached_property
    def mean(self) -> float:
        """Expected value."""
        if self.counts is not None:
            weighted = (value * count for value, count in zip(self.values.tolist(), self.counts, strict=True))
            return float(Fraction(sum(weighted), self.total))
        return float(self.values @ self.probabilities)

    @cached_property
    def sd(self) -> float:
        """Standard deviation."""
        return math.sqrt(np.dot((self.values - self.mean) ** 2, self.probabilities))

    def fractions(self) -> tuple[Fraction, ...]:
        """Exact probabilities, one per value. Raises ValueError where only floats are known."""
        total = self.total
        return tuple(Fraction(count, total) for count in self.counts or ())

    def at_least(self, k: int) -> float:
        """Probability of a result of k or more."""
        first = int(np.searchsorted(self.values, k))
        if self.counts is not None:
            return sum(self.counts[first:]) / self.total
        return min(1.0, float(self.probabilities[first:].sum()))

    def quantile(self, q: float) -> int:
        """Smallest value that is not exceeded with probability q or more; q in 0..1."""
        if not 0 <= q <= 1:
            raise ValueError(f"q={q} must lie in 0..1")
        if self.counts is not None:
            needed = Fraction(q) * self.total
            index = sum(reached < needed for reached in accumulate(self.counts))
        else:
            index = int(np.searchsorted(np.cumsum(self.probabilities), q))
        return int(self.values[min(index, self.values.size - 1)])

    def convolve(self, other: "Distribution") -> "Distribution":
        """Distribution of the sum. Raises ValueError if it would spread over more than SUPPORT_MAX values."""
        low, span = int(self.values[0] + other.values[0]), self.span + other.span - 1
        if span > SUPPORT_MAX:
            raise ValueError(f"results would spread over {span} values, at most {SUPPORT_MAX} are possible")
        points = range(low, low + span)
        width = self._exact_width(other, span)
        if width:  # the counts become digits of two long integers, whose product holds the counts of the sum
            product = _pack(self._dense_counts(), width) * _pack(other._dense_counts(), width)
            return self._from_weights(points, unpack(product, span, width), exact=True)
        mine, others = self._dense_probabilities(), other._dense_probabilities()
        if mine.size * others.size <= DIRECT_WORK:
            return self._from_weights(points, np.convolve(mine, others).tolist(), exact=False)

        return self._from_weights(points, scipy.signal.fftconvolve(mine, others).clip(0).tolist(), exact=False)

    def difference(self, other: "Distribution") -> "Distribution":
        """Distribution of this result minus the other."""
        return self.convolve(other.scaled(-1))

    def repeated(self, times: int) -> "Distribution":
        """Distribution of the sum of `times` independent results (0 or more)."""
        if times < 0:
            raise ValueError(f"times={times} must be at least 0")
        result, power = Distribution.constant(0), self
        while times:
            if times & 1:
                result = result.convolve(power)
            times >>= 1
            power = power.convolve(power) if times else power
        return result

    def scaled(self, factor: int) -> "Distribution":
        """Distribution of factor x result."""
        if factor == 0:
            return Distribution.constant(0)
        values, order = self.values * factor, slice(None, None, 1 if factor > 0 else -1)
        counts = None if self.counts is None else self.counts[order]
        return Distribution(_frozen(values[order], np.int64), _frozen(self.probabilities[order], np.float64), counts)

    def maximum(self, other: "Distribution") -> "Distribution":
        """Distribution of the larger of the two results."""
        points: list[int] = np.union1d(self.values, other.values).tolist()
        exact = self._exact_width(other, len(points)) > 0
        mine, others = self._weights(points, exact), other._weights(points, exact)
        # sums of products instead of differences of cumulative ones: small probabilities keep all their digits
        below, up_to = accumulate(mine, initial=0), accumulate(others)
        columns = zip(mine, others, below, up_to, strict=False)  # `below` has one entry more, after the last value
        return self._from_weights(points, [p * reached + q * under for p, q, under, reached in columns], exact)

    def minimum(self, other: "Distribution") -> "Distribution":
        """Distribution of the smaller of the two results."""
        return self.scaled(-1).maximum(other.scaled(-1)).scaled(-1)

    def _exact_width(self, other: "Distribution", size: int) -> int:
        """Bytes that a count of the combined distribution can need; 0 if it is computed with floats."""
        if self.counts is None or other.counts is None:
            return 0
        width = bytes_for(self.total * other.total)
        return width if width * size <= EXACT_BYTES else 0

    def _weights(self, points: Sequence[int], exact: bool) -> list[float]:
        """Return the counts (exact) or probabilities at each point, 0 where there is none."""
        weights = self.counts if exact and self.counts is not None else self.probabilities.tolist()
        weight_at = dict(zip(self.values.tolist(), weights, strict=True))
        return [weight_at.get(point, 0) for point in points]

    def _dense_counts(self) -> list[int]:
        dense = [0] * self.span
        for value, count in zip(self.values.tolist(), self.counts or (), strict=True):
            dense[value - int(self.values[0])] = count
        return dense

    def _dense_probabilities(self) -> NDArray[np.float64]:
        dense = np.zeros(self.span)
        dense[self.values - self.values[0]] = self.probabilities
        return dense


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


def compare(distribution: Distribution, counts: Mapping[int, int]) -> Agreement:
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


def bytes_for(largest: int) -> int:
    """Bytes that hold an integer up to `largest`."""
    return largest.bit_length() // 8 + 1


def _pack(counts: Iterable[int], width: int) -> int:
    """Write counts as the digits (`width` bytes each, lowest first) of one integer: Kronecker substitution."""
    return int.from_bytes(b"".join(count.to_bytes(width, "little") for count in counts), "little")


def unpack(packed: int, size: int, width: int) -> list[int]:
    """Return the `size` counts that are the digits (`width` bytes each, first count lowest) of one long integer."""
    data = packed.to_bytes(width * size, "little")
    return [int.from_bytes(data[start : start + width], "little") for start in range(0, width * size, width)]


def _frozen(values: object, dtype: type[Number]) -> NDArray[Number]:
    array = np.array(values, dtype)
    array.setflags(write=False)
    return array
