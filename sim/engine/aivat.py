"""Luck, told apart from play: how much each roll and draw moved the winning chances (the control variate of AIVAT).

Burch, Schmid, Moravcik, Morrill and Bowling, "AIVAT: A new variance reduction technique for agent evaluation in imperfect
information games", AAAI 2018. Where a decision is followed by chance, `evaluate` of what came is held against its mean over
fresh samples of the same chance. The difference is zero on average whatever `evaluate` says, so that taking the sum of all of
them off a game's result leaves every win rate as it is; the better `evaluate` judges, the less is left to vary. The samples
come from dice of their own: neither the game's nor those by which the players imagine.
"""

from __future__ import annotations

import numpy as np

from sim.engine.contract import apply_action, deal, evaluate, stir
from sim.engine.jit import Record, kernel
from sim.engine.workspace import BLANK, GAME, LUCK, REROLLED, Bench


@kernel
def note_expected(bench: Bench, cards: Record, seats: int, action: int, rerolls: int) -> bool:
    """Write into bench.shares what each seat may expect of a decision about to be carried out; returns whether chance matters.

    rerolls: samples of the chance. Overwrites LUCK.
    """
    dice, expected = bench.dice[REROLLED], bench.shares
    drawn = dice["drawn"]
    expected[:] = 0.0
    for _ in range(rerolls):
        bench.states[LUCK] = bench.states[GAME]
        stir(bench.states[LUCK], cards, dice)
        apply_action(bench.states[LUCK], cards, action, dice)
        if dice["drawn"] == drawn:
            return False
        add_chances(bench, cards, seats, 1.0 / rerolls)
    return True


@kernel
def add_chances(bench: Bench, cards: Record, seats: int, part: float) -> None:
    """Add a part of every seat's chance in the LUCK state to bench.shares."""
    for seat in range(seats):
        bench.shares[seat] += part * evaluate(bench.states[LUCK], cards, seat)


@kernel
def note_luck(bench: Bench, cards: Record, seats: int, luck: np.ndarray) -> None:
    """Add what came of a chance, less what was expected, to each seat's luck. luck: (SEATS_MAX,)."""
    for seat in range(seats):
        luck[seat] += evaluate(bench.states[GAME], cards, seat) - bench.shares[seat]


@kernel
def note_luck_of_deal(bench: Bench, cards: Record, lineup: np.ndarray, rerolls: int, luck: np.ndarray) -> None:
    """Begin each seat's luck with that of the deal. luck: (SEATS_MAX,), overwritten."""
    dice = bench.dice[REROLLED]
    drawn = dice["drawn"]
    bench.shares[:] = 0.0
    luck[:] = 0.0
    for _ in range(rerolls):
        bench.states[LUCK] = bench.states[BLANK]
        deal(bench.states[LUCK], cards, lineup, dice)
        if dice["drawn"] == drawn:
            return
        add_chances(bench, cards, len(lineup), 1.0 / rerolls)
    note_luck(bench, cards, len(lineup), luck)
