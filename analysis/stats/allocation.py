"""Games for many steps: how many each needs so that its effect is known well enough.

After a small first round for all steps, the final round is as long as each interval needs. If the first round gives a
half-width w, a half-width h takes (w / h)^2 times as many games, and a few more because w is an estimate (two-stage
fixed-width intervals: Stein 1945, Annals of Mathematical Statistics 16:243-258). Contenders for the top get twice as many.
Estimates and intervals come from the final round alone. Other games have fixed its length before it starts, so that it is a
sample of fixed size. Where an interval is still too wide, games are added by its width alone, never by its position. This
changes the coverage only by terms that vanish with the number of games (Chow and Robbins 1965, Annals of Mathematical
Statistics 36:457-462); the tests measure it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

MARGIN = 1.15  # factor on the games that the first round asks for
TOP = 20  # contenders at most
UNDECIDED = 10  # places at the top that should be resolved
TWICE = 2.0  # factor on the games of a contender
SQUARED = 3.85  # z^2 at 95 %
HALVINGS = 60


def contenders(change: Floats, half: Floats) -> NDArray[np.bool_]:
    """Steps that can be among the UNDECIDED largest changes, judging by the first round; at most the TOP largest of them."""
    size = np.abs(change)
    least = np.sort((size - half).clip(min=0))[::-1]
    bar = float(least[min(UNDECIDED, least.size) - 1]) if least.size else 0.0
    possible = (size + half > bar) & (size > 0)
    order = np.argsort(-size, kind="stable")
    return possible & np.isin(np.arange(size.size), order[:TOP])


@dataclass(frozen=True)
class Plan:
    """Results of a first round of `pilot` base games for each step, and how its games are counted.

    half: half-widths of the first round; weight: factor on the games of a step; density: share of the base games that a step
    has to play; sits: share of the base games in which the entrant concerned sits; batch: base games added at a time.
    """

    pilot: int
    half: Floats
    weight: Floats
    density: Floats
    sits: Floats
    batch: int


def spans(plan: Plan, target: float) -> Counts:
    """Base games of the final round of each step for a half-width `target`, in whole batches, at least one.

    Where hardly any game differs, the half-width is proportional to z^2 / n, not to its root.
    """
    wanted = plan.pilot * (plan.half / target) ** 2 * MARGIN * plan.weight
    wanted = np.maximum(wanted, SQUARED / target / plan.sits) if np.isfinite(target) else wanted
    batch = plan.batch
    return (np.maximum(1, np.ceil(wanted / batch - 1e-9)) * batch).astype(np.int64)


def cost(span: Counts, density: Floats) -> float:
    """Total games: the base games once, and the share `density` of the base games of each step."""
    return float(span.max(initial=0) + (span * density).sum())


def affordable(plan: Plan, games: float) -> float:
    """Smallest half-width that the games suffice for; infinite if they do not suffice for one batch each."""
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
    """Base games to add where an interval is wider than the target, in whole batches; depends on the width alone."""
    wanted = span * ((half / target) ** 2 * MARGIN - 1)
    return np.where(half > target, np.ceil(wanted / batch - 1e-9).clip(min=1) * batch, 0).astype(np.int64)
