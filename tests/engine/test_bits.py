"""Bits of a word, in compiled kernels and in plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.engine.jit import bit_count, inlined, interpreted, kernel, lowest_bit, nth_bit, unlikely, without_lowest

pytestmark = pytest.mark.compiles


@kernel
def list_bits(word: np.uint64, bits: np.ndarray) -> int:
    """Write the numbers of the bits that are set, once in turn and once by their order; returns how many there are."""
    inlined()
    count, left = bit_count(word), word
    for n in range(count):
        bits[0, n], bits[1, n] = lowest_bit(left), nth_bit(word, n)
        left = without_lowest(left)
    return -1 if unlikely(left != np.uint64(0)) else count


@given(st.integers(0, 2**64 - 1))
def test_bits_are_the_binary_digits(word: int):
    wanted = [place for place in range(64) if word >> place & 1]
    for plain in (False, True):
        bits = np.zeros((2, 64), np.int64)
        if plain:
            with interpreted():
                count = list_bits(np.uint64(word), bits)
        else:
            count = list_bits(np.uint64(word), bits)
        assert bits[:, :count].tolist() == [wanted, wanted]
