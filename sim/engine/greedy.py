"""One-step look-ahead for any game."""

from __future__ import annotations

import numpy as np

from sim.engine.contract import apply_action, evaluate, resample_hidden
from sim.engine.jit import Record, kernel
from sim.engine.workspace import GAME, IMAGINED, KNOWN, TRIAL, Workspace, best_option

SAMPLE_STRIDE = 4096  # draws reserved for one sample, so that no two samples share draws


@kernel
def choose_greedy(workspace: Workspace, cards: Record, samples: int, seat: int, count: int) -> int:
    """Choose by one-step look-ahead; all options use the same sampled chance. Overwrites KNOWN, TRIAL and values."""
    workspace.values[:count] = 0.0
    tried = 0
    for _ in range(samples):
        tried += 1
        if not try_options(workspace, cards, seat, count):
            break  # no chance involved: further samples would be identical
    for i in range(count):
        workspace.values[i] /= tried
    return best_option(workspace, workspace.values, seat, count)


@kernel
def try_options(workspace: Workspace, cards: Record, seat: int, count: int) -> bool:
    """Add one sample of each option's value to workspace.values; returns whether chance or hidden cards were involved."""
    known, trial, imagined = workspace.states[KNOWN], workspace.states[TRIAL], workspace.dice[IMAGINED]
    drawn = imagined["drawn"]
    workspace.states[KNOWN] = workspace.states[GAME]
    resample_hidden(known, cards, seat, imagined)
    workspace.used[:] = imagined["used"]
    for i in range(count):
        workspace.states[TRIAL] = workspace.states[KNOWN]
        imagined["used"][:] = workspace.used
        apply_action(trial, cards, workspace.options[i], imagined)
        workspace.values[i] += evaluate(trial, cards, seat)
    imagined["used"][:] = workspace.used
    imagined["used"][:] += np.uint32(SAMPLE_STRIDE)
    return imagined["drawn"] != drawn
