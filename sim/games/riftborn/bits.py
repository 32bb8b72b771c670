"""Sets of creatures as bits of one number: bit g is creature g."""

import numpy as np

from sim.engine.jit import kernel


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
