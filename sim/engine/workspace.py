"""The scratch memory of a worker, and the kernels on it that all policies share."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sim.engine.contract import NOTHING, ablation_of, current_player, legal_actions, resample_hidden
from sim.engine.dice import DICE, OWNERS, PURPOSES, SEATS_MAX, Purpose, below
from sim.engine.jit import Record, kernel
from sim.engine.trial import mask_of

STATES = 5
GAME, KNOWN, TRIAL, BLANK, LUCK = range(STATES)  # of Workspace.states
ROLES = 3
ROLLED, REROLLED, IMAGINED = range(ROLES)  # of Workspace.dice, and their roles; dice of different roles are disjoint
PATH_MAX = 256  # most decisions of a playout within the tree

NODE = np.dtype(
    [
        ("worth", np.float64),  # sum of the winning chances of `seat` over the visits
        ("squares", np.float64),  # sum of their squares
        ("visits", np.int32),
        ("open", np.int32),  # how often the decision was legal when the parent was visited
        ("action", np.int32),  # the decision that leads to this node ...
        ("seat", np.int32),  # ... and the seat that takes it
        ("place", np.int32),  # index among the legal actions at the latest visit that looked for it
        ("first", np.int32),  # first child, 0: none
        ("next", np.int32),  # next sibling, 0: none
        # at the root's children only
        ("latest", np.float64),  # winning chance of the latest visit
        ("lead", np.float64),  # sum over visits of the difference from the first choice with the same dice
        ("lead_squares", np.float64),  # sum of its squares
    ],
    align=True,
)

STEPS_MAX = 8  # most decisions within a compound one that `greedy` completes
PLAN_MAX = 24  # most decisions of a plan
SEEN = 127  # positions whose worth is remembered while a decision is planned; a prime, because their keys are divided by it
PLAN = np.dtype(
    [
        ("worth", np.float64),  # winning chance at its end
        ("first", np.int32),  # option with which it begins
        ("length", np.int32),  # decisions, 0: none
        ("path", np.int32, PLAN_MAX),  # the decisions
        ("counts", np.int32, PLAN_MAX),  # options of each
        ("sure", np.int32),  # decisions at its start that do not depend on hidden cards, so that the next is legal in all samples
        # of a plan that is being carried out
        ("next", np.int32),  # decisions taken
        ("seat", np.int32),
        ("turn", np.int32),
        ("drawn", np.uint32),  # draws of the game's dice so far
    ],
    align=True,
)


class Workspace(NamedTuple):
    """Scratch memory of a worker: allocated once, overwritten by every game."""

    states: np.ndarray  # (STATES,) STATE: the game; the player's sample of it; a trial; a blank; the AIVAT sample
    dice: np.ndarray  # (3,) DICE: of the game, of AIVAT samples, of playouts
    options: np.ndarray  # (options_max,) int32: the legal actions
    values: np.ndarray  # (options_max,) float64: estimated winning chance of each
    scores: np.ndarray  # (options_max,) float64: criterion of the choice
    tries: np.ndarray  # (options_max,) float64: what `evaluate_options` gives in a plan, negative: not given
    used: np.ndarray  # (OWNERS, PURPOSES) uint32: counters of the playout dice before an option is tried
    dealt: np.ndarray  # (OWNERS, PURPOSES) uint32: their counters after the hidden cards of a search's visit were sampled
    shares: np.ndarray  # (SEATS_MAX,) float64: share of the win by seat
    streams: np.ndarray  # (SEATS_MAX,) uint32: the seats' own numbers as owners of dice; never changes
    bans: np.ndarray  # (SEATS_MAX, things) uint8: 1 where a thing is forbidden to a seat; things can be 0
    open: np.ndarray  # (options_max,) int32: the legal actions in a playout
    below: np.ndarray  # (options_max,) int32: their nodes, 0: none yet
    alive: np.ndarray  # (options_max,) int32: options not yet eliminated
    tree: np.ndarray  # (nodes + options_max,) NODE: node 0 is the root, followed by its options
    path: np.ndarray  # (PATH_MAX,) int32: nodes visited by a playout
    # (2 * (width + samples) + 1,) STATE: after plans of two lengths; samples of hidden cards; these after a plan; a trial
    beam: np.ndarray
    taken: np.ndarray  # (samples,) int32: decisions of that plan that were carried out in each
    words: np.ndarray  # (those, words) uint32: the same memory
    mask: np.ndarray  # (words,) uint32: bits that `evaluate` reads, see `trial.mask_of`
    seen: np.ndarray  # (SEEN, words) uint32: positions that were evaluated for the decision at hand
    rated: np.ndarray  # (SEEN,) float64: what they are worth
    plans: np.ndarray  # (2 * width,) PLAN: those that lead to the first of these
    ended: np.ndarray  # (width,) PLAN: the best that have ended
    kept: np.ndarray  # (1,) PLAN: the one that is being carried out
    halves: np.ndarray  # (STEPS_MAX + 1,) STATE: a compound decision that is being completed, one step further each; the best
    ways: np.ndarray  # (STEPS_MAX, options_max) int32: the legal actions there
    untried: np.ndarray  # (STEPS_MAX,) int32: number of these that have not been tried


def new_workspace(
    state: np.dtype[Any], options_max: int, seats_max: int, nodes: int = 1, things: int = 0, width: int = 0, samples: int = 0
) -> Workspace:
    """Allocate the workspace of a worker.

    nodes: of the search tree; things: number of things that can be forbidden; width, samples: of plans for a turn.
    """
    beam, mask = np.zeros(2 * (width + samples) + 1, state), mask_of(state)
    return Workspace(
        states=np.zeros(STATES, state),
        dice=np.zeros(ROLES, DICE),
        options=np.zeros(options_max, np.int32),
        values=np.zeros(options_max),
        scores=np.zeros(options_max),
        tries=np.zeros(options_max),
        used=np.zeros((OWNERS, PURPOSES), np.uint32),
        dealt=np.zeros((OWNERS, PURPOSES), np.uint32),
        shares=np.zeros(seats_max),
        streams=np.arange(seats_max, dtype=np.uint32),
        bans=np.zeros((SEATS_MAX, things), np.uint8),
        open=np.zeros(options_max, np.int32),
        below=np.zeros(options_max, np.int32),
        alive=np.zeros(options_max, np.int32),
        tree=np.zeros(nodes + options_max, NODE),
        path=np.zeros(PATH_MAX, np.int32),
        beam=beam,
        words=beam.view(np.uint32).reshape(len(beam), -1) if len(mask) else np.zeros((len(beam), 0), np.uint32),
        mask=mask,
        seen=np.zeros((SEEN, len(mask)), np.uint32),
        rated=np.zeros(SEEN),
        taken=np.zeros(samples, np.int32),
        plans=np.zeros(2 * width, PLAN),
        ended=np.zeros(width, PLAN),
        kept=np.zeros(1, PLAN),
        halves=np.zeros(STEPS_MAX + 1, state),
        ways=np.zeros((STEPS_MAX, options_max), np.int32),
        untried=np.zeros(STEPS_MAX, np.int32),
    )


@kernel
def forget_plan(workspace: Workspace) -> None:
    """Forget the plan that was being carried out, before another game or position."""
    workspace.kept[0]["length"] = 0


@kernel
def guess_hidden(state: Record, cards: Record, seat: int, dice: Record) -> None:
    """Sample what a seat cannot see, unless the dice are those of a player that sees hidden cards."""
    if not dice["open"]:
        resample_hidden(state, cards, seat, dice)


@kernel
def open_actions(bans: np.ndarray, state: Record, cards: Record, out: np.ndarray) -> int:
    """Write the legal actions into `out`, without those forbidden to the seat unless all are; returns their number.

    bans: of the workspace. Passing the whole workspace is slow: numba counts the references to all its arrays.
    """
    count = legal_actions(state, cards, out)
    if bans.shape[1] == 0 or count == 1:
        return count
    seat, left = current_player(state), 0
    for i in range(count):
        thing = ablation_of(state, cards, out[i])
        if thing == NOTHING or bans[seat, thing] == 0:
            out[left] = out[i]
            left += 1
    return left if left > 0 else count


@kernel
def best_option(workspace: Workspace, scores: np.ndarray, seat: int, count: int) -> int:
    """Return the index of the option with the highest score; ties are broken uniformly with the game's dice."""
    best, ties = 0, 1
    for i in range(1, count):
        if scores[i] > scores[best]:
            best, ties = i, 1
        elif scores[i] == scores[best]:
            ties += 1
    if ties == 1:
        return best
    left = below(workspace.dice[ROLLED], seat, Purpose.POLICY, ties)
    for i in range(best, count):
        if scores[i] == scores[best]:
            if left == 0:
                return i
            left -= 1
    return best
