"""One-step look-ahead for any game."""

from __future__ import annotations

from sim.engine.contract import apply_action, depends_on_hidden, evaluate, evaluate_options
from sim.engine.dice import note_used, skip_draws
from sim.engine.jit import Record, kernel
from sim.engine.workspace import GAME, IMAGINED, KNOWN, TRIAL, Workspace, best_option, guess_hidden

SAMPLE_STRIDE = 4096  # draws reserved for one sample, so that no two samples share draws
UNCERTAIN = -1.0  # in workspace.scores: chance follows the option, so every sample values it anew


@kernel
def choose_greedy(workspace: Workspace, cards: Record, samples: int, seat: int, count: int) -> int:
    """Choose by one-step look-ahead; all options use the same sampled chance. Overwrites KNOWN, TRIAL, values and scores."""
    for i in range(count):
        workspace.values[i] = 0.0
        workspace.scores[i] = UNCERTAIN
    tried = 0
    for _ in range(samples):
        tried += 1
        if not try_options(workspace, cards, seat, count, tried == 1):
            break  # no chance involved: further samples would be identical
    for i in range(count):
        workspace.values[i] /= tried
    return best_option(workspace, workspace.values, seat, count)


@kernel
def try_options(workspace: Workspace, cards: Record, seat: int, count: int, first: bool) -> bool:
    """Add one sample of each option's value to workspace.values; returns whether chance or hidden cards were involved."""
    known, trial, imagined = workspace.states[KNOWN], workspace.states[TRIAL], workspace.dice[IMAGINED]
    values, certain = workspace.values, workspace.scores
    drawn = imagined["drawn"]
    workspace.states[KNOWN] = workspace.states[GAME]
    guess_hidden(known, cards, seat, imagined)
    note_used(imagined, workspace.used)
    dealt = imagined["drawn"]  # what was drawn up to here changes every option
    if first and dealt == drawn and evaluate_options(known, cards, seat, workspace.options, count, certain):
        for i in range(count):
            values[i] = certain[i]
        skip_draws(imagined, workspace.used, SAMPLE_STRIDE)
        return False
    for i in range(count):
        if certain[i] >= 0.0:
            values[i] += certain[i]
            continue
        workspace.states[TRIAL] = workspace.states[KNOWN]
        before, shown = imagined["drawn"], imagined["shown"][seat]
        apply_action(trial, cards, workspace.options[i], imagined)
        value = evaluate(trial, cards, seat)
        values[i] += value
        if imagined["drawn"] != before:
            skip_draws(imagined, workspace.used, 0)
        elif dealt == drawn or not depends_on_hidden(known, trial, cards, seat, imagined["shown"][seat] - shown):
            certain[i] = value  # no sample can change it
    skip_draws(imagined, workspace.used, SAMPLE_STRIDE)
    return imagined["drawn"] != drawn
