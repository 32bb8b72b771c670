"""Evaluation of given positions: winning chances, features, and a player's values of the options."""

from __future__ import annotations

import numpy as np

from sim.engine.contract import current_player, evaluate, features
from sim.engine.dice import turn_dice
from sim.engine.jit import kernel
from sim.engine.policies import choose
from sim.engine.workspace import GAME, Workspace, forget_plan, open_actions


@kernel
def evaluate_positions(positions: np.ndarray, cards: np.ndarray, seats: int, out: np.ndarray) -> None:
    """Estimate the winning chance of every seat in every position.

    positions: (n,) STATE; cards: (1,) CARDS; out: (n, seats) float64, overwritten with values in 0..1.
    """
    for i in range(len(positions)):
        for seat in range(seats):
            out[i, seat] = evaluate(positions[i], cards[0], seat)


@kernel
def list_features(positions: np.ndarray, cards: np.ndarray, seats: int, out: np.ndarray) -> None:
    """Write the features of every position, seen from every seat.

    positions: (n,) STATE, none of them over; cards: (1,) CARDS; out: (n, seats, features) float64, overwritten.
    """
    for i in range(len(positions)):
        for seat in range(seats):
            features(positions[i], cards[0], seat, out[i, seat])


@kernel
def evaluate_options(
    workspace: Workspace, cards: np.ndarray, player: np.ndarray, positions: np.ndarray, options: np.ndarray, values: np.ndarray
) -> int:
    """Write a player's values of all legal actions in each position; returns the number of its choice in the last, -1 if none.

    workspace: the caller opens its dice and sets its bans. player: (1,) PLAYER, not `random`; positions: (n,) STATE, none of
    them over. options: (n, options_max) int32, overwritten with the legal actions, padded with -1; values: (n, options_max)
    float64, overwritten with the deciding seat's winning chance after each.
    """
    options[:], chosen = -1, -1
    for i in range(len(positions)):
        workspace.states[GAME] = positions[i]
        state = workspace.states[GAME]
        for role in range(len(workspace.dice)):
            turn_dice(workspace.dice[role], state["turn"])
        forget_plan(workspace)
        count = open_actions(workspace.bans, state, cards[0], workspace.options)
        chosen = choose(workspace, cards, player[0], np.int64(current_player(state)), count, True, True)
        for k in range(count):
            options[i, k] = workspace.options[k]
            values[i, k] = workspace.values[k]
    return chosen
