"""The AIVAT control variate: how much each roll and draw moved the winning chances.

Burch, Schmid, Moravcik, Morrill and Bowling, "AIVAT: A new variance reduction technique for agent evaluation in imperfect
information games", AAAI 2018. If chance follows a decision, `evaluate` of the actual event is compared with its mean over
fresh samples of the same chance. The difference has mean zero for any `evaluate`, so subtracting the sum of the differences
from a game's result biases no win rate. The more accurate `evaluate` is, the smaller the remaining variance. The samples use
separate dice: neither the game's nor those of the players' playouts.
"""

from __future__ import annotations

import numpy as np

from sim.engine.contract import apply_action, deal, evaluate, resample_unseen
from sim.engine.jit import Record, kernel
from sim.engine.workspace import BLANK, GAME, LUCK, REROLLED, Workspace


@kernel
def note_expected(workspace: Workspace, cards: Record, seats: int, action: int, rerolls: int) -> bool:
    """Write each seat's expected chance after a decision to workspace.shares; returns whether chance follows the decision.

    rerolls: number of samples. Overwrites the LUCK state.
    """
    dice, expected = workspace.dice[REROLLED], workspace.shares
    drawn = dice["drawn"]
    expected[:] = 0.0
    for _ in range(rerolls):
        workspace.states[LUCK] = workspace.states[GAME]
        if not dice["open"]:  # else a player knows it already, so it is no luck
            resample_unseen(workspace.states[LUCK], cards, dice)
        apply_action(workspace.states[LUCK], cards, action, dice)
        if dice["drawn"] == drawn:
            return False
        add_chances(workspace, cards, seats, 1.0 / rerolls)
    return True


@kernel
def add_chances(workspace: Workspace, cards: Record, seats: int, part: float) -> None:
    """Add `part` times every seat's winning chance in the LUCK state to workspace.shares."""
    for seat in range(seats):
        workspace.shares[seat] += part * evaluate(workspace.states[LUCK], cards, seat)


@kernel
def note_luck(workspace: Workspace, cards: Record, seats: int, luck: np.ndarray) -> None:
    """Add the actual minus the expected chance to each seat's luck. luck: (SEATS_MAX,)."""
    for seat in range(seats):
        luck[seat] += evaluate(workspace.states[GAME], cards, seat) - workspace.shares[seat]


@kernel
def note_luck_of_deal(workspace: Workspace, cards: Record, lineup: np.ndarray, rerolls: int, luck: np.ndarray) -> None:
    """Initialise each seat's luck with the luck of the deal. luck: (SEATS_MAX,), overwritten."""
    dice = workspace.dice[REROLLED]
    drawn = dice["drawn"]
    workspace.shares[:] = 0.0
    luck[:] = 0.0
    for _ in range(rerolls):
        workspace.states[LUCK] = workspace.states[BLANK]
        deal(workspace.states[LUCK], cards, lineup, dice)
        if dice["drawn"] == drawn:
            return
        add_chances(workspace, cards, len(lineup), 1.0 / rerolls)
    note_luck(workspace, cards, len(lineup), luck)
