"""Looking at positions from outside: how they are judged, what is weighed there, what a player thinks of the options."""

from __future__ import annotations

import numpy as np

from sim.engine.contract import current_player, evaluate, features
from sim.engine.dice import turn_dice
from sim.engine.jit import kernel
from sim.engine.policies import choose
from sim.engine.workspace import GAME, Workspace, open_actions


@kernel
def evaluate_positions(positions: np.ndarray, cards: np.ndarray, seats: int, out: np.ndarray) -> None:
    """Estimate the winning chance of every seat in every position.

    positions: (n,) STATE; cards: (1,) CARDS; out: (n, seats) float64, overwritten with values in 0..1, as `evaluate` gives them.
    """
    for i in range(len(positions)):
        for seat in range(seats):
            out[i, seat] = evaluate(positions[i], cards[0], seat)


@kernel
def list_features(positions: np.ndarray, cards: np.ndarray, seats: int, out: np.ndarray) -> None:
    """Write what `evaluate` weighs in every position.

    positions: (n,) STATE, none of them over; cards: (1,) CARDS; out: (n, seats, features) float64, overwritten.
    """
    for i in range(len(positions)):
        for seat in range(seats):
            found = features(positions[i], cards[0], seat)
            for k in range(len(found)):
                out[i, seat, k] = found[k]


@kernel
def evaluate_options(
    workspace: Workspace,
    cards: np.ndarray,
    player: np.ndarray,
    positions: np.ndarray,
    options: np.ndarray,
    values: np.ndarray,
) -> None:
    """What a player thinks of all that is open in each position.

    player: (1,) PLAYER, not `random`; positions: (n,) STATE, none of them over; options: (n, options_max) int32 and values:
    (n, options_max) float64, overwritten: the decisions open, -1 beyond, and the winning chance of whoever decides with each.
    bench: its dice are opened by the caller; what is forbidden is in its bans.
    """
    options[:] = -1
    for i in range(len(positions)):
        workspace.states[GAME] = positions[i]
        state = workspace.states[GAME]
        for role in range(len(workspace.dice)):
            turn_dice(workspace.dice[role], state["turn"])
        count = open_actions(workspace.bans, state, cards[0], workspace.options)
        choose(workspace, cards, player[0], np.int64(current_player(state)), count)
        for k in range(count):
            options[i, k] = workspace.options[k]
            values[i, k] = workspace.values[k]
