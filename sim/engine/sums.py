"""Sums of products with the same bits on every machine.

NumPy passes `@`, `dot` and `convolve` to a BLAS whose order of addition depends on the processor. A difference in the last bit
can break a tie between two decisions and change a game. Tables that policies read use these functions instead, which add in
the order of the terms.
"""

import numpy as np


def total(terms: np.ndarray) -> np.ndarray:
    """Sum over the last axis in the order of the terms."""
    return np.cumsum(terms, axis=-1)[..., -1]


def product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Sum of the products over the last axis: `left @ right` for a vector `right` of that length."""
    return total(left * right)


def convolution(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """`np.convolve` of two vectors: length len(left) + len(right) - 1."""
    result = np.zeros(len(left) + len(right) - 1)
    for shift, weight in enumerate(right):
        result[shift : shift + len(left)] += left * weight
    return result
