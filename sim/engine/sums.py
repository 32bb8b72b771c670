"""Sums of products whose bits are the same on every machine.

numpy hands `@`, `dot` and `convolve` to a BLAS that adds in the order that suits the processor. A last bit that differs can turn
a tie between two decisions, and with it a game: tables that policies read are made with these instead, which add in the order
of the terms.
"""

import numpy as np


def total(terms: np.ndarray) -> np.ndarray:
    """Sum over the last axis, in the order of its terms."""
    return np.cumsum(terms, axis=-1)[..., -1]


def product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Sum of the products over the last axis: `left @ right` for a vector `right` of that length."""
    return total(left * right)


def convolution(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """`np.convolve` of two vectors: length len(left) + len(right) - 1."""
    found = np.zeros(len(left) + len(right) - 1)
    for at, weight in enumerate(right):
        found[at : at + len(left)] += left * weight
    return found
