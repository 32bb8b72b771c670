"""Dice expressions such as "5d6>=4 - 3d6>=4": read, worked out exactly, simulated and compared.

    4d6            sum of four six-sided dice            4d6kh3, 4d6kl3   sum of the three highest, lowest
    5d6>=4         number of dice that show 4 or more    5d6<=2, 5d6==6   likewise
    2*1d6 + 3      multiples, + and -, whole numbers     max(a, b), min(a, b), (a)
    a floor 0      a, but at least 0; binds last         the same as max(0, a)

Every pool is a roll of its own. The text is parsed by hand and never run as code; its size is limited so that no
expression takes more than a few seconds or much memory.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from analysis.dice_language import DiceError, read
from analysis.dice_terms import Term, dice_in, exact, hits, roll
from analysis.distribution import Agreement, Distribution, compare

__all__ = ["Agreement", "DiceError", "Distribution", "Expression", "compare", "hits", "parse", "simulate"]

ROLLED_MAX = 2_000_000_000  # dice of one simulation, about half a minute
BLOCK_DICE = 2_000_000  # dice rolled at once: bounds the memory of a simulation


@dataclass(frozen=True)
class Expression:
    """A dice expression that was read."""

    text: str
    term: Term

    @property
    def dice(self) -> int:
        """Number of dice rolled for one result."""
        return dice_in(self.term)

    @cached_property
    def distribution(self) -> Distribution:
        """Exact distribution of the result."""
        return exact(self.term)


def parse(text: str) -> Expression:
    """Read a dice expression. Raises DiceError at the first thing that is not one, or that is too large."""
    return Expression(text.strip(), read(text))


def simulate(expression: Expression, n: int, seed: int) -> dict[int, int]:
    """Roll the expression n times (1 or more) and count the results by value; the same seed gives the same counts.

    Raises ValueError if n or seed is out of range or more than ROLLED_MAX dice would be rolled.
    """
    dice = max(1, expression.dice)
    if n < 1 or n * dice > ROLLED_MAX:
        raise ValueError(f"n={n} must be in 1..{ROLLED_MAX // dice} for an expression of {expression.dice} dice")
    if seed < 0:
        raise ValueError(f"seed={seed} must be at least 0")
    rng = np.random.Generator(np.random.Philox(seed))
    counts: dict[int, int] = {}
    block = max(1, BLOCK_DICE // dice)
    for start in range(0, n, block):
        values, times = np.unique(roll(expression.term, rng, min(block, n - start)), return_counts=True)
        for value, count in zip(values.tolist(), times.tolist(), strict=True):
            counts[value] = counts.get(value, 0) + count
    return dict(sorted(counts.items()))
