"""What one worker plays on: scratch that is allocated once, and what all policies do with it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sim.engine.contract import NOTHING, ablation_of, current_player, legal_actions
from sim.engine.dice import DICE, OWNERS, PURPOSES, SEATS_MAX, Purpose, below
from sim.engine.jit import Record, kernel

STATES = 5
GAME, KNOWN, TRIAL, BLANK, LUCK = range(STATES)  # of Bench.states
ROLLED, REROLLED, IMAGINED = range(3)  # of Bench.dice, and their role: a role's dice are disjoint from all others
PATH_MAX = 256  # decisions that a playout may go down the tree

NODE = np.dtype(
    [
        ("worth", np.float64),  # sum of the winning chances of `seat` over the visits
        ("squares", np.float64),  # sum of their squares
        ("visits", np.int32),
        ("open", np.int32),  # how often the decision was open when the node above was visited
        ("action", np.int32),  # the decision that leads here ...
        ("seat", np.int32),  # ... and whose it is
        ("first", np.int32),  # first of the nodes below, 0: none
        ("next", np.int32),  # next node below the same one, 0: none
        # of options alone
        ("latest", np.float64),  # winning chance of the latest visit
        ("lead", np.float64),  # sum of what visits found above those of the first choice with the same dice
        ("lead_squares", np.float64),  # sum of its squares
    ],
    align=True,
)


class Workspace(NamedTuple):
    """What one worker plays on: allocated once, overwritten by every game."""

    states: (
        np.ndarray
    )  # (STATES,) STATE: the game; as the seat to act knows it; a trial; a blank; what luck is told from
    dice: np.ndarray  # (3,) DICE: the game's, those by which luck is told, and the imagination's
    options: np.ndarray  # (options_max,) int32: the decisions open
    values: np.ndarray  # (options_max,) float64: what each is worth
    scores: np.ndarray  # (options_max,) float64: what the choice goes by
    used: np.ndarray  # (OWNERS, PURPOSES) uint32: where imagined dice stood before an option was tried
    shares: np.ndarray  # (SEATS_MAX,) float64: share of the win by seat
    streams: np.ndarray  # (SEATS_MAX,) uint32: dice of one's own for each seat; never changes
    bans: np.ndarray  # (SEATS_MAX, things) uint8: 1: what a seat may not use; things 0: nothing is forbidden
    open: np.ndarray  # (options_max,) int32: the decisions open in a playout
    below: np.ndarray  # (options_max,) int32: their nodes, 0: none yet
    alive: np.ndarray  # (options_max,) int32: options still in the running
    tree: np.ndarray  # (nodes + options_max,) NODE: node 0 is the position to decide in, those after it its options
    path: np.ndarray  # (PATH_MAX,) int32: nodes that a playout passed


def new_workspace(state: np.dtype[Any], options_max: int, seats_max: int, nodes: int = 1, things: int = 0) -> Workspace:
    """Allocate the scratch of one worker. nodes: of the tree of `search`; things: that may be forbidden."""
    return Workspace(
        states=np.zeros(STATES, state),
        dice=np.zeros(3, DICE),
        options=np.zeros(options_max, np.int32),
        values=np.zeros(options_max),
        scores=np.zeros(options_max),
        used=np.zeros((OWNERS, PURPOSES), np.uint32),
        shares=np.zeros(seats_max),
        streams=np.arange(seats_max, dtype=np.uint32),
        bans=np.zeros((SEATS_MAX, things), np.uint8),
        open=np.zeros(options_max, np.int32),
        below=np.zeros(options_max, np.int32),
        alive=np.zeros(options_max, np.int32),
        tree=np.zeros(nodes + options_max, NODE),
        path=np.zeros(PATH_MAX, np.int32),
    )


@kernel
def open_actions(bans: np.ndarray, state: Record, cards: Record, out: np.ndarray) -> int:
    """Write the decisions open in a position into `out`, less those forbidden to the seat unless all are; returns how many.

    bans: of the bench, which is not handed over whole: to count the references to all its arrays takes longer than a decision.
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
    """Number of the option of the highest score, ties broken uniformly by the game's dice."""
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
