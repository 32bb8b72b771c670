"""Policies, written once: they know a game through its verbs alone.

`random` picks uniformly among the legal decisions. `greedy` looks one decision ahead: it tries each on a copy, averages
`evaluate` over samples of the chance that follows (and of what it cannot see), and takes the best, ties at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from sim.engine.contract import apply_action, evaluate, redeal
from sim.engine.dice import DICE, OWNERS, PURPOSES, Purpose, below
from sim.engine.jit import Record, kernel


class Policy(IntEnum):
    """How a seat decides. The numbers are what the kernels dispatch on."""

    RANDOM = 0
    GREEDY = 1


SAMPLES_DEFAULT = 4  # of chance per decision tried, greedy
SAMPLES_MAX = 1000
SAMPLE_STRIDE = 4096  # draws set aside for one imagined sample, so that no two samples share any

PLAYER = np.dtype([("policy", np.int32), ("samples", np.int32)], align=True)


class Bench(NamedTuple):
    """What one worker plays on: allocated once, overwritten by every game."""

    states: np.ndarray  # (4,) STATE: the game; as the seat to act knows it; the copy an option is tried on; a blank
    dice: np.ndarray  # (2,) DICE: the game's, and the imagination's
    options: np.ndarray  # (options_max,) int32: the decisions open
    values: np.ndarray  # (options_max,) float64: what each is worth
    used: np.ndarray  # (OWNERS, PURPOSES) uint32: where imagined dice stood before an option was tried
    shares: np.ndarray  # (SEATS_MAX,) float64: share of the win by seat
    streams: np.ndarray  # (SEATS_MAX,) uint32: dice of one's own for each seat; never changes


def new_bench(state: np.dtype[Any], options_max: int, seats_max: int) -> Bench:
    """Allocate the scratch of one worker."""
    return Bench(
        np.zeros(4, state),
        np.zeros(2, DICE),
        np.zeros(options_max, np.int32),
        np.zeros(options_max),
        np.zeros((OWNERS, PURPOSES), np.uint32),
        np.zeros(seats_max),
        np.arange(seats_max, dtype=np.uint32),
    )


@dataclass(frozen=True)
class PolicySpec:
    """A policy as a user names it: `random`, `greedy`, `greedy:16` (16 samples of chance per option)."""

    policy: Policy
    samples: int = SAMPLES_DEFAULT

    def __str__(self) -> str:
        name = self.policy.name.lower()
        return name if self.policy == Policy.RANDOM else f"{name}:{self.samples}"

    @property
    def in_words(self) -> str:
        """What the policy does, for a reader."""
        if self.policy == Policy.RANDOM:
            return "decides by lot"
        return f"looks one decision ahead, averaging {self.samples} samples of the chance that follows"

    @classmethod
    def parse(cls, text: str) -> PolicySpec:
        """Read a policy's name. Raises ValueError saying what would be right."""
        name, colon, number = text.strip().partition(":")
        if name.upper() not in Policy.__members__:
            known = ", ".join(policy.name.lower() for policy in Policy)
            raise ValueError(f"policy={text!r} is not known; known are {known} and, with k samples, greedy:k")
        policy = Policy[name.upper()]
        if not colon:
            return cls(policy)
        if policy == Policy.RANDOM:
            raise ValueError(f"policy={text!r}: only greedy takes a number of samples, as in greedy:{SAMPLES_DEFAULT}")
        if not (number.isascii() and number.isdigit()):
            raise ValueError(f"policy={text!r}: samples must be a whole number, as in greedy:{SAMPLES_DEFAULT}")
        if not 1 <= int(number[:9]) <= SAMPLES_MAX:
            raise ValueError(f"policy={text!r}: samples must be 1..{SAMPLES_MAX}")
        return cls(policy, int(number))


def players(specs: list[PolicySpec]) -> np.ndarray:
    """Return the PLAYER table that `choose` reads, one row per policy."""
    return np.array([(spec.policy, spec.samples) for spec in specs], PLAYER)


@kernel
def choose(bench: Bench, cards: Record, player: Record, seat: int, count: int) -> int:
    """Pick among bench.options[0..count-1] for `seat`, by the policy of the PLAYER record; returns its number."""
    if player["policy"] == Policy.GREEDY:
        return choose_greedy(bench, cards, player["samples"], seat, count)
    return below(bench.dice[0], seat, Purpose.POLICY, count)


@kernel
def choose_greedy(bench: Bench, cards: Record, samples: int, seat: int, count: int) -> int:
    """One-step look-ahead by `evaluate`; every option meets the same imagined chance. Overwrites states 1, 2 and values."""
    bench.values[:count] = 0.0
    for _ in range(samples):
        if not try_options(bench, cards, seat, count):
            break  # nothing was left to chance: further samples would say the same
    return best_option(bench, seat, count)


@kernel
def try_options(bench: Bench, cards: Record, seat: int, count: int) -> bool:
    """Add one sample of each option's value to bench.values; returns whether chance or hidden cards came into it."""
    known, trial, imagined = bench.states[1], bench.states[2], bench.dice[1]
    drawn = imagined["drawn"]
    bench.states[1] = bench.states[0]
    redeal(known, cards, seat, imagined)
    bench.used[:] = imagined["used"]
    for i in range(count):
        bench.states[2] = bench.states[1]
        imagined["used"][:] = bench.used
        apply_action(trial, cards, bench.options[i], imagined)
        bench.values[i] += evaluate(trial, cards, seat)
    imagined["used"][:] = bench.used
    imagined["used"][:] += np.uint32(SAMPLE_STRIDE)
    return imagined["drawn"] != drawn


@kernel
def best_option(bench: Bench, seat: int, count: int) -> int:
    """Number of the option of the highest value, ties broken uniformly by the game's dice."""
    best, ties = 0, 1
    for i in range(1, count):
        if bench.values[i] > bench.values[best]:
            best, ties = i, 1
        elif bench.values[i] == bench.values[best]:
            ties += 1
    if ties == 1:
        return best
    left = below(bench.dice[0], seat, Purpose.POLICY, ties)
    for i in range(best, count):
        if bench.values[i] == bench.values[best]:
            if left == 0:
                return i
            left -= 1
    return best
