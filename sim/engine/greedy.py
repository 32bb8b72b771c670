"""Looking one decision ahead, over the verbs of a game."""

from __future__ import annotations

import numpy as np

from sim.engine.contract import apply_action, evaluate, redeal
from sim.engine.jit import Record, kernel
from sim.engine.workspace import GAME, IMAGINED, KNOWN, TRIAL, Bench, best_option

SAMPLE_STRIDE = 4096  # draws set aside for one imagined sample, so that no two samples share any


@kernel
def choose_greedy(bench: Bench, cards: Record, samples: int, seat: int, count: int) -> int:
    """One-step look-ahead by `evaluate`; every option meets the same imagined chance. Overwrites two states and values."""
    bench.values[:count] = 0.0
    tried = 0
    for _ in range(samples):
        tried += 1
        if not try_options(bench, cards, seat, count):
            break  # nothing was left to chance: further samples would say the same
    for i in range(count):
        bench.values[i] /= tried
    return best_option(bench, bench.values, seat, count)


@kernel
def try_options(bench: Bench, cards: Record, seat: int, count: int) -> bool:
    """Add one sample of each option's value to bench.values; returns whether chance or hidden cards came into it."""
    known, trial, imagined = bench.states[KNOWN], bench.states[TRIAL], bench.dice[IMAGINED]
    drawn = imagined["drawn"]
    bench.states[KNOWN] = bench.states[GAME]
    redeal(known, cards, seat, imagined)
    bench.used[:] = imagined["used"]
    for i in range(count):
        bench.states[TRIAL] = bench.states[KNOWN]
        imagined["used"][:] = bench.used
        apply_action(trial, cards, bench.options[i], imagined)
        bench.values[i] += evaluate(trial, cards, seat)
    imagined["used"][:] = bench.used
    imagined["used"][:] += np.uint32(SAMPLE_STRIDE)
    return imagined["drawn"] != drawn
