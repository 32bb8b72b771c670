"""How many games each of many steps gets: a small first round for all, then as many as its interval needs.

The first round gives a first half-width w of each interval. For a half-width h the final round needs (w / h)^2 times as many
games, and a little more, for w is an estimate (two-stage fixed-width intervals: Stein 1945, Annals of Mathematical Statistics
16:243-258). Contenders for the top get twice as many. Estimates and intervals come from the final round alone: its length is
settled before its first game, by other games, so that they are those of a sample of fixed size. Where an interval is still too
wide, games are added by its width alone, never by where it lies: that leaves its coverage as it is but for terms that vanish
with the number of games (Chow and Robbins 1965, Annals of Mathematical Statistics 36:457-462); tests show how it comes out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

MARGIN = 1.15  # more games than the first round asks for
TOP = 20  # contenders at most
UNDECIDED = 10  # places at the top that are to be told apart
TWICE = 2.0  # games of a contender
SQUARED = 3.85  # z^2 at 95 %
HALVINGS = 60


def contenders(change: Floats, half: Floats) -> NDArray[np.bool_]:
    """Steps that may be among the UNDECIDED largest changes, by the first round; the TOP largest of them at most."""
    size = np.abs(change)
    least = np.sort((size - half).clip(min=0))[::-1]
    bar = float(least[min(UNDECIDED, least.size) - 1]) if least.size else 0.0
    may = (size + half > bar) & (size > 0)
    order = np.argsort(-size, kind="stable")
    return may & np.isin(np.arange(size.size), order[:TOP])


@dataclass(frozen=True)
class Plan:
    """What a first round of `pilot` base games says of each step, and how games are counted.

    half: half-widths of the first round; weight: times as many games for some; density: share of the base games that a step must
    play; sits: share of them in which the one judged by it sits; batch: base games.
    """

    pilot: int
    half: Floats
    weight: Floats
    density: Floats
    sits: Floats
    batch: int


def spans(plan: Plan, target: float) -> Counts:
    """Base games of the final round of each step for a half-width `target`, in whole batches, one at least.

    Where hardly a game differs the half-width goes with z^2 / n, not with its root.
    """
    wanted = plan.pilot * (plan.half / target) ** 2 * MARGIN * plan.weight
    wanted = np.maximum(wanted, SQUARED / target / plan.sits) if np.isfinite(target) else wanted
    batch = plan.batch
    return (np.maximum(1, np.ceil(wanted / batch - 1e-9)) * batch).astype(np.int64)


def cost(span: Counts, density: Floats) -> float:
    """Games in all: the base games once, and of each step the share `density` of its base games that must be played."""
    return float(span.max(initial=0) + (span * density).sum())


def affordable(plan: Plan, games: float) -> float:
    """The least half-width for which the games suffice; infinite where they do not even for one batch each."""
    if cost(spans(plan, np.inf), plan.density) > games:
        return float("inf")
    low, high = 1e-6, 1.0
    while cost(spans(plan, high), plan.density) > games:
        high *= 2
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        enough = cost(spans(plan, middle), plan.density) <= games
        low, high = (low, middle) if enough else (middle, high)
    return high


def more(half: Floats, span: Counts, target: float, batch: int) -> Counts:
    """Base games to add where an interval is wider than the target, in whole batches; by its width alone."""
    wanted = span * ((half / target) ** 2 * MARGIN - 1)
    return np.where(half > target, np.ceil(wanted / batch - 1e-9).clip(min=1) * batch, 0).astype(np.int64)
