"""Sums of products are correct, and added in the order of their terms."""

from fractions import Fraction
from random import Random

import numpy as np

from sim.engine.sums import convolution, product, total

LENGTH = 97


def numbers(seed: int, length: int = LENGTH) -> np.ndarray:
    rng = Random(seed)
    return np.array([rng.random() * 10 ** rng.randrange(-3, 4) for _ in range(length)])


def in_order(terms: list[float]) -> float:
    """Add values one by one."""
    found = terms[0]
    for term in terms[1:]:
        found += term
    return found


def test_terms_are_added_in_their_order():
    terms = numbers(1)
    assert total(terms) == in_order(terms.tolist())
    assert total(np.stack([terms, terms[::-1]])).tolist() == [in_order([*terms]), in_order([*terms[::-1]])]


def test_each_product_is_rounded_and_they_are_added_in_order():
    left, right = numbers(2), numbers(3)
    assert product(left, right) == in_order([a * b for a, b in zip(left.tolist(), right.tolist(), strict=True)])
    exact = sum(Fraction(a) * Fraction(b) for a, b in zip(left.tolist(), right.tolist(), strict=True))
    assert abs(product(left, right) - float(exact)) < 1e-12 * float(exact)


def test_a_convolution_is_that_of_numpy_except_for_the_last_bits():
    left, right = numbers(4), numbers(5, 13)
    found = convolution(left, right)
    np.testing.assert_allclose(found, np.convolve(left, right), rtol=1e-12)
    assert found[1] == left[1] * right[0] + left[0] * right[1]
