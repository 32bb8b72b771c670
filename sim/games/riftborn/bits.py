"""Sets as bits of one number: of creatures, where bit g is creature g, and of decisions, where bit k is code k."""

import numpy as np

from sim.engine.jit import kernel

PRIME = 67  # the remainders of 1, 2, 4 .. 2**63 divided by it are all different
PLACE_OF = np.zeros(PRIME, np.int8)  # k, by the remainder of 2**k
PLACE_OF[[2**k % PRIME for k in range(64)]] = range(64)


@kernel
def has(found: np.uint32, g: int) -> bool:
    """Whether a set of creatures, as bits, holds g."""
    return (found >> np.uint32(g)) & np.uint32(1) == np.uint32(1)


@kernel
def with_bit(found: np.uint32, g: int) -> np.uint32:
    """A set of creatures with g."""
    return np.uint32(found | (np.uint32(1) << np.uint32(g)))


@kernel
def without(found: np.uint32, g: int) -> np.uint32:
    """A set of creatures that holds g, without it."""
    return np.uint32(found ^ (np.uint32(1) << np.uint32(g)))


@kernel
def code_bit(code: int) -> np.uint64:
    """The set that holds one code, 0..63, alone."""
    return np.uint64(1) << np.uint64(code)


@kernel
def write_codes(codes: np.uint64, base: int, out: np.ndarray, count: int) -> np.int64:
    """Append base + k for each code k of a set, ascending; returns how many options there are then.

    Lists are sets first: a kernel that loops, calls others and holds `out` would count references to it each time.
    """
    left = np.uint64(codes)
    while left != np.uint64(0):
        others = left & (left - np.uint64(1))
        out[count] = base + PLACE_OF[(left ^ others) % np.uint64(PRIME)]
        count += 1
        left = others
    return np.int64(count)
