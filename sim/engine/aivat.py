"""Luck, told apart from play: how much each roll and draw moved the winning chances (the control variate of AIVAT).

Burch, Schmid, Moravcik, Morrill and Bowling, "AIVAT: A new variance reduction technique for agent evaluation in imperfect
information games", AAAI 2018. Where a decision is followed by chance, `evaluate` of what came is held against its mean over
fresh samples of the same chance. The difference is zero on average whatever `evaluate` says, so that taking the sum of all of
them off a game's result leaves every win rate as it is; the better `evaluate` judges, the less is left to vary. The samples
come from dice of their own: neither the game's nor those by which the players imagine.
"""

from __future__ import annotations

import numpy as np

from sim.engine.contract import apply_action, deal, evaluate, resample_unseen
from sim.engine.jit import Record, kernel
from sim.engine.workspace import BLANK, GAME, LUCK, REROLLED, Workspace


@kernel
def note_expected(workspace: Workspace, cards: Record, seats: int, action: int, rerolls: int) -> bool:
    """Write into bench.shares what each seat may expect of a decision about to be carried out; returns whether chance matters.

    rerolls: samples of the chance. Overwrites LUCK.
    """
    dice, expected = workspace.dice[REROLLED], workspace.shares
    drawn = dice["drawn"]
    expected[:] = 0.0
    for _ in range(rerolls):
        workspace.states[LUCK] = workspace.states[GAME]
        resample_unseen(workspace.states[LUCK], cards, dice)
        apply_action(workspace.states[LUCK], cards, action, dice)
        if dice["drawn"] == drawn:
            return False
        add_chances(workspace, cards, seats, 1.0 / rerolls)
    return True


@kernel
def add_chances(workspace: Workspace, cards: Record, seats: int, part: float) -> None:
    """Add a part of every seat's chance in the LUCK state to bench.shares."""
    for seat in range(seats):
        workspace.shares[seat] += part * evaluate(workspace.states[LUCK], cards, seat)


@kernel
def note_luck(workspace: Workspace, cards: Record, seats: int, luck: np.ndarray) -> None:
    """Add what came of a chance, less what was expected, to each seat's luck. luck: (SEATS_MAX,)."""
    for seat in range(seats):
        luck[seat] += evaluate(workspace.states[GAME], cards, seat) - workspace.shares[seat]


@kernel
def note_luck_of_deal(workspace: Workspace, cards: Record, lineup: np.ndarray, rerolls: int, luck: np.ndarray) -> None:
    """Begin each seat's luck with that of the deal. luck: (SEATS_MAX,), overwritten."""
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
