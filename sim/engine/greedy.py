"""One-step look-ahead for any game. A step ends where the seat's decision is complete, with its target, payment or path."""

from __future__ import annotations

from sim.engine.contract import apply_action, current_player, depends_on_hidden, evaluate, evaluate_options, is_half_made, is_over
from sim.engine.dice import note_used, skip_draws
from sim.engine.jit import Record, kernel
from sim.engine.trial import copy_trial
from sim.engine.workspace import GAME, IMAGINED, KNOWN, STEPS_MAX, TRIAL, Workspace, best_option, guess_hidden, open_actions

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
        if not try_options(workspace, cards, samples, seat, count, tried == 1):
            break  # no chance involved: further samples would be identical
    for i in range(count):
        workspace.values[i] /= tried
    return best_option(workspace, workspace.values, seat, count)


@kernel
def try_options(workspace: Workspace, cards: Record, samples: int, seat: int, count: int, first: bool) -> bool:
    """Add one sample of each option's value to workspace.values; returns whether chance or hidden cards were involved.

    An option that begins a compound decision is worth its best end, a mean over all samples, or `evaluate` if that is more.
    """
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
        copy_trial(workspace.states, KNOWN, workspace.states, TRIAL)
        before, shown = imagined["drawn"], imagined["shown"][seat]
        apply_action(trial, cards, workspace.options[i], imagined)
        chance = imagined["drawn"] != before
        value = evaluate(trial, cards, seat)
        if not chance and goes_on(trial, seat):
            value = max(value, best_end(workspace, cards, samples if dealt == drawn else 1, seat))
        values[i] += value
        if chance:
            skip_draws(imagined, workspace.used, 0)
        elif dealt == drawn or not depends_on_hidden(known, trial, cards, seat, imagined["shown"][seat] - shown):
            certain[i] = value  # no sample can change it
    skip_draws(imagined, workspace.used, SAMPLE_STRIDE)
    return imagined["drawn"] != drawn


@kernel
def goes_on(state: Record, seat: int) -> bool:
    """Whether a seat's compound decision is not complete yet."""
    return is_half_made(state) and not is_over(state) and current_player(state) == seat


@kernel
def best_end(workspace: Workspace, cards: Record, samples: int, seat: int) -> float:
    """Value of the best way to complete the compound decision of TRIAL. Overwrites TRIAL, halves, ways and untried.

    Chance ends a way. The best way is valued again in samples of its own, because the highest of several means is too high.
    """
    trial, imagined, level = workspace.states[TRIAL], workspace.dice[IMAGINED], 0
    drawn, best, chosen, by_chance = imagined["drawn"], -1.0, 0, False
    branch(workspace, cards, 0)
    while level >= 0:
        if workspace.untried[level] == 0:
            level -= 1
            continue
        workspace.untried[level] -= 1
        action = workspace.ways[level, workspace.untried[level]]
        copy_trial(workspace.halves, level, workspace.states, TRIAL)
        apply_action(trial, cards, action, imagined)
        if imagined["drawn"] == drawn and level + 1 < STEPS_MAX and goes_on(trial, seat):
            level += 1
            branch(workspace, cards, level)
            continue
        value, tried = evaluate(trial, cards, seat), 1
        if imagined["drawn"] != drawn:
            value, tried = value + total_of(workspace, cards, seat, level, action, 1, samples), samples
        if value / tried > best:
            best, chosen, by_chance = value / tried, action, imagined["drawn"] != drawn
            copy_trial(workspace.halves, level, workspace.halves, STEPS_MAX)
        imagined["drawn"] = drawn
        skip_draws(imagined, workspace.used, 0)
    if by_chance:
        best = total_of(workspace, cards, seat, STEPS_MAX, chosen, samples, 2 * samples) / samples
        imagined["drawn"] = drawn
        skip_draws(imagined, workspace.used, 0)
    return best


@kernel
def total_of(workspace: Workspace, cards: Record, seat: int, level: int, action: int, first: int, end: int) -> float:
    """Total value of an action in halves[level] over the samples `first` to `end` - 1. Overwrites TRIAL."""
    trial, imagined, total = workspace.states[TRIAL], workspace.dice[IMAGINED], 0.0
    for k in range(first, end):
        skip_draws(imagined, workspace.used, SAMPLE_STRIDE * k)
        copy_trial(workspace.halves, level, workspace.states, TRIAL)
        apply_action(trial, cards, action, imagined)
        total += evaluate(trial, cards, seat)
    return total


@kernel
def branch(workspace: Workspace, cards: Record, level: int) -> None:
    """List the ways on from TRIAL."""
    copy_trial(workspace.states, TRIAL, workspace.halves, level)
    workspace.untried[level] = open_actions(workspace.bans, workspace.halves[level], cards, workspace.ways[level])
